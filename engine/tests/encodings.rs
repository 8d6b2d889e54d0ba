//! Encodings agree with their games.

// A failed test may panic.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fmt::Write;

use chase_engine::chase::{Cell, ChaseEncoding, Direction, Rules, Setup, geometry};
use chase_engine::connect_four::ConnectFourEncoding;
use chase_engine::draughts::{
    self, Checkers, CheckersUniNum, DraughtsEncoding, Position, QueensNum, QueensUni, StaxCyl, Symmetry, Variant,
    Variation,
};
use chase_engine::encode::occupancy;
use chase_engine::placement::{self, Board, Placement, PlacementEncoding, Shown};
use chase_engine::{Chase, ConnectFour, Draughts, Encode, Game, GameName, with_game};
use expect_test::expect_file;
use ndarray::{Array3, s};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

fn planes<G: Encode>(game: &G, encoding: &G::Encoding) -> Array3<f32> {
    // Not zero before, so that a plane left out shows.
    let mut planes = Array3::from_elem(G::shape(encoding).input(), f32::NAN);
    game.encode(encoding, planes.view_mut());
    planes
}

const ALL_PLANES: ChaseEncoding = ChaseEncoding {
    attack_maps: true,
    move_maps: true,
};

/// Plies after which a position of a game has occurred before, from a position or the initial one. Games of random
/// actions do not lead there.
const RETURNS: [(GameName, Option<&str>, &str); 2] = [
    (
        // Each line moves to and fro, kills the stone in its way, and its player replaces the one that the other kills.
        GameName::Moves23,
        Some("6/1xx4/8/9/10/1oox7/10/9/8/7/6 o 3 -"),
        "c6:g6 k2 g2:k2 c6 g6:c6 g2 k2:g2 g6",
    ),
    (GameName::Tricolour, None, "m5 keep -- -- m5k3 -- -- -- k3m5 -- -- --"),
];

/// The states of the game in [`RETURNS`], if there is one.
fn returning_game<G: Game>(rules: &G::Rules, mut visit: impl FnMut(&G)) {
    let Some((_, start, actions)) = RETURNS.iter().find(|(game, ..)| game.name() == G::name(rules)) else {
        return;
    };
    let mut game = start.map_or_else(|| G::new(rules), |text| G::from_position_text(text, rules).unwrap());
    for text in actions.split(' ') {
        game.apply(game.parse_action(text).unwrap());
        visit(&game);
    }
}

/// Games of random actions, every state of each.
fn random_games<G: Game>(rules: &G::Rules, games: u64, mut visit: impl FnMut(&G)) {
    let mut actions = Vec::new();
    for seed in 0..games {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game = G::start(rules, &mut rng);
        loop {
            visit(&game);
            game.legal_actions(&mut actions);
            if actions.is_empty() {
                break;
            }
            game.apply(actions[rng.random_range(0..actions.len())]);
        }
    }
}

/// Checks that hold for every encoding.
fn check_encoding<G: Encode>(rules: &G::Rules, encoding: &G::Encoding, games: u64) {
    let shape = G::shape(encoding);
    let names = G::plane_names(encoding);
    assert_eq!(names.len(), shape.planes);
    assert_eq!(
        names.iter().collect::<BTreeSet<_>>().len(),
        names.len(),
        "names must differ"
    );
    // No plane without an index.
    assert!(shape.policy_size() < G::POLICY_SIZE + shape.cells());
    // Of each plane the lowest and the highest number seen.
    let mut ranges = vec![(f32::INFINITY, f32::NEG_INFINITY); shape.planes];
    let mut actions = Vec::new();
    let mut visit = |game: &G| {
        game.legal_actions(&mut actions);
        for &action in &actions {
            assert!(
                game.policy_index(action) < shape.policy_size(),
                "{}",
                game.action_text(action)
            );
        }
        let planes = planes(game, encoding);
        for ((plane, range), name) in planes.outer_iter().zip(&mut ranges).zip(&names) {
            for &number in plane {
                assert!(
                    (0.0..=1.0).contains(&number),
                    "`{name}` has {number} in {}",
                    game.position_text()
                );
                *range = (range.0.min(number), range.1.max(number));
            }
        }
    };
    random_games(rules, games, &mut visit);
    returning_game(rules, &mut visit);
    for (range, name) in ranges.iter().zip(&names) {
        assert!(
            range.0 < range.1,
            "`{name}` was {} throughout: is it written at all?",
            range.0
        );
    }
}

