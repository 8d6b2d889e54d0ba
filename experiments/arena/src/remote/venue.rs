//! Matches whose games the workers of a cluster play.

use std::collections::VecDeque;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use chase_cluster::unit::{Part, UnitResult};
use chase_cluster::work::{Common, Taken};
use chase_cluster::{Cluster, Work};
use chase_models::device::Device;

use super::check::Expected;
use super::terms::{Meeting, Meetings, Package, PlayerFiles, RemoteError, Terms};
use crate::matches::{Fixture, Match, MatchError, MatchEvent, MatchResult, PairResult, Venue};
use crate::playable::Playable;
use crate::players::Contestant;

/// The workers of a cluster, as a place where matches are played.
pub(crate) struct Elsewhere<'a> {
    pub cluster: &'a Cluster,
    /// The directory of the run that the matches belong to.
    pub directory: PathBuf,
    /// Purpose of the matches: the part of the run, and a short word.
    pub epoch: u64,
    pub purpose: &'static str,
    /// The device whose arithmetic the workers' must agree with.
    pub device: Device,
    /// The conditions of all matches, without players.
    pub terms: Terms,
    /// Finds a contestant by its name.
    pub player: &'a dyn Fn(&str) -> Result<PlayerFiles, RemoteError>,
    /// Receives warnings.
    pub warn: &'a dyn Fn(String),
}

impl fmt::Debug for Elsewhere<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elsewhere")
            .field("directory", &self.directory)
            .field("purpose", &self.purpose)
            .finish_non_exhaustive()
    }
}

impl<G: Playable> Venue<G> for Elsewhere<'_> {
    fn play(
        &mut self,
        conditions: &Match<G>,
        fixtures: &[Fixture<'_, G>],
        pairs: u32,
        stop: &AtomicBool,
        on_event: &(dyn Fn(MatchEvent<'_>) + Sync),
    ) -> Result<Vec<MatchResult>, MatchError> {
        let elsewhere = |error: RemoteError| MatchError::Elsewhere(error.to_string());
        let mut names: Vec<&str> = Vec::new();
        let seats = fixtures.iter().map(|fixture| {
            fixture.contestants.map(Contestant::name).map(|name| {
                let known = names.iter().position(|known| *known == name);
                known.unwrap_or_else(|| {
                    names.push(name);
                    names.len() - 1
                })
            })
        });
        let seats: Vec<[usize; 2]> = seats.collect();
        let players: Result<Vec<_>, _> = names.iter().map(|name| (self.player)(name)).collect();
        let players = players.map_err(elsewhere)?;
        let timed = players.iter().any(|files| files.player.is_timed());
        let package = Package::new(players, self.device, |players| Terms {
            seed: conditions.seed,
            players,
            ..self.terms.clone()
        });
        let package = package.map_err(|error| elsewhere(error.into()))?;
        let meetings = fixtures
            .iter()
            .zip(seats)
            .enumerate()
            .flat_map(|(index, (fixture, players))| {
                let size = conditions.pairs_at_once.max(1) as u32;
                let starts = (0..pairs).step_by(size as usize);
                starts.map(move |start| {
                    let meeting = Meeting {
                        number: fixture.number,
                        players,
                        pairs: start..(start + size).min(pairs),
                    };
                    (index, meeting)
                })
            });
        let meetings: Vec<(usize, Meeting)> = meetings.collect();
        let mut work = Matches {
            conditions,
            fixtures,
            package: &package.terms,
            timed,
            place: (self.epoch, self.purpose),
            waiting: (0..meetings.len()).collect(),
            played: meetings.iter().map(|_| None).collect(),
            meetings,
            on_event,
        };
        let common = Common {
            directory: &self.directory,
            files: package.files,
            arithmetic: package.arithmetic,
        };
        let mut tick = |warning: Option<String>| warning.into_iter().for_each(self.warn);
        self.cluster
            .finish(&mut work, common, stop, &mut tick)
            .map_err(elsewhere)?;
        let mut results = fixtures
            .iter()
            .map(|fixture| {
                let conditions = conditions.numbered(fixture.number);
                conditions.result(fixture.contestants, Vec::new())
            })
            .collect::<Vec<_>>();
        for ((index, _), pairs) in work.meetings.iter().zip(work.played) {
            // Only then is something missing.
            results[*index].pairs.extend(pairs.ok_or(MatchError::Stopped)?);
        }
        Ok(results)
    }
}

/// The pairs of several matches, as work for others.
struct Matches<'a, G: Playable> {
    conditions: &'a Match<G>,
    fixtures: &'a [Fixture<'a, G>],
    /// Hash of the terms.
    package: &'a str,
    /// True if players have limits of time.
    timed: bool,
    /// Epoch and purpose.
    place: (u64, &'static str),
    /// Pairs that are played together, and the number of their fixture.
    meetings: Vec<(usize, Meeting)>,
    /// Meetings that are not offered yet.
    waiting: VecDeque<usize>,
    played: Vec<Option<Vec<PairResult>>>,
    on_event: &'a (dyn Fn(MatchEvent<'_>) + Sync),
}

impl<G: Playable> Work for Matches<'_, G> {
    type Error = RemoteError;

    fn next(&mut self) -> Option<Part> {
        let number = self.waiting.pop_front()?;
        let (index, meeting) = &self.meetings[number];
        let (epoch, purpose) = self.place;
        let [first, second] = self.fixtures[*index].contestants.map(Contestant::name);
        let title = format!("generation {epoch}, {purpose} group {number}: {first} – {second}");
        let meetings = Meetings {
            terms: self.package.to_owned(),
            meetings: vec![meeting.clone()],
        };
        Some(meetings.part(epoch, purpose, number as u32, &title))
    }

    /// All of them: nothing is final before all are played.
    fn ahead(&self) -> usize {
        usize::MAX
    }

    fn take(&mut self, part: &Part, played: UnitResult) -> Result<Taken, RemoteError> {
        let number = part.group as usize;
        let (index, meeting) = &self.meetings[number];
        let expected = Expected {
            conditions: self.conditions,
            meetings: std::slice::from_ref(meeting),
            timed: self.timed,
        };
        let pairs: Vec<PairResult> = match expected.read(&played.content) {
            Ok(pairs) => pairs.into_iter().flatten().collect(),
            Err(reason) => return Ok(Taken::Refused(reason)),
        };
        let contestants = self.fixtures[*index].contestants.map(Contestant::name);
        for result in &pairs {
            (self.on_event)(MatchEvent::PairFinished { contestants, result });
        }
        self.played[number] = Some(pairs);
        Ok(Taken::Counted)
    }
}
