//! Strength of an agent, measured against baselines on a fixed scale.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{anyhow, ensure};
use chase_engine::Game;
use serde::{Deserialize, Serialize};

use crate::matches::{Match, MatchError, MatchEvent, MatchResult, PairResult, PairUnit, Venue};
use crate::players::Contestant;
use chase_statistics::{BradleyTerry, CrossTable, PairCounts, ScoreEstimate, Standing, WinDrawLoss};

/// A yardstick: baselines, the conditions of play, and the games between the baselines.
///
/// The first baseline is the anchor, whose rating is 0 (by convention the random agent). Ratings of different agents on
/// one yardstick can be compared. Neighbouring baselines should not be too far apart: if one wins all games against the
/// other, there is only a bound for their difference, and for all stronger ones.
#[derive(Debug)]
pub struct Yardstick<G: Game> {
    conditions: Match<G>,
    baselines: Vec<Contestant<G>>,
    among_baselines: CrossTable,
}

/// Results of an agent against the baselines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvaluationReport {
    /// Name of the agent.
    pub agent: String,
    /// Seed of the games.
    pub seed: u64,
    /// The agent's rating in Elo above the anchor, fitted jointly with all games between the baselines.
    pub rating: Standing,
    /// One entry for each baseline.
    pub opponents: Vec<OpponentReport>,
    /// The joint ratings; `None` if the anchor has no game with a result.
    pub ratings: Option<BradleyTerry>,
    /// The cost of the evaluation.
    pub cost: EvaluationCost,
}

/// Results of an agent against one baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpponentReport {
    /// Name of the baseline.
    pub baseline: String,
    /// Games by the agent's result.
    pub games: WinDrawLoss,
    /// Pairs by the agent's results.
    pub pairs: PairCounts,
    /// The agent's score and the Elo difference, from the pairs; `None` if no pair has a result.
    pub score: Option<ScoreEstimate>,
    /// The baseline's own rating.
    pub rating: Standing,
    /// Mean length of a game, in plies.
    pub mean_plies: f64,
}

/// Cost of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvaluationCost {
    /// Games played.
    pub games: u64,
    /// Actions chosen, by both sides together.
    pub decisions: u64,
    /// Time, in seconds.
    pub seconds: f64,
}

fn same_name(name: &str) -> anyhow::Error {
    anyhow!("two players are called `{name}`: expected different names, since ratings go by name")
}

impl<G: Game> Yardstick<G> {
    /// Plays `pairs` pairs between every two baselines under `conditions`, unless `stop` is set, which is an error. One yardstick
    /// serves many evaluations.
    ///
    /// # Errors
    /// If there is no baseline, two share a name, or a game cannot be played.
    pub fn new(
        venue: &mut dyn Venue<G>,
        conditions: Match<G>,
        baselines: Vec<Contestant<G>>,
        pairs: u32,
        stop: &AtomicBool,
    ) -> anyhow::Result<Self> {
        let mut yardstick = Self::without_games(conditions, baselines)?;
        let contestants: Vec<_> = yardstick.baselines.iter().collect();
        let of = contestants.len();
        let players = (0..of).flat_map(|first| (first + 1..of).map(move |second| [first, second]));
        let matches: Vec<_> = (0..).zip(players).collect();
        let games = Matches {
            conditions: &yardstick.conditions,
            contestants: &contestants,
            matches: &matches,
            pairs,
        };
        for result in games.play(venue, stop, &|_| ())? {
            let (names, outcomes) = result.outcomes();
            yardstick.among_baselines.add_pairs(names, outcomes);
        }
        Ok(yardstick)
    }

    /// A yardstick whose baselines have not played.
    ///
    /// # Errors
    /// If there is no baseline, or two share a name.
    pub(super) fn without_games(conditions: Match<G>, baselines: Vec<Contestant<G>>) -> anyhow::Result<Self> {
        ensure!(
            !baselines.is_empty(),
            "there are no baselines: expected at least the anchor"
        );
        let names = baselines.iter().map(Contestant::name);
        for (index, name) in names.clone().enumerate() {
            if names.clone().skip(index + 1).any(|other| other == name) {
                return Err(same_name(name));
            }
        }
        Ok(Self {
            conditions,
            baselines,
            among_baselines: CrossTable::default(),
        })
    }

