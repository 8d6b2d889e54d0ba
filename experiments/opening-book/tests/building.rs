//! Books: the same on any number of threads and after any break, and what their pages say follows from their positions.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use chase_arena::games::GameLine;
use chase_engine::chase::Rules;
use chase_engine::{Chase, Game, Outcome, Player};
use chase_opening_book::{Book, BookConfig, BookError, BookFolder, BookProgress, BookWatch, Range, build, page, write};
use chase_training::settings::{Setting, Settings};

const SMALL: [&str; 12] = [
    "plies=3",
    "candidates=3",
    "width=2",
    "margin=0.2",
    "scout=nnue-57,nodes=20",
    "judges=['nnue-57,nodes=100','nnue-57,nodes=60']",
    "challengers=['nnue-57,nodes=150','nnue-57,nodes=250']",
    "contest.player=nnue-57,nodes=5,temperature=2,temperature-plies=30",
    "contest.moves=3",
    "contest.first_round=4",
    "contest.most=12",
    "contest.error=0.5",
];

fn config(more: &[&str]) -> BookConfig {
    let settings = [&SMALL[..], more].concat();
    BookConfig::load(None, &Setting::list(&settings)).unwrap()
}

fn on_threads<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(run)
}

/// Works until `stop_after` reports of progress; the book if that was to its end.
fn work(folder: &BookFolder, threads: usize, stop_after: usize) -> Result<Option<Book>, BookError> {
    let stop = Arc::new(AtomicBool::new(false));
    let reports = std::sync::atomic::AtomicUsize::new(0);
    let on_progress = |_: BookProgress| {
        if reports.fetch_add(1, Ordering::Relaxed) + 1 == stop_after {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let watch = BookWatch {
        stop: &stop,
        on_progress: &on_progress,
    };
    let positions = on_threads(threads, || build::<Chase>(folder, watch))?;
    positions
        .map(|positions| Ok(write::<Chase>(folder, positions)?.0))
        .transpose()
}

fn create(path: &Path) -> BookFolder {
    BookFolder::create(path, config(&[])).unwrap()
}

/// A finished book, which tests share.
fn finished() -> &'static (tempfile::TempDir, Book) {
    static BOOK: LazyLock<(tempfile::TempDir, Book)> = LazyLock::new(|| {
        let directory = tempfile::tempdir().unwrap();
        let folder = create(&directory.path().join("book"));
        let book = work(&folder, 2, usize::MAX).unwrap().unwrap();
        (directory, book)
    });
    &BOOK
}

/// The files that hold results.
fn results(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for folder in ["positions", "challenges", "contest"] {
        for entry in fs::read_dir(path.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            files.insert(
                format!("{folder}/{}", path.file_name().unwrap().to_string_lossy()),
                fs::read(&path).unwrap(),
            );
        }
    }
    files
}

#[test]
fn a_book_is_the_same_on_any_number_of_threads_and_however_often_it_is_stopped() {
    let directory = tempfile::tempdir().unwrap();
    let short = |path: &Path| BookFolder::create(path, config(&["plies=2"])).unwrap();
    let [alone, three, stopped] = ["alone", "three", "stopped"].map(|name| directory.path().join(name));
    let book = work(&short(&alone), 1, usize::MAX).unwrap().unwrap();
    let other = work(&short(&three), 3, usize::MAX).unwrap().unwrap();
    assert_eq!(
        (book.positions.len(), results(&alone)),
        (other.positions.len(), results(&three))
    );
    assert_eq!((&book.positions, &book.contest), (&other.positions, &other.contest));
    let mut folder = short(&stopped);
    let mut breaks = 0;
    let resumed = loop {
        // The first two reports may be of stored positions.
        if let Some(book) = work(&folder, 2, 8 + 6 * breaks).unwrap() {
            break book;
        }
        breaks += 1;
        drop(folder);
        folder = BookFolder::resume(&stopped, &["threads=2".into()]).unwrap();
    };
    assert!(breaks >= 2, "{breaks}");
    assert_eq!(
        (resumed.positions, resumed.contest, results(&stopped)),
        (book.positions, book.contest, results(&alone))
    );
}

/// The score of a position by the definition, without the code that computed it.
fn minimax(book: &Book, place: usize) -> Option<Range> {
    let position = &book.positions[place];
    let scores = position.moves.iter().filter_map(|step| {
        let Some(to) = step.to else { return step.judged() };
        let below = minimax(book, to)?;
        let same = book.positions[to].player == position.player;
        Some(if same { below } else { below.turned() })
    });
    scores.reduce(Range::or)
}

#[test]
fn scores_are_those_of_minimax_and_lines_lead_to_their_positions() {
    let (directory, book) = finished();
    let first = &book.positions[0];
    // Of the first position all moves are candidates and followed.
    assert!(
        first
            .moves
            .iter()
            .all(|step| step.followed && step.judges.len() == 2 && step.to.is_some())
    );
    let mut edges = 0;
    for (place, position) in book.positions.iter().enumerate() {
        let mut game = Chase::new(&Rules::default());
        for action in &position.line {
            game.apply(game.parse_action(action).unwrap());
        }
        assert_eq!(game.position_text(), position.position);
        let mut legal = Vec::new();
        game.legal_actions(&mut legal);
        assert_eq!(position.moves.len(), legal.len());
        assert_eq!(position.backed, minimax(book, place));
        let means: Vec<f64> = position
            .moves
            .iter()
            .filter_map(|step| step.backed)
            .map(|range| range.mean)
            .collect();
        assert!(means.is_sorted_by(|one, next| one >= next), "{means:?}");
        if place > 0 {
            assert!(means.len() >= 3.min(legal.len()));
            assert!(position.moves.iter().filter(|step| step.followed).count() <= 2);
        }
        for step in position.moves.iter().filter(|step| step.to.is_some()) {
            let to = &book.positions[step.to.unwrap()];
            let mut next = game.clone();
            next.apply(game.parse_action(&step.action).unwrap());
            // Other lines may lead there, with other counters, but not to another position.
            let board = |text: &str| text.split(' ').take(2).collect::<Vec<_>>().join(" ");
            assert_eq!(board(&next.position_text()), board(&to.position));
            assert_eq!(to.ply, position.ply + 1);
            edges += 1;
        }
    }
    assert!(
        edges >= book.positions.len(),
        "transpositions are one position: {edges} {}",
        book.positions.len()
    );
    let line = book.line(0, 0);
    assert_eq!((line.actions.len(), line.score), (3, first.moves[0].backed));
    let shown = page(book);
    assert!(shown.contains(&line.actions.join(" ")) && shown.contains("nnue-57,nodes=100"));
    let stored: Book = serde_json::from_slice(&fs::read(directory.path().join("book/book.json")).unwrap()).unwrap();
    assert_eq!(&stored, book);
    assert_eq!(
        book.provenance.players.judges[0].weights.as_ref().map(String::len),
        Some(64)
    );
}

/// A move's guaranteed score, by the definition: the least score over all known ways of the opponent, to the end of
/// the book.
fn held(book: &Book, place: usize, choice: usize) -> Option<f64> {
    let step = &book.positions[place].moves[choice];
    let mut least = f64::INFINITY;
    for answer in &step.challenge.as_ref()?.answers {
        // Where the book itself goes on after this reply, its line counts instead.
        let below = step.to.and_then(|to| {
            let reply = book.positions[to]
                .moves
                .iter()
                .find(|reply| Some(&reply.action) == answer.reply.as_ref());
            held(book, reply?.to?, 0)
        });
        least = least.min(below.or(answer.score).unwrap());
    }
    for reply in step.to.iter().flat_map(|&to| &book.positions[to].moves) {
        least = least.min(reply.to.and_then(|to| held(book, to, 0)).unwrap_or(f64::INFINITY));
    }
    Some(least)
}

#[test]
fn the_best_moves_are_challenged_and_hold_what_the_best_known_replies_leave() {
    let (_, book) = finished();
    let (mut below_challenge, mut threats) = (0, 0);
    for (place, position) in book.positions.iter().enumerate() {
        let game = position
            .line
            .iter()
            .fold(Chase::new(&Rules::default()), |mut game, action| {
                game.apply(game.parse_action(action).unwrap());
                game
            });
        let scored = position.moves.iter().filter(|step| step.backed.is_some()).count();
        let challenged = position.moves.iter().filter(|step| step.challenge.is_some()).count();
        assert_eq!(challenged, if place == 0 { scored } else { scored.min(2) });
        for (choice, step) in position.moves.iter().enumerate() {
            assert_eq!(step.held, held(book, place, choice));
            let Some(challenge) = &step.challenge else { continue };
            assert_eq!(challenge.answers.len(), 2);
            let mut after = game.clone();
            after.apply(after.parse_action(&step.action).unwrap());
            for answer in &challenge.answers {
                let reply = after.parse_action(answer.reply.as_ref().unwrap()).unwrap();
                assert!(after.is_legal(reply) && (0.0..=1.0).contains(&answer.score.unwrap()));
                assert_eq!(Some(after.people_text(reply)), answer.text);
            }
            if let Some(threat) = &challenge.threat {
                let passed = after.passed().unwrap();
                assert_eq!(passed.to_move(), game.to_move());
                assert!(passed.is_legal(passed.parse_action(&threat.action).unwrap()));
                threats += 1;
            }
            below_challenge += usize::from(step.held < challenge.worst().map(|(_, score)| score));
        }
    }
    assert!(threats > 40 && below_challenge > 0, "{threats} {below_challenge}");
    assert!(
        book.positions
            .iter()
            .any(|position| position.broken_by().is_some_and(|gain| gain > 0.0))
    );
    let shown = page(book);
    for expected in [
        "It threatens",
        "The strongest challenge is",
        "Challenged moves",
        "holds more against",
    ] {
        assert!(shown.contains(expected), "{expected}");
    }
}

#[test]
fn a_contest_keeps_its_games_and_stops_with_moves_that_cannot_be_the_best() {
    let (directory, book) = finished();
    let contest = book.contest.as_ref().unwrap();
    let text = fs::read_to_string(directory.path().join("book/contest.jsonl")).unwrap();
    let games: Vec<GameLine> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((contest.moves.len(), contest.level), (3, 0.5));
    for step in &contest.moves {
        let own: Vec<&GameLine> = games
            .iter()
            .filter(|line| line.game.actions[0] == step.action)
            .collect();
        let score = |line: &&GameLine| match line.game.outcome {
            Outcome::Win(Player::White) => 1.0,
            Outcome::Win(Player::Black) => 0.0,
            _ => 0.5,
        };
        let mean = own.iter().map(score).sum::<f64>() / own.len() as f64;
        assert_eq!(own.len() as u64, 2 * step.score.n);
        assert!((mean - step.score.mean).abs() < 1e-9, "{mean} {:?}", step.score);
        assert!(
            step.score.n == 12
                || !step.score.can_be_best
                || contest.moves.iter().filter(|step| step.score.can_be_best).count() < 2
        );
    }
    assert!(page(book).contains("can be best"));
    // Games differ, and blocks of different moves share their chance.
    let lines: BTreeSet<&Vec<String>> = games.iter().map(|line| &line.game.actions).collect();
    assert_eq!(lines.len(), games.len());
}

#[test]
fn another_game_has_no_challenges_and_no_contest_unless_its_players_are_given() {
    let load = |settings: &[&str]| BookConfig::load(None, &Setting::list(settings)).unwrap();
    let other = load(&["game=connect-four"]);
    assert_eq!((other.challengers.len(), other.contest.moves), (0, 0));
    let given = load(&[
        "game=connect-four",
        "contest.player=runs/four,temperature=1",
        "challengers=['runs/four']",
    ]);
    assert_eq!((given.challengers.len(), given.contest.moves), (1, 8));
}

#[test]
fn what_cannot_be_a_book_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("book");
    let folder = create(&path);
    assert_eq!(work(&folder, 1, 3).unwrap(), None);
    drop(folder);
    let told = BookFolder::resume(&path, &["width=1".into()]).unwrap_err().to_string();
    assert!(
        told.contains("the book cannot continue with width = 1 (was 2); begin a new book"),
        "{told}"
    );
    // As if a player were another one since.
    let judges = path.join("agents.json");
    let text = fs::read_to_string(&judges).unwrap();
    let weights = serde_json::from_str::<serde_json::Value>(&text).unwrap()["scout"]["weights"]
        .as_str()
        .unwrap()
        .to_owned();
    fs::write(&judges, text.replacen(&weights, &"0".repeat(64), 1)).unwrap();
    let told = BookFolder::resume(&path, &[]).unwrap_err().to_string();
    assert!(
        told.starts_with("player `nnue:nnue-57,nodes=20`: nnue-57 is not the network that the games were begun with"),
        "{told}"
    );
    fs::write(&judges, text).unwrap();
    let file = path.join("positions/ply-00-00000.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("\"line\":[]", "\"line\":[\"A1E\"]", 1)).unwrap();
    let told = work(&BookFolder::resume(&path, &[]).unwrap(), 1, usize::MAX)
        .unwrap_err()
        .to_string();
    assert!(
        told.contains("ply-00-00000.jsonl is damaged: its positions are not the positions of this book"),
        "{told}"
    );
    fs::write(&file, &text[..text.len() / 2]).unwrap();
    let told = work(&BookFolder::resume(&path, &[]).unwrap(), 1, usize::MAX)
        .unwrap_err()
        .to_string();
    assert!(told.contains("is damaged: "), "{told}");
    let silent = BookConfig {
        scout: "random".parse().unwrap(),
        ..config(&[])
    };
    let folder = BookFolder::create(&directory.path().join("silent"), silent).unwrap();
    let told = work(&folder, 1, usize::MAX).unwrap_err().to_string();
    assert!(
        told.contains("random cannot judge a position: it reports no expected score"),
        "{told}"
    );
}
