//! The result of perfect play in Connect Four, by exhaustive search.
//!
//! Negamax with a null window, a transposition table, and the threats of both players as bitboards: the method of
//! P. Pons, *Solving Connect 4: how to build a perfect AI* (2015–2019), which goes back to J. Tromp's Fhourstones.

use super::{COLUMNS, ConnectFour, ROWS, STRIDE};
use crate::Game;

const CELLS: i32 = (ROWS * COLUMNS) as i32;
/// The lowest cell of each column.
const BOTTOMS: u64 = 0x0_0408_1020_4081;
/// Every cell of the first column.
const COLUMN: u64 = (1 << ROWS) - 1;
/// Every cell.
const BOARD: u64 = BOTTOMS * COLUMN;
/// Columns from the centre outwards: the sooner a good action is tried, the more is cut off.
const CENTRE_FIRST: [usize; COLUMNS] = [3, 2, 4, 1, 5, 0, 6];
/// No score is above; a column of bounds in the table is so wide.
const MAX_SCORE: i32 = 21;
/// Slots of the table, 64 MiB. A prime, so that keys spread.
const SLOTS: usize = 8_388_593;
/// Bits of a slot that hold a bound; the others hold the key.
const BOUND_BITS: u32 = 8;

/// Solves positions, and keeps its results for the next ones.
///
/// Scores are for the player to move: 0 for a draw, 1 for a win with that player's last stone, and 1 more for every
/// stone by which the win is sooner; losses are the same below 0.
#[derive(Debug)]
pub struct Solver {
    /// In each slot a key and below it a bound. 0 is empty: no bound is 0.
    table: Vec<u64>,
    nodes: u64,
}

impl Default for Solver {
    fn default() -> Self {
        Self {
            table: vec![0; SLOTS],
            nodes: 0,
        }
    }
}

/// A position in which the player to move is called the mover.
#[derive(Clone, Copy)]
struct Node {
    mover: u64,
    occupied: u64,
    plies: i32,
}

impl Solver {
    /// Positions searched so far.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The score of a position, finished games included.
    ///
    /// From some sixteen plies on this is a matter of milliseconds, at eight of a second or more; the empty board takes
    /// minutes.
    pub fn score(&mut self, game: &ConnectFour) -> i32 {
        self.solve(game, -MAX_SCORE, MAX_SCORE)
    }

    /// The sign of [`Solver::score`]: 1 for a win, 0 for a draw, −1 for a loss. Much faster.
    pub fn value(&mut self, game: &ConnectFour) -> i32 {
        self.solve(game, -1, 1).signum()
    }

    /// The legal actions that reach the game's value: win, draw or loss, whatever they take.
    pub fn optimal_actions(&mut self, game: &ConnectFour) -> Vec<u8> {
        let value = self.value(game);
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        if value >= 0 {
            // None does better, so the question is only whether it does as well.
            actions.retain(|&action| self.solve(&after(game, action), -value, -value + 1) <= -value);
        }
        actions
    }

    /// The optimal actions that win soonest or lose latest.
    pub fn best_actions(&mut self, game: &ConnectFour) -> Vec<u8> {
        let mut actions = self.optimal_actions(game);
        let scores: Vec<i32> = actions
            .iter()
            .map(|&action| -self.score(&after(game, action)))
            .collect();
        let best = scores.iter().max();
        let mut is_best = scores.iter().map(|score| Some(score) == best);
        actions.retain(|_| is_best.next() == Some(true));
        actions
    }

    /// The score, as far as it lies between `low` and `high`; else a number on the same side of them.
    fn solve(&mut self, game: &ConnectFour, low: i32, high: i32) -> i32 {
        let [mover, other] = game.stones;
        let node = Node {
            mover,
            occupied: mover | other,
            plies: (mover | other).count_ones() as i32,
        };
        if let Some(outcome) = game.outcome() {
            // The winner's last stone was ply number `plies`.
            return outcome.winner().map_or(0, |_| -((CELLS + 2 - node.plies) / 2));
        }
        if node.wins_at_once() {
            return (CELLS + 1 - node.plies) / 2;
        }
        let mut low = low.max(-(CELLS - node.plies) / 2);
        let mut high = high.min((CELLS + 1 - node.plies) / 2);
        while low < high {
            // Half-way, but first whether it is a win or a loss: short wins and losses are the cheapest to refute.
            let mut middle = low + (high - low).div_euclid(2);
            if middle <= 0 && low / 2 < middle {
                middle = low / 2;
            } else if middle >= 0 && high / 2 > middle {
                middle = high / 2;
            }
            let found = self.search(node, middle, middle + 1);
            if found <= middle {
                high = found;
            } else {
                low = found;
            }
        }
        low
    }

