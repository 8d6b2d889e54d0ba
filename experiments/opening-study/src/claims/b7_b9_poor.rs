//! B7 and B9: first moves that are called poor, as classes compared with the rest, by games and by searches. The rest
//! never contains the reckless moves of a 4: compared with them any move would look too good.

use chase_engine::chase::Action;
use serde_json::json;

use super::method::games::{Answer, GamesAnalysis, Pool, SCORE, Test};
use super::method::search::{MARGIN, Opinion};
use crate::evidence::search::{SearchEvidence, mirror_difference};
use crate::{ClaimId, EffectUnit, Finding, FirstMove, OpeningClass, first_moves};
use chase_report::chart::{IntervalRow, Quantity};
use chase_report::exhibit::IntervalPlot;
use chase_statistics::ranking::lowest_by_chance;

impl GamesAnalysis<'_> {
    /// B7 and B9, by games.
    pub(crate) fn poor_by_games(&self, pool: &Pool) -> Vec<Answer> {
        let margin = self.design.config.margin;
        let mut answers = Vec::new();
        let poor: [(ClaimId, &str, &[OpeningClass]); 2] = [
            (
                ClaimId::B7,
                "a 5 or a 3 away from the Chamber",
                &[OpeningClass::ThreeAway, OpeningClass::FiveAway],
            ),
            (ClaimId::B9, "a 4", &[OpeningClass::Four]),
        ];
        for (claim, name, classes) in poor {
            let mut answer = self.answer(Test {
                claim,
                part: "worse than the rest".into(),
                pool,
                counted: SCORE,
                effect: format!(
                    "First player's score after the other first moves, the reckless ones aside, minus after {name}"
                ),
                sides: pool.against(
                    |player| Self::rest(player, classes),
                    |player| Self::firsts(player, |class| classes.contains(&class)),
                ),
                threshold: margin,
                comparisons: 1,
            });
            answer.finding.exhibits.push(self.scores_by_class(pool).into());
            answers.push(answer);
        }
        answers
    }

    fn scores_by_class(&self, pool: &Pool) -> IntervalPlot {
        let rows = OpeningClass::ALL.map(|class| {
            let sides = pool.of(|player| Self::firsts(player, |other| other == class));
            let estimate = self.estimate(SCORE, &sides, pool.sharing(OpeningClass::ALL.len()));
            IntervalRow {
                name: class.name().into(),
                value: estimate.map(|estimate| estimate.mean),
                interval: estimate.map(|estimate| estimate.interval),
                text: estimate.map_or_else(String::new, |estimate| {
                    format!("{} in {} blocks", SCORE.unit.in_words(estimate.mean), estimate.n)
                }),
            }
        });
        IntervalPlot {
            title: "Score of the first player by class of first move".into(),
            note: "Games of equal players. The intervals hold all together, and at every moment.".into(),
            axis: "score of the first player".into(),
            quantity: Quantity::Percent,
            reference: None,
            rows: rows.to_vec(),
        }
    }
}

/// Error probability that random classes come out as low, shared by the two tested classes (Bonferroni).
const CHANCE: f64 = 0.05 / 2.0;

impl SearchEvidence {
    /// Claims B7 and B9: a class of first moves compared with the rest.
    pub(crate) fn poor_class(&self, claim: ClaimId, part: &str, classes: &[OpeningClass]) -> Finding {
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
            ("mean score of these first moves minus that of the rest", EffectUnit::Score),
            &format!(
                "mean expected score of the class minus that of the other first moves except the reckless ones, mirror images taken together; poor if \
                 lower by {MARGIN} and by more than mirror images differ, and a random choice of as many pairs of mirror images \
                 is as low with a chance of at most {CHANCE} (exact test over all choices, corrected for two classes); the \
                 opposite is a class no worse than the others"
            ),
        )
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
