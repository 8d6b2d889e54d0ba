//! Opening statistics: the first actions of games, and the results after them.
//!
//! Shares of play are not the quality of moves: values and results are shown with them, and games with exploration are
//! never mixed with measurement games.

use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::path::Path;

use chase_engine::{Game, Outcome, Player};
use serde::{Deserialize, Serialize};

use crate::game_record::GameRecord;
use crate::replay::shard;
use crate::store::files::{self, FileError};
use crate::store::serialised::pretty_json;

/// The `model` of games that the hand-written heuristic played.
pub const HEURISTIC: &str = "heuristic";

/// Statistics of the openings of some games. Runs write them and reports read them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpeningStatistics {
    /// Name of the game.
    pub game: String,
    /// The generation whose network played.
    pub generation: u64,
    /// `selfplay` (with exploration) or `measurement` (without noise).
    pub purpose: String,
    /// The checkpoint that played. A game that was carried over began under an earlier one.
    pub model: String,
    /// All games that the agent played from the start.
    pub total: Tally,
    /// Games that began with random plies. No other figure here counts them: the agent did not choose their openings.
    pub random_openings: Tally,
    /// Mean number of plies of the games of `total`; `None` without games.
    pub mean_plies: Option<f64>,
    /// Number of games by end reason.
    pub end_reasons: BTreeMap<String, u64>,
    /// Lines of one ply, then those of two, in the order of legal actions. First actions that were never played are
    /// included; replies are listed only for first actions that were played.
    pub lines: Vec<OpeningLine>,
}

/// Results of some games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// All games, truncated ones included.
    pub games: u64,
    /// Games that White, the first player, won.
    pub white: u64,
    /// Games that Black won.
    pub black: u64,
    /// Games drawn by the rules or a convention.
    pub draws: u64,
    /// Games without a result.
    pub truncated: u64,
}

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, outcome: Outcome) {
        self.games += 1;
        *match outcome {
            Outcome::Win(Player::White) => &mut self.white,
            Outcome::Win(Player::Black) => &mut self.black,
            Outcome::Draw => &mut self.draws,
            Outcome::Truncated => &mut self.truncated,
        } += 1;
    }

    /// Games with a result.
    pub const fn decided(&self) -> u64 {
        self.white + self.black + self.draws
    }

    /// Mean score of the first player, with 0.5 for a draw; truncated games do not count. `None` without games.
    pub fn first_player_score(&self) -> Option<f64> {
        let counted = self.decided();
        (counted > 0).then(|| (self.white as f64 + 0.5 * self.draws as f64) / counted as f64)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.white += other.white;
        self.black += other.black;
        self.draws += other.draws;
        self.truncated += other.truncated;
    }
}

/// A first action, alone or with a reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpeningLine {
    /// The actions as text.
    pub actions: Vec<String>,
    /// Results of the games that began with this line.
    pub tally: Tally,
    /// Share of these games among those that reached the position before the last action.
    pub share: f64,
    /// Mean number of plies of these games; `None` without games.
    pub mean_plies: Option<f64>,
    /// The network's probability of the last action at the temperature of its searches; mean over the full searches of
    /// the position before it.
    pub prior: Option<f64>,
    /// Share of the visits of these searches that the last action got; mean.
    pub visits: Option<f64>,
    /// Expected score of the first player (0.5 for a draw) after the line, by the searches of the position that it
    /// leads to; mean over these games.
    pub value: Option<f64>,
}

/// Running sums of one line.
#[derive(Clone, Debug, Default)]
struct LineSums {
    tally: Tally,
    plies: u64,
    value: Mean,
    prior: Mean,
    visits: Mean,
}

#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    sum: f64,
    count: u64,
}

impl Mean {
    fn add(&mut self, number: f64) {
        self.sum += number;
        self.count += 1;
    }

