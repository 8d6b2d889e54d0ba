//! Code that several tests share: random positions, and a slow and obvious reading of the rules.

#![allow(dead_code, reason = "each test uses a part")]

use std::collections::BTreeMap;

use chase_engine::Player;
use chase_engine::chase::{Action, Cell, Direction, Position};
use proptest::test_runner::{Config, RngSeed};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// So many cases of a property, the same ones every time.
pub fn cases(cases: u32) -> Config {
    Config {
        cases,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..Config::default()
    }
}

/// The positions of a game of at most `plies` uniformly random actions, with the action played in each but the last.
pub fn random_game(seed: u64, plies: usize) -> (Vec<(Position, Action)>, Position) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut position = Position::initial();
    let mut played = Vec::new();
    for _ in 0..plies {
        let actions = position.legal_actions();
        if actions.is_empty() {
            break;
        }
        let action = actions[rng.random_range(0..actions.len())];
        played.push((position, action));
        position.play_unchecked(action);
    }
    (played, position)
}

/// Every action that has a form: 6 moves, up to 30 exchanges and an absorption for each of 81 cells.
pub fn all_actions() -> Vec<Action> {
    let mut actions = Vec::new();
    for from in Cell::all() {
        actions.push(Action::Absorb { cell: from });
        for direction in Direction::ALL {
            actions.push(Action::Move { from, direction });
            actions.extend((0..=6).map(|points| Action::Exchange {
                from,
                direction,
                points,
            }));
        }
    }
    actions
}

/// A place in half cells: x from 0 to 17 around the cylinder, y from 1 (row A) to 9 (row I).
pub type Place = (i32, i32);

pub fn place(cell: Cell) -> Place {
    let name = cell.to_string();
    let y = i32::from(name.as_bytes()[0] - b'A') + 1;
    let column = i32::from(name.as_bytes()[1] - b'0');
    let x = if y % 2 == 1 { 2 * column } else { 2 * column - 1 };
    (x.rem_euclid(18), y)
}

/// The rules as a person would follow them on a board, die by die and step by step. Shares nothing with the engine but
/// the names of cells and actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlowBoard {
    pub dice: BTreeMap<Place, (Player, u8)>,
    pub to_move: Player,
}

const CHAMBER: Place = (10, 5);

fn direction_step(direction: usize) -> (i32, i32) {
    [(2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1)][direction]
}

/// One step; the direction turns at the edge rows.
fn walk((x, y): Place, direction: usize) -> (Place, usize) {
    let (dx, dy) = direction_step(direction);
    if (1..=9).contains(&(y + dy)) {
        return (((x + dx).rem_euclid(18), y + dy), direction);
    }
    let reflected = [0, 5, 4, 3, 2, 1][direction];
    (((x + dx).rem_euclid(18), y - dy), reflected)
}

impl SlowBoard {
    pub fn new(position: &Position) -> Self {
        let dice = position
            .all_dice()
            .map(|(cell, die)| (place(cell), (die.player, die.speed.pips())));
        Self {
            dice: dice.collect(),
            to_move: position.to_move(),
        }
    }

    fn own(&self, player: Player) -> Vec<(Place, u8)> {
        let own = self.dice.iter().filter(|(_, die)| die.0 == player);
        own.map(|(&place, die)| (place, die.1)).collect()
    }

    fn missing(&self) -> u8 {
        25 - self.own(self.to_move).iter().map(|(_, pips)| pips).sum::<u8>()
    }

    /// The dice that may absorb now.
    fn lowest(&self) -> Vec<Place> {
        let own = self.own(self.to_move);
        let least = own.iter().map(|&(_, pips)| pips).min().unwrap_or(0);
        own.into_iter()
            .filter(|&(_, pips)| pips == least)
            .map(|(place, _)| place)
            .collect()
    }

    fn absorb(&mut self, at: Place) {
        let points = self.missing();
        let die = self.dice.get_mut(&at).unwrap();
        die.1 = (die.1 + points).min(6);
    }

    /// The board after the action, forced absorption included; `None` if the action is not legal.
    pub fn after(&self, action: Action) -> Option<Self> {
        let mut board = self.clone();
        if self.own(self.to_move).len() <= 4 {
            return None;
        }
        if let Action::Absorb { cell } = action {
            if self.missing() == 0 || !self.lowest().contains(&place(cell)) {
                return None;
            }
            board.absorb(place(cell));
        } else {
            if self.missing() > 0 {
                return None;
            }
            match action {
                Action::Move { from, direction } => board.move_die(place(from), direction as usize)?,
                Action::Exchange {
                    from,
                    direction,
                    points,
                } => board.exchange(place(from), direction as usize, points)?,
                Action::Absorb { .. } => unreachable!("handled above"),
            }
            board.to_move = !self.to_move;
        }
        while board.own(board.to_move).len() > 4 && board.missing() > 0 && board.lowest().len() == 1 {
            board.absorb(board.lowest()[0]);
        }
        Some(board)
    }

    fn exchange(&mut self, from: Place, direction: usize, points: u8) -> Option<()> {
        let (dx, dy) = direction_step(direction);
        let to = ((from.0 + dx).rem_euclid(18), from.1 + dy);
        let (giver, receiver) = (*self.dice.get(&from)?, *self.dice.get(&to)?);
        if giver.0 != self.to_move || receiver.0 != self.to_move || points == 0 {
            return None;
        }
        if giver.1 <= points || receiver.1 + points > 6 {
            return None;
        }
        self.dice.insert(from, (giver.0, giver.1 - points));
        self.dice.insert(to, (receiver.0, receiver.1 + points));
        Some(())
    }

    fn move_die(&mut self, from: Place, direction: usize) -> Option<()> {
        let player = self.to_move;
        let &(owner, pips) = self.dice.get(&from)?;
        let outward = from.1 == 1 && direction >= 4 || from.1 == 9 && (1..=2).contains(&direction);
        if owner != player || outward {
            return None;
        }
        let count = self.own(player).len();
        self.dice.remove(&from);
        let (mut at, mut heading) = (from, direction);
        for step in 1..=pips {
            (at, heading) = walk(at, heading);
            let is_last = step == pips;
            if !is_last && (at == CHAMBER || self.dice.contains_key(&at)) {
                return None;
            }
        }
        if at != CHAMBER {
            return self.arrive((player, pips), at, heading);
        }
        let exit = |turn: usize| walk(CHAMBER, (heading + turn) % 6);
        let (left, right) = (exit(2), exit(4));
        if pips == 1 || count == 10 {
            return self.arrive((player, pips), left.0, left.1);
        }
        self.arrive((player, pips - pips / 2), left.0, left.1)?;
        self.arrive((player, pips / 2), right.0, right.1)
    }

    /// A die arrives at a place: it stays, captures or bumps. `None` if a die would be bumped into the Chamber.
    fn arrive(&mut self, die: (Player, u8), at: Place, heading: usize) -> Option<()> {
        if at == CHAMBER {
            return None;
        }
        match self.dice.insert(at, die) {
            Some(there) if there.0 == die.0 => {
                let (next, heading) = walk(at, heading);
                self.arrive(there, next, heading)
            }
            _ => Some(()),
        }
    }
}
