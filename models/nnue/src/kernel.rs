//! The inner loops, compiled for several sets of vector instructions; the best one that the processor has is chosen at
//! run time.
//!
//! All compute with integers, so all give the same result to the last bit. Most are one code that is compiled several
//! times; dense layers have code of their own for x86-64, with 256 bits.

/// A set of vector instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kernel {
    /// The instructions that every processor of this kind has.
    Portable,
    /// 256 bits: x86-64 processors since 2013.
    Avx2,
    /// 512 bits.
    Avx512,
}

impl Kernel {
    /// All sets, from the slowest to the fastest.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// The fastest set that this processor has.
    pub fn best() -> Self {
        let mut available = Self::ALL.into_iter().filter(|kernel| kernel.is_available());
        available.next_back().unwrap_or(Self::Portable)
    }

    /// True if this processor has the set.
    pub fn is_available(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                Self::Avx2.is_available() && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }
}

/// Defines a function that calls the same code compiled for the given set of instructions.
macro_rules! dispatched {
    ($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*) -> $result:ty, $code:ident) => {
        $(#[$doc])*
        #[inline]
        #[allow(unsafe_code, reason = "a function for instructions that not every processor has can be called in no other way")]
        pub(crate) fn $name(kernel: Kernel, $($argument: $type),*) -> $result {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn avx2($($argument: $type),*) -> $result {
                    $code($($argument),*)
                }
                #[target_feature(enable = "avx512f,avx512bw")]
                fn avx512($($argument: $type),*) -> $result {
                    $code($($argument),*)
                }
                match kernel {
                    // SAFETY: `LineEvaluator` takes a kernel only if the processor has its instructions.
                    Kernel::Avx2 => return unsafe { avx2($($argument),*) },
                    // SAFETY: the same.
                    Kernel::Avx512 => return unsafe { avx512($($argument),*) },
                    Kernel::Portable => {}
                }
            }
            _ = kernel;
            $code($($argument),*)
        }
    };
}

dispatched! {
    /// Writes `from` plus the rows of `table` in `added` minus those in `removed` into `sums`. All have the length of
    /// `sums`, the rows one after the other.
    update(sums: &mut [i16], from: &[i16], table: &[i16], added: &[u16], removed: &[u16]) -> (), update_code
}

/// Outputs of a dense layer that are computed together.
pub(crate) const LANES: usize = 8;

/// The weights of two inputs for eight outputs: 256 bits, whose products one instruction sums by pairs.
pub(crate) type Block = [[i16; 2]; LANES];

/// Writes the sums of products of inputs and weights, plus a bias, divided by 64 and limited to 0 to 127. `weights` has a
/// row for every two inputs.
#[inline]
#[allow(unsafe_code, reason = "as for `dispatched!`")]
pub(crate) fn dense<const BLOCKS: usize>(
    kernel: Kernel,
    outputs: &mut [[i16; LANES]; BLOCKS],
    inputs: &[[i16; 2]],
    weights: &[[Block; BLOCKS]],
    biases: &[[i32; LANES]; BLOCKS],
) {
    debug_assert_eq!(inputs.len(), weights.len(), "a row for every two inputs");
    #[cfg(target_arch = "x86_64")]
    if matches!(kernel, Kernel::Avx2 | Kernel::Avx512) {
        // SAFETY: as for `dispatched!`. `Kernel::is_available` asks for 256 bits in both cases.
        return unsafe { dense_avx2(outputs, inputs, weights, biases) };
    }
    _ = kernel;
    let mut sums = *biases;
    for (pair, row) in inputs.iter().zip(weights) {
        for (sums, block) in sums.iter_mut().zip(row) {
            for (sum, weights) in sums.iter_mut().zip(block) {
                *sum += i32::from(weights[0]) * i32::from(pair[0]) + i32::from(weights[1]) * i32::from(pair[1]);
            }
        }
    }
    *outputs = sums.map(|sums| sums.map(activation));
}

