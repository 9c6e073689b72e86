//! Programs whose variables start at 0, as programs whose variables start with any values.
//!
//! A function `(start)` comes before `main`, whose name no function can have. It sets the shared variables to 0 and then calls
//! `main`, if one thread starts, or starts the threads that run `main`. Every function sets its own variables to 0 before
//! anything else, and a thread that runs a function sets its `thread_local` variables to 0 before that. Nobody else can
//! see a thread's variables before that (except by `x$`, which is refused).

use crate::expression;
use crate::flow::is_async_label;
use crate::question::InitThreads;
use crate::syntax::{Expression, Function, Name, Program, Statement, StatementKind, Symbol, Target};
use rustc_hash::FxHashMap;
use throng_base::{Diagnostic, Source, Span};

/// The name of the function in which programs start then.
pub(crate) const START: &str = "(start)";

/// More threads are not started one by one.
const MOST_THREADS: u32 = 10_000;

/// Changes a program so that all variables are 0 at the start, and so are those of a function where it begins, except for
/// parameters. So many threads run `main`; afterwards it is one that starts.
pub(crate) fn start_at_zero(
    source: &Source,
    tree: &mut Program,
    threads: InitThreads,
) -> Result<(), Diagnostic> {
    if let InitThreads::Exactly(count) = threads
        && count > MOST_THREADS
    {
        let message = format!("more than {MOST_THREADS} threads cannot start with variables that are 0");
        return Err(Diagnostic::error("E0526", message).hint("`--init-threads any` is for any number of threads"));
    }
    if let Some(span) = tree.functions.iter().find_map(|it| passive(&it.body)) {
        let message = "variables that start at 0 and assignments to passive threads do not go together";
        return Err(Diagnostic::error("E0526", message).at(source, span, "changes threads that have not begun"));
    }
    let Some(main) = find_main(tree) else { return Ok(()) };
    let globals = |tree: &Program, is_thread_local: bool| -> Vec<Name> {
        let chosen = tree.declarations.iter().filter(|it| it.is_thread_local == is_thread_local);
        chosen.flat_map(|it| it.variables.clone()).collect()
    };
    let (shared, own) = (globals(tree, false), globals(tree, true));
    for function in &mut tree.functions {
        let variables = function.declarations.iter().flat_map(|it| it.variables.clone()).collect();
        let at = function.name.span;
        function.body.splice(0..0, zeroed(variables, at));
    }
    let mut starters = Starters { own, made: FxHashMap::default() };
    let mut functions = std::mem::take(&mut tree.functions);
    for function in &mut functions {
        starters.redirect(tree, &mut function.body);
    }
    let head = tree_function(&functions, main);
    let mut start = Function { body: zeroed(shared, head.name.span), ..starters.empty(tree, START, &head) };
    let arguments: Vec<Expression> = head.parameters.iter().map(|it| constant(it.span)).collect();
    let statement = |kind| Statement { labels: Vec::new(), kind, span: head.name.span };
    match threads {
        InitThreads::Exactly(1) => {
            start.body.extend(zeroed(starters.own.clone(), head.name.span));
            start.body.push(statement(StatementKind::Call { targets: Vec::new(), function: head.name, arguments }));
        }
        InitThreads::Exactly(count) => {
            let function = starters.starter(tree, head.name);
            let kind = StatementKind::StartFunction { function, arguments };
            start.body.extend((0..count).map(|_| statement(kind.clone())));
        }
        InitThreads::Any => {
            let function = starters.starter(tree, head.name);
            let body = vec![statement(StatementKind::StartFunction { function, arguments })];
            let condition =
                Expression { tree: expression::Expression::choice(), span: head.name.span };
            start.body.push(statement(StatementKind::While { condition, body }));
        }
    }
    let wanted = starters.finish(tree, &functions);
    tree.functions = functions;
    tree.functions.extend(wanted);
    tree.functions.push(start);
    Ok(())
}

fn find_main(tree: &Program) -> Option<Symbol> {
    let main = Symbol::new(tree.names.find("main")?);
    tree.functions.iter().any(|it| it.name.symbol == main).then_some(main)
}

