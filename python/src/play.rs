//! One game in progress, with its history.

use std::any::Any;
use std::sync::Arc;

use chase_engine::alpha_beta::{Limits, Settings};
use chase_engine::search::SearchParams;
use chase_engine::{Encode, Outcome, Playable, Player, Record, seed};
use pyo3::exceptions::PyValueError;
use pyo3::{PyResult, Python};

use crate::baselines::{self, Assessed};
use crate::erased::{AnyGame, AnyPlay, Recordings, Tags};
use crate::evaluate::Evaluate;
use crate::ruled::{Facts, Ruled, encode, list_legal};
use crate::search::{Found, search};
use crate::self_play::{AnySelfPlay, Plan, SelfPlay};
use crate::updatable::Updatable;
use crate::vector::{AnyVector, Vector};

impl<G: Playable> AnyGame for Ruled<G> {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn begin(self: Arc<Self>, position: Option<&str>, seed: Option<u64>) -> Result<Box<dyn AnyPlay>, String> {
        let drawn = seed
            .filter(|_| G::begins_at_random(&self.rules) && position.is_none())
            .map(|seed| {
                let mut rng = seed::named("python start", &[seed]);
                G::start(&self.rules, &mut rng).position_text()
            });
        Ok(Box::new(Play::new(self, position.or(drawn.as_deref()))?))
    }

    fn read_records(self: Arc<Self>, text: &str) -> Result<Recordings, String> {
        let mut games = Vec::new();
        for record in Record::<G>::read_all(text, &self.rules) {
            let record = record.map_err(|error| error.to_string())?;
            // A record brings its own conventions.
            let ruled = Arc::new(self.under(record.rules().clone()));
            let start = record.start().position_text();
            let is_usual = start == G::new(record.rules()).position_text();
            let mut play = Play::new(ruled, (!is_usual).then_some(&*start))?;
            for &action in record.actions() {
                play.push(action);
            }
            let tags = record.tags().map(|(name, value)| (name.to_owned(), value.to_owned()));
            games.push((tags.collect(), Box::new(play) as Box<dyn AnyPlay>));
        }
        Ok(games)
    }

    fn vector(self: Arc<Self>, games: usize, seed: u64, planes: bool) -> Result<Box<dyn AnyVector>, String> {
        Ok(Box::new(Vector::new(self, games, seed, planes)?))
    }

    fn search(
        &self,
        py: Python<'_>,
        positions: &[&dyn AnyPlay],
        params: &SearchParams,
        evaluate: &Evaluate,
        seed: u64,
        threads: usize,
    ) -> PyResult<Vec<Found>> {
        search(
            py,
            &self.encoding,
            &self.games(positions)?,
            params,
            evaluate,
            seed,
            threads,
        )
    }

    fn random(&self, py: Python<'_>, positions: &[&dyn AnyPlay], seed: u64, threads: usize) -> PyResult<Vec<u32>> {
        baselines::random(py, &self.games(positions)?, seed, threads)
    }

    fn greedy(&self, py: Python<'_>, positions: &[&dyn AnyPlay], seed: u64, threads: usize) -> PyResult<Vec<u32>> {
        baselines::greedy(py, &self.games(positions)?, seed, threads)
    }

    fn alpha_beta(
        &self,
        py: Python<'_>,
        positions: &[&dyn AnyPlay],
        (network, settings): (Option<&Updatable>, Settings),
        limits: Limits,
        seed: u64,
        threads: usize,
    ) -> PyResult<Vec<Assessed>> {
        if let Some(network) = network {
            let name = G::name(&self.rules);
            network.check_game(name).map_err(PyValueError::new_err)?;
        }
        let judge = (network, settings);
        baselines::alpha_beta(py, &self.games(positions)?, judge, limits, seed, threads)
    }

    fn heuristic(&self, positions: &[&dyn AnyPlay]) -> PyResult<Vec<i32>> {
        baselines::judge(&self.games(positions)?)
    }

    fn self_play(self: Arc<Self>, plan: Plan) -> Result<Box<dyn AnySelfPlay>, String> {
        Ok(Box::new(SelfPlay::new(self, plan)?))
    }
}

impl<G: Playable> Ruled<G> {
    /// Copies of the games of positions, without what only Python needs.
    ///
    /// # Errors
    /// If a position is of another game.
    fn games(&self, positions: &[&dyn AnyPlay]) -> PyResult<Vec<G>> {
        let mut games = Vec::with_capacity(positions.len());
        for (index, position) in positions.iter().enumerate() {
            let play = position.as_any().downcast_ref::<Play<G>>();
            // Games of a family have one type.
            match play.filter(|play| play.ruled.facts.name == self.facts.name) {
                Some(play) => games.push(play.now.clone()),
                None => {
                    let found = position.game().facts().name;
                    let message = format!(
                        "states[{index}] is of {found}, expected one of {}: all of one game",
                        self.facts.name
                    );
                    return Err(PyValueError::new_err(message));
                }
            }
        }
        Ok(games)
    }
}

