//! Tournaments: the same games however they are played and interrupted.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use chase_arena::tournament::{Tournament, TournamentConfig, TournamentEnd};
use chase_engine::Chase;
use chase_fixtures::{kill_again_and_again, untrained};
use chase_models::device::Device;
use chase_models::precision::Precision;
use chase_statistics::SprtDecision;
use chase_training::settings::{Setting, Settings};
use serde_json::Value;
use tempfile::tempdir;

/// Quick players of different strengths, quick games, and units of three pairs.
pub const SMALL: &str = "
players = ['random', 'weak=greedy:blunders=0.8', 'greedy', 'rollouts:simulations=2', 'more=rollouts:simulations=4']
pairs = 8
pairs_at_once = 3
seed = 7
threads = 2
bootstrap = 100
[rules]
max_turns = 60
";

pub fn config(text: &str, settings: &[&str]) -> TournamentConfig {
    let settings = Setting::list(settings);
    TournamentConfig::load(Some(("test", text)), &settings).unwrap()
}

pub fn resume(directory: &Path, settings: &[&str]) -> anyhow::Result<Tournament<Chase>> {
    let settings = Setting::list(settings);
    Tournament::<Chase>::resume(directory, |began| TournamentConfig::load(Some(began), &settings))
}

pub fn play(tournament: &mut Tournament<Chase>) -> TournamentEnd {
    tournament.play(&AtomicBool::new(false), &mut |_| {}).unwrap()
}

/// A tournament from its first game to its last; its directory.
pub fn played(home: &Path, name: &str, text: &str, settings: &[&str]) -> PathBuf {
    let directory = home.join(name);
    let mut tournament = Tournament::<Chase>::create(&directory, config(text, settings)).unwrap();
    assert_eq!(play(&mut tournament), TournamentEnd::Complete);
    tournament.write_report().unwrap();
    directory
}

pub fn games(directory: &Path) -> Vec<u8> {
    fs::read(directory.join("games.jsonl")).unwrap()
}

fn assert_same(one: &Path, other: &Path) {
    for file in ["games.jsonl", "records.txt", "report.json"] {
        let [one, other] = [one, other].map(|directory| fs::read(directory.join(file)).unwrap());
        assert!(one == other, "{file} differs");
    }
}

/// The checkpoint of a small network of random weights.
fn network(folder: &Path, seed: u64) -> String {
    untrained(folder, seed);
    folder.to_str().unwrap().to_owned()
}

#[test]
fn games_are_the_same_on_any_number_of_threads() {
    let home = tempdir().unwrap();
    let straight = played(home.path(), "one", SMALL, &["threads=1"]);
    for threads in ["threads=2", "threads=4"] {
        assert_same(&played(home.path(), threads, SMALL, &[threads]), &straight);
    }
    // Every game once, in the order of the schedule, and both games of a pair from one opening.
    let lines: Vec<Value> = String::from_utf8(games(&straight))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let places = lines
        .iter()
        .map(|game| format!("{} {} {}", game["white"], game["black"], game["pair"]));
    assert_eq!((lines.len(), places.collect::<HashSet<_>>().len()), (160, 160));
    for two in lines.chunks(2) {
        assert_eq!(
            (&two[0]["white"], &two[0]["black"]),
            (&two[1]["black"], &two[1]["white"])
        );
        assert_eq!(
            two[0]["actions"].as_array().unwrap()[..4],
            two[1]["actions"].as_array().unwrap()[..4]
        );
    }
    // The next match has openings of its own.
    let opening = |line: usize| &lines[line]["actions"].as_array().unwrap()[..4];
    assert_ne!(opening(0), opening(6));
    let other = played(home.path(), "other seed", SMALL, &["seed=8"]);
    assert!(games(&other) != games(&straight));
}

