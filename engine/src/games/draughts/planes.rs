//! Encoding of the draughts games as planes.

use ndarray::ArrayViewMut3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Action, Base, Board, CELLS, Cell, Draughts, PIECES, Piece, Rank, Rules, SIDE, Symmetry, Variation};
use crate::encode::occupancy;
use crate::planes::{Planes, fraction_of, repetition};
use crate::{Encode, Grid, NoInputs, Player, Shape};

/// Pieces of a stack, from the top, with planes of their own; those below are only counted.
const SHOWN: usize = 4;
/// The four kinds of pieces, in the order of their planes.
const KINDS: [&str; 4] = ["own man", "own king", "enemy man", "enemy king"];

/// The planes of one of the draughts games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DraughtsEncoding {
    /// The game, by its name.
    #[schemars(skip)]
    pub game: Variation,
    /// Planes of the cells that each side could jump.
    pub jump_maps: bool,
}

/// Planes of 8 × 8 cells, ranks from the mover's side, files from a.
///
/// If Light is to move, the board is seen from the other side ([`Cell::seen_by`]) and the players are swapped, which is
/// an exact symmetry.
///
/// | planes | content |
/// |---|---|
/// | 4 | own man, own king, enemy man, enemy king on top |
/// | 12 | the same for the second, third and fourth piece from the top (games with stacks, like the next 7) |
/// | 4 | the pieces below, by kind: twelfths |
/// | 1 | length of the run of pieces of the top one's owner, from the top: twelfths |
/// | 1 | height of the stack: parts of 24 |
/// | 1 | cells jumped in this turn that still show an enemy |
/// | 1 | the piece that must continue jumping |
/// | 1 | cells in play, where not all are |
/// | 1 | the row where own men become kings |
/// | 1 | rank: sevenths |
/// | 1 | earlier occurrences of the position, as a fraction of those that make a draw, on all cells |
/// | 2 | turns since the last jump or step of a man, and turns before this one and Dark's, as fractions of their limits |
/// | 2 | cells that the mover, and the enemy, could jump ([`DraughtsEncoding::jump_maps`]) |
/// | 2 | numbers of own, and of enemy men on top: twelfths (games with numbers, as the next) |
/// | 2 | numbers of own, and of enemy men second from the top: twelfths (with stacks) |
impl Encode for Draughts {
    type Encoding = DraughtsEncoding;
    type Sparse = NoInputs;

    const ENCODING_VERSION: u32 = 1;
    const CONSIDERED_ACTIONS: u32 = 8;

    fn standard_encoding(rules: &Rules) -> DraughtsEncoding {
        DraughtsEncoding {
            game: rules.variation,
            // Where men have numbers, a small network can hardly compare them across a gap.
            jump_maps: true,
        }
    }

