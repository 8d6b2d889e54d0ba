//! Shards: games as Parquet files, one row per ply.
//!
//! A shard is written whole, never changed, and carries the first quarter of its SHA-256 in its name. It stores
//! positions as text and targets as sparse lists; planes are rebuilt by replaying the game, which also restores what
//! the text of a position does not hold (repetition). So a shard stays valid when the encoding changes.
//!
//! | column | type | content |
//! |---|---|---|
//! | `game` | u32 | number of the game within generation and purpose |
//! | `ply` | u32 | from 0 |
//! | `player` | string | the player to move: `white` or `black` |
//! | `position` | string | before the action |
//! | `action` | string | the action played |
//! | `simulations` | u32 | simulations of the search |
//! | `root_win`, `root_draw`, `root_loss` | f32 | the search's expectation, from the point of view of `player`; null without a search |
//! | `full_search` | bool | true if the row is trained on and the lists are filled |
//! | `policy_index` | list of u16 | policy index of each legal action |
//! | `policy_target` | list of f32 | policy target: a probability for each legal action |
//! | `visits` | list of u32 | visits of each legal action |
//! | `priors` | list of f32 | the network's probability of each, at `search.policy_temperature`; first plies of a game only |
//! | `weight` | f32 | relative frequency with which the row is drawn; null where it is not |
//! | `outcome` | string | result of the game: `white`, `black`, `draw` or `truncated` |
//! | `end_reason` | string | reason for the end of the game |
//! | `random_plies` | u32 | plies at the beginning of the game that were drawn at random, never trained on |
//! | `plies_left` | u32 | plies from here to the end of the game |
//! | `generation`, `purpose`, `model` | u64, string, string | provenance of the game |
//!
//! The file's metadata hold the schema version, the game and its rules version, generation, purpose and model once
//! more, the run seed, the conventions of play, the planes of the network, a hash of the configuration and the commit
//! of the program.

use std::ops::Range;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use chase_engine::Game;
use chase_models::manifest::FileFacts;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde::{Deserialize, Serialize};

use super::game_files::{EXTENSION, prefix};
pub use super::game_files::{ShardPlace, find, folder_generation, generation_folder, list, of_generation, place};
use super::table::{Games, Row, to_batch};
use crate::game_record::GameRecord;
pub use crate::game_record::GroupOrigin;
use crate::store::files::{self, FileError};
use crate::store::tables::{self, Facts};

/// Version of the columns; a shard of another version is not read.
pub const SCHEMA_VERSION: u32 = 1;

/// Error returned when a shard cannot be written or read.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum ShardError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The content does not match the hash in the name.
    #[error("shard {} is damaged: its SHA-256 begins with {found}, expected {expected}", path.display())]
    Hash {
        path: PathBuf,
        found: String,
        expected: String,
    },
    /// The content does not belong to a shard.
    #[error("shard {}: {reason}", path.display())]
    Content {
        path: PathBuf,
        /// The reason, with the game and ply.
        reason: String,
    },
}

/// A shard on disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardId {
    /// Path below the folder of games.
    pub name: String,
    /// Games in it.
    pub games: u64,
    /// Rows that are trained on.
    pub rows: u64,
}

impl ShardId {
    /// The shard of this name with these games in it.
    pub fn new<G: Game>(name: String, records: &[GameRecord<G>]) -> Self {
        Self {
            name,
            games: records.len() as u64,
            rows: records.iter().map(|record| record.rows() as u64).sum(),
        }
    }
}

/// The content of a shard.
#[derive(Clone, Debug)]
pub struct Shard<G: Game> {
    /// The checkpoint that played the games.
    pub model: String,
    /// [`KindSettings::games_sha256`](crate::kinds::KindSettings::games_sha256) of the settings that they were played under.
    pub config_sha256: String,
    /// The games, each replayed and found legal.
    pub records: Vec<GameRecord<G>>,
}

