//! Encoding of Chase as planes.

use ndarray::ArrayViewMut3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Action, Bitboard, Cell, Chase, DICE, Direction, Position, SIDE, Speed};
use crate::encode::occupancy;
use crate::planes::{Planes, fraction_of, repetition};
use crate::{Encode, Game, Grid, Mirror, Player, Shape};

/// Levels of the attack maps: one, two, three or more attackers.
const ATTACKERS: usize = 3;
/// The most points that one turn can take from a player: two captured sixes. A position set up by hand may lack more.
/// The plane then exceeds 1: a limit would change planes without a new version, and would hide the number from the
/// network.
const MOST_MISSING: f32 = 12.0;
/// The most points that an exchange moves.
const MOST_EXCHANGED: u8 = 5;
/// The plane that shows the Chamber.
const CHAMBER_PLANE: usize = 12;

/// Options of the planes of Chase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ChaseEncoding {
    /// Planes of the cells that each side's dice reach.
    pub attack_maps: bool,
    /// Planes of the effects of each die's moves in six directions.
    pub move_maps: bool,
}

impl Default for ChaseEncoding {
    fn default() -> Self {
        Self {
            // Exact reach with wraparound and ricochet is hard for a small network and cheap for the engine.
            attack_maps: true,
            // The same cells and directions as in the policy.
            move_maps: false,
        }
    }
}

/// Content of the planes about each move.
#[derive(Clone, Copy)]
enum MovePlane {
    OwnMove,
    OwnCapture,
    OwnRisk,
    EnemyCapture,
}

impl MovePlane {
    const ALL: [(Self, &'static str); 4] = [
        (Self::OwnMove, "own move"),
        (Self::OwnCapture, "own takes"),
        (Self::OwnRisk, "own risk"),
        (Self::EnemyCapture, "enemy takes"),
    ];
}

/// Planes of 9 × 9 cells in axial coordinates: rows A to I, then [`Cell::axial_column`]. A plane is a cylinder whose
/// cells all have the same six neighbour offsets.
/// If Black is to move, the board is turned by 180° with the players exchanged, which is an exact symmetry.
///
/// | planes | content |
/// |---|---|
/// | 6 | own dice of speed 1 to 6 |
/// | 6 | enemy dice of speed 1 to 6 |
/// | 1 | the Chamber |
/// | 1 | rows A and I, where moving dice ricochet |
/// | 2 | own dice off the board, and the enemy's: tenths, on all cells |
/// | 1 | 1 on all cells if the player to move absorbs, 0 if the player moves |
/// | 1 | points to absorb: twelfths, on all cells |
/// | 1 | earlier occurrences of the position, as a fraction of those that make a draw, on all cells |
/// | 1 | turns since the last capture or Chamber move, as a fraction of those that make a draw, on all cells |
/// | 3 | cells that at least one, two, three own dice reach ([`ChaseEncoding::attack_maps`]) |
/// | 3 | cells that at least one, two, three enemy dice reach ([`ChaseEncoding::attack_maps`]) |
/// | 6 | own dice that could move with nothing to absorb, by direction ([`ChaseEncoding::move_maps`], like all below) |
/// | 6 | points that such a move captures, bumps included: twelfths |
/// | 6 | own dice that such a move brings to a cell that enemy dice reach now; from the Chamber both exits count, whether or not the die splits |
/// | 6 | points that a move of an enemy die would capture, by direction |
impl Encode for Chase {
    type Encoding = ChaseEncoding;
    type Sparse = super::Seen;

    const ENCODING_VERSION: u32 = 1;

    fn standard_encoding(_: &Self::Rules) -> ChaseEncoding {
        ChaseEncoding::default()
    }

    fn plane_names(encoding: &ChaseEncoding) -> Vec<String> {
        let mut names = Vec::new();
        for side in ["own", "enemy"] {
            names.extend(Speed::ALL.map(|speed| format!("{side} {speed}")));
        }
        names.extend(["Chamber", "edge rows", "own off board", "enemy off board"].map(String::from));
        names.extend(["absorbing", "missing points", "repetition", "quiet turns"].map(String::from));
        if encoding.attack_maps {
            for side in ["own", "enemy"] {
                names.extend((1..=ATTACKERS).map(|attackers| format!("{side} reach {attackers}+")));
            }
        }
        if encoding.move_maps {
            for (_, name) in MovePlane::ALL {
                names.extend(Direction::ALL.map(|direction| format!("{name} {direction}")));
            }
        }
        names
    }

    fn shape(encoding: &ChaseEncoding) -> Shape {
        Shape {
            planes: 20
                + if encoding.attack_maps { 2 * ATTACKERS } else { 0 }
                + if encoding.move_maps {
                    MovePlane::ALL.len() * Direction::ALL.len()
                } else {
                    0
                },
            height: SIDE,
            width: SIDE,
            policy_planes: Self::POLICY_SIZE / (SIDE * SIDE),
        }
    }

