//! Games after the best first moves, until only one of them can be the best.

use std::collections::HashSet;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use chase_arena::games::GameLine;
use chase_arena::{Contestant, Match, MatchError, Openings};
use chase_engine::{Playable, Player};
use chase_statistics::{Contender, WinDrawLoss};
use chase_training::store::gather::{Gather, gather};
use serde::{Deserialize, Serialize};

use crate::conventions::conventions;
use crate::error::{BookError, damaged};
use crate::folder::{BookFolder, CONTEST};
use crate::position::{BookMove, BookPosition};
use crate::progress::{BookStage, BookWatch};
use crate::race::race;

/// A contest of first moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contest {
    /// 1 minus the probability that anything below is ever wrong.
    pub level: f64,
    /// The moves, in the order of the book.
    pub moves: Vec<ContestMove>,
}

/// A first move in a contest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContestMove {
    /// The action in exact form.
    pub action: String,
    /// The action in the notation for people.
    pub text: String,
    /// Its score, in pairs of games, compared with that of the best move. The score is that of the player who moves
    /// first.
    #[serde(flatten)]
    pub score: Contender,
}

impl Contest {
    /// The moves that can be the best, in the notation for people.
    pub fn possible(&self) -> Vec<&str> {
        let possible = self.moves.iter().filter(|step| step.score.can_be_best);
        possible.map(|step| step.text.as_str()).collect()
    }
}

/// A contest, and its games.
pub(crate) struct PlayedContest {
    pub contest: Contest,
    /// In the order of moves, pairs and games.
    pub games: Vec<GameLine>,
}

/// Pairs of a file: what an interruption loses, for each thread.
const PAIRS_A_FILE: u32 = 8;
/// No game of a contest has more plies, whatever its conventions.
const MOST_PLIES: u32 = 1000;

/// Plays games after each of the best first moves, on all threads of the current pool. After each round, the moves that
/// another one certainly beats get no more games. `None` if it was stopped before.
///
/// # Errors
/// If the player fails, or a file is damaged or cannot be written.
pub(crate) fn contest<G: Playable>(
    folder: &BookFolder,
    player: &Contestant<G>,
    first: &BookPosition,
    watch: BookWatch<'_>,
) -> Result<Option<PlayedContest>, BookError> {
    let settings = &folder.config().contest;
    let (_, rules) = conventions::<G>(folder.config().game);
    let start = G::new(&rules);
    let backed = first.moves.iter().filter(|step| step.backed.is_some());
    let mut results = HashSet::new();
    let mut moves: Vec<&BookMove> = Vec::new();
    let mut actions: Vec<G::Action> = Vec::new();
    for step in backed {
        let action = start.parse_action(&step.action);
        let action = action.map_err(|error| damaged(folder.path(), &error))?;
        let mut after = start.clone();
        after.apply(action);
        // Moves with one result have the same games: they would never be told apart.
        if moves.len() < settings.moves as usize && results.insert(after.position_key()) {
            moves.push(step);
            actions.push(action);
        }
    }
    let matches: Vec<Match<G>> = actions
        .into_iter()
        .map(|action| Match {
            rules: rules.clone(),
            openings: Openings::Lines(vec![vec![action]]),
            // The same for all moves: pairs with one number form a block.
            seed: settings.seed,
            max_plies: MOST_PLIES,
            pairs_at_once: PAIRS_A_FILE as usize,
        })
        .collect();
    let mut games: Vec<Vec<GameLine>> = vec![Vec::new(); matches.len()];
    let comparison = race::<BookError>(settings, matches.len(), |in_play, numbers| {
        let part = |&place: &usize| {
            let files = numbers.clone().step_by(PAIRS_A_FILE as usize);
            files.map(move |from| (place, from))
        };
        let round = Round {
            folder,
            player,
            matches: &matches,
            moves: &moves,
            to: numbers.end,
            watch,
            done: AtomicUsize::new(0),
            of: in_play.len() * numbers.len(),
        };
        let parts: Vec<(usize, u32)> = in_play.iter().flat_map(part).collect();
        let Some(played) = gather(&round, &parts)? else {
            return Ok(None);
        };
        let mut new = vec![Vec::new(); matches.len()];
        for ((place, _), lines) in parts.into_iter().zip(played) {
            new[place].extend(blocks(&lines, start.to_move()));
            games[place].extend(lines);
        }
        Ok(Some(
            in_play.iter().map(|&place| std::mem::take(&mut new[place])).collect(),
        ))
    })?;
    let Some(comparison) = comparison else {
        return Ok(None);
    };
    let scores = moves.iter().zip(comparison.series);
    let contest = Contest {
        level: comparison.level,
        moves: scores
            .map(|(step, score)| ContestMove {
                action: step.action.clone(),
                text: step.text.clone(),
                score,
            })
            .collect(),
    };
    let games = games.into_iter().flatten().collect();
    Ok(Some(PlayedContest { contest, games }))
}

