//! What programs use of the library and of the compiler's built-in functions: more kinds of locks, and idioms that need them.
//! See `idioms`.

use super::idioms::{assertion, role};
use super::maker::{Lock, Maker, Role, declaration, line};
use super::syntax::{Declaration, Statement};
use crate::choices::Choices;

/// A lock that is taken and given back by a line each.
fn lines(take: String, give: String) -> Lock {
    Lock::Calls(vec![line(take)], vec![line(give)])
}

/// A lock that is waited for in a loop.
fn spins(head: String, body: Vec<Statement>, give: String) -> Lock {
    Lock::Calls(vec![Statement::block(head, body)], vec![line(give)])
}

impl Maker {
    /// A lock of the library, in one of the ways that programs hold them, or one made of built-in functions.
    pub(super) fn library_lock(&mut self) -> Lock {
        match self.random.below(12) {
            8..=11 => self.lock_in_object(),
            0 => {
                let s = self.opaque("sem_t", "sem");
                self.before.push(line(format!("sem_init(&{s}, 0, 1);")));
                lines(format!("sem_wait(&{s});"), format!("sem_post(&{s});"))
            }
            1 => {
                let s = self.opaque("pthread_spinlock_t", "sl");
                self.before.push(line(format!("pthread_spin_init(&{s}, 0);")));
                lines(format!("pthread_spin_lock(&{s});"), format!("pthread_spin_unlock(&{s});"))
            }
            2 => {
                let b = self.global("unsigned char", "xl", 0);
                let give = format!("__atomic_store_n(&{b}, 0, 5);");
                spins(format!("while (__atomic_exchange_n(&{b}, 1, 5))"), Vec::new(), give)
            }
            3 => {
                let b = self.global("unsigned char", "tl", 0);
                let give = format!("__sync_lock_release(&{b});");
                spins(format!("while (__sync_lock_test_and_set(&{b}, 1))"), Vec::new(), give)
            }
            4 => {
                let b = self.global("unsigned char", "cl", 0);
                let head = format!("while (!__atomic_compare_exchange_n(&{b}, &k, 1, 0, 5, 5))");
                spins(head, vec![line("k = 0;")], format!("__atomic_fetch_and(&{b}, 0, 5);"))
            }
            5 => {
                let (m, p) = (self.opaque("pthread_mutex_t", "m"), self.opaque("pthread_mutex_t *", "p"));
                self.before.push(line(format!("{p} = &{m};")));
                lines(format!("pthread_mutex_lock({p});"), format!("pthread_mutex_unlock(&{m});"))
            }
            6 => {
                // A lock that is made new each time is none.
                let m = self.opaque("pthread_mutex_t", "m");
                let mut take = vec![line(format!("pthread_mutex_lock(&{m});"))];
                if self.random.chance(30) {
                    take.insert(0, line(format!("pthread_mutex_init(&{m}, 0);")));
                }
                Lock::Calls(take, vec![line(format!("pthread_mutex_unlock(&{m});"))])
            }
            _ => {
                let name = self.name("ms");
                let (ty, array) = ("pthread_mutex_t".to_owned(), format!("{name}[2]"));
                self.globals.push(Declaration { ty, name: array, value: None });
                let at = self.random.below(2);
                lines(
                    format!("pthread_mutex_lock(&{name}[{at}]);"),
                    format!("pthread_mutex_unlock(&{name}[{at}]);"),
                )
            }
        }
    }

