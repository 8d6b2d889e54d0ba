//! A network as an evaluator for searches.

use std::marker::PhantomData;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use chase_engine::Encode;
use chase_engine::search::{EvaluationError, Evaluations, Evaluator, Leaf};
use chase_models::inference::Logits;
use chase_models::{Forward, InferenceNetwork};
use ndarray::{Array4, Axis, s};

use super::evaluation_cache::EvaluationCache;

/// Evaluates a batch of leaves with a network at once. The network is the evaluator's own, or a handle to one shared by
/// threads.
#[derive(Debug)]
pub struct NetworkEvaluator<G: Encode, N = InferenceNetwork> {
    network: N,
    encoding: G::Encoding,
    /// Input `[B, C, H, W]`, with room for the largest batch so far.
    planes: Array4<f32>,
    /// Indices of the policy logits of legal actions in the batch, leaf after leaf.
    legal: Vec<i64>,
    cache: Option<EvaluationCache>,
    /// The cache key of each leaf of a batch, and true if it was found in the cache.
    sought: Vec<(u64, bool)>,
    found: u64,
    times: EvaluationTimes,
    game: PhantomData<fn(&G)>,
}

/// The time of evaluations, by part.
#[derive(Clone, Copy, Debug, Default)]
pub struct EvaluationTimes {
    /// Positions to planes, and legal actions to policy indices.
    pub encode: Duration,
    /// The network, from planes in memory to logits in memory; includes waiting for a shared one.
    pub forward: Duration,
    /// Logits of the legal actions and probabilities of the result, for each leaf.
    pub read: Duration,
}

impl<G: Encode, N: Forward> NetworkEvaluator<G, N> {
    /// An evaluator that uses this network.
    pub fn new(network: N, encoding: G::Encoding) -> Self {
        Self {
            network,
            encoding,
            planes: Array4::zeros([0; 4]),
            legal: Vec::new(),
            cache: None,
            sought: Vec::new(),
            found: 0,
            times: EvaluationTimes::default(),
            game: PhantomData,
        }
    }

    /// Caches the evaluations of up to `capacity` positions.
    ///
    /// The last digits of an evaluation may depend on the size of its batch, so that with a cache the result of a
    /// search depends on earlier evaluations.
    #[must_use]
    pub fn with_cache(mut self, capacity: NonZeroUsize) -> Self {
        self.cache = Some(EvaluationCache::new(capacity));
        self
    }

    /// Number of evaluations so far that came from the cache.
    pub const fn found(&self) -> u64 {
        self.found
    }

    /// Time of all evaluations so far, by part.
    pub const fn times(&self) -> EvaluationTimes {
        self.times
    }
}

