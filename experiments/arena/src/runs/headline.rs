//! The words at the top of a training report.

use super::figures::{Figures, RunFacts};
use super::opening_table::OpeningTable;
use super::score::Versus;
use chase_report::number::{self, NONE};
use chase_report::page::{self, tile};
use maud::{Markup, html};

/// The run, the strength of its network, the network's view of the openings, and caveats.
pub(crate) fn headline(figures: &Figures) -> Markup {
    let run = &figures.run;
    let network = match (run.network, run.width) {
        (Some([blocks, channels]), _) => format!("A network of {blocks} blocks and {channels} channels"),
        (None, Some(width)) => format!("An efficiently updatable network of width {width}"),
        (None, None) => "A network".to_owned(),
    };
    let search = match (&run.search, run.simulations, run.nodes) {
        (Some(search), Some(simulations), _) => format!(", searching {simulations} simulations per ply ({search})"),
        (_, _, Some(nodes)) if run.games > 0 => {
            format!(", searching {} nodes per ply (alpha-beta)", number::count(nodes))
        }
        _ => String::new(),
    };
    let seconds = run
        .seconds
        .map_or(String::new(), |seconds| format!(" in {}", number::duration(seconds)));
    let lead = format!(
        "{network} {}: {}, {}{seconds} on a machine with {}{search}.",
        learned(run),
        number::counted(run.generations, "generation"),
        number::counted(run.games, "game"),
        number::counted(run.host_cores as u64, "core"),
    );
    let facts = [
        Some(format!("started {}", number::moment(run.started))),
        run.branched_from.as_ref().map(|trunk| {
            format!(
                "branched from {} at generation {}",
                trunk.run.display(),
                trunk.generation
            )
        }),
        Some(format!("seed {}", run.seed)),
        run.git.as_ref().map(|git| match git.strip_suffix('+') {
            Some(hash) => format!("commit {hash} with local changes"),
            None => format!("commit {git}"),
        }),
        Some(format!("version {}", run.program_version)),
        run.rows
            .map(|rows| format!("{} training positions", number::count(rows))),
        (run.steps > 0).then(|| format!("{} learner steps", number::count(run.steps))),
    ];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    html! {
        (page::headline(&format!("{}: {}", game_name(&run.game), run.name), &lead, &facts))
        div.tiles { @for tile in tiles(figures) { (tile) } }
        @if let Some(difference) = figures.colour_swap { p { (colour_swap(difference)) } }
        (page::caveats(&caveats(figures)))
    }
}

/// What was learned, from whose games.
fn learned(run: &RunFacts) -> String {
    let game = game_name(&run.game);
    let mut games = Vec::new();
    let mut of_others = run.heuristic_generations;
    match (&run.branched_from, run.is_refit) {
        (Some(trunk), true) => {
            of_others = trunk.generation + run.refit_generations;
            games.push(format!("the games of {}", trunk.run.display()));
        }
        _ if run.games > 0 => match of_others.min(run.generations) {
            0 => {}
            1 => games.push("a generation of games by a hand-written heuristic".to_owned()),
            count => games.push(format!("{count} generations of games by a hand-written heuristic")),
        },
        _ => {}
    }
    match run.data {
        0 => {}
        1 => games.push("the games of another directory".to_owned()),
        count => games.push(format!("the games of {count} other directories")),
    }
    if games.is_empty() {
        let first = if run.begins_with_network {
            "the play of another network"
        } else {
            "random play"
        };
        return format!("taught itself {game} from {first}");
    }
    if run.games > 0 && run.generations > of_others {
        games.push("its own".to_owned());
    }
    let last = games.pop().unwrap_or_default();
    match games.is_empty() {
        true => format!("learned {game} from {last}"),
        false => format!("learned {game} from {} and {last}", games.join(", ")),
    }
}

fn game_name(game: &str) -> String {
    let words = game.split('-').map(|word| {
        let mut letters = word.chars();
        letters
            .next()
            .map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
    });
    words.collect::<Vec<String>>().join(" ")
}

