//! `cargo xtask dist`: what is released: the program with its libraries in an archive, and the Python wheel.

use std::env::consts::{ARCH, OS};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::command::run_command;
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
    let mut build = Command::new("cargo");
    build
        .current_dir(repository)
        .args(["build", "--release", "--locked", "--package", "chase"])
        .env("CARGO_TARGET_DIR", &target)
        .env("CARGO_PROFILE_RELEASE_STRIP", "symbols")
        .env("CHASE_BUNDLE", "1");
    run_command(&mut build)?;

    let name = format!("chase-{}-{ARCH}-{OS}", env!("CARGO_PKG_VERSION"));
    let dist = target.join("dist");
    let folder = dist.join(&name);
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    let program = folder.join("chase");
    for new in ["lib", "man/man1", "completions"] {
        let new = folder.join(new);
        fs::create_dir_all(&new).with_context(|| format!("cannot create {}", new.display()))?;
    }
    copy(&target.join("release/chase"), &program)?;
    // The part of the program that computes with networks; the other one needs no library.
    let whole = folder.join("chase-networks");
    copy(&target.join("release/chase-networks"), &whole)?;
    for program in [&program, &whole] {
        let bytes = fs::metadata(program).map_or(0, |facts| facts.len());
        ensure!(
            bytes <= MOST_BYTES,
            "{} has {bytes} bytes, expected at most {MOST_BYTES}: is it stripped?",
            program.display()
        );
    }
    for document in DOCUMENTS {
        copy(&repository.join(document), &folder.join(document))?;
    }
    let libtorch = repository.join(".libtorch/torch/lib");
    for library in libraries(&whole, Some(&libtorch))?.filter(|path| path.starts_with(&libtorch)) {
        copy(
            &library,
            &folder.join("lib").join(library.file_name().unwrap_or_default()),
        )?;
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
        let path = folder.join("completions").join(format!("chase.{shell}"));
        fs::write(&path, script).with_context(|| format!("cannot write {}", path.display()))?;
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
    let mut sizes: Vec<_> = fs::read_dir(&dist)
        .with_context(|| format!("cannot read {}", dist.display()))?
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let facts = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            Some((entry.path(), facts.len()))
        })
        .collect();
    sizes.sort();
    for (path, size) in sizes {
        println!("{}  {:.1} MB", path.display(), size as f64 / 1e6);
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
    let loaded = String::from_utf8_lossy(&output(&mut ldd)?).into_owned();
    ensure!(
        !loaded.contains("not found"),
        "{} lacks libraries:\n{loaded}",
        program.display()
    );
    let mut found = Vec::new();
    for line in loaded.lines() {
        // `name => path (address)`
        let path = line.split(" => ").nth(1).and_then(|rest| rest.split(" (").next());
        found.extend(path.map(PathBuf::from));
    }
    Ok(found.into_iter())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}

/// The output of a program, which must succeed.
fn output(command: &mut Command) -> Result<Vec<u8>> {
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    ensure!(
        output.status.success(),
        "{command:?} failed ({}): {}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(output.stdout)
}
