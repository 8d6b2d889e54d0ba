//! Our players as UGI engines for any runner: [`serve`].

mod session;

pub use session::{Identity, serve};
