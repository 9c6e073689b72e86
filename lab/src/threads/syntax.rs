//! Multi-threaded C programs as trees of statements, for generating, changing and shrinking them, and as text.

use std::fmt::Write;

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// As it is written, with its semicolon.
    Line(String),
    /// `if` or `while`.
    Block {
        /// `if (x)` or `while (1)`.
        head: String,
        /// What is done then.
        body: Vec<Statement>,
        /// What is done otherwise; empty after `while`.
        otherwise: Vec<Statement>,
    },
    /// An atomic section.
    Atomic(Vec<Statement>),
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Its type.
    pub ty: String,
    /// Its name.
    pub name: String,
    /// What it holds at first; otherwise nothing is said about that.
    pub value: Option<u8>,
}

/// A function that threads run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Whether it has a parameter `me`, a small number.
    pub has_argument: bool,
    /// Its variables; those that it does not use are not written down.
    pub locals: Vec<Declaration>,
    /// What it does.
    pub body: Vec<Statement>,
}

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadProgram {
    /// Shared variables; those that are not used are not written down.
    pub globals: Vec<Declaration>,
    /// Functions that threads call, as text.
    pub helpers: String,
    /// What threads run.
    pub functions: Vec<Function>,
    /// Whether threads are started by `pthread_create`, otherwise by labels `__CPROVER_ASYNC_…`.
    pub by_library: bool,
    /// What `main` does.
    pub main: Vec<Statement>,
}

/// What programs use of the library, so that they need no preprocessor. Types are as large as those of the library.
const DECLARATIONS: [(&str, &str); 43] = [
    ("bits", "struct bits { unsigned char a : 2, b : 2; unsigned char c; };"),
    ("pair", "struct pair { unsigned char a, b; };"),
    ("pthread_once_t", "typedef int pthread_once_t;"),
    ("pthread_once", "int pthread_once(pthread_once_t *, void (*)(void));"),
    ("pthread_t", "typedef unsigned long pthread_t;"),
    ("pthread_mutex_t", "typedef struct { long state[5]; } pthread_mutex_t;"),
    ("pthread_cond_t", "typedef struct { long state[6]; } pthread_cond_t;"),
    ("guarded", "struct guarded { unsigned char value; pthread_mutex_t lock; };"),
    (
        "pthread_barrier_t",
        "typedef struct { unsigned __throng_count, __throng_waiting, __throng_round; int __throng_is_told; } pthread_barrier_t;",
    ),
    ("pthread_barrierattr_t", "typedef struct { int __throng_barrier_kind; } pthread_barrierattr_t;"),
    (
        "pthread_barrier_init",
        "int pthread_barrier_init(pthread_barrier_t *, const pthread_barrierattr_t *, unsigned);",
    ),
    ("pthread_barrier_wait", "int pthread_barrier_wait(pthread_barrier_t *);"),
    ("pthread_create", "int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);"),
    ("pthread_join", "int pthread_join(pthread_t, void **);"),
    ("pthread_mutex_lock", "int pthread_mutex_lock(pthread_mutex_t *);"),
    ("pthread_mutex_unlock", "int pthread_mutex_unlock(pthread_mutex_t *);"),
    ("pthread_mutex_trylock", "int pthread_mutex_trylock(pthread_mutex_t *);"),
    ("pthread_rwlock_t", "typedef struct { long state[7]; } pthread_rwlock_t;"),
    ("pthread_rwlock_rdlock", "int pthread_rwlock_rdlock(pthread_rwlock_t *);"),
    ("pthread_rwlock_wrlock", "int pthread_rwlock_wrlock(pthread_rwlock_t *);"),
    ("pthread_rwlock_trywrlock", "int pthread_rwlock_trywrlock(pthread_rwlock_t *);"),
    ("pthread_rwlock_tryrdlock", "int pthread_rwlock_tryrdlock(pthread_rwlock_t *);"),
    ("pthread_rwlock_unlock", "int pthread_rwlock_unlock(pthread_rwlock_t *);"),
    ("pthread_cond_wait", "int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);"),
    ("pthread_cond_signal", "int pthread_cond_signal(pthread_cond_t *);"),
    ("pthread_cond_broadcast", "int pthread_cond_broadcast(pthread_cond_t *);"),
    ("pthread_mutex_init", "int pthread_mutex_init(pthread_mutex_t *, const void *);"),
    ("pthread_spinlock_t", "typedef volatile int pthread_spinlock_t;"),
    ("pthread_spin_init", "int pthread_spin_init(pthread_spinlock_t *, int);"),
    ("pthread_spin_lock", "int pthread_spin_lock(pthread_spinlock_t *);"),
    ("pthread_spin_unlock", "int pthread_spin_unlock(pthread_spinlock_t *);"),
    ("sem_t", "typedef struct { int value, more[7]; } sem_t;"),
    ("sem_init", "int sem_init(sem_t *, int, unsigned);"),
    ("sem_wait", "int sem_wait(sem_t *);"),
    ("sem_trywait", "int sem_trywait(sem_t *);"),
    ("sem_post", "int sem_post(sem_t *);"),
    ("pthread_self", "pthread_t pthread_self(void);"),
    ("pthread_exit", "void pthread_exit(void *) __attribute__((__noreturn__));"),
    ("assert", "void assert(int);"),
    ("__VERIFIER_assume", "void __VERIFIER_assume(int);"),
    ("__VERIFIER_atomic_begin", "void __VERIFIER_atomic_begin(void);"),
    ("__VERIFIER_atomic_end", "void __VERIFIER_atomic_end(void);"),
    ("__VERIFIER_nondet_bool", "_Bool __VERIFIER_nondet_bool(void);"),
];

