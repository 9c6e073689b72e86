//! A `main` for functions of a file: the program that a user would write to ask about them. Any number of threads call the
//! functions in any order, with any numbers as arguments; what parameters of one type point to is one object, which all calls
//! share. What has to hold is left to the user.
//!
//! Types are taken from the text of the parameters, since that is how the file calls them.

use crate::hir::{Function, Program, TypeKind};
use crate::preprocess::{self, Preprocessed, Preprocessing};
use crate::{parser, resolve};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use throng_base::{Diagnostic, Span};

/// What a call gives a parameter.
struct Argument {
    /// The expression.
    value: String,
    /// A remark for what the user has to fill in.
    remark: Option<&'static str>,
}

/// Writes the program that calls these functions of the file.
pub fn write(
    file: &Path,
    functions: &[String],
    preprocessing: &Preprocessing,
) -> Result<String, Vec<Diagnostic>> {
    let Preprocessed { text, units } = preprocess::read(&[PathBuf::from(file)], preprocessing)?;
    let parsed = parser::parse(&text, &units)?;
    let (program, _) = resolve::resolve(text, parsed, preprocessing.data_model)?;
    let mut objects: BTreeMap<String, String> = BTreeMap::new();
    let mut calls = Vec::new();
    let mut errors = Vec::new();
    for name in functions {
        let found =
            program.functions.iter().find(|function| function.name == *name && function.body.is_some());
        match found {
            Some(function) => calls.push(call(&program, function, &mut objects)),
            None => errors.push(Diagnostic::error("E0754", format!("the program has no function {name}"))),
        }
    }
    if errors.is_empty() { Ok(assemble(file, &objects, &calls)) } else { Err(errors) }
}

/// The call of a function, with its remarks.
fn call(program: &Program, function: &Function, objects: &mut BTreeMap<String, String>) -> String {
    let mut arguments = Vec::new();
    let mut remarks = Vec::new();
    for &parameter in &function.parameters {
        let object = &program.objects[parameter.index()];
        let written = written_type(program, object.span);
        let argument = argument(program, object.ty, &written, objects);
        remarks.extend(argument.remark);
        arguments.push(argument.value);
    }
    let remark = match &remarks[..] {
        [] => String::new(),
        remarks => format!(" /* {} */", remarks.join("; ")),
    };
    format!("{}({});{remark}", function.name, arguments.join(", "))
}

fn argument(
    program: &Program,
    ty: crate::hir::TypeId,
    written: &str,
    objects: &mut BTreeMap<String, String>,
) -> Argument {
    let plain = |value: String| Argument { value, remark: None };
    match program.types[ty.index()].kind {
        TypeKind::Bool => plain("__VERIFIER_nondet_bool()".to_owned()),
        TypeKind::Integer { bits, is_signed, .. } => {
            let width = match bits {
                8 => "char",
                16 => "short",
                32 => "int",
                _ => "longlong",
            };
            let sign = if is_signed { "" } else { "u" };
            plain(format!("__VERIFIER_nondet_{sign}{width}()"))
        }
        TypeKind::Pointer(to) => match program.types[to.index()].kind {
            TypeKind::Function { .. } => {
                Argument { value: "0".to_owned(), remark: Some("give it a function") }
            }
            TypeKind::Void => {
                let name = object_of("char", objects);
                Argument { value: name, remark: Some("give it the object that it expects") }
            }
            _ => plain(object_of(pointed_type(written), objects)),
        },
        _ => Argument { value: format!("({written}){{ 0 }}"), remark: Some("any value is not any of these") },
    }
}

/// The address of the object that parameters of this type point to.
fn object_of(ty: &str, objects: &mut BTreeMap<String, String>) -> String {
    let next = format!("object_{}", objects.len() + 1);
    let name = objects.entry(ty.to_owned()).or_insert(next).clone();
    format!("&{name}")
}

