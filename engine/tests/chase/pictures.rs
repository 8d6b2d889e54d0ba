//! Pictures of the board against golden files, and against what they must show whatever their style.

use chase_engine::Player;
use chase_engine::chase::notation::{Arrow, AsciiOptions, Course, Heat, SvgOptions};
use chase_engine::chase::{Action, CELLS, Cell, Position};
use expect_test::expect_file;
use roxmltree::{Document, Node};

/// A mid-game position in which a die of Black goes around the cylinder and ricochets off row I.
const MIDDLE: &str = "2f2f3/9/7F1/1d7/8d/9/8e/2E6/1E3DE2 b 7 31";
/// The position after `1A6A7` and `1I3I2`, in which the die on A7 can enter the Chamber.
const CHAMBER: &str = "acbdedcba/9/9/9/9/9/9/9/ABCDECDBA w 2 2";

fn position(text: &str) -> Position {
    text.parse().unwrap()
}

fn cell(name: &str) -> Cell {
    name.parse().unwrap()
}

/// The position after an action, and the way of the action.
fn played(text: &str, action: &str) -> (Position, Course) {
    let before = position(text);
    let action: Action = action.parse().unwrap();
    (before.play(action).unwrap(), before.course(action).unwrap())
}

#[test]
fn text_is_as_in_the_golden_files() {
    let plain = AsciiOptions::default();
    expect_file!["pictures/initial.txt"].assert_eq(&Position::initial().to_ascii(&plain));
    let (after, last) = played(MIDDLE, "F2NW");
    let options = AsciiOptions {
        attacks: Some(Player::White),
        last: Some(last),
        ..AsciiOptions::default()
    };
    expect_file!["pictures/middle.txt"].assert_eq(&after.to_ascii(&options));
    let flipped = AsciiOptions {
        flip: true,
        color: true,
        ..options
    };
    expect_file!["pictures/middle-flipped.ansi"].assert_eq(&after.to_ascii(&flipped));
    let absorbing = position("1df2c3/9/9/1d6E/8c/2e6/9/7B1/1B2DFE2 w");
    expect_file!["pictures/absorbing.txt"].assert_eq(&absorbing.to_ascii(&plain));
}

fn elements<'a>(svg: &'a Document<'_>, name: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    svg.descendants()
        .filter(move |node| node.has_tag_name(("http://www.w3.org/2000/svg", name)))
}

fn floats(text: &str) -> Vec<f64> {
    let words = text
        .split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-'))
        .filter(|word| !word.is_empty());
    words.map(|word| word.parse().unwrap()).collect()
}

/// The dice that a picture shows on the board proper: cell, player, speed by attribute, number of pips drawn, place.
fn dice(svg: &Document<'_>) -> Vec<(String, String, usize, usize, Vec<f64>)> {
    let dice = elements(svg, "g").filter(|node| node.attribute("data-speed").is_some());
    let dice = dice.filter(|node| node.attribute("data-cell").is_some());
    dice.map(|die| {
        let path = die.children().find(|node| node.has_tag_name("path")).unwrap();
        (
            die.attribute("data-cell").unwrap().to_owned(),
            die.attribute("class").unwrap().trim_start_matches("die ").to_owned(),
            die.attribute("data-speed").unwrap().parse().unwrap(),
            path.attribute("d").unwrap().matches("h0").count(),
            floats(die.attribute("transform").unwrap()),
        )
    })
    .collect()
}

#[test]
fn every_die_stands_on_its_hexagon_with_its_pips() {
    for text in [Position::initial().to_string(), MIDDLE.to_owned(), CHAMBER.to_owned()] {
        for flip in [false, true] {
            let position = position(&text);
            let picture = position.to_svg(&SvgOptions {
                flip,
                ..SvgOptions::default()
            });
            let svg = Document::parse(&picture).unwrap();
            let drawn = dice(&svg);
            assert_eq!(drawn.len(), position.occupied().count(), "{text}");
            let hexagons: Vec<_> = elements(&svg, "path")
                .filter(|node| node.attribute("data-cell").is_some())
                .collect();
            assert_eq!(hexagons.len(), CELLS);
            for (name, player, speed, pips, at) in drawn {
                let die = position.die(cell(&name)).unwrap();
                assert_eq!(
                    (&*player, speed),
                    (die.player.name(), usize::from(die.speed.pips())),
                    "{name}"
                );
                assert_eq!(pips, speed, "{name}");
                let hexagon = hexagons
                    .iter()
                    .find(|node| node.attribute("data-cell") == Some(&name))
                    .unwrap();
                let (centre, _) = hexagon.attribute("d").unwrap().split_once('m').unwrap();
                assert_eq!(at, floats(centre), "{name}");
                // Where the rules put it: rows up the page, B D F H half a cell to the left.
                let (row, column) = (cell(&name).row() as f64, cell(&name).column() as f64);
                let x = 40.0 * column + if row % 2.0 == 0.0 { 40.0 } else { 20.0 };
                let y = 34.65 * (8.0 - row);
                let expected = if flip { [380.0 - x, 277.2 - y] } else { [x, y] };
                assert!(
                    (at[0] - expected[0]).abs() < 0.01 && (at[1] - expected[1]).abs() < 0.01,
                    "{name} {at:?}"
                );
            }
        }
    }
}

