//! Fuzz targets of the readers and printers. Each tells whether the input was accepted.

use crate::sketch::Sketch;
use std::path::{Path, PathBuf};
use throng_base::Source;
use throng_formats::config_text::{Repetitions, StateNames, format_config, format_initial};
use throng_formats::{Format, Printed, Question, config_text as text};
use throng_model::System;

/// `.tts` files.
pub fn tts(data: &[u8]) -> bool {
    parser(Format::Tts, data)
}

/// `.spec` files, in both readings.
pub fn spec(data: &[u8]) -> bool {
    let question = Question { mist_semantics: true, target_optional: true, ..Question::default() };
    read(Format::Spec, data, &question);
    parser(Format::Spec, data)
}

/// `.pnml` files.
pub fn pnml(data: &[u8]) -> bool {
    parser(Format::Pnml, data)
}

/// `.lola` files.
pub fn lola(data: &[u8]) -> bool {
    parser(Format::Lola, data)
}

/// `.net` files.
pub fn tina(data: &[u8]) -> bool {
    parser(Format::Tina, data)
}

/// `.pnet` files.
pub fn pnet(data: &[u8]) -> bool {
    parser(Format::Pnet, data)
}

/// `.pl` files.
pub fn pl(data: &[u8]) -> bool {
    parser(Format::Pl, data)
}

/// LoLA formulas about a net with places `a`, `b`, `c`.
pub fn lola_formula(data: &[u8]) -> bool {
    property("formula", data)
}

/// MCC queries about a net with places `a`, `b`, `c`.
pub fn mcc(data: &[u8]) -> bool {
    property("xml", data)
}

/// Configurations as strings, about a system with numbered states and about a net.
pub fn config_text(data: &[u8]) -> bool {
    let net = Sketch { is_net: true, ..Sketch::new(1, 3).initial(0, &[0], &[]) };
    let mut accepted = false;
    for system in [Sketch::new(2, 3).initial(0, &[0], &[]).build(), net.build()] {
        let names = StateNames::of(&system);
        let Ok(source) = Source::from_bytes("--init", data.to_vec()) else { return false };
        if let Ok(initial) = text::parse_initial(&source, names) {
            let printed = Source::from_text("--init", format_initial(&initial, names, Repetitions::Counted));
            assert_eq!(text::parse_initial(&printed, names).as_ref(), Ok(&initial), "{}", printed.text());
            accepted = true;
        }
        if let Ok(target) = text::parse_target(&source, names) {
            let config = format_config(target.view(), names, Repetitions::Counted);
            let printed = Source::from_text("--target", config);
            assert_eq!(text::parse_target(&printed, names).as_ref(), Ok(&target), "{}", printed.text());
        }
    }
    accepted
}

fn read(format: Format, data: &[u8], question: &Question) -> Option<System> {
    let source = Source::from_bytes("fuzz", data.to_vec()).ok()?;
    Some(throng_formats::read_source(format, &source, question).ok()?.system)
}

/// Reads the bytes; what is accepted is printed in its own format and must survive that.
fn parser(format: Format, data: &[u8]) -> bool {
    let question = Question { target_optional: true, ..Question::default() };
    let Some(system) = read(format, data, &question) else { return false };
    let Ok(printed) = throng_formats::print(format, &system) else { return true };
    let again = reread(format, &printed);
    let same = |what: &str, left: usize, right: usize| {
        assert_eq!(left, right, "{what} changed in the round trip:\n{}", printed.text);
    };
    same("number of rules", system.rules().len(), again.rules().len());
    same("number of locals", system.n_locals(), again.n_locals());
    let printed_again = throng_formats::print(format, &again).expect("what was printed can be printed again");
    assert_eq!(printed.text, printed_again.text, "the text changed in the round trip");
    assert_eq!(printed.companions, printed_again.companions, "a companion changed in the round trip");
    true
}

/// Reads printed files back. Panics if they are refused.
fn reread(format: Format, printed: &Printed) -> System {
    let directory = Directory::new();
    let path = directory.file(format.extension(), &printed.text);
    let mut question = Question { target_optional: true, ..Question::default() };
    for (extension, companion) in &printed.companions {
        let path = directory.file(extension, companion);
        if *extension == "init" {
            question.init.push(path.display().to_string());
        }
    }
    match throng_formats::read(&path, &question) {
        Ok(input) => input.system,
        Err(errors) => panic!("printed but refused: {}\n{}", errors[0], printed.text),
    }
}

/// Reads the bytes as a property of a fixed net; what is accepted must be a list of targets that can be printed.
fn property(extension: &str, data: &[u8]) -> bool {
    const NET: &str = "PLACE a, b, c; MARKING a: 1; TRANSITION t CONSUME a: 1; PRODUCE b: 2;";
    let directory = Directory::new();
    let path = directory.file(extension, data);
    let question = Question { property: Some(path), ..Question::default() };
    let Some(system) = read(Format::Lola, NET.as_bytes(), &question) else { return false };
    let Ok(printed) = throng_formats::print(Format::Lola, &system) else { return true };
    let again = reread(Format::Lola, &printed);
    assert_eq!(again.targets(), system.targets(), "{:?}", printed.companions);
    true
}

/// A directory for one round trip.
struct Directory(tempfile::TempDir);

impl Directory {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary directory"))
    }

    fn file(&self, extension: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = Path::join(self.0.path(), format!("fuzz.{extension}"));
        std::fs::write(&path, text).expect("a temporary file");
        path
    }
}
