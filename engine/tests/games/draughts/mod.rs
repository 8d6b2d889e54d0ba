//! The 18 draughts games.

mod facts;
mod properties;
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
use for_each_game;
