//! Controls: worlds with a known truth, carried through from games to verdicts. True claims must be found, false ones
//! must not.

use std::io::Write;

mod chase;
mod connect_four;
mod forks;

/// Prints a line of a table, in the full form of a control.
fn tell(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stdout(), "{line}");
}
