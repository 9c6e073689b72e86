//! Cover sets of programs, against brute force.

use crate::common::{self, Case, accepted_or_why};
use crate::concrete::{Bits, Config, Machine, Thread, agrees};
use crate::proofs::{World, random_case};
use crate::random::{Random, seeds};
use std::collections::BTreeSet;
use throng_boolprog::flow::LocationId;
use throng_boolprog::{Cube, InitThreads, Pattern, ThreadPattern};
use throng_cert::Count;
use throng_check::Condition;

/// An element: shared variables with the atomic bit, and groups of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) shared: Cube,
    pub(crate) groups: Vec<(ThreadPattern, Count)>,
}

impl World<'_> {
    fn contains(&self, element: &Element, config: &Config) -> bool {
        let bit = self.machine.program.atomic_bit();
        let is_bit = element.shared.get(bit).is_none_or(|wanted| self.machine.bit(config) == Some(wanted));
        let mut counts: Vec<Count> = element.groups.iter().map(|&(_, count)| count).collect();
        is_bit
            && agrees(config.shared, &element.shared.restricted(|index| index != bit))
            && place(&config.threads, element, &mut counts)
    }

    fn is_inside(&self, elements: &[Element], config: &Config) -> bool {
        elements.iter().any(|element| self.contains(element, config))
    }

    /// The condition that elements violate, as far as the configurations here tell.
    fn cover_violated(&self, elements: &[Element]) -> Option<Condition> {
        let most = self.steps.keys().map(|config| config.threads.len()).max().unwrap();
        let entry = |at: LocationId| at == self.machine.program.entry();
        for config in self.machine.configs(most, &entry) {
            if self.machine.is_initial(&config, self.case.question.threads)
                && !self
                    .machine
                    .outcomes(&config, &self.through)
                    .iter()
                    .all(|it| self.is_inside(elements, it))
            {
                return Some(Condition::CoverInitial);
            }
        }
        let inside: Vec<(&Config, &BTreeSet<Config>)> =
            self.steps.iter().filter(|(config, _)| self.is_inside(elements, config)).collect();
        let targets = &self.case.question.targets;
        let is_target = |config: &Config| targets.iter().any(|it| self.machine.fits(config, it));
        if inside.iter().any(|(config, _)| is_target(config)) {
            return Some(Condition::CoverTarget);
        }
        let leaves = |after: &BTreeSet<Config>| after.iter().any(|next| !self.is_inside(elements, next));
        inside.iter().any(|(_, after)| leaves(after)).then_some(Condition::CoverSuccessor)
    }

    #[track_caller]
    fn agree_about_cover(&self, elements: &[Element]) -> bool {
        let document = common::cover_set(&self.case.program, elements, &self.through);
        let found = accepted_or_why(self.case, &document);
        let expected = self.cover_violated(elements);
        assert_eq!(found.as_ref().err().map(|it| it.condition), expected, "{found:?}\n{elements:?}");
        expected.is_none()
    }

    /// What single threads can do, whatever the others are: shared states, with the thread in an atomic section if
    /// there is one, and all states of other threads, of each of which there may be any number.
    fn modular(&self) -> Vec<Element> {
        let (mut shared, mut threads): (BTreeSet<(Bits, Option<Thread>)>, BTreeSet<Thread>) =
            Default::default();
        let is_atomic = |thread: &Thread| self.machine.program.location(thread.0).is_atomic;
        let entry = |at: LocationId| at == self.machine.program.entry();
        let mut new: Vec<Config> = Vec::new();
        for config in self.machine.configs(1, &entry) {
            new.extend(self.machine.outcomes(&config, &self.through));
        }
        while let Some(config) = new.pop() {
            let atomic = config.threads.iter().copied().find(is_atomic);
            let size = (shared.len(), threads.len());
            shared.insert((config.shared, atomic));
            threads.extend(config.threads.iter().filter(|thread| !is_atomic(thread)));
            if (shared.len(), threads.len()) == size {
                continue;
            }
            for &(values, atomic) in &shared {
                let nobody = || [None].into_iter().chain(threads.iter().copied().map(Some));
                for first in nobody() {
                    for second in nobody() {
                        let all = [first, second, atomic].into_iter().flatten().collect();
                        let config = Config::new(values, all);
                        for next in self.machine.successors(&config) {
                            new.extend(self.machine.outcomes(&next, &self.through));
                        }
                    }
                }
            }
        }
        let many: Vec<_> = threads.iter().map(|&thread| (self.thread(thread), Count::Omega)).collect();
        let element = |&(values, atomic): &(Bits, Option<Thread>)| Element {
            shared: self.shared(values, atomic.is_some()),
            groups: many
                .iter()
                .cloned()
                .chain(atomic.map(|it| (self.thread(it), Count::Finite(1))))
                .collect(),
        };
        shared.iter().map(element).collect()
    }

    /// All reachable configurations, if there are few and they have few threads.
    fn reachable(&self, n_threads: usize) -> Option<Vec<Element>> {
        let entry = |at: LocationId| at == self.machine.program.entry();
        let initial = self.machine.configs(n_threads, &entry).into_iter();
        let initial = initial.filter(|config| config.threads.len() == n_threads);
        let mut pending: Vec<Config> =
            initial.flat_map(|config| self.machine.outcomes(&config, &self.through)).collect();
        let mut found: BTreeSet<Config> = pending.iter().cloned().collect();
        while let Some(config) = pending.pop() {
            if config.threads.len() > 3 || found.len() > 150 {
                return None;
            }
            for next in self.machine.successors(&config) {
                for next in self.machine.outcomes(&next, &self.through) {
                    if found.insert(next.clone()) {
                        pending.push(next);
                    }
                }
            }
        }
        let element = |config: &Config| Element {
            shared: self.shared(config.shared, self.machine.bit(config).unwrap()),
            groups: config.threads.iter().map(|&it| (self.thread(it), Count::Finite(1))).collect(),
        };
        Some(found.iter().map(element).collect())
    }

    fn shared(&self, values: Bits, is_atomic: bool) -> Cube {
        let variables = 0..self.machine.program.shared().len() as u32;
        let cube: Cube = variables.map(|index| (index, values >> index & 1 == 1)).collect();
        cube.with(self.machine.program.atomic_bit(), is_atomic)
    }

    fn thread(&self, (location, values): Thread) -> ThreadPattern {
        let variables = 0..self.machine.program.locals().len() as u32;
        let locals = variables.map(|index| (index, values >> index & 1 == 1)).collect();
        ThreadPattern { location, locals }
    }
}

