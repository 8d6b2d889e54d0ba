//! Players of ours as UGI engines that any runner can drive: [`serve`].

mod players;
mod session;
mod thinker;

pub use players::thinker;
pub use session::{Identity, serve};
pub use thinker::{AgentThinker, AlphaBetaThinker, Line, ThinkLimits, Thinker, Thought, TreeThinker, Watch};