#[test]
fn networks_play_the_same_games_on_any_number_of_threads() {
    let home = tempdir().unwrap();
    let [one, two] = [1, 2].map(|seed| network(&home.path().join(format!("network {seed}")), seed));
    let text = format!(
        "players = ['a=net:{one},simulations=3', 'b=net:{two},simulations=3', 'c=net:{two},simulations=6,temperature=1']
        pairs = 5
        pairs_at_once = 2
        openings = 'balanced:plies=3,count=4,depth=1,margin=100'
        max_plies = 40
        bootstrap = 0"
    );
    let straight = played(home.path(), "one", &text, &["threads=1"]);
    for threads in ["threads=2", "threads=4"] {
        assert_same(&played(home.path(), threads, &text, &[threads]), &straight);
    }
    // Interrupted, and resumed on other threads.
    let cut = home.path().join("cut");
    // Few threads: all others would end the unit in hand, which might be the last.
    let mut tournament = Tournament::<Chase>::create(&cut, config(&text, &["threads=2"])).unwrap();
    let stop = AtomicBool::new(false);
    let ended = tournament.play(&stop, &mut |results| {
        stop.store(results.games() >= 8, Ordering::Relaxed)
    });
    assert_eq!(ended.unwrap(), TournamentEnd::Stopped);
    drop(tournament);
    let mut tournament = resume(&cut, &["threads=3"]).unwrap();
    assert_eq!(play(&mut tournament), TournamentEnd::Complete);
    assert!(games(&cut) == games(&straight));
    let (standings, _) = tournament.write_report().unwrap();
    let series = &standings.simulations[..];
    assert!(matches!(series, []), "temperature makes another player: {series:?}");
    drop(tournament);
    // Where the network of the beginning is gone, or another one has its place, its copy plays, after a move too.
    let moved = home.path().join("moved");
    for other in [false, true] {
        let _ = fs::remove_dir_all(&two);
        if other {
            network(Path::new(&two), 3);
        }
        let from = if other { &moved } else { &cut };
        fs::write(from.join("games.jsonl"), "").unwrap();
        assert_eq!(play(&mut resume(from, &[]).unwrap()), TournamentEnd::Complete);
        assert!(games(from) == games(&straight));
        if !other {
            fs::rename(&cut, &moved).unwrap();
        }
    }
    // Without it that is told.
    fs::remove_dir_all(moved.join("networks")).unwrap();
    let error = resume(&moved, &[]).unwrap_err().to_string();
    let expected = "is not the network that the games were begun with; put the network of the beginning back, or begin again in another \
                    folder";
    assert!(
        error.starts_with("player `b`: ") && error.ends_with(expected),
        "{error}"
    );
    fs::remove_dir_all(&two).unwrap();
    let error = resume(&moved, &[]).unwrap_err().to_string();
    let expected = "; put the network of the beginning back, or begin again in another folder";
    assert!(
        error.starts_with("player `b`: ") && error.ends_with(expected),
        "{error}"
    );
}

#[test]
fn networks_compute_as_at_the_beginning_wherever_a_tournament_is_resumed() {
    let home = tempdir().unwrap();
    let network = network(&home.path().join("network"), 1);
    let player = format!("a=net:{network},simulations=12");
    let play_as = |name: &str, player: &str| {
        let text = format!("players = ['{player}', 'random']\npairs = 4\nmax_plies = 40\nbootstrap = 0");
        played(home.path(), name, &text, &[])
    };
    let here = play_as("here", &player);
    let as_here = games(&here);
    // It might have begun on a machine where the other arithmetic is faster.
    let [this, other] = match Precision::fastest(Device::Cpu) {
        Precision::F32 => ["f32", "bf16"],
        _ => ["bf16", "f32"],
    };
    let as_there = games(&play_as("there", &format!("{player},precision={other}")));
    assert!(as_here != as_there);
    let file = here.join("players.json");
    let recorded = fs::read_to_string(&file).unwrap();
    let key = format!(",\n      \"precision\": \"{this}\"");
    assert!(recorded.contains(&key), "{recorded}");
    fs::write(&file, recorded.replace(&key, &key.replace(this, other))).unwrap();
    fs::write(here.join("games.jsonl"), "").unwrap();
    assert_eq!(play(&mut resume(&here, &[]).unwrap()), TournamentEnd::Complete);
    assert!(games(&here) == as_there);
}