/// The shard of a group with this origin whose games have these numbers, if it was written before; with `any_settings`
/// it may have been played under other settings. Others of the group are removed, since a list of shards would count
/// them too; `warn` receives why one that is damaged, or was played by another network or under other settings, is not
/// used.
///
/// # Errors
/// If a folder cannot be read, or a file not removed.
#[allow(clippy::type_complexity, reason = "a shard and what is in it")]
pub fn of_group<G: Game>(
    games: &Path,
    rules: &G::Rules,
    origin: &GroupOrigin,
    any_settings: bool,
    numbers: Range<u32>,
    mut warn: impl FnMut(String),
) -> Result<Option<(ShardId, Vec<GameRecord<G>>)>, FileError> {
    let mut found = None;
    for name in find(games, origin.generation, origin.purpose, origin.group)? {
        match read_file::<G>(games.join(&name), rules, Some(origin), false) {
            Ok(shard) if !any_settings && shard.config_sha256 != origin.config_sha256 => {
                let path = games.join(&name);
                warn(format!(
                    "{}: its games were played with other settings; they are played again",
                    path.display()
                ));
            }
            Ok(Shard { records, .. }) => {
                let indices = records.iter().map(|record| record.index);
                if found.is_none() && indices.eq(numbers.clone()) {
                    found = Some((ShardId::new(name, &records), records));
                    continue;
                }
            }
            Err(error) => warn(format!("{error}; its games are played again")),
        }
        files::remove(&games.join(&name))?;
    }
    Ok(found)
}

/// Writes the games of a group.
///
/// # Errors
/// If the file cannot be written; nothing is left of it.
pub fn write<G: Game>(games: &Path, origin: &GroupOrigin, records: &[GameRecord<G>]) -> Result<ShardId, ShardError> {
    let name = write_file(games, origin, records, EXTENSION)?;
    Ok(ShardId::new(name, records))
}

/// Writes games of a group into a file with this extension. Returns its path below the folder of games.
pub(super) fn write_file<G: Game>(
    games: &Path,
    origin: &GroupOrigin,
    records: &[GameRecord<G>],
    extension: &str,
) -> Result<String, ShardError> {
    let prefix = prefix(origin.purpose, origin.group);
    let folder = games.join(generation_folder(origin.generation));
    std::fs::create_dir_all(&folder).map_err(FileError::of("create", &folder))?;
    let content = to_parquet(origin, records);
    let name = format!("{prefix}{}.{extension}", hash(&content));
    files::write_whole(&folder.join(&name), &content)?;
    Ok(format!("{}/{name}", generation_folder(origin.generation)))
}

/// The first 16 hexadecimal digits of the SHA-256.
fn hash(content: &[u8]) -> String {
    // 64 bits tell damage and other games apart, and keep names short.
    FileFacts::of(content).sha256[..16].to_owned()
}

/// The content of the shard of a group.
pub fn to_parquet<G: Game>(origin: &GroupOrigin, records: &[GameRecord<G>]) -> Vec<u8> {
    let facts = [
        ("game", origin.game.into()),
        ("rules_version", G::RULES_VERSION.to_string()),
        ("generation", origin.generation.to_string()),
        ("purpose", origin.purpose.name().into()),
        ("model", origin.model.clone()),
        ("run_seed", origin.run_seed.to_string()),
        ("rules", origin.rules.clone()),
        ("encoding", origin.encoding.clone()),
        ("config_sha256", origin.config_sha256.clone()),
    ];
    tables::encode(&to_batch(origin, records), Facts::new(SCHEMA_VERSION, facts))
}

/// Reads a shard and replays every game in it, to prove that it is whole and legal under these rules.
///
/// # Errors
/// If the file is missing, does not match the hash in its name, has another schema version, or holds a game that
/// `rules` do not allow.
pub fn read<G: Game>(games: &Path, name: &str, rules: &G::Rules) -> Result<Shard<G>, ShardError> {
    read_file(games.join(name), rules, None, false)
}

