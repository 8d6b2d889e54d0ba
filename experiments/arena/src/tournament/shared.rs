//! A tournament whose units the workers of a cluster play.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;

use chase_cluster::Cluster;
use chase_cluster::cluster::{Order, Part};
use chase_cluster::job::Files;
use chase_models::device;

use super::ledger::Ledger;
use super::results::TournamentResults;
use super::schedule::PairUnit;
use super::{Tournament, TournamentEnd};
use crate::matches::PairResult;
use crate::remote::{self, Meeting, Pairs, RemotePlayer, Terms};
use chase_engine::Playable;

/// Groups that a large tournament has at least, and pairs that a group has at most unless a unit has more: each group
/// takes some hundredths of a second on its way.
const GROUPS: usize = 256;
const PAIRS: usize = 16;

impl<G: Playable> Tournament<G> {
    /// Like [`Tournament::play`], but the workers of a cluster play the games: the same ones, with the same file of
    /// games. When `stop` is set, games in progress stay with the workers, and are collected when the tournament is
    /// resumed there. `on_warning` receives what goes wrong on the way.
    ///
    /// # Errors
    /// As [`Tournament::play`], and if a player cannot play on other machines.
    pub fn play_on(
        &mut self,
        cluster: &Cluster,
        stop: &AtomicBool,
        on_games: &mut (dyn FnMut(&TournamentResults) + Send),
        on_warning: &mut dyn FnMut(String),
    ) -> anyhow::Result<TournamentEnd> {
        let directory = self.directory.path().to_owned();
        if !self.results.is_complete() {
            let (mut terms, mut files) = (
                Terms::new(self.config().game, self.config().rules, &self.conditions),
                Files::new(),
            );
            for (number, player) in self.directory.players().enumerate() {
                let player = remote::sent(&player, number, cluster.options().mixed, &mut files)?;
                terms.players.push(RemotePlayer::Spec(player));
            }
            let groups = self.groups();
            let order = Order {
                directory: &directory,
                device: device::parse(&self.config().device)?,
                terms,
                files,
                parts: groups.iter().map(|group| self.part(group.clone())).collect(),
                in_order: true,
            };
            let schedule = self.results.schedule().clone();
            let mut ledger = Ledger {
                directory: &mut self.directory,
                results: &mut self.results,
                units: &mut self.units,
                on_games,
            };
            let take = &mut |number: usize, played: Vec<Vec<PairResult>>, _| {
                for (unit, pairs) in groups[number].clone().zip(played) {
                    if ledger.take(&schedule.units()[unit], pairs)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                ledger.directory.synchronise()?;
                Ok::<_, anyhow::Error>(ControlFlow::Continue(()))
            };
            let mut tick = |warning: Option<String>| warning.into_iter().for_each(&mut *on_warning);
            cluster.finish(order, stop, &mut tick, take)?;
            self.directory.synchronise()?;
        }
        if self.results.is_complete()
            && let Some(warning) = cluster.forget(&directory)
        {
            on_warning(warning);
        }
        Ok(self.ended())
    }

    /// The units that are not played yet, in groups that end where they would in a tournament that was never interrupted.
    fn groups(&self) -> Vec<Range<usize>> {
        let units = self.results.schedule().units();
        let pairs = units.iter().map(|unit| unit.pairs.len()).max().unwrap_or(1).max(1);
        let mut players = self.config().players.iter().map(|entrant| entrant.player());
        let size = match players.all(|player| player.is_deterministic()) {
            true => (units.len() / GROUPS).clamp(1, (PAIRS / pairs).max(1)),
            false => 1,
        };
        let starts = (0..units.len()).step_by(size);
        let groups = starts.map(|start| start.max(self.units)..(start + size).min(units.len()));
        groups.filter(|group| !group.is_empty()).collect()
    }

    /// A group as it is offered.
    fn part(&self, group: Range<usize>) -> Part<Pairs<G>> {
        let schedule = self.results.schedule();
        let (units, all) = (&schedule.units()[group.clone()], schedule.units().len());
        let [first, second] = self.results.players_of(units[0].pairing);
        let title = match units.len() {
            1 => format!("tournament unit {} of {all}: {first} – {second}", group.end),
            _ => format!("tournament units {} to {} of {all}", group.start + 1, group.end),
        };
        let meeting = |unit: &PairUnit| Meeting {
            number: unit.pairing as u64,
            players: schedule.pairings()[unit.pairing],
            pairs: unit.pairs.clone(),
        };
        Pairs::part(units.iter().map(meeting).collect(), title)
    }
}
