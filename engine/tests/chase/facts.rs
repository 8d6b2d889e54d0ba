//! Facts about the game that were found by hand or by other programs.

use std::collections::BTreeSet;

use chase_engine::chase::{Action, Bitboard, Cell, Direction, Position, Speed, geometry};

fn cells(names: &str) -> Bitboard {
    names
        .split_whitespace()
        .map(|name| name.parse::<Cell>().unwrap())
        .collect()
}

fn play(position: &Position, text: &str) -> Position {
    position.play(text.parse().unwrap()).unwrap()
}

/// Successors of a set of positions, as CFEN without counters.
fn successors(positions: &BTreeSet<String>) -> BTreeSet<String> {
    let mut next = BTreeSet::new();
    for text in positions {
        let position: Position = text.parse().unwrap();
        position.for_each_action(|action| {
            next.insert(position.play(action).unwrap().to_short_cfen());
        });
    }
    next
}

#[test]
fn the_initial_position_has_46_actions_with_44_results() {
    let start = Position::initial();
    let actions = start.legal_actions();
    let moves = actions
        .iter()
        .filter(|action| matches!(action, Action::Move { .. }))
        .count();
    assert_eq!((actions.len(), moves), (46, 22));
    assert_eq!(play(&start, "A1E"), play(&start, "A9E"));
    assert_eq!(play(&start, "A1W"), play(&start, "A9W"));
    // The whole row shifts by one.
    assert_eq!(
        play(&start, "A1E").to_short_cfen(),
        "abcdedcba/9/9/9/9/9/9/9/AABCDEDCB b"
    );
    let mut layer = BTreeSet::from([start.to_short_cfen()]);
    for expected in [44, 1934, 47_290] {
        layer = successors(&layer);
        assert_eq!(layer.len(), expected);
    }
}

#[test]
fn only_6s_on_rows_d_and_f_reach_a_cell_in_two_directions() {
    for from in Cell::all() {
        for speed in Speed::ALL {
            let paths = geometry::paths(from, speed).iter().zip(Direction::ALL);
            let real = paths.filter(|&(_, direction)| geometry::neighbour(from, direction).is_some());
            let mut targets: Vec<Cell> = real.map(|(path, _)| path.target).collect();
            let count = targets.len();
            targets.sort_unstable();
            targets.dedup();
            let expected = speed == Speed::SIX && (from.row() == 3 || from.row() == 5);
            assert_eq!(targets.len() < count, expected, "a {speed} on {from}");
        }
    }
}

#[test]
fn two_directions_to_one_cell_differ_by_an_own_die_there() {
    let from: Cell = "D1".parse().unwrap();
    let alone: Position = "abcdedcba/9/9/9/9/F8/9/9/2F1E1F1B w".parse().unwrap();
    for (one, two, target) in [("D1E", "D1SW", "D7"), ("D1W", "D1SE", "D4")] {
        let (one, two): (Action, Action) = (one.parse().unwrap(), two.parse().unwrap());
        let target: Cell = target.parse().unwrap();
        for action in [one, two] {
            let Action::Move { direction, .. } = action else {
                unreachable!("a move")
            };
            assert_eq!(geometry::path(from, direction, Speed::SIX).target, target);
        }
        let result = |position: &Position, action| position.play(action).unwrap();
        assert_eq!(result(&alone, one), result(&alone, two));
        let mut setup = alone.to_setup();
        setup.dice.swap("A9".parse::<Cell>().unwrap().index(), target.index());
        let with_own_die = setup.validate().unwrap();
        assert_ne!(result(&with_own_die, one), result(&with_own_die, two));
    }
}

#[test]
fn nobody_can_enter_the_chamber_at_first_and_3s_and_4s_attack_its_neighbours() {
    let start = Position::initial();
    let around = geometry::neighbours(Cell::CHAMBER);
    assert_eq!(around, cells("E4 F5 F6 E6 D6 D5"));
    for (player_cells, expected) in [
        ("A4 A6 A3 A7", ["E6", "E4", "D5", "D6"]),
        ("I4 I6 I3 I7", ["E6", "E4", "F5", "F6"]),
    ] {
        for (from, to) in player_cells.split(' ').zip(expected) {
            let reach = start.reach(from.parse().unwrap());
            assert_eq!(reach & around, cells(to), "from {from}");
        }
    }
    for (from, die) in start.all_dice() {
        let reach = start.reach(from);
        assert!(!reach.contains(Cell::CHAMBER), "{from}");
        let pips = die.speed.pips();
        assert_eq!(reach.intersects(around), pips == 3 || pips == 4, "{from}");
    }
}

