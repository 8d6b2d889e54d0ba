//! Networks in their training form.

use rand::rngs::Xoshiro256PlusPlus;
use tch::{Device, Kind, TchError, Tensor};

use crate::Architecture;
use crate::architecture::ArchitectureError;
use crate::error::InferenceError;
use crate::layers::{
    Builder, Convolution, Dense, Grid, OUTPUT_GAIN, Parameter, RECTIFIER_GAIN, channels_last, pool, rectified, rectify,
};
use chase_engine::Shape;

/// Results of the value head, in the order of its logits: win, draw, loss for the player to move.
pub const VALUE_SIZE: usize = 3;

/// Error returned when a network cannot be created or used.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The configuration is out of range.
    #[error(transparent)]
    Architecture(#[from] ArchitectureError),
    /// libtorch failed: out of memory, or a device was lost.
    #[error("libtorch: {0}")]
    Torch(#[from] TchError),
    /// Evaluation failed.
    #[error(transparent)]
    Inference(#[from] InferenceError),
}

/// A network with its parameters, to be trained, saved, or turned into an [`crate::InferenceNetwork`].
///
/// `Send`, not `Sync`: one thread owns it.
pub struct Network {
    architecture: Architecture,
    shape: Shape,
    device: Device,
    parameters: Vec<Parameter>,
    pub(crate) layers: Layers,
}

/// A network's output for a batch of positions, in 32 bits.
#[derive(Debug)]
pub struct Outputs {
    /// Policy logits `[B, P · H · W]`, neither masked nor normalised.
    pub policy: Tensor,
    /// Logits of win, draw and loss for the player to move, `[B, 3]`.
    pub value: Tensor,
    /// Logits of own, enemy and nothing on each cell at the learner's horizon, `[B, 3, H, W]`.
    pub occupancy: Option<Tensor>,
    /// ln(1 + plies until the end of the game), `[B]`.
    pub plies_left: Option<Tensor>,
    /// Own material minus the enemy's at the learner's horizon, on the scale of the game, `[B]`.
    pub material: Option<Tensor>,
}

impl Network {
    /// Creates a network with random weights, nearly indifferent between actions and between results.
    ///
    /// # Errors
    /// If the architecture is out of range, or the device has no room for it.
    pub fn new(
        architecture: &Architecture,
        shape: Shape,
        device: Device,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Result<Self, NetworkError> {
        architecture.validate()?;
        let mut builder = Builder::new(device, rng);
        let layers = Layers::new(&mut builder, architecture, shape)?;
        Ok(Self {
            architecture: architecture.clone(),
            shape,
            device,
            parameters: builder.parameters,
            layers,
        })
    }

    /// Its architecture.
    pub const fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// Its input and policy sizes.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// The device of its parameters and inputs.
    pub const fn device(&self) -> Device {
        self.device
    }

    /// Name and tensor of every parameter that is trained by gradient, in a fixed order. The tensors are the network's
    /// own: writing to them changes it.
    pub fn trainable(&self) -> impl Iterator<Item = (&str, &Tensor)> {
        let trainable = self.parameters.iter().filter(|parameter| parameter.trainable);
        trainable.map(|parameter| (parameter.name.as_str(), &parameter.tensor))
    }

    /// Running mean and variance of every normalisation, which training measures, in a fixed order. The tensors are the
    /// network's own.
    pub fn statistics(&self) -> impl Iterator<Item = &Tensor> {
        let measured = self.parameters.iter().filter(|parameter| !parameter.trainable);
        measured.map(|parameter| &parameter.tensor)
    }

    /// Name and tensor of everything that is saved with the network, in a fixed order: the trainable parameters and the
    /// running statistics of the normalisations. The tensors are the network's own.
    pub fn tensors(&self) -> impl Iterator<Item = (&str, &Tensor)> {
        self.parameters
            .iter()
            .map(|parameter| (parameter.name.as_str(), &parameter.tensor))
    }

    /// Everything that is saved with the network, in a fixed order.
    pub(crate) fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Evaluates `[B, C, H, W]` planes with all heads, recording gradients unless they are switched off. The
    /// convolutions compute in the element type of the planes, 32-bit floats or bfloat16; all outputs are 32-bit
    /// floats.
    ///
    /// In training (`train`), normalisation uses the statistics of this batch and updates the running ones; otherwise
    /// it uses the running ones.
    ///
    /// # Errors
    /// If the input has another shape or device, or memory runs out.
    pub fn forward(&self, planes: &Tensor, train: bool) -> Result<Outputs, NetworkError> {
        let outputs = self.layers.forward(&channels_last(planes)?, train)?;
        Ok(Outputs {
            // In the order of planes, whatever the memory order.
            policy: outputs.policy.f_flatten(1, 3)?.f_to_kind(Kind::Float)?,
            occupancy: outputs
                .occupancy
                .map(|logits| logits.f_to_kind(Kind::Float))
                .transpose()?,
            ..outputs
        })
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Network({} on {:?})", self.architecture.name(), self.device)
    }
}

/// The layers of a network, in either form.
pub(crate) struct Layers {
    pub(crate) stem: Convolution,
    pub(crate) blocks: Vec<Block>,
    pub(crate) policy: PolicyHead,
    pub(crate) value: ValueHead,
    auxiliary: AuxiliaryHeads,
}

impl Layers {
    fn new(builder: &mut Builder, architecture: &Architecture, shape: Shape) -> Result<Self, TchError> {
        let channels = architecture.channels as i64;
        let grid = Grid {
            hex: architecture.hex,
            wrap: architecture.wrap,
            wrap_rows: architecture.wrap_rows,
        };
        let stem = Convolution::spatial(builder, "stem", shape.planes as i64, channels, grid)?;
        let block = |index| {
            Block::new(
                builder,
                &format!("block{index}"),
                channels,
                grid,
                architecture.pools(index),
            )
        };
        Ok(Self {
            stem,
            blocks: (0..architecture.blocks).map(block).collect::<Result<_, _>>()?,
            policy: PolicyHead::new(builder, architecture, shape)?,
            value: ValueHead::new(builder, architecture)?,
            auxiliary: AuxiliaryHeads::new(builder, architecture)?,
        })
    }

    /// Takes `planes` in channels-last memory, in the element type of the convolutions. The policy in the result,
    /// `[B, P, H, W]`, has the same layout: converting all of it would cost more than inference needs.
    pub(crate) fn forward(&self, planes: &Tensor, train: bool) -> Result<Outputs, TchError> {
        let mut trunk = self.stem.rectified(planes, train)?;
        for block in &self.blocks {
            trunk = block.forward(&trunk, train)?;
        }
        let (value, hidden) = self.value.forward(&trunk, train)?;
        let scalar = |head: &Option<Dense>| {
            head.as_ref()
                .map(|head| head.forward(&hidden)?.f_squeeze_dim(1))
                .transpose()
        };
        let occupancy = self.auxiliary.occupancy.as_ref();
        Ok(Outputs {
            policy: self.policy.forward(&trunk, train)?,
            value,
            occupancy: occupancy
                .map(|head| head.forward(&trunk, train)?.f_contiguous())
                .transpose()?,
            plies_left: scalar(&self.auxiliary.plies_left)?,
            material: scalar(&self.auxiliary.material)?,
        })
    }

    /// The same function for inference: normalisation and masks folded, no auxiliary heads, no shared memory.
    pub(crate) fn folded(&self, device: Device, kind: Kind) -> Result<Self, TchError> {
        Ok(Self {
            stem: self.stem.folded(device, kind)?,
            blocks: self
                .blocks
                .iter()
                .map(|block| block.folded(device, kind))
                .collect::<Result<_, _>>()?,
            policy: self.policy.folded(device, kind)?,
            value: self.value.folded(device, kind)?,
            auxiliary: AuxiliaryHeads::default(),
        })
    }
}

pub(crate) struct Block {
    pub(crate) first: Convolution,
    pub(crate) pooling: Option<Pooling>,
    pub(crate) second: Convolution,
}

impl Block {
    fn new(builder: &mut Builder, name: &str, channels: i64, grid: Grid, pools: bool) -> Result<Self, TchError> {
        // A quarter, as in KataGo's network of 128 channels. Not measured.
        let pooled = if pools { channels / 4 } else { 0 };
        Ok(Self {
            first: Convolution::spatial(builder, &format!("{name}.first"), channels, channels, grid)?,
            pooling: pools
                .then(|| Pooling::new(builder, &format!("{name}.pooling"), channels, pooled))
                .transpose()?,
            second: Convolution::spatial(builder, &format!("{name}.second"), channels - pooled, channels, grid)?,
        })
    }

    fn forward(&self, input: &Tensor, train: bool) -> Result<Tensor, TchError> {
        let inner = match &self.pooling {
            Some(pooling) => pooling.forward(&self.first.forward(input, train)?)?,
            None => self.first.rectified(input, train)?,
        };
        self.second.added_and_rectified(&inner, input, train)
    }

    fn folded(&self, device: Device, kind: Kind) -> Result<Self, TchError> {
        Ok(Self {
            first: self.first.folded(device, kind)?,
            pooling: self
                .pooling
                .as_ref()
                .map(|pooling| pooling.folded(device))
                .transpose()?,
            second: match &self.pooling {
                Some(pooling) => self.second.folded(device, kind)?.with_idle_inputs(pooling.pooled)?,
                None => self.second.folded(device, kind)?,
            },
        })
    }
}

/// Global pooling (arXiv 1902.10565, §4.1): the last channels are reduced to mean and maximum over the board, which
/// shift the other channels.
pub(crate) struct Pooling {
    pooled: i64,
    /// First channel that the shift is computed from. Some of them may have zero weights.
    from: i64,
    /// `[B, 2 · (C − from)]` to `[B, outputs]`.
    pub(crate) shift: Dense,
    /// Channels that are shifted and passed on.
    outputs: i64,
}

impl Pooling {
    fn new(builder: &mut Builder, name: &str, channels: i64, pooled: i64) -> Result<Self, TchError> {
        let regular = channels - pooled;
        Ok(Self {
            pooled,
            from: regular,
            shift: Dense::new(builder, name, 2 * pooled, regular, OUTPUT_GAIN)?,
            outputs: regular,
        })
    }

    /// `[B, C, H, W]`, not yet rectified, to `[B, outputs, H, W]`, rectified.
    fn forward(&self, input: &Tensor) -> Result<Tensor, TchError> {
        let pooled = input.f_narrow(1, self.from, input.size()[1] - self.from)?;
        let summary = pool(&rectified(&pooled)?)?;
        let shift = self.shift.forward(&summary)?.f_to_kind(input.kind())?;
        rectify(
            input
                .f_narrow(1, 0, self.outputs)?
                .f_add(&shift.f_unsqueeze(2)?.f_unsqueeze(3)?)?,
        )
    }

    /// In the folded form all channels are reduced and shifted, with zero weights where there were none: libtorch is
    /// slow on part of the channels. For 128 positions, to add to 24 of 32 channels takes 267 µs and to all of them 68; the
    /// maximum of 8 takes 185 µs and of all 18 (study 0005). The next layer ignores the additional ones.
    fn folded(&self, device: Device) -> Result<Self, TchError> {
        Ok(Self {
            pooled: self.pooled,
            from: 0,
            shift: self.shift.padded(self.from, self.pooled)?.folded(device)?,
            outputs: self.from + self.pooled,
        })
    }
}

pub(crate) struct PolicyHead {
    pub(crate) hidden: Convolution,
    pub(crate) output: Convolution,
}

impl PolicyHead {
    fn new(builder: &mut Builder, architecture: &Architecture, shape: Shape) -> Result<Self, TchError> {
        let (channels, hidden) = (architecture.channels as i64, architecture.policy_channels as i64);
        Ok(Self {
            hidden: Convolution::pointwise(builder, "policy.hidden", channels, hidden)?,
            output: Convolution::output(builder, "policy.output", hidden, shape.policy_planes as i64)?,
        })
    }

    fn forward(&self, trunk: &Tensor, train: bool) -> Result<Tensor, TchError> {
        let hidden = self.hidden.rectified(trunk, train)?;
        self.output.forward(&hidden, train)
    }

    fn folded(&self, device: Device, kind: Kind) -> Result<Self, TchError> {
        Ok(Self {
            hidden: self.hidden.folded(device, kind)?,
            output: self.output.folded(device, kind)?,
        })
    }
}

pub(crate) struct ValueHead {
    pub(crate) summary: Convolution,
    pub(crate) hidden: Dense,
    pub(crate) output: Dense,
}

impl ValueHead {
    fn new(builder: &mut Builder, architecture: &Architecture) -> Result<Self, TchError> {
        let (channels, hidden) = (architecture.value_channels as i64, architecture.value_hidden as i64);
        Ok(Self {
            summary: Convolution::pointwise(builder, "value.summary", architecture.channels as i64, channels)?,
            hidden: Dense::new(builder, "value.hidden", 2 * channels, hidden, RECTIFIER_GAIN)?,
            output: Dense::new(builder, "value.output", hidden, VALUE_SIZE as i64, OUTPUT_GAIN)?,
        })
    }

    /// The logits `[B, 3]`, and the hidden layer before them.
    fn forward(&self, trunk: &Tensor, train: bool) -> Result<(Tensor, Tensor), TchError> {
        let summary = pool(&self.summary.rectified(trunk, train)?)?;
        let hidden = self.hidden.forward(&summary)?.f_relu()?;
        Ok((self.output.forward(&hidden)?, hidden))
    }

    fn folded(&self, device: Device, kind: Kind) -> Result<Self, TchError> {
        Ok(Self {
            summary: self.summary.folded(device, kind)?,
            hidden: self.hidden.folded(device)?,
            output: self.output.folded(device)?,
        })
    }
}

#[derive(Default)]
struct AuxiliaryHeads {
    occupancy: Option<Convolution>,
    plies_left: Option<Dense>,
    material: Option<Dense>,
}

impl AuxiliaryHeads {
    fn new(builder: &mut Builder, architecture: &Architecture) -> Result<Self, TchError> {
        let (channels, hidden) = (architecture.channels as i64, architecture.value_hidden as i64);
        let mut heads = Self::default();
        let wanted = architecture.auxiliary;
        if wanted.occupancy {
            heads.occupancy = Some(Convolution::output(builder, "auxiliary.occupancy", channels, 3)?);
        }
        if wanted.plies_left {
            heads.plies_left = Some(Dense::new(builder, "auxiliary.plies_left", hidden, 1, OUTPUT_GAIN)?);
        }
        if wanted.material {
            heads.material = Some(Dense::new(
                builder,
                "auxiliary.dice_difference",
                hidden,
                1,
                OUTPUT_GAIN,
            )?);
        }
        Ok(heads)
    }
}

#[cfg(test)]
mod tests {
    // Tests may panic.
    #![allow(clippy::unwrap_used)]

    use rand::{RngExt, SeedableRng};

    use super::*;

    /// Compares the layer with its definition, number by number.
    #[test]
    fn the_last_channels_shift_the_others_by_their_mean_and_maximum() {
        const CHANNELS: usize = 5;
        const POOLED: usize = 2;
        const REGULAR: usize = CHANNELS - POOLED;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let input: Vec<f32> = (0..CHANNELS * 81).map(|_| rng.random_range(-1.0..1.0)).collect();
        let mut builder = Builder::new(Device::Cpu, &mut rng);
        let layer = Pooling::new(&mut builder, "pooling", CHANNELS as i64, POOLED as i64).unwrap();
        // `[out, in]`, with a bias of zero.
        let weights = Vec::<f32>::try_from(builder.parameters[0].tensor.flatten(0, -1)).unwrap();
        let tensor = Tensor::from_slice(&input).view([1, CHANNELS as i64, 9, 9]);
        let output = tch::no_grad(|| layer.forward(&tensor).unwrap());
        assert_eq!(output.size(), [1, REGULAR as i64, 9, 9]);
        let output = Vec::<f32>::try_from(output.flatten(0, -1)).unwrap();
        let folded = tch::no_grad(|| layer.folded(Device::Cpu).unwrap().forward(&tensor).unwrap());
        assert_eq!(folded.size(), [1, CHANNELS as i64, 9, 9]);
        let folded = Vec::<f32>::try_from(folded.flatten(0, -1)).unwrap();

        let pooled = input[REGULAR * 81..].chunks(81);
        let rectified = pooled.map(|plane| plane.iter().map(|number| number.max(0.0)));
        let means = rectified.clone().map(|plane| plane.sum::<f32>() / 81.0);
        let maxima = rectified.map(|plane| plane.fold(0.0, f32::max));
        let summary: Vec<f32> = means.chain(maxima).collect();
        for (channel, plane) in input[..REGULAR * 81].chunks(81).enumerate() {
            let weights = &weights[channel * 2 * POOLED..][..2 * POOLED];
            let shift: f32 = weights
                .iter()
                .zip(&summary)
                .map(|(weight, number)| weight * number)
                .sum();
            for (cell, number) in plane.iter().enumerate() {
                for output in [&output, &folded] {
                    let difference = output[channel * 81 + cell] - (number + shift).max(0.0);
                    // Sums of 81 numbers below 1, rounded to 6e-8 each.
                    assert!(difference.abs() < 5e-6, "channel {channel}, cell {cell}: {difference}");
                }
            }
        }
    }
}
