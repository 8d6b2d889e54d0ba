//! Statistics of games that come in pairs.

pub mod clusters;
pub mod regression;
