//! Parameters of a search, with defaults and their sources.

use std::fmt;

/// Parameters of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchParams {
    /// Simulations to run, not counting the evaluation of the root, nor simulations of an earlier search whose subtree
    /// is reused. With 0 the search returns the evaluator's opinion only.
    pub simulations: u32,
    /// The strategy for selecting actions.
    pub strategy: Strategy,
    /// True to answer a root with a single legal action at once, without evaluation.
    pub skip_forced: bool,
}

/// The strategy for selecting actions, at the root and below it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strategy {
    /// Upper confidence bounds weighted by the prior, at all nodes.
    Puct(PuctParams),
    /// Gumbel-Top-k and sequential halving at the root, the improved policy below it.
    Gumbel(GumbelParams),
}

impl Strategy {
    /// The divisor of logits.
    pub(super) const fn policy_temperature(&self) -> f32 {
        match self {
            Self::Puct(params) => params.policy_temperature,
            Self::Gumbel(params) => params.policy_temperature,
        }
    }

    /// Upper limit of the number of leaves of a tree that wait at the same time.
    pub(super) const fn most_leaves(&self) -> u32 {
        match self {
            Self::Puct(params) => params.leaves,
            Self::Gumbel(_) => 1,
        }
    }

    /// Number of leaves that may wait while the root has this many visits.
    pub(super) fn leaves_at_once(&self, visits: u32) -> usize {
        let allowed = (visits / PuctParams::VISITS_FOR_A_LEAF).max(PuctParams::LEAVES_OF_SMALL_TREES);
        self.most_leaves().min(allowed) as usize
    }
}

/// PUCT: select the action with the greatest `Q + c_puct · P · √N / (1 + n)`.
///
/// `N` is the visits of the node, including its own evaluation, and `n` those of the action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PuctParams {
    /// Weight of the prior against values in `[−1, 1]`; above 0. Default 1.25 (AlphaZero's at low visits; KataGo and
    /// Leela use 1.1 to 1.75).
    pub c_puct: f32,
    /// First-play urgency: an unvisited action is assumed to be worth the mean of its node minus this number times the
    /// square root of the prior mass already visited. 0 or more; default 0.2 (KataGo). Not applied at a root with
    /// noise, so that every action has a chance.
    pub fpu_reduction: f32,
    /// Divides the evaluator's logits at every node before they become priors; above 0. Values above 1 flatten the
    /// priors, so that a long search considers more actions; priors are reported with this temperature. Default 1.
    pub policy_temperature: f32,
    /// Exponent `1/T` flattens the root's priors (`T` > 1) before noise is mixed in; above 0. Default 1: none.
    pub root_policy_temperature: f32,
    /// Noise on the root's priors, for exploration in self-play. Default none.
    pub noise: Option<DirichletNoise>,
    /// Most leaves of this tree that may wait for their evaluations at the same time, 1 to [`PuctParams::MOST_LEAVES`],
    /// so that an evaluator gets a batch from one game. Selection then has less information than with one leaf at a
    /// time: the same number of simulations plays slightly worse, but takes less time. More than
    /// [`PuctParams::LEAVES_OF_SMALL_TREES`] wait only if the root has [`PuctParams::VISITS_FOR_A_LEAF`] visits for
    /// each, so that they remain a small part of the tree. Default 1.
    pub leaves: u32,
}

impl PuctParams {
    /// Largest value of `leaves`.
    // Far above the 32 of players. The bound itself was not measured.
    pub const MOST_LEAVES: u32 = 1024;

    /// Number of leaves that may wait however few visits the root has.
    // What waits must stay a small part of what is known. 8 was the limit of all trees before study 0005, round two.
    pub const LEAVES_OF_SMALL_TREES: u32 = 8;

    /// Visits of the root for each further waiting leaf.
    // Chosen with the limit of 32 leaves, which scores 65 % [54, 74] against 8 (study 0013); not measured by itself.
    pub const VISITS_FOR_A_LEAF: u32 = 32;
}

/// Dirichlet noise mixed into the priors of a root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirichletNoise {
    /// Sum of the concentrations, spread evenly over the `n` legal actions: each has alpha = total / n. Above 0;
    /// default 10.8 (KataGo: alpha 0.03 on the 361 points of a Go board).
    pub total_concentration: f32,
    /// Share of the noise in the mix, in `[0, 1]`. Default 0.25 (AlphaZero).
    pub fraction: f32,
}

