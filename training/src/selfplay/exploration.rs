//! Exploration in games: the search of each ply, and the choice of its action.

use chase_engine::search::{DirichletNoise, Fault, GumbelParams, PuctParams, SearchParams, Strategy};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::config::{Algorithm, Config, SearchConfig};
use crate::game_record::Purpose;

/// The exploration of one purpose of games.
#[derive(Clone, Debug)]
pub struct Exploration {
    search: SearchConfig,
    purpose: Purpose,
    simulations: u32,
    temperature: Temperature,
}

/// Temperature of the choice of actions in the course of a game.
#[derive(Clone, Copy, Debug)]
enum Temperature {
    /// Decays from the first number to the second; the difference halves in each half-life, in plies.
    Decay { first: f32, last: f32, half_life: f32 },
    /// The given number in the first plies, then 0.
    Until { first: f32, plies: u32 },
}

impl Temperature {
    fn at(self, ply: u32) -> f32 {
        match self {
            Self::Decay { first, last, half_life } => last + (first - last) * (-(ply as f32) / half_life).exp2(),
            Self::Until { first, plies } => {
                if ply < plies {
                    first
                } else {
                    0.0
                }
            }
        }
    }
}

/// The search of a ply, and the choice of its action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlySearch {
    /// Parameters of the search.
    pub params: SearchParams,
    /// True for a full search, from which the policy learns.
    pub full: bool,
    /// The temperature of the choice among visited actions after PUCT, the scale of the root's noise in Gumbel; 0 for
    /// the best action.
    pub temperature: f32,
}

impl Exploration {
    /// The exploration set in a configuration.
    pub fn new(config: &Config, purpose: Purpose) -> Self {
        let (simulations, temperature) = match purpose {
            Purpose::Selfplay => {
                let selfplay = &config.selfplay;
                let decay = Temperature::Decay {
                    first: selfplay.temperature,
                    last: selfplay.final_temperature,
                    half_life: selfplay.temperature_half_life,
                };
                (config.search.simulations, decay)
            }
            Purpose::Measurement => {
                let measurement = &config.measurement;
                let until = Temperature::Until {
                    first: measurement.temperature,
                    plies: measurement.temperature_plies,
                };
                (measurement.simulations, until)
            }
        };
        Self {
            search: config.search.clone(),
            purpose,
            simulations,
            temperature,
        }
    }

    /// Settings, each within its range, that no search accepts together.
    pub fn faults(config: &Config) -> Vec<Fault> {
        let mut faults = Vec::new();
        for purpose in [Purpose::Selfplay, Purpose::Measurement] {
            let exploration = Self::new(config, purpose);
            for (ply, full) in [(0, true), (0, false), (u32::MAX, true)] {
                if let Err(invalid) = exploration.decision(ply, full).params.validate() {
                    faults.extend_from_slice(invalid.faults());
                }
            }
        }
        faults.dedup();
        faults
    }

    /// Chooses the search plan of a ply.
    pub fn decide(&self, ply: u32, rng: &mut Xoshiro256PlusPlus) -> PlySearch {
        // Few simulations at every ply are worth about 250 Elo more than full searches at half of them (study 0006).
        let full = self.purpose == Purpose::Measurement || rng.random_bool(self.search.full_share);
        self.decision(ply, full)
    }

    fn decision(&self, ply: u32, full: bool) -> PlySearch {
        let temperature = self.temperature.at(ply);
        let search = &self.search;
        let puct = |root_policy_temperature, noise| {
            Strategy::Puct(PuctParams {
                c_puct: search.c_puct,
                fpu_reduction: search.fpu_reduction,
                policy_temperature: search.policy_temperature,
                root_policy_temperature,
                noise,
                // Batches go across games.
                leaves: 1,
            })
        };
        let (strategy, simulations) = match (self.purpose, full, search.algorithm) {
            (Purpose::Selfplay, true, Algorithm::Puct) => {
                let noise = (search.dirichlet_share > 0.0).then_some(DirichletNoise {
                    total_concentration: search.dirichlet_total,
                    fraction: search.dirichlet_share,
                });
                (puct(search.root_policy_temperature, noise), self.simulations)
            }
            (Purpose::Selfplay, true, Algorithm::Gumbel) => {
                let gumbel = GumbelParams {
                    considered_actions: search.considered_actions,
                    c_visit: search.c_visit,
                    c_scale: search.c_scale,
                    policy_temperature: search.policy_temperature,
                    // Full noise at all plies and a temperature for the move alone: −8 Elo [−52, 36] (study 0040).
                    noise_scale: temperature,
                };
                (Strategy::Gumbel(gumbel), self.simulations)
            }
            // Fast searches only choose a move, so they have no noise, as in KataGo.
            (Purpose::Selfplay, false, _) => (puct(1.0, None), search.fast_simulations),
            (Purpose::Measurement, ..) => (puct(1.0, None), self.simulations),
        };
        PlySearch {
            params: SearchParams {
                simulations,
                strategy,
                skip_forced: true,
            },
            full,
            temperature,
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn temperatures_fall() {
        let decay = Temperature::Decay {
            first: 1.0,
            last: 0.2,
            half_life: 10.0,
        };
        for (ply, expected) in [(0, 1.0), (10, 0.6), (20, 0.4), (1000, 0.2)] {
            assert!((decay.at(ply) - expected).abs() < 1e-6);
        }
        let until = Temperature::Until { first: 0.7, plies: 2 };
        assert_eq!([0, 1, 2, 3].map(|ply| until.at(ply)), [0.7, 0.7, 0.0, 0.0]);
    }

    #[test]
    fn searches_are_full_as_often_as_asked_and_only_those_have_noise() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut config = Config::default();
        config.search.full_share = 0.25;
        config.search.algorithm = Algorithm::Puct;
        let exploration = Exploration::new(&config, Purpose::Selfplay);
        let mut full = 0;
        for ply in 0..10_000 {
            let decision = exploration.decide(ply, &mut rng);
            let Strategy::Puct(puct) = decision.params.strategy else {
                unreachable!("PUCT was asked for");
            };
            assert_eq!(decision.full, puct.noise.is_some());
            assert_eq!(decision.full, decision.params.simulations == config.search.simulations);
            full += u32::from(decision.full);
        }
        // Five standard deviations of a binomial count.
        assert!(
            (2500.0 - f64::from(full)).abs() < 5.0 * (10_000f64 * 0.25 * 0.75).sqrt(),
            "{full}"
        );
    }

    #[test]
    fn measurement_games_have_no_noise_and_full_searches() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let config = Config::default();
        let exploration = Exploration::new(&config, Purpose::Measurement);
        for ply in 0..20 {
            let decision = exploration.decide(ply, &mut rng);
            assert!(decision.full && decision.params.simulations == config.measurement.simulations);
            assert!(
                matches!(decision.params.strategy, Strategy::Puct(puct) if puct.noise.is_none() && puct.root_policy_temperature == 1.0)
            );
            assert_eq!(decision.temperature > 0.0, ply < config.measurement.temperature_plies);
        }
    }
}
