//! The puzzles of the page.
//!
//! The page does not know the solutions. It sends what was played, and the server proves anew whether the goal can
//! still be forced: so every solution counts, the reply is the defence that lasts longest, and a mistake is answered by
//! a refutation. The positions of Chase are from the reference set of `chase solve --player`
//! (`experiments/arena/data`); `chase solve POSITION --within TURNS --actions` prints the proof of each.

use axum::Json;
use axum::extract::State;
use chase_engine::chase::{DiceAhead, Rules};
use chase_engine::proof::{Budget, Goal, ProofVerdict, Prover, Win, after_ply};
use chase_engine::{ByPlayer, Chase, Game, GameName, Playable, Player};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Server;
use super::refusal::{Body, Refusal, aside};
use super::replay::{GameRequest, Replay, with_replay};
use super::searches::{Client, SearchPurpose};
use super::view::ply_text;
use crate::of_chase::as_type;

/// All puzzles, one JSON object per line, easier ones of each game first.
const PUZZLES: &str = include_str!("puzzles.jsonl");
/// Nodes for one question; the proofs of these puzzles need a few thousand.
const NODES: u64 = 200_000;
/// Memory of a proof, in bytes.
const MEMORY: usize = 1 << 20;

/// A position, and what the player to move can force there.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Puzzle {
    game: String,
    position: String,
    /// To have captured this many more dice than the opponent at the end; without it, to win the game. Chase only.
    gain: Option<i32>,
    /// Turns of both players.
    within: u32,
    /// The actions, in exact form, that keep what is forced. No other action does.
    #[cfg_attr(not(test), expect(dead_code, reason = "the server proves them anew"))]
    solutions: Vec<String>,
    /// The origin of the position.
    #[cfg_attr(not(test), expect(dead_code, reason = "for readers of the file"))]
    source: String,
}

/// State of a puzzle after its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum PuzzleState {
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
    state: PuzzleState,
    /// The opponent's plies that hold out longest, in exact form; empty if the opponent is not to move.
    reply: Vec<String>,
    /// A line that reaches the goal from here, in exact form, beginning with the reply.
    line: Vec<String>,
    /// An action of the opponent that prevents the goal, in the form for people.
    refutation: Option<String>,
}

impl Puzzle {
    /// All puzzles of a game.
    fn of(game: GameName) -> Vec<Self> {
        let puzzles = PUZZLES
            .lines()
            .map(|line| serde_json::from_str::<Self>(line).expect("each line is a puzzle"));
        puzzles.filter(|puzzle| puzzle.game == game.name()).collect()
    }

    /// The conventions under which it is played.
    fn rules(game: GameName) -> Option<String> {
        (game == GameName::Chase).then(|| Rules::PUBLISHED.to_string())
    }

