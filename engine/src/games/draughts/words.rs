//! Words of the 18 games, put together of those on their base, their board and their numbers.

use super::board::Board;
use super::variant::{Base, Variation};
use crate::Words;

/// The words of one of the games.
pub(super) fn of(variation: Variation) -> Words {
    let (base, what, rules) = match variation.base() {
        Base::Checkers => (
            "Checkers",
            "Jump over the enemy's men, which leave the board",
            include_str!("rules/checkers.md"),
        ),
        Base::Stax => (
            "Stax",
            "Checkers with stacks: a jumped piece goes below its captor, and may come free again",
            include_str!("rules/stax.md"),
        ),
        Base::Queens => (
            "Queens",
            "Stacks on all 64 cells, which jump straight ahead as well; kings jump in eight directions",
            include_str!("rules/queens.md"),
        ),
    };
    let (called, joined, board) = match variation.board() {
        Board::Square => ("", "", ""),
        Board::Cylinder => (
            "Cylindrical ",
            " The left and right edges are joined.",
            include_str!("rules/cylinder.md"),
        ),
        Board::Universal => (
            "Universal ",
            " The left and right edges are joined, and for kings top and bottom too.",
            include_str!("rules/universal.md"),
        ),
    };
    let (numbered, dealt, numbers) = if variation.numbers() {
        (
            " with Numbers",
            " Men have numbers, and jump no higher ones.",
            include_str!("rules/numbers.md"),
        )
    } else {
        ("", "", "")
    };
    Words::composed(
        &format!("{called}{base}{numbered}"),
        &format!("{what}.{joined}{dealt}"),
        &[rules, board, numbers, include_str!("rules/end.md")],
    )
}
