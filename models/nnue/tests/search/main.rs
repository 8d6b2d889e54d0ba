//! The search against plain minimax, against proofs, and against itself.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use chase_engine::alpha_beta::{
    AlphaBeta, ByGame, Evaluator, Found, Limits, MAX_DEPTH, Pruning, Request, Settings, WIN,
};
use chase_engine::chase::{Action, Position, Rules, Seen};
use chase_engine::{Chase, Game, Instructions, Outcome, Player, SparseView};
use chase_nnue::{LOGIT, LineEvaluator, Network, Weights};
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// A judgement that tells most positions apart, so that a wrong value shows.
fn network() -> Network {
    let mut weights = Weights::random(Seen::INPUTS, 32, &mut Xoshiro256PlusPlus::seed_from_u64(8));
    weights.output *= 3.0;
    Network::quantise(&weights).unwrap()
}

/// Games in the middle of random play, with few dice in some of them.
fn games(seed: u64, count: usize, plies: u32) -> Vec<Chase> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut game = Chase::new(&Rules::default());
        let mut actions = Vec::new();
        while game.outcome().is_none() && game.plies() < plies {
            game.legal_actions(&mut actions);
            game.apply(*actions.choose(&mut rng).unwrap());
        }
        if game.outcome().is_none() {
            found.push(game);
        }
    }
    found
}

/// The value of a game for `player` after all lines of `depth` plies: on whole games, without any of the search's code.
fn minimax(game: &Chase, depth: u32, ply: i32, player: Player, judge: &mut dyn Evaluator<Chase>) -> i32 {
    let judged = |judge: &mut dyn Evaluator<Chase>| {
        judge.begin(game);
        let value = judge.value(game);
        if game.to_move() == player { value } else { -value }
    };
    match game.outcome() {
        Some(Outcome::Win(winner)) if winner == player => return WIN - ply,
        Some(Outcome::Win(_)) => return ply - WIN,
        Some(Outcome::Draw) => return 0,
        Some(Outcome::Truncated) => return judged(judge),
        None if depth == 0 => return judged(judge),
        None => {}
    }
    let mut actions = Vec::new();
    game.legal_actions(&mut actions);
    let values = actions.into_iter().map(|action| {
        let mut next = game.clone();
        next.apply(action);
        minimax(&next, depth - 1, ply + 1, player, judge)
    });
    if game.to_move() == player {
        values.max().unwrap()
    } else {
        values.min().unwrap()
    }
}

/// The settings of a search with these shortcuts.
fn with(pruning: Pruning) -> Settings {
    Settings {
        pruning,
        table_mib: 4,
        ..Settings::STRONG
    }
}

fn search(evaluator: impl Evaluator<Chase>, pruning: Pruning, game: &Chase, limits: Limits) -> Found<Action> {
    AlphaBeta::new(evaluator, with(pruning)).best(game, &limits)
}

/// The value of dice alone: a die more is worth a logit.
fn dice(game: &Chase) -> i32 {
    LOGIT * game.position().lead(game.to_move())
}

/// Without pruning, but with windows and ordering, the value is that of minimax: in the middle of games, near the ends
/// of games with few dice, near a repetition and near the limit of quiet turns.
#[test]
fn without_pruning_the_value_is_that_of_minimax() {
    let network = network();
    let mut positions = games(1, 3, 60);
    positions.extend(games(2, 5, 150));
    for position in [
        // Few dice: captures that end the game.
        "9/1f7/9/4E4/3f5/2f6/9/9/4FFFB1 w 0 1",
        "9/9/2fF5/9/1f2F4/9/3FfD3/f8/2f6 w 97 200",
    ] {
        if let Ok(game) = Chase::from_position_text(position, &Rules::default()) {
            positions.push(game);
        }
    }
    let mut repeated = Chase::new(&Rules::default());
    for text in ["1A2A1", "1I2I1", "1A1A2", "1I1I2", "1A2A1", "1I2I1", "1A1A2"] {
        repeated.apply(repeated.parse_action(text).unwrap());
    }
    positions.push(repeated);
    let mut ends = 0;
    for (number, game) in positions.iter().enumerate() {
        for depth in 1..=if number % 4 == 3 { 3 } else { 2 } {
            let mut judge = LineEvaluator::new(&network, Instructions::best());
            let expected = minimax(game, depth, 0, game.to_move(), &mut judge);
            let found = search(
                LineEvaluator::new(&network, Instructions::best()),
                Pruning::NONE,
                game,
                Limits::depth(depth),
            );
            // A proven end stops the search at the depth that found it.
            assert_eq!(
                found.value,
                expected,
                "game {number}, depth {depth}: {}",
                game.position()
            );
            ends += u32::from(expected.abs() > WIN / 2);
        }
    }
    assert!(ends > 0, "no game ends within the horizon");
}

