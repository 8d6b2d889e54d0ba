//! An exact test of which units were chosen.

/// The probability that the mean of `chosen` units drawn at random is as low as that of the first `chosen` of `units`:
/// Fisher's exact test over all choices.
pub fn lowest_by_chance(units: &[f64], chosen: usize) -> f64 {
    let observed: f64 = units[..chosen].iter().sum();
    let (mut all, mut as_low) = (0_u64, 0_u64);
    // Rounding must not separate equal sums.
    let limit = observed + 1e-12 * units.len() as f64;
    choose(units, chosen, 0.0, &mut |sum| {
        all += 1;
        as_low += u64::from(sum <= limit);
    });
    as_low as f64 / all.max(1) as f64
}

fn choose(units: &[f64], left: usize, sum: f64, visit: &mut dyn FnMut(f64)) {
    if left == 0 {
        return visit(sum);
    }
    for index in 0..=units.len() - left {
        choose(&units[index + 1..], left - 1, sum + units[index], visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_is_the_share_of_choices_that_are_as_low() {
        // Sums of two of four: 3 4 5 5 6 7.
        assert_eq!(lowest_by_chance(&[1.0, 2.0, 3.0, 4.0], 2), 1.0 / 6.0);
        assert_eq!(lowest_by_chance(&[1.0, 4.0, 2.0, 3.0], 2), 4.0 / 6.0);
        assert_eq!(lowest_by_chance(&[4.0, 3.0, 2.0, 1.0], 2), 1.0);
        assert_eq!(lowest_by_chance(&[0.5; 4], 1), 1.0);
    }
}
