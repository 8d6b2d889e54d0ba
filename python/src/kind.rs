//! What Python needs of a game beyond its rules: pictures, and conventions and records as text.

use chase_engine::Game;

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

/// How a game is shown to people and read from them.
pub struct Kind<G: Game> {
    /// The board as text.
    pub text: fn(&G) -> String,
    /// The board as SVG.
    pub svg: DrawSvg<G>,
    /// Conventions from what [`Game::rules_text`] writes.
    pub rules: fn(&str) -> Result<G::Rules, String>,
    /// Records as text.
    pub records: Option<(ReadRecords<G>, WriteRecord<G>)>,
}

impl<G: Game> Clone for Kind<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Kind<G> {}

impl<G: Game> Kind<G> {
    /// A game that is shown as its position text, that knows its standard conventions only, and no records.
    pub const fn plain() -> Self {
        Self {
            text: G::position_text,
            svg: |game, _| text_as_svg(&game.position_text()),
            rules: standard_rules::<G>,
            records: None,
        }
    }
}

fn standard_rules<G: Game>(text: &str) -> Result<G::Rules, String> {
    let rules = G::Rules::default();
    match G::rules_text(&rules) {
        known if known == text => Ok(rules),
        known => Err(format!("rules of {} are `{text}`, expected `{known}`", G::NAME)),
    }
}

/// A text of several lines as a picture, for games without one of their own.
pub fn text_as_svg(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let columns = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let (width, height) = (columns * 10 + 20, lines.len() * 20 + 20);
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"><rect width="{width}" height="{height}" fill="#fff"/><g font-family="monospace" font-size="16" fill="#222">"##
    );
    for (index, line) in lines.iter().enumerate() {
        let line = line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let y = index * 20 + 25;
        svg += &format!(r#"<text x="10" y="{y}" xml:space="preserve">{line}</text>"#);
    }
    svg + "</g></svg>"
}
