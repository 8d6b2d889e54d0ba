//! Runs of an efficiently updatable network: what they learn, and that they are the same however they are played and
//! interrupted.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use chase_engine::{Chase, Chess, Game, Playable};
use chase_nnue::{LOGIT, Network, StoredNetwork};
use chase_training::events::{Ended, EvaluationRequest, EvaluationResult, Event, Observer, Summary};
use chase_training::game_record::Purpose;
use chase_training::kinds::nnue::Nnue;
use chase_training::kinds::nnue::config::Config;
use chase_training::kinds::nnue::learner::Learner;
use chase_training::kinds::nnue::rows::Rows;
use chase_training::openings::OpeningStatistics;
use chase_training::replay::shard;
use chase_training::settings::{Change, Setting, Settings};
use chase_training::store::run_state::RunState;
use chase_training::training_loop::Training;
use rand::RngExt;

/// Short games and a narrow network, so that a generation takes a second.
const TINY: &str = "
    kind = 'nnue'
    seed = 5
    rules = { max_turns = 12 }
    network = { width = 32 }
    selfplay = { games = 6, group_games = 2, nodes = 60, random_opening_share = 1.0 }
    replay = { window_rows = 150, validation_share = 0.3 }
    learner = { batch = 32, rows = 640, warmup_steps = 5 }
    checkpoints = { keep_last = 1, keep_every = 1 }
    limits = { generations = 3 }
";

fn config(settings: &[&str]) -> Config {
    let settings = Setting::list(settings);
    Config::load(Some(("tiny.toml", TINY)), &settings).unwrap()
}

type Run = Training<Nnue<Chase>>;

/// Passes events on, and has the networks of these generations say that they are evaluated.
struct Watch<F>(F, Vec<u64>);

impl<G: Playable, F: FnMut(&Event<'_>)> Observer<Nnue<G>> for Watch<F> {
    fn event(&mut self, event: &Event<'_>) {
        (self.0)(event);
    }

    fn evaluate(&mut self, generation: u64, request: &EvaluationRequest<'_, Nnue<G>>) -> EvaluationResult {
        // Of this network, not of another.
        let stored = StoredNetwork::read(request.checkpoint)?;
        assert_eq!(*request.player, Network::quantise(&stored.weights)?);
        self.1.push(generation);
        Ok(vec![("eval/elo".to_owned(), generation as f64)])
    }
}

const fn watch<F: FnMut(&Event<'_>)>(observe: F) -> Watch<F> {
    Watch(observe, Vec::new())
}

fn run(directory: &Path, config: Config) -> Vec<Summary> {
    run_of::<Chase>(directory, config)
}

fn run_of<G: Playable>(directory: &Path, config: Config) -> Vec<Summary> {
    let mut summaries = Vec::new();
    let mut observer = watch(|event| match event {
        Event::Generation(summary) => summaries.push((*summary).clone()),
        Event::Warning(text) => panic!("{text}"),
        _ => {}
    });
    let run = Training::<Nnue<G>>::create(directory, config, &mut observer).unwrap();
    assert_eq!(
        run.run(&mut observer, &AtomicBool::new(false)).unwrap(),
        Ended::Generations
    );
    summaries
}

/// The settings of a run, changed.
fn changed(directory: &Path, settings: &[&str], change: Change) -> Config {
    let file = directory.join("config.toml");
    let text = fs::read_to_string(&file).unwrap();
    Config::changed((&file.to_string_lossy(), &text), &Setting::list(settings), change).unwrap()
}

/// A measurement of a network after a generation.
fn figure(summary: &Summary, name: &str) -> f64 {
    let found = summary.figures.iter().find(|(known, _)| *known == name);
    found.unwrap_or_else(|| panic!("no {name} in {summary:?}")).1
}

/// Every file of the checkpoints, every shard, and the statistics of openings.
fn content(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for folder in ["checkpoints", "games"] {
        for generation in fs::read_dir(directory.join(folder)).unwrap() {
            for file in fs::read_dir(generation.unwrap().path()).unwrap() {
                let path = file.unwrap().path();
                found.insert(
                    path.strip_prefix(directory).unwrap().to_owned(),
                    fs::read(&path).unwrap(),
                );
            }
        }
    }
    for entry in fs::read_dir(directory.join("openings")).unwrap() {
        let path = entry.unwrap().path();
        found.insert(
            path.strip_prefix(directory).unwrap().to_owned(),
            fs::read(&path).unwrap(),
        );
    }
    // Four checkpoints of three files, three generations of three shards, and two statistics of each.
    assert!(found.len() >= 3 * 4 + 3 * 3 + 2 * 3, "{:?}", found.keys());
    found
}

