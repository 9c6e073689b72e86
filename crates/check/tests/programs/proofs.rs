//! Proofs about programs, against brute force.

use crate::common::{self, Case, accepted_or_why};
use crate::concrete::{Config, Machine};
use crate::random::{self, Kind, Random, seeds};
use std::collections::{BTreeMap, BTreeSet};
use throng_boolprog::flow::{Effect, LocationId, VariableId};
use throng_boolprog::{Cube, InitThreads, Pattern, ThreadPattern};
use throng_check::Condition;

/// All configurations of a program with a few threads, without those at locations that threads pass through, and their
/// successors or the outcomes of these.
pub(crate) struct World<'c> {
    pub(crate) case: &'c Case,
    pub(crate) machine: Machine<'c>,
    pub(crate) through: Vec<LocationId>,
    pub(crate) steps: BTreeMap<Config, BTreeSet<Config>>,
}

impl<'c> World<'c> {
    pub(crate) fn new(case: &'c Case, most: usize, through: Vec<LocationId>) -> Self {
        let machine = Machine { program: &case.program };
        let outcomes = |config: Config| {
            let after = machine.successors(&config).into_iter();
            let after = after.flat_map(|next| machine.outcomes(&next, &through)).collect();
            (config, after)
        };
        let configs = machine.configs(most, &|at| !through.contains(&at));
        let steps = configs.into_iter().map(outcomes).collect();
        Self { case, machine, through, steps }
    }

    fn excludes(&self, elements: &[Pattern], config: &Config) -> bool {
        elements.iter().any(|element| self.machine.fits(config, element) || self.is_around(element, config))
    }

    /// Whether a configuration fits an element but for a thread in an atomic section that does not matter to it.
    fn is_around(&self, element: &Pattern, config: &Config) -> bool {
        let program = self.machine.program;
        let inside = config.threads.iter().position(|&(at, _)| program.location(at).is_atomic);
        let Some(inside) = inside.filter(|_| element.shared.get(program.atomic_bit()) == Some(false)) else {
            return false;
        };
        let mut outside = config.clone();
        let (at, _) = outside.threads.remove(inside);
        self.machine.fits(&outside, element) && self.is_idle(element, at, &mut Vec::new())
    }

    /// Whether nothing happens on the way to a location in a section that others see and the element mentions.
    fn is_idle(&self, element: &Pattern, at: LocationId, seen: &mut Vec<LocationId>) -> bool {
        let program = self.machine.program;
        if seen.contains(&at) || !program.location(at).is_atomic {
            return true;
        }
        seen.push(at);
        program.edges().iter().filter(|edge| edge.to == Some(at)).all(|edge| {
            let is_silent = match edge.effect {
                Effect::None => true,
                Effect::Start { .. } => false,
                Effect::Assign(id) => program.assignment(id).targets.iter().all(|it| match it.variable {
                    VariableId::Shared(variable) => element.shared.get(variable).is_none(),
                    VariableId::Local(_) => !it.is_passive,
                }),
            };
            is_silent && self.is_idle(element, edge.from, seen)
        })
    }

    /// The condition that elements violate, as far as the configurations here tell.
    fn violated(&self, elements: &[Pattern]) -> Option<Condition> {
        let targets = &self.case.question.targets;
        let is_target = |config: &Config| targets.iter().any(|it| self.machine.fits(config, it));
        let excluded: BTreeMap<&Config, bool> =
            self.steps.keys().map(|config| (config, self.excludes(elements, config))).collect();
        if self.steps.keys().any(|config| is_target(config) && !excluded[config]) {
            return Some(Condition::ProofTarget);
        }
        let n_initial = self.steps.keys().map(|config| config.threads.len()).max().unwrap();
        let entry = |at: LocationId| at == self.machine.program.entry();
        let initial = self.machine.configs(n_initial, &entry);
        // Fewer threads are initial as well as far as exclusion is concerned: adding some excludes no less.
        let may_start = |config: &Config| match self.case.question.threads {
            InitThreads::Exactly(count) => config.threads.len() <= count as usize,
            InitThreads::Any => true,
        };
        for config in initial.iter().filter(|config| may_start(config)) {
            if self.machine.outcomes(config, &self.through).iter().any(|it| self.excludes(elements, it)) {
                return Some(Condition::ProofInitial);
            }
        }
        let bad =
            |next: &Config| excluded.get(next).copied().unwrap_or_else(|| self.excludes(elements, next));
        let breaks =
            |(config, after): (&Config, &BTreeSet<Config>)| !excluded[config] && after.iter().any(bad);
        self.steps.iter().any(breaks).then_some(Condition::ProofPredecessor)
    }

