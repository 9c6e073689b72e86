//! Random Boolean programs with every statement of the language.
//!
//! [`generate`] writes a program that the reader accepts: names are declared, numbers of values agree, nothing is
//! recursive. Programs are small, so that [`super::interpret`] can run them with two or three threads. They come in two
//! styles: a *crowd* of threads that all run `main` from arbitrary values, and a `main` that gives values to variables
//! and then starts *workers*. Around random statements there are locks and atomic sections, without which no assertion
//! would hold for long.
//!
//! [`from_seed`] draws several and takes the first one whose assertion is worth asking for: a thread comes there, and
//! one thread alone does not make it fail. About one in eight is taken as it comes.

mod expression;
mod statement;

use super::interpret::explore;
use crate::choices::{Choices, SplitMix64};
use throng_base::Source;
use throng_boolprog::flow::{Effect, Program};
use throng_boolprog::{InitThreads, ProgramQuestion};

/// The largest sizes to draw.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Shared variables.
    pub shared: usize,
    /// Variables of each function, parameters not counted.
    pub locals: usize,
    /// Functions besides `main`.
    pub functions: usize,
    /// Statements of the whole program, without those that locks and the like add.
    pub statements: usize,
}

impl Default for Shape {
    fn default() -> Self {
        Self { shared: 3, locals: 2, functions: 2, statements: 12 }
    }
}

/// A program and how many threads should run it.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The program.
    pub text: String,
    /// How many threads start.
    pub threads: InitThreads,
}

impl Generated {
    /// The program as the reader sees it; `None` is a bug of the generator.
    pub fn read(&self) -> Option<Program> {
        let source = Source::from_text("random.bp", &self.text);
        throng_boolprog::read(&source).ok().map(|input| input.program)
    }
}

/// How many programs are looked at before the last one is taken.
const ATTEMPTS: usize = 8;

/// How many states are looked at to see whether a program is worth it.
const MOST_STATES: usize = 5_000;

/// A program that is worth asking about, most of the time.
pub fn from_seed(seed: u64) -> Generated {
    let choices = &mut SplitMix64::new(seed);
    let attempts = if choices.chance(12) { 1 } else { ATTEMPTS };
    let mut generated = generate(choices, &Shape::default());
    for _ in 1..attempts {
        if is_interesting(&generated) {
            break;
        }
        generated = generate(choices, &Shape::default());
    }
    generated
}

/// Whether a thread comes to an assertion that one thread alone cannot make fail.
fn is_interesting(generated: &Generated) -> bool {
    let Some(program) = generated.read() else { return true };
    let reached = |n: u32| {
        let question = ProgramQuestion::assertions(&program, generated.threads);
        explore(&program, &question, n, MOST_STATES)
    };
    let Some(alone) = reached(1) else { return false };
    let Some(two) = reached(2) else { return false };
    let error = program.error();
    let asserts = |edge: &throng_boolprog::flow::Edge| edge.to == Some(error) && edge.effect == Effect::None;
    alone.target.is_none()
        && two.depths.keys().any(|thread| program.outgoing(thread.location).iter().any(asserts))
}

/// What there is to call.
#[derive(Clone, Debug)]
struct Signature {
    name: String,
    parameters: usize,
    results: usize,
    /// Its variables, parameters first.
    variables: Vec<String>,
}

struct Generator<'c, C> {
    choices: &'c mut C,
    shared: Vec<String>,
    thread_locals: Vec<String>,
    /// `main` and the others. A function calls only those behind it; it may start any.
    functions: Vec<Signature>,
    /// Which function is being written.
    current: usize,
    /// Labels of the function that still have to be placed.
    unplaced: Vec<String>,
    /// All labels that may be jumped to.
    labels: Vec<String>,
    /// How many statements may still be written in this function.
    budget: usize,
    /// Whether threads start others.
    starts: bool,
    n_async: usize,
    lines: Vec<String>,
}

