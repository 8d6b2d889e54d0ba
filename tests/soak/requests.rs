//! Requests that no browser sends, to a server that must answer others all the while.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use rustix::process::{Pid, Signal, kill_process};

use crate::CHASE;
use crate::tally::Tally;
use crate::works::{PATIENCE, most_memory};

/// What lies beside the folders that are served.
const SECRET: &str = "PRIVATE-THINGS";
/// Requests of one attack.
const REQUESTS: usize = 300;

const BODIES: [(&str, &str); 6] = [
    (
        "/api/game",
        r#"{"moves": ["A3D2", "I3F4"], "rules": "repetition 3, quiet 100, length 400"}"#,
    ),
    (
        "/api/play",
        r#"{"game": {"moves": ["A3D2"]}, "player": "greedy", "effort": {"unit": "simulations", "amount": 3}}"#,
    ),
    (
        "/api/analyse",
        r#"{"game": {}, "player": "rollouts", "simulations": 5}"#,
    ),
    (
        "/api/record/write",
        r#"{"game": {"moves": ["A3D2"]}, "resigned": "white"}"#,
    ),
    ("/api/record/read", r#"{"text": "[Result \"*\"]\n\n1. A3D2 I3F4"}"#),
    (
        "/api/explorer",
        r#"{"game": {}, "run": "tournament", "kinds": ["match", "selfplay"]}"#,
    ),
];

const PATHS: [&str; 12] = [
    "/",
    "/api/status",
    "/api/runs",
    "/api/runs/run",
    "/api/runs/run/games",
    "/runs/run/report.html",
    "/../secret",
    "/runs/../secret",
    "/runs/..%2f..%2fsecret/report.html",
    "/%2e%2e/%2e%2e/secret",
    "/assets/..\\secret",
    "/runs/%00/report.html",
];

struct Server {
    process: Child,
    address: SocketAddr,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    fn start(home: &Path, runs: &Path) -> Result<Self> {
        let mut command = Command::new(CHASE);
        command.args([
            "serve",
            "--port",
            "0",
            "--max-simulations",
            "100",
            "--max-seconds",
            "2",
            "--runs",
        ]);
        command.arg(runs).current_dir(home).stdin(Stdio::null());
        let told = File::create(home.join("told"))?;
        let mut process = command.stdout(Stdio::piped()).stderr(told).spawn()?;
        let mut line = String::new();
        BufReader::new(process.stdout.take().context("its output")?).read_line(&mut line)?;
        let address = line.trim().trim_start_matches("http://").trim_end_matches('/').parse();
        let address = address.with_context(|| format!("the server says {line:?}"))?;
        Ok(Self { process, address })
    }

    fn open(&self, bytes: &[u8]) -> Result<TcpStream> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        // A server that refuses a request need not read all of it.
        let _ = stream.write_all(bytes);
        Ok(stream)
    }

    /// The answer, as far as one comes before the connection ends. `ends`: says that no more bytes come, which a server
    /// may take for the loss of interest in an answer.
    fn answer(&self, bytes: &[u8], ends: bool) -> Result<String> {
        let mut stream = self.open(bytes)?;
        if ends {
            let _ = stream.shutdown(Shutdown::Write);
        }
        let mut answer = Vec::new();
        let ended = stream.read_to_end(&mut answer);
        let waits = |error: &std::io::Error| error.kind() == std::io::ErrorKind::WouldBlock;
        ensure!(!ended.is_err_and(|error| waits(&error)), "no answer in {PATIENCE:?}");
        Ok(String::from_utf8_lossy(&answer).into_owned())
    }

    /// Tries until there is a place for it: those who hold places lose them in time.
    fn must_serve(&self) -> Result<()> {
        let request = format!("GET / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address);
        let mut answer = String::new();
        for _ in 0..600 {
            answer = self.answer(request.as_bytes(), false).unwrap_or_default();
            if answer.starts_with("HTTP/1.1 200") {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        anyhow::bail!("it serves no one any more: {answer:?}")
    }
}

pub(crate) fn attack(runs: &Path, home: &Path, rng: &mut Xoshiro256PlusPlus, tally: &mut Tally) -> Result<()> {
    fs::write(home.join("secret"), SECRET)?;
    let mut server = Server::start(home, runs)?;
    let mut held = Vec::new();
    for _ in 0..REQUESTS {
        send(&server, &mut held, rng, tally)?;
        // Most lose their places before they are let go.
        if held.len() > 150 {
            held.clear();
        }
    }
    server.must_serve()?;
    drop(held);
    let memory = most_memory(server.process.id());
    ensure!(memory < 1500, "the server took {memory} MiB");
    kill_process(Pid::from_child(&server.process), Signal::TERM)?;
    let status = server.process.wait()?;
    ensure!(
        status.success(),
        "the server ends with {status}: {}",
        fs::read_to_string(home.join("told"))?
    );
    Ok(())
}

/// Sends one thing, or many of a kind, and looks at what comes back.
fn send(server: &Server, held: &mut Vec<TcpStream>, rng: &mut Xoshiro256PlusPlus, tally: &mut Tally) -> Result<()> {
    let host = server.address;
    let (path, body) = BODIES[rng.random_range(0..BODIES.len())];
    let post = |headers: &str, body: &[u8]| {
        let length = body.len();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n{headers}\r\n"
        );
        [head.as_bytes(), body].concat()
    };
    let get =
        |path: &str, headers: &str| format!("GET {path} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n").into_bytes();
    tally.requests += 1;
    let kind = rng.random_range(0..9);
    let (request, foreign) = match kind {
        0 => {
            // Held open, cut off somewhere in the header or the body.
            let mut begin = post("", body.as_bytes());
            begin.truncate(rng.random_range(0..begin.len()));
            held.push(server.open(&begin)?);
            return Ok(());
        }
        1 => (mutated(&post("", body.as_bytes()), rng), false),
        2 => (post("", &mutated(body.as_bytes(), rng)), false),
        3 => {
            let path = PATHS[rng.random_range(0..PATHS.len())];
            (get(path, &format!("Host: {host}\r\n")), false)
        }
        4 => (post("Origin: http://evil.example\r\n", body.as_bytes()), true),
        5 => (get("/api/status", "Host: evil.example\r\n"), true),
        6 => {
            // Many at once, and nobody who reads the answers.
            for _ in 0..40 {
                drop(server.open(&get("/api/runs", &format!("Host: {host}\r\n")))?);
            }
            tally.requests += 40;
            return Ok(());
        }
        7 => {
            let long = "x".repeat(1 << rng.random_range(8..19));
            let headers = format!("Host: {host}\r\nX-Long: {long}\r\n");
            (get("/", &headers), false)
        }
        _ => {
            let depth = 1 << rng.random_range(2..17);
            (post("", format!("{{\"game\": {}", "[".repeat(depth)).as_bytes()), false)
        }
    };
    let answer = server.answer(&request, kind == 1)?;
    let shown = String::from_utf8_lossy(&request[..request.len().min(300)]).into_owned();
    ensure!(!answer.contains(SECRET), "{shown:?} shows a file that nobody serves");
    // What is cut off may be reset without an answer.
    if answer.is_empty() {
        ensure!(!foreign, "{shown:?} has no answer");
        return Ok(());
    }
    let status = answer.split(' ').nth(1).and_then(|status| status.parse::<u16>().ok());
    let good = status.is_some_and(|status| match foreign {
        true => [400, 403, 503].contains(&status),
        false => (200..500).contains(&status) || status == 503,
    });
    ensure!(
        answer.starts_with("HTTP/1.") && good,
        "{shown:?} is answered with {:?}",
        answer.lines().next()
    );
    Ok(())
}

/// Some bytes changed, removed, doubled.
pub(crate) fn mutated(bytes: &[u8], rng: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..rng.random_range(1..6) {
        if bytes.is_empty() {
            break;
        }
        let place = rng.random_range(0..bytes.len());
        let end = bytes.len().min(place + rng.random_range(1..20));
        match rng.random_range(0..5) {
            0 => bytes[place] = rng.random(),
            1 => drop(bytes.drain(place..end)),
            2 => {
                let part = bytes[place..end].to_vec();
                bytes.splice(place..place, part);
            }
            3 => {
                let number = ["0", "-1", "1e999", "18446744073709551616", "NaN"][rng.random_range(0..5)];
                bytes.splice(place..end, number.bytes());
            }
            _ => bytes.truncate(place),
        }
    }
    bytes
}
