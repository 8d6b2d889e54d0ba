//! A2: whether there are several strong openings, by games and by searches.

use std::collections::HashSet;

use chase_engine::chase::{Action, Position};
use serde_json::json;

use super::games_data::FirstMoveData;
use super::method::games::{Analysis, Answer, Pool, SCORE, bounds};
use crate::evidence::games::{LINE_PLIES, SeriesId};
use crate::{ClaimId, Effect, OpeningClass, Unit, first_moves};
use chase_report::exhibit::{Arrow, Board, IntervalPlot, IntervalRow, LinePlot, Quantity, Series, Table};
use chase_statistics::{BoundedMean, Diversity, Interval, MeanEstimate, Verdict, holm};

impl Analysis<'_> {
    /// Every first move with its score: simultaneous intervals, and whether it differs from the mean of the others.
    pub fn first_move_data(&self, pool: &Pool) -> Vec<FirstMoveData> {
        let moves = first_moves();
        let comparisons = pool.sharing(moves.len());
        let config = &self.design.config;
        let rows = moves.iter().map(|first| {
            let (action, mirror) = (first.action(), first.mirror());
            let own = |player| vec![SeriesId::first(player, action)];
            let others = |player| {
                let all = Self::firsts(player, |_| true).into_iter();
                all.filter(|other| !own(player).contains(other)).collect()
            };
            let differences = self.blocks(SCORE, &pool.against(own, others));
            let estimator = BoundedMean::new((-1.0, 1.0), config.error, config.most.into());
            let mirrored = pool.against(own, |player| vec![SeriesId::first(player, mirror)]);
            let games = pool.players.iter().flat_map(|&player| own(player));
            FirstMoveData {
                text: first.text(),
                class: first.class,
                games: games.map(|series| self.games(series).len() as u64).sum(),
                score: self.estimate(SCORE, &pool.of(own), comparisons),
                p_value: estimator.p_value(&differences, 0.0),
                less_mirror: self.estimate(SCORE, &mirrored, comparisons),
                action,
            }
        });
        let mut rows: Vec<_> = rows.collect();
        let corrected = holm(&rows.iter().map(|row| row.p_value).collect::<Vec<_>>());
        for (row, p_value) in rows.iter_mut().zip(corrected) {
            row.p_value = p_value;
        }
        rows
    }

    /// A2: how many first moves are within the margin of the best.
    pub(crate) fn several_first_moves(&self, pool: &Pool) -> Vec<Answer> {
        let config = &self.design.config;
        let data = self.first_move_data(pool);
        let near_best = NearBest::of(&data, config.margin);
        let counted = Interval {
            low: Some(near_best.surely as f64),
            high: Some(near_best.possibly as f64),
        };
        let verdict = Verdict::greater_than(&counted, f64::from(config.several) - 0.5);
        let blocks = data.iter().filter_map(|row| Some(row.score?.n)).min().unwrap_or(0);
        let summary = format!(
            "{} of {} first moves score within {} of the best one; it is certain of {} and possible of {}. The claim needs \
             {} at least.",
            near_best.estimated,
            data.len(),
            SCORE.unit.in_words(config.margin),
            near_best.surely,
            near_best.possibly,
            config.several
        );
        let test = format!(
            "simultaneous anytime-valid intervals of {} scores; a first move is certain if its lower end, and possible if \
             its upper end, comes within the margin of the best",
            data.len()
        );
        let lines = pool.single().map(|player| self.diversity(player)).unwrap_or_default();
        let finding = self
            .finding(ClaimId::A2, "first moves near the best", pool, verdict, summary)
            .with_effect(Effect {
                name: "first moves within the margin of the best".into(),
                unit: Unit::FirstMoves,
                value: near_best.estimated as f64,
                interval: Some(counted),
                level: Some(1.0 - config.error / pool.sharing(1) as f64),
                error: None,
            })
            .with_test(blocks, "blocks", test)
            .with_evidence(json!({ "first_moves": data, "diversity": lines }))
            .with_exhibit(first_move_plot(&data))
            .with_exhibit(first_move_board(&data, false))
            .with_exhibit(first_move_board(&data, true))
            .with_exhibit(first_move_table(&data));
        let open = match verdict {
            Verdict::Inconclusive => {
                let of_players =
                    |&action: &Action| pool.players.iter().map(move |&player| SeriesId::first(player, action));
                near_best.open.iter().flat_map(of_players).collect()
            }
            _ => HashSet::new(),
        };
        let mut answers = vec![Answer { finding, open }];
        if let (Some(first), Some(last)) = (lines.first(), lines.last()) {
            let summary = format!(
                "Games from the initial position play {:.1} effectively different first moves, and {:.1} effectively \
                 different lines of {} plies ({} games; coverage {:.0} %, so the latter is {}).",
                first.effective_lines,
                last.effective_lines,
                lines.len(),
                last.games,
                100.0 * last.coverage,
                if last.coverage < 0.5 {
                    "a lower bound"
                } else {
                    "an estimate"
                }
            );
            let test = format!(
                "exp of the entropy (Chao, Wang and Jost's estimator); games of the player at temperature {} in the first \
                 {} plies",
                config.temperature, config.temperature_plies
            );
            let finding = self
                .finding(ClaimId::A2, "variety of lines", pool, Verdict::Inconclusive, summary)
                .with_test(last.games, "games", test)
                .with_evidence(json!({ "diversity": lines }))
                .with_exhibit(diversity_plot(&lines));
            answers.push(Answer::context(finding));
        }
        answers
    }

    /// Diversity of the lines of 1, 2, … plies from the initial position.
    pub fn diversity(&self, player: usize) -> Vec<Diversity> {
        let games = self.games(SeriesId::free(player));
        let of = |plies: usize| Diversity::of(games.iter().map(|game| &game.line[..plies.min(game.line.len())]));
        (1..=LINE_PLIES).filter_map(of).collect()
    }
}

