//! `chase analyse` as people and programs meet it.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use chase_fixtures::untrained;
use serde_json::{Value, json};

use super::program::fed;

const START: &str = "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w";
/// Where White has two dice to choose from, to absorb.
const CHOICE: &str = "4a1C2/1d2BcC2/6Ad1/B3C4/7B1/dA7/1e7/d8/9 w";

fn chase(args: &[&str], input: &str) -> Output {
    fed(Path::new("."), &[&["analyse"][..], args].concat(), input.as_bytes())
}

fn answers(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A checkpoint of a small network that has learned nothing.
fn checkpoint() -> PathBuf {
    let home = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("analyse");
    let folder = home.join("untrained");
    let _ = std::fs::remove_dir_all(&home);
    std::fs::create_dir_all(&home).unwrap();
    untrained(&folder, 5);
    folder
}

#[test]
fn one_position_is_one_object_with_everything_in_it() {
    let folder = checkpoint();
    let (folder, number) = (folder.to_str().unwrap(), |value: &Value| value.as_f64().unwrap());
    for (position, args) in [
        (START, &[folder][..]),
        (CHOICE, &[folder]),
        (START, &["uniform"]),
        (CHOICE, &["rollouts"]),
        (START, &[]),
    ] {
        let args: Vec<&str> = ["--position", position, "--simulations", "64", "--json"]
            .iter()
            .chain(args)
            .copied()
            .collect();
        let output = chase(&args, "");
        assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["position"], format!("{position} 0 1"));
        assert_eq!(
            (&answer["to_move"], &answer["simulations"]),
            (&json!("white"), &json!(64))
        );
        let actions = answer["actions"].as_array().unwrap();
        assert_eq!(actions.len(), if position == START { 46 } else { 2 });
        let sum = |key: &str| actions.iter().map(|action| number(&action[key])).sum::<f64>();
        assert_eq!(sum("visits"), 64.0);
        assert!((sum("prior") - 1.0).abs() < 1e-4, "{}", sum("prior"));
        let wdl = &answer["wdl"];
        let (win, draw, loss) = (number(&wdl["win"]), number(&wdl["draw"]), number(&wdl["loss"]));
        assert!((win + draw + loss - 1.0).abs() < 1e-5 && (win - loss - number(&answer["value"])).abs() < 1e-5);
        // The position's mean is over its own evaluation and the visits of its actions.
        let visited = actions.iter().filter(|action| !action["q"].is_null());
        let total: f64 = visited
            .map(|action| number(&action["q"]) * number(&action["visits"]))
            .sum();
        let mean = (total + number(&answer["evaluation"])) / 65.0;
        assert!((mean - number(&answer["value"])).abs() < 1e-4, "{mean}: {answer}");
        assert_eq!(answer["best_action"], actions[0]["action"]);
        assert_eq!(answer["best_action"], answer["principal_variation"][0]);
        let evaluator = answer["evaluator"].as_str().unwrap();
        assert!(
            args.iter().any(|arg| evaluator.ends_with(arg)) || evaluator == "net:agent-71",
            "{evaluator}"
        );
    }
}

