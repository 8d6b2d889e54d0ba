//! Limits of a search, and its pruning.

use std::time::Duration;

/// The most plies that can be searched, quiescence aside.
pub const MAX_DEPTH: u32 = 64;

/// Limits of a search: it stops at the first one that is reached. One ply is always searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Plies, from 1 to [`MAX_DEPTH`].
    pub depth: u32,
    /// Nodes, those of quiescence included.
    pub nodes: Option<u64>,
    /// Time for one decision. The result then depends on the machine and its load.
    pub time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: MAX_DEPTH,
            nodes: None,
            time: None,
        }
    }
}

/// Shortcuts of a search, each on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pruning {
    /// Late actions that gain nothing are searched less deeply first.
    pub reductions: bool,
    /// A position that stays good if its player passes is not searched in full.
    pub null_move: bool,
    /// Near the horizon, positions far outside of the window are judged at once.
    pub futility: bool,
    /// The window at the root begins around the value of the depth before.
    pub aspiration: bool,
    /// Choices of dice to absorb do not count as plies.
    pub extensions: bool,
    /// Below the horizon, what gains at once is tried until nothing does.
    pub quiescence: bool,
    /// Results of earlier searches of a position decide, of the same depth or deeper. Without it they only say which
    /// action to try first.
    pub results: bool,
}

impl Pruning {
    /// Plain minimax of a fixed depth.
    pub const NONE: Self = Self {
        reductions: false,
        null_move: false,
        futility: false,
        aspiration: false,
        extensions: false,
        quiescence: false,
        results: false,
    };
    /// The names of the shortcuts.
    pub const NAMES: [&str; 7] = [
        "reductions",
        "null-move",
        "futility",
        "aspiration",
        "extensions",
        "quiescence",
        "results",
    ];
    /// All shortcuts, which plays best.
    pub const ALL: Self = Self {
        reductions: true,
        null_move: true,
        futility: true,
        aspiration: true,
        extensions: true,
        quiescence: true,
        results: true,
    };

    /// A shortcut by its name; `None` if there is none of this name.
    pub fn shortcut(&mut self, name: &str) -> Option<&mut bool> {
        let Self {
            reductions,
            null_move,
            futility,
            aspiration,
            extensions,
            quiescence,
            results,
        } = self;
        let all = [
            reductions, null_move, futility, aspiration, extensions, quiescence, results,
        ];
        Self::NAMES
            .into_iter()
            .zip(all)
            .find_map(|(known, on)| (known == name).then_some(on))
    }
}
