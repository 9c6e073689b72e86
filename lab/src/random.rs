//! Small random systems with every kind of rule, from a seed or from the bytes of a fuzzer.
//!
//! Sizes are kept where the oracle can decide: up to four shared states, five locals and eight rules. Each
//! system draws a [`Flavour`] first, so that pure nets and pure thread transition systems are as common as
//! mixtures. [`Shape::heavy`] multiplies numbers of threads, where the oracle cannot count but may know the verdict.

use crate::choices::{Choices, SplitMix64};
use crate::sketch::{self, Sketch};
use throng_model::{Config, Initial, LocalId, Move, Rule, SharedId};

/// What kinds of rules a system has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    /// What `.tts` can express.
    Threads,
    /// A Petri net with weights and read arcs, one anonymous shared state.
    Net,
    /// A Petri net with transfers and resets.
    TransferNet,
    /// Everything at once.
    Mixed,
}

/// The kinds of rules that the generator makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// One thread goes from one local to another.
    Step,
    /// A thread stays and a new one appears.
    Spawn,
    /// A step, and passive threads of some locals go to one destination each.
    Broadcast,
    /// Nobody acts; passive threads move.
    PureBroadcast,
    /// A broadcast in which passive threads choose between destinations, several sources sharing some.
    Choice,
    /// Passive threads vanish.
    Reset,
    /// Takes and puts several threads.
    Weighted,
    /// Needs a thread that it does not change.
    ReadArc,
    /// Takes nothing and puts threads.
    Source,
    /// Takes threads and puts none.
    Sink,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 10] = [
        Kind::Step,
        Kind::Spawn,
        Kind::Broadcast,
        Kind::PureBroadcast,
        Kind::Choice,
        Kind::Reset,
        Kind::Weighted,
        Kind::ReadArc,
        Kind::Source,
        Kind::Sink,
    ];

    /// The kinds of a flavour; kinds that occur repeatedly are drawn more often.
    fn of(flavour: Flavour) -> &'static [Kind] {
        use Kind::*;
        match flavour {
            Flavour::Threads => &[Step, Step, Step, Step, Spawn, Broadcast, PureBroadcast, Choice],
            Flavour::Net => &[Step, Weighted, Weighted, Weighted, ReadArc, Sink, Source],
            Flavour::TransferNet => &[Step, Weighted, Weighted, Broadcast, Choice, Reset, ReadArc, Sink],
            Flavour::Mixed => &Kind::ALL,
        }
    }
}

/// The largest sizes to draw.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Shared states.
    pub shared: usize,
    /// Local states.
    pub locals: usize,
    /// Rules.
    pub rules: usize,
    /// Threads that a weighted rule takes or puts.
    pub weight: usize,
    /// Threads of a target.
    pub target_size: usize,
    /// What numbers of threads are multiplied with.
    pub scale: u32,
}

impl Default for Shape {
    fn default() -> Self {
        Self { shared: 4, locals: 5, rules: 8, weight: 3, target_size: 4, scale: 1 }
    }
}

impl Shape {
    /// Like the default, but with weights of up to a million.
    pub fn heavy() -> Self {
        Self { scale: 333_333, ..Self::default() }
    }
}

/// A system and what it is made of.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The system.
    pub sketch: Sketch,
    /// The kind of each rule.
    pub kinds: Vec<Kind>,
    /// A system of small numbers with the same verdict, if the system itself has large ones and there is one.
    pub small: Option<Sketch>,
}

/// The system with this seed.
pub fn from_seed(seed: u64) -> Generated {
    generate(&mut SplitMix64::new(seed), &Shape::default())
}

/// The system with this seed and weights of up to a million.
pub fn heavy_from_seed(seed: u64) -> Generated {
    generate(&mut SplitMix64::new(seed), &Shape::heavy())
}

/// Draws a system.
pub fn generate(choices: &mut impl Choices, shape: &Shape) -> Generated {
    let flavour = choices.pick(&[Flavour::Threads, Flavour::Net, Flavour::TransferNet, Flavour::Mixed]);
    let is_net = matches!(flavour, Flavour::Net | Flavour::TransferNet);
    let n_shared = if is_net { 1 } else { 1 + choices.below(shape.shared) };
    let mut sketch = Sketch::new(n_shared, 1 + choices.below(shape.locals));
    sketch.is_net = is_net;
    let mut generator = Generator { choices, shape, n_shared, n_locals: sketch.n_locals };
    // The larger of two draws: systems with few rules are decided at once and say little.
    let n_rules = generator.choices.below(shape.rules + 1).max(generator.choices.below(shape.rules + 1));
    let kinds: Vec<Kind> = (0..n_rules).map(|_| generator.choices.pick(Kind::of(flavour))).collect();
    sketch.rules = kinds.iter().map(|&kind| generator.rule(kind)).collect();
    sketch.initial = (0..1 + generator.few(20)).map(|_| generator.initial()).collect();
    sketch.targets = (0..1 + generator.few(15)).map(|_| generator.target(&sketch.initial)).collect();
    let mut generated = Generated { sketch, kinds, small: None };
    if shape.scale > 1 {
        make_heavy(&mut generated, choices, shape.scale);
    }
    generated
}