impl Statement {
    /// A line.
    pub fn line(text: impl Into<String>) -> Self {
        Statement::Line(text.into())
    }

    /// `head { body }`.
    pub fn block(head: impl Into<String>, body: Vec<Statement>) -> Self {
        Statement::Block { head: head.into(), body, otherwise: Vec::new() }
    }

    /// The lists of statements in it.
    pub fn parts(&self) -> Vec<&Vec<Statement>> {
        match self {
            Statement::Line(_) => Vec::new(),
            Statement::Block { body, otherwise, .. } => vec![body, otherwise],
            Statement::Atomic(body) => vec![body],
        }
    }

    /// The lists of statements in it, to change them.
    pub fn parts_mut(&mut self) -> Vec<&mut Vec<Statement>> {
        match self {
            Statement::Line(_) => Vec::new(),
            Statement::Block { body, otherwise, .. } => vec![body, otherwise],
            Statement::Atomic(body) => vec![body],
        }
    }

    /// What it says by itself, without the statements in it.
    pub fn own_text(&mut self) -> Option<&mut String> {
        match self {
            Statement::Line(text) => Some(text),
            Statement::Block { head, .. } => Some(head),
            Statement::Atomic(_) => None,
        }
    }
}

/// How many statements there are in a list, those in others included.
pub fn count(list: &[Statement]) -> usize {
    list.iter()
        .map(|statement| 1 + statement.parts().into_iter().map(|part| count(part)).sum::<usize>())
        .sum()
}

/// The list that has the n-th statement (in the order of the text, from 0) as its own, and its place there.
pub fn find(list: &mut Vec<Statement>, n: usize) -> Option<(&mut Vec<Statement>, usize)> {
    let mut left = n;
    for place in 0..list.len() {
        if left == 0 {
            return Some((list, place));
        }
        left -= 1;
        let inside = count(std::slice::from_ref(&list[place])) - 1;
        if left < inside {
            for part in list[place].parts_mut() {
                let size = count(part);
                if left < size {
                    return find(part, left);
                }
                left -= size;
            }
            return None;
        }
        left -= inside;
    }
    None
}