impl<G: Encode, N: Forward> Evaluator<G> for NetworkEvaluator<G, N> {
    fn evaluate(&mut self, leaves: &[Leaf<'_, G>], evaluations: &mut Evaluations) -> Result<(), EvaluationError> {
        if leaves.is_empty() {
            return Ok(());
        }
        let begin = Instant::now();
        let shape = self.network.shape();
        if self.planes.len_of(Axis(0)) < leaves.len() {
            self.planes = Array4::zeros(shape.batch(leaves.len()));
        }
        self.legal.clear();
        self.sought.clear();
        let mut unknown = 0;
        for leaf in leaves {
            let mut planes = self.planes.index_axis_mut(Axis(0), unknown);
            leaf.game.encode(&self.encoding, planes.view_mut());
            let sought = self.cache.as_mut().map_or((0, false), |cache| {
                let key = EvaluationCache::key(leaf.game.to_move(), planes.view());
                (key, cache.find(key))
            });
            self.sought.push(sought);
            if sought.1 {
                self.found += 1;
            } else {
                let indices = leaf.actions.iter().map(|&action| leaf.game.policy_index(action));
                let first_logit = unknown * shape.policy_size();
                self.legal.extend(indices.map(|index| (first_logit + index) as i64));
                unknown += 1;
            }
        }
        let encoded = Instant::now();
        let logits = match unknown {
            0 => None,
            _ => Some(
                self.network
                    .forward(self.planes.slice(s![..unknown, .., .., ..]), &self.legal)
                    .map_err(|error| EvaluationError::Failed(error.to_string()))?,
            ),
        };
        let evaluated = Instant::now();
        let mut policy = logits.map_or_else(Default::default, |logits| logits.policy);
        let mut values = logits.into_iter().flat_map(Logits::wdl);
        for (leaf, &(key, found)) in leaves.iter().zip(&self.sought) {
            match (&self.cache, found) {
                (Some(cache), true) => cache.push_onto(evaluations, key),
                _ => {
                    let (own, rest) = policy.split_at(leaf.actions.len());
                    let wdl = values.next().expect("the network has judged every position");
                    policy = rest;
                    evaluations.push(wdl, own.iter().copied());
                }
            }
        }
        if let Some(cache) = &mut self.cache {
            // Only now: inserting a new evaluation may evict one that was found for this batch.
            for (index, &(key, found)) in self.sought.iter().enumerate() {
                if let (false, Some(evaluation)) = (found, evaluations.get(index)) {
                    cache.insert(key, evaluation);
                }
            }
        }
        self.times.encode += encoded - begin;
        self.times.forward += evaluated - encoded;
        self.times.read += evaluated.elapsed();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::chase::{ChaseEncoding, Rules};
    use chase_engine::{Chase, Game, Wdl};
    use chase_models::device::Device;
    use chase_models::{Architecture, Network, Precision};
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;

    use super::*;

    fn evaluator(network: &Network) -> NetworkEvaluator<Chase> {
        let network = InferenceNetwork::new(network, Device::Cpu, Precision::F32).unwrap();
        NetworkEvaluator::new(network, ChaseEncoding::default())
    }

    /// The game after these actions, each an index among the legal ones.
    fn game(choices: &[usize]) -> Chase {
        let mut game = Chase::new(&Rules::default());
        let mut actions = Vec::new();
        for choice in choices {
            game.legal_actions(&mut actions);
            game.apply(actions[choice % actions.len()]);
        }
        game
    }

    fn evaluate(evaluator: &mut NetworkEvaluator<Chase>, games: &[Chase]) -> Vec<(Wdl, Vec<f32>)> {
        let actions: Vec<Vec<_>> = games
            .iter()
            .map(|game| {
                let mut actions = Vec::new();
                game.legal_actions(&mut actions);
                actions
            })
            .collect();
        let leaves: Vec<Leaf<'_, Chase>> = games
            .iter()
            .zip(&actions)
            .map(|(game, actions)| Leaf { game, actions })
            .collect();
        let mut evaluations = Evaluations::new();
        evaluator.evaluate(&leaves, &mut evaluations).unwrap();
        assert_eq!(evaluations.len(), games.len());
        let evaluation = |index| evaluations.get(index).unwrap();
        (0..games.len())
            .map(|index| (evaluation(index).wdl, evaluation(index).logits.to_vec()))
            .collect()
    }

    #[test]
    fn what_comes_again_is_not_asked_again_and_gets_its_own_answer() {
        let shape = Chase::shape(&ChaseEncoding::default());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let network = Network::new(&Architecture::default(), shape, Device::Cpu, &mut rng).unwrap();
        let (mut plain, mut cached) = (
            evaluator(&network),
            evaluator(&network).with_cache(NonZeroUsize::new(5).unwrap()),
        );
        let games: Vec<Chase> = [&[][..], &[1], &[2], &[1, 2], &[2, 1]].map(game).into();
        let expected = evaluate(&mut plain, &games);
        assert_eq!(plain.found(), 0);
        assert!(
            expected
                .iter()
                .all(|one| expected.iter().filter(|other| one == *other).count() == 1)
        );

        assert_eq!(evaluate(&mut cached, &games), expected);
        assert_eq!(cached.found(), 0);
        // Each position is now among others, some of them new; all batches have five, so that their arithmetic is the
        // same.
        let next: Vec<Chase> = [&[3][..], &[2, 1], &[4], &[], &[1]].map(game).into();
        let answers = evaluate(&mut cached, &next);
        assert_eq!(cached.found(), 3);
        assert_eq!(
            [&answers[1], &answers[3], &answers[4]],
            [&expected[4], &expected[0], &expected[1]]
        );
        let fresh = evaluate(&mut plain, &next);
        for index in [0, 2] {
            let (answer, fresh) = (&answers[index], &fresh[index]);
            let difference = answer
                .1
                .iter()
                .zip(&fresh.1)
                .map(|(a, b)| (a - b).abs())
                .fold(0.0, f32::max);
            assert!(
                answer.1.len() == fresh.1.len() && difference < 1e-4,
                "{index}: {difference}"
            );
        }
        // A batch of known positions only; the oldest of all, third and fourth, were evicted for the new ones.
        assert_eq!(evaluate(&mut cached, &next), answers);
        assert_eq!(cached.found(), 8);
        evaluate(&mut cached, &games[2..4]);
        assert_eq!(cached.found(), 8);
    }

    #[test]
    fn the_same_board_with_another_history_is_another_position() {
        let shape = Chase::shape(&ChaseEncoding::default());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let network = Network::new(&Architecture::default(), shape, Device::Cpu, &mut rng).unwrap();
        let mut cached = evaluator(&network).with_cache(NonZeroUsize::new(5).unwrap());
        let played = |moves: &[&str]| {
            let mut game = Chase::new(&Rules::default());
            for action in moves {
                game.apply(game.parse_action(action).unwrap());
            }
            game
        };
        let (first, again) = (played(&[]), played(&["1A2A1", "1I2I1", "1A1A2", "1I1I2"]));
        assert_eq!(
            first.position().all_dice().collect::<Vec<_>>(),
            again.position().all_dice().collect::<Vec<_>>()
        );
        let one = evaluate(&mut cached, &[first]);
        let other = evaluate(&mut cached, &[again]);
        assert_eq!(cached.found(), 0);
        assert_ne!(one, other);
    }
}
