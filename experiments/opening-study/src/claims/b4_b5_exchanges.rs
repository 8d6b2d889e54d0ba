//! B4 and B5: how aggressive exchanges are: what they prepare, early losses after them, and their values.

use std::collections::HashSet;

use chase_engine::chase::{Action, Cell, Position};
use serde_json::json;

use super::method::games::{
    Analysis, Answer, Counted, DECISIVE, EARLY_CAPTURES, FIRST_CAPTURE, Pool, SCORE, Sides, Test, WHITE_EARLY_LOSSES,
};
use super::method::search::Opinion;
use crate::evidence::exact::lines::after;
use crate::evidence::exact::prepared::{Entry, Prepared};
use crate::evidence::exact::ring::ring_table;
use crate::evidence::games::SeriesId;
use crate::evidence::search::SearchEvidence;
use crate::first_move::SHARPEST;
use crate::{ClaimId, Effect, Finding, FirstMove, Line, OpeningClass, Subject, Unit, first_moves};
use chase_report::exhibit::{IntervalPlot, IntervalRow, Quantity, Table};
use chase_statistics::Verdict;

pub fn findings() -> Vec<Finding> {
    let mut findings: Vec<Finding> = aggression().into();
    findings.push(kept_attack());
    findings
}

/// B4.
fn aggression() -> [Finding; 2] {
    let prepared: Vec<Prepared> = first_moves().iter().map(Prepared::new).collect();
    let texts = |wanted: &dyn Fn(&Prepared) -> bool| {
        let moves = prepared.iter().filter(|prepared| wanted(prepared));
        let mut moves: Vec<&str> = moves.map(|prepared| prepared.first_move.as_str()).collect();
        moves.sort_unstable();
        moves
    };
    let defended = texts(&Prepared::is_defended_entry);
    // Each with its mirror image.
    let named = ["1A2A3", "1A4A3", "1A6A7", "1A8A7"];
    let most = Finding::exact(
        ClaimId::B4,
        "1A6A7 and 1A8A7 prepare the Chamber",
        Verdict::of(defended == named),
        format!(
            "{} of the 44 first moves prepare a Chamber move with both exits defended: {}. The article names 1A6A7 and 1A8A7; \
             the others are their mirror images.",
            defended.len(),
            defended.join(", ")
        ),
    )
    .with_effect(Effect::exact("first moves that prepare a defended Chamber move", Unit::FirstMoves, defended.len() as f64))
    .with_test(
        prepared.len() as u64,
        "first moves",
        "All Chamber moves that White could make next if Black passed, with White's dice that then attack the two exits: what \
         the article gives as the reason.",
    )
    .with_evidence(json!(prepared))
    .with_exhibit(prepared_table(&prepared))
    .with_about(Subject::Lines(SHARPEST.map(|action| Line::new(&[action])).into()));

    let share = |wanted: &dyn Fn(&Prepared) -> bool| {
        let all = prepared.iter().filter(|prepared| prepared.safe && wanted(prepared));
        let count = all.clone().count();
        (all.filter(|prepared| prepared.threatens()).count(), count)
    };
    let (exchanges, of_exchanges) = share(&|prepared| prepared.is_exchange);
    let (others, of_others) = share(&|prepared| !prepared.is_exchange);
    let difference = exchanges as f64 / of_exchanges as f64 - others as f64 / of_others as f64;
    let general = Finding::exact(
        ClaimId::B4,
        "exchanges threaten more at once than other safe moves",
        Verdict::of(difference > 0.0),
        format!(
            "{exchanges} of {of_exchanges} exchanges threaten a capture or a Chamber move at once, and {others} of {of_others} \
             other safe first moves (the wraparound bumps). By this count alone exchanges as a class are not the more \
             aggressive ones; what they lead to is for games to say."
        ),
    )
    .with_effect(Effect::exact("share of exchanges less share of others that threaten something", Unit::Share, difference))
    .with_test(
        (of_exchanges + of_others) as u64,
        "first moves",
        "The same for all first moves that the article calls safe.",
    )
    .as_context();
    [most, general]
}

