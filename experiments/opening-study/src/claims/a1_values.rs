//! A1: calibration of searches' expectations. A value decides nothing until it has been compared with results.

use serde_json::json;

use super::games_study::GamesStudy;
use super::method::dice::range;
use crate::evidence::values::{GamePhase, SNAPSHOT_PLIES, ValueFacts};
use crate::{ClaimId, Effect, EffectUnit, Finding};
use chase_report::chart::{IntervalRow, Quantity};
use chase_report::exhibit::{IntervalPlot, LinePlot, PlotLine, Table};
use chase_report::number;
use chase_statistics::{Calibration, Interval, Prediction, Verdict};

/// The level of each interval.
pub(super) const LEVEL: f64 = 0.95;
/// Bins of a reliability diagram.
const BINS: usize = 10;

/// Searches' expectations in the games of a study, compared with the results: for each player of the whole study by
/// phase of the game, and for all players side by side in their games from the initial position. Empty without
/// searches.
///
/// `command` becomes the command that reproduces the findings.
pub fn findings(games: &GamesStudy, command: &str) -> Vec<Finding> {
    let names = games.design.players.iter().map(|player| player.name.as_str());
    let study = ValueStudy {
        names: &names.collect::<Vec<_>>(),
        main: games.design.main_players().len(),
        facts: &games.values,
        seed: games.design.seed,
    };
    let findings = study.findings().into_iter();
    findings.map(|finding| finding.with_command(command)).collect()
}

/// Searches' expectations in finished games of equal players.
#[derive(Clone, Copy)]
pub(super) struct ValueStudy<'a> {
    /// All players; those of the whole study come first.
    names: &'a [&'a str],
    /// Number of players of the whole study.
    main: usize,
    facts: &'a [ValueFacts],
    /// Seed of all randomness in the statistics.
    pub seed: u64,
}

impl ValueStudy<'_> {
    fn findings(&self) -> Vec<Finding> {
        let of_players = (0..self.main).flat_map(|player| [self.reliability(player), self.quiet_turns(player)]);
        of_players.chain([self.by_player()]).flatten().collect()
    }

    /// A finding of one player, or of all.
    pub fn finding(&self, part: &str, player: Option<usize>, summary: String) -> Finding {
        let several = player.filter(|_| self.main > 1).map(|player| self.names[player]);
        let part = several.map_or(part.to_owned(), |name| format!("{part}, {name}"));
        let finding = Finding::empirical(ClaimId::A1, part, Verdict::Inconclusive, summary).as_context();
        match player {
            Some(player) => finding.with_agent(self.names[player]),
            None => finding,
        }
    }

    /// The games of a player.
    pub fn of_player(&self, player: usize) -> impl Iterator<Item = &ValueFacts> {
        self.facts.iter().filter(move |facts| facts.player == player)
    }

    /// Values of one player compared with results, by phase.
    fn reliability(&self, player: usize) -> Option<Finding> {
        let whole = calibration(self.of_player(player), |_| true)?;
        let phases = GamePhase::ALL.map(|phase| {
            let found = calibration(self.of_player(player), |ply| GamePhase::of(ply) == phase);
            (phase.name(), found)
        });
        let mut rows = vec![("all of it", Some(whole.clone()))];
        rows.extend(phases.iter().cloned());
        let lines = rows
            .iter()
            .filter_map(|(name, found)| Some(line(name, found.as_ref()?)));
        let diagram = LinePlot {
            title: "Expected and actual results".into(),
            note: format!(
                "Mean result by mean value, in bins of {} percentage points; intervals by blocks, 95 % each. Where values come true the \
                 line is the diagonal.",
                100 / BINS
            ),
            x: "White's expected score".into(),
            x_quantity: Quantity::Percent,
            x_logarithmic: false,
            y: "White's mean result".into(),
            y_quantity: Quantity::Percent,
            reference: None,
            series: std::iter::once(diagonal()).chain(lines).collect(),
        };
        let table = table("By phase of the game", "phase", &rows);
        let finding = self
            .finding("values against results", Some(player), in_words(&whole))
            .with_effect(bias(&whole))
            .with_test(whole.predictions, "searches", TEST)
            .with_evidence(json!({
                "all": whole,
                "by_phase": phases.iter().map(|(name, found)| json!({ "phase": name, "calibration": found })).collect::<Vec<_>>(),
            }));
        Some(finding.with_exhibit(diagram).with_exhibit(table))
    }

    /// Values of all players compared with results, in games without forced plies for any of them.
    fn by_player(&self) -> Option<Finding> {
        let players = self.names.iter().enumerate().filter_map(|(player, &name)| {
            let free = self.of_player(player).filter(|facts| facts.free);
            Some((name, Some(calibration(free, |_| true)?)))
        });
        let rows: Vec<(&str, Option<Calibration>)> = players.collect();
        if rows.len() < 2 {
            return None;
        }
        let known = || rows.iter().filter_map(|(name, found)| Some((*name, found.as_ref()?)));
        let bars = known().map(|(name, found)| IntervalRow {
            name: name.to_owned(),
            value: found.slope,
            interval: found.slope_interval,
            text: found
                .slope
                .map_or(number::NONE.to_owned(), |slope| format!("{slope:.2}")),
        });
        let plot = IntervalPlot {
            title: "Whether values are too extreme".into(),
            note: "By how much results rise for a rise of values by one: below 1 values are too extreme, above it too cautious; 95 % each."
                .into(),
            axis: "slope of results over values".into(),
            quantity: Quantity::Plain,
            reference: Some(1.0),
            rows: bars.collect(),
        };
        let summary = format!(
            "Of {} players, each in its own games from the initial position, values are too high for White by {} to {} \
             percentage points, and the expected calibration error is {:.1} to {:.1} points.",
            rows.len(),
            number::difference(100.0 * least(known().map(|(_, found)| found.bias)), 1),
            number::difference(100.0 * greatest(known().map(|(_, found)| found.bias)), 1),
            100.0 * least(known().map(|(_, found)| found.expected_error)),
            100.0 * greatest(known().map(|(_, found)| found.expected_error)),
        );
        let searches = known().map(|(_, found)| found.predictions).sum();
        let evidence = known().map(|(name, found)| json!({ "player": name, "calibration": found }));
        let finding = self
            .finding("values against results, by player", None, summary)
            .with_test(searches, "searches", TEST)
            .with_evidence(json!({ "players": evidence.collect::<Vec<_>>() }));
        Some(
            finding
                .with_exhibit(plot)
                .with_exhibit(table("By player", "player", &rows)),
        )
    }
}