/// A round of a contest.
struct Round<'a, G: Playable> {
    folder: &'a BookFolder,
    player: &'a Contestant<G>,
    /// The conditions of the games after each move.
    matches: &'a [Match<G>],
    moves: &'a [&'a BookMove],
    /// The number after that of the last pair.
    to: u32,
    watch: BookWatch<'a>,
    /// Pairs that are finished, and all.
    done: AtomicUsize,
    of: usize,
}

impl<G: Playable> Round<'_, G> {
    /// The pairs of the file that begins with a number.
    fn pairs(&self, from: u32) -> Range<u32> {
        from..self.to.min(from + PAIRS_A_FILE)
    }
}

impl<G: Playable> Gather for Round<'_, G> {
    /// A move, and the number of the first pair.
    type Unit = (usize, u32);
    type Content = Vec<GameLine>;
    type Kept = Vec<GameLine>;
    type Bench = ();
    type Error = BookError;

    fn stop(&self) -> &AtomicBool {
        self.watch.stop
    }

    fn file(&self, &(place, from): &(usize, u32)) -> PathBuf {
        let name = format!("{}-{from:06}.jsonl", file_name(&self.moves[place].action));
        self.folder.path().join(CONTEST).join(name)
    }

    fn check(&self, &(place, from): &(usize, u32), lines: &Vec<GameLine>) -> Result<(), String> {
        let action = &self.moves[place].action;
        let pairs = self.pairs(from).flat_map(|pair| [pair, pair]);
        let fits = pairs.eq(lines.iter().map(|line| line.pair))
            && lines.iter().all(|line| line.game.actions.first() == Some(action));
        match fits {
            true => Ok(()),
            false => Err("its games are not the games of this contest; remove it to play them again".into()),
        }
    }

    fn make(&self, (): &mut (), &(place, from): &(usize, u32)) -> Result<Option<Vec<GameLine>>, BookError> {
        let (player, name) = (self.player, || self.player.name().to_owned());
        let played = self.matches[place].play_until([player, player], self.pairs(from), self.watch.stop, &|_| ());
        let played = match played {
            Ok(played) => played,
            Err(MatchError::Stopped) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let lines = played.pairs.into_iter().flat_map(|pair| {
            pair.games.map(|game| GameLine {
                white: name(),
                black: name(),
                pair: pair.pair,
                game,
            })
        });
        Ok(Some(lines.collect()))
    }

    fn keep(&self, &(_, from): &(usize, u32), lines: Vec<GameLine>, _: bool) -> Result<Vec<GameLine>, BookError> {
        let pairs = self.pairs(from).len();
        let done = pairs + self.done.fetch_add(pairs, Ordering::Relaxed);
        self.watch.tell(BookStage::Contest, done, self.of);
        Ok(lines)
    }
}

/// An action as a part of a file's name.
fn file_name(action: &str) -> String {
    let plain = |letter: char| {
        if letter.is_ascii_alphanumeric() { letter } else { '_' }
    };
    action.chars().map(plain).collect()
}

/// The score of a player in each pair: the mean of its games that have a result.
fn blocks(games: &[GameLine], player: Player) -> Vec<Option<f64>> {
    let block = |pair: &[GameLine]| {
        let mut games = WinDrawLoss::default();
        pair.iter().for_each(|line| games.add(line.game.outcome, player));
        games.score()
    };
    games.chunks(2).map(block).collect()
}
