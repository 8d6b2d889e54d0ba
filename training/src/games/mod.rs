//! The games that can be trained, one module each.

mod chase;
mod checks;
mod connect_four;
mod draughts;
mod placement;

use chase_baselines::Judged;
use chase_engine::with_game;
use chase_models::Encode as _;

use crate::config::{Config, GameName};
use crate::settings::Problem;
use crate::trainable::Trainable;

/// Invalid settings of a configuration for the game that it names.
pub(crate) fn problems(config: &Config) -> Vec<Problem> {
    let mut problems = with_game!(config.game, G => G::problems(config));
    let generations = config.selfplay.heuristic_generations;
    if generations > 0 && with_game!(config.game, G => G::heuristic().is_none()) {
        problems.push(Problem {
            key: "selfplay.heuristic_generations".into(),
            value: generations.to_string(),
            expected: format!("0: there is no heuristic for {}", config.game),
        });
    }
    let mirror = config.network.mirror;
    if mirror && with_game!(config.game, G => G::mirror(&G::encoding(config)).is_none()) {
        problems.push(Problem {
            key: "network.mirror".into(),
            value: mirror.to_string(),
            expected: format!("false: no mirror is known for {}", config.game),
        });
    }
    problems
}

/// The default configuration of a game.
pub(crate) fn defaults(game: GameName) -> Config {
    let mut config = Config {
        game,
        ..Config::default()
    };
    with_game!(game, G => G::adjust(&mut config));
    config
}

#[cfg(test)]
mod tests {
    use chase_engine::{Chase, ConnectFour, Draughts, Lines9, Moves23, Tetra24, Tricolour};

    use super::*;
    use crate::trainable::occupancy;

    /// The occupancy in the view of the player to move must equal the content of the first planes.
    fn agrees_with_planes<G: Trainable>(config: &Config, own: std::ops::Range<usize>, enemy: std::ops::Range<usize>) {
        let encoding = G::encoding(config);
        let shape = G::shape(&encoding);
        let mut planes = ndarray::Array3::zeros(shape.input());
        let (mut cells, mut actions) = (Vec::new(), Vec::new());
        let mut game = G::start(&G::rules(config), &mut chase_engine::seed::named("start", &[]));
        for ply in 0..30 {
            game.legal_actions(&mut actions);
            let Some(&action) = actions.get(ply * 7 % actions.len().max(1)) else {
                break;
            };
            game.encode(&encoding, planes.view_mut());
            game.occupancy(game.to_move(), &mut cells);
            assert_eq!(cells.len(), shape.cells());
            for (cell, &class) in cells.iter().enumerate() {
                let (row, column) = (cell / shape.width, cell % shape.width);
                let any =
                    |range: &std::ops::Range<usize>| range.clone().any(|plane| planes[[plane, row, column]] > 0.0);
                let expected = match (any(&own), any(&enemy)) {
                    (true, false) => occupancy::OWN,
                    (false, true) => occupancy::ENEMY,
                    _ => occupancy::NOTHING,
                };
                assert_eq!(class, expected, "ply {ply}, cell {cell}");
            }
            game.apply(action);
        }
    }

    #[test]
    fn occupancy_lies_on_the_cells_of_the_planes() {
        agrees_with_planes::<ConnectFour>(&defaults(GameName::ConnectFour), 0..1, 1..2);
        agrees_with_planes::<Chase>(&Config::default(), 0..6, 6..12);
        agrees_with_planes::<Draughts>(&defaults(GameName::StaxCyl), 0..2, 2..4);
        agrees_with_planes::<Draughts>(&defaults(GameName::QueensUniNum), 0..2, 2..4);
        agrees_with_planes::<Moves23>(&defaults(GameName::Moves23), 0..1, 1..2);
        agrees_with_planes::<Tetra24>(&defaults(GameName::Tetra24), 0..1, 1..2);
        agrees_with_planes::<Lines9>(&defaults(GameName::Lines9), 0..1, 1..2);
        agrees_with_planes::<Tricolour>(&defaults(GameName::Tricolour), 0..1, 1..2);
    }

