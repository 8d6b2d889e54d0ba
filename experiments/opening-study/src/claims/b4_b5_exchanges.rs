//! B4 and B5: the aggression of exchanges: their threats, early losses after them, and their values.

use chase_engine::chase::{Action, Cell, Position};

use super::method::battery::{AGGRESSION, Asked, Battery};
use super::method::games::{Answer, GamesAnalysis, Pool, Sides, still_open};
use super::method::measure::Measure;
use super::method::search::Opinion;
use crate::claim_test::ClaimTest;
use crate::evidence::exact::lines::after;
use crate::evidence::exact::prepared::{ChamberMove, Prepared};
use crate::evidence::exact::ring::with_ring_table;
use crate::evidence::games::SeriesId;
use crate::evidence::search::SearchEvidence;
use crate::first_move::SHARPEST;
use crate::{ClaimId, Finding, FirstMove, Line, Subject, first_moves};
use chase_report::number::NONE;
use chase_statistics::Verdict;

pub fn findings() -> Vec<Finding> {
    let prepared: Vec<Prepared> = first_moves().iter().map(Prepared::new).collect();
    vec![
        prepare_the_chamber(&prepared),
        threaten_at_once(&prepared),
        kept_attack(),
    ]
}

/// B4: what the article gives as the reason.
fn prepare_the_chamber(prepared: &[Prepared]) -> Finding {
    let defended = prepared.iter().filter(|prepared| prepared.is_defended_entry());
    let mut defended: Vec<&str> = defended.map(|prepared| prepared.first_move.as_str()).collect();
    defended.sort_unstable();
    // Each of the article's two stands for its mirror image too.
    let holds = defended == ["1A2A3", "1A4A3", "1A6A7", "1A8A7"];
    let test = ClaimTest::named(ClaimId::B4, "prepared");
    let finding = test.exact(holds, defended.len() as f64, prepared.len(), defended.join(", ") + ".");
    let mut rows = Vec::new();
    for prepared in prepared.iter().filter(|prepared| prepared.threatens()) {
        let row = |entry: Option<&ChamberMove>| {
            let die = entry.map_or(NONE.into(), |entry| entry.die.to_string());
            let exits = entry.map_or(NONE.into(), ChamberMove::exits_in_words);
            [prepared.first_move.clone(), die, exits, prepared.attacked.to_string()]
        };
        let entries = prepared.entries.iter().map(Some);
        rows.extend(entries.chain(prepared.entries.is_empty().then_some(None)).map(row));
    }
    finding
        .with_about(Subject::Lines(SHARPEST.map(|action| Line::new(&[action])).into()))
        .with_table(
            "First moves that threaten something at once",
            "The die that could enter the Chamber, its exits (left first) with the dice that would defend them, and the number of \
             Black's dice under attack. The other first moves threaten nothing.",
            ["first move", "enters", "exits and their defenders", "dice attacked"],
            rows,
        )
}

/// B4, by another count: what all safe first moves threaten.
fn threaten_at_once(prepared: &[Prepared]) -> Finding {
    let [exchanges, others] = [true, false].map(|exchange| {
        let of_kind = prepared.iter().filter(move |of| of.safe && of.is_exchange == exchange);
        let all = of_kind.clone().count();
        (of_kind.filter(|of| of.threatens()).count(), all)
    });
    let share = |(threatening, all): (usize, usize)| threatening as f64 / all as f64;
    let difference = share(exchanges) - share(others);
    let details = format!(
        "{} of {} against {} of {}.",
        exchanges.0, exchanges.1, others.0, others.1
    );
    let test = ClaimTest::named(ClaimId::B4, "threats");
    test.exact(difference > 0.0, difference, exchanges.1 + others.1, details)
}

/// B5.
fn kept_attack() -> Finding {
    let start = Position::initial();
    let played = |turn: &str| after(&start, &[turn]).expect("a legal first move");
    // The article's pair, and its mirror image.
    let pairs = [("1A8A7", "1A6A7", "A6", "E4"), ("1A2A3", "1A4A3", "A4", "E6")];
    let attacks = |turn: &str, from: &str, to: &str| {
        let [from, to] = [from, to].map(|cell| cell.parse::<Cell>().expect("a cell"));
        played(turn).reach(from).contains(to)
    };
    let holds =
        |&(keeps, loses, from, to): &(&str, &str, &str, &str)| attacks(keeps, from, to) && !attacks(loses, from, to);
    let rows = ["1A8A7", "1A6A7", "1A2A3", "1A4A3"].map(|turn| (turn, played(turn)));
    let rows = [&[("initial position", start)], &rows[..]].concat();
    let test = ClaimTest::named(ClaimId::B5, "attack");
    with_ring_table(test.exact(pairs.iter().all(holds), 1.0, pairs.len(), ""), &rows)
}

