//! Values that locations fix: local variables that every thread at a location has with the same value, by constant propagation.
//!
//! A thread that is elsewhere on the way has other values, so such variables say where a thread is, to those who watch it: that
//! is what abstractions use them for. A backward search does not know where values come from. It would follow threads at a location
//! with values that nobody has there, and tell states apart that mention such a value from those that do not. With this,
//! states of a backward search always mention the values that their location fixes, and others have no predecessors.
//!
//! The fixpoint is over sets of constants: a variable is fixed at a location if on all edges to it the same constant is assigned, or
//! the variable is not assigned and fixed before. A variable that others may change is fixed nowhere; assigning it to itself is no change.
//!
//! What is left out of a search this way is left out of its proofs too: they are about threads whose values are those that their
//! locations fix. A proof for the checker of Boolean programs has one more element for each such value: a thread at the location
//! with the other value. These are inductive by themselves: who is in one of them was in one of them before.

use throng_boolprog::expression::Node;
use throng_boolprog::flow::{
    Assignment, AssignmentId, ChildLocals, Effect, ExpressionId, LocationId, Program, Reference, VariableId,
};
use throng_boolprog::{Cube, Pattern, ThreadPattern};

/// By location: the values of variables that it fixes.
#[derive(Clone, Debug)]
pub(crate) struct Fixed {
    at: Vec<Cube>,
}

impl Fixed {
    /// Nothing is fixed.
    pub(crate) fn nothing(program: &Program) -> Self {
        Self { at: vec![Cube::any(); program.locations().len()] }
    }

    /// See the module's documentation.
    pub(crate) fn new(program: &Program) -> Self {
        let is_steady = steady(program);
        // `None`: nobody was seen there yet.
        let mut at: Vec<Option<Cube>> = vec![None; program.locations().len()];
        at[program.entry().index()] = Some(Cube::any());
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for edge in program.edges() {
                let Some(before) = at[edge.from.index()].clone() else { continue };
                let mut arrive = |location: LocationId, cube: Cube| {
                    let cube = cube.restricted(|variable| is_steady[variable as usize]);
                    let old = &mut at[location.index()];
                    let new = match old {
                        None => cube,
                        Some(old) => old.restricted(|variable| old.get(variable) == cube.get(variable)),
                    };
                    is_changed |= old.as_ref() != Some(&new);
                    *old = Some(new);
                };
                let after = match edge.effect {
                    Effect::Assign(id) => assigned(program, before, id),
                    Effect::None => before,
                    Effect::Start { at, locals } => {
                        let child = match locals {
                            ChildLocals::Copied => before.clone(),
                            ChildLocals::Fresh(None) => Cube::any(),
                            ChildLocals::Fresh(Some(id)) => assigned(program, Cube::any(), id),
                        };
                        arrive(at, child);
                        before
                    }
                };
                if let Some(to) = edge.to {
                    arrive(to, after);
                }
            }
        }
        Self { at: at.into_iter().map(Option::unwrap_or_default).collect() }
    }

    /// What no thread ever is: at a location with another value than the one that it fixes.
    pub(crate) fn opposites(&self) -> impl Iterator<Item = Pattern> + '_ {
        LocationId::all(self.at.len()).flat_map(|location| {
            self.at[location.index()].iter().map(move |(variable, value)| {
                let locals = Cube::any().with(variable, !value);
                Pattern { shared: Cube::any(), threads: vec![ThreadPattern { location, locals }] }
            })
        })
    }

    /// A state at a location together with what the location fixes; `None` if they contradict each other.
    pub(crate) fn complete(&self, at: LocationId, locals: Cube) -> Option<Cube> {
        let fixed = &self.at[at.index()];
        if fixed.is_any() { Some(locals) } else { locals.and(fixed) }
    }
}

/// Whether steps relate values of other threads' variables by constraints, and do not only assign them.
pub(crate) fn relates_others(program: &Program) -> bool {
    let is_related =
        |it: &Assignment| !it.constraints.is_empty() && it.targets.iter().any(|it| it.is_passive);
    program.assignments().iter().any(is_related)
}

/// By local variable: whether nobody changes it for others.
fn steady(program: &Program) -> Vec<bool> {
    let mut is_steady = vec![true; program.locals().len()];
    for assignment in program.assignments() {
        for (target, &value) in assignment.targets.iter().zip(&assignment.values) {
            let itself = Reference { variable: target.variable, is_next: false, is_passive: true };
            let is_kept = *program.expression(value).nodes() == [Node::Read(itself)];
            if let VariableId::Local(variable) = target.variable
                && target.is_passive
                && !is_kept
            {
                is_steady[variable as usize] = false;
            }
        }
    }
    is_steady
}

/// What is known after an assignment of what was known before.
fn assigned(program: &Program, mut known: Cube, id: AssignmentId) -> Cube {
    let assignment = program.assignment(id);
    for (target, &value) in assignment.targets.iter().zip(&assignment.values) {
        if let VariableId::Local(variable) = target.variable
            && !target.is_passive
        {
            match constant(program, value) {
                Some(value) => known.set(variable, value),
                None => known.clear(variable),
            }
        }
    }
    known
}

fn constant(program: &Program, id: ExpressionId) -> Option<bool> {
    match program.expression(id).nodes() {
        [Node::Constant(value)] => Some(*value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::Source;

    fn fixed_at(text: &str, label: &str) -> Vec<(String, bool)> {
        let source = Source::from_text("test.bp", text);
        let program = &throng_boolprog::read(&source).expect("the program is read").program;
        let at = program.locations_with_label(label).expect("there is such a label")[0];
        let fixed = Fixed::new(program);
        let name =
            |(variable, value): (u32, bool)| (program.variable_text(VariableId::Local(variable)), value);
        fixed.at[at.index()].iter().map(name).collect()
    }

    const PROGRAM: &str = "
        decl s;
        void main() begin
            decl a, b, c, d;
            a, b, c, d := 1, 0, 1, 1;
            if (*) then b := 1; fi;
            c$ := s;
            d$ := d$;
            HERE: skip;
            while (*) do a := *; THERE: skip; od;
            LAST: skip;
        end";

    #[test]
    fn constants_on_all_ways_are_fixed() {
        // Others change c; d they leave as it is.
        let known = |label| fixed_at(PROGRAM, label);
        assert_eq!(known("HERE"), [("a".to_owned(), true), ("d".to_owned(), true)]);
        assert_eq!(known("THERE"), [("d".to_owned(), true)]);
        assert_eq!(known("LAST"), [("d".to_owned(), true)]);
    }

    #[test]
    fn what_contradicts_a_location_is_no_state() {
        let fixed = Fixed { at: vec![Cube::any().with(0, true), Cube::any()] };
        let [first, second] = [LocationId::new(0), LocationId::new(1)];
        assert_eq!(fixed.complete(first, Cube::any().with(0, false)), None);
        assert_eq!(fixed.complete(second, Cube::any().with(0, false)), Some(Cube::any().with(0, false)));
        let both = Cube::any().with(0, true).with(1, false);
        assert_eq!(fixed.complete(first, Cube::any().with(1, false)), Some(both));
    }
}