/// One game in progress.
pub struct Play<G: Encode> {
    ruled: Arc<Ruled<G>>,
    now: G,
    start: Option<String>,
    actions: Vec<G::Action>,
    /// The legal actions of the present position, by policy index.
    legal: Vec<(u32, G::Action)>,
}

impl<G: Encode> Clone for Play<G> {
    fn clone(&self) -> Self {
        Self {
            ruled: Arc::clone(&self.ruled),
            now: self.now.clone(),
            start: self.start.clone(),
            actions: self.actions.clone(),
            legal: self.legal.clone(),
        }
    }
}

impl<G: Playable> Play<G> {
    fn new(ruled: Arc<Ruled<G>>, position: Option<&str>) -> Result<Self, String> {
        let now = match position {
            Some(text) => G::from_position_text(text, &ruled.rules)
                .map_err(|error| format!("`{text}` is no position of {}: {error}", ruled.facts.name))?,
            None => G::new(&ruled.rules),
        };
        let mut play = Self {
            start: position.map(|_| now.position_text()),
            ruled,
            now,
            actions: Vec::new(),
            legal: Vec::new(),
        };
        play.list();
        Ok(play)
    }

    fn list(&mut self) {
        list_legal(&self.now, &mut Vec::new(), &mut self.legal);
    }

    /// Plays a legal action.
    fn push(&mut self, action: G::Action) {
        self.now.apply(action);
        self.actions.push(action);
        self.list();
    }

    fn find(&self, index: u32) -> Result<G::Action, String> {
        match self.legal.binary_search_by_key(&index, |&(index, _)| index) {
            Ok(place) => Ok(self.legal[place].1),
            Err(_) if self.legal.is_empty() => Err(format!("action {index}: the game is over, no action is legal")),
            Err(_) => Err(format!(
                "action {index} is not legal here; expected one of the {} actions of legal_actions()",
                self.legal.len()
            )),
        }
    }

    /// The game as it was in the beginning.
    fn first(&self) -> G {
        let start = self.start.as_deref();
        let first = start.and_then(|text| G::from_position_text(text, &self.ruled.rules).ok());
        first.unwrap_or_else(|| G::new(&self.ruled.rules))
    }
}

/// Width of a picture, in pixels.
const WIDTH: u32 = 480;

impl<G: Playable> AnyPlay for Play<G> {
    fn game(&self) -> Arc<dyn AnyGame> {
        Arc::<Ruled<G>>::clone(&self.ruled)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn copy(&self) -> Box<dyn AnyPlay> {
        Box::new(self.clone())
    }

    fn to_move(&self) -> Player {
        self.now.to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.now.outcome()
    }

    fn end_reason(&self) -> Option<&'static str> {
        self.now.end_reason()
    }

    fn key(&self) -> u128 {
        self.now.key()
    }

    fn legal(&self) -> Vec<u32> {
        self.legal.iter().map(|&(index, _)| index).collect()
    }

    fn apply(&mut self, index: u32) -> Result<(), String> {
        let action = self.find(index)?;
        self.push(action);
        Ok(())
    }

    fn action_text(&self, index: u32) -> Result<String, String> {
        Ok(self.now.action_text(self.find(index)?))
    }

    fn action_index(&self, text: &str) -> Result<u32, String> {
        // What people write may be one action, too: in Chase A3D2 for A3NW.
        let of_people = || self.now.parse_people(text).ok().filter(|actions| actions.len() == 1);
        let action = match self.now.parse_action(text) {
            Ok(action) => action,
            Err(error) => of_people()
                .map(|actions| actions[0])
                .ok_or_else(|| format!("`{text}`: {error}"))?,
        };
        Ok(self.now.policy_index(action) as u32)
    }

    fn encode(&self, planes: &mut [f32]) {
        encode(&self.now, &self.ruled.encoding, planes);
    }

    fn position(&self) -> String {
        self.now.position_text()
    }

    fn start(&self) -> Option<&str> {
        self.start.as_deref()
    }

    fn history(&self) -> Vec<(Player, u32, String)> {
        let mut game = self.first();
        let mut history = Vec::with_capacity(self.actions.len());
        for &action in &self.actions {
            history.push((
                game.to_move(),
                game.policy_index(action) as u32,
                game.action_text(action),
            ));
            game.apply(action);
        }
        history
    }

    fn text(&self) -> String {
        self.now.text_picture()
    }

    fn svg(&self) -> String {
        let Some((&last, earlier)) = self.actions.split_last() else {
            return self.now.svg_picture(WIDTH, None);
        };
        let mut before = self.first();
        for &action in earlier {
            before.apply(action);
        }
        self.now.svg_picture(WIDTH, Some((&before, last)))
    }

    fn record(&self, tags: Tags) -> Result<String, String> {
        let mut record = Record::new(self.first(), self.ruled.rules.clone());
        for (name, value) in &tags {
            record.set_tag(name, value).map_err(|error| error.to_string())?;
        }
        for &action in &self.actions {
            record.push(action).map_err(|error| error.to_string())?;
        }
        Ok(record.to_string())
    }
}
