//! Names of states and rules as the input writes them.
//!
//! Thread transition systems number their states: those names cost nothing. Other names are in a [`NameTable`].

use std::borrow::Cow;
pub use throng_base::names::NameTable;

/// Names of the states `0..len`.
#[derive(Clone, Debug)]
pub enum Names {
    /// State `i` is called `i`.
    Numbered(usize),
    /// Names from the input.
    Listed(NameTable),
}

impl Names {
    /// One state whose name is empty: the shared state of a Petri net.
    pub fn single_anonymous() -> Self {
        let mut table = NameTable::default();
        table.insert("");
        Names::Listed(table)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Names::Numbered(count) => *count,
            Names::Listed(table) => table.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The name of state `index`.
    pub fn get(&self, index: usize) -> Cow<'_, str> {
        match self {
            Names::Numbered(_) => Cow::Owned(index.to_string()),
            Names::Listed(table) => Cow::Borrowed(table.get(index)),
        }
    }

    /// The state with this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        match self {
            Names::Numbered(count) => parse_number(name).filter(|index| index < count),
            Names::Listed(table) => table.find(name),
        }
    }
}

/// A number used as a name. It has one spelling: `01` and `+1` are not names.
pub(crate) fn parse_number(name: &str) -> Option<usize> {
    let padded = name.len() > 1 && name.starts_with('0');
    name.parse().ok().filter(|_| !padded && !name.starts_with('+'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_spelling() {
        let names = Names::Numbered(3);
        assert_eq!((names.find("0"), names.find("2"), names.find("3")), (Some(0), Some(2), None));
        for other in ["02", "+1", "00", "-0", "", "1 ", "１"] {
            assert_eq!(names.find(other), None, "`{other}`");
        }
    }
}
