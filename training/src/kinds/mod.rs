//! Kinds of networks that are trained: what is of one kind alone has its own folder.
//!
//! A [`Kind`] says how its network plays, learns and is saved. The [loop](crate::training_loop) and everything around it
//! exist once for all of them.

pub mod nnue;
pub mod residual;

use std::fmt;
use std::fs;
use std::path::Path;

use chase_engine::Game;
use chase_models::device::DeviceError;
use chase_models::manifest::NetworkOrigin;
use chase_nnue::NETWORK_FILE;
use serde::Serialize;
use tch::Device;

use crate::config::{CheckpointConfig, LearnerConfig, LimitsConfig, MeasurementConfig, RefitConfig, RulesConfig};
use crate::game_record::{GameRecord, Purpose};
use crate::learner::{LearnError, StepReport};
use crate::settings::{Change, thread_count};
use crate::store::RunSettings;
use crate::store::run_dir::{CONFIG_FILE, RunDir};
use crate::store::run_state::RunState;
use crate::training_loop::TrainingError;
use crate::venue::{Finished, Offer, Tick, VenueError};

/// The name of a kind of network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NetworkKind {
    /// A residual network, for tree search.
    Residual,
    /// An efficiently updatable network, for alpha-beta search.
    Nnue,
}

/// Facts about a kind of network, for reports and commands.
#[derive(Debug)]
pub struct KindFacts {
    /// Its name on pages and in messages; also the key `kind` of a configuration, which one of residual networks does not have.
    pub name: &'static str,
    /// True if its self-play explores, so that games to be counted are played apart.
    pub explores: bool,
    /// Meaning of the loss of its value, a sentence for the report.
    pub value_loss: &'static str,
    /// True if it learns and plays on other devices than the CPU too.
    pub on_devices: bool,
}

impl NetworkKind {
    /// Facts about it, for reports and commands.
    pub const fn facts(self) -> &'static KindFacts {
        match self {
            Self::Residual => &residual::FACTS,
            Self::Nnue => &nnue::FACTS,
        }
    }

    /// The kind with the name that the settings of a run give: one of residual networks gives none.
    pub fn named(name: Option<&str>) -> Self {
        // A name that does not exist is reported by the reader of settings that have one.
        name.map_or(Self::Residual, |_| Self::Nnue)
    }

    /// The kind that a configuration trains.
    pub fn of_settings(text: &str) -> Self {
        // Invalid TOML is reported by its reader.
        let table = text.parse::<toml::Table>().unwrap_or_default();
        Self::named(table.get("kind").map(|kind| kind.as_str().unwrap_or_default()))
    }

    /// The kind of a built-in network, of the one in the folder of a checkpoint, or of those of a training run.
    pub fn of(folder: &Path) -> Self {
        if chase_nnue::shipped::is_shipped(folder) || folder.join(NETWORK_FILE).is_file() {
            return Self::Nnue;
        }
        let settings = fs::read_to_string(folder.join(CONFIG_FILE)).unwrap_or_default();
        Self::of_settings(&settings)
    }
}

/// Evaluates an expression in which a type stands for the kind of network that a [`NetworkKind`] names, for the game that an
/// expression before it finds by the type of its settings.
///
/// ```
/// use chase_engine::Game;
/// use chase_training::kinds::{Kind, NetworkKind};
/// use chase_training::settings::Settings;
/// use chase_training::with_kind;
///
/// let text = "kind = 'nnue'\ngame = 'chess-cyl'";
/// let load = Some(("example", text));
/// let kind = NetworkKind::of_settings(text);
/// let game = with_kind!(kind, S => <S as Settings>::load(load, &[])?.game, K => <<K as Kind>::Game as Game>::NAME);
/// assert_eq!(game, "chess");
/// # Ok::<(), chase_training::settings::ConfigError>(())
/// ```
#[macro_export]
macro_rules! with_kind {
    ($kind:expr, $settings:ident => $game:expr, $name:ident => $body:expr) => {
        match $kind {
            $crate::kinds::NetworkKind::Residual => {
                type $settings = $crate::config::Config;
                chase_engine::with_game!($game, G => {
                    type $name = $crate::kinds::residual::Residual<G>;
                    $body
                })
            }
            $crate::kinds::NetworkKind::Nnue => {
                type $settings = $crate::kinds::nnue::config::Config;
                chase_engine::with_game!($game, G => {
                    // Without this nothing would be wrong, but the program is compiled for games that have such networks only.
                    if <G as chase_engine::Encode>::HAS_SPARSE_INPUTS {
                        type $name = $crate::kinds::nnue::Nnue<G>;
                        $body
                    } else {
                        unreachable!("its settings refuse a game without sparse inputs")
                    }
                })
            }
        }
    };
}

