//! Kinds of networks that are trained: each has its own folder.

pub mod nnue;