    /// The checker says the same as brute force; returns whether the proof holds.
    #[track_caller]
    pub(crate) fn agree(&self, elements: &[Pattern]) -> bool {
        let document = common::proof(&self.case.program, elements, &self.through);
        let found = accepted_or_why(self.case, &document);
        let expected = self.violated(elements);
        assert_eq!(found.as_ref().err().map(|it| it.condition), expected, "{found:?}\n{elements:#?}");
        expected.is_none()
    }

    /// The smallest configurations from which a target can be reached, without exceeding `most` threads; `None` if more
    /// are needed.
    fn backward(&self, most: usize) -> Option<Vec<Pattern>> {
        let targets = &self.case.question.targets;
        let is_target = |config: &Config| targets.iter().any(|it| self.machine.fits(config, it));
        let mut elements: Vec<Config> = Vec::new();
        loop {
            let covers = |large: &Config| elements.iter().any(|small| self.covers(large, small));
            let size = elements.iter().map(|it| it.threads.len()).max().unwrap_or(0).max(1);
            if size >= most {
                return None;
            }
            let new = self.steps.iter().filter(|(config, after)| {
                config.threads.len() <= size + 1
                    && !covers(config)
                    && (is_target(config) || after.iter().any(covers))
            });
            // The one with the fewest threads is minimal.
            let new: Vec<Config> = new.map(|(config, _)| config.clone()).collect();
            let Some(least) = new.iter().map(|it| it.threads.len()).min() else { break };
            elements.extend(new.into_iter().filter(|it| it.threads.len() == least));
        }
        Some(elements.iter().map(|config| self.pattern(config)).collect())
    }

    /// Elements over total valuations without those in sections that do not matter to another one. One literal is
    /// dropped where the others say the same for both values: otherwise no section that assigns is left out.
    fn without_idle_sections(&self, elements: &[Pattern]) -> Vec<Pattern> {
        let mut fewer = elements.to_vec();
        for variable in 0..self.machine.program.shared().len() as u32 {
            let flipped = |element: &Pattern| {
                let value = element.shared.get(variable)?;
                Some(Pattern { shared: element.shared.clone().with(variable, !value), ..element.clone() })
            };
            let both: Vec<Pattern> = fewer
                .iter()
                .filter(|&it| flipped(it).is_some_and(|other| fewer.contains(&other)))
                .cloned()
                .collect();
            for element in fewer.iter_mut().filter(|it| both.contains(it)) {
                element.shared.clear(variable);
            }
        }
        let configs = |element: &Pattern| {
            let fits = |config: &&Config| self.machine.fits(config, element);
            self.steps.keys().filter(fits).cloned().collect::<Vec<Config>>()
        };
        let is_open = |element: &Pattern| element.shared.get(self.machine.program.atomic_bit()) == Some(true);
        let (inside, outside): (Vec<Pattern>, Vec<Pattern>) = fewer.into_iter().partition(is_open);
        let needed = inside.into_iter().filter(|element| {
            !configs(element).iter().all(|config| outside.iter().any(|it| self.is_around(it, config)))
        });
        let needed: Vec<Pattern> = needed.collect();
        [outside, needed].concat()
    }

    fn covers(&self, large: &Config, small: &Config) -> bool {
        let mut rest = large.threads.clone();
        let mut take = |thread| rest.iter().position(|it| it == thread).map(|at| rest.remove(at)).is_some();
        large.shared == small.shared
            && self.machine.bit(large) == self.machine.bit(small)
            && small.threads.iter().all(&mut take)
    }

