//! The options of players, and all that is said of them in help and documentation.

use std::fmt::Write;
use std::time::Duration;

use chase_engine::alpha_beta::{MAX_DEPTH, Pruning};
use chase_engine::search::PuctParams;

use super::external;
use super::grammar::{TextOption, Values};
use super::level::LEVELS;
use super::searches::SearchKind;
use super::spec::{COMMON, EvaluatorSpec, SearchSpec, kinds};

/// The option of greedy play.
pub(crate) const BLUNDERS: TextOption<f64> = TextOption {
    key: "blunders",
    values: Values::Text("a probability from 0 to 1", |blunders, text| {
        let read = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
        read.map(|share| *blunders = share).is_some()
    }),
    default: "0",
    meaning: "Share of uniformly random actions.",
    get: |blunders| (*blunders != 0.0).then(|| blunders.to_string()),
};

/// The options of players that search, in the order of their texts. A player takes those of its evaluator and of its search.
pub(crate) static OPTIONS: [TextOption<SearchSpec>; 16] = [
    TextOption {
        key: "simulations",
        values: Values::Integer("an integer", 0..=10_000_000, |spec, simulations| {
            spec.limits.nodes = Some(simulations);
        }),
        default: "200; no limit with ms",
        meaning: "Simulations per decision; with ms the most.",
        get: |spec| Some(spec.limits.nodes?.to_string()),
    },
    TextOption {
        key: "depth",
        values: Values::Integer("", 1..=MAX_DEPTH as u64, |spec, depth| {
            spec.limits.depth = Some(depth as u32);
        }),
        default: "no limit",
        meaning: "Most plies.",
        get: |spec| Some(spec.limits.depth?.to_string()),
    },
    TextOption {
        key: "nodes",
        values: Values::Integer("an integer", 1..=u64::MAX, |spec, nodes| {
            spec.limits.nodes = Some(nodes)
        }),
        default: "20000; no limit with depth or ms",
        meaning: "Most nodes per decision.",
        get: |spec| Some(spec.limits.nodes?.to_string()),
    },
    TextOption {
        key: "ms",
        values: Values::Integer("milliseconds", 1..=3_600_000, |spec, ms| {
            spec.limits.time = Some(Duration::from_millis(ms));
        }),
        default: "no limit",
        meaning: "Time per decision, on one core.",
        get: |spec| Some(spec.limits.time?.as_millis().to_string()),
    },
    TextOption {
        key: "search",
        values: Values::Word(SearchKind::NAMES, |spec, word| {
            spec.search = SearchKind::named(word).expect("one of the words");
        }),
        default: "that of the kind",
        meaning: "The search.",
        get: |spec| {
            let usual = spec.kind().pairing.is_some_and(|(_, search)| search == spec.search);
            (!usual).then(|| spec.search.form().name.to_owned())
        },
    },
    TextOption {
        key: "games",
        values: Values::Integer("an integer", 1..=1000, |spec, number| {
            spec.evaluator = EvaluatorSpec::Rollouts { games: number as u32 };
        }),
        default: "1",
        meaning: "Random games per position.",
        get: |spec| match spec.evaluator {
            EvaluatorSpec::Rollouts { games } if games != 1 => Some(games.to_string()),
            _ => None,
        },
    },
    TextOption {
        key: "batch",
        values: Values::Integer("an integer", 1..=PuctParams::MOST_LEAVES as u64, |spec, batch| {
            spec.batch = Some(batch as u32);
        }),
        default: "32 for a network where one game is played at a time (with ms, or for a runner), else 1; 1 with the fused kernel",
        meaning: "Most leaves of one tree that are evaluated together; beyond 8, one per 32 visits of the root.",
        get: |spec| Some(spec.batch?.to_string()),
    },
    TextOption {
        key: "c-puct",
        values: Values::Number("a number above 0", |spec, weight| {
            spec.c_puct = weight;
            weight >= f32::MIN_POSITIVE
        }),
        default: "1.25",
        meaning: "Weight of priors.",
        get: |spec| (spec.c_puct != PuctParams::default().c_puct).then(|| spec.c_puct.to_string()),
    },
    TextOption {
        key: "policy-temperature",
        values: Values::Number("a number above 0", |spec, temperature| {
            spec.policy_temperature = temperature;
            temperature >= f32::MIN_POSITIVE
        }),
        default: "2",
        meaning: "Divides the policy's logits at every node: a higher one searches more actions; 3 suits thousands \
                  of simulations.",
        get: |spec| {
            let usual = spec.policy_temperature == SearchSpec::POLICY_TEMPERATURE;
            (!usual).then(|| spec.policy_temperature.to_string())
        },
    },
    TextOption {
        key: "table",
        values: Values::Integer("MiB", 1..=4096, |spec, mib| spec.alpha_beta.table_mib = mib as usize),
        default: "4 with the heuristic, else 16",
        meaning: "Size of the transposition table.",
        get: |spec| {
            let usual = SearchSpec::new(spec.evaluator.clone(), spec.search)
                .alpha_beta
                .table_mib;
            (spec.alpha_beta.table_mib != usual).then(|| spec.alpha_beta.table_mib.to_string())
        },
    },
    TextOption {
        key: "without",
        values: Values::Text(
            "shortcuts, joined by +: reductions, null-move, futility, aspiration, extensions, quiescence, results",
            |spec, names| {
                let mut off = |name| spec.alpha_beta.pruning.shortcut(name).map(|on| *on = false);
                names.split('+').all(|name| off(name).is_some())
            },
        ),
        default: "none",
        meaning: "Shortcuts to leave out. With the heuristic there are only quiescence and results.",
        get: |spec| {
            let mut usual = SearchSpec::new(spec.evaluator.clone(), spec.search).alpha_beta.pruning;
            let mut pruning = spec.alpha_beta.pruning;
            let off = |name: &&&str| pruning.shortcut(name).map(|on| *on) != usual.shortcut(name).map(|on| *on);
            let off: Vec<&str> = Pruning::NAMES.iter().filter(off).copied().collect();
            (!off.is_empty()).then(|| off.join("+"))
        },
    },
    TextOption {
        key: "temperature",
        values: Values::Number("a number from 0", |spec, temperature| {
            spec.temperature = temperature;
            temperature >= 0.0
        }),
        default: "0",
        meaning: "Temperature of action choice in the first plies. A tree search draws from the visits to the \
                  power of 1 / temperature; alpha-beta from the softmax of the values, in logits of the expected \
                  score: with 0.2, an action 5 points worse near 50 % is chosen 0.37 times as often.",
        get: |spec| (spec.temperature > 0.0).then(|| spec.temperature.to_string()),
    },
    TextOption {
        key: "temperature-plies",
        values: Values::Integer("an integer", 0..=100_000, |spec, plies| {
            spec.temperature_plies = plies as u32;
        }),
        default: "8 with a temperature",
        meaning: "Plies with this temperature.",
        get: |spec| {
            let shown = spec.temperature > 0.0 && spec.temperature_plies != SearchSpec::TEMPERATURE_PLIES;
            shown.then(|| spec.temperature_plies.to_string())
        },
    },
    TextOption {
        key: "level",
        values: Values::Integer("an integer", 1..=LEVELS.len() as u64, |spec, number| {
            spec.set_level(number as u32)
        }),
        default: "none",
        meaning: "Level for people, from weak to strong; it sets simulations, policy-temperature and temperature.",
        // It is printed as what it is short for.
        get: |_| None,
    },
    TextOption {
        key: "precision",
        values: Values::Word(&["f32", "bf16", "fused", "fused-f32"], |spec, word| {
            if let EvaluatorSpec::Network(network) = &mut spec.evaluator {
                network.precision = word.parse().ok();
            }
        }),
        default: "with ms the fused kernel where it can evaluate the network; else f32 or bf16, whichever is faster",
        meaning: "Arithmetic of the network. fused and fused-f32 are bf16 and f32 by this program's fused kernel \
                  for CPUs.",
        get: |spec| Some(spec.evaluator.network()?.precision.as_ref()?.to_string()),
    },
    TextOption {
        key: BLUNDERS.key,
        values: Values::Text("a probability from 0 to 1", |spec, text| match BLUNDERS.values {
            Values::Text(_, set) => set(&mut spec.blunders, text),
            _ => false,
        }),
        default: BLUNDERS.default,
        meaning: BLUNDERS.meaning,
        get: |spec| (BLUNDERS.get)(&spec.blunders),
    },
];

