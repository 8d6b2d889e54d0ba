//! Events that a run reports to its observer, and requests that it makes.

use std::error::Error;
use std::fmt;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use chase_engine::Game;
use tch::Device;

use crate::game_record::Purpose;
use crate::kinds::Kind;
use crate::learner::Losses;
use crate::openings::{OpeningStatistics, Tally};

/// Something that happened in a run.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// The run begins, or continues.
    Started {
        /// The run's directory.
        directory: &'a Path,
        /// Generations finished so far.
        generation: u64,
        /// More about its beginning.
        note: Option<String>,
    },
    /// Games are being played; several times a second.
    Playing {
        /// The generation being played.
        generation: u64,
        /// The purpose of the games.
        purpose: Purpose,
        /// Finished games, including those found in shards.
        games: u64,
        /// All games to be played.
        of: u64,
        /// Plies played in this process.
        plies: u64,
        /// Leaves evaluated in this process, or nodes of alpha-beta search.
        evaluations: u64,
        /// True if they are nodes.
        by_nodes: bool,
    },
    /// The learner made a step.
    Learning {
        /// The generation being learned.
        generation: u64,
        /// Steps made in this generation.
        step: u64,
        /// Steps to be made in this generation.
        of: u64,
        /// The loss at this step.
        loss: f64,
    },
    /// A generation is finished and safe on disk.
    Generation(&'a Summary),
    /// Opening statistics were written.
    Measured(&'a OpeningStatistics),
    /// An evaluation is finished.
    Evaluated {
        /// The generation that was evaluated.
        generation: u64,
        /// Its figures by name.
        values: &'a [(String, f64)],
    },
    /// A fault that the run survives.
    Warning(String),
    /// The run has ended or was interrupted.
    Ended(Ended),
}

impl fmt::Display for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Started {
                directory,
                generation,
                note,
            } => {
                write!(f, "run in {} at generation {generation}", directory.display())?;
                note.iter().try_for_each(|note| write!(f, "; {note}"))
            }
            Self::Playing {
                generation,
                purpose,
                games,
                of,
                ..
            } => {
                write!(f, "generation {generation}: {} game {games} of {of}", purpose.name())
            }
            Self::Learning {
                generation,
                step,
                of,
                loss,
            } => write!(f, "generation {generation}: step {step} of {of}, loss {loss:.4}"),
            Self::Generation(summary) => summary.fmt(f),
            Self::Measured(openings) => write!(
                f,
                "generation {}: openings of {} {} games",
                openings.generation, openings.total.games, openings.purpose
            ),
            Self::Evaluated { generation, values } => {
                write!(f, "generation {generation}: evaluation")?;
                values
                    .iter()
                    .try_for_each(|(name, value)| write!(f, " {name} {value:.4}"))
            }
            Self::Warning(text) => write!(f, "warning: {text}"),
            Self::Ended(ended) => write!(f, "ended: {ended}"),
        }
    }
}

