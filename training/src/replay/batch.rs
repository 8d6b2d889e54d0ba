//! Turns rows of the buffer into arrays for the learner.

use std::borrow::Cow;

use chase_engine::{Outcome, Playable, Shape};
use chase_models::network::VALUE_SIZE;
use ndarray::{Array1, Array2, Array3, Array4, ArrayViewMut3, Axis, aview1, s};
use rayon::prelude::*;

use super::buffer::{Buffer, RowId, StoredGame, StoredRow};
use crate::config::{LearnerConfig, ReplayConfig};

/// The logit of padding: its probability is exactly 0, and unlike with −∞ so is its product with a target of 0.
pub const PADDING: f32 = -1e9;

/// Training data for one step of the learner; B rows, each padded to L legal actions.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Planes, `[B, C, H, W]`.
    pub planes: Array4<f32>,
    /// Policy indices of the legal actions, `[B, L]`; 0 as padding.
    pub indices: Array2<i64>,
    /// Target probability of each, `[B, L]`; 0 as padding.
    pub target: Array2<f32>,
    /// 0 for a legal action, [`PADDING`] for padding, `[B, L]`: added to the logits.
    pub mask: Array2<f32>,
    /// Target probabilities of win, draw and loss for the player to move, `[B, 3]`; all 0 where there is no target.
    pub value: Array2<f32>,
    /// Class of each cell at the horizon ([`LearnerConfig::horizon_plies`]), `[B, H, W]`, in the view of the player to
    /// move.
    pub occupancy: Array3<i64>,
    /// ln(1 + plies to the end of the game), `[B]`.
    pub plies_left: Array1<f32>,
    /// Own material minus the enemy's at the horizon ([`material`](chase_engine::Encode::material)), `[B]`.
    pub material: Array1<f32>,
    /// 1 where the game ended by itself, 0 where it was truncated, `[B]`: the number of plies left is learned from rows
    /// with 1 only.
    pub ended: Array1<f32>,
    /// 1 where the position at the horizon is known, 0 where the game was truncated before it, `[B]`.
    pub foreseen: Array1<f32>,
}

impl Batch {
    /// All zeros, with padding in place of the actions.
    fn new(rows: usize, actions: usize, shape: Shape) -> Self {
        Self {
            planes: Array4::zeros(shape.batch(rows)),
            indices: Array2::zeros([rows, actions]),
            target: Array2::zeros([rows, actions]),
            mask: Array2::from_elem([rows, actions], PADDING),
            value: Array2::zeros([rows, VALUE_SIZE]),
            occupancy: Array3::zeros([rows, shape.height, shape.width]),
            plies_left: Array1::zeros(rows),
            material: Array1::zeros(rows),
            ended: Array1::zeros(rows),
            foreseen: Array1::zeros(rows),
        }
    }

    /// Writes a row, except for its planes.
    fn set(&mut self, place: usize, sample: &Sample<'_>) {
        let legal = s![place, ..sample.indices.len()];
        for (to, &index) in self.indices.row_mut(place).iter_mut().zip(&*sample.indices) {
            *to = index.into();
        }
        self.target.slice_mut(legal).assign(&aview1(&sample.row.target));
        self.mask.slice_mut(legal).fill(0.0);
        let value = sample.row.value.map_or([0.0; VALUE_SIZE], Into::into);
        self.value.row_mut(place).assign(&aview1(&value));
        let mut occupancy = self.occupancy.index_axis_mut(Axis(0), place);
        for (cell, &class) in occupancy.iter_mut().zip(&sample.occupancy) {
            *cell = class.into();
        }
        self.plies_left[place] = sample.plies_left;
        self.material[place] = sample.material;
        self.ended[place] = sample.ended.into();
        self.foreseen[place] = sample.foreseen.into();
    }

    /// Number of rows, B.
    pub fn rows(&self) -> usize {
        self.planes.len_of(Axis(0))
    }

    /// Padded number of actions, L.
    pub fn actions(&self) -> usize {
        self.indices.ncols()
    }
}

/// Makes batches.
#[derive(Debug)]
pub struct BatchMaker<G: Playable> {
    encoding: G::Encoding,
    shape: Shape,
    mirror: bool,
    horizon: usize,
}

/// One row of a batch, before padding.
struct Sample<'a> {
    row: &'a StoredRow,
    /// Policy indices of the legal actions, in the order of the targets.
    indices: Cow<'a, [u16]>,
    occupancy: Vec<u8>,
    plies_left: f32,
    material: f32,
    ended: bool,
    foreseen: bool,
}

impl<G: Playable> BatchMaker<G> {
    /// Creates a maker of batches with these planes and targets.
    pub fn new(encoding: G::Encoding, replay: &ReplayConfig, config: &LearnerConfig) -> Self {
        Self {
            shape: G::shape(&encoding),
            encoding,
            mirror: replay.mirror,
            horizon: match config.horizon_plies {
                0 => usize::MAX,
                plies => plies as usize,
            },
        }
    }