/// The sections that settings of every kind have.
#[derive(Clone, Copy, Debug)]
pub struct Sections<'a> {
    /// Threads; 0 for one per core.
    pub threads: usize,
    /// The conventions of play.
    pub rules: &'a RulesConfig,
    /// Self-play games of a generation.
    pub games: u32,
    /// First generations, whose games are played with the game's hand-written heuristic.
    pub heuristic_generations: u64,
    /// Games that are played to be counted; `None` for a kind that has none.
    pub measurement: Option<&'a MeasurementConfig>,
    /// Matches against baselines.
    pub evaluation: Evaluation<'a>,
    /// Learning the games of another run with a new network.
    pub refit: &'a RefitConfig,
    /// Checkpoints that are kept.
    pub checkpoints: &'a CheckpointConfig,
    /// Limits of the run.
    pub limits: &'a LimitsConfig,
}

/// Matches of the networks of a run against baselines.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation<'a> {
    /// Generations from one evaluation to the next; 0 for never.
    pub every: u64,
    /// Games against each opponent, in colour-swapped pairs.
    pub games: u32,
    /// Texts of the opponents. The first is the zero of ratings.
    pub opponents: &'a [String],
}

/// Settings of a training run, as far as the loop needs to know them.
pub trait KindSettings: RunSettings {
    /// The sections that settings of every kind have.
    fn sections(&self) -> Sections<'_>;

    /// Settings of the learner, as far as all kinds have them.
    fn learner(&self) -> LearnerConfig;

    /// Games that one thread plays and one shard holds.
    fn group_games(&self, purpose: Purpose) -> u32;

    /// SHA-256, in hexadecimal digits, of the settings that a game of this purpose depends on.
    ///
    /// Threads, the device, the number of games, evaluations, kept checkpoints and limits are left out: a run has the
    /// same files on any number of threads, and keeps its hash when it is resumed with more games or generations.
    fn games_sha256(&self, purpose: Purpose) -> String;

    /// True if a generation leaves unfinished self-play games to the next.
    fn carries_over(&self, generation: u64) -> bool {
        _ = generation;
        false
    }

    /// Rows that the window should hold at least after `played` rows of the run, as shards count them.
    fn window_rows(&self, played: u64) -> u64;

    /// Steps of the learner after a generation with which the rows played grow from `before` to `after`.
    fn steps(&self, before: u64, after: u64) -> u64;

    /// Number of threads, resolved for this machine.
    fn thread_count(&self) -> usize {
        thread_count(self.sections().threads)
    }

    /// Settings of the learner in a refit.
    fn refit_learner(&self) -> LearnerConfig {
        let refit = self.sections().refit;
        LearnerConfig {
            rate: refit.rate,
            drop_from: refit.drop_from,
            drop_to: refit.drop_to,
            ..self.learner()
        }
    }
}

/// Advice to someone who changed settings of a run that need this much.
pub(crate) fn advice(needed: Change) -> String {
    let advice = match needed {
        Change::Resume | Change::Branch => "start a branch with it: chase train --branch DIR --set KEY=VALUE",
        Change::Refit => "learn its games with a new network: chase train --refit DIR --set KEY=VALUE",
        Change::New => "begin a new run",
    };
    advice.to_owned()
}

