//! The tutorial of Chase: positions with one task each. Actions that complete a task are found by the rules.

use chase_engine::chase::notation::{Cause, Leg};
use chase_engine::chase::{Action, Cell, Position, Rules};
use chase_engine::{Chase, Game, GameName};
use serde_json::{Value, json};

/// One step of the tutorial.
struct Lesson {
    title: &'static str,
    text: &'static str,
    task: &'static str,
    /// Said when the task was done.
    praise: &'static str,
    /// The position, in CFEN.
    start: &'static str,
    /// True if an action completes the task. The ways of the dice are those of the action.
    completes: fn(&Position, Action, &[Leg]) -> bool,
}

static LESSONS: [Lesson; 9] = [
    Lesson {
        title: "Move",
        text: "Dice are never rolled. A die moves in a straight line, exactly as many cells as it shows, over empty cells only.",
        task: "Choose one of your white dice, then an empty cell with a dot.",
        praise: "The number on top never changes by moving: this die will always move that far.",
        start: "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w",
        completes: |_, _, legs| matches!(legs, [leg] if !leg.captures && !bends(leg)),
    },
    Lesson {
        title: "Around the cylinder",
        text: "The left and the right side of the board are joined: it is a cylinder. The faint cells at the sides repeat those of the other side.",
        task: "Move the 3 on D1 off the left side, so that it comes back on the right.",
        praise: "The board has no left and no right end.",
        start: "abcdedcba/9/9/9/9/C8/9/9/AB1DEDCBA w",
        completes: |_, _, legs| matches!(legs, [leg] if leg.from == cell(b'D', 1) && goes_around(leg)),
    },
    Lesson {
        title: "Bounce",
        text: "Top and bottom are walls. A die that runs into one bounces off and continues, like a ball.",
        task: "Bounce the 3 on B3 off the bottom row.",
        praise: "Two dice can attack the same cell by quite different ways. Watch the walls.",
        start: "abcdedcba/9/9/9/9/9/9/2C6/AB1DEDCBA w",
        completes: |_, _, legs| matches!(legs, [leg] if bends(leg)),
    },
    Lesson {
        title: "Bump",
        text: "If its last cell holds a die of your own, your die takes that place, and bumps the other one cell further in the same direction. A bumped die bumps, or captures, in turn.",
        task: "Bump the 2 on D2: move the 3 on A3 there.",
        praise: "One turn, two dice moved.",
        start: "abcdedcba/9/9/9/9/1B7/9/9/ABCDEDC1A w",
        completes: |_, _, legs| legs.iter().any(|leg| leg.cause == Cause::Bumped),
    },
    Lesson {
        title: "Exchange",
        text: "Instead of a move you may give pips to a die of yours on a neighbouring cell. No die may show less than 1 or more than 6.",
        task: "Choose a die, then its neighbour, and say how many pips it gets.",
        praise: "An exchange takes the whole turn. It prepares a move that was not there before.",
        start: "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w",
        completes: |_, action, _| matches!(action, Action::Exchange { .. }),
    },
    Lesson {
        title: "Capture",
        text: "If its last cell holds an enemy die, your die captures it: the die leaves the board.",
        task: "Capture the black 5 with your 2 on A2.",
        praise: "Black must now find its five lost pips: the next step shows how.",
        start: "abcd1dcba/9/9/9/9/9/2e6/9/ABCDEDCBA w",
        completes: |_, _, legs| legs.iter().any(|leg| leg.captures),
    },
    Lesson {
        title: "Absorb",
        text: "Your dice always show 25 pips in total. After a capture your lowest die absorbs the missing pips, up to 6; what is left goes to the next lowest. If several are lowest, you choose.",
        task: "You have lost a 4. Choose one of your two 1s to absorb its four pips.",
        praise: "Fewer dice, but faster ones. Then you make your turn as usual.",
        start: "abcdedcba/9/9/9/9/9/9/9/ABC1EDCBA w",
        completes: |_, action, _| matches!(action, Action::Absorb { .. }),
    },
    Lesson {
        title: "The Chamber",
        text: "The dark cell in the middle splits a die. The halves leave on the two cells next to the one it came from: the larger half on the left, as the die goes. This is how a tenth die comes into play.",
        task: "Move the 4 on A7 into the Chamber, which is marked with a star.",
        praise: "One die has become two. With ten dice on the board, or a 1, it would leave whole on the left.",
        start: "abcdedcba/9/9/9/9/9/9/9/ABCDECDBA w",
        completes: |_, _, legs| legs.iter().any(|leg| leg.to == Cell::CHAMBER),
    },
    Lesson {
        title: "Win",
        text: "A player with four dice or fewer has lost. Four dice of 6 pips show 24: too few for 25.",
        task: "Black has five dice left. Capture one.",
        praise: "You have won. That is all of Chase.",
        start: "1f2f2f1/9/9/4f4/9/9/2a6/9/ABCDEDCBA w",
        completes: |before, action, _| {
            let mut game = Chase::from_position(*before, Rules::PUBLISHED);
            game.apply(action);
            game.outcome().is_some()
        },
    },
];

