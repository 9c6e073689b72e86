//! The abstract program: a Boolean program with passive variables, one variable for each predicate.
//!
//! Predicates about the state are shared variables, those about a thread its own; a thread also knows in which scopes it
//! counts, and of which code it is, since what happens to passive threads depends on it. Every location of the program is a
//! location of the abstract program, and every edge is an edge whose constraint is the relation between values of
//! predicates before and after (`relate`). Constraints on passive variables are those of dual-reference programs (eq. 30),
//! and the meaning of such constraints is the monotone closure (Definition 20): a passive thread for which there are no
//! values is gone.
//!
//! A thread begins in two steps: first it is there and knows nothing, then its variables have their values and it counts. A step that starts
//! a thread and changes values is two steps, too. The places between are no places of the program. Since in every run of
//! the program both steps can be taken at once, elements that mention these places are not needed in its invariant.
//!
//! If the number of threads is bounded, further shared variables count those that were started, and no more are started.

mod formulas;
mod make;

pub(crate) use make::abstract_program;

use crate::relate::Context;
use throng_boolprog::flow as boolean;
use throng_boolprog::{Cube, ProgramQuestion};
use throng_cfa::flow::{EdgeId, LocationId, TemplateId};
use throng_cfa::invariant::{Element, Literal, Of, PredicateId};

/// What an edge of the abstract program stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A thread of this code begins to be there. `first`: and with it the program.
    Begin { template: TemplateId, first: bool },
    /// An edge of the program.
    Edge(EdgeId),
    /// An edge of the program up to where it starts a thread.
    Before(EdgeId),
    /// The second part of an edge: a thread is started.
    Start,
}

/// An abstract program with what its parts stand for.
pub(crate) struct AbstractProgram {
    pub(crate) program: boolean::Program,
    pub(crate) question: ProgramQuestion,
    /// By edge.
    pub(crate) origins: Vec<Origin>,
    /// By location; `None` for places between.
    locations: Vec<Option<LocationId>>,
    /// By number among the shared variables.
    shared: Vec<PredicateId>,
    /// So many shared variables follow that count threads.
    n_counters: usize,
    /// By number among the variables of threads.
    own: Vec<Own>,
    /// Literals of all constraints.
    pub(crate) size: usize,
    /// Whether steps change or notice what passive threads know.
    pub(crate) is_dual_reference: bool,
    /// Whether every passive thread can follow every step.
    pub(crate) is_monotone: bool,
}

/// What a variable of threads stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Own {
    Predicate(PredicateId),
    Scope(usize),
}

/// The name of the variable that says whether a thread counts in a scope.
pub(crate) fn scope_name(scope: usize) -> String {
    format!("in{scope}")
}

impl AbstractProgram {
    /// The location of the program that a location stands for.
    pub(crate) fn location(&self, at: boolean::LocationId) -> Option<LocationId> {
        self.locations[at.index()]
    }

    /// The value of a predicate about the state among those of shared variables.
    pub(crate) fn value_of_state(&self, shared: &Cube, predicate: PredicateId) -> Option<bool> {
        let number = self.shared.iter().position(|&it| it == predicate)?;
        shared.get(u32::try_from(number).ok()?)
    }

    /// The value of a predicate about a thread among those of its variables.
    pub(crate) fn value_of_thread(&self, locals: &Cube, predicate: PredicateId) -> Option<bool> {
        self.value_of_own(locals, Own::Predicate(predicate))
    }

    /// Whether a thread with these values counts in a scope.
    pub(crate) fn counts(&self, locals: &Cube, scope: usize) -> Option<bool> {
        self.value_of_own(locals, Own::Scope(scope))
    }

    fn value_of_own(&self, locals: &Cube, own: Own) -> Option<bool> {
        let number = self.own.iter().position(|&it| it == own)?;
        locals.get(u32::try_from(number).ok()?)
    }

    /// What an element of a proof says about the program; `None` if it says nothing.
    pub(crate) fn element(
        &self,
        context: &Context<'_>,
        pattern: &throng_boolprog::Pattern,
    ) -> Option<Element> {
        // Where nobody ever is in an atomic section, there is nothing to say about that.
        let is_atomic = |at: LocationId| context.program.location(at).is_atomic;
        let has_sections = context.program.edges.iter().any(|it| is_atomic(it.from) || is_atomic(it.to));
        let atomic = pattern.shared.get((self.shared.len() + self.n_counters) as u32);
        if !has_sections && atomic == Some(true) {
            return None;
        }
        let mut element = Element { atomic: atomic.filter(|_| has_sections), ..Element::default() };
        let shared = pattern.shared.iter().filter(|&(variable, _)| (variable as usize) < self.shared.len());
        element.literals.extend(shared.map(|(variable, value)| Literal {
            predicate: self.shared[variable as usize],
            of: Of::State,
            value,
        }));
        for (index, thread) in pattern.threads.iter().enumerate() {
            let location = self.locations[thread.location.index()]?;
            let template = context.program.location(location).template;
            element.threads.push(location);
            for (variable, value) in thread.locals.iter() {
                match self.own[variable as usize] {
                    Own::Scope(scope) if context.scopes.contains(scope, location) != value => return None,
                    Own::Scope(_) => {}
                    Own::Predicate(predicate) => {
                        if context.predicates.get(predicate).active == Some(template) {
                            element.literals.push(Literal { predicate, of: Of::Thread(index), value });
                        }
                    }
                }
            }
        }
        Some(element)
    }
}
