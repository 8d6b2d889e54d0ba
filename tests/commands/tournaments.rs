//! `chase match` and `chase tournament` as people and shells meet them.

use std::fs;
use std::process::{Command, Stdio};

use chase_fixtures::wait_until;
use serde_json::Value;

use super::program::{chase, home, refused, run, text};

#[test]
fn a_match_leaves_games_records_and_a_report() {
    let home = home("match");
    let args = [
        "match",
        "strong=greedy",
        "random",
        "--pairs",
        "4",
        "--openings",
        "none",
        "--seed",
        "3",
        "--json",
    ];
    let output = run(&home, &args);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&result["ended"], &result["directory"]),
        (&"complete".into(), &"runs/match-3".into())
    );
    assert_eq!(result["standings"]["players"][0]["name"], "strong");
    let directory = home.join("runs/match-3");
    for file in [
        "config.toml",
        "meta.json",
        "players.json",
        "records.txt",
        "report.json",
        "report.html",
    ] {
        assert!(directory.join(file).is_file(), "{file}");
    }
    assert_eq!(
        fs::read_to_string(directory.join("games.jsonl"))
            .unwrap()
            .lines()
            .count(),
        8
    );
    // The same again goes to a directory of its own, and in words.
    let output = run(&home, &args[..9]);
    let words = text(&output.stdout);
    assert!(
        words.contains("strong – random: ") && words.contains("directory  runs/match-3-2"),
        "{words}"
    );
    // One difference of the two, on one scale: no table of ratings.
    assert!(words.contains(" Elo ") && !words.contains("bootstrap"), "{words}");
    let games = |name: &str| fs::read(home.join(name).join("games.jsonl")).unwrap();
    assert!(games("runs/match-3") == games("runs/match-3-2"));
}

#[test]
fn a_test_that_does_not_accept_the_higher_hypothesis_is_a_negative_answer() {
    let home = home("sprt");
    let exit = |players: [&str; 2], directory: &str, pairs: &str| {
        // The players may stand behind the test.
        let mut args = vec!["match", "--sprt", "elo0=0,elo1=100", players[0], players[1]];
        args.extend(["--pairs", pairs, "--run-dir", directory]);
        let output = run(&home, &args);
        (output.status.code(), text(&output.stdout))
    };
    let (code, words) = exit(["random", "greedy"], "worse", "200");
    assert!(
        code == Some(1) && words.contains("the lower value is accepted"),
        "{code:?} {words}"
    );
    let (code, words) = exit(["greedy", "other=greedy"], "open", "2");
    assert!(code == Some(1) && words.contains(": undecided"), "{code:?} {words}");
    let (code, words) = exit(["greedy", "random"], "better", "200");
    assert!(
        code == Some(0) && words.contains("the higher value is accepted"),
        "{code:?} {words}"
    );
}

#[test]
fn bad_input_is_told_and_ends_in_code_2() {
    let home = home("bad");
    fs::write(
        home.join("typo.toml"),
        "players = ['random', 'greedy']\nopening = 'none'\n",
    )
    .unwrap();
    fs::write(home.join("lines.txt"), "A3NW\nA3XX\n").unwrap();
    for (args, message) in [
        (&["match", "random", "greedie"][..], "unknown player `greedie`"),
        (&["match", "random"], "2 values required"),
        (
            &["match", "random", "random"],
            "both players are called `random`: expected different names, as in 'a=random' 'b=random'",
        ),
        (
            &["match", "random", "greedy", "--pairs", "0"],
            "expected a whole number from 1 to 10000000",
        ),
        (
            &["match", "random", "greedy", "--sprt", "elo=1"],
            "unknown key `sprt.elo`; the nearest known one is `sprt.elo0`",
        ),
        (
            &["match", "random", "greedy", "--openings", "book"],
            "unknown openings `book`",
        ),
        (
            &["match", "random", "greedy", "--openings", "file:lines.txt"],
            "error: lines.txt: opening 2, ply 1: `A3XX`",
        ),
        (
            &["match", "--resume", "nowhere"],
            "nowhere: there is no such folder: expected a match or a tournament",
        ),
        (&["tournament"], "<FILE>"),
        (&["tournament", "missing.toml"], "cannot read missing.toml"),
        (
            &["tournament", "typo.toml"],
            "typo.toml: unknown key `opening`; the nearest known one is `openings`",
        ),
    ] {
        refused(&home, args, message);
    }
    assert!(!home.join("runs").exists(), "what cannot begin leaves nothing behind");
}

