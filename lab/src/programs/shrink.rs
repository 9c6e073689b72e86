//! Makes a failing Boolean program small: removes whatever can be removed while it still fails.
//!
//! [`shrink`] tries the edits of a program's syntax tree, keeps the first one that still fails, and starts again, until
//! none does. Edits need not give a program that can be read; such a program should not count as failing. A program
//! becomes shorter or, with the same length, smaller in the order of texts with each edit, so this ends.

use throng_base::Source;
use throng_boolprog::expression::{self, Node};
use throng_boolprog::syntax::{
    Declaration, Expression, Function, Program, Reference, Statement, StatementKind,
};
use throng_boolprog::{parse, print};

/// The smallest program found from `text` for which `fails` still holds. `text` itself must fail; if it cannot be
/// parsed, it stays as it is.
pub fn shrink(text: &str, mut fails: impl FnMut(&str) -> bool) -> String {
    let mut best = text.to_owned();
    while let Ok(tree) = parse(&Source::from_text("shrunk.bp", &best)) {
        let is_smaller = |edit: &String| (edit.len(), edit) < (best.len(), &best);
        let smaller = edits(&tree).map(|edit| print(&edit)).filter(is_smaller).find(|edit| fails(edit));
        let Some(smaller) = smaller else { break };
        best = smaller;
    }
    best
}

/// All programs that are one edit smaller, the boldest edits first.
fn edits(program: &Program) -> impl Iterator<Item = Program> {
    let edits: [fn(&mut Program, usize) -> bool; 9] = [
        remove_function,
        |program, k| nth_statement(program, k, |block, at| drop(block.remove(at))),
        |program, k| nth_statement(program, k, unfold),
        |program, k| nth_statement(program, k, |block, at| block[at].kind = StatementKind::Skip),
        remove_label,
        remove_variable,
        remove_parameter,
        simplify_statement,
        simplify_expression,
    ];
    edits.into_iter().flat_map(move |edit| {
        (0..).map_while(move |k| {
            let mut copy = program.clone();
            edit(&mut copy, k).then_some(copy)
        })
    })
}

/// Removes the k-th item, if there is one.
fn remove<T>(items: &mut Vec<T>, k: &mut usize) -> bool {
    if *k < items.len() {
        items.remove(*k);
        return true;
    }
    *k -= items.len();
    false
}

fn remove_function(program: &mut Program, mut k: usize) -> bool {
    remove(&mut program.functions, &mut k)
}

fn remove_variable(program: &mut Program, mut k: usize) -> bool {
    let inner = program.functions.iter_mut().map(|function| &mut function.declarations);
    for declarations in std::iter::once(&mut program.declarations).chain(inner) {
        let mut lists = declarations.iter_mut().map(|declaration| &mut declaration.variables);
        if lists.any(|list| remove(list, &mut k)) {
            declarations.retain(|declaration: &Declaration| !declaration.variables.is_empty());
            return true;
        }
    }
    false
}

/// Removes the k-th parameter with all its arguments.
fn remove_parameter(program: &mut Program, mut k: usize) -> bool {
    for index in 0..program.functions.len() {
        let function = &mut program.functions[index];
        if k < function.parameters.len() {
            let name = function.name.symbol;
            function.parameters.remove(k);
            for_each_statement(program, &mut |statement| match &mut statement.kind {
                StatementKind::Call { function, arguments, .. }
                | StatementKind::StartFunction { function, arguments }
                    if function.symbol == name && k < arguments.len() =>
                {
                    arguments.remove(k);
                }
                _ => {}
            });
            return true;
        }
        k -= function.parameters.len();
    }
    false
}

fn remove_label(program: &mut Program, mut k: usize) -> bool {
    let mut is_done = false;
    for_each_statement(program, &mut |statement| {
        is_done = is_done || remove(&mut statement.labels, &mut k);
    });
    is_done
}

/// Removes one of the k-th parts of a simple statement: a label to go to, a variable that is assigned to with its
/// value, a constraint.
fn simplify_statement(program: &mut Program, mut k: usize) -> bool {
    let mut is_done = false;
    for_each_statement(program, &mut |statement| {
        is_done = is_done
            || match &mut statement.kind {
                StatementKind::Goto(labels) if labels.len() > 1 => remove(labels, &mut k),
                StatementKind::Dead(names) if names.len() > 1 => remove(names, &mut k),
                StatementKind::Assign { targets, values, constrain } => {
                    let index = k;
                    if targets.len() > 1 && remove(targets, &mut k) {
                        values.remove(index);
                        true
                    } else if constrain.is_some() && k == 0 {
                        *constrain = None;
                        true
                    } else {
                        k -= usize::from(constrain.is_some());
                        false
                    }
                }
                StatementKind::Call { targets, .. } if !targets.is_empty() => {
                    let clears = k == 0;
                    if clears {
                        targets.clear();
                    } else {
                        k -= 1;
                    }
                    clears
                }
                _ => false,
            };
    });
    is_done
}

/// Puts what is inside of a compound statement in its place.
fn unfold(block: &mut Vec<Statement>, at: usize) {
    let statement = block.remove(at);
    let mut inner: Vec<Statement> = match statement.kind {
        StatementKind::If { arms, otherwise } => {
            arms.into_iter().flat_map(|(_, body)| body).chain(otherwise.into_iter().flatten()).collect()
        }
        StatementKind::While { body, .. } => body,
        _ => Vec::new(),
    };
    if let Some(first) = inner.first_mut() {
        first.labels.extend(statement.labels);
    }
    block.splice(at..at, inner);
}

