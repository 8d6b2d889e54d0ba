//! The rate of matrix products: the best that libtorch achieves on a machine.

use tch::{Device, Kind, TchError, Tensor};

use crate::Precision;
use crate::device::single_threaded;

/// A product of two square matrices, on one core or one GPU.
///
/// Large enough to be limited by arithmetic alone: no layer of a network can be faster.
#[derive(Debug)]
pub struct MatrixProduct {
    size: i64,
    left: Tensor,
    right: Tensor,
    ones: i64,
}

impl MatrixProduct {
    /// Creates a product of `[size, size]` matrices.
    ///
    /// # Errors
    /// If the device has no room for them.
    pub fn new(size: u32, device: Device, precision: Precision) -> Result<Self, TchError> {
        single_threaded();
        let size = i64::from(size);
        let kind = precision.of_libtorch().kind();
        // Every seventh number is one, or fewer, so that no row has more than 256 ones: the sum of the product is then
        // known, and exact in either precision.
        let distance = ((size / 256) | 1).max(7);
        let numbers: Vec<f32> = (0..size * size)
            .map(|index| f32::from(u8::from(index % distance == 0)))
            .collect();
        let left = Tensor::f_from_slice(&numbers)?
            .f_view([size, size])?
            .f_to_device(device)?
            .f_to_kind(kind)?;
        Ok(Self {
            size,
            right: Tensor::f_ones([size, size], (kind, device))?,
            left,
            ones: (size * size + distance - 1) / distance,
        })
    }

    /// Multiplications and additions in one product.
    pub const fn operations(&self) -> u64 {
        2 * (self.size * self.size * self.size) as u64
    }

    /// Multiplies `products` times, at least once, and returns true if the last result is right. Reading it waits for
    /// all of them: a GPU would be idle between products if each were waited for.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn run(&self, products: u32) -> Result<bool, TchError> {
        tch::no_grad(|| {
            let mut product = self.left.f_matmul(&self.right)?;
            for _ in 1..products {
                product = self.left.f_matmul(&self.right)?;
            }
            // Every column of the product is the same.
            self.is_right(&product.f_select(1, 0)?)
        })
    }

    /// True if this is a column of the product.
    fn is_right(&self, column: &Tensor) -> Result<bool, TchError> {
        let sum = column.f_sum(Kind::Double)?.f_double_value(&[])?;
        Ok(sum == self.ones as f64)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn products_are_right_in_either_precision() {
        for precision in [Precision::F32, Precision::Bf16] {
            let mut product = MatrixProduct::new(64, Device::Cpu, precision).unwrap();
            assert_eq!(product.operations(), 524_288);
            assert!(product.run(1).unwrap() && product.run(3).unwrap());
            product.ones += 1;
            assert!(!product.run(1).unwrap());
        }
        // If every seventh number were one, sums of so many would not fit into bfloat16. One column shows it: without
        // the instructions for bfloat16 the whole product takes a minute.
        let large = MatrixProduct::new(2304, Device::Cpu, Precision::Bf16).unwrap();
        let column = large.left.matmul(&large.right.narrow(1, 0, 1));
        assert!(large.is_right(&column).unwrap());
    }
}