#[test]
fn planes_are_named_complete_and_in_range() {
    check_encoding::<ConnectFour>(&(), &ConnectFourEncoding::default(), 20);
    for attack_maps in [false, true] {
        for move_maps in [false, true] {
            let encoding = ChaseEncoding { attack_maps, move_maps };
            check_encoding::<Chase>(&Rules::default(), &encoding, 30);
        }
    }
}

#[test]
fn planes_of_all_games_are_named_complete_and_in_range() {
    for &name in GameName::ALL {
        with_game!(name, G => {
            check_encoding::<G>(&name.rules::<G>(), &G::standard_encoding(&name.rules::<G>()), 150);
        });
    }
    let encoding = DraughtsEncoding {
        game: Variation::QueensNum,
        jump_maps: false,
    };
    check_encoding::<Draughts>(&draughts::Rules::standard(Variation::QueensNum), &encoding, 20);
}

/// Images under every exact symmetry have equal planes if they only exchange the players, and equal legal policy
/// indices.
#[test]
fn draughts_look_the_same_to_both_players() {
    fn check<V: Variant>() {
        let exchange = Symmetry::all(V::VARIATION).into_iter().find(|&symmetry| {
            let b6 = draughts::Cell::new(1, 5);
            symmetry.cell(V::VARIATION, b6) == b6.seen_by(chase_engine::Player::Black, V::BASE)
        });
        let exchange = exchange.unwrap();
        let rules = draughts::Rules::standard(V::VARIATION);
        random_games(&rules, 4, |game: &Draughts| {
            // Without its history, which the image does not have either.
            let text = game.position_text();
            let position: Position<V> = text.parse().unwrap();
            let [plain, image] = [position, position.under(exchange)]
                .map(|position| Draughts::from_position_text(&position.to_string(), &rules).unwrap());
            let encoding = Draughts::standard_encoding(&rules);
            assert_eq!(planes(&plain, &encoding), planes(&image, &encoding), "{text}");
            let indices = |game: &Draughts| -> BTreeSet<usize> {
                let mut actions = Vec::new();
                game.legal_actions(&mut actions);
                actions.iter().map(|&action| game.policy_index(action)).collect()
            };
            assert_eq!(indices(&plain), indices(&image), "{text}");
        });
    }
    check::<Checkers>();
    check::<CheckersUniNum>();
    check::<StaxCyl>();
    check::<QueensNum>();
    check::<QueensUni>();
}

/// Images that exchange the players have equal planes, and so have equal legal policy indices.
#[test]
fn placement_games_look_the_same_to_both_players() {
    fn check<P: Shown>() {
        let exchange = P::symmetries()
            .into_iter()
            .find(|symmetry| symmetry.exchanges_players());
        let exchange = exchange.unwrap();
        let rules = placement::Rules::default();
        random_games(&rules, 4, |game: &Placement<P>| {
            let position = *game.position();
            let [plain, image] =
                [position, position.under(exchange)].map(|position| Placement::from_position(position, rules));
            let encoding = PlacementEncoding::default();
            let text = game.position_text();
            assert_eq!(planes(&plain, &encoding), planes(&image, &encoding), "{text}");
            let indices = |game: &Placement<P>| -> Vec<usize> {
                let mut actions = Vec::new();
                game.legal_actions(&mut actions);
                actions.iter().map(|&action| game.policy_index(action)).collect()
            };
            assert_eq!(indices(&plain), indices(&image), "{text}");
        });
    }
    check::<placement::moves23::Moves23Position>();
    check::<placement::lines9::Lines9Position>();
}

