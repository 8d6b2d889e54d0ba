//! Display of figures as they become known, and of what is measured meanwhile.

use std::fmt::Display;
use std::io;

use super::figure::Figure;
use crate::output::Output;
use crate::{cli, columns};

/// Positions of the bar: it shows a share of the time of one measurement.
const STEPS: u64 = 100;
const STYLE: &str = "{spinner} measuring {wide_msg} [{bar:12}] {elapsed}";

/// Columns that a narrow terminal can do without: the target, then the extremes.
const DISPENSABLE: [usize; 2] = [3, 2];
/// The least widths of the columns: rows are printed one by one, before the widths of later rows are known.
const WIDTHS: [usize; 5] = [38, 7, 17, 7, 6];

/// A table that grows: headings, and below each of them its rows as soon as they are known. At a terminal a bar shows
/// what is measured now.
pub struct Console {
    output: Output,
    /// Spent on each figure.
    pub seconds: f64,
    /// What the next figures are about.
    heading: String,
    figures: Vec<Figure>,
}

impl Console {
    /// A display; a silent one only collects the figures.
    pub fn new(silent: bool, seconds: f64) -> Self {
        Self {
            // JSON is printed at the end.
            output: Output::new(silent, false, STEPS, STYLE),
            seconds,
            heading: String::new(),
            figures: Vec::new(),
        }
    }

    /// Prints the titles of the columns.
    pub fn titles(&self) -> io::Result<()> {
        self.print([line(Figure::HEADINGS.map(String::from))])
    }

    /// Prints the heading of the rows that follow.
    pub fn begin(&mut self, heading: impl Display) -> io::Result<()> {
        self.heading = heading.to_string();
        self.measure(&self.heading);
        self.print([self.heading.clone()])
    }

    /// Displays what is measured from now on.
    pub fn measure(&self, what: impl Display) {
        self.output.bar.set_position(0);
        self.output.bar.reset_elapsed();
        self.output.bar.set_message(what.to_string());
        self.output.tick();
    }

    /// Displays the share of the current measurement that is done.
    pub fn progress(&self, share: f64) {
        self.output.bar.set_position((share * STEPS as f64) as u64);
    }

    /// Prints figures, each as a row below the heading.
    pub fn add(&mut self, figures: impl IntoIterator<Item = Figure>) -> anyhow::Result<()> {
        for figure in figures {
            let [label, median, spread, target, ratio] = figure.row();
            self.print([line([format!("  {label}"), median, spread, target, ratio])])?;
            self.figures.push(figure.under(&self.heading));
        }
        Ok(())
    }

    /// Ends the display; returns the figures.
    pub fn finish(self) -> Vec<Figure> {
        self.output.bar.finish_and_clear();
        self.figures
    }

    fn print(&self, lines: impl IntoIterator<Item = String>) -> io::Result<()> {
        match self.output.json {
            true => Ok(()),
            false => self.output.bar.suspend(|| lines.into_iter().try_for_each(cli::print)),
        }
    }
}

/// A row of the table, at most as wide as the terminal.
fn line(row: [String; 5]) -> String {
    let least = WIDTHS.map(|width| "-".repeat(width));
    let lines = columns::fitted(&[least, row], columns::width(), &DISPENSABLE);
    lines.into_iter().next_back().unwrap_or_default()
}
