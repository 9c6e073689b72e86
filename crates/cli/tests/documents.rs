//! What documents point to is there: files, headings' files, and the functions that the tour leads along.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All Markdown files of the repository's own.
fn documents() -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut open = ["", "docs", "examples", "bench", "fuzz", "lab", "tests/c"]
        .map(|folder| root().join(folder))
        .to_vec();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() && folder.starts_with(root().join("docs")) {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.insert(path);
            }
        }
    }
    found
}

/// Text and target of each link `[text](target)`.
fn links(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("](") {
        let (before, after) = (&text[..at], &text[at + 2..]);
        if let (Some(start), Some(end)) = (before.rfind('['), after.find(')')) {
            found.push((&before[start + 1..], &after[..end]));
        }
    }
    found
}

#[test]
fn documents_link_to_files_that_are_there() {
    let mut n_links = 0;
    for document in documents() {
        let text = std::fs::read_to_string(&document).expect("readable");
        for (_, target) in links(&text) {
            let file = target.split('#').next().unwrap_or_default();
            if file.is_empty() || target.contains("://") {
                continue;
            }
            let path = document.parent().expect("a folder").join(file);
            assert!(path.exists(), "{}: {target} is not there", document.display());
            n_links += 1;
        }
    }
    assert!(n_links > 50, "only {n_links} links were found");
}

#[test]
fn the_tour_names_things_that_its_files_define() {
    let tour = root().join("docs/tour.md");
    let text = std::fs::read_to_string(&tour).expect("readable");
    let mut n_names = 0;
    for (name, target) in links(&text) {
        let Some(name) = name.strip_prefix('`').and_then(|name| name.strip_suffix('`')) else { continue };
        let path = root().join("docs").join(target);
        let source = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{target}: {error}"));
        let is_defined = ["fn", "struct", "enum", "trait", "const", "type"].iter().any(|kind| {
            let definition = format!("{kind} {name}");
            source.match_indices(&definition).any(|(at, _)| {
                let next = source[at + definition.len()..].chars().next();
                !next.is_some_and(|next| next.is_alphanumeric() || next == '_')
            })
        });
        assert!(is_defined, "{target} does not define {name}");
        n_names += 1;
    }
    assert!(n_names >= 24, "only {n_names} names were found");
}
