//! Standings: the evaluation of a tournament's games.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};

use chase_engine::Player;
use chase_report::number;
use serde::{Deserialize, Serialize};

use super::entrant::Entrant;
use super::openings::OpeningSpec;
use super::results::TournamentResults;
use crate::players::PlayerSpec;
use chase_statistics::{
    Bootstrap, BradleyTerry, CrossTable, Cycle, Interval, PairCounts, PairedResults, RatingError, RatingEstimate,
    ScoreEstimate, SprtDecision, Standing, WinDrawLoss, cycles, elo_from_score,
};

/// Ratings, tables, and reservations about them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Standings {
    /// Games played.
    pub games: u64,
    /// Games of the whole schedule.
    pub of: u64,
    /// Name of the player whose rating is 0.
    pub anchor: String,
    /// The players, strongest first.
    pub players: Vec<PlayerStanding>,
    /// The matches with games, in the order of the schedule.
    pub matches: Vec<MatchStanding>,
    /// Results by the player who was White.
    pub table: CrossTable,
    /// The sequential test.
    pub sprt: Option<SprtStanding>,
    /// Games by White's result; White moves first.
    pub white: WinDrawLoss,
    /// White's score, with the pairs as units; `None` if no pair has a result.
    pub white_score: Option<ScoreEstimate>,
    /// The advantage of the first move, fitted jointly with the ratings.
    pub first_move: Option<RatingEstimate>,
    /// The same by the bootstrap; `None` without one, or if all pairs are alike.
    pub first_move_bootstrap: Option<Interval>,
    /// The draw parameter of the fit: see [`BradleyTerry::draw`].
    pub draw_parameter: Option<f64>,
    /// Number of tables resampled for the bootstrap intervals.
    pub bootstrap: u32,
    /// Players who clearly beat each other in a cycle.
    pub cycles: Vec<Cycle>,
    /// Beginnings of the games, most frequent first.
    pub openings: Vec<OpeningScore>,
    /// True if `openings` are whole openings, false if they are first actions.
    pub whole_openings: bool,
    /// Groups of players that differ only in the simulations of their search.
    pub simulations: Vec<SimulationSeries>,
    /// Mean number of plies of a game; `None` without games.
    pub mean_plies: Option<f64>,
    /// Number of games by end reason.
    pub end_reasons: BTreeMap<String, u64>,
    /// Games with the same actions as another one of the same match and colours. They are counted, though they are not
    /// independent evidence.
    pub repeated_games: u64,
    /// Reservations about the numbers, as text.
    pub notes: Vec<String>,
}

/// A player.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlayerStanding {
    /// Name.
    pub name: String,
    /// The player with this name, as text.
    pub player: String,
    /// All its games.
    pub games: WinDrawLoss,
    /// Its rating in Elo above the anchor.
    pub rating: Standing,
    /// The bootstrap's interval of the rating; `None` without a bootstrap.
    pub bootstrap: Option<Interval>,
}

/// The match of two players.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MatchStanding {
    /// Names of the players.
    pub players: [String; 2],
    /// Games by the first player's result.
    pub games: WinDrawLoss,
    /// Pairs by the first player's results.
    pub pairs: PairCounts,
    /// The first player's score and Elo difference, with the pairs as units; `None` if no pair has a result.
    pub score: Option<ScoreEstimate>,
    /// The first player's expected score by the joint ratings, from 0 to 1; `None` unless both have a rating.
    pub expected: Option<f64>,
}

/// A sequential test.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SprtStanding {
    /// The hypotheses, as text.
    pub question: String,
    /// The log-likelihood ratio: positive if the pairs support the higher hypothesis.
    pub log_likelihood_ratio: f64,
    /// Bound at which the lower hypothesis is accepted.
    pub lower: f64,
    /// Bound at which the higher hypothesis is accepted.
    pub upper: f64,
    /// The decision.
    pub verdict: SprtDecision,
}