#[test]
fn planes_of_a_placement_game_show_its_turn() {
    // The numbers of a cell's planes that are not zero.
    fn shown<P: Shown>(text: &str, cell: &str) -> Vec<(String, f32)> {
        let game = Placement::<P>::from_position_text(text, &placement::Rules::default()).unwrap();
        let encoding = PlacementEncoding::default();
        let cell = placement::Cell::<P::Board>::all()
            .find(|other| other.to_string() == cell)
            .unwrap();
        let at = [cell.plane_index() / P::Board::ROWS, cell.plane_index() % P::Board::ROWS];
        let names = Placement::<P>::plane_names(&encoding).into_iter();
        let numbers = planes(&game, &encoding);
        names
            .zip(numbers.outer_iter().map(|plane| plane[at]))
            .filter(|(_, number)| *number != 0.0)
            .collect()
    }
    let expected = |numbers: &[(&str, f32)]| -> Vec<(String, f32)> {
        numbers
            .iter()
            .map(|&(name, number)| (name.to_owned(), number))
            .collect()
    };
    assert_eq!(
        shown::<placement::moves23::Moves23Position>("5o/7/8/2xxx4/10/4oo5/10/9/8/7/3x2 x 2 l11", "l11"),
        expected(&[
            ("own stones", 1.0),
            ("in play", 1.0),
            ("placed", 1.0),
            ("sides 2", 1.0),
            ("stones left", 2.0 / 3.0),
        ])
    );
    assert_eq!(
        shown::<placement::tetra24::Tetra24Position>("7/8/9/10/11/12/x5oo5/12/11/10/9/8/7 o 3 o7 0 -", "m7"),
        expected(&[
            ("own stones", 1.0),
            ("in play", 1.0),
            ("closed", 1.0),
            ("stones left", 0.75)
        ])
    );
    assert_eq!(
        shown::<placement::lines9::Lines9Position>("x8/1x7/9/9/4o4/9/9/9/9 o 2+", "a1"),
        expected(&[
            ("enemy stones", 1.0),
            ("stones left", 1.0),
            ("third stone", 1.0),
            ("own behind", 1.0),
            ("enemy longest", 2.0 / 9.0),
        ])
    );
    assert_eq!(
        shown::<placement::tricolour::TricolourPosition>("5/6/4x2/8/4o4/8/7/6/5 x p 0", "q5"),
        expected(&[
            ("in play", 1.0),
            ("colour 1", 1.0),
            ("colour 2", 1.0),
            ("distance", 1.0),
            ("place", 1.0),
        ])
    );
}

#[test]
fn a_stack_shows_its_pieces_from_the_top() {
    let text = "8/8/8/8/8/2(MmmQqqm)5/1(qMMMMMMMMMM)6/(mmmmmm)7 l -";
    let rules = draughts::Rules::standard(Variation::Queens);
    let game = Draughts::from_position_text(text, &rules).unwrap();
    let encoding = Draughts::standard_encoding(&rules);
    let planes = planes(&game, &encoding);
    // Light is to move: ranks are counted from the eighth, and lower case is the mover's.
    let c3: Vec<(String, f32)> = Draughts::plane_names(&encoding)
        .into_iter()
        .zip(planes.outer_iter().map(|plane| plane[[5, 2]]))
        .filter(|(_, number)| *number != 0.0)
        .collect();
    let expected = [
        ("enemy man", 1.0),
        ("2nd own man", 1.0),
        ("3rd own man", 1.0),
        ("4th enemy king", 1.0),
        ("below: own man", 1.0 / 12.0),
        ("below: own king", 2.0 / 12.0),
        ("run", 1.0 / 12.0),
        ("height", 7.0 / 24.0),
        ("rank", 5.0 / 7.0),
        // The king on b2 could jump it.
        ("own jumps", 1.0),
    ];
    let found: Vec<_> = c3.iter().map(|(name, number)| (name.as_str(), *number)).collect();
    assert_eq!(found, expected);
}

