//! Adding a game: noughts and crosses, complete.
//!
//! This is all that the engine must know of a game. Search, proofs and pictures then work, as `main` shows: `cargo run
//! -p chase-engine --example adding_a_game`. Training and the commands need more: see `docs/src/guides/add-a-game.md`.

use chase_engine::scene::{CellShape, Scene, SceneCell, ScenePiece, Shade};
use chase_engine::search::{Search, SearchParams, UniformEvaluator};
use chase_engine::{Depict, Game, Outcome, Player, seed};

/// One game in progress: the cells that each player has marked, as bits from the top left, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
struct NoughtsAndCrosses {
    marks: [u16; 2],
}

/// Rows, columns and diagonals; a digit of an octal number is a row.
const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl NoughtsAndCrosses {
    fn owner(&self, cell: usize) -> Option<Player> {
        let has = |player: &Player| (self.marks[*player as usize] >> cell) & 1 == 1;
        Player::BOTH.into_iter().find(has)
    }
}

impl Game for NoughtsAndCrosses {
    /// The cell that a mark is put on. An action must name what is decided and nothing else.
    type Action = usize;
    /// There is nothing to choose about the rules.
    type Rules = ();
    /// An error says what is wrong and what was expected.
    type ParseError = String;

    const NAME: &'static str = "noughts-and-crosses";
    // To be raised whenever the same actions lead to something else than before: old games and networks are refused
    // then.
    const RULES_VERSION: u32 = 1;
    const POLICY_SIZE: usize = 9;

    fn standard_rules(name: &str) -> Option<()> {
        (name == Self::NAME).then_some(())
    }

    fn rules_text((): &()) -> String {
        String::new()
    }

    fn new((): &()) -> Self {
        Self { marks: [0; 2] }
    }

    // The first player is White, whatever the players are called. Here they take turns, but they need not.
    fn to_move(&self) -> Player {
        Player::BOTH[self.plies() as usize % 2]
    }

    // In a fixed order, and none once the game is over.
    fn legal_actions(&self, actions: &mut Vec<usize>) {
        actions.clear();
        if self.outcome().is_none() {
            actions.extend((0..9).filter(|&cell| self.owner(cell).is_none()));
        }
    }

    fn apply(&mut self, cell: usize) {
        self.marks[self.to_move() as usize] |= 1 << cell;
    }

    // An outcome is nobody's point of view; `Outcome::value_for` makes a value of it.
    fn outcome(&self) -> Option<Outcome> {
        let has_line = |player: &Player| LINES.iter().any(|line| self.marks[*player as usize] & line == *line);
        match Player::BOTH.into_iter().find(has_line) {
            Some(winner) => Some(Outcome::Win(winner)),
            None => (self.plies() == 9).then_some(Outcome::Draw),
        }
    }

    fn end_reason(&self) -> Option<&'static str> {
        self.outcome().map(|outcome| match outcome {
            Outcome::Win(_) => "three in a row",
            _ => "full board",
        })
    }

    fn plies(&self) -> u32 {
        self.marks.map(u16::count_ones).iter().sum()
    }

    // Different for different positions. Large games use a hash.
    fn key(&self) -> u128 {
        (u128::from(self.marks[0]) << 9) | u128::from(self.marks[1])
    }

    // From the point of view of the player to move. The board looks the same to both, so that the cell will do.
    fn policy_index(&self, cell: usize) -> usize {
        cell
    }

    fn position_text(&self) -> String {
        (0..9).map(|cell| mark(self.owner(cell))).collect()
    }

    fn from_position_text(text: &str, (): &()) -> Result<Self, String> {
        let mut marks = [0_u16; 2];
        if text.chars().count() != 9 {
            return Err(format!("expected nine cells, found `{text}`"));
        }
        for (cell, letter) in text.chars().enumerate() {
            match letter {
                'x' => marks[0] |= 1 << cell,
                'o' => marks[1] |= 1 << cell,
                '.' => {}
                _ => return Err(format!("expected `x`, `o` or `.` in a cell, found `{letter}`")),
            }
        }
        match marks[0].count_ones().checked_sub(marks[1].count_ones()) {
            Some(0 | 1) => Ok(Self { marks }),
            _ => Err(format!("expected as many `x` as `o`, or one more, found `{text}`")),
        }
    }

    fn action_text(&self, cell: usize) -> String {
        (cell + 1).to_string()
    }

    fn parse_action(&self, text: &str) -> Result<usize, String> {
        let named = (0..9).find(|&cell| self.action_text(cell) == text);
        let cell = named.ok_or_else(|| format!("expected a cell from 1 to 9, found `{text}`"))?;
        let error = || format!("cell `{text}` is taken, or the game is over");
        self.is_legal(cell).then_some(cell).ok_or_else(error)
    }
}

fn mark(cell: Option<Player>) -> char {
    match cell {
        None => '.',
        Some(Player::White) => 'x',
        Some(Player::Black) => 'o',
    }
}

impl Depict for NoughtsAndCrosses {
    fn scene(&self) -> Scene {
        let piece = |player| ScenePiece {
            player,
            is_king: false,
            label: String::new(),
            letter: mark(Some(player)),
            figure: None,
        };
        let cell = |index: usize| SceneCell {
            name: self.action_text(index),
            x: (index % 3) as f64,
            y: (index / 3) as f64,
            shade: Shade::Plain,
            pieces: self.owner(index).map(piece).into_iter().collect(),
            marked: false,
        };
        Scene {
            cells: (0..9).map(cell).collect(),
            shape: CellShape::Square,
            caption: self.end_reason().unwrap_or("the game goes on").to_owned(),
        }
    }

    fn way(&self, cell: usize) -> Vec<usize> {
        vec![cell]
    }
}

#[expect(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Two crosses in a row, and Black to move: a search must close it.
    let game = NoughtsAndCrosses::from_position_text("xx..o....", &())?;
    println!("{}", game.scene().to_text());
    let mut search = Search::new();
    search.start(&game, &SearchParams::default(), &mut seed::named("example", &[1]))?;
    search.run(&mut UniformEvaluator)?;
    let best = search.result().best_action().ok_or("the game is over")?;
    println!("a search plays cell {}", game.action_text(best));
    Ok(())
}

#[cfg(test)]
mod tests {
    use chase_engine::conformance;

    use super::*;

    /// The one test that every game must pass: legality, texts, keys, copies, policy indices.
    #[test]
    fn noughts_and_crosses_conform() {
        assert!(conformance::check::<NoughtsAndCrosses>(&(), 200, 9, 1) > 1000);
    }

    /// The numbers of lines are known.
    #[test]
    fn lines_are_counted_as_published() {
        let game = NoughtsAndCrosses::new(&());
        let counts = [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872];
        assert_eq!([1, 2, 3, 4, 5, 6, 7, 8, 9].map(|depth| game.perft(depth)), counts);
    }

    #[test]
    fn bad_texts_are_told_with_what_was_expected() {
        for (text, expected) in [
            ("xx", "nine cells"),
            ("xxz......", "found `z`"),
            ("oo.......", "as many"),
        ] {
            let error = NoughtsAndCrosses::from_position_text(text, &()).expect_err(text);
            assert!(error.contains(expected), "{error}");
        }
        assert!(NoughtsAndCrosses::new(&()).parse_action("10").is_err());
    }

    #[test]
    fn the_example_runs() {
        main().expect("it works");
    }
}
