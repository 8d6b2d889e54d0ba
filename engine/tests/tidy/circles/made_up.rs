//! The finder itself, on crates made up for it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::graph::Graph;

fn graph(sources: &[(&str, &str)]) -> Graph {
    let sources = sources
        .iter()
        .map(|(file, text)| (PathBuf::from(file), text.to_string()));
    let sources: BTreeMap<PathBuf, String> = sources.collect();
    super::graph(Path::new("lib.rs"), &sources)
}

fn arrows(sources: &[(&str, &str)]) -> Vec<String> {
    graph(sources).arrows()
}

fn knots(sources: &[(&str, &str)]) -> Vec<String> {
    graph(sources).knots().iter().map(ToString::to_string).collect()
}

/// A library with the files `a.rs` and `b.rs`; the second has something of each kind.
fn arrows_of(a: &str) -> Vec<String> {
    const B: &str = "
        pub struct Thing;
        pub enum Kind { One, Two }
        pub const LIMIT: u32 = 1;
        pub fn make() -> Thing { Thing }
        pub mod inner { pub fn deep() {} }
    ";
    arrows(&[("lib.rs", "mod a; mod b;"), ("a.rs", a), ("b.rs", B)])
}

#[test]
fn a_circle_is_found_through_a_re_export() {
    let found = knots(&[
        ("lib.rs", "mod game; mod player; pub use player::Player;"),
        ("game/mod.rs", "mod rules; pub use rules::{Rules, Length as Limit};"),
        (
            "game/rules.rs",
            "use crate::Player; pub struct Rules(Player); pub struct Length;",
        ),
        (
            "player.rs",
            "use crate::game::{Limit, Rules}; pub struct Player(Vec<Rules>, Limit);",
        ),
    ]);
    let expected = "2 files need each other:\n\
        - game/rules.rs -> player.rs: Player\n  player.rs -> game/rules.rs: Length, Rules\n";
    assert_eq!(found, [expected]);
}

#[test]
fn a_declaration_and_a_re_export_are_no_use() {
    let found = arrows(&[
        (
            "lib.rs",
            "pub mod a; pub use a::Thing; pub(crate) use a::b::*; pub const LIMIT: u32 = 1;",
        ),
        ("a/mod.rs", "pub mod b; pub use b::Other; pub struct Thing;"),
        ("a/b.rs", "pub struct Other([u8; crate::LIMIT as usize]);"),
    ]);
    assert_eq!(found, ["a/b.rs -> lib.rs: LIMIT"]);
}

#[test]
fn a_module_that_uses_its_own_re_export_needs_the_file() {
    let found = knots(&[
        ("lib.rs", "mod a; pub use a::Thing; pub struct Whole(Thing);"),
        (
            "a.rs",
            "pub struct Thing; impl Thing { fn of(_: &super::Whole) -> Self { Self } }",
        ),
    ]);
    let expected = "2 files need each other:\n- a.rs -> lib.rs: Whole\n  lib.rs -> a.rs: Thing\n";
    assert_eq!(found, [expected]);
}

#[test]
fn a_module_and_its_parts_are_one_subject() {
    let with_parent = graph(&[
        ("lib.rs", "mod a;"),
        ("a.rs", "mod b; pub struct Shared; fn work() { b::part(); }"),
        ("a/b.rs", "pub fn part() -> super::Shared { super::Shared }"),
    ]);
    assert_eq!(with_parent.knots().len(), 1);
    assert_eq!(with_parent.without_arrows_to_parents().knots().len(), 0);
    let among_parts = graph(&[
        ("lib.rs", "mod a;"),
        ("a.rs", "mod b; mod c;"),
        ("a/b.rs", "pub struct B(super::c::C);"),
        ("a/c.rs", "pub struct C(Vec<super::b::B>);"),
    ]);
    assert_eq!(among_parts.without_arrows_to_parents().knots().len(), 1);
}

#[test]
fn of_several_circles_the_shortest_come_first_until_every_file_is_in_one() {
    let found = knots(&[
        ("lib.rs", "mod a; mod b; mod c; mod d; mod e;"),
        ("a.rs", "pub fn a() { crate::b::b(); }"),
        ("b.rs", "pub fn b() { crate::c::c(); }"),
        ("c.rs", "pub fn c() { crate::a::a(); crate::d::d(); }"),
        ("d.rs", "pub fn d() { crate::c::c(); crate::e::e(); }"),
        ("e.rs", "pub fn e() {}"),
    ]);
    let expected = "4 files need each other:\n\
        - c.rs -> d.rs: d\n  d.rs -> c.rs: c\n\
        - a.rs -> b.rs: b\n  b.rs -> c.rs: c\n  c.rs -> a.rs: a\n";
    assert_eq!(found, [expected]);
}

