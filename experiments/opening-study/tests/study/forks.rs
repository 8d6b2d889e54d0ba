//! Forks from the games of a study: what they say they are, the same on any number of threads and after any break.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use chase_arena::games::Replayed;
use chase_engine::chase::{Action, Position, Rules};
use chase_engine::{Chase, Game, Player};
use chase_fixtures::{assert_same_files, files, untrained};
use chase_models::device::{Device, parse};
use chase_opening_study::claims::{GamesStudy, run};
use chase_opening_study::evidence::forks::{Fork, ForkKind, ForkPlan, ForksConfig, Way};
use chase_opening_study::evidence::games::{Design, GamesConfig};
use chase_opening_study::evidence::{EvidenceError, Finished};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

fn device() -> Device {
    parse("cpu").unwrap()
}

/// A small study of an untrained network and of a baseline, which has no forks.
fn study(folder: &Path) -> GamesStudy {
    let network = folder.join("network");
    untrained(&network, 1);
    let player = format!("net:{},simulations=2,precision=f32", network.display());
    study_of(folder, &[&player, "greedy:blunders=0.5"])
}

fn study_of(folder: &Path, players: &[&str]) -> GamesStudy {
    let config = GamesConfig {
        players: players.iter().map(|text| text.parse().unwrap()).collect(),
        first_round: 1,
        most: 1,
        initial_factor: 2,
        replies: false,
        max_plies: 60,
        shard: 16,
        // Two forks a file.
        in_flight: 12,
        ..GamesConfig::default()
    };
    let stop = AtomicBool::new(false);
    let folder = folder.join("study");
    let design = Design::of(&folder, &config, 7, device()).unwrap();
    let mut study = run(&folder, design, device(), None, &stop, &|_| {}).unwrap();
    // Games from forks go on to their ends.
    study.design.config.max_plies = 1000;
    study
}

const CONFIG: ForksConfig = ForksConfig {
    positions: 2,
    playouts: 2,
};

fn gather(
    folder: &Path,
    study: &GamesStudy,
    config: &ForksConfig,
    on_event: &(dyn Fn(Finished, &AtomicBool) + Sync),
) -> Result<Vec<Fork>, EvidenceError> {
    let plan = ForkPlan {
        design: &study.design,
        config,
        device: device(),
    };
    let stop = AtomicBool::new(false);
    plan.gather(folder, &study.games.turns, None, &stop, &|event| on_event(event, &stop))
}

fn on_threads<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(run)
}

fn after(position: &Position, action: &str) -> (Action, Position) {
    let action = action.parse().unwrap();
    (action, position.play(action).unwrap())
}

