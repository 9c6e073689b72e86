//! The parts of a question, as flags of a command line ask them. With the feature `clap`, they are flags; without it, plain
//! data.
//!
//! Inputs are systems ([`QuestionFlags`]), Boolean programs ([`ProgramFlags`]) or C programs ([`CFlags`]); which one is
//! told by [`StartFlags::is_program`] and [`StartFlags::is_c`]. Flags of one kind are refused for the others, not
//! ignored.

mod c;
mod labels;
mod program;

pub use c::{ASSUME, Atomicity, CAssume, CCheck, CFlags, Integers, Volatile};
pub use program::{InitValues, ProgramFlags, init_threads};

#[cfg(feature = "clap")]
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::{Path, PathBuf};
use throng_base::Diagnostic;
use throng_formats::{Format, Question};

/// The extensions of Boolean programs. The first is the name of the format on the command line.
const PROGRAM_EXTENSIONS: [&str; 2] = ["bp", "nbp"];

/// How an input is read whatever its name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputFormat {
    /// As a system.
    System(Format),
    /// As a Boolean program.
    Program,
    /// As a C program.
    C,
}

impl InputFormat {
    /// The format's name on the command line.
    pub fn extension(self) -> &'static str {
        match self {
            InputFormat::System(format) => format.extension(),
            InputFormat::Program => PROGRAM_EXTENSIONS[0],
            InputFormat::C => c::C_EXTENSIONS[0],
        }
    }

    /// The format with this name on the command line.
    pub fn from_name(name: &str) -> Option<Self> {
        let program = (name == PROGRAM_EXTENSIONS[0]).then_some(InputFormat::Program);
        let program = program.or_else(|| (name == c::C_EXTENSIONS[0]).then_some(InputFormat::C));
        program.or_else(|| Format::from_extension(name).map(InputFormat::System))
    }
}

/// How an input is read and where it starts. Without any of these, what the file itself says or its format's default.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct StartFlags {
    /// Start here: `shared|l1,l2` (exactly these threads), `shared/l1,l2` (any number in each),
    /// `shared|l1/l2`, or a file with one of these; several give several initial configurations
    #[cfg_attr(feature = "clap", arg(long, value_name = "CONFIG"))]
    pub init: Vec<String>,

    /// Ask about N threads instead of any number: exactly N at the start; of a C program, which starts its threads itself, at
    /// most N in all. The answer is about N threads only
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..i64::from(u32::MAX))))]
    pub threads: Option<u32>,

    /// Read the input in this format whatever its name is
    #[cfg_attr(feature = "clap", arg(long, value_name = "FORMAT", value_parser = format_parser()))]
    pub input_format: Option<InputFormat>,

    /// Read the assignments of .spec rules as mist does
    #[cfg_attr(feature = "clap", arg(long))]
    pub mist_semantics: bool,
}

impl StartFlags {
    /// Whether this input is read as a Boolean program.
    pub fn is_program(&self, input: &Path) -> bool {
        let has_extension = || {
            let extension = input.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            PROGRAM_EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension))
        };
        self.input_format.map_or_else(has_extension, |format| format == InputFormat::Program)
    }

    /// Whether this input is read as a C program.
    pub fn is_c(&self, input: &Path) -> bool {
        self.input_format.map_or_else(|| CFlags::is_c(input), |format| format == InputFormat::C)
    }

    /// Refuses what has no meaning for a C program.
    pub fn for_c(&self) -> Result<(), Vec<Diagnostic>> {
        let given = [("--init", !self.init.is_empty()), ("--mist-semantics", self.mist_semantics)];
        let errors: Vec<Diagnostic> = refused(&given, "a C program", "it starts in `main`").collect();
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// Refuses what has no meaning for a program.
    pub fn for_program(&self) -> Result<(), Vec<Diagnostic>> {
        let given = [("--init", !self.init.is_empty()), ("--mist-semantics", self.mist_semantics)];
        let hint =
            "`--init-threads` says how many threads start in `main`; all variables are arbitrary there";
        let errors: Vec<Diagnostic> = refused(&given, "a Boolean program", hint).collect();
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// The question without a target, about a system.
    pub fn question(&self) -> Question {
        let format = self.input_format.and_then(|format| match format {
            InputFormat::System(format) => Some(format),
            InputFormat::Program | InputFormat::C => None,
        });
        Question {
            format,
            init: self.init.clone(),
            threads: self.threads,
            mist_semantics: self.mist_semantics,
            ..Question::default()
        }
    }
}

/// What is asked about an input. Without any of these, what the file itself says or its format's default.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct QuestionFlags {
    /// Where it starts.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub start: StartFlags,

    /// Ask for this bad configuration, or the one in this file; several ask for any of them
    #[cfg_attr(feature = "clap", arg(long, value_name = "CONFIG|FILE"))]
    pub target: Vec<String>,

    /// Ask for the property in this file (LoLA .formula, MCC .xml, bfc .prop)
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub property: Option<PathBuf>,

    /// Ask for the property with this name, where a file holds several
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub property_name: Option<String>,
}

impl QuestionFlags {
    /// Refuses what has no meaning for a program.
    pub fn for_program(&self) -> Result<(), Vec<Diagnostic>> {
        let given = [
            ("--target", !self.target.is_empty()),
            ("--property", self.property.is_some()),
            ("--property-name", self.property_name.is_some()),
        ];
        let mut errors = self.start.for_program().err().unwrap_or_default();
        let hint =
            "the question is whether an assertion can fail; `--label NAME` asks for a statement instead";
        errors.extend(refused(&given, "a Boolean program", hint));
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// Refuses what has no meaning for a C program: all but `--property`, which may be a `.prp` file.
    pub fn for_c(&self) -> Result<(), Vec<Diagnostic>> {
        let given =
            [("--target", !self.target.is_empty()), ("--property-name", self.property_name.is_some())];
        let mut errors = self.start.for_c().err().unwrap_or_default();
        let hint = "the question is whether an assertion can fail or an error can be reached";
        errors.extend(refused(&given, "a C program", hint));
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// The question that the flags ask about a system.
    pub fn question(&self) -> Question {
        Question {
            target: self.target.clone(),
            property: self.property.clone(),
            property_name: self.property_name.clone(),
            ..self.start.question()
        }
    }
}

/// An error for each flag of systems that is given with a program.
fn refused<'f>(
    flags: &'f [(&'f str, bool)],
    input: &'f str,
    hint: &'f str,
) -> impl Iterator<Item = Diagnostic> + 'f {
    flags.iter().filter(|&&(_, is_given)| is_given).map(move |(flag, _)| {
        Diagnostic::error("E0521", format!("`{flag}` has no meaning for {input}")).hint(hint)
    })
}

#[cfg(feature = "clap")]
fn format_parser() -> impl TypedValueParser<Value = InputFormat> {
    let names =
        Format::ALL.map(Format::extension).into_iter().chain([PROGRAM_EXTENSIONS[0], c::C_EXTENSIONS[0]]);
    PossibleValuesParser::new(names)
        .try_map(|name| InputFormat::from_name(&name).ok_or("not the name of a format"))
}
