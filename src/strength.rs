//! Strength of a network, as text.

use chase_arena::NetworkReport;
use chase_report::number::{self, whole_number};

/// A rounded rating.
fn rounded(elo: f64) -> String {
    whole_number(elo.round())
}

/// Strength of a network, as text.
pub fn in_words(report: &NetworkReport) -> String {
    let rating = &report.games.rating;
    let interval = rating.interval();
    let anchor = match report.games.opponents.first().map(|anchor| anchor.baseline.as_str()) {
        None | Some("random") => "random play",
        Some(anchor) => anchor,
    };
    let elo = match (rating.elo(), interval.low, interval.high) {
        (Some(elo), Some(_), Some(_)) => {
            format!(
                "Elo {} {} above {anchor}",
                rounded(elo),
                number::interval(&interval, rounded)
            )
        }
        // It won or lost everything: only one end is known.
        (_, Some(low), None) => format!("Elo at least {} above {anchor}", rounded(low)),
        (_, None, Some(high)) => format!("Elo at most {} above {anchor}", rounded(high)),
        _ => format!("no rating, since no game with a result connects it with {anchor}"),
    };
    let effort = match (report.simulations, report.nodes) {
        (_, Some(nodes)) => format!("{nodes} nodes"),
        (simulations, None) => format!("{} simulations", simulations.unwrap_or(0)),
    };
    let mut text = format!("{}: {elo}, at {effort} per move", report.games.agent);
    for opponent in &report.games.opponents {
        let score = opponent
            .score
            .as_ref()
            .map_or("no result".into(), |score| format!("{:.1} %", 100.0 * score.score));
        text += &format!(
            "\n  {score:>22} of {} games against {}",
            opponent.games.played(),
            opponent.baseline
        );
    }
    if let Some(swap) = &report.colour_swap {
        text += &format!(
            "\n  colours swapped: {} in {} positions; before the first move the network expects {:.1} % for the first player",
            match swap.largest_difference {
                0.0 => "the same outputs".to_owned(),
                difference => format!("outputs differ by up to {difference:.1e}"),
            },
            swap.positions,
            100.0 * report.initial_score
        );
    }
    text + &format!("\n  evaluation took {:.1} s", report.games.cost.seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_have_a_minus_sign_and_no_negative_zero() {
        assert_eq!([38.4, -0.2, -37.5, -1250.0].map(rounded), ["38", "0", "−38", "−1250"]);
    }
}
