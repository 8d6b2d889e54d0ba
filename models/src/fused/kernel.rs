//! The evaluation of a position, compiled for several sets of instructions.
//!
//! A convolution keeps the sums of a few cells and channels in registers, from the bias to the rectifier: nothing but
//! inputs, weights and results goes through memory, and all of them fit into the caches of one core.

#![allow(
    unsafe_code,
    reason = "a function for instructions that not every processor has can be called in no other way, and numbers are \
              loaded by their addresses"
)]
use std::ops::Range;

use super::board::Board;
use super::instructions::{Instructions, Set};
use super::layers::{Convolution, Dense, Layers};
use super::room::Room;
use super::tiles;
use super::vector::{Bf16, Narrow, Vector, Wide};

/// Evaluates the position in a room: writes the logits of these indices within a position, `[N]`, and then those of the
/// value, `[3]`.
pub(super) fn evaluate(
    instructions: Instructions,
    layers: &Layers,
    room: &mut Room,
    wanted: &[usize],
    outputs: &mut [f32],
) {
    // SAFETY, in each of these: the function is compiled for the instructions of its vectors.
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    fn tiled(layers: &Layers, room: &mut Room, wanted: &[usize], outputs: &mut [f32]) {
        unsafe {
            let _shapes = tiles::Borrowed::new();
            position::<Bf16<true>>(layers, room, wanted, outputs);
        }
    }
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    fn bf16(layers: &Layers, room: &mut Room, wanted: &[usize], outputs: &mut [f32]) {
        unsafe { position::<Bf16<false>>(layers, room, wanted, outputs) }
    }
    #[target_feature(enable = "avx512f,avx512bw")]
    fn wide(layers: &Layers, room: &mut Room, wanted: &[usize], outputs: &mut [f32]) {
        unsafe { position::<Wide>(layers, room, wanted, outputs) }
    }
    #[target_feature(enable = "avx2,fma")]
    fn narrow(layers: &Layers, room: &mut Room, wanted: &[usize], outputs: &mut [f32]) {
        unsafe { position::<Narrow>(layers, room, wanted, outputs) }
    }
    // SAFETY: an `Instructions` exists only where the processor has them.
    match instructions.set() {
        Set::Tiles => unsafe { tiled(layers, room, wanted, outputs) },
        Set::Bf16 => unsafe { bf16(layers, room, wanted, outputs) },
        Set::Wide => unsafe { wide(layers, room, wanted, outputs) },
        Set::Narrow => unsafe { narrow(layers, room, wanted, outputs) },
    }
}

