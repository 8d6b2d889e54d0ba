//! A puzzle: a position in which the player to move can force something, as the proof search shows.

use chase_engine::chase::Rules;
use chase_engine::proof::{Budget, Goal, ProofVerdict, Prover, after_ply};
use chase_engine::{ByPlayer, Game, GameName, Playable, Player};
use serde::{Deserialize, Serialize};

use super::aim::Aim;
use super::refusal::Refusal;
use super::replay::Replay;
use super::served::ply_text;

/// All puzzles, one JSON object per line, easier ones of each game first.
pub const PUZZLES: &str = include_str!("puzzles.jsonl");
/// Nodes for one question; the proofs of these puzzles need a few thousand.
const NODES: u64 = 200_000;
/// Memory of a proof, in bytes.
const MEMORY: usize = 1 << 20;

/// A position, and what the player to move can force there.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Puzzle {
    pub game: String,
    pub position: String,
    /// To have captured this many more dice than the opponent at the end; without it, to win the game. Chase only.
    pub gain: Option<i32>,
    /// Turns of both players.
    pub within: u32,
    /// The actions, in exact form, that keep what is forced. No other action does.
    #[cfg_attr(not(test), expect(dead_code, reason = "the server proves them anew"))]
    pub solutions: Vec<String>,
    /// The origin of the position.
    #[cfg_attr(not(test), expect(dead_code, reason = "for readers of the file"))]
    pub source: String,
}

/// A puzzle on the page.
#[derive(Debug, Serialize)]
pub struct PuzzleView {
    start: String,
    /// Conventions: proofs know no draws.
    rules: Option<String>,
    to_move: &'static str,
    /// The task, as text.
    pub task: String,
}

/// State of a puzzle after its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PuzzleState {
    /// The goal is reached.
    Solved,
    /// The goal can still be forced.
    Holds,
    /// The goal cannot be forced any more.
    Missed,
}

/// The answer to the moves of a puzzle.
#[derive(Debug, Serialize)]
pub struct Judgement {
    pub state: PuzzleState,
    /// The opponent's plies that hold out longest, in exact form; empty if the opponent is not to move.
    pub reply: Vec<String>,
    /// A line that reaches the goal from here, in exact form, beginning with the reply.
    pub line: Vec<String>,
    /// An action of the opponent that prevents the goal, in the form for people.
    pub refutation: Option<String>,
}

impl Puzzle {
    /// All puzzles of a game.
    pub fn of(game: GameName) -> Result<Vec<Self>, Refusal> {
        let mut puzzles = Vec::new();
        for line in PUZZLES.lines() {
            let puzzle: Self = serde_json::from_str(line).map_err(Refusal::fault)?;
            if puzzle.game == game.name() {
                puzzles.push(puzzle);
            }
        }
        Ok(puzzles)
    }

    /// The conventions under which it is played.
    pub fn rules(game: GameName) -> Option<String> {
        (game == GameName::Chase).then(|| Rules::PUBLISHED.to_string())
    }

    pub fn view<G: Game>(&self, game: GameName) -> Result<PuzzleView, Refusal> {
        let start = G::from_position_text(&self.position, &game.rules::<G>()).map_err(Refusal::fault)?;
        Ok(PuzzleView {
            start: self.position.clone(),
            rules: Self::rules(game),
            to_move: start.to_move().name(),
            task: self.task(start.to_move(), G::PLAYERS),
        })
    }

    fn task(&self, player: Player, names: ByPlayer<&'static str>) -> String {
        let [own, other] = [player, !player].map(|player| capital(names[player]));
        match (self.gain, self.within.div_ceil(2)) {
            (Some(gain), each) => {
                let dice = if gain == 1 {
                    "a die".to_owned()
                } else {
                    format!("{gain} dice")
                };
                format!("{own} to move and win {dice}: the lead must hold after {each} turns of each player")
            }
            (None, 1) => format!("{own} to move and win at once"),
            (None, moves) => format!("{own} to move and win in {moves} turns, whatever {other} does"),
        }
    }
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Proves what is left of a puzzle's goal after the plies of a replay.
pub fn judge<G: Playable>(replay: &Replay<G>, puzzle: &Puzzle, stop: &dyn Fn() -> bool) -> Result<Judgement, Refusal> {
    let attacker = replay.start.to_move();
    let mut goal = Aim::new(attacker, puzzle.gain, puzzle.within);
    let mut progress = Goal::<G>::start(&goal);
    let plies = replay.plies_from(0);
    for (index, (before, _)) in plies.iter().enumerate() {
        let after = plies.get(index + 1).map_or(&replay.game, |(next, _)| next);
        progress = after_ply(&goal, before, after, progress);
    }
    let game = &replay.game;
    let judged = |state| Judgement {
        state,
        reply: Vec::new(),
        line: Vec::new(),
        refutation: None,
    };
    match goal.decided(game, progress) {
        Some(true) => return Ok(judged(PuzzleState::Solved)),
        Some(false) => return Ok(judged(PuzzleState::Missed)),
        None => {}
    }
    let defends = game.to_move() != attacker;
    // What is left is a goal of its own.
    goal = Aim::new(
        attacker,
        puzzle.gain.map(|_| progress.need),
        progress.turns.unwrap_or(0),
    );
    let mut prover = Prover::new(goal, MEMORY);
    match prover.prove(game, &mut Budget::with_stop(NODES, stop)) {
        ProofVerdict::Proved => {
            let (mut at, mut reply, mut line) = (game.clone(), 0, Vec::new());
            for action in prover.line(game, &mut Budget::with_stop(NODES, stop)) {
                // The reply is all that the opponent does before the turn comes back.
                if defends && line.len() == reply && at.to_move() == game.to_move() {
                    reply += 1;
                }
                line.push(at.action_text(action));
                at.apply(action);
            }
            Ok(Judgement {
                reply: line[..reply].to_vec(),
                line,
                ..judged(PuzzleState::Holds)
            })
        }
        ProofVerdict::Disproved => {
            let actions = if defends {
                prover.actions(game, &mut Budget::with_stop(NODES, stop))
            } else {
                Vec::new()
            };
            let holds = actions.iter().find(|(_, verdict)| *verdict == ProofVerdict::Disproved);
            Ok(Judgement {
                refutation: holds.map(|&(action, _)| ply_text(game, action)),
                ..judged(PuzzleState::Missed)
            })
        }
        ProofVerdict::Unknown => Err(Refusal::busy("the proof was not finished; try again")),
    }
}
