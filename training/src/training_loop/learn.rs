//! The learner's part of a generation.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::Instant;

use tch::Device;

use super::progress::progress;
use super::{Training, TrainingError};
use crate::config::Config;
use crate::events::{Event, Observer, Summary};
use crate::learner::{LearnError, Learner, Losses, StepReport};
use crate::metrics::RunPart;
use crate::replay::BatchMaker;
use crate::seed::{self, Stream};
use crate::store::run_state::RunState;
use crate::trainable::Trainable;

/// Steps of the learner that make one record of the metrics.
const STEPS_A_RECORD: u64 = 20;

/// A learner of a run with random weights.
pub(super) fn untrained<G: Trainable>(config: &Config, device: Device) -> Result<Learner, LearnError> {
    let mut rng = seed::generator(config.seed, Stream::Initialisation, 0, 0);
    let encoding = G::encoding(config);
    let (shape, mirror) = (G::shape(&encoding), G::mirror(&encoding));
    Learner::new(
        &config.learner,
        &config.network,
        shape,
        mirror.as_ref(),
        device,
        &mut rng,
    )
}

/// The steps of a generation: for each, which part of the schedule of the learning rate is over.
#[derive(Clone, Debug)]
pub(super) struct Pace(Vec<f64>);

impl Pace {
    /// `progress` says it after a part of the generation.
    pub(super) fn new(steps: u64, progress: impl Fn(f64) -> f64) -> Self {
        Self((0..steps).map(|step| progress(step as f64 / steps as f64)).collect())
    }
}

impl<G: Trainable> Training<G> {
    /// The steps after which every row of `next` was used as often as it should be.
    pub(super) fn pace(&self, next: &RunState) -> Pace {
        // From the totals, so that no rounding adds up over generations; and for the new rows, so that a run that
        // branched off with another batch or reuse owes nothing for the rows of before.
        let batch = f64::from(self.config.learner.batch);
        let wanted = |state: &RunState| (state.rows as f64 * self.config.replay.reuse / batch) as u64;
        let rows = next.rows - self.state.rows;
        Pace::new(wanted(next) - wanted(&self.state), |part| {
            progress(&self.config.limits, &self.state, rows, part)
        })
    }

    /// Trains on the window. Means over the steps; `None` if stopped.
    pub(super) fn learn(
        &mut self,
        generation: u64,
        pace: &Pace,
        observer: &mut dyn Observer<G>,
        stop: &AtomicBool,
    ) -> Result<Option<Summary>, TrainingError> {
        let batch = self.config.learner.batch as usize;
        let steps = pace.0.len() as u64;
        let mut rng = seed::generator(self.config.seed, Stream::Replay, generation, 0);
        let rows = self.buffer.draw(steps as usize * batch, &mut rng);
        if steps > 0 && rows.is_empty() {
            return Err(TrainingError::EmptyWindow(self.config.replay.max_mib));
        }
        let maker = BatchMaker::<G>::new(self.encoding.clone(), &self.config.replay, &self.config.learner);
        let (pool, buffer, learner) = (&self.pool, &self.buffer, &mut self.learner);
        let replicas = self.config.learner.replicas;
        let (sender, batches) = sync_channel(2);
        let mut means = Means::default();
        let mut records = Vec::new();
        let finished = std::thread::scope(|scope| {
            // Makes the next batches while the learner works on this one.
            scope.spawn(move || {
                for rows in rows.chunks_exact(batch) {
                    let made = pool.install(|| maker.make(buffer, rows));
                    if sender.send(made).is_err() {
                        break;
                    }
                }
            });
            let begin = Instant::now();
            let mut since = Means::default();
            for (step, batch) in (1..).zip(batches) {
                if stop.load(Ordering::Relaxed) {
                    return Ok(false);
                }
                let mut one_step = || learner.step(&batch, pace.0[step as usize - 1]);
                let report = match replicas {
                    1 => one_step(),
                    _ => pool.install(one_step),
                }?;
                for means in [&mut means, &mut since] {
                    means.add(&report);
                }
                observer.event(&Event::Learning {
                    generation,
                    step,
                    of: steps,
                    losses: report.losses,
                });
                if since.steps == STEPS_A_RECORD || step == steps {
                    let seen = step as f64 * batch.rows() as f64 / begin.elapsed().as_secs_f64();
                    records.push((learner.steps(), since.values(seen)));
                    since = Means::default();
                }
            }
            Ok::<_, LearnError>(true)
        })?;
        if !finished {
            return Ok(None);
        }
        for (step, values) in records {
            let failures = self.metrics.record(RunPart::Learner, generation, step, values);
            self.warn(observer, failures);
        }
        Ok(Some(means.summary()))
    }
}

