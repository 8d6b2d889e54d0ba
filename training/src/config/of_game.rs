//! Settings that depend on the game: its defaults, and what it refuses. No game is named here.

use std::collections::BTreeMap;

use chase_engine::{Encode, Game, GameName, Heuristic, Player, with_game};
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};
use toml::Table;

use super::{Config, RulesConfig};
use crate::settings::{Checks, Problem};
use crate::store::serialised::toml_table;

/// The key of an encoding that names its game, which the configuration names already.
const GAME: &str = "game";

impl Config {
    /// The rules of the game with these conventions.
    pub fn game_rules<G: Game>(&self) -> G::Rules {
        self.rules.of_game::<G>(self.game)
    }

    /// The planes of the game.
    ///
    /// # Panics
    /// If the configuration is not valid: see [`Config::problems`].
    pub fn game_encoding<G: Encode>(&self) -> G::Encoding {
        read_encoding::<G>(&self.encoding, self.game).expect("a valid configuration has the planes of its game")
    }

    /// The default configuration of a game.
    pub(crate) fn of(game: GameName) -> Self {
        with_game!(game, G => of_game::<G>(game))
    }

    /// Settings that are invalid for the game in particular, in the order of the sections.
    pub(crate) fn problems_for_game(&self) -> Vec<Problem> {
        with_game!(self.game, G => problems::<G>(self))
    }
}

impl RulesConfig {
    /// The default conventions of a game.
    pub fn of(game: GameName) -> Self {
        Config::of(game).rules
    }

    /// The rules of a game with these conventions.
    pub fn of_game<G: Game>(&self, game: GameName) -> G::Rules {
        G::with_conventions(&self.rules(), &game.rules::<G>())
    }
}

fn of_game<G: Encode + Heuristic>(game: GameName) -> Config {
    let rules = game.rules::<G>();
    let mut config = Config {
        game,
        encoding: options::<G>(&rules),
        ..Config::unspecific()
    };
    if let Some(conventions) = G::new(&rules).conventions() {
        config.rules = conventions.into();
    }
    let (grid, network) = (G::grid(&rules), &mut config.network);
    (network.hex, network.wrap, network.wrap_rows) = (grid.is_hexagonal, grid.joins_columns, grid.joins_rows);
    config.search.considered_actions = G::CONSIDERED_ACTIONS;
    let stronger = if G::HAS_HEURISTIC {
        "greedy"
    } else {
        "rollouts:simulations=100"
    };
    config.evaluation.opponents = ["random", stronger].map(String::from).into();
    config
}

/// The options of the standard planes.
fn options<G: Encode>(rules: &G::Rules) -> Table {
    let mut options = toml_table(&G::standard_encoding(rules));
    options.remove(GAME);
    options
}

/// The standard planes with other options.
fn read_encoding<G: Encode>(options: &Table, game: GameName) -> Result<G::Encoding, String> {
    let mut table = toml_table(&G::standard_encoding(&game.rules::<G>()));
    table.extend(options.clone());
    table
        .try_into()
        .map_err(|error: toml::de::Error| error.message().to_owned())
}

