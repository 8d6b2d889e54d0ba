//! Combines games to one number for each block.

/// Numbers of some series, whose mean is estimated, minus the mean of others, if there are any.
///
/// `plus[s][b]` is the number of series s in block b, or `None` for a truncated game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contrast {
    /// The series.
    pub plus: Vec<Vec<Option<f64>>>,
    /// The series to subtract; empty for none.
    pub minus: Vec<Vec<Option<f64>>>,
}

impl Contrast {
    /// The number of a block; `None` if one of the two sides has no number there.
    fn number(&self, block: usize) -> Option<f64> {
        let of = |series: &[Vec<Option<f64>>]| mean(series.iter().map(|series| series[block]));
        let plus = of(&self.plus)?;
        if self.minus.is_empty() {
            return Some(plus);
        }
        Some(plus - of(&self.minus)?)
    }
}

/// One number for each block: the mean over contrasts (one for each agent whose games are pooled) that have one there;
/// blocks without any are left out.
///
/// Only blocks that all series have reached count, so that none is selected by the results of its games.
pub fn block_numbers(contrasts: &[Contrast]) -> Vec<f64> {
    let series = contrasts
        .iter()
        .flat_map(|contrast| contrast.plus.iter().chain(&contrast.minus));
    let blocks = series.map(Vec::len).min().unwrap_or(0);
    let number = |block| mean(contrasts.iter().map(|contrast| contrast.number(block)));
    (0..blocks).filter_map(number).collect()
}

/// The mean of the known numbers; `None` if there are none.
fn mean(numbers: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let (sum, count) = numbers
        .flatten()
        .fold((0.0, 0u32), |(sum, count), number| (sum + number, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contrast(plus: &[&[Option<f64>]], minus: &[&[Option<f64>]]) -> Contrast {
        let owned = |series: &[&[Option<f64>]]| series.iter().map(|numbers| numbers.to_vec()).collect();
        Contrast {
            plus: owned(plus),
            minus: owned(minus),
        }
    }

    #[test]
    fn a_block_counts_once_all_series_have_reached_it() {
        let (a, b, c) = (
            [Some(1.0), Some(0.5), None, Some(1.0)],
            [Some(0.0), None, None, Some(1.0)],
            [Some(0.25), Some(0.25), Some(0.25)],
        );
        let means = |series: &[&[Option<f64>]]| block_numbers(&[contrast(series, &[])]);
        assert_eq!(means(&[&a]), [1.0, 0.5, 1.0]);
        assert_eq!(means(&[&a, &b]), [0.5, 0.5, 1.0]);
        assert_eq!(means(&[&a, &c]), [0.625, 0.375, 0.25]);
        assert_eq!(block_numbers(&[contrast(&[&a, &b], &[&c])]), [0.25, 0.25]);
        assert!(block_numbers(&[]).is_empty());
    }

    #[test]
    fn agents_count_alike_however_many_series_each_has() {
        let series = |number| [Some(number), Some(number)];
        let (high, low, lower) = (series(1.0), series(0.0), series(-1.0));
        let (one, other) = (contrast(&[&high], &[]), contrast(&[&low, &low, &low], &[&lower]));
        // 1 from the first agent, 0 − (−1) from the second.
        assert_eq!(block_numbers(&[one.clone(), other]), [1.0, 1.0]);
        // Where one agent's game was truncated, the other's counts.
        let half = contrast(&[&[Some(0.5), None]], &[]);
        assert_eq!(block_numbers(&[one, half]), [0.75, 1.0]);
    }
}
