//! A network as it plays: whole numbers.

use std::array::from_fn;
use std::ops::Deref;
use std::sync::Arc;

use chase_engine::Player;
use chase_engine::chase::Position;

use crate::features::{Seen, active, changes, input};
use crate::kernel::{self, Kernel, LANES, Line};
use crate::weights::{HIDDEN_1, HIDDEN_2, Weights, WeightsError};

/// Value of a logit of 1.
pub const LOGIT: i32 = 1000;
/// Scale of sums of the transformer and of activations: the integer that stands for 1.
const ONE: f32 = 127.0;
/// Scale of weights of the dense layers but the last.
const DENSE: f32 = 64.0;
/// Scale of weights of the last layer.
const OUTPUT: f32 = 1024.0;

/// The quantised network: shared by all who play with it, and changed by no one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    width: usize,
    transformer: Vec<Line>,
    transformer_bias: Vec<Line>,
    dense_1: Vec<[Line; BLOCKS_1]>,
    dense_1_bias: [[i32; LANES]; BLOCKS_1],
    dense_2: Vec<[Line; BLOCKS_2]>,
    dense_2_bias: [[i32; LANES]; BLOCKS_2],
    output: Vec<i16>,
    output_bias: i32,
}

/// Blocks of outputs of the first dense layer.
const BLOCKS_1: usize = HIDDEN_1 / LANES;
/// Blocks of outputs of the second one.
const BLOCKS_2: usize = HIDDEN_2 / LANES;
const _: () = assert!(HIDDEN_1.is_multiple_of(LANES) && HIDDEN_2.is_multiple_of(LANES));

/// Rows of weights, one for each output, as rows of lines, one for every two inputs.
fn blocks<const BLOCKS: usize>(rows: &[i16]) -> Vec<[Line; BLOCKS]> {
    let inputs = rows.len() / (LANES * BLOCKS);
    let weight = |output: usize, input: usize| rows[output * inputs + input];
    let row = |pair: usize| {
        from_fn(|block| {
            Line(from_fn(|output| {
                from_fn(|place| weight(LANES * block + output, 2 * pair + place))
            }))
        })
    };
    (0..inputs / 2).map(row).collect()
}

/// Biases of a dense layer, with half of what the division after it takes away, so that it rounds to the nearest.
fn bias_blocks<const BLOCKS: usize>(biases: &[f32]) -> [[i32; LANES]; BLOCKS] {
    let bias = |output: usize| (biases[output] * ONE * DENSE).round() as i32 + DENSE as i32 / 2;
    from_fn(|block| from_fn(|output| bias(LANES * block + output)))
}

impl Network {
    /// Rounds weights to whole numbers.
    ///
    /// # Errors
    /// If shapes do not fit, or a number is not finite or beyond its limit.
    pub fn quantise(weights: &Weights) -> Result<Self, WeightsError> {
        weights.check()?;
        let short = |values: &[f32], one: f32| -> Vec<i16> {
            values.iter().map(|value| (value * one).round() as i16).collect()
        };
        let [
            transformer,
            transformer_bias,
            dense_1,
            dense_1_bias,
            dense_2,
            dense_2_bias,
            output,
            output_bias,
        ] = weights
            .tensors()
            .map(|tensor| tensor.iter().copied().collect::<Vec<f32>>());
        Ok(Self {
            width: weights.width(),
            transformer: Line::of(&short(&transformer, ONE)),
            transformer_bias: Line::of(&short(&transformer_bias, ONE)),
            dense_1: blocks(&short(&dense_1, DENSE)),
            dense_1_bias: bias_blocks(&dense_1_bias),
            dense_2: blocks(&short(&dense_2, DENSE)),
            dense_2_bias: bias_blocks(&dense_2_bias),
            output: short(&output, OUTPUT),
            output_bias: (output_bias[0] * ONE * OUTPUT).round() as i32,
        })
    }

