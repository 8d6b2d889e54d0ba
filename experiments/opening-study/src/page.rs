//! The page of the opening study: verdicts first, then the evidence claim by claim.

use std::collections::BTreeSet;

use crate::claim;
use crate::claims::{ForkEstimate, ForkSummary};
use crate::{AgentProvenance, AgentVariation, Basis, ClaimResult, Effect, Finding, Provenance, Role, StudyReport};
use chase_report::drawing::{exhibit, is_wide};
use chase_report::markup::{Element, Node, element};
use chase_report::number::{self, NONE};
use chase_report::page::{cards, document, paragraph, section, table};
use chase_statistics::Interval;
use chase_statistics::Verdict;

/// The page, as HTML.
pub fn page(report: &StudyReport) -> String {
    let mut body = headline(report);
    body.push(section("Verdicts", [summary(report)]));
    for group in claim::groups() {
        let is_in = |result: &&ClaimResult| group.claims.iter().any(|claim| claim.id == result.id);
        let results = report.claims.iter().filter(is_in);
        let heading = format!("{}. {}", group.letter, group.heading);
        body.push(section(&heading, results.map(claim_article)));
    }
    body.extend(forks(&report.forks));
    body.push(method(report));
    body.push(provenance(report));
    document("Chase: the opening study", body)
}

