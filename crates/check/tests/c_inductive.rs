//! Invariants made by hand for small C programs: accepted, and what is accepted after a mutation is still right.

#[path = "../../explore/tests/common/mod.rs"]
mod common;
mod judge;

use common::{Builder, naive};
use judge::{describes, with_expressions};
use throng_base::Budget;
use throng_c_front::lower::{Options, read_text};
use throng_c_front::preprocess::Preprocessing;
use throng_cfa::flow::*;
use throng_cfa::invariant::{Element, Invariant, Literal, Of, Party, PredicateId, Predicates};
use throng_check::c::check_invariant;

const THREADS: &str = "typedef unsigned long pthread_t; typedef struct { int k; } pthread_mutex_t; \
    int pthread_create(pthread_t *, void *, void *(*)(void *), void *); int pthread_join(pthread_t, void **); \
    int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *); void abort(void); \
    void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); void __VERIFIER_assume(int); \
    void reach_error(void); ";

/// A program with an invariant under construction.
struct Proof {
    program: Program,
    invariant: Invariant,
}

impl Proof {
    fn of(program: Program) -> Self {
        let predicates = Predicates::new(program.expressions.clone());
        Self { program, invariant: Invariant { counts: Vec::new(), predicates, elements: Vec::new() } }
    }

    fn c(text: &str) -> Self {
        let text = format!("{THREADS}{text}");
        match read_text("a.c", &text, &Preprocessing::default(), &Options::default()) {
            Ok((program, _)) => Self::of(program),
            Err(errors) => panic!("{}", errors.iter().map(|error| format!("{error}\n")).collect::<String>()),
        }
    }

    fn variable(&self, name: &str) -> VariableId {
        let mut ids = VariableId::all(self.program.variables.len());
        ids.find(|&id| self.program.variable(id).name == name)
            .unwrap_or_else(|| panic!("{}", self.program.text()))
    }

    fn get(&mut self, name: &str) -> ExpressionId {
        let id = self.variable(name);
        self.invariant.predicates.expressions.variable(id, self.program.variable(id).bits)
    }

    fn passive(&mut self, name: &str) -> ExpressionId {
        let id = self.variable(name);
        let bits = self.program.variable(id).bits;
        self.invariant.predicates.expressions.insert(Expression::Passive(id), bits)
    }

    fn number(&mut self, value: u128, bits: u32) -> ExpressionId {
        self.invariant.predicates.expressions.constant(value, bits)
    }

    fn e(&mut self) -> &mut Expressions {
        &mut self.invariant.predicates.expressions
    }

    /// Where a statement is next.
    fn from(&self, text: &str) -> LocationId {
        self.edge(text).from
    }

    /// Where a statement leads to.
    fn to(&self, text: &str) -> LocationId {
        self.edge(text).to
    }

    fn edge(&self, text: &str) -> &Edge {
        let mut edges = self.program.edges.iter();
        let found = edges.find(|edge| self.program.site(edge.site).text == text);
        found.unwrap_or_else(|| panic!("no `{text}` in\n{}", self.sites()))
    }

    fn sites(&self) -> String {
        let edge =
            |edge: &Edge| format!("{:?} {:?} {}\n", edge.from, edge.to, self.program.site(edge.site).text);
        self.program.edges.iter().map(edge).collect()
    }

    fn template(&self, name: &str) -> TemplateId {
        let mut all = TemplateId::all(self.program.templates.len());
        all.find(|id| self.program.templates[id.index()].name == name).expect("the template is there")
    }

    /// The locations of a template that are no errors.
    fn locations(&self, template: TemplateId) -> Vec<LocationId> {
        let is_fine = |at: &LocationId| {
            let location = self.program.location(*at);
            location.template == template && !matches!(location.kind, LocationKind::Error(_))
        };
        LocationId::all(self.program.locations.len()).filter(is_fine).collect()
    }

    fn predicate(
        &mut self,
        expression: ExpressionId,
        active: Option<TemplateId>,
        passive: Option<(TemplateId, &[LocationId])>,
    ) -> PredicateId {
        let passive = passive.map(|(template, scope)| Party { template, scope: scope.to_vec() });
        self.invariant.predicates.insert(throng_cfa::invariant::Predicate { expression, active, passive })
    }

    fn never(&mut self, threads: &[LocationId], literals: &[(PredicateId, Of, bool)]) {
        self.never_when(None, threads, literals);
    }

