//! Facts that are printed with the rules, and cases in which the cylinder differs.

use chase_engine::chess::{Conventions, Kind, Position, Rules, Variant, perft};
use chase_engine::{Chess, Depict, Game, Outcome, Player};

use super::{actions, after, game};

use Variant::{Cylinder, Flat};

/// Those of the legal actions that begin with a text.
fn of(variant: Variant, position: &str, from: &str) -> Vec<String> {
    let all = actions(&game(variant, position));
    all.into_iter().filter(|text| text.starts_with(from)).collect()
}

#[test]
fn a_pawn_is_pinned_over_the_edge_after_four_first_moves() {
    let start = Position::initial(Cylinder);
    assert_eq!((perft(&start, 1), perft(&start, 2)), (20, 392));
    let pinned = start.legal_actions().into_iter().filter_map(|action| {
        let count = start.play(action).unwrap().count_actions();
        (count < 20).then(|| (action.to_string(), count))
    });
    let pinned: Vec<_> = pinned.collect();
    let expected = ["c2c3", "g2g3", "c2c4", "g2g4"].map(|text| (text.to_owned(), 18));
    assert_eq!(pinned, expected);
    assert!(Position::initial(Flat).legal_actions().iter().all(|&action| {
        let next = Position::initial(Flat).play(action).unwrap();
        next.count_actions() == 20
    }));
}

#[test]
fn pieces_go_over_the_edge_on_the_cylinder_alone() {
    let knight = "4k3/3p4/8/8/N7/8/8/4K3 w - - 0 1";
    assert_eq!(of(Flat, knight, "a4").len(), 4);
    let all = ["a4b2", "a4b6", "a4c3", "a4c5", "a4g3", "a4g5", "a4h2", "a4h6"];
    assert_eq!(of(Cylinder, knight, "a4"), all);
    // Seven cells each way at most, and each of them once, though there are two routes along the rank.
    let rook = "4k3/8/8/8/R7/8/8/4K3 w - - 0 1";
    assert_eq!(of(Cylinder, rook, "a4").len(), 7 + 7);
    let bishop = "4k3/8/8/8/p7/8/4K3/B7 w - - 0 1";
    assert_eq!(of(Flat, bishop, "a1").len(), 7);
    // Both diagonals, of seven steps each, pass e5.
    assert_eq!(of(Cylinder, bishop, "a1").len(), 7 + 7 - 1);
}

#[test]
fn pawns_capture_over_the_edge_and_in_passing_too() {
    let position = "4k3/8/8/7p/P7/8/8/4K3 w - - 0 1";
    assert!(of(Cylinder, position, "a4").contains(&"a4h5".to_owned()));
    assert!(!of(Flat, position, "a4").contains(&"a4h5".to_owned()));
    let position = "4k3/p7/8/7P/8/8/8/4K3 b - - 0 1";
    let passed = after(game(Cylinder, position), "a7a5");
    assert_eq!(passed.position_text(), "4k3/8/8/p6P/8/8/8/4K3 w - a6 0 2");
    let taken = after(passed, "h5a6");
    assert_eq!(taken.position_text(), "4k3/8/P7/8/8/8/8/4K3 b - - 0 2");
    let passed = after(game(Flat, position), "a7a5");
    assert_eq!(passed.position_text(), "4k3/8/8/p6P/8/8/8/4K3 w - - 0 2");
}

#[test]
fn kings_are_neighbours_over_the_edge() {
    let error = Position::parse(Cylinder, "8/8/8/k6K/8/8/8/R7 w - - 0 1").unwrap_err();
    assert!(error.to_string().contains("has left it in check"), "{error}");
    assert!(Position::parse(Flat, "8/8/8/k6K/8/8/8/1R6 w - - 0 1").is_ok());
    assert!(!of(Cylinder, "8/8/8/k5K1/8/8/8/1R6 w - - 0 1", "g5").contains(&"g5h5".to_owned()));
}

#[test]
fn a_check_along_two_routes_is_ended_by_no_piece_in_the_way() {
    // The rook on a4 attacks the king on e4 from both sides; the queen could stand in the way of one.
    let both = "4k3/8/8/8/r3K3/8/8/3Q4 w - - 0 1";
    let moves = actions(&game(Cylinder, both));
    assert!(
        moves.iter().all(|text| text.starts_with("e4") || text == "d1a4"),
        "{moves:?}"
    );
    assert!(actions(&game(Flat, both)).contains(&"d1d4".to_owned()));
    // With a knight on g4 only one route is open. The knight may not go, but the queen may stand in the way.
    let one = "4k3/8/8/8/r3K1N1/8/8/3Q4 w - - 0 1";
    let moves = actions(&game(Cylinder, one));
    assert!(
        moves.contains(&"d1d4".to_owned()) && moves.contains(&"d1a4".to_owned()),
        "{moves:?}"
    );
    assert!(!moves.iter().any(|text| text.starts_with("g4")), "{moves:?}");
}

