//! Replay: finished games on disk and in memory, and the batches that the learner draws from them.

mod batch;
mod buffer;
mod game_files;
pub mod shard;
mod table;
pub mod unfinished;
mod value_target;

pub use batch::{Batch, BatchMaker, PADDING};
pub use buffer::{Buffer, window_rows};
pub use value_target::ValueTarget;

#[cfg(test)]
pub(crate) mod testing {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::{Game, Wdl};
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    use crate::game_record::{GameRecord, PlyRecord, PolicyRecord};

    /// A game of random actions with arbitrary targets, in which every third ply is not a full search.
    pub fn random_game<G: Game>(rules: &G::Rules, index: u32) -> GameRecord<G> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(u64::from(index));
        let start = G::start(rules, &mut rng);
        let mut game = start.clone();
        let (mut plies, mut legal) = (Vec::new(), Vec::new());
        loop {
            game.legal_actions(&mut legal);
            if legal.is_empty() {
                break;
            }
            let action = legal[rng.random_range(0..legal.len())];
            let weights: Vec<u32> = legal.iter().map(|_| rng.random_range(1..100)).collect();
            let total: u32 = weights.iter().sum();
            let full = rng.random_range(0..3) > 0;
            let policy = full.then(|| PolicyRecord {
                indices: legal.iter().map(|&action| game.policy_index(action) as u16).collect(),
                target: weights.iter().map(|&weight| weight as f32 / total as f32).collect(),
                priors: if plies.len() < 2 {
                    vec![1.0 / legal.len() as f32; legal.len()]
                } else {
                    Vec::new()
                },
                visits: weights,
                weight: rng.random_range(0.5..1.5),
            });
            let win: f32 = rng.random();
            plies.push(PlyRecord {
                action,
                player: game.to_move(),
                simulations: if full { total } else { 0 },
                value: (plies.len() % 5 > 0).then_some(Wdl::new(win, (1.0 - win) / 2.0, (1.0 - win) / 2.0)),
                policy,
            });
            game.apply(action);
        }
        GameRecord::new(index, start, 0, plies, &game)
    }
}
