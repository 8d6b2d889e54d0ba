//! A fork: one position, and two ways to continue.

use chase_arena::GameResult;
use chase_engine::chase::{Action, Cell, Rules};
use chase_engine::search::Search;
use chase_engine::{Chase, Game, Player, seed};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::kind::{Deed, ForkKind, Way};
use super::turn::Turn;
use crate::evidence::search::{Branch, Continuation, white_score};

/// A played fork, as it is stored: one line of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fork {
    /// Its turn in a finished game.
    pub turn: Turn,
    /// The position, as CFEN. The player to move is the mover.
    pub position: String,
    /// Dice of White and of Black.
    pub dice: [u8; 2],
    /// The best action of the kind, by searches.
    pub action: Choice,
    /// The best rival, by searches.
    pub rival: Choice,
    /// The way that the game itself took; `None` if neither.
    pub went: Option<Way>,
    /// Games from the fork, in pairs: both ways with the same randomness.
    pub playouts: Vec<PlayoutPair>,
}

/// The best action of one side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// In exact form.
    pub action: String,
    /// In article form.
    pub text: String,
    /// The mover's expected score, from 0 to 1, by a search of the position after it; `None` if the game is truncated there.
    pub score: Option<f64>,
    /// Number of actions that it was chosen from, with those of equal results counted once.
    pub among: u32,
}

/// The two games of a playout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayoutPair {
    /// The game after the action; its opening is the line up to and including the action.
    pub action: GameResult,
    /// After the rival.
    pub rival: GameResult,
}

impl Fork {
    /// The player to move at the fork; `None` if the position is invalid.
    pub fn mover(&self) -> Option<Player> {
        let position: chase_engine::chase::Position = self.position.parse().ok()?;
        Some(position.to_move())
    }

    /// The mover's score after the action minus that after the rival, from −1 to 1: the mean over the pairs of games
    /// that both have a result; `None` if none has.
    pub fn difference(&self) -> Option<f64> {
        let mover = self.mover()?;
        let pairs = self.playouts.iter().filter_map(|pair| pair.difference(mover));
        let (sum, count) = pairs.fold((0.0, 0_u32), |(sum, count), pair| (sum + pair, count + 1));
        (count > 0).then(|| sum / f64::from(count))
    }
}

impl PlayoutPair {
    /// The mover's score after the action minus that after the rival; `None` if one of the games was truncated.
    pub fn difference(&self, mover: Player) -> Option<f64> {
        // Values range from −1 to 1.
        let value = |game: &GameResult| Some(f64::from(game.outcome.value_for(mover)?.0));
        Some((value(&self.action)? - value(&self.rival)?) / 2.0)
    }
}

/// The two sides of an undecided fork: candidates for the action, and for its rival.
pub(super) struct Sides {
    /// The game at the fork, with all continuations.
    pub branch: Branch,
    /// The way of each continuation of the branch; `None` if neither.
    pub ways: Vec<Option<Way>>,
    /// Index of the continuation that the game itself took.
    pub went: Option<usize>,
}

impl Sides {
    /// The sides at the turn whose line ends with the action played there; `None` if the line is not legal, or a side
    /// is empty. The seed and the number of the game determine the random choice of the control.
    pub fn of(kind: ForkKind, line: &[Action], rules: &Rules, seed: u64, game: u64) -> Option<Self> {
        let (played, prefix) = line.split_last()?;
        if !is_playable(line, rules) {
            return None;
        }
        let branch = Branch::after(prefix, rules);
        Self::at(kind, branch, *played, &mut seed::named("fork die", &[seed, game]))
    }

    /// The sides at a branch where `played` was played; `None` if one is empty. The generator draws the die of the
    /// control.
    fn at(kind: ForkKind, branch: Branch, played: Action, rng: &mut Xoshiro256PlusPlus) -> Option<Self> {
        let position = branch.game.position();
        let deed = |action: Action, after: &Continuation| Deed::of(position, action, after.game.position());
        let die = match kind {
            ForkKind::Quiet => Some(quiet_die(&branch, rng)?),
            _ => None,
        };
        let ways: Vec<Option<Way>> = branch
            .continuations
            .iter()
            .map(|continuation| {
                let ways = || {
                    let actions = continuation.actions.iter();
                    actions.filter_map(|&action| deed(action, continuation).way(kind, die))
                };
                // One of several actions with the same result is enough.
                ways().find(|&way| way == Way::Action).or_else(|| ways().next())
            })
            .collect();
        let went = branch
            .continuations
            .iter()
            .position(|continuation| continuation.actions.contains(&played));
        let has = |way| ways.contains(&Some(way));
        (has(Way::Action) && has(Way::Rival)).then_some(Self { branch, ways, went })
    }

