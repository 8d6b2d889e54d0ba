//! A network as it plays: whole numbers.

use std::array::from_fn;
use std::ops::Deref;

use chase_engine::alpha_beta::Evaluator;
use chase_engine::{Encode, InputSet, Instructions, Player, SparseView};

use crate::kernel::{self, LANES, Line};
use crate::weights::{HIDDEN_1, HIDDEN_2, Weights, WeightsError};

/// Value of a logit of 1.
pub const LOGIT: i32 = 1000;
/// Scale of sums of the transformer and of activations: the integer that stands for 1.
// 127 and 64 as in Stockfish, where activations have 8 bits. Here they have 16, for the instruction that multiplies
// pairs of 16 bits.
pub(crate) const ONE: f32 = 127.0;
/// Scale of weights of the dense layers but the last.
// Fine enough: the loss of nnue-51 in whole numbers is 0.459, and with a floating point 0.458 (study 0030).
const DENSE: f32 = 64.0;
/// Scale of weights of the last layer.
// The largest power of two with which the limit of 30 fits into 16 bits.
const OUTPUT: f32 = 1024.0;

/// The quantised network: shared by all who play with it, and never changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    inputs: InputSet,
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
            inputs: weights.inputs,
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

    /// Width of the first layer, for each player.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Lines of the transformer's numbers.
    const fn lines(&self) -> usize {
        self.width / Line::LENGTH
    }

    /// The value of a position for the player to move: the logit of the expected score, in thousandths ([`LOGIT`]).
    /// From scratch; a [`LineEvaluator`] is faster along a line of play.
    ///
    /// # Panics
    /// If the network is for other inputs.
    pub fn evaluate<G: Encode>(&self, game: &G) -> i32 {
        self.expect_inputs::<G>();
        let [own, enemy] = G::Sparse::inputs(game);
        self.evaluate_inputs([&own, &enemy])
    }

    /// As [`Network::evaluate`], from the inputs that are 1: as the player to move sees them, then the other one.
    pub fn evaluate_inputs(&self, inputs: [&[u16]; 2]) -> i32 {
        let instructions = Instructions::best();
        let sums = inputs.map(|inputs| {
            let mut sums = vec![Line::ZERO; self.lines()];
            self.update(instructions, &mut sums, &self.transformer_bias, [inputs, &[]]);
            sums
        });
        let mut scratch = vec![Line::ZERO; 2 * self.lines()];
        self.judge(instructions, [&sums[0], &sums[1]], &mut scratch)
    }

    /// Writes `from` with inputs added and others removed.
    // Compiled in this crate alone, which tests optimise. As `inline` it was compiled again in each crate that searches.
    #[inline(never)]
    fn update(&self, instructions: Instructions, sums: &mut [Line], from: &[Line], [added, removed]: [&[u16]; 2]) {
        kernel::update(instructions, sums, from, &self.transformer, added, removed);
    }

    /// The value for the player to move from the sums of both, own first.
    // `inline(never)` as for `update`.
    #[inline(never)]
    fn judge(&self, instructions: Instructions, sums: [&[Line]; 2], scratch: &mut [Line]) -> i32 {
        let (own, enemy) = scratch.split_at_mut(self.lines());
        kernel::limit(instructions, own, sums[0]);
        kernel::limit(instructions, enemy, sums[1]);
        let (mut first, mut second) = ([[0; LANES]; BLOCKS_1], [[0; LANES]; BLOCKS_2]);
        kernel::dense(instructions, &mut first, scratch, &self.dense_1, &self.dense_1_bias);
        let mut inputs = Line::ZERO;
        inputs.0.as_flattened_mut()[..HIDDEN_1].copy_from_slice(first.as_flattened());
        kernel::dense(instructions, &mut second, &[inputs], &self.dense_2, &self.dense_2_bias);
        let products = self.output.iter().zip(second.as_flattened().iter().copied());
        let sum = products.fold(self.output_bias, |sum, (&weight, input)| {
            sum + i32::from(weight) * i32::from(input)
        });
        (i64::from(sum) * i64::from(LOGIT) / (ONE * OUTPUT) as i64) as i32
    }

    fn expect_inputs<G: Encode>(&self) {
        assert_eq!(
            self.inputs,
            G::Sparse::INPUTS,
            "a network for the inputs of {}",
            G::NAME
        );
    }
}

/// The transformer's sums for both players in one position.
#[derive(Clone, Debug)]
struct Sums<S> {
    seen: S,
    /// True once the sums are known.
    is_known: bool,
    /// Its value, once that was asked for: a search comes back to a position with other windows.
    value: Option<i32>,
    by_player: [Vec<Line>; 2],
}

