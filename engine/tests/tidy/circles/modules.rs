//! The modules of one crate: their files, and the meanings of their names. Items for unit tests only are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, Item, Meta, Token, UseTree};

/// The root is module 0.
pub(crate) struct Modules {
    modules: Vec<Module>,
}

pub(crate) struct Module {
    pub(crate) file: PathBuf,
    pub(crate) items: Vec<Item>,
    parent: usize,
    names: Names,
}

/// The module or item that a name stands for.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Target {
    Module(usize),
    /// Something that this module defines.
    Item {
        module: usize,
        name: String,
    },
}

/// The names that the items of a module or of a block bring into scope.
#[derive(Default)]
pub(crate) struct Names {
    known: BTreeMap<String, Vec<Meaning>>,
    globs: Vec<Vec<String>>,
}

enum Meaning {
    /// An item of the module or block itself.
    Item,
    Module(usize),
    Import(Vec<String>),
}

/// One name, or all with `*`, of a `use` declaration.
pub(crate) struct Import {
    pub(crate) path: Vec<String>,
    /// None: all names that the path has.
    pub(crate) name: Option<String>,
}

/// Names whose meaning is being looked up: an import may lead back to itself.
type Pending = Vec<(usize, String)>;

impl Modules {
    /// Reads the crate whose root is this file.
    pub(crate) fn read(root: &Path, sources: &BTreeMap<PathBuf, String>) -> Self {
        let mut modules = Self { modules: Vec::new() };
        let folder = root.parent().unwrap();
        modules.add(0, root, folder, parse(root, sources), sources);
        modules
    }

    /// Adds a module and those below it; `folder` is where the files of the latter lie.
    fn add(
        &mut self,
        parent: usize,
        file: &Path,
        folder: &Path,
        mut items: Vec<Item>,
        sources: &BTreeMap<PathBuf, String>,
    ) -> usize {
        items.retain(|item| !is_for_tests(attributes(item)));
        let id = self.modules.len();
        self.modules.push(Module {
            file: file.to_owned(),
            items: Vec::new(),
            parent,
            names: Names::of(&items),
        });
        for item in &mut items {
            let Item::Mod(item) = item else { continue };
            let name = item.ident.unraw().to_string();
            let folder = folder.join(&name);
            let child = if let Some((_, items)) = item.content.take() {
                self.add(id, file, &folder, items, sources)
            } else {
                let places = [folder.with_extension("rs"), folder.join("mod.rs")];
                let place = places.iter().find(|place| sources.contains_key(*place));
                let place = place.unwrap_or_else(|| panic!("{}: no file of module {name}", file.display()));
                self.add(id, place, &folder, parse(place, sources), sources)
            };
            self.modules[id].names.add(name, Meaning::Module(child));
        }
        self.modules[id].items = items;
        id
    }

    pub(crate) fn ids(&self) -> std::ops::Range<usize> {
        0..self.modules.len()
    }

    pub(crate) fn module(&self, id: usize) -> &Module {
        &self.modules[id]
    }

    /// The targets of a path in a module, and in `blocks` of it, the innermost last. None if it is of another crate.
    pub(crate) fn resolve(&self, module: usize, blocks: &[Names], path: &[String]) -> BTreeSet<Target> {
        let Some((first, rest)) = path.split_first() else {
            return BTreeSet::new();
        };
        for names in blocks.iter().rev() {
            let targets = self.meanings(names, module, first, &mut Vec::new());
            if names.known.contains_key(first) || !targets.is_empty() {
                return self.follow(targets, rest, &mut Vec::new());
            }
        }
        self.resolve_in(module, path, &mut Vec::new())
    }

    fn resolve_in(&self, module: usize, path: &[String], pending: &mut Pending) -> BTreeSet<Target> {
        let Some((first, rest)) = path.split_first() else {
            return BTreeSet::new();
        };
        let start = match first.as_str() {
            "crate" => [Target::Module(0)].into(),
            "self" => [Target::Module(module)].into(),
            "super" => [Target::Module(self.modules[module].parent)].into(),
            name => self.look_up(module, name, pending),
        };
        self.follow(start, rest, pending)
    }

    /// The targets of the rest of a path, from those of its beginning.
    fn follow(&self, start: BTreeSet<Target>, rest: &[String], pending: &mut Pending) -> BTreeSet<Target> {
        let mut here = start;
        for name in rest {
            // A module may share its name with a function, which has no names of its own.
            let modules: Vec<usize> = here.iter().filter_map(Target::as_module).collect();
            if modules.is_empty() {
                // The names of a type lie in its file.
                return here;
            }
            here = BTreeSet::new();
            for module in modules {
                match name.as_str() {
                    "self" => here.extend([Target::Module(module)]),
                    "super" => here.extend([Target::Module(self.modules[module].parent)]),
                    name => here.extend(self.member(module, name, pending)),
                }
            }
        }
        here
    }

    /// The targets of a name of a known module.
    fn member(&self, module: usize, name: &str, pending: &mut Pending) -> BTreeSet<Target> {
        let targets = self.look_up(module, name, pending);
        if targets.is_empty() && !self.modules[module].names.known.contains_key(name) {
            // A macro has defined it there.
            let name = name.to_owned();
            return [Target::Item { module, name }].into();
        }
        targets
    }

