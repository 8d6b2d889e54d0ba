//! What searches say of claims A2, B5 and B7 to B10.
//!
//! A search's value has no sampling error, but is one agent's opinion: another agent, or a deeper search, may hold another.
//! So a statement is supported if it holds, by the margin stated, for the last agent of every training run with each of its
//! two largest budgets, refuted if the opposite does, and open else; and it decides a claim only if there are [`LEAST_RUNS`]
//! independently trained agents. Earlier agents of a run stand in the evidence. Differences below the margin, or below what
//! tells mirror images apart, count as none.

use std::collections::BTreeSet;

use chase_engine::Player;
use chase_engine::chase::{Action, Position};
use serde_json::json;

use super::branch::{BranchRecord, score_for};
use super::evidence::{AgentEvidence, SearchEvidence};
use super::ranking::lowest_by_chance;
use super::stability::{Stability, mirror_difference};
use crate::study::games::{Answered, away_openings, four_openings};
use crate::study::{
    Arrow, Board, ClaimId, Effect, Finding, FirstMove, LinePlot, OpeningClass, Quantity, Series, Table, Verdict,
    first_moves,
};

/// Difference in score that counts: one game in fifty.
pub const MARGIN: f64 = 0.02;
/// Independently trained agents from which on searches decide.
pub const LEAST_RUNS: usize = 3;
/// Chance that random classes come out as low, shared by the two classes that are tested (Bonferroni).
const CHANCE: f64 = 0.05 / 2.0;
/// How many distinct moves are several: more than one move and its mirror image.
const SEVERAL: usize = 3;

/// What one agent's searches of one budget say of a statement.
struct Opinion {
    agent: String,
    simulations: u32,
    /// `Some(true)` if it holds by the margin, `Some(false)` if the opposite does.
    holds: Option<bool>,
    effect: f64,
    details: serde_json::Value,
}

