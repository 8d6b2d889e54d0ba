//! Positions drawn for any game.

use chase_engine::draughts::{Rules, Variation};
use chase_engine::{
    Chase, ConnectFour, Depict, Draughts, Game, GameName, Lines9, Moves23, Tetra24, Tricolour, seed, with_game,
};
use expect_test::expect;
use rand::RngExt;
use roxmltree::Document;

/// Decisions that have no place on the board.
const PLACELESS: [&str; 5] = ["pass", "end", "--", "swap", "keep"];

/// Checks every scene of a game: the same cells throughout, in which all pieces and all ways are.
fn check<G: Depict>(rules: &G::Rules) {
    let mut rng = seed::named("scene", &[]);
    let mut game = G::start(rules, &mut rng);
    let (places, mut actions) = (places(&game), Vec::new());
    for _ in 0..80 {
        let scene = game.scene();
        assert_eq!(self::places(&game), places, "{}", game.position_text());
        let svg = scene.to_svg(400);
        let document = Document::parse(&svg).unwrap();
        let pieces_drawn = document
            .descendants()
            .filter(|node| node.has_tag_name("circle") || node.attribute("class") == Some("figure"))
            .count();
        let pieces: usize = scene.cells.iter().map(|cell| cell.pieces.len()).sum();
        assert_eq!(pieces_drawn, pieces, "{}", game.position_text());
        game.legal_actions(&mut actions);
        let Some(&action) = actions.get(rng.random_range(0..actions.len().max(1))) else {
            break;
        };
        identified(&game, &actions);
        let way = game.way(action);
        let has_place = !PLACELESS.contains(&&*game.action_text(action));
        assert!(way.is_empty() != has_place && way.iter().all(|&cell| cell < places.len()));
        game.apply(action);
    }
}

/// Clicking along the path of an action chooses it: no path continues where another one ends, actions that share a path
/// have different texts, and each click means itself. Chase has a board of its own.
fn identified<G: Depict>(game: &G, actions: &[G::Action]) {
    let mut paths: Vec<(Vec<usize>, String)> = actions
        .iter()
        .map(|&action| (game.way(action), game.action_text(action)))
        .collect();
    paths.sort();
    for pair in paths.windows(2) {
        let [(one, _), (other, _)] = pair else { continue };
        assert_ne!(pair[0], pair[1], "{}", game.position_text());
        let goes_on = !one.is_empty() && one.len() < other.len() && other.starts_with(one);
        assert!(!goes_on || G::NAME == Chase::NAME, "{pair:?}, {}", game.position_text());
    }
    for &cell in paths.iter().flat_map(|(path, _)| path) {
        assert_eq!(game.meant(cell), cell, "{}", game.position_text());
    }
}

fn places<G: Depict>(game: &G) -> Vec<(String, String)> {
    let cells = game.scene().cells.into_iter();
    cells
        .map(|cell| (cell.name, format!("{:.3} {:.3}", cell.x, cell.y)))
        .collect()
}

#[test]
fn every_game_is_drawn_whole() {
    for &name in GameName::ALL {
        with_game!(name, G => check::<G>(&name.rules::<G>()));
    }
}

#[test]
fn an_action_goes_from_where_a_piece_stands_to_where_it_will() {
    let game = Draughts::new(&Rules::standard(Variation::Checkers));
    let mut actions = Vec::new();
    game.legal_actions(&mut actions);
    for action in actions {
        let scene = game.scene();
        let [from, to] = game.way(action)[..] else {
            panic!("two cells");
        };
        let text = format!("{}-{}", scene.cells[from].name, scene.cells[to].name);
        assert_eq!(text, game.action_text(action));
        assert!(!scene.cells[from].pieces.is_empty() && scene.cells[to].pieces.is_empty());
    }
}

