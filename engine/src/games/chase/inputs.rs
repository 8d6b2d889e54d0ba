//! Sparse inputs: which die stands where, and how safe it is there, seen from one player.

use super::reach::reached;
use super::{Bitboard, CELLS, Cell, Chase, DICE, Die, Position, Speed};
use crate::{InputSet, Instructions, Player, SparseView};

/// Speeds of a die.
const SPEEDS: usize = Speed::ALL.len();
/// Inputs for the dice of one player in one state of safety.
const SIDE_INPUTS: usize = SPEEDS * CELLS;
/// Inputs for all dice in one state of safety: 486 for the viewer's own dice, then 486 for the enemy's.
const SAFETY_INPUTS: usize = 2 * SIDE_INPUTS;

/// The danger to a die if its enemy were to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Safety {
    /// No enemy die reaches its cell.
    Safe,
    /// An enemy die could capture it, and an own die reaches the cell too.
    Guarded,
    /// An enemy die could capture it, and no own die reaches the cell.
    Hanging,
}

/// A position with what the inputs need to know of it.
///
/// There are 972 inputs for each [`Safety`]: 486 for the viewer's own dice, then 486 for the enemy's. Points to absorb are not
/// among them. The dice show them: a player who has to absorb has fewer than 25 pips on the board.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    position: Position,
    /// Dice that an enemy die reaches.
    threatened: Bitboard,
    /// Dice that an own die reaches.
    guarded: Bitboard,
}

impl Seen {
    /// True if an input says something of a die of the viewer, not of the enemy.
    pub const fn is_own(input: usize) -> bool {
        input % SAFETY_INPUTS < SIDE_INPUTS
    }

    /// The safety of the die on a cell.
    #[inline]
    pub fn safety(&self, cell: Cell) -> Safety {
        match (self.threatened.contains(cell), self.guarded.contains(cell)) {
            (false, _) => Safety::Safe,
            (true, true) => Safety::Guarded,
            (true, false) => Safety::Hanging,
        }
    }
}

impl SparseView<Chase> for Seen {
    const INPUTS: InputSet = InputSet {
        count: 3 * SAFETY_INPUTS,
        most: 2 * DICE,
        // A die counts the same at first, however safe it is: what is learned of one state is not far from the others.
        states: 3,
        version: 2,
    };

    #[inline]
    fn of(game: &Chase) -> Self {
        Self {
            position: *game.position(),
            threatened: Bitboard::EMPTY,
            guarded: Bitboard::EMPTY,
        }
    }

    #[inline]
    fn look(&mut self, instructions: Instructions) {
        let position = &self.position;
        let (mut threatened, mut guarded) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for (player, reached) in Player::BOTH.into_iter().zip(reached(instructions, position)) {
            threatened |= reached & position.dice(!player);
            guarded |= reached & position.dice(player);
        }
        (self.threatened, self.guarded) = (threatened, guarded);
    }

    /// In the order of the cells.
    #[inline]
    fn active(&self, mut visit: impl FnMut([u16; 2])) {
        for (cell, die) in self.position.all_dice() {
            visit(inputs(die, cell, self.safety(cell)));
        }
    }

    #[inline]
    fn changes(&self, after: &Self, mut visit: impl FnMut([u16; 2], bool)) {
        let threat_changed = self.threatened ^ after.threatened;
        // Guards matter where there is a threat.
        let guard_changed = (self.guarded ^ after.guarded) & self.threatened & after.threatened;
        for cell in self.position.different_cells(&after.position) | threat_changed | guard_changed {
            for (seen, comes) in [(self, false), (after, true)] {
                if let Some(die) = seen.position.die(cell) {
                    visit(inputs(die, cell, seen.safety(cell)), comes);
                }
            }
        }
    }
}

/// The input of a die as both players see it.
#[inline]
fn inputs(die: Die, cell: Cell, safety: Safety) -> [u16; 2] {
    Player::BOTH.map(|viewer| input(viewer, die, cell, safety) as u16)
}