    /// The transformer's width.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Lines of the transformer's numbers.
    const fn lines(&self) -> usize {
        self.width / Line::LENGTH
    }

    /// The value of a position for the player to move: the logit of the expected score, in thousandths ([`LOGIT`]).
    /// From scratch; an [`LineEvaluator`] is faster along a line of play.
    pub fn evaluate(&self, position: &Position) -> i32 {
        let mut evaluator = LineEvaluator::new(self, Kernel::best());
        evaluator.begin(position);
        evaluator.value()
    }
}

/// The transformer's sums for both players in one position.
#[derive(Clone, Debug)]
struct Sums {
    position: Position,
    /// The position as the inputs see it, once the sums are known.
    seen: Option<Seen>,
    /// Its value, once that was asked for: a search comes back to a position with other windows.
    value: Option<i32>,
    by_player: [Vec<Line>; 2],
}

/// A network that is borrowed or shared.
#[derive(Clone, Debug)]
enum Held<'a> {
    Borrowed(&'a Network),
    Shared(Arc<Network>),
}

impl Deref for Held<'_> {
    type Target = Network;

    #[inline]
    fn deref(&self) -> &Network {
        match self {
            Self::Borrowed(network) => network,
            Self::Shared(network) => network,
        }
    }
}

/// Evaluates the positions of a line of play, each from the sums of the one before.
#[derive(Clone, Debug)]
pub struct LineEvaluator<'a> {
    network: Held<'a>,
    kernel: Kernel,
    line: Vec<Sums>,
    /// Positions of the line.
    length: usize,
    inputs: Vec<Line>,
}

impl LineEvaluator<'static> {
    /// As [`LineEvaluator::new`], with a network that other evaluators may share.
    pub fn shared(network: Arc<Network>, kernel: Kernel) -> Self {
        Self::of(Held::Shared(network), kernel)
    }
}

impl<'a> LineEvaluator<'a> {
    /// An evaluator that uses a set of vector instructions; one that the processor lacks counts as
    /// [`Kernel::Portable`].
    pub fn new(network: &'a Network, kernel: Kernel) -> Self {
        Self::of(Held::Borrowed(network), kernel)
    }

    fn of(network: Held<'a>, kernel: Kernel) -> Self {
        let inputs = vec![Line::ZERO; 2 * network.lines()];
        Self {
            network,
            kernel: if kernel.is_available() {
                kernel
            } else {
                Kernel::Portable
            },
            line: Vec::new(),
            length: 0,
            inputs,
        }
    }

    /// Begins a line with a position.
    pub fn begin(&mut self, position: &Position) {
        self.length = 0;
        self.push(position);
        let seen = Seen::with(self.kernel, position);
        let sums = &mut self.line[0];
        for viewer in Player::BOTH {
            let added: Vec<u16> = active(&seen, viewer).map(|input| input as u16).collect();
            let target = &mut sums.by_player[viewer as usize];
            kernel::update(
                self.kernel,
                target,
                &self.network.transformer_bias,
                &self.network.transformer,
                &added,
                &[],
            );
        }
        sums.seen = Some(seen);
    }

    /// Continues the line. Nothing is computed before a value is asked for.
    #[inline]
    pub fn push(&mut self, position: &Position) {
        if self.length == self.line.len() {
            let sums = || vec![Line::ZERO; self.network.lines()];
            self.line.push(Sums {
                position: *position,
                seen: None,
                value: None,
                by_player: [sums(), sums()],
            });
        } else {
            let place = &mut self.line[self.length];
            place.position = *position;
            place.seen = None;
            place.value = None;
        }
        self.length += 1;
    }

    /// Goes back by one position.
    ///
    /// # Panics
    /// If the line is empty.
    #[inline]
    pub fn pop(&mut self) {
        assert!(self.length > 0, "the line is empty");
        self.length -= 1;
    }

