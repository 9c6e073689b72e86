//! What is asked: the lines of a folder's `index.csv`, or every model file below the folder.

use super::name_of;
use super::records::{Record, Records};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use throng_formats::Format;
use throng_input::flags::StartFlags;

/// The file that lists the questions of a folder.
const INDEX: &str = "index.csv";
/// How deep folders may be nested.
const DEPTH: usize = 32;

/// A question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Question {
    /// The model, relative to the folder.
    pub(super) file: String,
    /// Options of `throng check` that ask the question, files relative to the folder. For a Boolean program, `init` is
    /// how many threads start and `target` is a label.
    pub(super) init: Option<String>,
    pub(super) target: Option<String>,
    pub(super) property: Option<String>,
    /// Further options, of a C program.
    pub(super) options: Vec<String>,
    /// What a step of a C program is where the verdict holds, unless it does not matter.
    pub(super) atomicity: Option<String>,
    /// Number and name in the table of a paper, `15/BOOP`.
    pub(super) entry: Option<String>,
    /// `safe` or `unsafe`, if that is known.
    pub(super) expected: Option<String>,
    /// What it is called in tables.
    pub(super) name: String,
}

impl Question {
    /// The input and the options, for `throng check` in the folder.
    pub(super) fn arguments(&self) -> Vec<String> {
        let (init, target) =
            if is_program(&self.file) { ("init-threads", "label") } else { ("init", "target") };
        let options = [(init, &self.init), (target, &self.target), ("property", &self.property)];
        let options = options.map(|(name, value)| value.as_ref().map(|value| format!("--{name}={value}")));
        // The name of a file may begin with a dash.
        let file = ["--".to_owned(), self.file.clone()];
        options.into_iter().flatten().chain(self.options.iter().cloned()).chain(file).collect()
    }

    /// Whether it is about a C program.
    pub(super) fn is_c(&self) -> bool {
        is_c(&self.file)
    }

    /// Its place in the table of a paper.
    fn rank(&self) -> u32 {
        let number = self.entry.as_deref().and_then(|entry| entry.split('/').next()?.parse().ok());
        number.unwrap_or(u32::MAX)
    }
}

/// The questions of a folder, and what was not made one.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) questions: Vec<Question>,
    pub(super) remarks: Vec<String>,
}

fn is_program(file: impl AsRef<Path>) -> bool {
    StartFlags::default().is_program(file.as_ref())
}

fn is_c(file: impl AsRef<Path>) -> bool {
    StartFlags::default().is_c(file.as_ref())
}

/// Whether a file with this name is an input.
fn is_input(file: impl AsRef<Path>) -> bool {
    is_program(&file) || is_c(&file) || Format::of_path(file.as_ref()).is_ok()
}

/// The questions of a folder.
pub(super) fn read(folder: &Path) -> Result<Found, String> {
    let complain = |error: io::Error| format!("cannot read the folder `{}`: {error}", name_of(folder));
    if !folder.metadata().map_err(complain)?.is_dir() {
        return Err(format!("`{}` is not a folder; one model is for `throng check`", name_of(folder)));
    }
    let index = folder.join(INDEX);
    let mut found = if index.is_file() {
        listed(&Records::read(&index, &["file"])?)
    } else {
        let mut files = Vec::new();
        walk(folder, "", DEPTH, &mut files).map_err(complain)?;
        files.sort();
        let questions = files.into_iter().map(|file| Question { file, ..Question::default() });
        Found { questions: questions.collect(), remarks: Vec::new() }
    };
    found.questions.sort_by_key(Question::rank);
    name(&mut found.questions);
    Ok(found)
}

/// The questions of an index. Formats that throng does not read are left out.
fn listed(records: &Records) -> Found {
    let mut found = Found::default();
    let mut unread: BTreeMap<String, usize> = BTreeMap::new();
    let mut remarks = Vec::new();
    for record in records.iter() {
        let Some(file) = record.get("file") else { continue };
        if is_input(file) {
            let question = question(file, record);
            // An index is data: it may say how programs are read, not what else is done or written.
            if crate::c::are_about_reading(&question.options) {
                found.questions.push(question);
            } else {
                let options = question.options.join(" ");
                remarks.push(format!("`{file}` is left out: an index cannot ask for `{options}`"));
            }
        } else {
            let extension = Path::new(file).extension().unwrap_or_default();
            *unread.entry(extension.to_string_lossy().into_owned()).or_default() += 1;
        }
    }
    let remark =
        |(extension, count)| format!("throng does not read .{extension}; questions left out: {count}");
    found.remarks = remarks.into_iter().chain(unread.into_iter().map(remark)).collect();
    found
}

fn question(file: &str, record: Record<'_>) -> Question {
    let field = |column| record.get(column).map(String::from);
    let expected = field("expected").filter(|expected| matches!(expected.as_str(), "safe" | "unsafe"));
    let mut options: Vec<String> = Vec::new();
    if is_c(file) {
        options.extend(field("options").unwrap_or_default().split_whitespace().map(str::to_owned));
    }
    Question {
        file: file.to_owned(),
        init: field("init"),
        target: field("target"),
        property: field("property"),
        options,
        atomicity: field("atomicity").filter(|atomicity| is_c(file) && atomicity != "any"),
        entry: field("table7").filter(|_| is_c(file)),
        expected,
        name: String::new(),
    }
}

