//! B8, B10, B11: replies to exposed dice, and what the loss of a 5 costs.

use chase_engine::Player;
use chase_engine::chase::{Action, Cell, Position};
use serde::Serialize;
use serde_json::json;

use super::lines::{attackers, ends_on};
use crate::{ClaimId, Effect, Finding, FirstMove, OpeningClass, Unit, first_moves};
use chase_report::exhibit::{Arrow, Board, Table};
use chase_statistics::Verdict;

pub fn findings() -> Vec<Finding> {
    let mut findings = vec![bumps_that_attack()];
    findings.extend(capture_of_a_4());
    findings.extend(loss_of_a_5());
    findings
}

fn of_class(class: OpeningClass) -> Vec<FirstMove> {
    first_moves().into_iter().filter(|first| first.class == class).collect()
}

/// Where the die stands that a first move put forward.
fn put_forward(first: &FirstMove) -> Option<Cell> {
    let start = Position::initial();
    let Action::Move { .. } = first.action() else {
        return None;
    };
    let cells = first.result.dice(Player::White).into_iter();
    cells.into_iter().find(|&cell| start.die(cell).is_none())
}

/// A reply by which dice come to attack the die that a first move put forward.
#[derive(Clone, Debug, Serialize)]
struct Attack {
    first_move: String,
    reply: String,
    attackers: Vec<String>,
    speeds: Vec<u8>,
}

/// What B8 needs to be possible at all: the bumps that it recommends attack as it says.
fn bumps_that_attack() -> Finding {
    let mut attacks = Vec::new();
    let mut holds = true;
    for (class, speed) in [(OpeningClass::FiveAway, 3), (OpeningClass::ThreeAway, 5)] {
        for first in of_class(class) {
            let Some(target) = put_forward(&first) else { continue };
            let mut found = false;
            for bump in ["I1E", "I1W"] {
                let action = bump.parse::<Action>().ok();
                let Some(after) = action.and_then(|action| first.result.play(action).ok()) else {
                    continue;
                };
                let dice = attackers(&after, Player::Black, target);
                let speeds: Vec<u8> = dice
                    .into_iter()
                    .filter_map(|cell| after.die(cell))
                    .map(|die| die.speed.pips())
                    .collect();
                found |= speeds.contains(&speed);
                attacks.push(Attack {
                    first_move: first.text(),
                    reply: bump.into(),
                    attackers: dice.into_iter().map(|cell| cell.to_string()).collect(),
                    speeds,
                });
            }
            holds &= found;
        }
    }
    let row = |attack: &Attack| {
        let dice: Vec<String> = attack
            .attackers
            .iter()
            .zip(&attack.speeds)
            .map(|(cell, speed)| format!("the {speed} on {cell}"))
            .collect();
        let dice = if dice.is_empty() {
            "–".to_owned()
        } else {
            dice.join(", ")
        };
        vec![attack.first_move.clone(), attack.reply.clone(), dice]
    };
    let attacking = attacks.iter().filter(|attack| !attack.attackers.is_empty()).count();
    Finding::exact(
        ClaimId::B8,
        "a wraparound bump attacks with the 3 or the 5",
        Verdict::of(holds),
        format!(
            "Each of these first moves has a wraparound bump after which a 3 attacks the 5, or a 5 the 3: {attacking} of the {} \
             bumps attack the die put forward. Whether that is the best reply is for search and games to say.",
            attacks.len()
        ),
    )
    .with_test(
        attacks.len() as u64,
        "replies",
        "Black's dice that reach the die put forward by exact count after each wraparound bump.",
    )
    .with_evidence(json!(attacks))
    .with_exhibit(Table {
        title: "Wraparound bumps as replies".into(),
        note: "I1E shifts Black's row to the east, I1W to the west.".into(),
        headings: ["first move", "reply", "attacks the die put forward"].map(Into::into).into(),
        rows: attacks.iter().map(row).collect(),
    })
    .as_context()
}

