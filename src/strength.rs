//! Strength of a network, as text.

use chase_arena::NetworkReport;
use chase_report::number::{self, whole_number};
use chase_statistics::ScoreEstimate;

/// A rounded rating.
fn rounded(elo: f64) -> String {
    whole_number(elo.round())
}

/// The score against an opponent, as `text` has it, and the number of games that it is of; of so many that were
/// played.
pub fn against(
    opponent: &str,
    score: Option<&ScoreEstimate>,
    played: u32,
    text: impl Fn(&ScoreEstimate) -> String,
) -> [String; 2] {
    match score {
        None => ["no result".to_owned(), format!("in {played} games against {opponent}")],
        Some(score) => {
            let (scored, left_out) = of_games(score, played.into());
            [text(score), format!("of {scored} games against {opponent}{left_out}")]
        }
    }
}

/// The number of games that a score from pairs is of, and what is said of the others that were played.
pub fn of_games(score: &ScoreEstimate, played: u64) -> (String, String) {
    let scored = 2 * u64::from(score.units);
    let left_out = match played.saturating_sub(scored) {
        0 => String::new(),
        more => format!(" ({more} more are in pairs with a truncated game)"),
    };
    (number::count(scored), left_out)
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
        let percent = |score: &ScoreEstimate| format!("{:.1} %", 100.0 * score.score);
        let (name, played) = (&opponent.baseline, opponent.games.played());
        let [score, of] = against(name, opponent.score.as_ref(), played, percent);
        text += &format!("\n  {score:>22} {of}");
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
