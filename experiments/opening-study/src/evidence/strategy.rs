//! The strategy of a search, as files store it.

use chase_engine::search::{DirichletNoise, GumbelParams, PuctParams, Strategy};
use serde::{Deserialize, Serialize};

/// The stored strategy of a search: the parameters of [`Strategy`] by name. Searches with equal strategies have equal
/// results.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "strategy", rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs, reason = "the engine's parameters, under their names")]
pub enum StoredStrategy {
    /// [`PuctParams`].
    Puct {
        c_puct: f32,
        fpu_reduction: f32,
        policy_temperature: f32,
        root_policy_temperature: f32,
        noise: Option<NamedNoise>,
        leaves: u32,
    },
    /// [`GumbelParams`].
    Gumbel {
        considered_actions: u32,
        c_visit: f32,
        c_scale: f32,
        policy_temperature: f32,
        noise_scale: f32,
    },
}

/// The parameters of [`DirichletNoise`] by name.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the engine's parameters, under their names")]
pub struct NamedNoise {
    pub total_concentration: f32,
    pub fraction: f32,
}

impl From<Strategy> for StoredStrategy {
    fn from(strategy: Strategy) -> Self {
        // Destructured, so that a new parameter cannot be forgotten here.
        match strategy {
            Strategy::Puct(PuctParams {
                c_puct,
                fpu_reduction,
                policy_temperature,
                root_policy_temperature,
                noise,
                leaves,
            }) => Self::Puct {
                c_puct,
                fpu_reduction,
                policy_temperature,
                root_policy_temperature,
                noise: noise.map(NamedNoise::from),
                leaves,
            },
            Strategy::Gumbel(GumbelParams {
                considered_actions,
                c_visit,
                c_scale,
                policy_temperature,
                noise_scale,
            }) => Self::Gumbel {
                considered_actions,
                c_visit,
                c_scale,
                policy_temperature,
                noise_scale,
            },
        }
    }
}

impl From<DirichletNoise> for NamedNoise {
    fn from(noise: DirichletNoise) -> Self {
        let DirichletNoise {
            total_concentration,
            fraction,
        } = noise;
        Self {
            total_concentration,
            fraction,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn stored(text: &str) -> StoredStrategy {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn strategies_are_read_as_they_were_written() {
        let noisy = PuctParams {
            c_puct: 1.1,
            noise: Some(DirichletNoise::default()),
            ..PuctParams::default()
        };
        for strategy in [
            Strategy::Puct(PuctParams::default()),
            Strategy::Puct(noisy),
            Strategy::Gumbel(GumbelParams::default()),
        ] {
            let named = StoredStrategy::from(strategy);
            let text = serde_json::to_string(&named).unwrap();
            assert!(text.starts_with(r#"{"strategy":""#), "{text}");
            assert_eq!(stored(&text), named);
        }
    }
}
