//! Puts idioms together into a program: locks of several kinds, roles of threads, and a `main` that starts them.

use super::syntax::{Declaration, Function, Statement, ThreadProgram};
use crate::choices::{Choices, SplitMix64};

/// How a piece of code is protected.
#[derive(Clone, Debug)]
pub(super) enum Lock {
    /// A mutex of this name.
    Mutex(String),
    /// An atomic section.
    Section,
    /// A bit that is taken in an atomic section.
    Bit(String),
    /// A bit that is taken by compare-and-swap, in a loop.
    Spin(String),
    /// Now serving, and the next ticket; so many tickets, after which threads get none or numbers begin again.
    Ticket(String, String, u8, bool),
    /// A mutex of this name, if it is free.
    Try(String),
    /// What is done before and after.
    Calls(Vec<Statement>, Vec<Statement>),
    /// A lock for one writer (role 0) or several readers (role 1).
    Shared(String),
    /// Two threads and no more, with a role each: the flags and the turn.
    Peterson([String; 2], String),
}

/// What one kind of thread does.
#[derive(Clone, Debug, Default)]
pub(super) struct Role {
    pub(super) locals: Vec<Declaration>,
    pub(super) body: Vec<Statement>,
}

/// A program under construction.
pub(super) struct Maker {
    pub(super) random: SplitMix64,
    pub(super) globals: Vec<Declaration>,
    /// Values of the parameter `me`, if threads have it.
    pub(super) arguments: Vec<u8>,
    /// Whether the argument is used; then it is a variable if threads are started without one after all.
    pub(super) has_drawn_me: bool,
    /// Whether each role is that of exactly one thread.
    pub(super) is_once: bool,
    /// Whether threads have to be started by `pthread_create`, with a function for each role.
    pub(super) needs_library: bool,
    /// What `main` does before it starts threads.
    pub(super) before: Vec<Statement>,
    /// Functions that threads call, as text.
    pub(super) helpers: String,
    names: usize,
}

pub(super) fn line(text: impl Into<String>) -> Statement {
    Statement::line(text)
}

pub(super) fn declaration(ty: &str, name: &str, value: u8) -> Declaration {
    Declaration { ty: ty.to_owned(), name: name.to_owned(), value: Some(value) }
}

