//! The engine's side of UGI, whatever the runner sends. Whole processes are in the tests of the binary.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::thread::{self, JoinHandle};

use chase_arena::engine::{Identity, serve};
use chase_arena::ugi::{Command, Info, Reply, Response, UgiScore};
use chase_arena::{PlayerSpec, Usage};
use chase_engine::chase::Rules;
use chase_engine::{Chase, Game, Outcome, Player};
use chase_models::device::Device;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// A conversation with an engine on a thread of its own.
struct Talk {
    to: PipeWriter,
    from: BufReader<PipeReader>,
    engine: JoinHandle<std::io::Result<()>>,
}

impl Talk {
    fn with(player: &str) -> Self {
        let player: PlayerSpec = player.parse().unwrap();
        let agent = player
            .ready::<Chase>(Chase::NAME, Device::Cpu, Usage::Game)
            .unwrap()
            .agent();
        let ((input, to), (from, output)) = (pipe().unwrap(), pipe().unwrap());
        let engine = thread::spawn(move || {
            let identity = Identity {
                name: "test".into(),
                author: "nobody".into(),
            };
            serve(&identity, &Rules::default(), agent, 1, BufReader::new(input), output)
        });
        Self {
            to,
            from: BufReader::new(from),
            engine,
        }
    }

    fn say(&mut self, text: impl AsRef<[u8]>) {
        self.to.write_all(text.as_ref()).unwrap();
        self.to.write_all(b"\n").unwrap();
    }

    fn hear(&mut self) -> Reply {
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        Reply::read(&line).unwrap_or_else(|| panic!("not a reply: {line:?}"))
    }

    /// The replies of the engine up to this one, which is included.
    fn until(&mut self, last: impl Fn(&Reply) -> bool) -> Vec<Reply> {
        let mut heard = vec![self.hear()];
        while !last(&heard[heard.len() - 1]) {
            heard.push(self.hear());
        }
        heard
    }

    fn until_best_move(&mut self) -> (String, Vec<Info>) {
        let mut heard = self.until(|reply| matches!(reply, Reply::BestMove(_)));
        let Some(Reply::BestMove(text)) = heard.pop() else {
            panic!("{heard:?}");
        };
        let infos = heard.into_iter().map(|reply| match reply {
            Reply::Info(info) => info,
            other => panic!("{other}"),
        });
        (text, infos.collect())
    }

    fn ask(&mut self, query: &str) -> Response {
        self.say(format!("query {query}"));
        match self.hear() {
            Reply::Response(response) => response,
            other => panic!("{other}"),
        }
    }

    /// The errors up to the answer to `isready`, and nothing else.
    fn errors(&mut self) -> Vec<String> {
        self.say("isready");
        let mut heard = self.until(|reply| *reply == Reply::ReadyOk);
        heard.pop();
        let errors = heard.into_iter().map(|reply| match reply {
            Reply::Info(Info { string: Some(text), .. }) => text,
            other => panic!("{other}"),
        });
        errors.collect()
    }

    fn end(mut self) {
        self.say("quit");
        self.engine.join().unwrap().unwrap();
    }
}

#[test]
fn the_handshake_says_who_it_is_and_what_can_be_set() {
    let mut talk = Talk::with("random");
    talk.say("ugi");
    let heard = talk.until(|reply| *reply == Reply::UgiOk);
    let heard: Vec<_> = heard.iter().map(ToString::to_string).collect();
    assert_eq!(heard[..2], ["id name test", "id author nobody"]);
    for option in [
        "option name MultiPV type spin default 1 min 1 max 150",
        "option name Repetition type spin default 3 min 0 max 4294967295",
        "option name QuietTurns type spin default 100 min 0 max 4294967295",
        "option name MaxTurns type spin default 400 min 0 max 4294967295",
    ] {
        assert!(heard.iter().any(|line| line == option), "{heard:?}");
    }
    talk.end();
}

