//! Games by alpha-beta search with the game's hand-written heuristic, which a network can learn from before it can
//! play.

use chase_baselines::{ByHeuristic, Judged};
use chase_engine::alpha_beta::{AlphaBeta, Limits, Request, Settings as SearchSettings};
use chase_engine::{Game, Wdl};
use rand::RngExt;

use super::counters::Counters;
use super::{Group, SelfplayError, Settings};
use crate::game_record::{GameRecord, PlyRecord, PolicyRecord};

/// Largest deviation of a search's nodes from their mean, as a share of it.
const SPREAD: f64 = 0.5;
/// Size of a search's transposition table in MiB.
const TABLE_MIB: usize = 1;

/// Plays the games of a group to their end, one after the other. `None` if `stopped` returns true before.
pub(super) fn play<G: Judged>(
    group: &Group,
    settings: &Settings<G>,
    nodes: u32,
    stopped: &dyn Fn() -> bool,
    counters: &Counters,
) -> Result<Option<Vec<GameRecord<G>>>, SelfplayError> {
    let heuristic = G::heuristic().ok_or(SelfplayError::NoHeuristic(G::NAME))?;
    let plain = SearchSettings {
        table_mib: TABLE_MIB,
        ..SearchSettings::PLAIN
    };
    let mut searcher = AlphaBeta::new(ByHeuristic(heuristic), plain);
    let mut records = Vec::new();
    for index in group.games.clone() {
        let mut rng = settings.generator(index.into());
        let start = G::start(&settings.rules, &mut rng);
        let mut game = start.clone();
        let mut plies = settings.random_opening.play(&mut game, &mut rng);
        let random_plies = plies.len() as u32;
        let mut all_nodes = 0;
        let mut legal = Vec::new();
        while game.outcome().is_none() {
            if stopped() {
                return Ok(None);
            }
            game.legal_actions(&mut legal);
            let mut ply = PlyRecord {
                action: legal[0],
                player: game.to_move(),
                simulations: 0,
                value: None,
                policy: None,
            };
            if legal.len() > 1 {
                let factor = 1.0 + SPREAD * rng.random_range(-1.0..=1.0);
                let limits = Limits::nodes((f64::from(nodes) * factor).max(1.0) as u64);
                let found = searcher.best(&game, Request::new(limits).shuffled(&mut rng));
                all_nodes += found.nodes;
                ply.action = found.action;
                ply.simulations = u32::try_from(found.nodes).unwrap_or(u32::MAX);
                // A search by a heuristic does not tell draws from wins and losses.
                ply.value = Some(Wdl::new(found.score as f32, 0.0, 1.0 - found.score as f32));
                ply.policy = Some(policy(&game, &legal, found.action));
            }
            game.apply(ply.action);
            plies.push(ply);
        }
        counters.add_game(plies.len() as u64 - u64::from(random_plies), all_nodes);
        records.push(GameRecord::new(index, start, random_plies, plies, &game));
    }
    Ok(Some(records))
}

/// The policy of a search that says nothing about other actions than its best.
fn policy<G: Game>(game: &G, legal: &[G::Action], best: G::Action) -> PolicyRecord {
    let is_best = || legal.iter().map(|&action| action == best);
    PolicyRecord {
        indices: legal.iter().map(|&action| game.policy_index(action) as u16).collect(),
        target: is_best().map(|best| f32::from(u8::from(best))).collect(),
        visits: is_best().map(u32::from).collect(),
        priors: Vec::new(),
        weight: 1.0,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::sync::atomic::AtomicBool;

    use chase_engine::ConnectFour;
    use chase_engine::search::UniformEvaluator;

    use super::*;
    use crate::config::Config;
    use crate::game_record::Purpose;
    use crate::selfplay::{groups, play};

    #[test]
    fn a_game_without_a_heuristic_has_no_generation_that_it_plays() {
        let mut config = Config::default();
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