/// The type of a parameter as it is written before its name.
fn written_type(program: &Program, name: Span) -> String {
    let before = program.text.slice(Span { start: name.start.saturating_sub(LONGEST), end: name.start });
    let start = before.rfind(['(', ',']).map_or(0, |at| at + 1);
    before[start..].split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The longest type that is looked for.
const LONGEST: u32 = 200;

/// What a pointer points to, without promises about it.
fn pointed_type(written: &str) -> &str {
    let promises = ["const", "restrict", "__restrict", "__restrict__", "volatile"];
    let mut ty = written.trim();
    while let Some(rest) = promises.iter().find_map(|word| ty.strip_suffix(word))
        && rest.ends_with([' ', '*'])
    {
        ty = rest.trim_end();
    }
    ty = ty.strip_suffix('*').unwrap_or(ty).trim_end();
    while let Some(rest) = ty.strip_prefix("const ").or_else(|| ty.strip_prefix("register ")) {
        ty = rest.trim_start();
    }
    ty.strip_suffix(" const").unwrap_or(ty)
}

fn assemble(file: &Path, objects: &BTreeMap<String, String>, calls: &[String]) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        "/* Any number of threads call functions of this file. Say what has to hold: see `assert`. */"
    );
    let _ = writeln!(out, "#include \"{}\"\n#include <assert.h>\n#include <pthread.h>\n", file.display());
    let mut names: Vec<&str> = Vec::new();
    for call in calls {
        for part in call.split("__VERIFIER_nondet_").skip(1) {
            names.extend(part.split('(').next());
        }
    }
    names.push("uint");
    names.sort_unstable();
    names.dedup();
    for name in names {
        let _ = writeln!(out, "extern {} __VERIFIER_nondet_{name}(void);", c_type(name));
    }
    let mut listed: Vec<(&String, &String)> = objects.iter().map(|(ty, name)| (name, ty)).collect();
    listed.sort();
    for (name, ty) in listed {
        let _ = writeln!(out, "static {ty} {name};");
    }
    let _ = writeln!(out, "\nstatic void *client(void *unused)\n{{");
    let _ = writeln!(out, "    switch (__VERIFIER_nondet_uint()) {{");
    for (number, call) in calls.iter().enumerate() {
        let _ = writeln!(out, "    case {number}:\n        {call}\n        break;");
    }
    let _ = writeln!(
        out,
        "    }}\n    assert(1); /* what has to hold after each call */\n    return unused;\n}}\n"
    );
    let _ =
        writeln!(out, "int main(void)\n{{\n    /* Set up what the functions need here. */\n    for (;;) {{");
    let _ = writeln!(
        out,
        "        pthread_t thread;\n        pthread_create(&thread, 0, client, 0);\n    }}\n}}"
    );
    out
}

fn c_type(name: &str) -> &'static str {
    match name {
        "bool" => "_Bool",
        "char" => "char",
        "uchar" => "unsigned char",
        "short" => "short",
        "ushort" => "unsigned short",
        "uint" => "unsigned",
        "longlong" => "long long",
        "ulonglong" => "unsigned long long",
        _ => "int",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_pointer_points_to_is_taken_from_the_text() {
        assert_eq!(pointed_type("struct s *"), "struct s");
        assert_eq!(pointed_type("const ring_t * restrict"), "ring_t");
        assert_eq!(pointed_type("int * *"), "int *");
        assert_eq!(pointed_type("stack *const"), "stack");
        assert_eq!(pointed_type("int"), "int");
    }

    #[test]
    fn a_program_is_written_that_can_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("stack.c");
        let text = "typedef struct { int n; int a[4]; } stack;\n\
                    int push(stack *s, int v) { if (s->n == 4) return 0; s->a[s->n++] = v; return 1; }\n\
                    int pop(stack *const s) { return s->n ? s->a[--s->n] : 0; }\n";
        std::fs::write(&file, text).unwrap();
        let names = ["push".to_owned(), "pop".to_owned()];
        let preprocessing = Preprocessing { own: true, ..Preprocessing::default() };
        let written = write(&file, &names, &preprocessing).unwrap();
        assert!(written.contains("push(&object_1, __VERIFIER_nondet_int());"), "{written}");
        assert!(written.contains("pop(&object_1);"), "{written}");
        let main = folder.path().join("main.c");
        std::fs::write(&main, &written).unwrap();
        let options = crate::lower::Options::default();
        assert!(crate::lower::read(&[main], &preprocessing, &options).is_ok(), "{written}");
        assert!(write(&file, &["peek".to_owned()], &preprocessing).is_err());
    }
}