#[test]
fn unit_tests_may_use_what_they_like() {
    assert!(arrows_of("#[cfg(test)] use crate::b::Thing;").is_empty());
    assert!(arrows_of("#[cfg(all(unix, test))] fn f() { crate::b::make(); }").is_empty());
    assert!(arrows_of("struct A; impl A { #[cfg(test)] fn f() { crate::b::make(); } }").is_empty());
    assert!(arrows_of("#[cfg(test)] mod tests { use crate::b::Thing; }").is_empty());
    // Its file need not be there.
    assert!(arrows_of("#[cfg(test)] mod tests;").is_empty());
    for condition in ["not(test)", "any(test, unix)", "unix", "feature = \"test\""] {
        let found = arrows_of(&format!("#[cfg({condition})] fn f() {{ crate::b::make(); }}"));
        assert_eq!(found, ["a.rs -> b.rs: make"], "{condition}");
    }
}

#[test]
fn every_way_to_write_a_path_leads_to_the_file() {
    for text in [
        "use crate::b::Thing;",
        "use super::b::{self, Thing};",
        "use super::b::{self}; fn f(_: b::Thing) {}",
        "use crate::b::Thing as Other;",
        "use crate::b::Thing as _;",
        "use crate::{b as other}; fn f(_: other::Thing) {}",
        "use crate::*; fn f(_: &dyn Fn(b::Thing)) {}",
        "use crate::b::*; fn f(_: Thing) {}",
        "use super::*; use b::Thing;",
        "mod c { fn f() -> super::super::b::Thing { panic!() } }",
        "fn f() { use crate::b; let x = b::Thing; }",
        "fn f() { use crate::b::*; let x: Option<Thing> = None; }",
        "fn f<T: Into<crate::b::Thing>>() {}",
        "fn f() { <crate::b::Thing>::g(); }",
        "fn f() { Vec::<crate::b::Thing>::new(); }",
        "fn f() { let self::super::b::Thing = g(); }",
        "impl crate::b::Thing {}",
        "type A = <Vec<u8> as Into<crate::b::Thing>>::B;",
    ] {
        assert_eq!(arrows_of(text), ["a.rs -> b.rs: Thing"], "{text}");
    }
    assert_eq!(arrows_of("use crate::b::Kind::{One, Two};"), ["a.rs -> b.rs: Kind"]);
    assert_eq!(arrows_of("use crate::b::Kind::*;"), ["a.rs -> b.rs: Kind"]);
    assert_eq!(arrows_of("fn f() { crate::b::inner::deep(); }"), ["a.rs -> b.rs: deep"]);
    assert_eq!(
        arrows_of("pub use crate::b::*; fn f(x: u32) { match x { LIMIT => 1 } }"),
        ["a.rs -> b.rs: LIMIT"]
    );
}

#[test]
fn macros_and_attributes_use_names_too() {
    for text in [
        "fn f() { println!(\"{:?}\", crate::b::make().x); }",
        "use crate::b; fn f() { assert!(matches!(x, 0..b::make)); }",
        "pub use crate::b::*; fn f() { vec![make(); 2]; }",
        "macro_rules! m { () => { $crate::b::make() } }",
        "use crate::b; fn f() { use b::make as b; println!(\"{}\", b()); }",
        "use crate::b; struct A { #[arg(value_parser = b::make)] x: u32 }",
    ] {
        assert_eq!(arrows_of(text), ["a.rs -> b.rs: make"], "{text}");
    }
}

#[test]
fn a_name_that_means_something_else_is_no_use() {
    for text in [
        "/// See [`crate::b::Thing`].\nfn f() { g(\"crate::b::Thing\"); }",
        "pub use crate::b::*; fn f(make: u32) -> u32 { make }",
        "pub use crate::b::*; fn f(x: X) { x.make(); println!(\"{}\", x.make()); }",
        "pub use crate::b::*; struct Thing; fn f(_: Thing) {}",
        "pub use crate::b::*; fn f() { struct Thing; let x: Thing; }",
        "pub use crate::b::*; fn f() { use std::x::Thing; let x: Thing; }",
        "use crate::b; use ::b::Thing;",
        "use crate::b; fn f() { ::b::make(); }",
        "pub use crate::b::*; fn f() { <X>::make(); }",
        "use std::b::Thing;",
        "use crate::b;",
        "use thing::thing;",
    ] {
        let found = arrows_of(text);
        assert!(found.is_empty(), "{text}: {found:?}");
    }
}

#[test]
fn a_module_and_a_function_may_share_a_name() {
    let found = arrows(&[
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "use crate::b::step; fn f() { step::far(); step(); }"),
        ("b/mod.rs", "mod step; pub use step::step; pub struct Whole;"),
        ("b/step.rs", "pub fn step(_: super::Whole) {} pub fn far() {}"),
    ]);
    assert_eq!(found, ["a.rs -> b/step.rs: far, step", "b/step.rs -> b/mod.rs: Whole"]);
}

#[test]
fn a_name_that_no_item_has_is_of_the_module_that_should_have_it() {
    assert_eq!(
        arrows_of("fn f() { crate::b::FROM_A_MACRO.g(); }"),
        ["a.rs -> b.rs: FROM_A_MACRO"]
    );
}

#[test]
#[should_panic(expected = "lib.rs: no file of module a")]
fn a_module_without_a_file_is_no_crate() {
    arrows(&[("lib.rs", "mod a;")]);
}
