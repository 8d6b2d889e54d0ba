//! The balance of games: how they end, last and turn, and first moves under the pie rule.

use chase_report::chart::{IntervalRow, Quantity};
use chase_report::drawing::exhibit;
use chase_report::exhibit::{Exhibit, IntervalPlot};
use chase_report::number::{self, NONE};
use chase_report::page::{BREAK, table_of};
use chase_statistics::MeanEstimate;
use maud::{Markup, Render, html};

use crate::claims::{Balance, GamesBalance, PieMove, PieRule};
use crate::evidence::games::{AHEAD, NEARLY_WON};

/// First moves that the plot shows.
const SHOWN: usize = 12;
/// The most first moves that are named in the text.
const NAMED: usize = 8;

/// The section.
pub(super) fn section(balance: &Balance) -> Markup {
    html! {
        details.note {
            summary { "What is counted" }
            p {
                "Games of one player against itself from the initial position; intervals hold at every moment at once, each "
                "by itself. The score leaves truncated games out. A player is ahead if the search that chooses a move expects "
                "at least " (number::percent(AHEAD)) " for that player, who stays ahead until the other player is. A comeback "
                "is a won game whose loser expected at least " (number::percent(NEARLY_WON)) " at some time. If values were "
                "right on average, and changed in small steps, " (number::percent((1.0 - NEARLY_WON) / NEARLY_WON)) " of the "
                "won games would be comebacks. A game is settled at the ply from which its winner is ahead to the end, here "
                "as a part of its plies. All three depend on how sure of itself a player is: see its calibration in the "
                "evidence on A1."
            }
        }
        h3 { "How games end" }
        (ends(&balance.games))
        h3 { "How long games are, and how they turn" }
        (course(&balance.games))
        @if let Some(rule) = &balance.pie {
            h3 { "The pie rule" }
            (pie(rule))
        }
    }
}

fn share(of: Option<&MeanEstimate>) -> Markup {
    of.map_or(NONE.to_owned(), |of| number::percent_within(of.mean, &of.interval))
        .render()
}

/// A mean with its interval, if the games say more than the range of the numbers.
fn mean(of: Option<&MeanEstimate>, write: impl Fn(f64) -> String) -> Markup {
    of.map_or(NONE.to_owned(), |of| {
        let whole = of.interval.low.is_none_or(|low| low <= of.range.0)
            && of.interval.high.is_none_or(|high| high >= of.range.1);
        match whole {
            true => write(of.mean),
            false => format!("{} {}", write(of.mean), number::interval(&of.interval, &write)),
        }
    })
    .render()
}

/// The player, and the conventions where they differ from those of the first row.
fn name(games: &GamesBalance, all: &[GamesBalance]) -> Markup {
    let usual = all.first().is_none_or(|first| first.rules == games.rules);
    html! {
        span {
            (games.player)
            @if !usual { (BREAK) small { (games.rules) } }
        }
    }
}

fn ends(all: &[GamesBalance]) -> Markup {
    let headings = ["player", "games", "first player's score", "won", "drawn", "truncated"];
    let rows = all.iter().map(|games| {
        vec![
            name(games, all),
            number::count(games.games).render(),
            share(games.score.as_ref()),
            share(games.won.as_ref()),
            share(games.drawn.as_ref()),
            share(games.truncated.as_ref()),
        ]
    });
    table_of("numbers", &headings, rows)
}

/// How long games are, and how they turn, if any of them has searches.
fn course(all: &[GamesBalance]) -> Markup {
    let searched = all.iter().any(|games| games.lead_changes.is_some());
    let mut headings = vec!["player", "mean plies", "10th percentile, median, 90th"];
    if searched {
        headings.extend(["changes of the lead", "comebacks", "settled after"]);
    }
    let rows = all.iter().map(|games| {
        let lengths = games.plies_percentiles;
        let lengths = lengths.map_or(NONE.to_owned(), |plies| plies.map(|plies| plies.to_string()).join(", "));
        let mut row = vec![
            name(games, all),
            mean(games.plies.as_ref(), number::whole_number),
            lengths.render(),
        ];
        if searched {
            row.extend([
                mean(games.lead_changes.as_ref(), |changes| number::decimal(changes, 2)),
                share(games.comebacks.as_ref()),
                share(games.settled_share.as_ref()),
            ]);
        }
        row
    });
    table_of("numbers", &headings, rows)
}