#[test]
fn a_run_is_the_same_on_two_threads_and_after_interruptions() {
    is_the_same_on_two_threads_and_after_interruptions::<Chase>("chase");
}

#[test]
fn a_run_of_another_game_is_the_same_on_two_threads_and_after_interruptions() {
    is_the_same_on_two_threads_and_after_interruptions::<Chess>("chess-cyl");
}

fn is_the_same_on_two_threads_and_after_interruptions<G: Playable>(game: &str) {
    let game = format!("game={game}");
    let config = |threads: &str| config(&[&game, threads]);
    let directory = tempfile::tempdir().unwrap();
    let place = |name: &str| directory.path().join(name);
    let summaries = run_of::<G>(&place("one"), config("threads=1"));
    assert_eq!(summaries.len(), 3);
    assert!(
        summaries
            .iter()
            .all(|summary| summary.random_openings.games == 6 && summary.losses.value.is_finite())
    );
    run_of::<G>(&place("two"), config("threads=2"));
    let whole = content(&place("one"));
    // The configuration's hash, which is in the networks, differs by the number of threads only.
    let networks = |content: &BTreeMap<PathBuf, Vec<u8>>| -> Vec<(PathBuf, Vec<u8>)> {
        let other = |path: &Path| {
            path.file_name()
                .is_some_and(|name| name != "nnue.safetensors" && name != "manifest.json")
        };
        let kept = content.iter().filter(|(path, _)| other(path));
        kept.map(|(path, bytes)| (path.clone(), bytes.clone())).collect()
    };
    assert_eq!(networks(&content(&place("two"))), networks(&whole));
    let weights = |run: &str| {
        StoredNetwork::read(&place(run).join("checkpoints/gen-000003"))
            .unwrap()
            .weights
    };
    assert_eq!(weights("one"), weights("two"));

    // Stopped again and again: among the games, between steps of the learner, and between generations.
    let path = place("often");
    let mut resumed = false;
    for round in 0..40 {
        let stop = AtomicBool::new(false);
        let events = Cell::new(0);
        let mut observer = watch(|event| {
            if let Event::Warning(text) = event {
                panic!("{text}");
            }
            // How often it tells of games depends on the machine.
            if !matches!(event, Event::Playing { .. }) {
                events.set(events.get() + 1);
            }
            if events.get() > 3 + round * 7 % 60 {
                stop.store(true, Ordering::Relaxed);
            }
        });
        let begun = match resumed {
            false => Training::<Nnue<G>>::create(&path, config("threads=1"), &mut observer),
            true => Training::<Nnue<G>>::resume(&path, changed(&path, &[], Change::Resume), &mut observer),
        };
        resumed = true;
        if begun.unwrap().run(&mut observer, &stop).unwrap() == Ended::Generations {
            assert!(round > 3, "it was hardly ever interrupted");
            assert_eq!(content(&path), whole);
            return;
        }
    }
    panic!("it never ended");
}

/// Otherwise the run would begin again, over its own checkpoints.
#[test]
fn a_run_that_has_lost_its_state_is_not_begun_again() {
    let directory = tempfile::tempdir().unwrap();
    let run = |name: &str| directory.path().join(name);
    self::run(&run("lost"), config(&["limits.generations=1"]));
    fs::remove_file(run("lost/state.json")).unwrap();
    let refused = Run::resume(&run("lost"), config(&[]), &mut watch(|_| {})).unwrap_err();
    assert!(
        refused.to_string().contains("checkpoints/gen-000001") && run("lost/checkpoints/gen-000001").exists(),
        "{refused}"
    );
}

/// Continues a run under its `config.toml` for one more generation; its warnings.
fn resume(directory: &Path) -> Result<Vec<String>, String> {
    let text = fs::read_to_string(directory.join("config.toml")).unwrap();
    let limits = format!("limits.generations={}", 1 + newest(directory));
    let config =
        Config::changed(("config.toml", &text), &[limits.into()], Change::Resume).map_err(|error| error.to_string())?;
    let mut warnings = Vec::new();
    let mut observer = watch(|event| {
        if let Event::Warning(text) = event {
            warnings.push(text.clone());
        }
    });
    let run = Run::resume(directory, config, &mut observer).map_err(|error| error.to_string())?;
    let ended = run.run(&mut observer, &AtomicBool::new(false));
    assert_eq!(ended.map_err(|error| error.to_string())?, Ended::Generations);
    Ok(warnings)
}

