//! Our players as UGI engines for any runner: the engine's side of the protocol, a player that answers a runner.
//!
//! A player obeys the runner's limits and its own, reports while it searches, and can be stopped.

use std::io::{self, BufRead, Write};
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use chase_engine::chase::{MAX_ACTIONS, Rules};
use chase_engine::{Game, Moment, Outcome, Playable, Player};

use crate::analysis::{ActionReport, AnalysisReport, ReportOptions, WdlReport};
use crate::lock;
use crate::players::{Agent, AgentFailure, Decision, Keep, SearchLimits, SearchTask};
use crate::ugi::line::{TextLine, excerpt, read_line};
use crate::ugi::{
    Command, CommandError, EngineOption, Go, Info, NO_MOVE, Query, REPETITION, RULE_OPTIONS, Reply, Response, Start,
    UgiScore, rule_values,
};
use chase_statistics::generator;

/// The name and author that an engine reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Its name.
    pub name: String,
    /// Its author.
    pub author: String,
}

/// Answers a runner until it sends `quit` or its input ends; a running search is then stopped, and answered.
///
/// The agent has its own thread, so that commands are always read. Nothing that the runner sends ends the engine:
/// impossible commands are answered with `info string error: …`, and a `go` without a legal move with `bestmove` and
/// [`NO_MOVE`], so that no runner waits in vain. Random choices depend on the seed and the
/// number of searches before. `standard` are the standard rules of the game: options change only its conventions.
///
/// # Errors
/// If reading or writing fails, or the agent has panicked.
pub fn serve<G: Playable, W: Write + Send>(
    identity: &Identity,
    standard: &G::Rules,
    agent: Box<dyn Agent<G>>,
    seed: u64,
    mut input: impl BufRead,
    output: W,
) -> io::Result<()> {
    let desk = Desk {
        output: Mutex::new(output),
        busy: Mutex::new(false),
        idle: Condvar::new(),
    };
    let (jobs, queue) = channel();
    thread::scope(|scope| {
        let worker = scope.spawn(|| work(&desk, agent, queue));
        let mut session = Session {
            identity,
            desk: &desk,
            settings: Settings::of::<G>(standard),
            placed: Some(Placed::initial(standard)),
            standard,
            seed,
            searches: 0,
            stop: Arc::default(),
            jobs,
        };
        let ended = session.listen(&mut input);
        session.stop.store(true, Ordering::Relaxed);
        drop(session);
        let worked = worker.join();
        ended?;
        worked.unwrap_or_else(|_| Err(io::Error::other("the search has broken down")))
    })
}

/// State shared by the listening and the thinking thread.
struct Desk<W> {
    output: Mutex<W>,
    /// True while a search is running.
    busy: Mutex<bool>,
    /// Notified when it ends.
    idle: Condvar,
}

impl<W: Write> Desk<W> {
    fn say(&self, reply: &Reply) -> io::Result<()> {
        let mut output = lock(&self.output);
        writeln!(output, "{reply}")?;
        output.flush()
    }

    fn complain(&self, error: impl std::fmt::Display) -> io::Result<()> {
        self.message(format_args!("error: {error}"))
    }

    fn message(&self, text: std::fmt::Arguments<'_>) -> io::Result<()> {
        self.say(&Reply::Info(Info::message(excerpt(&text.to_string()))))
    }

    fn is_busy(&self) -> bool {
        *lock(&self.busy)
    }

