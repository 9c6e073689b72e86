//! Random walks as traces, and small changes of them, against brute force.

use crate::common::{Case, accepted_or_why, shared_state, thread_state};
use crate::concrete::{Bits, Config, Machine, Step, Thread};
use crate::proofs::random_case;
use crate::random::{Random, seeds};
use throng_boolprog::flow::{LocationId, Program};
use throng_boolprog::{Cube, InitThreads, Pattern, ThreadPattern};
use throng_cert::document::{Act, Body, Configuration, Item, Trace};
use throng_cert::{Count, EvidenceDocument, State, Verdict, document};

/// A trace in bits.
#[derive(Clone, Debug)]
struct Walk {
    start: Config,
    steps: Vec<Step>,
}

impl Walk {
    /// A random walk with threads that start at the entry.
    fn new(random: &mut Random, machine: Machine<'_>) -> Self {
        let local = |random: &mut Random| random.below(machine.n_local() as usize) as Bits;
        let threads = (0..1 + random.below(3)).map(|_| (machine.program.entry(), local(random))).collect();
        let start = Config::new(random.below(machine.n_shared() as usize) as Bits, threads);
        let (mut config, mut steps) = (start.clone(), Vec::new());
        for _ in 0..random.below(9) {
            let possible = machine.steps(&config);
            if possible.is_empty() || config.threads.len() > 4 {
                break;
            }
            let step = random.choose(&possible).clone();
            config = step.config();
            steps.push(step);
        }
        Self { start, steps }
    }

    /// Where it ends, if it is an execution: in each step all other threads are as before, except for those that are
    /// said to change.
    fn end(&self, machine: Machine<'_>) -> Option<Config> {
        let mut config = self.start.clone();
        if config.threads.iter().any(|thread| thread.0 != machine.program.entry()) {
            return None;
        }
        for step in &self.steps {
            let mut possible = machine.steps(&config).into_iter();
            config = possible.find(|it| says_the_same(it, step))?.config();
        }
        Some(config)
    }

    fn document(&self, program: &Program) -> EvidenceDocument {
        let state = |thread: Thread| thread_state(program, thread.0, &locals(program, thread.1));
        let threads = self.start.threads.iter().map(|&thread| (state(thread), Count::Finite(1)));
        let initial = Configuration {
            shared: Some(shared_state(program, &shared(program, self.start.shared))),
            threads: threads.collect(),
        };
        let items = self.steps.iter().map(|step| {
            let passive = changes(step).into_iter();
            let act = Act {
                thread: state(step.actor),
                to: step.after.map(state),
                shared: Some(shared_state(program, &shared(program, step.shared))),
                starts: step.child.map(state),
                passive: passive.map(|(before, after)| (state(before), after.map(state), 1)).collect(),
            };
            let act = Some(Box::new(act));
            Item::Step(document::Step { rule: "step".to_owned(), moved: Vec::new(), act })
        });
        let body = Body::Trace(Trace { initial, items: items.collect() });
        EvidenceDocument { verdict: Verdict::Unsafe, engine: None, input: None, body }
    }
}

fn cube(bits: Bits, count: usize) -> Cube {
    (0..count as u32).map(|index| (index, bits >> index & 1 == 1)).collect()
}

fn shared(program: &Program, bits: Bits) -> Cube {
    cube(bits, program.shared().len())
}

fn locals(program: &Program, bits: Bits) -> Cube {
    cube(bits, program.locals().len())
}

/// The other threads that change, sorted.
fn changes(step: &Step) -> Vec<(Thread, Option<Thread>)> {
    let mut changes = step.others.clone();
    changes.retain(|&(before, after)| after != Some(before));
    changes.sort_unstable();
    changes
}

fn says_the_same(one: &Step, other: &Step) -> bool {
    let rest = |step: &Step| (step.actor, step.after, step.child, step.shared, changes(step));
    rest(one) == rest(other)
}

