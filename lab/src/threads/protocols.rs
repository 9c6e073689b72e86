//! Idioms without locks, or about what threads know of each other: see `idioms`.

use super::idioms::{assertion, role};
use super::maker::{Maker, Role, declaration, line};
use super::syntax::Statement;
use crate::choices::Choices;

impl Maker {
    /// A value is written, then a flag says so.
    pub(super) fn publication(&mut self) -> Vec<Role> {
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
    pub(super) fn growth(&mut self) -> Vec<Role> {
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
    pub(super) fn range(&mut self) -> Vec<Role> {
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

    /// All other threads are told after something has happened.
    pub(super) fn told(&mut self) -> Vec<Role> {
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
    pub(super) fn token(&mut self) -> Vec<Role> {
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
    pub(super) fn ownership(&mut self) -> Vec<Role> {
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
    pub(super) fn count(&mut self) -> Vec<Role> {
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
    pub(super) fn phases(&mut self) -> Vec<Role> {
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

    /// Only one thread is the first. A counter of 8 bits has more than one first thread among 257.
    pub(super) fn winner(&mut self) -> Vec<Role> {
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
    pub(super) fn setting(&mut self) -> Vec<Role> {
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
}
