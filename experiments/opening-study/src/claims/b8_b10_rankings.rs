//! B8 and B10: all replies to the first moves that the article answers, ranked by games.
//!
//! All replies are compared with the best at once (Hsu): the replies that can be the best form a confidence set, which
//! contains the best one with the stated level, whichever it is. The verdict on a named reply does not depend on it.

use serde_json::json;

use super::method::games::{GamesAnalysis, Pool, SCORE, bounds};
use crate::evidence::games::{Answered, SeriesId, away_openings, four_openings};
use crate::{ClaimId, Finding, Subject};
use chase_engine::chase::Action;
use chase_report::exhibit::Table;
use chase_statistics::{Best, Contender, MeanMethod, Verdict};

impl GamesAnalysis<'_> {
    /// For each of the first moves, all replies with the confidence set of the best; empty in a study that did not
    /// force all replies.
    pub(crate) fn reply_rankings(&self) -> Vec<Finding> {
        if !(self.design.config.replies && self.design.config.all_replies) {
            return Vec::new();
        }
        let claims = [(ClaimId::B8, away_openings()), (ClaimId::B10, four_openings())];
        let findings = claims.iter().flat_map(|(claim, openings)| {
            let ranked = openings
                .iter()
                .map(|answered| self.reply_ranking(*claim, answered, openings.len()));
            ranked.flatten().collect::<Vec<_>>()
        });
        findings.collect()
    }

    /// The openings of a claim share its error probability.
    fn reply_ranking(&self, claim: ClaimId, answered: &Answered, openings: usize) -> Option<Finding> {
        let config = &self.design.config;
        let pool = &Pool::all(self.design);
        let first = answered.first.action();
        let replies: Vec<Action> = [&answered.named[..], &answered.others].concat();
        let black = |reply: &Action| {
            let sides = pool.of(|player| vec![SeriesId::reply(player, first, *reply)]);
            let white = self.by_block(SCORE, &sides).into_iter();
            white.map(|score| Some(1.0 - score?)).collect()
        };
        let scores: Vec<Vec<Option<f64>>> = replies.iter().map(black).collect();
        let error = config.error / openings.max(1) as f64;
        let best = Best::new(MeanMethod::Student, SCORE.range, error, config.most.into());
        let compared = best.compare(&scores)?;
        let mut ranked: Vec<(&Action, &Contender)> = replies.iter().zip(&compared.series).collect();
        let key = |contender: &Contender| (contender.can_be_best, contender.mean);
        ranked.sort_by(|(_, a), (_, b)| {
            let (a, b) = (key(a), key(b));
            b.0.cmp(&a.0).then(b.1.total_cmp(&a.1))
        });
        let opening = answered.first.text();
        let possible: Vec<String> = ranked
            .iter()
            .filter(|(_, contender)| contender.can_be_best)
            .map(|(reply, _)| reply.to_string())
            .collect();
        let named = answered.named.iter().map(ToString::to_string);
        let named: Vec<String> = named.filter(|reply| possible.contains(reply)).collect();
        let summary = format!(
            "After {opening} {} of {} replies can be the best, with {:.2} %{}. Of those that the article names, {}.",
            possible.len(),
            replies.len(),
            100.0 * compared.level,
            if possible.len() <= 6 {
                format!(": {}", possible.join(", "))
            } else {
                String::new()
            },
            if named.is_empty() {
                "none can".to_owned()
            } else {
                format!("{} can", named.join(", "))
            }
        );
        let row = |(reply, contender): &(&Action, &Contender)| {
            vec![
                reply.to_string(),
                contender.n.to_string(),
                SCORE.unit.in_words(contender.mean),
                bounds(&contender.from_best, SCORE.unit),
                if contender.can_be_best { "yes" } else { "no" }.to_owned(),
            ]
        };
        let table = Table {
            title: format!("All replies to {opening}"),
            note: "Score of the second player, and how far it is from the best reply at most and at least. The best reply is among those \
                   that can be it with the level that is stated; all that the table says holds together, and at every moment."
                .to_owned(),
            headings: ["reply", "blocks", "score", "from the best", "can be the best"].map(str::to_owned).to_vec(),
            rows: ranked.iter().map(row).collect(),
        };
        let evidence: Vec<_> = ranked
            .iter()
            .map(|(reply, contender)| json!({ "reply": reply.to_string(), "contender": contender }))
            .collect();
        let test = format!(
            "multiple comparisons with the best (Hsu) of {} replies: differences of matched games, anytime-valid intervals {}; the \
             claim's error shared by {openings} first moves; it decides nothing",
            replies.len(),
            MeanMethod::Student.name()
        );
        let blocks = compared.series.iter().map(|contender| contender.n).max().unwrap_or(0);
        let part = format!("all replies to {opening}");
        let finding = self.finding(claim, &part, pool, Verdict::Inconclusive, summary);
        let finding = finding
            .with_test(blocks, "blocks", test)
            .with_evidence(json!({ "replies": evidence }));
        Some(
            finding
                .with_about(Subject::line(&[first]))
                .with_exhibit(table)
                .as_context(),
        )
    }
}