/// Gumbel AlphaZero: Danihelka, Guez, Schrittwieser and Silver, *Policy improvement by planning with Gumbel*, ICLR
/// 2022. Values enter as they are, in `[−1, 1]`, not rescaled by the extremes of siblings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GumbelParams {
    /// Actions sampled without replacement at the root (`m`), 1 or more. Default 16.
    pub considered_actions: u32,
    /// Visits added to the greatest visit count in the weight of values, 0 or more. Default 50 (section 3.4).
    pub c_visit: f32,
    /// Factor of values, above 0, and small enough that 2 · (`c_visit` + visits) · `c_scale` is finite after 2³²
    /// visits. Default 1.
    pub c_scale: f32,
    /// As [`PuctParams::policy_temperature`]; at 1 the policy target is that of Danihelka et al. Above 1 it also bounds
    /// what a network can learn from its own targets: logits `z = z/T + σ(q)` have a fixed point at
    /// `z = σ(q) · T/(T − 1)`, and none at 1. Default 1.
    pub policy_temperature: f32,
    /// Scale of the Gumbel noise, 0 or more: 1 samples as in self-play, 0 is deterministic. Default 1.
    pub noise_scale: f32,
}

impl Default for SearchParams {
    /// PUCT with 200 simulations.
    fn default() -> Self {
        Self {
            // A round number, not measured: callers that care set their own.
            simulations: 200,
            strategy: Strategy::Puct(PuctParams::default()),
            skip_forced: true,
        }
    }
}

impl Default for PuctParams {
    fn default() -> Self {
        Self {
            // 2.0 scores 38 % [29, 47] of 80 games against it at temperature 1 (study 0013), and 0.8 44 % [33, 55] of
            // 64 at temperature 3 (study 0014).
            c_puct: 1.25,
            // KataGo's default. Other values were not measured here.
            fpu_reduction: 0.2,
            // As published. Players take 2, which scores 69 % [54, 80] against 1 at 128 simulations (study 0013).
            policy_temperature: 1.0,
            root_policy_temperature: 1.0,
            noise: None,
            // One at a time knows most. 32 score 65 % [54, 74] against 8 where libtorch needs batches (study 0013).
            leaves: 1,
        }
    }
}

impl Default for DirichletNoise {
    fn default() -> Self {
        Self {
            // KataGo's. Not measured here.
            total_concentration: 10.8,
            // AlphaZero's and KataGo's value. Not measured here.
            fraction: 0.25,
        }
    }
}

impl Default for GumbelParams {
    fn default() -> Self {
        Self {
            // mctx's default. `quick.toml` takes 8, for 16 simulations (study 0006).
            considered_actions: 16,
            c_visit: 50.0,
            // As published. Self-play takes 0.4: 1.0 made targets of Connect Four nearly one-hot. 0.8 instead of 0.4 gains
            // 40 Elo [−7, 86], so it is open (study 0054).
            c_scale: 1.0,
            policy_temperature: 1.0,
            // As published. Self-play lets it fall with the temperature of the move; a scale of 1 at all plies brings
            // −8 Elo [−52, 36] (study 0040).
            noise_scale: 1.0,
        }
    }
}

/// Error returned for search parameters out of their ranges; lists all faults.
#[derive(Clone, Debug, PartialEq)]
pub struct InvalidParams(Vec<Fault>);

impl InvalidParams {
    /// One fault for each parameter out of its range.
    pub fn faults(&self) -> &[Fault] {
        &self.0
    }
}