/// The input of a die on a cell, seen from `viewer`: `safety · 972 + owner · 486 + (speed − 1) · 81 + cell`, where the
/// owner is 0 for the viewer. Black sees the board turned by 180°, which is an exact symmetry of the rules.
#[inline]
const fn input(viewer: Player, die: Die, cell: Cell, safety: Safety) -> usize {
    let (own, cell) = match viewer {
        Player::White => (matches!(die.player, Player::White), cell),
        Player::Black => (matches!(die.player, Player::Black), cell.rotated()),
    };
    let side = if own { 0 } else { SIDE_INPUTS };
    safety as usize * SAFETY_INPUTS + side + (die.speed.pips() as usize - 1) * CELLS + cell.index()
}

#[cfg(test)]
/// An input in words: whose die, its speed, the cell, as the viewer sees them, and its safety.
fn name(input: usize) -> String {
    let safety = ["safe", "guarded", "hanging"][input / SAFETY_INPUTS];
    let owner = if Seen::is_own(input) { "own" } else { "enemy" };
    let speed = Speed::ALL[input % SIDE_INPUTS / CELLS];
    let cell = Cell::from_index(input % CELLS).expect("the remainder is that of a cell");
    format!("{owner} {} on {cell}, {safety}", speed.pips())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::seq::IndexedRandom;

    use super::*;
    use crate::Game;
    use crate::chase::{Action, Rules};

    fn seen(position: &Position) -> Seen {
        let mut seen = Seen::of(&Chase::from_position(*position, Rules::default()));
        seen.look(Instructions::best());
        seen
    }

    fn set(position: &Position, viewer: Player) -> BTreeSet<u16> {
        seen(position).seen_by(viewer).into_iter().collect()
    }

    /// Over random games: both players see the same from their sides, and the changes of a ply lead from the inputs
    /// before it to those after it.
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
                    seen(&before).changes(&seen(game.position()), |input, comes| {
                        let input = input[viewer as usize];
                        let changed = if comes {
                            inputs.insert(input)
                        } else {
                            inputs.remove(&input)
                        };
                        assert!(changed, "{}", name(input.into()));
                    });
                    assert_eq!(inputs, set(game.position(), viewer));
                }
            }
        }
    }

    /// Against the legal moves of random games. What a move can take by itself, without bumping an own die or splitting
    /// in the Chamber, is what is not safe.
    #[test]
    fn dice_that_can_be_captured_are_not_safe() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut counts = [0; 3];
        for _ in 0..20 {
            let mut game = Chase::new(&Rules::default());
            let mut actions = Vec::new();
            while game.outcome().is_none() && game.plies() < 120 {
                game.legal_actions(&mut actions);
                let position = *game.position();
                let (mover, seen) = (position.to_move(), seen(&position));
                let (mut captured, mut bumped) = (Bitboard::EMPTY, Bitboard::EMPTY);
                for &action in &actions {
                    let Action::Move { from, .. } = action else { continue };
                    let bumps = position.reach(from) & position.dice(mover);
                    bumped |= bumps;
                    let mut next = position;
                    next.play_unchecked(action);
                    // A die that takes another one stands on its cell.
                    let taken = position.dice(!mover) & next.dice(mover);
                    if (bumps | position.reach(from) & Bitboard::CHAMBER).is_empty() {
                        captured |= taken;
                    } else {
                        captured |= taken & position.reach(from);
                    }
                }
                for cell in position.dice(!mover) {
                    let safety = seen.safety(cell);
                    counts[safety as usize] += 1;
                    if position.missing() == 0 {
                        assert_eq!(safety != Safety::Safe, captured.contains(cell), "{cell} of {position}");
                    }
                }
                for cell in bumped {
                    assert_ne!(seen.safety(cell), Safety::Hanging, "{cell} of {position}");
                }
                game.apply(*actions.choose(&mut rng).expect("the game is not over"));
            }
        }
        assert!(counts.iter().all(|&count| count > 300), "{counts:?}");
    }
}
