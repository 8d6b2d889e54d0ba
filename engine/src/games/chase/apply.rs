//! Playing an action.

use super::die::Speed;
use super::position::LOST;
use super::{Action, Cell, Direction, IllegalAction, Position, geometry, zobrist};
use crate::Player;

impl Position {
    /// The position after a legal action.
    ///
    /// # Errors
    /// If the action is not legal here; the error says why.
    pub fn play(&self, action: Action) -> Result<Self, IllegalAction> {
        match self.why_illegal(action) {
            Some(reason) => Err(reason),
            None => {
                let mut next = *self;
                next.play_unchecked(action);
                Ok(next)
            }
        }
    }

    /// Plays an action that the caller knows to be legal here; any other leaves a position that no game can reach.
    ///
    /// Points that only one die can absorb are absorbed at once.
    #[inline]
    pub fn play_unchecked(&mut self, action: Action) {
        debug_assert!(self.is_legal(action), "{action:?} in {self}");
        match action {
            Action::Move { from, direction } => self.play_move(from, direction),
            Action::Exchange {
                from,
                direction,
                points,
            } => {
                let (to, _) = geometry::step(from, direction);
                self.change_speed(self.to_move, from, self.pips[from.index()] - points);
                self.change_speed(self.to_move, to, self.pips[to.index()] + points);
                self.end_turn(0, false);
            }
            Action::Absorb { cell } => {
                self.absorb(cell);
                self.absorb_forced();
            }
        }
    }

    /// The position if the player to move could pass, which the rules do not allow: what a search supposes to see
    /// whether there is a threat. `None` if there is something to absorb.
    #[must_use]
    pub fn passed(&self) -> Option<Self> {
        (self.missing == 0).then(|| {
            let mut next = *self;
            next.end_turn(0, false);
            next
        })
    }

    fn play_move(&mut self, from: Cell, direction: Direction) {
        let splits = self.splits(self.to_move, from);
        let speed = self.remove(self.to_move, from);
        let path = geometry::path(from, direction, speed);
        if path.target != Cell::CHAMBER {
            let captured = self.arrive(speed, path.target, path.arrival);
            self.end_turn(captured, false);
            return;
        }
        let [left, right] = Self::chamber_exits(path.arrival);
        let captured = match speed.split() {
            (large, Some(small)) if splits => self.arrive(large, left.0, left.1) + self.arrive(small, right.0, right.1),
            _ => self.arrive(speed, left.0, left.1),
        };
        self.end_turn(captured, true);
    }

    /// Lets an own die come to a cell: it stays there, captures, or bumps. Returns the pips captured.
    #[inline]
    fn arrive(&mut self, mut speed: Speed, mut cell: Cell, mut direction: Direction) -> u8 {
        let player = self.to_move;
        while self.dice[player].contains(cell) {
            let bumped = self.remove(player, cell);
            self.place(player, speed, cell);
            speed = bumped;
            (cell, direction) = geometry::step(cell, direction);
        }
        let captured = if self.dice[!player].contains(cell) {
            self.remove(!player, cell).pips()
        } else {
            0
        };
        self.place(player, speed, cell);
        captured
    }

    /// Gives the turn to the opponent, who lost `captured` pips.
    #[inline]
    fn end_turn(&mut self, captured: u8, through_chamber: bool) {
        self.quiet_turns = if captured > 0 || through_chamber {
            0
        } else {
            self.quiet_turns.saturating_add(1)
        };
        if self.to_move == Player::Black {
            self.turn = self.turn.saturating_add(1);
        }
        self.to_move = !self.to_move;
        self.key ^= zobrist::turn_passes();
        self.missing = captured;
        if captured > 0 {
            self.absorb_forced();
        }
    }

    /// Absorbs as long as just one die qualifies.
    pub(super) fn absorb_forced(&mut self) {
        while let Some(cell) = self.forced_absorber() {
            self.absorb(cell);
        }
    }

