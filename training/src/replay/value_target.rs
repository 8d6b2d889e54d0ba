//! The value that the network learns at each ply.

use chase_engine::{Game, Outcome, Player, Wdl};

use crate::config::{LearnerConfig, TruncatedValue};
use crate::game_record::GameRecord;

/// Computes value targets: a mixture of the λ-return of a game and the value of the search at the ply itself.
///
/// The λ-return of TD(λ) goes backwards from the result of the game. At each ply that was searched, a share of 1 − λ of
/// it is replaced by the search's value. With λ = 1 it is the result.
#[derive(Clone, Copy, Debug)]
pub struct ValueTarget {
    lambda: f32,
    search_share: f32,
    truncated: TruncatedValue,
}

impl ValueTarget {
    /// The targets that a configuration asks for.
    pub const fn new(config: &LearnerConfig) -> Self {
        Self {
            lambda: config.td_lambda as f32,
            search_share: config.search_value_share as f32,
            truncated: config.truncated_value,
        }
    }

    /// The target of each ply, for its player; `None` where there is none.
    pub fn of<G: Game>(&self, record: &GameRecord<G>) -> Vec<Option<Wdl>> {
        // For White.
        let Some(mut later) = result(record.outcome) else {
            let search = |value| match self.truncated {
                TruncatedValue::Mask => None,
                TruncatedValue::Search => value,
            };
            return record.plies.iter().map(|ply| search(ply.value)).collect();
        };
        let backwards = record.plies.iter().rev().map(|ply| {
            if let Some(value) = ply.value {
                // λ = 0.9 instead of 1 is worth 133 Elo [87, 179] after first games by alpha-beta (study 0054).
                later = mixed(1.0 - self.lambda, seen_by(ply.player, value), later);
            }
            let own = seen_by(ply.player, later);
            // Half of it with λ = 1 is worth about 500 Elo to a network that begins with its own games (study 0006).
            Some(ply.value.map_or(own, |value| mixed(self.search_share, value, own)))
        });
        let mut targets: Vec<_> = backwards.collect();
        targets.reverse();
        targets
    }
}

/// The result for White; `None` if the game was truncated.
const fn result(outcome: Outcome) -> Option<Wdl> {
    match outcome {
        Outcome::Win(Player::White) => Some(Wdl::WIN),
        Outcome::Win(Player::Black) => Some(Wdl::LOSS),
        Outcome::Draw => Some(Wdl::DRAW),
        Outcome::Truncated => None,
    }
}

/// Turns White's probabilities into a player's, and back.
fn seen_by(player: Player, wdl: Wdl) -> Wdl {
    match player {
        Player::White => wdl,
        Player::Black => -wdl,
    }
}

fn mixed(share: f32, of: Wdl, rest: Wdl) -> Wdl {
    let mixed = |of: f32, rest: f32| (1.0 - share) * rest + share * of;
    Wdl::new(
        mixed(of.win, rest.win),
        mixed(of.draw, rest.draw),
        mixed(of.loss, rest.loss),
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::ConnectFour;

    use super::*;
    use crate::replay::testing::random_game;

    fn targets(
        record: &GameRecord<ConnectFour>,
        lambda: f64,
        share: f64,
        truncated: TruncatedValue,
    ) -> Vec<Option<Wdl>> {
        let config = LearnerConfig {
            td_lambda: lambda,
            search_value_share: share,
            truncated_value: truncated,
            ..LearnerConfig::default()
        };
        ValueTarget::new(&config).of(record)
    }

    /// A game whose third ply from the end was not searched.
    fn game(outcome: Outcome) -> GameRecord<ConnectFour> {
        let mut record = random_game::<ConnectFour>(&(), 3);
        record.outcome = outcome;
        let plies = record.plies.len();
        let values = [Wdl::new(0.5, 0.25, 0.25), Wdl::new(0.2, 0.2, 0.6)];
        for (ply, value) in [
            (plies - 1, Some(values[0])),
            (plies - 2, Some(values[1])),
            (plies - 3, None),
        ] {
            record.plies[ply].value = value;
        }
        record
    }

    #[test]
    fn the_whole_return_is_the_result_mixed_with_the_search_of_the_ply() {
        let record = game(Outcome::Draw);
        let plies = record.plies.len();
        let of = |share| targets(&record, 1.0, share, TruncatedValue::Search);
        assert!(of(0.0).iter().all(|target| *target == Some(Wdl::DRAW)));
        assert_eq!(of(0.5)[plies - 1], Some(Wdl::new(0.25, 0.625, 0.125)));
        assert_eq!(of(0.5)[plies - 3], Some(Wdl::DRAW));
        let won = game(Outcome::Win(Player::Black));
        for (ply, target) in won.plies.iter().zip(targets(&won, 1.0, 0.0, TruncatedValue::Search)) {
            let expected = if ply.player == Player::Black {
                Wdl::WIN
            } else {
                Wdl::LOSS
            };
            assert_eq!(target, Some(expected));
        }
    }

    /// Checked against the sum over all later plies, which is another way to say the same.
    #[test]
    fn the_return_weighs_later_searches_geometrically() {
        const LAMBDA: f32 = 0.75;
        let record = game(Outcome::Win(Player::White));
        let found = targets(&record, LAMBDA.into(), 0.0, TruncatedValue::Search);
        for (ply, target) in found.iter().enumerate() {
            let target: [f32; 3] = target.unwrap().into();
            let player = record.plies[ply].player;
            let (mut expected, mut weight) = ([0.0; 3], 1.0);
            for later in &record.plies[ply..] {
                let Some(value) = later.value else { continue };
                let value = if later.player == player { value } else { -value };
                for (sum, value) in expected.iter_mut().zip(<[f32; 3]>::from(value)) {
                    *sum += weight * (1.0 - LAMBDA) * value;
                }
                weight *= LAMBDA;
            }
            expected[if player == Player::White { 0 } else { 2 }] += weight;
            for (found, expected) in target.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-6, "ply {ply}: {target:?}");
            }
        }
        let plies = record.plies.len();
        // Without a search of its own, a ply has the return of the next one.
        assert_eq!(found[plies - 3], found[plies - 2].map(|next| -next));
        // Without any part of the result, the ply's own search is left.
        let own = targets(&record, 0.0, 0.0, TruncatedValue::Search);
        assert_eq!(own[plies - 2], record.plies[plies - 2].value);
    }

    #[test]
    fn truncated_games_teach_no_result() {
        let record = game(Outcome::Truncated);
        let plies = record.plies.len();
        for lambda in [1.0, 0.5] {
            let masked = targets(&record, lambda, 0.5, TruncatedValue::Mask);
            assert!(masked.iter().all(Option::is_none));
            let search = targets(&record, lambda, 0.0, TruncatedValue::Search);
            assert_eq!(
                (search[plies - 1], search[plies - 3]),
                (Some(Wdl::new(0.5, 0.25, 0.25)), None)
            );
        }
    }
}
