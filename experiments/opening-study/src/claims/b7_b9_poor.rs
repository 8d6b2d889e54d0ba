//! B7 and B9: first moves that are called poor, as classes compared with the rest, by searches. The rest never contains
//! the reckless moves of a 4: compared with them any move would look too good.

use chase_engine::chase::Action;

use super::method::search::{MARGIN, Opinion};
use crate::claim_test::ClaimTest;
use crate::evidence::search::{SearchEvidence, mirror_difference};
use crate::{ClaimId, Finding, FirstMove, OpeningClass, first_moves};
use chase_statistics::ranking::lowest_by_chance;

/// Error probability that random classes come out as low, shared by the two tested classes (Bonferroni).
const CHANCE: f64 = 0.05 / 2.0;

impl SearchEvidence {
    /// Claims B7 and B9: a class of first moves compared with the rest.
    pub(crate) fn poor_class(&self, claim: ClaimId, classes: &[OpeningClass]) -> Finding {
        let moves = first_moves();
        let opinions = self.ask(|agent, budget| {
            let scores = agent.first_scores(budget)?;
            let noise = mirror_difference(agent, budget)?.root_mean_square;
            let mut pairs = mirror_means(&moves, &scores);
            pairs.retain(|(class, _)| classes.contains(class) || !class.is_called_reckless());
            let (inside, outside): (Vec<_>, Vec<_>) =
                pairs.into_iter().partition(|&(class, _)| classes.contains(&class));
            let mean = |pairs: &[(OpeningClass, f64)]| {
                pairs.iter().map(|&(_, score)| score).sum::<f64>() / pairs.len().max(1) as f64
            };
            let effect = mean(&inside) - mean(&outside);
            let units: Vec<f64> = inside.iter().chain(&outside).map(|&(_, score)| score).collect();
            let is_low = lowest_by_chance(&units, inside.len()) <= CHANCE && effect <= -MARGIN.max(noise);
            let agrees = is_low.then_some(true).or((effect >= 0.0).then_some(false));
            Some(Opinion::of(agent, budget, agrees, effect))
        });
        self.finding(ClaimTest::named(claim, "value"), &opinions)
    }
}

/// The mean score of every first move and its mirror image, with their class.
fn mirror_means(moves: &[FirstMove], scores: &[f64]) -> Vec<(OpeningClass, f64)> {
    let score = |action: Action| {
        let place = moves.iter().position(|first| first.action() == action);
        place.map(|index| scores[index])
    };
    let once = moves.iter().filter(|first| first.action() < first.mirror());
    let mean = |first: &FirstMove| {
        let both = score(first.action()).zip(score(first.mirror()))?;
        Some((first.class, f64::midpoint(both.0, both.1)))
    };
    once.filter_map(mean).collect()
}