    /// The only die that can absorb, if there is just one.
    pub(super) fn forced_absorber(&self) -> Option<Cell> {
        let mut dice = self.absorbers().into_iter();
        let first = dice.next()?;
        dice.next().is_none().then_some(first)
    }

    /// Gives the points to absorb to one die, up to speed 6.
    fn absorb(&mut self, cell: Cell) {
        let speed = (self.pips[cell.index()] + self.missing).min(6);
        self.missing -= speed - self.pips[cell.index()];
        self.change_speed(self.to_move, cell, speed);
    }

    fn change_speed(&mut self, player: Player, cell: Cell, pips: u8) {
        let old = self.speed_unchecked(cell);
        let new = Speed::new_unchecked(pips);
        self.pips[cell.index()] = pips;
        self.key ^= zobrist::die(player, old, cell) ^ zobrist::die(player, new, cell);
    }
}

impl Position {
    /// The reason that an action is illegal here; `None` if it is legal.
    pub fn why_illegal(&self, action: Action) -> Option<IllegalAction> {
        use IllegalAction as Why;
        let player = self.to_move;
        let own = self.dice[player];
        if own.count() <= LOST {
            return Some(Why::GameOver { player });
        }
        if let Action::Absorb { cell } = action {
            return match self.missing {
                0 => Some(Why::NothingToAbsorb { player }),
                points if !self.absorbers().contains(cell) => Some(Why::NotLowest {
                    points,
                    dice: self.absorbers(),
                    cell,
                }),
                _ => None,
            };
        }
        if self.missing > 0 {
            return Some(Why::MustAbsorb {
                player,
                points: self.missing,
                dice: self.absorbers(),
            });
        }
        let (Action::Move { from, .. } | Action::Exchange { from, .. } | Action::Absorb { cell: from }) = action;
        if !own.contains(from) {
            return Some(match self.die(from) {
                Some(_) => Why::EnemyDie { player, cell: from },
                None => Why::NoDie { player, cell: from },
            });
        }
        match action {
            Action::Move { from, direction } => self.why_move_illegal(from, direction),
            Action::Exchange {
                from,
                direction,
                points,
            } => self.why_exchange_illegal(from, direction, points),
            Action::Absorb { .. } => None,
        }
    }

    fn why_move_illegal(&self, from: Cell, direction: Direction) -> Option<IllegalAction> {
        use IllegalAction as Why;
        if !geometry::directions(from).contains(&direction) {
            return Some(Why::Outward {
                from,
                instead: direction.reflected(),
            });
        }
        let path = geometry::path(from, direction, self.speed_unchecked(from));
        let blocked = path.between & self.obstacles();
        if !blocked.is_empty() {
            // The first obstacle on the way, not the first on the board.
            let (mut cell, mut heading) = geometry::step(from, direction);
            while !blocked.contains(cell) {
                (cell, heading) = geometry::step(cell, heading);
            }
            return Some(if cell == Cell::CHAMBER {
                Why::ThroughChamber { from }
            } else {
                Why::Blocked { from, cell }
            });
        }
        (!self.is_legal(Action::Move { from, direction })).then_some(Why::BumpIntoChamber { from })
    }

    fn why_exchange_illegal(&self, from: Cell, direction: Direction, points: u8) -> Option<IllegalAction> {
        use IllegalAction as Why;
        let Some(to) = geometry::neighbour(from, direction) else {
            return Some(Why::OffBoard { from, direction });
        };
        if !self.dice[self.to_move].contains(to) {
            return Some(Why::NoReceiver { cell: to });
        }
        let (giver, receiver) = (self.pips[from.index()], self.pips[to.index()]);
        if points == 0 {
            Some(Why::NoPoints)
        } else if points >= giver {
            Some(Why::GivesTooMuch { from, giver, points })
        } else if receiver + points > 6 {
            Some(Why::ReceivesTooMuch { to, receiver, points })
        } else {
            None
        }
    }
}
