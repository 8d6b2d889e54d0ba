//! B2, B3 and B6: attackers and defenders of the cells around the Chamber.

use chase_engine::Player;
use chase_engine::chase::{Bitboard, Cell, Position};
use serde_json::json;

use crate::evidence::exact::lines::{arrow, attackers, names};
use crate::evidence::exact::prepared::Prepared;
use crate::evidence::exact::ring::{first, ring, ring_board, ring_table};
use crate::{ClaimId, Effect, EffectUnit, Finding};
use chase_report::exhibit::Board;
use chase_statistics::Verdict;

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
    let mut rows = vec![("initial position", start)];
    let (mut holds, mut words) = (true, Vec::new());
    let mut evidence = Vec::new();
    for (action, text) in [("A2NE", "after A2C3"), ("A8NW", "after A8C7")] {
        let Some(position) = first(action).map(|first| first.result) else {
            continue;
        };
        let doubled: Bitboard = ring()
            .into_iter()
            .filter(|&cell| count(&start, cell) > 0 && count(&position, cell) == 2 * count(&start, cell))
            .collect();
        let weakened = ring()
            .into_iter()
            .any(|cell| count(&position, cell) < count(&start, cell));
        holds &= !doubled.is_empty() && !weakened;
        words.push(format!("{text} that of {}", names(doubled)));
        evidence.push(json!({ "first_move": action, "doubled": names(doubled), "weakened": weakened }));
        rows.push((text, position));
    }
    let boards = rows.iter().skip(1).map(|(name, position)| {
        ring_board(
            name,
            "Arrows: White's dice that attack a cell round the Chamber.",
            position,
        )
    });
    let finding = Finding::exact(
        ClaimId::B2,
        "a cell with twice as many attackers, and none with fewer",
        Verdict::of(holds),
        format!(
            "The move doubles the attack on one of the four cells that White attacks at first, from one die to two: {}. The \
             attacks on the other cells stay as they were, so the claim holds of one cell for each move, not of all cells.",
            words.join(", ")
        ),
    )
    .with_effect(Effect::exact("cells with twice as many attackers, for each move", EffectUnit::Cells, 1.0))
    .with_test(
        2,
        "first moves",
        "Count of White's dice that reach each cell round the Chamber by exact count, before and after the move.",
    )
    .with_evidence(json!(evidence))
    .with_exhibit(ring_table(
        "White's attackers of the cells round the Chamber",
        "Dice that reach the cell by exact count over empty cells.",
        &rows,
    ));
    boards.fold(finding, Finding::with_exhibit)
}

/// B3.
fn initial_position() -> [Finding; 2] {
    let start = Position::initial();
    let dice: Vec<_> = start.all_dice().collect();
    let entering = dice
        .iter()
        .filter(|(from, _)| start.reach(*from).contains(Cell::CHAMBER))
        .count();
    let no_die = Finding::exact(
        ClaimId::B3,
        "no die can enter the Chamber",
        Verdict::of(entering == 0),
        format!(
            "{entering} of the {} dice reach the Chamber in the initial position.",
            dice.len()
        ),
    )
    .with_effect(Effect::exact(
        "dice that reach the Chamber",
        EffectUnit::Dice,
        entering as f64,
    ))
    .with_test(
        dice.len() as u64,
        "dice",
        "The cells that each die reaches by exact count.",
    );

    let attacks: Vec<(Cell, Cell)> = dice
        .iter()
        .flat_map(|&(from, _)| (start.reach(from) & ring()).into_iter().map(move |to| (from, to)))
        .collect();
    let attacking: Bitboard = attacks.iter().map(|&(from, _)| from).collect();
    let threes_and_fours: Bitboard = dice
        .iter()
        .filter(|(_, die)| matches!(die.speed.pips(), 3 | 4))
        .map(|&(from, _)| from)
        .collect();
    let attacked: Bitboard = attacks.iter().map(|&(_, to)| to).collect();
    let of = |player| {
        let own = attacks.iter().filter(|(from, _)| start.dice(player).contains(*from));
        own.map(|&(_, to)| to).collect::<Bitboard>()
    };
    let holds = attacking == threes_and_fours && attacked == ring();
    let summary = format!(
        "The 3s and 4s, and no other dice, attack the cells round the Chamber, each of them one cell. Both sides together \
         attack {} of the six; White attacks {}, Black {}.",
        attacked.count(),
        names(of(Player::White)),
        names(of(Player::Black))
    );
    let evidence: Vec<_> = attacks
        .iter()
        .map(|(from, to)| json!({ "die": from.to_string(), "attacks": to.to_string() }))
        .collect();
    let attack = Finding::exact(
        ClaimId::B3,
        "3s and 4s attack the six cells round it",
        Verdict::of(holds),
        summary,
    )
    .with_effect(Effect::exact(
        "cells round the Chamber that are attacked",
        EffectUnit::Cells,
        attacked.count() as f64,
    ))
    .with_test(
        dice.len() as u64,
        "dice",
        "The cells that each die reaches by exact count.",
    )
    .with_evidence(json!(evidence))
    .with_exhibit(Board {
        title: "The initial position".into(),
        note: "An arrow for every die that attacks a cell round the Chamber.".into(),
        position: start.to_string(),
        arrows: attacks.iter().map(|&(from, to)| arrow(&start, from, to)).collect(),
        ..Board::default()
    });
    [no_die, attack]
}