/// Evaluates the positions of a line of play, each from the sums of the one before: what
/// [alpha–beta search](chase_engine::alpha_beta) judges positions by. It borrows its network (`&Network`) or shares it
/// (`Arc<Network>`).
#[derive(Clone, Debug)]
pub struct LineEvaluator<N, G: Encode> {
    network: N,
    instructions: Instructions,
    line: Vec<Sums<G::Sparse>>,
    /// Positions of the line.
    length: usize,
    scratch: Vec<Line>,
    /// Inputs that come and that go, as each player sees them.
    added: [Vec<u16>; 2],
    removed: [Vec<u16>; 2],
}

impl<N: Deref<Target = Network>, G: Encode> LineEvaluator<N, G> {
    /// An evaluator that uses a set of vector instructions.
    ///
    /// # Panics
    /// If the network is for other inputs.
    pub fn new(network: N, instructions: Instructions) -> Self {
        network.expect_inputs::<G>();
        let scratch = vec![Line::ZERO; 2 * network.lines()];
        let most = G::Sparse::INPUTS.most;
        let list = || [Vec::with_capacity(most), Vec::with_capacity(most)];
        Self {
            network,
            instructions,
            line: Vec::new(),
            length: 0,
            scratch,
            added: list(),
            removed: list(),
        }
    }

    /// Computes the sums after `ply` from those at it.
    fn advance(&mut self, ply: usize) {
        let (before, after) = self.line.split_at_mut(ply + 1);
        let (before, after) = (&before[ply], &mut after[0]);
        after.seen.look(self.instructions);
        for list in self.added.iter_mut().chain(&mut self.removed) {
            list.clear();
        }
        before.seen.changes(&after.seen, |inputs, comes| {
            let lists = if comes { &mut self.added } else { &mut self.removed };
            for (list, input) in lists.iter_mut().zip(inputs) {
                list.push(input);
            }
        });
        for viewer in 0..2 {
            self.network.update(
                self.instructions,
                &mut after.by_player[viewer],
                &before.by_player[viewer],
                [&self.added[viewer], &self.removed[viewer]],
            );
        }
        after.is_known = true;
    }
}

impl<N: Deref<Target = Network>, G: Encode> Evaluator<G> for LineEvaluator<N, G> {
    fn begin(&mut self, game: &G) {
        self.length = 0;
        self.push(game);
        let sums = &mut self.line[0];
        sums.seen.look(self.instructions);
        for viewer in Player::BOTH {
            self.network.update(
                self.instructions,
                &mut sums.by_player[viewer as usize],
                &self.network.transformer_bias,
                [&sums.seen.seen_by(viewer), &[]],
            );
        }
        sums.is_known = true;
    }

    /// Nothing is computed before a value is asked for.
    #[inline]
    fn push(&mut self, game: &G) {
        let seen = G::Sparse::of(game);
        if self.length == self.line.len() {
            let sums = || vec![Line::ZERO; self.network.lines()];
            self.line.push(Sums {
                seen,
                is_known: false,
                value: None,
                by_player: [sums(), sums()],
            });
        } else {
            let place = &mut self.line[self.length];
            place.seen = seen;
            place.is_known = false;
            place.value = None;
        }
        self.length += 1;
    }

    #[inline]
    fn pop(&mut self) {
        assert!(self.length > 0, "the line is empty");
        self.length -= 1;
    }

    /// As [`Network::evaluate`] has it, but far from the value of a win.
    fn value(&mut self, game: &G) -> i32 {
        let last = self.length - 1;
        if let Some(value) = self.line[last].value {
            return value;
        }
        let known = (0..=last).rev().find(|&ply| self.line[ply].is_known);
        for ply in known.expect("the sums of the first position of a line are known")..last {
            self.advance(ply);
        }
        let [white, black] = &self.line[last].by_player;
        let sums: [&[Line]; 2] = match game.to_move() {
            Player::White => [white, black],
            Player::Black => [black, white],
        };
        let value = self.network.judge(self.instructions, sums, &mut self.scratch);
        // A logit of 100 is a certain win, and far below `WIN`.
        let value = value.clamp(-100 * LOGIT, 100 * LOGIT);
        self.line[last].value = Some(value);
        value
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::chase::Seen;
    use chase_engine::{Chase, Chess, GameName};
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::seq::IndexedRandom;

    use super::*;

    /// The games after each ply of random games.
    fn games<G: Encode>(name: GameName, number: u64, mut visit: impl FnMut(&[G])) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(number);
        for _ in 0..10 {
            let mut game = G::new(&name.rules::<G>());
            let (mut line, mut actions) = (vec![game.clone()], Vec::new());
            while game.outcome().is_none() && game.plies() < 100 {
                game.legal_actions(&mut actions);
                game.apply(*actions.choose(&mut rng).expect("the game is not over"));
                line.push(game.clone());
            }
            visit(&line);
        }
    }

