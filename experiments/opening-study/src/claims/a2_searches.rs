//! A2: the number of strong first moves and replies, by searches, and the stability of their ranking.

use std::collections::BTreeSet;

use chase_engine::Player;
use chase_engine::chase::{Action, Position};
use serde_json::json;

use super::method::search::{MARGIN, Opinion, SEVERAL};
use crate::evidence::search::{AgentEvidence, BranchRecord, SearchEvidence, Stability, score_for};
use crate::{ClaimId, EffectUnit, Finding, FirstMove, OpeningClass, first_moves};
use chase_report::chart::Quantity;
use chase_report::exhibit::{Arrow, Board, LinePlot, PlotLine, Table};

impl SearchEvidence {
    /// Claim A2: first moves that are nearly as good as the best.
    pub(crate) fn several_first_moves(&self) -> Finding {
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
                EffectUnit::Moves,
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
        // The strength and variety of openings are decided by games and their results; searches are context.
        finding.as_context()
    }

    fn first_move_board(&self, agent: &AgentEvidence, moves: &[FirstMove]) -> Option<Board> {
        let scores = agent.first_scores(self.largest_budget())?;
        let least = scores.iter().copied().fold(f64::INFINITY, f64::min);
        let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut arrows: Vec<_> = moves.iter().zip(&scores).collect();
        // Best on top.
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
}

impl SearchEvidence {
    /// Claim A2: the same for replies to the best first move.
    pub(crate) fn several_replies(&self) -> Finding {
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
            ("number of replies to the best first move within 0.02 of the best reply", EffectUnit::Moves),
            &format!(
                "replies, to the first move with the highest score, whose expected score is within {MARGIN} of the best one's; \
                 several: {SEVERAL} or more"
            ),
        );
        finding.as_context()
    }
}

impl SearchEvidence {
    /// The mean value of each class against the budget.
    pub(crate) fn class_lines(&self, moves: &[FirstMove]) -> LinePlot {
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
                .map(|class| PlotLine {
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
