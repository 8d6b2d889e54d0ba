//! Standings: what follows from the games of a tournament, and what does not.

use std::fs;

use chase_arena::tournament::{Standings, TournamentEnd, TournamentResults};
use chase_arena::{Efforts, GameResult, PairResult};
use chase_engine::chase::Rules;
use chase_engine::{Chase, Outcome, Player, Record};
use chase_statistics::{Standing, elo_from_score};
use serde_json::Value;
use tempfile::tempdir;

use super::tournaments::{SMALL, config, games, play, played, resume};

#[test]
fn standings_follow_from_the_games() {
    let home = tempdir().unwrap();
    let directory = played(
        home.path(),
        "small",
        SMALL,
        &["anchor=weak", "format=gauntlet", "challengers=2"],
    );
    let mut tournament = resume(&directory, &[]).unwrap();
    assert_eq!(play(&mut tournament), TournamentEnd::Complete);
    let standings = Standings::new(tournament.results(), 100);
    assert_eq!((standings.games, standings.of, standings.matches.len()), (96, 96, 6));
    let lines: Vec<Value> = String::from_utf8(games(&directory))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let count = |player: &str, colour: &str, outcome: &str| {
        let games = lines
            .iter()
            .filter(|game| game[colour] == player && game["outcome"] == outcome);
        games.count() as u32
    };
    for player in &standings.players {
        let name = &player.name;
        let wins = count(name, "white", "white") + count(name, "black", "black");
        let truncated = count(name, "white", "truncated") + count(name, "black", "truncated");
        assert_eq!((player.games.wins, player.games.truncated), (wins, truncated), "{name}");
    }
    let white = lines.iter().filter(|game| game["outcome"] == "white").count();
    assert_eq!(standings.white.wins as usize, white);
    let of_openings: u32 = standings.openings.iter().map(|opening| opening.games.played()).sum();
    assert_eq!((of_openings, standings.whole_openings), (96, false));
    let of_reasons: u64 = standings.end_reasons.values().sum();
    assert_eq!((of_reasons, standings.repeated_games), (96, 0));
    let rating = |name: &str| {
        standings
            .players
            .iter()
            .find(|player| player.name == name)
            .unwrap()
            .rating
    };
    assert_eq!(rating("weak").elo(), Some(0.0));
    let rated: Vec<f64> = standings
        .players
        .iter()
        .filter_map(|player| player.rating.elo())
        .collect();
    assert!(rated.len() > 1 && rated.is_sorted_by(|a, b| a >= b), "{rated:?}");
    // Rollouts of two and four simulations are one player with more and less of them.
    assert_eq!(standings.simulations.len(), 1);
    let expected = [(2, "rollouts:simulations=2".to_owned()), (4, "more".to_owned())];
    assert_eq!(standings.simulations[0].players, expected);
    // The records are the games.
    let text = fs::read_to_string(directory.join("records.txt")).unwrap();
    let records: Result<Vec<Record<Chase>>, _> = Record::read_all(&text, &Rules::default()).collect();
    let records = records.unwrap();
    assert_eq!(records.len(), 96);
    for (record, line) in records.iter().zip(&lines) {
        assert_eq!(record.tag("White"), line["white"].as_str());
        assert_eq!(record.actions().len(), line["actions"].as_array().unwrap().len());
        let (outcome, _) = record.end().unwrap();
        assert_eq!(outcome.name(), line["outcome"]);
    }
    let page = fs::read_to_string(directory.join("report.html")).unwrap();
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..roxmltree::ParsingOptions::default()
    };
    let tree = roxmltree::Document::parse_with_options(&page, options).unwrap();
    assert!(
        !tree
            .descendants()
            .any(|node| ["script", "link", "img"].contains(&node.tag_name().name()))
    );
    for bad in ["NaN", "inf ", "\"inf"] {
        assert!(!page.contains(bad), "{bad}");
    }
}

#[test]
fn one_score_has_one_interval_and_the_number_of_its_own_games() {
    let home = tempdir().unwrap();
    // Greedy play from one opening; some games are cut off.
    let text = "players = ['a=greedy:blunders=0.5', 'b=greedy:blunders=0.5']
        openings = 'moves:A3D2'
        pairs = 30
        bootstrap = 0
        max_plies = 60";
    let directory = played(home.path(), "one", text, &[]);
    let (standings, _) = resume(&directory, &[]).unwrap().write_report().unwrap();
    let (white, opening) = (standings.white_score.unwrap(), &standings.openings[0]);
    assert_eq!((opening.actions.as_str(), standings.openings.len()), ("A3NW", 1));
    let truncated = standings.white.truncated;
    assert!(
        truncated > 0 && white.units < 30,
        "{truncated} truncated, {} units",
        white.units
    );
    assert_eq!(
        (opening.score, opening.scored),
        (Some(white), 2 * u64::from(white.units))
    );
    let again = "A match of 30 pairs has 1 opening: after the last one the first comes again.";
    assert!(
        standings.notes.iter().any(|note| note == again),
        "{:?}",
        standings.notes
    );
}

