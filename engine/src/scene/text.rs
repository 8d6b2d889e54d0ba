//! Drawings of positions as lines of text.

use std::fmt::Write as _;

use super::{CellShape, Scene, SceneCell, Shade};

/// Width of a cell in columns; shifted rows of hexagons are indented by half of that.
const WIDTH: f64 = 4.0;

impl Scene {
    /// The position as lines of text: rows of cells with their names at the margins, below them the stacks from the
    /// top, and the caption.
    ///
    /// A cell shows its top piece by its letter in the text form of positions, and the number of pieces if there are
    /// several; `·` is an empty cell, and a marked cell is in brackets.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let left = self.cells.iter().map(|cell| cell.x).fold(f64::INFINITY, f64::min);
        let mut rows: Vec<Vec<&SceneCell>> = Vec::new();
        for cell in &self.cells {
            match rows.iter_mut().find(|row| (row[0].y - cell.y).abs() < 1e-9) {
                Some(row) => row.push(cell),
                None => rows.push(vec![cell]),
            }
        }
        rows.sort_by(|a, b| a[0].y.total_cmp(&b[0].y));
        for row in &mut rows {
            row.sort_by(|a, b| a.x.total_cmp(&b.x));
            let mut line = String::new();
            for cell in row.iter() {
                let column = ((cell.x - left) * WIDTH).round() as usize;
                let (length, sign) = (line.chars().count(), sign(cell));
                let missing = column.saturating_sub(length);
                // The bracket after a tall stack takes the place of the blank before the next cell.
                let over = length.saturating_sub(column);
                let sign: String = sign.chars().skip(over).collect();
                let _ = write!(line, "{:missing$}{sign}", "");
            }
            // The margin shows the common part of the names in the row.
            let margin = row[0]
                .name
                .trim_start_matches(|first: char| first.is_ascii_alphabetic());
            let _ = writeln!(text, "{margin:>2} {}", line.trim_end());
        }
        if self.shape == CellShape::Square
            && let Some(row) = rows.last()
        {
            let mut line = String::new();
            for cell in row {
                let column = ((cell.x - left) * WIDTH).round() as usize + 1;
                let missing = column.saturating_sub(line.chars().count());
                let file = cell.name.trim_end_matches(|last: char| last.is_ascii_digit());
                let _ = write!(line, "{:missing$}{file}", "");
            }
            let _ = writeln!(text, "   {line}");
        }
        for cell in self.cells.iter().filter(|cell| cell.pieces.len() > 1) {
            let _ = writeln!(text, "{} from the top: {}", cell.name, stack(cell));
        }
        let _ = writeln!(text, "{}", self.caption);
        text
    }
}

/// The letters of the pieces on a cell, from the top.
pub(super) fn stack(cell: &SceneCell) -> String {
    cell.pieces.iter().map(|piece| piece.letter).collect()
}

/// A cell in four columns, or five with a closing bracket.
fn sign(cell: &SceneCell) -> String {
    let (before, after) = if cell.marked { ("[", "]") } else { (" ", "") };
    let content = match &cell.pieces[..] {
        [] if cell.shade == Shade::Unused => String::from(" "),
        [] => String::from("·"),
        [piece] => piece.letter.to_string(),
        [top, ..] => format!("{}{}", top.letter, cell.pieces.len()),
    };
    format!("{before}{content}{after}")
}
