//! The channels that are computed together, by sets of instructions.
//!
//! The methods are safe only on a processor with the instructions, and fast only where they are inlined into a function
//! that is compiled for them; both are true of [`super::kernel`].

#![allow(
    unsafe_code,
    reason = "numbers are loaded by their addresses: to check each index costs more than the product"
)]
use std::arch::x86_64::{
    __m256, __m512, __m512bh, __m512i, _mm256_add_ps, _mm256_castsi256_ps, _mm256_fmadd_ps, _mm256_loadu_ps,
    _mm256_max_ps, _mm256_mul_ps, _mm256_set1_epi32, _mm256_set1_ps, _mm256_setzero_ps, _mm256_storeu_ps,
    _mm512_add_ps, _mm512_castsi512_ps, _mm512_cvtne2ps_pbh, _mm512_dpbf16_ps, _mm512_fmadd_ps, _mm512_load_si512,
    _mm512_loadu_ps, _mm512_max_ps, _mm512_mul_ps, _mm512_permutex2var_epi16, _mm512_set1_epi32, _mm512_set1_ps,
    _mm512_setzero_ps, _mm512_setzero_si512, _mm512_store_si512, _mm512_storeu_ps,
};

use super::board::Line;

/// A group of channels in 32 bits, which fills two registers, and the numbers that their sums are made of.
///
/// # Safety
/// Of all methods: the processor has the instructions, and addresses of `f32` are of as many numbers as a group has.
pub(super) trait Vector {
    /// The sums of a group.
    type Sums: Copy;
    /// A unit of 32 bits, for every channel of a group.
    type Unit: Copy;
    /// A unit of weights for every channel of a group.
    type Weights: Copy;
    /// Channels of a group.
    const CHANNELS: usize;
    /// Lines of a board that hold the channels of a group.
    const LINES: usize;
    /// Most cells that a convolution computes together.
    ///
    /// Their sums stay in registers, two for each cell, next to two of weights and one of the input: each weight that is
    /// read serves all these cells. Five cells of 16 channels take 13 of the 16 registers of 256 bits, where 32 channels
    /// of three cells would take 17, one too many. Nine cells of 32 channels, a row of Chase, take 21 of the 32 registers
    /// of 512 bits.
    const CELLS: usize;
    /// True if convolutions are computed by units for matrices.
    const TILES: bool = false;

    unsafe fn zero() -> Self::Sums;
    unsafe fn all(number: f32) -> Self::Sums;
    unsafe fn load(from: *const f32) -> Self::Sums;
    unsafe fn store(to: *mut f32, sums: Self::Sums);
    unsafe fn add(a: Self::Sums, b: Self::Sums) -> Self::Sums;
    unsafe fn mul(a: Self::Sums, b: Self::Sums) -> Self::Sums;
    /// The greater of each two; the second if they cannot be compared.
    unsafe fn max(a: Self::Sums, b: Self::Sums) -> Self::Sums;
    unsafe fn unit(number: u32) -> Self::Unit;
    /// Weights of as many lines as a group has sixteens of channels.
    unsafe fn weights(lines: &[Line]) -> Self::Weights;
    /// Adds the products of a unit's channels.
    unsafe fn product(sums: Self::Sums, unit: Self::Unit, weights: Self::Weights) -> Self::Sums;
    /// The sums of the products of units and weights, by their places in a line.
    unsafe fn products(units: &[Line], weights: &[Line]) -> [f32; 16];
    /// The channels of a group in 32 bits.
    unsafe fn channels(lines: &[Line]) -> Self::Sums;
    /// The channels of a group, rounded to the numbers of a board.
    unsafe fn put(lines: &mut [Line], channels: Self::Sums);
}

/// Pairs of bfloat16 in registers of 512 bits, with or without units for matrices.
pub(super) struct Bf16<const TILES: bool>;
/// 32 bits in registers of 512.
pub(super) struct Wide;
/// 32 bits in registers of 256.
pub(super) struct Narrow;

