//! B11: the number of dice promoted by the loss of a 5, by the rules.

use chase_engine::Player;
use chase_engine::chase::{Action, Position};

use super::method::games::{Answer, GamesAnalysis, Pool};
use crate::claim_test::{ClaimTest, Estimate};
use crate::evidence::games::{SeriesId, SeriesKind};
use crate::{ClaimId, Finding};
use chase_statistics::clusters::{self, BlockSums};

pub fn findings() -> Vec<Finding> {
    vec![in_the_opening(), by_sets()]
}

impl GamesAnalysis<'_> {
    /// B11: all captures of a single 5 that did not end the game, after every first move and from the initial position.
    pub(crate) fn lost_fives(&self, pool: &Pool) -> Vec<Answer> {
        let of_player = |&player: &usize| {
            let forced = self.of_kind(player, SeriesKind::First);
            forced
                .chain(self.of_kind(player, SeriesKind::Free))
                .map(|series| series.id)
        };
        let series: Vec<SeriesId> = pool.players.iter().flat_map(of_player).collect();
        let most = series.iter().map(|&id| self.games(id).len()).max().unwrap_or(0);
        let mut blocks = vec![BlockSums::default(); most];
        for &id in &series {
            for (block, game) in blocks.iter_mut().zip(self.games(id)) {
                game.fives
                    .iter()
                    .for_each(|&promoted| block.add(f64::from(u8::from(promoted >= 2))));
            }
        }
        let test = ClaimTest::named(ClaimId::B11, "games");
        let level = 1.0 - self.look * self.design.config.error / pool.sharing(test.comparisons) as f64;
        let found = clusters::share(&blocks, level).map(|share| Estimate::of_clusters(&share, level));
        let statement = test.statement(&self.design.config);
        vec![Answer {
            finding: self.by(pool, test.estimated(found, statement)),
            series: series.into_iter().collect(),
        }]
    }
}

/// Number of dice promoted when `points` points are absorbed: the lowest one, up to 6, then the next lowest.
pub fn promotions(speeds: &[u8], mut points: u8) -> usize {
    let mut speeds = speeds.to_vec();
    speeds.sort_unstable();
    let mut count = 0;
    for speed in speeds {
        let taken = points.min(6 - speed);
        points -= taken;
        count += usize::from(taken > 0);
    }
    count
}

fn in_the_opening() -> Finding {
    let [mut captures, mut promote_two] = [0, 0];
    for_each_capture(&Position::initial(), 4, &mut |promoted| {
        captures += 1;
        promote_two += usize::from(promoted >= 2);
    });
    let share = promote_two as f64 / captures as f64;
    let details = "As long as White has a 1, that die takes all five points alone.";
    ClaimTest::named(ClaimId::B11, "opening").exact(share > 0.5, share, captures, details)
}

fn by_sets() -> Finding {
    let all = dice_sets();
    let promote_two = |sets: &[&Vec<u8>]| sets.iter().filter(|set| loses_a_5(set) >= 2).count();
    let rows = (6..=10).map(|dice| {
        let of: Vec<&Vec<u8>> = all.iter().filter(|set| set.len() == dice).collect();
        [dice, of.len(), promote_two(&of)].map(|count| count.to_string())
    });
    let share = promote_two(&all.iter().collect::<Vec<_>>()) as f64 / all.len() as f64;
    let details =
        "The loss promotes two dice exactly if no other die is a 1. How often such sets occur is for games to say.";
    let finding = ClaimTest::named(ClaimId::B11, "sets").exact(share > 0.5, share, all.len(), details);
    let note = "All sets of speeds 1 to 6 that show 25 together and hold a 5.";
    let headings = ["dice", "sets", "the loss of a 5 promotes two"];
    finding.with_table("Sets of dice with a 5, by the number of dice", note, headings, rows)
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

/// Visits the lines of up to `turns` turns that end with the capture of one of White's 5s, with the number of dice that
/// each promotes.
fn for_each_capture(position: &Position, turns: u32, visit: &mut impl FnMut(usize)) {
    if turns == 0 {
        return;
    }
    let white = position.dice(Player::White);
    let speeds = |dice: chase_engine::chase::Bitboard| -> Vec<u8> {
        let dice = dice.into_iter().filter_map(|cell| position.die(cell));
        dice.map(|die| die.speed.pips()).collect()
    };
    for action in position.legal_actions() {
        let mut next = *position;
        next.play_unchecked(action);
        let left = next.dice(Player::White);
        if position.to_move() == Player::Black && speeds(white & !left).contains(&5) {
            visit(promotions(&speeds(left), speeds(white & !left).iter().sum()));
            continue;
        }
        let absorbs = matches!(action, Action::Absorb { .. });
        for_each_capture(&next, if absorbs { turns } else { turns - 1 }, visit);
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