    /// The pattern of exactly these values.
    fn pattern(&self, config: &Config) -> Pattern {
        let program = self.machine.program;
        let cube = |bits: u32, count: usize| -> Cube {
            (0..count as u32).map(|index| (index, bits >> index & 1 == 1)).collect()
        };
        let mut shared = cube(config.shared, program.shared().len());
        shared.set(program.atomic_bit(), self.machine.bit(config).unwrap());
        let threads = config
            .threads
            .iter()
            .map(|&(location, bits)| ThreadPattern { location, locals: cube(bits, program.locals().len()) });
        Pattern { shared, threads: threads.collect() }
    }
}

/// Small enough to look at all configurations with four threads.
fn is_small(case: &Case) -> bool {
    let machine = Machine { program: &case.program };
    case.program.locations().len() * machine.n_local() as usize <= 14
}

/// A random program with few configurations, and locations that threads pass through in it; `None` if it is too large.
pub(crate) fn random_case(random: &mut Random, seed: u64) -> Option<(Case, Vec<LocationId>)> {
    let kind = [Kind::Plain, Kind::Broadcasts, Kind::Local, Kind::Starts][seed as usize % 4];
    // Where nobody starts, nearly everything is allowed to be excluded, and steps decide.
    let exactly = InitThreads::Exactly;
    let threads = *random.choose(&[InitThreads::Any, exactly(0), exactly(1), exactly(2)]);
    let mut case = Case::new(&random::program(random, kind), threads);
    if random.one_in(3) {
        case.question.targets.push(random::pattern(random, &case.program, &|_| true));
    }
    let all = LocationId::all(case.program.locations().len());
    let is_target =
        |at| case.question.targets.iter().flat_map(|it| &it.threads).any(|thread| thread.location == at);
    let through: Vec<LocationId> = all
        .filter(|&at| kind == Kind::Local && common::can_pass(&case.program, at))
        .filter(|&at| !random.one_in(4) && !is_target(at))
        .collect();
    (is_small(&case) && !common::has_cycle(&case.program, &through)).then_some((case, through))
}

#[test]
fn random_proofs_are_judged_as_by_brute_force() {
    let (mut right, mut wrong) = (0, 0);
    for seed in seeds(0) {
        let random = &mut Random::new(seed);
        let Some((case, through)) = random_case(random, seed) else { continue };
        let world = World::new(&case, 4, through);
        let outside = |at: LocationId| !world.through.contains(&at);
        for _ in 0..20 {
            let mut elements: Vec<Pattern> =
                (0..random.below(4)).map(|_| random::pattern(random, &case.program, &outside)).collect();
            if !random.one_in(8) {
                elements.extend(case.question.targets.iter().cloned());
            }
            *if world.agree(&elements) { &mut right } else { &mut wrong } += 1;
        }
    }
    assert!(right > 20 && wrong > 100, "{right} right, {wrong} wrong");
}

#[test]
fn backward_reachability_over_total_valuations_is_a_proof() {
    let (mut safe, mut unsafe_, mut changed, mut still, mut shorter) = (0, 0, 0, 0, 0);
    for seed in seeds(1_000_000) {
        let random = &mut Random::new(seed);
        let Some((case, through)) = random_case(random, seed) else { continue };
        let world = World::new(&case, 4, through);
        let Some(elements) = world.backward(3) else { continue };
        let is_safe = world.agree(&elements);
        *if is_safe { &mut safe } else { &mut unsafe_ } += 1;
        let fewer = world.without_idle_sections(&elements);
        shorter += usize::from(fewer.len() < elements.len() && is_safe);
        assert_eq!(world.agree(&fewer), is_safe, "{fewer:#?}");
        for _ in 0..10 {
            let mut elements = if random.one_in(2) { elements.clone() } else { fewer.clone() };
            change(random, &mut elements);
            *if world.agree(&elements) { &mut still } else { &mut changed } += 1;
        }
    }
    let counts = format!("{safe} safe, {unsafe_} unsafe, {changed} broken by a change, {still} not broken");
    assert!(safe > 5 && unsafe_ > 5 && changed > 50 && still > 5, "{counts}");
    assert!(shorter > 0, "{shorter} proofs with sections that do not matter");
}

