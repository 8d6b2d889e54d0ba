//! The openings of a generation as a table: one row for each position that a first action leads to.

use anyhow::anyhow;
use chase_engine::{Game, GameName, with_game};
use chase_training::openings::{OpeningLine, OpeningStatistics, Tally};
use serde::Serialize;

use super::score::Score;

/// Games from which on the value of a move, a mean over them, is put into the foreground.
pub const OFTEN: u64 = 5;

/// The openings of some games.
#[derive(Clone, Debug, Serialize)]
pub struct OpeningTable {
    /// The generation whose network played.
    pub generation: u64,
    /// `measurement`, or `selfplay` where there were no measurement games.
    pub purpose: String,
    /// All games.
    pub games: u64,
    /// First moves, the best for the first player first, those without a value last.
    pub moves: Vec<OpeningRow>,
}

/// One or more actions that lead to the same position, and what came of them.
#[derive(Clone, Debug, Serialize)]
pub struct OpeningRow {
    /// The first of the actions as people write it; the middle of a long chain of bumps is left out.
    pub text: String,
    /// The actions in exact form.
    pub actions: Vec<String>,
    /// Results of the games.
    pub tally: Tally,
    /// Share of these games among those that came to the position before.
    pub share: f64,
    /// Points of the first player in these games.
    pub first_player: Option<Score>,
    /// Plies of a game, mean.
    pub mean_plies: Option<f64>,
    /// The network's probability, that of all the actions together.
    pub prior: Option<f64>,
    /// Share of the search's visits, that of all the actions together.
    pub visits: Option<f64>,
    /// Expected score of the first player, from 0 to 1, as searches behind it say; mean over its games.
    pub value: Option<f64>,
    /// Replies that were played, the most frequent first.
    pub replies: Vec<Self>,
}

/// The result of an action, and the action as people write it.
struct Named {
    result: String,
    text: String,
}

impl OpeningTable {
    /// From the statistics of a game; one whose rules are not known here keeps every action apart.
    ///
    /// # Errors
    /// If an action is not one of the game.
    pub fn new(game: &str, openings: &OpeningStatistics) -> anyhow::Result<Self> {
        let first = lines(game, openings, 1)?;
        let second = lines(game, openings, 2)?;
        let mut moves: Vec<OpeningRow> = grouped(&first)
            .map(|group| {
                let mut opening = OpeningRow::first(&group, openings);
                let games = opening.tally.games;
                // A reply's figures are means over searches of the position before it, one a game of that action.
                let before = |action: &str| {
                    let lines = group.iter().map(|(_, line)| line);
                    let same = lines.filter(|line| line.actions.first().is_some_and(|first| first == action));
                    same.map(|line| line.tally.games as f64).sum::<f64>()
                };
                let replies: Vec<&(Named, &OpeningLine)> = second
                    .iter()
                    .filter(|(_, line)| opening.actions.contains(&line.actions[0]))
                    .collect();
                let mut replies: Vec<OpeningRow> = grouped(replies)
                    .map(|group| OpeningRow::new(&group, &|line| before(&line.actions[0]), games as f64, games))
                    .collect();
                replies.retain(|reply| reply.tally.games > 0);
                replies.sort_by_key(|reply| std::cmp::Reverse(reply.tally.games));
                opening.replies = replies;
                opening
            })
            .collect();
        // Stable: what has no value stays in the order of legal actions.
        moves.sort_by(|one, other| other.value.unwrap_or(-1.0).total_cmp(&one.value.unwrap_or(-1.0)));
        Ok(Self {
            generation: openings.generation,
            purpose: openings.purpose.clone(),
            games: openings.total.games,
            moves,
        })
    }

    /// The first moves alone, in the order of legal actions and without replies.
    ///
    /// # Errors
    /// If an action is not one of the game.
    pub(crate) fn first_moves(game: &str, openings: &OpeningStatistics) -> anyhow::Result<Vec<OpeningRow>> {
        let first = lines(game, openings, 1)?;
        Ok(grouped(&first)
            .map(|group| OpeningRow::first(&group, openings))
            .collect())
    }

