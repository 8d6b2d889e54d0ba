//! Runs whose games are played with the checkpoint before the newest one.

use std::fs;
use std::path::Path;

use chase_engine::ConnectFour;
use chase_training::config::Config;
use chase_training::events::{Ended, Event};
use chase_training::game_record::Purpose;
use chase_training::replay::shard;
use chase_training::training_loop::Training;

use crate::interruption::{kill_and_go_on, stop_and_go_on};
use crate::{Notes, assert_same, create, create_and_stop, resume};

const AHEAD: &str = "selfplay.ahead=1";

/// The self-play games of a generation, with everything that is stored of them.
fn games(run: &Path, generation: u64) -> Vec<String> {
    let games = run.join("games");
    let names = shard::of_generation(&games, generation, Purpose::Selfplay).unwrap();
    let read = |name: &String| shard::read::<ConnectFour>(&games, name, &()).unwrap().records;
    let records = names.iter().flat_map(read);
    records.map(|record| format!("{record:?}")).collect()
}

/// The checkpoints that have played the games of a generation.
fn players(run: &Path, generation: u64, purpose: Purpose) -> Vec<String> {
    let games = run.join("games");
    let names = shard::of_generation(&games, generation, purpose).unwrap();
    let model = |name: &String| shard::read::<ConnectFour>(&games, name, &()).unwrap().model;
    let mut models: Vec<String> = names.iter().map(model).collect();
    models.dedup();
    models
}

#[test]
fn games_are_played_with_the_checkpoint_before_the_newest() {
    let directory = tempfile::tempdir().unwrap();
    let [usual, run, other] = ["usual", "run", "other"].map(|name| directory.path().join(name));
    // So few are kept that the player is there for no other reason.
    let settings = [AHEAD, "limits.generations=4", "checkpoints.keep_last=1"];
    let (ended, notes) = create(&run, &settings);
    assert_eq!((ended.unwrap(), notes.warnings), (Ended::Generations, Vec::new()));
    for (generation, player) in [(1, 0), (2, 0), (3, 1), (4, 2)] {
        let player = format!("gen-{player:06}");
        assert_eq!(
            players(&run, generation, Purpose::Selfplay),
            std::slice::from_ref(&player)
        );
        let openings = run.join(format!("openings/gen-{generation:06}-selfplay.json"));
        let openings: serde_json::Value = serde_json::from_slice(&fs::read(openings).unwrap()).unwrap();
        assert_eq!(openings["model"], player);
    }
    assert_eq!(players(&run, 4, Purpose::Measurement), ["gen-000004"]);
    let mut kept: Vec<_> = fs::read_dir(run.join("checkpoints"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    kept.sort();
    assert_eq!(kept, ["gen-000003", "gen-000004"]);

    create(&other, &[&settings[..], &["threads=1"]].concat()).0.unwrap();
    assert_same(&other, &run);
    create(&usual, &settings[1..]).0.unwrap();
    assert_eq!(games(&usual, 1), games(&run, 1));
    assert_ne!(games(&usual, 2), games(&run, 2));
}

#[test]
fn a_run_that_plays_ahead_may_be_stopped_and_killed_at_any_time() {
    stop_and_go_on(&[AHEAD], &[3, 12, 30]);
    kill_and_go_on("selfplay.ahead=1 checkpoints.keep_last=1 evaluation.every=0");
}

#[test]
fn a_run_that_has_ended_goes_on_as_if_its_limit_had_been_higher() {
    let directory = tempfile::tempdir().unwrap();
    let [straight, longer] = ["straight", "longer"].map(|name| directory.path().join(name));
    // Nothing but the limit is to change what is learned and measured.
    let settings = [
        AHEAD,
        "learner.drop_from=1.0",
        "measurement.every=0",
        "evaluation.every=0",
        "checkpoints.keep_last=1",
    ];
    create(&straight, &[&settings[..], &["limits.generations=4"]].concat())
        .0
        .unwrap();
    create(&longer, &settings).0.unwrap();
    let (ended, notes) = resume(&longer, &["limits.generations=4"]);
    assert_eq!((ended.unwrap(), notes.warnings), (Ended::Generations, Vec::new()));
    assert_same(&longer, &straight);
    let text = fs::read_to_string(longer.join("config.toml")).unwrap();
    let changed = Config::resume(("config.toml", &text), &["selfplay.ahead=0".into()]).unwrap_err();
    assert!(
        changed.to_string().contains("a run cannot change selfplay"),
        "{changed}"
    );
}

#[test]
fn a_branch_has_the_player_of_its_next_games_or_does_not_begin() {
    let directory = tempfile::tempdir().unwrap();
    let [straight, trunk, leaf, none] = ["straight", "trunk", "leaf", "none"].map(|name| directory.path().join(name));
    let settings = [AHEAD, "checkpoints.keep_last=1"];
    let in_the_third = |event: &Event<'_>| matches!(event, Event::Learning { generation: 3, .. });
    create(&straight, &settings).0.unwrap();
    create_and_stop(&trunk, &settings, in_the_third);
    let branch = |trunk: &Path, leaf: &Path, setting: &str| {
        let mut notes = Notes::default();
        let text = fs::read_to_string(trunk.join("config.toml")).unwrap();
        let config = Config::branch(("config.toml", &text), &[setting.into()]).unwrap();
        let training = Training::branch(trunk, leaf, config, &mut notes)?;
        training.run(&mut notes, &false.into())
    };
    assert_eq!(branch(&trunk, &leaf, AHEAD).unwrap(), Ended::Generations);
    assert_same(&leaf, &straight);

    let usual = directory.path().join("usual");
    create_and_stop(&usual, &settings[1..], in_the_third);
    let error = branch(&usual, &none, AHEAD).unwrap_err().to_string();
    assert!(error.contains("usual has not kept gen-000001"), "{error}");
    assert!(!none.exists());
    assert_eq!(branch(&usual, &none, "selfplay.ahead=0").unwrap(), Ended::Generations);
}
