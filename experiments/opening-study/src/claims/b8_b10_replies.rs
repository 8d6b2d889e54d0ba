//! B8 and B10: the replies that the article calls best, by the rules and by games.

use chase_engine::Player;
use chase_engine::chase::{Action, Bitboard, Cell, Position};

use super::method::games::{Answer, GamesAnalysis, Pool, Sides};
use super::method::measure::Measure;
use crate::claim_test::ClaimTest;
use crate::evidence::exact::lines::{attackers, ends_on};
use crate::evidence::games::{Answered, SeriesId, away_openings, four_openings};
use crate::{ClaimId, Finding, FirstMove, Line, OpeningClass, Subject, first_moves};
use chase_report::exhibit::{Arrow, Board};

pub fn findings() -> Vec<Finding> {
    let mut findings = vec![bumps_that_attack()];
    findings.extend(capture_of_a_4());
    findings
}

fn of_class(class: OpeningClass) -> Vec<FirstMove> {
    first_moves().into_iter().filter(|first| first.class == class).collect()
}

/// The cell of the die that a first move put forward.
fn put_forward(first: &FirstMove) -> Option<Cell> {
    let moved = first.result.dice(Player::White) & !Position::initial().dice(Player::White);
    moved.into_iter().next()
}

/// The speed of the die on a cell; 0 without one.
fn pips(position: &Position, cell: Cell) -> u8 {
    position.die(cell).map_or(0, |die| die.speed.pips())
}

/// `the 5 on F3, the 2 on I2`, with speeds in this position.
fn dice_in_words(position: &Position, dice: Bitboard) -> String {
    let dice = dice
        .into_iter()
        .map(|cell| format!("the {} on {cell}", pips(position, cell)));
    dice.collect::<Vec<_>>().join(", ")
}

/// A precondition of B8: the bumps that it recommends attack the die as it says.
fn bumps_that_attack() -> Finding {
    let (mut rows, mut attacking, mut holds) = (Vec::new(), 0, true);
    for (class, speed) in [(OpeningClass::FiveAway, 3), (OpeningClass::ThreeAway, 5)] {
        for first in of_class(class) {
            let Some(target) = put_forward(&first) else { continue };
            let mut found = false;
            for bump in ["I1E", "I1W"] {
                let action = bump.parse::<Action>().expect("an action in exact form");
                let after = first.result.play(action).expect("the 1 can always bump");
                let dice = attackers(&after, Player::Black, target);
                found |= dice.into_iter().any(|cell| pips(&after, cell) == speed);
                attacking += usize::from(!dice.is_empty());
                rows.push([first.text(), bump.to_owned(), dice_in_words(&after, dice)]);
            }
            holds &= found;
        }
    }
    let details = format!("{attacking} of them attack the die put forward.");
    let finding = ClaimTest::named(ClaimId::B8, "attack").exact(holds, 0.0, rows.len(), details);
    let note = "I1E shifts Black's row to the east, I1W to the west.";
    let headings = ["first move", "reply", "attacks the die put forward"];
    finding.with_table("Wraparound bumps as replies", note, headings, rows)
}

/// B10, the exact part.
fn capture_of_a_4() -> [Finding; 2] {
    let moves = of_class(OpeningClass::Four);
    let (mut rows, mut boards, mut answered, mut attacking) = (Vec::new(), Vec::new(), 0, 0);
    for first in &moves {
        let Some(target) = put_forward(first) else { continue };
        let position = &first.result;
        let captures = position
            .legal_actions()
            .into_iter()
            .filter(|&action| ends_on(position, action, target));
        let mut with_a_4 = false;
        for action in captures {
            let Action::Move { from, .. } = action else { continue };
            let after = position.play(action).expect("a legal action");
            let attacked = after.reach(target) & after.dice(Player::White);
            with_a_4 |= pips(position, from) == 4;
            attacking += usize::from(!attacked.is_empty());
            let reply = position.article_text(action);
            boards.push(Board {
                title: format!("{} {reply}", first.text()),
                note: "Black captures the 4; what its die attacks then is in the table.".into(),
                position: position.to_string(),
                arrows: vec![Arrow::of(action)],
                ..Board::default()
            });
            // Speeds before White absorbs the 4 points.
            let attacks = dice_in_words(position, attacked);
            rows.push([first.text(), reply, pips(position, from).to_string(), attacks]);
        }
        answered += usize::from(with_a_4);
    }
    let captures = rows.len();
    let exists = ClaimTest::named(ClaimId::B10, "capture");
    let exists = exists.exact(answered == moves.len(), answered as f64, moves.len(), "").with_table(
        "Captures of a 4 that moved first",
        "The last column: White's dice that the capturing die attacks then, with the speeds they have before White absorbs the 4 \
         points.",
        ["first move", "reply", "captures with a", "attacks then"],
        rows,
    );
    let exists = boards.into_iter().fold(exists, Finding::with_exhibit);
    let attacks = ClaimTest::named(ClaimId::B10, "attack");
    let attacks = attacks.exact(captures > 0 && attacking == captures, attacking as f64, captures, "");
    [exists, attacks]
}

impl GamesAnalysis<'_> {
    /// B8 and B10: the reply that the article names against the best other one, after each first move.
    pub(crate) fn replies(&self, pool: &Pool) -> Vec<Answer> {
        if !self.design.config.replies {
            return Vec::new();
        }
        let claims = [(ClaimId::B8, away_openings()), (ClaimId::B10, four_openings())];
        let of_claim = |(claim, openings): &(ClaimId, Vec<Answered>)| -> Vec<Answer> {
            let answers = openings.iter().map(|answered| self.reply(*claim, answered, pool));
            answers.collect()
        };
        claims.iter().flat_map(of_claim).collect()
    }

    fn reply(&self, claim: ClaimId, answered: &Answered, pool: &Pool) -> Answer {
        let opening = answered.first.text();
        let sides: Vec<Sides> = pool
            .players
            .iter()
            .filter_map(|&player| self.duel(answered, player))
            .collect();
        let agreeing = pool.players.len() - sides.len();
        let test = ClaimTest::named(claim, "reply").with("opening", &opening);
        let mut answer = self.answer(&test, pool, Measure::Score, sides);
        if agreeing > 0 && !self.design.config.all_replies {
            answer.finding = answer.finding.saying(format!(
                "{agreeing} of {} agents choose a reply themselves that the article names.",
                pool.players.len()
            ));
        }
        let first = answered.first.action();
        let lines = answered.named.iter().map(|&reply| Line::new(&[first, reply]));
        answer.finding = answer.finding.with_about(Subject::Lines(lines.collect()));
        answer
    }

    /// White's score after the best other reply minus that after the best one that the article names, which is Black's
    /// gain. The best ones are those of the other agents' games. Where not all replies were forced, the other one is what
    /// the agent itself would choose; `None` if that is one that the article names.
    fn duel(&self, answered: &Answered, player: usize) -> Option<Sides> {
        let first = answered.first.action();
        let series = |&reply: &Action, player: usize| vec![SeriesId::reply(player, first, reply)];
        // White's score is the least after Black's best reply.
        let best = |replies: &[Action]| match replies {
            [only] => Some(*only),
            _ => self.by_others(Measure::Score, player, replies.to_vec(), series).pop(),
        };
        let named = best(&answered.named)?;
        let rival = match self.design.config.all_replies {
            true => best(&answered.others)?,
            false => self.design.players[player]
                .reply(first)
                .filter(|own| !answered.named.contains(own))?,
        };
        Some(Sides {
            plus: series(&rival, player),
            minus: series(&named, player),
        })
    }
}
