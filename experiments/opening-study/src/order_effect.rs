//! The first move's advantage among the players of a tournament: a second estimate for claim A1, from other games.

use std::path::{Path, PathBuf};

use chase_arena::games::StoredGamesError;
use chase_arena::tournament::{Standings, TournamentConfig};
use chase_models::manifest::FileFacts;
use chase_training::config::ConfigError;
use chase_training::files::{self, FileError};
use chase_training::run_dir::{CONFIG_FILE, META_FILE, Meta};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::equal_games::EqualGames;
use super::{ClaimId, Effect, EffectUnit, Finding, StudyProvenance};
use chase_report::chart::{IntervalRow, Quantity};
use chase_report::exhibit::IntervalPlot;
use chase_report::number;
use chase_statistics::Verdict;
use chase_statistics::{Interval, RatingEstimate, SprtDecision};

/// The file with the figures of a tournament.
const REPORT: &str = "report.json";

/// Error returned when a folder has no estimate of the first move.
#[derive(Debug, thiserror::Error)]
pub enum OrderEffectError {
    /// The folder has no report.
    #[error("{} is not a finished tournament: there is no {REPORT} in it; expected the folder of a `chase tournament`", path.display())]
    NoReport {
        /// The folder.
        path: PathBuf,
    },
    /// The report is not of a tournament.
    #[error("{} is not the report of a tournament ({reason}); expected the folder of a `chase tournament`", path.display())]
    NoTournament {
        /// The report.
        path: PathBuf,
        /// The missing part.
        reason: String,
    },
    /// Some games are not played yet.
    #[error(
        "the tournament in {} is not finished, with {games} of {of} games: finish it first with chase tournament --resume {}",
        path.display(), path.display()
    )]
    Unfinished {
        /// The folder.
        path: PathBuf,
        /// Games played.
        games: u64,
        /// Games of its schedule.
        of: u64,
    },
    /// The games gave no ratings.
    #[error("the tournament in {} has no ratings, and with them no figure for the first move: see the notes in its report", path.display())]
    NoRatings {
        /// The folder.
        path: PathBuf,
    },
    /// The configuration is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A line of the games is invalid.
    #[error(transparent)]
    Games(#[from] StoredGamesError),
}

/// The advantage of the first move in a tournament, fitted together with the ratings of its players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OrderEffect {
    /// The folder of the tournament.
    pub folder: PathBuf,
    /// SHA-256 of its report, in hexadecimal digits.
    pub report_sha256: String,
    /// The folder's description of the program that played it, if there is one.
    pub program: Option<Meta>,
    /// Games played.
    pub games: u64,
    /// The players.
    pub players: Vec<String>,
    /// Openings of the games, in the form of `chase match`; `None` if the folder has no configuration.
    #[serde(default)]
    pub openings: Option<String>,
    /// Draw parameter of the fit, ν.
    #[serde(default)]
    pub draw: f64,
    /// Advantage of the first move in Elo, with the 95 % interval by the curvature of the likelihood.
    pub first_move: RatingEstimate,
    /// The 95 % interval by the bootstrap over pairs of games, if there is one.
    pub bootstrap: Option<Interval>,
    /// White's score between networks with equal budgets, by ascending budget; empty if the folder has no games, or no
    /// players.
    #[serde(default)]
    pub equals: Vec<EqualGames>,
}

impl OrderEffect {
    /// Reads the finished tournament in a folder.
    ///
    /// # Errors
    /// If there is none, or its games yield no estimate.
    pub fn read(folder: &Path) -> Result<Self, OrderEffectError> {
        let path = folder.join(REPORT);
        if !path.is_file() {
            return Err(OrderEffectError::NoReport { path: folder.into() });
        }
        let bytes = files::read(&path)?;
        let report: Standings = serde_json::from_slice(&bytes).map_err(|error| OrderEffectError::NoTournament {
            path: path.clone(),
            reason: error.to_string(),
        })?;
        let decided = report.sprt.is_some_and(|sprt| sprt.verdict != SprtDecision::Continue);
        if report.games < report.of && !decided {
            return Err(OrderEffectError::Unfinished {
                path: folder.into(),
                games: report.games,
                of: report.of,
            });
        }
        let config = folder.join(CONFIG_FILE);
        let text = config.is_file().then(|| files::read(&config)).transpose()?;
        // Openings change what the figure means, so one that cannot be read is an error.
        let load = |text: Vec<u8>| {
            let text = String::from_utf8_lossy(&text);
            TournamentConfig::load(Some((&config.display().to_string(), &text)), &[])
        };
        let config = text.map(load).transpose()?;
        let no_ratings = || OrderEffectError::NoRatings { path: folder.into() };
        let meta = folder.join(META_FILE);
        let program = meta.is_file().then(|| files::read(&meta)).transpose()?;
        Ok(Self {
            folder: folder.into(),
            report_sha256: FileFacts::of(&bytes).sha256,
            // Provenance only: a folder published without it is as good.
            program: program.and_then(|text| serde_json::from_slice(&text).ok()),
            games: report.games,
            players: report.players.into_iter().map(|player| player.name).collect(),
            equals: EqualGames::read(folder, config.as_ref().map_or(&[], |config| &config.players))?,
            openings: config.map(|config| config.openings.to_string()),
            draw: report.draw_parameter.unwrap_or(0.0),
            first_move: report.first_move.ok_or_else(no_ratings)?,
            bootstrap: report.first_move_bootstrap,
        })
    }

