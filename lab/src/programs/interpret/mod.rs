//! Runs Boolean programs as `throng_boolprog::flow` defines, by brute force: all states of a few threads, breadth first.
//!
//! [`explore`] is what symbolic steps, engines and the checker are compared with, so it shares no code with them. It is
//! written from the definition and as plainly as possible; it does not care for speed beyond a bound on the number of
//! states, and beyond not evaluating the same statement for the same values again. Of a thread's variables those are kept that can matter: variables of the functions that the thread is in,
//! variables that other threads may read (`x$`), and those that the targets mention.

mod step;
mod values;

use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use throng_boolprog::flow::{FunctionId, LocationId, Program, VariableId};
use throng_boolprog::{Cube, InitThreads, Pattern, ProgramQuestion, ThreadPattern};
use values::{Bits, bits_within, cube};

/// What one thread can see: the shared variables, where it is, and its variables there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ThreadState {
    /// All shared variables; not the atomic bit.
    pub shared: Cube,
    /// Where the thread is.
    pub location: LocationId,
    /// The variables of the functions that it is in, and those that all functions see.
    pub locals: Cube,
}

/// What a program reaches with a bounded number of threads.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    /// The thread states that are reached, with the least number of steps that it takes.
    pub depths: BTreeMap<ThreadState, u32>,
    /// The least number of steps to a target.
    pub target: Option<u32>,
    /// How many states there are.
    pub n_states: usize,
}

/// With more variables, shared or local, even the states at the start are too many.
const MOST_VARIABLES: usize = 20;

/// Everything that a program reaches when at most `n` threads are ever created, those at the start included; `None` if
/// that takes more than `most_states` states.
pub fn explore(
    program: &Program,
    question: &ProgramQuestion,
    n: u32,
    most_states: usize,
) -> Option<Exploration> {
    let explorer = Explorer::new(program, question, n);
    let (mut exploration, mut seen) = (Exploration::default(), FxHashSet::default());
    let n_states = explorer.visit(question.threads, most_states, |state, depth| {
        explorer.record(state, depth, &mut seen, &mut exploration);
        true
    });
    exploration.n_states = n_states?;
    Some(exploration)
}

/// Whether a program reaches a target when at most `n` threads are ever created; `None` if that takes more than
/// `most_states` states to tell.
pub fn reaches_target(
    program: &Program,
    question: &ProgramQuestion,
    n: u32,
    most_states: usize,
) -> Option<bool> {
    let explorer = Explorer::new(program, question, n);
    let mut is_reached = false;
    let n_states = explorer.visit(question.threads, most_states, |state, _| {
        is_reached = explorer.is_target(state);
        !is_reached
    });
    n_states.map(|_| is_reached)
}

/// Some of the thread states that a program reaches when at most `n` threads are ever created. Only states with a thread
/// state that was seen less than `often` times before are followed. Where [`explore`] takes too many states, this tells
/// that there are at least so many.
pub fn sample(program: &Program, threads: InitThreads, n: u32, often: u32) -> BTreeSet<ThreadState> {
    let question = ProgramQuestion { threads, targets: Vec::new() };
    let explorer = Explorer::new(program, &question, n);
    let mut seen: FxHashMap<(Bits, Thread), u32> = FxHashMap::default();
    let mut found = Exploration::default();
    let mut pending: VecDeque<State> =
        explorer.initial(threads, 1 << MOST_VARIABLES).unwrap_or_default().into();
    let mut recorded = FxHashSet::default();
    while let Some(state) = pending.pop_front() {
        explorer.record(&state, 0, &mut recorded, &mut found);
        for next in explorer.successors(&state) {
            let mut is_rare = false;
            for &thread in &next.threads {
                let times = seen.entry((next.shared, thread)).or_default();
                is_rare |= *times < often;
                *times += 1;
            }
            if is_rare {
                pending.push_back(next);
            }
        }
    }
    found.depths.into_keys().collect()
}

/// A thread: where it is, and its variables.
type Thread = (LocationId, Bits);

/// Shared variables and threads, sorted: they have no names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct State {
    shared: Bits,
    threads: Vec<Thread>,
    /// How many threads were ever created.
    created: u32,
}

/// What a thread can do next, by the shared valuation and the thread.
type Alone = FxHashMap<(Bits, Thread), Rc<[State]>>;

struct Explorer<'p> {
    program: &'p Program,
    targets: &'p [Pattern],
    /// How many threads may ever be created.
    most: u32,
    /// For each location, the variables of the functions that a thread there is in.
    readable: Vec<Bits>,
    /// Variables that other threads may read.
    passive: Bits,
    /// Variables that are kept everywhere.
    everywhere: Bits,
    /// Steps of threads that see no others.
    alone: RefCell<Alone>,
}

impl<'p> Explorer<'p> {
    fn new(program: &'p Program, question: &'p ProgramQuestion, most: u32) -> Self {
        let readable = LocationId::all(program.locations().len()).map(|at| readable(program, at)).collect();
        let references = program.expressions().iter().flat_map(|expression| expression.references());
        let passive = references.filter(|it| it.is_passive).fold(0, |bits, it| match it.variable {
            VariableId::Local(index) => bits | 1 << index,
            VariableId::Shared(_) => bits,
        });
        let threads = question.targets.iter().flat_map(|target| &target.threads);
        let mentioned =
            threads.flat_map(|thread| thread.locals.iter()).fold(0, |bits, (index, _)| bits | 1 << index);
        let everywhere = passive | mentioned;
        Self {
            program,
            targets: &question.targets,
            most,
            readable,
            passive,
            everywhere,
            alone: RefCell::default(),
        }
    }