/// How many first moves come within a margin of the best.
struct NearBest {
    estimated: usize,
    surely: usize,
    possibly: usize,
    /// Those of which it is open, and those that may be the best.
    open: Vec<Action>,
}

impl NearBest {
    fn of(data: &[FirstMoveData], margin: f64) -> Self {
        let mean = |row: &FirstMoveData| row.score.map_or(f64::NAN, |score| score.mean);
        // Nothing is known of a move whose mean has left its interval.
        let interval = |row: &FirstMoveData| {
            row.score
                .filter(MeanEstimate::is_consistent)
                .map(|score| score.interval)
        };
        let low = |row: &FirstMoveData| interval(row).and_then(|interval| interval.low).unwrap_or(0.0);
        let high = |row: &FirstMoveData| interval(row).and_then(|interval| interval.high).unwrap_or(1.0);
        let greatest = |of: &dyn Fn(&FirstMoveData) -> f64| data.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        let (best_low, best_high) = (greatest(&low), greatest(&high));
        let surely = |row: &FirstMoveData| low(row) >= best_high - margin;
        let possibly = |row: &FirstMoveData| high(row) >= best_low - margin;
        let best_mean = greatest(&mean);
        let open = data
            .iter()
            .filter(|row| possibly(row) && (!surely(row) || high(row) >= best_low));
        Self {
            estimated: data.iter().filter(|row| mean(row) >= best_mean - margin).count(),
            surely: data.iter().filter(|row| surely(row)).count(),
            possibly: data.iter().filter(|row| possibly(row)).count(),
            open: open.map(|row| row.action).collect(),
        }
    }
}

/// First moves from the best one down.
fn sorted(data: &[FirstMoveData]) -> Vec<&FirstMoveData> {
    let mut rows: Vec<_> = data.iter().collect();
    let mean = |row: &FirstMoveData| row.score.map_or(f64::NEG_INFINITY, |score| score.mean);
    rows.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
    rows
}

