//! Attempts to break the best moves of a book.

use std::sync::atomic::{AtomicUsize, Ordering};

use chase_arena::{Agent, Playable};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::challenge::{Answer, Challenge, Threat};
use crate::conventions::conventions;
use crate::error::{BookError, damaged};
use crate::folder::BookFolder;
use crate::judge::{choice, judgements};
use crate::panel::{Bench, Panel};
use crate::played::played_line;
use crate::position::{BookMove, BookPosition};
use crate::watch::{BookStage, BookWatch};

/// Moves of a position that are challenged: the best one, and the one that would take its place. At the beginning of the game it is all.
const CHALLENGED: usize = 2;
/// Positions of a file: what an interruption loses, for each thread.
const POSITIONS_A_FILE: usize = 4;

/// The challenged moves of a position, as stored.
#[derive(Serialize, Deserialize)]
struct Challenged {
    line: Vec<String>,
    /// Exact forms of the actions, each with what was found.
    moves: Vec<(String, Challenge)>,
}

fn challenged(position: &BookPosition) -> impl Iterator<Item = &BookMove> {
    let count = if position.line.is_empty() {
        usize::MAX
    } else {
        CHALLENGED
    };
    position.moves.iter().filter(|step| step.backed.is_some()).take(count)
}

/// Lets the challengers search the positions after the best moves, on all threads of the current pool, and computes what each of these
/// moves keeps. The positions are backed up and in the order of plies. False if it was stopped before.
///
/// # Errors
/// If a player cannot judge, or a file is damaged or cannot be written.
pub(crate) fn challenge<G: Playable>(
    folder: &BookFolder,
    panel: &Panel<G>,
    positions: &mut [BookPosition],
    watch: BookWatch<'_>,
) -> Result<bool, BookError> {
    if folder.config().challengers.is_empty() {
        return Ok(true);
    }
    let (done, of) = (AtomicUsize::new(0), positions.len());
    let parts: Vec<(usize, &mut [BookPosition])> = positions.chunks_mut(POSITIONS_A_FILE).enumerate().collect();
    let finished = parts.into_par_iter().map_init(
        || panel.bench(watch.stop),
        |bench, (number, positions)| {
            let name = format!("challenges/{number:05}.jsonl");
            let found = match folder.lines::<Challenged>(&name)? {
                Some(stored) => stored,
                None => {
                    let mut found = Vec::new();
                    for position in &*positions {
                        found.push(answers(folder, bench, position)?);
                        // A search that was cut short is worth nothing.
                        if watch.stop.load(Ordering::Relaxed) {
                            return Ok(false);
                        }
                    }
                    folder.store_lines(&name, &found)?;
                    found
                }
            };
            if !take(positions, found) {
                let reason = "it has other moves than this book; remove it, to have them challenged again";
                return Err(damaged(folder.path().join(name), &reason));
            }
            let done = positions.len() + done.fetch_add(positions.len(), Ordering::Relaxed);
            watch.tell(BookStage::Challenges, done, of);
            Ok(true)
        },
    );
    let finished: Vec<bool> = finished.collect::<Result<_, BookError>>()?;
    Ok(finished.into_iter().all(|finished| finished))
}

/// Puts what was found to its moves; false if it is of other moves.
fn take(positions: &mut [BookPosition], found: Vec<Challenged>) -> bool {
    let same = positions.len() == found.len()
        && positions.iter().zip(&found).all(|(position, found)| {
            let actions = found.moves.iter().map(|(action, _)| action);
            position.line == found.line && challenged(position).map(|step| &step.action).eq(actions)
        });
    if same {
        for (position, found) in positions.iter_mut().zip(found) {
            for (action, challenge) in found.moves {
                let step = position.moves.iter_mut().find(|step| step.action == action);
                if let Some(step) = step {
                    step.challenge = Some(challenge);
                }
            }
        }
    }
    same
}

/// What the challengers find against the best moves of a position.
fn answers<G: Playable>(
    folder: &BookFolder,
    bench: &mut Bench<G>,
    position: &BookPosition,
) -> Result<Challenged, BookError> {
    let config = folder.config();
    let (_, rules) = conventions::<G>(config.game);
    let Some(game) = played_line::<G>(&rules, &position.line) else {
        return Err(damaged(folder.path(), &"a line of it is not legal"));
    };
    let steps: Vec<&BookMove> = challenged(position).collect();
    let actions: Vec<G::Action> = steps
        .iter()
        .filter_map(|step| game.parse_action(&step.action).ok())
        .collect();
    let mut found = vec![Vec::new(); actions.len()];
    for (challenger, player) in bench.challengers.iter_mut().zip(&config.challengers) {
        let judged = judgements(challenger.as_mut(), &player.to_string(), &game, &actions)?;
        for ((answers, judgement), &action) in found.iter_mut().zip(judged).zip(&actions) {
            let mut after = game.clone();
            after.apply(action);
            answers.push(Answer {
                score: judgement.score,
                reply: judgement.reply.map(|reply| after.action_text(reply)),
                text: judgement.reply.map(|reply| after.people_text(reply)),
            });
        }
    }
    let mut moves = Vec::with_capacity(actions.len());
    for ((step, answers), &action) in steps.iter().zip(found).zip(&actions) {
        let threat = match config.judges.first().zip(bench.judges.first_mut()) {
            Some((player, judge)) => threat(judge.as_mut(), &player.to_string(), &game, action)?,
            None => None,
        };
        moves.push((step.action.clone(), Challenge { answers, threat }));
    }
    let line = position.line.clone();
    Ok(Challenged { line, moves })
}

/// What the player of an action would do next if the opponent passed.
fn threat<G: Playable>(
    judge: &mut dyn Agent<G>,
    name: &str,
    game: &G,
    action: G::Action,
) -> Result<Option<Threat>, BookError> {
    let mut after = game.clone();
    after.apply(action);
    if after.outcome().is_some() || after.to_move() == game.to_move() {
        return Ok(None);
    }
    let Some(passed) = after.passed().filter(|passed| passed.outcome().is_none()) else {
        return Ok(None);
    };
    // The judge sees the position with the same player to move, so its choice and its expectation are that player's.
    let judgement = choice(judge, name, &passed)?;
    Ok(judgement.map(|(action, score)| Threat {
        action: passed.action_text(action),
        text: passed.people_text(action),
        score,
    }))
}
