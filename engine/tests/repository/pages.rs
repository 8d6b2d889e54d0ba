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
