//! The closed world: attributes, pragmas, built-ins, library functions, types of the library and instructions, each with
//! what it means here or why it means nothing. The lookups of all stages go through these tables, and
//! [`page`] writes the documentation from them; what is in no table is refused with a code.
//!
//! * `attributes`, `pragmas`, `builtins`, `assembly`, `types`: names with a meaning.
//! * `functions`: what each function of the library does to memory and what it returns.
//! * `models`: functions of the library that are written in C.

mod assembly;
mod attributes;
mod builtins;
mod functions;
mod models;
mod page;
mod pragmas;
mod types;

pub use functions::{Call, Effect, Value, function, functions};
pub use models::{MODELS, Model};
pub use page::page;

/// What becomes of something that a program uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// It has a meaning, and this is it.
    Modelled(&'static str),
    /// It changes nothing that a run shows, and this is why.
    Harmless(&'static str),
    /// It is refused, and this is the way on.
    Refused(&'static str),
}

/// One line of a table.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name, without underscores around it.
    pub name: &'static str,
    /// What becomes of it.
    pub meaning: Meaning,
    /// A program with it, for the tests: what a compiler accepts, around `%`, which stands for the name.
    pub example: &'static str,
}

pub(crate) const fn modelled(name: &'static str, meaning: &'static str, example: &'static str) -> Entry {
    Entry { name, meaning: Meaning::Modelled(meaning), example }
}

pub(crate) const fn harmless(name: &'static str, why: &'static str, example: &'static str) -> Entry {
    Entry { name, meaning: Meaning::Harmless(why), example }
}

pub(crate) const fn refused(name: &'static str, hint: &'static str, example: &'static str) -> Entry {
    Entry { name, meaning: Meaning::Refused(hint), example }
}

/// A table by its name, for tests.
pub fn table(name: &str) -> &'static [Entry] {
    match name {
        "attributes" => attributes::ATTRIBUTES,
        "pragmas" => pragmas::PRAGMAS,
        "builtins" => builtins::BUILTINS,
        "templates" => assembly::TEMPLATES,
        "directives" => assembly::DIRECTIVES,
        "types" => types::TYPES,
        _ => &[],
    }
}

fn find(table: &'static [Entry], name: &str) -> Option<&'static Entry> {
    table.iter().find(|entry| entry.name == name)
}

/// What an attribute means; its name is without underscores around it.
pub fn attribute(name: &str) -> Option<&'static Entry> {
    find(attributes::ATTRIBUTES, name)
}

/// What a pragma means, by its first word, or its first two for those of compilers.
pub fn pragma(words: &str) -> Option<&'static Entry> {
    let mut words = words.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|w| !w.is_empty());
    let first = words.next()?;
    if matches!(first, "GCC" | "clang" | "STDC") {
        let both = format!("{first} {}", words.next().unwrap_or_default());
        return find(pragmas::PRAGMAS, &both);
    }
    find(pragmas::PRAGMAS, first)
}

/// What the compiler's own `__builtin_NAME` means.
pub fn builtin(name: &str) -> Option<&'static Entry> {
    find(builtins::BUILTINS, name)
}

/// What an `asm` of this template means, if it is known: instructions without operands that touch no memory.
pub fn assembly(template: &str) -> Option<&'static Entry> {
    let words: Vec<&str> = template.split([' ', '\t', '\n', '\r', ';']).filter(|w| !w.is_empty()).collect();
    find(assembly::TEMPLATES, &words.join(" "))
}

/// What an assembler directive outside of functions means.
pub fn directive(line: &str) -> Option<&'static Entry> {
    find(assembly::DIRECTIVES, line.split_whitespace().next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_there_once() {
        let tables = [
            attributes::ATTRIBUTES,
            pragmas::PRAGMAS,
            builtins::BUILTINS,
            assembly::TEMPLATES,
            assembly::DIRECTIVES,
            types::TYPES,
        ];
        for table in tables {
            let mut names: Vec<&str> = table.iter().map(|entry| entry.name).collect();
            names.sort_unstable();
            assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
        }
    }

    #[test]
    fn pragmas_are_known_by_their_words() {
        assert!(matches!(pragma("pack(push, 1)").unwrap().meaning, Meaning::Modelled(_)));
        assert!(matches!(pragma("GCC diagnostic ignored \"-Wall\"").unwrap().meaning, Meaning::Harmless(_)));
        assert!(matches!(pragma("redefine_extname a b").unwrap().meaning, Meaning::Refused(_)));
        assert!(pragma("vendor magic").is_none());
    }

    #[test]
    fn instructions_are_known_by_their_words() {
        assert!(assembly(" rep;\n nop ").is_some() && assembly("").is_some());
        assert!(assembly("hlt").is_none());
    }
}