/// Who takes an option.
fn owner(key: &str) -> String {
    if COMMON.contains(&key) {
        return "all".to_owned();
    }
    let searches = SearchKind::ALL.iter().map(|search| search.form());
    let searches = searches
        .filter(|form| form.options.contains(&key))
        .map(|form| form.name);
    let kinds = kinds().filter_map(|kind| {
        let (word, _) = kind.pairing.filter(|(word, _)| *word == kind.name)?;
        EvaluatorSpec::named(word, "")
            .options()
            .contains(&key)
            .then_some(kind.name)
    });
    searches.chain(kinds).collect::<Vec<_>>().join(", ")
}

/// Everything about players as Markdown.
pub fn markdown() -> String {
    let mut page = String::from(
        "# Players\n\n\
         A player that searches is **an evaluator × a search × limits × a choice**. Its text is `KIND:KEY=VALUE,KEY=VALUE`; a\n\
         network has its path before the options: `net:PATH,KEY=VALUE`. The kind names the evaluator, and `search=` the search, if\n\
         it is not the usual one of the kind: `agent-71,simulations=400`, `nnue-57,search=puct,ms=1000`. Options may come in any\n\
         order, but `command` is the last one.\n\n\
         A path alone stands for a network: `runs/quick-1` for `net:runs/quick-1`. It must have a slash, be a folder that exists,\n\
         or be a built-in agent: `agent-71`, `agent-41` or `nnue-57`. The folder decides between `net:` and `nnue:`.\n\n\
         ## Kinds\n\n| kind | meaning | search | example |\n|---|---|---|---|\n",
    );
    for kind in kinds() {
        let search = kind.pairing.map_or("", |(_, search)| search.form().name);
        let argument = kind.argument.map_or(String::new(), |argument| format!(":{argument}"));
        let _ = writeln!(
            page,
            "| `{}{argument}` | {} | {search} | `{}` |",
            kind.name, kind.meaning, kind.example
        );
    }
    page += "\n## Searches\n\n| search | meaning |\n|---|---|\n";
    for form in SearchKind::ALL.iter().map(|search| search.form()) {
        let _ = writeln!(page, "| `{}` | {} |", form.name, form.meaning);
    }
    page +=
        "\n## Options of players that search\n\n| option | of | value | meaning | default |\n|---|---|---|---|---|\n";
    for option in &OPTIONS {
        let (key, values) = (option.key, &option.values);
        let _ = writeln!(
            page,
            "| `{key}` | {} | {values} | {} | {} |",
            owner(key),
            option.meaning,
            option.default
        );
    }
    let _ = write!(
        page,
        "\n`greedy` takes `{}` too.\n\n## Options of external programs\n\n| option | value | meaning | default |\n|---|---|---|---|\n",
        BLUNDERS.key
    );
    for option in &external::OPTIONS {
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} |",
            option.key, option.values, option.meaning, option.default
        );
    }
    page
}

