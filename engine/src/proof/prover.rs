//! The search: df-pn with a stack of frames in place of recursion.

use super::frame::{Child, Frame};
use super::full::FullSearch;
use super::goal::after_ply;
use super::numbers::{Found, INFINITE, Numbers};
use super::table::Table;
use super::{Budget, Goal, GoalProgress, ProofVerdict};
use crate::Game;

/// Turns at the end of a bound that are searched in full: there a table costs more than it saves.
// Other numbers were not measured.
const LAST_TURNS: u32 = 2;
/// Longest line in plies, for searches and for results. It bounds the memory of a search whose game has keys that never
/// recur.
// Not measured. Games end after 400 turns by the presets, which mostly have fewer plies.
const LONGEST_LINE: usize = 2048;

/// Searches for proofs that the attacker of one goal reaches it. Results for one position are kept for the next
/// searches.
#[derive(Debug)]
pub struct Prover<G: Game, T: Goal<G>> {
    goal: T,
    table: Table,
    /// The line, followed by frames whose memory is reused.
    frames: Vec<Frame<G>>,
    /// Number of frames in use.
    depth: usize,
    actions: Vec<G::Action>,
    scratch: Option<G>,
    full: FullSearch<G>,
}

impl<G: Game, T: Goal<G>> Prover<G, T> {
    /// Creates a prover with a table of this many bytes, about 24 per position.
    pub fn new(goal: T, bytes: usize) -> Self {
        Self {
            goal,
            table: Table::new(bytes),
            frames: Vec::new(),
            depth: 0,
            actions: Vec::new(),
            scratch: None,
            full: FullSearch::default(),
        }
    }

    /// The goal that it searches for.
    pub const fn goal(&self) -> &T {
        &self.goal
    }

    /// Searches for a proof or a disproof from a position. The call may be repeated with a new budget: the search
    /// resumes from the results so far. It also ends, without a verdict, at a line of 2,048 plies.
    pub fn prove(&mut self, game: &G, budget: &mut Budget<'_>) -> ProofVerdict {
        let found = self.search(game, self.goal.start(), budget);
        verdict(found.numbers)
    }

    /// Verdicts on the goal after each legal action of a position, in order. Empty if the game is over, or the goal is
    /// decided.
    ///
    /// If the attacker is to move, the winning actions are the proved ones; if the defender is, the actions that hold
    /// are the disproved ones.
    pub fn actions(&mut self, game: &G, budget: &mut Budget<'_>) -> Vec<(G::Action, ProofVerdict)> {
        let start = self.goal.start();
        let mut actions = Vec::new();
        if self.goal.decided(game, start).is_none() {
            game.legal_actions(&mut actions);
        }
        let verdicts = actions.into_iter().map(|action| {
            let mut next = game.clone();
            next.apply(action);
            let progress = after_ply(&self.goal, game, &next, start);
            (action, verdict(self.search(&next, progress, budget).numbers))
        });
        verdicts.collect()
    }

    /// The line of a proof: the attacker takes the shortest way found, the defender holds out longest in the proof
    /// found, which need not be the shortest. Empty if nothing is proved.
    ///
    /// The line is cut off where the budget ends. Without a bound on turns it may also be cut off where the table has
    /// lost so much of the proof that the line would repeat itself.
    pub fn line(&mut self, game: &G, budget: &mut Budget<'_>) -> Vec<G::Action> {
        let (mut game, mut progress) = (game.clone(), self.goal.start());
        let (mut line, mut keys) = (Vec::new(), Vec::new());
        while line.len() < LONGEST_LINE && self.goal.decided(&game, progress).is_none() {
            // Mostly a single node, since the table holds the rest of the proof.
            let found = self.search(&game, progress, budget);
            let frame = &self.frames[0];
            if !found.numbers.is_proved() || keys.contains(&frame.key) {
                break;
            }
            let proved = frame.children.iter().filter(|child| child.found.numbers.is_proved());
            let next = if frame.attacks {
                proved.min_by_key(|child| child.found.plies)
            } else {
                // The first of equals, as above.
                proved.rev().max_by_key(|child| child.found.plies)
            };
            let action = next.expect("the proof of a position has a proved child").action;
            keys.push(frame.key);
            line.push(action);
            let before = game.clone();
            game.apply(action);
            progress = after_ply(&self.goal, &before, &game, progress);
        }
        line
    }

