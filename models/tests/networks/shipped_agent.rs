//! Outputs of the built-in agent for some positions, as a file that other implementations of the network are tested
//! against: `python/tests/test_agent.py`. `UPDATE_EXPECT=1` writes it.

use std::path::Path;

use chase_engine::chase::Rules;
use chase_engine::{Chase, Encode, Game};
use chase_models::device::Device;
use chase_models::{Checkpoint, InferenceNetwork, Precision, shipped};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::rng;

const FILE: &str = "tests/networks/shipped_agent.json";
/// Another processor adds up in another order.
const TOLERANCE: f32 = 1e-4;

/// The network's output for one position.
#[derive(Deserialize, Serialize)]
struct Opinion {
    position: String,
    /// Policy indices of the legal actions, and the logits of each.
    actions: Vec<usize>,
    policy: Vec<f32>,
    /// Logits of win, draw and loss for the player to move.
    value: [f32; 3],
}

/// Every seventh position of a few random games.
fn positions() -> Vec<Chase> {
    let rules = Rules::default();
    let mut found = Vec::new();
    for seed in 1..=4 {
        let (mut game, mut rng, mut actions) = (Chase::new(&rules), rng(seed), Vec::new());
        while game.outcome().is_none() && found.len() < 8 * seed as usize {
            if game.plies().is_multiple_of(7) {
                // Without the history, which is not in the text.
                found.push(Chase::from_position_text(&game.position_text(), &rules).unwrap());
            }
            game.legal_actions(&mut actions);
            game.apply(actions[rng.random_range(0..actions.len())]);
        }
    }
    found
}

fn opinion(checkpoint: &Checkpoint<Chase>, network: &mut InferenceNetwork, game: &Chase) -> Opinion {
    let mut actions = Vec::new();
    game.legal_actions(&mut actions);
    let actions: Vec<usize> = actions.iter().map(|&action| game.policy_index(action)).collect();
    let wanted: Vec<i64> = actions.iter().map(|&index| index as i64).collect();
    let planes = Chase::encode_all(std::slice::from_ref(game), &checkpoint.encoding);
    let logits = network.forward(planes.view(), &wanted).unwrap();
    Opinion {
        position: game.position_text(),
        actions,
        policy: logits.policy.to_vec(),
        value: std::array::from_fn(|result| logits.value[[0, result]]),
    }
}

#[test]
fn the_shipped_agent_says_what_is_written_down() {
    let checkpoint = Checkpoint::<Chase>::load(shipped::NAME.as_ref(), Device::Cpu).unwrap();
    let mut network = InferenceNetwork::new(&checkpoint.network, Device::Cpu, Precision::F32).unwrap();
    let found: Vec<Opinion> = positions()
        .iter()
        .map(|game| opinion(&checkpoint, &mut network, game))
        .collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let lines: Vec<String> = found.iter().map(|one| serde_json::to_string(one).unwrap()).collect();
        std::fs::write(&path, format!("[\n{}\n]\n", lines.join(",\n"))).unwrap();
    }
    let expected: Vec<Opinion> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(found.len(), expected.len());
    assert!(found.len() > 20, "{} positions", found.len());
    for (found, expected) in found.iter().zip(&expected) {
        let position = &expected.position;
        assert_eq!((&found.position, &found.actions), (position, &expected.actions));
        let numbers = |one: &Opinion| one.policy.iter().chain(&one.value).copied().collect::<Vec<_>>();
        for (found, expected) in numbers(found).into_iter().zip(numbers(expected)) {
            assert!(
                (found - expected).abs() < TOLERANCE,
                "{found}, expected {expected}: {position}"
            );
        }
    }
}