#[test]
fn whole_games_are_played_by_asking_whose_turn_it_is() {
    let mut talk = Talk::with("greedy");
    let mut twice_in_a_row = 0;
    for _ in 0..3 {
        talk.say("uginewgame");
        let mut game = Chase::new(&Rules::default());
        let mut moves = Vec::new();
        loop {
            let past = if moves.is_empty() { "" } else { " moves " };
            talk.say(format!("position startpos{past}{}", moves.join(" ")));
            let white = game.to_move() == Player::White;
            assert_eq!(talk.ask("p1turn"), white.into());
            assert_eq!(talk.ask("gameover"), game.outcome().is_some().into());
            if game.outcome().is_some() {
                break;
            }
            assert_eq!(talk.ask("result"), Response::None);
            talk.say("go movetime 1000");
            let (text, infos) = talk.until_best_move();
            assert!(infos.last().unwrap().time.is_some() && infos.last().unwrap().nodes.is_some());
            game.apply(game.parse_action(&text).unwrap());
            moves.push(text);
            twice_in_a_row += u32::from(white == (game.to_move() == Player::White));
        }
        let result = match game.outcome() {
            Some(Outcome::Win(Player::White)) => Response::FirstWins,
            Some(Outcome::Win(Player::Black)) => Response::SecondWins,
            Some(Outcome::Draw) => Response::Draw,
            Some(Outcome::Truncated) | None => Response::None,
        };
        assert_eq!(talk.ask("result"), result);
        // There is nothing left to choose, and nobody waits in vain.
        talk.say("go nodes 1");
        let (text, infos) = talk.until_best_move();
        assert_eq!(text, "none");
        assert!(infos[0].string.as_ref().unwrap().contains("the game is over"));
    }
    assert!(
        twice_in_a_row > 0,
        "absorptions of a capture's victim follow each other"
    );
    talk.end();
}

#[test]
fn searches_are_bounded_by_what_the_runner_says() {
    let mut talk = Talk::with("rollouts:simulations=1000000");
    talk.say("setoption name multipv value 3");
    talk.say("position startpos moves A3NW");
    talk.say("go nodes 50");
    let (text, infos) = talk.until_best_move();
    assert_eq!(infos.len(), 3);
    for (rank, info) in infos.iter().enumerate() {
        assert_eq!((info.multipv, info.nodes), (Some(rank as u64 + 1), Some(50)));
        let [win, draw, loss] = info.wdl.unwrap();
        assert_eq!(win + draw + loss, 1000);
        // Value and chances are rounded each for itself.
        let Some(UgiScore::Cp(score)) = info.score else {
            panic!("{info}");
        };
        let value = f64::from(win) / 10.0 - f64::from(loss) / 10.0;
        assert!((score as f64 - value).abs() <= 0.7, "{info}");
        assert!(!info.pv.is_empty(), "{info}");
    }
    assert_eq!(infos[0].pv[0], text);
    talk.say("go depth 2");
    assert!(talk.until_best_move().1.last().unwrap().depth.unwrap() >= 2);
    talk.say("go movetime 20");
    assert!(talk.until_best_move().1.last().unwrap().time.unwrap() >= 20);
    // A clock with nothing left still gives a move.
    for clock in ["p1time 1 p2time 0", "p1time 99999 p2time 500 p1inc 0 p2inc 0"] {
        talk.say(format!("go {clock}"));
        assert_ne!(talk.until_best_move().0, "none");
    }
    talk.end();
    // The player's own limit holds too.
    let mut talk = Talk::with("rollouts:simulations=20");
    for go in ["go", "go infinite", "go nodes 500"] {
        talk.say(go);
        assert_eq!(talk.until_best_move().1.last().unwrap().nodes, Some(20), "{go}");
    }
    talk.end();
    let mut talk = Talk::with("alpha-beta:depth=2");
    talk.say("go depth 9");
    let (text, infos) = talk.until_best_move();
    assert_eq!(infos.last().unwrap().depth, Some(2));
    assert_eq!(infos.last().unwrap().pv[0], text);
    talk.end();
}

