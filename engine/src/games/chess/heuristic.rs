//! A hand-written judgement of positions, for greedy play and alpha–beta.
//!
//! Material, and where each piece stands best, by T. Michniewski, *Simplified Evaluation Function*
//! (<https://www.chessprogramming.org/Simplified_Evaluation_Function>). The king's place is weighed between the middle of the
//! game and its end by the pieces that are left, instead of by a switch. On the cylinder no file is nearer to the centre
//! than another, so that each rank counts as its files do on average.

use super::cell::{CELLS, SIDE, each};
use super::game::Chess;
use super::piece::Kind;
use super::position::Position;
use super::variant::Variant;
use crate::{Heuristic, Player};

/// Worth of a kind's places, from White's view: ranks from the eighth to the first, as a board is printed.
type Places = [[i32; SIDE]; SIDE];

const PAWN: Places = [
    [0, 0, 0, 0, 0, 0, 0, 0],
    [50, 50, 50, 50, 50, 50, 50, 50],
    [10, 10, 20, 30, 30, 20, 10, 10],
    [5, 5, 10, 25, 25, 10, 5, 5],
    [0, 0, 0, 20, 20, 0, 0, 0],
    [5, -5, -10, 0, 0, -10, -5, 5],
    [5, 10, 10, -20, -20, 10, 10, 5],
    [0, 0, 0, 0, 0, 0, 0, 0],
];
const KNIGHT: Places = [
    [-50, -40, -30, -30, -30, -30, -40, -50],
    [-40, -20, 0, 0, 0, 0, -20, -40],
    [-30, 0, 10, 15, 15, 10, 0, -30],
    [-30, 5, 15, 20, 20, 15, 5, -30],
    [-30, 0, 15, 20, 20, 15, 0, -30],
    [-30, 5, 10, 15, 15, 10, 5, -30],
    [-40, -20, 0, 5, 5, 0, -20, -40],
    [-50, -40, -30, -30, -30, -30, -40, -50],
];
const BISHOP: Places = [
    [-20, -10, -10, -10, -10, -10, -10, -20],
    [-10, 0, 0, 0, 0, 0, 0, -10],
    [-10, 0, 5, 10, 10, 5, 0, -10],
    [-10, 5, 5, 10, 10, 5, 5, -10],
    [-10, 0, 10, 10, 10, 10, 0, -10],
    [-10, 10, 10, 10, 10, 10, 10, -10],
    [-10, 5, 0, 0, 0, 0, 5, -10],
    [-20, -10, -10, -10, -10, -10, -10, -20],
];
const ROOK: Places = [
    [0, 0, 0, 0, 0, 0, 0, 0],
    [5, 10, 10, 10, 10, 10, 10, 5],
    [-5, 0, 0, 0, 0, 0, 0, -5],
    [-5, 0, 0, 0, 0, 0, 0, -5],
    [-5, 0, 0, 0, 0, 0, 0, -5],
    [-5, 0, 0, 0, 0, 0, 0, -5],
    [-5, 0, 0, 0, 0, 0, 0, -5],
    [0, 0, 0, 5, 5, 0, 0, 0],
];
const QUEEN: Places = [
    [-20, -10, -10, -5, -5, -10, -10, -20],
    [-10, 0, 0, 0, 0, 0, 0, -10],
    [-10, 0, 5, 5, 5, 5, 0, -10],
    [-5, 0, 5, 5, 5, 5, 0, -5],
    [0, 0, 5, 5, 5, 5, 0, -5],
    [-10, 5, 5, 5, 5, 5, 0, -10],
    [-10, 0, 5, 0, 0, 0, 0, -10],
    [-20, -10, -10, -5, -5, -10, -10, -20],
];
const KING: Places = [
    [-30, -40, -40, -50, -50, -40, -40, -30],
    [-30, -40, -40, -50, -50, -40, -40, -30],
    [-30, -40, -40, -50, -50, -40, -40, -30],
    [-30, -40, -40, -50, -50, -40, -40, -30],
    [-20, -30, -30, -40, -40, -30, -30, -20],
    [-10, -20, -20, -20, -20, -20, -20, -10],
    [20, 20, 0, 0, 0, 0, 20, 20],
    [20, 30, 10, 0, 0, 10, 30, 20],
];
const KING_AT_THE_END: Places = [
    [-50, -40, -30, -20, -20, -30, -40, -50],
    [-30, -20, -10, 0, 0, -10, -20, -30],
    [-30, -10, 20, 30, 30, 20, -10, -30],
    [-30, -10, 30, 40, 40, 30, -10, -30],
    [-30, -10, 30, 40, 40, 30, -10, -30],
    [-30, -10, 20, 30, 30, 20, -10, -30],
    [-30, -30, 0, 0, 0, 0, -30, -30],
    [-50, -30, -30, -30, -30, -30, -30, -50],
];

