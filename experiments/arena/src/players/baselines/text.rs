//! Agents as short texts: `random`, `greedy`, `alpha-beta:depth=3`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use chase_baselines::{AlphaBeta, Greedy, Random, Rollouts};
use chase_engine::Game;
use chase_engine::alpha_beta::{Limits, MAX_DEPTH, Settings};
use serde::{Deserialize, Serialize};

use super::Blunder;
use crate::playable::Playable;
use crate::players::agent::{Agent, Contestant};
use crate::players::grammar::{PlayerSpecError, TextForm, TextOption, Values, expect_colon, one_of};

/// The options that a text gives: keys and values.
type Given<'a> = Vec<(&'a str, &'a str)>;

/// An agent that needs nothing but a description: a kind, then options as `key=value` behind a colon
/// ([all of them](crate::players::options)).
///
/// The text form is what results and ratings call the agent; it leaves out options at their defaults.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BaselineSpec {
    pub(crate) kind: BaselineKind,
    /// Probability of a random action, from 0 to 1.
    pub(crate) blunders: f64,
}

/// The kind of a baseline, with its options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum BaselineKind {
    Random,
    Greedy,
    AlphaBeta(Settings, Limits),
    Rollouts(RolloutSettings),
}

/// A tree search that judges positions by random games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RolloutSettings {
    /// Simulations a decision; 0 if the text sets no limit.
    pub simulations: u32,
    /// Random games a simulation.
    pub games: u32,
    /// Weight of priors.
    pub c_puct: f32,
}

impl Default for RolloutSettings {
    fn default() -> Self {
        Self {
            simulations: 0,
            games: 1,
            c_puct: 1.25,
        }
    }
}

/// Error returned for a baseline that needs a hand-written judgement of positions, in a game for which there is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{agent}` cannot judge positions of {game}: expected random or rollouts:simulations=N")]
pub struct NoJudgement {
    agent: String,
    game: &'static str,
}

/// Baselines from random play upwards, each a rung above the one before, close enough to lose a game in some dozens to
/// the one below: together with the games they play among themselves, a scale on which every strength has a neighbour.
///
/// No game between them takes more than about a tenth of a second on one core. From the bottom to the top there are
/// about 2800 Elo.
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

const BLUNDERS: TextOption<BaselineSpec> = TextOption {
    key: "blunders",
    values: Values::Text("a probability from 0 to 1", |agent, text| {
        let read = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
        read.map(|share| agent.blunders = share).is_some()
    }),
    default: "0",
    meaning: "Share of its actions that it chooses uniformly at random.",
    get: |agent| (agent.blunders != 0.0).then(|| agent.blunders.to_string()),
};

static RANDOM: TextForm<BaselineSpec> = TextForm {
    name: "random",
    argument: None,
    meaning: "Chooses uniformly at random.",
    example: "random",
    limits: &[],
    options: &[],
};

static GREEDY: TextForm<BaselineSpec> = TextForm {
    name: "greedy",
    argument: None,
    meaning: "Wins at once if it can; otherwise takes the action that leaves it furthest ahead in dice.",
    example: "greedy:blunders=0.2",
    limits: &[],
    options: &[BLUNDERS],
};

