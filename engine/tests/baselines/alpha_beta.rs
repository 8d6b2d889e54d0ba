//! Alpha–beta against plain minimax, which is written here in the simplest way.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use chase_engine::alpha_beta::{
    AlphaBeta, ByGame, ByHeuristic, Evaluator, Found, Limits, Pruning, Request, Settings, WIN,
};
use chase_engine::chase::Rules;
use chase_engine::draughts::{self, Symmetry, Variation};
use chase_engine::{Chase, ConnectFour, Draughts, Game, Heuristic, Outcome, Player, seed};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

fn generator(seed: u64, place: &[u64]) -> Xoshiro256PlusPlus {
    seed::named("experiment", &[&[seed], place].concat())
}

/// The value of a game for `player` by looking at every line of `depth` plies.
fn minimax<G: Game>(game: &G, player: Player, depth: u32, ply: i32, judge: fn(&G, Player) -> i32) -> i32 {
    match game.outcome() {
        Some(Outcome::Win(winner)) if winner == player => return WIN - ply,
        Some(Outcome::Win(_)) => return ply - WIN,
        Some(Outcome::Draw) => return 0,
        Some(Outcome::Truncated) => return judge(game, player),
        None if depth == 0 => return judge(game, player),
        None => {}
    }
    let mut actions = Vec::new();
    game.legal_actions(&mut actions);
    let values = actions.into_iter().map(|action| {
        let mut next = game.clone();
        next.apply(action);
        minimax(&next, player, depth - 1, ply + 1, judge)
    });
    if game.to_move() == player {
        values.max().unwrap()
    } else {
        values.min().unwrap()
    }
}

