//! All games of a study as one Parquet file, for pandas, polars and DuckDB. `docs/src/guides/balance.md` describes the
//! columns.

use chase_arena::games::GameLine;
use chase_engine::{Game, with_game};
use chase_training::store::serialised::{json, json_value};
use chase_training::store::tables::{self, Facts, TableFile};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::agent::AgentReport;
use crate::config::AgentEntry;
use crate::error::BalanceError;
use crate::games;
use crate::study::{self, Study};

/// Version of the columns.
const SCHEMA_VERSION: u32 = 1;
/// Name of the file in the directory of a study.
const FILE: &str = "games.parquet";

/// A game of an agent.
#[derive(Serialize, Deserialize)]
struct Row<'a> {
    game: &'a str,
    agent: u32,
    purpose: &'a str,
    simulations: u32,
    pair: u32,
    white: &'a str,
    black: &'a str,
    outcome: &'a str,
    end_reason: &'a str,
    first_player_score: Option<f64>,
    plies: u32,
    opening_plies: u32,
    start: Option<&'a str>,
    actions: String,
}

impl<'a> Row<'a> {
    fn new(entry: AgentEntry, purpose: &'a str, simulations: u32, line: &'a GameLine) -> Self {
        let game = &line.game;
        Self {
            game: entry.game.name(),
            agent: entry.agent,
            purpose,
            simulations,
            pair: line.pair,
            white: &line.white,
            black: &line.black,
            outcome: game.outcome.name(),
            end_reason: &game.reason,
            first_player_score: games::score(line),
            plies: game.plies,
            opening_plies: game.opening_plies,
            start: game.start.as_deref(),
            actions: game.actions.join(" "),
        }
    }
}

/// Writes the games of the finished agents.
///
/// # Errors
/// If games cannot be read, or the file not written.
pub(crate) fn write(study: &Study, agents: &[(AgentEntry, AgentReport)]) -> Result<(), BalanceError> {
    let mut table = TableFile::new(study.path().join(FILE), facts(study)?);
    table.add(&tables::batch::<Row<'_>>([]))?;
    for (entry, report) in agents {
        let folder = study.folder_of(*entry);
        let measured = report.budgets.iter().map(|budget| {
            let games = study::games_folder(budget.simulations);
            ("measurement", budget.simulations, games)
        });
        let ladder = ("ladder", study.config().ladder.simulations, study::LADDER.to_owned());
        let mut parts = Vec::new();
        for (purpose, simulations, name) in measured.chain([ladder]) {
            parts.push((purpose, simulations, games::read(&folder.join(name))?));
        }
        let rows = parts.iter().flat_map(|&(purpose, simulations, ref lines)| {
            let lines = lines.iter();
            lines.map(move |line| Row::new(*entry, purpose, simulations, line))
        });
        table.add(&tables::batch(rows))?;
    }
    Ok(table.finish()?)
}

fn facts(study: &Study) -> Result<Facts, BalanceError> {
    let (mut rules, mut encoding) = (Map::new(), Map::new());
    for &game in &study.began().games {
        let training = study.began().training(AgentEntry { game, agent: 1 })?;
        let (version, planes) = with_game!(game, G => (G::RULES_VERSION, json_value(&training.game_encoding::<G>())));
        rules.insert(
            game.name().into(),
            json!({"version": version, "conventions": training.rules}),
        );
        encoding.insert(game.name().into(), planes);
    }
    let facts = [
        ("rules", Value::from(rules).to_string()),
        ("encoding", Value::from(encoding).to_string()),
        ("config_sha256", study.config_sha256()),
        ("config", json(study.began())),
    ];
    Ok(Facts::new(SCHEMA_VERSION, facts))
}