/// Worth of a kind on every cell, for White.
type Worths = [[i32; CELLS]; Kind::ALL.len()];

/// The middle of the game and its end.
struct Board {
    middle: Worths,
    end: Worths,
}

static FLAT: Board = Board::new(false);
static CYLINDER: Board = Board::new(true);

impl Board {
    const fn new(average: bool) -> Self {
        Self {
            middle: worths(KING, average),
            end: worths(KING_AT_THE_END, average),
        }
    }
}

const fn worths(king: Places, average: bool) -> Worths {
    let places = [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, king];
    let mut worths = [[0; CELLS]; Kind::ALL.len()];
    let mut kind = 0;
    while kind < places.len() {
        let mut cell = 0;
        while cell < CELLS {
            let rank = &places[kind][SIDE - 1 - cell / SIDE];
            let place = if average { mean(rank) } else { rank[cell % SIDE] };
            worths[kind][cell] = Kind::ALL[kind].worth() + place;
            cell += 1;
        }
        kind += 1;
    }
    worths
}

const fn mean(rank: &[i32; SIDE]) -> i32 {
    let (mut sum, mut file) = (0, 0);
    while file < SIDE {
        sum += rank[file];
        file += 1;
    }
    sum / SIDE as i32
}

/// The total weight of both players' pieces at the start: the middle of the game counts in proportion.
// Four minor pieces for each player count 1, two rooks 2 and a queen 4: the usual weights of tapered evaluation.
const PHASE: i32 = 24;

/// The weight of the pieces that are left, at most [`PHASE`].
fn phase(position: &Position) -> i32 {
    let count = |kind| position.all(kind).count_ones() as i32;
    let minor = count(Kind::Knight) + count(Kind::Bishop);
    (minor + 2 * count(Kind::Rook) + 4 * count(Kind::Queen)).min(PHASE)
}

impl Heuristic for Chess {
    const HAS_HEURISTIC: bool = true;

    /// Value of the position for `player`, in hundredths of a pawn.
    fn heuristic(&self, player: Player) -> i32 {
        let position = self.position();
        let board = if position.variant().joins_files() {
            &CYLINDER
        } else {
            &FLAT
        };
        let (mut middle, mut end) = (0, 0);
        for owner in Player::BOTH {
            let sign = if owner == player { 1 } else { -1 };
            for kind in Kind::ALL {
                for cell in each(position.own(owner, kind)) {
                    let cell = cell.mirrored_for(owner).index();
                    middle += sign * board.middle[kind as usize][cell];
                    end += sign * board.end[kind as usize][cell];
                }
            }
        }
        let phase = phase(position);
        (middle * phase + end * (PHASE - phase)) / PHASE
    }

    /// The logit of the score that a player should expect of a game if a search finds this value for that player. By searches of
    /// 600 nodes in 300 games the best constants, with 95 % intervals, are 0.0047 (0.0038 to 0.0057) on the flat board and
    /// 0.0030 (0.0026 to 0.0037) on the cylinder.
    fn logit(&self, value: i32) -> f64 {
        let logits = match self.position().variant() {
            Variant::Flat => 0.0047,
            Variant::Cylinder => 0.0030,
        };
        logits * f64::from(value)
    }

    /// Material of a player minus the enemy's, as it is usually counted: a pawn 1, a knight or bishop 3, a rook 5, a queen
    /// 9.
    fn lead(&self, player: Player) -> i32 {
        let position = self.position();
        let points = |player| -> i32 {
            let kinds = [
                (Kind::Pawn, 1),
                (Kind::Knight, 3),
                (Kind::Bishop, 3),
                (Kind::Rook, 5),
                (Kind::Queen, 9),
            ];
            kinds
                .map(|(kind, points)| points * position.count(player, kind) as i32)
                .iter()
                .sum()
        };
        points(player) - points(!player)
    }
}
