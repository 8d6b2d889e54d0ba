//! The page of a study.

use chase_engine::{Depict, GameName, with_game};
use chase_report::chart::{Axis, Chart, ForestChart, ForestGroup, ForestNumber, ForestRow, ForestStyle, Quantity};
use chase_report::number::{self, NONE};
use chase_report::page::{self, document, figure, table};
use chase_statistics::Interval;
use chase_training::store::serialised::pretty_json;
use itertools::Itertools;
use maud::{Markup, Render, html};

use crate::effects::{Comparison, Measure, PropertyEffect};
use crate::over_agents::OverAgents;
use crate::report::{BalanceReport, BudgetGames, GameReport, MovesReport};
use crate::wording::{bounds, conclusion, in_unit, round};

/// The page of a study, as HTML.
pub fn page(report: &BalanceReport) -> String {
    let games = &report.provenance.config.games;
    let body = html! {
        (headline(report))
        section { h2 { (answer_heading(report)) } (answer(report)) }
        section {
            h2 { "The first player's score in each game" }
            div style="max-width:46rem" { (scores(report)) }
        }
        section {
            h2 { "The games" }
            (game_table(report))
            p.soft { (columns(report)) }
            details { summary { "What these games are" } ul { @for &game in games { li { (about(game)) } } } }
        }
        section { h2 { "First moves" } (first_moves(report)) }
        section { h2 { "Method" } (method(report)) }
    };
    document("Balance of games", [body])
}

fn headline(report: &BalanceReport) -> Markup {
    let config = &report.provenance.config;
    let [small, large] = config.measurement.simulations;
    let lead = format!(
        "{} games, {} agents each: {} of {} agents are trained and measured. Each learned from {} positions of self-play; the final \
         agents play themselves with {small} and with {large} simulations per move.",
        config.games.len(),
        config.agents,
        report.agents,
        report.of,
        number::count(config.rows),
    );
    let provenance = &report.provenance;
    let facts = [
        Some(format!("seed {}", config.seed)),
        provenance.git_hash.as_ref().map(|hash| match provenance.git_dirty {
            Some(true) => format!("commit {hash} with local changes"),
            _ => format!("commit {hash}"),
        }),
        Some(format!("version {}", provenance.program_version)),
        Some(format!("configuration SHA-256 {}", provenance.config_sha256)),
    ];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    html! {
        (page::headline("How balanced are these games?", &lead, &facts))
        @if !report.notes.is_empty() { (page::caveats(&report.notes)) }
    }
}

const fn answer_heading(report: &BalanceReport) -> &'static str {
    if report.is_finished() {
        "The answer"
    } else {
        "The answer so far"
    }
}

/// The effect of each property on each number: pictures, then the same in words.
fn answer(report: &BalanceReport) -> Markup {
    if report.effects.is_empty() {
        return html! { p { "No two finished games differ in one property alone, with two agents each." } };
    }
    let [score, draws, plies] = Measure::ALL.map(|measure| {
        let margin = round(measure, measure.margin(&report.provenance.config.margins));
        figure(
            &format!("What each property does: {}", measure.name()),
            differences(measure, report),
            &format!("A difference of {margin} or less was said not to matter before the first game."),
        )
    });
    let row = |effect: &PropertyEffect| -> Vec<Markup> {
        vec![
            format!("{} minus {} in {}", effect.to, effect.from, effect.family).render(),
            effect.measure.name().render(),
            in_unit(effect.measure, effect.difference).render(),
            bounds(effect).render(),
            conclusion(effect).render(),
            effect.pairs.render(),
        ]
    };
    let headings = [
        "comparison",
        "of",
        "difference",
        "interval",
        "conclusion",
        "pairs of games",
    ];
    html! {
        div style="max-width:46rem;margin-bottom:1rem" { (score) }
        div.cards { (draws) (plies) }
        (table(&headings, report.effects.iter().map(row)))
        p.soft {
            "Each row is a mean over all pairs of games that differ in this property alone, with "
            (report.provenance.config.measurement.simulations[1]) " simulations per move. On the dotted line there is no difference. "
            "The error of 5\u{202f}% is shared by all " (report.plan.comparisons) " comparisons: their intervals hold together with "
            "95\u{202f}%. What could be found was computed before the first game: see plan in balance.json."
        }
    }
}

/// Colour of numbers that are neither this nor that.
const PLAIN: usize = 5;

const fn style(comparison: Comparison) -> ForestStyle {
    let (color, open) = match comparison {
        Comparison::Differs => (1, false),
        Comparison::Within => (2, false),
        Comparison::Undecided => (PLAIN, true),
    };
    ForestStyle { color, open }
}

