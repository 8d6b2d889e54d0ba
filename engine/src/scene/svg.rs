//! Drawings of positions as SVG.

use std::fmt::Write as _;

use super::text::stack;
use super::{CellShape, Scene, SceneCell, ScenePiece, Shade};
use crate::Player;

/// Pixels per unit, the width of a cell.
const UNIT: f64 = 48.0;
/// Free space on every side, for the names of rows and files.
const MARGIN: f64 = 24.0;
/// Radius of a piece.
const RADIUS: f64 = 17.0;
/// Height of a piece above the one below it, unless the stack would then leave the cell.
const STEP: f64 = 4.0;
/// Largest height of a stack's top piece above the centre of its cell.
const HIGHEST: f64 = 20.0;

/// Dark and light pieces differ in lightness alone, so that they stay distinct in print and for colour-blind readers.
/// The three colours are those of Paul Tol's scheme "light" (<https://personal.sron.nl/~pault/>), for cells with text
/// that colour-blind readers can tell apart.
const STYLE: &str = "\
.scene text{font-family:system-ui,'DejaVu Sans',sans-serif;text-anchor:middle;dominant-baseline:central}\
.scene .paper{fill:#fff}.scene .plain{fill:#f1e9da}.scene .dark{fill:#c9b28b}.scene .unused{fill:#f7f2e8}\
.scene .special{fill:#dfe6ea}.scene .cell{stroke:#a3977a;stroke-width:1}\
.scene .colour-1{fill:#7ad}.scene .colour-2{fill:#ed8}.scene .colour-3{fill:#e86}.scene .on-colour{fill:#26231d}\
.scene .marked{fill:none;stroke:#e69f00;stroke-width:4}.scene .edge{fill:#6d6450;font-size:12px}\
.scene .first circle{fill:#2b2a2e;stroke:#f7f3e8}.scene .second circle{fill:#fffefa;stroke:#26231d}\
.scene circle{stroke-width:1.5}.scene .first text{fill:#f7f3e8}.scene .second text{fill:#26231d}\
.scene .crown{fill:none}.scene .first .crown{stroke:#f7f3e8}.scene .second .crown{stroke:#26231d}\
.scene .label{font-size:15px;font-weight:600}";

/// The style of figures, for the scenes that have any.
const FIGURES: &str = "\
.scene .figure{stroke-width:3;stroke-linejoin:round;stroke-linecap:round}\
.scene .first .figure{fill:#fffefa;stroke:#26231d}.scene .second .figure{fill:#2b2a2e;stroke:#f7f3e8}";

impl Scene {
    /// The position as a picture `width` pixels wide. Pieces of a stack are drawn on each other, the newest on top, and
    /// the whole stack is the title of its cell, which viewers show under the pointer.
    pub fn to_svg(&self, width: u32) -> String {
        let [_, _, w, h] = self.view();
        let height = (f64::from(width) * h / w).round();
        let attributes =
            format!("xmlns=\"http://www.w3.org/2000/svg\" class=\"scene\" width=\"{width}\" height=\"{height}\"");
        let mut pieces = self.cells.iter().flat_map(|cell| &cell.pieces);
        let figures = match pieces.any(|piece| piece.figure.is_some()) {
            true => FIGURES,
            false => "",
        };
        let paper = format!("<style>{STYLE}{figures}</style><rect class=\"paper\" width=\"100%\" height=\"100%\"/>");
        self.draw(&attributes, &paper, &[])
    }

    /// The position as an element of a page that has a style sheet for its classes, with arrows along ways: cells by
    /// number, or a ring around a single one.
    pub(super) fn to_diagram(&self, ways: &[Vec<usize>], first_is_dark: bool) -> String {
        let dark = if first_is_dark { " dark-first" } else { "" };
        self.draw(&format!("class=\"diagram{dark}\""), "", ways)
    }

