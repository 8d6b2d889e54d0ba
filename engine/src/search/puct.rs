//! PUCT: selection by upper confidence bounds, and the priors of a root with noise.
//!
//! Silver et al., *A general reinforcement learning algorithm that masters chess, shogi, and Go through self-play*,
//! Science 2018; first-play urgency and noise as in KataGo.

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use rand_distr::{Distribution, Gamma};

use super::params::{DirichletNoise, PuctParams};
use super::tree::{Edges, Node};

/// The Q of actions without visits: the mean of their node minus `reduction` times the root of the prior mass visited.
/// The form is KataGo's: the more of the policy was tried, the less is expected of the rest. Not measured here.
pub(super) fn first_play_urgency(reduction: f32, node: &Node) -> f32 {
    node.value(node.to_move).0 - reduction * node.visited_prior.sqrt()
}

/// The reduction of first-play urgency at a root: none with noise, so that every action has its chance.
pub(super) const fn root_reduction(params: &PuctParams) -> f32 {
    if params.noise.is_some() {
        0.0
    } else {
        params.fpu_reduction
    }
}

/// The edge with the greatest upper confidence bound, the first of equals.
///
/// `priors` replace those of `edges`; `first_play` is the Q of actions without visits; `visits` are the node's, which,
/// like those of `edges`, include visits in progress.
pub(super) fn select(c_puct: f32, visits: u32, first_play: f32, priors: &[f32], edges: Edges<'_>) -> usize {
    // A constant weight: AlphaZero's grows with visits and KataGo's with variance, which was not measured here.
    let exploration = c_puct * (visits as f32).sqrt();
    let mut best = 0;
    let mut best_score = f32::NEG_INFINITY;
    for (index, ((&prior, &visits), &q)) in priors.iter().zip(edges.visits).zip(edges.q).enumerate() {
        let q = if visits == 0 { first_play } else { q };
        let score = q + exploration * prior / (1.0 + visits as f32);
        if score > best_score {
            best = index;
            best_score = score;
        }
    }
    best
}

/// The priors for selection at a root, from the evaluator's and a sample of Dirichlet noise.
pub(super) fn root_priors(params: &PuctParams, priors: &[f32], noise: &[f32], root: &mut Vec<f32>) {
    root.clear();
    root.extend_from_slice(priors);
    if params.root_policy_temperature != 1.0 {
        let exponent = 1.0 / params.root_policy_temperature;
        let greatest = priors.iter().copied().fold(0.0, f32::max);
        // Divided by the greatest first: powers of small numbers could all underflow.
        root.iter_mut()
            .for_each(|prior| *prior = (*prior / greatest).powf(exponent));
        let sum: f32 = root.iter().sum();
        root.iter_mut().for_each(|prior| *prior /= sum);
    }
    if let Some(DirichletNoise { fraction, .. }) = params.noise {
        for (prior, &noise) in root.iter_mut().zip(noise) {
            *prior += fraction * (noise - *prior);
        }
    }
}

/// A sample from the symmetric Dirichlet distribution over `count` actions with the given total concentration.
pub(super) fn sample_dirichlet(total: f32, count: usize, rng: &mut Xoshiro256PlusPlus, sample: &mut Vec<f32>) {
    sample.clear();
    if count == 0 {
        return;
    }
    let gamma = Gamma::new(f64::from(total) / count as f64, 1.0);
    let gamma = gamma.expect("the concentration is validated: a number above 0");
    // Summed in advance, on a copy of the generator: terms of a small concentration underflow in single precision, but
    // the shares of their sum do not.
    let mut ahead = rng.clone();
    let sum: f64 = (0..count).map(|_| gamma.sample(&mut ahead)).sum();
    sample.extend((0..count).map(|_| (gamma.sample(rng) / sum) as f32));
    if sum == 0.0 {
        // With concentrations so small that every term underflows, the limit is a single action.
        sample.fill(0.0);
        sample[rng.random_range(0..count)] = 1.0;
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn dirichlet_noise_has_its_mean_and_variance() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let (total, count, samples) = (10.83, 40, 20_000);
        let (mut sum, mut squares) = (0.0, 0.0);
        let mut sample = Vec::new();
        for _ in 0..samples {
            sample_dirichlet(total, count, &mut rng, &mut sample);
            assert_eq!(sample.len(), count);
            assert!((sample.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            sum += f64::from(sample[7]);
            squares += f64::from(sample[7]).powi(2);
        }
        let mean = sum / f64::from(samples);
        let variance = squares / f64::from(samples) - mean * mean;
        // Mean 1/n and variance (n − 1) / (n² (α₀ + 1)); bounds of five standard errors.
        let expected = 39.0 / (1600.0 * (f64::from(total) + 1.0));
        assert!(
            (mean - 0.025).abs() < 5.0 * (expected / f64::from(samples)).sqrt(),
            "mean {mean}"
        );
        assert!(
            (variance / expected - 1.0).abs() < 0.15,
            "variance {variance} for {expected}"
        );
    }

    #[test]
    fn small_concentrations_leave_one_action() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut sample = Vec::new();
        // Terms that are 0 in single precision, and for the last total in any precision.
        for total in [0.03, 0.001, f32::MIN_POSITIVE] {
            let mut taken = [false; 40];
            for _ in 0..2000 {
                sample_dirichlet(total, 40, &mut rng, &mut sample);
                assert!(
                    (sample.iter().sum::<f32>() - 1.0).abs() < 1e-5,
                    "total {total}: {sample:?}"
                );
                let greatest = sample.iter().copied().fold(0.0, f32::max);
                taken[sample.iter().position(|&share| share == greatest).unwrap_or(0)] = true;
                assert!(total > 0.001 || greatest > 0.5, "total {total}: {sample:?}");
            }
            assert_eq!(taken, [true; 40], "total {total}: every action has its turn");
        }
    }

    #[test]
    fn a_forced_move_takes_all_the_noise() {
        let mut sample = Vec::new();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        sample_dirichlet(10.83, 1, &mut rng, &mut sample);
        assert_eq!(sample, [1.0]);
        sample_dirichlet(10.83, 0, &mut rng, &mut sample);
        assert!(sample.is_empty());
        sample_dirichlet(f32::MIN_POSITIVE, 3, &mut rng, &mut sample);
        assert!((sample.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{sample:?}");
    }

    #[test]
    fn root_policy_temperature_is_a_power_and_noise_a_mix() {
        let mut root = Vec::new();
        let params = PuctParams {
            root_policy_temperature: 2.0,
            ..PuctParams::default()
        };
        root_priors(&params, &[0.64, 0.32, 0.04], &[], &mut root);
        let powers = [0.8_f32, 0.32_f32.sqrt(), 0.2];
        let sum: f32 = powers.iter().sum();
        for (prior, power) in root.iter().zip(powers) {
            assert!((prior - power / sum).abs() < 1e-6);
        }
        let params = PuctParams {
            noise: Some(DirichletNoise::default()),
            ..PuctParams::default()
        };
        root_priors(&params, &[0.64, 0.32, 0.04], &[0.0, 0.0, 1.0], &mut root);
        for (prior, expected) in root.iter().zip([0.48, 0.24, 0.28]) {
            assert!((prior - expected).abs() < 1e-6);
        }
    }
}
