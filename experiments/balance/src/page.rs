//! The page of a study.

use chase_engine::{Depict, GameName, Property, with_game};
use chase_report::chart::{Axis, ForestChart, ForestGroup, ForestNumber, ForestRow, ForestStyle, Quantity};
use chase_report::number::{self, NONE};
use chase_report::page::{self, document, figure, table};
use chase_statistics::Interval;
use chase_training::store::serialised::pretty_json;
use itertools::Itertools;
use maud::{Markup, Render, html};

use crate::agent::AgentReport;
use crate::effects::{Comparison, Measure, PropertyEffect};
use crate::over_agents::OverAgents;
use crate::relatives::{Relative, level_names};
use crate::report::{BalanceReport, BudgetGames, GameReport, MovesReport};
use crate::wording::{answer, bounds, conclusion, in_unit, round};

/// Colour of games without a topology of their own.
const CONTROL: usize = 5;
const INTERVALS: &str = "Intervals of 95\u{202f}% are about agents trained alike, including agents that were not trained: agents, not \
                         games, are their units (Hartung and Knapp). With three agents they are wide, as they must be.";

/// The page of a study, as HTML.
pub fn page(report: &BalanceReport) -> String {
    let body = html! {
        (headline(report))
        @if !report.effects.is_empty() { (first_picture(report)) }
        (scores(report))
        section { h2 { "All comparisons" } (effects(report)) }
        section { h2 { "Draws, length, depth, choice" } (pictures(report)) }
        section {
            h2 { "The games" }
            (games(report))
            p.soft { (COLUMNS) }
            details {
                summary { "What these games are" }
                ul { @for &game in &report.provenance.config.games { li { (about(game)) } } }
            }
        }
        section { h2 { "First moves" } (first_moves(report)) }
        section { h2 { "Agents" } (agents(report)) }
        section { h2 { "Method" } (method(report)) }
    };
    document("Balance of games", [body])
}

fn headline(report: &BalanceReport) -> Markup {
    let config = &report.provenance.config;
    let lead = format!(
        "{} games, {} agents each: {} of {} agents are trained and measured. Each learned from {} positions of self-play; the final \
         agents play themselves with {} and with {} simulations per move.",
        config.games.len(),
        config.agents,
        report.agents,
        report.of,
        number::count(config.rows),
        config.measurement.simulations[0],
        config.measurement.simulations[1],
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
        (page::headline(&question(report), &lead, &facts))
        @if !report.notes.is_empty() { (page::caveats(&report.notes)) }
    }
}

/// The question of the page.
fn question(report: &BalanceReport) -> String {
    let properties: Vec<&str> = report.effects.iter().map(|effect| effect.property).unique().collect();
    match properties.split_last() {
        None => "How balanced are these games?".to_owned(),
        Some((only, [])) => format!("What does {only} do to the balance of a game?"),
        Some((last, others)) => format!("What do {} and {last} do to the balance of a game?", others.join(", ")),
    }
}

/// Games grouped by family and their first property, if they have several; others last. With the name of each row.
fn groups(report: &BalanceReport) -> Vec<(String, Vec<(String, &GameReport)>)> {
    let (mut related, other): (Vec<&GameReport>, Vec<&GameReport>) = report
        .games
        .iter()
        .partition(|game| !game.properties.properties.is_empty());
    related.sort_by_key(|game| {
        let levels = game.properties.properties.iter().map(|property| property.level);
        (game.properties.family, levels.collect::<Vec<_>>())
    });
    let named = related.into_iter().map(|game| {
        let Relative { family, properties } = &game.properties;
        match &properties[..] {
            [first, rest @ ..] if !rest.is_empty() => (first.level_name(), level_names(rest), game),
            all => (*family, level_names(all), game),
        }
    });
    let other = other.into_iter().map(|game| ("Other games", game.game.clone(), game));
    let groups = named.chain(other).chunk_by(|(heading, ..)| *heading);
    let groups = groups.into_iter().map(|(heading, rows)| {
        let rows = rows.map(|(_, name, game)| (name, game));
        (heading.to_owned(), rows.collect())
    });
    groups.collect()
}

fn color(game: &GameReport) -> usize {
    game.properties.level(Property::TOPOLOGY).unwrap_or(CONTROL)
}

