//! Gumbel search.

use chase_engine::search::{GumbelParams, Strategy};

use super::{MakeAgent, SearchForm, Unit, any, tree};
use chase_engine::Playable;
use crate::players::contestant::Place;
use crate::players::spec::SearchSpec;

pub(super) const FORM: SearchForm = SearchForm {
    name: "gumbel",
    meaning: "Tree search by sequential halving of the most probable actions, without noise. It plans with simulations, and needs \
              them if there is a limit in ms.",
    options: &["simulations", "policy-temperature"],
    unit: Unit::Simulations,
    usual: 200,
    analysis: 800,
    strategy: Some(strategy),
    plans: true,
    refuses: any,
};

/// The strategy of a player.
fn strategy(spec: &SearchSpec, _: u32) -> Strategy {
    Strategy::Gumbel(GumbelParams {
        policy_temperature: spec.policy_temperature,
        noise_scale: 0.0,
        ..GumbelParams::default()
    })
}

pub(super) fn agents<G: Playable>(spec: &SearchSpec, place: &Place<'_, G>) -> anyhow::Result<MakeAgent<G>> {
    tree::agents(spec, place)
}