#[test]
fn an_efficiently_updatable_network_searches_by_alpha_beta() {
    let whole = |args: &[&str]| -> Value {
        let output = chase(&[args, &["--json"]].concat(), "");
        assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let number = |value: &Value| value.as_f64().unwrap();
    let named = ["nnue-57", "nnue:nnue-57", "models/agents/nnue-57"];
    let repository = env!("CARGO_MANIFEST_DIR");
    let answers = named.map(|name| {
        let path = match name.contains('/') {
            true => format!("{repository}/{name}"),
            false => name.to_owned(),
        };
        let mut answer = whole(&[&path, "--nodes", "20000", "--top", "3", "--lines"]);
        assert!(
            answer["evaluator"]
                .as_str()
                .unwrap()
                .ends_with(name.rsplit(':').next().unwrap())
        );
        (answer["evaluator"], answer["seconds"]) = (json!(null), json!(null));
        answer
    });
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    let answer = &answers[0];
    assert_eq!((&answer["stop"], &answer["simulations"]), (&json!("nodes"), &json!(0)));
    assert!(
        number(&answer["nodes"]) > 19_000.0 && number(&answer["depth"]) >= 3.0,
        "{answer}"
    );
    let actions = answer["actions"].as_array().unwrap();
    assert_eq!((actions.len(), &answer["legal_actions"]), (3, &json!(46)));
    assert_eq!(answer["best_action"], actions[0]["action"]);
    assert_eq!((&answer["value"], &answer["wdl"]), (&actions[0]["q"], &json!(null)));
    for action in actions {
        assert_eq!(action["line"][0], action["action"]);
        assert_eq!((&action["prior"], &action["visits"]), (&json!(null), &json!(0)));
    }
    // One action alone is the same best action, more deeply searched.
    let one = whole(&["nnue-57", "--nodes", "20000", "--top", "1"]);
    assert!(number(&one["depth"]) >= number(&answer["depth"]));
    // The end of a game is found, for the winner and for the loser.
    let won = whole(&[
        "nnue-57",
        "--position",
        "f1f1f3e/9/9/9/b4D3/9/9/9/ABC1EDCBA w",
        "--top",
        "1",
    ]);
    assert_eq!(
        (&won["stop"], &won["proven"], &won["value"], &won["best_action"]),
        (&json!("proven"), &json!("white"), &json!(1.0), &json!("E6E"))
    );
    let over = whole(&["nnue-57", "--position", "f1f1f3e/9/9/9/5D3/9/9/9/ABC1EDCBA b"]);
    assert_eq!((&over["stop"], &over["value"]), (&json!("game-over"), &json!(-1.0)));
    // It is who is asked where nobody is named.
    let text = chase(&["--nodes", "3000"], "");
    let text = String::from_utf8(text.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let table = lines.iter().position(|line| line.starts_with("action ")).unwrap();
    assert!(lines[table].ends_with("plies       Q  score %"), "{text}");
    assert!(
        text.contains(" nodes, ") && lines[table + 6].starts_with("and 41 more actions"),
        "{text}"
    );
    for (args, says) in [
        (&["nnue-57", "--simulations", "9"][..], "counts nodes: use --nodes"),
        (
            &["agent-71", "--nodes", "9"],
            "net:agent-71 counts simulations: use --simulations",
        ),
        (&["--nodes", "9", "--stream"], "use --simulations"),
        (&["nnue-57", "--simulations", "9", "--stream"], "use --nodes"),
        (&["nnue-57,temperature=1"], "expected a player without chance"),
        (&["random"], "expected a player that searches"),
        (&["nnue:nowhere"], "nowhere: there is no such folder"),
        (&["nnue-57", "--game", "checkers"], "no such networks for checkers"),
    ] {
        let output = chase(args, "");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains(says) && output.stdout.is_empty(), "{args:?}: {error}");
    }
}

#[test]
fn a_stream_by_alpha_beta_answers_as_single_analyses_do() {
    let output = chase(
        &["nnue-57", "--stream", "--nodes", "5000"],
        "{\"id\": \"usual\", \"top\": 2}\n{\"id\": \"more\", \"nodes\": 20000, \"top\": 2}\n{\"id\": \"bad\", \"simulations\": 9}\n",
    );
    assert_eq!(output.status.code(), Some(2));
    let answers = answers(&output);
    let of = |id: &str| answers.iter().find(|answer| answer["id"] == id).unwrap();
    assert!(of("bad")["error"].as_str().unwrap().starts_with("simulations: "));
    for (id, nodes) in [("usual", "5000"), ("more", "20000")] {
        let alone = chase(&["nnue-57", "--nodes", nodes, "--top", "2", "--json"], "");
        let mut alone: Value = serde_json::from_slice(&alone.stdout).unwrap();
        let mut answer = of(id).clone();
        assert_eq!(answer["final"], json!(true));
        for value in [&mut alone, &mut answer] {
            for own in ["id", "final", "evaluator", "seconds"] {
                value.as_object_mut().unwrap().remove(own);
            }
        }
        assert_eq!(answer, alone, "{id}");
    }
}

/// Any evaluator with any search answers, within the limits of the player where the command line sets none.
#[test]
fn any_pairing_of_an_evaluator_and_a_search_can_be_asked() {
    for (player, unit, count) in [
        ("nnue-57,search=puct,simulations=40", "simulations", 40),
        ("agent-71,search=alpha-beta,nodes=40", "nodes", 41),
        ("alpha-beta:nodes=300", "nodes", 301),
        ("heuristic:simulations=30", "simulations", 30),
        ("agent-71,search=gumbel,simulations=20", "simulations", 20),
    ] {
        let output = chase(&[player, "--json", "--top", "2", "--lines"], "");
        assert_eq!(output.status.code(), Some(0), "{player}: {output:?}");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        let counted = answer[unit].as_u64().unwrap();
        // One ply of alpha-beta is always searched, whatever it takes.
        let enough = unit == "nodes" && counted >= count;
        assert!(enough || counted == count, "{player}: {answer}");
        assert_eq!(answer["actions"][0]["line"][0], answer["best_action"], "{player}");
    }
}

#[test]
fn people_get_a_board_and_a_table() {
    let output = chase(&["--simulations", "100", "--top", "3", "--moves", "A3D2 1I4I3"], "");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[1].starts_with("I    : (1) (2) (4) (3)"), "{text}");
    let verdict = lines.iter().position(|line| line.starts_with("best: ")).unwrap();
    assert!(lines[verdict].contains(" for white (win "), "{text}");
    assert!(lines[verdict + 1].starts_with("100 simulations in "), "{text}");
    let table = lines.iter().position(|line| line.starts_with("action ")).unwrap();
    assert_eq!(lines.len(), table + 5, "{text}");
    assert!(lines[table + 4].starts_with("and 40 more actions"), "{text}");
    let over = chase(&["--position", "f1f1f3e/9/9/9/5D3/9/9/9/ABC1EDCBA b"], "");
    let text = String::from_utf8(over.stdout).unwrap();
    assert!(text.ends_with("the game is over: white (four dice)\n"), "{text}");
}

