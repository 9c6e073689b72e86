//! Wrong translations of C that are planted in a copy of the sources, to see whether a test catches each of them.
//!
//! `lab/planted/faults.txt` lists them. All are planted at once, each behind a question whether it is the one that the
//! environment variable `THRONG_PLANTED` names, so that one build serves for all ([`plant`]); the sources themselves stay as they are.
//! The binary `planted` builds the copy and asks the tests about each fault.

use std::collections::BTreeSet;
use std::path::Path;

/// The variable that names the fault.
pub const VARIABLE: &str = "THRONG_PLANTED";

/// A wrong translation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fault {
    /// Its name.
    pub name: String,
    /// Why it is wrong.
    pub why: String,
    /// The file, from the root of the sources.
    pub file: String,
    /// A text that occurs once in the file.
    pub at: String,
    /// The part of that text that is replaced, which occurs once in it.
    pub old: String,
    /// What it is replaced by.
    pub new: String,
    /// A program of `tests/c/features` that catches it.
    pub hint: Option<String>,
}

/// Reads a list of faults; `Err` says which line is wrong.
pub fn parse(text: &str) -> Result<Vec<Fault>, String> {
    let mut faults: Vec<Fault> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let wrong = || format!("line {}: `{line}` is no `key: text` of a fault", number + 1);
        let (key, value) = line.split_once(':').ok_or_else(wrong)?;
        let value = value.trim().to_owned();
        if key == "fault" {
            faults.push(Fault { name: value, ..Fault::default() });
            continue;
        }
        let fault = faults.last_mut().ok_or_else(wrong)?;
        match key {
            "why" => fault.why = value,
            "file" => fault.file = value,
            "at" => (fault.at, fault.old) = (value.clone(), value),
            "old" => fault.old = value,
            "new" => fault.new = value,
            "hint" => fault.hint = Some(value),
            _ => return Err(wrong()),
        }
    }
    let names: BTreeSet<&String> = faults.iter().map(|fault| &fault.name).collect();
    if names.len() == faults.len() { Ok(faults) } else { Err("two faults have one name".to_owned()) }
}

/// The faults of these sources.
pub fn faults(root: &Path) -> Result<Vec<Fault>, String> {
    let file = root.join("lab/planted/faults.txt");
    parse(&std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?)
}

/// Why a fault cannot be planted in the text of its file, if it cannot.
pub fn obstacle(fault: &Fault, text: &str) -> Option<String> {
    let count = |text: &str, part: &str| if part.is_empty() { 0 } else { text.matches(part).count() };
    let (in_file, in_text) = (count(text, &fault.at), count(&fault.at, &fault.old));
    let say = |what: &str, times: usize| Some(format!("{}: `{what}` occurs {times} times", fault.name));
    match (in_file, in_text) {
        (1, 1) => None,
        (1, times) => say(&fault.old, times),
        (times, _) => say(&fault.at, times),
    }
}

/// The text of a file with these faults of it, each behind a question.
pub fn plant(text: &str, faults: &[&Fault]) -> Result<String, String> {
    let mut planted = text.to_owned();
    for fault in faults {
        if let Some(why) = obstacle(fault, text) {
            return Err(why);
        }
        let Fault { name, old, new, .. } = fault;
        let either = if old.ends_with(';') {
            format!("if crate::planted::is(\"{name}\") {{ {new} }} else {{ {old} }}")
        } else {
            format!("(if crate::planted::is(\"{name}\") {{ {new} }} else {{ {old} }})")
        };
        let whole = fault.at.replacen(old.as_str(), &either, 1);
        if !planted.contains(&fault.at) {
            return Err(format!("{name}: another fault is at the same place"));
        }
        planted = planted.replacen(fault.at.as_str(), &whole, 1);
    }
    Ok(planted)
}

/// The module that answers the question, for the copy of the crate.
pub const MODULE: &str = "\
//! Which fault is planted.

use std::sync::OnceLock;

static CHOSEN: OnceLock<Option<String>> = OnceLock::new();

/// Whether it is this one.
pub fn is(name: &str) -> bool {
    CHOSEN.get_or_init(|| std::env::var(\"THRONG_PLANTED\").ok()).as_deref() == Some(name)
}
";

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "# list\n\nfault: less\nwhy: x\nfile: a.rs\nat: let x = a < b;\nold: a < b\nnew: b < a\n\
                        fault: lost\nwhy: y\nfile: a.rs\nat: store(x);\nnew:\nhint: f.c\n";

    #[test]
    fn faults_are_planted_behind_questions() {
        let faults = parse(LIST).expect("a list");
        let planted = plant("let x = a < b;\nstore(x);\n", &faults.iter().collect::<Vec<_>>());
        let expected = "let x = (if crate::planted::is(\"less\") { b < a } else { a < b });\n\
                        if crate::planted::is(\"lost\") {  } else { store(x); }\n";
        assert_eq!(planted.as_deref(), Ok(expected));
    }

    #[test]
    fn what_is_not_there_once_cannot_be_planted() {
        let faults = parse(LIST).expect("a list");
        assert!(obstacle(&faults[0], "nothing").is_some());
        assert!(obstacle(&faults[1], "store(x); store(x);").is_some());
        assert!(obstacle(&faults[1], "store(x);").is_none());
    }

    #[test]
    fn lists_that_make_no_sense_are_refused() {
        assert!(parse("why: x\n").is_err());
        assert!(parse("fault: a\nfault: a\n").is_err());
        assert!(parse("fault: a\nwhat: b\n").is_err());
    }
}
