//! Games are added by hand and from files, and looked up by position.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::Write;

use chase_engine::chase::{Action, Position, Rules};
use chase_engine::{Chase, Draughts, Game, GameName, Outcome, Player, Wdl, seed};
use chase_training::game_record::{GameRecord, PlyRecord, PolicyRecord, Purpose};
use chase_training::replay::shard;

use super::*;
use crate::games::{GAMES_FILE, GameKind, GameLine, GameResult, PlayedGame};
use crate::players::Efforts;
use chase_training::openings::Tally;

fn after(actions: &[&str]) -> Position {
    let mut game = Chase::new(&Rules::default());
    for text in actions {
        game.apply(game.parse_action(text).unwrap());
    }
    *game.position()
}

fn record(actions: &[&str], values: &[Option<[f32; 3]>], outcome: Outcome) -> GameRecord<Chase> {
    let start = Chase::new(&Rules::default());
    let mut game = start.clone();
    let mut plies = Vec::new();
    for (text, value) in actions.iter().zip(values) {
        let action = game.parse_action(text).unwrap();
        plies.push(PlyRecord {
            action,
            player: game.to_move(),
            simulations: 0,
            value: value.map(Wdl::from),
            policy: None,
        });
        game.apply(action);
    }
    GameRecord {
        index: 0,
        random_plies: 0,
        start,
        plies,
        outcome,
        end_reason: String::new(),
    }
}

fn selfplay(record: &GameRecord<Chase>, player: &str) -> ExploredGame<Chase> {
    ExploredGame::of_training(record, GameKind::Selfplay, player, 30)
}

fn moves(explorer: &Explorer, position: &Position) -> Vec<Explored> {
    let mut moves = Moves::new(Chase::from_position(*position, Rules::default()));
    moves.add("run", explorer, |_| true);
    moves.list()
}

#[test]
fn transpositions_meet_and_values_are_whites() {
    let mut explorer = Explorer::new(4);
    let win = Some([0.8, 0.2, 0.0]);
    let one = record(
        &["A3NW", "I3SW", "A7NE", "I7SE"],
        &[None, win, win, None],
        Outcome::Win(Player::White),
    );
    let other = record(&["A7NE", "I3SW", "A3NW", "I7SE"], &[None; 4], Outcome::Truncated);
    explorer.add(&selfplay(&one, "gen-000001"));
    explorer.add(&selfplay(&other, "gen-000002"));
    assert_eq!(explorer.games(|_| true), 2);
    assert_eq!(explorer.games(|source| source.player == "gen-000002"), 1);
    let first = moves(&explorer, &Position::initial());
    let actions: Vec<&str> = first.iter().map(|explored| &*explored.action).collect();
    assert_eq!(actions, ["A3NW", "A7NE"]);
    // Black expects a score of 80 %, which leaves White 10 %.
    assert!((first[0].figures.value.unwrap() - 0.1).abs() < 1e-6);
    assert_eq!(first[1].figures.value, None);
    let met = moves(&explorer, &after(&["A7NE", "I3SW", "A3NW"]));
    assert_eq!((met.len(), &*met[0].action), (1, "I7SE"));
    let expected = Tally {
        games: 2,
        white: 1,
        truncated: 1,
        ..Tally::default()
    };
    assert_eq!(met[0].figures.tally, expected);
    // And separately by player.
    let by: Vec<_> = met[0]
        .by
        .iter()
        .map(|by| (&*by.source.player, by.figures.tally.games))
        .collect();
    assert_eq!(by, [("gen-000001", 1), ("gen-000002", 1)]);
    let mut some = Moves::new(Chase::from_position(after(&["A7NE", "I3SW", "A3NW"]), Rules::default()));
    some.add("run", &explorer, |source| source.player == "gen-000001");
    assert_eq!(some.list()[0].figures.tally.white, 1);
    assert_eq!(some.list()[0].figures.tally.truncated, 0);
}

#[test]
fn random_plies_are_no_choices_and_only_the_first_plies_are_kept() {
    let mut explorer = Explorer::new(2);
    let mut random = record(&["A3NW", "I3SW", "A7NE"], &[None; 3], Outcome::Draw);
    random.random_plies = 1;
    explorer.add(&selfplay(&random, "gen-000001"));
    assert!(moves(&explorer, &Position::initial()).is_empty());
    assert_eq!(moves(&explorer, &after(&["A3NW"])).len(), 1);
    assert!(moves(&explorer, &after(&["A3NW", "I3SW"])).is_empty());
}

