//! Decides and plays forks, and stores the results.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use chase_arena::{Agent, Contestant, GameResult};
use chase_engine::chase::{Action, Position, Rules};
use chase_engine::{Chase, seed};
use chase_models::device::Device;
use chase_training::store::files::{self, FileError};
use chase_training::store::gather::{Gather, Receive, gather};

use super::config::ForksConfig;
use super::draw::draw;
use super::fork::{Fork, Playout, Sides};
use super::job::ForksFile;
use super::table;
use super::turn::{ForkTurn, GameTurns};
use crate::evidence::error::EvidenceError;
use crate::evidence::games::{self, Beginning, Conditions, Design, OneAgent};
use crate::evidence::judge::Judge;
use crate::evidence::workers::{self, Elsewhere};
use crate::evidence::{Counter, Finished};

/// The folder of forks, in that of a study.
const FOLDER: &str = "forks";
/// The turns that become forks, in that folder.
const TURNS: &str = "turns.jsonl";

/// The forks to play, and how to play them.
#[derive(Clone, Copy, Debug)]
pub struct ForkPlan<'a> {
    /// The study, whose players search and play.
    pub design: &'a Design,
    /// The number of forks.
    pub config: &'a ForksConfig,
    /// The device of networks.
    pub device: Device,
}

/// A player with a network, ready to search and to play.
pub(crate) struct Ready {
    place: usize,
    judge: Judge,
    pub(super) contestant: Contestant<Chase>,
}

/// A file of forks of one player.
struct Part {
    path: PathBuf,
    player: usize,
    /// Its number among the files of the player.
    number: usize,
    turns: Vec<ForkTurn>,
}

/// The forks of a study, being played.
struct Playing<'a> {
    plan: &'a ForkPlan<'a>,
    /// The player whose forks are being played: one at a time, loaded when its first file is missing here.
    ready: Mutex<Option<Arc<Ready>>>,
    /// Workers that play instead of this process.
    elsewhere: Option<&'a Elsewhere<'a>>,
    stop: &'a AtomicBool,
    counter: Counter<'a>,
}

impl Playing<'_> {
    /// A player, ready to search and to play. Files come player by player, so that the last one is kept alone.
    fn ready(&self, place: usize) -> Result<Arc<Ready>, EvidenceError> {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        if ready.as_ref().is_none_or(|ready| ready.place != place) {
            // Let go before the next one is loaded.
            *ready = None;
            let next = self.plan.ready(place)?;
            *ready = Some(Arc::new(next.expect("forks are of players that judge")));
        }
        Ok(Arc::clone(ready.as_ref().expect("it was just loaded")))
    }
}

impl Gather for Playing<'_> {
    type Unit = Part;
    type Content = Vec<Fork>;
    type Kept = Vec<Fork>;
    type Bench = OneAgent;
    type Error = EvidenceError;

    fn stop(&self) -> &AtomicBool {
        self.stop
    }

    fn file(&self, part: &Part) -> PathBuf {
        part.path.clone()
    }

    fn check(&self, part: &Part, forks: &Vec<Fork>) -> Result<(), String> {
        holds(&part.turns, forks, &self.plan.design.rules())
    }

    fn make(&self, bench: &mut OneAgent, part: &Part) -> Result<Option<Vec<Fork>>, EvidenceError> {
        let ready = self.ready(part.player)?;
        let agent = bench.of(part.player, &ready.contestant);
        match self.plan.play_turns(&part.turns, &ready, agent, self.stop) {
            Err(EvidenceError::Stopped) => Ok(None),
            forks => forks.map(Some),
        }
    }

    fn keep(&self, _: &Part, forks: Vec<Fork>, stored: bool) -> Result<Vec<Fork>, EvidenceError> {
        self.counter.add(forks.len() as u64, stored);
        Ok(forks)
    }

    fn elsewhere(&self, missing: &[&Part], receive: &mut Receive<'_, Self>) -> Result<(), EvidenceError> {
        workers::make(self.elsewhere, missing, receive, |part| {
            let name = &self.plan.design.players[part.player].name;
            let title = format!("file {} of forks: {name}", part.number);
            let games = 3 * self.plan.config.playouts as usize * part.turns.len();
            let (player, turns) = (part.player, part.turns.clone());
            (ForksFile { player, turns }, title, games)
        })
    }
}

