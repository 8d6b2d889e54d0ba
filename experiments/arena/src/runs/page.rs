//! The page at the end of a training run.

use std::collections::BTreeMap;

use super::figures::{Baseline, Figures, GenerationResults, HeldOut, Loss, SelfplayRates};
use super::headline::{headline, versus_text};
use super::opening_page;
use super::score::{Rating, Score};
use chase_report::chart::{
    Axis, Chart, ChartLine, IntervalChart, IntervalRow, LineChart, Point, Quantity, STYLES, ShareColumn, SharesChart,
};
use chase_report::number;
use chase_report::page::{document, figure};
use chase_statistics::Interval;
use maud::{Markup, html};

/// The page, as HTML.
pub fn page(figures: &Figures) -> String {
    let body = html! {
        (headline(figures))
        section { h2 { "Strength" } (strength(figures)) }
        section { h2 { "Games" } (games(figures)) }
        section { h2 { "Openings" } (opening_page::openings(figures)) }
        section { h2 { "Learning" } (learning(figures)) }
    };
    document(&format!("{}: training report", figures.run.name), [body])
}

fn generations() -> Axis {
    Axis::new("generation", Quantity::Whole)
}

fn strength(figures: &Figures) -> Markup {
    if figures.ratings.is_empty() && figures.baselines.is_empty() {
        let text = match figures.evaluations {
            _ if !figures.run.is_evaluated => {
                "This run plays no games against baselines (evaluation.every is 0). Its networks are players: chase match measures them."
            }
            0 => "This run has not been evaluated against baselines yet.",
            _ => "This run has been evaluated, but no game against a baseline had a result.",
        };
        return html! { p.soft { (text) } };
    }
    let simulations = figures.run.evaluation_simulations.map_or(String::new(), |simulations| {
        format!(" The agent searches {simulations} simulations per ply.")
    });
    let cost = figures.ratings.last().and_then(|rating| rating.seconds);
    let cost = cost.map_or(String::new(), |seconds| {
        format!(" The last evaluation took {}.", number::duration(seconds))
    });
    let left_out = match figures.baselines.len() - contested(figures).len() {
        0 => String::new(),
        1 => " The baseline whose score is furthest from even has no line.".to_owned(),
        count => format!(" The {count} baselines whose scores are furthest from even have no lines."),
    };
    let mut shown = Vec::new();
    if !figures.ratings.is_empty() {
        shown.push(figure(
            "Elo by generation",
            elo(&figures.anchor, &figures.ratings),
            &format!(
                "Joint rating of agent and baselines from all evaluation games, {} = 0; the band is the \
                 95\u{202f}% interval. A hollow triangle is a bound (97.5\u{202f}%) where the games give no more.{simulations}{cost}",
                figures.anchor
            ),
        ));
    }
    if !figures.baselines.is_empty() {
        shown.push(figure(
            "Score against each baseline, by generation",
            scores_by_generation(figures),
            &format!("Mean score in colour-swapped pairs of games; a draw counts half. Pairs with a truncated game are omitted. Bands: 95\u{202f}%.{left_out}"),
        ));
        shown.push(figure(
            "Last score against each baseline",
            last_scores(figures),
            "All baselines at the last evaluation. Lines are 95\u{202f}% intervals; the tick marks an even score.",
        ));
    }
    html! { div.cards { @for figure in shown { (figure) } } }
}

fn elo(anchor: &str, ratings: &[Rating]) -> Chart {
    let point = |rating: &Rating| Point {
        x: rating.generation as f64,
        y: rating.elo,
        interval: Some(rating.interval),
        note: format!(
            "generation {}: {}",
            rating.generation,
            rating.elo.map_or_else(
                || format!("no rating ({})", number::elo_interval(&rating.interval)),
                |elo| number::elo_within(elo, &rating.interval)
            )
        ),
    };
    let chart = LineChart {
        title: format!("Elo above {anchor} by generation"),
        x: generations(),
        y: Axis::new(format!("Elo above {anchor}"), Quantity::Elo),
        series: vec![ChartLine {
            name: String::new(),
            points: ratings.iter().map(point).collect(),
        }],
        reference: Some((0.0, anchor.split(' ').next().unwrap_or_default().into())),
    };
    chart.chart()
}

