//! Levels of strength for people: how a network plays weakly and yet like a player.

/// Settings of a network at a level: `simulations` per decision, `policy_temperature` of its priors, and the
/// `temperature` at which it chooses among the visits in every ply of the game (among the priors, without simulations).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Simulations per decision; 0 plays the policy alone.
    pub simulations: u32,
    /// Temperature of priors.
    pub policy_temperature: f32,
    /// Temperature of the choice.
    pub temperature: f32,
}

/// The levels, from 1 to 10.
///
/// A level is weak because it reads little, not because it moves at random. Levels 1 to 5 play what the policy of the
/// network suggests, without reading, and less strictly the lower the level: their mistakes are moves that look good at
/// first sight. Levels 6 to 10 read with more and more simulations, and choose ever more often what they found best.
///
/// Study 0050 measured neighbours with agent-71: each level from 2 to 10 wins 80 to 100 % of the games against the one
/// below. Levels of other networks have the same order, but other distances.
pub const LEVELS: [Level; 10] = [
    level(0, 4.0, 1.0),
    level(0, 2.8, 1.0),
    level(0, 2.0, 1.0),
    level(0, 1.4, 1.0),
    level(0, 1.0, 0.8),
    level(16, 1.2, 0.6),
    level(48, 1.5, 0.4),
    level(128, 2.0, 0.2),
    level(400, 2.0, 0.0),
    level(1600, 2.0, 0.0),
];

/// The plies at a temperature: those of the longest game and more.
pub(super) const ALL_PLIES: u32 = 100_000;

const fn level(simulations: u32, policy_temperature: f32, temperature: f32) -> Level {
    Level {
        simulations,
        policy_temperature,
        temperature,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_searches_more_or_leaves_less_to_chance_than_the_one_before() {
        for pair in LEVELS.windows(2) {
            let [lower, higher] = [pair[0], pair[1]];
            assert!(higher.simulations >= lower.simulations, "{pair:?}");
            assert!(higher.temperature <= lower.temperature, "{pair:?}");
            // Without simulations the policy is the player: a lower temperature makes it stricter.
            let stricter = higher.policy_temperature < lower.policy_temperature;
            assert!(higher.simulations > lower.simulations || stricter, "{pair:?}");
        }
    }
}
