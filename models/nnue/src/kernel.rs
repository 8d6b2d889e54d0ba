//! The inner loops, compiled for several sets of vector instructions; the best one that the processor has is chosen at
//! run time.
//!
//! All compute with integers, so all give the same result to the last bit. Most are one code that is compiled several
//! times; dense layers have code of their own for x86-64, with 256 bits.

use chase_engine::{Instructions, dispatched};

/// Numbers side by side, at an address from which vectors read them at once: inputs, sums, or the weights of two
/// inputs for [`LANES`] outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
// A multiple of 64 bytes: part of the 1.27 to 1.52 times of study 0060.
#[repr(C, align(64))]
pub(crate) struct Line(pub [[i16; 2]; LANES]);

/// Outputs of a dense layer that are computed together.
// 16 outputs are two registers of 256 bits of sums, and one line of 64 bytes of weights.
pub(crate) const LANES: usize = 16;

impl Line {
    /// Numbers of a line.
    pub const LENGTH: usize = 2 * LANES;
    /// Nothing but zeros.
    pub const ZERO: Self = Self([[0; 2]; LANES]);

    /// Numbers as lines, the last one filled up with zeros.
    pub fn of(numbers: &[i16]) -> Vec<Self> {
        let line = |numbers: &[i16]| {
            let mut line = Self::ZERO;
            line.0.as_flattened_mut()[..numbers.len()].copy_from_slice(numbers);
            line
        };
        numbers.chunks(Self::LENGTH).map(line).collect()
    }
}

dispatched! {
    /// Writes `from` plus the rows of `table` in `added` minus those in `removed` into `sums`. All have the length of
    /// `sums`, the rows one after the other.
    update(sums: &mut [Line], from: &[Line], table: &[Line], added: &[u16], removed: &[u16]) -> (), update_code
}

/// Writes the sums of products of inputs and weights, plus a bias, divided by 64 and limited to 0 to 127. `weights` has
/// lines for every two inputs.
#[inline]
#[allow(unsafe_code, reason = "as for `dispatched!`")]
pub(crate) fn dense<const BLOCKS: usize>(
    instructions: Instructions,
    outputs: &mut [[i16; LANES]; BLOCKS],
    inputs: &[Line],
    weights: &[[Line; BLOCKS]],
    biases: &[[i32; LANES]; BLOCKS],
) {
    debug_assert_eq!(
        inputs.len(),
        weights.len().div_ceil(LANES),
        "a row for every two inputs"
    );
    #[cfg(target_arch = "x86_64")]
    if instructions.has_256_bits() {
        // SAFETY: as for `dispatched!`.
        return unsafe { dense_avx2(outputs, inputs, weights, biases) };
    }
    _ = instructions;
    // By eights, which the compiler finds vectors for.
    let mut sums: [[[i32; 8]; 2]; BLOCKS] = biases.map(bytemuck::cast);
    let pairs = inputs.iter().flat_map(|line| line.0);
    for (pair, row) in pairs.zip(weights) {
        for (sums, block) in sums.iter_mut().zip(row) {
            let block: &[[[i16; 2]; 8]; 2] = bytemuck::cast_ref(&block.0);
            for (sums, weights) in sums.iter_mut().zip(block) {
                for (sum, weights) in sums.iter_mut().zip(weights) {
                    *sum += i32::from(weights[0]) * i32::from(pair[0]) + i32::from(weights[1]) * i32::from(pair[1]);
                }
            }
        }
    }
    *outputs = sums.map(|sums| bytemuck::cast::<_, [i32; LANES]>(sums).map(activation));
}

/// [`dense`] by the instruction for products of pairs, which the compiler does not find by itself. With 512 bits it is 5 %
/// slower (study 0060).
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn dense_avx2<const BLOCKS: usize>(
    outputs: &mut [[i16; LANES]; BLOCKS],
    inputs: &[Line],
    weights: &[[Line; BLOCKS]],
    biases: &[[i32; LANES]; BLOCKS],
) {
    use std::arch::x86_64::{__m256i, _mm256_add_epi32, _mm256_madd_epi16, _mm256_set1_epi32};

    use bytemuck::cast;

    let mut sums: [[__m256i; 2]; BLOCKS] = biases.map(cast);
    for (line, rows) in inputs.iter().zip(weights.chunks(LANES)) {
        for (&pair, row) in line.0.iter().zip(rows) {
            let pair = _mm256_set1_epi32(cast(pair));
            for (sums, block) in sums.iter_mut().zip(row) {
                for (sum, half) in sums.iter_mut().zip(cast::<_, [__m256i; 2]>(block.0)) {
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(half, pair));
                }
            }
        }
    }
    *outputs = sums.map(|sums| cast::<_, [i32; LANES]>(sums).map(activation));
}

