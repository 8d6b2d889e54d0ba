//! Attempts to break the best moves of a book.

use std::sync::atomic::AtomicUsize;

use chase_arena::Agent;
use chase_engine::Playable;
use serde::{Deserialize, Serialize};

use crate::challenge::{Answer, Challenge, Threat};
use crate::conventions::conventions;
use crate::error::{BookError, damaged};
use crate::folder::{BookFolder, CHALLENGES};
use crate::judge::{ask, digits, judgements};
use crate::panel::{Bench, Panel};
use crate::part_files::Parts;
use crate::played::played_line;
use crate::position::{BookMove, BookPosition};
use crate::progress::{BookStage, BookWatch};

/// The challenged moves of a position, as stored.
#[derive(Serialize, Deserialize)]
struct Challenged {
    line: Vec<String>,
    /// Exact forms of the actions, each with what was found.
    moves: Vec<(String, Challenge)>,
}

/// The moves that are challenged: the best one, and the one that would take its place. At the beginning of the game it is
/// all.
fn challenged(position: &BookPosition) -> impl Iterator<Item = &BookMove> {
    let pair = position.best_two();
    let all = position.line.is_empty();
    position.moves.iter().filter(move |step| {
        let chosen = pair.iter().flatten().any(|chosen| std::ptr::eq(*chosen, *step));
        step.backed.is_some() && (all || chosen)
    })
}

/// Lets the challengers search the positions after the best moves, on all threads of the current pool. The positions
/// are backed up. False if it was stopped before.
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
    let parts = Parts {
        folder,
        panel,
        watch,
        stage: BookStage::Challenges,
        file: &format!("{CHALLENGES}/"),
        things: positions,
        fits: &|position, found: &Challenged| {
            let actions = found.moves.iter().map(|(action, _)| action);
            position.line == found.line && challenged(position).map(|step| &step.action).eq(actions)
        },
        work: &|bench, position| answers(folder, bench, position),
        done: AtomicUsize::new(0),
    };
    let Some(found) = parts.results()? else {
        return Ok(false);
    };
    for (position, found) in positions.iter_mut().zip(found) {
        for (action, challenge) in found.moves {
            let step = position.moves.iter_mut().find(|step| step.action == action);
            if let Some(step) = step {
                step.challenge = Some(challenge);
            }
        }
    }
    Ok(true)
}

/// The challengers' replies to the best moves of a position.
fn answers<G: Playable>(
    folder: &BookFolder,
    bench: &mut Bench<G>,
    position: &BookPosition,
) -> Result<Challenged, BookError> {
    let config = folder.config();
    let (_, rules) = conventions::<G>(config.game);
    let Some(game) = played_line::<G>(&rules, &position.line) else {
        return Err(damaged(folder.path(), &"it has a line that is not legal"));
    };
    let steps: Vec<&BookMove> = challenged(position).collect();
    let actions = steps.iter().map(|step| game.parse_action(&step.action));
    let actions: Result<Vec<G::Action>, _> = actions.collect();
    let actions = actions.map_err(|error| damaged(folder.path(), &error))?;
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
    let threats = match config.judges.first().zip(bench.judges.first_mut()) {
        Some((player, judge)) => threats(judge.as_mut(), &player.to_string(), &game, &actions)?,
        None => vec![None; actions.len()],
    };
    let found = found.into_iter().zip(threats);
    let moves = steps.iter().zip(found).map(|(step, (answers, threat))| {
        let challenge = Challenge { answers, threat };
        (step.action.clone(), challenge)
    });
    let line = position.line.clone();
    let moves = moves.collect();
    Ok(Challenged { line, moves })
}

/// The next action of the player of each action if the opponent passed.
fn threats<G: Playable>(
    judge: &mut dyn Agent<G>,
    name: &str,
    game: &G,
    actions: &[G::Action],
) -> Result<Vec<Option<Threat>>, BookError> {
    let mut threats = vec![None; actions.len()];
    let passed = |&action: &G::Action| {
        let mut after = game.clone();
        after.apply(action);
        let passes = after.outcome().is_none() && after.to_move() != game.to_move();
        after.passed().filter(|passed| passes && passed.outcome().is_none())
    };
    let (places, games): (Vec<usize>, Vec<G>) = actions
        .iter()
        .enumerate()
        .filter_map(|(place, action)| Some((place, passed(action)?)))
        .unzip();
    let choices = ask(judge, name, &games)?;
    for ((place, passed), choice) in places.into_iter().zip(&games).zip(choices) {
        // Whoever made the move is to move again, so this is that player's expectation. Nothing is expected of an only
        // action.
        threats[place] = choice.expects.map(|expects| Threat {
            action: passed.action_text(choice.action),
            text: passed.people_text(choice.action),
            score: digits(expects.score()),
        });
    }
    Ok(threats)
}
