//! B8 and B10: the replies that the article calls best, among all replies, by searches.

use chase_engine::Player;

use super::method::search::{MARGIN, Opinion};
use crate::claim_test::ClaimTest;
use crate::evidence::games::Answered;
use crate::evidence::search::{BranchRecord, LineRecord, SearchEvidence, score_for};
use crate::{ClaimId, Finding};
use chase_report::number;

impl SearchEvidence {
    /// Claims B8 and B10: the replies that the article names, compared with all replies.
    pub(crate) fn named_replies_are_best(&self, claim: ClaimId, openings: &[Answered]) -> Finding {
        let opinions = self.ask(|agent, budget| {
            let shortfall = |opening: &Answered| {
                let record = agent.branch(budget, &[opening.first.action()])?;
                let [named, best] = named_and_best(record, opening)?;
                Some(score(best) - score(named))
            };
            let shortfalls: Vec<f64> = openings.iter().map(shortfall).collect::<Option<_>>()?;
            let agrees = match shortfalls.iter().filter(|&&shortfall| shortfall <= MARGIN).count() {
                all if all == shortfalls.len() => Some(true),
                0 => Some(false),
                _ => None,
            };
            let mean = shortfalls.iter().sum::<f64>() / shortfalls.len().max(1) as f64;
            Some(Opinion::of(agent, budget, agrees, mean))
        });
        let finding = self.finding(ClaimTest::named(claim, "value"), &opinions);
        let Some(agent) = self.agents.last() else {
            return finding;
        };
        let rows = openings.iter().filter_map(|opening| {
            let record = agent.branch(self.largest_budget(), &[opening.first.action()])?;
            let [named, best] = named_and_best(record, opening)?;
            let better = record.lines.iter().filter(|line| score(line) > score(named)).count();
            Some([
                opening.first.text(),
                named.text.clone(),
                format!("{} of {}", better + 1, record.lines.len()),
                number::percent(score(named)),
                best.text.clone(),
                number::percent(score(best)),
            ])
        });
        let note = format!("{}, {} simulations for each reply.", agent.agent, self.largest_budget());
        let headings = [
            "first move",
            "named reply",
            "rank",
            "score of Black",
            "best reply",
            "its score",
        ];
        finding.with_table("The named replies among all replies", note, headings, rows)
    }
}

fn score(line: &LineRecord) -> f64 {
    score_for(Player::Black, line)
}

/// The best of the article's named replies, and the best of all.
fn named_and_best<'a>(record: &'a BranchRecord, opening: &Answered) -> Option<[&'a LineRecord; 2]> {
    let named = opening.named.iter().filter_map(|&action| record.line(action));
    let named = named.max_by(|a, b| score(a).total_cmp(&score(b)))?;
    Some([named, record.best_for(Player::Black)?])
}
