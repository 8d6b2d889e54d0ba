//! `chase book` as a person meets it.

use std::path::Path;
use std::process::Output;

use super::program::{chase, facts, text};

const SMALL: &str = "--scout nnue-57,nodes=1 --judge nnue-57,nodes=4 --challenger nnue-57,nodes=3 --set plies=2 --set candidates=2 \
                     --set width=1 --set contest.moves=2 --set contest.most=1 --set contest.first_round=1 \
                     --set contest.player=nnue-57,nodes=1,temperature=1,temperature-plies=9";

fn book(folder: &Path, args: &str) -> Output {
    let args: Vec<&str> = ["book"].into_iter().chain(args.split_whitespace()).collect();
    chase(folder, &args).output().unwrap()
}

#[test]
fn a_book_prints_the_first_moves_best_first_and_is_resumed() {
    let home = tempfile::tempdir().unwrap();
    let output = book(home.path(), &format!("{SMALL} --run-dir book"));
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{err}");
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("move") && lines[0].ends_with("line"), "{out}");
    let scores: Vec<f64> = lines[1..=46]
        .iter()
        .map(|line| line.split_whitespace().nth(1).unwrap().parse().unwrap())
        .collect();
    assert!(scores.is_sorted_by(|one, next| one >= next), "{out}");
    // 46 first moves lead to 44 positions.
    assert!(out.contains("\n45 positions\n"), "{out}");
    for told in [
        "ply 2: 44 positions",
        "challenges: 45 positions",
        "contest: 2 pairs of games",
    ] {
        assert!(err.contains(told), "{err}");
    }
    assert!(out.contains("\ncontest    4 games; can be the best: "), "{out}");
    for file in ["book.json", "book.parquet", "contest.jsonl", "report.html"] {
        assert!(home.path().join("book").join(file).exists(), "{file}");
    }
    let facts = facts(&home.path().join("book/book.parquet"), "book");
    assert!(facts["players"].contains("nnue-57,nodes=4"), "{facts:?}");
    // It is finished: nothing is judged again.
    let again = book(home.path(), "--resume book --quiet");
    assert_eq!((text(&again.stdout), text(&again.stderr)), (out, String::new()));
    let refused = book(home.path(), "--resume book --set plies=3");
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        text(&refused.stderr).contains("the book cannot continue with plies = 3 (was 2); begin a new book"),
        "{}",
        text(&refused.stderr)
    );
}
