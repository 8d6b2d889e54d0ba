//! Elements, attributes and text: charts are built as trees, so that they are well-formed whatever their content. Pages
//! are templates of [`maud`]; each goes into the other.

use std::fmt;

use maud::{Markup, Render};

/// An element of HTML or SVG with its content.
#[derive(Clone, Debug)]
pub struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    content: Vec<Node>,
}

/// Content of an element.
#[derive(Clone, Debug)]
pub enum Node {
    /// An element.
    Element(Element),
    /// Text, escaped when it is written.
    Text(String),
    /// Well-formed markup, written unchanged.
    Raw(String),
}

/// An empty element.
pub fn element(name: &'static str) -> Element {
    Element {
        name,
        attributes: Vec::new(),
        content: Vec::new(),
    }
}

impl Element {
    /// Sets an attribute, replacing one of the same name.
    pub fn attr(mut self, name: &'static str, value: impl fmt::Display) -> Self {
        self.attributes.retain(|(known, _)| *known != name);
        self.attributes.push((name, value.to_string()));
        self
    }

    /// Sets the `class`.
    pub fn class(self, class: impl fmt::Display) -> Self {
        self.attr("class", class)
    }

    /// Adds a child.
    pub fn with(mut self, node: impl Into<Node>) -> Self {
        self.content.push(node.into());
        self
    }

    /// Adds children.
    pub fn with_all<N: Into<Node>>(mut self, nodes: impl IntoIterator<Item = N>) -> Self {
        self.content.extend(nodes.into_iter().map(Into::into));
        self
    }
}

impl From<Element> for Node {
    fn from(element: Element) -> Self {
        Self::Element(element)
    }
}

impl From<&str> for Node {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Node {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Markup> for Node {
    fn from(markup: Markup) -> Self {
        Self::Raw(markup.into_string())
    }
}

impl Render for Element {
    fn render_to(&self, page: &mut String) {
        *page += &self.to_string();
    }
}

/// Void elements of HTML, and shapes of SVG, which HTML allows to be self-closing.
const SELF_CLOSING: [&str; 9] = ["meta", "br", "col", "hr", "circle", "line", "path", "rect", "use"];

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}", self.name)?;
        for (name, value) in &self.attributes {
            write!(f, " {name}=\"{}\"", Escaped(value))?;
        }
        if self.content.is_empty() && SELF_CLOSING.contains(&self.name) {
            return f.write_str("/>");
        }
        f.write_str(">")?;
        self.content.iter().try_for_each(|node| node.fmt(f))?;
        write!(f, "</{}>", self.name)
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Element(element) => element.fmt(f),
            Self::Text(text) => Escaped(text).fmt(f),
            Self::Raw(markup) => f.write_str(markup),
        }
    }
}

/// Text as character data or as an attribute value.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        self.0.chars().try_for_each(|character| match character {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            // Neither XML nor HTML can hold these, not even escaped.
            '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}'),
            other => f.write_char(other),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_an_element_cannot_break_it() {
        let hostile = "a<b & \"c\">\u{1}";
        let text = element("p")
            .attr("title", hostile)
            .with(hostile)
            .with(element("br"))
            .to_string();
        let escaped = "a&lt;b &amp; &quot;c&quot;&gt;\u{fffd}";
        assert_eq!(text, format!("<p title=\"{escaped}\">{escaped}<br/></p>"));
        // HTML would take `<div/>` for a start tag.
        assert_eq!(element("div").to_string(), "<div></div>");
        let twice = element("p").class("one").class("two").to_string();
        assert_eq!(twice, "<p class=\"two\"></p>");
        assert_eq!(Node::Raw("<b/>".into()).to_string(), "<b/>");
    }
}
