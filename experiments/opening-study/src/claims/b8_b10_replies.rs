//! B8 and B10: the replies that the article calls best, by the rules and by games.

use std::collections::HashSet;

use chase_engine::Player;
use chase_engine::chase::{Action, Bitboard, Cell, Position};

use super::method::games::{Answer, GamesAnalysis, Pool, Sides, still_open, within};
use super::method::measure::Measure;
use crate::claim_test::{ClaimTest, Estimate};
use crate::evidence::exact::lines::{attackers, ends_on};
use crate::evidence::games::{Answered, SeriesId, away_openings, four_openings};
use crate::{ClaimId, Finding, FirstMove, OpeningClass, RivalReply, Subject, TestEvidence, first_moves};
use chase_report::exhibit::{Arrow, Board};
use chase_statistics::{MeanEstimate, Verdict};

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
    /// B8 and B10.
    pub(crate) fn replies(&self, pool: &Pool) -> Vec<Answer> {
        if !self.design.config.replies {
            return Vec::new();
        }
        let claims = [(ClaimId::B8, away_openings()), (ClaimId::B10, four_openings())];
        let mut answers = Vec::new();
        for (claim, all) in claims {
            let duels = |answered: &Answered| answered.named.len() * self.rivals(answered, pool).len();
            let comparisons = all.iter().map(duels).sum::<usize>().max(1);
            answers.extend(
                all.iter()
                    .map(|answered| self.reply(claim, answered, pool, comparisons)),
            );
        }
        answers
    }

    /// The rivals of the named replies: all other replies, or, in a study that did not force all of them, the one that
    /// each player itself would choose, if that is never a named one.
    fn rivals(&self, answered: &Answered, pool: &Pool) -> Vec<Rival> {
        let first = answered.first.action();
        let forced = |reply: Action| pool.of(|player| vec![SeriesId::reply(player, first, reply)]);
        if self.design.config.all_replies {
            let rival = |&reply: &Action| Rival {
                name: reply.to_string(),
                sides: forced(reply),
            };
            return answered.others.iter().map(rival).collect();
        }
        let own = pool.players.iter().map(|&player| {
            let own = self.design.players[player].reply(first)?;
            (!answered.named.contains(&own)).then_some(Sides {
                plus: vec![SeriesId::reply(player, first, own)],
                minus: Vec::new(),
            })
        });
        let rival = |sides| Rival {
            name: "what each player would choose".to_owned(),
            sides,
        };
        own.collect::<Option<_>>().map(rival).into_iter().collect()
    }

    /// Tests whether one of the named replies is as good for Black as every other one. If the article names several,
    /// the best one by the games of all players decides, so that the same reply is compared for every agent.
    fn reply(&self, claim: ClaimId, answered: &Answered, pool: &Pool, comparisons: usize) -> Answer {
        let of_pool = |pool: &Pool| -> Vec<Answer> {
            let named = answered.named.iter();
            let answers = named.map(|&reply| self.named_reply(claim, answered, reply, pool, comparisons));
            answers.collect()
        };
        let rank = |answer: &Answer| match answer.finding.verdict {
            Verdict::Supported => 2,
            Verdict::Inconclusive => 1,
            Verdict::Refuted => 0,
        };
        let mean = |answer: &Answer| {
            let effect = answer.finding.effect.as_ref();
            effect.map_or(f64::NEG_INFINITY, |effect| effect.value)
        };
        let best_of = |answers: &[Answer]| {
            let numbered = answers.iter().enumerate();
            let best = numbered.max_by(|(_, a), (_, b)| rank(a).cmp(&rank(b)).then(mean(a).total_cmp(&mean(b))));
            best.map_or(0, |(index, _)| index)
        };
        let mut own = of_pool(pool);
        let all = Pool::all(self.design);
        let best = if *pool == all {
            best_of(&own)
        } else {
            best_of(&of_pool(&all))
        };
        let open = if own.iter().any(|answer| answer.finding.verdict == Verdict::Supported) {
            HashSet::new()
        } else {
            own.iter().flat_map(|answer| &answer.open).copied().collect()
        };
        let Answer { finding, plans, .. } = own.swap_remove(best);
        Answer { finding, open, plans }
    }

    /// One named reply compared with each of its rivals.
    fn named_reply(
        &self,
        claim: ClaimId,
        answered: &Answered,
        reply: Action,
        pool: &Pool,
        comparisons: usize,
    ) -> Answer {
        let (first, opening) = (answered.first.action(), answered.first.text());
        let shared = pool.sharing(comparisons);
        let margin = self.design.config.margin;
        let duels = self.rivals(answered, pool).into_iter().map(|rival| {
            let named = pool.of(|player| vec![SeriesId::reply(player, first, reply)]);
            // White's score after the other reply minus the score after this one is Black's gain.
            let sides = rival.sides.into_iter().zip(named);
            let sides = sides.map(|(rival, named)| Sides {
                plus: rival.plus,
                minus: named.plus,
            });
            let sides: Vec<Sides> = sides.collect();
            let gain = self.estimate(Measure::Score, &sides, shared);
            let duel = RivalReply {
                reply: rival.name,
                gain,
                as_good: gain.map_or(Verdict::Inconclusive, |gain| gain.greater_than(-margin)),
            };
            (duel, sides)
        });
        let mut duels: Vec<(RivalReply, Vec<Sides>)> = duels.collect();
        let gain = |duel: &RivalReply| duel.gain.map_or(f64::INFINITY, |gain| gain.mean);
        duels.sort_by(|(a, _), (b, _)| gain(a).total_cmp(&gain(b)));
        let verdict = match duels[..] {
            [] => Verdict::Inconclusive,
            _ => Verdict::all(duels.iter().map(|(duel, _)| duel.as_good)),
        };
        let count = |wanted| duels.iter().filter(|(duel, _)| duel.as_good == wanted).count();
        let undecided = duels.iter().filter(|(duel, _)| duel.as_good == Verdict::Inconclusive);
        let open = still_open(
            verdict,
            undecided.flat_map(|(_, sides)| sides.iter().flat_map(Sides::series)),
        );
        let rows = duels.iter().map(|(duel, _)| {
            let blocks = duel.gain.map_or(0, |gain| gain.n).to_string();
            [
                duel.reply.clone(),
                within(duel.gain, Measure::Score.unit()),
                blocks,
                duel.as_good.name().to_owned(),
            ]
        });
        let closest: Option<(&str, MeanEstimate)> =
            duels.first().and_then(|(duel, _)| Some((&*duel.reply, duel.gain?)));
        let test = ClaimTest::named(claim, "reply")
            .with("opening", &opening)
            .with("reply", reply);
        let test = test
            .with("rival", closest.map_or("none", |(rival, _)| rival))
            .measuring_blocks();
        let statement = test.statement(&self.design.config);
        let test = test.by(&format!(
            "anytime-valid intervals by betting, the claim's error shared by {shared} comparisons"
        ));
        let finding = test
            .estimated(closest.map(|(_, gain)| Estimate::from(&gain)), statement)
            .saying(format!(
                "Shown to be as good as {} of {} other replies, and worse than {}.",
                count(Verdict::Supported),
                duels.len(),
                count(Verdict::Refuted)
            ));
        let note = "Score of the second player after the named reply minus that after the other, the strongest rival first. The \
                    intervals hold together, and at every moment.";
        let headings = ["other reply", "gain", "blocks", "as good"];
        let finding = self
            .by(pool, finding)
            .with_about(Subject::line(&[first, reply]))
            .with_table(
                format!("{opening} {reply} against every other reply"),
                note,
                headings,
                rows,
            );
        // All rivals have the same plan.
        let plans = duels
            .first()
            .map(|(_, sides)| self.plan(Measure::Score, sides, shared, -margin));
        let rivals = duels.into_iter().map(|(duel, _)| duel).collect();
        let finding = finding.with_test_evidence(TestEvidence {
            rivals: Some(rivals),
            ..TestEvidence::default()
        });
        Answer {
            finding: Finding { verdict, ..finding },
            open,
            plans: plans.into_iter().collect(),
        }
    }
}