#[test]
fn a_go_that_cannot_be_read_is_answered_so_that_nobody_waits() {
    let mut talk = Talk::with("alpha-beta:depth=64");
    for go in ["go movetime abc", "go nodes -", "go for it"] {
        talk.say(go);
        let (text, infos) = talk.until_best_move();
        assert_eq!(text, "none", "{go}");
        let error = infos[0].string.as_deref().unwrap();
        assert!(error.starts_with("error: in `go`: expected"), "{go}: {error}");
    }
    // During a search a move is on its way already, and after `stop` it comes first.
    talk.say("go infinite");
    talk.say("go movetime abc");
    talk.say("isready");
    let heard = talk.until(|reply| *reply == Reply::ReadyOk);
    assert!(
        !heard.iter().any(|reply| matches!(reply, Reply::BestMove(_))),
        "{heard:?}"
    );
    talk.say("stop");
    talk.say("go movetime abc");
    assert_ne!(talk.until_best_move().0, "none");
    assert_eq!(talk.until_best_move().0, "none");
    talk.end();
}

#[test]
fn players_need_no_limit_if_the_runner_sets_one() {
    let mut talk = Talk::with("alpha-beta");
    // Without any limit there is one all the same.
    talk.say("go depth 2");
    assert_eq!(talk.until_best_move().1.last().unwrap().depth, Some(2));
    talk.say("go");
    let nodes = talk.until_best_move().1.last().unwrap().nodes.unwrap();
    assert!((10_000..=20_001).contains(&nodes), "{nodes}");
    talk.end();
    let mut talk = Talk::with("rollouts:games=2");
    for (go, nodes) in [("go nodes 30", 30), ("go", 200)] {
        talk.say(go);
        assert_eq!(talk.until_best_move().1.last().unwrap().nodes, Some(nodes), "{go}");
    }
    talk.end();
    // Who blunders heeds the runner where it does not.
    let mut talk = Talk::with("alpha-beta:blunders=0.5");
    let infos = [(); 8].map(|()| {
        talk.say("go depth 2");
        talk.until_best_move().1
    });
    let depths: BTreeSet<_> = infos.iter().map(|infos| infos.last().unwrap().depth).collect();
    assert_eq!(depths, BTreeSet::from([Some(1), Some(2)]));
    talk.end();
}

#[test]
fn an_efficiently_updatable_network_heeds_limits_and_reports_its_line() {
    let home = tempfile::tempdir().unwrap();
    let path = crate::nnue::write(home.path(), 1.0);
    let mut talk = Talk::with(&format!("nnue:{path}"));
    for (go, depth) in [
        ("go depth 3", Some(3)),
        ("go nodes 700", None),
        ("go movetime 20", None),
        ("go", None),
    ] {
        talk.say("position startpos moves A3NW");
        talk.say(go);
        let (mut best, mut infos) = talk.until_best_move();
        // On a busy machine a time may be over before the second ply.
        for longer in ["go movetime 2000", "go movetime 60000"] {
            if go == "go movetime 20" && infos.len() < 2 {
                talk.say(longer);
                (best, infos) = talk.until_best_move();
            }
        }
        let last = infos.last().unwrap();
        assert_eq!(last.pv.first(), Some(&best), "{go}");
        assert!(matches!(last.score, Some(UgiScore::Cp(-100..=100))), "{go}: {last}");
        assert!(depth.is_none_or(|depth| last.depth == Some(depth)), "{go}: {last}");
        let nodes = last.nodes.unwrap();
        match go {
            "go nodes 700" => assert!((500..=701).contains(&nodes), "{nodes}"),
            "go" => assert!((19_000..=20_001).contains(&nodes), "{nodes}"),
            _ => assert!(infos.len() >= 2, "a line with every depth"),
        }
        let mut game = Chase::new(&Rules::default());
        for text in std::iter::once("A3NW").chain(last.pv.iter().map(String::as_str)) {
            game.apply(game.parse_action(text).unwrap());
        }
        assert!(last.pv.len() > 1 || last.depth == Some(1), "{go}: {last}");
    }
    // The player's own limits hold as well.
    talk.end();
    let mut talk = Talk::with(&format!("nnue:{path},depth=2"));
    talk.say("go nodes 1000000");
    assert_eq!(talk.until_best_move().1.last().unwrap().depth, Some(2));
    talk.end();
    // Several lines, best first, and one alone where the choice is by chance.
    for (player, expected) in [(format!("nnue:{path}"), 3), (format!("nnue:{path},temperature=1"), 1)] {
        let mut talk = Talk::with(&player);
        talk.say("setoption name MultiPV value 3");
        talk.say("go depth 3");
        let (best, infos) = talk.until_best_move();
        let last = &infos[infos.len() - expected..];
        let ranks: Vec<_> = last.iter().filter_map(|info| info.multipv).collect();
        assert_eq!(ranks, (1..=expected as u64).take(ranks.len()).collect::<Vec<_>>());
        assert_eq!(last[0].pv.first(), Some(&best));
        let firsts: BTreeSet<_> = last.iter().map(|info| &info.pv[0]).collect();
        assert_eq!(firsts.len(), expected, "{infos:?}");
        talk.end();
    }
    // A capture that wins.
    let mut talk = Talk::with(&format!("nnue:{path}"));
    talk.say("position fen 1f1f1f1e1/9/9/9/9/9/Cb3D3/9/F1F1F4 w 0 1");
    talk.say("go depth 4");
    assert_eq!(talk.until_best_move().1.last().unwrap().score, Some(UgiScore::Mate(1)));
    talk.end();
}

