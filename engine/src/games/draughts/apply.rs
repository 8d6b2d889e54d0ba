//! Playing actions.

use super::action::Action;
use super::cell::Cell;
use super::piece::Rank;
use super::position::Position;
use super::variant::Variant;
use crate::Player;

/// The rank where the men of each player become kings.
pub(super) const fn king_row(player: Player) -> usize {
    match player {
        Player::White => 7,
        Player::Black => 0,
    }
}

impl<V: Variant> Position<V> {
    /// The position after an action; `None` if it is not legal.
    pub fn play(&self, action: Action) -> Option<Self> {
        self.is_legal(action).then(|| {
            let mut next = *self;
            next.play_unchecked(action);
            next
        })
    }

    /// Plays a legal action. The effect of an illegal one is not specified, beyond memory safety.
    #[inline(always)]
    pub fn play_unchecked(&mut self, action: Action) {
        let player = self.to_move;
        let (over, to) = action.way(V::BOARD).expect("a legal action stays on the board");
        let (from, arrival) = (action.from.bit(), to.bit());
        if let Some(over) = over {
            self.beat(action.from, over);
        }
        self.stacks.go(action.from, to);
        let is_man = self.men[player] & from != 0;
        let crowned = is_man && to.rank() == king_row(player);
        let tops = if is_man { &mut self.men } else { &mut self.kings };
        tops[player] ^= from;
        if crowned {
            self.stacks.crown(to);
            self.kings[player] |= arrival;
        } else {
            tops[player] |= arrival;
        }
        if over.is_some() || is_man {
            self.quiet_turns = 0;
        } else {
            self.quiet_turns += 1;
        }
        self.jumper = (over.is_some() && !crowned && self.can_jump_from(to)).then_some(to);
        if self.jumper.is_none() {
            self.jumped = 0;
            self.turn += u32::from(player == Player::Black);
            self.to_move = !player;
        }
    }

    /// Takes the top piece off a cell: to the bottom of the stack that jumps it, or off the board.
    #[inline]
    fn beat(&mut self, captor: Cell, over: Cell) {
        let (player, enemy) = (self.to_move, !self.to_move);
        let cell = over.bit();
        self.men[enemy] &= !cell;
        self.kings[enemy] &= !cell;
        if !V::BASE.has_stacks() {
            self.stacks.lift(over);
            return;
        }
        if let Some(top) = self.stacks.capture(captor, over) {
            let tops = if top.rank == Rank::King {
                &mut self.kings
            } else {
                &mut self.men
            };
            tops[top.player] |= cell;
            if top.player != player {
                self.jumped |= cell;
            }
        }
    }
}
