//! Convolutions by the processor's units for matrices (AMX). A unit multiplies tiles: registers of up to 16 rows of 64 bytes.
//!
//! A tile of inputs has a row for each cell, with 32 channels in bfloat16; a tile of weights has a row for each pair of
//! these channels, with 16 outputs. That is the order of boards and weights in memory.

#![allow(
    unsafe_code,
    reason = "the compiler has no functions for these instructions yet, and tiles are loaded by their addresses"
)]
use std::arch::asm;
use std::mem::MaybeUninit;
use std::sync::OnceLock;

use super::board::Board;
use super::layers::Convolution;

/// Rows of a board that are computed together. Their 32 sums per cell take two tiles a row, six of the eight; the other two
/// hold inputs and weights. A product waits for the one before it in the same tile, and six tiles hide the wait.
pub(super) const ROWS: usize = 3;

/// Units of an input tile's row.
pub(super) const UNITS: usize = 16;

/// Sums of 32 outputs, for up to [`ROWS`] rows of cells.
#[repr(C, align(64))]
pub(super) struct Sums<const CELLS: usize>(pub [[[f32; 32]; CELLS]; ROWS]);

impl<const CELLS: usize> Sums<CELLS> {
    pub const fn new() -> Self {
        Self([[[0.0; 32]; CELLS]; ROWS])
    }
}

/// Shapes of tiles, as the processor reads them.
#[repr(C, align(64))]
struct Shapes {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    /// Bytes of a row, of each tile.
    bytes: [u16; 16],
    rows: [u8; 16],
}

/// Restores a thread's shapes when it is dropped. oneDNN, which computes for libtorch, remembers the shapes that it set, and
/// does not set them again.
pub(super) struct Borrowed(Shapes);

impl Borrowed {
    /// # Safety
    /// The processor has the instructions, and the process may use them.
    pub unsafe fn new() -> Self {
        let mut shapes = MaybeUninit::<Shapes>::uninit();
        // SAFETY: the instruction writes all 64 bytes.
        unsafe {
            asm!("sttilecfg [{}]", in(reg) shapes.as_mut_ptr(), options(nostack, preserves_flags));
            Self(shapes.assume_init())
        }
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        // SAFETY: the caller of `new` has the instructions, and these are the shapes that `new` read. If the thread had none,
        // its tiles are released.
        unsafe { asm!("ldtilecfg [{}]", in(reg) &raw const self.0, options(nostack, readonly, preserves_flags)) };
    }
}

/// Sets the shapes for parts of this many columns, at most 16.
///
/// # Safety
/// The processor has the instructions, and the process may use them.
pub(super) unsafe fn shape(columns: usize) {
    const { assert!(size_of::<Shapes>() == 64, "as the processor expects") };
    let mut shapes = Shapes {
        palette: 1,
        start_row: 0,
        reserved: [0; 14],
        bytes: [0; 16],
        rows: [0; 16],
    };
    shapes.bytes[..8].fill(64);
    shapes.rows[..7].fill(columns as u8);
    // Weights.
    shapes.rows[7] = UNITS as u8;
    // SAFETY: these are 64 bytes.
    unsafe { asm!("ldtilecfg [{}]", in(reg) &raw const shapes, options(nostack, readonly, preserves_flags)) };
}

/// An instruction for tiles. The compiler uses none itself, so it does not have to know which ones change.
macro_rules! tiles {
    ($text:literal $(, $($operands:tt)*)?) => {
        asm!($text $(, $($operands)*)?, options(nostack, preserves_flags))
    };
}

