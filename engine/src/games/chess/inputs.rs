//! Sparse inputs: which piece stands where.

use super::cell::{CELLS, each};
use super::{Chess, Kind, Position};
use crate::{InputSet, Player, SparseView};

/// Inputs for the pieces of one player.
const SIDE_INPUTS: usize = Kind::ALL.len() * CELLS;

/// The inputs of a piece as both players see it: own pieces first, each by kind, then by cell. Black sees the ranks
/// mirrored, which is an exact symmetry on both boards.
#[inline]
fn inputs(owner: Player, kind: Kind, cell: super::Cell) -> [u16; 2] {
    Player::BOTH.map(|viewer| {
        let side = if owner == viewer { 0 } else { SIDE_INPUTS };
        (side + kind as usize * CELLS + cell.mirrored_for(viewer).index()) as u16
    })
}

/// Castling, captures in passing and counters are not among the inputs.
impl SparseView<Chess> for Position {
    const INPUTS: InputSet = InputSet {
        count: 2 * SIDE_INPUTS,
        // Also where a position that was set up has a piece on every cell.
        most: CELLS,
        states: 1,
        version: 1,
    };

    #[inline]
    fn of(game: &Chess) -> Self {
        *game.position()
    }

    #[inline]
    fn active(&self, mut visit: impl FnMut([u16; 2])) {
        for player in Player::BOTH {
            for kind in Kind::ALL {
                for cell in each(self.own(player, kind)) {
                    visit(inputs(player, kind, cell));
                }
            }
        }
    }

    #[inline]
    fn changes(&self, after: &Self, mut visit: impl FnMut([u16; 2], bool)) {
        for player in Player::BOTH {
            for kind in Kind::ALL {
                let (old, new) = (self.own(player, kind), after.own(player, kind));
                for cell in each(old ^ new) {
                    visit(inputs(player, kind, cell), new & cell.bit() != 0);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::seq::IndexedRandom;

    use super::*;
    use crate::Game;
    use crate::chess::{Rules, Variant};

    fn set(position: &Position, viewer: Player) -> BTreeSet<u16> {
        position.seen_by(viewer).into_iter().collect()
    }

    /// Over random games: both players see the same from their sides, and the changes of a ply lead from the inputs before it
    /// to those after it.
    #[test]
    fn inputs_are_symmetric_and_changes_add_up() {
        for (variant, seed) in Variant::ALL.into_iter().zip(1..) {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut game = Chess::new(&Rules::standard(variant));
            let mut actions = Vec::new();
            while game.outcome().is_none() && game.plies() < 300 {
                let before = *game.position();
                game.legal_actions(&mut actions);
                game.apply(*actions.choose(&mut rng).expect("the game is not over"));
                for viewer in Player::BOTH {
                    let mut inputs = set(&before, viewer);
                    assert_eq!(inputs.len(), before.occupied().count_ones() as usize);
                    assert_eq!(inputs, set(&before.mirrored(), !viewer));
                    before.changes(game.position(), |input, comes| {
                        let input = input[viewer as usize];
                        let changed = if comes {
                            inputs.insert(input)
                        } else {
                            inputs.remove(&input)
                        };
                        assert!(changed, "{input} after {before}");
                    });
                    assert_eq!(inputs, set(game.position(), viewer));
                }
            }
        }
    }
}
