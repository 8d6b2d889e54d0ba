//! The board as a picture in SVG.

mod arrow;
mod layout;
mod style;

use std::fmt::Write as _;

use self::layout::{Layout, number};
pub use self::style::value_color;
use super::Course;
use crate::Player;
use crate::chase::cell::SIDE;
use crate::chase::position::TOTAL;
use crate::chase::{Bitboard, Cell, Die, Position, Setup};

/// Options of [`Position::to_svg`].
#[derive(Clone, Debug)]
pub struct SvgOptions {
    /// Width of the picture in pixels; the height follows. The picture scales without loss.
    pub width: u32,
    /// The board turned by 180°, as Black sees it.
    pub flip: bool,
    /// Light, dark, or as the reader's system says.
    pub theme: Theme,
    /// Names of cells.
    pub labels: Labels,
    /// Caption below the board: the player to move, the dice and the counters.
    pub caption: bool,
    /// Colours of cells.
    pub heat: Vec<Heat>,
    /// The last action, in whose result this position is: highlighted, with the way that the dice went.
    pub last: Option<Course>,
    /// Mark the cells that this player's dice reach by exact count, with one dot for each such die.
    pub attacks: Option<Player>,
    /// Arrows, the later ones on top.
    pub arrows: Vec<Arrow>,
    /// Description for readers who cannot see the picture; `None` for the position and what there is to do.
    pub title: Option<String>,
}

impl Default for SvgOptions {
    fn default() -> Self {
        Self {
            width: 640,
            flip: false,
            theme: Theme::default(),
            labels: Labels::default(),
            caption: true,
            heat: Vec::new(),
            last: None,
            attacks: None,
            arrows: Vec::new(),
            title: None,
        }
    }
}

/// Colours of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Dark if the reader's system prefers that, else light; light wherever style sheets cannot ask.
    #[default]
    Auto,
    /// For paper and light pages.
    Light,
    /// For dark pages.
    Dark,
    /// No colours at all: those of the page that the picture stands in, for its classes.
    Page,
}

impl Theme {
    /// `auto`, `light`, `dark` or `page`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
            Self::Page => "page",
        }
    }
}

/// The names that a picture shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Labels {
    /// No names.
    None,
    /// Letters of rows, and numbers of columns for the rows at the top and at the bottom.
    Edge,
    /// Those, and the name of every cell in small type: every other row is shifted, so that numbers at the edge alone
    /// have to be followed with a finger.
    #[default]
    Cells,
}

/// The colour of one cell by a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Heat {
    /// The cell.
    pub cell: Cell,
    /// From 0 to 1, shown as [`value_color`].
    pub value: f64,
    /// Printed in the cell if no die stands there; a few characters.
    pub text: Option<String>,
}

/// An arrow along the way of dice.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrow {
    /// The way.
    pub course: Course,
    /// Thickness, where a cell is 1 wide.
    pub width: f64,
    /// A colour in CSS, such as [`value_color`] gives; `None` for that of the theme.
    pub color: Option<String>,
    /// Printed on the middle of the way; a few characters.
    pub label: Option<String>,
}

impl Arrow {
    /// An arrow in the usual width and the colour of the theme, without a label.
    pub const fn new(course: Course) -> Self {
        Self {
            course,
            width: 0.1,
            color: None,
            label: None,
        }
    }
}

impl Position {
    /// The position as an SVG document: pure text, the same for the same position and options.
    ///
    /// Column 9 is repeated faintly before column 1, and column 1 behind column 9, since they are adjacent. An arrow
    /// that goes around leaves the board at one side and comes back at the other. Elements of cells and dice carry the
    /// name of their cell in `data-cell`, those of faint copies in `data-ghost`.
    pub fn to_svg(&self, options: &SvgOptions) -> String {
        draw(self, self.task(), options)
    }
}

impl Setup {
    /// The placement as an SVG document, whether or not a game can reach it: an empty board, or the few dice of a
    /// diagram. A die on the Chamber is left out. See [`Position::to_svg`].
    pub fn to_svg(&self, options: &SvgOptions) -> String {
        let mut position = Position::empty(self.to_move, self.quiet_turns, self.turn);
        for cell in Cell::all().filter(|&cell| cell != Cell::CHAMBER) {
            if let Some(die) = self.dice[cell.index()] {
                position.place(die.player, die.speed, cell);
            }
        }
        draw(&position, "a diagram".to_owned(), options)
    }
}

/// `task` says what the picture is of, or what the player to move has to do.
fn draw(position: &Position, task: String, options: &SvgOptions) -> String {
    let mut picture = Picture {
        position,
        task,
        options,
        layout: Layout { flip: options.flip },
        svg: String::with_capacity(32 << 10),
    };
    picture.document();
    picture.svg
}

/// A hexagon around its centre, after a move there.
const HEXAGON: &str = "m0-23.1l20 11.55v23.1l-20 11.55-20-11.55v-23.1z";
/// The same a little smaller, within the lines between cells.
const INNER_HEXAGON: &str = "m0-18l15.6 9v18l-15.6 9-15.6-9v-18z";

