//! Attacks on the whole program: it is killed, its disk is full, its files change, and strangers talk to it. Work that
//! was attacked must end as work that nobody has interrupted, or be refused.
//!
//! One bounded round is a test. `cargo xtask soak` goes on for as long as it is told, and says in its last line what
//! was done. Every round has a generator of its own: `cargo xtask soak --seed S --round N` repeats what it did, but for
//! the moments at which processes were killed.

#![cfg(unix)]
#![allow(clippy::print_stderr, reason = "a soak of hours says how far it is")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod damage;
mod engines;
mod full_disk;
mod inputs;
mod kills;
mod requests;
mod tally;
mod works;

use std::env;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use chase_statistics::generator;
use tally::Tally;
use tempfile::TempDir;
use works::Work;

const CHASE: &str = env!("CARGO_BIN_EXE_chase");

/// The attacks of one turn; each turn is on the next kind of work.
const TURN: [Attack; 9] = [
    Attack::FullDisk,
    Attack::Damage,
    Attack::Kills,
    Attack::Requests,
    Attack::FullDisk,
    Attack::Damage,
    Attack::Engines,
    Attack::Inputs,
    Attack::Kills,
];

#[derive(Clone, Copy, Debug)]
enum Attack {
    Kills,
    FullDisk,
    Damage,
    Requests,
    Engines,
    Inputs,
}

struct Soak {
    folder: TempDir,
    works: Vec<Work>,
    seed: u64,
    tally: Tally,
}

impl Soak {
    fn new(seed: u64) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("chase-soak-").tempdir()?;
        fs::create_dir(folder.path().join("works"))?;
        let works = Work::all(&folder.path().join("works"))?;
        Ok(Self {
            folder,
            works,
            seed,
            tally: Tally::default(),
        })
    }

    /// Makes one attack. What goes wrong is noted, and its folder stays.
    fn round(&mut self, round: u64) {
        let home = self.folder.path().join(format!("round-{round}"));
        // Each turn is on the next kind of work.
        let (turn, place) = (round / TURN.len() as u64, (round % TURN.len() as u64) as usize);
        let (attack, work) = (TURN[place], (turn % self.works.len() as u64) as usize);
        let done = catch_unwind(AssertUnwindSafe(|| self.attack(attack, work, round, &home)));
        let failure = match done {
            Ok(Ok(())) => {
                let _ = fs::remove_dir_all(home);
                return;
            }
            Ok(Err(error)) => format!("{error:#}"),
            Err(_) => "it panics".to_owned(),
        };
        let (seed, name) = (self.seed, self.works[work].name);
        let failure = format!(
            "seed {seed}, round {round} ({attack:?} of {name}, {}): {failure}",
            home.display()
        );
        eprintln!("FAILURE: {failure}");
        self.tally.failures.push(failure);
    }

    fn attack(&mut self, attack: Attack, work: usize, round: u64, home: &Path) -> Result<()> {
        fs::create_dir(home).context("the folder of the round")?;
        let mut rng = generator(self.seed, &[round]);
        let (rng, tally, work) = (&mut rng, &mut self.tally, &self.works[work]);
        match attack {
            Attack::FullDisk => full_disk::attack(work, home, rng, tally),
            Attack::Kills => kills::attack(work, home, rng, tally),
            Attack::Damage => damage::attack(work, home, rng, tally),
            Attack::Requests => requests::attack(&work.home, home, rng, tally),
            Attack::Engines => engines::attack(home, rng, tally),
            Attack::Inputs => inputs::attack(home, rng, tally),
        }
    }

    /// The folder is kept if something in it may show what went wrong.
    fn end(self) -> Tally {
        if !self.tally.failures.is_empty() {
            eprintln!("all files are kept in {}", self.folder.keep().display());
        }
        self.tally
    }
}

#[test]
fn a_turn_of_attacks_loses_nothing() {
    let mut soak = Soak::new(1).unwrap();
    for round in 0..2 * TURN.len() as u64 {
        soak.round(round);
    }
    let tally = soak.end();
    assert!(tally.failures.is_empty(), "{tally}");
    assert!(
        tally.kills > 0 && tally.full > 0 && tally.flips > 0 && tally.requests > 0 && tally.compared > 0,
        "{tally}"
    );
}

/// Goes on for `CHASE_SOAK_SECONDS`; what `cargo xtask soak` starts.
#[test]
#[ignore = "takes as long as it is told: cargo xtask soak"]
fn soak() {
    let number = |name: &str| env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let (seconds, only) = (number("CHASE_SOAK_SECONDS").unwrap_or(60), number("CHASE_SOAK_ROUND"));
    let (began, duration) = (Instant::now(), Duration::from_secs(seconds));
    let mut soak = Soak::new(number("CHASE_SOAK_SEED").unwrap_or(1)).unwrap();
    if let Some(round) = only {
        soak.round(round);
    } else {
        let mut told = Instant::now();
        let mut round = 0;
        while began.elapsed() < duration {
            soak.round(round);
            round += 1;
            if told.elapsed() >= Duration::from_secs(60) {
                told = Instant::now();
                eprintln!(
                    "{:.0} min, {round} rounds: {}",
                    began.elapsed().as_secs_f64() / 60.0,
                    soak.tally
                );
            }
        }
    }
    let (seed, minutes) = (soak.seed, began.elapsed().as_secs_f64() / 60.0);
    let tally = soak.end();
    for failure in &tally.failures {
        eprintln!("{failure}");
    }
    eprintln!("seed {seed}, {minutes:.1} min: {tally}");
    if !tally.failures.is_empty() {
        std::process::exit(1);
    }
}
