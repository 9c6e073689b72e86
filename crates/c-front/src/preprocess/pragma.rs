//! What pragmas say: `pack` about the layout of structs; the others have an entry in the table of the closed world, or
//! are refused.

use crate::world::{self, Meaning};

/// The largest alignment of members, as the pragmas so far say.
#[derive(Debug, Default)]
pub(super) struct Packing {
    now: Option<u64>,
    pushed: Vec<Option<u64>>,
    /// What holds from each offset on.
    pub(super) packs: Vec<(u32, Option<u64>)>,
}

/// What is wrong, and the way on.
type Refusal = (String, &'static str);

impl Packing {
    /// Reads a pragma: its words without `#pragma`, and where the text goes on after it.
    pub(super) fn pragma(&mut self, words: &str, offset: u32) -> Result<(), Refusal> {
        let name = words.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
        if name == "pack" {
            self.pack(words["pack".len()..].trim())?;
            self.packs.push((offset, self.now));
            return Ok(());
        }
        match world::pragma(words).map(|entry| entry.meaning) {
            Some(Meaning::Modelled(_) | Meaning::Harmless(_)) => Ok(()),
            Some(Meaning::Refused(hint)) => Err((format!("`#pragma {name}` is not supported"), hint)),
            None if words.is_empty() => Ok(()),
            None => Err((
                format!("`#pragma {name}` is not known"),
                "leave it out if it does not change what the program does",
            )),
        }
    }

    /// `(2)`, `()`, `(push)`, `(push, 2)`, `(pop)`
    fn pack(&mut self, arguments: &str) -> Result<(), Refusal> {
        let refusal = || {
            (
                "this `#pragma pack` is not supported".to_owned(),
                "write pack(n), pack(), pack(push), pack(push, n) or pack(pop)",
            )
        };
        let inner =
            arguments.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).ok_or_else(refusal)?;
        let words: Vec<&str> = inner.split(',').map(str::trim).collect();
        let number = |word: &str| match word.parse::<u64>() {
            // 0 is the default, as without arguments.
            Ok(0) => Ok(None),
            Ok(n @ (1 | 2 | 4 | 8 | 16)) => Ok(Some(n)),
            _ => Err(refusal()),
        };
        match words[..] {
            [""] => self.now = None,
            ["push"] => self.pushed.push(self.now),
            ["push", n] => {
                let n = number(n)?;
                self.pushed.push(std::mem::replace(&mut self.now, n));
            }
            ["pop"] => self.now = self.pushed.pop().unwrap_or(None),
            [n] => self.now = number(n)?,
            _ => return Err(refusal()),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packs_are_a_stack() {
        let mut packing = Packing::default();
        for (offset, words) in
            ["pack(push, 1)", "pack (2)", "pack(push)", "pack()", "pack( pop )", "pack(pop)"]
                .into_iter()
                .enumerate()
        {
            packing.pragma(words, offset as u32).unwrap();
        }
        let values: Vec<Option<u64>> = packing.packs.iter().map(|&(_, pack)| pack).collect();
        assert_eq!(values, [Some(1), Some(2), Some(2), None, Some(2), None]);
        for words in ["pack(push, name, 1)", "pack(3)", "pack 1", "redefine_extname a b", "frob"] {
            assert!(packing.pragma(words, 9).is_err(), "{words}");
        }
        assert!(packing.pragma("GCC diagnostic push", 9).is_ok());
    }
}