    fn wait_until_idle(&self) {
        let mut busy = lock(&self.busy);
        while *busy {
            busy = self.idle.wait(busy).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Marks the desk as idle when dropped, even in a panic.
struct Busy<'a, W>(&'a Desk<W>);

impl<W> Drop for Busy<'_, W> {
    fn drop(&mut self) {
        *lock(&self.0.busy) = false;
        self.0.idle.notify_all();
    }
}

/// One search to do.
struct Job<G: Game> {
    placed: Placed<G>,
    limits: SearchLimits,
    infinite: bool,
    lines: usize,
    seed: u64,
    number: u64,
    stop: Arc<AtomicBool>,
}

/// Runs the searches of a queue, one after the other.
fn work<G: Playable, W: Write>(
    desk: &Desk<W>,
    mut agent: Box<dyn Agent<G>>,
    queue: Receiver<Job<G>>,
) -> io::Result<()> {
    for job in queue {
        let busy = Busy(desk);
        let chosen = think(desk, agent.as_mut(), &job);
        let best = Reply::BestMove(chosen?);
        // The reader of the answer may send the next question at once, and its answer must come later.
        let mut output = lock(&desk.output);
        drop(busy);
        writeln!(output, "{best}")?;
        output.flush()?;
    }
    Ok(())
}

fn think<G: Playable, W: Write>(desk: &Desk<W>, agent: &mut dyn Agent<G>, job: &Job<G>) -> io::Result<String> {
    let began = Moment::now();
    let mut written = Ok(());
    let mut tell = |report: &AnalysisReport| {
        for info in infos(report, job.lines, began.elapsed()) {
            if written.is_ok() {
                written = desk.say(&Reply::Info(info));
            }
        }
    };
    let Placed { start, actions, game } = &job.placed;
    let mut rng = generator(job.seed, &[job.number]);
    let decision = Decision {
        game,
        start,
        actions,
        rng: &mut rng,
    };
    let options = ReportOptions {
        top: Some(job.lines),
        lines: true,
    };
    let mut task = SearchTask {
        infinite: job.infinite,
        brief_if_forced: !job.infinite,
        keep: Keep::OfPlayer,
        ..SearchTask::new(job.limits, options, &job.stop, &mut tell)
    };
    let found = agent.search(decision, &mut task);
    let chosen = found.and_then(|(action, report)| match action {
        Some(action) if game.is_legal(action) => Ok((action, report)),
        Some(action) => Err(AgentFailure(format!(
            "{} is not legal in {}",
            game.action_text(action),
            game.position_text()
        ))),
        None => Err(AgentFailure("the search chose nothing".into())),
    });
    match chosen {
        Ok((action, report)) => {
            tell(&report);
            written?;
            Ok(game.action_text(action))
        }
        Err(failure) => {
            written?;
            desk.complain(failure)?;
            Ok(NO_MOVE.to_owned())
        }
    }
}

/// The lines of the protocol for a report; at least one, for nodes and time.
fn infos(report: &AnalysisReport, lines: usize, time: Duration) -> Vec<Info> {
    let depth = report.depth.map_or(report.principal_variation.len() as u64, u64::from);
    let nodes = report.nodes.unwrap_or(report.simulations.into());
    let common = Info {
        depth: (depth > 0).then_some(depth),
        nodes: Some(nodes),
        time: Some(time.as_millis() as u64),
        nps: Some((nodes as f64 / time.as_secs_f64().max(1e-9)) as u64),
        ..Info::default()
    };
    let known = report.actions.iter().filter(|action| action.q.is_some()).take(lines);
    let infos: Vec<_> = known
        .zip(1..)
        .map(|(action, rank)| Info {
            multipv: (lines > 1).then_some(rank),
            score: score(action),
            wdl: action.wdl.map(thousandths),
            pv: action.line.clone().unwrap_or_default(),
            ..common.clone()
        })
        .collect();
    if !infos.is_empty() {
        return infos;
    }
    // No action has been tried: there is only the evaluator's own value, or not even that.
    vec![Info {
        multipv: (lines > 1 && report.value.is_some()).then_some(1),
        score: report.value.map(|value| UgiScore::Cp(hundredths(value))),
        wdl: report.wdl.map(thousandths),
        pv: report.principal_variation.clone(),
        ..common
    }]
}

/// The score of an action: in plies where a win or a loss is proven by alpha-beta, else in hundredths of a won game.
fn score(action: &ActionReport) -> Option<UgiScore> {
    let plies = action.plies_to_win.map(|plies| UgiScore::Mate(plies.into()));
    plies.or_else(|| action.q.map(|q| UgiScore::Cp(hundredths(q))))
}

/// A value from −1 to 1 in hundredths.
fn hundredths(value: f32) -> i64 {
    (100.0 * value).round() as i64
}

/// Probabilities in thousandths, rounded so that they add up to 1000.
fn thousandths(WdlReport { win, loss, .. }: WdlReport) -> [u16; 3] {
    let round = |share: f32| (1000.0 * share.clamp(0.0, 1.0)).round() as u16;
    // Cumulative sums are rounded, so that no part is off by more than one.
    let (wins, decided) = (round(win), round(win + loss));
    [wins, 1000 - decided, decided - wins]
}

/// Settings of the engine.
#[derive(Clone, Copy, Debug)]
struct Settings {
    rules: Rules,
    lines: usize,
    overhead: Duration,
}

/// An option with an integer for its value.
struct Spin {
    name: &'static str,
    default: u64,
    range: RangeInclusive<u64>,
}

const MULTI_PV: &str = "MultiPV";
const OVERHEAD: &str = "MoveOverhead";
/// Largest number of lines that a runner may ask for: no position of Chase has more actions.
const MOST_LINES: u64 = MAX_ACTIONS as u64;

impl Settings {
    /// The defaults, with the standard conventions of the game.
    fn of<G: Playable>(standard: &G::Rules) -> Self {
        Self {
            rules: G::new(standard).conventions().unwrap_or_default(),
            lines: 1,
            overhead: Duration::from_millis(50),
        }
    }

