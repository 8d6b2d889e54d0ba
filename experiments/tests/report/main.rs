//! The training report over a run directory that is made up here.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;

use std::fs;
use std::path::Path;

use chase_engine::chase::Rules;
use chase_engine::{Chase, ConnectFour};
use chase_experiments::report::write_training_report;
use fixture::Fixture;
use roxmltree::{Document, ParsingOptions};

const SMALL: Fixture = Fixture {
    generations: 10,
    games: 30,
};

fn short() -> Rules {
    Rules {
        max_turns: std::num::NonZeroU32::new(60),
        ..Rules::default()
    }
}

/// `cargo test -p chase-experiments --test report -- --ignored` writes pages to look at into `target/report-sample`.
#[test]
#[ignore = "writes files for people to look at"]
fn pages_to_look_at() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/report-sample");
    let large = Fixture {
        generations: 40,
        games: 400,
    };
    let chase = directory.join("chase-quick");
    large.write::<Chase>(&chase, &Rules::default());
    write_training_report(&chase).unwrap();
    let four = directory.join("connect-four");
    large.write::<ConnectFour>(&four, &());
    write_training_report(&four).unwrap();
}
