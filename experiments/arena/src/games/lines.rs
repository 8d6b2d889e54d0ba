//! Files of games, one JSON object per line.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use chase_training::store::files::{self, FileError};
use serde::de::DeserializeOwned;

use super::stored::PlayedGame;

/// Bytes of the longest line that is read; a game of 10,000 plies has a tenth of it.
const LONGEST: u64 = 1 << 20;

/// Error returned when a file of games cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum StoredGamesError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A line is not a game.
    #[error("{}, line {line}, is damaged: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// The fault.
        reason: String,
    },
}

/// A position between two lines of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinePlace {
    /// Number of bytes before it.
    pub bytes: u64,
    /// Number of lines before it.
    pub lines: usize,
}

/// Reads a file of games line by line, even while another process appends to it.
#[derive(Debug)]
pub struct GameLines {
    path: PathBuf,
    file: BufReader<File>,
    place: LinePlace,
    text: Vec<u8>,
}

/// A line of a file of games.
#[derive(Clone, Copy, Debug)]
pub struct GameText<'a> {
    path: &'a Path,
    number: usize,
    text: &'a [u8],
}

impl GameLines {
    /// Opens a file at its first line.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        Self::open_at(path, LinePlace::default())
    }

    /// Opens a file at a position that an earlier reader reached.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn open_at(path: &Path, place: LinePlace) -> Result<Self, FileError> {
        let mut file = files::open(path).map_err(FileError::of("open", path))?;
        let sought = file.seek(SeekFrom::Start(place.bytes));
        sought.map_err(FileError::of("read", path))?;
        Ok(Self {
            path: path.to_owned(),
            file: BufReader::new(file),
            place,
            text: Vec::new(),
        })
    }

    /// Opens a file at the first line that begins in the last `bytes` bytes; line numbers count from that line.
    ///
    /// # Errors
    /// If the file cannot be opened or read.
    pub fn open_tail(path: &Path, bytes: u64) -> Result<Self, FileError> {
        let mut lines = Self::open(path)?;
        let mut tail = || {
            let length = lines.file.get_ref().metadata()?.len();
            let Some(begin) = length.checked_sub(bytes + 1) else {
                return Ok(0);
            };
            lines.file.seek(SeekFrom::Start(begin))?;
            // One byte before the tail, since a line may begin exactly there.
            Ok(begin + lines.file.skip_until(b'\n')? as u64)
        };
        let begin = tail().map_err(FileError::of("read", path))?;
        lines.place.bytes = begin;
        Ok(lines)
    }

    /// The next complete line; `None` if there is none (yet).
    ///
    /// # Errors
    /// If the file cannot be read, or the line is too long; reading continues after it.
    pub fn next_line(&mut self) -> Result<Option<GameText<'_>>, StoredGamesError> {
        Ok(self.next()?.filter(|(_, ended)| *ended).map(|(line, _)| line))
    }

    /// The position after the last complete line.
    pub const fn place(&self) -> LinePlace {
        self.place
    }

    /// The next line, and true if it is complete, which the last line of a file may not be.
    fn next(&mut self) -> Result<Option<(GameText<'_>, bool)>, StoredGamesError> {
        self.text.clear();
        let mut line = (&mut self.file).take(LONGEST);
        let read = line.read_until(b'\n', &mut self.text);
        let mut size = read.map_err(FileError::of("read", &self.path))? as u64;
        let mut ended = self.text.last() == Some(&b'\n');
        let too_long = !ended && size == LONGEST;
        if too_long {
            let skipped = self.file.skip_until(b'\n');
            size += skipped.map_err(FileError::of("read", &self.path))? as u64;
            ended = true;
        }
        if size == 0 {
            return Ok(None);
        }
        let number = self.place.lines + 1;
        if ended {
            self.place.bytes += size;
            self.place.lines = number;
        }
        let text = GameText {
            path: &self.path,
            number,
            text: &self.text,
        };
        if too_long {
            return Err(text.wrong(format!("it has {size} bytes, expected at most {LONGEST}")));
        }
        Ok(Some((text, ended)))
    }
}

