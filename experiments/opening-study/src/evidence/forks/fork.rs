//! A fork: one position, two ways to continue, and a control.

use chase_arena::GameResult;
use chase_engine::chase::{Action, Rules};
use chase_engine::{Chase, Game, Player, seed};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::kind::{Deed, ForkKind, Way};
use super::turn::ForkTurn;
use crate::evidence::search::{Branch, Continuation};

/// A played fork, as it is stored: one line of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fork {
    /// Its turn in a finished game.
    pub turn: ForkTurn,
    /// The position, as CFEN. The player to move is the mover.
    pub position: String,
    /// Dice of White and of Black.
    pub dice: [u8; 2],
    /// The best action of the kind, by searches.
    pub action: Choice,
    /// The best rival, by searches.
    pub rival: Choice,
    /// The control: the best, by the same searches, of as many quiet moves as the action was chosen from, drawn at
    /// random. `None` for a kind without one.
    pub control: Option<Choice>,
    /// The way that the game itself took; `None` if neither.
    pub went: Option<Way>,
    /// Games from the fork: after each choice with the same randomness.
    pub playouts: Vec<Playout>,
}

/// The best action of one side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// In exact form.
    pub action: String,
    /// In article form.
    pub text: String,
    /// The mover's expected score, from 0 to 1, by a search of the position after it; `None` if the game is truncated
    /// there.
    pub score: Option<f64>,
    /// Number of actions that it was chosen from, with those of equal results counted once.
    pub among: u32,
}

/// The games of a playout, one after each choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Playout {
    /// The game after the action; its opening is the line up to and including the action.
    pub action: GameResult,
    /// After the rival.
    pub rival: GameResult,
    /// After the control, if there is one.
    pub control: Option<GameResult>,
}

impl Fork {
    /// Checks that the games were played by the rules, and agree with their records.
    pub(super) fn replay(&self, rules: &Rules) -> Result<(), String> {
        let mut games = self.playouts.iter().flat_map(Playout::games);
        let replayed = games.try_for_each(|game| game.replay(rules, |_| ()));
        replayed.map_err(|fault| fault.to_string())
    }

    /// The player to move at the fork; `None` if the position is invalid.
    pub fn mover(&self) -> Option<Player> {
        let position: chase_engine::chase::Position = self.position.parse().ok()?;
        Some(position.to_move())
    }

    /// The mover's score after the action minus that after the rival, from −1 to 1: the mean over the playouts in which
    /// both games have a result; `None` if there is none.
    pub fn difference(&self) -> Option<f64> {
        self.mean(Playout::difference)
    }

    /// The same with the control in place of the rival; `None` without a control.
    pub fn over_control(&self) -> Option<f64> {
        self.mean(Playout::over_control)
    }

    fn mean(&self, of_playout: impl Fn(&Playout, Player) -> Option<f64>) -> Option<f64> {
        let mover = self.mover()?;
        let playouts = self.playouts.iter().filter_map(|playout| of_playout(playout, mover));
        let (sum, count) = playouts.fold((0.0, 0_u32), |(sum, count), playout| (sum + playout, count + 1));
        (count > 0).then(|| sum / f64::from(count))
    }
}

impl Playout {
    /// The mover's score after the action minus that after the rival; `None` if one of the games was truncated.
    pub fn difference(&self, mover: Player) -> Option<f64> {
        difference(&self.action, &self.rival, mover)
    }

    /// The mover's score after the action minus that after the control; `None` if one of the games was truncated, or
    /// there is no control.
    pub fn over_control(&self, mover: Player) -> Option<f64> {
        difference(&self.action, self.control.as_ref()?, mover)
    }

    /// Its games, in order.
    pub fn games(&self) -> impl Iterator<Item = &GameResult> {
        [&self.action, &self.rival].into_iter().chain(&self.control)
    }
}

/// The mover's score in one game minus that in another, from −1 to 1.
fn difference(game: &GameResult, other: &GameResult, mover: Player) -> Option<f64> {
    // Values range from −1 to 1.
    let value = |game: &GameResult| Some(f64::from(game.outcome.value_for(mover)?.0));
    Some((value(game)? - value(other)?) / 2.0)
}

/// Quiet moves drawn for the action of the placebo: about as many as there are entries or captures to choose from.
const PLACEBO: usize = 2;

/// The two sides of an undecided fork: candidates for the action, and for its rival; and those for the control.
pub(super) struct Sides {
    /// The game at the fork, with all continuations.
    pub branch: Branch,
    /// The way of each continuation of the branch; `None` if neither.
    pub ways: Vec<Option<Way>>,
    /// Indices of the continuations that the control is chosen from, ascending; they are among the rivals. Empty for a
    /// kind without a control.
    pub controls: Vec<usize>,
    /// Index of the continuation that the game itself took.
    pub went: Option<usize>,
}

