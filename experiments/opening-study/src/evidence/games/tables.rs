//! All games and all plies as Parquet files, for pandas, polars and DuckDB. `docs/src/study/games.md` describes the
//! columns.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use chase_engine::Player;
use chase_engine::chase::Action;
use chase_models::manifest::FileFacts;
use chase_training::store::files::FileError;
use chase_training::store::tables::{self, Facts, RecordBatch, TableFile};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::design::Design;
use super::facts::GameFacts;
use super::series::Series;
use crate::evidence::score::score;
use chase_arena::games::{PlayedGame, Replayed};

/// Version of the columns.
const SCHEMA_VERSION: u32 = 1;

/// A table of a study, with this version of its columns.
pub(crate) fn table(path: PathBuf, schema_version: u32, design: &Design) -> TableFile {
    let players = design.players.iter().map(|player| {
        let (name, hash) = (&player.name, &player.checkpoint_hash);
        let encoding = player.encoding();
        json!({ "name": name, "checkpoint_hash": hash, "encoding": encoding, "settings": player.player.resolved() })
    });
    let players = players.collect::<serde_json::Value>();
    // As a value, whose keys are sorted.
    let config = serde_json::to_value(&design.config).unwrap_or_default().to_string();
    let facts = [
        ("rules_version", design.rules_version.to_string()),
        ("rules", design.config.rules.clone()),
        ("seed", design.seed.to_string()),
        ("players", players.to_string()),
        ("config_sha256", FileFacts::of(config.as_bytes()).sha256),
        ("config", config),
    ];
    TableFile::new(path, Facts::new(schema_version, facts))
}

/// The rows of some games in both tables: games, and plies.
pub(super) type Rows = [RecordBatch; 2];

/// `games.parquet` and `plies.parquet`, being written while games are played.
pub(super) struct Tables {
    tables: [TableFile; 2],
    /// Number of the file of games whose rows are written next.
    next: usize,
    /// Rows of later files.
    waiting: BTreeMap<usize, Rows>,
}

impl Tables {
    /// The tables of a folder, still empty.
    pub fn new(folder: &Path, design: &Design) -> Self {
        let names = ["games.parquet", "plies.parquet"];
        Self {
            tables: names.map(|name| table(folder.join(name), SCHEMA_VERSION, design)),
            next: 0,
            waiting: BTreeMap::new(),
        }
    }

    /// Adds the rows of the file of games with this number, from 0. They arrive in any order, and are written in the
    /// order of numbers.
    pub fn add(&mut self, number: usize, rows: Rows) -> Result<(), FileError> {
        self.waiting.insert(number, rows);
        while let Some(rows) = self.waiting.remove(&self.next) {
            for (table, rows) in self.tables.iter_mut().zip(&rows) {
                table.add(rows)?;
            }
            self.next += 1;
        }
        Ok(())
    }

    /// Writes the files.
    pub fn finish(&mut self) -> Result<(), FileError> {
        self.tables.iter_mut().try_for_each(TableFile::finish)
    }
}

/// The rows of some games and their plies.
pub(super) fn rows(games: Vec<GameRow<'_>>, plies: Vec<PlyRow<'_>>) -> Rows {
    [tables::batch(games), tables::batch(plies)]
}

/// A game in the tables.
#[derive(Serialize, Deserialize)]
pub(super) struct GameRow<'a> {
    /// Its number among all games of the study.
    game: u64,
    series: String,
    block: u32,
    agent: Option<&'a str>,
    checkpoint: Option<&'a str>,
    rules: String,
    opening: String,
    opening_article: String,
    opening_class: Option<&'a str>,
    outcome: &'a str,
    end_reason: &'a str,
    white_score: Option<f64>,
    plies: u32,
    first_capture_ply: Option<u32>,
    white_early_losses: u32,
    black_early_losses: u32,
    white_early_threats: Option<u32>,
    black_early_threats: Option<u32>,
    first_chamber_ply: Option<u32>,
    first_chamber_player: Option<&'a str>,
    /// In games from the initial position it shows the frequency of each first move.
    line: String,
    fives_lost: u32,
    fives_promoting_two: u32,
}

impl<'a> GameRow<'a> {
    /// The row of the game with this number among all of the study.
    pub fn new(number: u64, game: &'a PlayedGame, series: &Series, facts: &GameFacts, design: &'a Design) -> Self {
        let player = design.players.get(series.player());
        let opening: Vec<String> = series.line().iter().map(ToString::to_string).collect();
        let [white_early_losses, black_early_losses] = facts.early_losses;
        let (first_chamber_ply, first_chamber_player) = facts.first_chamber.unzip();
        Self {
            game: number,
            series: series.id.to_string(),
            block: game.number,
            agent: player.map(|player| player.name.as_str()),
            checkpoint: player.and_then(|player| player.checkpoint_hash.as_deref()),
            rules: series.rules.to_string(),
            opening: opening.join(" "),
            opening_article: series.article(),
            opening_class: series.class().map(|class| class.name()),
            outcome: facts.outcome.name(),
            end_reason: &game.result.reason,
            white_score: score(facts.outcome),
            plies: facts.plies,
            first_capture_ply: facts.first_capture,
            white_early_losses,
            black_early_losses,
            white_early_threats: Some(facts.early_threats[0]),
            black_early_threats: Some(facts.early_threats[1]),
            first_chamber_ply,
            first_chamber_player: first_chamber_player.map(Player::name),
            line: facts.line.join(" "),
            fives_lost: facts.fives.len() as u32,
            fives_promoting_two: facts.fives.iter().filter(|&&promoted| promoted >= 2).count() as u32,
        }
    }
}

/// A ply in the tables.
#[derive(Serialize, Deserialize)]
pub(super) struct PlyRow<'a> {
    /// The number of its game among all games of the study.
    game: u64,
    ply: u32,
    player: &'a str,
    position: String,
    action: String,
    article: String,
    forced: bool,
    white_value: Option<f64>,
    white_dice: u8,
    black_dice: u8,
    captured: Vec<u8>,
    chamber: bool,
    absorption: bool,
}

impl PlyRow<'_> {
    /// The row of a ply of the game with this number among all of the study.
    pub fn new(number: u64, game: &PlayedGame, ply: &Replayed<'_>) -> Self {
        let [white_dice, black_dice] = Player::BOTH.map(|player| ply.before.dice(player).count() as u8);
        Self {
            game: number,
            ply: ply.ply as u32 + 1,
            player: ply.player().name(),
            position: ply.before.to_string(),
            action: ply.action.to_string(),
            article: ply.before.article_text(ply.action),
            forced: ply.ply < game.result.opening_plies as usize,
            white_value: game.values[ply.ply],
            white_dice,
            black_dice,
            captured: ply.captured().collect(),
            chamber: ply.enters_chamber(),
            absorption: matches!(ply.action, Action::Absorb { .. }),
        }
    }
}
