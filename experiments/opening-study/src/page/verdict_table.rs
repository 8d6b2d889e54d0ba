//! The table of all claims with their verdicts, which is a forest plot as well: each effect with its interval, measured
//! from the threshold of its claim.

use chase_report::chart::Strip;
use chase_report::number;
use chase_report::page::{BREAK, table_of};
use chase_statistics::{Interval, Verdict};
use maud::{Markup, Render, html};

use super::verdict_chip::chip;
use crate::{Basis, ClaimResult, ClaimedSide, Effect, EffectUnit, Finding, Role, StudyReport};

/// The axis reaches no further than this, in percentage points.
const MOST: f64 = 40.0;

/// An effect measured from its threshold, in percentage points or hundredths of a die, positive on the side of the
/// claim.
struct FromThreshold {
    value: f64,
    interval: Interval,
}

/// The finding that the table shows for a claim: a deciding one, preferably with the claim's verdict, then with a
/// number, then empirical.
fn leading(claim: &ClaimResult) -> Option<&Finding> {
    let deciding = claim.findings.iter().filter(|finding| finding.role == Role::Deciding);
    deciding.min_by_key(|finding| {
        (
            Some(finding.verdict) != claim.verdict,
            finding.effect.is_none(),
            finding.basis != Basis::Empirical,
        )
    })
}

/// `None` for effects without an interval or threshold, and for those in other units.
fn from_threshold(finding: &Finding) -> Option<FromThreshold> {
    let effect = finding.effect.as_ref()?;
    if !effect.unit.is_percentage() && effect.unit != EffectUnit::Dice {
        return None;
    }
    let evidence = finding.test_evidence();
    let threshold = evidence.threshold?;
    let interval = effect.interval?;
    let below = evidence.claimed == Some(ClaimedSide::Below);
    let sign = if below { -100.0 } else { 100.0 };
    let place = |value: f64| sign * (value - threshold);
    let [low, high] = [interval.low.map(place), interval.high.map(place)];
    Some(FromThreshold {
        value: place(effect.value),
        interval: if below {
            Interval { low: high, high: low }
        } else {
            Interval { low, high }
        },
    })
}

/// The number and its interval; a difference of scores or shares in percentage points.
fn figures(finding: &Finding, effect: &Effect) -> String {
    let points = effect.unit.is_percentage() && finding.test_evidence().is_difference();
    let write = |value: f64| match points {
        true => number::difference(100.0 * value, 1),
        false => effect.unit.figure(value),
    };
    let unit = match points {
        true => "\u{a0}points".to_owned(),
        false if effect.unit.is_percentage() => String::new(),
        false => format!("\u{a0}{}", unit_of(effect)),
    };
    let interval = effect.interval.as_ref();
    let interval = interval.map(|interval| format!(" {}", number::interval(interval, write)));
    format!("{}{unit}{}", write(effect.value), interval.unwrap_or_default())
}

/// The unit of an effect, in the singular for one.
fn unit_of(effect: &Effect) -> &'static str {
    let name = effect.unit.name();
    match (effect.value.abs() == 1.0, effect.unit) {
        (true, EffectUnit::Dice) => "die",
        (true, EffectUnit::Plies) => "ply",
        (true, _) => name.strip_suffix('s').unwrap_or(name),
        (false, _) => name,
    }
}

/// The number of a finding, with what it counts; or the part of the claim, where a finding is not one number.
fn effect(finding: &Finding) -> Markup {
    let sample = match finding.n {
        0 => String::new(),
        n => format!(" (n = {} {})", number::count(n), finding.n_unit),
    };
    match &finding.effect {
        None => html! { span { small { (finding.part) (sample) } } },
        Some(effect) => html! {
            span { b { (figures(finding, effect)) } (BREAK) small { (effect.name) (sample) } }
        },
    }
}

/// The colour of a verdict in the plot, which the sign and word in the table repeat.
const fn colour(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Supported) => "supported",
        Some(Verdict::Refuted) => "refuted",
        Some(Verdict::Inconclusive) | None => "inconclusive",
    }
}

