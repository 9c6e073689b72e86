//! What an invariant claims, in one sentence of C: a list of which one holds, without what is superfluous in it.

use super::phrase::Atom;
use std::fmt;

/// One of these holds; if there is none, this cannot be.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Claim {
    atoms: Vec<Atom>,
    /// What C has no words for: about all threads, or some.
    words: Vec<String>,
}

impl Claim {
    /// One more that may hold. What implies another adds nothing.
    pub(super) fn add(&mut self, atom: Atom) {
        if self.atoms.iter().any(|known| atom.implies(known)) {
            return;
        }
        self.atoms.retain(|known| !known.implies(&atom));
        self.atoms.push(atom);
    }

    /// The same in words.
    pub(super) fn add_words(&mut self, words: String) {
        if !self.words.contains(&words) {
            self.words.push(words);
        }
    }

    /// Whether another claim follows, as far as the words tell.
    pub(super) fn implies(&self, other: &Claim) -> bool {
        self.atoms.iter().all(|atom| other.atoms.iter().any(|it| atom.implies(it)))
            && self.words.iter().all(|words| other.words.contains(words))
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.atoms.is_empty() && self.words.is_empty() {
            return f.write_str("false");
        }
        let atoms: Vec<String> = self.atoms.iter().map(Atom::text).collect();
        // In a list of alternatives, an atom with `&&` in it needs parentheses.
        let several = atoms.len() + self.words.len() > 1;
        let bracketed = atoms.into_iter().map(|atom| {
            if several && (atom.contains(" && ") || atom.contains(" ? ")) {
                format!("({atom})")
            } else {
                atom
            }
        });
        let mut parts = vec![bracketed.collect::<Vec<_>>().join(" || ")];
        parts.retain(|part| !part.is_empty());
        parts.extend(self.words.iter().cloned());
        f.write_str(&parts.join(" or "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(left: &str, sign: &'static str, right: &str) -> Atom {
        Atom::Comparison(left.to_owned(), sign, right.to_owned(), false)
    }

    fn claim(atoms: &[(&str, &'static str, &str)]) -> Claim {
        let mut claim = Claim::default();
        atoms.iter().for_each(|&(left, sign, right)| claim.add(atom(left, sign, right)));
        claim
    }

    #[test]
    fn what_is_superfluous_is_left_out() {
        let both = claim(&[("4", "<=", "tail"), ("2", "<=", "tail"), ("head", "==", "tail")]);
        assert_eq!(both.to_string(), "2 <= tail || head == tail");
        assert!(claim(&[("s", "<", "t")]).implies(&claim(&[("s", "<=", "t"), ("i", "==", "0")])));
        assert!(!claim(&[("s", "<", "t"), ("i", "==", "0")]).implies(&claim(&[("s", "<=", "t")])));
        assert_eq!(Claim::default().to_string(), "false");
    }
}
