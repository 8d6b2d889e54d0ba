//! Legal actions.

use arrayvec::ArrayVec;

use super::action::Action;
use super::castling::{Cells, Wing};
use super::cell::{Cell, SIDE, each};
use super::piece::Kind;
use super::position::Position;
use super::tables::tables;
use super::variant::{Variant, on_board};
use crate::{ByPlayer, Player};

/// The first and the last rank.
pub(super) const ENDS: u64 = 0xff00_0000_0000_00ff;
const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << (SIDE - 1);
/// Each player's third rank, from which a pawn that arrives there may step again.
const THIRD: ByPlayer<u64> = ByPlayer([0xff_0000, 0xff00_0000_0000]);

/// Several legal actions of one kind of piece.
#[derive(Clone, Copy)]
pub(super) struct Group {
    pub kind: Kind,
    origin: Origin,
    targets: u64,
}

/// Where the pieces of a group come from.
#[derive(Clone, Copy)]
enum Origin {
    Cell(Cell),
    /// From the cell N files to the west and N ranks below the target.
    Behind {
        files: i8,
        ranks: i8,
    },
}

impl Group {
    /// Calls `found` with each action.
    #[inline(always)]
    pub fn for_each(self, mut found: impl FnMut(Action)) {
        for to in each(self.targets) {
            let from = match self.origin {
                Origin::Cell(from) => from,
                Origin::Behind { files, ranks } => to.behind(files, ranks),
            };
            let mut found = |promotion| found(Action { from, to, promotion });
            if self.kind == Kind::Pawn && to.bit() & ENDS != 0 {
                Kind::PROMOTIONS.map(Some).into_iter().for_each(found);
            } else {
                found(None);
            }
        }
    }

    /// Those of the actions that end on some cells.
    #[inline(always)]
    pub const fn among(self, cells: u64) -> Self {
        Self {
            targets: self.targets & cells,
            ..self
        }
    }

    #[inline(always)]
    const fn count(self) -> u32 {
        let promotions = match self.kind {
            Kind::Pawn if self.targets & ENDS != 0 => 3 * (self.targets & ENDS).count_ones(),
            _ => 0,
        };
        self.targets.count_ones() + promotions
    }
}

impl Cell {
    /// The cell N files to the west and N ranks below, on a cylinder.
    #[inline(always)]
    const fn behind(self, files: i8, ranks: i8) -> Self {
        let file = (self.index() as i8 - files) as usize % SIDE;
        Self::new(file, (self.rank() as i8 - ranks) as usize % SIDE)
    }
}

/// The ranks by which pawns of a player advance.
const fn forward(player: Player) -> i8 {
    match player {
        Player::White => 1,
        Player::Black => -1,
    }
}

/// The cells one rank on for a player.
#[inline(always)]
const fn advance(cells: u64, player: Player) -> u64 {
    match player {
        Player::White => cells << SIDE,
        Player::Black => cells >> SIDE,
    }
}

/// The cells one file to the west, and one to the east.
#[inline(always)]
const fn sideways<const JOINED: bool>(cells: u64) -> [u64; 2] {
    let (west, east) = ((cells & !FILE_A) >> 1, (cells & !FILE_H) << 1);
    if JOINED {
        [
            west | (cells & FILE_A) << (SIDE - 1),
            east | (cells & FILE_H) >> (SIDE - 1),
        ]
    } else {
        [west, east]
    }
}

/// The cells that checks and pins leave to the pieces other than the king.
struct Duties {
    /// The cells that a move may end on: there it captures what gives check or stands in its way, on every open route.
    targets: u64,
    /// Pieces that stand alone in the way of an attack on their king.
    pinned: u64,
    /// The routes of these attacks with the attackers, to which pinned pieces are bound. There is one at most for each
    /// direction from the king.
    lines: ArrayVec<u64, 8>,
    is_check: bool,
}

impl Duties {
    /// The cells left to a pinned piece, which may be bound to two lines: on the cylinder diagonals cross again.
    #[inline(always)]
    fn allowed(&self, piece: u64) -> u64 {
        let lines = self.lines.iter().filter(|&line| line & piece != 0);
        lines.fold(self.targets, |targets, line| targets & line)
    }
}

