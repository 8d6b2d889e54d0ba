//! The tests that `docs/src/study/review.md` names are there.

use std::fs;
use std::path::Path;

use super::names;

const PAGE: &str = include_str!("../../docs/src/study/review.md");

/// The text of all Rust files below a folder.
fn sources(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            *text += &fs::read_to_string(&path).unwrap();
        }
    }
}

#[test]
fn every_test_on_the_page_of_objections_exists() {
    let mut text = String::new();
    for folder in ["experiments", "engine/tests", "tests/commands"] {
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut text);
    }
    let is_a_test =
        |name: &&str| name.matches('_').count() > 2 && name.chars().all(|letter| letter != '/' && letter != '.');
    let named: Vec<&str> = names(PAGE).into_iter().filter(is_a_test).collect();
    assert!(named.len() > 25, "{named:?}");
    let missing: Vec<&&str> = named
        .iter()
        .filter(|name| !text.contains(&format!("fn {name}(")))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
