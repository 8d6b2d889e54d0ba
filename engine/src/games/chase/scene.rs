//! Positions as scenes, for drawings that are made for any game. [`Position::to_ascii`](super::Position::to_ascii) and
//! [`Position::to_svg`](super::Position::to_svg) show more.

use super::cell::{Cell, SIDE};
use super::game::Chase;
use super::notation::{Arrow, AsciiOptions, Heat, SvgOptions, Theme};
use crate::scene::{CellShape, Depict, Scene, SceneCell, ScenePiece, Shade, end_caption};
use crate::{Game, Player, Words};

/// The strength of the mark on cells of diagrams, as [`Heat::value`].
const MARK: f64 = 0.7;

impl Depict for Chase {
    fn words(_: &Self::Rules) -> Words {
        Words::of(include_str!("rules.md"))
    }

    fn scene(&self) -> Scene {
        let position = self.position();
        let cells = Cell::all().map(|cell| SceneCell {
            name: cell.to_string(),
            x: cell.column() as f64 + if cell.row().is_multiple_of(2) { 0.5 } else { 0.0 },
            y: (SIDE - 1 - cell.row()) as f64 * 0.75f64.sqrt(),
            shade: if cell == Cell::CHAMBER {
                Shade::Special
            } else {
                Shade::Plain
            },
            pieces: position
                .die(cell)
                .map(|die| ScenePiece {
                    player: die.player,
                    is_king: false,
                    label: die.speed.to_string(),
                    letter: die.letter(),
                    figure: None,
                })
                .into_iter()
                .collect(),
            marked: false,
        });
        let name = |player: Player| if player == Player::White { "White" } else { "Black" };
        Scene {
            cells: cells.collect(),
            shape: CellShape::Hexagon,
            caption: match end_caption(self, name) {
                Some(end) => end,
                None if position.missing() > 0 => {
                    format!("{} absorbs {} points", name(self.to_move()), position.missing())
                }
                None => format!("{} is to move", name(self.to_move())),
            },
        }
    }

    /// The cells on which dice begin and end.
    fn way(&self, action: Self::Action) -> Vec<usize> {
        let course = self.position().course(action);
        let cells = course.map(|course| course.cells());
        cells.map_or_else(|_| Vec::new(), |cells| cells.into_iter().map(Cell::index).collect())
    }

    fn text_picture(&self) -> String {
        self.position().to_ascii(&AsciiOptions::default())
    }

    /// In light colours: not all readers know style sheets that ask for a theme.
    fn svg_picture(&self, width: u32, last: Option<(&Self, Self::Action)>) -> String {
        let options = SvgOptions {
            width,
            theme: Theme::Light,
            last: last.and_then(|(before, action)| before.position().course(action).ok()),
            ..SvgOptions::default()
        };
        self.position().to_svg(&options)
    }

    /// With the whole way of each die, around the cylinder and off the walls.
    fn diagram(&self, line: &[(Self, Self::Action)], cells: &[usize], title: &str) -> String {
        let courses = line
            .iter()
            .filter_map(|(before, action)| before.position().course(*action).ok());
        let marked = Cell::all().filter(|cell| cells.contains(&cell.index()));
        self.position().to_svg(&SvgOptions {
            theme: Theme::Page,
            caption: false,
            title: Some(title.to_owned()),
            arrows: courses.map(Arrow::new).collect(),
            heat: marked
                .map(|cell| Heat {
                    cell,
                    value: MARK,
                    text: None,
                })
                .collect(),
            ..SvgOptions::default()
        })
    }
}
