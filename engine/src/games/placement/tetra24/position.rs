//! Positions and plies of `tetra24`.

use std::cmp::Ordering;

use super::shapes::{Shapes, Tetrahex};
use super::{Cell, Field};
use crate::games::placement::board::Set;
use crate::games::placement::cell::each;
use crate::games::placement::hexagon::Hexagon;
use crate::games::placement::position::{Position, Return, sealed::Sealed};
use crate::games::placement::stone_or_end::StoneOrEnd;
use crate::games::placement::stones::{Stones, add_set};
use crate::games::placement::symmetry::Symmetry;
use crate::games::placement::turn::Turn;
use crate::scene::Shade;
use crate::text_error::TextError;
use crate::{ByPlayer, Outcome, Player};

pub(super) const STONES: u8 = 4;
/// Turns in a row without a stone that end the game.
pub(super) const PASSES: u8 = 2;

/// The end of a turn as text.
pub(super) const END: &str = "pass";

/// One ply of `tetra24`; the end of a turn is a pass.
pub type Action = StoneOrEnd<Field>;

/// A position of `tetra24`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tetra24Position {
    pub(super) stones: Stones<Field>,
    pub(super) to_move: Player,
    pub(super) turn: Turn,
    /// Turns in a row without a stone.
    pub(super) passes: u8,
    /// The player whose number of different shapes changed last.
    pub(super) changed: Option<Player>,
    /// The cells in and next to the groups of the stones of this turn.
    closed: Set,
    shapes: ByPlayer<Shapes>,
}

impl Tetra24Position {
    /// A position of what its text says.
    pub(super) fn new(stones: Stones<Field>, to_move: Player, turn: Turn, passes: u8, changed: Option<Player>) -> Self {
        let own = stones.of(to_move);
        let reach = |cell: Cell| Hexagon::group(cell, own).1 | cell.bit();
        Self {
            stones,
            to_move,
            turn,
            passes,
            changed,
            closed: each(turn.placed).fold(0, |closed, cell| closed | reach(cell)),
            shapes: ByPlayer(Player::BOTH.map(|player| Shapes::among(stones.of(player)))),
        }
    }

    /// Stones that may still be placed in this turn.
    pub const fn stones_left(&self) -> u8 {
        self.turn.left
    }

    /// The cells of the stones placed in this turn, in their order.
    pub fn placed(&self) -> impl Iterator<Item = Cell> + use<> {
        each(self.turn.placed)
    }

    /// Turns in a row without a stone.
    pub const fn passes(&self) -> u8 {
        self.passes
    }

    /// The player whose number of different shapes changed last.
    pub const fn changed_last(&self) -> Option<Player> {
        self.changed
    }

    /// The number of a player's tetrahexes of a shape.
    pub fn tetrahexes(&self, player: Player, shape: Tetrahex) -> u8 {
        self.shapes[player].count(shape)
    }

    /// The number of different shapes that a player has.
    #[inline]
    pub fn different_shapes(&self, player: Player) -> u32 {
        self.shapes[player].different()
    }

    /// True if a stone of the player to move on this cell would join the group of another stone of this turn.
    pub fn is_closed(&self, cell: Cell) -> bool {
        self.closed & cell.bit() != 0
    }

    /// The cells where a stone can be placed.
    #[inline]
    fn placeable(&self) -> Set {
        self.stones.empty() & !self.closed
    }

    #[inline]
    fn place(&mut self, cell: Cell) -> bool {
        let player = self.to_move;
        let stone = cell.bit();
        let stones = self.stones.of_mut(player);
        *stones |= stone;
        let (group, reach) = Hexagon::group(cell, *stones);
        let before = self.different_shapes(player);
        self.shapes[player].join(stone, group);
        if self.different_shapes(player) != before {
            self.changed = Some(player);
        }
        self.closed |= group | reach;
        self.turn.place(stone)
    }

    /// The result after the last pass.
    fn result(&self) -> Outcome {
        let [first, second] = Player::BOTH.map(|player| self.different_shapes(player));
        match (first.cmp(&second), self.changed) {
            (Ordering::Greater, _) => Outcome::Win(Player::White),
            (Ordering::Less, _) => Outcome::Win(Player::Black),
            (Ordering::Equal, Some(changed)) if first > 0 => Outcome::Win(!changed),
            (Ordering::Equal, _) => Outcome::Draw,
        }
    }
}

