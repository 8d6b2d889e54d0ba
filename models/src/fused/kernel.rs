//! The evaluation of a position, compiled for several sets of instructions.
//!
//! A convolution keeps the sums of a few cells and 32 channels in registers, from the bias to the rectifier: nothing but
//! inputs, weights and results goes through memory, and all of them fit into the caches of one core.

#![allow(
    unsafe_code,
    reason = "a function for instructions that not every processor has can be called in no other way, and numbers are \
              loaded by their addresses"
)]
use super::board::{Board, CHANNELS, Line};
use super::instructions::{Instructions, Set};
use super::layers::{Convolution, Dense, Layers};
use super::room::Room;
use super::vector::{Bf16, Narrow, Vector, Wide};

/// Evaluates the position in a room: writes the logits of these indices within a position, `[N]`, and then those of the
/// value, `[3]`.
///
/// Nine cells, a row of Chase, are computed together in registers of 512 bits: their sums take 18 of 32. Three are in
/// registers of 256, where their sums take 12 of 16.
pub(super) fn evaluate(
    instructions: Instructions,
    layers: &Layers,
    room: &mut Room,
    wanted: &[usize],
    outputs: &mut [f32],
) {
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    fn bf16(layers: &Layers, room: &mut Room, wanted: &[usize], outputs: &mut [f32]) {
        unsafe { position::<Bf16, 9>(layers, room, wanted, outputs) }
    }
    #[target_feature(enable = "avx512f,avx512bw")]
    fn wide(layers: &Layers, room: &mut Room, wanted: &[usize], outputs: &mut [f32]) {
        unsafe { position::<Wide, 9>(layers, room, wanted, outputs) }
    }
    #[target_feature(enable = "avx2,fma")]
    fn narrow(layers: &Layers, room: &mut Room, wanted: &[usize], outputs: &mut [f32]) {
        unsafe { position::<Narrow, 3>(layers, room, wanted, outputs) }
    }
    // SAFETY: an `Instructions` exists only where the processor has them.
    match instructions.set() {
        Set::Bf16 => unsafe { bf16(layers, room, wanted, outputs) },
        Set::Wide => unsafe { wide(layers, room, wanted, outputs) },
        Set::Narrow => unsafe { narrow(layers, room, wanted, outputs) },
    }
}

#[inline(always)]
unsafe fn position<V: Vector, const TILE: usize>(
    layers: &Layers,
    room: &mut Room,
    wanted: &[usize],
    outputs: &mut [f32],
) {
    unsafe {
        convolution::<V, TILE>(&layers.stem, &room.planes, &mut room.trunk, After::Rectifier);
        for block in &layers.blocks {
            if let Some(pooling) = &block.pooling {
                convolution::<V, TILE>(&block.first, &room.trunk, &mut room.inner, After::Nothing);
                pool::<V>(&room.inner, &mut room.block_summary);
                dense(pooling, &room.block_summary, &mut room.shift);
                shift::<V>(&mut room.inner, &room.shift);
            } else {
                convolution::<V, TILE>(&block.first, &room.trunk, &mut room.inner, After::Rectifier);
            }
            convolution::<V, TILE>(&block.second, &room.inner, &mut room.trunk, After::Sum);
        }
        convolution::<V, TILE>(&layers.policy_hidden, &room.trunk, &mut room.policy, After::Rectifier);
        let (policy, value) = outputs.split_at_mut(wanted.len());
        for (&index, logit) in wanted.iter().zip(policy) {
            let (board, cells) = (&room.policy, room.policy.size.cells());
            let (plane, cell) = (index / cells, index % cells);
            let first = board.line(cell / board.size.columns, cell % board.size.columns);
            let lines = board.lines_of_cell();
            let weights = &layers.policy.weights[plane * lines..][..lines];
            *logit = layers.policy.bias[plane] + sum_of_products::<V>(&board.lines[first..][..lines], weights);
        }
        convolution::<V, TILE>(&layers.value_summary, &room.trunk, &mut room.value, After::Rectifier);
        pool::<V>(&room.value, &mut room.value_summary);
        dense(&layers.value_hidden, &room.value_summary, &mut room.hidden);
        for number in &mut room.hidden {
            // Not a number stays one.
            *number = if *number < 0.0 { 0.0 } else { *number };
        }
        dense(&layers.value, &room.hidden, value);
    }
}

/// The step after a convolution.
#[derive(Clone, Copy)]
enum After {
    Nothing,
    Rectifier,
    /// The sum with what the output holds, then the rectifier.
    Sum,
}

/// Writes the convolution of `input` into `output`.
#[inline(always)]
unsafe fn convolution<V: Vector, const TILE: usize>(
    layer: &Convolution,
    input: &Board,
    output: &mut Board,
    after: After,
) {
    let size = output.size;
    assert!(
        input.fits(size, layer.units) && output.lines_of_cell() == layer.blocks() * V::LINES,
        "the boards do not fit the layer"
    );
    for block in 0..layer.blocks() {
        for row in 0..size.rows {
            for start in (0..size.columns).step_by(TILE) {
                // The last column again and again where the row ends.
                let columns: [usize; TILE] = std::array::from_fn(|index| (start + index).min(size.columns - 1));
                let sums = unsafe { sums::<V, TILE>(layer, input, block, row, &columns) };
                for (column, sums) in (start..size.columns).zip(sums) {
                    let first = output.line(row, column) + block * V::LINES;
                    let lines = &mut output.lines[first..][..V::LINES];
                    unsafe {
                        let sums = match after {
                            After::Nothing => sums,
                            After::Rectifier => rectified::<V>(sums),
                            After::Sum => {
                                let [low, high] = V::channels(lines);
                                rectified::<V>([V::add(sums[0], low), V::add(sums[1], high)])
                            }
                        };
                        V::put(lines, sums);
                    }
                    output.wrap_around(row, column, block * V::LINES, V::LINES);
                }
            }
        }
    }
}

