//! Encoding of the placement games as planes.

use ndarray::ArrayViewMut3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lines9::Lines9Position;
use super::moves23::Moves23Position;
use super::tetra24::{Tetra24Position, Tetrahex};
use super::tricolour::{Phase, TricolourPosition};
use super::{Board, Cell, Placement, Position, Return, Rules, Symmetry};
use crate::encode::occupancy;
use crate::planes::{Planes, fraction_of, repetition};
use crate::scene::CellShape;
use crate::{Encode, Grid, NoInputs, Player, Shape};

/// Placement games have no options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlacementEncoding {}

/// A placement game, with what its planes show beyond the stones: places of the board and the state of the turn.
pub trait Shown: Position {
    /// Content of the planes that differ from cell to cell.
    const MAPS: &'static [&'static str];
    /// Content of the planes with the same number on all cells.
    const STATE: &'static [&'static str];

    /// The number from 0 to 1 of a cell on the plane of this index in [`Shown::MAPS`].
    fn map(&self, map: usize, cell: Cell<Self::Board>) -> f32;

    /// The numbers from 0 to 1 of [`Shown::STATE`].
    fn state(&self) -> Vec<f32>;
}

/// Planes of as many rows and columns as the board has rows, from the bottom and the left; a hexagon in axial
/// coordinates ([`Cell::plane_index`]).
///
/// | planes | content |
/// |---|---|
/// | 2 | own stones, enemy stones |
/// | 1 | cells in play (hexagons) |
/// | | [`Shown::MAPS`] of the game |
/// | 1 | earlier occurrences of the position, as a fraction of those that make a draw, on all cells (where positions can return) |
/// | 1 | turns played, as a fraction of their limit |
/// | | [`Shown::STATE`] of the game, on all cells |
///
/// The board is the same to both players. Decisions without a cell are the first cells of the last policy plane.
impl<P: Shown> Encode for Placement<P> {
    type Encoding = PlacementEncoding;
    type Sparse = NoInputs;

    const ENCODING_VERSION: u32 = 1;

    fn standard_encoding(_: &Rules) -> PlacementEncoding {
        PlacementEncoding::default()
    }

    fn plane_names(_: &PlacementEncoding) -> Vec<String> {
        let mut names = vec!["own stones", "enemy stones"];
        if has_gaps::<P>() {
            names.push("in play");
        }
        names.extend(P::MAPS);
        if may_return::<P>() {
            names.push("repetition");
        }
        names.push("turns");
        names.extend(P::STATE);
        names.into_iter().map(String::from).collect()
    }

    fn shape(_: &PlacementEncoding) -> Shape {
        let side = P::Board::ROWS;
        let planes = 3 + usize::from(has_gaps::<P>()) + usize::from(may_return::<P>());
        Shape {
            planes: planes + P::MAPS.len() + P::STATE.len(),
            height: side,
            width: side,
            policy_planes: P::POLICY_SIZE.div_ceil(side * side),
        }
    }

    fn encode(&self, encoding: &PlacementEncoding, mut planes: ArrayViewMut3<'_, f32>) {
        assert_eq!(
            planes.shape(),
            Self::shape(encoding).input(),
            "dimensions of the planes"
        );
        planes.fill(0.0);
        let position = self.position();
        let mover = position.to_move();
        let mut planes = Planes::new(planes);
        for player in [mover, !mover] {
            planes.cells(position.stones().cells(player).map(place));
        }
        if has_gaps::<P>() {
            planes.cells(Cell::all().map(place::<P::Board>));
        }
        for map in 0..P::MAPS.len() {
            let mut plane = planes.next();
            for cell in Cell::all() {
                plane[place(cell)] = position.map(map, cell);
            }
        }
        let rules = self.rules();
        if may_return::<P>() {
            planes.constant(repetition(self.occurrences(), rules.repetition));
        }
        planes.constant(fraction_of(self.turns_played(), rules.max_turns));
        for number in position.state() {
            planes.constant(number);
        }
        debug_assert_eq!(planes.written(), Self::shape(encoding).planes);
    }

    fn grid(_: &Rules) -> Grid {
        Grid {
            is_hexagonal: P::Board::SHAPE == CellShape::Hexagon,
            ..Grid::default()
        }
    }

    fn mirrored(&self, action: P::Action) -> Option<P::Action> {
        mirror::<P>().map(|mirror| P::image(action, mirror))
    }

    /// The board is the same to both players. Places of the planes outside of the board have no stones.
    fn occupancy(&self, _: &PlacementEncoding, viewer: Player, cells: &mut Vec<u8>) {
        cells.clear();
        cells.resize(P::Board::ROWS * P::Board::ROWS, occupancy::NOTHING);
        for (player, class) in [(viewer, occupancy::OWN), (!viewer, occupancy::ENEMY)] {
            for cell in self.position().stones().cells(player) {
                cells[Cell::plane_index(cell)] = class;
            }
        }
    }
}

/// A reflection under which the rules are the same. An empty board is its own image.
fn mirror<P: Position>() -> Option<Symmetry> {
    let is_mirror = |symmetry: &Symmetry| symmetry.is_reflection() && !symmetry.exchanges_players();
    P::symmetries().into_iter().find(is_mirror)
}

/// True if some places of the planes are outside of the board.
fn has_gaps<P: Position>() -> bool {
    P::Board::SHAPE == CellShape::Hexagon
}

fn may_return<P: Position>() -> bool {
    P::RETURN != Return::Never
}

