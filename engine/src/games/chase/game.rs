//! A game of Chase: a position, its history, and the conventions it is played under.

use super::rules::{FEW_DICE, NO_ACTION};
use super::{Action, Cell, LOST, Position, Rules, perft};
use crate::games::history::{History, clone_with_history};
use crate::{Game, Outcome, Player, TextError};

/// A game of Chase in progress, or ended.
#[derive(Debug)]
pub struct Chase {
    position: Position,
    rules: Rules,
    /// Keys of all positions before this one, oldest first. All of them: dice lost can come back through the Chamber,
    /// so that a capture does not rule out that an earlier position returns.
    history: History,
    /// Number of times that this position has occurred, this one included; 1 where the rules do not look at it, since a
    /// search plays many plies and the history is long.
    occurrences: u32,
    end: Option<(Outcome, &'static str)>,
}

impl Chase {
    /// A game that starts from a position.
    pub fn from_position(position: Position, rules: Rules) -> Self {
        Self {
            position,
            rules,
            history: History::new(),
            occurrences: 1,
            end: position.end(&rules, 1),
        }
    }

    /// The position.
    #[inline]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The conventions that the game is played under.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Number of times that the position has occurred in this game, this one included.
    #[inline]
    pub fn occurrences(&self) -> u32 {
        match self.rules.repetition {
            Some(_) => self.occurrences,
            None => self.history.occurrences(self.position.key()),
        }
    }

    /// Number of times that a position has occurred if it occurs once more now; 1 where the rules do not look at it.
    #[inline]
    fn occurrences_of(&self, position: &Position) -> u32 {
        match self.rules.repetition {
            Some(_) => self.history.occurrences(position.key()),
            None => 1,
        }
    }

    /// Plays an action of the position, whose key is the last one in the history.
    fn play(&mut self, action: Action) {
        self.position.play_unchecked(action);
        self.occurrences = self.occurrences_of(&self.position);
        self.end = self.position.end(&self.rules, self.occurrences);
    }

    /// The convention that ends the game between the actions of a turn, which are legal on the board.
    fn end_before_last(&self, actions: &[Action]) -> Option<&'static str> {
        let (_, earlier) = actions.split_last()?;
        let mut position = self.position;
        earlier.iter().find_map(|&action| {
            position.play_unchecked(action);
            let end = position.end(&self.rules, self.occurrences_of(&position));
            end.map(|(_, reason)| reason)
        })
    }
}

clone_with_history!(Chase);

impl Game for Chase {
    type Action = Action;
    type Rules = Rules;