/// Number of its last finished generation.
fn newest(directory: &Path) -> u64 {
    RunState::read(&directory.join("state.json"))
        .unwrap()
        .unwrap()
        .generation
}

#[test]
fn changed_files_are_told_or_refused_and_unfinished_ones_removed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    run(path, config(&["limits.generations=1"]));
    let config = path.join("config.toml");
    let unfinished = path.join("checkpoints/.gen-000002.tmp");
    fs::create_dir(&unfinished).unwrap();
    fs::write(path.join("state.json.tmp"), "{").unwrap();
    assert_eq!(resume(path), Ok(Vec::new()));
    assert!(!unfinished.exists() && !path.join("state.json.tmp").exists());
    assert_eq!(newest(path), 2);

    let whole = fs::read_to_string(&config).unwrap();
    let (cut, _) = whole.split_once("td_lambda").unwrap();
    fs::write(&config, cut).unwrap();
    let refused = resume(path).unwrap_err();
    assert!(
        refused.contains("was changed since gen-000002: it lacks") && refused.contains("learner.td_lambda"),
        "{refused}"
    );
    assert_eq!(fs::read_to_string(&config).unwrap(), cut);

    fs::write(&config, &whole).unwrap();
    let network = path.join("checkpoints/gen-000002/nnue.safetensors");
    let bytes = fs::read(&network).unwrap();
    let steps = b"\\nsteps: ";
    let place = bytes.windows(steps.len()).position(|window| window == steps).unwrap() + steps.len();
    let mut other = bytes.clone();
    other[place] = if other[place] == b'9' { b'8' } else { other[place] + 1 };
    fs::write(&network, other).unwrap();
    let refused = resume(path).unwrap_err();
    assert!(
        refused.contains("nnue.safetensors: the SHA-256 is ") && refused.contains(", expected "),
        "{refused}"
    );
    fs::write(&network, bytes).unwrap();

    let other = whole.replace("warmup_steps = 5", "warmup_steps = 6");
    assert_ne!(other, whole);
    fs::write(&config, other).unwrap();
    let warnings = resume(path).unwrap();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(
        warnings[0].contains("config.toml was changed since gen-000002"),
        "{warnings:?}"
    );
    // The configuration is the run's now.
    assert_eq!(resume(path), Ok(Vec::new()));
}

#[test]
fn another_seed_and_another_generation_play_other_games() {
    let directory = tempfile::tempdir().unwrap();
    let place = |name: &str| directory.path().join(name);
    run(&place("five"), config(&["limits.generations=2"]));
    run(&place("six"), config(&["limits.generations=2", "seed=6"]));
    let hashes = |run: &str| -> Vec<String> {
        let folders = [1, 2].map(|generation| place(run).join(format!("games/gen-00000{generation}")));
        let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
        let name = |file: fs::DirEntry| file.file_name().into_string().unwrap();
        files
            .map(|file| name(file.unwrap()).rsplit('-').next().unwrap().to_owned())
            .collect()
    };
    let mut all = [hashes("five"), hashes("six")].concat();
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!((all.len(), count), (12, 12));
}