#[test]
fn ctrl_c_stops_cleanly_and_resume_goes_on() {
    let home = home("interrupt");
    let config = "players = ['greedy', 'random', 'weak=greedy:blunders=0.5']\npairs = 300\nbootstrap = 100\n";
    fs::write(home.join("three.toml"), config).unwrap();
    let output = run(&home, &["tournament", "three.toml", "--run-dir", "straight", "-q"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let games = |name: &str| fs::read(home.join(name).join("games.jsonl")).unwrap_or_default();
    let stopped = || {
        let _ = fs::remove_dir_all(home.join("stopped"));
        let mut command = chase(&home, &["tournament", "three.toml", "--run-dir", "stopped"]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        wait_until("the first games", || !games("stopped").is_empty());
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        child.wait_with_output().unwrap()
    };
    // On a busy machine the signal may come when all is done; then it is sent again.
    let mut attempts = (0..100).map(|_| stopped());
    let output = attempts
        .find(|_| games("stopped").len() < games("straight").len())
        .unwrap();
    let words = text(&output.stdout);
    assert_eq!(output.status.code(), Some(130), "{words}");
    assert!(
        words.contains("continue with: chase tournament --resume stopped"),
        "{words}"
    );
    assert!(words.contains("ratings: Bradley-Terry with draws"), "{words}");
    let refused = run(&home, &["tournament", "--resume", "stopped", "--seed", "2"]);
    let told = text(&refused.stderr);
    assert!(
        refused.status.code() == Some(2)
            && told.contains("the match or tournament cannot continue with seed = 2 (was "),
        "{told}"
    );
    let output = run(
        &home,
        &["tournament", "three.toml", "--resume", "stopped", "--threads", "1"],
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(games("stopped") == games("straight"));
}

#[test]
fn a_question_about_an_opening_is_a_match_that_can_be_made_longer() {
    let home = home("opening");
    let players = ["a=greedy:blunders=0.5", "b=greedy:blunders=0.5"];
    let begin = |pairs, directory| {
        let opening = [
            "--openings",
            "moves:1A6A7",
            "--pairs",
            pairs,
            "-q",
            "--run-dir",
            directory,
        ];
        run(&home, &[&["match"][..], &players, &opening].concat())
    };
    let output = begin("4", "m");
    let words = text(&output.stdout);
    assert!(output.status.success() && words.contains("White scores "), "{words}");
    let longer = run(&home, &["match", "--resume", "m", "--pairs", "9", "-q"]);
    let told = text(&longer.stderr);
    assert!(
        longer.status.success() && text(&longer.stdout).contains(" in 18 games"),
        "{told}"
    );
    assert!(begin("9", "straight").status.success());
    let games = |name: &str| fs::read_to_string(home.join(name).join("games.jsonl")).unwrap();
    assert!(games("m") == games("straight"));
    assert!(games("m").lines().all(|line| line.contains("\"actions\":[\"1A6A7\",")));
    refused(
        &home,
        &["match", "--resume", "m", "--pairs", "8"],
        "pairs is 8, expected 9 or more",
    );
    refused(
        &home,
        &["match", "random", "greedy", "--openings", "moves:A3D9"],
        "opening 1, ply 1: `A3D9`",
    );
    assert!(!home.join("runs").exists());
}

#[test]
fn a_tournament_takes_its_players_from_the_command_line() {
    let home = home("players");
    let output = run(
        &home,
        &["tournament", "random", "strong=greedy", "greedy", "--pairs", "2"],
    );
    let words = text(&output.stdout);
    assert!(
        output.status.success() && words.contains("directory  runs/tournament-1\n"),
        "{output:?}"
    );
    // In a log that is all that is heard of it while it plays.
    assert_eq!(text(&output.stderr), "the games go to runs/tournament-1\n");
    let players = fs::read_to_string(home.join("runs/tournament-1/standings.csv")).unwrap();
    let names: Vec<&str> = players
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').next())
        .collect();
    assert_eq!(names.len(), 3, "{players}");
    assert!(names.contains(&"strong") && home.join("runs/tournament-1/cross-table.csv").is_file());
    // The report alone is written anew.
    let again = run(
        &home,
        &[
            "tournament",
            "--resume",
            "runs/tournament-1",
            "--set",
            "anchor=strong",
            "--json",
        ],
    );
    let again: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(
        (&again["standings"]["anchor"], &again["standings"]["games"]),
        (&"strong".into(), &12.into())
    );
    for (args, message) in [
        (
            &["tournament", "random"][..],
            "expected a configuration, or two players or more",
        ),
        (
            &["tournament", "random", "rnadom"],
            "unknown player `rnadom` (did you mean random?)",
        ),
        (
            &["tournament", "random", "random"],
            "players is twice `random`, expected only once",
        ),
        (
            &["tournament", "random", "greedy", "--resume", "runs/tournament-1"],
            "a resumed tournament has its players already",
        ),
    ] {
        refused(&home, args, message);
    }
}