#[test]
fn players_and_matches_are_tables_too_and_a_better_anchor_is_named() {
    let home = tempdir().unwrap();
    let text =
        "players = ['random', 'alpha-beta:depth=1,blunders=0.1', 'x, y=alpha-beta:depth=1,blunders=0.1', 'greedy']
        pairs = 12
        bootstrap = 100";
    let directory = played(home.path(), "four", text, &[]);
    let (standings, _) = resume(&directory, &[]).unwrap().write_report().unwrap();
    let read = |name: &str| fs::read_to_string(directory.join(name)).unwrap();
    let (players, matches) = (read("standings.csv"), read("cross-table.csv"));
    assert_eq!((players.lines().count(), matches.lines().count()), (5, 7));
    assert!(players.contains("\n\"x, y\",\"alpha-beta:"), "{players}");
    let first = &standings.matches[0];
    let [one, other] = &first.players;
    let (won, score) = (first.games.wins, first.score.as_ref().unwrap().score);
    let row = matches.lines().nth(1).unwrap();
    assert!(
        row.starts_with(&format!("{one},\"{other}\",{won},")) && row.contains(&format!(",{score},")),
        "{row}"
    );
    // Nobody lost a point to random play.
    let rated = standings.players.iter().filter(|player| player.rating.elo().is_some());
    assert_eq!(rated.count(), 1, "{standings:?}");
    let hint = standings.notes.iter().find(|note| note.contains("as the anchor"));
    let hint = hint.expect("a better anchor");
    assert!(hint.contains("2 of the 4 players have ratings instead of 1"), "{hint}");
}

#[test]
fn degenerate_tournaments_say_what_is_wrong_with_them() {
    let home = tempdir().unwrap();
    let report = |name: &str, text: &str| {
        let directory = played(home.path(), name, text, &["pairs=3", "bootstrap=100"]);
        let tournament = resume(&directory, &[]).unwrap();
        tournament.write_report().unwrap().0
    };
    let told = |standings: &Standings, text: &str| {
        let notes = &standings.notes;
        assert!(
            notes.iter().any(|note| note.contains(text)),
            "`{text}` is not in {notes:?}"
        );
    };
    // All games won: bounds, and no infinity.
    let won = report("won", "players = ['alpha-beta:depth=1', 'random']");
    assert!(matches!(won.players[1].rating, Standing::AtMost { .. }), "{won:?}");
    told(&won, "Only an upper bound is known for ");
    let beaten = report("beaten", "players = ['random', 'alpha-beta:depth=1']");
    assert!(
        matches!(beaten.players[0].rating, Standing::AtLeast { .. }),
        "{beaten:?}"
    );
    assert_eq!(beaten.players[0].bootstrap.unwrap().high, None);
    told(&beaten, "Only a lower bound is known for ");
    // A match has one bound, that of Clopper and Pearson for its pairs, all of which one player won.
    let of_match = |standings: &Standings, sign: f64| {
        let pairs = standings.matches[0].score.as_ref().unwrap().units;
        elo_from_score(40_f64.powf(-1.0 / f64::from(pairs))).map(|elo| sign * elo)
    };
    for (standings, expected) in [(&won, of_match(&won, -1.0)), (&beaten, of_match(&beaten, 1.0))] {
        let found = standings.players.iter().map(|player| player.rating.interval());
        let found = found.map(|interval| interval.low.xor(interval.high));
        assert_eq!(
            found.collect::<Vec<_>>().into_iter().flatten().next(),
            expected,
            "{standings:?}"
        );
    }
    // Where every pair is won once by either, there is nothing to draw tables from.
    let even = config("players = ['a=random', 'b=random']\npairs = 3", &[]);
    let mut results = TournamentResults::new(&even);
    let game = |outcome| GameResult {
        outcome,
        reason: "test".into(),
        plies: 1,
        opening_plies: 0,
        start: None,
        actions: vec!["A1E".into()],
        effort: Efforts::default(),
    };
    let pair = |pair| PairResult {
        pair,
        games: [Player::White, Player::White].map(|player| game(Outcome::Win(player))),
    };
    let unit = results.schedule().units()[0].clone();
    results.take(&unit, &[0, 1, 2].map(pair));
    let even = Standings::new(&results, 100);
    assert_eq!((even.bootstrap, even.first_move_bootstrap), (100, None));
    // No game has a result.
    let cut = report("cut", "players = ['random', 'greedy']\nmax_plies = 6");
    assert!(cut.white_score.is_none() && cut.matches[0].score.is_none());
    told(
        &cut,
        "There are no ratings: the anchor `random` has no game with a result; players with such games: none.",
    );
    told(&cut, "6 of 6 games were stopped by a length limit.");
    told(&cut, "The other game of a pair with one of them counts in the ratings");
    // All games are drawn: tables that are drawn from such pairs say nothing of chance.
    let alike = "players = ['a=random', 'b=random']\nopenings = 'none'\n[rules]\nquiet_turns = 1";
    let alike = report("alike", alike);
    assert_eq!(
        alike
            .players
            .iter()
            .find(|player| player.name == "b")
            .unwrap()
            .bootstrap,
        None
    );
    // A game of one ply has 46 possible courses: of 60 games with the same colours, 14 at least are not new.
    let text = "players = ['a=random', 'b=random']\nopenings = 'none'\nmax_plies = 1\npairs = 60\nbootstrap = 0";
    let again = resume(&played(home.path(), "again", text, &[]), &[]).unwrap();
    let again = again.write_report().unwrap().0;
    assert!((28..=118).contains(&again.repeated_games), "{}", again.repeated_games);
    told(
        &again,
        "games repeat another game of the same players to the last action",
    );
}