#[test]
fn chase_looks_the_same_to_both_players() {
    let encoding = ALL_PLANES;
    let mut actions = Vec::new();
    let mut indices = |game: &Chase| -> BTreeSet<usize> {
        game.legal_actions(&mut actions);
        actions.iter().map(|&action| game.policy_index(action)).collect()
    };
    random_games(&Rules::default(), 10, |game: &Chase| {
        // Without its history, which the turned position does not have either.
        let plain = Chase::from_position(*game.position(), *game.rules());
        let turned = Chase::from_position(game.position().rotated(), *game.rules());
        assert_eq!(
            planes(&plain, &encoding),
            planes(&turned, &encoding),
            "{}",
            game.position_text()
        );
        assert_eq!(indices(&plain), indices(&turned), "{}", game.position_text());
    });
}

/// A network's kernels look at fixed offsets on the planes: these must be the neighbours on the board.
/// Planes and actions of a position, in the mirror, are those of its mirror image wherever no die reaches the Chamber.
#[test]
fn chase_looks_the_same_in_the_mirror_but_for_the_chamber() {
    let mirror = Chase::mirror(&ALL_PLANES).unwrap();
    let shape = Chase::shape(&ALL_PLANES);
    let column = |row: usize, column: usize| (17 - row - column) % 9;
    let start = |setup: &Setup| Chase::from_position(setup.validate().unwrap(), Rules::default());
    let (mut compared, mut different) = (0, 0);
    random_games::<Chase>(&Rules::default(), 20, |game| {
        let position = game.position();
        let setup = position.to_setup();
        let mut image = setup.clone();
        for cell in Cell::all() {
            image.dice[cell.mirrored().index()] = setup.dice[cell.index()];
        }
        let (game, image) = (start(&setup), start(&image));
        let [shown, expected] = [&game, &image].map(|game| planes(game, &ALL_PLANES));
        let shown = Array3::from_shape_fn(shape.input(), |(plane, row, at)| {
            shown[[mirror.planes[plane], row, column(row, at)]]
        });
        let indices = |game: &Chase, of: &dyn Fn(usize) -> usize| -> BTreeSet<usize> {
            let mut actions = Vec::new();
            game.legal_actions(&mut actions);
            actions
                .into_iter()
                .map(|action| of(game.policy_index(action)))
                .collect()
        };
        let mirrored = |index: usize| {
            let (plane, row, at) = (index / 81, index / 9 % 9, index % 9);
            (mirror.policy[plane] * 9 + row) * 9 + column(row, at)
        };
        let same = shown == expected && indices(&game, &mirrored) == indices(&image, &|index| index);
        let chamber = position
            .all_dice()
            .any(|(cell, _)| position.reach(cell).contains(Cell::CHAMBER));
        assert!(same || chamber, "{}", game.position_text());
        compared += usize::from(!chamber);
        different += usize::from(!same);
    });
    assert!(compared > 500 && different > 50, "{compared} {different}");
}

#[test]
fn neighbours_on_the_board_are_neighbours_on_the_planes() {
    let offsets = [(0, 1), (1, 0), (1, 8), (0, 8), (8, 0), (8, 1)];
    for (direction, (up, east)) in Direction::ALL.into_iter().zip(offsets) {
        for cell in Cell::all() {
            let Some(neighbour) = geometry::neighbour(cell, direction) else {
                continue;
            };
            let (row, column) = ((cell.row() + up) % 9, (cell.axial_column() + east) % 9);
            assert_eq!(neighbour.axial_index(), row * 9 + column, "{direction} of {cell}");
        }
    }
}

#[test]
fn the_policy_index_of_a_chase_action_is_the_cell_of_its_die() {
    let encoding = ChaseEncoding::default();
    let mut actions = Vec::new();
    random_games(&Rules::default(), 5, |game: &Chase| {
        let planes = planes(game, &encoding);
        game.legal_actions(&mut actions);
        for &action in &actions {
            let cell = game.policy_index(action) % 81;
            let own = (0..6).any(|plane| planes[[plane, cell / 9, cell % 9]] == 1.0);
            assert!(own, "{action} in {}: no own die there", game.position_text());
        }
    });
}

