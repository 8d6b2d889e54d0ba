//! Plays units on all threads.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use chase_engine::Game;
use rayon::{BroadcastContext, ThreadPool};

use super::runner::{Match, MatchError, PairResult};
use super::venue::{Deliver, PairUnit, Venue};
use crate::lock;
use crate::players::{Agent, Contestant};

/// The threads of this process.
#[derive(Clone, Copy, Debug)]
pub struct Here<'a> {
    /// Their pool; by default the current one.
    pub threads: Option<&'a ThreadPool>,
    /// True if units in progress are finished after a stop; else they are abandoned, which is an error.
    pub finishes: bool,
    /// True if units are delivered in their order; else each when it ends, so that a stop loses none.
    pub in_order: bool,
}

impl<G: Game> Venue<G> for Here<'_> {
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
        let abandon = if self.finishes { &never } else { stop };
        let next = AtomicUsize::new(from);
        let delivery = Mutex::new(Delivery {
            in_order: self.in_order,
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
        match self.threads {
            Some(threads) => threads.broadcast(work),
            None => rayon::broadcast(work),
        };
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
/// Those that wait here for an earlier one would be lost with the process: they are never more than all threads can play in
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
        match played.and_then(|pairs| (self.deliver)(number, pairs)) {
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
        PairUnit { number, players, pairs }: &PairUnit,
        abandon: &AtomicBool,
    ) -> Result<Vec<PairResult>, MatchError> {
        let contestants = players.map(|player| self.contestants[player]);
        let mut agents = players.map(|player| {
            let kept = self.agents[player].take();
            kept.unwrap_or_else(|| self.contestants[player].agent())
        });
        let numbers: Vec<u32> = pairs.clone().collect();
        let conditions = conditions.numbered(*number);
        let played = conditions.play_together(contestants, &mut agents, &numbers, abandon);
        for (&player, agent) in players.iter().zip(agents) {
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
    fn a_panic_on_one_thread_ends_the_tournament() {
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
        let mut deliver = |_: usize, _: Vec<PairResult>| Ok(ControlFlow::Continue(()));
        let threads = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
        let mut here = Here {
            threads: Some(&threads),
            finishes: true,
            in_order: true,
        };
        let played = catch_unwind(AssertUnwindSafe(|| {
            here.play(&conditions, &contestants.each_ref(), &units, 0, &stop, &mut deliver)
        }));
        assert!(played.is_err(), "the panic is told");
        // Eight decisions per pair: the other thread did not play all the remaining units, none of which could be
        // delivered.
        let chosen = CHOSEN.load(Ordering::Relaxed);
        assert!(chosen < 4 * 20_000, "{chosen} decisions");
    }
}
