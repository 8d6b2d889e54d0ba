//! Numbers with their intervals in groups, several on a row: a forest plot of many games or players.

use super::{Axis, Chart, STYLES, Scale, WIDTH, axis_below, circle, ends, line, nothing, picture, sample, text};
use crate::number::coordinate;
use chase_statistics::Interval;
use maud::{Markup, html};

/// Groups of rows over a common axis. A row has one or more numbers with their intervals.
#[derive(Clone, Debug)]
pub struct ForestChart {
    /// Description for readers who cannot see it.
    pub title: String,
    /// The axis at the bottom.
    pub axis: Axis,
    /// A reference level.
    pub reference: Option<f64>,
    /// The groups, from the top.
    pub groups: Vec<ForestGroup>,
    /// Names of the styles that occur.
    pub styles: Vec<(ForestStyle, String)>,
}

/// Rows under a heading.
#[derive(Clone, Debug)]
pub struct ForestGroup {
    /// The heading; may be empty.
    pub name: String,
    /// The rows, from the top.
    pub rows: Vec<ForestRow>,
}

/// A row.
#[derive(Clone, Debug)]
pub struct ForestRow {
    /// Its name, of a few words.
    pub name: String,
    /// Its numbers, from the top.
    pub numbers: Vec<ForestNumber>,
}

/// The look of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForestStyle {
    /// The colour, below [`STYLES`].
    pub color: usize,
    /// True for an open marker, which distinguishes numbers without colours.
    pub open: bool,
}

/// A number with its interval.
#[derive(Clone, Debug)]
pub struct ForestNumber {
    /// Its look.
    pub style: ForestStyle,
    /// The number; `None` if only bounds are known.
    pub number: Option<f64>,
    /// Its interval; a side without an end reaches to the frame.
    pub interval: Option<Interval>,
    /// Number and interval as text, under the pointer.
    pub text: String,
}

/// Left end of the axis: names are left of it.
const LEFT: f64 = 150.0;
const RIGHT: f64 = WIDTH - 16.0;
const HEADING: f64 = 24.0;
/// Height of a number, and the least height of a row.
const NUMBER: f64 = 9.0;
const ROW: f64 = 18.0;
const TOP: f64 = 4.0;

fn marker(style: ForestStyle, place: [f64; 2]) -> Markup {
    let open = if style.open { " open" } else { "" };
    circle(&format!("marker{open} s{}", style.color % STYLES), place, 4.0)
}

fn span(style: ForestStyle, from: [f64; 2], to: [f64; 2]) -> Markup {
    line(&format!("whisker s{}", style.color % STYLES), from, to)
}

fn key(style: ForestStyle) -> Markup {
    let content = html! { (span(style, [1.0, 6.0], [29.0, 6.0])) (marker(style, [15.0, 6.0])) };
    sample("key", 30, &content)
}

fn height(row: &ForestRow) -> f64 {
    (NUMBER * row.numbers.len() as f64 + 5.0).max(ROW)
}

impl ForestChart {
    /// Draws the chart.
    pub fn chart(&self) -> Chart {
        let rows = || self.groups.iter().flat_map(|group| &group.rows);
        let numbers = rows().flat_map(|row| &row.numbers);
        let numbers = numbers.flat_map(|shown| ends(shown.number, shown.interval)).flatten();
        let scale = self.axis.scale(numbers.chain(self.reference), [LEFT, RIGHT], 6, true);
        let Some(scale) = scale.filter(|_| rows().next().is_some()) else {
            return nothing(&self.title);
        };
        let mut y = TOP;
        let mut drawn = Vec::new();
        for group in &self.groups {
            if !group.name.is_empty() {
                drawn.push(text("row", [4.0, y + 17.0], &group.name));
                y += HEADING;
            }
            for row in &group.rows {
                drawn.push(named(row, y, &scale));
                y += height(row);
            }
        }
        let bottom = y + 4.0;
        let content = html! {
            @for x in scale.ticks.iter().map(|(number, _)| scale.place(*number)) {
                (line("grid", [x, TOP], [x, bottom]))
            }
            @if let Some(x) = self.reference.map(|reference| scale.place(reference)) {
                (line("reference", [x, TOP], [x, bottom]))
            }
            (axis_below(&scale, &self.axis.label, [LEFT, RIGHT], bottom))
            @for part in drawn { (part) }
        };
        let key = |(style, name): &(ForestStyle, String)| (key(*style), name.clone());
        Chart {
            picture: picture(&self.title, bottom + 46.0, &content),
            keys: self.styles.iter().map(key).collect(),
        }
    }
}

