//! Chase for Python.

use chase_engine::Chase;
use chase_engine::chase::notation::{AsciiOptions, Record, SvgOptions, Theme};
use chase_engine::chase::{Action, Position};

use super::Registered;
use crate::presentation::{Presentation, Recorded};

impl Registered for Chase {
    const PRESENTATION: Presentation<Self> = Presentation {
        text: |game| game.position().to_ascii(&AsciiOptions::default()),
        svg,
        rules: |text, _| text.parse().map_err(|error| format!("rules of chase: {error}")),
        records: Some((read, write)),
    };
}

fn svg(game: &Chase, last: Option<(&Chase, Action)>) -> String {
    let options = SvgOptions {
        width: 480,
        // Readers of notebooks and programs that make pixels of it do not all know style sheets that ask for a theme.
        theme: Theme::Light,
        last: last.and_then(|(before, action)| before.position().course(action).ok()),
        ..SvgOptions::default()
    };
    game.position().to_svg(&options)
}

fn read(text: &str) -> Result<Vec<Recorded<Chase>>, String> {
    Record::read_all(text)
        .map(|record| record.map(recorded).map_err(|error| error.to_string()))
        .collect()
}

fn recorded(record: Record) -> Recorded<Chase> {
    let start = *record.start();
    Recorded {
        tags: record
            .tags()
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        rules: *record.rules(),
        start: (start != Position::initial()).then(|| start.to_string()),
        actions: record.plies().iter().map(|ply| ply.action).collect(),
    }
}

fn write(recorded: &Recorded<Chase>) -> Result<String, String> {
    let start = match &recorded.start {
        Some(text) => text.parse().map_err(|error| format!("{error}"))?,
        None => Position::initial(),
    };
    let mut record = Record::new(start, recorded.rules);
    for (name, value) in &recorded.tags {
        record.set_tag(name, value).map_err(|error| error.to_string())?;
    }
    for &action in &recorded.actions {
        record.push(action, "").map_err(|error| error.to_string())?;
    }
    Ok(record.to_string())
}
