//! The replies that the article names (B8, B10).

use std::collections::BTreeMap;

use super::super::analysis::{Analysis, Answer, Pool, SCORE, Test};
use super::super::series::{Answered, away_openings, four_openings};
use super::super::series_id::SeriesId;
use crate::{ClaimId, Subject};
use chase_statistics::Verdict;

impl Analysis<'_> {
    /// B8 and B10.
    pub(super) fn replies(&self, pool: &Pool) -> Vec<Answer> {
        if !self.design.config.replies {
            return Vec::new();
        }
        let claims = [(ClaimId::B8, away_openings()), (ClaimId::B10, four_openings())];
        let mut answers = Vec::new();
        for (claim, all) in claims {
            let comparisons = all.iter().map(|answered| answered.named.len()).sum();
            for answered in &all {
                answers.extend(self.reply(claim, answered, pool, comparisons));
            }
        }
        answers
    }

    /// The series of what a player itself replies: its choice without temperature, or where that is a named reply what it
    /// replies with a temperature. `None` if it was not asked.
    fn own_replies(&self, answered: &Answered, player: usize) -> Option<SeriesId> {
        let first = answered.first.action();
        let own = self.design.players[player].reply(first)?;
        Some(if answered.named.contains(&own) {
            SeriesId::first(player, first)
        } else {
            SeriesId::reply(player, first, own)
        })
    }

    /// Whether one of the named replies is as good for Black as what each player itself would reply. The named reply that is
    /// best by the games of all players decides, so that agents are compared by the same one.
    fn reply(&self, claim: ClaimId, answered: &Answered, pool: &Pool, comparisons: usize) -> Option<Answer> {
        let all = self.named_replies(claim, answered, &Pool::all(self.design), comparisons)?;
        let rank = |answer: &Answer| match answer.finding.verdict {
            Verdict::Supported => 2,
            Verdict::Inconclusive => 1,
            Verdict::Refuted => 0,
        };
        let mean = |answer: &Answer| {
            let effect = answer.finding.effect.as_ref();
            effect.map_or(f64::NEG_INFINITY, |effect| effect.value)
        };
        let (best, _) = all
            .iter()
            .enumerate()
            .max_by(|(_, a), (_, b)| rank(a).cmp(&rank(b)).then(mean(a).total_cmp(&mean(b))))?;
        let mut tests = self.named_replies(claim, answered, pool, comparisons)?;
        let open = if tests.iter().any(|test| test.finding.verdict == Verdict::Supported) {
            Default::default()
        } else {
            tests.iter().flat_map(|test| &test.open).copied().collect()
        };
        let mut finding = tests.swap_remove(best).finding;
        let naming = self.naming(answered, pool);
        finding.summary += &match (naming, pool.players.len()) {
            (0, _) => String::new(),
            (1, 1) => " The player itself would choose a reply that the article names.".to_owned(),
            (naming, agents) => format!(" {naming} of {agents} agents would choose a reply that the article names."),
        };
        Some(Answer { finding, open })
    }

    /// How many players would choose a reply that the article names.
    fn naming(&self, answered: &Answered, pool: &Pool) -> usize {
        let own = |&&player: &&usize| {
            let own = self.design.players[player].reply(answered.first.action());
            own.is_some_and(|own| answered.named.contains(&own))
        };
        pool.players.iter().filter(own).count()
    }

    /// Each of the named replies against what each player itself would reply.
    fn named_replies(
        &self,
        claim: ClaimId,
        answered: &Answered,
        pool: &Pool,
        comparisons: usize,
    ) -> Option<Vec<Answer>> {
        let first = answered.first.action();
        let rivals: Option<BTreeMap<usize, SeriesId>> = pool
            .players
            .iter()
            .map(|&player| Some((player, self.own_replies(answered, player)?)))
            .collect();
        let rivals = rivals?;
        let own = pool
            .single()
            .and_then(|player| self.design.players[player].reply(first));
        let rival_name = match own {
            _ if self.naming(answered, pool) == pool.players.len() => "its replies with a temperature".to_owned(),
            Some(own) => format!("{own}, which it would choose"),
            None => "what each agent would choose".to_owned(),
        };
        let tests = answered.named.iter().map(|&reply| {
            // White's score after the other reply less after this one is Black's gain.
            let mut answer = self.answer(Test {
                claim,
                part: format!("{} {reply}", answered.first.text()),
                pool,
                counted: SCORE,
                effect: format!(
                    "Score of the second player after {} {reply}, less after {rival_name}",
                    answered.first.text()
                ),
                sides: pool.against(
                    |player| vec![rivals[&player]],
                    |player| vec![SeriesId::reply(player, first, reply)],
                ),
                threshold: -self.design.config.margin,
                comparisons,
            });
            answer.finding.about = Some(Subject::line(&[first, reply]));
            answer
        });
        Some(tests.collect())
    }
}
