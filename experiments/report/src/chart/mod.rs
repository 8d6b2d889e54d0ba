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

use crate::number::coordinate;
use chase_statistics::Interval;
use maud::{Markup, html};

/// Width of every chart in its own units.
const WIDTH: f64 = 480.0;
/// Number of series and categories that the style sheet distinguishes.
pub const STYLES: usize = 6;

/// A picture with the keys to its series, ready for a page.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The picture, as an `svg` element.
    pub picture: Markup,
    /// Names of its series or categories, each with a sample of its style.
    pub keys: Vec<(Markup, String)>,
}

fn picture(title: &str, height: f64, content: &Markup) -> Markup {
    let [width, height] = [WIDTH, height].map(coordinate);
    html! {
        svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox={ "0 0 " (width) " " (height) } role="img" {
            title { (title) }
            (content)
        }
    }
}

/// A sample of a style, for a key.
fn sample(class: &str, width: u32, content: &Markup) -> Markup {
    html! {
        svg xmlns="http://www.w3.org/2000/svg" class={ "chart " (class) } viewBox={ "0 0 " (width) " 12" } aria-hidden="true" {
            (content)
        }
    }
}

/// Placeholder for a chart without data.
fn nothing(title: &str) -> Chart {
    let said = text("tick middle", [WIDTH / 2.0, 44.0], "nothing to plot");
    Chart {
        picture: picture(title, 80.0, &said),
        keys: Vec::new(),
    }
}

fn text(class: &str, place: [f64; 2], words: &str) -> Markup {
    let [x, y] = place.map(coordinate);
    html! { text x=(x) y=(y) class=(class) { (words) } }
}

fn line(class: &str, from: [f64; 2], to: [f64; 2]) -> Markup {
    let ([x1, y1], [x2, y2]) = (from.map(coordinate), to.map(coordinate));
    html! { line class=(class) x1=(x1) y1=(y1) x2=(x2) y2=(y2) {} }
}

fn circle(class: &str, place: [f64; 2], radius: f64) -> Markup {
    let [x, y] = place.map(coordinate);
    html! { circle class=(class) cx=(x) cy=(y) r=(radius) {} }
}

fn rectangle(class: &str, place: [f64; 2], width: f64, height: f64) -> Markup {
    let ([x, y], [width, height]) = (place.map(coordinate), [width, height].map(coordinate));
    html! { rect class=(class) x=(x) y=(y) width=(width) height=(height) {} }
}

/// An axis with its ticks and label, from the left to the right end of a picture.
fn axis_below(scale: &Scale, label: &str, [left, right]: [f64; 2], y: f64) -> Markup {
    html! {
        @for (number, label) in &scale.ticks {
            @let x = scale.place(*number);
            (line("mark", [x, y], [x, y + 5.0]))
            (text("tick middle", [x, y + 19.0], label))
        }
        (line("mark", [left, y], [right, y]))
        (text("axis end", [right, y + 38.0], label))
    }
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

    /// The picture of what lies in the frame, above its grid and labels.
    fn draw(&self, title: &str, [x, y]: [&Axis; 2], content: &Markup) -> Markup {
        let body = html! {
            @for (number, label) in &self.y.ticks {
                @let at = self.y.place(*number);
                (line("grid", [Self::LEFT, at], [Self::RIGHT, at]))
                (text("tick end", [Self::LEFT - 7.0, at + 4.5], label))
            }
            (text("axis", [4.0, 16.0], &y.label))
            (axis_below(&self.x, &x.label, [Self::LEFT, Self::RIGHT], Self::BOTTOM))
            (content)
        };
        picture(title, Self::HEIGHT, &body)
    }
}
