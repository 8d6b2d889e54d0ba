//! B8 and B10: all replies to the first moves that the article answers, ranked by games.
//!
//! All replies are compared with the best at once (Hsu): the replies that can be the best form a confidence set, which
//! contains the best one with the stated level, whichever it is. The verdict on a named reply does not depend on it.

use super::method::games::{GamesAnalysis, Pool, bounds};
use super::method::measure::Measure;
use crate::claim_test::ClaimTest;
use crate::evidence::games::{Answered, SeriesId, away_openings, four_openings};
use crate::{ClaimId, Finding, Subject};
use chase_engine::chase::Action;
use chase_statistics::{Best, Contender, MeanMethod};

impl GamesAnalysis<'_> {
    /// For each of the first moves, all replies with the confidence set of the best; empty in a study that did not
    /// force all replies.
    pub(crate) fn reply_rankings(&self) -> Vec<Finding> {
        if !(self.design.config.replies && self.design.config.all_replies) {
            return Vec::new();
        }
        let claims = [(ClaimId::B8, away_openings()), (ClaimId::B10, four_openings())];
        let findings = claims.iter().flat_map(|(claim, openings)| {
            let ranking = |answered| self.reply_ranking(*claim, answered, openings.len());
            openings.iter().filter_map(ranking)
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
            let white = self.by_block(Measure::Score, &sides).into_iter();
            white.map(|score| Some(1.0 - score?)).collect()
        };
        let scores: Vec<Vec<Option<f64>>> = replies.iter().map(black).collect();
        let error = config.error / openings.max(1) as f64;
        let best = Best::new(
            MeanMethod::Student,
            Measure::Score.range(&self.design.config),
            error,
            config.most.into(),
        );
        let compared = best.compare(&scores)?;
        let mut ranked: Vec<(&Action, &Contender)> = replies.iter().zip(&compared.series).collect();
        ranked.sort_by(|(_, a), (_, b)| {
            let possible_first = b.can_be_best.cmp(&a.can_be_best);
            possible_first.then(b.mean.total_cmp(&a.mean))
        });
        let possible: Vec<&Action> = ranked
            .iter()
            .filter(|(_, of)| of.can_be_best)
            .map(|(reply, _)| *reply)
            .collect();
        let named = answered.named.iter().filter(|reply| possible.contains(reply));
        let named: Vec<String> = named.map(ToString::to_string).collect();
        let opening = answered.first.text();
        let summary = format!(
            "After {opening} {} of {} replies can be the best, with {:.2} %; of those that the article names: {}.",
            possible.len(),
            replies.len(),
            100.0 * compared.level,
            if named.is_empty() {
                "none".to_owned()
            } else {
                named.join(", ")
            }
        );
        let rows = ranked.iter().map(|(reply, of)| {
            [
                reply.to_string(),
                of.n.to_string(),
                Measure::Score.unit().in_words(of.mean),
                bounds(&of.from_best, Measure::Score.unit()),
                if of.can_be_best { "yes" } else { "no" }.to_owned(),
            ]
        });
        let note = "Score of the second player, and how far it is from the best reply at most and at least. The best reply is among \
                    those that can be it with the level that is stated; all that the table says holds together, and at every moment.";
        let headings = ["reply", "blocks", "score", "from the best", "can be the best"];
        let blocks = compared.series.iter().map(|contender| contender.n).max().unwrap_or(0);
        let finding = ClaimTest::named(claim, "ranking")
            .with("opening", &opening)
            .told(blocks, summary);
        let finding = finding.with_about(Subject::line(&[first]));
        Some(
            self.by(pool, finding)
                .with_table(format!("All replies to {opening}"), note, headings, rows),
        )
    }
}
