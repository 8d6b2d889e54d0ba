//! Checks of the dependencies that each crate may have.

use std::collections::BTreeSet;

use crate::workspace::{locked_dependencies, packages};

/// The crates from the lowest to the highest, each with all those that it may depend on.
const FLOORS: [(&str, &[&str]); 17] = [
    // It must build before libtorch is there.
    ("xtask", &[]),
    // Programs are given it from outside.
    ("chase-faults", &[]),
    ("chase-engine", &[]),
    ("chase-models", &["chase-engine"]),
    ("chase-nnue", &["chase-engine"]),
    // Opponents, and judgements that agents may begin to learn from.
    ("chase-baselines", &["chase-engine"]),
    ("chase-training", &["chase-engine", "chase-models", "chase-baselines"]),
    (
        "chase-nnue-training",
        &[
            "chase-engine",
            "chase-models",
            "chase-nnue",
            "chase-baselines",
            "chase-training",
        ],
    ),
    ("chase-cluster", &["chase-engine", "chase-models", "chase-training"]),
    // Only tests may need it, which are not looked at here: no list names it.
    ("chase-fixtures", &["chase-engine", "chase-models"]),
    // Numbers and pages: they build and pass their tests without libtorch, as baselines do.
    ("chase-statistics", &["chase-engine"]),
    ("chase-report", &["chase-engine", "chase-statistics"]),
    (
        "chase-arena",
        &[
            "chase-engine",
            "chase-models",
            "chase-nnue",
            "chase-training",
            "chase-cluster",
            "chase-baselines",
            "chase-statistics",
            "chase-report",
        ],
    ),
    (
        "chase-opening-study",
        &[
            "chase-engine",
            "chase-models",
            "chase-nnue",
            "chase-training",
            "chase-cluster",
            "chase-baselines",
            "chase-statistics",
            "chase-report",
            "chase-arena",
        ],
    ),
    (
        "chase-opening-book",
        &[
            "chase-engine",
            "chase-models",
            "chase-training",
            "chase-statistics",
            "chase-report",
            "chase-arena",
        ],
    ),
    (
        "chase-balance",
        &[
            "chase-engine",
            "chase-models",
            "chase-training",
            "chase-cluster",
            "chase-statistics",
            "chase-report",
            "chase-arena",
        ],
    ),
    (
        "chase",
        &[
            "chase-engine",
            "chase-models",
            "chase-nnue",
            "chase-training",
            "chase-nnue-training",
            "chase-cluster",
            "chase-baselines",
            "chase-statistics",
            "chase-report",
            "chase-arena",
            "chase-opening-study",
            "chase-opening-book",
            "chase-balance",
        ],
    ),
];
/// Dependencies of the rules and the search: no libtorch, no serialisation, no thread pool, nothing to read or write.
const ENGINE_NEEDS: [&str; 5] = ["arrayvec", "rand", "rand_distr", "sha2", "thiserror"];

#[test]
fn the_engine_needs_no_libtorch_and_nothing_else_that_is_large() {
    let packages = packages();
    let engine = packages.iter().find(|package| package.name == "chase-engine").unwrap();
    assert_eq!(engine.dependencies, ENGINE_NEEDS.map(str::to_owned).into());
}

#[test]
fn rules_numbers_and_pages_are_far_from_libtorch() {
    let locked = locked_dependencies();
    let closure = |name: &str| {
        let (mut found, mut open) = (BTreeSet::new(), vec![name.to_owned()]);
        while let Some(next) = open.pop() {
            if found.insert(next.clone()) {
                open.extend(locked[&next].iter().cloned());
            }
        }
        found
    };
    // Those of their tests too: these build and run without it.
    for name in [
        "xtask",
        "chase-engine",
        "chase-nnue",
        "chase-baselines",
        "chase-statistics",
        "chase-report",
    ] {
        let found = closure(name);
        assert!(
            !found.contains("torch-sys"),
            "{name} needs libtorch, by one of {found:?}"
        );
    }
    assert!(
        closure("chase-arena").contains("torch-sys"),
        "this is what is looked for"
    );
}

#[test]
fn every_crate_has_its_floor() {
    let found: BTreeSet<String> = packages().into_iter().map(|package| package.name).collect();
    assert_eq!(found, FLOORS.map(|(name, _)| name.to_owned()).into());
}

#[test]
fn a_floor_stands_on_lower_ones() {
    for (floor, (name, allowed)) in FLOORS.iter().enumerate() {
        let lower: Vec<&str> = FLOORS[..floor].iter().map(|(name, _)| *name).collect();
        assert!(
            allowed.iter().all(|name| lower.contains(name)),
            "{name}: {allowed:?}, expected of {lower:?}"
        );
    }
}

#[test]
fn dependencies_between_crates_point_one_way() {
    let packages = packages();
    let mut arrows = 0;
    for (name, allowed) in FLOORS {
        let package = packages.iter().find(|package| package.name == name).unwrap();
        let known = |name: &&String| packages.iter().any(|package| package.name == **name);
        let ours: Vec<&str> = package.dependencies.iter().filter(known).map(String::as_str).collect();
        assert!(
            ours.iter().all(|name| allowed.contains(name)),
            "{name} depends on {ours:?}, expected only {allowed:?}"
        );
        arrows += ours.len();
    }
    assert!(arrows > FLOORS.len(), "found {arrows} dependencies only");
}
