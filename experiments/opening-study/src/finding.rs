//! The result of one test of one part of a claim.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::agent_variation::AgentVariation;
use super::basis::Basis;
use super::claim::ClaimId;
use super::subject::Subject;
use super::unit::EffectUnit;
use chase_report::exhibit::{Exhibit, Table};
use chase_report::number;
use chase_statistics::{Interval, Verdict};

/// Role of a finding in the verdict on its claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// It decides: the claim says this.
    Deciding,
    /// It is shown only: another reading, the other side, or the reader's next question.
    Context,
}

/// The size of an effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// The quantity, and its owner: `score of the first player`.
    pub name: String,
    /// The unit.
    pub unit: EffectUnit,
    /// The estimate, or the exact number.
    pub value: f64,
    /// Confidence interval of the true number; `None` for exact ones.
    pub interval: Option<Interval>,
    /// Level of the interval, such as 0.95, corrected for the number of comparisons where `test` says so.
    pub level: Option<f64>,
    /// Standard error of the estimate, from the variation of games alone; `None` for exact numbers and for estimates
    /// that are not means.
    pub error: Option<f64>,
}

impl Effect {
    /// A number that follows from the rules.
    pub fn exact(name: impl Into<String>, unit: EffectUnit, value: f64) -> Self {
        Self {
            name: name.into(),
            unit,
            value,
            interval: None,
            level: None,
            error: None,
        }
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
        match self.level {
            Some(level) => {
                let digits = format!("{:.2}", 100.0 * level);
                write!(f, " at {} %", digits.trim_end_matches('0').trim_end_matches('.'))
            }
            None => Ok(()),
        }
    }
}

/// The result of one test of one part of a claim.
///
/// Fields that do not apply to a finding are empty.
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
    /// The sample size, in units of `n_unit`.
    pub n: u64,
    /// The unit of the sample: `pairs`, `positions`, `first moves`.
    pub n_unit: String,
    /// The method, in a sentence, with corrections for multiple comparisons.
    pub test: String,
    /// The command that reproduces it.
    pub command: String,
    /// The agent that played or searched, by its name in the provenance; `None` for exact findings and for those of
    /// several agents.
    pub agent: Option<String>,
    /// The finding of each of several agents, and the variation between them; `None` for one agent and for exact
    /// findings.
    pub agents: Option<AgentVariation>,
    /// The data behind the numbers, for programs. [`Finding::test_evidence`] is the part of it that is read here.
    pub evidence: Value,
    /// The data behind the numbers, for people.
    pub exhibits: Vec<Exhibit>,
}

/// The command for every exact finding.
const EXACT_COMMAND: &str = "chase study --exact-only";

impl Finding {
    /// A finding without numbers yet. It decides. The command of one from games or searches is added later.
    pub fn new(
        claim: ClaimId,
        part: impl Into<String>,
        basis: Basis,
        verdict: Verdict,
        summary: impl Into<String>,
    ) -> Self {
        Self {
            claim,
            part: part.into(),
            about: None,
            basis,
            role: Role::Deciding,
            stand_in: false,
            measure_of: None,
            verdict,
            summary: summary.into(),
            effect: None,
            n: 0,
            n_unit: String::new(),
            test: String::new(),
            command: match basis {
                Basis::Exact => EXACT_COMMAND.to_owned(),
                Basis::Empirical => String::new(),
            },
            agent: None,
            agents: None,
            evidence: Value::Null,
            exhibits: Vec::new(),
        }
    }

    /// Restricts the finding to some moves.
    #[must_use]
    pub fn with_about(mut self, about: Subject) -> Self {
        self.about = Some(about);
        self
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

    /// Adds the command that reproduces it.
    #[must_use]
    pub fn with_command(mut self, command: impl Into<String>) -> Self {
        self.command = command.into();
        self
    }

    /// Adds the agent that played or searched.
    #[must_use]
    pub fn with_agent(mut self, agent: impl Into<String>) -> Self {
        self.agent = Some(agent.into());
        self
    }

    /// Adds data for programs.
    #[must_use]
    pub fn with_evidence(mut self, evidence: Value) -> Self {
        self.evidence = evidence;
        self
    }

    /// Adds a table, with an explanation.
    #[must_use]
    pub fn with_table<const N: usize>(
        self,
        title: impl Into<String>,
        note: impl Into<String>,
        headings: [&str; N],
        rows: impl IntoIterator<Item = [String; N]>,
    ) -> Self {
        self.with_exhibit(Table {
            title: title.into(),
            note: note.into(),
            headings: headings.map(String::from).into(),
            rows: rows.into_iter().map(Vec::from).collect(),
        })
    }

    /// Adds a picture, chart or table.
    #[must_use]
    pub fn with_exhibit(mut self, exhibit: impl Into<Exhibit>) -> Self {
        self.exhibits.push(exhibit.into());
        self
    }
}