fn prepared_table(prepared: &[Prepared]) -> Table {
    let rows = prepared
        .iter()
        .filter(|prepared| prepared.threatens())
        .flat_map(|prepared| {
            let row = |entry: Option<&Entry>| {
                vec![
                    prepared.first_move.clone(),
                    entry.map_or("–".into(), |entry| entry.die.clone()),
                    entry.map_or("–".into(), |entry| {
                        let exits = entry.exits.iter().zip(&entry.guards);
                        let exits: Vec<String> = exits.map(|(exit, guards)| format!("{exit} by {guards}")).collect();
                        exits.join("; ")
                    }),
                    prepared.attacked.to_string(),
                ]
            };
            if prepared.entries.is_empty() {
                vec![row(None)]
            } else {
                prepared.entries.iter().map(|entry| row(Some(entry))).collect()
            }
        });
    Table {
        title: "First moves that threaten something at once".into(),
        note: "The die that could enter the Chamber, its exits (left first) with the dice that would defend them, and the number \
               of Black's dice under attack. The other first moves threaten nothing."
            .into(),
        headings: ["first move", "enters", "exits and who defends them", "dice attacked"]
            .map(Into::into)
            .into(),
        rows: rows.collect(),
    }
}

/// B5.
fn kept_attack() -> Finding {
    let start = Position::initial();
    // The article's pair, and its mirror image.
    let pairs = [("1A8A7", "1A6A7", "A6", "E4"), ("1A2A3", "1A4A3", "A4", "E6")];
    let attacks = |turn: &str, from: &str, to: &str| {
        let (from, to) = (from.parse::<Cell>().ok()?, to.parse::<Cell>().ok()?);
        Some(after(&start, &[turn])?.reach(from).contains(to))
    };
    let holds = pairs.iter().all(|&(keeps, loses, from, to)| {
        attacks(keeps, from, to) == Some(true) && attacks(loses, from, to) == Some(false)
    });
    let rows: Vec<(&str, Position)> = std::iter::once(("initial position", start))
        .chain(
            ["1A8A7", "1A6A7", "1A2A3", "1A4A3"]
                .into_iter()
                .filter_map(|turn| Some((turn, after(&start, &[turn])?))),
        )
        .collect();
    Finding::exact(
        ClaimId::B5,
        "A6 goes on attacking E4",
        Verdict::of(holds),
        "After 1A8A7 the 4 on A6 still attacks E4; after 1A6A7 it is a 3 and does not. The same holds of the mirror images \
         1A2A3 and 1A4A3 with A4 and E6.",
    )
    .with_effect(Effect::exact("attackers of E4 that 1A8A7 keeps and 1A6A7 gives up", Unit::Dice, 1.0))
    .with_test(
        pairs.len() as u64,
        "pairs of first moves",
        "The cells that the die reaches by exact count after each move.",
    )
    .with_exhibit(ring_table(
        "White's attackers of the cells round the Chamber",
        "1A6A7 exchanges the attack on E4 for a second one on D5.",
        &rows,
    ))
}

/// Parts of B4.
const PARTS: usize = 3;

impl Analysis<'_> {
    /// B4 and B5, by games.
    pub(crate) fn exchanges_by_games(&self, pool: &Pool) -> Vec<Answer> {
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
}

impl SearchEvidence {
    /// Claim B5: the value of 1A8A7 against that of 1A6A7. A value says who is better, not who defends.
    pub(crate) fn more_defensive(&self) -> Finding {
        let moves = first_moves();
        let opinions = self.ask(|agent, budget| {
            let record = agent.branch(budget, &[])?;
            let [aggressive, defensive] = SHARPEST.map(|action| record.line(action));
            let (aggressive, defensive) = (aggressive?, defensive?);
            let mirror_image = |action: Action| {
                let first = moves.iter().find(|first| first.action() == action)?;
                record.line(first.mirror())?.score
            };
            Some(Opinion {
                agent: agent.agent.clone(),
                simulations: budget,
                holds: None,
                effect: defensive.score? - aggressive.score?,
                details: json!({
                    "draw_1A8A7": defensive.draw, "draw_1A6A7": aggressive.draw,
                    "mirror_images": [mirror_image(SHARPEST[1]), mirror_image(SHARPEST[0])],
                }),
            })
        });
        let finding = self.finding(
            ClaimId::B5,
            "value of 1A8A7 less that of 1A6A7, by search",
            &opinions,
            ("score after 1A8A7 less that after 1A6A7", Unit::Score),
            "difference of expected scores, told beside the claim: a value says who is better off, not who defends",
        );
        finding.as_context()
    }
}
