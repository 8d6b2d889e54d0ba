//! Players, matches and tournaments of other games than Chase.

use std::collections::HashSet;
use std::fs;
use std::sync::atomic::AtomicBool;

use chase_arena::tournament::{Tournament, TournamentConfig, TournamentEnd};
use chase_arena::{GameResult, Match, Openings, PlayerSpec};
use chase_engine::draughts::{Rules, Variation};
use chase_engine::{ConnectFour, Draughts};
use chase_models::device::Device;
use chase_training::settings::{Setting, Settings};
use serde_json::Value;
use tempfile::tempdir;

fn conditions() -> Match<Draughts> {
    Match {
        rules: Rules::standard(Variation::QueensNum),
        openings: Openings::Random { plies: 2 },
        seed: 5,
        max_plies: 60,
        pairs_at_once: 2,
    }
}

#[test]
fn both_games_of_a_pair_begin_with_the_same_numbers_and_pairs_with_others() {
    let contestant = |text: &str| {
        text.parse::<PlayerSpec>()
            .unwrap()
            .contestant::<Draughts>(Device::Cpu)
            .unwrap()
    };
    let (one, other) = (contestant("greedy"), contestant("random"));
    let played = conditions().play([&one, &other], 0..5, &|_| ()).unwrap();
    let mut starts = HashSet::new();
    for pair in &played.pairs {
        let [first, second] = pair.games.each_ref().map(|game| game.start.clone().unwrap());
        assert_eq!(first, second);
        starts.insert(first);
        for game in &pair.games {
            game.check::<Draughts>(&Rules::standard(Variation::QueensNum)).unwrap();
        }
    }
    assert_eq!(starts.len(), 5);
    // A part of a match is what it would be in the whole.
    let part = conditions().play([&one, &other], 3..4, &|_| ()).unwrap();
    assert_eq!(part.pairs[0], played.pairs[3]);
    let lost = GameResult {
        start: None,
        ..played.pairs[0].games[0].clone()
    };
    assert!(
        lost.check::<Draughts>(&Rules::standard(Variation::QueensNum)).is_err(),
        "it cannot be played from elsewhere"
    );
}

fn config(settings: &[&str]) -> TournamentConfig {
    let settings = Setting::list(settings);
    TournamentConfig::load(None, &settings).unwrap()
}

const SETTINGS: [&str; 6] = [
    "game=checkers-uni-num",
    "players=['random', 'greedy', 'alpha-beta:depth=2']",
    "pairs=3",
    "rules.max_turns=40",
    "bootstrap=0",
    "threads=2",
];

#[test]
fn a_tournament_that_is_cut_off_goes_on_as_if_it_had_not_been() {
    let home = tempdir().unwrap();
    let whole = home.path().join("whole");
    let mut tournament = Tournament::<Draughts>::create(&whole, config(&SETTINGS)).unwrap();
    let stop = AtomicBool::new(false);
    assert_eq!(tournament.play(&stop, &mut |_| {}).unwrap(), TournamentEnd::Complete);
    tournament.write_report().unwrap();
    drop(tournament);
    let games = fs::read_to_string(whole.join("games.jsonl")).unwrap();
    assert_eq!(games.lines().count(), 18);
    assert!(
        fs::read_to_string(whole.join("config.toml"))
            .unwrap()
            .starts_with("game = \"checkers-uni-num\"\n")
    );
    let records = fs::read_to_string(whole.join("records.txt")).unwrap();
    assert_eq!(records.matches("[Dark \"greedy\"]").count(), 6, "{records}");
    assert!(records.starts_with("[Game \"checkers-uni-num\"]\n"), "{records}");

    fs::write(whole.join("games.jsonl"), &games[..games.len() / 2]).unwrap();
    let resume = || {
        let settings = SETTINGS.map(Setting::from);
        Tournament::<Draughts>::resume(&whole, |began| TournamentConfig::load(Some(began), &settings))
    };
    let mut tournament = resume().unwrap();
    assert_eq!(tournament.play(&stop, &mut |_| {}).unwrap(), TournamentEnd::Complete);
    drop(tournament);
    assert_eq!(fs::read_to_string(whole.join("games.jsonl")).unwrap(), games);

    // A configuration that lost its end would still be one, with other defaults.
    let config = fs::read_to_string(whole.join("config.toml")).unwrap();
    let end = config.find("pairs = ").unwrap();
    fs::write(whole.join("config.toml"), &config[..end]).unwrap();
    let resumed = Tournament::<Draughts>::resume(&whole, |began| TournamentConfig::load(Some(began), &[]));
    let error = resumed.unwrap_err().to_string();
    assert!(error.contains("config.toml is damaged: its SHA-256 is "), "{error}");
    fs::write(whole.join("config.toml"), config).unwrap();

    // A game that claims to begin elsewhere is none of this tournament.
    let mut first: Value = serde_json::from_str(games.lines().next().unwrap()).unwrap();
    first["start"] = games
        .lines()
        .last()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["start"].take())
        .unwrap();
    let rest = games.split_once('\n').unwrap().1;
    fs::write(whole.join("games.jsonl"), format!("{first}\n{rest}")).unwrap();
    let error = resume().unwrap_err().to_string();
    assert!(error.contains("line 1, is damaged: recorded to begin at `"), "{error}");
    // Nor is it one of another game.
    let error = Tournament::<ConnectFour>::resume(&whole, |began| TournamentConfig::load(Some(began), &[]));
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("is a run of checkers-uni-num") && error.contains("expected connect-four"),
        "{error}"
    );
}

#[test]
fn who_cannot_judge_a_game_is_refused_with_its_name() {
    let greedy: PlayerSpec = "greedy".parse().unwrap();
    let error = greedy.contestant::<ConnectFour>(Device::Cpu).unwrap_err().to_string();
    assert_eq!(
        error,
        "player `greedy`: there is no heuristic for connect-four: expected random, rollouts or a network"
    );
    let balanced = [&SETTINGS[..], &["openings=balanced"]].concat();
    let home = tempdir().unwrap();
    let error = Tournament::<Draughts>::create(&home.path().join("t"), config(&balanced));
    let error = error.unwrap_err().to_string();
    assert!(error.contains("which checkers-uni-num does not have"), "{error}");
}

#[test]
fn alpha_beta_beats_who_looks_less_far() {
    let contestant = |text: &str| {
        text.parse::<PlayerSpec>()
            .unwrap()
            .contestant::<Draughts>(Device::Cpu)
            .unwrap()
    };
    let conditions = Match {
        rules: Rules::standard(Variation::StaxCyl),
        openings: Openings::Random { plies: 4 },
        seed: 3,
        max_plies: 400,
        pairs_at_once: 4,
    };
    let won = |one: &str, other: &str| {
        let result = conditions
            .play([&contestant(one), &contestant(other)], 0..12, &|_| ())
            .unwrap();
        result.games().wins
    };
    assert!(won("alpha-beta:depth=3", "random") >= 18, "of 24 games");
    assert!(won("alpha-beta:depth=3", "greedy") >= 18, "of 24 games");
}
