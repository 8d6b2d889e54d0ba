//! Lists of moves on the command line.

use std::ops::Range;

use anyhow::{anyhow, bail};
use chase_arena::analysis::RequestError;
use chase_engine::GameName;

/// The moves of `--moves`, which people also copy from records: numbers such as `1.` may precede them.
#[derive(Debug)]
pub struct MoveList<'a> {
    text: &'a str,
    /// The places of the moves in the text, in bytes.
    places: Vec<Range<usize>>,
    game: GameName,
}

impl<'a> MoveList<'a> {
    /// The moves of a text, each a word.
    ///
    /// # Errors
    /// If actions of Chase are separated by commas or semicolons.
    pub fn new(text: &'a str, game: GameName) -> anyhow::Result<Self> {
        if game == GameName::Chase && text.contains([',', ';']) {
            bail!(
                "invalid value '{text}' for '--moves <ACTIONS>': expected blanks between actions, as in 'A3D2 1I4I3'"
            );
        }
        let words = text.split_whitespace().map(without_number);
        let place = |word: &str| {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            start..start + word.len()
        };
        let places = words.filter(|word| !word.is_empty()).map(place).collect();
        Ok(Self { text, places, game })
    }

    /// The moves as texts. Neither form of actions of Chase has lower-case letters, so they may be typed.
    pub fn actions(&self) -> Vec<String> {
        let words = self.places.iter().map(|place| &self.text[place.clone()]);
        let action = |word: &str| match self.game {
            GameName::Chase => word.to_ascii_uppercase(),
            _ => word.to_owned(),
        };
        words.map(action).collect()
    }

    /// The error of a request with these moves, as one of the command line: the text with a mark under the wrong move.
    pub fn refuse(&self, error: RequestError) -> anyhow::Error {
        let (index, span, reason) = match &error {
            RequestError::Move { index, error } => (*index, Some(error.span.clone()), error.message.to_string()),
            RequestError::Ended { index, reason } => (*index, None, format!("the game is over before it: {reason}")),
            _ => return error.into(),
        };
        let Some(place) = self.places.get(index) else {
            return error.into();
        };
        let marked = match span {
            Some(span) => place.start + span.start..place.start + span.end,
            None => place.clone(),
        };
        let width = |range: Range<usize>| self.text.get(range).map_or(0, |part| part.chars().count());
        anyhow!(
            "invalid value for '--moves <ACTIONS>': move {}: {reason}\n  {}\n  {}{}",
            index + 1,
            self.text,
            " ".repeat(width(0..marked.start)),
            "^".repeat(width(marked).max(1)),
        )
    }
}

/// A word without the number of a move that it begins with, or is: `1.`, `12...` or `1.A3D2`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|character: char| character.is_ascii_digit());
    match rest.len() < word.len() && rest.starts_with('.') {
        true => rest.trim_start_matches('.'),
        false => word,
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn numbers_of_moves_are_no_moves() {
        let actions = |text, game| MoveList::new(text, game).map(|list| list.actions()).unwrap_or_default();
        let chase = actions("1. a3d2 1i4i3 2.A4A6 12... 1", GameName::Chase);
        assert_eq!(chase, ["A3D2", "1I4I3", "A4A6", "1"]);
        assert_eq!(actions("1. 1 2", GameName::ConnectFour), ["1", "2"]);
    }
}