/// Writes the products, without bias, of the cells of `CELLS` columns from `start` and up to [`ROWS`] rows from `first`, for a
/// group of 32 outputs.
///
/// # Safety
/// The processor has the instructions, the process may use them, and [`shape`] was called for this many columns.
pub(super) unsafe fn sums<const CELLS: usize>(
    layer: &Convolution,
    input: &Board,
    group: usize,
    first: usize,
    start: usize,
    sums: &mut Sums<CELLS>,
) {
    let (size, units) = (input.size, layer.units);
    let count = ROWS.min(size.rows - first);
    let stride = units * size_of::<u32>();
    // SAFETY: a tile of inputs is of cells of the board and their neighbours, a tile of weights of `UNITS` units, and a
    // tile of sums of one row.
    unsafe {
        tiles!("tilezero tmm0");
        tiles!("tilezero tmm1");
        tiles!("tilezero tmm2");
        tiles!("tilezero tmm3");
        tiles!("tilezero tmm4");
        tiles!("tilezero tmm5");
        for (index, tap) in layer.taps.iter().enumerate() {
            let cells = |row: usize| -> Option<*const u32> {
                let from = (row < count).then(|| size.row(first + row, tap.rows)).flatten()?;
                let place = size.slot(from, start, tap.columns) * units;
                Some(input.numbers()[place..][..CELLS * units].as_ptr())
            };
            let cells = [cells(0), cells(1), cells(2)];
            let weights = &layer.weights[(group * layer.taps.len() + index) * units * 2..][..units * 2];
            for (part, weights) in weights.chunks_exact(2 * UNITS).enumerate() {
                macro_rules! products {
                    ($row:literal, $sums:literal) => {
                        if let Some(cells) = cells[$row] {
                            tiles!("tileloadd tmm6, [{}+{}]", in(reg) cells.add(part * UNITS), in(reg) stride);
                            tiles!($sums);
                        }
                    };
                }
                let weights = weights.as_ptr();
                tiles!("tileloadd tmm7, [{}+{}]", in(reg) weights, in(reg) 128usize);
                products!(0, "tdpbf16ps tmm0, tmm6, tmm7");
                products!(1, "tdpbf16ps tmm2, tmm6, tmm7");
                products!(2, "tdpbf16ps tmm4, tmm6, tmm7");
                tiles!("tileloadd tmm7, [{}+{}]", in(reg) weights.add(1), in(reg) 128usize);
                products!(0, "tdpbf16ps tmm1, tmm6, tmm7");
                products!(1, "tdpbf16ps tmm3, tmm6, tmm7");
                products!(2, "tdpbf16ps tmm5, tmm6, tmm7");
            }
        }
        let all = sums.0.as_mut_ptr().cast::<f32>();
        let to = |row: usize, half: usize| all.add(row * CELLS * 32 + 16 * half);
        tiles!("tilestored [{}+{}], tmm0", in(reg) to(0, 0), in(reg) 128usize);
        tiles!("tilestored [{}+{}], tmm1", in(reg) to(0, 1), in(reg) 128usize);
        tiles!("tilestored [{}+{}], tmm2", in(reg) to(1, 0), in(reg) 128usize);
        tiles!("tilestored [{}+{}], tmm3", in(reg) to(1, 1), in(reg) 128usize);
        tiles!("tilestored [{}+{}], tmm4", in(reg) to(2, 0), in(reg) 128usize);
        tiles!("tilestored [{}+{}], tmm5", in(reg) to(2, 1), in(reg) 128usize);
    }
}

/// True if the processor has units for matrices in bfloat16 and the system lets this process use them.
pub(super) fn are_available() -> bool {
    static AVAILABLE: OnceLock<bool> = OnceLock::new();
    *AVAILABLE.get_or_init(|| {
        let edx = std::arch::x86_64::__cpuid_count(7, 0).edx;
        // Bit 22: AMX-BF16. Bit 24: AMX-TILE.
        edx & (1 << 22) != 0 && edx & (1 << 24) != 0 && is_permitted()
    })
}

/// Asks for the permission to use tiles, whose 8 KiB the system then saves for each thread.
#[cfg(target_os = "linux")]
fn is_permitted() -> bool {
    const ARCH_REQ_XCOMP_PERM: libc::c_ulong = 0x1023;
    const XFEATURE_XTILEDATA: libc::c_ulong = 18;
    // SAFETY: the call takes two numbers.
    unsafe { libc::syscall(libc::SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0 }
}

#[cfg(not(target_os = "linux"))]
const fn is_permitted() -> bool {
    false
}