    const NAME: &'static str = "chase";
    const RULES_VERSION: u32 = 1;
    const POLICY_SIZE: usize = Action::POLICY_SIZE;
    const NAMED_IN_RECORDS: bool = false;
    const END_REASONS: &'static [&'static str] = &[FEW_DICE, NO_ACTION];

    fn standard_rules(name: &str) -> Option<Rules> {
        (name == Self::NAME).then(Rules::default)
    }

    fn with_conventions(conventions: &Rules, _: &Rules) -> Rules {
        *conventions
    }

    fn conventions(&self) -> Option<Rules> {
        Some(self.rules)
    }

    fn new(rules: &Rules) -> Self {
        Self::from_position(Position::initial(), *rules)
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
        self.history.push(self.position.key());
        self.play(action);
    }

    /// Copies no history, which is long.
    fn replace(&mut self, before: &Self, action: Action) {
        debug_assert_eq!(
            self.history.keys().split_last(),
            Some((&before.position.key(), before.history.keys()))
        );
        self.position = before.position;
        self.play(action);
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
        self.history.keys().len() as u32
    }

    fn turn_number(&self) -> u32 {
        self.position.turn()
    }

    fn key(&self) -> u128 {
        let (quiet_turns, turn) = (self.position.quiet_turns(), self.position.turn());
        self.position.key() ^ self.rules.key(self.occurrences, quiet_turns, turn)
    }

    fn near_key(&self) -> u128 {
        let (quiet_turns, turns) = (self.position.quiet_turns(), self.position.turns_played());
        self.position.key() ^ self.rules.near_key(self.occurrences, quiet_turns, turns)
    }

    fn position_key(&self) -> u128 {
        self.position.key()
    }

    fn swapped(&self) -> Option<Self> {
        Some(Self::from_position(self.position.rotated(), self.rules))
    }

    /// `None` while the player to move has points to absorb.
    fn passed(&self) -> Option<Self> {
        Some(Self::from_position(self.position.passed()?, self.rules))
    }

    /// Dice won, as [`Position::gain`] counts them.
    fn gain(&self, action: Action) -> i32 {
        self.position.gain(action)
    }

    fn for_each_gain(&self, visit: impl FnMut(Action, i32)) {
        if self.end.is_none() {
            self.position.for_each_gain(visit);
        }
    }

    /// True if there is something to absorb.
    fn is_unsettled(&self) -> bool {
        self.position.missing() > 0
    }

    /// An exchange is a quiet move that can nearly always be made, so having to move hardly ever hurts: only with five dice
    /// or fewer. Conventions do not end the game after a pass.
    fn null_move(&self) -> Option<Self> {
        let position = &self.position;
        let few = position.dice(position.to_move()).count() <= LOST + 1;
        if few || self.history.keys().last() == Some(&!position.key()) {
            return None;
        }
        let position = position.passed()?;
        let mut history = self.history.clone();
        // The complement of its key marks that the next ply may not pass. It is the key of no position, so nothing repeats it.
        history.push(!position.key());
        Some(Self {
            position,
            rules: self.rules,
            history,
            occurrences: 1,
            end: position
                .decision()
                .map(|(winner, reason)| (Outcome::Win(winner), reason)),
        })
    }

    fn policy_index(&self, action: Action) -> usize {
        match self.position.to_move() {
            Player::White => action.policy_index(),
            Player::Black => action.rotated().policy_index(),
        }
    }

    fn position_text(&self) -> String {
        self.position.to_string()
    }

    fn from_position_text(text: &str, rules: &Rules) -> Result<Self, TextError> {
        Ok(Self::from_position(text.parse()?, *rules))
    }

    /// The exact form.
    fn action_text(&self, action: Action) -> String {
        action.to_string()
    }

    /// Reads the exact form.
    fn parse_action(&self, text: &str) -> Result<Action, TextError> {
        let action = text.parse()?;
        // The position does not know of draws and limits.
        if let Some((_, reason)) = self.end {
            return Err(TextError::game_over(reason, text));
        }
        match self.position.why_illegal(action) {
            Some(reason) => Err(TextError::illegal(reason, text, 0..text.len())),
            None => Ok(action),
        }
    }

    /// In the article's notation.
    fn people_text(&self, action: Action) -> String {
        self.position.article_text(action)
    }

    /// A capture with the choices after it, in a bracket.
    fn people_turn(&self, actions: &[Action]) -> (String, usize) {
        let (&action, later) = actions.split_first().expect("a turn begins with an action");
        let choice = |action: &Action| match action {
            Action::Absorb { cell } => Some(*cell),
            Action::Move { .. } | Action::Exchange { .. } => None,
        };
        let choices: Vec<Cell> = match choice(&action) {
            Some(_) => Vec::new(),
            None => later.iter().map_while(choice).collect(),
        };
        let text = self.position.turn_text(action, &choices).expect("legal actions");
        (text, 1 + choices.len())
    }

    /// A turn in exact form or the article's. Neither has lower-case letters, so they may be typed.
    fn parse_people(&self, text: &str) -> Result<Vec<Action>, TextError> {
        let text = text.to_ascii_uppercase();
        let actions = self.position.parse_article(&text)?;
        match self.end_before_last(&actions) {
            None => Ok(actions),
            Some(reason) => {
                let what = format!("no absorption: the game has ended already: {reason}");
                Err(TextError::expected(what, &text, 0..text.len()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occurrences_are_counted_only_where_the_rules_ask_for_them() {
        let mut game = Chase::new(&Rules::PUBLISHED);
        for text in ["1A2A1", "1I2I1", "1A1A2", "1I1I2"] {
            game.apply(game.parse_action(text).expect("a legal action"));
        }
        assert_eq!(game.occurrences, 1, "nobody looked through the history");
        assert_eq!(game.occurrences(), 2, "but who asks is told");
        assert_eq!(game.clone().occurrences(), 2);
    }
}
