//! Locations that threads only pass through.
//!
//! At such a location there is exactly one thing to do, it is always possible, and it looks at and changes nothing but the
//! thread's own variables. Whether the thread does it now or later makes no difference to anybody, so a search may let
//! threads go on at once: steps *to* such a location become steps to where they lead. The checker has the conditions
//! and the proof that this is exact (`throng_check::program`); evidence names the locations.
//!
//! A thread that is started in an atomic section cannot go on before the section is over, and perhaps never. So the step
//! to a target is never left out, and traces take silent steps as late as possible, when the thread is about to act.
//!
//! In a circle of such locations one is kept. With broadcasts nothing is left out: they see every location.

use throng_boolprog::ProgramQuestion;
use throng_boolprog::flow::{Edge, Effect, LocationId, Program, VariableId};

/// For each location, the edge that a thread takes at once, if it only passes through.
#[derive(Clone, Debug)]
pub(crate) struct Through {
    next: Vec<Option<u32>>,
}

impl Through {
    /// Nothing is passed through.
    pub(crate) fn none(program: &Program) -> Self {
        Self { next: vec![None; program.locations().len()] }
    }

    pub(crate) fn new(program: &Program, question: &ProgramQuestion) -> Self {
        let mut through = Self::none(program);
        let broadcasts = program.assignments().iter().any(|it| it.targets.iter().any(|it| it.is_passive));
        if broadcasts {
            return through;
        }
        let is_target = |location: LocationId| {
            question.targets.iter().flat_map(|it| &it.threads).any(|it| it.location == location)
        };
        for (index, edge) in (0_u32..).zip(program.edges()) {
            let from = edge.from;
            let is_only = program.outgoing(from).len() == 1;
            let is_between = from != program.entry() && !is_target(from) && !edge.to.is_some_and(is_target);
            if is_only && is_between && is_silent(program, *edge) {
                through.next[from.index()] = Some(index);
            }
        }
        through.keep_one_of_each_circle(program);
        through
    }

    fn keep_one_of_each_circle(&mut self, program: &Program) {
        // 0: not seen; otherwise in which walk it was.
        let mut seen = vec![0_usize; self.next.len()];
        for (walk, start) in (1..).zip(LocationId::all(self.next.len())) {
            let mut at = start;
            while let Some(edge) = self.next[at.index()] {
                match seen[at.index()] {
                    0 => seen[at.index()] = walk,
                    earlier => {
                        if earlier == walk {
                            self.next[at.index()] = None;
                        }
                        break;
                    }
                }
                at = program.edges()[edge as usize].to.expect("INVARIANT: silent edges lead somewhere");
            }
        }
    }

    /// Whether threads only pass through a location.
    pub(crate) fn contains(&self, location: LocationId) -> bool {
        self.next[location.index()].is_some()
    }

    /// The edges, by their numbers, that a thread takes at once from a location, and where they end.
    pub(crate) fn path(&self, program: &Program, from: LocationId) -> (Vec<u32>, LocationId) {
        let (mut path, mut at) = (Vec::new(), from);
        while let Some(edge) = self.next[at.index()] {
            path.push(edge);
            at = program.edges()[edge as usize].to.expect("INVARIANT: silent edges lead somewhere");
        }
        (path, at)
    }

    /// The locations.
    pub(crate) fn locations(&self) -> impl Iterator<Item = LocationId> + '_ {
        LocationId::all(self.next.len()).filter(|&location| self.contains(location))
    }
}

/// Whether a step is always possible and nobody else can see it.
fn is_silent(program: &Program, edge: Edge) -> bool {
    let Some(to) = edge.to else { return false };
    let own_only = match edge.effect {
        Effect::None => true,
        Effect::Start { .. } => false,
        Effect::Assign(id) => {
            let assignment = program.assignment(id);
            let is_own = |variable| matches!(variable, VariableId::Local(_));
            assignment.constraints.is_empty()
                && assignment.targets.iter().all(|target| !target.is_passive && is_own(target.variable))
                && assignment.values.iter().all(|&value| {
                    let mut references = program.expression(value).references();
                    references.all(|it| is_own(it.variable) && !it.is_next && !it.is_passive)
                })
        }
    };
    let same_section = program.location(edge.from).is_atomic == program.location(to).is_atomic;
    own_only && same_section && edge.guard.is_none() && edge.enforced.is_none()
}
