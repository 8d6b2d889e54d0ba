//! `cargo xtask book`: the book in `docs/` as a web site.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::command::run_command;

/// The version that the book was written for.
const MDBOOK: &str = "mdbook@0.5.4";

/// Installs mdBook into `.tools/` once, and builds the book into `docs/book/`. The build itself downloads nothing.
pub fn run(repository: &Path) -> Result<()> {
    let tools = repository.join(".tools");
    let mut install = Command::new("cargo");
    // Does nothing if that version is installed. Without the features for serving and watching, which take most of the
    // build.
    install.args(["install", "--locked", "--quiet", MDBOOK, "--no-default-features"]);
    run_command(install.args(["--features", "search", "--root"]).arg(&tools))?;
    let book = repository.join("docs/book");
    if book.exists() {
        fs::remove_dir_all(&book).with_context(|| format!("cannot remove {}", book.display()))?;
    }
    let mut build = Command::new(tools.join("bin/mdbook"));
    run_command(build.arg("build").arg(repository.join("docs")))?;
    let mut dead = Vec::new();
    for page in pages(&book)? {
        dead.extend(mend_links(&page)?);
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
    let text = fs::read_to_string(page).with_context(|| format!("cannot read {}", page.display()))?;
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
    fs::write(page, mended).with_context(|| format!("cannot write {}", page.display()))?;
    Ok(dead)
}
