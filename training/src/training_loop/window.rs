//! The window over a run: what it holds after a generation, and after a resume or a branch.

use super::{Training, TrainingError};
use crate::game_record::Purpose;
use crate::kinds::{Kind, KindSettings};
use crate::replay::shard::{self, ShardId};
use crate::store::OpenRun;
use crate::store::run_state::RunState;

impl<K: Kind> Training<K> {
    /// Reads the window back from its shards.
    pub(super) fn load_window(&mut self) -> Result<(), TrainingError> {
        for id in &self.state.shards {
            let shard = shard::read::<K::Game>(&self.run.games(), &id.name, &self.rules)?;
            self.kind.add(&shard.records);
        }
        self.kind.trim(&self.settings, &mut self.state);
        Ok(())
    }
}

/// Makes the shards of `state`, of the run `source`, reach back as far as the window of its new settings does. A state
/// names those that the window of its own run reaches back to, and a branch may have a larger one.
pub(super) fn reach_back<K: Kind>(
    source: &OpenRun<K::Settings>,
    kind: &K,
    state: &mut RunState,
) -> Result<(), TrainingError> {
    let (games, rules) = (source.dir.games(), K::rules(&source.settings));
    let wanted = source.settings.window_rows(state.rows);
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
        let records = shard::read::<K::Game>(&games, &name, &rules)?.records;
        let id = ShardId {
            name,
            games: records.len() as u64,
            rows: kind.rows(&records),
        };
        rows += id.rows;
        found.push(id);
    }
    found.reverse();
    state.shards.splice(..0, found);
    Ok(())
}
