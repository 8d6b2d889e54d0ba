//! B8 and B10: the replies that the article calls best, by the rules and by games.

use std::collections::HashSet;

use chase_engine::Player;
use chase_engine::chase::{Action, Cell, Position};
use serde::Serialize;
use serde_json::json;

use super::method::games::{Answer, GamesAnalysis, Pool, SCORE, Sides, bounds, effect, still_open, with_interval};
use crate::evidence::exact::lines::{attackers, ends_on};
use crate::evidence::games::{Answered, SeriesId, away_openings, four_openings};
use crate::{
    ClaimId, Effect, EffectUnit, Finding, FirstMove, OpeningClass, RivalReply, Subject, TestEvidence, first_moves,
};
use chase_report::exhibit::{Arrow, Board, Table};
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
    let start = Position::initial();
    let Action::Move { .. } = first.action() else {
        return None;
    };
    let cells = first.result.dice(Player::White).into_iter();
    cells.into_iter().find(|&cell| start.die(cell).is_none())
}

/// A reply after which dice attack the die that a first move put forward.
#[derive(Clone, Debug, Serialize)]
struct Attack {
    first_move: String,
    reply: String,
    attackers: Vec<String>,
    speeds: Vec<u8>,
}

/// A precondition of B8: the bumps that it recommends attack the die as it says.
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
    /// Speed of the capturing die.
    by: u8,
    /// White's dice that it then attacks, before White absorbs.
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
        EffectUnit::FirstMoves,
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
    .with_effect(Effect::exact("captures after which another die is attacked", EffectUnit::Captures, attacking as f64))
    .with_test(
        captures.len() as u64,
        "captures",
        "White's dice that the capturing die reaches by exact count from where it stands then.",
    );
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
        let first = answered.first.action();
        let opening = answered.first.text();
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
            let gain = self.estimate(SCORE, &sides, shared);
            Duel {
                rival: rival.name,
                verdict: gain.map_or(Verdict::Inconclusive, |gain| gain.greater_than(-margin)),
                gain,
                sides,
            }
        });
        let mut duels: Vec<Duel> = duels.collect();
        let gain = |duel: &Duel| duel.gain.map_or(f64::INFINITY, |gain| gain.mean);
        duels.sort_by(|a, b| gain(a).total_cmp(&gain(b)));
        let verdict = match duels[..] {
            [] => Verdict::Inconclusive,
            _ => Verdict::all(duels.iter().map(|duel| duel.verdict)),
        };
        let count = |wanted| duels.iter().filter(|duel| duel.verdict == wanted).count();
        let closest = duels.first().and_then(|duel| Some((duel, duel.gain?)));
        let summary = match closest {
            None => format!(
                "After {opening} {reply}: no games with another reply to compare it with, for every player would choose one \
                 that the article names."
            ),
            Some((duel, gain)) => format!(
                "After {opening}, {reply} gives the second player, against the best other reply by these games ({}), {}; it is \
                 shown to be as good as {} of {} other replies, to {} of a score, and worse than {}.",
                duel.rival,
                with_interval(&gain, SCORE.unit),
                count(Verdict::Supported),
                duels.len(),
                SCORE.unit.in_words(margin),
                count(Verdict::Refuted)
            ),
        };
        let test = format!(
            "differences of matched games to each of {} other replies; as good if none is better by more than the margin; \
             anytime-valid intervals by betting, the claim's error shared by {shared} comparisons; a reply that is decided \
             gets no more games",
            duels.len()
        );
        let undecided = duels.iter().filter(|duel| duel.verdict == Verdict::Inconclusive);
        let undecided = undecided.flat_map(|duel| duel.sides.iter().flat_map(Sides::series));
        let open = still_open(verdict, undecided);
        let rows = duels.iter().map(Duel::row).collect();
        let rivals = duels.iter().map(Duel::evidence).collect();
        let mut finding = self
            .finding(claim, &format!("{opening} {reply}"), pool, verdict, summary)
            .with_test(closest.map_or(0, |(_, gain)| gain.n), "blocks", test)
            .with_test_evidence(TestEvidence {
                threshold: Some(-margin),
                rivals: Some(rivals),
                ..TestEvidence::default()
            })
            .with_about(Subject::line(&[first, reply]))
            .with_exhibit(Table {
                title: format!("{opening} {reply} against every other reply"),
                note: "Score of the second player after the named reply minus that after the other, the strongest rival first. The \
                       intervals hold together, and at every moment."
                    .to_owned(),
                headings: ["other reply", "gain", "interval", "blocks", "as good"].map(str::to_owned).to_vec(),
                rows,
            });
        if let Some((duel, gain)) = closest {
            let name = format!(
                "Score of the second player after {opening} {reply}, minus after {}",
                duel.rival
            );
            finding = finding.with_effect(effect(&name, SCORE.unit, &gain));
        }
        // All rivals have the same plan.
        let plans = duels.first().map(|duel| self.plan(SCORE, &duel.sides, shared, -margin));
        Answer {
            finding,
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

/// A named reply compared with a rival.
struct Duel {
    rival: String,
    /// Black's score after the named reply minus the score after the rival.
    gain: Option<MeanEstimate>,
    /// The verdict that the named reply is as good.
    verdict: Verdict,
    sides: Vec<Sides>,
}

impl Duel {
    fn row(&self) -> Vec<String> {
        let mut row = vec![self.rival.clone()];
        row.extend(self.gain.map_or_else(
            || ["–", "–", "0"].map(str::to_owned),
            |gain| {
                let unit = SCORE.unit;
                [
                    unit.in_words(gain.mean),
                    bounds(&gain.interval, unit),
                    gain.n.to_string(),
                ]
            },
        ));
        row.push(self.verdict.name().to_owned());
        row
    }

    fn evidence(&self) -> RivalReply {
        RivalReply {
            reply: self.rival.clone(),
            gain: self.gain,
            as_good: self.verdict,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::method::world::{Truth, answers, design_of, verdicts};
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
