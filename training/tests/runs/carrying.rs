//! Runs whose games go on in the next generation.

use std::fs;
use std::path::{Path, PathBuf};

use chase_engine::ConnectFour;
use chase_training::events::{Ended, Event};
use chase_training::replay::unfinished;

use crate::branching::branch;
use crate::interruption::{kill_and_go_on, stop_and_go_on};
use crate::{assert_same, create, create_and_stop, resume};

const CARRY: &str = "selfplay.carry_over=true";

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
fn they_are_the_same_with_one_two_and_four_threads_and_keep_what_they_need() {
    let directory = tempfile::tempdir().unwrap();
    for threads in ["1", "2", "4"] {
        let (ended, notes) = create(&directory.path().join(threads), &[CARRY, &format!("threads={threads}")]);
        assert_eq!((ended.unwrap(), notes.warnings), (Ended::Generations, Vec::new()));
    }
    let run = directory.path().join("1");
    assert_same(&directory.path().join("2"), &run);
    assert_same(&directory.path().join("4"), &run);
    // Four groups. The games that the first generation has left are finished.
    assert_eq!([1, 2, 3].map(|generation| left(&run, generation).len()), [0, 4, 4]);
    let whole = directory.path().join("whole");
    create(&whole, &[]).0.unwrap();
    assert!(left(&whole, 3).is_empty());
    assert_ne!(chase_fixtures::essence(&whole), chase_fixtures::essence(&run));
    // Some game of the first group has more than a few plies when the generation ends.
    let games = unfinished::read::<ConnectFour>(&run.join("games"), &(), 3, 0, |text| panic!("{text}")).unwrap();
    assert!(games.iter().any(|game| game.plies.len() > 4) && games.len() <= 3);
}

#[test]
fn they_can_be_stopped_and_killed_anywhere() {
    stop_and_go_on(&[CARRY], &[1, 3, 8, 15, 30]);
    kill_and_go_on(CARRY);
}

#[test]
fn a_branch_can_begin_to_carry_games_over() {
    let directory = tempfile::tempdir().unwrap();
    let [whole, run] = ["whole", "run"].map(|name| directory.path().join(name));
    create(&whole, &["limits.generations=1"]).0.unwrap();
    assert_eq!(
        branch(&whole, &run, &[CARRY, "limits.generations=3"]).unwrap(),
        Ended::Generations
    );
    assert_eq!([1, 2, 3].map(|generation| left(&run, generation).len()), [0, 4, 4]);
}

#[test]
fn damaged_and_missing_games_are_told_and_others_begin() {
    let directory = tempfile::tempdir().unwrap();
    let run = directory.path();
    create_and_stop(run, &[CARRY], |event| {
        matches!(event, Event::Learning { generation: 2, .. })
    });
    let damaged = &left(run, 1)[0];
    let content = fs::read(damaged).unwrap();
    fs::write(damaged, &content[..content.len() / 2]).unwrap();
    // The games that needed it are there already.
    let (ended, notes) = resume(run, &["limits.generations=2"]);
    assert_eq!((ended.unwrap(), notes.warnings), (Ended::Generations, Vec::new()));
    let damaged = &left(run, 2)[0];
    fs::write(damaged, &content[..content.len() / 2]).unwrap();
    let (ended, notes) = resume(run, &["limits.generations=3"]);
    assert_eq!(ended.unwrap(), Ended::Generations);
    assert_eq!(notes.warnings.len(), 1, "{:?}", notes.warnings);
    assert!(
        notes.warnings[0].contains("others begin instead of its games"),
        "{:?}",
        notes.warnings
    );
    // So is the loss of whole files, as of names with another extension by a copy.
    for file in &left(run, 3)[1..] {
        fs::remove_file(file).unwrap();
    }
    let (ended, notes) = resume(run, &["limits.generations=4"]);
    assert_eq!(ended.unwrap(), Ended::Generations);
    let expected = "gen-000003: 3 of 4 files of unfinished games are missing; others begin instead of their games";
    assert!(
        matches!(&notes.warnings[..], [warning] if warning.ends_with(expected)),
        "{:?}",
        notes.warnings
    );
}
