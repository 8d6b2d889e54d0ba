//! `chase completions`

use std::io;
use std::process::ExitCode;

use clap_complete::Shell;

/// Print the completions of a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  chase completions bash > ~/.local/share/bash-completion/completions/chase
  chase completions zsh > ~/.zfunc/_chase
  chase completions fish > ~/.config/fish/completions/chase.fish")]
pub struct Args {
    /// The shell
    shell: Shell,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    // clap_complete panics if a pipe is closed, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::command(), "chase", &mut script);
    io::Write::write_all(&mut io::stdout().lock(), &script)?;
    Ok(ExitCode::SUCCESS)
}
