//! Opening books: their moves in a position, whichever line led there.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::{Value, json};

use super::server::Server;
use crate::program::{run, text};

/// Two plies: the first position, and those after each first move.
const SMALL: &str = "--scout nnue-57,nodes=1 --judge nnue-57,nodes=4 --judge nnue-57,nodes=300 --challenger nnue-57,nodes=3 --set contest.moves=0 --set plies=2 --set candidates=3 --set width=1";
/// Files of a book that the server needs.
const FILES: [&str; 2] = ["meta.json", "book.json"];

/// A small book, in a folder that must not be changed.
fn small() -> &'static Path {
    static SMALL_BOOK: OnceLock<PathBuf> = OnceLock::new();
    SMALL_BOOK.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("serve-small-book");
        let _ = fs::remove_dir_all(&folder);
        let folder_text = folder.to_str().unwrap();
        let args: Vec<&str> = ["book", "--quiet", "--run-dir", folder_text]
            .into_iter()
            .chain(SMALL.split(' '))
            .collect();
        let output = run(Path::new(env!("CARGO_TARGET_TMPDIR")), &args);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        folder
    })
}

/// Puts a copy of the small book into a folder.
pub(super) fn tiny_book(folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    for file in FILES {
        fs::copy(small().join(file), folder.join(file)).unwrap();
    }
}

/// A folder of runs with copies of the small book under these names.
fn books(folder: &str, names: &[&str]) -> PathBuf {
    let runs = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let _ = fs::remove_dir_all(&runs);
    fs::create_dir_all(&runs).unwrap();
    for name in names {
        tiny_book(&runs.join(name));
    }
    runs
}

/// Changes a file of a book.
fn edit(book: &Path, change: impl FnOnce(&mut Value)) {
    let file = book.join("book.json");
    let mut content: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    change(&mut content);
    fs::write(&file, content.to_string()).unwrap();
}

fn start(runs: &Path) -> Server {
    Server::start(&["--runs", runs.to_str().unwrap()])
}

fn ask(server: &Server, body: &Value) -> Value {
    let answer = server.post("/api/book", body);
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()
}

#[test]
fn a_position_has_the_moves_of_its_book_and_what_they_are_based_on() {
    let server = start(&books("serve-book", &["little"]));
    let stored: Value = serde_json::from_slice(&fs::read(small().join("book.json")).unwrap()).unwrap();
    let answer = ask(&server, &json!({"game": {}}));
    // A book of one's own comes before the built-in one.
    let both = json!([{"name": "little", "has_position": true}, {"name": "built-in", "has_position": true}]);
    assert_eq!(answer["books"], both);
    assert_eq!((&answer["left_out"], &answer["reasons"]), (&json!(0), &json!([])));
    let book = &answer["book"];
    assert_eq!(
        (&book["name"], &book["plies"], &book["width"], &book["positions"]),
        (&json!("little"), &json!(2), &json!(1), &json!(45))
    );
    assert_eq!(
        (&book["scout"]["player"], &book["judges"][1]["player"]),
        (&json!("nnue:nnue-57,nodes=1"), &json!("nnue:nnue-57,nodes=300"))
    );
    assert_eq!(book["judges"][0]["settings"]["nodes"], "4");
    assert_eq!(book["judges"][0]["weights"].as_str().unwrap().len(), 64);
    let moves = answer["position"]["moves"].as_array().unwrap();
    assert_eq!((moves.len(), &answer["position"]["player"]), (46, &json!("white")));
    for (step, expected) in moves.iter().zip(stored["positions"][0]["moves"].as_array().unwrap()) {
        for field in ["action", "text", "backed", "judges", "scout", "followed"] {
            assert_eq!(step[field], expected[field], "{field}: {step}");
        }
        // The best reply is the next of the line, and its score is that of the move: both are of the same player.
        assert_eq!(
            (step["line"].as_array().unwrap().len(), &step["line"][0]),
            (2, &step["text"])
        );
        let best = &step["replies"][0];
        assert_eq!(best["text"], step["line"][1]);
        let mean = |of: &Value| of["backed"]["mean"].as_f64().unwrap();
        assert!((mean(best) - mean(step)).abs() < 1e-9, "{step}");
        assert!(mean(&step["replies"][1]) >= mean(best), "{step}");
        assert_eq!(step["replies"].as_array().unwrap().len(), 2);
    }
    // At the end of the lines there are no replies, and moves that no judge has seen have only the score of the scout.
    let answer = ask(&server, &json!({"game": {"moves": ["A3D2"]}}));
    let moves = answer["position"]["moves"].as_array().unwrap();
    assert_eq!(
        (&answer["position"]["player"], &answer["position"]["ply"]),
        (&json!("black"), &json!(1))
    );
    assert!(moves.iter().all(|step| step["replies"] == json!([])));
    let judged = moves
        .iter()
        .filter(|step| step["judges"].as_array().unwrap().len() == 2);
    assert_eq!(judged.count(), 3);
    let last = moves.last().unwrap();
    assert_eq!(
        (&last["judges"], &last["backed"], last["scout"].is_f64()),
        (&json!([]), &json!(null), true)
    );
}

