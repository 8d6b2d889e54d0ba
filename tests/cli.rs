//! Commands as people meet them: whole transcripts, and the commands that README and help texts show.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Output, Stdio};

fn chase(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_chase")).args(args).output().unwrap()
}

/// `TRYCMD=overwrite cargo test --test cli` writes them anew: look at the difference before you commit it.
#[test]
fn commands_print_what_their_transcripts_show() {
    trycmd::TestCases::new().env("COLUMNS", "100").case("tests/cmd/*.md");
}

/// The commands among lines such as `echo x | chase moves > file    # a comment`, without what a shell makes of the
/// rest.
fn commands<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<Vec<String>> {
    let ours = lines.map(|line| line.split_once("| ").map_or(line, |(_, piped)| piped));
    let ours = ours.filter(|line| line.starts_with("chase "));
    let words = ours.map(|line| shlex::split(line).unwrap());
    let until = |words: Vec<String>| {
        words
            .into_iter()
            .take_while(|word| !["|", ">"].contains(&word.as_str()))
    };
    words.map(|words| until(words).collect()).collect()
}

/// Whether its options exist and have values that may be: `--help` is looked at only after what stands before it was
/// read.
fn assert_accepted(command: &[String]) {
    let mut args: Vec<&str> = command[1..].iter().map(String::as_str).collect();
    args.push("--help");
    let output = chase(&args);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {error}");
}

#[test]
fn commands_in_the_readme_are_accepted() {
    let readme = include_str!("../README.md");
    let mut inside = false;
    let lines = readme.lines().filter(|line| {
        inside ^= line.starts_with("```");
        inside
    });
    let found = commands(lines);
    assert!(found.len() >= 4, "{found:?}");
    found.iter().for_each(|command| assert_accepted(command));
    let wrong = ["chase", "show", "--colour", "always"].map(str::to_owned);
    assert!(std::panic::catch_unwind(|| assert_accepted(&wrong)).is_err());
}

#[test]
fn examples_in_help_texts_are_accepted() {
    let help = |args: &[&str]| String::from_utf8(chase(args).stdout).unwrap();
    let all = help(&["--help"]);
    let (_, list) = all.split_once("Commands:\n").unwrap();
    let names = list.lines().take_while(|line| !line.is_empty());
    let names: Vec<&str> = names.filter_map(|line| line.split_whitespace().next()).collect();
    let mut found = Vec::new();
    for name in names.iter().filter(|&&name| name != "help") {
        let text = help(&[name, "--help"]);
        let lines = text.lines().filter_map(|line| line.strip_prefix("  "));
        found.extend(commands(lines));
    }
    assert!(found.len() > names.len(), "{found:?}");
    found.iter().for_each(|command| assert_accepted(command));
}

/// libtorch takes a third of a second to load, most of it to register operators that these commands never use.
#[cfg(target_os = "linux")]
#[test]
fn commands_that_need_no_network_load_no_libtorch() {
    let program = env!("CARGO_BIN_EXE_chase");
    let libraries = |program: &std::path::Path| {
        let output = Command::new("ldd").arg(program).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let light = std::path::Path::new(program);
    assert!(!libraries(light).contains("libtorch"), "{}", libraries(light));
    // The other one would be missed: `chase` becomes it.
    assert!(libraries(&light.with_file_name("chase-networks")).contains("libtorch"));
    let folder = tempfile::tempdir().unwrap();
    let alone = folder.path().join("chase");
    // By another process: a file that this one has open to write would be busy while a thread beside starts a program.
    assert!(Command::new("cp").arg(light).arg(&alone).status().unwrap().success());
    for args in [
        &["perft", "1"][..],
        &["show"],
        &["moves", "x"],
        &["solve", "--within", "1"],
        &["--help"],
        &["analyse", "--nodes", "1000"],
        &["analyse", "--game", "stax", "--simulations", "10"],
        &["engine", "nnue-57"],
        &["engine", "alpha-beta:depth=1", "--game", "chess"],
        &["play"],
        &["play", "--game", "connect-four"],
    ] {
        let output = Command::new(&alone)
            .current_dir(&folder)
            .stdin(Stdio::null())
            .args(args)
            .output()
            .unwrap();
        let status = output.status;
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        let is_answered = status.code() != Some(2) || args == ["moves", "x"];
        assert!(is_answered && !error.contains("chase-networks"), "{args:?}: {error}");
    }
    for args in [
        &["doctor"][..],
        &["analyse", "--simulations", "10"],
        &["analyse", "nnue-57", "--device", "auto"],
        &["engine", "agent-71"],
        &["play", "--hints", "agent-71"],
    ] {
        let output = Command::new(&alone).args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            error.contains("expected its program next to `chase`"),
            "{args:?}: {error}"
        );
    }
}