    /// The score between `low` and `high` of a position in which the mover cannot win at once and the game is not over:
    /// exact inside, a bound outside.
    fn search(&mut self, node: Node, mut low: i32, mut high: i32) -> i32 {
        self.nodes += 1;
        let candidates = node.not_losing_at_once();
        if candidates == 0 {
            return -(CELLS - node.plies) / 2;
        }
        if node.plies >= CELLS - 2 {
            return 0;
        }
        low = low.max(-(CELLS - 2 - node.plies) / 2);
        high = high.min((CELLS - 1 - node.plies) / 2);
        if low >= high {
            return high;
        }
        let key = node.mover + node.occupied;
        let slot = (key % SLOTS as u64) as usize;
        match self.bound(slot, key) {
            Some(Bound::AtLeast(score)) => low = low.max(score),
            Some(Bound::AtMost(score)) => high = high.min(score),
            None => {}
        }
        if low >= high {
            return low.min(high);
        }
        // By the number of new threats, among equal ones from the centre outwards.
        let mut moves = [(0, 0); COLUMNS];
        let mut count = 0;
        for column in CENTRE_FIRST {
            let stone = candidates & COLUMN << (column * STRIDE);
            if stone != 0 {
                let threats = winning_cells(node.mover | stone, node.occupied | stone).count_ones();
                let mut place = count;
                while place > 0 && moves[place - 1].0 < threats {
                    moves[place] = moves[place - 1];
                    place -= 1;
                }
                moves[place] = (threats, stone);
                count += 1;
            }
        }
        for &(_, stone) in &moves[..count] {
            let score = -self.search(node.after(stone), -high, -low);
            if score >= high {
                self.remember(slot, key, Bound::AtLeast(score));
                return score;
            }
            low = low.max(score);
        }
        self.remember(slot, key, Bound::AtMost(low));
        low
    }

    fn bound(&self, slot: usize, key: u64) -> Option<Bound> {
        let stored = self.table[slot];
        if stored == 0 || stored >> BOUND_BITS != key {
            return None;
        }
        let code = (stored & 0xff) as i32;
        Some(if code > 2 * MAX_SCORE + 1 {
            Bound::AtLeast(code - 3 * MAX_SCORE - 2)
        } else {
            Bound::AtMost(code - MAX_SCORE - 1)
        })
    }

    fn remember(&mut self, slot: usize, key: u64, bound: Bound) {
        let code = match bound {
            Bound::AtMost(score) => score + MAX_SCORE + 1,
            Bound::AtLeast(score) => score + 3 * MAX_SCORE + 2,
        };
        self.table[slot] = key << BOUND_BITS | code as u64;
    }
}

/// A bound of a score, from the table.
enum Bound {
    AtLeast(i32),
    AtMost(i32),
}

fn after(game: &ConnectFour, action: u8) -> ConnectFour {
    let mut next = *game;
    next.apply(action);
    next
}

impl Node {
    /// The cells that a stone can be dropped into.
    const fn open_cells(self) -> u64 {
        (self.occupied + BOTTOMS) & BOARD
    }

    const fn wins_at_once(self) -> bool {
        winning_cells(self.mover, self.occupied) & self.open_cells() != 0
    }

    /// The cells that do not let the other player win with the next stone.
    const fn not_losing_at_once(self) -> u64 {
        let mut open = self.open_cells();
        let enemy = winning_cells(self.mover ^ self.occupied, self.occupied);
        let forced = open & enemy;
        if forced != 0 {
            if forced & (forced - 1) != 0 {
                // Two threats cannot both be met.
                return 0;
            }
            open = forced;
        }
        // Nor below a cell where the other would complete a line.
        open & !(enemy >> 1)
    }

    const fn after(self, stone: u64) -> Self {
        Self {
            mover: self.mover ^ self.occupied,
            occupied: self.occupied | stone,
            plies: self.plies + 1,
        }
    }
}

