//! What people are told of each game: that there is something, that it has the parts that readers look for, and that its
//! diagrams can be drawn.

use std::collections::HashSet;

use chase_engine::{Diagram, GameName, Words};
use roxmltree::Document;

/// The sections of every text, in this order.
const SECTIONS: [&str; 6] = [
    "## The board",
    "## The goal",
    "## A turn",
    "## The end",
    "## How moves are written",
    "## Entering a move",
];

/// The diagrams in a text.
fn diagrams(rules: &str) -> Vec<&str> {
    let blocks = rules.split("```").skip(1).step_by(2);
    blocks.filter_map(|block| block.strip_prefix("position\n")).collect()
}

#[test]
fn every_game_has_words_of_its_own() {
    let mut seen = HashSet::new();
    for &game in GameName::ALL {
        let words = game.words();
        assert!(seen.insert(words.title.clone()), "{game}: {}", words.title);
        assert!(
            words.title.chars().next().unwrap().is_uppercase(),
            "{game}: {}",
            words.title
        );
        assert_ne!(words, Words::of_name(game.name()), "{game}");
        for line in [&words.summary, &words.entering] {
            assert!(
                (30..=260).contains(&line.len()) && line.ends_with('.'),
                "{game}: {line}"
            );
        }
        assert!(!words.summary.contains(['*', '`', '[']), "{game}: {}", words.summary);
        let (title, _) = words.rules.split_once('\n').unwrap();
        assert_eq!(title, format!("# {}", words.title));
    }
}

#[test]
fn every_text_has_the_sections_that_readers_look_for() {
    for &game in GameName::ALL {
        let rules = game.words().rules;
        let headings: Vec<&str> = rules.lines().filter(|line| line.starts_with("## ")).collect();
        let places = SECTIONS.map(|section| {
            let place = headings.iter().position(|heading| *heading == section);
            place.unwrap_or_else(|| panic!("{game} has no section {section}, only {headings:?}"))
        });
        assert!(places.is_sorted(), "{game}: {headings:?}");
        let levels = rules.lines().filter(|line| line.starts_with('#'));
        let levels: Vec<usize> = levels
            .map(|line| line.bytes().take_while(|&sign| sign == b'#').count())
            .collect();
        assert_eq!(levels[0], 1, "{game}");
        assert!(
            levels[1..].iter().all(|level| [2, 3].contains(level)),
            "{game}: {levels:?}"
        );
        // No HTML, which pages show as text.
        assert!(!rules.contains('<'), "{game}");
    }
}

#[test]
fn every_diagram_is_drawn_with_all_that_it_says() {
    for &game in GameName::ALL {
        let rules = game.words().rules;
        let diagrams = diagrams(&rules);
        assert!(
            (2..=16).contains(&diagrams.len()),
            "{game} has {} diagrams",
            diagrams.len()
        );
        for text in diagrams {
            let diagram: Diagram = text.parse().unwrap_or_else(|error| panic!("{game}: {text}\n{error}"));
            let svg = diagram
                .to_svg()
                .unwrap_or_else(|error| panic!("{game}: {text}\n{error}"));
            let document = Document::parse(&svg).unwrap();
            let titles = document.descendants().filter(|node| node.has_tag_name("title"));
            assert_eq!(titles.clone().next().unwrap().text(), Some(diagram.caption()), "{game}");
            assert!(
                (20..=260).contains(&diagram.caption().len()),
                "{game}: {}",
                diagram.caption()
            );
            // The page has a style sheet, and its policy allows no other.
            assert!(!svg.contains("<style") && !svg.contains("style="), "{game}");
            let drawn = ["class=\"shaft\"", "class=\"around\""].map(|class| svg.matches(class).count());
            let moves = text.lines().find(|line| line.starts_with("moves:"));
            let moves = moves.map_or(0, |line| line.split_whitespace().count() - 1);
            assert!(drawn[0] + drawn[1] >= moves, "{game}: {text}");
        }
    }
}