/// The shafts of arrows, each as its corners.
fn shafts(svg: &Document<'_>) -> Vec<Vec<[f64; 2]>> {
    let shafts = elements(svg, "path").filter(|node| node.attribute("class") == Some("shaft"));
    let corners = |node: Node<'_, '_>| {
        let numbers = floats(node.attribute("d").unwrap());
        numbers.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()
    };
    shafts.map(corners).collect()
}

#[test]
fn arrows_keep_to_the_board_and_never_cross_it_to_wrap() {
    // From the initial position every row moves around; the other two have every kind of move.
    for text in [Position::initial().to_string(), MIDDLE.to_owned(), CHAMBER.to_owned()] {
        let position = position(&text);
        for action in position.legal_actions() {
            for flip in [false, true] {
                let course = position.course(action).unwrap();
                let options = SvgOptions {
                    flip,
                    arrows: vec![Arrow::new(course)],
                    ..SvgOptions::default()
                };
                let picture = position.to_svg(&options);
                let svg = Document::parse(&picture).unwrap();
                let shafts = shafts(&svg);
                assert!(!shafts.is_empty(), "{text} {action}");
                for [x, y] in shafts.iter().flatten() {
                    assert!(
                        (-21.0..=401.0).contains(x) && (0.0..=277.2).contains(y),
                        "{text} {action} {x} {y}"
                    );
                }
                for pair in shafts.iter().flat_map(|shaft| shaft.windows(2)) {
                    let step = (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1]);
                    assert!(
                        step <= 40.1,
                        "{text} {action}: a stretch of {step} is longer than a step"
                    );
                }
            }
        }
    }
}

#[test]
fn an_arrow_around_the_cylinder_comes_in_two_pieces_with_one_head() {
    let draw = |from: &str, to: &str, flip| {
        let picture = Position::initial().to_svg(&SvgOptions {
            flip,
            arrows: vec![Arrow::new(Course::between(cell(from), cell(to)))],
            ..SvgOptions::default()
        });
        let svg = Document::parse(&picture).unwrap();
        let arrow = elements(&svg, "g")
            .find(|node| node.attribute("class") == Some("arrow plain"))
            .unwrap();
        let heads = arrow
            .children()
            .filter(|node| node.attribute("stroke") == Some("none"))
            .count();
        (shafts(&svg).len(), heads)
    };
    for flip in [false, true] {
        assert_eq!(draw("C3", "C7", flip), (1, 1));
        for (from, to) in [("C9", "C1"), ("C1", "C9"), ("D1", "C9"), ("D1", "E9"), ("H9", "H2")] {
            assert_eq!(draw(from, to, flip), (2, 1), "{from} {to}");
        }
        // Nowhere to go, nothing to draw.
        assert_eq!(draw("C3", "C3", flip), (0, 0));
    }
}

#[test]
fn text_from_outside_cannot_break_the_picture() {
    let evil = "\"/><script>&\u{1}\u{ffff}";
    let picture = Position::initial().to_svg(&SvgOptions {
        heat: vec![Heat {
            cell: cell("C4"),
            value: f64::NAN,
            text: Some(evil.into()),
        }],
        arrows: vec![Arrow {
            width: f64::NAN,
            color: Some(evil.into()),
            label: Some(evil.into()),
            ..Arrow::new(Course::between(cell("A1"), cell("C1")))
        }],
        ..SvgOptions::default()
    });
    let svg = Document::parse(&picture).unwrap();
    assert_eq!(elements(&svg, "script").count(), 0);
    let shown = "\"/><script>&\u{fffd}\u{fffd}";
    assert_eq!(
        elements(&svg, "text").filter(|node| node.text() == Some(shown)).count(),
        2
    );
}
