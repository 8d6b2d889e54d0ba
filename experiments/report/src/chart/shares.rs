//! Division of a whole, over time.

use super::{Axis, Chart, Frame, Quantity, nothing, rectangle, sample};
use crate::number;
use maud::{Markup, html};

/// Columns of equal height, each divided by the shares of the same categories.
#[derive(Clone, Debug)]
pub struct SharesChart {
    /// Description for readers who cannot see it.
    pub title: String,
    /// The axis at the bottom.
    pub x: Axis,
    /// Categories from bottom to top: class in the style sheet, and name.
    pub categories: Vec<(&'static str, String)>,
    /// The columns, with ascending x.
    pub columns: Vec<ShareColumn>,
}

/// A column.
#[derive(Clone, Debug)]
pub struct ShareColumn {
    /// Horizontal position.
    pub x: f64,
    /// Number of occurrences of each category, in order.
    pub counts: Vec<u64>,
}

/// Neighbouring columns are merged if there are more than this.
const MANY: usize = 100;

impl SharesChart {
    /// Draws the chart.
    pub fn chart(&self) -> Chart {
        let columns = self
            .columns
            .iter()
            .filter(|column| self.x.has(column.x) && column.counts.iter().any(|&count| count > 0));
        let columns: Vec<&ShareColumn> = columns.collect();
        let joined: Vec<&[&ShareColumn]> = columns.chunks(columns.len().div_ceil(MANY).max(1)).collect();
        let y = Axis::new("% of games", Quantity::Percent).within(0.0, 1.0);
        let [Some(first), Some(last)] = [columns.first(), columns.last()] else {
            return nothing(&self.title);
        };
        // Room for a whole bar at both ends.
        let gaps = columns.windows(2).map(|pair| pair[1].x - pair[0].x);
        let half = gaps.filter(|&gap| gap > 0.0).fold(f64::INFINITY, f64::min) / 2.0;
        let half = if half.is_finite() { half } else { 0.5 };
        let x = self.x.clone().within(first.x - half, last.x + half);
        let Some(frame) = Frame::new([&x, &y], columns.iter().map(|column| column.x), [0.0, 1.0]) else {
            return nothing(&self.title);
        };
        let centres: Vec<f64> = joined.iter().map(|columns| centre(&frame, columns)).collect();
        let nearest = centres
            .windows(2)
            .map(|pair| pair[1] - pair[0])
            .fold(f64::INFINITY, f64::min);
        let width = nearest.min(44.0) * if joined.len() > 40 { 1.0 } else { 0.85 };
        let bars = html! {
            @for (columns, &centre) in joined.iter().zip(&centres) { (self.bar(&frame, columns, centre, width)) }
        };
        let key = |(class, name): &(&'static str, String)| {
            let swatch = rectangle(class, [1.0, 1.0], 12.0, 10.0);
            (sample("swatch", 14, &swatch), name.clone())
        };
        Chart {
            picture: frame.draw(&self.title, [&x, &y], &bars),
            keys: self.categories.iter().map(key).collect(),
        }
    }

    fn bar(&self, frame: &Frame, columns: &[&ShareColumn], centre: f64, width: f64) -> Markup {
        let count = |category: usize| -> u64 { columns.iter().filter_map(|column| column.counts.get(category)).sum() };
        let counts: Vec<u64> = (0..self.categories.len()).map(count).collect();
        let total: u64 = counts.iter().sum();
        let share = |count: u64| count as f64 / total.max(1) as f64;
        let x = (centre - width / 2.0).max(Frame::LEFT);
        let width = (centre + width / 2.0).min(Frame::RIGHT) - x;
        let mut note = match columns {
            [first, .., last] => format!(
                "{} {}–{}, {} games",
                self.x.label,
                first.x,
                last.x,
                number::count(total)
            ),
            _ => format!("{} {}, {} games", self.x.label, columns[0].x, number::count(total)),
        };
        let mut below = 0;
        let mut parts = Vec::new();
        for ((class, name), &count) in self.categories.iter().zip(&counts) {
            note += &format!(", {name} {}", number::percent(share(count)));
            let [low, high] = [below, below + count].map(|count| frame.y.place(share(count)));
            if count > 0 {
                parts.push(rectangle(class, [x, high], width, low - high));
            }
            below += count;
        }
        html! { g { @for part in parts { (part) } title { (note) } } }
    }
}

fn centre(frame: &Frame, columns: &[&ShareColumn]) -> f64 {
    let sum: f64 = columns.iter().map(|column| frame.x.place(column.x)).sum();
    sum / columns.len() as f64
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn chart(columns: usize) -> SharesChart {
        SharesChart {
            title: "shares".into(),
            x: Axis::new("generation", Quantity::Whole),
            categories: vec![("white-wins", "White wins".into()), ("draws", "draws".into())],
            columns: (0..columns)
                .map(|index| ShareColumn {
                    x: index as f64,
                    counts: vec![3, 1],
                })
                .collect(),
        }
    }

    /// Rectangles as x, y, width, height.
    fn rectangles(svg: &str) -> Vec<[f64; 4]> {
        let tree = roxmltree::Document::parse(svg).unwrap();
        let rectangles = tree
            .descendants()
            .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "rect")));
        let sides = |node: roxmltree::Node<'_, '_>| {
            ["x", "y", "width", "height"].map(|name| node.attribute(name).unwrap().parse().unwrap())
        };
        rectangles.map(sides).collect()
    }

    #[test]
    fn bars_fill_the_frame_in_proportion_and_do_not_overlap() {
        for columns in [1, 2, 30, 60, 1000] {
            let svg = chart(columns).chart().picture.into_string();
            let all = rectangles(&svg);
            assert_eq!(all.len(), 2 * columns.min(100), "{columns}");
            for pair in all.chunks(2) {
                let [[x, top, width, height], [_, upper_top, _, upper]] = [pair[0], pair[1]];
                assert!((height - 3.0 * upper).abs() < 0.3, "{pair:?}");
                assert!((top + height - Frame::BOTTOM).abs() < 0.15 && (upper_top - Frame::TOP).abs() < 0.15);
                assert!(x >= Frame::LEFT && x + width <= Frame::RIGHT && width > 0.0);
            }
            let white: Vec<&[f64; 4]> = all.iter().step_by(2).collect();
            assert!(
                white
                    .windows(2)
                    .all(|pair| pair[0][0] + pair[0][2] <= pair[1][0] + 0.15)
            );
            let shares = svg.contains("White wins 75.0\u{202f}%");
            assert!(shares, "{svg}");
        }
    }

    #[test]
    fn columns_without_games_are_left_out() {
        let mut chart = chart(3);
        chart.columns[1].counts = vec![0, 0];
        assert_eq!(rectangles(&chart.chart().picture.into_string()).len(), 4);
        chart.columns.clear();
        assert!(chart.chart().picture.into_string().contains("nothing to plot"));
    }
}