impl GameText<'_> {
    /// Parses the game on the line.
    ///
    /// # Errors
    /// If it is not a game.
    pub fn game<T: DeserializeOwned>(&self) -> Result<T, StoredGamesError> {
        serde_json::from_slice(self.text).map_err(|error| self.wrong(error.to_string()))
    }

    /// An error that names this line.
    pub fn wrong(&self, reason: String) -> StoredGamesError {
        StoredGamesError::Line {
            path: self.path.to_owned(),
            line: self.number,
            reason,
        }
    }
}

/// Reads all games of a finished file of a study.
///
/// # Errors
/// If the file cannot be read, or a line is not a game.
pub fn read_games(path: &Path) -> Result<Vec<PlayedGame>, StoredGamesError> {
    let mut lines = GameLines::open(path)?;
    let mut games = Vec::new();
    // Such files appear whole: the last line counts, with or without a line end.
    while let Some((line, _)) = lines.next()? {
        if !line.text.trim_ascii().is_empty() {
            games.push(line.game()?);
        }
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::fs;

    use serde_json::Value;

    use super::*;

    /// Numbers of the lines, with their content or their fault.
    fn all(lines: &mut GameLines) -> Vec<Result<i64, String>> {
        let mut found = Vec::new();
        loop {
            match lines.next_line() {
                Ok(Some(line)) => {
                    let read = line.game::<Value>().map(|value| value.as_i64().unwrap());
                    found.push(read.map_err(|error| error.to_string()));
                }
                Ok(None) => return found,
                Err(error) => found.push(Err(error.to_string())),
            }
        }
    }

    #[test]
    fn a_growing_file_is_read_to_its_last_ended_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        fs::write(&path, "1\n2\n3").unwrap();
        let mut lines = GameLines::open(&path).unwrap();
        assert_eq!(all(&mut lines), [Ok(1), Ok(2)]);
        let place = lines.place();
        assert_eq!(place, LinePlace { bytes: 4, lines: 2 });
        fs::write(&path, "1\n2\n34\nx\n").unwrap();
        let mut lines = GameLines::open_at(&path, place).unwrap();
        let found = all(&mut lines);
        assert_eq!(found[0], Ok(34));
        assert!(
            found[1]
                .as_ref()
                .unwrap_err()
                .contains("games.jsonl, line 4, is damaged: "),
            "{found:?}"
        );
    }

    #[test]
    fn a_line_without_end_takes_no_memory_and_those_behind_it_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let long = "1".repeat(3 * LONGEST as usize);
        fs::write(&path, format!("1\n{long}\n2\n")).unwrap();
        let mut lines = GameLines::open(&path).unwrap();
        let found = all(&mut lines);
        assert_eq!((found.len(), &found[2]), (3, &Ok(2)));
        let error = found[1].as_ref().unwrap_err();
        assert!(
            error.contains("line 2, is damaged: it has 3145729 bytes, expected at most"),
            "{error}"
        );
        assert!(lines.text.capacity() <= 2 * LONGEST as usize);
        assert_eq!(lines.place().bytes, fs::metadata(&path).unwrap().len());
    }

    #[test]
    fn the_tail_begins_with_a_whole_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        fs::write(&path, "10\n20\n30\n").unwrap();
        let tail = |bytes| all(&mut GameLines::open_tail(&path, bytes).unwrap());
        assert_eq!(tail(3), [Ok(30)]);
        assert_eq!(tail(5), [Ok(30)]);
        assert_eq!(tail(6), [Ok(20), Ok(30)]);
        assert_eq!(tail(9), [Ok(10), Ok(20), Ok(30)]);
        assert_eq!(tail(100), [Ok(10), Ok(20), Ok(30)]);
    }
}
