//! Pictures of the board against golden files, and against what they must show whatever their style.

use chase_engine::Player;
use chase_engine::chase::notation::{Arrow, AsciiOptions, Course, Heat, Labels, SvgOptions, Theme, value_color};
use chase_engine::chase::{Action, Bitboard, CELLS, Cell, Position};
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

#[test]
fn the_page_about_notation_shows_the_text_as_it_is() {
    let page = include_str!("../../../docs/src/chase/notation.md");
    assert!(page.contains(&Position::initial().to_ascii(&AsciiOptions::default())));
}

#[test]
fn svg_is_as_in_the_golden_files() {
    expect_file!["pictures/initial.svg"].assert_eq(&Position::initial().to_svg(&SvgOptions::default()));
    let (after, last) = played(MIDDLE, "F2NW");
    let everything = SvgOptions {
        flip: true,
        theme: Theme::Dark,
        labels: Labels::Edge,
        heat: vec![Heat {
            cell: cell("C4"),
            value: 0.7,
            text: Some("70%".into()),
        }],
        last: Some(last),
        attacks: Some(Player::Black),
        arrows: vec![Arrow {
            color: Some(value_color(0.6)),
            label: Some("<60%>".into()),
            ..Arrow::new(Course::between(cell("A9"), cell("B1")))
        }],
        ..SvgOptions::default()
    };
    expect_file!["pictures/middle.svg"].assert_eq(&after.to_svg(&everything));
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

#[test]
fn no_two_neighbours_have_the_same_tint() {
    use chase_engine::chase::geometry::neighbours;
    let picture = Position::initial().to_svg(&SvgOptions::default());
    let svg = Document::parse(&picture).unwrap();
    let mut tints = vec![String::new(); CELLS];
    for node in elements(&svg, "path") {
        if let Some(name) = node.attribute("data-cell") {
            tints[cell(name).index()] = node.attribute("class").unwrap().to_owned();
        }
    }
    for from in Cell::all() {
        for to in neighbours(from) {
            assert_ne!(tints[from.index()], tints[to.index()], "{from} {to}");
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
fn options_show() {
    let position = position(MIDDLE);
    let picture = |options: &SvgOptions| position.to_svg(options);
    let plain = picture(&SvgOptions::default());
    assert!(plain.contains("Chase, turn 31: Black to move") && plain.contains(">A1</text>"));
    assert_eq!(plain, picture(&SvgOptions::default()));
    let none = picture(&SvgOptions {
        labels: Labels::None,
        caption: false,
        width: 100,
        ..SvgOptions::default()
    });
    assert!(!none.contains("<text") && none.contains("width=\"100\""));

    for player in Player::BOTH {
        let attacked = picture(&SvgOptions {
            attacks: Some(player),
            ..SvgOptions::default()
        });
        let svg = Document::parse(&attacked).unwrap();
        let mut marked = Bitboard::EMPTY;
        for node in elements(&svg, "g") {
            let Some(name) = node.attribute("data-attacked") else {
                continue;
            };
            marked = marked.with(cell(name));
            let dice = position.dice(player).into_iter();
            let attackers = dice.filter(|&from| position.reach(from).contains(cell(name))).count();
            let dots = node.children().filter(|child| child.has_tag_name("circle")).count();
            assert_eq!(dots, attackers, "{name}");
        }
        assert_eq!(marked, position.attacks::<1>(player)[0]);
    }

    let themes = [Theme::Auto, Theme::Light, Theme::Dark].map(|theme| {
        picture(&SvgOptions {
            theme,
            ..SvgOptions::default()
        })
    });
    assert!(themes[0].contains("@media (prefers-color-scheme:dark)") && !themes[1].contains("@media"));
    assert!(
        themes[1].contains(".chase-light .paper{fill:#fff}") && themes[2].contains(".chase-dark .paper{fill:#15181c}")
    );
}

#[test]
fn a_picture_of_a_page_has_the_colours_and_the_title_that_it_is_given() {
    let svg = Position::initial().to_svg(&SvgOptions {
        theme: Theme::Page,
        title: Some("The <start>.".into()),
        ..SvgOptions::default()
    });
    assert!(svg.contains("class=\"chase-page\"") && !svg.contains("<style"), "{svg}");
    assert!(svg.contains("<title>The &lt;start&gt;.</title>"), "{svg}");
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

#[test]
fn every_legal_position_of_a_game_can_be_drawn() {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut position = Position::initial();
    for _ in 0..300 {
        let actions = position.legal_actions();
        if position.decision().is_some() {
            position = Position::initial();
            continue;
        }
        let action = actions[rng.random_range(0..actions.len())];
        let last = position.course(action).unwrap();
        let before = position;
        position.play_unchecked(action);
        // Every own die that changed is marked, but for those that must absorb what the chosen one leaves.
        let changed: Bitboard = Cell::all()
            .filter(|&cell| before.die(cell) != position.die(cell))
            .collect();
        let own = changed & (before.dice(before.to_move()) | position.dice(before.to_move()));
        let chosen = matches!(action, Action::Absorb { .. });
        assert!(chosen || (own & !last.cells()).is_empty(), "{before} {action}");
        let options = SvgOptions {
            last: Some(last),
            ..SvgOptions::default()
        };
        let picture = position.to_svg(&options);
        assert_eq!(
            dice(&Document::parse(&picture).unwrap()).len(),
            position.occupied().count()
        );
        assert!(picture.len() < 40_000, "{}", picture.len());
        assert!(position.to_ascii(&AsciiOptions::default()).is_ascii());
    }
}

#[test]
fn a_placement_that_no_game_reaches_is_drawn_all_the_same() {
    let setup: chase_engine::chase::Setup = "9/9/9/2a6/4F4/9/9/9/B8 b".parse().unwrap();
    assert!(setup.validate().is_err());
    let picture = setup.to_svg(&SvgOptions::default());
    let svg = Document::parse(&picture).unwrap();
    let drawn: Vec<(String, String, usize)> = dice(&svg)
        .into_iter()
        .map(|(cell, player, speed, _, _)| (cell, player, speed))
        .collect();
    // The die on the Chamber is left out; nobody has lost for having few dice.
    let expected = [("A1", "white", 2), ("F3", "black", 1)];
    assert_eq!(
        drawn,
        expected.map(|(cell, player, speed)| (cell.into(), player.into(), speed))
    );
    assert!(!picture.contains("has won"), "{picture}");
    // A legal position is the same picture whichever way it is drawn, but for what it says in words.
    let position = Position::initial();
    let plain = SvgOptions {
        caption: false,
        ..SvgOptions::default()
    };
    let board = |picture: String| picture.split_once("</title>").unwrap().1.to_owned();
    assert_eq!(
        board(position.to_setup().to_svg(&plain)),
        board(position.to_svg(&plain))
    );
}
