//! From files to syntax trees: the programs of `tests/c`, and texts made with the system's own headers.

use std::path::{Path, PathBuf};
use std::process::Command;
use throng_c_front::hir::DataModel;
use throng_c_front::parser::parse;
use throng_c_front::preprocess::{Preprocessing, read};
use throng_c_front::syntax::Unit;

fn front_end(file: &Path, options: &Preprocessing) -> Vec<Unit> {
    let shown = |errors: Vec<throng_base::Diagnostic>| -> String {
        errors.iter().map(|error| format!("{error}\n")).collect()
    };
    let read = read(&[file.to_path_buf()], options).unwrap_or_else(|errors| panic!("{}", shown(errors)));
    parse(&read.text, &read.units).unwrap_or_else(|errors| panic!("{}", shown(errors)))
}

/// Whether there is a compiler; says that a test is skipped if there is none.
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn has_compiler() -> bool {
    let is_there = Command::new("cc").arg("--version").output().is_ok();
    if !is_there {
        eprintln!("skipped: there is no C compiler");
    }
    is_there
}

/// The programs of the repository.
fn programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let Ok(entries) = std::fs::read_dir(root) else { return Vec::new() };
    let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<PathBuf> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "c" || extension == "i"))
        .collect();
    files.sort();
    files
}

#[test]
fn all_programs_are_read() {
    for file in programs() {
        let narrow = Preprocessing { data_model: DataModel::Ilp32, own: true, ..Preprocessing::default() };
        for options in [Preprocessing::default(), narrow] {
            assert!(!front_end(&file, &options)[0].items.is_empty(), "{}", file.display());
        }
    }
}

/// The tokens of a file after preprocessing.
fn tokens(file: &Path, own: bool) -> Vec<String> {
    // In these widths no headers of the system are read, of which our preprocessor knows nothing.
    let options = Preprocessing { own, data_model: DataModel::Ilp32, ..Preprocessing::default() };
    let read = read(&[file.to_path_buf()], &options).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let (tokens, errors) = throng_c_front::lexer::tokens(read.text.source().text(), read.units[0].span);
    assert_eq!(errors, []);
    tokens.iter().map(|token| read.text.slice(token.span).to_owned()).collect()
}

#[test]
fn our_preprocessor_agrees_with_the_compiler() {
    let directory = tempfile::tempdir().unwrap();
    let all = directory.path().join("all.c");
    let headers = throng_c_front::preprocess::headers::HEADERS;
    let includes: String = headers.iter().map(|(header, _)| format!("#include <{header}>\n")).collect();
    let uses = "int a = INT_MIN, b = SIZE_MAX; char *s = PRId64 \"x\" PRIuPTR;\n\
                void f(atomic_int *p) { assert(atomic_load(p) == 1 && \"a \\\"b\\\"\"); errno = INT64_C(5); }\n";
    std::fs::write(&all, format!("{includes}{uses}")).unwrap();
    if !has_compiler() {
        return;
    }
    for file in programs().iter().chain([&all]) {
        assert_eq!(tokens(file, true), tokens(file, false), "{}", file.display());
    }
    // Our headers are C.
    front_end(&all, &Preprocessing { own: true, ..Preprocessing::default() });
    front_end(&all, &Preprocessing { data_model: DataModel::Ilp32, ..Preprocessing::default() });
}

#[test]
fn errors_of_the_compiler_have_places() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("a.c");
    std::fs::write(&file, "int x;\n#include \"none.h\"\n").unwrap();
    if !has_compiler() {
        return;
    }
    let error =
        read(std::slice::from_ref(&file), &Preprocessing::default()).unwrap_err().remove(0).to_string();
    assert!(error.starts_with(&format!("{}:2:10: error[E0802]: none.h", file.display())), "{error}");
}

/// Several files are one program; places are told in the words of each.
#[test]
fn several_files_are_several_units() {
    let directory = tempfile::tempdir().unwrap();
    let (first, second) = (directory.path().join("a.c"), directory.path().join("b.i"));
    std::fs::write(&first, "#include <pthread.h>\nextern int x;\nint f(void) { return x }\n").unwrap();
    std::fs::write(&second, "# 7 \"orig.c\"\nint x;\nint y = ;\n").unwrap();
    let read = read(&[first.clone(), second], &Preprocessing::default()).unwrap();
    let errors: Vec<String> =
        parse(&read.text, &read.units).unwrap_err().iter().map(ToString::to_string).collect();
    let name = first.display();
    assert_eq!(
        errors,
        [
            format!("{name}:3:24: error[E0830]: expected `;`, found `}}`"),
            "orig.c:8:9: error[E0830]: expected an expression, found `;`".to_owned(),
        ]
    );
}

/// Everything that the headers of the system declare, after the system's preprocessor.
#[test]
fn headers_of_the_system_are_read() {
    let directory = tempfile::tempdir().unwrap();
    let headers = [
        "assert.h",
        "ctype.h",
        "errno.h",
        "fcntl.h",
        "inttypes.h",
        "limits.h",
        "math.h",
        "pthread.h",
        "sched.h",
        "semaphore.h",
        "signal.h",
        "stdarg.h",
        "stdatomic.h",
        "stdbool.h",
        "stddef.h",
        "stdint.h",
        "stdio.h",
        "stdlib.h",
        "string.h",
        "sys/time.h",
        "threads.h",
        "time.h",
        "unistd.h",
        "wchar.h",
        "complex.h",
    ];
    let includes: String = headers.iter().map(|header| format!("#include <{header}>\n")).collect();
    let program = "atomic_int a;\nint main(void) { assert(atomic_fetch_add(&a, 1) < 2); \
                   pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; atomic_store(&a, 2); \
                   return errno + pthread_mutex_lock(&m); }\n";
    let source = directory.path().join("all.c");
    std::fs::write(&source, format!("#define _GNU_SOURCE\n{includes}{program}")).unwrap();
    for optimisation in ["-O0", "-O2"] {
        let output =
            Command::new("cc").args(["-E", optimisation, "-D_FORTIFY_SOURCE=2"]).arg(&source).output();
        let Ok(output) = output else { return };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let preprocessed = directory.path().join("all.i");
        std::fs::write(&preprocessed, &output.stdout).unwrap();
        let units = front_end(&preprocessed, &Preprocessing::default());
        assert!(units[0].items.len() > 500);
    }
}
