//! The way that dice go over the board in one action: pictures draw it, and the article form spells it out.

use crate::chase::{Action, Bitboard, Cell, Direction, IllegalAction, Position, Speed, geometry};

/// The ways of dice in one action: the die that acts, and the dice that it bumps or splits into.
///
/// Wraparound and ricochet are in it: a course is a chain of steps, not a pair of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course {
    from: Cell,
    legs: Vec<Leg>,
}

/// The straight or ricocheting way of one die.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The first cell.
    pub from: Cell,
    /// The last cell.
    pub to: Cell,
    /// Every step as it goes over the board, a ricochet resolved.
    pub steps: Vec<Step>,
    /// True if a die of the opponent stood on the last cell.
    pub captures: bool,
    /// The cause of the step.
    pub cause: Cause,
}

/// The cause of a die's step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It is the die that the player chose.
    Acts,
    /// It comes out of the Chamber with this speed.
    Leaves(Speed),
    /// Another came to its cell.
    Bumped,
}

/// A displacement on the board rolled out flat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// To the east, in half cells.
    pub half_columns: i32,
    /// Towards row I.
    pub rows: i32,
}

impl Step {
    const fn one(direction: Direction) -> Self {
        let (half_columns, rows) = match direction {
            Direction::E => (2, 0),
            Direction::NE => (1, 1),
            Direction::NW => (-1, 1),
            Direction::W => (-2, 0),
            Direction::SW => (-1, -1),
            Direction::SE => (1, -1),
        };
        Self { half_columns, rows }
    }
}

impl Course {
    /// Straight from one cell to another, the shorter way around the cylinder, whatever stands between.
    pub fn between(from: Cell, to: Cell) -> Self {
        let shift = |cell: Cell| 2 * cell.column() as i32 + i32::from(cell.row().is_multiple_of(2));
        let step = Step {
            half_columns: (shift(to) - shift(from) + 9).rem_euclid(18) - 9,
            rows: to.row() as i32 - from.row() as i32,
        };
        let leg = Leg {
            from,
            to,
            steps: vec![step],
            captures: false,
            cause: Cause::Acts,
        };
        Self { from, legs: vec![leg] }
    }

    /// The ways of the dice in the order in which they go: the one that acts, then those that it sets going.
    pub fn legs(&self) -> &[Leg] {
        &self.legs
    }

    /// The cell of the die that acts, and the cells on which dice come to rest.
    pub fn cells(&self) -> Bitboard {
        let ends = self.legs.iter().map(|leg| leg.to);
        let ends: Bitboard = ends.filter(|&cell| cell != Cell::CHAMBER).collect();
        ends.with(self.from)
    }
}

/// Follows dice over the board, and remembers who stands where then.
struct Walk {
    own: Bitboard,
    enemy: Bitboard,
    legs: Vec<Leg>,
}

impl Walk {
    /// Lets a die make `count` steps from a cell. Returns where it gets, and its direction then.
    fn go(&mut self, from: Cell, direction: Direction, count: u8, cause: Cause) -> (Cell, Direction) {
        let (mut to, mut heading) = (from, direction);
        let mut steps = Vec::with_capacity(count.into());
        for _ in 0..count {
            (to, heading) = geometry::step(to, heading);
            steps.push(Step::one(heading));
        }
        self.legs.push(Leg {
            from,
            to,
            steps,
            captures: self.enemy.contains(to),
            cause,
        });
        (to, heading)
    }

    /// Lets a die that has come to `cell` stay there: follows the dice that this bumps, and removes what is captured.
    fn arrive(&mut self, mut cell: Cell, mut direction: Direction) {
        while self.own.contains(cell) {
            (cell, direction) = self.go(cell, direction, 1, Cause::Bumped);
        }
        self.own = self.own.with(cell);
        self.enemy = self.enemy.without(cell);
    }
}