/// The baselines against which the last score is nearest to even, as many as a chart can tell apart.
fn contested(figures: &Figures) -> Vec<&Baseline> {
    let distance = |baseline: &Baseline| baseline.scores.last().map_or(1.0, |versus| (versus.score - 0.5).abs());
    let mut baselines: Vec<&Baseline> = figures.baselines.iter().collect();
    let mut distances: Vec<f64> = baselines.iter().map(|baseline| distance(baseline)).collect();
    distances.sort_by(f64::total_cmp);
    let limit = distances.get(STYLES - 1).copied().unwrap_or(1.0);
    baselines.retain(|baseline| distance(baseline) <= limit);
    baselines.truncate(STYLES);
    baselines
}

fn scores_by_generation(figures: &Figures) -> Chart {
    let series = contested(figures).into_iter().map(|baseline| ChartLine {
        name: baseline.name.clone(),
        points: baseline
            .scores
            .iter()
            .map(|versus| Point {
                x: versus.generation as f64,
                y: Some(versus.score),
                interval: versus.interval,
                note: format!(
                    "{}: {}; {}",
                    baseline.name,
                    number::percent(versus.score),
                    versus_text(versus)
                ),
            })
            .collect(),
    });
    let chart = LineChart {
        title: "score against each baseline by generation".into(),
        x: generations(),
        y: Axis::new("score in %", Quantity::Percent).within(0.0, 1.0),
        series: series.collect(),
        reference: Some((0.5, "even".into())),
    };
    chart.chart()
}

fn last_scores(figures: &Figures) -> Chart {
    let rows = figures.baselines.iter().filter_map(|baseline| {
        let versus = baseline.scores.last()?;
        let interval = versus.interval.map_or(String::new(), |interval| {
            format!(" {}", number::percent_interval(&interval))
        });
        let games = versus
            .games
            .map_or(String::new(), |games| format!(", n = {}", number::count(games)));
        Some(IntervalRow {
            name: baseline.name.clone(),
            value: Some(versus.score),
            interval: versus.interval,
            text: format!("{}{interval}{games}", number::percent(versus.score)),
        })
    });
    let chart = IntervalChart {
        title: "last score against each baseline".into(),
        axis: Axis::new("score in %", Quantity::Percent).within(0.0, 1.0),
        reference: Some(0.5),
        rows: rows.collect(),
    };
    chart.chart()
}

fn games(figures: &Figures) -> Markup {
    let (selfplay, measurement) = (&figures.selfplay, &figures.measurement);
    if figures.run.plays_no_games() {
        return html! { p.soft { "This run plays no games: it learns from those of its setting data." } };
    }
    if selfplay.is_empty() && measurement.is_empty() {
        return html! { p.soft { "This run has not finished a generation of games yet." } };
    }
    let each = |results: &[GenerationResults]| match results {
        [] => "none yet".to_owned(),
        [.., last] => format!("{} at the last count", number::count(last.tally.games)),
    };
    let explores = figures.run.kind.facts().explores;
    let measured = match explores {
        true => format!("measurement {}, ", each(measurement)),
        false => String::new(),
    };
    let random = match selfplay.last().map_or(0, |results| results.random_openings) {
        0 => String::new(),
        games => format!(
            "; {} more that began with random plies are not counted here",
            number::count(games)
        ),
    };
    let counts = format!("Games per generation: {measured}self-play {}{random}.", each(selfplay));
    let noise = match explores {
        true => "Measurement games are played without noise and are never learned from. ",
        false => "",
    };
    let shares = |heading: &str, results: &[GenerationResults], method: &str| {
        (!results.is_empty()).then(|| figure(heading, shares(heading, results), method))
    };
    let mut shown = vec![
        figure(
            "First player's score by generation",
            first_player(figures),
            &format!(
                "White's points per game; a draw counts half. Truncated games are omitted. Bands are Wilson's 95\u{202f}% intervals. \
                 {noise}{counts}"
            ),
        ),
        figure(
            "Game length by generation",
            lengths(figures),
            &format!("Mean plies per game, including truncated games. {counts}"),
        ),
    ];
    shown.extend(shares(
        "Results of measurement games",
        measurement,
        "Share of all games of a generation, including truncated games.",
    ));
    shown.extend(shares(
        "Results of self-play games",
        selfplay,
        "Share of the games of a generation that began in the initial position, truncated games included. Where there are many \
         generations, neighbours share a column.",
    ));
    if let Some(results) = measurement
        .last()
        .or(selfplay.last())
        .filter(|results| !results.end_reasons.is_empty())
    {
        shown.push(figure(
            "How games ended",
            end_reasons_chart(&results.end_reasons, results.tally.games),
            &format!(
                "Share of {} games of generation {}; lines are Wilson's 95\u{202f}% intervals.",
                number::count(results.tally.games),
                results.generation
            ),
        ));
    }
    html! { div.cards { @for figure in shown { (figure) } } }
}

