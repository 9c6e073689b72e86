//! Why there is no decision at all.

use throng_base::Diagnostic;

/// Why there is no decision, not even that the answer is unknown.
#[derive(Debug)]
pub enum Error {
    /// The input cannot be read, or the question makes no sense for it. Empty if the budget ended meanwhile.
    Refused(Vec<Diagnostic>),
    /// A bug of ours. There is no verdict.
    Internal {
        /// What went wrong.
        message: String,
        /// Evidence that the checker rejects, as JSON, for a report of the bug.
        evidence: Option<Vec<u8>>,
    },
}

impl Error {
    /// A bug of ours, in words.
    pub fn internal(message: impl Into<String>) -> Self {
        Error::Internal { message: message.into(), evidence: None }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Refused(diagnostics) => {
                let lines: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
                f.write_str(&lines.join("\n"))
            }
            Error::Internal { message, .. } => write!(f, "internal error: {message}"),
        }
    }
}

impl std::error::Error for Error {}
