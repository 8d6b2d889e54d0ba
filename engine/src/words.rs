//! The texts for people that a game's folder has.

/// The heading of the section that says how a move is entered.
const ENTERING: &str = "## Entering a move";

/// The words of a game for people. All are parts of one text in Markdown, its rules: see [`Words::of`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// The proper name of the game, such as `Connect Four`.
    pub title: String,
    /// Its subject, in one line.
    pub summary: String,
    /// Instructions for entering a move on a board that can be clicked, in one or two sentences.
    pub entering: String,
    /// The rules as Markdown, from the heading with the title on. Blocks of code with the info string `position` are
    /// [diagrams](crate::Diagram).
    pub rules: String,
}

impl Words {
    /// The words in a text that begins with the title as its heading and a paragraph that is the summary, and that has a
    /// section `Entering a move`, whose first paragraph counts. Both paragraphs are plain text.
    ///
    /// # Panics
    /// If the text has another form. It is part of the program.
    pub fn of(rules: impl Into<String>) -> Self {
        let rules = rules.into();
        let (title, rest) = rules.split_once('\n').expect("a text has a heading");
        let title = title.strip_prefix("# ").expect("the heading of the text is its title");
        let (_, section) = rules.split_once(ENTERING).expect("the text says how a move is entered");
        Self {
            title: title.to_owned(),
            summary: paragraph(rest),
            entering: paragraph(section),
            rules,
        }
    }

    /// The words of a game whose rules are put together of parts that it shares with others.
    ///
    /// # Panics
    /// As [`Words::of`].
    pub fn composed(title: &str, summary: &str, parts: &[&str]) -> Self {
        let parts = parts.iter().map(|part| format!("\n{}\n", part.trim()));
        Self::of(format!("# {title}\n\n{summary}\n{}", parts.collect::<String>()))
    }

    /// The texts of a game of which only the name is known.
    pub fn of_name(name: &str) -> Self {
        Self::composed(
            name,
            &format!("The game {name}, whose rules have not been written down yet."),
            &[
                ENTERING,
                "Click a piece, then the cell it should go to. A stone is placed with one click.",
            ],
        )
    }
}

/// The first paragraph of a text, as one line.
fn paragraph(text: &str) -> String {
    let lines = text.trim_start().lines().take_while(|line| !line.trim().is_empty());
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}
