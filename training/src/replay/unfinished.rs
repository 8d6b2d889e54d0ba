//! Games that a generation leaves to the next one, as files of the format of [shards](super::shard).
//!
//! `selfplay-GGGG-HASH.unfinished` lies next to the shard of its group, and was written before it. Its games are
//! [unfinished](GameRecord::unfinished); the weight of a row is its surprise. Its extension is not that of shards, so that
//! a reader of all Parquet files of a run gets each ply once.

use std::path::Path;

use chase_engine::Game;

use super::game_files;
use super::shard::{self, ShardError};
use crate::game_record::{GameRecord, GroupOrigin, Purpose};
use crate::store::files::{self, FileError};

const EXTENSION: &str = "unfinished";

/// The files of a generation, as paths below the folder of games.
fn of_generation(games: &Path, generation: u64) -> Result<Vec<String>, FileError> {
    game_files::with_extension(games, generation, Purpose::Selfplay, EXTENSION)
}

/// The files of a group: one, unless an interrupted attempt has left others.
fn of_group(games: &Path, generation: u64, group: u32) -> Result<Vec<String>, FileError> {
    let mut files = of_generation(games, generation)?;
    files.retain(|name| game_files::is_of(name, group));
    Ok(files)
}

/// Number of these files of a generation.
///
/// # Errors
/// If the folder cannot be read.
pub fn count(games: &Path, generation: u64) -> Result<u64, FileError> {
    Ok(of_generation(games, generation)?.len() as u64)
}

/// Writes the unfinished games of a group, in the place of others that an interrupted attempt has left.
///
/// # Errors
/// If the file cannot be written, or another not removed.
pub fn write<G: Game>(games: &Path, origin: &GroupOrigin, records: &[GameRecord<G>]) -> Result<(), ShardError> {
    for name in of_group(games, origin.generation, origin.group)? {
        files::remove(&games.join(name))?;
    }
    shard::write_file(games, origin, records, EXTENSION)?;
    Ok(())
}

/// The unfinished games of a group of a generation, in the order of their numbers; none if there is no file, as after a
/// generation that has left none.
///
/// # Errors
/// If the folder cannot be read, or the file is damaged.
pub fn read<G: Game>(
    games: &Path,
    rules: &G::Rules,
    generation: u64,
    group: u32,
) -> Result<Vec<GameRecord<G>>, ShardError> {
    match of_group(games, generation, group)?.pop() {
        Some(name) => Ok(shard::read_file::<G>(games.join(name), rules, None, true)?.records),
        None => Ok(Vec::new()),
    }
}

/// Removes the unfinished games of a generation, which have been played on.
///
/// # Errors
/// If a file cannot be removed.
pub fn forget(games: &Path, generation: u64) -> Result<(), FileError> {
    for name in of_generation(games, generation)? {
        files::remove(&games.join(name))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::fs;

    use chase_engine::Chase;
    use chase_engine::chase::Rules;

    use super::*;
    use crate::replay::testing::random_game;

    fn origin(generation: u64, group: u32) -> GroupOrigin {
        GroupOrigin {
            game: Chase::NAME,
            generation,
            purpose: Purpose::Selfplay,
            group,
            model: "gen-000002".into(),
            run_seed: 7,
            rules: "{}".into(),
            encoding: "planes".into(),
            config_sha256: "5e7".into(),
        }
    }

    /// The first plies of random games.
    fn begun() -> Vec<GameRecord<Chase>> {
        let games = (0..3).map(|index| random_game::<Chase>(&Rules::default(), index));
        let begun = games.map(|game| {
            let plies = game.plies[..5 + game.index as usize].to_vec();
            GameRecord::unfinished(game.index, game.start, 0, plies)
        });
        begun.collect()
    }

    #[test]
    fn games_come_back_as_they_were_left() {
        let directory = tempfile::tempdir().unwrap();
        let games = directory.path();
        let read = |generation, group| {
            let found = read::<Chase>(games, &Rules::default(), generation, group);
            found.map_err(|error| error.to_string())
        };
        assert_eq!(read(3, 1).unwrap().len(), 0);
        let left = begun();
        // What an interrupted attempt has left is replaced.
        write(games, &origin(3, 1), &left[..1]).unwrap();
        write(games, &origin(3, 1), &left).unwrap();
        write(games, &origin(3, 2), &[] as &[GameRecord<Chase>]).unwrap();
        assert_eq!(of_group(games, 3, 1).unwrap().len(), 1);
        let found = read(3, 1).unwrap();
        assert_eq!(found.len(), 3);
        for (found, left) in found.iter().zip(&left) {
            assert_eq!(
                (found.index, found.random_plies, &found.plies),
                (left.index, 0, &left.plies)
            );
        }
        assert_eq!(read(3, 2).unwrap().len(), 0);
        // They are not shards, and no finished game is among them.
        assert!(shard::list(games, Purpose::Selfplay).unwrap().is_empty());
        let whole = random_game::<Chase>(&Rules::default(), 0);
        write(games, &origin(4, 1), &[whole]).unwrap();
        let told = read(4, 1).unwrap_err();
        assert!(told.contains("game 0 has ended as"), "{told}");
        // Damage is reported.
        let file = games.join(&of_group(games, 3, 1).unwrap()[0]);
        let mut content = fs::read(&file).unwrap();
        content[100] ^= 1;
        fs::write(&file, content).unwrap();
        let told = read(3, 1).unwrap_err();
        assert!(told.contains("is damaged"), "{told}");
        forget(games, 3).unwrap();
        assert!(of_generation(games, 3).unwrap().is_empty() && !of_generation(games, 4).unwrap().is_empty());
    }
}