/// The table, with its reading instructions.
pub(super) fn verdict_table(report: &StudyReport) -> Markup {
    let shown: Vec<_> = report
        .claims
        .iter()
        .map(|claim| {
            let leading = leading(claim);
            (claim, leading, leading.and_then(from_threshold))
        })
        .collect();
    let plotted = shown.iter().filter_map(|(_, _, plotted)| plotted.as_ref());
    let ends = plotted.flat_map(|shown| [Some(shown.value), shown.interval.low, shown.interval.high]);
    let strip = Strip::of(ends.flatten(), MOST);
    let axis: Vec<Markup> = vec![
        "".render(),
        "".render(),
        html! { span.soft { "against ← threshold → for the claim" } },
        strip.axis(),
        "".render(),
    ];
    let rows = shown.iter().map(|(claim, leading, plotted)| -> Vec<Markup> {
        let id = claim.id.to_string();
        let link = html! { a href={ "#" (id) } { (id) } };
        let statement = html! {
            span {
                (claim.statement)
                @if !claim.remarks.is_empty() { (BREAK) small { (claim.remarks.join(" · ")) } }
            }
        };
        let plot = match (plotted, leading) {
            (Some(shown), _) => {
                let title = format!("{id}: {} from the threshold", number::difference(shown.value, 1));
                strip.row(shown.value, shown.interval, colour(claim.verdict), &title)
            }
            (None, Some(finding)) if finding.basis == Basis::Exact => {
                html! { small.soft { "exact: by the rules alone" } }
            }
            _ => "".render(),
        };
        let effect = leading.map_or_else(Markup::default, effect);
        vec![link, chip(claim.verdict), statement, plot, effect]
    });
    let headings = [
        "claim",
        "verdict",
        "what it says",
        "effect from the threshold",
        "effect",
    ];
    let note = "For each claim, the finding that decides it. A claim states that an effect lies beyond a threshold that was set \
                before. The plot shows the effect and its interval from that threshold, in percentage points (or hundredths of a \
                die): supported if the interval lies right of the line, refuted if it lies left of it. The number is the effect \
                itself. The evidence below has all parts of a claim, the levels of intervals, and how much the agents differ.";
    let rows = std::iter::once(axis).chain(rows);
    html! {
        (table_of("words verdicts", &headings, rows))
        p.soft.wide { (note) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ClaimId;
    use serde_json::json;

    fn finding(unit: EffectUnit, evidence: serde_json::Value) -> Finding {
        let effect = Effect {
            interval: Some(Interval {
                low: Some(-0.08),
                high: Some(0.01),
            }),
            ..Effect::exact("score", unit, -0.05)
        };
        Finding {
            effect: Some(effect),
            evidence,
            ..Finding::new(ClaimId::C1, "part", Basis::Empirical, Verdict::Inconclusive, "")
        }
    }

    #[test]
    fn effects_are_measured_from_the_threshold_towards_the_claim() {
        let ends = |evidence| {
            let shown = from_threshold(&finding(EffectUnit::Score, evidence))?;
            let ends = [shown.interval.low?, shown.value, shown.interval.high?];
            Some(ends.map(|end| (10.0 * end).round() / 10.0))
        };
        assert_eq!(ends(json!({ "threshold": 0.02 })), Some([-10.0, -7.0, -1.0]));
        // "Less than −2 points": what lies below is for it.
        assert_eq!(
            ends(json!({ "threshold": -0.02, "claimed": "below" })),
            Some([-3.0, 3.0, 6.0])
        );
        assert_eq!(ends(json!({})), None);
        assert!(from_threshold(&finding(EffectUnit::Plies, json!({ "threshold": 0.0 }))).is_none());
    }

    #[test]
    fn differences_are_in_points_and_scores_in_per_cent() {
        let text = |evidence| {
            let finding = finding(EffectUnit::Score, evidence);
            finding
                .effect
                .as_ref()
                .map(|effect| figures(&finding, effect))
                .unwrap_or_default()
        };
        assert_eq!(text(json!({ "against": ["0/free"] })), "−5.0\u{a0}points [−8.0, +1.0]");
        assert!(text(json!({ "against": [] })).starts_with("−5.0\u{202f}% [−8.0"));
    }
}
