//! The evidence on each claim, folded: its findings with their numbers, tests and exhibits.

use std::collections::BTreeSet;

use chase_report::drawing::{exhibit, is_wide};
use chase_report::number;
use chase_statistics::Interval;
use maud::{Markup, display, html};

use super::verdict_chip::chip;
use crate::{AgentVariation, ClaimResult, Effect, Finding, Role};

/// A claim that opens on its evidence.
pub(super) fn claim(claim: &ClaimResult) -> Markup {
    let needs: Vec<&str> = claim.needs.iter().map(|basis| basis.name()).collect();
    let (deciding, context): (Vec<_>, Vec<_>) = claim
        .findings
        .iter()
        .partition(|finding| finding.role == Role::Deciding);
    let commands: BTreeSet<&str> = claim.findings.iter().map(|finding| finding.command.as_str()).collect();
    html! {
        details.claim {
            summary { b { (display(claim.id)) } " " (chip(claim.verdict)) " " (claim.statement) }
            // A link to what is inside opens it.
            article #(display(claim.id)) {
                @if !claim.remarks.is_empty() { p.soft { (claim.remarks.join(" · ")) } }
                @if claim.findings.is_empty() {
                    p.soft { "Not tested in this report: it needs " (needs.join(" and ")) " evidence." }
                }
                @for of_claim in deciding { (finding(of_claim)) }
                @if !context.is_empty() {
                    details {
                        summary { "Context: " (context.len()) " more, which do not count for the verdict" }
                        @for of_claim in context { (finding(of_claim)) }
                    }
                }
                @for command in commands.into_iter().filter(|command| !command.is_empty()) {
                    p.facts { span { "Reproduce with: " code { (command) } } }
                }
            }
        }
    }
}

fn finding(finding: &Finding) -> Markup {
    let role = match finding.role {
        Role::Deciding => finding.basis.name().to_owned(),
        Role::Context => format!("{}, context", finding.basis.name()),
    };
    let mut facts = Vec::new();
    facts.extend(finding.effect.as_ref().map(ToString::to_string));
    if finding.n > 0 {
        facts.push(format!("n = {} {}", number::count(finding.n), finding.n_unit));
    }
    facts.extend(finding.agent.as_ref().map(|agent| format!("agent {agent}")));
    let differ = finding.effect.as_ref().zip(finding.agents.as_ref());
    let differ = differ.and_then(|(effect, agents)| variation(effect, agents));
    let (wide, narrow): (Vec<_>, Vec<_>) = finding.exhibits.iter().partition(|shown| is_wide(shown));
    html! {
        div.finding {
            h4 { (finding.part) " " (chip(Some(finding.verdict))) " " small { (role) } }
            p { (finding.summary) }
            @if !facts.is_empty() { p.facts { (facts.join(" · ")) } }
            @if let Some(differ) = differ { p.facts.wide { "Agents: " (differ) } }
            @if !finding.test.is_empty() { p.facts.wide { "Test: " (finding.test) } }
            @if !narrow.is_empty() { div.cards.small { @for shown in narrow { (exhibit(shown)) } } }
            @for shown in wide { (exhibit(shown)) }
        }
    }
}

/// The variation between agents, and the part of it that is not due to games.
fn variation(effect: &Effect, agents: &AgentVariation) -> Option<String> {
    let write = |value: f64| effect.unit.figure(value);
    let spread = format!(
        "{} agents: {} to {}, standard deviation {}",
        agents.by_agent.len(),
        write(agents.least?),
        write(agents.greatest?),
        write(agents.deviation?)
    );
    let Some(apart) = &agents.apart else {
        return Some(spread);
    };
    let range = |interval: &Interval| number::interval(interval, write);
    Some(format!(
        "{spread}, of which games alone make {}; between agents τ = {} {} at 95 %, I² = {}, Q = {} (p {}); agents trained alike \
         {} {} at 95 %",
        write(apart.games),
        write(apart.tau),
        range(&apart.tau_interval),
        number::percent(apart.i_squared),
        number::figure(apart.q),
        match apart.p_value {
            p if p < 0.001 => "< 0.001".to_owned(),
            p => format!("= {p:.3}"),
        },
        write(apart.mean),
        range(&apart.mean_interval)
    ))
}