    /// The puzzle on the page.
    fn view<G: Game>(&self, game: GameName) -> Value {
        let start = G::from_position_text(&self.position, &game.rules::<G>()).expect("puzzles start from positions");
        json!({
            "start": self.position,
            // Proofs know no draws.
            "rules": Self::rules(game),
            "to_move": start.to_move().name(),
            "task": self.task(start.to_move(), G::PLAYERS),
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
fn judge_of<G: Playable>(replay: &Replay<G>, puzzle: &Puzzle, stop: &dyn Fn() -> bool) -> Result<Judgement, Refusal> {
    let (attacker, within) = (replay.start.to_move(), puzzle.within);
    match puzzle.gain {
        None => prove(replay, |_, turns| Win::within(attacker, turns), 0, within, stop),
        Some(gain) => {
            let replay: &Replay<Chase> = as_type(replay).expect("dice are won in Chase only");
            let goal = |dice, turns| DiceAhead { attacker, dice, turns };
            prove(replay, goal, gain, within, stop)
        }
    }
}

/// Proves what is left of a goal that needs so much within so many turns.
fn prove<G: Playable, A: Goal<G>>(
    replay: &Replay<G>,
    goal: impl Fn(i32, u32) -> A,
    need: i32,
    within: u32,
    stop: &dyn Fn() -> bool,
) -> Result<Judgement, Refusal> {
    let whole = goal(need, within);
    let mut progress = whole.start();
    let plies = replay.plies_from(0);
    for (index, (before, _)) in plies.iter().enumerate() {
        let after = plies.get(index + 1).map_or(&replay.game, |(next, _)| next);
        progress = after_ply(&whole, before, after, progress);
    }
    let game = &replay.game;
    let judged = |state| Judgement {
        state,
        reply: Vec::new(),
        line: Vec::new(),
        refutation: None,
    };
    match whole.decided(game, progress) {
        Some(true) => return Ok(judged(PuzzleState::Solved)),
        Some(false) => return Ok(judged(PuzzleState::Missed)),
        None => {}
    }
    let defends = game.to_move() != replay.start.to_move();
    // What is left is a goal of its own.
    let left = goal(progress.need, progress.turns.unwrap_or(0));
    let mut prover = Prover::new(left, MEMORY);
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

/// The moves of a puzzle so far.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleRequest {
    /// The number of the puzzle among those of its game, from 0.
    puzzle: usize,
    game: GameRequest,
}

/// The puzzles of a game, as the page shows them.
pub fn all<G: Game>(game: GameName) -> Vec<Value> {
    Puzzle::of(game).iter().map(|puzzle| puzzle.view::<G>(game)).collect()
}

/// `POST /api/puzzle`: what has been played in a puzzle so far.
pub async fn judge(
    State(server): State<Server>,
    client: Client,
    Body(request): Body<PuzzleRequest>,
) -> Result<Json<Judgement>, Refusal> {
    let PuzzleRequest {
        puzzle: number,
        mut game,
    } = request;
    let name = game.name()?;
    let puzzles = Puzzle::of(name);
    let count = puzzles.len();
    let missing = || Refusal::missing(format!("there is no puzzle {number} of {name}: it has {count}"));
    let puzzle = puzzles.into_iter().nth(number).ok_or_else(missing)?;
    game.begin_with(puzzle.position.clone(), Puzzle::rules(name));
    // What is wrong with the moves is said before the proof waits for its turn.
    with_replay!(game, replay => drop(replay));
    let turn = server.searches.begin(client, SearchPurpose::Play).await?;
    aside(move || judged(&game, &puzzle, &|| turn.is_cancelled()))
        .await
        .map(Json)
}

fn judged(game: &GameRequest, puzzle: &Puzzle, stop: &dyn Fn() -> bool) -> Result<Judgement, Refusal> {
    with_replay!(game, replay => judge_of(&replay, puzzle, stop))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::with_game;

    use super::*;

    fn judge(game: GameName, puzzle: &Puzzle, moves: &[String]) -> Judgement {
        let mut request = GameRequest::of(game, moves);
        request.begin_with(puzzle.position.clone(), Puzzle::rules(game));
        judged(&request, puzzle, &|| false).unwrap()
    }

    fn legal<G: Game>(game: GameName, position: &str) -> Vec<String> {
        let game = G::from_position_text(position, &game.rules::<G>()).unwrap();
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        actions.iter().map(|&action| game.action_text(action)).collect()
    }

    /// Every puzzle is proved, by the listed actions and no others, and not sooner than it says; following the solution
    /// against the best defence reaches the goal.
    #[test]
    fn every_puzzle_is_proved_by_its_solutions_alone() {
        let mut games = Vec::new();
        for line in PUZZLES.lines() {
            let puzzle: Puzzle = serde_json::from_str(line).unwrap();
            games.push(puzzle.game);
        }
        games.dedup();
        assert_eq!(games, ["chase", "connect-four"]);
        for name in games {
            let game: GameName = name.parse().unwrap();
            let puzzles = Puzzle::of(game);
            assert!((5..=20).contains(&puzzles.len()), "{}", puzzles.len());
            for puzzle in puzzles {
                let text = format!("{game} {}, {}", puzzle.position, puzzle.source);
                let first = judge(game, &puzzle, &[]);
                assert_eq!(first.state, PuzzleState::Holds, "{text}");
                let actions = with_game!(game, G => legal::<G>(game, &puzzle.position));
                let kept = actions.into_iter().filter(|action| {
                    let after = judge(game, &puzzle, std::slice::from_ref(action));
                    after.state != PuzzleState::Missed
                });
                assert_eq!(kept.collect::<Vec<_>>(), puzzle.solutions, "{text}");
                if puzzle.gain.is_none() && puzzle.within > 1 {
                    let sooner = Puzzle {
                        within: puzzle.within - 2,
                        ..puzzle.clone()
                    };
                    assert_eq!(judge(game, &sooner, &[]).state, PuzzleState::Missed, "{text}");
                }
                let mut moves = Vec::new();
                loop {
                    let now = judge(game, &puzzle, &moves);
                    match now.state {
                        PuzzleState::Solved => break,
                        PuzzleState::Missed => panic!("{text}: {moves:?}"),
                        PuzzleState::Holds if now.reply.is_empty() => moves.push(now.line[0].clone()),
                        PuzzleState::Holds => moves.extend(now.reply),
                    }
                    assert!(moves.len() < 20, "{text}: {moves:?}");
                }
            }
        }
    }

    #[test]
    fn a_mistake_is_refuted_and_a_solution_is_answered() {
        let puzzles = Puzzle::of(GameName::Chase);
        let puzzle = puzzles.iter().find(|puzzle| puzzle.within == 3).unwrap();
        let mut others = legal::<Chase>(GameName::Chase, &puzzle.position);
        others.retain(|action| !puzzle.solutions.contains(action));
        let wrong = judge(GameName::Chase, puzzle, &others[..1]);
        assert_eq!(wrong.state, PuzzleState::Missed);
        assert!(wrong.refutation.is_some());
        let right = judge(GameName::Chase, puzzle, &puzzle.solutions);
        assert_eq!(right.state, PuzzleState::Holds);
        assert!(
            !right.reply.is_empty() && right.line.len() > right.reply.len(),
            "{right:?}"
        );
    }

    #[test]
    fn tasks_say_who_does_what_in_how_many_turns() {
        let tasks = |game| -> Vec<String> {
            let views = with_game!(game, G => all::<G>(game)).into_iter();
            views.map(|view| view["task"].as_str().unwrap().to_owned()).collect()
        };
        let chase = tasks(GameName::Chase);
        assert_eq!(chase[0], "Black to move and win at once");
        assert_eq!(
            chase[3],
            "Black to move and win a die: the lead must hold after 2 turns of each player"
        );
        assert_eq!(chase[6], "Black to move and win in 2 turns, whatever White does");
    }
}