/// Multiplies the numbers of threads in a system with a factor, in two of three cases all of them. Then the verdict stays
/// the same: threads step in packets of that size, and what is left over when moved threads choose different ways is
/// of no use to any rule or target. (Passive threads flow through a network whose supplies and demands are whole packets;
/// such flows can be had in whole packets.) If no threads are moved it also stays when targets ask for a little less
/// than whole packets, or initial configurations have a little more.
fn make_heavy(generated: &mut Generated, choices: &mut impl Choices, scale: u32) {
    let transfers = |rule: &Rule| rule.moves.iter().any(|step| !step.destinations.is_empty());
    // Of a thousand threads any number may have stayed and any number have come, and systems have to stay small.
    let largest = if generated.sketch.rules.iter().any(transfers) { 3 } else { scale };
    let factor = choices.pick(&[2, 7, 1000, scale]).min(largest);
    let is_uniform = !choices.chance(33);
    if is_uniform {
        generated.small = Some(generated.sketch.clone());
    }
    let sketch = &mut generated.sketch;
    let rest = if sketch.rules.iter().any(|rule| !rule.moves.is_empty()) { 0 } else { factor - 1 };
    let (more, less) = choices.pick(&[(0, 0), (rest, 0), (0, rest)]);
    for bag in sketch.rules.iter_mut().flat_map(|rule| [&mut rule.take, &mut rule.put]) {
        *bag = sketch::map_counts(
            bag,
            |count| if is_uniform || choices.chance(40) { count * factor } else { count },
        );
    }
    for initial in &mut sketch.initial {
        initial.exact = sketch::map_counts(&initial.exact, |count| count * factor + more);
    }
    for target in &mut sketch.targets {
        target.bag = sketch::map_counts(&target.bag, |count| count * factor - less);
    }
}

struct Generator<'a, C> {
    choices: &'a mut C,
    shape: &'a Shape,
    n_shared: usize,
    n_locals: usize,
}

