//! The page of a tournament.

use std::path::Path;

use super::config::{Format, TournamentConfig};
use super::standings::{MatchStanding, OpeningScore, PlayerStanding, SimulationSeries, Standings};
use crate::runs::bar;
use chase_report::chart::{Axis, ChartLine, IntervalChart, IntervalRow, LineChart, Point, Quantity};
use chase_report::markup::{Element, Node, element};
use chase_report::number::{self, NONE};
use chase_report::page::{cards, document, figure, paragraph, section, table, tile};
use chase_statistics::{Cycle, Interval, ScoreEstimate, SprtDecision, WinDrawLoss, wilson};
use chase_training::openings::Tally;

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
    let mut body = headline(&name, config, standings);
    body.push(section("Ratings", ratings(standings)));
    body.push(section("Matches", matches(standings)));
    body.push(section("The first move", first_move(standings)));
    body.push(section("Openings", openings(standings)));
    document(&format!("{name}: {}", kind(config).to_lowercase()), body)
}

/// What the page is of: two players play a match.
fn kind(config: &TournamentConfig) -> &'static str {
    match config.players.len() {
        2 => "Match",
        _ => "Tournament",
    }
}

fn headline(name: &str, config: &TournamentConfig, standings: &Standings) -> Vec<Element> {
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
    let mut body = vec![
        element("h1").with(format!("{}: {name}", kind(config))),
        paragraph(lead).class("lead"),
        paragraph(facts.join(" · ")).class("facts"),
        element("div").class("tiles").with_all(tiles(standings)),
    ];
    if let Some(sprt) = &standings.sprt {
        let verdict = match sprt.verdict {
            SprtDecision::AcceptH0 => "The lower hypothesis is accepted",
            SprtDecision::AcceptH1 => "The higher hypothesis is accepted",
            SprtDecision::Continue => "It is not decided",
        };
        body.push(paragraph(format!(
            "Sequential test, {}: log-likelihood ratio {}, bounds {} and {}. {verdict}.",
            sprt.question,
            number::figure(sprt.log_likelihood_ratio),
            number::figure(sprt.lower),
            number::figure(sprt.upper)
        )));
    }
    if !standings.notes.is_empty() {
        let items = standings.notes.iter().map(|note| element("li").with(note.as_str()));
        let note = element("div").class("note");
        let note = note.with(element("h2").with("Before you quote this"));
        body.push(note.with(element("ul").with_all(items)));
    }
    body
}

