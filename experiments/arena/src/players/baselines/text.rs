//! Agents as short texts: `random`, `greedy`, `alpha-beta:depth=3`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use chase_engine::{Chase, Game};
use serde::{Deserialize, Serialize};

use super::{AlphaBeta, Blunder, ChaseHeuristic, Greedy, Limits, MAX_DEPTH, Random, Rollouts};
use crate::players::agent::{Agent, Contestant};
use crate::players::options::{AgentSpecError, integer, key_values};

/// An agent for Chase that needs nothing but a description: a kind, then options as `key=value` behind a colon.
///
/// | kind | options |
/// |---|---|
/// | `random` | |
/// | `greedy` | `blunders` |
/// | `alpha-beta` | at least one of `depth` (plies), `nodes`, `ms` (a decision); `quiescence` (`on` or `off`), `table` (MiB), `blunders` |
/// | `rollouts` | `simulations` (a decision); `games` (random games a simulation, default 1), `c-puct` (default 1.25), `blunders` |
///
/// `blunders=0.2` makes a fifth of all actions uniformly random. The text form is what results and ratings call the
/// agent; it leaves out options at their defaults.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct AgentSpec {
    pub(crate) kind: Kind,
    /// Probability of a random action, from 0 to 1.
    pub(crate) blunders: f64,
}

/// What a baseline is, with the options of its kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Random,
    Greedy,
    AlphaBeta(Limits),
    Rollouts { simulations: u32, games: u32, c_puct: f32 },
}

/// Baselines from random play upwards, each a rung above the one before, close enough to lose a game in some dozens to
/// the one below: together with the games they play among themselves, a scale on which every strength has a neighbour.
///
/// No game between them takes more than about a tenth of a second on one core. From the bottom to the top there are about
/// 2800 Elo.
pub const LADDER: [&str; 9] = [
    "random",
    "greedy:blunders=0.9",
    "greedy:blunders=0.7",
    "greedy",
    "alpha-beta:depth=1,blunders=0.3",
    "alpha-beta:depth=1,blunders=0.1",
    "alpha-beta:depth=1",
    "alpha-beta:depth=2",
    "alpha-beta:depth=3",
];

impl Kind {
    const ROLLOUTS: Self = Self::Rollouts {
        simulations: 0,
        games: 1,
        c_puct: 1.25,
    };
}

impl AgentSpec {
    /// The zero of all ratings.
    pub const RANDOM: Self = Self {
        kind: Kind::Random,
        blunders: 0.0,
    };

    /// The agent as a participant of matches, under its text form.
    pub fn contestant(self) -> Contestant<Chase> {
        Contestant::new(self.to_string(), move || self.agent())
    }

    /// The agent as a participant of matches of any game; `None` if it plays Chase only.
    pub fn generic_contestant<G: Game>(self) -> Option<Contestant<G>> {
        type Make<G> = Box<dyn Fn() -> Box<dyn Agent<G>> + Send + Sync>;
        let make: Make<G> = match self.kind {
            Kind::Random => Box::new(|| Box::new(Random::new())),
            Kind::Rollouts {
                simulations,
                games,
                c_puct,
            } => Box::new(move || Box::new(Rollouts::new(simulations, games, c_puct))),
            Kind::Greedy | Kind::AlphaBeta(_) => return None,
        };
        Some(Contestant::new(self.to_string(), move || self.with_blunders(make())))
    }

    /// A new agent.
    pub fn agent(self) -> Box<dyn Agent<Chase>> {
        self.with_blunders(match self.kind {
            Kind::Random => Box::new(Random::new()),
            Kind::Greedy => Box::new(Greedy::new()),
            Kind::AlphaBeta(limits) => Box::new(AlphaBeta::new(ChaseHeuristic, limits)),
            Kind::Rollouts {
                simulations,
                games,
                c_puct,
            } => Box::new(Rollouts::new(simulations, games, c_puct)),
        })
    }

    fn with_blunders<G: Game>(self, agent: Box<dyn Agent<G>>) -> Box<dyn Agent<G>> {
        if self.blunders > 0.0 {
            Box::new(Blunder::new(agent, self.blunders))
        } else {
            agent
        }
    }

    /// Whether the agent chooses the same in the same game with the same generator: not if its limit is time.
    pub const fn is_deterministic(self) -> bool {
        !matches!(self.kind, Kind::AlphaBeta(Limits { time: Some(_), .. }))
    }
}

