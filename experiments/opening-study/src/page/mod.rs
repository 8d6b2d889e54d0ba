//! The page of the opening study, as a paper: abstract, verdicts with their effects, then the evidence on each claim,
//! folded.

mod agent_names;
mod balance;
mod evidence;
mod verdict_chip;
mod verdict_table;

use std::collections::BTreeSet;

use crate::claim;
use crate::claims::method::dice::points;
use crate::claims::{ForkEstimate, ForkSummary};
use crate::{AgentProvenance, ClaimResult, StudyProvenance, StudyReport};
use chase_report::markup::{Element, Node, element};
use chase_report::number::{self, NONE};
use chase_report::page::{document, paragraph, section, table};
use chase_statistics::Verdict;
use chase_training::store::run_dir::Meta;

use verdict_chip::chip;

const TITLE: &str = "Chase: the opening study";

/// The page, as HTML.
pub fn page(report: &StudyReport) -> String {
    let report = &agent_names::shortened(report);
    let mut sections = vec![(
        "verdicts".to_owned(),
        "Verdicts",
        verdict_table::verdict_table(report).into(),
    )];
    for group in claim::groups() {
        let is_in = |result: &&ClaimResult| group.claims.iter().any(|claim| claim.id == result.id);
        let claims: Vec<Element> = report.claims.iter().filter(is_in).map(evidence::claim).collect();
        sections.push((format!("evidence-{}", group.letter), &group.heading, claims));
    }
    let others = [
        ("balance", "Balance", balance::section(report.balance.as_ref())),
        ("forks", "Forks", forks(&report.forks)),
        ("method", "Method and limits", method(report)),
        ("provenance", "Provenance", provenance(report)),
    ];
    let others = others.into_iter().filter(|(_, _, content)| !content.is_empty());
    sections.extend(others.map(|(id, heading, content)| (id.to_owned(), heading, content)));
    let mut body = headline(report);
    let contents = sections.iter().map(|(id, heading, _)| {
        let link = element("a").attr("href", format!("#{id}")).with(*heading);
        element("li").with(link)
    });
    let contents = element("ul").with_all(contents);
    body.push(element("nav").attr("aria-label", "Contents").with(contents));
    let sections = sections.into_iter();
    body.extend(sections.map(|(id, heading, content)| section(heading, content).attr("id", id)));
    document(TITLE, body)
}

fn headline(report: &StudyReport) -> Vec<Element> {
    let mut headline = vec![element("h1").with(TITLE), paragraph(facts(report)).class("facts")];
    headline.push(section("Abstract", abstract_of(report)));
    headline.push(caveats(report));
    headline
}

/// `2026-11-22 10:52 UTC · version 0.1.0 · commit 19ae9d73a6 · rules 1 · seed 15`.
fn facts(report: &StudyReport) -> String {
    let program = &report.provenance.program;
    let facts = [
        Some(number::moment(program.started)),
        Some(format!("version {}", program.program_version)),
        commit(program),
        Some(format!("rules {}", program.rules_version)),
        Some(format!("seed {}", program.seed)),
    ];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    facts.join(" · ")
}

fn commit(program: &Meta) -> Option<String> {
    let short: String = program.git_hash.as_ref()?.chars().take(10).collect();
    let dirty = match program.git_dirty {
        Some(true) => " with local changes",
        _ => "",
    };
    Some(format!("commit {short}{dirty}"))
}

/// The question, the evidence, and the claims by verdict.
fn abstract_of(report: &StudyReport) -> Vec<Element> {
    let names = agent_names::short_names(&report.provenance.agents);
    let agents = names.iter().zip(&report.provenance.agents);
    let agents: Vec<&str> = agents
        .filter(|(_, agent)| agent.decides)
        .map(|(name, _)| name.as_str())
        .collect();
    let evidence = match agents[..] {
        [] => "They are put to the rules alone: no agent has played for this report.".to_owned(),
        [agent] => format!("They are put to the rules, and to the games and searches of one trained agent, {agent}."),
        _ => format!(
            "They are put to the rules, and to the games and searches of {} agents: {}.",
            agents.len(),
            agents.join(", ")
        ),
    };
    let question = format!(
        "Rodeffer and Neto's article on Chase (Abstract Games 9) makes {} claims about first moves, dice and the endgame. {evidence}",
        report.claims.len()
    );
    let mut content = vec![paragraph(question).class("lead")];
    let verdicts = [
        Some(Verdict::Supported),
        Some(Verdict::Refuted),
        Some(Verdict::Inconclusive),
        None,
    ];
    let rows = verdicts.into_iter().filter_map(|verdict| {
        let claims: Vec<&ClaimResult> = report.claims.iter().filter(|claim| claim.verdict == verdict).collect();
        let mut row = element("li").with(chip(verdict)).with(format!(" {}: ", claims.len()));
        for (place, claim) in claims.iter().enumerate() {
            let link = element("a")
                .attr("href", format!("#{}", claim.id))
                .attr("title", &claim.statement)
                .with(claim.id.to_string());
            row = row.with(if place == 0 { "" } else { ", " }).with(link);
        }
        (!claims.is_empty()).then_some(row)
    });
    content.push(element("ul").class("plain").with_all(rows));
    content.extend(report.provenance.plan().map(paragraph));
    content
}

