//! Linear and logistic regression on observations that come in blocks of games.

use std::collections::BTreeMap;

use crate::Interval;
use crate::clusters::quantile;
use crate::matrix::Cholesky;

/// An observation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegressionRow<const N: usize> {
    /// Number of the block that it belongs to.
    pub block: u64,
    /// The dependent variable; from 0 to 1 in a logistic regression, with 0.5 for a draw.
    pub response: f64,
    /// The covariates. A constant term is an explicit 1.
    pub covariates: [f64; N],
}

/// Coefficients with their errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit<const N: usize> {
    /// One coefficient for each covariate.
    pub coefficients: [f64; N],
    /// Their standard errors, robust to any dependence within blocks.
    pub errors: [f64; N],
    /// Number of observations.
    pub observations: u64,
    /// Number of blocks.
    pub blocks: u64,
}

impl<const N: usize> Fit<N> {
    /// The interval of a coefficient, by Student's distribution with one degree of freedom less than there are blocks.
    /// `None` if there are too few blocks.
    pub fn interval(&self, index: usize, level: f64) -> Option<Interval> {
        let reach = quantile(self.blocks, level)? * self.errors[index];
        let (low, high) = (self.coefficients[index] - reach, self.coefficients[index] + reach);
        Some(Interval {
            low: Some(low),
            high: Some(high),
        })
    }
}

/// Least squares. `None` if the covariates do not vary enough to separate their effects.
pub fn linear<const N: usize>(rows: &[RegressionRow<N>]) -> Option<Fit<N>> {
    let information = Cholesky::new(&weighted_products(rows, |_| 1.0))?;
    let mut right = [0.0; N];
    for row in rows {
        add(&mut right, &row.covariates, row.response);
    }
    let coefficients = array(information.solve(&right));
    let scores = rows
        .iter()
        .map(|row| row.response - dot(&coefficients, &row.covariates));
    let errors = robust_errors(rows, scores, &information);
    Some(fit(rows, coefficients, errors))
}

/// Most steps of Newton's method; a dozen are enough.
const STEPS: usize = 100;
/// Largest change of a coefficient at which the iteration stops.
const PRECISION: f64 = 1e-9;
/// Longest step in any coefficient: further away the quadratic approximation is useless.
const LONGEST: f64 = 3.0;

/// Logistic regression with Firth's correction (1993): it removes the bias of small samples, and coefficients stay
/// finite where a covariate separates wins from losses. `None` if the covariates do not vary enough.
///
/// Errors are the larger of those robust within blocks and those of the model: the robust ones vanish if
/// wins and losses are separated.
pub fn logistic<const N: usize>(rows: &[RegressionRow<N>]) -> Option<Fit<N>> {
    let mut coefficients = [0.0; N];
    for _ in 0..STEPS {
        let probability = |row: &RegressionRow<N>| expected_score(dot(&coefficients, &row.covariates));
        let weight = |row: &RegressionRow<N>| probability(row) * (1.0 - probability(row));
        let information = Cholesky::new(&weighted_products(rows, weight))?;
        let residual = |row: &RegressionRow<N>| {
            let solved: [f64; N] = array(information.solve(&row.covariates));
            let leverage = weight(row) * dot(&solved, &row.covariates);
            row.response - probability(row) + leverage * (0.5 - probability(row))
        };
        let mut gradient = [0.0; N];
        for row in rows {
            add(&mut gradient, &row.covariates, residual(row));
        }
        let step: [f64; N] = array(information.solve(&gradient));
        let length = step.iter().fold(0.0, |most: f64, part| most.max(part.abs()));
        if length < PRECISION {
            let scores = rows.iter().map(|row| row.response - probability(row));
            let mut errors = robust_errors(rows, scores, &information);
            for (index, error) in errors.iter_mut().enumerate() {
                *error = error.max(information.inverse_diagonal(index).sqrt());
            }
            return Some(fit(rows, coefficients, errors));
        }
        add(&mut coefficients, &step, (LONGEST / length).min(1.0));
    }
    None
}

/// The score for a number on the logistic scale.
pub fn expected_score(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

fn fit<const N: usize>(rows: &[RegressionRow<N>], coefficients: [f64; N], errors: [f64; N]) -> Fit<N> {
    Fit {
        coefficients,
        errors,
        observations: rows.len() as u64,
        blocks: by_block(rows).len() as u64,
    }
}

fn by_block<const N: usize>(rows: &[RegressionRow<N>]) -> BTreeMap<u64, [f64; N]> {
    rows.iter().map(|row| (row.block, [0.0; N])).collect()
}

/// Standard errors by the sandwich estimator over blocks, with the usual correction for few of them.
fn robust_errors<const N: usize>(
    rows: &[RegressionRow<N>],
    residuals: impl Iterator<Item = f64>,
    information: &Cholesky,
) -> [f64; N] {
    let mut scores = by_block(rows);
    for (row, residual) in rows.iter().zip(residuals) {
        let score = scores.get_mut(&row.block).expect("every row is in a block");
        add(score, &row.covariates, residual);
    }
    let (n, blocks) = (rows.len() as f64, scores.len() as f64);
    let correction = blocks / (blocks - 1.0).max(1.0) * (n - 1.0) / (n - N as f64).max(1.0);
    let mut variances = [0.0; N];
    for score in scores.values() {
        let solved = information.solve(score);
        for (variance, part) in variances.iter_mut().zip(solved) {
            *variance += correction * part * part;
        }
    }
    variances.map(f64::sqrt)
}

/// Σ weight · x · xᵀ.
fn weighted_products<const N: usize>(
    rows: &[RegressionRow<N>],
    weight: impl Fn(&RegressionRow<N>) -> f64,
) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; N]; N];
    for row in rows {
        let weight = weight(row);
        for (line, &x) in matrix.iter_mut().zip(&row.covariates) {
            for (element, &y) in line.iter_mut().zip(&row.covariates) {
                *element += weight * x * y;
            }
        }
    }
    matrix
}