    /// The batch of some rows, in their order. The threads of the current pool make it.
    pub fn make(&self, buffer: &Buffer<G>, rows: &[RowId]) -> Batch {
        let stored: Vec<_> = rows.iter().map(|&id| buffer.row(id)).collect();
        let actions = stored.iter().map(|(_, row)| row.indices.len()).max().unwrap_or(0);
        let mut batch = Batch::new(rows.len(), actions, self.shape);
        let work: Vec<_> = stored.into_iter().zip(batch.planes.outer_iter_mut()).collect();
        let samples: Vec<Sample<'_>> = work
            .into_par_iter()
            .enumerate()
            // Rows were drawn at random, so every second one is a random half.
            .map(|(place, ((game, row), planes))| self.sample(game, row, self.mirror && place % 2 == 1, planes))
            .collect();
        for (place, sample) in samples.iter().enumerate() {
            batch.set(place, sample);
        }
        batch
    }

    /// The sample of a row, except for its `planes`, which are written in place.
    fn sample<'a>(
        &self,
        stored: &StoredGame<G>,
        row: &'a StoredRow,
        mirror: bool,
        planes: ArrayViewMut3<'_, f32>,
    ) -> Sample<'a> {
        let shown = |action| {
            if mirror {
                stored.start.mirrored(action).expect(MIRROR)
            } else {
                action
            }
        };
        let (before, after) = stored.actions.split_at(row.ply as usize);
        // Replayed from the start, since the planes show repetitions and counters, which a position alone does not
        // have.
        let mut game = stored.start.clone();
        for &action in before {
            game.apply(shown(action));
        }
        let indices = if mirror {
            Cow::Owned(mirrored_indices(stored, before, &game))
        } else {
            Cow::Borrowed(&*row.indices)
        };
        game.encode(&self.encoding, planes);
        let player = game.to_move();
        for &action in after.iter().take(self.horizon) {
            game.apply(shown(action));
        }
        let ended = stored.outcome != Outcome::Truncated;
        let mut occupancy = Vec::new();
        game.occupancy(&self.encoding, player, &mut occupancy);
        Sample {
            occupancy,
            // The logarithm, so that an error of five plies counts near the end of a game and hardly elsewhere.
            plies_left: (1.0 + after.len() as f32).ln(),
            material: game.material(player).unwrap_or_default(),
            ended,
            foreseen: ended || self.horizon <= after.len(),
            indices,
            row,
        }
    }
}

/// Reason that there is a mirror image: other games refuse `replay.mirror`.
const MIRROR: &str = "games with `replay.mirror` have mirror images";

