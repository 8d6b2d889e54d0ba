//! The learner's part of a generation.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::Instant;

use super::progress::progress;
use super::{Training, TrainingError};
use crate::events::{Event, Observer, Summary};
use crate::kinds::{Kind, KindSettings, Lesson};
use crate::learner::{Losses, StepReport};
use crate::metrics::RunPart;
use crate::store::run_state::RunState;

/// The steps of a generation: for each, which part of the schedule of the learning rate is over.
#[derive(Clone, Debug)]
pub(super) struct Pace(Vec<f64>);

impl Pace {
    /// `progress` says it after a part of the generation.
    pub(super) fn new(steps: u64, progress: impl Fn(f64) -> f64) -> Self {
        Self((0..steps).map(|step| progress(step as f64 / steps as f64)).collect())
    }
}

impl<K: Kind> Training<K> {
    /// The steps after which every row of `next` was used as often as it should be.
    pub(super) fn pace(&self, next: &RunState) -> Pace {
        // For the new rows, so that a run that branched off with another batch or reuse owes nothing for those of before.
        let rows = next.rows - self.state.rows;
        Pace::new(self.settings.steps(self.state.rows, next.rows), |part| {
            progress(self.settings.sections().limits, &self.state, rows, part)
        })
    }

    /// Trains on the window. Means over the steps; `None` if stopped.
    pub(super) fn learn(
        &mut self,
        generation: u64,
        pace: &Pace,
        observer: &mut dyn Observer<K>,
        stop: &AtomicBool,
    ) -> Result<Option<Summary>, TrainingError> {
        let begin = Instant::now();
        let steps = pace.0.len() as u64;
        let batch = f64::from(self.settings.learner().batch);
        let before = self.kind.steps();
        let Lesson { batches, mut step } = self.kind.lesson(&self.settings, generation, steps)?;
        let (sender, made) = sync_channel(2);
        let mut means = Means::default();
        let mut records = Vec::new();
        let finished = std::thread::scope(|scope| {
            // Makes the next batches while the learner works on this one.
            scope.spawn(move || batches.map(|batch| sender.send(batch)).find(Result::is_err));
            let mut since = Means::default();
            for ((number, progress), made) in (1..).zip(&pace.0).zip(made) {
                if stop.load(Ordering::Relaxed) {
                    return Ok(false);
                }
                let report = step(&made, *progress)?;
                for means in [&mut means, &mut since] {
                    means.add(&report);
                }
                observer.event(&Event::Learning {
                    generation,
                    step: number,
                    of: steps,
                    loss: report.losses.total,
                });
                if since.steps == K::STEPS_A_RECORD || number == steps {
                    let seen = number as f64 * batch / begin.elapsed().as_secs_f64();
                    records.push((before + number, since.values(seen)));
                    since = Means::default();
                }
            }
            Ok::<_, TrainingError>(true)
        })?;
        drop(step);
        if !finished {
            return Ok(None);
        }
        for (step, values) in records {
            let failures = self.metrics.record(RunPart::Learner, generation, step, values);
            self.warn(observer, failures);
        }
        Ok(Some(Summary {
            learning_seconds: begin.elapsed().as_secs_f64(),
            figures: self.kind.learned()?,
            ..means.summary()
        }))
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

    fn values(&self, samples_per_second: f64) -> Vec<(&'static str, f64)> {
        let count = self.steps as f64;
        let of_learner = [
            ("learner/grad_norm", self.gradient_norm / count),
            ("learner/lr", self.rate),
            ("learner/samples_per_s", samples_per_second),
        ];
        (self.sum / count).figures().chain(of_learner).collect()
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
    use crate::kinds::residual::Residual;
    use crate::kinds::residual::testing::architecture;

    struct Nobody;

    impl Observer<Residual<ConnectFour>> for Nobody {
        fn event(&mut self, _: &Event<'_>) {}

        fn evaluate(&mut self, _: u64, _: &EvaluationRequest<'_, Residual<ConnectFour>>) -> EvaluationResult {
            Ok(Vec::new())
        }
    }

    #[test]
    fn a_generation_without_steps_has_no_losses_and_one_without_rows_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        let mut config = Config {
            network: architecture(),
            device: "cpu".into(),
            ..Config::of(GameName::ConnectFour)
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
            network: architecture(),
            device: "cpu".into(),
            ..Config::of(GameName::ConnectFour)
        };
        (config.learner.batch, config.replay.reuse) = (32, 1.0);
        config.limits.generations = 4;
        let training =
            Training::<Residual<ConnectFour>>::create(&directory.path().join("run"), config, &mut Nobody).unwrap();
        let next = RunState {
            generation: 1,
            rows: 128,
            ..RunState::default()
        };
        assert_eq!(training.pace(&next).0, [0.0, 0.0625, 0.125, 0.1875]);
    }
}