#[test]
fn a_search_is_interrupted_and_everything_is_answered_meanwhile() {
    let home = tempfile::tempdir().unwrap();
    let nnue = format!("nnue:{},depth=64", crate::nnue::write(home.path(), 1.0));
    for player in ["rollouts:simulations=1000000", "alpha-beta:depth=64", &nnue] {
        let mut talk = Talk::with(player);
        talk.say("position startpos moves A3NW");
        talk.say("go infinite");
        talk.say("position startpos");
        talk.say("go nodes 1");
        talk.say("setoption name MultiPV value 2");
        talk.say("isready");
        let heard = talk.until(|reply| *reply == Reply::ReadyOk);
        let refused = heard
            .iter()
            .filter(|reply| reply.to_string().contains("a search is going on"));
        assert_eq!(refused.count(), 3, "{heard:?}");
        assert!(!heard.iter().any(|reply| matches!(reply, Reply::BestMove(_))));
        assert_eq!(talk_response(&mut talk), Response::False);
        talk.say("stop");
        // Without waiting for the answer: it comes first, then this is done.
        talk.say("position startpos");
        talk.say("query p1turn");
        let heard = talk.until(|reply| matches!(reply, Reply::Response(_)));
        let best = heard.iter().position(|reply| matches!(reply, Reply::BestMove(_)));
        assert!(best.is_some_and(|best| best < heard.len() - 1), "{heard:?}");
        assert_eq!(heard.last(), Some(&Reply::Response(Response::True)));
        // `stop` without a search means nothing; `quit` ends one.
        talk.say("stop");
        assert_eq!(talk.errors(), [""; 0]);
        talk.say("go infinite");
        talk.end();
    }
}

/// The answer to a query of the turn, while a search reports.
fn talk_response(talk: &mut Talk) -> Response {
    talk.say("query p1turn");
    match talk.until(|reply| matches!(reply, Reply::Response(_))).pop() {
        Some(Reply::Response(response)) => response,
        other => panic!("{other:?}"),
    }
}

/// Four plies after which the position is the same again.
const THERE_AND_BACK: &str = "1A2A1 1I2I1 1A1A2 1I1I2";

