//! The compiled half of the Python package `chase_rl`: rules, encodings, records, environments and searches of every
//! game.
//!
//! | module | subject |
//! |---|---|
//! | `registry` | the games by their names |
//! | `ruled` | a game with its conventions and its encoding |
//! | `erased` | a game without its type, as the classes of Python hold it |
//! | `play` | one game in progress, with its history |
//! | `vector` | many games in lock-step, in arrays that Python shares |
//! | `evaluate` | leaves of searches as arrays, and what an evaluator says about them |
//! | `search`, `self_play` | searches of many positions, whole games of searches |
//! | `baselines` | what the baselines choose |
//! | `updatable` | networks that alpha-beta search judges positions by |
//! | `python` | the classes and functions that Python sees |
//!
//! Everything below `python` knows nothing of Python but exceptions and the call of an evaluator.

mod baselines;
mod erased;
mod evaluate;
mod parallel;
mod play;
mod python;
mod registry;
mod ruled;
mod search;
mod self_play;
mod updatable;
mod vector;