impl Position {
    /// Looks for checks and pins, route by route: an attacker with two routes to the king may give check along one and pin
    /// a piece on the other, or give check along both, which no piece in the way ends.
    #[inline(always)]
    fn duties<const JOINED: bool>(&self) -> Duties {
        let (tables, player) = (tables::<JOINED>(), self.to_move);
        let (own, enemy, occupied) = (self.players[player], self.players[!player], self.occupied());
        let king = self.king(player).index();
        let mut duties = Duties {
            targets: !own,
            pinned: 0,
            lines: ArrayVec::new_const(),
            is_check: false,
        };
        let leapers =
            tables.knight[king] & self.all(Kind::Knight) | tables.pawn[player as usize][king] & self.all(Kind::Pawn);
        for checker in each(leapers & enemy) {
            duties.targets &= checker.bit();
            duties.is_check = true;
        }
        let queens = self.all(Kind::Queen);
        let runners = tables.bishop_lines[king] & (self.all(Kind::Bishop) | queens)
            | tables.rook_lines[king] & (self.all(Kind::Rook) | queens);
        for runner in each(runners & enemy) {
            let [one, other] = tables.routes[king][runner.index()];
            for route in [one, other].into_iter().take(if JOINED { 2 } else { 1 }) {
                let obstacles = route & occupied;
                if obstacles == 0 {
                    duties.targets &= route | runner.bit();
                    duties.is_check = true;
                } else if obstacles & (obstacles - 1) == 0 && obstacles & own != 0 {
                    duties.pinned |= obstacles;
                    duties.lines.push(route | runner.bit());
                }
            }
        }
        duties
    }

    /// Calls `visit` with all legal actions, in groups.
    #[inline(always)]
    pub(super) fn for_each_group<const JOINED: bool>(&self, visit: &mut impl FnMut(Group)) {
        if self.is_dead() {
            return;
        }
        let (tables, player) = (tables::<JOINED>(), self.to_move);
        let (own, occupied) = (self.players[player], self.occupied());
        let king = self.king(player);
        let duties = self.duties::<JOINED>();

        let mut steps = tables.king[king.index()] & !own;
        for to in each(steps) {
            if self.attackers::<JOINED>(to, !player, occupied ^ king.bit()) != 0 {
                steps ^= to.bit();
            }
        }
        if !duties.is_check && self.castling.has_any(player) {
            for wing in Wing::BOTH {
                if self.can_castle::<JOINED>(wing) {
                    steps |= Cells::of(player, wing).king_to.bit();
                }
            }
        }
        visit(Group {
            kind: Kind::King,
            origin: Origin::Cell(king),
            targets: steps,
        });
        if let Some(to) = self.en_passant {
            for from in each(tables.pawn[!player as usize][to.index()] & self.own(player, Kind::Pawn)) {
                if self.can_capture_in_passing::<JOINED>(from, to) {
                    visit(Group {
                        kind: Kind::Pawn,
                        origin: Origin::Cell(from),
                        targets: to.bit(),
                    });
                }
            }
        }
        if duties.targets == 0 {
            return;
        }
        let free = own & !duties.pinned;
        self.for_each_pawn_group::<JOINED>(free & self.all(Kind::Pawn), duties.targets, visit);
        for kind in [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen] {
            for from in each(free & self.all(kind)) {
                let targets = self.reach::<JOINED>(kind, from, occupied) & duties.targets;
                let origin = Origin::Cell(from);
                visit(Group { kind, origin, targets });
            }
        }
        for from in each(duties.pinned) {
            let allowed = duties.allowed(from.bit());
            let kind = self.kind_on(from).expect("a piece is pinned");
            if kind == Kind::Pawn {
                self.for_each_pawn_group::<JOINED>(from.bit(), allowed, visit);
            } else {
                let targets = self.reach::<JOINED>(kind, from, occupied) & allowed;
                let origin = Origin::Cell(from);
                visit(Group { kind, origin, targets });
            }
        }
    }

