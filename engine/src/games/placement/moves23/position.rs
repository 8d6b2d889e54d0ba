//! Positions and plies of `moves23`.

use super::lines::{Line, for_each_line_move};
use super::{Cell, Field};
use crate::games::placement::board::{Board, Set};
use crate::games::placement::cell::each;
use crate::games::placement::connection::{self, Goal};
use crate::games::placement::hexagon::Direction;
use crate::games::placement::position::{Position, Return, sealed::Sealed};
use crate::games::placement::stones::{Stones, add_set};
use crate::games::placement::symmetry::Symmetry;
use crate::games::placement::turn::Turn;
use crate::scene::Shade;
use crate::text_error::TextError;
use crate::{Outcome, Player};

/// Stones of a placing turn.
pub(super) const STONES: u8 = 3;

/// Two ways to win: every second side, from the top or from the upper right one.
pub(super) const GOALS: [Goal; 2] = {
    let [top, upper_right, lower_right, bottom, lower_left, upper_left] = Field::sides();
    [[top, lower_right, lower_left], [upper_right, bottom, upper_left]]
};

const PLANE: usize = Field::ROWS * Field::ROWS;

/// The most cells that are in the row lines of a cell, itself included: those of the middle. Among more free cells than
/// this one is left for another stone, wherever a stone is placed.
const MOST_IN_LINES: u32 = 3 * (Field::ROWS as u32 - 1) + 1;

/// One ply of `moves23`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// A stone on an empty cell.
    Place(Cell),
    /// A move of a line.
    Line {
        /// The cell of its last stone before the move.
        rear: Cell,
        /// The cell of its first stone after the move.
        front: Cell,
    },
}

/// A position of `moves23`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moves23Position {
    pub(super) stones: Stones<Field>,
    pub(super) to_move: Player,
    pub(super) turn: Turn,
    /// A win, or a draw for a player without a complete turn.
    pub(super) end: Option<Outcome>,
}

impl Moves23Position {
    /// Stones still to place in this turn; a line move in place of the first two is not counted.
    pub const fn stones_left(&self) -> u8 {
        self.turn.left
    }

    /// The cells of the stones placed in this turn, in their order.
    pub fn placed(&self) -> impl Iterator<Item = Cell> + use<> {
        each(self.turn.placed)
    }

    /// True if a line may move: at the start of every turn but the first.
    pub const fn may_move_line(&self) -> bool {
        self.turn.left == STONES
    }

    /// The cells where a stone can be placed.
    #[inline]
    fn placeable(&self) -> Set {
        let free = self.free();
        if free.count_ones() > MOST_IN_LINES * u32::from(self.turn.left - 1) {
            return free;
        }
        let followed = |cell: &Cell| can_complete(free & !cell.lines(), self.turn.left - 1);
        each(free).filter(followed).fold(0, |set, cell| set | cell.bit())
    }

    /// The empty cells that are in no row line with a stone of this turn.
    #[inline]
    pub(super) fn free(&self) -> Set {
        self.placed()
            .fold(self.stones.empty(), |free, cell| free & !cell.lines())
    }

    /// True if the player to move, at the start of a turn, cannot complete it.
    pub(super) fn is_stuck(&self) -> bool {
        if can_complete(self.stones.empty(), STONES) {
            return false;
        }
        let mut moves = false;
        self.for_each_line_move(|_, _| moves = true);
        !moves
    }

    #[inline]
    pub(super) fn for_each_line_move(&self, act: impl FnMut(Cell, Cell)) {
        if self.may_move_line() {
            let (own, enemy) = (self.stones.of(self.to_move), self.stones.of(!self.to_move));
            for_each_line_move(own, enemy, act);
        }
    }

    fn move_line(&mut self, rear: Cell, front: Cell) {
        let player = self.to_move;
        let own = self.stones.of(player);
        let line = rear.direction_to(front).and_then(|way| Line::from_rear(rear, way, own));
        let line = line.expect("a legal move is that of a line");
        let cells = line.cells_behind(front);
        *self.stones.of_mut(player) = own & !line.cells() | cells;
        // The way is never longer than the line: what was on it is now under the line.
        *self.stones.of_mut(!player) &= !cells;
        self.turn = Turn::of(1);
    }
}

/// True if stones on some of these cells can complete a turn of which `left` are missing.
pub(super) fn can_complete(free: Set, left: u8) -> bool {
    match left.checked_sub(1) {
        None => true,
        Some(left) if free.count_ones() > MOST_IN_LINES * u32::from(left) => true,
        Some(left) => each(free).any(|cell: Cell| can_complete(free & !cell.lines(), left)),
    }
}

impl Sealed for Moves23Position {}

impl Position for Moves23Position {
    type Board = Field;
    type Action = Action;

