//! All that a game of the list offers.

use crate::{Depict, Encode, Heuristic};

/// A game with all that the commands ask of it: rules, planes, a judgement, and pictures.
pub trait Playable: Encode + Heuristic + Depict {}

impl<G: Encode + Heuristic + Depict> Playable for G {}
