//! The learner's state on disk: weights, averages and moments, bit by bit.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use tch::{Kind, TchError, Tensor};

use super::Learner;
use crate::files::{self, FileError};

/// Why a state cannot be saved or loaded.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is no safetensors file, or cannot be written as one.
    #[error("{}: {source}", path.display())]
    Torch {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: TchError,
    },
    /// The file is the state of something else.
    #[error("{}: tensor `{tensor}` is {found}, expected {expected}", path.display())]
    Mismatch {
        /// The file.
        path: PathBuf,
        /// The tensor.
        tensor: String,
        /// Its kind and shape in the file, or `absent`.
        found: String,
        /// Its kind and shape here, or `absent`.
        expected: String,
    },
}

impl Learner {
    /// Every tensor of the state, by its name in the file. They are the learner's own.
    fn state(&self) -> Vec<(String, Tensor)> {
        let named = |prefix: &'static str| {
            move |(name, tensor): (&str, &Tensor)| (format!("{prefix}.{name}"), tensor.shallow_clone())
        };
        let mut state: Vec<_> = self.network.tensors().map(named("network")).collect();
        state.extend(self.average.tensors().map(named("average")));
        state.push(("optimizer.first".into(), self.optimizer.first.shallow_clone()));
        if let Some(second) = &self.optimizer.second {
            state.push(("optimizer.second".into(), second.shallow_clone()));
        }
        state
    }

    /// Writes the whole state as a safetensors file, whole or not at all.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), StateError> {
        let temporary = files::temporary_name(path);
        let torch = |source| StateError::Torch {
            path: temporary.clone(),
            source,
        };
        let mut tensors = self.state();
        let steps = i64::try_from(self.optimizer.steps).unwrap_or(i64::MAX);
        tensors.push(("steps".into(), Tensor::f_from_slice(&[steps]).map_err(torch)?));
        for (_, tensor) in &mut tensors {
            *tensor = tensor
                .f_detach()
                .and_then(|tensor| tensor.f_to_device(tch::Device::Cpu))
                .map_err(torch)?;
        }
        let written = Tensor::write_safetensors(&tensors, &temporary).map_err(torch);
        let written = written.and_then(|()| {
            let synced = File::open(&temporary).and_then(|file| file.sync_all());
            synced.map_err(FileError::of("synchronise", &temporary))?;
            Ok(fs::rename(&temporary, path).map_err(FileError::of("write", path))?)
        });
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        written?;
        Ok(files::sync_parent(path)?)
    }

    /// Takes over a state that [`Learner::save`] wrote.
    ///
    /// # Errors
    /// If the file cannot be read, or belongs to another network or optimizer; nothing has changed then.
    pub fn load(&mut self, path: &Path) -> Result<(), StateError> {
        let torch = |source| StateError::Torch {
            path: path.into(),
            source,
        };
        // For the clear message; the reader's own does not name the reason in words.
        File::open(path).map_err(FileError::of("open", path))?;
        let mut saved: HashMap<String, Tensor> = Tensor::read_safetensors(path).map_err(torch)?.into_iter().collect();
        let mismatch = |tensor: &str, found: String, expected: String| StateError::Mismatch {
            path: path.into(),
            tensor: tensor.into(),
            found,
            expected,
        };
        let describe = |tensor: &Tensor| format!("{:?} {:?}", tensor.kind(), tensor.size());
        let absent = || "absent".to_owned();

        let steps = saved
            .remove("steps")
            .ok_or_else(|| mismatch("steps", absent(), "Int64 [1]".into()))?;
        if (steps.kind(), steps.size()) != (Kind::Int64, vec![1]) {
            return Err(mismatch("steps", describe(&steps), "Int64 [1]".into()));
        }
        let steps = steps.f_int64_value(&[0]).map_err(torch)?;
        let state = self.state();
        for (name, tensor) in &state {
            let found = saved.get(name).map_or_else(absent, describe);
            let expected = describe(tensor);
            // libtorch would copy a tensor of another shape by repeating it.
            if found != expected {
                return Err(mismatch(name, found, expected));
            }
        }
        if saved.len() > state.len() {
            let known = |name: &String| state.iter().any(|(known, _)| known == name);
            if let Some((name, tensor)) = saved.iter().find(|(name, _)| !known(name)) {
                return Err(mismatch(name, describe(tensor), absent()));
            }
        }
        tch::no_grad(|| {
            state
                .into_iter()
                .try_for_each(|(name, mut tensor)| match saved.get(&name) {
                    Some(content) => tensor.f_copy_(content),
                    None => Ok(()),
                })
        })
        .map_err(torch)?;
        self.optimizer.steps = steps.max(0) as u64;
        debug_assert_eq!(self.optimizer.is_adamw(), self.optimizer.second.is_some());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use crate::config::{LearnerConfig, OptimizerKind};
    use crate::learner::testing::learner;

    #[test]
    fn states_of_other_learners_and_damaged_ones_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("learner.safetensors");
        let adamw = LearnerConfig::default();
        let sgd = LearnerConfig {
            optimizer: OptimizerKind::Sgd,
            ..LearnerConfig::default()
        };
        learner(&adamw).save(&path).unwrap();
        let refused = |config: &LearnerConfig| learner(config).load(&path).unwrap_err().to_string();
        assert!(
            refused(&sgd).contains("tensor `optimizer.second` is Float"),
            "{}",
            refused(&sgd)
        );
        learner(&sgd).save(&path).unwrap();
        assert!(refused(&adamw).contains("tensor `optimizer.second` is absent, expected Float"));
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 7]).unwrap();
        assert!(refused(&sgd).contains("learner.safetensors"), "{}", refused(&sgd));
        std::fs::remove_file(&path).unwrap();
        assert!(refused(&sgd).contains("cannot open"));
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    }
}
