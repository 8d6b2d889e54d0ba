//! Positions and plies of `lines9`.

use std::cmp::Ordering;

use super::lengths::Lengths;
use super::{Cell, Field};
use crate::games::placement::board::{Board, Set};
use crate::games::placement::cell::each;
use crate::games::placement::position::{Position, Return, sealed::Sealed};
use crate::games::placement::stone_or_end::StoneOrEnd;
use crate::games::placement::stones::Stones;
use crate::games::placement::symmetry::Symmetry;
use crate::scene::Shade;
use crate::text_error::TextError;
use crate::{ByPlayer, Outcome, Player};

/// Stones that every turn but the first must have.
pub(super) const STONES: u8 = 2;

/// The end of a turn as text.
pub(super) const END: &str = "end";

/// One ply of `lines9`; the end of a turn is without a third stone.
pub type Action = StoneOrEnd<Field>;

/// A position of `lines9`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines9Position {
    pub(super) stones: Stones<Field>,
    pub(super) to_move: Player,
    /// Stones that must still be placed in this turn.
    pub(super) left: u8,
    /// True if one stone more may be placed after them.
    pub(super) third: bool,
    lengths: ByPlayer<Lengths>,
}

impl Lines9Position {
    /// A position of what its text says.
    pub(super) fn new(stones: Stones<Field>, to_move: Player, left: u8, third: bool) -> Self {
        Self {
            stones,
            to_move,
            left,
            third,
            lengths: ByPlayer(Player::BOTH.map(|player| Lengths::among(stones.of(player)))),
        }
    }

    /// Stones that must still be placed in this turn.
    pub const fn stones_left(&self) -> u8 {
        self.left
    }

    /// True if one stone more may be placed in this turn.
    pub const fn may_place_third(&self) -> bool {
        self.third
    }

    /// The lengths of a player's lines.
    #[inline]
    pub fn lengths(&self, player: Player) -> Lengths {
        self.lengths[player]
    }

    /// True if a player has the shorter lines.
    #[inline]
    pub fn is_behind(&self, player: Player) -> bool {
        self.lengths[player] < self.lengths[!player]
    }

    /// True if no stones have been placed.
    pub(super) fn is_empty(&self) -> bool {
        self.stones.empty().count_ones() as usize == Field::CELLS
    }

    fn is_full(&self) -> bool {
        self.stones.empty() == 0
    }

    fn may_end(&self) -> bool {
        self.left == 0
    }
}

impl Sealed for Lines9Position {}

impl Position for Lines9Position {
    type Board = Field;
    type Action = Action;

    const NAME: &'static str = "lines9";
    const WORDS: &'static str = include_str!("rules.md");
    const POLICY_SIZE: usize = Action::POLICY_SIZE;
    const END_REASONS: &'static [&'static str] = &["full board"];
    const RETURN: Return = Return::Never;

    fn initial() -> Self {
        Self::new(Stones::NONE, Player::White, 1, false)
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    fn stones(&self) -> &Stones<Field> {
        &self.stones
    }

    fn is_start_of_turn(&self) -> bool {
        self.left == STONES || self.is_empty()
    }

    #[inline]
    fn end(&self) -> Option<(Outcome, &'static str)> {
        self.is_full().then(|| {
            let [first, second] = self.lengths.0;
            let outcome = match first.cmp(&second) {
                Ordering::Greater => Outcome::Win(Player::White),
                Ordering::Less => Outcome::Win(Player::Black),
                Ordering::Equal => Outcome::Draw,
            };
            (outcome, "full board")
        })
    }

    #[inline]
    fn for_each_action(&self, mut act: impl FnMut(Action)) {
        each(self.stones.empty()).for_each(|cell| act(Action::Place(cell)));
        if self.may_end() && !self.is_full() {
            act(Action::End);
        }
    }

    fn count_actions(&self) -> u32 {
        self.stones.empty().count_ones() + u32::from(self.may_end() && !self.is_full())
    }

    fn is_legal(&self, action: Action) -> bool {
        match action {
            Action::Place(cell) => self.stones.empty() & cell.bit() != 0,
            Action::End => self.may_end() && !self.is_full(),
        }
    }

    #[inline]
    fn play_unchecked(&mut self, action: Action) -> bool {
        let player = self.to_move;
        let is_turn_over = match action {
            Action::Place(cell) => {
                let stones = self.stones.of_mut(player);
                *stones |= cell.bit();
                self.lengths[player].join(cell, *stones);
                let was_third = self.left == 0;
                self.left = self.left.saturating_sub(1);
                was_third || self.left == 0 && !self.third
            }
            Action::End => true,
        };
        if is_turn_over {
            self.to_move = !player;
            self.left = STONES;
            self.third = self.is_behind(!player);
        }
        is_turn_over
    }

    fn key(&self) -> u128 {
        let word = u64::from(self.left) << 2 | u64::from(self.third) << 1 | self.to_move as u64;
        self.stones.key(word)
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

    fn keeps(_: Symmetry) -> bool {
        true
    }

    fn under(&self, symmetry: Symmetry) -> Self {
        let to_move = symmetry.player(self.to_move);
        Self::new(self.stones.under(symmetry), to_move, self.left, self.third)
    }

    fn image(action: Action, symmetry: Symmetry) -> Action {
        action.image(symmetry)
    }

    fn shade(_: Cell) -> Shade {
        Shade::Plain
    }

    fn marked(&self) -> Set {
        0
    }

    fn task(&self) -> String {
        match (self.left, self.third) {
            (0, _) => "places a third stone or ends the turn".to_owned(),
            (1, false) => "places 1 stone".to_owned(),
            (1, true) => "places 1 stone, and may place one more".to_owned(),
            (left, false) => format!("places {left} stones"),
            (left, true) => format!("places {left} stones, and may place a third"),
        }
    }
}
