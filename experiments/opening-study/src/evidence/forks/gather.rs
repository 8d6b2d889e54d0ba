//! Decides and plays forks, and stores the results.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use chase_arena::{Agent, Contestant, GameResult, SearchSpec};
use chase_engine::chase::{Action, Position};
use chase_engine::{Chase, seed};
use chase_models::device::Device;
use chase_training::store::files::FileError;
use rayon::prelude::*;

use super::config::ForksConfig;
use super::draw::draw;
use super::fork::{Fork, Playout, Sides};
use super::judge::Judge;
use super::remote::ForksFile;
use super::table;
use super::turn::{ForkTurn, GameTurns};
use crate::evidence::elsewhere::{self, Elsewhere};
use crate::evidence::error::EvidenceError;
use crate::evidence::games::{self, Beginning, Conditions, Design, read_lines, write_lines};

/// The folder of forks, in that of a study.
const FOLDER: &str = "forks";
/// The turns that become forks, in that folder.
const TURNS: &str = "turns.jsonl";

/// Progress report while forks are played. Reports about different files come in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForksFinished {
    /// Forks of the finished file.
    pub forks: u64,
    /// Forks of the study.
    pub planned: u64,
    /// Forks finished, including these and stored ones.
    pub done: u64,
    /// True if they were already stored.
    pub stored: bool,
}

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
pub(super) struct Part {
    pub path: PathBuf,
    pub turns: Vec<ForkTurn>,
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
        on_event: &(dyn Fn(ForksFinished) + Sync),
    ) -> Result<Vec<Fork>, EvidenceError> {
        if self.config.positions == 0 {
            return Ok(Vec::new());
        }
        let folder = study.join(FOLDER);
        std::fs::create_dir_all(&folder).map_err(FileError::of("create", &folder))?;
        let turns = self.turns(&folder, games)?;
        let (planned, done) = (turns.len() as u64, AtomicU64::new(0));
        let tell = |forks: usize, stored: bool| {
            let forks = forks as u64;
            on_event(ForksFinished {
                forks,
                planned,
                done: forks + done.fetch_add(forks, Ordering::Relaxed),
                stored,
            });
        };
        let mut all = Vec::with_capacity(turns.len());
        // One player after another, so that a thread holds one network at a time.
        for place in self.judging() {
            let parts = self.parts(&folder, place, &turns);
            // All stored files are read before the first fork is played, so that damage is reported at once.
            let stored: Vec<_> = parts.par_iter().map(|part| self.read(part)).collect();
            let mut stored = stored.into_iter().collect::<Result<Vec<_>, _>>()?;
            stored.iter().flatten().for_each(|forks| tell(forks.len(), true));
            if let Some(elsewhere) = elsewhere {
                self.play_elsewhere(elsewhere, place, &parts, &mut stored, &tell)?;
            }
            let ready = if stored.iter().all(Option::is_some) {
                None
            } else {
                self.ready(place)?
            };
            let tasks: Vec<_> = parts.iter().zip(stored).collect();
            let forks: Result<Vec<Vec<Fork>>, EvidenceError> = tasks
                .into_par_iter()
                .map_init(
                    || None,
                    |agent, (part, stored)| match (stored, &ready) {
                        (Some(forks), _) => Ok(forks),
                        (None, Some(ready)) => {
                            let forks = self.play_part(part, ready, agent, stop)?;
                            tell(forks.len(), false);
                            Ok(forks)
                        }
                        (None, None) => Ok(Vec::new()),
                    },
                )
                .collect();
            all.extend(forks?.into_iter().flatten());
        }
        table::write(study, self.design, &all)?;
        Ok(all)
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
        if let Some(turns) = read_lines(&path, |_: &ForkTurn| Ok(()))? {
            return Ok(turns);
        }
        let players: Vec<usize> = self.judging().collect();
        let (rules, seed) = (self.design.rules(), self.design.seed);
        let turns = draw(games, &players, self.config.positions, &rules, seed);
        write_lines(&path, &turns)?;
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
                turns: turns.to_vec(),
            })
            .collect()
    }

    /// Has the files that are not stored played by the workers of a cluster, and writes them.
    fn play_elsewhere(
        &self,
        elsewhere: &Elsewhere<'_>,
        place: usize,
        parts: &[Part],
        stored: &mut [Option<Vec<Fork>>],
        tell: &dyn Fn(usize, bool),
    ) -> Result<(), EvidenceError> {
        let name = &self.design.players[place].name;
        let missing: Vec<usize> = (0..parts.len()).filter(|&number| stored[number].is_none()).collect();
        let job = |&number: &usize| {
            let turns = parts[number].turns.clone();
            let games = 3 * self.config.playouts as usize * turns.len();
            let title = format!("file {number} of forks: {name}");
            elsewhere::part(ForksFile { player: place, turns }, title, games)
        };
        elsewhere.make(missing.iter().map(job).collect(), &mut |number, forks: Vec<Fork>| {
            let number = missing[number];
            write_lines(&parts[number].path, &forks)?;
            tell(forks.len(), false);
            stored[number] = Some(forks);
            Ok(())
        })
    }

    /// Prepares a player of the study; `None` if it has no network to judge by.
    pub(crate) fn ready(&self, place: usize) -> Result<Option<Ready>, EvidenceError> {
        let player = &self.design.players[place];
        let Some(judge) = Judge::of(&player.player, &player.name, self.device)? else {
            return Ok(None);
        };
        Ok(Some(Ready {
            place,
            judge,
            contestant: player.player.contestant(self.device)?.named(player.name.clone()),
        }))
    }

    /// The forks of a file, if it exists.
    fn read(&self, part: &Part) -> Result<Option<Vec<Fork>>, EvidenceError> {
        let check = |fork: &Fork| fork.replay(&self.design.rules());
        let Some(forks) = read_lines(&part.path, check)? else {
            return Ok(None);
        };
        if !forks.iter().map(|fork| &fork.turn).eq(&part.turns) {
            let reason = "other forks than the study asks for here";
            return Err(EvidenceError::content(&part.path, reason));
        }
        Ok(Some(forks))
    }

    fn play_part(
        &self,
        part: &Part,
        ready: &Ready,
        agent: &mut Option<Box<dyn Agent<Chase>>>,
        stop: &AtomicBool,
    ) -> Result<Vec<Fork>, EvidenceError> {
        let agent = agent.get_or_insert_with(|| ready.contestant.agent());
        let forks = self.play_turns(part, ready, agent.as_mut(), stop)?;
        write_lines(&part.path, &forks)?;
        Ok(forks)
    }

    /// Decides and plays the forks of a file.
    pub(super) fn play_turns(
        &self,
        part: &Part,
        ready: &Ready,
        agent: &mut dyn Agent<Chase>,
        stop: &AtomicBool,
    ) -> Result<Vec<Fork>, EvidenceError> {
        let plies_with_chance = self.plies_with_chance(ready.place);
        let mut forks = Vec::with_capacity(part.turns.len());
        let mut beginnings = Vec::new();
        for turn in &part.turns {
            let damaged = || EvidenceError::content(&part.path, format!("game {} has no such fork", turn.game));
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
            .map_or(0, SearchSpec::plies_with_chance)
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
    let judged = ready.judge.white_scores(&sides.candidates(), design.seed, stop);
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
