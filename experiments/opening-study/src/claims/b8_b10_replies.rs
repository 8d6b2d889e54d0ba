//! B8 and B10: the replies that the article calls best, by the rules, by games and by searches.

use std::collections::BTreeMap;

use chase_engine::Player;
use chase_engine::chase::{Action, Cell, Position};
use serde::Serialize;
use serde_json::json;

use super::method::games::{Analysis, Answer, Pool, SCORE, Test};
use super::method::search::{MARGIN, Opinion};
use crate::evidence::exact::lines::{attackers, ends_on};
use crate::evidence::games::{Answered, SeriesId, away_openings, four_openings};
use crate::evidence::search::{BranchRecord, SearchEvidence, score_for};
use crate::{ClaimId, Effect, Finding, FirstMove, OpeningClass, Subject, Unit, first_moves};
use chase_report::exhibit::{Arrow, Board, Table};
use chase_statistics::Verdict;

pub fn findings() -> Vec<Finding> {
    let mut findings = vec![bumps_that_attack()];
    findings.extend(capture_of_a_4());
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

impl Analysis<'_> {
    /// B8 and B10.
    pub(crate) fn replies(&self, pool: &Pool) -> Vec<Answer> {
        if !self.design.config.replies {
            return Vec::new();
        }
        let claims = [(ClaimId::B8, away_openings()), (ClaimId::B10, four_openings())];
        let mut answers = Vec::new();
        for (claim, all) in claims {
            let comparisons = all.iter().map(|answered| answered.named.len()).sum();
            for answered in &all {
                answers.extend(self.reply(claim, answered, pool, comparisons));
            }
        }
        answers
    }

    /// The series of what a player itself replies: its choice without temperature, or where that is a named reply what it
    /// replies with a temperature. `None` if it was not asked.
    fn own_replies(&self, answered: &Answered, player: usize) -> Option<SeriesId> {
        let first = answered.first.action();
        let own = self.design.players[player].reply(first)?;
        Some(if answered.named.contains(&own) {
            SeriesId::first(player, first)
        } else {
            SeriesId::reply(player, first, own)
        })
    }

    /// Whether one of the named replies is as good for Black as what each player itself would reply. The named reply that is
    /// best by the games of all players decides, so that agents are compared by the same one.
    fn reply(&self, claim: ClaimId, answered: &Answered, pool: &Pool, comparisons: usize) -> Option<Answer> {
        let all = self.named_replies(claim, answered, &Pool::all(self.design), comparisons)?;
        let rank = |answer: &Answer| match answer.finding.verdict {
            Verdict::Supported => 2,
            Verdict::Inconclusive => 1,
            Verdict::Refuted => 0,
        };
        let mean = |answer: &Answer| {
            let effect = answer.finding.effect.as_ref();
            effect.map_or(f64::NEG_INFINITY, |effect| effect.value)
        };
        let (best, _) = all
            .iter()
            .enumerate()
            .max_by(|(_, a), (_, b)| rank(a).cmp(&rank(b)).then(mean(a).total_cmp(&mean(b))))?;
        let mut tests = self.named_replies(claim, answered, pool, comparisons)?;
        let open = if tests.iter().any(|test| test.finding.verdict == Verdict::Supported) {
            Default::default()
        } else {
            tests.iter().flat_map(|test| &test.open).copied().collect()
        };
        let mut finding = tests.swap_remove(best).finding;
        let naming = self.naming(answered, pool);
        finding.summary += &match (naming, pool.players.len()) {
            (0, _) => String::new(),
            (1, 1) => " The player itself would choose a reply that the article names.".to_owned(),
            (naming, agents) => format!(" {naming} of {agents} agents would choose a reply that the article names."),
        };
        Some(Answer { finding, open })
    }

    /// How many players would choose a reply that the article names.
    fn naming(&self, answered: &Answered, pool: &Pool) -> usize {
        let own = |&&player: &&usize| {
            let own = self.design.players[player].reply(answered.first.action());
            own.is_some_and(|own| answered.named.contains(&own))
        };
        pool.players.iter().filter(own).count()
    }

    /// Each of the named replies against what each player itself would reply.
    fn named_replies(
        &self,
        claim: ClaimId,
        answered: &Answered,
        pool: &Pool,
        comparisons: usize,
    ) -> Option<Vec<Answer>> {
        let first = answered.first.action();
        let rivals: Option<BTreeMap<usize, SeriesId>> = pool
            .players
            .iter()
            .map(|&player| Some((player, self.own_replies(answered, player)?)))
            .collect();
        let rivals = rivals?;
        let own = pool
            .single()
            .and_then(|player| self.design.players[player].reply(first));
        let rival_name = match own {
            _ if self.naming(answered, pool) == pool.players.len() => "its replies with a temperature".to_owned(),
            Some(own) => format!("{own}, which it would choose"),
            None => "what each agent would choose".to_owned(),
        };
        let tests = answered.named.iter().map(|&reply| {
            // White's score after the other reply less after this one is Black's gain.
            let mut answer = self.answer(Test {
                claim,
                part: format!("{} {reply}", answered.first.text()),
                pool,
                counted: SCORE,
                effect: format!(
                    "Score of the second player after {} {reply}, less after {rival_name}",
                    answered.first.text()
                ),
                sides: pool.against(
                    |player| vec![rivals[&player]],
                    |player| vec![SeriesId::reply(player, first, reply)],
                ),
                threshold: -self.design.config.margin,
                comparisons,
            });
            answer.finding.about = Some(Subject::line(&[first, reply]));
            answer
        });
        Some(tests.collect())
    }
}

