//! `chase moves` as other programs meet it.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use super::program::fed;

const START: &str = "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w";

fn chase(args: &[&str], input: &[u8]) -> Output {
    fed(Path::new("."), args, input)
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn moves_prints_an_object_a_line() {
    let lost = "f1f1f3e/9/9/9/5D3/9/9/9/ABC1EDCBA b 0 1";
    let drawn = "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w 100 90";
    let output = chase(&["moves"], format!("{START}\n{lost}\r\n{drawn}").as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let lines: Vec<Value> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(
        (&lines[0]["position"], &lines[0]["outcome"]),
        (&json!(START), &Value::Null)
    );
    assert_eq!(lines[0]["actions"].as_array().unwrap().len(), 46);
    let first = json!({
        "action": "A3NW",
        "text": "A3D2",
        "index": 164,
        "result": "abcdedcba/9/9/9/9/1C7/9/9/AB1DEDCBA b 1 1",
    });
    assert!(lines[0]["actions"].as_array().unwrap().contains(&first), "{}", lines[0]);
    assert_eq!(lines[1], json!({"position": lost, "actions": [], "outcome": "white"}));
    assert_eq!(lines[2]["outcome"], "draw");
}

#[test]
fn a_bad_line_does_not_stop_the_rest() {
    let mut input = b"nonsense\n\n\xff\xfe\n".to_vec();
    input.extend_from_slice("x".repeat(100_000).as_bytes());
    input.extend_from_slice(format!("\n{START}\n").as_bytes());
    let output = chase(&["moves"], &input);
    assert_eq!(output.status.code(), Some(2));
    let lines: Vec<Value> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 5);
    for line in &lines[..4] {
        assert!(line["error"].as_str().unwrap().starts_with("expected"), "{line}");
        assert_eq!(line["actions"], Value::Null);
    }
    assert_eq!(lines[0]["span"], json!([0, 1]));
    assert_eq!(lines[4]["actions"].as_array().unwrap().len(), 46);
}

#[test]
fn a_reader_that_has_enough_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_chase"))
        .arg("moves")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let lines = format!("{START}\n").repeat(100);
    // It may end before it has read them all.
    let _ = child.stdin.take().unwrap().write_all(lines.as_bytes());
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), &*told), (Some(0), ""));
}

/// A program may keep it open and write a line when it has read the answer to the one before.
#[test]
fn each_line_is_answered_before_the_next_is_written() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_chase"))
        .arg("moves")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        writeln!(input, "{START}").unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["actions"].as_array().unwrap().len(), 46);
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}