#[test]
fn after_1a6a7_the_4_on_a7_can_split_to_d5_and_e6() {
    let prepared = play(&Position::initial(), "1A6A7");
    let white_again = play(&prepared, "1I2I3");
    assert!(white_again.reach("A7".parse().unwrap()).contains(Cell::CHAMBER));
    let split = play(&white_again, "A7NW");
    assert_eq!(split.to_short_cfen(), "aaddedcba/9/9/9/5B3/4B4/9/9/ABCDEC1BA b");
}

/// Cells from which a die of each speed can be in the Chamber within 1, 2, 3, … of its moves on an open board.
#[test]
fn entry_to_the_chamber_on_an_open_board() {
    let expected: [&[usize]; 6] = [
        &[6, 18, 36, 60, 74, 80],
        &[6, 18, 28, 38, 44],
        &[6, 14, 20, 26],
        &[6, 12, 16, 22, 26],
        &[6, 16, 34, 58, 74, 80],
        &[6, 14],
    ];
    for (speed, counts) in Speed::ALL.into_iter().zip(expected) {
        let mut inside = Bitboard::CHAMBER;
        for &count in counts {
            inside = entries(speed, inside);
            assert_eq!(inside.count() - 1, count, "a {speed}");
        }
        assert_eq!(entries(speed, inside), inside, "a {speed} gets in from no further cell");
    }
}

/// `goal` and the cells from which one move of a die alone on the board leads into it.
fn entries(speed: Speed, goal: Bitboard) -> Bitboard {
    let leads_there = |&from: &Cell| {
        let mut paths = geometry::paths(from, speed).iter();
        paths.any(|path| !path.between.contains(Cell::CHAMBER) && goal.contains(path.target))
    };
    Cell::all()
        .filter(|from| goal.contains(*from) || leads_there(from))
        .collect()
}

/// The texts do not say which half of a split resolves first. It cannot matter: for the two chains of bumps to meet,
/// more dice would have to stand before the exits than a player who may split can own beside the splitting die.
#[test]
fn chains_from_the_two_exits_of_the_chamber_cannot_meet() {
    for entering in Direction::ALL {
        let chain = |(cell, direction)| {
            let steps = std::iter::successors(Some((cell, direction)), |&(cell, direction)| {
                Some(geometry::step(cell, direction))
            });
            // A chain into the Chamber is illegal, so it ends before.
            let cells = steps.map(|(cell, _)| cell).take_while(|&cell| cell != Cell::CHAMBER);
            cells.take(10).collect::<Vec<_>>()
        };
        let [left, right] = Position::chamber_exits(entering).map(chain);
        for (i, a) in left.iter().enumerate() {
            for (j, b) in right.iter().enumerate() {
                // To come to these cells, the chains bump i and j dice: nine less the splitting one are eight.
                assert!(a != b || i + j > 8, "entering {entering}: both come to {a}");
            }
        }
    }
}

#[test]
fn the_loser_of_a_die_chooses_among_equal_lowest_dice_and_then_moves() {
    let position: Position = "a1f1f1f1a/c8/9/9/5b3/9/9/9/ABCDEDCBA w 5 9".parse().unwrap();
    let captured = play(&position, "A4NE");
    assert_eq!((captured.missing(), captured.absorbers()), (2, cells("I1 I9")));
    let actions: Vec<String> = captured.legal_actions().iter().map(ToString::to_string).collect();
    assert_eq!(actions, ["=I1", "=I9"]);
    let absorbed = play(&captured, "=I1");
    assert_eq!(absorbed.to_string(), "c1f1f1f1a/c8/9/9/5D3/9/9/9/ABC1EDCBA b 0 9");
    assert_eq!(absorbed.missing(), 0);
}

#[test]
fn a_forced_absorption_happens_with_the_capture_and_overflows_to_the_next_lowest() {
    let position: Position = "a1f1b1f1d/9/9/9/5f3/9/9/9/ABCDEDCBA w".parse().unwrap();
    let captured = play(&position, "A4NE");
    assert_eq!(captured.to_string(), "f1f1c1f1d/9/9/9/5D3/9/9/9/ABC1EDCBA b 0 1");
    assert_eq!(captured.missing(), 0);
}

#[test]
fn the_fifth_die_lost_ends_the_game_at_the_capture() {
    let position: Position = "f1f1f3e/9/9/9/5b3/9/9/9/ABCDEDCBA w".parse().unwrap();
    let captured = play(&position, "A4NE");
    assert_eq!(captured.to_short_cfen(), "f1f1f3e/9/9/9/5D3/9/9/9/ABC1EDCBA b");
    let (winner, reason) = captured.decision().unwrap();
    assert_eq!((winner.name(), reason), ("white", "four dice"));
    assert!(captured.legal_actions().is_empty());
    // The position can be written and read although Black shows less than 25.
    assert_eq!(captured.to_string().parse::<Position>().unwrap(), captured);
}
