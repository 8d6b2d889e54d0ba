//! Forks that the workers of a cluster play.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use chase_engine::chase::Action;
use chase_training::files;

use super::file::{ForksFile, PURPOSE};
use super::fork::{Choice, Fork, Sides};
use super::gather::{ForkPlan, Part, Ready, dice};
use super::kind::Way;
use crate::evidence::search::Continuation;

impl ForksFile {
    /// Decides and plays the forks. The content of the file, and the number of plies; `None` if it was stopped.
    ///
    /// # Errors
    /// The reason that they cannot be played.
    pub fn play(
        &self,
        plan: &ForkPlan<'_>,
        ready: &Ready,
        stop: &AtomicBool,
    ) -> Result<Option<(Vec<u8>, u64)>, String> {
        let part = Part {
            path: PathBuf::from(PURPOSE),
            turns: self.turns.clone(),
        };
        let mut agent = ready.contestant.agent();
        let forks = match plan.play_turns(&part, ready, agent.as_mut(), stop) {
            Ok(forks) => forks,
            Err(error) if error.is_stop() => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        let playouts = forks.iter().flat_map(|fork| &fork.playouts);
        let plies = playouts
            .flat_map(|playout| playout.games())
            .map(|game| u64::from(game.plies - game.opening_plies))
            .sum();
        let content = files::lines(&forks).into_bytes();
        Ok(Some((content, plies)))
    }
}

impl ForkPlan<'_> {
    /// The forks of a file, from its content, which comes from another machine.
    ///
    /// # Errors
    /// The reason that they cannot be those that were asked for.
    pub(super) fn parse(&self, part: &Part, plies_with_chance: u32, content: &[u8]) -> Result<Vec<Fork>, String> {
        let forks: Vec<Fork> = files::parse_lines(content)?;
        if !forks.iter().map(|fork| &fork.turn).eq(&part.turns) {
            return Err("it has other forks than were asked for".into());
        }
        for fork in &forks {
            let fault = |reason: String| format!("fork of game {}: {reason}", fork.turn.game);
            self.check(fork, plies_with_chance).map_err(fault)?;
        }
        Ok(forks)
    }

    fn check(&self, fork: &Fork, plies_with_chance: u32) -> Result<(), String> {
        let (turn, rules) = (&fork.turn, self.design.rules());
        let line = turn.actions().ok_or("its turn has no line of actions")?;
        let sides = Sides::of(turn.kind, &line, &rules, self.design.seed, turn.game).ok_or("there is no such fork")?;
        let ways = chosen(fork, &sides)?;
        let playouts = self.playouts(turn, plies_with_chance) as usize;
        if fork.playouts.len() != playouts {
            return Err(format!("it has {} playouts, expected {playouts}", fork.playouts.len()));
        }
        for (number, playout) in fork.playouts.iter().enumerate() {
            if playout.games().count() != ways.len() {
                return Err(format!(
                    "playout {} has another number of games than choices",
                    number + 1
                ));
            }
            for (game, &way) in playout.games().zip(&ways) {
                let beginning = self.beginning(turn, &line, way, number as u32);
                beginning
                    .check(game, self.design.config.max_plies)
                    .map_err(|reason| format!("playout {}: {reason}", number + 1))?;
            }
        }
        Ok(())
    }
}

/// The actions of a fork's choices, each of which must be one of its side.
fn chosen(fork: &Fork, sides: &Sides) -> Result<Vec<Action>, String> {
    let position = sides.branch.game.position();
    let of_side = |choice: &Choice, is_of_side: &dyn Fn(usize) -> bool| {
        let side = (0..sides.ways.len()).filter(|&index| is_of_side(index));
        let side: Vec<&Continuation> = side.map(|index| &sides.branch.continuations[index]).collect();
        let chosen = side
            .iter()
            .find(|continuation| continuation.actions[0].to_string() == choice.action);
        let chosen = chosen.ok_or_else(|| format!("{} is not one of its side", choice.action))?;
        let is_score = choice.score.is_none_or(|score| (0.0..=1.0).contains(&score));
        if !is_score || choice.among as usize != side.len() || choice.text != position.article_text(chosen.actions[0]) {
            return Err(format!("what it says of {} cannot be", choice.action));
        }
        Ok(*chosen)
    };
    let action = of_side(&fork.action, &|index| sides.ways[index] == Some(Way::Action))?;
    let rival = of_side(&fork.rival, &|index| sides.ways[index] == Some(Way::Rival))?;
    let control = match &fork.control {
        Some(choice) => Some(of_side(choice, &|index| sides.controls.contains(&index))?),
        None => None,
    };
    let is_right = fork.position == position.to_string()
        && fork.dice == dice(position)
        && fork.control.is_some() != sides.controls.is_empty()
        && fork.went == sides.went([action, rival]);
    if !is_right {
        return Err("its position, dice, control or way is not that of its turn".into());
    }
    let chosen = [Some(action), Some(rival), control].into_iter().flatten();
    Ok(chosen.map(|continuation| continuation.actions[0]).collect())
}