/// A number of a game: whether its marker is open, what it is, and the number.
type Shown = (bool, String, Option<OverAgents>);

/// A forest plot over all games; `numbers` are those of a game, each with a marker that is open or not.
fn forest(
    report: &BalanceReport,
    title: &str,
    axis: Axis,
    reference: Option<f64>,
    text: fn(f64) -> String,
    numbers: &dyn Fn(&GameReport) -> Vec<Shown>,
) -> ForestChart {
    let row = |name: String, game: &GameReport| ForestRow {
        name,
        numbers: numbers(game)
            .into_iter()
            .map(|(open, what, found)| ForestNumber {
                style: ForestStyle {
                    color: color(game),
                    open,
                },
                number: found.as_ref().map(|found| found.mean),
                interval: found.as_ref().and_then(possible),
                text: format!("{}, {what}: {}", game.game, words(found.as_ref(), text)),
            })
            .collect(),
    };
    let groups = groups(report).into_iter().map(|(name, rows)| ForestGroup {
        name,
        rows: rows.into_iter().map(|(name, game)| row(name, game)).collect(),
    });
    let named = report.games.iter().map(|game| {
        let properties = &game.properties.properties;
        let topology = properties.iter().find(|property| property.name == Property::TOPOLOGY);
        (color(game), topology.map_or("other games", Property::level_name))
    });
    let styles = named.sorted().dedup();
    let styles = styles.map(|(color, name)| (ForestStyle { color, open: false }, name.to_owned()));
    ForestChart {
        title: title.to_owned(),
        axis,
        reference,
        groups: groups.collect(),
        styles: styles.collect(),
    }
}

/// The part of an interval that a number of games can have: none of these numbers is below 0.
fn possible(found: &OverAgents) -> Option<Interval> {
    let Interval { low, high } = found.interval?;
    let low = low.map(|low| low.max(0.0));
    Some(Interval { low, high })
}

/// A number with its interval as text.
fn words(found: Option<&OverAgents>, text: fn(f64) -> String) -> String {
    let Some(found) = found else {
        return NONE.to_owned();
    };
    match possible(found).and_then(|interval| Some((interval.low?, interval.high?))) {
        Some((low, high)) => format!("{} [{}, {}]", text(found.mean), text(low), text(high)),
        None => text(found.mean),
    }
}

fn at_both(number: fn(&BudgetGames) -> Option<&OverAgents>) -> impl Fn(&GameReport) -> Vec<Shown> {
    move |game| {
        let budgets = game.budgets.iter().zip([true, false]);
        let at = |(budget, open): (&BudgetGames, bool)| {
            (
                open,
                format!("{} simulations", budget.simulations),
                number(budget).cloned(),
            )
        };
        budgets.map(at).collect()
    }
}

fn at_larger(number: fn(&GameReport) -> Option<&OverAgents>) -> impl Fn(&GameReport) -> Vec<Shown> {
    move |game| {
        let budget = format!("{} simulations", game.budgets[1].simulations);
        vec![(false, budget, number(game).cloned())]
    }
}

/// The answer: what each property does, in words and as a picture for each number.
fn first_picture(report: &BalanceReport) -> Markup {
    let heading = if report.agents < report.of {
        "The answer so far"
    } else {
        "The answer"
    };
    let [_, budget] = report.provenance.config.measurement.simulations;
    let [score, draws, plies] = Measure::ALL.map(|measure| {
        let margin = round(measure, measure.margin(&report.provenance.config.margins));
        let method = format!(
            "Each row is a mean over all pairs of games that differ in this property alone, with {budget} simulations per move. On the \
             dotted line there is no difference. A difference of {margin} or less was said not to matter before the first game. \
             All intervals of the three pictures hold together with 95\u{202f}%."
        );
        figure(
            &format!("What each property does: {}", measure.name()),
            differences(measure, report).chart(),
            &method,
        )
    });
    html! {
        section {
            h2 { (heading) }
            ul { @for measure in Measure::ALL { li { (answer(measure, &report.effects)) } } }
            div style="max-width:46rem;margin-bottom:1rem" { (score) }
            div.cards { (draws) (plies) }
        }
    }
}

