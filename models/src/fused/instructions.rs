//! Sets of instructions.

use super::arithmetic::Arithmetic;
use super::tiles;
use super::vector::{Bf16, Narrow, Vector, Wide};

/// A set of instructions that this processor has: only [`Instructions::available`] makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Instructions(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Set {
    /// Convolutions by products of tiles in bfloat16 (AMX), the rest as `Bf16`.
    Tiles,
    /// Products of pairs in bfloat16, in 512 bits.
    Bf16,
    /// 32 bits in 512.
    Wide,
    /// 32 bits in 256.
    Narrow,
}

impl Instructions {
    pub const fn set(self) -> Set {
        self.0
    }

    /// The numbers that they multiply.
    pub const fn arithmetic(self) -> Arithmetic {
        match self.0 {
            Set::Tiles | Set::Bf16 => Arithmetic::Bf16,
            Set::Wide | Set::Narrow => Arithmetic::F32,
        }
    }

    /// Channels that they compute together.
    pub const fn channels(self) -> usize {
        match self.0 {
            Set::Tiles | Set::Bf16 => Bf16::<false>::CHANNELS,
            Set::Wide => Wide::CHANNELS,
            Set::Narrow => Narrow::CHANNELS,
        }
    }

    /// Units of a cell with this many channels.
    pub const fn units(self, channels: usize) -> usize {
        let units = channels.div_ceil(self.arithmetic().channels_of_unit());
        match self.0 {
            // Planes fill whole tiles: what is left over is zero.
            Set::Tiles => units.next_multiple_of(tiles::UNITS),
            Set::Bf16 | Set::Wide | Set::Narrow => units,
        }
    }

    /// Those of this processor for an arithmetic, the best ones first. The environment can forbid registers of 512 bits, as
    /// it does to libtorch.
    pub fn available(arithmetic: Arithmetic) -> impl Iterator<Item = Self> {
        let forbidden = std::env::var("ATEN_CPU_CAPABILITY").is_ok_and(|most| most == "avx2" || most == "default");
        let wide = !forbidden && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
        let narrow = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        let pairs = wide && is_x86_feature_detected!("avx512bf16");
        let sets = [
            (Arithmetic::Bf16, Set::Tiles, pairs && tiles::are_available()),
            (Arithmetic::Bf16, Set::Bf16, pairs),
            (Arithmetic::F32, Set::Wide, wide),
            (Arithmetic::F32, Set::Narrow, narrow),
        ];
        let usable = move |(its, set, has)| (its == arithmetic && has).then_some(Self(set));
        sets.into_iter().filter_map(usable)
    }
}
