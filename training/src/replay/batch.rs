//! From rows of the buffer to arrays for the learner.

use std::borrow::Cow;

use chase_engine::{Outcome, Player};
use chase_models::Shape;
use rayon::prelude::*;

use super::buffer::{Buffer, RowId, StoredGame, StoredRow};
use crate::config::{LearnerConfig, ReplayConfig, TruncatedValue};
use crate::trainable::Trainable;

/// The logit of what is no action: its probability is 0 exactly, and unlike with −∞ its product with a target of 0 is too.
pub const PADDING: f32 = -1e9;

/// Training data for one step of the learner; B rows, each padded to L legal actions.
#[derive(Debug, Default)]
pub struct Batch {
    /// B.
    pub rows: usize,
    /// L.
    pub actions: usize,
    /// Planes, `[B, C, H, W]`.
    pub planes: Vec<f32>,
    /// Policy indices of the legal actions, `[B, L]`; 0 as padding.
    pub indices: Vec<i64>,
    /// Target probability of each, `[B, L]`; 0 as padding.
    pub target: Vec<f32>,
    /// 0 for a legal action, [`PADDING`] as padding, `[B, L]`: to be added to logits.
    pub mask: Vec<f32>,
    /// Target probabilities of win, draw and loss for the player to move, `[B, 3]`; all 0 where there is no target.
    pub value: Vec<f32>,
    /// Class of each cell at the horizon ([`LearnerConfig::horizon_plies`]), `[B, H, W]`, in the view of the player to
    /// move.
    pub occupancy: Vec<i64>,
    /// ln(1 + plies to the end of the game), `[B]`.
    pub plies_left: Vec<f32>,
    /// Own material minus the enemy's at the horizon ([`Trainable::material`]), `[B]`.
    pub material: Vec<f32>,
    /// 1 where the game reached an end of its own, 0 where it was truncated, `[B]`: how long it lasts is learned from the
    /// former only.
    pub ended: Vec<f32>,
    /// 1 where the position at the horizon is known, 0 where the game was truncated before, `[B]`.
    pub foreseen: Vec<f32>,
}

/// Makes batches.
#[derive(Debug)]
pub struct BatchMaker<G: Trainable> {
    encoding: G::Encoding,
    shape: Shape,
    search_value_share: f32,
    truncated_value: TruncatedValue,
    mirror: bool,
    horizon: usize,
}

/// One row of a batch, before padding.
struct Sample<'a> {
    row: &'a StoredRow,
    /// Policy indices of the legal actions, in the order of the targets.
    indices: Cow<'a, [u16]>,
    planes: Vec<f32>,
    value: [f32; 3],
    occupancy: Vec<u8>,
    plies_left: f32,
    material: f32,
    ended: bool,
    foreseen: bool,
}

impl<G: Trainable> BatchMaker<G> {
    /// A maker of batches with these planes and targets.
    pub fn new(encoding: G::Encoding, replay: &ReplayConfig, config: &LearnerConfig) -> Self {
        Self {
            shape: G::shape(&encoding),
            encoding,
            search_value_share: config.search_value_share as f32,
            truncated_value: config.truncated_value,
            mirror: replay.mirror,
            horizon: match config.horizon_plies {
                0 => usize::MAX,
                plies => plies as usize,
            },
        }
    }

    /// The batch of some rows, in their order, made by the threads of the current pool.
    pub fn make(&self, buffer: &Buffer<G>, rows: &[RowId]) -> Batch {
        let samples: Vec<Sample<'_>> = rows
            .par_iter()
            .enumerate()
            .map(|(place, &id)| {
                let (game, row) = buffer.row(id);
                // Rows were drawn at random, so every second one is a random half.
                self.sample(game, row, self.mirror && place % 2 == 1)
            })
            .collect();
        let actions = samples.iter().map(|sample| sample.row.indices.len()).max().unwrap_or(0);
        let mut batch = Batch {
            rows: rows.len(),
            actions,
            ..Batch::default()
        };
        for sample in samples {
            let padding = actions - sample.row.indices.len();
            batch.planes.extend_from_slice(&sample.planes);
            batch
                .indices
                .extend(sample.indices.iter().map(|&index| i64::from(index)));
            batch.indices.extend(std::iter::repeat_n(0, padding));
            batch.target.extend_from_slice(&sample.row.target);
            batch.target.extend(std::iter::repeat_n(0.0, padding));
            batch.mask.extend(std::iter::repeat_n(0.0, sample.row.indices.len()));
            batch.mask.extend(std::iter::repeat_n(PADDING, padding));
            batch.value.extend_from_slice(&sample.value);
            batch
                .occupancy
                .extend(sample.occupancy.iter().map(|&class| i64::from(class)));
            batch.plies_left.push(sample.plies_left);
            batch.material.push(sample.material);
            batch.ended.push(f32::from(sample.ended));
            batch.foreseen.push(f32::from(sample.foreseen));
        }
        batch
    }

