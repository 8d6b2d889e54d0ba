//! The page of a tournament.

use std::path::Path;

use super::config::{Format, TournamentConfig};
use super::standings::{MatchStanding, OpeningScore, PlayerStanding, SimulationSeries, SprtStanding, Standings};
use crate::runs::{bar, end_reasons_chart};
use chase_report::chart::{Axis, ChartLine, IntervalChart, IntervalRow, LineChart, Point, Quantity};
use chase_report::number::{self, NONE};
use chase_report::page::{self, document, figure, table, tile};
use chase_statistics::{Cycle, Interval, ScoreEstimate, SprtDecision, Standing, WinDrawLoss};
use chase_training::openings::Tally;
use maud::{Markup, Render, html};

/// Note on two numbers that are both called Elo.
const SCALES: &str = "Ratings are on the scale of the model with draws (Bradley\u{2013}Terry, Davidson): 400 points are ten wins to one \
                      loss, whatever the share of draws. The Elo of a match is computed from its score, where a draw is half a \
                      win, and is smaller where there are draws.";
/// Most rows in the table of openings.
const OPENINGS: usize = 60;
/// Most players in a cross table: a larger one is wider than any page.
const CROSS_TABLE: usize = 24;

/// The page of the tournament in a directory, as HTML.
pub fn page(directory: &Path, config: &TournamentConfig, standings: &Standings) -> String {
    let name = directory.canonicalize().ok();
    let name = name.as_deref().unwrap_or(directory).file_name();
    let name = name.unwrap_or(directory.as_os_str()).to_string_lossy();
    let body = html! {
        (headline(&name, config, standings))
        section { h2 { "Ratings" } (ratings(standings)) }
        section { h2 { "Matches" } (matches(standings)) }
        section { h2 { "The first move" } p { (first_move(standings)) } }
        section { h2 { "Openings" } (openings(standings)) }
    };
    document(&format!("{name}: {}", kind(config).to_lowercase()), [body])
}

/// What the page is of: two players play a match.
fn kind(config: &TournamentConfig) -> &'static str {
    match config.players.len() {
        2 => "Match",
        _ => "Tournament",
    }
}

fn headline(name: &str, config: &TournamentConfig, standings: &Standings) -> Markup {
    let meetings = match config.format {
        Format::RoundRobin => "round robin",
        Format::Gauntlet => "gauntlet: challengers against all others",
    };
    let lead = format!(
        "{} players, {meetings}: {} of {} games, in pairs with colours swapped from the same opening ({}).",
        standings.players.len(),
        number::count(standings.games),
        number::count(standings.of),
        config.openings
    );
    let facts = [
        format!("seed {}", config.seed),
        format!("networks on {}", config.device),
        format!("conventions: {}", config.rules.rules()),
        format!("at most {} plies per game", number::count(config.max_plies.into())),
    ];
    html! {
        (page::headline(&format!("{}: {name}", kind(config)), &lead, &facts))
        div.tiles { @for tile in tiles(standings) { (tile) } }
        @if let Some(sprt) = &standings.sprt { p { (sequential_test(sprt)) } }
        @if !standings.notes.is_empty() { (page::caveats(&standings.notes)) }
    }
}

fn sequential_test(sprt: &SprtStanding) -> String {
    let verdict = match sprt.verdict {
        SprtDecision::AcceptH0 => "The lower hypothesis is accepted",
        SprtDecision::AcceptH1 => "The higher hypothesis is accepted",
        SprtDecision::Continue => "It is not decided",
    };
    format!(
        "Sequential test, {}: log-likelihood ratio {}, bounds {} and {}. {verdict}.",
        sprt.question,
        number::figure(sprt.log_likelihood_ratio),
        number::figure(sprt.lower),
        number::figure(sprt.upper)
    )
}

