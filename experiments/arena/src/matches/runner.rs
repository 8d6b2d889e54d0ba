//! Matches: pairs of games from one opening with colours swapped.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use chase_engine::{ByPlayer, Game, Outcome, Player};
use chase_statistics::{PairCounts, WinDrawLoss, generator};
use chase_training::parallel;
use rand::rngs::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::openings::{Openings, start_of_pair};
use super::venue::PairUnit;
use crate::games::{FORFEIT, GameResult, PLY_LIMIT, line_texts};
use crate::players::{Agent, Choice, Contestant, Decision, Effort, Forfeit};

/// Conditions of a match.
#[derive(Clone, Debug)]
pub struct Match<G: Game> {
    /// Conventions of the game.
    pub rules: G::Rules,
    /// Openings of the pairs.
    pub openings: Openings<G::Action>,
    /// Seed of all randomness in the match.
    pub seed: u64,
    /// Plies after which a game is truncated, whatever the rules: it bounds the cost of a game. Includes the opening.
    pub max_plies: u32,
    /// Pairs that one thread plays at the same time, with batched choices of its agents. Use 1 for agents that gain
    /// nothing from batches. It does not change the results.
    pub pairs_at_once: usize,
}

/// Two games from the same opening with colours swapped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairResult {
    /// Number of the pair in the match, from 0.
    pub pair: u32,
    /// The game in which the first contestant is White, then the one in which it is Black.
    pub games: [GameResult; 2],
}

/// A finished match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchResult {
    /// [`Game::NAME`].
    pub game: String,
    /// [`Game::RULES_VERSION`].
    pub rules_version: u32,
    /// The conventions of the game, in the form of [`Game::rules_text`].
    pub rules: String,
    /// The seed of the match.
    pub seed: u64,
    /// Names of the first and the second contestant.
    pub contestants: [String; 2],
    /// The pairs, in the order of their numbers.
    pub pairs: Vec<PairResult>,
}

/// Events of a match. Those of different pairs come in any order.
#[derive(Clone, Copy, Debug)]
pub enum MatchEvent<'a> {
    /// Both games of a pair are over.
    PairFinished {
        /// Names of the first and the second contestant.
        contestants: [&'a str; 2],
        /// The pair.
        result: &'a PairResult,
    },
}

/// Reason that a match cannot be finished.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MatchError {
    /// The match was stopped.
    #[error("stopped")]
    Stopped,
    /// There is no opening, or an agent failed or broke its contract.
    #[error("{0}")]
    Failed(String),
}

impl PairResult {
    /// Outcomes of the two games.
    pub fn outcomes(&self) -> [Outcome; 2] {
        self.games.each_ref().map(|game| game.outcome)
    }
}

impl MatchResult {
    /// Names of the contestants and the outcomes of their pairs, as arguments for [`CrossTable::add_pairs`].
    ///
    /// [`CrossTable::add_pairs`]: chase_statistics::CrossTable::add_pairs
    pub fn outcomes(&self) -> ([&str; 2], impl Iterator<Item = [Outcome; 2]>) {
        (
            self.contestants.each_ref().map(String::as_str),
            self.pairs.iter().map(PairResult::outcomes),
        )
    }

    /// Games by the first contestant's result.
    pub fn games(&self) -> WinDrawLoss {
        let mut counts = WinDrawLoss::default();
        for pair in &self.pairs {
            for (game, player) in pair.games.iter().zip(Player::BOTH) {
                counts.add(game.outcome, player);
            }
        }
        counts
    }

    /// Pairs by the first contestant's points.
    pub fn pair_counts(&self) -> PairCounts {
        let mut counts = PairCounts::default();
        self.pairs
            .iter()
            .for_each(|pair| counts.add_outcomes(pair.outcomes(), Player::BOTH));
        counts
    }

    /// Plies chosen by the contestants.
    pub fn decisions(&self) -> u64 {
        let games = self.pairs.iter().flat_map(|pair| &pair.games);
        games.map(|game| u64::from(game.plies - game.opening_plies)).sum()
    }
}