/// A finished generation.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Its number; the first is 1.
    pub generation: u64,
    /// Results of the games that the agent played from the start.
    pub tally: Tally,
    /// Results of those that began with random plies.
    pub random_openings: Tally,
    /// Plies of a game, mean over those from the start.
    pub mean_plies: f64,
    /// Rows that it added to the window.
    pub new_rows: u64,
    /// Rows in the window.
    pub window_rows: u64,
    /// Bytes of the window in memory.
    pub window_bytes: u64,
    /// Steps of the learner.
    pub steps: u64,
    /// Means over these steps; NaN if there were none, as is `rate`.
    pub losses: Losses,
    /// The last learning rate.
    pub rate: f64,
    /// Seconds of self-play, in this process.
    pub selfplay_seconds: f64,
    /// Seconds of learning.
    pub learning_seconds: f64,
    /// Self-play games per second, in this process, like all figures of speed; NaN if all of them were played before it
    /// started.
    pub games_per_second: f64,
    /// Plies per second.
    pub positions_per_second: f64,
    /// Evaluated leaves per second.
    pub evaluations_per_second: f64,
    /// Mean number of leaves in a batch.
    pub mean_batch: f64,
    /// Nodes per second of alpha-beta search; NaN in a generation of tree search.
    pub nodes_per_second: f64,
    /// Measurements of the network, by their names in the metrics.
    pub figures: Vec<(&'static str, f64)>,
    /// True if the game's heuristic played its games instead of the network.
    pub by_heuristic: bool,
    /// True if it is part of a refit, and has no games.
    pub is_refit: bool,
    /// Name of the checkpoint.
    pub checkpoint: String,
    /// Minutes of work since the run began, interruptions not counted.
    pub minutes: f64,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "generation {}: ", self.generation)?;
        let all = self.tally.games + self.random_openings.games;
        match all {
            0 => f.write_str("no games")?,
            _ => {
                self.write_games(f)?;
                write!(f, ", {} new rows", self.new_rows)?;
            }
        }
        write!(f, ", window {}, {} steps", self.window_rows, self.steps)?;
        if self.steps > 0 {
            let Losses {
                total, policy, value, ..
            } = self.losses;
            write!(f, ", loss {total:.4}")?;
            if policy.is_finite() {
                write!(f, " (policy {policy:.4}, value {value:.4})")?;
            }
        }
        for (name, figure) in &self.figures {
            let name = name.rsplit('/').next().unwrap_or(name).replace('_', " ");
            write!(f, ", {name} {figure:.4}")?;
        }
        if all == 0 {
            return write!(f, ", {:.1} s", self.learning_seconds);
        }
        match (self.nodes_per_second, self.evaluations_per_second) {
            (nodes, _) if nodes.is_finite() => write!(f, ", {nodes:.0} nodes/s")?,
            (_, evaluations) if evaluations.is_finite() => write!(f, ", {evaluations:.0} evaluations/s")?,
            _ => write!(f, ", games found")?,
        }
        write!(f, ", {:.1} + {:.1} s", self.selfplay_seconds, self.learning_seconds)
    }
}

impl Summary {
    /// Writes whose games there are, how many, and their score, with the number of games that it is of.
    fn write_games(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { games, truncated, .. } = self.tally;
        let by = if self.by_heuristic { " of the heuristic" } else { "" };
        let random = self.random_openings.games;
        if games == 0 {
            return write!(f, "{random} games{by} after random openings");
        }
        write!(f, "{games} games{by} of {:.1} plies, first player ", self.mean_plies)?;
        match self.tally.first_player_score() {
            Some(score) => write!(f, "{:.1} %", 100.0 * score)?,
            None => f.write_str("without a result")?,
        }
        match self.tally.decided() {
            decided @ 1.. if truncated > 0 => write!(f, " of {decided}")?,
            _ => {}
        }
        match random {
            0 => Ok(()),
            _ => write!(f, ", {random} more after random openings"),
        }
    }
}

/// The reason for the end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All generations are done.
    Generations,
    /// The time is up.
    Minutes,
    /// All rows are played.
    Rows,
    /// The stop flag was set; the run can be resumed.
    Stopped,
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Generations => "all generations are done",
            Self::Minutes => "the time is up",
            Self::Rows => "all rows are played",
            Self::Stopped => "stopped",
        })
    }
}

/// A request to rate a network.
#[derive(Debug)]
pub struct EvaluationRequest<'a, K: Kind> {
    /// The checkpoint's folder; the network is named after it.
    pub checkpoint: &'a Path,
    /// The network as it plays.
    pub player: K::Player<'a>,
    /// The conventions to play under.
    pub rules: &'a <K::Game as Game>::Rules,
    /// The device to compute on.
    pub device: Device,
    /// The settings of the run; section `evaluation` sets the amount of work.
    pub settings: &'a K::Settings,
    /// Seed of all randomness in the evaluation.
    pub seed: u64,
    /// Set to ask for an early end, which is an error. The result of an evaluation that has already finished still
    /// counts.
    pub stop: &'a AtomicBool,
}

/// Figures of an evaluation by name, for the metrics (`eval/elo`), or the reason that there are none.
pub type EvaluationResult = Result<Vec<(String, f64)>, Box<dyn Error + Send + Sync>>;

/// Watches a training run: receives its events, and rates its networks.
///
/// Ratings need opponents and statistics from outside this crate.
pub trait Observer<K: Kind> {
    /// Receives an event.
    fn event(&mut self, event: &Event<'_>);

    /// Rates the network of a generation; 0 is the untrained network. A failure becomes an [`Event::Warning`]; the run
    /// continues.
    fn evaluate(&mut self, generation: u64, request: &EvaluationRequest<'_, K>) -> EvaluationResult;
}