fn first_move_plot(data: &[FirstMoveData]) -> IntervalPlot {
    let rows = sorted(data).into_iter().map(|row| IntervalRow {
        name: format!("{} ({})", row.text, row.class.name()),
        value: row.score.map(|score| score.mean),
        interval: row.score.map(|score| score.interval),
        text: row.score.map_or_else(String::new, |score| {
            format!("{} of {} games", SCORE.unit.in_words(score.mean), score.n)
        }),
    });
    IntervalPlot {
        title: "First moves by the score of games that begin with them".into(),
        note: "Games of equal players. The intervals hold all together, and at every moment.".into(),
        axis: "score of the first player".into(),
        quantity: Quantity::Percent,
        reference: Some(0.5),
        rows: rows.collect(),
    }
}

/// Moves or exchanges as arrows, coloured by their scores.
fn first_move_board(data: &[FirstMoveData], exchanges: bool) -> Board {
    let means = || data.iter().filter_map(|row| Some(row.score?.mean));
    let (least, most) = (means().fold(1.0, f64::min), means().fold(0.0, f64::max));
    let arrows = sorted(data).into_iter().rev().filter_map(|row| {
        let score = row.score?;
        let action = row.action;
        let of_kind = matches!(action, Action::Exchange { .. }) == exchanges && row.class != OpeningClass::WrapBump;
        let value = (score.mean - least) / (most - least).max(1e-9);
        of_kind.then(|| Arrow::of(action).valued(value, String::new()))
    });
    let name = if exchanges { "Exchanges" } else { "Moves" };
    Board {
        title: format!("{name} as first moves"),
        note: "Coloured by the score of games that begin so; better ones on top. Shifts of the whole row are left out."
            .into(),
        position: Position::initial().to_string(),
        cells: Vec::new(),
        arrows: arrows.collect(),
        scale: Some([least, most].map(|score| SCORE.unit.in_words(score))),
    }
}

fn first_move_table(data: &[FirstMoveData]) -> Table {
    let headings = [
        "first move",
        "class",
        "games",
        "score",
        "interval",
        "p (Holm)",
        "less its mirror image",
    ];
    let rows = sorted(data).into_iter().map(|row| {
        let score = |of: &dyn Fn(&MeanEstimate) -> String| row.score.as_ref().map_or_else(|| "–".to_owned(), of);
        vec![
            row.text.clone(),
            row.class.name().into(),
            row.games.to_string(),
            score(&|score| SCORE.unit.in_words(score.mean)),
            score(&|score| bounds(&score.interval, SCORE.unit)),
            format!("{:.3}", row.p_value),
            row.less_mirror
                .map_or_else(|| "–".to_owned(), |less| SCORE.unit.in_words(less.mean)),
        ]
    });
    Table {
        title: "All first moves".into(),
        note: "The p-value is of the difference to the mean of all others, corrected for their number (Holm). The set-up is its \
               own mirror image; a move and its mirror image differ by noise, and by the rule that the larger half leaves \
               the Chamber on the left."
            .into(),
        headings: headings.map(String::from).to_vec(),
        rows: rows.collect(),
    }
}

fn diversity_plot(lines: &[Diversity]) -> LinePlot {
    let points = |of: fn(&Diversity) -> f64| {
        let points = lines.iter().enumerate();
        points
            .map(|(index, line)| (index as f64 + 1.0, Some(of(line)), None))
            .collect()
    };
    LinePlot {
        title: "Effective number of lines by ply".into(),
        note:
            "exp of the entropy of the lines that games from the initial position begin with; where it comes near the \
               number of games it is a lower bound."
                .into(),
        x: "plies".into(),
        x_quantity: Quantity::Whole,
        x_logarithmic: false,
        y: "effective number of lines".into(),
        y_quantity: Quantity::Plain,
        reference: None,
        series: vec![Series {
            name: String::new(),
            points: points(|line| line.effective_lines),
        }],
    }
}
