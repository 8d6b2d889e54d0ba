//! The effort of a choice.

use chase_engine::Moment;
use serde::{Deserialize, Serialize};

/// The effort of one choice; `None` for numbers that the player does not report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Plies: the depth of alpha-beta, the length of a tree search's expected line, or the depth that an external
    /// engine reports.
    pub depth: Option<u32>,
    /// Simulations of a tree search, nodes of alpha-beta, or the nodes that an external engine reports.
    pub nodes: Option<u64>,
    /// Wall-clock time, for players with a time limit and for external engines. Other players choose in batches, in
    /// which a single choice has no separate time, and a game between two of them is always the same to the byte.
    pub milliseconds: Option<u64>,
}

impl Effort {
    /// The effort of a search to this depth, with this many nodes.
    pub fn of_search(depth: usize, nodes: impl Into<u64>) -> Self {
        Self {
            depth: Some(depth as u32),
            nodes: Some(nodes.into()),
            milliseconds: None,
        }
    }

    /// Adds the time since the search began, for players with a limit of time.
    #[must_use]
    pub fn timed(self, begin: Option<Moment>) -> Self {
        Self {
            milliseconds: begin.map(|begin| begin.elapsed().as_millis() as u64),
            ..self
        }
    }
}

/// The effort of the choices in a game: a number for each ply after the opening, in order. A list is empty if no choice
/// has such a number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Efforts {
    /// [`Effort::depth`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depths: Vec<Option<u32>>,
    /// [`Effort::nodes`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Option<u64>>,
    /// [`Effort::milliseconds`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub milliseconds: Vec<Option<u64>>,
}

impl Efforts {
    /// True if nothing is known of any choice.
    pub const fn is_empty(&self) -> bool {
        self.depths.is_empty() && self.nodes.is_empty() && self.milliseconds.is_empty()
    }

    /// The lengths of the non-empty lists.
    pub(crate) fn lengths(&self) -> impl Iterator<Item = usize> {
        [self.depths.len(), self.nodes.len(), self.milliseconds.len()]
            .into_iter()
            .filter(|&length| length > 0)
    }
}

impl FromIterator<Effort> for Efforts {
    fn from_iter<T: IntoIterator<Item = Effort>>(efforts: T) -> Self {
        let efforts: Vec<Effort> = efforts.into_iter().collect();
        Self {
            depths: known(&efforts, |effort| effort.depth),
            nodes: known(&efforts, |effort| effort.nodes),
            milliseconds: known(&efforts, |effort| effort.milliseconds),
        }
    }
}

/// A number from each effort; an empty list if none is known.
fn known<T>(efforts: &[Effort], number: impl Fn(&Effort) -> Option<T>) -> Vec<Option<T>> {
    let numbers: Vec<Option<T>> = efforts.iter().map(number).collect();
    match numbers.iter().any(Option::is_some) {
        true => numbers,
        false => Vec::new(),
    }
}
