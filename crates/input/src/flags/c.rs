//! The flags that say how a C program is read.

use super::labels::Labels;
use std::path::{Path, PathBuf};
use throng_base::{Budget, Diagnostic, Source};
use throng_c_front::hir::DataModel;
use throng_c_front::lower::{self, Properties};
use throng_c_front::preprocess::Preprocessing;
use throng_cfa::flow::{Program, PropertyKind};

/// The extensions of C programs. The first is the name of the format on the command line.
pub(super) const C_EXTENSIONS: [&str; 2] = ["c", "i"];

/// How the words about assumptions begin.
pub const ASSUME: &str = "--assume=";

/// What one step of a thread is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Atomicity {
    /// One access to a shared object.
    #[default]
    Access,
    /// One statement.
    Statement,
}

/// What reading a volatile object gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Volatile {
    /// What threads wrote last.
    #[default]
    Shared,
    /// Anything: a device may have changed it.
    Nondet,
}

/// What arithmetic is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Integers {
    /// Numbers have as many bits as their type and wrap around.
    #[default]
    Machine,
    /// Numbers are unbounded and never overflow.
    Mathematical,
}

/// What else must not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum CCheck {
    /// Arrays are accessed within their bounds, and pointers point to objects (the default).
    Bounds,
    /// No division by zero (the default).
    Div,
    /// No signed integer overflows; shifts are by less than the width (the default).
    Overflow,
    /// Mutexes are unlocked by who holds them, and not locked again.
    Mutex,
    /// All of these.
    All,
}

/// What is assumed not to happen, of what C leaves undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum CAssume {
    /// Pointers that are used point to a living object of their type.
    Pointers,
    /// Indices are within the bounds of their arrays.
    Bounds,
    /// No division by zero, nor of the least integer by -1.
    Division,
    /// Shifts are by less than the width.
    Shift,
    /// `__builtin_unreachable()` is not reached.
    Unreachable,
    /// All of these.
    All,
}

impl CAssume {
    /// Its name on the command line.
    fn word(self) -> &'static str {
        match self {
            CAssume::Pointers => "pointers",
            CAssume::Bounds => "bounds",
            CAssume::Division => "division",
            CAssume::Shift => "shift",
            CAssume::Unreachable => "unreachable",
            CAssume::All => "all",
        }
    }

    fn kinds(self) -> Vec<PropertyKind> {
        match self {
            CAssume::Pointers => vec![PropertyKind::Pointers],
            CAssume::Bounds => vec![PropertyKind::Bounds],
            CAssume::Division => vec![PropertyKind::Division],
            CAssume::Shift => vec![PropertyKind::Shift],
            CAssume::Unreachable => vec![PropertyKind::Unreachable],
            CAssume::All => PropertyKind::OBLIGATIONS.to_vec(),
        }
    }
}

impl CCheck {
    /// Its name on the command line.
    fn word(self) -> &'static str {
        match self {
            CCheck::Bounds => "bounds",
            CCheck::Div => "div",
            CCheck::Overflow => "overflow",
            CCheck::Mutex => "mutex",
            CCheck::All => "all",
        }
    }

    /// The obligations that it asks for by name.
    fn kinds(self) -> Vec<PropertyKind> {
        match self {
            CCheck::Bounds => vec![PropertyKind::Pointers, PropertyKind::Bounds],
            CCheck::Div => vec![PropertyKind::Division],
            CCheck::Overflow => vec![PropertyKind::Shift],
            CCheck::Mutex => Vec::new(),
            CCheck::All => PropertyKind::OBLIGATIONS.to_vec(),
        }
    }
}

