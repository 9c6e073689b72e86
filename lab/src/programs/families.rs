//! Families of Boolean programs to measure with, the same for the same numbers and seed.
//!
//! * [`irrelevant`]: few variables matter for the assertion, the others only for each other.
//! * [`devices`]: a long program with many shared variables and the shape of a driver: locks, flags, loops, functions,
//!   threads that are started in one phase after the other.

use crate::choices::{Choices, SplitMix64};

/// Whether the assertion of a program holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// It holds with any number of threads.
    Safe,
    /// It fails with two workers.
    Unsafe,
}

/// A program with `v` shared and `v` local variables, at least 4, of which two shared and one local one matter: workers
/// take a lock and assert that they are alone. All others are assigned at random and from each other. In the
/// unsafe one a worker may give the lock back although it does not have it.
pub fn irrelevant(v: usize, wanted: Wanted, seed: u64) -> String {
    let v = v.max(4);
    let shared: Vec<String> = (0..v - 2).map(|i| format!("s{i}")).collect();
    let locals: Vec<String> = (0..v - 1).map(|i| format!("x{i}")).collect();
    let mut noise = Noise { choices: SplitMix64::new(seed), shared: shared.clone(), locals: locals.clone() };
    let release = match wanted {
        Wanted::Safe => "if has then has := 0; lock := 0; fi;",
        Wanted::Unsafe => "has := 0; lock := 0;",
    };
    let mut lines = vec![
        format!("// {v} shared and {v} local variables; only lock, busy and has matter. {wanted:?}."),
        format!("decl lock, busy, {};", shared.join(", ")),
        "void main() begin".to_owned(),
        "  lock, busy := 0, 0;".to_owned(),
        "  while * do start_thread worker(); od;".to_owned(),
        "end".to_owned(),
        "void worker() begin".to_owned(),
        format!("  decl has, {};", locals.join(", ")),
        "  has := 0;".to_owned(),
        "  while * do".to_owned(),
    ];
    let mut some = |lines: &mut Vec<String>, count: usize| {
        lines.extend((0..count).map(|_| format!("    {}", noise.assignment())));
    };
    some(&mut lines, v / 2);
    lines.push("    atomic_begin; assume(!lock); lock := 1; atomic_end;".to_owned());
    lines.push("    has := 1;".to_owned());
    lines.push("    assert(!busy);".to_owned());
    lines.push("    busy := 1;".to_owned());
    some(&mut lines, v / 2);
    lines.push("    busy := 0;".to_owned());
    lines.push(format!("    {release}"));
    some(&mut lines, 1);
    lines.push(format!("    {release}"));
    lines.extend(["  od;".to_owned(), "end".to_owned()]);
    lines.join("\n") + "\n"
}

/// Statements over variables that matter to nobody else.
struct Noise {
    choices: SplitMix64,
    shared: Vec<String>,
    locals: Vec<String>,
}

impl Noise {
    fn name(&mut self) -> String {
        let names = if self.choices.chance(50) { &self.shared } else { &self.locals };
        names[self.choices.below(names.len())].clone()
    }

    fn value(&mut self) -> String {
        let (a, b) = (self.name(), self.name());
        match self.choices.below(6) {
            0 => "*".to_owned(),
            1 => format!("!{a}"),
            2 => format!("{a} & {b}"),
            3 => format!("{a} | !{b}"),
            4 => format!("{a} ^ {b}"),
            _ => format!("schoose[{a}, {b}]"),
        }
    }

    fn assignment(&mut self) -> String {
        let (first, second) = (self.name(), self.name());
        if first == second || self.choices.chance(60) {
            return format!("{first} := {};", self.value());
        }
        format!("{first}, {second} := {}, {};", self.value(), self.value())
    }
}

/// Functions of one device, and the lines that they take.
const LINES_PER_DEVICE: usize = 46;

/// A program of about so many lines and shared variables: a driver for several devices, each with a lock and two flags. In
/// each phase `main` starts users of a few devices and waits until one of them has finished; then comes the next phase,
/// while users of the last one may still run. All assertions hold.
pub fn devices(lines: usize, shared: usize, seed: u64) -> String {
    let n_devices = (shared.saturating_sub(2) / 3).max(1);
    let mut choices = SplitMix64::new(seed);
    let flags = |i: usize| format!("lock{i}, open{i}, full{i}");
    let mut text = vec![format!("// A driver for {n_devices} devices.")];
    text.extend((0..n_devices).map(|i| format!("decl {};", flags(i))));
    text.push("decl done, failed;".to_owned());
    text.push("void main() begin".to_owned());
    for i in 0..n_devices {
        text.push(format!("  {} := 0, 0, 0;", flags(i)));
    }
    text.push("  done, failed := 0, 0;".to_owned());
    for i in 0..n_devices {
        text.push(format!("  while * do start_thread user{i}(0); od;"));
        text.push(format!("  start_thread user{i}(1);"));
        text.push("  assume(done);".to_owned());
        text.push("  done := 0;".to_owned());
    }
    text.push("end".to_owned());
    // What is left of the lines is spread over the users.
    let rest = lines.saturating_sub(text.len() + n_devices * LINES_PER_DEVICE) / n_devices;
    for i in 0..n_devices {
        device(i, rest, &mut choices, &mut text);
    }
    text.join("\n") + "\n"
}