#[test]
fn a_position_is_found_whichever_line_led_to_it() {
    let server = start(&books("serve-transposed", &["little"]));
    let ask = |body: &Value| {
        let mut body = body.clone();
        body["book"] = json!("little");
        ask(&server, &body)
    };
    let first = ask(&json!({"game": {}}))["position"].clone();
    // There and back again, two turns later; and as a text with other counters.
    let back = json!({"moves": ["1A6A7", "1I4I3", "1A7A6", "1I3I4"]});
    assert_eq!(ask(&json!({"game": back}))["position"], first);
    let start = "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w 7 9";
    assert_eq!(ask(&json!({"game": {"start": start}}))["position"], first);
    // Two first moves that lead to one position, of which the book names one.
    let stored: Value = serde_json::from_slice(&fs::read(small().join("book.json")).unwrap()).unwrap();
    let moves = stored["positions"][0]["moves"].as_array().unwrap();
    let pair = moves.iter().enumerate().find_map(|(index, one)| {
        let other = moves[..index].iter().find(|other| other["to"] == one["to"])?;
        Some([one, other])
    });
    let [one, other] = pair.unwrap().map(|step| {
        let answer = ask(&json!({"game": {"moves": [step["action"]]}}));
        assert_eq!(answer["position"]["ply"], 1);
        answer["position"].clone()
    });
    assert_eq!(one, other);
    // Not the same: White's dice, with Black to move.
    let turned = json!({"game": {"start": "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA b"}});
    assert_eq!(ask(&turned)["position"], json!(null));
}

#[test]
fn what_is_not_in_a_book_is_told_and_other_games_have_none() {
    let runs = books("serve-books", &["little", "other"]);
    edit(&runs.join("other"), |book| {
        // Only the first position.
        book["positions"].as_array_mut().unwrap().truncate(1);
        for step in book["positions"][0]["moves"].as_array_mut().unwrap() {
            step.as_object_mut().unwrap().remove("to");
        }
    });
    let server = start(&runs);
    let outside = json!({"game": {"moves": ["A3D2", "I3F2"]}, "book": "little"});
    let answer = ask(&server, &outside);
    assert_eq!(
        (&answer["position"], &answer["book"]["name"], &answer["left_out"]),
        (&json!(null), &json!("little"), &json!(0))
    );
    assert_eq!(answer["books"][1], json!({"name": "other", "has_position": false}));
    // The first book with the position is shown, unless another one is chosen.
    let shipped = json!({"name": "built-in", "has_position": true});
    let all = json!([{"name": "little", "has_position": true}, {"name": "other", "has_position": true}, shipped]);
    for (book, name, replies) in [(json!(null), "little", 2), (json!("other"), "other", 0)] {
        let answer = ask(&server, &json!({"game": {}, "book": book}));
        assert_eq!((&answer["books"], &answer["book"]["name"]), (&all, &json!(name)));
        let found = answer["position"]["moves"][0]["replies"].as_array().unwrap();
        assert_eq!(found.len(), replies);
    }
    let chosen = ask(&server, &json!({"game": {"moves": ["A3D2"]}, "book": "other"}));
    assert_eq!(
        (&chosen["book"]["name"], &chosen["position"]),
        (&json!("other"), &json!(null))
    );
    for name in ["none", "../little", ""] {
        let refused = server.post("/api/book", &json!({"game": {}, "book": name}));
        assert_eq!(refused.status, 404);
        assert_eq!(refused.error(), format!("there is no book {name:?} here"));
    }
    let refused = server.post("/api/book", &json!({"game": {"moves": ["A3A4"]}}));
    assert_eq!(refused.status, 400);
    // Another game, and the folder of a book itself.
    let nothing = json!({"books": [], "left_out": 0, "reasons": [], "book": null, "position": null});
    assert_eq!(ask(&server, &json!({"game": {"name": "stax"}})), nothing);
    let alone = ask(&start(&runs.join("other")), &json!({"game": {}}));
    assert_eq!(
        alone["books"],
        json!([{"name": "other", "has_position": true}, shipped])
    );
}

