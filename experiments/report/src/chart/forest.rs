//! Numbers with their intervals in groups, several on a row: a forest plot of many games or players.

use super::{Axis, Chart, STYLES, WIDTH, ends, line, nothing, picture, text};
use crate::markup::{Element, element};
use crate::number::coordinate;
use chase_statistics::Interval;

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

fn marker(style: ForestStyle, [x, y]: [f64; 2]) -> Element {
    let open = if style.open { " open" } else { "" };
    element("circle")
        .class(format!("marker{open} s{}", style.color % STYLES))
        .attr("cx", coordinate(x))
        .attr("cy", coordinate(y))
        .attr("r", "4")
}

fn span(style: ForestStyle, from: [f64; 2], to: [f64; 2]) -> Element {
    line(&format!("whisker s{}", style.color % STYLES), from, to)
}

fn key(style: ForestStyle) -> Element {
    element("svg")
        .attr("xmlns", "http://www.w3.org/2000/svg")
        .class("chart key")
        .attr("viewBox", "0 0 30 12")
        .attr("aria-hidden", "true")
        .with(span(style, [1.0, 6.0], [29.0, 6.0]))
        .with(marker(style, [15.0, 6.0]))
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
        let height = |row: &ForestRow| (NUMBER * row.numbers.len() as f64 + 5.0).max(ROW);
        let of_group = |group: &ForestGroup| {
            let heading = if group.name.is_empty() { 0.0 } else { HEADING };
            heading + group.rows.iter().map(height).sum::<f64>()
        };
        let bottom = TOP + self.groups.iter().map(of_group).sum::<f64>() + 4.0;
        let mut svg = picture(&self.title, bottom + 46.0);
        for (number, label) in &scale.ticks {
            let x = scale.place(*number);
            svg = svg
                .with(line("grid", [x, TOP], [x, bottom]))
                .with(text(x, bottom + 19.0, label).class("tick middle"));
        }
        if let Some(reference) = self.reference {
            let x = scale.place(reference);
            svg = svg.with(line("reference", [x, TOP], [x, bottom]));
        }
        svg = svg
            .with(line("mark", [LEFT, bottom], [RIGHT, bottom]))
            .with(text(RIGHT, bottom + 38.0, self.axis.label.as_str()).class("axis end"));
        let mut y = TOP;
        for group in &self.groups {
            if !group.name.is_empty() {
                svg = svg.with(text(4.0, y + 17.0, group.name.as_str()).class("row"));
                y += HEADING;
            }
            for row in &group.rows {
                let middle = y + height(row) / 2.0;
                svg = svg.with(text(12.0, middle + 4.5, row.name.as_str()));
                let first = middle - NUMBER * (row.numbers.len() as f64 - 1.0) / 2.0;
                for (place, shown) in row.numbers.iter().enumerate() {
                    svg = svg.with(drawn(shown, first + NUMBER * place as f64, &scale));
                }
                y += height(row);
            }
        }
        Chart {
            picture: svg,
            keys: self
                .styles
                .iter()
                .map(|(style, name)| (key(*style), name.clone()))
                .collect(),
        }
    }
}

fn drawn(shown: &ForestNumber, y: f64, scale: &super::Scale) -> Element {
    let [number, low, high] = ends(shown.number, shown.interval);
    let mut group = element("g").with(element("title").with(shown.text.as_str()));
    if shown.interval.is_some() {
        let [low, high] = [
            low.map_or(LEFT, |low| scale.place(low)),
            high.map_or(RIGHT, |high| scale.place(high)),
        ];
        group = group.with(span(shown.style, [low, y], [high, y]));
    }
    if let Some(number) = number {
        group = group.with(marker(shown.style, [scale.place(number), y]));
    }
    group
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
        let svg = drawn.picture.to_string();
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
        assert!(chart.chart().picture.to_string().contains("nothing to plot"));
    }
}
