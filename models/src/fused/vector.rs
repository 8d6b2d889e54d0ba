//! Sixteen numbers in registers, by sets of instructions.
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

/// Sixteen sums in 32 bits, and the numbers that they are made of.
///
/// # Safety
/// Of all methods: the processor has the instructions, and addresses of `f32` are of sixteen numbers.
pub(super) trait Vector {
    /// Sixteen sums.
    type Sums: Copy;
    /// A unit of 32 bits, for all sixteen.
    type Unit: Copy;
    /// Sixteen units of weights.
    type Weights: Copy;
    /// Lines of 32 channels.
    const LINES: usize;

    unsafe fn zero() -> Self::Sums;
    unsafe fn all(number: f32) -> Self::Sums;
    unsafe fn load(from: *const f32) -> Self::Sums;
    unsafe fn store(to: *mut f32, sums: Self::Sums);
    unsafe fn add(a: Self::Sums, b: Self::Sums) -> Self::Sums;
    unsafe fn mul(a: Self::Sums, b: Self::Sums) -> Self::Sums;
    /// The greater of each two; the second if they cannot be compared.
    unsafe fn max(a: Self::Sums, b: Self::Sums) -> Self::Sums;
    unsafe fn unit(number: u32) -> Self::Unit;
    unsafe fn weights(line: &Line) -> Self::Weights;
    /// Adds the products of a unit's channels.
    unsafe fn product(sums: Self::Sums, unit: Self::Unit, weights: Self::Weights) -> Self::Sums;
    /// Adds the products of sixteen units and sixteen weights.
    unsafe fn products(sums: Self::Sums, units: &Line, weights: &Line) -> Self::Sums;
    /// 32 channels in 32 bits.
    unsafe fn channels(lines: &[Line]) -> [Self::Sums; 2];
    /// 32 channels, rounded to the numbers of a board.
    unsafe fn put(lines: &mut [Line], channels: [Self::Sums; 2]);
}

/// Pairs of bfloat16 in registers of 512 bits.
pub(super) struct Bf16;
/// 32 bits in registers of 512.
pub(super) struct Wide;
/// 32 bits in registers of 256.
pub(super) struct Narrow;

/// The methods that do not depend on what is multiplied.
macro_rules! in_512_bits {
    () => {
        #[inline(always)]
        unsafe fn zero() -> __m512 {
            unsafe { _mm512_setzero_ps() }
        }

        #[inline(always)]
        unsafe fn all(number: f32) -> __m512 {
            unsafe { _mm512_set1_ps(number) }
        }

        #[inline(always)]
        unsafe fn load(from: *const f32) -> __m512 {
            unsafe { _mm512_loadu_ps(from) }
        }

        #[inline(always)]
        unsafe fn store(to: *mut f32, sums: __m512) {
            unsafe { _mm512_storeu_ps(to, sums) }
        }

        #[inline(always)]
        unsafe fn add(a: __m512, b: __m512) -> __m512 {
            unsafe { _mm512_add_ps(a, b) }
        }

        #[inline(always)]
        unsafe fn mul(a: __m512, b: __m512) -> __m512 {
            unsafe { _mm512_mul_ps(a, b) }
        }

        #[inline(always)]
        unsafe fn max(a: __m512, b: __m512) -> __m512 {
            unsafe { _mm512_max_ps(a, b) }
        }
    };
}

impl Vector for Bf16 {
    type Sums = __m512;
    type Unit = __m512bh;
    type Weights = __m512bh;
    const LINES: usize = 1;

    in_512_bits!();

    #[inline(always)]
    unsafe fn unit(number: u32) -> __m512bh {
        unsafe { pairs(_mm512_set1_epi32(number.cast_signed())) }
    }

    #[inline(always)]
    unsafe fn weights(line: &Line) -> __m512bh {
        unsafe { pairs(bits(line)) }
    }

    #[inline(always)]
    unsafe fn product(sums: __m512, unit: __m512bh, weights: __m512bh) -> __m512 {
        unsafe { _mm512_dpbf16_ps(sums, unit, weights) }
    }

