//! A game of the family: a position, its history, and the conventions it is played under.

use rand::rngs::Xoshiro256PlusPlus;

use super::action::Action;
use super::any_position::AnyPosition;
use super::cell::{CELLS, Cell, SIDE};
use super::direction::Direction;
use super::piece::Rank;
use super::rules::Rules;
use super::symmetry::Symmetry;
use super::variant::{Base, Variation};
use crate::games::conventions::Conventions;
use crate::games::history::{History, clone_with_history};
use crate::text_error::TextError;
use crate::{ByPlayer, Game, Outcome, Player, Property};

/// The gain of a captured piece.
const MAN: i32 = 100;
/// The gain of a crown.
const CROWN: i32 = 60;

/// The loser has no legal action: nothing on top anywhere, or all of it blocked.
const NO_ACTION: &str = "no action";

/// A game in progress, or ended.
#[derive(Debug)]
pub struct Draughts {
    position: AnyPosition,
    rules: Rules,
    /// Keys of the positions at the start of each turn that could still return, oldest first, this turn's included.
    /// Empty where the rules do not look at them.
    history: History,
    /// Number of times that the position has stood at the start of a turn, this one included; 1 where the rules do not
    /// look at it, and within a turn of several jumps.
    occurrences: u32,
    plies: u32,
    end: Option<(Outcome, &'static str)>,
}

impl Draughts {
    /// A game that starts from a position, under the conventions of `rules`.
    pub fn from_position(position: impl Into<AnyPosition>, rules: Rules) -> Self {
        let position = position.into();
        let mut game = Self {
            position,
            rules: Rules {
                variation: position.variation(),
                ..rules
            },
            history: History::new(),
            occurrences: 1,
            plies: 0,
            end: None,
        };
        game.look_at_turn();
        game
    }

    /// The position.
    #[inline]
    pub const fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// The game of the family.
    pub const fn variation(&self) -> Variation {
        self.rules.variation
    }

    /// The game of the family, and the conventions that it is played under.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Number of times that the position has stood at the start of a turn, this one included; 1 where the rules do not
    /// look at it, and within a turn of several jumps.
    pub const fn occurrences(&self) -> u32 {
        self.occurrences
    }

    /// Counts the occurrences of the position, and sees whether the game has ended.
    fn look_at_turn(&mut self) {
        self.occurrences = 1;
        if self.position.jumper().is_some() {
            return;
        }
        if self.rules.conventions.repetition.is_some() {
            // Where pieces leave the board, no position returns after a jump or a step of a man; prisoners come back.
            if self.variation().base() == Base::Checkers && self.position.quiet_turns() == 0 {
                self.history.clear();
            }
            let key = self.position.key();
            self.occurrences = self.history.occurrences(key);
            self.history.push(key);
        }
        self.end = if self.position.has_action() {
            let (quiet_turns, turns) = (self.position.quiet_turns(), self.position.turns_played());
            let convention = self.rules.conventions.convention(self.occurrences, quiet_turns, turns);
            convention.map(|convention| (convention.outcome(), convention.name()))
        } else {
            Some((Outcome::Win(!self.position.to_move()), NO_ACTION))
        };
    }
}

clone_with_history!(Draughts);

impl Game for Draughts {
    type Action = Action;
    type Rules = Rules;

    const NAME: &'static str = "draughts";
    const RULES_VERSION: u32 = 1;
    const POLICY_SIZE: usize = Direction::ALL.len() * CELLS;
    const PLAYERS: ByPlayer<&'static str> = ByPlayer(["dark", "light"]);
    const FIRST_IS_DARK: bool = true;
    const END_REASONS: &'static [&'static str] = &[NO_ACTION];

