//! A2: the number of strong openings, by games.

use chase_engine::chase::{Action, Position};
use serde_json::json;

use super::games_data::FirstMoveData;
use super::method::games::{Answer, GamesAnalysis, Pool, bounds, interval_row};
use super::method::measure::Measure;
use crate::claim_test::{ClaimTest, Estimate};
use crate::evidence::games::{LINE_PLIES, SeriesId};
use crate::{ClaimId, Finding, FirstMove, OpeningClass, first_moves};
use chase_report::chart::Quantity;
use chase_report::exhibit::{Arrow, Board, IntervalPlot, LinePlot, PlotLine};
use chase_report::number::NONE;
use chase_statistics::{AnytimeMean, Best, Diversity, Interval, MeanMethod, holm};

impl GamesAnalysis<'_> {
    /// Every first move with its score: simultaneous intervals, and a test of its difference from the mean of the
    /// others.
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
            let differences = self.blocks(Measure::Score, &pool.against(own, others));
            let range = (-1.0, 1.0);
            let estimator = AnytimeMean::new(MeanMethod::Betting, range, config.error, config.most.into());
            let mirrored = pool.against(own, |player| vec![SeriesId::first(player, mirror)]);
            let games = pool.players.iter().flat_map(|&player| own(player));
            FirstMoveData {
                text: first.text(),
                class: first.class,
                games: games.map(|series| self.games(series).len() as u64).sum(),
                score: self.estimate(Measure::Score, &pool.of(own), comparisons),
                p_value: estimator.p_value(&differences, 0.0),
                less_mirror: self.estimate(Measure::Score, &mirrored, comparisons),
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

    /// A2: the number of first moves within the margin of the best, as context. A move and its mirror image count as one.
    pub(crate) fn near_the_best(&self, pool: &Pool) -> Vec<Answer> {
        let config = &self.design.config;
        let pairs = FirstMove::pairs();
        let of_pair =
            |pair: &[Action; 2]| pool.of(|player| pair.map(|action| SeriesId::first(player, action)).to_vec());
        let series: Vec<_> = pairs
            .iter()
            .map(|pair| self.by_block(Measure::Score, &of_pair(pair)))
            .collect();
        let error = config.error / pool.sharing(1) as f64;
        let compared = Best::new(
            MeanMethod::Student,
            Measure::Score.range(&self.design.config),
            error,
            config.most.into(),
        )
        .compare(&series);
        let near = compared.as_ref().map(|compared| compared.near(config.margin));
        let contenders = || compared.iter().flat_map(|compared| pairs.iter().zip(&compared.series));
        let blocks = series.iter().map(|series| series.iter().flatten().count() as u64);
        let found = Estimate {
            value: near.map_or(0.0, |near| near.estimated as f64),
            interval: near.map(|near| Interval {
                low: Some(near.least as f64),
                high: Some(near.most as f64),
            }),
            level: compared.as_ref().map_or(0.0, |compared| compared.level),
            error: None,
            n: blocks.min().unwrap_or(0),
        };
        let test = ClaimTest::named(ClaimId::A2, "near the best");
        let possible = contenders().filter(|(_, contender)| contender.can_be_best).count();
        let finding = test.estimated(Some(found), test.statement(config));
        let finding = self
            .by(pool, finding)
            .saying(format!("Of {} pairs {possible} can be the best.", pairs.len()));
        let lines = pool.single().map(|player| self.diversity(player)).unwrap_or_default();
        let finding = with_first_moves(finding, &self.first_move_data(pool));
        let mut answers = vec![Answer::context(finding)];
        answers.extend(variety(&lines).map(|finding| Answer::context(self.by(pool, finding))));
        answers
    }

    /// Diversity of the lines of 1, 2, … plies from the initial position.
    pub fn diversity(&self, player: usize) -> Vec<Diversity> {
        let games = self.games(SeriesId::free(player));
        if games.iter().any(|game| game.line.is_empty()) {
            return Vec::new();
        }
        let of = |plies: usize| Diversity::of(games.iter().map(|game| &game.line[..plies.min(game.line.len())]));
        (1..=LINE_PLIES).filter_map(of).collect()
    }
}