    /// The value of the last position of the line for the player to move, as [`Network::evaluate`] has it.
    ///
    /// # Panics
    /// If no line was begun.
    pub fn value(&mut self) -> i32 {
        let last = self.length - 1;
        if let Some(value) = self.line[last].value {
            return value;
        }
        let known = (0..=last).rev().find(|&ply| self.line[ply].seen.is_some());
        for ply in known.expect("the sums of the first position of a line are known")..last {
            self.advance(ply);
        }
        let network = &*self.network;
        let sums = &self.line[last];
        let player = sums.position.to_move();
        let (own, enemy) = self.inputs.split_at_mut(network.lines());
        kernel::limit(self.kernel, own, &sums.by_player[player as usize]);
        kernel::limit(self.kernel, enemy, &sums.by_player[!player as usize]);
        let (mut first, mut second) = ([[0; LANES]; BLOCKS_1], [[0; LANES]; BLOCKS_2]);
        kernel::dense(
            self.kernel,
            &mut first,
            &self.inputs,
            &network.dense_1,
            &network.dense_1_bias,
        );
        let mut inputs = Line::ZERO;
        inputs.0.as_flattened_mut()[..HIDDEN_1].copy_from_slice(first.as_flattened());
        kernel::dense(
            self.kernel,
            &mut second,
            &[inputs],
            &network.dense_2,
            &network.dense_2_bias,
        );
        let products = network.output.iter().zip(second.as_flattened().iter().copied());
        let sum = products.fold(network.output_bias, |sum, (&weight, input)| {
            sum + i32::from(weight) * i32::from(input)
        });
        let value = (i64::from(sum) * i64::from(LOGIT) / (ONE * OUTPUT) as i64) as i32;
        self.line[last].value = Some(value);
        value
    }

    /// Computes the sums after `ply` from those at it.
    fn advance(&mut self, ply: usize) {
        let (before, after) = self.line.split_at_mut(ply + 1);
        let (before, after) = (&before[ply], &mut after[0]);
        let new = Seen::with(self.kernel, &after.position);
        let old = before.seen.expect("the sums at this ply are known");
        let mut dice = [([0_u16; 2], false); MOST_CHANGES];
        let mut count = 0;
        changes(&old, &new, |cell, die, safety, comes| {
            dice[count] = (
                Player::BOTH.map(|viewer| input(viewer, die, cell, safety) as u16),
                comes,
            );
            count += 1;
        });
        for viewer in 0..2 {
            let (mut added, mut removed) = ([0; MOST_CHANGES], [0; MOST_CHANGES]);
            let (mut more, mut less) = (0, 0);
            for (inputs, comes) in &dice[..count] {
                if *comes {
                    added[more] = inputs[viewer];
                    more += 1;
                } else {
                    removed[less] = inputs[viewer];
                    less += 1;
                }
            }
            kernel::update(
                self.kernel,
                &mut after.by_player[viewer],
                &before.by_player[viewer],
                &self.network.transformer,
                &added[..more],
                &removed[..less],
            );
        }
        after.seen = Some(new);
    }
}

