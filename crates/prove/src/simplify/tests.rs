//! On a program whose variables are single bits, so that all states can be tried.

use super::*;
use throng_c_front::lower::{Options, read_text};
use throng_c_front::preprocess::Preprocessing;
use throng_cfa::flow::LocationKind;
use throng_cfa::invariant::read_predicates;

const TEXT: &str = "typedef unsigned long pthread_t;
int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
void reach_error(void);
_Bool a, b;
void *worker(void *p) {
    _Bool c = a;
    b = c;
    a = c & b;
    if (a && !c) reach_error();
    return p;
}
int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
";

/// Two about the state, two about a thread, and one about all others.
const PREDICATES: &str = "a == 0\na == b\nworker: c == a\nworker: c == 0\nworker: c == c$\n";
const A_IS_0: usize = 0;
const A_IS_B: usize = 1;
const C_IS_A: usize = 2;
const C_IS_0: usize = 3;
const ALL_AGREE: usize = 4;

fn program() -> Program {
    let read = read_text("a.c", TEXT, &Preprocessing::default(), &Options::default());
    read.expect("the program is read").0
}

fn invariant(program: &Program, elements: Vec<Element>) -> Invariant {
    let mut predicates = Predicates::new(program.expressions.clone());
    read_predicates(program, "p.txt", PREDICATES, &mut predicates).expect("the predicates are right");
    Invariant { counts: Vec::new(), predicates, elements }
}

/// Two inner locations of the worker.
fn places(program: &Program) -> [LocationId; 2] {
    let is_place = |id: &LocationId| {
        let location = program.location(*id);
        location.kind == LocationKind::Inner && location.template != program.main
    };
    let all: Vec<LocationId> = LocationId::all(program.locations.len()).filter(is_place).collect();
    [all[1], all[2]]
}

fn literal(predicate: usize, value: bool) -> Literal {
    let of = if predicate < C_IS_A { Of::State } else { Of::Thread(0) };
    Literal { predicate: PredicateId::new(predicate), of, value }
}

fn element(threads: &[LocationId], literals: &[(usize, bool)]) -> Element {
    let literals = literals.iter().map(|&(predicate, value)| literal(predicate, value)).collect();
    Element { atomic: None, threads: threads.to_vec(), literals }
}

fn simplified(elements: Vec<Element>) -> Vec<Element> {
    let program = program();
    let mut simple = simplify(&program, invariant(&program, elements), &Budget::unlimited()).elements;
    simple.sort_unstable();
    simple
}

#[test]
fn cases_that_are_alike_become_one() {
    let [here, _] = places(&program());
    let cases = [(A_IS_0, true), (A_IS_0, false)];
    let elements = cases.map(|case| element(&[here], &[case, (C_IS_A, false), (ALL_AGREE, false)]));
    assert_eq!(simplified(elements.to_vec()), [element(&[here], &[(C_IS_A, false), (ALL_AGREE, false)])]);
}

#[test]
fn cases_about_all_others_become_one() {
    let [here, _] = places(&program());
    let cases = [(ALL_AGREE, false), (ALL_AGREE, true)];
    let elements = cases.map(|case| element(&[here], &[(C_IS_A, false), case])).to_vec();
    assert_eq!(simplified(elements), [element(&[here], &[(C_IS_A, false)])]);
}

#[test]
fn what_follows_from_the_rest_goes() {
    let [here, _] = places(&program());
    // If a = 0 and c = 0, then c = a.
    let wordy = element(&[here], &[(A_IS_0, true), (C_IS_A, true), (C_IS_0, true)]);
    let simple = simplified(vec![wordy]);
    assert_eq!(simple.len(), 1);
    assert_eq!(simple[0].literals.len(), 2, "{simple:?}");
    // What is never the case need not be said.
    let never = element(&[here], &[(A_IS_0, true), (C_IS_A, false), (C_IS_0, true)]);
    assert_eq!(simplified(vec![never]), []);
}

#[test]
fn what_others_exclude_goes() {
    let [here, there] = places(&program());
    let always = element(&[], &[(A_IS_0, false)]);
    let thread = element(&[here], &[(A_IS_0, false), (C_IS_A, false), (ALL_AGREE, true)]);
    assert_eq!(simplified(vec![always.clone(), thread]), std::slice::from_ref(&always));
    let more = element(&[there], &[(A_IS_0, true), (C_IS_0, false)]);
    let less = element(&[there], &[(C_IS_0, false)]);
    assert_eq!(simplified(vec![always.clone(), more]), [always, less]);
}

/// A state: the values of a and b, and where two threads are, with their values of c.
struct Trial {
    shared: [bool; 2],
    threads: [(LocationId, bool); 2],
}

impl Trial {
    fn holds(&self, literal: &Literal, threads: &[usize]) -> bool {
        let [a, b] = self.shared;
        let c = |thread: usize| self.threads[threads[thread]].1;
        let truth = match (literal.predicate.index(), literal.of) {
            (A_IS_0, _) => !a,
            (A_IS_B, _) => a == b,
            (C_IS_A, Of::Thread(thread)) => c(thread) == a,
            (C_IS_0, Of::Thread(thread)) => !c(thread),
            (_, Of::Thread(thread)) => self.threads.iter().all(|other| other.1 == c(thread)),
            _ => unreachable!("it is about a thread"),
        };
        truth == literal.value
    }

    /// Whether some element describes it.
    fn is_described(&self, elements: &[Element]) -> bool {
        let all: [&[usize]; 5] = [&[], &[0], &[1], &[0, 1], &[1, 0]];
        elements.iter().any(|element| {
            all.iter().any(|threads| {
                let stand = threads.iter().map(|&it| self.threads[it].0);
                stand.eq(element.threads.iter().copied())
                    && element.literals.iter().all(|literal| self.holds(literal, threads))
            })
        })
    }
}

#[test]
fn the_same_states_are_excluded() {
    let program = program();
    let [here, there] = places(&program);
    let mut random = 1_u64;
    let mut next = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    };
    let mut n_shorter = 0;
    for _ in 0..400 {
        let elements = (0..1 + next(7)).map(|_| {
            let threads = match next(4) {
                0 => vec![],
                1 => vec![here],
                2 => vec![there],
                _ => vec![here, there],
            };
            let mut literals: Vec<Literal> = Vec::new();
            for predicate in 0..5 {
                let (wanted, value) = (next(2) == 1, next(2) == 1);
                let thread = next(2) as usize;
                let of = if predicate < C_IS_A { Of::State } else { Of::Thread(thread) };
                if wanted && (of == Of::State || thread < threads.len()) {
                    literals.push(Literal { of, ..literal(predicate, value) });
                }
            }
            Element { atomic: None, threads, literals }
        });
        let elements: Vec<Element> = elements.collect();
        let simple = simplify(&program, invariant(&program, elements.clone()), &Budget::unlimited()).elements;
        n_shorter += usize::from(simple.len() < elements.len());
        for state in 0..64_u32 {
            let bit = |place: u32| state >> place & 1 == 1;
            let at = |second: bool| if second { there } else { here };
            let trial =
                Trial { shared: [bit(0), bit(1)], threads: [(at(bit(2)), bit(3)), (at(bit(4)), bit(5))] };
            let was = trial.is_described(&elements);
            assert_eq!(trial.is_described(&simple), was, "{elements:#?}\nbecame\n{simple:#?}");
        }
    }
    assert!(n_shorter > 50, "{n_shorter}");
}