/// Checks that these are the forks of a file with these turns, and that their games were played by the rules.
pub(super) fn holds(turns: &[ForkTurn], forks: &[Fork], rules: &Rules) -> Result<(), String> {
    if !forks.iter().map(|fork| &fork.turn).eq(turns) {
        return Err("its forks are not the requested forks".into());
    }
    let replayed =
        |(number, fork): (usize, &Fork)| fork.replay(rules).map_err(|reason| format!("line {number}: {reason}"));
    (1..).zip(forks).try_for_each(replayed)
}

impl ForkPlan<'_> {
    /// Plays the forks of all players of the whole study that have a network, on all threads of the current pool: by
    /// player, then by kind. Does nothing, and returns no forks, if the configuration asks for none.
    ///
    /// Finished forks are stored in the folder `forks` of the study and are not played again: repeat an interrupted
    /// call with the same arguments. Turns are drawn from `games` once; games added to the study later do not change
    /// them. The result does not depend on the number of threads. Forks are played by the workers `elsewhere`, or in
    /// this process. At the end the study's folder holds `forks.parquet`.
    ///
    /// # Errors
    /// If a player cannot search or play, a file is damaged or belongs to another study, or `stop` was set.
    pub fn gather(
        &self,
        study: &Path,
        games: &[GameTurns],
        elsewhere: Option<&Elsewhere<'_>>,
        stop: &AtomicBool,
        on_event: &(dyn Fn(Finished) + Sync),
    ) -> Result<Vec<Fork>, EvidenceError> {
        if self.config.positions == 0 {
            return Ok(Vec::new());
        }
        let folder = study.join(FOLDER);
        std::fs::create_dir_all(&folder).map_err(FileError::of("create", &folder))?;
        let turns = self.turns(&folder, games)?;
        let parts: Vec<Part> = self
            .judging()
            .flat_map(|place| self.parts(&folder, place, &turns))
            .collect();
        let work = Playing {
            plan: self,
            ready: Mutex::default(),
            elsewhere,
            stop,
            counter: Counter::new(turns.len() as u64, on_event),
        };
        let forks = gather(&work, &parts)?.ok_or(EvidenceError::Stopped)?;
        let forks: Vec<Fork> = forks.into_iter().flatten().collect();
        table::write(study, self.design, &forks)?;
        Ok(forks)
    }

    /// The players of the whole study that have a network, by place.
    fn judging(&self) -> impl Iterator<Item = usize> {
        self.design.main_players().filter(|&place| {
            let player = self.design.players.get(place).map(|player| &player.player);
            player.is_some_and(Judge::judges)
        })
    }

    /// The turns that become forks, as they were first drawn.
    fn turns(&self, folder: &Path, games: &[GameTurns]) -> Result<Vec<ForkTurn>, EvidenceError> {
        let path = folder.join(TURNS);
        if let Some(turns) = files::read_lines(&path)? {
            return Ok(turns);
        }
        let players: Vec<usize> = self.judging().collect();
        let (rules, seed) = (self.design.rules(), self.design.seed);
        let turns = draw(games, &players, self.config.positions, &rules, seed);
        files::write_whole(&path, files::lines(&turns).as_bytes())?;
        Ok(turns)
    }

    /// Divides the forks of a player into files, each with the number that is played at the same time.
    fn parts(&self, folder: &Path, place: usize, turns: &[ForkTurn]) -> Vec<Part> {
        let turns: Vec<ForkTurn> = turns.iter().filter(|turn| turn.player == place).cloned().collect();
        let games = 3 * self.config.playouts.max(1);
        let size = (self.design.config.in_flight / games).max(1) as usize;
        let parts = turns.chunks(size).enumerate();
        parts
            .map(|(number, turns)| Part {
                path: folder.join(format!("player-{place:02}-{number:05}.jsonl")),
                player: place,
                number,
                turns: turns.to_vec(),
            })
            .collect()
    }

    /// Prepares a player of the study; `None` if it has no network to judge by.
    pub(crate) fn ready(&self, place: usize) -> Result<Option<Ready>, EvidenceError> {
        let player = &self.design.players[place];
        let Some(judge) = Judge::of(&player.player, self.device)? else {
            return Ok(None);
        };
        Ok(Some(Ready {
            place,
            judge,
            contestant: player.player.contestant(self.device)?.named(player.name.clone()),
        }))
    }

    /// Decides and plays the forks of a file.
    pub(super) fn play_turns(
        &self,
        turns: &[ForkTurn],
        ready: &Ready,
        agent: &mut dyn Agent<Chase>,
        stop: &AtomicBool,
    ) -> Result<Vec<Fork>, EvidenceError> {
        let plies_with_chance = self.plies_with_chance(ready.place);
        let mut forks = Vec::with_capacity(turns.len());
        let mut beginnings = Vec::new();
        for turn in turns {
            let damaged = || FileError::damaged(TURNS, format!("game {} has no such fork", turn.game));
            let line = turn.actions().ok_or_else(damaged)?;
            let (fork, ways) = decide(turn, &line, self.design, ready, stop)?.ok_or_else(damaged)?;
            for playout in 0..self.playouts(turn, plies_with_chance) {
                let beginning = |&way: &Action| self.beginning(turn, &line, way, playout);
                beginnings.extend(ways.iter().map(beginning));
            }
            forks.push(fork);
        }
        let conditions = Conditions {
            in_flight: self.design.config.in_flight as usize,
            max_plies: self.design.config.max_plies,
            stop,
        };
        let failed = |failure| EvidenceError::Agent {
            player: ready.contestant.name().to_owned(),
            failure,
        };
        let played = games::play(beginnings, agent, &conditions).map_err(failed)?;
        let mut played = played
            .ok_or(EvidenceError::Stopped)?
            .into_iter()
            .map(|game| game.result);
        for fork in &mut forks {
            let playouts = self.playouts(&fork.turn, plies_with_chance) as usize;
            let controlled = fork.control.is_some();
            fork.playouts = std::iter::from_fn(|| playout(&mut played, controlled))
                .take(playouts)
                .collect();
        }
        Ok(forks)
    }

    /// Plies from the start of a game in which a player's play is random.
    fn plies_with_chance(&self, place: usize) -> u32 {
        let spec = self.design.players[place].player.search();
        spec.filter(|spec| spec.evaluator.path().is_some())
            .map_or(0, |spec| spec.chance().plies)
    }

    /// Number of playouts of a fork: one where the player's play is no longer random.
    pub(super) const fn playouts(&self, turn: &ForkTurn, plies_with_chance: u32) -> u32 {
        if (turn.ply() as u32) < plies_with_chance {
            self.config.playouts
        } else {
            1
        }
    }

    /// A game from a fork after one of its choices. All share the same randomness.
    pub(super) fn beginning(&self, turn: &ForkTurn, line: &[Action], way: Action, playout: u32) -> Beginning {
        let mut line = line.to_vec();
        line.pop();
        line.push(way);
        let (player, kind) = (turn.player as u64, turn.kind as u64);
        let rng = |side: u64| {
            let numbers = [self.design.seed, player, kind, turn.game, u64::from(playout), side];
            seed::named("fork playout", &numbers)
        };
        Beginning {
            rules: self.design.rules(),
            line,
            rngs: [0, 1].map(rng),
        }
    }
}

