//! Numbers with their intervals, one below the other (a forest plot).

use super::{Axis, Chart, Scale, WIDTH, axis_below, circle, ends, line, nothing, picture, text};
use crate::number::coordinate;
use chase_statistics::Interval;
use maud::{Markup, html};
use serde::{Deserialize, Serialize};

/// Rows of a point and its interval over a common axis.
#[derive(Clone, Debug)]
pub struct IntervalChart {
    /// Description for readers who cannot see it.
    pub title: String,
    /// The axis at the bottom.
    pub axis: Axis,
    /// A reference level.
    pub reference: Option<f64>,
    /// The rows, from the top.
    pub rows: Vec<IntervalRow>,
}

/// A row: a number with its interval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IntervalRow {
    /// Its name.
    pub name: String,
    /// The number; `None` if only bounds are known.
    pub value: Option<f64>,
    /// Its interval; a side without an end reaches to the frame.
    pub interval: Option<Interval>,
    /// Text at the right, such as `53.1 % of 400 pairs`.
    pub text: String,
}

const LEFT: f64 = 16.0;
const RIGHT: f64 = WIDTH - 16.0;
const ROW: f64 = 42.0;
const TOP: f64 = 6.0;
/// Assumed width of a letter in a row's text; more than the mean of any likely font.
const LETTER: f64 = 8.0;

/// The name, shortened in its middle if it would run into the text at the right.
fn beside(name: &str, words: &str) -> String {
    let room = ((RIGHT - LEFT) / LETTER) as usize;
    let room = room.saturating_sub(words.chars().count() + 2).max(8);
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= room {
        return name.to_owned();
    }
    // Names of players mostly differ at the end.
    let begin = (room - 1) / 3;
    let end = letters.len() - (room - 1 - begin);
    let (begin, end): (String, String) = (letters[..begin].iter().collect(), letters[end..].iter().collect());
    format!("{begin}…{end}")
}

impl IntervalChart {
    /// Draws the chart.
    pub fn chart(&self) -> Chart {
        let ends = |row: &IntervalRow| ends(row.value, row.interval);
        let numbers = self.rows.iter().flat_map(ends).flatten().chain(self.reference);
        let scale = self
            .axis
            .scale(numbers, [LEFT, RIGHT], 6, true)
            .filter(|_| !self.rows.is_empty());
        let Some(scale) = scale else {
            return nothing(&self.title);
        };
        let bottom = TOP + ROW * self.rows.len() as f64;
        let content = html! {
            (axis_below(&scale, &beside(&self.axis.label, ""), [LEFT, RIGHT], bottom))
            @for (index, row) in self.rows.iter().enumerate() {
                (self.row(row, TOP + ROW * index as f64, &scale))
            }
        };
        Chart {
            picture: picture(&self.title, bottom + 46.0, &content),
            keys: Vec::new(),
        }
    }

    /// A row that begins at a height.
    fn row(&self, row: &IntervalRow, top: f64, scale: &Scale) -> Markup {
        let (words, y) = (top + 14.0, top + 27.0);
        let name = beside(&row.name, &row.text);
        let [number, low, high] = ends(row.value, row.interval);
        let place = |end: Option<f64>, frame| [end.map_or(frame, |end| scale.place(end)), y];
        html! {
            text x=(LEFT) y=(coordinate(words)) class="row" {
                (name)
                @if name != row.name { title { (row.name) } }
            }
            (text("said end", [RIGHT, words], &row.text))
            (line("grid", [LEFT, y], [RIGHT, y]))
            @if let Some(x) = self.reference.map(|reference| scale.place(reference)) {
                (line("reference", [x, y - 7.0], [x, y + 7.0]))
            }
            @if row.interval.is_some() { (line("span s0", place(low, LEFT), place(high, RIGHT))) }
            @if let Some(number) = number { (circle("marker s0", [scale.place(number), y], 5.0)) }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::chart::Quantity;

    #[test]
    fn points_lie_within_their_intervals_and_these_in_the_frame() {
        let row = |value, low, high| IntervalRow {
            name: "greedy".into(),
            value,
            interval: Some(Interval { low, high }),
            text: "?".into(),
        };
        let chart = IntervalChart {
            title: "scores".into(),
            axis: Axis::new("score", Quantity::Percent).within(0.0, 1.0),
            reference: Some(0.5),
            rows: vec![
                row(Some(0.8), Some(0.7), Some(0.9)),
                row(None, Some(0.9), None),
                row(Some(f64::NAN), None, None),
            ],
        };
        let svg = chart.chart().picture.into_string();
        let tree = roxmltree::Document::parse(&svg).unwrap();
        let number = |node: &roxmltree::Node<'_, '_>, name| -> f64 { node.attribute(name).unwrap().parse().unwrap() };
        let spans = tree
            .descendants()
            .filter(|node| node.attribute("class") == Some("span s0"));
        let spans: Vec<[f64; 2]> = spans.map(|node| [number(&node, "x1"), number(&node, "x2")]).collect();
        let dots: Vec<f64> = tree
            .descendants()
            .filter(|node| node.attribute("r") == Some("5"))
            .map(|node| number(&node, "cx"))
            .collect();
        assert_eq!((spans.len(), dots.len()), (3, 1));
        let wide = RIGHT - LEFT;
        let expected = [0.7, 0.8, 0.9].map(|share| LEFT + share * wide);
        for (found, expected) in [spans[0][0], dots[0], spans[0][1]].into_iter().zip(expected) {
            assert!((found - expected).abs() < 0.06, "{found} {expected}");
        }
        assert_eq!((spans[1][1], spans[2]), (RIGHT, [LEFT, RIGHT]));
        let none = IntervalChart {
            rows: Vec::new(),
            ..chart
        };
        assert!(none.chart().picture.into_string().contains("nothing to plot"));
    }
}
