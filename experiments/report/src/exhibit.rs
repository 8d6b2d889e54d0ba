//! Exhibits of findings: boards, tables and charts, as data. The page draws each kind, so that a finding has pictures
//! without depending on pages, and readers of the JSON file can draw them in another way.

use chase_engine::chase::{Action, Cell};
use serde::{Deserialize, Serialize};

use chase_statistics::Interval;

use crate::chart::{IntervalRow, Quantity};

/// A picture, chart or table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Exhibit {
    /// A board.
    Board(Board),
    /// A table.
    Table(Table),
    /// Numbers with their intervals, one below the other.
    Intervals(IntervalPlot),
    /// Lines over a common axis.
    Lines(LinePlot),
}

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

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// The heading.
    pub title: String,
    /// The method.
    pub note: String,
    /// Headings of the columns.
    pub headings: Vec<String>,
    /// The rows, each with as many cells as there are headings.
    pub rows: Vec<Vec<String>>,
}

/// Numbers with their intervals, one below the other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct IntervalPlot {
    /// The heading.
    pub title: String,
    /// The method, with the level of the intervals.
    pub note: String,
    /// The plotted quantity, with its unit in words.
    pub axis: String,
    /// Format of its numbers.
    pub quantity: Quantity,
    /// A reference level.
    pub reference: Option<f64>,
    /// The rows, from the top.
    pub rows: Vec<IntervalRow>,
}

/// Lines over a common axis.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LinePlot {
    /// The heading.
    pub title: String,
    /// The method, with the level of the intervals.
    pub note: String,
    /// The quantity on the axis at the bottom, with its unit in words.
    pub x: String,
    /// Format of its numbers.
    pub x_quantity: Quantity,
    /// True if equal distances at the bottom are equal ratios.
    pub x_logarithmic: bool,
    /// The quantity on the axis at the left, with its unit in words.
    pub y: String,
    /// Format of its numbers.
    pub y_quantity: Quantity,
    /// A reference level, and its name.
    pub reference: Option<(f64, String)>,
    /// The lines.
    pub series: Vec<PlotLine>,
}

/// A line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlotLine {
    /// Its name in the key; empty if the heading says it all.
    pub name: String,
    /// x, y and the interval of y, with ascending x.
    pub points: Vec<(f64, Option<f64>, Option<Interval>)>,
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

impl From<Board> for Exhibit {
    fn from(board: Board) -> Self {
        Self::Board(board)
    }
}

impl From<Table> for Exhibit {
    fn from(table: Table) -> Self {
        Self::Table(table)
    }
}

impl From<IntervalPlot> for Exhibit {
    fn from(plot: IntervalPlot) -> Self {
        Self::Intervals(plot)
    }
}

impl From<LinePlot> for Exhibit {
    fn from(plot: LinePlot) -> Self {
        Self::Lines(plot)
    }
}
