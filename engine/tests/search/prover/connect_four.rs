//! Connect Four: against its exact solver.

use chase_engine::connect_four::Solver;
use chase_engine::proof::Win;
use chase_engine::{ConnectFour, Game, Player};
use rand::RngExt;

use super::{check, of};
use crate::rng;

#[test]
fn wins_are_those_of_the_solver() {
    let mut solver = Solver::default();
    let mut rng = rng(4);
    let mut seen = [0; 3];
    let mut actions = Vec::new();
    for index in 0..400 {
        let mut game = ConnectFour::new(&());
        for _ in 0..22 + index % 12 {
            game.legal_actions(&mut actions);
            if !actions.is_empty() {
                game.apply(actions[rng.random_range(0..actions.len())]);
            }
        }
        if game.outcome().is_some() {
            continue;
        }
        let (score, mover) = (solver.score(&game), game.to_move());
        seen[(score.signum() + 1) as usize] += 1;
        let text = game.position_text();
        assert_eq!(check(&game, Win::of(mover), 1 << 20), of(score > 0), "{text}");
        assert_eq!(check(&game, Win::of(!mover), 1 << 20), of(score < 0), "{text}");
        if score != 0 {
            // The winner's last stone: its 22 less the score, of 21 each; every ply is a turn.
            let winner = if score > 0 { mover } else { !mover };
            let stones = 22 - score.unsigned_abs();
            let last = 2 * stones - u32::from(winner == Player::White);
            let turns = last - game.plies();
            assert_eq!(check(&game, Win::within(winner, turns), 1 << 20), of(true), "{text}");
            assert_eq!(
                check(&game, Win::within(winner, turns - 1), 1 << 20),
                of(false),
                "{text}"
            );
        }
    }
    assert!(seen.iter().all(|&count| count > 5), "losses, draws, wins: {seen:?}");
}
