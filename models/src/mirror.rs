//! Networks that treat mirror images alike.
//!
//! Channels of such a network come in pairs: what one shows of a position, the other shows of its mirror image. So each
//! weight has an image, which reads and writes the partners through the mirrored kernel, and both are the same number
//! (Cohen & Welling 2016, *Group equivariant convolutional networks*, arXiv 1602.07576, for the group of one
//! reflection). The layers are those of any other network, so evaluation knows nothing of this: a learner
//! that begins with equal weights and applies equal gradients to them keeps them equal.

use tch::{Kind, TchError, Tensor};

use crate::Network;
use chase_engine::{Mirror, Shape};

/// The parameters of a network that must be equal.
#[derive(Debug)]
pub struct Ties {
    /// Where in all trainable parameters, one after another, the image of each number is: `[N]`.
    trainable: Tensor,
    /// The same for each list of running statistics.
    statistics: Vec<Tensor>,
}

impl Ties {
    /// The ties of a network for a game with this mirror.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub fn new(network: &Network, mirror: &Mirror) -> Result<Self, TchError> {
        let (hex, device) = (network.architecture().hex, network.device());
        let mut trainable = Vec::new();
        let mut statistics = Vec::new();
        for parameter in network.parameters() {
            let images = images(&parameter.name, &parameter.tensor.size(), mirror, network.shape(), hex);
            if parameter.trainable {
                let start = trainable.len() as i64;
                trainable.extend(images.into_iter().map(|image| start + image));
            } else {
                statistics.push(Tensor::f_from_slice(&images)?.f_to_device(device)?);
            }
        }
        Ok(Self {
            trainable: Tensor::f_from_slice(&trainable)?.f_to_device(device)?,
            statistics,
        })
    }

    /// The mean `[N]` of the gradients of a batch and of its mirror images, from that of the batch.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn gradient(&self, gradient: &Tensor) -> Result<Tensor, TchError> {
        with_images(gradient, &self.trainable)
    }

    /// Replaces the running statistics of a network by the means over both images.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn average_statistics(&self, network: &Network) -> Result<(), TchError> {
        for (statistic, images) in network.statistics().zip(&self.statistics) {
            statistic.shallow_clone().f_copy_(&with_images(statistic, images)?)?;
        }
        Ok(())
    }

    /// Gives one weight of each pair the value of the other.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn equalise(&self, network: &Network) -> Result<(), TchError> {
        let own = Tensor::f_arange(self.trainable.numel() as i64, (Kind::Int64, network.device()))?;
        let first = own.f_minimum(&self.trainable)?;
        tch::no_grad(|| {
            let all: Vec<Tensor> = network
                .trainable()
                .map(|(_, tensor)| tensor.f_flatten(0, -1))
                .collect::<Result<_, _>>()?;
            let equal = Tensor::f_cat(&all, 0)?.f_index_select(0, &first)?;
            let mut start = 0;
            for (_, tensor) in network.trainable() {
                let size = tensor.numel() as i64;
                let own = equal.f_narrow(0, start, size)?.f_view_as(tensor)?;
                tensor.shallow_clone().f_copy_(&own)?;
                start += size;
            }
            Ok(())
        })
    }
}

/// Means of numbers `[N]` and their images.
fn with_images(numbers: &Tensor, images: &Tensor) -> Result<Tensor, TchError> {
    numbers.f_add(&numbers.f_index_select(0, images)?)?.f_mul_scalar(0.5)
}

/// The mirror image of the inputs or outputs of a layer.
#[derive(Clone, Copy)]
enum Sides<'a> {
    /// Neighbours are partners.
    Pairs,
    /// Each is its own image.
    Same,
    /// Those of the board's planes.
    Planes(&'a [usize]),
}

impl Sides<'_> {
    fn image(self, index: usize) -> usize {
        match self {
            Self::Pairs => index ^ 1,
            Self::Same => index,
            Self::Planes(images) => images[index],
        }
    }
}

