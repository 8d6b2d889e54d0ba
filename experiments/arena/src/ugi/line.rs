//! Lines from another program, whatever their content.

use std::io::{self, BufRead, Read};

use chase_training::store::files;

/// Bytes that no line of the protocol reaches: a game of ten thousand plies is shorter.
const LIMIT: u64 = 1 << 18;

/// A line from another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextLine {
    /// Its text without the line end. Invalid UTF-8 is replaced by `U+FFFD`, which no line of the protocol contains.
    Text(String),
    /// It was longer than any line of the protocol, and was skipped.
    TooLong,
}

/// Reads the next line; `None` at the end of the input. The last line may lack its line end.
///
/// Memory use is bounded, however long the line is.
///
/// # Errors
/// If reading fails.
pub fn read_line(input: &mut impl BufRead) -> io::Result<Option<TextLine>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(LIMIT).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() as u64 == LIMIT && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        return Ok(Some(TextLine::TooLong));
    }
    let text = String::from_utf8_lossy(&bytes);
    let line = files::without_mark(&text).trim_end_matches(['\n', '\r']);
    Ok(Some(TextLine::Text(line.to_owned())))
}

/// At most 200 characters of another program's text, on one line, for messages.
pub fn excerpt(text: &str) -> String {
    const LONGEST: usize = 200;
    let mut shown: String = text
        .chars()
        .take(LONGEST)
        .map(|character| if character.is_control() { ' ' } else { character })
        .collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut input: &[u8]) -> Vec<TextLine> {
        std::iter::from_fn(|| read_line(&mut input).expect("memory can be read")).collect()
    }

    #[test]
    fn lines_end_in_any_way_and_may_hold_anything() {
        let text = |text: &str| TextLine::Text(text.to_owned());
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"a\r\n\nb"), [text("a"), text(""), text("b")]);
        // A byte order mark is no part of the first line.
        assert_eq!(lines(b"\xef\xbb\xbfugi\n"), [text("ugi")]);
        assert_eq!(lines(b"\xff\x00\n"), [text("\u{fffd}\0")]);
    }

    #[test]
    fn a_line_without_end_is_skipped_and_the_next_is_read() {
        let limit = LIMIT as usize;
        for length in [limit - 1, limit, 3 * limit] {
            let mut input = vec![b'x'; length];
            input.extend(b"\nstop\n");
            let read = lines(&input);
            assert_eq!(read.len(), 2, "{length}");
            assert_eq!(read[0] == TextLine::TooLong, length >= limit, "{length}");
            assert_eq!(read[1], TextLine::Text("stop".into()));
        }
        assert_eq!(lines(&vec![b'x'; 2 * limit]), [TextLine::TooLong]);
    }

    #[test]
    fn excerpts_are_short_and_on_one_line() {
        assert_eq!(excerpt("a\nb\u{1b}[0m"), "a b [0m");
        assert_eq!(excerpt(&"é".repeat(300)), "é".repeat(200) + "…");
    }
}
