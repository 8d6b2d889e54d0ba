//! The four placement games.

mod facts;
mod properties;
mod symmetry;

/// Calls a generic function for the positions of each of the four games.
macro_rules! for_each_game {
    ($function:ident) => {{
        $function::<chase_engine::placement::moves23::Moves23Position>();
        $function::<chase_engine::placement::tetra24::Tetra24Position>();
        $function::<chase_engine::placement::lines9::Lines9Position>();
        $function::<chase_engine::placement::tricolour::TricolourPosition>();
    }};
}
use for_each_game;
