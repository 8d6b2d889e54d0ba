//! Checks that files of a crate do not need each other in circles.
//!
//! A file needs those that define the names that it uses, through any re-export. A file that declares a module or
//! re-exports a name needs nothing for that, and unit tests may use what they like. A module's own file and the files
//! below it may share names: they are one subject.

mod graph;
mod made_up;
mod modules;
mod uses;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use graph::Graph;
use modules::Modules;
use uses::Uses;

use crate::workspace::{packages, sources};

fn graph(root: &Path, sources: &BTreeMap<PathBuf, String>) -> Graph {
    let modules = Modules::read(root, sources);
    let mut graph = Graph::default();
    for module in modules.ids() {
        Uses::add(&modules, module, &mut graph);
    }
    graph
}

/// True if a crate of its own begins in this file: a library, a program, or a test, a benchmark or an example.
fn is_root(file: &Path) -> bool {
    let folder = file.parent().unwrap();
    let is_of = |folder: &Path, names: &[&str]| names.iter().any(|name| folder.file_name() == Some(OsStr::new(name)));
    let programs = ["tests", "benches", "examples", "bin"];
    match file.file_name().and_then(OsStr::to_str) {
        _ if is_of(folder, &programs) => true,
        Some("main.rs") => is_of(folder, &["src"]) || is_of(folder.parent().unwrap(), &programs),
        Some("lib.rs") => is_of(folder, &["src"]),
        _ => false,
    }
}

#[test]
fn no_files_need_each_other() {
    let sources: BTreeMap<PathBuf, String> = sources().into_iter().collect();
    let roots: Vec<&Path> = sources
        .keys()
        .map(PathBuf::as_path)
        .filter(|file| is_root(file))
        .collect();
    for package in packages() {
        let folder = package.folder.join("src");
        assert!(roots.iter().any(|root| root.starts_with(&folder)), "{}", package.name);
    }
    let graphs: Vec<Graph> = roots
        .iter()
        .map(|root| graph(root, &sources).without_arrows_to_parents())
        .collect();
    let knots: Vec<String> = graphs
        .iter()
        .flat_map(Graph::knots)
        .map(|knot| knot.to_string())
        .collect();
    assert!(knots.is_empty(), "found circles\n{}", knots.join("\n"));
}
