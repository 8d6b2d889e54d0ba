//! Verdicts of a released study by the current tests: from its `study.json` and `games.parquet`, without playing.
//!
//! A table of games holds facts, not the moves. Findings that need moves or searches are kept as published: B11, C5 and
//! C6 unchanged; C1 to C4 as context, since those tests had no control.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::path::{Path, PathBuf};

use chase_engine::{Chase, Game, Outcome, Player};
use chase_training::files::{self, FileError};
use chase_training::run_dir::Meta;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use parquet::schema::types::Type;

use crate::claims::method::games::GamesAnalysis;
use crate::claims::{self, Balance};
use crate::conduct::REPORT_FILE;
use crate::controls::{Controls, ControlsConfig};
use crate::evidence::games::{
    Design, FOLDER_VERSION, ForcedPlies, GameFacts, GamesConfig, LeadFacts, LeadObserver, SeriesId, StudyPlayer,
    away_openings, four_openings,
};
use crate::{ClaimId, Finding, StudyProvenance, StudyReport};

/// The table of games of a study.
const GAMES_FILE: &str = "games.parquet";
/// Its table of plies, which large studies did not publish.
const PLIES_FILE: &str = "plies.parquet";
/// Claims whose evidence is not in the table; their findings are kept as published.
const KEPT: [ClaimId; 3] = [ClaimId::B11, ClaimId::C5, ClaimId::C6];
/// Claims whose published tests no longer decide.
const BESIDE: [ClaimId; 4] = [ClaimId::C1, ClaimId::C2, ClaimId::C3, ClaimId::C4];

/// Error returned when a published study cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ReissueError {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file has unexpected content.
    #[error("{}: {reason}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The fault, and what was expected.
        reason: String,
    },
}

impl ReissueError {
    /// Makes errors about the content of a file.
    fn about(path: &Path) -> impl Fn(String) -> Self + '_ {
        |reason| Self::Content {
            path: path.to_owned(),
            reason,
        }
    }
}

/// A released study with its new verdicts.
#[derive(Clone, Debug)]
pub struct Reissued {
    /// The report as published.
    pub published: StudyReport,
    /// The report by the current tests.
    pub report: StudyReport,
}

/// Judges the study in a folder by the current tests. `command` becomes the command that reproduces the findings.
///
/// # Errors
/// If a file cannot be read, or is not of a study that this program knows.
pub fn reissue(folder: &Path, command: &str) -> Result<Reissued, ReissueError> {
    let path = folder.join(REPORT_FILE);
    let wrong = ReissueError::about(&path);
    let published: StudyReport = StudyReport::from_json(&files::read(&path)?)
        .map_err(|error| wrong(format!("no report of a study: {error}")))?;
    let controls = published.provenance.config.get("controls").cloned();
    let controls = controls.map_or_else(|| Ok(ControlsConfig::default()), serde_json::from_value);
    let controls = controls.map_err(|error| wrong(format!("configuration of controls: {error}")))?;
    let config = published.provenance.config.get("games").cloned();
    let config = config.ok_or_else(|| wrong("no configuration of games: expected a study that played some".into()))?;
    let config: GamesConfig =
        serde_json::from_value(config).map_err(|error| wrong(format!("configuration of games: {error}")))?;
    let table = folder.join(GAMES_FILE);
    let plies = folder.join(PLIES_FILE);
    let leads = match plies.exists() {
        true => read_leads(&plies)?,
        false => HashMap::new(),
    };
    let facts = read_games(&table, &leads)?;
    let design = design(&published.provenance, config, &facts).map_err(wrong)?;
    let series = design.series();
    let mut findings = claims::exact(&mut |_| ());
    let analysis = GamesAnalysis::new(&design, &series, &facts, command);
    let from_table = claims::games_findings(&analysis).into_iter();
    findings.extend(from_table.filter(|finding| !KEPT.contains(&finding.claim)));
    findings.extend(kept(&published));
    let mut provenance = published.provenance.clone();
    provenance.judged_by = Some(Meta::new(Chase::NAME, Chase::RULES_VERSION, provenance.program.seed));
    Ok(Reissued {
        report: StudyReport::new(provenance, findings)
            .with_balance(Balance::of(&analysis))
            .with_controls(Controls::of(controls, &analysis)),
        published,
    })
}

