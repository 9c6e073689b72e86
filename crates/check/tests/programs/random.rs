//! Random small programs and patterns, by numbers that are the same in every run.

use throng_boolprog::flow::{LocationId, Program};
use throng_boolprog::{Cube, Pattern, ThreadPattern};

/// Pseudo-random numbers.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % limit as u64) as usize
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn choose<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// The numbers of random cases from `first` on: 50, or as many as the environment variable `PROGRAM_SEEDS` says.
pub(crate) fn seeds(first: u64) -> std::ops::Range<u64> {
    let count = std::env::var("PROGRAM_SEEDS").ok().and_then(|text| text.parse().ok());
    first..first + count.unwrap_or(50)
}

/// Which statements a program may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Without assignments to passive threads.
    Plain,
    /// With them.
    Broadcasts,
    /// With many local steps.
    Local,
    /// With many threads that are started.
    Starts,
}

/// The text of a random program with few locations and variables.
pub(crate) fn program(random: &mut Random, kind: Kind) -> String {
    let n_shared = 1 + usize::from(random.one_in(3));
    let shared = &["x", "y"][..n_shared];
    let has_function = random.one_in(3);
    let locals = &["l", "k"][..if has_function || !random.one_in(3) { 1 } else { 2 }];
    let length = 2 + random.below(3);
    let mut text = format!("decl {};\nvoid main() begin\n  decl {};\n", shared.join(", "), locals.join(", "));
    if random.one_in(6) {
        text += &format!("  enforce {};\n", expression(random, &[shared, locals].concat(), 1));
    }
    for number in 0..length {
        let statement = statement(random, kind, shared, locals, length, has_function);
        text += &format!("  L{number}: {statement};\n");
    }
    text += "end\n";
    if has_function {
        let assertion = expression(random, &[shared, &["p"]].concat(), 1);
        text += &format!("void f(p) begin\n  {}({assertion});\nend\n", random.choose(&["assert", "assume"]));
    }
    text
}

fn statement(
    random: &mut Random,
    kind: Kind,
    shared: &[&str],
    locals: &[&str],
    length: usize,
    has_function: bool,
) -> String {
    let all = [shared, locals].concat();
    let value = |random: &mut Random| expression(random, &all, 2);
    let label = |random: &mut Random| format!("L{}", random.below(length));
    let start = |random: &mut Random| match has_function {
        true => format!("start_thread f({})", expression(random, locals, 1)),
        false => format!("start_thread goto {}", label(random)),
    };
    let which = match kind {
        Kind::Local => random.below(8),
        // Half of the statements are what the kind is about.
        Kind::Broadcasts if random.one_in(2) => 12,
        Kind::Starts if random.one_in(2) => 8,
        _ => random.below(16),
    };
    match which {
        0 => "skip".to_owned(),
        1 | 2 => {
            let value = expression(random, locals, 2);
            format!("{} := {value}", random.choose(locals))
        }
        3 => format!("assert({})", value(random)),
        4 => format!("{} := {}", random.choose(shared), value(random)),
        5 => format!("assume({})", value(random)),
        6 => format!("goto {}", label(random)),
        7 => "atomic_begin".to_owned(),
        8 => start(random),
        9 => "atomic_end".to_owned(),
        10 => "end_thread".to_owned(),
        11 | 12 if kind == Kind::Broadcasts => {
            let (local, other) = (*random.choose(locals), *random.choose(locals));
            let mut readable = all.clone();
            let passive = format!("{other}$");
            readable.push(&passive);
            let value = expression(random, &readable, 2);
            let mut text = format!("{local}$ := {value}");
            if random.one_in(2) {
                let own = random.choose(&all);
                text = format!("{own}, {local}$ := {}, {value}", expression(random, &all, 1));
            }
            if random.one_in(2) {
                let next = format!("'{local}$");
                readable.push(&next);
                text += &format!(" constrain {}", expression(random, &readable, 2));
            }
            text
        }
        11 => {
            let (target, other) = (*random.choose(&all), *random.choose(&all));
            let next = [format!("'{target}"), format!("'{other}")];
            let mut readable = all.clone();
            readable.extend(next.iter().map(String::as_str));
            let constraint = expression(random, &readable, 2);
            format!("{target} := {} constrain {constraint}", value(random))
        }
        12 => format!("goto {}, {}", label(random), label(random)),
        13 if shared.len() == 2 => format!("x, y := {}, {}", value(random), value(random)),
        14 => "atomic_begin".to_owned(),
        _ => format!("{} := {}", random.choose(shared), value(random)),
    }
}

fn expression(random: &mut Random, variables: &[&str], depth: usize) -> String {
    if depth == 0 || random.one_in(3) {
        return match random.below(8) {
            0 => "*".to_owned(),
            1 => ["0", "1"][random.below(2)].to_owned(),
            2 | 3 => format!("!{}", random.choose(variables)),
            _ => (*random.choose(variables)).to_owned(),
        };
    }
    let operator = *random.choose(&["&", "|", "=", "!=", "=>"]);
    let (left, right) = (expression(random, variables, depth - 1), expression(random, variables, depth - 1));
    if random.one_in(8) {
        format!("schoose[{left}, {right}]")
    } else {
        format!("({left} {operator} {right})")
    }
}

/// A random pattern with at most two threads, at locations that are kept.
pub(crate) fn pattern(random: &mut Random, program: &Program, keep: &dyn Fn(LocationId) -> bool) -> Pattern {
    let locations: Vec<LocationId> =
        LocationId::all(program.locations().len()).filter(|&at| keep(at)).collect();
    let cube = |random: &mut Random, n_variables: usize, one_in: usize| {
        let mut cube = Cube::any();
        for index in 0..n_variables as u32 {
            if random.one_in(one_in) {
                cube.set(index, random.one_in(2));
            }
        }
        cube
    };
    let mut shared = cube(random, program.shared().len(), 3);
    if random.one_in(4) {
        shared.set(program.atomic_bit(), random.one_in(2));
    }
    let threads = (0..1 + random.below(2)).map(|_| ThreadPattern {
        location: *random.choose(&locations),
        locals: cube(random, program.locals().len(), 3),
    });
    Pattern { shared, threads: threads.collect() }
}