    /// Only the Chamber tells left from right.
    fn mirror(encoding: &ChaseEncoding) -> Option<Mirror> {
        let shape = Self::shape(encoding);
        let directions = Direction::ALL.len();
        let mut planes: Vec<usize> = (0..shape.planes).collect();
        if encoding.move_maps {
            let from = shape.planes - MovePlane::ALL.len() * directions;
            for (index, plane) in planes[from..].iter_mut().enumerate() {
                let direction = Direction::ALL[index % directions];
                *plane = from + index - direction as usize + direction.mirrored() as usize;
            }
        }
        // Any cell will do: each plane of the policy is of one kind of action.
        let from = Cell::CHAMBER;
        let moves = Direction::ALL.map(|direction| Action::Move { from, direction });
        let exchanges = Direction::ALL.into_iter().flat_map(|direction| {
            (1..=MOST_EXCHANGED).map(move |points| Action::Exchange {
                from,
                direction,
                points,
            })
        });
        let mut policy: Vec<usize> = (0..shape.policy_planes).collect();
        for action in moves.into_iter().chain(exchanges) {
            policy[action.policy_index() / shape.cells()] = action.mirrored().policy_index() / shape.cells();
        }
        Some(Mirror {
            planes,
            policy,
            handed: vec![CHAMBER_PLANE],
        })
    }

    fn encode(&self, encoding: &ChaseEncoding, mut planes: ArrayViewMut3<'_, f32>) {
        assert_eq!(
            planes.shape(),
            Self::shape(encoding).input(),
            "dimensions of the planes"
        );
        planes.fill(0.0);
        // From here on the player to move is White.
        let position = seen_by(self.position(), self.to_move());
        for (cell, die) in position.all_dice() {
            let plane = die.player as usize * 6 + usize::from(die.speed.pips()) - 1;
            planes[[plane, cell.row(), cell.axial_column()]] = 1.0;
        }

        let mut planes = Planes::behind(CHAMBER_PLANE, planes);
        planes.cells(Bitboard::CHAMBER.into_iter().map(place));
        planes.cells(Cell::all().filter(|cell| cell.is_edge()).map(place));
        for player in Player::BOTH {
            planes.constant((DICE - position.dice(player).count()) as f32 / DICE as f32);
        }
        planes.constant(f32::from(u8::from(position.missing() > 0)));
        planes.constant(f32::from(position.missing()) / MOST_MISSING);
        planes.constant(repetition(self.occurrences(), self.rules().repetition));
        planes.constant(fraction_of(position.quiet_turns(), self.rules().quiet_turns));
        if encoding.attack_maps {
            for player in Player::BOTH {
                for cells in position.attacks::<ATTACKERS>(player) {
                    planes.cells(cells.into_iter().map(place));
                }
            }
        }
        if encoding.move_maps {
            encode_moves(&position, planes.rest());
        }
    }

    fn grid(_: &Self::Rules) -> Grid {
        Grid {
            is_hexagonal: true,
            joins_columns: true,
            joins_rows: false,
        }
    }

    fn occupancy(&self, _: &ChaseEncoding, viewer: Player, cells: &mut Vec<u8>) {
        // From here on the viewer is White.
        let position = seen_by(self.position(), viewer);
        cells.clear();
        cells.resize(SIDE * SIDE, occupancy::NOTHING);
        for (cell, die) in position.all_dice() {
            cells[cell.axial_index()] = match die.player {
                Player::White => occupancy::OWN,
                Player::Black => occupancy::ENEMY,
            };
        }
    }

    fn material(&self, viewer: Player) -> Option<f32> {
        let count = |player| self.position().dice(player).count() as f32;
        Some((count(viewer) - count(!viewer)) / DICE as f32)
    }
}

/// The position as White, if `viewer` is the player whose pieces are to be White's.
fn seen_by(position: &Position, viewer: Player) -> Position {
    match viewer {
        Player::White => *position,
        Player::Black => position.rotated(),
    }
}

/// Row and column of a cell in the planes.
fn place(cell: Cell) -> [usize; 2] {
    [cell.row(), cell.axial_column()]
}

/// Writes the planes about moves over zeros. White must be to move.
fn encode_moves(position: &Position, mut planes: ArrayViewMut3<'_, f32>) {
    let mut set = |plane: MovePlane, direction: Direction, cell: Cell, value: f32| {
        let plane = plane as usize * Direction::ALL.len() + direction as usize;
        planes[[plane, cell.row(), cell.axial_column()]] = value;
    };
    let [reached] = position.attacks::<1>(Player::Black);
    position.for_each_possible_move(Player::White, |own| {
        set(MovePlane::OwnMove, own.direction, own.from, 1.0);
        set(
            MovePlane::OwnCapture,
            own.direction,
            own.from,
            f32::from(own.captured) / MOST_MISSING,
        );
        let risk = if own.target == Cell::CHAMBER {
            let exits = Position::chamber_exits(own.arrival);
            exits.into_iter().any(|(cell, _)| reached.contains(cell))
        } else {
            reached.contains(own.target)
        };
        set(MovePlane::OwnRisk, own.direction, own.from, f32::from(u8::from(risk)));
    });
    position.for_each_possible_move(Player::Black, |enemy| {
        set(
            MovePlane::EnemyCapture,
            enemy.direction,
            enemy.from,
            f32::from(enemy.captured) / MOST_MISSING,
        );
    });
}
