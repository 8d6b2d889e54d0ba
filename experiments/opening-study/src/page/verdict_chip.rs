//! A verdict as a word on the page.

use chase_statistics::Verdict;
use maud::{Markup, html};

/// The word for a verdict, marked by colour and sign as well.
pub(super) fn chip(verdict: Option<Verdict>) -> Markup {
    let (class, sign, word) = match verdict {
        Some(verdict @ Verdict::Supported) => ("supported", "✓", verdict.name()),
        Some(verdict @ Verdict::Refuted) => ("refuted", "✗", verdict.name()),
        Some(verdict @ Verdict::Inconclusive) => ("inconclusive", "?", verdict.name()),
        None => ("untested", "–", "not tested"),
    };
    html! { span.verdict.(class) { (sign) "\u{a0}" (word) } }
}
