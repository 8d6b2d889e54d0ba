//! The board as plain text, for terminals.

use super::Course;
use crate::Player;
use crate::chase::cell::SIDE;
use crate::chase::position::DICE;
use crate::chase::{Bitboard, Cell, Position};

/// Options of [`Position::to_ascii`].
#[derive(Clone, Debug, Default)]
pub struct AsciiOptions {
    /// Paint with ANSI escape codes. No information is in colour alone.
    pub color: bool,
    /// The board turned by 180°, as Black sees it.
    pub flip: bool,
    /// Mark the cells that this player's dice reach by exact count.
    pub attacks: Option<Player>,
    /// Mark the cells where dice began and ended in the last action.
    pub last: Option<Course>,
}

impl Position {
    /// The board in ASCII characters, with the state of the game below. Every line ends in a line feed.
    ///
    /// White's dice are bare digits, Black's stand in parentheses, `#` is the Chamber, `.` an empty cell. Behind a
    /// cell, `*` says that it is attacked and `'` that the last action began or ended there. Rows B D F H lie half a
    /// cell to the left; the column numbers above and below belong to the row next to them. The numbers beyond the
    /// colons say how the columns continue around the cylinder.
    pub fn to_ascii(&self, options: &AsciiOptions) -> String {
        let board = Board {
            position: self,
            options,
            attacked: options
                .attacks
                .map_or(Bitboard::EMPTY, |player| self.attacks::<1>(player)[0]),
            last: options.last.as_ref().map_or(Bitboard::EMPTY, Course::cells),
        };
        let mut rows: Vec<usize> = (0..SIDE).rev().collect();
        if options.flip {
            rows.reverse();
        }
        let mut lines = vec![board.numbers(rows[0])];
        lines.extend(rows.iter().map(|&row| board.row(row)));
        lines.push(board.numbers(rows[SIDE - 1]));
        lines.push(String::new());
        lines.extend(Player::BOTH.map(|player| board.player(player)));
        lines.push(board.state());
        if let Some(player) = options.attacks {
            lines.push(format!("* = cells that {} reaches by exact count", player.name()));
        }
        lines.iter().flat_map(|line| [line.trim_end(), "\n"]).collect()
    }
}

/// A way to paint, as an ANSI "select graphic rendition" code.
mod paint {
    pub const WHITE: &str = "1;36";
    pub const BLACK: &str = "1;33";
    pub const FAINT: &str = "2";
    pub const CHAMBER: &str = "1;35";
    pub const MARKED: &str = "1;32";
}

struct Board<'a> {
    position: &'a Position,
    options: &'a AsciiOptions,
    attacked: Bitboard,
    last: Bitboard,
}

impl Board<'_> {
    fn paint(&self, code: &str, text: &str) -> String {
        if self.options.color {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    /// A line of the board: what stands before, in and behind the cells of a row.
    fn line(&self, row: usize, [before, behind]: [&str; 2], show: impl Fn(Cell) -> String) -> String {
        // Cells are four characters wide.
        let [left, right] = if row.is_multiple_of(2) == self.options.flip {
            ["", "  "]
        } else {
            ["  ", ""]
        };
        let mut cells: Vec<Cell> = (0..SIDE as isize).map(|column| Cell::wrapped(row, column)).collect();
        if self.options.flip {
            cells.reverse();
        }
        let cells: String = cells.into_iter().map(show).collect();
        let colon = self.paint(paint::FAINT, ":");
        format!("{before}{left}{colon} {cells}{colon}{right}{behind}")
    }

    fn numbers(&self, row: usize) -> String {
        let [first, last] = if self.options.flip { [1, SIDE] } else { [SIDE, 1] };
        // The number before the first colon stands where the cell before the first one would.
        let [before, behind] = [format!("  {first}"), format!(" {last}")].map(|text| self.paint(paint::FAINT, &text));
        self.line(row, [&before, &behind], |cell| format!(" {}  ", cell.column() + 1))
    }

    fn row(&self, row: usize) -> String {
        let letter = char::from(b'A' + row as u8);
        self.line(row, [&format!("{letter}  "), &format!("  {letter}")], |cell| {
            self.cell(cell)
        })
    }

    fn cell(&self, cell: Cell) -> String {
        let body = match self.position.die(cell) {
            Some(die) if die.player == Player::White => self.paint(paint::WHITE, &format!(" {} ", die.speed)),
            Some(die) => self.paint(paint::BLACK, &format!("({})", die.speed)),
            None if cell == Cell::CHAMBER => self.paint(paint::CHAMBER, " # "),
            None => self.paint(paint::FAINT, " . "),
        };
        let mark = if self.last.contains(cell) {
            self.paint(paint::MARKED, "'")
        } else if self.attacked.contains(cell) {
            self.paint(paint::MARKED, "*")
        } else {
            " ".to_owned()
        };
        body + &mark
    }

    fn player(&self, player: Player) -> String {
        let (name, sample) = match player {
            Player::White => ("White", self.paint(paint::WHITE, " n ")),
            Player::Black => ("Black", self.paint(paint::BLACK, "(n)")),
        };
        let dice = self.position.dice(player).count();
        let (total, off) = (self.position.total(player), DICE - dice);
        format!("{name} {sample}  {dice} dice showing {total}, {off} off the board")
    }

    fn state(&self) -> String {
        let position = self.position;
        let turn = format!(
            "turn {} (turns since a capture or Chamber move: {})",
            position.turn(),
            position.quiet_turns()
        );
        format!("{}, {turn}", position.task())
    }
}

impl Position {
    /// The task of the player to move, or the winner, in a few words.
    pub fn task(&self) -> String {
        let name = |player| if player == Player::White { "White" } else { "Black" };
        let mover = name(self.to_move());
        match (self.decision(), self.missing()) {
            (Some((winner, reason)), _) => format!("{} has won ({reason})", name(winner)),
            (None, 0) => format!("{mover} to move"),
            (None, points) => {
                let dice: Vec<String> = self.absorbers().into_iter().map(|cell| cell.to_string()).collect();
                let dice = dice.join(", ");
                let (others, last) = dice.rsplit_once(", ").expect("there is a choice of at least two dice");
                format!("{mover} to absorb {points} on {others} or {last}")
            }
        }
    }
}