    /// Moves with a value, from the best to the worst: those that were played often enough to be spoken of, or all if
    /// these are less than two.
    pub fn ranked(&self) -> Vec<&OpeningRow> {
        let valued = || self.moves.iter().filter(|opening| opening.value.is_some());
        let often: Vec<&OpeningRow> = valued().filter(|opening| opening.tally.games >= OFTEN).collect();
        if often.len() < 2 { valued().collect() } else { often }
    }

    /// True if the searches counted visits, and had probabilities of a network.
    pub fn has_visits(&self) -> bool {
        self.moves
            .iter()
            .any(|opening| opening.visits.is_some() || opening.prior.is_some())
    }

    /// Lowest and highest value of a first move; `None` without values.
    pub fn values(&self) -> Option<[f64; 2]> {
        let values = self.moves.iter().filter_map(|opening| opening.value);
        values.fold(None, |ends: Option<[f64; 2]>, value| {
            let [low, high] = ends.unwrap_or([value; 2]);
            Some([low.min(value), high.max(value)])
        })
    }
}

/// Names an action after others, or says why it cannot be played.
type Namer = dyn Fn(&[String], &str) -> Result<Named, String>;

/// The lines of so many plies, each with its name; in a game that is not in the registry every action is its own result.
fn lines<'a>(
    game: &str,
    openings: &'a OpeningStatistics,
    plies: usize,
) -> anyhow::Result<Vec<(Named, &'a OpeningLine)>> {
    let apart = |_: &[String], action: &str| {
        Ok(Named {
            result: action.to_owned(),
            text: action.to_owned(),
        })
    };
    let name: Box<Namer> = match game.parse::<GameName>() {
        Ok(name) => with_game!(name, G => Box::new(named::<G>(name))),
        Err(_) => Box::new(apart),
    };
    let lines = openings.lines.iter().filter(|line| line.actions.len() == plies);
    let named = lines.map(|line| {
        let actions = line.actions.split_last();
        let (last, before) = actions.expect("lines have plies");
        let named = name(before, last).map_err(|reason| {
            let (generation, line) = (openings.generation, line.actions.join(" "));
            anyhow!("opening statistics of generation {generation}: the line `{line}` cannot be played: {reason}")
        });
        Ok((named?, line))
    });
    named.collect()
}

/// Lines with the same result, in the order of their first.
fn grouped<'a, 'b: 'a>(
    lines: impl IntoIterator<Item = &'a (Named, &'b OpeningLine)>,
) -> impl Iterator<Item = Vec<&'a (Named, &'b OpeningLine)>> {
    let mut groups: Vec<Vec<&(Named, &OpeningLine)>> = Vec::new();
    for line in lines {
        match groups.iter_mut().find(|group| group[0].0.result == line.0.result) {
            Some(group) => group.push(line),
            None => groups.push(vec![line]),
        }
    }
    groups.into_iter()
}

impl OpeningRow {
    /// A first move.
    fn first(group: &[&(Named, &OpeningLine)], openings: &OpeningStatistics) -> Self {
        Self::new(group, &|_| 1.0, 1.0, openings.total.games)
    }

    /// `weight` of a line's search figures among those of `whole`; `games` that came to the position before.
    fn new(group: &[&(Named, &OpeningLine)], weight: &dyn Fn(&OpeningLine) -> f64, whole: f64, games: u64) -> Self {
        let lines = || group.iter().map(|(_, line)| *line);
        let mut tally = Tally::default();
        lines().for_each(|line| tally += line.tally);
        let summed = |figure: &dyn Fn(&OpeningLine) -> Option<f64>| {
            let parts = lines().filter_map(|line| Some(figure(line)? * weight(line)));
            parts.fold(None, |sum: Option<f64>, part| Some(sum.unwrap_or(0.0) + part / whole))
        };
        let mean = |figure: &dyn Fn(&OpeningLine) -> Option<f64>| {
            let parts = lines().filter_map(|line| Some((figure(line)?, line.tally.games as f64)));
            let [sum, count] = parts.fold([0.0; 2], |[sum, count], (figure, games)| {
                [sum + games * figure, count + games]
            });
            (count > 0.0).then(|| sum / count)
        };
        Self {
            text: group[0].0.text.clone(),
            actions: lines().filter_map(|line| line.actions.last().cloned()).collect(),
            tally,
            share: tally.games as f64 / games.max(1) as f64,
            first_player: Score::of_first_player(&tally),
            mean_plies: mean(&|line| line.mean_plies),
            prior: summed(&|line| line.prior),
            visits: summed(&|line| line.visits),
            value: mean(&|line| line.value),
            replies: Vec::new(),
        }
    }
}