/// Draws a program.
pub fn generate(choices: &mut impl Choices, shape: &Shape) -> Generated {
    let starts = choices.chance(50);
    let mut generator = Generator {
        shared: (0..1 + choices.below(shape.shared)).map(|i| format!("s{i}")).collect(),
        thread_locals: (0..choices.pick(&[0, 0, 0, 1])).map(|i| format!("t{i}")).collect(),
        functions: Vec::new(),
        current: 0,
        unplaced: Vec::new(),
        labels: Vec::new(),
        budget: 0,
        starts,
        n_async: 0,
        lines: Vec::new(),
        choices,
    };
    generator.signatures(shape);
    generator.declare();
    let n_functions = generator.functions.len();
    let total = 3 + generator.choices.below(shape.statements - 2);
    // The assertion is in the function that most threads run.
    let asserting = if starts && n_functions > 1 { 1 } else { 0 };
    let main_first = generator.choices.chance(50);
    let mut order: Vec<usize> = (0..n_functions).collect();
    if !main_first {
        order.reverse();
    }
    for function in order {
        let part = if function == asserting { total } else { total / (2 * n_functions) };
        generator.function(function, part.max(1), function == asserting);
    }
    let threads = match (starts, generator.choices.below(8)) {
        (true, 0) => InitThreads::Any,
        (_, 1) => InitThreads::Exactly(2),
        (true, _) | (false, 2) => InitThreads::Exactly(1),
        _ => InitThreads::Any,
    };
    Generated { text: pretty(&generator.lines.join("\n")), threads }
}

/// The program in the printer's layout, or as it is if it cannot be read.
fn pretty(text: &str) -> String {
    let source = Source::from_text("random.bp", text);
    throng_boolprog::parse(&source).map_or_else(|_| text.to_owned(), |tree| throng_boolprog::print(&tree))
}

