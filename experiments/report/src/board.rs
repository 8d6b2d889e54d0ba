//! Boards of Chase on a page, as data and drawn, and the colours of their values.

use chase_engine::chase::notation::{self, Course, Heat, Labels, SvgOptions, Theme, value_color};
use chase_engine::chase::{Action, Cell, Position, Setup};
use maud::{Markup, PreEscaped, html};
use serde::{Deserialize, Serialize};

use crate::page::picture;

/// Width of a board; pages scale it.
const WIDTH: u32 = 480;

/// A board with dice, coloured cells and arrows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Board {
    /// The heading.
    pub title: String,
    /// Its meaning, and how it was made.
    pub note: String,
    /// CFEN; it may be a placement of dice that no game can reach, such as an empty board.
    pub position: String,
    /// Coloured cells.
    pub cells: Vec<CellMark>,
    /// Arrows; later ones are on top.
    pub arrows: Vec<Arrow>,
    /// The meaning of the lowest and of the highest colour; `None` if colours have no meaning.
    pub scale: Option<[String; 2]>,
}

/// A coloured cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellMark {
    /// Its name.
    pub cell: String,
    /// From 0 (dark violet) to 1 (yellow).
    pub value: f64,
    /// A few characters to print on the cell.
    pub text: String,
}

/// An arrow: the path of an action, or a straight line from cell to cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Arrow {
    /// `A3NE`, an action in exact form that is legal in the position; or `A3 E4`, two cells.
    pub way: String,
    /// From 0 (dark violet) to 1 (yellow); `None` for the plain colour.
    pub value: Option<f64>,
    /// A few characters to print on it; may be empty.
    pub label: String,
}

impl CellMark {
    /// A coloured cell.
    pub fn new(cell: Cell, value: f64, text: impl Into<String>) -> Self {
        Self {
            cell: cell.to_string(),
            value,
            text: text.into(),
        }
    }
}

impl Arrow {
    /// The path of an action, in the plain colour.
    pub fn of(action: Action) -> Self {
        Self {
            way: action.to_string(),
            value: None,
            label: String::new(),
        }
    }

    /// A straight line from cell to cell, in the plain colour.
    pub fn between(from: Cell, to: Cell) -> Self {
        Self {
            way: format!("{from} {to}"),
            value: None,
            label: String::new(),
        }
    }

    /// Colours the arrow by a value from 0 to 1, and adds a label.
    #[must_use]
    pub fn valued(mut self, value: f64, label: impl Into<String>) -> Self {
        self.value = Some(value);
        self.label = label.into();
        self
    }
}

/// The board as a figure of a page, or a message in its place if its position is invalid.
pub fn board(shown: &Board) -> Markup {
    let setup: Setup = match shown.position.parse() {
        Ok(setup) => setup,
        Err(error) => {
            let sorry = html! { p.soft { "no board: " (error) } };
            return picture(&shown.title, sorry, &shown.note);
        }
    };
    let position = setup.validate().ok();
    let options = SvgOptions {
        heat: shown.cells.iter().filter_map(heat).collect(),
        arrows: shown
            .arrows
            .iter()
            .filter_map(|shown| arrow(shown, position.as_ref()))
            .collect(),
        ..plain(WIDTH)
    };
    let svg = position.map_or_else(|| setup.to_svg(&options), |position| position.to_svg(&options));
    let content = html! {
        @if let Some([low, high]) = &shown.scale { (ramp(low, high)) }
        (PreEscaped(svg))
    };
    picture(&shown.title, content, &shown.note)
}

fn heat(mark: &CellMark) -> Option<Heat> {
    Some(Heat {
        cell: mark.cell.parse().ok()?,
        value: mark.value,
        text: (!mark.text.is_empty()).then(|| mark.text.clone()),
    })
}

fn arrow(shown: &Arrow, position: Option<&Position>) -> Option<notation::Arrow> {
    let course = match shown.way.split_once(' ') {
        Some((from, to)) => Course::between(from.parse().ok()?, to.parse().ok()?),
        None => {
            let action: Action = shown.way.parse().ok()?;
            match action {
                // An exchange has no path of its own.
                Action::Exchange { from, direction, .. } => Course::between(from, beside(from, direction)?),
                _ => position?.course(action).ok()?,
            }
        }
    };
    Some(notation::Arrow {
        width: if shown.value.is_some() { 0.14 } else { 0.1 },
        color: shown.value.map(value_color),
        label: (!shown.label.is_empty()).then(|| shown.label.clone()),
        ..notation::Arrow::new(course)
    })
}

fn beside(cell: Cell, direction: chase_engine::chase::Direction) -> Option<Cell> {
    chase_engine::chase::geometry::neighbour(cell, direction)
}

/// Options of a board on a page: light or dark with the page, without a caption.
pub fn plain(width: u32) -> SvgOptions {
    SvgOptions {
        width,
        caption: false,
        labels: Labels::Edge,
        theme: Theme::Auto,
        ..SvgOptions::default()
    }
}

/// The colour of a value: the lowest of the table is dark violet, the highest yellow.
pub fn color(value: f64, [low, high]: [f64; 2]) -> String {
    value_color(if high > low { (value - low) / (high - low) } else { 0.5 })
}

/// The colour ramp of values, with the meaning of its ends.
pub fn ramp(low: &str, high: &str) -> Markup {
    let stops: Vec<String> = (0..=8).map(|step| value_color(f64::from(step) / 8.0)).collect();
    html! {
        div.ramp {
            (low)
            i style={ "background:linear-gradient(to right," (stops.join(",")) ")" } {}
            (high)
        }
    }
}
