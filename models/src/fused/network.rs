//! A network and the room for one position.

use ndarray::{ArrayView3, ArrayView4, Axis};
use tch::TchError;

use super::board::{Board, Size, pair};
use super::kernel::{self, After};
use super::layers::{Convolution, Dense, Outputs};
use crate::network::{Layers, VALUE_SIZE};
use crate::{Architecture, Shape};

/// A residual block.
#[derive(Debug)]
struct Block {
    first: Convolution,
    /// Shift by the summary of all channels, `[2 · C]` to `[C]`.
    pooling: Option<Dense>,
    second: Convolution,
}

/// A network in the order in which the kernel reads it, with room for one position.
#[derive(Debug)]
pub(crate) struct FusedNetwork {
    shape: Shape,
    stem: Convolution,
    blocks: Vec<Block>,
    policy_hidden: Convolution,
    policy: Outputs,
    value_summary: Convolution,
    value_hidden: Dense,
    value: Dense,
    room: Room,
}

/// The numbers of one position.
#[derive(Debug)]
struct Room {
    planes: Board,
    trunk: Board,
    inner: Board,
    policy: Board,
    value: Board,
    /// Mean and maximum of all channels of a block, and then of the value head.
    block_summary: Vec<f32>,
    value_summary: Vec<f32>,
    shift: Vec<f32>,
    hidden: Vec<f32>,
    /// Requested logits in the order of their positions, as indices into the request.
    order: Vec<usize>,
}

impl FusedNetwork {
    /// Reads folded layers in 32 bits. The caller has asked [`super::can_fuse`].
    pub fn new(folded: &Layers, architecture: &Architecture, shape: Shape) -> Result<Self, TchError> {
        debug_assert_eq!(super::can_fuse(architecture, tch::Device::Cpu), Ok(()));
        let blocks = folded.blocks.iter().map(|block| {
            Ok(Block {
                first: Convolution::new(&block.first)?,
                pooling: block
                    .pooling
                    .as_ref()
                    .map(|pooling| Dense::new(&pooling.shift))
                    .transpose()?,
                second: Convolution::new(&block.second)?,
            })
        });
        let size = Size {
            rows: shape.height,
            columns: shape.width,
            wrap: architecture.wrap,
            wrap_rows: architecture.wrap_rows,
        };
        let stem = Convolution::new(&folded.stem)?;
        let channels = architecture.channels;
        Ok(Self {
            shape,
            blocks: blocks.collect::<Result<_, TchError>>()?,
            policy_hidden: Convolution::new(&folded.policy.hidden)?,
            policy: Outputs::new(&folded.policy.output)?,
            value_summary: Convolution::new(&folded.value.summary)?,
            value_hidden: Dense::new(&folded.value.hidden)?,
            value: Dense::new(&folded.value.output)?,
            room: Room {
                planes: Board::new(size, stem.pairs),
                trunk: Board::of_channels(size, channels),
                inner: Board::of_channels(size, channels),
                policy: Board::of_channels(size, architecture.policy_channels),
                value: Board::of_channels(size, architecture.value_channels),
                block_summary: vec![0.0; 2 * channels],
                value_summary: vec![0.0; 2 * architecture.value_channels],
                shift: vec![0.0; channels],
                hidden: vec![0.0; architecture.value_hidden],
                order: Vec::new(),
            },
            stem,
        })
    }