/// Bias and products of the cells of a row, for 32 channels.
#[inline(always)]
unsafe fn sums<V: Vector, const TILE: usize>(
    layer: &Convolution,
    input: &Board,
    block: usize,
    row: usize,
    columns: &[usize; TILE],
) -> [[V::Sums; 2]; TILE] {
    let (size, units) = (input.size, layer.units);
    let bias = layer.bias[block * CHANNELS..][..CHANNELS].as_ptr();
    // SAFETY: both halves are within the 32 numbers of the slice.
    let bias = unsafe { [V::load(bias), V::load(bias.add(16))] };
    let mut sums = [bias; TILE];
    let numbers = numbers(&input.lines);
    for (index, tap) in layer.taps.iter().enumerate() {
        let Some(from) = size.row(row, tap.rows) else {
            continue;
        };
        let first = (block * layer.taps.len() + index) * units;
        let (weights, _) = layer.weights[2 * first..][..2 * units].as_chunks::<2>();
        let cells = columns.map(|column| numbers[size.slot(from, column, tap.columns) * units..][..units].as_ptr());
        for (unit, weights) in weights.iter().enumerate() {
            // SAFETY: each cell has `units` numbers.
            unsafe {
                let weights = [V::weights(&weights[0]), V::weights(&weights[1])];
                for (sums, cell) in sums.iter_mut().zip(cells) {
                    let number = V::unit(*cell.add(unit));
                    sums[0] = V::product(sums[0], number, weights[0]);
                    sums[1] = V::product(sums[1], number, weights[1]);
                }
            }
        }
    }
    sums
}

#[inline(always)]
const fn numbers(lines: &[Line]) -> &[u32] {
    // SAFETY: a line is 16 numbers without padding.
    unsafe { std::slice::from_raw_parts(lines.as_ptr().cast(), 16 * lines.len()) }
}

#[inline(always)]
unsafe fn rectified<V: Vector>([low, high]: [V::Sums; 2]) -> [V::Sums; 2] {
    // Not a number stays one: of two numbers that cannot be compared, the second is returned.
    unsafe { [V::max(V::zero(), low), V::max(V::zero(), high)] }
}

/// Writes the mean and the greatest of every channel over the board, `[2 · C]`, of rectified numbers.
#[inline(always)]
unsafe fn pool<V: Vector>(board: &Board, summary: &mut [f32]) {
    let size = board.size;
    let (means, greatest) = summary.split_at_mut(summary.len() / 2);
    let (means, _) = means.as_chunks_mut::<CHANNELS>();
    let (greatest, _) = greatest.as_chunks_mut::<CHANNELS>();
    for (block, (means, greatest)) in means.iter_mut().zip(greatest).enumerate() {
        unsafe {
            let share = V::all(1.0 / size.cells() as f32);
            let (mut sums, mut most) = ([V::zero(); 2], [V::zero(); 2]);
            for row in 0..size.rows {
                for column in 0..size.columns {
                    let first = board.line(row, column) + block * V::LINES;
                    let numbers = rectified::<V>(V::channels(&board.lines[first..][..V::LINES]));
                    for half in 0..2 {
                        sums[half] = V::add(sums[half], numbers[half]);
                        most[half] = V::max(most[half], numbers[half]);
                    }
                }
            }
            for half in 0..2 {
                V::store(means[16 * half..].as_mut_ptr(), V::mul(sums[half], share));
                V::store(greatest[16 * half..].as_mut_ptr(), most[half]);
            }
        }
    }
}

/// Adds a number to every channel, `[C]`, and rectifies.
#[inline(always)]
unsafe fn shift<V: Vector>(board: &mut Board, shift: &[f32]) {
    let size = board.size;
    let (shift, _) = shift.as_chunks::<CHANNELS>();
    for (block, shift) in shift.iter().enumerate() {
        let shift = unsafe { [V::load(shift.as_ptr()), V::load(shift[16..].as_ptr())] };
        for row in 0..size.rows {
            for column in 0..size.columns {
                let first = board.line(row, column) + block * V::LINES;
                let lines = &mut board.lines[first..][..V::LINES];
                unsafe {
                    let [low, high] = V::channels(lines);
                    V::put(lines, rectified::<V>([V::add(low, shift[0]), V::add(high, shift[1])]));
                }
                board.wrap_around(row, column, block * V::LINES, V::LINES);
            }
        }
    }
}

#[inline(always)]
unsafe fn sum_of_products<V: Vector>(numbers: &[Line], weights: &[Line]) -> f32 {
    let mut parts = [0.0f32; 16];
    unsafe {
        let mut sums = V::zero();
        for (numbers, weights) in numbers.iter().zip(weights) {
            sums = V::products(sums, numbers, weights);
        }
        V::store(parts.as_mut_ptr(), sums);
    }
    parts.iter().sum()
}

/// Bias plus products, `[out]`, in 32 bits. Plain code, which the compiler turns into the instructions of its caller.
#[inline(always)]
fn dense(layer: &Dense, inputs: &[f32], outputs: &mut [f32]) {
    debug_assert_eq!(
        layer.weights.len(),
        inputs.len() * outputs.len(),
        "the numbers do not fit the layer"
    );
    outputs.copy_from_slice(&layer.bias);
    for (input, weights) in inputs.iter().zip(layer.weights.chunks_exact(outputs.len())) {
        for (output, weight) in outputs.iter_mut().zip(weights) {
            *output += input * weight;
        }
    }
}