#[test]
fn conventions_are_options_and_history_counts() {
    let mut talk = Talk::with("random");
    talk.say(format!("position startpos moves {THERE_AND_BACK}"));
    assert_eq!(talk.ask("gameover"), Response::False);
    talk.say(format!("position startpos moves {THERE_AND_BACK} {THERE_AND_BACK}"));
    assert_eq!(
        (talk.ask("gameover"), talk.ask("result")),
        (Response::True, Response::Draw)
    );
    // At once, and for positions to come.
    talk.say("setoption name Repetition value 0");
    assert_eq!(talk.ask("gameover"), Response::False);
    talk.say("setoption name repetition value 2");
    assert_eq!(talk.errors(), [""; 0]);
    talk.say(format!("position startpos moves {THERE_AND_BACK} {THERE_AND_BACK}"));
    let [error] = &talk.errors()[..] else {
        panic!("one error");
    };
    assert!(error.contains("move 5") && error.contains("repetition"), "{error}");
    talk.say("setoption name MaxTurns value 4");
    talk.say("position startpos moves A3NW 1I2I1 1A2A1 1I1I2");
    // The length limit is nobody's win and no draw.
    assert_eq!(
        (talk.ask("gameover"), talk.ask("result")),
        (Response::True, Response::None)
    );
    for (option, error) in [
        (
            "name Hash value 5",
            "expected MultiPV, MoveOverhead, Repetition, QuietTurns, MaxTurns",
        ),
        ("name MultiPV value 0", "expected an integer from 1 to 150"),
        ("name MultiPV value many", "expected an integer from 1 to 150"),
        (
            "name Repetition value 4294967296",
            "expected an integer from 0 to 4294967295",
        ),
        ("name Repetition value 1", "expected 0 (off) or at least 2"),
        ("name Repetition", "expected an integer from 0 to 4294967295"),
    ] {
        talk.say(format!("setoption {option}"));
        let errors = talk.errors();
        assert!(errors.len() == 1 && errors[0].contains(error), "{option}: {errors:?}");
    }
    talk.end();
}

#[test]
fn nothing_that_a_runner_sends_ends_the_engine() {
    let mut talk = Talk::with("random");
    let hostile: [&[u8]; 12] = [
        b"hello",
        b"\xff\xfe\x00\x01",
        b"position",
        b"position fen",
        b"position fen 9/9/9 w",
        b"position fen abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA x",
        b"position fen aaaaaaaaaa/9/9/9/9/9/9/9/ABCDEDCBA w",
        b"position startpos moves E5NW",
        b"position startpos moves A3NW A3NW",
        b"position startpos moves \xc3\x28",
        b"query everything",
        b"setoption",
    ];
    for line in hostile {
        talk.say(line);
        let errors = talk.errors();
        let shown = String::from_utf8_lossy(line);
        assert!(
            errors.len() == 1 && errors[0].starts_with("error: "),
            "{shown}: {errors:?}"
        );
        assert!(errors[0].chars().all(|character| !character.is_control()), "{errors:?}");
    }
    // After a position that cannot be read there is none: better no move than one for another position.
    for line in ["position startpos moves A3NW A3NW", "position fen 9 w"] {
        talk.say(line);
        talk.say("go nodes 1");
        let (text, infos) = talk.until_best_move();
        assert_eq!(text, "none");
        assert!(
            infos[1].string.as_ref().unwrap().contains("there is no position"),
            "{infos:?}"
        );
    }
    // Lines that do not end, and long ones that are right.
    talk.say(vec![b'x'; 3 << 20]);
    assert_eq!(talk.errors(), ["error: the line is too long"]);
    talk.say("setoption name Repetition value 0");
    talk.say(format!("position startpos moves {}", [THERE_AND_BACK; 20].join(" ")));
    talk.say("go nodes 1");
    assert_ne!(talk.until_best_move().0, "none");
    talk.end();
}

