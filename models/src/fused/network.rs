//! A network and the room for one position.

use ndarray::{ArrayView3, ArrayView4, Axis};
use tch::TchError;

use super::arithmetic::Arithmetic;
use super::board::{Board, Size};
use super::instructions::Instructions;
use super::kernel::evaluate;
use super::layers::{Block, Convolution, Dense, Layers, Outputs};
use super::room::Room;
use crate::Architecture;
use crate::network::{self, VALUE_SIZE};
use chase_engine::Shape;

/// A network that the kernel evaluates.
#[derive(Debug)]
pub(crate) struct FusedNetwork {
    shape: Shape,
    instructions: Instructions,
    layers: Layers,
    room: Room,
    /// Requested logits in the order of their positions, as indices into the request.
    order: Vec<usize>,
    /// Those of one position, as indices into its logits; and its outputs.
    wanted: Vec<usize>,
    outputs: Vec<f32>,
}

impl FusedNetwork {
    /// Reads folded layers in 32 bits; `None` if the processor lacks the instructions. The caller has asked
    /// [`super::can_fuse`].
    pub fn new(
        folded: &network::Layers,
        architecture: &Architecture,
        shape: Shape,
        arithmetic: Arithmetic,
    ) -> Result<Option<Self>, TchError> {
        let instructions = Instructions::available(arithmetic).next();
        instructions
            .map(|instructions| Self::with(instructions, folded, architecture, shape))
            .transpose()
    }

    fn with(
        instructions: Instructions,
        folded: &network::Layers,
        architecture: &Architecture,
        shape: Shape,
    ) -> Result<Self, TchError> {
        let arithmetic = instructions.arithmetic();
        let convolution = |folded| Convolution::new(folded, instructions);
        let blocks = folded.blocks.iter().map(|block| {
            Ok(Block {
                first: convolution(&block.first)?,
                pooling: block
                    .pooling
                    .as_ref()
                    .map(|pooling| Dense::new(&pooling.shift))
                    .transpose()?,
                second: convolution(&block.second)?,
            })
        });
        let layers = Layers {
            stem: convolution(&folded.stem)?,
            blocks: blocks.collect::<Result<_, TchError>>()?,
            policy_hidden: convolution(&folded.policy.hidden)?,
            policy: Outputs::new(&folded.policy.output, arithmetic)?,
            value_summary: convolution(&folded.value.summary)?,
            value_hidden: Dense::new(&folded.value.hidden)?,
            value: Dense::new(&folded.value.output)?,
        };
        let size = Size {
            rows: shape.height,
            columns: shape.width,
            wrap: architecture.wrap,
            wrap_rows: architecture.wrap_rows,
        };
        let board = |channels| Board::of_channels(size, channels, arithmetic);
        let channels = architecture.channels;
        let room = Room {
            planes: Board::new(size, layers.stem.units),
            trunk: board(channels),
            inner: board(channels),
            policy: board(architecture.policy_channels),
            value: board(architecture.value_channels),
            block_summary: vec![0.0; 2 * channels],
            value_summary: vec![0.0; 2 * architecture.value_channels],
            shift: vec![0.0; channels],
            hidden: vec![0.0; architecture.value_hidden],
        };
        Ok(Self {
            shape,
            instructions,
            layers,
            room,
            order: Vec::new(),
            wanted: Vec::new(),
            outputs: Vec::new(),
        })
    }

    /// Writes the wanted policy logits, and then the value logits of every position, `[B, 3]`, into `outputs`. The
    /// caller has checked the request.
    pub fn forward(&mut self, planes: ArrayView4<'_, f32>, wanted: &[i64], outputs: &mut [f32]) {
        let (policy, values) = outputs.split_at_mut(wanted.len());
        let size = self.shape.policy_size();
        let position_of = |index: usize| wanted[index] as usize / size;
        self.order.clear();
        self.order.extend(0..wanted.len());
        // Sorted already, as a rule.
        self.order.sort_unstable_by_key(|&index| position_of(index));
        let mut rest = &self.order[..];
        let (values, _) = values.as_chunks_mut::<VALUE_SIZE>();
        for ((position, planes), value) in planes.axis_iter(Axis(0)).enumerate().zip(values) {
            let (own, others) = rest.split_at(rest.partition_point(|&index| position_of(index) == position));
            rest = others;
            self.wanted.clear();
            self.wanted
                .extend(own.iter().map(|&index| wanted[index] as usize % size));
            self.outputs.resize(own.len() + VALUE_SIZE, 0.0);
            take(planes, self.instructions.arithmetic(), &mut self.room.planes);
            evaluate(
                self.instructions,
                &self.layers,
                &mut self.room,
                &self.wanted,
                &mut self.outputs,
            );
            for (&index, logit) in own.iter().zip(&self.outputs) {
                policy[index] = *logit;
            }
            value.copy_from_slice(&self.outputs[own.len()..]);
        }
    }
}