/// For each number of a parameter, row by row, the place of its image.
fn images(name: &str, size: &[i64], mirror: &Mirror, shape: Shape, hex: bool) -> Vec<i64> {
    debug_assert_eq!(
        (mirror.planes.len(), mirror.policy.len()),
        (shape.planes, shape.policy_planes),
        "planes in the mirror"
    );
    let layer = name.rsplit_once('.').map_or(name, |(layer, _)| layer);
    let outputs = match layer {
        "policy.output" => Sides::Planes(&mirror.policy),
        "value.output" => Sides::Same,
        _ if layer.starts_with("auxiliary.") => Sides::Same,
        _ => Sides::Pairs,
    };
    let (inputs, handed): (_, &[usize]) = match name {
        "stem.weight" => (Sides::Planes(&mirror.planes), &mirror.handed),
        _ => (Sides::Pairs, &[]),
    };
    let at = |axis: usize| size.get(axis).map_or(1, |&size| size as usize);
    let [count, channels, rows, columns] = [0, 1, 2, 3].map(at);
    let place =
        |[output, input, row, column]: [usize; 4]| ((output * channels + input) * rows + row) * columns + column;
    let image = |[output, input, row, column]: [usize; 4]| {
        if handed.contains(&input) {
            return [output, input, row, column];
        }
        let column = match (rows, hex) {
            (1, _) => column,
            (_, false) => columns - 1 - column,
            // From an axial (r, q) to (r, −r − q). What leaves the kernel are the corners, which are always zero.
            (_, true) => match 3 - (row + column) as isize {
                mirrored @ 0..3 => mirrored as usize,
                _ => column,
            },
        };
        let input = if size.len() > 1 { inputs.image(input) } else { input };
        [outputs.image(output), input, row, column]
    };
    let mut all = Vec::with_capacity(count * channels * rows * columns);
    for output in 0..count {
        for input in 0..channels {
            for row in 0..rows {
                for column in 0..columns {
                    all.push(place(image([output, input, row, column])) as i64);
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::{Chase, ConnectFour, Encode};
    use ndarray::{Array4, ArrayView4, s};
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};
    use tch::Device;

    use super::*;
    use crate::Architecture;
    use crate::architecture::Auxiliary;
    use chase_engine::chase::ChaseEncoding;

    const ENCODING: ChaseEncoding = ChaseEncoding {
        attack_maps: true,
        move_maps: true,
    };

    fn architecture(hex: bool) -> Architecture {
        Architecture {
            blocks: 2,
            channels: 16,
            hex,
            wrap: hex,
            mirror: true,
            auxiliary: Auxiliary {
                occupancy: true,
                plies_left: true,
                material: true,
            },
            ..Architecture::default()
        }
    }

    /// Random weights, biases, scales and statistics with ties.
    fn network(architecture: &Architecture, shape: Shape, mirror: &Mirror) -> Network {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let network = Network::new(architecture, shape, Device::Cpu, &mut rng).unwrap();
        let ties = Ties::new(&network, mirror).unwrap();
        tch::no_grad(|| {
            for (_, tensor) in network.tensors() {
                let noise: Vec<f32> = (0..tensor.numel()).map(|_| rng.random_range(-0.1..0.1)).collect();
                let noise = Tensor::from_slice(&noise).view_as(tensor);
                tensor.shallow_clone().copy_(&(tensor + noise));
            }
        });
        ties.equalise(&network).unwrap();
        ties.average_statistics(&network).unwrap();
        network
    }

    /// Planes `[B, C, H, W]` in the mirror.
    fn mirrored(planes: ArrayView4<'_, f32>, images: &[usize], hex: bool) -> Array4<f32> {
        let width = planes.shape()[3];
        Array4::from_shape_fn(planes.raw_dim(), |(position, plane, row, column)| {
            let column = if hex {
                2 * width - 1 - row - column
            } else {
                width - 1 - column
            };
            planes[[position, images[plane], row, column % width]]
        })
    }

    fn policy(network: &Network, planes: &Array4<f32>) -> (Array4<f32>, Vec<f32>) {
        let shape = network.shape();
        let outputs = tch::no_grad(|| network.forward(&Tensor::try_from(planes).unwrap(), false).unwrap());
        let size = (planes.shape()[0], shape.policy_planes, shape.height, shape.width);
        let numbers = Vec::<f32>::try_from(outputs.policy.flatten(0, -1)).unwrap();
        let scalars = [Some(outputs.value), outputs.plies_left, outputs.material];
        let scalars = scalars.into_iter().flatten().map(|tensor| tensor.flatten(0, -1));
        let scalars = Tensor::cat(&scalars.collect::<Vec<_>>(), 0);
        (
            Array4::from_shape_vec(size, numbers).unwrap(),
            Vec::try_from(scalars).unwrap(),
        )
    }

    /// The largest difference between what a network says of mirror images, and of different positions.
    fn differences<G: Encode>(encoding: &G::Encoding, hex: bool, handed: f32) -> [f32; 2] {
        let (shape, mirror) = (G::shape(encoding), G::mirror(encoding).unwrap());
        let network = network(&architecture(hex), shape, &mirror);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
        let mut planes = Array4::from_shape_simple_fn(shape.batch(3), || rng.random_range(0.0..1.0));
        for &plane in &mirror.handed {
            planes.slice_mut(s![.., plane, .., ..]).fill(0.0);
            // E5 is its own image.
            planes.slice_mut(s![.., plane, 4, 2]).fill(handed);
        }
        let (logits, scalars) = policy(&network, &planes);
        let (image_logits, image_scalars) = policy(&network, &mirrored(planes.view(), &mirror.planes, hex));
        let expected = mirrored(logits.view(), &mirror.policy, hex);
        let largest = |of: &mut dyn Iterator<Item = (f32, f32)>| of.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        let mut all = image_logits
            .iter()
            .copied()
            .zip(expected.iter().copied())
            .chain(image_scalars.into_iter().zip(scalars));
        let images = largest(&mut all);
        let others = largest(&mut logits.iter().copied().zip(expected.iter().copied()));
        [images, others]
    }

    #[test]
    fn mirror_images_are_alike_except_for_what_is_handed() {
        for [images, others] in [
            differences::<Chase>(&ENCODING, true, 0.0),
            differences::<ConnectFour>(&Default::default(), false, 0.0),
        ] {
            // 32-bit sums of some hundred terms of order 1.
            assert!(images < 1e-3 && others > 0.1, "{images} {others}");
        }
        let [images, _] = differences::<Chase>(&ENCODING, true, 1.0);
        assert!(images > 1e-2, "the Chamber tells left from right: {images}");
    }

    #[test]
    fn the_mirror_undoes_itself() {
        let mirror = Chase::mirror(&ENCODING).unwrap();
        let network = network(&architecture(true), Chase::shape(&ENCODING), &mirror);
        let ties = Ties::new(&network, &mirror).unwrap();
        for images in std::iter::once(&ties.trainable).chain(&ties.statistics) {
            let own = Tensor::arange(images.numel() as i64, (Kind::Int64, Device::Cpu));
            assert_eq!(images.index_select(0, images), own);
        }
        let own = Tensor::arange(ties.trainable.numel() as i64, (Kind::Int64, Device::Cpu));
        let alone = ties.trainable.eq_tensor(&own).sum(Kind::Int64).int64_value(&[]);
        // The Chamber's plane: 16 channels, seven taps and two corners each.
        assert!(alone >= 16 * 9, "{alone}");
        assert!(alone < ties.trainable.numel() as i64 / 20, "{alone}");
    }
}
