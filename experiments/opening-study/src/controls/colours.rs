//! Worlds made of played games: coins decide which colour has won.

use chase_engine::{Outcome, Player, seed};
use rand::RngExt;

use crate::evidence::games::{GameFacts, SeriesId};
use crate::evidence::score::score;

/// A number for a series, equal in every study.
fn number_of(series: SeriesId) -> u64 {
    seed::number(&series.to_string(), &[])
}

/// The generator of a game of a world.
fn coin(name: &str, world: &[u64], series: SeriesId, number: usize) -> impl rand::Rng {
    seed::named(name, &[world, &[number_of(series), number as u64]].concat())
}

/// A world without an advantage: after each game a fair coin assigns the colours. White's true score is one half,
/// whatever the games are. `world` is the place of the world's randomness.
pub(crate) fn exchange_colours(world: &[u64], series: SeriesId, number: usize, game: &mut GameFacts) {
    if coin("control: colours exchanged", world, series, number).random::<bool>() {
        game.outcome = match game.outcome {
            Outcome::Win(winner) => Outcome::Win(!winner),
            other => other,
        };
        game.score = score(game.outcome);
    }
}

/// A world in which White wins this share of the decided games.
pub(crate) fn favour_white(share: f64, world: &[u64], series: SeriesId, number: usize, game: &mut GameFacts) {
    if let Outcome::Win(_) = game.outcome {
        let mut coin = coin("control: White wins by a coin", world, series, number);
        let white = coin.random::<f64>() < share;
        game.outcome = Outcome::Win(if white { Player::White } else { Player::Black });
        game.score = score(game.outcome);
    }
}
