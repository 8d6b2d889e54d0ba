//! Which first moves lead to early losses (B4, B5), and what a lost 5 costs (B11).

use std::collections::HashSet;

use chase_engine::chase::Action;
use serde_json::json;

use super::super::analysis::{
    Analysis, Answer, Counted, DECISIVE, EARLY_CAPTURES, FIRST_CAPTURE, FIVE_PROMOTES_TWO, Pool, SCORE, Sides, Test,
    WHITE_EARLY_LOSSES,
};
use super::super::series_id::{Kind, SeriesId};
use crate::first_move::SHARPEST;
use crate::{ClaimId, FirstMove, OpeningClass, Subject, first_moves};
use chase_report::exhibit::{IntervalPlot, IntervalRow, Quantity};
use chase_statistics::Verdict;

/// Parts of B4.
const PARTS: usize = 3;

impl Analysis<'_> {
    /// B4, B5 and B11.
    pub(super) fn aggression(&self, pool: &Pool) -> Vec<Answer> {
        let margin = self.design.config.dice_margin;
        let exchanges = |player| Self::firsts(player, |class| class == OpeningClass::Exchange);
        let other_safe = |player| {
            Self::firsts(player, |class| {
                class.is_called_safe() && class != OpeningClass::Exchange
            })
        };
        let contrast = |counted: Counted, threshold: f64| Test {
            claim: ClaimId::B4,
            part: format!("exchanges: {}", counted.name),
            pool,
            counted,
            effect: format!("{}, after exchanges less after other safe first moves", counted.name),
            sides: pool.against(exchanges, other_safe),
            threshold,
            comparisons: PARTS,
        };
        let mut answers = vec![self.answer(contrast(EARLY_CAPTURES, margin))];
        for counted in [FIRST_CAPTURE, DECISIVE] {
            answers.push(Answer::context(self.answer(contrast(counted, 0.0)).finding));
        }
        answers[0].finding.exhibits.push(self.losses_by_class(pool).into());
        for sharpest in SHARPEST {
            answers.push(self.sharpest(pool, sharpest));
        }
        let compared = |counted: Counted, threshold: f64| Test {
            claim: ClaimId::B5,
            part: counted.name.into(),
            pool,
            counted,
            effect: format!("{}, after {} less after {}", counted.name, SHARPEST[0], SHARPEST[1]),
            sides: pool.against(
                |player| vec![SeriesId::first(player, SHARPEST[0])],
                |player| vec![SeriesId::first(player, SHARPEST[1])],
            ),
            threshold,
            comparisons: 1,
        };
        answers.push(self.answer(compared(WHITE_EARLY_LOSSES, margin)));
        answers.push(Answer::context(self.answer(compared(SCORE, 0.0)).finding));
        answers.push(self.lost_fives(pool));
        answers
    }

    /// Whether more dice are lost early after one first move than after each of the others, those like it aside.
    fn sharpest(&self, pool: &Pool, action: Action) -> Answer {
        let moves = first_moves();
        let sharpest = || moves.iter().filter(|first| SHARPEST.contains(&first.action()));
        let like = |action: &Action| sharpest().any(|first| [first.action(), first.mirror()].contains(action));
        let all = moves.iter().map(FirstMove::action);
        let others: Vec<Action> = all.filter(|action| !like(action)).collect();
        let series = |action: Action| pool.of(|player| vec![SeriesId::first(player, action)]);
        let comparisons = pool.sharing(PARTS * others.len());
        let threshold = -self.design.config.dice_margin;
        let mut verdicts = Vec::new();
        let (mut open, mut beaten_by) = (HashSet::new(), Vec::new());
        let mut blocks = 0;
        for &other in &others {
            let sides = pool.against(
                |player| vec![SeriesId::first(player, action)],
                |player| vec![SeriesId::first(player, other)],
            );
            let estimate = self.estimate(EARLY_CAPTURES, &sides, comparisons);
            let Some(estimate) = estimate else {
                verdicts.push(Verdict::Inconclusive);
                continue;
            };
            blocks = blocks.max(estimate.n);
            let verdict = estimate.greater_than(threshold);
            match verdict {
                Verdict::Inconclusive => open.extend(sides.iter().flat_map(Sides::series)),
                Verdict::Refuted => beaten_by.push(other.to_string()),
                Verdict::Supported => {}
            }
            verdicts.push(verdict);
        }
        let verdict = Verdict::all(verdicts.iter().copied());
        let decided = verdicts
            .iter()
            .filter(|&&verdict| verdict == Verdict::Supported)
            .count();
        let mean = |action: Action| {
            let blocks = self.blocks(EARLY_CAPTURES, &series(action));
            blocks.iter().sum::<f64>() / blocks.len().max(1) as f64
        };
        let rank = 1 + others.iter().filter(|&&other| mean(other) > mean(action)).count();
        let summary = format!(
            "After {action} {:.2} dice are lost in the first 20 plies, rank {rank} among {} first moves (mirror images and \
             the other exchange aside). It is shown to be no less than {} of the {} others by more than {}, and to be \
             less than {}.",
            mean(action),
            others.len() + 1,
            decided,
            others.len(),
            EARLY_CAPTURES.unit.in_words(-threshold),
            match beaten_by.len() {
                0 => "none".to_owned(),
                _ => beaten_by.join(", "),
            }
        );
        let test = format!(
            "{} differences of matched games, one for each other first move; anytime-valid intervals, the claim's error \
             shared by {comparisons} comparisons",
            others.len()
        );
        // Decided against one, it is decided.
        if verdict == Verdict::Refuted {
            open.clear();
        }
        Answer {
            finding: self
                .finding(
                    ClaimId::B4,
                    &format!("{action} the most aggressive"),
                    pool,
                    verdict,
                    summary,
                )
                .with_test(blocks, "blocks", test)
                .with_evidence(json!({ "rank": rank, "mean": mean(action), "beaten_by": beaten_by }))
                .with_about(Subject::line(&[action])),
            open,
        }
    }

    /// Early losses by class of first move.
    fn losses_by_class(&self, pool: &Pool) -> IntervalPlot {
        let rows = OpeningClass::ALL.map(|class| {
            let sides = pool.of(|player| Self::firsts(player, |other| other == class));
            let estimate = self.estimate(EARLY_CAPTURES, &sides, pool.sharing(OpeningClass::ALL.len()));
            IntervalRow {
                name: class.name().into(),
                value: estimate.map(|estimate| estimate.mean),
                interval: estimate.map(|estimate| estimate.interval),
                text: estimate.map_or_else(String::new, |estimate| {
                    format!("{:.2} dice, {} blocks", estimate.mean, estimate.n)
                }),
            }
        });
        IntervalPlot {
            title: "Dice lost in the first 20 plies, by class of first move".into(),
            note: "Games of equal players. The intervals hold all together, and at every moment.".into(),
            axis: "dice lost by both sides".into(),
            quantity: Quantity::Plain,
            reference: None,
            rows: rows.to_vec(),
        }
    }

    /// B11: what the first 5 that a game sees captured makes its owner promote.
    fn lost_fives(&self, pool: &Pool) -> Answer {
        let sides = pool.of(|player| {
            let forced = self.of_kind(player, Kind::First);
            let series = forced.chain(self.of_kind(player, Kind::Free));
            series.map(|series| series.id).collect()
        });
        let fives = sides
            .iter()
            .flat_map(Sides::series)
            .flat_map(|series| self.games(series))
            .flat_map(|game| &game.fives);
        let mut by_dice = [0u64; 10];
        fives.for_each(|&promoted| by_dice[promoted.min(9)] += 1);
        let all: u64 = by_dice.iter().sum();
        let two: u64 = by_dice[2..].iter().sum();
        let mut answer = self.answer(Test {
            claim: ClaimId::B11,
            part: "in games".into(),
            pool,
            counted: FIVE_PROMOTES_TWO,
            effect: "First lost 5 of a game: share after which two dice or more were promoted".into(),
            sides,
            threshold: 0.5,
            comparisons: 1,
        });
        let more = format!(
            " Of all {all} captured 5s {two} ({:.1} %) promoted two dice or more.",
            100.0 * two as f64 / all.max(1) as f64
        );
        answer.finding.summary.push_str(&more);
        if let Some(evidence) = answer.finding.evidence.as_object_mut() {
            evidence.insert("lost_fives_by_promoted_dice".into(), json!(by_dice));
        }
        answer
    }
}
