//! `docs/src/reference/cli.md` is what `--help` prints.

use std::fmt::Write;
use std::path::Path;

use super::chase;

const HEAD: &str = "\
# Command line

What `chase <command> --help` prints. `UPDATE_EXPECT=1 cargo test --test book` writes this page.

Commands that take players also list all players in their help; here they have [a page of their own](players.md). `--json` is
described in [JSON outputs](json.md).
";

/// Where the list of players begins in a help text.
const PLAYERS: &str = "Players, as KIND:KEY=VALUE,KEY=VALUE:\n";

fn help(args: &[&str]) -> String {
    let help = chase(Path::new("."), args);
    // The list ends with an empty line, behind which examples follow.
    match help.split_once(PLAYERS) {
        None => help,
        Some((before, rest)) => before.to_owned() + rest.split_once("\n\n").map_or("", |(_, after)| after),
    }
}

/// Without blanks at the ends of lines.
fn block(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
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
    let all = help(&["--help"]);
    let names = subcommands(&all);
    assert!(names.len() > 10, "{names:?}");
    let mut page = HEAD.to_owned() + &block(&all);
    for name in names {
        let text = help(&[name, "--help"]);
        let _ = write!(page, "\n## `chase {name}`\n{}", block(&text));
        for inner in subcommands(&text) {
            let text = help(&[name, inner, "--help"]);
            let _ = write!(page, "\n### `chase {name} {inner}`\n{}", block(&text));
        }
    }
    expect_test::expect_file!["../../docs/src/reference/cli.md"].assert_eq(&page);
}
