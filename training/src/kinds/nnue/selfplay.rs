//! Games of the network against itself, by alpha-beta search.
//!
//! Each search has its own number of nodes, drawn by the game's generator: games differ without a bad action in them. A
//! search begins with empty memory, so that a game depends on the seed, the generation and its number alone.

use std::convert::Infallible;
use std::sync::atomic::AtomicBool;

use crate::game_record::{GameRecord, PlyRecord};
use crate::selfplay::{Counters, Group, RandomOpening, play_by};
use chase_engine::alpha_beta::{AlphaBeta, Evaluator, Limits, Settings as SearchSettings};
use chase_engine::chase::Rules;
use chase_engine::seed;
use chase_engine::{Chase, Game, Wdl};
use rand::RngExt;

use super::config::{Config, SelfplayConfig};

/// Size of a search's transposition table in MiB: enough for some ten thousand nodes, and quickly cleared.
const TABLE_MIB: usize = 1;

/// Settings of a generation's games.
#[derive(Clone, Debug)]
pub struct Settings {
    rules: Rules,
    opening: RandomOpening,
    nodes: u64,
    spread: f64,
    seed: u64,
    generation: u64,
}

impl Settings {
    /// The settings that a configuration asks for.
    pub const fn new(config: &Config, generation: u64) -> Self {
        let SelfplayConfig {
            nodes,
            nodes_spread,
            random_opening_share,
            random_opening_plies,
            ..
        } = config.selfplay;
        Self {
            rules: config.rules(),
            opening: RandomOpening::with(random_opening_share, random_opening_plies),
            nodes,
            spread: nodes_spread,
            seed: config.seed,
            generation,
        }
    }

    /// One game; `None` if `stopped` returns true before its end.
    fn play<E: Evaluator<Chase>>(
        &self,
        player: &mut AlphaBeta<Chase, E>,
        index: u32,
        stopped: &dyn Fn() -> bool,
    ) -> Option<(GameRecord<Chase>, u64)> {
        let mut rng = seed::named("nnue-selfplay", &[self.seed, self.generation, index.into()]);
        let start = Chase::new(&self.rules);
        let mut game = start.clone();
        let mut plies = self.opening.play(&mut game, &mut rng);
        let random_plies = plies.len() as u32;
        let (mut legal, mut all_nodes) = (Vec::new(), 0);
        while game.outcome().is_none() {
            if stopped() {
                return None;
            }
            game.legal_actions(&mut legal);
            let mover = game.to_move();
            let (action, nodes, value) = match legal[..] {
                [only] => (only, 0, None),
                _ => {
                    let factor = 1.0 + self.spread * rng.random_range(-1.0..=1.0);
                    let nodes = ((self.nodes as f64 * factor) as u64).max(1);
                    let found = player.best(&game, &Limits::nodes(nodes));
                    let expected = found.score as f32;
                    let value = Wdl::new(expected, 0.0, 1.0 - expected);
                    (found.action, found.nodes, Some(value))
                }
            };
            all_nodes += nodes;
            plies.push(PlyRecord {
                action,
                player: mover,
                simulations: u32::try_from(nodes).unwrap_or(u32::MAX),
                value,
                policy: None,
            });
            game.apply(action);
        }
        Some((GameRecord::new(index, start, random_plies, plies, &game), all_nodes))
    }
}

/// Plays groups on `threads` threads, until all are played or `stop` is set. `finished` receives the games of each
/// group, in any order; `tick` is called several times a second. Each thread judges by what `evaluator` makes for it.
///
/// # Errors
/// The first failure of `finished`.
#[expect(
    clippy::too_many_arguments,
    reason = "as `selfplay::play` of residual networks has them"
)]
pub fn play<E: Evaluator<Chase> + Send, Failure: From<Infallible>>(
    evaluator: impl Fn() -> E,
    threads: usize,
    groups: &[Group],
    settings: &Settings,
    stop: &AtomicBool,
    counters: &Counters,
    finished: impl FnMut(&Group, Vec<GameRecord<Chase>>) -> Result<(), Failure>,
    tick: impl FnMut(),
) -> Result<(), Failure> {
    let threads = threads.clamp(1, groups.len().max(1));
    let settings_of_search = SearchSettings {
        table_mib: TABLE_MIB,
        ..SearchSettings::STRONG
    };
    let mut players: Vec<_> = (0..threads)
        .map(|_| AlphaBeta::new(evaluator(), settings_of_search))
        .collect();
    let play_group = |player: &mut AlphaBeta<Chase, E>, group: &Group, stopped: &dyn Fn() -> bool| {
        let mut records = Vec::new();
        for index in group.games.clone() {
            let Some((record, nodes)) = settings.play(player, index, stopped) else {
                return Ok::<_, Infallible>(None);
            };
            counters.add_game(record.plies.len() as u64, nodes);
            records.push(record);
        }
        Ok(Some(records))
    };
    play_by(&mut players, groups, play_group, stop, counters, finished, tick)
}