    fn sample<'a>(&self, stored: &StoredGame<G>, row: &'a StoredRow, mirror: bool) -> Sample<'a> {
        let shown = |action| {
            if mirror {
                G::mirrored(action).unwrap_or(action)
            } else {
                action
            }
        };
        let (before, after) = stored.actions.split_at(row.ply as usize);
        // Played from the start: repetitions and counters are in the planes, and not in any position alone.
        let mut game = stored.start.clone();
        for &action in before {
            game.apply(shown(action));
        }
        let indices = if mirror {
            Cow::Owned(mirrored_indices(stored, before, &game))
        } else {
            Cow::Borrowed(&*row.indices)
        };
        let mut planes = vec![0.0; self.shape.input_size()];
        game.encode(&self.encoding, &mut planes);
        let player = game.to_move();
        for &action in after.iter().take(self.horizon) {
            game.apply(shown(action));
        }
        let ended = stored.outcome != Outcome::Truncated;
        let mut occupancy = Vec::new();
        game.occupancy(player, &mut occupancy);
        Sample {
            value: self.value_target(stored.outcome, player, row.value),
            occupancy,
            plies_left: (1.0 + after.len() as f32).ln(),
            material: game.material(player),
            ended,
            foreseen: ended || self.horizon <= after.len(),
            planes,
            indices,
            row,
        }
    }

    /// Probabilities of win, draw and loss to be learned, or zeros for nothing.
    fn value_target(&self, outcome: Outcome, player: Player, search: Option<[f32; 3]>) -> [f32; 3] {
        let Some(value) = outcome.value_for(player) else {
            return match self.truncated_value {
                TruncatedValue::Mask => [0.0; 3],
                TruncatedValue::Search => search.unwrap_or_default(),
            };
        };
        let result = match value.0 {
            value if value > 0.0 => [1.0, 0.0, 0.0],
            value if value < 0.0 => [0.0, 0.0, 1.0],
            _ => [0.0, 1.0, 0.0],
        };
        let Some(search) = search else {
            return result;
        };
        let share = self.search_value_share;
        std::array::from_fn(|index| (1.0 - share) * result[index] + share * search[index])
    }
}