/// A game after some random plies, not over.
fn random_game<G: Game>(rules: &G::Rules, plies: u32, rng: &mut Xoshiro256PlusPlus) -> G {
    let mut actions = Vec::new();
    loop {
        let mut game = G::start(rules, rng);
        for _ in 0..plies {
            game.legal_actions(&mut actions);
            if actions.is_empty() {
                break;
            }
            game.apply(actions[rng.random_range(0..actions.len())]);
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}

/// The value that a search finds if it ends at its horizon.
fn blunt<G: Game>(evaluator: impl Evaluator<G>, game: &G, depth: u32) -> Found<G::Action> {
    let settings = Settings {
        pruning: Pruning {
            results: true,
            ..Pruning::NONE
        },
        table_mib: 1,
        ..Settings::PLAIN
    };
    AlphaBeta::new(evaluator, settings).best(game, &Limits::depth(depth))
}

/// The usual search in Chase.
fn plain() -> AlphaBeta<Chase, ByHeuristic> {
    AlphaBeta::new(ByHeuristic, Settings::PLAIN)
}

fn check_against_minimax<G: Game>(game: &G, depth: u32, evaluator: impl Evaluator<G>, judge: fn(&G, Player) -> i32) {
    let player = game.to_move();
    let found = blunt(evaluator, game, depth);
    let value = minimax(game, player, depth, 0, judge);
    let text = game.position_text();
    assert_eq!(found.value, value, "depth {depth}: {text}");
    let mut next = game.clone();
    next.apply(found.action);
    let after = minimax(&next, player, depth - 1, 1, judge);
    assert_eq!(after, value, "depth {depth}: {:?} in {text}", found.action);
}

#[test]
fn fixed_depth_equals_minimax_in_chase() {
    let mut ends = 0;
    for number in 0..60 {
        let mut rng = generator(11, &[number]);
        let mut games = std::iter::repeat_with(|| {
            let plies = rng.random_range(0..200);
            random_game::<Chase>(&Rules::default(), plies, &mut rng)
        });
        // Choices of the die that absorbs are rare among random plies: every fourth position is one.
        let game = games.find(|game| !number.is_multiple_of(4) || game.position().missing() > 0);
        let game = game.expect("random games have no end");
        ends += u32::from(minimax(&game, game.to_move(), 2, 0, Chase::heuristic).abs() > WIN / 2);
        check_against_minimax(&game, 1 + (number % 3) as u32, ByHeuristic, Chase::heuristic);
    }
    assert!(ends > 0, "no game ended within the horizon");
}

#[test]
fn fixed_depth_equals_minimax_under_tight_conventions() {
    // Draws and truncation within the horizon, and repetitions of the second occurrence.
    let limit = |n| std::num::NonZeroU32::new(n);
    for number in 0..60 {
        let mut rng = generator(12, &[number]);
        let plies = rng.random_range(4..40);
        let rules = Rules {
            repetition: limit(2),
            quiet_turns: limit(50),
            max_turns: limit(plies + 2),
        };
        let game = random_game::<Chase>(&rules, plies, &mut rng);
        check_against_minimax(&game, 1 + (number % 3) as u32, ByHeuristic, Chase::heuristic);
        let rules = Rules {
            quiet_turns: limit(4),
            max_turns: None,
            ..rules
        };
        let game = Chase::from_position(*game.position(), rules);
        if game.outcome().is_none() {
            check_against_minimax(&game, 3, ByHeuristic, Chase::heuristic);
        }
    }
}

/// The same player continues within a turn of several jumps, and prisoners come back.
#[test]
fn fixed_depth_equals_minimax_in_draughts() {
    fn check(game: Variation) -> u32 {
        let mut ends = 0;
        for number in 0..40 {
            let mut rng = generator(13, &[number]);
            let plies = rng.random_range(0..160);
            let game = random_game::<Draughts>(&draughts::Rules::standard(game), plies, &mut rng);
            check_against_minimax(&game, 1 + (number % 4) as u32, ByHeuristic, Draughts::heuristic);
            ends += u32::from(minimax(&game, game.to_move(), 3, 0, Draughts::heuristic).abs() > WIN / 2);
        }
        ends
    }
    let ends = check(Variation::Checkers) + check(Variation::StaxUni) + check(Variation::QueensNum);
    assert!(ends > 0, "no game ended within the horizon");
}

#[test]
fn draughts_heuristics_know_gains_and_see_both_sides_alike() {
    let queens = draughts::Rules::standard(Variation::Queens);
    let judge = |text: &str| {
        let game = Draughts::from_position_text(text, &Draughts::published_rules(&queens)).unwrap();
        game.heuristic(Player::White)
    };
    // Twelve single men each, then two of Light's that lie under one of Dark's.
    let start = Draughts::new(&queens);
    assert_eq!(start.heuristic(Player::White), 0);
    let caught = "m1m1m1m1/1m1m1m1m/m1m5/8/8/M1(Mmm)1M1M1/1M1M1M1M/M1M1M1M1 l -";
    assert!(judge(caught) > 150, "{}", judge(caught));
    for number in 0..30 {
        let mut rng = generator(14, &[number]);
        let game = random_game::<Draughts>(&queens, 10 + number as u32, &mut rng);
        let [dark, light] = Player::BOTH.map(|player| game.heuristic(player));
        assert_eq!(dark, -light, "{}", game.position_text());
        let symmetries = Symmetry::all(Variation::Queens);
        assert!(symmetries.len() > 1);
        for symmetry in symmetries {
            let seen = Draughts::from_position(game.position().under(symmetry), *game.rules());
            assert_eq!(
                seen.heuristic(seen.to_move()),
                game.heuristic(game.to_move()),
                "{symmetry:?} of {}",
                game.position_text()
            );
        }
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        for action in actions {
            let gain = game.gain(action);
            assert_eq!(gain >= 100, action.jump, "{action:?} in {}", game.position_text());
        }
    }
}

#[test]
fn endgames_of_connect_four_are_solved() {
    let mut values = [0; 3];
    for number in 0..150 {
        let mut rng = generator(13, &[number]);
        let game = random_game::<ConnectFour>(&(), 33, &mut rng);
        let depth = 42 - game.plies();
        check_against_minimax(&game, depth, ByGame(|_: &ConnectFour| 0), |_, _| 0);
        let value = minimax(&game, game.to_move(), depth, 0, |_, _| 0);
        values[(value.signum() + 1) as usize] += 1;
    }
    assert!(values.iter().all(|&count| count > 5), "losses, draws, wins: {values:?}");
}

fn chase(text: &str) -> Chase {
    Chase::from_position_text(text, &Rules::default()).unwrap()
}

#[test]
fn wins_at_once_when_the_fifth_die_can_be_taken() {
    let game = chase("e1e1e1e1e/4A4/9/9/9/9/9/9/F1F1F1F2 w 0 1");
    for depth in 1..=3 {
        let found = plain().best(&game, &Limits::depth(depth));
        let mut next = game.clone();
        next.apply(found.action);
        assert_eq!(next.outcome(), Some(Outcome::Win(Player::White)), "depth {depth}");
        assert_eq!((found.value, found.depth), (WIN - 1, 1));
    }
}

#[test]
fn quiescence_equals_minimax_over_gains() {
    let (mut compared, mut differs) = (0, 0);
    for number in 0..200 {
        let mut rng = generator(14, &[number]);
        let game: Chase = random_game(&Rules::default(), 30 + number as u32, &mut rng);
        // Lines of captures can be many without cut-offs: positions that need more are left out.
        let mut budget = 20_000;
        let Some(value) = over_gains(&game, game.to_move(), 1, 0, 16, &mut budget) else {
            continue;
        };
        let found = plain().best(&game, &Limits::depth(1));
        assert_eq!(found.value, value, "{}", game.position_text());
        let at_once = blunt(ByHeuristic, &game, 1);
        compared += 1;
        differs += u32::from(at_once.value != found.value);
    }
    assert!(compared > 50 && differs > 25, "{differs} of {compared}");
}

/// The value of a game by looking at every line of `depth` plies, and then at every line of actions that gain
/// something, which either side may leave; `None` if these are more than `budget` positions.
fn over_gains(game: &Chase, player: Player, depth: u32, ply: u32, left: u32, budget: &mut u32) -> Option<i32> {
    *budget = budget.checked_sub(1)?;
    match game.outcome() {
        Some(Outcome::Win(winner)) if winner == player => return Some(WIN - ply as i32),
        Some(Outcome::Win(_)) => return Some(ply as i32 - WIN),
        Some(Outcome::Draw) => return Some(0),
        Some(Outcome::Truncated) => return Some(game.heuristic(player)),
        None => {}
    }
    let stand = game.heuristic(player);
    let quiet = depth == 0 && !game.is_unsettled();
    if depth == 0 && left == 0 {
        return Some(stand);
    }
    let mut actions = Vec::new();
    game.legal_actions(&mut actions);
    actions.retain(|&action| !quiet || game.gain(action) > 0);
    let left = if depth == 0 { left - 1 } else { left };
    let mut values: Vec<_> = quiet.then_some(stand).into_iter().collect();
    for action in actions {
        let mut next = game.clone();
        next.apply(action);
        values.push(over_gains(
            &next,
            player,
            depth.saturating_sub(1),
            ply + 1,
            left,
            budget,
        )?);
    }
    if game.to_move() == player {
        values.into_iter().max()
    } else {
        values.into_iter().min()
    }
}

#[test]
fn a_fixed_depth_is_deterministic_and_limits_hold() {
    let mut rng = generator(15, &[]);
    let game: Chase = random_game(&Rules::default(), 40, &mut rng);
    let mut search = plain();
    let limits = Limits::depth(3);
    let mut shuffled = |game: &Chase, seed| search.best(game, Request::new(limits).shuffled(&mut generator(seed, &[])));
    let first = shuffled(&game, 2);
    // What was searched in between must not matter.
    let other: Chase = random_game(&Rules::default(), 41, &mut rng);
    shuffled(&other, 3);
    assert_eq!(shuffled(&game, 2), first);
    for nodes in [1, 100, 5000] {
        let found = plain().best(&game, &Limits::nodes(nodes));
        // One ply is searched whatever it takes; at most the node that shows the limit is visited beyond it.
        assert!(found.nodes <= nodes.max(2000) + 1 && found.depth >= 1, "{found:?}");
        assert!(game.is_legal(found.action));
    }
}
