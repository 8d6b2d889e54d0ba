//! The names that a module uses, and the files that define them.

use std::collections::BTreeSet;

use syn::buffer::{Cursor, TokenBuffer};
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::{
    Attribute, Block, Ident, ImplItemFn, Item, ItemFn, ItemUse, Macro, Meta, PatIdent, Path, Stmt, TraitItemFn,
    Visibility,
};

use super::graph::Graph;
use super::modules::{Import, Modules, Names, Target, attributes, is_for_tests};

/// Walks over the items of one module and adds an arrow for every name of another file.
///
/// The targets of method calls are not known; nor are those of names in strings of attributes.
pub(crate) struct Uses<'a> {
    modules: &'a Modules,
    module: usize,
    /// Names of the blocks around the place that is looked at, the innermost last.
    blocks: Vec<Names>,
    /// Variables of the function around that place: a variable is not the function of the same name.
    variables: Variables,
    graph: &'a mut Graph,
}

impl<'a> Uses<'a> {
    /// Adds the arrows of a module; modules in it have their own.
    pub(crate) fn add(modules: &'a Modules, module: usize, graph: &'a mut Graph) {
        let mut uses = Uses {
            modules,
            module,
            blocks: Vec::new(),
            variables: Variables::default(),
            graph,
        };
        for item in &modules.module(module).items {
            uses.visit_item(item);
        }
    }

    fn path(&mut self, path: &[String]) {
        if matches!(path, [name] if self.variables.0.contains(name)) {
            return;
        }
        for target in self.modules.resolve(self.module, &self.blocks, path) {
            // A module is named on the way to something else, which then counts.
            if let Target::Item { module, name } = target {
                let from = &self.modules.module(self.module).file;
                self.graph.add(from, &self.modules.module(module).file, &name);
            }
        }
    }

    /// Follows what looks like a path in the text of a macro or an attribute: `a::b`, `Name` or `call(`.
    fn tokens(&mut self, mut rest: Cursor) {
        // After `.` comes a field or a method, after `::` what belongs to a type in angle brackets.
        let mut is_member = false;
        while !rest.eof() {
            if let Some((name, after)) = rest.ident() {
                rest = after;
                let mut path = vec![text(&name)];
                while let Some((name, after)) = twice(rest, ':').and_then(Cursor::ident) {
                    rest = after;
                    path.push(text(&name));
                }
                let called = rest.any_group().is_some();
                if !is_member && (path.len() > 1 || called || is_capital(&path[0])) {
                    self.path(&path);
                }
                is_member = false;
            } else if let Some((inner, _, _, after)) = rest.any_group() {
                rest = after;
                self.tokens(inner);
                is_member = false;
            } else if let Some(after) = twice(rest, ':') {
                rest = after;
                is_member = true;
            } else if let Some(after) = twice(rest, '.') {
                rest = after;
                is_member = false;
            } else if let Some((token, after)) = rest.punct() {
                rest = after;
                is_member = token.as_char() == '.';
            } else if let Some((_, after)) = rest.token_tree() {
                rest = after;
                is_member = false;
            }
        }
    }

    /// Visits a function with its variables in scope.
    fn function(&mut self, collect: impl FnOnce(&mut Variables), visit: impl FnOnce(&mut Self)) {
        let outer = self.variables.clone();
        collect(&mut self.variables);
        visit(self);
        self.variables = outer;
    }
}

impl Visit<'_> for Uses<'_> {
    fn visit_item(&mut self, item: &Item) {
        if !matches!(item, Item::Mod(_)) && !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    /// A re-export needs nothing: who uses the name needs the file that defines it.
    fn visit_item_use(&mut self, item: &ItemUse) {
        if matches!(item.vis, Visibility::Inherited) {
            for import in Import::all(item) {
                self.path(&import.path);
            }
        }
    }

    fn visit_item_fn(&mut self, item: &ItemFn) {
        self.function(
            |variables| variables.visit_item_fn(item),
            |uses| visit::visit_item_fn(uses, item),
        );
    }

    fn visit_impl_item_fn(&mut self, item: &ImplItemFn) {
        if !is_for_tests(&item.attrs) {
            self.function(
                |variables| variables.visit_impl_item_fn(item),
                |uses| visit::visit_impl_item_fn(uses, item),
            );
        }
    }

    fn visit_trait_item_fn(&mut self, item: &TraitItemFn) {
        self.function(
            |variables| variables.visit_trait_item_fn(item),
            |uses| visit::visit_trait_item_fn(uses, item),
        );
    }

    fn visit_block(&mut self, block: &Block) {
        let items = block.stmts.iter().filter_map(|statement| match statement {
            Stmt::Item(item) => Some(item),
            _ => None,
        });
        self.blocks.push(Names::of(items));
        visit::visit_block(self, block);
        self.blocks.pop();
    }

    /// Two colons before it stand for another crate, or for the type in angle brackets whose member it is.
    fn visit_path(&mut self, path: &Path) {
        if path.leading_colon.is_none() {
            let names: Vec<String> = path.segments.iter().map(|segment| text(&segment.ident)).collect();
            self.path(&names);
        }
        visit::visit_path(self, path);
    }

    fn visit_pat_ident(&mut self, pattern: &PatIdent) {
        let name = text(&pattern.ident);
        if is_capital(&name) {
            self.path(&[name]);
        }
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_macro(&mut self, node: &Macro) {
        self.visit_path(&node.path);
        self.tokens(TokenBuffer::new2(node.tokens.clone()).begin());
    }

    fn visit_attribute(&mut self, attribute: &Attribute) {
        if let Meta::List(list) = &attribute.meta {
            self.tokens(TokenBuffer::new2(list.tokens.clone()).begin());
        }
    }
}

/// The variables of everything that is visited. A capital name in a pattern is a constant.
#[derive(Clone, Default)]
struct Variables(BTreeSet<String>);

impl Visit<'_> for Variables {
    fn visit_pat_ident(&mut self, pattern: &PatIdent) {
        let name = text(&pattern.ident);
        if !is_capital(&name) {
            self.0.insert(name);
        }
        visit::visit_pat_ident(self, pattern);
    }
}

fn text(name: &Ident) -> String {
    name.unraw().to_string()
}

fn is_capital(name: &str) -> bool {
    name.starts_with(|first: char| first.is_uppercase())
}

/// The rest after a sign and the same sign directly behind it, if both come next.
fn twice(start: Cursor<'_>, sign: char) -> Option<Cursor<'_>> {
    let (first, rest) = start.punct()?;
    let (second, rest) = rest.punct()?;
    (first.as_char() == sign && second.as_char() == sign).then_some(rest)
}
