//! Budgets, and being asked to stop.

use std::cell::Cell;

use chase_engine::chase::{DiceAhead, Rules};
use chase_engine::proof::{Budget, ProofVerdict, Prover, Win};
use chase_engine::{Chase, ConnectFour, Game, Player};

/// After a first move, what Black can win within six turns: some ten thousand nodes.
fn question() -> (Chase, DiceAhead) {
    let mut game = Chase::new(&Rules::PUBLISHED);
    game.apply(game.parse_action("A3NW").unwrap());
    let goal = DiceAhead {
        attacker: Player::Black,
        dice: 1,
        turns: 6,
    };
    (game, goal)
}

#[test]
fn a_budget_is_kept_to_the_node() {
    let (game, goal) = question();
    for nodes in [0, 1, 2, 100, 1000] {
        let mut budget = Budget::nodes(nodes);
        let mut prover = Prover::new(goal, 1 << 20);
        assert_eq!(prover.prove(&game, &mut budget), ProofVerdict::Unknown);
        assert_eq!(budget.spent(), nodes);
        assert!(budget.is_over());
        assert!(prover.line(&game, &mut budget).is_empty());
        let actions = prover.actions(&game, &mut budget);
        assert_eq!(actions.len(), game.position().count_actions());
        assert_eq!(budget.spent(), nodes);
    }
}

#[test]
fn a_search_goes_on_from_what_it_remembers() {
    let (game, goal) = question();
    let mut whole = Budget::nodes(1_000_000);
    assert_eq!(
        Prover::new(goal, 1 << 22).prove(&game, &mut whole),
        ProofVerdict::Disproved
    );
    let mut prover = Prover::new(goal, 1 << 22);
    let mut spent = 0;
    let verdict = loop {
        let mut part = Budget::nodes(whole.spent() / 5);
        let verdict = prover.prove(&game, &mut part);
        spent += part.spent();
        if verdict != ProofVerdict::Unknown || spent > 3 * whole.spent() {
            break verdict;
        }
    };
    assert_eq!(
        verdict,
        ProofVerdict::Disproved,
        "{spent} nodes in parts, {} in one go",
        whole.spent()
    );
}

#[test]
fn a_search_stops_when_it_is_asked_to() {
    let (game, goal) = question();
    let asked = Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > 3
    };
    let mut budget = Budget::with_stop(1_000_000, &stop);
    assert_eq!(
        Prover::new(goal, 1 << 20).prove(&game, &mut budget),
        ProofVerdict::Unknown
    );
    assert!(budget.is_over());
    assert!((256..2048).contains(&budget.spent()), "{}", budget.spent());
}

#[test]
fn what_is_decided_takes_no_node() {
    let won = ConnectFour::from_position_text("......./......./......./......./.ooo.../.xxxx.. b", &()).unwrap();
    for (attacker, verdict) in [
        (Player::White, ProofVerdict::Proved),
        (Player::Black, ProofVerdict::Disproved),
    ] {
        let mut prover = Prover::new(Win::of(attacker), 0);
        let mut budget = Budget::nodes(0);
        assert_eq!(prover.prove(&won, &mut budget), verdict);
        assert!(prover.actions(&won, &mut budget).is_empty());
        assert!(prover.line(&won, &mut budget).is_empty());
    }
}
