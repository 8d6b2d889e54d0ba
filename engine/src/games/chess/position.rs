//! Legal positions.

use super::castling::Castling;
use super::cell::{CELLS, Cell, SIDE, each, first};
use super::piece::{Kind, Piece};
use super::tables::tables;
use super::variant::{Variant, on_board};
use crate::hash::add_word;
use crate::{ByPlayer, Player};

/// The order of the pieces on the first rank.
const FIRST_RANK: [Kind; SIDE] = [
    Kind::Rook,
    Kind::Knight,
    Kind::Bishop,
    Kind::Queen,
    Kind::King,
    Kind::Bishop,
    Kind::Knight,
    Kind::Rook,
];

/// A legal position: the pieces, the player to move, what is left of castling and of a capture in passing, and the two
/// counters.
///
/// Legal by construction, though perhaps no game leads there. Its history is not here; see [`Chess`](super::Chess) for a
/// game with its draw conventions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The cells of each kind, of both players.
    pub(super) kinds: [u64; Kind::ALL.len()],
    /// The cells of each player.
    pub(super) players: ByPlayer<u64>,
    pub(super) quiet_turns: u32,
    pub(super) turn: u32,
    pub(super) to_move: Player,
    pub(super) variant: Variant,
    pub(super) castling: Castling,
    /// The cell behind a pawn that has just advanced by two, if it can be captured in passing.
    pub(super) en_passant: Option<Cell>,
}

impl Position {
    /// The initial position.
    pub fn initial(variant: Variant) -> Self {
        let mut position = Self::empty(variant);
        for (file, kind) in FIRST_RANK.into_iter().enumerate() {
            for (player, first, second) in [(Player::White, 0, 1), (Player::Black, 7, 6)] {
                position.put(Cell::new(file, first), Piece { player, kind });
                let kind = Kind::Pawn;
                position.put(Cell::new(file, second), Piece { player, kind });
            }
        }
        position.castling = Castling::ALL;
        position
    }

    /// A board without pieces, which is not a legal position yet.
    pub(super) const fn empty(variant: Variant) -> Self {
        Self {
            kinds: [0; Kind::ALL.len()],
            players: ByPlayer([0; 2]),
            quiet_turns: 0,
            turn: 1,
            to_move: Player::White,
            variant,
            castling: Castling::NONE,
            en_passant: None,
        }
    }

    /// Puts a piece on an empty cell.
    pub(super) fn put(&mut self, cell: Cell, piece: Piece) {
        self.kinds[piece.kind as usize] |= cell.bit();
        self.players[piece.player] |= cell.bit();
    }

    /// The board.
    #[inline]
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The player who decides next.
    #[inline]
    pub const fn to_move(&self) -> Player {
        self.to_move
    }

    /// The piece on a cell.
    pub fn piece(&self, cell: Cell) -> Option<Piece> {
        let kind = self.kind_on(cell)?;
        let player = if self.players[Player::White] & cell.bit() != 0 {
            Player::White
        } else {
            Player::Black
        };
        Some(Piece { player, kind })
    }

    pub(super) fn kind_on(&self, cell: Cell) -> Option<Kind> {
        let stands = |&kind: &Kind| self.kinds[kind as usize] & cell.bit() != 0;
        Kind::ALL.into_iter().find(stands)
    }

    /// The cells with a kind of piece, of both players.
    #[inline(always)]
    pub(super) const fn all(&self, kind: Kind) -> u64 {
        self.kinds[kind as usize]
    }

    /// The cells with a kind of piece of a player.
    #[inline(always)]
    pub(super) const fn own(&self, player: Player, kind: Kind) -> u64 {
        self.players.0[player as usize] & self.kinds[kind as usize]
    }

    /// The number of pieces of a kind that a player has.
    pub const fn count(&self, player: Player, kind: Kind) -> u32 {
        self.own(player, kind).count_ones()
    }

    /// The cells with a kind of piece of a player, in the order of [`Cell::all`].
    pub fn cells(&self, player: Player, kind: Kind) -> impl Iterator<Item = Cell> + use<> {
        each(self.own(player, kind))
    }