static ALPHA_BETA: TextForm<BaselineSpec> = TextForm {
    name: "alpha-beta",
    argument: None,
    meaning: "Alpha-beta search with iterative deepening and a hand-written evaluation.",
    example: "alpha-beta:depth=3",
    limits: &["depth", "nodes", "ms"],
    options: &[
        TextOption {
            key: "depth",
            values: Values::Integer("", 1..=MAX_DEPTH as u64, |agent, depth| {
                agent.with_alpha_beta(|_, limits| limits.depth = depth as u32);
            }),
            default: "64",
            meaning: "Plies that it searches at most.",
            get: |agent| {
                let (_, limits) = agent.alpha_beta()?;
                let unlimited = limits.nodes.is_none() && limits.time.is_none();
                (limits.depth != MAX_DEPTH || unlimited).then(|| limits.depth.to_string())
            },
        },
        TextOption {
            key: "nodes",
            values: Values::Integer("an integer", 1..=u64::MAX, |agent, nodes| {
                agent.with_alpha_beta(|_, limits| limits.nodes = Some(nodes));
            }),
            default: "no limit",
            meaning: "Nodes that it searches at most for a decision.",
            get: |agent| Some(agent.alpha_beta()?.1.nodes?.to_string()),
        },
        TextOption {
            key: "ms",
            values: Values::Integer("milliseconds", 1..=3_600_000, |agent, ms| {
                agent.with_alpha_beta(|_, limits| limits.time = Some(Duration::from_millis(ms)));
            }),
            default: "no limit",
            meaning: "Time for a decision.",
            get: |agent| Some(agent.alpha_beta()?.1.time?.as_millis().to_string()),
        },
        TextOption {
            key: "quiescence",
            values: Values::Word(&["on", "off"], |agent, word| {
                agent.with_alpha_beta(|settings, _| settings.pruning.quiescence = word == "on");
            }),
            default: "on",
            meaning: "Search of captures beyond its depth.",
            get: |agent| (!agent.alpha_beta()?.0.pruning.quiescence).then(|| "off".to_owned()),
        },
        TextOption {
            key: "table",
            values: Values::Integer("MiB", 1..=4096, |agent, mib| {
                agent.with_alpha_beta(|settings, _| settings.table_mib = mib as usize);
            }),
            default: "4",
            meaning: "Size of its transposition table.",
            get: |agent| {
                let mib = agent.alpha_beta()?.0.table_mib;
                (mib != Settings::PLAIN.table_mib).then(|| mib.to_string())
            },
        },
        BLUNDERS,
    ],
};

static ROLLOUTS: TextForm<BaselineSpec> = TextForm {
    name: "rollouts",
    argument: None,
    meaning: "Tree search (PUCT) that judges positions by random games.",
    example: "rollouts:simulations=200",
    limits: &["simulations"],
    options: &[
        TextOption {
            key: "simulations",
            values: Values::Integer("an integer", 1..=1_000_000, |agent, simulations| {
                agent.with_rollouts(|rollouts| rollouts.simulations = simulations as u32);
            }),
            default: "none: it must be given",
            meaning: "Simulations for a decision.",
            get: |agent| {
                let simulations = agent.rollouts()?.simulations;
                (simulations != 0).then(|| simulations.to_string())
            },
        },
        TextOption {
            key: "games",
            values: Values::Integer("an integer", 1..=1000, |agent, games| {
                agent.with_rollouts(|rollouts| rollouts.games = games as u32);
            }),
            default: "1",
            meaning: "Random games for a simulation.",
            get: |agent| {
                let games = agent.rollouts()?.games;
                (games != 1).then(|| games.to_string())
            },
        },
        TextOption {
            key: "c-puct",
            values: Values::Number("a number above 0", |agent, weight| {
                agent.with_rollouts(|rollouts| rollouts.c_puct = weight);
                weight > 0.0
            }),
            default: "1.25",
            meaning: "Weight of priors.",
            get: |agent| {
                let weight = agent.rollouts()?.c_puct;
                (weight != RolloutSettings::default().c_puct).then(|| weight.to_string())
            },
        },
        BLUNDERS,
    ],
};

/// The kinds of baselines.
pub(crate) static FORMS: [&TextForm<BaselineSpec>; 4] = [&RANDOM, &GREEDY, &ALPHA_BETA, &ROLLOUTS];

impl BaselineKind {
    /// A kind by its name, with default options.
    fn named(name: &str) -> Option<Self> {
        let kinds = [
            Self::Random,
            Self::Greedy,
            Self::AlphaBeta(Settings::PLAIN, Limits::default()),
            Self::Rollouts(RolloutSettings::default()),
        ];
        kinds.into_iter().find(|kind| kind.form().name == name)
    }

    pub(crate) const fn form(self) -> &'static TextForm<BaselineSpec> {
        match self {
            Self::Random => &RANDOM,
            Self::Greedy => &GREEDY,
            Self::AlphaBeta(..) => &ALPHA_BETA,
            Self::Rollouts(_) => &ROLLOUTS,
        }
    }
}