    fn options<G: Playable>(standard: &G::Rules) -> Vec<Spin> {
        let spin = |name, default, min, max| Spin {
            name,
            default,
            range: min..=max,
        };
        let default = Self::of::<G>(standard);
        let mut options = vec![
            spin(MULTI_PV, default.lines as u64, 1, MOST_LINES),
            spin(OVERHEAD, default.overhead.as_millis() as u64, 0, 10_000),
        ];
        let rules = RULE_OPTIONS.into_iter().zip(rule_values(&default.rules));
        // A game without conventions of turns has no such options.
        if G::new(standard).conventions().is_some() {
            options.extend(rules.map(|(name, value)| spin(name, value.into(), 0, u32::MAX.into())));
        }
        options
    }

    fn set<G: Playable>(&mut self, name: &str, value: &str, standard: &G::Rules) -> Result<(), String> {
        let options = Self::options::<G>(standard);
        let option = options.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        let Some(Spin { name, range, .. }) = option else {
            let names: Vec<_> = options.iter().map(|option| option.name).collect();
            return Err(format!("unknown option `{name}`: expected {}", names.join(", ")));
        };
        let number: Option<u64> = value.parse().ok().filter(|number| range.contains(number));
        let (min, max) = (range.start(), range.end());
        let number = number.ok_or_else(|| format!("`{value}` for {name}: expected an integer from {min} to {max}"))?;
        if *name == REPETITION && number == 1 {
            return Err(format!(
                "`1` for {name}: expected 0 (off) or at least 2, since every position has occurred once"
            ));
        }
        let limit = NonZeroU32::new(u32::try_from(number).unwrap_or(u32::MAX));
        match *name {
            MULTI_PV => self.lines = number as usize,
            OVERHEAD => self.overhead = Duration::from_millis(number),
            REPETITION => self.rules.repetition = limit,
            "QuietTurns" => self.rules.quiet_turns = limit,
            _ => self.rules.max_turns = limit,
        }
        Ok(())
    }

    /// The limits of a search for the player to move.
    fn limits(&self, go: &Go, player: Player) -> SearchLimits {
        let clock = go.clocks[player as usize].map(Duration::from_millis).map(|left| {
            let increment = go.increments[player as usize].unwrap_or(0);
            time_for_a_ply(left, Duration::from_millis(increment), self.overhead)
        });
        let movetime = go.movetime.map(Duration::from_millis);
        SearchLimits {
            nodes: go.nodes,
            depth: go.depth.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX)),
            time: clock.into_iter().chain(movetime).min(),
        }
    }
}

/// The time for one ply, given the time left on the clock, the increment per ply, and the time that messages take.
fn time_for_a_ply(left: Duration, increment: Duration, overhead: Duration) -> Duration {
    // A game has about fifty plies of each player; a share of the remaining time never runs out.
    let share = left / 25 + increment.min(left) * 3 / 4;
    share.min(left.saturating_sub(overhead)).max(Duration::from_millis(1))
}

/// A game set up by the runner.
#[derive(Clone, Debug)]
struct Placed<G: Game> {
    start: G,
    actions: Vec<G::Action>,
    game: G,
}

impl<G: Playable> Placed<G> {
    fn initial(rules: &G::Rules) -> Self {
        let start = G::new(rules);
        Self {
            game: start.clone(),
            start,
            actions: Vec::new(),
        }
    }

    fn new(start: &Start, moves: &[String], rules: &G::Rules) -> Result<Self, String> {
        let mut placed = Self::initial(rules);
        if let Start::Fen(text) = start {
            let read = G::from_position_text(text, rules);
            placed.start = read.map_err(|error| format!("in the position: {}", first_line(&error)))?;
            placed.game = placed.start.clone();
        }
        for (number, text) in moves.iter().enumerate() {
            let refuse =
                |reason: &dyn std::fmt::Display| format!("move {} of the position, `{text}`: {reason}", number + 1);
            if let Some(reason) = placed.game.end_reason() {
                return Err(refuse(&format_args!("the game is over before it ({reason})")));
            }
            let action = placed.game.parse_action(text);
            let action = action.map_err(|error| refuse(&first_line(&error)))?;
            placed.game.apply(action);
            placed.actions.push(action);
        }
        Ok(placed)
    }