/// Results of games with the same beginning.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OpeningScore {
    /// The actions, in exact form, separated by blanks.
    pub actions: String,
    /// Results for White.
    pub games: WinDrawLoss,
    /// Games that `score` is of.
    pub scored: u64,
    /// White's score; `None` if no game has a result. The units are pairs where both games of each pair begin alike, and
    /// else games, assumed independent.
    pub score: Option<ScoreEstimate>,
}

/// A group of players that differ only in the simulations of their search.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SimulationSeries {
    /// Their common settings.
    pub player: String,
    /// Simulations and name of each, by ascending simulations.
    pub players: Vec<(u32, String)>,
}

impl Standings {
    /// The standings of the games so far, with bootstrap intervals from this many tables; 0 for none.
    pub fn new(results: &TournamentResults, bootstrap: u32) -> Self {
        let matches = paired(results);
        let mut table = CrossTable::default();
        for paired in &matches {
            table.add_pairs(
                paired.players.each_ref().map(String::as_str),
                paired.pairs.iter().copied(),
            );
        }
        let ratings = BradleyTerry::fit(&table, &results.anchor);
        let resampled = match bootstrap {
            0 => None,
            tables => Bootstrap::new(&matches, &results.anchor, tables, results.seed).ok(),
        };
        let mut notes = Vec::new();
        let players = players(results, &table, &ratings, resampled.as_ref());
        rating_notes(&players, &ratings, &results.anchor, &mut notes);
        notes.extend(better_anchor(&players, &table, &results.anchor));
        let ratings = ratings.ok();
        let matches: Vec<MatchStanding> = matches
            .into_iter()
            .filter(|paired| !paired.pairs.is_empty())
            .map(|paired| MatchStanding::new(paired, ratings.as_ref()))
            .collect();
        let mut players = players;
        if let ([_, _], [one]) = (&players[..], &matches[..]) {
            players.iter_mut().for_each(|player| player.bound_by(one));
        }
        let scored = matches.iter().filter_map(|one| {
            let players = one.players.each_ref().map(String::as_str);
            Some((players, one.score.as_ref()?))
        });
        let sprt = results
            .sprt()
            .map(|(sprt, log_likelihood_ratio, verdict)| SprtStanding {
                question: sprt.question(),
                log_likelihood_ratio,
                lower: sprt.bounds().0,
                upper: sprt.bounds().1,
                verdict,
            });
        if sprt.as_ref().is_some_and(|sprt| sprt.verdict != SprtDecision::Continue) {
            notes.push(
                "The sequential test stopped it: scores and ratings lean towards its decision, and their intervals are those of \
                 a match of fixed length."
                    .to_owned(),
            );
        }
        let games = Games::new(results);
        games.notes(results, &mut notes);
        Self {
            games: results.games(),
            of: results.schedule.games(),
            anchor: results.anchor.clone(),
            cycles: cycles(scored),
            players,
            matches,
            table,
            sprt,
            white: games.white,
            white_score: ScoreEstimate::from_pairs(&games.white_pairs),
            first_move: ratings.as_ref().map(|ratings| ratings.first_move),
            // If all pairs are alike, so are all resampled tables, which then show nothing of chance.
            first_move_bootstrap: resampled
                .as_ref()
                .map(|resampled| resampled.first_move)
                .filter(|interval| interval.half_width() != Some(0.0)),
            draw_parameter: ratings.map(|ratings| ratings.draw),
            bootstrap: resampled.map_or(0, |resampled| resampled.resamples),
            openings: games.openings(),
            whole_openings: has_set_openings(results),
            simulations: simulations(results),
            mean_plies: (results.games() > 0).then(|| games.plies as f64 / results.games() as f64),
            repeated_games: games.repeated,
            end_reasons: games.end_reasons,
            notes,
        }
    }
}

/// True if the openings come from a set, so that they recur.
fn has_set_openings(results: &TournamentResults) -> bool {
    matches!(
        results.openings,
        OpeningSpec::Moves(_) | OpeningSpec::File(_) | OpeningSpec::Balanced(_)
    )
}

