//! Legal positions.

use super::cell::CELLS;
use super::die::{Die, Speed};
use super::{Bitboard, Cell, Direction, geometry, zobrist};
use crate::{ByPlayer, Player};

/// Speed that each player's dice show together.
pub const TOTAL: u8 = 25;
/// Dice that each player owns.
pub const DICE: usize = 10;
/// A player with this many dice or fewer has lost.
pub const LOST: usize = 4;

/// A legal position: dice, the player to move, and the two counters of turns.
///
/// Legal by construction: what a person or a file says is a [`Setup`](super::Setup) until it is validated. Its history
/// is not here; see [`Chase`](super::Chase) for a game with its draw conventions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub(super) key: u128,
    pub(super) dice: ByPlayer<Bitboard>,
    /// Pips of the die on each cell; 0 where there is none.
    pub(super) pips: [u8; CELLS],
    pub(super) to_move: Player,
    /// Points that the player to move has to absorb before anything else. Not 0 only if there is a choice of dice, or
    /// if the player has lost.
    pub(super) missing: u8,
    pub(super) quiet_turns: u32,
    pub(super) turn: u32,
}

impl Position {
    /// The initial position.
    pub fn initial() -> Self {
        let mut position = Self::empty(Player::White, 0, 1);
        for (column, pips) in [1, 2, 3, 4, 5, 4, 3, 2, 1].into_iter().enumerate() {
            for (player, row) in [(Player::White, 0), (Player::Black, 8)] {
                let cell = Cell::wrapped(row, column as isize);
                position.place(player, Speed::new_unchecked(pips), cell);
            }
        }
        position
    }

    /// A board without dice, which is not legal yet.
    pub(super) const fn empty(to_move: Player, quiet_turns: u32, turn: u32) -> Self {
        Self {
            key: zobrist::to_move(to_move),
            dice: ByPlayer([Bitboard::EMPTY; 2]),
            pips: [0; CELLS],
            to_move,
            missing: 0,
            quiet_turns,
            turn,
        }
    }

    /// Puts a die on an empty cell.
    #[inline]
    pub(super) fn place(&mut self, player: Player, speed: Speed, cell: Cell) {
        debug_assert!(self.pips[cell.index()] == 0 && cell != Cell::CHAMBER);
        self.pips[cell.index()] = speed.pips();
        self.dice[player] = self.dice[player].with(cell);
        self.key ^= zobrist::die(player, speed, cell);
    }

    /// Takes the die of `player` off a cell.
    #[inline]
    pub(super) fn remove(&mut self, player: Player, cell: Cell) -> Speed {
        debug_assert!(self.dice[player].contains(cell));
        let speed = self.speed_unchecked(cell);
        self.pips[cell.index()] = 0;
        self.dice[player] = self.dice[player].without(cell);
        self.key ^= zobrist::die(player, speed, cell);
        speed
    }

    /// The speed of the die on a cell that the caller knows not to be empty.
    #[inline]
    pub(super) const fn speed_unchecked(&self, cell: Cell) -> Speed {
        Speed::new_unchecked(self.pips[cell.index()])
    }

    /// The player to move, or to absorb.
    #[inline]
    pub const fn to_move(&self) -> Player {
        self.to_move
    }

    /// The cells on which a player has dice.
    #[inline]
    pub fn dice(&self, player: Player) -> Bitboard {
        self.dice[player]
    }

