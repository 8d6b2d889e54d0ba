//! Settings and limits of a search.

use std::time::Duration;

/// The most plies that can be searched, quiescence aside.
// A bound of the memory. Not measured.
pub const MAX_DEPTH: u32 = 64;

/// Limits of a search: it stops at the first one that is reached. One ply is always searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Plies, from 1 to [`MAX_DEPTH`]; a number outside counts as the nearest inside.
    pub depth: u32,
    /// Nodes, those of quiescence included.
    pub nodes: Option<u64>,
    /// Time for one decision, in which the process [runs](crate::Moment). The result then depends on the machine and its load.
    pub time: Option<Duration>,
}

impl Limits {
    /// No limit but a depth.
    pub const fn depth(depth: u32) -> Self {
        Self {
            depth,
            nodes: None,
            time: None,
        }
    }

    /// No limit but a number of nodes.
    pub const fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::depth(MAX_DEPTH)
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::depth(MAX_DEPTH)
    }
}

/// The shortcuts and the memory of a search, whatever its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Shortcuts that are on.
    pub pruning: Pruning,
    /// Use of earlier results.
    pub memory: Memory,
    /// Size of the transposition table, in MiB.
    pub table_mib: usize,
}

impl Settings {
    /// Of the baseline: no shortcut that could change a value, but quiescence.
    pub const PLAIN: Self = Self {
        pruning: Pruning {
            quiescence: true,
            results: true,
            ..Pruning::NONE
        },
        memory: Memory::SameDepth,
        // Not measured. A change would change the games of every baseline that was measured.
        table_mib: 4,
    };

    /// The strongest settings: all shortcuts.
    pub const STRONG: Self = Self {
        pruning: Pruning::ALL,
        memory: Memory::Deeper,
        // Not measured.
        table_mib: 16,
    };
}

/// Use of earlier results of a search, in its table and for the order of actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Of the baseline. A result counts only for the depth it was found at. Positions differ by every counter of the rules
    /// ([`Game::key`](crate::Game::key)), and the newest result of a place in the table stays. Cut-offs of an action add up.
    SameDepth,
    /// Results of the same depth or deeper count, where a search only asks if a value is above a number: elsewhere the line
    /// is wanted too. Counters of the rules matter near their limits alone ([`Game::near_key`](crate::Game::near_key)). Of
    /// two places in the table one keeps the deepest result, the other the newest. Cut-offs count less the longer ago
    /// they were, and an action that was tried before another one cut off loses.
    Deeper,
}

/// Writes [`Pruning`] from one list of its shortcuts.
macro_rules! shortcuts {
    ($($(#[$doc:meta])* $field:ident = $name:literal),* $(,)?) => {
        /// Shortcuts of a search, each on or off.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Pruning {
            $($(#[$doc])* pub $field: bool,)*
        }

        impl Pruning {
            /// Plain minimax of a fixed depth.
            pub const NONE: Self = Self { $($field: false,)* };
            /// All shortcuts, which plays best.
            pub const ALL: Self = Self { $($field: true,)* };
            /// The names of the shortcuts.
            pub const NAMES: &[&str] = &[$($name),*];

            /// A shortcut by its name; `None` if there is none of this name.
            pub fn shortcut(&mut self, name: &str) -> Option<&mut bool> {
                match name {
                    $($name => Some(&mut self.$field),)*
                    _ => None,
                }
            }
        }
    };
}

shortcuts! {
    /// Late actions that gain nothing are searched less deeply first.
    reductions = "reductions",
    /// A position that stays good if its player [passes](crate::Game::null_move) is not searched in full.
    null_move = "null-move",
    /// Near the horizon, positions far outside of the window are judged at once.
    futility = "futility",
    /// The window at the root begins around the value of the depth before.
    aspiration = "aspiration",
    /// An action after which the same player acts again does not count as a ply.
    extensions = "extensions",
    /// Below the horizon, what gains at once is tried until nothing does.
    quiescence = "quiescence",
    /// Results of earlier searches of a position decide, as [`Memory`] says. Without it they only say which action to try
    /// first.
    results = "results",
}