    fn never_when(
        &mut self,
        atomic: Option<bool>,
        threads: &[LocationId],
        literals: &[(PredicateId, Of, bool)],
    ) {
        let literals = literals.iter().map(|&(predicate, of, value)| Literal { predicate, of, value });
        let element = Element { atomic, threads: threads.to_vec(), literals: literals.collect() };
        self.invariant.elements.push(element);
    }

    fn accepted(&self) {
        if let Err(rejection) = check_invariant(&self.program, &self.invariant, &Budget::unlimited()) {
            panic!("{rejection}\n{}", self.program.text());
        }
    }

    /// Whether few threads reach a state that is described, or an error.
    fn is_wrong(&self, invariant: &Invariant) -> bool {
        let mut program = with_expressions(&self.program, &invariant.predicates);
        // Fewer states than there are: arbitrary values of many bits cannot all be tried.
        for variable in program.variables.iter_mut().filter(|variable| variable.bits > 2) {
            variable.initial.get_or_insert_with(|| vec![0; variable.length as usize]);
        }
        for nondet in &mut program.nondets {
            nondet.bits = nondet.bits.min(2);
        }
        let found = naive::reaches(&program, 3, 4_000, |state| {
            let is_error = |thread: &naive::Thread| {
                matches!(program.location(thread.location).kind, LocationKind::Error(_))
            };
            state.threads.iter().any(is_error)
                || invariant
                    .elements
                    .iter()
                    .any(|element| describes(&program, &invariant.predicates, element, state))
        });
        found == Some(true)
    }

    /// The invariant is accepted; every mutation that makes it wrong is rejected; and, if it is minimal, it is rejected
    /// without any one of its elements.
    fn stands(&self, is_minimal: bool) {
        self.accepted();
        assert!(!self.is_wrong(&self.invariant));
        let accepts =
            |invariant: &Invariant| check_invariant(&self.program, invariant, &Budget::unlimited()).is_ok();
        let n_elements = self.invariant.elements.len();
        let mut mutants: Vec<Invariant> = Vec::new();
        let mut mutant = |change: &dyn Fn(&mut Invariant)| {
            let mut mutant = self.invariant.clone();
            change(&mut mutant);
            mutants.push(mutant);
        };
        for index in 0..n_elements {
            let element = &self.invariant.elements[index];
            for literal in 0..element.literals.len() {
                mutant(&|m| m.elements[index].literals[literal].value ^= true);
                mutant(&|m| {
                    m.elements[index].literals.remove(literal);
                });
            }
            for thread in 0..element.threads.len() {
                let at = element.threads[thread];
                let others = self.locations(self.program.location(at).template);
                if let Some(&other) = others.iter().find(|&&other| other > at).or(others.first()) {
                    mutant(&|m| m.elements[index].threads[thread] = other);
                }
            }
            mutant(&|m| m.elements[index].atomic = None);
            let mut without = self.invariant.clone();
            without.elements.remove(index);
            let is_kept = accepts(&without);
            assert!(!(is_minimal && is_kept), "accepted without element {index}");
            assert!(!is_kept || !self.is_wrong(&without));
        }
        let mut n_rejected = 0;
        for mutant in &mutants {
            if !accepts(mutant) {
                n_rejected += 1;
            } else {
                assert!(!self.is_wrong(mutant), "a mutant is accepted that is wrong: {:#?}", mutant.elements);
            }
        }
        assert!(n_rejected > 0, "some mutant is wrong");
    }
}

#[test]
fn a_counter_under_a_mutex() {
    let mut p = Proof::c(
        "pthread_mutex_t m; unsigned char value; \
         void *worker(void *arg) { unsigned char v = 0; pthread_mutex_lock(&m); v = value; value = v + 1; \
           if (value != (unsigned char)(v + 1)) reach_error(); pthread_mutex_unlock(&m); return arg; } \
         int main(void) { pthread_t t; while (1) pthread_create(&t, 0, worker, 0); }",
    );
    let worker = p.template("worker");
    let inside: Vec<LocationId> = {
        let held = [p.to("pthread_mutex_lock(&m)"), p.to("v = value"), p.to("value = v + 1")];
        let mut all = held.to_vec();
        all.push(p.from("pthread_mutex_unlock(&m)"));
        all.sort();
        all.dedup();
        all
    };
    let held = p.get("m");
    let held = p.predicate(held, None, None);
    for (index, &a) in inside.iter().enumerate() {
        for &b in &inside[index..] {
            p.never(&[a, b], &[]);
        }
        p.never(&[a], &[(held, Of::State, false)]);
    }
    let (v, value) = (p.get("v"), p.get("value"));
    let read = p.e().equal(v, value);
    let read = p.predicate(read, Some(worker), None);
    let one = p.number(1, 8);
    let more = p.e().add(v, one);
    let written = p.e().equal(value, more);
    let written = p.predicate(written, Some(worker), None);
    let (after_read, after_write) = (p.from("value = v + 1"), p.to("value = v + 1"));
    p.never(&[after_read], &[(read, Of::Thread(0), false)]);
    p.never(&[after_write], &[(written, Of::Thread(0), false)]);
    p.stands(false);
}