/// A sum of products as the next layer reads it.
#[inline(always)]
fn activation(sum: i32) -> i16 {
    // A shift by 6 divides by 64, the scale of weights.
    (sum >> 6).clamp(0, 127) as i16
}

dispatched! {
    /// Limits sums to 0 to 127.
    limit(outputs: &mut [Line], sums: &[Line]) -> (), limit_code
}

#[inline(always)]
fn update_code(sums: &mut [Line], from: &[Line], table: &[Line], added: &[u16], removed: &[u16]) {
    let width = sums.len();
    // Line after line, so that the sums of one stay in a register.
    for (place, (sums, from)) in sums.iter_mut().zip(from).enumerate() {
        let weights = |row: u16| table[usize::from(row) * width + place].0.as_flattened();
        let mut line = *from;
        let numbers = line.0.as_flattened_mut();
        for &row in added {
            for (number, weight) in numbers.iter_mut().zip(weights(row)) {
                *number = number.wrapping_add(*weight);
            }
        }
        for &row in removed {
            for (number, weight) in numbers.iter_mut().zip(weights(row)) {
                *number = number.wrapping_sub(*weight);
            }
        }
        *sums = line;
    }
}

#[inline(always)]
fn limit_code(outputs: &mut [Line], sums: &[Line]) {
    for (outputs, sums) in outputs.iter_mut().zip(sums) {
        let sums = sums.0.as_flattened();
        for (output, sum) in outputs.0.as_flattened_mut().iter_mut().zip(sums) {
            *output = (*sum).clamp(0, 127);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest sums that a network can have, of both signs, and sums near the limits of an activation; and inputs that
    /// do not fill their last line.
    #[test]
    fn dense_layers_are_the_same_with_all_instructions() {
        let all: Vec<[i16; 2]> = (0..1024)
            .map(|pair| [127, if pair % 3 == 0 { 0 } else { 127 }])
            .collect();
        for (scale, count) in [(6400, 1024), (80, 1024), (1, 1024), (80, 8)] {
            let inputs = &all[..count];
            let weight = |place: usize| (place * 7919 % 201) as i16 - 100;
            let weights: Vec<[Line; 2]> = (0..count)
                .map(|pair| {
                    std::array::from_fn(|block| {
                        Line(std::array::from_fn(|output| {
                            let sign = if output % 2 == 0 { 1 } else { -1 };
                            [0, 1].map(|place| match scale {
                                6400 => sign * 6400,
                                _ => weight(pair * 64 + block * 32 + output * 2 + place) / (80 / scale),
                            })
                        }))
                    })
                })
                .collect();
            let biases = std::array::from_fn(|block| std::array::from_fn(|output| (block * 40 + output * 600) as i32));
            let expected: [[i16; LANES]; 2] = std::array::from_fn(|block| {
                std::array::from_fn(|output| {
                    let products = inputs.iter().zip(&weights).map(|(pair, row)| {
                        let [one, other] = row[block].0[output];
                        i64::from(one) * i64::from(pair[0]) + i64::from(other) * i64::from(pair[1])
                    });
                    let sum = i64::from(biases[block][output]) + products.sum::<i64>();
                    (sum >> 6).clamp(0, 127) as i16
                })
            });
            for instructions in Instructions::available() {
                let mut outputs = [[0; LANES]; 2];
                dense(
                    instructions,
                    &mut outputs,
                    &Line::of(inputs.as_flattened()),
                    &weights,
                    &biases,
                );
                assert_eq!(outputs, expected, "{instructions:?} with {count} weights up to {scale}");
            }
        }
    }
}