/// The fenced blocks of a page whose language is `jsonl` and then this word.
fn blocks<'a>(page: &'a str, word: &str) -> Vec<&'a str> {
    let fence = format!("```jsonl {word}\n");
    page.split(fence.as_str())
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect()
}

#[test]
fn the_examples_of_the_page_are_what_comes_out() {
    let page = include_str!("../../docs/src/reference/analysis.md");
    let (requests, expected) = (blocks(page, "requests"), blocks(page, "answers"));
    assert_eq!((requests.len(), expected.len()), (1, 1));
    let output = chase(&["uniform", "--stream"], requests[0]);
    // There is a bad request among them.
    assert_eq!(output.status.code(), Some(2));
    // Neither how long a search takes is fixed, nor which line is answered first.
    let comparable = |answers: Vec<Value>| {
        let timeless = answers.into_iter().map(|mut answer| {
            if let Some(seconds) = answer.get_mut("seconds") {
                *seconds = json!(0.0);
            }
            answer
        });
        let mut lines: Vec<String> = timeless.map(|answer| answer.to_string()).collect();
        lines.sort();
        lines
    };
    let expected = expected[0]
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let found = comparable(answers(&output));
    assert_eq!(
        found,
        comparable(expected),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
}

#[test]
fn answers_come_while_the_input_is_still_open() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_chase"))
        .args(["analyse", "--stream"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || -> Value { serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap() };
    // This one would go on for an hour.
    writeln!(input, r#"{{"id": "long", "milliseconds": 3600000, "top": 0}}"#).unwrap();
    writeln!(input, r#"{{"id": "short", "simulations": 10, "top": 0}}"#).unwrap();
    let short = next();
    assert_eq!((&short["id"], &short["simulations"]), (&json!("short"), &json!(10)));
    writeln!(input, "nonsense").unwrap();
    assert!(next()["error"].as_str().unwrap().starts_with("expected a request"));
    writeln!(input, r#"{{"action": "terminate", "id": "long"}}"#).unwrap();
    assert_eq!(next()["stopped"], 1);
    let long = next();
    assert_eq!(
        (&long["id"], &long["stop"], &long["final"]),
        (&json!("long"), &json!("stopped"), &json!(true))
    );
    assert!(long["simulations"].as_u64() >= Some(10));
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[test]
fn a_line_that_is_too_long_or_no_text_does_not_stop_the_rest() {
    let input = format!(
        "{}\n\n\u{fffd}\n{{\"id\": \"a\", \"simulations\": 1, \"top\": 0}}",
        "x".repeat(1 << 21)
    );
    let output = chase(&["--stream"], &input);
    assert_eq!(output.status.code(), Some(2));
    let answers = answers(&output);
    assert_eq!(answers.len(), 3);
    assert!(
        answers[0]["error"]
            .as_str()
            .unwrap()
            .starts_with("expected a line of less than 1048576 bytes")
    );
    assert!(answers[1]["error"].as_str().unwrap().starts_with("expected a request"));
    assert_eq!((&answers[2]["id"], &answers[2]["visits"]), (&json!("a"), &json!(2)));
    let good = chase(&["--stream"], r#"{"id": "a", "simulations": 1}"#);
    assert_eq!(good.status.code(), Some(0));
}
