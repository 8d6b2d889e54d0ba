//! The openings of a tournament, as a short text.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{anyhow, bail, ensure};
use chase_engine::Playable;
use chase_engine::alpha_beta::{AlphaBeta, ByHeuristic, Limits, MAX_DEPTH, Settings};
use chase_training::parallel;
use chase_training::store::files::FileError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::games::line_texts;
use crate::matches::{MatchError, Openings};
use crate::players::grammar::{SpecError, integer, key_values};

/// The openings of a tournament.
///
/// | text | pair number i begins |
/// |---|---|
/// | `none` | at the initial position |
/// | `random:plies=4` | after this many random plies, different for every pair and match |
/// | `moves:1A6A7` | after these moves, separated by blanks |
/// | `file:PATH` | with line i of a file, whatever the seed, starting over after the last one: one opening per line |
/// | `balanced:plies=6,count=100,depth=3,margin=50` | with line i of a set found by a search: see [`Balance`] |
///
/// Both games of a pair have the same opening, so that an advantage of either colour cancels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub enum OpeningSpec {
    /// The initial position.
    None,
    /// Random plies.
    Random {
        /// Their number.
        plies: u32,
    },
    /// One line, as it was typed.
    Moves(String),
    /// The lines of a file.
    File(PathBuf),
    /// Lines that lead to even positions.
    Balanced(Balance),
}

/// The search for balanced openings: random lines are drawn one after the other, and kept if alpha–beta search finds a
/// value near 0 for the player to move. Of several lines to the same position the first is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balance {
    /// Number of random plies of a line.
    pub plies: u32,
    /// Number of lines to find.
    pub count: u32,
    /// Depth of the search, in plies.
    pub depth: u32,
    /// Largest absolute value, in the unit of the game's heuristic: in Chase hundredths of the tenth die, in draughts
    /// hundredths of a man.
    pub margin: u32,
}

/// Lines drawn for each one wanted, before the search for balanced openings gives up.
const TRIES: u32 = 200;
/// Number of lines evaluated together. It does not change the result.
const BLOCK: u32 = 256;

impl Default for Balance {
    fn default() -> Self {
        Self {
            plies: 6,
            count: 100,
            depth: 3,
            margin: 50,
        }
    }
}

impl OpeningSpec {
    /// The openings for games under `rules`.
    ///
    /// # Errors
    /// If the file cannot be read or holds no openings, or too few balanced ones are found.
    pub(super) fn resolve<G: Playable>(&self, rules: &G::Rules, seed: u64) -> anyhow::Result<Openings<G::Action>> {
        match self {
            Self::None => Ok(Openings::Random { plies: 0 }),
            Self::Random { plies } => Ok(Openings::Random { plies: *plies }),
            Self::Moves(moves) => {
                let line = Openings::parse::<G>(&moves.replace(['\n', '\r'], " "), rules);
                Ok(line?)
            }
            Self::File(path) => {
                let content = fs::read(path).map_err(FileError::of("read", path));
                let content = content.map_err(|error| anyhow!("openings `{self}`: {error}"))?;
                parse::<G>(path, content, rules)
            }
            Self::Balanced(balance) => balance.find::<G>(rules, seed),
        }
    }
}

/// The openings in the content of a file.
pub(super) fn parse<G: Playable>(
    path: &Path,
    content: Vec<u8>,
    rules: &G::Rules,
) -> anyhow::Result<Openings<G::Action>> {
    let text = String::from_utf8(content).map_err(|_| anyhow!("{}: expected text in UTF-8", path.display()))?;
    Openings::parse::<G>(&text, rules).map_err(|error| anyhow!("{}: {error}", path.display()))
}

/// Writes openings as a file that [`parse`] reads; `None` for those that are drawn separately for every pair.
pub(crate) fn text<G: Playable>(openings: &Openings<G::Action>, rules: &G::Rules) -> Option<String> {
    let Openings::Lines(lines) = openings else {
        return None;
    };
    // The text of an action does not depend on conventions.
    let start = G::new(&G::published_rules(rules));
    let line = |actions: &Vec<G::Action>| {
        let words = line_texts(&start, actions.iter().copied(), G::action_text);
        words.join(" ") + "\n"
    };
    Some(lines.iter().map(line).collect())
}

