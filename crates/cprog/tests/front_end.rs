//! From files to syntax trees: the programs of `tests/c`, and texts made with the system's own headers.

use std::path::{Path, PathBuf};
use std::process::Command;
use throng_cprog::hir::DataModel;
use throng_cprog::parser::parse;
use throng_cprog::preprocess::{Preprocessing, read};
use throng_cprog::syntax::Unit;

fn front_end(file: &Path, options: &Preprocessing) -> Vec<Unit> {
    let shown = |errors: Vec<throng_base::Diagnostic>| -> String {
        errors.iter().map(|error| format!("{error}\n")).collect()
    };
    let read = read(&[file.to_path_buf()], options).unwrap_or_else(|errors| panic!("{}", shown(errors)));
    parse(&read.text, &read.units).unwrap_or_else(|errors| panic!("{}", shown(errors)))
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
        for data_model in [DataModel::Lp64, DataModel::Ilp32] {
            let options = Preprocessing { data_model, ..Preprocessing::default() };
            assert!(!front_end(&file, &options)[0].items.is_empty(), "{}", file.display());
        }
    }
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
