//! Searches that judge positions: the first moves and replies, and the choices of forks.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use chase_arena::{
    MakeEvaluator, PlayerError, PlayerSpec, SearchKind, SearchSpec, Usage, network_evaluators, updatable_evaluators,
};
use chase_engine::alpha_beta::{AlphaBeta, Limits, Request};
use chase_engine::search::{
    self, EvaluationError, Evaluations, GumbelParams, PuctParams, Search, SearchParams, Strategy,
};
use chase_engine::{Chase, Game, Player};
use chase_models::device::Device;
use chase_nnue::{LineEvaluator, Network};
use chase_training::kinds::NetworkKind;

use super::score::score;
use chase_statistics::generator;

type MakeSearch = dyn Fn() -> AlphaBeta<Chase, LineEvaluator<Arc<Network>, Chase>> + Send + Sync;

/// The search of a player with a network, without chance.
pub struct Judge {
    /// The text of the player.
    pub name: String,
    /// SHA-256 of its weights.
    pub weights: Option<String>,
    /// Every option of the player with its effective value.
    pub settings: BTreeMap<&'static str, String>,
    searches: Searches,
}

enum Searches {
    /// A tree search with a residual network.
    Tree {
        evaluators: MakeEvaluator<Chase>,
        params: SearchParams,
    },
    /// Alpha-beta with an efficiently updatable network.
    AlphaBeta { make: Box<MakeSearch>, limits: Limits },
}

impl fmt::Debug for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Judge")
            .field("name", &self.name)
            .finish_non_exhaustive()
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
    pub fn of(player: &PlayerSpec, device: Device) -> Result<Option<Self>, PlayerError> {
        let Some(spec) = player.search().filter(|_| Self::judges(player)) else {
            return Ok(None);
        };
        let searches = match spec.params() {
            Some(params) => Searches::tree(player, spec, params, device)?,
            None => Searches::alpha_beta(player, spec)?,
        };
        Ok(Some(Self {
            name: player.to_string(),
            weights: player.weights_sha256()?,
            settings: player.resolved(),
            searches,
        }))
    }

    /// The expected score of White in each of these games, from 0 to 1, with 0.5 for a draw: by a search of its own, with
    /// other `simulations` of a tree search if they are given, or exact where the game is over; `None` for a game that was
    /// truncated. `None` for all if `stop` was set before all were searched.
    ///
    /// # Errors
    /// If the network cannot evaluate.
    pub fn white_scores(
        &self,
        games: &[Chase],
        simulations: Option<u32>,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<Option<Vec<Option<f64>>>, EvaluationError> {
        match &self.searches {
            Searches::Tree { evaluators, params } => {
                let simulations = simulations.unwrap_or(params.simulations);
                let params = SearchParams { simulations, ..*params };
                let mut evaluator = evaluators().map_err(EvaluationError::Failed)?;
                let mut searches = Vec::with_capacity(games.len());
                for (index, game) in games.iter().enumerate() {
                    let mut search = Search::new();
                    let started = search.start(game, &params, &mut generator(seed, &[index as u64]));
                    started.map_err(|error| EvaluationError::Failed(error.to_string()))?;
                    searches.push(search);
                }
                // A tree for each position; the evaluator sees one leaf of each at a time.
                let (mut evaluations, mut all) = (Evaluations::new(), searches.iter_mut().collect::<Vec<_>>());
                while search::step(&mut all, evaluator.as_mut(), &mut evaluations)? > 0 {
                    if stop.load(Ordering::Relaxed) {
                        return Ok(None);
                    }
                }
                let white = |(game, search): (&Chase, &Search<Chase>)| match game.outcome() {
                    Some(outcome) => score(outcome),
                    None => Some(search.root()?.wdl(Player::White).score()),
                };
                Ok(Some(games.iter().zip(&searches).map(white).collect()))
            }
            Searches::AlphaBeta { make, limits } => {
                let mut search = make();
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
                            Some(game.to_move().score(score))
                        }
                    });
                }
                // The last search may have been cut short.
                Ok((!stop.load(Ordering::Relaxed)).then_some(scores))
            }
        }
    }
}

impl Searches {
    fn tree(player: &PlayerSpec, spec: &SearchSpec, params: SearchParams, device: Device) -> Result<Self, PlayerError> {
        let network = spec.evaluator.network().expect("a residual network");
        let checkpoint = network.checkpoint().map_err(|fault| player.unusable(fault))?;
        // Its searches share batches, as in a match without a limit of time.
        let untimed = spec.as_judge(Default::default());
        let (precision, _) = untimed.precision(&checkpoint, device, Usage::Match);
        let evaluators = network_evaluators(Chase::NAME, &checkpoint, device, precision, false);
        Ok(Self::Tree {
            evaluators: evaluators.map_err(|fault| player.unusable(fault))?,
            params: SearchParams {
                // Every position is searched, even if it has few replies.
                skip_forced: false,
                strategy: without_noise(params.strategy),
                ..params
            },
        })
    }

    fn alpha_beta(player: &PlayerSpec, spec: &SearchSpec) -> Result<Self, PlayerError> {
        let path = spec.evaluator.path().expect("it has a network");
        let make = updatable_evaluators::<Chase>(path, Chase::NAME);
        let (make, settings) = (make.map_err(|fault| player.unusable(fault))?, spec.alpha_beta);
        Ok(Self::AlphaBeta {
            make: Box::new(move || AlphaBeta::new(make(), settings)),
            limits: spec.limits().into(),
        })
    }
}

/// With noise, values would be random.
fn without_noise(strategy: Strategy) -> Strategy {
    match strategy {
        Strategy::Puct(params) => Strategy::Puct(PuctParams { noise: None, ..params }),
        Strategy::Gumbel(params) => Strategy::Gumbel(GumbelParams {
            noise_scale: 0.0,
            ..params
        }),
    }
}