/// The empty cells, within reach or not, that complete a line of four for these stones.
const fn winning_cells(stones: u64, occupied: u64) -> u64 {
    // Upwards only the cell on top of three.
    let mut cells = (stones << 1) & (stones << 2) & (stones << 3);
    // Sideways and on both diagonals: three in a row with a gap at any of the four places.
    let steps = [STRIDE, STRIDE - 1, STRIDE + 1];
    let mut index = 0;
    while index < steps.len() {
        let step = steps[index];
        let right_pair = (stones << step) & (stones << (2 * step));
        cells |= right_pair & (stones << (3 * step));
        cells |= right_pair & (stones >> step);
        let left_pair = (stones >> step) & (stones >> (2 * step));
        cells |= left_pair & (stones << step);
        cells |= left_pair & (stones >> (3 * step));
        index += 1;
    }
    cells & BOARD & !occupied
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use rand::RngExt;

    use super::*;
    use crate::seed::named;

    fn played(columns: &str) -> ConnectFour {
        let mut game = ConnectFour::new(&());
        for digit in columns.chars() {
            game.apply(game.parse_action(&digit.to_string()).unwrap());
        }
        game
    }

    /// The definition of a score, by the rules of the engine alone.
    fn minimax(game: &ConnectFour) -> i32 {
        if let Some(outcome) = game.outcome() {
            return outcome.winner().map_or(0, |_| -((44 - game.plies() as i32) / 2));
        }
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        actions
            .into_iter()
            .map(|action| -minimax(&after(game, action)))
            .max()
            .unwrap()
    }

    /// A position after random plies, if the game is not over.
    fn random_position(plies: usize, number: u64) -> Option<ConnectFour> {
        let mut rng = named("solver", &[plies as u64, number]);
        let (mut game, mut actions) = (ConnectFour::new(&()), Vec::new());
        for _ in 0..plies {
            game.legal_actions(&mut actions);
            if actions.is_empty() {
                return None;
            }
            game.apply(actions[rng.random_range(0..actions.len())]);
        }
        Some(game)
    }

    #[test]
    fn late_positions_have_the_scores_of_plain_minimax() {
        let mut solver = Solver::default();
        let mut seen = [0; 3];
        for (plies, numbers) in [(28, 0..20), (32, 0..200), (36, 0..3000), (40, 0..3000)] {
            for game in numbers.filter_map(|number| random_position(plies, number)) {
                let expected = minimax(&game);
                let text = game.position_text();
                assert_eq!(solver.score(&game), expected, "{text}");
                assert_eq!(solver.value(&game), expected.signum(), "{text}");
                seen[(expected.signum() + 1) as usize] += 1;
            }
        }
        assert!(seen.iter().all(|&count| count >= 10), "losses, draws, wins: {seen:?}");
    }

    #[test]
    fn published_positions_have_their_published_scores() {
        // From the test sets that Pons published with his solver.
        for (columns, score) in [
            ("2252576253462244111563365343671351441", -1),
            ("7422341735647741166133573473242566", 1),
            ("23163416124767223154467471272416755633", 0),
            ("65214673556155731566316327373221417", -1),
        ] {
            assert_eq!(Solver::default().score(&played(columns)), score, "{columns}");
        }
    }

    #[test]
    fn a_full_table_and_a_fresh_one_agree_and_mirror_images_are_equal() {
        let mut solver = Solver::default();
        for game in (0..30).filter_map(|number| random_position(16, number)) {
            let text = game.position_text();
            let (board, side) = text.split_once(' ').unwrap();
            let rows = board.split('/').map(|row| row.chars().rev().collect::<String>());
            let mirrored = format!("{} {side}", rows.collect::<Vec<_>>().join("/"));
            let mirrored = ConnectFour::from_position_text(&mirrored, &()).unwrap();
            let score = solver.score(&game);
            assert_eq!(Solver::default().score(&mirrored), score, "{text}");
            assert_eq!(solver.value(&game), score.signum(), "{text}");
        }
    }

    #[test]
    fn actions_are_told_by_their_results() {
        let mut solver = Solver::default();
        // White has three on the ground and wins with column 4; otherwise Black, with three on top of each other, wins.
        assert_eq!(solver.best_actions(&played("17273")), [3]);
        assert_eq!(solver.best_actions(&played("172737")), [3]);
        assert_eq!(solver.best_actions(&played("1727371")), [6]);
        // A stone in column 4 first stops White, and the win in column 7 remains; any other lets White win.
        assert_eq!(solver.optimal_actions(&played("1727371")), [3, 6]);
    }
}