/// Plays actions from the initial position.
fn named<G: Game>(name: GameName) -> impl Fn(&[String], &str) -> Result<Named, String> {
    let rules = name.rules::<G>();
    move |before, action| {
        let mut game = G::new(&rules);
        for action in before {
            let action = game.parse_action(action).map_err(|error| error.to_string())?;
            game.apply(action);
        }
        let action = game.parse_action(action).map_err(|error| error.to_string())?;
        let text = shortened(game.people_text(action));
        game.apply(action);
        Ok(Named {
            result: game.position_text(),
            text,
        })
    }
}

/// Without the middle of a long chain.
fn shortened(text: String) -> String {
    let steps: Vec<&str> = text.split('/').collect();
    match steps[..] {
        [first, _, _, .., last] => format!("{first}/…/{last}"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use serde_json::{Value, json};

    use super::*;

    fn line(actions: &str, games: u64, plies: f64, prior: f64, value: Option<f64>) -> Value {
        let actions: Vec<&str> = actions.split(' ').collect();
        json!({
            "actions": actions, "tally": won(games), "share": 0.0, "mean_plies": (games > 0).then_some(plies),
            "prior": prior, "visits": prior, "value": value
        })
    }

    fn won(games: u64) -> Value {
        json!({"games": games, "white": games, "black": 0, "draws": 0, "truncated": 0})
    }

    /// A1E and A9E both push the whole row around.
    #[test]
    fn actions_to_the_same_position_are_one_opening_with_means_by_games() {
        let openings = json!({
            "game": "chase", "generation": 1, "purpose": "measurement", "model": "gen-000001", "total": won(10),
            "random_openings": won(0), "mean_plies": 28.0, "end_reasons": {},
            "lines": [
                line("A1E", 3, 20.0, 0.2, Some(0.6)),
                line("A9E", 1, 40.0, 0.1, Some(0.2)),
                line("A1NE", 6, 30.0, 0.4, Some(0.4)),
                line("A2NE", 0, 0.0, 0.3, None),
                line("A1E I1SE", 2, 20.0, 0.9, Some(0.7)),
                line("A9E I1SE", 1, 40.0, 0.5, Some(0.1)),
                line("A1E I1SW", 1, 20.0, 0.1, Some(0.3)),
                line("A9E I1SW", 0, 0.0, 0.5, None)
            ]
        });
        let table = OpeningTable::new("chase", &serde_json::from_value(openings).unwrap()).unwrap();
        let texts: Vec<&str> = table.moves.iter().map(|opening| opening.text.as_str()).collect();
        assert_eq!(texts, ["A1A2/…/A9A1", "A1B2", "A2C3"]);
        let near = |found: Option<f64>, expected: f64| assert!((found.unwrap() - expected).abs() < 1e-12, "{found:?}");
        let row = &table.moves[0];
        assert_eq!(
            (row.actions.join(" ").as_str(), row.tally.games, row.share),
            ("A1E A9E", 4, 0.4)
        );
        near(row.value, (3.0 * 0.6 + 0.2) / 4.0);
        near(row.mean_plies, (3.0 * 20.0 + 40.0) / 4.0);
        near(row.prior, 0.2 + 0.1);
        // The reply's prior is a mean over the games that came to the position, by whichever action.
        let [reply, other] = &row.replies[..] else {
            panic!("{:?}", row.replies)
        };
        assert_eq!((reply.tally.games, reply.share, other.tally.games), (3, 0.75, 1));
        near(reply.value, (2.0 * 0.7 + 0.1) / 3.0);
        near(reply.prior, (3.0 * 0.9 + 0.5) / 4.0);
        near(other.prior, (3.0 * 0.1 + 0.5) / 4.0);
        near(table.values().map(|[low, high]| high - low), 0.1);
        // Of the moves with a value, those of five games and more are less than two: all are ranked.
        assert_eq!(table.ranked().len(), 2);
        assert_eq!(table.moves[2].first_player, None);
    }
}
