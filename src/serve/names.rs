//! Facts in a record besides the moves.

use chase_engine::{Outcome, Player};

use super::refusal::Refusal;

/// Facts in a record besides the moves.
#[derive(Debug)]
pub struct Names {
    /// Names of the players, `""` if unknown.
    pub white: String,
    pub black: String,
    /// `white` or `black`, if that player has resigned.
    pub resigned: Option<String>,
}

impl Names {
    /// The tags of the players whose names are known.
    pub fn tags(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let tags = [("White", &*self.white), ("Black", &*self.black)];
        tags.into_iter().filter(|(_, name)| !name.is_empty())
    }

    /// The outcome by resignation.
    pub fn outcome(&self) -> Result<Option<Outcome>, Refusal> {
        let Some(text) = &self.resigned else { return Ok(None) };
        let player = Player::BOTH.into_iter().find(|player| player.name() == text);
        let loser = player.ok_or_else(|| Refusal::bad("resigned: expected white or black"))?;
        Ok(Some(Outcome::Win(!loser)))
    }
}
