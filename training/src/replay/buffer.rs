//! The window: the newest rows, held in memory.

use std::collections::VecDeque;

use chase_engine::{Game, Outcome, Wdl};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::value_target::ValueTarget;
use crate::config::{LearnerConfig, ReplayConfig};
use crate::game_record::GameRecord;

/// Size of the window in rows, once `played` rows have been played in the whole run.
///
/// The power law of KataGo's `shuffle.py`: it begins at `window_rows` with slope `window_slope` and flattens with
/// `window_exponent`.
pub fn window_rows(config: &ReplayConfig, played: u64) -> u64 {
    let minimum = config.window_rows as f64;
    if played as f64 <= minimum {
        return config.window_rows;
    }
    let exponent = config.window_exponent;
    // Old games are kept longer the more there are. The law was not compared with others here.
    let grown = ((played as f64 / minimum).powf(exponent) - 1.0) / exponent;
    (minimum * (1.0 + config.window_slope * grown)) as u64
}

/// The parts of a game that training needs.
#[derive(Debug)]
pub(super) struct StoredGame<G: Game> {
    pub(super) start: G,
    pub(super) actions: Box<[G::Action]>,
    pub(super) outcome: Outcome,
    pub(super) rows: Box<[StoredRow]>,
}

/// A ply that is trained on.
#[derive(Debug)]
pub(super) struct StoredRow {
    pub(super) ply: u32,
    pub(super) weight: f32,
    /// Target of the value, for the player of the ply; `None` where there is none.
    pub(super) value: Option<Wdl>,
    pub(super) indices: Box<[u16]>,
    pub(super) target: Box<[f32]>,
}

impl<G: Game> StoredGame<G> {
    fn new(record: &GameRecord<G>, target: &ValueTarget) -> Self {
        let values = target.of(record);
        let rows = record.plies.iter().enumerate().filter_map(|(ply, record)| {
            let policy = record.policy.as_ref()?;
            Some(StoredRow {
                ply: ply as u32,
                weight: policy.weight,
                value: values[ply],
                indices: policy.indices.as_slice().into(),
                target: policy.target.as_slice().into(),
            })
        });
        Self {
            start: record.start.clone(),
            actions: record.plies.iter().map(|ply| ply.action).collect(),
            outcome: record.outcome,
            rows: rows.collect(),
        }
    }

    /// Bytes of memory, without the allocator's overhead.
    fn bytes(&self) -> usize {
        let rows = self
            .rows
            .iter()
            // Per action 2 bytes of index and 4 of target. A row of Chase takes 255 bytes in all (study 0005).
            .map(|row| size_of::<StoredRow>() + 6 * row.indices.len());
        size_of::<Self>() + size_of_val(&*self.actions) + rows.sum::<usize>()
    }
}

/// The newest games, oldest first.
#[derive(Debug)]
pub struct Buffer<G: Game> {
    value_target: ValueTarget,
    games: VecDeque<StoredGame<G>>,
    rows: u64,
    bytes: usize,
}

impl<G: Game> Default for Buffer<G> {
    fn default() -> Self {
        Self::new(&LearnerConfig::default())
    }
}

impl<G: Game> Buffer<G> {
    /// An empty window, whose rows get the value targets that `config` asks for.
    pub const fn new(config: &LearnerConfig) -> Self {
        Self {
            value_target: ValueTarget::new(config),
            games: VecDeque::new(),
            rows: 0,
            bytes: 0,
        }
    }
}

/// A row of the buffer, valid until games are added or dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowId {
    pub(super) game: u32,
    pub(super) row: u32,
}

impl<G: Game> Buffer<G> {
    /// Adds games as the newest.
    pub fn add(&mut self, records: &[GameRecord<G>]) {
        for record in records {
            let game = StoredGame::new(record, &self.value_target);
            self.rows += game.rows.len() as u64;
            self.bytes += game.bytes();
            self.games.push_back(game);
        }
    }

    /// Drops the oldest games that are not needed for `rows` rows, and those that exceed `max_bytes` bytes.
    pub fn trim(&mut self, rows: u64, max_bytes: usize) {
        while let Some(oldest) = self.games.front() {
            let (oldest_rows, oldest_bytes) = (oldest.rows.len() as u64, oldest.bytes());
            if self.rows - oldest_rows < rows && self.bytes <= max_bytes {
                break;
            }
            self.rows -= oldest_rows;
            self.bytes -= oldest_bytes;
            self.games.pop_front();
        }
    }

