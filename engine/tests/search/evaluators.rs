//! Evaluators whose opinions are known.

use chase_engine::search::{EvaluationError, Evaluations, Evaluator, Leaf};
use chase_engine::{Game, Player, Wdl};

/// Opinions that look random and depend on the position only.
#[derive(Clone, Copy, Debug, Default)]
pub struct HashEvaluator {
    /// Makes several different ones.
    pub salt: u64,
}

/// One step of SplitMix64.
pub fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number from 0 to 1 with 24 random bits, exact in single precision.
pub fn unit(seed: u64) -> f32 {
    (mix(seed) >> 40) as f32 / (1u64 << 24) as f32
}

impl HashEvaluator {
    fn seed<G: Game>(self, game: &G) -> u64 {
        let key = game.key();
        mix(key as u64 ^ mix((key >> 64) as u64 ^ self.salt))
    }

    pub fn wdl<G: Game>(self, game: &G) -> Wdl {
        let seed = self.seed(game);
        let win = unit(seed);
        let draw = (1.0 - win) * unit(seed ^ 1) * 0.5;
        Wdl::new(win, draw, 1.0 - win - draw)
    }

    /// From −2 to 2.
    pub fn logit<G: Game>(self, game: &G, action: G::Action) -> f32 {
        4.0 * unit(self.seed(game) ^ (game.policy_index(action) as u64 + 2) << 8) - 2.0
    }
}

impl<G: Game> Evaluator<G> for HashEvaluator {
    fn evaluate(&mut self, leaves: &[Leaf<'_, G>], evaluations: &mut Evaluations) -> Result<(), EvaluationError> {
        for leaf in leaves {
            assert!(leaf.game.outcome().is_none(), "a finished game is not to be evaluated");
            let mut actions = Vec::new();
            leaf.game.legal_actions(&mut actions);
            assert_eq!(actions, leaf.actions, "a leaf comes with its legal actions");
            let logits = leaf.actions.iter().map(|&action| self.logit(leaf.game, action));
            evaluations.push(self.wdl(leaf.game), logits);
        }
        Ok(())
    }
}

/// One and the same opinion about every position: how likely White and Black are to win. All actions alike.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    pub white: f32,
    pub black: f32,
}

impl<G: Game> Evaluator<G> for Constant {
    fn evaluate(&mut self, leaves: &[Leaf<'_, G>], evaluations: &mut Evaluations) -> Result<(), EvaluationError> {
        for leaf in leaves {
            let white = Wdl::new(self.white, 1.0 - self.white - self.black, self.black);
            let wdl = match leaf.game.to_move() {
                Player::White => white,
                Player::Black => -white,
            };
            evaluations.push(wdl, leaf.actions.iter().map(|_| 0.0));
        }
        Ok(())
    }
}
