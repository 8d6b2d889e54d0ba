//! The standings of a tournament as text.

use chase_arena::tournament::{MatchStanding, PlayerStanding, SprtStanding, Standings, TournamentResults};
use chase_report::number::{self, NONE};
use chase_statistics::{Interval, SprtDecision};

use crate::{columns, strength};

/// The main results for a person.
pub fn in_words(standings: &Standings) -> String {
    // The ratings of two players only repeat the result of their match on another scale.
    let mut table = Vec::new();
    let mut lines = Vec::new();
    if standings.players.len() > 2 {
        table = ratings(standings);
        lines.push(
            "ratings: Bradley-Terry with draws (Davidson), 400 points are ten wins to one loss; the Elo of a match is computed from its score"
                .to_owned(),
        );
        lines.push(String::new());
    }
    lines.extend(standings.matches.iter().map(of_match));
    lines.extend(standings.sprt.as_ref().map(sprt));
    lines.extend(standings.white_score.as_ref().map(|score| {
        let (scored, left_out) = strength::of_games(score, standings.games);
        format!(
            "White scores {} in {scored} games{left_out}; a game takes {} plies",
            number::percent_within(score.score, &score.score_interval),
            standings.mean_plies.map_or(NONE.to_owned(), number::figure)
        )
    }));
    for cycle in &standings.cycles {
        let mut names: Vec<&str> = cycle.links.iter().map(|link| link.winner.as_str()).collect();
        names.extend(names.first().copied());
        lines.push(format!(
            "non-transitive results, which no rating can show: {}",
            names.join(" beats ")
        ));
    }
    lines.extend(standings.notes.iter().map(|note| format!("note: {note}")));
    table.extend(lines.iter().map(|line| columns::wrapped(line, 2)));
    table.join("\n")
}

/// The games so far, for a log: their number, and the score of a match.
pub fn progress(results: &TournamentResults) -> String {
    let (games, all) = (results.games(), results.schedule().games());
    let count = format!("{} of {} games", number::count(games), number::count(all));
    let standings = Standings::new(results, 0);
    match &standings.matches[..] {
        [one] => format!("{count}; {}", of_match(one)),
        _ => count,
    }
}

/// The table of ratings: headings, then one line per player.
pub fn ratings(standings: &Standings) -> Vec<String> {
    let row = |player: &PlayerStanding| {
        // The anchor has a rating by definition, and no interval.
        let rated = player.name != standings.anchor;
        let interval = |interval: Option<Interval>| {
            let interval = interval.filter(|_| rated);
            interval.map_or(NONE.to_owned(), |interval| number::elo_interval(&interval))
        };
        [
            player.name.clone(),
            player.rating.elo().map_or(NONE.to_owned(), number::elo),
            interval(Some(player.rating.interval())),
            interval(player.bootstrap),
            player.games.score().map_or(NONE.to_owned(), number::percent),
            number::count(player.games.decided().into()),
        ]
    };
    let headings = ["player", "rating", "95 %", "bootstrap", "score", "games"];
    // In a narrow terminal first without the second interval, then without the number of games.
    columns::table(headings, standings.players.iter().map(row), &[3, 5, 4])
}

fn of_match(one: &MatchStanding) -> String {
    let [first, second] = &one.players;
    let games = &one.games;
    let mut line = format!(
        "{first} – {second}: {} won, {} drawn, {} lost",
        games.wins, games.draws, games.losses
    );
    if games.truncated > 0 {
        line += &format!(", {} truncated", games.truncated);
    }
    if let Some(score) = &one.score {
        let of = match strength::of_games(score, games.played().into()) {
            (scored, left_out) if !left_out.is_empty() => format!(" of {scored} games{left_out}"),
            _ => String::new(),
        };
        let Interval { low, high } = score.elo_interval;
        let elo = match score.elo {
            Some(elo) => format!("Elo {}", number::elo_within(elo, &score.elo_interval)),
            // One side took no point, and the bound does not even say that the other one is stronger.
            None if low.is_none_or(|low| low <= 0.0) && high.is_none_or(|high| high >= 0.0) => {
                "too few games for an Elo bound".to_owned()
            }
            None => format!("Elo {}", number::elo_interval(&score.elo_interval)),
        };
        line += &format!(
            ", {}{of}, {elo}",
            number::percent_within(score.score, &score.score_interval),
        );
        if let (Some(elo), Some(superiority)) = (score.normalised_elo, score.superiority) {
            line += &format!(
                ", nElo {}, probability of being stronger {}",
                number::elo(elo),
                number::percent(superiority)
            );
        }
    }
    line
}

/// A sequential test in one line.
pub fn sprt(sprt: &SprtStanding) -> String {
    let [lower, upper] = [sprt.lower, sprt.upper].map(number::figure);
    let decision = match sprt.verdict {
        SprtDecision::AcceptH0 => format!("below the bound {lower}: the lower value is accepted"),
        SprtDecision::AcceptH1 => format!("above the bound {upper}: the higher value is accepted"),
        SprtDecision::Continue => format!("between the bounds {lower} and {upper}: undecided"),
    };
    format!(
        "SPRT of {}: log-likelihood ratio {}, {decision}",
        sprt.question,
        number::figure(sprt.log_likelihood_ratio),
    )
}
