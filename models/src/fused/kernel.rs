//! The inner loops, in the instructions of x86-64 for products of bfloat16 (AVX512_BF16).
//!
//! A convolution keeps the sums of [`TILE`] cells and 32 channels in registers, from the bias to the rectifier: nothing
//! but inputs, weights and results goes through memory, and all of them fit into the caches of one core.

#![allow(
    unsafe_code,
    reason = "numbers are loaded by their addresses: to check each index costs more than the product"
)]

use std::arch::x86_64::{
    __m512, __m512bh, __m512i, _mm512_add_ps, _mm512_castsi512_ps, _mm512_cvtne2ps_pbh, _mm512_dpbf16_ps,
    _mm512_load_si512, _mm512_loadu_ps, _mm512_max_ps, _mm512_mul_ps, _mm512_permutex2var_epi16, _mm512_reduce_add_ps,
    _mm512_set1_epi32, _mm512_set1_ps, _mm512_setzero_ps, _mm512_setzero_si512, _mm512_store_si512, _mm512_storeu_ps,
};

use super::board::{Board, LINE_CHANNELS, Line};
use super::layers::{Convolution, Dense};

/// Cells whose sums are computed together: as many as a row of Chase has. With 32 channels each they fill 18 of the 32
/// registers.
const TILE: usize = 9;

/// What follows a convolution.
#[derive(Clone, Copy)]
pub(super) enum After {
    Nothing,
    Rectifier,
    /// The sum with what the output holds, then the rectifier.
    Sum,
}

/// True if this processor has the instructions.
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512bf16")
}

/// Writes the convolution of `input` into `output`.
///
/// # Panics
/// If the boards have other sizes than the layer expects.
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
pub(super) fn convolution(layer: &Convolution, input: &Board, output: &mut Board, after: After) {
    assert!(
        input.fits(output.size, layer.pairs) && output.pairs == layer.blocks() * LINE_CHANNELS / 2,
        "the boards do not fit the layer"
    );
    let size = output.size;
    for block in 0..layer.blocks() {
        for row in 0..size.rows {
            for start in (0..size.columns).step_by(TILE) {
                // The last column again and again where the row ends.
                let columns: [usize; TILE] = std::array::from_fn(|index| (start + index).min(size.columns - 1));
                let sums = sums(layer, input, block, row, &columns);
                for (column, sums) in (start..size.columns).zip(sums) {
                    let line = output.line(row, column, block);
                    let sums = match after {
                        After::Nothing => sums,
                        After::Rectifier => rectified(sums),
                        After::Sum => {
                            let [low, high] = widened(&output.lines[line]);
                            rectified([_mm512_add_ps(sums[0], low), _mm512_add_ps(sums[1], high)])
                        }
                    };
                    store(&mut output.lines[line], sums);
                    output.wrap_around(row, column, block);
                }
            }
        }
    }
}

/// Bias and products of the cells of a row, for 32 channels.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
fn sums(layer: &Convolution, input: &Board, block: usize, row: usize, columns: &[usize; TILE]) -> [[__m512; 2]; TILE] {
    let (size, pairs) = (input.size, layer.pairs);
    let bias = layer.bias[block * LINE_CHANNELS..][..LINE_CHANNELS].as_ptr();
    // SAFETY: both halves are within the 32 numbers of the slice.
    let bias = unsafe { [_mm512_loadu_ps(bias), _mm512_loadu_ps(bias.add(16))] };
    let mut sums = [bias; TILE];
    for (index, tap) in layer.taps.iter().enumerate() {
        let Some(from) = size.row(row, tap.rows) else {
            continue;
        };
        let first = (block * layer.taps.len() + index) * 2 * pairs;
        let weights = layer.weights[first..][..2 * pairs].as_ptr();
        let numbers = numbers(&input.lines);
        let cells = columns.map(|column| numbers[size.slot(from, column, tap.columns) * pairs..][..pairs].as_ptr());
        for pair in 0..pairs {
            // SAFETY: there are two lines of weights for every pair; a line is as large and aligned as a register.
            let weights = unsafe {
                [
                    load(weights.add(2 * pair).cast()),
                    load(weights.add(2 * pair + 1).cast()),
                ]
            };
            for (sums, cell) in sums.iter_mut().zip(cells) {
                // SAFETY: every cell has `pairs` pairs.
                let numbers = products_of(_mm512_set1_epi32(unsafe { *cell.add(pair) }.cast_signed()));
                sums[0] = _mm512_dpbf16_ps(sums[0], numbers, weights[0]);
                sums[1] = _mm512_dpbf16_ps(sums[1], numbers, weights[1]);
            }
        }
    }
    sums
}

#[inline]
const fn numbers(lines: &[Line]) -> &[u32] {
    // SAFETY: a line is 16 numbers without padding.
    unsafe { std::slice::from_raw_parts(lines.as_ptr().cast(), 16 * lines.len()) }
}

/// # Safety
/// The address must be of 64 bytes, and a multiple of 64.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
unsafe fn load(address: *const __m512i) -> __m512bh {
    // SAFETY: the caller's.
    products_of(unsafe { _mm512_load_si512(address) })
}