impl Sides {
    /// The sides at the turn whose line ends with the action played there; `None` if the line is not legal, a side is
    /// empty, or the kind has a control and the position none. The seed and the number of the game determine all random
    /// choices.
    pub fn of(kind: ForkKind, line: &[Action], rules: &Rules, seed: u64, game: u64) -> Option<Self> {
        let (played, prefix) = line.split_last()?;
        let branch = Branch::playable(prefix, rules).filter(|branch| branch.game.is_legal(*played))?;
        Self::at(kind, branch, *played, &mut seed::named("fork die", &[seed, game]))
    }

    /// The sides at a branch where `played` was played; `None` if one is empty. The generator draws the quiet moves of
    /// the placebo, then the control's candidates; where an exchange makes pairs, as many of the more numerous side as
    /// the other one has.
    fn at(kind: ForkKind, branch: Branch, played: Action, rng: &mut Xoshiro256PlusPlus) -> Option<Self> {
        let position = branch.game.position();
        let deed = |action: Action, after: &Continuation| Deed::of(position, action, after.game.position());
        let mut ways: Vec<Option<Way>> = branch
            .continuations
            .iter()
            .map(|continuation| {
                let ways = || {
                    let actions = continuation.actions.iter();
                    actions.filter_map(|&action| deed(action, continuation).way(kind))
                };
                // One of several actions with the same result is enough.
                ways().find(|&way| way == Way::Action).or_else(|| ways().next())
            })
            .collect();
        let went = branch
            .continuations
            .iter()
            .position(|continuation| continuation.actions.contains(&played));
        let of_way = |ways: &[Option<Way>], way| -> Vec<usize> {
            (0..ways.len()).filter(|&index| ways[index] == Some(way)).collect()
        };
        if kind == ForkKind::Quiet {
            let quiet = of_way(&ways, Way::Action);
            // Half of them at most, so that the control can be as many.
            let kept = drawn(quiet.clone(), PLACEBO.min(quiet.len() / 2), rng);
            for index in quiet.into_iter().filter(|index| !kept.contains(index)) {
                ways[index] = Some(Way::Rival);
            }
        }
        let [actions, rivals] = [Way::Action, Way::Rival].map(|way| of_way(&ways, way));
        let mut controls = Vec::new();
        if kind.has_control() {
            let is_quiet = |index: &usize| {
                let continuation = &branch.continuations[*index];
                let mut actions = continuation.actions.iter();
                actions.any(|&action| deed(action, continuation).is_quiet())
            };
            controls = drawn(rivals.iter().copied().filter(is_quiet).collect(), actions.len(), rng);
            if controls.is_empty() {
                return None;
            }
        } else {
            // The best of many scores more than the best of few: both sides are equally many.
            let fewer = actions.len().min(rivals.len());
            for side in [&actions, &rivals] {
                let kept = drawn(side.clone(), fewer, rng);
                for &index in side.iter().filter(|index| !kept.contains(index)) {
                    ways[index] = None;
                }
            }
        }
        let has = |way| ways.contains(&Some(way));
        (has(Way::Action) && has(Way::Rival)).then_some(Self {
            branch,
            ways,
            controls,
            went,
        })
    }

    /// The games after every action of either side, in order: these are to be searched.
    pub fn candidates(&self) -> Vec<Chase> {
        let of_a_side = self.branch.continuations.iter().zip(&self.ways);
        let of_a_side = of_a_side.filter(|(_, way)| way.is_some());
        of_a_side.map(|(continuation, _)| continuation.game.clone()).collect()
    }

