//! The design of a study's games: players and openings, stored for resuming.

use std::collections::BTreeMap;
use std::path::Path;

use chase_engine::chase::{Action, Rules};
use chase_engine::{Chase, Game};
use chase_models::device::Device;
use chase_training::store::files::{self, FileError};
use chase_training::store::serialised::pretty_json;
use serde::{Deserialize, Serialize};

use super::config::GamesConfig;
use super::series::{Series, answered_openings};
use super::series_id::{SeriesId, SeriesKind};
use crate::evidence::error::EvidenceError;
use crate::first_moves;
use chase_arena::Decision;
use chase_arena::PlayerSpec;
use chase_arena::games::DESIGN_FILE;
use chase_statistics::generator;

/// Version of the layout of the folder; a folder with another version cannot be resumed.
pub const FOLDER_VERSION: u32 = 3;

/// The design of the games. Written before the first game; a resumed study follows it, so that a run that continues
/// training meanwhile changes nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Design {
    /// [`FOLDER_VERSION`] of the program that wrote it.
    pub version: u32,
    /// Version of the rules of the game.
    pub rules_version: u32,
    /// Seed of all randomness.
    pub seed: u64,
    /// The initial configuration: stakes of intervals are planned for its `most`, even if that is raised later.
    pub config: GamesConfig,
    /// Values that `most` was raised to later, in order.
    pub raised: Vec<u32>,
    /// All players: those of the whole study, then those of the curve.
    pub players: Vec<StudyPlayer>,
}

/// A player of the study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StudyPlayer {
    /// Its text in the configuration, which is its name in findings.
    pub name: String,
    /// The actual player, with a specific checkpoint and the study's temperature.
    pub player: PlayerSpec,
    /// SHA-256 of the checkpoint's weights, in hexadecimal digits; `None` without a network.
    pub checkpoint_hash: Option<String>,
    /// Its replies, at temperature 0, to first moves that the article answers; by the first move.
    pub replies: BTreeMap<String, String>,
}

impl Design {
    /// The stored design of a folder, or a new one, which is written.
    ///
    /// # Errors
    /// If a player cannot play, or has another network than when the design was stored.
    pub fn of(folder: &Path, config: &GamesConfig, seed: u64, device: Device) -> Result<Self, EvidenceError> {
        let path = folder.join(DESIGN_FILE);
        if path.exists() {
            let mut design: Self = files::read_json(&path)?;
            design.check(&path)?;
            if config.most > design.most() {
                design.raised.push(config.most);
                design.write(&path)?;
            }
            return Ok(design);
        }
        let mut design = Self {
            version: FOLDER_VERSION,
            rules_version: Chase::RULES_VERSION,
            seed,
            config: config.clone(),
            raised: Vec::new(),
            players: Vec::new(),
        };
        for (index, player) in config.players.iter().chain(&config.curve).enumerate() {
            let mut player = StudyPlayer::new(player, config)?;
            if config.replies && index < config.players.len() {
                player.find_replies(&design.rules(), seed, device)?;
            }
            design.players.push(player);
        }
        std::fs::create_dir_all(folder).map_err(FileError::of("create", folder))?;
        design.write(&path)?;
        Ok(design)
    }

    fn write(&self, path: &Path) -> Result<(), EvidenceError> {
        Ok(files::write_whole(path, (pretty_json(self) + "\n").as_bytes())?)
    }

    /// Current maximum of games of a series.
    pub fn most(&self) -> u32 {
        self.raised.last().copied().unwrap_or(self.config.most)
    }

    /// Games of a series of this kind, if one from a forced opening has `most`.
    pub const fn games(&self, kind: SeriesKind, most: u32) -> u32 {
        match kind {
            SeriesKind::Free => most.saturating_mul(self.config.initial_factor),
            SeriesKind::Convention | SeriesKind::First | SeriesKind::Reply => most,
        }
    }

    /// Cumulative games of a series from a forced opening at the end of each round: doubling from the first round up to
    /// the maximum, and further after each time that it was raised.
    pub fn rounds(&self) -> Vec<u32> {
        let mut rounds = vec![self.config.first_round.min(self.config.most)];
        for &most in std::iter::once(&self.config.most).chain(&self.raised) {
            while let Some(&last) = rounds.last().filter(|&&last| last < most) {
                rounds.push(last.saturating_mul(2).min(most));
            }
        }
        rounds
    }

    /// The part of each error that verdicts may use after each round. The last round of the plan has all of it, so that
    /// its interval is that of a single look; the rounds before it have a tenth together (Haybittle and Peto), which adds
    /// no more than that. Whenever `most` was raised, verdicts had been seen: each time has half of the time before. What
    /// that half leaves open goes on, so a round after which `most` was raised has the half too.
    pub fn looks(&self) -> Vec<f64> {
        let rounds = self.rounds();
        let (mut looks, mut part) = (Vec::with_capacity(rounds.len()), 1.0);
        for &end in std::iter::once(&self.config.most).chain(&self.raised) {
            let here = rounds[looks.len()..].iter().take_while(|&&round| round <= end).count();
            if here > 0 {
                looks.extend(std::iter::repeat_n(0.1 * part / here as f64, here - 1));
                looks.push(if looks.len() + 1 < rounds.len() {
                    part / 2.0
                } else {
                    part
                });
                part /= 2.0;
            }
        }
        looks
    }