impl Sealed for Tetra24Position {}

impl Position for Tetra24Position {
    type Board = Field;
    type Action = Action;

    const NAME: &'static str = "tetra24";
    const WORDS: &'static str = include_str!("rules.md");
    const POLICY_SIZE: usize = Action::POLICY_SIZE;
    const END_REASONS: &'static [&'static str] = &["all shapes", "passes"];
    const RETURN: Return = Return::Never;

    fn initial() -> Self {
        Self::new(Stones::NONE, Player::White, Turn::FIRST, 0, None)
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    fn stones(&self) -> &Stones<Field> {
        &self.stones
    }

    fn is_start_of_turn(&self) -> bool {
        self.turn.placed == 0
    }

    #[inline]
    fn end(&self) -> Option<(Outcome, &'static str)> {
        let has_all = |player: &Player| self.different_shapes(*player) as usize == Tetrahex::ALL.len();
        if let Some(winner) = Player::BOTH.into_iter().find(has_all) {
            return Some((Outcome::Win(winner), "all shapes"));
        }
        (self.passes == PASSES).then(|| (self.result(), "passes"))
    }

    #[inline]
    fn for_each_action(&self, mut act: impl FnMut(Action)) {
        if self.end().is_none() {
            each(self.placeable()).for_each(|cell| act(Action::Place(cell)));
            act(Action::End);
        }
    }

    fn count_actions(&self) -> u32 {
        match self.end() {
            Some(_) => 0,
            None => self.placeable().count_ones() + 1,
        }
    }

    fn is_legal(&self, action: Action) -> bool {
        self.end().is_none()
            && match action {
                Action::Place(cell) => self.placeable() & cell.bit() != 0,
                Action::End => true,
            }
    }

    #[inline]
    fn play_unchecked(&mut self, action: Action) -> bool {
        let is_turn_over = match action {
            Action::Place(cell) => self.place(cell),
            Action::End => true,
        };
        if is_turn_over {
            let is_empty = self.turn.placed == 0;
            self.passes = if is_empty { self.passes + 1 } else { 0 };
            self.to_move = !self.to_move;
            self.turn = Turn::of(STONES);
            self.closed = 0;
        }
        is_turn_over
    }

    fn key(&self) -> u128 {
        let changed = self.changed.map_or(0, |player| 1 + player as u64);
        let word = u64::from(self.turn.left) << 8 | u64::from(self.passes) << 4 | changed << 1 | self.to_move as u64;
        add_set(self.stones.key(word), self.turn.placed)
    }

    fn policy_index(&self, action: Action) -> usize {
        action.policy_index()
    }

    fn action_text(&self, action: Action) -> String {
        action.text(END)
    }

    fn parse_action(&self, text: &str) -> Result<Action, TextError> {
        self.read_action(text)
    }

    fn way(&self, action: Action) -> Vec<Cell> {
        action.way()
    }

    fn keeps(symmetry: Symmetry) -> bool {
        !symmetry.exchanges_players()
    }

    fn under(&self, symmetry: Symmetry) -> Self {
        let turn = Turn {
            placed: symmetry.set::<Field>(self.turn.placed),
            ..self.turn
        };
        Self::new(
            self.stones.under(symmetry),
            self.to_move,
            turn,
            self.passes,
            self.changed,
        )
    }

    fn image(action: Action, symmetry: Symmetry) -> Action {
        action.image(symmetry)
    }

    fn shade(_: Cell) -> Shade {
        Shade::Plain
    }

    fn marked(&self) -> Set {
        self.turn.placed
    }

    fn task(&self) -> String {
        let [own, other] = [self.to_move, !self.to_move].map(|player| self.different_shapes(player));
        let stones = match self.turn.left {
            1 => "one stone".to_owned(),
            left => format!("up to {left} stones"),
        };
        format!("places {stones}; has {own} of the shapes, the opponent {other}")
    }
}
