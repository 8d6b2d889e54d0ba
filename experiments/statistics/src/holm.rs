//! Many tests at once.

/// P-values corrected to control the probability of *any* false rejection among them, whatever their dependence (Holm,
/// 1979). In the given order.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut corrected = vec![1.0; p_values.len()];
    let mut least: f64 = 0.0;
    for (rank, index) in order.into_iter().enumerate() {
        // Never less than that of a smaller p-value.
        least = least.max(p_values[index] * (p_values.len() - rank) as f64).min(1.0);
        corrected[index] = least;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_pays_for_all_and_order_is_kept() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
        // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm").
        for (found, expected) in corrected.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((found - expected).abs() < 1e-12, "{corrected:?}");
        }
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }
}
