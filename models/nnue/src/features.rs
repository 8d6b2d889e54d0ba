//! Sparse inputs of the network: which die stands where, and how safe it is there, seen from one player.

use chase_engine::Player;
use chase_engine::chase::{Bitboard, CELLS, Cell, Die, Position, Speed};

use crate::kernel::Kernel;
use crate::reach::reached;

/// Speeds of a die.
const SPEEDS: usize = Speed::ALL.len();
/// Inputs for the dice of one player in one state of safety.
const SIDE_INPUTS: usize = SPEEDS * CELLS;
/// Inputs for all dice in one state of safety: 486 for the viewer's own dice, then 486 for the enemy's.
pub(crate) const SAFETY_INPUTS: usize = 2 * SIDE_INPUTS;
/// Number of inputs: 972 for each [`Safety`]. At most 20 of them are 1, the others are 0.
pub const INPUTS: usize = 3 * SAFETY_INPUTS;
/// Changes whenever an input gets another meaning.
pub const FEATURES_VERSION: u32 = 2;

/// What could happen to a die at once if its enemy were to move.
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
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    position: Position,
    /// Dice that an enemy die reaches.
    threatened: Bitboard,
    /// Dice that an own die reaches.
    guarded: Bitboard,
}

impl Seen {
    /// Looks at a position.
    #[inline]
    pub fn new(position: &Position) -> Self {
        Self::with(Kernel::best(), position)
    }

    /// The same with the instructions of `kernel`, which the processor must have.
    #[inline]
    pub(crate) fn with(kernel: Kernel, position: &Position) -> Self {
        let (mut threatened, mut guarded) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for (player, reached) in Player::BOTH.into_iter().zip(reached(kernel, position)) {
            threatened |= reached & position.dice(!player);
            guarded |= reached & position.dice(player);
        }
        Self {
            position: *position,
            threatened,
            guarded,
        }
    }

    /// The position.
    pub const fn position(&self) -> &Position {
        &self.position
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

    /// All dice with their safety, in the order of the cells.
    pub fn dice(&self) -> impl Iterator<Item = (Cell, Die, Safety)> {
        self.position
            .all_dice()
            .map(|(cell, die)| (cell, die, self.safety(cell)))
    }
}

/// The input of a die on a cell, seen from `viewer`: `safety · 972 + owner · 486 + (speed − 1) · 81 + cell`, where the
/// owner is 0 for the viewer. Black sees the board turned by 180°, which is an exact symmetry of the rules.
#[inline]
pub const fn input(viewer: Player, die: Die, cell: Cell, safety: Safety) -> usize {
    let (own, cell) = match viewer {
        Player::White => (matches!(die.player, Player::White), cell),
        Player::Black => (matches!(die.player, Player::Black), cell.rotated()),
    };
    let side = if own { 0 } else { SIDE_INPUTS };
    safety as usize * SAFETY_INPUTS + side + (die.speed.pips() as usize - 1) * CELLS + cell.index()
}

/// The inputs that are 1 in a position, seen from `viewer`, in the order of the cells.
///
/// Points to absorb are not among them. The dice show them: a player who has to absorb has fewer than 25 pips on the
/// board.
pub fn active(seen: &Seen, viewer: Player) -> impl Iterator<Item = usize> {
    seen.dice()
        .map(move |(cell, die, safety)| input(viewer, die, cell, safety))
}

/// The dice that stand in `before` but not in `after`, or are safe in another way there, and the reverse: `visit(cell,
/// die, safety, true)` for a die that comes, `visit(cell, die, safety, false)` for one that goes.
#[inline]
pub fn changes(before: &Seen, after: &Seen, mut visit: impl FnMut(Cell, Die, Safety, bool)) {
    let threat_changed = before.threatened ^ after.threatened;
    // Guards matter where there is a threat.
    let guard_changed = (before.guarded ^ after.guarded) & before.threatened & after.threatened;
    for cell in before.position.different_cells(&after.position) | threat_changed | guard_changed {
        for (seen, comes) in [(before, false), (after, true)] {
            if let Some(die) = seen.position.die(cell) {
                visit(cell, die, seen.safety(cell), comes);
            }
        }
    }
}

/// An input in words: whose die, its speed, the cell, as the viewer sees them, and its safety.
///
/// # Panics
/// If there is no such input.
pub fn name(input: usize) -> String {
    let safety = ["safe", "guarded", "hanging"][input / SAFETY_INPUTS];
    let input = input % SAFETY_INPUTS;
    let owner = if input < SIDE_INPUTS { "own" } else { "enemy" };
    let speed = Speed::ALL[input % SIDE_INPUTS / CELLS];
    let cell = Cell::from_index(input % CELLS).expect("the remainder is that of a cell");
    format!("{owner} {} on {cell}, {safety}", speed.pips())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use chase_engine::chase::{Action, Rules};
    use chase_engine::{Chase, Game};
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::seq::IndexedRandom;

    use super::*;

    fn set(position: &Position, viewer: Player) -> BTreeSet<usize> {
        active(&Seen::new(position), viewer).collect()
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
                    let (old, new) = (Seen::new(&before), Seen::new(game.position()));
                    changes(&old, &new, |cell, die, safety, comes| {
                        let input = input(viewer, die, cell, safety);
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
                let (mover, seen) = (position.to_move(), Seen::new(&position));
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

    #[test]
    fn names() {
        let seen = Seen::new(&Position::initial());
        let mut inputs = active(&seen, Player::White);
        let first = inputs.next().expect("there are dice");
        assert_eq!((first, name(first)), (0, "own 1 on A1, safe".to_owned()));
        assert_eq!(name(INPUTS - 1), "enemy 6 on I9, hanging");
    }
}