    /// The variables of a thread at a location that are kept.
    fn kept(&self, at: LocationId) -> Bits {
        self.readable[at.index()] | self.everywhere
    }

    /// All states at the start, `None` if there are too many.
    fn initial(&self, threads: InitThreads, most_states: usize) -> Option<Vec<State>> {
        let counts = match threads {
            InitThreads::Exactly(count) => count..=count.min(self.most),
            InitThreads::Any => 0..=self.most,
        };
        let entry = self.program.entry();
        let mut states = Vec::new();
        for created in counts {
            for locals in multisets(&bits_within(self.kept(entry)), created as usize) {
                let threads: Vec<Thread> = locals.into_iter().map(|bits| (entry, bits)).collect();
                for shared in 0..1 << self.program.shared().len() {
                    states.push(State { shared, threads: threads.clone(), created });
                }
                if states.len() > most_states {
                    return None;
                }
            }
        }
        Some(states)
    }

    /// The one form of a state.
    fn tidy(&self, mut state: State) -> State {
        state.threads.iter_mut().for_each(|(at, bits)| *bits &= self.kept(*at));
        state.threads.sort_unstable();
        state
    }

    fn is_atomic(&self, thread: Thread) -> bool {
        self.program.location(thread.0).is_atomic
    }

    /// Visits all states with the least number of steps to them, in this order, until `visit` returns `false`. Returns
    /// how many were met; `None` if there are more than `most_states`.
    fn visit(
        &self,
        threads: InitThreads,
        most_states: usize,
        mut visit: impl FnMut(&State, u32) -> bool,
    ) -> Option<usize> {
        if self.program.shared().len().max(self.program.locals().len()) > MOST_VARIABLES {
            return None;
        }
        let mut level = self.initial(threads, most_states)?;
        let mut seen: FxHashSet<State> = level.iter().cloned().collect();
        for depth in 0.. {
            if !level.iter().all(|state| visit(state, depth)) {
                break;
            }
            let mut next = Vec::new();
            for state in level.iter().flat_map(|state| self.successors(state)) {
                if seen.insert(state.clone()) {
                    next.push(state);
                }
                if seen.len() > most_states {
                    return None;
                }
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        Some(seen.len())
    }

    /// Notes what is seen in a state for the first time.
    fn record(
        &self,
        state: &State,
        depth: u32,
        seen: &mut FxHashSet<(Bits, Thread)>,
        exploration: &mut Exploration,
    ) {
        for &(location, bits) in &state.threads {
            let readable = self.readable[location.index()];
            if seen.insert((state.shared, (location, bits & readable))) {
                let shared = cube(state.shared, (1 << self.program.shared().len()) - 1);
                let thread = ThreadState { shared, location, locals: cube(bits, readable) };
                exploration.depths.insert(thread, depth);
            }
        }
        if exploration.target.is_none() && self.is_target(state) {
            exploration.target = Some(depth);
        }
    }

    fn is_target(&self, state: &State) -> bool {
        self.targets.iter().any(|target| self.fits(state, target))
    }

    /// Whether a state is one of a pattern.
    fn fits(&self, state: &State, pattern: &Pattern) -> bool {
        let is_atomic = state.threads.iter().any(|&thread| self.is_atomic(thread));
        let value = |index: u32| match index == self.program.atomic_bit() {
            true => is_atomic,
            false => state.shared >> index & 1 == 1,
        };
        pattern.shared.iter().all(|(index, wanted)| value(index) == wanted)
            && can_assign(&pattern.threads, &state.threads)
    }
}

/// Whether there are different threads for all patterns.
fn can_assign(patterns: &[ThreadPattern], threads: &[Thread]) -> bool {
    let Some((first, rest)) = patterns.split_first() else { return true };
    (0..threads.len()).any(|chosen| {
        let (at, bits) = threads[chosen];
        let mut others = threads.to_vec();
        others.remove(chosen);
        at == first.location
            && first.locals.iter().all(|(index, wanted)| (bits >> index & 1 == 1) == wanted)
            && can_assign(rest, &others)
    })
}

/// The variables that a thread at a location can read.
fn readable(program: &Program, at: LocationId) -> Bits {
    let functions: Vec<FunctionId> = program.functions_at(at).collect();
    let locals = program.locals().iter().enumerate();
    let read = locals.filter(|(_, variable)| variable.function.is_none_or(|it| functions.contains(&it)));
    read.map(|(index, _)| 1 << index).sum()
}

/// All ways to take so many of the items, each as often as one likes, in order.
fn multisets(items: &[Bits], count: usize) -> Vec<Vec<Bits>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let tails = (0..items.len()).flat_map(|first| {
        let rest = multisets(&items[first..], count - 1);
        rest.into_iter().map(move |rest| [vec![items[first]], rest].concat())
    });
    tails.collect()
}
