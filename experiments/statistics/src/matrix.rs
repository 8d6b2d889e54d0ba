//! Symmetric positive definite systems of a few dozen unknowns.
//!
//! Written by hand, since systems that only rounding makes definite must be refused, which nalgebra's factorisation
//! does not do; and nalgebra takes half a minute of CPU time to compile.

/// The Cholesky factor of a symmetric positive definite matrix: lower triangular, by rows.
pub struct Cholesky(Vec<Vec<f64>>);

/// Smallest share of a diagonal element that must remain after subtracting the part explained by earlier unknowns: less
/// is rounding.
const LEAST_REST: f64 = 1e-13;

impl Cholesky {
    /// `None` if the matrix is not positive definite, within rounding.
    pub fn new(matrix: &[Vec<f64>]) -> Option<Self> {
        let mut factor: Vec<Vec<f64>> = Vec::with_capacity(matrix.len());
        for (i, row) in matrix.iter().enumerate() {
            let mut next = vec![0.0; i + 1];
            for j in 0..=i {
                let earlier = if j == i { &next } else { &factor[j] };
                let rest = row[j] - (0..j).map(|k| next[k] * earlier[k]).sum::<f64>();
                next[j] = if j < i {
                    rest / factor[j][j]
                } else if rest > LEAST_REST * row[i] {
                    rest.sqrt()
                } else {
                    return None;
                };
            }
            factor.push(next);
        }
        Some(Self(factor))
    }

    /// The solution of matrix · x = `right`.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let factor = &self.0;
        let n = factor.len();
        let mut x = right.to_vec();
        for i in 0..n {
            let known: f64 = (0..i).map(|k| factor[i][k] * x[k]).sum();
            x[i] = (x[i] - known) / factor[i][i];
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|k| factor[k][i] * x[k]).sum();
            x[i] = (x[i] - known) / factor[i][i];
        }
        x
    }

    /// Element `index` of the diagonal of the inverse.
    pub fn inverse_diagonal(&self, index: usize) -> f64 {
        let mut unit = vec![0.0; self.0.len()];
        unit[index] = 1.0;
        self.solve(&unit)[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_and_inverts() {
        let matrix = [vec![4.0, 2.0, 0.6], vec![2.0, 5.0, 1.5], vec![0.6, 1.5, 3.0]];
        let factor = Cholesky::new(&matrix).expect("positive definite");
        let x = factor.solve(&[1.0, -2.0, 3.0]);
        for (row, right) in matrix.iter().zip([1.0, -2.0, 3.0]) {
            let left: f64 = row.iter().zip(&x).map(|(a, b)| a * b).sum();
            assert!((left - right).abs() < 1e-12);
        }
        // The cofactor of the last element over the determinant.
        let determinant = 4.0 * (15.0 - 2.25) - 2.0 * (6.0 - 0.9) + 0.6 * (3.0 - 3.0);
        assert!((factor.inverse_diagonal(2) - 16.0 / determinant).abs() < 1e-12);
        assert!(Cholesky::new(&[vec![1.0, 2.0], vec![2.0, 1.0]]).is_none());
        // Singular, though rounding hides it: the last unknown is the sum of the others.
        let covariates: Vec<[f64; 3]> = (1..50)
            .map(|i| [0.1 * f64::from(i), 0.7 / f64::from(i)])
            .map(|[x, y]| [x, y, x + y])
            .collect();
        let product = |i: usize, j: usize| covariates.iter().map(|row| row[i] * row[j]).sum::<f64>();
        let singular: Vec<Vec<f64>> = (0..3).map(|i| (0..3).map(|j| product(i, j)).collect()).collect();
        assert!(Cholesky::new(&singular).is_none());
    }
}
