//! Draws the exhibits of findings in the opening study: boards, tables and charts.

use chase_engine::chase::notation::{self, Course, Heat, SvgOptions, value_color};
use chase_engine::chase::{Action, Cell, Position, Setup};

use maud::{Markup, PreEscaped, Render, html};

use crate::board::{plain, ramp};
use crate::chart::{self, Axis, Chart, LineChart, Point};
use crate::exhibit::{Arrow, Board, Exhibit, IntervalPlot, LinePlot, Table};
use crate::page::{figure, picture, table_of};

/// Width of a board; pages scale it.
const BOARD: u32 = 480;
/// Most columns of a table that is shown next to other figures; wider tables have the whole width of the page.
const SHORT: usize = 4;

/// True if an exhibit needs the whole width of the page.
pub fn is_wide(exhibit: &Exhibit) -> bool {
    match exhibit {
        Exhibit::Table(table) => table.headings.len() > SHORT,
        Exhibit::Board(_) | Exhibit::Intervals(_) | Exhibit::Lines(_) => false,
    }
}

/// The exhibit as a figure of a page.
pub fn exhibit(exhibit: &Exhibit) -> Markup {
    match exhibit {
        Exhibit::Board(shown) => board(shown),
        Exhibit::Table(shown) => words(shown),
        Exhibit::Intervals(plot) => figure(&plot.title, intervals(plot), &plot.note),
        Exhibit::Lines(plot) => figure(&plot.title, lines(plot), &plot.note),
    }
}

/// A board, or a message in its place if its position is invalid.
fn board(shown: &Board) -> Markup {
    let setup: Setup = match shown.position.parse() {
        Ok(setup) => setup,
        Err(error) => {
            let sorry = html! { p.soft { "no board: " (error) } };
            return picture(&shown.title, sorry, &shown.note);
        }
    };
    let position = setup.validate().ok();
    let options = SvgOptions {
        heat: shown.cells.iter().filter_map(heat).collect(),
        arrows: shown
            .arrows
            .iter()
            .filter_map(|shown| arrow(shown, position.as_ref()))
            .collect(),
        ..plain(BOARD)
    };
    let svg = position.map_or_else(|| setup.to_svg(&options), |position| position.to_svg(&options));
    let content = html! {
        @if let Some([low, high]) = &shown.scale { (ramp(low, high)) }
        (PreEscaped(svg))
    };
    picture(&shown.title, content, &shown.note)
}

fn heat(mark: &crate::exhibit::CellMark) -> Option<Heat> {
    Some(Heat {
        cell: mark.cell.parse().ok()?,
        value: mark.value,
        text: (!mark.text.is_empty()).then(|| mark.text.clone()),
    })
}

fn arrow(shown: &Arrow, position: Option<&Position>) -> Option<notation::Arrow> {
    let course = match shown.way.split_once(' ') {
        Some((from, to)) => Course::between(from.parse().ok()?, to.parse().ok()?),
        None => {
            let action: Action = shown.way.parse().ok()?;
            match action {
                // An exchange has no path of its own.
                Action::Exchange { from, direction, .. } => Course::between(from, beside(from, direction)?),
                _ => position?.course(action).ok()?,
            }
        }
    };
    Some(notation::Arrow {
        width: if shown.value.is_some() { 0.14 } else { 0.1 },
        color: shown.value.map(value_color),
        label: (!shown.label.is_empty()).then(|| shown.label.clone()),
        ..notation::Arrow::new(course)
    })
}

fn beside(cell: Cell, direction: chase_engine::chase::Direction) -> Option<Cell> {
    chase_engine::chase::geometry::neighbour(cell, direction)
}

fn words(shown: &Table) -> Markup {
    let headings: Vec<&str> = shown.headings.iter().map(String::as_str).collect();
    let rows = shown.rows.iter().map(|row| row.iter().map(Render::render).collect());
    picture(&shown.title, table_of("words", &headings, rows), &shown.note)
}

fn intervals(plot: &IntervalPlot) -> Chart {
    let chart = chart::IntervalChart {
        title: plot.title.clone(),
        axis: Axis::new(plot.axis.as_str(), plot.quantity),
        reference: plot.reference,
        rows: plot.rows.clone(),
    };
    chart.chart()
}

fn lines(plot: &LinePlot) -> Chart {
    let x = Axis::new(plot.x.as_str(), plot.x_quantity);
    let series = plot.series.iter().map(|series| chart::ChartLine {
        name: series.name.clone(),
        points: series
            .points
            .iter()
            .map(|&(x, y, interval)| Point {
                x,
                y,
                interval,
                note: y.map_or(String::new(), |y| format!("{}: {x}, {y:.4}", series.name)),
            })
            .collect(),
    });
    let chart = LineChart {
        title: plot.title.clone(),
        x: if plot.x_logarithmic { x.logarithmic() } else { x },
        y: Axis::new(plot.y.as_str(), plot.y_quantity),
        series: series.collect(),
        reference: plot.reference.clone(),
    };
    chart.chart()
}
