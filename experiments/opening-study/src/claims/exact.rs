//! Facts that follow from the rules of the game alone.
//!
//! Nothing here depends on randomness, on a machine, or on the strength of a player.

use chase_engine::Player;
use chase_engine::chase::{Action, Bitboard, CELLS, Cell, DiceAhead, Position, SIDE, Speed, geometry};
use rayon::prelude::*;
use serde::Deserialize;

use super::entry_map::EntryMap;
use super::lines::{after, attackers, ends_on, is_forced, names, with_turn};
use super::problems;
use crate::{FirstMove, OpeningClass, first_moves};
use chase_report::board::Board;

/// A fact of the rules that a test asks for.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ExactFact {
    /// First moves that the article calls safe after which Black wins a die net within so many turns, of which Black's
    /// reply is the first, whatever White plays.
    LosesADieWithin(u32),
    /// Cells round the Chamber with twice as many attackers after a 2 towards it.
    DoubledAttack,
    /// Dice that reach the Chamber from the initial position.
    NoEntry,
    /// Cells round the Chamber that are attacked in the initial position.
    AttackedRing,
    /// First moves that prepare a Chamber move with both exits defended.
    PreparedEntry,
    /// The die on A6 attacks E4 after 1A8A7, and not after 1A6A7.
    KeptAttack,
    /// Cells round the Chamber that are defended after a wraparound bump.
    OneExit,
    /// First moves of a 4 that a 4 captures.
    FourCaptured,
    /// Captures of such a 4 after which the capturing die attacks another.
    CaptureAttacks,
    /// Rows from which a die gets into the Chamber of an open board.
    Rows {
        speed: u8,
        /// The rows of the article.
        expected: String,
        /// The largest number of moves, the Chamber move included; `None` for any number.
        within: Option<u8>,
    },
    /// Cells from which a 5 gets into the Chamber of an open board, minus those of a 4.
    MoreWays,
    /// Cells from which a die of this speed gets into the Chamber of an open board.
    Map(u8),
    /// Positions that agree with the text on Problem 1.
    FirstProblem,
    /// Pairs of speeds with which both turns of Problem 2 win.
    SecondProblem,
}

/// A fact of the rules.
pub(crate) struct Fact {
    /// True if the part of the claim holds.
    pub holds: bool,
    /// The number that shows it.
    pub value: f64,
    /// The size of what was looked at.
    pub n: usize,
    /// Details in words; may be empty.
    pub details: String,
    /// The positions that it is about.
    pub boards: Vec<Board>,
}

impl Fact {
    pub fn new(holds: bool, value: usize, n: usize, details: impl Into<String>) -> Self {
        Self {
            holds,
            value: value as f64,
            n,
            details: details.into(),
            boards: Vec::new(),
        }
    }

    /// Adds boards.
    pub fn on(self, boards: impl IntoIterator<Item = Board>) -> Self {
        Self {
            boards: boards.into_iter().collect(),
            ..self
        }
    }
}

/// A position under a title.
pub(crate) fn board(title: impl Into<String>, position: &Position) -> Board {
    Board {
        title: title.into(),
        position: position.to_string(),
        ..Board::default()
    }
}

impl ExactFact {
    /// Computes the fact.
    pub fn fact(&self) -> Fact {
        match self {
            Self::LosesADieWithin(turns) => loses_a_die_within(*turns),
            Self::DoubledAttack => doubled_attack(),
            Self::NoEntry => no_entry(),
            Self::AttackedRing => attacked_ring(),
            Self::PreparedEntry => prepared_entry(),
            Self::KeptAttack => kept_attack(),
            Self::OneExit => one_exit(),
            Self::FourCaptured => four_captured(),
            Self::CaptureAttacks => capture_attacks(),
            Self::Rows {
                speed,
                expected,
                within,
            } => rows(*speed, expected, within.unwrap_or(u8::MAX)),
            Self::MoreWays => more_ways(),
            Self::Map(speed) => map(*speed),
            Self::FirstProblem => problems::first(),
            Self::SecondProblem => problems::second(),
        }
    }
}

