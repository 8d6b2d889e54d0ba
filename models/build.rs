//! Finds libtorch for the linker and the loader, and says in plain words if it is missing.
//!
//! (The build script of `torch-sys` may come first, and then fails with `torch/csrc/…: No such file or directory`.
//! Cargo has no way to order the two.)

use std::env;
use std::path::PathBuf;
use std::process::Command;

fn main() {
    for variable in ["LIBTORCH", "LIBTORCH_LIB", "LIBTORCH_USE_PYTORCH", "VIRTUAL_ENV"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    if env::var_os("CARGO_FEATURE_TORCH").is_none() {
        return;
    }
    let Some(libraries) = libtorch_libraries() else {
        println!(
            "cargo::error=libtorch was not found. Run `cargo xtask setup` once: it fetches libtorch 2.11.0 into \
             `.libtorch/`. To use one that is already there set LIBTORCH, or LIBTORCH_USE_PYTORCH=1, before building."
        );
        return;
    };
    println!(
        "cargo::rerun-if-changed={}",
        libraries.join("libtorch_cpu.so").display()
    );
    println!("cargo::rustc-link-arg=-Wl,-rpath,{}", libraries.display());
    // A link argument does not reach the packages that depend on this one. Each that links a program reads
    // `DEP_CHASE_MODELS_LIBTORCH` in its own build script and repeats the line above.
    println!("cargo::metadata=libtorch={}", libraries.display());
}

/// The folder of the libraries that `torch-sys` will link, chosen as it chooses.
fn libtorch_libraries() -> Option<PathBuf> {
    let libraries = if env::var_os("LIBTORCH_USE_PYTORCH").is_some() {
        let python = if env::var_os("VIRTUAL_ENV").is_some() {
            "python"
        } else {
            "python3"
        };
        let probe = "import importlib.util as u; print(u.find_spec('torch').submodule_search_locations[0])";
        let output = Command::new(python).args(["-c", probe]).output().ok()?;
        PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()).join("lib")
    } else {
        let libtorch = env::var_os("LIBTORCH_LIB").or_else(|| env::var_os("LIBTORCH"));
        PathBuf::from(libtorch.unwrap_or_else(|| "/usr".into())).join("lib")
    };
    let found = ["so", "dylib"]
        .iter()
        .any(|suffix| libraries.join(format!("libtorch_cpu.{suffix}")).exists());
    found.then_some(libraries)
}