/// A result of a shallower search does not decide: with results from the table, the value is that of minimax too. (At depth 3
/// hardly a position is met at two depths, so that a deeper result changes nothing here.)
#[test]
fn results_of_shallower_searches_do_not_decide() {
    let network = network();
    let results = Pruning {
        results: true,
        ..Pruning::NONE
    };
    let mut nodes = [0; 2];
    for game in games(13, 20, 60) {
        let [plain, stored] = [Pruning::NONE, results].map(|pruning| {
            let evaluator = LineEvaluator::new(&network, Instructions::best());
            search(evaluator, pruning, &game, Limits::depth(3))
        });
        assert_eq!(stored.value, plain.value, "{}", game.position());
        nodes[0] += plain.nodes;
        nodes[1] += stored.nodes;
    }
    assert!(nodes[1] < nodes[0], "no result was used: {nodes:?}");
}

/// With bonuses at the root, the action with the largest sum of minimax value and bonus is chosen, and has its own
/// value.
#[test]
fn bonuses_change_the_choice_and_not_the_value() {
    let network = network();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(12);
    let mut changed = 0;
    for game in games(7, 12, 60) {
        let player = game.to_move();
        let mut judge = LineEvaluator::new(&network, Instructions::best());
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        let values: Vec<i32> = actions
            .iter()
            .map(|&action| {
                let mut next = game.clone();
                next.apply(action);
                minimax(&next, 1, 1, player, &mut judge)
            })
            .collect();
        for size in [0, 300, 3000] {
            let bonuses: Vec<i32> = actions.iter().map(|_| rng.random_range(-size..=size)).collect();
            let of = |action: Action| actions.iter().position(|&other| other == action).unwrap();
            let found_with = |pruning| {
                let mut bonus = |action| bonuses[of(action)];
                let request = Request::new(Limits::depth(2)).with_bonus(&mut bonus);
                let mut searcher = AlphaBeta::new(LineEvaluator::new(&network, Instructions::best()), with(pruning));
                searcher.search(&game, request, &mut |_| {}).swap_remove(0)
            };
            let found = found_with(Pruning::NONE);
            let best = values
                .iter()
                .zip(&bonuses)
                .map(|(value, bonus)| value + bonus)
                .max()
                .unwrap();
            let chosen = of(found.action);
            assert_eq!(values[chosen] + bonuses[chosen], best, "{}", game.position());
            assert_eq!(found.value, values[chosen]);
            changed += u32::from(values[chosen] < *values.iter().max().unwrap());
            // Pruning takes nothing from the sums but what it takes from values.
            let pruned = Pruning {
                aspiration: true,
                results: true,
                ..Pruning::NONE
            };
            let again = found_with(pruned);
            assert_eq!((again.action, again.value), (found.action, found.value));
        }
    }
    assert!(changed > 12, "{changed}");
}

/// Each of the best actions has the value that minimax gives it, and the best one comes first.
#[test]
fn several_lines_are_the_best_actions_with_their_own_values() {
    let network = network();
    let searcher = |pruning| AlphaBeta::new(LineEvaluator::new(&network, Instructions::best()), with(pruning));
    for game in games(8, 6, 60) {
        let player = game.to_move();
        let mut judge = LineEvaluator::new(&network, Instructions::best());
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        let value = |action: Action, judge: &mut dyn Evaluator<Chase>| {
            let mut next = game.clone();
            next.apply(action);
            minimax(&next, 1, 1, player, judge)
        };
        let mut expected: Vec<i32> = actions.iter().map(|&action| value(action, &mut judge)).collect();
        expected.sort_by_key(|&value| std::cmp::Reverse(value));
        for count in [1, 4, usize::MAX] {
            let mut depths = Vec::new();
            let mut watch = |lines: &[Found<Action>]| depths.push(lines[0].depth);
            let request = Request::new(Limits::depth(2)).lines(count);
            let lines = searcher(Pruning::NONE).search(&game, request, &mut watch);
            assert_eq!(depths, [1, 2]);
            let values: Vec<i32> = lines.iter().map(|found| found.value).collect();
            assert_eq!(values, expected[..count.min(actions.len())], "{}", game.position());
            for (number, found) in lines.iter().enumerate() {
                assert_eq!(value(found.action, &mut judge), found.value);
                assert_eq!((found.line[0], found.depth), (found.action, 2));
                assert!(lines[..number].iter().all(|other| other.action != found.action));
            }
        }
        // One line is what a search for one action finds, and limits end a search of several without losing any.
        let limits = Limits::nodes(20_000);
        let lines = |count| searcher(Pruning::ALL).search(&game, Request::new(limits).lines(count), &mut |_| {});
        let one = lines(1);
        assert_eq!(one, [searcher(Pruning::ALL).best(&game, &limits)]);
        let several = lines(5);
        assert_eq!(several.len(), actions.len().min(5));
        assert!(several.is_sorted_by_key(|found| std::cmp::Reverse(found.value)));
        assert!(
            several
                .iter()
                .all(|found| found.depth == several[0].depth && found.depth <= one[0].depth)
        );
    }
}

