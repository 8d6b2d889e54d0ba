//! Judges the positions of a book, ply by ply.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use chase_arena::{Agent, Contestant, Playable, PlayerSpec};
use chase_models::device::{self, Device};
use rayon::prelude::*;

use crate::config::BookConfig;
use crate::conventions::conventions;
use crate::error::BookError;
use crate::folder::BookFolder;
use crate::judge::scores;
use crate::position::{BookMove, BookPosition};

/// Positions of a file: what an interruption loses, for each thread.
const POSITIONS_A_FILE: usize = 4;

/// Progress of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookProgress {
    /// The ply that is judged, from 0.
    pub ply: u32,
    /// Judged positions of this ply, including stored ones.
    pub done: usize,
    /// Positions of this ply.
    pub of: usize,
}

/// Watches a book in the making.
#[derive(Clone, Copy)]
pub struct BookWatch<'a> {
    /// Set to stop.
    pub stop: &'a Arc<AtomicBool>,
    /// Called as positions are judged.
    pub on_progress: &'a (dyn Fn(BookProgress) + Sync),
}

/// The players of a book, ready to judge.
struct Panel<G: Playable> {
    scout: Contestant<G>,
    judges: Vec<Contestant<G>>,
}

/// The agents of one thread.
struct Bench<G: Playable> {
    scout: Box<dyn Agent<G>>,
    judges: Vec<Box<dyn Agent<G>>>,
}

impl<G: Playable> Panel<G> {
    fn of(config: &BookConfig, device: Device) -> Result<Self, BookError> {
        let ready = |player: &PlayerSpec| -> Result<Contestant<G>, BookError> {
            let contestant = player.contestant_for::<G>(config.game.name(), device)?;
            Ok(contestant.named(player.to_string()))
        };
        Ok(Self {
            scout: ready(&config.scout)?,
            judges: config.judges.iter().map(ready).collect::<Result<_, _>>()?,
        })
    }

    fn bench(&self, stop: &Arc<AtomicBool>) -> Bench<G> {
        let agent = |contestant: &Contestant<G>| {
            let mut agent = contestant.agent();
            agent.stop_when(stop);
            agent
        };
        Bench {
            scout: agent(&self.scout),
            judges: self.judges.iter().map(agent).collect(),
        }
    }
}

/// Judges all positions of a book, on all threads of the current pool, and returns them by ply; `None` if it was stopped before. What
/// is stored in the folder is not judged again. The result does not depend on the number of threads, unless a player has a limit of
/// time.
///
/// # Errors
/// If a player cannot judge, or a file is damaged or cannot be written.
pub fn build<G: Playable>(folder: &BookFolder, watch: BookWatch<'_>) -> Result<Option<Vec<BookPosition>>, BookError> {
    let config = folder.config();
    let device = device::parse(&config.device)?;
    let panel = Panel::<G>::of(config, device)?;
    let (_, rules) = conventions::<G>(config.game);
    if G::begins_at_random(&rules) {
        return Err(BookError::NoOpening(config.game));
    }
    let start = G::new(&rules);
    let mut all = Vec::new();
    let mut games = vec![(Vec::new(), start)];
    for ply in 0..config.plies {
        let Some(positions) = level(folder, &panel, &games, ply, watch)? else {
            return Ok(None);
        };
        let mut next = Vec::new();
        let mut known = HashSet::new();
        for ((line, game), position) in games.iter().zip(&positions) {
            for step in position.moves.iter().filter(|step| step.followed) {
                let Some(after) = played(game, &step.action) else {
                    continue;
                };
                if after.outcome().is_none() && known.insert(after.position_key()) {
                    let mut line: Vec<String> = Vec::clone(line);
                    line.push(step.action.clone());
                    next.push((line, after));
                }
            }
        }
        all.extend(positions);
        games = next;
    }
    Ok(Some(all))
}

/// The game after an action in exact form, which was written by this program; `None` if it is not legal.
pub(crate) fn played<G: Playable>(game: &G, action: &str) -> Option<G> {
    let action = game.parse_action(action).ok()?;
    let mut next = game.clone();
    next.apply(action);
    Some(next)
}

