//! Names and types: from the syntax trees of all units to one linked, typed program.
//!
//! Decides what every name means (scopes, tags, members, labels, linkage between units), what type every expression
//! has, and which conversions C11 §6.3 puts in; folds constant expressions; lays out structs and unions; turns
//! initialisers into lists of stores. What C forbids is an error with a place, and several are found in one run.
//!
//! Nothing is given a meaning here: floating-point numbers, `va_arg`, instructions and the like are kept as
//! [`hir::Unmodelled`] and refused later where they matter. Nested functions are refused here, since there is no way to
//! write them in the typed program.

mod assembly;
mod attributes;
mod builtins;
mod calls;
mod codes;
mod constant;
mod convert;
mod declare;
mod designator;
mod expression;
mod floating;
mod function;
mod initializer;
mod instructions;
mod layout;
mod library;
mod linkage;
mod operators;
mod place;
mod precedence;
mod print;
mod records;
mod scope;
mod specifiers;
mod statement;
mod static_value;
mod types;
mod variable_length;
mod wide_fields;

#[cfg(test)]
mod tests;

pub use codes::CODES;

use crate::hir::{self, DataModel, Opaque, TypeId};
use crate::syntax;
use crate::syntax::IntegerWord;
use function::FunctionContext;
use linkage::{Linkage, UnitRecords};
use rustc_hash::{FxHashMap, FxHashSet};
use scope::Scopes;
use throng_base::{Diagnostic, Span};
use throng_cfa::text::Text;
use types::TypeTable;

/// How many errors are reported before the rest is left out.
const MAX_ERRORS: usize = 50;

/// Stack enough for the tallest tree that the parser makes, in builds without optimisation too.
const STACK_SIZE: usize = 64 << 20;

/// An error that has been reported: what depends on the part that is wrong is not looked at.
#[derive(Clone, Copy, Debug)]
struct Reported;

/// What a part of the tree gives unless it is wrong.
type Outcome<T> = Result<T, Reported>;

/// Resolves names and types of all units of a program. The second part of a success are warnings.
pub fn resolve(
    text: Text,
    units: Vec<syntax::Unit>,
    data_model: DataModel,
) -> Result<(hir::Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name("resolver".to_owned()).stack_size(STACK_SIZE);
        match builder.spawn_scoped(scope, || resolve_units(text, &units, data_model)) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => {
                let message = format!("cannot start a thread to look at the program: {error}");
                Err(vec![Diagnostic::error("E0801", message)])
            }
        }
    })
}

fn resolve_units(
    text: Text,
    units: &[syntax::Unit],
    data_model: DataModel,
) -> Result<(hir::Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut resolver = Resolver::new(&text, data_model);
    for unit in units.iter().filter(|unit| !unit.is_library) {
        resolver.unit(unit);
    }
    resolver.mark_linked();
    resolver.is_library = true;
    for unit in units.iter().filter(|unit| unit.is_library) {
        if resolver.wants(unit) {
            resolver.unit(unit);
        }
    }
    resolver.finish_program();
    let Resolver { types, records, objects, functions, errors, warnings, .. } = resolver;
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut types = types;
    let words =
        [IntegerWord::Char, IntegerWord::Short, IntegerWord::Int, IntegerWord::LongLong, IntegerWord::Int128];
    let words = words.map(|word| types.integer(word, false));
    let types = types.into_types();
    Ok((hir::Program { text, data_model, types, records, objects, functions, words }, warnings))
}

/// The state of resolution: the program so far, and what names mean at the place that is looked at.
struct Resolver<'t> {
    text: &'t Text,
    data_model: DataModel,
    types: TypeTable,
    records: Vec<hir::Record>,
    objects: Vec<hir::Object>,
    functions: Vec<hir::Function>,
    scopes: Scopes,
    linkage: Linkage,
    unit_records: UnitRecords,
    /// The function whose body is looked at.
    function: Option<FunctionContext>,
    /// Values of `const` integers that are known: C has no use for them, but arrays are given such lengths.
    known_values: FxHashMap<hir::ObjectId, u128>,
    /// Unions whose members' values are taken for them in calls.
    transparent: FxHashSet<hir::RecordId>,
    /// Functions that are called or whose address is taken.
    used_functions: FxHashSet<hir::FunctionId>,
    /// Whether what is read is our model of the library.
    is_library: bool,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

impl<'t> Resolver<'t> {
    fn new(text: &'t Text, data_model: DataModel) -> Self {
        Self {
            text,
            data_model,
            types: TypeTable::new(data_model),
            records: Vec::new(),
            objects: Vec::new(),
            functions: Vec::new(),
            scopes: Scopes::default(),
            linkage: Linkage::default(),
            unit_records: UnitRecords::default(),
            function: None,
            known_values: FxHashMap::default(),
            transparent: FxHashSet::default(),
            used_functions: FxHashSet::default(),
            is_library: false,
            errors: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Reports an error at a place.
    fn error(&mut self, code: &'static str, message: impl Into<String>, span: Span) -> Reported {
        self.report(self.text.error(code, message, span))
    }

    /// Reports an error at a place with advice.
    fn error_with_hint(
        &mut self,
        code: &'static str,
        message: impl Into<String>,
        span: Span,
        hint: impl Into<String>,
    ) -> Reported {
        self.report(self.text.error(code, message, span).hint(hint))
    }

    /// Reports an error that was put together elsewhere.
    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(diagnostic);
        }
        Reported
    }

    /// Reports a warning, unless it is about a header of the system.
    fn warn(&mut self, code: &'static str, message: impl Into<String>, span: Span) {
        if !self.text.is_system(span.start) && self.warnings.len() < MAX_ERRORS {
            self.warnings.push(self.text.at(Diagnostic::warning(code, message), span, ""));
        }
    }

    /// `file:line:column` of a place, for notes about another place than that of the message.
    fn place_name(&self, span: Span) -> String {
        let position = self.text.position(span.start);
        format!("{}:{}:{}", position.file, position.line, position.column)
    }

    /// A new object.
    fn new_object(&mut self, name: String, ty: TypeId, storage: hir::Storage, span: Span) -> hir::ObjectId {
        let id = hir::ObjectId::new(self.objects.len());
        self.objects.push(hir::Object {
            name,
            ty,
            storage,
            initial: Vec::new(),
            is_external: false,
            is_linked: false,
            is_weak: false,
            alignment: None,
            cleanup: None,
            length: None,
            span,
        });
        id
    }

    /// The opaque type that a typedef of this name stands for, whatever its definition is.
    fn opaque_of(name: &str) -> Option<Opaque> {
        Some(match name {
            "pthread_t" => Opaque::Thread,
            "pthread_mutex_t" => Opaque::Mutex,
            "pthread_mutexattr_t" => Opaque::MutexAttributes,
            "pthread_rwlock_t" => Opaque::ReadWriteLock,
            "pthread_cond_t" => Opaque::Condition,
            "pthread_attr_t" | "pthread_condattr_t" | "pthread_rwlockattr_t" | "pthread_barrierattr_t" => {
                Opaque::Attributes
            }
            _ => return None,
        })
    }
}
