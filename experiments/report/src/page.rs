//! The page around charts and tables: a single file without other resources or scripts, light or dark by the reader's
//! system. Pages are XML as well as HTML.

use maud::{DOCTYPE, Markup, PreEscaped, Render, html};

use crate::chart::Chart;

/// Style sheet for the classes of [`crate::chart`] and of this module.
const STYLE: &str = include_str!("style.css");

/// The elements between the name of a page and its beginning; elements without content end as in XML.
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

/// A chart with its heading and keys, and its method below.
pub fn figure(heading: &str, chart: Chart, method: &str) -> Markup {
    let content = html! {
        ul.keys { @for (sample, name) in &chart.keys { li { (sample) (name) } } }
        (chart.picture)
    };
    picture(heading, content, method)
}

/// Any picture with its heading, and its method below.
pub fn picture(heading: &str, content: impl Render, method: &str) -> Markup {
    html! { figure { h3 { (heading) } (content) figcaption { (method) } } }
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

/// Warnings about the numbers of a page.
pub fn caveats<T: Render>(caveats: &[T]) -> Markup {
    html! {
        div.note {
            h2 { "Before you quote this" }
            ul { @for caveat in caveats { li { (caveat) } } }
        }
    }
}

/// A table whose first column stays visible while the others are scrolled.
pub fn table(headings: &[&str], rows: impl IntoIterator<Item = Vec<Markup>>) -> Markup {
    html! {
        div.scroll {
            table {
                thead { tr { @for heading in headings { th scope="col" { (heading) } } } }
                tbody { @for row in rows { tr { @for cell in row { td { (cell) } } } } }
            }
        }
    }
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
