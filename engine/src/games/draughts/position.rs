//! Legal positions.

use std::marker::PhantomData;

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;

use super::cell::{Cell, SIDE, each};
use super::piece::{PIECES, Piece, Rank};
use super::stacks::Stacks;
use super::variant::{Base, Variant};
use crate::hash::add_word;
use crate::{ByPlayer, Player};

/// A legal position of one of the games: the pieces, the player to move, where a turn of several jumps stands, and the
/// two counters of turns.
///
/// Legal by construction, though perhaps no game leads there. Its history is not here; see
/// [`Draughts`](super::Draughts) for a game with its draw conventions.
#[derive(Clone, Copy, Debug)]
pub struct Position<V: Variant> {
    /// The cells with a man of each player on top.
    pub(super) men: ByPlayer<u64>,
    /// The cells with a king of each player on top.
    pub(super) kings: ByPlayer<u64>,
    pub(super) stacks: Stacks,
    pub(super) to_move: Player,
    /// Within a turn of several jumps the cell of the piece that must continue; then it can.
    pub(super) jumper: Option<Cell>,
    /// The cells jumped in this turn that still show an enemy, and must not be jumped again.
    pub(super) jumped: u64,
    pub(super) quiet_turns: u32,
    pub(super) turn: u32,
    variant: PhantomData<V>,
}

impl<V: Variant> Position<V> {
    /// The initial position. Numbers of men, where they have any, count the cells from 1 in the order of [`Cell::all`]
    /// for Dark, and in the order of their images in Light's view for Light.
    pub fn initial() -> Self {
        let mut numbers = [0; PIECES];
        for (number, slot) in numbers.iter_mut().enumerate() {
            *slot = number;
        }
        Self::dealt(ByPlayer([numbers; 2]))
    }

    /// The initial position with numbers drawn at random, each side's by itself: where men have none,
    /// [`Position::initial`], and nothing is drawn.
    pub fn drawn(rng: &mut Xoshiro256PlusPlus) -> Self {
        if !V::NUMBERS {
            return Self::initial();
        }
        let mut deal = || {
            let mut numbers: [usize; PIECES] = std::array::from_fn(|number| number);
            numbers.shuffle(rng);
            numbers
        };
        Self::dealt(ByPlayer([deal(), deal()]))
    }

    /// The initial position; the numbers, from 0, are those of the men in the order of the cells in the player's view.
    fn dealt(numbers: ByPlayer<[usize; PIECES]>) -> Self {
        let mut position = Self::empty(Player::White, 0, 1);
        let dark = Cell::all().filter(|cell| cell.rank() < 3 && cell.is_dark());
        for (index, cell) in dark.enumerate() {
            position.add(Player::White, numbers[Player::White][index], false, cell);
            let image = cell.seen_by(Player::Black, V::BASE);
            position.add(Player::Black, numbers[Player::Black][index], false, image);
        }
        position.refresh();
        position
    }

    /// A board without pieces.
    pub(super) const fn empty(to_move: Player, quiet_turns: u32, turn: u32) -> Self {
        Self {
            men: ByPlayer([0; 2]),
            kings: ByPlayer([0; 2]),
            stacks: Stacks::EMPTY,
            to_move,
            jumper: None,
            jumped: 0,
            quiet_turns,
            turn,
            variant: PhantomData,
        }
    }

    /// A copy, field by field. As a whole the position is too large to be copied without a call of a library, which took a
    /// third of the time of perft.
    #[inline(always)]
    pub(super) const fn copied(&self) -> Self {
        Self {
            men: self.men,
            kings: self.kings,
            stacks: self.stacks.copied(),
            to_move: self.to_move,
            jumper: self.jumper,
            jumped: self.jumped,
            quiet_turns: self.quiet_turns,
            turn: self.turn,
            variant: PhantomData,
        }
    }

    /// Adds the `index`-th piece of a player under what lies on a cell. [`Position::refresh`] must follow.
    pub(super) fn add(&mut self, player: Player, index: usize, king: bool, cell: Cell) {
        self.stacks.add(player, index, king, cell);
    }