    /// The games after every action of either side, in order: these are to be searched.
    pub fn candidates(&self) -> Vec<Chase> {
        let of_a_side = self.branch.continuations.iter().zip(&self.ways);
        let of_a_side = of_a_side.filter(|(_, way)| way.is_some());
        of_a_side.map(|(continuation, _)| continuation.game.clone()).collect()
    }

    /// The best of each side, by the searches of [`Sides::candidates`]: the continuation, and its stored form.
    pub fn best(&self, searches: &[Search<Chase>]) -> Option<[(&Continuation, Choice); 2]> {
        let position = self.branch.game.position();
        let mover = position.to_move();
        let candidates = self.branch.continuations.iter().zip(&self.ways);
        let candidates = candidates.filter_map(|(continuation, way)| Some((continuation, (*way)?)));
        let scored: Vec<_> = candidates
            .zip(searches)
            .map(|((continuation, way), search)| {
                let white = white_score(&continuation.game, search);
                let score = white.map(|white| match mover {
                    Player::White => white,
                    Player::Black => 1.0 - white,
                });
                (continuation, way, score)
            })
            .collect();
        let best_of = |side: Way| {
            let of_side = || scored.iter().filter(|(_, way, _)| *way == side);
            // The first of equals; an action without a score ranks last.
            let best = of_side().reduce(|best, next| {
                let value = |score: Option<f64>| score.unwrap_or(f64::NEG_INFINITY);
                if value(next.2) > value(best.2) { next } else { best }
            });
            let &(continuation, _, score) = best?;
            let action = continuation.actions[0];
            let choice = Choice {
                action: action.to_string(),
                text: position.article_text(action),
                score,
                among: of_side().count() as u32,
            };
            Some((continuation, choice))
        };
        Some([best_of(Way::Action)?, best_of(Way::Rival)?])
    }

    /// The way that the game itself took, given the chosen continuations; `None` if neither.
    pub fn went(&self, [action, rival]: [&Continuation; 2]) -> Option<Way> {
        let went = self.branch.continuations.get(self.went?)?;
        let is = |other: &Continuation| other.actions == went.actions;
        match (is(action), is(rival)) {
            (true, _) => Some(Way::Action),
            (_, true) => Some(Way::Rival),
            _ => None,
        }
    }
}

/// True if every action of a line is legal in turn.
fn is_playable(line: &[Action], rules: &Rules) -> bool {
    let mut game = Chase::new(rules);
    line.iter().all(|&action| {
        let legal = game.is_legal(action);
        if legal {
            game.apply(action);
        }
        legal
    })
}

