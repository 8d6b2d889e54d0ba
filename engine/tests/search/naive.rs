//! A second search, slow and plain: recursive, one hash map from lines of play to what is known about them, double
//! precision, every formula written out as in its paper.

use std::collections::HashMap;

use chase_engine::search::{GumbelParams, NodeView, PuctParams, SearchParams, Strategy};
use chase_engine::{Game, Outcome, Player, Value};

use crate::evaluators::HashEvaluator;

/// Known facts about the position at the end of one line of play.
struct Known<A> {
    to_move: Player,
    actions: Vec<A>,
    priors: Vec<f64>,
    /// The evaluator's value for the player to move.
    evaluation: f64,
    /// Every visit's value for White.
    values: Vec<f64>,
    proven: Option<Outcome>,
}

pub struct Naive<G: Game> {
    root: G,
    known: HashMap<Vec<G::Action>, Known<G::Action>>,
    evaluator: HashEvaluator,
    params: SearchParams,
}

fn for_white(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::Win(Player::White) => 1.0,
        Outcome::Win(Player::Black) => -1.0,
        _ => 0.0,
    }
}

fn sign(player: Player) -> f64 {
    match player {
        Player::White => 1.0,
        Player::Black => -1.0,
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn softmax(logits: &[f64]) -> Vec<f64> {
    let greatest = logits.iter().copied().fold(f64::MIN, f64::max);
    let exponentials: Vec<f64> = logits.iter().map(|logit| (logit - greatest).exp()).collect();
    let sum: f64 = exponentials.iter().sum();
    exponentials.iter().map(|exponential| exponential / sum).collect()
}

/// The first index of the greatest value.
pub fn argmax(values: &[f64]) -> usize {
    (1..values.len()).fold(0, |best, index| if values[index] > values[best] { index } else { best })
}

/// Completed Q, and the mixed value that completes it: appendix D of the Gumbel paper.
pub fn completed_q(evaluation: f64, priors: &[f64], visits: &[usize], q: &[f64]) -> (Vec<f64>, f64) {
    let visited: Vec<usize> = (0..visits.len()).filter(|&index| visits[index] > 0).collect();
    let total: usize = visits.iter().sum();
    let mass: f64 = visited.iter().map(|&index| priors[index]).sum();
    let searched: f64 = visited.iter().map(|&index| priors[index] * q[index]).sum();
    let mixed = if total == 0 {
        evaluation
    } else {
        (evaluation + total as f64 / mass * searched) / (1.0 + total as f64)
    };
    let completed = (0..visits.len()).map(|index| if visits[index] > 0 { q[index] } else { mixed });
    (completed.collect(), mixed)
}

/// σ of the Gumbel paper.
pub fn sigma(params: &GumbelParams, visits: &[usize], q: &[f64]) -> Vec<f64> {
    let greatest = *visits.iter().max().unwrap() as f64;
    let scale = (f64::from(params.c_visit) + greatest) * f64::from(params.c_scale);
    q.iter().map(|q| scale * q).collect()
}

pub fn improved_policy(params: &GumbelParams, priors: &[f64], visits: &[usize], completed: &[f64]) -> Vec<f64> {
    let transformed = sigma(params, visits, completed);
    let logits: Vec<f64> = priors
        .iter()
        .zip(&transformed)
        .map(|(prior, q)| prior.ln() + q)
        .collect();
    softmax(&logits)
}

impl<G: Game> Naive<G> {
    pub fn run(root: &G, params: &SearchParams, evaluator: HashEvaluator) -> Self {
        let mut naive = Self {
            root: root.clone(),
            known: HashMap::new(),
            evaluator,
            params: *params,
        };
        naive.evaluate(&[], root);
        for _ in 0..params.simulations {
            if naive.known[&Vec::new()].proven.is_some() {
                break;
            }
            let game = naive.root.clone();
            naive.simulate(&mut Vec::new(), game);
        }
        naive
    }

    fn evaluate(&mut self, line: &[G::Action], game: &G) -> f64 {
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        let logits = actions
            .iter()
            .map(|&action| f64::from(self.evaluator.logit(game, action)));
        let wdl = self.evaluator.wdl(game);
        let evaluation = f64::from(wdl.win) - f64::from(wdl.loss);
        let value = sign(game.to_move()) * evaluation;
        let known = Known {
            to_move: game.to_move(),
            priors: softmax(&logits.collect::<Vec<_>>()),
            actions,
            evaluation,
            values: vec![value],
            proven: None,
        };
        self.known.insert(line.to_vec(), known);
        value
    }

    fn child(&self, line: &[G::Action], action: G::Action) -> Option<&Known<G::Action>> {
        let mut longer = line.to_vec();
        longer.push(action);
        self.known.get(&longer)
    }

    /// Visits and Q of each action, for the player to move.
    fn statistics(&self, line: &[G::Action]) -> (Vec<usize>, Vec<f64>) {
        let known = &self.known[line];
        let child = |&action: &G::Action| match self.child(line, action) {
            Some(child) => {
                let value = child.proven.map_or_else(|| mean(&child.values), for_white);
                (child.values.len(), sign(known.to_move) * value)
            }
            None => (0, 0.0),
        };
        known.actions.iter().map(child).unzip()
    }

    fn is_lost(&self, line: &[G::Action], action: G::Action) -> bool {
        let loss = Outcome::Win(!self.known[line].to_move);
        self.child(line, action).is_some_and(|child| child.proven == Some(loss))
    }

    /// One simulation; returns its value for White.
    fn simulate(&mut self, line: &mut Vec<G::Action>, mut game: G) -> f64 {
        let here = line.clone();
        let action = self.known[&here].actions[self.select(&here)];
        game.apply(action);
        line.push(action);
        let settled = self
            .known
            .get(line)
            .is_some_and(|known| known.proven.is_some() || known.actions.is_empty());
        let mut value = if settled || game.outcome().is_some() {
            let outcome = self
                .known
                .get(line)
                .and_then(|known| known.proven)
                .or(game.outcome())
                .unwrap();
            let value = match outcome {
                Outcome::Truncated => mean(&self.known[&here].values),
                outcome => for_white(outcome),
            };
            let end = self.known.entry(line.clone()).or_insert(Known {
                to_move: Player::White,
                actions: Vec::new(),
                priors: Vec::new(),
                evaluation: 0.0,
                values: Vec::new(),
                proven: Some(outcome).filter(|&outcome| outcome != Outcome::Truncated),
            });
            end.values.push(value);
            value
        } else if self.known.contains_key(line) {
            self.simulate(line, game)
        } else {
            self.evaluate(line, &game)
        };
        // Proof by definition, from nothing but the children.
        let player = self.known[&here].to_move;
        let results: Vec<Option<Outcome>> = self.known[&here]
            .actions
            .iter()
            .map(|&action| self.child(&here, action).and_then(|child| child.proven))
            .collect();
        let proven = if results.contains(&Some(Outcome::Win(player))) {
            Some(Outcome::Win(player))
        } else if results.contains(&None) {
            None
        } else if results.contains(&Some(Outcome::Draw)) {
            Some(Outcome::Draw)
        } else {
            Some(Outcome::Win(!player))
        };
        if let Some(outcome) = proven {
            value = for_white(outcome);
        }
        let known = self.known.get_mut(&here).unwrap();
        known.proven = proven;
        known.values.push(value);
        value
    }

    fn select(&self, line: &[G::Action]) -> usize {
        let known = &self.known[line];
        let (visits, q) = self.statistics(line);
        let is_open = |index: usize| !self.is_lost(line, known.actions[index]);
        let scores: Vec<f64> = match &self.params.strategy {
            Strategy::Puct(PuctParams {
                c_puct, fpu_reduction, ..
            }) => {
                let visited: f64 = (0..visits.len())
                    .filter(|&i| visits[i] > 0)
                    .map(|i| known.priors[i])
                    .sum();
                let own = sign(known.to_move) * mean(&known.values);
                let first_play = own - f64::from(*fpu_reduction) * visited.sqrt();
                let parent = known.values.len() as f64;
                let score = |i: usize| {
                    let q = if visits[i] == 0 { first_play } else { q[i] };
                    q + f64::from(*c_puct) * known.priors[i] * parent.sqrt() / (1.0 + visits[i] as f64)
                };
                (0..visits.len()).map(score).collect()
            }
            Strategy::Gumbel(params) => {
                let (completed, _) = completed_q(known.evaluation, &known.priors, &visits, &q);
                if line.is_empty() {
                    let considered = visits.len().min(params.considered_actions as usize);
                    let simulation: usize = visits.iter().sum();
                    let due = sequential_halving(considered, self.params.simulations as usize)[simulation];
                    let open: Vec<usize> = (0..visits.len()).filter(|&i| is_open(i)).collect();
                    // The plan's turn, or after losses the next ahead of the plan, or those nearest behind it.
                    let due = match open.iter().map(|&i| visits[i]).filter(|&n| n >= due).min() {
                        Some(ahead) => ahead,
                        None => open.iter().map(|&i| visits[i]).max().unwrap(),
                    };
                    let transformed = sigma(params, &visits, &completed);
                    let score = |i: usize| match visits[i] == due {
                        true => known.priors[i].ln() + transformed[i],
                        false => f64::NEG_INFINITY,
                    };
                    (0..visits.len()).map(score).collect()
                } else {
                    let improved = improved_policy(params, &known.priors, &visits, &completed);
                    let total: usize = visits.iter().sum();
                    let share = |i: usize| visits[i] as f64 / (1.0 + total as f64);
                    (0..visits.len()).map(|i| improved[i] - share(i)).collect()
                }
            }
        };
        let open: Vec<f64> = (0..scores.len())
            .map(|index| {
                if is_open(index) {
                    scores[index]
                } else {
                    f64::NEG_INFINITY
                }
            })
            .collect();
        argmax(&open)
    }

    /// Compares all that is known with a tree, node by node. Returns the number of nodes.
    pub fn assert_same(&self, root: NodeView<'_, G>) -> usize {
        let nodes = self.compare(&mut Vec::new(), root);
        assert_eq!(nodes, self.known.len(), "both trees have the same nodes");
        nodes
    }

    fn compare(&self, line: &mut Vec<G::Action>, node: NodeView<'_, G>) -> usize {
        let known = &self.known[line];
        assert_eq!(node.visits() as usize, known.values.len(), "visits after {line:?}");
        assert_eq!(node.proven(), known.proven, "proof after {line:?}");
        let (visits, q) = self.statistics(line);
        let mut nodes = 1;
        for (index, edge) in node.edges().enumerate() {
            assert_eq!(edge.action, known.actions[index]);
            assert_eq!(
                edge.visits as usize, visits[index],
                "visits of {:?} after {line:?}",
                edge.action
            );
            assert!((f64::from(edge.prior) - known.priors[index]).abs() < 1e-6);
            if let (Some(Value(found)), Some(child)) = (edge.q, edge.child) {
                assert!(
                    (f64::from(found) - q[index]).abs() < 1e-5,
                    "Q of {:?} after {line:?}",
                    edge.action
                );
                line.push(edge.action);
                nodes += self.compare(line, child);
                line.pop();
            }
        }
        nodes
    }
}

/// Sequential halving played out with counters, from the paper's description: in each of ⌈log₂ m⌉ phases every
/// remaining action gets an equal share of an equal part of the budget, then the better half remains, at least two.
pub fn sequential_halving(considered: usize, simulations: usize) -> Vec<usize> {
    let phases = (considered as f64).log2().ceil() as usize;
    let mut counters = vec![0; considered];
    let mut remaining = considered;
    let mut sequence = Vec::new();
    while sequence.len() < simulations {
        let share = if remaining <= 1 {
            simulations
        } else {
            (simulations / (phases * remaining)).max(1)
        };
        for _ in 0..share {
            for counter in &mut counters[..remaining] {
                sequence.push(*counter);
                *counter += 1;
            }
        }
        remaining = if considered == 1 { 1 } else { (remaining / 2).max(2) };
    }
    sequence.truncate(simulations);
    sequence
}