/// The differences of one number, by property.
fn differences(measure: Measure, report: &BalanceReport) -> Chart {
    let effects = report.effects.iter().filter(|effect| effect.measure == measure);
    let row = |effect: &PropertyEffect| ForestRow {
        name: format!("{} − {}", effect.to, effect.from),
        numbers: vec![ForestNumber {
            style: style(effect.comparison),
            number: Some(effect.difference),
            interval: Some(effect.interval),
            text: effect.line(),
        }],
    };
    let groups = effects.clone().chunk_by(|effect| (effect.family, effect.property));
    let groups = groups.into_iter().map(|((family, property), effects)| ForestGroup {
        name: format!("{property} in {family}"),
        rows: effects.map(row).collect(),
    });
    let conclusions = effects.unique_by(|effect| effect.comparison);
    let (label, unit) = match measure {
        Measure::Score => ("difference of the first player's score, points", Quantity::Percent),
        Measure::Draws => ("difference of the share of draws, points", Quantity::Percent),
        Measure::Plies => ("difference of the plies of a game", Quantity::Plain),
    };
    let chart = ForestChart {
        title: format!("Differences of {} by property", measure.name()),
        axis: Axis::new(label, unit),
        reference: Some(0.0),
        groups: groups.collect(),
        styles: conclusions
            .map(|effect| (style(effect.comparison), conclusion(effect)))
            .collect(),
    };
    chart.chart()
}

/// The first player's score in each game at both budgets, games of a family together.
fn scores(report: &BalanceReport) -> Markup {
    let style = |open| ForestStyle { color: PLAIN, open };
    let number = |game: &GameReport, budget: &BudgetGames, open| {
        let score = budget.score.as_ref();
        ForestNumber {
            style: style(open),
            number: score.map(|score| score.mean),
            interval: score.and_then(|score| score.interval),
            text: format!(
                "{}, {} simulations: {}",
                game.game,
                budget.simulations,
                words(score, number::percent)
            ),
        }
    };
    let row = |game: &GameReport| {
        let [small, large] = &game.budgets;
        ForestRow {
            name: game.game.clone(),
            numbers: vec![number(game, small, true), number(game, large, false)],
        }
    };
    let heading = |game: &&GameReport| match game.properties.properties.is_empty() {
        true => (1, "Other games"),
        false => (0, game.properties.family),
    };
    let groups = report.games.iter().sorted_by_key(heading).chunk_by(heading);
    let groups = groups.into_iter().map(|((_, name), games)| ForestGroup {
        name: name.to_owned(),
        rows: games.map(row).collect(),
    });
    let budgets = [true, false]
        .into_iter()
        .zip(report.provenance.config.measurement.simulations);
    let chart = ForestChart {
        title: "The first player's score in each game".to_owned(),
        axis: Axis::new("first player's score, %", Quantity::Percent),
        reference: Some(0.5),
        groups: groups.collect(),
        styles: budgets
            .map(|(open, simulations)| (style(open), format!("{simulations} simulations per move")))
            .collect(),
    };
    let method = "A win is 1 point, a draw one half; the dotted line is an even game.";
    figure("First player's score", chart.chart(), method)
}

/// A number that is not negative, with its interval.
fn words(found: Option<&OverAgents>, text: fn(f64) -> String) -> String {
    words_from(0.0, found, text)
}

/// A number with its interval, of which no end is below the least number.
fn words_from(least: f64, found: Option<&OverAgents>, text: fn(f64) -> String) -> String {
    let Some(found) = found else {
        return NONE.to_owned();
    };
    let mean = text(found.mean);
    match found.interval {
        Some(Interval { low, high }) => {
            let low = low.map(|low| low.max(least));
            format!("{mean} {}", number::interval(&Interval { low, high }, text))
        }
        None => mean,
    }
}

fn one_digit(number: f64) -> String {
    number::decimal(number, 1)
}