/// Rounds planes, `[C, H, W]`, to the numbers of a board, with the channels of a cell next to each other.
fn take(planes: ArrayView3<'_, f32>, arithmetic: Arithmetic, board: &mut Board) {
    let (size, units, together) = (board.size, board.units, arithmetic.channels_of_unit());
    let planes = planes.as_standard_layout();
    let Some(numbers) = planes.as_slice() else {
        unreachable!("the standard layout is a slice");
    };
    let cells = size.cells();
    for (index, planes) in numbers.chunks(together * cells).enumerate() {
        for row in 0..size.rows {
            let slot = size.slot(row, 0, 0);
            for column in 0..size.columns {
                let cell = row * size.columns + column;
                // The last unit may have fewer planes.
                let number = |channel: usize| planes.get(channel * cells + cell).copied().unwrap_or_default();
                *board.unit_mut((slot + column) * units + index) = arithmetic.unit(number);
            }
            if size.wrap {
                let last = size.slot(row, size.columns - 1, 0);
                for (from, to) in [(last, slot - 1), (slot, last + 1)] {
                    *board.unit_mut(to * units + index) = *board.unit_mut(from * units + index);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use ndarray::{Array4, s};
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};
    use tch::{Device, Kind};

    use super::*;
    use crate::Network;

    /// The outputs of a kernel for instructions that this processor has, in bits. Checks that the last position has the same
    /// ones alone.
    fn outputs(
        instructions: Instructions,
        folded: &network::Layers,
        architecture: &Architecture,
        planes: &Array4<f32>,
        shape: Shape,
    ) -> Vec<u32> {
        let mut fused = FusedNetwork::with(instructions, folded, architecture, shape).unwrap();
        let batch = planes.len_of(Axis(0));
        let [together, alone] = [0, batch - 1].map(|first| {
            let planes = planes.slice(s![first.., .., .., ..]);
            let wanted: Vec<i64> = (0..((batch - first) * shape.policy_size()) as i64).collect();
            let mut outputs = vec![0.0; wanted.len() + (batch - first) * VALUE_SIZE];
            fused.forward(planes, &wanted, &mut outputs);
            outputs.into_iter().map(f32::to_bits).collect::<Vec<_>>()
        });
        let (policy, values) = together.split_at(batch * shape.policy_size());
        let last = [
            &policy[(batch - 1) * shape.policy_size()..],
            &values[(batch - 1) * VALUE_SIZE..],
        ];
        assert!(
            last.concat() == alone,
            "{instructions:?}, {shape:?}, {architecture:?}: a position alone"
        );
        together
    }

    /// Networks with random weights, and three positions each. Rows are one part or several, equal or not, with and without
    /// their ends joined.
    fn cases() -> impl Iterator<Item = (network::Layers, Architecture, Array4<f32>, Shape)> {
        let cases = [
            (26, 9, 9, true, false, 32),
            (26, 9, 9, true, false, 64),
            (2, 6, 7, false, false, 32),
            (3, 3, 13, true, true, 32),
            (3, 2, 1, true, false, 32),
            (3, 1, 10, false, true, 64),
            (3, 2, 5, true, false, 32),
            (3, 4, 8, true, false, 32),
        ];
        cases
            .into_iter()
            .map(|(planes, height, width, wrap, wrap_rows, channels)| {
                let shape = Shape {
                    planes,
                    height,
                    width,
                    policy_planes: 5,
                };
                let architecture = Architecture {
                    wrap,
                    wrap_rows,
                    channels,
                    policy_channels: 64,
                    pooling: 2,
                    ..Architecture::default()
                };
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
                let network = Network::new(&architecture, shape, Device::Cpu, &mut rng).unwrap();
                let folded = tch::no_grad(|| network.layers.folded(Device::Cpu, Kind::Float)).unwrap();
                let planes = Array4::from_shape_simple_fn(shape.batch(3), || rng.random_range(0.0..1.0));
                (folded, architecture, planes, shape)
            })
    }

    #[test]
    fn numbers_of_32_bits_are_the_same_in_registers_of_either_width() {
        let all: Vec<Instructions> = Instructions::available(Arithmetic::F32).collect();
        let [wide, narrow] = all[..] else {
            // This processor has no registers of 512 bits.
            return;
        };
        for (folded, architecture, planes, shape) in cases() {
            let [wide, narrow] =
                [wide, narrow].map(|instructions| outputs(instructions, &folded, &architecture, &planes, shape));
            assert!(wide == narrow, "{shape:?}, {architecture:?}");
        }
    }

    #[test]
    fn tiles_differ_from_pairs_by_rounding_only() {
        let all: Vec<Instructions> = Instructions::available(Arithmetic::Bf16).collect();
        let [tiles, pairs] = all[..] else {
            // This processor has no units for matrices.
            return;
        };
        for (folded, architecture, planes, shape) in cases() {
            let [tiles, pairs] = [tiles, pairs].map(|instructions| {
                let bits = outputs(instructions, &folded, &architecture, &planes, shape);
                bits.into_iter().map(f32::from_bits).collect::<Vec<_>>()
            });
            let largest = pairs.iter().fold(0.0_f32, |largest, number| largest.max(number.abs()));
            for (tiles, pairs) in tiles.iter().zip(&pairs) {
                // Eight bits of precision, in each of some ten layers.
                let difference = (tiles - pairs).abs() / largest;
                assert!(difference < 0.02, "{tiles} and {pairs}: {shape:?}, {architecture:?}");
            }
        }
    }
}
