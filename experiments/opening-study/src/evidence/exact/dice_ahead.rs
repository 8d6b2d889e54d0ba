//! Forced wins of dice: a full search of all turns.

use chase_engine::Player;
use chase_engine::chase::{Action, Position};

/// The most dice that one turn can capture: one at each exit of the Chamber.
const MOST_CAPTURED: i32 = 2;

/// True if `winner` can force a lead of at least `need` dice in captures (own minus the opponent's) within `turns`
/// turns, by full search of all legal actions.
///
/// Turns are counted, not plies: the choice of an absorbing die belongs to the turn that it begins. A game that ends
/// earlier keeps its captures.
pub fn gets_ahead(position: &Position, winner: Player, turns: u32, need: i32) -> bool {
    let chooses = position.to_move() == winner;
    // Remaining turns of the winner and of the opponent.
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::first_moves;

    /// The net captures of `winner` by plain minimax, without pruning.
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
}