impl<C: Choices> Generator<'_, C> {
    /// Draws the heads of functions.
    fn signatures(&mut self, shape: &Shape) {
        let n_functions = 1 + self.choices.below(shape.functions + 1);
        for index in 0..n_functions {
            let is_main = index == 0;
            let parameters = if is_main { 0 } else { self.choices.pick(&[0, 0, 1, 2]) };
            let results = if is_main { 0 } else { self.choices.pick(&[0, 0, 1, 2]) };
            let locals = self.choices.below(shape.locals + 1).min(3 - parameters);
            // Functions share names, and seldom hide a shared variable.
            let hides = self.choices.chance(4);
            let mut variables: Vec<String> = (0..parameters).map(|i| format!("p{i}")).collect();
            variables.extend(
                (0..locals).map(|i| if hides && i == 0 { self.shared[0].clone() } else { format!("x{i}") }),
            );
            let name = if is_main { "main".to_owned() } else { format!("f{index}") };
            self.functions.push(Signature { name, parameters, results, variables });
        }
    }

    fn declare(&mut self) {
        self.lines.push(format!("decl {};", self.shared.join(", ")));
        if !self.thread_locals.is_empty() {
            self.lines.push(format!("thread_local decl {};", self.thread_locals.join(", ")));
        }
    }

    /// Writes a function with about so many statements.
    fn function(&mut self, index: usize, budget: usize, asserts: bool) {
        let Signature { name, parameters, results, variables } = self.functions[index].clone();
        self.current = index;
        self.labels = (0..1 + self.choices.below(3)).map(|i| format!("L{i}")).collect();
        if self.choices.chance(10) {
            self.labels.push("7".to_owned());
        }
        self.unplaced = self.labels.clone();
        let head = match results {
            0 => "void ".to_owned(),
            1 => "bool ".to_owned(),
            n => format!("bool<{n}> "),
        };
        let dfs = if self.choices.chance(3) { "dfs " } else { "" };
        self.lines.push(format!("{dfs}{head}{name}({}) begin", variables[..parameters].join(", ")));
        if variables.len() > parameters {
            self.lines.push(format!("decl {};", variables[parameters..].join(", ")));
        }
        self.budget = budget;
        if index == 0 && self.starts {
            self.prologue();
        }
        if asserts {
            self.asserting_body();
        } else {
            self.rest();
        }
        for label in std::mem::take(&mut self.unplaced) {
            self.lines.push(format!("{label}: skip;"));
        }
        if results > 0 && self.choices.chance(80) {
            let values = self.values(results);
            self.lines.push(format!("return {values};"));
        }
        self.lines.push("end".to_owned());
    }

    /// What `main` does before and while it starts others: gives values to variables, then starts workers.
    fn prologue(&mut self) {
        let known: Vec<String> = self
            .shared
            .clone()
            .into_iter()
            .filter(|name| !self.functions[0].variables.contains(name))
            .collect();
        let known: Vec<String> = known.into_iter().filter(|_| self.choices.chance(85)).collect();
        if !known.is_empty() {
            let values: Vec<&str> = known.iter().map(|_| self.choices.pick(&["0", "0", "0", "1"])).collect();
            self.lines.push(format!("{} := {};", known.join(", "), values.join(", ")));
        }
        let start = self.start();
        let line =
            if self.choices.chance(60) { format!("while * do {start} od;") } else { start + &self.start() };
        self.lines.push(line);
    }

    /// Statements with an assertion among them, often inside of a lock.
    fn asserting_body(&mut self) {
        let before = self.choices.below(self.budget + 1) / 2;
        self.some(before);
        let lock = self.shared[self.choices.below(self.shared.len())].clone();
        let style = self.choices.below(6);
        let (open, close) = match style {
            0 | 1 => {
                (format!("atomic_begin; assume(!{lock}); {lock} := 1; atomic_end;"), format!("{lock} := 0;"))
            }
            2 => (format!("{lock} := 1 constrain !{lock};"), format!("{lock} := 0;")),
            3 => ("atomic_begin;".to_owned(), "atomic_end;".to_owned()),
            4 => (format!("assume(!{lock}); {lock} := 1;"), format!("{lock} := 0;")),
            _ => (String::new(), String::new()),
        };
        let label = self.label();
        self.lines.push(format!("{label}{}", if open.is_empty() { "skip;".to_owned() } else { open }));
        let inside = self.choices.below(self.budget + 1).min(4);
        self.some(inside);
        let condition = if style < 5 && style != 3 && self.choices.chance(50) {
            format!("{lock} | {}", self.condition())
        } else {
            self.condition()
        };
        let label = self.label();
        self.lines.push(format!("{label}assert({condition});"));
        self.lines.push(close);
        self.rest();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_can_be_read_and_a_seed_gives_the_same_twice() {
        for seed in 0..2_000 {
            let generated = generate(&mut SplitMix64::new(seed), &Shape::default());
            let source = Source::from_text("random.bp", &generated.text);
            if let Err(errors) = throng_boolprog::read(&source) {
                panic!("seed {seed}: {}\n{}", errors[0], generated.text);
            }
        }
        assert_eq!(from_seed(7).text, from_seed(7).text);
        assert_ne!(from_seed(7).text, from_seed(8).text);
    }

    #[test]
    fn arbitrary_bytes_give_a_program() {
        let mut random = SplitMix64::new(3);
        for length in 0..200 {
            let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
            let generated = generate(&mut arbitrary::Unstructured::new(&bytes), &Shape::default());
            assert!(generated.read().is_some(), "{}", generated.text);
        }
    }

    #[test]
    fn every_statement_is_common() {
        let texts: Vec<String> =
            (0..1_000).map(|seed| generate(&mut SplitMix64::new(seed), &Shape::default()).text).collect();
        let all = [
            "skip;",
            "goto ",
            ", L1",
            "constrain",
            " := ",
            "$ :=",
            "'x",
            "x0$",
            "schoose[",
            "*",
            "assume(",
            "assert(",
            "abortif(",
            "enforce(",
            "if ",
            "elsif ",
            "else",
            "while ",
            "start_thread goto",
            "start_thread f",
            "ASYNC_",
            "end_thread",
            "atomic_begin",
            "atomic_end",
            "thread_local",
            "dead ",
            "return",
            "bool<2>",
            ":= f",
            "=>",
            "!=",
            "^",
            "7: ",
            "dfs ",
            "M11: ",
        ];
        for part in all {
            let count = texts.iter().filter(|text| text.contains(part)).count();
            assert!(count >= 10, "`{part}` occurs in {count} of 1000 programs");
        }
    }

    #[test]
    fn both_verdicts_are_common_with_two_and_three_threads() {
        let (mut safe, mut alone, mut two, mut three, mut large) = (0, 0, 0, 0, 0);
        for seed in 0..300 {
            let generated = from_seed(seed);
            let program = generated.read().expect("a program");
            let question = ProgramQuestion::assertions(&program, generated.threads);
            let fails = |n: u32| explore(&program, &question, n, 20_000).map(|it| it.target.is_some());
            match [fails(1), fails(2), fails(3)] {
                [Some(true), ..] => alone += 1,
                [_, Some(true), _] => two += 1,
                [.., Some(true)] => three += 1,
                [.., Some(false)] => safe += 1,
                _ => large += 1,
            }
        }
        let all =
            format!("{safe} safe, unsafe: {alone} alone, {two} with 2, {three} with 3; {large} too large");
        assert!(safe > 60 && two + three > 60 && three > 5 && alone > 5 && alone < 60 && large < 40, "{all}");
    }
}
