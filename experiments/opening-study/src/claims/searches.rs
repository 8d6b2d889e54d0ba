//! Tests by searches.
//!
//! A search's value has no sampling error, but is one agent's opinion: another agent, or a deeper search, may disagree.
//! So a statement is supported if it holds, by the stated margin, for the last agent of every training run with each of
//! its two largest budgets, refuted if the opposite does, and open otherwise; and it decides a claim only if there are
//! [`LEAST_RUNS`] independently trained agents. Differences below the margin, or below those between mirror images, count
//! as none.

use serde::Deserialize;

use crate::agents::{AgentFinding, AgentVariation};
use crate::claim_test::{ClaimTest, Estimate};
use crate::evidence::games::{Answered, answered_openings};
use crate::evidence::search::{AgentEvidence, SearchEvidence, score_for};
use crate::{ClaimId, Finding, FirstMove, OpeningClass, first_moves};
use chase_engine::Player;
use chase_engine::chase::Action;
use chase_statistics::Verdict;
use chase_statistics::lowest_by_chance;

/// Smallest difference in score that counts: one game in fifty.
const MARGIN: f64 = 0.02;

/// Smallest number of independently trained agents with which searches decide.
const LEAST_RUNS: usize = 3;

/// Error probability that random classes come out as low, shared by the two tested classes (Bonferroni).
const CHANCE: f64 = 0.05 / 2.0;

/// The statement of a test of searches.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SearchStatement {
    /// First moves of these classes are worse than the rest. The rest never contains the reckless moves of a 4: compared
    /// with them any move would look too good.
    Poor(Vec<OpeningClass>),
    /// The replies that the article names are the best ones to first moves of these classes.
    BestReplyTo(Vec<OpeningClass>),
}

/// The opinion of one agent's searches with one budget on a statement.
struct Opinion<'a> {
    agent: &'a AgentEvidence,
    simulations: u32,
    /// `Some(true)` if it holds by the margin, `Some(false)` if the opposite does.
    agrees: Option<bool>,
    effect: f64,
}

impl SearchStatement {
    /// The opinion of an agent: whether it agrees, and its effect. `None` if searches are missing.
    fn opinion(&self, agent: &AgentEvidence, budget: u32) -> Option<(Option<bool>, f64)> {
        match self {
            Self::Poor(classes) => poor(classes, &agent.first_scores(budget)?),
            Self::BestReplyTo(classes) => {
                let openings = answered_openings().into_iter();
                let openings = openings.filter(|answered| classes.contains(&answered.first.class));
                let shortfalls = openings.map(|opening| shortfall(agent, budget, &opening));
                let shortfalls: Vec<f64> = shortfalls.collect::<Option<_>>()?;
                let agrees = match shortfalls.iter().filter(|&&shortfall| shortfall <= MARGIN).count() {
                    all if all == shortfalls.len() => Some(true),
                    0 => Some(false),
                    _ => None,
                };
                Some((agrees, mean(&shortfalls)))
            }
        }
    }
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}

/// The mean of some classes minus that of the rest, by scores in the order of [`first_moves`], mirror images taken
/// together.
fn poor(classes: &[OpeningClass], scores: &[f64]) -> Option<(Option<bool>, f64)> {
    let moves = first_moves();
    let of = |action: Action| {
        let place = moves.iter().position(|first| first.action() == action);
        place.map(|index| scores[index])
    };
    let pairs = moves.iter().filter(|first| first.action() < first.mirror());
    let pair = |first: &FirstMove| Some((first.class, [of(first.action())?, of(first.mirror())?]));
    let pairs: Vec<(OpeningClass, [f64; 2])> = pairs.map(pair).collect::<Option<_>>()?;
    // In the game mirror images differ only in that the larger half of a die leaves the Chamber on the left.
    let squares = pairs.iter().map(|(_, [one, other])| (one - other).powi(2));
    let noise = (squares.sum::<f64>() / pairs.len() as f64).sqrt();
    let compared = pairs
        .iter()
        .filter(|(class, _)| classes.contains(class) || !class.is_called_reckless());
    let (inside, outside): (Vec<_>, Vec<_>) = compared.partition(|(class, _)| classes.contains(class));
    let means = |pairs: &[&(OpeningClass, [f64; 2])]| -> Vec<f64> {
        let means = pairs.iter().map(|(_, [one, other])| f64::midpoint(*one, *other));
        means.collect()
    };
    let (inside, outside) = (means(&inside), means(&outside));
    let effect = mean(&inside) - mean(&outside);
    let units = [&inside[..], &outside].concat();
    let is_low = lowest_by_chance(&units, inside.len()) <= CHANCE && effect <= -MARGIN.max(noise);
    let agrees = is_low.then_some(true).or((effect >= 0.0).then_some(false));
    Some((agrees, effect))
}