    const NAME: &'static str = "moves23";
    const WORDS: &'static str = include_str!("rules.md");
    /// A plane for stones, and one for line moves in each direction, on the cell of the front stone after the move.
    const POLICY_SIZE: usize = (1 + Direction::ALL.len()) * PLANE;
    const END_REASONS: &'static [&'static str] = &["three sides", "no turn"];
    /// Stones that are killed can be replaced.
    const RETURN: Return = Return::Always;

    fn initial() -> Self {
        Self {
            stones: Stones::NONE,
            to_move: Player::White,
            turn: Turn::FIRST,
            end: None,
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
        self.turn.placed == 0 && self.turn.left > 1
    }

    #[inline]
    fn end(&self) -> Option<(Outcome, &'static str)> {
        self.end.map(|outcome| match outcome {
            Outcome::Win(_) => (outcome, "three sides"),
            Outcome::Draw | Outcome::Truncated => (outcome, "no turn"),
        })
    }

    #[inline]
    fn for_each_action(&self, mut act: impl FnMut(Action)) {
        if self.end.is_none() {
            each(self.placeable()).for_each(|cell| act(Action::Place(cell)));
            self.for_each_line_move(|rear, front| act(Action::Line { rear, front }));
        }
    }

    fn count_actions(&self) -> u32 {
        if self.end.is_some() {
            return 0;
        }
        let mut count = self.placeable().count_ones();
        self.for_each_line_move(|_, _| count += 1);
        count
    }

    fn is_legal(&self, action: Action) -> bool {
        if self.end.is_some() {
            return false;
        }
        match action {
            Action::Place(cell) => self.placeable() & cell.bit() != 0,
            Action::Line { rear, front } => {
                let mut found = false;
                self.for_each_line_move(|from, to| found |= (from, to) == (rear, front));
                found
            }
        }
    }

    #[inline]
    fn play_unchecked(&mut self, action: Action) -> bool {
        let player = self.to_move;
        let (arrival, is_turn_over) = match action {
            Action::Place(cell) => {
                *self.stones.of_mut(player) |= cell.bit();
                (cell, self.turn.place(cell.bit()))
            }
            Action::Line { rear, front } => {
                self.move_line(rear, front);
                (front, false)
            }
        };
        if is_turn_over {
            self.to_move = !player;
            self.turn = Turn::of(STONES);
        }
        if connection::wins(self.stones.of(player), arrival, &GOALS) {
            self.end = Some(Outcome::Win(player));
        } else if is_turn_over && self.is_stuck() {
            self.end = Some(Outcome::Draw);
        }
        is_turn_over
    }

    fn key(&self) -> u128 {
        let word = u64::from(self.turn.left) << 1 | self.to_move as u64;
        add_set(self.stones.key(word), self.turn.placed)
    }

    fn policy_index(&self, action: Action) -> usize {
        match action {
            Action::Place(cell) => cell.plane_index(),
            Action::Line { rear, front } => {
                let direction = rear.direction_to(front).expect("a line moves along a row line");
                (1 + direction as usize) * PLANE + front.plane_index()
            }
        }
    }

    fn action_text(&self, action: Action) -> String {
        match action {
            Action::Place(cell) => cell.to_string(),
            Action::Line { rear, front } => format!("{rear}:{front}"),
        }
    }

    fn parse_action(&self, text: &str) -> Result<Action, TextError> {
        self.read_action(text)
    }

    fn way(&self, action: Action) -> Vec<Cell> {
        match action {
            Action::Place(cell) => vec![cell],
            Action::Line { rear, front } => vec![rear, front],
        }
    }

    fn keeps(_: Symmetry) -> bool {
        true
    }

    fn under(&self, symmetry: Symmetry) -> Self {
        Self {
            stones: self.stones.under(symmetry),
            to_move: symmetry.player(self.to_move),
            turn: Turn {
                placed: symmetry.set::<Field>(self.turn.placed),
                ..self.turn
            },
            end: self.end.map(|end| match end {
                Outcome::Win(winner) => Outcome::Win(symmetry.player(winner)),
                other => other,
            }),
        }
    }

    fn image(action: Action, symmetry: Symmetry) -> Action {
        match action {
            Action::Place(cell) => Action::Place(symmetry.cell(cell)),
            Action::Line { rear, front } => Action::Line {
                rear: symmetry.cell(rear),
                front: symmetry.cell(front),
            },
        }
    }

    /// The sides of the two goals in two shades.
    fn shade(cell: Cell) -> Shade {
        let is_of = |goal: &Goal| goal.iter().any(|side| side & cell.bit() != 0);
        match GOALS.each_ref().map(is_of) {
            [true, _] => Shade::Special,
            [_, true] => Shade::Dark,
            _ => Shade::Plain,
        }
    }

    fn marked(&self) -> Set {
        self.turn.placed
    }

    fn task(&self) -> String {
        match (self.turn.left, self.may_move_line()) {
            (left, true) => format!("places {left} stones, or moves a line and places one"),
            (1, _) => "places 1 more stone".to_owned(),
            (left, _) => format!("places {left} more stones"),
        }
    }
}
