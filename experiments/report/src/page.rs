//! The page around charts and tables: a single file without other resources or scripts, light or dark by the reader's
//! system. Pages are XML as well as HTML.

use maud::{DOCTYPE, Markup, PreEscaped, Render, html};

use crate::chart::Chart;
use crate::markup::{Element, Node, element};

/// Style sheet for the classes of [`crate::chart`] and of this module.
const STYLE: &str = include_str!("style.css");

/// What is between the name of a page and its beginning; elements without content end as in XML.
const META: PreEscaped<&str> =
    PreEscaped(r#"<meta charset="utf-8"/><meta name="viewport" content="width=device-width, initial-scale=1"/>"#);
/// A new line in a text.
pub const BREAK: PreEscaped<&str> = PreEscaped("<br/>");

/// A whole page.
pub fn document<N: Render>(title: &str, body: impl IntoIterator<Item = N>) -> String {
    let page = html! {
        (DOCTYPE) "\n"
        html xmlns="http://www.w3.org/1999/xhtml" lang="en" {
            head {
                (META)
                title { (title) }
                style { (PreEscaped(STYLE.replace('\n', ""))) }
            }
            body { main { @for part in body { (part) } } }
        }
        "\n"
    };
    legal(&page.into_string())
}

/// A text without the characters that neither XML nor HTML can hold, not even escaped.
fn legal(text: &str) -> String {
    let replaced = |character| match character {
        '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        legal => legal,
    };
    text.chars().map(replaced).collect()
}

/// A section of a page under a heading.
pub fn section<N: Into<Node>>(heading: &str, content: impl IntoIterator<Item = N>) -> Element {
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
pub fn cards<N: Into<Node>>(figures: impl IntoIterator<Item = N>) -> Element {
    element("div").class("cards").with_all(figures)
}

/// A large number with its name above and its details below.
pub fn tile(what: &str, number: impl Render, particulars: &str) -> Markup {
    html! { div.tile { span { (what) } b { (number) } span { (particulars) } } }
}

/// The head of a page: what it is about in a sentence, and particulars.
pub fn headline(title: &str, lead: &str, facts: &[String]) -> Markup {
    html! {
        h1 { (title) }
        p.lead { (lead) }
        p.facts { (facts.join(" · ")) }
    }
}

/// What a reader must know of the numbers of a page.
pub fn caveats<T: Render>(caveats: &[T]) -> Markup {
    html! {
        div.note {
            h2 { "Before you quote this" }
            ul { @for caveat in caveats { li { (caveat) } } }
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_cannot_be_broken_by_what_it_says() {
        let name = "a<b & \"c\">\u{1}";
        let page = document(name, [html! { p title=(name) { (name) (BREAK) } }]);
        let escaped = "a&lt;b &amp; &quot;c&quot;&gt;\u{fffd}";
        assert!(page.contains(&format!("<title>{escaped}</title>")), "{page}");
        assert!(
            page.contains(&format!("<p title=\"{escaped}\">{escaped}<br/></p>")),
            "{page}"
        );
    }
}
