//! The window over a run: what it holds after a generation, and after a resume or a branch.

use super::{Training, TrainingError};
use crate::config::Config;
use crate::game_record::Purpose;
use crate::replay::shard::{self, ShardId};
use crate::replay::window_rows;
use crate::store::OpenRun;
use crate::store::run_state::RunState;
use crate::trainable::Trainable;

impl<G: Trainable> Training<G> {
    /// Shortens the window to what it should hold after the games of `next`.
    pub(super) fn trim_window(&mut self, next: &mut RunState) {
        let rows = window_rows(&self.config.replay, next.rows);
        self.buffer
            .trim(rows, self.config.replay.max_mib.saturating_mul(1 << 20));
        next.trim_shards(self.buffer.rows());
    }

    /// Reads the window back from its shards.
    pub(super) fn load_window(&mut self) -> Result<(), TrainingError> {
        for id in &self.state.shards {
            let shard = shard::read::<G>(&self.run.games(), &id.name, &self.rules)?;
            self.buffer.add(&shard.records);
        }
        let mut state = self.state.clone();
        self.trim_window(&mut state);
        self.state = state;
        Ok(())
    }
}

/// Makes the shards of `state`, of the run `source`, reach back as far as the window of its new settings does. A state
/// names those that the window of its own run reaches back to, and a branch may have a larger one.
pub(super) fn reach_back<G: Trainable>(source: &OpenRun<Config>, state: &mut RunState) -> Result<(), TrainingError> {
    let config = &source.settings;
    // Under the settings of `source` the window is its own, to the last game.
    if source.began.replay == config.replay {
        return Ok(());
    }
    let (games, rules) = (source.dir.games(), G::rules(config));
    let wanted = window_rows(&config.replay, state.rows);
    let mut rows: u64 = state.shards.iter().map(|shard| shard.rows).sum();
    let mut older: Vec<(shard::ShardPlace, String)> = shard::list(&games, Purpose::Selfplay)?
        .into_iter()
        .filter_map(|name| Some((shard::place(&name)?, name)))
        .filter(|(place, _)| place.generation <= state.generation)
        .collect();
    if let Some(oldest) = state.shards.iter().filter_map(|shard| shard::place(&shard.name)).min() {
        older.retain(|(place, _)| *place < oldest);
    }
    older.sort_unstable();
    let mut found = Vec::new();
    for (_, name) in older.into_iter().rev() {
        if rows >= wanted {
            break;
        }
        let shard = shard::read::<G>(&games, &name, &rules)?;
        let id = ShardId::new(name, &shard.records);
        rows += id.rows;
        found.push(id);
    }
    found.reverse();
    state.shards.splice(..0, found);
    Ok(())
}
