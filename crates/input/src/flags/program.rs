//! The flags that ask a question about a Boolean program.

use super::labels::{self, Labels};
use std::collections::BTreeSet;
use throng_base::{Diagnostic, Source, suggest};
use throng_boolprog::flow::{LocationId, Program};
use throng_boolprog::{InitThreads, ProgramQuestion};

/// Labels that a message lists.
const LISTED: usize = 12;

/// What is asked about a program. Without any of these: whether an assertion can fail, with as many threads at the
/// start as [`Program::default_threads`] says.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ProgramFlags {
    /// Boolean and C programs: ask whether a thread can come to a statement with this label, instead of whether an
    /// assertion can fail; `CS*2` asks for two threads at CS, `A,B` for one at A and one at B, at the same time; several
    /// ask for any of them
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME[*K][,…]"))]
    pub label: Vec<String>,

    /// Boolean programs: so many threads start in `main` [default: one if the program starts threads, otherwise any]
    #[cfg_attr(feature = "clap", arg(long, value_name = "one|N|any", value_parser = init_threads))]
    pub init_threads: Option<InitThreads>,

    /// Boolean programs: what variables are at the start, those of a function (but for its parameters) where it begins
    #[cfg_attr(feature = "clap", arg(long, value_name = "any|zero", value_enum, default_value_t = InitValues::Any))]
    pub init_values: InitValues,
}

/// What the variables of a program are at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum InitValues {
    /// Anything.
    #[default]
    Any,
    /// 0.
    Zero,
}

impl ProgramFlags {
    /// Reads a program and what the flags ask about it; `threads` is the value of `--threads`. `Err` holds at least one error.
    pub fn read(
        &self,
        source: &Source,
        threads: Option<u32>,
    ) -> Result<(throng_boolprog::Input, ProgramQuestion), Vec<Diagnostic>> {
        let input = throng_boolprog::read(source)?;
        let question = self.question(&input.program, threads)?;
        if self.init_values == InitValues::Any {
            return Ok((input, question));
        }
        let from_zero = throng_boolprog::read_from_zero(source, question.threads)?;
        let start = if question.threads == InitThreads::Exactly(0) { 0 } else { 1 };
        let flags = Self { init_threads: Some(InitThreads::Exactly(start)), ..self.clone() };
        let question = flags.question(&from_zero.program, None)?;
        // What is said about the program is said about its text.
        Ok((throng_boolprog::Input { warnings: input.warnings, ..from_zero }, question))
    }

    /// The question that the flags ask about a program; `threads` is the value of `--threads`. `Err` holds at least one
    /// error.
    pub fn question(
        &self,
        program: &Program,
        threads: Option<u32>,
    ) -> Result<ProgramQuestion, Vec<Diagnostic>> {
        let mut errors = Vec::new();
        let threads = threads.map(InitThreads::Exactly);
        if threads.is_some() && self.init_threads.is_some() && threads != self.init_threads {
            let error = Diagnostic::error("E0523", "`--threads` and `--init-threads` say different things");
            errors.push(error.hint("`--threads N` is short for `--init-threads N`: give one of them"));
        }
        let threads = self.init_threads.or(threads).unwrap_or_else(|| program.default_threads());
        let labels = Labels::new(&self.label).unwrap_or_else(|wrong| {
            errors.extend(wrong);
            Labels::default()
        });
        let missing: BTreeSet<&str> =
            labels.names().filter(|label| program.locations_with_label(label).is_none()).collect();
        errors.extend(missing.into_iter().map(|label| unknown_label(program, label)));
        if !errors.is_empty() {
            return Err(errors);
        }
        if self.label.is_empty() {
            return Ok(ProgramQuestion::assertions(program, threads));
        }
        let found = labels.alone.iter().filter_map(|label| program.locations_with_label(label));
        let locations: BTreeSet<LocationId> = found.flatten().collect();
        let mut question = ProgramQuestion::locations(threads, &locations.into_iter().collect::<Vec<_>>());
        for group in &labels.together {
            match labels::targets(program, group) {
                Ok(targets) => question.targets.extend(targets),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(question) } else { Err(errors) }
    }

    /// Refuses what has no meaning for a C program: all but `--label`.
    pub fn for_c(&self) -> Result<(), Vec<Diagnostic>> {
        if self.init_values != InitValues::Any {
            let error = Diagnostic::error("E0522", "`--init-values` has a meaning for Boolean programs only");
            return Err(vec![error.hint("C says what variables are at the start")]);
        }
        match self.init_threads {
            None => Ok(()),
            Some(_) => {
                let error =
                    Diagnostic::error("E0522", "`--init-threads` has a meaning for Boolean programs only");
                Err(vec![error.hint("a C program starts with one thread in `main`; see `--threads-run`")])
            }
        }
    }

    /// Refuses these flags where the input is no program.
    pub fn for_system(&self) -> Result<(), Vec<Diagnostic>> {
        let given = [
            ("--label", !self.label.is_empty()),
            ("--init-threads", self.init_threads.is_some()),
            ("--init-values", self.init_values != InitValues::Any),
        ];
        let errors = given.iter().filter(|&&(_, is_given)| is_given).map(|(flag, _)| {
            Diagnostic::error("E0522", format!("`{flag}` has a meaning for Boolean programs only"))
                .hint("`--input-format bp` reads the input as a Boolean program, whatever its name is")
        });
        let errors: Vec<Diagnostic> = errors.collect();
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}

fn unknown_label(program: &Program, label: &str) -> Diagnostic {
    let error = Diagnostic::error("E0520", format!("the program has no label `{label}`"));
    let labels = program.functions().iter().flat_map(|function| &function.labels);
    let mut labels: Vec<&str> = labels.map(|&(symbol, _)| program.text(symbol)).collect();
    if let Some(close) = suggest::closest(labels.iter().copied(), label) {
        return error.hint(format!("a close name is `{close}`"));
    }
    labels.sort_unstable();
    labels.dedup();
    let more = labels.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(", … ({more} more)") } else { String::new() };
    labels.truncate(LISTED);
    match &labels[..] {
        [] => error
            .note("it has no labels at all")
            .hint("without `--label`, it is asked whether an assertion can fail"),
        labels => error.note(format!("its labels are {}{more}", labels.join(", "))),
    }
}

/// Reads the value of `--init-threads`.
pub fn init_threads(text: &str) -> Result<InitThreads, String> {
    match text {
        "one" => Ok(InitThreads::Exactly(1)),
        "any" => Ok(InitThreads::Any),
        _ => match text.parse() {
            Ok(number) if number < u32::MAX => Ok(InitThreads::Exactly(number)),
            _ => Err(format!("expected `one`, `any` or a number below {}", u32::MAX)),
        },
    }
}
