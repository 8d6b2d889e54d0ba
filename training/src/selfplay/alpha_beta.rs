//! Games by alpha-beta search. It needs no batches: a thread plays the games of its group one after the other, each to
//! its end.

use chase_engine::alpha_beta::Found;
use chase_engine::{Game, Wdl};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::counters::Counters;
use super::groups::Group;
use super::random_opening::RandomOpening;
use crate::game_record::{GameRecord, PlyRecord, PolicyRecord};

/// Size of a search's transposition table in MiB: enough for some ten thousand nodes, and quickly cleared.
pub(crate) const TABLE_MIB: usize = 1;

/// Settings of games by alpha-beta search.
#[derive(Clone, Debug)]
pub(crate) struct AlphaBetaGames<G: Game> {
    pub rules: G::Rules,
    pub opening: RandomOpening,
    /// Nodes of a search, on average.
    pub nodes: u64,
    /// Largest deviation from that number, as a share of it: each search draws its own, so that games differ without a
    /// bad action in them.
    pub spread: f64,
    /// True if each searched ply has the action that was found as its policy.
    pub with_policy: bool,
}

impl<G: Game> AlphaBetaGames<G> {
    /// Plays the games of a group. `generator` makes the generator of a game from its number; `search` finds an action
    /// with a number of nodes. `None` if `stopped` returns true before the end.
    pub fn play(
        &self,
        group: &Group,
        generator: impl Fn(u32) -> Xoshiro256PlusPlus,
        mut search: impl FnMut(&G, u64, &mut Xoshiro256PlusPlus) -> Found<G::Action>,
        stopped: &dyn Fn() -> bool,
        counters: &Counters,
    ) -> Option<Vec<GameRecord<G>>> {
        let mut records = Vec::new();
        for index in group.games.clone() {
            let mut rng = generator(index);
            let start = G::start(&self.rules, &mut rng);
            let mut game = start.clone();
            let mut plies = self.opening.play(&mut game, &mut rng);
            let random_plies = plies.len() as u32;
            let mut all_nodes = 0;
            let mut legal = Vec::new();
            while game.outcome().is_none() {
                if stopped() {
                    return None;
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
                    let factor = 1.0 + self.spread * rng.random_range(-1.0..=1.0);
                    let nodes = ((self.nodes as f64 * factor) as u64).max(1);
                    let found = search(&game, nodes, &mut rng);
                    all_nodes += found.nodes;
                    ply.action = found.action;
                    ply.simulations = u32::try_from(found.nodes).unwrap_or(u32::MAX);
                    // Such a search does not tell draws from wins and losses.
                    let expected = found.score as f32;
                    ply.value = Some(Wdl::new(expected, 0.0, 1.0 - expected));
                    ply.policy = self.with_policy.then(|| policy(&game, &legal, found.action));
                }
                game.apply(ply.action);
                plies.push(ply);
            }
            counters.add_game(plies.len() as u64 - u64::from(random_plies), all_nodes);
            records.push(GameRecord::new(index, start, random_plies, plies, &game));
        }
        Some(records)
    }
}

/// The policy of a search that says nothing about other actions than its best.
fn policy<G: Game>(game: &G, legal: &[G::Action], best: G::Action) -> PolicyRecord {
    let is_best = || legal.iter().map(|&action| action == best);
    PolicyRecord {
        indices: legal.iter().map(|&action| game.policy_index(action) as u16).collect(),
        target: is_best().map(|best| f32::from(u8::from(best))).collect(),
        visits: is_best().map(u32::from).collect(),
        priors: Vec::new(),
        // These searches have no priors, so nothing in them is a surprise.
        weight: 1.0,
    }
}
