//! Systems with fewer local states that need as many threads to reach everything.
//!
//! A local state q is *left out* if threads come to it only by steps `(s, p) → (s, q)` that touch nothing else, from local
//! states p such that whoever comes to p may take such a step at once: for every rule that puts a thread into p, and every initial
//! configuration with one there, there is the step to q in the shared state that it leads to. Threads in q then wait in p
//! instead, and do what they would have done in q from there.
//!
//! Why no run is lost or invented, with the same number of threads: given a run, let every thread in q wait in the p it came
//! from. Given a run of the new system, a thread in p whose next rule is one of q goes to q when it comes to p. So what is
//! reached with the other local states is the same, and `(s, q)` takes as many threads as the cheapest of the `(s, p)`. The cutoff, which
//! is the largest of these numbers, does not change, provided that all the `(s, p)` count as well if `(s, q)` does. Leaving
//! out is repeated: straight lines of steps that only touch the thread's own state become one place to wait, and n
//! threads have far fewer configurations.
//!
//! Local states that broadcasts move threads from are not left out, nor waited in. Neither are those that rules take several threads of.

use super::ThreadState;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use throng_cert::{Trace, TraceItem};
use throng_model::{Bag, LocalId, Rule, RuleId, SharedId, Step, System, SystemBuilder, bag};

/// Copies may make so many times as many rules of the original ones.
const GROWTH: usize = 4;

/// A rule of the new system: one of the old system, after steps through these local states.
#[derive(Clone, Debug)]
struct Priced {
    rule: Rule,
    original: RuleId,
    /// What the thread that acts passes after the local state in which it waits; the rule is about the last one.
    path: Vec<LocalId>,
}

/// What a step between two local states in a shared state passes, where it is not a single step of the original.
type Hops = FxHashMap<(SharedId, LocalId, LocalId), Vec<LocalId>>;

/// See the module's documentation.
#[derive(Debug)]
pub struct Gathered {
    system: System,
    origin: Vec<(RuleId, Vec<LocalId>)>,
    hops: Hops,
    left_out: FxHashSet<LocalId>,
}

struct Work<'a> {
    system: &'a System,
    counts: &'a dyn Fn(LocalId) -> bool,
    rules: Vec<Option<Priced>>,
    /// By local state, rules that put threads there, and those that take some from there; some are gone.
    entering: Vec<Vec<usize>>,
    leaving: Vec<Vec<usize>>,
    /// Where nobody waits for something else.
    fixed: Vec<bool>,
    left_out: FxHashSet<LocalId>,
    hops: Hops,
    n_alive: usize,
}

impl Gathered {
    /// A smaller system, if there is one, given what is reachable and in which local states a thread counts.
    pub fn new(
        system: &System,
        reachable: &BTreeSet<ThreadState>,
        counts: &dyn Fn(LocalId) -> bool,
    ) -> Option<Self> {
        let mut work = Work::new(system, reachable, counts);
        while work.pass() {}
        if work.left_out.is_empty() {
            return None;
        }
        let mut builder = SystemBuilder::new(system.shared_names().clone(), system.local_names().clone());
        let mut origin = Vec::new();
        for priced in work.rules.into_iter().flatten() {
            builder.rule(&priced.rule, system.rule_line(priced.original).unwrap_or(0));
            origin.push((priced.original, priced.path));
        }
        system.initial().iter().for_each(|initial| {
            builder.initial(initial.clone());
        });
        Some(Self { system: builder.finish().ok()?, origin, hops: work.hops, left_out: work.left_out })
    }

    /// The system. Its states have the numbers that they had before.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Whether nobody comes to a local state any more.
    pub fn leaves_out(&self, local: LocalId) -> bool {
        self.left_out.contains(&local)
    }

    /// A run of the original system that goes where this one goes; `None` if there are repetitions in it.
    pub fn lift(&self, original: &System, trace: &Trace) -> Option<Trace> {
        let mut lifting = Lifting { gathered: self, present: FxHashMap::default(), stays: Vec::new() };
        lifting.schedule(trace)?;
        lifting.run(original, trace)
    }
}

impl<'a> Work<'a> {
    fn new(
        system: &'a System,
        reachable: &BTreeSet<ThreadState>,
        counts: &'a dyn Fn(LocalId) -> bool,
    ) -> Self {
        let n = system.n_locals();
        let mut work = Self {
            system,
            counts,
            rules: Vec::new(),
            entering: vec![Vec::new(); n],
            leaving: vec![Vec::new(); n],
            fixed: vec![false; n],
            left_out: FxHashSet::default(),
            hops: Hops::default(),
            n_alive: 0,
        };
        for (original, rule) in system.rules().iter() {
            let happens = |entry: &throng_model::Entry| {
                reachable.contains(&ThreadState { shared: rule.from, local: entry.local })
            };
            if rule.is_identity() || !rule.take.iter().all(happens) {
                continue;
            }
            for (source, _) in rule.moves() {
                work.fixed[source.index()] = true;
            }
            if bag::size(rule.take) > 1 {
                rule.take.iter().for_each(|entry| work.fixed[entry.local.index()] = true);
            }
            work.add(Priced { rule: rule.to_rule(), original, path: Vec::new() });
        }
        work
    }

