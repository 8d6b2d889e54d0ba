//! Plays the units of a schedule on all threads, and delivers them in order.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use chase_engine::Game;

use super::schedule::{PairUnit, Schedule};
use crate::matches::{Match, MatchError, PairResult};
use crate::players::{Agent, Contestant};

/// Receives the games of a unit, and decides whether to continue.
pub(super) type Deliver<'a, E> = dyn FnMut(&PairUnit, Vec<PairResult>) -> Result<ControlFlow<()>, E> + Send + 'a;

/// Plays the units from number `from` on, each on one thread of the current pool, and delivers their games in the order
/// of the schedule, until all are played, `deliver` stops, or `stop` is set. Units in progress are finished.
///
/// # Errors
/// The error of the first unit that cannot be played or delivered; those before it are delivered.
pub(super) fn play<G: Game, E: From<MatchError> + Send>(
    conditions: &Match<G>,
    contestants: &[Contestant<G>],
    schedule: &Schedule,
    from: usize,
    stop: &AtomicBool,
    deliver: &mut Deliver<'_, E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(from);
    let delivery = Mutex::new(Delivery {
        waiting: BTreeMap::new(),
        next: from,
        open: true,
        failure: None,
        deliver,
    });
    rayon::broadcast(|_| {
        let mut seats = Seats::new(contestants);
        while !stop.load(Ordering::Relaxed) && lock(&delivery).open {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(unit) = schedule.units().get(number) else {
                break;
            };
            // If this panics, no later unit could be delivered.
            let guard = CloseOnPanic(&delivery);
            let played = seats.play(conditions, schedule, unit);
            lock(&delivery).take(number, played, schedule);
            drop(guard);
        }
    });
    let delivery = delivery.into_inner().unwrap_or_else(PoisonError::into_inner);
    delivery.failure.map_or(Ok(()), Err)
}

/// The pool reports a panicked thread; the data that it left are consistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes all threads end when this one panics.
struct CloseOnPanic<'m, 'a, 'b, E>(&'m Mutex<Delivery<'a, 'b, E>>);

impl<E> Drop for CloseOnPanic<'_, '_, '_, E> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            lock(self.0).open = false;
        }
    }
}

/// Delivers units in order.
///
/// Units that wait here for an earlier one would be lost with the process: they are never more than all threads can
/// play in the time of one unit.
struct Delivery<'a, 'b, E> {
    waiting: BTreeMap<usize, Result<Vec<PairResult>, MatchError>>,
    next: usize,
    /// True while more units are wanted.
    open: bool,
    failure: Option<E>,
    deliver: &'a mut Deliver<'b, E>,
}

impl<E: From<MatchError>> Delivery<'_, '_, E> {
    fn take(&mut self, number: usize, played: Result<Vec<PairResult>, MatchError>, schedule: &Schedule) {
        self.waiting.insert(number, played);
        while self.open
            && let Some(played) = self.waiting.remove(&self.next)
        {
            let unit = &schedule.units()[self.next];
            let delivered = played.map_err(E::from).and_then(|pairs| (self.deliver)(unit, pairs));
            match delivered {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => self.open = false,
                Err(failure) => (self.open, self.failure) = (false, Some(failure)),
            }
            self.next += 1;
        }
    }
}

/// The agents of one thread: each is created when first needed, and kept.
struct Seats<'a, G: Game> {
    contestants: &'a [Contestant<G>],
    agents: Vec<Option<Box<dyn Agent<G>>>>,
}

impl<'a, G: Game> Seats<'a, G> {
    fn new(contestants: &'a [Contestant<G>]) -> Self {
        Self {
            contestants,
            agents: contestants.iter().map(|_| None).collect(),
        }
    }

    fn play(
        &mut self,
        conditions: &Match<G>,
        schedule: &Schedule,
        unit: &PairUnit,
    ) -> Result<Vec<PairResult>, MatchError> {
        let players = schedule.pairings()[unit.pairing];
        let contestants = players.map(|player| &self.contestants[player]);
        let mut agents = players.map(|player| {
            let kept = self.agents[player].take();
            kept.unwrap_or_else(|| self.contestants[player].agent())
        });
        let numbers: Vec<u32> = unit.pairs.clone().collect();
        let conditions = conditions.numbered(unit.pairing as u64);
        // A unit in progress is finished.
        let played = conditions.play_together(contestants, &mut agents, &numbers, &AtomicBool::new(false));
        for (player, agent) in players.into_iter().zip(agents) {
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
    use crate::tournament::TournamentConfig;

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
        let config = TournamentConfig {
            players: ["a=random", "b=random"].map(|text| text.parse().expect(text)).into(),
            pairs: 20_000,
            ..TournamentConfig::default()
        };
        let conditions = Match {
            rules: Rules::default(),
            openings: Openings::Random { plies: 0 },
            seed: 1,
            max_plies: 4,
            pairs_at_once: 1,
        };
        let contestants = ["a", "b"].map(|name| Contestant::new(name, || Box::new(First(&CHOSEN))));
        let schedule = Schedule::new(&config);
        let stop = AtomicBool::new(false);
        let mut deliver = |_: &PairUnit, _: Vec<PairResult>| Ok::<_, MatchError>(ControlFlow::Continue(()));
        let threads = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
        let played = catch_unwind(AssertUnwindSafe(|| {
            threads.install(|| play(&conditions, &contestants, &schedule, 0, &stop, &mut deliver))
        }));
        assert!(played.is_err(), "the panic is told");
        // Eight decisions per pair: the other thread did not play all the remaining units, none of which could be
        // delivered.
        let chosen = CHOSEN.load(Ordering::Relaxed);
        assert!(chosen < 4 * 20_000, "{chosen} decisions");
    }
}
