//! How strong a network is, in words.

use chase_arena::NetworkReport;

/// How strong a network is, in words.
pub fn in_words(report: &NetworkReport) -> String {
    let elo = |elo: Option<f64>| elo.map_or("…".into(), |elo| format!("{elo:.0}"));
    let rating = &report.games.rating;
    let interval = rating.interval();
    let mut text = format!(
        "{}: Elo {} [{}, {}] above {}, at {} simulations a move",
        report.games.agent,
        elo(rating.elo()),
        elo(interval.low),
        elo(interval.high),
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
            "\n  colours exchanged: largest difference {:.1e} in {} positions; the first player starts at {:.1} %",
            swap.largest_difference,
            swap.positions,
            100.0 * report.initial_score
        );
    }
    text + &format!("\n  evaluation took {:.1} s", report.games.cost.seconds)
}
