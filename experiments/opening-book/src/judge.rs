//! Judgements of actions by an agent.

use chase_arena::{Agent, Choice, Decision};
use chase_engine::{Game, Outcome, Player};
use chase_statistics::{WinDrawLoss, generator};

use crate::error::BookError;

/// An agent's answer to an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Judgement<A> {
    /// The expected score of the player of the action, from 0 to 1; exact where the game is over, `None` where it ends
    /// without a result.
    pub score: Option<f64>,
    /// The next action: the agent's choice, or the only legal one; `None` where the game is over.
    pub reply: Option<A>,
}

/// An agent's judgement of each of some actions, by a search of the position after it. Plies without a choice are played
/// first.
///
/// # Errors
/// If the agent fails, or says of a position that it has searched nothing of its expectation.
pub(crate) fn judgements<G: Game>(
    agent: &mut dyn Agent<G>,
    name: &str,
    game: &G,
    actions: &[G::Action],
) -> Result<Vec<Judgement<G::Action>>, BookError> {
    let player = game.to_move();
    let mut legal = Vec::new();
    let mut judgements = Vec::with_capacity(actions.len());
    let (mut open, mut places) = (Vec::new(), Vec::new());
    for (index, &action) in actions.iter().enumerate() {
        let mut next = game.clone();
        next.apply(action);
        let mut reply = None;
        let outcome = loop {
            if let Some(outcome) = next.outcome() {
                break Some(outcome);
            }
            next.legal_actions(&mut legal);
            match legal[..] {
                [only] => {
                    reply = reply.or(Some(only));
                    next.apply(only);
                }
                _ => break None,
            }
        };
        if outcome.is_none() {
            open.push(next);
            places.push(index);
        }
        let score = outcome.and_then(|outcome| score(outcome, player));
        judgements.push(Judgement { score, reply });
    }
    let choices = ask(agent, name, &open)?;
    for ((place, game), choice) in places.into_iter().zip(&open).zip(choices) {
        let expects = choice.expects.ok_or_else(|| BookError::Silent {
            player: name.to_owned(),
        })?;
        let score = expects.score();
        let own = if game.to_move() == player { score } else { 1.0 - score };
        let judgement = &mut judgements[place];
        judgement.score = Some(digits(own));
        judgement.reply = judgement.reply.or(Some(choice.action));
    }
    Ok(judgements)
}

/// The scores of [`judgements`].
pub(crate) fn scores<G: Game>(
    agent: &mut dyn Agent<G>,
    name: &str,
    game: &G,
    actions: &[G::Action],
) -> Result<Vec<Option<f64>>, BookError> {
    let judgements = judgements(agent, name, game, actions)?;
    Ok(judgements.into_iter().map(|judgement| judgement.score).collect())
}

/// An agent's choice in each of some games.
///
/// # Errors
/// If the agent fails.
pub(crate) fn ask<G: Game>(
    agent: &mut dyn Agent<G>,
    name: &str,
    games: &[G],
) -> Result<Vec<Choice<G::Action>>, BookError> {
    // Judgements are free of chance, but a choice has a generator.
    let mut rngs: Vec<_> = games.iter().map(|_| generator(0, &[])).collect();
    let mut decisions: Vec<_> = games
        .iter()
        .zip(&mut rngs)
        .map(|(game, rng)| Decision::without_past(game, rng))
        .collect();
    agent.choose_batch(&mut decisions).map_err(|failure| BookError::Judge {
        player: name.to_owned(),
        failure,
    })
}

/// The score of a player by the end of a game; `None` if it has no result.
fn score(outcome: Outcome, player: Player) -> Option<f64> {
    let mut game = WinDrawLoss::default();
    game.add(outcome, player);
    game.score()
}

/// A score by a search with six digits, which are more than it knows.
pub(crate) fn digits(score: f64) -> f64 {
    (score * 1e6).round() / 1e6
}