/// True if a die turns at a wall.
fn bends(leg: &Leg) -> bool {
    let mut rows = leg.steps.iter().map(|step| step.rows);
    rows.next().is_some_and(|first| rows.any(|other| other != first))
}

/// True if a die leaves the board at one side.
fn goes_around(leg: &Leg) -> bool {
    let half_columns: i32 = leg.steps.iter().map(|step| step.half_columns).sum();
    let rows_apart = leg.from.row().abs_diff(leg.to.row()) % 2;
    let columns = leg.to.column() as i32 - leg.from.column() as i32;
    // A row that is shifted by half a cell is half a column off.
    half_columns.abs_diff(2 * columns) > rows_apart as u32
}

/// The cell in a row from A and a column from 1.
fn cell(row: u8, column: usize) -> Cell {
    let named = |cell: &Cell| cell.row() == usize::from(row - b'A') && cell.column() + 1 == column;
    Cell::all().find(named).unwrap_or(Cell::CHAMBER)
}

impl Lesson {
    fn view(&self) -> Value {
        let position: Position = self.start.parse().expect("lessons start from positions");
        let mut actions = Vec::new();
        Chase::from_position(position, Rules::PUBLISHED).legal_actions(&mut actions);
        actions.retain(|&action| {
            let course = position.course(action);
            let legs = course.map(|course| course.legs().to_vec()).unwrap_or_default();
            (self.completes)(&position, action, &legs)
        });
        json!({
            "title": self.title,
            "text": self.text,
            "task": self.task,
            "praise": self.praise,
            "start": self.start,
            // All legal actions that complete the task, in exact form.
            "completed_by": actions.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    }
}

/// The lessons of a game: only Chase has some.
pub fn all(game: GameName) -> Vec<Value> {
    let lessons = LESSONS.iter().filter(|_| game == GameName::Chase);
    lessons.map(Lesson::view).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    /// Each task can be done, not by every action, and by those that its text means.
    #[test]
    fn the_tasks_of_the_tutorial_are_done_by_what_they_ask_for() {
        let views = all(GameName::Chase);
        let actions = |view: &Value| {
            view["completed_by"]
                .as_array()
                .unwrap()
                .iter()
                .map(|action| action.as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
                .join(" ")
        };
        let done: Vec<_> = views.iter().map(actions).collect();
        assert!(done[0].contains("A3NW") && !done[0].contains("A1E"), "{}", done[0]);
        assert_eq!(done[1], "D1NW D1W");
        assert!(done[2].contains("B3SE"), "{}", done[2]);
        assert!(done[3].contains("A3NW"), "{}", done[3]);
        assert_eq!(done[4].split(' ').count(), 24);
        assert_eq!(done[5], "A2NE");
        assert_eq!(done[6], "=A1 =A9");
        assert_eq!(done[7], "A7NW");
        assert_eq!(done[8], "A2NE");
    }
}
