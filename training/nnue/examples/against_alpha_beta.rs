//! Plays a network against the alpha-beta baseline, each with the same number of nodes a move: a measure that does not
//! depend on how busy a machine is, and needs no program.
//!
//! `cargo run --release -p chase-nnue-training --example against_alpha_beta -- NETWORK NODES PAIRS`
//!
//! NETWORK is a file or the folder of a checkpoint; or a control: `dice` for a network that counts dice and knows
//! nothing else, `heuristic` for the judgement of the baseline itself, so that the two searches alone are compared. A
//! pair is two games from the same random opening of two to six plies, with colours swapped.

#![allow(clippy::print_stdout, reason = "an example says what it found")]

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use chase_baselines::{AlphaBeta, ChaseHeuristic};
use chase_engine::alpha_beta::{self, ByGame, Evaluator, Limits, Settings};
use chase_engine::chase::Rules;
use chase_engine::{Chase, Game, Outcome, Player, seed};
use chase_nnue::{Kernel, LineEvaluator, Network, StoredNetwork, Weights};
use chase_nnue_training::heuristic;
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

/// A game after some random plies, in which both players still have all their dice.
fn opening(rng: &mut Xoshiro256PlusPlus) -> Chase {
    loop {
        let mut game = Chase::new(&Rules::default());
        let mut legal = Vec::new();
        for _ in 0..rng.random_range(2..=6) {
            game.legal_actions(&mut legal);
            game.apply(legal[rng.random_range(0..legal.len())]);
        }
        let level = Player::BOTH.map(|player| game.position().dice(player).count());
        if game.outcome().is_none() && level[0] == level[1] {
            return game;
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, nodes, pairs] = &arguments[..] else {
        return Err("expected NETWORK NODES PAIRS".into());
    };
    let (nodes, pairs): (u64, u64) = (nodes.parse()?, pairs.parse()?);
    if path == "heuristic" {
        play(ByGame(heuristic::value), nodes, pairs);
        return Ok(());
    }
    let weights = match &**path {
        "dice" => Weights::dice_difference(32, 1.0),
        path => StoredNetwork::read(Path::new(path))?.weights,
    };
    let network = Network::quantise(&weights)?;
    play(LineEvaluator::new(&network, Kernel::best()), nodes, pairs);
    Ok(())
}

/// Plays pairs against the baseline, and prints the score after each.
fn play(evaluator: impl Evaluator<Chase>, nodes: u64, pairs: u64) {
    let limits = Limits::nodes(nodes);
    let mut own = alpha_beta::AlphaBeta::new(evaluator, Settings::STRONG.with_table(4));
    let mut enemy = AlphaBeta::new(ChaseHeuristic, limits);
    let mut score = [0; 3];
    let mut by_pair = Vec::new();
    let mut time = [Duration::ZERO; 2];
    let mut searched = [0; 2];
    for pair in 0..pairs {
        let start = opening(&mut seed::named("against-alpha-beta", &[pair]));
        let mut points = 0.0;
        for colour in Player::BOTH {
            let mut game = start.clone();
            let mut rng = seed::named("against-alpha-beta-game", &[pair, colour as u64]);
            while game.outcome().is_none() {
                let begin = Instant::now();
                let (side, action, count) = if game.to_move() == colour {
                    let found = own.best(&game, &limits);
                    (0, found.action, found.nodes)
                } else {
                    let found = enemy.search(&game, &mut rng);
                    (1, found.action, found.nodes)
                };
                time[side] += begin.elapsed();
                searched[side] += count;
                game.apply(action);
            }
            let (place, point) = match game.outcome() {
                Some(Outcome::Win(winner)) if winner == colour => (0, 1.0),
                Some(Outcome::Win(_)) => (2, 0.0),
                _ => (1, 0.5),
            };
            score[place] += 1;
            points += point;
        }
        by_pair.push(points / 2.0);
        let mean = by_pair.iter().sum::<f64>() / by_pair.len() as f64;
        println!(
            "{} pairs: {} won, {} drawn, {} lost, score {mean:.3}",
            pair + 1,
            score[0],
            score[1],
            score[2]
        );
    }
    let mean = by_pair.iter().sum::<f64>() / by_pair.len() as f64;
    let squares = by_pair.iter().map(|points| (points - mean).powi(2)).sum::<f64>();
    let error = (squares / (by_pair.len() as f64 - 1.0) / by_pair.len() as f64).sqrt();
    println!("score {mean:.3}, standard error over pairs {error:.3}");
    for (name, side) in [("this search", 0), ("alpha-beta", 1)] {
        println!(
            "{name}: {:.0} k nodes/s of wall-clock time",
            searched[side] as f64 / time[side].as_secs_f64() / 1e3
        );
    }
}