/// Changes one thing.
fn change(random: &mut Random, machine: Machine<'_>, walk: &mut Walk) {
    let locations: Vec<LocationId> = LocationId::all(machine.program.locations().len()).collect();
    let thread = |random: &mut Random, thread: &mut Thread| {
        if random.one_in(2) {
            thread.0 = *random.choose(&locations);
        } else {
            thread.1 ^= 1 << random.below(machine.program.locals().len());
        }
    };
    if walk.steps.is_empty() || random.one_in(8) {
        walk.start.shared ^= 1;
        return;
    }
    let number = random.below(walk.steps.len());
    let step = &mut walk.steps[number];
    match random.below(8) {
        0 => drop(walk.steps.remove(number)),
        1 => walk.steps.swap(0, number),
        2 => step.shared ^= 1,
        3 => thread(random, &mut step.actor),
        4 => match &mut step.after {
            Some(after) if !random.one_in(4) => thread(random, after),
            after => *after = None,
        },
        5 => match &mut step.child {
            Some(child) => thread(random, child),
            child => *child = Some(step.actor),
        },
        _ if step.others.is_empty() => walk.start.threads.push((machine.program.entry(), 0)),
        _ => {
            let other = random.below(step.others.len());
            let (before, after) = &mut step.others[other];
            match random.below(4) {
                0 => *after = Some(*before),
                1 => *after = None,
                2 => after.iter_mut().for_each(|after| thread(random, after)),
                _ => thread(random, before),
            }
        }
    }
}

/// The checker accepts a walk iff it is an execution to the target; returns whether.
#[track_caller]
fn agree(case: &Case, walk: &Walk) -> bool {
    let machine = Machine { program: &case.program };
    let fits = |end: &Config| case.question.targets.iter().any(|target| machine.fits(end, target));
    let is_right = walk.end(machine).is_some_and(|end| fits(&end));
    let found = accepted_or_why(case, &walk.document(&case.program));
    assert_eq!(found.is_ok(), is_right, "{found:?}\n{walk:?}");
    is_right
}

#[test]
fn random_walks_are_accepted_and_changed_ones_judged_as_by_brute_force() {
    let mut counts = [0; 2];
    for seed in seeds(4_000_000) {
        let random = &mut Random::new(seed);
        let Some((mut case, _)) = random_case(random, seed) else { continue };
        case.question.threads = InitThreads::Any;
        for _ in 0..5 {
            let machine = Machine { program: &case.program };
            let walk = Walk::new(random, machine);
            let end = walk.end(machine).unwrap();
            let keep = random.below(4);
            let some = end.threads.iter().filter(|_| random.one_in(2));
            let pattern = some.map(|&(location, bits)| ThreadPattern {
                location,
                locals: locals(&case.program, bits).restricted(|index| keep >> index & 1 == 1),
            });
            let bit = (case.program.atomic_bit(), machine.bit(&end).unwrap());
            let threads = pattern.collect();
            case.question.targets = vec![Pattern { shared: Cube::from_iter([bit]), threads }];
            assert!(agree(&case, &walk));
            for _ in 0..20 {
                let mut changed = walk.clone();
                change(random, Machine { program: &case.program }, &mut changed);
                counts[usize::from(agree(&case, &changed))] += 1;
            }
        }
    }
    assert!(counts[0] > 500 && counts[1] > 100, "{counts:?} wrong and right");
}

#[test]
fn a_trace_says_what_happens() {
    let case = Case::new("void main() begin assert(0); end", InitThreads::Any);
    let walk = Walk::new(&mut Random::new(1), Machine { program: &case.program });
    let mut document = walk.document(&case.program);
    if let Body::Trace(trace) = &mut document.body {
        let step = document::Step { rule: "r".to_owned(), moved: Vec::new(), act: None };
        trace.items = vec![Item::Step(step)];
        trace.initial.shared = Some(State::Any);
    }
    let rejection = accepted_or_why(&case, &document).unwrap_err();
    assert_eq!(rejection.condition, throng_check::Condition::Form, "{rejection}");
}
