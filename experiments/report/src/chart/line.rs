//! Lines over a common axis, with bands for their intervals.

use super::{Axis, Chart, Frame, STYLES, line, nothing, sample, text};
use crate::number::coordinate;
use chase_statistics::Interval;
use maud::{Markup, html};

/// Several series over one axis.
#[derive(Clone, Debug)]
pub struct LineChart {
    /// Description for readers who cannot see it.
    pub title: String,
    /// The axis at the bottom.
    pub x: Axis,
    /// The axis at the left.
    pub y: Axis,
    /// The series, first on top. From the seventh on, styles repeat.
    pub series: Vec<ChartLine>,
    /// A reference level, and its name.
    pub reference: Option<(f64, String)>,
}

/// A line.
#[derive(Clone, Debug)]
pub struct ChartLine {
    /// Its name in the key; empty if the heading says it all.
    pub name: String,
    /// Its points, with ascending x.
    pub points: Vec<Point>,
}

/// A point of a line.
#[derive(Clone, Debug, Default)]
pub struct Point {
    /// Horizontal position.
    pub x: f64,
    /// Height; `None`, or not finite, if only a bound is known, or nothing.
    pub y: Option<f64>,
    /// Its interval, drawn as a band. A side without an end extends to the frame; a point without y is drawn as its
    /// bound.
    pub interval: Option<Interval>,
    /// Description of the point.
    pub note: String,
}

/// In a line with more than [`MANY`] points, points nearer than this many pixels are drawn as their mean.
const COLUMN: f64 = 3.0;
const MANY: usize = 120;
/// Lines with more points than this have no markers.
const MARKED: usize = 60;

impl Point {
    fn height(&self) -> Option<f64> {
        self.y.filter(|y| y.is_finite())
    }

    fn bounds(&self) -> [Option<f64>; 2] {
        let interval = self.interval.unwrap_or(Interval { low: None, high: None });
        [interval.low, interval.high].map(|end| end.filter(|end| end.is_finite()))
    }

    fn numbers(&self) -> impl Iterator<Item = f64> {
        self.bounds().into_iter().chain([self.height()]).flatten()
    }

    fn is_drawn(&self) -> bool {
        self.numbers().next().is_some()
    }
}

impl LineChart {
    /// Draws the chart.
    pub fn chart(&self) -> Chart {
        let drawn = |series: &ChartLine| -> Vec<Point> {
            let points = series.points.iter();
            points
                .filter(|point| self.x.has(point.x) && point.is_drawn())
                .cloned()
                .collect()
        };
        let series: Vec<Vec<Point>> = self.series.iter().map(drawn).collect();
        let xs = series.iter().flatten().map(|point| point.x);
        let reference = self.reference.iter().map(|&(level, _)| level);
        let ys = series.iter().flatten().flat_map(Point::numbers).chain(reference);
        let axes = [&self.x, &self.y];
        let Some(frame) = Frame::new(axes, xs, ys) else {
            return nothing(&self.title);
        };
        let level = self.reference.as_ref();
        let level = level.map(|(level, name)| (frame.y.place(*level), name));
        let styled = || series.iter().enumerate().rev();
        let content = html! {
            @if let Some((y, _)) = level { (line("reference", [Frame::LEFT, y], [Frame::RIGHT, y])) }
            // All bands are below all lines.
            @for (index, points) in styled() { (bands(&frame, index % STYLES, points)) }
            @for (index, points) in styled() { (curve(&frame, index % STYLES, points)) }
            @if let Some((y, name)) = level {
                // Put below the line where it would otherwise leave the frame.
                @let below = if y < Frame::TOP + 16.0 { 13.0 } else { -5.0 };
                (text("tick end level", [Frame::RIGHT - 2.0, y + below], name))
            }
        };
        let named = self.series.iter().enumerate();
        let named = named.filter(|(_, series)| !series.name.is_empty());
        Chart {
            picture: frame.draw(&self.title, axes, &content),
            keys: named
                .map(|(index, series)| (key(index % STYLES), series.name.clone()))
                .collect(),
        }
    }
}

/// The areas between the ends of intervals, one for each run of points with intervals.
fn bands(frame: &Frame, style: usize, points: &[Point]) -> Markup {
    let runs = points
        .split(|point| point.bounds() == [None; 2])
        .filter(|run| !run.is_empty());
    let band = |run: &[Point]| {
        let edge = |point: &Point, side: usize| {
            let y = point.bounds()[side].map_or(frame.y.pixels[side], |end| frame.y.place(end));
            [frame.x.place(point.x), y]
        };
        let mut around: Vec<[f64; 2]> = run.iter().map(|point| edge(point, 0)).collect();
        around.extend(run.iter().rev().map(|point| edge(point, 1)));
        let (kind, end) = if run.len() == 1 { ("whisker", "") } else { ("band", "z") };
        html! { path class={ (kind) " s" (style) } d={ (path(&around)) (end) } {} }
    };
    html! { @for run in runs { (band(run)) } }
}

