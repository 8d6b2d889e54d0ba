//! Tells the loader where libtorch is, since link arguments do not reach a program from the crates it depends on, keeps
//! libtorch out of `chase` itself, and tells the program which commit it is built from.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=CHASE_BUNDLE");
    // A bundle has the libraries beside the program, and nowhere else (`cargo xtask dist`).
    if std::env::var_os("CHASE_BUNDLE").is_some() {
        println!("cargo::rustc-link-arg=-Wl,-rpath,$ORIGIN/lib");
    } else if let Ok(libraries) = std::env::var("DEP_CHASE_MODELS_LIBTORCH") {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{libraries}");
    }
    // `chase` calls nothing of libtorch. But the glue of the bindings has inline functions that libtorch has as well,
    // and the linker keeps what a library might share with the program, and with it the library.
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo::rustc-link-arg-bin=chase=-Wl,--exclude-libs,ALL");
    }
    println!("cargo::rerun-if-changed=build.rs");
    list_assets();
    for sources in [
        "src",
        "engine/src",
        "models/src",
        "training/src",
        "training/cluster/src",
        "experiments",
    ] {
        println!("cargo::rerun-if-changed={sources}");
    }
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", file]) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let commit = git(&["rev-parse", "HEAD"]).unwrap_or_default();
    let changes = git(&["status", "--porcelain", "--untracked-files=no"]).unwrap_or_default();
    println!("cargo::rustc-env=CHASE_COMMIT={commit}");
    println!("cargo::rustc-env=CHASE_DIRTY={}", !changes.is_empty());
}

/// The answer of git, or `None` where there is no git or no repository.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// The types of the page's files, by their endings.
const TYPES: [(&str, &str); 4] = [
    ("css", "text/css; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("svg", "image/svg+xml"),
];

/// Lists the files of the page, with their types and their content, for the program to include.
fn list_assets() {
    let folder = std::path::absolute("src/serve/assets").expect("there is a current folder");
    let files = fs::read_dir(folder).expect("the folder of assets can be read");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("an entry can be read").path()).collect();
    files.sort();
    let lines = files.iter().filter_map(|file| {
        let (name, ending) = (file.file_name()?, file.extension()?);
        // An editor may leave others there.
        let (_, kind) = TYPES.iter().find(|(known, _)| ending == *known)?;
        Some(format!("({name:?}, {kind:?}, include_str!({file:?})),\n"))
    });
    let list = format!("&[{}]", lines.collect::<String>());
    let out = std::env::var_os("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("assets.rs"), list).expect("the list can be written");
}
