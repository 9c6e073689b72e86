//! Mutations of evidence documents, for tests that a checker rejects what is no longer right.
//!
//! [`mutations`] lists every document that one small change makes of a given one. A mutated document may
//! still be right: a proof without a redundant element, a cut with a larger bound, a trace whose last step
//! was not needed. A test has to decide that by itself; the mutations only have a label to say what was done.

mod invariant;

use crate::document::{
    Body, Configuration, CoverSet, Cut, EvidenceDocument, Explored, Interleaving, Item, Proof, ThreadStep,
    Trace, Verdict,
};
use crate::state::{Count, State};

/// A changed document and what was changed.
#[derive(Clone, Debug)]
pub struct Mutation {
    /// What was done, such as `drop element 3`.
    pub label: String,
    /// The result.
    pub document: EvidenceDocument,
}

/// The names that mutations may put in place of others.
#[derive(Clone, Copy, Debug)]
pub struct Alphabet<'a> {
    /// Shared states.
    pub shared: &'a [&'a str],
    /// Local states.
    pub locals: &'a [&'a str],
    /// Rules.
    pub rules: &'a [&'a str],
}

/// All documents that one small change makes of `document`: parts dropped, duplicated or swapped, counts,
/// weights and bounds one up and one down, weights on further states, states and rules replaced by each other one
/// of the alphabet, and the verdict turned around.
pub fn mutations(document: &EvidenceDocument, alphabet: Alphabet<'_>) -> Vec<Mutation> {
    let mut out = Mutations { original: document, alphabet, found: Vec::new() };
    out.flip_verdict();
    match &document.body {
        Body::Trace(trace) => out.of_trace(trace),
        Body::Proof(proof) => out.of_proof(proof),
        Body::CoverSet(set) => out.of_cover_set(set),
        Body::Interleaving(interleaving) => out.of_interleaving(interleaving),
        Body::Invariant(invariant) => out.of_invariant(invariant),
        Body::Explored(explored) => out.of_explored(explored),
    }
    out.found
}

struct Mutations<'a> {
    original: &'a EvidenceDocument,
    alphabet: Alphabet<'a>,
    found: Vec<Mutation>,
}