#[test]
fn the_heuristic_judges_the_first_games_as_long_as_asked() {
    let directory = tempfile::tempdir().unwrap();
    let models = |heuristic: u64| -> Vec<String> {
        let path = directory.path().join(heuristic.to_string());
        let generations = format!("selfplay.heuristic_generations={heuristic}");
        run(&path, config(&[&generations, "limits.generations=2"]));
        let games = path.join("games");
        let shards = shard::list(&games, Purpose::Selfplay).unwrap();
        let read = |name: &String| {
            shard::read::<Chase>(&games, name, &config(&[]).game_rules::<Chase>())
                .unwrap()
                .model
        };
        let mut models: Vec<String> = shards.iter().map(read).collect();
        models.dedup();
        models
    };
    assert_eq!(models(0), ["gen-000000", "gen-000001"]);
    assert_eq!(models(1), ["heuristic", "gen-000001"]);
    assert_eq!(models(2), ["heuristic"]);
    // The statistics of openings name it too, and count the games that began without random plies.
    let path = directory.path().join("counted");
    let settings = [
        "selfplay.heuristic_generations=1",
        "selfplay.random_opening_share=0.5",
        "limits.generations=2",
    ];
    run(&path, config(&settings));
    for (generation, model) in [(1, "heuristic"), (2, "gen-000001")] {
        let name = format!("openings/gen-00000{generation}-selfplay.json");
        let counted: OpeningStatistics = serde_json::from_slice(&fs::read(path.join(name)).unwrap()).unwrap();
        assert_eq!((counted.model.as_str(), counted.generation), (model, generation));
        assert_eq!(counted.total.games + counted.random_openings.games, 6);
        assert!(
            counted.total.games > 0 && counted.random_openings.games > 0,
            "{counted:?}"
        );
        let first = counted.lines.iter().filter(|line| line.actions.len() == 1);
        assert_eq!(first.map(|line| line.tally.games).sum::<u64>(), counted.total.games);
    }
    // With the same seed, only the judgement differs.
    let names = |run: &str| {
        let files = fs::read_dir(directory.path().join(run).join("games/gen-000001")).unwrap();
        files.map(|file| file.unwrap().file_name()).collect::<BTreeSet<_>>()
    };
    assert_ne!(names("0"), names("1"));
}

#[test]
fn a_run_begins_with_another_network_and_widens_it() {
    let directory = tempfile::tempdir().unwrap();
    let place = |name: &str| directory.path().join(name);
    run(&place("first"), config(&["limits.generations=1"]));
    let end = place("first").join("checkpoints/gen-000001");
    let start = format!("network.start={}", end.display());
    let wide = [&*start, "network.width=64", "limits.generations=2"];
    let summaries = run(&place("wide"), config(&wide));
    let told: Vec<bool> = summaries.iter().map(|summary| summary.by_heuristic).collect();
    assert_eq!(told, [false, false], "{summaries:?}");
    let stored = |run: &str, generation: u64| {
        StoredNetwork::read(&place(run).join(format!("checkpoints/gen-00000{generation}"))).unwrap()
    };
    // At first it says the same, and its own games are played by it, not by the heuristic.
    let networks = [stored("first", 1), stored("wide", 0)].map(|stored| Network::quantise(&stored.weights).unwrap());
    assert_eq!(networks.each_ref().map(Network::width), [32, 64]);
    for game in rows(50).0 {
        let [narrow, wide] = networks.each_ref().map(|network| network.evaluate(&game));
        assert_eq!(narrow, wide);
    }
    let games = place("wide").join("games");
    let shards = shard::list(&games, Purpose::Selfplay).unwrap();
    let first = shard::read::<Chase>(&games, &shards[0], &config(&[]).game_rules::<Chase>()).unwrap();
    assert_eq!(first.model, "gen-000000");
    // Then the new numbers are read.
    let learned = stored("wide", 1).weights;
    assert!(
        learned
            .dense_1
            .slice(ndarray::s![.., 32..64])
            .iter()
            .any(|weight| *weight != 0.0)
    );
    // A resumed run needs the network no more, and still says what it began with.
    let sha256 = StoredNetwork::read(&end).unwrap().sha256;
    fs::remove_dir_all(place("first")).unwrap();
    let longer = changed(&place("wide"), &["limits.generations=3"], Change::Resume);
    let resumed = Run::resume(&place("wide"), longer, &mut watch(|_| {})).unwrap();
    resumed.run(&mut watch(|_| {}), &AtomicBool::new(false)).unwrap();
    let said = format!("{}, width 32, SHA-256 {sha256}", end.display());
    assert_eq!(stored("wide", 3).facts["start"], said);
    // An impossible request is reported, and leaves nothing behind.
    let wide = place("wide").join("checkpoints/gen-000002");
    for (start, reason) in [
        (
            wide.display().to_string(),
            "network.width: the transformer has the width 64, which cannot become 32",
        ),
        ("nowhere".to_owned(), "cannot read nowhere"),
    ] {
        let path = place("refused");
        let config = config(&[&*format!("network.start={start}")]);
        let error = Run::create(&path, config, &mut watch(|_| {})).unwrap_err().to_string();
        assert!(error.starts_with(reason), "{error}");
        assert!(!path.exists());
    }
}

