//! The effects of a turn on dice, by the rules: dice that it captures, and dice that could be captured.

use chase_engine::chase::{Action, Bitboard, Cell, Position, geometry};

/// The cells of the dice that a move sets down: the target of the moving die, or the cells of the dice that leave the
/// Chamber. Empty for exchanges and absorptions. `after` is the position after the action.
pub fn set_down(before: &Position, action: Action, after: &Position) -> Bitboard {
    let Action::Move { from, direction } = action else {
        return Bitboard::EMPTY;
    };
    let Some(die) = before.die(from) else {
        return Bitboard::EMPTY;
    };
    let path = geometry::path(from, direction, die.speed);
    if path.target != Cell::CHAMBER {
        return Bitboard::from_cell(path.target);
    }
    let [(left, _), (right, _)] = Position::chamber_exits(path.arrival);
    let mover = before.to_move();
    let split = after.dice(mover).count() > before.dice(mover).count();
    let left = Bitboard::from_cell(left);
    if split { left.with(right) } else { left }
}

/// The cells on which an action captured.
pub fn captured(before: &Position, after: &Position) -> Bitboard {
    let victim = !before.to_move();
    before.dice(victim) & !after.dice(victim)
}

/// True if the player to move has a turn that captures a die on one of these cells.
pub fn can_capture(position: &Position, cells: Bitboard) -> bool {
    let mut found = false;
    position.for_each_action(|action| {
        if found {
            return;
        }
        let mut after = *position;
        after.play_unchecked(action);
        found = match action {
            // The same player is still to act.
            Action::Absorb { .. } if after.to_move() == position.to_move() => can_capture(&after, cells),
            _ => captured(position, &after).intersects(cells),
        };
    });
    found
}

/// True if a die could be captured at once, if its owner, who is to move, passed.
pub fn is_attacked(position: &Position, cell: Cell) -> bool {
    let mut setup = position.to_setup();
    setup.to_move = !setup.to_move;
    // Fails while the owner has points to absorb.
    setup
        .validate()
        .is_ok_and(|passed| can_capture(&passed, Bitboard::from_cell(cell)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn play(position: &str, action: &str) -> (Position, Action, Position) {
        let before: Position = position.parse().unwrap();
        let action: Action = action.parse().unwrap();
        (before, action, before.play(action).unwrap())
    }

    fn cells(names: &str) -> Bitboard {
        names
            .split_whitespace()
            .map(|name| name.parse::<Cell>().unwrap())
            .collect()
    }

    #[test]
    fn dice_are_set_down_where_moves_end_and_where_the_chamber_lets_them_out() {
        let initial = Position::initial().to_string();
        let split = "abcdedcba/9/9/9/9/9/9/9/ABCDECDBA w";
        let ten = "abcdedcba/9/9/9/3A5/9/9/9/ABCDDCDBA w";
        for (position, action, expected) in [
            (initial.as_str(), "A3NE", "D5"),
            // A bump: the moving die stops on A2 and pushes the others on.
            (&initial, "A1E", "A2"),
            (&initial, "1A6A7", ""),
            (split, "A7NW", "D5 E6"),
            // With ten dice, the die leaves whole.
            (ten, "A7NW", "D5"),
        ] {
            let (before, action, after) = play(position, action);
            assert_eq!(set_down(&before, action, &after), cells(expected), "{action}");
        }
    }

    #[test]
    fn captures_are_found_whoever_must_absorb_first() {
        // The 4 that moves from A4 to E6 is captured by a 4: I4 and I6 reach the cells around the Chamber.
        let (before, action, after) = play(&Position::initial().to_string(), "A4NE");
        assert_eq!(captured(&before, &after), Bitboard::EMPTY);
        assert!(can_capture(&after, set_down(&before, action, &after)));
        assert!(!can_capture(&after, cells("A1 A9")));
        // Seen by its owner, as if to move.
        let mut setup = after.to_setup();
        setup.to_move = !setup.to_move;
        let owner = setup.validate().unwrap();
        assert!(is_attacked(&owner, "E6".parse().unwrap()) && !is_attacked(&owner, "A1".parse().unwrap()));
        let reply = after
            .legal_actions()
            .into_iter()
            .find(|&reply| {
                after
                    .play(reply)
                    .is_ok_and(|next| captured(&after, &next) == cells("E6"))
            })
            .unwrap();
        // White may now choose between two 1s to absorb, and can still capture: the absorption is part of the turn.
        let next = after.play(reply).unwrap();
        assert!(next.missing() > 0);
        let takes_back = can_capture(&next, cells("E6"));
        let by_hand = next.legal_actions().into_iter().any(|absorb| {
            let absorbed = next.play(absorb).unwrap();
            let mut replies = absorbed.legal_actions().into_iter();
            replies.any(|action| captured(&absorbed, &absorbed.play(action).unwrap()) == cells("E6"))
        });
        assert_eq!(takes_back, by_hand);
    }
}