    fn encoded_game(encoding: &DraughtsEncoding) -> &'static str {
        encoding.game.name()
    }

    fn plane_names(encoding: &DraughtsEncoding) -> Vec<String> {
        let mut names: Vec<String> = KINDS.map(String::from).into();
        if encoding.game.base().has_stacks() {
            for place in ["2nd", "3rd", "4th"] {
                names.extend(KINDS.map(|kind| format!("{place} {kind}")));
            }
            names.extend(KINDS.map(|kind| format!("below: {kind}")));
            names.extend(["run", "height", "jumped"].map(String::from));
        }
        names.push("goes on".into());
        if encoding.game.base() != Base::Queens {
            names.push("in play".into());
        }
        names.extend(["king row", "rank", "repetition", "quiet turns", "turns"].map(String::from));
        if encoding.jump_maps {
            names.extend(["own jumps", "enemy jumps"].map(String::from));
        }
        if encoding.game.numbers() {
            names.extend(["own number", "enemy number"].map(String::from));
            if encoding.game.base().has_stacks() {
                names.extend(["2nd own number", "2nd enemy number"].map(String::from));
            }
        }
        names
    }

    fn shape(encoding: &DraughtsEncoding) -> Shape {
        let stacks = encoding.game.base().has_stacks();
        let count = |shown: bool, planes: usize| if shown { planes } else { 0 };
        Shape {
            planes: KINDS.len()
                + count(stacks, KINDS.len() * SHOWN + 3)
                + 1
                + count(encoding.game.base() != Base::Queens, 1)
                + 5
                + count(encoding.jump_maps, 2)
                + count(encoding.game.numbers(), if stacks { 4 } else { 2 }),
            height: SIDE,
            width: SIDE,
            policy_planes: encoding.game.base().directions().len(),
        }
    }

    fn encode(&self, encoding: &DraughtsEncoding, mut planes: ArrayViewMut3<'_, f32>) {
        assert_eq!(
            planes.shape(),
            Self::shape(encoding).input(),
            "dimensions of the planes"
        );
        assert_eq!(self.variation(), encoding.game, "the game of the planes");
        planes.fill(0.0);
        let base = encoding.game.base();
        let position = self.position();
        let mover = position.to_move();
        let place = |cell: Cell| {
            let seen = cell.seen_by(mover, base);
            [seen.rank(), seen.file()]
        };
        let kind = |piece: Piece| 2 * usize::from(piece.player != mover) + usize::from(piece.rank == Rank::King);
        let part = |count: usize| count as f32 / PIECES as f32;
        let number = |piece: Piece| match piece.rank {
            Rank::Man(number) => part(number.into()),
            Rank::King => 0.0,
        };
        let mut planes = Planes::new(planes);

        let stacks = base.has_stacks();
        let mut tops = planes.several(if stacks { KINDS.len() * SHOWN + 6 } else { KINDS.len() });
        for cell in Cell::all() {
            let [row, column] = place(cell);
            let (mut height, mut run, mut unbroken) = (0, 0, true);
            let mut owner = None;
            for piece in position.stack(cell) {
                if height < SHOWN {
                    tops[[height * KINDS.len() + kind(piece), row, column]] = 1.0;
                } else {
                    tops[[SHOWN * KINDS.len() + kind(piece), row, column]] += part(1);
                }
                unbroken &= *owner.get_or_insert(piece.player) == piece.player;
                run += usize::from(unbroken);
                height += 1;
            }
            if stacks {
                let first = (SHOWN + 1) * KINDS.len();
                tops[[first, row, column]] = part(run);
                tops[[first + 1, row, column]] = height as f32 / (2 * PIECES) as f32;
            }
        }
        if stacks {
            planes.cells(position.jumped().map(place));
        }
        planes.cells(position.jumper().map(place));
        if base != Base::Queens {
            planes.cells(Cell::all().filter(|cell| cell.is_dark()).map(place));
        }
        planes.cells((0..SIDE).map(|file| [SIDE - 1, file]));
        for (rank, mut row) in planes.next().outer_iter_mut().enumerate() {
            row.fill(rank as f32 / (SIDE - 1) as f32);
        }
        let rules = self.rules().conventions;
        planes.constant(repetition(self.occurrences(), rules.repetition));
        planes.constant(fraction_of(position.quiet_turns(), rules.quiet_turns));
        planes.constant(fraction_of(2 * (position.turn() - 1), rules.max_turns));
        if encoding.jump_maps {
            for player in [mover, !mover] {
                planes.cells(position.exposed_to(player).map(place));
            }
        }
        if encoding.game.numbers() {
            for depth in 0..if stacks { 2 } else { 1 } {
                for player in [mover, !mover] {
                    let mut plane = planes.next();
                    for cell in Cell::all() {
                        let piece = position.stack(cell).nth(depth);
                        if let Some(piece) = piece.filter(|piece: &Piece| piece.player == player) {
                            plane[place(cell)] = number(piece);
                        }
                    }
                }
            }
        }
        debug_assert_eq!(planes.written(), Self::shape(encoding).planes);
    }

    fn grid(rules: &Rules) -> Grid {
        let board = rules.variation.board();
        Grid {
            is_hexagonal: false,
            joins_columns: board.joins_files(),
            joins_rows: board == Board::Universal,
        }
    }

    fn mirrored(&self, action: Action) -> Option<Action> {
        mirror(self.variation()).map(|mirror| mirror.action(self.variation(), action))
    }

    fn occupancy(&self, _: &DraughtsEncoding, viewer: Player, cells: &mut Vec<u8>) {
        cells.clear();
        cells.resize(CELLS, occupancy::NOTHING);
        for cell in Cell::all() {
            if let Some(piece) = self.position().top(cell) {
                cells[cell.seen_by(viewer, self.variation().base()).index()] = match piece.player == viewer {
                    true => occupancy::OWN,
                    false => occupancy::ENEMY,
                };
            }
        }
    }

    /// Cells with an own piece on top minus those with an enemy's: in Stax and Queens, prisoners count for neither
    /// player.
    fn material(&self, viewer: Player) -> Option<f32> {
        let count = |player| {
            let (men, kings) = self.position().tops(player);
            (men + kings) as f32
        };
        Some((count(viewer) - count(!viewer)) / PIECES as f32)
    }
}

/// The mirror symmetry that keeps files a and e. It is exact where files are joined, and the initial position is then
/// its own image, unless men have numbers.
fn mirror(game: Variation) -> Option<Symmetry> {
    if !game.board().joins_files() || game.numbers() {
        return None;
    }
    let mirrors = |symmetry: &Symmetry| {
        let [a1, b2] = [Cell::new(0, 0), Cell::new(1, 1)].map(|cell| symmetry.cell(game, cell));
        a1 == Cell::new(0, 0) && b2 == Cell::new(7, 1)
    };
    Symmetry::all(game).into_iter().find(mirrors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, seed};

    /// Games of mirrored actions from the initial position stay mirror images.
    #[test]
    fn the_start_and_what_follows_are_mirror_images() {
        fn check(variation: Variation) {
            assert_ne!(variation.base(), Base::Stax, "these two are as different as any");
            let mut rng = seed::named("mirror", &[]);
            let mut game = Draughts::start(&Rules::standard(variation), &mut rng);
            let (mut image, mirror) = (game.clone(), mirror(variation).expect("an exact mirror"));
            let mut actions = Vec::new();
            for ply in 0..40 {
                assert_eq!(game.position().under(mirror), *image.position(), "ply {ply}");
                game.legal_actions(&mut actions);
                let Some(&action) = actions.get(ply * 5 % actions.len().max(1)) else {
                    break;
                };
                image.apply(game.mirrored(action).expect("an exact mirror"));
                game.apply(action);
            }
            assert!(game.plies() > 20);
        }
        check(Variation::CheckersCyl);
        check(Variation::QueensUni);
    }
}