fn tree_function(functions: &[Function], name: Symbol) -> Function {
    let found = functions.iter().find(|it| it.name.symbol == name);
    let found = found.expect("INVARIANT: the function was found before");
    Function { body: Vec::new(), declarations: Vec::new(), ..found.clone() }
}

fn constant(span: Span) -> Expression {
    Expression { tree: expression::Expression::constant(false), span }
}

/// `x, y := 0, 0`; nothing if there are no variables. Where a name is declared twice, that is an error elsewhere.
fn zeroed(variables: Vec<Name>, span: Span) -> Vec<Statement> {
    if variables.is_empty() {
        return Vec::new();
    }
    let values = variables.iter().map(|_| constant(span)).collect();
    let targets = variables.into_iter().map(|name| Target { name, is_passive: false }).collect();
    vec![Statement {
        labels: Vec::new(),
        kind: StatementKind::Assign { targets, values, constrain: None },
        span,
    }]
}

/// Where statements assign to passive threads.
fn passive(statements: &[Statement]) -> Option<Span> {
    statements.iter().find_map(|statement| match &statement.kind {
        StatementKind::Assign { targets, .. } => {
            targets.iter().find(|it| it.is_passive).map(|it| it.name.span)
        }
        kind => kind.blocks().find_map(passive),
    })
}

/// Functions `(start f)` for threads that run f: they set `thread_local` variables to 0 and call it.
struct Starters {
    /// These variables.
    own: Vec<Name>,
    /// By function, the name of what is started instead.
    made: FxHashMap<Symbol, Symbol>,
}

impl Starters {
    /// What is started instead of a function.
    fn starter(&mut self, tree: &mut Program, function: Name) -> Name {
        if self.own.is_empty() {
            return function;
        }
        let symbol = *self.made.entry(function.symbol).or_insert_with(|| {
            let text = format!("(start {})", tree.text(function.symbol));
            Symbol::new(tree.names.insert(&text).0)
        });
        Name { symbol, ..function }
    }

    fn redirect(&mut self, tree: &mut Program, statements: &mut [Statement]) {
        for statement in statements {
            let is_async =
                statement.labels.iter().any(|label| is_async_label(tree.text(label.symbol)));
            match &mut statement.kind {
                StatementKind::StartFunction { function, .. } => *function = self.starter(tree, *function),
                StatementKind::Call { function, .. } if is_async => *function = self.starter(tree, *function),
                kind => kind.blocks_mut().for_each(|block| self.redirect(tree, block)),
            }
        }
    }

    /// A function without results that looks like another one.
    fn empty(&self, tree: &mut Program, name: &str, like: &Function) -> Function {
        let symbol = Symbol::new(tree.names.insert(name).0);
        let name = Name { symbol, span: like.name.span };
        Function { n_results: 0, name, parameters: Vec::new(), ..like.clone() }
    }

    /// The functions that are started instead of others, as far as these exist.
    fn finish(self, tree: &mut Program, functions: &[Function]) -> Vec<Function> {
        let mut made = Vec::new();
        for like in functions {
            let Some(&symbol) = self.made.get(&like.name.symbol) else { continue };
            let (head, span) = (tree_function(functions, like.name.symbol), like.name.span);
            let name = tree.text(symbol).to_owned();
            // Parameters must not hide the variables.
            let parameter = |number: usize| {
                let symbol = Symbol::new(tree.names.insert(&format!("(argument {number})")).0);
                Name { symbol, span }
            };
            let parameters: Vec<Name> = (0..head.parameters.len()).map(parameter).collect();
            let argument = |&name: &Name| {
                let reference = crate::syntax::Reference { name, is_next: false, is_passive: false };
                Expression { tree: expression::Expression::read(reference), span }
            };
            let arguments = parameters.iter().map(argument).collect();
            let call = StatementKind::Call { targets: Vec::new(), function: head.name, arguments };
            let mut body = zeroed(self.own.clone(), span);
            body.push(Statement { labels: Vec::new(), kind: call, span });
            made.push(Function { parameters, body, ..self.empty(tree, &name, &head) });
        }
        made
    }
}
