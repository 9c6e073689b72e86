//! How options and the files beside an input make up the question.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use throng_formats::config_text::{Repetitions, StateNames, format_config, format_initial};
use throng_formats::{Format, Input, Question, read, read_source};

const TTS: &str = "3 3\n0 0 -> 1 1\n1 1 -> 2 2\n";
const SPEC: &str = "vars x y rules x >= 1 -> x' = x - 1, y' = y + 1; init x = 2, y = 0";

/// A directory with these files.
fn directory(files: &[(&str, &str)]) -> TempDir {
    let directory = TempDir::new().unwrap();
    for (name, text) in files {
        fs::write(directory.path().join(name), text).unwrap();
    }
    directory
}

fn ask(path: &Path, change: impl FnOnce(&mut Question)) -> Result<Input, Vec<String>> {
    let mut question = Question::default();
    change(&mut question);
    read(path, &question).map_err(|errors| errors.iter().map(ToString::to_string).collect())
}

fn targets(input: &Input) -> Vec<String> {
    let names = StateNames::of(&input.system);
    let print = |target: &throng_model::Config| format_config(target.view(), names, Repetitions::Counted);
    input.system.targets().iter().map(print).collect()
}

fn initial(input: &Input) -> Vec<String> {
    let names = StateNames::of(&input.system);
    input.system.initial().iter().map(|i| format_initial(i, names, Repetitions::Counted)).collect()
}

fn warnings(input: &Input) -> Vec<String> {
    input.warnings.iter().map(|warning| format!("{}: {}", warning.code, warning.message)).collect()
}

#[test]
fn the_property_beside_a_tts_file_is_its_target() {
    let directory = directory(&[("a.b.tts", TTS), ("a.b.prop", "# bad\n2|2,2\n# end\n")]);
    let input = ask(&directory.path().join("a.b.tts"), |_| ()).unwrap();
    assert_eq!((initial(&input), targets(&input)), (vec!["0/0".to_owned()], vec!["2|2*2".to_owned()]));
    assert_eq!(warnings(&input), Vec::<String>::new());
}

#[test]
fn the_property_beside_a_tts_file_wins_over_a_target_inside() {
    let inside = format!("{TTS}1|1\n");
    let directory = directory(&[("a.tts", inside.as_str()), ("a.prop", "2|2"), ("b.tts", inside.as_str())]);
    let input = ask(&directory.path().join("a.tts"), |_| ()).unwrap();
    assert_eq!(targets(&input), ["2|2"]);
    assert_eq!(warnings(&input), ["W0124: the file beside the input replaces the target inside it"]);
    let input = ask(&directory.path().join("b.tts"), |_| ()).unwrap();
    assert_eq!((targets(&input), warnings(&input)), (vec!["1|1".to_owned()], vec![]));
}

#[test]
fn options_win_over_the_files_beside() {
    let directory = directory(&[("a.tts", TTS), ("a.prop", "2|2")]);
    let input = ask(&directory.path().join("a.tts"), |question| {
        question.init = vec!["0|0*2".into(), "1/1,2".into()];
        question.target = vec!["1|1".into(), "2|".into()];
    });
    let input = input.unwrap();
    assert_eq!(initial(&input), ["0|0*2", "1/1,2"]);
    assert_eq!(targets(&input), ["1|1", "2|"]);
}

#[test]
fn an_init_file_beside_is_mentioned_but_not_used() {
    let directory = directory(&[("a.tts", TTS), ("a.prop", "2|2"), ("a.init", "0|0\n")]);
    let path = directory.path().join("a.tts");
    let input = ask(&path, |_| ()).unwrap();
    assert_eq!(initial(&input), ["0/0"]);
    assert_eq!(input.warnings.len(), 1);
    assert_eq!(input.warnings[0].code, "W0121");
    let init = directory.path().join("a.init").display().to_string();
    assert_eq!(input.warnings[0].hints, [format!("to start from it, say `--init {init}`")]);
    let input = ask(&path, |question| question.init = vec![init]).unwrap();
    assert_eq!((initial(&input), warnings(&input)), (vec!["0|0".to_owned()], vec![]));
}

#[test]
fn a_target_may_be_a_file() {
    let directory = directory(&[("a.tts", TTS), ("bad.prop", "# one\n1|1\n"), ("two.prop", "1|1\n2|2\n")]);
    let bad = directory.path().join("bad.prop").display().to_string();
    let input = ask(&directory.path().join("a.tts"), |question| {
        question.target = vec!["2|2".into(), bad];
    });
    assert_eq!(targets(&input.unwrap()), ["2|2", "1|1"]);
    let two = directory.path().join("two.prop").display().to_string();
    let refused = ask(&directory.path().join("a.tts"), |question| question.target = vec![two]);
    assert!(refused.unwrap_err()[0].contains("error[E0126]"));
}

