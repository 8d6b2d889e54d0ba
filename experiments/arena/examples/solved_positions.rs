//! Finds positions for the reference set of `chase_arena::solved`, in files of games, and prints them as JSON lines.
//!
//! `cargo run --release -p chase-arena --example solved_positions -- SEED EACH FILE…`: EACH positions of every kind, at
//! most one of a game, from plies drawn at random.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use chase_arena::games::{GameLine, GameLines};
use chase_arena::solved::{ForcedResult, solve};
use chase_engine::chase::{Position, Rules};
use chase_statistics::generator;
use rand::seq::SliceRandom;

type Failure = Box<dyn std::error::Error>;

/// Nodes for each question; positions that need more are left out.
const NODES: u64 = 300_000;
/// Plies of a game that are tried.
const TRIED: usize = 12;

fn games(path: &Path) -> Result<Vec<(String, GameLine)>, Failure> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut lines = GameLines::open(path)?;
    let mut games = Vec::new();
    while let Some(line) = lines.next_line()? {
        let number = games.len() + 1;
        games.push((format!("{name}, game {number}"), line.game()?));
    }
    Ok(games)
}

#[allow(clippy::print_stdout, reason = "an example")]
fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let mut number = || -> Result<u64, Failure> { Ok(arguments.next().ok_or("expected SEED EACH FILE…")?.parse()?) };
    let (seed, each) = (number()?, number()?);
    let files: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    let mut all = Vec::new();
    for file in &files {
        all.extend(games(file)?);
    }
    let rng = &mut generator(seed, &[]);
    all.shuffle(rng);
    let mut found: BTreeMap<ForcedResult, Vec<_>> = BTreeMap::new();
    for (source, line) in &all {
        if ForcedResult::ALL
            .iter()
            .all(|forced| found.get(forced).map_or(0, Vec::len) as u64 >= each)
        {
            break;
        }
        let mut positions: Vec<(usize, Position)> = Vec::new();
        line.game.replay_plies(&Rules::default(), usize::MAX, |ply| {
            if ply.ply as u32 >= line.game.opening_plies {
                positions.push((ply.ply, *ply.before));
            }
        })?;
        positions.shuffle(rng);
        for (ply, position) in positions.iter().take(TRIED) {
            let Some(solved) = solve(position, NODES, &format!("{source}, ply {}", ply + 1)) else {
                continue;
            };
            let of_kind = found.entry(solved.forced).or_default();
            let known = of_kind
                .iter()
                .any(|other: &chase_arena::solved::SolvedPosition| other.position == solved.position);
            if (of_kind.len() as u64) < each && !known {
                of_kind.push(solved);
                break;
            }
        }
    }
    for position in found.values().flatten() {
        println!("{}", serde_json::to_string(position)?);
    }
    Ok(())
}