    /// All findings of the tournament on A1, in addition to the games of the study.
    pub fn findings(&self, margin: f64) -> Vec<Finding> {
        let openings = self.openings.as_deref();
        let equals = self
            .equals
            .iter()
            .map(|equals| equals.finding(margin, openings, &self.folder));
        std::iter::once(self.finding(margin)).chain(equals).collect()
    }

    /// The finding of all its games on A1, without those of equal players: `margin` is the smallest score difference
    /// that matters.
    fn finding(&self, margin: f64) -> Finding {
        let RatingEstimate { elo, low, high } = self.first_move;
        let curvature = Interval {
            low: Some(low),
            high: Some(high),
        };
        let interval = self.bootstrap.unwrap_or(curvature);
        let threshold = elo_of_score(0.5 + margin, self.draw);
        // After other plies the figure is the worth of having the move in those positions, for either player.
        let (verdict, beginning) = match self.openings.as_deref() {
            Some("none") => (Verdict::greater_than(&interval, threshold), String::new()),
            Some(openings) => (
                Verdict::Inconclusive,
                format!(
                    " Its games begin with openings, {openings}, after which this is the worth of the move: no verdict on the first."
                ),
            ),
            None => (
                Verdict::Inconclusive,
                " Its folder does not say what games began with, so no verdict is given.".to_owned(),
            ),
        };
        let bootstrap = self.bootstrap.map_or_else(String::new, |interval| {
            format!(", by the bootstrap over pairs {}", number::elo_interval(&interval))
        });
        let summary = format!(
            "Among the {} players of the tournament in {} the first move is worth {} Elo {} by the likelihood{bootstrap}, in {} \
             games: {:.2} wins a loss between equals. The margin of A1 is {} Elo.{beginning}",
            self.players.len(),
            self.folder.display(),
            number::elo(elo),
            number::elo_interval(&curvature),
            number::count(self.games),
            10_f64.powf(elo / 400.0),
            number::elo(threshold),
        );
        let row = |name: &str, interval: Interval| IntervalRow {
            name: name.into(),
            value: Some(elo),
            interval: Some(interval),
            text: number::elo_interval(&interval),
        };
        let mut rows = vec![row("by the likelihood", curvature)];
        rows.extend(
            self.bootstrap
                .map(|interval| row("by the bootstrap over pairs", interval)),
        );
        let command = self.program.as_ref().map_or_else(String::new, StudyProvenance::command);
        Finding::empirical(ClaimId::A1, "order of play in a tournament", verdict, summary)
            .as_context()
            .with_effect(Effect {
                name: "advantage of the first move among players of a tournament".into(),
                unit: EffectUnit::Elo,
                value: elo,
                interval: Some(interval),
                level: Some(0.95),
                error: None,
            })
            .with_test(
                self.games,
                "games",
                "order effect of a paired-comparison model with draws (Davidson and Beaver 1977), fitted together with the ratings of \
                 all players, of all strengths, which is why it does not decide; one look at 95 %",
            )
            .with_command(command)
            .with_evidence(json!(self))
            .with_exhibit(IntervalPlot {
                title: "The first move in a tournament".into(),
                note: format!("95 % intervals. Players: {}.", self.players.join(", ")),
                axis: "advantage of the first move".into(),
                quantity: Quantity::Elo,
                reference: Some(0.0),
                rows,
            })
    }
}