impl Maker {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let arguments = if random.chance(20) { vec![1, 1 + random.below(2) as u8] } else { Vec::new() };
        let (globals, before) = (Vec::new(), Vec::new());
        let helpers = String::new();
        Self {
            random,
            globals,
            arguments,
            has_drawn_me: false,
            is_once: false,
            needs_library: false,
            before,
            helpers,
            names: 0,
        }
    }

    /// A new name.
    pub(super) fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// A shared variable.
    pub(super) fn global(&mut self, ty: &str, stem: &str, value: u8) -> String {
        let name = self.name(stem);
        self.globals.push(declaration(ty, &name, value));
        name
    }

    /// A shared number of some type, of which only few values are used.
    pub(super) fn number(&mut self, stem: &str, value: u8) -> String {
        let ty = match self.random.below(10) {
            0 => "int",
            1 => "unsigned",
            2 => "signed char",
            _ => "unsigned char",
        };
        self.global(ty, stem, value)
    }

    pub(super) fn flag(&mut self, stem: &str) -> String {
        self.global("_Bool", stem, 0)
    }

    pub(super) fn opaque(&mut self, ty: &str, stem: &str) -> String {
        let name = self.name(stem);
        self.globals.push(Declaration { ty: ty.to_owned(), name: name.clone(), value: None });
        name
    }

    /// Some kind of lock.
    pub(super) fn lock(&mut self) -> Lock {
        match self.random.below(19) {
            14..=18 => self.library_lock(),
            12 => Lock::Try(self.opaque("pthread_mutex_t", "m")),
            13 => Lock::Shared(self.opaque("pthread_rwlock_t", "rw")),
            0..=3 => Lock::Mutex(self.opaque("pthread_mutex_t", "m")),
            4 | 5 => Lock::Section,
            6 | 7 => Lock::Bit(self.flag("busy")),
            8 | 9 => Lock::Spin(self.flag("spin")),
            _ => {
                let (serving, next) = (self.number("serving", 0), self.number("next", 0));
                let (count, wraps) = (2 + self.random.below(3) as u8, self.random.chance(25));
                Lock::Ticket(serving, next, count, wraps)
            }
        }
    }

    /// What happens under a lock; `role` is 0 or 1 where it matters.
    pub(super) fn protect(&mut self, lock: &Lock, role: usize, body: Vec<Statement>) -> Vec<Statement> {
        let (before, after) = match lock {
            Lock::Section => return vec![Statement::Atomic(body)],
            Lock::Calls(before, after) => (before.clone(), after.clone()),
            Lock::Mutex(m) => (
                vec![line(format!("pthread_mutex_lock(&{m});"))],
                vec![line(format!("pthread_mutex_unlock(&{m});"))],
            ),
            Lock::Bit(b) => {
                let take = vec![line(format!("__VERIFIER_assume(!{b});")), line(format!("{b} = 1;"))];
                (vec![Statement::Atomic(take)], vec![line(format!("{b} = 0;"))])
            }
            Lock::Spin(b) => (
                vec![Statement::block(
                    format!("while (!__sync_bool_compare_and_swap(&{b}, 0, 1))"),
                    Vec::new(),
                )],
                vec![line(format!("{b} = 0;"))],
            ),
            Lock::Try(m) => {
                let body = [body, vec![line(format!("pthread_mutex_unlock(&{m});"))]].concat();
                return vec![Statement::block(format!("if (pthread_mutex_trylock(&{m}) == 0)"), body)];
            }
            Lock::Shared(rw) => {
                let how = if role == 0 { "wr" } else { "rd" };
                (
                    vec![line(format!("pthread_rwlock_{how}lock(&{rw});"))],
                    vec![line(format!("pthread_rwlock_unlock(&{rw});"))],
                )
            }
            Lock::Ticket(serving, next, count, wraps) => ticket(serving, next, *count, *wraps),
            Lock::Peterson(flags, turn) => {
                let (own, other, theirs) = (&flags[role % 2], &flags[1 - role % 2], 1 - role % 2);
                let wait = format!("while ({other} && {turn} == {theirs})");
                let before = vec![
                    line(format!("{own} = 1;")),
                    line(format!("{turn} = {theirs};")),
                    Statement::block(wait, Vec::new()),
                ];
                (before, vec![line(format!("{own} = 0;"))])
            }
        };
        [before, body, after].concat()
    }

    /// Statements, perhaps only sometimes or several times.
    fn wrap(&mut self, body: Vec<Statement>) -> Vec<Statement> {
        match self.random.below(10) {
            0..=2 => vec![Statement::block("while (1)", body)],
            3 => vec![Statement::block("while (__VERIFIER_nondet_bool())", body)],
            4 => vec![Statement::block("if (__VERIFIER_nondet_bool())", body)],
            _ => body,
        }
    }

    /// The functions that threads with these roles run: one each, or one for all, which chooses.
    fn functions(&mut self, roles: Vec<Role>) -> Vec<Function> {
        let is_joint = !self.is_once && !self.needs_library && roles.len() > 1 && self.random.chance(40);
        let roles = if is_joint { vec![self.join(roles)] } else { roles };
        let has_argument = !self.arguments.is_empty();
        let functions = roles.into_iter().enumerate().map(|(number, role)| {
            let body = self.wrap(role.body);
            let mut locals = role.locals;
            locals.push(declaration("unsigned char", "k", 0));
            if self.has_drawn_me && !has_argument {
                locals.push(declaration("unsigned char", "me", 1));
            }
            Function { name: format!("f{number}"), has_argument, locals, body }
        });
        functions.collect()
    }

    /// One role that is any of these.
    fn join(&mut self, roles: Vec<Role>) -> Role {
        let mut all = Role::default();
        for role in roles.into_iter().rev() {
            let new = role.locals.into_iter();
            let known = all.locals.clone();
            all.locals.extend(new.filter(|local| !known.contains(local)));
            if all.body.is_empty() {
                all.body = role.body;
            } else {
                let head = "if (__VERIFIER_nondet_bool())".to_owned();
                all.body = vec![Statement::Block { head, body: role.body, otherwise: all.body }];
            }
        }
        all
    }

    /// The program whose threads have these roles.
    pub(super) fn program(mut self, roles: Vec<Role>) -> (ThreadProgram, SplitMix64) {
        let mut functions = self.functions(roles);
        let by_library = self.arguments.is_empty() && (self.random.chance(60) || self.needs_library);
        let mut starts = Vec::new();
        for function in &functions {
            for &argument in self.arguments.iter().take(if self.is_once { 1 } else { 2 }) {
                starts.push(start(&function.name, false, starts.len(), &argument.to_string()));
            }
            if self.arguments.is_empty() {
                starts.push(start(&function.name, by_library, starts.len(), ""));
            }
        }
        if !self.is_once && self.random.chance(10) {
            self.start_another(&mut functions, by_library);
        }
        let main = [std::mem::take(&mut self.before), self.main(starts, by_library)].concat();
        let helpers = self.helpers;
        (ThreadProgram { globals: self.globals, helpers, functions, by_library, main }, self.random)
    }

    /// Threads that start threads.
    fn start_another(&mut self, functions: &mut [Function], by_library: bool) {
        let started = functions[self.random.below(functions.len())].name.clone();
        let argument = if self.arguments.is_empty() { "" } else { "me" };
        let starter = self.random.below(functions.len());
        let body = &mut functions[starter].body;
        let place = if self.random.chance(50) { 0 } else { body.len() };
        body.insert(place, start(&started, by_library, 90, argument));
    }

    fn main(&mut self, mut starts: Vec<Statement>, by_library: bool) -> Vec<Statement> {
        if self.is_once {
            return starts;
        }
        let fixed = self.random.chance(10);
        if fixed {
            // Twice each, since a program of one thread of each kind is hardly ever wrong.
            let again = starts.clone().into_iter().map(|statement| match statement {
                Statement::Line(text) => line(text.replace("ASYNC_", "ASYNC_1")),
                other => other,
            });
            let again: Vec<Statement> = again.collect();
            return [starts, again].concat();
        }
        // Some kind of thread is perhaps there only once.
        let alone = (starts.len() > 1 && self.random.chance(25)).then(|| starts.remove(0));
        let head = if self.random.chance(75) { "while (1)" } else { "while (__VERIFIER_nondet_bool())" };
        let last = starts.pop();
        let choice =
            starts.into_iter().rev().fold(last.into_iter().collect::<Vec<_>>(), |otherwise, start| {
                let head = "if (__VERIFIER_nondet_bool())".to_owned();
                vec![Statement::Block { head, body: vec![start], otherwise }]
            });
        let mut all: Vec<Statement> = alone.into_iter().chain([Statement::block(head, choice)]).collect();
        if head != "while (1)" && self.random.chance(40) {
            // The first thread is one of them too.
            let argument = if by_library || !self.arguments.is_empty() { "0" } else { "" };
            all.push(line(format!("f0({argument});")));
        }
        all
    }
}

fn start(function: &str, by_library: bool, number: usize, argument: &str) -> Statement {
    if by_library {
        line(format!("pthread_create(&id, 0, {function}, 0);"))
    } else {
        line(format!("__CPROVER_ASYNC_{number}: {function}({argument});"))
    }
}

/// How a ticket lock is taken and given back.
fn ticket(serving: &str, next: &str, count: u8, wraps: bool) -> (Vec<Statement>, Vec<Statement>) {
    let after = |name: &str| match wraps {
        true => format!("({name} + 1) & 3"),
        false => format!("{name} + 1"),
    };
    let mut take = Vec::new();
    if !wraps {
        take.push(line(format!("__VERIFIER_assume({next} < {count});")));
    }
    take.push(line(format!("mine = {next};")));
    take.push(line(format!("{next} = {};", after(next))));
    let wait = Statement::block(format!("while ({serving} != mine)"), Vec::new());
    (vec![Statement::Atomic(take), wait], vec![line(format!("{serving} = {};", after(serving)))])
}