#[test]
fn diagonals_meet_again_behind_the_cylinder() {
    // Those from e1 meet on a5. A piece there ends both checks,
    let crossed = "4k3/8/1b5b/8/8/8/8/R3K3 w - - 0 1";
    assert_eq!(of(Cylinder, crossed, "a1"), ["a1a5"]);
    // or is pinned to both.
    let pinned = "4k3/8/1b5b/B7/8/8/8/4K3 w - - 0 1";
    assert_eq!(of(Cylinder, pinned, "a5"), Vec::<String>::new());
    assert_eq!(of(Flat, pinned, "a5").len(), 1 + 3);
}

#[test]
fn castling_looks_over_the_edge() {
    // Over the edge the rook on a3 attacks no cell of the king, but the one on b1 does once the rook has left h1.
    let position = "4k3/8/8/8/8/8/8/1r1NK2R w K - 0 1";
    assert!(of(Flat, position, "e1g1") == ["e1g1"]);
    assert_eq!(of(Cylinder, position, "e1g1"), Vec::<String>::new());
    let open = "4k3/8/8/8/8/r7/8/3NK2R w K - 0 1";
    assert_eq!(of(Cylinder, open, "e1g1"), ["e1g1"]);
    let castled = after(game(Cylinder, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9"), "e1g1 e8c8");
    assert_eq!(castled.position_text(), "2kr3r/8/8/8/8/8/8/R4RK1 w - - 5 10");
}

#[test]
fn games_end_by_mate_stalemate_and_dead_positions() {
    let end = |variant, position: &str, actions: &str| after(game(variant, position), actions).end();
    let start = Position::initial(Flat).to_string();
    let white = Some((Outcome::Win(Player::White), "checkmate"));
    let black = Some((Outcome::Win(Player::Black), "checkmate"));
    assert_eq!(end(Flat, &start, "f2f3 e7e5 g2g4 d8h4"), black);
    assert_eq!(end(Flat, "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6g7"), white);
    let draw = |reason| Some((Outcome::Draw, reason));
    assert_eq!(end(Flat, "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "g5g6"), draw("stalemate"));
    // On the cylinder the king of the corner has a way out.
    assert_eq!(end(Cylinder, "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "g5g6"), None);
    for (variant, pieces, dead) in [
        (Flat, "", true),
        (Flat, "B", true),
        (Cylinder, "n", true),
        (Flat, "P", false),
        (Flat, "r", false),
        (Flat, "BB", false),
        (Cylinder, "Nb", false),
    ] {
        let empty = 8 - pieces.len();
        let position = format!("4k3/8/8/8/8/{pieces}{empty}/8/4K3 w - - 0 1");
        let expected = if dead { draw("dead position") } else { None };
        assert_eq!(end(variant, &position, ""), expected, "{position}");
    }
    let captured = after(game(Flat, "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1"), "e1e2");
    assert_eq!(captured.end(), draw("dead position"));
    assert_eq!(captured.perft(1), 0);
}

#[test]
fn conventions_end_games() {
    let standard = Rules::standard(Flat);
    let there_and_back = "g1f3 g8f6 f3g1 f6g8 ".repeat(2);
    let game = after(Chess::new(&standard), &there_and_back);
    assert_eq!((game.occurrences(), game.end_reason()), (3, Some("repetition")));
    let published = after(Chess::new(&Chess::published_rules(&standard)), &there_and_back);
    assert_eq!(published.outcome(), None);
    // What was castled away, or could be captured in passing, is another position.
    let rooks = "h1g1 a8b8 g1h1 b8a8 ".repeat(2);
    let position = "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1";
    let rules = Rules::standard(Flat);
    let start = || Chess::from_position_text(position, &rules).unwrap();
    assert_eq!(after(start(), &rooks).occurrences(), 2);
    assert_eq!(
        after(start(), &format!("{rooks} h1g1 a8b8")).end_reason(),
        Some("repetition")
    );

    let quiet =
        |text: &str, actions: &str| after(Chess::from_position_text(text, &rules).unwrap(), actions).end_reason();
    assert_eq!(quiet("k7/8/8/8/8/8/4R3/4K3 w - - 98 90", "e2d2"), None);
    assert_eq!(quiet("k7/8/8/8/8/8/4R3/4K3 w - - 99 90", "e2d2"), Some("quiet turns"));
    assert_eq!(quiet("4k3/8/8/8/8/8/4P3/4K3 w - - 99 90", "e2e3"), None);
    assert_eq!(quiet("7k/8/5KQ1/8/8/8/8/8 w - - 99 90", "g6g7"), Some("checkmate"));
    assert_eq!(quiet("k7/8/8/8/8/8/4R3/4K3 b - - 0 200", "a8b8"), Some("length limit"));
    let rules = Chess::rules_from_text("repetition off, quiet 20, length off", &standard).unwrap();
    assert_eq!(Chess::rules_text(&rules), "repetition off, quiet 20, length off");
    assert_ne!(rules.conventions, Conventions::default());
}

#[test]
fn searches_see_gains_checks_and_passes() {
    let gains = |position: &str| {
        let game = game(Flat, position);
        let mut gains = Vec::new();
        game.for_each_gain(|action, gain| gains.push((action.to_string(), gain)));
        gains.sort_unstable_by_key(|&(_, gain)| gain);
        gains
    };
    let taken = gains("4k3/1P6/8/3q4/4P3/2N5/8/3RK3 w - - 0 1");
    let expected = [("b7b8q", 800), ("d1d5", 897), ("c3d5", 899), ("e4d5", 900)];
    assert_eq!(taken, expected.map(|(text, gain)| (text.to_owned(), gain)));
    assert_eq!(gains("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), [("e5d6".to_owned(), 100)]);
    let check = game(Flat, "4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1");
    assert!(check.is_unsettled() && check.null_move().is_none());
    assert!(
        game(Flat, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").null_move().is_none(),
        "pawns alone"
    );
    let passed = game(Flat, "4k3/8/8/3pP3/8/8/4R3/4K3 w - d6 0 7").null_move().unwrap();
    assert_eq!(passed.position_text(), "4k3/8/8/3pP3/8/8/4R3/4K3 b - - 1 7");
    assert_eq!(passed.outcome(), None);
}

#[test]
fn policy_planes_are_those_of_alpha_zero() {
    let index = |variant, position: &str, action: &str| {
        let game = game(variant, position);
        game.policy_index(game.parse_action(action).unwrap())
    };
    assert_eq!(Chess::POLICY_SIZE, 4672);
    let start = Position::initial(Flat).to_string();
    let double = index(Flat, &start, "e2e4");
    assert_eq!(double % 64, 12);
    assert_eq!(
        index(Flat, &start, "e2e3") + 64,
        double,
        "planes of a direction go by distance"
    );
    // Black sees the same from the other side.
    assert_eq!(index(Flat, &start.replace(" w ", " b "), "e7e5"), double);
    // Only promotions to other kinds than a queen have planes of their own.
    let queen = "8/4P2k/8/8/8/8/8/K7 w - - 0 1";
    let plane = |action| index(Flat, queen, action) / 64;
    assert_eq!(plane("e7e8q"), index(Flat, &start, "e2e3") / 64);
    assert_eq!([plane("e7e8n"), plane("e7e8b"), plane("e7e8r")], [65, 68, 71]);
    // Over the edge a step is a step.
    let rook = "4k3/8/8/8/8/7R/8/4K3 w - - 0 1";
    let over = index(Cylinder, rook, "h3a3");
    assert_eq!(over, index(Cylinder, rook, "h3b3") - 64);
    assert_eq!(over, index(Flat, &rook.replace("7R", "6R1"), "g3h3") + 1);
    // The shorter way around is no diagonal.
    let bishop = "4k3/3p4/8/8/8/8/8/B3K3 w - - 0 1";
    assert_eq!(index(Cylinder, bishop, "a1f6"), index(Flat, bishop, "a1f6"));
}

#[test]
fn pictures_show_figures_check_and_the_four_promotions() {
    let check = game(Flat, "3k3R/2P5/8/8/8/8/8/4K3 b - - 0 1");
    let scene = check.scene();
    assert_eq!(scene.caption, "Black is to move, in check");
    let marked: Vec<_> = scene
        .cells
        .iter()
        .filter(|cell| cell.marked)
        .map(|cell| &*cell.name)
        .collect();
    assert_eq!(marked, ["d8"]);
    assert!(
        scene.to_text().starts_with(" 8  ·   ·   ·  [k]  ·   ·   ·   R\n"),
        "{}",
        scene.to_text()
    );
    let svg = scene.to_svg(300);
    assert_eq!(
        (svg.matches("class=\"figure\"").count(), svg.matches("<circle").count()),
        (4, 0)
    );
    let promotion = game(Flat, "7k/2P5/8/8/8/8/8/4K3 w - - 0 1");
    let ways: Vec<_> = ["c7c8q", "c7c8r", "c7c8b", "c7c8n"]
        .map(|text| promotion.way(promotion.parse_action(text).unwrap()))
        .to_vec();
    assert!(ways.iter().all(|way| way == &[50, 58]), "{ways:?}");
}

#[test]
fn pieces_have_letters() {
    for kind in Kind::ALL {
        assert_eq!(Kind::from_letter(kind.letter()), Some(kind));
    }
    assert_eq!(Kind::from_letter('N'), None);
}
