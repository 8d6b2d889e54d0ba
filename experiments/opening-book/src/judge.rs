//! What an agent says of actions.

use chase_arena::{Agent, Decision};
use chase_engine::{Game, Outcome};
use chase_statistics::generator;

use crate::error::BookError;

/// An agent's answer to an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Judgement<A> {
    /// The expected score of the player of the action, from 0 to 1; exact where the game is over, `None` where it ends without a result.
    pub score: Option<f64>,
    /// The next action: the agent's choice, or the only legal one; `None` where the game is over.
    pub reply: Option<A>,
}

/// What an agent says of each of some actions, by a search of the position after it. Plies without a choice are played first.
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
    let mut open = Vec::new();
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
        let score = match outcome {
            Some(Outcome::Win(winner)) => Some(f64::from(u8::from(winner == player))),
            Some(Outcome::Draw) => Some(0.5),
            Some(Outcome::Truncated) => None,
            None => {
                open.push((index, next));
                None
            }
        };
        judgements.push(Judgement { score, reply });
    }
    // Judgements are free of chance, but a choice has a generator.
    let mut rngs: Vec<_> = open.iter().map(|_| generator(0, &[])).collect();
    let mut decisions: Vec<_> = open
        .iter()
        .zip(&mut rngs)
        .map(|((_, game), rng)| Decision::without_past(game, rng))
        .collect();
    let failed = |failure| BookError::Judge {
        player: name.to_owned(),
        failure,
    };
    let choices = agent.judge_batch(&mut decisions).map_err(failed)?;
    for ((index, game), choice) in open.iter().zip(choices) {
        let expects = choice.expects.ok_or_else(|| BookError::Silent {
            player: name.to_owned(),
        })?;
        let score = expects.score();
        let own = if game.to_move() == player { score } else { 1.0 - score };
        let judgement = &mut judgements[*index];
        // Six digits are more than a search knows.
        judgement.score = Some((own * 1e6).round() / 1e6);
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

/// An agent's choice in a position, and the score that it expects for the player to move; `None` if there is nothing to search.
pub(crate) fn choice<G: Game>(
    agent: &mut dyn Agent<G>,
    name: &str,
    game: &G,
) -> Result<Option<(G::Action, f64)>, BookError> {
    let mut rng = generator(0, &[]);
    let mut decisions = [Decision::without_past(game, &mut rng)];
    let choices = agent.judge_batch(&mut decisions).map_err(|failure| BookError::Judge {
        player: name.to_owned(),
        failure,
    })?;
    let choice = choices.into_iter().next();
    Ok(choice.and_then(|choice| Some((choice.action, (choice.expects?.score() * 1e6).round() / 1e6))))
}
