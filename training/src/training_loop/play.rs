//! The games of a generation: played, or found where an interrupted attempt left them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use chase_engine::Game;

use super::clock::Clock;
use super::report::emit;
use super::{Training, TrainingError};
use crate::events::{Event, Observer};
use crate::game_record::{GameRecord, Purpose};
use crate::kinds::{Kind, KindSettings};
use crate::replay::shard::{self, ShardError, ShardId};
use crate::replay::unfinished;
use crate::selfplay::{self, Carried, Counters, Group, GroupGames};
use crate::store::files;
use crate::store::run_dir::RunDir;
use crate::store::run_state::RunState;
use crate::venue::{Here, Offer};

/// The games of a generation and purpose.
pub(super) struct Played<G: Game> {
    /// In the order of their groups.
    pub(super) shards: Vec<(ShardId, Vec<GameRecord<G>>)>,
    /// Milliseconds of the attempts before, as far as something of them is left.
    pub(super) earlier_milliseconds: u64,
    /// Games that were played now, not found.
    pub(super) games: u64,
    /// Plies of these games.
    pub(super) plies: u64,
}

impl<K: Kind> Training<K> {
    /// Groups of a generation, and everything that their games depend on.
    fn offer<'a>(
        &'a self,
        (purpose, generation): (Purpose, u64),
        groups: &'a [Group],
        carried: Option<&'a Carried<K::Game>>,
        (checkpoint, model): (&'a Path, &'a str),
        counters: &'a Counters,
        stop: &'a AtomicBool,
    ) -> Offer<'a, K> {
        Offer {
            run: self.run.path(),
            settings: &self.settings,
            purpose,
            generation,
            groups,
            carried,
            checkpoint,
            model,
            player: self.kind.player(),
            device: self.device,
            counters,
            stop,
        }
    }

    /// Plays the games of a generation, or takes those that an interrupted attempt has left, and writes the others.
    /// `None` if stopped.
    pub(super) fn play(
        &mut self,
        purpose: Purpose,
        generation: u64,
        games: u32,
        counters: &Counters,
        observer: &mut dyn Observer<K>,
        stop: &AtomicBool,
    ) -> Result<Option<Played<K::Game>>, TrainingError> {
        let folder = self.run.games();
        let mut done = BTreeMap::new();
        let mut missing = Vec::new();
        let mut found = 0;
        let groups = selfplay::groups(games, self.settings.group_games(purpose));
        let all = groups.len();
        let model = K::model(&self.settings, generation, self.state.generation);
        let checkpoint = self.run.checkpoint(self.state.generation);
        let player = (&*checkpoint, &*model);
        let asked = self.offer((purpose, generation), &[], None, player, counters, stop);
        for group in groups {
            let origin = asked.origin(&group);
            let warn = |text| self.emit(observer, &Event::Warning(text));
            match shard::of_group(&folder, &self.rules, &origin, false, group.games.clone(), warn)? {
                Some((id, records)) => {
                    found += id.games;
                    done.insert(group.number, (id, records));
                }
                None => missing.push(group),
            }
        }
        let carries = purpose == Purpose::Selfplay && self.settings.carries_over(generation);
        let carried = carries.then(|| self.carried(generation, &missing)).transpose()?;
        let clock = match found {
            0 => Clock::new(&self.run.clock(), generation, purpose),
            _ => Clock::resume(&self.run.clock(), generation, purpose),
        };
        let (mut games_played, mut plies_played) = (0, 0);
        // Lent out, since an offer holds the rest of the run.
        let mut venue = std::mem::replace(&mut self.venue, Box::new(Here));
        let run = &self.run;
        let offer = self.offer(
            (purpose, generation),
            &missing,
            carried.as_ref(),
            player,
            counters,
            stop,
        );
        let mut finished = |group: &Group, games: GroupGames<K::Game>| -> Result<(), ShardError> {
            let origin = offer.origin(group);
            run.expect_in_place()?;
            if carries {
                // First: the group is done when its shard is there.
                unfinished::write(&folder, &origin, &games.unfinished)?;
            }
            let records = games.finished;
            let id = shard::write(&folder, &origin, &records)?;
            clock.save()?;
            games_played += id.games;
            plies_played += records.iter().map(|record| record.plies.len() as u64).sum::<u64>();
            done.insert(group.number, (id, records));
            Ok(())
        };
        let by_nodes = purpose == Purpose::Selfplay && K::counts_nodes(&self.settings, generation);
        let mut tick = |warning: Option<String>| {
            if let Some(text) = warning {
                emit(run, observer, &Event::Warning(text));
            }
            observer.event(&Event::Playing {
                generation,
                purpose,
                games: found + counters.games.load(Ordering::Relaxed),
                of: games.into(),
                plies: counters.plies.load(Ordering::Relaxed),
                evaluations: counters.evaluations.load(Ordering::Relaxed),
                by_nodes,
            });
        };
        let ended = venue.play(&offer, &mut finished, &mut tick);
        self.venue = venue;
        ended?;
        if done.len() < all {
            return Ok(None);
        }
        Ok(Some(Played {
            shards: done
                .into_values()
                .map(|(id, records)| self.counted(id, records))
                .collect(),
            earlier_milliseconds: clock.earlier(),
            games: games_played,
            plies: plies_played,
        }))
    }

    /// A shard with its rows as the kind of network counts them.
    fn counted(&self, id: ShardId, records: Vec<GameRecord<K::Game>>) -> (ShardId, Vec<GameRecord<K::Game>>) {
        let rows = self.kind.rows(&records);
        (ShardId { rows, ..id }, records)
    }

    /// The games that groups of a generation continue. Those of the generation before the last are not needed any
    /// more.
    fn carried(&self, generation: u64, groups: &[Group]) -> Result<Carried<K::Game>, TrainingError> {
        let folder = self.run.games();
        let before = generation.saturating_sub(1);
        unfinished::forget(&folder, before.saturating_sub(1))?;
        let (found, left) = (unfinished::count(&folder, before)?, self.state.unfinished);
        if found < left {
            return Err(TrainingError::Unfinished {
                folder: folder.join(shard::generation_folder(before)),
                found,
                left,
            });
        }
        let games = |group: &Group| {
            let games = unfinished::read(&folder, &self.rules, before, group.number)?;
            Ok((group.number, games))
        };
        groups.iter().map(games).collect()
    }
}

/// Removes the games of a measurement that was interrupted: under other settings it must begin anew.
pub(super) fn forget_measurement(run: &RunDir) -> Result<(), TrainingError> {
    let games = run.games();
    let Some(state) = RunState::of(run)?.filter(|state| !state.measured()) else {
        return Ok(());
    };
    for name in shard::of_generation(&games, state.generation, Purpose::Measurement)? {
        files::remove(&games.join(name))?;
    }
    Ok(())
}
