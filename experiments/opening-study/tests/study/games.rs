//! Games from forced openings: the same whatever runs them and however often they are stopped, and whole in the tables.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt8Type, UInt32Type, UInt64Type};
use chase_arena::games::read_games;
use chase_fixtures::{assert_same_files, files, kill_again_and_again, untrained};
use chase_models::device::parse;
use chase_opening_study::claims::{GamesStudy, run};
use chase_opening_study::evidence::EvidenceError;
use chase_opening_study::evidence::games::{Design, GamesConfig, GamesEvent, SeriesId, SeriesKind};
use chase_opening_study::{ClaimId, Role};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

const SEED: u64 = 7;
/// Says to [`child`] where to play.
const FOLDER: &str = "CHASE_TEST_STUDY_FOLDER";

/// A small study of a baseline that plays with chance.
fn config() -> GamesConfig {
    GamesConfig {
        players: vec!["greedy:blunders=0.5".parse().unwrap()],
        curve: vec!["random".parse().unwrap()],
        conventions: vec!["repetition 2, quiet off, length 400".into()],
        first_round: 2,
        most: 5,
        initial_factor: 2,
        in_flight: 16,
        shard: 40,
        max_plies: 40,
        ..GamesConfig::default()
    }
}

fn study(
    folder: &Path,
    config: &GamesConfig,
    on_event: &(dyn Fn(GamesEvent) + Sync),
) -> Result<GamesStudy, EvidenceError> {
    until(&AtomicBool::new(false), folder, config, on_event)
}

/// Plays what is missing, until `stop` is set.
fn until(
    stop: &AtomicBool,
    folder: &Path,
    config: &GamesConfig,
    on_event: &(dyn Fn(GamesEvent) + Sync),
) -> Result<GamesStudy, EvidenceError> {
    let device = parse("cpu").unwrap();
    let design = Design::of(folder, config, SEED, device)?;
    run(folder, design, device, None, stop, on_event)
}

fn assert_same(found: &Path, expected: &Path) {
    assert_same_files(&files(found), &files(expected));
}

fn on_threads<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(run)
}

#[test]
fn a_study_is_the_same_on_any_number_of_threads_and_whenever_it_is_stopped() {
    let directory = tempfile::tempdir().unwrap();
    let [alone, four, stopped] = ["alone", "four", "stopped"].map(|name| directory.path().join(name));
    on_threads(1, || study(&alone, &config(), &|_| {})).unwrap();
    on_threads(4, || study(&four, &config(), &|_| {})).unwrap();
    assert_same(&four, &alone);
    // Stopped after every second file that is finished.
    let mut stops = 0;
    loop {
        let (stop, fresh) = (AtomicBool::new(false), AtomicU32::new(0));
        let on_event = |event: GamesEvent| {
            if matches!(event, GamesEvent::Finished { stored: false, .. }) && fresh.fetch_add(1, Ordering::Relaxed) == 1
            {
                stop.store(true, Ordering::Relaxed);
            }
        };
        // Few threads: all others would end the file in hand.
        match on_threads(2, || until(&stop, &stopped, &config(), &on_event)) {
            Err(EvidenceError::Stopped) => stops += 1,
            result => {
                result.unwrap();
                break;
            }
        }
    }
    assert!(stops > 2, "{stops}");
    assert_same(&stopped, &alone);
}

/// Pauses after each event, so that there is time to be killed between two of them.
fn slowly(_: GamesEvent) {
    std::thread::sleep(Duration::from_millis(20));
}

/// Played in a process of its own by the test below; does nothing otherwise.
#[test]
fn child() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        study(Path::new(&folder), &config(), &slowly).unwrap();
    }
}

#[test]
fn a_study_that_is_killed_goes_on_as_if_it_had_not_been() {
    let directory = tempfile::tempdir().unwrap();
    let [whole, killed] = ["whole", "killed"].map(|name| directory.path().join(name));
    let begin = Instant::now();
    study(&whole, &config(), &slowly).unwrap();
    kill_again_and_again(&killed, begin.elapsed(), 1, |folder| {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "games::child"])
            .env(FOLDER, folder)
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    });
    study(&killed, &config(), &|_| {}).unwrap();
    // What was being written when a process was killed may be there, under a name that is never read.
    let mut found = files(&killed);
    found.retain(|name, _| !name.ends_with(".tmp"));
    assert_same_files(&found, &files(&whole));
}

