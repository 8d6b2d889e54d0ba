//! Connect Four, whose truth a solver knows, presented as Chase: its columns stand for first moves, and the first
//! move's advantage and the best first move are tested as they are in a study.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;

use chase_engine::connect_four::Solver;
use chase_engine::{ConnectFour, Game, Outcome, Player, seed};
use chase_statistics::{Best, BestComparison, MeanMethod, Verdict};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::tell;
use crate::claims::method::games::{GamesAnalysis, Pool, SCORE};
use crate::claims::method::world::played_by;
use crate::evidence::games::{Design, GameFacts, GamesConfig, Series, SeriesId};
use crate::evidence::score::score;
use crate::first_moves;

/// A position that the player to move wins with a stone in the centre and with no other.
const WON: &str = "7 4 3 1 1 3 3 2 2 4 3 3";
/// Index of the centre column.
const CENTRE: usize = 3;
const COLUMNS: usize = 7;
/// Blocks: one game after each first move, and [`FREE`] games without a forced one.
const BLOCKS: usize = 128;
const FREE: usize = 4;

fn position(line: &str) -> ConnectFour {
    let mut game = ConnectFour::new(&());
    for column in line.split(' ') {
        game.apply(game.parse_action(column).unwrap());
    }
    game
}

/// Plays from a position to the end: both sides choose among the best actions, and blunder in a quarter of their plies.
/// Returns the first column, and the score of the player to move at the beginning.
fn play(
    mut game: ConnectFour,
    first: Option<u8>,
    solver: &mut Solver,
    rng: &mut Xoshiro256PlusPlus,
) -> (usize, GameFacts) {
    let mover = game.to_move();
    let begin = game.plies();
    let mut column = first;
    let mut actions = Vec::new();
    while game.outcome().is_none() {
        if rng.random::<f64>() < 0.25 {
            game.legal_actions(&mut actions);
        } else {
            actions = solver.optimal_actions(&game);
        }
        let chosen = actions[rng.random_range(0..actions.len())];
        let action = first.filter(|_| game.plies() == begin).unwrap_or(chosen);
        column.get_or_insert(action);
        game.apply(action);
    }
    // The player to move stands for White in Chase.
    let outcome = match game.outcome().unwrap() {
        Outcome::Win(winner) if winner == mover => Outcome::Win(Player::White),
        Outcome::Win(_) => Outcome::Win(Player::Black),
        other => other,
    };
    let column = usize::from(column.unwrap());
    let facts = GameFacts {
        score: score(outcome),
        outcome,
        plies: game.plies(),
        first_capture: None,
        early_losses: [0; 2],
        early_threats: None,
        first_chamber: None,
        fives: Vec::new(),
        line: vec![first_moves()[column].action().to_string()],
        lead: None,
    };
    (column, facts)
}

/// A study of one player with the games of another game.
struct Study {
    design: Design,
    series: Vec<Series>,
    facts: HashMap<SeriesId, Vec<GameFacts>>,
}

impl Study {
    /// The games of one study from a position, each with its own randomness.
    fn of(start: ConnectFour, number: u64) -> Self {
        let config = GamesConfig {
            most: BLOCKS as u32,
            initial_factor: FREE as u32,
            replies: false,
            ..GamesConfig::default()
        };
        let design = played_by("greedy:blunders=0.25", config);
        let mut solver = Solver::default();
        let mut games = |series: u64, first: Option<u8>, count: usize| -> Vec<GameFacts> {
            let game = |game| {
                let place = [number, u64::from(start.plies()), series, game as u64];
                let mut rng = seed::named("control: Connect Four", &place);
                play(start, first, &mut solver, &mut rng).1
            };
            (0..count).map(game).collect()
        };
        let mut facts = HashMap::from([(SeriesId::free(0), games(COLUMNS as u64, None, FREE * BLOCKS))]);
        for (column, first) in (0..COLUMNS).zip(first_moves()) {
            let series = SeriesId::first(0, first.action());
            facts.insert(series, games(column as u64, Some(column as u8), BLOCKS));
        }
        let series = design.series();
        Self { design, series, facts }
    }

