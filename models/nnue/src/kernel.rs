//! The inner loops, compiled for several sets of vector instructions; the best one that the processor has is chosen at
//! run time.
//!
//! All are the same code on integers, so all give the same result to the last bit.

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
            Self::Avx512 => is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw"),
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

/// The weights of two inputs for eight outputs: 256 bits, whose products are summed by pairs in one instruction.
pub(crate) type Block = [[i16; 2]; 8];

/// A row of `weights` for every two inputs. Writes the sums of all products, plus a bias; divided by 64 and limited to
/// 0 to 127.
#[inline]
#[allow(unsafe_code, reason = "as for `dispatched!`")]
pub(crate) fn dense<const BLOCKS: usize>(
    kernel: Kernel,
    outputs: &mut [[i16; 8]; BLOCKS],
    inputs: &[[i16; 2]],
    weights: &[[Block; BLOCKS]],
    biases: &[[i32; 8]; BLOCKS],
) {
    #[cfg(target_arch = "x86_64")]
    if kernel >= Kernel::Avx2 {
        // SAFETY: as for `dispatched!`; processors with 512 bits have the instructions for 256 too.
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
    outputs: &mut [[i16; 8]; BLOCKS],
    inputs: &[[i16; 2]],
    weights: &[[Block; BLOCKS]],
    biases: &[[i32; 8]; BLOCKS],
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
    *outputs = sums.map(|sums| cast::<_, [i32; 8]>(sums).map(activation));
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
