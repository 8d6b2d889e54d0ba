//! The configuration of the one family of networks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use chase_engine::Shape;

/// A residual convolutional network with a policy and a value head: one family for every game and size.
///
/// Trunk: a 3×3 convolution, then `blocks` residual blocks of two 3×3 convolutions each (He et al. 2016, arXiv
/// 1512.03385, in the form of AlphaZero), some with global pooling (Wu 2019, arXiv 1902.10565, §4.1). Every
/// convolution is followed by batch normalisation: it trains small networks at high rates without care for their
/// initial scale, and at inference it is folded into the weights and costs nothing.
///
/// Policy head: two 1×1 convolutions to P planes. Value head: a 1×1 convolution, mean and maximum over the board, two
/// dense layers to win, draw and loss. No layer depends on the position on the board, so a network for a cylinder is
/// equivariant under its rotation; special places (edges, the Chamber) are planes of the input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Architecture {
    /// Residual blocks; at least 1.
    pub blocks: usize,
    /// Channels of the trunk; at least 4.
    pub channels: usize,
    /// Every N-th block has global pooling; 0 for none.
    pub pooling: usize,
    /// Channels inside the policy head; at least 1.
    pub policy_channels: usize,
    /// Channels inside the value head; at least 1.
    pub value_channels: usize,
    /// Width of the value head's hidden layer; at least 1.
    pub value_hidden: usize,
    /// Whether cells have six neighbours instead of eight.
    pub hex: bool,
    /// Whether first and last columns are adjacent.
    pub wrap: bool,
    /// Whether first and last rows are adjacent.
    pub wrap_rows: bool,
    /// Whether mirror images share weights; `channels` must be a multiple of 8, head widths even.
    pub mirror: bool,
    /// Further heads, which help the trunk to learn and are left out at inference.
    pub auxiliary: Auxiliary,
}

/// Heads used only in training.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Auxiliary {
    /// Head: contents of each cell (own, enemy, empty) at the horizon.
    pub occupancy: bool,
    /// Head: plies left in the game.
    pub plies_left: bool,
    /// Head: own minus enemy material at the horizon.
    // In files it is called what it is in Chase.
    #[serde(rename = "dice_difference")]
    pub material: bool,
}

/// Four blocks of 32 channels for Chase.
impl Default for Architecture {
    fn default() -> Self {
        Self {
            blocks: 4,
            // Multiples of 16 use the vector units best.
            channels: 32,
            pooling: 2,
            policy_channels: 32,
            value_channels: 32,
            value_hidden: 64,
            // In axial coordinates (row + 1, column + 1) and (row − 1, column − 1) are not neighbours: these corners of
            // kernels are held at zero.
            hex: true,
            wrap: true,
            wrap_rows: false,
            // True halves the numbers to learn; an evaluation takes the same time.
            mirror: false,
            auxiliary: Auxiliary::default(),
        }
    }
}

/// Error returned for a setting out of range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("architecture: `{key}` is {value}, expected {expected}")]
#[expect(missing_docs, reason = "the message says what the fields are")]
pub struct ArchitectureError {
    pub key: &'static str,
    pub value: usize,
    pub expected: &'static str,
}

impl Architecture {
    /// Checks that the network can be built.
    ///
    /// # Errors
    /// Names the first setting that is out of range. The upper limits only catch typing errors: a network beyond them
    /// would not fit into memory.
    pub fn validate(&self) -> Result<(), ArchitectureError> {
        let settings = [
            ("blocks", self.blocks, 1..=256, "1 to 256"),
            ("channels", self.channels, 4..=4096, "4 to 4096"),
            (
                "pooling",
                self.pooling,
                0..=self.blocks,
                "0 (none) up to the number of blocks",
            ),
            ("policy_channels", self.policy_channels, 1..=4096, "1 to 4096"),
            ("value_channels", self.value_channels, 1..=4096, "1 to 4096"),
            ("value_hidden", self.value_hidden, 1..=65536, "1 to 65536"),
        ];
        for (key, value, range, expected) in settings {
            if !range.contains(&value) {
                return Err(ArchitectureError { key, value, expected });
            }
        }
        // The channels that a block pools are a quarter of them, and come in pairs like the others.
        let pairs = [
            (
                "channels",
                self.channels,
                8,
                "a multiple of 8, for a network with `mirror`",
            ),
            (
                "policy_channels",
                self.policy_channels,
                2,
                "an even number, for a network with `mirror`",
            ),
            (
                "value_channels",
                self.value_channels,
                2,
                "an even number, for a network with `mirror`",
            ),
            (
                "value_hidden",
                self.value_hidden,
                2,
                "an even number, for a network with `mirror`",
            ),
        ];
        for (key, value, factor, expected) in pairs {
            if self.mirror && !value.is_multiple_of(factor) {
                return Err(ArchitectureError { key, value, expected });
            }
        }
        Ok(())
    }

    /// A short name of the size: `b4c32` has four blocks of 32 channels.
    pub fn name(&self) -> String {
        format!("b{}c{}", self.blocks, self.channels)
    }

    /// True if the block with this index, from 0, has global pooling: the last of every `pooling` blocks.
    pub const fn pools(&self, block: usize) -> bool {
        self.pooling != 0 && (block + 1).is_multiple_of(self.pooling)
    }

    /// Multiplications and additions of one evaluation at inference, counted in full at the edges of the board: the
    /// amount of work, for comparing machines.
    pub fn operations(&self, shape: &Shape) -> u64 {
        let (channels, pooled) = (self.channels, self.channels / 4);
        let mut per_cell = 9 * shape.planes * channels;
        let mut per_board = 2 * self.value_channels * self.value_hidden + 3 * self.value_hidden;
        for block in 0..self.blocks {
            let inner = if self.pools(block) { channels - pooled } else { channels };
            per_cell += 9 * channels * (channels + inner);
            per_board += if self.pools(block) { 2 * pooled * inner } else { 0 };
        }
        per_cell +=
            channels * (self.policy_channels + self.value_channels) + self.policy_channels * shape.policy_planes;
        2 * (per_cell * shape.cells() + per_board) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_out_of_range_are_named() {
        assert_eq!(Architecture::default().validate(), Ok(()));
        let bad = Architecture {
            channels: 0,
            ..Architecture::default()
        };
        let message = bad.validate().err().map(|error| error.to_string());
        assert_eq!(
            message.as_deref(),
            Some("architecture: `channels` is 0, expected 4 to 4096")
        );
        let bad = Architecture {
            pooling: 5,
            ..Architecture::default()
        };
        assert_eq!(bad.validate().err().map(|error| error.key), Some("pooling"));
        let bad = Architecture {
            channels: 12,
            mirror: true,
            ..Architecture::default()
        };
        assert_eq!(bad.validate().err().map(|error| error.key), Some("channels"));
    }

    #[test]
    fn unknown_settings_are_errors() {
        let error = toml::from_str::<Architecture>("blocks = 2\nchanels = 8\n")
            .err()
            .map(|error| error.to_string());
        assert!(error.is_some_and(|text| text.contains("chanels")));
    }
}
