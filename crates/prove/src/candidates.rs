//! Candidates of the pool as predicates that may be needed.
//!
//! A condition about a thread and shared variables may also be needed about all threads at once: "every ticket is below the
//! next one" has one value, the same for all. A condition about two threads is one about a thread and all others. Those two
//! kinds are needed both ways, as they stand and negated, since "for all" is not closed under negation; of the others
//! one of both is enough.

use crate::pool::{Kind, Limits, Pool};
use crate::refute::Candidate;
use crate::scopes::definitely_assigned;
use crate::tiers::Tiers;
use crate::translate::variables;
use rustc_hash::FxHashMap;
use throng_cfa::flow::{Expression, Expressions, Program, Scope};
use throng_cfa::invariant::{Party, Predicate};

/// The candidates of a program; their expressions are added.
pub(crate) fn candidates(program: &Program, tiers: &Tiers, expressions: &mut Expressions) -> Vec<Candidate> {
    let pool = Pool::after(program, std::mem::take(expressions), Limits::default());
    *expressions = pool.expressions.clone();
    let mut found: Vec<Candidate> = Vec::new();
    for candidate in &pool.candidates {
        let expression = candidate.expression;
        let tier = tiers.of(expressions, expression, candidate.tier);
        let negation = expressions.not(expression);
        let is_second = negation < expression;
        let mut add = |predicate: Predicate, tier: u8| found.push(Candidate { predicate, tier });
        match candidate.kind {
            Kind::Shared if is_second => {}
            Kind::Shared => add(Predicate { expression, active: None, passive: None }, tier),
            Kind::Single(template) => {
                if !is_second {
                    add(Predicate { expression, active: Some(template), passive: None }, tier);
                }
                let mentioned = variables(expressions, expression).own;
                let is_shared = |id: &_| program.variable(*id).scope == Scope::Shared;
                let is_mixed = mentioned.iter().any(is_shared) && !mentioned.iter().all(is_shared);
                if is_mixed && template != program.main {
                    let own: Vec<_> = mentioned.into_iter().filter(|it| !is_shared(it)).collect();
                    let mut by = FxHashMap::default();
                    for &variable in &own {
                        let bits = program.variable(variable).bits;
                        let passive = expressions.insert(Expression::Passive(variable), bits);
                        by.insert(Expression::Variable(variable), passive);
                    }
                    let scope = definitely_assigned(program, template, &own);
                    let passive = Some(Party { template, scope });
                    if let Some(expression) = crate::weakest::substitute(expressions, expression, &by) {
                        add(Predicate { expression, active: None, passive }, tier + 2);
                    }
                }
            }
            Kind::Pair(active, template) if template != program.main => {
                let scope =
                    definitely_assigned(program, template, &variables(expressions, expression).passive);
                let passive = Some(Party { template, scope });
                add(Predicate { expression, active: Some(active), passive }, tier + 2);
            }
            Kind::Pair(..) => {}
        }
    }
    found
}
