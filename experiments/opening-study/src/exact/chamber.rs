//! B2 to B6: who attacks the cells round the Chamber, and what first moves prepare there.

use chase_engine::Player;
use chase_engine::chase::{Action, Bitboard, Cell, Position, geometry};
use serde::Serialize;
use serde_json::json;

use super::lines::{after, arrow, attackers, ends_on, names, with_turn};
use crate::first_move::SHARPEST;
use crate::{ClaimId, Effect, Finding, FirstMove, Line, Subject, Unit, first_moves};
use chase_report::exhibit::{Board, Table};
use chase_statistics::Verdict;

/// The six cells round the Chamber.
fn ring() -> Bitboard {
    geometry::neighbours(Cell::CHAMBER)
}

pub fn findings() -> Vec<Finding> {
    let mut findings = vec![doubled_attack()];
    findings.extend(initial_position());
    findings.extend(aggression());
    findings.extend([kept_attack(), one_exit_left(), bump_prepares_entry()]);
    findings
}

/// First moves by their exact form.
fn first(action: &str) -> Option<FirstMove> {
    let moves = first_moves();
    moves
        .into_iter()
        .find(|first| first.actions.iter().any(|known| known.to_string() == action))
}

/// White's attackers of each cell round the Chamber, one row a position.
fn ring_table(title: &str, note: &str, positions: &[(&str, Position)]) -> Table {
    let mut headings = vec!["position".to_owned()];
    headings.extend(ring().into_iter().map(|cell| cell.to_string()));
    let row = |(name, position): &(&str, Position)| {
        let mut row = vec![(*name).to_owned()];
        row.extend(
            ring()
                .into_iter()
                .map(|cell| names(attackers(position, Player::White, cell))),
        );
        row
    };
    Table {
        title: title.to_owned(),
        note: note.to_owned(),
        headings,
        rows: positions.iter().map(row).collect(),
    }
}