/// Looks at a fork without what made it.
fn check(fork: &Fork, design: &Design) {
    let mut game = Chase::new(&Rules::default());
    let (played, prefix) = fork.turn.line.split_last().unwrap();
    let mut entered = false;
    for text in prefix {
        let before = *game.position();
        let action = game.parse_action(text).unwrap();
        game.apply(action);
        let ply = Replayed {
            ply: 0,
            before: &before,
            action,
            after: game.position(),
        };
        entered |= ply.enters_chamber();
    }
    let before = game.position();
    assert_eq!((before.to_string(), before.missing()), (fork.position.clone(), 0));
    let mover = before.to_move();
    assert_eq!(fork.dice, Player::BOTH.map(|player| before.dice(player).count() as u8));
    let [action, rival] = [&fork.action, &fork.rival].map(|choice| {
        let (action, after) = after(before, &choice.action);
        let ply = Replayed {
            ply: 0,
            before,
            action,
            after: &after,
        };
        let captured: Vec<u8> = ply.captured().collect();
        let gained = after.dice(mover).count() as i32 - before.dice(mover).count() as i32;
        assert!((0.0..=1.0).contains(&choice.score.unwrap()) && choice.among > 0);
        (action, ply.enters_chamber(), gained, captured, after)
    });
    assert_eq!(fork.control.is_some(), fork.turn.kind.has_control());
    if let Some(control) = &fork.control {
        let (action, after) = after(before, &control.action);
        let ply = Replayed {
            ply: 0,
            before,
            action,
            after: &after,
        };
        assert!(matches!(action, Action::Move { .. }) && !ply.enters_chamber() && ply.captured().next().is_none());
        assert!(control.action != fork.action.action && control.among <= fork.action.among);
    }
    let is_exchange = |action| matches!(action, Action::Exchange { .. });
    match fork.turn.kind {
        ForkKind::FirstEntry => assert!(!entered && action.1 && !rival.1),
        ForkKind::GainingEntry => assert!(action.1 && action.2 == 1 && action.3.is_empty()),
        ForkKind::SmallTakesLarge | ForkKind::LargeTakesSmall => assert_eq!(action.3.len(), 1),
        ForkKind::Clumping => assert!(is_exchange(action.0) && is_exchange(rival.0)),
        ForkKind::Quiet => assert!(!action.1 && action.3.is_empty() && matches!(action.0, Action::Move { .. })),
    }
    let went = after(before, played).1;
    let expected = if went == action.4 {
        Some(Way::Action)
    } else {
        (went == rival.4).then_some(Way::Rival)
    };
    assert_eq!(fork.went, expected);
    // Both games begin as they should, and are as many as there is chance for.
    let pairs = if fork.turn.ply() < design.config.temperature_plies as usize {
        2
    } else {
        1
    };
    assert_eq!(fork.playouts.len(), pairs);
    for playout in &fork.playouts {
        assert_eq!(playout.control.is_some(), fork.control.is_some());
        let choices = [&fork.action, &fork.rival].into_iter().chain(&fork.control);
        for (game, way) in playout.games().zip(choices) {
            let (opening, _) = game.actions.split_at(game.opening_plies as usize);
            assert_eq!(opening.split_last().unwrap(), (&way.action, prefix));
            assert_ne!(game.reason, "ply limit");
        }
    }
}

