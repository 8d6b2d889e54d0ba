//! Values, and ends of the game among them.

/// The value of a game won at once; one won n plies later is worth n less.
pub const WIN: i32 = 1_000_000_000;
/// Larger than any value, and safe to negate and to add a bonus to.
pub(super) const INFINITY: i32 = 2 * WIN;
/// Values beyond this are wins, whose distance in plies is what they lack to [`WIN`].
pub(super) const PROVEN: i32 = WIN - 1000;

/// True if a value is that of a game won or lost by force.
pub const fn is_proven(value: i32) -> bool {
    value.abs() > PROVEN
}

/// A value seen from the root, of one stored with the distance from its position.
pub(super) const fn from_here(value: i32, ply: usize) -> i32 {
    if is_proven(value) {
        value - value.signum() * ply as i32
    } else {
        value
    }
}

/// The reverse of [`from_here`].
pub(super) const fn from_there(value: i32, ply: usize) -> i32 {
    if is_proven(value) {
        value + value.signum() * ply as i32
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proven_values_are_stored_by_their_distance_from_the_position() {
        // Won three plies after a position at ply 5; met again at ply 2.
        for sign in [1, -1] {
            let stored = from_there(sign * (WIN - 8), 5);
            assert_eq!(stored, sign * (WIN - 3));
            assert_eq!(from_here(stored, 2), sign * (WIN - 5));
        }
        assert_eq!((from_there(1234, 5), from_here(-1234, 5)), (1234, -1234));
    }
}
