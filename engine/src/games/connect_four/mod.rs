//! Connect Four: a small solved game that proves the search and the training right.

mod planes;
mod scene;
mod solver;

pub use planes::ConnectFourEncoding;
pub use solver::Solver;

use crate::{Game, Heuristic, Outcome, Player, TextError};

/// Columns of the board.
pub const COLUMNS: usize = 7;
/// Rows of the board.
pub const ROWS: usize = 6;
/// Bits a column takes in a [`Stones`] board: its rows and one sentinel that stays empty.
const STRIDE: usize = ROWS + 1;

/// One bit a stone: bit `column · 7 + row`, rows counted from the bottom.
type Stones = u64;

/// Connect Four on seven columns of six rows; the first to have four stones in a line wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConnectFour {
    /// Stones of the player to move, and of the other one.
    stones: [Stones; 2],
    plies: u32,
    to_move: Player,
}

/// True if four of the stones stand in a line.
fn has_four(stones: Stones) -> bool {
    // Directions as distances between bits: up, right, and the two diagonals.
    [1, STRIDE, STRIDE - 1, STRIDE + 1].iter().any(|step| {
        let pairs = stones & (stones >> step);
        pairs & (pairs >> (2 * step)) != 0
    })
}

impl ConnectFour {
    /// The owner of the stone in a cell: the row counted from the bottom, the column from the left, both from 0.
    ///
    /// # Panics
    /// If there is no such cell.
    pub const fn stone(&self, row: usize, column: usize) -> Option<Player> {
        assert!(row < ROWS && column < COLUMNS, "a cell of the board");
        let [own, enemy] = self.stones;
        let bit = column * STRIDE + row;
        if own >> bit & 1 != 0 {
            Some(self.to_move)
        } else if enemy >> bit & 1 != 0 {
            Some(self.to_move.opponent())
        } else {
            None
        }
    }

    fn occupied(&self) -> Stones {
        self.stones[0] | self.stones[1]
    }

    fn is_open(&self, column: u8) -> bool {
        let column = usize::from(column);
        column < COLUMNS && self.occupied() & 1 << (column * STRIDE + ROWS - 1) == 0
    }
}

const FOUR: &str = "four in a line";
const FULL: &str = "full board";

impl Game for ConnectFour {
    /// The column, 0 to 6 from the left, that a stone is dropped into.
    type Action = u8;
    type Rules = ();

    const NAME: &'static str = "connect-four";
    const RULES_VERSION: u32 = 1;
    const POLICY_SIZE: usize = ROWS * COLUMNS;
    const END_REASONS: &'static [&'static str] = &[FOUR, FULL];

    fn standard_rules(name: &str) -> Option<()> {
        (name == Self::NAME).then_some(())
    }

    fn new((): &()) -> Self {
        Self {
            stones: [0; 2],
            plies: 0,
            to_move: Player::White,
        }
    }

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn legal_actions(&self, actions: &mut Vec<u8>) {
        actions.clear();
        if self.outcome().is_none() {
            actions.extend((0..COLUMNS as u8).filter(|&column| self.is_open(column)));
        }
    }

    fn apply(&mut self, column: u8) {
        let bottom = 1 << (usize::from(column) * STRIDE);
        let column_mask = ((1 << ROWS) - 1) * bottom;
        // Adding the bottom bit carries to the lowest empty cell of the column.
        let stone = (self.occupied() + bottom) & column_mask & !self.occupied();
        self.stones = [self.stones[1], self.stones[0] | stone];
        self.to_move = !self.to_move;
        self.plies += 1;
    }

    #[inline]
    fn end(&self) -> Option<(Outcome, &'static str)> {
        if has_four(self.stones[1]) {
            Some((Outcome::Win(!self.to_move), FOUR))
        } else if has_four(self.stones[0]) {
            Some((Outcome::Win(self.to_move), FOUR))
        } else if self.occupied().count_ones() as usize == ROWS * COLUMNS {
            Some((Outcome::Draw, FULL))
        } else {
            None
        }
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn key(&self) -> u128 {
        u128::from(self.stones[0]) << 64 | u128::from(self.stones[1]) << 1 | self.to_move as u128
    }

    /// The cell that the stone falls to, as `row · 7 + column`: one plane of the board.
    fn policy_index(&self, column: u8) -> usize {
        let column = usize::from(column);
        let height = (self.occupied() >> (column * STRIDE) & ((1 << ROWS) - 1)).count_ones();
        height as usize * COLUMNS + column
    }

    /// The six rows from the top, separated by `/`, with `x` for White, `o` for Black and `.` for empty, and the
    /// player to move (`w` or `b`).
    fn position_text(&self) -> String {
        let mut text = String::with_capacity(50);
        let side = match self.to_move {
            Player::White => "w",
            Player::Black => "b",
        };
        for row in (0..ROWS).rev() {
            for column in 0..COLUMNS {
                text.push(match self.stone(row, column) {
                    None => '.',
                    Some(Player::White) => 'x',
                    Some(Player::Black) => 'o',
                });
            }
            text.push(if row == 0 { ' ' } else { '/' });
        }
        text + side
    }

    fn from_position_text(text: &str, (): &()) -> Result<Self, TextError> {
        let fail = |reason: &'static str| Err(TextError::new(reason, text, 0..text.len()));
        let Some((board, side)) = text.split_once(' ') else {
            return fail("expected six rows, a blank, and `w` or `b`");
        };
        let to_move = match side {
            "w" => Player::White,
            "b" => Player::Black,
            _ => return fail("expected `w` or `b` as the player to move"),
        };
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != ROWS || rows.iter().any(|row| row.len() != COLUMNS) {
            return fail("expected six rows of seven cells");
        }
        let (mut white, mut black): (Stones, Stones) = (0, 0);
        for (row, line) in (0..ROWS).rev().zip(&rows) {
            for (column, cell) in (0..).zip(line.chars()) {
                let bit = 1 << (column * STRIDE + row);
                match cell {
                    'x' => white |= bit,
                    'o' => black |= bit,
                    '.' if (white | black) & bit << 1 != 0 => return fail("there is an empty cell below a stone"),
                    '.' => {}
                    _ => return fail("expected `x`, `o` or `.` in a cell"),
                }
            }
        }
        let lead = white.count_ones() as i32 - black.count_ones() as i32;
        if lead != i32::from(to_move == Player::Black) {
            return fail("the numbers of stones do not fit the player to move");
        }
        if has_four(white) && has_four(black) || has_four(if lead == 0 { white } else { black }) {
            return fail("the last move came after a line of four");
        }
        let stones = match to_move {
            Player::White => [white, black],
            Player::Black => [black, white],
        };
        Ok(Self {
            stones,
            plies: (white | black).count_ones(),
            to_move,
        })
    }

    fn action_text(&self, column: u8) -> String {
        (column + 1).to_string()
    }

    fn parse_action(&self, text: &str) -> Result<u8, TextError> {
        match *text.as_bytes() {
            [digit @ b'1'..=b'7'] if self.is_legal(digit - b'1') => Ok(digit - b'1'),
            [b'1'..=b'7'] => Err(TextError::new("this column is not open", text, 0..text.len())),
            _ => Err(TextError::expected("a column from 1 to 7", text, 0..text.len())),
        }
    }
}