    /// Searches one position until it is solved or the budget is spent. The first frame then holds its children, unless
    /// it was decided.
    fn search(&mut self, game: &G, progress: GoalProgress, budget: &mut Budget<'_>) -> Found {
        self.depth = 0;
        if let Some(reached) = self.goal.decided(game, progress) {
            return Found::new(Numbers::decided(reached), 0);
        }
        if self.frames.is_empty() {
            self.frames.push(Frame::new(game));
        }
        let frame = &mut self.frames[0];
        frame.game.clone_from(game);
        (frame.progress, frame.key) = (progress, key(game, progress));
        frame.limits = Numbers {
            proof: INFINITE,
            disproof: INFINITE,
        };
        if !self.expand(budget) {
            return UNKNOWN;
        }
        let mut too_long = false;
        loop {
            let depth = self.depth - 1;
            too_long |= self.depth > LONGEST_LINE;
            let frame = &mut self.frames[depth];
            let found = frame.found(depth as u32);
            let Numbers { proof, disproof } = found.numbers;
            let enough = proof >= frame.limits.proof || disproof >= frame.limits.disproof;
            if !enough && !too_long && !budget.is_over() {
                let limits = frame.select();
                if self.descend(limits, budget) {
                    continue;
                }
            }
            let frame = &self.frames[depth];
            if found.anchor == Found::FREE {
                self.table.put(frame.key, found, budget.spent() - frame.begun);
            }
            self.depth = depth;
            match depth.checked_sub(1).map(|parent| &mut self.frames[parent]) {
                Some(parent) => parent.children[parent.selected].found = found,
                None => return found,
            }
        }
    }

    /// Descends to the child that the last frame has selected. Returns false if the budget does not allow it.
    fn descend(&mut self, limits: Numbers, budget: &mut Budget<'_>) -> bool {
        self.reserve();
        let (line, rest) = self.frames.split_at_mut(self.depth);
        let parent = line.last().expect("the line has a frame, which has selected");
        let frame = rest.first_mut().expect("a frame is reserved");
        frame.game.clone_from(&parent.game);
        frame.game.apply(parent.children[parent.selected].action);
        frame.progress = after_ply(&self.goal, &parent.game, &frame.game, parent.progress);
        (frame.key, frame.limits) = (key(&frame.game, frame.progress), limits);
        self.expand(budget)
    }

    /// Ensures that there is a frame after the line.
    fn reserve(&mut self) {
        if self.depth == self.frames.len() {
            let last = self.frames.last().expect("a search begins with a frame");
            self.frames.push(Frame::new(&last.game));
        }
    }

    /// Appends the frame after the line to the line, with the results for its children. Its position must not be
    /// decided. Returns false if the budget does not allow it.
    fn expand(&mut self, budget: &mut Budget<'_>) -> bool {
        let begun = budget.spent();
        if !budget.spend() {
            return false;
        }
        let (line, rest) = self.frames.split_at_mut(self.depth);
        let frame = rest.first_mut().expect("there is a frame after the line");
        frame.begun = begun;
        frame.attacks = frame.game.to_move() == self.goal.attacker();
        frame.children.clear();
        frame.game.legal_actions(&mut self.actions);
        let next = self.scratch.get_or_insert_with(|| frame.game.clone());
        for &action in &self.actions {
            next.clone_from(&frame.game);
            next.apply(action);
            let progress = after_ply(&self.goal, &frame.game, next, frame.progress);
            let decided = self.goal.decided(next, progress).map(|reached| (reached, 0));
            let solved = decided.or_else(|| {
                let is_last = progress.turns.is_some_and(|turns| turns <= LAST_TURNS);
                let search = || self.full.search(&self.goal, next, progress, budget);
                is_last.then(search).flatten()
            });
            let found = if let Some((reached, plies)) = solved {
                Found::new(Numbers::decided(reached), plies)
            } else {
                let key = key(next, progress);
                let mut earlier = line.iter().chain([&*frame]);
                match earlier.position(|earlier| earlier.key == key) {
                    Some(ply) => Found::recurrence(ply as u32),
                    None => self.table.get(key).unwrap_or_else(|| guess(&self.goal, next, progress)),
                }
            };
            frame.children.push(Child { action, found });
            if solved.is_some_and(|(reached, _)| reached == frame.attacks) {
                // One is enough. Among children that the table decides, the shortest is still needed, since lines
                // follow it.
                break;
            }
        }
        self.depth += 1;
        true
    }
}

/// The estimate for a position that has not been searched.
fn guess<G: Game>(goal: &impl Goal<G>, game: &G, progress: GoalProgress) -> Found {
    let guess = goal.guess(progress, game.to_move() == goal.attacker());
    // An undecided position must not look decided.
    let [proof, disproof] = guess.map(|number| number.clamp(1, INFINITE - 1));
    Found::new(Numbers { proof, disproof }, 0)
}

/// The result for a position without any information.
const UNKNOWN: Found = Found::new(Numbers { proof: 1, disproof: 1 }, 0);

const fn verdict(numbers: Numbers) -> ProofVerdict {
    if numbers.is_proved() {
        ProofVerdict::Proved
    } else if numbers.is_disproved() {
        ProofVerdict::Disproved
    } else {
        ProofVerdict::Unknown
    }
}

/// The key of a question: the position with its counters, and the progress of the line.
fn key<G: Game>(game: &G, progress: GoalProgress) -> u128 {
    let turns = progress.turns.map_or(0, |turns| u128::from(turns) + 1);
    spread(spread(game.key()) ^ (turns << 32 | u128::from(progress.need as u32)))
}

/// A bijection that spreads the differences of keys to both halves: the table uses one as an index and one as a check.
const fn spread(key: u128) -> u128 {
    let product = (key ^ key >> 64).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
    product ^ product >> 64
}