/// Stops a run after its second generation.
fn two_generations(directory: &Path, config: Config) {
    let stop = AtomicBool::new(false);
    let mut observer = watch(|event| {
        if matches!(event, Event::Generation(summary) if summary.generation == 2) {
            stop.store(true, Ordering::Relaxed);
        }
    });
    let run = Run::create(directory, config, &mut observer).unwrap();
    assert_eq!(run.run(&mut observer, &stop).unwrap(), Ended::Stopped);
}

#[test]
fn a_branch_without_changes_becomes_what_its_trunk_would() {
    let directory = tempfile::tempdir().unwrap();
    let place = |name: &str| directory.path().join(name);
    run(&place("first"), config(&["limits.generations=1"]));
    let data = format!("data=['{}']", place("first").display());
    let config = || config(&[&*data, "replay.window_rows=30"]);
    run(&place("whole"), config());
    two_generations(&place("trunk"), config());
    let settings = changed(&place("trunk"), &[], Change::Branch);
    let mut nobody = watch(|_| {});
    let branch = Run::branch(&place("trunk"), &place("branch"), settings, &mut nobody).unwrap();
    assert_eq!(branch.state().generation, 2);
    branch.run(&mut nobody, &AtomicBool::new(false)).unwrap();
    assert_eq!(content(&place("branch")), content(&place("whole")));
    assert_eq!(newest(&place("trunk")), 2);
    // A larger window reaches back to games that that of the trunk has left behind.
    let settings = changed(&place("trunk"), &["replay.window_rows=100000"], Change::Branch);
    let branch = Run::branch(&place("trunk"), &place("wide"), settings, &mut nobody).unwrap();
    assert_eq!(branch.state().shards.len(), 6);
    let state = RunState::read(&place("trunk").join("state.json")).unwrap().unwrap();
    assert!(state.shards.len() < 6, "{state:?}");
}

#[test]
fn a_refit_learns_the_games_of_another_run_with_a_wider_network() {
    let directory = tempfile::tempdir().unwrap();
    let place = |name: &str| directory.path().join(name);
    two_generations(&place("trunk"), config(&[]));
    let wider = [
        "network.width=64",
        "refit.generations=2",
        "refit.passes=20.0",
        "limits.generations=5",
    ];
    let settings = changed(&place("trunk"), &wider, Change::Refit);
    let mut summaries = Vec::new();
    let mut observer = watch(|event| {
        if let Event::Generation(summary) = event {
            summaries.push((*summary).clone());
        }
    });
    let refit = Run::refit(&place("trunk"), &place("refit"), settings, &mut observer).unwrap();
    refit.run(&mut observer, &AtomicBool::new(false)).unwrap();
    let refitted: Vec<bool> = summaries.iter().map(|summary| summary.is_refit).collect();
    assert_eq!(refitted, [true, true, false]);
    assert!(summaries[1].losses.value < summaries[0].losses.value, "{summaries:?}");
    // The network that was refitted plays the next games.
    let games = place("refit").join("games");
    let played = shard::of_generation(&games, 5, Purpose::Selfplay).unwrap();
    let played = shard::read::<Chase>(&games, &played[0], &config(&[]).game_rules::<Chase>()).unwrap();
    assert_eq!(played.model, "gen-000004");
    let stored = StoredNetwork::read(&place("refit").join("checkpoints/gen-000004")).unwrap();
    assert_eq!(stored.weights.width(), 64);
}

