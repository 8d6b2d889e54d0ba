//! Games that others play while this process learns.
//!
//! With `selfplay.ahead = 1` the games of a generation depend on the checkpoint before the newest one, which is final
//! while the newest is still being learned. A venue whose games are played elsewhere can therefore begin them before
//! the learner does. Only the time changes by that: the loop asks for the games where it would without, and a run that
//! is resumed offers again what it has not got. Nothing of it is in the state.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::progress::reached;
use super::{Training, TrainingError};
use crate::events::{Event, Observer};
use crate::game_record::Purpose;
use crate::replay::shard;
use crate::run_state::RunState;
use crate::selfplay::Counters;
use crate::trainable::Trainable;
use crate::venue::Here;

impl<G: Trainable> Training<G> {
    /// Lets the self-play of the generation after `state` begin elsewhere, if it is to come and its checkpoint is
    /// there.
    pub(super) fn begin_ahead(
        &mut self,
        state: &RunState,
        observer: &mut dyn Observer<G>,
        stop: &AtomicBool,
    ) -> Result<(), TrainingError> {
        let generation = state.generation + 1;
        // Games that are carried over can begin only here.
        if self.config.selfplay.ahead == 0
            || self.config.carries_over(generation)
            || reached(&self.config.limits, state).is_some()
        {
            return Ok(());
        }
        let folder = self.run.games();
        let mut missing = Vec::new();
        for group in self.groups(Purpose::Selfplay, self.config.selfplay.games) {
            // Whether a shard is whole is seen when it is read.
            if shard::find(&folder, generation, Purpose::Selfplay, group.number)?.is_empty() {
                missing.push(group);
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        let player = self.player(Purpose::Selfplay, generation)?;
        let counters = Counters::default();
        let mut venue = std::mem::replace(&mut self.venue, Box::new(Here));
        let begun = venue.begin(&self.offer(
            (Purpose::Selfplay, generation),
            &missing,
            None,
            &player,
            &counters,
            stop,
        ));
        self.venue = venue;
        match begun {
            Ok(true) => self.begun = Some((generation, Instant::now())),
            Ok(false) => {}
            Err(reason) => {
                let text = format!("generation {generation} is not played ahead: {reason}");
                self.emit(observer, &Event::Warning(text));
            }
        }
        Ok(())
    }
}
