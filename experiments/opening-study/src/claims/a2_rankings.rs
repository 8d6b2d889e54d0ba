//! A2: agreement of agents in their rankings of the first moves, by their games.

use super::method::games::GamesAnalysis;
use super::method::measure::Measure;
use crate::claim_test::ClaimTest;
use crate::evidence::games::SeriesId;
use crate::{ClaimId, Finding, first_moves};
use chase_report::number::NONE;
use chase_statistics::ranking::{kendall, spearman};

/// A coefficient of rank correlation; `None` if all numbers of one side are equal.
type Correlation = fn(&[f64], &[f64]) -> Option<f64>;

/// Rank correlations as cells of a table.
pub(super) fn figure(correlation: Option<f64>) -> String {
    correlation.map_or_else(|| NONE.to_owned(), |figure| format!("{figure:.2}"))
}

impl GamesAnalysis<'_> {
    /// Rank correlations of first moves between every two players of the whole study, as context of A2; none for one
    /// player.
    ///
    /// Rankings by few games hide agreement. So halves of the games are compared too: between two players, and within
    /// one player, which shows how well agents *could* agree with this many games.
    pub fn rankings(&self) -> Option<Finding> {
        let players = self.design.main_players();
        if players.len() < 2 {
            return None;
        }
        let all = |player| self.scores(player, |_| true);
        let half = |player, half: usize| self.scores(player, move |block| block % 2 == half);
        let of = |correlation: Correlation, one: Option<Vec<f64>>, other: Option<Vec<f64>>| correlation(&one?, &other?);
        let (mut rows, mut between, mut halves_between, mut halves_within) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for other in players.clone() {
            for one in 0..=other {
                let whole = |correlation| (one != other).then(|| of(correlation, all(one), all(other))).flatten();
                // Games with even numbers of one against those with odd numbers of the other, both ways.
                let halves = [0, 1].map(|parity| of(spearman, half(one, parity), half(other, 1 - parity)));
                let by_halves = halves[0].zip(halves[1]).map(|(even, odd)| f64::midpoint(even, odd));
                between.extend(whole(spearman));
                if one == other {
                    &mut halves_within
                } else {
                    &mut halves_between
                }
                .extend(by_halves);
                let [one, other] = [one, other].map(|player| self.design.players[player].name.clone());
                rows.push([
                    one,
                    other,
                    figure(whole(kendall)),
                    figure(whole(spearman)),
                    figure(by_halves),
                ]);
            }
        }
        let mean = |of: &[f64]| (!of.is_empty()).then(|| of.iter().sum::<f64>() / of.len() as f64);
        let summary = match (mean(&between), mean(&halves_between), mean(&halves_within)) {
            (Some(between), Some(halves), Some(within)) => format!(
                "Two agents' rankings of the {} first moves by score correlate by {between:.2} on average (Spearman); by half of \
                 the games each {halves:.2}, where an agent correlates with itself by {within:.2}.",
                first_moves().len()
            ),
            _ => "Some first move has no game with a result, or all score the same: there is no ranking.".to_owned(),
        };
        let series = players.flat_map(|player| Self::firsts(player, |_| true));
        let games: usize = series.map(|series| self.games(series).len()).sum();
        let finding = ClaimTest::named(ClaimId::A2, "rankings").told(games as u64, summary);
        let headings = ["agent", "and", "Kendall's τ", "Spearman's ρ", "ρ by halves"];
        let note = "Rank correlations by the scores of games. Halves: games with even numbers of one against those with odd numbers \
                    of the other, both ways; of an agent with itself this is what chance leaves of perfect agreement.";
        let finding = finding.with_table("How alike agents rank the first moves", note, headings, rows);
        Some(finding.with_command(self.command))
    }

    /// The mean score after each first move over some of a player's games, in the order of [`first_moves`]; `None` if
    /// one has no result.
    fn scores(&self, player: usize, wanted: impl Fn(usize) -> bool) -> Option<Vec<f64>> {
        let mean = |series: SeriesId| {
            let games = self.games(series).iter().enumerate();
            let games = games.filter(|(block, _)| wanted(*block));
            let scores: Vec<f64> = games.filter_map(|(_, game)| Measure::Score.of(game)).collect();
            (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64)
        };
        Self::firsts(player, |_| true).into_iter().map(mean).collect()
    }
}
