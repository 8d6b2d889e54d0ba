//! `cargo xtask dist`: what is released: the program with its libraries in an archive, and the Python wheel.

use std::env::consts::{ARCH, OS};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::command::{cargo, create, entries, output, remove, run_command, write};
use crate::setup;

/// Files of the repository that go along.
const DOCUMENTS: [&str; 4] = ["README.md", "LICENSE-APACHE", "LICENSE-MIT", "CITATION.cff"];

/// Most bytes of a program without symbols: the larger one has about 48 MB, and had 166 MB with symbols and lines.
const MOST_BYTES: u64 = 80_000_000;

#[derive(clap::Args)]
pub struct Options {
    /// Build only the archive, not the Python wheel.
    #[arg(long)]
    no_wheel: bool,
}

pub fn run(repository: &Path, options: &Options) -> Result<()> {
    if let Some(other) = setup::existing_libtorch(&repository.join(".libtorch"))? {
        bail!(
            "the environment names the libtorch in {}: unset LIBTORCH and LIBTORCH_USE_PYTORCH, so that what is released is built with \
             that of `cargo xtask setup`",
            other.display()
        );
    }
    setup::run(repository, &setup::Options::default())?;
    let target = repository.join("target");
    let mut build = cargo(repository, "build --release --locked --package chase");
    build.env("CARGO_TARGET_DIR", &target);
    build.env("CARGO_PROFILE_RELEASE_STRIP", "symbols");
    run_command(build.env("CHASE_BUNDLE", "1"))?;

    let name = format!("chase-{}-{ARCH}-{OS}", env!("CARGO_PKG_VERSION"));
    let dist = target.join("dist");
    let folder = dist.join(&name);
    remove(&folder)?;
    for new in ["lib", "man/man1", "completions"] {
        create(&folder.join(new))?;
    }
    // The second one is the part of the program that computes with networks; the first one needs no library.
    let [program, whole] = ["chase", "chase-networks"].map(|program| folder.join(program));
    for program in [&program, &whole] {
        copy(&target.join("release"), program)?;
        let bytes = fs::metadata(program).map_or(0, |facts| facts.len());
        ensure!(
            bytes <= MOST_BYTES,
            "{} has {bytes} bytes, expected at most {MOST_BYTES}: is it stripped?",
            program.display()
        );
    }
    for document in DOCUMENTS {
        copy(repository, &folder.join(document))?;
    }
    let libtorch = repository.join(".libtorch/torch/lib");
    for library in libraries(&whole, Some(&libtorch))?.filter(|path| path.starts_with(&libtorch)) {
        let name = library.file_name().context("a library has a name")?;
        copy(&libtorch, &folder.join("lib").join(name))?;
    }
    // Without help it must find them next to it: they are nowhere else.
    for library in libraries(&whole, None)? {
        ensure!(
            !library.starts_with(&libtorch),
            "the program loads {}, which other machines do not have",
            library.display()
        );
    }
    run_command(Command::new(&program).arg("man").arg(folder.join("man/man1")))?;
    for shell in ["bash", "zsh", "fish"] {
        let script = output(Command::new(&program).args(["completions", shell]))?;
        write(&folder.join(format!("completions/chase.{shell}")), &script)?;
    }
    // It computes, by the libraries next to it.
    run_command(Command::new(&program).args(["analyse", "--simulations", "20"]))?;

    let archive = format!("{name}.tar.gz");
    let mut tar = Command::new("tar");
    tar.current_dir(&dist);
    run_command(tar.args(["--owner=0", "--group=0", "--numeric-owner", "-czf", &archive, &name]))?;
    if !options.no_wheel {
        let mut wheel = Command::new("python3");
        wheel.current_dir(repository);
        wheel.args(["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"]);
        run_command(wheel.arg(&dist).arg("./python"))?;
    }
    for path in entries(&dist)?.iter().filter(|path| path.is_file()) {
        let bytes = path.metadata().map_or(0, |facts| facts.len());
        println!("{}  {:.1} MB", path.display(), bytes as f64 / 1e6);
    }
    Ok(())
}

/// The libraries that a program loads, where the loader finds them; `also` is searched first.
fn libraries(program: &Path, also: Option<&Path>) -> Result<impl Iterator<Item = PathBuf>> {
    let mut ldd = Command::new("ldd");
    ldd.arg(program).env_remove("LD_LIBRARY_PATH");
    if let Some(folder) = also {
        ldd.env("LD_LIBRARY_PATH", folder);
    }
    let loaded = output(&mut ldd)?;
    ensure!(
        !loaded.contains("not found"),
        "{} lacks libraries:\n{loaded}",
        program.display()
    );
    // `name => path (address)`
    let path = |line: &str| line.split(" => ").nth(1)?.split(" (").next().map(PathBuf::from);
    let found: Vec<PathBuf> = loaded.lines().filter_map(path).collect();
    Ok(found.into_iter())
}

/// Copies the file with the name of `to` from a folder.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let from = from.join(to.file_name().context("a file has a name")?);
    fs::copy(&from, to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}