/// Colours of the conclusions.
const CONCLUSIONS: [(Comparison, usize, bool); 3] = [
    (Comparison::Differs, 1, false),
    (Comparison::Within, 2, false),
    (Comparison::Undecided, CONTROL, true),
];

/// The differences of one number, by property.
fn differences(measure: Measure, report: &BalanceReport) -> ForestChart {
    let effects: Vec<&PropertyEffect> = report
        .effects
        .iter()
        .filter(|effect| effect.measure == measure)
        .collect();
    let style = |comparison| {
        let found = CONCLUSIONS.iter().find(|(of, ..)| *of == comparison);
        let &(_, color, open) = found.expect("every conclusion has a style");
        ForestStyle { color, open }
    };
    let row = |effect: &&PropertyEffect| ForestRow {
        name: format!("{} − {}", effect.to, effect.from),
        numbers: vec![ForestNumber {
            style: style(effect.comparison),
            number: Some(effect.difference),
            interval: Some(effect.interval),
            text: effect.line(),
        }],
    };
    let of = |effect: &&&PropertyEffect| (effect.family, effect.property);
    let groups = effects.iter().chunk_by(of);
    let groups = groups.into_iter().map(|((family, property), effects)| ForestGroup {
        name: format!("{property} in {family}"),
        rows: effects.map(row).collect(),
    });
    let styles = CONCLUSIONS.into_iter().filter_map(|(comparison, ..)| {
        let one = effects.iter().find(|effect| effect.comparison == comparison)?;
        Some((style(comparison), conclusion(one)))
    });
    let (label, unit) = match measure {
        Measure::Score => ("difference of the first player's score, points", Quantity::Percent),
        Measure::Draws => ("difference of the share of draws, points", Quantity::Percent),
        Measure::Plies => ("difference of the plies of a game", Quantity::Plain),
    };
    ForestChart {
        title: format!("Differences of {} by property", measure.name()),
        axis: Axis::new(label, unit),
        reference: Some(0.0),
        groups: groups.collect(),
        styles: styles.collect(),
    }
}

fn scores(report: &BalanceReport) -> Markup {
    let axis = Axis::new("first player's score, %", Quantity::Percent);
    let mut chart = forest(
        report,
        "The first player's score in each game",
        axis,
        Some(0.5),
        number::percent,
        &at_both(|budget| budget.score.as_ref()),
    );
    let [small, large] = report.provenance.config.measurement.simulations;
    for (open, simulations) in [(true, small), (false, large)] {
        let style = ForestStyle { color: CONTROL, open };
        chart
            .styles
            .push((style, format!("{simulations} simulations per move")));
    }
    let method = format!("A win is 1 point, a draw one half; the dotted line is an even game. {INTERVALS}");
    html! {
        section {
            h2 { "The first player's score in each game" }
            div style="max-width:46rem" { (figure("First player's score", chart.chart(), &method)) }
        }
    }
}

fn effects(report: &BalanceReport) -> Markup {
    if report.effects.is_empty() {
        return html! { p { "No two finished games differ in one property alone, with two agents each." } };
    }
    let row = |effect: &PropertyEffect| -> Vec<Markup> {
        vec![
            format!("{} minus {} in {}", effect.to, effect.from, effect.family).render(),
            effect.measure.name().render(),
            in_unit(effect.measure, effect.difference, true).render(),
            bounds(effect).render(),
            conclusion(effect).render(),
            effect.pairs.to_string().render(),
        ]
    };
    let headings = [
        "comparison",
        "of",
        "difference",
        "interval, all together 95\u{202f}%",
        "conclusion",
        "pairs of games",
    ];
    let power = report.plan.power.iter().map(|power| {
        format!(
            "{} of {}: ±{:.1} points, equal games are shown to be within the margin with {}, a difference of twice the margin is found with {}",
            power.property,
            power.family,
            100.0 * power.half_width,
            number::percent(power.within_if_equal),
            number::percent(power.differs_if_twice),
        )
    });
    let text = format!(
        "Each row averages the differences of all pairs of games that differ in this property alone. The error of 5\u{202f}% is shared by \
         all {} comparisons. What could be found was known before the first game, if agents differ by {:.0} points beyond the chance of \
         their games: {}.",
        report.plan.comparisons,
        100.0 * report.plan.power[0].between_agents,
        power.collect::<Vec<_>>().join("; "),
    );
    html! {
        (table(&headings, report.effects.iter().map(row)))
        p.soft { (text) }
    }
}

