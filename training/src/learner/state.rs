//! State of the learner that a checkpoint holds in addition to the playing network: the network in training, and the
//! moments.

use chase_models::Network;
use chase_models::checkpoint::State;
use tch::{TchError, Tensor};

use super::Learner;
use super::replicas::copy;

/// Error returned when a learner cannot continue from a checkpoint.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum StateError {
    /// The state belongs to another learner.
    #[error("state of the learner: tensor `{tensor}` is {found}, expected {expected}")]
    Mismatch {
        tensor: String,
        /// Its shape in the state, or `absent`.
        found: String,
        /// Its shape here, or `absent`.
        expected: String,
    },
    /// The checkpoint's network has another architecture.
    #[error("the checkpoint's network is {found}, expected {expected} as the configuration says")]
    Network { found: String, expected: String },
    /// libtorch failed.
    #[error("libtorch: {0}")]
    Torch(#[from] TchError),
}

impl Learner {
    /// The state to be saved in a checkpoint, next to [`Learner::average`] and [`Learner::steps`]: the next step
    /// depends on nothing else. The tensors are the learner's own.
    pub fn state(&self) -> State {
        let networks = self.network.tensors();
        let mut state: State = networks
            .map(|(name, tensor)| (format!("network.{name}"), tensor.shallow_clone()))
            .collect();
        state.insert("optimizer.first".into(), self.optimizer.first.shallow_clone());
        if let Some(second) = &self.optimizer.second {
            state.insert("optimizer.second".into(), second.shallow_clone());
        }
        state
    }

    /// Resumes from a checkpoint: from its network, its state, and the number of its steps.
    ///
    /// # Errors
    /// If they belong to another network or optimizer; the learner is then unchanged.
    pub fn restore(&mut self, average: &Network, state: &State, steps: u64) -> Result<(), StateError> {
        let (found, expected) = (average.architecture(), self.network.architecture());
        if found != expected || average.shape() != self.network.shape() {
            return Err(StateError::Network {
                found: format!("{found:?} for {:?}", average.shape()),
                expected: format!("{expected:?} for {:?}", self.network.shape()),
            });
        }
        let own = self.state();
        let describe = |tensor: Option<&Tensor>| {
            tensor.map_or("absent".to_owned(), |tensor| {
                format!("{:?} {:?}", tensor.kind(), tensor.size())
            })
        };
        for name in own.keys().chain(state.keys()) {
            // libtorch would broadcast a tensor of another shape.
            let (found, expected) = (describe(state.get(name)), describe(own.get(name)));
            if found != expected {
                return Err(StateError::Mismatch {
                    tensor: name.clone(),
                    found,
                    expected,
                });
            }
        }
        tch::no_grad(|| {
            for (tensor, saved) in own.into_values().zip(state.values()) {
                let mut tensor = tensor;
                tensor.f_copy_(saved)?;
            }
            copy(average, &self.average)
        })?;
        self.optimizer.steps = steps;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use crate::config::{LearnerConfig, OptimizerKind};
    use crate::learner::testing::learner;

    #[test]
    fn states_of_other_learners_are_refused() {
        let adamw = learner(&LearnerConfig::default());
        let mut sgd = learner(&LearnerConfig {
            optimizer: OptimizerKind::Sgd,
            ..LearnerConfig::default()
        });
        let error = sgd.restore(adamw.average(), &adamw.state(), 3).unwrap_err().to_string();
        assert!(error.contains("`optimizer.second` is Float"), "{error}");
        assert!(error.contains("expected absent"), "{error}");
        assert_eq!(sgd.steps(), 0);
        let mut state = adamw.state();
        state.insert("optimizer.first".into(), tch::Tensor::from_slice(&[1f32]));
        let error = learner(&LearnerConfig::default())
            .restore(adamw.average(), &state, 3)
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("`optimizer.first` is Float [1], expected Float ["),
            "{error}"
        );
    }
}
