//! Networks of the second family, which alpha-beta search judges positions by.

mod agent;
mod chance;
mod load;
mod search;
mod text;

pub use chance::Chance;
pub use load::NnueError;
pub use search::{LineSearch, MakeNnueEvaluator, nnue_evaluator};
pub(crate) use text::FORM;
pub use text::NnueSpec;