fn pictures(report: &BalanceReport) -> Markup {
    let one = |number: f64| format!("{number:.1}");
    let draws = forest(
        report,
        "Share of draws in each game",
        Axis::new("draws, % of games with a result", Quantity::Percent).from_zero(),
        None,
        number::percent,
        &at_both(|budget| budget.draws.as_ref()),
    );
    let plies = forest(
        report,
        "Plies of a game",
        Axis::new("plies", Quantity::Plain).from_zero(),
        None,
        one,
        &at_larger(|game| game.budgets[1].plies.as_ref()),
    );
    let classes = forest(
        report,
        "Classes of strength in each game",
        Axis::new("classes of 75 % from random play to the final agent", Quantity::Plain).from_zero(),
        None,
        one,
        &at_larger(|game| game.classes.as_ref()),
    );
    let bits = forest(
        report,
        "Diversity of openings in each game",
        Axis::new("entropy of the first plies, bits", Quantity::Plain).from_zero(),
        None,
        one,
        &at_larger(|game| game.budgets[1].opening_bits.as_ref()),
    );
    let config = &report.provenance.config;
    let method_of_draws =
        "Open markers: the smaller budget. Of games with a result; the others are counted in the table below.";
    let method_of_plies =
        "At the larger budget. A ply is one decision of one player; a turn of several jumps has several.";
    let method_of_classes = "How often a step of strength at which the stronger player scores 75 % (191 Elo, more where games are drawn) fits \
                             between random play and the final agent: Bradley\u{2013}Terry ratings of random play, bare policies and checkpoints. It grows with \
                             the budget of training, and compares games at this budget.";
    let method_of_bits = format!(
        "Entropy of the lines of the first {} plies of an agent's games, corrected for lines that were not seen (Chao, Wang and Jost). The \
         temperature of {} in the first {} plies adds to it, equally in all games.",
        config.measurement.opening_plies, config.measurement.temperature, config.measurement.temperature_plies
    );
    html! {
        div.cards {
            (figure("Draws", draws.chart(), method_of_draws))
            (figure("Length", plies.chart(), method_of_plies))
            (figure("Classes of strength", classes.chart(), method_of_classes))
            (figure("Diversity of openings", bits.chart(), &method_of_bits))
        }
    }
}

const COLUMNS: &str = "At the larger budget, with 95\u{202f}% intervals over agents. τ: standard deviation of the first player's score between \
                       agents beyond the chance of their games. Decisive: games with a winner among those with a result. Branching: legal \
                       actions of a position.";

fn games(report: &BalanceReport) -> Markup {
    let one = |number: f64| format!("{number:.1}");
    let row = |game: &GameReport| -> Vec<Markup> {
        let [small, budget] = &game.budgets;
        let moves = game.first_moves.as_ref();
        let tau = budget
            .score
            .as_ref()
            .and_then(|score| score.apart)
            .map(|apart| apart.tau);
        vec![
            game.game.as_str().render(),
            number::count(budget.games.played().into()).render(),
            words(small.score.as_ref(), number::percent).render(),
            words(budget.score.as_ref(), number::percent).render(),
            tau.map_or(NONE.to_owned(), |tau| format!("{:.1}", 100.0 * tau))
                .render(),
            words(budget.draws.as_ref(), number::percent).render(),
            words(budget.decisive.as_ref(), number::percent).render(),
            budget.games.truncated.to_string().render(),
            words(budget.plies.as_ref(), one).render(),
            words(budget.branching.as_ref(), one).render(),
            moves
                .map_or(NONE.to_owned(), |moves| {
                    format!("{:.1} of {:.1}", moves.good, moves.actions)
                })
                .render(),
            words(budget.opening_bits.as_ref(), one).render(),
            words(game.classes.as_ref(), one).render(),
        ]
    };
    let headings = [
        "game",
        "games",
        "first player's score, smaller budget",
        "first player's score",
        "τ, points",
        "draws",
        "decisive",
        "cut off",
        "plies",
        "branching",
        "good first moves",
        "openings, bits",
        "classes of strength",
    ];
    table(&headings, report.games.iter().map(row))
}

