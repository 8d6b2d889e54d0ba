//! Our players as UGI engines for any runner: [`serve`].

mod players;
mod session;
mod thinker;

pub use players::thinker;
pub use session::{Identity, serve};
pub use thinker::{
    AgentThinker, AlphaBetaThinker, ThinkLimits, ThinkWatch, Thinker, Thought, ThoughtLine, TreeThinker,
};
