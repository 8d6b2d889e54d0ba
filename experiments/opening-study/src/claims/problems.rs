//! D5: the two Problems, reconstructed from the text of their solutions since their diagrams are lost.

use chase_engine::Player;
use chase_engine::chase::{Action, Cell, Die, Position, Setup, Speed};
use chase_engine::proof::Win;

use super::exact::{Fact, board};
use super::lines::{after, is_forced, with_turn};

/// The dice of Problem 1 named in the text of its solution, Grey to move.
const NAMED: &str = "9/9/1D1f1f3/3E2D1E/3a5/9/8C/D8/9 b";

/// The solution, turn by turn.
const SOLUTION: [&str; 6] = ["E4F5", "1B1C9", "F5G5", "C9G7", "G5G6/G6:G7(B1=6/F7=5)", "G2:G7"];

/// White's turns in a "win in three".
const TURNS: u32 = 3;

/// A win of White in at most `turns` of its own turns.
fn win_in(position: &Position, turns: u32) -> Win {
    Win::within(
        Player::White,
        2 * turns - u32::from(position.to_move() == Player::White),
    )
}

fn forces_win(position: &Position, turns: u32) -> bool {
    is_forced(win_in(position, turns), position)
}

/// A statement of the text about Problem 1.
type Statement = fn(&Position) -> bool;

/// In the order in which they are checked: cheap ones first.
const STATEMENTS: [Statement; 9] = [
    // None of Grey's 6s can move.
    |position| position.legal_actions().iter().all(|&action| leaves_the_6s(action)),
    // The solution can be played as printed, and ends with White's win.
    |position| after(position, &SOLUTION).is_some_and(|end| won_by_white(&end)),
    // E4:F4 makes C9 and B1 rise to 6, and B1 then wins on F4 by a ricochet at A1.
    |position| {
        let answer = after(position, &["E4:F4(C9=6/B1=6)"]);
        answer.is_some_and(|answer| wins_by(&answer, "B1SE"))
    },
    // After E4F5 White can play F4G1 by a ricochet at I2, which leaves F9:F5.
    |position| {
        let moved = after(position, &["E4F5", "F4NW"]);
        moved.is_some_and(|moved| die_at(&moved, "G1", 5) && reaches(&moved, "F9", "F5"))
    },
    // Then the exchange 1G1G2 threatens G1:G6.
    |position| {
        let moved = after(position, &["E4F5", "F4NW", "F5G5", "1G1G2"]);
        moved.is_some_and(|moved| reaches(&moved, "G1", "G6"))
    },
    // After any exchange between G1 and G2 the bump G5G6/G6G7 is possible.
    |position| {
        let before = after(position, &["E4F5", "F4NW", "F5G5"]);
        before.is_some_and(|before| {
            let exchanges = exchanges_between(&before, ["G1", "G2"]);
            !exchanges.is_empty() && exchanges.iter().all(|next| after(next, &["G5G6/G6G7"]).is_some())
        })
    },
    // After E4F5 White can play C9F2.
    |position| after(position, &["E4F5", "C9F2"]).is_some(),
    // C9G7 in the solution threatens to win by G2G7/G7:G6.
    |position| {
        let moved = after(position, &SOLUTION[..4]);
        let threat = moved.and_then(|moved| with_turn(&moved, Player::White));
        threat.is_some_and(|threat| after(&threat, &["G2G7/G7:G6"]).is_some_and(|end| won_by_white(&end)))
    },
    // After E4F5, Grey's best, White has no win at once.
    |position| after(position, &["E4F5"]).is_some_and(|reply| !forces_win(&reply, 1)),
];

fn cell(name: &str) -> Option<Cell> {
    name.parse().ok()
}

/// True if an action does not move one of Grey's 6s.
fn leaves_the_6s(action: Action) -> bool {
    match action {
        Action::Move { from, .. } => cell("E4") == Some(from),
        Action::Exchange { .. } | Action::Absorb { .. } => true,
    }
}

fn won_by_white(position: &Position) -> bool {
    position.decision().is_some_and(|(winner, _)| winner == Player::White)
}

fn wins_by(position: &Position, action: &str) -> bool {
    after(position, &[action]).is_some_and(|end| won_by_white(&end))
}

fn reaches(position: &Position, from: &str, to: &str) -> bool {
    let cells = cell(from).zip(cell(to));
    cells.is_some_and(|(from, to)| position.reach(from).contains(to))
}

fn die_at(position: &Position, at: &str, pips: u8) -> bool {
    let die = cell(at).and_then(|cell| position.die(cell));
    die.is_some_and(|die| die.speed.pips() == pips)
}

/// The positions after each legal exchange between two cells.
fn exchanges_between(position: &Position, cells: [&str; 2]) -> Vec<Position> {
    let mut next = Vec::new();
    for (from, to) in [(cells[0], cells[1]), (cells[1], cells[0])] {
        for points in 1..=5 {
            next.extend(after(position, &[&format!("{points}{from}{to}")]));
        }
    }
    next
}

