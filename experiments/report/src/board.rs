//! Boards of Chase on a page, and the colours of their values.

use chase_engine::chase::notation::{Labels, SvgOptions, Theme, value_color};

use maud::{Markup, html};

/// Options of a board on a page: light or dark with the page, without a caption.
pub fn plain(width: u32) -> SvgOptions {
    SvgOptions {
        width,
        caption: false,
        labels: Labels::Edge,
        theme: Theme::Auto,
        ..SvgOptions::default()
    }
}

/// The colour of a value: the lowest of the table is dark violet, the highest yellow.
pub fn color(value: f64, [low, high]: [f64; 2]) -> String {
    value_color(if high > low { (value - low) / (high - low) } else { 0.5 })
}

/// The colour ramp of values, with the meaning of its ends.
pub fn ramp(low: &str, high: &str) -> Markup {
    let stops: Vec<String> = (0..=8).map(|step| value_color(f64::from(step) / 8.0)).collect();
    html! {
        div.ramp {
            (low)
            i style={ "background:linear-gradient(to right," (stops.join(",")) ")" } {}
            (high)
        }
    }
}
