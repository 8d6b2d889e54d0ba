//! Runs without accidents.

use std::fs;
use std::sync::atomic::AtomicBool;

use chase_engine::ConnectFour;
use chase_models::checkpoint::Checkpoint;
use chase_training::events::{Ended, EvaluationRequest, EvaluationResult, Event, Observer};
use chase_training::kinds::residual::Residual;
use chase_training::openings::OpeningStatistics;
use chase_training::replay::window_rows;
use chase_training::training_loop::Training;

use crate::{assert_same, config, create, metric, resume};

#[test]
fn a_run_leaves_what_it_promises() {
    let directory = tempfile::tempdir().unwrap();
    let run = directory.path().join("run");
    let (ended, notes) = create(&run, &[]);
    assert_eq!(ended.unwrap(), Ended::Generations);
    assert_eq!(notes.warnings, [""; 0]);
    assert_eq!(notes.evaluated, [0, 2, 3]);
    let checkpoint = Checkpoint::<ConnectFour>::load(&run.join("checkpoints/gen-000003"), tch::Device::Cpu).unwrap();
    assert_eq!(checkpoint.manifest.progress.games, 60);
    assert_eq!(checkpoint.manifest.origin.parent.as_deref(), Some("gen-000002"));
    let state: serde_json::Value = serde_json::from_slice(&fs::read(run.join("state.json")).unwrap()).unwrap();
    // Each row is used three times, but for the rest that fills no batch.
    let wanted = state["rows"].as_u64().unwrap() * 3;
    let used = checkpoint.manifest.progress.steps * 32;
    assert!(used <= wanted && wanted - used < 32, "{used} of {wanted}");
    assert_eq!(state["samples"].as_u64(), Some(used));
    assert!(!run.join("checkpoints/gen-000001").exists());
    let openings: OpeningStatistics =
        serde_json::from_slice(&fs::read(run.join("openings/gen-000002-measurement.json")).unwrap()).unwrap();
    assert_eq!((openings.total.games, openings.model.as_str()), (8, "gen-000002"));
    let first: Vec<_> = openings.lines.iter().filter(|line| line.actions.len() == 1).collect();
    assert_eq!(first.len(), 7);
    assert!(first.iter().all(|line| line.prior.is_some() && line.visits.is_some()));
    let metrics = fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    for name in ["loss/total", "selfplay/first_player_score", "eval/score", "learner/lr"] {
        assert!(metrics.contains(name), "{name}");
    }
    for part in ["selfplay", "learner", "evaluation"] {
        assert!(fs::read_dir(run.join("tb").join(part)).unwrap().count() > 0);
    }
    let log = fs::read_to_string(run.join("log.txt")).unwrap();
    assert!(log.contains("ended: all generations are done"));
}

/// Events, in order.
#[derive(Default)]
struct Order(Vec<String>);

impl Observer<Residual<ConnectFour>> for Order {
    fn event(&mut self, event: &Event<'_>) {
        if let Event::Generation(summary) = event {
            self.0.push(format!("learned {}", summary.generation));
        }
    }

    fn evaluate(&mut self, generation: u64, _: &EvaluationRequest<'_, Residual<ConnectFour>>) -> EvaluationResult {
        self.0.push(format!("rated {generation}"));
        Ok(Vec::new())
    }
}

/// A short run would else spend its time on what it knew before.
#[test]
fn the_untrained_network_is_rated_with_the_first_trained_one() {
    let directory = tempfile::tempdir().unwrap();
    let order = |name: &str, changes: &[&str]| {
        let mut order = Order::default();
        let training = Training::create(&directory.path().join(name), config(changes), &mut order).unwrap();
        training.run(&mut order, &AtomicBool::new(false)).unwrap();
        order.0
    };
    let expected = ["learned 1", "learned 2", "rated 0", "rated 2", "learned 3", "rated 3"];
    assert_eq!(order("every second", &["evaluation.every=2"]), expected);
    let expected = ["learned 1", "rated 0", "rated 1"];
    let short = ["evaluation.every=9", "limits.generations=1"];
    assert_eq!(order("short", &short), expected);
}

