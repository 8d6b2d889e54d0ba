//! Several agents in the same test: their pooled finding, and the variation between them.

use crate::agent_variation::{AgentFinding, AgentVariation};
use crate::finding::{Effect, Finding};
use chase_report::chart::{IntervalRow, Quantity};
use chase_report::exhibit::IntervalPlot;
use chase_report::number;
use chase_statistics::{Interval, RandomEffects, Verdict};

/// An agent's own finding, in short form.
fn by_itself(agent: &str, finding: &Finding) -> AgentFinding {
    let effect = finding.effect.as_ref();
    AgentFinding {
        agent: agent.to_owned(),
        verdict: finding.verdict,
        value: effect.map(|effect| effect.value),
        error: effect.and_then(|effect| effect.error),
        interval: effect.and_then(|effect| effect.interval),
        n: finding.n,
    }
}

/// Adds the finding of each agent to the findings from the games of all of them. A verdict that the opposite verdict of
/// an agent contradicts is withheld. An agent's findings without a counterpart become context, under its name.
pub fn compare(together: Vec<Finding>, by_agent: &[(String, Vec<Finding>)]) -> Vec<Finding> {
    let same = |one: &Finding, other: &Finding| (one.claim, &one.part) == (other.claim, &other.part);
    let alone = by_agent.iter().flat_map(|(agent, findings)| {
        let alone = findings
            .iter()
            .filter(|own| !together.iter().any(|finding| same(finding, own)));
        alone.map(move |own| {
            let mut own = own.clone().with_agent(agent.as_str()).as_context();
            own.part = format!("{}, {agent}", own.part);
            own
        })
    });
    let alone: Vec<Finding> = alone.collect();
    let compared = together.iter().map(|finding| {
        let own = by_agent.iter().filter_map(|(agent, findings)| {
            let own = findings.iter().find(|own| same(finding, own))?;
            Some(by_itself(agent, own))
        });
        finding.clone().with_agents(AgentVariation::of(own.collect()))
    });
    compared.chain(alone).collect()
}

/// The findings from the observations of all agents, with those of each alone. `ask` makes the findings from those of
/// one agent, given by its place among the names, or of all, with the number of studies that share the error.
pub fn together_and_apart(names: &[&str], ask: impl Fn(Option<usize>, usize) -> Vec<Finding>) -> Vec<Finding> {
    let together = ask(None, 1);
    let alone = |(place, name): (usize, &&str)| ((*name).to_owned(), ask(Some(place), names.len()));
    match names {
        [] => together,
        [name] => together.into_iter().map(|finding| finding.with_agent(*name)).collect(),
        _ => compare(together, &names.iter().enumerate().map(alone).collect::<Vec<_>>()),
    }
}

impl Finding {
    /// Adds the finding of each of several agents, with a plot; the verdict is withheld if one contradicts it.
    pub(crate) fn with_agents(mut self, agents: AgentVariation) -> Self {
        let against = agents.against(self.verdict);
        if !against.is_empty() {
            let verdict = std::mem::replace(&mut self.verdict, Verdict::Inconclusive);
            self.summary += &format!(
                " Pooled, the games say {}, but {} alone says the opposite; the verdict is withheld.",
                verdict.name(),
                against.join(", ")
            );
        }
        let plot = self.agents_plot(&agents);
        self.exhibits.extend(plot.map(Into::into));
        self.agent = None;
        self.agents = Some(agents);
        self
    }

    /// Extends the finding to all agents that could be trained alike; the mean over these agents is shown too. A claim
    /// about the game, not about certain agents, needs this. Unchanged for a single agent, or where errors are unknown.
    pub(crate) fn of_agents_trained_alike(mut self, threshold: f64, error: f64) -> Self {
        let by_agent = self.agents.iter().flat_map(|agents| &agents.by_agent);
        let effects: Option<Vec<(f64, f64)>> = by_agent.map(|agent| Some((agent.value?, agent.error?))).collect();
        let random = effects.and_then(|effects| RandomEffects::of(&effects, 1.0 - error));
        let (Some(random), Some(fixed)) = (random, self.effect.take()) else {
            return self;
        };
        let effect = Effect {
            value: random.mean,
            interval: Some(random.interval),
            level: Some(random.level),
            error: Some(random.error),
            ..fixed.clone()
        };
        self.verdict = random.greater_than(threshold);
        self.summary = format!(
            "Of agents trained alike, by {} of them (Hartung and Knapp). {effect}; the claim needs more than {}. Of these agents \
             alone. {}",
            random.agents,
            effect.unit.in_words(threshold),
            self.summary
        );
        self.test +=
            "; the verdict is on the mean of agents trained alike (random effects), for one look, and is the claim's";
        self.effect = Some(effect);
        self.evidence["these_agents"] = serde_json::json!(fixed);
        self
    }

