//! `cargo xtask book`: the book in `docs/` as a web site.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use chase_engine::Diagram;

use crate::command::{install, read, remove, run_command, write};

/// The version that the book was written for. Without the features for serving and watching, which take most of the
/// build.
const MDBOOK: &str = "mdbook@0.5.4 --no-default-features --features search";

/// Installs mdBook into `.tools/` once, and builds the book into `docs/book/`. The build itself downloads nothing.
pub fn run(repository: &Path) -> Result<()> {
    let programs = install(repository, MDBOOK)?;
    let book = repository.join("docs/book");
    remove(&book)?;
    let mut build = Command::new(programs.join("mdbook"));
    run_command(build.arg("build").arg(repository.join("docs")))?;
    let mut dead = Vec::new();
    for page in pages(&book)? {
        dead.extend(mend_links(&page)?);
        let drawn = draw_diagrams(&read(&page)?).with_context(|| format!("a diagram of {}", page.display()))?;
        write(&page, &drawn)?;
    }
    ensure!(dead.is_empty(), "dead links:\n{}", dead.join("\n"));
    println!("The book is in {}.", book.join("index.html").display());
    Ok(())
}

/// The pages in a folder and its subfolders.
fn pages(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut pages = Vec::new();
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            pages.extend(self::pages(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "html") {
            pages.push(path);
        }
    }
    Ok(pages)
}

/// mdBook takes every link to Markdown for one to a chapter: links to other files of the repository get their ending
/// back. Returns the broken links.
fn mend_links(page: &Path) -> Result<Vec<String>> {
    let text = read(page)?;
    let folder = page.parent().context("a page lies in a folder")?;
    let (mut mended, mut dead) = (String::with_capacity(text.len()), Vec::new());
    let mut rest = text.as_str();
    while let Some(begin) = rest.find("=\"../") {
        let (before, after) = rest.split_at(begin + 2);
        let end = after.find('"').unwrap_or(after.len());
        let (link, after) = after.split_at(end);
        let (file, anchor) = link.find('#').map_or((link, ""), |at| link.split_at(at));
        mended.push_str(before);
        let page_of_repository = file.strip_suffix(".html").map(|stem| format!("{stem}.md"));
        match page_of_repository.filter(|_| !folder.join(file).exists()) {
            Some(markdown) if folder.join(&markdown).exists() => mended.extend([markdown.as_str(), anchor]),
            _ => {
                if !folder.join(file).exists() {
                    dead.push(format!("{}: {link}", page.display()));
                }
                mended.push_str(link);
            }
        }
        rest = after;
    }
    mended.push_str(rest);
    write(page, &mended)?;
    Ok(dead)
}

/// The colours of diagrams, which are those of the page of `chase serve`.
const COLOURS: &str = include_str!("../../src/serve/assets/diagram.css");

/// Draws the diagrams of a page, which mdBook has made blocks of code of.
fn draw_diagrams(page: &str) -> Result<String> {
    let mark = format!("<code class=\"language-{}", Diagram::LANGUAGE);
    let mut drawn = String::with_capacity(page.len());
    let mut rest = page;
    while let Some(begin) = rest.find(&mark) {
        let (before, block) = rest.split_at(begin);
        let (_, block) = block.split_once('>').context("a block has a beginning")?;
        let (text, after) = block.split_once("</code></pre>").context("a block has an end")?;
        let diagram: Diagram = plain(text).parse().map_err(anyhow::Error::msg)?;
        let svg = diagram.to_svg().map_err(anyhow::Error::msg)?;
        let (before, _) = before.rsplit_once("<pre").context("a block is preformatted")?;
        let caption = diagram.caption().replace('&', "&amp;").replace('<', "&lt;");
        // Once a page.
        if !drawn.contains(COLOURS) {
            drawn.extend(["<style>", COLOURS, "figure svg { max-width: 26rem; }</style>"]);
        }
        drawn.extend([
            before,
            "<figure>",
            svg.trim(),
            "<figcaption>",
            &caption,
            "</figcaption></figure>",
        ]);
        rest = after;
    }
    drawn.push_str(rest);
    Ok(drawn)
}

/// The text of an element.
fn plain(html: &str) -> String {
    let signs = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#x27;", "'"),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ];
    signs
        .iter()
        .fold(html.to_owned(), |text, (escape, sign)| text.replace(escape, sign))
}