#[test]
fn the_window_grows_with_the_rows_of_its_own_generation() {
    let directory = tempfile::tempdir().unwrap();
    let run = directory.path().join("run");
    // Nearly all that was played, so that each generation adds more rows than a game has.
    let growing = [
        "replay.window_rows=20",
        "replay.window_slope=0.9",
        "replay.window_exponent=1.0",
        "evaluation.every=0",
    ];
    create(&run, &growing).0.unwrap();
    let replay = config(&growing).replay;
    let rows = |name| metric(&run, name).into_iter().map(|rows| rows as u64);
    let windows: Vec<u64> = rows("replay/rows").collect();
    assert_eq!(windows.len(), 3);
    let mut played = 0;
    for (window, new) in windows.into_iter().zip(rows("replay/new_rows")) {
        played += new;
        // Games stay whole, so the oldest may reach beyond the window. None has more than 42 plies.
        let least = window_rows(&replay, played);
        assert!(
            new > 50 && (least..least + 42).contains(&window),
            "{window} rows of {played}, expected {least}"
        );
    }
}

#[test]
fn runs_are_the_same_with_one_two_and_four_threads() {
    let directory = tempfile::tempdir().unwrap();
    for threads in ["1", "2", "4"] {
        let (ended, _) = create(&directory.path().join(threads), &[&format!("threads={threads}")]);
        assert_eq!(ended.unwrap(), Ended::Generations);
    }
    assert_same(&directory.path().join("2"), &directory.path().join("1"));
    assert_same(&directory.path().join("4"), &directory.path().join("1"));
}

#[test]
fn measurements_may_have_groups_of_their_own() {
    let directory = tempfile::tempdir().unwrap();
    let shards = |group_games: &str, purpose: &str| {
        let run = directory.path().join(group_games);
        if !run.exists() {
            let group_games = format!("measurement.group_games={group_games}");
            create(&run, &["limits.generations=1", &group_games]).0.unwrap();
        }
        let files = fs::read_dir(run.join("games/gen-000001")).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let shards = names.filter(|name| name.starts_with(purpose) && name.ends_with(".parquet"));
        shards.count()
    };
    // Eight games are measured and twenty learned from, in groups of six unless told otherwise.
    for (group_games, expected) in [("0", 2), ("3", 3)] {
        assert_eq!(shards(group_games, "measurement"), expected);
        assert_eq!(shards(group_games, "selfplay"), 4);
    }
}

#[test]
fn a_finished_run_can_be_made_longer() {
    let directory = tempfile::tempdir().unwrap();
    let (long, short) = (directory.path().join("long"), directory.path().join("short"));
    // A rate that does not know the end of the run, so that the two may be compared.
    let flat = ["learner.drop_from=1.0", "measurement.every=1", "evaluation.every=1"];
    create(&long, &flat).0.unwrap();
    let with = |extra| [&flat[..], &[extra]].concat();
    create(&short, &with("limits.generations=2")).0.unwrap();
    let (ended, notes) = resume(&short, &["limits.generations=3"]);
    assert_eq!((ended.unwrap(), notes.evaluated), (Ended::Generations, vec![3]));
    assert_same(&short, &long);
}

#[test]
fn a_limit_of_memory_may_be_beyond_all_memory() {
    let directory = tempfile::tempdir().unwrap();
    // In bytes, each is 2^64.
    let limits = [
        "replay.max_mib=17592186044416",
        "search.tree_mib=17592186044416",
        "limits.generations=1",
    ];
    let (ended, notes) = create(directory.path(), &limits);
    assert_eq!((ended.unwrap(), notes.warnings), (Ended::Generations, Vec::new()));
    let generation = notes
        .events
        .iter()
        .find(|event| event.starts_with("generation 1: "))
        .unwrap();
    assert!(
        !generation.contains("window 0,") && generation.contains("loss"),
        "{generation}"
    );
}

#[test]
fn the_clock_ends_a_run_too() {
    let directory = tempfile::tempdir().unwrap();
    let (ended, notes) = create(
        &directory.path().join("run"),
        &["limits.generations=0", "limits.minutes=0.01"],
    );
    assert_eq!(ended.unwrap(), Ended::Minutes);
    assert!(notes.evaluated.len() >= 2, "{:?}", notes.evaluated);
}
