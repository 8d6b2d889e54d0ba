//! Attempts to break the best moves of a book.

use std::sync::atomic::{AtomicUsize, Ordering};

use chase_arena::{Agent, Playable};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::conventions::conventions;
use crate::error::{BookError, damaged};
use crate::folder::BookFolder;
use crate::judge::{choice, judgements};
use crate::panel::{Bench, Panel};
use crate::played::played_line;
use crate::position::{BookMove, BookPosition};
use crate::watch::{BookStage, BookWatch};

/// What challengers found against a move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Challenge {
    /// The answer of each challenger, in their order.
    pub answers: Vec<Answer>,
    /// What the move threatens; `None` if the game is over, or knows no pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threat: Option<Threat>,
}

/// A challenger's answer to a move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The score of the move's player after it, from 0 to 1; `None` if the game ends without a result.
    pub score: Option<f64>,
    /// The reply in exact form; `None` if the game is over.
    pub reply: Option<String>,
    /// The reply in the notation for people.
    pub text: Option<String>,
}

/// What the first judge would play next if the opponent passed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Threat {
    /// The action in exact form.
    pub action: String,
    /// The action in the notation for people.
    pub text: String,
    /// The score of its player if the opponent passed.
    pub score: f64,
}

impl Challenge {
    /// The number of the challenger whose answer is worst for the move's player, and that score.
    pub fn worst(&self) -> Option<(usize, f64)> {
        let scores = self.answers.iter().enumerate();
        scores
            .filter_map(|(number, answer)| Some((number, answer.score?)))
            .min_by(|one, other| one.1.total_cmp(&other.1))
    }
}

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

/// Computes [`BookMove::held`] of the challenged moves. The positions are in the order of plies.
pub(crate) fn hold(positions: &mut [BookPosition]) {
    for place in (0..positions.len()).rev() {
        for choice in 0..positions[place].moves.len() {
            positions[place].moves[choice].held = held(positions, place, choice);
        }
    }
}

fn held(positions: &[BookPosition], place: usize, choice: usize) -> Option<f64> {
    let position = &positions[place];
    let step = &position.moves[choice];
    let challenge = step.challenge.as_ref()?;
    let own = |place: usize| positions[place].moves.first().and_then(|best| best.held);
    let Some(after) = step.to.map(|to| &positions[to]) else {
        return challenge.worst().map(|(_, score)| score);
    };
    if after.player == position.player {
        return step
            .to
            .and_then(own)
            .or_else(|| challenge.worst().map(|(_, score)| score));
    }
    // Where the book goes on after a reply, its own moves answer, and what is left of them counts.
    let followed = |reply: &BookMove| {
        let to = reply.to.filter(|&to| positions[to].player == position.player)?;
        own(to)
    };
    let known = after.moves.iter().filter_map(followed);
    let new = challenge.answers.iter().filter(|answer| {
        let reply = after
            .moves
            .iter()
            .find(|reply| Some(&reply.action) == answer.reply.as_ref());
        reply.and_then(followed).is_none()
    });
    known
        .chain(new.filter_map(|answer| answer.score))
        .min_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::range::Range;

    fn step(action: &str, to: Option<usize>, answers: &[(f64, &str)]) -> BookMove {
        let answer = |&(score, reply): &(f64, &str)| Answer {
            score: Some(score),
            reply: Some(reply.into()),
            text: Some(reply.into()),
        };
        let challenge = Challenge {
            answers: answers.iter().map(answer).collect(),
            threat: None,
        };
        BookMove {
            action: action.into(),
            text: action.into(),
            scout: Some(0.5),
            judges: vec![0.5],
            followed: to.is_some(),
            to,
            backed: Range::of(&[0.5]),
            challenge: Some(challenge).filter(|challenge| !challenge.answers.is_empty()),
            held: None,
        }
    }

    fn position(ply: u32, player: &str, moves: Vec<BookMove>) -> BookPosition {
        BookPosition {
            ply,
            line: Vec::new(),
            position: String::new(),
            player: player.into(),
            moves,
            backed: None,
        }
    }

    /// White's first move `a` keeps what is left after the worst of: the reply `x`, which the book follows and answers by `e`, and the
    /// reply `z`, which only a challenger found. The challenger's low score of `x` does not count: the book goes on there.
    #[test]
    fn a_move_keeps_what_the_best_known_reply_leaves() {
        let mut positions = vec![
            position(
                0,
                "white",
                vec![
                    step("a", Some(1), &[(0.2, "x"), (0.45, "z")]),
                    step("b", None, &[(0.4, "x"), (0.6, "y")]),
                ],
            ),
            position(
                1,
                "black",
                vec![step("x", Some(2), &[(0.5, "e")]), step("y", None, &[])],
            ),
            position(2, "white", vec![step("e", None, &[(0.48, "q"), (0.55, "r")])]),
        ];
        hold(&mut positions);
        let held = |place: usize, choice: usize| positions[place].moves[choice].held;
        assert_eq!(
            [held(0, 0), held(0, 1), held(2, 0), held(1, 1)],
            [Some(0.45), Some(0.4), Some(0.48), None]
        );
        assert!((positions[0].broken_by().unwrap() + 0.05).abs() < 1e-12);
        // Without the new reply only the book's line is left.
        positions[0].moves[0] = step("a", Some(1), &[(0.2, "x")]);
        hold(&mut positions);
        assert_eq!(positions[0].moves[0].held, Some(0.48));
    }
}
