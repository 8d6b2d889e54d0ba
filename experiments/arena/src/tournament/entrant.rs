//! Named players of a tournament.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::players::{PlayerError, PlayerSpec, SpecError};

/// A player with a name: `NAME=PLAYER`, or `PLAYER` alone, whose text is then its name.
///
/// A name has no colon, so `old=net:runs/a` has one and `net:runs/a,simulations=9` has none; nor has
/// `runs/a,simulations=9`, which begins like a player, nor `runs/rate=0.01` where there is such a folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct Entrant {
    name: Option<String>,
    player: PlayerSpec,
}

impl Entrant {
    /// The name in results and tables.
    pub fn name(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.player.to_string())
    }

    /// The player.
    pub const fn player(&self) -> &PlayerSpec {
        &self.player
    }

    /// Replaces a run by its newest checkpoint, since the run may continue.
    ///
    /// # Errors
    /// If the run is damaged.
    pub(super) fn settle(&mut self) -> Result<(), PlayerError> {
        self.player = self.player.settled()?;
        Ok(())
    }
}

impl FromStr for Entrant {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (name, player) = match PlayerSpec::with_name(text) {
            Some((name, player)) => (Some(name.trim()), player.trim()),
            None => (None, text.trim()),
        };
        if name.is_some_and(|name| name.is_empty() || name.contains(char::is_control)) {
            return Err(SpecError(format!(
                "`{text}` begins with no name: expected NAME=PLAYER with a name on one line, or PLAYER"
            )));
        }
        Ok(Self {
            name: name.map(str::to_owned),
            player: player.parse()?,
        })
    }
}

impl fmt::Display for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name}={}", self.player),
            None => f.write_str(&self.name()),
        }
    }
}

impl TryFrom<String> for Entrant {
    type Error = SpecError;

    fn try_from(text: String) -> Result<Self, SpecError> {
        text.parse()
    }
}

impl From<Entrant> for String {
    fn from(entrant: Entrant) -> Self {
        entrant.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_exists_is_no_name() {
        let home = tempfile::tempdir().expect("a folder");
        let run = home.path().join("rate=0.01");
        let text = run.display().to_string();
        let entrant = |text: &str| {
            text.parse::<Entrant>()
                .map(|entrant| (entrant.name, entrant.player.to_string()))
        };
        // Nothing is there yet: a name, and what is no player.
        assert!(entrant(&text).is_err());
        std::fs::create_dir(&run).expect("a folder");
        let net = |options: &str| format!("net:{text}{options}");
        assert_eq!(entrant(&text), Ok((None, net(""))));
        assert_eq!(
            entrant(&format!("{text},simulations=9")),
            Ok((None, net(",simulations=9")))
        );
        assert_eq!(entrant(&format!("new={text}")), Ok((Some("new".to_owned()), net(""))));
    }

    #[test]
    fn names_stand_before_players_and_may_be_left_out() {
        for (text, name, player) in [
            ("random", "random", "random"),
            ("alpha-beta:depth=3", "alpha-beta:depth=3", "alpha-beta:depth=3"),
            ("old=net:runs/a,simulations=9", "old", "net:runs/a,simulations=9"),
            ("a b = greedy", "a b", "greedy"),
        ] {
            let entrant: Entrant = text.parse().expect(text);
            assert_eq!(
                (entrant.name().as_str(), entrant.player().to_string().as_str()),
                (name, player)
            );
            assert_eq!(entrant.to_string().parse(), Ok(entrant));
        }
        for (text, message) in [
            (
                "=random",
                "`=random` begins with no name: expected NAME=PLAYER with a name on one line, or PLAYER",
            ),
            (
                "old=",
                "unknown player ``: expected random, greedy, alpha-beta, heuristic, rollouts, uniform, net, nnue or ugi",
            ),
        ] {
            let error = text.parse::<Entrant>().expect_err(text).to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
