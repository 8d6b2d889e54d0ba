//! `chase study` as a person meets it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Output};

use serde_json::Value;

fn study(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chase"));
    command.arg("study").args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn exact_findings_need_nothing_and_are_the_same_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let report = |name: &str, threads: &str| -> (String, Value) {
        let json = folder.path().join(name);
        let page = folder.path().join("page.html");
        let [json_text, page_text] = [&json, &page].map(|path| path.to_str().unwrap());
        let args = [
            "--exact-only",
            "--json",
            json_text,
            "--page",
            page_text,
            "--threads",
            threads,
        ];
        let output = study(&args);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(std::fs::read_to_string(&page).unwrap().starts_with("<!DOCTYPE html>"));
        let json = serde_json::from_slice(&std::fs::read(&json).unwrap()).unwrap();
        (text(&output.stdout), json)
    };
    let (printed, one) = report("one.json", "1");
    let (again, two) = report("two.json", "3");
    assert_eq!((&printed, &one["claims"]), (&again, &two["claims"]));
    assert_eq!(
        (&one["schema"], one["claims"].as_array().unwrap().len()),
        (&1.into(), 24)
    );
    assert!(printed.contains("D4  supported"), "{printed}");
    assert!(printed.contains("C1  not tested"), "{printed}");
}

#[test]
fn bad_input_ends_with_code_2_and_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("study.toml");
    std::fs::write(&config, "[games]\nmargn = 1\n").unwrap();
    let [config, empty] = [&config, &folder.path().join("none")].map(|path| path.to_str().unwrap().to_owned());
    for (args, reason) in [
        (&["--run-dir", &empty][..], "nobody plays: expected a checkpoint"),
        (&["--config", &config], "nearest known one is `games.margin`"),
        (&["--resume", &empty], "is not a run"),
        (&["--checkpoint", &empty, "--run-dir", &empty], "none"),
        (&["--exact-only", "--set", "seed=1"], "cannot be used with"),
    ] {
        let output = study(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(
            text(&output.stderr).contains(reason),
            "{args:?}: {}",
            text(&output.stderr)
        );
    }
    assert!(!folder.path().join("none").join("meta.json").exists());
}
