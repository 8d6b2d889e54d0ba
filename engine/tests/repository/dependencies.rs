//! Which crates build and pass their tests without libtorch, by `Cargo.lock`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use toml::Table;

use crate::repository;

const WITHOUT_LIBTORCH: [&str; 5] = [
    "xtask",
    "chase-engine",
    "chase-nnue",
    "chase-statistics",
    "chase-report",
];

/// Dependencies of each package and its tests, by name; several versions of a package count as one.
fn locked_dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let text = fs::read_to_string(repository().join("Cargo.lock")).unwrap();
    let lock: Table = text.parse().unwrap();
    let mut found = BTreeMap::<_, BTreeSet<String>>::new();
    for package in lock["package"].as_array().unwrap() {
        let names = package.get("dependencies").and_then(|names| names.as_array());
        // A version follows the name where there are several.
        let first_word = |name: &toml::Value| name.as_str()?.split(' ').next().map(str::to_owned);
        let names = names.into_iter().flatten().filter_map(first_word);
        let name = package["name"].as_str().unwrap().to_owned();
        found.entry(name).or_default().extend(names);
    }
    found
}

#[test]
fn rules_numbers_and_pages_need_no_libtorch() {
    let locked = locked_dependencies();
    let all_of = |name: &str| {
        let (mut found, mut open) = (BTreeSet::new(), vec![name.to_owned()]);
        while let Some(next) = open.pop() {
            if found.insert(next.clone()) {
                open.extend(locked[&next].iter().cloned());
            }
        }
        found
    };
    for name in WITHOUT_LIBTORCH {
        let found = all_of(name);
        assert!(
            !found.contains("torch-sys"),
            "{name} needs libtorch, by one of {found:?}"
        );
    }
    assert!(all_of("chase-arena").contains("torch-sys"), "no package is found");
}
