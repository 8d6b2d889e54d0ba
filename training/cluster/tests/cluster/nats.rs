//! A real server of NATS on a free port.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use async_nats::jetstream;
use tempfile::TempDir;
use tokio_stream::StreamExt;

/// The server's own settings, within its folder.
pub const SETTINGS: &str = "nats.conf";
/// What they may name as $CHASE_PASSWORD.
pub const PASSWORD: &str = "word-of-mouth";

/// A running server, which ends with this value.
pub struct Nats {
    process: Child,
    folder: TempDir,
    port: u16,
}

fn program() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools/nats/bin/nats-server");
    if own.is_file() { own } else { "nats-server".into() }
}

fn start(folder: &Path, port: &str) -> Child {
    let mut server = Command::new(program());
    server.args(["--jetstream", "--addr", "127.0.0.1", "--port", port]);
    let settings = folder.join(SETTINGS);
    if settings.exists() {
        // Files are named relative to the folder.
        server.current_dir(folder).arg("--config").arg(SETTINGS);
        server.env("CHASE_PASSWORD", PASSWORD);
    }
    server.arg("--store_dir").arg(folder.join("store"));
    server.arg("--ports_file_dir").arg(folder);
    let started = server.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    started.unwrap_or_else(|error| {
        panic!(
            "no nats-server can be started ({error}): `cargo xtask nats` puts one into .tools/nats/ of this repository, once; \
             or install one, version 2.10 or newer, so that it is in PATH"
        )
    })
}

impl Nats {
    pub fn start() -> Self {
        Self::start_in(tempfile::tempdir().unwrap())
    }

    /// A server whose settings, if it has some, are in this folder.
    pub fn start_in(folder: TempDir) -> Self {
        let process = start(folder.path(), "-1");
        // The server writes its ports there.
        let file = folder.path().join(format!("nats-server_{}.ports", process.id()));
        let begin = Instant::now();
        let port = loop {
            let ports: Option<serde_json::Value> = std::fs::read(&file)
                .ok()
                .and_then(|text| serde_json::from_slice(&text).ok());
            if let Some(ports) = ports {
                let url = ports["nats"][0].as_str().unwrap().to_owned();
                break url.rsplit(':').next().unwrap().parse().unwrap();
            }
            assert!(begin.elapsed() < Duration::from_secs(30), "nats-server does not start");
            thread::sleep(Duration::from_millis(10));
        };
        Self { process, folder, port }
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Kills the server and starts it again, with what it had stored or without.
    pub fn restart(&mut self, empty: bool) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        if empty {
            std::fs::remove_dir_all(self.folder.path().join("store")).unwrap();
        }
        thread::sleep(Duration::from_millis(300));
        self.process = start(self.folder.path(), &self.port.to_string());
    }

    /// Messages in all its streams but that of the workers, who may have been killed.
    pub fn messages(&self) -> u64 {
        self.ask(async |context| {
            let streams: Vec<_> = context.streams().collect().await;
            let infos = streams.into_iter().map(|stream| stream.unwrap());
            infos
                .filter(|info| info.config.name != "KV_chase_workers")
                .map(|info| info.state.messages)
                .sum()
        })
    }

    /// Results of a generation's self-play.
    pub fn results_of(&self, generation: u64) -> usize {
        self.ask(async |context| {
            let results = context.get_key_value("chase_results").await.unwrap();
            let subjects = results
                .stream
                .info_with_subjects(format!("*.*.*.{generation}.selfplay.>"))
                .await;
            subjects.unwrap().collect::<Vec<_>>().await.len()
        })
    }

    fn ask<T>(&self, question: impl AsyncFnOnce(jetstream::Context) -> T) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let client = async_nats::connect(self.url()).await.unwrap();
            question(jetstream::new(client)).await
        })
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
