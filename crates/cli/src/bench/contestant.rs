//! Who is compared: engines that differ in name and fit what is to be shown. Each is an engine with options and a name for the tables, `[LABEL=]NAME[:OPTION[=VALUE]]…`.

use crate::flags::{BenchFlags, CegarFlags, SearchFlags};
use clap::Parser;
use std::collections::BTreeSet;
use throng::CEngine;
use throng_engine::EngineKind;
use throng_input::flags::CFlags;
use throng_report::benchmark::{Engine, Role};

/// An engine with options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Contestant {
    /// What it is called in tables.
    pub(crate) label: String,
    /// Its flags for `throng check`, `--engine` first.
    pub(crate) arguments: Vec<String>,
    kind: EngineKind,
    /// If it is one for C programs, which.
    of_c: Option<CEngine>,
}

/// The flags of `throng check` that say how to search.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Search {
    #[command(flatten)]
    flags: SearchFlags,
    #[command(flatten)]
    c: CFlags,
    #[command(flatten)]
    cegar: CegarFlags,
    /// Of the question, but it is engines that are compared with different numbers.
    #[arg(long)]
    threads: Option<u32>,
}

impl Contestant {
    /// An engine with its default options.
    pub(crate) fn plain(kind: EngineKind) -> Self {
        let arguments = ["--engine", kind.name()].map(String::from).to_vec();
        Self { label: kind.name().to_owned(), arguments, kind, of_c: None }
    }

    /// Whether it is for C programs.
    pub(crate) fn is_of_c(&self) -> bool {
        self.of_c.is_some()
    }

    /// Whether it answers questions about C programs, too.
    pub(crate) fn fits_c(&self) -> bool {
        self.is_of_c() || self.kind == EngineKind::Auto
    }

    /// Reads `[LABEL=]NAME[:OPTION[=VALUE]]…`. The options are those of `throng check`, so it decides what they are.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (head, options) = text.split_once(':').unwrap_or((text, ""));
        let (label, name) = match head.split_once('=') {
            Some((label, name)) => (label.trim(), name.trim()),
            None => (text.trim(), head.trim()),
        };
        let options = options.split(':').filter(|option| !option.is_empty());
        let options = options.map(|option| format!("--{}", option.trim().trim_start_matches('-')));
        let mut arguments: Vec<String> =
            ["--engine".to_owned(), name.to_owned()].into_iter().chain(options).collect();
        let search = Search::try_parse_from(&arguments).map_err(|error| first_paragraph(&error))?;
        if label.is_empty() {
            return Err("expected a label before `=`".to_owned());
        }
        let Search { flags, c, cegar, threads } = search;
        let of_c_only = c.words().into_iter().next().or_else(|| cegar.problem(None));
        let of_c_only = of_c_only.or_else(|| threads.map(|_| "--threads".to_owned()));
        // `auto` is for all inputs, unless its options are for C programs.
        let of_c = CEngine::from_name(name);
        let of_c = of_c.filter(|&engine| engine != CEngine::Auto || of_c_only.is_some());
        if let (None, Some(option)) = (of_c, of_c_only) {
            return Err(format!("`{option}` is for engines of C programs here"));
        }
        // Times of phases are told only on request.
        arguments.extend(of_c.map(|_| "--verbose".to_owned()));
        Ok(Self { label: label.to_owned(), arguments, kind: flags.engine(), of_c })
    }

    /// What a step of a C program is, if that is among its options.
    pub(crate) fn atomicity(&self) -> Option<&str> {
        self.arguments.iter().find_map(|argument| argument.strip_prefix("--atomicity="))
    }

    /// Its column in the tables.
    pub(crate) fn column(&self) -> Engine {
        let role = match self.kind {
            _ if matches!(self.of_c, Some(CEngine::Cegar | CEngine::Auto)) => Role::Prover,
            EngineKind::Backward => Role::Classical,
            EngineKind::Concolic => Role::Concolic,
            _ => Role::Other,
        };
        Engine { label: self.label.clone(), role }
    }
}

/// What clap has against some arguments, without the usage of a command that does not exist.
fn first_paragraph(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    text.split("\n\n").next().unwrap_or_default().replace('\n', " ").trim().to_owned()
}

/// Whether every label is there once: tables and files tell engines apart by them.
pub(super) fn distinct(contestants: &[Contestant]) -> Result<(), String> {
    let mut labels = BTreeSet::new();
    let twice = contestants.iter().find(|contestant| !labels.insert(&contestant.label));
    twice.map_or(Ok(()), |contestant| {
        Err(format!("two engines are called `{}`; name one of them: `LABEL=NAME:OPTION`", contestant.label))
    })
}

/// Whether these engines can be shown as the flags ask for.
pub(super) fn fit(contestants: &[Contestant], flags: &BenchFlags) -> Result<(), String> {
    if contestants.iter().any(Contestant::is_of_c) && !contestants.iter().all(Contestant::fits_c) {
        let message = "engines of C programs (`cegar`, `houdini`, `pdr`, `exact`, `explore`) and others have no inputs in common";
        return Err(message.to_owned());
    }
    if flags.scatter.is_some() && contestants.len() < 2 {
        return Err("`--scatter` draws two engines against each other; name two with `--engines`".to_owned());
    }
    if flags.paths && !contestants.iter().any(|contestant| contestant.kind == EngineKind::Concolic) {
        return Err("`--paths` is about `concolic`, which is not among the engines".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_those_of_check_and_labels_are_free() {
        let plain = Contestant::parse("backward").unwrap();
        assert_eq!(plain, Contestant::plain(EngineKind::Backward));
        let named = Contestant::parse("no oracle=backward:oracle=none:minimal:--jobs=1").unwrap();
        assert_eq!(named.label, "no oracle");
        assert_eq!(named.arguments, ["--engine", "backward", "--oracle=none", "--minimal", "--jobs=1"]);
        assert_eq!(Contestant::parse("backward:seed=7").unwrap().label, "backward:seed=7");
    }

    #[test]
    fn what_check_would_not_accept_is_an_error() {
        for (text, expected) in [
            ("sideways", "invalid value 'sideways'"),
            ("backward:oracle=delphi", "invalid value 'delphi'"),
            ("backward:wings", "unexpected argument '--wings'"),
            ("=backward", "expected a label"),
            ("", "value"),
        ] {
            let error = Contestant::parse(text).unwrap_err();
            assert!(error.contains(expected) && !error.contains('\n'), "`{text}`: {error}");
        }
    }

    #[test]
    fn two_engines_with_one_name_are_refused() {
        let parse = |text| Contestant::parse(text).unwrap();
        assert!(distinct(&[parse("backward"), parse("backward:seed=1")]).is_ok());
        assert!(distinct(&[parse("a=backward"), parse("a=backward:seed=1")]).is_err());
    }
}