impl SearchEvidence {
    /// The findings. What command gives them again is for the caller to add.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = vec![
            self.several_first_moves(),
            self.several_replies(),
            self.more_defensive(),
        ];
        let away = [OpeningClass::ThreeAway, OpeningClass::FiveAway];
        let four = [OpeningClass::Four];
        findings.push(self.poor_class(ClaimId::B7, "3s and 5s that go away, by search", &away));
        findings.push(self.named_replies_are_best(
            ClaimId::B8,
            "the wraparound bump among all replies, by search",
            &away_openings(),
        ));
        findings.push(self.poor_class(ClaimId::B9, "first moves of a 4, by search", &four));
        findings.push(self.named_replies_are_best(
            ClaimId::B10,
            "the capture among all replies, by search",
            &four_openings(),
        ));
        findings
    }

    /// Asks every agent with its two largest budgets; opinions that cannot be had are left out.
    fn ask(&self, opinion: impl Fn(&AgentEvidence, u32) -> Option<Opinion>) -> Vec<Opinion> {
        let largest = self.budgets.iter().rev().take(2).rev();
        let asked = largest.flat_map(|&budget| self.agents.iter().map(move |agent| (agent, budget)));
        asked.filter_map(|(agent, budget)| opinion(agent, budget)).collect()
    }

    /// A finding from opinions, of which those of independent agents count.
    fn finding(&self, claim: ClaimId, part: &str, opinions: &[Opinion], effect: (&str, &str), test: &str) -> Finding {
        let independent: Vec<&str> = self.independent().iter().map(|agent| agent.agent.as_str()).collect();
        let counts = |opinion: &&Opinion| independent.contains(&opinion.agent.as_str());
        let counted: Vec<&Opinion> = opinions.iter().filter(counts).collect();
        let agreeing = |holds| counted.iter().filter(|opinion| opinion.holds == Some(holds)).count();
        let verdict = match (counted.len(), agreeing(true), agreeing(false)) {
            (1.., agree, _) if agree == counted.len() => Verdict::Supported,
            (1.., _, oppose) if oppose == counted.len() => Verdict::Refuted,
            _ => Verdict::Inconclusive,
        };
        let largest = counted
            .iter()
            .filter(|opinion| opinion.simulations == self.largest_budget());
        let effects: Vec<f64> = largest.map(|opinion| opinion.effect).collect();
        let effect = (!effects.is_empty()).then(|| Effect {
            name: effect.0.to_owned(),
            unit: effect.1.to_owned(),
            value: effects.iter().sum::<f64>() / effects.len() as f64,
            interval: None,
            level: None,
        });
        let summary = match &effect {
            None => "No agent searched it.".to_owned(),
            Some(effect) => format!(
                "The {} is {} with {} simulations{}; of {} searches by independent agents with the two largest budgets {} \
                 agree with the claim, {} contradict it.",
                effect.name,
                number(effect),
                self.largest_budget(),
                if effects.len() > 1 { ", on average" } else { "" },
                counted.len(),
                agreeing(true),
                agreeing(false),
            ),
        };
        let runs = independent.len();
        let test = format!(
            "{test}; every move is followed by a search of its own; supported if the last agent of every training run agrees \
             with each of its two largest budgets, refuted if all contradict; {runs} independently trained, and from \
             {LEAST_RUNS} on they decide; no interval: a search has no sampling error, and agents are too few"
        );
        let mut finding =
            Finding::empirical(claim, part, verdict, summary).with_test(runs as u64, "trained agents", test);
        finding.effect = effect;
        finding.evidence = json!(
            opinions
                .iter()
                .map(|opinion| json!({
                    "agent": opinion.agent, "simulations": opinion.simulations, "counts": counts(&opinion),
                    "agrees": opinion.holds, "effect": opinion.effect, "details": opinion.details,
                }))
                .collect::<Vec<_>>()
        );
        finding.agent = match independent[..] {
            [agent] => Some(agent.to_owned()),
            _ => None,
        };
        if runs < LEAST_RUNS {
            finding.as_context()
        } else {
            finding
        }
    }

    /// Claim A2: first moves that are nearly as good as the best.
    fn several_first_moves(&self) -> Finding {
        let moves = first_moves();
        let opinions = self.ask(|agent, budget| {
            let scores = agent.first_scores(budget)?;
            let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let good = |margin: f64| moves.iter().zip(&scores).filter(move |&(_, &score)| score >= best - margin);
            // A move and its mirror image count once.
            let pairs: BTreeSet<_> =
                good(MARGIN).map(|(first, _)| first.action().min(first.mirror())).collect();
            Some(Opinion {
                agent: agent.agent.clone(),
                simulations: budget,
                holds: Some(pairs.len() >= SEVERAL),
                effect: pairs.len() as f64,
                details: json!({
                    "best_score": best,
                    "within_0.02": good(0.02).count(), "within_0.05": good(0.05).count(), "within_0.1": good(0.1).count(),
                    "moves": good(MARGIN).map(|(first, score)| json!([first.text(), score])).collect::<Vec<_>>(),
                }),
            })
        });
        let mut finding = self.finding(
            ClaimId::A2,
            "several strong first moves, by search",
            &opinions,
            (
                "number of first moves, mirror images counted once, within 0.02 of the best",
                "moves",
            ),
            &format!(
                "first moves whose expected score is within {MARGIN} of the best one's; several: {SEVERAL} or more"
            ),
        );
        if let Some(agent) = self.agents.last() {
            finding
                .exhibits
                .extend(self.first_move_board(agent, &moves).map(Into::into));
            finding.exhibits.push(self.first_move_table(agent, &moves).into());
        }
        finding.exhibits.push(self.class_lines(&moves).into());
        finding.exhibits.push(stability_table(&Stability::of(self)).into());
        // Games and their results say how strong and how varied openings are; this is the searches' side of it.
        finding.as_context()
    }

    /// Claim A2: the same for replies to the best first move.
    fn several_replies(&self) -> Finding {
        let moves = first_moves();
        let opinions = self.ask(|agent, budget| {
            let best_first = agent.branch(self.largest_budget(), &[])?.best_for(Player::White)?;
            let first = moves
                .iter()
                .find(|first| first.action().to_string() == best_first.action)?;
            let record = agent.branch(budget, &[first.action()])?;
            let best = score_for(Player::Black, record.best_for(Player::Black)?);
            let good = || {
                record
                    .lines
                    .iter()
                    .filter(|line| score_for(Player::Black, line) >= best - MARGIN)
            };
            Some(Opinion {
                agent: agent.agent.clone(),
                simulations: budget,
                holds: Some(good().count() >= SEVERAL),
                effect: good().count() as f64,
                details: json!({
                    "first_move": first.text(), "best_score_of_black": best,
                    "replies": good().map(|line| json!([line.text, line.score])).collect::<Vec<_>>(),
                }),
            })
        });
        let finding = self.finding(
            ClaimId::A2,
            "several strong replies, by search",
            &opinions,
            ("number of replies to the best first move within 0.02 of the best reply", "moves"),
            &format!(
                "replies, to the first move with the highest score, whose expected score is within {MARGIN} of the best one's; \
                 several: {SEVERAL} or more"
            ),
        );
        finding.as_context()
    }

    /// Claim B5: the value of 1A8A7 against that of 1A6A7. A value says who is better, not who defends.
    fn more_defensive(&self) -> Finding {
        let moves = first_moves();
        let opinions = self.ask(|agent, budget| {
            let record = agent.branch(budget, &[])?;
            let line = |text: &str| {
                let first = moves.iter().find(|first| first.text() == text)?;
                record.line(first.action())
            };
            let (defensive, aggressive) = (line("1A8A7")?, line("1A6A7")?);
            Some(Opinion {
                agent: agent.agent.clone(),
                simulations: budget,
                holds: None,
                effect: defensive.score? - aggressive.score?,
                details: json!({
                    "draw_1A8A7": defensive.draw, "draw_1A6A7": aggressive.draw,
                    "mirror_images": [line("1A2A3").and_then(|line| line.score), line("1A4A3").and_then(|line| line.score)],
                }),
            })
        });
        let finding = self.finding(
            ClaimId::B5,
            "value of 1A8A7 less that of 1A6A7, by search",
            &opinions,
            ("score after 1A8A7 less that after 1A6A7", "score"),
            "difference of expected scores, told beside the claim: a value says who is better off, not who defends",
        );
        finding.as_context()
    }

    /// Claims B7 and B9: a class of first moves against all others.
    fn poor_class(&self, claim: ClaimId, part: &str, classes: &[OpeningClass]) -> Finding {
        let moves = first_moves();
        let opinions = self.ask(|agent, budget| {
            let scores = agent.first_scores(budget)?;
            let noise = mirror_difference(agent, budget)?.root_mean_square;
            let pairs = mirror_means(&moves, &scores);
            let (inside, outside): (Vec<_>, Vec<_>) =
                pairs.into_iter().partition(|&(class, _)| classes.contains(&class));
            let mean = |pairs: &[(OpeningClass, f64)]| {
                pairs.iter().map(|&(_, score)| score).sum::<f64>() / pairs.len().max(1) as f64
            };
            let effect = mean(&inside) - mean(&outside);
            let units: Vec<f64> = inside.iter().chain(&outside).map(|&(_, score)| score).collect();
            let chance = lowest_by_chance(&units, inside.len());
            let holds = if chance <= CHANCE && effect <= -MARGIN.max(noise) {
                Some(true)
            } else if effect >= 0.0 {
                Some(false)
            } else {
                None
            };
            Some(Opinion {
                agent: agent.agent.clone(),
                simulations: budget,
                holds,
                effect,
                details: json!({
                    "mean_of_class": mean(&inside), "mean_of_others": mean(&outside), "chance": chance,
                    "mirror_difference": noise,
                }),
            })
        });
        self.finding(
            claim,
            part,
            &opinions,
            ("mean score of these first moves less that of all others", "score"),
            &format!(
                "mean expected score of the class less that of all other first moves, mirror images taken together; poor if \
                 lower by {MARGIN} and by more than mirror images differ, and a random choice of as many pairs of mirror images \
                 is as low with a chance of at most {CHANCE} (exact test over all choices, corrected for two classes); the \
                 opposite is a class no worse than the others"
            ),
        )
    }

    /// Claims B8 and B10: the replies that the article names against all replies.
    fn named_replies_are_best(&self, claim: ClaimId, part: &str, openings: &[Answered]) -> Finding {
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
            ("score that the named reply gives away against the best reply", "score"),
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

    fn first_move_board(&self, agent: &AgentEvidence, moves: &[FirstMove]) -> Option<Board> {
        let scores = agent.first_scores(self.largest_budget())?;
        let least = scores.iter().copied().fold(f64::INFINITY, f64::min);
        let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut arrows: Vec<_> = moves.iter().zip(&scores).collect();
        // The best ones on top.
        arrows.sort_by(|a, b| a.1.total_cmp(b.1));
        let arrow = |(first, &score): (&FirstMove, &f64)| {
            let share = if most > least {
                (score - least) / (most - least)
            } else {
                0.5
            };
            Arrow::of(first.action()).valued(share, "")
        };
        Some(Board {
            title: "First moves by value".to_owned(),
            note: format!(
                "Expected score of the first player after each first move, by searches of {} simulations; {}.",
                self.largest_budget(),
                agent.agent
            ),
            position: Position::initial().to_string(),
            cells: Vec::new(),
            arrows: arrows.into_iter().map(arrow).collect(),
            scale: Some([format!("{:.1} %", 100.0 * least), format!("{:.1} %", 100.0 * most)]),
        })
    }

    fn first_move_table(&self, agent: &AgentEvidence, moves: &[FirstMove]) -> Table {
        let mut headings: Vec<String> = ["first move", "class"].map(str::to_owned).to_vec();
        headings.extend(self.budgets.iter().map(|budget| format!("score, {budget}")));
        headings.extend(["mirror image", "prior", "visits"].map(str::to_owned));
        let largest = agent.branch(self.largest_budget(), &[]);
        let score_of =
            |record: Option<&BranchRecord>, action: Action| record.and_then(|record| record.line(action)?.score);
        let percent =
            |number: Option<f64>| number.map_or("–".to_owned(), |number| format!("{:.1} %", 100.0 * number));
        let mut rows: Vec<(f64, Vec<String>)> = moves
            .iter()
            .map(|first| {
                let mut row = vec![first.text(), first.class.name().to_owned()];
                for &budget in &self.budgets {
                    row.push(percent(score_of(agent.branch(budget, &[]), first.action())));
                }
                row.push(percent(score_of(largest, first.mirror())));
                let line = largest.and_then(|record| record.line(first.action()));
                row.push(percent(line.map(|line| line.prior)));
                row.push(line.map_or("–".to_owned(), |line| line.visits.to_string()));
                (score_of(largest, first.action()).unwrap_or(f64::NEG_INFINITY), row)
            })
            .collect();
        rows.sort_by(|a, b| b.0.total_cmp(&a.0));
        Table {
            title: "First moves, best first".to_owned(),
            note: format!(
                "Expected score of the first player by a search of its own for each move, with rising numbers of simulations; \
                 the mirror image's score, the network's probability and the visits from the initial position with the most. {}.",
                agent.agent
            ),
            headings,
            rows: rows.into_iter().map(|(_, row)| row).collect(),
        }
    }

    /// The mean value of each class against the budget.
    fn class_lines(&self, moves: &[FirstMove]) -> LinePlot {
        let agent = self.agents.last();
        let mean = |class: OpeningClass, budget: u32| {
            let scores = agent?.first_scores(budget)?;
            let inside: Vec<f64> = moves
                .iter()
                .zip(scores)
                .filter(|(first, _)| first.class == class)
                .map(|(_, score)| score)
                .collect();
            Some(inside.iter().sum::<f64>() / inside.len() as f64)
        };
        LinePlot {
            title: "Classes of first moves with growing searches".to_owned(),
            note: agent.map_or(String::new(), |agent| {
                format!("Mean over the moves of each class; {}.", agent.agent)
            }),
            x: "simulations".to_owned(),
            x_quantity: Quantity::Whole,
            x_logarithmic: true,
            y: "expected score of the first player".to_owned(),
            y_quantity: Quantity::Percent,
            reference: Some((0.5, "even".to_owned())),
            series: OpeningClass::ALL
                .into_iter()
                .map(|class| Series {
                    name: class.name().to_owned(),
                    points: self
                        .budgets
                        .iter()
                        .map(|&budget| (budget.into(), mean(class, budget), None))
                        .collect(),
                })
                .collect(),
        }
    }
}