#[test]
fn connect_four_shows_rows_from_the_bottom() {
    let game = ConnectFour::from_position_text("......./......./......./......./x....../o.....x b", &()).unwrap();
    let planes = planes(&game, &ConnectFourEncoding::default());
    let stones = planes.indexed_iter().filter(|&(_, &number)| number == 1.0);
    let stones: Vec<_> = stones.map(|(place, _)| place).collect();
    // Plane, row, column. Black is to move: `o` are the own stones. Row 0 is the bottom.
    assert_eq!(stones, [(0, 0, 0), (1, 0, 6), (1, 1, 0)]);
}

#[test]
fn limits_that_are_switched_off_show_nothing() {
    let mut game = Chase::new(&Rules::PUBLISHED);
    for action in ["A3NW", "I3SE", "1A2A1"] {
        let action = game.parse_action(action).unwrap();
        game.apply(action);
    }
    let encoding = ChaseEncoding::default();
    let names = Chase::plane_names(&encoding);
    let planes = planes(&game, &encoding);
    for name in ["repetition", "quiet turns"] {
        let plane = names.iter().position(|other| other == name).unwrap();
        assert!(
            planes.slice(s![plane, .., ..]).iter().all(|&number| number == 0.0),
            "{name}"
        );
    }
}

/// The whole view of a network on states of one game, as text: any change of it, wanted or not, shows as a difference
/// of this file. Raise `ENCODING_VERSION` for a wanted one.
#[test]
fn chase_playthrough() {
    let encoding = ALL_PLANES;
    let mut text = String::new();
    let shape = Chase::shape(&encoding);
    writeln!(
        text,
        "game {} rules {} encoding {}",
        Chase::NAME,
        Chase::RULES_VERSION,
        Chase::ENCODING_VERSION
    )
    .unwrap();
    writeln!(text, "{shape:?}").unwrap();

    // The states to show: the start, a Black one, a repetition, an absorption, a late one, the end.
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut game = Chase::new(&Rules::default());
    let (mut actions, mut played) = (Vec::new(), Vec::new());
    let mut seen = [false; 6];
    loop {
        game.legal_actions(&mut actions);
        let kinds = [
            game.plies() == 0,
            game.plies() == 5,
            game.occurrences() > 1,
            game.position().missing() > 0 && !actions.is_empty(),
            game.position().turns_played() > 100,
            actions.is_empty(),
        ];
        if kinds.iter().zip(seen).any(|(is, seen)| *is && !seen) {
            writeln!(text, "\n== ply {}: {}", game.plies(), game.position_text()).unwrap();
            writeln!(text, "played since: {}", played.join(" ")).unwrap();
            draw_state(&mut text, &game, &actions, &encoding);
            played.clear();
        }
        seen.iter_mut().zip(kinds).for_each(|(seen, is)| *seen |= is);
        if actions.is_empty() {
            break;
        }
        let action = actions[rng.random_range(0..actions.len())];
        played.push(game.action_text(action));
        game.apply(action);
    }

    expect_file!["playthroughs/chase.txt"].assert_eq(&text);
}

fn twelfths(number: f32) -> Option<char> {
    char::from_digit((number * 12.0).round() as u32, 12).filter(|_| (number * 12.0).fract() == 0.0)
}