/// The same bits, as pairs of bfloat16.
#[inline]
fn products_of(bits: __m512i) -> __m512bh {
    // SAFETY: both are 512 bits of any value.
    unsafe { std::mem::transmute(bits) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn rectified(sums: [__m512; 2]) -> [__m512; 2] {
    let zero = _mm512_setzero_ps();
    // Not a number stays one: of two numbers that cannot be compared, the second is returned.
    sums.map(|sums| _mm512_max_ps(zero, sums))
}

/// Rounds to bfloat16.
#[inline]
#[target_feature(enable = "avx512f,avx512bf16")]
fn store(line: &mut Line, [low, high]: [__m512; 2]) {
    let packed = _mm512_cvtne2ps_pbh(high, low);
    // SAFETY: a line is as large and aligned as a register.
    unsafe {
        _mm512_store_si512(
            std::ptr::from_mut(line).cast(),
            std::mem::transmute::<__m512bh, __m512i>(packed),
        )
    };
}

/// The first and the second 16 of 32 numbers, in 32 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn widened(line: &Line) -> [__m512; 2] {
    /// Index of the second operand's first number: zero below, the number above.
    const fn places(first: u16) -> [u16; 32] {
        let mut places = [32; 32];
        let mut index = 0;
        while index < 16 {
            places[2 * index + 1] = first + index as u16;
            index += 1;
        }
        places
    }
    const PLACES: [[u16; 32]; 2] = [places(0), places(16)];
    // SAFETY: a line is as large and aligned as a register, and an array of places is as large.
    unsafe {
        let bits = _mm512_load_si512(std::ptr::from_ref(line).cast());
        PLACES.map(|places| {
            let places = std::mem::transmute::<[u16; 32], __m512i>(places);
            _mm512_castsi512_ps(_mm512_permutex2var_epi16(bits, places, _mm512_setzero_si512()))
        })
    }
}

/// Writes the mean and the greatest of every channel over the board into `summary`, `[2 · C]`, of rectified numbers.
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
pub(super) fn pool(board: &Board, summary: &mut [f32]) {
    let (size, blocks) = (board.size, board.blocks());
    let (means, greatest) = summary.split_at_mut(blocks * LINE_CHANNELS);
    let cells = _mm512_set1_ps(1.0 / size.cells() as f32);
    for block in 0..blocks {
        let (mut sum, mut most) = ([_mm512_setzero_ps(); 2], [_mm512_setzero_ps(); 2]);
        for row in 0..size.rows {
            for column in 0..size.columns {
                let numbers = rectified(widened(&board.lines[board.line(row, column, block)]));
                for half in 0..2 {
                    sum[half] = _mm512_add_ps(sum[half], numbers[half]);
                    most[half] = _mm512_max_ps(most[half], numbers[half]);
                }
            }
        }
        for half in 0..2 {
            let first = block * LINE_CHANNELS + 16 * half;
            // SAFETY: the slices have 16 numbers.
            unsafe {
                _mm512_storeu_ps(means[first..][..16].as_mut_ptr(), _mm512_mul_ps(sum[half], cells));
                _mm512_storeu_ps(greatest[first..][..16].as_mut_ptr(), most[half]);
            }
        }
    }
}

/// Adds a number to every channel, `[C]`, and rectifies.
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
pub(super) fn shift(board: &mut Board, shift: &[f32]) {
    let size = board.size;
    for block in 0..board.blocks() {
        let shift = shift[block * LINE_CHANNELS..][..LINE_CHANNELS].as_ptr();
        // SAFETY: both halves are within the 32 numbers of the slice.
        let shift = unsafe { [_mm512_loadu_ps(shift), _mm512_loadu_ps(shift.add(16))] };
        for row in 0..size.rows {
            for column in 0..size.columns {
                let line = board.line(row, column, block);
                let [low, high] = widened(&board.lines[line]);
                let sums = [_mm512_add_ps(low, shift[0]), _mm512_add_ps(high, shift[1])];
                store(&mut board.lines[line], rectified(sums));
                board.wrap_around(row, column, block);
            }
        }
    }
}

/// Bias plus the sum of products of a cell's channels with one row of weights.
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
pub(super) fn logit(board: &Board, row: usize, column: usize, weights: &[Line], bias: f32) -> f32 {
    let first = board.line(row, column, 0);
    let mut sums = _mm512_setzero_ps();
    for (numbers, weights) in board.lines[first..][..board.blocks()].iter().zip(weights) {
        // SAFETY: a line is as large and aligned as a register.
        let [numbers, weights] = [numbers, weights].map(|line| unsafe { load(std::ptr::from_ref(line).cast()) });
        sums = _mm512_dpbf16_ps(sums, numbers, weights);
    }
    bias + _mm512_reduce_add_ps(sums)
}

/// Bias plus products, `[out]`, in 32 bits. Plain code, which the compiler turns into these instructions.
#[target_feature(enable = "avx512f")]
pub(super) fn dense(layer: &Dense, inputs: &[f32], outputs: &mut [f32]) {
    outputs.copy_from_slice(&layer.bias);
    for (input, weights) in inputs.iter().zip(layer.weights.chunks_exact(outputs.len())) {
        for (output, weight) in outputs.iter_mut().zip(weights) {
            *output += input * weight;
        }
    }
}
