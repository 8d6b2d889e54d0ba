//! Files of evidence that the workers of a cluster make.
//!
//! A study consists of files: games, forks and searches, each made whole from what its job names. Workers can make
//! those that are missing; each kind of file is checked by the module that it belongs to. Later steps read them as if they
//! had been made here.

use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use chase_arena::remote::{received, sent};
use chase_arena::{PlayerError, PlayerSpec};
use chase_cluster::cluster::{Order, Part};
use chase_cluster::job::{Files, Folder};
use chase_cluster::{Cluster, Job, Task};
use chase_models::device::Device;
use serde::{Deserialize, Serialize};

use super::error::EvidenceError;
use super::forks::ForksConfig;
use super::games::Design;

/// The terms that all files of a study have in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Terms {
    /// The design of the games. The paths of its networks have no meaning.
    pub design: Design,
    /// The settings of forks.
    pub forks: ForksConfig,
    /// The agents that search, in the same form; as players they are numbered after those of the design.
    pub searchers: Vec<PlayerSpec>,
}

impl Terms {
    /// A player, and the folder of its network, on the machine of a worker.
    pub(crate) fn player(&self, number: usize, task: &Task<'_>) -> Result<(PlayerSpec, Folder), String> {
        let players = self.design.players.iter().map(|player| &player.player);
        let player = players.chain(&self.searchers).nth(number);
        received(player.ok_or("the study has no such player")?, number, task)
    }
}

/// The workers of a cluster, as a place where files of a study are made.
pub struct Elsewhere<'a> {
    cluster: &'a Cluster,
    directory: &'a Path,
    device: Device,
    terms: Terms,
    files: Files,
    /// Set to stop.
    pub stop: &'a AtomicBool,
    /// Receives warnings.
    pub warn: &'a (dyn Fn(&str) + Sync),
}

impl fmt::Debug for Elsewhere<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elsewhere")
            .field("directory", &self.directory)
            .finish_non_exhaustive()
    }
}

impl<'a> Elsewhere<'a> {
    /// The workers of a cluster for the study in a directory, which compute as on this machine's `device`.
    ///
    /// # Errors
    /// If a player cannot play on other machines.
    pub fn new(
        cluster: &'a Cluster,
        directory: &'a Path,
        device: Device,
        mut terms: Terms,
        stop: &'a AtomicBool,
        warn: &'a (dyn Fn(&str) + Sync),
    ) -> Result<Self, PlayerError> {
        let mut files = Files::new();
        let players = terms.design.players.iter_mut().map(|player| &mut player.player);
        for (number, player) in players.chain(&mut terms.searchers).enumerate() {
            *player = sent(player, number, cluster.options().mixed, &mut files)?;
        }
        Ok(Self {
            cluster,
            directory,
            device,
            terms,
            files,
            stop,
            warn,
        })
    }
}

/// Has the workers make files, if there are any workers, and gives the content of each to `receive`, with its number.
/// `describe` says of a unit what its job is, its name for people, and its number of games. Ends early if the study is
/// stopped.
///
/// # Errors
/// If a file cannot be written.
pub(crate) fn make<U, J: Job<Terms = Terms>>(
    workers: Option<&Elsewhere<'_>>,
    units: &[&U],
    receive: &mut dyn FnMut(usize, J::Output) -> Result<(), EvidenceError>,
    describe: impl Fn(&U) -> (J, String, usize),
) -> Result<(), EvidenceError> {
    let Some(workers) = workers else { return Ok(()) };
    let part = |unit: &&U| {
        let (job, title, games) = describe(unit);
        let files = Files::new();
        Part {
            job,
            title,
            games,
            files,
        }
    };
    let order = Order {
        directory: workers.directory,
        device: workers.device,
        terms: workers.terms.clone(),
        files: workers.files.clone(),
        parts: units.iter().map(part).collect(),
        in_order: true,
    };
    let mut tick = |warning: Option<String>| warning.iter().for_each(|warning| (workers.warn)(warning));
    let take = &mut |number, output, _| receive(number, output).map(ControlFlow::Continue);
    workers.cluster.finish(order, workers.stop, &mut tick, take)
}
