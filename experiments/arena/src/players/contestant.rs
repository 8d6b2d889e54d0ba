//! Players ready to play: with their networks loaded and their programs started.

use std::fmt::Display;
use std::path::Path;

use anyhow::{anyhow, ensure};
use chase_engine::{Game, GameName, Heuristic, Playable};
use chase_models::Manifest;
use chase_models::device::Device;
use chase_training::kinds::NetworkKind;
use chase_training::training_loop::checkpoint_folder;

use super::agent::{Agent, Contestant};
use super::baselines::Blunder;
use super::evaluators::Networks;
use super::networks::residual::FromDisk;
use super::spec::PlayerSpec;
use chase_engine::baselines::{Greedy, Random};

/// Error returned when a player is unusable.
#[derive(Debug, thiserror::Error)]
#[error("player `{player}`: {fault}")]
pub struct PlayerError {
    /// The player.
    pub player: String,
    /// The fault.
    pub fault: anyhow::Error,
}

/// What agents are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// Matches: batches go across games, unless a decision is limited by time.
    Match,
    /// One game at a time, in which what is known of one position may serve the next: a UGI engine.
    Game,
    /// One position at a time, each as if it were the first.
    Analysis,
}

/// Where a player plays.
pub(crate) struct Place<'a, G: Game> {
    /// The game's name.
    pub game: &'a str,
    pub device: Device,
    pub usage: Usage,
    pub networks: &'a dyn Networks<G>,
}

impl PlayerSpec {
    /// The player as a contestant, named by its text form, with its network on this device, for the only game of type
    /// `G`.
    ///
    /// # Errors
    /// If its network cannot be loaded or used, its program does not answer, or it does not support this game.
    pub fn contestant<G: Playable>(&self, device: Device) -> Result<Contestant<G>, PlayerError> {
        self.contestant_for(G::NAME, device)
    }

    /// As [`PlayerSpec::contestant`], for the game of type `G` with this [name](Game::name).
    ///
    /// # Errors
    /// Also if its network is for another game.
    pub fn contestant_for<G: Playable>(&self, game: &str, device: Device) -> Result<Contestant<G>, PlayerError> {
        self.ready(game, device, Usage::Match)
    }

    /// As [`PlayerSpec::contestant_for`], for any usage.
    ///
    /// # Errors
    /// As there.
    pub fn ready<G: Playable>(&self, game: &str, device: Device, usage: Usage) -> Result<Contestant<G>, PlayerError> {
        self.ready_with(game, device, usage, &FromDisk { game, device })
    }

    /// As [`PlayerSpec::ready`], with residual networks from elsewhere than the disk.
    ///
    /// # Errors
    /// As there.
    pub fn ready_with<G: Playable>(
        &self,
        game: &str,
        device: Device,
        usage: Usage,
        networks: &dyn Networks<G>,
    ) -> Result<Contestant<G>, PlayerError> {
        let place = Place {
            game,
            device,
            usage,
            networks,
        };
        let name = self.to_string();
        let contestant: anyhow::Result<Contestant<G>> = match self {
            Self::Random => Ok(Contestant::new(name, || Box::new(Random::new()))),
            Self::Greedy(blunders) => need_heuristic::<G>().map(|()| {
                let blunders = *blunders;
                Contestant::new(name, move || with_blunders(Box::new(Greedy::new()), blunders))
            }),
            Self::Search(spec) => spec.search.agents(spec, &place).map(|make| {
                let blunders = spec.blunders;
                Contestant::new(name, move || with_blunders(make(), blunders))
            }),
            Self::Engine(program) => program.contestant(game, &name).map_err(anyhow::Error::from),
        };
        contestant.map_err(|fault| self.unusable(fault))
    }

    /// The same player, for whom a run is replaced by its newest checkpoint, since the run may continue.
    ///
    /// # Errors
    /// If the run is damaged.
    pub fn settled(&self) -> Result<Self, PlayerError> {
        let mut settled = self.clone();
        if let Some(network) = settled.network_mut() {
            network.path = network.checkpoint().map_err(|fault| self.unusable(fault))?;
        }
        Ok(settled)
    }

    /// The manifest of its checkpoint; `None` for a player without a residual network.
    ///
    /// # Errors
    /// If there is no such checkpoint.
    pub fn manifest(&self) -> Result<Option<Manifest>, PlayerError> {
        let Some(path) = self.residual() else { return Ok(None) };
        let manifest = checkpoint_folder(path, NetworkKind::Residual).map_err(anyhow::Error::from);
        let manifest = manifest.and_then(|folder| Ok(Manifest::read(&folder)?));
        manifest.map(Some).map_err(|fault| self.unusable(fault))
    }

    /// The game that its network plays; `None` for a player without a network, or if it cannot be read.
    pub fn game(&self) -> Option<GameName> {
        self.network()?.facts().ok()?.game
    }

    /// SHA-256 of the weights of its network, in hexadecimal digits; `None` for a player without a network.
    ///
    /// # Errors
    /// If there is no such network.
    pub fn weights_sha256(&self) -> Result<Option<String>, PlayerError> {
        let Some(network) = self.network() else { return Ok(None) };
        Ok(network.facts().map_err(|fault| self.unusable(fault))?.weights)
    }

    /// Checks that this player still has the network with the weights with which it played.
    ///
    /// # Errors
    /// If it has another one, or none.
    pub fn expect_weights(&self, sha256: Option<&str>) -> Result<(), PlayerError> {
        match self.weights_sha256() {
            Ok(found) if found.as_deref() == sha256 => Ok(()),
            Ok(_) => Err(self.lost(self, None)),
            Err(error) => Err(self.lost(self, Some(error.fault.to_string()))),
        }
    }

    /// The error that a player's network is lost. `self` is the player as it began, `player` its name or text. Without a
    /// `fault` the network was found, but is another one.
    pub(crate) fn lost(&self, player: impl Display, fault: Option<String>) -> PlayerError {
        let path = self.path().unwrap_or_else(|| Path::new("none")).display();
        let fault = fault.unwrap_or_else(|| format!("{path} is not the network that the games were begun with"));
        PlayerError {
            player: player.to_string(),
            fault: anyhow!("{fault}; put the network of the beginning back, or begin again in another folder"),
        }
    }

    /// The error that this fault makes the player unusable.
    pub fn unusable(&self, fault: anyhow::Error) -> PlayerError {
        PlayerError {
            player: self.to_string(),
            fault,
        }
    }
}

/// Checks that the game has a heuristic, which a player needs.
pub(super) fn need_heuristic<G: Heuristic>() -> anyhow::Result<()> {
    ensure!(
        G::HAS_HEURISTIC,
        "there is no heuristic for {}: expected random, rollouts or a network",
        G::NAME
    );
    Ok(())
}

fn with_blunders<G: Playable>(agent: Box<dyn Agent<G>>, probability: f64) -> Box<dyn Agent<G>> {
    match probability > 0.0 {
        true => Box::new(Blunder::new(agent, probability)),
        false => agent,
    }
}
