//! `chase play` through pipes, as a person would type.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use chase_engine::chase::{Action, Position, Rules};
use chase_engine::{Chase, Game, Outcome, Player, Record};

/// Where White has two dice to choose from, to absorb.
const CHOICE: &str = "4a1C2/1d2BcC2/6Ad1/B3C4/7B1/dA7/1e7/d8/9 w";

fn play(args: &[&str], lines: &[&str]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_chase"))
        .arg("play")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
    // A program that refuses its arguments does not read its input.
    let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
    child.wait_with_output().unwrap()
}

/// What is printed by a conversation in which every line is understood.
fn told(args: &[&str], lines: &[&str]) -> String {
    let output = play(args, lines);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{args:?} {lines:?}: {text}");
    assert!(!text.contains('\x1b'), "a pipe gets no colours");
    text
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn record(file: &PathBuf) -> Record<Chase> {
    Record::read(&fs::read_to_string(file).unwrap(), &Rules::default()).unwrap()
}

/// The number of plies that White and Black made.
fn plies(record: &Record<Chase>) -> [usize; 2] {
    let (mut game, mut plies) = (record.start().clone(), [0, 0]);
    for &action in record.actions() {
        plies[game.to_move() as usize] += 1;
        game.apply(action);
    }
    plies
}

#[test]
fn a_whole_game_is_played_and_kept_for_either_side() {
    let folder = folder("play-whole");
    for (side, person) in [("--white", Player::White), ("--black", Player::Black)] {
        let file = folder.join(format!("{side}.txt"));
        let args = [
            "greedy:blunders=0.2",
            side,
            "--seed",
            "3",
            "--record",
            file.to_str().unwrap(),
        ];
        // Always the first action. More lines than the game has decisions are not understood.
        let output = play(&args, &["1"; 400]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        let whole = record(&file);
        let Some((outcome, reason)) = whole.game().end() else {
            panic!("not over after {} plies", whole.actions().len());
        };
        assert!(text.contains(reason), "{text}");
        if let Outcome::Win(winner) = outcome {
            let yours = if winner == person { "you win" } else { "you lose" };
            assert!(text.contains(yours), "{text}");
        }
        assert_eq!(
            whole.tag(if person == Player::White { "White" } else { "Black" }),
            Some("person")
        );
        // With exactly as many lines, all are understood, and the same is played again.
        let decisions = plies(&whole)[person as usize];
        fs::remove_file(&file).unwrap();
        told(&args, &vec!["1"; decisions]);
        assert_eq!(record(&file).to_string(), whole.to_string());
        // And once more in two parts, the second of which goes on with the file.
        fs::remove_file(&file).unwrap();
        told(&args, &vec!["1"; decisions / 2]);
        assert_eq!(record(&file).end(), None);
        // Its tags say which side the person has.
        let without_side: Vec<&str> = args.into_iter().filter(|argument| *argument != side).collect();
        told(&without_side, &vec!["1"; decisions - decisions / 2]);
        assert_eq!(record(&file).to_string(), whole.to_string());
    }
}

#[test]
fn records_name_those_who_play() {
    let file = folder("play-names").join("game.txt");
    let args = ["greedy", "--seed", "2", "--record", file.to_str().unwrap()];
    told(&args, &["A3D2", "swap"]);
    assert!(record(&file).tags().eq([("White", "greedy"), ("Black", "person")]));
    // Another opponent goes on, against the side that the person has by then.
    let args = ["random", "--seed", "2", "--record", file.to_str().unwrap()];
    let text = told(&args, &["1"]);
    assert!(text.contains("You play Black"), "{text}");
    assert!(record(&file).tags().eq([("White", "random"), ("Black", "person")]));
}

#[test]
fn a_choice_of_dice_that_absorb_is_explained_and_the_same_player_goes_on() {
    let text = told(
        &["random", "--seed", "1", "--position", CHOICE],
        &["moves", "=d2", "moves", "record"],
    );
    assert!(text.contains("points are to be absorbed"), "{text}");
    assert!(
        text.contains("  =D2   D2 becomes ") && text.contains("  =G7   G7 becomes "),
        "{text}"
    );
    assert!(text.contains("White absorbs with =D2\n"), "{text}");
    // Black has not played: White moves now.
    assert!(!text.contains("Black plays"), "{text}");
    let position: Position = CHOICE.parse().unwrap();
    let after = position.play("=D2".parse().unwrap()).unwrap();
    let last = after.legal_actions().len();
    assert!(text.contains(&format!("\n{last:4}  ")), "{last} actions: {text}");
}

#[test]
fn an_opponent_who_absorbs_and_moves_is_shown_doing_both() {
    let mut position = Position::initial();
    for action in ["A7NW", "I3SW", "A1NW", "F2E", "A2NE", "F5E"] {
        position = position.play(action.parse().unwrap()).unwrap();
    }
    let text = told(
        &["greedy", "--seed", "1", "--position", &position.to_string()],
        &["a5:f8"],
    );
    let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("no `{what}` in {text}"));
    assert!(at("White plays A5:F8") < at("Black absorbs with =") && at("Black absorbs with =") < at("Black plays "));
}

#[test]
fn actions_are_read_in_every_form_and_taken_back() {
    let folder = folder("play-undo");
    let file = folder.join("game.txt");
    let args = ["random", "--seed", "5", "--record", file.to_str().unwrap()];
    for form in ["a3d2", " A3NW "] {
        let _ = fs::remove_file(&file);
        told(&args, &[form]);
        let played = record(&file);
        assert_eq!(played.actions()[0], "A3NW".parse::<Action>().unwrap(), "{form}");
        assert_eq!(played.actions().len(), 2);
    }
    // The number of the same action, from the list.
    let listed = told(&["random"], &["moves a3"]);
    let line = listed.lines().find(|line| line.contains("A3NW")).unwrap();
    let number = line.split_whitespace().next().unwrap();
    let _ = fs::remove_file(&file);
    told(&args, &[number, "A4E2", "undo", "undo"]);
    assert_eq!(record(&file).actions().len(), 0);
    told(&args, &["A3D2", "A4E2", "undo 1"]);
    let once = record(&file);
    assert_eq!(once.actions().len(), 2);
    // Chance depends on the game: played again, the same is answered.
    told(&args, &["undo", "A3D2"]);
    assert_eq!(record(&file).to_string(), once.to_string());
    told(&args, &["resign", "undo", "resign"]);
    let given_up = record(&file);
    assert_eq!(given_up.end(), Some((Outcome::Win(Player::Black), "resignation")));
}

#[test]
fn hints_records_files_and_sides() {
    let folder = folder("play-files");
    let file = folder.join("my game.txt");
    let save = format!("save {}", file.display());
    let load = format!("load {}", file.display());
    let text = told(
        &["greedy", "--seed", "2"],
        &[
            "hint 50", "A3D2", &save, "new", &load, "record", "flip", "swap", "help", "board", "quit", "nonsense",
        ],
    );
    assert!(text.contains("best: ") && text.contains(" for white (win "), "{text}");
    assert!(text.contains("[White \"person\"]\n[Black \"greedy\"]"), "{text}");
    assert!(text.contains("you play Black now"), "{text}");
    assert!(text.contains("take back your last decision"), "{text}");
    // After the swap the opponent made White's ply.
    assert!(text.contains("White plays "), "{text}");
    assert_eq!(record(&file).actions().len(), 2);
    assert!(record(&file).tags().eq([("White", "person"), ("Black", "greedy")]));
    // Black sits at the bottom of Black's board.
    let black = told(&["random", "--black", "--seed", "1"], &[]);
    let board = black.lines().skip(3).find(|line| line.starts_with("A  ")).unwrap();
    assert!(board.contains("1   2   3"), "{board}");
    assert!(black.contains("White plays "), "{black}");
    let sides = ["1", "3"].map(|seed| told(&["random", "--random", "--seed", seed], &[]).contains("You play White"));
    assert_eq!(sides, [false, true]);
}

#[test]
fn conventions_end_games_and_are_kept() {
    let folder = folder("play-rules");
    let file = folder.join("game.txt");
    let args = [
        "random",
        "--seed",
        "1",
        "--rules",
        "repetition off, quiet 2, length off",
    ];
    let kept = [&args[..], &["--record", file.to_str().unwrap()]].concat();
    let text = told(&kept, &["A3D2"]);
    assert!(text.contains("the game is a draw by quiet turns"), "{text}");
    assert_eq!(
        record(&file).rules(),
        &"repetition off, quiet 2, length off".parse::<Rules>().unwrap()
    );
    let again = play(&kept, &[]);
    let error = String::from_utf8(again.stderr).unwrap();
    assert_eq!(again.status.code(), Some(2));
    assert!(
        error.contains("holds a game: leave out --position and --rules"),
        "{error}"
    );
}

#[test]
fn what_is_not_understood_is_explained_and_the_game_goes_on() {
    let output = play(
        &["random", "--seed", "1"],
        &[
            "A3D9",
            "I5I4",
            "47",
            "0",
            "undo",
            "load no/such/file",
            "moves e9",
            "dance",
            "A3D2",
        ],
    );
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(2));
    for reason in [
        "a cell to which the die on A3 can go: D5, D2",
        "the die on I5 is not white's",
        "expected a number from 1 to 46, found 47",
        "you can take back 0 decisions at most",
        "cannot read no/such/file",
        "no action begins with e9",
        "expected an action or a command, found `dance`",
        "White plays A3D2",
    ] {
        assert!(text.contains(reason), "`{reason}` is not in {text}");
    }
}

#[test]
fn bad_arguments_end_with_code_2_and_the_reason() {
    let folder = folder("play-bad");
    let file = folder.join("thesis.txt");
    fs::write(&file, "years of work").unwrap();
    let file = file.to_str().unwrap();
    for (args, reason) in [
        (&["stockfish"][..], "unknown player `stockfish`"),
        (&["net:no/such/run"], "no/such/run"),
        (&["random", "--white", "--black"], "--black"),
        (&["random", "--position", "9/9 w"], "row G"),
        (&["random", "--record", file], "is not a record of a game"),
        (&["random", "--hints", "oracle"], "unknown player `oracle`"),
        (&["random", "--hints", "net:no/such/run"], "no/such/run"),
        (&["random", "--record", "no/such/folder/game.txt"], "no/such/folder"),
    ] {
        let output = play(args, &[]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(reason), "{args:?}: {error}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
    assert_eq!(fs::read_to_string(file).unwrap(), "years of work");
}
