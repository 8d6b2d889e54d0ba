//! Players with an efficiently updatable network.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use chase_arena::tournament::{Tournament, TournamentConfig};
use chase_arena::{Contestant, Match, MatchResult, Openings, PlayerSpec};
use chase_engine::chase::{Rules, Seen};
use chase_engine::{Chase, Chess, ConnectFour, GameName, SparseView};
use chase_fixtures::untrained;
use chase_models::checkpoint::WEIGHTS_FILE;
use chase_models::device::Device;
use chase_nnue::{NETWORK_FILE, StoredNetwork, Weights};
use chase_training::settings::Settings;
use chase_training::store::run_state::RunState;
use serde_json::Value;
use tempfile::tempdir;

/// Writes a network that judges by dice, `per_die` logits each, into a folder; the folder's path.
pub fn write(folder: &Path, per_die: f32) -> String {
    fs::create_dir_all(folder).unwrap();
    let weights = Weights::piece_difference(Seen::INPUTS, 32, per_die, Seen::is_own);
    let bytes = StoredNetwork::bytes(GameName::Chase, &weights, &BTreeMap::new()).unwrap();
    fs::write(folder.join(NETWORK_FILE), bytes).unwrap();
    folder.to_str().unwrap().to_owned()
}

fn contestant(text: &str) -> Contestant<Chase> {
    text.parse::<PlayerSpec>().unwrap().contestant(Device::Cpu).unwrap()
}

fn play(first: &str, second: &str, pairs: u32) -> MatchResult {
    let conditions = Match {
        rules: Rules::default(),
        openings: Openings::Random { plies: 4 },
        seed: 3,
        max_plies: 400,
        pairs_at_once: 1,
    };
    let [first, second] = [first, second].map(contestant);
    conditions.play([&first, &second], 0..pairs, &|_| ()).unwrap()
}

#[test]
fn counting_dice_and_looking_ahead_beats_random_and_greedy_play() {
    let home = tempdir().unwrap();
    let player = format!("nnue:{},nodes=400", write(home.path(), 1.0));
    for opponent in ["random", "greedy"] {
        let result = play(&player, opponent, 4);
        let counts = result.games();
        assert!(counts.wins >= 7, "{opponent}: {counts:?}");
        // The effort of its searches is in the games, and hardly beyond its limit unless that was less than a ply.
        let effort = &result.pairs[0].games[0].effort;
        let searches: Vec<_> = effort.depths.iter().zip(&effort.nodes).collect();
        assert!(searches.iter().any(|(depth, _)| **depth > Some(1)), "{searches:?}");
        for (depth, nodes) in searches {
            assert!(*depth <= Some(1) || *nodes <= Some(410), "{depth:?} {nodes:?}");
        }
    }
}

#[test]
fn a_match_is_the_same_each_time_with_the_file_or_its_folder() {
    let home = tempdir().unwrap();
    let folder = write(home.path(), 1.0);
    let of = |path: &str| play(&format!("nnue:{path},nodes=100"), "greedy", 2).pairs;
    let games = of(&folder);
    assert_eq!(of(&folder), games);
    assert_eq!(of(&format!("{folder}/{NETWORK_FILE}")), games);
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
    let weights = format!("{first}/{WEIGHTS_FILE}");
    assert!(
        refused(&weights).starts_with("PATH is not a network of this kind: "),
        "{}",
        refused(&weights)
    );
    let missing = home.path().join("none").display().to_string();
    assert!(
        refused(&missing)
            .starts_with("PATH: there is no such folder: expected a run of an efficiently updatable network"),
        "{}",
        refused(&missing)
    );
    let empty = home.path().display().to_string();
    assert!(
        refused(&empty).starts_with(
            "PATH: there is no nnue.safetensors in it: expected a run of an efficiently updatable network"
        ),
        "{}",
        refused(&empty)
    );
}

#[test]
fn a_tournament_knows_its_networks_by_their_hashes() {
    let home = tempdir().unwrap();
    let path = write(&home.path().join("network"), 1.0);
    let config = format!("players = ['second=nnue:{path},nodes=50', 'random']\npairs = 2\nbootstrap = 0");
    let directory = home.path().join("tournament");
    let config = TournamentConfig::load(Some(("test", &config)), &[]).unwrap();
    let mut tournament = Tournament::<Chase>::create(&directory, config).unwrap();
    tournament.play(&AtomicBool::new(false), &mut |_| {}).unwrap();
    tournament.write_report().unwrap();
    drop(tournament);
    let players: Value = serde_json::from_slice(&fs::read(directory.join("players.json")).unwrap()).unwrap();
    let stored = StoredNetwork::read(Path::new(&path)).unwrap();
    assert_eq!(players[0]["network"]["sha256"], stored.sha256);
    assert!(players[1]["network"].is_null(), "{players}");

    let resume = || Tournament::<Chase>::resume(&directory, |began| TournamentConfig::load(Some(began), &[]));
    assert!(resume().is_ok());
    // Written over, and with it the copy, which is a link where the disk allows.
    write(Path::new(&path), 0.5);
    let error = resume().unwrap_err().to_string();
    assert!(
        error.starts_with("player `second`: ") && error.contains("is not the network that the games were begun with"),
        "{error}"
    );
}
