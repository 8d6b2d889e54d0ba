//! The rules of a game for its page, which knows none.

use axum::Json;
use axum::extract::Path;
use chase_engine::{Diagram, Words};
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use serde_json::json;

use super::refusal::{Answer, Refusal};
use super::replay::game_name;

/// `GET /api/games/{game}/rules`: what the page says of a game. The rules are HTML, without title and summary. Headings
/// begin with the third level, below those of the page.
pub async fn rules(Path(game): Path<String>) -> Answer {
    let words = game_name(Some(&game))?.words();
    let rules = to_html(&words).map_err(Refusal::fault)?;
    Ok(Json(json!({
        "title": words.title,
        "summary": words.summary,
        "entering": words.entering,
        "rules": rules,
    })))
}

/// The rules as HTML: without raw HTML, which stays text, and with diagrams as pictures.
fn to_html(words: &Words) -> Result<String, String> {
    // The page has them at its head.
    let body = words.rules.splitn(3, "\n\n").nth(2).unwrap_or_default();
    let mut events = Parser::new_ext(body, Options::ENABLE_TABLES);
    let mut shown = Vec::new();
    while let Some(event) = events.next() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) if &*language == Diagram::LANGUAGE => {
                let block = events
                    .by_ref()
                    .take_while(|event| !matches!(event, Event::End(TagEnd::CodeBlock)));
                let text: String = block.filter_map(text_of).collect();
                shown.push(Event::Html(figure(&text)?.into()));
            }
            other => shown.extend(tamed(other)),
        }
    }
    let mut page = String::new();
    html::push_html(&mut page, shown.into_iter());
    Ok(page)
}

fn text_of(event: Event<'_>) -> Option<String> {
    match event {
        Event::Text(text) => Some(text.into_string()),
        _ => None,
    }
}

/// What of an event may stand in a page. Links within the text lead nowhere there.
fn tamed(event: Event<'_>) -> Option<Event<'_>> {
    Some(match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        Event::Start(Tag::Heading { level, .. }) => Event::Start(Tag::Heading {
            level: below(level),
            id: None,
            classes: Vec::new(),
            attrs: Vec::new(),
        }),
        Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(below(level))),
        Event::Start(Tag::Link { .. } | Tag::Image { .. }) | Event::End(TagEnd::Link | TagEnd::Image) => return None,
        other => other,
    })
}

/// The level of a heading of the rules on the page.
fn below(level: HeadingLevel) -> HeadingLevel {
    HeadingLevel::try_from(level as usize + 1).unwrap_or(HeadingLevel::H6)
}

/// A diagram with its caption.
fn figure(text: &str) -> Result<String, String> {
    let diagram: Diagram = text.parse()?;
    let mut caption = String::new();
    html::push_html(&mut caption, [Event::Text(diagram.caption().into())].into_iter());
    let svg = diagram.to_svg()?;
    Ok(format!(
        "<figure>{}<figcaption aria-hidden=\"true\">{caption}</figcaption></figure>\n",
        svg.trim()
    ))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn html(rules: &str) -> Result<String, String> {
        to_html(&Words::of(format!(
            "# Go\n\nSurround.\n\n{rules}\n\n## Entering a move\n\nClick.\n"
        )))
    }

    #[test]
    fn no_raw_html_and_no_link_passes() {
        // A line that begins with a tag would be a block of HTML, in which there are no links.
        let page =
            html("## The board\n\nA <script>a()</script> and <b onclick=\"x\">b</b> [c](javascript:d) ![e](f.png)")
                .unwrap();
        assert!(page.contains("&lt;script&gt;a()&lt;/script&gt;"), "{page}");
        assert!(
            !page.contains("<script")
                && !page.contains("<b ")
                && !page.contains("javascript")
                && !page.contains("<img"),
            "{page}"
        );
        assert!(
            page.contains("<h3>The board</h3>") && !page.contains("Surround"),
            "{page}"
        );
    }

    #[test]
    fn a_faulty_diagram_is_an_error_that_says_where() {
        let faulty = html("## The board\n\n```position\nlines9: 9/9/9 o 1\n```");
        assert!(faulty.unwrap_err().starts_with("9/9/9 o 1: "));
        let page = html(
            "## The board\n\n```\nplain code\n```\n\n```position\nlines9: 9/9/9/9/9/9/9/9/9 o 1\nEmpty & plain.\n```",
        )
        .unwrap();
        assert!(
            page.contains("<pre><code>plain code") && page.matches("<svg").count() == 1,
            "{page}"
        );
        assert!(
            page.contains("<figcaption aria-hidden=\"true\">Empty &amp; plain.</figcaption>"),
            "{page}"
        );
    }
}
