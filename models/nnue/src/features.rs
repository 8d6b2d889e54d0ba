//! Sparse inputs of the network: which die stands where, seen from one player.

use chase_engine::Player;
use chase_engine::chase::{CELLS, Cell, Die, Position, Speed};

/// Speeds of a die.
const SPEEDS: usize = 6;
/// Inputs for the dice of one player.
const SIDE_INPUTS: usize = SPEEDS * CELLS;
/// Number of inputs: 486 for the viewer's own dice, then 486 for the enemy's. At most 20 of them are 1, the others are 0.
pub const INPUTS: usize = 2 * SIDE_INPUTS;
/// Changes whenever an input gets another meaning.
pub const FEATURES_VERSION: u32 = 1;

/// The input of a die on a cell, seen from `viewer`: `owner · 486 + (speed − 1) · 81 + cell`, where the owner is 0 for the viewer.
/// Black sees the board turned by 180°, which is an exact symmetry of the rules.
#[inline]
pub const fn input(viewer: Player, die: Die, cell: Cell) -> usize {
    let (own, cell) = match viewer {
        Player::White => (matches!(die.player, Player::White), cell),
        Player::Black => (matches!(die.player, Player::Black), cell.rotated()),
    };
    let side = if own { 0 } else { SIDE_INPUTS };
    side + (die.speed.pips() as usize - 1) * CELLS + cell.index()
}

/// The inputs that are 1 in a position, seen from `viewer`, in the order of the cells.
///
/// Points to absorb are not among them. The dice show them: a player who has to absorb has fewer than 25 pips on the board.
pub fn active(position: &Position, viewer: Player) -> impl Iterator<Item = usize> {
    position.all_dice().map(move |(cell, die)| input(viewer, die, cell))
}

/// The dice that stand in `before` but not in `after`, and the reverse: `visit(cell, die, true)` for a die that comes,
/// `visit(cell, die, false)` for one that goes.
#[inline]
pub fn changes(before: &Position, after: &Position, mut visit: impl FnMut(Cell, Die, bool)) {
    for cell in before.occupied() | after.occupied() {
        let (old, new) = (before.die(cell), after.die(cell));
        if old == new {
            continue;
        }
        if let Some(die) = old {
            visit(cell, die, false);
        }
        if let Some(die) = new {
            visit(cell, die, true);
        }
    }
}

/// An input in words: whose die, its speed, and the cell, as the viewer sees them.
///
/// # Panics
/// If there is no such input.
pub fn name(input: usize) -> String {
    let owner = if input < SIDE_INPUTS { "own" } else { "enemy" };
    let speed = Speed::ALL[input % SIDE_INPUTS / CELLS];
    let cell = Cell::from_index(input % CELLS);
    cell.map_or_else(
        || format!("{owner} {}", speed.pips()),
        |cell| format!("{owner} {} on {cell}", speed.pips()),
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use chase_engine::chase::Rules;
    use chase_engine::{Chase, Game};
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::seq::IndexedRandom;

    use super::*;

    fn set(position: &Position, viewer: Player) -> BTreeSet<usize> {
        active(position, viewer).collect()
    }

    /// Over random games: both players see the same from their sides, and the changes of a ply lead from the inputs before
    /// it to those after it.
    #[test]
    fn inputs_are_symmetric_and_changes_add_up() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..20 {
            let mut game = Chase::new(&Rules::default());
            let mut actions = Vec::new();
            while game.outcome().is_none() && game.plies() < 120 {
                let before = *game.position();
                let rotated = before.rotated();
                for viewer in Player::BOTH {
                    let inputs = set(&before, viewer);
                    assert_eq!(inputs.len(), before.occupied().count());
                    assert_eq!(inputs, set(&rotated, !viewer));
                }
                game.legal_actions(&mut actions);
                game.apply(*actions.choose(&mut rng).expect("the game is not over"));
                for viewer in Player::BOTH {
                    let mut inputs = set(&before, viewer);
                    changes(&before, game.position(), |cell, die, comes| {
                        let input = input(viewer, die, cell);
                        let changed = if comes {
                            inputs.insert(input)
                        } else {
                            inputs.remove(&input)
                        };
                        assert!(changed, "{}", name(input));
                    });
                    assert_eq!(inputs, set(game.position(), viewer));
                }
            }
        }
    }

    #[test]
    fn names() {
        let position = Position::initial();
        let mut inputs = active(&position, Player::White);
        let first = inputs.next().expect("there are dice");
        assert_eq!((first, name(first)), (0, "own 1 on A1".to_owned()));
        assert_eq!(name(INPUTS - 1), "enemy 6 on I9");
    }
}
