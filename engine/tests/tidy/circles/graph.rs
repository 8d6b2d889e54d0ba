//! Files, and arrows to the files whose names they use.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::path::{Path, PathBuf};

/// Arrows from each file to those that it uses, with the names that it uses of them.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    arrows: BTreeMap<PathBuf, BTreeMap<PathBuf, BTreeSet<String>>>,
}

/// Files each of which needs all the others.
#[derive(Debug)]
pub(crate) struct Knot<'a> {
    files: BTreeSet<&'a Path>,
    /// Shortest ways from a file back to itself until every file is in one, the shortest of all first. The file that a
    /// way begins with is not repeated at its end.
    circles: Vec<Vec<&'a Path>>,
    graph: &'a Graph,
}

impl Graph {
    /// Uses within a file are no arrows.
    pub(crate) fn add(&mut self, from: &Path, to: &Path, name: &str) {
        if from != to {
            let arrows = self.arrows.entry(from.to_owned()).or_default();
            arrows.entry(to.to_owned()).or_default().insert(name.to_owned());
        }
    }

    /// The same without arrows from a file to that of a module around it.
    ///
    /// A module's own file holds what the files below it share, such as an error or the options of a command, and calls
    /// them: a module with its parts is one subject. Circles among the parts, or between modules, remain.
    pub(crate) fn without_arrows_to_parents(mut self) -> Self {
        for (from, used) in &mut self.arrows {
            used.retain(|to, _| !is_around(to, from));
        }
        self
    }

    /// Every arrow with its names.
    pub(crate) fn arrows(&self) -> Vec<String> {
        let pairs = self
            .arrows
            .keys()
            .flat_map(|from| self.used_by(from).map(move |to| (from, to)));
        pairs.map(|(from, to)| self.arrow(from, to)).collect()
    }

    fn arrow(&self, from: &Path, to: &Path) -> String {
        let names: Vec<&str> = self.arrows[from][to].iter().map(String::as_str).collect();
        format!("{} -> {}: {}", from.display(), to.display(), names.join(", "))
    }

    pub(crate) fn knots(&self) -> Vec<Knot<'_>> {
        let mut knots: Vec<Knot> = Vec::new();
        for file in self.arrows.keys() {
            if knots.iter().any(|knot| knot.files.contains(file.as_path())) {
                continue;
            }
            let leads_back = |other: &&Path| self.ways_from(other).contains_key(file.as_path());
            let files: BTreeSet<&Path> = self.ways_from(file).into_keys().filter(leads_back).collect();
            if !files.is_empty() {
                let circles = self.circles(&files);
                let graph = self;
                knots.push(Knot { files, circles, graph });
            }
        }
        knots
    }

    fn circles<'a>(&'a self, files: &BTreeSet<&'a Path>) -> Vec<Vec<&'a Path>> {
        let mut ways: Vec<Vec<&Path>> = files.iter().map(|file| self.way_back(file)).collect();
        ways.sort_by_key(Vec::len);
        let mut circles: Vec<Vec<&Path>> = Vec::new();
        for way in ways {
            if !circles.iter().any(|circle| circle.contains(&way[0])) {
                circles.push(way);
            }
        }
        circles
    }

    fn used_by(&self, file: &Path) -> impl Iterator<Item = &Path> {
        self.arrows
            .get(file)
            .into_iter()
            .flatten()
            .map(|(used, _)| used.as_path())
    }

    /// Every file that an arrow from `start` leads to, through others or not, and the file before it on a shortest way.
    fn ways_from<'a>(&'a self, start: &'a Path) -> BTreeMap<&'a Path, &'a Path> {
        let mut before = BTreeMap::new();
        let mut next = VecDeque::from([start]);
        while let Some(file) = next.pop_front() {
            for used in self.used_by(file) {
                before.entry(used).or_insert_with(|| {
                    next.push_back(used);
                    file
                });
            }
        }
        before
    }

    /// The files of a shortest circle through `start`, which must be in one.
    fn way_back<'a>(&'a self, start: &'a Path) -> Vec<&'a Path> {
        let before = self.ways_from(start);
        let mut way = vec![before[start]];
        while way[way.len() - 1] != start {
            way.push(before[way[way.len() - 1]]);
        }
        way.reverse();
        way
    }
}

impl fmt::Display for Knot<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{} files need each other:", self.files.len())?;
        for circle in &self.circles {
            let after = circle.iter().cycle().skip(1);
            for (number, (from, to)) in circle.iter().zip(after).enumerate() {
                let bullet = if number == 0 { '-' } else { ' ' };
                writeln!(formatter, "{bullet} {}", self.graph.arrow(from, to))?;
            }
        }
        Ok(())
    }
}

/// True if a file is that of a module around another file's.
fn is_around(outer: &Path, inner: &Path) -> bool {
    let folder = match outer.file_stem() {
        Some(stem) if stem == "mod" || stem == "lib" || stem == "main" => outer.parent().unwrap().to_owned(),
        _ => outer.with_extension(""),
    };
    inner.starts_with(folder)
}
