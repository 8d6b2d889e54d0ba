//! Games of the network against itself, by alpha-beta search.
//!
//! A search begins with empty memory, so that a game depends on the seed, the generation and its number alone.

use chase_engine::alpha_beta::{AlphaBeta, ByGame, Evaluator, Limits, Settings as SearchSettings};
use chase_engine::{Instructions, Playable, seed};
use chase_nnue::LineEvaluator;

use super::config::SelfplayConfig;
use super::{Nnue, heuristic};
use crate::kinds::KindSettings;
use crate::selfplay::alpha_beta::{AlphaBetaGames, TABLE_MIB};
use crate::selfplay::{Group, GroupGames, RandomOpening, SelfplayError, play_by};
use crate::venue::{Finished, Offer, Tick, VenueError};

/// Plays the groups of an offer, by its network, or by the heuristic in generations that it judges.
pub(super) fn play<G: Playable>(
    offer: &Offer<'_, Nnue<G>>,
    finished: &mut Finished<'_, G>,
    tick: &mut Tick<'_>,
) -> Result<(), VenueError> {
    match offer.settings.is_judged_by_network(offer.generation) {
        true => play_with(
            || LineEvaluator::new(offer.player, Instructions::best()),
            offer,
            finished,
            tick,
        ),
        false => play_with(|| ByGame(heuristic::value::<G>), offer, finished, tick),
    }
}

/// Each thread judges by what `evaluator` makes for it.
fn play_with<G: Playable, E: Evaluator<G> + Send>(
    evaluator: impl Fn() -> E,
    offer: &Offer<'_, Nnue<G>>,
    finished: &mut Finished<'_, G>,
    tick: &mut Tick<'_>,
) -> Result<(), VenueError> {
    let settings = offer.settings;
    let SelfplayConfig {
        nodes,
        nodes_spread,
        random_opening_share,
        random_opening_plies,
        ..
    } = settings.selfplay;
    let games = AlphaBetaGames::<G> {
        rules: settings.game_rules::<G>(),
        opening: RandomOpening::with(random_opening_share, random_opening_plies),
        nodes,
        spread: nodes_spread,
        with_policy: false,
    };
    let threads = settings.thread_count().clamp(1, offer.groups.len().max(1));
    let strong = SearchSettings {
        table_mib: TABLE_MIB,
        ..SearchSettings::STRONG
    };
    let mut searches: Vec<_> = (0..threads).map(|_| AlphaBeta::new(evaluator(), strong)).collect();
    let generator = |index: u32| seed::named("nnue-selfplay", &[settings.seed, offer.generation, index.into()]);
    let play_group = |search: &mut AlphaBeta<G, E>, group: &Group, stopped: &dyn Fn() -> bool| {
        let best = |game: &G, nodes, _: &mut _| search.best(game, &Limits::nodes(nodes));
        let played = games.play(group, generator, best, stopped, offer.counters);
        Ok::<_, SelfplayError>(played.map(GroupGames::whole))
    };
    let finished = |group: &Group, games: GroupGames<G>| Ok(finished(group, games)?);
    play_by(
        &mut searches,
        offer.groups,
        play_group,
        offer.stop,
        offer.counters,
        finished,
        || tick(None),
    )
}
