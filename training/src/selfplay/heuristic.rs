//! Games by alpha-beta search with the game's hand-written heuristic, which a network can learn from before it can
//! play.

use chase_engine::Heuristic;
use chase_engine::alpha_beta::{AlphaBeta, ByHeuristic, Limits, Request, Settings as SearchSettings};

use super::alpha_beta::{AlphaBetaGames, TABLE_MIB};
use super::counters::Counters;
use super::{Group, SelfplayError, Settings};
use crate::game_record::GameRecord;

/// Largest deviation of a search's nodes from their mean, as a share of it.
// As in games of the efficiently updatable network. Not measured.
const SPREAD: f64 = 0.5;

/// Plays the games of a group to their end, one after the other. `None` if `stopped` returns true before.
pub(super) fn play<G: Heuristic>(
    group: &Group,
    settings: &Settings<G>,
    nodes: u32,
    stopped: &dyn Fn() -> bool,
    counters: &Counters,
) -> Result<Option<Vec<GameRecord<G>>>, SelfplayError> {
    if !G::HAS_HEURISTIC {
        return Err(SelfplayError::NoHeuristic(G::NAME));
    }
    let plain = SearchSettings {
        table_mib: TABLE_MIB,
        // Played at 1.4 million nodes per second: 3 s for a generation of 128 games, where the network needs 27 to 35
        // (study 0032).
        ..SearchSettings::PLAIN
    };
    let mut searcher = AlphaBeta::new(ByHeuristic, plain);
    let games = AlphaBetaGames {
        rules: settings.rules.clone(),
        opening: settings.random_opening,
        nodes: nodes.into(),
        spread: SPREAD,
        with_policy: true,
    };
    let generator = |index: u32| settings.generator(index.into());
    let search = |game: &G, nodes, rng: &mut _| searcher.best(game, Request::new(Limits::nodes(nodes)).shuffled(rng));
    Ok(games.play(group, generator, search, stopped, counters))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::sync::atomic::AtomicBool;

    use chase_engine::ConnectFour;
    use chase_engine::search::UniformEvaluator;

    use super::*;
    use crate::config::{Config, GameName};
    use crate::game_record::Purpose;
    use crate::selfplay::{groups, play};

    #[test]
    fn a_game_without_a_heuristic_has_no_generation_that_it_plays() {
        let mut config = Config::of(GameName::ConnectFour);
        config.selfplay.heuristic_generations = 2;
        let settings = Settings::<ConnectFour>::new(&config, Purpose::Selfplay, 1);
        let error = play::<ConnectFour, _, SelfplayError>(
            &mut [UniformEvaluator],
            &groups(2, 2),
            &settings,
            &AtomicBool::new(false),
            &Counters::default(),
            |_, _| Ok(()),
            || {},
        );
        assert_eq!(
            error.unwrap_err().to_string(),
            "self-play: there is no heuristic for connect-four"
        );
    }
}
