//! Settings with invalid values.

use std::fmt;

use chase_models::device;

/// A setting with an invalid value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The key with its sections: `search.c_puct`.
    pub key: String,
    /// The value that was given, as text.
    pub value: String,
    /// The values that are allowed, with the reason where it is not plain.
    pub expected: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}, expected {}", self.key, self.value, self.expected)
    }
}

/// Most threads of a run.
pub const MOST_THREADS: usize = 4096;

/// Cores that this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A number of threads with 0, one per core, resolved for this machine.
pub fn thread_count(threads: usize) -> usize {
    match threads {
        0 => cores(),
        threads => threads,
    }
}

/// Collects problems.
#[derive(Debug, Default)]
pub struct Checks(
    /// Those found so far.
    pub Vec<Problem>,
);

impl Checks {
    /// Adds a problem unless a value `holds` what is expected of it.
    pub fn require(&mut self, holds: bool, key: &str, value: impl fmt::Display, expected: &str) {
        if !holds {
            self.0.push(Problem {
                key: key.into(),
                value: value.to_string(),
                expected: expected.into(),
            });
        }
    }

    /// Checks the seed and the number of threads, which all configurations have.
    pub fn seed_and_threads(&mut self, seed: u64, threads: usize) {
        // TOML has no larger integers.
        self.require(seed <= i64::MAX as u64, "seed", seed, "at most 2^63 − 1");
        let expected = format!("0 (one per core) to {MOST_THREADS}");
        self.require(threads <= MOST_THREADS, "threads", threads, &expected);
    }

    /// Requires the name of a device, which this machine may not have.
    pub fn device(&mut self, name: &str) {
        self.require(device::is_name(name), "device", format_args!("`{name}`"), device::NAMES);
    }

    /// Requires whole pairs of games, if there are evaluations at all.
    pub(crate) fn pairs(&mut self, every: u64, games: u32) {
        let holds = every == 0 || games >= 2 && games.is_multiple_of(2);
        let expected = "an even number of at least 2: games come in pairs";
        self.require(holds, "evaluation.games", games, expected);
    }

    /// Requires a finite number above 0.
    pub fn positive(&mut self, key: &str, value: f64) {
        self.require(value > 0.0 && value.is_finite(), key, value, "a number above 0");
    }

    /// Requires a finite number of at least 0.
    pub fn not_negative(&mut self, key: &str, value: f64) {
        self.require(value >= 0.0 && value.is_finite(), key, value, "a number of at least 0");
    }

    /// Requires a number from 0 to 1.
    pub fn share(&mut self, key: &str, value: f64) {
        self.require((0.0..=1.0).contains(&value), key, value, "a number from 0 to 1");
    }

    /// Requires a number above 0 and at most 1.
    pub fn positive_share(&mut self, key: &str, value: f64) {
        self.require(value > 0.0 && value <= 1.0, key, value, "a number above 0, at most 1");
    }

    /// Requires a number from 0 and below 1.
    pub fn below_one(&mut self, key: &str, value: f64) {
        self.require((0.0..1.0).contains(&value), key, value, "a number from 0, below 1");
    }

    /// Requires a number from 1 to `most`.
    pub fn one_to(&mut self, most: u32, key: &str, value: u32) {
        let holds = (1..=most).contains(&value);
        self.require(holds, key, value, &format!("at least 1, at most {most}"));
    }

    /// Requires a number of at least 1.
    pub fn at_least_one(&mut self, key: &str, value: u64) {
        self.require(value >= 1, key, value, "at least 1");
    }
}
