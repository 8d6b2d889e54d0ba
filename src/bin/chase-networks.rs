//! The program with all commands, linked with libtorch: `chase` becomes it where a residual network may be needed.

use std::process::ExitCode;

fn main() -> ExitCode {
    chase_program::run_whole()
}