    /// Writes the wanted policy logits, and then the value logits of every position, `[B, 3]`, into `outputs`. The
    /// caller has checked the request.
    pub fn forward(&mut self, planes: ArrayView4<'_, f32>, wanted: &[i64], outputs: &mut [f32]) {
        let (policy, values) = outputs.split_at_mut(wanted.len());
        let size = self.shape.policy_size();
        let position_of = |index: usize| wanted[index] as usize / size;
        let mut order = std::mem::take(&mut self.room.order);
        order.clear();
        order.extend(0..wanted.len());
        // Sorted already, as a rule.
        order.sort_by_key(|&index| position_of(index));
        let mut rest = &order[..];
        let (values, _) = values.as_chunks_mut::<VALUE_SIZE>();
        for ((position, planes), value) in planes.axis_iter(Axis(0)).enumerate().zip(values) {
            // SAFETY: a network is made only if the processor has the instructions.
            #[allow(
                unsafe_code,
                reason = "instructions that not every processor has can be called in no other way"
            )]
            unsafe {
                self.evaluate(planes, value);
            }
            let here = rest.partition_point(|&index| position_of(index) == position);
            let (own, others) = rest.split_at(here);
            rest = others;
            for &index in own {
                // SAFETY: as above.
                #[allow(unsafe_code, reason = "as above")]
                let logit = unsafe { self.logit(wanted[index] as usize % size) };
                policy[index] = logit;
            }
        }
        self.room.order = order;
    }

    /// Leaves the hidden layer of the policy in its room, and writes the value logits.
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    fn evaluate(&mut self, planes: ArrayView3<'_, f32>, value: &mut [f32; VALUE_SIZE]) {
        let room = &mut self.room;
        take(planes, &mut room.planes);
        kernel::convolution(&self.stem, &room.planes, &mut room.trunk, After::Rectifier);
        for block in &self.blocks {
            if let Some(pooling) = &block.pooling {
                kernel::convolution(&block.first, &room.trunk, &mut room.inner, After::Nothing);
                kernel::pool(&room.inner, &mut room.block_summary);
                kernel::dense(pooling, &room.block_summary, &mut room.shift);
                kernel::shift(&mut room.inner, &room.shift);
            } else {
                kernel::convolution(&block.first, &room.trunk, &mut room.inner, After::Rectifier);
            }
            // Each cell's shortcut is read before the cell is written, and only there.
            kernel::convolution(&block.second, &room.inner, &mut room.trunk, After::Sum);
        }
        kernel::convolution(&self.policy_hidden, &room.trunk, &mut room.policy, After::Rectifier);
        kernel::convolution(&self.value_summary, &room.trunk, &mut room.value, After::Rectifier);
        kernel::pool(&room.value, &mut room.value_summary);
        kernel::dense(&self.value_hidden, &room.value_summary, &mut room.hidden);
        for number in &mut room.hidden {
            // Not a number stays one.
            *number = if *number < 0.0 { 0.0 } else { *number };
        }
        kernel::dense(&self.value, &room.hidden, value);
    }

    /// The policy logit of an index within a position.
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    fn logit(&self, index: usize) -> f32 {
        let board = &self.room.policy;
        let (plane, cell) = (index / board.size.cells(), index % board.size.cells());
        let (row, column) = (cell / board.size.columns, cell % board.size.columns);
        let lines = board.blocks();
        let weights = &self.policy.weights[plane * lines..][..lines];
        kernel::logit(board, row, column, weights, self.policy.bias[plane])
    }
}

/// Rounds planes, `[C, H, W]`, to bfloat16, with the channels of a cell next to each other.
fn take(planes: ArrayView3<'_, f32>, board: &mut Board) {
    let (size, pairs) = (board.size, board.pairs);
    let planes = planes.as_standard_layout();
    let Some(numbers) = planes.as_slice() else {
        unreachable!("the standard layout is a slice");
    };
    let cells = size.cells();
    for (index, two) in numbers.chunks(2 * cells).enumerate() {
        // The last pair may have one plane.
        let (first, second) = two.split_at(cells);
        for row in 0..size.rows {
            let begin = row * size.columns;
            let slot = size.slot(row, 0, 0);
            for column in 0..size.columns {
                let second = second.get(begin + column).copied().unwrap_or_default();
                *board.pair_mut((slot + column) * pairs + index) = pair(first[begin + column], second);
            }
            if size.wrap {
                let last = size.slot(row, size.columns - 1, 0);
                for (from, to) in [(last, slot - 1), (slot, last + 1)] {
                    *board.pair_mut(to * pairs + index) = *board.pair_mut(from * pairs + index);
                }
            }
        }
    }
}