/// A capture of the 4 that was put forward.
#[derive(Clone, Debug, Serialize)]
struct CaptureOfA4 {
    first_move: String,
    reply: String,
    /// Speed of the die that captures.
    by: u8,
    /// White's dice that it attacks then, before White absorbs.
    attacks: Vec<String>,
    speeds: Vec<u8>,
}

/// B10, the exact part.
fn capture_of_a_4() -> [Finding; 2] {
    let mut captures = Vec::new();
    let mut boards = Vec::new();
    let moves = of_class(OpeningClass::Four);
    for first in &moves {
        let Some(target) = put_forward(first) else { continue };
        let position = &first.result;
        for action in position.legal_actions() {
            let Action::Move { from, .. } = action else { continue };
            if !ends_on(position, action, target) {
                continue;
            }
            let (Some(die), Ok(after)) = (position.die(from), position.play(action)) else {
                continue;
            };
            let attacked = after.reach(target) & after.dice(Player::White);
            let before = |cell: Cell| position.die(cell).map(|die| die.speed.pips());
            captures.push(CaptureOfA4 {
                first_move: first.text(),
                reply: position.article_text(action),
                by: die.speed.pips(),
                attacks: attacked.into_iter().map(|cell| cell.to_string()).collect(),
                speeds: attacked.into_iter().filter_map(before).collect(),
            });
            boards.push(Board {
                title: format!("{} {}", first.text(), position.article_text(action)),
                note: "Black captures the 4; what its die attacks then is in the table.".into(),
                position: position.to_string(),
                arrows: vec![Arrow::of(action)],
                ..Board::default()
            });
        }
    }
    let with_a_4 = |first: &FirstMove| {
        let mut of_it = captures.iter().filter(|capture| capture.first_move == first.text());
        of_it.any(|capture| capture.by == 4)
    };
    let answered = moves.iter().filter(|first| with_a_4(first)).count();
    let only_4s = captures.iter().all(|capture| capture.by == 4);
    let row = |capture: &CaptureOfA4| {
        let dice: Vec<String> = capture
            .attacks
            .iter()
            .zip(&capture.speeds)
            .map(|(cell, speed)| format!("the {speed} on {cell}"))
            .collect();
        vec![
            capture.first_move.clone(),
            capture.reply.clone(),
            capture.by.to_string(),
            dice.join(", "),
        ]
    };
    let exists = Finding::exact(
        ClaimId::B10,
        "a 4 can capture the 4",
        Verdict::of(answered == moves.len()),
        format!(
            "{answered} of the {} first moves of a 4 can be answered by capturing it with a 4{}.",
            moves.len(),
            if only_4s { ", and with no other die" } else { "" }
        ),
    )
    .with_effect(Effect::exact(
        "first moves of a 4 that a 4 can capture",
        Unit::FirstMoves,
        answered as f64,
    ))
    .with_test(moves.len() as u64, "first moves", "All of Black's legal replies.")
    .with_evidence(json!(captures))
    .with_exhibit(Table {
        title: "Captures of a 4 that moved first".into(),
        note:
            "The last column: White's dice that the capturing die attacks then, with the speeds they have before White \
               absorbs the 4 points."
                .into(),
        headings: ["first move", "reply", "captures with a", "attacks then"]
            .map(Into::into)
            .into(),
        rows: captures.iter().map(row).collect(),
    });
    let exists = boards.into_iter().fold(exists, Finding::with_exhibit);

    let attacking = captures.iter().filter(|capture| !capture.attacks.is_empty()).count();
    let small = captures
        .iter()
        .filter(|capture| capture.speeds.iter().any(|speed| matches!(speed, 1 | 2)));
    let attacks = Finding::exact(
        ClaimId::B10,
        "the capturing die then attacks another",
        Verdict::of(!captures.is_empty() && attacking == captures.len()),
        format!(
            "After {attacking} of these {} captures the capturing die attacks another die of White's, after {} of them a 1 or \
             a 2.",
            captures.len(),
            small.count()
        ),
    )
    .with_effect(Effect::exact("captures after which another die is attacked", Unit::Captures, attacking as f64))
    .with_test(
        captures.len() as u64,
        "captures",
        "White's dice that the capturing die reaches by exact count from where it stands then.",
    );
    [exists, attacks]
}

