//! Judgements of the positions that the choices of a fork lead to.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use chase_arena::{PlayerError, PlayerSpec, SearchKind, SearchSpec, updatable_evaluators};
use chase_engine::alpha_beta::{AlphaBeta, Limits, Request};
use chase_engine::search::{EvaluationError, SearchParams, Strategy};
use chase_engine::{Chase, Game, Player};
use chase_models::device::Device;
use chase_nnue::{LineEvaluator, Network};
use chase_training::kinds::NetworkKind;

use crate::evidence::score::score;
use crate::evidence::search::{Searcher, search_together, white_score};

type MakeSearch = dyn Fn() -> AlphaBeta<Chase, LineEvaluator<Arc<Network>, Chase>> + Send + Sync;

/// The search of a player with a network, without chance.
pub(super) enum Judge {
    /// A tree search with a residual network.
    Tree { searcher: Searcher, params: SearchParams },
    /// Alpha-beta with an efficiently updatable network.
    AlphaBeta { searches: Box<MakeSearch>, limits: Limits },
}

impl fmt::Debug for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Judge")
    }
}

impl Judge {
    /// True if the search of a player can judge positions.
    pub fn judges(player: &PlayerSpec) -> bool {
        player
            .network()
            .zip(player.search())
            .is_some_and(|(network, spec)| match network.kind {
                NetworkKind::Residual => spec.params().is_some(),
                _ => spec.search == SearchKind::AlphaBeta,
            })
    }

    /// The search of a player; `None` if it [cannot judge](Self::judges).
    ///
    /// # Errors
    /// If its network cannot be loaded or used.
    pub fn of(player: &PlayerSpec, name: &str, device: Device) -> Result<Option<Self>, PlayerError> {
        let Some(spec) = player.search().filter(|_| Self::judges(player)) else {
            return Ok(None);
        };
        Ok(Some(match spec.params() {
            Some(params) => Self::Tree {
                searcher: Searcher::network(spec, name, device)?,
                params: SearchParams {
                    // Every candidate is searched, even if it has few replies.
                    skip_forced: false,
                    strategy: without_noise(params.strategy),
                    ..params
                },
            },
            None => Self::alpha_beta(player, spec)?,
        }))
    }

    fn alpha_beta(player: &PlayerSpec, spec: &SearchSpec) -> Result<Self, PlayerError> {
        let path = spec.evaluator.path().expect("it has a network");
        let make = updatable_evaluators::<Chase>(path, Chase::NAME);
        let (make, settings) = (make.map_err(|error| player.unusable(error.into()))?, spec.alpha_beta);
        Ok(Self::AlphaBeta {
            searches: Box::new(move || AlphaBeta::new(make(), settings)),
            limits: spec.limits().into(),
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
                let mut evaluator = searcher.evaluator()?;
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
