//! A game of the family: a position, its history, and the conventions it is played under.

use super::perft::perft;
use super::position::{Position, Return};
use super::rules::Rules;
use crate::games::conventions::Conventions;
use crate::games::history::{History, clone_with_history};
use crate::text_error::TextError;
use crate::{ByPlayer, Game, Heuristic, Outcome, Player};

/// A game in progress, or ended.
#[derive(Debug)]
pub struct Placement<P: Position> {
    position: P,
    rules: Rules,
    /// Keys of the positions at the start of each turn that could still return, oldest first, this turn's included.
    /// Empty where the rules do not look at them.
    history: History,
    /// Number of times that the position has stood at the start of a turn, this one included; 1 where the rules do not
    /// look at it, and within a turn.
    occurrences: u32,
    /// Stones on the board when the last turn began.
    stones: u32,
    /// Turns finished since the game began or was set up.
    turns: u32,
    plies: u32,
    end: Option<(Outcome, &'static str)>,
}

impl<P: Position> Placement<P> {
    /// A game that starts from a position.
    pub fn from_position(position: P, rules: Rules) -> Self {
        let mut game = Self {
            position,
            rules,
            history: History::new(),
            occurrences: 1,
            stones: 0,
            turns: 0,
            plies: 0,
            end: None,
        };
        game.look(position.is_start_of_turn());
        game
    }

    /// The position.
    #[inline]
    pub const fn position(&self) -> &P {
        &self.position
    }

    /// The conventions that the game is played under.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Number of times that the position has stood at the start of a turn, this one included; 1 where the rules do not
    /// look at it, and within a turn.
    pub const fn occurrences(&self) -> u32 {
        self.occurrences
    }

    /// Turns, of either player, finished since the game began or was set up.
    pub const fn turns_played(&self) -> u32 {
        self.turns
    }

    /// Sees whether the game has ended; at the start of a turn, counts the occurrences of the position.
    #[inline]
    fn look(&mut self, is_start_of_turn: bool) {
        self.occurrences = 1;
        if is_start_of_turn && P::RETURN != Return::Never && self.rules.repetition.is_some() {
            self.count_occurrences();
        }
        self.end = self.position.end();
        if is_start_of_turn && self.end.is_none() {
            let convention = Conventions::from(self.rules).convention(self.occurrences, 0, self.turns);
            self.end = convention.map(|convention| (convention.outcome(), convention.name()));
        }
    }

    fn count_occurrences(&mut self) {
        let stones = Player::BOTH.map(|player| self.position.stones().count(player));
        let stones = stones.iter().sum();
        if P::RETURN == Return::UntilAStone && stones != self.stones {
            self.history.clear();
        }
        self.stones = stones;
        let key = self.position.key();
        self.occurrences = self.history.occurrences(key);
        self.history.push(key);
    }
}

clone_with_history!(Placement<P: Position>);

impl<P: Position> Game for Placement<P> {
    type Action = P::Action;
    type Rules = Rules;

    const NAME: &'static str = P::NAME;
    const RULES_VERSION: u32 = 1;
    const POLICY_SIZE: usize = P::POLICY_SIZE;
    const PLAYERS: ByPlayer<&'static str> = ByPlayer(["first", "second"]);
    const FIRST_IS_DARK: bool = true;
    const END_REASONS: &'static [&'static str] = P::END_REASONS;

    fn rules_text(rules: &Rules) -> String {
        rules.to_string()
    }

    fn standard_rules(name: &str) -> Option<Rules> {
        (name == Self::NAME).then(Rules::default)
    }

    fn rules_from_text(text: &str, _: &Rules) -> Result<Rules, TextError> {
        Rules::from_text(text)
    }

    /// These games have no limit of quiet turns.
    fn with_conventions(conventions: &Conventions, _: &Rules) -> Rules {
        Rules {
            repetition: conventions.repetition,
            max_turns: conventions.max_turns,
        }
    }

    fn conventions(&self) -> Option<Conventions> {
        Some(self.rules.into())
    }

    fn new(rules: &Rules) -> Self {
        Self::from_position(P::initial(), *rules)
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.position.to_move()
    }

    #[inline]
    fn legal_actions(&self, actions: &mut Vec<P::Action>) {
        actions.clear();
        if self.end.is_none() {
            self.position.for_each_action(|action| actions.push(action));
        }
    }

    fn is_legal(&self, action: P::Action) -> bool {
        self.end.is_none() && self.position.is_legal(action)
    }

    fn apply(&mut self, action: P::Action) {
        let is_turn_over = self.position.play_unchecked(action);
        self.plies += 1;
        self.turns += u32::from(is_turn_over);
        self.look(is_turn_over);
    }

    #[inline]
    fn end(&self) -> Option<(Outcome, &'static str)> {
        self.end
    }

    /// By the rules alone, whatever the conventions of this game.
    fn perft(&self, depth: u32) -> u64 {
        perft(&self.position, depth)
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn key(&self) -> u128 {
        let rules = Conventions::from(self.rules);
        self.position.key() ^ rules.key(self.occurrences, 0, self.turns)
    }

    fn position_key(&self) -> u128 {
        self.position.key()
    }

    fn swapped(&self) -> Option<Self> {
        let symmetry = P::symmetries()
            .into_iter()
            .find(|symmetry| symmetry.exchanges_players())?;
        Some(Self::from_position(self.position.under(symmetry), self.rules))
    }

    fn policy_index(&self, action: P::Action) -> usize {
        self.position.policy_index(action)
    }

    fn position_text(&self) -> String {
        self.position.to_string()
    }

    fn from_position_text(text: &str, rules: &Rules) -> Result<Self, TextError> {
        Ok(Self::from_position(text.parse()?, *rules))
    }

    fn action_text(&self, action: P::Action) -> String {
        self.position.action_text(action)
    }

    fn parse_action(&self, text: &str) -> Result<P::Action, TextError> {
        if let Some((_, reason)) = self.end {
            return Err(TextError::game_over(reason, text));
        }
        self.position.parse_action(text)
    }
}

/// There is no heuristic.
impl<P: Position> Heuristic for Placement<P> {}