/// Policy indices in the mirror image of a position, of the legal actions of the position itself and in their order.
fn mirrored_indices<G: Playable>(stored: &StoredGame<G>, before: &[G::Action], image: &G) -> Vec<u16> {
    let mut game = stored.start.clone();
    for &action in before {
        game.apply(action);
    }
    let mut legal = Vec::new();
    game.legal_actions(&mut legal);
    let index = |&action| image.policy_index(image.mirrored(action).expect(MIRROR)) as u16;
    legal.iter().map(index).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::chase::{ChaseEncoding, Rules};
    use chase_engine::{Chase, ConnectFour, Encode, Game};

    use super::*;
    use crate::replay::testing::random_game;

    #[test]
    fn a_row_holds_what_the_game_showed_at_its_ply() {
        let encoding = ChaseEncoding::default();
        let records: Vec<_> = (0..3)
            .map(|index| random_game::<Chase>(&Rules::default(), index))
            .collect();
        // Values are results alone.
        let learner = LearnerConfig {
            td_lambda: 1.0,
            ..LearnerConfig::default()
        };
        let mut buffer = Buffer::new(&learner);
        buffer.add(&records);
        let maker = BatchMaker::<Chase>::new(encoding, &ReplayConfig::default(), &learner);
        let rows: Vec<RowId> = (0..records[1].rows() as u32)
            .map(|row| RowId { game: 1, row })
            .collect();
        let batch = maker.make(&buffer, &rows);
        let shape = Chase::shape(&encoding);
        let record = &records[1];
        let mut end = record.start.clone();
        record.plies.iter().for_each(|ply| end.apply(ply.action));
        let mut game = record.start.clone();
        let (mut planes, mut row) = (Array3::zeros(shape.input()), 0);
        for (ply, played) in record.plies.iter().enumerate() {
            if let Some(policy) = &played.policy {
                game.encode(&encoding, planes.view_mut());
                assert_eq!(batch.planes.index_axis(Axis(0), row), planes, "ply {ply}");
                let actions = policy.indices.len();
                let (legal, padding) = (s![row, ..actions], s![row, actions..]);
                assert_eq!(batch.target.slice(legal), aview1(&policy.target));
                assert!(batch.target.slice(padding).iter().all(|&target| target == 0.0));
                assert!(batch.mask.slice(legal).iter().all(|&mask| mask == 0.0));
                assert!(batch.mask.slice(padding).iter().all(|&mask| mask == PADDING));
                let indices = policy.indices.iter().copied().map(i64::from);
                assert_eq!(batch.indices.slice(legal), indices.collect::<Array1<_>>());
                let won = record.outcome.winner().unwrap() == game.to_move();
                let value = if won { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] };
                assert_eq!(batch.value.row(row), aview1(&value));
                let dice = |player| end.position().dice(player).count() as f32;
                let difference = (dice(game.to_move()) - dice(!game.to_move())) / 10.0;
                assert_eq!(batch.material[row], difference);
                let cells = batch.occupancy.index_axis(Axis(0), row);
                let own = cells.iter().filter(|&&class| class == 0).count();
                assert_eq!(own as f32, dice(game.to_move()));
                assert_eq!(batch.plies_left[row], (1.0 + (record.plies.len() - ply) as f32).ln());
                row += 1;
            }
            game.apply(played.action);
        }
        assert_eq!((row, batch.rows()), (rows.len(), rows.len()));
    }

    #[test]
    fn heads_look_as_far_as_the_horizon() {
        const HORIZON: usize = 7;
        let mut record = random_game::<Chase>(&Rules::default(), 1);
        let rows: Vec<RowId> = (0..record.rows() as u32).map(|row| RowId { game: 0, row }).collect();
        let config = LearnerConfig {
            horizon_plies: HORIZON as u32,
            ..LearnerConfig::default()
        };
        let maker = BatchMaker::<Chase>::new(ChaseEncoding::default(), &ReplayConfig::default(), &config);
        for truncated in [false, true] {
            if truncated {
                record.outcome = Outcome::Truncated;
            }
            let mut buffer = Buffer::default();
            buffer.add(&[record.clone()]);
            let batch = maker.make(&buffer, &rows);
            let trained = (0..record.plies.len()).filter(|&ply| record.plies[ply].policy.is_some());
            for (row, ply) in trained.enumerate() {
                let mut game = record.start.clone();
                record.plies[..ply].iter().for_each(|played| game.apply(played.action));
                let player = game.to_move();
                let ahead = HORIZON.min(record.plies.len() - ply);
                record.plies[ply..ply + ahead]
                    .iter()
                    .for_each(|played| game.apply(played.action));
                let mut occupancy = Vec::new();
                game.occupancy(&ChaseEncoding::default(), player, &mut occupancy);
                let expected = occupancy.into_iter().map(i64::from);
                assert!(
                    batch.occupancy.index_axis(Axis(0), row).iter().copied().eq(expected),
                    "ply {ply}"
                );
                assert_eq!(Some(batch.material[row]), game.material(player));
                assert_eq!(batch.foreseen[row] == 1.0, !truncated || ahead == HORIZON, "ply {ply}");
                assert_eq!(batch.ended[row] == 1.0, !truncated);
                assert_eq!(batch.plies_left[row], (1.0 + (record.plies.len() - ply) as f32).ln());
            }
        }
    }

    #[test]
    fn every_second_row_is_a_mirror_image() {
        let mut buffer = Buffer::<ConnectFour>::default();
        buffer.add(&[random_game(&(), 3)]);
        let rows = buffer.rows() as u32;
        let make = |mirror| {
            let replay = ReplayConfig {
                mirror,
                ..ReplayConfig::default()
            };
            let maker = BatchMaker::<ConnectFour>::new(Default::default(), &replay, &LearnerConfig::default());
            let twice = (0..rows).flat_map(|row| [RowId { game: 0, row }; 2]);
            maker.make(&buffer, &twice.collect::<Vec<_>>())
        };
        let (plain, mixed) = (make(false), make(true));
        let mut asymmetric = 0;
        for row in 0..plain.rows() {
            let step = if row % 2 == 1 { -1 } else { 1 };
            let seen = plain.planes.slice(s![row, .., .., ..;step]);
            assert_eq!(mixed.planes.index_axis(Axis(0), row), seen);
            asymmetric += u32::from(seen != plain.planes.slice(s![row, .., .., ..;-step]));
            assert_eq!(
                mixed.occupancy.index_axis(Axis(0), row),
                plain.occupancy.slice(s![row, .., ..;step])
            );
            for place in 0..plain.actions() {
                let index = plain.indices[[row, place]];
                if plain.mask[[row, place]] == 0.0 {
                    let image = index / 7 * 7 + 6 - index % 7;
                    assert_eq!(mixed.indices[[row, place]], if step < 0 { image } else { index });
                }
            }
        }
        assert!(asymmetric > 0);
        assert_eq!(
            (&mixed.target, &mixed.value, &mixed.plies_left),
            (&plain.target, &plain.value, &plain.plies_left)
        );
    }
}