/// B1.
fn loses_a_die_within(turns: u32) -> Fact {
    let goal = DiceAhead {
        attacker: Player::Black,
        dice: 1,
        turns,
    };
    let mut safe = first_moves();
    safe.retain(|first| first.class.is_called_safe());
    let loses = |first: &&FirstMove| is_forced(goal, &first.result);
    let losing: Vec<String> = safe.par_iter().filter(loses).map(FirstMove::text).collect();
    Fact::new(losing.is_empty(), losing.len(), safe.len(), losing.join(", "))
}

/// The six cells around the Chamber.
fn ring() -> Bitboard {
    geometry::neighbours(Cell::CHAMBER)
}

/// The position after the first move with this action, in exact form.
fn after_first(action: &str) -> Position {
    let named = |first: &FirstMove| first.actions.iter().any(|known| known.to_string() == action);
    let first = first_moves().into_iter().find(named);
    first.expect("the action is a legal first one").result
}

/// B2.
fn doubled_attack() -> Fact {
    let start = Position::initial();
    let count = |position: &Position, cell| attackers(position, Player::White, cell).count();
    let moves = [("A2NE", "after A2C3"), ("A8NW", "after A8C7")].map(|(action, text)| (text, after_first(action)));
    let (mut holds, mut fewest, mut words) = (true, usize::MAX, Vec::new());
    for (text, position) in &moves {
        let is_doubled = |&cell: &Cell| count(&start, cell) > 0 && count(position, cell) == 2 * count(&start, cell);
        let doubled: Bitboard = ring().into_iter().filter(is_doubled).collect();
        let mut cells = ring().into_iter();
        holds &= !doubled.is_empty() && cells.all(|cell| count(position, cell) >= count(&start, cell));
        fewest = fewest.min(doubled.count());
        words.push(format!("{text} {}", names(doubled)));
    }
    let details = format!("From one die to two: {}.", words.join(", "));
    Fact::new(holds, fewest, moves.len(), details).on(moves.map(|(text, position)| board(text, &position)))
}

/// B3: the Chamber.
fn no_entry() -> Fact {
    let start = Position::initial();
    let dice: Vec<Cell> = start.all_dice().map(|(from, _)| from).collect();
    let entering = dice.iter().filter(|from| start.reach(**from).contains(Cell::CHAMBER));
    let entering = entering.count();
    Fact::new(entering == 0, entering, dice.len(), "")
}

/// B3: the cells round it.
fn attacked_ring() -> Fact {
    let start = Position::initial();
    let dice: Vec<_> = start.all_dice().collect();
    let attacks = |from: Cell| start.reach(from) & ring();
    let attacking = dice.iter().filter(|(from, _)| !attacks(*from).is_empty());
    let attacking: Bitboard = attacking.map(|&(from, _)| from).collect();
    let middle = dice.iter().filter(|(_, die)| matches!(die.speed.pips(), 3 | 4));
    let threes_and_fours: Bitboard = middle.map(|&(from, _)| from).collect();
    let of = |player| -> Bitboard {
        let own = start.dice(player).into_iter();
        own.flat_map(|from| attacks(from).into_iter()).collect()
    };
    let [white, black] = Player::BOTH.map(of);
    let attacked = white | black;
    let holds = attacking == threes_and_fours && attacked == ring();
    let details = format!("White attacks {}, Black {}.", names(white), names(black));
    Fact::new(holds, attacked.count(), dice.len(), details).on([board("The initial position", &start)])
}