/// A narrow window at the root that does not hold is widened until it does: values are those of the full window.
#[test]
fn aspiration_does_not_change_values() {
    let network = network();
    let mut missed = 0;
    for game in games(9, 16, 170) {
        let values = |pruning| {
            let mut values = Vec::new();
            let evaluator = LineEvaluator::new(&network, Instructions::best());
            let mut watch = |found: &[Found<Action>]| values.push(found[0].value);
            AlphaBeta::new(evaluator, with(pruning)).search(&game, Request::new(Limits::depth(4)), &mut watch);
            values
        };
        let plain = values(Pruning::NONE);
        let aspiration = Pruning {
            aspiration: true,
            ..Pruning::NONE
        };
        assert_eq!(values(aspiration), plain, "{}", game.position());
        // From depth 4 on the window reaches 250 to both sides of the value before.
        missed += plain
            .windows(2)
            .skip(2)
            .filter(|pair| (pair[0] - pair[1]).abs() >= 250)
            .count();
    }
    assert!(missed > 3, "{missed}");
}

/// The value of a position for its player to move if both sides only make actions that gain something, or stop; who
/// must absorb has no choice. `left` is the number of plies that may follow, `nodes` that of positions that may be looked at.
fn settled(game: &Chase, ply: i32, left: u32, nodes: &mut u32, judge: &mut dyn Evaluator<Chase>) -> i32 {
    judge.begin(game);
    let judged = judge.value(game);
    let position = game.position();
    *nodes = nodes.saturating_sub(1);
    if left == 0 || *nodes == 0 {
        return judged;
    }
    let mut values = Vec::new();
    if position.missing() == 0 {
        values.push(judged);
    }
    position.for_each_action(|action| {
        if position.missing() == 0 && position.gain(action) <= 0 {
            return;
        }
        let mut next = game.clone();
        next.apply(action);
        let own = next.to_move() == position.to_move();
        let value = match next.outcome() {
            Some(Outcome::Win(winner)) if winner == next.to_move() => WIN - (ply + 1),
            Some(Outcome::Win(_)) => ply + 1 - WIN,
            Some(Outcome::Draw) => 0,
            Some(Outcome::Truncated) => {
                judge.begin(&next);
                judge.value(&next)
            }
            None => settled(&next, ply + 1, left - 1, nodes, judge),
        };
        values.push(if own { value } else { -value });
    });
    values.into_iter().max().unwrap()
}

/// The value below the horizon, without windows and without an order.
#[test]
fn quiescence_is_the_best_of_stopping_and_gaining() {
    let network = network();
    let quiescence = Pruning {
        quiescence: true,
        ..Pruning::NONE
    };
    let (mut compared, mut changed) = (0, 0);
    for game in games(10, 40, 150) {
        let mut nodes = 20_000;
        let mut judge = LineEvaluator::new(&network, Instructions::best());
        let mut expected = HashMap::new();
        game.position().for_each_action(|action| {
            let mut next = game.clone();
            next.apply(action);
            let own = next.to_move() == game.to_move();
            let value = match next.outcome() {
                Some(_) => minimax(&next, 0, 1, next.to_move(), &mut judge),
                None => settled(&next, 1, 16, &mut nodes, &mut judge),
            };
            expected.insert(action, if own { value } else { -value });
        });
        if nodes == 0 {
            // Too much for a search without windows.
            continue;
        }
        let values = |pruning| {
            let mut searcher = AlphaBeta::new(LineEvaluator::new(&network, Instructions::best()), with(pruning));
            let request = Request::new(Limits::depth(1)).lines(usize::MAX);
            let lines = searcher.search(&game, request, &mut |_| {});
            lines
                .into_iter()
                .map(|found| (found.action, found.value))
                .collect::<HashMap<_, _>>()
        };
        assert_eq!(values(quiescence), expected, "{}", game.position());
        let plain = values(Pruning::NONE);
        compared += expected.len();
        changed += expected
            .iter()
            .filter(|&(action, value)| plain[action] != *value)
            .count();
    }
    assert!(compared > 500 && changed > 50, "{compared} {changed}");
}

