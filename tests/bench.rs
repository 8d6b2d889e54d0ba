//! `chase bench` as other programs meet it.
//!
//! How fast anything is depends on the machine and on what else it does, so nothing here asks for a speed or for a
//! ratio of speeds: benchmarks check their own answers, and these tests check that each figure is there and follows
//! from the others. `cargo xtask bench` holds ratios against their floors.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Output};

use serde_json::Value;

fn chase(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_chase")).args(args).output().unwrap()
}

/// The figures of a part, each looked at. Small networks are enough to see whether figures fit together.
fn figures(part: &str, networks: &[&str]) -> Vec<Value> {
    let networks: Vec<&str> = networks.iter().flat_map(|network| ["--network", network]).collect();
    figures_with(part, &networks)
}

/// The same with any options.
fn figures_with(part: &str, options: &[&str]) -> Vec<Value> {
    let mut args = vec![
        "bench",
        part,
        "--seconds",
        "0.001",
        "--threads",
        "1",
        "--device",
        "cpu",
        "--json",
    ];
    args.extend_from_slice(options);
    let output = chase(&args);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {error}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["clock"], "cpu");
    let figures = report["figures"].as_array().unwrap().clone();
    for figure in &figures {
        let number = |key: &str| figure[key].as_f64().unwrap();
        assert!(
            number("low") <= number("value") && number("value") <= number("high"),
            "{figure}"
        );
        // A phase of some microseconds may take no time that a busy machine's clock of the process can tell.
        let may_vanish = figure["name"].as_str().unwrap().contains("/time/");
        assert!(number("low") >= 0.0 && (number("high") > 0.0 || may_vanish), "{figure}");
        // Only ratios are checked: speeds depend on the machine.
        assert!(figure["floor"].is_null() || figure["unit"] == "ratio", "{figure}");
        match figure["target"].as_f64() {
            Some(target) => assert!((number("ratio") - number("value") / target).abs() < 1e-9, "{figure}"),
            None => assert!(figure["ratio"].is_null(), "{figure}"),
        }
    }
    figures
}

fn names(figures: &[Value]) -> Vec<&str> {
    figures.iter().map(|figure| figure["name"].as_str().unwrap()).collect()
}

fn figure<'a>(figures: &'a [Value], name: &str) -> &'a Value {
    let found = figures.iter().find(|figure| figure["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {:?}", names(figures)))
}

fn number(figures: &[Value], name: &str, of: &str) -> f64 {
    figure(figures, name)[of].as_f64().unwrap()
}

fn value(figures: &[Value], name: &str) -> f64 {
    number(figures, name, "value")
}

#[test]
fn a_check_fails_with_those_figures_that_are_below_their_floors() {
    let output = chase(&[
        "bench",
        "--check",
        "--json",
        "--device",
        "cpu",
        "--network",
        "b2c16",
        "--threads",
        "1",
        "--seconds",
        "0.001",
    ]);
    let error = String::from_utf8(output.stderr).unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{error}"));
    let figures = report["figures"].as_array().unwrap();
    let floors: Vec<&Value> = figures.iter().filter(|figure| figure["floor"].is_number()).collect();
    assert!(floors.len() >= 4, "{floors:?}");
    let (mut complaints, mut passed) = (0, 0);
    for figure in floors {
        let below = figure["value"].as_f64() < figure["floor"].as_f64();
        let told = error.contains(&format!("{}: ", figure["what"].as_str().unwrap()));
        assert_eq!(told, below, "{figure}: {error}");
        *(if below { &mut complaints } else { &mut passed }) += 1;
    }
    let expected = i32::from(complaints > 0);
    assert_eq!(output.status.code(), Some(expected), "{passed} passed: {error}");
}

#[test]
fn the_phases_of_selfplay_add_up() {
    let figures = figures("selfplay", &["b2c16"]);
    let of = |figure: &str| value(&figures, &format!("selfplay/b2c16/{figure}"));
    let phases = [
        "select", "generate", "play", "encode", "forward", "read", "expand", "other",
    ];
    // In each round the shares add up to 1, so those of the least and of the greatest rounds are on either side of it.
    let sum = |of: &str| -> f64 {
        let shares = phases.map(|phase| number(&figures, &format!("selfplay/b2c16/time/{phase}"), of));
        shares.iter().sum()
    };
    let (low, high) = (sum("low"), sum("high"));
    assert!(low <= 1.0 + 1e-9 && high >= 1.0 - 1e-9, "{low} to {high}");
    let other = |of: &str| 1.0 - number(&figures, "selfplay/b2c16/time/other", of);
    assert!((of("explained") - other("value")).abs() < 1e-9);
    assert!(of("fill") > 0.5 && of("fill") <= 1.0);
    assert!(of("simulations") > 0.0 && of("efficiency") > 0.0);
}

#[test]
fn every_part_is_for_any_game() {
    for game in ["connect-four", "stax-uni-num"] {
        for part in [
            "engine",
            "search",
            "encoding",
            "inference",
            "selfplay",
            "replay",
            "learner",
        ] {
            let options = match part {
                "inference" | "selfplay" => vec!["--game", game, "--network", "b2c16", "--batch", "8"],
                _ => vec!["--game", game],
            };
            let figures = figures_with(part, &options);
            assert!(!figures.is_empty(), "{part} of {game}");
            // Speeds of the program have targets for Chase only; shares of what limits them have them for any game.
            let rates = figures.iter().filter(|figure| figure["unit"] != "ratio");
            for figure in rates {
                assert!(figure["target"].is_null(), "{figure}");
            }
        }
    }
    let output = chase(&["bench", "--game", "stax", "--check", "--device", "cpu"]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("for chase only, not for stax"), "{error}");
}
