//! What the user can choose about the meaning of a program.

use super::together::Together;
use throng_base::Diagnostic;
use throng_cfa::flow::PropertyKind;

/// What is one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Atomicity {
    /// One access to a shared object.
    #[default]
    Access,
    /// A statement.
    Statement,
}

/// What reading a volatile object gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Volatile {
    /// What was written: it is memory like any other.
    #[default]
    Shared,
    /// Anything: it is a register of a device.
    Nondet,
}

/// What integers are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integers {
    /// Bit-vectors that wrap around.
    #[default]
    Machine,
    /// Numbers: runs in which one leaves the range of its type are not looked at.
    Mathematical,
}

/// What is checked besides assertions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    /// Signed overflow.
    pub overflow: bool,
    /// Unlocking a mutex that the thread does not hold, locking one that it holds.
    pub mutex: bool,
}

/// What must not be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Properties {
    /// Whether failing assertions are errors; otherwise they end the run.
    pub assertions: bool,
    /// Functions that must not be called.
    pub functions: Vec<String>,
    /// Labels that must not be reached.
    pub labels: Vec<String>,
    /// Labels that several threads must not be at at the same time.
    pub together: Vec<Together>,
}

impl Properties {
    /// Whether it is about a label.
    pub fn names_label(&self, name: &str) -> bool {
        self.labels.iter().any(|known| known == name)
            || self.together.iter().any(|group| group.contains_key(name))
    }
}

impl Default for Properties {
    fn default() -> Self {
        Self {
            assertions: true,
            functions: vec!["reach_error".to_owned(), "__VERIFIER_error".to_owned()],
            labels: vec!["ERROR".to_owned()],
            together: Vec::new(),
        }
    }
}

/// All choices.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is one step.
    pub atomicity: Atomicity,
    /// What volatile objects hold.
    pub volatile: Volatile,
    /// What integers are.
    pub integers: Integers,
    /// Whether calls of unknown functions do anything to what they can reach, instead of being refused.
    pub havoc_calls: bool,
    /// What is checked besides assertions and obligations.
    pub checks: Checks,
    /// Obligations that are assumed to hold: runs in which one does not are left out.
    pub assumed: Vec<PropertyKind>,
    /// Functions that any number of threads run; instead of `main`.
    pub threads_run: Vec<String>,
    /// What must not be reached.
    pub properties: Properties,
    /// Whether `pthread_cond_wait` may return without a signal, as POSIX says.
    pub spurious_wakeups: bool,
    /// Refuse everything that is not modelled in the whole program, called or not, and whether it matters or not.
    pub list_unsupported: bool,
    /// How many threads a run may have in all, the first one included; runs with more are left out. `None` for any number.
    pub most_threads: Option<u64>,
    /// How many edges a program may have.
    pub max_edges: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            atomicity: Atomicity::default(),
            volatile: Volatile::default(),
            integers: Integers::default(),
            havoc_calls: false,
            checks: Checks::default(),
            assumed: Vec::new(),
            threads_run: Vec::new(),
            properties: Properties::default(),
            spurious_wakeups: true,
            list_unsupported: false,
            most_threads: None,
            max_edges: 200_000,
        }
    }
}

/// What a property file of SV-COMP says: `CHECK( init(main()), LTL(G ! call(reach_error())) )`. Other properties
/// than unreachable calls are refused.
pub fn property_file(text: &str) -> Result<Properties, Diagnostic> {
    let mut functions = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let words: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        let call = words
            .strip_prefix("CHECK(init(main()),LTL(G!call(")
            .or_else(|| words.strip_prefix("COVER(init(main()),LTL(G!call("))
            .and_then(|rest| rest.strip_suffix(")))"))
            .map(|name| name.trim_end_matches("()"));
        match call {
            Some(name) if !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                functions.push(name.to_owned());
            }
            _ => {
                let message = format!("the property `{line}` is not supported");
                return Err(Diagnostic::error("E0740", message)
                    .hint("write CHECK( init(main()), LTL(G ! call(reach_error())) )"));
            }
        }
    }
    if functions.is_empty() {
        return Err(Diagnostic::error("E0740", "the property file has no property")
            .hint("write CHECK( init(main()), LTL(G ! call(reach_error())) )"));
    }
    Ok(Properties { assertions: false, functions, labels: Vec::new(), together: Vec::new() })
}
