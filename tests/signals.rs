//! What signals do to a program that searches: the first asks it to end, the second ends it at once. Neither crashes
//! it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use chase_fixtures::wait_until;
use rustix::process::{Pid, Signal, kill_process};

fn chase(home: &Path, args: &[&str]) -> Command {
    let program = env!("CARGO_BIN_EXE_chase");
    // Where these tests run under nohup, SIGHUP is ignored, and a process inherits that.
    let mut command = if cfg!(target_os = "linux") {
        let mut command = Command::new("env");
        command.args(["--default-signal=HUP", program]);
        command
    } else {
        Command::new(program)
    };
    command.current_dir(home).args(args);
    command
}

/// The network in the binary: libtorch generates code for its layers, which is what must not be taken away.
const NETWORK: &str = "agent-71";

fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

fn assert_code(status: ExitStatus, expected: i32) {
    assert_eq!((status.code(), status.signal()), (Some(expected), None));
}

#[test]
fn a_server_that_searches_ends_well_with_any_signal() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        for wait in [50, 200, 400] {
            let home = tempfile::tempdir().unwrap();
            let mut server = chase(home.path(), &["serve", "--port", "0"]);
            let mut server = server.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
            let mut address = String::new();
            let mut output = BufReader::new(server.stdout.take().unwrap());
            output.read_line(&mut address).unwrap();
            let host = address.trim().trim_start_matches("http://").trim_end_matches('/');
            let body = format!(r#"{{"game": {{}}, "player": "agent:{NETWORK}", "simulations": 50000}}"#);
            let searches = ["one", "two"].map(|page| {
                let mut stream = TcpStream::connect(host).unwrap();
                write!(
                    stream,
                    "POST /api/analyse HTTP/1.1\r\nHost: {host}\r\nX-Chase-Client: {page}\r\nContent-Type: application/json\r\n\
                     Content-Length: {}\r\n\r\n{body}",
                    body.len()
                )
                .unwrap();
                BufReader::new(stream)
            });
            // Both answer as soon as they search.
            let searches = searches.map(|mut stream| {
                let mut line = String::new();
                stream.read_line(&mut line).unwrap();
                assert!(line.starts_with("HTTP/1.1 200"), "{line}");
                stream
            });
            // Moments of a search; it ends well at any, and after it.
            thread::sleep(Duration::from_millis(wait));
            send(&server, signal);
            assert_code(server.wait().unwrap(), 0);
            drop(searches);
        }
    }
}

#[test]
fn a_second_signal_ends_a_match_at_once() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        for wait in [0, 30, 100] {
            let home = tempfile::tempdir().unwrap();
            let [one, other] = ["one", "other"].map(|name| format!("{name}=net:{NETWORK},simulations=100000"));
            let mut command = chase(home.path(), &["match", &one, &other, "--pairs", "20", "--threads", "2"]);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
            let mut told = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
            assert!(told.any(|line| line.starts_with("the games go to ")));
            // Then it searches. Before that, it would end well all the same.
            thread::sleep(Duration::from_millis(300));
            send(&child, signal);
            // The second counts only after the first was heard.
            assert!(told.any(|line| line.contains("stops at once") || line.contains("to stop at once")));
            thread::sleep(Duration::from_millis(wait));
            send(&child, signal);
            assert_code(child.wait().unwrap(), code);
        }
    }
}

#[test]
fn what_nohup_has_started_stays_when_its_terminal_is_closed() {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new("nohup");
    command.arg(env!("CARGO_BIN_EXE_chase")).args(["serve", "--port", "0"]);
    command.current_dir(home.path()).stdin(Stdio::null());
    let mut server = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(server.stdout.take().unwrap())
        .read_line(&mut address)
        .unwrap();
    send(&server, Signal::HUP);
    let host = address.trim().trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    send(&server, Signal::TERM);
    assert_code(server.wait().unwrap(), 0);
}

#[test]
fn a_match_that_is_asked_to_end_says_how_to_go_on() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let home = tempfile::tempdir().unwrap();
        let mut command = chase(
            home.path(),
            &["match", "random", "greedy", "--pairs", "1000000", "--run-dir", "a run"],
        );
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let games = || std::fs::metadata(home.path().join("a run/games.jsonl")).map_or(0, |file| file.len());
        wait_until("the first games", || {
            assert_eq!(child.try_wait().unwrap(), None);
            games() > 0
        });
        send(&child, signal);
        let output = child.wait_with_output().unwrap();
        // A script must not go on with part of the games.
        assert_code(output.status, code);
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(told.contains("continue with: chase match --resume 'a run'\n"), "{told}");
    }
}
