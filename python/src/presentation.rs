//! Functions that Python needs for a game beyond its rules: pictures, and conventions and records as text.

use chase_engine::{Depict, Game};

/// A record of a game: what was said about it, and its moves.
#[derive(Clone, Debug)]
pub struct Recorded<G: Game> {
    /// Names and values, such as the names of the players.
    pub tags: Vec<(String, String)>,
    /// The conventions it was played under.
    pub rules: G::Rules,
    /// The position it began from, as text; `None` for the initial one.
    pub start: Option<String>,
    /// All actions.
    pub actions: Vec<G::Action>,
}

/// Draws a game; with it the game before the last action, and the action.
pub type DrawSvg<G> = fn(&G, Option<(&G, <G as Game>::Action)>) -> String;
/// Reads all records of a text.
pub type ReadRecords<G> = fn(&str) -> Result<Vec<Recorded<G>>, String>;
/// Writes one record.
pub type WriteRecord<G> = fn(&Recorded<G>) -> Result<String, String>;

/// Functions that show a game to people and read it from them.
pub struct Presentation<G: Game> {
    /// The board as text.
    pub text: fn(&G) -> String,
    /// The board as SVG.
    pub svg: DrawSvg<G>,
    /// Conventions from what [`Game::rules_text`] writes, of the game with these standard rules.
    pub rules: fn(&str, &G::Rules) -> Result<G::Rules, String>,
    /// Records as text.
    pub records: Option<(ReadRecords<G>, WriteRecord<G>)>,
}

impl<G: Game> Clone for Presentation<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Presentation<G> {}

/// Pixels from side to side.
const WIDTH: u32 = 480;

impl<G: Depict> Presentation<G> {
    /// A game that is drawn by its [`Depict::scene`], and has no records. The cells of the last action are marked in
    /// the picture.
    pub const fn depicted() -> Self {
        Self {
            text: |game| game.scene().to_text(),
            svg: |game, last| {
                let mut scene = game.scene();
                scene.mark(last.map(|(before, action)| before.way(action)).unwrap_or_default());
                scene.to_svg(WIDTH)
            },
            rules: |text, standard| {
                let rules = G::rules_from_text(text, standard);
                rules.map_err(|error| format!("rules of {}: {error}", G::name(standard)))
            },
            records: None,
        }
    }
}
