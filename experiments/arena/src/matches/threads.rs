//! Plays units on all threads.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use chase_engine::Game;
use rayon::BroadcastContext;

use super::runner::{Match, MatchError, PairResult};
use super::venue::{Deliver, PairUnit, Venue};
use crate::lock;
use crate::players::{Agent, Contestant};

/// The threads of the current pool.
#[derive(Clone, Copy, Debug, Default)]
pub struct Here {
    /// True if units are stored: they are delivered in order, and after a stop those in progress are finished. Else each
    /// is delivered when it ends, and a stop abandons those in progress, which is an error.
    pub stored: bool,
}

impl<G: Game> Venue<G> for Here {
    /// Plays each unit on one thread.
    ///
    /// # Errors
    /// The error of the first unit that cannot be played or delivered; in order, those before it are delivered.
    fn play(
        &mut self,
        conditions: &Match<G>,
        contestants: &[&Contestant<G>],
        units: &[PairUnit],
        from: usize,
        stop: &AtomicBool,
        deliver: &mut Deliver<'_>,
    ) -> anyhow::Result<()> {
        let never = AtomicBool::new(false);
        let abandon = if self.stored { &never } else { stop };
        let next = AtomicUsize::new(from);
        let delivery = Mutex::new(Delivery {
            in_order: self.stored,
            waiting: BTreeMap::new(),
            next: from,
            open: true,
            failure: None,
            deliver,
        });
        let work = |_: BroadcastContext<'_>| {
            let mut seats = Seats::new(contestants);
            while !stop.load(Ordering::Relaxed) && lock(&delivery).open {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(unit) = units.get(number) else {
                    break;
                };
                // If this panics, no later unit could be delivered.
                let guard = CloseOnPanic(&delivery);
                let played = seats.play(conditions, unit, abandon);
                lock(&delivery).take(number, played);
                drop(guard);
            }
        };
        rayon::broadcast(work);
        let delivery = delivery.into_inner().unwrap_or_else(PoisonError::into_inner);
        delivery.failure.map_or(Ok(()), Err)
    }
}

/// Makes all threads end when this one panics.
struct CloseOnPanic<'m, 'a, 'b>(&'m Mutex<Delivery<'a, 'b>>);

impl Drop for CloseOnPanic<'_, '_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            lock(self.0).open = false;
        }
    }
}

/// Delivers units.
///
/// Units that wait here for an earlier one would be lost with the process: they are never more than all threads can play in
/// the time of one unit.
struct Delivery<'a, 'b> {
    in_order: bool,
    waiting: BTreeMap<usize, Result<Vec<PairResult>, MatchError>>,
    next: usize,
    /// True while more units are wanted.
    open: bool,
    failure: Option<anyhow::Error>,
    deliver: &'a mut Deliver<'b>,
}

impl Delivery<'_, '_> {
    fn take(&mut self, number: usize, played: Result<Vec<PairResult>, MatchError>) {
        if !self.in_order {
            return self.deliver(number, played);
        }
        self.waiting.insert(number, played);
        while self.open
            && let Some(played) = self.waiting.remove(&self.next)
        {
            self.deliver(self.next, played);
            self.next += 1;
        }
    }

    fn deliver(&mut self, number: usize, played: Result<Vec<PairResult>, MatchError>) {
        let played = played.map_err(anyhow::Error::from);
        match played.and_then(|pairs| (self.deliver)(number, vec![pairs])) {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => self.open = false,
            Err(failure) => {
                self.open = false;
                self.failure.get_or_insert(failure);
            }
        }
    }
}

/// The agents of one thread: each is created when first needed, and kept.
struct Seats<'a, G: Game> {
    contestants: &'a [&'a Contestant<G>],
    agents: Vec<Option<Box<dyn Agent<G>>>>,
}

impl<'a, G: Game> Seats<'a, G> {
    fn new(contestants: &'a [&'a Contestant<G>]) -> Self {
        Self {
            contestants,
            agents: contestants.iter().map(|_| None).collect(),
        }
    }

    fn play(
        &mut self,
        conditions: &Match<G>,
        unit: &PairUnit,
        abandon: &AtomicBool,
    ) -> Result<Vec<PairResult>, MatchError> {
        let contestants = unit.players.map(|player| self.contestants[player]);
        let mut agents = unit.players.map(|player| {
            let kept = self.agents[player].take();
            kept.unwrap_or_else(|| self.contestants[player].agent())
        });
        let played = conditions.play_unit(unit, contestants, &mut agents, abandon);
        for (player, agent) in unit.players.into_iter().zip(agents) {
            self.agents[player] = Some(agent);
        }
        played
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::thread;
    use std::time::Duration;

    use chase_engine::Chase;
    use chase_engine::chase::{Action, Rules};

    use super::*;
    use crate::matches::Openings;
    use crate::players::{AgentFailure, Choice, Decision};

    /// Plays the first legal action, except that the first of all such agents panics.
    struct First(&'static AtomicUsize);

    impl Agent<Chase> for First {
        fn choose_batch(&mut self, decisions: &mut [Decision<'_, Chase>]) -> Result<Vec<Choice<Action>>, AgentFailure> {
            if self.0.fetch_add(1, Ordering::Relaxed) == 0 {
                // Bypasses the panic hook, which would take time to print.
                resume_unwind(Box::new("what the test wants"));
            }
            // The other thread must not finish before this one has unwound: it would take more than a minute.
            thread::sleep(Duration::from_millis(1));
            let mut actions = Vec::new();
            let first = |decision: &mut Decision<'_, Chase>| {
                decision.game.legal_actions(&mut actions);
                actions[0].into()
            };
            Ok(decisions.iter_mut().map(first).collect())
        }
    }

    #[test]
    fn a_panic_on_one_thread_ends_the_others() {
        static CHOSEN: AtomicUsize = AtomicUsize::new(0);
        let conditions = Match {
            rules: Rules::default(),
            openings: Openings::Random { plies: 0 },
            seed: 1,
            max_plies: 4,
            pairs_at_once: 1,
        };
        let contestants = ["a", "b"].map(|name| Contestant::new(name, || Box::new(First(&CHOSEN))));
        let units: Vec<PairUnit> = PairUnit::of_match(0, [0, 1], 20_000, 1).collect();
        let stop = AtomicBool::new(false);
        let mut deliver = |_: usize, _: Vec<Vec<PairResult>>| Ok(ControlFlow::Continue(()));
        let threads = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
        let mut here = Here { stored: true };
        let played = catch_unwind(AssertUnwindSafe(|| {
            threads.install(|| here.play(&conditions, &contestants.each_ref(), &units, 0, &stop, &mut deliver))
        }));
        assert!(played.is_err(), "the panic is told");
        // Eight decisions per pair: the other thread did not play all the remaining units, none of which could be
        // delivered.
        let chosen = CHOSEN.load(Ordering::Relaxed);
        assert!(chosen < 4 * 20_000, "{chosen} decisions");
    }
}