impl fmt::Display for InvalidParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("search parameters: ")?;
        for (index, fault) in self.0.iter().enumerate() {
            let separator = if index > 0 { "; " } else { "" };
            write!(f, "{separator}{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for InvalidParams {}

/// A parameter that is out of its range.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the message says what the fields are")]
pub struct Fault {
    pub name: &'static str,
    pub value: f32,
    pub expected: &'static str,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}, expected {}", self.name, self.value, self.expected)
    }
}

impl SearchParams {
    /// Tests every parameter against its range.
    ///
    /// # Errors
    /// All faults.
    pub fn validate(&self) -> Result<(), InvalidParams> {
        // Allocates only for a fault, since every search runs this.
        let mut faults = Vec::new();
        let mut expect = |fits: bool, name, value, expected| {
            if !fits {
                faults.push(Fault { name, value, expected });
            }
        };
        let positive = |x: f32| x.is_finite() && x > 0.0;
        let not_negative = |x: f32| x.is_finite() && x >= 0.0;
        let above = "a number above 0";
        let at_least = "a number of 0 or more";
        match self.strategy {
            Strategy::Puct(puct) => {
                expect(positive(puct.c_puct), "c_puct", puct.c_puct, above);
                let reduction = puct.fpu_reduction;
                expect(not_negative(reduction), "fpu_reduction", reduction, at_least);
                let temperature = puct.policy_temperature;
                expect(positive(temperature), "policy_temperature", temperature, above);
                let temperature = puct.root_policy_temperature;
                expect(positive(temperature), "root_policy_temperature", temperature, above);
                let fits = (1..=PuctParams::MOST_LEAVES).contains(&puct.leaves);
                expect(fits, "leaves", puct.leaves as f32, "1 to 1024");
                if let Some(noise) = puct.noise {
                    let total = noise.total_concentration;
                    expect(positive(total), "noise.total_concentration", total, above);
                    let fraction = noise.fraction;
                    let fits = (0.0..=1.0).contains(&fraction);
                    expect(fits, "noise.fraction", fraction, "a number from 0 to 1");
                }
            }
            Strategy::Gumbel(gumbel) => {
                let considered = gumbel.considered_actions;
                expect(considered > 0, "considered_actions", considered as f32, "1 or more");
                expect(not_negative(gumbel.c_visit), "c_visit", gumbel.c_visit, at_least);
                expect(positive(gumbel.c_scale), "c_scale", gumbel.c_scale, above);
                // Values with this weight are compared by their differences.
                let greatest = 2.0 * (gumbel.c_visit + u32::MAX as f32) * gumbel.c_scale;
                let fits = greatest.is_finite() || !not_negative(gumbel.c_visit) || !positive(gumbel.c_scale);
                let finite = "so little that 2 * (c_visit + visits) * c_scale is finite";
                expect(fits, "c_scale", gumbel.c_scale, finite);
                let temperature = gumbel.policy_temperature;
                expect(positive(temperature), "policy_temperature", temperature, above);
                let scale = gumbel.noise_scale;
                expect(not_negative(scale), "noise_scale", scale, at_least);
            }
        }
        if faults.is_empty() {
            Ok(())
        } else {
            Err(InvalidParams(faults))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_valid() {
        let noise = Some(DirichletNoise::default());
        for strategy in [
            Strategy::Puct(PuctParams::default()),
            Strategy::Puct(PuctParams {
                noise,
                ..PuctParams::default()
            }),
            Strategy::Gumbel(GumbelParams::default()),
        ] {
            let params = SearchParams {
                strategy,
                ..SearchParams::default()
            };
            assert_eq!(params.validate(), Ok(()));
        }
    }

    #[test]
    fn the_weight_of_values_is_a_number_after_any_number_of_visits() {
        let params = |c_visit, c_scale| SearchParams {
            strategy: Strategy::Gumbel(GumbelParams {
                c_visit,
                c_scale,
                ..GumbelParams::default()
            }),
            ..SearchParams::default()
        };
        for (c_visit, c_scale) in [(50.0, 1e28), (1e30, 1e8), (1e38, 1.0)] {
            assert_eq!(params(c_visit, c_scale).validate(), Ok(()));
        }
        for (c_visit, c_scale) in [(50.0, 1e37), (0.0, 1e30), (1e30, 1e9), (f32::MAX, 1.0)] {
            let error = params(c_visit, c_scale).validate().expect_err("an infinite weight");
            let expected = "expected so little that 2 * (c_visit + visits) * c_scale is finite";
            assert!(error.to_string().ends_with(expected), "{error}");
            assert_eq!(error.faults().len(), 1);
        }
    }

    #[test]
    fn all_faults_are_named_at_once() {
        let puct = PuctParams {
            c_puct: -1.0,
            fpu_reduction: f32::NAN,
            policy_temperature: -2.0,
            root_policy_temperature: 0.0,
            noise: Some(DirichletNoise {
                total_concentration: f32::INFINITY,
                fraction: 1.5,
            }),
            leaves: 0,
        };
        let gumbel = GumbelParams {
            considered_actions: 0,
            c_visit: -1.0,
            c_scale: 0.0,
            policy_temperature: f32::INFINITY,
            noise_scale: f32::NAN,
        };
        for (strategy, count) in [(Strategy::Puct(puct), 7), (Strategy::Gumbel(gumbel), 5)] {
            let params = SearchParams {
                strategy,
                ..SearchParams::default()
            };
            let error = params.validate().expect_err("invalid parameters");
            assert_eq!(error.faults().len(), count, "{error}");
        }
        let params = SearchParams {
            strategy: Strategy::Puct(puct),
            ..SearchParams::default()
        };
        let text = params.validate().expect_err("invalid parameters").to_string();
        assert!(text.contains("c_puct is -1, expected a number above 0"), "{text}");
    }
}