impl Balance {
    fn find<G: Playable>(self, rules: &G::Rules, seed: u64) -> anyhow::Result<Openings<G::Action>> {
        let spec = OpeningSpec::Balanced(self);
        ensure!(
            G::HAS_HEURISTIC && !G::begins_at_random(rules),
            "openings {spec}: balanced openings need a heuristic and one first position, which {} does not have; expected none, \
             random:plies=4, moves:MOVES or file:PATH",
            G::name(rules)
        );
        let Self { plies, count, .. } = self;
        let random = Openings::Random { plies };
        let most = count.saturating_mul(TRIES);
        let (mut lines, mut positions) = (Vec::new(), Vec::new());
        for start in (0..most).step_by(BLOCK as usize) {
            let line = |(): &mut (), number: usize| {
                let mut game = G::new(rules);
                let actions = random.actions(&game, seed, start + number as u32)?;
                actions.iter().for_each(|&action| game.apply(action));
                Ok::<_, MatchError>((actions, game.key(), self.is_even(&game)))
            };
            for (actions, key, even) in parallel::each(BLOCK.min(most - start) as usize, &|| (), &line)? {
                if even && !positions.contains(&key) {
                    positions.push(key);
                    lines.push(actions);
                    if lines.len() == count as usize {
                        return Ok(Openings::Lines(lines));
                    }
                }
            }
        }
        bail!(
            "openings {spec}: found {} openings in {most} random lines; expected a larger margin, a smaller count or other plies",
            lines.len()
        )
    }

    fn is_even<G: Playable>(self, game: &G) -> bool {
        let limits = Limits::depth(self.depth);
        let value = AlphaBeta::new(ByHeuristic, Settings::PLAIN).best(game, &limits).value;
        value.unsigned_abs() <= self.margin
    }
}

impl FromStr for OpeningSpec {
    type Err = SpecError;

    fn from_str(spec: &str) -> Result<Self, SpecError> {
        let wrong = |reason: String| SpecError(format!("openings `{spec}`: {reason}"));
        let (kind, rest) = match spec.split_once(':') {
            Some((kind, rest)) => (kind, Some(rest)),
            None => (spec, None),
        };
        if kind == "moves" {
            return match rest {
                Some(moves) if !moves.trim().is_empty() => Ok(Self::Moves(moves.trim().to_owned())),
                _ => Err(wrong("expected moves, as in 'moves:A3D2 1I4I3'".to_owned())),
            };
        }
        if kind == "file" {
            return match rest {
                Some(path) if !path.is_empty() => Ok(Self::File(path.into())),
                _ => Err(wrong("expected a path, as in file:openings.txt".to_owned())),
            };
        }
        let options = rest.map_or(Ok(Vec::new()), |rest| key_values(spec, rest));
        let options = options.map_err(|error: SpecError| wrong(error.to_string()))?;
        let number = |key: &str, range: std::ops::RangeInclusive<u64>, default: u32| {
            let value = options.iter().find(|&&(known, _)| known == key);
            value.map_or(Ok(default), |&(_, value)| {
                let (least, most) = (*range.start(), *range.end());
                let read = integer(value, range).map(|number| number as u32);
                read.ok_or_else(|| wrong(format!("{key} is {value}, expected an integer from {least} to {most}")))
            })
        };
        let default = Balance::default();
        let (read, keys): (Self, &[&str]) = match kind {
            "none" => (Self::None, &[]),
            "random" => {
                let plies = number("plies", 0..=1000, 4)?;
                (Self::Random { plies }, &["plies"])
            }
            "balanced" => {
                let balance = Balance {
                    plies: number("plies", 1..=1000, default.plies)?,
                    count: number("count", 1..=100_000, default.count)?,
                    depth: number("depth", 1..=u64::from(MAX_DEPTH), default.depth)?,
                    margin: number("margin", 0..=1_000_000, default.margin)?,
                };
                (Self::Balanced(balance), &["plies", "count", "depth", "margin"])
            }
            _ => {
                return Err(SpecError(format!(
                    "unknown openings `{spec}`: expected none, random:plies=4, moves:1A6A7, file:PATH or \
                     balanced:plies=6,count=100"
                )));
            }
        };
        match options.iter().find(|(key, _)| !keys.contains(key)) {
            Some((key, _)) => {
                let known = if keys.is_empty() {
                    "none".to_owned()
                } else {
                    keys.join(", ")
                };
                Err(wrong(format!("unknown option `{key}`, expected {known}")))
            }
            None => Ok(read),
        }
    }
}