    fn chase(number: u64, visit: impl FnMut(&[Chase])) {
        games(GameName::Chase, number, visit);
    }

    fn random<G: Encode>(width: usize) -> Weights {
        Weights::random(G::Sparse::INPUTS, width, &mut Xoshiro256PlusPlus::seed_from_u64(3))
    }

    /// With every set of instructions that this processor has, along a line, with gaps and ways back, and from scratch:
    /// the same value.
    fn lines_give_the_same_values<G: Encode>(name: GameName) {
        let network = Network::quantise(&random::<G>(64)).expect("weights are in range");
        for instructions in Instructions::available() {
            let mut evaluator = LineEvaluator::<_, G>::new(&network, instructions);
            let mut portable = LineEvaluator::<_, G>::new(&network, Instructions::PORTABLE);
            games::<G>(name, 5, |line| {
                evaluator.begin(&line[0]);
                for (ply, game) in line.iter().enumerate().skip(1) {
                    evaluator.push(game);
                    // A way that is tried and left again.
                    evaluator.push(&line[ply - 1]);
                    if ply % 5 == 0 {
                        evaluator.value(&line[ply - 1]);
                    }
                    evaluator.pop();
                    if ply % 3 == 0 {
                        portable.begin(game);
                        let value = evaluator.value(game);
                        let text = game.position_text();
                        assert_eq!(value, portable.value(game), "{instructions:?} at {text}");
                        assert_eq!(value, network.evaluate(game), "from scratch at {text}");
                    }
                }
            });
        }
    }

    #[test]
    fn lines_give_the_same_values_as_positions_alone() {
        lines_give_the_same_values::<Chase>(GameName::Chase);
        lines_give_the_same_values::<Chess>(GameName::Chess);
        lines_give_the_same_values::<Chess>(GameName::ChessCyl);
    }

    /// Sums of the largest weights of both signs do not overflow.
    #[test]
    fn the_largest_weights_give_the_values_of_the_reference() {
        for sign in [1.0, -1.0] {
            let mut weights = random::<Chess>(32);
            let [(_, _, limit), ..] = Weights::shapes(weights.inputs, 32);
            weights.transformer.fill(sign * limit);
            weights.transformer_bias.fill(sign * limit);
            let network = Network::quantise(&weights).expect("weights are in range");
            games::<Chess>(GameName::Chess, 9, |line| {
                let expected = weights.evaluate(&line[0]);
                let value = network.evaluate(&line[0]) as f32 / LOGIT as f32;
                assert!((value - expected).abs() < 0.15, "{value} {expected}");
            });
        }
    }

    /// The two forms differ by rounding alone: here by at most 0.03 of a logit on average and 0.15 at most.
    #[test]
    fn quantised_values_are_near_the_reference() {
        let weights = random::<Chase>(128);
        let network = Network::quantise(&weights).expect("weights are in range");
        let (mut sum, mut most, mut count) = (0.0_f32, 0.0_f32, 0.0);
        chase(6, |line| {
            for game in line {
                let value = network.evaluate(game) as f32 / LOGIT as f32;
                let difference = (value - weights.evaluate(game)).abs();
                sum += difference;
                most = most.max(difference);
                count += 1.0;
            }
        });
        assert!(sum / count < 0.03 && most < 0.15, "{} {most}", sum / count);
    }

    #[test]
    fn a_wider_network_has_the_same_values() {
        let narrow = random::<Chase>(64);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        let wide = narrow.widened(96, &mut rng).expect("a larger width");
        wide.check().expect("weights are in range");
        assert_eq!(wide.width(), 96);
        let [before, after] = [&narrow, &wide].map(|weights| Network::quantise(weights).expect("in range"));
        chase(8, |line| {
            for game in line {
                assert_eq!(before.evaluate(game), after.evaluate(game), "{}", game.position());
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
        let mut weights = random::<Chase>(32);
        weights.dense_2[[3, 4]] = f32::NAN;
        let refused = Network::quantise(&weights).map_err(|error| error.to_string());
        assert_eq!(
            refused.unwrap_err(),
            "dense_2.weight has the value NaN, expected at most 100 in magnitude"
        );
        let mut weights = random::<Chase>(32);
        weights.output = ndarray::Array1::zeros(31);
        let refused = Network::quantise(&weights).map_err(|error| error.to_string());
        assert_eq!(refused.unwrap_err(), "output.weight has the shape [31], expected [32]");
        let refused = Network::quantise(&Weights::zero(Seen::INPUTS, 33)).map_err(|error| error.to_string());
        assert_eq!(
            refused.unwrap_err(),
            "the transformer has the width 33, expected a multiple of 32 up to 1024"
        );
    }
}