fn problems<G: Encode + Heuristic>(config: &Config) -> Vec<Problem> {
    let mut checks = Checks::default();
    let (game, rules) = (config.game, config.game.rules::<G>());
    let start = G::new(&rules);
    check_conventions::<G>(&mut checks, game, &config.rules);
    check_encoding::<G>(&mut checks, config, &rules);
    let (network, grid) = (&config.network, G::grid(&rules));
    for (key, is_set, is_so, why) in [
        (
            "network.hex",
            network.hex,
            grid.is_hexagonal,
            "the cells of its board are squares",
        ),
        (
            "network.wrap",
            network.wrap,
            grid.joins_columns,
            "the sides of its board are edges",
        ),
        (
            "network.wrap_rows",
            network.wrap_rows,
            grid.joins_rows,
            "the first and last row of its board are edges",
        ),
    ] {
        checks.require(!is_set || is_so, key, is_set, &format!("false for {game}: {why}"));
    }
    let mut actions = Vec::new();
    start.legal_actions(&mut actions);
    let has_images = actions.first().is_some_and(|&action| start.mirrored(action).is_some());
    checks.require(
        !config.replay.mirror || has_images,
        "replay.mirror",
        true,
        &format!("false for {game}: mirror images are not equal"),
    );
    let material = network.auxiliary.material;
    checks.require(
        !material || start.material(Player::White).is_some(),
        "network.auxiliary.dice_difference",
        material,
        &format!("false for {game}: it has no material"),
    );
    check_heuristic::<G>(&mut checks, game, config.selfplay.heuristic_generations);
    let has_mirror = read_encoding::<G>(&config.encoding, game).is_ok_and(|planes| G::mirror(&planes).is_some());
    // Of hexagons, only those of a cylinder have one.
    let is_joined = !grid.is_hexagonal || network.hex && network.wrap;
    for (fits, expected) in [
        (has_mirror, format!("false: no mirror is known for {game}")),
        (
            is_joined || !has_mirror,
            format!(
                "false if network.hex or network.wrap is false: {game} has a mirror only on its cylinder of hexagons"
            ),
        ),
    ] {
        checks.require(!network.mirror || fits, "network.mirror", network.mirror, &expected);
    }
    checks.0
}

/// Requires conventions and first generations that suit the game.
pub(crate) fn check_game(checks: &mut Checks, game: GameName, rules: &RulesConfig, heuristic_generations: u64) {
    with_game!(game, G => {
        check_conventions::<G>(checks, game, rules);
        check_heuristic::<G>(checks, game, heuristic_generations);
    });
}

fn check_heuristic<G: Heuristic>(checks: &mut Checks, game: GameName, generations: u64) {
    checks.require(
        generations == 0 || G::HAS_HEURISTIC,
        "selfplay.heuristic_generations",
        generations,
        &format!("0: there is no heuristic for {game}"),
    );
}

/// Requires options that the planes of the game have.
fn check_encoding<G: Encode>(checks: &mut Checks, config: &Config, rules: &G::Rules) {
    let (game, known) = (config.game, options::<G>(rules));
    for (key, value) in &config.encoding {
        let expected = match known.get(key) {
            Some(standard) if standard.same_type(value) => continue,
            Some(standard) if standard.is_bool() => "true or false".to_owned(),
            Some(standard) => format!("a value such as {standard}"),
            None if known.is_empty() => format!("no such key: the planes of {game} have no options"),
            None => {
                let names: Vec<&str> = known.keys().map(String::as_str).collect();
                format!("no such key: the planes of {game} have {}", names.join(" and "))
            }
        };
        checks.require(false, &format!("encoding.{key}"), value, &expected);
    }
}

/// Requires conventions that the game knows, and under which every game ends.
fn check_conventions<G: Game>(checks: &mut Checks, game: GameName, rules: &RulesConfig) {
    let start = G::new(&game.rules::<G>());
    if start.conventions().is_none() {
        checks.require(
            *rules == RulesConfig::default(),
            "rules",
            "set",
            &format!("no such section: {game} has no conventions to choose"),
        );
        return;
    }
    checks.require(
        rules.max_turns >= 1,
        "rules.max_turns",
        rules.max_turns,
        "at least 1: without a limit a game may never end",
    );
    checks.require(
        rules.repetition != 1,
        "rules.repetition",
        1,
        "0 (off) or at least 2: every position has occurred once",
    );
    let kept = G::new(&rules.of_game::<G>(game)).conventions().map(RulesConfig::from);
    checks.require(
        kept.is_none_or(|kept| kept.quiet_turns == rules.quiet_turns),
        "rules.quiet_turns",
        rules.quiet_turns,
        &format!("0: {game} does not count turns without progress"),
    );
}