/// The methods that do not depend on what is multiplied, for registers of this many numbers.
macro_rules! in_two_registers {
    ($register:ty, $numbers:literal, $zero:ident, $all:ident, $load:ident, $store:ident, $add:ident, $mul:ident, $max:ident) => {
        type Sums = [$register; 2];
        const CHANNELS: usize = 2 * $numbers;

        #[inline(always)]
        unsafe fn zero() -> [$register; 2] {
            unsafe { [$zero(); 2] }
        }

        #[inline(always)]
        unsafe fn all(number: f32) -> [$register; 2] {
            unsafe { [$all(number); 2] }
        }

        #[inline(always)]
        unsafe fn load(from: *const f32) -> [$register; 2] {
            unsafe { [$load(from), $load(from.add($numbers))] }
        }

        #[inline(always)]
        unsafe fn store(to: *mut f32, [low, high]: [$register; 2]) {
            unsafe {
                $store(to, low);
                $store(to.add($numbers), high);
            }
        }

        #[inline(always)]
        unsafe fn add(a: [$register; 2], b: [$register; 2]) -> [$register; 2] {
            unsafe { [$add(a[0], b[0]), $add(a[1], b[1])] }
        }

        #[inline(always)]
        unsafe fn mul(a: [$register; 2], b: [$register; 2]) -> [$register; 2] {
            unsafe { [$mul(a[0], b[0]), $mul(a[1], b[1])] }
        }

        #[inline(always)]
        unsafe fn max(a: [$register; 2], b: [$register; 2]) -> [$register; 2] {
            unsafe { [$max(a[0], b[0]), $max(a[1], b[1])] }
        }
    };
}

macro_rules! in_512_bits {
    () => {
        // The whole row of Chase at once: each weight is read once per row.
        const CELLS: usize = 9;

        in_two_registers!(
            __m512,
            16,
            _mm512_setzero_ps,
            _mm512_set1_ps,
            _mm512_loadu_ps,
            _mm512_storeu_ps,
            _mm512_add_ps,
            _mm512_mul_ps,
            _mm512_max_ps
        );
    };
}

impl<const TILES: bool> Vector for Bf16<TILES> {
    type Unit = __m512bh;
    type Weights = [__m512bh; 2];
    const LINES: usize = 1;
    const TILES: bool = TILES;

    in_512_bits!();

    #[inline(always)]
    unsafe fn unit(number: u32) -> __m512bh {
        unsafe { pairs(_mm512_set1_epi32(number.cast_signed())) }
    }

    #[inline(always)]
    unsafe fn weights(lines: &[Line]) -> [__m512bh; 2] {
        unsafe { [pairs(bits(&lines[0])), pairs(bits(&lines[1]))] }
    }

    #[inline(always)]
    unsafe fn product(sums: [__m512; 2], unit: __m512bh, weights: [__m512bh; 2]) -> [__m512; 2] {
        unsafe {
            [
                _mm512_dpbf16_ps(sums[0], unit, weights[0]),
                _mm512_dpbf16_ps(sums[1], unit, weights[1]),
            ]
        }
    }

    #[inline(always)]
    unsafe fn products(units: &[Line], weights: &[Line]) -> [f32; 16] {
        unsafe {
            let mut sums = _mm512_setzero_ps();
            for (units, weights) in units.iter().zip(weights) {
                sums = _mm512_dpbf16_ps(sums, pairs(bits(units)), pairs(bits(weights)));
            }
            std::mem::transmute::<__m512, [f32; 16]>(sums)
        }
    }

    #[inline(always)]
    unsafe fn channels(lines: &[Line]) -> [__m512; 2] {
        /// Zero in the low half, and one of 16 neighbours in the high half: 32 is the first number of the second operand.
        const fn places(first: u16) -> [u16; 32] {
            let mut places = [32; 32];
            let mut index = 0;
            while index < 16 {
                places[2 * index + 1] = first + index as u16;
                index += 1;
            }
            places
        }
        const LOW: [u16; 32] = places(0);
        const HIGH: [u16; 32] = places(16);
        unsafe {
            let bits = bits(&lines[0]);
            [picked(bits, LOW), picked(bits, HIGH)]
        }
    }

    #[inline(always)]
    unsafe fn put(lines: &mut [Line], [low, high]: [__m512; 2]) {
        unsafe {
            let packed = std::mem::transmute::<__m512bh, __m512i>(_mm512_cvtne2ps_pbh(high, low));
            _mm512_store_si512(std::ptr::from_mut(&mut lines[0]).cast(), packed);
        }
    }
}

/// A line, which is as large and aligned as a register.
#[inline(always)]
unsafe fn bits(line: &Line) -> __m512i {
    unsafe { _mm512_load_si512(std::ptr::from_ref(line).cast()) }
}

/// The same bits, as pairs of bfloat16.
#[inline(always)]
unsafe fn pairs(bits: __m512i) -> __m512bh {
    unsafe { std::mem::transmute(bits) }
}