impl FromStr for AgentSpec {
    type Err = AgentSpecError;

    fn from_str(spec: &str) -> Result<Self, AgentSpecError> {
        let (kind, options) = match spec.split_once(':') {
            Some((kind, options)) => (kind, Some(options)),
            None => (spec, None),
        };
        let mut read = Self {
            kind: match kind {
                "random" => Kind::Random,
                "greedy" => Kind::Greedy,
                "alpha-beta" => Kind::AlphaBeta(Limits::default()),
                "rollouts" => Kind::ROLLOUTS,
                _ => {
                    return Err(AgentSpecError::Kind {
                        kind: kind.to_owned(),
                        expected: "random, greedy, alpha-beta or rollouts",
                    });
                }
            },
            blunders: 0.0,
        };
        let options = match options {
            Some(options) => key_values(spec, options)?,
            None => Vec::new(),
        };
        for (key, value) in &options {
            read.set(spec, key, value)?;
        }
        let (limits, expected): (&[&str], _) = match read.kind {
            Kind::AlphaBeta(_) => (
                &["depth", "nodes", "ms"],
                "a limit: depth, nodes or ms, as in alpha-beta:depth=3",
            ),
            Kind::Rollouts { .. } => (&["simulations"], "a limit: simulations, as in rollouts:simulations=200"),
            Kind::Random | Kind::Greedy => return Ok(read),
        };
        if !options.iter().any(|(key, _)| limits.contains(key)) {
            let spec = spec.to_owned();
            return Err(AgentSpecError::Missing { spec, expected });
        }
        Ok(read)
    }
}

impl AgentSpec {
    fn set(&mut self, spec: &str, key: &str, value: &str) -> Result<(), AgentSpecError> {
        let wrong = |expected| AgentSpecError::value(spec, key, value, expected);
        let unknown = |expected| AgentSpecError::Key {
            spec: spec.to_owned(),
            key: key.to_owned(),
            expected,
        };
        match (&mut self.kind, key) {
            (Kind::Random, _) => return Err(unknown("none")),
            (_, "blunders") => {
                let expected = "a probability from 0 to 1";
                let read = value.parse().ok().filter(|share| (0.0..=1.0).contains(share));
                self.blunders = read.ok_or_else(|| wrong(expected))?;
            }
            (Kind::AlphaBeta(limits), "depth") => {
                limits.depth = integer(value, 1..=u64::from(MAX_DEPTH)).ok_or_else(|| wrong("1 to 64"))? as u32;
            }
            (Kind::AlphaBeta(limits), "nodes") => {
                limits.nodes = Some(integer(value, 1..=u64::MAX).ok_or_else(|| wrong("an integer from 1"))?);
            }
            (Kind::AlphaBeta(limits), "ms") => {
                let expected = "milliseconds from 1 to 3600000";
                let ms = integer(value, 1..=3_600_000).ok_or_else(|| wrong(expected))?;
                limits.time = Some(Duration::from_millis(ms));
            }
            (Kind::AlphaBeta(limits), "quiescence") => {
                limits.quiescence = match value {
                    "on" => true,
                    "off" => false,
                    _ => return Err(wrong("on or off")),
                };
            }
            (Kind::AlphaBeta(limits), "table") => {
                limits.table_mib = integer(value, 1..=4096).ok_or_else(|| wrong("MiB from 1 to 4096"))? as usize;
            }
            (Kind::Rollouts { simulations, .. }, "simulations") => {
                let expected = "an integer from 1 to 1000000";
                *simulations = integer(value, 1..=1_000_000).ok_or_else(|| wrong(expected))? as u32;
            }
            (Kind::Rollouts { games, .. }, "games") => {
                *games = integer(value, 1..=1000).ok_or_else(|| wrong("an integer from 1 to 1000"))? as u32;
            }
            (Kind::Rollouts { c_puct, .. }, "c-puct") => {
                let read = value.parse().ok().filter(|c: &f32| c.is_finite() && *c > 0.0);
                *c_puct = read.ok_or_else(|| wrong("a number above 0"))?;
            }
            (Kind::Greedy, _) => return Err(unknown("blunders")),
            (Kind::Rollouts { .. }, _) => return Err(unknown("simulations, games, c-puct or blunders")),
            (Kind::AlphaBeta(_), _) => return Err(unknown("depth, nodes, ms, quiescence, table or blunders")),
        }
        Ok(())
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut options = Vec::new();
        let kind = match self.kind {
            Kind::Random => "random",
            Kind::Greedy => "greedy",
            Kind::AlphaBeta(limits) => {
                let Limits {
                    depth,
                    nodes,
                    time,
                    quiescence,
                    table_mib,
                } = limits;
                let default = Limits::default();
                let unlimited = nodes.is_none() && time.is_none();
                if depth != default.depth || unlimited {
                    options.push(format!("depth={depth}"));
                }
                options.extend(nodes.map(|nodes| format!("nodes={nodes}")));
                options.extend(time.map(|time| format!("ms={}", time.as_millis())));
                if quiescence != default.quiescence {
                    options.push("quiescence=off".to_owned());
                }
                if table_mib != default.table_mib {
                    options.push(format!("table={table_mib}"));
                }
                "alpha-beta"
            }
            Kind::Rollouts {
                simulations,
                games,
                c_puct,
            } => {
                options.push(format!("simulations={simulations}"));
                if games != 1 {
                    options.push(format!("games={games}"));
                }
                if c_puct != 1.25 {
                    options.push(format!("c-puct={c_puct}"));
                }
                "rollouts"
            }
        };
        if self.blunders != 0.0 {
            options.push(format!("blunders={}", self.blunders));
        }
        let colon = if options.is_empty() { "" } else { ":" };
        write!(f, "{kind}{colon}{}", options.join(","))
    }
}