impl ThreadProgram {
    /// The program in C.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for function in &self.functions {
            let _ = writeln!(text, "{};", self.signature(function));
        }
        // Those that nobody calls any more are left out.
        let mut bodies = String::new();
        for function in &self.functions {
            self.write_function(&mut bodies, function);
        }
        for helper in self.helpers.split_inclusive("\n}\n") {
            let name = helper.trim_start_matches("void ").split('(').next().unwrap_or_default();
            if uses(&bodies, name) {
                text.push_str(helper);
            }
        }
        text.push_str(&bodies);
        text.push_str("int main(void) {\n");
        let mut body = String::new();
        write_list(&mut body, &self.main, 1);
        text.push_str(&write_declarations(&[id()], &body, 1));
        text.push_str(&body);
        text.push_str("    return 0;\n}\n");
        let text = write_declarations(&self.globals, &text, 0) + &text;
        // What a declaration needs is declared before it.
        DECLARATIONS.iter().rev().fold(text, |text, (name, declaration)| {
            if uses(&text, name) { format!("{declaration}\n{text}") } else { text }
        })
    }

    fn signature(&self, function: &Function) -> String {
        let name = &function.name;
        match (self.by_library, function.has_argument) {
            (true, _) => format!("void *{name}(void *arg)"),
            (false, true) => format!("void {name}(unsigned char me)"),
            (false, false) => format!("void {name}(void)"),
        }
    }

    fn write_function(&self, text: &mut String, function: &Function) {
        let _ = writeln!(text, "{} {{", self.signature(function));
        let mut body = String::new();
        write_list(&mut body, &function.body, 1);
        text.push_str(&write_declarations(&function.locals, &body, 1));
        text.push_str(&write_declarations(&[id()], &body, 1));
        text.push_str(&body);
        text.push_str(if self.by_library { "    return 0;\n}\n" } else { "}\n" });
    }

    /// How many statements there are.
    pub fn size(&self) -> usize {
        count(&self.main) + self.functions.iter().map(|function| count(&function.body)).sum::<usize>()
    }
}

/// Where `pthread_create` puts the number of a thread.
fn id() -> Declaration {
    Declaration { ty: "pthread_t".to_owned(), name: "id".to_owned(), value: None }
}

/// The declarations that a text needs.
fn write_declarations(list: &[Declaration], text: &str, indent: usize) -> String {
    let stem = |name: &str| name.split('[').next().unwrap_or_default().to_owned();
    let used = list.iter().filter(|declaration| uses(text, &stem(&declaration.name)));
    let lines = used.map(|Declaration { ty, name, value }| {
        let is_struct = ty.starts_with("struct ") && !ty.ends_with('*');
        let value = match value {
            None => String::new(),
            Some(value) if is_struct => format!(" = {{ {value} }}"),
            Some(value) => format!(" = {value}"),
        };
        format!("{:1$}{ty} {name}{value};\n", "", 4 * indent)
    });
    lines.collect()
}

/// Whether a name occurs in a text.
fn uses(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(is_word) && !text[at + name.len()..].starts_with(is_word))
}

fn write_list(text: &mut String, list: &[Statement], indent: usize) {
    let space = 4 * indent;
    for statement in list {
        match statement {
            Statement::Line(line) => {
                let _ = writeln!(text, "{:space$}{line}", "");
            }
            Statement::Block { head, body, otherwise } => {
                let _ = writeln!(text, "{:space$}{head} {{", "");
                write_list(text, body, indent + 1);
                if !otherwise.is_empty() {
                    let _ = writeln!(text, "{:space$}}} else {{", "");
                    write_list(text, otherwise, indent + 1);
                }
                let _ = writeln!(text, "{:space$}}}", "");
            }
            Statement::Atomic(body) => {
                let _ = writeln!(text, "{:space$}__VERIFIER_atomic_begin();", "");
                write_list(text, body, indent + 1);
                let _ = writeln!(text, "{:space$}__VERIFIER_atomic_end();", "");
            }
        }
    }
}