/// Makes some elements more general, or drops one.
fn change(random: &mut Random, elements: &mut Vec<Pattern>) {
    for _ in 0..1 + random.below(3) {
        if elements.is_empty() {
            return;
        }
        let number = random.below(elements.len());
        let element = &mut elements[number];
        match random.below(6) {
            0 => drop(elements.remove(number)),
            1 if !element.threads.is_empty() => drop(element.threads.pop()),
            2 | 3 => {
                let index = random.below(4) as u32;
                element.shared.clear(index);
            }
            _ => {
                let index = random.below(2) as u32;
                element.threads.iter_mut().for_each(|thread| thread.locals.clear(index));
            }
        }
    }
}

#[test]
fn a_lock_with_an_atomic_section_is_proved_by_hand() {
    let text = "decl lock; void main() begin \
                atomic_begin; assume(!lock); lock := 1; atomic_end; \
                C: skip; lock := 0; end";
    let mut case = Case::new(text, InitThreads::Any);
    let critical = case.program.locations_with_label("C").unwrap()[0];
    let two = ThreadPattern { location: critical, locals: Cube::any() };
    case.question.targets = vec![Pattern { shared: Cube::any(), threads: vec![two.clone(), two] }];
    // At the start the lock may be taken by nobody; but nobody may be inside while it is free.
    let at = |location: &str| format!(r#"[{{"at":"{location}"}},1]"#);
    let element = |shared: &str, threads: &[&str]| {
        let threads: Vec<String> = threads.iter().map(|it| at(it)).collect();
        format!(r#"{{"shared":{{"where":{{{shared}}}}},"threads":[{}]}}"#, threads.join(","))
    };
    let held = ["main:3 (atomic)", "main:4", "main:5"];
    let mut elements = Vec::new();
    for (number, first) in held.iter().enumerate() {
        for second in held[number..].iter().filter(|it| !it.contains("atomic")) {
            elements.push(element("", &[first, second]));
        }
        elements.push(element(r#""lock":false"#, &[first]));
    }
    elements.push(element("", &["main:2 (atomic)", "main:4"]));
    elements.push(element("", &["main:2 (atomic)", "main:5"]));
    let body = |elements: &[String]| format!(r#"{{"elements":[{}]}}"#, elements.join(","));
    case.accepts("proof", &body(&elements));
    for dropped in 0..elements.len() {
        let mut fewer = elements.clone();
        let gone = fewer.remove(dropped);
        assert!(case.check("proof", &body(&fewer)).is_err(), "{gone} is not needed");
    }
    case.rejects("proof", &body(&[element("", &["main:0"])]), Condition::ProofTarget);
    let with = |more: String| body(&[&elements[..], &[more]].concat());
    case.rejects("proof", &with(element("", &["main:0", "main:0"])), Condition::ProofInitial);
    case.rejects("proof", &with(element(r#""lok":true"#, &[])), Condition::Names);
    case.rejects("proof", &with(element("", &["main:9"])), Condition::Names);
    case.accepts("proof", &with(element(r#""(atomic)":false"#, &["main:3 (atomic)"])));
    case.rejects("proof", &with(element("", &[]).replace("[]", r#"[["l1",1]]"#)), Condition::Form);
    case.rejects("proof", &body(&elements).replacen("},1]", "},\"omega\"]", 1), Condition::Form);
    let cut = body(&elements).replacen('{', r#"{"cuts":[{"bound":1}],"#, 1);
    case.rejects("proof", &cut, Condition::Form);
}

#[test]
fn variables_that_nobody_mentions_do_not_matter() {
    let text = "decl a, b, c; void main() begin a := a & b | c; assert(a | !a); end";
    let case = Case::new(text, InitThreads::Any);
    assert!(case.program.shared().len() == 3);
    assert_eq!(case.program.variable_text(VariableId::Shared(1)), "b");
    // An assertion that cannot fail, but an edge to the error all the same: its guard is never true.
    case.accepts("proof", r#"{"elements":[{"threads":[[{"at":"error"},1]]}]}"#);
}
