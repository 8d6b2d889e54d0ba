//! White's score between equal players of a tournament, by number of simulations: another source for claim A1.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use chase_arena::PlayerSpec;
use chase_arena::games::{GAMES_FILE, GameLine, GameLines, StoredGamesError};
use chase_arena::tournament::Entrant;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::evidence::score::score;
use super::{ClaimId, Effect, EffectUnit, Finding};
use chase_report::number;
use chase_statistics::clusters::{self, BlockSums};
use chase_statistics::{Interval, RandomEffects, Verdict, generator};

/// White's score in games between two networks with equal numbers of simulations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EqualGames {
    /// Simulations per decision of both players.
    pub simulations: u32,
    /// Games with a result.
    pub games: u64,
    /// Different openings of the games, or pairs of games where there are no openings: the independent units.
    pub openings: u64,
    /// White's score over all games, from 0 to 1.
    pub score: f64,
    /// Its standard error.
    pub error: f64,
    /// Its 95 % interval; `None` for fewer than ten openings.
    pub interval: Option<Interval>,
    /// White's score in every pairing, and its standard error; only pairings with an error.
    pub pairings: Vec<(String, f64, f64)>,
    /// White's score between players trained alike, from these pairings; `None` for a single pairing. Pairings share
    /// players, so the interval is, if anything, too narrow.
    pub alike: Option<RandomEffects>,
}

impl EqualGames {
    /// Scores of the games in a tournament's folder between these players, by ascending simulations; empty if there are
    /// no games.
    ///
    /// # Errors
    /// If a line of the file is not a game.
    pub(crate) fn read(folder: &Path, players: &[Entrant]) -> Result<Vec<Self>, StoredGamesError> {
        let path = folder.join(GAMES_FILE);
        if !path.is_file() {
            return Ok(Vec::new());
        }
        let simulations: HashMap<String, u32> = players
            .iter()
            .filter_map(|entrant| match entrant.player() {
                PlayerSpec::Network(network) if network.time.is_none() => {
                    Some((entrant.name(), network.settings().params.simulations))
                }
                _ => None,
            })
            .collect();
        let mut budgets: BTreeMap<u32, Vec<GameLine>> = BTreeMap::new();
        let mut lines = GameLines::open(&path)?;
        while let Some(line) = lines.next_line()? {
            let game: GameLine = line.game()?;
            let of = |name: &String| simulations.get(name).copied();
            if let (Some(white), Some(black)) = (of(&game.white), of(&game.black))
                && white == black
            {
                budgets.entry(white).or_default().push(game);
            }
        }
        let found = budgets
            .into_iter()
            .filter_map(|(simulations, games)| Self::of(simulations, &games));
        Ok(found.collect())
    }

    /// `None` if no game has a result.
    fn of(simulations: u32, games: &[GameLine]) -> Option<Self> {
        let estimate = |games: &mut dyn Iterator<Item = &GameLine>| {
            let mut openings: BTreeMap<String, BlockSums> = BTreeMap::new();
            for line in games {
                if let Some(score) = score(line.game.outcome) {
                    openings.entry(opening(line)).or_default().add(score);
                }
            }
            let openings: Vec<BlockSums> = openings.into_values().collect();
            clusters::mean(&openings, 0.95, &mut generator(1, &[simulations.into()]))
        };
        let all = estimate(&mut games.iter())?;
        let mut names: Vec<String> = games.iter().map(pairing).collect();
        names.sort();
        names.dedup();
        let pairings = names.into_iter().filter_map(|name| {
            let found = estimate(&mut games.iter().filter(|line| pairing(line) == name))?;
            (found.error > 0.0 && found.blocks >= clusters::LEAST_BLOCKS).then_some((name, found.value, found.error))
        });
        let pairings: Vec<(String, f64, f64)> = pairings.collect();
        let effects: Vec<(f64, f64)> = pairings.iter().map(|&(_, score, error)| (score, error)).collect();
        Some(Self {
            simulations,
            games: all.observations,
            openings: all.blocks,
            score: all.value,
            error: all.error,
            interval: all.interval,
            alike: RandomEffects::of(&effects, 0.95),
            pairings,
        })
    }

