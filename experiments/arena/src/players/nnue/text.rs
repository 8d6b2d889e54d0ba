//! The text form of a network of the second family that searches.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use chase_engine::alpha_beta::{Limits, MAX_DEPTH, Pruning, Settings};

use super::chance::Chance;
use crate::players::TEMPERATURE_PLIES;
use crate::players::grammar::{PlayerSpecError, TextForm, TextOption, Values};

/// Alpha-beta search with a network of the second family: `nnue:PATH`, then options.
#[derive(Clone, Debug, PartialEq)]
pub struct NnueSpec {
    /// The file of the network, a folder with it, or a run, of which the newest checkpoint plays.
    pub path: PathBuf,
    /// Plies that are searched at most.
    pub depth: Option<u32>,
    /// Nodes per decision; `None` for no limit if there is another one, or [`NnueSpec::NODES`].
    pub nodes: Option<u64>,
    /// Time limit per decision.
    pub time: Option<Duration>,
    /// How it searches.
    pub settings: Settings,
    /// Chance in the first plies.
    pub chance: Chance,
}

impl NnueSpec {
    /// Default nodes per decision.
    pub const NODES: u64 = 20_000;

    /// A network with default settings.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            depth: None,
            nodes: None,
            time: None,
            settings: Settings::STRONG,
            chance: Chance::default(),
        }
    }

    /// Its limits of a decision.
    pub fn limits(&self) -> Limits {
        let limits = self.given_limits();
        let unlimited = self.depth.is_none() && self.time.is_none();
        Limits {
            nodes: limits.nodes.or_else(|| unlimited.then_some(Self::NODES)),
            ..limits
        }
    }

    /// The limits that the text gives.
    pub fn given_limits(&self) -> Limits {
        Limits {
            depth: self.depth.unwrap_or(MAX_DEPTH),
            nodes: self.nodes,
            time: self.time,
        }
    }

    pub(crate) fn read(spec: &str, options: &str) -> Result<Self, PlayerSpecError> {
        let (path, options) = FORM.path_and_options(spec, options, "a network of the second family")?;
        let mut read = Self::new(path);
        let given = FORM.read(spec, options, &mut read)?;
        if read.chance.temperature > 0.0 && !given.iter().any(|&(key, _)| key == "temperature-plies") {
            read.chance.plies = TEMPERATURE_PLIES;
        }
        Ok(read)
    }
}

/// Text form of a network of the second family that searches.
pub(crate) static FORM: TextForm<NnueSpec> = TextForm {
    name: "nnue",
    argument: Some("PATH"),
    meaning: "Alpha-beta search with an efficiently updatable network, the second family of agents; for Chase only. PATH is nnue-57 \
              (the built-in one), a run (its newest checkpoint is used), a folder with nnue.safetensors, or that file; it cannot hold a comma.",
    example: "nnue:runs/nnue-1,nodes=50000",
    limits: &[],
    options: &[
        TextOption {
            key: "depth",
            values: Values::Integer("", 1..=MAX_DEPTH as u64, |nnue, depth| nnue.depth = Some(depth as u32)),
            default: "no limit",
            meaning: "Plies that it searches at most.",
            get: |nnue| Some(nnue.depth?.to_string()),
        },
        TextOption {
            key: "nodes",
            values: Values::Integer("an integer", 1..=u64::MAX, |nnue, nodes| nnue.nodes = Some(nodes)),
            default: "20000; no limit with depth or ms",
            meaning: "Nodes that it searches at most for a decision.",
            get: |nnue| Some(nnue.nodes?.to_string()),
        },
        TextOption {
            key: "ms",
            values: Values::Integer("milliseconds", 1..=3_600_000, |nnue, ms| {
                nnue.time = Some(Duration::from_millis(ms));
            }),
            default: "no limit",
            meaning: "Time for a decision, on one core.",
            get: |nnue| Some(nnue.time?.as_millis().to_string()),
        },
        TextOption {
            key: "table",
            values: Values::Integer("MiB", 1..=4096, |nnue, mib| nnue.settings.table_mib = mib as usize),
            default: "16",
            meaning: "Size of its transposition table.",
            get: |nnue| {
                (nnue.settings.table_mib != Settings::STRONG.table_mib).then(|| nnue.settings.table_mib.to_string())
            },
        },
        TextOption {
            key: "without",
            values: Values::Text(
                "shortcuts, joined by +: reductions, null-move, futility, aspiration, extensions, quiescence, results",
                |nnue, names| {
                    let mut off = |name| nnue.settings.pruning.shortcut(name).map(|on| *on = false);
                    names.split('+').all(|name| off(name).is_some())
                },
            ),
            default: "none",
            meaning: "Shortcuts that its search does without, to measure what they are worth.",
            get: |nnue| {
                let mut pruning = nnue.settings.pruning;
                let off = |name: &&str| pruning.shortcut(name).is_some_and(|on| !*on);
                let off: Vec<&str> = Pruning::NAMES.into_iter().filter(off).collect();
                (!off.is_empty()).then(|| off.join("+"))
            },
        },
        TextOption {
            key: "temperature",
            values: Values::Number("a number from 0 to 10", |nnue, temperature| {
                nnue.chance.temperature = temperature;
                (0.0..=10.0).contains(&temperature)
            }),
            default: "0",
            meaning: "Temperature of the choice of actions in the first plies of a game, in logits of the expected score: with 0.2, an action \
                      that scores 5 points less near 50 % is chosen 0.37 times as often.",
            get: |nnue| (nnue.chance.temperature > 0.0).then(|| nnue.chance.temperature.to_string()),
        },
        TextOption {
            key: "temperature-plies",
            values: Values::Integer("an integer", 0..=100_000, |nnue, plies| {
                nnue.chance.plies = plies as u32
            }),
            default: "8 with a temperature",
            meaning: "The number of first plies that temperature applies to.",
            get: |nnue| {
                let Chance { temperature, plies } = nnue.chance;
                (temperature > 0.0 && plies != TEMPERATURE_PLIES).then(|| plies.to_string())
            },
        },
    ],
};

impl fmt::Display for NnueSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&FORM.text(Some(self.path.display().to_string()), self))
    }
}
