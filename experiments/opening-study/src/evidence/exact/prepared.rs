//! Threats after a first move: captures, and moves into the Chamber.

use chase_engine::Player;
use chase_engine::chase::{Action, Bitboard, Cell, Position, geometry};
use serde::Serialize;

use super::lines::{attackers, ends_on, names, with_turn};
use crate::FirstMove;

/// White's possibilities in the next turn after a first move, if Black passed.
#[derive(Clone, Debug, Serialize)]
pub struct Prepared {
    pub first_move: String,
    pub safe: bool,
    pub is_exchange: bool,
    pub entries: Vec<ChamberMove>,
    /// Number of Black's dice that White attacks.
    pub attacked: usize,
}

/// A possible Chamber move.
#[derive(Clone, Debug, Serialize)]
pub struct ChamberMove {
    pub die: String,
    pub exits: [String; 2],
    /// White's other dice that attack each exit after the move.
    pub guards: [String; 2],
    pub both_defended: bool,
}

impl Prepared {
    pub fn new(first: &FirstMove) -> Self {
        let position = with_turn(&first.result, Player::White).unwrap_or(first.result);
        let enters = |action: &Action| ends_on(&position, *action, Cell::CHAMBER);
        let entries = position.legal_actions().into_iter().filter(enters);
        let white = position.dice(Player::White).into_iter();
        let reached: Bitboard = white
            .map(|from| position.reach(from))
            .fold(Bitboard::EMPTY, |all, one| all | one);
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
        self.entries.iter().any(|entry| entry.both_defended)
    }

    pub fn threatens(&self) -> bool {
        !self.entries.is_empty() || self.attacked > 0
    }
}

impl ChamberMove {
    pub fn new(position: &Position, action: Action) -> Option<Self> {
        let Action::Move { from, direction } = action else {
            return None;
        };
        let speed = position.die(from)?.speed;
        let entering = geometry::path(from, direction, speed).arrival;
        let exits = Position::chamber_exits(entering).map(|(cell, _)| cell);
        let after = position.play(action).ok()?;
        // The new dice do not count as guards of each other: the article means the dice behind them.
        let newcomers: Bitboard = exits.into_iter().collect();
        let guards = exits.map(|exit| {
            let all = attackers(&after, Player::White, exit).into_iter();
            all.filter(|&guard| !newcomers.contains(guard)).collect::<Bitboard>()
        });
        Some(Self {
            die: from.to_string(),
            exits: exits.map(|exit| exit.to_string()),
            guards: guards.map(|guards| {
                if guards.is_empty() {
                    "no die".to_owned()
                } else {
                    names(guards)
                }
            }),
            both_defended: guards.iter().all(|guards| !guards.is_empty()),
        })
    }
}
