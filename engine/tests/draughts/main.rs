//! The 18 draughts games.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bad_input;
#[path = "../common/reference.rs"]
mod data;
mod facts;
mod properties;
mod reference;
mod symmetry;

/// Calls a generic function, given as `name::<_>(arguments)` without the brackets, for each of the 18 games.
macro_rules! for_each_game {
    ($function:ident) => {
        for_each_game!($function: Checkers CheckersCyl CheckersUni CheckersNum CheckersCylNum CheckersUniNum
            Stax StaxCyl StaxUni StaxNum StaxCylNum StaxUniNum
            Queens QueensCyl QueensUni QueensNum QueensCylNum QueensUniNum)
    };
    ($function:ident: $($variant:ident)*) => {{
        $($function::<chase_engine::draughts::$variant>();)*
    }};
}
pub(crate) use for_each_game;