/// Row and column of a cell in the planes.
fn place<B: Board>(cell: Cell<B>) -> [usize; 2] {
    let index = cell.plane_index();
    [index / B::ROWS, index % B::ROWS]
}

const fn truth(holds: bool) -> f32 {
    if holds { 1.0 } else { 0.0 }
}

/// The cells of this turn's stones, the sides of either goal, and the stones still to place: thirds. A line may move
/// where there are three.
impl Shown for Moves23Position {
    const MAPS: &'static [&'static str] = &["placed", "sides 1", "sides 2"];
    const STATE: &'static [&'static str] = &["stones left"];

    fn map(&self, map: usize, cell: Cell<Self::Board>) -> f32 {
        let is_on = |sides: [usize; 3]| sides.into_iter().any(|side| cell.is_on_side(side));
        truth(match map {
            0 => self.placed().any(|placed| placed == cell),
            1 => is_on([0, 2, 4]),
            _ => is_on([1, 3, 5]),
        })
    }

    fn state(&self) -> Vec<f32> {
        vec![f32::from(self.stones_left()) / 3.0]
    }
}

/// The cells of this turn's stones, those in and next to their groups, the stones still to place (quarters), the turns
/// in a row without a stone (halves), the player whose number of shapes changed last, and the shapes that each player
/// has.
impl Shown for Tetra24Position {
    const MAPS: &'static [&'static str] = &["placed", "closed"];
    const STATE: &'static [&'static str] = &[
        "stones left",
        "passes",
        "own change",
        "enemy change",
        "own bar",
        "own worm",
        "own arch",
        "own wave",
        "own propeller",
        "own pistol",
        "own bee",
        "enemy bar",
        "enemy worm",
        "enemy arch",
        "enemy wave",
        "enemy propeller",
        "enemy pistol",
        "enemy bee",
    ];

    fn map(&self, map: usize, cell: Cell<Self::Board>) -> f32 {
        truth(match map {
            0 => self.placed().any(|placed| placed == cell),
            _ => self.is_closed(cell),
        })
    }

    fn state(&self) -> Vec<f32> {
        let players = [self.to_move(), !self.to_move()];
        let mut state = vec![f32::from(self.stones_left()) / 4.0, f32::from(self.passes()) / 2.0];
        state.extend(players.map(|player| truth(self.changed_last() == Some(player))));
        for player in players {
            state.extend(Tetrahex::ALL.map(|shape| truth(self.tetrahexes(player, shape) > 0)));
        }
        state
    }
}

/// The stones that must still be placed (halves), whether one more may be, the player with the shorter lines, and the
/// length of each player's longest line: ninths.
impl Shown for Lines9Position {
    const MAPS: &'static [&'static str] = &[];
    const STATE: &'static [&'static str] = &[
        "stones left",
        "third stone",
        "own behind",
        "enemy behind",
        "own longest",
        "enemy longest",
    ];

    fn map(&self, _: usize, _: Cell<Self::Board>) -> f32 {
        0.0
    }

    fn state(&self) -> Vec<f32> {
        let players = [self.to_move(), !self.to_move()];
        let mut state = vec![f32::from(self.stones_left()) / 2.0, truth(self.may_place_third())];
        state.extend(players.map(|player| truth(self.is_behind(player))));
        state.extend(players.map(|player| self.lengths(player).longest().unwrap_or(0) as f32 / 9.0));
        state
    }
}

/// The sides of each colour, the distance from the middle (quarters), the decision to make, and the turns in a row in
/// which everything was passed: halves.
impl Shown for TricolourPosition {
    const MAPS: &'static [&'static str] = &["colour 1", "colour 2", "colour 3", "distance"];
    const STATE: &'static [&'static str] = &["first", "swap", "move", "place", "place only", "passes"];

    fn map(&self, map: usize, cell: Cell<Self::Board>) -> f32 {
        match map {
            0..3 => truth(cell.is_on_side(2 * map) || cell.is_on_side(2 * map + 1)),
            _ => cell.distance_from_centre() as f32 / 4.0,
        }
    }

    fn state(&self) -> Vec<f32> {
        let mut state: Vec<f32> = Phase::ALL.map(|phase| truth(self.phase() == phase)).into();
        state.push(f32::from(self.passes()) / 2.0);
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, Lines9, Moves23, Tetra24, Tricolour};

    /// Games of mirrored actions stay mirror images.
    #[test]
    fn mirrored_actions_lead_to_mirror_images() {
        fn check<P: Shown>(_: &Placement<P>) {
            let mirror = mirror::<P>().expect("a reflection");
            let mut game = Placement::<P>::new(&Rules::default());
            let (mut image, mut actions) = (game.clone(), Vec::new());
            assert_eq!(game.position().under(mirror), *game.position());
            for ply in 0..40 {
                game.legal_actions(&mut actions);
                let Some(&action) = actions.get(ply * 5 % actions.len().max(1)) else {
                    break;
                };
                image.apply(game.mirrored(action).expect("a reflection"));
                game.apply(action);
                assert_eq!(game.position().under(mirror), *image.position(), "ply {ply}");
            }
            assert!(game.plies() > 20, "{}", P::NAME);
        }
        check(&Moves23::new(&Rules::default()));
        check(&Tetra24::new(&Rules::default()));
        check(&Lines9::new(&Rules::default()));
        check(&Tricolour::new(&Rules::default()));
    }
}