    /// The best of each side and of the control, by White's expected scores in the games of [`Sides::candidates`].
    pub fn best(&self, white_scores: &[Option<f64>]) -> Option<Best<'_>> {
        let position = self.branch.game.position();
        let mover = position.to_move();
        let candidates = self.branch.continuations.iter().zip(&self.ways).enumerate();
        let candidates = candidates.filter_map(|(index, (continuation, way))| Some((index, continuation, (*way)?)));
        let scored: Vec<_> = candidates
            .zip(white_scores)
            .map(|((index, continuation, way), white)| {
                (index, continuation, way, white.map(|white| mover.score(white)))
            })
            .collect();
        let best_of = |is_of_side: &dyn Fn(usize, Way) -> bool| {
            let of_side = || scored.iter().filter(|(index, _, way, _)| is_of_side(*index, *way));
            // The first of equals; an action without a score ranks last.
            let best = of_side().reduce(|best, next| {
                let value = |score: Option<f64>| score.unwrap_or(f64::NEG_INFINITY);
                if value(next.3) > value(best.3) { next } else { best }
            });
            let &(_, continuation, _, score) = best?;
            let action = continuation.actions[0];
            let choice = Choice {
                action: action.to_string(),
                text: position.article_text(action),
                score,
                among: of_side().count() as u32,
            };
            Some((continuation, choice))
        };
        Some(Best {
            action: best_of(&|_, way| way == Way::Action)?,
            rival: best_of(&|_, way| way == Way::Rival)?,
            control: best_of(&|index, _| self.controls.contains(&index)),
        })
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

/// The best of each side and of the control: the continuation, and its stored form.
pub(super) struct Best<'a> {
    pub action: (&'a Continuation, Choice),
    pub rival: (&'a Continuation, Choice),
    /// `None` for a kind without a control.
    pub control: Option<(&'a Continuation, Choice)>,
}

/// Up to `count` of these, drawn uniformly, in their order.
fn drawn(mut from: Vec<usize>, count: usize, rng: &mut Xoshiro256PlusPlus) -> Vec<usize> {
    while from.len() > count {
        from.remove(rng.random_range(0..from.len()));
    }
    from
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::Outcome;
    use chase_engine::chase::Position;
    use chase_engine::search::{Search, SearchParams, UniformEvaluator};

    use super::*;
    use crate::evidence::score::score;

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
    fn best(kind: ForkKind, position: &Position, played: &str) -> Option<([Choice; 3], Option<Way>)> {
        let sides = sides(kind, position, played)?;
        let params = SearchParams {
            simulations: 2,
            ..SearchParams::default()
        };
        let white_score = |game: Chase| {
            let mut search = Search::new();
            search.start(&game, &params, &mut seed::named("test", &[])).unwrap();
            search.run(&mut UniformEvaluator).unwrap();
            match game.outcome() {
                Some(outcome) => score(outcome),
                None => Some(search.root().unwrap().wdl(Player::White).score()),
            }
        };
        let scores: Vec<_> = sides.candidates().into_iter().map(white_score).collect();
        let best = sides.best(&scores)?;
        let went = sides.went([best.action.0, best.rival.0]);
        Some(([best.action, best.rival, best.control?].map(|(_, choice)| choice), went))
    }

    #[test]
    fn the_best_of_either_side_is_chosen_for_who_moves() {
        let white: Position = WINS.parse().unwrap();
        let black = white.rotated();
        let capture: Action = "D3E".parse().unwrap();
        for (position, capture) in [(white, capture), (black, capture.rotated())] {
            let capture = capture.to_string();
            let ([taking, rival, control], went) = best(ForkKind::SmallTakesLarge, &position, &capture).unwrap();
            assert_eq!((taking.action.as_str(), taking.score), (capture.as_str(), Some(1.0)));
            assert_eq!((taking.among, went), (1, Some(Way::Action)));
            assert!(rival.score.unwrap() < 0.9, "{rival:?}");
            // The control is one quiet move, as there is one capture.
            assert!(control.score.unwrap() < 0.9 && control.among == 1, "{control:?}");
            // Whichever moves are drawn for the placebo, the best rival is the capture. The control is another move.
            let ([quiet, rival, control], went) = best(ForkKind::Quiet, &position, &capture).unwrap();
            assert_eq!((rival.action.as_str(), rival.score), (capture.as_str(), Some(1.0)));
            assert!(quiet.score.unwrap() < 0.9 && control.action != quiet.action);
            assert_eq!((quiet.among, control.among), (2, 2));
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
                // Most actions belong to neither side; both sides are equally many.
                assert!(count(Way::Action) + count(Way::Rival) < all / 2);
                assert_eq!(count(Way::Action), count(Way::Rival));
                assert!(found.controls.is_empty());
            } else {
                assert_eq!(found.controls.len(), count(Way::Action), "{kind}");
                assert!(
                    found
                        .controls
                        .iter()
                        .all(|&control| found.ways[control] == Some(Way::Rival))
                );
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
        // The control ends as the rival does, the other way round.
        let turned = |outcome| match outcome {
            Outcome::Win(winner) => Outcome::Win(winner.opponent()),
            other => other,
        };
        let pair = |action, rival| Playout {
            action: game(action),
            rival: game(rival),
            control: Some(game(turned(rival))),
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
            turn: ForkTurn {
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
            rival: choice.clone(),
            control: Some(choice),
            went: None,
            playouts: vec![pair(black, white), pair(white, Truncated), pair(Draw, Draw)],
        };
        assert_eq!((fork.mover(), fork.difference()), (Some(Player::Black), Some(0.5)));
        assert_eq!(fork.over_control(), Some(0.0));
        fork.playouts.truncate(0);
        assert_eq!((fork.difference(), fork.over_control()), (None, None));
    }
}
