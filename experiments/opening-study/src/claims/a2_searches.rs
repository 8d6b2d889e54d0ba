//! A2: the number of strong first moves and replies, by searches, and the stability of their ranking.

use std::collections::BTreeSet;

use chase_engine::Player;
use chase_engine::chase::Action;

use super::a2_openings::first_move_board;
use super::a2_rankings::figure;
use super::method::search::{MARGIN, Opinion, SEVERAL};
use crate::claim_test::ClaimTest;
use crate::evidence::search::{AgentEvidence, BranchRecord, SearchEvidence, Stability, score_for};
use crate::{ClaimId, Finding, OpeningClass, first_moves};
use chase_report::chart::Quantity;
use chase_report::exhibit::{LinePlot, PlotLine, Table};
use chase_report::number::{self, NONE};

impl SearchEvidence {
    /// Claim A2: first moves that are nearly as good as the best. The strength and variety of openings are decided by
    /// games and their results; searches are context.
    pub(crate) fn several_first_moves(&self) -> Finding {
        let moves = first_moves();
        let opinions = self.ask(|agent, budget| {
            let scores = agent.first_scores(budget)?;
            let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let good = moves.iter().zip(&scores).filter(|&(_, &score)| score >= best - MARGIN);
            // A move and its mirror image count once.
            let pairs: BTreeSet<_> = good.map(|(first, _)| first.action().min(first.mirror())).collect();
            Some(Opinion::of(
                agent,
                budget,
                Some(pairs.len() >= SEVERAL),
                pairs.len() as f64,
            ))
        });
        let mut finding = self.finding(ClaimTest::named(ClaimId::A2, "first moves by search"), &opinions);
        if let Some(agent) = self.agents.last() {
            let note = format!("By searches of {} simulations; {}.", self.largest_budget(), agent.agent);
            let board = agent.first_scores(self.largest_budget()).map(|scores| {
                let scores: Vec<_> = moves.iter().zip(scores).collect();
                first_move_board("First moves by value", &note, &scores)
            });
            finding.exhibits.extend(board.map(Into::into));
            finding.exhibits.push(self.first_move_table(agent).into());
            finding.exhibits.push(self.class_lines(agent).into());
        }
        with_stability(finding, &Stability::of(self))
    }

    fn first_move_table(&self, agent: &AgentEvidence) -> Table {
        let largest = agent.branch(self.largest_budget(), &[]);
        let score_of =
            |record: Option<&BranchRecord>, action: Action| record.and_then(|record| record.line(action)?.score);
        let percent = |share: Option<f64>| share.map_or(NONE.to_owned(), number::percent);
        let mut moves = first_moves();
        let score = |action| score_of(largest, action).unwrap_or(f64::NEG_INFINITY);
        moves.sort_by(|a, b| score(b.action()).total_cmp(&score(a.action())));
        let rows = moves.iter().map(|first| {
            let line = largest.and_then(|record| record.line(first.action()));
            let scores = self
                .budgets
                .iter()
                .map(|&budget| score_of(agent.branch(budget, &[]), first.action()));
            let mut row = vec![first.text(), first.class.name().to_owned()];
            row.extend(scores.map(percent));
            row.push(percent(score_of(largest, first.mirror())));
            row.push(percent(line.map(|line| line.prior)));
            row.push(line.map_or(NONE.to_owned(), |line| line.visits.to_string()));
            row
        });
        let budgets = self.budgets.iter().map(|budget| format!("score, {budget}"));
        let headings = ["first move", "class"].map(str::to_owned).into_iter().chain(budgets);
        Table {
            title: "First moves, best first".to_owned(),
            note: format!(
                "Expected score of the first player by a search of its own for each move, with rising numbers of simulations; the \
                 mirror image's score, the network's probability and the visits from the initial position with the most. {}.",
                agent.agent
            ),
            headings: headings
                .chain(["mirror image", "prior", "visits"].map(str::to_owned))
                .collect(),
            rows: rows.collect(),
        }
    }

    /// Claim A2: the same for replies to the best first move.
    pub(crate) fn several_replies(&self) -> Finding {
        let moves = first_moves();
        let opinions = self.ask(|agent, budget| {
            let best_first = agent.branch(self.largest_budget(), &[])?.best_for(Player::White)?;
            let mut moves = moves.iter();
            let first = moves.find(|first| first.action().to_string() == best_first.action)?;
            let record = agent.branch(budget, &[first.action()])?;
            let best = score_for(Player::Black, record.best_for(Player::Black)?);
            let good = record
                .lines
                .iter()
                .filter(|line| score_for(Player::Black, line) >= best - MARGIN);
            let good = good.count();
            Some(Opinion::of(agent, budget, Some(good >= SEVERAL), good as f64))
        });
        self.finding(ClaimTest::named(ClaimId::A2, "replies by search"), &opinions)
    }

    /// The mean value of each class against the budget.
    fn class_lines(&self, agent: &AgentEvidence) -> LinePlot {
        let moves = first_moves();
        let mean = |class: OpeningClass, budget: u32| {
            let scores = agent.first_scores(budget)?;
            let inside = moves.iter().zip(scores).filter(|(first, _)| first.class == class);
            let inside: Vec<f64> = inside.map(|(_, score)| score).collect();
            Some(inside.iter().sum::<f64>() / inside.len() as f64)
        };
        let line = |class: OpeningClass| PlotLine {
            name: class.name().to_owned(),
            points: self
                .budgets
                .iter()
                .map(|&budget| (budget.into(), mean(class, budget), None))
                .collect(),
        };
        LinePlot {
            title: "Classes of first moves with growing searches".to_owned(),
            note: format!("Mean over the moves of each class; {}.", agent.agent),
            x: "simulations".to_owned(),
            x_quantity: Quantity::Whole,
            x_logarithmic: true,
            y: "expected score of the first player".to_owned(),
            y_quantity: Quantity::Percent,
            reference: Some((0.5, "even".to_owned())),
            series: OpeningClass::ALL.map(line).to_vec(),
        }
    }
}

fn with_stability(finding: Finding, stability: &Stability) -> Finding {
    let groups = [&stability.budgets, &stability.agents, &stability.visits];
    let rows = groups.into_iter().flatten().map(|of| {
        [
            of.first.clone(),
            of.second.clone(),
            figure(of.kendall),
            figure(of.spearman),
        ]
    });
    let mirrors = stability.mirror.iter();
    let mirrors = mirrors.map(|of| {
        format!(
            "{}, {} simulations: {:.3}",
            of.agent, of.simulations, of.root_mean_square
        )
    });
    let note = format!(
        "Rank correlations over all first moves; they are all that there are, so that there is no interval. Mirror images differ \
         in score by (root mean square): {}.",
        mirrors.collect::<Vec<_>>().join("; ")
    );
    let headings = ["ranking", "against", "Kendall's τ", "Spearman's ρ"];
    finding.with_table("How stable the ranking of the first moves is", note, headings, rows)
}
