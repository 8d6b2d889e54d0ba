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
use chase_report::number::{self, NONE};
use chase_report::page::{document, table_of};
use chase_statistics::Verdict;
use chase_training::store::run_dir::Meta;
use maud::{Markup, PreEscaped, Render, display, html};

use verdict_chip::chip;

const TITLE: &str = "Chase: the opening study";

/// The page, as HTML.
pub fn page(report: &StudyReport) -> String {
    let report = &agent_names::shortened(report);
    let verdicts = verdict_table::verdict_table(report);
    let mut sections = vec![("verdicts".to_owned(), "Verdicts", verdicts)];
    for group in claim::groups() {
        let is_in = |result: &&ClaimResult| group.claims.iter().any(|claim| claim.id == result.id);
        let claims = html! { @for claim in report.claims.iter().filter(is_in) { (evidence::claim(claim)) } };
        sections.push((format!("evidence-{}", group.letter), &group.heading, claims));
    }
    let others = [
        ("balance", "Balance", report.balance.as_ref().map(balance::section)),
        ("forks", "Forks", forks(&report.forks)),
        ("method", "Method and limits", Some(method(report))),
        ("provenance", "Provenance", Some(provenance(report))),
    ];
    let others = others.into_iter();
    sections.extend(others.filter_map(|(id, heading, content)| Some((id.to_owned(), heading, content?))));
    let body = html! {
        h1 { (TITLE) }
        p.facts { (facts(report)) }
        section { h2 { "Abstract" } (abstract_of(report)) }
        (caveats(report))
        nav aria-label="Contents" {
            ul { @for (id, heading, _) in &sections { li { a href={ "#" (id) } { (heading) } } } }
        }
        @for (id, heading, content) in &sections { section #(id) { h2 { (heading) } (content) } }
    };
    document(TITLE, [body])
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
fn abstract_of(report: &StudyReport) -> Markup {
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
    let verdicts = [
        Some(Verdict::Supported),
        Some(Verdict::Refuted),
        Some(Verdict::Inconclusive),
        None,
    ];
    let of = |verdict: Option<Verdict>| -> Vec<&ClaimResult> {
        report.claims.iter().filter(|claim| claim.verdict == verdict).collect()
    };
    let by_verdict = verdicts.map(|verdict| (verdict, of(verdict)));
    html! {
        p.lead {
            "Rodeffer and Neto's article on Chase (Abstract Games 9) makes " (report.claims.len())
            " claims about first moves, dice and the endgame. " (evidence)
        }
        ul.plain {
            @for (verdict, claims) in by_verdict.iter().filter(|(_, claims)| !claims.is_empty()) {
                li {
                    (chip(*verdict)) " " (claims.len()) ": "
                    @for (place, claim) in claims.iter().enumerate() {
                        @if place > 0 { ", " }
                        a href={ "#" (display(claim.id)) } title=(claim.statement) { (display(claim.id)) }
                    }
                }
            }
        }
        @if let Some(plan) = report.provenance.plan() { p { (plan) } }
    }
}

fn caveats(report: &StudyReport) -> Markup {
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
    html! {
        details.note {
            summary { "How to read this" }
            ul {
                (PreEscaped(include_str!("reading.html")))
                @for item in items { li { (item) } }
            }
        }
    }
}

/// The results of forks by kind; nothing without forks.
fn forks(forks: &[ForkSummary]) -> Option<Markup> {
    let estimate = |of: &Option<ForkEstimate>| of.map_or(NONE.to_owned(), |of| points(of.value, of.interval));
    let rows = forks.iter().map(|of_kind| -> Vec<Markup> {
        let played = of_kind.went_by_action as f64 / of_kind.forks.max(1) as f64;
        vec![
            of_kind.about.as_str().render(),
            number::count(of_kind.forks).render(),
            estimate(&of_kind.difference).render(),
            estimate(&of_kind.over_control).render(),
            number::percent(played).render(),
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
        return None;
    }
    Some(html! {
        div { (PreEscaped(include_str!("forks.html"))) }
        (table_of("numbers", &headings, rows))
    })
}

fn method(report: &StudyReport) -> Markup {
    html! {
        div { (PreEscaped(include_str!("method.html"))) }
        @if report.provenance.agents.is_empty() {
            p { "This report has exact findings only. Given a checkpoint, the study also plays and searches." }
        }
    }
}

fn provenance(report: &StudyReport) -> Markup {
    let agents = &report.provenance.agents;
    let config = serde_json::to_string_pretty(&report.provenance.config).unwrap_or_default();
    html! {
        @if !agents.is_empty() { details { summary { "Agents" } (agent_table(agents)) } }
        p { span { "Command: " code { (StudyProvenance::command(&report.provenance.program)) } } }
        @if config != "null" { details { summary { "Configuration" } pre { (config) } } }
    }
}

fn agent_table(agents: &[AgentProvenance]) -> Markup {
    let names = agent_names::short_names(agents);
    let rows = names.iter().zip(agents).map(|(name, agent)| -> Vec<Markup> {
        let hash = agent.checkpoint_hash.as_deref().unwrap_or(NONE);
        let plays = match agent.decides {
            true => "all openings",
            false => "the initial position",
        };
        vec![
            name.as_str().render(),
            agent.player.as_str().render(),
            hash.chars().take(16).collect::<String>().render(),
            agent.elo.map_or(NONE.to_owned(), number::elo).render(),
            plays.render(),
        ]
    });
    let headings = [
        "agent",
        "player",
        "SHA-256 of its weights",
        "Elo above its run's first opponent",
        "plays",
    ];
    table_of("words", &headings, rows)
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
        let shown = forks(&[summary]).map(Markup::into_string).unwrap_or_default();
        // On a phone the note is taller than the table.
        assert!(shown.starts_with("<div><details class=\"note\"><summary>"), "{shown}");
        assert!(shown.contains("first entry") && shown.contains("−11.9"), "{shown}");
        assert!(forks(&[]).is_none());
    }
}