impl<C: Choices> Generator<'_, C> {
    /// 0 mostly, and 1 or 2 in about `percent` of the cases.
    fn few(&mut self, percent: usize) -> usize {
        if self.choices.chance(percent) { 1 + self.choices.below(2) } else { 0 }
    }

    fn local(&mut self) -> usize {
        self.choices.below(self.n_locals)
    }

    fn shared(&mut self) -> SharedId {
        SharedId::new(self.choices.below(self.n_shared))
    }

    /// Between `least` and `most` threads anywhere.
    fn threads(&mut self, least: usize, most: usize) -> Vec<usize> {
        let count = least + self.choices.below(most + 1 - least);
        (0..count).map(|_| self.local()).collect()
    }

    fn rule(&mut self, kind: Kind) -> Rule {
        let weight = self.shape.weight;
        let (take, put) = match kind {
            Kind::Step | Kind::Broadcast | Kind::Choice => (self.threads(1, 1), self.threads(1, 1)),
            Kind::Spawn => {
                let parent = self.local();
                (vec![parent], vec![parent, self.local()])
            }
            Kind::PureBroadcast => (vec![], vec![]),
            Kind::Reset => (self.threads(0, 1), self.threads(0, 1)),
            Kind::Weighted => (self.threads(1, weight), self.threads(0, weight)),
            Kind::ReadArc => {
                let (mut take, mut put) = (self.threads(1, 1), self.threads(1, 1));
                let read = self.threads(1, 2);
                take.extend(&read);
                put.extend(&read);
                (take, put)
            }
            Kind::Source => (vec![], self.threads(1, 2)),
            Kind::Sink => (self.threads(1, 2), vec![]),
        };
        let moves = self.moves(kind);
        // Most rules of a program pass from one shared state to another; nets have only one.
        let (from, to) = (self.shared(), self.shared());
        Rule { from, to, take: sketch::bag(&take), put: sketch::bag(&put), moves }
    }

    fn moves(&mut self, kind: Kind) -> Vec<Move> {
        let most_destinations = match kind {
            Kind::Broadcast | Kind::PureBroadcast => 1,
            Kind::Choice => 3,
            Kind::Reset => 0,
            _ => return Vec::new(),
        };
        let mut moves: Vec<Move> = Vec::new();
        for source in (0..self.n_locals).map(LocalId::new) {
            if !moves.is_empty() && !self.choices.chance(50) {
                continue;
            }
            let mut destinations: Vec<LocalId> = match most_destinations {
                0 => vec![],
                most => self.threads(1, most).into_iter().map(LocalId::new).collect(),
            };
            // Some resets are mixed into other broadcasts, and some transfers into resets.
            match destinations.is_empty() {
                true if self.choices.chance(20) => destinations.push(LocalId::new(self.local())),
                false if self.choices.chance(5) => destinations.clear(),
                _ => {}
            }
            destinations.sort_unstable();
            destinations.dedup();
            moves.push(Move { source, destinations });
        }
        // The table drops moves of a local to itself, so that a sketch and its system stay the same.
        moves.retain(|step| step.destinations != [step.source]);
        moves
    }

    fn initial(&mut self) -> Initial {
        let exact = self.threads(0, 2);
        let unbounded = if self.choices.chance(60) { self.threads(1, 2) } else { vec![] };
        let mut unbounded: Vec<LocalId> = unbounded.into_iter().map(LocalId::new).collect();
        unbounded.sort_unstable();
        unbounded.dedup();
        Initial { shared: self.shared(), exact: sketch::bag(&exact), unbounded }
    }

    /// A target that is seldom initial: otherwise most systems would be unsafe without a step.
    fn target(&mut self, initial: &[Initial]) -> Config {
        let mut target = self.any_target();
        for _ in 0..6 {
            if !initial.iter().any(|initial| initial.covers(target.view())) || self.choices.chance(5) {
                break;
            }
            target = self.any_target();
        }
        target
    }

    fn any_target(&mut self) -> Config {
        // A target without threads asks for a shared state only.
        let least = usize::from(self.n_shared == 1 || !self.choices.chance(10));
        let threads = self.threads(least, self.shape.target_size);
        Config::new(self.shared(), sketch::bag(&threads))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{Bounds, Verdict, decide};
    use throng_base::Budget;
    use throng_reduce::{Counters, Strength, reduce};

    #[test]
    fn a_seed_gives_the_same_system_twice() {
        assert_eq!(from_seed(7).sketch, from_seed(7).sketch);
        assert_ne!(from_seed(7).sketch, from_seed(8).sketch);
    }

    #[test]
    fn a_sketch_describes_the_system_it_builds() {
        for seed in 0..500 {
            let sketch = from_seed(seed).sketch;
            assert_eq!(Sketch::of(&sketch.build()), sketch, "seed {seed}");
        }
    }

    #[test]
    fn every_kind_of_rule_and_both_verdicts_are_common() {
        let (mut kinds, mut n_safe, mut n_unsafe) = (std::collections::BTreeSet::new(), 0, 0);
        for seed in 0..1000 {
            let generated = from_seed(seed);
            kinds.extend(generated.kinds);
            match decide(&generated.sketch.build(), &Bounds::default()) {
                Verdict::Safe(_) => n_safe += 1,
                Verdict::Unsafe(_) => n_unsafe += 1,
                Verdict::Undecided => {}
            }
        }
        assert_eq!(kinds.len(), Kind::ALL.len());
        assert!(n_safe > 250 && n_unsafe > 250, "{n_safe} safe, {n_unsafe} unsafe of 1000");
    }

    #[test]
    fn every_reduction_is_common() {
        let mut n_fired = [0; 6];
        for seed in 0..1000 {
            let system = from_seed(seed).sketch.build();
            let reduction = reduce(&system, Strength::Full, &Budget::unlimited());
            let Ok(Some(reduction)) = reduction else { continue };
            let Counters {
                unfireable_rules,
                unreachable_targets,
                irrelevant_rules,
                irrelevant_locals,
                dominated_rules,
                unbounded_locals,
                ..
            } = *reduction.counters();
            let counters = [
                unfireable_rules,
                unreachable_targets,
                irrelevant_rules,
                irrelevant_locals,
                dominated_rules,
                unbounded_locals,
            ];
            n_fired.iter_mut().zip(counters).for_each(|(n, counter)| *n += u32::from(counter > 0));
        }
        assert!(n_fired.iter().all(|&n| n > 20), "{n_fired:?} of 1000");
    }

    #[test]
    fn heavy_systems_have_the_verdict_of_small_ones() {
        let (mut n_heavy, mut n_million) = (0, 0);
        for seed in 0..300 {
            // A factor of two is one that the oracle can count to.
            let mut generated = from_seed(seed);
            make_heavy(&mut generated, &mut SplitMix64::new(seed), 2);
            let Some(small) = &generated.small else { continue };
            let verdicts = [small, &generated.sketch].map(|s| decide(&s.build(), &Bounds::default()));
            if let [Verdict::Safe(_), Verdict::Unsafe(_)] | [Verdict::Unsafe(_), Verdict::Safe(_)] = verdicts
            {
                panic!("seed {seed}: {verdicts:?}\n{}", generated.sketch);
            }
            n_heavy += u32::from(!verdicts.contains(&Verdict::Undecided));
            let rules = heavy_from_seed(seed).sketch.rules;
            let counts = rules.iter().flat_map(|rule| rule.take.iter().chain(rule.put.iter()));
            n_million += u32::from(counts.map(|entry| entry.count).max() == Some(999_999));
        }
        assert!(n_heavy > 50 && n_million > 5, "{n_heavy} decided, {n_million} with a weight of a million");
    }

    #[test]
    fn arbitrary_bytes_give_a_system() {
        let mut random = SplitMix64::new(3);
        for length in 0..200 {
            let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
            let generated = generate(&mut arbitrary::Unstructured::new(&bytes), &Shape::default());
            generated.sketch.build();
        }
    }
}