/// A game for readers who do not know it.
fn about(game: GameName) -> String {
    let words = with_game!(game, G => G::words(&game.rules::<G>()));
    format!("{}: {}", words.title, words.summary)
}

fn first_moves(report: &BalanceReport) -> Markup {
    let margin = report.provenance.config.first_moves.margin;
    let text = format!(
        "A search at the larger budget gives the position after every first move a value. A move is good if its value is within {:.0} \
         points of the best one's. Games that begin at random are searched from several positions.",
        100.0 * margin
    );
    let of_game = |game: &GameReport, moves: &MovesReport| {
        let by_agent = words(Some(&moves.by_agent), |number| format!("{number:.1}"));
        let summary = format!(
            "{}: {:.1} good of {:.1} first moves; by single agents {by_agent}",
            game.game, moves.good, moves.actions
        );
        match moves.moves.is_empty() {
            true => html! { p { (summary) } },
            false => html! { details { summary { (summary) } (move_table(moves)) } },
        }
    };
    html! {
        p { (text) }
        @for game in &report.games {
            @if let Some(moves) = &game.first_moves { (of_game(game, moves)) }
        }
    }
}

fn move_table(moves: &MovesReport) -> Markup {
    let rows = moves.moves.iter().map(|one| -> Vec<Markup> {
        vec![
            one.action.as_str().render(),
            words(Some(&one.value), number::percent).render(),
            if one.good { "good" } else { "" }.render(),
        ]
    });
    table(&["first move", "score that the first player expects", ""], rows)
}

fn agents(report: &BalanceReport) -> Markup {
    html! {
        p {
            "What each agent says alone. Its runs and games are in the directory of the study, under agents/."
        }
        @for game in &report.games { details { summary { (game.game) } (agent_table(game)) } }
    }
}

fn agent_table(game: &GameReport) -> Markup {
    let row = |agent: &AgentReport| -> Vec<Markup> {
        let budget = &agent.budgets[1];
        let score = budget.score.map_or(NONE.to_owned(), |score| match score.error {
            Some(error) => {
                let [low, high] = [-1.96, 1.96].map(|factor| Some(score.value + factor * error));
                number::percent_within(score.value, &Interval { low, high })
            }
            None => number::percent(score.value),
        });
        let games = &budget.games;
        let bound = if agent.ladder.classes.at_least { "at least " } else { "" };
        let weights: String = agent.training.weights.chars().take(12).collect();
        vec![
            agent.agent.to_string().render(),
            number::count(agent.training.rows).render(),
            number::count(agent.training.games).render(),
            number::count(agent.training.steps).render(),
            score.render(),
            format!("{} – {} – {}", games.wins, games.draws, games.losses).render(),
            budget.repeated.to_string().render(),
            format!("{bound}{:.1}", agent.ladder.classes.value).render(),
            html! { code { (weights) } },
        ]
    };
    let headings = [
        "agent",
        "positions",
        "self-play games",
        "learner steps",
        "first player's score",
        "won – drawn – lost",
        "repeated games",
        "classes",
        "weights, SHA-256",
    ];
    table(&headings, game.agents.iter().map(row))
}

fn method(report: &BalanceReport) -> Markup {
    let config = &report.provenance.config;
    html! {
        p {
            "After Tomašev, Paquet, Hassabis and Kramnik (2020), with intervals. Agents of all games have the same network, search and \
             budget: a run ends with the generation that reaches " (number::count(config.rows)) " positions, and uses each equally \
             often. Budgets are in positions and simulations, never in seconds. A final agent plays " (config.measurement.games)
            " games against itself at each budget; a temperature of " (config.measurement.temperature) " in the first "
            (config.measurement.temperature_plies) " plies makes them differ, so that scores are those of varied openings, not of best \
             play. No two agents share random numbers."
        }
        p {
            "Read it as: balance between agents of this strength. Weak agents hide advantages that strong ones would use, and a game in \
             which agents learn faster is seen at a higher strength."
        }
        p { (INTERVALS) }
        details { summary { "Settings" } pre { (pretty_json(config)) } }
    }
}
