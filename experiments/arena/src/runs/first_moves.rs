//! How the choice of the first move changed while a run learned.

use chase_report::chart::{Axis, Chart, ChartLine, LineChart, Point, Quantity, STYLES};
use chase_report::number;
use chase_report::page::figure;
use chase_statistics::Interval;
use chase_training::openings::{HEURISTIC, OpeningStatistics};
use maud::{Markup, html};
use serde::Serialize;

use super::opening_table::{OpeningRow, OpeningTable};
use super::read::Run;
use super::score::wilson_interval;

/// First moves that are shown for what the last generations chose.
const LATE: usize = 3;

/// The first moves that were chosen most, by generation.
#[derive(Clone, Debug, Serialize)]
pub struct FirstMoves {
    /// `measurement`, or `selfplay` where fewer than two generations have measurement games.
    pub purpose: String,
    /// What shares are of.
    pub share_of: ShareOf,
    /// As many as a chart can tell apart: three with the largest mean share over the last fifth of the generations, and
    /// others with the largest mean share over all, which is what they are ordered by.
    pub moves: Vec<FirstMove>,
}

/// What a share is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ShareOf {
    /// The visits of the searches of the initial position.
    Visits,
    /// The games from the initial position: of searches that count no visits.
    Games,
}

/// A first move.
#[derive(Clone, Debug, Serialize)]
pub struct FirstMove {
    /// The move as people write it.
    pub text: String,
    /// The actions that lead to its position, in exact form.
    pub actions: Vec<String>,
    /// Its shares, by rising generation.
    pub shares: Vec<FirstMoveShare>,
}

/// A first move in one generation.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct FirstMoveShare {
    /// The generation.
    pub generation: u64,
    /// Share of visits or of games.
    pub share: f64,
    /// 95 % interval of a share of games.
    pub interval: Option<Interval>,
    /// Games that began with the move.
    pub games: u64,
    /// Expected score of the first player, from 0 to 1, by the searches of the position after the move; mean over games.
    pub value: Option<f64>,
}

impl FirstMoves {
    /// The first moves of a run; `None` unless the network of two generations played games from the initial position.
    /// A generation whose lines cannot be played is left out.
    pub(crate) fn new(run: &Run) -> Option<Self> {
        let played = ["measurement", "selfplay"].map(|purpose| {
            let mut generations = run.openings_of(purpose);
            // A choice of the heuristic says nothing of the network.
            generations.retain(|openings| openings.total.games > 0 && openings.model != HEURISTIC);
            generations
        });
        let generations = played.into_iter().find(|generations| generations.len() > 1)?;
        let rows = |openings: &&OpeningStatistics| {
            let rows = OpeningTable::first_moves(&run.meta.game, openings).ok()?;
            Some((openings.generation, openings.total.games, rows))
        };
        let rows: Vec<(u64, u64, Vec<OpeningRow>)> = generations.iter().filter_map(rows).collect();
        let are_counted = rows.iter().flat_map(|(.., rows)| rows).any(|row| row.visits.is_some());
        let share_of = if are_counted { ShareOf::Visits } else { ShareOf::Games };
        let mut moves: Vec<FirstMove> = Vec::new();
        for (generation, of, rows) in &rows {
            for row in rows {
                let (share, interval) = match (share_of, row.visits) {
                    (ShareOf::Visits, Some(visits)) => (visits, None),
                    (ShareOf::Visits, None) => continue,
                    (ShareOf::Games, _) => (row.share, Some(wilson_interval(row.share, *of))),
                };
                let share = FirstMoveShare {
                    generation: *generation,
                    share,
                    interval,
                    games: row.tally.games,
                    value: row.value,
                };
                match moves.iter_mut().find(|known| known.actions == row.actions) {
                    Some(known) => known.shares.push(share),
                    None => moves.push(FirstMove {
                        text: row.text.clone(),
                        actions: row.actions.clone(),
                        shares: vec![share],
                    }),
                }
            }
        }
        let late = rows.get(rows.len() - rows.len().div_ceil(5))?.0;
        moves.sort_by(|one, other| other.sum(late).total_cmp(&one.sum(late)));
        let others = LATE.min(moves.len());
        moves[others..].sort_by(|one, other| other.sum(0).total_cmp(&one.sum(0)));
        moves.truncate(STYLES);
        moves.sort_by(|one, other| other.sum(0).total_cmp(&one.sum(0)));
        Some(Self {
            purpose: generations[0].purpose.clone(),
            share_of,
            moves,
        })
    }

    /// The charts: shares, and values where they are known.
    pub(crate) fn charts(&self) -> Markup {
        let games = match (self.purpose.as_str(), self.share_of) {
            ("measurement", _) => "measurement games, which are played without noise",
            (_, ShareOf::Visits) => "self-play games from the initial position, with exploration noise",
            (_, ShareOf::Games) => {
                "self-play games from the initial position, in which each search draws its number of nodes; generations that the \
                 heuristic played are left out"
            }
        };
        let (heading, share_of, band) = match self.share_of {
            ShareOf::Visits => ("Share of visits of first moves, by generation", "visits", ""),
            ShareOf::Games => (
                "Share of games by first move, by generation",
                "games",
                " Bands are Wilson's 95\u{202f}% intervals.",
            ),
        };
        let shares = self.chart(heading, &format!("% of {share_of}"), |share| {
            Some((share.share, share.interval))
        });
        let method = format!(
            "From {games}. Shown are {} first moves: those chosen most in the last fifth of the generations, and those chosen most in all.{band}",
            self.moves.len()
        );
        let mut shown = vec![figure(heading, shares, &method)];
        if self
            .moves
            .iter()
            .flat_map(|first| &first.shares)
            .any(|share| share.value.is_some())
        {
            let heading = "Value of first moves, by generation";
            let values = self.chart(heading, "expected score of White in %", |share| {
                Some((share.value?, None))
            });
            let method = format!(
                "The first player's expected score after the move, by searches of the position after it; mean over its games. From {games}."
            );
            shown.push(figure(heading, values, &method));
        }
        html! { div.cards { @for figure in shown { (figure) } } }
    }

    fn chart(
        &self,
        title: &str,
        label: &str,
        height: impl Fn(&FirstMoveShare) -> Option<(f64, Option<Interval>)>,
    ) -> Chart {
        let series = self.moves.iter().map(|first| {
            let points = first.shares.iter().filter_map(|share| {
                let (y, interval) = height(share)?;
                let within =
                    interval.map_or_else(|| number::percent(y), |interval| number::percent_within(y, &interval));
                Some(Point {
                    x: share.generation as f64,
                    y: Some(y),
                    interval,
                    note: format!(
                        "{}, generation {}: {within}; {}",
                        first.text,
                        share.generation,
                        number::counted(share.games, "game")
                    ),
                })
            });
            ChartLine {
                name: first.text.clone(),
                points: points.collect(),
            }
        });
        let chart = LineChart {
            title: title.to_lowercase(),
            x: Axis::new("generation", Quantity::Whole),
            y: Axis::new(label, Quantity::Percent),
            series: series.collect(),
            reference: None,
        };
        chart.chart()
    }
}

impl FirstMove {
    /// The sum of its shares from a generation on.
    fn sum(&self, from: u64) -> f64 {
        let shares = self.shares.iter().filter(|share| share.generation >= from);
        shares.map(|share| share.share).sum()
    }
}
