//! A network as an evaluator of searches.

use std::marker::PhantomData;
use std::time::{Duration, Instant};

use chase_engine::Wdl;
use chase_engine::search::{EvaluationError, Evaluations, Evaluator, Leaf};
use chase_models::inference::softmax;
use chase_models::{Encode, InferenceNetwork};

/// Evaluates leaves by a network, all of a batch at once.
#[derive(Debug)]
pub struct NetworkEvaluator<G: Encode> {
    network: InferenceNetwork,
    encoding: G::Encoding,
    /// Input `[B, C, H, W]`.
    planes: Vec<f32>,
    times: EvaluationTimes,
    game: PhantomData<fn(&G)>,
}

/// What the time of evaluations was spent on.
#[derive(Clone, Copy, Debug, Default)]
pub struct EvaluationTimes {
    /// Positions to planes.
    pub encode: Duration,
    /// The network, from planes in memory to logits in memory.
    pub forward: Duration,
    /// Logits of the legal actions and probabilities of the result, for each leaf.
    pub read: Duration,
}

impl<G: Encode> NetworkEvaluator<G> {
    /// An evaluator that owns its network.
    pub fn new(network: InferenceNetwork, encoding: G::Encoding) -> Self {
        Self {
            network,
            encoding,
            planes: Vec::new(),
            times: EvaluationTimes::default(),
            game: PhantomData,
        }
    }

    /// What the time of all evaluations so far was spent on.
    pub const fn times(&self) -> EvaluationTimes {
        self.times
    }
}

impl<G: Encode> Evaluator<G> for NetworkEvaluator<G> {
    fn evaluate(&mut self, leaves: &[Leaf<'_, G>], evaluations: &mut Evaluations) -> Result<(), EvaluationError> {
        if leaves.is_empty() {
            return Ok(());
        }
        let begin = Instant::now();
        let shape = self.network.shape();
        self.planes.resize(leaves.len() * shape.input_size(), 0.0);
        for (planes, leaf) in self.planes.chunks_exact_mut(shape.input_size()).zip(leaves) {
            leaf.game.encode(&self.encoding, planes);
        }
        let encoded = Instant::now();
        let logits = self
            .network
            .forward(&self.planes)
            .map_err(|error| EvaluationError::Failed(error.to_string()))?;
        let evaluated = Instant::now();
        let rows = logits
            .policy
            .chunks_exact(shape.policy_size())
            .zip(logits.value.as_chunks().0);
        for (leaf, (policy, &value)) in leaves.iter().zip(rows) {
            let mut wdl: [f32; 3] = value;
            softmax(&mut wdl);
            let actions = leaf.actions.iter();
            evaluations.push(
                Wdl::new(wdl[0], wdl[1], wdl[2]),
                actions.map(|&action| policy[leaf.game.policy_index(action)]),
            );
        }
        self.times.encode += encoded - begin;
        self.times.forward += evaluated - encoded;
        self.times.read += evaluated.elapsed();
        Ok(())
    }
}