#[test]
fn tables_say_what_the_games_say() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path();
    let study = study(folder, &config(), &|_| {}).unwrap();
    let read = |name: &str| {
        let file = fs::File::open(folder.join(name)).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        reader.build().unwrap().map(Result::unwrap).collect::<Vec<_>>()
    };
    // Scores and plies by series, from the table of games.
    let mut by_series: BTreeMap<String, (u64, f64, f64)> = BTreeMap::new();
    let mut plies = BTreeMap::new();
    for batch in read("games.parquet") {
        let series = batch["series"].as_string::<i32>();
        let scores = batch["white_score"].as_primitive::<Float64Type>();
        for row in 0..batch.num_rows() {
            let sums = by_series.entry(series.value(row).to_owned()).or_default();
            sums.0 += 1;
            if let Some(score) = scores.iter().nth(row).unwrap() {
                sums.1 += 1.0;
                sums.2 += score;
            }
            let game = batch["game"].as_primitive::<UInt64Type>().value(row);
            plies.insert(game, batch["plies"].as_primitive::<UInt32Type>().value(row));
        }
    }
    assert_eq!(by_series.len(), study.games.facts.len());
    for (id, games) in &study.games.facts {
        let (count, scored, sum) = by_series[&id.to_string()];
        let scores: Vec<f64> = games.iter().filter_map(|game| game.score).collect();
        assert_eq!((games.len() as u64, scores.len() as f64), (count, scored), "{id}");
        assert_eq!(scores.iter().sum::<f64>(), sum, "{id}");
    }
    // Claims about dice rest on the blocks of openings alone, not on further games from the initial position.
    let counted = study
        .games
        .facts
        .iter()
        .filter(|(id, _)| id.player == 0 && id.kind() != SeriesKind::Convention);
    let counted: usize = counted.map(|(_, games)| games.len().min(5)).sum();
    assert_eq!(study.games.dice.len(), counted);
    // Every ply of every game, and what was captured is gone from the dice.
    let mut found: BTreeMap<u64, u32> = BTreeMap::new();
    let mut last: Option<(u64, [u8; 2], u8, bool)> = None;
    for batch in read("plies.parquet") {
        for row in 0..batch.num_rows() {
            let number = |name: &str| batch[name].as_primitive::<UInt8Type>().value(row);
            let game = batch["game"].as_primitive::<UInt64Type>().value(row);
            let ply = found.entry(game).or_default();
            *ply += 1;
            assert_eq!(batch["ply"].as_primitive::<UInt32Type>().value(row), *ply);
            let dice = [number("white_dice"), number("black_dice")];
            if let Some((before, mut expected, captured, white)) = last
                && before == game
            {
                expected[usize::from(white)] -= captured;
                let chamber = u8::from(dice != expected);
                expected[usize::from(!white)] += chamber;
                assert_eq!(dice, expected);
            }
            let captured = batch["captured"].as_list::<i32>().value(row).len() as u8;
            let white = batch["player"].as_string::<i32>().value(row) == "white";
            last = Some((game, dice, captured, white));
        }
    }
    assert_eq!(found, plies);
    // A finding for every claim that games are asked about.
    for claim in [
        ClaimId::new('A', 1),
        ClaimId::new('A', 2),
        ClaimId::new('B', 1),
        ClaimId::new('B', 4),
        ClaimId::new('B', 5),
        ClaimId::new('B', 7),
        ClaimId::new('B', 8),
        ClaimId::new('B', 9),
        ClaimId::new('B', 10),
        ClaimId::new('B', 11),
        ClaimId::new('D', 1),
    ] {
        assert!(study.findings.iter().any(|finding| finding.claim == claim), "{claim}");
    }
}

