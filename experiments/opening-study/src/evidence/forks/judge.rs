//! Judgements of the positions that the choices of a fork lead to.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use chase_arena::players::nnue::LineSearch;
use chase_arena::{NetworkSpec, NnueSpec, PlayerError, PlayerSpec};
use chase_engine::alpha_beta::{Limits, Request};
use chase_engine::search::{EvaluationError, SearchParams, Strategy};
use chase_engine::{Chase, Game, Player};
use chase_models::device::Device;

use crate::evidence::score::score;
use crate::evidence::search::{Searcher, search_together, white_score};

type MakeSearch = dyn Fn() -> LineSearch<Chase> + Send + Sync;

/// The search of a player with a network, without chance.
pub(super) enum Judge {
    /// A network of the first family.
    Tree { searcher: Searcher, params: SearchParams },
    /// One of the second family.
    AlphaBeta { searches: Box<MakeSearch>, limits: Limits },
}

impl fmt::Debug for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Judge")
    }
}

impl Judge {
    /// The search of a player; `None` if it has no network.
    ///
    /// # Errors
    /// If its network cannot be loaded or used.
    pub fn of(player: &PlayerSpec, name: &str, device: Device) -> Result<Option<Self>, PlayerError> {
        match player {
            PlayerSpec::Network(network) => Self::tree(network, name, device).map(Some),
            PlayerSpec::Nnue(network) => Self::alpha_beta(player, network).map(Some),
            PlayerSpec::Baseline(_) | PlayerSpec::Engine(_) => Ok(None),
        }
    }

    fn tree(network: &NetworkSpec, name: &str, device: Device) -> Result<Self, PlayerError> {
        let settings = network.settings();
        Ok(Self::Tree {
            searcher: Searcher::network(network, name, device)?,
            params: SearchParams {
                // Every candidate is searched, even if it has few replies.
                skip_forced: false,
                strategy: without_noise(settings.params.strategy),
                ..settings.params
            },
        })
    }

    fn alpha_beta(player: &PlayerSpec, network: &NnueSpec) -> Result<Self, PlayerError> {
        let searches = network.searches::<Chase>(Chase::NAME);
        let searches = searches.map_err(|error| PlayerError::Nnue {
            player: player.to_string(),
            error: Box::new(error),
        })?;
        Ok(Self::AlphaBeta {
            searches: Box::new(searches),
            limits: network.limits(),
        })
    }

    /// The expected score of White in each of these games, from 0 to 1: by a search of its own, or exact where the game
    /// is over; `None` for a game that was truncated. `None` for all if `stop` was set before all were searched.
    ///
    /// # Errors
    /// If the network cannot evaluate.
    pub fn white_scores(
        &self,
        games: &[Chase],
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<Option<Vec<Option<f64>>>, EvaluationError> {
        match self {
            Self::Tree { searcher, params } => {
                let mut evaluator = searcher.source.evaluator()?;
                let searches = search_together(games, params, evaluator.as_mut(), seed, stop)?;
                let scores = |searches: Vec<_>| {
                    games
                        .iter()
                        .zip(&searches)
                        .map(|(game, search)| white_score(game, search))
                        .collect()
                };
                Ok(searches.map(scores))
            }
            Self::AlphaBeta { searches, limits } => {
                let mut search = searches();
                let mut scores = Vec::with_capacity(games.len());
                for game in games {
                    if stop.load(Ordering::Relaxed) {
                        return Ok(None);
                    }
                    scores.push(match game.outcome() {
                        Some(outcome) => score(outcome),
                        None => {
                            let request = Request::new(*limits).stopped_by(stop);
                            let score = search.search(game, request, &mut |_| ())[0].score;
                            Some(match game.to_move() {
                                Player::White => score,
                                Player::Black => 1.0 - score,
                            })
                        }
                    });
                }
                // The last search may have been cut short.
                Ok((!stop.load(Ordering::Relaxed)).then_some(scores))
            }
        }
    }
}

/// With noise, values would be random.
fn without_noise(strategy: Strategy) -> Strategy {
    match strategy {
        Strategy::Puct(params) => Strategy::Puct(chase_engine::search::PuctParams { noise: None, ..params }),
        Strategy::Gumbel(params) => Strategy::Gumbel(chase_engine::search::GumbelParams {
            noise_scale: 0.0,
            ..params
        }),
    }
}
