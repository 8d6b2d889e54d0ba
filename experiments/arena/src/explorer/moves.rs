//! The moves of one position.

use std::collections::BTreeMap;

use chase_engine::{Chase, Game, Playable};
use serde::Serialize;

use super::game::Source;
use super::index::Explorer;
use chase_training::openings::Tally;

/// Figures for the moves of a position, from any number of explorers.
#[derive(Debug)]
pub struct Moves<G: Game = Chase> {
    game: G,
    /// By action, then by run and source.
    sums: BTreeMap<G::Action, BTreeMap<(String, Source), Sum>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    tally: Tally,
    points: f64,
    valued: u64,
    visits: u64,
}

/// Figures of a move from games and searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MoveFigures {
    /// Results of the games with it.
    pub tally: Tally,
    /// White's expected score after it, from 0 to 1: the mean expectation of those games' searches of the next
    /// position; `None` if there are none.
    pub value: Option<f64>,
    /// Visits of it in full searches of the position, including searches after which another move was played.
    pub visits: u64,
}

/// A move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explored {
    /// The move, in exact form.
    pub action: String,
    /// The same move in the notation for people, in Chase the article's.
    pub text: String,
    /// Figures over all sources.
    #[serde(flatten)]
    pub figures: MoveFigures,
    /// Figures by run and source, sorted by name.
    pub by: Vec<BySource>,
}

/// Figures of a move from one player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BySource {
    /// The run.
    pub run: String,
    /// The player who chose or searched.
    #[serde(flatten)]
    pub source: Source,
    #[serde(flatten)]
    #[allow(missing_docs, reason = "the type says it")]
    pub figures: MoveFigures,
}

impl std::ops::AddAssign for Sum {
    fn add_assign(&mut self, other: Self) {
        self.tally += other.tally;
        self.points += other.points;
        self.valued += other.valued;
        self.visits += other.visits;
    }
}

impl Sum {
    fn figures(&self) -> MoveFigures {
        MoveFigures {
            tally: self.tally,
            value: (self.valued > 0).then(|| self.points / self.valued as f64),
            visits: self.visits,
        }
    }
}

impl<G: Playable> Moves<G> {
    /// Creates an empty list of moves in the position of a game.
    pub const fn new(game: G) -> Self {
        Self {
            game,
            sums: BTreeMap::new(),
        }
    }

    /// Adds the figures of the explorer of a run, from the sources for which `chosen` is true.
    pub fn add(&mut self, run: &str, explorer: &Explorer<G>, chosen: impl Fn(&Source) -> bool) {
        let mut add = |action: G::Action, source: &Source, sum: Sum| {
            let by = self.sums.entry(action).or_default();
            *by.entry((run.to_owned(), source.clone())).or_default() += sum;
        };
        for (source, played) in explorer.played(&self.game) {
            if chosen(source) {
                let sum = Sum {
                    tally: played.tally(),
                    points: played.points,
                    valued: played.valued.into(),
                    visits: 0,
                };
                add(played.action, source, sum);
            }
        }
        for (source, searched) in explorer.searched(&self.game) {
            if chosen(source) {
                let visits = searched.visits.into();
                add(
                    searched.action,
                    source,
                    Sum {
                        visits,
                        ..Sum::default()
                    },
                );
            }
        }
    }

    /// The moves, most frequent first, then by visits. Games are found only by the key of the position, so moves that
    /// are illegal here are left out.
    pub fn list(&self) -> Vec<Explored> {
        let legal = self.sums.iter().filter(|(action, _)| self.game.is_legal(**action));
        let mut moves: Vec<Explored> = legal
            .map(|(action, by)| {
                let mut all = Sum::default();
                by.values().for_each(|&sum| all += sum);
                let by = by.iter().map(|((run, source), sum)| BySource {
                    run: run.clone(),
                    source: source.clone(),
                    figures: sum.figures(),
                });
                Explored {
                    action: self.game.action_text(*action),
                    text: self.game.people_text(*action),
                    figures: all.figures(),
                    by: by.collect(),
                }
            })
            .collect();
        // Equal moves stay in the order of actions.
        moves.sort_by_key(|explored| std::cmp::Reverse((explored.figures.tally.games, explored.figures.visits)));
        moves
    }
}
