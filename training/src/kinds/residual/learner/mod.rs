//! The learner of residual networks: from batches of rows to better weights.

mod loss;
mod replicas;
mod state;

use chase_engine::{Mirror, Shape};
use chase_models::mirror::Ties;
use chase_models::{Architecture, Network};
use rand::rngs::Xoshiro256PlusPlus;
use tch::{Device, TchError};

use self::replicas::Replicas;
use crate::config::LearnerConfig;
use crate::learner::{LearnError, Optimizer, StepReport, rate};
use crate::replay::Batch;

/// A network in training, the average of its weights that plays, and the state of the optimizer.
#[derive(Debug)]
pub struct Learner {
    config: LearnerConfig,
    network: Network,
    replicas: Replicas,
    /// Of a network that treats mirror images alike.
    ties: Option<Ties>,
    average: Network,
    optimizer: Optimizer,
    /// The step from which the rate warms up.
    warm_up_from: u64,
}

impl Learner {
    /// Creates a learner with random weights. The `mirror` of the game is for networks with [`Architecture::mirror`].
    ///
    /// # Errors
    /// If the network cannot be created on the device, or must treat mirror images alike in a game without a mirror.
    pub fn new(
        config: &LearnerConfig,
        architecture: &Architecture,
        shape: Shape,
        mirror: Option<&Mirror>,
        device: Device,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Result<Self, LearnError> {
        chase_models::device::single_threaded();
        let network = Network::new(architecture, shape, device, &mut rng.clone())?;
        let ties = match (architecture.mirror, mirror) {
            (false, _) => None,
            (true, Some(mirror)) => Some(Ties::new(&network, mirror)?),
            (true, None) => return Err(LearnError::NoMirror),
        };
        if let Some(ties) = &ties {
            ties.equalise(&network)?;
        }
        let replicas = Replicas::new(&network, config.replicas as usize, rng)?;
        let average = Network::new(architecture, shape, device, rng)?;
        replicas::copy(&network, &average)?;
        let parameters = network.trainable().map(|(_, tensor)| tensor);
        let optimizer = Optimizer::new(config, parameters, device)?;
        Ok(Self {
            config: config.clone(),
            network,
            replicas,
            ties,
            average,
            optimizer,
            warm_up_from: 0,
        })
    }

    /// The same learner under other settings, of which the parts of a batch and the optimizer are the same.
    pub(crate) fn follow(&mut self, config: LearnerConfig) {
        self.config = config;
    }

    /// Has the rate warm up from this step on.
    pub(crate) const fn warm_up_from(&mut self, step: u64) {
        self.warm_up_from = step;
    }

    /// The network in training.
    pub const fn network(&self) -> &Network {
        &self.network
    }

    /// The playing network: an exponential average of the one in training, or a copy of it.
    pub const fn average(&self) -> &Network {
        &self.average
    }

    /// Steps made so far.
    pub const fn steps(&self) -> u64 {
        self.optimizer.steps()
    }

    /// Makes one step. `progress` is the finished part of the run, from 0 to 1. The threads of the current pool work on
    /// the parts of the batch.
    ///
    /// # Errors
    /// If the loss or the gradient is not finite, or libtorch fails. The weights are then unchanged, but the running
    /// statistics of normalisations may have changed: continue from a saved state.
    pub fn step(&mut self, batch: &Batch, progress: f64) -> Result<StepReport, LearnError> {
        chase_models::device::single_threaded();
        let step = self.steps();
        let (mut gradient, norm, losses) =
            self.replicas
                .gradient(&mut self.network, self.ties.as_ref(), batch, &self.config)?;
        LearnError::diverged(step, "loss", losses.total)?;
        let norm = LearnError::diverged(step, "gradient's norm", norm)?;
        tch::no_grad(|| {
            // A single bad batch must not undo many steps. The limit of the presets, 5, was not measured.
            if norm > self.config.clip_norm {
                gradient = gradient.f_mul_scalar(self.config.clip_norm / norm)?;
            }
            let warm = step.checked_sub(self.warm_up_from);
            let warm = warm.expect("the rate warms up again from a step that was made");
            let rate = rate(&self.config, warm, progress);
            let parameters = self.network.trainable().map(|(_, tensor)| tensor);
            self.optimizer.step(parameters, &gradient, rate)?;
            self.update_average()?;
            Ok(StepReport {
                losses,
                gradient_norm: norm,
                rate,
            })
        })
    }

    fn update_average(&mut self) -> Result<(), TchError> {
        let decay = match self.config.average_rows {
            0 => 0.0,
            // By rows, so that it does not depend on the size of batches. Without the average −308 Elo [−428, −228]
            // (study 0009).
            rows => (-f64::from(self.config.batch) / rows as f64).exp(),
        };
        // A young average would still be full of the random initial weights: at first it averages over about the last
        // tenth of the steps, the newest of `steps` having weight 10 / (steps + 9). Other parts were not measured.
        let steps = self.steps() as f64;
        let decay = decay.min((steps - 1.0) / (steps + 9.0)).max(0.0);
        for ((_, average), (_, current)) in self.average.tensors().zip(self.network.tensors()) {
            let _ = average.shallow_clone().f_lerp_(current, 1.0 - decay)?;
        }
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod testing {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::{ConnectFour, Encode};
    use chase_models::architecture::Auxiliary;
    use rand::SeedableRng;

    use super::*;
    use crate::config::ReplayConfig;
    use crate::replay::testing::random_game;
    use crate::replay::{BatchMaker, Buffer};

    pub fn architecture() -> Architecture {
        Architecture {
            blocks: 1,
            channels: 8,
            pooling: 1,
            policy_channels: 4,
            value_channels: 4,
            value_hidden: 8,
            hex: false,
            wrap: false,
            wrap_rows: false,
            mirror: false,
            auxiliary: Auxiliary {
                occupancy: true,
                plies_left: true,
                material: false,
            },
        }
    }

    pub fn learner(config: &LearnerConfig) -> Learner {
        let shape = ConnectFour::shape(&Default::default());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        Learner::new(config, &architecture(), shape, None, Device::Cpu, &mut rng).unwrap()
    }

    pub fn network(config: &LearnerConfig) -> Network {
        learner(config).network
    }

    /// One whose network treats mirror images alike.
    pub fn mirror_learner(config: &LearnerConfig) -> Learner {
        let shape = ConnectFour::shape(&Default::default());
        let architecture = Architecture {
            mirror: true,
            ..architecture()
        };
        let mirror = ConnectFour::mirror(&Default::default());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        Learner::new(config, &architecture, shape, mirror.as_ref(), Device::Cpu, &mut rng).unwrap()
    }

    /// Batches of 32 rows from random games, the same for the same seed.
    pub fn batches(config: &LearnerConfig, count: usize, seed: u64) -> Vec<Batch> {
        let mut buffer = Buffer::<ConnectFour>::new(config);
        buffer.add(&(0..20).map(|index| random_game(&(), index)).collect::<Vec<_>>());
        let maker = BatchMaker::new(Default::default(), &ReplayConfig::default(), config);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        (0..count)
            .map(|_| maker.make(&buffer, &buffer.draw(32, &mut rng)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::ConnectFour;
    use chase_models::checkpoint::{self, Checkpoint};
    use chase_models::manifest::{Manifest, NetworkOrigin, TrainingProgress};

    use super::testing::{batches, learner, mirror_learner};
    use super::*;
    use crate::config::{OptimizerKind, PrecisionChoice};
    use crate::learner::Losses;

    fn numbers(network: &Network) -> Vec<Vec<f32>> {
        network
            .tensors()
            .map(|(_, tensor)| Vec::try_from(tensor.flatten(0, -1)).unwrap())
            .collect()
    }

    #[test]
    fn losses_fall_on_what_is_seen_again_and_again() {
        for (optimizer, rate) in [(OptimizerKind::Adamw, 3e-3), (OptimizerKind::Sgd, 0.05)] {
            let config = LearnerConfig {
                optimizer,
                rate,
                warmup_steps: 5,
                batch: 32,
                // Results alone are values that can be learned by heart.
                td_lambda: 1.0,
                ..LearnerConfig::default()
            };
            let mut learner = learner(&config);
            let batches = batches(&config, 1, 1);
            let mut reports = Vec::new();
            for batch in batches.iter().cycle().take(200) {
                reports.push(learner.step(batch, 0.0).unwrap());
            }
            let (first, last) = (reports[0].losses, reports[199].losses);
            for (name, first, last) in [
                ("total", first.total, last.total),
                (
                    "policy",
                    first.policy - first.target_entropy,
                    last.policy - last.target_entropy,
                ),
                ("value", first.value, last.value),
                ("occupancy", first.occupancy, last.occupancy),
                ("plies left", first.plies_left, last.plies_left),
            ] {
                assert!(last < 0.8 * first, "{optimizer:?}, {name}: from {first} to {last}");
            }
        }
    }

    /// Gradients pass through all layers in bfloat16, and the loss stays near that of 32 bits.
    #[test]
    fn half_the_bits_learn_as_well() {
        let final_losses = |precision| {
            let config = LearnerConfig {
                precision,
                rate: 3e-3,
                warmup_steps: 5,
                batch: 32,
                ..LearnerConfig::default()
            };
            let mut learner = learner(&config);
            let before = numbers(&learner.network);
            let batches = batches(&config, 1, 1);
            let steps = batches.iter().cycle().take(100);
            let losses: Vec<Losses> = steps.map(|batch| learner.step(batch, 0.0).unwrap().losses).collect();
            let after = numbers(&learner.network);
            assert!(
                before.iter().zip(&after).all(|(before, after)| before != after),
                "a part learns nothing"
            );
            assert!(
                learner
                    .network
                    .tensors()
                    .all(|(_, tensor)| tensor.kind() == tch::Kind::Float)
            );
            [losses[0], losses[99]]
        };
        let [full, half] = [PrecisionChoice::F32, PrecisionChoice::Bf16].map(final_losses);
        for (full, half) in full.into_iter().zip(half) {
            // A number in bfloat16 is off by up to one part in 256.
            assert!((full.total - half.total).abs() < 0.05 * full.total, "{full:?} {half:?}");
            assert_ne!(full, half);
        }
        assert!(half[1].value < 0.8 * half[0].value);
    }

    /// Whatever the batches, the weights of mirror images stay the same numbers.
    #[test]
    fn mirror_images_stay_alike() {
        for optimizer in [OptimizerKind::Adamw, OptimizerKind::Sgd] {
            let config = LearnerConfig {
                optimizer,
                batch: 32,
                warmup_steps: 5,
                ..LearnerConfig::default()
            };
            let mut learner = mirror_learner(&config);
            let before = numbers(&learner.network);
            for batch in batches(&config, 50, 1) {
                learner.step(&batch, 0.0).unwrap();
            }
            let ties = learner.ties.as_ref().unwrap();
            for network in [&learner.network, &learner.average] {
                let learned = numbers(network);
                assert!(before.iter().zip(&learned).all(|(before, learned)| before != learned));
                ties.equalise(network).unwrap();
                ties.average_statistics(network).unwrap();
                for (learned, equal) in learned.iter().zip(numbers(network)) {
                    for (learned, equal) in learned.iter().zip(equal) {
                        // The last digit may depend on the place in a vector.
                        assert!(
                            (learned - equal).abs() < 1e-6 * equal.abs().max(1.0),
                            "{learned} {equal}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_step_that_would_destroy_the_weights_is_not_made() {
        let config = LearnerConfig {
            batch: 32,
            ..LearnerConfig::default()
        };
        let mut learner = learner(&config);
        let mut batch = batches(&config, 1, 1).remove(0);
        batch.value[[0, 0]] = f32::NAN;
        let trainable = |learner: &Learner| -> Vec<Vec<f32>> {
            learner
                .network
                .trainable()
                .map(|(_, tensor)| Vec::try_from(tensor.flatten(0, -1)).unwrap())
                .collect()
        };
        let (before, average) = (trainable(&learner), numbers(&learner.average));
        let error = learner.step(&batch, 0.0).unwrap_err().to_string();
        assert!(error.contains("diverged at step 0: the loss is NaN"), "{error}");
        assert_eq!(
            (trainable(&learner), numbers(&learner.average), learner.steps()),
            (before, average, 0)
        );
    }

    #[test]
    fn the_average_is_the_network_without_averaging_and_follows_it_with() {
        let distance = |average_rows| {
            let config = LearnerConfig {
                average_rows,
                batch: 32,
                warmup_steps: 0,
                ..LearnerConfig::default()
            };
            let mut learner = learner(&config);
            for batch in batches(&config, 30, 1) {
                learner.step(&batch, 0.0).unwrap();
            }
            let pairs = learner.network.tensors().zip(learner.average.tensors());
            pairs
                .map(|((_, a), (_, b))| (a - b).square().sum(tch::Kind::Double).double_value(&[]))
                .sum::<f64>()
        };
        assert_eq!(distance(0), 0.0);
        let (short, long) = (distance(100), distance(10_000));
        assert!(0.0 < short && short < long, "{short} {long}");
    }

    #[test]
    fn a_run_that_is_resumed_goes_on_bit_by_bit() {
        for optimizer in [OptimizerKind::Adamw, OptimizerKind::Sgd] {
            let config = LearnerConfig {
                optimizer,
                batch: 32,
                warmup_steps: 6,
                ..LearnerConfig::default()
            };
            let batches = batches(&config, 12, 3);
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("checkpoint");
            let mut straight = learner(&config);
            let mut expected = Vec::new();
            for (index, batch) in batches.iter().enumerate() {
                if index == 5 {
                    let progress = TrainingProgress {
                        steps: straight.steps(),
                        ..TrainingProgress::default()
                    };
                    let encoding = Default::default();
                    let architecture = straight.average().architecture();
                    let manifest =
                        Manifest::new::<ConnectFour>(&encoding, architecture, progress, NetworkOrigin::default());
                    checkpoint::save(&path, manifest.unwrap(), straight.average(), &straight.state()).unwrap();
                }
                expected.push(straight.step(batch, 0.0).unwrap());
            }
            let mut resumed = learner(&config);
            let saved = Checkpoint::<ConnectFour>::load(&path, Device::Cpu).unwrap();
            let state = checkpoint::load_optimizer(&path, &saved.manifest).unwrap();
            resumed
                .restore(&saved.network, &state, saved.manifest.progress.steps)
                .unwrap();
            assert_eq!(resumed.steps(), 5);
            let reports: Vec<_> = batches[5..]
                .iter()
                .map(|batch| resumed.step(batch, 0.0).unwrap())
                .collect();
            // As texts, which have all digits: losses of absent heads are NaN, which equals nothing.
            assert_eq!(format!("{reports:?}"), format!("{:?}", &expected[5..]));
            assert_eq!(numbers(&resumed.network), numbers(&straight.network));
            assert_eq!(numbers(&resumed.average), numbers(&straight.average));
        }
    }
}
