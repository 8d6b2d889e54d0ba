//! The training report over a run directory that is made up here.

mod fixture;
mod kinds;

use std::fs;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use chase_arena::matches::Here;
use chase_arena::runs::write_training_report;
use chase_arena::{EvaluationReport, Match, NetworkReport, Openings, PlayerSpec, Yardstick};
use chase_engine::chase::Rules;
use chase_engine::{Chase, ConnectFour};
use chase_models::device::Device;
use chase_report::number::{count, percent};
use chase_statistics::{Interval, Standing};
use fixture::Fixture;
use roxmltree::{Document, ParsingOptions};
use serde_json::{Value, json};

const SMALL: Fixture = Fixture {
    generations: 10,
    games: 100,
};

fn short() -> Rules {
    Rules {
        max_turns: NonZeroU32::new(190),
        ..Rules::default()
    }
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The page, which must be well-formed and need nothing but itself.
fn report(run: &Path) -> String {
    let path = write_training_report(run).unwrap();
    assert_eq!(path, run.join("report.html"));
    let page = fs::read_to_string(path).unwrap();
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let tree = Document::parse_with_options(&page, options).unwrap();
    for node in tree.descendants() {
        assert!(!["script", "link", "img", "iframe", "object"].contains(&node.tag_name().name()));
        let foreign = |attribute: roxmltree::Attribute<'_, '_>| ["src", "href"].contains(&attribute.name());
        assert!(!node.attributes().any(foreign), "{node:?}");
    }
    assert!(!page.contains("url(") && !page.contains("@import"));
    for bad in ["NaN", "inf ", "\"inf", "undefined"] {
        assert!(!page.contains(bad), "{bad}");
    }
    let left = fs::read_dir(run).unwrap().map(|entry| entry.unwrap().path());
    assert!(
        left.filter(|path| path.extension().is_some_and(|end| end == "tmp"))
            .count()
            == 0
    );
    page
}

#[test]
fn a_page_says_in_words_and_pictures_what_the_run_measured() {
    let directory = tempfile::tempdir().unwrap();
    let run = directory.path().join("my <first> & \"run\"");
    SMALL.write::<Chase>(&run, &short());
    let page = report(&run);
    let measured = read(&run.join("openings/gen-000010-measurement.json"));
    let tally = |name: &str| measured["total"][name].as_u64().unwrap();
    let decided = tally("white") + tally("black") + tally("draws");
    let score = (tally("white") as f64 + 0.5 * tally("draws") as f64) / decided as f64;
    assert!(tally("truncated") > 0, "the test wants truncated games");
    for wanted in [
        "Chase: my &lt;first&gt; &amp; &quot;run&quot;",
        "A network of 4 blocks and 32 channels taught itself Chase from random play: 10 generations, 1000 games in 6 min 12 s",
        "started 2026-11-21 11:18 UTC · branched from runs/trunk at generation 4 · seed 7 · commit 0123456789 with local changes",
        "at least +",
        "changes by more than 1.20e-7",
        "52.3\u{202f}%",
        "Score against alpha-beta:depth=3",
        "One run is one opinion.",
        "stopped by the length limit",
        &format!("<b>{}</b>", percent(score)),
        &format!("{} measurement games with a result, generation 10", count(decided)),
        "or A9E",
        "Most played first moves and the replies to them",
    ] {
        assert!(page.contains(wanted), "{wanted}");
    }
    assert!(
        page.contains("Strength above random play"),
        "the first opponent by default"
    );
    for heading in [
        "Elo by generation",
        "Score against each baseline, by generation",
        "First player&apos;s score by generation",
        "Game length by generation",
        "Results of measurement games",
        "Results of self-play games",
        "How games ended",
        "Loss: total and policy",
        "Loss: value",
        "Self-play: games",
        "Share of visits of first moves, by generation",
        "Value of first moves, by generation",
    ] {
        let heading = heading.replace("&apos;", "'");
        assert!(page.contains(&format!("<h3>{heading}</h3>")), "{heading}");
    }
    // Two boards of first moves, and boards of replies.
    assert_eq!(page.matches("class=\"chase-auto\"").count(), 8);
}

#[test]
fn the_numbers_stand_beside_the_page_and_add_up() {
    let directory = tempfile::tempdir().unwrap();
    let run = directory.path();
    SMALL.write::<Chase>(run, &short());
    report(run);
    let report = read(&run.join("report.json"));
    let measured = read(&run.join("openings/gen-000010-measurement.json"));
    let moves = report["openings"]["moves"].as_array().unwrap();
    // 46 actions lead to 44 positions; nothing is lost where two become one.
    assert_eq!(moves.len(), 44);
    let lines = measured["lines"].as_array().unwrap();
    let firsts = || {
        lines
            .iter()
            .filter(|line| line["actions"].as_array().unwrap().len() == 1)
    };
    let sum = |lines: &mut dyn Iterator<Item = &Value>, pointer: &str| -> f64 {
        lines
            .filter_map(|line| line.pointer(pointer).and_then(Value::as_f64))
            .sum()
    };
    assert_eq!(firsts().count(), 46);
    for figure in [
        "/tally/games",
        "/tally/white",
        "/tally/truncated",
        "/share",
        "/prior",
        "/visits",
    ] {
        let [before, after] = [sum(&mut firsts(), figure), sum(&mut moves.iter(), figure)];
        assert!(
            (before - after).abs() < 1e-9 && before > 0.0,
            "{figure}: {before} {after}"
        );
    }
    let actions = |opening: &Value| opening["actions"].as_array().unwrap().len();
    assert_eq!(moves.iter().map(actions).sum::<usize>(), 46);
    let both: Vec<&Value> = moves.iter().filter(|opening| actions(opening) == 2).collect();
    assert_eq!(both.len(), 2);
    for opening in both {
        let of = |action: &Value| firsts().find(|line| line["actions"][0] == *action).unwrap();
        let parts: Vec<&Value> = opening["actions"].as_array().unwrap().iter().map(of).collect();
        let games = sum(&mut parts.iter().copied(), "/tally/games");
        assert!(games > 0.0);
        let weighted = parts
            .iter()
            .map(|part| part["value"].as_f64().unwrap_or(0.0) * part["tally"]["games"].as_f64().unwrap());
        assert!((opening["value"].as_f64().unwrap() - weighted.sum::<f64>() / games).abs() < 1e-12);
    }
    let values: Vec<f64> = moves.iter().filter_map(|opening| opening["value"].as_f64()).collect();
    assert!(values.is_sorted_by(|one, other| one >= other) && values.len() > 5);
    for opening in moves {
        let games = opening["tally"]["games"].as_u64().unwrap();
        let replies = opening["replies"].as_array().unwrap();
        let replied: u64 = replies
            .iter()
            .map(|reply| reply["tally"]["games"].as_u64().unwrap())
            .sum();
        assert_eq!(games, replied, "{opening}");
    }
    // The six first moves with the most visits, in each generation that was measured, as its own file has them.
    let curves = report["first_moves"]["moves"].as_array().unwrap();
    assert_eq!(report["first_moves"]["purpose"], "measurement");
    assert_eq!(
        (report["first_moves"]["share_of"].as_str(), curves.len()),
        (Some("visits"), 6)
    );
    for curve in curves {
        let shares = curve["shares"].as_array().unwrap();
        assert_eq!(shares.len(), 2, "{curve}");
        for share in shares {
            let generation = share["generation"].as_u64().unwrap();
            let measured = read(&run.join(format!("openings/gen-{generation:06}-measurement.json")));
            let lines = measured["lines"].as_array().unwrap();
            let of = |action: &Value| lines.iter().find(|line| line["actions"] == json!([action])).unwrap();
            let parts = curve["actions"].as_array().unwrap().iter().map(of);
            let parts: Vec<&Value> = parts.collect();
            let visits: f64 = parts.iter().map(|line| line["visits"].as_f64().unwrap()).sum();
            assert!((share["share"].as_f64().unwrap() - visits).abs() < 1e-12);
            let weighted = |figure: &str| -> f64 {
                let games = |line: &Value| line["tally"]["games"].as_f64().unwrap();
                let sum: f64 = parts
                    .iter()
                    .map(|line| games(line) * line[figure].as_f64().unwrap_or(0.0))
                    .sum();
                sum / parts.iter().map(|line| games(line)).sum::<f64>()
            };
            assert!((share["value"].as_f64().unwrap() - weighted("value")).abs() < 1e-12);
        }
    }
    let mean = |curve: &Value| sum(&mut curve["shares"].as_array().unwrap().iter(), "/share");
    assert!(curves.iter().map(mean).is_sorted_by(|one, other| one >= other) && mean(&curves[0]) > mean(&curves[5]));
    assert_eq!(report["losses"].as_array().unwrap().len(), 50);
    assert_eq!(report["ratings"].as_array().unwrap().len(), 3);
    assert!(report["ratings"][2]["elo"].is_null() && report["ratings"][2]["interval"]["low"].is_number());
    // Wilson's interval is what the report adds where an evaluation gives none.
    assert!(report["baselines"][0]["scores"][2]["interval"]["low"].as_f64().unwrap() > 0.9);
    assert_eq!(report["baselines"][0]["name"], "random");
}

#[test]
fn other_games_get_the_page_without_boards() {
    let directory = tempfile::tempdir().unwrap();
    SMALL.write::<ConnectFour>(directory.path(), &());
    let page = report(directory.path());
    assert!(page.contains("taught itself Connect Four") && page.contains("first move"));
    assert!(!page.contains("chase-auto"));
    // Nor does a game that this program does not know stop the report.
    let meta = directory.path().join("meta.json");
    let text = fs::read_to_string(&meta).unwrap();
    fs::write(&meta, text.replace("connect-four", "go-moku")).unwrap();
    assert!(report(directory.path()).contains("taught itself Go Moku"));
}

#[test]
fn a_run_that_has_just_begun_gets_a_page_that_says_what_is_missing() {
    let directory = tempfile::tempdir().unwrap();
    let run = directory.path();
    fs::write(run.join("meta.json"), chase_fixtures::run_meta("chase")).unwrap();
    fs::write(run.join("config.toml"), "[evaluation]\nevery = 5\n").unwrap();
    let page = report(run);
    for wanted in [
        "not evaluated yet",
        "no games measured yet",
        "has not been evaluated against baselines yet",
        "has not finished a generation of games yet",
        "has not written opening statistics yet",
        "has not made a step yet",
    ] {
        assert!(page.contains(wanted), "{wanted}");
    }
    // Self-play alone is shown, and named as what it is.
    SMALL.write::<Chase>(run, &short());
    for generation in [5, 10] {
        fs::remove_file(run.join(format!("openings/gen-{generation:06}-measurement.json"))).unwrap();
    }
    let page = report(run);
    assert!(page.contains("No measurement games yet: these are"));
    assert!(page.contains("self-play games with a result"));
}

#[test]
fn figures_that_are_no_numbers_leave_holes() {
    let directory = tempfile::tempdir().unwrap();
    let run = directory.path();
    SMALL.write::<Chase>(run, &short());
    let path = run.join("metrics.jsonl");
    let metrics = fs::read_to_string(&path).unwrap();
    let figures = ["loss/value", "eval/elo", "eval/score/random", "selfplay/games_per_s"];
    let holes = metrics.lines().map(|line| {
        let mut record: Value = serde_json::from_str(line).unwrap();
        for figure in figures {
            if let Some(number) = record.get_mut(figure) {
                *number = Value::Null;
            }
        }
        format!("{record}\n")
    });
    let holes: String = holes.collect();
    fs::write(&path, holes).unwrap();
    let page = report(run);
    assert!(page.contains("nothing to plot") && !page.contains("<h3>Self-play: games</h3>"));
}

#[test]
fn damage_is_named_by_file_and_line_and_leaves_the_old_report() {
    let directory = tempfile::tempdir().unwrap();
    let run = directory.path();
    let missing = write_training_report(run).unwrap_err().to_string();
    assert!(missing.contains("is not a run: there is no meta.json"), "{missing}");
    SMALL.write::<Chase>(run, &short());
    let old = report(run);
    let metrics = fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    // A record that is being written is no damage.
    fs::write(run.join("metrics.jsonl"), metrics.clone() + "{\"part\": \"sel").unwrap();
    assert_eq!(report(run), old);
    let lines: Vec<&str> = metrics.lines().collect();
    let mut broken = lines.clone();
    broken[6] = "{\"part\": \"learner\", \"step\": }";
    let broken = broken.join("\n");
    let openings = fs::read_to_string(run.join("openings/gen-000010-measurement.json")).unwrap();
    let unknown = openings.replacen("\"A1NE\"", "\"A1QQ\"", 1);
    let illegal = openings.replacen("\"A1NE\"", "\"E5NE\"", 1);
    assert!(unknown != openings && illegal != openings);
    let cases: [(&str, &[u8], &[&str]); 8] = [
        (
            "metrics.jsonl",
            broken.as_bytes(),
            &["metrics.jsonl, line 7,", "is damaged"],
        ),
        (
            "metrics.jsonl",
            b"\n\n{\"step\": 1}\n",
            &["metrics.jsonl, line 3,", "missing field `part`"],
        ),
        (
            "metrics.jsonl",
            b"{\"part\": \"learner\"}\n\xff\n",
            &["metrics.jsonl, line 2,", "UTF-8"],
        ),
        ("config.toml", b"seed = 7\n[network\n", &["config.toml, line 2,"]),
        ("state.json", b"{\"generation\": -4}", &["state.json, line 1,"]),
        ("meta.json", b"7", &["meta.json, line 1,"]),
        (
            "openings/gen-000010-measurement.json",
            unknown.as_bytes(),
            &["generation 10", "the line `A1QQ` cannot be played"],
        ),
        (
            "openings/gen-000010-measurement.json",
            illegal.as_bytes(),
            &["generation 10", "the line `E5NE` cannot be played"],
        ),
    ];
    for (file, content, wanted) in cases {
        let path = run.join(file);
        let good = fs::read(&path).unwrap();
        fs::write(&path, content).unwrap();
        let error = write_training_report(run).expect_err(file).to_string();
        for wanted in wanted {
            assert!(error.contains(wanted), "{error}");
        }
        fs::write(&path, good).unwrap();
        assert_eq!(fs::read_to_string(run.join("report.html")).unwrap(), old);
    }
    let page = run.join("report.html");
    fs::remove_file(&page).unwrap();
    fs::create_dir(&page).unwrap();
    let error = write_training_report(run).unwrap_err().to_string();
    assert!(
        error.contains("cannot write") && error.contains("report.html"),
        "{error}"
    );
    assert!(!run.join("report.html.tmp").exists());
}

/// `cargo test -p chase-experiments --test report -- --ignored` writes pages to look at into `target/report-sample`.
#[test]
#[ignore = "writes files for people to look at"]
fn pages_to_look_at() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/report-sample");
    let large = Fixture {
        generations: 40,
        games: 400,
    };
    let chase = directory.join("chase-quick");
    large.write::<Chase>(&chase, &Rules::default());
    write_training_report(&chase).unwrap();
    let four = directory.join("connect-four");
    large.write::<ConnectFour>(&four, &());
    write_training_report(&four).unwrap();
}

