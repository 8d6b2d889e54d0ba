//! `chase solve --stream`: positions from standard input, answers as JSON lines.

use std::path::Path;
use std::process::Output;

use serde_json::Value;

use super::program::fed;

fn solve(args: &[&str], input: &str) -> Output {
    fed(Path::new("."), &[&["solve"][..], args].concat(), input.as_bytes())
}

/// The position of Problem 1, Grey to move, and one of Problem 2, White to move.
const PROBLEMS: [&str; 2] = [
    "2f3f2/9/1D1f1f3/3E2D1E/3a5/9/8C/D8/9 b",
    "1f1f1f1e1/9/9/9/9/9/Cb3D3/9/F1F1F4 w",
];

#[test]
fn each_line_has_its_answer_and_a_bad_one_an_error() {
    let input = format!("{}\nnonsense\n{}\n", PROBLEMS[0], PROBLEMS[1]);
    let output = solve(&["--stream", "--within", "1", "--actions", "--nodes", "1000"], &input);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [first, error, second] = &answers[..] else {
        panic!("{text}")
    };
    assert_eq!(
        (first["attacker"].as_str(), first["verdict"].as_str()),
        (Some("black"), Some("disproved"))
    );
    assert_eq!(
        (error["position"].as_str(), error["span"][1].as_u64()),
        (Some("nonsense"), Some(1))
    );
    assert_eq!(
        (second["attacker"].as_str(), second["verdict"].as_str()),
        (Some("white"), Some("proved"))
    );
    let actions = second["actions"].as_array().unwrap();
    let winning = actions.iter().filter(|action| action["verdict"] == "proved");
    assert_eq!(
        winning
            .map(|action| action["action"].as_str().unwrap())
            .collect::<Vec<_>>(),
        ["C6E", "C6W"]
    );
}