/// [`dense`] by the instruction for products of pairs, which the compiler does not find by itself.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn dense_avx2<const BLOCKS: usize>(
    outputs: &mut [[i16; LANES]; BLOCKS],
    inputs: &[[i16; 2]],
    weights: &[[Block; BLOCKS]],
    biases: &[[i32; LANES]; BLOCKS],
) {
    use std::arch::x86_64::{__m256i, _mm256_add_epi32, _mm256_madd_epi16, _mm256_set1_epi32};

    use bytemuck::cast;

    let mut sums: [__m256i; BLOCKS] = biases.map(cast);
    for (&pair, row) in inputs.iter().zip(weights) {
        let pair = _mm256_set1_epi32(cast(pair));
        for (sum, &block) in sums.iter_mut().zip(row) {
            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(cast(block), pair));
        }
    }
    *outputs = sums.map(|sums| cast::<_, [i32; LANES]>(sums).map(activation));
}

/// A sum of products as the next layer reads it.
#[inline(always)]
fn activation(sum: i32) -> i16 {
    (sum >> 6).clamp(0, 127) as i16
}

dispatched! {
    /// Limits sums to 0 to 127.
    limit(outputs: &mut [i16], sums: &[i16]) -> (), limit_code
}

#[inline(always)]
fn update_code(sums: &mut [i16], from: &[i16], table: &[i16], added: &[u16], removed: &[u16]) {
    let width = sums.len();
    let row = |index: u16| &table[usize::from(index) * width..][..width];
    sums.copy_from_slice(from);
    for &index in added {
        for (sum, weight) in sums.iter_mut().zip(row(index)) {
            *sum = sum.wrapping_add(*weight);
        }
    }
    for &index in removed {
        for (sum, weight) in sums.iter_mut().zip(row(index)) {
            *sum = sum.wrapping_sub(*weight);
        }
    }
}

#[inline(always)]
fn limit_code(outputs: &mut [i16], sums: &[i16]) {
    for (output, sum) in outputs.iter_mut().zip(sums) {
        *output = (*sum).clamp(0, 127);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest sums that a network can have, of both signs, and sums near the limits of an activation.
    #[test]
    fn dense_layers_are_the_same_with_all_instructions() {
        let inputs: Vec<[i16; 2]> = (0..1024)
            .map(|pair| [127, if pair % 3 == 0 { 0 } else { 127 }])
            .collect();
        for scale in [6400, 80, 1] {
            let weight = |place: usize| (place * 7919 % 201) as i16 - 100;
            let weights: Vec<[Block; 2]> = (0..inputs.len())
                .map(|pair| {
                    std::array::from_fn(|block| {
                        std::array::from_fn(|output| {
                            let sign = if output % 2 == 0 { 1 } else { -1 };
                            [0, 1].map(|place| match scale {
                                6400 => sign * 6400,
                                _ => weight(pair * 32 + block * 16 + output * 2 + place) / (80 / scale),
                            })
                        })
                    })
                })
                .collect();
            let biases = std::array::from_fn(|block| std::array::from_fn(|output| (block * 40 + output * 600) as i32));
            let expected: [[i16; LANES]; 2] = std::array::from_fn(|block| {
                std::array::from_fn(|output| {
                    let products = inputs.iter().zip(&weights).map(|(pair, row)| {
                        let [one, other] = row[block][output];
                        i64::from(one) * i64::from(pair[0]) + i64::from(other) * i64::from(pair[1])
                    });
                    let sum = i64::from(biases[block][output]) + products.sum::<i64>();
                    (sum >> 6).clamp(0, 127) as i16
                })
            });
            for kernel in Kernel::ALL.into_iter().filter(|kernel| kernel.is_available()) {
                let mut outputs = [[0; LANES]; 2];
                dense(kernel, &mut outputs, &inputs, &weights, &biases);
                assert_eq!(outputs, expected, "{kernel:?} with weights up to {scale}");
            }
        }
    }
}
