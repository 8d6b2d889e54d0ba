//! How a game is added: noughts and crosses, whole.
//!
//! What stands here is all that the engine must know of a game. Searches, proofs and pictures then work at once, as `main`
//! shows: `cargo run -p chase-engine --example adding_a_game`.
//!
//! A game that shall be trained and played by every command needs, besides:
//!
//! 1. its rules as a folder of `engine/src/games/`, and **one line in `engine/src/games/registry.rs`**, the list of games;
//! 2. what a network sees of it, `Encode`, in `models/src/games/`;
//! 3. what training must know, `Trainable`, in `training/src/games/`;
//! 4. what players must know, `Playable`, in `experiments/arena/src/playable/`.
//!
//! The compiler names whichever of these is missing.

use chase_engine::scene::{CellShape, Scene, SceneCell, ScenePiece, Shade};
use chase_engine::search::{Search, SearchParams, UniformEvaluator};
use chase_engine::{Depict, Game, Outcome, Player, seed};

/// One game in progress: the cells from the top left, row by row. Nothing of its history matters to the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
struct NoughtsAndCrosses {
    cells: [Option<Player>; 9],
}

/// Rows, columns and diagonals.
const LINES: [[usize; 3]; 8] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
    [0, 4, 8],
    [2, 4, 6],
];

impl Game for NoughtsAndCrosses {
    /// The cell that a mark is put on. An action must name what is decided and nothing else.
    type Action = usize;
    /// There is nothing to choose about the rules.
    type Rules = ();
    /// An error says what is wrong and what was expected.
    type ParseError = String;

    const NAME: &'static str = "noughts-and-crosses";
    // To be raised whenever the same actions lead to something else than before: old games and networks are refused then.
    const RULES_VERSION: u32 = 1;
    const POLICY_SIZE: usize = 9;

    fn standard_rules(name: &str) -> Option<()> {
        (name == Self::NAME).then_some(())
    }

    fn rules_text((): &()) -> String {
        String::new()
    }

    fn new((): &()) -> Self {
        Self { cells: [None; 9] }
    }

    // The first player is White, whatever the players are called. Here they take turns, but they need not.
    fn to_move(&self) -> Player {
        match self.plies() % 2 {
            0 => Player::White,
            _ => Player::Black,
        }
    }

    // In a fixed order, and none once the game is over.
    fn legal_actions(&self, actions: &mut Vec<usize>) {
        actions.clear();
        if self.outcome().is_none() {
            actions.extend((0..9).filter(|&cell| self.cells[cell].is_none()));
        }
    }

    fn apply(&mut self, cell: usize) {
        self.cells[cell] = Some(self.to_move());
    }

    // An outcome is nobody's point of view; `Outcome::value_for` makes a value of it.
    fn outcome(&self) -> Option<Outcome> {
        let owner = |line: [usize; 3]| {
            let [one, two, three] = line.map(|cell| self.cells[cell]);
            one.filter(|_| one == two && two == three)
        };
        let full = self.cells.iter().all(Option::is_some);
        match LINES.into_iter().find_map(owner) {
            Some(winner) => Some(Outcome::Win(winner)),
            None => full.then_some(Outcome::Draw),
        }
    }

    fn end_reason(&self) -> Option<&'static str> {
        self.outcome().map(|outcome| match outcome {
            Outcome::Win(_) => "three in a row",
            _ => "full board",
        })
    }

    fn plies(&self) -> u32 {
        self.cells.iter().flatten().count() as u32
    }

    // Different for different positions: here one digit a cell. Large games use a hash.
    fn key(&self) -> u128 {
        let digit = |cell: &Option<Player>| cell.map_or(0, |player| 1 + player as u128);
        self.cells.iter().fold(0, |key, cell| 3 * key + digit(cell))
    }

    // From the point of view of the player to move. The board looks the same to both, so that the cell will do.
    fn policy_index(&self, cell: usize) -> usize {
        cell
    }

    fn position_text(&self) -> String {
        self.cells.iter().map(|&cell| mark(cell)).collect()
    }

    fn from_position_text(text: &str, (): &()) -> Result<Self, String> {
        let mut game = Self::new(&());
        if text.chars().count() != 9 {
            return Err(format!("expected nine cells, found `{text}`"));
        }
        for (cell, letter) in game.cells.iter_mut().zip(text.chars()) {
            let known = [None, Some(Player::White), Some(Player::Black)];
            let read = known.into_iter().find(|&owner| mark(owner) == letter);
            *cell = read.ok_or_else(|| format!("expected `x`, `o` or `.` in a cell, found `{letter}`"))?;
        }
        let count = |player| game.cells.iter().filter(|&&cell| cell == Some(player)).count();
        match count(Player::White).checked_sub(count(Player::Black)) {
            Some(0 | 1) => Ok(game),
            _ => Err(format!("expected as many `x` as `o`, or one more, found `{text}`")),
        }
    }

    fn action_text(&self, cell: usize) -> String {
        (cell + 1).to_string()
    }

    fn parse_action(&self, text: &str) -> Result<usize, String> {
        let cell = text
            .parse::<usize>()
            .ok()
            .filter(|cell| (1..=9).contains(cell) && text.len() == 1);
        let cell = cell.ok_or_else(|| format!("expected a cell from 1 to 9, found `{text}`"))? - 1;
        match self.is_legal(cell) {
            true => Ok(cell),
            false => Err(format!("cell `{text}` is taken, or the game is over")),
        }
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
        };
        let cell = |(index, owner): (usize, &Option<Player>)| SceneCell {
            name: self.action_text(index),
            x: (index % 3) as f64,
            y: (index / 3) as f64,
            shade: Shade::Plain,
            pieces: owner.map(piece).into_iter().collect(),
            marked: false,
        };
        Scene {
            cells: self.cells.iter().enumerate().map(cell).collect(),
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

    /// The numbers of lines are known: 255168 games in all.
    #[test]
    fn lines_are_counted_as_published() {
        let game = NoughtsAndCrosses::new(&());
        let counts = [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872];
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(game.perft(depth), count, "depth {depth}");
        }
    }

    #[test]
    fn bad_texts_are_told_with_what_was_expected() {
        for (text, expected) in [
            ("xx", "expected nine cells"),
            ("xxz......", "in a cell, found `z`"),
            ("oo.......", "as many"),
        ] {
            let error = NoughtsAndCrosses::from_position_text(text, &()).expect_err(text);
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn the_example_runs() {
        main().expect("it works");
    }
}