/// Edits the k-th statement of the program.
fn nth_statement(
    program: &mut Program,
    mut k: usize,
    mut edit: impl FnMut(&mut Vec<Statement>, usize),
) -> bool {
    program.functions.iter_mut().any(|function| nth_in_block(&mut function.body, &mut k, &mut edit))
}

fn nth_in_block(
    block: &mut Vec<Statement>,
    k: &mut usize,
    edit: &mut dyn FnMut(&mut Vec<Statement>, usize),
) -> bool {
    for at in 0..block.len() {
        if *k == 0 {
            edit(block, at);
            return true;
        }
        *k -= 1;
        if blocks(&mut block[at].kind).into_iter().any(|inner| nth_in_block(inner, k, edit)) {
            return true;
        }
    }
    false
}

/// The lists of statements inside of a compound statement.
fn blocks(kind: &mut StatementKind) -> Vec<&mut Vec<Statement>> {
    match kind {
        StatementKind::If { arms, otherwise } => {
            arms.iter_mut().map(|(_, body)| body).chain(otherwise).collect()
        }
        StatementKind::While { body, .. } => vec![body],
        _ => Vec::new(),
    }
}

fn for_each_statement(program: &mut Program, visit: &mut dyn FnMut(&mut Statement)) {
    fn walk(block: &mut [Statement], visit: &mut dyn FnMut(&mut Statement)) {
        for statement in block {
            visit(statement);
            blocks(&mut statement.kind).into_iter().for_each(|inner| walk(inner, visit));
        }
    }
    program.functions.iter_mut().for_each(|function: &mut Function| walk(&mut function.body, visit));
}

/// Makes one of the expressions simpler, in the k-th way.
fn simplify_expression(program: &mut Program, mut k: usize) -> bool {
    let mut is_done = false;
    for_each_statement(program, &mut |statement| {
        for expression in expressions(&mut statement.kind) {
            if is_done {
                return;
            }
            let mut simpler = simpler(&expression.tree);
            if k < simpler.len() {
                expression.tree = simpler.swap_remove(k);
                is_done = true;
            } else {
                k -= simpler.len();
            }
        }
    });
    is_done
}

/// The expressions of a statement itself.
fn expressions(kind: &mut StatementKind) -> Vec<&mut Expression> {
    match kind {
        StatementKind::Assign { values, constrain, .. } => values.iter_mut().chain(constrain).collect(),
        StatementKind::Call { arguments: values, .. }
        | StatementKind::StartFunction { arguments: values, .. }
        | StatementKind::Return(values) => values.iter_mut().collect(),
        StatementKind::If { arms, .. } => arms.iter_mut().map(|(condition, _)| condition).collect(),
        StatementKind::While { condition, .. }
        | StatementKind::Assert(condition)
        | StatementKind::Assume(condition)
        | StatementKind::AbortIf(condition)
        | StatementKind::Enforce(condition) => vec![condition],
        _ => Vec::new(),
    }
}

type Tree = expression::Expression<Reference>;

/// The expression with one part replaced by an operand of it, by a constant or by a choice.
fn simpler(tree: &Tree) -> Vec<Tree> {
    let (nodes, starts) = (tree.nodes(), tree.starts());
    let mut all = Vec::new();
    for end in (0..nodes.len()).rev() {
        let start = starts[end] as usize;
        let mut replace = |part: &[Node<Reference>]| {
            let edited = [&nodes[..start], part, &nodes[end + 1..]].concat();
            all.extend(Tree::from_postorder(edited));
        };
        // The right operand ends before the operator, the left one before the right one.
        if nodes[end].operands() > 0 {
            let right = starts[end - 1] as usize;
            replace(&nodes[right..end]);
            if nodes[end].operands() > 1 {
                replace(&nodes[start..right]);
            }
        }
        for leaf in [Node::Choice, Node::Constant(false), Node::Constant(true)] {
            replace(&[leaf]);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choices::SplitMix64;
    use crate::programs::random::{Shape, generate};

    fn can_be_read(text: &str) -> bool {
        throng_boolprog::read(&Source::from_text("p", text)).is_ok()
    }

    #[test]
    fn programs_become_as_small_as_they_can() {
        for seed in 0..50 {
            let text = generate(&mut SplitMix64::new(seed), &Shape::default()).text;
            assert_eq!(shrink(&text, can_be_read), "void main() begin\nend\n", "{text}");
            let asserts = |text: &str| can_be_read(text) && text.contains("assert");
            let small = shrink(&text, asserts);
            assert!(small.lines().count() <= 6 && small.contains("  assert(*);\n"), "{small}");
        }
    }

    #[test]
    fn what_is_needed_stays() {
        let text = "decl a, b; main() begin decl x; if a then M: L: x := f(a & b, 0); goto L, M; fi; end
            bool f(p, q) begin return p | q; end";
        let needs = |text: &str| can_be_read(text) && text.contains("x := f(a") && text.contains("goto");
        assert_eq!(
            shrink(text, needs),
            "decl a;\n\nvoid main() begin\n  decl x;\n  M: x := f(a);\n  goto M;\nend\n\nbool f(p) begin\nend\n"
        );
    }
}