/// The position with an arrow from each of White's dice to the cells round the Chamber that it attacks.
fn ring_board(title: &str, note: &str, position: &Position) -> Board {
    let whites = with_turn(position, Player::White).unwrap_or(*position);
    let pairs = ring().into_iter().flat_map(|cell| {
        let dice = attackers(&whites, Player::White, cell).into_iter();
        dice.map(move |from| (from, cell))
    });
    Board {
        title: title.to_owned(),
        note: note.to_owned(),
        position: whites.to_string(),
        arrows: pairs.map(|(from, cell)| arrow(&whites, from, cell)).collect(),
        ..Board::default()
    }
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
    .with_effect(Effect::exact("cells with twice as many attackers, for each move", Unit::Cells, 1.0))
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
    let nobody = Finding::exact(
        ClaimId::B3,
        "nobody can enter the Chamber",
        Verdict::of(entering == 0),
        format!(
            "{entering} of the {} dice reach the Chamber in the initial position.",
            dice.len()
        ),
    )
    .with_effect(Effect::exact(
        "dice that reach the Chamber",
        Unit::Dice,
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
        Unit::Cells,
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
    [nobody, attack]
}

/// What a first move prepares for White's next turn, if Black passed.
#[derive(Clone, Debug, Serialize)]
struct Prepared {
    first_move: String,
    safe: bool,
    is_exchange: bool,
    entries: Vec<Entry>,
    /// Dice of Black that White attacks.
    attacked: usize,
}

/// A prepared Chamber move.
#[derive(Clone, Debug, Serialize)]
struct Entry {
    die: String,
    exits: [String; 2],
    /// White's other dice that attack each exit after the move.
    guards: [String; 2],
    both_defended: bool,
}

impl Prepared {
    fn new(first: &FirstMove) -> Self {
        let position = with_turn(&first.result, Player::White).unwrap_or(first.result);
        let enters = |action: &Action| ends_on(&position, *action, Cell::CHAMBER);
        let entries = position.legal_actions().into_iter().filter(enters);
        let white = position.dice(Player::White).into_iter();
        let reached: Bitboard = white
            .map(|from| position.reach(from))
            .fold(Bitboard::EMPTY, |all, one| all | one);
        Self {
            first_move: first.text(),
            safe: first.class.is_called_safe(),
            is_exchange: matches!(first.action(), Action::Exchange { .. }),
            entries: entries.filter_map(|action| Entry::new(&position, action)).collect(),
            attacked: (reached & position.dice(Player::Black)).count(),
        }
    }

    fn is_defended_entry(&self) -> bool {
        self.entries.iter().any(|entry| entry.both_defended)
    }

    fn threatens(&self) -> bool {
        !self.entries.is_empty() || self.attacked > 0
    }
}

impl Entry {
    fn new(position: &Position, action: Action) -> Option<Self> {
        let Action::Move { from, direction } = action else {
            return None;
        };
        let speed = position.die(from)?.speed;
        let entering = geometry::path(from, direction, speed).arrival;
        let exits = Position::chamber_exits(entering).map(|(cell, _)| cell);
        let after = position.play(action).ok()?;
        // The new dice do not guard each other here: the article speaks of the dice that stand behind.
        let newcomers: Bitboard = exits.into_iter().collect();
        let guards = exits.map(|exit| {
            let all = attackers(&after, Player::White, exit).into_iter();
            all.filter(|&guard| !newcomers.contains(guard)).collect::<Bitboard>()
        });
        Some(Self {
            die: from.to_string(),
            exits: exits.map(|exit| exit.to_string()),
            guards: guards.map(|guards| {
                if guards.is_empty() {
                    "nobody".to_owned()
                } else {
                    names(guards)
                }
            }),
            both_defended: guards.iter().all(|guards| !guards.is_empty()),
        })
    }
}

/// B4.
fn aggression() -> [Finding; 2] {
    let prepared: Vec<Prepared> = first_moves().iter().map(Prepared::new).collect();
    let texts = |wanted: &dyn Fn(&Prepared) -> bool| {
        let moves = prepared.iter().filter(|prepared| wanted(prepared));
        let mut moves: Vec<&str> = moves.map(|prepared| prepared.first_move.as_str()).collect();
        moves.sort_unstable();
        moves
    };
    let defended = texts(&Prepared::is_defended_entry);
    // Each with its mirror image.
    let named = ["1A2A3", "1A4A3", "1A6A7", "1A8A7"];
    let most = Finding::exact(
        ClaimId::B4,
        "1A6A7 and 1A8A7 prepare the Chamber",
        Verdict::of(defended == named),
        format!(
            "{} of the 44 first moves prepare a Chamber move with both exits defended: {}. The article names 1A6A7 and 1A8A7; \
             the others are their mirror images.",
            defended.len(),
            defended.join(", ")
        ),
    )
    .with_effect(Effect::exact("first moves that prepare a defended Chamber move", Unit::FirstMoves, defended.len() as f64))
    .with_test(
        prepared.len() as u64,
        "first moves",
        "All Chamber moves that White could make next if Black passed, with White's dice that then attack the two exits: what \
         the article gives as the reason.",
    )
    .with_evidence(json!(prepared))
    .with_exhibit(prepared_table(&prepared))
    .with_about(Subject::Lines(SHARPEST.map(|action| Line::new(&[action])).into()));

    let share = |wanted: &dyn Fn(&Prepared) -> bool| {
        let all = prepared.iter().filter(|prepared| prepared.safe && wanted(prepared));
        let count = all.clone().count();
        (all.filter(|prepared| prepared.threatens()).count(), count)
    };
    let (exchanges, of_exchanges) = share(&|prepared| prepared.is_exchange);
    let (others, of_others) = share(&|prepared| !prepared.is_exchange);
    let difference = exchanges as f64 / of_exchanges as f64 - others as f64 / of_others as f64;
    let general = Finding::exact(
        ClaimId::B4,
        "exchanges threaten more at once than other safe moves",
        Verdict::of(difference > 0.0),
        format!(
            "{exchanges} of {of_exchanges} exchanges threaten a capture or a Chamber move at once, and {others} of {of_others} \
             other safe first moves (the wraparound bumps). By this count alone exchanges as a class are not the more \
             aggressive ones; what they lead to is for games to say."
        ),
    )
    .with_effect(Effect::exact("share of exchanges less share of others that threaten something", Unit::Share, difference))
    .with_test(
        (of_exchanges + of_others) as u64,
        "first moves",
        "The same for all first moves that the article calls safe.",
    )
    .as_context();
    [most, general]
}

fn prepared_table(prepared: &[Prepared]) -> Table {
    let rows = prepared
        .iter()
        .filter(|prepared| prepared.threatens())
        .flat_map(|prepared| {
            let row = |entry: Option<&Entry>| {
                vec![
                    prepared.first_move.clone(),
                    entry.map_or("–".into(), |entry| entry.die.clone()),
                    entry.map_or("–".into(), |entry| {
                        let exits = entry.exits.iter().zip(&entry.guards);
                        let exits: Vec<String> = exits.map(|(exit, guards)| format!("{exit} by {guards}")).collect();
                        exits.join("; ")
                    }),
                    prepared.attacked.to_string(),
                ]
            };
            if prepared.entries.is_empty() {
                vec![row(None)]
            } else {
                prepared.entries.iter().map(|entry| row(Some(entry))).collect()
            }
        });
    Table {
        title: "First moves that threaten something at once".into(),
        note: "The die that could enter the Chamber, its exits (left first) with the dice that would defend them, and the number \
               of Black's dice under attack. The other first moves threaten nothing."
            .into(),
        headings: ["first move", "enters", "exits and who defends them", "dice attacked"]
            .map(Into::into)
            .into(),
        rows: rows.collect(),
    }
}

/// B5.
fn kept_attack() -> Finding {
    let start = Position::initial();
    // The article's pair, and its mirror image.
    let pairs = [("1A8A7", "1A6A7", "A6", "E4"), ("1A2A3", "1A4A3", "A4", "E6")];
    let attacks = |turn: &str, from: &str, to: &str| {
        let (from, to) = (from.parse::<Cell>().ok()?, to.parse::<Cell>().ok()?);
        Some(after(&start, &[turn])?.reach(from).contains(to))
    };
    let holds = pairs.iter().all(|&(keeps, loses, from, to)| {
        attacks(keeps, from, to) == Some(true) && attacks(loses, from, to) == Some(false)
    });
    let rows: Vec<(&str, Position)> = std::iter::once(("initial position", start))
        .chain(
            ["1A8A7", "1A6A7", "1A2A3", "1A4A3"]
                .into_iter()
                .filter_map(|turn| Some((turn, after(&start, &[turn])?))),
        )
        .collect();
    Finding::exact(
        ClaimId::B5,
        "A6 goes on attacking E4",
        Verdict::of(holds),
        "After 1A8A7 the 4 on A6 still attacks E4; after 1A6A7 it is a 3 and does not. The same holds of the mirror images \
         1A2A3 and 1A4A3 with A4 and E6.",
    )
    .with_effect(Effect::exact("attackers of E4 that 1A8A7 keeps and 1A6A7 gives up", Unit::Dice, 1.0))
    .with_test(
        pairs.len() as u64,
        "pairs of first moves",
        "The cells that the die reaches by exact count after each move.",
    )
    .with_exhibit(ring_table(
        "White's attackers of the cells round the Chamber",
        "1A6A7 exchanges the attack on E4 for a second one on D5.",
        &rows,
    ))
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
        Unit::Cells,
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

/// What B6 does not say.
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
