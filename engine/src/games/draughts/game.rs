//! A game of the family: a position, its history, and the conventions it is played under.

use rand::rngs::Xoshiro256PlusPlus;

use super::action::Action;
use super::perft::perft;
use super::position::Position;
use super::variant::{Base, Variant};
use crate::games::rules::{Convention, Rules};
use crate::text_error::TextError;
use crate::{ByPlayer, Game, Outcome, Player};

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// The loser has no legal action: nothing on top anywhere, or all of it blocked.
    NoAction,
    /// A convention.
    Convention(Convention),
}

impl EndReason {
    /// The reason in a word or two.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoAction => "no action",
            Self::Convention(convention) => convention.name(),
        }
    }
}

/// A game in progress, or ended.
#[derive(Debug)]
pub struct Draughts<V: Variant> {
    position: Position<V>,
    rules: Rules,
    /// Keys of the positions at the start of each turn that could still return, oldest first, this turn's included.
    /// Empty where the rules do not look at them.
    history: Vec<u128>,
    /// How often the position has stood at the start of a turn, this time included; 1 where the rules do not look at it, and
    /// within a turn of several jumps.
    occurrences: u32,
    plies: u32,
    end: Option<(Outcome, EndReason)>,
}

impl<V: Variant> Draughts<V> {
    /// A game that starts from a position.
    pub fn from_position(position: Position<V>, rules: Rules) -> Self {
        let mut game = Self {
            position,
            rules,
            history: Vec::new(),
            occurrences: 1,
            plies: 0,
            end: None,
        };
        game.look_at_turn();
        game
    }

    /// The position.
    #[inline]
    pub const fn position(&self) -> &Position<V> {
        &self.position
    }

    /// The conventions that the game is played under.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How often the position has stood at the start of a turn, this time included; 1 where the rules do not look at it, and
    /// within a turn of several jumps.
    pub const fn occurrences(&self) -> u32 {
        self.occurrences
    }

    /// The result and its reason, `None` before the end of the game.
    #[inline]
    pub const fn end(&self) -> Option<(Outcome, EndReason)> {
        self.end
    }

    /// Counts the occurrences of the position, and sees whether the game has ended.
    fn look_at_turn(&mut self) {
        self.occurrences = 1;
        if self.position.jumper().is_some() {
            return;
        }
        if self.rules.repetition.is_some() {
            // Where pieces leave the board, no position returns after a jump or a step of a man; prisoners come back.
            if V::BASE == Base::Checkers && self.position.quiet_turns() == 0 {
                self.history.clear();
            }
            let key = self.position.key();
            self.occurrences += self.history.iter().filter(|&&earlier| earlier == key).count() as u32;
            self.history.push(key);
        }
        self.end = if self.position.has_action() {
            let (quiet_turns, turns) = (self.position.quiet_turns(), self.position.turns_played());
            let convention = self.rules.convention(self.occurrences, quiet_turns, turns);
            convention.map(|convention| (convention.outcome(), EndReason::Convention(convention)))
        } else {
            Some((Outcome::Win(!self.position.to_move()), EndReason::NoAction))
        };
    }
}

impl<V: Variant> Clone for Draughts<V> {
    fn clone(&self) -> Self {
        let mut history = Vec::with_capacity(self.history.len() + 1);
        history.extend_from_slice(&self.history);
        Self { history, ..*self }
    }

    /// Reuses the memory of the history.
    fn clone_from(&mut self, source: &Self) {
        let mut history = std::mem::take(&mut self.history);
        history.clone_from(&source.history);
        *self = Self { history, ..*source };
    }
}

impl<V: Variant> Game for Draughts<V> {
    type Action = Action;
    type Rules = Rules;
    type ParseError = TextError;

    const NAME: &'static str = V::NAME;
    const RULES_VERSION: u32 = 1;
    const POLICY_SIZE: usize = V::BASE.directions().len() * super::CELLS;
    const RANDOM_START: bool = V::NUMBERS;
    const PLAYERS: ByPlayer<&'static str> = ByPlayer(["dark", "light"]);

    fn rules_text(rules: &Rules) -> String {
        rules.to_string()
    }

    fn rules_from_text(text: &str) -> Result<Rules, String> {
        text.parse::<Rules>().map_err(|error| error.to_string())
    }

    fn published_rules() -> Rules {
        Rules::PUBLISHED
    }

    fn new(rules: &Rules) -> Self {
        Self::from_position(Position::initial(), *rules)
    }

    fn start(rules: &Rules, rng: &mut Xoshiro256PlusPlus) -> Self {
        Self::from_position(Position::drawn(rng), *rules)
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.position.to_move()
    }

    #[inline]
    fn legal_actions(&self, actions: &mut Vec<Action>) {
        actions.clear();
        if self.end.is_none() {
            self.position.for_each_action(|action| actions.push(action));
        }
    }

    fn is_legal(&self, action: Action) -> bool {
        self.end.is_none() && self.position.is_legal(action)
    }

    fn apply(&mut self, action: Action) {
        self.position.play_unchecked(action);
        self.plies += 1;
        self.look_at_turn();
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.end.map(|(outcome, _)| outcome)
    }

    fn end_reason(&self) -> Option<&'static str> {
        self.end.map(|(_, reason)| reason.name())
    }

    /// By the rules alone, whatever the conventions of this game.
    fn perft(&self, depth: u32) -> u64 {
        perft(&self.position, depth)
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn key(&self) -> u128 {
        let (quiet_turns, turn) = (self.position.quiet_turns(), self.position.turn());
        self.position.key() ^ self.rules.key(self.occurrences, quiet_turns, turn)
    }

    fn policy_index(&self, action: Action) -> usize {
        action.policy_index(self.position.to_move(), V::BASE)
    }

    fn position_text(&self) -> String {
        self.position.to_string()
    }

    fn from_position_text(text: &str, rules: &Rules) -> Result<Self, TextError> {
        Ok(Self::from_position(text.parse()?, *rules))
    }

    fn action_text(&self, action: Action) -> String {
        self.position.action_text(action)
    }

    fn parse_action(&self, text: &str) -> Result<Action, TextError> {
        let action = self.position.parse_action(text)?;
        match self.end {
            Some((_, reason)) => Err(TextError::new(
                format!("illegal: the game is over: {}", reason.name()),
                text,
                0..text.len(),
            )),
            None => Ok(action),
        }
    }
}