    /// The cells on which any die stands.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.dice.0[0] | self.dice.0[1]
    }

    /// The cells that no die passes: those with dice, and the Chamber.
    #[inline]
    pub(super) fn obstacles(&self) -> Bitboard {
        self.occupied() | Bitboard::CHAMBER
    }

    /// The die on a cell, if any.
    #[inline]
    pub fn die(&self, cell: Cell) -> Option<Die> {
        let speed = Speed::new(self.pips[cell.index()])?;
        let player = if self.dice[Player::White].contains(cell) {
            Player::White
        } else {
            Player::Black
        };
        Some(Die { player, speed })
    }

    /// Every die with its cell, in the order of the cells.
    pub fn all_dice(&self) -> impl Iterator<Item = (Cell, Die)> {
        let cells = self.occupied().into_iter();
        cells.filter_map(|cell| Some((cell, self.die(cell)?)))
    }

    /// The cells on which two positions do not have the same die, or none.
    #[inline]
    pub fn different_cells(&self, other: &Self) -> Bitboard {
        let [white, black] = Player::BOTH.map(|player| self.dice[player] ^ other.dice[player]);
        let moved = white | black;
        let stayed = self.occupied() & !moved;
        let changed_speed = stayed
            .into_iter()
            .filter(|cell| self.pips[cell.index()] != other.pips[cell.index()]);
        changed_speed.fold(moved, Bitboard::with)
    }

    /// The pips that a player's dice show together: 25, less what the player has to absorb.
    pub fn total(&self, player: Player) -> u8 {
        let cells = self.dice[player].into_iter();
        cells.map(|cell| self.pips[cell.index()]).sum()
    }

    /// Points that the player to move has to absorb before anything else, because there is a choice of dice. (In a lost
    /// position, what can be absorbed no more.)
    #[inline]
    pub const fn missing(&self) -> u8 {
        self.missing
    }

    /// Turns, of either player, since the last capture or Chamber move.
    #[inline]
    pub const fn quiet_turns(&self) -> u32 {
        self.quiet_turns
    }

    /// Number of the turn: 1 at the start, up by one after Black's turn.
    #[inline]
    pub const fn turn(&self) -> u32 {
        self.turn
    }

    /// Turns, of either player, completed since turn 1 began.
    #[inline]
    pub const fn turns_played(&self) -> u32 {
        (self.turn - 1).saturating_mul(2).saturating_add(self.to_move as u32)
    }

    /// Hash of the dice and the player to move, 128 bits, kept up to date by every action.
    ///
    /// The counters of turns are not in it: positions that repeat have equal keys.
    #[inline]
    pub const fn key(&self) -> u128 {
        self.key
    }

    /// The key computed from scratch: what [`Position::key`] keeps up to date, die by die.
    pub fn full_key(&self) -> u128 {
        let dice = self
            .all_dice()
            .map(|(cell, found)| zobrist::die(found.player, found.speed, cell));
        dice.fold(zobrist::to_move(self.to_move()), |key, die| key ^ die)
    }

    /// The dice of the player to move that may take the points to absorb: those of lowest speed. Empty if there is
    /// nothing to absorb.
    pub fn absorbers(&self) -> Bitboard {
        if self.missing == 0 || self.is_lost() {
            return Bitboard::EMPTY;
        }
        let own = self.dice[self.to_move];
        let lowest = own.into_iter().map(|cell| self.pips[cell.index()]).min();
        let lows = own.into_iter().filter(|cell| Some(self.pips[cell.index()]) == lowest);
        lows.collect()
    }

    /// True if the player to move has lost by having too few dice.
    #[inline]
    pub fn is_lost(&self) -> bool {
        self.dice[self.to_move].count() <= LOST
    }

    /// The cells that a player's dice reach by exact count, bumps aside: for each number of attackers n the set of
    /// cells reached by at least n + 1 dice. A die that reaches a cell in two directions counts once.
    ///
    /// Own dice on the last cell do not hinder (they are defended), nor does the Chamber.
    pub fn attacks<const N: usize>(&self, player: Player) -> [Bitboard; N] {
        let mut levels = [Bitboard::EMPTY; N];
        for from in self.dice[player] {
            let mut reached = self.reach(from);
            for level in &mut levels {
                let both = *level & reached;
                *level |= reached;
                reached = both;
            }
        }
        levels
    }

    /// The cells, the Chamber included, that the die on `from` reaches by its exact speed over empty cells, whatever
    /// stands there. Empty if there is no die.
    #[inline]
    pub fn reach(&self, from: Cell) -> Bitboard {
        let Some(speed) = Speed::new(self.pips[from.index()]) else {
            return Bitboard::EMPTY;
        };
        let obstacles = self.obstacles();
        // Which paths are free is hard to predict, so there is no branch. Outward directions from rows A and I are
        // never free.
        geometry::paths(from, speed)
            .iter()
            .fold(Bitboard::EMPTY, |reached, path| {
                reached | Bitboard::from_cell(path.target).only_if(!path.between.intersects(obstacles))
            })
    }

    /// The board turned by 180° with the players exchanged: an exact symmetry of the rules.
    ///
    /// `position.rotated()` after `action.rotated()` is `position` after `action`, rotated.
    #[must_use]
    pub fn rotated(&self) -> Self {
        // The number of the turn counts from White's; it moves by half a turn, which only the limit of turns looks at.
        let mut rotated = Self::empty(!self.to_move, self.quiet_turns, self.turn);
        rotated.missing = self.missing;
        for (cell, die) in self.all_dice() {
            rotated.place(!die.player, die.speed, cell.rotated());
        }
        rotated
    }

    /// The cell and the direction of the die that leaves the Chamber on the left, then on the right, for a die that
    /// enters in direction `entering`.
    pub const fn chamber_exits(entering: Direction) -> [(Cell, Direction); 2] {
        [
            geometry::step(Cell::CHAMBER, entering.turned(2)),
            geometry::step(Cell::CHAMBER, entering.turned(4)),
        ]
    }
}

impl Default for Position {
    fn default() -> Self {
        Self::initial()
    }
}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Position({self})")
    }
}