impl<G: Game> Match<G> {
    /// Plays the pairs with these numbers, on all threads of the current pool.
    ///
    /// A pair depends only on the seed, its number and the contestants, so a match may be played in parts. Every game
    /// that is begun is played to its end.
    ///
    /// # Errors
    /// If there is no opening for a pair, or an agent fails or chooses an illegal action. An external program, see
    /// [`Agent::choose_or_forfeit`], loses the game instead.
    pub fn play(
        &self,
        contestants: [&Contestant<G>; 2],
        pairs: Range<u32>,
        on_event: &(dyn Fn(MatchEvent<'_>) + Sync),
    ) -> Result<MatchResult, MatchError> {
        self.play_until(contestants, pairs, &AtomicBool::new(false), on_event)
    }

    /// Like [`Match::play`], but games in progress are abandoned when `stop` is set.
    ///
    /// # Errors
    /// As [`Match::play`], and if it was stopped.
    pub fn play_until(
        &self,
        contestants: [&Contestant<G>; 2],
        pairs: Range<u32>,
        stop: &AtomicBool,
        on_event: &(dyn Fn(MatchEvent<'_>) + Sync),
    ) -> Result<MatchResult, MatchError> {
        let numbers: Vec<u32> = pairs.collect();
        let parts: Vec<&[u32]> = numbers.chunks(self.pairs_at_once.max(1)).collect();
        let agents = || contestants.map(Contestant::agent);
        let play = |agents: &mut [Box<dyn Agent<G>>; 2], part: usize| {
            let played = self.play_together(contestants, agents, parts[part], stop)?;
            for result in &played {
                let contestants = contestants.map(Contestant::name);
                on_event(MatchEvent::PairFinished { contestants, result });
            }
            Ok::<_, MatchError>(played)
        };
        let played = parallel::each(parts.len(), &agents, &play)?;
        Ok(self.result(contestants, played.into_iter().flatten().collect()))
    }

    /// The result of a match with these pairs.
    pub(crate) fn result(&self, contestants: [&Contestant<G>; 2], pairs: Vec<PairResult>) -> MatchResult {
        MatchResult {
            game: G::name(&self.rules).to_owned(),
            rules_version: G::RULES_VERSION,
            rules: G::rules_text(&self.rules),
            seed: self.seed,
            contestants: contestants.map(|contestant| contestant.name().to_owned()),
            pairs,
        }
    }

    /// Plays the pairs of a unit on this thread, all in parallel, unless `stop` is set.
    pub(crate) fn play_unit(
        &self,
        unit: &PairUnit,
        contestants: [&Contestant<G>; 2],
        agents: &mut [Box<dyn Agent<G>>; 2],
        stop: &AtomicBool,
    ) -> Result<Vec<PairResult>, MatchError> {
        let numbers: Vec<u32> = unit.pairs.clone().collect();
        self.numbered(unit.number)
            .play_together(contestants, agents, &numbers, stop)
    }

    /// Plays pairs on this thread, all in parallel, unless `stop` is set.
    fn play_together(
        &self,
        contestants: [&Contestant<G>; 2],
        agents: &mut [Box<dyn Agent<G>>; 2],
        numbers: &[u32],
        stop: &AtomicBool,
    ) -> Result<Vec<PairResult>, MatchError> {
        let mut games = Vec::with_capacity(2 * numbers.len());
        for &pair in numbers {
            let start = start_of_pair::<G>(&self.rules, self.seed, pair);
            let opening = self.openings.actions(&start, self.seed, pair)?;
            games.extend([0, 1].map(|game| Playing::new(self, &start, &opening, pair, game)));
        }
        while games.iter().any(Playing::is_open) {
            if stop.load(Ordering::Relaxed) {
                return Err(MatchError::Stopped);
            }
            for (seat, agent) in agents.iter_mut().enumerate() {
                let mut acting: Vec<_> = games.iter_mut().filter(|playing| playing.acts(seat)).collect();
                if acting.is_empty() {
                    continue;
                }
                let mut decisions: Vec<_> = acting.iter_mut().map(|playing| playing.decision(seat)).collect();
                let contestant = contestants[seat].name();
                let chosen = agent.choose_or_forfeit(&mut decisions);
                let failed = |failure| MatchError::Failed(format!("{contestant} cannot continue: {failure}"));
                let chosen = chosen.map_err(failed)?;
                if chosen.len() != acting.len() {
                    let (chosen, asked) = (chosen.len(), acting.len());
                    let text = format!("{contestant} chose {chosen} actions for {asked} decisions");
                    return Err(MatchError::Failed(text));
                }
                for (playing, choice) in acting.into_iter().zip(chosen) {
                    let Choice { action, effort, .. } = match choice {
                        Ok(choice) => choice,
                        Err(forfeit) => {
                            playing.forfeited = Some(forfeit);
                            continue;
                        }
                    };
                    if !playing.game.is_legal(action) {
                        let position = playing.game.position_text();
                        return Err(MatchError::Failed(format!(
                            "{contestant} chose {action:?}, which is not legal in {position}"
                        )));
                    }
                    playing.play(action);
                    playing.efforts.push(effort);
                }
            }
        }
        let random_start = G::begins_at_random(&self.rules);
        let mut results = games.into_iter().map(|game| game.result(random_start));
        let pairs = numbers.iter().filter_map(|&pair| {
            let games = [results.next()?, results.next()?];
            Some(PairResult { pair, games })
        });
        Ok(pairs.collect())
    }

    /// Checks that a game begins as its pair does, agrees with its moves, and ends as the conditions say.
    ///
    /// # Errors
    /// The fault.
    pub(crate) fn check(&self, pair: u32, game: &GameResult) -> Result<(), String> {
        let start: G = start_of_pair(&self.rules, self.seed, pair);
        let start = G::begins_at_random(&self.rules).then(|| start.position_text());
        if game.start != start {
            let [found, expected] = [&game.start, &start].map(|start| start.as_deref().unwrap_or("the first position"));
            return Err(format!("recorded to begin at `{found}`, expected `{expected}`"));
        }
        game.check::<G>(&self.rules).map_err(|fault| fault.to_string())?;
        let opening = self.openings.plies(pair);
        if game.opening_plies != opening {
            let found = game.opening_plies;
            return Err(format!("recorded with an opening of {found} plies, expected {opening}"));
        }
        if game.reason == PLY_LIMIT && game.plies < self.max_plies {
            let (plies, limit) = (game.plies, self.max_plies);
            return Err(format!(
                "recorded as stopped after {plies} plies, expected the limit of {limit}"
            ));
        }
        Ok(())
    }
}

/// A game of a match in progress.
struct Playing<G: Game> {
    start: G,
    game: G,
    /// The seat of White: 0 for the first contestant.
    white: usize,
    /// One generator for each contestant, so that they do not affect each other.
    rngs: [Xoshiro256PlusPlus; 2],
    max_plies: u32,
    opening_plies: u32,
    actions: Vec<G::Action>,
    /// The effort of each action after the opening.
    efforts: Vec<Effort>,
    /// The reason, if the player to move has lost by a fault of its program.
    forfeited: Option<Forfeit>,
}

impl<G: Game> Playing<G> {
    fn new(conditions: &Match<G>, start: &G, opening: &[G::Action], pair: u32, number: usize) -> Self {
        let place = |seat| [u64::from(pair), number as u64, seat];
        let mut playing = Self {
            game: start.clone(),
            start: start.clone(),
            white: number,
            rngs: [0, 1].map(|seat| generator(conditions.seed, &place(seat))),
            max_plies: conditions.max_plies,
            opening_plies: opening.len() as u32,
            actions: Vec::new(),
            efforts: Vec::new(),
            forfeited: None,
        };
        opening.iter().for_each(|&action| playing.play(action));
        playing
    }

    fn is_open(&self) -> bool {
        self.forfeited.is_none() && self.game.outcome().is_none() && self.game.plies() < self.max_plies
    }

    /// True if the contestant on this seat is to choose.
    fn acts(&self, seat: usize) -> bool {
        let seats = ByPlayer([self.white, 1 - self.white]);
        self.is_open() && seats[self.game.to_move()] == seat
    }

    fn decision(&mut self, seat: usize) -> Decision<'_, G> {
        Decision {
            game: &self.game,
            start: &self.start,
            actions: &self.actions,
            rng: &mut self.rngs[seat],
        }
    }

    fn play(&mut self, action: G::Action) {
        self.actions.push(action);
        self.game.apply(action);
    }

    fn result(self, random_start: bool) -> GameResult {
        let (outcome, reason) = match (self.forfeited, self.game.end()) {
            (Some(forfeit), _) => (Outcome::Win(!self.game.to_move()), format!("{FORFEIT}{forfeit}")),
            (None, Some((outcome, reason))) => (outcome, reason.to_owned()),
            (None, None) => (Outcome::Truncated, PLY_LIMIT.to_owned()),
        };
        let start = random_start.then(|| self.start.position_text());
        GameResult {
            outcome,
            reason,
            plies: self.game.plies(),
            opening_plies: self.opening_plies,
            start,
            actions: line_texts(&self.start, self.actions, G::action_text),
            effort: self.efforts.into_iter().collect(),
        }
    }
}
