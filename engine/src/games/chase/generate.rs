//! Legal actions.

use super::action::ActionList;
use super::geometry::{self, Path};
use super::position::DICE;
use super::{Action, Bitboard, Cell, Direction, Position};
use crate::Player;

/// A move that a die could make, see [`Position::for_each_possible_move`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PossibleMove {
    /// The die.
    pub from: Cell,
    /// The direction in which it sets out.
    pub direction: Direction,
    /// The last cell of its path.
    pub target: Cell,
    /// The direction in which it arrives there.
    pub arrival: Direction,
    /// Pips of the dice that are captured, by it or by those that it bumps.
    pub captured: u8,
}

impl Position {
    /// All legal actions: moves by cell and direction, then exchanges by cell, direction and points; or, while points
    /// are to be absorbed, the dice that may take them.
    ///
    /// Empty if the player to move has lost.
    pub fn legal_actions(&self) -> ActionList {
        let mut actions = ActionList::new();
        self.for_each_action(|action| actions.push(action));
        actions
    }

    /// Calls `visit` for every legal action, in the order of [`Position::legal_actions`].
    #[inline]
    pub fn for_each_action(&self, mut visit: impl FnMut(Action)) {
        if self.missing > 0 || self.is_lost() {
            self.absorbers()
                .into_iter()
                .for_each(|cell| visit(Action::Absorb { cell }));
            return;
        }
        self.for_each_move(self.to_move, |from, direction, _| {
            visit(Action::Move { from, direction });
        });
        self.for_each_exchange(|from, direction, most| {
            for points in 1..=most {
                visit(Action::Exchange {
                    from,
                    direction,
                    points,
                });
            }
        });
    }

    /// The number of legal actions.
    pub fn count_actions(&self) -> usize {
        if self.missing > 0 || self.is_lost() {
            return self.absorbers().count();
        }
        let mut count = 0;
        for from in self.dice[self.to_move] {
            let paths = geometry::paths(from, self.speed_unchecked(from)).iter();
            count += paths
                .filter(|path| self.is_free(path) && self.may_arrive(self.to_move, from, path))
                .count();
        }
        self.for_each_exchange(|_, _, most| count += usize::from(most));
        count
    }

    /// True if there is any legal action.
    pub fn has_action(&self) -> bool {
        if self.missing > 0 || self.is_lost() {
            return !self.absorbers().is_empty();
        }
        let own = self.dice[self.to_move];
        let mobile = |from| {
            let mut paths = geometry::paths(from, self.speed_unchecked(from)).iter();
            paths.any(|path| self.is_free(path) && self.may_arrive(self.to_move, from, path))
        };
        own.into_iter().any(mobile) || {
            let mut found = false;
            self.for_each_exchange(|_, _, _| found = true);
            found
        }
    }

    /// True if the action is legal here.
    pub fn is_legal(&self, action: Action) -> bool {
        let own = self.dice[self.to_move];
        match action {
            Action::Absorb { cell } => self.absorbers().contains(cell),
            _ if self.missing > 0 || self.is_lost() => false,
            Action::Move { from, direction } => {
                own.contains(from) && {
                    let path = geometry::path(from, direction, self.speed_unchecked(from));
                    self.is_free(path) && self.may_arrive(self.to_move, from, path)
                }
            }
            Action::Exchange {
                from,
                direction,
                points,
            } => {
                let to = geometry::neighbour(from, direction);
                to.is_some_and(|to| {
                    own.contains(from) && own.contains(to) && (1..=self.most_exchanged(from, to)).contains(&points)
                })
            }
        }
    }

    /// The moves that a player's dice could make if it were that player's turn, with nothing to absorb: for the player
    /// to move then, the legal ones.
    pub fn for_each_possible_move(&self, player: Player, mut visit: impl FnMut(PossibleMove)) {
        self.for_each_move(player, |from, direction, path| {
            let landings = self.landings(player, from, path);
            let enemies = self.dice[!player];
            visit(PossibleMove {
                from,
                direction,
                target: path.target,
                arrival: path.arrival,
                captured: landings
                    .into_iter()
                    .flatten()
                    .filter(|&cell| enemies.contains(cell))
                    .map(|cell| self.pips[cell.index()])
                    .sum(),
            });
        });
    }

