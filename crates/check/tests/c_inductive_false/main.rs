//! False invariants of small programs, each false for one reason only: what the checker has to ask so as to notice, no other
//! question would tell. So a checker that forgets one condition accepts one of them.
//!
//! * `counting`: what steps do to "for all": who counts, since when, with which values.
//! * `witnesses`: threads that are not at hand, which may not exist, and which may be one and the same.
//! * `signals`: whom signals and broadcasts update.
//! * `roles`: which thread of an element takes the step or begins; atomic sections; limits.
//! * `values`: what variables, rows and numbers of threads hold.
//! * `malformed`: what has no meaning is refused.

#[path = "../../../explore/tests/common/mod.rs"]
mod common;
mod counting;
#[path = "../judge/mod.rs"]
mod judge;
mod malformed;
mod roles;
mod signals;
mod values;
mod witnesses;

use common::{Builder, naive};
use judge::{describes, with_expressions};
use throng_base::Budget;
use throng_cfa::flow::*;
use throng_cfa::invariant::{Element, Invariant, Literal, Of, Party, Predicate, PredicateId, Predicates};
use throng_check::c::check_invariant;

/// A program and what is claimed about it.
struct Claim {
    program: Program,
    invariant: Invariant,
}

impl Claim {
    fn about(builder: Builder) -> Self {
        let program = builder.finish();
        let predicates = Predicates::new(program.expressions.clone());
        Self { program, invariant: Invariant { counts: Vec::new(), predicates, elements: Vec::new() } }
    }

    fn e(&mut self) -> &mut Expressions {
        &mut self.invariant.predicates.expressions
    }

    fn bits(&self, variable: VariableId) -> u32 {
        self.program.variable(variable).bits
    }

    /// Whether a variable, shared or of the active thread, is a number.
    fn is(&mut self, variable: VariableId, value: u128) -> ExpressionId {
        let bits = self.bits(variable);
        let (a, b) = (self.e().variable(variable, bits), self.e().constant(value, bits));
        self.e().equal(a, b)
    }

    /// Whether a variable of the passive thread is a number.
    fn theirs_is(&mut self, variable: VariableId, value: u128) -> ExpressionId {
        let bits = self.bits(variable);
        let (a, b) = (self.e().insert(Expression::Passive(variable), bits), self.e().constant(value, bits));
        self.e().equal(a, b)
    }

    fn predicate(
        &mut self,
        expression: ExpressionId,
        active: Option<TemplateId>,
        passive: Option<(TemplateId, &[LocationId])>,
    ) -> PredicateId {
        let passive = passive.map(|(template, scope)| Party { template, scope: scope.to_vec() });
        self.invariant.predicates.insert(Predicate { expression, active, passive })
    }

    fn shared(&mut self, expression: ExpressionId) -> PredicateId {
        self.predicate(expression, None, None)
    }

    /// That nobody stands in a scope.
    fn nobody(&mut self, template: TemplateId, scope: &[LocationId]) -> PredicateId {
        let falsity = self.e().truth(false);
        self.predicate(falsity, None, Some((template, scope)))
    }

    fn never(&mut self, threads: &[LocationId], literals: &[(PredicateId, Of, bool)]) {
        self.never_when(None, threads, literals);
    }

    fn never_when(
        &mut self,
        atomic: Option<bool>,
        threads: &[LocationId],
        literals: &[(PredicateId, Of, bool)],
    ) {
        let literals = literals.iter().map(|&(predicate, of, value)| Literal { predicate, of, value });
        let element = Element { atomic, threads: threads.to_vec(), literals: literals.collect() };
        self.invariant.elements.push(element);
    }

    /// Whether few threads reach what is excluded.
    fn is_reached(&self) -> bool {
        let program = with_expressions(&self.program, &self.invariant.predicates);
        let is_error =
            |thread: &naive::Thread| matches!(program.location(thread.location).kind, LocationKind::Error(_));
        let found = naive::reaches(&program, 4, 100_000, |state| {
            let mut elements = self.invariant.elements.iter();
            state.threads.iter().any(is_error)
                || elements.any(|element| describes(&program, &self.invariant.predicates, element, state))
        });
        found.expect("the program is small")
    }

    /// It is false, and the checker notices.
    fn is_false(&self) {
        assert!(self.is_reached(), "this is meant to be false");
        let checked = check_invariant(&self.program, &self.invariant, &Budget::unlimited());
        assert!(checked.is_err(), "accepted, but false");
    }

    /// It is true, and the checker sees that.
    fn is_true(&self) {
        assert!(!self.is_reached(), "this is meant to be true");
        if let Err(rejection) = check_invariant(&self.program, &self.invariant, &Budget::unlimited()) {
            panic!("{rejection}");
        }
    }
}

/// A program whose `main` starts any number of threads of one further template, from its entry.
struct Workers {
    b: Builder,
    main: TemplateId,
    start: LocationId,
    worker: TemplateId,
    entry: LocationId,
}

fn workers() -> Workers {
    let mut b = Builder::new();
    let (main, start) = b.template();
    let (worker, entry) = b.template();
    b.edge(start, start, None, &[], Some(Effect::Spawn { template: worker, arguments: Vec::new() }));
    Workers { b, main, start, worker, entry }
}
