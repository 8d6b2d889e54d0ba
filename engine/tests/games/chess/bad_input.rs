//! Bad positions and moves: what the error says, and where it points.

use chase_engine::chess::{Position, Rules, Variant};
use chase_engine::{Chess, Game, TextError};

use Variant::{Cylinder, Flat};

#[track_caller]
fn says(error: TextError, message: &str, place: &str) {
    assert!(error.message.contains(message), "{error}");
    assert_eq!(&error.input[error.span.clone()], place, "{error}");
}

#[track_caller]
fn refused(text: &str, message: &str, place: &str) {
    says(Position::parse(Flat, text).expect_err(text), message, place);
}

#[test]
fn malformed_positions_point_at_the_place() {
    refused("", "rank 8", "");
    refused("8/8 w - -", "rank 6", "");
    refused("8/8/8/8/8/8/8/8/8 w - -", "after the eight ranks", "/8");
    refused("8/8/8/8/8/8/8/7 w - -", "8 cells in rank 1, found 7", "7");
    refused("8/8/8/8/8/8/8/K71 w - -", "one digit for a run", "1");
    refused("8/8/8/8/8/8/8/K8 w - -", "8 cells in rank 1, not more", "K8");
    refused("8/8/8/8/8/8/8/X7 w - -", "a piece (P, N", "X");
    refused("8/8/8/8/8/8/8/ä7 w - -", "a piece (P, N", "ä");
    refused("8/8/8/8/8/8/8/9 w - -", "a run of empty cells", "9");
    let kings = "4k3/8/8/8/8/8/8/4K3";
    let with = |rest: &str| format!("{kings} {rest}");
    refused(kings, "`w` or `b`", "");
    refused(&with("d - -"), "`w` or `b`", "d");
    refused(&with("w"), "some of `KQkq`", "");
    refused("r3k2r/8/8/8/8/8/8/R3K2R w kK -", "some of `KQkq` in this order", "K");
    refused(&with("w HA -"), "some of `KQkq`", "H");
    refused(&with("w -"), "the cell behind a pawn", "");
    refused(&with("w - e9"), "the cell behind a pawn", "e9");
    refused(&with("w - - -1"), "plies since the last capture", "-1");
    refused(&with("w - - 0 0"), "number of the turn", "0");
    refused(&with("w - - 00 1"), "plies since the last capture", "00");
    refused(&with("w - - 0 99999999999"), "number of the turn", "99999999999");
    refused(&with("w - - 0 1 more of it"), "end of the position", "more of it");
    let short = Position::parse(Flat, &with("w - -")).unwrap();
    assert_eq!(short.to_string(), with("w - - 0 1"));
}

