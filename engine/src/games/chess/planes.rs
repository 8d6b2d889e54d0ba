//! Encoding of chess as planes.

use ndarray::ArrayViewMut3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::action::POLICY_PLANES;
use super::castling::Wing;
use super::cell::{CELLS, Cell, SIDE};
use super::game::Chess;
use super::piece::Kind;
use super::rules::Rules;
use super::variant::Variant;
use crate::encode::occupancy;
use crate::planes::{Planes, fraction_of, repetition};
use crate::{Encode, Grid, Heuristic, Player, Shape};

/// The planes of chess on one of the boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChessEncoding {
    /// The game, by its name.
    #[schemars(skip)]
    pub game: Variant,
}

/// The planes, by what they show.
const NAMES: [&str; 20] = [
    "own pawn",
    "own knight",
    "own bishop",
    "own rook",
    "own queen",
    "own king",
    "enemy pawn",
    "enemy knight",
    "enemy bishop",
    "enemy rook",
    "enemy queen",
    "enemy king",
    "own castling, king's side",
    "own castling, queen's side",
    "enemy castling, king's side",
    "enemy castling, queen's side",
    "en passant",
    "repetition",
    "quiet turns",
    "turns",
];

/// Planes of 8 × 8 cells, ranks from the mover's side, files from a.
///
/// If Black is to move, ranks are mirrored and the players are swapped, which is an exact symmetry. After AlphaZero's
/// (Silver et al., Science 362, 2018), for one position without the ones before it:
///
/// | planes | content |
/// |---|---|
/// | 6 | own pawn, knight, bishop, rook, queen, king |
/// | 6 | the enemy's |
/// | 4 | castling on the king's and on the queen's side, own and the enemy's: on all cells |
/// | 1 | the cell where a pawn can be captured in passing |
/// | 1 | earlier occurrences of the position, as a fraction of those that make a draw, on all cells |
/// | 2 | turns since the last capture or move of a pawn, and turns before this one and White's, as fractions of their limits |
impl Encode for Chess {
    type Encoding = ChessEncoding;
    type Sparse = super::Position;

    const ENCODING_VERSION: u32 = 1;

    fn standard_encoding(rules: &Rules) -> ChessEncoding {
        ChessEncoding { game: rules.variant }
    }

    fn encoded_game(encoding: &ChessEncoding) -> &'static str {
        encoding.game.name()
    }

    fn plane_names(_: &ChessEncoding) -> Vec<String> {
        NAMES.map(String::from).into()
    }

    fn shape(_: &ChessEncoding) -> Shape {
        Shape {
            planes: NAMES.len(),
            height: SIDE,
            width: SIDE,
            policy_planes: POLICY_PLANES,
        }
    }

    fn encode(&self, encoding: &ChessEncoding, mut planes: ArrayViewMut3<'_, f32>) {
        assert_eq!(
            planes.shape(),
            Self::shape(encoding).input(),
            "dimensions of the planes"
        );
        assert_eq!(self.rules().variant, encoding.game, "the game of the planes");
        planes.fill(0.0);
        let mut planes = Planes::new(planes);
        let position = self.position();
        let sides = [position.to_move(), !position.to_move()];
        let place = |cell: Cell| {
            let seen = cell.mirrored_for(sides[0]);
            [seen.rank(), seen.file()]
        };
        for player in sides {
            for kind in Kind::ALL {
                planes.cells(position.cells(player, kind).map(place));
            }
        }
        for player in sides {
            for wing in Wing::BOTH {
                planes.constant(f32::from(u8::from(position.castling().has(player, wing))));
            }
        }
        planes.cells(position.en_passant().map(place));
        let conventions = self.rules().conventions;
        planes.constant(repetition(self.occurrences(), conventions.repetition));
        planes.constant(fraction_of(position.quiet_turns(), conventions.quiet_turns));
        planes.constant(fraction_of(2 * (position.turn() - 1), conventions.max_turns));
        debug_assert_eq!(planes.written(), NAMES.len());
    }

    fn grid(rules: &Rules) -> Grid {
        Grid {
            joins_columns: rules.variant.joins_files(),
            ..Grid::default()
        }
    }

    fn occupancy(&self, _: &ChessEncoding, viewer: Player, cells: &mut Vec<u8>) {
        cells.clear();
        cells.resize(CELLS, occupancy::NOTHING);
        for (player, class) in [(viewer, occupancy::OWN), (!viewer, occupancy::ENEMY)] {
            for kind in Kind::ALL {
                for cell in self.position().cells(player, kind) {
                    cells[cell.mirrored_for(viewer).index()] = class;
                }
            }
        }
    }

    /// As pieces are usually counted, of the 39 points that a player begins with.
    fn material(&self, viewer: Player) -> Option<f32> {
        Some(self.lead(viewer) as f32 / 39.0)
    }
}
