//! Blocks like those of the opening study, with a mean that is known.

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use rand_distr::{Binomial, Distribution};

/// Blocks of one kind.
pub struct World {
    pub name: &'static str,
    /// Least and greatest number that a block can be.
    pub range: (f64, f64),
    /// Blocks that are planned.
    pub horizon: u64,
    pub mean: f64,
    /// True if both ways to estimate a mean are meant for it.
    pub meant: bool,
    draw: fn(&mut Xoshiro256PlusPlus) -> f64,
}

impl World {
    pub fn numbers(&self, blocks: usize, rng: &mut Xoshiro256PlusPlus) -> Vec<f64> {
        (0..blocks).map(|_| (self.draw)(rng)).collect()
    }
}

/// The mean of this many games that are won or lost.
fn games(rng: &mut Xoshiro256PlusPlus, games: u32, win: f64) -> f64 {
    let won = Binomial::new(games.into(), win).unwrap().sample(rng);
    won as f64 / f64::from(games)
}

/// The mean over this many games of dice lost, of twelve: 1.8 a game, with a standard deviation of 1.24.
fn dice(rng: &mut Xoshiro256PlusPlus, count: u32, lost: f64) -> f64 {
    12.0 * games(rng, 12 * count, lost)
}

/// The mean over three games of an exponential number of plies, a hundred at most; its mean is 18 (1 − e^(−100/18)).
fn plies(rng: &mut Xoshiro256PlusPlus) -> f64 {
    let one = |rng: &mut Xoshiro256PlusPlus| (-18.0 * (1.0 - rng.random::<f64>()).ln()).min(100.0);
    (0..3).map(|_| one(rng)).sum::<f64>() / 3.0
}

pub const WORLDS: [World; 10] = [
    // A1: three agents' games, one each.
    World {
        name: "mean of 3 games, 58 %",
        range: (0.0, 1.0),
        horizon: 256,
        mean: 0.58,
        meant: true,
        draw: |rng| games(rng, 3, 0.58),
    },
    // B8: one reply less another.
    World {
        name: "3 games less 3 games",
        range: (-1.0, 1.0),
        horizon: 64,
        mean: -0.08,
        meant: true,
        draw: |rng| games(rng, 3, 0.45) - games(rng, 3, 0.53),
    },
    // B9: all other first moves less those of a 4.
    World {
        name: "120 games less 12 games",
        range: (-1.0, 1.0),
        horizon: 64,
        mean: 0.25,
        meant: true,
        draw: |rng| games(rng, 120, 0.53) - games(rng, 12, 0.28),
    },
    // B4: dice lost after exchanges less after other moves. Standard deviation 0.33.
    World {
        name: "dice",
        range: (-12.0, 12.0),
        horizon: 256,
        mean: -0.132,
        meant: true,
        draw: |rng| dice(rng, 16, 0.15) - dice(rng, 100, 0.161),
    },
    // D1: games that are not drawn.
    World {
        name: "mean of 3 games, 97.8 %",
        range: (0.0, 1.0),
        horizon: 256,
        mean: 0.978,
        meant: true,
        draw: |rng| games(rng, 3, 0.978),
    },
    World {
        name: "single games, 58 %",
        range: (0.0, 1.0),
        horizon: 256,
        mean: 0.58,
        meant: true,
        draw: |rng| games(rng, 1, 0.58),
    },
    // B5: the first capture. Skewness 1.1.
    World {
        name: "plies",
        range: (0.0, 100.0),
        horizon: 256,
        mean: 17.930_413_437_489,
        meant: true,
        draw: plies,
    },
    // A1 where White hardly ever loses, and where it never does: a block is the mean of 48 games.
    World {
        name: "mean of 48 games, 99.9 %",
        range: (0.0, 1.0),
        horizon: 256,
        mean: 0.999,
        meant: true,
        draw: |rng| games(rng, 48, 0.999),
    },
    World {
        name: "always won",
        range: (0.0, 1.0),
        horizon: 256,
        mean: 1.0,
        meant: true,
        draw: |_| 1.0,
    },
    // One of a hundred blocks is far off.
    World {
        name: "rare and large",
        range: (0.0, 1.0),
        horizon: 256,
        mean: 0.203,
        meant: false,
        draw: |rng| {
            let usual = 0.17 + 0.06 * rng.random::<f64>();
            if rng.random::<f64>() < 0.01 { usual + 0.3 } else { usual }
        },
    },
];
