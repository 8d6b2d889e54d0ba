//! Events that a run reports to its observer.

use std::fmt;
use std::path::Path;

use crate::events::Ended;
use crate::openings::Tally;

/// Something that happened in a run.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// The run begins, or continues.
    Started {
        /// Its directory.
        directory: &'a Path,
        /// Generations finished so far.
        generation: u64,
        /// What it began with, if not with random weights.
        start: Option<&'a str>,
        /// Positions of `data` that are learned from.
        rows: u64,
        /// Positions of `data` that the loss is measured on.
        validation_rows: u64,
    },
    /// Games are being played; several times a second.
    Playing {
        /// The generation.
        generation: u64,
        /// Finished games, including those found in shards.
        games: u64,
        /// All games to be played.
        of: u64,
    },
    /// The learner made a step.
    Learning {
        /// The generation.
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
    /// A fault that the run survives.
    Warning(String),
    /// The run has ended or was interrupted.
    Ended(Ended),
}

/// A finished generation.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Its number; the first is 1.
    pub generation: u64,
    /// Results of its games.
    pub tally: Tally,
    /// Plies of a game on average; NaN without games.
    pub mean_plies: f64,
    /// Positions that can be drawn, of own games and of `data`.
    pub rows: u64,
    /// Steps of the learner.
    pub steps: u64,
    /// Mean of the loss over these steps.
    pub loss: f64,
    /// The loss on positions of games that were not learned from; NaN without any.
    pub validation_loss: f64,
    /// The same, by the quantised network that plays.
    pub quantised_loss: f64,
    /// Nodes of searches per second, over all threads; NaN if none was needed: there are no games, or all were on disk.
    pub nodes_per_second: f64,
    /// Positions learned per second.
    pub rows_per_second: f64,
    /// Minutes of work on the run so far.
    pub minutes: f64,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "generation {}: ", self.generation)?;
        if self.tally.games > 0 {
            write!(f, "{} games of {:.0} plies", self.tally.games, self.mean_plies)?;
            if self.nodes_per_second.is_finite() {
                write!(f, ", {:.0} k nodes/s", self.nodes_per_second / 1e3)?;
            }
            write!(f, "; ")?;
        }
        write!(
            f,
            "{} steps, {:.0} k rows/s, loss {:.4}, validation loss {:.4}, quantised {:.4}",
            self.steps,
            self.rows_per_second / 1e3,
            self.loss,
            self.validation_loss,
            self.quantised_loss
        )
    }
}

impl fmt::Display for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Started {
                directory,
                generation,
                start,
                rows,
                validation_rows,
            } => {
                write!(
                    f,
                    "run in {} at generation {generation}; {rows} rows of data to learn from, {validation_rows} to measure on",
                    directory.display()
                )?;
                match start {
                    Some(start) => write!(f, "; it began with {start}"),
                    None => Ok(()),
                }
            }
            Self::Playing { generation, games, of } => write!(f, "generation {generation}: game {games} of {of}"),
            Self::Learning {
                generation,
                step,
                of,
                loss,
            } => write!(f, "generation {generation}: step {step} of {of}, loss {loss:.4}"),
            Self::Generation(summary) => summary.fmt(f),
            Self::Warning(text) => write!(f, "warning: {text}"),
            Self::Ended(ended) => write!(f, "ended: {ended}"),
        }
    }
}

/// Receives the events of a run.
pub type Observer<'a> = dyn FnMut(&Event<'_>) + 'a;