/// True if White could enter the Chamber next, if Black passed, with both exits defended by other dice.
fn prepares_entry(first: &FirstMove) -> bool {
    let position = with_turn(&first.result, Player::White).unwrap_or(first.result);
    let mut actions = position.legal_actions().into_iter();
    actions.any(|action| {
        let Action::Move { from, direction } = action else {
            return false;
        };
        if !ends_on(&position, action, Cell::CHAMBER) {
            return false;
        }
        let die = position.die(from).expect("a die moves");
        let entering = geometry::path(from, direction, die.speed).arrival;
        let exits = Position::chamber_exits(entering).map(|(cell, _)| cell);
        let after = position.play(action).expect("a legal action");
        // The new dice do not count as guards of each other: the article means the dice behind them.
        let newcomers: Bitboard = exits.into_iter().collect();
        let guarded = |exit: &Cell| !(attackers(&after, Player::White, *exit) & !newcomers).is_empty();
        exits.iter().all(guarded)
    })
}

/// B4: what the article gives as the reason.
fn prepared_entry() -> Fact {
    let moves = first_moves();
    let prepared = moves.iter().filter(|first| prepares_entry(first));
    let mut prepared: Vec<String> = prepared.map(FirstMove::text).collect();
    prepared.sort_unstable();
    // Each of the article's two stands for its mirror image too.
    let holds = prepared == ["1A2A3", "1A4A3", "1A6A7", "1A8A7"];
    Fact::new(holds, prepared.len(), moves.len(), prepared.join(", ") + ".")
}

/// B5.
fn kept_attack() -> Fact {
    let start = Position::initial();
    let played = |turn: &str| after(&start, &[turn]).expect("a legal first move");
    // The article's pair, and its mirror image.
    let pairs = [("1A8A7", "1A6A7", "A6", "E4"), ("1A2A3", "1A4A3", "A4", "E6")];
    let attacks = |turn: &str, from: &str, to: &str| {
        let [from, to] = [from, to].map(|cell| cell.parse::<Cell>().expect("a cell"));
        played(turn).reach(from).contains(to)
    };
    let holds =
        |&(keeps, loses, from, to): &(&str, &str, &str, &str)| attacks(keeps, from, to) && !attacks(loses, from, to);
    let boards = ["1A8A7", "1A6A7"].map(|turn| board(format!("after {turn}"), &played(turn)));
    let holds = pairs.iter().all(holds);
    Fact::new(holds, usize::from(holds), pairs.len(), "").on(boards)
}

/// B6.
fn one_exit() -> Fact {
    let bumps = [("A1E", "East"), ("A1W", "West")].map(|(action, way)| (way, after_first(action)));
    let left = bumps.map(|(_, position)| -> Bitboard {
        let defended = |&cell: &Cell| !attackers(&position, Player::White, cell).is_empty();
        ring().into_iter().filter(defended).collect()
    });
    let words = bumps.iter().zip(&left);
    let words = words.map(|((way, _), left)| format!("{way}: {}.", names(*left)));
    let details = format!("The row shifted. {}", words.collect::<Vec<_>>().join(" "));
    let most = left.iter().map(|left| left.count()).max().expect("two bumps");
    Fact::new(left.iter().all(|left| left.count() == 1), most, bumps.len(), details)
        .on(bumps.map(|(way, position)| board(format!("The row shifted: {way}"), &position)))
}

/// Black's captures of a 4 that moved first: the first move, the speed of the capturing die, and White's dice that it
/// attacks then.
fn captures_of_a_4() -> Vec<(FirstMove, u8, Bitboard)> {
    let mut captures = Vec::new();
    for first in first_moves()
        .into_iter()
        .filter(|first| first.class == OpeningClass::Four)
    {
        let position = first.result;
        let moved = position.dice(Player::White) & !Position::initial().dice(Player::White);
        let target = moved
            .into_iter()
            .next()
            .expect("a first move of a 4 puts it on an empty cell");
        for action in position.legal_actions() {
            let Action::Move { from, .. } = action else { continue };
            if ends_on(&position, action, target) {
                let after = position.play(action).expect("a legal action");
                let pips = position.die(from).map_or(0, |die| die.speed.pips());
                let attacked = after.reach(target) & after.dice(Player::White);
                captures.push((first.clone(), pips, attacked));
            }
        }
    }
    captures
}

