//! The t-martingale: the capital of a gambler who need not know the variance of the numbers.
//!
//! Wang and Ramdas, *Anytime-valid t-tests and confidence sequences for Gaussian means with unknown variance* (2023),
//! the mixture with a normal prior: the likelihood of normal numbers whose mean is off by a multiple δ of their
//! standard deviation, with δ normal with variance g, against that of a mean which is not off, with the same (improper)
//! prior on the scale in both. Whatever the variance, the ratio is a nonnegative martingale that starts at 1, so the
//! probability that it ever reaches 1/α is at most α (Ville's inequality).

/// Iterations of the fixed point: each divides the error by about ten.
const TURNS: usize = 40;

/// The martingale with a prior variance g of the effect, in units of the numbers' own variance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TMartingale {
    prior: f64,
}

impl TMartingale {
    /// The martingale whose interval of this error is narrowest after `horizon` numbers.
    pub fn narrowest_at(horizon: f64, error: f64) -> Self {
        Self {
            prior: (best_ratio(error) - 1.0) / horizon.max(1.0),
        }
    }

    /// Distance from the mean of `n` numbers at which the capital reaches 1 / `error`; `None` if it never does, with
    /// too few numbers.
    pub fn half_width(&self, n: f64, squares: f64, error: f64) -> Option<f64> {
        let ratio = 1.0 + n * self.prior;
        // (squares + off) / (squares + off / ratio) at the end of the interval.
        let at_end = ((ratio / (error * error)).ln() / n).exp();
        (at_end < ratio).then(|| (squares / n * (at_end - 1.0) / (1.0 - at_end / ratio)).sqrt())
    }
}

/// 1 + n g for the variance g that makes the interval narrowest after n numbers: it depends on the error alone.
///
/// For large n the square of the half width is proportional to (ln r − 2 ln α) · r / (r − 1), least where r − 1 = ln r
/// − 2 ln α.
fn best_ratio(error: f64) -> f64 {
    // From any start above 1: at 95 % it ends at 9.2.
    (0..TURNS).fold(5.0, |ratio: f64, _| 1.0 - 2.0 * error.ln() + ratio.ln())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The logarithm of the capital after `n` numbers whose squares around their mean add up to `squares`, and whose
    /// mean is `gap` off the supposed one.
    fn log_capital(martingale: TMartingale, n: f64, squares: f64, gap: f64) -> f64 {
        let ratio = 1.0 + n * martingale.prior;
        let off = n * gap * gap;
        -0.5 * ratio.ln() + n / 2.0 * ((squares + off) / (squares + off / ratio)).ln()
    }

    #[test]
    fn the_interval_ends_where_the_capital_is_one_over_the_error() {
        for (n, horizon, error) in [(10.0, 64.0, 0.05), (256.0, 256.0, 0.001), (1000.0, 64.0, 0.05)] {
            let martingale = TMartingale::narrowest_at(horizon, error);
            let squares = 0.04 * n;
            let end = martingale.half_width(n, squares, error).unwrap_or(f64::NAN);
            let capital = log_capital(martingale, n, squares, end);
            assert!((capital + f64::ln(error)).abs() < 1e-9, "{n}: {capital}");
            // It scales with the unit of the numbers.
            let other = martingale.half_width(n, 9.0 * squares, error).unwrap_or(f64::NAN);
            assert!((other - 3.0 * end).abs() < 1e-12, "{n}: {other} {end}");
        }
        assert_eq!(TMartingale::narrowest_at(256.0, 0.05).half_width(2.0, 1.0, 0.05), None);
    }

    #[test]
    fn it_is_narrowest_where_it_is_planned_to_be() {
        let width = |horizon: f64| {
            let martingale = TMartingale::narrowest_at(horizon, 0.05);
            martingale.half_width(10_000.0, 10_000.0, 0.05).unwrap_or(f64::INFINITY)
        };
        assert!(width(10_000.0) < width(5_000.0) && width(10_000.0) < width(20_000.0));
        // r = 9.21 where r − 1 = ln r + 2 ln 20: the half width is √r = 3.03 standard errors.
        assert!((100.0 * width(10_000.0) - 3.035).abs() < 0.005, "{}", width(10_000.0));
    }

    /// The mean of the capital is 1, whatever the variance of normal numbers: of three, by numerical integration.
    #[test]
    fn the_capital_is_fair() {
        let martingale = TMartingale { prior: 0.5 };
        let (mut mean, mut weights) = (0.0, 0.0);
        let grid: Vec<f64> = (-60..=60).map(|step| 0.1 * f64::from(step) + 0.013).collect();
        for &x in &grid {
            for &y in &grid {
                for &z in &grid {
                    let weight = (-(x * x + y * y + z * z) / 2.0).exp();
                    let gap: f64 = (x + y + z) / 3.0;
                    let squares = (x - gap).powi(2) + (y - gap).powi(2) + (z - gap).powi(2);
                    mean += weight * log_capital(martingale, 3.0, squares, gap).exp();
                    weights += weight;
                }
            }
        }
        let mean = mean / weights;
        assert!((mean - 1.0).abs() < 1e-3, "{mean}");
    }
}
