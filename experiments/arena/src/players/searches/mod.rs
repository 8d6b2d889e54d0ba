//! The searches of players. A search is a form, how its agents are made, and a line in the list below.

pub(super) mod alpha_beta;
mod kept_trees;
mod strategies;
mod tree;

use chase_engine::search::Strategy;
use chase_engine::{Game, Playable};

use super::agent::{Agent, AgentFailure, Choice, Decision};
use super::contestant::Place;
use super::spec::{EvaluatorSpec, SearchSpec};

pub use tree::{SearchSettings, TreeAgent};

/// A function that returns new agents, all of which play alike.
pub(crate) type MakeAgent<G> = Box<dyn Fn() -> Box<dyn Agent<G>> + Send + Sync>;

/// The strategy of a player's tree search, with so many leaves at a time unless the player says how many.
type StrategyOf = fn(&SearchSpec, u32) -> Strategy;

/// What a search counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Simulations of a tree search.
    Simulations,
    /// Nodes of alpha-beta.
    Nodes,
}

/// What the grammar and the limits need to know of a search.
#[derive(Debug)]
pub struct SearchForm {
    /// Its name.
    pub name: &'static str,
    /// Explanation, as a sentence.
    pub meaning: &'static str,
    /// Its own options.
    pub(crate) options: &'static [&'static str],
    /// What it counts.
    pub unit: Unit,
    /// Simulations or nodes of a decision without any limit.
    pub usual: u64,
    /// The same of an analysis.
    pub analysis: u64,
    /// For a search that grows a tree, its strategy.
    pub(crate) strategy: Option<StrategyOf>,
    /// True if it plans with its limit of simulations.
    pub(crate) plans: bool,
    /// Why it makes no sense with an evaluator, as a sentence.
    pub(crate) refuses: fn(&EvaluatorSpec) -> Option<&'static str>,
}

/// Writes [`SearchKind`] from one list of searches, their forms, and how their agents are made.
macro_rules! searches {
    ($($kind:ident = $form:path, by $agents:path);* $(;)?) => {
        /// A search.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "each is explained in its form")]
        pub enum SearchKind {
            $($kind,)*
        }

        impl SearchKind {
            /// All searches.
            pub const ALL: &[Self] = &[$(Self::$kind),*];
            /// Their names.
            pub const NAMES: &[&str] = &[$($form.name),*];

            /// What is known of it.
            pub const fn form(self) -> &'static SearchForm {
                match self {
                    $(Self::$kind => &$form,)*
                }
            }

            /// A function that returns new agents of a player with this search.
            pub(super) fn agents<G: Playable>(
                self,
                spec: &SearchSpec,
                place: &Place<'_, G>,
            ) -> anyhow::Result<MakeAgent<G>> {
                match self {
                    $(Self::$kind => $agents(spec, place),)*
                }
            }
        }
    };
}

searches! {
    Puct = strategies::PUCT, by tree::agents;
    Gumbel = strategies::GUMBEL, by tree::agents;
    AlphaBeta = alpha_beta::FORM, by alpha_beta::agents;
}

impl SearchKind {
    /// The search with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|search| search.form().name == name)
    }
}

/// The only legal action, if there is a single one.
fn forced<G: Game>(game: &G) -> Option<G::Action> {
    let mut actions = Vec::new();
    game.legal_actions(&mut actions);
    match actions[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// Stands for an agent that could not be created.
pub(crate) struct Broken(String);

impl<G: Game> Agent<G> for Broken {
    fn choose_batch(&mut self, _: &mut [Decision<'_, G>]) -> Result<Vec<Choice<G::Action>>, AgentFailure> {
        Err(AgentFailure(self.0.clone()))
    }
}