/// The functions of a device.
fn device(i: usize, rest: usize, choices: &mut SplitMix64, text: &mut Vec<String>) {
    let functions = format!(
        "
// Device {i}: whoever holds its lock may look at its flags.
void acquire{i}() begin
  atomic_begin;
  assume(!lock{i});
  lock{i} := 1;
  atomic_end;
end

void release{i}() begin
  assert(lock{i});
  lock{i} := 0;
end

bool<2> read{i}() begin
  decl value;
  if !open{i} then
    return 0, 0;
  fi;
  value := full{i};
  if value then
    full{i} := 0;
  fi;
  return 1, value;
end

bool write{i}(value) begin
  if !open{i} | full{i} then
    return 0;
  fi;
  full{i} := value;
  assert(full{i} = value);
  return 1;
end

void user{i}(writes) begin
  decl ok, value;
  ok, value := 0, writes;
  while !ok do
    acquire{i}();
    open{i} := 1;"
    );
    text.extend(functions.lines().map(str::to_owned));
    for _ in 0..rest {
        text.push(format!("    {}", work(i, choices)));
    }
    let end = format!(
        "    if writes then
      ok := write{i}(value);
    else
      ok, value := read{i}();
    fi;
    open{i} := 0;
    release{i}();
  od;
  done := 1;
end"
    );
    text.extend(end.lines().map(str::to_owned));
}

/// What a user does with a device whose lock it holds.
fn work(i: usize, choices: &mut SplitMix64) -> String {
    match choices.below(8) {
        0 => format!("if full{i} & !writes then value := 1; fi;"),
        1 => "value := value | writes;".to_owned(),
        2 => "if * then skip; else value := !value; fi;".to_owned(),
        3 => format!("assert(lock{i} & open{i});"),
        4 => format!("while full{i} do full{i} := *; od;"),
        5 => "ok := 0;".to_owned(),
        6 => format!("full{i} := schoose[full{i}, *];"),
        _ => "skip;".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::{Budget, Source};
    use throng_boolprog::ProgramQuestion;
    use throng_boolprog::flow::Program;
    use throng_engine::{Answer, EngineKind, Options, Silent};
    use throng_symbolic::ProgramSystem;

    fn read(text: &str) -> Program {
        let input = throng_boolprog::read(&Source::from_text("p", text));
        input.unwrap_or_else(|errors| panic!("{}\n{text}", errors[0])).program
    }

    #[test]
    fn irrelevant_variables_do_not_change_the_verdict() {
        for (wanted, seed) in [(Wanted::Safe, 1), (Wanted::Unsafe, 1), (Wanted::Safe, 2), (Wanted::Unsafe, 3)]
        {
            let program = read(&irrelevant(4, wanted, seed));
            assert_eq!((program.shared().len(), program.locals().len()), (4, 4));
            let question = ProgramQuestion::assertions(&program, program.default_threads());
            let system = ProgramSystem::new(&program, question).expect("small statements");
            let options = Options::default();
            let found = EngineKind::Backward.run(&system, &options, &Budget::unlimited(), &Silent).answer;
            match wanted {
                Wanted::Safe => assert!(matches!(found, Answer::Safe(_)), "{seed}"),
                Wanted::Unsafe => assert!(matches!(found, Answer::Unsafe(_)), "{seed}"),
            }
        }
        for v in 5..=20 {
            let program = read(&irrelevant(v, Wanted::Safe, v as u64));
            assert_eq!((program.shared().len(), program.locals().len()), (v, v));
        }
    }

    #[test]
    fn drivers_have_the_size_that_is_asked_for() {
        let text = devices(1_000, 30, 1);
        let program = read(&text);
        assert_eq!(program.shared().len(), 29);
        assert!((950..=1_050).contains(&text.lines().count()), "{} lines", text.lines().count());
        assert_ne!(text, devices(1_000, 30, 2));
    }
}