    /// The same games with colours assigned by a fair coin each: no one has the first move, and no first move is
    /// better.
    fn exchange_colours(&mut self, number: u64) {
        let mut series: Vec<_> = self.facts.iter_mut().collect();
        series.sort_by_key(|(id, _)| id.to_string());
        let mut coin = seed::named("control: Connect Four, colours exchanged", &[number]);
        for game in series.into_iter().flat_map(|(_, games)| games) {
            if coin.random::<bool>() {
                game.score = game.score.map(|score| 1.0 - score);
            }
        }
    }

    /// The verdict on the first player's advantage.
    fn advantage(&self) -> (Verdict, String) {
        let analysis = GamesAnalysis::new(&self.design, &self.series, &self.facts, "");
        let finding = analysis.advantage(&Pool::all(&self.design)).remove(0).finding;
        (finding.verdict, finding.summary)
    }

    /// Comparison of the columns with the best of them.
    fn best(&self) -> BestComparison {
        let config = &self.design.config;
        let scores = first_moves().into_iter().take(COLUMNS).map(|first| {
            let games = &self.facts[&SeriesId::first(0, first.action())];
            games.iter().map(SCORE.measure).collect()
        });
        let scores: Vec<Vec<Option<f64>>> = scores.collect();
        let best = Best::new(MeanMethod::Betting, SCORE.range, config.error, config.most.into());
        best.compare(&scores).unwrap()
    }
}

#[test]
fn what_the_solver_knows_of_the_first_move_comes_out() {
    let won = position(WON);
    let mut solver = Solver::default();
    assert_eq!(
        (solver.value(&won), solver.optimal_actions(&won)),
        (1, vec![CENTRE as u8])
    );
    let study = Study::of(won, 0);
    let (verdict, told) = study.advantage();
    assert_eq!(verdict, Verdict::Supported, "{told}");
    let best = study.best();
    assert_eq!(best.possible(), [CENTRE], "{best:?}");
    assert_eq!(best.near(0.02).most, 1);

    // After the stone in the centre the player to move has lost, whatever the move.
    let lost = position(&format!("{WON} {}", CENTRE + 1));
    assert_eq!(solver.value(&lost), -1);
    let (verdict, told) = Study::of(lost, 0).advantage();
    assert_eq!(verdict, Verdict::Refuted, "{told}");
}

/// Stated beforehand: of twenty worlds in which all first moves are equally good, no more than 5 % and three standard
/// errors (4) find an advantage, or exclude the centre from the best moves. (Of equal moves each is a best one, and
/// each is excluded as rarely.)
#[test]
fn where_nobody_moves_first_no_first_move_is_better() {
    let mut wrong = 0;
    let mut study = Study::of(position(WON), 1);
    for world in 0..20 {
        study.exchange_colours(world);
        let best = study.best();
        wrong += u32::from(study.advantage().0 == Verdict::Supported || !best.possible().contains(&CENTRE));
    }
    assert!(wrong <= 4, "{wrong}");
}

/// The full form: the frequency of true verdicts.
#[test]
#[ignore = "prints a table of study 0021, in a minute"]
fn tables() {
    let studies = 100;
    let lines = [
        ("won by the stone in the centre alone", WON.to_owned()),
        ("lost", format!("{WON} 4")),
    ]
    .map(|(name, line)| {
        let told = (0..studies).map(|number| {
            let study = Study::of(position(&line), number);
            (study.advantage().0, study.best().possible())
        });
        (name, told.collect::<Vec<_>>())
    });
    let mut even = Study::of(position(WON), studies);
    let told = (0..studies).map(|number| {
        even.exchange_colours(number);
        (even.advantage().0, even.best().possible())
    });
    let even = ("colours exchanged", told.collect::<Vec<_>>());
    tell(format_args!(
        "| position | supported | refuted | centre alone can be best | centre cannot | all can |"
    ));
    for (name, told) in lines.iter().chain([&even]) {
        type Told = (Verdict, Vec<usize>);
        let count = |of: fn(&Told) -> bool| told.iter().filter(|told| of(told)).count();
        tell(format_args!(
            "| {name} | {} | {} | {} | {} | {} |",
            count(|told| told.0 == Verdict::Supported),
            count(|told| told.0 == Verdict::Refuted),
            count(|told| told.1 == [CENTRE]),
            count(|told| !told.1.contains(&CENTRE)),
            count(|told| told.1.len() == COLUMNS)
        ));
    }
}