    fn look_up(&self, module: usize, name: &str, pending: &mut Pending) -> BTreeSet<Target> {
        let names = &self.modules[module].names;
        let key = (module, name.to_owned());
        if pending.contains(&key) {
            // `use step::step` leads to the module of that name, not back to itself.
            return names.own(module, name);
        }
        pending.push(key);
        let targets = self.meanings(names, module, name, pending);
        pending.pop();
        targets
    }

    fn meanings(&self, names: &Names, module: usize, name: &str, pending: &mut Pending) -> BTreeSet<Target> {
        let mut targets = names.own(module, name);
        for path in names.imports(name) {
            targets.extend(self.resolve_in(module, path, pending));
        }
        if targets.is_empty() {
            for glob in &names.globs {
                let modules = self.resolve_in(module, glob, pending);
                for id in modules.iter().filter_map(Target::as_module) {
                    targets.extend(self.look_up(id, name, pending));
                }
            }
        }
        targets
    }
}

impl Target {
    fn as_module(&self) -> Option<usize> {
        match self {
            Target::Module(id) => Some(*id),
            Target::Item { .. } => None,
        }
    }
}

impl Names {
    /// Modules are missing: they are added when they have been read.
    pub(crate) fn of<'a>(items: impl IntoIterator<Item = &'a Item>) -> Self {
        let mut names = Self::default();
        for item in items {
            if let Item::Use(item) = item {
                for import in Import::all(item) {
                    match import.name {
                        Some(name) => names.add(name, Meaning::Import(import.path)),
                        None => names.globs.push(import.path),
                    }
                }
            } else if let Some(name) = defined(item) {
                names.add(name.unraw().to_string(), Meaning::Item);
            }
        }
        names
    }

    /// The targets of a name without any import; `module` is where these names are.
    fn own(&self, module: usize, name: &str) -> BTreeSet<Target> {
        let meanings = self.known.get(name).into_iter().flatten();
        let targets = meanings.filter_map(|meaning| match meaning {
            Meaning::Item => Some(Target::Item {
                module,
                name: name.to_owned(),
            }),
            Meaning::Module(id) => Some(Target::Module(*id)),
            Meaning::Import(_) => None,
        });
        targets.collect()
    }

    /// The paths that a name is imported by.
    fn imports(&self, name: &str) -> impl Iterator<Item = &[String]> {
        let meanings = self.known.get(name).into_iter().flatten();
        meanings.filter_map(|meaning| match meaning {
            Meaning::Import(path) => Some(path.as_slice()),
            _ => None,
        })
    }

    fn add(&mut self, name: String, meaning: Meaning) {
        self.known.entry(name).or_default().push(meaning);
    }
}

impl Import {
    /// Those of other crates by an absolute path are left out.
    pub(crate) fn all(item: &syn::ItemUse) -> Vec<Self> {
        let mut imports = Vec::new();
        if item.leading_colon.is_none() {
            Self::collect(&item.tree, &[], &mut imports);
        }
        imports
    }

    fn collect(tree: &UseTree, before: &[String], imports: &mut Vec<Self>) {
        let with = |name: &Ident| [before, &[name.unraw().to_string()]].concat();
        match tree {
            UseTree::Path(path) => Self::collect(&path.tree, &with(&path.ident), imports),
            UseTree::Group(group) => group.items.iter().for_each(|tree| Self::collect(tree, before, imports)),
            UseTree::Glob(_) => imports.push(Self {
                path: before.to_vec(),
                name: None,
            }),
            UseTree::Name(name) => {
                let path = with(&name.ident);
                // `use a::{self}` brings `a`.
                let last = path.iter().rfind(|name| *name != "self").cloned();
                imports.push(Self { path, name: last });
            }
            UseTree::Rename(rename) => imports.push(Self {
                path: with(&rename.ident),
                name: Some(rename.rename.unraw().to_string()),
            }),
        }
    }
}

fn parse(file: &Path, sources: &BTreeMap<PathBuf, String>) -> Vec<Item> {
    let parsed = syn::parse_file(&sources[file]);
    parsed
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()))
        .items
}

/// The name that an item defines, if it is neither a module nor an import.
fn defined(item: &Item) -> Option<&Ident> {
    match item {
        Item::Const(item) => Some(&item.ident),
        Item::Enum(item) => Some(&item.ident),
        Item::Fn(item) => Some(&item.sig.ident),
        Item::Macro(item) => item.ident.as_ref(),
        Item::Static(item) => Some(&item.ident),
        Item::Struct(item) => Some(&item.ident),
        Item::Trait(item) => Some(&item.ident),
        Item::TraitAlias(item) => Some(&item.ident),
        Item::Type(item) => Some(&item.ident),
        Item::Union(item) => Some(&item.ident),
        _ => None,
    }
}

pub(crate) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// True if an item with these attributes is compiled for unit tests only.
pub(crate) fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let conditions = attribute.path().is_ident("cfg");
        conditions && attribute.parse_args().is_ok_and(|condition| needs_tests(&condition))
    })
}

fn needs_tests(condition: &Meta) -> bool {
    let Meta::List(list) = condition else {
        return condition.path().is_ident("test");
    };
    let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    match (list.path.get_ident(), parts) {
        (Some(kind), Ok(parts)) if kind == "all" => parts.iter().any(needs_tests),
        (Some(kind), Ok(parts)) if kind == "any" => parts.iter().all(needs_tests),
        _ => false,
    }
}