/// A reply, or the players' own choice, that a named reply is compared with.
struct Rival {
    name: String,
    sides: Vec<Sides>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::tests::world::{Truth, answers, design_of, verdicts};
    use crate::evidence::games::{ForcedPlies, GamesConfig, Series};

    /// Verdicts on B8 where White's score after a reply is `score`, given true if the article names the reply, and its
    /// index among the others.
    fn in_a_world(repetition: u64, score: impl Fn(bool, usize) -> f64) -> Vec<Verdict> {
        let design = design_of(GamesConfig {
            replies: true,
            all_replies: true,
            ..GamesConfig::default()
        });
        let openings = [away_openings(), four_openings()].concat();
        let truth = |series: &Series| {
            let score = match series.id.forced {
                ForcedPlies::Reply([first, reply]) => {
                    let answered = openings.iter().find(|answered| answered.first.action() == first);
                    let place = answered.and_then(|answered| answered.others.iter().position(|&other| other == reply));
                    score(place.is_none(), place.unwrap_or(0))
                }
                _ => 0.5,
            };
            Truth {
                score,
                ..Truth::default()
            }
        };
        let answers = answers(&design, repetition, truth, |analysis, pool| analysis.replies(pool));
        verdicts(&answers, ClaimId::B8)
    }

    #[test]
    fn the_best_reply_is_found_among_all_and_a_better_one_too() {
        assert_eq!(
            in_a_world(1, |named, _| if named { 0.15 } else { 0.6 }),
            [Verdict::Supported; 4]
        );
        let one_is_better = |named: bool, place: usize| if !named && place == 7 { 0.1 } else { 0.6 };
        assert_eq!(in_a_world(2, one_is_better), [Verdict::Refuted; 4]);
        // All are alike: there are too few games to show it, and no reply is ever better.
        assert!(!in_a_world(3, |_, _| 0.5).contains(&Verdict::Refuted));
    }
}
