//! B8 and B10: the replies that the article calls best, among all replies, by searches.

use chase_engine::Player;
use serde_json::json;

use super::method::search::{MARGIN, Opinion};
use crate::evidence::games::Answered;
use crate::evidence::search::{BranchRecord, SearchEvidence, score_for};
use crate::{ClaimId, EffectUnit, Finding};
use chase_report::exhibit::Table;

impl SearchEvidence {
    /// Claims B8 and B10: the replies that the article names, compared with all replies.
    pub(crate) fn named_replies_are_best(&self, claim: ClaimId, part: &str, openings: &[Answered]) -> Finding {
        let opinions = self.ask(|agent, budget| {
            let replies: Option<Vec<_>> = openings
                .iter()
                .map(|opening| NamedReply::new(agent.branch(budget, &[opening.first.action()])?, opening))
                .collect();
            let replies = replies?;
            let all = |test: fn(&NamedReply) -> bool| replies.iter().all(test);
            Some(Opinion {
                agent: agent.agent.clone(),
                simulations: budget,
                holds: match (
                    all(|reply| reply.shortfall <= MARGIN),
                    all(|reply| reply.shortfall > MARGIN),
                ) {
                    (true, _) => Some(true),
                    (_, true) => Some(false),
                    _ => None,
                },
                effect: replies.iter().map(|reply| reply.shortfall).sum::<f64>() / replies.len().max(1) as f64,
                details: json!(replies.iter().map(NamedReply::details).collect::<Vec<_>>()),
            })
        });
        let mut finding = self.finding(
            claim,
            part,
            &opinions,
            ("score that the named reply gives away against the best reply", EffectUnit::Score),
            &format!(
                "Black's expected score after the best reply minus that after the best of the replies that the article names, after \
                 each of these first moves; it holds if it is at most {MARGIN} after all of them, the opposite if it is more \
                 after all"
            ),
        );
        let agent = self.agents.last();
        let rows = openings.iter().filter_map(|opening| {
            let record = agent?.branch(self.largest_budget(), &[opening.first.action()])?;
            Some(NamedReply::new(record, opening)?.row())
        });
        finding.exhibits.push(
            Table {
                title: "The named replies among all replies".to_owned(),
                note: agent.map_or(String::new(), |agent| {
                    format!("{}, {} simulations for each reply.", agent.agent, self.largest_budget())
                }),
                headings: [
                    "first move",
                    "named reply",
                    "rank",
                    "of",
                    "score of Black",
                    "best reply",
                    "its score",
                ]
                .map(str::to_owned)
                .to_vec(),
                rows: rows.collect(),
            }
            .into(),
        );
        finding
    }
}

/// The best of the article's named replies, among all replies to one first move.
struct NamedReply {
    opening: String,
    reply: String,
    best: String,
    rank: usize,
    replies: usize,
    /// Black's score after it, and after the best reply.
    scores: [f64; 2],
    /// The loss in score compared with the best reply.
    shortfall: f64,
}

impl NamedReply {
    fn new(record: &BranchRecord, opening: &Answered) -> Option<Self> {
        let score = |line| score_for(Player::Black, line);
        let named = opening.named.iter().filter_map(|&action| record.line(action));
        let named = named.max_by(|a, b| score(a).total_cmp(&score(b)))?;
        let best = record.best_for(Player::Black)?;
        let scores = [named, best].map(score);
        Some(Self {
            opening: opening.first.text(),
            reply: named.text.clone(),
            best: best.text.clone(),
            rank: 1 + record.lines.iter().filter(|line| score(line) > scores[0]).count(),
            replies: record.lines.len(),
            scores,
            shortfall: scores[1] - scores[0],
        })
    }

    fn details(&self) -> serde_json::Value {
        json!({
            "first_move": self.opening, "named_reply": self.reply, "best_reply": self.best, "rank": self.rank,
            "replies": self.replies, "score_of_named": self.scores[0], "score_of_best": self.scores[1],
        })
    }

    fn row(&self) -> Vec<String> {
        let percent = |score: f64| format!("{:.1} %", 100.0 * score);
        vec![
            self.opening.clone(),
            self.reply.clone(),
            self.rank.to_string(),
            self.replies.to_string(),
            percent(self.scores[0]),
            self.best.clone(),
            percent(self.scores[1]),
        ]
    }
}