/// Evaluates a position.
///
/// # Safety
/// As of all functions here: the caller is compiled for the instructions of the vectors.
#[inline(always)]
unsafe fn position<V: Vector>(layers: &Layers, room: &mut Room, wanted: &[usize], outputs: &mut [f32]) {
    // SAFETY: the caller has the instructions.
    unsafe {
        convolution::<V>(&layers.stem, &room.planes, &mut room.trunk, After::Rectifier);
        for block in &layers.blocks {
            let after = match block.pooling {
                Some(_) => After::Nothing,
                None => After::Rectifier,
            };
            convolution::<V>(&block.first, &room.trunk, &mut room.inner, after);
            if let Some(pooling) = &block.pooling {
                pool::<V>(&room.inner, &mut room.block_summary);
                dense(pooling, &room.block_summary, &mut room.shift);
                shift::<V>(&mut room.inner, &room.shift);
            }
            convolution::<V>(&block.second, &room.inner, &mut room.trunk, After::Sum);
        }
        convolution::<V>(&layers.policy_hidden, &room.trunk, &mut room.policy, After::Rectifier);
        let (policy, value) = outputs.split_at_mut(wanted.len());
        for (&index, logit) in wanted.iter().zip(policy) {
            let (board, cells) = (&room.policy, room.policy.size.cells());
            let (plane, cell) = (index / cells, index % cells);
            let first = board.line(cell / board.size.columns, cell % board.size.columns);
            let lines = board.lines_of_cell();
            let weights = &layers.policy.weights[plane * lines..][..lines];
            let products = V::products(&board.lines[first..][..lines], weights);
            *logit = layers.policy.bias[plane] + products.iter().sum::<f32>();
        }
        convolution::<V>(&layers.value_summary, &room.trunk, &mut room.value, After::Rectifier);
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
///
/// A part of the columns is computed for all rows before the next one, so that the number of its cells, for which the
/// loops are compiled, is looked up once. With parts that fill the registers the kernel is 1.4 to 1.7 times as fast with
/// AVX2 as before, when a part was three cells of 32 channels.
#[inline(always)]
unsafe fn convolution<V: Vector>(layer: &Convolution, input: &Board, output: &mut Board, after: After) {
    macro_rules! columns_of {
        ($group:ident, $columns:ident: $($width:literal)*) => {
            match $columns.len() {
                // SAFETY: the caller has the instructions.
                $($width if $width <= V::CELLS => unsafe {
                    columns::<V, $width>(layer, input, output, after, $group, $columns.start);
                },)*
                width => unreachable!("{width} cells, of at most {}", V::CELLS),
            }
        };
    }
    assert!(
        layer.group == V::CHANNELS
            && input.fits(output.size, layer.units)
            && output.lines_of_cell() == layer.groups() * V::LINES,
        "the boards do not fit the layer"
    );
    for group in 0..layer.groups() {
        for part in parts(output.size.columns, V::CELLS) {
            // Up to the nine columns of Chase: wider boards are divided.
            columns_of!(group, part: 1 2 3 4 5 6 7 8 9);
        }
    }
}

/// Columns in as few parts as possible of at most this many, equal in size or nearly so: 9 are 4 and 5, since a part of a
/// single cell would read every weight for that cell alone.
fn parts(columns: usize, most: usize) -> impl Iterator<Item = Range<usize>> {
    let count = columns.div_ceil(most);
    (0..count).map(move |part| part * columns / count..(part + 1) * columns / count)
}

/// The convolution in the columns from `start`, as many as `CELLS`, for a group of channels.
#[inline(always)]
unsafe fn columns<V: Vector, const CELLS: usize>(
    layer: &Convolution,
    input: &Board,
    output: &mut Board,
    after: After,
    group: usize,
    start: usize,
) {
    let size = output.size;
    if !V::TILES {
        for row in 0..size.rows {
            // SAFETY: the caller has the instructions.
            unsafe {
                let sums = sums::<V, CELLS>(layer, input, group, row, start);
                finish::<V, CELLS>(sums, output, after, group, row, start);
            }
        }
        return;
    }
    let bias = layer.bias[group * V::CHANNELS..][..V::CHANNELS].as_ptr();
    let mut all = tiles::Sums::<CELLS>::new();
    // SAFETY: the caller has the instructions, and a group is as large as the sums of a cell.
    unsafe {
        tiles::shape(CELLS);
        let bias = V::load(bias);
        for first in (0..size.rows).step_by(tiles::ROWS) {
            tiles::sums(layer, input, group, first, start, &mut all);
            for (row, sums) in (first..size.rows).zip(&all.0) {
                // By a loop: a closure would not be compiled for the instructions, and each addition would be a call.
                let mut with_bias = [bias; CELLS];
                for (sum, products) in with_bias.iter_mut().zip(sums) {
                    *sum = V::add(bias, V::load(products.as_ptr()));
                }
                finish::<V, CELLS>(with_bias, output, after, group, row, start);
            }
        }
    }
}

/// Writes the results of the cells of a row from `start`, for a group of channels.
#[inline(always)]
unsafe fn finish<V: Vector, const CELLS: usize>(
    sums: [V::Sums; CELLS],
    output: &mut Board,
    after: After,
    group: usize,
    row: usize,
    start: usize,
) {
    for (column, sums) in (start..).zip(sums) {
        let first = output.line(row, column) + group * V::LINES;
        let lines = &mut output.lines[first..][..V::LINES];
        // SAFETY: the caller has the instructions.
        unsafe {
            let sums = match after {
                After::Nothing => sums,
                After::Rectifier => rectified::<V>(sums),
                After::Sum => rectified::<V>(V::add(sums, V::channels(lines))),
            };
            V::put(lines, sums);
        }
        output.wrap_around(row, column, group * V::LINES, V::LINES);
    }
}

/// Bias and products of the cells of a row from `start`, for a group of channels.
#[inline(always)]
unsafe fn sums<V: Vector, const CELLS: usize>(
    layer: &Convolution,
    input: &Board,
    group: usize,
    row: usize,
    start: usize,
) -> [V::Sums; CELLS] {
    let (size, units, lines) = (input.size, layer.units, V::CHANNELS / 16);
    let bias = layer.bias[group * V::CHANNELS..][..V::CHANNELS].as_ptr();
    // SAFETY: the slice has as many numbers as a group.
    let mut sums = [unsafe { V::load(bias) }; CELLS];
    let numbers = input.numbers();
    for (index, tap) in layer.taps.iter().enumerate() {
        let Some(from) = size.row(row, tap.rows) else {
            continue;
        };
        let first = (group * layer.taps.len() + index) * units * lines;
        let weights = layer.weights[first..][..units * lines].chunks_exact(lines);
        // The neighbours of cells next to each other are that, too.
        let cells = numbers[size.slot(from, start, tap.columns) * units..][..CELLS * units].as_ptr();
        for (unit, weights) in weights.enumerate() {
            // SAFETY: each of the cells has `units` numbers in the slice, and there are weights for as many.
            unsafe {
                let weights = V::weights(weights);
                for (cell, sums) in sums.iter_mut().enumerate() {
                    *sums = V::product(*sums, V::unit(*cells.add(cell * units + unit)), weights);
                }
            }
        }
    }
    sums
}

#[inline(always)]
unsafe fn rectified<V: Vector>(sums: V::Sums) -> V::Sums {
    // SAFETY: the caller has the instructions. Not a number stays one: of two numbers that cannot be compared, the second
    // is returned.
    unsafe { V::max(V::zero(), sums) }
}

/// Writes the mean and the greatest of every channel over the board, `[2 · C]`, of rectified numbers.
#[inline(always)]
unsafe fn pool<V: Vector>(board: &Board, summary: &mut [f32]) {
    let size = board.size;
    let (means, greatest) = summary.split_at_mut(summary.len() / 2);
    let summaries = means
        .chunks_exact_mut(V::CHANNELS)
        .zip(greatest.chunks_exact_mut(V::CHANNELS));
    for (group, (means, greatest)) in summaries.enumerate() {
        // SAFETY: the caller has the instructions, and the summaries have as many numbers as a group.
        unsafe {
            let share = V::all(1.0 / size.cells() as f32);
            let (mut sums, mut most) = (V::zero(), V::zero());
            for row in 0..size.rows {
                for column in 0..size.columns {
                    let first = board.line(row, column) + group * V::LINES;
                    let numbers = rectified::<V>(V::channels(&board.lines[first..][..V::LINES]));
                    sums = V::add(sums, numbers);
                    most = V::max(most, numbers);
                }
            }
            V::store(means.as_mut_ptr(), V::mul(sums, share));
            V::store(greatest.as_mut_ptr(), most);
        }
    }
}

/// Adds a number to every channel, `[C]`, and rectifies.
#[inline(always)]
unsafe fn shift<V: Vector>(board: &mut Board, shift: &[f32]) {
    let size = board.size;
    for (group, shift) in shift.chunks_exact(V::CHANNELS).enumerate() {
        // SAFETY: the slice has as many numbers as a group.
        let shift = unsafe { V::load(shift.as_ptr()) };
        for row in 0..size.rows {
            for column in 0..size.columns {
                let first = board.line(row, column) + group * V::LINES;
                let lines = &mut board.lines[first..][..V::LINES];
                // SAFETY: the caller has the instructions.
                unsafe { V::put(lines, rectified::<V>(V::add(V::channels(lines), shift))) };
                board.wrap_around(row, column, group * V::LINES, V::LINES);
            }
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_divided_evenly() {
        let parts = |columns, most| parts(columns, most).collect::<Vec<_>>();
        let whole = 0..9;
        assert_eq!(parts(9, 9), [whole]);
        assert_eq!(parts(9, 5), [0..4, 4..9]);
        assert_eq!(parts(7, 5), [0..3, 3..7]);
        assert_eq!(parts(13, 5), [0..4, 4..8, 8..13]);
        for (columns, most) in (1..30).flat_map(|columns| [(columns, 5), (columns, 9)]) {
            let parts = parts(columns, most);
            assert!(parts.iter().all(|part| (1..=most).contains(&part.len())), "{parts:?}");
            assert!(parts.iter().flat_map(Clone::clone).eq(0..columns), "{parts:?}");
        }
    }
}