fn tiles(standings: &Standings) -> Vec<Markup> {
    let mut tiles = Vec::new();
    if let Some(leader) = standings
        .players
        .iter()
        .find(|player| player.rating != Standing::Unknown)
    {
        let particulars = format!("rating {}", rating_text(leader));
        tiles.push(tile("Highest rated", leader.name.as_str(), &particulars));
    }
    let (score, particulars) = match &standings.white_score {
        Some(score) => (
            number::percent(score.score),
            format!("95\u{202f}%: {}", number::percent_interval(&score.score_interval)),
        ),
        None => (NONE.to_owned(), "no pair of games has a result".to_owned()),
    };
    tiles.push(tile("First player's score", score, &particulars));
    let draws = match standings.white.decided() {
        0 => NONE.to_owned(),
        decided => number::percent(f64::from(standings.white.draws) / f64::from(decided)),
    };
    let particulars = format!(
        "{} games without a result",
        number::count(standings.white.truncated.into())
    );
    tiles.push(tile("Draws", draws, &particulars));
    let circles = match standings.cycles.len() {
        0 => "none".to_owned(),
        count => count.to_string(),
    };
    if standings.players.len() > 2 {
        tiles.push(tile(
            "Non-transitive results",
            circles,
            "circles of players who beat each other",
        ));
    }
    tiles
}

/// Rating and interval as text.
fn rating_text(player: &PlayerStanding) -> String {
    match player.rating.elo() {
        Some(elo) if player.rating.interval().half_width() == Some(0.0) => number::elo(elo),
        Some(elo) => number::elo_within(elo, &player.rating.interval()),
        None => number::elo_interval(&player.rating.interval()),
    }
}

fn ratings(standings: &Standings) -> Markup {
    let row = |player: &PlayerStanding| IntervalRow {
        name: player.name.clone(),
        value: player.rating.elo(),
        interval: Some(player.rating.interval()),
        text: rating_text(player),
    };
    let chart = IntervalChart {
        title: "ratings".into(),
        axis: Axis::new(format!("rating above {}", standings.anchor), Quantity::Elo),
        reference: Some(0.0),
        rows: standings.players.iter().map(row).collect(),
    };
    let method = "Joint maximum likelihood of all games (Bradley\u{2013}Terry with draws and an advantage of the first move). Lines are \
         95\u{202f}% intervals from the curvature of the likelihood, with games as independent; where games give no more, a bound \
         (97.5\u{202f}%).";
    // The anchor has a rating by definition, and no interval.
    let interval = |player: &PlayerStanding, interval: Option<Interval>| {
        let interval = interval.filter(|_| player.name != standings.anchor);
        interval.map_or(NONE.to_owned(), |interval| number::elo_interval(&interval))
    };
    let row = |player: &PlayerStanding| -> Vec<Markup> {
        vec![
            html! { span title=(player.player) { (player.name) } },
            player.rating.elo().map_or(NONE.to_owned(), number::elo).render(),
            interval(player, Some(player.rating.interval())).render(),
            interval(player, player.bootstrap).render(),
            player.games.score().map_or(NONE.to_owned(), number::percent).render(),
            number::count(player.games.decided().into()).render(),
            counts(&player.games).render(),
        ]
    };
    let headings = [
        "player",
        "rating",
        "95\u{202f}%",
        "95\u{202f}%, bootstrap over pairs",
        "score",
        "games",
        "won – drawn – lost",
    ];
    html! {
        div.cards {
            (figure("Ratings", chart.chart(), method))
            @if !standings.simulations.is_empty() { (simulations(standings)) }
            (end_reasons(standings))
        }
        (table(&headings, standings.players.iter().map(row)))
        p.soft { (SCALES) }
        @if standings.bootstrap > 0 {
            p.soft {
                "Bootstrap: the middle 95\u{202f}% of the ratings in " (number::count(standings.bootstrap.into()))
                " tables, each drawn anew from the pairs of every match. It holds from about 20 pairs a match on."
            }
        }
    }
}

fn counts(games: &WinDrawLoss) -> String {
    let truncated = match games.truncated {
        0 => String::new(),
        truncated => format!(" (+{truncated} truncated)"),
    };
    format!("{} – {} – {}{truncated}", games.wins, games.draws, games.losses)
}

