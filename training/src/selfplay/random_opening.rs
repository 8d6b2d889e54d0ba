//! Random openings: games that begin with plies drawn at random.
//!
//! An agent that plays only against itself soon knows few openings, and it does not learn to judge what it does not
//! play. Random first plies lead it to positions that it would not reach itself; it plays on from there, and learns
//! only from its own plies. (KataGo also randomises the beginning of its games, by its policy: arXiv 1902.10565,
//! appendix D.)

use chase_engine::Game;
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::config::Config;
use crate::game_record::{PlyRecord, Purpose};

/// Share and length of random openings.
#[derive(Clone, Copy, Debug)]
pub struct RandomOpening {
    share: f64,
    plies: u32,
}

impl RandomOpening {
    /// The random openings set in a configuration. Measurement games have none: they count the agent's own openings.
    pub fn new(config: &Config, purpose: Purpose) -> Self {
        Self {
            share: match purpose {
                Purpose::Selfplay => config.selfplay.random_opening_share,
                Purpose::Measurement => 0.0,
            },
            plies: config.selfplay.random_opening_plies,
        }
    }

    /// This share of games, from 0 to 1, begins with 1 to `plies` random plies.
    pub const fn with(share: f64, plies: u32) -> Self {
        Self { share, plies }
    }

    /// Decides if a game begins at random, and plays that beginning. Returns its plies; none if it does not.
    ///
    /// The opening is cut short before a ply that would end the game.
    pub fn play<G: Game>(self, game: &mut G, rng: &mut Xoshiro256PlusPlus) -> Vec<PlyRecord<G::Action>> {
        let mut plies = Vec::new();
        // Without random openings nothing is drawn, so that runs of older configurations stay the same.
        if self.share == 0.0 || !rng.random_bool(self.share) {
            return plies;
        }
        let mut legal = Vec::new();
        // All lengths are equally likely. Neither this nor the share was measured.
        for _ in 0..rng.random_range(1..=self.plies) {
            game.legal_actions(&mut legal);
            let action = legal[rng.random_range(0..legal.len())];
            let mut next = game.clone();
            next.apply(action);
            if next.outcome().is_some() {
                break;
            }
            plies.push(PlyRecord {
                action,
                player: game.to_move(),
                simulations: 0,
                value: None,
                policy: None,
            });
            *game = next;
        }
        plies
    }
}

#[cfg(test)]
mod tests {
    use chase_engine::{Chase, ConnectFour, Playable};
    use rand::SeedableRng;

    use super::*;
    use crate::config::GameName;

    fn openings<G: Playable>(
        game: GameName,
        share: f64,
        plies: u32,
        games: u64,
    ) -> Vec<(G, Vec<PlyRecord<G::Action>>)> {
        let mut config = Config::of(game);
        config.selfplay.random_opening_share = share;
        config.selfplay.random_opening_plies = plies;
        let opening = RandomOpening::new(&config, Purpose::Selfplay);
        let play = |seed| {
            let mut game = G::new(&config.game_rules::<G>());
            let plies = opening.play(&mut game, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
            (game, plies)
        };
        (0..games).map(play).collect()
    }

    #[test]
    fn games_begin_at_random_as_often_and_as_long_as_asked() {
        const GAMES: u64 = 10_000;
        let openings = openings::<Chase>(GameName::Chase, 0.4, 5, GAMES);
        for plies in 0..=5 {
            let share: f64 = if plies == 0 { 0.6 } else { 0.4 / 5.0 };
            let count = openings.iter().filter(|(_, played)| played.len() == plies).count() as f64;
            // Five standard deviations of a binomial count.
            let limit = 5.0 * (GAMES as f64 * share * (1.0 - share)).sqrt();
            assert!((count - GAMES as f64 * share).abs() < limit, "{plies} plies: {count}");
        }
        // Exactly the first actions of the initial position.
        let mut first: Vec<_> = openings
            .iter()
            .filter_map(|(_, plies)| plies.first())
            .map(|ply| ply.action)
            .collect();
        first.sort_unstable_by_key(|action| format!("{action:?}"));
        first.dedup();
        let mut legal = Vec::new();
        Chase::new(&Config::default().game_rules::<Chase>()).legal_actions(&mut legal);
        assert_eq!(first.len(), legal.len());
    }

    #[test]
    fn no_game_ends_in_its_opening_and_measurements_have_none() {
        let openings = openings::<ConnectFour>(GameName::ConnectFour, 1.0, 42, 300);
        for (game, plies) in &openings {
            assert_eq!(game.outcome(), None);
            let mut again = ConnectFour::new(&());
            for ply in plies {
                assert_eq!(ply.player, again.to_move());
                again.apply(ply.action);
            }
            assert_eq!(again.position_text(), game.position_text());
        }
        assert!(openings.iter().any(|(_, plies)| plies.len() > 20));
        let mut config = Config::default();
        config.selfplay.random_opening_share = 1.0;
        let mut game = ConnectFour::new(&());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let measured = RandomOpening::new(&config, Purpose::Measurement);
        assert_eq!(measured.play(&mut game, &mut rng), []);
    }
}
