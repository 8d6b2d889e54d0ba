//! A server in a process of its own, and plain requests to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use chase_fixtures::wait_for;
use serde_json::{Value, json};

/// A server of its own, which ends with the test.
pub(super) struct Server {
    pub(super) process: Child,
    pub(super) address: SocketAddr,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

impl Answer {
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {} {}", self.status, self.body))
    }

    /// The data of the last event of a stream.
    pub(super) fn last_event(&self) -> Value {
        let mut data = self.body.lines().filter_map(|line| line.strip_prefix("data: "));
        let last = data
            .next_back()
            .unwrap_or_else(|| panic!("no event: {} {}", self.status, self.body));
        serde_json::from_str(last).unwrap()
    }

    pub(super) fn error(&self) -> String {
        self.json()["error"].as_str().unwrap().to_owned()
    }
}

impl Server {
    pub(super) fn start(args: &[&str]) -> Self {
        Self::of("", args)
    }

    /// In a folder of its own.
    pub(super) fn start_in(home: &Path, args: &[&str]) -> Self {
        Self::of(&format!("cd '{}';", home.display()), args)
    }

    /// Started by a shell that has done something before.
    pub(super) fn of(before: &str, args: &[&str]) -> Self {
        let script = format!("{before} exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_chase")]);
        // Not in the folder of the project, whose agents would be found.
        command.current_dir(env!("CARGO_TARGET_TMPDIR"));
        command.args(["serve", "--port", "0"]).args(args);
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line.trim().strip_prefix("http://").unwrap().trim_end_matches('/');
        Self {
            address: address.parse().unwrap(),
            process,
        }
    }

    /// Sends bytes as they are; what comes back can be read from the stream.
    pub(super) fn open(&self, request: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(600))).unwrap();
        // A server that refuses a request need not read all of it.
        let _ = stream.write_all(request);
        stream
    }

    /// Sends bytes as they are, and waits for the whole answer.
    pub(super) fn raw(&self, request: &[u8]) -> Answer {
        let mut answer = Vec::new();
        let _ = self.open(request).read_to_end(&mut answer);
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Answer {
            status: status.unwrap_or_else(|| panic!("no answer: {answer:?}")),
            head: head.to_ascii_lowercase(),
            body: body.to_owned(),
        }
    }

    pub(super) fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> String {
        let host = self.address;
        let length = body.len();
        format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
        )
    }

    pub(super) fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        self.raw(self.request(method, path, headers, body).as_bytes())
    }

    pub(super) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, "", "")
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, "Content-Type: application/json\r\n", &body.to_string())
    }

    /// What the explorer knows when it has read all games: one request reads for half a second.
    pub(super) fn explore(&self, request: &Value) -> Value {
        wait_for("all games in the explorer", || {
            let answer = self.post("/api/explorer", request).json();
            if answer["more"] == json!(true) {
                Err(answer)
            } else {
                Ok(answer)
            }
        })
    }
}
