//! What one test says about one part of a claim.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::agent_variation::AgentVariation;
use super::basis::Basis;
use super::claim::ClaimId;
use super::subject::Subject;
use super::unit::Unit;
use chase_report::exhibit::Exhibit;
use chase_statistics::{Interval, Verdict};

/// Whether a finding counts for the verdict on its claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// It does: the claim says this.
    Deciding,
    /// It is told beside: another reading, the other side, or what a reader will ask next.
    Context,
}

/// How large something is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// What is measured, and of whom: `score of the first player`.
    pub name: String,
    /// The unit.
    pub unit: Unit,
    /// The estimate, or the exact number.
    pub value: f64,
    /// Where the true number lies; `None` for exact ones.
    pub interval: Option<Interval>,
    /// Level of the interval, such as 0.95, corrected for the number of comparisons where `test` says so.
    pub level: Option<f64>,
    /// Standard error of the estimate, from the variation of games alone; `None` for what is exact or no mean.
    #[serde(default)]
    pub error: Option<f64>,
}

impl Effect {
    /// A number that the rules decide.
    pub fn exact(name: impl Into<String>, unit: Unit, value: f64) -> Self {
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

/// What one test says about one part of a claim.
///
/// The fields that a finding does not need are empty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The claim.
    pub claim: ClaimId,
    /// Which part of it, in a few words for people: `entry of 5s`.
    pub part: String,
    /// The moves that it is about; `None` if it is about all that the claim is about.
    #[serde(default)]
    pub about: Option<Subject>,
    /// What it rests on.
    pub basis: Basis,
    /// Whether it counts for the verdict on the claim.
    pub role: Role,
    /// What the test says.
    pub verdict: Verdict,
    /// A sentence or two with the numbers.
    pub summary: String,
    /// The size of what was found, if it is one number.
    pub effect: Option<Effect>,
    /// The sample: how many of `n_unit`.
    pub n: u64,
    /// What is counted: `pairs`, `positions`, `first moves`.
    pub n_unit: String,
    /// What was done, in a sentence, with corrections for many comparisons.
    pub test: String,
    /// The command that gives it again.
    pub command: String,
    /// The agent that played or searched, by its name in the provenance; `None` for exact findings and for those of several
    /// agents.
    pub agent: Option<String>,
    /// What each of several agents says by itself, and how much they differ; `None` for one agent and for exact findings.
    #[serde(default)]
    pub agents: Option<AgentVariation>,
    /// The data behind the numbers, for programs.
    pub evidence: Value,
    /// The data behind the numbers, for eyes.
    pub exhibits: Vec<Exhibit>,
}

/// The command behind every exact finding.
const EXACT_COMMAND: &str = "chase study --exact-only";

impl Finding {
    /// A finding of the rules alone, without numbers yet. It counts for the verdict.
    pub fn exact(claim: ClaimId, part: impl Into<String>, verdict: Verdict, summary: impl Into<String>) -> Self {
        Self::new(claim, part, Basis::Exact, verdict, summary).with_command(EXACT_COMMAND)
    }

    /// A finding from games or searches, without numbers yet. It counts for the verdict.
    pub fn empirical(claim: ClaimId, part: impl Into<String>, verdict: Verdict, summary: impl Into<String>) -> Self {
        Self::new(claim, part, Basis::Empirical, verdict, summary)
    }

    fn new(
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
            verdict,
            summary: summary.into(),
            effect: None,
            n: 0,
            n_unit: String::new(),
            test: String::new(),
            command: String::new(),
            agent: None,
            agents: None,
            evidence: Value::Null,
            exhibits: Vec::new(),
        }
    }

    /// About some moves alone.
    #[must_use]
    pub fn with_about(mut self, about: Subject) -> Self {
        self.about = Some(about);
        self
    }

    /// Not counted for the verdict on the claim.
    #[must_use]
    pub fn as_context(mut self) -> Self {
        self.role = Role::Context;
        self
    }

    /// With the size of what was found.
    #[must_use]
    pub fn with_effect(mut self, effect: Effect) -> Self {
        self.effect = Some(effect);
        self
    }

    /// With the size of the sample and what was done.
    #[must_use]
    pub fn with_test(mut self, n: u64, n_unit: impl Into<String>, test: impl Into<String>) -> Self {
        self.n = n;
        self.n_unit = n_unit.into();
        self.test = test.into();
        self
    }

    /// With the command that gives it again.
    #[must_use]
    pub fn with_command(mut self, command: impl Into<String>) -> Self {
        self.command = command.into();
        self
    }

    /// With the agent that played or searched.
    #[must_use]
    pub fn with_agent(mut self, agent: impl Into<String>) -> Self {
        self.agent = Some(agent.into());
        self
    }

    /// With data for programs.
    #[must_use]
    pub fn with_evidence(mut self, evidence: Value) -> Self {
        self.evidence = evidence;
        self
    }

    /// With one more picture, chart or table.
    #[must_use]
    pub fn with_exhibit(mut self, exhibit: impl Into<Exhibit>) -> Self {
        self.exhibits.push(exhibit.into());
        self
    }
}