/// The options of the planes of all games.
pub(super) fn schema_of_encodings(generator: &mut SchemaGenerator) -> Schema {
    let mut options = BTreeMap::new();
    for &game in GameName::ALL {
        let schema = with_game!(game, G => generator.subschema_for::<<G as Encode>::Encoding>());
        let properties = schema.get("properties").and_then(Value::as_object).cloned();
        options.extend(properties.unwrap_or_default());
    }
    let mut schema = Schema::default();
    schema.insert("properties".into(), Value::Object(Map::from_iter(options)));
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(config: &Config) -> Vec<String> {
        let problems = config.problems().into_iter();
        problems.map(|problem| problem.key).collect()
    }

    fn set(config: &mut Config, key: &str, value: bool) {
        config.encoding.insert(key.into(), value.into());
    }

    #[test]
    fn what_suits_a_game_is_in_order_for_it() {
        for &game in GameName::ALL {
            assert_eq!(Config::of(game).problems(), [], "{game}");
        }
        assert_eq!(Config::of(GameName::Chase), Config::default());
    }

    #[test]
    fn chase_has_no_mirror_images() {
        let mut config = Config::default();
        config.replay.mirror = true;
        assert_eq!(keys(&config), ["replay.mirror"]);
        let mut config = Config::of(GameName::ConnectFour);
        config.replay.mirror = true;
        assert_eq!(config.problems(), []);
    }

    #[test]
    fn only_games_with_a_mirror_have_networks_for_it() {
        for (game, expected) in [
            (GameName::Chase, &[][..]),
            (GameName::ConnectFour, &[]),
            (GameName::QueensUni, &["network.mirror"]),
            (GameName::Tricolour, &["network.mirror"]),
        ] {
            let mut config = Config::of(game);
            config.network.mirror = true;
            assert_eq!(keys(&config), expected, "{game}");
        }
        let mut config = Config::of(GameName::Chase);
        (config.network.mirror, config.network.wrap) = (true, false);
        assert_eq!(keys(&config), ["network.mirror"]);
        (config.network.wrap, config.network.value_channels) = (true, 31);
        assert_eq!(keys(&config), ["network.value_channels"]);
    }

    #[test]
    fn first_generations_need_a_heuristic_to_be_played_by() {
        let mut config = Config::of(GameName::ConnectFour);
        config.selfplay.heuristic_generations = 3;
        let problems: Vec<String> = config.problems().iter().map(Problem::to_string).collect();
        assert_eq!(
            problems,
            ["selfplay.heuristic_generations is 3, expected 0: there is no heuristic for connect-four"]
        );
        for game in [GameName::Chase, GameName::StaxCyl] {
            let mut config = Config::of(game);
            config.selfplay.heuristic_generations = 3;
            assert_eq!(config.problems(), []);
        }
    }

    #[test]
    fn boards_are_joined_only_where_they_are() {
        let mut config = Config::of(GameName::QueensUni);
        config.replay.mirror = true;
        assert_eq!(keys(&config), [""; 0]);
        config.game = GameName::QueensCyl;
        assert_eq!(keys(&config), ["network.wrap_rows"]);
        config.game = GameName::QueensNum;
        assert_eq!(keys(&config), ["network.wrap", "network.wrap_rows", "replay.mirror"]);
        let mut config = Config::of(GameName::Chase);
        config.network.wrap_rows = true;
        set(&mut config, "jump_maps", false);
        assert_eq!(keys(&config), ["encoding.jump_maps", "network.wrap_rows"]);
    }

    #[test]
    fn settings_that_placement_games_do_not_have_are_refused() {
        let mut config = Config::of(GameName::Tricolour);
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
    fn options_of_planes_have_the_type_of_the_default() {
        let mut config = Config::default();
        config.encoding.insert("move_maps".into(), 5.into());
        let problems: Vec<String> = config.problems().iter().map(Problem::to_string).collect();
        assert_eq!(problems, ["encoding.move_maps is 5, expected true or false"]);
    }

    #[test]
    fn settings_of_one_game_are_refused_for_the_other() {
        let mut config = Config {
            game: GameName::ConnectFour,
            encoding: Table::new(),
            ..Config::default()
        };
        config.rules.max_turns = 50;
        assert_eq!(keys(&config), ["rules", "network.hex", "network.wrap"]);
        set(&mut config, "move_maps", true);
        assert_eq!(
            keys(&config),
            ["rules", "encoding.move_maps", "network.hex", "network.wrap"]
        );
    }
}
