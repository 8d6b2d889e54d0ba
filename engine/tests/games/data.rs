//! Reference data of two independent implementations, as the files in `data/` have them.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::LazyLock;

use chase_engine::GameName;
use serde::Deserialize;
use serde::de::DeserializeOwned;

pub fn unpack(packed: &[u8]) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text).unwrap();
    text
}

pub fn lines<T: DeserializeOwned>(packed: &[u8]) -> Vec<T> {
    let text = unpack(packed);
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A position with all its successors.
#[derive(Deserialize)]
pub struct Successors {
    pub game: String,
    pub position: String,
    pub n_actions: usize,
    actions: Vec<Ply>,
    /// The winner.
    pub outcome: Option<String>,
}

#[derive(Deserialize)]
struct Ply {
    action: String,
    result: String,
}

impl Successors {
    /// The position after each legal action.
    pub fn results(&self) -> BTreeMap<String, String> {
        let plies = self.actions.iter();
        plies.map(|ply| (ply.action.clone(), ply.result.clone())).collect()
    }
}

pub static POSITIONS: LazyLock<Vec<Successors>> = LazyLock::new(|| {
    let mut positions = lines(include_bytes!("../data/games/positions.jsonl.gz"));
    positions.extend(lines::<Successors>(include_bytes!(
        "../data/games/chess-cyl/positions.jsonl.gz"
    )));
    positions
});

/// Numbers of lines from a position, by depth from 1.
#[derive(Deserialize)]
pub struct PerftCounts {
    pub position: String,
    /// By plies.
    pub nodes: Vec<u64>,
    /// By whole turns, in the draughts games.
    #[serde(default)]
    pub turns: Vec<u64>,
}

/// Counts of one game.
#[derive(Deserialize)]
pub struct PerftData {
    pub start: PerftCounts,
    pub positions: Vec<PerftCounts>,
}

impl PerftData {
    /// The counts of every game that has some.
    pub fn all() -> Vec<(GameName, Self)> {
        let [games, chess]: [&[u8]; 2] = [
            include_bytes!("../data/games/perft.json.gz"),
            include_bytes!("../data/games/chess-cyl/perft.json.gz"),
        ];
        let read = |packed: &[u8]| serde_json::from_str::<BTreeMap<String, Self>>(&unpack(packed)).unwrap();
        let all = read(games).into_iter().chain(read(chess));
        all.map(|(name, data)| (name.parse().unwrap(), data)).collect()
    }
}

/// A whole game of random actions.
#[derive(Deserialize)]
pub struct RandomGame {
    pub game: String,
    pub start: String,
    pub actions: Vec<String>,
    /// The position after every tenth ply.
    pub every_tenth: Vec<String>,
    pub last: String,
    pub end: Option<String>,
    /// The reason for the end, in the draughts games.
    pub reason: Option<String>,
    pub plies: Option<u32>,
}

pub static GAMES: LazyLock<Vec<RandomGame>> = LazyLock::new(|| {
    let mut games = lines(include_bytes!("../data/games/games.jsonl.gz"));
    games.extend(lines::<RandomGame>(include_bytes!(
        "../data/games/chess-cyl/games.jsonl.gz"
    )));
    games
});
