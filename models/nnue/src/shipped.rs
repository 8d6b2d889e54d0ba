//! The built-in network.
//!
//! Its file is part of the program, so that it is there wherever the program runs. [`NAME`] stands for it wherever the
//! path of a network is expected; it is read and verified like any other.

use std::ffi::OsStr;
use std::path::Path;

use chase_engine::GameName;

/// Name of the network. As a path it means the one in the program; with `./` in front it means a folder.
pub const NAME: &str = "nnue-57";

/// The game that it plays.
pub const GAME: GameName = GameName::Chase;

/// `models/agents/`[`NAME`]`/nnue.safetensors`.
pub(crate) const FILE: &[u8] = include_bytes!("../../agents/nnue-57/nnue.safetensors");

/// True if a path means the built-in network.
pub fn is_shipped(path: &Path) -> bool {
    path.as_os_str() == OsStr::new(NAME)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StoredNetwork;

    #[test]
    fn the_shipped_network_is_whole_and_its_name_is_no_folder() {
        let stored = StoredNetwork::read(Path::new(NAME)).expect("a network");
        assert_eq!(stored.game, GAME);
        assert!(stored.facts.contains_key("git"), "{:?}", stored.facts);
        assert!(!is_shipped(Path::new("./nnue-57")) && !is_shipped(Path::new("models/agents/nnue-57")));
    }
}
