//! PUCT.

use chase_engine::search::{PuctParams, Strategy};

use super::{MakeAgent, SearchForm, Unit, any, tree};
use chase_engine::Playable;
use crate::players::contestant::Place;
use crate::players::spec::SearchSpec;

pub(super) const FORM: SearchForm = SearchForm {
    name: "puct",
    meaning: "Tree search that weighs values against priors (PUCT), without noise.",
    options: &["simulations", "batch", "c-puct", "policy-temperature"],
    unit: Unit::Simulations,
    usual: 200,
    analysis: 800,
    strategy: Some(strategy),
    plans: false,
    refuses: any,
};

/// The strategy of a player, with so many leaves at a time unless its text says how many.
fn strategy(spec: &SearchSpec, leaves: u32) -> Strategy {
    Strategy::Puct(PuctParams {
        c_puct: spec.c_puct,
        policy_temperature: spec.policy_temperature,
        leaves: spec.batch.unwrap_or(leaves),
        ..PuctParams::default()
    })
}

pub(super) fn agents<G: Playable>(spec: &SearchSpec, place: &Place<'_, G>) -> anyhow::Result<MakeAgent<G>> {
    tree::agents(spec, place)
}
