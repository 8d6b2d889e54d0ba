//! The classes and functions that Python sees.

mod arguments;
mod baselines;
mod checkpoint;
mod game;
mod search_result;
mod self_play;
mod states;
mod strategy;
mod updatable;
mod vector_env;

use pyo3::prelude::*;

/// The compiled half of `chase_rl`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::baselines::{AlphaBetaResult, alpha_beta, greedy, heuristic, random_action};
    #[pymodule_export]
    use super::checkpoint::read_checkpoint;
    #[pymodule_export]
    use super::game::{Game, State, load_game, registered_names};
    #[pymodule_export]
    use super::search_result::{SearchResult, search};
    #[pymodule_export]
    use super::self_play::{PlayedGame, SelfPlay};
    #[pymodule_export]
    use super::strategy::{Gumbel, Puct};
    #[pymodule_export]
    use super::updatable::UpdatableNetwork;
    #[pymodule_export]
    use super::vector_env::VectorEnv;
}
