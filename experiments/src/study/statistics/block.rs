//! From games to one number for each block.

/// For each block the mean over the series that have a number there; blocks without any are left out.
///
/// `series[s][b]` is the number of series s in block b, or `None` for a truncated game. Only blocks count that all
/// series have reached, so that none is there for how its games came out.
pub fn block_means(series: &[&[Option<f64>]]) -> Vec<f64> {
    let blocks = series.iter().map(|series| series.len()).min().unwrap_or(0);
    (0..blocks).filter_map(|block| mean(series, block)).collect()
}

/// For each block the mean over some series less the mean over others; blocks in which one of the two has no number
/// are left out.
pub fn block_differences(plus: &[&[Option<f64>]], minus: &[&[Option<f64>]]) -> Vec<f64> {
    let all = plus.iter().chain(minus);
    let blocks = all.map(|series| series.len()).min().unwrap_or(0);
    (0..blocks)
        .filter_map(|block| Some(mean(plus, block)? - mean(minus, block)?))
        .collect()
}

fn mean(series: &[&[Option<f64>]], block: usize) -> Option<f64> {
    let numbers = series.iter().filter_map(|series| series[block]);
    let (sum, count) = numbers.fold((0.0, 0u32), |(sum, count), number| (sum + number, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_counts_once_all_series_have_reached_it() {
        let (a, b, c) = (
            [Some(1.0), Some(0.5), None, Some(1.0)],
            [Some(0.0), None, None, Some(1.0)],
            [Some(0.25), Some(0.25), Some(0.25)],
        );
        assert_eq!(block_means(&[&a]), [1.0, 0.5, 1.0]);
        assert_eq!(block_means(&[&a, &b]), [0.5, 0.5, 1.0]);
        assert_eq!(block_means(&[&a, &c]), [0.625, 0.375, 0.25]);
        assert_eq!(block_differences(&[&a, &b], &[&c]), [0.25, 0.25]);
        assert!(block_differences(&[&a], &[]).is_empty());
        assert!(block_means(&[]).is_empty());
    }
}
