//! Classes of first moves against all others (B7, B9).

use chase_engine::chase::Action;
use serde_json::json;

use super::super::evidence::SearchEvidence;
use super::super::stability::mirror_difference;
use super::{MARGIN, Opinion};
use crate::{ClaimId, Finding, FirstMove, OpeningClass, Unit, first_moves};
use chase_report::exhibit::{LinePlot, Quantity, Series};
use chase_statistics::ranking::lowest_by_chance;

/// Chance that random classes come out as low, shared by the two classes that are tested (Bonferroni).
const CHANCE: f64 = 0.05 / 2.0;

impl SearchEvidence {
    /// Claims B7 and B9: a class of first moves against all others.
    pub(super) fn poor_class(&self, claim: ClaimId, part: &str, classes: &[OpeningClass]) -> Finding {
        let moves = first_moves();
        let opinions = self.ask(|agent, budget| {
            let scores = agent.first_scores(budget)?;
            let noise = mirror_difference(agent, budget)?.root_mean_square;
            let pairs = mirror_means(&moves, &scores);
            let (inside, outside): (Vec<_>, Vec<_>) =
                pairs.into_iter().partition(|&(class, _)| classes.contains(&class));
            let mean = |pairs: &[(OpeningClass, f64)]| {
                pairs.iter().map(|&(_, score)| score).sum::<f64>() / pairs.len().max(1) as f64
            };
            let effect = mean(&inside) - mean(&outside);
            let units: Vec<f64> = inside.iter().chain(&outside).map(|&(_, score)| score).collect();
            let chance = lowest_by_chance(&units, inside.len());
            let holds = if chance <= CHANCE && effect <= -MARGIN.max(noise) {
                Some(true)
            } else if effect >= 0.0 {
                Some(false)
            } else {
                None
            };
            Some(Opinion {
                agent: agent.agent.clone(),
                simulations: budget,
                holds,
                effect,
                details: json!({
                    "mean_of_class": mean(&inside), "mean_of_others": mean(&outside), "chance": chance,
                    "mirror_difference": noise,
                }),
            })
        });
        self.finding(
            claim,
            part,
            &opinions,
            ("mean score of these first moves less that of all others", Unit::Score),
            &format!(
                "mean expected score of the class less that of all other first moves, mirror images taken together; poor if \
                 lower by {MARGIN} and by more than mirror images differ, and a random choice of as many pairs of mirror images \
                 is as low with a chance of at most {CHANCE} (exact test over all choices, corrected for two classes); the \
                 opposite is a class no worse than the others"
            ),
        )
    }

    /// The mean value of each class against the budget.
    pub(super) fn class_lines(&self, moves: &[FirstMove]) -> LinePlot {
        let agent = self.agents.last();
        let mean = |class: OpeningClass, budget: u32| {
            let scores = agent?.first_scores(budget)?;
            let inside: Vec<f64> = moves
                .iter()
                .zip(scores)
                .filter(|(first, _)| first.class == class)
                .map(|(_, score)| score)
                .collect();
            Some(inside.iter().sum::<f64>() / inside.len() as f64)
        };
        LinePlot {
            title: "Classes of first moves with growing searches".to_owned(),
            note: agent.map_or(String::new(), |agent| {
                format!("Mean over the moves of each class; {}.", agent.agent)
            }),
            x: "simulations".to_owned(),
            x_quantity: Quantity::Whole,
            x_logarithmic: true,
            y: "expected score of the first player".to_owned(),
            y_quantity: Quantity::Percent,
            reference: Some((0.5, "even".to_owned())),
            series: OpeningClass::ALL
                .into_iter()
                .map(|class| Series {
                    name: class.name().to_owned(),
                    points: self
                        .budgets
                        .iter()
                        .map(|&budget| (budget.into(), mean(class, budget), None))
                        .collect(),
                })
                .collect(),
        }
    }
}

/// The mean score of every first move and its mirror image, with their class.
fn mirror_means(moves: &[FirstMove], scores: &[f64]) -> Vec<(OpeningClass, f64)> {
    let score = |action: Action| {
        moves
            .iter()
            .position(|first| first.action() == action)
            .map(|index| scores[index])
    };
    let once = moves.iter().filter(|first| first.action() < first.mirror());
    let mean = |first: &FirstMove| {
        Some((
            first.class,
            f64::midpoint(score(first.action())?, score(first.mirror())?),
        ))
    };
    once.filter_map(mean).collect()
}