    /// Looks up what is on top of each cell.
    pub(super) fn refresh(&mut self) {
        (self.men, self.kings) = Default::default();
        for cell in Cell::all() {
            match self.top(cell) {
                Some(Piece {
                    player,
                    rank: Rank::King,
                }) => self.kings[player] |= cell.bit(),
                Some(Piece { player, .. }) => self.men[player] |= cell.bit(),
                None => {}
            }
        }
    }

    /// The player who decides next.
    #[inline]
    pub const fn to_move(&self) -> Player {
        self.to_move
    }

    /// The pieces on a cell from the top, none if it is empty.
    pub fn stack(&self, cell: Cell) -> impl Iterator<Item = Piece> {
        self.stacks.stack(cell, V::NUMBERS)
    }

    /// The piece on top of a cell.
    pub fn top(&self, cell: Cell) -> Option<Piece> {
        self.stack(cell).next()
    }

    /// The cells with a piece of `player` on top.
    #[inline]
    pub(super) fn own(&self, player: Player) -> u64 {
        self.men[player] | self.kings[player]
    }

    #[inline]
    pub(super) fn occupied(&self) -> u64 {
        self.own(Player::White) | self.own(Player::Black)
    }

    /// Within a turn of several jumps, the cell of the piece that must continue jumping.
    pub const fn jumper(&self) -> Option<Cell> {
        self.jumper
    }

    /// The cells jumped in this turn that still show an enemy: they cannot be jumped again in this turn.
    pub fn jumped(&self) -> impl Iterator<Item = Cell> + use<V> {
        each(self.jumped)
    }

    /// Cells with a man, and cells with a king of `player` on top.
    pub fn tops(&self, player: Player) -> (u32, u32) {
        (self.men[player].count_ones(), self.kings[player].count_ones())
    }

    /// Turns, of either player, since the last jump or step of a man.
    pub const fn quiet_turns(&self) -> u32 {
        self.quiet_turns
    }

    /// Number of the turn, from 1, that both players share.
    pub const fn turn(&self) -> u32 {
        self.turn
    }

    /// Turns that both players have finished, as the numbers of the turns say.
    pub const fn turns_played(&self) -> u32 {
        2 * (self.turn - 1) + self.to_move as u32
    }

    /// A number that is the same for equal positions, counters aside, and for no others up to collisions of a hash of
    /// 128 bits: pieces in their order, player to move, and where a turn of several jumps stands.
    pub fn key(&self) -> u128 {
        let jumper = self.jumper.map_or(0, |cell| 2 + cell.index() as u64);
        let mut key = add_word(add_word(0, jumper << 1 | self.to_move as u64), self.jumped);
        for player in Player::BOTH {
            key = add_word(add_word(key, self.men[player]), self.kings[player]);
        }
        if !V::NUMBERS && V::BASE == Base::Checkers {
            return key;
        }
        for cell in each(self.occupied()) {
            if !V::NUMBERS && !self.stacks.is_tall(cell) {
                continue;
            }
            // A cell's letter says where the stack before ends.
            key = add_word(key, 0x100 | cell.index() as u64);
            for piece in self.stack(cell) {
                key = add_word(key, u64::from(piece.letter() as u32));
            }
        }
        key
    }
}

/// Equal boards, turns and counters. Which of several equal pieces lies where does not matter.
impl<V: Variant> PartialEq for Position<V> {
    fn eq(&self, other: &Self) -> bool {
        let rest = |position: &Self| {
            let Self {
                to_move,
                jumper,
                jumped,
                quiet_turns,
                turn,
                ..
            } = *position;
            (to_move, jumper, jumped, quiet_turns, turn)
        };
        rest(self) == rest(other) && Cell::all().all(|cell| self.stack(cell).eq(other.stack(cell)))
    }
}

impl<V: Variant> Eq for Position<V> {}

impl Cell {
    /// The cell as a player sees it: for Light the board is turned by half, or in Queens reflected, so that Light's
    /// start is where Dark's is.
    pub const fn seen_by(self, player: Player, base: Base) -> Self {
        match (player, base) {
            (Player::White, _) => self,
            (Player::Black, Base::Checkers | Base::Stax) => Self::new(SIDE - 1 - self.file(), SIDE - 1 - self.rank()),
            (Player::Black, Base::Queens) => Self::new(self.file(), SIDE - 1 - self.rank()),
        }
    }
}