impl Position {
    /// The way that dice go in a legal action. An absorption has none: nothing moves.
    ///
    /// # Errors
    /// If the action is not legal here; the error says why.
    pub fn course(&self, action: Action) -> Result<Course, IllegalAction> {
        match self.why_illegal(action) {
            Some(reason) => Err(reason),
            None => Ok(self.course_unchecked(action)),
        }
    }

    /// The course of an action that is known to be legal.
    pub(super) fn course_unchecked(&self, action: Action) -> Course {
        let (Action::Move { from, .. } | Action::Exchange { from, .. } | Action::Absorb { cell: from }) = action;
        let mut walk = Walk {
            own: self.dice(self.to_move()).without(from),
            enemy: self.dice(!self.to_move()),
            legs: Vec::new(),
        };
        match action {
            Action::Absorb { .. } => {}
            Action::Exchange { direction, .. } => {
                walk.go(from, direction, 1, Cause::Acts);
            }
            Action::Move { direction, .. } => {
                let speed = self.speed_unchecked(from);
                let (target, arrival) = walk.go(from, direction, speed.pips(), Cause::Acts);
                if target == Cell::CHAMBER {
                    let (left, right) = if self.splits(self.to_move, from) {
                        speed.split()
                    } else {
                        (speed, None)
                    };
                    let exits = Self::chamber_exits(arrival).into_iter();
                    for ((_, direction), speed) in exits.zip([Some(left), right]) {
                        if let Some(speed) = speed {
                            let (exit, heading) = walk.go(Cell::CHAMBER, direction, 1, Cause::Leaves(speed));
                            walk.arrive(exit, heading);
                        }
                    }
                } else {
                    walk.arrive(target, arrival);
                }
            }
        }
        Course { from, legs: walk.legs }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    /// Each leg as its cells.
    fn course(position: &str, action: &str) -> Vec<String> {
        let position: Position = position.parse().unwrap();
        let course = position.course(action.parse().unwrap()).unwrap();
        let legs = course.legs().iter();
        legs.map(|leg| {
            format!(
                "{}{}{}",
                leg.from,
                if leg.cause == Cause::Bumped { ">" } else { "-" },
                leg.to
            )
        })
        .collect()
    }

    #[test]
    fn a_course_follows_bumps_and_both_dice_out_of_the_chamber() {
        let initial = Position::initial().to_string();
        // The whole row moves on by one: A1's die takes nine bumps, the last on its own empty cell.
        let row = course(&initial, "A1E");
        assert_eq!((row.len(), &*row[0], &*row[8]), (9, "A1-A2", "A9>A1"));
        let split = "abcdedcba/9/9/9/9/9/9/9/ABCDECDBA w";
        assert_eq!(course(split, "A7NW"), ["A7-E5", "E5-D5", "E5-E6"]);
        // With ten dice on the board the die leaves whole; an own die on the exit is bumped.
        let whole = "abcdedcba/9/9/9/3A5/9/9/9/ABCDDCDBA w";
        assert_eq!(course(whole, "A7NW"), ["A7-E5", "E5-D5"]);
        let bump = "abcdedcba/9/9/9/9/4A4/9/9/ABCDECDB1 w";
        assert_eq!(course(bump, "A7NW"), ["A7-E5", "E5-D5", "D5>C4", "E5-E6"]);
    }

    #[test]
    fn steps_add_up_to_the_way_on_the_flat_board_and_wrap_on_the_cylinder() {
        let position = Position::initial();
        for action in position.legal_actions() {
            for leg in position.course(action).unwrap().legs() {
                let half = |cell: Cell| 2 * cell.column() as i32 + i32::from(cell.row().is_multiple_of(2));
                let columns: i32 = leg.steps.iter().map(|step| step.half_columns).sum();
                let rows: i32 = leg.steps.iter().map(|step| step.rows).sum();
                assert_eq!((half(leg.from) + columns - half(leg.to)).rem_euclid(18), 0, "{action}");
                assert_eq!(leg.from.row() as i32 + rows, leg.to.row() as i32, "{action}");
            }
        }
    }
}
