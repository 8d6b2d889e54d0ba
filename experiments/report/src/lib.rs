//! Self-contained report pages: HTML without scripts, charts and boards as SVG, numbers as people read them.
//!
//! The kit knows no run, tournament or study, and needs no libtorch: [`markup`] and [`page`] build a document, [`chart`]
//! draws, [`number`] formats, [`exhibit`] holds pictures, tables and charts as data, and [`drawing`] draws those.
//!
//! # Example
//!
//! ```
//! use chase_report::chart::{Axis, LineChart, Point, Series, Unit};
//! use chase_report::page;
//!
//! let chart = LineChart {
//!     title: "Rating by generation".to_owned(),
//!     x: Axis::new("generation", Unit::Count),
//!     y: Axis::new("Elo", Unit::Elo),
//!     series: vec![],
//! };
//! let html = page::document("A run", [page::section("Strength", [page::figure("Elo", chart.chart(), "Made up.")])]);
//! assert!(html.starts_with("<!DOCTYPE html>"));
//! ```

pub mod board;
pub mod chart;
pub mod drawing;
pub mod exhibit;
pub mod markup;
pub mod number;
pub mod page;
