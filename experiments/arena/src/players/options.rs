//! All kinds of players with all their options, as data for help, documentation and completion.

use std::fmt::Write;

use super::grammar::{TextForm, Values};
use super::{baselines, external, network, nnue};

/// A kind of player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerKind {
    /// The word at the beginning of its texts.
    pub name: &'static str,
    /// The argument between the colon and the options, if there is one.
    pub argument: Option<&'static str>,
    /// Explanation of the kind, as a sentence.
    pub meaning: &'static str,
    /// A text of this kind.
    pub example: &'static str,
    /// Options of which at least one is required, if there are any.
    pub limits: &'static [&'static str],
    /// Its options, in the order of its texts.
    pub options: Vec<PlayerOption>,
}

/// An option of a kind of player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerOption {
    /// Its name, before the equals sign.
    pub key: &'static str,
    /// Description of its values.
    pub values: String,
    /// All its values, if they are words.
    pub words: &'static [&'static str],
    /// Description of its default.
    pub default: &'static str,
    /// Explanation of the option, as a sentence.
    pub meaning: &'static str,
}

impl PlayerKind {
    fn of<T>(form: &TextForm<T>) -> Self {
        let options = form.options.iter().map(|option| PlayerOption {
            key: option.key,
            values: option.values.to_string(),
            words: match option.values {
                Values::Word(words, _) => words,
                _ => &[],
            },
            default: option.default,
            meaning: option.meaning,
        });
        Self {
            name: form.name,
            argument: form.argument,
            meaning: form.meaning,
            example: form.example,
            limits: form.limits,
            options: options.collect(),
        }
    }
}

/// Every kind of player, from the simplest to external programs.
pub fn table() -> Vec<PlayerKind> {
    let baselines = baselines::FORMS.into_iter().map(PlayerKind::of);
    let others = [
        PlayerKind::of(&network::FORM),
        PlayerKind::of(&nnue::FORM),
        PlayerKind::of(&external::FORM),
    ];
    baselines.chain(others).collect()
}

/// The table as Markdown.
pub fn markdown() -> String {
    let mut page = String::from(
        "# Players\n\n\
         A player is a short text, `KIND:KEY=VALUE,KEY=VALUE`; a network has its path before the options, as in\n\
         `net:PATH,KEY=VALUE`. Options may come in any order, but `command` is the last one.\n\n\
         A path alone stands for a player of the kind `net`: `runs/quick-1` for `net:runs/quick-1`, and\n\
         `agent-71,simulations=5` for `net:agent-71,simulations=5`. The path must have a slash, be a folder that exists,\n\
         or be a built-in agent, `agent-71` or `agent-41`. `nnue-57` and the folder of a run or a checkpoint of the second family stand for players of the kind\n\
         `nnue`. Some\n\
         commands expect a network of the first family and not a player, such as `chase evaluate` and `chase analyse`: they take\n\
         the path or `net:PATH`, without options.\n",
    );
    for kind in table() {
        let _ = write!(
            page,
            "\n**`{}`**: {} For example `{}`.",
            kind.name, kind.meaning, kind.example
        );
        if kind.limits.len() > 1 {
            let limits: Vec<_> = kind.limits.iter().map(|limit| format!("`{limit}`")).collect();
            let _ = write!(page, " At least one of {} must be given.", limits.join(", "));
        }
        page.push('\n');
        if !kind.options.is_empty() {
            page.push_str("\n| option | value | meaning | default |\n|---|---|---|---|\n");
        }
        for option in kind.options {
            let (values, meaning) = (&option.values, option.meaning);
            let _ = writeln!(page, "| `{}` | {values} | {meaning} | {} |", option.key, option.default);
        }
    }
    page
}

/// Width of the help, in columns of a terminal.
const COLUMNS: usize = 80;

/// The table as text for a terminal.
pub fn help() -> String {
    let mut text = String::from("Players, as KIND:KEY=VALUE,KEY=VALUE:\n");
    for kind in table() {
        let limits = match kind.limits {
            [] | [_] => String::new(),
            limits => format!(" Needs {}.", super::grammar::one_of(limits)),
        };
        let argument = kind.argument.map(|argument| format!(":{argument}")).unwrap_or_default();
        let name = format!("{}{argument}", kind.name);
        paragraph(&mut text, 2, 14, &name, &format!("{}{limits}", kind.meaning));
        for option in kind.options {
            let meaning = option.meaning.trim_end_matches('.');
            let explained = format!("{meaning}: {} [default: {}]", option.values, option.default);
            paragraph(&mut text, 4, 24, &format!("{}=", option.key), &explained);
        }
    }
    text
}

/// Adds a word at one column and its explanation at another, wrapped.
fn paragraph(text: &mut String, left: usize, right: usize, word: &str, explanation: &str) {
    let mut line = format!("{:left$}{word:width$}", "", width = right - left - 1);
    let mut empty = true;
    for word in explanation.split(' ') {
        if !empty && line.len() + 1 + word.len() > COLUMNS {
            let _ = writeln!(text, "{}", line.trim_end());
            line = " ".repeat(right - 1);
        }
        line.push(' ');
        line.push_str(word);
        empty = false;
    }
    let _ = writeln!(text, "{}", line.trim_end());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::PlayerSpec;

    #[test]
    fn the_page_about_players_is_the_table() {
        expect_test::expect_file!["../../../../docs/src/reference/players.md"].assert_eq(&markdown());
    }

    #[test]
    fn examples_are_players_and_print_as_they_are_written() {
        for kind in table() {
            let player: PlayerSpec = kind.example.parse().expect(kind.example);
            let shown = player.to_string();
            assert_eq!(shown, kind.example);
            assert!(shown.starts_with(kind.name), "{shown}");
        }
    }

    #[test]
    fn options_at_the_default_of_the_table_are_left_out() {
        let mut checked = 0;
        for kind in table() {
            let example = kind.example.split(['=', ',', ':']);
            let given: Vec<_> = example.collect();
            for option in kind.options.iter().filter(|option| !given.contains(&option.key)) {
                let bare: PlayerSpec = kind.example.parse().expect(kind.example);
                let shown = bare.to_string();
                let with_option = match shown.split_once(":command=").or_else(|| shown.split_once(",command=")) {
                    Some((start, command)) => format!("{start},{}={},command={command}", option.key, option.default),
                    None if shown.contains(':') => format!("{shown},{}={}", option.key, option.default),
                    None => format!("{shown}:{}={}", option.key, option.default),
                };
                if let Ok(player) = with_option.parse::<PlayerSpec>() {
                    assert_eq!(player, bare, "{with_option}");
                    checked += 1;
                }
            }
        }
        // Other options have defaults without a value, such as no limit.
        assert_eq!(checked, 13);
    }

    #[test]
    fn help_fits_in_a_terminal_and_names_every_option() {
        let help = help();
        assert!(help.lines().all(|line| line.len() <= COLUMNS), "{help}");
        for kind in table() {
            for option in kind.options {
                assert!(help.contains(&format!(" {}= ", option.key)), "{}", option.key);
            }
        }
    }
}