#[test]
fn a_property_file_is_recognised_by_its_name_or_content() {
    let files = [("p.prop", "y*2"), ("p.formula", "EF (y >= 2)"), ("p1", "|y,y\n"), ("p2", "EF y >= 2")];
    let directory = directory(&[&files[..], &[("a.spec", SPEC)]].concat());
    for (name, _) in files {
        let property: PathBuf = directory.path().join(name);
        let input = ask(&directory.path().join("a.spec"), |question| question.property = Some(property));
        assert_eq!(targets(&input.unwrap()), ["y*2"], "{name}");
    }
}

#[test]
fn a_formula_beside_a_lola_file_is_its_target() {
    let net = "PLACE a, b;\nMARKING a: 1;\nTRANSITION t\nCONSUME a: 1;\nPRODUCE b: 1;\n";
    let directory = directory(&[("n.lola", net), ("n.formula", "EF (b >= 1)")]);
    let input = ask(&directory.path().join("n.lola"), |_| ()).unwrap();
    assert_eq!(targets(&input), ["b"]);
}

#[test]
fn a_property_that_nothing_satisfies_is_a_question_without_targets() {
    let directory = directory(&[("a.spec", SPEC), ("p.formula", "EF (y >= 1 AND FALSE)")]);
    let property = directory.path().join("p.formula");
    let input = ask(&directory.path().join("a.spec"), |question| question.property = Some(property)).unwrap();
    assert!(targets(&input).is_empty());
    assert_eq!(
        warnings(&input),
        ["W0123: no configuration satisfies the property, so nothing counts as bad"]
    );
}

#[test]
fn without_a_target_there_is_no_question() {
    let source = throng_base::Source::from_text("a.tts", TTS);
    let errors = read_source(Format::Tts, &source, &Question::default()).unwrap_err();
    assert_eq!(errors[0].to_string(), "error[E0122]: there is no target to ask about");
    assert!(errors[0].hints.iter().any(|hint| hint.contains("--target")), "{:?}", errors[0].hints);
    assert!(errors[0].hints.iter().any(|hint| hint.contains("--property")), "{:?}", errors[0].hints);
    let looking = Question { target_optional: true, ..Question::default() };
    assert!(read_source(Format::Tts, &source, &looking).unwrap().system.targets().is_empty());
}

#[test]
fn errors_name_the_option() {
    let directory = directory(&[("a.tts", TTS), ("empty.prop", "# nothing\n")]);
    let path = directory.path().join("a.tts");
    assert_eq!(
        ask(&path, |question| question.target = vec!["2|7".into()]).unwrap_err(),
        ["--target:1:3: error[E0110]: there is no local state `7` (the local states are 0 to 2)"]
    );
    assert_eq!(
        ask(&path, |question| question.init = vec!["3/0".into()]).unwrap_err(),
        ["--init:1:1: error[E0110]: there is no shared state `3` (the shared states are 0 to 2)"]
    );
    let empty = directory.path().join("empty.prop");
    assert_eq!(
        ask(&path, |question| question.property = Some(empty.clone())).unwrap_err(),
        [format!(
            "{}:2:1: error[E0125]: the file holds no configuration (expected a configuration such as `4|23`)",
            empty.display()
        )]
    );
    let missing = ask(&path, |question| question.property = Some("missing.prop".into())).unwrap_err();
    assert!(missing[0].starts_with("error[E0001]: cannot read `missing.prop`"), "{missing:?}");
}

#[test]
fn what_is_neither_a_configuration_nor_a_file_is_an_error() {
    let spec = format!("{SPEC} target x >= 1");
    let directory = directory(&[("a.spec", spec.as_str())]);
    let path = directory.path().join("a.spec");
    let input = ask(&path, |question| question.target = vec!["y".into()]).unwrap();
    assert_eq!(targets(&input), ["y"]);
    let errors = ask(&path, |question| question.target = vec!["src".into()]).unwrap_err();
    assert!(errors[0].starts_with("--target:1:1: error[E0110]: there is no place `src`"), "{errors:?}");
}