/// Means over steps of the learner.
#[derive(Clone, Debug, Default)]
struct Means {
    steps: u64,
    sum: Losses,
    gradient_norm: f64,
    rate: f64,
}

impl Means {
    fn add(&mut self, report: &StepReport) {
        self.steps += 1;
        self.sum = self.sum + report.losses;
        self.gradient_norm += report.gradient_norm;
        self.rate = report.rate;
    }

    fn values(&self, samples_per_second: f64) -> [(&'static str, f64); 11] {
        let count = self.steps as f64;
        let losses = self.sum / count;
        [
            ("loss/total", losses.total),
            ("loss/policy", losses.policy),
            ("loss/value", losses.value),
            ("loss/occupancy", losses.occupancy),
            ("loss/plies_left", losses.plies_left),
            ("loss/dice_difference", losses.material),
            ("policy/target_entropy", losses.target_entropy),
            ("policy/kl_to_target", losses.policy - losses.target_entropy),
            ("learner/grad_norm", self.gradient_norm / count),
            ("learner/lr", self.rate),
            ("learner/samples_per_s", samples_per_second),
        ]
    }

    fn summary(&self) -> Summary {
        Summary {
            steps: self.steps,
            // No numbers where there were no steps.
            losses: self.sum / self.steps as f64,
            rate: if self.steps > 0 { self.rate } else { f64::NAN },
            ..Summary::default()
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::ConnectFour;

    use super::*;
    use crate::config::{Config, GameName};
    use crate::events::{EvaluationRequest, EvaluationResult};
    use crate::learner::testing::architecture;

    struct Nobody;

    impl Observer<ConnectFour> for Nobody {
        fn event(&mut self, _: &Event<'_>) {}

        fn evaluate(&mut self, _: u64, _: &EvaluationRequest<'_, ConnectFour>) -> EvaluationResult {
            Ok(Vec::new())
        }
    }

    #[test]
    fn a_generation_without_steps_has_no_losses_and_one_without_rows_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        let mut config = Config {
            game: GameName::ConnectFour,
            network: architecture(),
            device: "cpu".into(),
            ..Config::default()
        };
        (config.learner.batch, config.replay.reuse) = (32, 1.0);
        let mut training = Training::create(&directory.path().join("run"), config, &mut Nobody).unwrap();
        let mut learn = |rows| {
            let next = RunState {
                generation: 1,
                rows,
                ..RunState::default()
            };
            let pace = training.pace(&next);
            training.learn(next.generation, &pace, &mut Nobody, &AtomicBool::new(false))
        };
        let summary = learn(31).unwrap().unwrap();
        assert!(summary.steps == 0 && summary.losses.total.is_nan() && summary.rate.is_nan());
        assert!(!summary.to_string().contains("loss"), "{summary}");
        let error = learn(32).unwrap_err().to_string();
        assert!(error.contains("nothing to learn from"), "{error}");
    }

    /// The learning rate falls with it.
    #[test]
    fn the_steps_of_a_generation_begin_where_the_run_stands() {
        let directory = tempfile::tempdir().unwrap();
        let mut config = Config {
            game: GameName::ConnectFour,
            network: architecture(),
            device: "cpu".into(),
            ..Config::default()
        };
        (config.learner.batch, config.replay.reuse) = (32, 1.0);
        config.limits.generations = 4;
        let training = Training::<ConnectFour>::create(&directory.path().join("run"), config, &mut Nobody).unwrap();
        let next = RunState {
            generation: 1,
            rows: 128,
            ..RunState::default()
        };
        assert_eq!(training.pace(&next).0, [0.0, 0.0625, 0.125, 0.1875]);
    }
}