impl TryFrom<String> for AgentSpec {
    type Error = AgentSpecError;

    fn try_from(text: String) -> Result<Self, AgentSpecError> {
        text.parse()
    }
}

impl From<AgentSpec> for String {
    fn from(spec: AgentSpec) -> Self {
        spec.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_round_trip() {
        for text in [
            "random",
            "greedy",
            "greedy:blunders=0.25",
            "alpha-beta:depth=3",
            "alpha-beta:depth=64",
            "alpha-beta:nodes=5000",
            "alpha-beta:ms=100,table=64",
            "rollouts:simulations=200",
            "rollouts:simulations=1,games=3,c-puct=0.5,blunders=0.1",
            "alpha-beta:depth=2,nodes=9,ms=1,quiescence=off,table=1,blunders=1",
        ] {
            assert_eq!(
                text.parse().map(|spec: AgentSpec| spec.to_string()),
                Ok(text.to_owned())
            );
        }
    }

    #[test]
    fn errors_name_what_is_wrong_and_what_is_expected() {
        for (text, message) in [
            ("", "unknown agent ``: expected random, greedy, alpha-beta or rollouts"),
            (
                "alphabeta",
                "unknown agent `alphabeta`: expected random, greedy, alpha-beta or rollouts",
            ),
            ("random:", "`` in agent `random:`: expected key=value"),
            (
                "random:blunders=1",
                "unknown option `blunders` in agent `random:blunders=1`: expected none",
            ),
            (
                "greedy:depth=1",
                "unknown option `depth` in agent `greedy:depth=1`: expected blunders",
            ),
            (
                "alpha-beta",
                "agent `alpha-beta` needs a limit: depth, nodes or ms, as in alpha-beta:depth=3",
            ),
            (
                "rollouts:games=2",
                "agent `rollouts:games=2` needs a limit: simulations, as in rollouts:simulations=200",
            ),
            (
                "rollouts:c-puct=inf",
                "`inf` for option `c-puct` in agent `rollouts:c-puct=inf`: expected a number above 0",
            ),
            (
                "alpha-beta:depth=65",
                "`65` for option `depth` in agent `alpha-beta:depth=65`: expected 1 to 64",
            ),
            (
                "alpha-beta:depth=1,depth=2",
                "option `depth` is given twice in agent `alpha-beta:depth=1,depth=2`",
            ),
            (
                "alpha-beta:nodes=+1",
                "`+1` for option `nodes` in agent `alpha-beta:nodes=+1`: expected an integer from 1",
            ),
            (
                "greedy:blunders=NaN",
                "`NaN` for option `blunders` in agent `greedy:blunders=NaN`: expected a probability from 0 to 1",
            ),
        ] {
            let error = text.parse::<AgentSpec>().expect_err(text);
            assert_eq!(error.to_string(), message);
        }
    }
}
