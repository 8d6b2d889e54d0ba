//! Threats after a first move: captures, and moves into the Chamber.

use chase_engine::Player;
use chase_engine::chase::{Action, Bitboard, Cell, Position, geometry};

use super::lines::{attackers, ends_on, names, with_turn};
use crate::FirstMove;

/// White's possibilities in the next turn after a first move, if Black passed.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub first_move: String,
    pub safe: bool,
    pub is_exchange: bool,
    pub entries: Vec<ChamberMove>,
    /// Number of Black's dice that White attacks.
    pub attacked: usize,
}

/// A possible Chamber move.
#[derive(Clone, Debug)]
pub struct ChamberMove {
    pub die: Cell,
    /// Each exit with White's other dice that attack it after the move.
    pub exits: [(Cell, Bitboard); 2],
}

impl Prepared {
    pub fn new(first: &FirstMove) -> Self {
        let position = with_turn(&first.result, Player::White).unwrap_or(first.result);
        let enters = |action: &Action| ends_on(&position, *action, Cell::CHAMBER);
        let entries = position.legal_actions().into_iter().filter(enters);
        let [reached] = position.attacks(Player::White);
        Self {
            first_move: first.text(),
            safe: first.class.is_called_safe(),
            is_exchange: matches!(first.action(), Action::Exchange { .. }),
            entries: entries
                .filter_map(|action| ChamberMove::new(&position, action))
                .collect(),
            attacked: (reached & position.dice(Player::Black)).count(),
        }
    }

    pub fn is_defended_entry(&self) -> bool {
        let defended = |entry: &ChamberMove| entry.exits.iter().all(|(_, guards)| !guards.is_empty());
        self.entries.iter().any(defended)
    }

    pub fn threatens(&self) -> bool {
        !self.entries.is_empty() || self.attacked > 0
    }
}

impl ChamberMove {
    fn new(position: &Position, action: Action) -> Option<Self> {
        let Action::Move { from, direction } = action else {
            return None;
        };
        let speed = position.die(from)?.speed;
        let entering = geometry::path(from, direction, speed).arrival;
        let exits = Position::chamber_exits(entering).map(|(cell, _)| cell);
        let after = position.play(action).ok()?;
        // The new dice do not count as guards of each other: the article means the dice behind them.
        let newcomers: Bitboard = exits.into_iter().collect();
        let guarded = |exit| (exit, attackers(&after, Player::White, exit) & !newcomers);
        let exits = exits.map(guarded);
        Some(Self { die: from, exits })
    }

    /// `E4 by A6; F5 by –`.
    pub fn exits_in_words(&self) -> String {
        let exits = self.exits.map(|(exit, guards)| format!("{exit} by {}", names(guards)));
        exits.join("; ")
    }
}
