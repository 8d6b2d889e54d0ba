//! Arrows, in pieces where they go around the cylinder.

use std::fmt::Write as _;

use super::super::Course;
use super::super::course::{Cause, Leg};
use super::layout::{Layout, number};
use super::{Arrow, Picture, escape, put};
use crate::chase::Cell;

type Point = [f64; 2];

/// A part of the way of a die that is seen in one go.
struct Piece {
    points: Vec<Point>,
    /// True if the way ends here, and on the board proper.
    has_tip: bool,
}

impl Picture<'_> {
    pub(super) fn arrow(&mut self, arrow: &Arrow) {
        let paint = match &arrow.color {
            Some(color) => {
                let color = escape(color);
                format!(r#"class="arrow" fill="{color}" stroke="{color}""#)
            }
            None => r#"class="arrow plain""#.to_owned(),
        };
        // A width that makes no sense is drawn as the nearest that does.
        let width = (if arrow.width.is_nan() { 0.0 } else { arrow.width }).clamp(0.02, 0.4);
        self.course(&arrow.course, 40.0 * width, &paint);
        if let Some(label) = &arrow.label {
            self.label(&arrow.course, label);
        }
    }

    /// Draws the ways of all dice of a course; those of bumped dice are thinner.
    pub(super) fn course(&mut self, course: &Course, width: f64, paint: &str) {
        put!(self, "<g {paint}>");
        for leg in course.legs() {
            let width = if leg.cause == Cause::Bumped { 0.6 * width } else { width };
            for piece in self.pieces(leg) {
                self.piece(piece, width);
            }
        }
        self.svg.push_str("</g>");
    }

    fn piece(&mut self, piece: Piece, width: f64) {
        let mut points = piece.points;
        let head = if piece.has_tip { head(&mut points, width) } else { None };
        put!(
            self,
            r#"<path class="shaft" stroke-width="{}" d="{}"/>"#,
            number(width),
            path(&points)
        );
        if let Some(head) = head {
            put!(self, r#"<path stroke="none" d="{}z"/>"#, path(&head));
        }
    }

    /// A plate with text on the middle of the longest piece of the first die's way.
    fn label(&mut self, course: &Course, label: &str) {
        let pieces = course.legs().first().map(|leg| self.pieces(leg)).unwrap_or_default();
        let longest = pieces
            .iter()
            .max_by(|one, other| length(&one.points).total_cmp(&length(&other.points)));
        let Some((long, [x, y])) = longest.map(|piece| {
            let long = length(&piece.points);
            (long, along(&piece.points, long / 2.0))
        }) else {
            return;
        };
        let width = 5.6 * label.chars().count() as f64 + 7.0;
        // A plate would hide a short arrow, and stands above it.
        let y = if long < width + 14.0 { y - 11.0 } else { y };
        // A plate near the side moves in to be read whole.
        let [left, _, board, _] = Layout::BOARD;
        let x = x.max(left + width / 2.0).min(left + board - width / 2.0);
        put!(
            self,
            r#"<rect class="plate" x="{}" y="{}" width="{}" height="12" rx="3"/><text class="tag" x="{}" y="{}">{}</text>"#,
            number(x - width / 2.0),
            number(y - 6.0),
            number(width),
            number(x),
            number(y + 3.1),
            escape(label)
        );
    }

    /// The visible pieces of the way of a die: one in the plain case, two if it goes around the cylinder.
    fn pieces(&self, leg: &Leg) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let rims = [leg.from, leg.to].map(|cell| self.rim(cell));
        // A way may begin in any copy of its first cell, of which at most one is on the board.
        for turns in -1..=1 {
            let way = self.layout.way(leg, turns);
            if !way.iter().any(|&(_, real)| real) {
                continue;
            }
            let has_tip = way.last().is_some_and(|&(_, real)| real);
            let points: Vec<Point> = way.into_iter().map(|(point, _)| point).collect();
            let points = clip(&trim(points, rims));
            if points.len() > 1 {
                pieces.push(Piece { points, has_tip });
            }
        }
        pieces
    }

    /// Distance from the middle of a cell at which an arrow begins and ends: at the rim of what is there.
    fn rim(&self, cell: Cell) -> f64 {
        match self.position.die(cell) {
            Some(_) => 13.0,
            None if cell == Cell::CHAMBER => 13.0,
            None => 4.0,
        }
    }
}

fn distance([x, y]: Point, [u, v]: Point) -> f64 {
    (u - x).hypot(v - y)
}

fn length(points: &[Point]) -> f64 {
    points.windows(2).map(|pair| distance(pair[0], pair[1])).sum()
}

fn between([x, y]: Point, [u, v]: Point, part: f64) -> Point {
    [x + part * (u - x), y + part * (v - y)]
}

/// The point that is `way` from the first one along the line.
fn along(points: &[Point], mut way: f64) -> Point {
    for pair in points.windows(2) {
        let step = distance(pair[0], pair[1]);
        if way <= step && step > 0.0 {
            return between(pair[0], pair[1], way / step);
        }
        way -= step;
    }
    *points.last().expect("a line has points")
}

/// Cuts a line back at both ends. Empty if the line is a point.
fn trim(mut points: Vec<Point>, [begin, end]: [f64; 2]) -> Vec<Point> {
    if length(&points) <= begin + end {
        return Vec::new();
    }
    // Middles of cells are further apart than two rims, so that only the first and the last stretch are concerned.
    let last = points.len() - 1;
    let [first, tip] = [
        between(points[0], points[1], begin / distance(points[0], points[1])),
        between(
            points[last],
            points[last - 1],
            end / distance(points[last], points[last - 1]),
        ),
    ];
    points[0] = first;
    points[last] = tip;
    points
}

/// The part of a line between the sides of the board. Ways go east all along, or west, so that there is only one.
fn clip(points: &[Point]) -> Vec<Point> {
    let [left, _, width, _] = Layout::BOARD;
    let right = left + width;
    let mut clipped: Vec<Point> = Vec::new();
    for pair in points.windows(2) {
        let [from, to] = [pair[0], pair[1]];
        let across = to[0] - from[0];
        // Parts of the stretch at which it crosses the sides, in order.
        let (enter, leave) = if across == 0.0 {
            if (left..=right).contains(&from[0]) {
                (0.0, 1.0)
            } else {
                continue;
            }
        } else {
            let [one, other] = [left, right].map(|side| (side - from[0]) / across);
            (one.min(other).max(0.0), one.max(other).min(1.0))
        };
        if enter >= leave {
            continue;
        }
        if clipped.is_empty() {
            clipped.push(between(from, to, enter));
        }
        clipped.push(between(from, to, leave));
    }
    clipped
}

/// The head of an arrow; the line is cut back to its base.
fn head(points: &mut [Point], width: f64) -> Option<[Point; 3]> {
    let [.., from, to] = points else { return None };
    let rest = distance(*from, *to);
    let long = (2.2 * width + 2.5).min(0.8 * rest);
    if long <= 0.0 {
        return None;
    }
    let base = between(*to, *from, long / rest);
    let tip = *to;
    let [dx, dy] = [(tip[0] - base[0]) / long, (tip[1] - base[1]) / long];
    let half = 1.1 * width + 1.2;
    *to = base;
    Some([
        tip,
        [base[0] - half * dy, base[1] + half * dx],
        [base[0] + half * dy, base[1] - half * dx],
    ])
}

fn path(points: &[Point]) -> String {
    let mut text = String::new();
    for (index, [x, y]) in points.iter().enumerate() {
        let command = if index == 0 { 'M' } else { 'L' };
        text += &format!("{command}{} {}", number(*x), number(*y));
    }
    text
}