/// An evaluation as in the training loop: its figures become a line of the metrics.
#[test]
fn what_an_evaluation_says_is_what_the_report_reads() {
    let contestant = |spec: &str| {
        spec.parse::<PlayerSpec>()
            .unwrap()
            .contestant::<Chase>(Device::Cpu)
            .unwrap()
    };
    let conditions = Match {
        rules: Rules::default(),
        openings: Openings::Random { plies: 4 },
        seed: 3,
        max_plies: 300,
        pairs_at_once: 1,
    };
    let baselines = ["random", "greedy:blunders=0.9"].map(contestant).into();
    let mut here = Here::default();
    let never = AtomicBool::new(false);
    let yardstick = Yardstick::new(&mut here, conditions, baselines, 40, &never).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let run = directory.path();
    fs::write(run.join("meta.json"), chase_fixtures::run_meta("chase")).unwrap();
    let mut metrics = String::new();
    let mut said: Vec<EvaluationReport> = Vec::new();
    for (generation, agent) in [(0, "greedy:blunders=0.95"), (5, "greedy")] {
        let agent = contestant(agent);
        let evaluation = yardstick.evaluate(&mut here, &agent, 40, generation, &never, &|_| {});
        let evaluation = evaluation.unwrap();
        let mut record = json!({"part": "evaluation", "generation": generation, "step": generation, "time": 0.0});
        let network = NetworkReport {
            simulations: Some(1),
            nodes: None,
            games: evaluation.clone(),
            colour_swap: None,
            initial_score: 0.5,
        };
        for (name, figure) in network.values() {
            record[name] = json!(figure);
        }
        metrics += &format!("{record}\n");
        said.push(evaluation);
    }
    fs::write(run.join("metrics.jsonl"), metrics).unwrap();
    let page = report(run);
    let written = read(&run.join("report.json"));
    // serde_json reads numbers to the last digit but one.
    let same = |found: &Value, expected: Option<f64>| match (found.as_f64(), expected) {
        (Some(found), Some(expected)) => assert!((found - expected).abs() <= 1e-12 * expected.abs().max(1.0)),
        (found, expected) => assert_eq!(found, expected),
    };
    let same_interval = |found: &Value, expected: Interval| {
        same(&found["low"], expected.low);
        same(&found["high"], expected.high);
    };
    for (index, evaluation) in said.iter().enumerate() {
        let rating = &written["ratings"][index];
        same(&rating["elo"], evaluation.rating.elo());
        same_interval(&rating["interval"], evaluation.rating.interval());
        for opponent in &evaluation.opponents {
            let mut baselines = written["baselines"].as_array().unwrap().iter();
            let found = baselines
                .find(|found| found["name"] == opponent.baseline.as_str())
                .unwrap();
            let score = opponent.score.unwrap();
            let versus = &found["scores"][index];
            same(&versus["score"], Some(score.score));
            same_interval(&versus["interval"], score.score_interval);
            assert_eq!(versus["games"].as_u64(), Some(u64::from(opponent.games.decided())));
            assert_eq!(versus["truncated"].as_u64(), Some(u64::from(opponent.games.truncated)));
        }
    }
    assert!(matches!(said[0].rating, Standing::Rated(_)), "{:?}", said[0].rating);
    assert!(page.contains("Elo by generation") && page.contains("The last evaluation took"));
    assert!(page.contains("not finished a generation of games yet"));
}

#[test]
fn ratings_are_above_the_first_opponent_of_the_configuration() {
    let directory = tempfile::tempdir().unwrap();
    SMALL.write::<Chase>(directory.path(), &short());
    let config = directory.path().join("config.toml");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, format!("{text}opponents = [\"greedy\", \"random\"]\n")).unwrap();
    let page = report(directory.path());
    for wanted in ["Strength above greedy", "Elo above greedy", "greedy = 0"] {
        assert!(page.contains(wanted), "{wanted}");
    }
    assert!(!page.contains("above random play") && !page.contains("random play = 0"));
}
