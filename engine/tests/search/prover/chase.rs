//! Chase: against full search without any pruning, and the problems of the article.

use chase_engine::chase::{Action, DiceAhead, Position, Rules};
use chase_engine::proof::{Budget, ProofVerdict, Prover, Win};
use chase_engine::{Chase, Game, Player};
use rand::RngExt;

use super::{TABLES, check, of};
use crate::rng;

/// A position of Chase by the published rules, without draws.
fn game(text: &str) -> Chase {
    Chase::from_position_text(text, &Rules::PUBLISHED).unwrap()
}

/// Positions of random games, of various lengths before their end.
fn late_positions(count: usize) -> Vec<Position> {
    let mut rng = rng(31);
    let mut found = Vec::new();
    let mut actions = Vec::new();
    while found.len() < count {
        let mut game = Chase::new(&Rules::default());
        let mut positions = Vec::new();
        while game.outcome().is_none() {
            positions.push(*game.position());
            game.legal_actions(&mut actions);
            game.apply(actions[rng.random_range(0..actions.len())]);
        }
        if game.end_reason() == Some("four dice") {
            found.push(positions[positions.len() - 1 - found.len() % 8]);
        }
    }
    found
}

/// True if the attacker wins within this many turns, by the definition.
fn wins(position: &Position, attacker: Player, turns: u32) -> bool {
    if let Some((winner, _)) = position.decision() {
        return winner == attacker;
    }
    if turns == 0 {
        return false;
    }
    let mut actions = position.legal_actions().into_iter();
    let mut outcome = |action| wins(&position.play(action).unwrap(), attacker, turns - passes(action));
    match position.to_move() == attacker {
        true => actions.any(&mut outcome),
        false => actions.all(&mut outcome),
    }
}

/// The net captures of the attacker by this many turns of best play, by the definition and without pruning.
fn captures(position: &Position, attacker: Player, turns: u32) -> i32 {
    let actions = position.legal_actions();
    if turns == 0 || actions.is_empty() {
        return 0;
    }
    let actor = position.to_move();
    let values = actions.into_iter().map(|action| {
        let next = position.play(action).unwrap();
        let captured = (position.dice(!actor).count() - next.dice(!actor).count()) as i32;
        let net = if actor == attacker { captured } else { -captured };
        net + captures(&next, attacker, turns - passes(action))
    });
    if actor == attacker { values.max() } else { values.min() }.unwrap()
}

fn passes(action: Action) -> u32 {
    u32::from(!matches!(action, Action::Absorb { .. }))
}

