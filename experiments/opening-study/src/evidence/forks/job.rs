//! Files of forks, as a kind of work that other machines can do.

use std::sync::atomic::Ordering;

use chase_cluster::{Job, Task};
use chase_training::store::files;
use serde::{Deserialize, Serialize};

use super::fork::{Fork, Playout};
use super::gather::{ForkPlan, holds};
use super::turn::ForkTurn;
use crate::evidence::workers::Terms;

/// A file of forks of one player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ForksFile {
    /// Index of the player.
    pub player: usize,
    /// The turns that become forks.
    pub turns: Vec<ForkTurn>,
}

impl Job for ForksFile {
    const KIND: &'static str = "study-forks";
    type Terms = Terms;
    type Output = Vec<Fork>;

    fn run(&self, terms: &Terms, task: &Task<'_>) -> Result<Option<Vec<u8>>, String> {
        let (mut design, place) = (terms.design.clone(), self.player);
        let (player, _folder) = terms.player(place, task)?;
        design.players[place].player = player;
        let plan = ForkPlan {
            design: &design,
            config: &terms.forks,
            device: task.device(),
        };
        let ready = plan.ready(place).map_err(|error| error.to_string())?;
        let ready = ready.ok_or("it has forks of a player without a network")?;
        let mut agent = ready.contestant.agent();
        let forks = match plan.play_turns(&self.turns, &ready, agent.as_mut(), task.give_up()) {
            Ok(forks) => forks,
            Err(error) if error.is_stop() => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        let games = forks.iter().flat_map(|fork| &fork.playouts).flat_map(Playout::games);
        let plies = games.map(|game| u64::from(game.plies - game.opening_plies)).sum();
        task.counters().plies.fetch_add(plies, Ordering::Relaxed);
        Ok(Some(files::lines(&forks).into_bytes()))
    }

    fn check(&self, terms: &Terms, content: Vec<u8>) -> Result<Vec<Fork>, String> {
        let forks: Vec<Fork> = files::parse_lines(&content)?;
        holds(&self.turns, &forks, &terms.design.rules())?;
        Ok(forks)
    }
}