    /// Its finding on A1: `margin` is the smallest score difference that matters, `openings` are the openings of the
    /// tournament in `folder`.
    pub(crate) fn finding(&self, margin: f64, openings: Option<&str>, folder: &Path) -> Finding {
        let bounds = |interval: Option<Interval>| {
            interval.map_or_else(
                || "(no interval)".to_owned(),
                |interval| number::percent_interval(&interval),
            )
        };
        let fixed = format!("{} {}", number::percent(self.score), bounds(self.interval));
        let headline = match &self.alike {
            Some(alike) => format!(
                "{} {} between players trained alike, by {} pairings; {fixed} in these games alone",
                number::percent(alike.mean),
                bounds(Some(alike.interval)),
                alike.agents
            ),
            None => fixed,
        };
        let first = openings == Some("none");
        let beginning = match openings {
            Some("none") => String::new(),
            Some(openings) => format!(" They begin with openings, {openings}: no verdict on the first move."),
            None => " What they begin with is unknown, so no verdict is given.".to_owned(),
        };
        let interval = self.alike.map(|alike| alike.interval).or(self.interval);
        let verdict = match interval {
            Some(interval) if first => Verdict::greater_than(&interval, 0.5 + margin),
            _ => Verdict::Inconclusive,
        };
        let summary = format!(
            "Between networks with {} simulations each, in {} games of {} openings of the tournament in {}, White scored {headline}.{beginning}",
            self.simulations,
            number::count(self.games),
            number::count(self.openings),
            folder.display()
        );
        let part = format!("games of a tournament between equals, {} simulations", self.simulations);
        let (value, error) = self
            .alike
            .map_or((self.score, self.error), |alike| (alike.mean, alike.error));
        Finding::empirical(ClaimId::A1, part, verdict, summary)
            .as_context()
            .with_effect(Effect {
                name: "score of White between networks with equal budgets".into(),
                unit: EffectUnit::Score,
                value,
                interval,
                level: interval.map(|_| 0.95),
                error: Some(error),
            })
            .with_test(
                self.games,
                "games",
                "mean of White's results; random effects over pairings of players where there are several, with the studentised bootstrap \
                 over openings beside; one look at 95 %; players trained apart from the study's, which is why it does not decide",
            )
            .with_evidence(json!(self))
    }
}

/// Key of the opening. Games with the same opening depend on each other, as do the two of a pair.
fn opening(line: &GameLine) -> String {
    match line.game.opening_plies as usize {
        0 => format!("{}, pair {}", pairing(line), line.pair),
        plies => line
            .game
            .actions
            .iter()
            .take(plies)
            .cloned()
            .collect::<Vec<_>>()
            .join(" "),
    }
}

/// Key of the two players, whichever was White.
fn pairing(line: &GameLine) -> String {
    let mut names = [line.white.as_str(), line.black.as_str()];
    names.sort_unstable();
    names.join(" and ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn line(white: &str, black: &str, pair: u32, outcome: &str, opening: &str) -> String {
        format!(
            r#"{{"white":"{white}","black":"{black}","pair":{pair},"outcome":"{outcome}","reason":"four dice","plies":30,"opening_plies":1,"actions":["{opening}"]}}"#
        )
    }

    #[test]
    fn only_games_between_equals_count_and_openings_are_what_is_independent() {
        let folder = tempfile::tempdir().unwrap();
        let mut lines = Vec::new();
        for pair in 0..12 {
            // In every opening White wins one of two games with 32 simulations, and three of four with 128.
            let opening = format!("A{}NE", pair + 1);
            let outcome = |won| if won { "white" } else { "black" };
            lines.push(line("a", "b", pair, "white", &opening));
            lines.push(line("b", "a", pair, outcome(pair % 3 == 0), &opening));
            lines.push(line("a", "c", pair, "black", &opening));
            lines.push(line("c", "d", pair, outcome(pair % 2 == 0), &opening));
            lines.push(line("d", "c", pair, "white", &opening));
            lines.push(line("greedy", "a", pair, "black", &opening));
        }
        lines.push(line("a", "b", 12, "truncated", "A1NE"));
        std::fs::write(folder.path().join(GAMES_FILE), lines.join("\n") + "\n").unwrap();
        let players: Vec<Entrant> = [
            "a=net:x,simulations=32",
            "b=net:y,simulations=32",
            "c=net:x,simulations=128",
            "d=net:y,simulations=128",
            "greedy",
        ]
        .iter()
        .map(|text| text.parse().unwrap())
        .collect();
        let found = EqualGames::read(folder.path(), &players).unwrap();
        let facts: Vec<_> = found
            .iter()
            .map(|found| (found.simulations, found.games, found.openings))
            .collect();
        assert_eq!(facts, [(32, 24, 12), (128, 24, 12)]);
        assert!((found[0].score - 16.0 / 24.0).abs() < 1e-12 && (found[1].score - 0.75).abs() < 1e-12);
        assert_eq!(found[0].pairings.len(), 1);
        assert!(found[0].interval.unwrap().contains(16.0 / 24.0) && found[0].alike.is_none());
        // With openings there is no verdict on the first move.
        let finding = |openings| found[1].finding(0.02, openings, folder.path());
        assert_eq!(finding(Some("none")).verdict, Verdict::Supported);
        let after = finding(Some("random:plies=4"));
        assert_eq!(after.verdict, Verdict::Inconclusive);
        assert!(
            after.summary.contains("no verdict on the first move"),
            "{}",
            after.summary
        );
        std::fs::write(folder.path().join(GAMES_FILE), "no game\n").unwrap();
        assert!(EqualGames::read(folder.path(), &players).is_err());
    }
}
