//! The contract between a game and the code that plays it.

use std::fmt::Debug;
use std::hash::Hash;

use rand::rngs::Xoshiro256PlusPlus;

use crate::{ByPlayer, Conventions, Outcome, Player, Property, TextError};

/// A two-player game of perfect information, as search, self-play and training see it.
///
/// A value of this type is one game in progress: the position **and** the part of its history that the rules depend on
/// (repetition, turn limits). Two rules deserve the attention of anyone who writes a search over it:
///
/// - **The same player may act on consecutive plies.** Results are credited by [`Game::to_move`], never by flipping a
///   sign at every ply.
/// - **Positions can recur.** Lines of play may contain cycles, and the value of a position may depend on how it was
///   reached; [`Game::key`] states the limits of a cache.
///
/// [`crate::conformance::check`] tests an implementation against this contract.
///
/// `Clone::clone_from` should reuse memory: a search copies its root into a scratch game in every simulation.
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// One decision of one player.
    type Action: Copy + Debug + Eq + Hash + Ord + Send + Sync + 'static;

    /// The game, if several share this type, and the conventions of play, such as draw rules.
    type Rules: Clone + Debug + PartialEq + Send + Sync + 'static;

    /// The game's name in file names and provenance: lower case, no blanks. If several games share this type,
    /// it is the name of the family; [`Game::name`] tells them apart.
    const NAME: &'static str;

    /// Changes whenever the same actions could lead to a different position or outcome.
    const RULES_VERSION: u32;

    /// An upper bound: every [`Game::policy_index`] is below it.
    const POLICY_SIZE: usize;

    /// Names of the players, lower case. Stored games use `white` for the first player and `black` for the second
    /// whatever the game.
    const PLAYERS: ByPlayer<&'static str> = ByPlayer(["white", "black"]);

    /// The reasons of [`Game::end`] that are the game's own: all but those of [`Conventions`]. A record does not
    /// take them for an end that the board does not show.
    const END_REASONS: &'static [&'static str] = &[];

    /// True if a record names the game in a tag: always but where a record without such a tag is one of this game.
    const NAMED_IN_RECORDS: bool = true;

    /// True if the first player has the dark pieces.
    const FIRST_IS_DARK: bool = false;

    /// The name of the game with these rules.
    fn name(rules: &Self::Rules) -> &'static str {
        _ = rules;
        Self::NAME
    }

    /// The standard rules of the game with this name; `None` if it is not a game of this type.
    fn standard_rules(name: &str) -> Option<Self::Rules>;

    /// The properties in which the games of this type differ, in the same order for all of them, with the levels of the game
    /// with these rules; none for a type of one game. Studies compare games that differ in one of them alone.
    fn properties(rules: &Self::Rules) -> Vec<Property> {
        _ = rules;
        Vec::new()
    }

    /// True if games begin at random: [`Game::start`] then draws a different position for each game.
    fn begins_at_random(rules: &Self::Rules) -> bool {
        _ = rules;
        false
    }

    /// The game's word for an outcome: a player's name, `draw` or `truncated`.
    fn outcome_name(outcome: Outcome) -> &'static str {
        match outcome {
            Outcome::Win(winner) => Self::PLAYERS[winner],
            other => other.name(),
        }
    }

    /// The conventions as one line of text; empty for a game without options.
    fn rules_text(rules: &Self::Rules) -> String {
        let conventions = Self::new(rules).conventions();
        conventions.map_or_else(String::new, |conventions| conventions.to_string())
    }

    /// Parses conventions in the form of [`Game::rules_text`], for the same game as `standard`.
    ///
    /// # Errors
    /// The expected form, if the text has another one.
    fn rules_from_text(text: &str, standard: &Self::Rules) -> Result<Self::Rules, TextError> {
        if Self::new(standard).conventions().is_some() {
            return Ok(Self::with_conventions(&text.parse()?, standard));
        }
        match Self::rules_text(standard) {
            expected if expected == text => Ok(standard.clone()),
            expected => {
                let what = format!("`{expected}`: {} has no conventions to choose", Self::name(standard));
                Err(TextError::expected(what, text, 0..text.len()))
            }
        }
    }

    /// The rules of the same game as `standard`, without conventional draws and limits. A game may never end under
    /// them.
    fn published_rules(standard: &Self::Rules) -> Self::Rules {
        Self::with_conventions(&Conventions::PUBLISHED, standard)
    }

    /// The rules of the same game as `standard` with these conventions of turns; a game without such conventions
    /// ignores them, and one that knows a part of them ignores the rest.
    fn with_conventions(conventions: &Conventions, standard: &Self::Rules) -> Self::Rules {
        _ = conventions;
        standard.clone()
    }

    /// The conventions of turns of this game; `None` if it has none.
    fn conventions(&self) -> Option<Conventions> {
        None
    }

    /// The initial position under `rules`; if games begin at random, always the same one of them.
    fn new(rules: &Self::Rules) -> Self;

    /// The initial position of one game under `rules`, drawn at random if the game requires it. A comparison of players
    /// gives both sides the same one.
    ///
    /// A game without a random start draws nothing, and begins with [`Game::new`].
    fn start(rules: &Self::Rules, rng: &mut Xoshiro256PlusPlus) -> Self {
        _ = rng;
        Self::new(rules)
    }

    /// The player who decides next. Meaningless once the game is over.
    fn to_move(&self) -> Player;

    /// Replaces the content of `actions` by all legal actions, in a fixed order.
    ///
    /// Empty exactly if the game is over. Two actions may lead to the same position.
    fn legal_actions(&self, actions: &mut Vec<Self::Action>);

    /// True if `action` is legal in this position.
    fn is_legal(&self, action: Self::Action) -> bool {
        let mut actions = Vec::new();
        self.legal_actions(&mut actions);
        actions.contains(&action)
    }

    /// Plays a legal action. The effect of an illegal one is unspecified, apart from memory safety.
    fn apply(&mut self, action: Self::Action);

    /// Becomes the game after a legal action of `before`. It is such a game already, after another action: what both have in
    /// common need not be copied.
    fn replace(&mut self, before: &Self, action: Self::Action) {
        self.clone_from(before);
        self.apply(action);
    }

    /// The outcome, and the reason for the end in a word or two for statistics; `None` before the end of the game.
    fn end(&self) -> Option<(Outcome, &'static str)>;

    /// The outcome; `None` before the end of the game.
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.end().map(|(outcome, _)| outcome)
    }

    /// The reason for the end of the game; `None` before the end.
    fn end_reason(&self) -> Option<&'static str> {
        self.end().map(|(_, reason)| reason)
    }

    /// The number of lines of `depth` plies from here: 1 for depth 0. Lines that end earlier do not count. The last ply
    /// is counted without being played.
    fn perft(&self, depth: u32) -> u64 {
        let mut actions = Vec::new();
        match depth {
            0 => 1,
            1 => {
                self.legal_actions(&mut actions);
                actions.len() as u64
            }
            _ => {
                self.legal_actions(&mut actions);
                let mut next = self.clone();
                let nodes = actions.into_iter().map(|action| {
                    next.clone_from(self);
                    next.apply(action);
                    next.perft(depth - 1)
                });
                nodes.sum()
            }
        }
    }

    /// Plies played so far since [`Game::new`] or since the position was set up.
    fn plies(&self) -> u32;

    /// The number of this turn, which both players share: from 1, and one more after the second player's. 1 if texts of
    /// positions do not tell it.
    fn turn_number(&self) -> u32 {
        1
    }

    /// Identifies the position, every counter that the rules depend on, and the number of times that the position has
    /// occurred: a cache of evaluations must use this key.
    ///
    /// Games with equal keys have equal legal actions and outcomes, and equal futures except for repetitions of
    /// positions that are in the history of only one of them. (Up to collisions of a 128-bit hash.)
    fn key(&self) -> u128;

    /// As [`Game::key`], for a search that wants to recognise positions in spite of their counters: those of the rules
    /// that are far from their limit may be left out.
    fn near_key(&self) -> u128 {
        self.key()
    }

    /// Identifies the position alone, without its history and the counters of conventions: games that reach it by
    /// different ways are counted together there.
    fn position_key(&self) -> u128 {
        self.key()
    }

    /// The same game seen from the other side of the board, with the players swapped; `None` if the game has no such
    /// symmetry, or its history is not symmetric.
    fn swapped(&self) -> Option<Self> {
        None
    }

    /// The same position with the other player to move, as if the player to move passed, without its history; `None` if
    /// no such position is legal. It shows what the other player threatens.
    fn passed(&self) -> Option<Self> {
        None
    }

    /// The immediate gain of a legal action for the player to move, in a unit of the game's choice; 0 for none. A search tries
    /// what gains first, and looks at it beyond its horizon.
    fn gain(&self, action: Self::Action) -> i32 {
        _ = action;
        0
    }

    /// Visits the legal actions that gain something, with what they gain, in the order of [`Game::legal_actions`].
    fn for_each_gain(&self, mut visit: impl FnMut(Self::Action, i32)) {
        let mut actions = Vec::new();
        self.legal_actions(&mut actions);
        for action in actions {
            let gain = self.gain(action);
            if gain > 0 {
                visit(action, gain);
            }
        }
    }

    /// True if the position cannot be judged because the player to move must first settle what has just happened: a search
    /// looks at all actions then, also beyond its horizon.
    fn is_unsettled(&self) -> bool {
        false
    }

    /// The game if the player to move could pass, which a search supposes to see whether there is a threat. `None` where
    /// that says nothing: having to move may hurt, or the ply before was a pass.
    fn null_move(&self) -> Option<Self> {
        None
    }

    /// Index of `action` in a policy vector, below [`Game::POLICY_SIZE`], from the point of view of the player to
    /// move. Distinct legal actions of one position have distinct indices.
    fn policy_index(&self, action: Self::Action) -> usize;

    /// The position as one line of text, readable by [`Game::from_position_text`]. It does not contain the history.
    fn position_text(&self) -> String;

    /// Creates a game that starts from a position as text.
    ///
    /// # Errors
    /// If the text is not a legal position of this game.
    fn from_position_text(text: &str, rules: &Self::Rules) -> Result<Self, TextError>;

    /// The action as text without blanks, readable by [`Game::parse_action`] in this position.
    fn action_text(&self, action: Self::Action) -> String;

    /// Parses the text of a legal action.
    ///
    /// # Errors
    /// If the text is not an action, or the action is not legal in this position.
    fn parse_action(&self, text: &str) -> Result<Self::Action, TextError>;

    /// A legal action in the notation for people.
    fn people_text(&self, action: Self::Action) -> String {
        self.action_text(action)
    }

    /// The first of these legal actions, which follow each other, in the notation for people, and the number of actions
    /// that the text tells: more than one where what follows from an action is written with it.
    ///
    /// # Panics
    /// If there are none.
    fn people_turn(&self, actions: &[Self::Action]) -> (String, usize) {
        (self.people_text(actions[0]), 1)
    }

    /// Parses what people write as one move: the actions of a text of [`Game::people_turn`].
    ///
    /// # Errors
    /// If the text is none, or an action is not legal where it is played.
    fn parse_people(&self, text: &str) -> Result<Vec<Self::Action>, TextError> {
        self.parse_action(text).map(|action| vec![action])
    }
}
