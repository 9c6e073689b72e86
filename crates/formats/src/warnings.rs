//! Warnings of a reader, limited so that a large file with one habit does not bury the user.

use throng_base::Diagnostic;

/// Warnings of one kind: the first few are kept, the others only counted.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    kept: Vec<Diagnostic>,
    dropped: usize,
}

impl Warnings {
    /// How many are kept.
    const LIMIT: usize = 10;

    /// Adds a warning, which is only made if it is kept.
    pub(crate) fn push(&mut self, warning: impl FnOnce() -> Diagnostic) {
        if self.kept.len() < Self::LIMIT {
            self.kept.push(warning());
        } else {
            self.dropped += 1;
        }
    }

    /// The warnings kept; the last says how many more there were.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        if self.dropped > 0
            && let Some(last) = self.kept.last_mut()
        {
            last.notes.push(format!("{} more warnings of this kind are not shown", self.dropped));
        }
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_warnings_are_kept() {
        let mut warnings = Warnings::default();
        for i in 0..15 {
            warnings.push(|| Diagnostic::warning("W0000", format!("warning {i}")));
        }
        let kept = warnings.finish();
        assert_eq!(kept.len(), 10);
        assert_eq!(kept[9].notes, ["5 more warnings of this kind are not shown"]);
    }
}