    /// Calls `visit` with cell, direction and path of every move that a player's dice could make.
    #[inline]
    pub(super) fn for_each_move(&self, player: Player, mut visit: impl FnMut(Cell, Direction, &Path)) {
        for from in self.dice[player] {
            let paths = geometry::paths(from, self.speed_unchecked(from));
            // Which paths are free is hard to predict: gathering the answers without a branch is a third faster.
            let mut free = (0..6).fold(0, |free, index| free | u8::from(self.is_free(&paths[index])) << index);
            while free != 0 {
                let index = free.trailing_zeros() as usize;
                free &= free - 1;
                let path = &paths[index];
                if self.may_arrive(player, from, path) {
                    visit(from, path.direction, path);
                }
            }
        }
    }

    /// Calls `visit` with giver, direction of the receiver, and the most pips that can be given.
    #[inline]
    fn for_each_exchange(&self, mut visit: impl FnMut(Cell, Direction, u8)) {
        let own = self.dice[self.to_move];
        for from in own {
            if self.pips[from.index()] == 1 || !geometry::neighbours(from).intersects(own) {
                continue;
            }
            for &(direction, to) in geometry::adjacent(from) {
                if own.contains(to) {
                    let most = self.most_exchanged(from, to);
                    if most > 0 {
                        visit(from, direction, most);
                    }
                }
            }
        }
    }

    /// The most pips that the die on one cell can give to the die on another.
    #[inline]
    fn most_exchanged(&self, from: Cell, to: Cell) -> u8 {
        (self.pips[from.index()] - 1).min(6 - self.pips[to.index()])
    }

    /// True if the cells before the last are empty.
    #[inline]
    fn is_free(&self, path: &Path) -> bool {
        !path.between.intersects(self.obstacles())
    }

    /// True if a player's die on `from` may go to the end of its path: stay there, capture, bump, or enter the Chamber.
    #[inline]
    fn may_arrive(&self, player: Player, from: Cell, path: &Path) -> bool {
        let own = self.dice[player];
        if path.target == Cell::CHAMBER {
            self.may_enter(player, from, path)
        } else {
            !own.contains(path.target) || landing(own.without(from), (path.target, path.arrival)) != Cell::CHAMBER
        }
    }

    /// True if no die that leaves the Chamber comes back to it by bumps. Rare, and kept out of the code that is not.
    #[cold]
    fn may_enter(&self, player: Player, from: Cell, path: &Path) -> bool {
        !self.landings(player, from, path).contains(&Some(Cell::CHAMBER))
    }

    /// The cells on which chains of bumps end if a player's die goes from `from` to the end of its path: one, or two if
    /// it splits in the Chamber.
    ///
    /// The start cell counts as empty, also for a chain of bumps that comes back to it.
    #[inline]
    fn landings(&self, player: Player, from: Cell, path: &Path) -> [Option<Cell>; 2] {
        let others = self.dice[player].without(from);
        if path.target == Cell::CHAMBER {
            let [left, right] = Self::chamber_exits(path.arrival);
            let right = self.splits(player, from).then(|| landing(others, right));
            [Some(landing(others, left)), right]
        } else {
            [Some(landing(others, (path.target, path.arrival))), None]
        }
    }

    /// True if a player's die on `from` would leave the Chamber as two dice.
    #[inline]
    pub(super) fn splits(&self, player: Player, from: Cell) -> bool {
        self.pips[from.index()] > 1 && self.dice[player].count() < DICE
    }
}

/// The cell on which a chain of bumps ends that begins with a die that arrives on a cell in a direction. `own` are the
/// dice in its way that can be bumped.
#[inline]
fn landing(own: Bitboard, (mut cell, mut direction): (Cell, Direction)) -> Cell {
    while own.contains(cell) {
        (cell, direction) = geometry::step(cell, direction);
    }
    cell
}
