//! Pages in Markdown: every link between files of the repository leads somewhere, and the book holds all its chapters.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::repository;

/// Folders that are made, not kept.
const MADE: [&str; 3] = ["target", "runs", "book"];

/// Every page, with its text; paths are relative to the repository.
fn pages() -> BTreeMap<PathBuf, String> {
    let mut folders = vec![repository().to_owned()];
    let mut pages = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
            let kind = entry.file_type().unwrap();
            if kind.is_dir() && !name.starts_with('.') && !MADE.contains(&name.as_str()) {
                folders.push(path);
            } else if kind.is_file() && name.ends_with(".md") {
                let text = fs::read_to_string(&path).unwrap();
                pages.insert(path.strip_prefix(repository()).unwrap().to_owned(), text);
            }
        }
    }
    assert!(pages.len() > 30, "found {} pages only", pages.len());
    let whole = |(page, text): (&PathBuf, &String)| (page.clone(), with_included(page, text));
    pages.iter().map(whole).collect()
}

/// A page with the texts of the games that it includes.
fn with_included(page: &Path, text: &str) -> String {
    let line = |line: &str| {
        let file = line
            .strip_prefix("{{#include ")
            .and_then(|rest| rest.strip_suffix("}}"));
        match file.filter(|file| file.ends_with(".md")) {
            Some(file) => {
                line.to_owned() + "\n" + &fs::read_to_string(repository().join(page.with_file_name(file))).unwrap()
            }
            None => line.to_owned(),
        }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The lines that are not inside of a block of code.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut code = false;
    page.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        !code && !fence
    })
}

/// The text between `before` and `after`, wherever `before` occurs.
fn between<'a>(text: &'a str, before: &'a str, after: &'a [char]) -> impl Iterator<Item = &'a str> {
    text.split(before)
        .skip(1)
        .filter_map(move |rest| rest.split(after).next())
}

/// The targets of links, pictures and included files.
fn targets(page: &str) -> Vec<String> {
    let mut targets = Vec::new();
    for line in prose(page) {
        // In a piece of code brackets are no links.
        let outside: Vec<&str> = line.split('`').step_by(2).collect();
        let line = outside.join("`");
        for (before, after) in [("](", &[')', ' '][..]), ("src=\"", &['"']), ("href=\"", &['"'])] {
            targets.extend(between(&line, before, after).map(str::to_owned));
        }
    }
    targets.extend(between(page, "{{#include ", &['}', ':']).map(|file| file.trim().to_owned()));
    targets
}

/// The anchor that GitHub and mdBook give a heading.
fn anchor(heading: &str) -> String {
    let text: String = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn anchors(page: &str) -> BTreeSet<String> {
    prose(page).filter(|line| line.starts_with('#')).map(anchor).collect()
}

/// The path without `..`; `None` if it leads out of the repository.
fn normal(path: &Path) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => normal.pop().then_some(())?,
            Component::CurDir => {}
            part => normal.push(part),
        }
    }
    Some(normal)
}

/// The fault of a link, if it has one.
fn fault(pages: &BTreeMap<PathBuf, String>, page: &Path, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, heading) = target.split_once('#').unwrap_or((target, ""));
    let path = match file {
        "" => Some(page.to_owned()),
        file => normal(&page.parent().unwrap().join(file)),
    };
    let Some(path) = path.filter(|path| repository().join(path).exists()) else {
        return Some(format!("{}: `{target}`: no such file", page.display()));
    };
    let found = pages.get(&path).is_none_or(|text| anchors(text).contains(heading));
    (!heading.is_empty() && !found).then(|| format!("{}: `{target}`: no such heading", page.display()))
}

#[test]
fn links_lead_somewhere() {
    let pages = pages();
    let mut count = 0;
    let mut faults = Vec::new();
    for (page, text) in &pages {
        for target in targets(text) {
            count += 1;
            faults.extend(fault(&pages, page, &target));
        }
    }
    assert!(count > 300, "found {count} links only");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_chapter_is_in_the_summary() {
    let source = Path::new("docs/src");
    let pages = pages();
    let summary = &pages[&source.join("SUMMARY.md")];
    let listed: Vec<PathBuf> = targets(summary).iter().map(|file| source.join(file)).collect();
    let unique: BTreeSet<&PathBuf> = listed.iter().collect();
    assert_eq!(unique.len(), listed.len(), "a chapter is there twice");
    let chapters = pages.keys().filter(|page| page.starts_with(source));
    let missing: Vec<&PathBuf> = chapters
        .filter(|page| !page.ends_with("SUMMARY.md") && !unique.contains(page))
        .collect();
    assert!(missing.is_empty(), "not in docs/src/SUMMARY.md: {missing:?}");
    for chapter in listed {
        let text = pages
            .get(&chapter)
            .unwrap_or_else(|| panic!("{chapter:?} is in the summary alone"));
        let first = text.lines().find(|line| !line.starts_with("{{#include"));
        assert!(
            first.is_some_and(|line| line.starts_with("# ")),
            "{chapter:?} has no title"
        );
        assert!(text.lines().count() > 7, "{chapter:?} says next to nothing");
    }
}

#[test]
fn what_is_no_link_is_found() {
    let page = "# A `b` & C\n[x](one.md#a-b--c) and ![y](two.svg) but `[z](no)`\n```\n[w](no)\n```\n<img src=\"3\">";
    assert_eq!(targets(page), ["one.md#a-b--c", "two.svg", "3"]);
    let pages = BTreeMap::from([(PathBuf::from("README.md"), page.to_owned())]);
    let of = |target| fault(&pages, Path::new("README.md"), target);
    assert_eq!(of("#a-b--c"), None);
    assert_eq!(of("https://example.org/#x"), None);
    assert_eq!(of("engine/Cargo.toml"), None);
    assert_eq!(of("#a-b-c").as_deref(), Some("README.md: `#a-b-c`: no such heading"));
    assert_eq!(
        of("engine/none.md").as_deref(),
        Some("README.md: `engine/none.md`: no such file")
    );
    assert_eq!(
        of("../README.md").as_deref(),
        Some("README.md: `../README.md`: no such file")
    );
}
