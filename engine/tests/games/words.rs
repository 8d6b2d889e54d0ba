//! What people are told of each game: that there is something, that it has the parts that readers look for, and that its
//! diagrams can be drawn.

use chase_engine::{Diagram, GameName};
use roxmltree::Document;

/// The diagrams in a text.
fn diagrams(rules: &str) -> Vec<&str> {
    let blocks = rules.split("```").skip(1).step_by(2);
    blocks.filter_map(|block| block.strip_prefix("position\n")).collect()
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