#[test]
fn networks_are_evaluated_when_it_is_due() {
    let directory = tempfile::tempdir().unwrap();
    let place = |name: &str| directory.path().join(name);
    let mut observer = watch(|_| {});
    let run = Run::create(&place("rated"), config(&["evaluation.every=2"]), &mut observer).unwrap();
    run.run(&mut observer, &AtomicBool::new(false)).unwrap();
    assert_eq!(observer.1, [0, 2, 3]);
    self::run(&place("plain"), config(&[]));
    // Games do not depend on it.
    let games = |name: &str| fs::read_dir(place(name).join("games/gen-000003")).unwrap();
    let names = |name: &str| {
        games(name)
            .map(|file| file.unwrap().file_name())
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(names("rated"), names("plain"));
    assert_eq!(crate::metric(&place("rated"), "eval/elo"), [0.0, 2.0, 3.0]);
    assert_eq!(crate::metric(&place("rated"), "eval/validation_loss").len(), 3);
}

/// Random games at each ply, judged by who has more dice.
fn rows(count: usize) -> (Vec<Chase>, Rows) {
    let mut rng = chase_engine::seed::named("test", &[1]);
    let (mut games, mut rows, mut actions) = (Vec::new(), Rows::default(), Vec::new());
    while rows.len() < count {
        let mut game = Chase::new(&Default::default());
        while game.outcome().is_none() && game.plies() < 80 {
            game.legal_actions(&mut actions);
            game.apply(actions[rng.random_range(0..actions.len())]);
            let position = game.position();
            let [own, enemy] =
                [position.to_move(), !position.to_move()].map(|player| position.dice(player).count() as f32);
            rows.add(&game, 1.0 / (1.0 + (enemy - own).exp()));
            games.push(game.clone());
        }
    }
    (games, rows)
}

/// Some of the positions.
fn part(rows: &Rows, numbers: std::ops::Range<usize>) -> Rows {
    let mut part = Rows::default();
    numbers.for_each(|number| part.push(rows.row(number)));
    part
}

#[test]
fn steps_lower_the_loss_and_the_quantised_network_agrees() {
    let (games, all) = rows(2000);
    let learned = part(&all, 0..1600);
    let unseen = games.iter().zip(all.iter()).skip(1600);
    let mut learner = Learner::new(&config(&["learner.rate=0.003"])).unwrap();
    let before = learner.loss(learned.iter()).unwrap();
    for _ in 0..30 {
        for batch in 0..1600 / 64 {
            learner
                .step(&part(&learned, 64 * batch..64 * (batch + 1)), 0.0)
                .unwrap();
        }
    }
    let after = learner.loss(learned.iter()).unwrap();
    // What is left where every target is hit.
    let entropy = |target: f32| -f64::from(target * target.ln() + (1.0 - target) * (1.0 - target).ln());
    let least = learned.iter().map(|row| entropy(row.target)).sum::<f64>() / learned.len() as f64;
    assert!(after - least < 0.25 * (before - least), "{before} {after} {least}");

    // The two forms of the network differ by rounding alone: by at most 0.3 of a logit, and 0.05 on average.
    let weights = learner.weights().unwrap();
    let network = Network::quantise(&weights).unwrap();
    let differences = unseen.clone().map(|(game, _)| {
        let whole = network.evaluate(game) as f32 / LOGIT as f32;
        (whole - weights.evaluate(game)).abs()
    });
    let differences: Vec<f32> = differences.collect();
    let mean = differences.iter().sum::<f32>() / differences.len() as f32;
    let most = differences.iter().copied().fold(0.0, f32::max);
    assert!(mean < 0.05 && most < 0.3, "{mean} {most}");

    // And libtorch's forward pass is that of the weights.
    for (game, row) in unseen.take(50) {
        let logit = f64::from(weights.evaluate(game));
        let expected = logit.max(0.0) + (-logit.abs()).exp().ln_1p() - f64::from(row.target) * logit;
        let found = learner.loss([row].into_iter()).unwrap();
        assert!((found - expected).abs() < 1e-4, "{found} {expected}");
    }
}

#[test]
fn weights_stay_where_they_can_be_quantised() {
    // A rate so high that weights leave their ranges at once, if nothing keeps them there.
    let mut learner = Learner::new(&config(&["learner.rate=50.0", "learner.warmup_steps=0"])).unwrap();
    let (_, rows) = rows(256);
    for _ in 0..3 {
        learner.step(&rows, 0.0).unwrap();
    }
    Network::quantise(&learner.weights().unwrap()).unwrap();
}

#[test]
fn conventions_and_networks_are_those_of_the_game() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("run");
    let chess = Config::load(None, &Setting::list(&["game=chess"])).unwrap();
    assert_eq!((chess.rules.quiet_turns, chess.rules.max_turns), (100, 400));
    assert!(chess.to_toml().contains("game = \"chess\"") && !Config::default().to_toml().contains("game ="));
    let settings = ["game=chess", "network.start=nnue-57"];
    let error = Training::<Nnue<Chess>>::create(&path, config(&settings), &mut watch(|_| {})).unwrap_err();
    assert_eq!(
        error.to_string(),
        "nnue-57 is a network for chase, expected a network for chess"
    );
}

