//! Tables and lines of text that fit the terminal.

use std::io::{self, IsTerminal};

use textwrap::WordSplitter;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Characters of the first column of a table before other columns are left out for it.
const FIRST: usize = 16;
/// Characters of the first column of a table in the narrowest terminal.
const LEAST: usize = 8;

/// Characters in a line: those of COLUMNS, otherwise those of the terminal on standard output. `None` for a file or a
/// pipe, where lines may have any length.
pub fn width() -> Option<usize> {
    let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let given = columns.filter(|&columns: &usize| columns > 0);
    given.or_else(|| {
        let terminal = io::stdout().is_terminal().then(terminal_size::terminal_size).flatten();
        terminal
            .map(|(width, _)| usize::from(width.0))
            .filter(|&width| width > 0)
    })
}

/// A table for the terminal: headings, then rows, as lines of columns. In a narrow terminal columns are left out, in
/// the order of `dispensable`.
pub fn table<const N: usize>(
    headings: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
    dispensable: &[usize],
) -> Vec<String> {
    let rows: Vec<_> = std::iter::once(headings.map(str::to_owned)).chain(rows).collect();
    fitted(&rows, width(), dispensable)
}

/// Lines of columns, the first one to the left, the others to the right, of at most `width` characters. In a narrow
/// terminal the text of the first column is shortened in its middle, and columns are left out, in the order of
/// `dispensable`.
pub fn fitted<const N: usize>(rows: &[[String; N]], width: Option<usize>, dispensable: &[usize]) -> Vec<String> {
    let widths: [usize; N] = std::array::from_fn(|column| {
        let widths = rows.iter().map(|row| row[column].width());
        widths.max().unwrap_or(0)
    });
    let mut shown: Vec<usize> = (1..N).collect();
    let others = |shown: &[usize]| shown.iter().map(|&column| 2 + widths[column]).sum::<usize>();
    let mut first = widths[0];
    if let Some(width) = width {
        for column in dispensable {
            if widths[0].min(FIRST) + others(&shown) > width {
                shown.retain(|other| other != column);
            }
        }
        first = first.min(width.saturating_sub(others(&shown)).max(LEAST));
    }
    let line = |row: &[String; N]| {
        let name = shortened(&row[0], first);
        let mut line = name.clone() + &blanks(first, &name);
        for &column in &shown {
            line += &format!("  {}{}", blanks(widths[column], &row[column]), row[column]);
        }
        line.truncate(line.trim_end().len());
        line
    };
    rows.iter().map(line).collect()
}

/// The blanks that fill a text up to a width.
fn blanks(width: usize, text: &str) -> String {
    " ".repeat(width.saturating_sub(text.width()))
}

/// A text of a width of at most `most`: `…` stands for the middle of a longer one. Some characters take two columns.
pub fn shortened(text: &str, most: usize) -> String {
    if text.width() <= most {
        return text.to_owned();
    }
    let kept = most.saturating_sub(1);
    let head = fitting(text.chars(), kept - kept / 2);
    let tail = fitting(text.chars().rev(), kept / 2);
    head + "…" + &tail.chars().rev().collect::<String>()
}

/// The first characters, as many as fit into this width.
fn fitting(characters: impl Iterator<Item = char>, width: usize) -> String {
    let mut left = width;
    let fits = |character: &char| {
        let rest = left.checked_sub(character.width().unwrap_or(0));
        left = rest.unwrap_or(left);
        rest.is_some()
    };
    characters.take_while(fits).collect()
}

/// Short entries in as many columns as the terminal has room for, to be read downwards; one per line in a file or pipe.
pub fn listed(entries: &[String]) -> String {
    match width() {
        Some(width) => listed_at(entries, width),
        None => entries.join("\n"),
    }
}

fn listed_at(entries: &[String], width: usize) -> String {
    let widest = entries.iter().map(|entry| entry.width()).max().unwrap_or(0);
    let columns = ((width + 2) / (widest + 2)).max(1);
    let rows = entries.len().div_ceil(columns);
    let row = |row: usize| {
        let cells = entries.iter().skip(row).step_by(rows);
        let line: String = cells.map(|cell| format!("{cell}{}  ", blanks(widest, cell))).collect();
        line.trim_end().to_owned()
    };
    (0..rows).map(row).collect::<Vec<_>>().join("\n")
}

/// A line of words, broken where it is longer than the terminal. Lines after the first are indented by `indent`
/// characters, or by less in a narrow terminal. Several blanks in a row are columns, and stay.
pub fn wrapped(line: &str, indent: usize) -> String {
    match width() {
        Some(width) => wrapped_at(line, width, indent),
        None => line.to_owned(),
    }
}

fn wrapped_at(line: &str, width: usize, indent: usize) -> String {
    let indent = " ".repeat(indent.min(width / 3));
    let options = textwrap::Options::new(width)
        .subsequent_indent(&indent)
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false);
    textwrap::fill(line, options)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<[String; 4]> {
        [
            ["action", "exact", "visits", "Q"],
            ["A9A8/A8A7/A7A6/A6A5/A5A4/A4A3", "A9W", "12", "+0.1"],
            ["1A4A3", "1A4A3", "1000", "-0.2"],
        ]
        .map(|row| row.map(str::to_owned))
        .to_vec()
    }

    #[test]
    fn a_table_is_never_wider_than_the_terminal() {
        let wide = fitted(&rows(), None, &[1, 3]);
        assert_eq!(wide[1], "A9A8/A8A7/A7A6/A6A5/A5A4/A4A3    A9W      12  +0.1");
        for width in 16..60 {
            for line in fitted(&rows(), Some(width), &[1, 3]) {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
        }
        let narrow = fitted(&rows(), Some(40), &[1, 3]);
        assert_eq!(narrow[1], "A9A8/A8A7…A5A4/A4A3    A9W      12  +0.1");
        assert_eq!(fitted(&rows(), Some(26), &[1, 3])[1], "A9A8/A8A7…5A4/A4A3      12");
    }

    #[test]
    fn wide_characters_take_two_columns() {
        let rows = [
            ["player", "score"],
            ["\u{56f2}\u{7881}\u{68cb}", "1"],
            ["e\u{301}", "20"],
        ];
        let rows = rows.map(|row| row.map(str::to_owned));
        let lines = fitted(&rows, None, &[]);
        assert_eq!(
            lines,
            [
                "player  score",
                "\u{56f2}\u{7881}\u{68cb}      1",
                "e\u{301}          20"
            ]
        );
        assert_eq!(shortened("\u{56f2}\u{7881}\u{68cb}\u{624b}", 5), "\u{56f2}…\u{624b}");
    }

    #[test]
    fn entries_fill_the_terminal_downwards() {
        let entries = ["1 a", "2 bb", "3 c", "4 d", "5 e"].map(str::to_owned);
        assert_eq!(listed_at(&entries, 16), "1 a   3 c   5 e\n2 bb  4 d");
        assert_eq!(listed_at(&entries, 3), entries.join("\n"));
        assert_eq!(listed_at(&[], 40), "");
    }

    #[test]
    fn lines_are_broken_between_words() {
        let line = "note: random beats nobody at all";
        assert_eq!(wrapped_at(line, 80, 2), line);
        assert_eq!(wrapped_at(line, 16, 2), "note: random\n  beats nobody\n  at all");
        // A word that is too long stands alone; columns keep their blanks.
        assert_eq!(
            wrapped_at("A1  yes   a-very-long-word b", 12, 4),
            "A1  yes\n    a-very-long-word\n    b"
        );
        assert_eq!(wrapped_at("  two in front", 40, 2), "  two in front");
    }
}
