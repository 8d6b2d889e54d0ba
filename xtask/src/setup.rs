//! `setup`: installs libtorch into `.libtorch/`, whole or not at all.
//!
//! libtorch comes from pinned, hash-checked Python wheels ([`crate::wheels`]), unpacked by pip into a folder; no Python
//! package is installed, and Python is not needed afterwards. Of the 1.2 GB, the CPU variant keeps the half that is
//! used.

use std::env;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::command::{create, entries, output, pip_unpack, read, remove, succeeds, write};
use crate::wheels::Machine;

/// The version that `torch-sys` 0.24 asks for; its build fails with any other.
const VERSION: &str = "2.11.0";

const ALTERNATIVES: &str = "Other ways to get libtorch 2.11.0:
  - an unpacked libtorch (the C++ package of PyTorch): set LIBTORCH to its folder, then build;
  - a Python environment with torch==2.11.0 in it: set LIBTORCH_USE_PYTORCH=1, then build.
`cargo xtask setup` checks either of them.";

/// Options of the set-up.
#[derive(clap::Args, Default)]
pub struct Options {
    /// Also fetch what an NVIDIA GPU needs (another 2.2 GB to download, 4 GB on disk in total).
    #[arg(long)]
    cuda: bool,
    /// Fetch again even if `.libtorch/` is complete.
    #[arg(long)]
    force: bool,
}

/// Ensures that a libtorch of the right version is available for the build.
///
/// # Errors
/// If it is not available and cannot be fetched; the message says what to do.
pub fn run(repository: &Path, options: &Options) -> Result<()> {
    let home = repository.join(".libtorch");
    if let Some(existing) = existing_libtorch(&home)? {
        let version = libtorch_version(&existing)?;
        ensure!(
            version == VERSION,
            "{}: this is libtorch {version}, but the build needs {VERSION}.\nUnset LIBTORCH and LIBTORCH_USE_PYTORCH \
             to let `cargo xtask setup` fetch it.",
            existing.display()
        );
        println!(
            "libtorch {version} in {} will be used; nothing to do.",
            existing.display()
        );
        return Ok(());
    }
    let machine = Machine::here().with_context(|| {
        format!(
            "The set-up has no libtorch for {} on {}: it fetches it for Linux on x86-64 and aarch64, and for macOS on arm64.\n\
             {ALTERNATIVES}",
            env::consts::OS,
            env::consts::ARCH
        )
    })?;
    ensure!(
        !options.cuda || machine.cuda.is_some(),
        "--cuda: the set-up fetches this for Linux on x86-64 only.\n{ALTERNATIVES}"
    );

    let _lock = lock(&repository.join(".libtorch.lock"))?;
    let variant = variant(options.cuda);
    if !options.force
        && let Some(installed) = installed(&home, &machine, options.cuda)
    {
        let installed = self::variant(installed);
        println!(
            "libtorch {VERSION} ({installed}) is in {}; nothing to do.",
            home.display()
        );
        return Ok(());
    }

    println!("Fetching libtorch {VERSION} ({variant}) into {} …", home.display());
    // A part left by an interrupted run may be incomplete: it is removed.
    let part = repository.join(".libtorch.part");
    remove(&part)?;
    fetch(repository, &part, &machine, options.cuda)?;
    arrange(&part, &machine, options.cuda).context("did the download end early?")?;
    replace(&part, &home)?;
    println!("Done: libtorch {VERSION} ({variant}) is in {}.", home.display());
    Ok(())
}

/// A libtorch named by the user's environment, unless it is the one that this set-up installs.
pub fn existing_libtorch(home: &Path) -> Result<Option<PathBuf>> {
    // In the order in which torch-sys checks them.
    if env::var_os("LIBTORCH_USE_PYTORCH").is_some() {
        let probe =
            "import importlib.util as u; s = u.find_spec('torch'); print(s.submodule_search_locations[0] if s else '')";
        let path = output(Command::new(python()).args(["-c", probe]));
        let path = path
            .context("LIBTORCH_USE_PYTORCH is set, but there is no Python to ask")?
            .trim()
            .to_owned();
        ensure!(
            !path.is_empty(),
            "LIBTORCH_USE_PYTORCH is set, but the Python environment has no package `torch` ({}).\nInstall torch=={VERSION} \
             there, or unset the variable.",
            python()
        );
        return Ok(Some(path.into()));
    }
    // `.cargo/config.toml` sets LIBTORCH to our own folder if the user has not set it.
    Ok(env::var_os("LIBTORCH")
        .map(PathBuf::from)
        .filter(|path| !path.starts_with(home)))
}

/// The version, without a suffix such as `+cpu`, of the libtorch or PyTorch package in a folder.
fn libtorch_version(libtorch: &Path) -> Result<String> {
    let text = read(&libtorch.join("build-version")).or_else(|_| read(&libtorch.join("version.py")));
    let text = text.with_context(|| {
        let folder = libtorch.display();
        format!("{folder}: no libtorch here, expected a file `build-version` or `version.py` in it")
    })?;
    // `2.11.0+cpu`, or a line `__version__ = '2.11.0+cu130'`.
    let line = text
        .lines()
        .find(|line| line.starts_with("__version__"))
        .unwrap_or(&text);
    let version = line.rsplit('=').next().unwrap_or(line).trim().trim_matches(['\'', '"']);
    Ok(version.split('+').next().unwrap_or(version).to_owned())
}