#[test]
fn a_study_that_is_enlarged_keeps_what_it_has_and_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let [folder, again] = ["folder", "again"].map(|name| directory.path().join(name));
    let most = |most| GamesConfig {
        replies: false,
        conventions: Vec::new(),
        max_plies: 400,
        most,
        ..config()
    };
    let first = study(&folder, &most(5), &|_| {}).unwrap();
    let before = files(&folder);
    let larger = study(&folder, &most(9), &|_| {}).unwrap();
    assert_eq!(
        (larger.design.rounds(), larger.design.config.most),
        (vec![2, 4, 5, 9], 5)
    );
    let after = files(&folder);
    let games = before.iter().filter(|(name, _)| name.starts_with("games/"));
    for (name, content) in games {
        assert_eq!(after.get(name), Some(content), "{name}");
    }
    let games = |study: &GamesStudy, id: SeriesId| study.games.facts[&id].len();
    // What so few games cannot decide goes on.
    let opening = SeriesId::first(0, chase_opening_study::first_moves()[0].action());
    assert_eq!((games(&first, opening), games(&larger, opening)), (5, 9));
    let free = SeriesId::free(0);
    assert_eq!((games(&first, free), games(&larger, free)), (10, 18));
    // The stakes on the first games are those of the plan: what they refuted stays refuted.
    let interval = |study: &GamesStudy| {
        let mut findings = study.findings.iter();
        let free = findings.find(|finding| finding.part == "score of the first player, free games alone");
        free.unwrap().effect.as_ref().unwrap().interval.unwrap()
    };
    let [small, large] = [&first, &larger].map(interval);
    assert!(
        small.low <= large.low && large.high <= small.high,
        "{small:?} {large:?}"
    );
    // It goes on as it is, wherever it was interrupted, and has no fewer games than it has had.
    study(&again, &most(5), &|_| {}).unwrap();
    study(&again, &most(9), &|_| {}).unwrap();
    study(&again, &most(9), &|_| {}).unwrap();
    assert_same(&again, &folder);
}

#[test]
fn several_agents_decide_together_and_are_compared() {
    let directory = tempfile::tempdir().unwrap();
    let config = GamesConfig {
        players: ["greedy:blunders=0.5", "greedy:blunders=0.9"]
            .map(|text| text.parse().unwrap())
            .to_vec(),
        first_round: 4,
        most: 4,
        max_plies: 400,
        ..config()
    };
    let found = study(directory.path(), &config, &|_| {}).unwrap();
    let mut claims = BTreeMap::new();
    let deciding = found.findings.iter().filter(|finding| finding.role == Role::Deciding);
    for finding in deciding {
        *claims.entry(finding.claim).or_insert(0) += 1;
        let agents = finding.agents.as_ref().unwrap();
        assert_eq!(
            (agents.by_agent.len(), &finding.agent),
            (2, &None),
            "{} {}",
            finding.claim,
            finding.part
        );
    }
    assert_eq!(
        (
            claims[&ClaimId::new('A', 1)],
            claims[&ClaimId::new('B', 8)],
            claims[&ClaimId::new('B', 10)]
        ),
        (1, 4, 4)
    );
    // The score of these agents is the mean of the two, and each of theirs is that of its own games.
    let of = |part: &str| found.findings.iter().find(|finding| finding.part == part).unwrap();
    let score = of("score of the first player, free games alone");
    let by_agent: Vec<f64> = score
        .agents
        .as_ref()
        .unwrap()
        .by_agent
        .iter()
        .map(|agent| agent.value.unwrap())
        .collect();
    let mut truncated = false;
    for (player, value) in by_agent.iter().enumerate() {
        let games = &found.games.facts[&SeriesId::free(player)];
        let scores: Vec<f64> = games.iter().filter_map(|game| game.score).collect();
        assert!((scores.iter().sum::<f64>() / scores.len() as f64 - value).abs() < 1e-12);
        truncated |= scores.len() < games.len();
    }
    let mean = by_agent.iter().sum::<f64>() / 2.0;
    let of_these = score.these_agents.as_ref().unwrap().value;
    assert!(truncated || (of_these - mean).abs() < 1e-12);
    // What one agent alone scores stands under its name.
    let alone = of("score of the first player, greedy:blunders=0.9");
    assert_eq!(
        (alone.role, alone.agent.as_deref()),
        (Role::Context, Some("greedy:blunders=0.9"))
    );
    assert_eq!(alone.effect.as_ref().unwrap().value, by_agent[1]);
    // No chance is shared between agents.
    let games = |player: &str| {
        let series = format!("{player}/free");
        let games = found.games.shards.iter().flat_map(|shard| read_games(shard).unwrap());
        games
            .filter(|game| game.series == series)
            .map(|game| game.result.actions)
            .collect::<Vec<_>>()
    };
    assert_ne!(games("0"), games("1"));
}