/// Method of comparing values with results.
const TEST: &str = "White's expected score by the search that chose every tenth ply (10, 20, 30, … in blocks of even number, else 5, 15, \
                    25, …, so that White and Black are to move alike), minus White's result; truncated games left out; errors robust \
                    within blocks, Student's intervals of 95 %, each by itself and for one look; the error by chance is what bins would \
                    show if values came true on average";

/// The calibration of searches at some plies; `None` without such a search in a game with a result.
fn calibration<'a>(facts: impl Iterator<Item = &'a ValueFacts>, at: impl Fn(u32) -> bool) -> Option<Calibration> {
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

fn least(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(f64::INFINITY, f64::min)
}

fn greatest(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(f64::NEG_INFINITY, f64::max)
}

fn bias(found: &Calibration) -> Effect {
    Effect {
        name: "White's expected score minus White's result".into(),
        unit: EffectUnit::Score,
        value: found.bias,
        interval: found.bias_interval,
        level: found.bias_interval.map(|_| LEVEL),
        error: Some(found.bias_error),
    }
}

/// `+1.2 [0.3, 2.1]`, in percentage points.
pub(super) fn points(value: f64, interval: Option<Interval>) -> String {
    number::difference(100.0 * value, 1) + &range(interval, 100.0, 1)
}

fn slope(found: &Calibration) -> String {
    let value = found
        .slope
        .map_or(number::NONE.to_owned(), |slope| format!("{slope:.2}"));
    value + &range(found.slope_interval, 1.0, 2)
}

fn in_words(found: &Calibration) -> String {
    let extreme = found
        .slope_interval
        .map_or("", |interval| match (interval.low, interval.high) {
            (_, Some(high)) if high < 1.0 => ": values are too extreme",
            (Some(low), _) if low > 1.0 => ": values are too cautious",
            _ => "",
        });
    let high = found
        .bias_interval
        .map_or("", |interval| match (interval.low, interval.high) {
            (_, Some(high)) if high < 0.0 => ": too low for White",
            (Some(low), _) if low > 0.0 => ": too high for White",
            _ => "",
        });
    format!(
        "White's expected score minus White's result is {} percentage points on average{high}. Where values rise by one, results rise by \
         {}{extreme}. The expected calibration error is {:.1} points, of which chance alone would make {:.1}.",
        points(found.bias, found.bias_interval),
        slope(found),
        100.0 * found.expected_error,
        100.0 * found.expected_by_chance
    )
}

fn diagonal() -> PlotLine {
    PlotLine {
        name: "values that come true".into(),
        points: [0.0, 1.0].map(|end| (end, Some(end), None)).to_vec(),
    }
}

fn line(name: &str, found: &Calibration) -> PlotLine {
    let points = found.bins.iter().map(|bin| (bin.value, Some(bin.result), bin.interval));
    PlotLine {
        name: name.to_owned(),
        points: points.collect(),
    }
}

fn table(title: &str, of: &str, rows: &[(&str, Option<Calibration>)]) -> Table {
    let cells = |(name, found): &(&str, Option<Calibration>)| {
        let Some(found) = found else {
            return std::iter::once((*name).to_owned())
                .chain(std::iter::repeat_n(number::NONE.to_owned(), 7))
                .collect();
        };
        let mean = |of: &dyn Fn(&chase_statistics::CalibrationBin) -> f64| {
            let sum: f64 = found.bins.iter().map(|bin| bin.predictions as f64 * of(bin)).sum();
            format!("{:.1}", 100.0 * sum / found.predictions as f64)
        };
        vec![
            (*name).to_owned(),
            number::count(found.predictions),
            mean(&|bin| bin.value),
            mean(&|bin| bin.result),
            points(found.bias, found.bias_interval),
            slope(found),
            format!("{:.1}", 100.0 * found.expected_error),
            format!("{:.1}", 100.0 * found.expected_by_chance),
        ]
    };
    Table {
        title: title.to_owned(),
        note: format!(
            "Searches at every {SNAPSHOT_PLIES}th ply. Percentage points of White's score but for the slope, with 95 % intervals by blocks. The \
             calibration error is the mean distance of value and result over {BINS} bins, beside what chance alone would make of it."
        ),
        headings: [
            of,
            "searches",
            "mean value",
            "mean result",
            "bias",
            "slope",
            "calibration error",
            "by chance",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: rows.iter().map(cells).collect(),
    }
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
    /// `stretch` and too high for White by `bias`; at its next search the mover values its own move too highly by
    /// `liking`.
    fn game(player: usize, block: u64, [stretch, bias, liking]: [f64; 3], rng: &mut Xoshiro256PlusPlus) -> ValueFacts {
        let mut chance: f64 = 0.5;
        let mut facts = ValueFacts {
            player,
            block,
            free: block.is_multiple_of(2),
            score: None,
            snapshots: Vec::new(),
            quiet: Default::default(),
        };
        for ply in 1..=80 {
            // Steps up and down of equal size keep the expectation, within bounds.
            let step = 0.08 * chance.min(1.0 - chance) * if rng.random::<bool>() { 1.0 } else { -1.0 };
            let changes = &mut facts.quiet[GamePhase::of(ply) as usize];
            changes.own.add(step + liking);
            changes.next.add(step);
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

    fn study(seed: u64, world: [f64; 3], blocks: u64) -> Vec<Finding> {
        let mut rng = generator(31, &[seed]);
        let mut facts: Vec<ValueFacts> = (0..blocks)
            .flat_map(|block| [block; 2])
            .map(|block| game(0, block, world, &mut rng))
            .collect();
        facts.extend((0..blocks).map(|block| game(1, block, [1.0, 0.0, 0.0], &mut rng)));
        let study = ValueStudy {
            names: &["net:a", "net:a,simulations=8"],
            main: 1,
            facts: &facts,
            seed,
        };
        study.findings()
    }

    fn interval(finding: &Finding) -> Interval {
        finding.effect.as_ref().unwrap().interval.unwrap()
    }

    /// Stated beforehand: of 100 worlds, intervals of right values miss in no more than 5 % and three standard errors
    /// (11.5 %), and each fault is found in nine of ten.
    #[test]
    fn right_values_are_left_alone_and_wrong_ones_found() {
        let worlds = 100;
        let biased = |world: [f64; 3]| {
            let found = (0..worlds).map(|seed| study(seed, world, 60));
            found.fold([0, 0], |count, findings| {
                [0, 1].map(|part| count[part] + u32::from(!interval(&findings[part]).contains(0.0)))
            })
        };
        let right = biased([1.0, 0.0, 0.0]);
        assert!(right.iter().all(|&missed| missed <= 11), "{right:?}");
        let wrong = biased([1.0, 0.15, 0.01]);
        assert!(wrong.iter().all(|&found| found >= 90), "{wrong:?}");
    }

    #[test]
    fn overconfidence_is_told_in_words_table_and_diagram() {
        let confident = &study(1, [3.0, 0.0, 0.0], 400)[0];
        assert!(
            confident.summary.contains("values are too extreme"),
            "{}",
            confident.summary
        );
        let right = study(1, [1.0, 0.0, 0.0], 400);
        assert!(!right[0].summary.contains("too "), "{}", right[0].summary);
        let parts: Vec<&str> = right.iter().map(|finding| finding.part.as_str()).collect();
        let expected = [
            "values against results",
            "values after quiet turns",
            "values against results, by player",
        ];
        assert_eq!(parts, expected);
        for finding in &right {
            assert_eq!((finding.claim, finding.role), (ClaimId::A1, Role::Context));
            for shown in &finding.exhibits {
                let drawn = chase_report::drawing::exhibit(shown).to_string();
                assert!(!drawn.contains("NaN"), "{drawn}");
            }
        }
        let exhibits = serde_json::to_value(&confident.exhibits).unwrap();
        assert_eq!(exhibits[0]["series"].as_array().unwrap().len(), 5);
        assert_eq!(exhibits[1]["rows"].as_array().unwrap().len(), 4);
    }

    #[test]
    fn truncated_games_and_players_without_searches_tell_nothing() {
        let mut truncated = game(0, 0, [1.0, 0.0, 0.0], &mut generator(1, &[]));
        truncated.score = None;
        truncated.quiet = Default::default();
        let names = ["net:a"];
        let of = |facts: &[ValueFacts]| {
            ValueStudy {
                names: &names,
                main: 1,
                facts,
                seed: 1,
            }
            .findings()
        };
        assert_eq!(of(&[]), []);
        assert_eq!(of(&[truncated]), []);
    }
}
