//! The words that texts of players begin with.

use std::path::Path;

use chase_models::shipped;
use chase_training::kinds::NetworkKind;

use super::grammar::{PlayerSpecError, one_of};
use super::{baselines, external, network, nnue};

/// The words at the beginning of players' texts.
fn kinds() -> impl Iterator<Item = &'static str> {
    let baselines = baselines::FORMS.iter().map(|form| form.name);
    baselines.chain([network::FORM.name, nnue::FORM.name, external::FORM.name])
}

pub(super) fn is_kind(word: &str) -> bool {
    kinds().any(|kind| kind == word)
}

/// The error for a text that begins with this word, which is none of the kinds.
pub(super) fn unknown(word: &str) -> PlayerSpecError {
    let kinds: Vec<_> = kinds().collect();
    let mut expected = format!("{}, or the folder of a run or a checkpoint", one_of(&kinds));
    if word.starts_with("agent-") || word.starts_with("nnue-") {
        let first: Vec<_> = shipped::names().collect();
        let second = chase_nnue::shipped::NAME;
        expected += &format!("; the built-in agents are {} and {second}", first.join(", "));
    }
    PlayerSpecError::kind(word, &kinds, expected)
}

/// The names of the built-in agents of both families.
fn built_in() -> impl Iterator<Item = &'static str> {
    shipped::names().chain([chase_nnue::shipped::NAME])
}

/// True if a text is the path of a network without `net:` or `nnue:`: a built-in one, a path with a slash, or a folder
/// that exists.
pub(crate) fn is_bare_network(text: &str) -> bool {
    let is_path = || text.contains('/') && !is_kind(text.split(':').next().unwrap_or_default());
    built_in().any(|name| name == text) || is_path() || !is_kind(text) && !text.is_empty() && Path::new(text).is_dir()
}

/// True if the network at a path without `nnue:` is one of the second family.
pub(super) fn is_of_second_family(path: &str) -> bool {
    let path = Path::new(path);
    chase_nnue::shipped::is_shipped(path) || NetworkKind::of(path) == NetworkKind::Nnue
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

    #[test]
    fn what_was_probably_meant_is_named() {
        let told = |text: &str| text.parse::<PlayerSpec>().expect_err("no player").to_string();
        let swapped = told("rnadom");
        assert!(
            swapped.starts_with("unknown player `rnadom` (did you mean random?): expected random, greedy"),
            "{swapped}"
        );
        let agent = told("agent-99");
        assert!(
            agent.ends_with("a checkpoint; the built-in agents are agent-71, agent-41 and nnue-57"),
            "{agent}"
        );
    }

    #[test]
    fn the_built_in_network_of_the_second_family_needs_no_prefix() {
        let player: PlayerSpec = "nnue-57,ms=5".parse().expect("a player");
        assert_eq!(player.to_string(), "nnue:nnue-57,ms=5");
    }

    #[test]
    fn a_run_of_the_second_family_needs_no_prefix() {
        let folder = tempfile::tempdir().expect("a folder");
        let run = folder.path().join("run");
        let checkpoint = run.join("checkpoints/gen-000000");
        std::fs::create_dir_all(&checkpoint).expect("folders");
        std::fs::write(run.join("config.toml"), "family = 'nnue'").expect("a file");
        std::fs::write(checkpoint.join("nnue.safetensors"), "").expect("a file");
        for path in [run, checkpoint] {
            let path = path.display();
            let player: PlayerSpec = format!("{path},nodes=5").parse().expect("a player");
            assert_eq!(player.to_string(), format!("nnue:{path},nodes=5"));
        }
    }
}
