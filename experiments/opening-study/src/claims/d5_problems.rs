//! D5: the two Problems, reconstructed from the text of their solutions since their diagrams are lost.

use chase_engine::Player;
use chase_engine::chase::{Action, Bitboard, Cell, Die, Position, Setup, Speed};
use chase_engine::proof::Win;

use crate::claim_test::ClaimTest;
use crate::evidence::exact::lines::{after, forcing_actions, is_forced, with_turn};
use crate::{ClaimId, Finding};
use chase_report::exhibit::{Arrow, Board, CellMark};

/// The dice of Problem 1 named in the text of its solution, Grey to move.
const NAMED: &str = "9/9/1D1f1f3/3E2D1E/3a5/9/8C/D8/9 b";

/// The solution, turn by turn.
const SOLUTION: [&str; 6] = ["E4F5", "1B1C9", "F5G5", "C9G7", "G5G6/G6:G7(B1=6/F7=5)", "G2:G7"];

/// White's turns in a "win in three".
const TURNS: u32 = 3;

pub fn findings() -> Vec<Finding> {
    let mut findings = first_problem();
    findings.push(second_problem());
    findings
}

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
struct Statement {
    /// The statement in our words.
    says: &'static str,
    holds: fn(&Position) -> bool,
}

/// In the order in which they are checked: cheap ones first.
const STATEMENTS: [Statement; 9] = [
    Statement {
        says: "none of Grey's 6s can move",
        holds: |position| position.legal_actions().iter().all(|&action| leaves_the_6s(action)),
    },
    Statement {
        says: "the solution can be played as printed, and ends with White's win",
        holds: |position| after(position, &SOLUTION).is_some_and(|end| won_by_white(&end)),
    },
    Statement {
        says: "E4:F4 makes C9 and B1 rise to 6, and B1 then wins on F4 by a ricochet at A1",
        holds: |position| {
            let answer = after(position, &["E4:F4(C9=6/B1=6)"]);
            answer.is_some_and(|answer| wins_by(&answer, "B1SE"))
        },
    },
    Statement {
        says: "after E4F5 White can play F4G1 by a ricochet at I2, which leaves F9:F5",
        holds: |position| {
            let moved = after(position, &["E4F5", "F4NW"]);
            moved.is_some_and(|moved| die_at(&moved, "G1", 5) && reaches(&moved, "F9", "F5"))
        },
    },
    Statement {
        says: "then the exchange 1G1G2 threatens G1:G6",
        holds: |position| {
            let moved = after(position, &["E4F5", "F4NW", "F5G5", "1G1G2"]);
            moved.is_some_and(|moved| reaches(&moved, "G1", "G6"))
        },
    },
    Statement {
        says: "after any exchange between G1 and G2 the bump G5G6/G6G7 is possible",
        holds: |position| {
            let before = after(position, &["E4F5", "F4NW", "F5G5"]);
            before.is_some_and(|before| {
                let exchanges = exchanges_between(&before, ["G1", "G2"]);
                !exchanges.is_empty() && exchanges.iter().all(|next| after(next, &["G5G6/G6G7"]).is_some())
            })
        },
    },
    Statement {
        says: "after E4F5 White can play C9F2",
        holds: |position| after(position, &["E4F5", "C9F2"]).is_some(),
    },
    Statement {
        says: "C9G7 in the solution threatens to win by G2G7/G7:G6",
        holds: |position| {
            let moved = after(position, &SOLUTION[..4]);
            let threat = moved.and_then(|moved| with_turn(&moved, Player::White));
            threat.is_some_and(|threat| after(&threat, &["G2G7/G7:G6"]).is_some_and(|end| won_by_white(&end)))
        },
    },
    Statement {
        says: "after E4F5, Grey's best, White has no win at once",
        holds: |position| after(position, &["E4F5"]).is_some_and(|reply| !forces_win(&reply, 1)),
    },
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

/// White's turns after which it still wins in `turns` turns, including this one, whatever Grey plays; in article form.
fn winning_turns(position: &Position, turns: u32) -> Vec<String> {
    let actions = forcing_actions(win_in(position, turns), position).into_iter();
    actions.map(|action| position.article_text(action)).collect()
}

fn first_problem() -> Vec<Finding> {
    let mut left = candidates();
    let all = left.len();
    let mut rows = vec![[
        "nine dice named in the text, two 6s anywhere".to_owned(),
        all.to_string(),
    ]];
    for statement in &STATEMENTS {
        left.retain(|(position, _)| (statement.holds)(position));
        rows.push([statement.says.to_owned(), left.len().to_string()]);
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
    let holds = !left.is_empty() && won == left.len();
    let test = ClaimTest::named(ClaimId::D5, "first problem");
    let forced = test
        .exact(holds, left.len() as f64, all, details)
        .with_exhibit(places_board(&left))
        .with_table(
            "Problem 1: what the text determines",
            "Positions that are left after each statement, asked from the top.",
            ["statement", "positions left"],
            rows,
        );
    let mut findings = vec![forced];
    if let [(position, _), ..] = left[..] {
        findings.push(solution(&position));
    }
    findings
}

/// The possible cells of Grey's two 6s that the text does not name.
fn places_board(left: &[(Position, [Cell; 2])]) -> Board {
    let total = left.len();
    let marks = Cell::all().filter_map(|cell| {
        let count = left.iter().filter(|(_, sixes)| sixes.contains(&cell)).count();
        (count > 0).then(|| CellMark::new(cell, 0.85 * count as f64 / total as f64, ""))
    });
    Board {
        title: "Problem 1, Grey to move".into(),
        note: format!(
            "Uncoloured: the nine dice that the text names. Coloured: where the other two 6s stand, in {total} of {total} positions."
        ),
        position: left
            .first()
            .map_or(NAMED.to_owned(), |(position, _)| position.to_string()),
        cells: marks.collect(),
        ..Board::default()
    }
}

/// The text's statements about White's second turn, and its omissions.
fn solution(position: &Position) -> Finding {
    let reply = after(position, &SOLUTION[..1]).expect("the solution can be played");
    let (in_time, sooner) = (winning_turns(&reply, TURNS), winning_turns(&reply, TURNS - 1));
    let wins = |turn: &str| in_time.iter().any(|other| other == turn);
    let holds = wins(SOLUTION[1]) && sooner.is_empty() && in_time.len() == 1;
    let rejected: Vec<&str> = ["F4G1", "C9F2"].into_iter().filter(|turn| wins(turn)).collect();
    let or_none = |turns: String| if turns.is_empty() { "none".to_owned() } else { turns };
    let details = format!(
        "After 1 … E4F5 they are {}; of those that the text rejects {}. In two turns White wins {}: after 1 … E4F5 by {}.",
        in_time.join(", "),
        or_none(rejected.join(" and ")),
        match forces_win(position, TURNS - 1) {
            true => "whatever Grey plays",
            false => "not against every reply",
        },
        or_none(sooner.join(", "))
    );
    let test = ClaimTest::named(ClaimId::D5, "only solution");
    let finding = test.exact(holds, in_time.len() as f64, reply.count_actions(), details);
    finding.with_exhibit(Board {
        title: "Problem 1 after 1 … E4F5".into(),
        note: "Arrows: White's moves after which it wins one turn sooner than in the printed solution. The exchange among them, if \
               any, is the arrow from giver to receiver."
            .into(),
        position: reply.to_string(),
        arrows: arrows(&reply, sooner.iter().map(String::as_str)),
        ..Board::default()
    })
}

/// The arrows of turns in article form.
fn arrows<'a>(position: &Position, turns: impl IntoIterator<Item = &'a str>) -> Vec<Arrow> {
    let actions = turns.into_iter().filter_map(|turn| position.parse_article(turn).ok());
    actions.flatten().map(Arrow::of).collect()
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

fn second_problem() -> Finding {
    let speeds = (1..=6).flat_map(|on_c1| (1..=6).map(move |on_c2| (on_c1, on_c2)));
    let positions = speeds.map(|(on_c1, on_c2)| second_position(on_c1, on_c2).expect("all speeds fit"));
    let positions: Vec<Position> = positions.collect();
    let wins = positions
        .iter()
        .filter(|position| WINS_AT_ONCE.iter().all(|&turn| wins_by(position, turn)));
    let wins = wins.count();
    let details = format!(
        "White's 1 on C6 becomes a 4 by absorbing the lost 3, and then both printed turns, {}, capture on C2 and win. The text fixes \
         White's dice on C6 and C1, Grey's die on C2, that Grey has five dice, and that C3, C4, C5, C7, C8 and C9 are empty; nothing \
         else, and nothing else matters.",
        WINS_AT_ONCE.join(" and ")
    );
    let test = ClaimTest::named(ClaimId::D5, "second problem");
    let example = &positions[13];
    test.exact(wins == positions.len(), wins as f64, positions.len(), details).with_exhibit(Board {
        title: "Problem 2, White to move".into(),
        note: "After White has absorbed. Only C6, C1, C2 and the empty cells between them are in the text: the speeds on C1 and C2 \
               and all other dice are examples."
            .into(),
        position: example.to_string(),
        arrows: arrows(example, WINS_AT_ONCE),
        cells: named_cells_of_second_problem(),
        ..Board::default()
    })
}

/// The cells that the text of Problem 2 mentions.
fn named_cells_of_second_problem() -> Vec<CellMark> {
    let names = ["C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9"];
    let cells: Bitboard = names.into_iter().filter_map(cell).collect();
    cells.into_iter().map(|cell| CellMark::new(cell, 0.85, "")).collect()
}
