//! The subcommands, one file each; `bench` and `serve` are large enough for folders of their own.

pub mod analyse;
pub mod balance;
pub mod book;
pub mod cluster;
pub mod completions;
pub mod doctor;
pub mod engine;
pub mod evaluate;
pub mod export;
pub mod man;
pub mod match_;
pub mod moves;
pub mod perft;
pub mod play;
pub mod selfplay;
pub mod show;
pub mod solve;
pub mod study;
pub mod tournament;
pub mod train;
pub mod worker;