    /// Plays `pairs` pairs of an agent against every baseline, unless `stop` is set, which is an error, and rates it.
    ///
    /// That is 2 · `pairs` · baselines games of at most [`Match::max_plies`] plies each. Everything except the time is
    /// determined by the conditions, `seed` and the agent; evaluations with different seeds share no randomness.
    ///
    /// # Errors
    /// If the agent has the name of a baseline, or a game cannot be played.
    pub fn evaluate(
        &self,
        venue: &mut dyn Venue<G>,
        agent: &Contestant<G>,
        pairs: u32,
        seed: u64,
        stop: &AtomicBool,
        on_event: &(dyn Fn(MatchEvent<'_>) + Sync),
    ) -> anyhow::Result<EvaluationReport> {
        if self.baselines.iter().any(|baseline| baseline.name() == agent.name()) {
            return Err(same_name(agent.name()));
        }
        let begin = Instant::now();
        let conditions = Match {
            seed,
            ..self.conditions.clone()
        };
        let mut table = self.among_baselines.clone();
        // These numbers follow those of the baselines' own matches, which may have the same seed.
        let baselines = self.baselines.len();
        let matches = (0..baselines).map(|baseline| ((baselines * baselines + baseline) as u64, [baselines, baseline]));
        let games = Matches {
            conditions: &conditions,
            contestants: &self.baselines.iter().chain([agent]).collect::<Vec<_>>(),
            matches: &matches.collect::<Vec<_>>(),
            pairs,
        };
        let results = games.play(venue, stop, on_event)?;
        for result in &results {
            let (names, outcomes) = result.outcomes();
            table.add_pairs(names, outcomes);
        }
        // This fails only if the anchor has no result, which is reported as `None`.
        let ratings = BradleyTerry::fit(&table, self.baselines[0].name()).ok();
        let standing = |name: &str| {
            let standing = ratings.as_ref().and_then(|ratings| ratings.standing(name));
            standing.copied().unwrap_or(Standing::Unknown)
        };
        let opponents = self.baselines.iter().zip(&results).map(|(baseline, result)| {
            let (games, pairs) = (result.games(), result.pair_counts());
            let lengths = result.pairs.iter().flat_map(|pair| &pair.games);
            let plies: f64 = lengths.map(|game| f64::from(game.plies)).sum();
            OpponentReport {
                baseline: baseline.name().to_owned(),
                games,
                pairs,
                score: ScoreEstimate::from_pairs(&pairs),
                rating: standing(baseline.name()),
                mean_plies: plies / f64::from(games.played().max(1)),
            }
        });
        let opponents: Vec<_> = opponents.collect();
        Ok(EvaluationReport {
            agent: agent.name().to_owned(),
            seed,
            rating: standing(agent.name()),
            cost: EvaluationCost {
                games: opponents
                    .iter()
                    .map(|opponent| u64::from(opponent.games.played()))
                    .sum(),
                decisions: results.iter().map(|result| result.decisions()).sum(),
                seconds: begin.elapsed().as_secs_f64(),
            },
            opponents,
            ratings,
        })
    }
}

/// Matches of `pairs` pairs each: their numbers, and their players as indices into the contestants.
struct Matches<'a, G: Game> {
    conditions: &'a Match<G>,
    contestants: &'a [&'a Contestant<G>],
    matches: &'a [(u64, [usize; 2])],
    pairs: u32,
}

impl<G: Game> Matches<'_, G> {
    fn play(
        &self,
        venue: &mut dyn Venue<G>,
        stop: &AtomicBool,
        on_event: &(dyn Fn(MatchEvent<'_>) + Sync),
    ) -> anyhow::Result<Vec<MatchResult>> {
        let at_once = self.conditions.pairs_at_once.max(1) as u32;
        let units = |&(number, players): &(u64, _)| PairUnit::of_match(number, players, self.pairs, at_once);
        let units: Vec<PairUnit> = self.matches.iter().flat_map(units).collect();
        let mut played: Vec<Option<Vec<PairResult>>> = vec![None; units.len()];
        let mut deliver = |first: usize, done: Vec<Vec<PairResult>>| {
            for (number, pairs) in (first..).zip(done) {
                let contestants = units[number].players.map(|player| self.contestants[player].name());
                for result in &pairs {
                    on_event(MatchEvent::PairFinished { contestants, result });
                }
                played[number] = Some(pairs);
            }
            Ok(ControlFlow::Continue(()))
        };
        venue.play(self.conditions, self.contestants, &units, 0, stop, &mut deliver)?;
        // Only then is something missing.
        let played = played.into_iter().collect::<Option<Vec<_>>>();
        let mut played = played.ok_or(MatchError::Stopped)?.into_iter();
        let of_match = self.pairs.div_ceil(at_once) as usize;
        let result = |&(number, players): &(u64, [usize; 2])| {
            let pairs = played.by_ref().take(of_match).flatten().collect();
            let contestants = players.map(|player| self.contestants[player]);
            self.conditions.numbered(number).result(contestants, pairs)
        };
        Ok(self.matches.iter().map(result).collect())
    }
}