/// Numbers in 32 bits, by the places of their halves: those of `bits`, and then zeros.
#[inline(always)]
unsafe fn picked(bits: __m512i, places: [u16; 32]) -> __m512 {
    unsafe {
        let places = std::mem::transmute::<[u16; 32], __m512i>(places);
        _mm512_castsi512_ps(_mm512_permutex2var_epi16(bits, places, _mm512_setzero_si512()))
    }
}

/// A line as numbers in 32 bits.
#[inline(always)]
unsafe fn numbers(line: &Line) -> __m512 {
    unsafe { _mm512_castsi512_ps(bits(line)) }
}

impl Vector for Wide {
    type Unit = __m512;
    type Weights = [__m512; 2];
    const LINES: usize = 2;

    in_512_bits!();

    #[inline(always)]
    unsafe fn unit(number: u32) -> __m512 {
        unsafe { _mm512_castsi512_ps(_mm512_set1_epi32(number.cast_signed())) }
    }

    #[inline(always)]
    unsafe fn weights(lines: &[Line]) -> [__m512; 2] {
        unsafe { [numbers(&lines[0]), numbers(&lines[1])] }
    }

    #[inline(always)]
    unsafe fn product(sums: [__m512; 2], unit: __m512, weights: [__m512; 2]) -> [__m512; 2] {
        unsafe {
            [
                _mm512_fmadd_ps(unit, weights[0], sums[0]),
                _mm512_fmadd_ps(unit, weights[1], sums[1]),
            ]
        }
    }

    #[inline(always)]
    unsafe fn products(units: &[Line], weights: &[Line]) -> [f32; 16] {
        unsafe {
            let mut sums = _mm512_setzero_ps();
            for (units, weights) in units.iter().zip(weights) {
                sums = _mm512_fmadd_ps(numbers(units), numbers(weights), sums);
            }
            std::mem::transmute::<__m512, [f32; 16]>(sums)
        }
    }

    #[inline(always)]
    unsafe fn channels(lines: &[Line]) -> [__m512; 2] {
        unsafe { Self::weights(lines) }
    }

    #[inline(always)]
    unsafe fn put(lines: &mut [Line], [low, high]: [__m512; 2]) {
        unsafe {
            _mm512_storeu_ps(lines[0].0.as_mut_ptr().cast(), low);
            _mm512_storeu_ps(lines[1].0.as_mut_ptr().cast(), high);
        }
    }
}

impl Vector for Narrow {
    type Unit = __m256;
    type Weights = [__m256; 2];
    const LINES: usize = 1;
    const CELLS: usize = 5;

    in_two_registers!(
        __m256,
        8,
        _mm256_setzero_ps,
        _mm256_set1_ps,
        _mm256_loadu_ps,
        _mm256_storeu_ps,
        _mm256_add_ps,
        _mm256_mul_ps,
        _mm256_max_ps
    );

    #[inline(always)]
    unsafe fn unit(number: u32) -> __m256 {
        unsafe { _mm256_castsi256_ps(_mm256_set1_epi32(number.cast_signed())) }
    }

    #[inline(always)]
    unsafe fn weights(lines: &[Line]) -> [__m256; 2] {
        unsafe { Self::load(lines[0].0.as_ptr().cast()) }
    }

    #[inline(always)]
    unsafe fn product(sums: [__m256; 2], unit: __m256, weights: [__m256; 2]) -> [__m256; 2] {
        unsafe {
            [
                _mm256_fmadd_ps(unit, weights[0], sums[0]),
                _mm256_fmadd_ps(unit, weights[1], sums[1]),
            ]
        }
    }

    #[inline(always)]
    unsafe fn products(units: &[Line], weights: &[Line]) -> [f32; 16] {
        unsafe {
            let mut sums = Self::zero();
            for (units, weights) in units.chunks_exact(1).zip(weights.chunks_exact(1)) {
                let (units, weights) = (Self::weights(units), Self::weights(weights));
                sums = [
                    _mm256_fmadd_ps(units[0], weights[0], sums[0]),
                    _mm256_fmadd_ps(units[1], weights[1], sums[1]),
                ];
            }
            std::mem::transmute::<[__m256; 2], [f32; 16]>(sums)
        }
    }

    #[inline(always)]
    unsafe fn channels(lines: &[Line]) -> [__m256; 2] {
        unsafe { Self::weights(lines) }
    }

    #[inline(always)]
    unsafe fn put(lines: &mut [Line], channels: [__m256; 2]) {
        unsafe { Self::store(lines[0].0.as_mut_ptr().cast(), channels) }
    }
}
