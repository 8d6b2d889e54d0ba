//! The configuration of a study.

use std::path::{Path, PathBuf};

use chase_engine::{Chase, Game};
use chase_training::kinds::NetworkKind;
use chase_training::settings::{Checks, Problem, Settings};
use chase_training::store::RunSettings;
use chase_training::store::run_dir::RunDirError;
use chase_training::training_loop::checkpoint_folder;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::evidence::forks::ForksConfig;
use super::evidence::games::GamesConfig;
use chase_arena::{PlayerSpec, SearchLimits, SearchSpec};

/// All settings that the findings of a study depend on, apart from the checkpoints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StudyConfig {
    /// Seed of all randomness.
    pub seed: u64,
    /// Threads; 0 for one per core.
    #[schemars(extend("change" = "resume"))]
    pub threads: usize,
    /// Device: `cpu`, `cuda`, `cuda:N`, or `auto`.
    #[schemars(extend("change" = "resume"))]
    pub device: String,
    /// Games of checkpoints given on the command line.
    pub checkpoints: CheckpointsConfig,
    /// The forced-opening games.
    pub games: GamesConfig,
    /// The forks from these games.
    pub forks: ForksConfig,
    /// The searches of first moves and replies.
    pub search: SearchConfig,
}

/// Games of checkpoints given on the command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CheckpointsConfig {
    /// Simulations per decision in the whole study.
    pub simulations: u32,
    /// Other budgets of the first checkpoint, for the initial position only.
    pub curve_simulations: Vec<u32>,
    /// Number of earlier checkpoints of its run, for the initial position only.
    pub earlier: u32,
}

/// The searches of first moves and replies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SearchConfig {
    /// Simulations of searches, ascending; empty for no searches.
    pub budgets: Vec<u32>,
}

impl Default for StudyConfig {
    fn default() -> Self {
        Self {
            seed: 1,
            threads: 0,
            device: "cpu".into(),
            checkpoints: CheckpointsConfig::default(),
            games: GamesConfig::default(),
            forks: ForksConfig::default(),
            search: SearchConfig::default(),
        }
    }
}

impl Default for CheckpointsConfig {
    fn default() -> Self {
        Self {
            simulations: 64,
            curve_simulations: vec![16, 256],
            earlier: 2,
        }
    }
}

impl Default for SearchConfig {
    fn default() -> Self {
        Self {
            budgets: vec![100, 400, 1600],
        }
    }
}

impl Settings for StudyConfig {
    chase_training::toml_form!();

    const SUBJECT: &'static str = "study";

    fn problems(&self) -> Vec<Problem> {
        let mut checks = Checks::default();
        checks.seed_and_threads(self.seed, self.threads);
        checks.device(&self.device);
        checks.0.extend(self.games.problems());
        checks.0.extend(self.forks.problems());
        let lists = [
            ("search.budgets", &self.search.budgets),
            ("checkpoints.curve_simulations", &self.checkpoints.curve_simulations),
        ];
        for (key, numbers) in lists {
            let rising = numbers.is_sorted_by(|one, next| one < next);
            let holds = rising && numbers.first() != Some(&0);
            checks.require(holds, key, format!("{numbers:?}"), "rising numbers from 1");
        }
        checks.at_least_one("checkpoints.simulations", self.checkpoints.simulations.into());
        checks.0
    }
}

impl RunSettings for StudyConfig {
    /// More games are asked for on the command line, and the program writes them down.
    const FIXED: bool = true;

    fn game(&self) -> (&'static str, u32) {
        (Chase::NAME, Chase::RULES_VERSION)
    }

    fn seed(&self) -> u64 {
        self.seed
    }
}

impl StudyConfig {
    /// Adds networks to the players: each of `paths`, a checkpoint or a run, plays the whole study. The first one also
    /// plays the curve of the first move's advantage, with other numbers of simulations and with earlier checkpoints of
    /// its run.
    ///
    /// # Errors
    /// If a run is damaged.
    pub fn add_checkpoints(&mut self, paths: &[PathBuf]) -> Result<(), RunDirError> {
        let settings = &self.checkpoints;
        let player = |path: &Path, simulations: u32| {
            PlayerSpec::from(SearchSpec::residual(path).within(SearchLimits::nodes(simulations.into())))
        };
        for (index, path) in paths.iter().enumerate() {
            // The run's newest checkpoint at this moment, since the run may continue.
            let newest = checkpoint_folder(path, NetworkKind::Residual)?;
            self.games.players.push(player(&newest, settings.simulations));
            if index > 0 {
                continue;
            }
            let others = settings
                .curve_simulations
                .iter()
                .filter(|&&other| other != settings.simulations);
            self.games
                .curve
                .extend(others.map(|&simulations| player(&newest, simulations)));
            let earlier = earlier_checkpoints(&newest, settings.earlier as usize);
            self.games
                .curve
                .extend(earlier.iter().map(|path| player(path, settings.simulations)));
        }
        Ok(())
    }
}

/// Up to `count` earlier checkpoints of the same run, spread evenly from the first on; none if the checkpoint is in no
/// run.
fn earlier_checkpoints(newest: &Path, count: usize) -> Vec<PathBuf> {
    let Some(entries) = newest.parent().and_then(|folder| std::fs::read_dir(folder).ok()) else {
        return Vec::new();
    };
    let is_checkpoint = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with("gen-")) && path.is_dir()
    };
    let mut earlier: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| is_checkpoint(path) && path.as_path() < newest)
        .collect();
    earlier.sort();
    let chosen = count.min(earlier.len());
    (0..chosen)
        .map(|index| earlier[index * earlier.len() / chosen].clone())
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_training::settings::{Change, Setting};

    use super::*;

    #[test]
    fn a_study_that_goes_on_may_have_more_games_but_no_other_question() {
        let began = "[games]\nmost = 64\n";
        let resumed = |settings: &[&str]| {
            let settings = Setting::list(settings);
            StudyConfig::changed(("config.toml", began), &settings, Change::Resume)
        };
        let after = resumed(&["games.most=256", "threads=3", "device=cuda"]).unwrap();
        assert_eq!((after.games.most, after.threads), (256, 3));
        let told = resumed(&["games.margin=0.1", "seed=7", "games.most=65"])
            .unwrap_err()
            .to_string();
        let expected =
            "the study cannot continue with games.margin = 0.1 (was 0.02), seed = 7 (was 1); begin a new study";
        assert_eq!(told, expected);
    }

    #[test]
    fn earlier_checkpoints_are_spread_over_the_run() {
        let run = tempfile::tempdir().unwrap();
        let folder = run.path().join("checkpoints");
        for generation in 0..9 {
            std::fs::create_dir_all(folder.join(format!("gen-{generation:06}"))).unwrap();
        }
        let names = |count| {
            let found = earlier_checkpoints(&folder.join("gen-000008"), count);
            let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
            found.iter().map(name).collect::<Vec<_>>()
        };
        assert_eq!(names(2), ["gen-000000", "gen-000004"]);
        assert_eq!(names(100).len(), 8);
        assert!(names(0).is_empty());
        assert!(earlier_checkpoints(Path::new("nowhere/gen-000001"), 3).is_empty());
    }
}