    fn get(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

/// A position that games pass through, and the lines that continue from it.
#[derive(Debug, Default)]
struct Branches<A> {
    /// In the order of legal actions.
    actions: Vec<A>,
    sums: Vec<LineSums>,
    games: u64,
}

impl<A: Copy + PartialEq> Branches<A> {
    fn add<G: Game<Action = A>>(&mut self, record: &GameRecord<G>, ply: usize, before: &G) {
        if self.actions.is_empty() {
            before.legal_actions(&mut self.actions);
            self.sums = vec![LineSums::default(); self.actions.len()];
        }
        self.games += 1;
        let played = &record.plies[ply];
        if let Some(policy) = &played.policy {
            let total: u32 = policy.visits.iter().sum();
            for (index, sums) in self.sums.iter_mut().enumerate() {
                if let Some(&prior) = policy.priors.get(index) {
                    sums.prior.add(prior.into());
                }
                if total > 0 {
                    sums.visits.add(f64::from(policy.visits[index]) / f64::from(total));
                }
            }
        }
        let Some(index) = self.actions.iter().position(|&action| action == played.action) else {
            return;
        };
        let sums = &mut self.sums[index];
        sums.tally.add(record.outcome);
        sums.plies += record.plies.len() as u64;
        let next = record.plies.get(ply + 1);
        if let Some((player, value)) = next.and_then(|next| Some((next.player, next.value?))) {
            sums.value.add(player.score(value.score()));
        }
    }

    fn lines<G: Game<Action = A>>(&self, before: &G, prefix: &[String], lines: &mut Vec<OpeningLine>) {
        for (&action, sums) in self.actions.iter().zip(&self.sums) {
            let games = sums.tally.games;
            let mut actions = prefix.to_vec();
            actions.push(before.action_text(action));
            lines.push(OpeningLine {
                actions,
                tally: sums.tally,
                share: games as f64 / self.games.max(1) as f64,
                mean_plies: (games > 0).then(|| sums.plies as f64 / games as f64),
                prior: sums.prior.get(),
                visits: sums.visits.get(),
                value: sums.value.get(),
            });
        }
    }
}

impl OpeningStatistics {
    /// Counts games of one purpose, all of which must begin in the initial position under `rules`.
    pub fn new<G: Game>(
        rules: &G::Rules,
        generation: u64,
        purpose: &str,
        model: &str,
        games: &[GameRecord<G>],
    ) -> Self {
        let start = G::new(rules);
        let mut first = Branches {
            actions: Vec::new(),
            sums: Vec::new(),
            games: 0,
        };
        start.legal_actions(&mut first.actions);
        first.sums = vec![LineSums::default(); first.actions.len()];
        let mut replies: Vec<Branches<G::Action>> = Vec::new();
        replies.resize_with(first.actions.len(), || Branches {
            actions: Vec::new(),
            sums: Vec::new(),
            games: 0,
        });
        let after = |action: G::Action| {
            let mut game = start.clone();
            game.apply(action);
            game
        };
        let (mut total, mut plies, mut end_reasons) = (Tally::default(), 0, BTreeMap::new());
        let mut random_openings = Tally::default();
        for record in games {
            if record.random_plies > 0 {
                random_openings.add(record.outcome);
                continue;
            }
            total.add(record.outcome);
            plies += record.plies.len();
            *end_reasons.entry(record.end_reason.clone()).or_insert(0) += 1;
            let Some(opening) = record.plies.first() else { continue };
            first.add(record, 0, &start);
            let index = first.actions.iter().position(|&action| action == opening.action);
            if let (Some(index), true) = (index, record.plies.len() > 1) {
                replies[index].add(record, 1, &after(opening.action));
            }
        }
        let mut lines = Vec::new();
        first.lines(&start, &[], &mut lines);
        for (&action, replies) in first.actions.iter().zip(&replies) {
            replies.lines(&after(action), &[start.action_text(action)], &mut lines);
        }
        Self {
            game: G::name(rules).into(),
            generation,
            purpose: purpose.into(),
            model: model.into(),
            total,
            random_openings,
            mean_plies: (total.games > 0).then(|| plies as f64 / total.games as f64),
            end_reasons,
            lines,
        }
    }

    /// Writes the statistics as JSON and as CSV into a folder, under names of their generation and purpose.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), FileError> {
        let name = |ending: &str| {
            let generation = shard::generation_folder(self.generation);
            folder.join(format!("{generation}-{}.{ending}", self.purpose))
        };
        files::write_whole(&name("json"), pretty_json(self).as_bytes())?;
        files::write_whole(&name("csv"), self.to_csv().as_bytes())
    }

    /// The lines as CSV with a header, one row per line; a missing figure is an empty field.
    pub fn to_csv(&self) -> String {
        let mut csv = String::from(
            "generation,purpose,line,games,share,white,black,draws,truncated,first_player_score,mean_plies,prior,visits,value\n",
        );
        let figure = |figure: Option<f64>| figure.map_or(String::new(), |figure| format!("{figure:.6}"));
        for line in &self.lines {
            let tally = &line.tally;
            let fields = [
                self.generation.to_string(),
                self.purpose.clone(),
                line.actions.join(" "),
                tally.games.to_string(),
                figure(Some(line.share)),
                tally.white.to_string(),
                tally.black.to_string(),
                tally.draws.to_string(),
                tally.truncated.to_string(),
                figure(tally.first_player_score()),
                figure(line.mean_plies),
                figure(line.prior),
                figure(line.visits),
                figure(line.value),
            ];
            csv.push_str(&fields.join(","));
            csv.push('\n');
        }
        csv
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::{ConnectFour, Wdl};

    use super::*;
    use crate::game_record::PolicyRecord;
    use crate::replay::testing::random_game;

    /// A game with given first actions and known figures at them.
    fn game(index: u32, first: [u8; 2], outcome: Outcome) -> GameRecord<ConnectFour> {
        let mut record = random_game::<ConnectFour>(&(), index);
        record.outcome = outcome;
        for (ply, action) in first.into_iter().enumerate() {
            let mut policy = PolicyRecord {
                priors: vec![0.1; 7],
                visits: vec![1; 7],
                ..PolicyRecord::default()
            };
            policy.priors[usize::from(action)] = 0.4;
            policy.visits[usize::from(action)] = 4;
            record.plies[ply].action = action;
            record.plies[ply].policy = Some(policy);
        }
        // White expects 0.25 points after the first action, 0.7 after the second.
        record.plies[1].value = Some(Wdl::new(0.5, 0.5, 0.0));
        record.plies[2].value = Some(Wdl::new(0.6, 0.2, 0.2));
        record
    }

    #[test]
    fn lines_are_counted_and_valued_for_the_first_player() {
        let mut random = game(4, [3, 3], Outcome::Win(Player::Black));
        random.random_plies = 1;
        let games = [
            game(0, [3, 3], Outcome::Win(Player::White)),
            game(1, [3, 2], Outcome::Draw),
            game(2, [3, 3], Outcome::Truncated),
            game(3, [0, 3], Outcome::Win(Player::Black)),
            random,
        ];
        let openings = OpeningStatistics::new::<ConnectFour>(&(), 5, "measurement", "gen-000005", &games);
        assert_eq!(
            openings.total,
            Tally {
                games: 4,
                white: 1,
                black: 1,
                draws: 1,
                truncated: 1
            }
        );
        assert_eq!(openings.total.first_player_score(), Some(0.5));
        assert_eq!((openings.random_openings.games, openings.random_openings.black), (1, 1));
        let plies: usize = games[..4].iter().map(|game| game.plies.len()).sum();
        assert_eq!(openings.mean_plies, Some(plies as f64 / 4.0));
        let line = |actions: &str| {
            openings
                .lines
                .iter()
                .find(|line| line.actions.join(" ") == actions)
                .unwrap()
        };
        let near = |found: Option<f64>, expected: f64| assert!((found.unwrap() - expected).abs() < 1e-6, "{found:?}");
        let centre = line("4");
        assert_eq!((centre.tally.games, centre.tally.truncated, centre.share), (3, 1, 0.75));
        assert_eq!(centre.tally.first_player_score(), Some(0.75));
        near(centre.value, 0.25);
        near(centre.prior, (0.4 * 3.0 + 0.1) / 4.0);
        near(centre.visits, (0.4 * 3.0 + 0.1) / 4.0);
        let unplayed = line("7");
        assert_eq!(
            (unplayed.tally.games, unplayed.value, unplayed.mean_plies),
            (0, None, None)
        );
        near(unplayed.prior, 0.1);
        let reply = line("4 4");
        assert_eq!((reply.tally.games, reply.share), (2, 2.0 / 3.0));
        near(reply.value, 0.7);
        near(reply.prior, (0.4 * 2.0 + 0.1) / 3.0);
        // Seven first actions, and seven replies to each of the two that were played.
        assert_eq!(openings.lines.len(), 21);
        assert_eq!(openings.to_csv().lines().count(), 22);
        let read: OpeningStatistics = serde_json::from_str(&serde_json::to_string(&openings).unwrap()).unwrap();
        assert_eq!(read.lines.len(), 21);
    }
}