    #[inline(always)]
    pub(super) const fn occupied(&self) -> u64 {
        self.players.0[0] | self.players.0[1]
    }

    #[inline(always)]
    pub(super) const fn king(&self, player: Player) -> Cell {
        first(self.own(player, Kind::King))
    }

    /// The castlings that are still possible.
    pub const fn castling(&self) -> Castling {
        self.castling
    }

    /// The cell where a pawn that has just advanced by two can be captured in passing.
    pub const fn en_passant(&self) -> Option<Cell> {
        self.en_passant
    }

    /// Turns since the last capture or move of a pawn.
    #[inline]
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

    /// The cells of the pieces of a player that attack a cell, where these cells are occupied; what stands on others is not
    /// there.
    #[inline(always)]
    pub(super) fn attackers<const JOINED: bool>(&self, cell: Cell, by: Player, occupied: u64) -> u64 {
        let (tables, index) = (tables::<JOINED>(), cell.index());
        let queens = self.all(Kind::Queen);
        let attackers = tables.knight[index] & self.all(Kind::Knight)
            | tables.king[index] & self.all(Kind::King)
            | tables.pawn[by.opponent() as usize][index] & self.all(Kind::Pawn)
            | tables.bishop(cell, occupied) & (self.all(Kind::Bishop) | queens)
            | tables.rook(cell, occupied) & (self.all(Kind::Rook) | queens);
        attackers & self.players[by] & occupied
    }

    #[inline(always)]
    pub(super) fn checkers<const JOINED: bool>(&self, player: Player) -> u64 {
        self.attackers::<JOINED>(self.king(player), !player, self.occupied())
    }

    /// True if the king of the player to move is attacked.
    pub fn is_check(&self) -> bool {
        on_board!(self.variant, self.checkers(self.to_move)) != 0
    }

    /// True if no mate is possible any more: two kings alone, or with one bishop or one knight.
    #[inline]
    pub const fn is_dead(&self) -> bool {
        let mating = self.all(Kind::Pawn) | self.all(Kind::Rook) | self.all(Kind::Queen);
        let minor = self.all(Kind::Bishop) | self.all(Kind::Knight);
        mating == 0 && minor & minor.wrapping_sub(1) == 0
    }

    /// A number that is the same for equal positions, counters aside, and for no others up to collisions of a hash of
    /// 128 bits: pieces, player to move, castling, and a capture in passing.
    pub fn key(&self) -> u128 {
        let en_passant = self.en_passant.map_or(CELLS, Cell::index) as u64;
        let rest = en_passant << 8 | u64::from(self.castling.bits()) << 1 | self.to_move as u64;
        let key = add_word(add_word(0, rest), self.players[Player::White]);
        self.kinds.iter().fold(key, |key, &cells| add_word(key, cells))
    }

    /// The position if the player to move could pass.
    pub(super) fn passed(&self) -> Self {
        Self {
            to_move: !self.to_move,
            en_passant: None,
            quiet_turns: self.quiet_turns + 1,
            turn: self.turn + self.to_move as u32,
            ..*self
        }
    }

    /// The position as the other player sees it: the ranks are mirrored and the players exchanged, which is an exact
    /// symmetry. The number of the turn stays what it is.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let ByPlayer([white, black]) = self.players;
        let rights = Player::BOTH.into_iter().flat_map(|player| {
            let wings = super::Wing::BOTH.into_iter();
            wings.map(move |wing| (player, wing))
        });
        let castling = rights
            .filter(|&(player, wing)| self.castling.has(player, wing))
            .fold(Castling::NONE, |rights, (player, wing)| rights.with(!player, wing));
        Self {
            // A byte is a rank.
            kinds: self.kinds.map(u64::swap_bytes),
            players: ByPlayer([black.swap_bytes(), white.swap_bytes()]),
            to_move: !self.to_move,
            castling,
            en_passant: self.en_passant.map(|cell| cell.mirrored_for(Player::Black)),
            ..*self
        }
    }
}