#[test]
fn the_end_of_the_input_ends_the_engine_in_the_middle_of_anything() {
    for last in ["", "isready", "position startpos mov", "go infinite", "quit"] {
        let mut talk = Talk::with("rollouts:simulations=1000000");
        talk.to.write_all(last.as_bytes()).unwrap();
        drop(talk.to);
        talk.engine.join().unwrap().unwrap();
        let left: Vec<_> = talk.from.lines().map(Result::unwrap).collect();
        let answered = left.last().is_some_and(|line| line.starts_with("bestmove "));
        assert_eq!(answered, last == "go infinite", "{last}: {left:?}");
    }
}

/// No leaf of this search needs an evaluation: the length limit ends all lines.
#[test]
fn a_search_is_interrupted_where_all_lines_end() {
    let mut talk = Talk::with("uniform");
    talk.say("position fen abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA b 0 200");
    talk.say("go infinite");
    // The root is evaluated; what comes then took no notice of a stop.
    thread::sleep(std::time::Duration::from_millis(200));
    talk.say("stop");
    talk.until_best_move();
    talk.end();
}

/// Lines made of words of the protocol, and some of anything.
fn lines() -> impl Strategy<Value = Vec<String>> {
    let words = "ugi|isready|uginewgame|stop|quit|setoption|name|value|position|startpos|fen|moves|go|infinite|nodes|depth|\
                 movetime|p1time|query|p1turn|gameover|result|A3NW|I3SE|=C9|1A6A7|0|3|18446744073709551616|-1|MultiPV|\
                 abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA|w|b|\u{e9}";
    let words: Vec<&str> = words.split('|').collect();
    let word = prop_oneof![9 => proptest::sample::select(words).prop_map(str::to_owned), 1 => "[ -~]{0,12}"];
    let line = proptest::collection::vec(word, 0..7).prop_map(|words| words.join(" "));
    let sensible = proptest::sample::select(vec![
        "position startpos",
        "go nodes 3",
        "go infinite",
        "isready",
        "stop",
    ]);
    let line = prop_oneof![3 => line, 1 => sensible.prop_map(str::to_owned)];
    proptest::collection::vec(line, 0..12)
}

/// So many cases of a property, the same ones every time.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn any_lines_are_answered_and_none_twice(lines in lines()) {
        let mut talk = Talk::with("random");
        for line in &lines {
            // A search of this player ends by itself; what follows shall find it ended.
            let _ = writeln!(talk.to, "{line}\nstop");
        }
        drop(talk.to);
        let heard: Vec<String> = talk.from.lines().map(Result::unwrap).collect();
        talk.engine.join().unwrap().unwrap();
        let commands: Vec<_> = lines.iter().map(|line| line.parse::<Command>()).collect();
        let quit = commands.iter().position(|command| *command == Ok(Command::Quit)).unwrap_or(lines.len());
        let count = |wanted: &dyn Fn(&Command) -> bool| {
            commands[..quit].iter().flatten().filter(|command| wanted(command)).count()
        };
        let replies: Vec<Reply> = heard.iter().map(|line| Reply::read(line).expect("a reply")).collect();
        let best = replies.iter().filter(|reply| matches!(reply, Reply::BestMove(_))).count();
        let ready = replies.iter().filter(|reply| **reply == Reply::ReadyOk).count();
        let answers = replies.iter().filter(|reply| matches!(reply, Reply::Response(_))).count();
        // Also a `go` that cannot be read.
        let go = lines[..quit].iter().filter(|line| line.split_ascii_whitespace().next() == Some("go"));
        prop_assert_eq!(best, go.count());
        prop_assert_eq!(ready, count(&|command| *command == Command::IsReady));
        prop_assert_eq!(answers, count(&|command| matches!(command, Command::Query(_))));
    }

    #[test]
    fn what_is_read_is_written_and_read_back(line in "\\PC{0,60}", words in lines()) {
        for text in words.iter().chain([&line]) {
            if let Ok(command) = text.parse::<Command>() {
                prop_assert_eq!(command.to_string().parse::<Command>(), Ok(command));
            }
            if let Some(reply) = Reply::read(text) {
                prop_assert_eq!(Reply::read(&reply.to_string()), Some(reply));
            }
        }
    }
}
