//! `chase play` at a terminal: Ctrl-C stops a search, and no way of leaving loses the game.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use chase_fixtures::wait_until;
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty;

/// Longer than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);
const CTRL_C: &[u8] = b"\x03";
const CTRL_D: &[u8] = b"\x04";

/// A game at a terminal of its own.
struct Terminal {
    child: Child,
    keyboard: File,
    screen: Receiver<String>,
    /// What was shown and not yet waited for.
    shown: String,
}

impl Terminal {
    fn new(home: &Path, args: &[&str]) -> Self {
        let master = pty::openpt(pty::OpenptFlags::RDWR | pty::OpenptFlags::NOCTTY).unwrap();
        pty::grantpt(&master).unwrap();
        pty::unlockpt(&master).unwrap();
        let name = pty::ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        let open = || OpenOptions::new().read(true).write(true).open(&name).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_chase"))
            .current_dir(home)
            .arg("play")
            .args(args)
            .env("TERM", "xterm")
            .stdin(open())
            .stdout(open())
            .stderr(open())
            .spawn()
            .unwrap();
        let keyboard = File::from(master);
        let mut reader = keyboard.try_clone().unwrap();
        let (told, screen) = mpsc::channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Reading fails once the program has gone.
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                let _ = told.send(String::from_utf8_lossy(&bytes[..count]).into_owned());
            }
        });
        Self {
            child,
            keyboard,
            screen,
            shown: String::new(),
        }
    }

    /// Waits until a text is shown, and forgets everything up to it.
    fn wait_for(&mut self, text: &str) {
        loop {
            if let Some(at) = self.shown.find(text) {
                self.shown.drain(..at + text.len());
                return;
            }
            let more = self.screen.recv_timeout(PATIENCE);
            self.shown += &more.unwrap_or_else(|_| panic!("no `{text}` in: {}", self.shown));
        }
    }

    fn press(&mut self, keys: &[u8]) {
        self.keyboard.write_all(keys).unwrap();
    }

    /// What the terminal does with Ctrl-C while a program is not reading keys.
    fn interrupt(&self) {
        kill_process(Pid::from_child(&self.child), Signal::INT).unwrap();
    }

    fn end(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

#[test]
fn a_search_is_stopped_by_one_signal_and_left_by_two() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::new(home.path(), &["random", "--seed", "1"]);
    terminal.wait_for("White, turn 1>");
    terminal.press(b"a3d2\r");
    terminal.wait_for("White, turn 2>");
    terminal.press(b"hint 100000000\r");
    terminal.wait_for("searching; Ctrl-C stops it");
    terminal.interrupt();
    terminal.wait_for("stopping the search");
    terminal.wait_for("visits");
    terminal.wait_for("White, turn 2>");
    terminal.press(b"hint 100000000\r");
    terminal.wait_for("searching; Ctrl-C stops it");
    // The second may come before the first is answered, or after.
    wait_until("the end of the program", || {
        terminal.interrupt();
        terminal.child.try_wait().unwrap().is_some()
    });
    assert_eq!(terminal.end(), Some(130));
    terminal.wait_for("unfinished-game.txt");
    let kept = fs::read_to_string(home.path().join("unfinished-game.txt")).unwrap();
    assert!(kept.contains("1. A3D2 "), "{kept}");
}

#[test]
fn tab_completes_actions_and_commands() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::new(home.path(), &["random", "--seed", "1"]);
    terminal.wait_for("White, turn 1>");
    // The die on A3 goes to D2, D5 or along the row.
    terminal.press(b"a3d\t\t");
    terminal.wait_for("A3D2");
    terminal.press(CTRL_C);
    terminal.wait_for("Ctrl-C again leaves");
    terminal.wait_for("White, turn 1>");
    terminal.press(b"rec\t\r");
    terminal.wait_for("[White \"person\"]");
    // Before the prompt, keys do not reach the editor.
    terminal.wait_for("White, turn 1>");
    terminal.press(CTRL_D);
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn an_opponent_that_is_interrupted_moves_at_once() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::new(home.path(), &["net:agent-41,ms=3600000"]);
    terminal.wait_for("White, turn 1>");
    terminal.press(b"A3D2\r");
    terminal.wait_for("White plays");
    terminal.wait_for("searching; Ctrl-C stops it");
    terminal.interrupt();
    terminal.wait_for("Black plays");
    terminal.wait_for("White, turn 2>");
    terminal.press(b"quit\r");
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn one_ctrl_c_at_the_prompt_clears_the_line_and_two_leave_with_the_game_kept() {
    let home = tempfile::tempdir().unwrap();
    for (twice, key, file) in [
        (true, CTRL_C, "unfinished-game.txt"),
        (false, CTRL_D, "unfinished-game-2.txt"),
    ] {
        let mut terminal = Terminal::new(home.path(), &["random", "--seed", "1"]);
        terminal.wait_for("White, turn 1>");
        // What is typed is gone, and the game is not.
        terminal.press(b"A3D");
        terminal.press(CTRL_C);
        terminal.wait_for("Ctrl-C again leaves");
        // Before the prompt, keys do not reach the editor.
        terminal.wait_for("White, turn 1>");
        terminal.press(b"A3D2\r");
        terminal.wait_for("White, turn 2>");
        if twice {
            terminal.press(key);
            terminal.wait_for("Ctrl-C again leaves");
            terminal.wait_for("White, turn 2>");
        }
        terminal.press(key);
        terminal.wait_for(file);
        assert_eq!(terminal.end(), Some(0));
        assert!(home.path().join(file).is_file());
    }
}

#[test]
fn a_game_with_a_file_needs_no_other() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::new(home.path(), &["random", "--record", "mine.txt"]);
    terminal.wait_for("White, turn 1>");
    terminal.press(b"A3D2\r");
    terminal.wait_for("White, turn 2>");
    terminal.press(CTRL_D);
    assert_eq!(terminal.end(), Some(0));
    let files: Vec<_> = fs::read_dir(home.path())
        .unwrap()
        .map(|file| file.unwrap().file_name())
        .collect();
    assert_eq!(files, ["mine.txt"]);
}
