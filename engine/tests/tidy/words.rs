//! Words that `CONTRIBUTING.md` advises against, in what readers meet: pages, and the texts and doc comments of crates.

use std::path::Path;

use crate::markdown::{pages, prose};
use crate::workspace::sources;

/// In pages and in sources. The longer list, with what to write instead, is in `CONTRIBUTING.md`; here is what no
/// sentence needs.
const AVOIDED: [&str; 9] = [
    "nobody",
    "whoever",
    "somebody",
    "brings along",
    "clock on the wall",
    "by the clock",
    "one a line",
    "one a core",
    "one a thread",
];

/// The first avoided word in a line.
fn found(line: &str) -> Option<&'static str> {
    let line = line.to_lowercase();
    let is_end = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric() && letter != '_');
    let is_whole = |at: usize, word: &str| {
        is_end(line[..at].chars().next_back()) && is_end(line[at + word.len()..].chars().next())
    };
    AVOIDED
        .into_iter()
        .find(|word| line.match_indices(word).any(|(at, _)| is_whole(at, word)))
}

/// True for a line of a source that a reader may meet: a doc comment, or one with a text.
fn is_read(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("///") || line.starts_with("//!") || line.contains('"') || line.ends_with('\\')
}

fn faults<'a>(path: &Path, lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let fault = |line: &str| found(line).map(|word| format!("{}: `{word}` in: {}", path.display(), line.trim()));
    lines.filter_map(fault).collect()
}

#[test]
fn pages_are_without_words_that_readers_stumble_over() {
    let mut all = Vec::new();
    for (path, page) in pages() {
        // Reports of studies are records, and this page has the list.
        if !path.starts_with("experiments/studies") && path != Path::new("CONTRIBUTING.md") {
            all.extend(faults(&path, prose(&page)));
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn texts_of_crates_are_without_words_that_readers_stumble_over() {
    let mut all = Vec::new();
    for (path, text) in sources() {
        if path.components().any(|part| part.as_os_str() == "src") {
            let without_tests = text.split("#[cfg(test)]").next().unwrap_or_default();
            all.extend(faults(&path, without_tests.lines().filter(|line| is_read(line))));
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn avoided_words_are_found_as_whole_words() {
    for (line, word) in [
        ("Nobody waits.", Some("nobody")),
        ("0 for one a core", Some("one a core")),
        ("let nobody_waits = 1;", None),
        ("no one waits", None),
    ] {
        assert_eq!(found(line), word, "{line}");
    }
    assert!(is_read("    /// A doc comment.") && is_read("print(\"text\")") && !is_read("// why"));
}
