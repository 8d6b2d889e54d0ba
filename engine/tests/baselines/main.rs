//! Greedy play, random play and alpha–beta with the heuristics of the games.

mod alpha_beta;
mod choices;