/// The name of what is installed.
fn variant(cuda: bool) -> &'static str {
    match cuda {
        true => "CPU and CUDA",
        false => "CPU",
    }
}

/// The content of the file `STAMP` of a complete installation.
fn stamp(machine: &Machine, cuda: bool) -> String {
    let contents = machine.requirements(cuda).map(|(_, content)| content);
    format!("{}\n{}", variant(cuda), contents.collect::<String>())
}

/// Whether a libtorch is installed with CUDA; `None` if none is that has what is wanted.
fn installed(home: &Path, machine: &Machine, cuda: bool) -> Option<bool> {
    let found = read(&home.join("STAMP")).ok()?;
    [cuda, true].into_iter().find(|&cuda| found == stamp(machine, cuda))
}

/// Waits until no other set-up of this repository is running. The lock ends with the returned file, even if killed.
fn lock(path: &Path) -> Result<File> {
    let file = File::create(path).with_context(|| format!("cannot create {}", path.display()))?;
    if file.try_lock().is_err() {
        println!("Another set-up is at work here; waiting for it to end …");
        file.lock().with_context(|| format!("cannot lock {}", path.display()))?;
    }
    Ok(file)
}

/// The same choice as torch-sys makes.
fn python() -> &'static str {
    match env::var_os("VIRTUAL_ENV") {
        Some(_) => "python",
        None => "python3",
    }
}

/// Downloads the wheels, checks their hashes and unpacks them into `folder`, all with pip.
fn fetch(repository: &Path, folder: &Path, machine: &Machine, cuda: bool) -> Result<()> {
    ensure!(
        succeeds(python(), &["-m", "pip", "--version"]),
        "there is no {} with pip, which the set-up uses to download libtorch.\nInstall it (Debian, Ubuntu: `apt install \
         python3-pip`).\n{ALTERNATIVES}",
        python()
    );
    let files = machine.requirements(cuda);
    let files = files.map(|(file, _)| repository.join("xtask").join(file));
    let mut pip = pip_unpack(python(), files, folder);
    pip.args(["--no-compile", "--no-cache-dir", "--no-input"]);
    pip.args(["--implementation", "cp", "--python-version", "3.11", "--abi", "cp311"]);
    for platform in machine.platforms {
        pip.args(["--platform", platform]);
    }
    // pip unpacks in TMPDIR before it moves everything to its target: with this folder the move is a rename, and only
    // the disk of the repository needs space. (`/tmp` is often small, or memory.)
    let scratch = folder.join("tmp");
    create(&scratch)?;
    pip.env("TMPDIR", &scratch);

    // pip's progress goes straight to the terminal; its error output passes through here to be explained.
    let mut process = pip.stderr(Stdio::piped()).spawn().context("cannot run pip")?;
    let mut complaints = String::new();
    if let Some(stderr) = process.stderr.take() {
        for line in BufReader::new(stderr).split(b'\n') {
            let line = line.context("cannot read pip's messages")?;
            let line = String::from_utf8_lossy(&line);
            eprintln!("{line}");
            complaints += &line;
            complaints.push('\n');
        }
    }
    let status = process.wait().context("cannot wait for pip")?;
    ensure!(
        status.success(),
        "pip could not fetch libtorch ({status}): {}",
        explain(&complaints)
    );
    Ok(())
}

/// Explains pip's errors, and what to do.
fn explain(complaints: &str) -> String {
    let has = |texts: &[&str]| texts.iter().any(|text| complaints.contains(text));
    if has(&["DO NOT MATCH THE HASHES"]) {
        "a downloaded file is not the one that was pinned (its SHA-256 differs).\nA proxy or mirror may have changed \
         it, or the download broke; do not use it. Try again, or from another network."
            .to_owned()
    } else if has(&["No space left on device", "Errno 28", "Disk quota exceeded"]) {
        "the disk of this repository is full. The CPU variant needs 1.8 GB free while it is fetched (0.6 GB afterwards), \
         CUDA 8 GB."
            .to_owned()
    } else if has(&[
        "Failed to establish a new connection",
        "Max retries exceeded",
        "Connection",
        "timed out",
        "Retrying",
    ]) {
        format!(
            "the package index cannot be reached. Check the network, or pip's settings (`pip config list`).\n{ALTERNATIVES}"
        )
    } else if has(&["No matching distribution"]) {
        format!("the package index that pip is set to use does not have this version of PyTorch.\n{ALTERNATIVES}")
    } else {
        format!("see its message above.\n{ALTERNATIVES}")
    }
}

