//! Properties of whole games.

use chase_engine::placement::{Board, Cell, Direction, Hexagon, Position};
use chase_engine::seed;
use rand::RngExt;

use super::for_each_game;
use crate::data::POSITIONS;

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
fn changed_texts_are_read_or_refused_with_a_place() {
    fn check<P: Position>() {
        let mut rng = seed::named("hostile", &[]);
        let characters: Vec<char> = "ox0123456789/ -+fsmpqabcdz:\u{e4}\u{1f600}\t\u{0}".chars().collect();
        let (mut read, mut refused) = (0, 0);
        for reference in POSITIONS.iter().filter(|reference| reference.game == P::NAME) {
            for _ in 0..200 {
                let mut text: Vec<char> = reference.position.chars().collect();
                for _ in 0..rng.random_range(1..4) {
                    let at = rng.random_range(0..text.len());
                    let new = characters[rng.random_range(0..characters.len())];
                    match rng.random_range(0..3) {
                        0 => text[at] = new,
                        1 => text.insert(at, new),
                        _ => _ = text.remove(at),
                    }
                }
                let text: String = text.into_iter().collect();
                match text.parse::<P>() {
                    Ok(position) => {
                        read += 1;
                        assert_eq!(position.to_string(), text, "there is one way to write a position");
                        let actions = position.legal_actions();
                        assert_eq!(actions.is_empty(), position.end().is_some(), "{text}");
                        for action in actions {
                            let next = position.play(action).unwrap();
                            assert_eq!(next.to_string().parse(), Ok(next), "{text}");
                        }
                    }
                    Err(error) => {
                        refused += 1;
                        assert!(text.get(error.span.clone()).is_some(), "{error:?}");
                        assert!(!error.to_string().is_empty());
                    }
                }
            }
        }
        assert!(read > 100 && refused > 1000, "{} {read} {refused}", P::NAME);
    }
    for_each_game!(check);
}