    #[inline(always)]
    unsafe fn products(sums: __m512, units: &Line, weights: &Line) -> __m512 {
        unsafe { _mm512_dpbf16_ps(sums, pairs(bits(units)), pairs(bits(weights))) }
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

impl Vector for Wide {
    type Sums = __m512;
    type Unit = __m512;
    type Weights = __m512;
    const LINES: usize = 2;

    in_512_bits!();

    #[inline(always)]
    unsafe fn unit(number: u32) -> __m512 {
        unsafe { _mm512_castsi512_ps(_mm512_set1_epi32(number.cast_signed())) }
    }

    #[inline(always)]
    unsafe fn weights(line: &Line) -> __m512 {
        unsafe { _mm512_castsi512_ps(bits(line)) }
    }

    #[inline(always)]
    unsafe fn product(sums: __m512, unit: __m512, weights: __m512) -> __m512 {
        unsafe { _mm512_fmadd_ps(unit, weights, sums) }
    }

    #[inline(always)]
    unsafe fn products(sums: __m512, units: &Line, weights: &Line) -> __m512 {
        unsafe {
            _mm512_fmadd_ps(
                _mm512_castsi512_ps(bits(units)),
                _mm512_castsi512_ps(bits(weights)),
                sums,
            )
        }
    }

    #[inline(always)]
    unsafe fn channels(lines: &[Line]) -> [__m512; 2] {
        unsafe { [Self::weights(&lines[0]), Self::weights(&lines[1])] }
    }

    #[inline(always)]
    unsafe fn put(lines: &mut [Line], [low, high]: [__m512; 2]) {
        unsafe {
            Self::store(lines[0].0.as_mut_ptr().cast(), low);
            Self::store(lines[1].0.as_mut_ptr().cast(), high);
        }
    }
}

impl Vector for Narrow {
    type Sums = [__m256; 2];
    type Unit = __m256;
    type Weights = [__m256; 2];
    const LINES: usize = 2;

    #[inline(always)]
    unsafe fn zero() -> [__m256; 2] {
        unsafe { [_mm256_setzero_ps(); 2] }
    }

    #[inline(always)]
    unsafe fn all(number: f32) -> [__m256; 2] {
        unsafe { [_mm256_set1_ps(number); 2] }
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> [__m256; 2] {
        unsafe { [_mm256_loadu_ps(from), _mm256_loadu_ps(from.add(8))] }
    }

    #[inline(always)]
    unsafe fn store(to: *mut f32, sums: [__m256; 2]) {
        unsafe {
            _mm256_storeu_ps(to, sums[0]);
            _mm256_storeu_ps(to.add(8), sums[1]);
        }
    }

    #[inline(always)]
    unsafe fn add(a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        unsafe { [_mm256_add_ps(a[0], b[0]), _mm256_add_ps(a[1], b[1])] }
    }

    #[inline(always)]
    unsafe fn mul(a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        unsafe { [_mm256_mul_ps(a[0], b[0]), _mm256_mul_ps(a[1], b[1])] }
    }

    #[inline(always)]
    unsafe fn max(a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        unsafe { [_mm256_max_ps(a[0], b[0]), _mm256_max_ps(a[1], b[1])] }
    }

    #[inline(always)]
    unsafe fn unit(number: u32) -> __m256 {
        unsafe { _mm256_castsi256_ps(_mm256_set1_epi32(number.cast_signed())) }
    }

    #[inline(always)]
    unsafe fn weights(line: &Line) -> [__m256; 2] {
        unsafe { Self::load(line.0.as_ptr().cast()) }
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
    unsafe fn products(sums: [__m256; 2], units: &Line, weights: &Line) -> [__m256; 2] {
        unsafe {
            let (units, weights) = (Self::weights(units), Self::weights(weights));
            [
                _mm256_fmadd_ps(units[0], weights[0], sums[0]),
                _mm256_fmadd_ps(units[1], weights[1], sums[1]),
            ]
        }
    }

    #[inline(always)]
    unsafe fn channels(lines: &[Line]) -> [[__m256; 2]; 2] {
        unsafe { [Self::weights(&lines[0]), Self::weights(&lines[1])] }
    }

    #[inline(always)]
    unsafe fn put(lines: &mut [Line], [low, high]: [[__m256; 2]; 2]) {
        unsafe {
            Self::store(lines[0].0.as_mut_ptr().cast(), low);
            Self::store(lines[1].0.as_mut_ptr().cast(), high);
        }
    }
}
