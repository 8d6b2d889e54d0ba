//! Controls: worlds whose truth is known, taken the whole way from games to verdicts. What is true must be found, what is false must not.

use std::io::Write;

mod chase;
mod connect_four;

/// A line of a table, for who asks for the full form.
fn tell(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stdout(), "{line}");
}
