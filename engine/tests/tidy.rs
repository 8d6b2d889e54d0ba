//! What a compiler does not check about the sources: which way dependencies point, and what must not be in a file.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The repository's crates, each allowed to depend on those before it.
const FLOORS: [(&str, &str); 5] = [
    ("engine", "chase-engine"),
    ("models", "chase-models"),
    ("training", "chase-training"),
    ("experiments", "chase-experiments"),
    (".", "chase"),
];
/// All that the rules and the search need: no libtorch, no serialisation, no thread pool, nothing to read or write. `sha2`
/// is for `seed`, the one place that derives generators: a digest, since seeds must stay the same in every release.
const ENGINE_NEEDS: [&str; 5] = ["arrayvec", "rand", "rand_distr", "sha2", "thiserror"];
/// A longer file is more than one concept.
const LONGEST_FILE: usize = 600;

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The names in `[dependencies]` of a manifest; not those in `[dev-dependencies]`.
fn dependencies(folder: &str) -> BTreeSet<String> {
    let manifest = fs::read_to_string(repository().join(folder).join("Cargo.toml")).unwrap();
    let sections = manifest.lines().skip_while(|line| *line != "[dependencies]").skip(1);
    let section = sections.take_while(|line| !line.starts_with('['));
    let names = section.filter_map(|line| line.split(['.', ' ', '=']).next());
    let names = names.filter(|name| !name.is_empty() && !name.starts_with('#'));
    names.map(str::to_owned).collect()
}

/// Every file under the crates' folders of sources, tests and benchmarks.
fn sources() -> Vec<(PathBuf, String)> {
    let mut folders: Vec<PathBuf> = ["engine", "models", "training", "experiments", "xtask", ""]
        .iter()
        .flat_map(|folder| ["src", "tests", "benches", "examples"].map(|kind| repository().join(folder).join(kind)))
        .filter(|folder| folder.is_dir())
        .collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                files.push((path.strip_prefix(repository()).unwrap().to_owned(), text));
            }
        }
    }
    files.sort();
    files
}

/// Fails with every line, of the sources that `applies` to, that contains one of the words.
fn check_lines(words: &[String], applies: impl Fn(&Path) -> bool) {
    let files = sources();
    assert!(files.len() > 100, "found {} sources only", files.len());
    let mut faults = Vec::new();
    for (path, text) in files.iter().filter(|(path, _)| applies(path)) {
        for (number, line) in text.lines().enumerate() {
            if let Some(word) = words.iter().find(|word| line.contains(*word)) {
                faults.push(format!("{}:{}: `{word}`", path.display(), number + 1));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_engine_needs_no_libtorch_and_nothing_else_that_is_large() {
    let expected: BTreeSet<String> = ENGINE_NEEDS.map(str::to_owned).into();
    assert_eq!(dependencies("engine"), expected);
}

#[test]
fn dependencies_between_crates_point_one_way() {
    for (floor, (folder, name)) in FLOORS.iter().enumerate() {
        let ours = dependencies(folder);
        let ours: BTreeSet<&str> = ours
            .iter()
            .map(String::as_str)
            .filter(|name| name.starts_with("chase"))
            .collect();
        let below: BTreeSet<&str> = FLOORS[..floor].iter().map(|(_, name)| *name).collect();
        assert!(
            ours.is_subset(&below),
            "{name} depends on {ours:?}, expected only {below:?}"
        );
        assert_eq!(ours.contains("chase-engine"), floor > 0, "{name}");
    }
    // It must build before libtorch is there.
    assert!(dependencies("xtask").iter().all(|name| !name.starts_with("chase")));
}

#[test]
fn nothing_is_left_for_later() {
    // Joined here, so that this file passes.
    check_lines(
        &[
            ["TO", "DO"].concat(),
            ["FIX", "ME"].concat(),
            ["unimpl", "emented!"].concat(),
        ],
        |_| true,
    );
}

#[test]
fn no_file_names_a_place_on_one_machine() {
    let folders = ["home", "root", "work", "mnt", "Users"];
    check_lines(&folders.map(|folder| ["/", folder, "/"].concat()), |_| true);
}

#[test]
fn libraries_print_nothing() {
    let library = |path: &Path| {
        FLOORS[..4]
            .iter()
            .any(|(folder, _)| path.starts_with(Path::new(folder).join("src")))
    };
    check_lines(&["print_stdout".to_owned(), "print_stderr".to_owned()], library);
}

#[test]
fn files_are_short() {
    for (path, text) in sources() {
        let lines = text.lines().count();
        assert!(
            lines <= LONGEST_FILE,
            "{} has {lines} lines, expected {LONGEST_FILE} at most: is it more than one concept?",
            path.display()
        );
    }
}