fn tiles(figures: &Figures) -> Vec<Markup> {
    let mut tiles = Vec::new();
    let strength = format!("Strength above {}", figures.anchor);
    match figures.ratings.last() {
        Some(rating) => {
            let number = rating
                .elo
                .map_or_else(|| number::elo_interval(&rating.interval), number::elo);
            let interval = rating.elo.map_or("only a bound is known".to_owned(), |_| {
                format!("95\u{202f}%: {}", number::elo_interval(&rating.interval))
            });
            let particulars = format!("Elo; {interval}; generation {}", rating.generation);
            tiles.push(tile(&strength, number, &particulars));
        }
        None if !figures.run.is_evaluated => {}
        None => tiles.push(tile(&strength, NONE, "not evaluated yet")),
    }
    // The hardest opponent says most.
    if let Some((baseline, versus)) = figures
        .baselines
        .iter()
        .filter_map(|baseline| Some((baseline, baseline.scores.last()?)))
        .next_back()
    {
        tiles.push(tile(
            &format!("Score against {}", baseline.name),
            number::percent(versus.score),
            &versus_text(versus),
        ));
    }
    let measured = figures.measurement.last().or(figures.selfplay.last());
    let score = measured.and_then(|results| Some((results, results.first_player.as_ref()?)));
    match score {
        Some((results, score)) => {
            let games = if figures.measurement.is_empty() {
                "self-play"
            } else {
                "measurement"
            };
            let particulars = format!(
                "95\u{202f}%: {}; {} {games} games with a result, generation {}",
                number::percent_interval(&score.interval),
                number::count(score.games),
                results.generation
            );
            tiles.push(tile(
                "First player's score against itself",
                number::percent(score.score),
                &particulars,
            ));
        }
        None => tiles.push(tile(
            "First player's score against itself",
            NONE,
            "no games measured yet",
        )),
    }
    if let Some(score) = figures.initial_score {
        let particulars = "the network's evaluation of the initial position, without search";
        tiles.push(tile(
            "First player's expected score",
            number::percent(score),
            particulars,
        ));
    }
    let ranked = figures.openings.as_ref().map_or(Vec::new(), OpeningTable::ranked);
    let all = figures.openings.as_ref().map_or(0, |openings| openings.moves.len());
    // The worst of a few good ones is no bad move.
    let of = match ranked.len() {
        often if often < all => format!(" among the {often} most frequent"),
        _ => String::new(),
    };
    for (what, opening) in [("Best", ranked.first()), ("Worst", ranked.last())] {
        let Some(opening) = opening else { continue };
        let chosen = match opening.visits {
            Some(visits) => format!("{} of visits", number::percent(visits)),
            None => format!("{} of games", number::percent(opening.share)),
        };
        let particulars = format!(
            "value {}, {chosen}, {}",
            opening.value.map_or(NONE.to_owned(), number::percent),
            number::counted(opening.tally.games, "game")
        );
        let what = format!("{what} first move{of}, by value");
        tiles.push(tile(&what, opening.text.as_str(), &particulars));
    }
    tiles
}

/// The particulars of a score.
pub(crate) fn versus_text(versus: &Versus) -> String {
    let interval = versus
        .interval
        .as_ref()
        .map(|interval| format!("95\u{202f}%: {}", number::percent_interval(interval)));
    let games = versus.games.map(|games| number::counted(games, "game"));
    let cut = versus
        .truncated
        .filter(|&games| games > 0)
        .map(|games| format!("without the pairs of {}", number::counted(games, "truncated game")));
    let generation = format!("generation {}", versus.generation);
    [interval, games, cut, Some(generation)]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join("; ")
}

fn colour_swap(difference: f64) -> String {
    let test = "Colour-swap test: when the board is turned by 180° and the players are swapped,";
    match difference {
        0.0 => format!("{test} all probabilities of win, draw and loss stay the same to the last digit."),
        difference => format!(
            "{test} no probability of win, draw or loss changes by more than {}.",
            number::figure(difference)
        ),
    }
}

fn caveats(figures: &Figures) -> Vec<String> {
    let mut said = vec![
        "One run is one opinion. Another seed may prefer other openings; claims need several runs.".to_owned(),
        "Intervals cover chance in the games that were counted, not chance in the training.".to_owned(),
    ];
    if !figures.run.kind.facts().explores && figures.run.games > 0 {
        said.push(
            "Games from the initial position have no random moves. They differ because each search draws its own number of nodes. Within \
             a generation they often begin with the same move and repeat the same lines: their score and its interval then say more \
             about these lines than about the first move."
                .to_owned(),
        );
    }
    if !figures.measurement.is_empty() {
        said.push(
            "Measurement games have chance in their first plies only. An agent that is sure of its openings repeats the same few \
             games: their score and its interval then say more about its habits than about the first move."
                .to_owned(),
        );
    }
    if let Some(seconds) = figures.run.seconds.filter(|&seconds| seconds < 4.0 * 3600.0) {
        said.push(format!(
            "This was a short training ({}): what the agent thinks of openings may still change.",
            number::duration(seconds)
        ));
    }
    if let Some(results) = figures.measurement.last().or(figures.selfplay.last()) {
        let share = results.tally.truncated as f64 / results.tally.games.max(1) as f64;
        if share > 0.02 {
            said.push(format!(
                "{} of the last counted games were stopped by the length limit; they are not draws, and enter no estimate.",
                number::percent(share)
            ));
        }
    }
    said
}
