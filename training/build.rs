//! Tells the loader where libtorch is (see `models/build.rs`), and the program which commit it is built from.

use std::process::Command;

fn main() {
    if let Ok(libraries) = std::env::var("DEP_CHASE_MODELS_LIBTORCH") {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{libraries}");
    }
    println!("cargo::rerun-if-changed=build.rs");
    for sources in ["src", "../engine/src", "../models/src"] {
        println!("cargo::rerun-if-changed={sources}");
    }
    for file in ["HEAD", "logs/HEAD", "index"] {
        if let Some(path) = git(&["rev-parse", "--git-path", file]) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let hash = git(&["rev-parse", "HEAD"]).unwrap_or_default();
    let dirty = git(&["status", "--porcelain", "--untracked-files=no"]).map(|changes| !changes.is_empty());
    println!("cargo::rustc-env=CHASE_GIT_HASH={hash}");
    println!(
        "cargo::rustc-env=CHASE_GIT_DIRTY={}",
        dirty.map_or(String::new(), |dirty| dirty.to_string())
    );
}

/// What git answers, or `None` where there is no git or no repository.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