    #[test]
    fn chase_has_no_mirror_images() {
        let mut config = Config::default();
        config.replay.mirror = true;
        let keys: Vec<String> = config.problems().into_iter().map(|problem| problem.key).collect();
        assert_eq!(keys, ["replay.mirror"]);
        config.game = GameName::ConnectFour;
        (config.network.hex, config.network.wrap) = (false, false);
        assert_eq!(config.problems(), []);
    }

    #[test]
    fn only_games_with_a_mirror_have_networks_for_it() {
        let keys = |config: &Config| -> Vec<String> {
            let problems = config.problems().into_iter();
            problems.map(|problem| problem.key).collect()
        };
        for (game, expected) in [
            (GameName::Chase, &[][..]),
            (GameName::ConnectFour, &[]),
            (GameName::QueensUni, &["network.mirror"]),
            (GameName::Tricolour, &["network.mirror"]),
        ] {
            let mut config = defaults(game);
            config.network.mirror = true;
            assert_eq!(keys(&config), expected, "{game}");
        }
        let mut config = defaults(GameName::Chase);
        (config.network.mirror, config.network.wrap) = (true, false);
        assert_eq!(keys(&config), ["network.mirror"]);
        (config.network.wrap, config.network.value_channels) = (true, 31);
        assert_eq!(keys(&config), ["network.value_channels"]);
    }

    #[test]
    fn what_suits_a_game_is_in_order_for_it() {
        for &game in GameName::ALL {
            assert_eq!(defaults(game).problems(), [], "{game}");
        }
        assert_eq!(defaults(GameName::Chase), Config::default());
    }

    #[test]
    fn first_generations_need_a_heuristic_to_be_played_by() {
        let mut config = defaults(GameName::ConnectFour);
        config.selfplay.heuristic_generations = 3;
        let problems: Vec<String> = config.problems().iter().map(Problem::to_string).collect();
        assert_eq!(
            problems,
            ["selfplay.heuristic_generations is 3, expected 0: there is no heuristic for connect-four"]
        );
        for game in [GameName::Chase, GameName::StaxCyl] {
            let mut config = defaults(game);
            config.selfplay.heuristic_generations = 3;
            assert_eq!(config.problems(), []);
        }
    }

    #[test]
    fn boards_are_joined_only_where_they_are() {
        let keys = |config: &Config| {
            config
                .problems()
                .into_iter()
                .map(|problem| problem.key)
                .collect::<Vec<_>>()
        };
        let mut config = defaults(GameName::QueensUni);
        config.replay.mirror = true;
        assert_eq!(keys(&config), [""; 0]);
        config.game = GameName::QueensCyl;
        assert_eq!(keys(&config), ["network.wrap_rows"]);
        config.game = GameName::QueensNum;
        assert_eq!(keys(&config), ["network.wrap", "network.wrap_rows", "replay.mirror"]);
        let mut config = defaults(GameName::Chase);
        config.network.wrap_rows = true;
        config.draughts.jump_maps = false;
        assert_eq!(keys(&config), ["draughts", "network.wrap_rows"]);
    }

    #[test]
    fn settings_that_placement_games_do_not_have_are_refused() {
        let keys = |config: &Config| -> Vec<String> {
            let problems = config.problems().into_iter();
            problems.map(|problem| problem.key).collect()
        };
        let mut config = defaults(GameName::Tricolour);
        assert!(config.network.hex);
        config.replay.mirror = true;
        assert_eq!(keys(&config), [""; 0]);
        config.rules.quiet_turns = 100;
        (config.network.wrap, config.network.auxiliary.material) = (true, true);
        config.game = GameName::Lines9;
        assert_eq!(
            keys(&config),
            [
                "rules.quiet_turns",
                "network.hex",
                "network.wrap",
                "network.auxiliary.dice_difference"
            ]
        );
    }

    #[test]
    fn settings_of_one_game_are_refused_for_the_other() {
        let mut config = Config {
            game: GameName::ConnectFour,
            ..Config::default()
        };
        config.rules.max_turns = 50;
        let keys: Vec<String> = config.problems().into_iter().map(|problem| problem.key).collect();
        assert_eq!(keys, ["rules", "network.hex", "network.wrap"]);
        config.encoding.move_maps = true;
        let keys: Vec<String> = config.problems().into_iter().map(|problem| problem.key).collect();
        assert_eq!(keys, ["rules", "encoding", "network.hex", "network.wrap"]);
    }
}
