//! What a finding shows: boards, tables and charts, as data. The page draws each kind, so that a finding brings its
//! pictures along without knowing of pages, and whoever reads the JSON file can draw them in another way.

use chase_engine::chase::{Action, Cell};
use serde::{Deserialize, Serialize};

use chase_statistics::Interval;

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
    /// What is to be seen, and how it was made.
    pub note: String,
    /// CFEN; a placement of dice that no game can reach, such as an empty board, will do.
    pub position: String,
    /// Coloured cells.
    pub cells: Vec<CellMark>,
    /// Arrows, the later ones on top.
    pub arrows: Vec<Arrow>,
    /// What the lowest and the highest colour stand for, in words; empty where colours mean nothing.
    pub scale: Option<[String; 2]>,
}

/// A coloured cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellMark {
    /// Its name.
    pub cell: String,
    /// From 0 (dark violet) to 1 (yellow).
    pub value: f64,
    /// A few characters to print there.
    pub text: String,
}

/// An arrow: the way of an action, or straight from cell to cell.
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
    /// How it was made.
    pub note: String,
    /// Headings of the columns.
    pub headings: Vec<String>,
    /// The rows, each with as many cells as there are headings.
    pub rows: Vec<Vec<String>>,
}

/// What an axis shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quantity {
    /// Plain numbers.
    #[default]
    Plain,
    /// Numbers between which there are none.
    Whole,
    /// Shares and scores: 1 is 100 %.
    Percent,
    /// Elo, with a sign.
    Elo,
}

/// Numbers with their intervals, one below the other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct IntervalPlot {
    /// The heading.
    pub title: String,
    /// How it was made, with the level of the intervals.
    pub note: String,
    /// What is plotted, with its unit in words.
    pub axis: String,
    /// How its numbers are written.
    pub quantity: Quantity,
    /// A level to compare with.
    pub reference: Option<f64>,
    /// The rows from the top.
    pub rows: Vec<IntervalRow>,
}

/// A number with its interval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IntervalRow {
    /// What it is about.
    pub name: String,
    /// The number; `None` if only bounds are known.
    pub value: Option<f64>,
    /// Its interval.
    pub interval: Option<Interval>,
    /// What stands at the right, such as `53.1 % of 400 pairs`.
    pub text: String,
}

/// Lines over a common axis.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LinePlot {
    /// The heading.
    pub title: String,
    /// How it was made, with the level of the intervals.
    pub note: String,
    /// What the axis at the bottom shows, with its unit in words.
    pub x: String,
    /// How its numbers are written.
    pub x_quantity: Quantity,
    /// Whether equal distances at the bottom are equal ratios.
    pub x_logarithmic: bool,
    /// What the axis at the left shows, with its unit in words.
    pub y: String,
    /// How its numbers are written.
    pub y_quantity: Quantity,
    /// A level to compare with, and its name.
    pub reference: Option<(f64, String)>,
    /// The lines.
    pub series: Vec<Series>,
}

/// A line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Its name in the key; empty if the heading says it all.
    pub name: String,
    /// x, y and the interval of y, with rising x.
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
    /// The way of an action, in the plain colour.
    pub fn of(action: Action) -> Self {
        Self {
            way: action.to_string(),
            value: None,
            label: String::new(),
        }
    }

    /// Straight from cell to cell, in the plain colour.
    pub fn between(from: Cell, to: Cell) -> Self {
        Self {
            way: format!("{from} {to}"),
            value: None,
            label: String::new(),
        }
    }

    /// Coloured by a value from 0 to 1, with a label.
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
