//! The openings of a match.

use std::fmt::Display;

use chase_engine::Game;
use chase_training::store::files;
use rand::RngExt;

use super::runner::MatchError;
use chase_statistics::generator;

/// The openings of a match: both games of a pair begin with the same actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings<A> {
    /// Lines of actions from the initial position; pair i begins with line i modulo their number.
    Lines(Vec<Vec<A>>),
    /// This many plies from the initial position, each drawn uniformly from the legal actions with a generator for the
    /// seed and the number of the pair. Openings that end the game are drawn again.
    Random {
        /// Number of plies; 0 for the initial position.
        plies: u32,
    },
}

/// The initial state of both games of a pair: if the game begins at random, it is drawn with a generator for the seed
/// and the pair.
pub fn start_of_pair<G: Game>(rules: &G::Rules, seed: u64, pair: u32) -> G {
    // Only this generator of a match is derived from two numbers.
    G::start(rules, &mut generator(seed, &[u64::from(pair), 0]))
}

/// Number of random openings drawn before giving up.
const TRIES: u32 = 1000;

impl<A: Copy> Openings<A> {
    /// Reads lines of actions: one opening per line, what people write as one move ([`Game::parse_people`]) separated by
    /// blanks. Empty lines and text after `#` are ignored.
    ///
    /// # Errors
    /// If an action is not legal in its position, a line ends the game, or there are no lines.
    pub fn parse<G: Game<Action = A>>(text: &str, rules: &G::Rules) -> Result<Self, MatchError> {
        let mut lines = Vec::new();
        for (index, line) in files::without_mark(text).lines().enumerate() {
            let words = line.split('#').next().unwrap_or_default().split_whitespace();
            let mut game = G::new(rules);
            let mut actions = Vec::new();
            for (number, word) in words.enumerate() {
                let wrong = |reason: &dyn Display| refused(index + 1, number + 1, word, reason);
                if game.outcome().is_some() {
                    return Err(wrong(&"the game is over"));
                }
                for action in game.parse_people(word).map_err(|error| wrong(&error))? {
                    game.apply(action);
                    actions.push(action);
                }
            }
            if game.outcome().is_some() {
                return Err(over(index + 1));
            }
            if !actions.is_empty() {
                lines.push(actions);
            }
        }
        if lines.is_empty() {
            return Err(no_lines());
        }
        Ok(Self::Lines(lines))
    }

    /// Number of opening plies of a pair.
    pub(crate) fn plies(&self, pair: u32) -> u32 {
        match self {
            Self::Lines(lines) => {
                let line = (pair as usize).checked_rem(lines.len()).map(|index| &lines[index]);
                line.map_or(0, |line| line.len() as u32)
            }
            Self::Random { plies } => *plies,
        }
    }

    /// The opening actions of a pair, in games that begin with `start`.
    ///
    /// # Errors
    /// If there is no such opening, or it is not legal there.
    pub fn actions<G: Game<Action = A>>(&self, start: &G, seed: u64, pair: u32) -> Result<Vec<A>, MatchError> {
        match self {
            Self::Lines(lines) => {
                let index = (pair as usize).checked_rem(lines.len()).ok_or_else(no_lines)?;
                check(&lines[index], start, index + 1)?;
                Ok(lines[index].clone())
            }
            Self::Random { plies } => {
                let mut rng = generator(seed, &[u64::from(pair)]);
                let mut legal = Vec::new();
                'tries: for _ in 0..TRIES {
                    let mut game = start.clone();
                    let mut actions = Vec::new();
                    for _ in 0..*plies {
                        game.legal_actions(&mut legal);
                        if legal.is_empty() {
                            continue 'tries;
                        }
                        let action = legal[rng.random_range(0..legal.len())];
                        game.apply(action);
                        actions.push(action);
                    }
                    if game.outcome().is_none() {
                        return Ok(actions);
                    }
                }
                Err(MatchError::Failed(format!(
                    "{TRIES} times {plies} random plies ended the game: expected fewer plies for a random opening"
                )))
            }
        }
    }
}

fn no_lines() -> MatchError {
    MatchError::Failed("there is no opening: expected at least one line".to_owned())
}

/// The error of a line that ends the game. Lines and plies are counted from 1.
fn over(line: usize) -> MatchError {
    MatchError::Failed(format!("opening {line} ends the game: there is nothing left to play"))
}

/// The error of an action that cannot be played.
fn refused(line: usize, ply: usize, action: &str, reason: &dyn Display) -> MatchError {
    MatchError::Failed(format!("opening {line}, ply {ply}: `{action}`: {reason}"))
}

fn check<G: Game>(actions: &[G::Action], start: &G, line: usize) -> Result<(), MatchError> {
    let mut game = start.clone();
    for (index, &action) in actions.iter().enumerate() {
        if !game.is_legal(action) {
            let reason = format!("not legal in {}", game.position_text());
            return Err(refused(line, index + 1, &format!("{action:?}"), &reason));
        }
        game.apply(action);
    }
    match game.outcome() {
        Some(_) => Err(over(line)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use chase_engine::chase::Rules;
    use chase_engine::{Chase, ConnectFour};

    use super::*;

    #[test]
    fn lines_are_read_and_errors_say_where() {
        let read = Openings::parse::<Chase>(
            "\u{feff}# two lines\nA3NW I3SW\n\n1A6A7  # one ply\n",
            &Rules::default(),
        );
        let Ok(openings @ Openings::Lines(_)) = read else {
            panic!("{read:?}");
        };
        let lengths = [0, 1, 2, 3].map(|pair| {
            openings
                .actions(&Chase::new(&Rules::default()), 0, pair)
                .map(|a| a.len())
        });
        assert_eq!(lengths, [Ok(2), Ok(1), Ok(2), Ok(1)]);
        let error = Openings::parse::<Chase>("A3NW\nA3NW A3NW", &Rules::default()).expect_err("illegal");
        assert!(error.to_string().starts_with("opening 2, ply 2: `A3NW`: "), "{error}");
        assert_eq!(Openings::parse::<Chase>(" # none", &Rules::default()), Err(no_lines()));
        // The article's form, in which one move may be several plies.
        let article = Openings::parse::<Chase>("A3D2 1I4I3", &Rules::default());
        let exact = Openings::parse::<Chase>("A3NW 1I4I3", &Rules::default());
        assert!(article.is_ok() && article == exact, "{article:?}");
        let over = Openings::parse::<ConnectFour>("1 2 1 2 1 2 1", &());
        assert_eq!(over, Err(super::over(1)));
    }

    #[test]
    fn random_openings_belong_to_seed_and_pair_and_are_not_over() {
        let openings = Openings::Random { plies: 14 };
        let draw = |seed, pair| {
            openings
                .actions(&ConnectFour::new(&()), seed, pair)
                .expect("an opening")
        };
        let all: std::collections::HashSet<_> = (0..100).map(|pair| draw(1, pair)).collect();
        assert_eq!(all.len(), 100);
        assert_eq!(draw(1, 5), draw(1, 5));
        assert_ne!(draw(1, 5), draw(2, 5));
        let impossible = Openings::Random { plies: 42 };
        let error = impossible
            .actions(&ConnectFour::new(&()), 1, 0)
            .expect_err("the board is full");
        assert_eq!(
            error.to_string(),
            "1000 times 42 random plies ended the game: expected fewer plies for a random opening"
        );
    }
}
