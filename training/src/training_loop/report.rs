//! Reports of a run: measurements, evaluations, figures and events.

use std::sync::atomic::{AtomicBool, Ordering};

use chase_engine::Moment;

use super::{Training, TrainingError};
use crate::events::{EvaluationRequest, Event, Observer, Summary};
use crate::game_record::{GameRecord, Purpose};
use crate::kinds::{Kind, KindSettings};
use crate::metrics::{MetricsError, RunPart};
use crate::openings::{OpeningStatistics, Tally};
use crate::seed::{self, Stream};
use crate::selfplay::Counters;
use crate::store::RunSettings;
use crate::store::run_dir::RunDir;
use crate::store::run_state::Omitted;

/// The end of an evaluation.
enum Rated {
    /// There is nothing left to do for it.
    Done,
    /// The run was stopped.
    Stopped,
    /// It is to be tried again.
    Failed,
}

impl<K: Kind> Training<K> {
    /// Measures and evaluates the newest network, as far as it is due and not done. Returns true if it was finished;
    /// otherwise it was stopped. The `last` generation may have been reported on before it was known to be the last.
    pub(super) fn report(
        &mut self,
        last: bool,
        observer: &mut dyn Observer<K>,
        stop: &AtomicBool,
    ) -> Result<bool, TrainingError> {
        let generation = self.state.generation;
        self.run.expect_in_place()?;
        let begin = Moment::now();
        let new = !self.state.is_reported();
        let due = |every: u64, done: bool| every > 0 && !done && (last || new && generation.is_multiple_of(every));
        let measurement = self.settings.sections().measurement;
        let (every, games) = measurement.map_or((0, 0), |settings| (settings.every, settings.games));
        let measure = due(every, self.state.measured());
        let evaluate = due(self.settings.sections().evaluation.every, self.state.evaluated());
        let make_up = !self.state.failed_evaluations.is_empty();
        if !(new || measure || evaluate || make_up && last) {
            return Ok(true);
        }
        let mut earlier_milliseconds = 0;
        if measure {
            let played = self.play(
                Purpose::Measurement,
                generation,
                games,
                &Counters::default(),
                observer,
                stop,
            )?;
            let Some(played) = played else {
                return Ok(false);
            };
            earlier_milliseconds = played.earlier_milliseconds;
            let games: Vec<_> = played.shards.into_iter().flat_map(|(_, records)| records).collect();
            let openings = self.openings(generation, Purpose::Measurement, &games)?;
            self.emit(observer, &Event::Measured(&openings));
        }
        // In order, since a run that is resumed drops the figures from its first failure on. The first attempt that
        // fails is the last.
        let mut failed = self.state.failed_evaluations.clone();
        if self.settings.sections().evaluation.every == 0 {
            failed.clear();
        }
        if evaluate && failed.last() != Some(&generation) {
            failed.push(generation);
        }
        let evaluated = self.state.evaluated() || evaluate;
        // The untrained network is rated together with the first trained one: a short run should learn before it is rated.
        let wait = |first: u64| first == 0 && !last && (generation == 0 || !evaluate);
        while let Some(&first) = failed.first().filter(|&&first| !wait(first)) {
            match self.evaluate(first, observer, stop)? {
                Rated::Done => {
                    failed.remove(0);
                }
                Rated::Stopped => return Ok(false),
                Rated::Failed => break,
            }
        }
        let evaluated = evaluated && failed.last() != Some(&generation);
        let made_up = self
            .state
            .failed_evaluations
            .iter()
            .any(|generation| !failed.contains(generation));
        self.state.failed_evaluations = failed;
        self.state.omitted = Omitted {
            measurement: !(measure || self.state.measured()),
            evaluation: !evaluated,
        };
        self.state.reported = Some(generation);
        self.state.milliseconds += earlier_milliseconds + begin.elapsed().as_millis() as u64;
        // First: the figures of what the state calls done must not be lost.
        let failures = self.metrics.flush();
        self.warn(observer, failures);
        self.state.write(&self.run.state())?;
        if made_up {
            // Their checkpoints are not needed any more.
            self.prune_checkpoints()?;
        }
        Ok(true)
    }