fn matches(standings: &Standings) -> Markup {
    let row = |one: &MatchStanding| -> Vec<Markup> {
        let [first, second] = &one.players;
        let score = one.score.as_ref();
        let number = |figure: fn(&ScoreEstimate) -> Option<f64>, text: fn(f64) -> String| {
            score.and_then(figure).map_or(NONE.to_owned(), text)
        };
        vec![
            format!("{first} – {second}").render(),
            counts(&one.games).render(),
            number(|score| Some(score.score), number::percent).render(),
            score
                .map_or(NONE.to_owned(), |score| number::percent_interval(&score.score_interval))
                .render(),
            one.expected.map_or(NONE.to_owned(), number::percent).render(),
            number(|score| score.elo, number::elo).render(),
            score
                .map_or(NONE.to_owned(), |score| number::elo_interval(&score.elo_interval))
                .render(),
            number(|score| score.normalised_elo, number::elo).render(),
            number(|score| score.superiority, number::percent).render(),
            pair_counts(one).render(),
        ]
    };
    let headings = [
        "match",
        "won – drawn – lost",
        "score",
        "95\u{202f}%",
        "expected by the ratings",
        "Elo",
        "95\u{202f}%",
        "nElo",
        "probability of being stronger",
        "pairs: 0 – ½ – 1 – 1½ – 2 points",
    ];
    html! {
        @if standings.players.len() > 2 && standings.players.len() <= CROSS_TABLE {
            (cross_table(standings))
            p.soft {
                "Scores of the players on the left against those above, with the number of games that have a result."
            }
        }
        (table(&headings, standings.matches.iter().map(row)))
        (circles(standings))
    }
}

fn pair_counts(one: &MatchStanding) -> String {
    let pairs = &one.pairs;
    let counts = [pairs.ll, pairs.ld, pairs.wl + pairs.dd, pairs.wd, pairs.ww];
    counts.map(|count| count.to_string()).join(" – ")
}

fn cross_table(standings: &Standings) -> Markup {
    let names: Vec<&str> = standings.players.iter().map(|player| player.name.as_str()).collect();
    let cell = |player: &str, opponent: &str| {
        let mut games = WinDrawLoss::default();
        for pairing in &standings.table.pairings {
            if (pairing.white.as_str(), pairing.black.as_str()) == (player, opponent) {
                games += pairing.games;
            } else if (pairing.white.as_str(), pairing.black.as_str()) == (opponent, player) {
                games += pairing.games.reversed();
            }
        }
        let score = ScoreEstimate::from_games(&games)?;
        Some(html! { span { (number::percent(score.score)) small { " " (score.units) } } })
    };
    let row = |player: &&str| {
        let cells = names
            .iter()
            .map(|opponent| cell(player, opponent).unwrap_or_else(|| NONE.render()));
        let mut row: Vec<Markup> = vec![(*player).render()];
        row.extend(cells);
        row
    };
    let mut headings = vec!["player"];
    headings.extend(&names);
    table(&headings, names.iter().map(row))
}

fn circles(standings: &Standings) -> Markup {
    let text = |cycle: &Cycle| {
        let links = cycle.links.iter();
        let links = links.map(|link| format!("{} beats {} ({})", link.winner, link.loser, number::percent(link.score)));
        links.collect::<Vec<_>>().join(", ")
    };
    html! {
        @if standings.cycles.is_empty() {
            p { "No players clearly beat each other in a circle, so one order of strength fits." }
        } @else {
            div.note {
                h2 { "Players who clearly beat each other in a circle" }
                ul { @for cycle in &standings.cycles { li { (text(cycle)) } } }
                p {
                    "Each score's 95\u{202f}% interval lies above one half. Ratings are one number per player and cannot "
                    "show this."
                }
            }
        }
    }
}