/// The pairs of each match, in the order of the schedule.
fn paired(results: &TournamentResults) -> Vec<PairedResults> {
    let pairings = results.schedule.pairings().iter();
    let mut matches: Vec<PairedResults> = pairings
        .map(|&players| PairedResults {
            players: results.names_of(players).map(str::to_owned),
            pairs: Vec::new(),
        })
        .collect();
    for pair in &results.pairs {
        matches[pair.pairing].pairs.push(pair.outcomes());
    }
    matches
}

fn players(
    results: &TournamentResults,
    table: &CrossTable,
    ratings: &Result<BradleyTerry, RatingError>,
    resampled: Option<&Bootstrap>,
) -> Vec<PlayerStanding> {
    let standing = |entrant: &Entrant| {
        let name = entrant.name();
        let mut games = WinDrawLoss::default();
        for pairing in &table.pairings {
            if pairing.white == name {
                games += pairing.games;
            } else if pairing.black == name {
                games += pairing.games.reversed();
            }
        }
        let rating = ratings
            .as_ref()
            .ok()
            .and_then(|ratings| ratings.standing(&name).copied());
        PlayerStanding {
            player: entrant.player().to_string(),
            games,
            rating: rating.unwrap_or(Standing::Unknown),
            // If all pairs are alike, so are all resampled tables, which then show nothing of chance.
            bootstrap: resampled
                .and_then(|resampled| resampled.ratings.get(&name).copied())
                .filter(|interval| interval.half_width() != Some(0.0)),
            name,
        }
    };
    let mut players: Vec<PlayerStanding> = results.players.iter().map(standing).collect();
    // A player from whom the anchor took no point stands above it, even if the games are too few for a bound above 0.
    // Unknown ratings come last.
    let place = |player: &PlayerStanding| match player.rating {
        Standing::Rated(RatingEstimate { elo, .. }) => [elo, 0.0, elo],
        Standing::AtLeast { elo } => [elo.max(0.0), 1.0, elo],
        Standing::AtMost { elo } => [elo.min(0.0), -1.0, elo],
        Standing::Unknown => [f64::NEG_INFINITY; 3],
    };
    players.sort_by(|a, b| {
        let places = place(b).into_iter().zip(place(a));
        places.fold(Ordering::Equal, |order, (b, a)| order.then(b.total_cmp(&a)))
    });
    players
}

fn rating_notes(
    players: &[PlayerStanding],
    ratings: &Result<BradleyTerry, RatingError>,
    anchor: &str,
    notes: &mut Vec<String>,
) {
    if let Err(error) = ratings {
        notes.push(format!("There are no ratings: {error}."));
        return;
    }
    let named = |wanted: fn(&Standing) -> bool| {
        let names = players.iter().filter(|player| wanted(&player.rating));
        let names: Vec<String> = names.map(|player| format!("`{}`", player.name)).collect();
        let pronoun = if names.len() == 1 { "it" } else { "they" };
        (!names.is_empty()).then(|| (names.join(", "), pronoun))
    };
    let through = if players.len() > 2 {
        ", directly or through others"
    } else {
        ""
    };
    if let Some((names, pronoun)) = named(|rating| matches!(rating, Standing::AtLeast { .. })) {
        let them = pronoun.replace("they", "them");
        notes.push(format!(
            "Only a lower bound is known for {names}: `{anchor}` took no point from {them}{through}."
        ));
    }
    if let Some((names, pronoun)) = named(|rating| matches!(rating, Standing::AtMost { .. })) {
        notes.push(format!(
            "Only an upper bound is known for {names}: {pronoun} took no point from `{anchor}`{through}."
        ));
    }
    if let Some((names, _)) = named(|rating| *rating == Standing::Unknown) {
        notes.push(format!(
            "No rating for {names}: no chain of games with a result connects them with `{anchor}`."
        ));
    }
}

/// Advice on an anchor with which more players have ratings.
fn better_anchor(players: &[PlayerStanding], table: &CrossTable, anchor: &str) -> Option<String> {
    let rated = players.iter().filter(|player| player.rating.elo().is_some()).count();
    let group = BradleyTerry::largest_group(table, anchor);
    let better = group.first().filter(|_| players.len() > 2 && group.len() > rated)?;
    let (more, all) = (group.len(), players.len());
    Some(format!(
        "With `{better}` as the anchor {more} of the {all} players have ratings instead of {rated}: resume with --set \
         'anchor={better}', which plays nothing again."
    ))
}