impl fmt::Display for OpeningSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Random { plies } => write!(f, "random:plies={plies}"),
            Self::Moves(moves) => write!(f, "moves:{moves}"),
            Self::File(path) => write!(f, "file:{}", path.display()),
            Self::Balanced(Balance {
                plies,
                count,
                depth,
                margin,
            }) => write!(f, "balanced:plies={plies},count={count},depth={depth},margin={margin}"),
        }
    }
}

impl TryFrom<String> for OpeningSpec {
    type Error = SpecError;

    fn try_from(text: String) -> Result<Self, SpecError> {
        text.parse()
    }
}

impl From<OpeningSpec> for String {
    fn from(spec: OpeningSpec) -> Self {
        spec.to_string()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use chase_engine::chase::Rules;
    use chase_engine::{Chase, Game};

    use super::*;

    #[test]
    fn texts_round_trip_and_errors_say_what_is_expected() {
        for text in [
            "none",
            "random:plies=4",
            "moves:A3D2 E4:F4",
            "file:a b/c:d.txt",
            "balanced:plies=6,count=100,depth=3,margin=50",
        ] {
            assert_eq!(
                text.parse().map(|spec: OpeningSpec| spec.to_string()),
                Ok(text.to_owned())
            );
        }
        assert_eq!("random".parse(), Ok(OpeningSpec::Random { plies: 4 }));
        for (text, message) in [
            (
                "book",
                "unknown openings `book`: expected none, random:plies=4, moves:1A6A7, file:PATH or balanced:plies=6,count=100",
            ),
            (
                "random:plies=-1",
                "openings `random:plies=-1`: plies is -1, expected an integer from 0 to 1000",
            ),
        ] {
            let error = text.parse::<OpeningSpec>().expect_err(text);
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn balanced_openings_are_even_distinct_and_the_same_for_a_seed() {
        let balance = Balance {
            plies: 5,
            count: 12,
            depth: 2,
            margin: 30,
        };
        let rules = Rules::default();
        let find = |seed| balance.find::<Chase>(&rules, seed).expect("openings");
        let openings = find(3);
        assert_eq!(openings, find(3));
        assert_ne!(openings, find(4));
        let Openings::Lines(lines) = &openings else {
            panic!("{openings:?}");
        };
        let mut positions = HashSet::new();
        for line in lines {
            let mut game = Chase::new(&rules);
            line.iter().for_each(|&action| game.apply(action));
            let mut search = AlphaBeta::new(ByHeuristic, Settings::PLAIN);
            let value = search.best(&game, &Limits::depth(2)).value;
            assert!(value.abs() <= 30, "{value}");
            positions.insert(game.key());
        }
        assert_eq!((lines.len(), positions.len()), (12, 12));
        // The written openings are read back.
        let text = text::<Chase>(&openings, &rules).expect("lines");
        assert_eq!(Openings::parse::<Chase>(&text, &rules), Ok(openings));
        // One ply leads to only 44 positions, so 1000 cannot be found.
        let impossible = Balance {
            plies: 1,
            count: 50,
            depth: 1,
            margin: 1_000_000,
        };
        let error = impossible.find::<Chase>(&rules, 1).expect_err("too many").to_string();
        assert!(error.contains("found 44 openings in 10000 random lines"), "{error}");
    }
}
