//! A game in progress.

use std::sync::Arc;

use chase_engine::Player;
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use serde_json::{Map, Value};

use super::super::arguments::{ActionIndex, Whole, value_error};
use super::{Game, Reduced};
use crate::erased::{AnyGame, AnyPlay};

/// `current_player` of a game that is over, as in OpenSpiel.
const TERMINAL: i32 = -4;

/// A game in progress, with its history.
#[pyclass(module = "chase_rl")]
pub struct State(pub Box<dyn AnyPlay>);

impl State {
    /// Reward of each player: 1, 0 or -1; 0 before the end of the game, and if it was truncated.
    fn values(&self) -> [f32; 2] {
        Player::BOTH.map(|player| {
            let value = self.0.outcome().and_then(|outcome| outcome.value_for(player));
            value.map_or(0.0, |value| value.0)
        })
    }
}

/// White or Black, from what Python calls them.
type PlayerIndex = Whole<0, 1>;

#[pymethods]
impl State {
    fn get_game(&self) -> Game {
        Game(self.0.game())
    }

    fn current_player(&self) -> i32 {
        match self.0.outcome() {
            Some(_) => TERMINAL,
            None => self.0.to_move() as i32,
        }
    }

    fn is_terminal(&self) -> bool {
        self.0.outcome().is_some()
    }

    fn is_truncated(&self) -> bool {
        self.outcome() == Some("truncated")
    }

    fn is_chance_node(&self) -> bool {
        false
    }

    fn is_simultaneous_node(&self) -> bool {
        false
    }

    fn num_players(&self) -> usize {
        2
    }

    fn num_distinct_actions(&self) -> usize {
        self.0.game().facts().policy_size
    }