    /// The effect by agent, and of all together.
    fn agents_plot(&self, agents: &AgentVariation) -> Option<IntervalPlot> {
        let effect = self.effect.as_ref()?;
        let row = |name: &str, value: Option<f64>, interval: Option<Interval>| IntervalRow {
            name: name.to_owned(),
            value,
            interval,
            text: value.map_or(number::NONE.to_owned(), |value| effect.unit.figure(value)),
        };
        let by_agent = agents.by_agent.iter();
        let mut rows: Vec<IntervalRow> = by_agent
            .map(|agent| row(&agent.agent, agent.value, agent.interval))
            .collect();
        rows.push(row("all together", Some(effect.value), effect.interval));
        if let Some(apart) = &agents.apart {
            rows.push(row("agents trained alike", Some(apart.mean), Some(apart.mean_interval)));
        }
        let is_share = effect.unit.is_percentage();
        Some(IntervalPlot {
            title: "By agent".into(),
            note: match effect.interval {
                None => String::new(),
                Some(_) => "Intervals of agents hold together; that of all is about the mean of these agents; that of agents trained \
                            alike (95 %, Hartung and Knapp) is about others too."
                    .into(),
            },
            axis: effect.name.clone(),
            quantity: if is_share { Quantity::Percent } else { Quantity::Plain },
            reference: None,
            rows,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::{Basis, ClaimId, EffectUnit, Role};

    fn finding(part: &str, verdict: Verdict, value: f64, error: Option<f64>) -> Finding {
        let effect = Effect {
            error,
            ..Effect::exact("effect", EffectUnit::Score, value)
        };
        Finding {
            effect: Some(effect),
            ..Finding::new(ClaimId::B9, part, Basis::Empirical, verdict, "")
        }
    }

    fn agents(verdicts: [Verdict; 2], error: Option<f64>) -> [(String, Vec<Finding>); 2] {
        [("a", 0.1, verdicts[0]), ("b", 0.3, verdicts[1])]
            .map(|(name, value, verdict)| (name.to_owned(), vec![finding("part", verdict, value, error)]))
    }

    #[test]
    fn a_verdict_stands_unless_an_agent_contradicts_it() {
        use Verdict::{Inconclusive, Refuted, Supported};
        for (together, alone, expected) in [
            (Supported, [Supported, Inconclusive], Supported),
            (Supported, [Supported, Refuted], Inconclusive),
            (Refuted, [Refuted, Refuted], Refuted),
            (Refuted, [Supported, Refuted], Inconclusive),
            (Inconclusive, [Supported, Supported], Inconclusive),
        ] {
            let found = compare(vec![finding("part", together, 0.2, None)], &agents(alone, None));
            assert_eq!((found.len(), found[0].verdict), (1, expected), "{together:?} {alone:?}");
            assert_eq!(found[0].summary.contains("withheld"), expected != together);
            assert_eq!(found[0].role, Role::Deciding);
        }
    }

    #[test]
    fn agents_vary_apart_from_their_games() {
        let verdicts = [Verdict::Inconclusive; 2];
        let together = || vec![finding("part", Verdict::Inconclusive, 0.2, Some(0.07))];
        let found = compare(together(), &agents(verdicts, Some(0.1)));
        let told = found[0].agents.as_ref().unwrap();
        assert_eq!((told.least, told.greatest), (Some(0.1), Some(0.3)));
        assert!((told.deviation.unwrap() - 0.02_f64.sqrt()).abs() < 1e-12);
        assert!((told.apart.unwrap().tau - 0.1).abs() < 1e-9);
        assert_eq!(found[0].agent, None);
        // Without errors there is only the standard deviation.
        let found = compare(together(), &agents(verdicts, None));
        let told = found[0].agents.as_ref().unwrap();
        assert!(told.apart.is_none() && told.deviation.is_some());
    }

    #[test]
    fn what_one_agent_alone_says_is_told_beside() {
        let own = vec![finding("its own", Verdict::Supported, 1.0, None)];
        let found = compare(Vec::new(), &[("a".to_owned(), own)]);
        assert_eq!((found[0].part.as_str(), found[0].role), ("its own, a", Role::Context));
        assert_eq!(found[0].agent.as_deref(), Some("a"));
    }
}