fn pie(pie: &PieRule) -> Markup {
    let name = |of: &PieMove| of.texts.join(" or ");
    let candidates: Vec<String> = pie.moves.iter().filter(|of| of.may_be_most_even).map(name).collect();
    let all = pie.moves.len();
    let which = match &candidates[..] {
        [only] => format!("It is {only}."),
        several if several.len() <= NAMED => {
            format!("It is one of {} of {all}: {}.", several.len(), several.join(", "))
        }
        several => format!("It is one of {} of {all}.", several.len()),
    };
    let rows = pie.moves.iter().take(SHOWN).map(|of| IntervalRow {
        name: name(of),
        value: Some(of.score.mean),
        interval: Some(of.score.interval),
        text: number::percent(of.score.mean),
    });
    let plot = Exhibit::from(IntervalPlot {
        title: format!("The {} most even first moves of {all}", SHOWN.min(all)),
        note: format!(
            "Score of the player who makes the move, mean over both mirror images and over the players of the whole study. The \
             intervals of all {all} hold together at {}.",
            number::percent(pie.level)
        ),
        axis: "score of the first player".into(),
        quantity: Quantity::Percent,
        reference: Some(0.5),
        rows: rows.collect(),
    });
    html! {
        p {
            "Under the pie rule the second player chooses a side after the first move, so that the best first move is the "
            "most even one. Its score is " (number::interval(&pie.least, |share| number::decimal(100.0 * share, 1)))
            " points off 50 %, at " (number::percent(pie.level)) ". " (which) " A move and its mirror image count as one."
        }
        div.cards.small { (exhibit(&plot)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::tests::world::estimate;
    use chase_statistics::Interval;

    fn of(mean: f64, low: f64, high: f64) -> MeanEstimate {
        estimate(mean, Some(low), Some(high))
    }

    fn shown(balance: &Balance) -> String {
        section(balance).into_string()
    }

    #[test]
    fn what_is_known_is_shown_and_nothing_else() {
        let games = |player: &str, rules: &str| GamesBalance {
            player: player.to_owned(),
            rules: rules.to_owned(),
            games: 100,
            score: Some(of(0.55, 0.45, 0.65)),
            won: None,
            drawn: None,
            truncated: None,
            plies: None,
            plies_percentiles: Some([30, 50, 90]),
            lead_changes: None,
            comebacks: None,
            settled_share: None,
        };
        let mut balance = Balance {
            games: vec![games("one", "usual"), games("two", "others")],
            pie: None,
        };
        let page = shown(&balance);
        assert!(page.contains("55.0\u{202f}% [45.0, 65.0]"), "{page}");
        assert!(page.contains("30, 50, 90"), "{page}");
        // Conventions are named where they differ, and columns without a number are left out.
        assert!(
            !page.contains("<small>usual") && page.contains("<small>others"),
            "{page}"
        );
        assert!(
            !page.contains(">comebacks</th>") && !page.contains("The pie rule"),
            "{page}"
        );
        balance.games[0].comebacks = Some(of(0.25, 0.2, 0.3));
        balance.games[0].lead_changes = Some(of(1.5, 1.0, 2.0));
        balance.pie = Some(PieRule {
            least: Interval {
                low: Some(0.01),
                high: Some(0.05),
            },
            level: 0.95,
            moves: vec![PieMove {
                actions: ["1A4A3", "1A6A7"].map(String::from),
                texts: ["1A4A3", "1A6A7"].map(String::from),
                score: of(0.48, 0.45, 0.49),
                distance: Interval {
                    low: Some(0.01),
                    high: Some(0.05),
                },
                may_be_most_even: true,
            }],
        });
        let page = shown(&balance);
        assert!(
            page.contains("1.50 [1.00, 2.00]") && page.contains("25.0\u{202f}% [20.0, 30.0]"),
            "{page}"
        );
        assert!(
            page.contains(">comebacks</th>")
                && page.contains("[1.0, 5.0] points off 50 %, at 95.0\u{202f}%. It is 1A4A3 or 1A6A7."),
            "{page}"
        );
    }
}
