//! Evaluators, and the leaves that a search gives them.

use crate::{ByPlayer, Game, Player, Wdl};

/// A position that a search wants evaluated: a game that is not over, and its legal actions.
#[derive(Debug)]
pub struct Leaf<'a, G: Game> {
    /// The game, with the history of the path that the search took to it.
    pub game: &'a G,
    /// All of its legal actions, one or more, in the order of [`Game::legal_actions`].
    pub actions: &'a [G::Action],
}

impl<G: Game> Clone for Leaf<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Leaf<'_, G> {}

/// The evaluation of one leaf.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation<'a> {
    /// Probabilities of the result for the player to move.
    pub wdl: Wdl,
    /// The policy: natural logarithms of probabilities plus any constant, one for each of the leaf's legal actions and
    /// in their order, shape `[actions]`. All finite.
    pub logits: &'a [f32],
}

/// Error returned for an invalid evaluation.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum EvaluationError {
    /// No leaf is waiting for an evaluation.
    #[error("evaluation without a waiting leaf")]
    NoLeaf,
    /// The policy does not match the legal actions.
    #[error("evaluation with {found} policy logits, expected one for each of {expected} legal actions")]
    LogitCount {
        /// Legal actions of the leaf.
        expected: usize,
        found: usize,
    },
    /// A policy logit is infinite or not a number.
    #[error("policy logit {index} of an evaluation is {logit}, expected a finite number")]
    Logit { index: usize, logit: f32 },
    /// The value is not a probability distribution.
    #[error("value of an evaluation is {0:?}, expected probabilities with sum 1")]
    Wdl(Wdl),
    /// An evaluator returned the wrong number of evaluations.
    #[error("evaluator gave {found} evaluations of {expected} leaves")]
    Count { expected: usize, found: usize },
    /// The evaluator itself failed.
    #[error("evaluator failed: {0}")]
    Failed(String),
}

impl Evaluation<'_> {
    /// Deviation of the sum of win, draw and loss from 1 that is attributed to rounding; half precision stays below.
    const WDL_TOLERANCE: f32 = 0.01;

    /// The probability of a win for each player, with a sum of at most 1.
    pub(super) fn wins(&self, to_move: Player) -> ByPlayer<f64> {
        let Wdl { win, draw, loss } = self.wdl;
        let scale = 1.0 / f64::from(win + draw + loss);
        let mut wins = ByPlayer::default();
        wins[to_move] = f64::from(win) * scale;
        wins[!to_move] = f64::from(loss) * scale;
        wins
    }

    pub(super) fn check(&self, actions: usize) -> Result<(), EvaluationError> {
        let Wdl { win, draw, loss } = self.wdl;
        if self.logits.len() != actions {
            return Err(EvaluationError::LogitCount {
                expected: actions,
                found: self.logits.len(),
            });
        }
        // Comparisons that are false for NaN.
        let is_distribution =
            win >= 0.0 && draw >= 0.0 && loss >= 0.0 && (win + draw + loss - 1.0).abs() <= Self::WDL_TOLERANCE;
        if !is_distribution {
            return Err(EvaluationError::Wdl(self.wdl));
        }
        match self.logits.iter().position(|logit| !logit.is_finite()) {
            Some(index) => Err(EvaluationError::Logit {
                index,
                logit: self.logits[index],
            }),
            None => Ok(()),
        }
    }
}

/// Evaluations of a batch of leaves, in memory that is reused between batches.
#[derive(Clone, Debug, Default)]
pub struct Evaluations {
    wdl: Vec<Wdl>,
    /// The logits of all leaves, one leaf after the other.
    logits: Vec<f32>,
    /// The end of each leaf's logits.
    ends: Vec<usize>,
}

impl Evaluations {
    /// An empty batch.
    pub fn new() -> Self {
        Self::default()
    }

    /// Empties the batch, keeping its memory.
    pub fn clear(&mut self) {
        self.wdl.clear();
        self.logits.clear();
        self.ends.clear();
    }

    /// Evaluates these leaves, replacing earlier evaluations.
    ///
    /// # Errors
    /// If the evaluator fails, or returns a different number of evaluations.
    pub fn fill<G: Game>(
        &mut self,
        evaluator: &mut (impl Evaluator<G> + ?Sized),
        leaves: &[Leaf<'_, G>],
    ) -> Result<(), EvaluationError> {
        self.clear();
        evaluator.evaluate(leaves, self)?;
        let (expected, found) = (leaves.len(), self.len());
        if found != expected {
            return Err(EvaluationError::Count { expected, found });
        }
        Ok(())
    }

    /// Appends the evaluation of the next leaf: see [`Evaluation`] for the meaning of the numbers.
    pub fn push(&mut self, wdl: Wdl, logits: impl IntoIterator<Item = f32>) {
        self.wdl.push(wdl);
        self.logits.extend(logits);
        self.ends.push(self.logits.len());
    }

    /// Number of evaluations.
    pub fn len(&self) -> usize {
        self.wdl.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.wdl.is_empty()
    }

    /// The evaluations, leaf after leaf.
    pub fn iter(&self) -> impl Iterator<Item = Evaluation<'_>> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// The evaluation of leaf `index` of the batch.
    pub fn get(&self, index: usize) -> Option<Evaluation<'_>> {
        let start = match index {
            0 => 0,
            _ => *self.ends.get(index - 1)?,
        };
        Some(Evaluation {
            wdl: *self.wdl.get(index)?,
            logits: &self.logits[start..*self.ends.get(index)?],
        })
    }
}

/// An evaluator of positions: a neural network, or a baseline.
pub trait Evaluator<G: Game> {
    /// Pushes one evaluation for each leaf, in order, onto `evaluations`, which is empty.
    ///
    /// The games of leaves are not over. Each leaf's evaluation should be independent of the others in the batch.
    ///
    /// # Errors
    /// If the leaves cannot be evaluated.
    fn evaluate(&mut self, leaves: &[Leaf<'_, G>], evaluations: &mut Evaluations) -> Result<(), EvaluationError>;
}