/// Outcome, legal actions with their policy indices, and all planes, six abreast, row I on top as on the board.
fn draw_state(text: &mut String, game: &Chase, actions: &[<Chase as Game>::Action], encoding: &ChaseEncoding) {
    writeln!(text, "outcome: {:?} {:?}", game.outcome(), game.end_reason()).unwrap();
    let actions: Vec<String> = actions
        .iter()
        .map(|&action| format!("{}={}", game.action_text(action), game.policy_index(action)))
        .collect();
    writeln!(text, "actions: {}", actions.join(" ")).unwrap();

    let planes = planes(game, encoding);
    let names = Chase::plane_names(encoding);
    let mut drawn = Vec::new();
    for (plane, name) in planes.outer_iter().zip(names) {
        if plane.iter().all(|&number| number == plane[[0, 0]]) {
            writeln!(text, "{name}: {} on all cells", plane[[0, 0]]).unwrap();
        } else {
            drawn.push((name, plane));
        }
    }
    for group in drawn.chunks(6) {
        let title: Vec<String> = group.iter().map(|(name, _)| format!("{name:<16}")).collect();
        writeln!(text, "{}", title.concat().trim_end()).unwrap();
        for row in (0..9).rev() {
            let mut line = String::new();
            for (_, plane) in group {
                line.extend(plane.row(row).iter().map(|&number| match number {
                    0.0 => '.',
                    1.0 => '#',
                    number => twelfths(number).unwrap_or('?'),
                }));
                line += "       ";
            }
            writeln!(text, "{}", line.trim_end()).unwrap();
        }
    }
}

/// The occupancy in the view of the player to move must equal the content of the first planes.
fn agrees_with_planes<G: Encode>(name: GameName, own: std::ops::Range<usize>, enemy: std::ops::Range<usize>) {
    let rules = name.rules::<G>();
    let encoding = G::standard_encoding(&rules);
    let shape = G::shape(&encoding);
    let mut planes = Array3::zeros(shape.input());
    let (mut cells, mut actions) = (Vec::new(), Vec::new());
    let mut game = G::start(&rules, &mut chase_engine::seed::named("start", &[]));
    for ply in 0..30 {
        game.legal_actions(&mut actions);
        let Some(&action) = actions.get(ply * 7 % actions.len().max(1)) else {
            break;
        };
        game.encode(&encoding, planes.view_mut());
        game.occupancy(&encoding, game.to_move(), &mut cells);
        assert_eq!(cells.len(), shape.cells());
        for (cell, &class) in cells.iter().enumerate() {
            let (row, column) = (cell / shape.width, cell % shape.width);
            let any = |range: &std::ops::Range<usize>| range.clone().any(|plane| planes[[plane, row, column]] > 0.0);
            let expected = match (any(&own), any(&enemy)) {
                (true, false) => occupancy::OWN,
                (false, true) => occupancy::ENEMY,
                _ => occupancy::NOTHING,
            };
            assert_eq!(class, expected, "ply {ply}, cell {cell}");
        }
        game.apply(action);
    }
}

/// The key that says which game of a type an encoding is for is the name of the game.
#[test]
fn encodings_name_their_game() {
    fn check<G: Encode>(name: GameName) {
        let encoding = G::standard_encoding(&name.rules::<G>());
        let json = serde_json::to_value(&encoding).unwrap();
        if let Some(game) = json.get("game") {
            assert_eq!(game, name.name());
        }
        assert_eq!(G::encoded_game(&encoding), name.name());
        assert_eq!(serde_json::from_value::<G::Encoding>(json).unwrap(), encoding);
    }
    for &name in GameName::ALL {
        with_game!(name, G => check::<G>(name));
    }
}

#[test]
fn occupancy_lies_on_the_cells_of_the_planes() {
    agrees_with_planes::<ConnectFour>(GameName::ConnectFour, 0..1, 1..2);
    agrees_with_planes::<Chase>(GameName::Chase, 0..6, 6..12);
    agrees_with_planes::<Draughts>(GameName::StaxCyl, 0..2, 2..4);
    agrees_with_planes::<Draughts>(GameName::QueensUniNum, 0..2, 2..4);
    agrees_with_planes::<chase_engine::Moves23>(GameName::Moves23, 0..1, 1..2);
    agrees_with_planes::<chase_engine::Tetra24>(GameName::Tetra24, 0..1, 1..2);
    agrees_with_planes::<chase_engine::Lines9>(GameName::Lines9, 0..1, 1..2);
    agrees_with_planes::<chase_engine::Tricolour>(GameName::Tricolour, 0..1, 1..2);
}