#[test]
fn stones_fall_from_any_cell_of_their_column() {
    let game = ConnectFour::from_position_text("x....../o....../x....../o....../x....../ox..... b", &());
    let game = game.unwrap();
    let meant = |name: &str| {
        let cells = game.scene().cells;
        let place = cells.iter().position(|cell| cell.name == name).unwrap();
        cells[game.meant(place)].name.clone()
    };
    assert_eq!(["b1", "b6", "c4", "a6"].map(meant), ["b2", "b2", "c1", "a6"]);
}

#[test]
fn sides_of_a_board_have_three_colours_and_two_where_they_meet() {
    let scene = Tricolour::new(&Default::default()).scene();
    let colours = |name: &str| -> Vec<u8> {
        let cell = scene.cells.iter().find(|cell| cell.name == name).unwrap();
        cell.shade.colours().collect()
    };
    assert_eq!(
        ["g1", "i5", "p6", "b4"].map(colours),
        [vec![1], vec![], vec![2], vec![3]]
    );
    assert_eq!(["e1", "q5", "e9"].map(colours), [[1, 3], [1, 2], [2, 3]]);
    let svg = scene.to_svg(300);
    // Nine cells of each colour, three of them shared: the first colour of a cell fills it, the second a half of it.
    let count = |class: &str| svg.matches(&format!("class=\"{class}\"")).count();
    let whole = ["cell colour-1", "cell colour-2", "cell colour-3"].map(count);
    assert_eq!((whole, count("colour-2") + count("colour-3")), ([9, 8, 7], 3));
}