/// The next two games, or three.
fn playout(games: &mut impl Iterator<Item = GameResult>, controlled: bool) -> Option<Playout> {
    let (action, rival) = (games.next()?, games.next()?);
    let control = if controlled { Some(games.next()?) } else { None };
    Some(Playout { action, rival, control })
}

/// Dice of White and of Black.
pub(super) fn dice(position: &Position) -> [u8; 2] {
    chase_engine::Player::BOTH.map(|player| position.dice(player).count() as u8)
}

/// A fork without its games, and its choices: the best of each side and of the control, by searches. `None` if there is
/// no such fork.
fn decide(
    turn: &ForkTurn,
    line: &[Action],
    design: &Design,
    ready: &Ready,
    stop: &AtomicBool,
) -> Result<Option<(Fork, Vec<Action>)>, EvidenceError> {
    let Some(sides) = Sides::of(turn.kind, line, &design.rules(), design.seed, turn.game) else {
        return Ok(None);
    };
    let judged = ready.judge.white_scores(&sides.candidates(), None, design.seed, stop);
    let judged = judged.map_err(|error| EvidenceError::Evaluation {
        player: design.players[ready.place].name.clone(),
        error,
    })?;
    let scores = judged.ok_or(EvidenceError::Stopped)?;
    let position = sides.branch.game.position();
    Ok(sides.best(&scores).map(|best| {
        let ((action, of_action), (rival, of_rival)) = (best.action, best.rival);
        let (control, of_control) = best.control.unzip();
        let fork = Fork {
            turn: turn.clone(),
            position: position.to_string(),
            dice: dice(position),
            action: of_action,
            rival: of_rival,
            control: of_control,
            went: sides.went([action, rival]),
            playouts: Vec::new(),
        };
        let chosen = [Some(action), Some(rival), control].into_iter().flatten();
        (fork, chosen.map(|continuation| continuation.actions[0]).collect())
    }))
}
