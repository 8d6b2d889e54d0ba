//! State of the learner that a checkpoint holds in addition to the playing network: the network in training, and the
//! moments.

use chase_models::Network;
use chase_models::checkpoint::NamedTensors;
use tch::Tensor;
use toml::{Table, Value};

use super::Learner;
use super::replicas::copy;
use crate::config::Config;
use crate::learner::StateError;
use crate::settings::{Change, Keys, Settings, between};
use crate::store::serialised::toml_table;

/// A network, as far as the settings of a run determine it.
fn described(network: &Network) -> Table {
    let shape = Table::from_iter([(
        "shape".to_owned(),
        network.shape().input().map(|size| size as i64).to_vec().into(),
    )]);
    let sections = [("network", toml_table(network.architecture())), ("encoding", shape)];
    sections
        .map(|(name, section)| (name.to_owned(), Value::Table(section)))
        .into_iter()
        .collect()
}

impl Learner {
    /// The state to be saved in a checkpoint, next to [`Learner::average`] and [`Learner::steps`]: the next step
    /// depends on nothing else. The tensors are the learner's own.
    pub fn state(&self) -> NamedTensors {
        let networks = self.network.tensors();
        let mut state: NamedTensors = networks
            .map(|(name, tensor)| (format!("network.{name}"), tensor.shallow_clone()))
            .collect();
        let moments = self.optimizer.moments();
        state.extend(moments.map(|(name, tensor)| (name.into(), tensor.shallow_clone())));
        state
    }

    /// Resumes from a checkpoint: from its network, its state, and the number of its steps.
    ///
    /// # Errors
    /// If they belong to another network or optimizer; the learner is then unchanged.
    pub fn restore(&mut self, average: &Network, state: &NamedTensors, steps: u64) -> Result<(), StateError> {
        let [before, now] = [average, &self.network].map(described);
        Config::refuse(between(&before, &now, &Keys::of::<Config>()), Change::Branch)?;
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
        self.optimizer.resume(steps);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::Shape;
    use chase_models::{Architecture, Network};
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;
    use tch::Device;

    use crate::config::{LearnerConfig, OptimizerKind};
    use crate::kinds::residual::testing::{architecture, learner};

    #[test]
    fn another_network_is_told_in_words_of_the_configuration() {
        let mut learner = learner(&LearnerConfig::default());
        let shape = learner.average().shape();
        let mut told = |architecture: Architecture, shape: Shape| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
            let other = Network::new(&architecture, shape, Device::Cpu, &mut rng).unwrap();
            let state = learner.state();
            learner.restore(&other, &state, 3).unwrap_err().to_string()
        };
        let old = architecture();
        let larger = Architecture {
            blocks: old.blocks + 1,
            ..old.clone()
        };
        let expected = format!(
            "the run cannot continue with network.blocks = {} (was {}); learn its games with a new network: chase train --refit \
             DIR --set KEY=VALUE",
            old.blocks, larger.blocks
        );
        assert_eq!(told(larger, shape), expected);
        let planes = Shape {
            planes: shape.planes + 1,
            ..shape
        };
        let told = told(old, planes);
        let expected = format!(
            "encoding.shape[0] = {} (was {}); learn its games",
            shape.planes, planes.planes
        );
        assert!(told.contains(&expected), "{told}");
    }

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
