//! Charts in SVG: few kinds, readable on paper, in dark mode, on a phone and with any colour vision.
//!
//! A chart knows nothing of training runs. It is 480 units wide and scales with the page. Colours and strokes are those
//! of the style sheet of [`crate::page`]; series differ in dashes and markers as well. The description of a point is in
//! its `<title>`, which browsers show under the pointer.

mod axis;
mod forest;
mod interval;
mod line;
mod shares;
mod strip;

pub use axis::{Axis, Quantity, Scale};
pub use forest::{ForestChart, ForestGroup, ForestNumber, ForestRow, ForestStyle};
pub use interval::{IntervalChart, IntervalRow};
pub use line::{ChartLine, LineChart, Point};
pub use shares::{ShareColumn, SharesChart};
pub use strip::Strip;

use crate::markup::{Element, element};
use crate::number::coordinate;
use chase_statistics::Interval;

/// Width of every chart in its own units.
const WIDTH: f64 = 480.0;
/// Number of series and categories that the style sheet distinguishes.
pub const STYLES: usize = 6;

/// A picture with the keys to its series, ready for a page.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The picture, as an `svg` element.
    pub picture: Element,
    /// Names of its series or categories, each with a sample of its style.
    pub keys: Vec<(Element, String)>,
}

fn picture(title: &str, height: f64) -> Element {
    element("svg")
        .attr("xmlns", "http://www.w3.org/2000/svg")
        .class("chart")
        .attr("viewBox", format!("0 0 {} {}", coordinate(WIDTH), coordinate(height)))
        .attr("role", "img")
        .with(element("title").with(title))
}

/// Placeholder for a chart without data.
fn nothing(title: &str) -> Chart {
    let said = text(WIDTH / 2.0, 44.0, "nothing to plot").class("tick middle");
    Chart {
        picture: picture(title, 80.0).with(said),
        keys: Vec::new(),
    }
}

fn text(x: f64, y: f64, text: impl Into<String>) -> Element {
    let text: String = text.into();
    element("text")
        .attr("x", coordinate(x))
        .attr("y", coordinate(y))
        .with(text)
}

fn line(class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) -> Element {
    let ends = [("x1", x1), ("y1", y1), ("x2", x2), ("y2", y2)];
    let line = element("line").class(class);
    ends.into_iter()
        .fold(line, |line, (name, end)| line.attr(name, coordinate(end)))
}

fn rectangle(class: &str, [x, y]: [f64; 2], width: f64, height: f64) -> Element {
    let sides = [("x", x), ("y", y), ("width", width), ("height", height)];
    let rectangle = element("rect").class(class);
    sides.into_iter().fold(rectangle, |rectangle, (name, side)| {
        rectangle.attr(name, coordinate(side))
    })
}

/// The numbers that need room for a number with its interval: the number, and the ends of the interval.
fn ends(number: Option<f64>, interval: Option<Interval>) -> [Option<f64>; 3] {
    let interval = interval.unwrap_or(Interval { low: None, high: None });
    [number, interval.low, interval.high].map(|end| end.filter(|end| end.is_finite()))
}

/// The rectangle between two axes, with its grid and their labels.
#[derive(Clone, Debug)]
struct Frame {
    x: Scale,
    y: Scale,
}

impl Frame {
    const LEFT: f64 = 50.0;
    const RIGHT: f64 = WIDTH - 14.0;
    const TOP: f64 = 30.0;
    const BOTTOM: f64 = 222.0;
    const HEIGHT: f64 = 268.0;
    /// Margin between the frame and the first and last x, for markers.
    const INSET: f64 = 8.0;

    /// `None` if there is nothing to show.
    fn new([x, y]: [&Axis; 2], xs: impl IntoIterator<Item = f64>, ys: impl IntoIterator<Item = f64>) -> Option<Self> {
        Some(Self {
            x: x.scale(xs, [Self::LEFT + Self::INSET, Self::RIGHT - Self::INSET], 7, false)?,
            y: y.scale(ys, [Self::BOTTOM, Self::TOP], 7, true)?,
        })
    }

    /// Draws grid and labels, which belong below the data.
    fn draw(&self, title: &str, [x, y]: [&Axis; 2]) -> Element {
        let mut svg = picture(title, Self::HEIGHT);
        for (number, label) in &self.y.ticks {
            let at = self.y.place(*number);
            svg = svg
                .with(line("grid", [Self::LEFT, at], [Self::RIGHT, at]))
                .with(text(Self::LEFT - 7.0, at + 4.5, label).class("tick end"));
        }
        for (number, label) in &self.x.ticks {
            let at = self.x.place(*number);
            svg = svg
                .with(line("mark", [at, Self::BOTTOM], [at, Self::BOTTOM + 5.0]))
                .with(text(at, Self::BOTTOM + 19.0, label).class("tick middle"));
        }
        svg.with(line("mark", [Self::LEFT, Self::BOTTOM], [Self::RIGHT, Self::BOTTOM]))
            .with(text(4.0, 16.0, y.label.as_str()).class("axis"))
            .with(text(Self::RIGHT, Self::BOTTOM + 38.0, x.label.as_str()).class("axis end"))
    }
}
