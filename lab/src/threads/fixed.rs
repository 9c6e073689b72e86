//! Random C programs that start finitely many threads, wait for them and use what they return, and whether an assertion of theirs
//! can fail, by trying everything.
//!
//! A program is a list of instructions for each thread, each with at most one access to what is shared. It is drawn, written as C, and
//! run here, by code that knows nothing of control-flow graphs.

use std::collections::HashSet;
use std::fmt::Write;

/// How many plain shared variables there are; after them comes an atomic one.
const PLAIN: usize = 2;
/// How many threads besides `main`.
const WORKERS: usize = 3;
/// More states are not looked at.
const MOST_STATES: usize = 300_000;

/// What a thread does next.
#[derive(Clone, Debug)]
enum Instruction {
    /// `v = v + n`, in two steps: the first one.
    Read(usize),
    /// The second one.
    WriteSum(usize, i64),
    /// `a += n`, at once.
    AtomicAdd(i64),
    Set(usize, i64),
    /// Go there unless the variable has the value.
    Unless(usize, i64, usize),
    Lock,
    Unlock,
    Start(usize),
    Join(usize),
    /// What the last join told, into a variable.
    Keep(usize),
    Assert(usize, i64),
    End(i64),
}

/// A program with what is true of it.
#[derive(Clone, Debug)]
pub struct FixedProgram {
    /// The program as C.
    pub text: String,
    /// The instructions of `main` and the others.
    code: Vec<Vec<Instruction>>,
}

/// A generator of numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

struct Maker {
    random: Random,
    text: String,
    code: Vec<Instruction>,
    depth: usize,
}

/// The program of a seed.
pub fn from_seed(seed: u64) -> FixedProgram {
    let mut text = String::from(
        "typedef unsigned long pthread_t;\ntypedef struct { long state[5]; } pthread_mutex_t;\n\
         int pthread_create(pthread_t *, void *, void *(*)(void *), void *);\nint pthread_join(pthread_t, void **);\n\
         int pthread_mutex_lock(pthread_mutex_t *);\nint pthread_mutex_unlock(pthread_mutex_t *);\nvoid reach_error(void);\n\
         int v0, v1;\n_Atomic int v2;\npthread_mutex_t m;\npthread_t t[3];\n",
    );
    let mut random = Random(seed);
    let n_workers = 1 + random.below(WORKERS);
    // The last worker may be started by the one before it.
    let is_nested = n_workers > 1 && random.chance(35);
    let mut code = vec![Vec::new(); n_workers + 1];
    for worker in (0..n_workers).rev() {
        let mut maker = Maker { random, text: String::new(), code: Vec::new(), depth: 1 };
        maker.some(1 + n_workers % 2);
        if is_nested && worker + 2 == n_workers {
            maker.start(worker + 1);
            maker.some(1);
            if maker.random.chance(75) {
                maker.join(worker + 1);
            }
        }
        maker.some(1);
        let result = maker.random.below(3) as i64;
        maker.line(&format!("return (void *){result};"));
        maker.code.push(Instruction::End(result));
        let _ = writeln!(text, "void *w{worker}(void *p)\n{{\n    void *r = 0;\n{}}}", maker.text);
        code[worker + 1] = maker.code;
        random = maker.random;
    }
    let mut maker = Maker { random, text: String::new(), code: Vec::new(), depth: 1 };
    let started: Vec<usize> = (0..n_workers).filter(|&worker| !is_nested || worker + 1 < n_workers).collect();
    for &worker in &started {
        maker.start(worker);
        if maker.random.chance(25) {
            maker.some(1);
        }
    }
    for &worker in &started {
        if maker.random.chance(85) {
            maker.join(worker);
        }
    }
    maker.assertion();
    maker.line("return 0;");
    maker.code.push(Instruction::End(0));
    let _ = writeln!(text, "int main(void)\n{{\n    void *r = 0;\n{}}}", maker.text);
    code[0] = maker.code;
    FixedProgram { text, code }
}