/// Whether threads find room in the groups of an element.
fn place(threads: &[Thread], element: &Element, counts: &mut Vec<Count>) -> bool {
    let Some((&(at, bits), rest)) = threads.split_first() else { return true };
    for number in 0..counts.len() {
        let before = counts[number];
        let after = match before {
            Count::Omega => Count::Omega,
            Count::Finite(0) => continue,
            Count::Finite(count) => Count::Finite(count - 1),
        };
        let thread = &element.groups[number].0;
        if thread.location == at && agrees(bits, &thread.locals) {
            counts[number] = after;
            let is_placed = place(rest, element, counts);
            counts[number] = before;
            if is_placed {
                return true;
            }
        }
    }
    false
}

/// Makes some elements larger or smaller.
fn change(random: &mut Random, elements: &mut Vec<Element>) {
    for _ in 0..1 + random.below(3) {
        if elements.is_empty() {
            return;
        }
        let number = random.below(elements.len());
        let element = &mut elements[number];
        let group = random.below(element.groups.len().max(1));
        match random.below(9) {
            0 => drop(elements.remove(number)),
            8 => {
                // Two elements instead of one, with different groups.
                let mut other = element.clone();
                if !element.groups.is_empty() {
                    element.groups.remove(group);
                }
                let group = random.below(other.groups.len().max(1));
                if !other.groups.is_empty() {
                    other.groups.remove(group);
                }
                elements.push(other);
            }
            1 | 2 => element.shared.clear(random.below(3) as u32),
            3 | 4 => {
                let index = random.below(2) as u32;
                element.groups.iter_mut().for_each(|(thread, _)| thread.locals.clear(index));
            }
            _ if element.groups.is_empty() => {}
            5 => drop(element.groups.remove(group)),
            6 => element.groups[group].1 = Count::Omega,
            _ => element.groups[group].1 = Count::Finite(random.below(3) as u64),
        }
    }
}

