//! The page of the opening study: an abstract, then one table of all claims and their findings, which is a forest plot as
//! well: each effect with its interval, measured from the threshold of its claim.

use std::collections::BTreeSet;

use chase_report::board::board;
use chase_report::chart::Strip;
use chase_report::number::{self, NONE};
use chase_report::page::{BREAK, document};
use chase_statistics::{Interval, Verdict};
use chase_training::replay::shard::folder_generation;
use chase_training::store::run_dir::Meta;
use maud::{Markup, PreEscaped, display, html};

use crate::claim;
use crate::{
    AgentProvenance, AgentVariation, Basis, ClaimResult, ClaimedSide, Effect, Finding, Role, StudyProvenance,
    StudyReport,
};

const TITLE: &str = "Chase: the opening study";

/// The axis reaches no further than this, in percentage points.
const MOST: f64 = 40.0;

/// The page, as HTML.
pub fn page(report: &StudyReport) -> String {
    let body = html! {
        h1 { (TITLE) }
        p.facts { (facts(&report.provenance.program)) }
        section { h2 { "Abstract" } (abstract_of(report)) }
        details.note {
            summary { "How to read this" }
            ul {
                (PreEscaped(include_str!("reading.html")))
                @for item in caveats(report) { li { (item) } }
            }
        }
        section #verdicts { h2 { "Claims and findings" } (table(report)) }
        section #provenance { h2 { "Provenance" } (provenance(report)) }
    };
    document(TITLE, [body])
}

/// `2026-11-22 10:52 UTC · version 0.1.0 · commit 19ae9d73a6 · rules 1 · seed 15`.
fn facts(program: &Meta) -> String {
    let commit = program.git_hash.as_ref().map(|hash| {
        let short: String = hash.chars().take(10).collect();
        let dirty = match program.git_dirty {
            Some(true) => " with local changes",
            _ => "",
        };
        format!("commit {short}{dirty}")
    });
    let facts = [
        Some(number::moment(program.started)),
        Some(format!("version {}", program.program_version)),
        commit,
        Some(format!("rules {}", program.rules_version)),
        Some(format!("seed {}", program.seed)),
    ];
    facts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// The question, the evidence, and the claims by verdict.
fn abstract_of(report: &StudyReport) -> Markup {
    let agents = report.provenance.agents.iter().filter(|agent| agent.decides);
    let agents: Vec<String> = agents.map(|agent| short_name(&agent.name)).collect();
    let evidence = match &agents[..] {
        [] => "They are put to the rules alone: no agent has played for this report.".to_owned(),
        _ => format!("They are put to the rules, and to these agents: {}.", agents.join(", ")),
    };
    let verdicts = [
        Some(Verdict::Supported),
        Some(Verdict::Refuted),
        Some(Verdict::Inconclusive),
        None,
    ];
    let of = |verdict| -> Vec<&ClaimResult> {
        let claims = report.claims.iter();
        claims.filter(|claim| claim.verdict == verdict).collect()
    };
    html! {
        p.lead {
            "Rodeffer and Neto's article on Chase (Abstract Games 9) makes " (report.claims.len())
            " claims about first moves, dice and the endgame. " (evidence)
        }
        ul.plain {
            @for (verdict, claims) in verdicts.map(|verdict| (verdict, of(verdict))) {
                @if !claims.is_empty() {
                    li {
                        (chip(verdict)) " " (claims.len()) ": "
                        @for (place, claim) in claims.iter().enumerate() {
                            @if place > 0 { ", " }
                            a href={ "#" (display(claim.id)) } title=(claim.statement) { (display(claim.id)) }
                        }
                    }
                }
            }
        }
        @if let Some(plan) = report.provenance.plan() { p { (plan) } }
    }
}

/// Limits of the findings of this report.
fn caveats(report: &StudyReport) -> Vec<String> {
    let agents = &report.provenance.agents;
    let deciding: Vec<&AgentProvenance> = agents.iter().filter(|agent| agent.decides).collect();
    let runs: BTreeSet<&str> = deciding.iter().filter_map(|agent| agent.run.as_deref()).collect();
    let mut items = vec![match (deciding.len(), runs.len()) {
        (0, _) => "No agent has played or searched for this report: claims that need games are not tested.".to_owned(),
        (1, _) => {
            "Empirical findings hold as far as this one agent plays well. One training run is one opinion.".to_owned()
        }
        (several, runs) => format!(
            "Empirical findings hold as far as these {several} agents play well (of {runs} training runs). Verdicts are \
             on the mean of agents trained alike, of which these are a sample."
        ),
    }];
    if runs.len() < deciding.len() && !runs.is_empty() {
        items.push(
            "Some of these agents come from one training run, or have no network. They were not trained independently, and \
             differ less than agents that were."
                .to_owned(),
        );
    }
    if let [.., last] = report.provenance.raised[..] {
        items.push(format!(
            "The study was enlarged after its verdicts had been seen, to at most {last} games per series. The error of each \
             verdict is halved for each further look, unless its interval holds at any time. Forks stay the same."
        ));
    }
    items
}

/// A verdict as a word, marked by colour and sign as well.
fn chip(verdict: Option<Verdict>) -> Markup {
    let (class, sign, word) = match verdict {
        Some(verdict @ Verdict::Supported) => ("supported", "✓", verdict.name()),
        Some(verdict @ Verdict::Refuted) => ("refuted", "✗", verdict.name()),
        Some(verdict @ Verdict::Inconclusive) => ("inconclusive", "?", verdict.name()),
        None => ("untested", "–", "not tested"),
    };
    html! { span.verdict.(class) { (sign) "\u{a0}" (word) } }
}

/// The table: under each claim its findings, deciding ones first.
fn table(report: &StudyReport) -> Markup {
    let findings = report.claims.iter().flat_map(|claim| &claim.findings);
    let plotted = findings.filter_map(from_threshold);
    let ends = plotted.flat_map(|(value, interval)| [Some(value), interval.low, interval.high]);
    let strip = Strip::of(ends.flatten(), MOST);
    html! {
        div.scroll.words.verdicts {
            table {
                thead {
                    tr {
                        th scope="col" { "claim" }
                        th scope="col" { "verdict" }
                        th scope="col" { "what it says" }
                        th scope="col" { "against ← threshold → for the claim" (BREAK) (strip.axis()) }
                        th scope="col" { "effect" }
                    }
                }
                @for group in claim::groups() {
                    tbody {
                        tr { td { (group.letter) } td {} td { b { (group.heading) } } td {} td {} }
                        @for claim in report.claims.iter().filter(|claim| group.claims.iter().any(|of| of.id == claim.id)) {
                            tr #(display(claim.id)) {
                                td { a href={ "#" (display(claim.id)) } { (display(claim.id)) } }
                                td { (chip(claim.verdict)) }
                                td {
                                    b { (claim.statement) }
                                    @if !claim.remarks.is_empty() { (BREAK) small { (claim.remarks.join(" · ")) } }
                                }
                                td {}
                                td {}
                            }
                            @for finding in &claim.findings { (row(finding, strip)) }
                        }
                    }
                }
            }
        }
    }
}

