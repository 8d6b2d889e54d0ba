//! The page of the opening study, as a paper: abstract, verdicts with their effects, then the evidence on each claim,
//! folded.

mod agent_names;
mod balance;
mod evidence;
mod verdict_chip;
mod verdict_table;

use std::collections::BTreeSet;

use crate::claim;
use crate::claims::{ForkEstimate, ForkSummary};
use crate::{AgentProvenance, ClaimResult, StudyProvenance, StudyReport};
use chase_report::markup::{Element, Node, element};
use chase_report::number::{self, NONE};
use chase_report::page::{document, paragraph, section, table};
use chase_statistics::Verdict;
use chase_training::run_dir::Meta;

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
    let mut items = vec![
        "Exact findings follow from the rules alone. They are true of the game, however it is played.".to_owned(),
        "A claim is refuted if one of its parts is refuted. It is supported if all parts are supported and there is evidence of \
         every kind that it needs. Otherwise it is inconclusive. Findings marked as context do not count."
            .to_owned(),
    ];
    let deciding: Vec<&AgentProvenance> = agents.iter().filter(|agent| agent.decides).collect();
    let runs: BTreeSet<&str> = deciding.iter().filter_map(|agent| agent.run.as_deref()).collect();
    items.push(match deciding[..] {
        [] => "No agent has played or searched for this report: claims that need games are inconclusive or not tested."
            .to_owned(),
        [_] => "Empirical findings hold as far as this one agent plays well. One training run is one opinion.".to_owned(),
        _ => format!(
            "Empirical findings hold as far as these agents play well{}. Each agent counts alike, and an interval is about the mean \
             of these agents. The evidence shows how much they differ. A verdict that one agent alone contradicts is withheld.",
            match runs.len() {
                0 => String::new(),
                1 => " (all are of one training run)".to_owned(),
                runs => format!(" (of {runs} training runs)"),
            },
        ),
    });
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
            "The study was enlarged after its verdicts had been seen, to at most {last} games per series. Intervals from openings \
             hold at any time and allow for this. Those of dice in games (C5 and C6) are for one look; their error is halved for \
             each further look. Forks stay the same."
        ));
    }
    let list = element("ul").with_all(items.into_iter().map(|item| element("li").with(item)));
    element("details")
        .class("note")
        .with(element("summary").with("How to read this"))
        .with(list)
}

/// The results of forks by kind; nothing without forks.
fn forks(forks: &[ForkSummary]) -> Vec<Element> {
    let points = |value: f64| number::difference(100.0 * value, 1);
    let estimate = |estimate: &Option<ForkEstimate>| {
        let Some(estimate) = estimate else {
            return NONE.to_owned();
        };
        let interval = estimate.interval.as_ref();
        let interval = interval.map(|interval| format!(" {}", number::interval(interval, points)));
        points(estimate.value) + &interval.unwrap_or_default()
    };
    let share = |count: u64, of: u64| match of {
        0 => NONE.to_owned(),
        of => number::percent(count as f64 / of as f64),
    };
    let rows = forks.iter().map(|of_kind| -> Vec<Node> {
        vec![
            of_kind.about.as_str().into(),
            number::count(of_kind.forks).into(),
            estimate(&of_kind.difference).into(),
            estimate(&of_kind.over_control).into(),
            share(of_kind.went_by_action, of_kind.forks).into(),
        ]
    });
    let Some(level) = forks.iter().find_map(|of_kind| Some(of_kind.difference?.level)) else {
        return Vec::new();
    };
    let headings = [
        "kind",
        "forks",
        "against the best other action",
        "against the control",
        "games that played the action",
    ];
    let note = format!(
        "A fork is one position of a game that is continued with an action of a kind, with the best other action and with a \
         control, each the best of its kind by searches. The same player plays all to the end. Differences are of the mover's \
         score, in percentage points, with intervals at {}. The best of few actions scores less than the best of all others, \
         whatever they are. The control is therefore the best of equally many quiet moves of the same position, drawn at random: \
         if the kind of the action does not matter, the difference from it is 0. Claims C1 to C3 rest on that difference, and C4, \
         whose two sides are chosen alike, on the other.",
        number::percent(level)
    );
    vec![
        element("details")
            .class("note")
            .with(element("summary").with("What a fork is"))
            .with(paragraph(note)),
        table(&headings, rows).class("scroll numbers"),
    ]
}

fn method(report: &StudyReport) -> Vec<Element> {
    let text = [
        "Exact findings come from exhaustive counts and searches with the rules engine. \"Attack\" always means reaching a cell by \
         exact count over empty cells. A turn is one player's whole turn, including the choice of the die that absorbs. An open \
         board has no other die on it.",
        "Verdicts on estimates follow one rule: supported or refuted only if the interval, corrected for the number of comparisons \
         that the test names, lies wholly on one side of the threshold; otherwise inconclusive. Every estimate has its interval, \
         and n counts independent units.",
        "What agents think of openings reflects their training. A weak agent's answer is not the game's: before believing it, see \
         how it changes with the strength of the agent and the simulations of its search.",
        "The diagrams of the article are lost. Positions of its problems are those that agree with the text of the solutions.",
    ];
    let mut text: Vec<Element> = text.into_iter().map(paragraph).collect();
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
            shown[0].starts_with("<details class=\"note\"><summary>"),
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