    /// The same game under other conventions; `None` if it would have ended earlier under them.
    fn under(&self, rules: &G::Rules) -> Option<Self> {
        let start = G::from_position_text(&self.start.position_text(), rules).ok()?;
        let mut game = start.clone();
        for &action in &self.actions {
            if game.outcome().is_some() {
                return None;
            }
            game.apply(action);
        }
        Some(Self {
            start,
            actions: self.actions.clone(),
            game,
        })
    }

    fn answer(&self, query: Query) -> Response {
        match query {
            Query::FirstToMove => (self.game.to_move() == Player::White).into(),
            Query::GameOver => self.game.outcome().is_some().into(),
            Query::Result => match self.game.outcome() {
                Some(Outcome::Win(Player::White)) => Response::FirstWins,
                Some(Outcome::Win(Player::Black)) => Response::SecondWins,
                Some(Outcome::Draw) => Response::Draw,
                Some(Outcome::Truncated) | None => Response::None,
            },
        }
    }
}

/// The message of an error, without the lines that show its place.
fn first_line(error: &impl std::fmt::Display) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

/// The listening side of the engine.
struct Session<'a, G: Game, W> {
    identity: &'a Identity,
    desk: &'a Desk<W>,
    settings: Settings,
    standard: &'a G::Rules,
    /// The game; `None` after an invalid position.
    placed: Option<Placed<G>>,
    seed: u64,
    /// Number of searches begun.
    searches: u64,
    /// Stops the search that was begun last.
    stop: Arc<AtomicBool>,
    jobs: Sender<Job<G>>,
}

impl<G: Playable, W: Write> Session<'_, G, W> {
    /// The rules of the game under the conventions that the runner has set.
    fn rules(&self) -> G::Rules {
        G::with_conventions(&self.settings.rules, self.standard)
    }

    /// Executes commands until `quit` or the end of the input.
    fn listen(&mut self, input: &mut impl BufRead) -> io::Result<()> {
        while let Some(line) = read_line(input)? {
            match line {
                TextLine::TooLong => self.desk.complain("the line is too long")?,
                TextLine::Text(text) if text.trim_ascii().is_empty() => {}
                TextLine::Text(text) => match text.parse() {
                    Ok(Command::Quit) => break,
                    Ok(command) => {
                        for word in Go::left_out(&text) {
                            let text = format_args!("warning: `{word}` is not of UGI, and is left out");
                            self.desk.message(text)?;
                        }
                        self.obey(command)?;
                    }
                    Err(error) => self.refuse(&error)?,
                },
            }
        }
        Ok(())
    }

    /// Answers an invalid line. If it was meant to start a search, the runner expects a move, unless one is coming.
    fn refuse(&mut self, error: &CommandError) -> io::Result<()> {
        let asks = matches!(error, CommandError::Expected { command: "go", .. });
        if asks && self.desk.is_busy() && self.stop.load(Ordering::Relaxed) {
            self.desk.wait_until_idle();
        }
        self.desk.complain(error)?;
        match asks && !self.desk.is_busy() {
            true => self.desk.say(&Reply::BestMove(NO_MOVE.to_owned())),
            false => Ok(()),
        }
    }

    fn obey(&mut self, command: Command) -> io::Result<()> {
        let changes = matches!(
            command,
            Command::SetOption { .. } | Command::NewGame | Command::Position { .. } | Command::Go(_)
        );
        if changes && self.desk.is_busy() {
            if !self.stop.load(Ordering::Relaxed) {
                return self
                    .desk
                    .complain("a search is going on: expected isready, query, stop or quit");
            }
            self.desk.wait_until_idle();
        }
        match command {
            Command::Ugi | Command::Uci => {
                self.desk.say(&Reply::Name(self.identity.name.clone()))?;
                self.desk.say(&Reply::Author(self.identity.author.clone()))?;
                for Spin { name, default, range } in Settings::options::<G>(self.standard) {
                    let (name, min, max) = (name.to_owned(), range.start(), range.end());
                    let kind = format!("spin default {default} min {min} max {max}");
                    self.desk.say(&Reply::Option(EngineOption { name, kind }))?;
                }
                self.desk.say(if command == Command::Uci {
                    &Reply::UciOk
                } else {
                    &Reply::UgiOk
                })
            }
            Command::IsReady => self.desk.say(&Reply::ReadyOk),
            Command::SetOption { name, value } => match self.settings.set::<G>(&name, &value, self.standard) {
                Ok(()) => {
                    let rules = self.rules();
                    self.placed = self.placed.take().and_then(|placed| placed.under(&rules));
                    Ok(())
                }
                Err(error) => self.desk.complain(error),
            },
            Command::NewGame => {
                self.placed = Some(Placed::initial(&self.rules()));
                Ok(())
            }
            Command::Position { start, moves } => {
                let placed = Placed::new(&start, &moves, &self.rules());
                let complaint = placed.as_ref().err().cloned();
                self.placed = placed.ok();
                complaint.map_or(Ok(()), |error| self.desk.complain(error))
            }
            Command::Go(go) => self.go(&go),
            Command::Query(query) => match &self.placed {
                Some(placed) => self.desk.say(&Reply::Response(placed.answer(query))),
                None => {
                    self.desk.complain("there is no position")?;
                    self.desk.say(&Reply::Response(Response::None))
                }
            },
            Command::Stop => {
                self.stop.store(true, Ordering::Relaxed);
                Ok(())
            }
            Command::Quit => Ok(()),
        }
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        let placed = match &self.placed {
            None => Err("there is no position".to_owned()),
            Some(placed) => match placed.game.end_reason() {
                Some(reason) => Err(format!("the game is over ({reason})")),
                None => Ok(placed.clone()),
            },
        };
        let placed = match placed {
            Ok(placed) => placed,
            Err(obstacle) => {
                self.desk.complain(obstacle)?;
                return self.desk.say(&Reply::BestMove(NO_MOVE.to_owned()));
            }
        };
        self.stop = Arc::default();
        *lock(&self.desk.busy) = true;
        let job = Job {
            limits: self.settings.limits(go, placed.game.to_move()),
            infinite: go.infinite,
            placed,
            lines: self.settings.lines,
            seed: self.seed,
            number: self.searches,
            stop: Arc::clone(&self.stop),
        };
        self.searches += 1;
        let sent = self.jobs.send(job);
        sent.map_err(|_| io::Error::other("the search has broken down"))
    }
}