fn row(finding: &Finding, strip: Strip) -> Markup {
    let role = match finding.role {
        Role::Deciding => finding.basis.name().to_owned(),
        Role::Context => format!("{}, context", finding.basis.name()),
    };
    let part = match &finding.agent {
        Some(agent) => finding.part.replace(agent, &short_name(agent)),
        None => finding.part.clone(),
    };
    let colour = match finding.verdict {
        Verdict::Supported => "supported",
        Verdict::Refuted => "refuted",
        Verdict::Inconclusive => "inconclusive",
    };
    html! {
        tr {
            td {}
            td { (chip(Some(finding.verdict))) }
            td {
                details {
                    summary { (part) " " small.soft { (role) } }
                    p { (finding.summary) }
                    @if let Some((effect, agents)) = finding.effect.as_ref().zip(finding.agents.as_ref()) {
                        p.facts.wide { "Agents: " (variation(effect, agents)) }
                    }
                    @if !finding.test.is_empty() { p.facts.wide { "Test: " (finding.test) } }
                    div.cards.small { @for shown in &finding.boards { (board(shown)) } }
                }
            }
            td {
                @if let Some((value, interval)) = from_threshold(finding) {
                    (strip.row(value, interval, colour, &format!("{part}: {} from the threshold", number::difference(value, 1))))
                } @else if finding.basis == Basis::Exact {
                    small.soft { "by the rules alone" }
                }
            }
            td {
                @if let Some(effect) = &finding.effect { b { (figures(effect)) } (BREAK) }
                @if finding.n > 0 { small { "n = " (number::count(finding.n)) " " (finding.n_unit) } }
            }
        }
    }
}

/// An effect measured from its threshold, in percentage points or hundredths of a die, positive on the side of the claim.
/// `None` for effects without an interval or threshold, and for those in other units.
fn from_threshold(finding: &Finding) -> Option<(f64, Interval)> {
    let (effect, stated) = finding.effect.as_ref().zip(finding.statement)?;
    if !effect.unit.is_percentage() && effect.unit.name() != "dice" {
        return None;
    }
    let below = stated.claimed == ClaimedSide::Below;
    let sign = if below { -100.0 } else { 100.0 };
    let place = |value: f64| sign * (value - stated.threshold);
    let interval = effect.interval?;
    let [low, high] = [interval.low.map(place), interval.high.map(place)];
    let [low, high] = if below { [high, low] } else { [low, high] };
    Some((place(effect.value), Interval { low, high }))
}

