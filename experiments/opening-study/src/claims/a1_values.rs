//! A1: calibration of searches' expectations. A value decides nothing until it has been compared with results.

use serde_json::json;

use super::games_study::GamesStudy;
use super::method::dice::points;
use crate::claim_test::{ClaimTest, Estimate};
use crate::evidence::values::{GamePhase, SNAPSHOT_PLIES, ValueFacts};
use crate::{ClaimId, Finding};
use chase_report::chart::Quantity;
use chase_report::exhibit::{LinePlot, PlotLine};
use chase_report::number;
use chase_statistics::{Calibration, CalibrationBin, Interval, Prediction};

/// The level of each interval.
const LEVEL: f64 = 0.95;
/// Bins of a reliability diagram.
const BINS: usize = 10;

/// Searches' expectations in the games of a study, compared with the results, by phase of the game: for each player of the
/// whole study. Empty without searches.
///
/// `command` becomes the command that reproduces the findings.
pub fn findings(games: &GamesStudy, command: &str) -> Vec<Finding> {
    let players = games.design.main_players();
    let of_player = |player: usize| {
        let facts: Vec<&ValueFacts> = games.values.iter().filter(|facts| facts.player == player).collect();
        let mut finding = reliability(&facts)?;
        let name = &games.design.players[player].name;
        if players.len() > 1 {
            finding.part = format!("{}, {name}", finding.part);
        }
        Some(finding.with_agent(name).with_command(command))
    };
    players.clone().filter_map(of_player).collect()
}

/// What is known of the values in a phase of the games.
type Named<'a> = (&'a str, Option<Calibration>);

/// Values of one player compared with results, by phase.
fn reliability(facts: &[&ValueFacts]) -> Option<Finding> {
    let whole = calibration(facts, |_| true)?;
    let phases = GamePhase::ALL.map(|phase| {
        let found = calibration(facts, |ply| GamePhase::of(ply) == phase);
        (phase.name(), found)
    });
    let rows: Vec<Named<'_>> = [("all of it", Some(whole.clone()))].into_iter().chain(phases).collect();
    let known = rows.iter().filter_map(|(name, found)| Some((*name, found.as_ref()?)));
    let diagonal = PlotLine {
        name: "values that come true".into(),
        points: [0.0, 1.0].map(|end| (end, Some(end), None)).to_vec(),
    };
    let lines = known.map(|(name, found)| PlotLine {
        name: name.to_owned(),
        points: found
            .bins
            .iter()
            .map(|bin| (bin.value, Some(bin.result), bin.interval))
            .collect(),
    });
    let diagram = LinePlot {
            title: "Expected and actual results".into(),
            note: "Mean result by mean value, in ten bins; intervals by blocks, 95 % each. Where values come true the line is the \
                   diagonal."
                .into(),
            x: "White's expected score".into(),
            x_quantity: Quantity::Percent,
            y: "White's mean result".into(),
            y_quantity: Quantity::Percent,
            series: std::iter::once(diagonal).chain(lines).collect(),
            ..LinePlot::default()
        };
    let bias = Estimate {
        value: whole.bias,
        interval: whole.bias_interval,
        level: LEVEL,
        error: Some(whole.bias_error),
        n: whole.predictions,
    };
    let finding = ClaimTest::named(ClaimId::A1, "calibration").estimated(Some(bias), None);
    let finding = finding.saying(in_words(&whole)).with_evidence(json!({ "all": whole }));
    Some(with_table(finding.with_exhibit(diagram), &rows))
}

/// The calibration of searches at some plies; `None` without such a search in a game with a result.
fn calibration(facts: &[&ValueFacts], at: impl Fn(u32) -> bool) -> Option<Calibration> {
    let mut predictions = Vec::new();
    for facts in facts {
        let Some(result) = facts.score else { continue };
        let kept = facts.snapshots.iter().filter(|(ply, _)| at(*ply));
        predictions.extend(kept.map(|&(_, value)| Prediction {
            // Games of a block share their randomness.
            game: facts.block,
            value: value.clamp(0.0, 1.0),
            result,
        }));
    }
    Calibration::of(&predictions, BINS, LEVEL)
}

fn figure(slope: Option<f64>) -> String {
    slope.map_or(number::NONE.to_owned(), |slope| number::decimal(slope, 2))
}

/// `0.87 [0.80, 0.95]`.
fn slope(found: &Calibration) -> String {
    let interval = found
        .slope_interval
        .map(|interval| number::interval(&interval, |end| figure(Some(end))));
    format!("{} {}", figure(found.slope), interval.unwrap_or_default())
}