/// Games and numbers: for each of both a heading, and the form in which it is shown.
type Column = (&'static str, fn(&GameReport) -> String);

const COLUMNS: [Column; 13] = [
    ("game", |game| game.game.clone()),
    ("games", |game| number::count(game.budgets[1].games.played().into())),
    ("first player's score, smaller budget", |game| {
        words(game.budgets[0].score.as_ref(), number::percent)
    }),
    ("first player's score", |game| {
        words(game.budgets[1].score.as_ref(), number::percent)
    }),
    ("τ, points", |game| {
        let apart = game.budgets[1].score.as_ref().and_then(|score| score.apart);
        apart.map_or(NONE.to_owned(), |apart| one_digit(100.0 * apart.tau))
    }),
    ("draws", |game| words(game.budgets[1].draws.as_ref(), number::percent)),
    ("decisive", |game| {
        words(game.budgets[1].decisive.as_ref(), number::percent)
    }),
    ("cut off", |game| game.budgets[1].games.truncated.to_string()),
    ("plies", |game| words(game.budgets[1].plies.as_ref(), one_digit)),
    ("branching", |game| words(game.budgets[1].branching.as_ref(), one_digit)),
    ("good first moves", |game| {
        let moves = game.first_moves.as_ref();
        moves.map_or(NONE.to_owned(), |moves| {
            format!("{} of {}", one_digit(moves.good), one_digit(moves.actions))
        })
    }),
    ("openings, bits", |game| {
        let bits = words(game.budgets[1].opening_bits.as_ref(), one_digit);
        match game.budgets[1].are_bits_a_bound() {
            true => format!("at least {bits}"),
            false => bits,
        }
    }),
    // Below random play it is negative.
    ("classes of strength", |game| {
        words_from(f64::NEG_INFINITY, game.classes.as_ref(), one_digit)
    }),
];

fn game_table(report: &BalanceReport) -> Markup {
    let rows = report
        .games
        .iter()
        .map(|game| COLUMNS.map(|(_, text)| text(game).render()).into());
    table(&COLUMNS.map(|(heading, _)| heading), rows)
}

/// The meaning of the columns.
fn columns(report: &BalanceReport) -> String {
    let config = &report.provenance.config;
    format!(
        "At the larger budget. τ: standard deviation of the first player's score between agents beyond the chance of their games. \
         Decisive: games with a winner among those with a result. Branching: legal actions of a position. A ply is one decision of \
         one player. Good first moves: those whose value is within {:.0} points of the best one's, by a search at the larger budget \
         after each; in games that begin at random, from several positions. Openings: entropy of the lines of the first {} plies of \
         an agent's games, corrected for lines that were not seen (Chao, Wang and Jost); a lower bound where less than a fifth of further \
         games would have a line that was seen. Classes: how often a step of strength at which \
         the stronger player scores 75 % (191 Elo, more where games are drawn) fits between random play and the final agent, by \
         Bradley\u{2013}Terry ratings of random play, bare policies and checkpoints.",
        100.0 * config.first_moves.margin,
        config.measurement.opening_plies,
    )
}

/// A game for readers who do not know it.
fn about(game: GameName) -> String {
    let words = with_game!(game, G => G::words(&game.rules::<G>()));
    format!("{}: {}", words.title, words.summary)
}

/// The values of first moves where all games begin alike, folded.
fn first_moves(report: &BalanceReport) -> Markup {
    let games = report.games.iter();
    let valued = games.filter_map(|game| Some((game, game.first_moves.as_ref()?)));
    html! {
        p { "The score that the first player expects after each first move, by a search at the larger budget." }
        @for (game, moves) in valued.filter(|(_, moves)| !moves.moves.is_empty()) {
            details { summary { (game.game) } (move_table(moves)) }
        }
    }
}

fn move_table(moves: &MovesReport) -> Markup {
    let rows = moves.moves.iter().map(|one| -> Vec<Markup> {
        vec![
            one.action.render(),
            words(Some(&one.value), number::percent).render(),
            if one.good { "good" } else { "" }.render(),
        ]
    });
    table(&["first move", "score", ""], rows)
}

fn method(report: &BalanceReport) -> Markup {
    let config = &report.provenance.config;
    html! {
        p {
            "After Tomašev, Paquet, Hassabis and Kramnik (2020), with intervals. Agents of all games have the same network, search and "
            "budget: a run ends with the generation that reaches " (number::count(config.rows)) " positions, and uses each equally "
            "often. Budgets are in positions and simulations, never in seconds. A final agent plays " (config.measurement.games)
            " games against itself at each budget; a temperature of " (config.measurement.temperature) " in the first "
            (config.measurement.temperature_plies) " plies makes them differ, so that scores are those of varied openings, not of best "
            "play. No two agents share random numbers."
        }
        p {
            "Read it as: balance between agents of this strength. Weak agents hide advantages that strong ones would use, and a game in "
            "which agents learn faster is seen at a higher strength."
        }
        p {
            "Intervals of 95\u{202f}% are about agents trained alike, including agents that were not trained: agents, not games, are "
            "their units (Hartung and Knapp). With three agents they are wide, as they must be. What each agent says alone is in "
            "balance.json; its runs and games are in the directory of the study, under agents/."
        }
        details { summary { "Settings" } pre { (pretty_json(config)) } }
    }
}