/// Pips as strokes of no length, whose round ends make dots.
const PIPS: [&str; 6] = [
    "M0 0h0",
    "M-6.5-6.5h0M6.5 6.5h0",
    "M-6.5-6.5h0M0 0h0M6.5 6.5h0",
    "M-6.5-6.5h0M6.5-6.5h0M-6.5 6.5h0M6.5 6.5h0",
    "M-6.5-6.5h0M6.5-6.5h0M0 0h0M-6.5 6.5h0M6.5 6.5h0",
    "M-6.5-7h0M-6.5 0h0M-6.5 7h0M6.5-7h0M6.5 0h0M6.5 7h0",
];

struct Picture<'a> {
    position: &'a Position,
    task: String,
    options: &'a SvgOptions,
    layout: Layout,
    svg: String,
}

/// Appends formatted text; writing to a `String` cannot fail.
macro_rules! put {
    ($picture:expr, $($argument:tt)*) => {
        let _ = write!($picture.svg, $($argument)*);
    };
}
use put;

impl Picture<'_> {
    fn document(&mut self) {
        let options = self.options;
        let [x, y, width, height] = Layout::view(options);
        let title = options.title.clone().unwrap_or_else(|| self.title());
        put!(
            self,
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="chase-{theme}" width="{pixels}" height="{high}" viewBox="{} {} {} {}" role="img"><title>{title}</title>{sheet}"#,
            number(x),
            number(y),
            number(width),
            number(height),
            theme = options.theme.name(),
            pixels = options.width,
            high = (f64::from(options.width) * height / width).round(),
            title = escape(&title),
            sheet = style::element(options.theme),
        );
        put!(
            self,
            r#"<rect class="paper" x="{}" y="{}" width="{}" height="{}"/>"#,
            number(x),
            number(y),
            number(width),
            number(height)
        );
        self.board();
        if options.labels != Labels::None {
            self.edge();
        }
        if options.caption {
            self.caption();
        }
        self.svg.push_str("</svg>\n");
    }

    /// The title, for readers who cannot see the picture.
    fn title(&self) -> String {
        let position = self.position;
        format!("Chase, turn {}: {}. {position}", position.turn(), self.task)
    }

    /// Draws everything that is cut off where the ghost cells end.
    fn board(&mut self) {
        let [left, top, width, height] = Layout::BOARD.map(number);
        // A nested viewport clips without an id, which two pictures on one page would share.
        put!(
            self,
            r#"<svg x="{left}" y="{top}" width="{width}" height="{height}" viewBox="{left} {top} {width} {height}">"#
        );
        self.ghosts();
        for cell in Cell::all() {
            self.cell(cell, self.layout.centre(cell), "cell");
        }
        for heat in &self.options.heat {
            self.heat(heat);
        }
        if let Some(last) = &self.options.last {
            for cell in last.cells() {
                self.fill("last", cell, HEXAGON);
            }
        }
        self.attacks();
        self.names();
        if let Some(last) = &self.options.last {
            self.course(last, 3.0, r#"class="way""#);
        }
        for (cell, die) in self.position.all_dice() {
            self.die(cell, die, self.layout.centre(cell), "cell");
        }
        for arrow in &self.options.arrows {
            self.arrow(arrow);
        }
        self.svg.push_str("</svg>");
    }

    /// Faint copies of the columns at the other side.
    fn ghosts(&mut self) {
        self.svg.push_str(r#"<g class="ghost">"#);
        for row in 0..SIDE {
            for (column, turns) in [(0, 1), (SIDE - 1, -1)] {
                let cell = Cell::wrapped(row, column as isize);
                let at = self.layout.copy(cell, turns);
                self.cell(cell, at, "ghost");
                if let Some(die) = self.position.die(cell) {
                    self.die(cell, die, at, "ghost");
                }
            }
        }
        self.svg.push_str("</g>");
    }

    fn cell(&mut self, cell: Cell, [x, y]: [f64; 2], role: &str) {
        let [x, y] = [x, y].map(number);
        if cell == Cell::CHAMBER {
            put!(
                self,
                r#"<path class="chamber" data-{role}="{cell}" d="M{x} {y}{HEXAGON}"/>"#
            );
            put!(
                self,
                r#"<path class="ring" d="M{x} {y}m0-15l13 7.5v15l-13 7.5-13-7.5v-15z"/>"#
            );
            return;
        }
        // Three tints, no two neighbours alike: nine columns let the pattern close around the cylinder.
        let tint = (cell.axial_column() + 2 * cell.row()) % 3;
        put!(
            self,
            r#"<path class="c{tint}" data-{role}="{cell}" d="M{x} {y}{HEXAGON}"/>"#
        );
    }

    fn fill(&mut self, class: &str, cell: Cell, shape: &str) {
        let [x, y] = self.layout.centre(cell).map(number);
        put!(self, r#"<path class="{class}" d="M{x} {y}{shape}"/>"#);
    }

    fn heat(&mut self, heat: &Heat) {
        let centre = self.layout.centre(heat.cell);
        let [x, y] = centre.map(number);
        put!(
            self,
            r#"<path fill="{}" d="M{x} {y}{INNER_HEXAGON}"/>"#,
            value_color(heat.value)
        );
        if let (Some(text), None) = (&heat.text, self.position.die(heat.cell)) {
            let [color, text, y] = [style::text_color(heat.value), &escape(text), &number(centre[1] + 3.0)];
            put!(
                self,
                r#"<text class="tag" fill="{color}" x="{x}" y="{y}">{text}</text>"#
            );
        }
    }

    fn names(&mut self) {
        if self.options.labels != Labels::Cells {
            return;
        }
        let heated: Bitboard = self.options.heat.iter().map(|heat| heat.cell).collect();
        for cell in Cell::all().filter(|&cell| cell != Cell::CHAMBER && !heated.contains(cell)) {
            let [x, y] = self.layout.centre(cell);
            // Without a die to share the cell with, the name stands in the middle.
            let below = if self.position.die(cell).is_some() { 20.0 } else { 2.5 };
            put!(
                self,
                r#"<text class="name" x="{}" y="{}">{cell}</text>"#,
                number(x),
                number(y + below)
            );
        }
    }

    fn die(&mut self, cell: Cell, die: Die, [x, y]: [f64; 2], role: &str) {
        let (player, pips) = (die.player.name(), usize::from(die.speed.pips()));
        put!(
            self,
            r#"<g class="die {player}" data-{role}="{cell}" data-speed="{pips}" transform="translate({} {})"><rect x="-12.5" y="-12.5" width="25" height="25" rx="5"/><path d="{}"/></g>"#,
            number(x),
            number(y),
            PIPS[pips - 1]
        );
    }

    /// A dot for every die that attacks a cell.
    fn attacks(&mut self) {
        let Some(player) = self.options.attacks else {
            return;
        };
        let levels = self.position.attacks::<10>(player);
        for cell in levels[0] {
            let attackers = levels.iter().filter(|level| level.contains(cell)).count();
            let [x, y] = self.layout.centre(cell);
            let [player, left, top] = [player.name().to_owned(), number(x), number(y)];
            put!(
                self,
                r#"<g class="by-{player}" data-attacked="{cell}"><path fill-opacity=".22" d="M{left} {top}{INNER_HEXAGON}"/>"#
            );
            for dot in 0..attackers {
                let across = 4.5 * (dot as f64 - (attackers as f64 - 1.0) / 2.0);
                put!(
                    self,
                    r#"<circle cx="{}" cy="{}" r="2"/>"#,
                    number(x + across),
                    number(y - 16.0)
                );
            }
            self.svg.push_str("</g>");
        }
    }

    /// Letters and numbers around the board.
    fn edge(&mut self) {
        let [left, top, width, height] = Layout::BOARD;
        for row in 0..SIDE {
            let letter = char::from(b'A' + row as u8);
            let [_, y] = self.layout.centre(Cell::wrapped(row, 0));
            for x in [left - 9.0, left + width + 9.0] {
                put!(
                    self,
                    r#"<text class="edge" x="{}" y="{}">{letter}</text>"#,
                    number(x),
                    number(y + 4.0)
                );
            }
        }
        for row in [0, SIDE - 1] {
            for column in 0..SIDE {
                let [x, y] = self.layout.centre(Cell::wrapped(row, column as isize));
                let y = if y < top + height / 2.0 {
                    top - 5.0
                } else {
                    top + height + 13.0
                };
                put!(
                    self,
                    r#"<text class="edge" x="{}" y="{}">{}</text>"#,
                    number(x),
                    number(y),
                    column + 1
                );
            }
        }
    }

    fn caption(&mut self) {
        let position = self.position;
        let [left, top, _, height] = Layout::BOARD;
        let y = top
            + height
            + if self.options.labels == Labels::None {
                18.0
            } else {
                33.0
            };
        let [mover, task] = [position.to_move().name().to_owned(), self.task.clone()];
        let dice = Player::BOTH.map(|player| {
            let showing = match position.total(player) {
                TOTAL => String::new(),
                total => format!(" showing {total}"),
            };
            format!("{} dice{showing}", position.dice(player).count())
        });
        put!(
            self,
            r#"<g class="die {mover}"><rect x="{}" y="{}" width="12" height="12" rx="3"/></g>"#,
            number(left + 4.0),
            number(y - 10.0)
        );
        let x = number(left + 22.0);
        put!(
            self,
            r#"<text class="say" font-weight="600" x="{x}" y="{}">{task}</text>"#,
            number(y)
        );
        put!(
            self,
            r#"<text class="say" x="{x}" y="{}">White {} · Black {} · turn {}</text>"#,
            number(y + 15.0),
            dice[0],
            dice[1],
            position.turn()
        );
    }
}

/// Text as XML character data or attribute value.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML 1.0 cannot hold these, not even escaped.
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            character if character.is_control() => escaped.push('\u{fffd}'),
            character => escaped.push(character),
        }
    }
    escaped
}
