//! The closed world: the page is what the tables say, and what the tables say is what programs get.

use std::path::{Path, PathBuf};
use throng_c_front::lower::{Options, read};
use throng_c_front::preprocess::Preprocessing;
use throng_c_front::world::{self, Entry, Meaning};

#[test]
fn the_page_is_what_the_tables_say() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/c-world.md");
    let page = world::page();
    if std::env::var_os("THRONG_BLESS").is_some() {
        std::fs::write(&file, &page).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        committed == page,
        "docs/c-world.md is old: THRONG_BLESS=1 cargo test -p throng-c-front --test world"
    );
}

/// The codes of the errors that a program gives.
fn codes(text: &str, own: bool) -> Vec<&'static str> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file: PathBuf = directory.path().join("a.c");
    std::fs::write(&file, text).expect("a file in it");
    let preprocessing = Preprocessing { own, ..Preprocessing::default() };
    let result = read(&[file], &preprocessing, &Options::default());
    result.err().unwrap_or_default().iter().map(|error| error.code).collect()
}

/// Checks the programs of a table; those of what a compiler's preprocessor does are left out.
fn check(entries: &[Entry], refusals: &[&str]) {
    for entry in entries.iter().filter(|entry| !entry.example.is_empty()) {
        let text = entry.example.replace('%', entry.name);
        for own in [true, false] {
            let codes = codes(&text, own);
            let is_refused = matches!(entry.meaning, Meaning::Refused(_));
            let is_right = match is_refused {
                true => codes.iter().any(|code| refusals.contains(code)),
                false => codes.is_empty(),
            };
            assert!(is_right, "{}: {codes:?} for {text}", entry.name);
        }
    }
}

#[test]
fn attributes_are_what_the_table_says() {
    check(world::table("attributes"), &["E0836"]);
    assert_eq!(codes("int x __attribute__((frobnicated)); int main(void) { return x; }", true), ["E0836"]);
}

#[test]
fn pragmas_are_what_the_table_says() {
    check(world::table("pragmas"), &["E0837"]);
    assert_eq!(codes("#pragma frobnicate\nint main(void) { return 0; }", true), ["E0837"]);
    assert_eq!(codes("_Pragma(\"frobnicate\") int main(void) { return 0; }", true), ["E0837"]);
}

#[test]
fn builtins_are_what_the_table_says() {
    check(world::table("builtins"), &["E0701", "E0702", "E0705", "E0713"]);
    assert_eq!(codes("int main(void) { return __builtin_frobnicate(); }", true), ["E0707"]);
}

#[test]
fn instructions_are_what_the_table_says() {
    check(world::table("templates"), &["E0704"]);
    check(world::table("directives"), &["E0704"]);
    check(world::table("types"), &[]);
    assert_eq!(codes("int main(void) { asm(\"cli\"); return 0; }", true), ["E0704"]);
    assert_eq!(codes("asm(\"x: .long 1\"); int main(void) { return 0; }", true), ["E0704"]);
}
