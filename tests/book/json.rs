//! `docs/src/reference/json.md` names every field that `--json` prints.

use std::collections::BTreeSet;
use std::fs;

use chase_fixtures::TINY_NNUE_RUN;
use serde_json::Value;

use super::{chase, chase_reading, home, names};

const PAGE: &str = include_str!("../../docs/src/reference/json.md");

/// The part of the page below a heading, with the parts that all refer to.
fn section(heading: &str) -> String {
    let part = |heading: &str| {
        let (_, rest) = PAGE.split_once(&format!("\n{heading}\n")).unwrap();
        rest.split("\n## ").next().unwrap().to_owned()
    };
    let shared = part("### Counts");
    part(&format!("## {heading}")) + &shared + "`low` `high` `null`"
}

/// The keys of all objects, but of those whose keys are names of something, below `names`.
fn keys(value: &Value, names: &[&str], found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                found.insert(key.clone());
                if !names.contains(&key.as_str()) {
                    keys(value, names, found);
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| keys(value, names, found)),
        _ => {}
    }
}

/// Fails with every key that the section does not name.
fn assert_described(heading: &str, output: &str, with_names: &[&str]) {
    let text = section(heading);
    let words: BTreeSet<&str> = names(&text)
        .into_iter()
        .flat_map(|name| name.split(['.', '[', ']']))
        .collect();
    let mut found = BTreeSet::new();
    for value in serde_json::Deserializer::from_str(output).into_iter::<Value>() {
        keys(&value.unwrap(), with_names, &mut found);
    }
    assert!(found.len() > 2, "{heading}: {found:?}");
    let missing: Vec<&String> = found.iter().filter(|key| !words.contains(key.as_str())).collect();
    assert!(
        missing.is_empty(),
        "{heading}: docs/src/reference/json.md does not name {missing:?}"
    );
}

#[test]
fn every_field_of_a_command_is_on_the_page() {
    let home = home("json");
    let run = |text: &str| chase(&home, &text.split(' ').collect::<Vec<_>>());
    let start = "--position=abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w";
    let solve = [
        "solve",
        start,
        "--moves=A4E2",
        "--goal=dice",
        "--within=2",
        "--actions",
        "--json",
    ];
    assert_described("`solve`", &chase(&home, &solve), &[]);
    assert_described("`solve`", &run("solve --player random --json"), &[]);
    assert_described("`show`", &run("show --json"), &[]);
    assert_described("`perft`", &run("perft 1 --divide --json"), &[]);
    assert_described("`doctor`", &run("doctor --json"), &[]);
    assert_described("`bench`", &run("bench engine --seconds 0.001 --json"), &[]);
    let evaluate = "evaluate agent-41 --games 2 --simulations 1 --opponent random --opponent greedy --json";
    assert_described("`evaluate`", &run(evaluate), &[]);
    let found = run("match random greedy --pairs 2 --max-plies 4 --json");
    assert_described("`match` and `tournament`", &found, &["end_reasons"]);
    let settings = "games = ['checkers', 'stax']\nagents = 2\nrows = 20\nladder = { rungs = 1, pairs = 1, simulations = 1 }\n\
                    measurement = { games = 2, simulations = [1, 2], max_plies = 300 }\n\
                    train.network = { blocks = 1, channels = 4, pooling = 0 }\ntrain.search.simulations = 2\n\
                    train.selfplay = { games = 1, group_games = 1, in_flight = 1 }\ntrain.learner.batch = 8";
    fs::write(home.join("balance.toml"), settings).unwrap();
    let found = run("balance balance.toml --json");
    assert!(found.contains("\"effects\": [\n"), "{found}");
    assert_described("`balance`", &found, &["training", "config"]);
    let book = "book --scout nnue-57,nodes=1 --judge nnue-57,nodes=2 --challenger nnue-57,nodes=3 --set plies=2 --set candidates=2 \
         --set width=1 --set contest.moves=2 --set contest.most=1 --set contest.first_round=1 \
         --set contest.player=nnue-57,nodes=1,temperature=1,temperature-plies=9 --json";
    assert_described("`book`", &run(book), &["config", "settings"]);
    let settings = "rules = { max_turns = 4 }\nselfplay = { games = 1, group_games = 1, in_flight = 1 }\n\
                    search = { simulations = 2, fast_simulations = 1 }\nlearner = { batch = 8 }\nlimits = { generations = 1 }\n\
                    measurement = { every = 1, games = 1 }\n\
                    evaluation = { every = 1, games = 2, simulations = 1, opponents = ['random'] }";
    fs::write(home.join("tiny.toml"), settings).unwrap();
    assert_described("`train`", &run("train tiny.toml --run-dir run --json"), &["values"]);
    fs::write(home.join("nnue.toml"), TINY_NNUE_RUN).unwrap();
    assert_described("`train`", &run("train nnue.toml --run-dir nnue --json"), &[]);
    let games = "selfplay agent-41 --games 1 --simulations 2 --set rules.max_turns=4 --run-dir games --json";
    assert_described("`selfplay`", &run(games), &[]);
    let games = run("export run --purpose measurement --values --json");
    assert_described("`export`", &games, &[]);
    assert!(games.lines().all(|line| line.starts_with('{')), "{games}");
}

/// All commands with `--json`, a command of a command with both names.
fn commands_with_json(page: &str) -> Vec<&str> {
    let parts = page.split("\n#").skip(1).filter_map(|part| part.split_once("`chase "));
    parts
        .filter(|(_, rest)| rest.contains("\n      --json"))
        .filter_map(|(_, rest)| rest.split('`').next())
        .collect()
}

#[test]
fn every_command_with_json_has_a_section() {
    let commands = commands_with_json(include_str!("../../docs/src/reference/cli.md"));
    assert!(commands.len() > 12, "{commands:?}");
    let headings: Vec<&str> = PAGE.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let missing: Vec<&&str> = commands
        .iter()
        .filter(|command| !headings.iter().any(|heading| heading.contains(&format!("`{command}`"))))
        .collect();
    assert!(
        missing.is_empty(),
        "docs/src/reference/json.md has no section for {missing:?}"
    );
}

#[test]
fn every_field_of_moves_is_on_the_page() {
    let home = home("moves");
    let line = chase_reading("abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w\n", &home, &["moves"]);
    assert_described("`moves`", &line, &[]);
}
