//! Whether few threads reach a state that an invariant excludes, decided by trying everything.
//!
//! Elements and predicates mean what [`throng_cfa::invariant`] says, evaluated in one state after the other. This judges
//! invariants without a solver, and so the checker of invariants as well: what it accepts describes no reachable state.

use super::evaluate::View;
use super::explore::{Layout, State, search};
use throng_cfa::flow::{LocationId, Program};
use throng_cfa::invariant::{Element, Invariant, Literal, Of, Predicate, counted};

/// In words, a state that up to so many threads reach and one of the elements describes; `None` if there is none, or none
/// among the first so many states.
pub fn reaches_described(
    program: &Program,
    invariant: &Invariant,
    n_threads: usize,
    most_states: usize,
) -> Option<String> {
    let mut extended = counted(program, &invariant.counts);
    extended.expressions = invariant.predicates.expressions.clone();
    let used = invariant.elements.iter().flat_map(|element| &element.literals);
    let mut roots: Vec<_> =
        used.map(|literal| invariant.predicates.get(literal.predicate).expression).collect();
    roots.sort_unstable();
    roots.dedup();
    let layout = Layout::new(&extended, &roots);
    let mut found = None;
    search(&layout, n_threads, most_states, &mut |state| {
        let judge = Judge { layout: &layout, invariant, state };
        let number = invariant.elements.iter().position(|element| judge.describes(element));
        found = number.map(|number| format!("element {number} describes a reachable state: {state:?}"));
        found.is_some()
    });
    found
}

struct Judge<'a> {
    layout: &'a Layout<'a>,
    invariant: &'a Invariant,
    state: &'a State,
}

impl Judge<'_> {
    fn describes(&self, element: &Element) -> bool {
        let program = self.layout.program;
        let mut locations = self.state.threads.iter().map(|thread| program.location(thread.location));
        let is_atomic = locations.any(|location| location.is_atomic);
        element.atomic.is_none_or(|wanted| wanted == is_atomic) && self.seat(element, &mut Vec::new())
    }

    /// Whether the element's other threads can be found, when these are the first ones.
    fn seat(&self, element: &Element, seats: &mut Vec<usize>) -> bool {
        let Some(&location) = element.threads.get(seats.len()) else {
            return element.literals.iter().all(|literal| self.holds(literal, seats));
        };
        for place in 0..self.state.threads.len() {
            if self.state.threads[place].location != location || seats.contains(&place) {
                continue;
            }
            seats.push(place);
            let is_found = self.seat(element, seats);
            seats.pop();
            if is_found {
                return true;
            }
        }
        false
    }

    fn holds(&self, literal: &Literal, seats: &[usize]) -> bool {
        let predicate = self.invariant.predicates.get(literal.predicate);
        let value = match literal.of {
            Of::State => self.for_all(predicate, None),
            Of::Thread(active) => self.for_all(predicate, Some(seats[active])),
            Of::Pair(active, passive) => self.eval(predicate, Some(seats[active]), Some(seats[passive])),
        };
        value == literal.value
    }

    /// Whether a predicate holds, with all passive threads if it is about such.
    fn for_all(&self, predicate: &Predicate, active: Option<usize>) -> bool {
        let Some(party) = &predicate.passive else { return self.eval(predicate, active, None) };
        let stands = |location: LocationId| party.scope.contains(&location);
        let mut others = (0..self.state.threads.len()).filter(|&place| Some(place) != active);
        others.all(|place| {
            !stands(self.state.threads[place].location) || self.eval(predicate, active, Some(place))
        })
    }

    fn eval(&self, predicate: &Predicate, active: Option<usize>, passive: Option<usize>) -> bool {
        let nondets = Vec::new();
        // A predicate that is about no thread reads no thread's variables.
        let thread = active.unwrap_or(0);
        let view = View { layout: self.layout, state: self.state, thread, passive, nondets: &nondets };
        view.eval(predicate.expression) == 1
    }
}
