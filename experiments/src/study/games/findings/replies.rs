//! The replies that the article names (B8, B10).

use super::super::analysis::{Analysis, Answer, SCORE, Test};
use super::super::series::{Answered, away_openings, four_openings};
use crate::study::{ClaimId, Verdict};

impl Analysis<'_> {
    /// B8 and B10 for a player of the whole study.
    pub(super) fn replies(&self, player: usize) -> Vec<Answer> {
        if !self.design.config.replies {
            return Vec::new();
        }
        let claims = [(ClaimId::B8, away_openings()), (ClaimId::B10, four_openings())];
        let mut answers = Vec::new();
        for (claim, all) in claims {
            let comparisons = all.iter().map(|answered| answered.named.len()).sum::<usize>() * self.main_count();
            for answered in &all {
                answers.extend(self.reply(claim, answered, player, comparisons));
            }
        }
        answers
    }

    /// Whether one of the named replies is as good for Black as what the player itself would reply: its choice without
    /// temperature, or where that is a named reply what it replies with a temperature. The best named reply decides.
    fn reply(&self, claim: ClaimId, answered: &Answered, player: usize, comparisons: usize) -> Option<Answer> {
        let first = answered.first.action();
        let own = self.design.players[player].reply(first)?;
        let named_by_player = answered.named.contains(&own);
        let (rival, rival_name) = if named_by_player {
            (
                self.first(player, &first.to_string()),
                "its replies with a temperature".to_owned(),
            )
        } else {
            (
                format!("{player}/reply/{first}/{own}"),
                format!("{own}, which it would choose"),
            )
        };
        let tests = answered.named.iter().map(|reply| {
            // White's score after the other reply less after this one is Black's gain.
            self.answer(Test {
                claim,
                part: format!("{} {reply}", answered.first.text()),
                player,
                counted: SCORE,
                effect: format!(
                    "Score of the second player after {} {reply}, less after {rival_name}",
                    answered.first.text()
                ),
                plus: vec![rival.clone()],
                minus: vec![format!("{player}/reply/{first}/{reply}")],
                threshold: -self.design.config.margin,
                comparisons,
            })
        });
        let rank = |answer: &Answer| match answer.finding.verdict {
            Verdict::Supported => 2,
            Verdict::Inconclusive => 1,
            Verdict::Refuted => 0,
        };
        let mean = |answer: &Answer| {
            answer
                .finding
                .effect
                .as_ref()
                .map_or(f64::NEG_INFINITY, |effect| effect.value)
        };
        let tests: Vec<Answer> = tests.collect();
        let open = if tests.iter().any(|test| test.finding.verdict == Verdict::Supported) {
            Default::default()
        } else {
            tests.iter().flat_map(|test| test.open.clone()).collect()
        };
        let best = tests
            .into_iter()
            .max_by(|a, b| rank(a).cmp(&rank(b)).then(mean(a).total_cmp(&mean(b))))?;
        let mut finding = best.finding;
        if named_by_player {
            finding
                .summary
                .push_str(" The player itself would choose a reply that the article names.");
        }
        Some(Answer { finding, open })
    }
}