/// Policy indices, in the mirror image of a position, of what is legal in the position itself, in the order there.
fn mirrored_indices<G: Trainable>(stored: &StoredGame<G>, before: &[G::Action], image: &G) -> Vec<u16> {
    let mut game = stored.start.clone();
    for &action in before {
        game.apply(action);
    }
    let mut legal = Vec::new();
    game.legal_actions(&mut legal);
    let index = |&action| image.policy_index(G::mirrored(action).unwrap_or(action)) as u16;
    legal.iter().map(index).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::chase::Rules;
    use chase_engine::{Chase, ConnectFour, Game};
    use chase_models::Encode;
    use chase_models::encoding::ChaseEncoding;

    use super::*;
    use crate::replay::testing::random_game;

    #[test]
    fn a_row_holds_what_the_game_showed_at_its_ply() {
        let encoding = ChaseEncoding::default();
        let records: Vec<_> = (0..3)
            .map(|index| random_game::<Chase>(&Rules::default(), index))
            .collect();
        let mut buffer = Buffer::default();
        buffer.add(&records);
        let maker = BatchMaker::<Chase>::new(encoding, &ReplayConfig::default(), &LearnerConfig::default());
        let rows: Vec<RowId> = (0..records[1].rows() as u32)
            .map(|row| RowId { game: 1, row })
            .collect();
        let batch = maker.make(&buffer, &rows);
        let shape = Chase::shape(&encoding);
        let size = shape.input_size();

        let record = &records[1];
        let mut end = record.start.clone();
        record.plies.iter().for_each(|ply| end.apply(ply.action));
        let mut game = record.start.clone();
        let (mut planes, mut row) = (vec![0.0; size], 0);
        for (ply, played) in record.plies.iter().enumerate() {
            if let Some(policy) = &played.policy {
                game.encode(&encoding, &mut planes);
                assert_eq!(batch.planes[row * size..][..size], planes, "ply {ply}");
                let actions = policy.indices.len();
                let span = row * batch.actions..(row + 1) * batch.actions;
                assert_eq!(batch.target[span.clone()][..actions], policy.target);
                assert!(
                    batch.target[span.clone()][actions..]
                        .iter()
                        .all(|&target| target == 0.0)
                );
                assert!(batch.mask[span.clone()][actions..].iter().all(|&mask| mask == PADDING));
                assert!(
                    batch.indices[span][..actions]
                        .iter()
                        .zip(&policy.indices)
                        .all(|(&a, &b)| a == i64::from(b))
                );
                let won = record.outcome.winner().unwrap() == game.to_move();
                assert_eq!(
                    batch.value[row * 3..][..3],
                    if won { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] }
                );
                let dice = |player| end.position().dice(player).count() as f32;
                let difference = (dice(game.to_move()) - dice(!game.to_move())) / 10.0;
                assert_eq!(batch.material[row], difference);
                let own = batch.occupancy[row * 81..][..81]
                    .iter()
                    .filter(|&&class| class == 0)
                    .count();
                assert_eq!(own as f32, dice(game.to_move()));
                assert_eq!(batch.plies_left[row], (1.0 + (record.plies.len() - ply) as f32).ln());
                row += 1;
            }
            game.apply(played.action);
        }
        assert_eq!((row, batch.rows), (rows.len(), rows.len()));
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
                game.occupancy(player, &mut occupancy);
                let expected: Vec<i64> = occupancy.into_iter().map(i64::from).collect();
                assert_eq!(batch.occupancy[row * 81..][..81], expected, "ply {ply}");
                assert_eq!(batch.material[row], game.material(player));
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
        let image = |cell: usize| cell / 7 * 7 + 6 - cell % 7;
        let mut asymmetric = 0;
        for row in 0..plain.rows {
            let mirrored = row % 2 == 1;
            let seen = |cell| if mirrored { image(cell) } else { cell };
            for cell in 0..42 {
                for plane in 0..2 {
                    let at = |cell| (2 * row + plane) * 42 + cell;
                    assert_eq!(mixed.planes[at(cell)], plain.planes[at(seen(cell))]);
                    asymmetric += u32::from(plain.planes[at(cell)] != plain.planes[at(image(cell))]);
                }
                assert_eq!(mixed.occupancy[row * 42 + cell], plain.occupancy[row * 42 + seen(cell)]);
            }
            for place in row * plain.actions..(row + 1) * plain.actions {
                if plain.mask[place] == 0.0 {
                    assert_eq!(mixed.indices[place] as usize, seen(plain.indices[place] as usize));
                }
            }
        }
        assert!(asymmetric > 0);
        assert_eq!(
            (&mixed.target, &mixed.value, &mixed.plies_left),
            (&plain.target, &plain.value, &plain.plies_left)
        );
    }

    #[test]
    fn truncated_games_teach_no_result() {
        let make = |truncated_value, search_value_share| {
            let config = LearnerConfig {
                truncated_value,
                search_value_share,
                ..LearnerConfig::default()
            };
            BatchMaker::<Chase>::new(ChaseEncoding::default(), &ReplayConfig::default(), &config)
        };
        let search = [0.5, 0.25, 0.25];
        let target = |maker: &BatchMaker<Chase>, outcome| maker.value_target(outcome, Player::Black, Some(search));
        assert_eq!(target(&make(TruncatedValue::Mask, 0.5), Outcome::Truncated), [0.0; 3]);
        assert_eq!(target(&make(TruncatedValue::Search, 0.0), Outcome::Truncated), search);
        assert_eq!(
            target(&make(TruncatedValue::Mask, 0.0), Outcome::Win(Player::Black)),
            [1.0, 0.0, 0.0]
        );
        assert_eq!(
            target(&make(TruncatedValue::Mask, 0.0), Outcome::Win(Player::White)),
            [0.0, 0.0, 1.0]
        );
        assert_eq!(
            target(&make(TruncatedValue::Mask, 0.5), Outcome::Draw),
            [0.25, 0.625, 0.125]
        );
    }
}
