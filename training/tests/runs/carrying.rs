//! Games that go on in the next generation.

use std::fs;
use std::path::{Path, PathBuf};

use chase_engine::ConnectFour;
use chase_training::events::{Ended, Event};
use chase_training::replay::unfinished;

use crate::{create, create_and_stop, resume};

/// The files of unfinished games of a generation.
fn left(run: &Path, generation: u64) -> Vec<PathBuf> {
    let entries = fs::read_dir(run.join(format!("games/gen-{generation:06}"))).unwrap();
    let files = entries.map(|entry| entry.unwrap().path());
    let mut left: Vec<_> = files
        .filter(|file| file.to_string_lossy().ends_with(".unfinished"))
        .collect();
    left.sort();
    left
}

#[test]
fn a_run_keeps_what_the_next_generation_needs() {
    let directory = tempfile::tempdir().unwrap();
    let run = directory.path();
    create(run, &[]).0.unwrap();
    // Four groups. The games that the first generation has left are finished.
    assert_eq!([1, 2, 3].map(|generation| left(run, generation).len()), [0, 4, 4]);
    // Some game of the first group has more than a few plies when the generation ends.
    let games = unfinished::read::<ConnectFour>(&run.join("games"), &(), 3, 0).unwrap();
    assert!(games.iter().any(|game| game.plies.len() > 4) && games.len() <= 3);
}

#[test]
fn damaged_and_missing_files_are_errors_that_name_them() {
    let directory = tempfile::tempdir().unwrap();
    let run = directory.path();
    create_and_stop(run, &[], |event| matches!(event, Event::Learning { generation: 2, .. }));
    let damaged = &left(run, 1)[0];
    let content = fs::read(damaged).unwrap();
    fs::write(damaged, &content[..content.len() / 2]).unwrap();
    // The games that needed it are there already.
    assert_eq!(resume(run, &["limits.generations=2"]).0.unwrap(), Ended::Generations);
    let damaged = &left(run, 2)[0];
    let whole = fs::read(damaged).unwrap();
    fs::write(damaged, &whole[..whole.len() / 2]).unwrap();
    let refused = || resume(run, &["limits.generations=3"]).0.unwrap_err().to_string();
    let name = damaged.file_name().unwrap().to_str().unwrap();
    let told = refused();
    assert!(
        told.contains(name) && told.contains("is damaged: its SHA-256 begins with"),
        "{told}"
    );
    // So is the loss of whole files, as of names with another extension by a copy.
    fs::remove_file(damaged).unwrap();
    let told = refused();
    assert!(
        told.ends_with("gen-000002: 3 of 4 files of unfinished games are there; put the others back from a copy"),
        "{told}"
    );
    fs::write(damaged, whole).unwrap();
    assert_eq!(resume(run, &["limits.generations=3"]).0.unwrap(), Ended::Generations);
}
