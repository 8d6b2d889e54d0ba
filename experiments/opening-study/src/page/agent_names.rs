//! Short names of agents on the page: `agent-41` in place of
//! `net:runs/agent-41/checkpoints/gen-000447,simulations=32`.

use chase_training::replay::shard::folder_generation;
use serde_json::Value;

use crate::{AgentProvenance, ClaimResult, StudyReport};

/// The report with short names of its agents. Commands keep the full ones, as does the table of agents in the
/// provenance.
pub(super) fn shortened(report: &StudyReport) -> StudyReport {
    let names = names(&report.provenance.agents);
    let mut short = report.clone();
    for claim in &mut short.claims {
        if let Some(renamed) = renamed(claim, &names) {
            *claim = renamed;
        }
    }
    for games in short.balance.iter_mut().flat_map(|balance| &mut balance.games) {
        let known = names.iter().find(|(name, _)| *name == games.player);
        if let Some((_, short)) = known {
            games.player.clone_from(short);
        }
    }
    short
}

/// The full name of each agent with its short one, the longest first: one may be the beginning of another.
fn names(agents: &[AgentProvenance]) -> Vec<(&str, String)> {
    let short = short_names(agents);
    let mut names: Vec<_> = agents.iter().map(|agent| agent.name.as_str()).zip(short).collect();
    names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    names
}

/// A short name for each agent: agents that decide first, each by the least that distinguishes it from the others.
pub(super) fn short_names(agents: &[AgentProvenance]) -> Vec<String> {
    let forms: Vec<Vec<String>> = agents.iter().map(|agent| forms(&agent.name)).collect();
    let mut chosen: Vec<Option<&str>> = vec![None; agents.len()];
    for decides in [true, false] {
        for place in (0..agents.len()).filter(|&place| agents[place].decides == decides) {
            let is_free = |form: &str| {
                let mut rivals =
                    (0..agents.len()).filter(|&other| other != place && (!decides || agents[other].decides));
                !chosen.contains(&Some(form)) && rivals.all(|other| !forms[other].iter().any(|own| own == form))
            };
            let form = forms[place].iter().find(|form| is_free(form));
            chosen[place] = form.or(forms[place].last()).map(String::as_str);
        }
    }
    chosen
        .into_iter()
        .map(|name| name.unwrap_or_default().to_owned())
        .collect()
}

/// Names of an agent, from the shortest to the full one.
fn forms(name: &str) -> Vec<String> {
    let full = name.to_owned();
    let Some(network) = name.strip_prefix("net:").or_else(|| name.strip_prefix("nnue:")) else {
        return vec![full];
    };
    let (path, options) = match network.split_once(',') {
        Some((path, options)) => (path, options.replace(',', ", ").replace('=', " ")),
        None => (network, String::new()),
    };
    let mut parts = path.rsplit('/').filter(|part| *part != "checkpoints");
    let (last, before) = (parts.next().unwrap_or(path), parts.next());
    let (run, generation) = match (folder_generation(last), before) {
        (Some(generation), Some(run)) => (run, format!(" generation {generation}")),
        _ => (last, String::new()),
    };
    let with = |text: String| {
        if options.is_empty() {
            text
        } else {
            format!("{text}, {options}")
        }
    };
    vec![
        run.to_owned(),
        format!("{run}{generation}"),
        with(format!("{run}{generation}")),
        full,
    ]
}

/// The claim with other names of agents in every text but commands and data for programs.
fn renamed(claim: &ClaimResult, names: &[(&str, String)]) -> Option<ClaimResult> {
    let mut value = serde_json::to_value(claim).ok()?;
    rename(&mut value, names);
    serde_json::from_value(value).ok()
}

fn rename(value: &mut Value, names: &[(&str, String)]) {
    match value {
        Value::String(text) => {
            for (name, short) in names {
                if text.contains(name) {
                    *text = text.replace(name, short);
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| rename(value, names)),
        Value::Object(fields) => {
            let texts = fields
                .iter_mut()
                .filter(|(key, _)| !["command", "evidence"].contains(&key.as_str()));
            texts.for_each(|(_, value)| rename(value, names));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Basis, ClaimId, Finding};
    use chase_statistics::Verdict;

    fn agent(name: &str, decides: bool) -> AgentProvenance {
        AgentProvenance {
            name: name.to_owned(),
            player: name.to_owned(),
            settings: Value::Null,
            checkpoint_hash: None,
            run: None,
            decides,
            elo: None,
        }
    }

    #[test]
    fn names_are_as_short_as_they_can_be_told_apart() {
        let agents = [
            agent("net:runs/agent-41/checkpoints/gen-000447,simulations=32", true),
            agent("net:runs/agent-42/checkpoints/gen-000109,simulations=32", true),
            agent("random", false),
            agent("net:runs/agent-41/checkpoints/gen-000447,simulations=8", false),
            agent("net:runs/agent-41/checkpoints/gen-000447,simulations=128", false),
            agent("net:runs/agent-41/checkpoints/gen-000150,simulations=32", false),
            agent("nnue:models/agents/nnue-51,nodes=2000", false),
            agent("nnue:models/agents/nnue-51,nodes=200", false),
        ];
        let expected = [
            "agent-41",
            "agent-42",
            "random",
            "agent-41 generation 447, simulations 8",
            "agent-41 generation 447, simulations 128",
            "agent-41 generation 150",
            "nnue-51, nodes 2000",
            "nnue-51, nodes 200",
        ];
        assert_eq!(short_names(&agents), expected);
        let twins = [
            agent("net:a/x,simulations=1", true),
            agent("net:b/x,simulations=1", true),
        ];
        assert_eq!(short_names(&twins), twins.map(|agent| agent.name));
    }

    #[test]
    fn texts_have_short_names_and_commands_full_ones() {
        let long = "net:runs/a/checkpoints/gen-000001,simulations=8";
        let agents = [agent(long, true), agent(&format!("{long}0"), false)];
        let names = names(&agents);
        let finding = Finding::new(
            ClaimId::A1,
            "part",
            Basis::Empirical,
            Verdict::Supported,
            format!("{long}0 and {long}."),
        );
        let claim = ClaimResult::new(ClaimId::A1, vec![finding.with_command(format!("chase study {long}"))]);
        let [shown] = &renamed(&claim, &names).map(|claim| claim.findings).unwrap_or_default()[..] else {
            panic!("one finding");
        };
        assert_eq!(shown.summary, "a generation 1, simulations 80 and a.");
        assert_eq!(shown.command, format!("chase study {long}"));
    }
}