/// A network in training, of one kind and for one game: its learner, and the rows that it learns from.
pub trait Kind: Sized + fmt::Debug + 'static {
    /// The game that it learns.
    type Game: Game;
    /// Settings of a run.
    type Settings: KindSettings;
    /// A checkpoint in memory.
    type Saved;
    /// A network as it plays.
    type Player<'a>: Copy + fmt::Debug;
    /// The rows of one step of the learner.
    type Batch: Send;

    /// Files of a checkpoint's folder that its network needs to play.
    const PLAYING_FILES: &'static [&'static str];
    /// Steps of the learner that make one record of the metrics.
    const STEPS_A_RECORD: u64;

    /// The settings on this machine: what they leave to it is written down, so that a run has the same arithmetic
    /// wherever it is resumed.
    ///
    /// # Errors
    /// If the machine cannot do what they ask for.
    fn settle(settings: Self::Settings) -> Result<Self::Settings, TrainingError> {
        Ok(settings)
    }

    /// The device that networks compute on.
    ///
    /// # Errors
    /// If this machine does not have it.
    fn device(settings: &Self::Settings) -> Result<Device, DeviceError>;

    /// The conventions of play.
    fn rules(settings: &Self::Settings) -> <Self::Game as Game>::Rules;

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or is for another game.
    fn load(settings: &Self::Settings, folder: &Path, device: Device) -> Result<Self::Saved, TrainingError>;

    /// SHA-256 of the `config.toml` that a checkpoint was trained under, if it is known.
    fn trained_under(saved: &Self::Saved) -> Option<&str>;

    /// The network of a checkpoint as it plays on a device.
    fn saved_player<'a>(settings: &Self::Settings, saved: &'a Self::Saved, device: Device) -> Self::Player<'a>;

    /// A network that has learned nothing yet, or the one `from` a checkpoint, given by its folder and content. What a
    /// `run` has written down when it began counts in a run that continues it.
    ///
    /// # Errors
    /// If something that the settings name cannot be read, or the checkpoint does not fit them.
    fn open(
        settings: &Self::Settings,
        run: Option<&RunDir>,
        from: Option<(&Path, Self::Saved)>,
    ) -> Result<Self, TrainingError>;

    /// Files that a new run has from its beginning, by name.
    fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        Vec::new()
    }

    /// More about the beginning of the run, for a person.
    fn note(&self) -> Option<String> {
        None
    }

    /// Steps of the learner so far.
    fn steps(&self) -> u64;

    /// The same learner under other settings, of which the parts of a batch and the optimizer are the same.
    fn follow(&mut self, learner: LearnerConfig);

    /// Has the learning rate warm up from this step on.
    fn warm_up_from(&mut self, step: u64);

    /// The network as it plays now.
    fn player(&self) -> Self::Player<'_>;

    /// True if the network can play: if it gives numbers that are finite.
    ///
    /// # Errors
    /// If it cannot be evaluated.
    fn is_sound(&self, rules: &<Self::Game as Game>::Rules) -> Result<bool, LearnError> {
        _ = rules;
        Ok(true)
    }

    /// The network's inputs, as JSON.
    fn encoding(player: Self::Player<'_>) -> String;

    /// The name, in files, of what plays the games of a generation when that many generations are finished.
    fn model(settings: &Self::Settings, generation: u64, finished: u64) -> String;

    /// True if the games of a generation are played by alpha-beta search: what is counted as evaluations are nodes.
    fn counts_nodes(settings: &Self::Settings, generation: u64) -> bool {
        generation <= settings.sections().heuristic_generations
    }

    /// Plays the groups of an offer in this process.
    ///
    /// # Errors
    /// If games cannot be played, or `finished` fails.
    fn play(
        offer: &Offer<'_, Self>,
        finished: &mut Finished<'_, Self::Game>,
        tick: &mut Tick<'_>,
    ) -> Result<(), VenueError>;

    /// Number of rows that games add to the window.
    fn rows(&self, records: &[GameRecord<Self::Game>]) -> u64;

    /// Adds the games of a shard to the window.
    fn add(&mut self, records: &[GameRecord<Self::Game>]);

    /// Drops the oldest rows that the window need not hold, and from the state the shards of them.
    fn trim(&mut self, settings: &Self::Settings, state: &mut RunState);

    /// Rows in the window, and bytes of memory that they take.
    fn window(&self) -> (u64, u64);

    /// The learner's work of a generation, of this many steps.
    ///
    /// # Errors
    /// If there is nothing to learn from.
    fn lesson(
        &mut self,
        settings: &Self::Settings,
        generation: u64,
        steps: u64,
    ) -> Result<Lesson<'_, Self::Batch>, TrainingError>;

    /// Called when the lesson of a generation is over. Returns what was measured of the network, by its names in the
    /// metrics.
    ///
    /// # Errors
    /// If libtorch fails, or the network cannot play.
    fn learned(&mut self) -> Result<Vec<(&'static str, f64)>, TrainingError> {
        Ok(Vec::new())
    }

    /// Saves the network and the state of its learner into a new folder, as the checkpoint of a state.
    ///
    /// # Errors
    /// If it cannot be written.
    fn save(&self, folder: &Path, state: &RunState, origin: NetworkOrigin) -> Result<(), TrainingError>;
}

/// The batches of a generation, which may be made on another thread, and how to make a step with one of them.
pub struct Lesson<'a, Batch> {
    /// One for each step.
    pub batches: Box<dyn Iterator<Item = Batch> + Send + 'a>,
    /// Makes a step; the second argument is the finished part of the schedule, from 0 to 1.
    #[expect(clippy::type_complexity, reason = "it is used once")]
    pub step: Box<dyn FnMut(&Batch, f64) -> Result<StepReport, LearnError> + 'a>,
}

impl<Batch> fmt::Debug for Lesson<'_, Batch> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lesson")
    }
}
