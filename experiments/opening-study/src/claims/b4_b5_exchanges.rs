//! B4 and B5: the aggression of exchanges: their threats, early losses after them, and their values.

use chase_engine::chase::{Action, Cell, Position};
use serde_json::json;

use super::method::battery::{AGGRESSION, Asked};
use super::method::games::{
    Answer, Counted, DECISIVE, EARLY_CAPTURES, FIRST_CAPTURE, GamesAnalysis, Pool, SCORE, Sides, Test,
    WHITE_EARLY_LOSSES, still_open,
};
use super::method::search::Opinion;
use crate::evidence::exact::lines::after;
use crate::evidence::exact::prepared::{ChamberMove, Prepared};
use crate::evidence::exact::ring::ring_table;
use crate::evidence::games::SeriesId;
use crate::evidence::search::SearchEvidence;
use crate::first_move::SHARPEST;
use crate::{ClaimId, Effect, EffectUnit, Finding, FirstMove, Line, OpeningClass, Subject, first_moves};
use chase_report::chart::{IntervalRow, Quantity};
use chase_report::exhibit::{IntervalPlot, Table};
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
    // Each stands for its mirror image too.
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
    .with_effect(Effect::exact("first moves that prepare a defended Chamber move", EffectUnit::FirstMoves, defended.len() as f64))
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
    .with_effect(Effect::exact("share of exchanges minus share of others that threaten something", EffectUnit::Share, difference))
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
            let row = |entry: Option<&ChamberMove>| {
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
        headings: ["first move", "enters", "exits and their defenders", "dice attacked"]
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
        "A6 still attacks E4",
        Verdict::of(holds),
        "After 1A8A7 the 4 on A6 still attacks E4; after 1A6A7 it is a 3 and does not. The same holds of the mirror images \
         1A2A3 and 1A4A3 with A4 and E6.",
    )
    .with_effect(Effect::exact("attackers of E4 that 1A8A7 keeps and 1A6A7 gives up", EffectUnit::Dice, 1.0))
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

