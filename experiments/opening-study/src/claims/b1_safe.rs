//! B1: safe first moves: the dice that they expose to quick attack, and their scores.

use chase_engine::Player;
use chase_engine::chase::DiceAhead;
use rayon::prelude::*;

use super::method::games::{Answer, GamesAnalysis, Pool};
use super::method::measure::Measure;
use crate::claim_test::ClaimTest;
use crate::evidence::exact::lines::{attackers, is_forced};
use crate::{ClaimId, Finding, FirstMove, OpeningClass, Subject, first_moves};

/// Horizons in turns, starting with the opponent's reply; the claim is tested with the first two.
const HORIZONS: [u32; 3] = [2, 4, 6];

/// The dice that a first move exposes.
struct Exposure {
    first_move: String,
    class: OpeningClass,
    /// True if Black's reply can capture a die, regardless of later play.
    attacked: bool,
    /// For each of [`HORIZONS`], true if Black can win a die net.
    loses_a_die_within: [bool; 3],
}

impl Exposure {
    fn new(first: &FirstMove) -> Self {
        let position = &first.result;
        let goal = |turns| DiceAhead {
            attacker: Player::Black,
            dice: 1,
            turns,
        };
        let mut dice = position.dice(Player::White).into_iter();
        Self {
            first_move: first.text(),
            class: first.class,
            attacked: dice.any(|cell| !attackers(position, Player::Black, cell).is_empty()),
            loses_a_die_within: HORIZONS.map(|turns| is_forced(goal(turns), position)),
        }
    }
}

pub fn findings() -> Vec<Finding> {
    let exposures: Vec<Exposure> = first_moves().par_iter().map(Exposure::new).collect();
    let of = |safe: bool| {
        let all = exposures.iter();
        all.filter(move |exposure| exposure.class.is_called_safe() == safe)
    };
    let names = |safe: bool, horizon: usize, loses: bool| -> Vec<&str> {
        let moves = of(safe).filter(|exposure| exposure.loses_a_die_within[horizon] == loses);
        moves.map(|exposure| exposure.first_move.as_str()).collect()
    };
    let mut findings = Vec::new();
    for (horizon, turns) in HORIZONS.into_iter().enumerate() {
        let losing = names(true, horizon, true);
        let test = ClaimTest::named(ClaimId::B1, "safe").with("turns", turns);
        let finding = test.exact(
            losing.is_empty(),
            losing.len() as f64,
            of(true).count(),
            losing.join(", "),
        );
        findings.push(if horizon < 2 { finding } else { finding.as_context() });
    }
    findings[0] = with_classes(findings[0].clone(), &exposures);
    let (losing, kept) = (names(false, 2, true), names(false, 2, false));
    let others = ClaimTest::named(ClaimId::B1, "others");
    let details = format!(
        "They lose one: {}; they do not: {}.",
        losing.join(", "),
        kept.join(", ")
    );
    findings.push(others.exact(kept.is_empty(), losing.len() as f64, of(false).count(), details));
    findings
}

fn with_classes(finding: Finding, exposures: &[Exposure]) -> Finding {
    let rows = OpeningClass::ALL.map(|class| {
        let count = |counts: &dyn Fn(&Exposure) -> bool| {
            let of_class = exposures.iter().filter(|exposure| exposure.class == class);
            of_class.filter(|exposure| counts(exposure)).count().to_string()
        };
        let within = |horizon: usize| count(&|exposure| exposure.loses_a_die_within[horizon]);
        let safe = if class.is_called_safe() { "yes" } else { "no" };
        let [all, attacked] = [count(&|_| true), count(&|exposure| exposure.attacked)];
        let class = class.name().to_owned();
        [class, safe.to_owned(), all, attacked, within(0), within(1), within(2)]
    });
    let headings = [
        "class",
        "called safe",
        "first moves",
        "a die can be captured at once",
        "a die is lost within 2 turns",
        "within 4",
        "within 6",
    ];
    let note = "Numbers of first moves. A die is lost if Black can win one net, whatever White plays.";
    finding.with_table("What first moves expose", note, headings, rows)
}

impl GamesAnalysis<'_> {
    /// B1: the score of each class that the article calls safe compared with the rest, by games. The article says that
    /// a first move is safe, not that it scores well, so this is context.
    pub(crate) fn safe_by_games(&self, pool: &Pool) -> Vec<Answer> {
        let safe = OpeningClass::ALL.into_iter().filter(|class| class.is_called_safe());
        let answers = safe.map(|class| {
            let sides = pool.against(
                |player| Self::firsts(player, |other| other == class),
                |player| Self::rest(player, &[class]),
            );
            let test = ClaimTest::named(ClaimId::B1, "score").with("class", class.name());
            let finding = self.answer(&test, pool, Measure::Score, sides).finding;
            Answer::context(finding.with_about(Subject::Class(class)))
        });
        answers.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_4_put_forward_is_lost_and_nothing_else_is() {
        for first in first_moves() {
            let exposure = Exposure::new(&first);
            let expected = first.class == OpeningClass::Four;
            assert_eq!(exposure.loses_a_die_within, [expected; 3], "{}", first.text());
        }
    }
}
