//! The result of one test of one part of a claim.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::agents::AgentVariation;
use super::claim::ClaimId;
use super::effect_unit::EffectUnit;
use super::subject::Subject;
use chase_report::board::Board;
use chase_report::number;
use chase_statistics::{Interval, Verdict};

/// Evidence that a finding is based on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// The rules of the game alone: it holds for any players.
    Exact,
    /// Games and searches of agents: it holds as far as these agents play well.
    Empirical,
}

impl Basis {
    /// Its name: `exact` or `empirical`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Empirical => "empirical",
        }
    }
}

/// Role of a finding in the verdict on its claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// It decides: the claim says this.
    Deciding,
    /// It is shown only: another reading, the other side, or the reader's next question.
    Context,
}

/// A side of a threshold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClaimedSide {
    /// Greater numbers.
    #[default]
    Above,
    /// Lesser numbers.
    Below,
}

/// The statement that an effect lies on one side of a threshold, which was set before any data were seen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    /// The side on which the claim holds.
    pub claimed: ClaimedSide,
    /// The threshold, in the unit of the effect.
    pub threshold: f64,
}

impl Statement {
    /// Supported if the whole interval lies on the side of the claim, refuted if it lies on the other.
    pub fn verdict(self, interval: &Interval) -> Verdict {
        match self.claimed {
            ClaimedSide::Above => Verdict::greater_than(interval, self.threshold),
            ClaimedSide::Below => {
                let mirrored = Interval {
                    low: interval.high.map(|end| -end),
                    high: interval.low.map(|end| -end),
                };
                Verdict::greater_than(&mirrored, -self.threshold)
            }
        }
    }

    /// `more than 52.0 %`.
    pub fn in_words(self, unit: &EffectUnit) -> String {
        let side = match self.claimed {
            ClaimedSide::Above => "more than",
            ClaimedSide::Below => "less than",
        };
        format!("{side} {}", unit.in_words(self.threshold))
    }
}

/// The size of an effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// The quantity, and its owner: `score of the first player`.
    pub name: String,
    /// The unit.
    pub unit: EffectUnit,
    /// True for a difference of two numbers of the unit.
    #[serde(default)]
    pub difference: bool,
    /// The estimate, or the exact number.
    pub value: f64,
    /// Confidence interval of the true number; `None` for exact ones.
    pub interval: Option<Interval>,
    /// Level of the interval, such as 0.95, corrected for the number of comparisons where `test` says so; `None` for numbers
    /// without an error.
    pub level: Option<f64>,
    /// Standard error of the estimate, from the variation of games alone; `None` for exact numbers and for estimates
    /// that are not means.
    pub error: Option<f64>,
}

impl Effect {
    /// A number of the effect, as shown on pages: differences of scores and shares in percentage points.
    pub fn figure(&self, value: f64) -> String {
        match self.is_in_points() {
            true => number::difference(100.0 * value, 1),
            false => self.unit.figure(value),
        }
    }

    /// True if numbers of the effect are shown in percentage points.
    pub fn is_in_points(&self) -> bool {
        self.difference && self.unit.is_percentage()
    }
}

/// `Score of the first player: 53.1 % [50.2 %, 55.9 %] at 95 %`.
impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let write = |value: f64| self.unit.figure(value);
        let mut letters = self.name.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        write!(f, "{}: {}", first.chain(letters).collect::<String>(), write(self.value))?;
        // An effect such as `cells that …: 14` needs no unit after the number.
        if !self.unit.is_percentage() && !self.name.contains(self.unit.name()) {
            write!(f, "\u{a0}{}", self.unit)?;
        }
        if let Some(interval) = &self.interval {
            write!(f, " {}", number::interval(interval, write))?;
        }
        match self.level.filter(|_| self.interval.is_some()) {
            Some(level) => {
                let digits = format!("{:.2}", 100.0 * level);
                write!(f, " at {} %", digits.trim_end_matches('0').trim_end_matches('.'))
            }
            None => Ok(()),
        }
    }
}

/// The result of one test of one part of a claim. Fields that do not apply to a finding are empty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The claim.
    pub claim: ClaimId,
    /// The part of the claim, in a few words: `entry of 5s`.
    pub part: String,
    /// The moves that it concerns; `None` for all moves of the claim.
    pub about: Option<Subject>,
    /// The kind of its evidence.
    pub basis: Basis,
    /// Its role in the verdict on the claim.
    pub role: Role,
    /// True if it decides only where no other empirical test of the claim was played.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stand_in: bool,
    /// The part of the claim that it is one of several measures of: most of them decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measure_of: Option<String>,
    /// The verdict of the test.
    pub verdict: Verdict,
    /// A sentence or two with the numbers.
    pub summary: String,
    /// The effect, if it is a single number.
    pub effect: Option<Effect>,
    /// The claim's statement about the effect; `None` for exact findings, and for those of searches.
    #[serde(default)]
    pub statement: Option<Statement>,
    /// The sample size, in units of `n_unit`.
    pub n: u64,
    /// The unit of the sample: `pairs`, `positions`, `first moves`.
    pub n_unit: String,
    /// The method, in a sentence, with corrections for multiple comparisons.
    pub test: String,
    /// The agent that played or searched, by its name in the provenance; `None` for exact findings and for those of
    /// several agents.
    pub agent: Option<String>,
    /// The finding of each of several agents, and the variation between them; `None` for one agent and for exact
    /// findings.
    pub agents: Option<AgentVariation>,
    /// The mean over just these agents, where the effect is that of agents trained alike.
    #[serde(default)]
    pub these_agents: Option<Effect>,
    /// The positions that an exact finding is about.
    #[serde(default)]
    pub boards: Vec<Board>,
}

impl Finding {
    /// A deciding finding without numbers.
    pub fn new(claim: ClaimId, part: impl Into<String>, basis: Basis, verdict: Verdict) -> Self {
        Self {
            claim,
            part: part.into(),
            about: None,
            basis,
            role: Role::Deciding,
            stand_in: false,
            measure_of: None,
            verdict,
            summary: String::new(),
            effect: None,
            statement: None,
            n: 0,
            n_unit: String::new(),
            test: String::new(),
            agent: None,
            agents: None,
            these_agents: None,
            boards: Vec::new(),
        }
    }

    /// Makes the finding context, which does not count for the verdict on the claim.
    #[must_use]
    pub fn as_context(mut self) -> Self {
        self.role = Role::Context;
        self
    }

    /// Adds a sentence to the summary; nothing if it is empty.
    #[must_use]
    pub fn saying(mut self, sentence: impl fmt::Display) -> Self {
        let sentence = sentence.to_string();
        if !(self.summary.is_empty() || sentence.is_empty()) {
            self.summary.push(' ');
        }
        self.summary += &sentence;
        self
    }
}