#[test]
fn wins_within_some_turns_are_those_of_full_search() {
    let mut seen = [0; 2];
    for position in late_positions(40) {
        let game = Chase::from_position(position, Rules::PUBLISHED);
        for attacker in Player::BOTH {
            for turns in 0..=3 {
                let expected = wins(&position, attacker, turns);
                for bytes in TABLES {
                    let found = check(&game, Win::within(attacker, turns), bytes);
                    assert_eq!(found, of(expected), "{position}: {attacker:?} within {turns}");
                }
                seen[usize::from(expected)] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}

#[test]
fn longer_wins_are_those_of_full_search() {
    let mut seen = [0; 2];
    for position in late_positions(24) {
        let game = Chase::from_position(position, Rules::PUBLISHED);
        // Where there is much to choose a full search of four turns takes too long for a test.
        if position.legal_actions().len() < 32 {
            for (attacker, bytes) in Player::BOTH.into_iter().zip(TABLES) {
                let expected = wins(&position, attacker, 4);
                let found = check(&game, Win::within(attacker, 4), bytes);
                assert_eq!(found, of(expected), "{position}: {attacker:?} within 4");
                seen[usize::from(expected)] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 5), "{seen:?}");
}

#[test]
fn dice_won_are_those_of_full_search() {
    let few = "2f2f3/9/7F1/1d7/8d/9/8e/2E6/1E3DE2 b";
    let melee = "4a1C2/1d2BcC2/6Ad1/B3C4/7B1/dA7/1e7/d8/9 w";
    let mut positions = late_positions(16);
    positions.extend([few, melee].map(|text| text.parse::<Position>().unwrap()));
    let mut values = std::collections::BTreeSet::new();
    for position in positions {
        let game = Chase::from_position(position, Rules::PUBLISHED);
        for attacker in Player::BOTH {
            for turns in 0..=3 {
                let value = captures(&position, attacker, turns);
                values.insert(value);
                for dice in -3..=3 {
                    let goal = DiceAhead { attacker, dice, turns };
                    let bytes = TABLES[dice as usize & 1];
                    let found = check(&game, goal, bytes);
                    assert_eq!(found, of(value >= dice), "{position}: {goal:?}, value {value}");
                }
            }
        }
    }
    assert!(values.len() > 2, "{values:?}");
}

#[test]
fn a_4_put_forward_is_lost_within_4_turns_and_nothing_else_is() {
    let start = Chase::new(&Rules::PUBLISHED);
    let mut actions = Vec::new();
    start.legal_actions(&mut actions);
    let mut losing = Vec::new();
    for action in actions {
        let mut next = start.clone();
        next.apply(action);
        let goal = DiceAhead {
            attacker: Player::Black,
            dice: 1,
            turns: 4,
        };
        if Prover::new(goal, 1 << 16).prove(&next, &mut Budget::nodes(100_000)) == ProofVerdict::Proved {
            losing.push(start.action_text(action));
        }
    }
    assert_eq!(losing, ["A4NE", "A4NW", "A6NE", "A6NW"]);
}

/// The position that the solution of Problem 1 determines, Grey (Black) to move.
const PROBLEM_1: &str = "2f3f2/9/1D1f1f3/3E2D1E/3a5/9/8C/D8/9 b";

#[test]
fn problem_1_is_won_in_three_turns_of_white_and_even_in_two() {
    let problem = game(PROBLEM_1);
    for (turns, expected) in [(2, false), (3, false), (4, true), (5, true), (6, true)] {
        assert_eq!(
            check(&problem, Win::within(Player::White, turns), 1 << 20),
            of(expected),
            "{turns}"
        );
    }
    assert_eq!(check(&problem, Win::of(Player::White), 1 << 20), ProofVerdict::Proved);
    assert_eq!(
        check(&problem, Win::within(Player::Black, 5), 1 << 20),
        ProofVerdict::Disproved
    );
    // All of Grey's replies lose, the printed one too; after it the printed key wins in time.
    let mut reply = problem.clone();
    reply.apply(reply.position().parse_article("E4F5").unwrap()[0]);
    let mut prover = Prover::new(Win::within(Player::White, 5), 1 << 20);
    let actions = prover.actions(&reply, &mut Budget::nodes(1_000_000));
    let proved = actions.iter().filter(|(_, verdict)| *verdict == ProofVerdict::Proved);
    let texts: Vec<String> = proved
        .map(|&(action, _)| reply.position().article_text(action))
        .collect();
    assert!(texts.contains(&"1B1C9".to_owned()), "{texts:?}");
    for &(action, verdict) in &actions {
        let next = reply.position().play(action).unwrap();
        assert_eq!(verdict, of(wins(&next, Player::White, 4)), "{action}");
    }
}

#[test]
fn problem_2_is_won_at_once() {
    // One of the positions that its text leaves open, after White has absorbed.
    let problem = game("1f1f1f1e1/9/9/9/9/9/Cb3D3/9/F1F1F4 w");
    let mut prover = Prover::new(Win::within(Player::White, 1), 1 << 10);
    let actions = prover.actions(&problem, &mut Budget::nodes(1000));
    let winning = actions.iter().filter(|(_, verdict)| *verdict == ProofVerdict::Proved);
    let texts: Vec<String> = winning
        .map(|&(action, _)| problem.position().article_text(action))
        .collect();
    assert_eq!(texts, ["C6C1/C1:C2", "C6:C2"]);
}