#[test]
fn whatever_is_cut_off_is_played_again() {
    let home = tempdir().unwrap();
    let straight = played(home.path(), "straight", SMALL, &[]);
    let text = games(&straight);
    let ends: Vec<usize> = (0..text.len())
        .filter(|&index| text[index] == b'\n')
        .map(|index| index + 1)
        .collect();
    let cut = home.path().join("cut");
    drop(Tournament::<Chase>::create(&cut, config(SMALL, &[])).unwrap());
    // Nothing; within a line; behind one game of a pair; behind one pair of a unit; behind a unit; at the very end.
    for length in [
        0,
        10,
        ends[30] + 1,
        ends[0],
        ends[1],
        ends[5],
        ends[ends.len() - 2],
        ends[ends.len() - 1] - 1,
        text.len(),
    ] {
        fs::write(cut.join("games.jsonl"), &text[..length]).unwrap();
        let mut tournament = resume(&cut, &[]).unwrap();
        let before = tournament.results().games();
        let whole = text[..length].iter().filter(|&&byte| byte == b'\n').count() as u64;
        assert!(before <= whole && whole < before + 6, "{before} of {whole} games count");
        assert_eq!(play(&mut tournament), TournamentEnd::Complete);
        tournament.write_report().unwrap();
        assert_same(&cut, &straight);
    }
    // What was written whole and is not what the schedule says is damage, and told with its place.
    let damaged = String::from_utf8(text).unwrap().replacen("\"pair\":2", "\"pair\":3", 1);
    fs::write(cut.join("games.jsonl"), damaged).unwrap();
    let error = resume(&cut, &[]).unwrap_err().to_string();
    assert!(
        error.contains("games.jsonl, line 5, is damaged: found pair 3 of `random` against `weak`"),
        "{error}"
    );
    assert!(error.contains("expected pair 2"), "{error}");
}

