//! Positions drawn for any game.

use chase_engine::draughts::{Rules, Variation};
use chase_engine::{Chase, Depict, Draughts, Game, GameName, seed, with_game};
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