/// The ticket lock with predicates about all threads: tickets differ, are less than the next free one, and who is inside
/// has the one that is served.
#[test]
fn the_ticket_lock() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/ticket.c");
    let read = throng_c_front::lower::read(&[path], &Preprocessing::default(), &Options::default());
    let mut p = Proof::of(read.expect("the program is read").0);
    let thread = p.template("thread");
    let by_text = p.program.text();
    // The ticket is in three variables, one after the other: m of the function, its result, m of the caller.
    let m3 = VariableId::new(3);
    assert_eq!(p.program.variable(m3).name, "m", "{by_text}");
    let result = p.variable("__VERIFIER_atomic_take_ticket()");
    let m5 = VariableId::new(5);
    assert_eq!(p.program.variable(m5).name, "m", "{by_text}");
    let l = |number: usize| LocationId::new(number);
    let holders: [(VariableId, Vec<LocationId>); 3] =
        [(m3, vec![l(4)]), (result, vec![l(5)]), (m5, [6, 7, 8, 10, 11, 12].map(l).to_vec())];
    let critical = [7, 8, 10, 11, 12].map(l);
    let (t, s) = (p.get("lock.t"), p.get("lock.s"));
    for (a, places) in &holders {
        let mine = p.e().variable(*a, 32);
        for (b, scope) in &holders {
            let theirs = p.e().insert(Expression::Passive(*b), 32);
            let equal = p.e().equal(mine, theirs);
            let differ = p.e().not(equal);
            let differ = p.predicate(differ, Some(thread), Some((thread, scope)));
            for &at in places {
                p.never(&[at], &[(differ, Of::Thread(0), false)]);
            }
        }
        let theirs = p.e().insert(Expression::Passive(*a), 32);
        let less = p.e().binary(BinaryOperator::UnsignedLess, theirs, t);
        let less = p.predicate(less, None, Some((thread, places)));
        p.never(&[], &[(less, Of::State, false)]);
    }
    let taken = p.e().variable(m3, 32);
    let is_next = p.e().equal(taken, t);
    let is_next = p.predicate(is_next, Some(thread), None);
    let max = p.number(u128::from(u32::MAX), 32);
    let is_max = p.e().equal(taken, max);
    let is_max = p.predicate(is_max, Some(thread), None);
    p.never(&[l(2)], &[(is_next, Of::Thread(0), false)]);
    p.never(&[l(3)], &[(is_next, Of::Thread(0), false)]);
    p.never(&[l(3)], &[(is_max, Of::Thread(0), true)]);
    // Who is inside is served, said about each and about all.
    let theirs = p.e().insert(Expression::Passive(m5), 32);
    let served = p.e().equal(theirs, s);
    let served = p.predicate(served, None, Some((thread, &critical)));
    p.never(&[], &[(served, Of::State, false)]);
    let mine = p.e().variable(m5, 32);
    let own = p.e().equal(mine, s);
    let own = p.predicate(own, Some(thread), None);
    for at in critical {
        p.never(&[at], &[(own, Of::Thread(0), false)]);
    }
    // `inside` is set only while somebody is between both assignments.
    let inside = p.get("inside");
    let inside = p.e().is_nonzero(inside);
    let inside = p.predicate(inside, None, None);
    let falsity = p.e().truth(false);
    let nobody = p.predicate(falsity, None, Some((thread, &[l(10)])));
    p.never(&[], &[(inside, Of::State, true), (nobody, Of::State, true)]);
    p.stands(false);
}

