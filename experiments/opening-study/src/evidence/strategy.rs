//! The strategy of a search, as files store it.

use chase_engine::search::{DirichletNoise, GumbelParams, PuctParams, Strategy};
use serde::{Deserialize, Serialize};

/// The stored strategy of a search. Searches with equal strategies have equal results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum StoredStrategy {
    /// The parameters by name.
    Named(NamedStrategy),
    /// The text that files of earlier versions hold.
    Old(String),
}

/// The parameters of [`Strategy`] by name.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "strategy", rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs, reason = "the engine's parameters, under their names")]
pub enum NamedStrategy {
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
        Self::Named(match strategy {
            Strategy::Puct(PuctParams {
                c_puct,
                fpu_reduction,
                policy_temperature,
                root_policy_temperature,
                noise,
                leaves,
            }) => NamedStrategy::Puct {
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
            }) => NamedStrategy::Gumbel {
                considered_actions,
                c_visit,
                c_scale,
                policy_temperature,
                noise_scale,
            },
        })
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

impl StoredStrategy {
    /// True if a file with strategy `self` was searched with the strategy `expected`.
    pub fn is(&self, expected: &Self) -> bool {
        match (self, expected) {
            (Self::Old(text), Self::Named(expected)) => *text == expected.old_text(),
            _ => self == expected,
        }
    }
}

impl NamedStrategy {
    /// The text for it in files of earlier versions.
    fn old_text(&self) -> String {
        match self {
            Self::Puct {
                c_puct,
                fpu_reduction,
                policy_temperature,
                root_policy_temperature,
                noise,
                leaves,
            } => {
                let noise = noise.map_or_else(
                    || "None".to_owned(),
                    |NamedNoise { total_concentration, fraction }| {
                        format!(
                            "Some(DirichletNoise {{ total_concentration: {total_concentration:?}, fraction: {fraction:?} }})"
                        )
                    },
                );
                format!(
                    "Puct(PuctParams {{ c_puct: {c_puct:?}, fpu_reduction: {fpu_reduction:?}, prior_temperature: \
                     {policy_temperature:?}, root_temperature: {root_policy_temperature:?}, noise: {noise}, leaves: {leaves} }})"
                )
            }
            Self::Gumbel {
                considered_actions,
                c_visit,
                c_scale,
                policy_temperature,
                noise_scale,
            } => format!(
                "Gumbel(GumbelParams {{ considered_actions: {considered_actions}, c_visit: {c_visit:?}, c_scale: {c_scale:?}, \
                 prior_temperature: {policy_temperature:?}, noise_scale: {noise_scale:?} }})"
            ),
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
            assert!(stored(&text).is(&named));
        }
    }

    /// Strategies as studies wrote them before the parameters had names in files.
    #[test]
    fn old_texts_stand_for_the_same_searches() {
        let puct = r#""Puct(PuctParams { c_puct: 1.25, fpu_reduction: 0.2, prior_temperature: 1.0, root_temperature: 1.0, noise: None, leaves: 1 })""#;
        let noisy = r#""Puct(PuctParams { c_puct: 1.25, fpu_reduction: 0.2, prior_temperature: 1.0, root_temperature: 1.0, noise: Some(DirichletNoise { total_concentration: 10.83, fraction: 0.25 }), leaves: 1 })""#;
        let gumbel = r#""Gumbel(GumbelParams { considered_actions: 16, c_visit: 50.0, c_scale: 1.0, prior_temperature: 1.0, noise_scale: 1.0 })""#;
        let strategies = [
            Strategy::Puct(PuctParams::default()),
            Strategy::Puct(PuctParams {
                noise: Some(DirichletNoise::default()),
                ..PuctParams::default()
            }),
            Strategy::Gumbel(GumbelParams::default()),
        ];
        for (index, text) in [puct, noisy, gumbel].into_iter().enumerate() {
            for (other, &strategy) in strategies.iter().enumerate() {
                assert_eq!(
                    stored(text).is(&strategy.into()),
                    index == other,
                    "{text}, {strategy:?}"
                );
            }
        }
    }
}