/// How a C program is read.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct CFlags {
    /// C: look for included files here, too; several are searched in order
    #[cfg_attr(feature = "clap", arg(short = 'I', value_name = "DIR"))]
    pub include: Vec<PathBuf>,

    /// C: define a macro: `NAME` or `NAME=VALUE`
    #[cfg_attr(feature = "clap", arg(short = 'D', value_name = "MACRO"))]
    pub define: Vec<String>,

    /// C: forget a macro
    #[cfg_attr(feature = "clap", arg(short = 'U', value_name = "MACRO"))]
    pub undefine: Vec<String>,

    /// C: `long` and pointers have 32 bits
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "lp64"))]
    pub ilp32: bool,

    /// C: `long` and pointers have 64 bits (the default)
    #[cfg_attr(feature = "clap", arg(long))]
    pub lp64: bool,

    /// C: what a thread does in one step: an access to a shared object, or a statement
    #[cfg_attr(feature = "clap", arg(long, value_name = "STEP", value_enum, default_value_t))]
    pub atomicity: Atomicity,

    /// C: what reading a volatile object gives: what was written, or anything
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHAT", value_enum, default_value_t))]
    pub volatile: Volatile,

    /// C: arithmetic wraps around as on machines, or never overflows
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHICH", value_enum, default_value_t))]
    pub integers: Integers,

    /// C: call functions without a body and without a model: they return anything and change what they are given the
    /// address of (each is listed at the end)
    #[cfg_attr(feature = "clap", arg(long))]
    pub havoc_calls: bool,

    /// C: what else must not happen
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIST", value_enum, value_delimiter = ','))]
    pub check: Vec<CCheck>,

    /// C: leave runs out in which this happens, instead of asking whether it can; what `--check` names is asked all the same
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIST", value_enum, value_delimiter = ','))]
    pub assume: Vec<CAssume>,

    /// C: leave out runs with more than N threads in all, the first one included; numbers that count threads do not wrap around then
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1 << 48))
    )]
    pub threads_at_most: Option<u64>,

    /// C: any number of threads run these functions, with any arguments; no main is needed
    #[cfg_attr(feature = "clap", arg(long, value_name = "FUNCTIONS", value_delimiter = ','))]
    pub threads_run: Vec<String>,

    /// C: read `.c` files with throng's own preprocessor, not with the system's compiler
    #[cfg_attr(feature = "clap", arg(long))]
    pub own_preprocessor: bool,

    /// C: threads that wait for a condition variable wake up only when they are told to
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_spurious_wakeups: bool,
}

impl CFlags {
    /// Reads the files of a C program. `labels` are the values of `--label`, `property` is that of `--property`. `Err` holds
    /// at least one error.
    pub fn read(
        &self,
        files: &[PathBuf],
        labels: &[String],
        property: Option<&Path>,
        list_unsupported: bool,
    ) -> Result<(Program, Vec<Diagnostic>), Vec<Diagnostic>> {
        self.read_within(&Budget::unlimited(), files, labels, property, list_unsupported)
    }

    /// The same, and a compiler that preprocesses files gets what is left of the budget.
    pub fn read_within(
        &self,
        budget: &Budget,
        files: &[PathBuf],
        labels: &[String],
        property: Option<&Path>,
        list_unsupported: bool,
    ) -> Result<(Program, Vec<Diagnostic>), Vec<Diagnostic>> {
        let (preprocessing, options) = self.settings(budget, labels, property, list_unsupported)?;
        lower::read(files, &preprocessing, &options)
    }

    /// How files are preprocessed and what they mean. The arguments are those of [`CFlags::read_within`].
    pub fn settings(
        &self,
        budget: &Budget,
        labels: &[String],
        property: Option<&Path>,
        list_unsupported: bool,
    ) -> Result<(Preprocessing, lower::Options), Vec<Diagnostic>> {
        let preprocessing = Preprocessing {
            include: self.include.clone(),
            defines: self.define.clone(),
            undefines: self.undefine.clone(),
            data_model: if self.ilp32 { DataModel::Ilp32 } else { DataModel::Lp64 },
            own: self.own_preprocessor,
            budget: budget.clone(),
        };
        let mut properties = match property {
            None => Properties::default(),
            Some(file) => {
                let source = Source::read(file).map_err(|error| vec![error])?;
                lower::property_file(source.text()).map_err(|error| vec![error])?
            }
        };
        if !labels.is_empty() {
            let Labels { alone, together } = Labels::new(labels)?;
            properties = Properties { assertions: false, functions: Vec::new(), labels: alone, together };
        }
        let options = lower::Options {
            atomicity: match self.atomicity {
                Atomicity::Access => lower::Atomicity::Access,
                Atomicity::Statement => lower::Atomicity::Statement,
            },
            volatile: match self.volatile {
                Volatile::Shared => lower::Volatile::Shared,
                Volatile::Nondet => lower::Volatile::Nondet,
            },
            integers: match self.integers {
                Integers::Machine => lower::Integers::Machine,
                Integers::Mathematical => lower::Integers::Mathematical,
            },
            havoc_calls: self.havoc_calls,
            checks: lower::Checks {
                overflow: self.checks(CCheck::Overflow),
                mutex: self.checks(CCheck::Mutex),
            },
            assumed: self.assumed(property.is_some()),
            most_threads: self.threads_at_most,
            threads_run: self.threads_run.clone(),
            properties,
            spurious_wakeups: !self.no_spurious_wakeups,
            list_unsupported,
            ..lower::Options::default()
        };
        Ok((preprocessing, options))
    }

