//! Records of any game.

use chase_engine::{ConnectFour, Draughts, Game, GameName, Outcome, Player, Record, seed, with_game};
use rand::RngExt;

fn round_trip<G: Game>(rules: &G::Rules) {
    let mut rng = seed::named("record", &[]);
    let mut record = Record::<G>::new(G::start(rules, &mut rng), rules.clone());
    record.set_tag("White", "a \"quoted\" \\name");
    let mut legal = Vec::new();
    record.comment(0, "before");
    record.comment(2, "after two");
    for _ in 0..60 {
        record.game().legal_actions(&mut legal);
        if legal.is_empty() {
            break;
        }
        record.push(legal[rng.random_range(0..legal.len())]);
    }
    let text = record.to_string();
    let read = Record::<G>::read(&text, rules).unwrap();
    assert_eq!(read.to_string(), text);
    assert_eq!(read.game().position_text(), record.game().position_text());
    assert_eq!(read.actions(), record.actions());
    let first = Record::<G>::player_tag(Player::White);
    assert_eq!(read.tag(first), Some("a \"quoted\" \\name"));
    let mut shorter = read;
    shorter.truncate(1);
    assert_eq!((shorter.comment_at(0), shorter.comment_at(2)), ("before", ""));
}

#[test]
fn records_of_every_game_are_read_back() {
    for &name in GameName::ALL {
        with_game!(name, G => round_trip::<G>(&name.rules::<G>()));
    }
}

#[test]
fn what_is_wrong_is_said() {
    let rules = GameName::Checkers.rules::<Draughts>();
    for (text, says) in [
        ("[Game \"queens\"]\n", "a record of queens, expected one of checkers"),
        ("[Game checkers]\n", "line 1: expected a tag such as"),
        ("[Rules \"none\"]\n", "[Rules \"none\"]: expected"),
        ("[Start \"8/8 d\"]\n", "[Start \"8/8 d\"]: "),
        ("[Result \"1-0\"]\n", "expected dark, light, draw, truncated or *"),
        ("1. e1-e2", "ply 1, `e1-e2`: "),
        ("1. {no end", "a comment has no end"),
    ] {
        let error = Record::<Draughts>::read(text, &rules).unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
    let read = |text: &str| Record::<ConnectFour>::read(text, &());
    let over = "1.1 2 2. 1 2 3. 1 2 4. 1";
    assert_eq!(
        read(over).unwrap().end(),
        Some((Outcome::Win(Player::White), "four in a line"))
    );
    let error = read(&format!("{over} 2")).unwrap_err().to_string();
    assert_eq!(error, "ply 8, `2`: the game is over: four in a line");
    let error = read(&format!("[Result \"black\"]\n{over}")).unwrap_err().to_string();
    assert_eq!(error, "[Result \"black\"]: the game ends as white");
    let mut resigned = read("[Result \"black\"]\n[Termination \"resignation\"]\n\n1. 4 {good} *").unwrap();
    assert_eq!(resigned.end(), Some((Outcome::Win(Player::Black), "resignation")));
    resigned.truncate(0);
    assert_eq!((resigned.end(), resigned.game().plies()), (None, 0));
}

#[test]
fn several_records_stand_in_one_text() {
    let text = "1. 4 4\n[Game \"connect-four\"]\n[Result \"*\"]\n\n1. 1 {a\n[b] c} 2\n\n[Event \"third\"]\n[Round \"2\"]\n\n1. 3 *\n";
    let records = ConnectFour::read_records(text, &()).unwrap();
    let plies: Vec<usize> = records.iter().map(|record| record.actions().len()).collect();
    assert_eq!(plies, [2, 2, 1]);
    assert_eq!(
        (records[1].comment_at(1), records[2].tag("Round")),
        ("a\n[b] c", Some("2"))
    );
    let error = ConnectFour::read_record(text, &()).unwrap_err();
    assert_eq!(error, "expected one record, found 3");
}