#[test]
fn settings_without_sense_are_refused_with_key_and_expectation() {
    let refused = |settings: &[&str]| {
        let settings = Setting::list(settings);
        Config::load(Some(("tiny.toml", TINY)), &settings)
            .unwrap_err()
            .to_string()
    };
    for (setting, reason) in [
        ("kind=resnet", "command line: kind is \"resnet\", expected \"nnue\""),
        (
            "game=connect-four",
            "command line: game is connect-four, expected one with sparse inputs: chase, chess, chess-cyl",
        ),
        (
            "network.width=33",
            "network.width is 33, expected a multiple of 32 up to 1024",
        ),
        (
            "selfplay.games=0",
            "selfplay.games is 0, expected at least 1, or 0 with games in `data`",
        ),
        (
            "selfplay.nodes_spread=1.0",
            "selfplay.nodes_spread is 1, expected a number from 0, below 1",
        ),
        ("learner.rows=31", "learner.rows is 31, expected at least learner.batch"),
        (
            "learner.td_lambda=1.5",
            "learner.td_lambda is 1.5, expected a number from 0 to 1",
        ),
        ("rules.max_turns=0", "rules.max_turns is 0, expected at least 1"),
        ("limits.generations=0", "limits.generations is 0, expected at least 1"),
        ("learner.rows=many", "expected a whole number from 0"),
        (
            "selfplay.node=3",
            "unknown key `selfplay.node`; the nearest known one is `selfplay.nodes`",
        ),
    ] {
        let told = refused(&[setting]);
        assert!(told.contains(reason), "{setting}: {told}");
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("run");
    let missing = config(&["data=['nowhere']"]);
    let error = Run::create(&path, missing, &mut watch(|_| {})).unwrap_err().to_string();
    assert!(error.starts_with("data: nowhere has no self-play games"), "{error}");
    assert!(!path.exists(), "a run that cannot begin leaves nothing behind");
}

#[test]
fn games_of_another_run_are_learned_and_must_stay_as_they_were() {
    let directory = tempfile::tempdir().unwrap();
    let place = |name: &str| directory.path().join(name);
    run(&place("first"), config(&["limits.generations=1"]));
    let data = format!("data=['{}']", place("first").display());
    let only_data = [&*data, "selfplay.games=0", "limits.generations=2"];
    let summaries = run(&place("second"), config(&only_data));
    assert!(
        summaries
            .iter()
            .all(|summary| summary.tally.games == 0 && figure(summary, "eval/validation_loss").is_finite())
    );
    assert_eq!(fs::read_dir(place("second").join("openings")).unwrap().count(), 0);
    let stored = StoredNetwork::read(&place("second").join("checkpoints/gen-000002")).unwrap();
    assert!(stored.facts["data_0"].starts_with("6 games, "), "{:?}", stored.facts);
    // More games there change nothing here; one less is an error.
    let resume = || {
        let config = changed(&place("second"), &["limits.generations=3"], Change::Resume);
        Run::resume(&place("second"), config, &mut watch(|_| {}))
    };
    resume().unwrap();
    let shard = fs::read_dir(place("first").join("games/gen-000001"))
        .unwrap()
        .next()
        .unwrap();
    fs::remove_file(shard.unwrap().path()).unwrap();
    let error = resume().unwrap_err().to_string();
    assert!(error.contains("No such file"), "{error}");
}

#[test]
fn the_preset_has_every_key_with_its_default() {
    let text = include_str!("../../../configs/nnue.toml");
    let preset = Config::load(Some(("nnue.toml", text)), &[]).unwrap();
    let defaults = Config {
        limits: preset.limits.clone(),
        ..Config::default()
    };
    assert_eq!(preset, defaults);
    fn keys(prefix: &str, table: &toml::Table, found: &mut Vec<String>) {
        for (key, value) in table {
            match value.as_table() {
                Some(inner) => keys(&format!("{prefix}{key}."), inner, found),
                None => found.push(format!("{prefix}{key}")),
            }
        }
    }
    let (mut written, mut known) = (Vec::new(), Vec::new());
    keys("", &text.parse().unwrap(), &mut written);
    keys("", &toml::Table::try_from(&defaults).unwrap(), &mut known);
    written.sort();
    known.sort();
    assert_eq!(written, known);
}