/// A line with its markers.
fn curve(frame: &Frame, style: usize, points: &[Point]) -> Markup {
    let place = |point: &Point| Some([frame.x.place(point.x), frame.y.place(point.height()?)]);
    let places = |run: &[Point]| -> Vec<[f64; 2]> { run.iter().filter_map(place).collect() };
    let has_intervals = points.iter().any(|point| point.interval.is_some());
    let lines: Vec<Vec<[f64; 2]>> = if points.len() > MANY && !has_intervals {
        vec![thinned(&places(points))]
    } else {
        let runs = points.split(|point| point.height().is_none());
        runs.filter(|run| run.len() > 1).map(places).collect()
    };
    let marker = |point: &Point| match (place(point), point.bounds()) {
        (Some(at), _) => marker(style, at, Some(&point.note)),
        (None, [Some(low), _]) => bound([frame.x.place(point.x), frame.y.place(low)], -1.0, &point.note),
        (None, [None, Some(high)]) => bound([frame.x.place(point.x), frame.y.place(high)], 1.0, &point.note),
        (None, [None, None]) => Markup::default(),
    };
    let marked = points.iter().filter(|_| points.len() <= MARKED);
    html! {
        g class={ "series s" (style) } {
            @for places in lines { path.line d=(path(&places)) {} }
            @for point in marked { (marker(point)) }
        }
    }
}

/// Points in the same column of pixels, replaced by their mean.
fn thinned(places: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let column = |place: &[f64; 2]| (place[0] / COLUMN).floor();
    let means = places.chunk_by(|one, other| column(one) == column(other)).map(|chunk| {
        let sum = chunk
            .iter()
            .fold([0.0; 2], |[x, y], place| [x + place[0], y + place[1]]);
        sum.map(|sum| sum / chunk.len() as f64)
    });
    means.collect()
}

fn path(places: &[[f64; 2]]) -> String {
    let mut path = String::new();
    for (index, place) in places.iter().enumerate() {
        let [x, y] = place.map(coordinate);
        path += &format!("{}{x} {y}", if index == 0 { 'M' } else { 'L' });
    }
    path
}

/// Shapes by style, like colours: disc, square, triangle, diamond, then rings.
fn marker(style: usize, place: [f64; 2], note: Option<&str>) -> Markup {
    let [x, y] = place.map(coordinate);
    let note = html! { @if let Some(note) = note { title { (note) } } };
    let shape = match style {
        0 => return html! { circle.marker cx=(x) cy=(y) r="3.5" { (note) } },
        1 => "m-3.5-3.5h7v7h-7z",
        2 => "m0-4.5l4.5 8h-9z",
        3 => "m0-5l5 5-5 5-5-5z",
        _ => return html! { circle.marker.open cx=(x) cy=(y) r="3.5" { (note) } },
    };
    html! { path.marker d={ "M" (x) " " (y) (shape) } { (note) } }
}

/// A hollow triangle on a bound, pointing towards the number.
fn bound([x, y]: [f64; 2], towards: f64, note: &str) -> Markup {
    let [x, y, tip] = [x, y, 8.0 * towards].map(coordinate);
    html! { path.marker.open d={ "M" (x) " " (y) "m-5 0h10l-5 " (tip) "z" } { title { (note) } } }
}

