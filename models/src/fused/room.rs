//! Room for one position.

use super::board::Board;

/// The numbers of one position.
#[derive(Debug)]
pub(super) struct Room {
    pub planes: Board,
    pub trunk: Board,
    pub inner: Board,
    pub policy: Board,
    pub value: Board,
    /// Mean and maximum of all channels of a block, and of the value head.
    pub block_summary: Vec<f32>,
    pub value_summary: Vec<f32>,
    pub shift: Vec<f32>,
    pub hidden: Vec<f32>,
}