    /// Rows in the window.
    pub const fn rows(&self) -> u64 {
        self.rows
    }

    /// Bytes of memory used by the window.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Draws `count` rows in proportion to their weights, with replacement.
    ///
    /// Returns none if no row has a weight.
    pub fn draw(&self, count: usize, rng: &mut Xoshiro256PlusPlus) -> Vec<RowId> {
        // In f64: a window has millions of rows, and f32 would lose the last ones.
        let mut sum = 0.0f64;
        let mut cumulative = Vec::with_capacity(self.rows as usize);
        let mut ids = Vec::with_capacity(self.rows as usize);
        for (game, stored) in (0..).zip(&self.games) {
            for (row, stored) in (0..).zip(&stored.rows) {
                sum += f64::from(stored.weight.max(0.0));
                cumulative.push(sum);
                ids.push(RowId { game, row });
            }
        }
        if sum <= 0.0 {
            return Vec::new();
        }
        let mut draw = || {
            let point = rng.random_range(0.0..sum);
            ids[cumulative.partition_point(|&limit| limit <= point).min(ids.len() - 1)]
        };
        (0..count).map(|_| draw()).collect()
    }

    /// The game and the row with this id.
    pub(super) fn row(&self, id: RowId) -> (&StoredGame<G>, &StoredRow) {
        let game = &self.games[id.game as usize];
        (game, &game.rows[id.row as usize])
    }
}

#[cfg(test)]
mod tests {
    use chase_engine::ConnectFour;
    use rand::SeedableRng;

    use super::*;
    use crate::replay::testing::random_game;

    fn records(range: std::ops::Range<u32>) -> Vec<GameRecord<ConnectFour>> {
        range.map(|index| random_game(&(), index)).collect()
    }

    #[test]
    fn the_window_grows_as_the_power_law_says() {
        let config = ReplayConfig {
            window_rows: 1000,
            window_exponent: 0.65,
            window_slope: 0.4,
            ..Default::default()
        };
        assert_eq!(window_rows(&config, 0), 1000);
        assert_eq!(window_rows(&config, 1000), 1000);
        // 1000 · (1 + 0.4 · (10^0.65 − 1) / 0.65) = 3133.4…
        assert_eq!(window_rows(&config, 10_000), 3133);
        let slope = window_rows(
            &ReplayConfig {
                window_rows: 1_000_000,
                ..config
            },
            1_010_000,
        ) - 1_000_000;
        assert!((3990..=4000).contains(&slope), "{slope}");
    }

    #[test]
    fn the_oldest_games_leave_first_and_a_resumed_window_is_the_same() {
        let (mut whole, mut late) = (Buffer::default(), Buffer::default());
        for first in [0, 10, 20] {
            whole.add(&records(first..first + 10));
            whole.trim(200, usize::MAX);
        }
        late.add(&records(5..30));
        late.trim(200, usize::MAX);
        assert_eq!(
            (whole.rows, whole.bytes, whole.games.len()),
            (late.rows, late.bytes, late.games.len())
        );
        let oldest = whole.games[0].rows.len() as u64;
        assert!(whole.rows >= 200 && whole.rows - oldest < 200);
        let half = whole.bytes / 2;
        whole.trim(200, half);
        assert!(whole.bytes <= half && whole.bytes > 0);
    }

    #[test]
    fn rows_are_drawn_in_proportion_to_their_weights_and_as_the_seed_says() {
        let mut buffer = Buffer::default();
        buffer.add(&records(0..3));
        let draw = |seed| buffer.draw(60_000, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
        let drawn = draw(1);
        assert_eq!(drawn, draw(1));
        assert_ne!(drawn, draw(2));
        let total: f32 = buffer
            .games
            .iter()
            .flat_map(|game| &game.rows)
            .map(|row| row.weight)
            .sum();
        for id in (0..3)
            .flat_map(|game| (0..buffer.games[game as usize].rows.len() as u32).map(move |row| RowId { game, row }))
        {
            let share = f64::from(buffer.row(id).1.weight / total);
            let count = drawn.iter().filter(|&&other| other == id).count() as f64;
            let expected = 60_000.0 * share;
            // Five standard deviations of a binomial count: about one seed in ten thousand fails.
            assert!(
                (count - expected).abs() < 5.0 * expected.sqrt(),
                "{id:?}: {count} for {expected}"
            );
        }
        assert!(
            Buffer::<ConnectFour>::default()
                .draw(5, &mut Xoshiro256PlusPlus::seed_from_u64(1))
                .is_empty()
        );
    }
}
