//! Facts that are printed with the rules, and cases in which the cylinder differs.

use chase_engine::chess::{Conventions, Position, Rules, Variant, perft};
use chase_engine::{Chess, Game, Outcome, Player};

use super::{after, game};

use Variant::{Cylinder, Flat};

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
fn a_cell_that_no_pawn_can_capture_on_is_left_out() {
    let read = |variant, text: &str| Position::parse(variant, text).unwrap().to_string();
    let useless = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert_eq!(read(Flat, useless), useless.replace("e3", "-"));
    let useful = "4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1";
    assert_eq!(read(Flat, useful), useful);
    // Both pawns leave the rank, and the king would be in check.
    let pinned = "8/8/8/8/k3Pp1R/8/8/4K3 b - e3 0 1";
    assert_eq!(read(Flat, pinned), pinned.replace("e3", "-"));
    let over = "4k3/8/8/8/P6p/8/8/4K3 b - a3 0 1";
    assert_eq!(
        (read(Cylinder, over), read(Flat, over)),
        (over.to_owned(), over.replace("a3", "-"))
    );
}

/// The positions of <https://www.chessprogramming.org/Perft_Results>, with their counts from depth 1.
const PUBLISHED: [(&str, &[u64]); 6] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[20, 400, 8902, 197_281, 4_865_609],
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2039, 97862, 4_085_603],
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2812, 43238]),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[6, 264, 9467, 422_333],
    ),
    (
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        &[44, 1486, 62379, 2_103_487],
    ),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2079, 89890, 3_894_594],
    ),
];

#[test]
fn published_perft_counts_of_chess() {
    for (text, counts) in PUBLISHED {
        let position = Position::parse(Flat, text).unwrap();
        for (depth, &nodes) in (1..).zip(counts) {
            assert_eq!(perft(&position, depth), nodes, "{text} at depth {depth}");
        }
    }
}
