//! Numbered pieces of work, done by the threads of the current rayon pool.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Returns the values that `work` has for the numbers below `count`, in order. Work begins in order of the numbers, and after a
/// failure no more begins. Each thread has tools of its own, which `tools` makes.
///
/// A parallel iterator would do the same, but the compiler makes some hundred functions of one, for every kind of work and
/// every game.
///
/// # Errors
/// The failure of the lowest number that fails, whatever the threads.
pub fn each<Tools, T: Send, E: Send>(
    count: usize,
    tools: &(dyn Fn() -> Tools + Sync),
    work: &(dyn Fn(&mut Tools, usize) -> Result<T, E> + Sync),
) -> Result<Vec<T>, E> {
    let failed = AtomicBool::new(false);
    let values: Vec<Mutex<Option<Result<T, E>>>> = (0..count).map(|_| Mutex::default()).collect();
    share(count, &|numbers| {
        let mut tools = tools();
        while !failed.load(Ordering::Relaxed)
            && let Some(number) = numbers()
        {
            let value = work(&mut tools, number);
            failed.fetch_or(value.is_err(), Ordering::Relaxed);
            *values[number].lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
        }
    });
    let value = |value: Mutex<Option<_>>| value.into_inner().unwrap_or_else(PoisonError::into_inner);
    let begun = values.into_iter().map(value);
    begun
        .map(|value| value.expect("all numbers below a failure were begun, and so done"))
        .collect()
}

/// A source of numbers that threads share.
type Numbers<'a> = dyn Fn() -> Option<usize> + 'a;

/// Calls `work` on every thread, with a source of the numbers below `count`.
fn share(count: usize, work: &(dyn Fn(&Numbers<'_>) + Sync)) {
    let next = AtomicUsize::new(0);
    let number = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&number| number < count);
    rayon::scope(|scope| {
        for _ in 0..rayon::current_num_threads().min(count) {
            scope.spawn(|_| work(&number));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_in_order_and_the_lowest_failure_counts() {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(4)
            .build()
            .expect("four threads");
        let squares = |failing: &'static [usize]| {
            let later_failure = AtomicBool::new(false);
            let square = |(): &mut (), number: usize| {
                if failing.first() == Some(&number) {
                    while !later_failure.load(Ordering::Relaxed) {
                        std::thread::yield_now();
                    }
                }
                match failing.contains(&number) {
                    true => {
                        later_failure.store(true, Ordering::Relaxed);
                        Err(number)
                    }
                    false => Ok(number * number),
                }
            };
            pool.install(|| each(1000, &|| (), &square))
        };
        assert_eq!(squares(&[]), Ok((0..1000).map(|number| number * number).collect()));
        // The lowest failure ends last.
        for _ in 0..100 {
            assert_eq!(squares(&[17, 18, 19, 900]), Err(17));
        }
    }
}
