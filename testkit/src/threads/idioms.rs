//! What concurrent programs do and rely on, each idiom with an assertion that holds if all threads keep to it.
//!
//! The reasons are of the kinds that proofs for any number of threads are made of: values that shared variables
//! have together while a lock is free, what a thread knows of shared variables that it owns, what one thread has tells of
//! another, what only grows, what never changes back. Numbers stay small, so that everything can be tried.

use super::maker::{Lock, Maker, Role, declaration, line};
use super::syntax::{Declaration, Statement};
use crate::choices::Choices;

type List = Vec<Statement>;

fn role(locals: &[(&str, &str)], body: List) -> Role {
    // Whoever takes a ticket lock keeps the ticket.
    let all = locals.iter().chain(&[("unsigned char", "mine")]);
    let mut locals: Vec<Declaration> = all.map(|(ty, name)| declaration(ty, name, 0)).collect();
    locals.push(Declaration { ty: "_Bool".to_owned(), name: "any".to_owned(), value: None });
    Role { locals, body }
}

fn assertion(condition: &str) -> Statement {
    line(format!("assert({condition});"))
}

impl Maker {
    /// Roles of one idiom.
    pub(super) fn idiom(&mut self) -> Vec<Role> {
        match self.random.below(20) {
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
    fn constant(&mut self) -> u8 {
        1 + self.random.below(3) as u8
    }

    /// A value that a thread has for itself, by a statement before.
    fn own_value(&mut self) -> (List, &'static str) {
        match self.random.below(4) {
            0 if !self.arguments.is_empty() => (Vec::new(), "me"),
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

    /// A value is written, then a flag says so.
    fn publication(&mut self) -> Vec<Role> {
        let (data, ready, value) = (self.number("data", 0), self.flag("ready"), self.constant());
        let writer = vec![line(format!("{data} = {value};")), line(format!("{ready} = 1;"))];
        let check = assertion(&format!("{data} == {value}"));
        let reader = match self.random.below(4) {
            0 => vec![line(format!("__VERIFIER_assume({ready});")), check],
            1 => vec![Statement::block(format!("while (!{ready})"), Vec::new()), check],
            2 => vec![line(format!("l = {ready};")), Statement::block("if (l)", vec![check])],
            _ => vec![Statement::block(format!("if ({ready})"), vec![check])],
        };
        vec![role(&[], writer), role(&[("unsigned char", "l")], reader)]
    }

    /// A number that only grows, up to a largest one.
    fn growth(&mut self) -> Vec<Role> {
        let (g, most) = (self.number("g", 0), self.constant());
        let lock = self.lock();
        let grow = match self.random.below(3) {
            0 => vec![
                line(format!("l = {g};")),
                Statement::block(
                    format!("if (l < {most})"),
                    vec![line(format!("__sync_bool_compare_and_swap(&{g}, l, l + 1);"))],
                ),
            ],
            1 => {
                let body =
                    Statement::block(format!("if ({g} < {most})"), vec![line(format!("{g} = {g} + 1;"))]);
                self.protect(&lock, 0, vec![body])
            }
            _ => {
                let body =
                    vec![line(format!("__VERIFIER_assume({g} < {most});")), line(format!("{g} = {g} + 1;"))];
                self.protect(&lock, 0, body)
            }
        };
        let check = if self.random.chance(30) { format!("{g} <= {most}") } else { format!("{g} >= l") };
        let reader = vec![line(format!("l = {g};")), assertion(&check)];
        vec![role(&[("unsigned char", "l")], grow), role(&[("unsigned char", "l")], reader)]
    }

    /// Everybody writes values from a set.
    fn range(&mut self) -> Vec<Role> {
        let low = self.constant();
        let (g, h) = (self.number("g", low), self.number("h", low));
        let high = low + self.random.below(3) as u8;
        let writer = match self.random.below(3) {
            0 => vec![line(format!("{g} = {low};")), line(format!("{g} = {high};"))],
            1 => vec![line(format!("l = {low} + __VERIFIER_nondet_bool();")), line(format!("{g} = l;"))],
            _ => vec![line(format!("l = {g};")), line(format!("{h} = l;")), line(format!("{g} = {h};"))],
        };
        let high = high.max(low + 1);
        let mut reader = vec![line(format!("l = {g};"))];
        if self.random.chance(50) {
            reader.push(line(format!("{h} = l;")));
        }
        let of = if self.random.chance(50) { &h } else { "l" };
        let check = match self.random.below(3) {
            0 => format!("{of} >= {low}"),
            1 => format!("{of} != {}", high + 1),
            _ => format!("{of} <= {high}"),
        };
        reader.push(assertion(&check));
        vec![role(&[("unsigned char", "l")], writer), role(&[("unsigned char", "l")], reader)]
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

    /// All other threads are told after something has happened.
    fn told(&mut self) -> Vec<Role> {
        let (s, told) = (self.flag("s"), self.name("told"));
        self.globals.push(declaration("_Thread_local _Bool", &told, 0));
        let body = vec![
            assertion(&format!("!{told} || {s}")),
            line(format!("{s} = 1;")),
            line(format!("__CPROVER_passive_broadcast: {told} = 1;")),
        ];
        vec![role(&[], body)]
    }

    /// Who takes the token takes it away from all others.
    fn token(&mut self) -> Vec<Role> {
        let (x, token) = (self.number("x", 0), self.name("token"));
        self.globals.push(declaration("_Thread_local _Bool", &token, 0));
        let (before, own) = self.own_value();
        let take = vec![
            line(format!("__CPROVER_passive_broadcast: {token} = 0;")),
            line(format!("{token} = 1;")),
            line(format!("{x} = {own};")),
        ];
        let check = Statement::block(format!("if ({token})"), vec![assertion(&format!("{x} == {own}"))]);
        let body = [before, vec![Statement::Atomic(take), Statement::Atomic(vec![check])]].concat();
        vec![role(&[("unsigned char", "l")], body)]
    }

    /// Who found the resource free owns it.
    fn ownership(&mut self) -> Vec<Role> {
        let (busy, x) = (self.flag("busy"), self.number("x", 0));
        let take = match self.random.below(3) {
            0 => vec![line(format!("has = __sync_bool_compare_and_swap(&{busy}, 0, 1);"))],
            1 => vec![line(format!("has = !__sync_lock_test_and_set(&{busy}, 1);"))],
            _ => {
                let taken = vec![line(format!("{busy} = 1;")), line("has = 1;")];
                vec![Statement::Atomic(vec![Statement::block(format!("if (!{busy})"), taken)])]
            }
        };
        let (before, own) = self.own_value();
        let used = match self.random.below(3) {
            0 => vec![assertion(&busy)],
            1 => vec![line(format!("{x} = {own};")), assertion(&format!("{x} == {own}"))],
            _ => vec![
                assertion(&format!("{x} == 0")),
                line(format!("{x} = {};", self.constant())),
                line(format!("{x} = 0;")),
            ],
        };
        let used = [used, vec![line("has = 0;"), line(format!("{busy} = 0;"))]].concat();
        let body = [before, take, vec![Statement::block("if (has)", used)]].concat();
        vec![role(&[("unsigned char", "l"), ("_Bool", "has")], body)]
    }

    /// Users are counted.
    fn count(&mut self) -> Vec<Role> {
        let (n, most) = (self.number("n", 0), 1 + self.constant());
        let gone = self.flag("gone");
        let get = Statement::Atomic(vec![
            line(format!("__VERIFIER_assume({n} < {most} && !{gone});")),
            line(format!("{n} = {n} + 1;")),
        ]);
        let check = if self.random.chance(50) { format!("{n} > 0") } else { format!("!{gone}") };
        let put = Statement::Atomic(vec![line(format!("{n} = {n} - 1;"))]);
        let user = vec![get, assertion(&check), put];
        let close = Statement::Atomic(vec![
            line(format!("__VERIFIER_assume({n} == 0);")),
            line(format!("{gone} = 1;")),
        ]);
        vec![role(&[], user), role(&[], vec![close])]
    }

    /// Everything goes through phases; who brings it from one to the next may rely on that.
    fn phases(&mut self) -> Vec<Role> {
        let (s, last, x) = (self.number("phase", 0), 1 + self.constant(), self.number("x", 0));
        let mut roles = Vec::new();
        for phase in 0..last.min(2) {
            let next = phase + 1;
            let mut moved = vec![match self.random.below(3) {
                0 => assertion(&format!("{s} >= {next}")),
                1 => assertion(&format!("{s} != {phase}")),
                _ => assertion(&format!("{x} == {phase}")),
            }];
            moved.push(line(format!("{x} = {next};")));
            let head = format!("if (__sync_bool_compare_and_swap(&{s}, {phase}, {next}))");
            let body = if self.random.chance(70) || phase == 0 {
                vec![Statement::block(head, moved)]
            } else {
                vec![line(format!("__VERIFIER_assume({x} == {phase});")), Statement::block(head, moved)]
            };
            roles.push(role(&[], body));
        }
        roles
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

    /// Only one thread is the first. A counter of 8 bits has more than one first thread among 257.
    fn winner(&mut self) -> Vec<Role> {
        let x = self.number("x", 0);
        let head = if self.random.chance(75) {
            let won = self.flag("won");
            format!("if (!__sync_lock_test_and_set(&{won}, 1))")
        } else {
            let next = self.global("unsigned char", "next", 0);
            format!("if (__sync_fetch_and_add(&{next}, 1) == 0)")
        };
        let first = match self.random.below(2) {
            0 => vec![assertion(&format!("{x} == 0")), line(format!("{x} = 1;"))],
            _ => vec![
                line(format!("{x} = {};", self.constant())),
                assertion(&format!("{x} > 0")),
                line(format!("{x} = 0;")),
            ],
        };
        vec![role(&[], vec![Statement::block(head, first)])]
    }

    /// What `main` wrote before there were threads stays.
    fn setting(&mut self) -> Vec<Role> {
        let (x, y, value) = (self.number("x", 0), self.number("y", 0), self.constant());
        self.before.push(line(format!("{x} = {value};")));
        let body = match self.random.below(3) {
            0 => vec![line(format!("l = {x};")), assertion(&format!("l == {value}"))],
            1 => vec![
                line(format!("{y} = {x};")),
                line(format!("l = {y};")),
                Statement::block("if (l != 0)", vec![assertion(&format!("{y} == {x}"))]),
            ],
            _ => vec![line(format!("{x} = {value};")), assertion(&format!("{x} >= {value}"))],
        };
        vec![role(&[("unsigned char", "l")], body)]
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
        inside.push(check.clone());
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