    fn add(&mut self, priced: Priced) {
        let number = self.rules.len();
        for entry in priced.rule.take.iter() {
            self.leaving[entry.local.index()].push(number);
        }
        let moved = priced.rule.moves.iter().flat_map(|it| it.destinations.iter().copied());
        let mut put: Vec<LocalId> = priced.rule.put.iter().map(|entry| entry.local).chain(moved).collect();
        put.sort_unstable();
        put.dedup();
        for local in put {
            self.entering[local.index()].push(number);
        }
        self.rules.push(Some(priced));
        self.n_alive += 1;
    }

    /// Leaves out what can be; whether something was.
    fn pass(&mut self) -> bool {
        let before = self.left_out.len();
        for index in 0..self.system.n_locals() {
            let local = LocalId::new(index);
            if let Some(waiting) = self.waiting_places(local) {
                self.leave_out(local, &waiting);
            }
        }
        self.left_out.len() > before
    }

    fn alive<'s>(&'s self, numbers: &'s [usize]) -> impl Iterator<Item = &'s Priced> + 's {
        numbers.iter().filter_map(|&number| self.rules[number].as_ref())
    }

    /// Where threads can wait instead of in a local state; `None` if they cannot.
    fn waiting_places(&self, local: LocalId) -> Option<Vec<LocalId>> {
        let index = local.index();
        let is_initial = self.is_initial(local);
        if self.fixed[index] || is_initial || self.left_out.contains(&local) {
            return None;
        }
        let mut steps: FxHashMap<LocalId, FxHashSet<SharedId>> = FxHashMap::default();
        for priced in self.alive(&self.entering[index]) {
            let before = quiet_step(&priced.rule, local)?;
            steps.entry(before).or_default().insert(priced.rule.from);
        }
        let counts = (self.counts)(local);
        let fits = |(before, states): (&LocalId, &FxHashSet<SharedId>)| {
            !self.fixed[before.index()]
                && (!counts || (self.counts)(*before))
                && self.arrivals(*before).all(|shared| states.contains(&shared))
        };
        if steps.is_empty() || !steps.iter().all(fits) {
            return None;
        }
        let n_leaving = self.alive(&self.leaving[index]).count();
        if self.n_alive + n_leaving * (steps.len() - 1) > GROWTH * self.system.rules().len() {
            return None;
        }
        let mut waiting: Vec<LocalId> = steps.into_keys().collect();
        waiting.sort_unstable();
        Some(waiting)
    }

    fn is_initial(&self, local: LocalId) -> bool {
        self.initial_with(local).next().is_some()
    }

    fn initial_with(&self, local: LocalId) -> impl Iterator<Item = SharedId> + '_ {
        let has = move |it: &&throng_model::Initial| {
            bag::count(&it.exact, local) > 0 || it.unbounded.contains(&local)
        };
        self.system.initial().iter().filter(has).map(|it| it.shared)
    }

    /// The shared states in which threads come to a local state.
    fn arrivals(&self, local: LocalId) -> impl Iterator<Item = SharedId> + '_ {
        self.alive(&self.entering[local.index()]).map(|it| it.rule.to).chain(self.initial_with(local))
    }

    fn leave_out(&mut self, local: LocalId, waiting: &[LocalId]) {
        let entering = std::mem::take(&mut self.entering[local.index()]);
        for number in entering {
            let Some(step) = self.rules[number].take() else { continue };
            self.n_alive -= 1;
            if let ([before], false) = (&step.rule.take[..], step.path.is_empty()) {
                self.hops.insert((step.rule.from, before.local, local), step.path);
            }
        }
        let leaving = std::mem::take(&mut self.leaving[local.index()]);
        let leaving: Vec<Priced> =
            leaving.into_iter().filter_map(|number| self.rules[number].take()).collect();
        self.n_alive -= leaving.len();
        let mut known: FxHashSet<(LocalId, SharedId, SharedId, Bag)> = FxHashSet::default();
        for &place in waiting {
            known.extend(
                self.alive(&self.leaving[place.index()])
                    .filter(|it| it.rule.moves.is_empty())
                    .map(key(place)),
            );
        }
        for priced in &leaving {
            for &place in waiting {
                let rule = Rule { take: one(place), ..priced.rule.clone() };
                let path = std::iter::once(local).chain(priced.path.iter().copied()).collect();
                let copy = Priced { rule, original: priced.original, path };
                let is_idle = copy.rule.from == copy.rule.to && copy.rule.take == copy.rule.put;
                if copy.rule.moves.is_empty() && (is_idle || !known.insert(key(place)(&copy))) {
                    continue;
                }
                self.add(copy);
            }
        }
        self.left_out.insert(local);
    }
}