#[cfg(test)]
mod tests {
    use chase_engine::Chase;
    use chase_engine::chase::Rules as ChaseRules;

    use super::*;

    #[test]
    fn thousandths_have_the_sum_1000() {
        let chances = |win, draw, loss| thousandths(WdlReport { win, draw, loss });
        assert_eq!(chances(0.3335, 0.333, 0.3335), [334, 333, 333]);
        assert_eq!(chances(0.9996, 0.0, 0.0005), [1000, 0, 0]);
        assert_eq!(chances(0.0, 0.0, 1.0), [0, 0, 1000]);
        assert_eq!(chances(0.25, 0.5, 0.25), [250, 500, 250]);
    }

    #[test]
    fn a_ply_takes_a_share_of_the_clock_and_never_more_than_is_left() {
        let time = |left, increment, overhead| {
            let [left, increment, overhead] = [left, increment, overhead].map(Duration::from_millis);
            time_for_a_ply(left, increment, overhead).as_millis()
        };
        assert_eq!(time(500, 0, 0), 20);
        assert_eq!(time(500, 100, 10), 95);
        assert_eq!(time(10, 1_000_000, 3), 7);
        assert_eq!(time(1, 0, 20), 1);
        assert_eq!(time(0, 0, 0), 1);
    }

    #[test]
    fn the_clock_that_counts_is_that_of_the_player_to_move() {
        let settings = Settings {
            overhead: Duration::ZERO,
            ..Settings::of::<Chase>(&ChaseRules::default())
        };
        let mut go = Go {
            clocks: [Some(100_000), Some(500)],
            increments: [Some(0), Some(0)],
            ..Go::default()
        };
        let time = |go: &Go, player| settings.limits(go, player).time.map(|time| time.as_millis());
        assert_eq!(time(&go, Player::White), Some(4000));
        assert_eq!(time(&go, Player::Black), Some(20));
        go.movetime = Some(50);
        assert_eq!(time(&go, Player::White), Some(50));
        assert_eq!(time(&go, Player::Black), Some(20));
    }
}
