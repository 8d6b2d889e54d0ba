//! The two programs, as far as players can tell them apart: only one has residual networks.

use std::process::ExitCode;

use chase_arena::{Contestant, NoNetworks, PlayerSpec, Usage};
use chase_engine::{GameName, Playable};
use chase_models::device::{self, Device};

use crate::become_whole;

/// A program that makes players ready.
pub trait Program {
    /// True if this program can make these players ready on this device. The other one has residual networks, and finds
    /// devices other than the processor.
    fn suffices(players: &[&PlayerSpec], device: &str) -> bool;

    /// A player of a game, who computes on the device of this name.
    ///
    /// # Errors
    /// If the player cannot be used.
    fn ready<G: Playable>(
        player: &PlayerSpec,
        game: GameName,
        device: &str,
        usage: Usage,
    ) -> anyhow::Result<Contestant<G>>;

    /// Runs a command that only the program with residual networks has.
    ///
    /// # Errors
    /// As the command, or if this program cannot become the other one.
    fn with_networks(command: impl FnOnce() -> anyhow::Result<ExitCode>) -> anyhow::Result<ExitCode>;
}

/// The program that is linked with libtorch.
pub enum Whole {}

impl Program for Whole {
    fn suffices(_: &[&PlayerSpec], _: &str) -> bool {
        true
    }

    fn ready<G: Playable>(
        player: &PlayerSpec,
        game: GameName,
        device: &str,
        usage: Usage,
    ) -> anyhow::Result<Contestant<G>> {
        Ok(player.ready(game.name(), device::parse(device)?, usage)?)
    }

    fn with_networks(command: impl FnOnce() -> anyhow::Result<ExitCode>) -> anyhow::Result<ExitCode> {
        command()
    }
}

/// The program that is not.
pub enum Light {}

impl Program for Light {
    fn suffices(players: &[&PlayerSpec], device: &str) -> bool {
        device == "cpu" && players.iter().all(|player| player.residual().is_none())
    }

    fn ready<G: Playable>(player: &PlayerSpec, game: GameName, _: &str, usage: Usage) -> anyhow::Result<Contestant<G>> {
        Ok(player.ready_with(game.name(), Device::Cpu, usage, &NoNetworks)?)
    }

    fn with_networks(_: impl FnOnce() -> anyhow::Result<ExitCode>) -> anyhow::Result<ExitCode> {
        Err(become_whole())
    }
}
