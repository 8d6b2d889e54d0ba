//! The strategies of tree search.

use chase_engine::search::{GumbelParams, PuctParams, Strategy};

use super::{SearchForm, Unit};

pub(super) const PUCT: SearchForm = SearchForm {
    name: "puct",
    meaning: "Tree search that weighs values against priors (PUCT), without noise.",
    options: &["simulations", "batch", "c-puct", "policy-temperature"],
    unit: Unit::Simulations,
    usual: 200,
    analysis: 800,
    strategy: Some(|spec, leaves| {
        Strategy::Puct(PuctParams {
            c_puct: spec.c_puct,
            policy_temperature: spec.policy_temperature,
            leaves: spec.batch.unwrap_or(leaves),
            ..PuctParams::default()
        })
    }),
    plans: false,
    // Trees suit every evaluator.
    refuses: |_| None,
};

pub(super) const GUMBEL: SearchForm = SearchForm {
    name: "gumbel",
    meaning: "Tree search by sequential halving of the most probable actions, without noise. It plans with simulations, and needs \
              them if there is a limit in ms.",
    options: &["simulations", "policy-temperature"],
    strategy: Some(|spec, _| {
        Strategy::Gumbel(GumbelParams {
            policy_temperature: spec.policy_temperature,
            noise_scale: 0.0,
            ..GumbelParams::default()
        })
    }),
    plans: true,
    ..PUCT
};