#[test]
fn visits_are_counted_for_every_move_that_a_full_search_considered() {
    let mut explorer = Explorer::new(4);
    let mut searched = record(&["A3NW"], &[None], Outcome::Draw);
    let mut legal: Vec<Action> = Vec::new();
    searched.start.legal_actions(&mut legal);
    let visits = (0..legal.len() as u32).collect();
    searched.plies[0].policy = Some(PolicyRecord {
        visits,
        ..PolicyRecord::default()
    });
    explorer.add(&selfplay(&searched, "gen-000001"));
    explorer.add(&selfplay(&searched, "gen-000001"));
    let moves = moves(&explorer, &Position::initial());
    // One of the 46 was not visited.
    assert_eq!(moves.len(), 45);
    assert_eq!((&*moves[0].action, moves[0].figures.tally.games), ("A3NW", 2));
    for explored in &moves {
        let place = legal.iter().position(|action| action.to_string() == explored.action);
        assert_eq!(
            explored.figures.visits,
            2 * place.unwrap() as u64,
            "{}",
            explored.action
        );
    }
    assert_eq!(explorer.entries(), 46);
}

fn result(actions: &[&str], opening_plies: u32) -> GameResult {
    GameResult {
        outcome: Outcome::Win(Player::Black),
        reason: "four dice".into(),
        plies: actions.len() as u32,
        opening_plies,
        start: None,
        actions: actions.iter().map(|&text| text.to_owned()).collect(),
        effort: Efforts::default(),
    }
}

fn line(actions: &[&str], opening_plies: u32) -> String {
    let line = GameLine {
        white: "strong".into(),
        black: "weak".into(),
        pair: 0,
        game: result(actions, opening_plies),
    };
    serde_json::to_string(&line).unwrap() + "\n"
}

#[test]
fn a_tournament_is_read_line_by_line_while_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(GAMES_FILE);
    let mut collection = Collection::<Chase>::new(folder.path(), GameName::Chase, 30);
    let games = |collection: &Collection| collection.explorer().games(|_| true);
    // Nothing exists yet.
    assert!(!collection.read(|_| false));
    let (one, two) = (line(&["A3NW", "I3SW", "A7NE"], 1), line(&["A7NE", "I7SE"], 0));
    let (begun, rest) = two.split_at(20);
    fs::write(&path, one.clone() + begun).unwrap();
    assert!(!collection.read(|_| false));
    assert_eq!((games(&collection), collection.left_out()), (1, 0));
    let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(rest.as_bytes()).unwrap();
    assert!(!collection.read(|_| false));
    assert_eq!((games(&collection), collection.left_out()), (2, 0));
    // No player chose the opening; the players are kept apart.
    let first = moves(collection.explorer(), &Position::initial());
    assert_eq!((first.len(), &*first[0].by[0].source.player), (1, "strong"));
    let reply = moves(collection.explorer(), &after(&["A3NW"]));
    assert_eq!(&*reply[0].by[0].source.player, "weak");
    // A line that is not a game is left out and counted; later lines are read.
    file.write_all(b"nonsense\n").unwrap();
    file.write_all(line(&["A3A4"], 0).as_bytes()).unwrap();
    file.write_all(one.as_bytes()).unwrap();
    assert!(!collection.read(|_| false));
    assert_eq!((games(&collection), collection.left_out()), (3, 2));
    assert!(
        collection.reasons()[1].contains("ply 1, `A3A4`"),
        "{:?}",
        collection.reasons()
    );
    // A reader that has enough stops, and continues later.
    let mut other = Collection::<Chase>::new(folder.path(), GameName::Chase, 30);
    assert!(other.read(|_| true));
    assert_eq!(games(&other), 0);
    assert!(!other.read(|_| false));
    assert_eq!(games(&other), 3);
    // A tournament that removes games is read anew.
    fs::write(&path, one).unwrap();
    assert!(!collection.read(|_| false));
    assert_eq!((games(&collection), collection.left_out()), (1, 0));
}