/// All positions of Problem 1: the named dice, and two more 6s of Grey's, which complete its 25 pips, on any cells.
fn candidates() -> Vec<(Position, [Cell; 2])> {
    let named: Setup = NAMED.parse().expect("a placement of dice");
    let free = Cell::all().filter(|&cell| cell != Cell::CHAMBER && named.dice[cell.index()].is_none());
    let free: Vec<Cell> = free.collect();
    let six = Some(Die {
        player: Player::Black,
        speed: Speed::SIX,
    });
    let mut positions = Vec::new();
    for (index, &one) in free.iter().enumerate() {
        for &other in &free[index + 1..] {
            let mut setup = named.clone();
            setup.dice[one.index()] = six;
            setup.dice[other.index()] = six;
            positions.extend(setup.validate().ok().map(|position| (position, [one, other])));
        }
    }
    positions
}

/// Problem 1: the positions that agree with the text, and whether White wins all of them in time.
pub(super) fn first() -> Fact {
    let mut left = candidates();
    let all = left.len();
    for statement in &STATEMENTS {
        left.retain(|(position, _)| statement(position));
    }
    let won = left.iter().filter(|(position, _)| forces_win(position, TURNS));
    let won = won.count();
    let places = left
        .iter()
        .map(|(position, [one, other])| format!("{one} and {other}: {}", position.to_short_cfen()));
    let details = format!(
        "The text names nine of the eleven dice; the other two are 6s of Grey's, on {}. White forces a win in three turns whatever \
         Grey plays in {won} of {}, and the printed line is legal and ends with the win.",
        places.collect::<Vec<_>>().join(", or on "),
        left.len()
    );
    let boards = left
        .iter()
        .map(|(position, _)| board("Problem 1, Grey to move", position));
    Fact::new(!left.is_empty() && won == left.len(), left.len(), all, details).on(boards)
}

/// White's turns that win Problem 2 at once, as printed.
const WINS_AT_ONCE: [&str; 2] = ["C6:C2", "C6C1/C1:C2"];

/// A position of Problem 2: the parts that the text fixes, given speeds for the two dice whose speed it does not give,
/// and the other dice out of the way. White has absorbed.
fn second_position(on_c1: u8, on_c2: u8) -> Option<Position> {
    let mut setup = Setup::empty(Player::White);
    let mut place = |name: &str, player, pips| {
        let speed = Speed::new(pips)?;
        setup.dice[cell(name)?.index()] = Some(Die { player, speed });
        Some(())
    };
    // There is a choice of dice only if a second 1 exists: then White still has to absorb.
    let choice = on_c1 == 1;
    place("C6", Player::White, if choice { 1 } else { 4 })?;
    place("C1", Player::White, on_c1)?;
    place("C2", Player::Black, on_c2)?;
    let mut rest = 21 - on_c1;
    for name in ["A1", "A3", "A5", "A7", "A9"] {
        // The remainder must not be 1, since that would be another die to choose.
        let pips = if rest == 7 { 5 } else { rest.min(6) };
        if pips > 0 {
            place(name, Player::White, pips)?;
        }
        rest -= pips;
    }
    let mut rest = 25 - on_c2;
    for (name, dice) in [("I2", 4), ("I4", 3), ("I6", 2), ("I8", 1)] {
        let pips = rest.div_ceil(dice);
        place(name, Player::Black, pips)?;
        rest -= pips;
    }
    let position = setup.validate().ok()?;
    if choice {
        position.play("=C6".parse().ok()?).ok()
    } else {
        Some(position)
    }
}

/// Problem 2: the pairs of speeds of the dice on C1 and C2, which the text does not give, with which both turns win.
pub(super) fn second() -> Fact {
    let speeds = (1..=6).flat_map(|on_c1| (1..=6).map(move |on_c2| (on_c1, on_c2)));
    let positions = speeds.map(|(on_c1, on_c2)| second_position(on_c1, on_c2).expect("all speeds fit"));
    let positions: Vec<Position> = positions.collect();
    let both_win = |position: &&Position| WINS_AT_ONCE.iter().all(|&turn| wins_by(position, turn));
    let wins = positions.iter().filter(both_win).count();
    let details = format!(
        "White's 1 on C6 becomes a 4 by absorbing the lost 3, and then both printed turns, {}, capture on C2 and win. The text fixes \
         White's dice on C6 and C1, Grey's die on C2, that Grey has five dice, and that C3, C4, C5, C7, C8 and C9 are empty; nothing \
         else, and nothing else matters.",
        WINS_AT_ONCE.join(" and ")
    );
    // Only C6, C1, C2 and the empty cells between them are in the text: the rest is an example.
    let example = board("Problem 2, White to move after it has absorbed", &positions[13]);
    Fact::new(wins == positions.len(), wins, positions.len(), details).on([example])
}
