//! B11: the number of dice promoted by the loss of a 5, by the rules and by games.

use chase_engine::Player;
use chase_engine::chase::{Action, Position};
use serde::Serialize;
use serde_json::json;

use super::method::games::{Answer, FIVE_PROMOTES_TWO, GamesAnalysis, Pool, Sides, Test};
use crate::evidence::games::SeriesKind;
use crate::{ClaimId, Effect, EffectUnit, Finding};
use chase_report::exhibit::Table;
use chase_statistics::Verdict;

pub fn findings() -> Vec<Finding> {
    loss_of_a_5().into()
}

/// Number of dice promoted when `points` points are absorbed: the lowest one, up to 6, then the next lowest.
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

/// Captures of one of White's 5s in the opening, by the number of dice that they promote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct Census {
    /// Lines of actions that end with such a capture.
    captures: u64,
    /// Lines whose capture promotes two dice or more.
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
    .with_effect(Effect::exact("share of captures of a 5 that promote two dice", EffectUnit::Share, share))
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
    .with_effect(Effect::exact("share of sets of dice that promote two", EffectUnit::Share, two as f64 / all.len() as f64))
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

/// Number of dice promoted if a set loses a 5.
fn loses_a_5(set: &[u8]) -> usize {
    let mut rest = set.to_vec();
    if let Some(index) = rest.iter().position(|&speed| speed == 5) {
        rest.remove(index);
    }
    promotions(&rest, 5)
}

/// All sets of 6 to 10 speeds that contain a 5 and add up to 25, each in descending order.
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

/// Counts the lines of up to `turns` turns that end with the capture of one of White's 5s.
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

impl GamesAnalysis<'_> {
    /// B11: promotions after the first capture of a 5 in a game.
    pub(crate) fn lost_fives(&self, pool: &Pool) -> Answer {
        let sides = pool.of(|player| {
            let forced = self.of_kind(player, SeriesKind::First);
            let series = forced.chain(self.of_kind(player, SeriesKind::Free));
            series.map(|series| series.id).collect()
        });
        let fives = sides
            .iter()
            .flat_map(Sides::series)
            .flat_map(|series| self.games(series))
            .flat_map(|game| &game.fives);
        let mut by_dice = [0u64; 10];
        fives.for_each(|&promoted| by_dice[promoted.min(9)] += 1);
        let all: u64 = by_dice.iter().sum();
        let two: u64 = by_dice[2..].iter().sum();
        let mut answer = self.answer(Test {
            claim: ClaimId::B11,
            part: "in games".into(),
            pool,
            counted: FIVE_PROMOTES_TWO,
            effect: "First lost 5 of a game: share after which two dice or more were promoted".into(),
            sides,
            threshold: 0.5,
            comparisons: 1,
        });
        let more = format!(
            " Of all {all} captured 5s {two} ({:.1} %) promoted two dice or more.",
            100.0 * two as f64 / all.max(1) as f64
        );
        answer.finding.summary.push_str(&more);
        if let Some(evidence) = answer.finding.evidence.as_object_mut() {
            evidence.insert("lost_fives_by_promoted_dice".into(), json!(by_dice));
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    /// Compares promotions with the engine's, for the dice of a real position after a capture.
    #[test]
    fn promotions_agree_with_the_engine() {
        // White's die on F4 is captured by the 1 on E4; the others are on row A.
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
            // For each old speed, as many dice are missing as have been promoted.
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