impl Mutations<'_> {
    fn push(&mut self, label: String, body: Body) {
        self.found.push(Mutation { label, document: EvidenceDocument { body, ..self.original.clone() } });
    }

    fn of_explored(&mut self, explored: &Explored) {
        for change in [-1, 1] {
            let states = explored.states.saturating_add_signed(change.into());
            self.push(format!("states {change:+}"), Body::Explored(Explored { states, ..explored.clone() }));
            let threads = explored.threads.saturating_add_signed(change);
            self.push(
                format!("threads {change:+}"),
                Body::Explored(Explored { threads, ..explored.clone() }),
            );
        }
        let most = explored.threads_at_most.map_or(Some(1), |most| most.checked_sub(1));
        let fewer = Explored { threads_at_most: most, ..explored.clone() };
        self.push("fewer threads are asked about".to_owned(), Body::Explored(fewer));
    }

    fn of_interleaving(&mut self, interleaving: &Interleaving) {
        let with =
            |steps: Vec<ThreadStep>| Body::Interleaving(Interleaving { steps, ..interleaving.clone() });
        let steps = &interleaving.steps;
        for i in 0..steps.len() {
            let mut dropped = steps.clone();
            dropped.remove(i);
            self.push(format!("step {i} dropped"), with(dropped));
            let mut twice = steps.clone();
            twice.insert(i, steps[i].clone());
            self.push(format!("step {i} twice"), with(twice));
            let mut change = |label: &str, change: &dyn Fn(&mut ThreadStep)| {
                let mut changed = steps.clone();
                change(&mut changed[i]);
                self.push(format!("step {i}: {label}"), with(changed));
            };
            change("by the next thread", &|step| step.thread += 1);
            change("along the next edge", &|step| step.edge += 1);
            change("at another place", &|step| step.at.push('0'));
            change("wakes somebody", &|step| step.signalled = Some(step.signalled.unwrap_or(0) + 1));
            for k in 0..steps[i].choices.len() {
                change("another choice", &|step| step.choices[k].value.push('1'));
            }
        }
        for i in 1..steps.len() {
            let mut swapped = steps.clone();
            swapped.swap(i - 1, i);
            self.push(format!("steps {} and {i} swapped", i - 1), with(swapped));
        }
    }

    fn flip_verdict(&mut self) {
        let mut document = self.original.clone();
        document.verdict = match document.verdict {
            Verdict::Safe => Verdict::Unsafe,
            Verdict::Unsafe => Verdict::Safe,
        };
        self.found.push(Mutation { label: "flip the verdict".into(), document });
    }

    fn of_trace(&mut self, trace: &Trace) {
        let Trace { initial, items } = trace;
        for (label, initial) in self.of_configuration(initial) {
            self.push(format!("initial: {label}"), Body::Trace(Trace { initial, items: items.clone() }));
        }
        for (label, items) in self.of_items(items) {
            self.push(label, Body::Trace(Trace { initial: initial.clone(), items }));
        }
    }

    fn of_proof(&mut self, proof: &Proof) {
        for (label, elements) in self.of_elements(&proof.elements) {
            self.push(label, Body::Proof(Proof { elements, ..proof.clone() }));
        }
        for (i, cut) in proof.cuts.iter().enumerate() {
            let mut dropped = proof.clone();
            dropped.cuts.remove(i);
            self.push(format!("drop cut {i}"), Body::Proof(dropped));
            for (label, cut) in self.of_cut(cut) {
                let mut changed = proof.clone();
                changed.cuts[i] = cut;
                self.push(format!("cut {i}: {label}"), Body::Proof(changed));
            }
        }
        for (i, trap) in proof.traps.iter().enumerate() {
            for (label, trap) in self.of_trap(trap) {
                let mut changed = proof.clone();
                changed.traps[i] = trap;
                self.push(format!("trap {i}: {label}"), Body::Proof(changed));
            }
        }
    }

    fn of_cover_set(&mut self, set: &CoverSet) {
        for (label, elements) in self.of_elements(&set.elements) {
            self.push(label, Body::CoverSet(CoverSet { elements, ..set.clone() }));
        }
    }

    fn of_elements(&self, elements: &[Configuration]) -> Vec<(String, Vec<Configuration>)> {
        let mut found = Vec::new();
        for (i, element) in elements.iter().enumerate() {
            let mut dropped = elements.to_vec();
            dropped.remove(i);
            found.push((format!("drop element {i}"), dropped));
            for (label, changed) in self.of_configuration(element) {
                let mut elements = elements.to_vec();
                elements[i] = changed;
                found.push((format!("element {i}: {label}"), elements));
            }
        }
        found
    }

    fn of_configuration(&self, configuration: &Configuration) -> Vec<(String, Configuration)> {
        let mut found = Vec::new();
        if configuration.shared.is_some() {
            for &name in self.alphabet.shared {
                let shared = Some(State::Name(name.to_owned()));
                if shared != configuration.shared {
                    found
                        .push((format!("go to `{name}`"), Configuration { shared, ..configuration.clone() }));
                }
            }
        }
        for (i, (state, count)) in configuration.threads.iter().enumerate() {
            for changed in other_counts(*count) {
                let mut other = configuration.clone();
                other.threads[i].1 = changed;
                found.push((format!("{state:?} {count:?} → {changed:?}"), other));
            }
            for &name in self.alphabet.locals {
                let replaced = State::Name(name.to_owned());
                if replaced != *state {
                    let mut other = configuration.clone();
                    other.threads[i].0 = replaced;
                    found.push((format!("{state:?} → `{name}`"), other));
                }
            }
        }
        for &name in self.alphabet.locals {
            let mut other = configuration.clone();
            other.threads.push((State::Name(name.to_owned()), Count::Finite(1)));
            found.push((format!("one more thread in `{name}`"), other));
        }
        found
    }

    fn of_cut(&self, cut: &Cut) -> Vec<(String, Cut)> {
        let mut found = Vec::new();
        for bound in other_numbers(cut.bound) {
            found.push((format!("bound {bound}"), Cut { bound, ..cut.clone() }));
        }
        for (label, shared) in of_weights(&cut.shared, self.alphabet.shared) {
            found.push((format!("{label} shared state"), Cut { shared, ..cut.clone() }));
        }
        for (label, locals) in of_weights(&cut.locals, self.alphabet.locals) {
            found.push((format!("{label} local"), Cut { locals, ..cut.clone() }));
        }
        for (i, (trap, multiplier)) in cut.traps.iter().enumerate() {
            for multiplier in other_numbers(*multiplier) {
                let mut changed = cut.clone();
                changed.traps[i].1 = multiplier;
                found.push((format!("multiplier {multiplier} of trap {trap}"), changed));
            }
        }
        found
    }

    fn of_trap(&self, trap: &[String]) -> Vec<(String, Vec<String>)> {
        let mut found = Vec::new();
        for (i, local) in trap.iter().enumerate() {
            let mut dropped = trap.to_vec();
            dropped.remove(i);
            found.push((format!("drop `{local}`"), dropped));
        }
        for &local in self.alphabet.locals {
            if !trap.iter().any(|member| member == local) {
                let mut grown = trap.to_vec();
                grown.push(local.to_owned());
                found.push((format!("add `{local}`"), grown));
            }
        }
        found
    }

    fn of_items(&self, items: &[Item]) -> Vec<(String, Vec<Item>)> {
        let mut found = Vec::new();
        for (i, item) in items.iter().enumerate() {
            let mut dropped = items.to_vec();
            dropped.remove(i);
            found.push((format!("drop item {i}"), dropped));
            let mut doubled = items.to_vec();
            doubled.insert(i, item.clone());
            found.push((format!("double item {i}"), doubled));
            if i > 0 && items[i - 1] != *item {
                let mut swapped = items.to_vec();
                swapped.swap(i - 1, i);
                found.push((format!("swap items {} and {i}", i - 1), swapped));
            }
            for (label, changed) in self.of_item(item) {
                let mut items = items.to_vec();
                items[i] = changed;
                found.push((format!("item {i}: {label}"), items));
            }
        }
        found
    }

    fn of_item(&self, item: &Item) -> Vec<(String, Item)> {
        let mut found = Vec::new();
        match item {
            Item::Repeat { times, items } => {
                for times in other_numbers(*times).filter(|&times| times > 0) {
                    found.push((format!("repeat {times}"), Item::Repeat { times, items: items.clone() }));
                }
                for (label, items) in self.of_items(items) {
                    found.push((label, Item::Repeat { times: *times, items }));
                }
            }
            Item::Step(step) => {
                for &rule in self.alphabet.rules.iter().filter(|&&rule| rule != step.rule) {
                    let mut step = step.clone();
                    step.rule = rule.to_owned();
                    found.push((format!("fire `{rule}`"), Item::Step(step)));
                }
                for (i, moved) in step.moved.iter().enumerate() {
                    let mut dropped = step.clone();
                    dropped.moved.remove(i);
                    found.push((format!("drop move {i}"), Item::Step(dropped)));
                    for count in other_numbers(moved.count) {
                        let mut changed = step.clone();
                        changed.moved[i].count = count;
                        found.push((format!("move {i}: {count} threads"), Item::Step(changed)));
                    }
                    let destinations = self.alphabet.locals.iter().map(|&local| Some(local.to_owned()));
                    for to in destinations.chain([None]).filter(|to| *to != moved.to) {
                        let mut changed = step.clone();
                        found.push((format!("move {i} to {to:?}"), {
                            changed.moved[i].to = to;
                            Item::Step(changed)
                        }));
                    }
                }
            }
        }
        found
    }
}

/// Each weight one up and one down, and a weight on each state that has none.
fn of_weights(weights: &[(String, u64)], states: &[&str]) -> Vec<(String, Vec<(String, u64)>)> {
    let mut found = Vec::new();
    for (i, (state, weight)) in weights.iter().enumerate() {
        for weight in other_numbers(*weight) {
            let mut changed = weights.to_vec();
            changed[i].1 = weight;
            found.push((format!("weight {weight} on `{state}`, a"), changed));
        }
    }
    for &state in states.iter().filter(|&&state| !weights.iter().any(|(weighing, _)| weighing == state)) {
        let mut more = weights.to_vec();
        more.push((state.to_owned(), 1));
        found.push((format!("weight 1 on `{state}`, a"), more));
    }
    found
}

/// One less and one more.
fn other_numbers(number: u64) -> impl Iterator<Item = u64> {
    number.checked_sub(1).into_iter().chain(number.checked_add(1))
}

fn other_counts(count: Count) -> Vec<Count> {
    match count {
        Count::Finite(count) => other_numbers(count).map(Count::Finite).chain([Count::Omega]).collect(),
        Count::Omega => vec![Count::Finite(0), Count::Finite(1), Count::Finite(2)],
    }
}
