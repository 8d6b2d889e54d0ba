//! The evidence on each claim, folded: its findings with their numbers, tests and exhibits.

use std::collections::BTreeSet;

use chase_report::drawing::{exhibit, is_wide};
use chase_report::markup::{Element, element};
use chase_report::number;
use chase_report::page::{cards, paragraph};
use chase_statistics::Interval;

use super::verdict_chip::chip;
use crate::{AgentVariation, ClaimResult, Effect, Finding, Role};

/// A claim that opens on its evidence.
pub(super) fn claim(claim: &ClaimResult) -> Element {
    let summary = element("summary")
        .with(element("b").with(claim.id.to_string()))
        .with(" ")
        .with(chip(claim.verdict))
        .with(" ")
        .with(claim.statement.as_str());
    // A link to what is inside opens it.
    let mut article = element("article").attr("id", claim.id);
    if !claim.remarks.is_empty() {
        article = article.with(paragraph(claim.remarks.join(" · ")).class("soft"));
    }
    if claim.findings.is_empty() {
        let needs: Vec<&str> = claim.needs.iter().map(|basis| basis.name()).collect();
        let text = format!("Not tested in this report: it needs {} evidence.", needs.join(" and "));
        article = article.with(paragraph(text).class("soft"));
    }
    let (deciding, context): (Vec<_>, Vec<_>) = claim
        .findings
        .iter()
        .partition(|finding| finding.role == Role::Deciding);
    article = article.with_all(deciding.into_iter().map(finding));
    if !context.is_empty() {
        let heading = format!("Context: {} more, which do not count for the verdict", context.len());
        let folded = element("details")
            .with(element("summary").with(heading))
            .with_all(context.into_iter().map(finding));
        article = article.with(folded);
    }
    let commands: BTreeSet<&str> = claim.findings.iter().map(|finding| finding.command.as_str()).collect();
    let commands = commands.into_iter().filter(|command| !command.is_empty());
    let article = article.with_all(commands.map(|command| {
        let code = element("code").with(command);
        paragraph(element("span").with("Reproduce with: ").with(code)).class("facts")
    }));
    element("details").class("claim").with(summary).with(article)
}

fn finding(finding: &Finding) -> Element {
    let role = match finding.role {
        Role::Deciding => finding.basis.name().to_owned(),
        Role::Context => format!("{}, context", finding.basis.name()),
    };
    let heading = element("h4")
        .with(finding.part.as_str())
        .with(" ")
        .with(chip(Some(finding.verdict)))
        .with(" ")
        .with(element("small").with(role));
    let mut facts = Vec::new();
    facts.extend(finding.effect.as_ref().map(ToString::to_string));
    if finding.n > 0 {
        facts.push(format!("n = {} {}", number::count(finding.n), finding.n_unit));
    }
    facts.extend(finding.agent.as_ref().map(|agent| format!("agent {agent}")));
    let mut block = element("div")
        .class("finding")
        .with(heading)
        .with(paragraph(finding.summary.as_str()));
    if !facts.is_empty() {
        block = block.with(paragraph(facts.join(" · ")).class("facts"));
    }
    let differ = finding.effect.as_ref().zip(finding.agents.as_ref());
    if let Some(differ) = differ.and_then(|(effect, agents)| variation(effect, agents)) {
        block = block.with(paragraph(format!("Agents: {differ}")).class("facts wide"));
    }
    if !finding.test.is_empty() {
        block = block.with(paragraph(format!("Test: {}", finding.test)).class("facts wide"));
    }
    let (wide, narrow): (Vec<_>, Vec<_>) = finding.exhibits.iter().partition(|shown| is_wide(shown));
    if !narrow.is_empty() {
        block = block.with(cards(narrow.into_iter().map(exhibit)).class("cards small"));
    }
    block.with_all(wide.into_iter().map(exhibit))
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
