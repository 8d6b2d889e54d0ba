//! A game of chess: a position, its history, and the conventions it is played under.

use super::action::{Action, POLICY_PLANES};
use super::cell::CELLS;
use super::piece::Kind;
use super::position::Position;
use super::rules::Rules;
use super::variant::Variant;
use crate::games::conventions::Conventions;
use crate::games::history::{History, clone_with_history};
use crate::text_error::TextError;
use crate::{Game, Outcome, Player, Property};

/// The loser's king is attacked, and no action ends that.
const CHECKMATE: &str = "checkmate";
/// The player to move has no legal action, though the king is not attacked.
const STALEMATE: &str = "stalemate";
/// No mate is possible any more: [`Position::is_dead`].
const DEAD_POSITION: &str = "dead position";

/// A game in progress, or ended.
#[derive(Debug)]
pub struct Chess {
    position: Position,
    /// Of the position.
    key: u128,
    rules: Rules,
    /// Keys of all positions before this one, oldest first.
    history: History,
    /// Number of times that this position has occurred, this one included; 1 where the rules do not look at it.
    occurrences: u32,
    end: Option<(Outcome, &'static str)>,
}

impl Chess {
    /// A game that starts from a position, under the conventions of `rules`.
    pub fn from_position(position: Position, rules: Rules) -> Self {
        let mut game = Self {
            position,
            key: position.key(),
            rules: Rules {
                variant: position.variant(),
                ..rules
            },
            history: History::new(),
            occurrences: 1,
            end: None,
        };
        game.end = game.end_under(&rules.conventions);
        game
    }

    /// The position.
    #[inline]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The board, and the conventions that the game is played under.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Number of times that the position has occurred, this one included; 1 where the rules do not look at it.
    pub const fn occurrences(&self) -> u32 {
        self.occurrences
    }

    /// Plays an action of the position, whose key is the last one in the history.
    fn play(&mut self, action: Action) {
        self.position.play_unchecked(action);
        self.key = self.position.key();
        self.occurrences = match self.rules.conventions.repetition {
            // No position from before a capture or a move of a pawn returns, and none with the other player to move.
            Some(_) => {
                let quiet = self.position.quiet_turns() as usize;
                self.history.recent_occurrences(self.key, quiet)
            }
            None => 1,
        };
        self.end = self.end_under(&self.rules.conventions);
    }

    /// The result by the rules and these conventions, and its reason; `None` while the game continues.
    fn end_under(&self, conventions: &Conventions) -> Option<(Outcome, &'static str)> {
        let position = &self.position;
        if position.is_dead() {
            Some((Outcome::Draw, DEAD_POSITION))
        } else if position.count_actions() > 0 {
            let (quiet_turns, turns) = (position.quiet_turns(), position.turns_played());
            let convention = conventions.convention(self.occurrences, quiet_turns, turns);
            convention.map(|convention| (convention.outcome(), convention.name()))
        } else if position.is_check() {
            Some((Outcome::Win(!position.to_move()), CHECKMATE))
        } else {
            Some((Outcome::Draw, STALEMATE))
        }
    }
}

clone_with_history!(Chess);

impl Game for Chess {
    type Action = Action;
    type Rules = Rules;

    const NAME: &'static str = "chess";
    const RULES_VERSION: u32 = 1;
    const POLICY_SIZE: usize = POLICY_PLANES * CELLS;
    const END_REASONS: &'static [&'static str] = &[CHECKMATE, STALEMATE, DEAD_POSITION];

    fn name(rules: &Rules) -> &'static str {
        rules.variant.name()
    }

    fn standard_rules(name: &str) -> Option<Rules> {
        Variant::named(name).map(Rules::standard)
    }

    fn properties(rules: &Rules) -> Vec<Property> {
        vec![Property {
            name: Property::TOPOLOGY,
            levels: &["square", "cylinder"],
            level: usize::from(rules.variant.joins_files()),
        }]
    }

    fn with_conventions(conventions: &Conventions, standard: &Rules) -> Rules {
        Rules {
            conventions: *conventions,
            ..*standard
        }
    }

    fn conventions(&self) -> Option<Conventions> {
        Some(self.rules.conventions)
    }

    fn new(rules: &Rules) -> Self {
        Self::from_position(Position::initial(rules.variant), *rules)
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
        self.history.push(self.key);
        self.play(action);
    }

    /// Copies no history, which is long.
    fn replace(&mut self, before: &Self, action: Action) {
        debug_assert_eq!(
            self.history.keys().split_last(),
            Some((&before.key, before.history.keys()))
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
        super::perft(&self.position, depth)
    }

    fn plies(&self) -> u32 {
        self.history.keys().len() as u32
    }

    fn turn_number(&self) -> u32 {
        self.position.turn()
    }

    fn key(&self) -> u128 {
        let (quiet_turns, turn) = (self.position.quiet_turns(), self.position.turn());
        self.key ^ self.rules.conventions.key(self.occurrences, quiet_turns, turn)
    }

    fn near_key(&self) -> u128 {
        let (quiet_turns, turns) = (self.position.quiet_turns(), self.position.turns_played());
        self.key ^ self.rules.conventions.near_key(self.occurrences, quiet_turns, turns)
    }

    fn position_key(&self) -> u128 {
        self.key
    }

    /// With mirrored ranks.
    fn swapped(&self) -> Option<Self> {
        Some(Self::from_position(self.position.mirrored(), self.rules))
    }

    /// `None` in check, where the enemy could then take the king.
    fn passed(&self) -> Option<Self> {
        (!self.position.is_check()).then(|| Self::from_position(self.position.passed(), self.rules))
    }

    /// Captures and promotions, as [`Position::gain`] counts them.
    fn gain(&self, action: Action) -> i32 {
        self.position.gain(action)
    }

    fn for_each_gain(&self, visit: impl FnMut(Action, i32)) {
        if self.end.is_none() {
            self.position.for_each_gain(visit);
        }
    }

    /// True in check: most answers to it gain nothing.
    fn is_unsettled(&self) -> bool {
        self.position.is_check()
    }

    /// Having to move hurts where only pawns are left, and a king in check must answer. Conventions do not end the game after
    /// a pass.
    fn null_move(&self) -> Option<Self> {
        let position = &self.position;
        let pieces = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];
        let has_piece = pieces.iter().any(|&kind| position.own(position.to_move(), kind) != 0);
        // A position whose own key stands before it is one after a pass.
        if !has_piece || self.history.keys().last() == Some(&self.key) || position.is_check() {
            return None;
        }
        let position = position.passed();
        let key = position.key();
        let mut history = self.history.clone();
        // The position after a pass is no position of the game. Its own key before it marks that the next ply may not
        // pass.
        history.push(key);
        let mut passed = Self {
            position,
            key,
            rules: self.rules,
            history,
            occurrences: 1,
            end: None,
        };
        passed.end = passed.end_under(&Conventions::PUBLISHED);
        Some(passed)
    }

    fn policy_index(&self, action: Action) -> usize {
        action.policy_index(self.position.to_move(), self.rules.variant)
    }

    fn position_text(&self) -> String {
        self.position.to_string()
    }

    fn from_position_text(text: &str, rules: &Rules) -> Result<Self, TextError> {
        Ok(Self::from_position(Position::parse(rules.variant, text)?, *rules))
    }

    fn action_text(&self, action: Action) -> String {
        action.to_string()
    }

    fn parse_action(&self, text: &str) -> Result<Action, TextError> {
        match self.end {
            Some((_, reason)) => Err(TextError::game_over(reason, text)),
            None => self.position.parse_action(text),
        }
    }
}