    fn name(rules: &Rules) -> &'static str {
        rules.variation.name()
    }

    fn standard_rules(name: &str) -> Option<Rules> {
        Variation::named(name).map(Rules::standard)
    }

    fn properties(rules: &Rules) -> Vec<Property> {
        let variation = rules.variation;
        let property = |name, levels, level| Property { name, levels, level };
        vec![
            property(
                "capture rule",
                &["Checkers", "Stax", "Queens"],
                variation.base() as usize,
            ),
            property(
                Property::TOPOLOGY,
                &["square", "cylinder", "universal"],
                variation.board() as usize,
            ),
            property("numbers", &["unnumbered", "numbered"], usize::from(variation.numbers())),
        ]
    }

    fn begins_at_random(rules: &Rules) -> bool {
        rules.variation.numbers()
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
        Self::from_position(AnyPosition::initial(rules.variation), *rules)
    }

    fn start(rules: &Rules, rng: &mut Xoshiro256PlusPlus) -> Self {
        Self::from_position(AnyPosition::drawn(rules.variation, rng), *rules)
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.position.to_move()
    }

    #[inline]
    fn legal_actions(&self, actions: &mut Vec<Action>) {
        match self.end {
            None => self.position.legal_actions(actions),
            Some(_) => actions.clear(),
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
    fn end(&self) -> Option<(Outcome, &'static str)> {
        self.end
    }

    /// By the rules alone, whatever the conventions of this game.
    fn perft(&self, depth: u32) -> u64 {
        self.position.perft(depth)
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn turn_number(&self) -> u32 {
        self.position.turn()
    }

    fn key(&self) -> u128 {
        let (quiet_turns, turn) = (self.position.quiet_turns(), self.position.turn());
        self.position.key() ^ self.rules.conventions.key(self.occurrences, quiet_turns, turn)
    }

    fn position_key(&self) -> u128 {
        self.position.key()
    }

    fn swapped(&self) -> Option<Self> {
        // The symmetry that only changes to the view of the other side: it maps b1 as that view does, without shifting
        // files.
        let game = self.variation();
        let [from, beside] = [Cell::new(1, 0), Cell::new(0, 0)];
        let exchanges = |symmetry: &Symmetry| {
            [from, beside].map(|cell| symmetry.cell(game, cell))
                == [from, beside].map(|cell| cell.seen_by(Player::Black, game.base()))
        };
        let symmetry = Symmetry::all(game).into_iter().find(exchanges)?;
        Some(Self::from_position(self.position.under(symmetry), self.rules))
    }

    /// The piece that is jumped, in hundredths of a man, and a crown: what was a man is a king from then on.
    fn gain(&self, action: Action) -> i32 {
        let (position, base) = (&self.position, self.variation().base());
        let mover = position.to_move();
        let (_, step) = action.direction.seen_by(mover, base).step();
        let length = if action.jump { 2 } else { 1 };
        let rank = action.from.seen_by(mover, base).rank() as i32 + length * step;
        let crowned =
            rank == SIDE as i32 - 1 && position.top(action.from).is_some_and(|piece| piece.rank != Rank::King);
        i32::from(action.jump) * MAN + i32::from(crowned) * CROWN
    }

    /// Jumps are compulsory, so no position with a jump in it is at rest.
    fn is_unsettled(&self) -> bool {
        self.position.must_jump()
    }

    fn policy_index(&self, action: Action) -> usize {
        action.policy_index(self.position.to_move(), self.variation().base())
    }

    fn position_text(&self) -> String {
        self.position.to_string()
    }

    fn from_position_text(text: &str, rules: &Rules) -> Result<Self, TextError> {
        Ok(Self::from_position(AnyPosition::parse(rules.variation, text)?, *rules))
    }

    fn action_text(&self, action: Action) -> String {
        self.position.action_text(action)
    }

    fn parse_action(&self, text: &str) -> Result<Action, TextError> {
        let action = self.position.parse_action(text)?;
        match self.end {
            Some((_, reason)) => Err(TextError::game_over(reason, text)),
            None => Ok(action),
        }
    }
}