#[test]
fn games_of_any_game_are_explored_from_where_they_began() {
    let folder = tempfile::tempdir().unwrap();
    let rules = GameName::StaxNum.rules::<Draughts>();
    let drawn = Draughts::start(&rules, &mut seed::named("start", &[]));
    let mut legal = Vec::new();
    drawn.legal_actions(&mut legal);
    let first = drawn.action_text(legal[0]);
    let mut played = result(&[&first], 0);
    played.start = Some(drawn.position_text());
    let line = GameLine {
        white: "strong".into(),
        black: "weak".into(),
        pair: 0,
        game: played,
    };
    let text = serde_json::to_string(&line).unwrap() + "\n";
    fs::write(folder.path().join(GAMES_FILE), text).unwrap();
    let mut collection = Collection::<Draughts>::new(folder.path(), GameName::StaxNum, 30);
    assert!(!collection.read(|_| false));
    assert_eq!(collection.left_out(), 0, "{:?}", collection.reasons());
    let explored = |game: Draughts| {
        let mut moves = Moves::new(game);
        moves.add("run", collection.explorer(), |_| true);
        moves.list()
    };
    let moves = explored(drawn);
    assert_eq!((moves.len(), &moves[0].action), (1, &first));
    assert!(explored(Draughts::new(&rules)).is_empty(), "another start");
}

#[test]
fn the_forced_plies_of_a_study_count() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games/round-00");
    fs::create_dir_all(&games).unwrap();
    let played = PlayedGame {
        series: "1/first/A3NW".into(),
        number: 0,
        result: result(&["A3NW", "I3SW"], 1),
        values: vec![None, Some(0.25)],
    };
    let text = serde_json::to_string(&played).unwrap() + "\n";
    fs::write(games.join("player-01-00000.jsonl"), &text).unwrap();
    fs::write(games.join("player-01-00001.jsonl.tmp"), "half").unwrap();
    fs::write(games.join("player-02-00000.jsonl"), text).unwrap();
    fs::write(
        folder.path().join("design.json"),
        r#"{"players": [{"name": "one"}, {"name": "other"}]}"#,
    )
    .unwrap();
    let mut collection = Collection::<Chase>::new(folder.path(), GameName::Chase, 30);
    assert!(!collection.read(|_| false));
    assert_eq!(collection.left_out(), 0);
    let first = moves(collection.explorer(), &Position::initial());
    assert_eq!((first.len(), first[0].figures.value), (1, Some(0.25)));
    let names: Vec<&str> = first[0].by.iter().map(|by| &*by.source.player).collect();
    assert_eq!(names, ["other", "player 02"]);
}

#[test]
fn the_shards_of_a_run_are_read_once_and_damaged_ones_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    fs::create_dir_all(&games).unwrap();
    fs::write(folder.path().join("config.toml"), "[rules]\nmax_turns = 1\n").unwrap();
    let record = record(&["A3NW"], &[Some([0.5, 0.0, 0.5])], Outcome::Truncated);
    let write = |generation: u64, purpose| {
        let origin = shard::GroupOrigin {
            game: Chase::NAME,
            generation,
            purpose,
            group: 0,
            model: format!("gen-{:06}", generation - 1),
            run_seed: 1,
            rules: String::new(),
            encoding: String::new(),
            config_sha256: String::new(),
        };
        shard::write(&games, &origin, std::slice::from_ref(&record)).unwrap()
    };
    write(2, Purpose::Selfplay);
    write(2, Purpose::Measurement);
    let mut collection = Collection::<Chase>::new(folder.path(), GameName::Chase, 30);
    assert!(!collection.read(|_| false));
    assert_eq!((collection.left_out(), collection.reasons()), (0, &[][..]));
    let sources: Vec<_> = collection
        .explorer()
        .sources()
        .map(|(source, games)| (source.clone(), games))
        .collect();
    let source = |kind| Source {
        kind,
        player: "gen-000001".into(),
    };
    assert_eq!(
        sources,
        [(source(GameKind::Selfplay), 1), (source(GameKind::Measurement), 1)]
    );
    // A live run continues; one of its files is damaged.
    let id = write(3, Purpose::Selfplay);
    let path = games.join(&id.name);
    let mut content = fs::read(&path).unwrap();
    content.truncate(100);
    fs::write(&path, content).unwrap();
    write(4, Purpose::Selfplay);
    assert!(!collection.read(|_| false));
    assert_eq!((collection.explorer().games(|_| true), collection.left_out()), (3, 1));
    assert!(!collection.read(|_| false));
    assert_eq!((collection.explorer().games(|_| true), collection.left_out()), (3, 1));
}