#[test]
fn a_broadcast_to_all_others() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/cv-var.c");
    let read = throng_c_front::lower::read(&[path], &Preprocessing::default(), &Options::default());
    let program = read.expect("the program is read").0;
    // About each thread.
    let mut p = Proof::of(program.clone());
    let thread = p.template("thread");
    let (told, s) = (p.get("told"), p.get("s"));
    let told = p.predicate(told, Some(thread), None);
    let s = p.predicate(s, None, None);
    let before = p.from("told = 1");
    p.never(&[before], &[(s, Of::State, false)]);
    for at in p.locations(thread) {
        p.never(&[at], &[(told, Of::Thread(0), true), (s, Of::State, false)]);
    }
    p.stands(false);
    // About all.
    let mut p = Proof::of(program);
    let (told, s) = (p.passive("told"), p.get("s"));
    let not_told = p.e().not(told);
    let fine = p.e().or(not_told, s);
    let everywhere = p.locations(thread);
    let fine = p.predicate(fine, None, Some((thread, &everywhere)));
    let s = p.predicate(s, None, None);
    p.never(&[], &[(fine, Of::State, false)]);
    p.never(&[before], &[(s, Of::State, false)]);
    p.stands(true);
}

#[test]
fn an_argument() {
    let mut p = Proof::c(
        "int x; void *worker(void *arg) { if (arg == 0) reach_error(); return arg; } \
         int main(void) { pthread_t t; while (1) pthread_create(&t, 0, worker, (void *)&x); }",
    );
    let worker = p.template("worker");
    let arg = p.get("arg");
    let given = p.e().is_nonzero(arg);
    let given = p.predicate(given, Some(worker), None);
    let entry = p.program.templates[worker.index()].entry;
    p.never(&[entry], &[(given, Of::Thread(0), false)]);
    p.stands(true);
}

#[test]
fn an_atomic_section() {
    let mut p = Proof::c(
        "int x; void *worker(void *arg) { __VERIFIER_atomic_begin(); x = 1; x = 0; __VERIFIER_atomic_end(); \
           if (x != 0) reach_error(); return arg; } \
         int main(void) { pthread_t t; while (1) pthread_create(&t, 0, worker, 0); }",
    );
    let x = p.get("x");
    let set = p.e().is_nonzero(x);
    let set = p.predicate(set, None, None);
    p.never_when(Some(false), &[], &[(set, Of::State, true)]);
    // The section may end with its last assignment or with a step of its own.
    let last = p.to("x = 0");
    if p.program.location(last).is_atomic {
        p.never(&[last], &[(set, Of::State, true)]);
    }
    p.stands(true);
}

/// `main` starts threads, and then signals once: one thread is woken, if there is any.
fn signal(is_broadcast: bool) -> Program {
    let mut b = Builder::new();
    let (main, start) = b.template();
    let signalled = b.end(main);
    let (worker, _) = b.template();
    let woken = b.local(worker, 1);
    let passive = b.program.expressions.insert(Expression::Passive(woken), 1);
    let (guard, one) = (b.not(passive), b.constant(1, 1));
    let update = vec![PassiveUpdate { template: worker, guard, assignments: vec![(woken, one)] }];
    let effect = if is_broadcast { Effect::Broadcast(update) } else { Effect::Signal(update) };
    let spawn = Effect::Spawn { template: worker, arguments: Vec::new() };
    b.edge(start, start, None, &[], Some(spawn));
    b.edge(start, signalled, None, &[], Some(effect));
    b.finish()
}

#[test]
fn a_signal_wakes_one_thread() {
    for is_broadcast in [false, true] {
        let mut p = Proof::of(signal(is_broadcast));
        let (start, signalled) = (LocationId::new(0), LocationId::new(1));
        let worker = TemplateId::new(1);
        let entry = p.program.templates[1].entry;
        let woken = VariableId::new(0);
        let mine = p.e().variable(woken, 1);
        let mine = p.predicate(mine, Some(worker), None);
        p.never(&[entry, start], &[(mine, Of::Thread(0), true)]);
        p.never(&[entry, entry], &[(mine, Of::Thread(0), true), (mine, Of::Thread(1), true)]);
        if is_broadcast {
            assert!(p.is_wrong(&p.invariant));
            let rejection =
                check_invariant(&p.program, &p.invariant, &Budget::unlimited()).expect_err("both wake");
            assert_eq!(rejection.place, "element 1", "{rejection}");
        } else {
            p.stands(false);
        }
        // It is not lost: then it is not so that there are threads and all of them still sleep.
        let mut p = Proof::of(signal(is_broadcast));
        let theirs = p.e().insert(Expression::Passive(woken), 1);
        let sleeps = p.e().not(theirs);
        let all_sleep = p.predicate(sleeps, None, Some((worker, &[entry])));
        let falsity = p.e().truth(false);
        let nobody = p.predicate(falsity, None, Some((worker, &[entry])));
        p.never(&[signalled], &[(all_sleep, Of::State, true), (nobody, Of::State, false)]);
        p.never(&[start], &[(all_sleep, Of::State, false)]);
        p.stands(false);
    }
}

