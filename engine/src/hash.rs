//! Hashing of numbers into keys of positions.

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): a bijection in which every bit of the input changes every
/// bit of the output.
pub(crate) const fn split_mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Extends a hash by one more word. Different words lead from one hash to different ones.
#[inline]
pub(crate) const fn add_word(hash: u128, word: u64) -> u128 {
    // An odd number without a pattern: 128 bits of the golden ratio.
    const FACTOR: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    let product = (hash ^ word as u128).wrapping_mul(FACTOR);
    // A product's high bits depend on all bits, its low ones on few, so the high ones are folded down.
    (product ^ product >> 71).wrapping_mul(FACTOR)
}
