//! The encoding of each game, one module each.

mod chase;
mod connect_four;
mod draughts;
mod limit;
mod placement;
mod planes;

pub use chase::ChaseEncoding;
pub use connect_four::ConnectFourEncoding;
pub use draughts::{DraughtsEncoding, DraughtsPlanes};
pub use placement::{PlacementEncoding, Shown};
