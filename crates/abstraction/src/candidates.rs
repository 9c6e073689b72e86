//! Predicates that may be needed (temporary: the pool replaces this).

use crate::refute::Candidate;
use rustc_hash::FxHashSet;
use throng_cprog::flow::{
    BinaryOperator, Expression, ExpressionId, Expressions, LocationId, Program, Scope, TemplateId, VariableId,
};
use throng_cprog::invariant::{Party, Predicate};

pub(crate) fn candidates(program: &Program, expressions: &mut Expressions) -> Vec<Candidate> {
    let mut out: Vec<Candidate> = Vec::new();
    let mut seen = FxHashSet::default();
    let mut add = |predicate: Predicate, tier: u8, out: &mut Vec<Candidate>| {
        if seen.insert(predicate.clone()) {
            out.push(Candidate { predicate, tier });
        }
    };
    for edge in &program.edges {
        let template = program.location(edge.from).template;
        let mut atoms = Vec::new();
        collect_atoms(expressions, edge.guard, &mut atoms);
        for assignment in &edge.assignments {
            if assignment.index.is_none() {
                let bits = program.variable(assignment.target).bits;
                let target = expressions.variable(assignment.target, bits);
                let mentioned = crate::translate::variables(expressions, assignment.value);
                if !mentioned.own.contains(&assignment.target) {
                    let atom = if bits == 1 { target } else { expressions.equal(target, assignment.value) };
                    atoms.push(atom);
                }
            }
        }
        for atom in atoms {
            if let Some(predicate) = classify(program, expressions, atom, template) {
                add(predicate, 0, &mut out);
            }
        }
    }
    // Relations.
    let numbers: Vec<VariableId> = VariableId::all(program.variables.len())
        .filter(|&it| {
            let v = program.variable(it);
            v.length == 1 && v.bits > 1 && v.bits <= 32
        })
        .collect();
    for &x in &numbers {
        for &y in &numbers {
            let (vx, vy) = (program.variable(x), program.variable(y));
            if vx.bits != vy.bits {
                continue;
            }
            let bits = vx.bits;
            let (ex, ey) = (expressions.variable(x, bits), expressions.variable(y, bits));
            match (vx.scope, vy.scope) {
                (Scope::Shared, Scope::Shared) | (Scope::Local(_), Scope::Shared) if x != y => {
                    let template = if let Scope::Local(t) = vx.scope { Some(t) } else { None };
                    let lt = expressions.binary(BinaryOperator::UnsignedLess, ex, ey);
                    let gt = expressions.binary(BinaryOperator::UnsignedLess, ey, ex);
                    let eq = expressions.equal(ex, ey);
                    for atom in [eq, lt, gt] {
                        add(Predicate { expression: atom, active: template, passive: None }, 2, &mut out);
                    }
                    if let Some(t) = template {
                        let scope = assigned(program, t, x);
                        let px = expressions.insert(Expression::Passive(x), bits);
                        let lt = expressions.binary(BinaryOperator::UnsignedLess, px, ey);
                        let eq = expressions.equal(px, ey);
                        let ne = expressions.not(eq);
                        for atom in [lt, ne] {
                            let passive = Some(Party { template: t, scope: scope.clone() });
                            add(Predicate { expression: atom, active: None, passive }, 1, &mut out);
                        }
                    }
                }
                (Scope::Local(t), Scope::Local(u)) if t == u && x == y => {
                    let px = expressions.insert(Expression::Passive(x), bits);
                    let eq = expressions.equal(ex, px);
                    let ne = expressions.not(eq);
                    let passive = Some(Party { template: t, scope: assigned(program, t, x) });
                    add(Predicate { expression: ne, active: Some(t), passive }, 1, &mut out);
                }
                _ => {}
            }
        }
    }
    out
}

fn collect_atoms(expressions: &Expressions, id: ExpressionId, atoms: &mut Vec<ExpressionId>) {
    match expressions.get(id) {
        Expression::Unary(_, a) if expressions.bits(id) == 1 => collect_atoms(expressions, a, atoms),
        Expression::Binary(BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor, a, b)
            if expressions.bits(id) == 1 =>
        {
            collect_atoms(expressions, a, atoms);
            collect_atoms(expressions, b, atoms);
        }
        Expression::Constant(_) => {}
        _ if expressions.bits(id) == 1 => atoms.push(id),
        _ => {}
    }
}

fn classify(
    program: &Program,
    expressions: &Expressions,
    atom: ExpressionId,
    template: TemplateId,
) -> Option<Predicate> {
    let mut stack = vec![atom];
    while let Some(id) = stack.pop() {
        match expressions.get(id) {
            Expression::Nondet(_)
            | Expression::ThisThread
            | Expression::NewThread
            | Expression::HasEnded(_)
            | Expression::ResultOf(_)
            | Expression::Passive(_) => return None,
            _ => stack.extend(expressions.operands(id)),
        }
    }
    let mentioned = crate::translate::variables(expressions, atom);
    if mentioned.own.is_empty() {
        return None;
    }
    let is_local = mentioned.own.iter().any(|&it| program.variable(it).scope != Scope::Shared);
    Some(Predicate { expression: atom, active: is_local.then_some(template), passive: None })
}

fn assigned(program: &Program, template: TemplateId, variable: VariableId) -> Vec<LocationId> {
    // Locations that are reachable only through an assignment.
    let entry = program.templates[template.index()].entry;
    let mut unassigned: FxHashSet<LocationId> = FxHashSet::default();
    let mut stack = vec![entry];
    while let Some(at) = stack.pop() {
        if !unassigned.insert(at) {
            continue;
        }
        for (_, edge) in program.edges_from(at) {
            if !edge.assignments.iter().any(|it| it.target == variable) {
                stack.push(edge.to);
            }
        }
    }
    LocationId::all(program.locations.len())
        .filter(|&it| program.location(it).template == template && !unassigned.contains(&it))
        .collect()
}
