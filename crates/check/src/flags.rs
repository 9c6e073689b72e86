//! The flags that ask a question about an input, shared by every command that reads one.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;
use throng_formats::{Format, Question};

/// How an input is read and where it starts. Without any of these, what the file itself says or its format's default.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct StartFlags {
    /// Start here: `shared|l1,l2` (exactly these threads), `shared/l1,l2` (any number in each),
    /// `shared|l1/l2`, or a file with one of these; several give several initial configurations
    #[arg(long, value_name = "CONFIG")]
    pub init: Vec<String>,

    /// Start with exactly N threads instead of any number: the answer is about N threads only
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..i64::from(u32::MAX)))]
    pub threads: Option<u32>,

    /// Read the input in this format whatever its name is
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    pub input_format: Option<Format>,

    /// Read the assignments of .spec rules as mist does
    #[arg(long)]
    pub mist_semantics: bool,
}

impl StartFlags {
    /// The question without a target.
    pub fn question(&self) -> Question {
        Question {
            format: self.input_format,
            init: self.init.clone(),
            threads: self.threads,
            mist_semantics: self.mist_semantics,
            ..Question::default()
        }
    }
}

/// What is asked about an input. Without any of these, what the file itself says or its format's default.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct QuestionFlags {
    /// Where it starts.
    #[command(flatten)]
    pub start: StartFlags,

    /// Ask for this bad configuration, or the one in this file; several ask for any of them
    #[arg(long, value_name = "CONFIG|FILE")]
    pub target: Vec<String>,

    /// Ask for the property in this file (LoLA .formula, MCC .xml, bfc .prop)
    #[arg(long, value_name = "FILE")]
    pub property: Option<PathBuf>,

    /// Ask for the property with this name, where a file holds several
    #[arg(long, value_name = "NAME")]
    pub property_name: Option<String>,
}

impl QuestionFlags {
    /// The question that the flags ask.
    pub fn question(&self) -> Question {
        Question {
            target: self.target.clone(),
            property: self.property.clone(),
            property_name: self.property_name.clone(),
            ..self.start.question()
        }
    }
}

fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::extension))
        .try_map(|name| Format::from_extension(&name).ok_or("not the name of a format"))
}
