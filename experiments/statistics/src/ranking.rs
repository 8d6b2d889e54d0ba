//! Agreement of two rankings.

/// Kendall's τ-b of two lists of numbers: the share of pairs in the same order minus the share in the opposite order,
/// corrected for pairs that are tied in one list only. `None` if a list has fewer than two different numbers.
///
/// It has no interval here: the first moves are all that exist, not a sample of moves.
pub fn kendall(first: &[f64], second: &[f64]) -> Option<f64> {
    let mut score = 0.0;
    let mut untied = [0.0; 2];
    for i in 1..first.len().min(second.len()) {
        for j in 0..i {
            let signs = [sign(first[i] - first[j]), sign(second[i] - second[j])];
            score += signs[0] * signs[1];
            untied[0] += signs[0].abs();
            untied[1] += signs[1].abs();
        }
    }
    let scale = (untied[0] * untied[1]).sqrt();
    (scale > 0.0).then(|| score / scale)
}

/// Spearman's ρ: the correlation of ranks, where ties share their mean rank. `None` if a list has fewer than two
/// different
/// numbers.
pub fn spearman(first: &[f64], second: &[f64]) -> Option<f64> {
    let (first, second) = (ranks(first), ranks(second));
    let mean = (first.len() as f64 + 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>();
    let scale = (product(&first, &first) * product(&second, &second)).sqrt();
    (scale > 0.0).then(|| product(&first, &second) / scale)
}

/// Ranks from 1 for the smallest number; ties share their mean rank.
fn ranks(numbers: &[f64]) -> Vec<f64> {
    let rank = |number: f64| {
        let less = numbers.iter().filter(|&&other| other < number).count() as f64;
        let equal = numbers.iter().filter(|&&other| other == number).count() as f64;
        less + (equal + 1.0) / 2.0
    };
    numbers.iter().map(|&number| rank(number)).collect()
}

fn sign(difference: f64) -> f64 {
    if difference == 0.0 { 0.0 } else { difference.signum() }
}

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

    fn near(found: Option<f64>, expected: f64) {
        assert!(
            found.is_some_and(|found| (found - expected).abs() < 1e-12),
            "{found:?}, expected {expected}"
        );
    }

    #[test]
    fn correlations_of_small_lists_by_hand() {
        let one = [1.0, 2.0, 3.0, 4.0];
        near(kendall(&one, &one), 1.0);
        near(spearman(&one, &[4.0, 3.0, 2.0, 1.0]), -1.0);
        // One of six pairs is in the opposite order; Σd² = 2, so ρ = 1 − 6 · 2 / (4 · 15).
        near(kendall(&one, &[1.0, 3.0, 2.0, 9.0]), 4.0 / 6.0);
        near(spearman(&one, &[1.0, 3.0, 2.0, 9.0]), 0.8);
        // A tie in the second list: five pairs in order, one tied.
        near(kendall(&one, &[1.0, 2.0, 2.0, 3.0]), 5.0 / 30.0_f64.sqrt());
        near(spearman(&one, &[1.0, 2.0, 2.0, 3.0]), 4.5 / (5.0 * 4.5_f64).sqrt());
        assert_eq!((kendall(&one, &[7.0; 4]), spearman(&[], &[])), (None, None));
    }

    #[test]
    fn chance_is_the_share_of_choices_that_are_as_low() {
        // Sums of two of four: 3 4 5 5 6 7.
        assert_eq!(lowest_by_chance(&[1.0, 2.0, 3.0, 4.0], 2), 1.0 / 6.0);
        assert_eq!(lowest_by_chance(&[1.0, 4.0, 2.0, 3.0], 2), 4.0 / 6.0);
        assert_eq!(lowest_by_chance(&[4.0, 3.0, 2.0, 1.0], 2), 1.0);
        assert_eq!(lowest_by_chance(&[0.5; 4], 1), 1.0);
    }
}
