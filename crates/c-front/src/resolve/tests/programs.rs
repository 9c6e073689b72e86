//! Whole programs: those of the repository have to be read without errors.

use crate::hir::DataModel;
use crate::{parser, preprocess};
use std::path::{Path, PathBuf};

fn programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let Ok(entries) = std::fs::read_dir(root) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    files
}

#[test]
fn the_programs_of_the_repository_are_resolved() {
    let mut failures = Vec::new();
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        for file in programs() {
            let options = preprocess::Preprocessing { data_model: model, ..Default::default() };
            let resolved = preprocess::read(std::slice::from_ref(&file), &options).and_then(|read| {
                let units = parser::parse(&read.text, &read.units)?;
                crate::resolve::resolve(read.text, units, model)
            });
            match resolved {
                Err(errors) => failures.push(format!("{}: {}", file.display(), super::lines(&errors))),
                Ok((_, warnings)) if !warnings.is_empty() => {
                    failures.push(format!("{}: {}", file.display(), super::lines(&warnings)));
                }
                Ok(_) => {}
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Everything that the system's headers declare and define inline, and what a program does with them.
#[test]
fn headers_of_the_system_are_resolved() {
    let directory = tempfile::tempdir().expect("a directory can be made");
    let headers = [
        "assert.h",
        "complex.h",
        "ctype.h",
        "errno.h",
        "fcntl.h",
        "inttypes.h",
        "limits.h",
        "locale.h",
        "math.h",
        "pthread.h",
        "sched.h",
        "semaphore.h",
        "setjmp.h",
        "signal.h",
        "stdarg.h",
        "stdatomic.h",
        "stdbool.h",
        "stddef.h",
        "stdint.h",
        "stdio.h",
        "stdlib.h",
        "string.h",
        "sys/socket.h",
        "sys/stat.h",
        "sys/time.h",
        "tgmath.h",
        "threads.h",
        "time.h",
        "unistd.h",
        "wchar.h",
    ];
    let includes: String = headers.iter().map(|header| format!("#include <{header}>\n")).collect();
    let program = "
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
        static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER; static atomic_flag flag = ATOMIC_FLAG_INIT;
        static atomic_int a = ATOMIC_VAR_INIT(3); static _Atomic(struct { int *p; }) s;
        static void *run(void *p) { pthread_mutex_lock(&m); while (atomic_load(&a)) pthread_cond_wait(&c, &m);
            pthread_mutex_unlock(&m); return p; }
        int main(void) { pthread_t t; pthread_create(&t, NULL, run, &a); pthread_join(t, NULL);
            int old = 1; assert(atomic_fetch_add(&a, 1) < 2); atomic_compare_exchange_strong(&a, &old, 2);
            while (atomic_flag_test_and_set(&flag)) sched_yield(); atomic_flag_clear(&flag);
            atomic_store_explicit(&a, old, memory_order_release); errno = 0;
            char text[10]; memset(text, 0, sizeof text); strcpy(text, \"abc\"); printf(\"%s %d\\n\", text, isalpha(text[0]));
            fd_set set; FD_ZERO(&set); return (int)offsetof(struct timeval, tv_usec) + INT_MAX + EXIT_SUCCESS; }";
    let source = directory.path().join("all.c");
    std::fs::write(&source, format!("#define _GNU_SOURCE\n{includes}{program}\n"))
        .expect("it can be written");
    for arguments in [["-O0", "-D_X"], ["-O2", "-D_FORTIFY_SOURCE=2"]] {
        let output = std::process::Command::new("cc").arg("-E").args(arguments).arg(&source).output();
        let Ok(output) = output else { return };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        // The second unit has the same headers, and another function.
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let files = [directory.path().join("all.i"), directory.path().join("other.i")];
        std::fs::write(&files[0], &text).expect("it can be written");
        std::fs::write(&files[1], text.replace("int main(void)", "int other(void)"))
            .expect("it can be written");
        let read = preprocess::read(&files, &Default::default()).expect("it is read");
        let units = parser::parse(&read.text, &read.units).expect("it is parsed");
        match crate::resolve::resolve(read.text, units, DataModel::Lp64) {
            Err(errors) => panic!("{}", super::lines(&errors)),
            Ok((program, warnings)) => {
                assert_eq!(super::lines(&warnings), "");
                let locks =
                    program.objects.iter().filter(|object| object.name == "m").map(|object| object.ty);
                let locks: Vec<_> = locks.collect();
                assert!(locks.len() == 2 && locks[0] == locks[1], "a header's types are those of all units");
            }
        }
    }
}

/// Programs whose tokens are mixed up are refused or accepted, and never end the resolver.
#[test]
fn no_text_makes_the_resolver_panic() {
    let seeds = [
        "typedef struct s { int a : 3; struct s *n; union { char c[4]; long l; }; } t; t x = { 1, .c = \"ab\" }, y[3] = { [1] = { .a = 2 } };",
        "int f(int n, char *p) { switch (n) { case 1 ... 3: n += *p++; default: goto end; } end: return n ? p[n] : -n; }",
        "enum e { A, B = A + 2 }; static const int k = B * 4; int a[k][2] = { { 1 }, 2 }; void g(void) { for (int i = 0; i < k; i++) a[i][0] <<= sizeof a / i; }",
        "int h(a, b) char a; int *b; { return ({ typeof(a) z = a; __auto_type w = &z; *w + b[1] - *(b + a); }); }",
        "_Atomic int v; int j(void) { int o = 1; __atomic_compare_exchange_n(&v, &o, 2, 0, 5, 5); return __sync_fetch_and_add(&v, o) + _Generic(o, int: 1, default: 2); }",
        "struct q { double d; float f[2]; } z = (struct q){ .f[1] = 2.0f }; int m(struct q *p, ...) { return (int)p->d + __builtin_offsetof(struct q, f[1]) + (p == 0 || &p->f[1] > &z.f[0]); }",
    ];
    arbtest::arbtest(|u| {
        let text = *u.choose(&seeds)?;
        let other = *u.choose(&seeds)?;
        let split = |text: &'static str| -> Vec<&'static str> {
            text.split_inclusive(|c: char| !c.is_alphanumeric()).collect()
        };
        let (mut tokens, others) = (split(text), split(other));
        for _ in 0..u.int_in_range(1..=4)? {
            let at = u.choose_index(tokens.len())?;
            match u.int_in_range(0..=3)? {
                0 => {
                    tokens.remove(at);
                    if tokens.is_empty() {
                        return Ok(());
                    }
                }
                1 => tokens[at] = *u.choose(&others)?,
                2 => {
                    let token = *u.choose(&others)?;
                    tokens.insert(at, token);
                }
                _ => {
                    let to = u.choose_index(tokens.len())?;
                    tokens.swap(at, to);
                }
            }
        }
        let text = format!("{}\n{other}", tokens.concat());
        let _ = super::resolve_texts(&[&text], DataModel::Lp64);
        Ok(())
    })
    .budget_ms(3000);
}
