//! State of the learner that a checkpoint holds in addition to the playing network: the network in training, and the
//! moments.

use std::collections::{BTreeMap, BTreeSet};

use chase_models::checkpoint::NamedTensors;
use chase_models::{Architecture, Network, Shape};
use tch::{TchError, Tensor};
use toml::{Table, Value};

use super::Learner;
use super::replicas::copy;
use crate::serialised::toml_table;

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
    /// The configuration is for another network than the checkpoint's.
    #[error("{}; a run keeps its network, but a new one can learn its games: chase train --refit DIR{}", told(.0), options(.0))]
    Network(Vec<OtherSetting>),
    /// libtorch failed.
    #[error("libtorch: {0}")]
    Torch(#[from] TchError),
}

/// A setting that is not as a checkpoint's network has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherSetting {
    /// The key, or what several of them determine.
    what: String,
    value: String,
    /// Its value for the network.
    of_checkpoint: String,
}

fn told(others: &[OtherSetting]) -> String {
    let told = others.iter().map(|other| {
        let OtherSetting {
            what,
            value,
            of_checkpoint,
        } = other;
        format!("{what} is {value}, but the checkpoint has {of_checkpoint}")
    });
    told.collect::<Vec<_>>().join("; ")
}

/// The options that set these keys.
fn options(others: &[OtherSetting]) -> String {
    let keys = others.iter().filter(|other| other.what.starts_with("network."));
    keys.map(|other| format!(" --set {}={}", other.what, other.value))
        .collect()
}

/// The settings that differ between a configuration's network and a checkpoint's.
fn others(configured: (&Architecture, Shape), checkpoint: (&Architecture, Shape)) -> Vec<OtherSetting> {
    let [values, of_checkpoint] = [configured.0, checkpoint.0].map(|network| leaves("network", &toml_table(network)));
    let keys: BTreeSet<&String> = values.keys().chain(of_checkpoint.keys()).collect();
    // The only key that is not always written is one that is then false.
    let value = |of: &BTreeMap<String, String>, key: &str| of.get(key).map_or("false", String::as_str).to_owned();
    let settings = keys.into_iter().map(|key| OtherSetting {
        what: key.clone(),
        value: value(&values, key),
        of_checkpoint: value(&of_checkpoint, key),
    });
    let shape = OtherSetting {
        what: "the shape that the game and its encoding need".to_owned(),
        value: format!("{:?}", configured.1.input()),
        of_checkpoint: format!("{:?}", checkpoint.1.input()),
    };
    let all = settings.chain([shape]);
    all.filter(|setting| setting.value != setting.of_checkpoint).collect()
}

/// The values of a table and its inner ones, by their keys.
fn leaves(section: &str, table: &Table) -> BTreeMap<String, String> {
    let values = table.iter().flat_map(|(key, value)| {
        let key = format!("{section}.{key}");
        match value {
            Value::Table(inner) => leaves(&key, inner),
            value => BTreeMap::from([(key, value.to_string())]),
        }
    });
    values.collect()
}

impl Learner {
    /// The state to be saved in a checkpoint, next to [`Learner::average`] and [`Learner::steps`]: the next step
    /// depends on nothing else. The tensors are the learner's own.
    pub fn state(&self) -> NamedTensors {
        let networks = self.network.tensors();
        let mut state: NamedTensors = networks
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
    pub fn restore(&mut self, average: &Network, state: &NamedTensors, steps: u64) -> Result<(), StateError> {
        let [found, expected] = [average, &self.network].map(|network| (network.architecture(), network.shape()));
        if found != expected {
            return Err(StateError::Network(others(expected, found)));
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

    use chase_models::Shape;
    use chase_models::architecture::Auxiliary;

    use super::{StateError, others};
    use crate::config::{LearnerConfig, OptimizerKind};
    use crate::learner::testing::{architecture, learner};

    #[test]
    fn another_network_is_told_in_words_of_the_configuration() {
        let shape = Shape {
            planes: 3,
            height: 6,
            width: 7,
            policy_planes: 1,
        };
        let (old, mut new) = (architecture(), architecture());
        (new.blocks, new.wrap_rows) = (old.blocks + 1, !old.wrap_rows);
        new.auxiliary = Auxiliary {
            occupancy: !old.auxiliary.occupancy,
            ..old.auxiliary
        };
        let told = StateError::Network(others((&new, shape), (&old, shape))).to_string();
        let occupancy = (new.auxiliary.occupancy, old.auxiliary.occupancy);
        let expected = format!(
            "network.auxiliary.occupancy is {}, but the checkpoint has {}; network.blocks is {}, but the checkpoint has {}; \
             network.wrap_rows is {}, but the checkpoint has {}; a run keeps its network, but a new one can learn its games: \
             chase train --refit DIR --set network.auxiliary.occupancy={} --set network.blocks={} --set network.wrap_rows={}",
            occupancy.0,
            occupancy.1,
            new.blocks,
            old.blocks,
            new.wrap_rows,
            old.wrap_rows,
            occupancy.0,
            new.blocks,
            new.wrap_rows
        );
        assert_eq!(told, expected);
        let wider = Shape { planes: 4, ..shape };
        let told = StateError::Network(others((&old, wider), (&old, shape))).to_string();
        assert!(
            told.contains("is [4, 6, 7], but the checkpoint has [3, 6, 7]"),
            "{told}"
        );
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
