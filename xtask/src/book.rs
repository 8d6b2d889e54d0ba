//! `cargo xtask book`: the book in `docs/` as a web site.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use chase_engine::Diagram;

use crate::command::{entries, install, read, remove, run_command, write};

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
    for path in entries(folder)? {
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
        let diagram: Diagram = html_escape::decode_html_entities(text)
            .parse()
            .map_err(anyhow::Error::msg)?;
        let svg = diagram.to_svg().map_err(anyhow::Error::msg)?;
        let (before, _) = before.rsplit_once("<pre").context("a block is preformatted")?;
        let caption = html_escape::encode_text(diagram.caption());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_positions_become_pictures_with_one_style_sheet() -> Result<()> {
        let block = |position: &str| {
            format!(
                "<p>a</p><pre><code class=\"language-position\">lines9: {position}\nOne &amp; two&#39;s.\n</code></pre><p>b</p>"
            )
        };
        let code = "<pre><code class=\"language-text\">x</code></pre>";
        let page = format!(
            "{}{code}{}",
            block("9/9/9/9/9/9/9/9/9 o 1"),
            block("9/9/9/9/4o4/9/9/9/9 x 2")
        );
        let drawn = draw_diagrams(&page)?;
        for (what, count) in [
            ("<svg", 2),
            ("</figure><p>b</p>", 2),
            ("<style", 1),
            ("<pre", 1),
            ("One &amp; two's.", 4),
        ] {
            assert_eq!(drawn.matches(what).count(), count, "{what}: {drawn}");
        }
        assert!(drawn.contains(code) && draw_diagrams(&block("9/9 o 1")).is_err());
        Ok(())
    }
}