/// Model files below a folder, by their path from its root. Links to folders are not followed: they may lead back.
fn walk(folder: &Path, prefix: &str, depth: usize, files: &mut Vec<String>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = format!("{prefix}{name}");
        if entry.file_type()?.is_dir() {
            if depth > 0 {
                walk(&entry.path(), &format!("{path}/"), depth - 1, files)?;
            }
        } else if is_input(entry.path()) && entry.path().is_file() {
            files.push(path);
        }
    }
    Ok(())
}

/// Gives each question a name: its file and, if there are several about it, what they ask.
fn name(questions: &mut [Question]) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for question in &*questions {
        *counts.entry(question.file.clone()).or_default() += 1;
    }
    for question in questions {
        let mut name = question.file.clone();
        if counts.get(&question.file).is_some_and(|&count| count > 1) {
            let parts = [("from", &question.init), ("to", &question.target), ("for", &question.property)];
            for (word, value) in parts {
                name.extend(value.as_ref().map(|value| format!(" {word} {value}")));
            }
        }
        name.extend(question.entry.as_ref().map(|entry| format!(" ({entry})")));
        question.name = name;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_asks_questions_and_names_them() {
        let folder = tempfile::tempdir().unwrap();
        let index = "file,init,target,property,expected,story\n\
                     a.tts,\"0|0,0\",,,safe,x\na.tts,,1|1,,unsafe,x\n-b.lola,,,b.formula,refused,x\n\
                     c.xyz,,,,safe,x\nd.bp,one,ERR,,safe,x\n";
        std::fs::write(folder.path().join(INDEX), index).unwrap();
        let found = read(folder.path()).unwrap();
        let names: Vec<&str> = found.questions.iter().map(|question| &*question.name).collect();
        assert_eq!(names, ["a.tts from 0|0,0", "a.tts to 1|1", "-b.lola", "d.bp"]);
        assert_eq!(found.questions[2].arguments(), ["--property=b.formula", "--", "-b.lola"]);
        assert_eq!(found.questions[3].arguments(), ["--init-threads=one", "--label=ERR", "--", "d.bp"]);
        let expected: Vec<_> = found.questions.iter().map(|question| question.expected.as_deref()).collect();
        assert_eq!(expected, [Some("safe"), Some("unsafe"), None, Some("safe")]);
        assert_eq!(found.remarks, ["throng does not read .xyz; questions left out: 1"]);
    }

    #[test]
    fn c_programs_have_options_and_a_place_in_a_table() {
        let folder = tempfile::tempdir().unwrap();
        let index = "file,expected,atomicity,options,table7\n\
                     a.c,safe,any,--threads-run f,\nb.c,safe,statement,,12/B\nc.c,unknown,any,,3/C\n";
        std::fs::write(folder.path().join(INDEX), index).unwrap();
        let questions = read(folder.path()).unwrap().questions;
        let names: Vec<&str> = questions.iter().map(|question| &*question.name).collect();
        assert_eq!(names, ["c.c (3/C)", "b.c (12/B)", "a.c"]);
        assert_eq!(questions[1].atomicity.as_deref(), Some("statement"));
        assert_eq!(questions[2].atomicity, None);
        assert_eq!(questions[2].arguments(), ["--threads-run", "f", "--", "a.c"]);
    }

    #[test]
    fn an_index_cannot_have_files_written() {
        let folder = tempfile::tempdir().unwrap();
        let index = "file,expected,options\na.c,safe,--evidence=x.json\nb.c,safe,-DN=1\n";
        std::fs::write(folder.path().join(INDEX), index).unwrap();
        let found = read(folder.path()).unwrap();
        assert_eq!(found.questions.iter().map(|question| &*question.file).collect::<Vec<_>>(), ["b.c"]);
        assert_eq!(found.remarks, ["`a.c` is left out: an index cannot ask for `--evidence=x.json`"]);
    }

    #[test]
    fn without_an_index_every_model_below_is_a_question() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("deep")).unwrap();
        for file in ["b.spec", "a.tts", "a.prop", "notes.txt", "deep/c.pnml", "deep/d.nbp"] {
            std::fs::write(folder.path().join(file), "").unwrap();
        }
        let files: Vec<String> =
            read(folder.path()).unwrap().questions.into_iter().map(|question| question.file).collect();
        assert_eq!(files, ["a.tts", "b.spec", "deep/c.pnml", "deep/d.nbp"]);
    }

    #[test]
    fn what_is_no_folder_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(read(&folder.path().join("missing")).unwrap_err().contains("cannot read the folder"));
        std::fs::write(folder.path().join("x.tts"), "").unwrap();
        assert!(read(&folder.path().join("x.tts")).unwrap_err().contains("is not a folder"));
    }
}
