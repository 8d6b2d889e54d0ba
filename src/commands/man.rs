//! `chase man`

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::cli;
use anyhow::Context;

/// Write the manual pages, one for each subcommand
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  chase man ~/.local/share/man/man1")]
pub struct Args {
    /// Folder for the pages; made if it does not exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let folder = &args.folder;
    let written = fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(crate::command(), folder));
    written.with_context(|| format!("cannot write to {}", folder.display()))?;
    cli::print(format_args!("wrote the manual pages to {}", folder.display()))?;
    Ok(ExitCode::SUCCESS)
}