/// The number and its interval.
fn figures(effect: &Effect) -> String {
    let unit = match effect.is_in_points() {
        true => "\u{a0}points".to_owned(),
        false if effect.unit.is_percentage() => String::new(),
        false => format!("\u{a0}{}", effect.unit),
    };
    let interval = effect.interval.as_ref();
    let interval = interval.map(|interval| format!(" {}", number::interval(interval, |end| effect.figure(end))));
    format!("{}{unit}{}", effect.figure(effect.value), interval.unwrap_or_default())
}

/// The number of each agent, and the variation between them that is not due to games.
fn variation(effect: &Effect, agents: &AgentVariation) -> String {
    let of_agent = agents.by_agent.iter().map(|agent| {
        let value = agent.value.map_or(NONE.to_owned(), |value| effect.figure(value));
        format!("{} {value}", short_name(&agent.agent))
    });
    let apart = agents.apart.as_ref().map(|apart| {
        let [tau, mean] = [apart.tau, apart.mean].map(|value| effect.figure(value));
        let [of_tau, of_mean] = [&apart.tau_interval, &apart.mean_interval]
            .map(|interval| number::interval(interval, |end| effect.figure(end)));
        format!("; between agents τ = {tau} {of_tau}, agents trained alike {mean} {of_mean}, both at 95 %")
    });
    of_agent.collect::<Vec<_>>().join(", ") + &apart.unwrap_or_default()
}

/// `agent-41` in place of `net:runs/agent-41/checkpoints/gen-000447,simulations=32`; other players by their text.
fn short_name(name: &str) -> String {
    let Some(network) = name.strip_prefix("net:").or_else(|| name.strip_prefix("nnue:")) else {
        return name.to_owned();
    };
    let (path, options) = network.split_once(',').unwrap_or((network, ""));
    let is_run = |part: &&str| *part != "checkpoints" && folder_generation(part).is_none();
    let run = path.rsplit('/').find(is_run).unwrap_or(path);
    let searched = options.split(',').find(|option| {
        let key = option.split_once('=').map(|(key, _)| key);
        matches!(key, Some("simulations" | "nodes"))
    });
    searched.map_or(run.to_owned(), |option| format!("{run}, {}", option.replace('=', " ")))
}

/// Everything needed to repeat the study.
fn provenance(report: &StudyReport) -> Markup {
    let agents = &report.provenance.agents;
    let config = serde_json::to_string_pretty(&report.provenance.config).expect("settings are plain data");
    html! {
        @for agent in agents {
            p.facts {
                b { (short_name(&agent.name)) } ": " code { (agent.player) }
                @if let Some(hash) = &agent.checkpoint_hash { " · weights " (hash.chars().take(16).collect::<String>()) }
                @if let Some(elo) = agent.elo { " · " (number::elo(elo)) " Elo above its run's first opponent" }
                @if !agent.decides { " · plays from the initial position only" }
            }
        }
        p { span { "Command: " code { (StudyProvenance::command(&report.provenance.program)) } } }
        @if config != "null" { details { summary { "Configuration" } pre { (config) } } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ClaimId, Statement};

    fn finding(unit: &str, claimed: ClaimedSide, threshold: f64) -> Finding {
        let effect = Effect {
            name: "score".to_owned(),
            unit: serde_json::from_value(unit.into()).expect("a name"),
            difference: true,
            value: -0.05,
            interval: Some(Interval {
                low: Some(-0.08),
                high: Some(0.01),
            }),
            level: Some(0.95),
            error: None,
        };
        Finding {
            effect: Some(effect),
            statement: Some(Statement { claimed, threshold }),
            ..Finding::new(ClaimId::new('C', 1), "part", Basis::Empirical, Verdict::Inconclusive)
        }
    }

    #[test]
    fn effects_are_measured_from_the_threshold_towards_the_claim() {
        let ends = |claimed, threshold| {
            let (value, interval) = from_threshold(&finding("score", claimed, threshold))?;
            Some([interval.low?, value, interval.high?].map(|end| (10.0 * end).round() / 10.0))
        };
        assert_eq!(ends(ClaimedSide::Above, 0.02), Some([-10.0, -7.0, -1.0]));
        // "Less than −2 points": what lies below is for it.
        assert_eq!(ends(ClaimedSide::Below, -0.02), Some([-3.0, 3.0, 6.0]));
        assert!(from_threshold(&finding("plies", ClaimedSide::Above, 0.0)).is_none());
    }
}
