//! The repository's crates and their files, as the root manifest names them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use toml::Table;

/// A crate of the workspace.
pub(crate) struct Package {
    /// Relative to the repository; empty for the package at its root.
    pub(crate) folder: PathBuf,
    pub(crate) name: String,
    /// Its dependencies on any system, without those of its tests alone.
    pub(crate) dependencies: BTreeSet<String>,
}

impl Package {
    fn read(folder: &str) -> Self {
        let manifest = manifest(folder);
        let mut dependencies = BTreeSet::new();
        let targets = manifest.get("target").and_then(|targets| targets.as_table());
        let targets = targets.into_iter().flat_map(|targets| targets.values());
        let tables = targets.filter_map(|target| target.as_table()).chain([&manifest]);
        for table in tables {
            if let Some(names) = table.get("dependencies") {
                dependencies.extend(names.as_table().unwrap().keys().cloned());
            }
        }
        Self {
            folder: folder.into(),
            name: manifest["package"]["name"].as_str().unwrap().to_owned(),
            dependencies,
        }
    }

    pub(crate) fn is_library(&self) -> bool {
        repository().join(&self.folder).join("src/lib.rs").is_file()
    }
}

pub(crate) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

fn manifest(folder: &str) -> Table {
    let path = repository().join(folder).join("Cargo.toml");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.parse().unwrap()
}

/// The package at the root, then the members in the order of the root manifest.
pub(crate) fn packages() -> Vec<Package> {
    let root = manifest("");
    let members = root["workspace"]["members"].as_array().unwrap();
    let members = members.iter().map(|member| member.as_str().unwrap());
    [""].into_iter().chain(members).map(Package::read).collect()
}

/// The lock files of the program, the Python package and the fuzz targets.
pub(crate) fn lock_files() -> [(&'static str, Table); 3] {
    ["Cargo.lock", "python/Cargo.lock", "engine/fuzz/Cargo.lock"].map(|file| {
        let text = fs::read_to_string(repository().join(file)).unwrap();
        (file, text.parse().unwrap())
    })
}

/// Dependencies of each package of `Cargo.lock` and its tests, by name; several versions of a package count as one.
pub(crate) fn locked_dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let [(_, lock), ..] = lock_files();
    let mut found = BTreeMap::<_, BTreeSet<String>>::new();
    for package in lock["package"].as_array().unwrap() {
        let dependencies = package.get("dependencies").and_then(|names| names.as_array());
        // A version follows the name where there are several.
        let names = dependencies.into_iter().flatten().map(|name| name.as_str().unwrap());
        let names = names.map(|name| name.split(' ').next().unwrap_or(name).to_owned());
        let name = package["name"].as_str().unwrap().to_owned();
        found.entry(name).or_default().extend(names);
    }
    found
}

/// Every file under the crates' folders of sources, tests and benchmarks, with its text; paths are relative to the
/// repository.
pub(crate) fn sources() -> Vec<(PathBuf, String)> {
    let mut folders: Vec<PathBuf> = packages()
        .iter()
        .flat_map(|package| ["src", "tests", "benches", "examples"].map(|kind| package.folder.join(kind)))
        .map(|folder| repository().join(folder))
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
    assert!(files.len() > 100, "found {} sources only", files.len());
    files
}
