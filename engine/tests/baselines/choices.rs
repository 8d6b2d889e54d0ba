//! Choices of the baselines in some positions of every game, as a file that their users are tested against:
//! `experiments/arena/tests/baselines.rs` and `python/tests/test_baselines.py`. `UPDATE_EXPECT=1` writes it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use chase_engine::alpha_beta::{AlphaBeta, ByHeuristic, Limits, Pruning, Request, Settings};
use chase_engine::baselines::{Greedy, Random};
use chase_engine::{Game, GameName, Heuristic, seed, with_game};
use rand::rngs::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

const FILE: &str = "tests/baselines/choices.json";
const SEED: u64 = 7;

/// Choices in a position, as policy indices; the last three are missing where there is no heuristic.
#[derive(Debug, PartialEq, Deserialize, Serialize)]
struct Chosen {
    game: String,
    position: String,
    seed: u64,
    /// Index of the position in the list of its game.
    place: usize,
    random: usize,
    /// Worth of the position to the player to move.
    heuristic: Option<i32>,
    greedy: Option<usize>,
    alpha_beta: Vec<Search>,
}

#[derive(Debug, PartialEq, Deserialize, Serialize)]
struct Search {
    limits: Limited,
    action: usize,
    score: i32,
    plies_to_win: Option<i32>,
    depth: u32,
    nodes: u64,
}

/// Settings and limits, without those that depend on the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
struct Limited {
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quiescence: Option<bool>,
}

impl Limited {
    fn limits(self) -> Limits {
        let all = Limits::default();
        Limits {
            depth: self.depth.unwrap_or(all.depth),
            nodes: self.nodes,
            ..all
        }
    }

    fn settings(self) -> Settings {
        let plain = Settings::PLAIN;
        let pruning = Pruning {
            quiescence: self.quiescence.unwrap_or(plain.pruning.quiescence),
            ..plain.pruning
        };
        Settings { pruning, ..plain }
    }
}

fn searches() -> [Limited; 3] {
    let none = Limited::default();
    [
        Limited { depth: Some(2), ..none },
        Limited {
            depth: Some(3),
            quiescence: Some(false),
            ..none
        },
        Limited {
            nodes: Some(3000),
            ..none
        },
    ]
}

/// The generator of a position by its place in the list, the same for every choice there. The name is that of the
/// Python package.
fn generator(place: usize) -> Xoshiro256PlusPlus {
    seed::named("python baselines", &[SEED, place as u64])
}

/// Positions of random games, from the first ply to the last but one; without their history, which is not in a text.
fn positions<G: Game>(name: GameName) -> Vec<G> {
    let rules = name.rules::<G>();
    let mut found = Vec::new();
    for number in 0..2 {
        let mut rng = seed::named("choices", &[number]);
        let (mut random, mut game, mut line) = (Random::new(), G::start(&rules, &mut rng), Vec::new());
        while game.outcome().is_none() {
            line.push(game.position_text());
            let action = random.choose(&game, &mut rng);
            game.apply(action);
        }
        let last = line.len() - 1;
        for place in [last / 4, last / 2, last] {
            found.push(G::from_position_text(&line[place], &rules).unwrap());
        }
    }
    found
}

fn chosen<G: Heuristic>(name: GameName, place: usize, game: &G) -> Chosen {
    let index = |action| game.policy_index(action);
    let searched = |limited: Limited| {
        let mut search = AlphaBeta::new(ByHeuristic, limited.settings());
        let found = search.best(game, Request::new(limited.limits()).shuffled(&mut generator(place)));
        Search {
            limits: limited,
            action: index(found.action),
            score: found.value,
            plies_to_win: found.plies_to_win(),
            depth: found.depth,
            nodes: found.nodes,
        }
    };
    Chosen {
        game: name.to_string(),
        position: game.position_text(),
        seed: SEED,
        place,
        random: index(Random::new().choose(game, &mut generator(place))),
        heuristic: G::HAS_HEURISTIC.then(|| game.heuristic(game.to_move())),
        greedy: G::HAS_HEURISTIC.then(|| index(Greedy::new().choose(game, &mut generator(place)))),
        alpha_beta: match G::HAS_HEURISTIC {
            true => searches().into_iter().map(searched).collect(),
            false => Vec::new(),
        },
    }
}

fn choices<G: Heuristic>(name: GameName) -> Vec<Chosen> {
    let games = positions::<G>(name);
    let chosen = games.iter().enumerate().map(|(place, game)| chosen(name, place, game));
    chosen.collect()
}

#[test]
fn baselines_choose_what_is_written_down() {
    let found: Vec<Chosen> = GameName::ALL
        .iter()
        .flat_map(|&game| with_game!(game, G => choices::<G>(game)))
        .collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let lines: Vec<String> = found.iter().map(|one| serde_json::to_string(one).unwrap()).collect();
        std::fs::write(&path, format!("[\n{}\n]\n", lines.join(",\n"))).unwrap();
    }
    let expected: Vec<Chosen> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    let searches = || expected.iter().flat_map(|chosen| &chosen.alpha_beta);
    let proven = searches().filter(|search| search.plies_to_win.is_some()).count();
    assert!(proven > 10, "an end is proven {proven} times only");
    // A limit of nodes lets it search further.
    assert!(searches().any(|search| search.depth > 3));
}
