//! Connect Four, whose truth a solver knows, through the tests of a study.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use chase_engine::ConnectFour;
use chase_engine::connect_four::Solver;
use chase_statistics::Verdict;

use super::tell;
use crate::claims::method::world::played_by;
use crate::controls::{CENTRE, COLUMNS, ConnectFourStudy, lost, won};
use crate::evidence::games::GamesConfig;

/// Blocks: one game after each first move, and [`FREE`] games without a forced one.
const BLOCKS: u32 = 128;
const FREE: u32 = 4;

/// The games of one study from a position.
fn study(start: &ConnectFour, number: u64) -> ConnectFourStudy {
    let config = GamesConfig {
        most: BLOCKS,
        initial_factor: FREE,
        replies: false,
        ..GamesConfig::default()
    };
    let design = played_by("greedy:blunders=0.25", config);
    ConnectFourStudy::of(&design, start, &[number], &mut Solver::default())
}

/// The columns that can be the best, from 0.
fn possible(study: &ConnectFourStudy) -> Vec<usize> {
    study.best().unwrap().possible()
}

#[test]
fn what_the_solver_knows_of_the_first_move_comes_out() {
    let mut solver = Solver::default();
    assert_eq!(
        (solver.value(&won()), solver.optimal_actions(&won())),
        (1, vec![CENTRE])
    );
    let of_won = study(&won(), 0);
    assert_eq!(of_won.advantage(), Verdict::Supported);
    let best = of_won.best().unwrap();
    assert_eq!(best.possible(), [usize::from(CENTRE)], "{best:?}");
    assert_eq!(best.near(0.02).most, 1);

    // After the stone in the centre the player to move has lost, whatever the move.
    assert_eq!(solver.value(&lost()), -1);
    assert_eq!(study(&lost(), 0).advantage(), Verdict::Refuted);
}

/// Stated beforehand: of twenty worlds in which all first moves are equally good, no more than 5 % and three standard
/// errors (4) find an advantage, or exclude the centre from the best moves. (Of equal moves each is a best one, and
/// each is excluded as rarely.)
#[test]
fn where_nobody_moves_first_no_first_move_is_better() {
    let mut wrong = 0;
    let played = study(&won(), 1);
    for world in 0..20 {
        let study = played.with_colours_exchanged(&[world]);
        let excluded = !possible(&study).contains(&usize::from(CENTRE));
        wrong += u32::from(study.advantage() == Verdict::Supported || excluded);
    }
    assert!(wrong <= 4, "{wrong}");
}

/// The full form: the frequency of true verdicts.
#[test]
#[ignore = "prints a table of study 0021, in a minute"]
fn tables() {
    let studies = 100;
    let lines = [("won by the stone in the centre alone", won()), ("lost", lost())].map(|(name, start)| {
        let told = (0..studies).map(|number| {
            let study = study(&start, number);
            (study.advantage(), possible(&study))
        });
        (name, told.collect::<Vec<_>>())
    });
    let even = study(&won(), studies);
    let told = (0..studies).map(|number| {
        let study = even.with_colours_exchanged(&[number]);
        (study.advantage(), possible(&study))
    });
    let even = ("colours exchanged", told.collect::<Vec<_>>());
    let centre = usize::from(CENTRE);
    tell(format_args!(
        "| position | supported | refuted | centre alone can be best | centre cannot | all can |"
    ));
    for (name, told) in lines.iter().chain([&even]) {
        type Told = (Verdict, Vec<usize>);
        let count = |of: &dyn Fn(&Told) -> bool| told.iter().filter(|told| of(told)).count();
        tell(format_args!(
            "| {name} | {} | {} | {} | {} | {} |",
            count(&|told| told.0 == Verdict::Supported),
            count(&|told| told.0 == Verdict::Refuted),
            count(&|told| told.1 == [centre]),
            count(&|told| !told.1.contains(&centre)),
            count(&|told| told.1.len() == COLUMNS)
        ));
    }
}
