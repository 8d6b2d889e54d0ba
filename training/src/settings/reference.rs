//! Tables for the book: every key of a configuration with its default, its meaning, and when it may change.

use std::fmt::Write;

use toml::{Table, Value};

use super::{Change, Key, Keys, Settings};

/// Markdown with one table per section, in the order of the fields.
pub fn reference<T: Settings>() -> String {
    let mut page = String::new();
    let order = T::default().to_toml();
    // Read back from the text, which has the digits of an `f32` and not those of its `f64`.
    let defaults: Table = order.parse().expect("settings are written as TOML");
    section(&mut page, "", Keys::of::<T>().all(), Some(&defaults), &order);
    page
}

fn section(page: &mut String, path: &str, keys: &[Key], defaults: Option<&Table>, order: &str) {
    let (mut settings, mut sections): (Vec<&Key>, Vec<&Key>) = keys.iter().partition(|key| key.inner.is_empty());
    let lines = within(order, path);
    settings.sort_by_key(|key| place(lines, &format!("{} = ", key.name)));
    let name = |key: &Key| {
        if path.is_empty() {
            key.name.clone()
        } else {
            format!("{path}.{}", key.name)
        }
    };
    sections.sort_by_key(|key| place(order, &format!("[{}", name(key))));
    if !settings.is_empty() {
        match path {
            "" => page.push_str("\n### At the top\n"),
            path => drop(write!(page, "\n### `[{path}]`\n")),
        }
        page.push_str("\n| key | default | meaning | may change |\n|---|---|---|---|\n");
    }
    for key in settings {
        let default = defaults.and_then(|defaults| defaults.get(&key.name));
        let default = default.map_or("none".to_owned(), |value| format!("`{}`", one_line(value)));
        let meaning = key.meaning.replace("[`", "`").replace("`]", "`").replace('|', "\\|");
        let _ = writeln!(
            page,
            "| `{}` | {default} | {meaning} | {} |",
            key.name,
            when(key.change)
        );
    }
    for key in sections {
        let defaults = defaults.and_then(|defaults| defaults.get(&key.name)?.as_table());
        section(page, &name(key), &key.inner, defaults, order);
    }
}

/// The lines of a section of a TOML text, without its subsections.
fn within<'a>(text: &'a str, path: &str) -> &'a str {
    let start = match path {
        "" => 0,
        path => text.find(&format!("[{path}]\n")).map_or(text.len(), |at| at + 1),
    };
    let end = text[start..].find("\n[").map_or(text.len(), |at| start + at);
    &text[start..end]
}

/// The place of a line that begins with this; the end if there is none, as of a setting without a default.
fn place(lines: &str, beginning: &str) -> usize {
    lines
        .lines()
        .position(|line| line.starts_with(beginning))
        .unwrap_or(usize::MAX)
}

fn one_line(value: &Value) -> String {
    value.to_string().replace('\n', " ").replace('|', "\\|")
}

const fn when(change: Change) -> &'static str {
    match change {
        Change::Resume => "resume",
        Change::Branch => "branch",
        Change::Refit => "refit",
        Change::New => "",
    }
}