/// Empirical findings that are kept as published.
fn kept(published: &StudyReport) -> Vec<Finding> {
    let findings = published.claims.iter().flat_map(|claim| &claim.findings);
    let empirical = findings.filter(|finding| finding.basis == crate::Basis::Empirical);
    let kept = empirical.filter_map(|finding| match finding.claim {
        claim if KEPT.contains(&claim) => Some(claims::with_threshold(finding.clone())),
        claim if BESIDE.contains(&claim) => Some(finding.clone().as_context()),
        _ => None,
    });
    kept.collect()
}

/// The design, reconstructed from a report and a table.
fn design(
    provenance: &StudyProvenance,
    mut config: GamesConfig,
    facts: &HashMap<SeriesId, Vec<GameFacts>>,
) -> Result<Design, String> {
    let wanted = config.players.len() + config.curve.len();
    if provenance.agents.len() != wanted {
        let found = provenance.agents.len();
        return Err(format!("{found} agents, expected the {wanted} of the configuration"));
    }
    let players = provenance.agents.iter().enumerate().map(|(place, agent)| {
        let player = agent.player.parse();
        Ok(StudyPlayer {
            name: agent.name.clone(),
            player: player.map_err(|error| format!("player `{}`: {error}", agent.player))?,
            checkpoint_hash: agent.checkpoint_hash.clone(),
            steps: None,
            replies: own_replies(place, facts),
        })
    });
    let players = players.collect::<Result<_, String>>()?;
    // Stakes were planned for the initial number of games: `raised` holds later ones.
    let raised = provenance.raised.clone();
    if let Some(first) = raised.first() {
        config.most = config.most.min(first / 2);
    }
    Ok(Design {
        version: FOLDER_VERSION,
        rules_version: Chase::RULES_VERSION,
        seed: provenance.program.seed,
        config,
        raised,
        players,
    })
}

/// The replies that a player was forced into and that the article does not name: the player's own choices.
fn own_replies(player: usize, facts: &HashMap<SeriesId, Vec<GameFacts>>) -> BTreeMap<String, String> {
    let openings = [away_openings(), four_openings()].concat();
    let mut replies = BTreeMap::new();
    for answered in &openings {
        let first = answered.first.action();
        let forced = facts.keys().filter(|id| id.player == player);
        let replied = forced.filter_map(|id| match id.forced {
            ForcedPlies::Reply([opening, reply]) if opening == first => Some(reply),
            _ => None,
        });
        let (named, others): (Vec<_>, Vec<_>) = replied.partition(|reply| answered.named.contains(reply));
        let own = others.first().or(named.first());
        if let Some(own) = own {
            replies.insert(first.to_string(), own.to_string());
        }
    }
    replies
}

/// The searches of each game of a table of plies, by the game's number.
fn read_leads(path: &Path) -> Result<HashMap<u64, LeadObserver>, ReissueError> {
    let mut leads: HashMap<u64, LeadObserver> = HashMap::new();
    for_each_row(path, &["game", "ply", "white_value"], |columns| {
        let game = columns.number("game")?;
        leads.entry(game).or_default().ply(columns.value("white_value")?);
        Ok(())
    })?;
    Ok(leads)
}

/// Calls `visit` for every row of a table, with these columns or all if there are none.
fn for_each_row(
    path: &Path,
    names: &[&str],
    mut visit: impl FnMut(&Columns) -> Result<(), String>,
) -> Result<(), ReissueError> {
    let wrong = ReissueError::about(path);
    let failed = |error: ParquetError| wrong(error.to_string());
    let file = File::open(path).map_err(FileError::of("read", path))?;
    let reader = SerializedFileReader::new(file).map_err(failed)?;
    let schema = reader.metadata().file_metadata().schema();
    let wanted = match names {
        [] => None,
        names => {
            let fields = schema.get_fields().iter().filter(|field| names.contains(&field.name()));
            let part = Type::group_type_builder(schema.name()).with_fields(fields.cloned().collect());
            Some(part.build().map_err(failed)?)
        }
    };
    for (number, row) in reader.get_row_iter(wanted).map_err(failed)?.enumerate() {
        let columns = Columns::of(&row.map_err(failed)?);
        visit(&columns).map_err(|reason| wrong(format!("row {number}: {reason}")))?;
    }
    Ok(())
}