#[test]
fn text_shows_stacks_kings_and_the_piece_that_must_go_on() {
    let text = "8/8/8/8/Q3m1m1/8/8/(MMMMMMMMMMMmmmmmmmmmm)7 d -";
    let game = Draughts::from_position_text(text, &Rules::standard(Variation::Stax));
    // Light and dark cells differ, so that this is no position: a4 is light.
    assert!(game.is_err());
    let text = "8/8/8/8/2m1m3/1Q6/8/(MMMMMMMMMMMmmmmmmmmmm)7 d -";
    let mut game = Draughts::from_position_text(text, &Rules::standard(Variation::Queens)).unwrap();
    expect![[r#"
         8  ·   ·   ·   ·   ·   ·   ·   ·
         7  ·   ·   ·   ·   ·   ·   ·   ·
         6  ·   ·   ·   ·   ·   ·   ·   ·
         5  ·   ·   ·   ·   ·   ·   ·   ·
         4  ·   ·   m   ·   m   ·   ·   ·
         3  ·   Q   ·   ·   ·   ·   ·   ·
         2  ·   ·   ·   ·   ·   ·   ·   ·
         1  M21 ·   ·   ·   ·   ·   ·   ·
            a   b   c   d   e   f   g   h
        a1 from the top: MMMMMMMMMMMmmmmmmmmmm
        Dark is to move
    "#]]
    .assert_eq(&game.scene().to_text());
    game.apply(game.parse_action("b3xd5").unwrap());
    expect![[r#"
         8  ·   ·   ·   ·   ·   ·   ·   ·
         7  ·   ·   ·   ·   ·   ·   ·   ·
         6  ·   ·   ·   ·   ·   ·   ·   ·
         5  ·   ·   ·  [Q2] ·   ·   ·   ·
         4  ·   ·   ·   ·   m   ·   ·   ·
         3  ·   ·   ·   ·   ·   ·   ·   ·
         2  ·   ·   ·   ·   ·   ·   ·   ·
         1  M21 ·   ·   ·   ·   ·   ·   ·
            a   b   c   d   e   f   g   h
        a1 from the top: MMMMMMMMMMMmmmmmmmmmm
        d5 from the top: Qm
        Dark must continue jumping with d5
    "#]]
    .assert_eq(&game.scene().to_text());
}

#[test]
fn a_flipped_board_is_turned_and_numbers_are_on_men() {
    let game = Draughts::new(&Rules::standard(Variation::CheckersNum));
    let mut scene = game.scene();
    scene.flip();
    let text = scene.to_text();
    assert!(text.lines().next().unwrap().starts_with(" 1"), "{text}");
    let svg = scene.to_svg(300);
    assert_eq!(svg.matches(">12</text>").count(), 2, "each side has a man of 12");
    let chase = Chase::new(&Default::default()).scene().to_svg(300);
    assert!(chase.contains(">E5</text>"), "names of empty cells are shown");
}

#[test]
fn stones_of_the_turn_are_marked() {
    let text = "5o/7/8/2xxx4/10/4oo5/10/9/8/7/3x2 x 2 l11";
    let game = Moves23::from_position_text(text, &Default::default()).unwrap();
    expect![[r#"
         1            ·   ·   ·   ·   ·   o
         2          ·   ·   ·   ·   ·   ·   ·
         3        ·   ·   ·   ·   ·   ·   ·   ·
         4      ·   ·   x   x   x   ·   ·   ·   ·
         5    ·   ·   ·   ·   ·   ·   ·   ·   ·   ·
         6  ·   ·   ·   ·   o   o   ·   ·   ·   ·   ·
         7    ·   ·   ·   ·   ·   ·   ·   ·   ·   ·
         8      ·   ·   ·   ·   ·   ·   ·   ·   ·
         9        ·   ·   ·   ·   ·   ·   ·   ·
        10          ·   ·   ·   ·   ·   ·   ·
        11            ·   ·   ·  [x]  ·   ·
        x places 2 more stones
    "#]]
    .assert_eq(&game.scene().to_text());
    let game = Tricolour::from_position_text("5/6/7/8/4o4/8/7/6/5 x s 0", &Default::default()).unwrap();
    expect![[r#"
         1          ·   ·   ·   ·   ·
         2        ·   ·   ·   ·   ·   ·
         3      ·   ·   ·   ·   ·   ·   ·
         4    ·   ·   ·   ·   ·   ·   ·   ·
         5  ·   ·   ·   ·   o   ·   ·   ·   ·
         6    ·   ·   ·   ·   ·   ·   ·   ·
         7      ·   ·   ·   ·   ·   ·   ·
         8        ·   ·   ·   ·   ·   ·
         9          ·   ·   ·   ·   ·
        x takes the first stone or leaves it
    "#]]
    .assert_eq(&game.scene().to_text());
    let game = Lines9::from_position_text("oo7/9/9/9/9/9/9/9/9 x 0+", &Default::default()).unwrap();
    expect![[r#"
         1  o   o   ·   ·   ·   ·   ·   ·   ·
         2  ·   ·   ·   ·   ·   ·   ·   ·   ·
         3  ·   ·   ·   ·   ·   ·   ·   ·   ·
         4  ·   ·   ·   ·   ·   ·   ·   ·   ·
         5  ·   ·   ·   ·   ·   ·   ·   ·   ·
         6  ·   ·   ·   ·   ·   ·   ·   ·   ·
         7  ·   ·   ·   ·   ·   ·   ·   ·   ·
         8  ·   ·   ·   ·   ·   ·   ·   ·   ·
         9  ·   ·   ·   ·   ·   ·   ·   ·   ·
            a   b   c   d   e   f   g   h   i
        x places a third stone or ends the turn
    "#]]
    .assert_eq(&game.scene().to_text());
    let svg = game.scene().to_svg(300);
    assert!(
        svg.contains("<title>x places a third stone or ends the turn</title>"),
        "{svg}"
    );
    let ended = "7/8/9/10/11/12/13/12/11/10/9/8/3oooo o 4 - 2 x";
    let scene = Tetra24::from_position_text(ended, &Default::default()).unwrap().scene();
    assert_eq!(scene.caption, "o has won: passes");
    assert_eq!(scene.to_svg(300).matches("<circle").count(), 4);
}
