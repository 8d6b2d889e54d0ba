//! UGI between processes: matches against `chase engine` and against programs that go wrong, and what
//! `docs/src/reference/ugi.md` shows.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use chase_arena::{Contestant, Decision, Match, MatchResult, Openings, PlayerSpec};
use chase_engine::chase::Rules;
use chase_engine::{Chase, Game};
use chase_fixtures::{lives, wait_until};
use chase_models::device::Device;
use chase_statistics::generator;

const CHASE: &str = env!("CARGO_BIN_EXE_chase");

fn contestant(player: &str) -> Contestant<Chase> {
    player.parse::<PlayerSpec>().unwrap().contestant(Device::Cpu).unwrap()
}

/// A script beside this file.
fn script(name: &str) -> String {
    format!("{}/tests/ugi/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Plays on one thread, so that one agent plays all games of a contestant.
fn play(first: &str, second: &str, pairs: u32) -> MatchResult {
    play_between([first, second].map(contestant), pairs)
}

fn play_between([first, second]: [Contestant<Chase>; 2], pairs: u32) -> MatchResult {
    let conditions = Match {
        rules: Rules::default(),
        openings: Openings::Random { plies: 4 },
        seed: 3,
        max_plies: 1000,
        pairs_at_once: 1,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let played = pool.install(|| conditions.play([&first, &second], 0..pairs, &|_| {}));
    played.unwrap()
}

#[test]
fn whole_games_against_our_own_binary_in_both_colours() {
    let external = format!("ugi:nodes=1,command='{CHASE}' engine random --seed 5");
    let result = play(&external, "greedy", 3);
    assert_eq!(result.contestants, [external.as_str(), "greedy"]);
    let mut absorptions = 0;
    for record in result.pairs.iter().flat_map(|pair| &pair.games) {
        let mut game = Chase::new(&Rules::default());
        for text in &record.actions {
            game.apply(game.parse_action(text).unwrap());
            absorptions += u32::from(text.starts_with('='));
        }
        assert_eq!(game.end_reason(), Some(record.reason.as_str()), "a game to its end");
    }
    assert!(absorptions > 0, "a player chooses on consecutive plies");
    // Random play has no chance: this is the engine that was asked for, on the side that it was asked for.
    assert_eq!(result.games().losses, 6);
    let external = format!("ugi:timeout=900,command='{CHASE}' engine greedy");
    assert_eq!(play("random", &external, 1).games().losses, 2);
}

#[test]
fn the_conventions_of_the_match_reach_the_engine() {
    let contestant = contestant(&format!("ugi:nodes=1,command='{CHASE}' engine random"));
    let mut agent = contestant.agent();
    // The position occurs for the third time, which is a draw unless the engine was told otherwise.
    let start = Chase::new(&Rules::PUBLISHED);
    let mut game = start.clone();
    let mut actions = Vec::new();
    for text in ["1A2A1", "1I2I1", "1A1A2", "1I1I2"].repeat(2) {
        let action = game.parse_action(text).unwrap();
        game.apply(action);
        actions.push(action);
    }
    let decision = Decision {
        game: &game,
        start: &start,
        actions: &actions,
        rng: &mut generator(1, &[]),
    };
    let answer = agent.choose_or_forfeit(&mut [decision]).unwrap();
    assert!(game.is_legal(answer[0].clone().unwrap().action));
    // The same without a past, from a position that is not the initial one.
    game.apply(game.parse_action("A3NW").unwrap());
    let past = Chase::from_position(*game.position(), Rules::PUBLISHED);
    let mut rng = generator(1, &[]);
    let decision = Decision::without_past(&past, &mut rng);
    let answer = agent.choose_or_forfeit(&mut [decision]).unwrap();
    assert!(game.is_legal(answer[0].clone().unwrap().action));
}

#[test]
fn faults_of_a_program_are_losses_with_a_reason_and_leave_no_process() {
    let long = "x".repeat(200);
    // How long it takes to start a program depends on the machine: whoever is to be late is given more time if that was
    // late.
    let soon = [0.4, 4.0, 40.0].as_slice();
    let patient = [900.0].as_slice();
    for (fault, reason, timeouts) in [
        ("silent", "time-out: no bestmove in", soon),
        ("noise", "time-out: no bestmove in", soon),
        ("deaf", "time-out: no readyok in", soon),
        (
            "crash",
            "crash: ended without bestmove (exit status: 3: out of ideas)",
            patient,
        ),
        (
            "closed",
            "crash: ended without bestmove (its output is closed)",
            patient,
        ),
        ("illegal", "illegal move: `E5E` in ", patient),
        ("garbage", &format!("illegal move: `{long}…` in "), patient),
    ] {
        let mark = format!("CHASE_TEST_MARK={fault}-{}", std::process::id());
        let script = script("fault.sh");
        let began = Instant::now();
        let mut found = Vec::new();
        let expected = timeouts.iter().any(|timeout| {
            let external = format!("ugi:ms=1,timeout={timeout},command=env {mark} sh '{script}' {fault}");
            let faulty: PlayerSpec = external.parse().unwrap();
            let Ok(faulty) = faulty.contestant(Device::Cpu) else {
                return false;
            };
            let result = play_between([faulty, contestant("random")], 1);
            let reason = match reason.starts_with("time-out") {
                true => format!("forfeit: {reason} {timeout} s"),
                false => format!("forfeit: {reason}"),
            };
            for (game, winner) in result.pairs[0].games.iter().zip(["black", "white"]) {
                assert_eq!(game.outcome.name(), winner, "{fault}");
            }
            found = result.pairs[0].games.iter().map(|game| game.reason.clone()).collect();
            found.iter().all(|found| found.starts_with(&reason))
        });
        assert!(expected, "{fault}: {found:?}");
        // Some of them sleep for a thousand seconds, which nobody waits for.
        assert!(began.elapsed() < Duration::from_secs(900), "{fault}");
        wait_until(format_args!("the end of what {fault} has started"), || !lives(&mark));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn engines_end_with_the_program_however_it_ends() {
    use rustix::process::{Pid, Signal, kill_process};

    // What an engine has started ends with its group; a program that is killed can end nothing but the engine itself.
    for (name, signals, thinks) in [
        ("interrupted", &[Signal::INT, Signal::INT][..], "sleep 1000; :"),
        ("killed", &[Signal::KILL], "exec sleep 1000"),
    ] {
        let mark = format!("CHASE_TEST_MARK={name}-{}", std::process::id());
        let home = tempfile::tempdir().unwrap();
        let thinking = home.path().join("thinking");
        let engine = format!(
            "env {mark} sh -c 'trap \"\" INT; while read line; do case $line in ugi) echo ugiok;; isready) echo readyok;; \
             go*) echo > {}; {thinks};; esac; done'",
            thinking.display()
        );
        let mut program = Command::new(CHASE);
        program.args([
            "match",
            &format!("ugi:timeout=900,command={engine}"),
            "random",
            "--pairs",
            "1",
        ]);
        program.args(["--threads", "1", "--run-dir", "run"]).current_dir(&home);
        let mut program = program.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut told = BufReader::new(program.stderr.take().unwrap())
            .lines()
            .map(Result::unwrap);
        wait_until(format_args!("{name}: an engine that thinks"), || {
            assert_eq!(program.try_wait().unwrap(), None);
            thinking.exists() && lives(&mark)
        });
        for (number, &signal) in signals.iter().enumerate() {
            // The second counts only after the first was heard.
            assert!(number == 0 || told.any(|line| line.contains("to stop at once")));
            kill_process(Pid::from_child(&program), signal).unwrap();
        }
        program.wait().unwrap();
        wait_until(format_args!("{name}: the engine's end"), || !lives(&mark));
    }
}

#[test]
fn only_the_game_of_the_fault_is_lost() {
    let home = tempfile::tempdir().unwrap();
    let (script, once) = (script("intermittent.sh"), home.path().join("once"));
    fs::write(&once, "").unwrap();
    let external = format!("ugi:nodes=1,command=sh '{script}' '{CHASE}' '{}'", once.display());
    let result = play(&external, "greedy", 3);
    let reasons: Vec<_> = result
        .pairs
        .iter()
        .flat_map(|pair| &pair.games)
        .map(|game| &game.reason)
        .collect();
    let forfeits = reasons
        .iter()
        .filter(|reason| reason.starts_with("forfeit: illegal move: `E5E` in "));
    assert_eq!(forfeits.count(), 1, "{reasons:?}");
    assert_eq!(
        reasons.iter().filter(|reason| reason.starts_with("forfeit")).count(),
        1,
        "{reasons:?}"
    );
}

/// A match of two programs in a folder of its own that a shell starts after `before`; its exit code, what it says, and the
/// reasons of its games.
#[cfg(target_os = "linux")]
fn shell_match(home: &Path, before: &str, rest: &str) -> (Option<i32>, String, Vec<String>) {
    let script = script("fault.sh");
    let players = match rest.contains("--resume") {
        true => String::new(),
        false => format!("'a=ugi:nodes=1,command=sh {script} illegal' 'b=ugi:nodes=1,command=sh {script} illegal'"),
    };
    let line = format!("{before}; exec '{CHASE}' match {players} -q {rest}");
    let output = Command::new("sh")
        .args(["-c", &line])
        .current_dir(home)
        .output()
        .unwrap();
    let games = fs::read_to_string(home.join("m/games.jsonl")).unwrap();
    let reason = |line: &str| {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        game["reason"].as_str().unwrap().to_owned()
    };
    let told = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), told, games.lines().map(reason).collect())
}

#[cfg(target_os = "linux")]
#[test]
fn what_this_machine_cannot_start_loses_no_game() {
    let home = tempfile::tempdir().unwrap();
    let fair = |reasons: &[String]| reasons.iter().all(|reason| reason.starts_with("forfeit: illegal move"));
    let begin = "--run-dir m --threads 32 --pairs 200";
    let (code, told, reasons) = shell_match(home.path(), "ulimit -n 64", begin);
    assert!(code == Some(2) && fair(&reasons), "{code:?} {told} {reasons:?}");
    let expected = "cannot start `sh`: Too many open files";
    assert!(told.contains(expected) && reasons.len() < 400, "{told}");
    // The same with a limit that the program may raise itself, and the rest of the games.
    let (code, told, reasons) = shell_match(home.path(), "ulimit -S -n 64", "--resume m --threads 32");
    assert_eq!((code, reasons.len()), (Some(0), 400), "{told}");
    assert!(fair(&reasons), "{reasons:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn time_in_which_the_program_was_suspended_is_not_the_engines() {
    use rustix::process::{Pid, Signal, kill_process};
    let home = tempfile::tempdir().unwrap();
    let [thinking, answered] = ["thinking", "answered"].map(|name| home.path().join(name));
    // It answers when it is told to: when the file is gone that says that it thinks.
    let engine = "sh -c 'while read line; do case $line in ugi) echo ugiok;; isready) echo readyok;; go*) echo > thinking; while \
                  [ -e thinking ]; do sleep 0.02; done; echo bestmove E5E; echo > answered;; quit) exit;; esac; done'";
    let mut program = Command::new(CHASE);
    let slow = format!("slow=ugi:timeout=8,command={engine}");
    program.args([
        "match",
        &slow,
        "random",
        "--pairs",
        "1",
        "--threads",
        "1",
        "--run-dir",
        "m",
    ]);
    program
        .current_dir(home.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut program = program.spawn().unwrap();
    let process = Pid::from_child(&program);
    for _ in 0..2 {
        wait_until("an engine that thinks", || {
            assert_eq!(program.try_wait().unwrap(), None);
            thinking.exists()
        });
        kill_process(process, Signal::STOP).unwrap();
        // Longer than the engine has.
        std::thread::sleep(Duration::from_secs(9));
        fs::remove_file(&thinking).unwrap();
        wait_until("the engine's answer", || answered.exists());
        fs::remove_file(&answered).unwrap();
        kill_process(process, Signal::CONT).unwrap();
    }
    assert!(program.wait().unwrap().success());
    let games = fs::read_to_string(home.path().join("m/games.jsonl")).unwrap();
    assert_eq!(games.matches("illegal move: `E5E`").count(), 2, "{games}");
}

#[cfg(target_os = "linux")]
#[test]
fn time_in_which_the_program_was_suspended_is_not_its_players() {
    use rustix::process::{Pid, Signal, kill_process};
    for player in ["alpha-beta:ms=1500", "rollouts:ms=1500"] {
        let began = Instant::now();
        let mut program = Command::new(CHASE);
        program.args(["analyse", player]).stdout(Stdio::null());
        let mut program = program.spawn().unwrap();
        let process = Pid::from_child(&program);
        std::thread::sleep(Duration::from_millis(500));
        kill_process(process, Signal::STOP).unwrap();
        std::thread::sleep(Duration::from_secs(3));
        kill_process(process, Signal::CONT).unwrap();
        assert!(program.wait().unwrap().success());
        // With the suspension counted it would have ended at once. A busy machine takes longer in any case.
        let took = began.elapsed();
        assert!(took >= Duration::from_millis(4400), "{player} took {took:?}");
    }
}

#[test]
fn a_program_that_cannot_play_at_all_is_bad_input() {
    for (command, reason) in [
        ("chase-no-such-program", "cannot start `chase-no-such-program`"),
        (
            "sh -c 'echo no licence >&2; exit 3'",
            "ended without ugiok (exit status: 3: no licence)",
        ),
    ] {
        let player: PlayerSpec = format!("ugi:command={command}").parse().unwrap();
        let error = player.contestant::<Chase>(Device::Cpu).unwrap_err().to_string();
        assert!(
            error.starts_with("player `ugi:command=") && error.contains(reason),
            "{error}"
        );
    }
}

/// A reply without what differs from run to run.
fn without_times(line: &str) -> String {
    let mut words: Vec<_> = line.split(' ').collect();
    for index in 1..words.len() {
        if ["time", "nps"].contains(&words[index - 1]) {
            words[index] = "…";
        }
    }
    words.join(" ")
}

#[test]
fn the_conversations_in_the_documentation_take_place() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/reference/ugi.md")).unwrap();
    let blocks: Vec<_> = page.split("```text\n$ chase ").skip(1).collect();
    assert!(blocks.len() >= 2, "{} conversations", blocks.len());
    for block in blocks {
        let block = block.split("```").next().unwrap();
        let (arguments, lines) = block.split_once('\n').unwrap();
        let mut command = Command::new(CHASE);
        command
            .args(arguments.split(' '))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut engine = command.spawn().unwrap();
        let mut to = engine.stdin.take().unwrap();
        let mut from = BufReader::new(engine.stdout.take().unwrap());
        for line in lines.lines() {
            let (speaker, text) = line.split_at(2);
            match speaker {
                "> " => writeln!(to, "{text}").unwrap(),
                "< " => {
                    let mut said = String::new();
                    from.read_line(&mut said).unwrap();
                    let version = format!("chase {} ", env!("CARGO_PKG_VERSION"));
                    let said = said.trim_end().replace(&version, "chase … ");
                    assert_eq!(without_times(&said), without_times(text), "{arguments}");
                }
                _ => panic!("{line}: expected `> ` or `< `"),
            }
        }
        assert!(engine.wait().unwrap().success(), "{arguments}: it ends with `quit`");
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut from, &mut rest).unwrap();
        assert_eq!(rest, "", "{arguments}");
    }
}
