//! The words that texts of players begin with.

use std::path::Path;

use chase_models::shipped;

use super::grammar::one_of;
use super::{baselines, external, network, nnue};

/// The words at the beginning of players' texts.
fn kinds() -> impl Iterator<Item = &'static str> {
    let baselines = baselines::FORMS.iter().map(|form| form.name);
    baselines.chain([network::FORM.name, nnue::FORM.name, external::FORM.name])
}

pub(super) fn is_kind(word: &str) -> bool {
    kinds().any(|kind| kind == word)
}

/// What a text that begins with none of the kinds could have been.
pub(super) fn expected() -> String {
    let kinds: Vec<_> = kinds().collect();
    format!("{}, or the folder of a run or a checkpoint", one_of(&kinds))
}

/// True if a text is the path of a network without `net:`: the built-in one, a path with a slash, or a folder that exists.
pub(crate) fn is_bare_network(text: &str) -> bool {
    let is_path = || text.contains('/') && !is_kind(text.split(':').next().unwrap_or_default());
    text == shipped::NAME || is_path() || !is_kind(text) && !text.is_empty() && Path::new(text).is_dir()
}

#[cfg(test)]
mod tests {
    use super::is_bare_network;
    use crate::players::PlayerSpec;

    /// Tests run in the folder of their crate, which has `src`.
    #[test]
    fn a_folder_needs_no_slash_to_be_a_network() {
        let read = |text: &str| text.parse().map(|player: PlayerSpec| player.to_string());
        assert_eq!(read("src").as_deref(), Ok("net:src"));
        assert_eq!(read("src,simulations=5").as_deref(), Ok("net:src,simulations=5"));
        assert!(is_bare_network("src") && PlayerSpec::begins_in("src,simulations"));
        let error = read("srcs").expect_err("no folder").to_string();
        assert_eq!(
            error,
            "unknown player `srcs`: expected random, greedy, alpha-beta, rollouts, net, nnue or ugi, or the folder of a run or \
             a checkpoint"
        );
    }
}
