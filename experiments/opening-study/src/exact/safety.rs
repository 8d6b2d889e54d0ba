//! B1: which first moves expose a die to quick attack.

use chase_engine::Player;
use chase_engine::chase::{Action, Position};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::json;

use super::lines::attackers;
use crate::{ClaimId, Effect, Finding, FirstMove, OpeningClass, Unit, first_moves};
use chase_report::exhibit::Table;
use chase_statistics::Verdict;

/// Horizons in turns, the opponent's reply being the first; the first two are those that the claim is tested with.
const HORIZONS: [u32; 3] = [2, 4, 6];

/// The most dice that one turn can capture: one at each exit of the Chamber.
const MOST_CAPTURED: i32 = 2;

/// Whether `winner` can be at least `need` dice ahead in captures, own ones less the opponent's, at the end of so many
/// turns, whatever the opponent plays: full search of all legal actions.
///
/// Turns are counted, not plies: the choice of a die that absorbs belongs to the turn that it begins. A game that ends
/// before keeps its captures.
pub fn gets_ahead(position: &Position, winner: Player, turns: u32, need: i32) -> bool {
    let chooses = position.to_move() == winner;
    // Turns of the winner and of the opponent that are left.
    let (more, fewer) = (turns.div_ceil(2) as i32, (turns / 2) as i32);
    let (own, other) = if chooses { (more, fewer) } else { (fewer, more) };
    if need > MOST_CAPTURED * own {
        return false;
    }
    if need <= -MOST_CAPTURED * other {
        return true;
    }
    let actions = position.legal_actions();
    if turns == 0 || actions.is_empty() {
        return need <= 0;
    }
    let enemy = !position.to_move();
    let outcome = |action: Action| {
        let mut next = *position;
        next.play_unchecked(action);
        let captured = (position.dice(enemy).count() - next.dice(enemy).count()) as i32;
        let need = if chooses { need - captured } else { need + captured };
        let turns = turns - u32::from(!matches!(action, Action::Absorb { .. }));
        gets_ahead(&next, winner, turns, need)
    };
    if chooses {
        actions.into_iter().any(outcome)
    } else {
        actions.into_iter().all(outcome)
    }
}

/// What a first move exposes.
#[derive(Clone, Debug, Serialize)]
struct Exposure {
    first_move: String,
    class: OpeningClass,
    /// Dice that Black's reply can capture, whatever happens then.
    attacked: usize,
    /// For each of [`HORIZONS`], whether Black can win a die net.
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

/// Whether the first moves that the article calls safe lose a die within a horizon.
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
    .with_effect(Effect::exact("safe first moves that lose a die", Unit::FirstMoves, losing.len() as f64))
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

/// Whether safety in this sense tells the safe classes from the others.
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
        Unit::FirstMoves,
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
               win a die net (own captures less White's) within so many turns, whatever White plays."
            .into(),
        headings,
        rows: OpeningClass::ALL.map(row).into(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    /// The net captures of `winner` by plain minimax, without any pruning.
    fn minimax(position: &Position, winner: Player, turns: u32) -> i32 {
        let actions = position.legal_actions();
        if turns == 0 || actions.is_empty() {
            return 0;
        }
        let chooses = position.to_move() == winner;
        let values = actions.into_iter().map(|action| {
            let next = position.play(action).unwrap();
            let lost = |player| (position.dice(player).count() - next.dice(player).count()) as i32;
            let absorbs = matches!(action, Action::Absorb { .. });
            let net = if chooses { lost(!winner) } else { -lost(winner) };
            net + minimax(&next, winner, if absorbs { turns } else { turns - 1 })
        });
        if chooses { values.max() } else { values.min() }.unwrap()
    }

    #[test]
    fn the_search_agrees_with_plain_minimax() {
        let mut positions: Vec<(Position, u32)> = first_moves().iter().map(|first| (first.result, 2)).collect();
        let few = "2f2f3/9/7F1/1d7/8d/9/8e/2E6/1E3DE2 b";
        let melee = "4a1C2/1d2BcC2/6Ad1/B3C4/7B1/dA7/1e7/d8/9 w";
        positions.extend([few, melee].map(|text| (text.parse().unwrap(), 3)));
        for (position, turns) in positions {
            for winner in Player::BOTH {
                let value = minimax(&position, winner, turns);
                for need in -3..=3 {
                    let found = gets_ahead(&position, winner, turns, need);
                    assert_eq!(
                        found,
                        value >= need,
                        "{position}, {turns} turns, {value} against {need}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_4_put_forward_is_lost_and_nothing_else_is() {
        for first in first_moves() {
            let exposure = Exposure::new(&first);
            let expected = first.class == OpeningClass::Four;
            assert_eq!(exposure.loses_a_die_within, [expected; 3], "{}", first.text());
        }
    }
}