/// One of the words if the interval excludes a number: the first if it lies below, the second if it lies above.
fn if_beyond(interval: Option<Interval>, from: f64, [below, above]: [&'static str; 2]) -> &'static str {
    match interval {
        Some(Interval { high: Some(high), .. }) if high < from => below,
        Some(Interval { low: Some(low), .. }) if low > from => above,
        _ => "",
    }
}

fn in_words(found: &Calibration) -> String {
    format!(
        "Where values rise by one, results rise by {}. The expected calibration error is {:.1} points, of which chance alone \
         would make {:.1}.{}{}",
        slope(found),
        100.0 * found.expected_error,
        100.0 * found.expected_by_chance,
        if_beyond(
            found.bias_interval,
            0.0,
            [" They are too low for White.", " They are too high for White."]
        ),
        if_beyond(
            found.slope_interval,
            1.0,
            [" The values are too extreme.", " The values are too cautious."]
        ),
    )
}

fn with_table(finding: Finding, rows: &[Named<'_>]) -> Finding {
    let none = || number::NONE.to_owned();
    let cells = |(name, found): &Named<'_>| {
        let Some(found) = found else {
            return [
                (*name).to_owned(),
                none(),
                none(),
                none(),
                none(),
                none(),
                none(),
                none(),
            ];
        };
        let mean = |of: fn(&CalibrationBin) -> f64| {
            let sum: f64 = found.bins.iter().map(|bin| bin.predictions as f64 * of(bin)).sum();
            format!("{:.1}", 100.0 * sum / found.predictions as f64)
        };
        [
            (*name).to_owned(),
            number::count(found.predictions),
            mean(|bin| bin.value),
            mean(|bin| bin.result),
            points(found.bias, found.bias_interval),
            slope(found),
            format!("{:.1}", 100.0 * found.expected_error),
            format!("{:.1}", 100.0 * found.expected_by_chance),
        ]
    };
    let note = format!(
        "Searches at every {SNAPSHOT_PLIES}th ply. Percentage points of White's score but for the slope, with 95 % intervals by blocks. \
         The calibration error is the mean distance of value and result over {BINS} bins, beside what chance alone would make of it."
    );
    let headings = [
        "phase",
        "searches",
        "mean value",
        "mean result",
        "bias",
        "slope",
        "calibration error",
        "by chance",
    ];
    finding.with_table("By phase of the game", note, headings, rows.iter().map(cells))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_statistics::generator;
    use rand::RngExt;
    use rand::rngs::Xoshiro256PlusPlus;

    use super::*;
    use crate::Role;

    /// A game whose true expectation moves randomly and ends as a win or a loss. Searches see it, more extreme by
    /// `stretch` and too high for White by `bias`.
    fn game(block: u64, [stretch, bias]: [f64; 2], rng: &mut Xoshiro256PlusPlus) -> ValueFacts {
        let mut chance: f64 = 0.5;
        let mut facts = ValueFacts {
            player: 0,
            block,
            score: None,
            snapshots: Vec::new(),
        };
        for ply in 1..=80 {
            // Steps up and down of equal size keep the expectation, within bounds.
            let step = 0.08 * chance.min(1.0 - chance) * if rng.random::<bool>() { 1.0 } else { -1.0 };
            chance += step;
            if ply % 10 == 0 {
                let value = 0.5 + stretch * (chance - 0.5) + bias;
                facts.snapshots.push((ply, value));
            }
        }
        // The randomness of the last plies, so that results are wins and losses.
        facts.score = Some(f64::from(u8::from(rng.random::<f64>() < chance)));
        facts
    }

    fn study(seed: u64, world: [f64; 2], blocks: u64) -> Finding {
        let mut rng = generator(31, &[seed]);
        let blocks = (0..blocks).flat_map(|block| [block; 2]);
        let facts: Vec<ValueFacts> = blocks.map(|block| game(block, world, &mut rng)).collect();
        reliability(&facts.iter().collect::<Vec<_>>()).unwrap()
    }

    fn interval(finding: &Finding) -> Interval {
        finding.effect.as_ref().unwrap().interval.unwrap()
    }

    /// Stated beforehand: of 100 worlds, intervals of right values miss in no more than 5 % and three standard errors
    /// (11.5 %), and each fault is found in nine of ten.
    #[test]
    fn right_values_are_left_alone_and_wrong_ones_found() {
        let worlds = 100;
        let biased = |world: [f64; 2]| {
            let found = (0..worlds).map(|seed| study(seed, world, 60));
            found.filter(|finding| !interval(finding).contains(0.0)).count()
        };
        let right = biased([1.0, 0.0]);
        assert!(right <= 11, "{right}");
        let wrong = biased([1.0, 0.15]);
        assert!(wrong >= 90, "{wrong}");
    }

    #[test]
    fn overconfidence_is_told_in_words_table_and_diagram() {
        let confident = study(1, [3.0, 0.0], 400);
        assert!(
            confident.summary.contains("values are too extreme"),
            "{}",
            confident.summary
        );
        let right = study(1, [1.0, 0.0], 400);
        assert!(!right.summary.contains("too "), "{}", right.summary);
        assert_eq!((right.claim, right.role), (ClaimId::A1, Role::Context));
        for shown in &right.exhibits {
            let drawn = chase_report::drawing::exhibit(shown).into_string();
            assert!(!drawn.contains("NaN"), "{drawn}");
        }
        let exhibits = serde_json::to_value(&confident.exhibits).unwrap();
        assert_eq!(exhibits[0]["series"].as_array().unwrap().len(), 5);
        assert_eq!(exhibits[1]["rows"].as_array().unwrap().len(), 4);
    }

    #[test]
    fn truncated_games_and_players_without_searches_tell_nothing() {
        let mut truncated = game(0, [1.0, 0.0], &mut generator(1, &[]));
        truncated.score = None;
        assert_eq!(reliability(&[]), None);
        assert_eq!(reliability(&[&truncated]), None);
    }
}
