//! `docs/src/reference/configuration.md`: every key with its default and meaning, from the doc comments of the
//! sections.

use std::fmt::Write;

use toml::{Table, Value};

use super::{Config, RefitConfig};

const HERE: &str = include_str!("mod.rs");
const RULES: &str = include_str!("rules.rs");
const REFIT: &str = include_str!("refit.rs");
const ENCODING: &str = include_str!("../../../models/src/games/chase.rs");
const ARCHITECTURE: &str = include_str!("../../../models/src/architecture.rs");

/// The tables of a configuration, each with the name of its struct and the source that declares the struct.
const SECTIONS: [(&str, &str, &str); 14] = [
    ("", "Config", HERE),
    ("rules", "RulesConfig", RULES),
    ("encoding", "ChaseEncoding", ENCODING),
    ("network", "Architecture", ARCHITECTURE),
    ("network.auxiliary", "Auxiliary", ARCHITECTURE),
    ("search", "SearchConfig", HERE),
    ("selfplay", "SelfplayConfig", HERE),
    ("measurement", "MeasurementConfig", HERE),
    ("replay", "ReplayConfig", HERE),
    ("learner", "LearnerConfig", HERE),
    ("refit", "RefitConfig", REFIT),
    ("evaluation", "EvaluationConfig", HERE),
    ("checkpoints", "CheckpointConfig", HERE),
    ("limits", "LimitsConfig", HERE),
];

const HEAD: &str = "\
# Configuration

Configurations are TOML files. An unknown key is an error that names the nearest known one.

Settings apply in this order: defaults, then the file, then `--set` (`--set search.simulations=64`, repeatable), then `--seed`,
`--threads` and `--device`. The resolved configuration is written to the run's `config.toml` before the first game. What `chase train
--resume` changes of it, such as limits, is written there too, and to `log.txt`, so that the run keeps it when it is resumed again.

## Training

The keys of `chase train`, from the doc comments of the code (`UPDATE_EXPECT=1 cargo test -p chase-training --lib page` writes this
part of the page). The presets in [`configs/`](../../../configs/README.md) explain each key again, with the reason for its value.
";

const TAIL: &str = "
## The family nnue

The keys of `chase train` for the second family of agents.

```toml
{{#include ../../../configs/nnue.toml}}
```

## Tournaments

The keys of `chase tournament`; those of `chase match --set` are the same. Defaults stand in brackets.

```toml
{{#include ../../../configs/tournament.toml}}
```

## Opening studies

The keys of `chase study`.

```toml
{{#include ../../../configs/study/full.toml}}
```

## Balance of games

The keys of `chase balance`, with their defaults.

```toml
{{#include ../../../configs/balance.toml}}
```
";

/// The keys of a struct in their order, each with its doc comment.
fn fields(source: &str, name: &str) -> Vec<(String, String)> {
    let (_, body) = source
        .split_once(&format!("pub struct {name} {{\n"))
        .unwrap_or_else(|| panic!("no structure {name}"));
    let (mut fields, mut doc, mut renamed) = (Vec::new(), String::new(), None);
    for line in body.lines().map(str::trim).take_while(|&line| line != "}") {
        if let Some(text) = line.strip_prefix("/// ") {
            doc.push_str(text);
            doc.push(' ');
        } else if let Some(rest) = line.strip_prefix("#[serde(rename = \"") {
            renamed = rest.split('"').next().map(str::to_owned);
        } else if let Some((key, _)) = line.strip_prefix("pub ").and_then(|line| line.split_once(": ")) {
            let key = renamed.take().unwrap_or_else(|| key.to_owned());
            let meaning = doc.trim_end().replace("[`", "`").replace("`]", "`").replace('|', "\\|");
            fields.push((key, meaning));
            doc.clear();
        }
    }
    fields
}

fn table<'a>(whole: &'a Table, path: &str) -> &'a Table {
    let parts = path.split('.').filter(|part| !part.is_empty());
    parts.fold(whole, |table, part| table[part].as_table().expect(part))
}

#[test]
fn the_page_has_every_key_with_its_default() {
    let text = Config::default().to_toml().expect("defaults");
    let mut defaults: Table = text.parse().expect("defaults");
    // Written only in runs that have one.
    let refit = Value::try_from(RefitConfig::default()).expect("defaults");
    defaults.insert("refit".into(), refit);
    let selfplay = defaults
        .get_mut("selfplay")
        .and_then(Value::as_table_mut)
        .expect("a section");
    let usual = Config::default().selfplay;
    for (key, number) in [
        ("heuristic_generations", usual.heuristic_generations),
        ("heuristic_nodes", usual.heuristic_nodes.into()),
    ] {
        selfplay.insert(key.into(), Value::Integer(number as i64));
    }
    let mut page = HEAD.to_owned();
    for (path, name, source) in SECTIONS {
        let values = table(&defaults, path);
        let fields: Vec<_> = fields(source, name)
            .into_iter()
            .filter(|(key, _)| !values.get(key).is_some_and(Value::is_table))
            .collect();
        let keys = values.iter().filter(|(_, value)| !value.is_table());
        for (key, _) in keys {
            assert!(
                fields.iter().any(|(field, _)| field == key),
                "{path}.{key} is no field of {name}"
            );
        }
        match path {
            "" => page.push_str("\n### At the top\n"),
            path => drop(write!(page, "\n### `[{path}]`\n")),
        }
        page.push_str("\n| key | default | meaning |\n|---|---|---|\n");
        for (key, meaning) in fields {
            assert!(!meaning.is_empty(), "{path}.{key} has no doc comment");
            let default = values.get(&key).map_or("none".to_owned(), |value| format!("`{value}`"));
            let _ = writeln!(page, "| `{key}` | {default} | {meaning} |");
        }
    }
    page.push_str(TAIL);
    expect_test::expect_file!["../../../docs/src/reference/configuration.md"].assert_eq(&page);
}
