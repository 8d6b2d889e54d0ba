//! B2, B3 and B6: attackers and defenders of the cells around the Chamber.

use chase_engine::Player;
use chase_engine::chase::{Bitboard, Cell, Position};

use crate::claim_test::ClaimTest;
use crate::evidence::exact::lines::{arrow, attackers, names};
use crate::evidence::exact::prepared::Prepared;
use crate::evidence::exact::ring::{first, ring, ring_board, with_ring_table};
use crate::{ClaimId, Finding};
use chase_report::exhibit::Board;

pub fn findings() -> Vec<Finding> {
    let mut findings = vec![doubled_attack()];
    findings.extend(initial_position());
    findings.extend([one_exit_left(), bump_prepares_entry()]);
    findings
}

/// B2.
fn doubled_attack() -> Finding {
    let start = Position::initial();
    let count = |position: &Position, cell| attackers(position, Player::White, cell).count();
    let (mut holds, mut words) = (true, Vec::new());
    let mut rows = vec![("initial position", start)];
    for (action, text) in [("A2NE", "after A2C3"), ("A8NW", "after A8C7")] {
        let position = first(action).result;
        let is_doubled = |&cell: &Cell| count(&start, cell) > 0 && count(&position, cell) == 2 * count(&start, cell);
        let doubled: Bitboard = ring().into_iter().filter(is_doubled).collect();
        let mut cells = ring().into_iter();
        holds &= !doubled.is_empty() && cells.all(|cell| count(&position, cell) >= count(&start, cell));
        words.push(format!("{text} {}", names(doubled)));
        rows.push((text, position));
    }
    let test = ClaimTest::named(ClaimId::B2, "doubled");
    let finding = test.exact(holds, 1.0, 2, format!("From one die to two: {}.", words.join(", ")));
    let boards = rows.iter().skip(1).map(|(name, position)| ring_board(name, position));
    boards.fold(with_ring_table(finding, &rows), Finding::with_exhibit)
}

/// B3.
fn initial_position() -> [Finding; 2] {
    let start = Position::initial();
    let dice: Vec<_> = start.all_dice().collect();
    let entering = dice
        .iter()
        .filter(|(from, _)| start.reach(*from).contains(Cell::CHAMBER));
    let entering = entering.count();
    let no_die = ClaimTest::named(ClaimId::B3, "entry").exact(entering == 0, entering as f64, dice.len(), "");

    let attacks: Vec<(Cell, Cell)> = dice
        .iter()
        .flat_map(|&(from, _)| (start.reach(from) & ring()).into_iter().map(move |to| (from, to)))
        .collect();
    let attacking: Bitboard = attacks.iter().map(|&(from, _)| from).collect();
    let middle = dice.iter().filter(|(_, die)| matches!(die.speed.pips(), 3 | 4));
    let threes_and_fours: Bitboard = middle.map(|&(from, _)| from).collect();
    let attacked: Bitboard = attacks.iter().map(|&(_, to)| to).collect();
    let of = |player| {
        let own = attacks.iter().filter(|(from, _)| start.dice(player).contains(*from));
        names(own.map(|&(_, to)| to).collect())
    };
    let attack = ClaimTest::named(ClaimId::B3, "attacks").exact(
        attacking == threes_and_fours && attacked == ring(),
        attacked.count() as f64,
        dice.len(),
        format!("White attacks {}, Black {}.", of(Player::White), of(Player::Black)),
    );
    let board = Board {
        title: "The initial position".into(),
        note: "An arrow for every die that attacks a cell round the Chamber.".into(),
        position: start.to_string(),
        arrows: attacks.iter().map(|&(from, to)| arrow(&start, from, to)).collect(),
        ..Board::default()
    };
    [no_die, attack.with_exhibit(board)]
}

/// The two wraparound bumps, with the result on the board.
const BUMPS: [(&str, &str); 2] = [("A1E", "The row shifted east"), ("A1W", "the row shifted west")];

/// B6.
fn one_exit_left() -> Finding {
    let bumps = BUMPS.map(|(action, way)| (way, first(action).result));
    let left = bumps.map(|(_, position)| -> Bitboard {
        let cells = ring().into_iter();
        cells
            .filter(|&cell| !attackers(&position, Player::White, cell).is_empty())
            .collect()
    });
    let words = bumps
        .iter()
        .zip(&left)
        .map(|((way, _), left)| format!("{way}: {}", names(*left)));
    let details = words.collect::<Vec<_>>().join(". ") + ".";
    let test = ClaimTest::named(ClaimId::B6, "exits");
    let finding = test.exact(left.iter().all(|left| left.count() == 1), 1.0, bumps.len(), details);
    let boards = bumps.iter().map(|(way, position)| ring_board(way, position));
    boards.fold(finding, Finding::with_exhibit)
}

/// An aspect of the bumps that B6 does not mention.
fn bump_prepares_entry() -> Finding {
    let prepared = BUMPS.map(|(action, _)| Prepared::new(&first(action)));
    let entering = prepared.iter().filter(|prepared| !prepared.entries.is_empty()).count();
    let defended = prepared.iter().filter(|prepared| prepared.is_defended_entry()).count();
    let details = format!("A 4 can enter next after {entering}; both exits are defended after {defended}.");
    ClaimTest::named(ClaimId::B6, "entry").exact(entering == BUMPS.len(), 0.0, BUMPS.len(), details)
}