impl Maker {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:1$}{text}", "", 4 * self.depth);
    }

    fn some(&mut self, most: usize) {
        for _ in 0..self.random.below(most + 2) {
            self.statement();
        }
    }

    fn statement(&mut self) {
        let (v, n) = (self.random.below(PLAIN), self.random.below(3) as i64);
        match self.random.below(10) {
            0..3 => self.add(v, n),
            3..5 => {
                self.line(&format!("v{PLAIN} += {n};"));
                self.code.push(Instruction::AtomicAdd(n));
            }
            5 => {
                self.line(&format!("v{v} = {n};"));
                self.code.push(Instruction::Set(v, n));
            }
            6..8 if self.depth < 3 => {
                let v = self.random.below(PLAIN + 1);
                self.line(&format!("if (v{v} == {n}) {{"));
                let at = self.code.len();
                self.code.push(Instruction::Lock);
                self.depth += 1;
                self.statement();
                self.depth -= 1;
                self.line("}");
                self.code[at] = Instruction::Unless(v, n, self.code.len());
            }
            8 => {
                self.line("pthread_mutex_lock(&m);");
                self.code.push(Instruction::Lock);
                self.add(v, n);
                self.line("pthread_mutex_unlock(&m);");
                self.code.push(Instruction::Unlock);
            }
            _ if self.random.chance(30) => self.assertion(),
            _ => self.add(v, 1),
        }
    }

    fn add(&mut self, v: usize, n: i64) {
        self.line(&format!("v{v} = v{v} + {n};"));
        self.code.extend([Instruction::Read(v), Instruction::WriteSum(v, n)]);
    }

    fn assertion(&mut self) {
        let (v, n) = (self.random.below(PLAIN + 1), self.random.below(8) as i64);
        self.line(&format!("if (v{v} == {n}) reach_error();"));
        self.code.push(Instruction::Assert(v, n));
    }

    fn start(&mut self, worker: usize) {
        self.line(&format!("pthread_create(&t[{worker}], 0, w{worker}, 0);"));
        self.code.push(Instruction::Start(worker + 1));
    }

    fn join(&mut self, worker: usize) {
        self.line(&format!("pthread_join(t[{worker}], &r);"));
        self.code.push(Instruction::Join(worker + 1));
        if self.random.chance(50) {
            let v = self.random.below(PLAIN);
            self.line(&format!("v{v} = (int)(long)r;"));
            self.code.push(Instruction::Keep(v));
        }
    }
}

/// A thread: whether it was started, where it is, what it read, what the last join told, and what it returned.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Thread {
    is_started: bool,
    at: usize,
    read: i64,
    told: i64,
    result: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    values: [i64; PLAIN + 1],
    owner: Option<usize>,
    threads: Vec<Thread>,
}

impl FixedProgram {
    /// Whether an assertion can fail; `None` if there are too many states.
    pub fn can_fail(&self) -> Option<bool> {
        let mut threads = vec![Thread::default(); self.code.len()];
        threads[0].is_started = true;
        let start = State { values: [0; PLAIN + 1], owner: None, threads };
        let mut seen = HashSet::from([start.clone()]);
        let mut open = vec![start];
        while let Some(state) = open.pop() {
            // When main has returned, the program has ended.
            if state.threads[0].result.is_some() {
                continue;
            }
            for thread in 0..self.code.len() {
                match self.step(&state, thread) {
                    Step::Fails => return Some(true),
                    Step::Waits => {}
                    Step::To(next) => {
                        if seen.insert(next.clone()) {
                            open.push(next);
                        }
                    }
                }
            }
            if seen.len() > MOST_STATES {
                return None;
            }
        }
        Some(false)
    }

    fn step(&self, state: &State, thread: usize) -> Step {
        let own = &state.threads[thread];
        if !own.is_started || own.result.is_some() {
            return Step::Waits;
        }
        let mut next = state.clone();
        next.threads[thread].at += 1;
        match self.code[thread][own.at] {
            Instruction::Read(v) => next.threads[thread].read = state.values[v],
            Instruction::WriteSum(v, n) => {
                next.values[v] = own.read + n;
                next.threads[thread].read = 0;
            }
            Instruction::AtomicAdd(n) => next.values[PLAIN] += n,
            Instruction::Set(v, n) => next.values[v] = n,
            Instruction::Unless(v, n, to) if state.values[v] != n => next.threads[thread].at = to,
            Instruction::Unless(..) => {}
            Instruction::Lock if state.owner.is_some() => return Step::Waits,
            Instruction::Lock => next.owner = Some(thread),
            Instruction::Unlock => next.owner = None,
            Instruction::Start(k) => next.threads[k].is_started = true,
            Instruction::Join(k) => match state.threads[k].result {
                Some(result) => next.threads[thread].told = result,
                None => return Step::Waits,
            },
            Instruction::Keep(v) => next.values[v] = own.told,
            Instruction::Assert(v, n) if state.values[v] == n => return Step::Fails,
            Instruction::Assert(..) => {}
            Instruction::End(result) => next.threads[thread].result = Some(result),
        }
        Step::To(next)
    }
}

enum Step {
    Waits,
    Fails,
    To(State),
}
