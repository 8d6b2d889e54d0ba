//! Gumbel AlphaZero: Danihelka, Guez, Schrittwieser and Silver, *Policy improvement by planning with Gumbel*, ICLR
//! 2022. Numbers agree with DeepMind's mctx without its rescaling of values.

use rand::rngs::Xoshiro256PlusPlus;
use rand_distr::{Distribution, Gumbel};

use super::params::GumbelParams;
use super::tree::Edges;
use crate::Value;

/// Q of every action, where the mixed value (appendix D of the paper) stands in for actions without visits, and the
/// monotonic transformation σ of the result.
#[derive(Clone, Copy, Debug)]
pub(super) struct CompletedQ {
    mixed: f32,
    scale: f32,
}

impl CompletedQ {
    /// `evaluation` is the evaluator's value of the node for the player to move.
    pub fn new(params: &GumbelParams, evaluation: Value, edges: Edges<'_>) -> Self {
        let (mut visits, mut greatest) = (0, 0);
        let (mut mass, mut weighted) = (0.0, 0.0);
        for ((&prior, &n), &q) in edges.priors.iter().zip(edges.visits).zip(edges.q) {
            if n > 0 {
                // Avoids a division by zero for a visited action with prior 0.
                let prior = prior.max(f32::MIN_POSITIVE);
                visits += n;
                greatest = greatest.max(n);
                mass += prior;
                weighted += prior * bounded(q);
            }
        }
        let searched = if visits == 0 { 0.0 } else { weighted / mass };
        let visits = visits as f32;
        Self {
            // As published. 0.1 less for unvisited actions brings −3 Elo [−46, 40] (study 0040).
            mixed: (evaluation.0 + visits * searched) / (1.0 + visits),
            scale: (params.c_visit + greatest as f32) * params.c_scale,
        }
    }

    /// σ(completed Q) of an action.
    pub fn transformed(&self, visits: u32, q: f32) -> f32 {
        self.scale * if visits == 0 { self.mixed } else { bounded(q) }
    }
}

/// Q of a proven loss as a finite number.
fn bounded(q: f32) -> f32 {
    q.max(Value::LOSS.0)
}

/// The improved policy softmax(logits + σ(completed Q)), one probability for each action (equation 11).
pub(super) fn improved_policy(params: &GumbelParams, evaluation: Value, edges: Edges<'_>, policy: &mut Vec<f32>) {
    let completed = CompletedQ::new(params, evaluation, edges);
    let transformed = || {
        edges
            .visits
            .iter()
            .zip(edges.q)
            .map(|(&n, &q)| completed.transformed(n, q))
    };
    let greatest = transformed().fold(f32::NEG_INFINITY, f32::max);
    // All actions without visits share one exponential, and most actions have none.
    let unvisited = (completed.transformed(0, 0.0) - greatest).exp();
    policy.clear();
    policy.extend(
        edges
            .priors
            .iter()
            .zip(edges.visits)
            .zip(edges.q)
            .map(|((&prior, &n), &q)| {
                let factor = match n {
                    0 => unvisited,
                    _ => (completed.transformed(n, q) - greatest).exp(),
                };
                prior.max(f32::MIN_POSITIVE) * factor
            }),
    );
    let sum: f32 = policy.iter().sum();
    policy.iter_mut().for_each(|probability| *probability /= sum);
}

/// Selects below the root so that visits approach the improved policy (section 5 of the paper).
pub(super) fn select_interior(
    params: &GumbelParams,
    evaluation: Value,
    edges: Edges<'_>,
    policy: &mut Vec<f32>,
) -> usize {
    improved_policy(params, evaluation, edges, policy);
    let total = 1.0 + edges.visits.iter().sum::<u32>() as f32;
    argmax(
        policy
            .iter()
            .zip(edges.visits)
            .zip(edges.q)
            .map(|((&probability, &n), &q)| {
                if q == super::tree::LOST {
                    q
                } else {
                    probability - n as f32 / total
                }
            }),
    )
}

/// The visits, among those of this search, that an action must have to be selected at the root in simulation number
/// `simulation`, from 0: sequential halving of `considered` actions (mctx `get_sequence_of_considered_visits`).
///
/// Computed for a single simulation instead of a list, since there may be more simulations than memory.
pub(super) fn scheduled_visits(considered: u32, simulations: u32, simulation: u32) -> u32 {
    if considered <= 1 {
        return simulation;
    }
    let phases = considered.next_power_of_two().ilog2();
    // State at the beginning of a phase.
    let (mut considered, mut visits, mut simulation) = (considered, 0, simulation);
    loop {
        let rounds = (simulations / (phases * considered)).max(1);
        if simulation < rounds * considered {
            return visits + simulation / considered;
        }
        simulation -= rounds * considered;
        visits += rounds;
        considered = (considered / 2).max(2);
    }
}

/// Standard Gumbel noise for `count` actions, scaled.
pub(super) fn sample_gumbel(scale: f32, count: usize, rng: &mut Xoshiro256PlusPlus, noise: &mut Vec<f32>) {
    noise.clear();
    if scale == 0.0 {
        // Deterministic play.
        noise.resize(count, 0.0);
        return;
    }
    // In double precision: in single precision one sample in 2²⁴ would be infinite.
    let gumbel = Gumbel::new(0.0, f64::from(scale)).expect("the scale is validated: a number of 0 or more");
    noise.extend((0..count).map(|_| gumbel.sample(rng) as f32));
}

