//! Finds positions with proved solutions.

use chase_engine::chase::{Action, DiceAhead, Position, Rules};
use chase_engine::proof::{Budget, Goal, ProofVerdict, Prover, Win};
use chase_engine::{Chase, Game};

use super::position::{DICE_TURNS, ForcedResult, SolvedPosition, WIN_TURNS};

/// Memory of a search, in bytes.
const MEMORY: usize = 16 << 20;

/// Finds what the player to move can force in a position: preferably a win, else a gain of dice. `None` if there is
/// neither, if more than half of the actions do it, if the choice is of an absorbing die, or if `nodes` are not enough
/// for all answers.
pub fn solve(position: &Position, nodes: u64, source: &str) -> Option<SolvedPosition> {
    let game = Chase::from_position(*position, Rules::PUBLISHED);
    let mut legal = Vec::new();
    game.legal_actions(&mut legal);
    if legal.iter().any(|action| matches!(action, Action::Absorb { .. })) {
        return None;
    }
    let question = Question { game, nodes };
    let (forced, gain, solutions) = match question.win()? {
        Some(win) => win,
        None => question.dice()?,
    };
    (2 * solutions.len() <= legal.len()).then(|| SolvedPosition {
        forced,
        position: position.to_string(),
        gain,
        legal: legal.len(),
        solutions: solutions.iter().map(ToString::to_string).collect(),
        source: source.to_owned(),
    })
}

/// A position, and the budget for each question about it.
struct Question {
    game: Chase,
    nodes: u64,
}

impl Question {
    /// The actions after which a goal is still reached; empty if it is not, and `None` if an action is undecided.
    fn solutions(&self, goal: impl Goal<Chase>) -> Option<Vec<Action>> {
        let mut prover = Prover::new(goal, MEMORY);
        if !self.reaches(&mut prover)? {
            return Some(Vec::new());
        }
        let actions = prover.actions(&self.game, &mut Budget::nodes(self.nodes));
        let known = actions.iter().all(|(_, verdict)| *verdict != ProofVerdict::Unknown);
        let proved = actions.iter().filter(|(_, verdict)| *verdict == ProofVerdict::Proved);
        known.then(|| proved.map(|&(action, _)| action).collect())
    }

    fn reaches<T: Goal<Chase>>(&self, prover: &mut Prover<Chase, T>) -> Option<bool> {
        match prover.prove(&self.game, &mut Budget::nodes(self.nodes)) {
            ProofVerdict::Proved => Some(true),
            ProofVerdict::Disproved => Some(false),
            ProofVerdict::Unknown => None,
        }
    }

    /// The nearest win, and the actions that keep a win; the inner `None` means that there is none.
    fn win(&self) -> Option<Option<Solution>> {
        let attacker = self.game.to_move();
        let solutions = self.solutions(Win::within(attacker, WIN_TURNS))?;
        if solutions.is_empty() {
            return Some(None);
        }
        for (turns, forced) in [(1, ForcedResult::Win1), (3, ForcedResult::Win3)] {
            if self.reaches(&mut Prover::new(Win::within(attacker, turns), MEMORY))? {
                return Some(Some((forced, 0, solutions)));
            }
        }
        Some(Some((ForcedResult::Win5, 0, solutions)))
    }

    /// The largest gain of dice, and the actions that keep it; `None` if there is none.
    fn dice(&self) -> Option<Solution> {
        let attacker = self.game.to_move();
        let mut best = None;
        for gain in 1.. {
            let goal = DiceAhead {
                attacker,
                dice: gain as i32,
                turns: DICE_TURNS,
            };
            match self.solutions(goal)? {
                none if none.is_empty() => break,
                solutions => best = Some((gain, solutions)),
            }
        }
        let (gain, solutions) = best?;
        let dice = |game: &Chase| game.position().dice(!attacker).count();
        let captures = solutions.iter().any(|&action| {
            let mut after = self.game.clone();
            after.apply(action);
            dice(&after) < dice(&self.game)
        });
        let forced = if captures {
            ForcedResult::Capture
        } else {
            ForcedResult::Quiet
        };
        Some((forced, gain, solutions))
    }
}

/// The kind of solution, the gain in dice, and the actions that keep it.
type Solution = (ForcedResult, u32, Vec<Action>);