#[test]
fn without_a_folder_there_is_the_built_in_book() {
    let server = Server::start(&[]);
    let answer = ask(&server, &json!({"game": {}}));
    assert_eq!(answer["books"], json!([{"name": "built-in", "has_position": true}]));
    assert_eq!((&answer["left_out"], &answer["book"]["plies"]), (&json!(0), &json!(6)));
    // The three moves that score best in games are among the best here.
    let moves = answer["position"]["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 46);
    let best: Vec<&str> = moves[..5].iter().map(|step| step["text"].as_str().unwrap()).collect();
    assert!(
        best.contains(&"3A6A7") && best.contains(&"3A4A3") && best.contains(&"2A3A2"),
        "{best:?}"
    );
    let reply = json!({"game": {"moves": ["3A6A7"]}});
    assert_eq!(ask(&server, &reply)["position"]["ply"], 1);
}

#[test]
fn a_book_with_the_name_of_the_built_in_one_is_told() {
    let runs = books("serve-same-name", &["built-in", "little"]);
    let answer = ask(&start(&runs), &json!({"game": {}}));
    let both = json!([{"name": "little", "has_position": true}, {"name": "built-in", "has_position": true}]);
    assert_eq!(answer["books"], both);
    let folder = runs.join("built-in");
    let reason = format!(
        "{} has the name of the built-in book: rename it to see its book",
        folder.display()
    );
    assert_eq!(answer["reasons"], json!([reason]));
    let built_in = ask(&start(&runs), &json!({"game": {}, "book": "built-in"}));
    assert_eq!(built_in["book"]["plies"], json!(6));
}

#[test]
fn a_damaged_book_is_told_and_the_others_are_shown() {
    let runs = books("serve-damaged-books", &["damaged", "little", "newer"]);
    let damaged = runs.join("damaged/book.json");
    let whole = fs::read_to_string(&damaged).unwrap();
    fs::write(&damaged, &whole[..whole.len() / 2]).unwrap();
    edit(&runs.join("newer"), |book| *book = json!({"schema": 99}));
    let server = start(&runs);
    let answer = ask(&server, &json!({"game": {}}));
    assert_eq!(
        (&answer["left_out"], &answer["book"]["name"]),
        (&json!(2), &json!("little"))
    );
    assert_eq!(answer["position"]["moves"].as_array().unwrap().len(), 46);
    let reasons = answer["reasons"].to_string();
    assert!(reasons.contains("damaged/book.json is damaged: EOF"), "{reasons}");
    assert!(
        reasons.contains("newer/book.json has layout 99, expected at most 1"),
        "{reasons}"
    );
    assert_eq!(server.post("/api/explorer", &json!({"game": {}})).status, 200);
    // What was damaged otherwise, one after the other: a change of the file is seen.
    let reason = |change: &dyn Fn(&mut Value)| {
        fs::write(&damaged, &whole).unwrap();
        edit(&runs.join("damaged"), change);
        ask(&server, &json!({"game": {}}))["reasons"][0]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let position = |text: &'static str| move |book: &mut Value| book["positions"][1]["position"] = json!(text);
    assert!(reason(&position("9/9 w")).contains("position 1 is \"9/9 w\""));
    let circle = |book: &mut Value| book["positions"][1]["moves"][0]["to"] = json!(0);
    assert!(reason(&circle).contains("it leads to position 0"));
    let other = reason(&|book: &mut Value| book["provenance"]["config"]["game"] = json!("stax"));
    assert!(other.contains("is of stax, and its folder of chase"), "{other}");
    // Mended, it is the first one.
    fs::write(&damaged, &whole).unwrap();
    assert_eq!(ask(&server, &json!({"game": {}}))["book"]["name"], "damaged");
    fs::remove_dir_all(runs.join("damaged")).unwrap();
    assert_eq!(ask(&server, &json!({"game": {}}))["book"]["name"], "little");
}
