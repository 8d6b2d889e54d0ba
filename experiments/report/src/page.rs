//! The page around charts and tables: a single file without other resources or scripts, light or dark by the reader's
//! system.

use crate::chart::Chart;
use crate::markup::{Element, Node, element};

/// Style sheet for the classes of [`crate::chart`] and of this module.
const STYLE: &str = include_str!("style.css");

/// A whole page. It is XML as well as HTML.
pub fn document(title: &str, body: impl IntoIterator<Item = Element>) -> String {
    let head = element("head")
        .with(element("meta").attr("charset", "utf-8"))
        .with(
            element("meta")
                .attr("name", "viewport")
                .attr("content", "width=device-width, initial-scale=1"),
        )
        .with(element("title").with(title))
        .with(element("style").with(Node::Raw(STYLE.replace('\n', ""))));
    let page = element("html")
        .attr("xmlns", "http://www.w3.org/1999/xhtml")
        .attr("lang", "en")
        .with(head)
        .with(element("body").with(element("main").with_all(body)));
    format!("<!DOCTYPE html>\n{page}\n")
}

/// A section of a page under a heading.
pub fn section(heading: &str, content: impl IntoIterator<Item = Element>) -> Element {
    element("section").with(element("h2").with(heading)).with_all(content)
}

/// A paragraph.
pub fn paragraph(text: impl Into<Node>) -> Element {
    element("p").with(text)
}

/// A chart with its heading and keys, and its method below.
pub fn figure(heading: &str, chart: Chart, method: &str) -> Element {
    let keys = element("ul").class("keys").with_all(
        chart
            .keys
            .into_iter()
            .map(|(sample, name)| element("li").with(sample).with(name)),
    );
    picture(heading, [keys, chart.picture], method)
}

/// Any picture with its heading, and its method below.
pub fn picture<N: Into<Node>>(heading: &str, content: impl IntoIterator<Item = N>, method: &str) -> Element {
    element("figure")
        .with(element("h3").with(heading))
        .with_all(content)
        .with(element("figcaption").with(method))
}

/// Figures side by side, if there is room.
pub fn cards(figures: impl IntoIterator<Item = Element>) -> Element {
    element("div").class("cards").with_all(figures)
}

/// A large number with its name above and its details below.
pub fn tile(what: &str, number: impl Into<String>, particulars: &str) -> Element {
    let number: String = number.into();
    element("div")
        .class("tile")
        .with(element("span").with(what))
        .with(element("b").with(number))
        .with(element("span").with(particulars))
}

/// A table whose first column stays visible while the others are scrolled.
pub fn table(headings: &[&str], rows: impl IntoIterator<Item = Vec<Node>>) -> Element {
    let heading = |text: &&str| element("th").attr("scope", "col").with(*text);
    let row = |cells: Vec<Node>| element("tr").with_all(cells.into_iter().map(|cell| element("td").with(cell)));
    element("div").class("scroll").with(
        element("table")
            .with(element("thead").with(element("tr").with_all(headings.iter().map(heading))))
            .with(element("tbody").with_all(rows.into_iter().map(row))),
    )
}
