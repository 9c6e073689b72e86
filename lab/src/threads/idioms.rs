//! What concurrent programs do and rely on, each idiom with an assertion that holds if all threads keep to it.
//!
//! The reasons are of the kinds that proofs for any number of threads are made of: values that shared variables
//! have together while a lock is free (those are here), what a thread knows of shared variables that it owns, what one
//! thread has tells of another, what only grows, what never changes back (`protocols`). Numbers stay small, so that
//! everything can be tried.

use super::maker::{Lock, Maker, Role, declaration, line};
use super::syntax::{Declaration, Statement};
use crate::choices::Choices;

type List = Vec<Statement>;

pub(super) fn role(locals: &[(&str, &str)], body: List) -> Role {
    // Whoever takes a ticket lock keeps the ticket.
    let all = locals.iter().chain(&[("unsigned char", "mine")]);
    let mut locals: Vec<Declaration> = all.map(|(ty, name)| declaration(ty, name, 0)).collect();
    locals.push(Declaration { ty: "_Bool".to_owned(), name: "any".to_owned(), value: None });
    Role { locals, body }
}

pub(super) fn assertion(condition: &str) -> Statement {
    line(format!("assert({condition});"))
}

impl Maker {
    /// Roles of one idiom.
    pub(super) fn idiom(&mut self) -> Vec<Role> {
        match self.random.below(30) {
            25..=29 => self.about_memory(),
            20 | 21 => self.first(),
            22 => self.posted(),
            23 => self.joined(),
            24 => self.thread_local(),
            0 | 1 => self.related_pair(),
            2 | 3 => self.exclusion(),
            4 => self.publication(),
            5 => self.growth(),
            6 => self.range(),
            7 => self.gate(),
            8 => self.told(),
            9 => self.token(),
            10 => self.ownership(),
            11 => self.count(),
            12 => self.phases(),
            13 => self.once(),
            14 => self.readers_and_writers(),
            15 => self.slot(),
            16 => self.winner(),
            17 => self.setting(),
            18 => self.table(),
            _ => self.last_value(),
        }
    }

    /// A value from 1 to 3.
    pub(super) fn constant(&mut self) -> u8 {
        1 + self.random.below(3) as u8
    }

    /// A value that a thread has for itself, by a statement before.
    pub(super) fn own_value(&mut self) -> (List, &'static str) {
        match self.random.below(4) {
            0 if !self.arguments.is_empty() => {
                self.has_drawn_me = true;
                (Vec::new(), "me")
            }
            1 => (vec![line("l = 2;")], "l"),
            2 => (Vec::new(), "any"),
            _ => (vec![line("l = __VERIFIER_nondet_bool();")], "l"),
        }
    }

    /// Two variables that are related while the lock is free.
    fn related_pair(&mut self) -> Vec<Role> {
        let distance = self.random.below(2) as u8;
        let (x, y) = (self.number("x", 0), self.number("y", distance));
        let lock = self.lock();
        let related = match distance {
            0 => format!("{x} == {y}"),
            _ => format!("{y} == (({x} + 1) & 3)"),
        };
        let of_x = if distance == 0 { x.clone() } else { format!("({x} + 1) & 3") };
        let change = match self.random.below(3) {
            0 => line(format!("{x} = ({x} + 1) & 3;")),
            1 => line(format!("{x} = {};", self.random.below(4))),
            _ => line(format!("{x} = __VERIFIER_nondet_bool();")),
        };
        let mut write = vec![change, line(format!("{y} = {of_x};"))];
        if self.random.chance(40) {
            write.push(assertion(&related));
        }
        let writer = self.protect(&lock, 0, write);
        let reader = self.protect(&lock, 1, vec![assertion(&related)]);
        vec![role(&[], writer), role(&[], reader)]
    }

    /// Who holds a lock is alone.
    fn exclusion(&mut self) -> Vec<Role> {
        let lock = if self.random.chance(15) && self.arguments.is_empty() {
            self.is_once = true;
            let flags = [self.flag("want"), self.flag("want")];
            Lock::Peterson(flags, self.flag("turn"))
        } else {
            self.lock()
        };
        let inside = self.number("inside", 0);
        let bodies: Vec<List> = match self.random.below(3) {
            0 => vec![vec![
                assertion(&format!("{inside} == 0")),
                line(format!("{inside} = 1;")),
                line(format!("{inside} = 0;")),
            ]],
            1 => vec![vec![
                line(format!("{inside} = {inside} + 1;")),
                assertion(&format!("{inside} == 1")),
                line(format!("{inside} = {inside} - 1;")),
            ]],
            _ => vec![
                vec![line(format!("{inside} = 1;")), assertion(&format!("{inside} == 1"))],
                vec![line(format!("{inside} = 2;")), assertion(&format!("{inside} != 1"))],
            ],
        };
        let bodies =
            if bodies.len() == 1 && self.is_once { [bodies.clone(), bodies].concat() } else { bodies };
        let bodies = bodies.into_iter().enumerate();
        bodies.map(|(number, body)| role(&[], self.protect(&lock, number, body))).collect()
    }