fn key(style: usize) -> Markup {
    let content = html! {
        g class={ "series s" (style) } {
            path.line d="M1 6L29 6" {}
            (marker(style, [15.0, 6.0], None))
        }
    };
    sample("key", 30, &content)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::chart::Quantity;

    fn point(x: f64, y: Option<f64>, bounds: Option<[Option<f64>; 2]>) -> Point {
        Point {
            x,
            y,
            interval: bounds.map(|[low, high]| Interval { low, high }),
            note: format!("at {x}"),
        }
    }

    fn chart(points: Vec<Point>, x: Axis) -> LineChart {
        LineChart {
            title: "Elo & more".into(),
            x,
            y: Axis::new("Elo", Quantity::Elo),
            series: vec![ChartLine {
                name: "agent".into(),
                points,
            }],
            reference: Some((0.0, "random".into())),
        }
    }

    /// All coordinates of paths with absolute commands only.
    fn places(svg: &str, class: &str) -> Vec<[f64; 2]> {
        let tree = roxmltree::Document::parse(svg).unwrap();
        let paths = tree.descendants().filter(|node| {
            node.attribute("class")
                .is_some_and(|found| found.split(' ').any(|one| one == class))
        });
        let of = |path: &str| -> Vec<[f64; 2]> {
            let commands = path
                .trim_end_matches('z')
                .split(['M', 'L'])
                .filter(|command| !command.is_empty());
            let place = |command: &str| {
                let (x, y) = command.split_once(' ').unwrap();
                [x, y].map(|number| number.parse().unwrap())
            };
            commands.map(place).collect()
        };
        paths.filter_map(|node| node.attribute("d").map(of)).flatten().collect()
    }

    #[test]
    fn every_place_lies_in_the_frame_and_bounds_that_are_not_known_reach_it() {
        let mut points: Vec<Point> = (0..50)
            .map(|index| {
                let x = f64::from(index);
                let y = 90.0 * (x / 3.0).sin() * x;
                point(x, Some(y), Some([Some(y - 50.0), Some(y + 75.0)]))
            })
            .collect();
        points[20].interval = Some(Interval {
            low: Some(0.0),
            high: None,
        });
        let svg = chart(points, Axis::new("generation", Quantity::Whole))
            .chart()
            .picture
            .into_string();
        for class in ["line", "band"] {
            let places = places(&svg, class);
            assert!(places.len() >= 50, "{class}");
            for [x, y] in places {
                assert!((Frame::LEFT..=Frame::RIGHT).contains(&x), "{class} {x}");
                assert!((Frame::TOP..=Frame::BOTTOM).contains(&y), "{class} {y}");
            }
        }
        assert!(places(&svg, "band").iter().any(|&[_, y]| y == Frame::TOP));
        // Larger numbers are higher up, and later ones further right.
        let svg = chart(
            vec![point(1.0, Some(1.0), None), point(2.0, Some(9.0), None)],
            Axis::new("", Quantity::Whole),
        );
        let places = places(&svg.chart().picture.into_string(), "line");
        assert!(places[0][0] < places[1][0] && places[0][1] > places[1][1], "{places:?}");
    }

    #[test]
    fn holes_bounds_and_emptiness_are_drawn_as_what_they_are() {
        let x = || Axis::new("generation", Quantity::Whole);
        let count = |svg: &str, what: &str| svg.matches(what).count();
        let empty = chart(Vec::new(), x());
        let empty = LineChart {
            reference: None,
            ..empty
        }
        .chart()
        .picture
        .into_string();
        assert!(empty.contains("nothing to plot"), "{empty}");
        let all_nan = chart(
            vec![point(1.0, Some(f64::NAN), None), point(f64::NAN, Some(1.0), None)],
            x(),
        );
        assert!(all_nan.chart().picture.into_string().contains("nothing to plot"));
        let hole = vec![
            point(1.0, Some(1.0), None),
            point(2.0, Some(2.0), None),
            point(3.0, None, Some([Some(5.0), None])),
            point(4.0, Some(3.0), None),
            point(5.0, Some(4.0), None),
        ];
        let svg = chart(hole, x()).chart().picture.into_string();
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        assert_eq!(
            (
                count(&svg, "class=\"line\""),
                count(&svg, "marker open"),
                count(&svg, "<title>")
            ),
            (2, 1, 6),
            "{svg}"
        );
        let early = vec![
            point(0.0, Some(1.0), None),
            point(10.0, Some(1.0), None),
            point(100.0, Some(2.0), None),
        ];
        let svg = chart(early, x().logarithmic()).chart().picture.into_string();
        assert_eq!(
            places(&svg, "line").len(),
            2,
            "step 0 has no place on a logarithmic axis"
        );
    }

    #[test]
    fn many_points_are_drawn_as_their_means() {
        let wave = |index: i32| point(f64::from(index), Some(if index % 2 == 0 { 0.0 } else { 10.0 }), None);
        let mut chart = chart((0..100_000).map(wave).collect(), Axis::new("step", Quantity::Whole));
        chart.y = Axis::new("", Quantity::Plain);
        let places = places(&chart.chart().picture.into_string(), "line");
        assert!(places.len() < 200);
        let middle = f64::midpoint(Frame::TOP, Frame::BOTTOM);
        assert!(places.iter().all(|&[_, y]| (y - middle).abs() < 1.0));
    }
}
