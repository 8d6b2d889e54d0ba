//! Chance in the choice of actions.

use chase_engine::Game;
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

/// Chance in the first plies of a game, so that games of one agent against itself differ: actions are drawn from the
/// softmax of their values at a temperature.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Chance {
    /// The temperature, in logits of the expected score; 0 for the best action.
    pub temperature: f32,
    /// Plies from the beginning of a game with a temperature.
    pub plies: u32,
}

impl Chance {
    /// True if the next action of `game` is drawn.
    pub fn is_in<G: Game>(self, game: &G) -> bool {
        self.temperature > 0.0 && game.plies() < self.plies
    }

    /// The temperature of the next action of `game`.
    pub fn at<G: Game>(self, game: &G) -> f32 {
        match self.is_in(game) {
            true => self.temperature,
            false => 0.0,
        }
    }

    /// What is added to the value of each action where there is chance, in units of which so many are a `logit`, so that the
    /// best sum is the action that is drawn ([`Request::with_bonus`](chase_engine::alpha_beta::Request::with_bonus)).
    pub fn bonuses<A>(self, logit: f64, rng: &mut Xoshiro256PlusPlus) -> impl FnMut(A) -> i32 {
        let temperature = f64::from(self.temperature) * logit;
        move |_| {
            // From Gumbel's distribution; the number is below 1 and at least 2⁻⁵³.
            let uniform = 1.0 - rng.random_range(0.0..1.0_f64);
            let uniform = uniform.min(1.0 - f64::EPSILON);
            (-temperature * (-uniform.ln()).ln()).round() as i32
        }
    }
}

#[cfg(test)]
mod tests {
    use chase_engine::Chase;
    use chase_statistics::generator;

    use super::*;

    #[test]
    fn the_best_sums_are_draws_from_the_softmax() {
        const DRAWS: u32 = 20_000;
        let chance = Chance {
            temperature: 0.2,
            plies: 3,
        };
        let mut game = Chase::new(&Default::default());
        let mut legal = Vec::new();
        game.legal_actions(&mut legal);
        // Thousandths of a logit.
        let values = [0, -100, -200, 150, -700];
        let mut rng = generator(3, &[]);
        let mut counts = [0_u32; 5];
        for _ in 0..DRAWS {
            let mut bonus = chance.bonuses(1000.0, &mut rng);
            let sums: Vec<i32> = values
                .iter()
                .zip(&legal)
                .map(|(value, &action)| value + bonus(action))
                .collect();
            let best = (0..5).max_by_key(|&index| sums[index]).unwrap_or(0);
            counts[best] += 1;
        }
        let weights = values.map(|value| (f64::from(value) / 200.0).exp());
        let sum: f64 = weights.iter().sum();
        for (count, weight) in counts.into_iter().zip(weights) {
            let share = weight / sum;
            let expected = f64::from(DRAWS) * share;
            // Five standard deviations of a binomial count.
            let limit = 5.0 * (expected * (1.0 - share)).sqrt();
            assert!(
                (f64::from(count) - expected).abs() < limit,
                "{counts:?}, expected {expected}"
            );
        }
        assert!(chance.is_in(&game));
        for _ in 0..3 {
            game.legal_actions(&mut legal);
            game.apply(legal[0]);
        }
        assert!(!chance.is_in(&game));
    }
}