    /// The cells that a piece other than a pawn attacks.
    #[inline(always)]
    pub(super) fn reach<const JOINED: bool>(&self, kind: Kind, from: Cell, occupied: u64) -> u64 {
        let tables = tables::<JOINED>();
        match kind {
            Kind::Pawn => 0,
            Kind::Knight => tables.knight[from.index()],
            Kind::Bishop => tables.bishop(from, occupied),
            Kind::Rook => tables.rook(from, occupied),
            Kind::Queen => tables.bishop(from, occupied) | tables.rook(from, occupied),
            Kind::King => tables.king[from.index()],
        }
    }

    /// The cells that pawns of the player to move advance to, by one and by two.
    #[inline(always)]
    fn advances(&self, pawns: u64) -> [u64; 2] {
        let (player, empty) = (self.to_move, !self.occupied());
        let one = advance(pawns, player) & empty;
        [one, advance(one & THIRD[player], player) & empty]
    }

    /// The cells that a pawn of the player to move advances to.
    pub(super) fn pawn_advances(&self, from: Cell) -> u64 {
        let [one, two] = self.advances(from.bit());
        one | two
    }

    #[inline(always)]
    fn for_each_pawn_group<const JOINED: bool>(&self, pawns: u64, targets: u64, visit: &mut impl FnMut(Group)) {
        let player = self.to_move;
        let enemies = self.players[!player];
        let ranks = forward(player);
        let kind = Kind::Pawn;
        let [one, two] = self.advances(pawns);
        let [west, east] = sideways::<JOINED>(advance(pawns, player)).map(|cells| cells & enemies);
        for (files, ranks, cells) in [
            (0, ranks, one),
            (0, 2 * ranks, two),
            (-1, ranks, west),
            (1, ranks, east),
        ] {
            let origin = Origin::Behind { files, ranks };
            let targets = cells & targets;
            visit(Group { kind, origin, targets });
        }
    }

    /// True if the player to move, whose king is not in check, may castle on a wing.
    #[inline(always)]
    fn can_castle<const JOINED: bool>(&self, wing: Wing) -> bool {
        let (player, occupied) = (self.to_move, self.occupied());
        if !self.castling.has(player, wing) {
            return false;
        }
        let cells = Cells::of(player, wing);
        if cells.between & occupied != 0 {
            return false;
        }
        // Over the edge the king may be attacked where the rook was, and so what counts is the board afterwards.
        let before = occupied ^ cells.king.bit();
        let after = before ^ cells.rook.bit() ^ cells.rook_to.bit();
        self.attackers::<JOINED>(cells.rook_to, !player, before) == 0
            && self.attackers::<JOINED>(cells.king_to, !player, after) == 0
    }

    /// True if the capture in passing does not leave the king in check, which is tried out: two pawns leave their cells at
    /// once.
    #[inline(always)]
    pub(super) fn can_capture_in_passing<const JOINED: bool>(&self, from: Cell, to: Cell) -> bool {
        let player = self.to_move;
        let captured = to.behind(0, forward(player));
        let occupied = self.occupied() ^ from.bit() ^ captured.bit() | to.bit();
        self.attackers::<JOINED>(self.king(player), !player, occupied) == 0
    }

    /// Calls `found` with every legal action.
    #[inline]
    pub fn for_each_action(&self, mut found: impl FnMut(Action)) {
        on_board!(
            self.variant,
            self.for_each_group(&mut |group: Group| group.for_each(&mut found))
        );
    }

    /// All legal actions, in the order of [`Position::for_each_action`].
    pub fn legal_actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        self.for_each_action(|action| actions.push(action));
        actions
    }

    #[inline(always)]
    pub(super) fn count_on<const JOINED: bool>(&self) -> u32 {
        let mut count = 0;
        self.for_each_group::<JOINED>(&mut |group| count += group.count());
        count
    }

    /// The number of legal actions.
    pub fn count_actions(&self) -> u32 {
        on_board!(self.variant, self.count_on())
    }

    /// True if an action is legal.
    pub fn is_legal(&self, action: Action) -> bool {
        let mut legal = false;
        self.for_each_action(|other| legal |= other == action);
        legal
    }
}
