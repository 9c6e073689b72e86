//! Idioms about what is one access and what is several: units of bit-fields, copies of structs, wide numbers, pointers that are handed
//! over; and what the library does once or for all. See `idioms`.

use super::idioms::{assertion, role};
use super::maker::{Maker, Role, line};
use super::syntax::{Declaration, Statement};
use crate::choices::Choices;

impl Maker {
    /// One of them.
    pub(super) fn about_memory(&mut self) -> Vec<Role> {
        match self.random.below(8) {
            0 | 1 => self.neighbours(),
            2 | 3 => self.copied(),
            4 => self.wide(),
            5 => self.handed_over(),
            6 => self.prepared_once(),
            _ => self.met_at_barrier(),
        }
    }

    /// Members of one unit are changed by different threads: each change reads and writes all of it. A member of its own is not
    /// touched.
    fn neighbours(&mut self) -> Vec<Role> {
        let (s, lock) = (self.opaque("struct bits", "bf"), self.lock());
        let (first, second) = (self.constant(), self.constant());
        let other = if self.random.chance(70) { "b" } else { "c" };
        let change = |member: &str, value: u8| {
            vec![line(format!("{s}.{member} = {value};")), assertion(&format!("{s}.{member} == {value}"))]
        };
        if other == "c" && self.random.chance(60) {
            return vec![role(&[], change("a", first)), role(&[], change("c", second))];
        }
        let one = self.protect(&lock, 0, change("a", first));
        let two = self.protect(&lock, 0, change(other, second));
        vec![role(&[], one), role(&[], two)]
    }

    /// A struct is copied: as a whole if it is atomic or locked, otherwise member by member.
    fn copied(&mut self) -> Vec<Role> {
        let is_atomic = self.random.chance(40);
        let s = self.opaque(if is_atomic { "_Atomic struct pair" } else { "struct pair" }, "s");
        let value = self.constant();
        let fill = match self.random.below(3) {
            0 => vec![line(format!("{s} = (struct pair){{ {value}, {value} }};"))],
            1 => vec![line(format!("q.a = {value};")), line("q.b = q.a;"), line(format!("{s} = q;"))],
            _ => vec![line("k = __VERIFIER_nondet_bool();"), line(format!("{s} = (struct pair){{ k, k }};"))],
        };
        let read = vec![line(format!("q = {s};")), assertion("q.a == q.b")];
        let locals = [("struct pair", "q")];
        if is_atomic {
            return vec![role(&locals, fill), role(&locals, read)];
        }
        let lock = self.lock();
        let (fill, read) = (self.protect(&lock, 0, fill), self.protect(&lock, 1, read));
        vec![role(&locals, fill), role(&locals, read)]
    }

    /// A number as wide as a word of the machine is read and written at once; one that is written in halves is not.
    fn wide(&mut self) -> Vec<Role> {
        let w = self.opaque("unsigned long", "w");
        let value = self.constant();
        let writer = match self.random.below(3) {
            0 => vec![line(format!("{w} = {value} * 0x100000001ul;"))],
            1 => vec![line(format!("u = {value} * 0x100000001ul;")), line(format!("{w} = u;"))],
            _ => {
                let body = vec![
                    line(format!("((unsigned *)&{w})[0] = {value};")),
                    line(format!("((unsigned *)&{w})[1] = {value};")),
                ];
                let lock = self.lock();
                let writer = self.protect(&lock, 0, body);
                let check = vec![line(format!("u = {w};")), assertion("u >> 32 == (u & 0xffffffff)")];
                let reader = self.protect(&lock, 1, check);
                let locals = [("unsigned long", "u")];
                return vec![role(&locals, writer), role(&locals, reader)];
            }
        };
        let reader = vec![line(format!("u = {w};")), assertion("u >> 32 == (u & 0xffffffff)")];
        let locals = [("unsigned long", "u")];
        vec![role(&locals, writer), role(&locals, reader)]
    }

    /// What a pointer points to is ready when the pointer is there.
    fn handed_over(&mut self) -> Vec<Role> {
        let (data, p) = (self.number("data", 0), self.name("p"));
        let ty = self.globals.iter().find(|global| global.name == data).map(|global| global.ty.clone());
        let ty = format!("{} *", ty.unwrap_or_default());
        self.globals.push(Declaration { ty, name: p.clone(), value: None });
        let value = self.constant();
        let giver = vec![line(format!("{data} = {value};")), line(format!("{p} = &{data};"))];
        let check = assertion(&format!("*{p} == {value}"));
        let taker = match self.random.below(2) {
            0 => vec![Statement::block(format!("if ({p})"), vec![check])],
            _ => vec![Statement::block(format!("if ({p} == &{data})"), vec![check])],
        };
        vec![role(&[], giver), role(&[], taker)]
    }

    /// The library prepares something once, and nobody goes on before it is done.
    fn prepared_once(&mut self) -> Vec<Role> {
        let (o, data) = (self.opaque("pthread_once_t", "o"), self.number("data", 0));
        let (function, value) = (self.name("prepare"), self.constant());
        let check =
            if self.random.chance(50) { format!("    assert({data} == 0);\n") } else { String::new() };
        let twice = if self.random.chance(30) { format!("    {data} = 0;\n") } else { String::new() };
        self.helpers
            .push_str(&format!("void {function}(void) {{\n{check}{twice}    {data} = {value};\n}}\n"));
        let body =
            vec![line(format!("pthread_once(&{o}, {function});")), assertion(&format!("{data} == {value}"))];
        vec![role(&[], body)]
    }

    /// Two threads meet; what one of them did before is there for the other.
    fn met_at_barrier(&mut self) -> Vec<Role> {
        self.is_once = true;
        let (b, x, value) = (self.opaque("pthread_barrier_t", "b"), self.number("x", 0), self.constant());
        self.before.push(line(format!("pthread_barrier_init(&{b}, 0, 2);")));
        let wait = line(format!("pthread_barrier_wait(&{b});"));
        let mut first = vec![line(format!("{x} = {value};")), wait.clone()];
        let second = vec![wait.clone(), assertion(&format!("{x} == {value}"))];
        if self.random.chance(40) {
            // After the second time, it may be something else.
            first.extend([wait.clone(), line(format!("{x} = 0;"))]);
            let second = [second, vec![wait]].concat();
            return vec![role(&[], first), role(&[], second)];
        }
        vec![role(&[], first), role(&[], second)]
    }
}