#[test]
fn what_has_no_meaning_is_refused() {
    let mut p = Proof::c("int x; int main(void) { x = 1; if (x != 1) reach_error(); }");
    let x = p.get("x");
    p.predicate(x, None, None);
    let rejection = check_invariant(&p.program, &p.invariant, &Budget::unlimited()).expect_err("32 bits");
    assert_eq!(rejection.place, "predicate 0");
    let mut p = Proof::c("int x; int main(void) { int y = 1; x = y; if (x != 1) reach_error(); }");
    let (x, y) = (p.get("x"), p.get("y"));
    let equal = p.e().equal(x, y);
    let shared = p.predicate(equal, None, None);
    assert!(check_invariant(&p.program, &p.invariant, &Budget::unlimited()).is_err(), "`y` is not shared");
    p.invariant.predicates.list.clear();
    let entry = p.program.templates[0].entry;
    p.never(&[entry], &[(shared, Of::State, true)]);
    let rejection =
        check_invariant(&p.program, &p.invariant, &Budget::unlimited()).expect_err("no predicate");
    assert_eq!(rejection.place, "element 0");
    p.invariant.elements[0] = Element { threads: vec![LocationId::new(1000)], ..Element::default() };
    assert!(check_invariant(&p.program, &p.invariant, &Budget::unlimited()).is_err());
}

#[test]
#[ignore = "checks nothing more than others, it prints how long large invariants take: run it by hand, in release"]
fn many_elements() {
    for n in [20, 60] {
        let body: String = (0..n).map(|k| format!("v{k} = value; value = v{k} + 1; ")).collect();
        let declared: String = (0..n).map(|k| format!("unsigned v{k} = 0; ")).collect();
        let mut p = Proof::c(&format!(
            "pthread_mutex_t m; unsigned value; \
             void *worker(void *arg) {{ {declared} pthread_mutex_lock(&m); {body} \
               if (value != v{} + 1) reach_error(); pthread_mutex_unlock(&m); return arg; }} \
             int main(void) {{ pthread_t t; while (1) pthread_create(&t, 0, worker, 0); }}",
            n - 1
        ));
        let worker = p.template("worker");
        let mut inside = vec![p.to("pthread_mutex_lock(&m)"), p.from("pthread_mutex_unlock(&m)")];
        for k in 0..n {
            inside.push(p.to(&format!("v{k} = value")));
            inside.push(p.to(&format!("value = v{k} + 1")));
        }
        inside.sort();
        inside.dedup();
        let held = p.get("m");
        let held = p.predicate(held, None, None);
        let falsity = p.e().truth(false);
        let alone = p.predicate(falsity, Some(worker), Some((worker, &inside)));
        for &a in &inside {
            for &b in inside.iter().filter(|&&b| b >= a) {
                p.never(&[a, b], &[(held, Of::State, true)]);
            }
            p.never(&[a], &[(held, Of::State, false)]);
        }
        for k in 0..n {
            let (v, value) = (p.get(&format!("v{k}")), p.get("value"));
            let read = p.e().equal(v, value);
            let read = p.predicate(read, Some(worker), None);
            let one = p.number(1, 32);
            let more = p.e().add(v, one);
            let written = p.e().equal(value, more);
            let written = p.predicate(written, Some(worker), None);
            let (after_read, after_write) =
                (p.to(&format!("v{k} = value")), p.to(&format!("value = v{k} + 1")));
            p.never(&[after_read], &[(read, Of::Thread(0), false)]);
            p.never(&[after_write], &[(written, Of::Thread(0), false)]);
        }
        let start = std::time::Instant::now();
        p.accepted();
        println!(
            "{} elements, {} edges: {:?}",
            p.invariant.elements.len(),
            p.program.edges.len(),
            start.elapsed()
        );
        for &a in &inside {
            p.never(&[a], &[(alone, Of::Thread(0), false)]);
        }
        let start = std::time::Instant::now();
        p.accepted();
        println!("with for all: {:?}", start.elapsed());
    }
}