/// The value of an effect: scores with three digits.
fn number(effect: &Effect) -> String {
    let digits = if effect.unit == "score" { 3 } else { 1 };
    format!("{:.digits$}", effect.value)
}

/// The mean score of every first move and its mirror image, with their class.
fn mirror_means(moves: &[FirstMove], scores: &[f64]) -> Vec<(OpeningClass, f64)> {
    let score = |action: Action| {
        moves
            .iter()
            .position(|first| first.action() == action)
            .map(|index| scores[index])
    };
    let once = moves.iter().filter(|first| first.action() < first.mirror());
    let mean = |first: &FirstMove| {
        Some((
            first.class,
            f64::midpoint(score(first.action())?, score(first.mirror())?),
        ))
    };
    once.filter_map(mean).collect()
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

fn stability_table(stability: &Stability) -> Table {
    let figure = |figure: Option<f64>| figure.map_or("–".to_owned(), |figure| format!("{figure:.2}"));
    let groups = [&stability.budgets, &stability.agents, &stability.visits];
    let rows = groups.into_iter().flatten().map(|agreement| {
        vec![
            agreement.first.clone(),
            agreement.second.clone(),
            figure(agreement.kendall),
            figure(agreement.spearman),
        ]
    });
    let mirrors = stability.mirror.iter().map(|mirror| {
        format!(
            "{}, {} simulations: {:.3}",
            mirror.agent, mirror.simulations, mirror.root_mean_square
        )
    });
    Table {
        title: "How stable the ranking of the first moves is".to_owned(),
        note: format!(
            "Rank correlations over all first moves; they are all that there are, so that there is no interval. Mirror images \
             differ in score by (root mean square): {}.",
            mirrors.collect::<Vec<_>>().join("; ")
        ),
        headings: ["ranking", "against", "Kendall's τ", "Spearman's ρ"]
            .map(str::to_owned)
            .to_vec(),
        rows: rows.collect(),
    }
}