fn tiles(standings: &Standings) -> Vec<Element> {
    let mut tiles = Vec::new();
    if let Some(leader) = standings.players.first() {
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
    let decided = standings.white.decided().max(1);
    let draws = number::percent(f64::from(standings.white.draws) / f64::from(decided));
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

fn ratings(standings: &Standings) -> Vec<Element> {
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
    let row = |player: &PlayerStanding| -> Vec<Node> {
        vec![
            element("span")
                .attr("title", &player.player)
                .with(player.name.as_str())
                .into(),
            player.rating.elo().map_or(NONE.to_owned(), number::elo).into(),
            interval(player, Some(player.rating.interval())).into(),
            interval(player, player.bootstrap).into(),
            player.games.score().map_or(NONE.to_owned(), number::percent).into(),
            number::count(player.games.decided().into()).into(),
            counts(&player.games).into(),
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
    let mut figures = vec![figure("Ratings", chart.chart(), method)];
    figures.extend(simulations(standings));
    figures.push(end_reasons(standings));
    let mut shown = vec![cards(figures), table(&headings, standings.players.iter().map(row))];
    shown.push(paragraph(SCALES).class("soft"));
    if standings.bootstrap > 0 {
        let text = format!(
            "Bootstrap: the middle 95\u{202f}% of the ratings in {} tables, each drawn anew from the pairs of every match. It \
             holds from about 20 pairs a match on.",
            number::count(standings.bootstrap.into())
        );
        shown.push(paragraph(text).class("soft"));
    }
    shown
}

fn counts(games: &WinDrawLoss) -> String {
    let truncated = match games.truncated {
        0 => String::new(),
        truncated => format!(" (+{truncated} truncated)"),
    };
    format!("{} – {} – {}{truncated}", games.wins, games.draws, games.losses)
}

fn matches(standings: &Standings) -> Vec<Element> {
    let mut shown = Vec::new();
    if standings.players.len() > 2 && standings.players.len() <= CROSS_TABLE {
        shown.push(cross_table(standings));
        let text =
            "Scores of the players on the left against those above, with the number of games that have a result.";
        shown.push(paragraph(text).class("soft"));
    }
    let row = |one: &MatchStanding| -> Vec<Node> {
        let [first, second] = &one.players;
        let score = one.score.as_ref();
        let number = |figure: fn(&ScoreEstimate) -> Option<f64>, text: fn(f64) -> String| {
            score.and_then(figure).map_or(NONE.to_owned(), text)
        };
        vec![
            format!("{first} – {second}").into(),
            counts(&one.games).into(),
            number(|score| Some(score.score), number::percent).into(),
            score
                .map_or(NONE.to_owned(), |score| number::percent_interval(&score.score_interval))
                .into(),
            one.expected.map_or(NONE.to_owned(), number::percent).into(),
            number(|score| score.elo, number::elo).into(),
            score
                .map_or(NONE.to_owned(), |score| number::elo_interval(&score.elo_interval))
                .into(),
            number(|score| score.normalised_elo, number::elo).into(),
            number(|score| score.superiority, number::percent).into(),
            pair_counts(one).into(),
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
    shown.push(table(&headings, standings.matches.iter().map(row)));
    shown.push(circles(standings));
    shown
}

fn pair_counts(one: &MatchStanding) -> String {
    let pairs = &one.pairs;
    let counts = [pairs.ll, pairs.ld, pairs.wl + pairs.dd, pairs.wd, pairs.ww];
    counts.map(|count| count.to_string()).join(" – ")
}

fn cross_table(standings: &Standings) -> Element {
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
        let count = element("small").with(format!(" {}", score.units));
        Some(element("span").with(number::percent(score.score)).with(count))
    };
    let row = |player: &&str| {
        let cells = names
            .iter()
            .map(|opponent| cell(player, opponent).map_or(NONE.into(), Node::from));
        let mut row: Vec<Node> = vec![(*player).into()];
        row.extend(cells);
        row
    };
    let mut headings = vec!["player"];
    headings.extend(&names);
    table(&headings, names.iter().map(row))
}

fn circles(standings: &Standings) -> Element {
    if standings.cycles.is_empty() {
        return paragraph("No players clearly beat each other in a circle, so one order of strength fits.");
    }
    let item = |cycle: &Cycle| {
        let links = cycle.links.iter();
        let links = links.map(|link| format!("{} beats {} ({})", link.winner, link.loser, number::percent(link.score)));
        element("li").with(links.collect::<Vec<_>>().join(", "))
    };
    element("div")
        .class("note")
        .with(element("h2").with("Players who clearly beat each other in a circle"))
        .with(element("ul").with_all(standings.cycles.iter().map(item)))
        .with(paragraph(
            "Each score's 95\u{202f}% interval lies above one half. Ratings are one number per player and cannot show this.",
        ))
}

fn first_move(standings: &Standings) -> Vec<Element> {
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
    vec![paragraph(text)]
}

fn simulations(standings: &Standings) -> Option<Element> {
    if standings.simulations.is_empty() {
        return None;
    }
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
    Some(figure("Elo by simulations per move", chart.chart(), method))
}

fn openings(standings: &Standings) -> Vec<Element> {
    let mut shown = Vec::new();
    let row = |opening: &OpeningScore| -> Vec<Node> {
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
            opening.actions.as_str().into(),
            number::count(opening.scored).into(),
            bar(&tally).into(),
            score
                .map_or(NONE.to_owned(), |score| number::percent(score.score))
                .into(),
            score
                .map_or(NONE.to_owned(), |score| number::percent_interval(&score.score_interval))
                .into(),
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
    if standings.openings.is_empty() {
        shown.push(paragraph("No game is finished yet.").class("soft"));
    } else {
        shown.push(table(&headings, standings.openings.iter().take(OPENINGS).map(row)));
        let left_out = standings.openings.len().saturating_sub(OPENINGS);
        let left_out = match left_out {
            0 => String::new(),
            count => format!(" {count} rarer ones are in report.json."),
        };
        let text = format!(
            "All players together. Games are those of the score: where both games of each pair begin alike, the pairs without a \
             truncated game, which are the units of the intervals; elsewhere all with a result, as independent ones.{left_out}"
        );
        shown.push(paragraph(text).class("soft"));
    }
    shown
}

fn end_reasons(standings: &Standings) -> Element {
    let mut reasons: Vec<(&String, u64)> = standings
        .end_reasons
        .iter()
        .map(|(name, &count)| (name, count))
        .collect();
    reasons.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let row = |(name, count): (&String, u64)| {
        let share = count as f64 / standings.games.max(1) as f64;
        let (low, high) = wilson(share, standings.games as f64);
        let interval = Interval {
            low: Some(low),
            high: Some(high),
        };
        IntervalRow {
            name: name.clone(),
            value: Some(share),
            interval: Some(interval),
            text: format!("{}, {} games", number::percent(share), number::count(count)),
        }
    };
    let chart = IntervalChart {
        title: "how games ended".into(),
        axis: Axis::new("% of games", Quantity::Percent).within(0.0, 1.0),
        reference: None,
        rows: reasons.into_iter().map(row).collect(),
    };
    let plies = standings.mean_plies.map_or(NONE.to_owned(), number::figure);
    let method =
        format!("Share of all games, with Wilson's 95\u{202f}% intervals. A game takes {plies} plies on average.");
    figure("How games ended", chart.chart(), &method)
}