/// The die of the control: drawn uniformly from those with a quiet move.
fn quiet_die(branch: &Branch, rng: &mut Xoshiro256PlusPlus) -> Option<Cell> {
    let position = branch.game.position();
    let mut dice: Vec<Cell> = Vec::new();
    for continuation in &branch.continuations {
        for &action in &continuation.actions {
            if let Some(die) = Deed::of(position, action, continuation.game.position()).quiet()
                && !dice.contains(&die)
            {
                dice.push(die);
            }
        }
    }
    (!dice.is_empty()).then(|| dice[rng.random_range(0..dice.len())])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::sync::atomic::AtomicBool;

    use chase_engine::Outcome;
    use chase_engine::chase::Position;
    use chase_engine::search::{SearchParams, UniformEvaluator};

    use super::*;
    use crate::evidence::search::search_together;

    /// White's 1 on D3 can capture the 3 on D4, and Black then has four dice left: White wins at once.
    const WINS: &str = "fffd5/9/9/9/9/2Ac5/9/9/FFFF5 w";

    fn sides(kind: ForkKind, position: &Position, played: &str) -> Option<Sides> {
        let game = Chase::from_position(*position, Rules::default());
        let played = played.parse().unwrap();
        Sides::at(
            kind,
            Branch::at(Vec::new(), game),
            played,
            &mut seed::named("test", &[]),
        )
    }

    /// The best action of either side, their scores and the way that the game took, by uninformed searches.
    fn best(kind: ForkKind, position: &Position, played: &str) -> Option<([Choice; 2], Option<Way>)> {
        let sides = sides(kind, position, played)?;
        let params = SearchParams {
            simulations: 2,
            ..SearchParams::default()
        };
        let stop = AtomicBool::new(false);
        let searches = search_together(&sides.candidates(), &params, &mut UniformEvaluator, 1, &stop);
        let best = sides.best(&searches.unwrap().unwrap())?;
        let went = sides.went([best[0].0, best[1].0]);
        Some((best.map(|(_, choice)| choice), went))
    }

    #[test]
    fn the_best_of_either_side_is_chosen_for_who_moves() {
        let white: Position = WINS.parse().unwrap();
        let black = white.rotated();
        let capture: Action = "D3E".parse().unwrap();
        for (position, capture) in [(white, capture), (black, capture.rotated())] {
            let capture = capture.to_string();
            let ([taking, rival], went) = best(ForkKind::SmallTakesLarge, &position, &capture).unwrap();
            assert_eq!((taking.action.as_str(), taking.score), (capture.as_str(), Some(1.0)));
            assert_eq!((taking.among, went), (1, Some(Way::Action)));
            assert!(rival.score.unwrap() < 0.9, "{rival:?}");
            // Whichever die is drawn for the control, the best rival is the capture.
            let ([quiet, rival], went) = best(ForkKind::Quiet, &position, &capture).unwrap();
            assert_eq!((rival.action.as_str(), rival.score), (capture.as_str(), Some(1.0)));
            assert!(quiet.score.unwrap() < 0.9 && quiet.among <= 6);
            assert_eq!(went, Some(Way::Rival));
        }
    }

    #[test]
    fn sides_are_there_for_every_kind_and_only_with_both() {
        let entry = "abcdedcba/9/9/9/9/9/9/9/ABCDECDBA w".parse().unwrap();
        let initial = Position::initial();
        let wins: Position = WINS.parse().unwrap();
        let large: Position = "ffff5/9/9/9/9/1C2a4/9/9/FFFD5 w".parse().unwrap();
        for (kind, with, played, without) in [
            (ForkKind::FirstEntry, entry, "A7NW", Some(initial)),
            (ForkKind::GainingEntry, entry, "A7NW", Some(initial)),
            (ForkKind::SmallTakesLarge, wins, "D3E", Some(initial)),
            (ForkKind::LargeTakesSmall, large, "D2E", Some(wins)),
            (ForkKind::Clumping, entry, "1A5A6", Some(initial)),
            (ForkKind::Quiet, initial, "A3NE", None),
        ] {
            let found = sides(kind, &with, played).unwrap();
            let count = |way| found.ways.iter().filter(|found| **found == Some(way)).count();
            let all = found.branch.continuations.len();
            if kind == ForkKind::Clumping {
                // Most actions belong to neither side; the game continued with one that makes pairs.
                assert!(count(Way::Action) + count(Way::Rival) < all / 2);
                assert_eq!(found.ways[found.went.unwrap()], Some(Way::Action));
            } else {
                assert_eq!(count(Way::Action) + count(Way::Rival), all, "{kind}");
            }
            assert_eq!(found.candidates().len(), count(Way::Action) + count(Way::Rival));
            if let Some(without) = without {
                assert!(sides(kind, &without, "A3NE").is_none(), "{kind}");
            }
        }
    }

    fn game(outcome: Outcome) -> GameResult {
        GameResult {
            outcome,
            reason: String::new(),
            plies: 0,
            opening_plies: 0,
            start: None,
            actions: Vec::new(),
            effort: chase_arena::Efforts::default(),
        }
    }

    #[test]
    fn differences_are_the_movers_and_of_games_with_a_result() {
        use Outcome::{Draw, Truncated};
        let [white, black] = Player::BOTH.map(Outcome::Win);
        let pair = |action, rival| PlayoutPair {
            action: game(action),
            rival: game(rival),
        };
        for (action, rival, expected) in [
            (white, black, Some(1.0)),
            (white, Draw, Some(0.5)),
            (Draw, Draw, Some(0.0)),
            (black, Draw, Some(-0.5)),
            (black, white, Some(-1.0)),
            (white, Truncated, None),
        ] {
            let pair = pair(action, rival);
            assert_eq!(pair.difference(Player::White), expected);
            assert_eq!(
                pair.difference(Player::Black),
                expected.map(|difference: f64| -difference)
            );
        }
        let choice = Choice {
            action: String::new(),
            text: String::new(),
            score: None,
            among: 1,
        };
        let mut fork = Fork {
            turn: Turn {
                kind: ForkKind::Quiet,
                player: 0,
                series: String::new(),
                block: 0,
                game: 0,
                line: Vec::new(),
            },
            position: "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA b".into(),
            dice: [9, 9],
            action: choice.clone(),
            rival: choice,
            went: None,
            playouts: vec![pair(black, white), pair(white, Truncated), pair(Draw, Draw)],
        };
        assert_eq!((fork.mover(), fork.difference()), (Some(Player::Black), Some(0.5)));
        fork.playouts.truncate(0);
        assert_eq!(fork.difference(), None);
    }
}
