//! The sweeps as a page with charts.

use chase_report::chart::{self, Axis, LineChart, Quantity};
use chase_report::markup::{Node, element};
use chase_report::page;
use chase_statistics::Interval;

use super::Report;
use super::scaling::{Sweep, SweepLine, SweepPoint};

/// The page, as HTML.
pub fn page(report: &Report) -> String {
    let machine = &report.machine;
    let facts = format!(
        "chase {} · {} cores · libtorch {} · load {} before, {} after · seconds are {}",
        report.version,
        machine.cores,
        machine.libtorch,
        load(machine.load_before),
        load(machine.load_after),
        match report.clock.is_cpu() {
            true => "CPU time of the process",
            false => "per second of wall-clock time",
        }
    );
    let body = [
        element("h1").with("Throughput"),
        page::paragraph(
            "What evaluations and self-play cost, one quantity at a time. Every point is the median of quotients \
             within rounds in which all points of its chart took turns; bands reach from the least to the greatest.",
        )
        .class("lead"),
        page::paragraph(facts).class("facts"),
    ];
    let sweeps = report.sweeps.iter().map(|sweep| {
        let figure = page::figure(sweep.title, chart(sweep), &sweep.method);
        page::section(sweep.title, [page::cards([figure]), table(sweep)])
    });
    page::document("Throughput", body.into_iter().chain(sweeps))
}

fn load(load: Option<f64>) -> String {
    load.map_or_else(|| "unknown".to_owned(), |load| format!("{load:.1}"))
}

fn chart(sweep: &Sweep) -> chart::Chart {
    let point = |point: &SweepPoint| chart::Point {
        x: point.x,
        y: Some(point.ratio),
        interval: Some(Interval {
            low: Some(point.low),
            high: Some(point.high),
        }),
        note: format!("{}: {:.3}", point.x, point.ratio),
    };
    let series = |series: &SweepLine| chart::ChartLine {
        name: series.name.clone(),
        points: series.points.iter().map(point).collect(),
    };
    LineChart {
        title: sweep.title.into(),
        x: Axis::new(sweep.x, Quantity::Whole).logarithmic(),
        y: Axis::new(sweep.y, Quantity::Plain).from_zero(),
        series: sweep.series.iter().map(series).collect(),
        reference: Some((1.0, "reference".into())),
    }
    .chart()
}

fn table(sweep: &Sweep) -> chase_report::markup::Element {
    let rows = sweep.series.iter().flat_map(|series| {
        series.points.iter().map(|point| -> Vec<Node> {
            vec![
                series.name.as_str().into(),
                format!("{}", (point.x * 100.0).round() / 100.0).into(),
                crate::cli::rate(point.rate).into(),
                format!("{:.3}", point.ratio).into(),
                format!("{:.3} … {:.3}", point.low, point.high).into(),
            ]
        })
    });
    page::table(&["series", sweep.x, "a second", "ratio", "least … greatest"], rows)
}