/// How many dice rise when so many points are absorbed: the lowest one, up to 6, then the next lowest.
pub fn promotions(speeds: &[u8], mut points: u8) -> usize {
    let mut speeds = speeds.to_vec();
    speeds.sort_unstable();
    let mut count = 0;
    for speed in speeds {
        if points == 0 {
            break;
        }
        let taken = points.min(6 - speed);
        points -= taken;
        count += usize::from(taken > 0);
    }
    count
}

/// Captures of a 5 of White's in the opening, by how many dice it promotes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct Census {
    /// Lines of actions that end with such a capture.
    captures: u64,
    /// Those that promote two dice or more.
    promote_two: u64,
}

/// B11, the exact part.
fn loss_of_a_5() -> [Finding; 2] {
    let mut census = Census::default();
    count_captures(&Position::initial(), 4, &mut census);
    let share = census.promote_two as f64 / census.captures.max(1) as f64;
    let opening = Finding::exact(
        ClaimId::B11,
        "in the opening",
        Verdict::of(share > 0.5),
        format!(
            "Of all {} lines of two turns each in which Black ends by capturing a 5, {} ({:.2} %) make White promote two dice. \
             As long as White has a 1, that die takes all five points alone.",
            census.captures,
            census.promote_two,
            100.0 * share
        ),
    )
    .with_effect(Effect::exact("share of captures of a 5 that promote two dice", Unit::Share, share))
    .with_test(
        census.captures,
        "lines of four turns or fewer",
        "All legal lines from the initial position up to Black's second turn that end with the capture of a 5.",
    )
    .with_evidence(json!(census));

    let all = dice_sets();
    let two = all.iter().filter(|set| loses_a_5(set) >= 2).count();
    let rows = (6..=10).map(|dice| {
        let of = || all.iter().filter(|set| set.len() == dice);
        let two = of().filter(|set| loses_a_5(set) >= 2).count();
        vec![dice.to_string(), of().count().to_string(), two.to_string()]
    });
    let sets = Finding::exact(
        ClaimId::B11,
        "by the dice that one can have",
        Verdict::of(2 * two > all.len()),
        format!(
            "The loss promotes two dice exactly if no other die is a 1. Of the {} sets of six to ten dice with a 5 that show 25, \
             that is so of {two} ({:.0} %), mostly small sets: it is a matter of the late game. How often such sets occur is \
             for games to say.",
            all.len(),
            100.0 * two as f64 / all.len() as f64
        ),
    )
    .with_effect(Effect::exact("share of sets of dice that promote two", Unit::Share, two as f64 / all.len() as f64))
    .with_test(all.len() as u64, "sets of dice", "All sets of dice, each counted once.")
    .with_exhibit(Table {
        title: "Sets of dice with a 5, by the number of dice".into(),
        note: "All sets of speeds 1 to 6 that show 25 together and hold a 5.".into(),
        headings: ["dice", "sets", "the loss of a 5 promotes two"].map(Into::into).into(),
        rows: rows.collect(),
    })
    .as_context();
    [opening, sets]
}

/// How many dice rise if a set loses a 5.
fn loses_a_5(set: &[u8]) -> usize {
    let mut rest = set.to_vec();
    if let Some(index) = rest.iter().position(|&speed| speed == 5) {
        rest.remove(index);
    }
    promotions(&rest, 5)
}

/// All sets of 6 to 10 speeds with a 5 among them and 25 together, each set falling.
fn dice_sets() -> Vec<Vec<u8>> {
    fn extend(set: &mut Vec<u8>, rest: u8, sets: &mut Vec<Vec<u8>>) {
        if rest == 0 {
            if set.len() >= 6 && set.contains(&5) {
                sets.push(set.clone());
            }
            return;
        }
        if set.len() == 10 {
            return;
        }
        let most = set.last().map_or(6, |&last| last).min(rest);
        for speed in 1..=most {
            set.push(speed);
            extend(set, rest - speed, sets);
            set.pop();
        }
    }
    let mut sets = Vec::new();
    extend(&mut Vec::new(), chase_engine::chase::TOTAL, &mut sets);
    sets
}

