//! Facts and lines that are printed with the rules.

use chase_engine::draughts::{
    Checkers, CheckersCyl, CheckersNum, CheckersUni, Position, Queens, QueensCyl, QueensUni, Rules, Stax, StaxCyl,
    StaxUni, Variant, perft, perft_turns,
};
use chase_engine::{Draughts, Game, Outcome, Player, TextError};

/// A game from a position, after some actions.
fn after<V: Variant>(position: &str, actions: &str) -> Result<Draughts, TextError> {
    let mut game = Draughts::from_position_text(position, &Rules::standard(V::VARIATION))?;
    for action in actions.split_whitespace() {
        game.apply(game.parse_action(action)?);
    }
    Ok(game)
}

/// The legal actions of a position, in the order of their texts.
fn actions<V: Variant>(position: &str) -> String {
    let game = after::<V>(position, "").unwrap();
    let mut actions = Vec::new();
    game.position().legal_actions(&mut actions);
    let mut texts: Vec<_> = actions.into_iter().map(|action| game.action_text(action)).collect();
    texts.sort_unstable();
    texts.join(" ")
}

#[track_caller]
fn leads_to<V: Variant>(position: &str, actions: &str, expected: &str) {
    let game = after::<V>(position, actions).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(game.position().short_text(), expected);
}

const CHECKERS: &str = "1m1m1m1m/m1m1m1m1/1m1m1m1m/8/8/M1M1M1M1/1M1M1M1M/M1M1M1M1 d - 0 1";
const QUEENS: &str = "m1m1m1m1/1m1m1m1m/m1m1m1m1/8/8/M1M1M1M1/1M1M1M1M/M1M1M1M1 d - 0 1";

#[test]
fn games_start_as_printed() {
    assert_eq!(Position::<Checkers>::initial().to_string(), CHECKERS);
    assert_eq!(Position::<CheckersUni>::initial().to_string(), CHECKERS);
    assert_eq!(Position::<Stax>::initial().to_string(), CHECKERS);
    assert_eq!(Position::<QueensCyl>::initial().to_string(), QUEENS);
}

#[test]
fn published_perft_counts_of_english_draughts() {
    // Counts of whole turns, as several programs publish them.
    let counts = [7, 49, 302, 1469, 7361, 36768, 179_740, 845_931, 3_963_680, 18_391_564];
    for (depth, nodes) in (1..).zip(counts) {
        assert_eq!(
            perft_turns(&Position::<Checkers>::initial(), depth),
            nodes,
            "depth {depth}"
        );
    }
    assert_eq!(perft(&Position::<Checkers>::initial(), 10), 17_570_330);
}

#[test]
fn the_authors_lines() {
    leads_to::<Queens>(
        QUEENS,
        "a3-b4 a6-b5 b4xb6 b6xb8",
        "m(Qmm)m1m1m1/3m1m1m/2m1m1m1/8/8/2M1M1M1/1M1M1M1M/M1M1M1M1 l -",
    );
    leads_to::<Queens>(
        QUEENS,
        "a3-b4 g6-h5 b4-c5 c6xc4 c4xc2 c1xc3",
        "m1m1m1m1/1m1m1m1m/m3m3/7m/8/2(Mm)1M1M1/1M(MM)M1M1M/M3M1M1 l -",
    );
    leads_to::<Stax>(
        CHECKERS,
        "c3-d4 f6-e5 d4xf6 g7xe5",
        "1m1m1m1m/m1m1m3/1m1m1m1m/4(mM)3/8/M3M1M1/1M1M1M1M/M1M1M1M1 d -",
    );
    let leap_frog = "8/8/8/8/8/2(MM)5/1(qMMMMMMMMMMmmmmmmmmmmm)6/8 l -";
    let game = after::<Stax>(leap_frog, "b2xd4").unwrap();
    assert_eq!(game.to_move(), Player::White, "c3 shows an enemy, but has been jumped");
    let game = after::<Stax>(leap_frog, "b2xd4 c3xe5").unwrap();
    assert_eq!(game.outcome(), Some(Outcome::Win(Player::White)));
}

#[test]
fn ways_around_the_board() {
    assert_eq!(actions::<CheckersCyl>("8/8/8/8/7m/M7/8/8 d -"), "a3xg5");
    assert_eq!(actions::<CheckersCyl>("8/8/8/8/8/M7/8/8 d -"), "a3-b4 a3-h4");
    let around = "8/8/8/8/Qm1m1m1(qmmmmmmmm)/8/8/(MMMMMMMMMMM)7 d -";
    leads_to::<QueensCyl>(
        around,
        "a4xc4 c4xe4 e4xg4 g4xa4",
        "8/8/8/8/(Qmmmq)6(mmmmmmmm)/8/8/(MMMMMMMMMMM)7 l -",
    );
    assert!(actions::<QueensCyl>(around).contains("a4xg4"));
    assert_eq!(actions::<CheckersUni>("7m/8/8/8/8/8/8/Q7 d -"), "a1xg7");
    assert_eq!(actions::<CheckersUni>("5m2/4M3/8/8/8/8/8/8 d -"), "e7-d8");
    assert_eq!(actions::<CheckersUni>("5m2/4Q3/8/8/8/8/8/8 d -"), "e7xg1");
}

#[test]
fn crowning_ends_the_turn_and_who_cannot_act_has_lost() {
    let game = after::<Checkers>("8/2m1m3/3M4/8/8/8/8/8 d -", "d6xf8").unwrap();
    assert_eq!(game.to_move(), Player::Black);
    let dead = "2q(QMMMMMMMMMMM)4/8/8/8/8/8/8/(qmmmmmmmmmm)7 l -";
    let game = after::<Queens>(dead, "c8xe8").unwrap();
    assert_eq!(game.outcome(), Some(Outcome::Win(Player::Black)));
    assert_eq!(game.end_reason(), Some("no action"));
}

#[test]
fn numbers_decide_which_men_may_be_jumped() {
    assert_eq!(actions::<CheckersNum>("8/8/8/8/1e1f4/2E5/8/8 d -"), "c3xa5");
}

#[test]
fn without_kings_the_universal_board_counts_like_the_cylinder() {
    let equal = |plies: &[u64], cylinder: &dyn Fn(u32) -> u64, universal: &dyn Fn(u32) -> u64| {
        for (depth, &nodes) in (1..).zip(plies) {
            assert_eq!((cylinder(depth), universal(depth)), (nodes, nodes), "depth {depth}");
        }
    };
    let plies = [8, 64, 432, 2128, 10272, 50848, 240_536, 1_068_376];
    equal(
        &plies,
        &|depth| perft(&Position::<CheckersCyl>::initial(), depth),
        &|depth| perft(&Position::<CheckersUni>::initial(), depth),
    );
    let plies = [8, 64, 432, 2128, 10272, 50696, 240_264, 1_061_392];
    equal(
        &plies,
        &|depth| perft(&Position::<StaxCyl>::initial(), depth),
        &|depth| perft(&Position::<StaxUni>::initial(), depth),
    );
    let turns = [8, 64, 448, 2752, 18792, 120_608, 798_552];
    equal(
        &turns,
        &|depth| perft_turns(&Position::<QueensCyl>::initial(), depth),
        &|depth| perft_turns(&Position::<QueensUni>::initial(), depth),
    );
}
