//! Tells the loader where libtorch is: link arguments do not reach a program from the crates it depends on.

fn main() {
    if let Ok(libraries) = std::env::var("DEP_CHASE_MODELS_LIBTORCH") {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{libraries}");
    }
    // A bundle may carry the libraries next to the binary.
    println!("cargo::rustc-link-arg=-Wl,-rpath,$ORIGIN/lib");
    println!("cargo::rerun-if-changed=build.rs");
}
