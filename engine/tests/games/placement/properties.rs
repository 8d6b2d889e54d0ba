//! Properties of whole games.

use std::collections::HashMap;

use chase_engine::placement::moves23::{self, Moves23Position};
use chase_engine::placement::{Board, Cell, Direction, Hexagon, Placement, Position, Rules};
use chase_engine::{Game, Moves23, Player, conformance, seed};
use rand::RngExt;

use super::for_each_game;

#[test]
fn all_games_conform() {
    fn check<P: Position>() {
        let plies = conformance::check::<Placement<P>>(&Rules::default(), 12, 1000, 7);
        assert!(plies > 900, "{}: only {plies} plies", P::NAME);
    }
    for_each_game!(check);
}

#[test]
fn what_is_kept_up_to_date_is_what_a_text_says() {
    fn check<P: Position>() {
        let mut keys = HashMap::new();
        for number in 0..6 {
            let mut rng = seed::named("games", &[number]);
            let mut game = Placement::<P>::new(&Rules::default());
            let mut actions = Vec::new();
            while game.outcome().is_none() {
                game.legal_actions(&mut actions);
                let position = game.position();
                assert_eq!(
                    position.count_actions() as usize,
                    actions.len(),
                    "{} {position}",
                    P::NAME
                );
                let again: P = position.to_string().parse().unwrap();
                assert_eq!((&again, again.key()), (position, position.key()), "{}", P::NAME);
                let text = keys.entry(position.key()).or_insert_with(|| position.to_string());
                assert_eq!(*text, position.to_string(), "{}: one key", P::NAME);
                game.apply(actions[rng.random_range(0..actions.len())]);
            }
        }
        assert!(keys.len() > 400, "{}", P::NAME);
    }
    for_each_game!(check);
}

#[test]
fn cells_have_places_of_their_own_in_a_plane() {
    fn check<P: Position>() {
        let side = P::Board::ROWS;
        let mut places: Vec<_> = Cell::<P::Board>::all().map(Cell::plane_index).collect();
        assert_eq!(places.len(), P::Board::CELLS);
        places.sort_unstable();
        assert!(places.iter().all(|&place| place < side * side));
        places.dedup();
        assert_eq!(places.len(), P::Board::CELLS, "{}", P::NAME);
        assert_eq!(Cell::<P::Board>::new(usize::MAX, usize::MAX), None);
        assert_eq!(Cell::<P::Board>::new(0, usize::MAX), None);
    }
    for_each_game!(check);
    // The neighbours are where the hexagonal kernels of a network look.
    let steps = [(0, 1), (0, -1), (-1, 1), (1, -1), (-1, 0), (1, 0)];
    for (direction, (up, right)) in Direction::ALL.into_iter().zip(steps) {
        for cell in Cell::<Hexagon<6>>::all() {
            let Some(next) = cell.next(direction) else { continue };
            let place = cell.plane_index() as isize + 11 * up + right;
            assert_eq!(next.plane_index() as isize, place, "{direction:?} of {cell}");
        }
    }
}

#[test]
fn a_stone_is_legal_where_others_can_complete_the_turn() {
    let (mut decided, mut actions) = (0, Vec::new());
    for number in 0..40 {
        let mut rng = seed::named("complete", &[number]);
        let mut game = Moves23::new(&Rules::default());
        while game.outcome().is_none() {
            decided += check_completion(game.position());
            game.legal_actions(&mut actions);
            game.apply(actions[rng.random_range(0..actions.len())]);
        }
    }
    assert!(
        decided > 20,
        "{decided} stones would leave a turn that cannot be completed"
    );
}

/// Compares the legal stones with those after which two loops find the rest of the turn. Returns how many they exclude.
fn check_completion(position: &Moves23Position) -> u32 {
    let placed: Vec<_> = position.placed().collect();
    let is_after_line_move = placed.is_empty() && position.stones_left() == 1;
    let apart = |one: moves23::Cell, other: moves23::Cell| one != other && one.direction_to(other).is_none();
    let free: Vec<_> = Cell::all()
        .filter(|&cell| position.stones().owner(cell).is_none())
        .filter(|&cell| placed.iter().all(|&other| apart(cell, other)))
        .collect();
    if is_after_line_move || free.len() > 20 {
        return 0;
    }
    let mut excluded = 0;
    for &cell in &free {
        let rest = || free.iter().filter(|&&one| apart(cell, one));
        let expected = match position.stones_left() {
            1 => true,
            2 => rest().next().is_some(),
            _ => rest().any(|&one| rest().any(|&other| apart(one, other))),
        };
        excluded += u32::from(!expected);
        assert_eq!(
            position.is_legal(moves23::Action::Place(cell)),
            expected,
            "{position} {cell}"
        );
    }
    excluded
}

#[test]
fn an_illegal_action_is_not_played() {
    fn check<P: Position>() {
        let mut rng = seed::named("illegal", &[]);
        let mut position = P::initial();
        let mut seen = Vec::new();
        while position.end().is_none() {
            let legal = position.legal_actions();
            seen.extend(legal.iter().take(3).copied());
            for &action in &seen {
                assert_eq!(
                    position.play(action).is_some(),
                    legal.contains(&action),
                    "{position} {action:?}"
                );
                assert_eq!(
                    position.is_legal(action),
                    legal.contains(&action),
                    "{position} {action:?}"
                );
            }
            position = position.play(legal[rng.random_range(0..legal.len())]).unwrap();
        }
        assert!(seen.iter().all(|&action| !position.is_legal(action)), "{position}");
        assert_eq!(Player::White as usize, 0, "o is the first player");
    }
    for_each_game!(check);
}
