//! What a step can do to what is known: which slots it depends on and which it may change.
//!
//! A step is looked at with the acting thread alone, with one other thread, or with two. With more nothing else could be seen, since
//! facts are about two threads at most.

use super::lists::{Lists, rank};
use super::scene::Whom;
use super::slots::{SlotId, Slots};
use throng_cfa::flow::{EdgeId, Effect, LocationId, Program, TemplateId};

/// A step with others who look on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Task {
    /// The start of the program.
    Start,
    /// The acting thread alone.
    Alone(EdgeId),
    /// Another thread stands here.
    With(EdgeId, LocationId),
    /// Two others stand here, in the order of [`rank`].
    WithTwo(EdgeId, LocationId, LocationId),
}

/// A slot, and which of the scene's threads its candidates are about; in both directions where two threads stand
/// at the same location.
pub(super) type Part = (SlotId, Vec<Whom>);

impl Task {
    /// The edge that is taken.
    pub(super) fn edge(self) -> Option<EdgeId> {
        match self {
            Task::Start => None,
            Task::Alone(edge) | Task::With(edge, _) | Task::WithTwo(edge, ..) => Some(edge),
        }
    }

    /// The codes of those who look on.
    pub(super) fn others(self, program: &Program) -> Vec<TemplateId> {
        self.lookers().into_iter().map(|it| program.location(it).template).collect()
    }

    fn lookers(self) -> Vec<LocationId> {
        match self {
            Task::Start | Task::Alone(_) => Vec::new(),
            Task::With(_, a) => vec![a],
            Task::WithTwo(_, a, b) => vec![a, b],
        }
    }

    /// Where the threads stand before.
    pub(super) fn stand(self, program: &Program) -> Vec<LocationId> {
        let actor = self.edge().map(|edge| program.edge(edge).from);
        actor.into_iter().chain(self.lookers()).collect()
    }

    /// What is known before.
    pub(super) fn before(self, program: &Program, lists: &Lists, slots: &mut Slots) -> Vec<Part> {
        let Some(edge) = self.edge() else { return Vec::new() };
        let mut stand = vec![program.edge(edge).from];
        stand.extend(self.lookers());
        let mut parts = vec![(slots.global(), vec![Whom::Nobody])];
        for (i, &here) in stand.iter().enumerate() {
            parts.push((slots.at(here), vec![Whom::Thread(i)]));
            for (j, &there) in stand[..i].iter().enumerate() {
                parts.push(two(program, lists, slots, (j, there), (i, here)));
            }
        }
        parts
    }

    /// What may not be known after. `started` is the scene's number of the thread that is started.
    pub(super) fn after(
        self,
        program: &Program,
        lists: &Lists,
        slots: &mut Slots,
        started: usize,
    ) -> Vec<Part> {
        let Some(id) = self.edge() else {
            let entry = program.templates[program.main.index()].entry;
            return vec![(slots.global(), vec![Whom::Nobody]), (slots.at(entry), vec![Whom::Thread(0)])];
        };
        let edge = program.edge(id);
        let entry = match &edge.effect {
            Some(Effect::Spawn { template, .. }) => Some(program.templates[template.index()].entry),
            _ => None,
        };
        match self {
            Task::Start => Vec::new(),
            Task::Alone(_) => {
                let mut parts =
                    vec![(slots.global(), vec![Whom::Nobody]), (slots.at(edge.to), vec![Whom::Thread(0)])];
                if let Some(entry) = entry {
                    parts.push((slots.at(entry), vec![Whom::Thread(started)]));
                    parts.push(two(program, lists, slots, (0, edge.to), (started, entry)));
                }
                parts
            }
            Task::With(_, other) => {
                let mut parts = vec![
                    (slots.at(other), vec![Whom::Thread(1)]),
                    two(program, lists, slots, (0, edge.to), (1, other)),
                ];
                if let Some(entry) = entry {
                    parts.push(two(program, lists, slots, (1, other), (started, entry)));
                }
                parts
            }
            Task::WithTwo(_, a, b) => vec![two(program, lists, slots, (1, a), (2, b))],
        }
    }
}

/// The slot of two threads, each given by its number and where it stands.
fn two(
    program: &Program,
    lists: &Lists,
    slots: &mut Slots,
    (i, here): (usize, LocationId),
    (j, there): (usize, LocationId),
) -> Part {
    let slot = slots.pair(program, lists, here, there);
    let whom = match rank(program, here).cmp(&rank(program, there)) {
        std::cmp::Ordering::Less => vec![Whom::Threads(i, j)],
        std::cmp::Ordering::Greater => vec![Whom::Threads(j, i)],
        std::cmp::Ordering::Equal => vec![Whom::Threads(i, j), Whom::Threads(j, i)],
    };
    (slot, whom)
}
