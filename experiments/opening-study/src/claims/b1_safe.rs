//! B1: safe first moves: the dice that they expose to quick attack, and their scores.

use chase_engine::Player;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::json;

use super::method::games::{Answer, GamesAnalysis, Pool, SCORE, Test};
use crate::evidence::exact::dice_ahead::gets_ahead;
use crate::evidence::exact::lines::attackers;
use crate::{ClaimId, Effect, EffectUnit, Finding, FirstMove, OpeningClass, Subject, first_moves};
use chase_report::exhibit::Table;
use chase_statistics::Verdict;

/// Horizons in turns, starting with the opponent's reply; the claim is tested with the first two.
const HORIZONS: [u32; 3] = [2, 4, 6];

/// The dice that a first move exposes.
#[derive(Clone, Debug, Serialize)]
struct Exposure {
    first_move: String,
    class: OpeningClass,
    /// Dice that Black's reply can capture, regardless of later play.
    attacked: usize,
    /// For each of [`HORIZONS`], true if Black can win a die net.
    loses_a_die_within: [bool; 3],
}

impl Exposure {
    fn new(first: &FirstMove) -> Self {
        let position = &first.result;
        let attacked = position.dice(Player::White).into_iter();
        Self {
            first_move: first.text(),
            class: first.class,
            attacked: attacked
                .filter(|&cell| !attackers(position, Player::Black, cell).is_empty())
                .count(),
            loses_a_die_within: HORIZONS.map(|turns| gets_ahead(position, Player::Black, turns, 1)),
        }
    }
}

pub fn findings() -> Vec<Finding> {
    let exposures: Vec<Exposure> = first_moves().par_iter().map(Exposure::new).collect();
    let table = by_class(&exposures);
    let mut findings: Vec<Finding> = (0..HORIZONS.len())
        .map(|horizon| safe_classes(&exposures, horizon))
        .collect();
    if let Some(first) = findings.first_mut() {
        first.exhibits.push(table.into());
        first.evidence = json!({ "horizons": HORIZONS, "first_moves": &exposures });
    }
    findings.push(other_classes(&exposures));
    findings
}

/// Tests whether the first moves that the article calls safe lose a die within a horizon.
fn safe_classes(exposures: &[Exposure], horizon: usize) -> Finding {
    let turns = HORIZONS[horizon];
    let safe: Vec<&Exposure> = exposures
        .iter()
        .filter(|exposure| exposure.class.is_called_safe())
        .collect();
    let losing: Vec<&str> = safe
        .iter()
        .filter(|exposure| exposure.loses_a_die_within[horizon])
        .map(|exposure| exposure.first_move.as_str())
        .collect();
    let summary = if losing.is_empty() {
        format!(
            "After none of the {} first moves that the article calls safe can Black win a die net within {turns} turns.",
            safe.len()
        )
    } else {
        format!(
            "Black can win a die net within {turns} turns after {} of the {} first moves that the article calls safe: {}.",
            losing.len(),
            safe.len(),
            losing.join(", ")
        )
    };
    let finding = Finding::exact(
        ClaimId::B1,
        format!("no die lost within {turns} turns"),
        Verdict::of(losing.is_empty()),
        summary,
    )
    .with_effect(Effect::exact("safe first moves that lose a die", EffectUnit::FirstMoves, losing.len() as f64))
    .with_test(
        safe.len() as u64,
        "first moves",
        format!(
            "Full search of {turns} turns, Black's reply being the first: Black captures at least one die more than White \
             does, whatever White plays. Choices of who absorbs belong to the turn that they begin."
        ),
    );
    if horizon < 2 { finding } else { finding.as_context() }
}

/// Tests whether safety in this sense separates the safe classes from the others.
fn other_classes(exposures: &[Exposure]) -> Finding {
    let last = HORIZONS.len() - 1;
    let others = || exposures.iter().filter(|exposure| !exposure.class.is_called_safe());
    let names = |loses: bool| {
        let moves = others().filter(|exposure| exposure.loses_a_die_within[last] == loses);
        moves.map(|exposure| exposure.first_move.as_str()).collect::<Vec<_>>()
    };
    let (losing, kept) = (names(true), names(false));
    let summary = format!(
        "Of the {} other first moves, {} lose a die within {} turns ({}); {} do not ({}), so that in this sense they are as \
         safe as those that the article recommends.",
        others().count(),
        losing.len(),
        HORIZONS[last],
        losing.join(", "),
        kept.len(),
        kept.join(", ")
    );
    Finding::exact(
        ClaimId::B1,
        "the other first moves lose a die",
        Verdict::of(kept.is_empty()),
        summary,
    )
    .with_effect(Effect::exact(
        "other first moves that lose a die",
        EffectUnit::FirstMoves,
        losing.len() as f64,
    ))
    .with_test(
        others().count() as u64,
        "first moves",
        format!(
            "The same search for the classes that the article does not call safe, within {} turns.",
            HORIZONS[last]
        ),
    )
    .as_context()
}

fn by_class(exposures: &[Exposure]) -> Table {
    let row = |class: OpeningClass| {
        let of = || exposures.iter().filter(move |exposure| exposure.class == class);
        let mut row = vec![
            class.name().to_owned(),
            if class.is_called_safe() { "yes" } else { "no" }.to_owned(),
            of().count().to_string(),
            of().filter(|exposure| exposure.attacked > 0).count().to_string(),
        ];
        row.extend((0..HORIZONS.len()).map(|horizon| {
            let losing = of().filter(|exposure| exposure.loses_a_die_within[horizon]);
            losing.count().to_string()
        }));
        row
    };
    let mut headings: Vec<String> = ["class", "called safe", "first moves", "a die can be captured at once"]
        .map(Into::into)
        .into();
    headings.extend(HORIZONS.map(|turns| format!("a die is lost within {turns} turns")));
    Table {
        title: "What first moves expose".into(),
        note: "Number of first moves, by class: after how many Black can capture a die at once, and after how many Black can \
               win a die net (own captures minus White's) within this many turns, whatever White plays."
            .into(),
        headings,
        rows: OpeningClass::ALL.map(row).into(),
    }
}

impl GamesAnalysis<'_> {
    /// B1: the score of each class that the article calls safe compared with the rest, by games. The article says that
    /// a first move is safe, not that it scores well, so this is context.
    pub(crate) fn safe_by_games(&self, pool: &Pool) -> Vec<Answer> {
        let margin = self.design.config.margin;
        let safe: Vec<_> = OpeningClass::ALL
            .into_iter()
            .filter(|class| class.is_called_safe())
            .collect();
        let mut answers = Vec::new();
        for &class in &safe {
            let mut answer = self.answer(Test {
                claim: ClaimId::B1,
                part: format!("{}: scores no worse than the rest", class.name()),
                pool,
                counted: SCORE,
                effect: format!(
                    "First player's score after {}, minus after the other first moves, the reckless ones aside",
                    class.name()
                ),
                sides: pool.against(
                    |player| Self::firsts(player, |other| other == class),
                    |player| Self::rest(player, &[class]),
                ),
                threshold: -margin,
                comparisons: safe.len(),
            });
            answer.finding.about = Some(Subject::Class(class));
            answers.push(Answer::context(answer.finding));
        }
        answers
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