fn caveats(report: &StudyReport) -> Element {
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
             on the mean of agents trained alike, of which these are a sample. The evidence shows how much they differ."
        ),
    }];
    if runs.len() < deciding.len() && !runs.is_empty() {
        items.push(
            "Some of these agents come from one training run, or have no network. They were not trained independently, and \
             differ less than agents that were."
                .to_owned(),
        );
    }
    if agents.len() > deciding.len() {
        items.push(format!(
            "{} more agents play from the initial position only, to show the first move's advantage by strength.",
            agents.len() - deciding.len()
        ));
    }
    if let [.., last] = report.provenance.raised[..] {
        items.push(format!(
            "The study was enlarged after its verdicts had been seen, to at most {last} games per series. The error of each \
             verdict is halved for each further look. Forks stay the same."
        ));
    }
    let items = items.into_iter().map(|item| element("li").with(item));
    let list = element("ul")
        .with(Node::Raw(include_str!("reading.html").into()))
        .with_all(items);
    let summary = element("summary").with("How to read this");
    element("details").class("note").with(summary).with(list)
}

/// The results of forks by kind; nothing without forks.
fn forks(forks: &[ForkSummary]) -> Vec<Element> {
    let estimate = |of: &Option<ForkEstimate>| of.map_or(NONE.to_owned(), |of| points(of.value, of.interval));
    let rows = forks.iter().map(|of_kind| -> Vec<Node> {
        let played = of_kind.went_by_action as f64 / of_kind.forks.max(1) as f64;
        vec![
            of_kind.about.as_str().into(),
            number::count(of_kind.forks).into(),
            estimate(&of_kind.difference).into(),
            estimate(&of_kind.over_control).into(),
            number::percent(played).into(),
        ]
    });
    let headings = [
        "kind",
        "forks",
        "against the best other action",
        "against the control",
        "games that played the action",
    ];
    if forks.iter().all(|of_kind| of_kind.difference.is_none()) {
        return Vec::new();
    }
    let note = element("div").with(Node::Raw(include_str!("forks.html").into()));
    vec![note, table(&headings, rows).class("scroll numbers")]
}

fn method(report: &StudyReport) -> Vec<Element> {
    let mut text = vec![element("div").with(Node::Raw(include_str!("method.html").into()))];
    if report.provenance.agents.is_empty() {
        text.push(paragraph(
            "This report has exact findings only. Given a checkpoint, the study also plays and searches.",
        ));
    }
    text
}

fn provenance(report: &StudyReport) -> Vec<Element> {
    let mut content = Vec::new();
    let agents = &report.provenance.agents;
    if !agents.is_empty() {
        let names = agent_names::short_names(agents);
        let rows = names.iter().zip(agents).map(|(name, agent)| -> Vec<Node> {
            let hash = agent.checkpoint_hash.as_deref().unwrap_or(NONE);
            vec![
                name.as_str().into(),
                agent.player.as_str().into(),
                hash.chars().take(16).collect::<String>().into(),
                agent.elo.map_or(NONE.to_owned(), number::elo).into(),
                if agent.decides {
                    "all openings"
                } else {
                    "the initial position"
                }
                .into(),
            ]
        });
        let headings = [
            "agent",
            "player",
            "SHA-256 of its weights",
            "Elo above its run's first opponent",
            "plays",
        ];
        let table = table(&headings, rows).class("scroll words");
        let summary = element("summary").with("Agents");
        content.push(element("details").with(summary).with(table));
    }
    let command = StudyProvenance::command(&report.provenance.program);
    content.push(paragraph(
        element("span").with("Command: ").with(element("code").with(command)),
    ));
    let config = serde_json::to_string_pretty(&report.provenance.config).unwrap_or_default();
    if config != "null" {
        content.push(
            element("details")
                .with(element("summary").with("Configuration"))
                .with(element("pre").with(config)),
        );
    }
    content
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::forks::ForkKind;

    #[test]
    fn what_a_fork_is_is_folded_above_its_table() {
        let estimate = ForkEstimate {
            value: -0.119,
            error: 0.03,
            interval: None,
            level: 0.994,
            forks: 768,
            blocks: 96,
        };
        let summary = ForkSummary {
            kind: ForkKind::FirstEntry,
            about: "first entry".to_owned(),
            forks: 768,
            went_by_action: 200,
            went_by_rival: 100,
            difference: Some(estimate),
            over_control: None,
        };
        let shown: Vec<String> = forks(&[summary]).iter().map(ToString::to_string).collect();
        // On a phone the note is taller than the table.
        assert!(
            shown[0].starts_with("<div><details class=\"note\"><summary>"),
            "{}",
            shown[0]
        );
        assert!(
            shown[1].contains("first entry") && shown[1].contains("−11.9"),
            "{}",
            shown[1]
        );
        assert!(forks(&[]).is_empty());
    }
}