/// B10: the capture exists.
fn four_captured() -> Fact {
    let captures = captures_of_a_4();
    let mut moves = first_moves();
    moves.retain(|first| first.class == OpeningClass::Four);
    let captured = |first: &&FirstMove| captures.iter().any(|(of, pips, _)| of == *first && *pips == 4);
    let answered = moves.iter().filter(captured).count();
    let boards = moves.iter().map(|first| board(first.text(), &first.result));
    Fact::new(answered == moves.len(), answered, moves.len(), "").on(boards)
}

/// B10: it attacks another die.
fn capture_attacks() -> Fact {
    let captures = captures_of_a_4();
    let attacking = captures.iter().filter(|(.., attacked)| !attacked.is_empty()).count();
    let holds = !captures.is_empty() && attacking == captures.len();
    Fact::new(holds, attacking, captures.len(), "")
}

/// Cells but for the Chamber.
const OUTSIDE: usize = CELLS - 1;

fn entry_map(speed: u8) -> EntryMap {
    EntryMap::new(Speed::new(speed).expect("claims.toml has speeds of dice"))
}

/// D2: compares the rows from which a die gets in within a number of moves with those of the article.
fn rows(speed: u8, expected: &str, within: u8) -> Fact {
    let map = entry_map(speed);
    let rows = map.rows(within);
    let counts = (1..=map.most()).map(|moves| map.within(moves).count().to_string());
    let comparison = match rows == expected {
        true => String::new(),
        false => format!(", where the article has {expected}"),
    };
    let details = format!(
        "{rows}{comparison}. Cells from which it gets in within 1, 2, … moves: {}.",
        counts.collect::<Vec<_>>().join(", ")
    );
    Fact::new(rows == expected, rows.len(), OUTSIDE, details).on([map.board()])
}

/// D3.
fn more_ways() -> Fact {
    let [five, four] = [5, 4].map(entry_map);
    let count = |map: &EntryMap, moves| map.within(moves).count();
    let never_fewer = (1..=five.most().max(four.most())).all(|moves| count(&five, moves) >= count(&four, moves));
    let [fives, fours] = [&five, &four].map(|map| count(map, u8::MAX));
    let details = format!("A 5 gets in from {fives} cells, a 4 from {fours}; never from fewer within so many moves.");
    Fact::new(
        never_fewer && fives > fours,
        fives.saturating_sub(fours),
        OUTSIDE,
        details,
    )
}

/// D4: tests whether only some columns of a row allow entry.
fn map(speed: u8) -> Fact {
    let map = entry_map(speed);
    let (rows, cells) = (map.rows(u8::MAX), map.within(u8::MAX).count());
    let by_row = |letter: char| {
        let row = (letter as u8 - b'A') as usize;
        let columns = map.within(u8::MAX).filter(move |cell| cell.row() == row);
        columns.map(|cell| (cell.column() + 1).to_string()).collect::<Vec<_>>()
    };
    let partial = |letter: char| by_row(letter).len() < SIDE - usize::from(letter == 'E');
    let places = rows
        .chars()
        .map(|letter| format!("{letter}{}", by_row(letter).join(",")));
    let places = places.collect::<Vec<_>>().join("; ");
    let details = format!("{places}. It takes at most {} moves.", map.most());
    Fact::new(rows.chars().all(partial), cells, OUTSIDE, details).on([map.board()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_4_put_forward_is_lost_and_nothing_else_is() {
        for first in first_moves() {
            for turns in [2, 4, 6] {
                let goal = DiceAhead {
                    attacker: Player::Black,
                    dice: 1,
                    turns,
                };
                let expected = first.class == OpeningClass::Four;
                assert_eq!(is_forced(goal, &first.result), expected, "{}", first.text());
            }
        }
    }
}