/// The two wraparound bumps, with the row that they shift.
const BUMPS: [(&str, &str); 2] = [("A1E", "east"), ("A1W", "west")];

/// B6.
fn one_exit_left() -> Finding {
    let defended = |position: &Position| -> Bitboard {
        let all = ring().into_iter();
        all.filter(|&cell| !attackers(position, Player::White, cell).is_empty())
            .collect()
    };
    let bumps: Vec<(&str, Position)> = BUMPS
        .into_iter()
        .filter_map(|(action, way)| Some((way, first(action)?.result)))
        .collect();
    let left: Vec<Bitboard> = bumps.iter().map(|(_, position)| defended(position)).collect();
    let words: Vec<String> = bumps
        .iter()
        .zip(&left)
        .map(|((way, _), left)| format!("{} when the row shifts {way}", names(*left)))
        .collect();
    let finding = Finding::exact(
        ClaimId::B6,
        "one cell round the Chamber remains defended",
        Verdict::of(left.len() == BUMPS.len() && left.iter().all(|left| left.count() == 1)),
        format!(
            "Of the {} cells round the Chamber that White defends at first, {} remain: {}.",
            defended(&Position::initial()).count(),
            if left.iter().all(|left| left.count() == 1) {
                "one each"
            } else {
                "more or fewer"
            },
            words.join(", ")
        ),
    )
    .with_effect(Effect::exact(
        "cells round the Chamber that remain defended",
        EffectUnit::Cells,
        1.0,
    ))
    .with_test(
        bumps.len() as u64,
        "first moves",
        "Cells round the Chamber that any of White's dice reaches by exact count after the bump.",
    );
    bumps.iter().fold(finding, |finding, (way, position)| {
        let note = "Arrows: White's dice that attack a cell round the Chamber.";
        finding.with_exhibit(ring_board(&format!("The row shifted {way}"), note, position))
    })
}

/// An aspect of the bumps that B6 does not mention.
fn bump_prepares_entry() -> Finding {
    let prepared: Vec<Prepared> = BUMPS
        .into_iter()
        .filter_map(|(action, _)| Some(Prepared::new(&first(action)?)))
        .collect();
    let entering = prepared.iter().filter(|prepared| !prepared.entries.is_empty()).count();
    let defended = prepared.iter().filter(|prepared| prepared.is_defended_entry()).count();
    Finding::exact(
        ClaimId::B6,
        "the bump also prepares a Chamber move",
        Verdict::of(entering == BUMPS.len()),
        format!(
            "After {entering} of the two bumps a 4 can enter the Chamber next; both exits are defended in {defended} cases."
        ),
    )
    .with_test(2, "first moves", "All Chamber moves that White could make next if Black passed.")
    .with_evidence(json!(prepared))
    .as_context()
}