    /// Checks that the games can continue: that the folder is as this program writes it, and that every network is the one
    /// that has played. Settings and rules are those of the study's `config.toml`, which is refused if it was edited.
    fn check(&self, path: &Path) -> Result<(), EvidenceError> {
        if self.version != FOLDER_VERSION {
            let reason = format!("its version is {}, expected {FOLDER_VERSION}", self.version);
            return Err(FileError::damaged(path, reason).into());
        }
        for StudyPlayer {
            player,
            checkpoint_hash,
            ..
        } in &self.players
        {
            player.expect_weights(checkpoint_hash.as_deref())?;
        }
        Ok(())
    }

    /// The conventions of all games, except those under other conventions.
    pub fn rules(&self) -> Rules {
        // The configuration has been validated.
        self.config.rules.parse().unwrap_or_default()
    }

    /// Indices of the players of the whole study.
    pub fn main_players(&self) -> std::ops::Range<usize> {
        0..self.config.players.len()
    }

    /// All series.
    pub fn series(&self) -> Vec<Series> {
        let rules = self.rules();
        let mut series = Vec::new();
        let mut add = |id, rules| series.push(Series { id, rules });
        for (player, facts) in self.players.iter().enumerate() {
            add(SeriesId::free(player), rules);
            if !self.main_players().contains(&player) {
                continue;
            }
            for first in first_moves() {
                add(SeriesId::first(player, first.action()), rules);
            }
            if self.config.replies {
                for answered in answered_openings() {
                    let first = answered.first.action();
                    let own: Option<Action> = facts.reply(first);
                    let named = answered.named.iter().copied();
                    let others = if self.config.all_replies {
                        answered.others
                    } else {
                        own.filter(|own| !answered.named.contains(own)).into_iter().collect()
                    };
                    for reply in named.chain(others) {
                        add(SeriesId::reply(player, first, reply), rules);
                    }
                }
            }
        }
        if !self.config.players.is_empty() {
            let others = self.config.conventions.iter().filter_map(|text| text.parse().ok());
            others.for_each(|rules| add(SeriesId::convention(0, rules), rules));
        }
        series
    }
}

impl StudyPlayer {
    fn new(player: &PlayerSpec, config: &GamesConfig) -> Result<Self, EvidenceError> {
        let mut resolved = player.settled()?;
        if resolved.residual().is_some()
            && let Some(spec) = resolved.search_mut()
            && spec.temperature == 0.0
        {
            spec.temperature = config.temperature;
            spec.temperature_plies = config.temperature_plies;
        }
        Ok(Self {
            name: player.to_string(),
            checkpoint_hash: resolved.weights_sha256()?,
            player: resolved,
            replies: BTreeMap::new(),
        })
    }

    /// The planes that its network sees; null without such a network, or if the checkpoint is not there any more.
    pub fn encoding(&self) -> serde_json::Value {
        let manifest = self.player.manifest().ok().flatten();
        manifest.map_or(serde_json::Value::Null, |manifest| manifest.encoding)
    }

    /// Its reply to a first move.
    pub fn reply(&self, first: Action) -> Option<Action> {
        self.replies.get(&first.to_string())?.parse().ok()
    }

    /// Determines the player's replies at temperature 0.
    fn find_replies(&mut self, rules: &Rules, seed: u64, device: Device) -> Result<(), EvidenceError> {
        let mut cold = self.player.clone();
        if let Some(spec) = cold.search_mut() {
            spec.temperature = 0.0;
        }
        let mut agent = cold.contestant(device)?.agent();
        for answered in answered_openings() {
            let first = answered.first.action();
            let start = Chase::new(rules);
            let mut game = start.clone();
            game.apply(first);
            let mut rng = generator(seed, &[]);
            let decision = Decision {
                game: &game,
                start: &start,
                actions: &[first],
                rng: &mut rng,
            };
            let failed = |failure| EvidenceError::Agent {
                player: self.name.clone(),
                failure,
            };
            let chosen = agent.choose_batch(&mut [decision]).map_err(failed)?;
            if let Some(reply) = chosen.first() {
                // Of actions with one result, the one that the study plays.
                let reply = &answered.standing_for(reply.action);
                self.replies.insert(first.to_string(), reply.to_string());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn design(first_round: u32, most: u32, raised: &[u32]) -> Design {
        Design {
            version: FOLDER_VERSION,
            rules_version: Chase::RULES_VERSION,
            seed: 1,
            config: GamesConfig {
                first_round,
                most,
                ..GamesConfig::default()
            },
            raised: raised.to_vec(),
            players: Vec::new(),
        }
    }

    /// What a smaller part of the error leaves open at the old maximum needs the games that follow.
    #[test]
    fn a_raised_maximum_goes_on_with_all_that_its_verdicts_leave_open() {
        let looks = |raised: &[u32]| design(10, 20, raised).looks();
        assert_eq!(looks(&[]), [0.05, 1.0]);
        assert_eq!(looks(&[40]), [0.05, 0.5, 0.5]);
        assert_eq!(looks(&[40, 80]), [0.05, 0.5, 0.25, 0.25]);
    }

    #[test]
    fn rounds_double_up_to_the_most_and_go_on_when_it_is_raised() {
        let rounds = |first_round, most, raised: &[u32]| design(first_round, most, raised).rounds();
        assert_eq!(rounds(32, 256, &[]), [32, 64, 128, 256]);
        assert_eq!(rounds(10, 35, &[]), [10, 20, 35]);
        assert_eq!(rounds(8, 8, &[]), [8]);
        // Rounds already played stay the same.
        assert_eq!(rounds(10, 35, &[60]), [10, 20, 35, 60]);
        assert_eq!(rounds(10, 35, &[40, 200]), [10, 20, 35, 40, 80, 160, 200]);
    }
}