/// Measurement games first, apart from those with exploration.
fn both(figures: &Figures, point: impl Fn(&GenerationResults) -> Option<Point>) -> Vec<ChartLine> {
    let kinds = [
        ("measurement", &figures.measurement),
        (
            match figures.run.kind.facts().explores {
                true => "self-play, with exploration",
                false => "self-play",
            },
            &figures.selfplay,
        ),
    ];
    let series = kinds
        .into_iter()
        .filter(|(_, results)| !results.is_empty())
        .map(|(name, results)| ChartLine {
            name: name.to_owned(),
            points: results.iter().filter_map(&point).collect(),
        });
    series.collect()
}

fn first_player(figures: &Figures) -> Chart {
    let point = |results: &GenerationResults| {
        let score: &Score = results.first_player.as_ref()?;
        Some(Point {
            x: results.generation as f64,
            y: Some(score.score),
            interval: Some(score.interval),
            note: format!(
                "generation {}: {}, n = {}",
                results.generation,
                number::percent_within(score.score, &score.interval),
                number::count(score.games)
            ),
        })
    };
    let chart = LineChart {
        title: "first player's score by generation".into(),
        x: generations(),
        y: Axis::new("score of White in %", Quantity::Percent),
        series: both(figures, point),
        reference: Some((0.5, "even".into())),
    };
    chart.chart()
}

fn lengths(figures: &Figures) -> Chart {
    let point = |results: &GenerationResults| {
        Some(Point {
            x: results.generation as f64,
            y: Some(results.mean_plies?),
            interval: None,
            note: format!(
                "generation {}: {} plies",
                results.generation,
                number::figure(results.mean_plies?)
            ),
        })
    };
    let chart = LineChart {
        title: "mean plies per game by generation".into(),
        x: generations(),
        y: Axis::new("mean plies per game", Quantity::Plain),
        series: both(figures, point),
        reference: None,
    };
    chart.chart()
}

fn shares(title: &str, results: &[GenerationResults]) -> Chart {
    let chart = SharesChart {
        title: title.to_owned(),
        x: generations(),
        categories: vec![
            ("white-wins", "White wins".into()),
            ("draws", "draws".into()),
            ("black-wins", "Black wins".into()),
            ("truncated", "truncated".into()),
        ],
        columns: results
            .iter()
            .map(|results| ShareColumn {
                x: results.generation as f64,
                counts: vec![
                    results.tally.white,
                    results.tally.draws,
                    results.tally.black,
                    results.tally.truncated,
                ],
            })
            .collect(),
    };
    chart.chart()
}

/// How some games ended.
pub(crate) fn end_reasons_chart(reasons: &BTreeMap<String, u64>, games: u64) -> Chart {
    let mut reasons: Vec<(&String, &u64)> = reasons.iter().collect();
    reasons.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let rows = reasons.into_iter().filter_map(|(name, &count)| {
        let share = Score::new(count as f64 / games.max(1) as f64, games)?;
        Some(IntervalRow {
            name: name.clone(),
            value: Some(share.score),
            interval: Some(share.interval),
            text: format!("{}, {}", number::percent(share.score), number::counted(count, "game")),
        })
    });
    let chart = IntervalChart {
        title: "how games ended".into(),
        axis: Axis::new("% of games", Quantity::Percent).within(0.0, 1.0),
        reference: None,
        rows: rows.collect(),
    };
    chart.chart()
}