    /// Whether a file is a C program by its name.
    pub(super) fn is_c(file: &Path) -> bool {
        let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        C_EXTENSIONS.contains(&extension)
    }

    /// Each flag that is given, with its value, as on a command line.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut list = |flag: &str, values: Vec<String>| {
            words.extend(values.into_iter().map(|value| format!("{flag}{value}")));
        };
        list("-I", self.include.iter().map(|path| path.display().to_string()).collect());
        list("-D", self.define.clone());
        list("-U", self.undefine.clone());
        let flag = |is_given: bool, flag: &str| is_given.then(|| flag.to_owned());
        words.extend(flag(self.ilp32, "--ilp32"));
        words.extend(flag(self.lp64, "--lp64"));
        words.extend(flag(self.atomicity == Atomicity::Statement, "--atomicity=statement"));
        words.extend(flag(self.volatile == Volatile::Nondet, "--volatile=nondet"));
        words.extend(flag(self.integers == Integers::Mathematical, "--integers=mathematical"));
        words.extend(flag(self.havoc_calls, "--havoc-calls"));
        let checks: Vec<&str> = self.check.iter().map(|check| check.word()).collect();
        words.extend((!checks.is_empty()).then(|| format!("--check={}", checks.join(","))));
        let assumed: Vec<&str> = self.assume.iter().map(|assume| assume.word()).collect();
        words.extend((!assumed.is_empty()).then(|| format!("--assume={}", assumed.join(","))));
        words.extend(self.threads_at_most.map(|most| format!("--threads-at-most={most}")));
        let run = &self.threads_run;
        words.extend((!run.is_empty()).then(|| format!("--threads-run={}", run.join(","))));
        words.extend(flag(self.own_preprocessor, "--own-preprocessor"));
        words.extend(flag(self.no_spurious_wakeups, "--no-spurious-wakeups"));
        words
    }

    /// What is assumed not to happen: what was named, and everything if there is a property file, whose rules say that programs
    /// do nothing else that is undefined; but not what is checked by name.
    pub fn assumed(&self, has_property_file: bool) -> Vec<PropertyKind> {
        let checked: Vec<PropertyKind> = self.check.iter().flat_map(|check| check.kinds()).collect();
        let named: Vec<PropertyKind> = self.assume.iter().flat_map(|assume| assume.kinds()).collect();
        let is_assumed =
            |kind: &PropertyKind| (has_property_file || named.contains(kind)) && !checked.contains(kind);
        PropertyKind::OBLIGATIONS.into_iter().filter(is_assumed).collect()
    }

    /// The flags as evidence tells them: with all that is assumed.
    pub fn told(&self, has_property_file: bool) -> Vec<String> {
        let mut words = self.words();
        words.retain(|word| !word.starts_with(ASSUME));
        let assumed: Vec<&str> =
            self.assumed(has_property_file).into_iter().map(PropertyKind::word).collect();
        words.extend((!assumed.is_empty()).then(|| format!("{ASSUME}{}", assumed.join(","))));
        words
    }

    /// Refuses these flags where the input is no C program.
    pub fn for_others(&self) -> Result<(), Vec<Diagnostic>> {
        let errors = self.words().into_iter().map(|word| {
            Diagnostic::error("E0524", format!("`{word}` has a meaning for C programs only"))
                .hint("`--input-format c` reads the input as a C program, whatever its name is")
        });
        let errors: Vec<Diagnostic> = errors.collect();
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// Whether something must not happen.
    pub fn checks(&self, check: CCheck) -> bool {
        self.check.contains(&check) || self.check.contains(&CCheck::All)
    }
}
