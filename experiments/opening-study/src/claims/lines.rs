//! Helpers of the exact facts: positions with the turn passed, proofs, and lines in article form.

use chase_engine::chase::{Action, Bitboard, Cell, Position, Rules, geometry};
use chase_engine::proof::{Budget, Goal, ProofVerdict, Prover};
use chase_engine::{Chase, Player};

/// The position with `player` to move, even if it is the other's turn: it shows that player's threats. `None` while
/// points are to be absorbed.
pub fn with_turn(position: &Position, player: Player) -> Option<Position> {
    let mut setup = position.to_setup();
    setup.to_move = player;
    setup.validate().ok().filter(|position| position.missing() == 0)
}

/// The position after turns in article form, with the choices of the absorbing player in brackets; `None` if a turn is
/// not legal as written.
pub fn after(position: &Position, turns: &[&str]) -> Option<Position> {
    let mut position = *position;
    for turn in turns {
        for action in position.parse_article(turn).ok()? {
            position = position.play(action).ok()?;
        }
    }
    Some(position)
}

/// Memory of a proof, in bytes: far more than those here need.
const TABLE: usize = 1 << 22;

/// True if a goal is reached by force, whatever the other player does.
pub fn is_forced(goal: impl Goal<Chase>, position: &Position) -> bool {
    let game = Chase::from_position(*position, Rules::PUBLISHED);
    Prover::new(goal, TABLE).prove(&game, &mut Budget::nodes(u64::MAX)) == ProofVerdict::Proved
}

/// The cells of a player's dice that reach `target` by exact count.
pub fn attackers(position: &Position, player: Player, target: Cell) -> Bitboard {
    let dice = position.dice(player).into_iter();
    dice.filter(|&from| position.reach(from).contains(target)).collect()
}

/// True if the moving die ends on `target`, without regard to bumps.
pub fn ends_on(position: &Position, action: Action, target: Cell) -> bool {
    let Action::Move { from, direction } = action else {
        return false;
    };
    let die = position.die(from);
    die.is_some_and(|die| geometry::path(from, direction, die.speed).target == target)
}

/// Cells as text: `A3, A6`, or a dash for none.
pub fn names(cells: Bitboard) -> String {
    let names: Vec<String> = cells.into_iter().map(|cell| cell.to_string()).collect();
    if names.is_empty() {
        "–".to_owned()
    } else {
        names.join(", ")
    }
}
