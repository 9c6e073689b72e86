//! Systems that can be edited: the plain lists of parts from which a [`System`] is built.
//!
//! A [`System`] is immutable and stored for speed. Generators and the shrinker work on a [`Sketch`] instead, and
//! its text form is what a failing test prints. Nothing here decides anything.

use std::fmt;
use throng_model::{
    Bag, Config, Entry, Initial, LocalId, Move, Names, Rule, SharedId, System, SystemBuilder,
};

/// The parts of a system whose states are numbered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch {
    /// Number of shared states.
    pub n_shared: usize,
    /// Number of local states.
    pub n_locals: usize,
    /// Whether the one shared state is anonymous, as in a Petri net.
    pub is_net: bool,
    /// The rules.
    pub rules: Vec<Rule>,
    /// The initial configurations.
    pub initial: Vec<Initial>,
    /// The targets.
    pub targets: Vec<Config>,
}

impl Sketch {
    /// States without rules, initial configurations or targets.
    pub fn new(n_shared: usize, n_locals: usize) -> Self {
        let (rules, initial, targets) = (Vec::new(), Vec::new(), Vec::new());
        Self { n_shared, n_locals, is_net: false, rules, initial, targets }
    }

    /// The parts of a system; names are forgotten.
    pub fn of(system: &System) -> Self {
        Self {
            n_shared: system.n_shared(),
            n_locals: system.n_locals(),
            is_net: system.is_net(),
            rules: system.rules().iter().map(|(_, rule)| rule.to_rule()).collect(),
            initial: system.initial().to_vec(),
            targets: system.targets().to_vec(),
        }
    }

    /// The system with these parts.
    ///
    /// Panics if a part refers to a state that does not exist: a sketch is made by tests, not read from files.
    pub fn build(&self) -> System {
        let locals = Names::Numbered(self.n_locals);
        let mut builder = if self.is_net {
            SystemBuilder::net(locals)
        } else {
            SystemBuilder::new(Names::Numbered(self.n_shared), locals)
        };
        for rule in &self.rules {
            builder.rule(rule, 0);
        }
        for initial in &self.initial {
            builder.initial(initial.clone());
        }
        for target in &self.targets {
            builder.target(target.clone());
        }
        builder.finish().expect("a sketch refers only to its own states")
    }

    /// Adds a rule; `moves` lists each source with its destinations.
    #[must_use]
    pub fn rule(
        mut self,
        (from, to): (usize, usize),
        take: &[usize],
        put: &[usize],
        moves: &[(usize, &[usize])],
    ) -> Self {
        let moves = moves.iter().map(|&(source, destinations)| Move {
            source: LocalId::new(source),
            destinations: destinations.iter().copied().map(LocalId::new).collect(),
        });
        let (from, to) = (SharedId::new(from), SharedId::new(to));
        self.rules.push(Rule { from, to, take: bag(take), put: bag(put), moves: moves.collect() });
        self
    }

    /// Adds an initial configuration with these threads, and any number in each of the `unbounded` locals.
    #[must_use]
    pub fn initial(mut self, shared: usize, exact: &[usize], unbounded: &[usize]) -> Self {
        let unbounded = unbounded.iter().copied().map(LocalId::new).collect();
        self.initial.push(Initial { shared: SharedId::new(shared), exact: bag(exact), unbounded });
        self
    }

    /// Adds a target.
    #[must_use]
    pub fn target(mut self, shared: usize, threads: &[usize]) -> Self {
        self.targets.push(config(shared, threads));
        self
    }
}

/// The bag with every number of threads changed. Panics if one does not fit: tests know their numbers.
pub fn map_counts(bag: &Bag, mut change: impl FnMut(u32) -> u32) -> Bag {
    let counts = bag.iter().map(|entry| (entry.local, change(entry.count)));
    Bag::from_counts(counts).expect("the numbers of a test fit")
}

/// The bag with one thread for each of these locals.
pub fn bag(threads: &[usize]) -> Bag {
    Bag::from_locals(threads.iter().copied().map(LocalId::new)).expect("a handful of threads")
}

/// The configuration with one thread for each of these locals.
pub fn config(shared: usize, threads: &[usize]) -> Config {
    Config::new(SharedId::new(shared), bag(threads))
}

/// The form in which a failing test shows a system: one line per part, configurations as on the command line.
impl fmt::Display for Sketch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let net = if self.is_net { " (a net)" } else { "" };
        writeln!(f, "{} shared, {} local states{net}", self.n_shared, self.n_locals)?;
        for initial in &self.initial {
            write!(f, "initial {}|{}", initial.shared.index(), threads(&initial.exact))?;
            if !initial.unbounded.is_empty() {
                write!(f, "/{}", locals(&initial.unbounded))?;
            }
            writeln!(f)?;
        }
        for (i, rule) in self.rules.iter().enumerate() {
            write!(f, "rule #{}: {}|{}", i + 1, rule.from.index(), threads(&rule.take))?;
            write!(f, " -> {}|{}", rule.to.index(), threads(&rule.put))?;
            for step in &rule.moves {
                write!(f, "  {} ~> {{{}}}", step.source.index(), locals(&step.destinations))?;
            }
            writeln!(f)?;
        }
        for target in &self.targets {
            writeln!(f, "target {}|{}", target.shared.index(), threads(&target.bag))?;
        }
        Ok(())
    }
}

fn threads(bag: &[Entry]) -> String {
    let entries = bag.iter().map(|entry| match entry.count {
        1 => entry.local.index().to_string(),
        count => format!("{}*{count}", entry.local.index()),
    });
    entries.collect::<Vec<_>>().join(",")
}

fn locals(locals: &[LocalId]) -> String {
    locals.iter().map(|local| local.index().to_string()).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_shows_every_part() {
        let sketch = Sketch::new(2, 3)
            .rule((0, 1), &[0, 0], &[1], &[(1, &[0, 2]), (2, &[])])
            .initial(0, &[1], &[0])
            .target(1, &[2, 2]);
        let text = "2 shared, 3 local states\n\
                    initial 0|1/0\n\
                    rule #1: 0|0*2 -> 1|1  1 ~> {0,2}  2 ~> {}\n\
                    target 1|2*2\n";
        assert_eq!(sketch.to_string(), text);
    }

    #[test]
    fn a_system_keeps_the_parts_of_its_sketch() {
        let sketch =
            Sketch::new(2, 2).rule((0, 1), &[0], &[1], &[(1, &[0])]).initial(0, &[], &[0]).target(1, &[1]);
        assert_eq!(Sketch::of(&sketch.build()), sketch);
    }
}