#[test]
fn positions_that_the_rules_do_not_allow_say_why() {
    refused(
        "8/8/8/8/8/8/8/4K3 w - -",
        "one king of Black, found 0",
        "8/8/8/8/8/8/8/4K3",
    );
    refused(
        "4k3/8/8/8/8/8/8/4K2K w - -",
        "one king of White, found 2",
        "4k3/8/8/8/8/8/8/4K2K",
    );
    refused("4k2P/8/8/8/8/8/8/4K3 w - -", "no pawn on h8", "P");
    refused("4k3/8/8/8/8/8/8/p3K3 w - -", "no pawn on a1", "p");
    refused(
        "4k3/8/8/8/8/8/8/4RK2 w - -",
        "attacks the king on e8: Black has left it in check",
        "w",
    );
    refused("8/8/8/4k3/4K3/8/8/8 b - -", "White has left it in check", "b");
    refused("4k3/8/8/8/8/8/8/4K3 w Q -", "`Q` needs the rook of White on a1", "Q");
    refused("4k3/8/8/8/8/8/8/R2K4 w Q -", "`Q` needs the king of White on e1", "Q");
    refused(
        "4k2r/8/8/8/8/8/8/R3K3 w Qkq -",
        "`q` needs the rook of Black on a8",
        "q",
    );
    refused(
        "4k3/8/8/8/8/8/8/4K3 w - e6",
        "no pawn of Black can have passed e6",
        "e6",
    );
    refused(
        "4k3/8/8/4p3/8/8/8/4K3 b - e6",
        "no pawn of White can have passed e6",
        "e6",
    );
    refused(
        "4k3/4n3/8/4pP2/8/8/8/4K3 w - e6",
        "no pawn of Black can have passed e6",
        "e6",
    );
    let over = "8/8/8/k6R/8/8/8/4K3 w - - 0 1";
    assert!(Position::parse(Cylinder, over).is_err());
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

#[track_caller]
fn illegal(variant: Variant, position: &str, action: &str, message: &str, place: &str) {
    let game = Chess::from_position_text(position, &Rules::standard(variant)).unwrap();
    says(game.parse_action(action).expect_err(action), message, place);
}

#[test]
fn illegal_moves_say_why() {
    let start = Position::initial(Flat).to_string();
    for text in ["", "e2", "e2-e4", "e2e9", "i2i4", "E2E4", "e2e4x", "e2e4qq", "e2äx"] {
        illegal(Flat, &start, text, "a move like `e2e4`", text);
    }
    illegal(Flat, &start, "e4e5", "no piece on e4, and White is to move", "e4");
    illegal(Flat, &start, "e7e5", "the pawn on e7 is not White's", "e7");
    illegal(Flat, &start, "a1a2", "White's own pawn is on a2", "a2");
    illegal(Flat, &start, "a1a3", "the rook on a1 does not go to a3", "a1a3");
    illegal(Flat, &start, "e2d3", "the pawn on e2 does not go to d3", "e2d3");
    illegal(Flat, &start, "e2e4q", "only a pawn on its last rank", "q");
    illegal(Flat, &start, "e1g1", "own knight is on g1", "g1");
    let promotion = "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1";
    illegal(Flat, promotion, "e7d8", "is promoted: expected q, r, b or n", "");
    illegal(Flat, promotion, "e7d8k", "expected q, r, b or n", "k");
    illegal(Flat, promotion, "e7d8p", "expected q, r, b or n", "p");
}

#[test]
fn moves_that_endanger_the_king_say_why() {
    let pinned = "k3r3/8/8/8/8/8/4N3/4K3 w - - 0 1";
    illegal(Flat, pinned, "e2c3", "the king on e1 would be in check", "e2c3");
    illegal(
        Flat,
        "k2r4/8/8/8/8/8/7N/4K3 w - - 0 1",
        "e1d1",
        "d1 is attacked",
        "e1d1",
    );
    illegal(
        Flat,
        "k3r3/8/8/8/8/8/7N/4K3 w - - 0 1",
        "h2f3",
        "is in check, and would remain so",
        "h2f3",
    );
    // The rook on b1 looks over the edge, and the knight on h1 is in its way.
    let over = "k7/8/8/8/8/8/8/1r1NK2N w - - 0 1";
    illegal(Cylinder, over, "h1g3", "the king on e1 would be in check", "h1g3");
    assert!(
        Chess::from_position_text(over, &Rules::standard(Flat))
            .unwrap()
            .parse_action("h1g3")
            .is_ok()
    );
}

#[test]
fn castling_that_is_not_possible_says_why() {
    let castle = |position: &str, action: &str, message: &str| illegal(Flat, position, action, message, action);
    castle("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1g1", "can no longer castle there");
    castle("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "e1c1", "needs empty cells");
    castle(
        "4k3/4r3/8/8/8/8/8/R3K2R w KQ - 0 1",
        "e1g1",
        "a king in check does not castle",
    );
    castle(
        "4k3/5r2/8/8/8/8/8/R3K2R w KQ - 0 1",
        "e1g1",
        "over or to a cell that is attacked",
    );
    castle(
        "4k3/8/8/8/8/8/8/R2K3R w - - 0 1",
        "d1f1",
        "the king on d1 does not go to f1",
    );
    illegal(
        Cylinder,
        "4k3/8/8/8/8/8/8/1r1NK2R w K - 0 1",
        "e1g1",
        "over or to a cell that is attacked",
        "e1g1",
    );
}

#[test]
fn no_move_is_legal_after_the_end() {
    let mate = "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1";
    illegal(Flat, mate, "h8g7", "the game is over: checkmate", "h8g7");
    illegal(
        Flat,
        "7k/8/8/8/8/8/8/K7 w - - 0 1",
        "a1a2",
        "the game is over: dead position",
        "a1a2",
    );
    illegal(
        Flat,
        "k7/8/8/8/8/8/4R3/4K3 w - - 100 90",
        "e2d2",
        "the game is over: quiet turns",
        "e2d2",
    );
}