fn learning(figures: &Figures) -> Markup {
    let mut shown = Vec::new();
    if !figures.losses.is_empty() {
        let steps = || Axis::new("learner step", Quantity::Whole).logarithmic();
        let series = |name: &str, loss: fn(&Loss) -> Option<f64>| ChartLine {
            name: name.to_owned(),
            points: figures
                .losses
                .iter()
                .map(|record| plain(record.step, loss(record)))
                .collect(),
        };
        let losses = |title: &str, series: Vec<ChartLine>| {
            let chart = LineChart {
                title: title.to_owned(),
                x: steps(),
                y: Axis::new("loss in nats", Quantity::Plain),
                series,
                reference: None,
            };
            chart.chart()
        };
        let method = "Averaged between log points; logarithmic x axis.";
        if figures.losses.iter().any(|loss| loss.policy.is_some()) {
            let policy = vec![
                series("total", |loss| loss.total),
                series("policy", |loss| loss.policy),
                series("entropy of the policy targets", |loss| loss.target_entropy),
            ];
            let policy_method = format!(
                "{method} The total is the weighted sum of all heads' losses. The policy loss cannot fall below the entropy of its targets."
            );
            shown.push(figure(
                "Loss: total and policy",
                losses("total and policy loss by step", policy),
                &policy_method,
            ));
        }
        let value = vec![series("", |loss| loss.value)];
        let value_method = format!("{method} {}", figures.run.kind.facts().value_loss);
        shown.push(figure(
            "Loss: value",
            losses("value loss by step", value),
            &value_method,
        ));
    }
    if !figures.held_out.is_empty() {
        let series = |name: &str, loss: fn(&HeldOut) -> Option<f64>| ChartLine {
            name: name.to_owned(),
            points: figures
                .held_out
                .iter()
                .map(|held_out| plain(held_out.generation, loss(held_out)))
                .collect(),
        };
        let heading = "Loss on games that are not learned from";
        let chart = LineChart {
            title: heading.to_lowercase(),
            x: generations(),
            y: Axis::new("loss in nats", Quantity::Plain),
            series: vec![
                series("as it learns, in floating point", |held_out| held_out.loss),
                series("as it plays, in whole numbers", |held_out| held_out.quantised),
            ],
            reference: None,
        };
        shown.push(figure(
            heading,
            chart.chart(),
            "If it is higher than the loss on games that are learned from, the network has memorised a part of these (overfitting).",
        ));
    }
    let speed = |figure: fn(&SelfplayRates) -> Option<f64>| -> Vec<Point> {
        figures
            .speed
            .iter()
            .map(|speed| plain(speed.generation, figure(speed)))
            .collect()
    };
    for (heading, label, points) in [
        ("Self-play: games", "games per second", speed(|speed| speed.games)),
        (
            "Self-play: network evaluations",
            "evaluations per second",
            speed(|speed| speed.evaluations),
        ),
        (
            match figures.run.kind.facts().explores {
                true => "Games of the heuristic: nodes",
                false => "Self-play: nodes",
            },
            "nodes per second",
            speed(|speed| speed.nodes),
        ),
    ] {
        if points.iter().all(|point| point.y.is_none()) {
            continue;
        }
        let chart = LineChart {
            title: heading.to_owned(),
            x: generations(),
            y: Axis::new(label, Quantity::Plain).from_zero(),
            series: vec![ChartLine {
                name: String::new(),
                points,
            }],
            reference: None,
        };
        shown.push(figure(
            heading,
            chart.chart(),
            "Per second of wall-clock time while games were played.",
        ));
    }
    html! {
        div.cards {
            @if figures.losses.is_empty() { p.soft { "The learner has not made a step yet." } }
            @for figure in shown { (figure) }
        }
    }
}

/// A point without an interval.
fn plain(x: u64, y: Option<f64>) -> Point {
    Point {
        x: x as f64,
        y,
        interval: None::<Interval>,
        note: y.map_or(String::new(), |y| format!("{x}: {}", number::figure(y))),
    }
}
