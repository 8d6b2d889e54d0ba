//! `docs/src/reference/run-directory.md` names every file, column and metric of a run.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{chase, home, names};

const PAGE: &str = include_str!("../../docs/src/reference/run-directory.md");

/// All files below a folder, relative to it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = PathBuf::from(path.file_name().unwrap());
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|file| name.join(file)));
        } else {
            found.push(name);
        }
    }
    found
}

/// Whether the page names a file, or the folder that it is in where its files are described together.
fn is_described(file: &Path) -> bool {
    let text = file.to_str().unwrap();
    let first = text.split('/').next().unwrap();
    match first {
        "tb" | "openings" => PAGE.contains(&format!("| `{first}/` |")),
        "checkpoints" | "games" | "evaluations" => {
            let name = file.file_name().unwrap().to_str().unwrap();
            let kind = if first == "games" {
                name.split('-').next().unwrap()
            } else {
                name
            };
            PAGE.contains(&format!("`{first}/gen-")) && (first == "evaluations" || PAGE.contains(kind))
        }
        _ => PAGE.contains(&format!("`{text}`")),
    }
}

#[test]
fn every_file_and_metric_of_a_run_is_on_the_page() {
    let home = home("files");
    let settings = "rules = { max_turns = 4 }\nselfplay = { games = 2, group_games = 1, in_flight = 1, random_opening_share = 0.5 }\n\
                    search = { simulations = 2, fast_simulations = 1 }\nlearner = { batch = 8 }\nlimits = { generations = 1 }\n\
                    network = { auxiliary = { occupancy = true, plies_left = true, dice_difference = true } }\n\
                    measurement = { every = 1, games = 2 }\n\
                    evaluation = { every = 1, games = 2, simulations = 1, opponents = ['random', 'greedy'] }";
    fs::write(home.join("tiny.toml"), settings).unwrap();
    chase(&home, &["train", "-q", "tiny.toml", "--run-dir", "run"]);
    let run = home.join("run");
    let missing: Vec<PathBuf> = files(&run).into_iter().filter(|file| !is_described(file)).collect();
    assert!(
        missing.is_empty(),
        "docs/src/reference/run-directory.md does not name {missing:?}"
    );

    let known: BTreeSet<&str> = names(PAGE).into_iter().collect();
    let mut found = BTreeSet::new();
    for line in fs::read_to_string(run.join("metrics.jsonl")).unwrap().lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        found.extend(record.as_object().unwrap().keys().cloned());
    }
    assert!(found.len() > 30, "{found:?}");
    let unknown: Vec<&String> = found
        .iter()
        .filter(|name| {
            !known.contains(
                name.replace("/random", "/<baseline>")
                    .replace("/greedy", "/<baseline>")
                    .as_str(),
            )
        })
        .filter(|name| !known.contains(name.as_str()))
        .collect();
    assert!(
        unknown.is_empty(),
        "docs/src/reference/run-directory.md does not name {unknown:?}"
    );

    let openings = fs::read_to_string(run.join("openings/gen-000001-measurement.csv")).unwrap();
    let columns = openings.lines().next().unwrap().split(',');
    let unknown: Vec<&str> = columns.filter(|column| !known.contains(column)).collect();
    assert!(
        unknown.is_empty(),
        "docs/src/reference/run-directory.md does not name {unknown:?}"
    );
}