    /// `white`, `black`, `draw`, `truncated`, or `None`.
    fn outcome(&self) -> Option<&'static str> {
        self.0.outcome().map(|outcome| outcome.name())
    }

    fn end_reason(&self) -> Option<&'static str> {
        self.0.end_reason()
    }

    fn returns(&self) -> Vec<f32> {
        self.values().into()
    }

    fn rewards(&self) -> Vec<f32> {
        self.returns()
    }

    fn player_return(&self, player: PlayerIndex) -> f32 {
        self.values()[player.0 as usize]
    }

    fn player_reward(&self, player: PlayerIndex) -> f32 {
        self.player_return(player)
    }

    #[pyo3(signature = (player=None))]
    fn legal_actions(&self, player: Option<PlayerIndex>) -> Vec<u32> {
        match player {
            Some(player) if player.0 != self.0.to_move() as u64 => Vec::new(),
            _ => self.0.legal(),
        }
    }

    #[pyo3(signature = (player=None))]
    fn legal_actions_mask<'py>(&self, py: Python<'py>, player: Option<PlayerIndex>) -> Bound<'py, PyArray1<i8>> {
        let mut mask = vec![0; self.num_distinct_actions()];
        for index in self.legal_actions(player) {
            mask[index as usize] = 1;
        }
        PyArray1::from_vec(py, mask)
    }

    fn apply_action(&mut self, action: ActionIndex) -> PyResult<()> {
        self.0.apply(action.0 as u32).map_err(value_error)
    }

    /// The state after an action; this one stays as it is.
    fn child(&self, action: ActionIndex) -> PyResult<Self> {
        let mut child = self.clone();
        child.apply_action(action)?;
        Ok(child)
    }

    /// `action_to_string(action)`, or with the player before it, as in OpenSpiel.
    #[pyo3(signature = (*arguments))]
    fn action_to_string(&self, arguments: &Bound<'_, PyTuple>) -> PyResult<String> {
        let action: ActionIndex = match arguments.len() {
            1 => arguments.get_item(0)?.extract()?,
            2 => {
                let player: PlayerIndex = arguments.get_item(0)?.extract()?;
                if player.0 != self.0.to_move() as u64 {
                    return Err(value_error(format!("player {} is not to move here", player.0)));
                }
                arguments.get_item(1)?.extract()?
            }
            count => {
                return Err(PyTypeError::new_err(format!(
                    "action_to_string takes an action, or a player and an action; found {count} arguments"
                )));
            }
        };
        self.0.action_text(action.0 as u32).map_err(value_error)
    }

    /// The legal action that a text names.
    fn string_to_action(&self, text: &str) -> PyResult<u32> {
        self.0.action_index(text).map_err(value_error)
    }

    /// Planes from the view of the player to move, `[C, H, W]`; not for the other player, who has no view.
    #[pyo3(signature = (player=None))]
    fn observation_tensor<'py>(
        &self,
        py: Python<'py>,
        player: Option<PlayerIndex>,
    ) -> PyResult<Bound<'py, PyArray3<f32>>> {
        if player.is_some_and(|player| player.0 != self.0.to_move() as u64) {
            return Err(value_error(
                "the planes are from the view of the player to move, the other player has none; leave `player` out",
            ));
        }
        let shape = self.0.game().facts().shape;
        let mut planes = vec![0.0; shape.input_size()];
        self.0.encode(&mut planes);
        PyArray1::from_vec(py, planes).reshape(shape.input())
    }

    /// The position as one line of text, without its history.
    fn position(&self) -> String {
        self.0.position()
    }

    fn observation_string(&self) -> String {
        self.0.position()
    }

    /// A number of 128 bits that identifies the position and every counter that the rules look at.
    fn key(&self) -> u128 {
        self.0.key()
    }

    fn history(&self) -> Vec<u32> {
        self.0.history().into_iter().map(|(_, index, _)| index).collect()
    }

    /// The player and the action, as text, of each ply.
    fn full_history(&self) -> Vec<(u8, String)> {
        self.0
            .history()
            .into_iter()
            .map(|(player, _, text)| (player as u8, text))
            .collect()
    }

    fn history_str(&self) -> String {
        let texts: Vec<String> = self.0.history().into_iter().map(|(_, _, text)| text).collect();
        texts.join(" ")
    }

    fn move_number(&self) -> usize {
        self.0.history().len()
    }

    fn clone(&self) -> Self {
        Self(self.0.copy())
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    /// The game, its conventions, where it began and all actions, as a text of JSON.
    fn serialize(&self) -> String {
        let game = self.0.game();
        let mut fields = Map::new();
        fields.insert("game".to_owned(), game.facts().name.into());
        fields.insert("rules".to_owned(), game.facts().rules.as_str().into());
        if let Some(start) = self.0.start() {
            fields.insert("position".to_owned(), start.into());
        }
        let texts: Vec<Value> = self.0.history().into_iter().map(|(_, _, text)| text.into()).collect();
        fields.insert("actions".to_owned(), texts.into());
        Value::Object(fields).to_string()
    }

    /// The game as a record, in the game's own form.
    #[pyo3(signature = (**tags))]
    fn to_record(&self, tags: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        let mut pairs = Vec::new();
        for (name, value) in tags.into_iter().flatten() {
            let value: String = value
                .extract()
                .map_err(|_| PyTypeError::new_err(format!("the tag {name} is no str")))?;
            pairs.push((name.extract()?, value));
        }
        self.0.record(pairs).map_err(value_error)
    }

    /// The board as text.
    fn to_text(&self) -> String {
        self.0.text()
    }

    /// The board as a picture, with the last action.
    fn to_svg(&self) -> String {
        self.0.svg()
    }

    fn _repr_svg_(&self) -> String {
        self.0.svg()
    }

    fn __str__(&self) -> String {
        self.0.text()
    }

    fn __repr__(&self) -> String {
        self.0.text()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Self>() else { return false };
        let Ok(other) = other.try_borrow() else { return false };
        self.serialize() == other.serialize()
    }

    fn __hash__(&self) -> u64 {
        let key = self.0.key();
        (key >> 64) as u64 ^ key as u64
    }

    /// For pickle: encodings are kept too.
    fn __reduce__<'py>(slf: Bound<'py, Self>) -> PyResult<Reduced<'py, (Bound<'py, PyAny>, String)>> {
        let py = slf.py();
        let state = slf.try_borrow()?;
        let load = py.import("chase_rl")?.getattr("_deserialize")?;
        Ok((load, (state.get_game().into_bound_py_any(py)?, state.serialize())))
    }
}

/// Reads what [`State::serialize`] wrote; `load` finds a game by name and rules.
pub fn parse_serialized(text: &str, load: impl Fn(&str, &str) -> Result<Arc<dyn AnyGame>, String>) -> PyResult<State> {
    let fail = |reason: String| value_error(format!("no serialized state: {reason}"));
    let value: Value = serde_json::from_str(text).map_err(|error| fail(error.to_string()))?;
    let field = |name: &str| value.get(name).and_then(Value::as_str);
    let (Some(name), Some(rules)) = (field("game"), field("rules")) else {
        return Err(fail(
            "expected an object of JSON with the texts `game` and `rules`".to_owned(),
        ));
    };
    let position = match value.get("position") {
        None => None,
        Some(Value::String(position)) => Some(position.as_str()),
        Some(_) => return Err(fail("`position` is no text".to_owned())),
    };
    let Some(actions) = value.get("actions").and_then(Value::as_array) else {
        return Err(fail("expected `actions`, a list of texts".to_owned()));
    };
    let mut play = load(name, rules)
        .and_then(|game| game.begin(position, None))
        .map_err(fail)?;
    for (ply, action) in actions.iter().enumerate() {
        let text = action
            .as_str()
            .ok_or_else(|| fail(format!("actions[{ply}] is no text")))?;
        let index = play
            .action_index(text)
            .map_err(|error| fail(format!("actions[{ply}]: {error}")))?;
        play.apply(index)
            .map_err(|error| fail(format!("actions[{ply}]: {error}")))?;
    }
    Ok(State(play))
}
