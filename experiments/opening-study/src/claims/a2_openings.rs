//! A2: the number of strong openings, by games and by searches.

use chase_engine::chase::{Action, Position};
use serde_json::json;

use super::games_data::FirstMoveData;
use super::method::games::{Answer, GamesAnalysis, Pool, SCORE, bounds, still_open};
use super::method::plan::{LEAST_POWER, assumed};
use crate::evidence::games::{LINE_PLIES, SeriesId};
use crate::{ClaimId, Effect, EffectUnit, OpeningClass, first_moves};
use chase_report::chart::{IntervalRow, Quantity};
use chase_report::exhibit::{Arrow, Board, IntervalPlot, LinePlot, PlotLine, Table};
use chase_statistics::{
    AnytimeMean, Best, BestPlan, Contender, Diversity, FindingPlan, Interval, MeanEstimate, MeanMethod,
    PlannedStatistic, Verdict, holm,
};

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
            let differences = self.blocks(SCORE, &pool.against(own, others));
            let range = (-1.0, 1.0);
            let estimator = AnytimeMean::new(MeanMethod::Betting, range, config.error, config.most.into());
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

    /// A2: the number of first moves within the margin of the best. A move and its mirror image count as one.
    pub(crate) fn several_first_moves(&self, pool: &Pool) -> Vec<Answer> {
        let config = &self.design.config;
        let data = self.first_move_data(pool);
        let moves = first_moves();
        let pairs = moves.iter().filter(|first| first.action() < first.mirror());
        let pairs: Vec<[Action; 2]> = pairs.map(|first| [first.action(), first.mirror()]).collect();
        let of_pair =
            |pair: &[Action; 2]| pool.of(|player| pair.map(|action| SeriesId::first(player, action)).to_vec());
        let series: Vec<_> = pairs.iter().map(|pair| self.by_block(SCORE, &of_pair(pair))).collect();
        let best = Best::new(
            MeanMethod::Student,
            SCORE.range,
            config.error / pool.sharing(1) as f64,
            config.most.into(),
        );
        let compared = best.compare(&series);
        let near = compared.as_ref().map(|compared| compared.near(config.margin));
        let contenders = || compared.iter().flat_map(|compared| pairs.iter().zip(&compared.series));
        let counted = near.map(|near| Interval {
            low: Some(near.least as f64),
            high: Some(near.most as f64),
        });
        let several = f64::from(config.several) - 0.5;
        let verdict = counted.map_or(Verdict::Inconclusive, |counted| {
            Verdict::greater_than(&counted, several)
        });
        let blocks = series
            .iter()
            .map(|series| series.iter().flatten().count() as u64)
            .min()
            .unwrap_or(0);
        let summary = near.map_or_else(
            || "There are no games after first moves.".to_owned(),
            |near| {
                format!(
                    "{} of {} first moves, mirror images taken together, score within {} of the best one; for {} this is certain, and for \
                     {} it cannot be excluded. {} can be the best. The claim needs at least {}.",
                    near.estimated,
                    pairs.len(),
                    SCORE.unit.in_words(config.margin),
                    near.least,
                    near.most,
                    contenders().filter(|(_, contender)| contender.can_be_best).count(),
                    config.several
                )
            },
        );
        let test = format!(
            "multiple comparisons with the best (Hsu) over {} pairs of mirror images: differences of matched games, anytime-valid \
             intervals {}; a move is certain if it is surely within the margin of the best, and possible if it is not surely outside",
            pairs.len(),
            MeanMethod::Student.name()
        );
        let from_best: Vec<_> = contenders()
            .map(|([one, other], contender)| {
                json!({ "first_moves": [one.to_string(), other.to_string()], "from_best": contender })
            })
            .collect();
        let lines = pool.single().map(|player| self.diversity(player)).unwrap_or_default();
        let finding = self
            .finding(ClaimId::A2, "first moves near the best", pool, verdict, summary)
            .with_effect(Effect {
                name: "pairs of first moves within the margin of the best".into(),
                unit: EffectUnit::Pairs,
                value: near.map_or(0.0, |near| near.estimated as f64),
                interval: counted,
                level: compared.as_ref().map(|compared| compared.level),
                error: None,
            })
            .with_test(blocks, "blocks", test)
            .with_evidence(json!({ "first_moves": data, "diversity": lines, "from_best": from_best }))
            .with_exhibit(first_move_plot(&data))
            .with_exhibit(first_move_board(&data, false))
            .with_exhibit(first_move_board(&data, true))
            .with_exhibit(first_move_table(&data));
        let undecided = |contender: &Contender| {
            contender.can_be_best || contender.is_within(config.margin) == Verdict::Inconclusive
        };
        let open = contenders()
            .filter(|(_, contender)| undecided(contender))
            .flat_map(|(pair, _)| of_pair(pair))
            .flat_map(|sides| sides.plus);
        let mut answers = vec![Answer {
            finding,
            open: still_open(verdict, open),
            plans: self.plan_of_several(pool, pairs.len()).into_iter().collect(),
        }];
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

    /// The plan for the number of good first moves; `None` where one is enough, which always exists.
    fn plan_of_several(&self, pool: &Pool, pairs: usize) -> Option<FindingPlan> {
        let config = &self.design.config;
        let (distance, deviation) = assumed(SCORE.unit);
        let plan = FindingPlan {
            statistic: PlannedStatistic::Best(BestPlan {
                range: SCORE.range,
                // One game of each player after each of two mirror images.
                deviation: deviation / (2.0 * pool.players.len() as f64).sqrt(),
                series: pairs,
                margin: config.margin,
                distance: distance.max(2.0 * config.margin),
                blocks: self.design.most().into(),
            }),
            error: config.error / pool.sharing(1) as f64,
            holds: config.several.into(),
            fails: 1.0,
            least_power: LEAST_POWER,
        };
        (config.several > 1).then_some(plan)
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

/// First moves, best first.
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
        series: vec![PlotLine {
            name: String::new(),
            points: points(|line| line.effective_lines),
        }],
    }
}