impl SearchEvidence {
    /// Claims B8 and B10: the replies that the article names against all replies.
    pub(crate) fn named_replies_are_best(&self, claim: ClaimId, part: &str, openings: &[Answered]) -> Finding {
        let opinions = self.ask(|agent, budget| {
            let replies: Option<Vec<_>> = openings
                .iter()
                .map(|opening| NamedReply::new(agent.branch(budget, &[opening.first.action()])?, opening))
                .collect();
            let replies = replies?;
            let all = |test: fn(&NamedReply) -> bool| replies.iter().all(test);
            Some(Opinion {
                agent: agent.agent.clone(),
                simulations: budget,
                holds: match (
                    all(|reply| reply.shortfall <= MARGIN),
                    all(|reply| reply.shortfall > MARGIN),
                ) {
                    (true, _) => Some(true),
                    (_, true) => Some(false),
                    _ => None,
                },
                effect: replies.iter().map(|reply| reply.shortfall).sum::<f64>() / replies.len().max(1) as f64,
                details: json!(replies.iter().map(NamedReply::details).collect::<Vec<_>>()),
            })
        });
        let mut finding = self.finding(
            claim,
            part,
            &opinions,
            ("score that the named reply gives away against the best reply", Unit::Score),
            &format!(
                "Black's expected score after the best reply less that after the best of the replies that the article names, after \
                 each of these first moves; it holds if it is at most {MARGIN} after all of them, the opposite if it is more \
                 after all"
            ),
        );
        let agent = self.agents.last();
        let rows = openings.iter().filter_map(|opening| {
            let record = agent?.branch(self.largest_budget(), &[opening.first.action()])?;
            Some(NamedReply::new(record, opening)?.row())
        });
        finding.exhibits.push(
            Table {
                title: "The named replies among all replies".to_owned(),
                note: agent.map_or(String::new(), |agent| {
                    format!("{}, {} simulations for each reply.", agent.agent, self.largest_budget())
                }),
                headings: [
                    "first move",
                    "named reply",
                    "rank",
                    "of",
                    "score of Black",
                    "best reply",
                    "its score",
                ]
                .map(str::to_owned)
                .to_vec(),
                rows: rows.collect(),
            }
            .into(),
        );
        finding
    }
}

/// The best of the replies that the article names, among all replies to one first move.
struct NamedReply {
    opening: String,
    reply: String,
    best: String,
    rank: usize,
    replies: usize,
    /// Black's score after it, and after the best reply.
    scores: [f64; 2],
    /// How much it gives away.
    shortfall: f64,
}

impl NamedReply {
    fn new(record: &BranchRecord, opening: &Answered) -> Option<Self> {
        let score = |line| score_for(Player::Black, line);
        let named = opening.named.iter().filter_map(|&action| record.line(action));
        let named = named.max_by(|a, b| score(a).total_cmp(&score(b)))?;
        let best = record.best_for(Player::Black)?;
        let scores = [named, best].map(score);
        Some(Self {
            opening: opening.first.text(),
            reply: named.text.clone(),
            best: best.text.clone(),
            rank: 1 + record.lines.iter().filter(|line| score(line) > scores[0]).count(),
            replies: record.lines.len(),
            scores,
            shortfall: scores[1] - scores[0],
        })
    }

    fn details(&self) -> serde_json::Value {
        json!({
            "first_move": self.opening, "named_reply": self.reply, "best_reply": self.best, "rank": self.rank,
            "replies": self.replies, "score_of_named": self.scores[0], "score_of_best": self.scores[1],
        })
    }

    fn row(&self) -> Vec<String> {
        let percent = |score: f64| format!("{:.1} %", 100.0 * score);
        vec![
            self.opening.clone(),
            self.reply.clone(),
            self.rank.to_string(),
            self.replies.to_string(),
            percent(self.scores[0]),
            self.best.clone(),
            percent(self.scores[1]),
        ]
    }
}