#[test]
fn games_that_are_recorded_otherwise_than_they_were_played_are_refused() {
    let home = tempdir().unwrap();
    let directory = played(
        home.path(),
        "small",
        "players = ['greedy', 'random']\npairs = 8\nseed = 7",
        &[],
    );
    let path = directory.join("games.jsonl");
    let text = String::from_utf8(games(&directory)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let third: Value = serde_json::from_str(lines[2]).unwrap();
    let was = third["outcome"].as_str().unwrap();
    let other = if was == "white" { "black" } else { "white" };
    let reason = third["reason"].as_str().unwrap();
    for (field, value, expected) in [
        (
            "outcome",
            Value::from(other),
            format!("recorded as `{other}`, but it ends as `{was}`"),
        ),
        (
            "reason",
            "resignation".into(),
            format!("recorded to end for `resignation`, but it ends for `{reason}`"),
        ),
        (
            "plies",
            4_000_000_000_u64.into(),
            "recorded with 4000000000 plies, but it has".to_owned(),
        ),
        (
            "opening_plies",
            5.into(),
            "recorded with an opening of 5 plies, expected 4".to_owned(),
        ),
    ] {
        let mut changed = third.clone();
        changed[field] = value;
        let mut lines = lines.clone();
        let changed = changed.to_string();
        lines[2] = &changed;
        fs::write(&path, lines.join("\n") + "\n").unwrap();
        let error = resume(&directory, &[]).unwrap_err().to_string();
        let place = "games.jsonl, line 3, is damaged: ";
        assert!(error.contains(place) && error.contains(&expected), "{error}");
    }
    // A game that was cut short did not come to the limit of plies.
    let mut changed = third.clone();
    changed["actions"].as_array_mut().unwrap().truncate(9);
    (changed["outcome"], changed["reason"], changed["plies"]) = ("truncated".into(), "ply limit".into(), 9.into());
    let mut short = lines.clone();
    let changed = changed.to_string();
    short[2] = &changed;
    fs::write(&path, short.join("\n") + "\n").unwrap();
    let error = resume(&directory, &[]).unwrap_err().to_string();
    assert!(
        error.contains("line 3, is damaged: recorded as stopped after 9 plies"),
        "{error}"
    );
    // And where the games are changed behind the back of a tournament, its report is.
    fs::write(&path, &text).unwrap();
    let tournament = resume(&directory, &[]).unwrap();
    fs::write(
        &path,
        text.replacen(&format!("\"reason\":\"{reason}\""), "\"reason\":\"?\"", 1),
    )
    .unwrap();
    let error = tournament.write_report().unwrap_err().to_string();
    assert!(error.contains("recorded to end for `?`"), "{error}");
}

#[test]
fn another_configuration_is_refused() {
    let home = tempdir().unwrap();
    let directory = home.path().join("small");
    let tournament = Tournament::<Chase>::create(&directory, config(SMALL, &[])).unwrap();
    let in_use = resume(&directory, &[]).unwrap_err().to_string();
    assert!(in_use.contains("is in use by process"), "{in_use}");
    drop(tournament);
    let error = resume(&directory, &["max_plies=9", "rules.repetition=0", "threads=1"])
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("the match or tournament cannot continue with max_plies = 9 (was ")
            && error.ends_with(", rules.repetition = 0 (was 3); begin a new match or tournament"),
        "{error}"
    );
    let error = Tournament::<Chase>::create(&directory, config(SMALL, &[]))
        .unwrap_err()
        .to_string();
    assert!(error.contains("already contains a run"), "{error}");
    let error = resume(&home.path().join("none"), &[]).unwrap_err().to_string();
    assert!(
        error.contains("none: there is no such folder: expected a run"),
        "{error}"
    );
    let missing = config("players = ['random', 'net:no/such/run']", &[]);
    let error = Tournament::<Chase>::create(&home.path().join("no"), missing)
        .unwrap_err()
        .to_string();
    assert!(error.contains("no/such/run"), "{error}");
    assert!(
        !home.path().join("no").exists(),
        "a tournament that cannot begin leaves nothing behind"
    );
}

#[test]
fn a_tournament_that_is_extended_is_one_that_was_as_long_from_the_beginning() {
    let home = tempdir().unwrap();
    // Units of three pairs: the last one of 8 pairs has two, and is played again.
    let long = played(home.path(), "long", SMALL, &["pairs=11"]);
    let grown = played(home.path(), "grown", SMALL, &["pairs=8"]);
    let fewer = resume(&grown, &["pairs=7"]).unwrap_err().to_string();
    assert!(fewer.starts_with("pairs is 7, expected 8 or more"), "{fewer}");
    for pairs in ["pairs=9", "pairs=11"] {
        let mut tournament = resume(&grown, &[pairs]).unwrap();
        assert_eq!(play(&mut tournament), TournamentEnd::Complete);
        tournament.write_report().unwrap();
    }
    assert_same(&grown, &long);
    // It is known from now on, and what only the report depends on may change without a game.
    let mut tournament = resume(&grown, &["anchor=greedy"]).unwrap();
    assert_eq!(play(&mut tournament), TournamentEnd::Complete);
    assert_eq!(tournament.write_report().unwrap().0.anchor, "greedy");
    assert!(games(&grown) == games(&long));
    let config = fs::read_to_string(grown.join("config.toml")).unwrap();
    assert!(
        config.contains("pairs = 11\n") && config.contains("anchor = \"greedy\"\n"),
        "{config}"
    );
}