impl PlayerStanding {
    /// With two players only, takes the rating's bound from their match, whose units are pairs, instead of from the joint
    /// fit, which assumes independent games: one of them won all pairs, so it is the bound of Clopper and Pearson (1934).
    fn bound_by(&mut self, one: &MatchStanding) {
        let Some(score) = &one.score else { return };
        // One in forty is the error of 2.5 % of one end of a 95 % interval.
        let Some(bound) = elo_from_score(40_f64.powf(-1.0 / f64::from(score.units))) else {
            return;
        };
        match &mut self.rating {
            Standing::AtLeast { elo } => *elo = bound,
            Standing::AtMost { elo } => *elo = -bound,
            Standing::Rated(_) | Standing::Unknown => {}
        }
    }
}

impl MatchStanding {
    fn new(paired: PairedResults, ratings: Option<&BradleyTerry>) -> Self {
        let (mut games, mut pairs) = (WinDrawLoss::default(), PairCounts::default());
        for &outcomes in &paired.pairs {
            pairs.add_outcomes(outcomes, Player::BOTH);
            for (outcome, player) in outcomes.into_iter().zip(Player::BOTH) {
                games.add(outcome, player);
            }
        }
        let [first, second] = &paired.players;
        Self {
            games,
            pairs,
            score: ScoreEstimate::from_pairs(&pairs),
            expected: ratings.and_then(|ratings| ratings.expected_score(first, second)),
            players: paired.players,
        }
    }
}

/// Results for White of the games with one beginning.
#[derive(Default)]
struct Beginning {
    games: WinDrawLoss,
    /// The pairs both of whose games begin so.
    pairs: PairCounts,
}

impl Beginning {
    fn score(&self, actions: &str) -> OpeningScore {
        let is_of_pairs = 2 * (self.pairs.decided() + self.pairs.truncated) == self.games.played();
        let score = match is_of_pairs {
            true => ScoreEstimate::from_pairs(&self.pairs),
            false => ScoreEstimate::from_games(&self.games),
        };
        let games_a_unit = if is_of_pairs { 2 } else { 1 };
        OpeningScore {
            actions: actions.to_owned(),
            games: self.games,
            scored: score.as_ref().map_or(0, |score| games_a_unit * u64::from(score.units)),
            score,
        }
    }
}

/// Sums over all games.
#[derive(Default)]
struct Games {
    white: WinDrawLoss,
    white_pairs: PairCounts,
    plies: u64,
    end_reasons: BTreeMap<String, u64>,
    beginnings: BTreeMap<String, Beginning>,
    repeated: u64,
}

impl Games {
    fn new(results: &TournamentResults) -> Self {
        let mut sums = Self::default();
        let mut seen = HashSet::new();
        let whole = has_set_openings(results);
        for pair in &results.pairs {
            sums.white_pairs.add_outcomes(pair.outcomes(), [Player::White; 2]);
            let beginnings = pair.games.each_ref().map(|game| match game.beginning.split_once(' ') {
                Some((first, _)) if !whole => first,
                _ => game.beginning.as_str(),
            });
            if beginnings[0] == beginnings[1] {
                let beginning = sums.beginnings.entry(beginnings[0].to_owned()).or_default();
                beginning.pairs.add_outcomes(pair.outcomes(), [Player::White; 2]);
            }
            for (number, game) in pair.games.iter().enumerate() {
                sums.white.add(game.outcome, Player::White);
                sums.plies += u64::from(game.plies);
                *sums.end_reasons.entry(game.reason.clone()).or_default() += 1;
                let beginning = sums.beginnings.entry(beginnings[number].to_owned()).or_default();
                beginning.games.add(game.outcome, Player::White);
                sums.repeated += u64::from(!seen.insert((pair.pairing, number, game.fingerprint)));
            }
        }
        sums
    }