#[test]
fn options_that_do_not_apply_give_a_warning() {
    const PNET: &str = "petri net { places { p } transitions { t } arcs { p -> t } initial { p } }\n\
                        safety property \"a\" { p >= 1 } safety property \"b\" { p >= 2 }";
    const NAME: &str = "W0128: `--property-name a` has no effect";
    let directory = directory(&[("a.tts", TTS), ("a.prop", "2|2"), ("a.spec", SPEC), ("a.pnet", PNET)]);
    let asked =
        |file: &str, change: fn(&mut Question)| warnings(&ask(&directory.path().join(file), change).unwrap());
    let by_name: fn(&mut Question) = |question| question.property_name = Some("a".to_owned());
    assert_eq!(asked("a.tts", by_name), [NAME]);
    assert_eq!(asked("a.pnet", by_name), Vec::<String>::new());
    let by_name_and_target = |question: &mut Question| {
        question.property_name = Some("a".to_owned());
        question.target = vec!["|p".to_owned()];
    };
    assert_eq!(asked("a.pnet", by_name_and_target), [NAME]);
    let as_mist: fn(&mut Question) = |question| {
        question.mist_semantics = true;
        question.target_optional = true;
    };
    assert_eq!(asked("a.tts", as_mist), ["W0127: `--mist-semantics` has no effect on a `.tts` file"]);
    assert_eq!(asked("a.spec", as_mist), Vec::<String>::new());
}

#[test]
fn a_number_of_threads_is_distributed_over_the_unbounded_locals() {
    let directory = directory(&[("a.tts", TTS), ("a.prop", "2|2")]);
    let path = directory.path().join("a.tts");
    let starts = |init: &[&str], threads| {
        let input = ask(&path, |question| {
            question.init = init.iter().map(ToString::to_string).collect();
            question.threads = Some(threads);
        });
        input.map(|input| initial(&input))
    };
    assert_eq!(starts(&[], 3).unwrap(), ["0|0*3"]);
    assert_eq!(starts(&[], 0).unwrap(), ["0|"]);
    assert_eq!(starts(&["1|2/0,1"], 3).unwrap(), ["1|1*2,2", "1|0,1,2", "1|0*2,2"]);
    let mut all = starts(&["0/0,1,2"], 4).unwrap();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 15);
    assert_eq!(starts(&["0|0,1"], 2).unwrap(), ["0|0,1"]);
    // An initial configuration with an unbounded local that has exact threads as well.
    assert_eq!(starts(&["0|0,0/0"], 5).unwrap(), ["0|0*5"]);
}

#[test]
fn another_number_of_threads_than_the_input_has_is_refused() {
    let directory = directory(&[("a.spec", SPEC)]);
    let path = directory.path().join("a.spec");
    let refuse = |init: &str, threads| {
        let answer = ask(&path, |question| {
            question.init = Some(init.to_owned()).filter(|init| !init.is_empty()).into_iter().collect();
            question.target = vec!["y".to_owned()];
            question.threads = Some(threads);
        });
        answer.map(|_| ()).unwrap_err().join("\n")
    };
    assert!(refuse("", 3).contains("E0129"), "{}", refuse("", 3));
    assert!(refuse("x,x/y", 1).contains("E0129"), "{}", refuse("x,x/y", 1));
    // 200 threads over 3 locals.
    let directory = self::directory(&[("a.tts", TTS)]);
    let many = ask(&directory.path().join("a.tts"), |question| {
        question.init = vec!["0/0,1,2".to_owned()];
        question.target = vec!["2|".to_owned()];
        question.threads = Some(200);
    });
    assert!(many.unwrap_err().join("\n").contains("too many ways to start with 200 threads: 20301"));
}

#[test]
fn initial_configurations_with_other_numbers_are_left_out_with_a_warning() {
    let directory = directory(&[("a.tts", TTS), ("a.prop", "2|2")]);
    let input = ask(&directory.path().join("a.tts"), |question| {
        question.init = vec!["0|0".to_owned(), "0/1".to_owned()];
        question.threads = Some(2);
    });
    let input = input.unwrap();
    assert_eq!(initial(&input), ["0|1*2"]);
    assert_eq!(warnings(&input), ["W0132: an initial configuration with 1 thread is left out"]);
}

#[test]
fn targets_are_forgotten_on_request() {
    let directory = directory(&[("a.tts", TTS), ("a.prop", "2|2"), ("b.tts", TTS)]);
    for file in ["a.tts", "b.tts"] {
        let input = ask(&directory.path().join(file), |question| question.without_targets = true).unwrap();
        assert!(targets(&input).is_empty() && warnings(&input).is_empty());
    }
}