    /// Left and top of the middles of cells, width and height of the picture.
    fn view(&self) -> [f64; 4] {
        let most = |of: &dyn Fn(&SceneCell) -> f64| self.cells.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        let (left, top) = (-most(&|cell| -cell.x), -most(&|cell| -cell.y));
        let (across, down) = (most(&|cell| cell.x) - left + 1.0, most(&|cell| cell.y) - top + 1.0);
        [left, top, across * UNIT + 2.0 * MARGIN, down * UNIT + 2.0 * MARGIN]
    }

    fn draw(&self, attributes: &str, paper: &str, ways: &[Vec<usize>]) -> String {
        let [left, top, w, h] = self.view();
        let mut svg = format!(
            "<svg {attributes} viewBox=\"0 0 {w:.0} {h:.0}\" role=\"img\"><title>{}</title>{paper}",
            escaped(&self.caption)
        );
        let place = |cell: &SceneCell| {
            let along = |value: f64, from: f64| MARGIN + (value - from + 0.5) * UNIT;
            (along(cell.x, left), along(cell.y, top))
        };
        for cell in &self.cells {
            let (x, y) = place(cell);
            let outline = self.outline(x, y, UNIT / 2.0);
            let _ = write!(svg, "<path class=\"cell {}\" d=\"{outline}\"/>", class(cell.shade));
            if let Some(second) = cell.shade.colours().nth(1) {
                let half = self.right_half(x, y, UNIT / 2.0);
                let _ = write!(svg, "<path class=\"colour-{second}\" d=\"{half}\"/>");
            }
            if cell.marked {
                let inner = self.outline(x, y, UNIT / 2.0 - 2.0);
                let _ = write!(svg, "<path class=\"marked\" d=\"{inner}\"/>");
            }
        }
        self.names(&mut svg, &place);
        for cell in self.cells.iter().filter(|cell| !cell.pieces.is_empty()) {
            let (x, y) = place(cell);
            let step = STEP.min(HIGHEST / cell.pieces.len() as f64);
            let _ = write!(
                svg,
                "<g><title>{} {}</title>",
                escaped(&cell.name),
                escaped(&stack(cell))
            );
            for (below, piece) in cell.pieces.iter().rev().enumerate() {
                let is_top = below + 1 == cell.pieces.len();
                draw(&mut svg, piece, x, y - step * below as f64, is_top);
            }
            svg.push_str("</g>");
        }
        for way in ways {
            let points: Vec<(f64, f64)> = way.iter().map(|&cell| place(&self.cells[cell])).collect();
            arrow(&mut svg, &points);
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn outline(&self, x: f64, y: f64, half: f64) -> String {
        path(&self.corners(), x, y, half)
    }

    /// The half of a cell in which its second colour is.
    fn right_half(&self, x: f64, y: f64, half: f64) -> String {
        let right = self.corners().into_iter().map(|(dx, dy)| (dx.max(0.0), dy));
        path(&right.collect::<Vec<_>>(), x, y, half)
    }

    /// The corners of a cell from its top, in halves of its width.
    fn corners(&self) -> Vec<(f64, f64)> {
        match self.shape {
            CellShape::Square => vec![(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)],
            CellShape::Hexagon => {
                let (near, far) = (1.0 / 3f64.sqrt(), 2.0 / 3f64.sqrt());
                vec![
                    (0.0, -far),
                    (1.0, -near),
                    (1.0, near),
                    (0.0, far),
                    (-1.0, near),
                    (-1.0, -near),
                ]
            }
        }
    }

    /// Names of rows and files at the margins of a board of squares, or of each cell on a board of hexagons.
    fn names(&self, svg: &mut String, place: &dyn Fn(&SceneCell) -> (f64, f64)) {
        let mut write = |x: f64, y: f64, text: &str, class: &str| {
            let _ = write!(
                svg,
                "<text class=\"edge{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
                escaped(text)
            );
        };
        let least = |of: &dyn Fn(&SceneCell) -> f64| self.cells.iter().map(of).fold(f64::INFINITY, f64::min);
        let (left, bottom) = (least(&|cell| cell.x), -least(&|cell| -cell.y));
        for cell in &self.cells {
            let (x, y) = place(cell);
            let digits = cell.name.trim_start_matches(|first: char| first.is_ascii_alphabetic());
            match self.shape {
                CellShape::Square => {
                    if cell.x == left {
                        write(MARGIN / 2.0, y, digits, "");
                    }
                    if cell.y == bottom {
                        write(
                            x,
                            y + (UNIT + MARGIN) / 2.0,
                            &cell.name[..cell.name.len() - digits.len()],
                            "",
                        );
                    }
                }
                CellShape::Hexagon => {
                    if cell.pieces.is_empty() {
                        let is_coloured = cell.shade.colours().next().is_some();
                        write(x, y, &cell.name, if is_coloured { " on-colour" } else { "" });
                    }
                }
            }
        }
    }
}

/// An arrow through points, or a ring around a single one.
fn arrow(svg: &mut String, points: &[(f64, f64)]) {
    match points {
        [] => {}
        [(x, y)] => {
            let _ = write!(
                svg,
                "<circle class=\"around\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\"/>"
            );
        }
        [.., (x, y), (u, v)] => {
            let length = (u - x).hypot(v - y).max(1.0);
            let (dx, dy) = ((u - x) / length, (v - y) / length);
            // The head, and the shaft up to it.
            let (base_x, base_y) = (u - 14.0 * dx, v - 14.0 * dy);
            let mut shaft: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
            *shaft.last_mut().expect("a way has an end") = format!("{base_x:.1} {base_y:.1}");
            let _ = write!(
                svg,
                "<path class=\"shaft\" d=\"M{}\"/><path class=\"head\" d=\"M{u:.1} {v:.1}L{:.1} {:.1}L{:.1} {:.1}Z\"/>",
                shaft.join("L"),
                base_x - 8.0 * dy,
                base_y + 8.0 * dx,
                base_x + 8.0 * dy,
                base_y - 8.0 * dx
            );
        }
    }
}

/// A closed path through corners around a centre.
fn path(corners: &[(f64, f64)], x: f64, y: f64, half: f64) -> String {
    let corners = corners.iter();
    let points: Vec<String> = corners
        .map(|(dx, dy)| format!("{:.1} {:.1}", x + half * dx, y + half * dy))
        .collect();
    format!("M{}Z", points.join("L"))
}

const fn class(shade: Shade) -> &'static str {
    match shade {
        Shade::Plain => "plain",
        Shade::Dark => "dark",
        Shade::Unused => "unused",
        Shade::Special => "special",
        Shade::Coloured(bits) if bits & 1 != 0 => "colour-1",
        Shade::Coloured(bits) if bits & 2 != 0 => "colour-2",
        Shade::Coloured(_) => "colour-3",
    }
}

/// Draws a piece; its text is readable only on top of a stack.
fn draw(svg: &mut String, piece: &ScenePiece, x: f64, y: f64, is_top: bool) {
    let class = match piece.player {
        Player::White => "first",
        Player::Black => "second",
    };
    if let Some(figure) = piece.figure {
        let scale = UNIT / 100.0;
        let _ = write!(
            svg,
            "<g class=\"{class}\"><path class=\"figure\" transform=\"translate({x:.1} {y:.1}) scale({scale})\" d=\"{figure}\"/></g>"
        );
        return;
    }
    let _ = write!(
        svg,
        "<g class=\"{class}\"><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\"/>"
    );
    if is_top && piece.is_king {
        // A crown: five points over a base.
        let _ = write!(
            svg,
            "<path class=\"crown\" stroke-width=\"2\" stroke-linejoin=\"round\" d=\"M{:.1} {:.1}l-2 -10l5.5 4.5l4.5 -7.5l4.5 7.5l5.5 -4.5l-2 10z\"/>",
            x - 8.0,
            y + 6.0
        );
    } else if is_top && !piece.label.is_empty() {
        let _ = write!(
            svg,
            "<text class=\"label\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
            escaped(&piece.label)
        );
    }
    svg.push_str("</g>");
}

/// Escapes text for the content of an element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
