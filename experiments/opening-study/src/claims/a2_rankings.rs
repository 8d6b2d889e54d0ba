//! A2: agreement of agents in their rankings of the first moves, by their games.

use serde::Serialize;
use serde_json::json;

use super::method::games::{GamesAnalysis, SCORE};
use crate::evidence::games::SeriesId;
use crate::{ClaimId, Finding, first_moves};
use chase_report::exhibit::Table;
use chase_report::number::NONE;
use chase_statistics::Verdict;
use chase_statistics::ranking::{kendall, spearman};

/// Agreement of two players, or of one player with itself, in ranking the first moves.
#[derive(Serialize)]
struct Pair<'a> {
    agents: [&'a str; 2],
    /// Kendall's τ over all their games; `None` for one player, who agrees with itself.
    kendall: Option<f64>,
    spearman: Option<f64>,
    /// Spearman's ρ over half of the games of each: those with even numbers of one and odd numbers of the other.
    by_halves: Option<f64>,
}

impl Pair<'_> {
    fn is_one(&self) -> bool {
        self.agents[0] == self.agents[1]
    }
}

impl GamesAnalysis<'_> {
    /// Rank correlations of first moves between every two players of the whole study, as context of A2; none for one
    /// player.
    ///
    /// Rankings by few games hide agreement. So halves of the games are compared too: between two players, and within
    /// one player, which shows how well agents *could* agree with this many games.
    pub fn rankings(&self) -> Option<Finding> {
        let players: Vec<usize> = self.design.main_players().collect();
        if players.len() < 2 {
            return None;
        }
        let name = |player: usize| self.design.players[player].name.as_str();
        let all = |player| self.scores(player, |_| true);
        let half = |player, half: usize| self.scores(player, move |block| block % 2 == half);
        let of = |correlation: fn(&[f64], &[f64]) -> Option<f64>, one: Option<Vec<f64>>, other: Option<Vec<f64>>| {
            correlation(&one?, &other?)
        };
        let mut pairs = Vec::new();
        for (index, &other) in players.iter().enumerate() {
            for &one in &players[..=index] {
                let halves = [0, 1].map(|parity| of(spearman, half(one, parity), half(other, 1 - parity)));
                let whole = |correlation| (one != other).then(|| of(correlation, all(one), all(other))).flatten();
                pairs.push(Pair {
                    agents: [name(one), name(other)],
                    kendall: whole(kendall),
                    spearman: whole(spearman),
                    by_halves: halves[0].zip(halves[1]).map(|(even, odd)| f64::midpoint(even, odd)),
                });
            }
        }
        let mean = |of: &dyn Fn(&Pair<'_>) -> Option<f64>| {
            let known: Vec<f64> = pairs.iter().filter_map(of).collect();
            (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
        };
        let between = mean(&|pair| pair.spearman);
        let halves_between = mean(&|pair| pair.by_halves.filter(|_| !pair.is_one()));
        let halves_within = mean(&|pair| pair.by_halves.filter(|_| pair.is_one()));
        let figure = |figure: Option<f64>| figure.map_or_else(|| NONE.to_owned(), |figure| format!("{figure:.2}"));
        let rows = pairs.iter().map(|pair| {
            let [one, other] = pair.agents.map(str::to_owned);
            vec![
                one,
                other,
                figure(pair.kendall),
                figure(pair.spearman),
                figure(pair.by_halves),
            ]
        });
        let summary = match (between, halves_between, halves_within) {
            (Some(between), Some(halves), Some(within)) => format!(
                "Two agents' rankings of the {} first moves by score correlate by {between:.2} on average (Spearman); by half \
                 of the games each {halves:.2}, where an agent correlates with itself by {within:.2}.",
                first_moves().len()
            ),
            _ => "Some first move has no game with a result, or all score the same: there is no ranking.".to_owned(),
        };
        let games: usize = players
            .iter()
            .flat_map(|&player| Self::firsts(player, |_| true))
            .map(|series| self.games(series).len())
            .sum();
        let table = Table {
            title: "How alike agents rank the first moves".into(),
            note: "Rank correlations by the scores of games. Halves: games with even numbers of one against those with odd numbers \
                   of the other, both ways; of an agent with itself this is what chance leaves of perfect agreement."
                .into(),
            headings: ["agent", "and", "Kendall's τ", "Spearman's ρ", "ρ by halves"].map(String::from).to_vec(),
            rows: rows.collect(),
        };
        let finding = Finding::empirical(ClaimId::A2, "ranking of first moves, agent by agent", Verdict::Inconclusive, summary)
            .with_test(
                games as u64,
                "games",
                "rank correlation of the mean scores of all first moves; no interval: the first moves are all that there are, and \
                 what the games' chance does to them is seen by halves",
            )
            .with_command(self.command)
            .with_evidence(json!({
                "spearman": between, "spearman_by_halves": halves_between, "spearman_by_halves_within": halves_within,
                "pairs": pairs,
            }))
            .with_exhibit(table);
        Some(finding.as_context())
    }

    /// The mean score after each first move over some of a player's games, in the order of [`first_moves`]; `None` if
    /// one has no result.
    fn scores(&self, player: usize, wanted: impl Fn(usize) -> bool) -> Option<Vec<f64>> {
        let mean = |series: SeriesId| {
            let games = self.games(series).iter().enumerate();
            let games = games.filter(|(block, _)| wanted(*block));
            let scores: Vec<f64> = games.filter_map(|(_, game)| (SCORE.measure)(game)).collect();
            (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64)
        };
        Self::firsts(player, |_| true).into_iter().map(mean).collect()
    }
}