fn dot<const N: usize>(one: &[f64; N], other: &[f64; N]) -> f64 {
    one.iter().zip(other).map(|(x, y)| x * y).sum()
}

fn add<const N: usize>(sum: &mut [f64; N], what: &[f64; N], times: f64) {
    for (sum, what) in sum.iter_mut().zip(what) {
        *sum += times * what;
    }
}

fn array<const N: usize>(solution: Vec<f64>) -> [f64; N] {
    std::array::from_fn(|index| solution[index])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use rand::RngExt;
    use rand::rngs::Xoshiro256PlusPlus;

    use super::*;
    use crate::generator;

    fn row<const N: usize>(block: u64, response: f64, covariates: [f64; N]) -> RegressionRow<N> {
        RegressionRow {
            block,
            response,
            covariates,
        }
    }

    #[test]
    fn least_squares_by_hand() {
        // y = 1 + 2x with residuals (1, −2, 1), each row a block of its own.
        let rows = [0.0, 1.0, 2.0].map(|x| row(x as u64, 1.0 + 2.0 * x + if x == 1.0 { -2.0 } else { 1.0 }, [1.0, x]));
        let found = linear(&rows).unwrap();
        let near = |value: f64, expected: f64| assert!((value - expected).abs() < 1e-12, "{value} for {expected}");
        near(found.coefficients[0], 1.0);
        near(found.coefficients[1], 2.0);
        // Contributions to the slope around the mean of x: (−1)·1, 0, 1·1 over Σ(x − mean)² = 2, squared, times 3/2 ·
        // 2/1.
        near(found.errors[1], (3.0 * (0.25 + 0.25_f64)).sqrt());
        assert_eq!((found.observations, found.blocks), (3, 3));
        // The third covariate repeats the second.
        let twins = rows.map(
            |RegressionRow {
                 block,
                 response,
                 covariates: [one, x],
             }| row(block, response, [one, x, x]),
        );
        assert_eq!(linear(&twins), None);
    }

    #[test]
    fn logistic_regression_on_two_groups_is_known_in_closed_form() {
        // Firth's correction of a two by two table adds one half to each of its counts.
        let mut rows = Vec::new();
        for (x, wins, losses) in [(0.0, 7, 3), (1.0, 2, 8)] {
            rows.extend((0..wins).map(|_| [x, 1.0]));
            rows.extend((0..losses).map(|_| [x, 0.0]));
        }
        let rows: Vec<_> = (0..).zip(rows).map(|(block, [x, y])| row(block, y, [1.0, x])).collect();
        let found = logistic(&rows).unwrap();
        let logit = |wins: f64, losses: f64| ((wins + 0.5) / (losses + 0.5)).ln();
        assert!((found.coefficients[0] - logit(7.0, 3.0)).abs() < 1e-7, "{found:?}");
        assert!(
            (found.coefficients[1] - (logit(2.0, 8.0) - logit(7.0, 3.0))).abs() < 1e-7,
            "{found:?}"
        );
        // Separated: the slope is finite, but very uncertain.
        let separated: Vec<_> = (0..12)
            .map(|i| row(i, f64::from(u8::from(i >= 6)), [1.0, i as f64 - 5.5]))
            .collect();
        let found = logistic(&separated).unwrap();
        assert!(found.coefficients[1] > 0.1 && found.errors[1] > 0.1, "{found:?}");
    }

    /// Worlds of 60 blocks, each with its own strength of White: rows of a block depend on each other.
    fn world(rng: &mut Xoshiro256PlusPlus, slope: f64, binary: bool) -> Vec<RegressionRow<2>> {
        let mut rows = Vec::new();
        for block in 0..60 {
            let own = rng.random::<f64>() - 0.5;
            let lean = f64::from(rng.random_range(-2..=2));
            for _ in 0..4 {
                let x = lean + f64::from(rng.random_range(-1..=1));
                let response = if binary {
                    f64::from(u8::from(rng.random::<f64>() < expected_score(slope * x)))
                } else {
                    slope * x + own + 0.3 * (rng.random::<f64>() - 0.5)
                };
                rows.push(row(block, response, [1.0, x]));
            }
        }
        rows
    }

    #[test]
    fn intervals_hold_the_slope_as_often_as_they_say() {
        let (worlds, level) = (400_u32, 0.9);
        let slack = 4.0 * (level * (1.0 - level) / f64::from(worlds)).sqrt();
        for (binary, slope) in [(false, 0.2), (true, 0.5)] {
            let hits = (0..worlds).filter(|&number| {
                let rows = world(&mut generator(number.into(), &[u64::from(binary)]), slope, binary);
                let fit = if binary { logistic(&rows) } else { linear(&rows) };
                fit.unwrap().interval(1, level).unwrap().contains(slope)
            });
            let coverage = hits.count() as f64 / f64::from(worlds);
            assert!((coverage - level).abs() < slack, "binary {binary}: {coverage}");
            // If every row were a block of its own, the linear interval would be too narrow.
            if !binary {
                let hits = (0..worlds).filter(|&number| {
                    let mut rows = world(&mut generator(number.into(), &[0]), slope, false);
                    (0..).zip(&mut rows).for_each(|(index, row)| row.block = index);
                    linear(&rows).unwrap().interval(1, level).unwrap().contains(slope)
                });
                assert!(hits.count() as f64 / f64::from(worlds) < level - slack);
            }
        }
    }
}
