//! `docs/src/reference/cli.md` is what `-h` prints.

use std::fmt::Write;
use std::path::Path;

use super::chase;

const HEAD: &str = "\
# Command line

What `chase <command> -h` prints, without `-h` and `-V`. `chase <command> --help` says more, and lists the [players](players.md) where a
command takes some. `--json` is described in [JSON outputs](json.md). `UPDATE_EXPECT=1 cargo test --test book` writes this page.
";

/// From the usage on, since the list of commands has the first line; without blanks at the ends of lines, and without
/// the options of every command.
fn block(text: &str) -> String {
    let text = text.find("Usage:").map_or(text, |usage| &text[usage..]);
    let of_all = |line: &&str| {
        ["-h, --help", "-V, --version"]
            .iter()
            .any(|option| line.trim_start().starts_with(option))
    };
    let lines: Vec<&str> = text
        .trim_end()
        .lines()
        .map(str::trim_end)
        .filter(|line| !of_all(line))
        .collect();
    format!("\n```text\n{}\n```\n", lines.join("\n"))
}

/// The subcommands that a help text lists.
fn subcommands(help: &str) -> Vec<&str> {
    let list = help.split_once("Commands:\n").map_or("", |(_, list)| list);
    let list = list.lines().take_while(|line| !line.is_empty());
    list.filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|&name| name != "help")
        .collect()
}

#[test]
fn the_page_of_commands_is_what_help_prints() {
    let here = Path::new(".");
    let all = chase(here, &["-h"]);
    let names = subcommands(&all);
    assert!(names.len() > 10, "{names:?}");
    let mut page = HEAD.to_owned() + &block(&all);
    for name in names {
        let text = chase(here, &[name, "-h"]);
        let _ = write!(page, "\n## `chase {name}`\n{}", block(&text));
        for inner in subcommands(&text) {
            let text = chase(here, &[name, inner, "-h"]);
            let _ = write!(page, "\n### `chase {name} {inner}`\n{}", block(&text));
        }
    }
    expect_test::expect_file!["../../docs/src/reference/cli.md"].assert_eq(&page);
}