/// Facts of the games of a table, by series, in the order of blocks.
fn read_games(
    path: &Path,
    leads: &HashMap<u64, LeadObserver>,
) -> Result<HashMap<SeriesId, Vec<GameFacts>>, ReissueError> {
    let wrong = ReissueError::about(path);
    let mut games: HashMap<SeriesId, BTreeMap<u64, GameFacts>> = HashMap::new();
    for_each_row(path, &[], |columns| {
        let (series, block, mut facts) = columns.game()?;
        if let (None, Ok(number)) = (facts.lead, columns.number("game")) {
            facts.lead = leads.get(&number).and_then(|lead| lead.finish(facts.outcome));
        }
        match games.entry(series).or_default().insert(block, facts) {
            Some(_) => Err(format!("block {block} of {series} is there twice")),
            None => Ok(()),
        }
    })?;
    let mut all = HashMap::new();
    for (series, blocks) in games {
        let last = blocks.keys().next_back().map_or(0, |last| last + 1);
        if last != blocks.len() as u64 {
            let found = blocks.len();
            return Err(wrong(format!(
                "{series} has {found} games, expected all of its blocks up to {last}"
            )));
        }
        all.insert(series, blocks.into_values().collect());
    }
    Ok(all)
}

/// One row, by column name.
struct Columns(HashMap<String, Field>);

impl Columns {
    fn of(row: &Row) -> Self {
        Self(
            row.get_column_iter()
                .map(|(name, field)| (name.clone(), field.clone()))
                .collect(),
        )
    }

    fn text(&self, name: &str) -> Result<&str, String> {
        match self.0.get(name) {
            Some(Field::Str(text)) => Ok(text),
            other => Err(format!("column `{name}` holds {other:?}, expected a text")),
        }
    }

    fn count(&self, name: &str) -> Result<Option<u32>, String> {
        match self.0.get(name) {
            Some(&Field::UInt(count)) => Ok(Some(count)),
            Some(Field::Null) | None => Ok(None),
            other => Err(format!("column `{name}` holds {other:?}, expected a number from 0")),
        }
    }

    fn known(&self, name: &str) -> Result<u32, String> {
        self.count(name)?.ok_or_else(|| format!("column `{name}` is empty"))
    }

    fn number(&self, name: &str) -> Result<u64, String> {
        match self.0.get(name) {
            Some(&Field::ULong(number)) => Ok(number),
            other => Err(format!("column `{name}` holds {other:?}, expected a number from 0")),
        }
    }

    fn value(&self, name: &str) -> Result<Option<f64>, String> {
        match self.0.get(name) {
            Some(&Field::Double(value)) if (0.0..=1.0).contains(&value) => Ok(Some(value)),
            Some(Field::Null) => Ok(None),
            other => Err(format!(
                "column `{name}` holds {other:?}, expected a number from 0 to 1, or none"
            )),
        }
    }

    /// Who was ahead in a game of this outcome and length; `None` in tables of earlier versions, and without searches.
    fn lead(&self, outcome: Outcome, plies: u32) -> Result<Option<LeadFacts>, String> {
        let Some(changes) = self.count("lead_changes")? else {
            return Ok(None);
        };
        let comeback = match self.0.get("comeback") {
            Some(&Field::Bool(comeback)) => Some(comeback),
            Some(Field::Null) => None,
            other => return Err(format!("column `comeback` holds {other:?}, expected true or false")),
        };
        let settled = self.count("settled_ply")?;
        let is_won = matches!(outcome, Outcome::Win(_));
        if comeback.is_some() != is_won || settled.is_some() != is_won || settled.is_some_and(|ply| ply > plies) {
            return Err(format!(
                "`comeback` is {comeback:?} and `settled_ply` {settled:?} in a game of {plies} plies with the outcome {}",
                outcome.name()
            ));
        }
        Ok(Some(LeadFacts {
            changes,
            comeback,
            settled,
        }))
    }

