//! The games of a tournament so far, as needed for statistics.

use std::hash::{DefaultHasher, Hash, Hasher};

use chase_engine::{Outcome, Player};

use super::config::TournamentConfig;
use super::entrant::Entrant;
use super::openings::OpeningSpec;
use super::schedule::Schedule;
use crate::games::GameResult;
use crate::matches::{PairResult, PairUnit};
use chase_statistics::{PairCounts, Sprt, SprtDecision};

/// The games so far, with the schedule and players.
#[derive(Clone, Debug)]
pub struct TournamentResults {
    pub(super) names: Vec<String>,
    pub(super) players: Vec<Entrant>,
    pub(super) schedule: Schedule,
    pub(super) anchor: String,
    pub(super) seed: u64,
    pub(super) openings: OpeningSpec,
    pub(super) pairs: Vec<CountedPair>,
    sprt: Option<Sprt>,
    /// Pairs by the results of the first player of the first match, for the sequential test.
    counts: PairCounts,
    verdict: SprtDecision,
}

/// A pair of games.
#[derive(Clone, Debug)]
pub(super) struct CountedPair {
    /// The match, as an index into the schedule's pairings.
    pub pairing: usize,
    /// The game in which the first player is White, then the other.
    pub games: [CountedGame; 2],
}

/// A game without its actions.
#[derive(Clone, Debug)]
pub(super) struct CountedGame {
    pub outcome: Outcome,
    pub reason: String,
    pub plies: u32,
    /// The actions of the opening, or the first action of the game where there is none.
    pub beginning: String,
    /// Games of one match with equal fingerprints almost certainly have equal actions.
    pub fingerprint: u64,
}

impl CountedGame {
    fn new(game: &GameResult) -> Self {
        let mut hasher = DefaultHasher::new();
        game.actions.hash(&mut hasher);
        let beginning = game.actions.iter().take(game.opening_plies.max(1) as usize);
        let beginning: Vec<&str> = beginning.map(String::as_str).collect();
        Self {
            outcome: game.outcome,
            reason: game.kind_of_reason().to_owned(),
            plies: game.plies,
            beginning: beginning.join(" "),
            fingerprint: hasher.finish(),
        }
    }
}

impl TournamentResults {
    /// Creates results without games.
    pub fn new(config: &TournamentConfig) -> Self {
        Self {
            names: config.players.iter().map(Entrant::name).collect(),
            players: config.players.clone(),
            schedule: Schedule::new(config),
            anchor: config.anchor(),
            seed: config.seed,
            openings: config.openings.clone(),
            pairs: Vec::new(),
            sprt: config.sprt,
            counts: PairCounts::default(),
            verdict: SprtDecision::Continue,
        }
    }

    /// The schedule.
    pub const fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The names of two players.
    pub fn names_of(&self, players: [usize; 2]) -> [&str; 2] {
        players.map(|player| self.names[player].as_str())
    }

    /// Games played.
    pub fn games(&self) -> u64 {
        2 * self.pairs.len() as u64
    }

    /// The sequential test with its log-likelihood ratio and its decision; `None` without a test.
    pub fn sprt(&self) -> Option<(&Sprt, f64, SprtDecision)> {
        let sprt = self.sprt.as_ref()?;
        Some((sprt, sprt.log_likelihood_ratio(&self.counts), self.verdict))
    }

    /// True if nothing is left to play: all games are played, or the test has decided.
    pub fn is_complete(&self) -> bool {
        self.verdict != SprtDecision::Continue || self.games() == self.schedule.games()
    }

    /// Counts the pairs of a unit, and returns the number that count: pairs after one that decides the sequential test
    /// do not. The test takes pairs in the order of their numbers, so that short games have no more weight than others.
    pub fn take(&mut self, unit: &PairUnit, pairs: &[PairResult]) -> usize {
        for (index, pair) in pairs.iter().enumerate() {
            if self.verdict != SprtDecision::Continue {
                return index;
            }
            self.pairs.push(CountedPair {
                pairing: unit.number as usize,
                games: [0, 1].map(|game| CountedGame::new(&pair.games[game])),
            });
            if let Some(sprt) = &self.sprt {
                self.counts.add_outcomes(pair.outcomes(), Player::BOTH);
                self.verdict = sprt.verdict(sprt.log_likelihood_ratio(&self.counts));
            }
        }
        pairs.len()
    }
}

impl CountedPair {
    /// Outcomes of the two games.
    pub fn outcomes(&self) -> [Outcome; 2] {
        let [first, second] = &self.games;
        [first.outcome, second.outcome]
    }
}
