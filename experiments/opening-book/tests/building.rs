//! Books: the same on any number of threads and after any break, and what their pages say follows from their positions.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use chase_engine::chase::Rules;
use chase_engine::{Chase, Game};
use chase_opening_book::{Book, BookConfig, BookError, BookFolder, BookProgress, BookWatch, Range, build, page, write};
use chase_training::config::Setting;

const SMALL: [&str; 6] = [
    "plies=3",
    "candidates=3",
    "width=2",
    "margin=0.2",
    "scout=nnue-52,nodes=20",
    "judges=['nnue-52,nodes=100','nnue-52,nodes=60']",
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

/// The files that hold results.
fn results(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(path.join("positions")).unwrap() {
        let path = entry.unwrap().path();
        files.insert(
            path.file_name().unwrap().to_string_lossy().into_owned(),
            fs::read(&path).unwrap(),
        );
    }
    files
}

#[test]
fn a_book_is_the_same_on_any_number_of_threads_and_however_often_it_is_stopped() {
    let directory = tempfile::tempdir().unwrap();
    let [alone, three, stopped] = ["alone", "three", "stopped"].map(|name| directory.path().join(name));
    let book = work(&create(&alone), 1, usize::MAX).unwrap().unwrap();
    let other = work(&create(&three), 3, usize::MAX).unwrap().unwrap();
    assert_eq!(
        (book.positions.len(), results(&alone)),
        (other.positions.len(), results(&three))
    );
    assert_eq!(book.positions, other.positions);
    let mut folder = create(&stopped);
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
        (resumed.positions, results(&stopped)),
        (book.positions, results(&alone))
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
    let directory = tempfile::tempdir().unwrap();
    let folder = create(&directory.path().join("book"));
    let book = work(&folder, 2, usize::MAX).unwrap().unwrap();
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
        assert_eq!(position.backed, minimax(&book, place));
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
    let shown = page(&book);
    assert!(shown.contains(&line.actions.join(" ")) && shown.contains("nnue-52,nodes=100"));
    let stored: Book = serde_json::from_slice(&fs::read(folder.path().join("book.json")).unwrap()).unwrap();
    assert_eq!(stored, book);
    assert_eq!(book.provenance.judges[0].weights.as_ref().map(String::len), Some(64));
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
        told.contains("was begun with another configuration: width differ"),
        "{told}"
    );
    // As if a player were another one since.
    let judges = path.join("judges.json");
    let text = fs::read_to_string(&judges).unwrap();
    let weights = serde_json::from_str::<serde_json::Value>(&text).unwrap()[0]["weights"]
        .as_str()
        .unwrap()
        .to_owned();
    fs::write(&judges, text.replacen(&weights, &"0".repeat(64), 1)).unwrap();
    let told = BookFolder::resume(&path, &[]).unwrap_err().to_string();
    assert!(
        told.contains("the SHA-256 of the weights of nnue:nnue-52,nodes=20 is"),
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
        told.contains("ply-00-00000.jsonl is damaged: it has other positions than this book"),
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
