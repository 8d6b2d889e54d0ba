//! The puzzles of the page.
//!
//! The page does not know the solutions. It sends what was played, and the server proves anew whether the goal can
//! still be forced: so every solution counts, the reply is the defence that lasts longest, and a mistake is answered by
//! a refutation. The positions of Chase are from the reference set of `chase solve --player`
//! (`experiments/arena/data`); `chase solve POSITION --within TURNS --actions` prints the proof of each.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use chase_engine::with_game;
use serde::{Deserialize, Serialize};

use super::Server;
use super::client::Client;
use super::puzzle::{Judgement, Puzzle, PuzzleView};
use super::refusal::{Refusal, aside};
use super::replay::{GameRequest, game_name};
use super::searches::SearchPurpose;
use super::table;

#[derive(Debug, Serialize)]
pub struct PuzzleList {
    puzzles: Vec<PuzzleView>,
}

/// The moves of a puzzle so far.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleRequest {
    /// The number of the puzzle among those of its game, from 0.
    puzzle: usize,
    game: GameRequest,
}

/// `GET /api/puzzles/{game}`
pub async fn list(Path(game): Path<String>) -> Result<Json<PuzzleList>, Refusal> {
    let game = game_name(Some(&game))?;
    let puzzles = Puzzle::of(game)?;
    let views = puzzles
        .iter()
        .map(|puzzle| with_game!(game, G => puzzle.view::<G>(game)));
    let puzzles = views.collect::<Result<_, _>>()?;
    Ok(Json(PuzzleList { puzzles }))
}

/// `POST /api/puzzle`: what has been played in a puzzle so far.
pub async fn judge(
    State(server): State<Server>,
    client: Client,
    request: Result<Json<PuzzleRequest>, JsonRejection>,
) -> Result<Json<Judgement>, Refusal> {
    let Json(PuzzleRequest {
        puzzle: number,
        mut game,
    }) = request?;
    let name = game.name()?;
    let puzzles = Puzzle::of(name)?;
    let missing = || {
        Refusal::missing(format!(
            "there is no puzzle {number} of {name}: it has {}",
            puzzles.len()
        ))
    };
    let puzzle = puzzles.get(number).cloned().ok_or_else(missing)?;
    game.begin_with(puzzle.position.clone(), Puzzle::rules(name));
    let table = table::open(&game)?;
    let turn = Arc::new(server.searches.begin(client, SearchPurpose::Play).await?);
    aside(move || table.judge(&puzzle, &|| turn.is_cancelled()))
        .await
        .map(Json)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::{Chase, Game, GameName};

    use super::*;
    use crate::serve::puzzle::{PUZZLES, PuzzleState};

    fn judge(game: GameName, puzzle: &Puzzle, moves: &[String]) -> Judgement {
        let mut request = GameRequest::of(game, moves);
        request.begin_with(puzzle.position.clone(), Puzzle::rules(game));
        table::open(&request).unwrap().judge(puzzle, &|| false).unwrap()
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
            let puzzles = Puzzle::of(game).unwrap();
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
        let puzzles = Puzzle::of(GameName::Chase).unwrap();
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
            let puzzles = Puzzle::of(game).unwrap();
            let views = puzzles
                .iter()
                .map(|puzzle| with_game!(game, G => puzzle.view::<G>(game)));
            views.map(|view| view.unwrap().task).collect()
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
