//! The settings of a run that trains a residual network, as the loop sees them.

use crate::config::{
    CheckpointConfig, Config, EvaluationConfig, LearnerConfig, LimitsConfig, MeasurementConfig, SelfplayConfig,
};
use crate::game_record::Purpose;
use crate::kinds::{Evaluation, KindSettings, Sections};
use crate::replay::window_rows;
use crate::store::serialised::json_sha256;

impl KindSettings for Config {
    fn sections(&self) -> Sections<'_> {
        Sections {
            threads: self.threads,
            rules: &self.rules,
            games: self.selfplay.games,
            heuristic_generations: self.selfplay.heuristic_generations,
            measurement: Some(&self.measurement),
            evaluation: Evaluation {
                every: self.evaluation.every,
                games: self.evaluation.games,
                opponents: &self.evaluation.opponents,
            },
            refit: &self.refit,
            checkpoints: &self.checkpoints,
            limits: &self.limits,
        }
    }

    fn learner(&self) -> LearnerConfig {
        self.learner.clone()
    }

    fn group_games(&self, purpose: Purpose) -> u32 {
        match (purpose, self.measurement.group_games) {
            (Purpose::Selfplay, _) | (_, 0) => self.selfplay.group_games,
            (Purpose::Measurement, group_games) => group_games,
        }
    }

    /// Not one that the heuristic plays, which needs no batches.
    fn carries_over(&self, generation: u64) -> bool {
        generation > self.selfplay.heuristic_generations
    }

    /// Self-play does not depend on measurements.
    fn games_sha256(&self, purpose: Purpose) -> String {
        let measurement = match purpose {
            Purpose::Selfplay => MeasurementConfig::default(),
            Purpose::Measurement => self.measurement.clone(),
        };
        json_sha256(&Self {
            threads: 0,
            device: String::new(),
            selfplay: SelfplayConfig {
                games: 0,
                ..self.selfplay.clone()
            },
            measurement,
            evaluation: EvaluationConfig::default(),
            checkpoints: CheckpointConfig::default(),
            limits: LimitsConfig::default(),
            ..self.clone()
        })
    }

    fn window_rows(&self, played: u64) -> u64 {
        window_rows(&self.replay, played)
    }

    /// From the totals, so that no rounding adds up over generations.
    fn steps(&self, before: u64, after: u64) -> u64 {
        let wanted = |rows: u64| (rows as f64 * self.replay.reuse / f64::from(self.learner.batch)) as u64;
        wanted(after) - wanted(before)
    }
}
