//! Players with an efficiently updatable network.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use chase_arena::PlayerSpec;
use chase_engine::chase::Seen;
use chase_engine::{Chase, Chess, ConnectFour, GameName, SparseView};
use chase_fixtures::untrained;
use chase_models::device::Device;
use chase_nnue::{NETWORK_FILE, StoredNetwork, Weights};
use chase_training::store::run_state::RunState;
use tempfile::tempdir;

/// Writes a network that judges by dice, `per_die` logits each, into a folder; the folder's path.
pub fn write(folder: &Path, per_die: f32) -> String {
    fs::create_dir_all(folder).unwrap();
    let weights = Weights::piece_difference(Seen::INPUTS, 32, per_die, Seen::is_own);
    let bytes = StoredNetwork::bytes(GameName::Chase, &weights, &BTreeMap::new()).unwrap();
    fs::write(folder.join(NETWORK_FILE), bytes).unwrap();
    folder.to_str().unwrap().to_owned()
}

#[test]
fn a_run_plays_with_its_newest_checkpoint() {
    let home = tempdir().unwrap();
    let run = home.path().join("run");
    let newest = run.join("checkpoints/gen-000003");
    fs::create_dir_all(run.join("checkpoints/gen-000002")).unwrap();
    write(&newest, 1.0);
    fs::write(run.join("meta.json"), "{}").unwrap();
    let state = RunState {
        generation: 3,
        ..RunState::default()
    };
    state.write(&run.join("state.json")).unwrap();
    let player: PlayerSpec = format!("nnue:{},nodes=9", run.display()).parse().unwrap();
    assert!(player.contestant::<Chase>(Device::Cpu).is_ok());
    let settled = player.settled().unwrap().to_string();
    assert_eq!(settled, format!("nnue:{},nodes=9", newest.display()));
}

#[test]
fn other_games_and_other_files_are_refused() {
    let home = tempdir().unwrap();
    let path = write(&home.path().join("second"), 1.0);
    let player: PlayerSpec = format!("nnue:{path}").parse().unwrap();
    let error = player.contestant::<ConnectFour>(Device::Cpu).unwrap_err().to_string();
    assert_eq!(
        error,
        format!("player `nnue:{path}`: there are no such networks for connect-four, which offers no sparse inputs")
    );
    let error = player.contestant::<Chess>(Device::Cpu).unwrap_err().to_string();
    assert_eq!(
        error,
        format!("player `nnue:{path}`: {path} is a network for chase, expected a network for chess")
    );
    assert_eq!(player.game(), Some(GameName::Chase));

    let refused = |path: &str| {
        let player: PlayerSpec = format!("nnue:{path}").parse().unwrap();
        let error = player.contestant::<Chase>(Device::Cpu).unwrap_err().to_string();
        let rest = error.strip_prefix(&format!("player `nnue:{path}`: "));
        rest.unwrap_or_else(|| panic!("{error}")).replace(path, "PATH")
    };
    let first = home.path().join("first");
    untrained(&first, 1);
    let first = first.to_str().unwrap();
    assert_eq!(
        refused(first),
        "PATH is a checkpoint of a residual network: expected a folder with nnue.safetensors, or the player net:PATH"
    );
}
