//! Legal actions.

use super::action::Action;
use super::cell::{Cell, each};
use super::direction::Direction;
use super::position::Position;
use super::variant::Variant;
use crate::Player;

impl<V: Variant> Position<V> {
    /// True if steps and jumps in a direction are forward for a player.
    #[inline(always)]
    const fn is_forward(direction: Direction, player: Player) -> bool {
        direction.step().1 == if player as u8 == Player::White as u8 { 1 } else { -1 }
    }

    /// True if a king passes from rank 8 to rank 1.
    pub(super) const OVER_ENDS: bool = V::BOARD.joins_ranks_for_kings();

    /// Those of `men` and `kings` that may go in a direction and stand on one of its `sources`, which are asked for
    /// with and without the ways over the ends of the board.
    #[inline(always)]
    fn movers(men: u64, kings: u64, direction: Direction, player: Player, sources: impl Fn(bool) -> u64) -> u64 {
        let men = if Self::is_forward(direction, player) { men } else { 0 };
        if Self::OVER_ENDS {
            men & sources(false) | kings & sources(true)
        } else {
            (men | kings) & sources(false)
        }
    }

    /// The cells from which `player` could step, even if a player must jump.
    #[inline(always)]
    fn steppers(&self, player: Player, direction: Direction) -> u64 {
        let empty = !self.occupied();
        let sources = |over_ends| direction.opposite().shift(empty, V::BOARD, over_ends);
        Self::movers(self.men[player], self.kings[player], direction, player, sources)
    }

    /// The cells from which `player` could jump if only cells of `allowed` may, and none of `spared` may be jumped.
    #[inline(always)]
    fn jumpers_among(&self, player: Player, direction: Direction, allowed: u64, spared: u64) -> u64 {
        let (men, kings) = (self.men[player] & allowed, self.kings[player] & allowed);
        let (empty, enemies) = (!self.occupied(), self.own(!player) & !spared);
        let back = |cells, over_ends| direction.opposite().shift(cells, V::BOARD, over_ends);
        let sources = |over_ends| back(enemies & back(empty, over_ends), over_ends);
        let jumpers = Self::movers(men, kings, direction, player, sources);
        if V::NUMBERS {
            self.strong_enough(jumpers, direction)
        } else {
            jumpers
        }
    }

    /// Those whose top piece may jump the neighbour's.
    fn strong_enough(&self, jumpers: u64, direction: Direction) -> u64 {
        let strong = |&cell: &Cell| {
            let next = direction.neighbour(cell, V::BOARD, Self::OVER_ENDS);
            next.is_some_and(|next| self.stacks.top(cell, true).may_jump(self.stacks.top(next, true)))
        };
        each(jumpers).filter(strong).fold(0, |cells, cell| cells | cell.bit())
    }

    /// The cells from which the player to move may jump.
    #[inline(always)]
    fn jumpers(&self, direction: Direction) -> u64 {
        let allowed = self.jumper.map_or(u64::MAX, Cell::bit);
        self.jumpers_among(self.to_move, direction, allowed, self.jumped)
    }

    /// True if the piece on a cell can continue jumping.
    #[inline]
    pub(super) fn can_jump_from(&self, cell: Cell) -> bool {
        let directions = V::BASE.directions().iter();
        directions.fold(0, |any, &direction| {
            any | self.jumpers_among(self.to_move, direction, cell.bit(), self.jumped)
        }) != 0
    }

    /// The cells of which the pieces on top could be jumped by `player`, if it were that player's turn.
    pub fn exposed_to(&self, player: Player) -> impl Iterator<Item = Cell> + use<V> {
        each(self.exposed_cells(player))
    }

    pub(super) fn exposed_cells(&self, player: Player) -> u64 {
        let spared = if player == self.to_move { self.jumped } else { 0 };
        let over = |&direction: &Direction| {
            let jumpers = self.jumpers_among(player, direction, u64::MAX, spared);
            direction.shift(jumpers, V::BOARD, Self::OVER_ENDS)
        };
        let directions = V::BASE.directions().iter();
        directions.map(over).fold(0, |cells, over| cells | over)
    }

    /// Calls `found` with every legal action, by direction and cell: all jumps, or all steps.
    #[inline(always)]
    pub fn for_each_action(&self, mut found: impl FnMut(Action)) {
        let mut is_jump = false;
        for &direction in V::BASE.directions() {
            for from in each(self.jumpers(direction)) {
                is_jump = true;
                found(Action {
                    from,
                    direction,
                    jump: true,
                });
            }
        }
        if is_jump || self.jumper.is_some() {
            return;
        }
        for &direction in Direction::DIAGONAL {
            for from in each(self.steppers(self.to_move, direction)) {
                found(Action {
                    from,
                    direction,
                    jump: false,
                });
            }
        }
    }

    /// All legal actions, in the order of [`Position::for_each_action`].
    pub fn legal_actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        self.for_each_action(|action| actions.push(action));
        actions
    }

    /// The number of legal actions.
    #[inline]
    pub fn count_actions(&self) -> u32 {
        let count = |cells: u32, set: u64| cells + set.count_ones();
        // Most positions have no jump, and to see that is cheaper than to count them.
        if self.must_jump() {
            let jumps = V::BASE.directions().iter().map(|&direction| self.jumpers(direction));
            jumps.fold(0, count)
        } else {
            let steps = Direction::DIAGONAL.iter();
            let steps = steps.map(|&direction| self.steppers(self.to_move, direction));
            steps.fold(0, count)
        }
    }

    /// True if the player to move can jump.
    #[inline]
    pub fn must_jump(&self) -> bool {
        let jumps = V::BASE.directions().iter().map(|&direction| self.jumpers(direction));
        jumps.fold(0, |any, cells| any | cells) != 0
    }

    /// True if there is a legal action. If there is none, the player to move has lost.
    #[inline]
    pub fn has_action(&self) -> bool {
        let steps = Direction::DIAGONAL.iter();
        let steps = steps.map(|&direction| self.steppers(self.to_move, direction));
        steps.fold(0, |any, cells| any | cells) != 0 || self.must_jump()
    }

    /// True if an action is legal.
    pub fn is_legal(&self, action: Action) -> bool {
        let mut legal = false;
        self.for_each_action(|other| legal |= other == action);
        legal
    }
}
