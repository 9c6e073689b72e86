//! All exit codes of `throng`. Scripts rely on them: they do not change.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The command did what it was asked to; for `check`, the verdict is `safe`.
    Success,
    /// The verdict is `unsafe`.
    Unsafe,
    /// The verdict is `unknown`: a limit was reached, the user interrupted, or the engine gave up.
    Unknown,
    /// The input cannot be read, or asks what cannot be answered.
    Refused,
    /// The command line makes no sense, or a file or the result cannot be written.
    Usage,
    /// A bug of ours: evidence that the checker rejects, or a panic.
    Internal,
}

impl Exit {
    /// The number that the process returns.
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Unsafe => 10,
            Exit::Unknown => 5,
            Exit::Refused => 2,
            Exit::Usage => 1,
            Exit::Internal => 6,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_help_of_check_lists_every_code() {
        let mut throng = crate::flags::Throng::command();
        let help = throng.find_subcommand_mut("check").unwrap().render_help().to_string();
        let codes = help.split("EXIT CODES").nth(1).unwrap();
        for exit in [Exit::Success, Exit::Unsafe, Exit::Unknown, Exit::Refused, Exit::Usage, Exit::Internal] {
            assert!(codes.contains(&format!("\n  {:<4}", exit.code())), "{exit:?} in {codes}");
        }
    }
}