/// First moves as arrows, coloured by their scores, the best on top. Shifts of the whole row are left out.
pub(super) fn first_move_board(title: &str, note: &str, scores: &[(&FirstMove, f64)]) -> Board {
    let mut scores: Vec<_> = scores
        .iter()
        .filter(|(first, _)| first.class != OpeningClass::WrapBump)
        .collect();
    scores.sort_by(|a, b| a.1.total_cmp(&b.1));
    let least = scores.first().map_or(0.0, |(_, score)| *score);
    let most = scores.last().map_or(1.0, |(_, score)| *score);
    let arrow = |&&(first, score): &&(&FirstMove, f64)| {
        let share = (score - least) / (most - least).max(1e-9);
        Arrow::of(first.action()).valued(share, "")
    };
    Board {
        title: title.to_owned(),
        note: note.to_owned(),
        position: Position::initial().to_string(),
        cells: Vec::new(),
        arrows: scores.iter().map(arrow).collect(),
        scale: Some([least, most].map(|score| Measure::Score.unit().in_words(score))),
    }
}

/// Adds the scores of first moves: a plot, boards of moves and of exchanges, and a table.
fn with_first_moves(finding: Finding, data: &[FirstMoveData]) -> Finding {
    let mut sorted: Vec<&FirstMoveData> = data.iter().collect();
    let mean = |row: &FirstMoveData| row.score.map_or(f64::NEG_INFINITY, |score| score.mean);
    sorted.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
    let rows = sorted.iter().map(|row| {
        interval_row(
            format!("{} ({})", row.text, row.class.name()),
            row.score,
            Measure::Score.unit(),
        )
    });
    let plot = IntervalPlot {
        title: "First moves by the score of games that begin with them".into(),
        note: "Games of equal players. The intervals hold all together, and at every moment.".into(),
        axis: "score of the first player".into(),
        quantity: Quantity::Percent,
        reference: Some(0.5),
        rows: rows.collect(),
    };
    let moves = first_moves();
    let scored: Vec<(&FirstMove, f64)> = moves
        .iter()
        .zip(data)
        .filter_map(|(first, row)| Some((first, row.score?.mean)))
        .collect();
    let (exchanges, others): (Vec<_>, Vec<_>) = scored
        .iter()
        .copied()
        .partition(|(first, _)| first.class == OpeningClass::Exchange);
    let note =
        "Coloured by the score of games that begin so; better ones on top. Shifts of the whole row are left out.";
    let rows = sorted.iter().map(|row| {
        let [score, interval] = row.score.map_or([NONE, NONE].map(String::from), |score| {
            [
                Measure::Score.unit().in_words(score.mean),
                bounds(&score.interval, Measure::Score.unit()),
            ]
        });
        [
            row.text.clone(),
            row.class.name().into(),
            row.games.to_string(),
            score,
            interval,
            format!("{:.3}", row.p_value),
            row.less_mirror
                .map_or(NONE.to_owned(), |less| Measure::Score.unit().in_words(less.mean)),
        ]
    });
    finding
        .with_exhibit(plot)
        .with_exhibit(first_move_board("Moves as first moves", note, &others))
        .with_exhibit(first_move_board("Exchanges as first moves", note, &exchanges))
        .with_table(
            "All first moves",
            "The p-value is of the difference to the mean of all others, corrected for their number (Holm). The set-up is its own \
             mirror image; a move and its mirror image differ by noise, and by the rule that the larger half leaves the Chamber on \
             the left.",
            [
                "first move",
                "class",
                "games",
                "score",
                "interval",
                "p (Holm)",
                "less its mirror image",
            ],
            rows,
        )
}

/// The variety of lines of a player's games from the initial position; `None` without games.
fn variety(lines: &[Diversity]) -> Option<Finding> {
    let (first, last) = lines.first().zip(lines.last())?;
    let summary = format!(
        "Games from the initial position play {:.1} effectively different first moves, and {:.1} effectively different lines of {} \
         plies ({} games; coverage {:.0} %: {}).",
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
    let points = (1..)
        .map(f64::from)
        .zip(lines)
        .map(|(plies, line)| (plies, Some(line.effective_lines), None));
    let plot = LinePlot {
        title: "Effective number of lines by ply".into(),
        note: "exp of the entropy of the lines that games from the initial position begin with; where it comes near the number of \
               games it is a lower bound."
            .into(),
        x: "plies".into(),
        x_quantity: Quantity::Whole,
        y: "effective number of lines".into(),
        y_quantity: Quantity::Plain,
        series: vec![PlotLine {
            name: String::new(),
            points: points.collect(),
        }],
        ..LinePlot::default()
    };
    let finding = ClaimTest::named(ClaimId::A2, "variety").told(last.games, summary);
    Some(finding.with_evidence(json!({ "diversity": lines })).with_exhibit(plot))
}