/// A row that begins at a height: its name and its numbers.
fn named(row: &ForestRow, top: f64, scale: &Scale) -> Markup {
    let middle = top + height(row) / 2.0;
    let first = middle - NUMBER * (row.numbers.len() as f64 - 1.0) / 2.0;
    html! {
        text x="12" y=(coordinate(middle + 4.5)) { (row.name) }
        @for (place, shown) in row.numbers.iter().enumerate() {
            (drawn(shown, first + NUMBER * place as f64, scale))
        }
    }
}

fn drawn(shown: &ForestNumber, y: f64, scale: &Scale) -> Markup {
    let [number, low, high] = ends(shown.number, shown.interval);
    let place = |end: Option<f64>, frame| [end.map_or(frame, |end| scale.place(end)), y];
    html! {
        g {
            title { (shown.text) }
            @if shown.interval.is_some() { (span(shown.style, place(low, LEFT), place(high, RIGHT))) }
            @if let Some(number) = number { (marker(shown.style, [scale.place(number), y])) }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::chart::Quantity;

    #[test]
    fn every_number_lies_in_its_interval_and_its_row() {
        let number = |number: f64, open| ForestNumber {
            style: ForestStyle { color: 1, open },
            number: Some(number),
            interval: Some(Interval {
                low: Some(number - 0.1),
                high: Some(number + 0.1),
            }),
            text: "<>".into(),
        };
        let row = |name: &str, value: f64| ForestRow {
            name: name.into(),
            numbers: vec![number(value, true), number(value + 0.05, false)],
        };
        let mut chart = ForestChart {
            title: "scores".into(),
            axis: Axis::new("score", Quantity::Percent).within(0.0, 1.0),
            reference: Some(0.5),
            groups: vec![
                ForestGroup {
                    name: "Stax".into(),
                    rows: vec![row("square", 0.5), row("cylinder", 0.6)],
                },
                ForestGroup {
                    name: String::new(),
                    rows: vec![row("chase", 0.2)],
                },
            ],
            styles: vec![(ForestStyle { color: 1, open: true }, "16 simulations".into())],
        };
        let drawn = chart.chart();
        assert_eq!(drawn.keys.len(), 1);
        let svg = drawn.picture.into_string();
        let tree = roxmltree::Document::parse(&svg).unwrap();
        let attribute = |node: roxmltree::Node<'_, '_>, name| -> f64 { node.attribute(name).unwrap().parse().unwrap() };
        let class = |class: &'static str| {
            let nodes = tree.descendants();
            nodes.filter(move |node| node.attribute("class").is_some_and(|found| found.starts_with(class)))
        };
        let spans: Vec<_> = class("whisker").collect();
        let markers: Vec<_> = class("marker").collect();
        assert_eq!((spans.len(), markers.len(), class("marker open").count()), (6, 6, 3));
        let mut last = 0.0;
        for (span, marker) in spans.into_iter().zip(markers) {
            let (x, y) = (attribute(marker, "cx"), attribute(marker, "cy"));
            assert!((x - f64::midpoint(attribute(span, "x1"), attribute(span, "x2"))).abs() < 0.11);
            assert!(y > last && y == attribute(span, "y1"));
            last = y;
        }
        chart.groups.clear();
        assert!(chart.chart().picture.into_string().contains("nothing to plot"));
    }
}
