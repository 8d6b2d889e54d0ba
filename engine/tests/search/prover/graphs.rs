//! Random graphs: any order of players, cycles, and every way to end.

use chase_engine::proof::{Budget, Goal, GoalProgress, Prover, Win};
use chase_engine::{Game, Outcome, Player};

use super::{TABLES, after, check, of};
use crate::graph_game::{Graph, GraphGame};
use crate::rng;

/// Positions from which a player wins: the least set that holds its wins, the player's positions with an action into
/// the set, and the opponent's with no other. With a number of turns: within this number.
fn winning(graph: &Graph, attacker: Player, turns: Option<u32>) -> Vec<bool> {
    let ended = |at: usize| graph.spots[at].end == Some(Outcome::Win(attacker));
    // What is won within fewer turns; without a bound that is the set itself.
    let fewer = match turns {
        None => None,
        Some(0) => return (0..graph.spots.len()).map(ended).collect(),
        Some(turns) => Some(winning(graph, attacker, Some(turns - 1))),
    };
    let mut set: Vec<bool> = (0..graph.spots.len()).map(ended).collect();
    loop {
        let before = set.clone();
        for (at, spot) in graph.spots.iter().enumerate().filter(|(_, spot)| spot.end.is_none()) {
            let wins = |&next: &usize| {
                let next_spot = &graph.spots[next];
                let passes = next_spot.end.is_some() || next_spot.to_move != spot.to_move;
                match &fewer {
                    Some(fewer) if passes => fewer[next],
                    _ => before[next],
                }
            };
            set[at] = match spot.to_move == attacker {
                true => spot.next.iter().any(wins),
                false => spot.next.iter().all(wins),
            };
        }
        if set == before {
            return set;
        }
    }
}

#[test]
fn wins_on_graphs_with_cycles_are_those_of_the_fixed_point() {
    let mut rng = rng(8);
    let mut seen = [0; 2];
    for index in 0..400 {
        let size = 5 + index % 12;
        let graph = Graph {
            // History is not in the keys: what recurs is the prover's to find.
            repetition: false,
            ..Graph::random(size, index % 4 != 0, index % 3 == 0, &mut rng)
        };
        for attacker in Player::BOTH {
            for turns in [None, Some(0), Some(1), Some(2), Some(3), Some(5), Some(9)] {
                let expected = winning(&graph, attacker, turns);
                let goal = turns.map_or(Win::of(attacker), |turns| Win::within(attacker, turns));
                for bytes in TABLES {
                    let found = check(&graph.game(), goal, bytes);
                    assert_eq!(
                        found,
                        of(expected[0]),
                        "{attacker:?} {turns:?} in graph {index}: {graph:?}"
                    );
                }
                // One table for all positions, in which what held below a recurrence must not have been kept.
                let mut prover = Prover::new(goal, 1 << 16);
                for (at, &expected) in expected.iter().enumerate() {
                    let game = GraphGame::from_position_text(&at.to_string(), &graph).unwrap();
                    let found = prover.prove(&game, &mut Budget::nodes(1_000_000));
                    assert_eq!(
                        found,
                        of(expected),
                        "{attacker:?} {turns:?} from {at} of graph {index}: {graph:?}"
                    );
                }
                seen[usize::from(expected[0])] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 500), "{seen:?}");
}

/// To go through this many positions with even numbers. The remaining need depends on the way, not on where it led.
#[derive(Clone, Copy, Debug)]
struct Even(i32);

impl Goal<GraphGame> for Even {
    fn attacker(&self) -> Player {
        Player::White
    }

    fn start(&self) -> GoalProgress {
        GoalProgress {
            need: self.0,
            turns: Some(20),
        }
    }

    fn need_after(&self, _: &GraphGame, after: &GraphGame, need: i32) -> i32 {
        need - i32::from(after.at().is_multiple_of(2))
    }

    fn decided(&self, game: &GraphGame, progress: GoalProgress) -> Option<bool> {
        let over = game.outcome().is_some() || progress.turns == Some(0);
        (over || progress.need <= 0).then_some(progress.need <= 0)
    }
}

/// The same by the definition.
fn reaches(goal: Even, game: &GraphGame, progress: GoalProgress) -> bool {
    goal.decided(game, progress).unwrap_or_else(|| {
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        let mut outcomes = actions.into_iter().map(|action| {
            let mut next = game.clone();
            next.apply(action);
            reaches(goal, &next, after(&goal, game, &next, progress))
        });
        match game.to_move() == Player::White {
            true => outcomes.any(|reached| reached),
            false => outcomes.all(|reached| reached),
        }
    })
}

#[test]
fn ways_that_count_differently_are_told_apart_where_they_meet() {
    let mut rng = rng(9);
    let mut seen = [0; 2];
    for index in 0..300 {
        let graph = Graph::random(16, false, false, &mut rng);
        for need in 1..=4 {
            let (goal, game) = (Even(need), graph.game());
            let expected = reaches(goal, &game, goal.start());
            assert_eq!(
                check(&game, goal, TABLES[0]),
                of(expected),
                "{goal:?} in graph {index}: {graph:?}"
            );
            seen[usize::from(expected)] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}