    /// Threads wait for a gate to be opened.
    fn gate(&mut self) -> Vec<Role> {
        let (m, c) = (self.opaque("pthread_mutex_t", "m"), self.opaque("pthread_cond_t", "c"));
        let (open, value, data) = (self.flag("open"), self.constant(), self.number("data", 0));
        let lock = Lock::Mutex(m.clone());
        let wake = if self.random.chance(60) { "broadcast" } else { "signal" };
        let opened = vec![
            line(format!("{data} = {value};")),
            line(format!("{open} = 1;")),
            line(format!("pthread_cond_{wake}(&{c});")),
        ];
        let opener = self.protect(&lock, 0, opened);
        let wait = Statement::block(
            format!("while (!{open})"),
            vec![line(format!("pthread_cond_wait(&{c}, &{m});"))],
        );
        let check = assertion(&format!("{data} == {value}"));
        let passer = if self.random.chance(50) {
            self.protect(&lock, 1, vec![wait, check])
        } else {
            [self.protect(&lock, 1, vec![wait]), vec![check]].concat()
        };
        vec![role(&[], opener), role(&[], passer)]
    }

    /// Something is prepared by whoever needs it first.
    fn once(&mut self) -> Vec<Role> {
        let (done, data, value) = (self.flag("done"), self.number("data", 0), self.constant());
        let lock = self.lock();
        let prepare = match self.random.chance(50) {
            true => vec![line(format!("{data} = {value};"))],
            false => vec![assertion(&format!("{data} == 0")), line(format!("{data} = {value};"))],
        };
        let prepare = [prepare, vec![line(format!("{done} = 1;"))]].concat();
        let again = Statement::block(format!("if (!{done})"), prepare);
        let slow = self.protect(&lock, 0, vec![again]);
        let body =
            vec![Statement::block(format!("if (!{done})"), slow), assertion(&format!("{data} == {value}"))];
        vec![role(&[], body)]
    }

    /// Several readers or one writer.
    fn readers_and_writers(&mut self) -> Vec<Role> {
        let (w, r, x) = (self.flag("writing"), self.number("readers", 0), self.number("x", 0));
        let most = self.constant();
        let enter = Statement::Atomic(vec![
            line(format!("__VERIFIER_assume(!{w} && {r} < {most});")),
            line(format!("{r} = {r} + 1;")),
        ]);
        let leave = Statement::Atomic(vec![line(format!("{r} = {r} - 1;"))]);
        let check = if self.random.chance(50) { format!("!{w}") } else { format!("{x} == 0") };
        let reader = vec![enter, assertion(&check), leave];
        let take = Statement::Atomic(vec![
            line(format!("__VERIFIER_assume(!{w} && {r} == 0);")),
            line(format!("{w} = 1;")),
        ]);
        let change = vec![line(format!("{x} = {};", self.constant())), line(format!("{x} = 0;"))];
        let writer = [vec![take], change, vec![line(format!("{w} = 0;"))]].concat();
        vec![role(&[], reader), role(&[], writer)]
    }

    /// Producers fill a slot, consumers empty it.
    fn slot(&mut self) -> Vec<Role> {
        let (full, slot) = (self.flag("full"), self.number("slot", 0));
        let lock = self.lock();
        let fill =
            vec![line(format!("{slot} = 1 + __VERIFIER_nondet_bool();")), line(format!("{full} = 1;"))];
        let producer = self.protect(&lock, 0, vec![Statement::block(format!("if (!{full})"), fill)]);
        let take = vec![
            assertion(&format!("{slot} > 0")),
            line(format!("{slot} = 0;")),
            line(format!("{full} = 0;")),
        ];
        let consumer = self.protect(&lock, 1, vec![Statement::block(format!("if ({full})"), take)]);
        vec![role(&[], producer), role(&[], consumer)]
    }

    /// An array whose elements are related while the lock is free.
    fn table(&mut self) -> Vec<Role> {
        let (name, lock) = (self.name("a"), self.lock());
        self.globals.push(Declaration {
            ty: "unsigned char".to_owned(),
            name: format!("{name}[2]"),
            value: None,
        });
        let (before, own) = self.own_value();
        let mut inside = vec![line(format!("{name}[{own} & 1] = {};", self.constant()))];
        let check = if self.random.chance(50) {
            inside.push(line(format!("{name}[1 - ({own} & 1)] = {name}[{own} & 1];")));
            assertion(&format!("{name}[0] == {name}[1]"))
        } else {
            assertion(&format!("{name}[{own} & 1] != 0"))
        };
        inside.push(check);
        let writer = [before, self.protect(&lock, 0, inside)].concat();
        vec![role(&[("unsigned char", "l")], writer)]
    }

    /// Who writes under a lock reads the same there.
    fn last_value(&mut self) -> Vec<Role> {
        let (x, lock) = (self.number("x", 0), self.lock());
        let (before, own) = self.own_value();
        let mut inside = vec![line(format!("{x} = {own};"))];
        if self.random.chance(50) {
            inside.push(line(format!("k = {x};")));
            inside.push(assertion(&format!("k == {own}")));
        } else {
            inside.push(assertion(&format!("{x} == {own}")));
        }
        let body = [before, self.protect(&lock, 0, inside)].concat();
        vec![role(&[("unsigned char", "l")], body)]
    }
}
