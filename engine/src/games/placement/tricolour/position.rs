//! Positions and plies of `tricolour`.

use super::moves::destinations;
use super::{Cell, Field};
use crate::games::placement::board::{Board, Set};
use crate::games::placement::cell::each;
use crate::games::placement::connection::{self, Goal};
use crate::games::placement::hexagon::Direction;
use crate::games::placement::position::{Position, Return, sealed::Sealed};
use crate::games::placement::stones::Stones;
use crate::games::placement::symmetry::Symmetry;
use crate::scene::Shade;
use crate::text_error::TextError;
use crate::{Outcome, Player};

/// The cells of each colour.
const COLOURS: Goal = {
    let [top, upper_right, lower_right, bottom, lower_left, upper_left] = Field::sides();
    [top | upper_right, lower_right | bottom, lower_left | upper_left]
};
pub(super) const GOALS: [Goal; 1] = [COLOURS];
/// The corners where two colours meet.
const MEETINGS: Set = COLOURS[0] & COLOURS[1] | COLOURS[1] & COLOURS[2] | COLOURS[2] & COLOURS[0];

/// Turns in a row in which everything was passed that end the game.
pub(super) const PASSES: u8 = 2;

const PLANE: usize = Field::ROWS * Field::ROWS;
/// The first policy index of stones, after a plane of moves for each direction.
const PLACE: usize = Direction::ALL.len() * PLANE;
/// The first policy index of decisions without a cell.
const SINGLE: usize = PLACE + PLANE;

/// One ply of `tricolour`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// A stone on an empty cell.
    Place(Cell),
    /// A move of a stone.
    Move {
        /// The cell that it leaves.
        from: Cell,
        /// The cell that it reaches.
        to: Cell,
    },
    /// No move, or no stone.
    Pass,
    /// The second player takes the first stone.
    Swap,
    /// The second player leaves the first stone as it is.
    Keep,
}

/// A decision of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Phase {
    /// The first stone of the game.
    First,
    /// Swap or not.
    Swap,
    /// A move, at the start of a turn.
    Move,
    /// A stone, after a move.
    Place,
    /// A stone, after a passed move.
    PlaceOnly,
}

impl Phase {
    /// All phases.
    pub const ALL: [Self; 5] = [Self::First, Self::Swap, Self::Move, Self::Place, Self::PlaceOnly];

    /// The letter in positions as text.
    pub const fn letter(self) -> char {
        match self {
            Self::First => 'f',
            Self::Swap => 's',
            Self::Move => 'm',
            Self::Place => 'p',
            Self::PlaceOnly => 'q',
        }
    }
}

/// A position of `tricolour`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TricolourPosition {
    pub(super) stones: Stones<Field>,
    pub(super) to_move: Player,
    pub(super) phase: Phase,
    /// Turns in a row in which everything was passed.
    pub(super) passes: u8,
    pub(super) winner: Option<Player>,
}

impl TricolourPosition {
    /// The decision of the player to move.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Turns in a row in which everything was passed.
    pub const fn passes(&self) -> u8 {
        self.passes
    }

    /// Calls a function with the cells that each own stone can move from and to.
    #[inline]
    fn for_each_move(&self, mut act: impl FnMut(Cell, Set)) {
        let (enemy, empty) = (self.stones.of(!self.to_move), self.stones.empty());
        for from in each(self.stones.of(self.to_move)) {
            act(from, destinations(from, enemy, empty));
        }
    }

    const fn may_pass(&self) -> bool {
        matches!(self.phase, Phase::Move | Phase::Place | Phase::PlaceOnly)
    }

    const fn may_place(&self) -> bool {
        matches!(self.phase, Phase::First | Phase::Place | Phase::PlaceOnly)
    }

    /// Ends a turn, in which everything was passed or not.
    const fn end_turn(&mut self, all_passed: bool) {
        self.to_move = self.to_move.opponent();
        self.phase = Phase::Move;
        self.passes = if all_passed { self.passes + 1 } else { 0 };
    }

    /// Plays an action whatever it connects. Returns whether it ends a turn.
    #[inline]
    fn act(&mut self, action: Action) -> bool {
        let player = self.to_move;
        let phase = self.phase;
        match action {
            Action::Place(cell) => {
                *self.stones.of_mut(player) |= cell.bit();
                self.end_turn(false);
                if phase == Phase::First {
                    self.phase = Phase::Swap;
                }
            }
            Action::Move { from, to } => {
                *self.stones.of_mut(player) ^= from.bit() | to.bit();
                self.phase = Phase::Place;
                return false;
            }
            Action::Pass if phase == Phase::Move => {
                self.phase = Phase::PlaceOnly;
                return false;
            }
            Action::Pass => self.end_turn(phase == Phase::PlaceOnly),
            Action::Swap => {
                *self.stones.of_mut(player) = std::mem::take(self.stones.of_mut(!player));
                self.end_turn(false);
            }
            Action::Keep => {
                self.phase = Phase::Move;
                return false;
            }
        }
        true
    }
}

impl Sealed for TricolourPosition {}

impl Position for TricolourPosition {
    type Board = Field;
    type Action = Action;