#[test]
fn a_sequential_test_ends_the_match_at_the_pair_that_decides() {
    let home = tempdir().unwrap();
    let text = "players = ['greedy', 'random']\npairs = 200\nsprt = { elo0 = 0, elo1 = 100 }\nbootstrap = 0";
    let straight = played(home.path(), "straight", text, &["threads=1"]);
    let lines = |directory: &Path| games(directory).split(|&byte| byte == b'\n').count() - 1;
    assert!(
        lines(&straight) < 400 && lines(&straight) % 2 == 0,
        "{}",
        lines(&straight)
    );
    // Units are part of the configuration, but not of the match.
    for settings in [
        ["threads=4", "pairs_at_once=0"],
        ["threads=2", "pairs_at_once=7"],
        ["threads=1", "pairs_at_once=200"],
    ] {
        let other = played(home.path(), settings[1], text, &settings);
        assert!(games(&other) == games(&straight), "{settings:?}");
        // Resumed, it is decided already, also in the middle of a unit.
        let mut tournament = resume(&other, &[]).unwrap();
        assert!(tournament.results().is_complete());
        assert_eq!(play(&mut tournament), TournamentEnd::Complete);
        let (standings, _) = tournament.write_report().unwrap();
        assert_eq!(standings.sprt.as_ref().unwrap().verdict, SprtDecision::AcceptH1);
        let warned = standings
            .notes
            .iter()
            .any(|note| note.contains("sequential test stopped it"));
        assert!(warned, "{:?}", standings.notes);
        assert!(games(&other) == games(&straight), "{settings:?}");
        // One pair fewer, and it is not.
        let text = games(&other);
        let cut = text.len()
            - text
                .rsplitn(4, |&byte| byte == b'\n')
                .take(3)
                .map(|line| line.len() + 1)
                .sum::<usize>();
        fs::write(other.join("games.jsonl"), &text[..=cut]).unwrap();
        drop(tournament);
        assert!(!resume(&other, &[]).unwrap().results().is_complete());
    }
    let reversed = "players = ['random', 'greedy']\npairs = 200\nsprt = { elo0 = 0, elo1 = 100 }\nbootstrap = 0";
    let lost = played(home.path(), "reversed", reversed, &[]);
    let report: Value = serde_json::from_slice(&fs::read(lost.join("report.json")).unwrap()).unwrap();
    assert_eq!(report["sprt"]["verdict"], "accept-h0");
    let short = played(home.path(), "short", text, &["pairs=1"]);
    let report: Value = serde_json::from_slice(&fs::read(short.join("report.json")).unwrap()).unwrap();
    assert_eq!(
        (lines(&short), report["sprt"]["verdict"].as_str()),
        (2, Some("continue"))
    );
}

/// Not a test of its own: what the next one starts as a process, to kill it.
#[test]
fn child() {
    let Some(directory) = std::env::var_os("CHASE_TEST_TOURNAMENT") else {
        return;
    };
    let directory = Path::new(&directory);
    let mut tournament = if directory.join("meta.json").exists() {
        resume(directory, &[]).unwrap()
    } else {
        Tournament::<Chase>::create(directory, config(SMALL, &["pairs=20"])).unwrap()
    };
    assert_eq!(play(&mut tournament), TournamentEnd::Complete);
    tournament.write_report().unwrap();
}

fn start(directory: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "tournaments::child", "--nocapture"]);
    command
        .env("CHASE_TEST_TOURNAMENT", directory)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().unwrap()
}

#[test]
fn a_tournament_that_is_killed_again_and_again_has_the_same_games() {
    let home = tempdir().unwrap();
    let straight = home.path().join("straight");
    let begin = Instant::now();
    assert!(start(&straight).wait().unwrap().success());
    let whole = begin.elapsed();
    let killed = home.path().join("killed");
    kill_again_and_again(&killed, whole, 5, start);
    assert_same(&killed, &straight);
}