#[test]
fn a_player_of_the_curve_that_repeats_its_games_is_a_remark() {
    let directory = tempfile::tempdir().unwrap();
    let network = directory.path().join("network");
    untrained(&network, 1);
    let repeating = format!("net:{},simulations=2,precision=f32", network.display());
    let config = GamesConfig {
        curve: ["random", &repeating].map(|text| text.parse().unwrap()).to_vec(),
        // What would make it play differently.
        temperature: 0.0,
        first_round: 3,
        most: 3,
        max_plies: 400,
        replies: false,
        ..config()
    };
    let found = study(&directory.path().join("study"), &config, &|_| {}).unwrap();
    let of = |name: &str| {
        let part = format!("score of the first player, {name}");
        found.findings.iter().find(|finding| finding.part == part).unwrap()
    };
    assert!(of(&repeating).summary.contains("Only 1 of its 6 games differ."));
    assert_eq!((of(&repeating).n, of("random").n > 0), (0, true));
}

#[test]
fn damaged_games_are_refused_by_name() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path();
    let small = GamesConfig {
        first_round: 2,
        most: 2,
        replies: false,
        ..config()
    };
    study(folder, &small, &|_| {}).unwrap();
    let told = |config: &GamesConfig| study(folder, config, &|_| {}).unwrap_err().to_string();
    // A file with other games, and ones that are damaged.
    let round = folder.join("games").join("round-00");
    let [first, second] = ["player-00-00000.jsonl", "player-00-00001.jsonl"].map(|name| round.join(name));
    let content = fs::read_to_string(&first).unwrap();
    fs::copy(&second, &first).unwrap();
    assert!(told(&small).contains("player-00-00000.jsonl is damaged: its games are not the requested games"));
    fs::write(&first, content.replacen("\"number\"", "\"nomber\"", 1)).unwrap();
    assert!(
        told(&small).contains("player-00-00000.jsonl is damaged: line 1: "),
        "{}",
        told(&small)
    );
    let damaged = content.replacen("\"black\"", "\"white\"", 1);
    assert!(damaged != content, "{content}");
    fs::write(&first, damaged).unwrap();
    assert!(told(&small).contains("but it ends as"), "{}", told(&small));
}

#[test]
fn a_network_plays_with_chance_in_its_first_plies_and_says_what_it_expects() {
    let directory = tempfile::tempdir().unwrap();
    let network = directory.path().join("network");
    untrained(&network, 1);
    let player = format!("net:{},simulations=16,precision=f32", network.display());
    let config = GamesConfig {
        players: vec![player.parse().unwrap()],
        curve: Vec::new(),
        conventions: Vec::new(),
        temperature: 1.0,
        temperature_plies: 6,
        first_round: 3,
        most: 3,
        max_plies: 8,
        replies: false,
        ..config()
    };
    let [one, two, cold] = ["one", "two", "cold"].map(|name| directory.path().join(name));
    let played = on_threads(1, || study(&one, &config, &|_| {})).unwrap();
    on_threads(2, || study(&two, &config, &|_| {})).unwrap();
    assert_same(&two, &one);
    let games = read_games(&played.games.shards[0]).unwrap();
    for game in &games {
        let forced = game.result.opening_plies as usize;
        assert!(game.values[..forced].iter().all(Option::is_none));
        let searched = game.values[forced..].iter().flatten();
        assert!(searched.clone().count() > 5 && searched.clone().all(|value| (0.0..=1.0).contains(value)));
    }
    // Without a temperature every game from one position is the same.
    let without = GamesConfig {
        temperature: 0.0,
        ..config.clone()
    };
    let told = study(&cold, &without, &|_| {}).map(|_| ()).unwrap_err().to_string();
    assert!(told.contains("1 different games out of 6 from one position"), "{told}");
    // Other weights in the same place are another player.
    fs::remove_dir_all(&network).unwrap();
    untrained(&network, 2);
    let told = study(&one, &config, &|_| {}).map(|_| ()).unwrap_err().to_string();
    assert!(
        told.starts_with("player `net:") && told.contains("is not the network that the games were begun with"),
        "{told}"
    );
    fs::remove_dir_all(&network).unwrap();
    let told = study(&one, &config, &|_| {}).map(|_| ()).unwrap_err().to_string();
    let expected = "put the network of the beginning back, or begin again in another folder";
    assert!(told.ends_with(expected), "{told}");
}