/// The word for a verdict, marked by colour and sign as well.
fn chip(verdict: Option<Verdict>) -> Element {
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

fn headline(report: &StudyReport) -> Vec<Element> {
    let count = |verdict| report.claims.iter().filter(|claim| claim.verdict == verdict).count();
    let lead = format!(
        "Rodeffer and Neto's article on Chase (Abstract Games 9) makes claims about the first move, about dice and about the \
         endgame. Of the {} tested here {} are supported, {} refuted and {} inconclusive; {} have not been tested.",
        report.claims.len() - count(None),
        count(Some(Verdict::Supported)),
        count(Some(Verdict::Refuted)),
        count(Some(Verdict::Inconclusive)),
        count(None)
    );
    let program = &report.provenance.program;
    let commit = program.git_hash.as_ref().map(|hash| {
        let short: String = hash.chars().take(10).collect();
        let dirty = if program.git_dirty == Some(true) {
            " with local changes"
        } else {
            ""
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
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    let planned = report.provenance.preregistration.as_ref();
    let planned = planned.map(|settled| paragraph(settled.sentence()));
    let mut headline = vec![
        element("h1").with("Chase: the opening study"),
        paragraph(lead).class("lead"),
        paragraph(facts.join(" · ")).class("facts"),
    ];
    headline.extend(planned);
    headline.push(caveats(report));
    headline
}

fn caveats(report: &StudyReport) -> Element {
    let agents = &report.provenance.agents;
    let mut items = vec![
        "Exact findings rest on the rules alone: they are true of the game, whoever plays.".to_owned(),
        "A claim is refuted if a part that it states is refuted, and supported if all parts are and there is evidence of every \
         kind that it needs; else it is inconclusive. Findings marked as context do not count."
            .to_owned(),
    ];
    let deciding: Vec<&AgentProvenance> = agents.iter().filter(|agent| agent.decides).collect();
    let runs: BTreeSet<&str> = deciding.iter().filter_map(|agent| agent.run.as_deref()).collect();
    items.push(match deciding[..] {
        [] => "No agent has played or searched for this report: claims that need games are inconclusive or not tested."
            .to_owned(),
        [agent] => format!(
            "Empirical findings are true as far as one agent plays well: {}. One training run is one opinion.",
            agent.name
        ),
        _ => format!(
            "Empirical findings are true as far as {} agents play well{}: {}. Their games decide together, each \
             agent counting alike, and the interval is about the mean of these agents. How much agents differ, apart from how much \
             games do, stands beside; a verdict that one agent alone contradicts is withheld.",
            deciding.len(),
            match runs.len() {
                0 => String::new(),
                1 => ", of one training run".to_owned(),
                runs => format!(", of {runs} training runs"),
            },
            deciding
                .iter()
                .map(|agent| agent.name.as_str())
                .collect::<Vec<_>>()
                .join(", ")
        ),
    });
    if runs.len() < deciding.len() && !runs.is_empty() {
        items.push(
            "Some of these agents come from one training run, or have no network: they are not trained independently, and \
             differ less than agents that are."
                .to_owned(),
        );
    }
    if agents.len() > deciding.len() {
        items.push(format!(
            "{} more play from the initial position only, for the first move's advantage against strength.",
            agents.len() - deciding.len()
        ));
    }
    if let [.., last] = report.provenance.raised[..] {
        items.push(format!(
            "The study was enlarged after its verdicts had been seen, to {last} games a series at most. Intervals from openings hold \
             at any time and allow for it; those of dice in games (C5 and C6) are for one look, and have half the error for each \
             further one; forks stay those of the first."
        ));
    }
    let list = element("ul").with_all(items.into_iter().map(|item| element("li").with(item)));
    element("div")
        .class("note")
        .with(element("h2").with("How to read this"))
        .with(list)
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

fn summary(report: &StudyReport) -> Element {
    let row = |claim: &ClaimResult| -> Vec<Node> {
        let id = element("a")
            .attr("href", format!("#{}", claim.id))
            .with(claim.id.to_string());
        let mut statement = element("span").with(claim.statement.as_str());
        if !claim.remarks.is_empty() {
            statement = statement
                .with(element("br"))
                .with(element("small").with(claim.remarks.join(" · ")));
        }
        let leading = leading(claim);
        let number = leading.and_then(|finding| {
            let deviation = finding.agents.as_ref().and_then(|agents| agents.deviation);
            let shown = finding.effect.as_ref()?;
            Some(match deviation {
                Some(deviation) => format!("{} · between agents ±{}", effect(shown), shown.unit.figure(deviation)),
                None => effect(shown),
            })
        });
        let sample = leading.filter(|finding| finding.n > 0);
        vec![
            id.into(),
            chip(claim.verdict).into(),
            statement.into(),
            number.unwrap_or(NONE.to_owned()).into(),
            sample
                .map_or(NONE.to_owned(), |finding| {
                    format!("{} {}", number::count(finding.n), finding.n_unit)
                })
                .into(),
        ]
    };
    let headings = ["claim", "verdict", "what it says", "effect", "n"];
    table(&headings, report.claims.iter().map(row)).class("scroll words verdicts")
}

/// `score of the first player: 53.1 % [50.2 %, 55.9 %] at 95 %`.
fn effect(effect: &Effect) -> String {
    let write = |value: f64| effect.unit.figure(value);
    // An effect such as `cells that …: 14` needs no unit after the number.
    let unit = if effect.unit.is_percentage() || effect.name.contains(effect.unit.name()) {
        String::new()
    } else {
        format!("\u{a0}{}", effect.unit)
    };
    let interval = effect.interval.map_or(String::new(), |interval| {
        let end = |end: Option<f64>| end.map_or("?".to_owned(), write);
        let level = effect
            .level
            .map_or(String::new(), |level| format!(" at {}", number::percent(level)));
        format!(" [{}, {}]{level}", end(interval.low), end(interval.high))
    });
    format!("{}: {}{unit}{interval}", effect.name, write(effect.value))
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
    let range = |interval: &Interval| {
        let end = |end: Option<f64>| end.map_or("?".to_owned(), write);
        format!("[{}, {}]", end(interval.low), end(interval.high))
    };
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

fn claim_article(claim: &ClaimResult) -> Element {
    let heading = element("h3")
        .with(element("b").with(claim.id.to_string()))
        .with(" ")
        .with(claim.statement.as_str())
        .with(" ")
        .with(chip(claim.verdict));
    let mut article = element("article").attr("id", claim.id).with(heading);
    if !claim.remarks.is_empty() {
        article = article.with(paragraph(claim.remarks.join(" · ")).class("soft"));
    }
    if claim.findings.is_empty() {
        let needs: Vec<&str> = claim.needs.iter().map(|basis| basis.name()).collect();
        let text = format!("Not tested in this report: it needs {} evidence.", needs.join(" and "));
        return article.with(paragraph(text).class("soft"));
    }
    article.with_all(claim.findings.iter().map(finding))
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
    facts.extend(finding.effect.as_ref().map(effect));
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
    if !finding.command.is_empty() {
        let command = element("code").with(finding.command.as_str());
        block = block.with(paragraph(element("span").with("Reproduce with: ").with(command)).class("facts"));
    }
    let (wide, narrow): (Vec<_>, Vec<_>) = finding.exhibits.iter().partition(|shown| is_wide(shown));
    if !narrow.is_empty() {
        block = block.with(cards(narrow.into_iter().map(exhibit)).class("cards small"));
    }
    block.with_all(wide.into_iter().map(exhibit))
}

/// The results of forks by kind; nothing without forks.
fn forks(forks: &[ForkSummary]) -> Option<Element> {
    let points = |value: f64| format!("{:+.1}", if value.abs() < 5e-4 { 0.0 } else { 100.0 * value });
    let estimate = |estimate: &Option<ForkEstimate>| {
        let Some(estimate) = estimate else {
            return NONE.to_owned();
        };
        let end = |end: Option<f64>| end.map_or("?".to_owned(), points);
        let interval = estimate.interval.map_or(String::new(), |interval| {
            format!(" [{}, {}]", end(interval.low), end(interval.high))
        });
        points(estimate.value) + &interval
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
            estimate(&of_kind.less_control).into(),
            share(of_kind.went_by_action, of_kind.forks).into(),
        ]
    });
    let level = forks.iter().find_map(|of_kind| Some(of_kind.difference?.level))?;
    let headings = ["kind", "forks", "difference", "less the control", "games that went so"];
    let note = format!(
        "A fork is one position of a game and two ways to go on, each the best of its side by searches. The same player plays both \
         to the end. The difference is the mover's score, in percentage points, with intervals at {}. The best of few actions scores \
         less than the best of all others, whatever it is; the control, quiet moves of one die, tells how much less. So claims C1 to \
         C3 rest on the difference less the control, and C4, whose two sides are chosen alike, on the difference itself.",
        number::percent(level)
    );
    let content = [paragraph(note), table(&headings, rows).class("scroll words")];
    Some(section("Forks", content))
}

fn method(report: &StudyReport) -> Element {
    let text = [
        "Exact findings come from exhaustive counts and searches with the rules engine. \"Attack\" always means reaching a cell by \
         exact count over empty cells; a turn is one player's whole turn, with the choice of the die that absorbs. An open board \
         has no other die on it.",
        "Verdicts on estimates follow one rule: supported or refuted only if the interval, corrected for the number of comparisons \
         that the test names, lies wholly on one side of what the claim says; else inconclusive. The interval stands beside every estimate, \
         and n counts independent units.",
        "What agents think of openings is what their training made of them. A weak agent's answer is not the game's: see how the \
         answer changes with the strength of the agent and with the simulations of its search before believing it.",
        "The diagrams of the article are lost; positions of its problems are those that agree with the text of the solutions.",
    ];
    let mut text: Vec<Element> = text.into_iter().map(paragraph).collect();
    if report.provenance.agents.is_empty() {
        text.push(paragraph(
            "This report has exact findings only. With a checkpoint, the study also plays and searches.",
        ));
    }
    section("Method and limits", text)
}

fn provenance(report: &StudyReport) -> Element {
    let mut content = Vec::new();
    let agents = &report.provenance.agents;
    if !agents.is_empty() {
        let rows = agents.iter().map(|agent| -> Vec<Node> {
            let hash = agent.checkpoint_hash.as_deref().unwrap_or(NONE);
            vec![
                agent.name.as_str().into(),
                agent.player.as_str().into(),
                hash.chars().take(16).collect::<String>().into(),
                agent.elo.map_or(NONE.to_owned(), number::elo).into(),
                if agent.decides {
                    "all openings"
                } else {
                    "nothing forced"
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
        content.push(table(&headings, rows).class("scroll words"));
    }
    let command = Provenance::command(&report.provenance.program);
    content.push(paragraph(
        element("span").with("Command: ").with(element("code").with(command)),
    ));
    if let Some(settled) = &report.provenance.preregistration {
        content.push(paragraph(
            element("span")
                .with("SHA-256 of the plan: ")
                .with(element("code").with(settled.plan_sha256.as_str())),
        ));
    }
    let config = serde_json::to_string_pretty(&report.provenance.config).unwrap_or_default();
    if config != "null" {
        content.push(
            element("details")
                .with(element("summary").with("Configuration"))
                .with(element("pre").with(config)),
        );
    }
    section("Provenance", content)
}
