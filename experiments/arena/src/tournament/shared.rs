//! A tournament whose units the workers of a cluster play.

use std::collections::VecDeque;
use std::ops::Range;

use chase_cluster::Work;
use chase_cluster::unit::{Part, UnitResult};
use chase_cluster::work::Taken;
use chase_models::device;

use super::config::TournamentConfig;
use super::error::TournamentError;
use super::ledger::Ledger;
use super::openings;
use super::schedule::{PairUnit, Schedule};
use crate::matches::{Match, Openings};
use crate::playable::Playable;
use crate::players::PlayerSpec;
use crate::remote::{Expected, Meeting, Meetings, Package, RemotePlayer, Start, Terms};

/// Purpose of these units.
const PURPOSE: &str = "tournament";
/// Groups that a large tournament has at least, and pairs that a group has at most unless a unit has more: each group
/// takes some hundredths of a second on its way.
const GROUPS: usize = 256;
const PAIRS: usize = 16;

/// The package that workers need to play the games of a tournament between these players.
pub(super) fn package<G: Playable>(
    config: &TournamentConfig,
    players: impl Iterator<Item = PlayerSpec>,
    conditions: &Match<G>,
    mixed: bool,
) -> Result<Package, TournamentError> {
    let device = device::parse(&config.device)?;
    let openings = match &conditions.openings {
        Openings::Random { plies } => Start::Random { plies: *plies },
        lines @ Openings::Lines(_) => Start::Lines {
            text: openings::text::<G>(lines, &conditions.rules).expect("lines have a text"),
        },
    };
    let players = players.map(|player| RemotePlayer::of(&player, mixed, device));
    let players: Result<Vec<_>, _> = players.collect();
    let terms = |players| Terms {
        game: config.game,
        rules: config.rules,
        seed: config.seed,
        max_plies: config.max_plies,
        openings,
        players,
    };
    Ok(Package::new(players?, device, terms)?)
}

/// The units of a schedule in groups, as work for others.
pub(super) struct Shared<'a, 'l, G: Playable> {
    conditions: &'a Match<G>,
    schedule: &'a Schedule,
    /// Hash of the terms.
    terms: &'a str,
    /// True if players have limits of time.
    timed: bool,
    ledger: &'a mut Ledger<'l>,
    /// Most units of a group.
    size: usize,
    /// The next unit to be offered.
    next: usize,
    /// Groups that are offered, as numbers of units.
    offered: VecDeque<Range<usize>>,
}

impl<'a, 'l, G: Playable> Shared<'a, 'l, G> {
    /// The units that are not played yet.
    pub fn new(
        conditions: &'a Match<G>,
        config: &TournamentConfig,
        schedule: &'a Schedule,
        terms: &'a str,
        ledger: &'a mut Ledger<'l>,
    ) -> Self {
        let timed = config
            .players
            .iter()
            .any(|entrant| !entrant.player().is_deterministic());
        let units = schedule.units();
        let pairs = units.iter().map(|unit| unit.pairs.len()).max().unwrap_or(1).max(1);
        let size = if timed {
            1
        } else {
            (units.len() / GROUPS).clamp(1, (PAIRS / pairs).max(1))
        };
        Self {
            conditions,
            schedule,
            terms,
            timed,
            size,
            next: *ledger.units,
            ledger,
            offered: VecDeque::new(),
        }
    }

    /// The meetings of these units.
    fn meetings(&self, units: Range<usize>) -> Vec<Meeting> {
        let units = &self.schedule.units()[units];
        let meeting = |unit: &PairUnit| Meeting {
            number: unit.pairing as u64,
            players: self.schedule.pairings()[unit.pairing],
            pairs: unit.pairs.clone(),
        };
        units.iter().map(meeting).collect()
    }
}

impl<G: Playable> Work for Shared<'_, '_, G> {
    type Error = TournamentError;

    fn next(&mut self) -> Option<Part> {
        let all = self.schedule.units().len();
        let begin = self.next;
        if begin >= all {
            return None;
        }
        // A group ends where it would in a tournament that was never interrupted.
        let end = ((begin / self.size + 1) * self.size).min(all);
        self.next = end;
        self.offered.push_back(begin..end);
        let [first, second] = self.ledger.results.players_of(self.schedule.units()[begin].pairing);
        let title = match end - begin {
            1 => format!("{PURPOSE} unit {} of {all}: {first} – {second}", begin + 1),
            _ => format!("{PURPOSE} units {} to {end} of {all}", begin + 1),
        };
        let meetings = Meetings {
            terms: self.terms.to_owned(),
            meetings: self.meetings(begin..end),
        };
        Some(meetings.part(0, PURPOSE, begin as u32, &title))
    }

    /// Games are written in the order of the schedule.
    fn in_order(&self) -> bool {
        true
    }

    fn take(&mut self, part: &Part, played: UnitResult) -> Result<Taken, TournamentError> {
        let Some(group) = self
            .offered
            .front()
            .filter(|group| group.start == part.group as usize)
            .cloned()
        else {
            return Ok(Taken::Refused("another unit is next".into()));
        };
        let expected = Expected {
            conditions: self.conditions,
            meetings: &self.meetings(group.clone()),
            timed: self.timed,
        };
        let played = match expected.read(&played.content) {
            Ok(played) => played,
            Err(reason) => return Ok(Taken::Refused(reason)),
        };
        self.offered.pop_front();
        for (number, pairs) in group.zip(played) {
            if self.ledger.take(&self.schedule.units()[number], pairs)?.is_break() {
                return Ok(Taken::Enough);
            }
        }
        Ok(Taken::Counted)
    }

    fn settle(&mut self) -> Result<bool, TournamentError> {
        self.ledger.directory.synchronise()?;
        Ok(true)
    }
}
