//! Baselines as texts choose what `experiments/baselines/tests/choices.rs` has written down.

use std::path::Path;

use chase_arena::{Choice, Decision, PlayerSpec};
use chase_engine::{GameName, Playable, seed, with_game};
use chase_models::device::Device;
use serde_json::Value;

/// A player's choice in a position that is written down, with the generator that was used there.
fn choice<G: Playable>(name: GameName, text: &str, written: &Value) -> (G, Choice<G::Action>) {
    let player: PlayerSpec = text.parse().unwrap();
    let position = written["position"].as_str().unwrap();
    let game = G::from_position_text(position, &name.rules::<G>()).unwrap();
    let place = ["seed", "place"].map(|name| written[name].as_u64().unwrap());
    let mut rng = seed::named("python baselines", &place);
    let mut decisions = [Decision::without_past(&game, &mut rng)];
    let contestant = player.contestant_for(name.name(), Device::Cpu).unwrap();
    let choices = contestant.agent().choose_batch(&mut decisions).unwrap();
    (game, choices[0])
}

fn check<G: Playable>(name: GameName, written: &Value) {
    let chosen = |text: &str| {
        let (game, choice) = choice::<G>(name, text, written);
        game.policy_index(choice.action) as u64
    };
    assert_eq!(Some(chosen("random")), written["random"].as_u64(), "{written}");
    let greedy = written["greedy"].as_u64();
    assert_eq!(greedy.is_some(), G::HAS_HEURISTIC);
    assert_eq!(greedy.map(|_| chosen("greedy")), greedy, "{written}");
    for search in written["alpha_beta"].as_array().unwrap() {
        let options = search["limits"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(key, value)| match value {
                Value::Bool(false) => format!("without={key}"),
                value => format!("{key}={value}"),
            });
        let text = format!("alpha-beta:{}", options.collect::<Vec<_>>().join(","));
        let (game, choice) = choice::<G>(name, &text, written);
        let found = [
            Some(game.policy_index(choice.action) as u64),
            choice.effort.depth.map(u64::from),
            choice.effort.nodes,
        ];
        let expected = ["action", "depth", "nodes"].map(|name| search[name].as_u64());
        assert_eq!(found, expected, "{text}: {written}");
    }
}

#[test]
fn texts_choose_what_the_baselines_choose() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../engine/tests/baselines/choices.json");
    let all: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert!(all.len() > 100);
    for written in &all {
        let name: GameName = written["game"].as_str().unwrap().parse().unwrap();
        with_game!(name, G => check::<G>(name, written));
    }
}
