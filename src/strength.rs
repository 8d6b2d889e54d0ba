//! Strength of a network, as text.

use chase_arena::NetworkReport;

/// Strength of a network, as text.
pub fn in_words(report: &NetworkReport) -> String {
    let rating = &report.games.rating;
    let interval = rating.interval();
    let elo = match (rating.elo(), interval.low, interval.high) {
        (Some(elo), Some(low), Some(high)) => format!("Elo {elo:.0} [{low:.0}, {high:.0}]"),
        // It won or lost everything: only one end is known.
        (_, Some(low), None) => format!("Elo at least {low:.0}"),
        (_, None, Some(high)) => format!("Elo at most {high:.0}"),
        _ => "Elo unknown".to_owned(),
    };
    let mut text = format!(
        "{}: {elo} above {}, at {} simulations a move",
        report.games.agent,
        match report.games.opponents.first().map(|anchor| anchor.baseline.as_str()) {
            None | Some("random") => "random play",
            Some(anchor) => anchor,
        },
        report.simulations
    );
    for opponent in &report.games.opponents {
        let score = opponent
            .score
            .as_ref()
            .map_or("-".into(), |score| format!("{:.1} %", 100.0 * score.score));
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