impl GamesAnalysis<'_> {
    /// B4 and B5, by games.
    pub(crate) fn exchanges_by_games(&self, pool: &Pool) -> Vec<Answer> {
        let exchanges = |player| Self::firsts(player, |class| class == OpeningClass::Exchange);
        let other_safe = |player| {
            Self::firsts(player, |class| {
                class.is_called_safe() && class != OpeningClass::Exchange
            })
        };
        let contrast = |counted: Counted| Test {
            claim: ClaimId::B4,
            part: format!("exchanges: {}", counted.name),
            pool,
            counted,
            effect: format!("{}, after exchanges, minus after other safe first moves", counted.name),
            sides: pool.against(exchanges, other_safe),
            threshold: 0.0,
            comparisons: 1,
        };
        let mut answers = vec![self.more_aggressive(
            ClaimId::B4,
            "exchanges are more aggressive than other safe moves",
            "After exchanges, minus after the other safe first moves",
            pool,
            &pool.against(exchanges, other_safe),
            PARTS,
        )];
        for counted in [EARLY_CAPTURES, FIRST_CAPTURE, DECISIVE] {
            answers.push(Answer::context(self.answer(contrast(counted)).finding));
        }
        answers[0].finding.exhibits.push(self.losses_by_class(pool).into());
        for sharpest in SHARPEST {
            answers.push(self.sharpest(pool, sharpest));
        }
        let [aggressive, defensive] = SHARPEST.map(|action| move |player| vec![SeriesId::first(player, action)]);
        let sides = pool.against(aggressive, defensive);
        answers.push(self.more_aggressive(
            ClaimId::B5,
            "1A6A7 is more aggressive than 1A8A7",
            "After 1A6A7, minus after 1A8A7",
            pool,
            &sides,
            1,
        ));
        for counted in [WHITE_EARLY_LOSSES, SCORE] {
            let compared = Test {
                claim: ClaimId::B5,
                part: counted.name.into(),
                pool,
                counted,
                effect: format!("{}, after {}, minus after {}", counted.name, SHARPEST[0], SHARPEST[1]),
                sides: sides.clone(),
                threshold: 0.0,
                comparisons: 1,
            };
            answers.push(Answer::context(self.answer(compared).finding));
        }
        answers
    }

    /// Tests whether the first player is more aggressive after some first moves than after others.
    fn more_aggressive(
        &self,
        claim: ClaimId,
        part: &str,
        effect: &str,
        pool: &Pool,
        sides: &[Sides],
        comparisons: usize,
    ) -> Answer {
        let comparisons = pool.sharing(comparisons);
        let battery = self.battery(sides, Asked::More, comparisons);
        let verdict = battery.verdict();
        let test = format!(
            "{} measures of aggression, of which most decide; difference of matched games; more by {} of a share or {} of \
             what is counted; anytime-valid intervals by betting, the claim's error shared by {} comparisons",
            AGGRESSION.len(),
            self.design.config.margin,
            self.design.config.dice_margin,
            comparisons * AGGRESSION.len()
        );
        let finding = self
            .finding(claim, part, pool, verdict, format!("{effect}: {}.", battery.in_words()))
            .with_test(battery.blocks(), "blocks", test)
            .with_evidence(battery.evidence())
            .with_exhibit(battery.table(effect));
        let open = still_open(verdict, sides.iter().flat_map(Sides::series));
        let plans = battery.plans;
        Answer { finding, open, plans }
    }

    /// Tests whether the first player is no less aggressive after one first move than after each other safe one, except
    /// those like it.
    fn sharpest(&self, pool: &Pool, action: Action) -> Answer {
        let moves = first_moves();
        let sharpest = || moves.iter().filter(|first| SHARPEST.contains(&first.action()));
        let like = |action: &Action| sharpest().any(|first| [first.action(), first.mirror()].contains(action));
        let safe = moves.iter().filter(|first| first.class.is_called_safe());
        let others: Vec<Action> = safe.map(FirstMove::action).filter(|action| !like(action)).collect();
        let comparisons = pool.sharing(PARTS * others.len());
        let compared = others.iter().map(|&other| {
            let sides = pool.against(
                |player| vec![SeriesId::first(player, action)],
                |player| vec![SeriesId::first(player, other)],
            );
            let battery = self.battery(&sides, Asked::NoLess, comparisons);
            (other, sides, battery)
        });
        let compared: Vec<_> = compared.collect();
        let of = |wanted: Verdict| {
            let found = compared
                .iter()
                .filter(move |(_, _, battery)| battery.verdict() == wanted);
            found.map(|(other, _, _)| other.to_string()).collect::<Vec<_>>()
        };
        let verdict = Verdict::all(compared.iter().map(|(_, _, battery)| battery.verdict()));
        let undecided = compared
            .iter()
            .filter(|(_, _, battery)| battery.verdict() == Verdict::Inconclusive);
        let open = still_open(
            verdict,
            undecided.flat_map(|(_, sides, _)| sides).flat_map(Sides::series),
        );
        let ranks = AGGRESSION.map(|counted| self.rank(pool, counted, action, &others));
        let ranked = || {
            let known = AGGRESSION.iter().zip(&ranks);
            known.filter_map(|(counted, rank)| Some((counted, (*rank)?)))
        };
        let ranks_in_words: Vec<String> = ranked()
            .map(|(counted, (mean, rank))| format!("{}: {}, rank {rank}", counted.name, counted.unit.in_words(mean)))
            .collect();
        let (no_less, less) = (of(Verdict::Supported), of(Verdict::Refuted));
        let summary = format!(
            "After {action}, among {} safe first moves (mirror images and the other exchange aside): {}. By most measures it \
             is shown to be no less aggressive than {} of the {} others, and less than {}.",
            others.len() + 1,
            ranks_in_words.join("; "),
            no_less.len(),
            others.len(),
            match less.len() {
                0 => "none".to_owned(),
                _ => less.join(", "),
            }
        );
        let test = format!(
            "{} measures of aggression, of which most decide, for each of {} differences of matched games; no less by {} of \
             a share or {} of what is counted; anytime-valid intervals, the claim's error shared by {} comparisons",
            AGGRESSION.len(),
            others.len(),
            self.design.config.margin,
            self.design.config.dice_margin,
            comparisons * AGGRESSION.len()
        );
        let blocks = compared
            .iter()
            .map(|(_, _, battery)| battery.blocks())
            .max()
            .unwrap_or(0);
        let ranked = ranked();
        let ranked =
            ranked.map(|(counted, (mean, rank))| json!({ "measure": counted.name, "mean": mean, "rank": rank }));
        let evidence = json!({
            "measures": ranked.collect::<Vec<_>>(), "no_less_than": no_less, "less_than": less,
        });
        let part = format!("{action} the most aggressive");
        Answer {
            finding: self
                .finding(ClaimId::B4, &part, pool, verdict, summary)
                .with_test(blocks, "blocks", test)
                .with_evidence(evidence)
                .with_about(Subject::line(&[action])),
            open,
            // All of them have the same plan.
            plans: compared
                .into_iter()
                .next()
                .map_or_else(Vec::new, |(_, _, battery)| battery.plans),
        }
    }

    /// The mean of a measure after a first move, and its rank among others, from 1; `None` without games that have the
    /// measure.
    fn rank(&self, pool: &Pool, counted: Counted, action: Action, others: &[Action]) -> Option<(f64, usize)> {
        let mean = |action: Action| {
            let blocks = self.blocks(counted, &pool.of(|player| vec![SeriesId::first(player, action)]));
            (!blocks.is_empty()).then(|| blocks.iter().sum::<f64>() / blocks.len() as f64)
        };
        let own = mean(action)?;
        let better = others
            .iter()
            .filter_map(|&other| mean(other))
            .filter(|&other| other > own);
        Some((own, 1 + better.count()))
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
    /// Claim B5: the value of 1A8A7 compared with that of 1A6A7. A value shows who is better, not who defends.
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
            "value of 1A8A7 minus that of 1A6A7, by search",
            &opinions,
            ("score after 1A8A7 minus that after 1A6A7", EffectUnit::Score),
            "difference of expected scores, as context: a value says which side is better off, not which side defends",
        );
        finding.as_context()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::method::world::{Truth, answers, design, verdicts};
    use crate::evidence::games::Series;

    const SHARP: Truth = Truth {
        score: 0.5,
        threats: 0.8,
        wins: 0.95,
        entry: 0.8,
    };

    fn in_a_world(repetition: u64, truth: impl Fn(&Series) -> Truth) -> [Vec<Verdict>; 2] {
        let answers = answers(&design(), repetition, truth, |analysis, pool| {
            analysis.exchanges_by_games(pool)
        });
        [ClaimId::B4, ClaimId::B5].map(|claim| verdicts(&answers, claim))
    }

    fn is(series: &Series, action: Action) -> bool {
        series.line().first() == Some(&action)
    }

    #[test]
    fn aggression_is_found_where_it_is_and_refuted_where_it_is_not() {
        use Verdict::{Refuted, Supported};
        // Exchanges are sharp, 1A6A7 and 1A8A7 as sharp as any, and 1A6A7 the sharper of the two.
        let [b4, b5] = in_a_world(1, |series| match series.class() {
            _ if is(series, SHARPEST[0]) => SHARP,
            Some(OpeningClass::Exchange) => Truth {
                threats: 0.7,
                wins: 0.8,
                entry: 0.6,
                ..SHARP
            },
            _ => Truth::default(),
        });
        assert_eq!(b4[..2], [Supported, Supported]);
        assert_eq!(b5, [Supported]);
        // Exchanges are like other moves, another safe move is far sharper than both, and 1A8A7 sharper than 1A6A7.
        let [b4, b5] = in_a_world(2, |series| match series.class() {
            Some(OpeningClass::Duck) => SHARP,
            _ if is(series, SHARPEST[1]) => Truth {
                threats: 0.7,
                wins: 0.8,
                ..Truth::default()
            },
            _ => Truth::default(),
        });
        assert_eq!(b4, [Refuted; 3]);
        assert_eq!(b5, [Refuted]);
    }

    /// A blunder gains nothing: after it Black takes dice, and earlier measures would have counted only that.
    #[test]
    fn reckless_moves_are_not_compared() {
        let [b4, _] = in_a_world(3, |series| match series.class() {
            Some(OpeningClass::Four) => SHARP,
            _ if SHARPEST.iter().any(|&action| is(series, action)) => SHARP,
            _ => Truth::default(),
        });
        assert_eq!(b4[1..], [Verdict::Supported; 2]);
    }

    /// All moves are alike: any verdict that one is less than another is false, and must be as rare as promised.
    #[test]
    fn false_verdicts_are_as_rare_as_promised() {
        let worlds = 30;
        let wrong = (0..worlds).filter(|world| {
            let [b4, _] = in_a_world(100 + world, |_| Truth::default());
            b4[0] == Verdict::Supported || b4[1..].contains(&Verdict::Refuted)
        });
        // Five per cent and three standard deviations make five.
        assert!(wrong.count() <= 5);
    }
}