/// Many changes of a cover set are judged as by brute force.
fn changes(random: &mut Random, world: &World<'_>, elements: &[Element], counts: &mut [usize; 2]) {
    for _ in 0..10 {
        let mut elements = elements.to_vec();
        change(random, &mut elements);
        counts[usize::from(world.agree_about_cover(&elements))] += 1;
    }
}

#[test]
fn what_single_threads_can_do_is_a_cover_set() {
    let (mut safe, mut unsafe_, mut changed) = (0, 0, [0; 2]);
    for seed in seeds(2_000_000) {
        let random = &mut Random::new(seed);
        let Some((case, through)) = random_case(random, seed) else { continue };
        let world = World::new(&case, 4, through);
        let elements = world.modular();
        *if world.agree_about_cover(&elements) { &mut safe } else { &mut unsafe_ } += 1;
        changes(random, &world, &elements, &mut changed);
    }
    let counts = format!("{safe} safe, {unsafe_} unsafe, {changed:?} wrong and right after a change");
    assert!(safe > 5 && unsafe_ > 2 && changed[0] > 50 && changed[1] > 10, "{counts}");
}

#[test]
fn all_reachable_configurations_are_a_cover_set() {
    let (mut safe, mut unsafe_, mut changed) = (0, 0, [0; 2]);
    for seed in seeds(3_000_000) {
        let random = &mut Random::new(seed);
        let Some((mut case, through)) = random_case(random, seed) else { continue };
        case.question.threads = InitThreads::Exactly(2);
        let world = World::new(&case, 4, through);
        let Some(elements) = world.reachable(2) else { continue };
        *if world.agree_about_cover(&elements) { &mut safe } else { &mut unsafe_ } += 1;
        changes(random, &world, &elements, &mut changed);
    }
    let counts = format!("{safe} safe, {unsafe_} unsafe, {changed:?} wrong and right after a change");
    assert!(safe > 2 && unsafe_ > 2 && changed[0] > 50 && changed[1] > 5, "{counts}");
}

#[test]
fn a_cover_set_by_hand() {
    let text = "decl lock; void main() begin decl l; \
                atomic_begin; assume(!lock); lock, l := 1, *; atomic_end; C: skip; lock := 0; end";
    let mut case = Case::new(text, InitThreads::Any);
    let critical = case.program.locations_with_label("C").unwrap()[0];
    let two = ThreadPattern { location: critical, locals: Cube::any() };
    case.question.targets = vec![Pattern { shared: Cube::any(), threads: vec![two.clone(), two] }];
    let element = |shared: &str, threads: &[(&str, &str)]| {
        let many = ["main:0", "main:6"].map(|at| (at, "\"omega\""));
        let threads = many.iter().chain(threads);
        let threads: Vec<String> =
            threads.map(|(at, count)| format!(r#"[{{"at":"{at}"}},{count}]"#)).collect();
        format!(r#"{{"shared":{{"where":{{{shared}}}}},"threads":[{}]}}"#, threads.join(","))
    };
    let body = |elements: &[String]| format!(r#"{{"elements":[{}]}}"#, elements.join(","));
    let elements = [
        element(r#""lock":false"#, &[("main:1 (atomic)", "1"), ("main:2 (atomic)", "1")]),
        element(r#""lock":true"#, &[("main:1 (atomic)", "1"), ("main:4", "1")]),
        element(r#""lock":true"#, &[("main:1 (atomic)", "1"), ("main:5", "1")]),
        element(r#""lock":true,"(atomic)":true"#, &[("main:3 (atomic)", "1")]),
    ];
    case.accepts("cover-set", &body(&elements));
    for dropped in 0..elements.len() {
        let mut fewer = elements.to_vec();
        fewer.remove(dropped);
        let condition = if dropped == 0 { Condition::CoverInitial } else { Condition::CoverSuccessor };
        case.rejects("cover-set", &body(&fewer), condition);
    }
    let target = body(&elements).replace(r#"[{"at":"main:4"},1]"#, r#"[{"at":"main:4"},2]"#);
    case.rejects("cover-set", &target, Condition::CoverTarget);
    let through = body(&elements).replacen('{', r#"{"through":["main:4"],"#, 1);
    case.rejects("cover-set", &through, Condition::Through);
    let machine = Machine { program: &case.program };
    assert_eq!(machine.n_local(), 2);
}
