//! The rate of matrix products: what libtorch makes of a machine at best.

use tch::{Device, Kind, TchError, Tensor};

use crate::Precision;
use crate::device::single_threaded;

/// A product of two square matrices, on one core or one GPU.
///
/// Large enough to be limited by arithmetic and nothing else: no layer of a network can be faster.
#[derive(Debug)]
pub struct MatrixProduct {
    size: i64,
    left: Tensor,
    right: Tensor,
    ones: i64,
}

impl MatrixProduct {
    /// A product of `[size, size]` matrices.
    ///
    /// # Errors
    /// If the device has no room for them.
    pub fn new(size: u32, device: Device, precision: Precision) -> Result<Self, TchError> {
        single_threaded();
        let size = i64::from(size);
        let kind = match precision {
            Precision::F32 => Kind::Float,
            Precision::Bf16 => Kind::BFloat16,
        };
        // Every seventh number is one: the sum of the product is known, and exact in either precision.
        let numbers: Vec<f32> = (0..size * size)
            .map(|index| f32::from(u8::from(index % 7 == 0)))
            .collect();
        let left = Tensor::f_from_slice(&numbers)?
            .f_view([size, size])?
            .f_to_device(device)?
            .f_to_kind(kind)?;
        Ok(Self {
            size,
            right: Tensor::f_ones([size, size], (kind, device))?,
            left,
            ones: (size * size + 6) / 7,
        })
    }

    /// Multiplications and additions of a product.
    pub const fn operations(&self) -> u64 {
        2 * (self.size * self.size * self.size) as u64
    }

    /// Multiplies, and returns whether the result is right.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn run(&self) -> Result<bool, TchError> {
        tch::no_grad(|| {
            let product = self.left.f_matmul(&self.right)?;
            // Every column of the product is the same. Reading a number also waits for the device.
            let column = product.f_select(1, 0)?.f_sum(Kind::Double)?.f_double_value(&[])?;
            Ok(column == self.ones as f64)
        })
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
            assert!(product.run().unwrap());
            product.ones += 1;
            assert!(!product.run().unwrap());
        }
    }
}
