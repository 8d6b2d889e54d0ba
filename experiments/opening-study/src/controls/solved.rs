//! The tests of A1 and of the best first move on Connect Four, against its solver.

use chase_engine::connect_four::Solver;
use chase_statistics::Verdict;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::connect_four::{CENTRE, ConnectFourStudy, lost, won};
use super::error_share::ErrorShare;
use super::verdict_counts::VerdictCounts;
use crate::evidence::games::Design;

/// The most blocks of a study: enough for every verdict, and seconds.
const MOST_BLOCKS: u32 = 128;
/// The most studies of a position.
const MOST_STUDIES: u32 = 20;

/// A position of Connect Four with a known truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SolvedPosition {
    /// The player to move wins with a stone in the centre alone.
    Won,
    /// The player to move has lost, whatever the move.
    Lost,
    /// The first position, with colours exchanged by a fair coin after each game: no one has the first move.
    ColoursExchanged,
}

impl SolvedPosition {
    /// Its name in sentences.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Won => "won by the stone in the centre alone",
            Self::Lost => "lost",
            Self::ColoursExchanged => "colours exchanged",
        }
    }
}

/// The verdicts on studies of a position of Connect Four.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolvedControl {
    /// The position.
    pub position: SolvedPosition,
    /// Blocks of each study.
    pub blocks: u32,
    /// Verdicts on the advantage of the player to move.
    pub verdicts: VerdictCounts,
    /// Verdicts against the truth.
    pub wrong: ErrorShare,
    /// The best first move; `None` where all are lost.
    pub best: Option<BestMoveControl>,
}

/// The comparison of first moves with the best, in studies of a position whose best move is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BestMoveControl {
    /// Studies in which the best move alone can be the best.
    pub alone: u32,
    /// Studies in which it is excluded, against the truth. Of equally good moves each is a best one.
    pub wrong: ErrorShare,
}

impl SolvedControl {
    /// Studies of each position, with the design of a study that played `blocks`; no more of each than `worlds`.
    pub(super) fn all(design: &Design, blocks: u32, worlds: u32) -> Vec<Self> {
        let seed = design.seed;
        let design = ConnectFourStudy::design(design, blocks.min(MOST_BLOCKS));
        let numbers = 0..u64::from(worlds.min(MOST_STUDIES));
        let mut solver = Solver::default();
        let [won, lost] = [won(), lost()].map(|start| {
            let study = |number| ConnectFourStudy::of(&design, &start, &[seed, number], &mut solver);
            numbers.clone().map(study).collect::<Vec<_>>()
        });
        let exchanged = won.first().map(|study| {
            let worlds = numbers.map(|number| study.with_colours_exchanged(&[seed, number]));
            worlds.collect::<Vec<_>>()
        });
        let of = |position, studies: &[ConnectFourStudy]| Self::of(position, studies, &design);
        vec![
            of(SolvedPosition::Won, &won),
            of(SolvedPosition::Lost, &lost),
            of(SolvedPosition::ColoursExchanged, &exchanged.unwrap_or_default()),
        ]
    }

    /// Studies of one position.
    pub(super) fn of(position: SolvedPosition, studies: &[ConnectFourStudy], design: &Design) -> Self {
        let error = |wrong: usize| ErrorShare::of(wrong as u32, studies.len() as u32, design.config.error);
        let verdicts: Vec<Verdict> = studies.par_iter().map(ConnectFourStudy::advantage).collect();
        let false_one = match position {
            SolvedPosition::Won => Verdict::Refuted,
            SolvedPosition::Lost | SolvedPosition::ColoursExchanged => Verdict::Supported,
        };
        let wrong = verdicts.iter().filter(|&&verdict| verdict == false_one).count();
        let best = (position != SolvedPosition::Lost).then(|| {
            let possible = |study: &ConnectFourStudy| study.best().map(|best| best.possible()).unwrap_or_default();
            let possible: Vec<Vec<usize>> = studies.par_iter().map(possible).collect();
            let centre = usize::from(CENTRE);
            let alone = possible.iter().filter(|possible| ***possible == [centre]);
            let excluded = possible.iter().filter(|possible| !possible.contains(&centre));
            BestMoveControl {
                alone: alone.count() as u32,
                wrong: error(excluded.count()),
            }
        });
        Self {
            position,
            blocks: design.config.most,
            verdicts: verdicts.into_iter().collect(),
            wrong: error(wrong),
            best,
        }
    }
}
