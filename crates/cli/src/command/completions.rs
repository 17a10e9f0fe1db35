//! `grognard completions`: shell completions.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::failure::{Failure, Status};
use crate::terminal;

const EXAMPLES: &str = "\
Examples:
  grognard completions bash > ~/.local/share/bash-completion/completions/grognard
  grognard completions zsh > ~/.zfunc/_grognard
  grognard completions fish > ~/.config/fish/completions/grognard.fish";

/// Print completions for a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The shell.
    shell: Shell,
}

/// Prints completions for the command `C`.
pub(crate) fn completions<C: CommandFactory>(args: &Args) -> Result<Status, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut C::command(), "grognard", &mut script);
    terminal::print_raw(&String::from_utf8_lossy(&script))?;
    Ok(Status::Done)
}
