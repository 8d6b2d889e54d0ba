//! The search: against independent implementations, exact solutions, and its own past.
#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

mod evaluators;
mod graph_game;
mod naive;

mod budget;
mod golden;
mod gumbel;
mod leaves;
mod points_of_view;
mod proofs;
mod prover;
mod puct;
mod reuse;
mod tactics;

use chase_engine::Game;
use chase_engine::search::{Evaluator, GumbelParams, PuctParams, Search, SearchParams, Strategy};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn puct(simulations: u32) -> SearchParams {
    SearchParams {
        simulations,
        strategy: Strategy::Puct(PuctParams::default()),
        skip_forced: false,
    }
}

fn gumbel(simulations: u32, noise_scale: f32) -> SearchParams {
    SearchParams {
        simulations,
        strategy: Strategy::Gumbel(GumbelParams {
            noise_scale,
            ..GumbelParams::default()
        }),
        skip_forced: false,
    }
}

/// A finished search of `game`.
fn searched<G: Game>(game: &G, params: &SearchParams, evaluator: &mut impl Evaluator<G>) -> Search<G> {
    let mut search = Search::new();
    search.start(game, params, &mut rng(1)).unwrap();
    search.run(evaluator).unwrap();
    search
}

/// The game after some actions given as text.
fn after<G: Game>(rules: &G::Rules, actions: &str) -> G {
    let mut game = G::new(rules);
    for text in actions.split_whitespace() {
        let action = game
            .parse_action(text)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        game.apply(action);
    }
    game
}
