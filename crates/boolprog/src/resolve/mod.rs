//! What names mean: which variable, function or label.
//!
//! * A variable of a function hides one outside with the same name (with a warning). Two declarations in one scope, a
//!   parameter included, are an error.
//! * Labels belong to a function; those in nested statements can be reached from everywhere in it.
//! * Functions, variables and labels do not get in each other's way.
//! * `main` must exist.
//!
//! [`Scopes`] holds the declarations; [`lookup`] finds names in it and says what is wrong with those it does not
//! find.

mod lookup;
mod order;

pub(crate) use lookup::{Lookup, Place};
pub(crate) use order::Order;

use crate::flow::{FunctionId, Variable, VariableId};
use crate::messages::Messages;
use crate::syntax::{Name, Program, Statement, Symbol};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use throng_base::{Diagnostic, Span};

/// Names of one kind with what they mean and where they are declared.
type Table<T> = FxHashMap<Symbol, (T, Span)>;

/// All declarations of a program.
#[derive(Debug)]
pub(crate) struct Scopes {
    pub(crate) shared: Vec<Variable>,
    pub(crate) locals: Vec<Variable>,
    /// How many of the local variables belong to functions that are used; they come first.
    pub(crate) n_used_locals: usize,
    /// Where the program starts; `None` is an error.
    pub(crate) main: Option<FunctionId>,
    globals: Table<VariableId>,
    functions: Table<FunctionId>,
    inner: Vec<Scope>,
}

/// The declarations of a function.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    /// Its parameters, in order.
    pub(crate) parameters: Vec<VariableId>,
    /// Its other variables, in order.
    pub(crate) variables: Vec<VariableId>,
    names: Table<VariableId>,
    /// Labels with their numbers in the order of the text.
    labels: Table<u32>,
}

impl Scopes {
    /// Collects the declarations of a program. Local variables are numbered in the order of the functions.
    pub(crate) fn declare(
        tree: &Program,
        order: &Order,
        errors: &mut Messages<'_>,
        warnings: &mut Messages<'_>,
    ) -> Self {
        let mut scopes = Scopes {
            shared: Vec::new(),
            locals: Vec::new(),
            n_used_locals: 0,
            main: None,
            globals: Table::default(),
            functions: Table::default(),
            inner: Vec::new(),
        };
        for declaration in &tree.declarations {
            for &name in &declaration.variables {
                let variables =
                    if declaration.is_thread_local { &mut scopes.locals } else { &mut scopes.shared };
                let index = add(variables, name, None);
                let make = if declaration.is_thread_local { VariableId::Local } else { VariableId::Shared };
                insert(&mut scopes.globals, tree, name, make(index), "variable", errors);
            }
        }
        scopes.inner.resize_with(tree.functions.len(), Scope::default);
        for (id, function) in FunctionId::all(tree.functions.len()).zip(&tree.functions) {
            insert(&mut scopes.functions, tree, function.name, id, "function", errors);
        }
        for &id in order.used() {
            scopes.inner[id.index()] = scopes.declare_function(tree, id, errors, warnings);
        }
        scopes.n_used_locals = scopes.locals.len();
        for &id in order.unused() {
            scopes.inner[id.index()] = scopes.declare_function(tree, id, errors, warnings);
        }
        scopes.main = scopes.find_main(tree, errors);
        scopes
    }

    /// The declarations of a function.
    pub(crate) fn of(&self, function: FunctionId) -> &Scope {
        &self.inner[function.index()]
    }

    fn declare_function(
        &mut self,
        tree: &Program,
        id: FunctionId,
        errors: &mut Messages<'_>,
        warnings: &mut Messages<'_>,
    ) -> Scope {
        let mut scope = Scope::default();
        let function = &tree.functions[id.index()];
        let declared = function.declarations.iter().flat_map(|declaration| &declaration.variables);
        for (number, &name) in function.parameters.iter().chain(declared).enumerate() {
            let variable = VariableId::Local(add(&mut self.locals, name, Some(id)));
            let is_parameter = number < function.parameters.len();
            let list = if is_parameter { &mut scope.parameters } else { &mut scope.variables };
            list.push(variable);
            insert(&mut scope.names, tree, name, variable, "variable", errors);
            if self.globals.contains_key(&name.symbol) {
                warnings.push(name.span, |source| {
                    let text = tree.text(name.symbol);
                    Diagnostic::warning("W0501", format!("`{text}` hides a variable outside of the function"))
                        .at(source, name.span, "this one is used in the function")
                });
            }
        }
        declare_labels(&function.body, tree, &mut scope.labels, errors);
        scope
    }

    fn find_main(&self, tree: &Program, errors: &mut Messages<'_>) -> Option<FunctionId> {
        let named = |name| tree.names.find(name).and_then(|index| self.functions.get(&Symbol::new(index)));
        let main = named(crate::zero::START).or_else(|| named("main"));
        if main.is_none() {
            errors.push(Span::default(), |source| {
                Diagnostic::error("E0511", format!("`{}` has no function `main`", source.name()))
                    .note(match tree.functions.len() {
                        0 => "it has no functions at all".to_owned(),
                        n => format!("its functions are {}", some_names(tree, n)),
                    })
                    .hint("threads start in `void main() begin … end`")
            });
        }
        main.map(|&(id, _)| id)
    }
}

/// The first few names of functions.
fn some_names(tree: &Program, count: usize) -> String {
    const SHOWN: usize = 5;
    let shown = tree.functions.iter().take(SHOWN).map(|it| format!("`{}`", tree.text(it.name.symbol)));
    let shown = shown.collect::<Vec<String>>().join(", ");
    if count > SHOWN { format!("{shown} and {} more", count - SHOWN) } else { shown }
}

/// Adds a variable to a list; its index is returned.
fn add(variables: &mut Vec<Variable>, name: Name, function: Option<FunctionId>) -> u32 {
    variables.push(Variable { name: name.symbol, function, span: name.span });
    // A declaration takes at least one byte of a source below 4 GiB.
    (variables.len() - 1) as u32
}

/// Adds the labels of statements, also nested ones, in the order of the text.
fn declare_labels(
    statements: &[Statement],
    tree: &Program,
    labels: &mut Table<u32>,
    errors: &mut Messages<'_>,
) {
    for statement in statements {
        for (index, &label) in statement.labels.iter().enumerate() {
            // The same label twice before one statement is one label.
            if statement.labels[..index].iter().any(|earlier| earlier.symbol == label.symbol) {
                continue;
            }
            let number = labels.len() as u32;
            insert(labels, tree, label, number, "label", errors);
        }
        statement.kind.blocks().for_each(|block| declare_labels(block, tree, labels, errors));
    }
}

/// Adds a name; the first declaration counts, a second one is an error.
fn insert<T>(
    table: &mut Table<T>,
    tree: &Program,
    name: Name,
    value: T,
    kind: &str,
    errors: &mut Messages<'_>,
) {
    match table.entry(name.symbol) {
        Entry::Vacant(entry) => {
            entry.insert((value, name.span));
        }
        Entry::Occupied(entry) => {
            let first = entry.get().1;
            errors.push(name.span, |source| {
                let (line, column) = source.position(first.start);
                let message = format!("{kind} `{}` is declared twice", tree.text(name.symbol));
                Diagnostic::error("E0502", message)
                    .at(source, name.span, "second declaration")
                    .note(format!("the first is at line {line}, column {column}"))
            });
        }
    }
}