/// Counts the lines of up to so many turns that end with the capture of a 5 of White's.
fn count_captures(position: &Position, turns: u32, census: &mut Census) {
    if turns == 0 {
        return;
    }
    for action in position.legal_actions() {
        let mut next = *position;
        next.play_unchecked(action);
        let gone = if position.to_move() == Player::Black {
            captured_speeds(position, &next)
        } else {
            Vec::new()
        };
        if gone.contains(&5) {
            let left = next.dice(Player::White).into_iter();
            let speeds: Vec<u8> = left
                .filter_map(|cell| position.die(cell))
                .map(|die| die.speed.pips())
                .collect();
            census.captures += 1;
            census.promote_two += u64::from(promotions(&speeds, gone.iter().sum()) >= 2);
            continue;
        }
        let absorbs = matches!(action, Action::Absorb { .. });
        count_captures(&next, if absorbs { turns } else { turns - 1 }, census);
    }
}

/// The speeds of White's dice that Black's action captured.
fn captured_speeds(before: &Position, after: &Position) -> Vec<u8> {
    let gone = before.dice(Player::White) & !after.dice(Player::White);
    gone.into_iter()
        .filter_map(|cell| before.die(cell))
        .map(|die| die.speed.pips())
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    /// Promotions as the engine does them, for the dice of a real position after a capture.
    #[test]
    fn promotions_agree_with_the_engine() {
        // White's die on F4 is captured by the 1 on E4; the rest stand on row A.
        for (rest, lost) in [
            ("ABBCFF", 5),
            ("BBDFF", 5),
            ("CCDDF", 5),
            ("AAFFF", 5),
            ("BBCFF", 6),
            ("ABFFF", 4),
            ("DDDDE", 4),
        ] {
            let letter = char::from(b'A' + lost - 1);
            let text = format!("f1f1f1f2/9/9/3{letter}5/3a5/9/9/9/{rest}{} b", 9 - rest.len());
            let mut position: Position = text.parse().unwrap();
            let speeds: Vec<u8> = rest.bytes().map(|letter| letter - b'A' + 1).collect();
            for action in position.parse_article("E4:F4").unwrap() {
                position = position.play(action).unwrap();
            }
            while position.missing() > 0 {
                position = position.play(position.legal_actions()[0]).unwrap();
            }
            let mut after: Vec<u8> = position
                .dice(Player::White)
                .into_iter()
                .map(|cell| position.die(cell).unwrap().speed.pips())
                .collect();
            let mut before = speeds.clone();
            after.sort_unstable();
            before.sort_unstable();
            // As many dice of each old speed are gone as have risen.
            let mut risen = 0;
            for speed in before {
                match after.iter().position(|&other| other == speed) {
                    Some(index) => _ = after.remove(index),
                    None => risen += 1,
                }
            }
            assert_eq!(promotions(&speeds, lost), risen, "{text}");
        }
    }

    #[test]
    fn sets_of_dice_are_complete() {
        // All sequences, by brute force over the counts of each speed.
        let mut count = 0;
        let total = |counts: &[usize; 6]| -> usize { counts.iter().enumerate().map(|(i, n)| (i + 1) * n).sum() };
        let mut counts = [0; 6];
        loop {
            let dice: usize = counts.iter().sum();
            count += usize::from(total(&counts) == 25 && (6..=10).contains(&dice) && counts[4] > 0);
            let mut digit = 0;
            while digit < 6 && counts[digit] == 10 {
                counts[digit] = 0;
                digit += 1;
            }
            if digit == 6 {
                break;
            }
            counts[digit] += 1;
        }
        assert_eq!(dice_sets().len(), count);
        for set in dice_sets() {
            let mut others = set.clone();
            others.remove(others.iter().position(|&speed| speed == 5).unwrap());
            assert_eq!(loses_a_5(&set) >= 2, !others.contains(&1), "{set:?}");
        }
    }
}