/// There is no heuristic: the [`Solver`] plays perfectly.
impl Heuristic for ConnectFour {}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(columns: &str) -> ConnectFour {
        let mut game = ConnectFour::new(&());
        for text in columns.split(' ') {
            let action = game.parse_action(text).expect("a legal action");
            game.apply(action);
        }
        game
    }

    #[test]
    fn lines_of_four_win_in_every_direction() {
        for (line, winner) in [
            ("1 2 1 2 1 2 1", Player::White),
            ("1 1 2 2 3 3 4", Player::White),
            ("7 1 1 2 2 3 3 4", Player::Black),
            ("1 2 2 3 3 4 3 4 4 7 4", Player::White),
            ("7 6 6 5 5 4 5 4 4 1 4", Player::White),
        ] {
            let game = after(line);
            assert_eq!(game.outcome(), Some(Outcome::Win(winner)), "{line}");
        }
        assert_eq!(after("1 2 1 2 1 2 3").outcome(), None);
    }

    #[test]
    fn a_line_does_not_wrap_from_one_column_to_the_next() {
        // Three at the top of column 1 and one at the bottom of column 2 are neighbours in memory only.
        let game = ConnectFour::from_position_text("x....../x....../x....../o....../o....../oxo.... w", &());
        assert_eq!(game.expect("a legal position").outcome(), None);
    }

    #[test]
    fn perft_agrees_with_published_counts() {
        // OEIS A212693 counts games that end early only once; these are the numbers of lines of n plies.
        let counts = [7, 49, 343, 2401, 16807, 117_649, 823_536, 5_673_234];
        for (depth, nodes) in (1..).zip(counts) {
            assert_eq!(ConnectFour::new(&()).perft(depth), nodes, "depth {depth}");
        }
    }

    #[test]
    fn bad_positions_are_refused_with_a_reason() {
        for (text, reason) in [
            ("", "six rows, a blank"),
            ("......./......./......./......./......./....... x", "`w` or `b`"),
            ("......./......./......./......./....... w", "six rows of seven"),
            ("......./......./......./......./......./..z.... w", "in a cell"),
            (
                "......./......./......./......./..x..../....... b",
                "empty cell below a stone",
            ),
            ("......./......./......./......./......./..x.... w", "do not fit"),
            ("......./......./......./......./ooo..../xxxx... w", "do not fit"),
            (
                "......./......./......./......./oooo.../xxxx... w",
                "after a line of four",
            ),
        ] {
            let error = ConnectFour::from_position_text(text, &()).expect_err(text);
            assert!(error.to_string().contains(reason), "{text}: {error}");
        }
    }
}