impl BaselineSpec {
    /// The zero of all ratings.
    pub const RANDOM: Self = Self {
        kind: BaselineKind::Random,
        blunders: 0.0,
    };

    const fn alpha_beta(&self) -> Option<(Settings, Limits)> {
        match self.kind {
            BaselineKind::AlphaBeta(settings, limits) => Some((settings, limits)),
            _ => None,
        }
    }

    fn with_alpha_beta(&mut self, change: impl FnOnce(&mut Settings, &mut Limits)) {
        if let BaselineKind::AlphaBeta(settings, limits) = &mut self.kind {
            change(settings, limits);
        }
    }

    const fn rollouts(&self) -> Option<RolloutSettings> {
        match self.kind {
            BaselineKind::Rollouts(rollouts) => Some(rollouts),
            _ => None,
        }
    }

    /// Random games that a player which is nothing but rollouts judges a position by, if its text sets nothing else.
    pub(crate) fn evaluation_games(&self) -> Option<u32> {
        let games = self.rollouts()?.games;
        let settings = RolloutSettings {
            games,
            ..RolloutSettings::default()
        };
        let bare = Self {
            kind: BaselineKind::Rollouts(settings),
            blunders: 0.0,
        };
        (*self == bare).then_some(games)
    }

    fn with_rollouts(&mut self, change: impl FnOnce(&mut RolloutSettings)) {
        if let BaselineKind::Rollouts(rollouts) = &mut self.kind {
            change(rollouts);
        }
    }

    /// The agent as a participant of matches, under its text form.
    ///
    /// # Errors
    /// If it needs a hand-written judgement of the game, and there is none.
    pub fn contestant<G: Playable>(self) -> Result<Contestant<G>, NoJudgement> {
        Ok(Contestant::new(self.to_string(), self.maker()?))
    }

    /// A new agent.
    ///
    /// # Errors
    /// If it needs a hand-written judgement of the game, and there is none.
    pub fn agent<G: Playable>(self) -> Result<Box<dyn Agent<G>>, NoJudgement> {
        Ok(self.maker()?())
    }

    /// The hand-written judgement that this agent needs.
    pub(crate) fn judgement<G: Playable>(self) -> Result<G::Heuristic, NoJudgement> {
        G::heuristic().ok_or_else(|| NoJudgement {
            agent: self.to_string(),
            game: G::NAME,
        })
    }

    /// A function that makes new agents.
    fn maker<G: Playable>(self) -> Result<impl Fn() -> Box<dyn Agent<G>> + Send + Sync + 'static, NoJudgement> {
        type Make<G> = Box<dyn Fn() -> Box<dyn Agent<G>> + Send + Sync>;
        let make: Make<G> = match self.kind {
            BaselineKind::Random => Box::new(|| Box::new(Random::new())),
            BaselineKind::Greedy => {
                let heuristic = self.judgement::<G>()?;
                Box::new(move || Box::new(Greedy::new(heuristic.clone())))
            }
            BaselineKind::AlphaBeta(settings, limits) => {
                let heuristic = self.judgement::<G>()?;
                Box::new(move || Box::new(AlphaBeta::with_settings(heuristic.clone(), settings, limits)))
            }
            BaselineKind::Rollouts(settings) => Box::new(move || Box::new(rollouts(settings))),
        };
        Ok(move || self.with_blunders(make()))
    }

    fn with_blunders<G: Game>(self, agent: Box<dyn Agent<G>>) -> Box<dyn Agent<G>> {
        if self.blunders > 0.0 {
            Box::new(Blunder::new(agent, self.blunders))
        } else {
            agent
        }
    }

    /// True if the agent chooses the same in the same game with the same generator: not if its limit is time.
    pub const fn is_deterministic(self) -> bool {
        !matches!(self.kind, BaselineKind::AlphaBeta(_, Limits { time: Some(_), .. }))
    }

    /// Reads a text that may lack the limit its kind needs elsewhere: the caller sets one for every decision. An agent
    /// that blunders needs one all the same, since it heeds no other.
    pub(crate) fn read_without_limit(spec: &str) -> Result<Self, PlayerSpecError> {
        let (read, given) = Self::read(spec)?;
        if read.blunders > 0.0 {
            read.kind.form().expect_limit(spec, &given)?;
        }
        Ok(read)
    }

    /// Reads a text, and returns the options that it gives.
    fn read(spec: &str) -> Result<(Self, Given<'_>), PlayerSpecError> {
        let (name, options) = match spec.split_once(':') {
            Some((name, options)) => (name, Some(options)),
            None => (spec, None),
        };
        expect_colon(spec, |kind| BaselineKind::named(kind).is_some())?;
        let kind = BaselineKind::named(name).ok_or_else(|| {
            let kinds = FORMS.map(|form| form.name);
            PlayerSpecError::kind(name, &kinds, one_of(&kinds))
        })?;
        let mut read = Self { kind, blunders: 0.0 };
        let given = kind.form().read(spec, options, &mut read)?;
        Ok((read, given))
    }
}

