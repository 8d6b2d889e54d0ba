//! A number with its interval in one row of a table, on an axis that all rows share: a forest plot with words around
//! it.

use super::{circle, line, text};
use crate::number::{self, coordinate};
use chase_statistics::Interval;
use maud::{Markup, html};

/// The axis that the rows share, with 0 in its middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strip {
    /// The ends of the axis are at plus and minus this. Numbers beyond are arrows.
    pub reach: f64,
}

const WIDTH: f64 = 240.0;
const HEIGHT: f64 = 26.0;
/// Margin between an end of the axis and the edge of the picture, for arrows and half a label.
const INSET: f64 = 18.0;

impl Strip {
    /// The axis that shows all numbers, if it need not reach further than `most`.
    pub fn of(numbers: impl IntoIterator<Item = f64>, most: f64) -> Self {
        let sizes = numbers.into_iter().filter(|number| number.is_finite()).map(f64::abs);
        let largest = sizes.fold(0.0, f64::max).clamp(1.0, most);
        let step = if largest > 10.0 { 5.0 } else { 1.0 };
        Self {
            reach: (largest / step).ceil() * step,
        }
    }

    fn place(self, number: f64) -> f64 {
        let half = WIDTH / 2.0 - INSET;
        WIDTH / 2.0 + half * (number / self.reach).clamp(-1.0, 1.0)
    }

    /// The axis itself.
    pub fn axis(self) -> Markup {
        let content = html! {
            @for number in [-self.reach, 0.0, self.reach] {
                @let x = self.place(number);
                (line("mark", [x, HEIGHT - 6.0], [x, HEIGHT]))
                (text("tick middle", [x, 14.0], &number::elo(number)))
            }
        };
        picture("the axis of the intervals below", &content)
    }

    /// A number with its interval, in a colour of the style sheet such as `s0`.
    pub fn row(self, number: f64, interval: Interval, class: &str, title: &str) -> Markup {
        let (middle, y) = (self.place(0.0), HEIGHT / 2.0);
        let low = interval.low.unwrap_or(f64::NEG_INFINITY);
        let high = interval.high.unwrap_or(f64::INFINITY);
        let content = html! {
            (line("grid", [self.place(-self.reach), y], [self.place(self.reach), y]))
            (line("reference", [middle, 0.0], [middle, HEIGHT]))
            g class=(class) {
                (line("span", [self.place(low), y], [self.place(high), y]))
                @if low < -self.reach { (arrow(-1.0)) }
                @if high > self.reach { (arrow(1.0)) }
                @if number.abs() <= self.reach { (circle("marker", [self.place(number), y], 5.0)) }
            }
        };
        picture(title, &content)
    }
}

/// An arrow at an end of the axis, to the left for −1.
fn arrow(way: f64) -> Markup {
    let end = WIDTH / 2.0 + way * (WIDTH / 2.0 - 4.0);
    let [back, end] = [end - way * 9.0, end].map(coordinate);
    let [top, y, bottom] = [-6.0, 0.0, 6.0].map(|from_middle| coordinate(HEIGHT / 2.0 + from_middle));
    html! { path.marker d={ "M" (back) " " (top) " L" (end) " " (y) " L" (back) " " (bottom) " Z" } {} }
}

fn picture(title: &str, content: &Markup) -> Markup {
    html! {
        svg xmlns="http://www.w3.org/2000/svg" class="chart strip" viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" {
            title { (title) }
            (content)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_beyond_the_axis_becomes_an_arrow() {
        let strip = Strip::of([-3.0, 12.0, f64::INFINITY], 40.0);
        assert_eq!(strip.reach, 15.0);
        assert_eq!(Strip::of([250.0], 40.0).reach, 40.0);
        let interval = |low, high| Interval { low, high };
        let inside = strip.row(3.0, interval(Some(-2.0), Some(8.0)), "s0", "").into_string();
        assert!(inside.contains("<circle") && !inside.contains("<path"), "{inside}");
        let open = strip.row(20.0, interval(Some(10.0), None), "s0", "").into_string();
        assert!(!open.contains("<circle") && open.contains("<path"), "{open}");
        assert!(!open.contains("NaN") && !open.contains("inf"), "{open}");
    }
}