/// Wins that the rules force within three plies are found with all pruning on, and those at the next ply with their
/// distance.
#[test]
fn pruning_does_not_hide_near_wins() {
    let (mut at_once, mut later) = (0, 0);
    for game in games(3, 400, 170) {
        let depth = |plies| search(ByGame(dice), Pruning::NONE, &game, Limits::depth(plies)).value;
        let exact = depth(3);
        if exact < WIN / 2 {
            continue;
        }
        let found = search(ByGame(dice), Pruning::ALL, &game, Limits::depth(6)).value;
        if exact == WIN - 1 {
            assert_eq!(found, exact, "{}", game.position());
            at_once += 1;
        } else {
            assert!(found > WIN / 2, "{found}, expected {exact}: {}", game.position());
            later += 1;
        }
    }
    assert!(at_once >= 5 && later >= 5, "{at_once} {later}");
}

/// A choice of dice to absorb does not count as a ply.
#[test]
fn extensions_look_through_absorptions() {
    fn extended(game: &Chase, depth: u32, ply: i32, player: Player, judge: &mut dyn Evaluator<Chase>) -> i32 {
        if game.outcome().is_some() || depth == 0 {
            return minimax(game, 0, ply, player, judge);
        }
        let mut values = Vec::new();
        game.position().for_each_action(|action| {
            let mut next = game.clone();
            next.apply(action);
            let free = next.to_move() == game.to_move();
            values.push(extended(&next, depth - u32::from(!free), ply + 1, player, judge));
        });
        let best = if game.to_move() == player {
            values.into_iter().max()
        } else {
            values.into_iter().min()
        };
        best.unwrap()
    }
    let network = network();
    let extensions = Pruning {
        extensions: true,
        ..Pruning::NONE
    };
    let mut changed = 0;
    for game in games(11, 40, 150) {
        let mut judge = LineEvaluator::new(&network, Instructions::best());
        let value = |pruning| {
            let judge = LineEvaluator::new(&network, Instructions::best());
            search(judge, pruning, &game, Limits::depth(2)).value
        };
        let expected = extended(&game, 2, 0, game.to_move(), &mut judge);
        assert_eq!(value(extensions), expected, "{}", game.position());
        changed += u32::from(value(Pruning::NONE) != expected);
    }
    assert!(changed > 0, "{changed}");
}

/// The line is legal, begins with the action, and its length does not exceed what was searched without extensions.
#[test]
fn lines_are_legal() {
    let network = network();
    for game in games(4, 10, 80) {
        let found = search(
            LineEvaluator::new(&network, Instructions::best()),
            Pruning::ALL,
            &game,
            Limits::depth(5),
        );
        assert_eq!(found.line[0], found.action);
        let mut next = game.clone();
        for &action in &found.line {
            assert!(next.is_legal(action), "{:?} in {}", found.line, game.position());
            next.apply(action);
        }
    }
}

/// The same search gives the same result, also after another one, and with every set of vector instructions.
#[test]
fn searches_leave_nothing_behind() {
    let network = network();
    let limits = Limits::nodes(3000);
    let [first, other] = [0, 1].map(|number| games(5, 2, 50)[number].clone());
    let mut searcher = AlphaBeta::new(LineEvaluator::new(&network, Instructions::best()), with(Pruning::ALL));
    let mut think = |game: &Chase| searcher.best(game, &limits);
    let once = think(&first);
    think(&other);
    assert_eq!(think(&first), once);
    assert!(once.nodes > 1000 && once.depth < MAX_DEPTH);
    let portable = search(
        LineEvaluator::new(&network, Instructions::PORTABLE),
        Pruning::ALL,
        &first,
        limits,
    );
    assert_eq!(portable, once);
}

/// Turning the board and swapping the players changes nothing but the names of actions.
#[test]
fn both_players_think_alike() {
    let network = network();
    for game in games(6, 10, 70) {
        let position: Position = *game.position();
        let [one, turned] = [position, position.rotated()].map(|position| {
            let game = Chase::from_position(position, Rules::default());
            // At depth 1 the order of actions does not matter to the value.
            search(
                LineEvaluator::new(&network, Instructions::best()),
                Pruning::NONE,
                &game,
                Limits::depth(3),
            )
            .value
        });
        assert_eq!(one, turned, "{position}");
    }
}

#[test]
fn a_stopped_search_has_an_action() {
    let game = Chase::new(&Rules::default());
    let stop = AtomicBool::new(true);
    let request = Request::new(Limits::default()).stopped_by(&stop);
    let found = AlphaBeta::new(ByGame(dice), Settings::STRONG).search(&game, request, &mut |_| {});
    assert!(game.is_legal(found[0].action) && found[0].depth >= 1);
}
