//! Text that must not be in a file, and the length of files.

use std::path::Path;

use crate::workspace::{packages, sources};

/// A longer file is more than one concept.
const LONGEST_FILE: usize = 600;

/// Fails with every line, of the sources that `applies` to, that contains one of the words.
fn check_lines(words: &[String], applies: impl Fn(&Path) -> bool) {
    let mut faults = Vec::new();
    for (path, text) in sources().iter().filter(|(path, _)| applies(path)) {
        for (number, line) in text.lines().enumerate() {
            if let Some(word) = words.iter().find(|word| line.contains(*word)) {
                faults.push(format!("{}:{}: `{word}`", path.display(), number + 1));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
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
    let libraries = packages().into_iter().filter(|package| package.is_library());
    let folders: Vec<_> = libraries.map(|package| package.folder.join("src")).collect();
    assert!(folders.len() > 3, "found {folders:?} only");
    let words = ["print_stdout".to_owned(), "print_stderr".to_owned()];
    check_lines(&words, |path| folders.iter().any(|folder| path.starts_with(folder)));
}

/// The lint that forbids it everywhere can be lifted by anyone; a new place should be seen here.
#[test]
fn unsafe_code_is_in_known_places() {
    let places = [
        // An allocator that counts.
        "engine/tests/allocation.rs",
        // The request to the system to end an engine with this program.
        "experiments/arena/src/players/external/running.rs",
        // A library that tests put before the system's, to inject faults.
        "fixtures/faults/src/calls.rs",
        // The loading of CUDA's part of libtorch.
        "models/src/device.rs",
        // The copy of positions into memory that a GPU reads.
        "models/src/transfer.rs",
        // Vector instructions.
        "models/nnue/src/kernel.rs",
        "models/src/fused/kernel.rs",
        "models/src/fused/vector.rs",
    ];
    // Joined here, so that this file passes.
    let lint = ["unsafe", "_code,"].concat();
    let lifted: Vec<_> = sources().into_iter().filter(|(_, text)| text.contains(&lint)).collect();
    let found: Vec<_> = lifted.iter().map(|(path, _)| path.to_string_lossy()).collect();
    let mut places = places.to_vec();
    places.sort_unstable();
    // The Python package, which is a workspace of its own, has one more: arrays of numpy.
    assert_eq!(found, places);
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