    fn openings(&self) -> Vec<OpeningScore> {
        let beginnings = self.beginnings.iter();
        let mut openings: Vec<OpeningScore> = beginnings
            .map(|(actions, beginning)| beginning.score(actions))
            .collect();
        openings.sort_by_key(|opening| std::cmp::Reverse(opening.games.played()));
        openings
    }

    fn notes(&self, results: &TournamentResults, notes: &mut Vec<String>) {
        let (games, left) = (results.games(), results.schedule.games() - results.games());
        if left > 0 && !results.is_complete() {
            notes.push(format!("Not finished: {left} games are still to be played."));
        }
        if self.white.truncated > 0 {
            let count = self.white.truncated;
            notes.push(format!(
                "{count} of {games} games were stopped by a length limit. They are not draws and enter no estimate. The other \
                 game of a pair with one of them counts in the ratings and in the scores of players and openings, but not in what is \
                 computed from pairs: matches, the first player's score, sequential tests."
            ));
        }
        if self.repeated > 0 {
            let count = self.repeated;
            notes.push(format!(
                "{count} of {games} games repeat another game of the same players to the last action. They add no evidence, and \
                 make all intervals too narrow: play from more openings."
            ));
        }
        let (pairs, lines) = (results.schedule.pairs(), self.beginnings.len());
        if has_set_openings(results) && results.is_complete() && (lines as u64) < u64::from(pairs) {
            notes.push(format!(
                "A match of {pairs} pairs has {}: after the last one the first comes again.",
                number::counted(lines as u64, "opening")
            ));
        }
        if let Some(count) = self.end_reasons.get("forfeit") {
            notes.push(format!(
                "{count} games were forfeited by a player's program; they count as lost."
            ));
        }
        let timed = results
            .players
            .iter()
            .filter(|entrant| !entrant.player().is_deterministic());
        let timed: Vec<String> = timed.map(Entrant::name).collect();
        if !timed.is_empty() {
            notes.push(format!(
                "Not reproducible, since these players are limited by time or are other programs: {}.",
                timed.join(", ")
            ));
        }
    }
}

/// Groups of two or more players that differ in their simulations only.
fn simulations(results: &TournamentResults) -> Vec<SimulationSeries> {
    let mut series: BTreeMap<String, Vec<(u32, String)>> = BTreeMap::new();
    for entrant in &results.players {
        if let Some((player, simulations)) = without_simulations(entrant.player()) {
            series.entry(player).or_default().push((simulations, entrant.name()));
        }
    }
    series.retain(|_, players| players.len() > 1);
    let sorted = |(player, mut players): (String, Vec<(u32, String)>)| {
        players.sort();
        SimulationSeries { player, players }
    };
    series.into_iter().map(sorted).collect()
}

/// A player's text without its simulations, and their number; `None` for a player that is not limited by simulations.
fn without_simulations(player: &PlayerSpec) -> Option<(String, u32)> {
    let spec = player.search().filter(|spec| spec.limits.time.is_none())?;
    let simulations = spec.params()?.simulations;
    let mut rest = spec.clone();
    rest.limits.nodes = None;
    Some((rest.to_string(), simulations))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simulations_are_told_apart_from_the_rest_of_a_player() {
        for (text, expected) in [
            ("rollouts:simulations=20", Some(("rollouts", 20))),
            (
                "rollouts:blunders=0.5,simulations=20,games=3",
                Some(("rollouts:games=3,blunders=0.5", 20)),
            ),
            ("net:x,search=gumbel,simulations=5", Some(("net:x,search=gumbel", 5))),
            ("net:x", Some(("net:x", 200))),
            ("net:x,ms=5", None),
            ("alpha-beta:depth=2", None),
            ("random", None),
        ] {
            let player = text.parse().expect(text);
            let found = without_simulations(&player);
            let found = found.as_ref().map(|(rest, simulations)| (rest.as_str(), *simulations));
            assert_eq!(found, expected, "{text}");
        }
    }
}
