//! Diagrams in the rules of games.

use std::str::FromStr;

use crate::GameName;
use crate::scene::Depict;

/// A position with what can be done in it, as a block of code in the rules of a game has it:
///
/// ```text
/// checkers: 8/8/5m2/8/3m4/2M5/8/8 d -
/// moves: c3xe5 e5xg7
/// cells: f6
/// Dark jumps twice.
/// ```
///
/// The first line is a game's name and a position of it. `moves` are actions from there, which are drawn as arrows, and
/// `cells` are marked; either line may be missing. What follows is the caption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    game: GameName,
    position: String,
    moves: Vec<String>,
    cells: Vec<String>,
    caption: String,
}

impl Diagram {
    /// The language of such a block, in Markdown.
    pub const LANGUAGE: &str = "position";

    /// Describes the diagram, in a sentence or more.
    pub fn caption(&self) -> &str {
        &self.caption
    }

    /// The picture as SVG, without a style sheet: see [`Depict::diagram`].
    ///
    /// # Errors
    /// If the game has no such position, action or cell.
    pub fn to_svg(&self) -> Result<String, String> {
        self.game.draw(self)
    }

    /// The picture, if the type is that of the game.
    pub(crate) fn draw<G: Depict>(&self) -> Result<String, String> {
        let position = G::from_position_text(&self.position, &self.game.rules::<G>());
        let start = position.map_err(|error| format!("{}: {error}", self.position))?;
        let mut game = start.clone();
        let mut lines = Vec::new();
        for text in &self.moves {
            let action = game.parse_action(text).map_err(|error| format!("{text}: {error}"))?;
            let before = game.clone();
            game.apply(action);
            lines.push((before, action));
        }
        let scene = start.scene();
        let place = |name: &String| scene.cells.iter().position(|cell| cell.name == *name);
        let cells = self.cells.iter();
        let cells =
            cells.map(|name| place(name).ok_or_else(|| format!("cells: {name}: expected a cell of {}", self.game)));
        Ok(start.diagram(&lines, &cells.collect::<Result<Vec<_>, _>>()?, &self.caption))
    }
}

impl FromStr for Diagram {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut lines = text.trim().lines().map(str::trim).peekable();
        let first = lines.next().unwrap_or_default();
        let (game, position) = first
            .split_once(": ")
            .ok_or_else(|| format!("{first}: expected a game, a colon and a position"))?;
        let mut list = |key| {
            let words = lines.next_if(|line| line.starts_with(key));
            let words = words.map_or("", |line| line.trim_start_matches(key));
            words.split_whitespace().map(str::to_owned).collect()
        };
        Ok(Self {
            game: game.parse().map_err(|error: crate::UnknownGame| error.to_string())?,
            position: position.to_owned(),
            moves: list("moves:"),
            cells: list("cells:"),
            caption: lines.collect::<Vec<_>>().join(" "),
        })
    }
}