    fn game(&self) -> Result<(SeriesId, u64, GameFacts), String> {
        let series = self.text("series")?.parse().map_err(|error| format!("{error}"))?;
        let outcome = self.text("outcome")?;
        let all = [
            Outcome::Win(Player::White),
            Outcome::Win(Player::Black),
            Outcome::Draw,
            Outcome::Truncated,
        ];
        let outcome = all.into_iter().find(|known| known.name() == outcome);
        let outcome = outcome.ok_or_else(|| "column `outcome`: expected white, black, draw or truncated".to_owned())?;
        let threats = (self.count("white_early_threats")?, self.count("black_early_threats")?);
        let chamber = match (self.count("first_chamber_ply")?, self.text("first_chamber_player")) {
            (Some(ply), Ok(name)) => {
                let player = Player::BOTH.into_iter().find(|player| player.name() == name);
                player.map(|player| (ply, player))
            }
            _ => None,
        };
        let facts = GameFacts {
            score: crate::evidence::score::score(outcome),
            outcome,
            plies: self.known("plies")?,
            first_capture: self.count("first_capture_ply")?,
            early_losses: [self.known("white_early_losses")?, self.known("black_early_losses")?],
            early_threats: threats.0.zip(threats.1).map(|(white, black)| [white, black]),
            first_chamber: chamber,
            // The table has their number, not their order.
            fives: Vec::new(),
            line: match self.text("line") {
                Ok(line) => line.split(' ').map(str::to_owned).collect(),
                Err(_) => Vec::new(),
            },
            lead: self.lead(outcome, self.known("plies")?)?,
        };
        Ok((series, self.known("block")?.into(), facts))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::sync::atomic::AtomicBool;

    use chase_models::device::parse;

    use super::*;
    use crate::evidence::games::GamesWatch;

    /// The columns of a table of games, and the values in that of plies, from which older studies have theirs.
    #[test]
    fn who_was_ahead_is_the_same_from_either_table() {
        let folder = tempfile::tempdir().unwrap();
        let config = GamesConfig {
            players: vec!["nnue:nnue-57,nodes=20,temperature=0.5".parse().unwrap()],
            first_round: 1,
            most: 1,
            initial_factor: 4,
            max_plies: 200,
            ..GamesConfig::default()
        };
        let stop = AtomicBool::new(false);
        let watch = GamesWatch {
            stop: &stop,
            on_event: &|_| (),
        };
        claims::run(folder.path(), &config, 1, parse("cpu").unwrap(), "", None, &watch).unwrap();
        let table = folder.path().join(GAMES_FILE);
        let leads = read_leads(&folder.path().join(PLIES_FILE)).unwrap();
        let (mut changes, mut won, mut games) = (0, 0, 0);
        for_each_row(&table, &[], |columns| {
            let (_, _, facts) = columns.game()?;
            assert!(facts.lead.is_some());
            assert_eq!(facts.lead, leads[&columns.number("game")?].finish(facts.outcome));
            changes += facts.lead.unwrap().changes;
            won += u32::from(facts.lead.unwrap().settled.is_some());
            games += 1;
            Ok(())
        })
        .unwrap();
        assert!(changes > 0 && won > 0 && games >= 48, "{changes} {won} {games}");
        // A row that contradicts itself is refused.
        let row = [
            ("lead_changes", Field::UInt(1)),
            ("comeback", Field::Bool(true)),
            ("settled_ply", Field::UInt(9)),
        ];
        let columns = Columns(row.map(|(name, field)| (name.to_owned(), field)).into());
        let winner = Outcome::Win(Player::White);
        assert!(columns.lead(winner, 9).unwrap().is_some());
        for (outcome, plies) in [(winner, 8), (Outcome::Draw, 9)] {
            let refused = columns.lead(outcome, plies).unwrap_err();
            assert!(refused.contains("`settled_ply` Some(9) in a game of"), "{refused}");
        }
    }
}