/// The root action with the greatest noise + logit + σ(completed Q), among those whose index is `open`.
pub(super) fn best_of_root(
    params: &GumbelParams,
    evaluation: Value,
    noise: &[f32],
    edges: Edges<'_>,
    open: impl Fn(usize) -> bool,
) -> usize {
    let completed = CompletedQ::new(params, evaluation, edges);
    argmax(noise.iter().enumerate().map(|(index, &noise)| {
        if open(index) {
            let logit = edges.priors[index].max(f32::MIN_POSITIVE).ln();
            noise + logit + completed.transformed(edges.visits[index], edges.q[index])
        } else {
            f32::NEG_INFINITY
        }
    }))
}

/// Index of the greatest value, the first of equals.
fn argmax(values: impl Iterator<Item = f32>) -> usize {
    let mut best = (0, f32::NEG_INFINITY);
    for (index, value) in values.enumerate() {
        if value > best.1 {
            best = (index, value);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs of equal visit counts, as `(visits, times)`.
    fn runs(considered: u32, simulations: u32) -> Vec<(u32, u32)> {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for simulation in 0..simulations {
            let visits = scheduled_visits(considered, simulations, simulation);
            match runs.last_mut() {
                Some((last, times)) if *last == visits => *times += 1,
                _ => runs.push((visits, 1)),
            }
        }
        runs
    }

    #[test]
    fn schedules_agree_with_mctx() {
        // The expected values of mctx's own tests (seq_halving_test.py).
        let pairs = |from: u32, to: u32| (from..to).map(|visits| (visits, 2));
        let mut expected = vec![(0, 8), (1, 4), (2, 4)];
        expected.extend(pairs(3, 7));
        assert_eq!(runs(8, 24), expected);
        let mut expected = vec![(0, 8), (1, 4), (2, 4), (3, 4)];
        expected.extend(pairs(4, 17));
        expected.push((17, 1));
        assert_eq!(runs(8, 47), expected);
        assert_eq!(runs(8, 2), [(0, 2)]);
        assert_eq!(runs(8, 13), [(0, 8), (1, 4), (2, 1)]);
        let mut expected = vec![(0, 7), (1, 3), (2, 3)];
        expected.extend(pairs(3, 8));
        expected.push((8, 1));
        assert_eq!(runs(7, 24), expected);
        let single: Vec<(u32, u32)> = (0..16).map(|visits| (visits, 1)).collect();
        assert_eq!(runs(0, 16), single);
        assert_eq!(runs(1, 16), single);
        assert_eq!(runs(16, 0), []);
    }

    /// The whole list at once, as mctx makes it.
    fn schedule(considered: u32, simulations: usize) -> Vec<u32> {
        let phases = considered.next_power_of_two().ilog2() as usize;
        let mut considered = considered as usize;
        let (mut schedule, mut visits) = (Vec::new(), 0);
        while schedule.len() < simulations {
            for _ in 0..(simulations / (phases * considered)).max(1) {
                schedule.extend(std::iter::repeat_n(visits, considered));
                visits += 1;
            }
            considered = (considered / 2).max(2);
        }
        schedule.truncate(simulations);
        schedule
    }

    #[test]
    fn each_simulation_is_told_its_place_in_the_schedule() {
        for considered in 2..=80 {
            for simulations in (0..100).chain([127, 200, 800, 1001]) {
                let told = (0..simulations).map(|simulation| scheduled_visits(considered, simulations, simulation));
                assert!(
                    told.eq(schedule(considered, simulations as usize)),
                    "{considered} actions, {simulations} simulations"
                );
            }
        }
        // The largest possible number: four phases leave 30 simulations, which the last two actions share.
        let phases: u32 = [16, 8, 4, 2].iter().map(|considered| u32::MAX / (4 * considered)).sum();
        assert_eq!(scheduled_visits(16, u32::MAX, u32::MAX - 1), phases + 14);
    }

    #[test]
    fn the_mixed_value_agrees_with_mctx() {
        // The tree of mctx's own test (qtransforms_test.py): logits −∞, −1, 2, −∞ and four visits to each of the two.
        let probability = 1.0 / (1.0 + 3.0_f32.exp());
        let scale = 10.0 / 54.0;
        let edges = Edges {
            priors: &[0.0, probability, 1.0 - probability, 0.0],
            visits: &[0, 4, 4, 0],
            q: &[20.0 * scale, 3.0 * scale, -scale, 10.0 * scale],
        };
        let params = GumbelParams::default();
        let completed = CompletedQ::new(&params, Value(-0.8), edges);
        let searched = probability * 3.0 * scale - (1.0 - probability) * scale;
        assert!((completed.mixed - (-0.8 + 8.0 * searched) / 9.0).abs() < 1e-6);
        // c_visit 50 and four visits.
        assert!((completed.transformed(4, 0.5) - 27.0).abs() < 1e-5);
        assert_eq!(completed.transformed(0, 0.5), 54.0 * completed.mixed);
    }

    #[test]
    fn extreme_priors_and_values_leave_numbers() {
        let edges = Edges {
            priors: &[0.0, 1.0, 0.0],
            visits: &[3, 0, 1],
            q: &[super::super::tree::LOST, 0.0, 1.0],
        };
        let params = GumbelParams {
            c_visit: 1e6,
            ..GumbelParams::default()
        };
        let mut policy = Vec::new();
        improved_policy(&params, Value(-1.0), edges, &mut policy);
        assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{policy:?}");
        assert_eq!(select_interior(&params, Value(-1.0), edges, &mut policy), 2);
    }
}
