//! `chase bench` as other programs meet it.
//!
//! How fast anything is depends on the machine and on what else it does, so nothing here asks for a speed or for a
//! ratio of speeds: benchmarks check their own answers, and these tests check that each figure is there and follows
//! from the others. `cargo xtask bench` holds ratios against their floors.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

use chase_engine::chase::ChaseEncoding;
use chase_engine::{Chase, Encode};
use chase_models::Architecture;
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

/// Checks that `ratio` is `factor` times the quotient of two rates: however a machine falters, a quotient of every
/// round lies between those of the extremes.
fn assert_quotient(figures: &[Value], ratio: &str, rate: &str, factor: f64, limit: &str) {
    let low = factor * number(figures, rate, "low") / number(figures, limit, "high");
    let high = factor * number(figures, rate, "high") / number(figures, limit, "low");
    let found = value(figures, ratio);
    // A hair for the rounding of each quotient.
    assert!(
        low * 0.999_999 <= found && found <= high * 1.000_001,
        "{ratio} is {found}, expected {low} to {high}"
    );
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
fn the_rules_and_the_search_have_targets() {
    let engine = figures("engine", &[]);
    assert_eq!(
        names(&engine),
        ["engine/perft_start", "engine/perft_middle", "engine/random_games"]
    );
    let search = figures("search", &[]);
    assert_eq!(names(&search), ["search/uniform", "search/nnue"]);
    assert!(engine.iter().chain(&search).all(|figure| figure["target"].is_number()));
}

#[test]
fn encodings_and_shards_stand_beside_what_limits_them() {
    let encoding = figures("encoding", &[]);
    assert_eq!(
        names(&encoding),
        ["machine/copy", "encoding/chase", "encoding/chase/of_copy"]
    );
    // 26 planes of 81 numbers of four bytes each.
    assert_quotient(
        &encoding,
        "encoding/chase/of_copy",
        "encoding/chase",
        8424.0,
        "machine/copy",
    );
    assert_eq!(
        names(&figures("replay", &[])),
        ["replay/read", "replay/read/of_playing"]
    );
}

#[test]
fn networks_are_measured_by_size_precision_and_batch() {
    let figures = figures("inference", &["b2c16", "b4c32"]);
    let encoding = ChaseEncoding::default();
    for (blocks, channels) in [(2, 16), (4, 32)] {
        let architecture = Architecture {
            blocks,
            channels,
            ..Architecture::default()
        };
        let operations = architecture.operations(&Chase::shape(&encoding)) as f64;
        for batch in [1, 8, 32, 128] {
            let name = format!("inference/b{blocks}c{channels}_f32_batch_{batch}");
            let share = format!("{name}/of_matrix_product");
            assert_quotient(&figures, &share, &name, operations, "machine/matrix_product_f32");
            if batch == 128 {
                let (tower, share) = (format!("{name}/bare_tower"), format!("{name}/of_bare_tower"));
                assert_quotient(&figures, &share, &name, operations, &tower);
                assert!(figure(&figures, &share)["target"].is_number());
            }
        }
    }
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
fn rows_stand_under_a_heading_that_is_printed_once() {
    let args = "bench selfplay --network b2c16 --seconds 0.001 --threads 1 --device cpu";
    let output = chase(&args.split(' ').collect::<Vec<_>>());
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let [titles, heading, rows @ ..] = &lines[..] else {
        panic!("{text}");
    };
    assert!(titles.starts_with("figure ") && titles.ends_with(" ratio"), "{text}");
    assert!(heading.starts_with("self-play of b2c16 in "), "{text}");
    assert_eq!(rows.len(), 13, "{text}");
    for row in rows {
        assert!(row.starts_with("  ") && !row.contains("b2c16"), "{row:?} of {text}");
    }
    assert!(
        text.contains("\n  evaluations/s ") && text.contains("\n  time to select "),
        "{text}"
    );
}

#[test]
fn a_heading_is_printed_before_its_rows_are_known() {
    // Rounds until each of three contestants has had its seconds: far more than it takes to read two lines.
    let args = "bench selfplay --network b2c16 --seconds 20 --threads 1 --device cpu";
    let mut command = Command::new(env!("CARGO_BIN_EXE_chase"));
    let mut child = command
        .args(args.split(' '))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let heading = lines.by_ref().nth(1).unwrap().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert!(heading.starts_with("self-play of b2c16"), "{heading}");
    assert!(rest.is_empty(), "{rest:?}");
}

#[test]
fn a_configuration_says_what_is_measured() {
    let network = [
        "--config",
        "configs/gpu.toml",
        "--set=network.blocks=2",
        "--set=network.channels=16",
    ];
    let batches = [&network[..], &["--batch", "3", "--batch", "300"]].concat();
    let inference = figures_with("inference", &batches);
    for batch in [3, 300] {
        assert!(value(&inference, &format!("inference/b2c16_f32_batch_{batch}")) > 0.0);
    }
    assert!(!names(&inference).contains(&"inference/b2c16_f32_batch_128"));

    let games = [
        "--set=rules.max_turns=10",
        "--set=search.simulations=16",
        "--set=selfplay.games=24",
        "--set=selfplay.group_games=12",
        "--set=selfplay.in_flight=4",
    ];
    // Each table plays three games of some plies: with so few at once, batches cannot be as large as a group.
    let selfplay = figures_with("selfplay", &[&network[..], &games].concat());
    assert!(value(&selfplay, "selfplay/b2c16/fill") > 0.5 && value(&selfplay, "selfplay/b2c16/fill") <= 1.0);
    assert!(
        selfplay
            .iter()
            .all(|figure| figure["name"] == "selfplay/b2c16/efficiency" || figure["target"].is_null())
    );
}

#[test]
fn the_learner_stands_beside_a_bare_step() {
    let figures = figures("learner", &[]);
    assert_eq!(
        names(&figures),
        [
            "learner/batches",
            "learner/b4c32/bare",
            "learner/b4c32/rows",
            "learner/b4c32/efficiency"
        ]
    );
    assert_quotient(
        &figures,
        "learner/b4c32/efficiency",
        "learner/b4c32/rows",
        1.0,
        "learner/b4c32/bare",
    );
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
