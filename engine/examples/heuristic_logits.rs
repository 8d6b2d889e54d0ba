//! Measures how much a unit of a game's heuristic is worth: the logits by which values of a search predict results best.
//!
//! `cargo run --release -p chase-engine --example heuristic_logits -- GAME GAMES NODES` plays games of alpha-beta
//! against itself as in the first generations of training: 1 to 6 random plies, then searches of this many nodes on
//! average, half of which to one and a half times as many. Each search that has no proof is an observation: its value
//! and the score of its player, 1 for a win and 0.5 for a draw. Truncated games have none. Prints the constant with the
//! least cross-entropy, its 95 % interval by a bootstrap of whole games, and the cross-entropy of some constants, each
//! for the values of searches and for the values of the positions without a search.

#![allow(clippy::print_stdout, reason = "prints its results")]

use chase_engine::alpha_beta::{AlphaBeta, ByHeuristic, Limits, Request, Settings};
use chase_engine::draughts::{Rules, Variation};
use chase_engine::{Chase, Draughts, Game, Heuristic, Outcome, seed};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

/// Random plies at the beginning of a game, at most.
const RANDOM_PLIES: u32 = 6;
/// Largest deviation of a search's nodes from their mean, as a share of it.
const SPREAD: f64 = 0.5;
/// Games drawn anew for the interval.
const RESAMPLES: usize = 1000;

/// A position: its values for the player to move, after a search and without one, and that player's score.
struct Seen {
    values: [i32; 2],
    score: f64,
}

/// Plays one game; `None` if it is truncated.
fn play<G: Heuristic>(rules: &G::Rules, nodes: u32, rng: &mut Xoshiro256PlusPlus) -> Option<Vec<Seen>> {
    let plain = Settings {
        table_mib: 1,
        ..Settings::PLAIN
    };
    let mut searcher = AlphaBeta::new(ByHeuristic, plain);
    let mut game = G::start(rules, rng);
    let (mut legal, mut seen) = (Vec::new(), Vec::new());
    let random = rng.random_range(1..=RANDOM_PLIES);
    while game.outcome().is_none() {
        game.legal_actions(&mut legal);
        let action = if game.plies() < random || legal.len() == 1 {
            legal[rng.random_range(0..legal.len())]
        } else {
            let factor = 1.0 + SPREAD * rng.random_range(-1.0..=1.0);
            let limits = Limits::nodes((f64::from(nodes) * factor).max(1.0) as u64);
            let found = searcher.best(&game, Request::new(limits).shuffled(rng));
            if found.plies_to_win().is_none() {
                let player = game.to_move();
                seen.push((player, [found.value, game.heuristic(player)]));
            }
            found.action
        };
        game.apply(action);
    }
    let outcome = game.outcome().filter(|&outcome| outcome != Outcome::Truncated)?;
    let seen = seen.into_iter().map(|(player, values)| {
        let value = outcome.value_for(player).expect("the game is not truncated");
        Seen {
            values,
            score: f64::midpoint(value.0.into(), 1.0),
        }
    });
    Some(seen.collect())
}

/// The sums over observations that a fit needs.
struct Sums {
    entropy: f64,
    slope: f64,
    curvature: f64,
}

fn sums<'a>(games: impl Iterator<Item = &'a [Seen]>, which: usize, logits: f64) -> Sums {
    let mut sums = Sums {
        entropy: 0.0,
        slope: 0.0,
        curvature: 0.0,
    };
    for Seen { values, score } in games.flatten() {
        let value = f64::from(values[which]);
        let logit = logits * value;
        let expected = 1.0 / (1.0 + (-logit).exp());
        // Stable also where the expected score is 0 or 1 in floating point.
        sums.entropy += logit.max(0.0) - score * logit + (-logit.abs()).exp().ln_1p();
        sums.slope += (expected - score) * value;
        sums.curvature += expected * (1.0 - expected) * value * value;
    }
    sums
}

/// The constant with the least cross-entropy, which is convex in it.
fn fit<'a>(games: impl Iterator<Item = &'a [Seen]> + Clone, which: usize) -> f64 {
    let mut logits = 0.01;
    for _ in 0..100 {
        let Sums { slope, curvature, .. } = sums(games.clone(), which, logits);
        // Newton's method; never more than half of the way to 0, beyond which it might not come back.
        let next = (logits - slope / curvature).max(logits / 2.0);
        if (next - logits).abs() < 1e-9 {
            break;
        }
        logits = next;
    }
    logits
}

fn measure<G: Heuristic>(rules: &G::Rules, name: &str, games: u64, nodes: u32) {
    let played: Vec<Vec<Seen>> = (0..games)
        .filter_map(|number| play::<G>(rules, nodes, &mut seed::named("heuristic logits", &[number])))
        .collect();
    let all = || played.iter().map(Vec::as_slice);
    let count = all().map(<[Seen]>::len).sum::<usize>() as f64;
    println!(
        "{name}: {} of {games} games with a result, {count} observations",
        played.len()
    );
    for (which, of) in ["values of searches", "values without a search"]
        .into_iter()
        .enumerate()
    {
        let best = fit(all(), which);
        let mut rng = seed::named("heuristic logits: bootstrap", &[]);
        let mut drawn: Vec<f64> = (0..RESAMPLES)
            .map(|_| {
                let places: Vec<usize> = (0..played.len()).map(|_| rng.random_range(0..played.len())).collect();
                fit(places.iter().map(|&place| played[place].as_slice()), which)
            })
            .collect();
        drawn.sort_by(f64::total_cmp);
        let [low, high] = [RESAMPLES / 40, RESAMPLES - 1 - RESAMPLES / 40].map(|place| drawn[place]);
        println!("  {of}: {best:.4} [{low:.4}, {high:.4}]");
        let entropies = [0.005, 0.010, best, 0.015, 0.020].map(|logits| {
            let entropy = sums(all(), which, logits).entropy / count;
            format!("{entropy:.4} at {logits:.4}")
        });
        println!("    cross-entropy {}", entropies.join(", "));
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, games, nodes] = &arguments[..] else {
        panic!("expected GAME GAMES NODES, as in chase 1000 600");
    };
    let games = games.parse().expect("a number of games");
    let nodes = nodes.parse().expect("a number of nodes");
    match name.as_str() {
        Chase::NAME => measure::<Chase>(&Default::default(), name, games, nodes),
        _ => {
            let variation = Variation::named(name).expect("Chase or a game of the draughts family");
            measure::<Draughts>(&Rules::standard(variation), name, games, nodes);
        }
    }
}