/// Every die of two positions may differ: 20 that go, 20 that come.
const MOST_CHANGES: usize = 40;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::chase::Rules;
    use chase_engine::{Chase, Game};
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::seq::IndexedRandom;

    use super::*;

    /// Positions of random games with the line that leads to each.
    fn games(number: u64, mut visit: impl FnMut(&[Position])) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(number);
        for _ in 0..10 {
            let mut game = Chase::new(&Rules::default());
            let (mut line, mut actions) = (vec![*game.position()], Vec::new());
            while game.outcome().is_none() && game.plies() < 100 {
                game.legal_actions(&mut actions);
                game.apply(*actions.choose(&mut rng).expect("the game is not over"));
                line.push(*game.position());
            }
            visit(&line);
        }
    }

    fn random(width: usize) -> Weights {
        Weights::random(width, &mut Xoshiro256PlusPlus::seed_from_u64(3))
    }

    /// With every set of instructions that this processor has, along a line, with gaps and ways back, and from scratch:
    /// the same value.
    #[test]
    fn lines_give_the_same_values_as_positions_alone() {
        let network = Network::quantise(&random(64)).expect("weights are in range");
        for kernel in Kernel::ALL.into_iter().filter(|kernel| kernel.is_available()) {
            let mut evaluator = LineEvaluator::new(&network, kernel);
            let mut portable = LineEvaluator::new(&network, Kernel::Portable);
            games(5, |line| {
                evaluator.begin(&line[0]);
                for (ply, position) in line.iter().enumerate().skip(1) {
                    evaluator.push(position);
                    // A way that is tried and left again.
                    evaluator.push(&line[ply - 1]);
                    if ply % 5 == 0 {
                        evaluator.value();
                    }
                    evaluator.pop();
                    if ply % 3 == 0 {
                        portable.begin(position);
                        assert_eq!(evaluator.value(), portable.value(), "{kernel:?} at {position}");
                    }
                }
            });
        }
    }

    /// The two forms differ by rounding alone: here by at most 0.03 of a logit on average and 0.15 at most.
    #[test]
    fn quantised_values_are_near_the_reference() {
        let weights = random(128);
        let network = Network::quantise(&weights).expect("weights are in range");
        let (mut sum, mut most, mut count) = (0.0_f32, 0.0_f32, 0.0);
        games(6, |line| {
            for position in line {
                let value = network.evaluate(position) as f32 / LOGIT as f32;
                let difference = (value - weights.evaluate(position)).abs();
                sum += difference;
                most = most.max(difference);
                count += 1.0;
            }
        });
        assert!(sum / count < 0.03 && most < 0.15, "{} {most}", sum / count);
    }

    #[test]
    fn the_judgement_by_dice_counts_dice() {
        let network = Network::quantise(&Weights::dice_difference(32, 1.0)).expect("weights are in range");
        games(7, |line| {
            for position in line {
                let player = position.to_move();
                let [own, enemy] = [player, !player].map(|player| position.dice(player).count() as i32);
                let value = network.evaluate(position);
                let expected = LOGIT * (own - enemy);
                assert!((value - expected).abs() < LOGIT / 4, "{value} {expected} {position}");
            }
        });
    }

    #[test]
    fn a_wider_network_has_the_same_values() {
        let narrow = random(64);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        let wide = narrow.widened(96, &mut rng).expect("a larger width");
        wide.check().expect("weights are in range");
        assert_eq!(wide.width(), 96);
        let [before, after] = [&narrow, &wide].map(|weights| Network::quantise(weights).expect("in range"));
        games(8, |line| {
            for position in line {
                assert_eq!(before.evaluate(position), after.evaluate(position), "{position}");
            }
        });
        assert_eq!(narrow.widened(64, &mut rng).expect("its own width"), narrow);
        let refused = wide.widened(64, &mut rng).map_err(|error| error.to_string());
        assert_eq!(
            refused.unwrap_err(),
            "the transformer has the width 96, which cannot become 64: expected a larger width"
        );
    }

    #[test]
    fn weights_out_of_range_are_refused() {
        let mut weights = random(32);
        weights.dense_2[[3, 4]] = f32::NAN;
        let refused = Network::quantise(&weights).map_err(|error| error.to_string());
        assert_eq!(
            refused.unwrap_err(),
            "dense_2.weight has the number NaN, expected one of magnitude 100 at most"
        );
        let mut weights = random(32);
        weights.output = ndarray::Array1::zeros(31);
        let refused = Network::quantise(&weights).map_err(|error| error.to_string());
        assert_eq!(refused.unwrap_err(), "output.weight has the shape [31], expected [32]");
        let refused = Network::quantise(&Weights::zero(33)).map_err(|error| error.to_string());
        assert_eq!(
            refused.unwrap_err(),
            "the transformer has the width 33, expected a multiple of 32 up to 1024"
        );
    }
}
