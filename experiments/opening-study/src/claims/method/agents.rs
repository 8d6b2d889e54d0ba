//! Several agents in the same test: the mean of agents trained alike, and the variation between them.
//!
//! A claim about the game needs more than these agents: the verdict is on the mean of all agents that could be trained
//! alike, of which these are a sample (Hartung and Knapp).

use crate::agent_variation::{AgentFinding, AgentVariation};
use crate::claim_test::Statement;
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

fn same(one: &Finding, other: &Finding) -> bool {
    (one.claim, &one.part) == (other.claim, &other.part)
}

/// Gives a finding from the games of all agents the verdict on agents trained alike, which may use a part of its error,
/// and adds the finding of each agent.
pub fn over_agents(together: Finding, by_agent: &[(String, Vec<Finding>)], part_of_error: f64) -> Finding {
    let own = by_agent.iter().filter_map(|(agent, findings)| {
        let own = findings.iter().find(|own| same(&together, own))?;
        Some(by_itself(agent, own))
    });
    let agents = AgentVariation::of(own.collect());
    together.with_agents(agents).of_agents_trained_alike(part_of_error)
}

/// Findings of one agent without a counterpart among those of all become context, under its name.
pub fn alone(together: &[Finding], by_agent: &[(String, Vec<Finding>)]) -> Vec<Finding> {
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
    alone.collect()
}

/// The findings from the observations of all agents, with those of each alone. `ask` makes the findings from those of
/// one agent, given by its place among the names, or of all, with the number of studies that share the error.
pub fn together_and_apart(names: &[&str], ask: impl Fn(Option<usize>, usize) -> Vec<Finding>) -> Vec<Finding> {
    let together = ask(None, 1);
    let of_one = |(place, name): (usize, &&str)| ((*name).to_owned(), ask(Some(place), names.len()));
    match names {
        [] => together,
        [name] => together.into_iter().map(|finding| finding.with_agent(*name)).collect(),
        _ => {
            let by_agent: Vec<_> = names.iter().enumerate().map(of_one).collect();
            let beside = alone(&together, &by_agent);
            let together = together.into_iter();
            let compared = together.map(|finding| over_agents(finding, &by_agent, 1.0));
            compared.chain(beside).collect()
        }
    }
}

impl Finding {
    /// Adds the finding of each of several agents, with a plot.
    pub(crate) fn with_agents(mut self, agents: AgentVariation) -> Self {
        let plot = self.agents_plot(&agents);
        self.exhibits.extend(plot.map(Into::into));
        self.agent = None;
        self.agents = Some(agents);
        self
    }

    /// Extends the finding to all agents that could be trained alike; the mean over these agents is shown too. Unchanged
    /// if it states nothing, or where errors are unknown, as for searches. With the numbers of fewer than two agents it
    /// was not played.
    fn of_agents_trained_alike(mut self, part_of_error: f64) -> Self {
        let evidence = self.test_evidence();
        let (Some(threshold), Some(error)) = (evidence.threshold, evidence.error) else {
            return self;
        };
        let statement = Statement {
            claimed: evidence.claimed.unwrap_or_default(),
            threshold,
        };
        let by_agent = self.agents.iter().flat_map(|agents| &agents.by_agent);
        let effects: Vec<(f64, f64)> = by_agent.filter_map(|agent| agent.value.zip(agent.error)).collect();
        let fixed = self.effect.clone().filter(|effect| effect.error.is_some());
        let Some(fixed) = fixed else { return self };
        self.verdict = Verdict::Inconclusive;
        let Some(random) = RandomEffects::of(&effects, 1.0 - part_of_error * error) else {
            self.n = 0;
            return self.saying("Fewer than two agents have a number, so this was not played.");
        };
        let effect = Effect {
            value: random.mean,
            interval: Some(random.interval),
            level: Some(random.level),
            error: Some(random.error),
            ..fixed.clone()
        };
        self.verdict = statement.verdict(&random.interval);
        self.summary = format!(
            "Of agents trained alike, by {} of them. {effect}. Of these agents alone. {}",
            random.agents, self.summary
        );
        self.test += "; the verdict is on the mean of agents trained alike (Hartung and Knapp)";
        self.effect = Some(effect);
        if let Some(fields) = self.evidence.as_object_mut() {
            fields.insert("these_agents".into(), serde_json::json!(fixed));
        }
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
        rows.push(row("these agents", Some(effect.value), effect.interval));
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
    use crate::{Basis, ClaimId, EffectUnit, Role, TestEvidence};

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

    fn stated(value: f64) -> Finding {
        finding("part", Verdict::Supported, value, Some(0.01)).with_test_evidence(TestEvidence {
            threshold: Some(0.1),
            error: Some(0.05),
            ..TestEvidence::default()
        })
    }

    fn agents(values: &[f64], error: Option<f64>) -> Vec<(String, Vec<Finding>)> {
        let own = |(place, &value): (usize, &f64)| {
            let name = place.to_string();
            (name, vec![finding("part", Verdict::Inconclusive, value, error)])
        };
        values.iter().enumerate().map(own).collect()
    }

    #[test]
    fn the_verdict_is_on_agents_trained_alike() {
        use Verdict::{Inconclusive, Refuted, Supported};
        for (values, expected) in [
            ([0.19, 0.2, 0.21], Supported),
            ([0.0, 0.01, -0.01], Refuted),
            ([0.5, 0.2, -0.1], Inconclusive),
        ] {
            let found = over_agents(stated(0.2), &agents(&values, Some(0.01)), 1.0);
            assert_eq!(found.verdict, expected, "{values:?}");
            assert!(found.summary.contains("trained alike"));
        }
        // A part of the error widens the interval.
        let close = [0.115, 0.12, 0.125];
        let verdict = |part| over_agents(stated(0.2), &agents(&close, Some(0.002)), part).verdict;
        assert_eq!([verdict(1.0), verdict(0.01)], [Supported, Inconclusive]);
        // One agent is no sample of agents.
        let found = over_agents(stated(0.2), &agents(&[0.2], Some(0.01)), 1.0);
        assert_eq!((found.verdict, found.n), (Inconclusive, 0));
    }

    #[test]
    fn agents_vary_apart_from_their_games() {
        let together = || finding("part", Verdict::Inconclusive, 0.2, Some(0.07));
        let found = over_agents(together(), &agents(&[0.1, 0.3], Some(0.1)), 1.0);
        let told = found.agents.as_ref().unwrap();
        assert_eq!((told.least, told.greatest), (Some(0.1), Some(0.3)));
        assert!((told.deviation.unwrap() - 0.02_f64.sqrt()).abs() < 1e-12);
        assert!((told.apart.unwrap().tau - 0.1).abs() < 1e-9);
        assert_eq!(found.agent, None);
        // Without errors there is only the standard deviation.
        let found = over_agents(together(), &agents(&[0.1, 0.3], None), 1.0);
        let told = found.agents.as_ref().unwrap();
        assert!(told.apart.is_none() && told.deviation.is_some());
    }

    #[test]
    fn what_one_agent_alone_says_is_told_beside() {
        let own = vec![finding("its own", Verdict::Supported, 1.0, None)];
        let found = alone(&[], &[("a".to_owned(), own)]);
        assert_eq!((found[0].part.as_str(), found[0].role), ("its own, a", Role::Context));
        assert_eq!(found[0].agent.as_deref(), Some("a"));
    }
}