impl GamesAnalysis<'_> {
    /// B4: the two exchanges that the article calls the most aggressive.
    pub(crate) fn sharpest_exchanges(&self, pool: &Pool) -> Vec<Answer> {
        SHARPEST.map(|action| self.sharpest(pool, action)).into()
    }

    /// Tests whether the first player is no less aggressive after one first move than after each other safe one, except
    /// those like it.
    fn sharpest(&self, pool: &Pool, action: Action) -> Answer {
        let moves = first_moves();
        let sharpest = || moves.iter().filter(|first| SHARPEST.contains(&first.action()));
        let like = |action: &Action| sharpest().any(|first| [first.action(), first.mirror()].contains(action));
        let safe = moves.iter().filter(|first| first.class.is_called_safe());
        let others: Vec<Action> = safe.map(FirstMove::action).filter(|action| !like(action)).collect();
        let test = ClaimTest::named(ClaimId::B4, "most aggressive").with("action", action);
        let comparisons = pool.sharing(test.comparisons * others.len());
        let compare = |&other: &Action| {
            let of = |action| move |player| vec![SeriesId::first(player, action)];
            let sides = pool.against(of(action), of(other));
            let battery = self.battery(&sides, Asked::NoLess, comparisons);
            (other, sides, battery)
        };
        let compared: Vec<(Action, Vec<Sides>, Battery)> = others.iter().map(compare).collect();
        let of = |wanted: Verdict| {
            let found = compared.iter().filter(move |(.., battery)| battery.verdict() == wanted);
            found.map(|(other, ..)| other.to_string()).collect::<Vec<_>>()
        };
        let verdict = Verdict::all(compared.iter().map(|(.., battery)| battery.verdict()));
        let undecided = compared
            .iter()
            .filter(|(.., battery)| battery.verdict() == Verdict::Inconclusive);
        let open = still_open(
            verdict,
            undecided.flat_map(|(_, sides, _)| sides).flat_map(Sides::series),
        );
        let ranks = AGGRESSION.iter().filter_map(|&measure| {
            let (mean, rank) = self.rank(pool, measure, action, &others)?;
            Some(format!(
                "{}: {}, rank {rank}",
                measure.name(),
                measure.unit().in_words(mean)
            ))
        });
        let less = of(Verdict::Refuted);
        let summary = format!(
            "Among {} safe first moves {}. By most measures no less aggressive than {} of {} others, and less than {}{}.",
            others.len() + 1,
            ranks.collect::<Vec<_>>().join("; "),
            of(Verdict::Supported).len(),
            others.len(),
            less.len(),
            if less.is_empty() {
                String::new()
            } else {
                format!(": {}", less.join(", "))
            }
        );
        let blocks = compared.iter().map(|(.., battery)| battery.blocks()).max().unwrap_or(0);
        let test = test.measuring_blocks().by(&self.how_measures_share(comparisons));
        let finding = test.told(blocks, summary).with_about(Subject::line(&[action]));
        Answer {
            finding: Finding {
                verdict,
                ..self.by(pool, finding)
            },
            open,
            // All of them have the same plan.
            plans: compared
                .into_iter()
                .next()
                .map_or_else(Vec::new, |(.., battery)| battery.plans),
        }
    }

    /// The mean of a measure after a first move, and its rank among others, from 1; `None` without games that have the
    /// measure.
    fn rank(&self, pool: &Pool, measure: Measure, action: Action, others: &[Action]) -> Option<(f64, usize)> {
        let mean = |action: Action| {
            let blocks = self.blocks(measure, &pool.of(|player| vec![SeriesId::first(player, action)]));
            (!blocks.is_empty()).then(|| blocks.iter().sum::<f64>() / blocks.len() as f64)
        };
        let own = mean(action)?;
        let others = others.iter().filter_map(|&other| mean(other));
        Some((own, 1 + others.filter(|&other| other > own).count()))
    }
}

impl SearchEvidence {
    /// Claim B5: the value of 1A8A7 compared with that of 1A6A7. A value shows who is better, not who defends.
    pub(crate) fn more_defensive(&self) -> Finding {
        let opinions = self.ask(|agent, budget| {
            let record = agent.branch(budget, &[])?;
            let [aggressive, defensive] = SHARPEST.map(|action| record.line(action));
            Some(Opinion::of(agent, budget, None, defensive?.score? - aggressive?.score?))
        });
        self.finding(ClaimTest::named(ClaimId::B5, "value"), &opinions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OpeningClass;
    use crate::claim_test::tests;
    use crate::claims::tests::world::{Truth, answers, design, verdicts};
    use crate::evidence::games::Series;

    const SHARP: Truth = Truth {
        score: 0.5,
        threats: 0.8,
        wins: 0.95,
        entry: 0.8,
    };

    fn in_a_world(repetition: u64, truth: impl Fn(&Series) -> Truth) -> [Vec<Verdict>; 2] {
        let answers = answers(&design(), repetition, truth, |analysis, pool| {
            let asked = tests().iter().filter_map(|test| analysis.ask(test, pool));
            asked.chain(analysis.sharpest_exchanges(pool)).collect()
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
