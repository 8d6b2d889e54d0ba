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