    const NAME: &'static str = "tricolour";
    const WORDS: &'static str = include_str!("rules.md");
    /// Planes for moves in each direction, on the cell that the stone leaves; a plane for stones; and four indices for
    /// a passed move, a passed stone, a swap and none.
    const POLICY_SIZE: usize = SINGLE + 4;
    const END_REASONS: &'static [&'static str] = &["three colours", "passes"];
    const RETURN: Return = Return::UntilAStone;

    fn initial() -> Self {
        Self {
            stones: Stones::NONE,
            to_move: Player::White,
            phase: Phase::First,
            passes: 0,
            winner: None,
        }
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    fn stones(&self) -> &Stones<Field> {
        &self.stones
    }

    fn is_start_of_turn(&self) -> bool {
        !matches!(self.phase, Phase::Place | Phase::PlaceOnly)
    }

    #[inline]
    fn end(&self) -> Option<(Outcome, &'static str)> {
        match self.winner {
            Some(winner) => Some((Outcome::Win(winner), "three colours")),
            None if self.passes == PASSES => Some((Outcome::Draw, "passes")),
            None => None,
        }
    }

    #[inline]
    fn for_each_action(&self, mut act: impl FnMut(Action)) {
        if self.end().is_some() {
            return;
        }
        match self.phase {
            Phase::Move => self.for_each_move(|from, ends| {
                each(ends).for_each(|to| act(Action::Move { from, to }));
            }),
            Phase::Swap => {
                act(Action::Swap);
                act(Action::Keep);
            }
            Phase::First | Phase::Place | Phase::PlaceOnly => {
                each(self.stones.empty()).for_each(|cell| act(Action::Place(cell)));
            }
        }
        if self.may_pass() {
            act(Action::Pass);
        }
    }

    fn count_actions(&self) -> u32 {
        if self.end().is_some() {
            return 0;
        }
        let mut count = u32::from(self.may_pass());
        match self.phase {
            Phase::Move => self.for_each_move(|_, ends| count += ends.count_ones()),
            Phase::Swap => count += 2,
            Phase::First | Phase::Place | Phase::PlaceOnly => count += self.stones.empty().count_ones(),
        }
        count
    }

    fn is_legal(&self, action: Action) -> bool {
        self.end().is_none()
            && match action {
                Action::Place(cell) => self.may_place() && self.stones.empty() & cell.bit() != 0,
                Action::Move { from, to } => {
                    let (own, enemy) = (self.stones.of(self.to_move), self.stones.of(!self.to_move));
                    self.phase == Phase::Move
                        && own & from.bit() != 0
                        && destinations(from, enemy, self.stones.empty()) & to.bit() != 0
                }
                Action::Pass => self.may_pass(),
                Action::Swap | Action::Keep => self.phase == Phase::Swap,
            }
    }

    #[inline]
    fn play_unchecked(&mut self, action: Action) -> bool {
        let player = self.to_move;
        let is_turn_over = self.act(action);
        if let Action::Place(cell) | Action::Move { to: cell, .. } = action
            && connection::wins(self.stones.of(player), cell, &GOALS)
        {
            self.winner = Some(player);
        }
        is_turn_over
    }

    fn key(&self) -> u128 {
        let word = u64::from(self.passes) << 4 | (self.phase as u64) << 1 | self.to_move as u64;
        self.stones.key(word)
    }

    fn policy_index(&self, action: Action) -> usize {
        match action {
            Action::Move { from, to } => {
                let direction = from.direction_to(to).expect("a stone moves along a row line");
                direction as usize * PLANE + from.plane_index()
            }
            Action::Place(cell) => PLACE + cell.plane_index(),
            Action::Pass => SINGLE + usize::from(self.phase != Phase::Move),
            Action::Swap => SINGLE + 2,
            Action::Keep => SINGLE + 3,
        }
    }

    fn action_text(&self, action: Action) -> String {
        match action {
            Action::Place(cell) => cell.to_string(),
            Action::Move { from, to } => format!("{from}{to}"),
            Action::Pass => "--".to_owned(),
            Action::Swap => "swap".to_owned(),
            Action::Keep => "keep".to_owned(),
        }
    }

    fn parse_action(&self, text: &str) -> Result<Action, TextError> {
        self.read_action(text)
    }

    fn way(&self, action: Action) -> Vec<Cell> {
        match action {
            Action::Place(cell) => vec![cell],
            Action::Move { from, to } => vec![from, to],
            Action::Pass | Action::Swap | Action::Keep => Vec::new(),
        }
    }

    /// Those that keep the corners where colours meet.
    fn keeps(symmetry: Symmetry) -> bool {
        !symmetry.exchanges_players() && symmetry.set::<Field>(MEETINGS) == MEETINGS
    }

    fn under(&self, symmetry: Symmetry) -> Self {
        Self {
            stones: self.stones.under(symmetry),
            ..*self
        }
    }

    fn image(action: Action, symmetry: Symmetry) -> Action {
        match action {
            Action::Place(cell) => Action::Place(symmetry.cell(cell)),
            Action::Move { from, to } => Action::Move {
                from: symmetry.cell(from),
                to: symmetry.cell(to),
            },
            other => other,
        }
    }

    /// The colours of the sides, two of them in the corners where they meet.
    fn shade(cell: Cell) -> Shade {
        let bits = (0..).zip(COLOURS).filter(|(_, side)| side & cell.bit() != 0);
        match bits.map(|(colour, _)| 1 << colour).sum() {
            0 => Shade::Plain,
            bits => Shade::Coloured(bits),
        }
    }

    fn marked(&self) -> Set {
        0
    }

    fn task(&self) -> String {
        let task = match self.phase {
            Phase::First => "places the first stone",
            Phase::Swap => "takes the first stone or leaves it",
            Phase::Move => "moves a stone or passes",
            Phase::Place | Phase::PlaceOnly => "places a stone or passes",
        };
        task.to_owned()
    }
}