/// Reads a file whose name ends with the hash of its content.
pub(super) fn read_file<G: Game>(
    path: PathBuf,
    rules: &G::Rules,
    origin: Option<&GroupOrigin>,
    unfinished: bool,
) -> Result<Shard<G>, ShardError> {
    let content = files::read(&path)?;
    let found = hash(&content);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let expected = stem.rsplit('-').next().unwrap_or_default();
    if found != expected {
        let expected = expected.to_owned();
        return Err(ShardError::Hash { path, found, expected });
    }
    let shard = from_parquet(Bytes::from(content), rules, origin, unfinished);
    shard.map_err(|reason| ShardError::Content { path, reason })
}

/// Reads the content of a shard as [`read`] does. With an `origin`, its facts must be those of the file. Games must have
/// ended, or, if they are to be `unfinished`, must not have.
///
/// # Errors
/// The reason that it is not such a shard.
pub fn from_parquet<G: Game>(
    content: Bytes,
    rules: &G::Rules,
    origin: Option<&GroupOrigin>,
    unfinished: bool,
) -> Result<Shard<G>, String> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(content).map_err(|error| error.to_string())?;
    let metadata = reader.metadata().file_metadata().key_value_metadata();
    let fact = |key: &str| {
        let found = metadata
            .into_iter()
            .flatten()
            .find(|fact| fact.key == format!("chase.{key}"));
        found
            .and_then(|fact| fact.value.clone())
            .unwrap_or_else(|| "absent".into())
    };
    let mut facts = vec![
        ("schema_version", SCHEMA_VERSION.to_string()),
        ("game", G::name(rules).to_owned()),
        ("rules_version", G::RULES_VERSION.to_string()),
    ];
    if let Some(origin) = origin {
        facts.extend([
            ("generation", origin.generation.to_string()),
            ("purpose", origin.purpose.name().to_owned()),
            ("model", origin.model.clone()),
            ("run_seed", origin.run_seed.to_string()),
        ]);
    }
    for (key, expected) in facts {
        let found = fact(key);
        if found != expected {
            return Err(format!("{key} is {found}, expected {expected}"));
        }
    }
    let (model, config_sha256) = (fact("model"), fact("config_sha256"));
    let mut games = Games::new(rules, unfinished);
    for batch in reader.build().map_err(|error| error.to_string())? {
        let batch = batch.map_err(|error| error.to_string())?;
        for row in tables::rows::<Row<'_>>(&batch)? {
            let (game, ply) = (row.game, row.ply);
            let added = games.add(row);
            added.map_err(|reason| format!("game {game}, ply {ply}: {reason}"))?;
        }
    }
    Ok(Shard {
        model,
        config_sha256,
        records: games.finish()?,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::fs;

    use chase_engine::chase::Rules;
    use chase_engine::draughts::{self, Variation};
    use chase_engine::{Chase, ConnectFour, Draughts};

    use super::*;
    use crate::game_record::Purpose;
    use crate::replay::testing::random_game;

    fn origin() -> GroupOrigin {
        origin_of::<Chase>()
    }

    fn origin_of<G: Game>() -> GroupOrigin {
        GroupOrigin {
            game: G::NAME,
            generation: 3,
            purpose: Purpose::Selfplay,
            group: 1,
            model: "gen-000002".into(),
            run_seed: 7,
            rules: "{}".into(),
            encoding: "planes".into(),
            config_sha256: "5e7".into(),
        }
    }

    #[test]
    fn games_come_back_as_they_were_written() {
        let directory = tempfile::tempdir().unwrap();
        let mut written: Vec<_> = (0..4)
            .map(|index| random_game::<Chase>(&Rules::default(), index))
            .collect();
        written[1].random_plies = 3;
        written[1].plies[..3].iter_mut().for_each(|ply| ply.policy = None);
        let id = write(directory.path(), &origin(), &written).unwrap();
        assert_eq!(
            (id.games, id.rows),
            (4, written.iter().map(|game| game.rows() as u64).sum())
        );
        let find = |generation, purpose, group| find(directory.path(), generation, purpose, group).unwrap();
        assert_eq!(find(3, Purpose::Selfplay, 1), [id.name.as_str()]);
        for (generation, purpose, group) in [
            (3, Purpose::Measurement, 1),
            (3, Purpose::Selfplay, 0),
            (2, Purpose::Selfplay, 1),
        ] {
            assert_eq!(find(generation, purpose, group), [""; 0]);
        }
        assert_eq!(
            list(directory.path(), Purpose::Selfplay).unwrap(),
            std::slice::from_ref(&id.name)
        );
        assert!(list(directory.path(), Purpose::Measurement).unwrap().is_empty());
        let Shard {
            model,
            config_sha256,
            records: read,
        } = read::<Chase>(directory.path(), &id.name, &Rules::default()).unwrap();
        assert_eq!((&*model, &*config_sha256), ("gen-000002", "5e7"));
        for (written, read) in written.iter().zip(&read) {
            assert_eq!(
                (written.index, written.outcome, &written.end_reason),
                (read.index, read.outcome, &read.end_reason)
            );
            assert_eq!(written.plies, read.plies);
            assert_eq!(written.random_plies, read.random_plies);
        }
        assert_eq!(read.len(), 4);
        // The file says how they were played.
        let content = Bytes::from(fs::read(directory.path().join(&id.name)).unwrap());
        let reader = ParquetRecordBatchReaderBuilder::try_new(content).unwrap();
        let facts = reader.metadata().file_metadata().key_value_metadata().unwrap();
        for (key, expected) in [
            ("chase.rules", "{}"),
            ("chase.encoding", "planes"),
            ("chase.run_seed", "7"),
            ("chase.config_sha256", "5e7"),
            ("chase.git_hash", &crate::sources::commit()),
        ] {
            let fact = facts.iter().find(|fact| fact.key == key).unwrap();
            assert_eq!(fact.value.as_deref(), Some(expected), "{key}");
        }
        // The same games give the same file: a shard written twice is the same shard.
        assert_eq!(write(directory.path(), &origin(), &written).unwrap(), id);
    }

    #[test]
    fn games_of_another_network_or_other_settings_are_played_again() {
        let directory = tempfile::tempdir().unwrap();
        let written: Vec<_> = (0..2)
            .map(|index| random_game::<Chase>(&Rules::default(), index))
            .collect();
        let id = write(directory.path(), &origin(), &written).unwrap();
        let mut warnings = Vec::new();
        let mut found = |origin: &GroupOrigin| {
            let warn = |text| warnings.push(text);
            let found = of_group::<Chase>(directory.path(), &Rules::default(), origin, false, 0..2, warn).unwrap();
            found.map(|(id, _)| id)
        };
        assert_eq!(found(&origin()), Some(id.clone()));
        let mut others = [origin(), origin(), origin()];
        others[0].model = "gen-000001".into();
        others[1].run_seed = 8;
        others[2].config_sha256 = "5e8".into();
        for other in &others {
            assert_eq!(found(other), None);
            assert!(!directory.path().join(&id.name).exists());
            write(directory.path(), &origin(), &written).unwrap();
        }
        assert_eq!(warnings.len(), 3, "{warnings:?}");
        for (warning, reason) in warnings.iter().zip([
            "model is gen-000002, expected gen-000001; its games are played again",
            "run_seed is 7, expected 8",
            "its games were played with other settings; they are played again",
        ]) {
            assert!(warning.contains(reason), "{warning}");
        }
        let warn = |text| panic!("{text}");
        let any = of_group::<Chase>(directory.path(), &Rules::default(), &others[2], true, 0..2, warn).unwrap();
        assert_eq!(any.map(|(any, _)| any), Some(id));
    }

    #[test]
    fn games_that_begin_at_random_come_back_with_their_starts() {
        let directory = tempfile::tempdir().unwrap();
        let rules = draughts::Rules::standard(Variation::StaxNum);
        let written: Vec<_> = (0..3).map(|index| random_game::<Draughts>(&rules, index)).collect();
        assert_ne!(written[0].start.position_text(), written[1].start.position_text());
        let origin = GroupOrigin {
            game: Variation::StaxNum.name(),
            ..origin()
        };
        let id = write(directory.path(), &origin, &written).unwrap();
        let read = read::<Draughts>(directory.path(), &id.name, &rules).unwrap().records;
        for (written, read) in written.iter().zip(&read) {
            assert_eq!(read.start.position_text(), written.start.position_text());
            assert_eq!((&read.plies, read.outcome), (&written.plies, written.outcome));
        }
        let other = draughts::Rules::standard(Variation::StaxUni);
        let other = super::read::<Draughts>(directory.path(), &id.name, &other).unwrap_err();
        assert!(
            other.to_string().contains("game is stax-num, expected stax-uni"),
            "{other}"
        );
    }

    #[test]
    fn damaged_and_foreign_shards_are_refused_with_a_reason() {
        let directory = tempfile::tempdir().unwrap();
        let games = directory.path();
        let records = [random_game::<Chase>(&Rules::default(), 0)];
        let id = write(games, &origin(), &records).unwrap();
        let path = games.join(&id.name);
        let whole = fs::read(&path).unwrap();
        let refused = |name: &str| read::<Chase>(games, name, &Rules::default()).unwrap_err().to_string();

        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 1;
        fs::write(&path, &flipped).unwrap();
        assert!(refused(&id.name).contains("is damaged: its SHA-256 begins with"));
        fs::write(&path, &whole[..whole.len() / 2]).unwrap();
        assert!(refused(&id.name).contains("is damaged"));
        fs::remove_file(&path).unwrap();
        assert!(refused(&id.name).contains("cannot read"));

        // Whole and with the right hash, but with unexpected content.
        let place = |content: &[u8]| {
            let name = format!("gen-000003/selfplay-0009-{}.parquet", hash(content));
            fs::write(games.join(&name), content).unwrap();
            name
        };
        assert!(refused(&place(b"not parquet")).contains("Parquet"));
        let other = [random_game::<ConnectFour>(&(), 0)];
        let name = place(&to_parquet(&origin_of::<ConnectFour>(), &other));
        assert!(refused(&name).contains("game is connect-four, expected chase"));
        let mut false_result = records.clone();
        false_result[0].outcome = chase_engine::Outcome::Draw;
        let name = place(&to_parquet(&origin(), &false_result));
        assert!(refused(&name).contains("is recorded as `draw`, but it ends as"));
        let mut unfinished = records.clone();
        unfinished[0].plies.pop();
        let name = place(&to_parquet(&origin(), &unfinished));
        assert!(refused(&name).contains("but it ends as `unfinished`"));
        let mut false_policy = records.clone();
        let policy = false_policy[0].plies.iter_mut().find_map(|ply| ply.policy.as_mut());
        policy.unwrap().indices.reverse();
        let name = place(&to_parquet(&origin(), &false_policy));
        assert!(refused(&name).contains("the policy indices are not those of the legal actions"));
        let twice = [records.clone(), records.clone()].concat();
        let name = place(&to_parquet(&origin(), &twice));
        assert!(refused(&name).contains("game 0, ply 0: the game is there twice"));
        let mut random = records.clone();
        random[0].random_plies = random[0].plies.len() as u32;
        let name = place(&to_parquet(&origin(), &random));
        assert!(refused(&name).contains("a random ply has a policy target"));
    }
}
