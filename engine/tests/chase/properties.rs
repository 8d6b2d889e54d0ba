//! Properties of every position, over positions of random games.

use std::collections::BTreeSet;

use crate::common::{SlowBoard, all_actions, cases, random_game};
use chase_engine::chase::{Action, Cell, Direction, MAX_ACTIONS, Position, Setup};
use chase_engine::{Chase, Player, conformance};
use proptest::prelude::*;

/// A seed and a number of plies: shrinking shortens the game.
fn games() -> impl Strategy<Value = (u64, usize)> {
    (any::<u64>(), 0..400_usize)
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn an_action_is_generated_exactly_if_the_slow_rules_allow_it((seed, plies) in games()) {
        let (_, position) = random_game(seed, plies);
        let slow = SlowBoard::new(&position);
        let generated: BTreeSet<Action> = position.legal_actions().into_iter().collect();
        prop_assert_eq!(generated.len(), position.count_actions(), "no action is generated twice");
        for action in all_actions() {
            let expected = slow.after(action);
            prop_assert_eq!(generated.contains(&action), expected.is_some(), "{} in {}", action, position);
            prop_assert_eq!(position.is_legal(action), expected.is_some(), "{} in {}", action, position);
            match (position.play(action), expected) {
                (Ok(next), Some(expected)) => prop_assert_eq!(SlowBoard::new(&next), expected, "{} in {}", action, position),
                (Err(_), None) => {}
                (played, _) => prop_assert!(false, "{action} in {position}: {played:?}"),
            }
        }
    }

    #[test]
    fn invariants_hold_along_a_game((seed, plies) in games()) {
        let (played, last) = random_game(seed, plies);
        let mut most = 0;
        for (position, action) in &played {
            prop_assert_eq!(position.key(), position.full_key(), "{}", position);
            most = most.max(position.count_actions());
            let next = position.play(*action).unwrap();
            let mover = position.to_move();
            for player in Player::BOTH {
                let missing = if player == next.to_move() { next.missing() } else { 0 };
                prop_assert_eq!(next.total(player) + missing, 25, "{} {}", position, action);
            }
            prop_assert!(next.missing() == 0 || next.is_lost() || next.absorbers().count() > 1);
            let same_player = next.to_move() == mover;
            prop_assert_eq!(same_player, matches!(action, Action::Absorb { .. }));
            prop_assert_eq!(next.turns_played() - position.turns_played(), u32::from(!same_player));
            let progress = next.occupied().count() != position.occupied().count();
            prop_assert!(!progress || next.quiet_turns() == 0, "captures and splits end the quiet");
            prop_assert!(next.quiet_turns() <= position.quiet_turns() + 1);
        }
        prop_assert!(most <= 100, "{most} actions: far below the proved {MAX_ACTIONS}");
        // The text says all of it, and says it in one way.
        let text = last.to_string();
        prop_assert_eq!(&text.parse::<Position>().unwrap(), &last);
        let setup: Setup = text.parse().unwrap();
        prop_assert_eq!(&setup, &last.to_setup());
        prop_assert_eq!(setup.to_string(), text);
        prop_assert_eq!(last.to_short_cfen().parse::<Setup>().unwrap().dice, setup.dice);
    }

    #[test]
    fn gains_and_different_cells_are_those_found_one_by_one((seed, plies) in games()) {
        let position = random_game(seed, plies).1;
        let legal = position.legal_actions().into_iter();
        let expected: Vec<(Action, i32)> = legal.map(|action| (action, position.gain(action))).filter(|&(_, gain)| gain > 0).collect();
        let mut gains = Vec::new();
        position.for_each_gain(|action, gain| gains.push((action, gain)));
        prop_assert_eq!(gains, expected, "{}", position);
        for action in position.legal_actions() {
            let next = position.play(action).unwrap();
            let lead = |of: &Position| of.lead(position.to_move());
            prop_assert!(position.gain(action) >= lead(&next) - lead(&position), "{} in {}", action, position);
            let expected: Vec<Cell> = Cell::all().filter(|&cell| position.die(cell) != next.die(cell)).collect();
            prop_assert_eq!(position.different_cells(&next).into_iter().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn possible_moves_are_the_legal_ones_and_say_what_they_capture((seed, plies) in games()) {
        let position = random_game(seed, plies).1;
        for player in Player::BOTH {
            // With the turn given to the player, who has nothing to absorb.
            let mut setup = position.to_setup();
            setup.to_move = player;
            let Ok(turned) = setup.validate() else { continue };
            if turned.missing() > 0 {
                continue;
            }
            let mut possible = Vec::new();
            position.for_each_possible_move(player, |found| possible.push(found));
            let legal = turned.legal_actions().into_iter();
            let moves: Vec<_> = legal.filter(|action| matches!(action, Action::Move { .. })).collect();
            let found: Vec<_> = possible
                .iter()
                .map(|found| Action::Move { from: found.from, direction: found.direction })
                .collect();
            prop_assert_eq!(&found, &moves, "{} {:?}", position, player);
            for (action, found) in moves.into_iter().zip(possible) {
                let next = turned.play(action).unwrap();
                let gone = turned.dice(!player).into_iter().filter(|&cell| !next.dice(!player).contains(cell));
                let captured: u8 = gone.map(|cell| turned.die(cell).unwrap().speed.pips()).sum();
                prop_assert_eq!(found.captured, captured, "{} {}", turned, action);
                let path = chase_engine::chase::geometry::path(found.from, found.direction, turned.die(found.from).unwrap().speed);
                prop_assert_eq!((found.target, found.arrival), (path.target, path.arrival));
            }
        }
    }

    #[test]
    fn exact_forms_round_trip((seed, plies) in games()) {
        for action in random_game(seed, plies).1.legal_actions() {
            prop_assert_eq!(action.to_string().parse::<Action>().unwrap(), action);
        }
    }

    #[test]
    fn turning_the_board_and_exchanging_the_players_is_an_exact_symmetry((seed, plies) in games()) {
        let (_, position) = random_game(seed, plies);
        let turned = position.rotated();
        prop_assert_eq!(turned.key(), turned.full_key());
        prop_assert_eq!(turned.rotated(), position);
        let mut actions: Vec<Action> = position.legal_actions().into_iter().map(Action::rotated).collect();
        actions.sort_unstable();
        let mut expected: Vec<Action> = turned.legal_actions().into_iter().collect();
        expected.sort_unstable();
        prop_assert_eq!(&actions, &expected, "{}", position);
        for action in position.legal_actions() {
            let next = position.play(action).unwrap();
            let other = turned.play(action.rotated()).unwrap();
            prop_assert_eq!(next.rotated().to_short_cfen(), other.to_short_cfen(), "{} {}", position, action);
            prop_assert_eq!(next.quiet_turns(), other.quiet_turns());
        }
    }

    #[test]
    fn a_mirror_changes_chamber_moves_and_nothing_else((seed, plies) in games()) {
        let (_, position) = random_game(seed, plies);
        let mirrored = mirror(&position);
        for action in all_actions() {
            let odd_one = position.is_legal(action) && enters_the_chamber(&position, action);
            if odd_one || enters_the_chamber(&mirrored, mirror_action(action)) {
                continue;
            }
            match (position.play(action), mirrored.play(mirror_action(action))) {
                (Ok(next), Ok(other)) => prop_assert_eq!(mirror(&next), other),
                (Err(_), Err(_)) => {}
                (played, other) => prop_assert!(false, "{action} in {position}: {played:?} but {other:?}"),
            }
        }
    }
}

#[test]
fn a_mirror_is_no_symmetry() {
    // A 3 enters the Chamber heading east: the large half leaves north-west, on its left.
    let position: Position = "abcdedcba/9/9/9/1C7/9/9/9/F1F1F1D2 w".parse().unwrap();
    let action: Action = "E2E".parse().unwrap();
    let next = position.play(action).unwrap();
    assert_eq!(next.to_short_cfen(), "abcdedcba/9/9/4B4/9/4A4/9/9/F1F1F1D2 b");
    let other = mirror(&position).play(mirror_action(action)).unwrap();
    assert_eq!(mirror(&other).to_short_cfen(), "abcdedcba/9/9/4A4/9/4B4/9/9/F1F1F1D2 b");
}

fn enters_the_chamber(position: &Position, action: Action) -> bool {
    match action {
        Action::Move { from, .. } => position.reach(from).contains(Cell::CHAMBER),
        _ => false,
    }
}

fn mirror_cell(cell: Cell) -> Cell {
    let k = cell.column() + 1;
    let k = (if cell.row().is_multiple_of(2) { 10 } else { 11 } - k + 8) % 9 + 1;
    let row = char::from(b'A' + cell.row() as u8);
    format!("{row}{k}").parse().unwrap()
}

fn mirror_action(action: Action) -> Action {
    let turn = |direction: Direction| match direction {
        Direction::E => Direction::W,
        Direction::W => Direction::E,
        Direction::NE => Direction::NW,
        Direction::NW => Direction::NE,
        Direction::SE => Direction::SW,
        Direction::SW => Direction::SE,
    };
    match action {
        Action::Move { from, direction } => Action::Move {
            from: mirror_cell(from),
            direction: turn(direction),
        },
        Action::Exchange {
            from,
            direction,
            points,
        } => Action::Exchange {
            from: mirror_cell(from),
            direction: turn(direction),
            points,
        },
        Action::Absorb { cell } => Action::Absorb {
            cell: mirror_cell(cell),
        },
    }
}

fn mirror(position: &Position) -> Position {
    let setup = position.to_setup();
    let mut mirrored = Setup {
        dice: [None; 81],
        ..setup.clone()
    };
    for cell in Cell::all() {
        mirrored.dice[mirror_cell(cell).index()] = setup.dice[cell.index()];
    }
    mirrored.validate().unwrap()
}

#[test]
fn chase_conforms() {
    let plies = conformance::check::<Chase>(&Default::default(), 40, 800, 7);
    assert!(plies > 2000, "only {plies} plies");
}
