//! The `chase` program. It is not linked with libtorch.

use std::process::ExitCode;

fn main() -> ExitCode {
    chase_program::run_light()
}