    /// Has the network of a generation evaluated: the newest one, or one whose checkpoint is still there.
    fn evaluate(
        &mut self,
        generation: u64,
        observer: &mut dyn Observer<K>,
        stop: &AtomicBool,
    ) -> Result<Rated, TrainingError> {
        let checkpoint = self.run.checkpoint(generation);
        let earlier = match generation == self.state.generation {
            true => None,
            false => Some(K::load(&self.settings, &checkpoint, self.device)),
        };
        let player = match &earlier {
            Some(Err(error)) => {
                let text = format!("generation {generation} is not evaluated any more: {error}");
                self.emit(observer, &Event::Warning(text));
                return Ok(Rated::Done);
            }
            Some(Ok(saved)) => K::saved_player(&self.settings, saved, self.device),
            None => self.kind.player(),
        };
        let request = EvaluationRequest {
            checkpoint: &checkpoint,
            player,
            rules: &self.rules,
            device: self.device,
            settings: &self.settings,
            seed: seed::number(self.settings.seed(), Stream::Evaluation, generation, 0),
            stop,
        };
        let result = observer.evaluate(generation, &request);
        match result {
            Ok(values) => {
                let event = Event::Evaluated {
                    generation,
                    values: &values,
                };
                self.emit(observer, &event);
                let failures = self.metrics.record(RunPart::Evaluation, generation, generation, values);
                self.warn(observer, failures);
                Ok(Rated::Done)
            }
            Err(_) if stop.load(Ordering::Relaxed) => Ok(Rated::Stopped),
            Err(error) => {
                let text = format!(
                    "the evaluation of generation {generation} failed: {error}; it is repeated after the next generation, or when \
                     the run is resumed"
                );
                self.emit(observer, &Event::Warning(text));
                Ok(Rated::Failed)
            }
        }
    }

    /// Counts openings and writes them down.
    pub(super) fn openings(
        &self,
        generation: u64,
        purpose: Purpose,
        games: &[GameRecord<K::Game>],
    ) -> Result<OpeningStatistics, TrainingError> {
        let model = K::model(&self.settings, generation, self.state.generation);
        let openings = OpeningStatistics::new(&self.rules, generation, purpose.name(), &model, games);
        if !games.is_empty() {
            openings.write(&self.run.openings())?;
        }
        Ok(openings)
    }

    pub(super) fn record_selfplay(&mut self, summary: &Summary, observer: &mut dyn Observer<K>) {
        let (tally, random) = (&summary.tally, &summary.random_openings);
        // Without games, 0 / 0 is no figure.
        let games = tally.games as f64;
        let memory = memory_stats::memory_stats().map_or(f64::NAN, |memory| memory.physical_mem as f64);
        let score = |tally: &Tally| tally.first_player_score().unwrap_or(f64::NAN);
        let values = [
            ("selfplay/games", tally.games as f64),
            ("selfplay/games_per_s", summary.games_per_second),
            ("selfplay/positions_per_s", summary.positions_per_second),
            ("selfplay/ply_mean", summary.mean_plies),
            ("selfplay/draw_rate", tally.draws as f64 / games),
            ("selfplay/truncated_rate", tally.truncated as f64 / games),
            ("selfplay/first_player_score", score(tally)),
            ("selfplay/random_opening_games", random.games as f64),
            ("selfplay/random_opening_first_player_score", score(random)),
            ("selfplay/nodes_per_s", summary.nodes_per_second),
            ("inference/evals_per_s", summary.evaluations_per_second),
            ("inference/batch_mean", summary.mean_batch),
            ("replay/rows", summary.window_rows as f64),
            ("replay/mib", summary.window_bytes as f64 / f64::from(1 << 20)),
            ("replay/new_rows", summary.new_rows as f64),
            ("process/memory_mib", memory / f64::from(1 << 20)),
            ("time/minutes", summary.minutes),
        ];
        let values = values.into_iter().chain(summary.figures.iter().copied());
        let generation = summary.generation;
        let mut failures = self.metrics.record(RunPart::Selfplay, generation, generation, values);
        failures.extend(self.metrics.flush());
        self.warn(observer, failures);
    }

    pub(super) fn warn(&self, observer: &mut dyn Observer<K>, failures: Vec<MetricsError>) {
        for failure in failures {
            self.emit(observer, &Event::Warning(failure.to_string()));
        }
    }

    pub(super) fn emit(&self, observer: &mut dyn Observer<K>, event: &Event<'_>) {
        emit(&self.run, observer, event);
    }
}

/// Logs an event of a run, and passes it to the observer.
pub(super) fn emit<K: Kind>(run: &RunDir, observer: &mut dyn Observer<K>, event: &Event<'_>) {
    // A log that cannot be written must not stop a run, and there is no other place to say so.
    let _ = run.log(&event.to_string());
    observer.event(event);
}
