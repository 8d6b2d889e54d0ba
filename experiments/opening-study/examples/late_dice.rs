//! Dice late in games that are given move by move: how many were attacked, and how many were safe nowhere.
//!
//! Reads games from standard input, one a line: two words that name what is counted together, then the actions in exact
//! form. Writes a line for each of these groups: its two words, then for large dice (5s and 6s) and small ones (1s and 2s)
//! of players with six dice or fewer the numbers of dice, of those without a legal move, of those attacked, and of those
//! that are safe nowhere. Positions are those of claim C5: every tenth ply, the player to move.

#![allow(clippy::print_stdout, reason = "prints its results")]

use std::collections::BTreeMap;
use std::io::{BufRead, stdin};

use chase_engine::chase::{Action, Rules};
use chase_engine::{Chase, Game};
use chase_opening_study::evidence::dice::{MobilityTable, SNAPSHOT_PLIES};

const LATE: std::ops::RangeInclusive<usize> = 0..=6;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut groups: BTreeMap<(String, String), MobilityTable> = BTreeMap::new();
    for line in stdin().lock().lines() {
        let line = line?;
        let mut words = line.split_whitespace();
        let (one, other) = words.next().zip(words.next()).ok_or("expected two words and actions")?;
        let table = groups.entry((one.to_owned(), other.to_owned())).or_default();
        let mut game = Chase::new(&Rules::default());
        for (ply, word) in (0_u32..).zip(words) {
            if ply > 0 && ply.is_multiple_of(SNAPSHOT_PLIES) && game.position().missing() == 0 {
                table.count(game.position());
            }
            let action: Action = word.parse()?;
            if !game.is_legal(action) {
                return Err(format!("{word} is not legal in {}", game.position()).into());
            }
            game.apply(action);
        }
    }
    println!("agent,block,large,large_stuck,large_attacked,large_unsafe,small,small_stuck,small_attacked,small_unsafe");
    for ((one, other), table) in &groups {
        let of = |pips: &[usize]| {
            let counts = table.total(LATE, pips);
            [counts.dice, counts.stuck, counts.attacked, counts.unsafe_everywhere].map(|count| count.to_string())
        };
        let counts = [of(&[5, 6]), of(&[1, 2])].concat();
        println!("{one},{other},{}", counts.join(","));
    }
    Ok(())
}