/// Black's score after the best reply minus that after the best of the named ones.
fn shortfall(agent: &AgentEvidence, budget: u32, opening: &Answered) -> Option<f64> {
    let record = agent.branch(budget, &[opening.first.action()])?;
    let named = opening.named.iter().filter_map(|&action| record.line(action));
    let named = named.map(|line| score_for(Player::Black, line)).reduce(f64::max)?;
    let all = record.lines.iter().filter(|line| line.score.is_some());
    let best = all.map(|line| score_for(Player::Black, line)).reduce(f64::max)?;
    Some(best - named)
}

impl SearchEvidence {
    /// The findings of all tests by searches.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        let tests = crate::claim::tests().filter_map(|(claim, test)| Some((claim, test, test.search.as_ref()?)));
        tests
            .map(|(claim, test, stated)| self.finding(claim, test, stated))
            .collect()
    }

    /// The opinions of every independent agent with its two largest budgets; unavailable opinions are left out.
    fn ask(&self, stated: &SearchStatement) -> Vec<Opinion<'_>> {
        let largest = self.budgets.iter().rev().take(2).rev();
        let asked = largest.flat_map(|&budget| self.independent().into_iter().map(move |agent| (agent, budget)));
        let opinion = |(agent, simulations): (_, u32)| {
            let (agrees, effect) = stated.opinion(agent, simulations)?;
            Some(Opinion {
                agent,
                simulations,
                agrees,
                effect,
            })
        };
        asked.filter_map(opinion).collect()
    }

    fn finding(&self, claim: ClaimId, test: &ClaimTest, stated: &SearchStatement) -> Finding {
        let opinions = self.ask(stated);
        let agreeing = |agrees| opinions.iter().filter(|opinion| opinion.agrees == Some(agrees)).count();
        let [agree, oppose] = [true, false].map(agreeing);
        let verdict = match opinions.len() {
            0 => Verdict::Inconclusive,
            all if agree == all => Verdict::Supported,
            all if oppose == all => Verdict::Refuted,
            _ => Verdict::Inconclusive,
        };
        let deepest = opinions
            .iter()
            .filter(|opinion| opinion.simulations == self.largest_budget());
        let deepest: Vec<&Opinion<'_>> = deepest.collect();
        let runs = self.independent().len();
        let effects: Vec<f64> = deepest.iter().map(|opinion| opinion.effect).collect();
        let found = (!deepest.is_empty()).then(|| Estimate {
            value: mean(&effects),
            interval: None,
            level: 0.0,
            error: None,
            n: runs as u64,
        });
        let test = test.clone().sampling("trained agents").by(&format!(
            "every move is followed by a search of its own; supported if the last agent of every training run agrees with each of \
             its two largest budgets, refuted if all contradict; {runs} independently trained, and from {LEAST_RUNS} on they \
             decide; no interval: a search has no sampling error, and agents are too few"
        ));
        let finding = test.estimated(claim, found, None).saying(format!(
            "Of {} searches by independent agents {agree} agree with the claim, {oppose} contradict it.",
            opinions.len(),
        ));
        let by_agent = deepest.iter().map(|opinion| AgentFinding {
            agent: opinion.agent.agent.clone(),
            verdict: opinion.agrees.map_or(Verdict::Inconclusive, Verdict::of),
            value: Some(opinion.effect),
            error: None,
            interval: None,
            n: 1,
        });
        let finding = Finding {
            verdict,
            n: runs as u64,
            agents: (runs > 1).then(|| AgentVariation::of(by_agent.collect())),
            ..finding
        };
        if runs < LEAST_RUNS {
            finding.as_context()
        } else {
            finding
        }
    }
}