#[test]
fn forks_are_what_they_say_and_the_same_however_they_are_played() {
    let directory = tempfile::tempdir().unwrap();
    let study = study(directory.path());
    let [one, many, stopped, none] = ["one", "many", "stopped", "none"].map(|name| directory.path().join(name));
    let forks = on_threads(1, || gather(&one, &study, &CONFIG, &|_, _| {})).unwrap();
    on_threads(3, || gather(&many, &study, &CONFIG, &|_, _| {})).unwrap();
    assert_same_files(&files(&many), &files(&one));
    // Stopped after every file that is finished.
    let mut stops = 0;
    let again = loop {
        let stop_at_once = |event: Finished, stop: &AtomicBool| {
            if !event.stored {
                stop.store(true, Ordering::Relaxed);
            }
        };
        match on_threads(1, || gather(&stopped, &study, &CONFIG, &stop_at_once)) {
            Err(EvidenceError::Stopped) => stops += 1,
            result => break result.unwrap(),
        }
    };
    assert!(stops > 2, "{stops}");
    assert_same_files(&files(&stopped), &files(&one));
    assert_eq!(again, forks);

    let kinds: BTreeSet<ForkKind> = forks.iter().map(|fork| fork.turn.kind).collect();
    assert_eq!(kinds.len(), ForkKind::ALL.len(), "{kinds:?}");
    let places: BTreeSet<_> = forks.iter().map(|fork| (fork.turn.kind, fork.turn.game)).collect();
    // One fork a game and kind, and two of a kind.
    assert_eq!((forks.len(), places.len()), (12, 12));
    for fork in &forks {
        assert_eq!(fork.turn.player, 0);
        check(fork, &study.design);
    }
    assert!(forks.iter().any(|fork| fork.difference().is_some()));
    let table = fs::File::open(one.join("forks.parquet")).unwrap();
    let rows = ParquetRecordBatchReaderBuilder::try_new(table)
        .unwrap()
        .build()
        .unwrap();
    let rows: usize = rows.map(|batch| batch.unwrap().num_rows()).sum();
    assert_eq!(rows, forks.iter().map(|fork| fork.playouts.len()).sum::<usize>());

    // None are asked for, and nothing is there.
    let nothing = ForksConfig { positions: 0, ..CONFIG };
    assert_eq!(gather(&none, &study, &nothing, &|_, _| {}).unwrap(), []);
    assert!(!none.exists());

    // Whatever games there are later, what was drawn stays, and nothing is played again.
    let mut later = study.clone();
    // Half of the games of the network, whose come first.
    later.games.turns.truncate(study.games.turns.len() / 4);
    let (played, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let count = |event: Finished, _: &AtomicBool| {
        played.fetch_add(u64::from(!event.stored) * event.work, Ordering::Relaxed);
        done.fetch_max(event.done, Ordering::Relaxed);
        assert_eq!(event.planned, 12);
    };
    assert_eq!(gather(&one, &later, &CONFIG, &count).unwrap(), forks);
    assert_eq!((played.into_inner(), done.into_inner()), (0, 12));

    // Files that are not what they were.
    let told = || gather(&one, &study, &CONFIG, &|_, _| {}).unwrap_err().to_string();
    let folder = one.join("forks");
    let [first, second] = ["player-00-00000.jsonl", "player-00-00001.jsonl"].map(|name| folder.join(name));
    let content = fs::read_to_string(&first).unwrap();
    fs::copy(&second, &first).unwrap();
    assert!(
        told().contains("player-00-00000.jsonl is damaged: its forks are not the requested forks"),
        "{}",
        told()
    );
    let ended = |outcome: &str| format!("\"outcome\":\"{outcome}\"");
    let found = ["white", "black", "draw"]
        .map(ended)
        .into_iter()
        .find(|ended| content.contains(ended));
    let other = if content.contains(&ended("white")) {
        "black"
    } else {
        "white"
    };
    let swapped = content.replacen(&found.unwrap(), &ended(other), 1);
    fs::write(&first, swapped).unwrap();
    assert!(
        told().contains("player-00-00000.jsonl is damaged: line 1: recorded as")
            || told().contains("line 2: recorded as"),
        "{}",
        told()
    );
    fs::write(&first, content.replacen("\"went\"", "\"goes\"", 1)).unwrap();
    assert!(told().contains("unknown field `goes`"), "{}", told());
    fs::write(&first, content).unwrap();
    fs::write(folder.join("turns.jsonl"), "{}\n").unwrap();
    assert!(
        told().contains("turns.jsonl is damaged: line 1: missing field"),
        "{}",
        told()
    );
}

/// Agents with alpha-beta have a temperature of their own, and judge the choices of forks by their own searches.
#[test]
fn the_second_family_plays_games_that_differ_and_forks_that_are_the_same_on_any_number_of_threads() {
    let directory = tempfile::tempdir().unwrap();
    let study = study_of(
        directory.path(),
        &["nnue:nnue-57,nodes=30,temperature=0.5,temperature-plies=20"],
    );
    let lines: BTreeSet<_> = study.games.turns.iter().map(|game| format!("{:?}", game)).collect();
    assert!(
        lines.len() * 2 > study.games.turns.len(),
        "{} of {}",
        lines.len(),
        study.games.turns.len()
    );
    let [alone, three] = ["alone", "three"].map(|name| directory.path().join(name));
    let forks = on_threads(1, || gather(&alone, &study, &CONFIG, &|_, _| {})).unwrap();
    assert_eq!(
        on_threads(3, || gather(&three, &study, &CONFIG, &|_, _| {})).unwrap(),
        forks
    );
    assert_same_files(&files(&alone), &files(&three));
    assert!(forks.len() >= 8, "{}", forks.len());
    for fork in &forks {
        check(fork, &study.design);
        let with_chance = fork.turn.ply() < 20;
        assert_eq!(fork.playouts.len(), if with_chance { 2 } else { 1 });
    }
    // The rival is the best of all other actions, so that it is no worse than the control, which is one of them.
    for fork in &forks {
        let [rival, control] =
            [Some(&fork.rival), fork.control.as_ref()].map(|choice| choice.and_then(|choice| choice.score));
        assert!(
            control.is_none_or(|control| rival.is_some_and(|rival| rival >= control - 1e-9)),
            "{fork:?}"
        );
    }
}