fn first_move(standings: &Standings) -> String {
    let mut text = match &standings.white_score {
        Some(score) => format!(
            "White, who moves first, scores {} in {} pairs of games.",
            number::percent_within(score.score, &score.score_interval),
            number::count(score.units.into())
        ),
        None => "No pair of games has a result yet.".to_owned(),
    };
    if let Some(advantage) = &standings.first_move {
        let bootstrap = match &standings.first_move_bootstrap {
            Some(interval) => format!("; by the bootstrap {}", number::elo_interval(interval)),
            None if standings.bootstrap > 0 => "; no bootstrap, since all pairs ended alike".to_owned(),
            None => String::new(),
        };
        text += &format!(
            " Fitted jointly with the ratings, the first move is worth {} Elo [{}, {}]{bootstrap}. Square brackets are \
             95\u{202f}% intervals.",
            number::elo(advantage.elo),
            number::elo(advantage.low),
            number::elo(advantage.high)
        );
    }
    text
}

fn simulations(standings: &Standings) -> Markup {
    let series = |series: &SimulationSeries| {
        let point = |(simulations, name): &(u32, String)| {
            let player = standings.players.iter().find(|player| player.name == *name);
            Point {
                x: f64::from(*simulations),
                y: player.and_then(|player| player.rating.elo()),
                interval: player.map(|player| player.rating.interval()),
                note: player.map_or(String::new(), |player| {
                    format!("{simulations} simulations: {}", rating_text(player))
                }),
            }
        };
        ChartLine {
            name: series.player.clone(),
            points: series.players.iter().map(point).collect(),
        }
    };
    let chart = LineChart {
        title: "Elo by simulations per move".into(),
        x: Axis::new("simulations per move", Quantity::Whole).logarithmic(),
        y: Axis::new(format!("Elo above {}", standings.anchor), Quantity::Elo),
        series: standings.simulations.iter().map(series).collect(),
        reference: None,
    };
    let method = "Joint ratings of players that differ only in the simulations of their search; bands are 95\u{202f}% intervals. \
         A player without search has no place on the logarithmic axis.";
    figure("Elo by simulations per move", chart.chart(), method)
}

fn openings(standings: &Standings) -> Markup {
    let row = |opening: &OpeningScore| -> Vec<Markup> {
        let games = &opening.games;
        let tally = Tally {
            games: games.played().into(),
            white: games.wins.into(),
            black: games.losses.into(),
            draws: games.draws.into(),
            truncated: games.truncated.into(),
        };
        let score = opening.score.as_ref();
        vec![
            opening.actions.as_str().render(),
            number::count(opening.scored).render(),
            bar(&tally),
            score
                .map_or(NONE.to_owned(), |score| number::percent(score.score))
                .render(),
            score
                .map_or(NONE.to_owned(), |score| number::percent_interval(&score.score_interval))
                .render(),
        ]
    };
    let beginning = if standings.whole_openings {
        "opening"
    } else {
        "first action"
    };
    let headings = [
        beginning,
        "games",
        "White, draw, Black, truncated",
        "score of White",
        "95\u{202f}%",
    ];
    let left_out = standings.openings.len().saturating_sub(OPENINGS);
    html! {
        @if standings.openings.is_empty() {
            p.soft { "No game is finished yet." }
        } @else {
            (table(&headings, standings.openings.iter().take(OPENINGS).map(row)))
            p.soft {
                "All players together. Where both games of every pair begin alike, scores and intervals are of pairs, without those \
                 that have a truncated game; elsewhere they are of single games with a result, taken as independent."
                @if left_out > 0 { " " (left_out) " rarer ones are in report.json." }
            }
        }
    }
}

fn end_reasons(standings: &Standings) -> Markup {
    let plies = standings.mean_plies.map_or(NONE.to_owned(), number::figure);
    let method =
        format!("Share of all games, with Wilson's 95\u{202f}% intervals. A game takes {plies} plies on average.");
    figure(
        "How games ended",
        end_reasons_chart(&standings.end_reasons, standings.games),
        &method,
    )
}