fn rollouts<G: Game>(settings: RolloutSettings) -> Rollouts<G> {
    Rollouts::new(settings.simulations, settings.games, settings.c_puct)
}

impl FromStr for BaselineSpec {
    type Err = PlayerSpecError;

    fn from_str(spec: &str) -> Result<Self, PlayerSpecError> {
        let (read, given) = Self::read(spec)?;
        read.kind.form().expect_limit(spec, &given)?;
        Ok(read)
    }
}

impl fmt::Display for BaselineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind.form().text(None, self))
    }
}

impl TryFrom<String> for BaselineSpec {
    type Error = PlayerSpecError;

    fn try_from(text: String) -> Result<Self, PlayerSpecError> {
        text.parse()
    }
}

impl From<BaselineSpec> for String {
    fn from(spec: BaselineSpec) -> Self {
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
                text.parse().map(|spec: BaselineSpec| spec.to_string()),
                Ok(text.to_owned())
            );
        }
    }

    #[test]
    fn errors_name_what_is_wrong_and_what_is_expected() {
        for (text, message) in [
            ("", "unknown player ``: expected random, greedy, alpha-beta or rollouts"),
            (
                "alphabeta",
                "unknown player `alphabeta` (did you mean alpha-beta?): expected random, greedy, alpha-beta or rollouts",
            ),
            (
                "alpha-beta,depth=2,ms=5",
                "player `alpha-beta,depth=2,ms=5`: expected a colon before its options: alpha-beta:depth=2,ms=5",
            ),
            ("random:", "`` in player `random:`: expected key=value"),
            (
                "random:blunders=1",
                "unknown option `blunders` in player `random:blunders=1`: expected none",
            ),
            (
                "greedy:depth=1",
                "unknown option `depth` in player `greedy:depth=1`: expected blunders",
            ),
            (
                "alpha-beta",
                "player `alpha-beta` needs a limit: depth, nodes or ms, as in alpha-beta:depth=3",
            ),
            (
                "rollouts:games=2",
                "player `rollouts:games=2` needs a limit: simulations, as in rollouts:simulations=200",
            ),
            (
                "rollouts:c-puct=inf",
                "`inf` for option `c-puct` in player `rollouts:c-puct=inf`: expected a number above 0",
            ),
            (
                "alpha-beta:depth=65",
                "`65` for option `depth` in player `alpha-beta:depth=65`: expected 1 to 64",
            ),
            (
                "alpha-beta:depth=1,depth=2",
                "option `depth` is given twice in player `alpha-beta:depth=1,depth=2`",
            ),
            (
                "alpha-beta:nodes=+1",
                "`+1` for option `nodes` in player `alpha-beta:nodes=+1`: expected an integer from 1",
            ),
            (
                "greedy:blunders=NaN",
                "`NaN` for option `blunders` in player `greedy:blunders=NaN`: expected a probability from 0 to 1",
            ),
        ] {
            let error = text.parse::<BaselineSpec>().expect_err(text);
            assert_eq!(error.to_string(), message);
        }
    }
}
