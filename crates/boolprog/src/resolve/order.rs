//! Which functions a program uses.
//!
//! Tools write functions that nobody calls, with variables of their own (SATABS inlines everything and leaves the
//! shells). They are checked like others, but must not cost anything: their variables would be part of every
//! thread. So functions are treated in an order in which the used ones come first, and what comes behind is cut off.

use crate::flow::FunctionId;
use crate::syntax::{Program, Statement, StatementKind, Symbol};
use rustc_hash::FxHashMap;

/// Functions in the order in which they are treated.
#[derive(Debug)]
pub(crate) struct Order {
    functions: Vec<FunctionId>,
    n_used: usize,
}

impl Order {
    /// The order for a program. A function is used if it is `main`, or called or started in one that is used.
    pub(crate) fn new(tree: &Program) -> Self {
        let ids = || FunctionId::all(tree.functions.len()).zip(&tree.functions);
        // Of several functions with one name, which is an error, the first counts.
        let named: FxHashMap<Symbol, FunctionId> = ids().rev().map(|(id, it)| (it.name.symbol, id)).collect();
        let find = |name| tree.names.find(name).and_then(|index| named.get(&Symbol::new(index)));
        let main = find(crate::zero::START).or_else(|| find("main"));
        let mut is_used = vec![false; tree.functions.len()];
        let mut functions: Vec<FunctionId> = main.copied().into_iter().collect();
        functions.iter().for_each(|main| is_used[main.index()] = true);
        let mut next = 0;
        while let Some(&function) = functions.get(next) {
            next += 1;
            for_each_callee(&tree.functions[function.index()].body, &mut |name| {
                if let Some(&callee) = named.get(&name)
                    && !std::mem::replace(&mut is_used[callee.index()], true)
                {
                    functions.push(callee);
                }
            });
        }
        let n_used = functions.len();
        functions.extend(ids().map(|(id, _)| id).filter(|id| !is_used[id.index()]));
        Self { functions, n_used }
    }

    /// The functions that are used, `main` first.
    pub(crate) fn used(&self) -> &[FunctionId] {
        &self.functions[..self.n_used]
    }

    /// The others.
    pub(crate) fn unused(&self) -> &[FunctionId] {
        &self.functions[self.n_used..]
    }
}

/// Visits the names of functions that statements call or start.
fn for_each_callee(statements: &[Statement], visit: &mut impl FnMut(Symbol)) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Call { function, .. } | StatementKind::StartFunction { function, .. } => {
                visit(function.symbol);
            }
            kind => kind.blocks().for_each(|block| for_each_callee(block, visit)),
        }
    }
}