fn key(place: LocalId) -> impl Fn(&Priced) -> (LocalId, SharedId, SharedId, Bag) {
    move |priced| (place, priced.rule.from, priced.rule.to, priced.rule.put.clone())
}

fn one(local: LocalId) -> Bag {
    Bag::from_locals([local]).expect("one thread is few")
}

/// Where a rule takes a thread from that it puts here, if it touches nothing else.
fn quiet_step(rule: &Rule, to: LocalId) -> Option<LocalId> {
    let [before] = &rule.take[..] else { return None };
    let is_quiet = rule.from == rule.to && rule.moves.is_empty() && rule.put == one(to);
    (is_quiet && before.count == 1 && before.local != to).then_some(before.local)
}

/// A run with names for threads: each time that a thread is put somewhere it gets a new one.
struct Lifting<'a> {
    gathered: &'a Gathered,
    /// Threads by local state, as numbers of stays.
    present: FxHashMap<LocalId, Vec<usize>>,
    /// For each stay, what the thread passes before it acts again.
    stays: Vec<(LocalId, Vec<LocalId>)>,
}

impl Lifting<'_> {
    fn arrive(&mut self, bag: &Bag) {
        for entry in bag.iter() {
            for _ in 0..entry.count {
                self.present.entry(entry.local).or_default().push(self.stays.len());
                self.stays.push((entry.local, Vec::new()));
            }
        }
    }

    /// Who acts when.
    fn schedule(&mut self, trace: &Trace) -> Option<()> {
        self.arrive(&trace.initial.bag);
        for item in &trace.items {
            let TraceItem::Step(step) = item else { return None };
            let rule = self.gathered.system.rule(step.rule);
            let path = &self.gathered.origin.get(step.rule.index())?.1;
            for entry in rule.take {
                for _ in 0..entry.count {
                    let stay = self.present.get_mut(&entry.local)?.pop()?;
                    self.stays[stay].1.clone_from(path);
                }
            }
            // Who is moved along waits for nothing: nobody waits where threads are moved from.
            for moved in &step.moved {
                let (from, to) = (self.present.get_mut(&moved.from)?, moved.to);
                let gone: Vec<usize> = (0..moved.count).map(|_| from.pop()).collect::<Option<_>>()?;
                if let Some(to) = to {
                    self.arrive(&Bag::from_counts([(to, gone.len() as u32)]).ok()?);
                }
            }
            self.arrive(&rule.to_rule().put);
        }
        Some(())
    }

    /// The same run, in which threads go on when they arrive.
    fn run(&self, original: &System, trace: &Trace) -> Option<Trace> {
        let quiet: FxHashMap<(SharedId, LocalId, LocalId), RuleId> = original
            .rules()
            .iter()
            .filter_map(|(id, rule)| {
                let [entry] = rule.put else { return None };
                let before = quiet_step(&rule.to_rule(), entry.local)?;
                Some(((rule.from, before, entry.local), id))
            })
            .collect();
        let (mut items, mut next) = (Vec::new(), 0);
        let mut go_on = |shared: SharedId, n: u64, items: &mut Vec<TraceItem>| -> Option<()> {
            for (local, path) in self.stays.get(next..next + n as usize)? {
                let mut at = *local;
                for &to in path {
                    self.hop(&quiet, (shared, at, to), items)?;
                    at = to;
                }
            }
            next += n as usize;
            Some(())
        };
        go_on(trace.initial.shared, trace.initial.view().size(), &mut items)?;
        for item in &trace.items {
            let TraceItem::Step(step) = item else { return None };
            let rule = self.gathered.system.rule(step.rule);
            let (id, _) = *self.gathered.origin.get(step.rule.index()).as_ref()?;
            items.push(TraceItem::Step(Step { rule: *id, moved: step.moved.clone() }));
            let moved: u64 =
                step.moved.iter().filter(|it| it.to.is_some()).map(|it| u64::from(it.count)).sum();
            go_on(rule.to, moved + bag::size(rule.put), &mut items)?;
        }
        Some(Trace { initial: trace.initial.clone(), items })
    }

    /// Adds the steps from one local state to another.
    fn hop(
        &self,
        quiet: &FxHashMap<(SharedId, LocalId, LocalId), RuleId>,
        (shared, from, to): (SharedId, LocalId, LocalId),
        items: &mut Vec<TraceItem>,
    ) -> Option<()> {
        let mut at = from;
        // What is passed was left out earlier, so this ends.
        for &between in self.gathered.hops.get(&(shared, from, to)).into_iter().flatten() {
            self.hop(quiet, (shared, at, between), items)?;
            at = between;
        }
        let rule = *quiet.get(&(shared, at, to))?;
        items.push(TraceItem::Step(Step { rule, moved: Vec::new() }));
        Some(())
    }
}
