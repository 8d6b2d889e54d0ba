//! Kinds of networks, as evaluations have them play.

use chase_cluster::job::Files;
use chase_engine::{Playable, Wdl};
use chase_training::events::EvaluationRequest;
use chase_training::kinds::Kind;

use crate::players::Contestant;
use crate::remote::RemotePlayer;

/// A network's own evaluation of positions, without a search: probabilities of win, draw and loss for the player to
/// move.
pub type Opinion<'a, G> = Box<dyn FnMut(&[G]) -> anyhow::Result<Vec<Wdl>> + 'a>;

/// A kind of network that can be rated.
pub trait Rated: Kind<Game: Playable> {
    /// The network of a request as a contestant of this name.
    ///
    /// # Errors
    /// If it cannot be loaded or used.
    fn contestant(request: &EvaluationRequest<'_, Self>, name: &str) -> anyhow::Result<Contestant<Self::Game>>;

    /// The same as it is sent to other machines, as the player with this number. Its network is added to the files.
    ///
    /// # Errors
    /// If its files cannot be read.
    fn sent(request: &EvaluationRequest<'_, Self>, number: usize, files: &mut Files) -> anyhow::Result<RemotePlayer>;

    /// What the network says of positions.
    ///
    /// # Errors
    /// If it cannot be used.
    fn opinion<'a>(request: &EvaluationRequest<'a, Self>) -> anyhow::Result<Opinion<'a, Self::Game>>;

    /// Simulations, or else nodes, for each choice.
    fn effort(settings: &Self::Settings) -> [Option<u64>; 2];
}