/// The positions of a ply.
fn level<G: Playable>(
    folder: &BookFolder,
    panel: &Panel<G>,
    games: &[(Vec<String>, G)],
    ply: u32,
    watch: BookWatch<'_>,
) -> Result<Option<Vec<BookPosition>>, BookError> {
    let done = std::sync::atomic::AtomicUsize::new(0);
    let tell = |positions: usize| {
        let done = positions + done.fetch_add(positions, Ordering::Relaxed);
        let of = games.len();
        (watch.on_progress)(BookProgress { ply, done, of });
    };
    let parts: Vec<_> = games.chunks(POSITIONS_A_FILE).enumerate().collect();
    let judged = parts.into_par_iter().map_init(
        || panel.bench(watch.stop),
        |bench, (number, games)| {
            let lines: Vec<Vec<String>> = games.iter().map(|(line, _)| line.clone()).collect();
            if let Some(stored) = folder.stored(ply, number, &lines)? {
                tell(stored.len());
                return Ok(Some(stored));
            }
            let mut positions = Vec::with_capacity(games.len());
            for (line, game) in games {
                let position = judge(folder.config(), bench, line, game)?;
                // A search that was cut short is worth nothing.
                if watch.stop.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                positions.push(position);
            }
            folder.store(ply, number, &positions)?;
            tell(positions.len());
            Ok(Some(positions))
        },
    );
    let judged: Vec<Option<Vec<BookPosition>>> = judged.collect::<Result<_, BookError>>()?;
    let all: Option<Vec<Vec<BookPosition>>> = judged.into_iter().collect();
    Ok(all.map(|parts| parts.into_iter().flatten().collect()))
}

/// Judges one position.
fn judge<G: Playable>(
    config: &BookConfig,
    bench: &mut Bench<G>,
    line: &[String],
    game: &G,
) -> Result<BookPosition, BookError> {
    let mut legal = Vec::new();
    game.legal_actions(&mut legal);
    let scouted = scores(bench.scout.as_mut(), &config.scout.to_string(), game, &legal)?;
    let first = line.is_empty();
    let mut order: Vec<usize> = (0..legal.len()).collect();
    let by = |score: Option<f64>| score.unwrap_or(f64::NEG_INFINITY);
    order.sort_by(|&one, &other| by(scouted[other]).total_cmp(&by(scouted[one])));
    order.truncate(if first { legal.len() } else { config.candidates as usize });
    let candidates: Vec<G::Action> = order.iter().map(|&index| legal[index]).collect();
    let mut judged = vec![Vec::new(); candidates.len()];
    for (judge, player) in bench.judges.iter_mut().zip(&config.judges) {
        let scores = scores(judge.as_mut(), &player.to_string(), game, &candidates)?;
        for (all, score) in judged.iter_mut().zip(scores) {
            all.extend(score);
        }
    }
    let mut moves: Vec<BookMove> = legal
        .iter()
        .zip(&scouted)
        .map(|(&action, &scout)| BookMove {
            action: game.action_text(action),
            text: game.people_text(action),
            scout,
            judges: Vec::new(),
            followed: false,
            to: None,
            backed: None,
        })
        .collect();
    for (&index, judged) in order.iter().zip(judged) {
        moves[index].judges = judged;
    }
    let mut position = BookPosition {
        ply: line.len() as u32,
        line: line.to_vec(),
        position: game.position_text(),
        player: game.to_move().name().to_owned(),
        moves,
        backed: None,
    };
    position.sort();
    follow(&mut position, config, first);
    Ok(position)
}

/// Marks the candidates that are followed: all of the first position, else the best ones.
fn follow(position: &mut BookPosition, config: &BookConfig, first: bool) {
    let width = if first { usize::MAX } else { config.width as usize };
    let best = position.moves.first().and_then(|best| best.judged());
    let least = match best {
        Some(best) if !first => best.mean - config.margin,
        _ => f64::NEG_INFINITY,
    };
    for step in position.moves.iter_mut().take(width) {
        step.followed = step.judged().is_some_and(|judged| judged.mean >= least);
    }
}
