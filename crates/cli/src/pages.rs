//! Pages for `throng explain`: every code of every message has one. Those of the C front end stand with it; the others here.

use throng_c_front::codes;

/// The pages: a line with code and title, then the page.
const PAGES: &str = include_str!("pages.txt");

/// A page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Page {
    pub(crate) code: String,
    pub(crate) title: String,
    pub(crate) text: String,
}

/// All pages, by code.
pub(crate) fn all() -> Vec<Page> {
    let of_c = codes::all().map(|code| Page {
        code: code.code.to_owned(),
        title: code.title.to_owned(),
        text: code.explanation.trim().to_owned(),
    });
    let mut pages: Vec<Page> = of_c.collect();
    for line in PAGES.lines() {
        match line.split_once(' ').filter(|(code, _)| is_code(code)) {
            Some((code, title)) => {
                pages.push(Page { code: code.to_owned(), title: title.to_owned(), text: String::new() });
            }
            None => {
                if let Some(page) = pages.last_mut() {
                    page.text.push_str(line);
                    page.text.push('\n');
                }
            }
        }
    }
    pages.sort_by(|one, other| one.code.cmp(&other.code));
    pages
}

fn is_code(word: &str) -> bool {
    word.len() == 5 && word.starts_with('E') && word[1..].bytes().all(|byte| byte.is_ascii_digit())
}

/// The page of a code, or the code closest to it.
pub(crate) fn find(code: &str) -> Result<Page, Option<String>> {
    let pages = all();
    let wanted = code.to_uppercase();
    match pages.iter().find(|page| page.code == wanted) {
        Some(page) => Ok(page.clone()),
        None if is_code(&wanted) => {
            let names = pages.iter().map(|page| &*page.code);
            Err(throng_base::suggest::closest(names, &wanted).map(str::to_owned))
        }
        None => Err(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// The codes in the texts of a folder, tests left out.
    fn codes_in(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                codes_in(&path, found);
            } else if name.ends_with(".rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let words = text.split('"').filter(|word| is_code(word));
                found.extend(words.map(str::to_owned));
            }
        }
    }

    #[test]
    fn every_code_has_a_page() {
        let mut used = BTreeSet::new();
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        for krate in std::fs::read_dir(crates).unwrap() {
            let source = krate.unwrap().path().join("src");
            if source.is_dir() {
                codes_in(&source, &mut used);
            }
        }
        assert!(used.len() > 150, "{used:?}");
        let pages: BTreeSet<String> = all().into_iter().map(|page| page.code).collect();
        // Codes that only tests make up end in 9999 or stand in no message.
        let missing: Vec<&String> =
            used.iter().filter(|code| !pages.contains(*code) && *code != "E9999").collect();
        assert!(missing.is_empty(), "without a page: {missing:?}");
        assert_eq!(all().len(), pages.len(), "a code has two pages");
        assert!(all().iter().all(|page| !page.title.is_empty() && page.text.len() > 20));
    }
}