/// Removes files that the build and the programs do not need, and adds those that `torch-sys` looks for.
fn arrange(folder: &Path, machine: &Machine, cuda: bool) -> Result<()> {
    for entry in entries(folder)? {
        let name = file_name(&entry);
        if name != "torch" && name != "nvidia" && !name.ends_with(".dist-info") {
            remove(&entry)?;
        }
    }
    let torch = folder.join("torch");
    for entry in entries(&torch)? {
        if !matches!(file_name(&entry).as_str(), "include" | "lib") {
            remove(&entry)?;
        }
    }
    keep_libraries(&torch.join("lib"), machine, cuda)?;
    // Only a wheel for Linux names libraries of NVIDIA.
    if folder.join("nvidia").exists() {
        keep_libraries(&folder.join("nvidia"), machine, cuda)?;
    }

    // torch-sys links `torch`; everything that it needs is in the CPU half. Nothing may link the CUDA half, or a
    // program could not start without it: a program that finds it at run time opens it then.
    if machine.has_linker_script {
        write(&torch.join("lib/libtorch.so"), "INPUT ( -ltorch_cpu )\n")?;
    }
    write(&torch.join("build-version"), &format!("{VERSION}\n"))?;
    write(&folder.join("STAMP"), &stamp(machine, cuda))
}

/// Removes all libraries that the variant does not keep, in a folder and its subfolders.
fn keep_libraries(folder: &Path, machine: &Machine, cuda: bool) -> Result<()> {
    for entry in entries(folder)? {
        if entry.is_dir() {
            keep_libraries(&entry, machine, cuda)?;
        } else if !machine.keeps(&file_name(&entry), cuda) {
            remove(&entry)?;
        }
    }
    Ok(())
}

/// Moves the complete `part` to `home`.
fn replace(part: &Path, home: &Path) -> Result<()> {
    let old = home.with_extension("old");
    remove(&old)?;
    if home.exists() {
        fs::rename(home, &old).with_context(|| format!("cannot move {} away", home.display()))?;
    }
    fs::rename(part, home).with_context(|| format!("cannot rename {} to {}", part.display(), home.display()))?;
    remove(&old)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    // Tests may panic.
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let folder = env::temp_dir().join(format!("chase-setup-{name}-{}", std::process::id()));
        remove(&folder).unwrap();
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn linux() -> Machine {
        Machine::of("linux", "x86_64").unwrap()
    }

    #[test]
    fn only_a_complete_and_current_installation_counts() {
        let home = scratch("stamp");
        assert!(installed(&home, &linux(), false).is_none());
        write(&home.join("STAMP"), "CPU\ntorch==2.10.0\n").unwrap();
        assert!(installed(&home, &linux(), false).is_none());
        write(&home.join("STAMP"), &stamp(&linux(), false)).unwrap();
        assert!(installed(&home, &linux(), false) == Some(false));
        assert!(
            installed(&home, &linux(), true).is_none(),
            "the CPU variant cannot serve a GPU"
        );
        write(&home.join("STAMP"), &stamp(&linux(), true)).unwrap();
        assert!(
            installed(&home, &linux(), false) == Some(true),
            "the CUDA variant holds the CPU one"
        );
        remove(&home).unwrap();
    }

    #[test]
    fn arranging_keeps_what_the_build_needs_and_replaces_the_stub() {
        let part = scratch("arrange");
        for file in [
            "torch/lib/libtorch.so",
            "torch/lib/libtorch_cpu.so",
            "torch/lib/libtorch_cuda.so",
            "torch/lib/libc10.so",
            "torch/include/torch/torch.h",
            "torch/nn/modules.py",
            "nvidia/cu13/lib/libcudart.so.13",
            "nvidia/cu13/include/cuda.h",
            "functorch/x.py",
            "torch-2.11.0.dist-info/LICENSE",
        ] {
            fs::create_dir_all(part.join(file).parent().unwrap()).unwrap();
            write(&part.join(file), "wheel").unwrap();
        }
        arrange(&part, &linux(), false).unwrap();
        let is = |file: &str| part.join(file).exists();
        assert!(is("torch/lib/libtorch_cpu.so") && is("torch/lib/libc10.so") && is("torch/include/torch/torch.h"));
        assert!(is("nvidia/cu13/lib/libcudart.so.13") && is("torch-2.11.0.dist-info/LICENSE"));
        assert!(
            !is("torch/lib/libtorch_cuda.so")
                && !is("torch/nn")
                && !is("functorch")
                && !is("nvidia/cu13/include/cuda.h")
        );
        assert_eq!(
            fs::read_to_string(part.join("torch/lib/libtorch.so")).unwrap(),
            "INPUT ( -ltorch_cpu )\n"
        );
        assert_eq!(libtorch_version(&part.join("torch")).unwrap(), VERSION);

        let home = part.with_extension("home");
        fs::create_dir_all(home.join("stale")).unwrap();
        replace(&part, &home).unwrap();
        assert!(installed(&home, &linux(), false).is_some() && !home.join("stale").exists() && !part.exists());
        remove(&home).unwrap();
    }
}