/// Elo advantage of a player with this expected score, with draw parameter `draw` (Davidson 1970).
fn elo_of_score(score: f64, draw: f64) -> f64 {
    // With x the square root of the ratio of strengths: (x² + νx/2) / (x² + νx + 1).
    let half = draw * (score - 0.5);
    let root = (half + (half * half + 4.0 * score * (1.0 - score)).sqrt()) / (2.0 * (1.0 - score));
    800.0 * root.log10()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::Role;

    fn folder(report: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(CONFIG_FILE), CONFIG).unwrap();
        std::fs::write(folder.path().join(REPORT), report).unwrap();
        folder
    }

    const CONFIG: &str = "players = [\"a=random\", \"b=greedy\"]\nopenings = \"none\"\n";

    const WHOLE: &str = r#"{"games": 8, "of": 8, "anchor": "a", "players": [
        {"name": "a", "player": "random", "games": {"wins": 5, "draws": 0, "losses": 3, "truncated": 0}, "rating": {"standing": "unknown"}},
        {"name": "b", "player": "greedy", "games": {"wins": 3, "draws": 0, "losses": 5, "truncated": 0}, "rating": {"standing": "unknown"}}],
        "matches": [], "table": {"pairings": []}, "sprt": null, "white": {"wins": 5, "draws": 0, "losses": 3, "truncated": 0},
        "first_move": {"elo": 30.0, "low": 10.0, "high": 50.0}, "first_move_bootstrap": {"low": 16.0, "high": null}, "bootstrap": 1000,
        "cycles": [], "openings": [], "whole_openings": false, "simulations": [], "end_reasons": {}, "repeated_games": 0, "notes": [],
        "new": 1}"#;

    #[test]
    fn the_figure_of_a_finished_tournament_stands_beside_the_claim() {
        let found = OrderEffect::read(folder(WHOLE).path()).unwrap();
        assert_eq!(
            (found.games, &found.players[..]),
            (8, &["a".to_owned(), "b".to_owned()][..])
        );
        // A score of 52 % is 13.9 Elo: below the lower end of the bootstrap, above that of the likelihood.
        let finding = found.finding(0.02);
        assert_eq!((finding.verdict, finding.role), (Verdict::Supported, Role::Context));
        // After random plies the figure means something else.
        let random = OrderEffect {
            openings: Some("random:plies=4".into()),
            ..found.clone()
        };
        let finding = random.finding(0.02);
        assert_eq!(finding.verdict, Verdict::Inconclusive);
        assert!(
            finding
                .summary
                .contains("begin with openings, random:plies=4, after which"),
            "{}",
            finding.summary
        );
        // With as many draws as decided games between equals, 52 % is more Elo: 16.2.
        let drawn = OrderEffect {
            draw: 1.0,
            ..found.clone()
        };
        assert_eq!(drawn.finding(0.02).verdict, Verdict::Inconclusive);
        let by_likelihood = OrderEffect {
            bootstrap: None,
            ..found
        }
        .finding(0.02);
        assert_eq!(by_likelihood.verdict, Verdict::Inconclusive);
        assert!(by_likelihood.summary.contains("+30 Elo"), "{}", by_likelihood.summary);
    }

    #[test]
    fn folders_without_a_finished_tournament_are_refused_by_name() {
        let told = |folder: &Path| OrderEffect::read(folder).unwrap_err().to_string();
        let empty = tempfile::tempdir().unwrap();
        assert!(told(empty.path()).contains("there is no report.json in it; expected the folder"));
        let training = folder(r#"{"generations": 3}"#);
        assert!(told(training.path()).contains("is not the report of a tournament (missing field `games`"));
        let unfinished = folder(&WHOLE.replace(r#""of": 8"#, r#""of": 20"#));
        assert!(told(unfinished.path()).contains("is not finished, with 8 of 20 games"));
        let sprt = WHOLE.replace(r#""sprt": null"#, r#""sprt": {"question": "stronger", "log_likelihood_ratio": 3.0, "lower": -2.9, "upper": 2.9, "verdict": "accept-h1"}"#);
        assert!(OrderEffect::read(folder(&sprt.replace(r#""of": 8"#, r#""of": 20"#)).path()).is_ok());
        let unclear = folder(WHOLE);
        std::fs::write(unclear.path().join(CONFIG_FILE), "opening = \"none\"\n").unwrap();
        assert!(
            told(unclear.path()).contains("unknown key `opening`"),
            "{}",
            told(unclear.path())
        );
        let unrated = folder(&WHOLE.replace(r#"{"elo": 30.0, "low": 10.0, "high": 50.0}"#, "null"));
        assert!(told(unrated.path()).contains("has no ratings"));
    }
}