/// Width of the help, in columns of a terminal.
const COLUMNS: usize = 80;

/// The same as text for a terminal.
pub fn help() -> String {
    let mut text = String::from("Players, as KIND:KEY=VALUE,KEY=VALUE:\n");
    for kind in kinds() {
        let argument = kind.argument.map(|argument| format!(":{argument}")).unwrap_or_default();
        let search = kind.pairing.map_or(String::new(), |(_, search)| {
            format!(" [search: {}]", search.form().name)
        });
        let name = format!("{}{argument}", kind.name);
        paragraph(&mut text, 2, 14, &name, &format!("{}{search}", kind.meaning));
        if kind.name == "greedy" {
            option(&mut text, &BLUNDERS, "");
        }
    }
    external::OPTIONS.iter().for_each(|known| option(&mut text, known, ""));
    text += "Searches, and the options of players that search:\n";
    for form in SearchKind::ALL.iter().map(|search| search.form()) {
        paragraph(&mut text, 2, 14, form.name, form.meaning);
    }
    for known in &OPTIONS {
        let owner = match owner(known.key) {
            all if all == "all" => String::new(),
            owner => format!("{owner}: "),
        };
        option(&mut text, known, &owner);
    }
    text
}

fn option<T>(text: &mut String, option: &TextOption<T>, owner: &str) {
    let meaning = option.meaning.trim_end_matches('.');
    let explained = format!("{owner}{meaning}: {} [default: {}]", option.values, option.default);
    paragraph(text, 4, 24, &format!("{}=", option.key), &explained);
}

/// Adds a word at one column and its explanation at another, wrapped.
fn paragraph(text: &mut String, left: usize, right: usize, word: &str, explanation: &str) {
    let mut line = format!("{:left$}{word:width$}", "", width = right - left - 1);
    let mut empty = true;
    for word in explanation.split(' ') {
        if !empty && line.len() + 1 + word.len() > COLUMNS {
            let _ = writeln!(text, "{}", line.trim_end());
            line = " ".repeat(right - 1);
        }
        line.push(' ');
        line.push_str(word);
        empty = false;
    }
    let _ = writeln!(text, "{}", line.trim_end());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::PlayerSpec;

    #[test]
    fn the_page_about_players_is_the_table() {
        expect_test::expect_file!["../../../../docs/src/reference/players.md"].assert_eq(&markdown());
    }

    #[test]
    fn examples_are_players_and_print_as_they_are_written() {
        for kind in kinds() {
            let player: PlayerSpec = kind.example.parse().expect(kind.example);
            let shown = player.to_string();
            assert_eq!(shown, kind.example);
            assert!(shown.starts_with(kind.name), "{shown}");
        }
    }

    #[test]
    fn options_at_the_default_of_the_table_are_left_out() {
        let mut checked = 0;
        for kind in kinds().filter(|kind| kind.pairing.is_some()) {
            for option in &OPTIONS {
                let with_option = format!("{},{}={}", kind.example, option.key, option.default);
                if let Ok(player) = with_option.parse::<PlayerSpec>() {
                    assert_eq!(player.to_string(), kind.example, "{with_option}");
                    checked += 1;
                }
            }
        }
        // Other options have defaults without a value, such as no limit.
        assert_eq!(checked, 21);
    }
}
