//! A verdict as a word on the page.

use chase_report::markup::{Element, element};
use chase_statistics::Verdict;

/// The word for a verdict, marked by colour and sign as well.
pub(super) fn chip(verdict: Option<Verdict>) -> Element {
    let (class, sign, word) = match verdict {
        Some(verdict @ Verdict::Supported) => ("supported", "✓", verdict.name()),
        Some(verdict @ Verdict::Refuted) => ("refuted", "✗", verdict.name()),
        Some(verdict @ Verdict::Inconclusive) => ("inconclusive", "?", verdict.name()),
        None => ("untested", "–", "not tested"),
    };
    element("span")
        .class(format!("verdict {class}"))
        .with(format!("{sign}\u{a0}{word}"))
}
