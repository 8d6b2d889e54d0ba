//! Positions whose answers are proved, and players that are asked about them.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use chase_arena::PlayerSpec;
use chase_arena::solved::{ForcedResult, SolvedPosition, Trial, solve};
use chase_models::device::Device;

fn trial(player: &str, positions: &[SolvedPosition]) -> Trial {
    let player = player.parse::<PlayerSpec>().unwrap().contestant(Device::Cpu).unwrap();
    let asked = AtomicUsize::new(0);
    let count = |more| {
        asked.fetch_add(more, Ordering::Relaxed);
    };
    let trial = Trial::of(&player, positions, 1, &AtomicBool::new(false), &count).unwrap();
    assert_eq!(asked.into_inner(), positions.len());
    trial.expect("nothing stops it")
}

/// Every sixth position of the reference set is solved again: the same is forced, by the same actions and no others.
#[test]
fn the_reference_set_is_what_the_search_finds() {
    let positions = SolvedPosition::reference();
    let games: BTreeSet<&str> = positions
        .iter()
        .filter_map(|position| position.source.rsplit_once(", ply"))
        .map(|(game, _)| game)
        .collect();
    assert_eq!((positions.len(), games.len()), (300, 300));
    for forced in ForcedResult::ALL {
        assert_eq!(
            positions.iter().filter(|position| position.forced == forced).count(),
            60
        );
    }
    for position in positions.iter().step_by(6) {
        let again = solve(&position.position.parse().unwrap(), 300_000, &position.source);
        assert_eq!(again.as_ref(), Some(position));
    }
}

/// Stated before: random play solves what chance does, to three standard errors of 300 positions (8 points); alpha-beta
/// that looks one ply ahead sees every win at once; and more depth never solves clearly less.
#[test]
fn who_looks_ahead_solves_more() {
    let positions = SolvedPosition::reference();
    let random = trial("random", &positions);
    assert!((random.all.solved.share - random.all.chance).abs() < 0.08, "{random:?}");
    let [one, two] = ["alpha-beta:depth=1", "alpha-beta:depth=2"].map(|player| trial(player, &positions));
    assert_eq!(one.kinds[0].part.solved.optimal, 60, "{one:?}");
    assert!(one.all.solved.share > random.all.solved.share + 0.2, "{one:?}");
    assert!(two.all.solved.share > one.all.solved.share - 0.05, "{two:?}");
    // The same seed asks the same, on any number of threads.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(pool.install(|| trial("random", &positions)), random);
}

#[test]
fn what_is_no_solved_position_is_refused_by_line() {
    let position = &SolvedPosition::reference()[0];
    let told = |position: &SolvedPosition| {
        let text = format!("\n{}\n", serde_json::to_string(position).unwrap());
        SolvedPosition::read(&text).unwrap_err().to_string()
    };
    let with = |change: fn(&mut SolvedPosition)| {
        let mut position = position.clone();
        change(&mut position);
        told(&position)
    };
    let wrong = with(|position| position.position = "nonsense".to_owned());
    assert!(wrong.starts_with("line 2: position `nonsense`: "), "{wrong}");
    let wrong = with(|position| position.solutions.push("A1NE2".to_owned()));
    assert!(wrong.contains("solution `A1NE2`"), "{wrong}");
    let wrong = with(|position| position.solutions.clear());
    assert!(wrong.contains("0 solutions, expected at least 1"), "{wrong}");
    let wrong = with(|position| position.legal += 1);
    assert!(wrong.contains("`legal` is "), "{wrong}");
    assert!(
        SolvedPosition::read("{}")
            .unwrap_err()
            .to_string()
            .starts_with("line 1: missing field")
    );
    let player = "random".parse::<PlayerSpec>().unwrap().contestant(Device::Cpu).unwrap();
    let stopped = Trial::of(
        &player,
        std::slice::from_ref(position),
        1,
        &AtomicBool::new(true),
        &|_| (),
    );
    assert!(stopped.unwrap().is_none());
}
