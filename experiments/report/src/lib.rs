//! Self-contained report pages: HTML without scripts, charts and boards as SVG, and numbers formatted for people.
//!
//! The kit knows no run, tournament or study, and needs no libtorch: [`page`] has the parts of a document, which is a
//! template of [`maud`], [`chart`] draws, [`number`] formats, and [`board`] has boards as data and draws
//! them.
//!
//! # Example
//!
//! ```
//! use chase_report::chart::{Axis, LineChart, Point, ChartLine, Quantity};
//! use chase_report::page;
//!
//! let point = |x: f64, y: f64| Point { x, y: Some(y), ..Point::default() };
//! let chart = LineChart {
//!     title: "Rating by generation".to_owned(),
//!     x: Axis::new("generation", Quantity::Whole),
//!     y: Axis::new("Elo", Quantity::Elo),
//!     series: vec![ChartLine { name: String::new(), points: vec![point(0.0, 0.0), point(10.0, 950.0)] }],
//!     reference: None,
//! };
//! let html = page::document("A run", [page::figure("Elo", chart.chart(), "Made up.")]);
//! assert!(html.starts_with("<!DOCTYPE html>") && html.contains("<svg"));
//! ```

pub mod board;
pub mod chart;
pub mod number;
pub mod page;