    /// A lock that is a member, is found through a pointer to its struct, has a computed index, or is tried.
    fn lock_in_object(&mut self) -> Lock {
        let both = |name: &str| {
            lines(format!("pthread_mutex_lock({name});"), format!("pthread_mutex_unlock({name});"))
        };
        match self.random.below(4) {
            0 => {
                let g = self.opaque("struct guarded", "g");
                both(&format!("&{g}.lock"))
            }
            1 => {
                let (g, p) = (self.opaque("struct guarded", "g"), self.opaque("struct guarded *", "gp"));
                self.before.push(line(format!("{p} = &{g};")));
                lines(format!("pthread_mutex_lock(&{p}->lock);"), format!("pthread_mutex_unlock(&{g}.lock);"))
            }
            2 => {
                // Who has another number has another lock.
                let name = self.name("ms");
                let (ty, array) = ("pthread_mutex_t".to_owned(), format!("{name}[2]"));
                self.globals.push(Declaration { ty, name: array, value: None });
                let mut take = vec![line("k = 1;"), line(format!("pthread_mutex_lock(&{name}[k]);"))];
                if self.random.chance(20) {
                    take[0] = line("k = __VERIFIER_nondet_bool();");
                }
                // The number may be something else in between.
                let give = vec![line(format!("pthread_mutex_unlock(&{name}[1]);"))];
                Lock::Calls(take, give)
            }
            _ => {
                let rw = self.opaque("pthread_rwlock_t", "rw");
                let head = format!("while (pthread_rwlock_trywrlock(&{rw}) != 0)");
                spins(head, Vec::new(), format!("pthread_rwlock_unlock(&{rw});"))
            }
        }
    }

    /// Who comes first, by an operation that says what was there before.
    pub(super) fn first(&mut self) -> Vec<Role> {
        let (n, inside) = (self.global("unsigned char", "n", 0), self.number("inside", 0));
        let is_first = match self.random.below(4) {
            0 => format!("(__atomic_fetch_or(&{n}, 1, 5) & 1) == 0"),
            1 => format!("__sync_val_compare_and_swap(&{n}, 0, 1) == 0"),
            2 => format!("__atomic_exchange_n(&{n}, 1, 5) == 0"),
            _ => format!("!__sync_lock_test_and_set(&{n}, 1)"),
        };
        let body = vec![
            assertion(&format!("{inside} == 0")),
            line(format!("{inside} = {};", self.constant())),
            line(format!("k = __atomic_load_n(&{n}, 5);")),
            assertion("k == 1"),
        ];
        vec![role(&[], vec![Statement::block(format!("if ({is_first})"), body)])]
    }

    /// A semaphore tells that something is there.
    pub(super) fn posted(&mut self) -> Vec<Role> {
        let (s, data, value) = (self.opaque("sem_t", "sem"), self.number("data", 0), self.constant());
        self.before.push(line(format!("sem_init(&{s}, 0, 0);")));
        let producer = vec![line(format!("{data} = {value};")), line(format!("sem_post(&{s});"))];
        let check = assertion(&format!("{data} == {value}"));
        let consumer = match self.random.chance(50) {
            true => vec![line(format!("sem_wait(&{s});")), check],
            false => vec![Statement::block(format!("if (sem_trywait(&{s}) == 0)"), vec![check])],
        };
        vec![role(&[], producer), role(&[], consumer)]
    }

    /// The first thread waits for another one to end before it starts more.
    pub(super) fn joined(&mut self) -> Vec<Role> {
        self.arguments.clear();
        self.needs_library = true;
        let (data, value) = (self.number("data", 0), self.constant());
        self.before.push(line("pthread_create(&id, 0, f0, 0);"));
        if self.random.chance(80) {
            self.before.push(line("pthread_join(id, 0);"));
        }
        let first = vec![line(format!("{data} = {value};"))];
        let later = vec![assertion(&format!("{data} == {value}"))];
        vec![role(&[], first), role(&[], later)]
    }

    /// What each thread has for itself, though it is declared for all.
    pub(super) fn thread_local(&mut self) -> Vec<Role> {
        let ty = if self.random.chance(85) { "__thread unsigned char" } else { "unsigned char" };
        let own = self.name("own");
        let initial = self.random.below(3) as u8;
        self.globals.push(declaration(ty, &own, initial));
        let mut body = vec![
            assertion(&format!("{own} == {initial}")),
            line(format!("{own} = {own} + 1;")),
            assertion(&format!("{own} == {}", initial + 1)),
        ];
        if self.random.chance(30) {
            body.push(line(format!("{own} = {initial};")));
        }
        vec![role(&[], body)]
    }
}
