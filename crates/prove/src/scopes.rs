//! Where passive threads count: the different scopes of predicates, and one for each template, where its threads always count.

use std::collections::BTreeSet;
use throng_cfa::flow::{LocationId, Program, TemplateId, VariableId};
use throng_cfa::invariant::{Party, PredicateId, Predicates};

/// The scopes of a list of predicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scopes {
    /// The first ones are those of the templates.
    list: Vec<Party>,
    of: Vec<Option<usize>>,
}

impl Scopes {
    pub(crate) fn new(program: &Program, predicates: &Predicates) -> Self {
        let whole = |template: TemplateId| {
            let all = LocationId::all(program.locations.len());
            let scope = all.filter(|&it| program.location(it).template == template).collect();
            Party { template, scope }
        };
        let mut list: Vec<Party> = TemplateId::all(program.templates.len()).map(whole).collect();
        let of = predicates.list.iter().map(|predicate| {
            let party = predicate.passive.as_ref()?;
            let known = list.iter().position(|other| other == party);
            Some(known.unwrap_or_else(|| {
                list.push(party.clone());
                list.len() - 1
            }))
        });
        let of = of.collect();
        Self { list, of }
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn template(&self, scope: usize) -> TemplateId {
        self.list[scope].template
    }

    /// The scope where all threads of a template count.
    pub(crate) fn whole(template: TemplateId) -> usize {
        template.index()
    }

    /// The scope of a predicate about others.
    pub(crate) fn of(&self, predicate: PredicateId) -> usize {
        self.of[predicate.index()].expect("INVARIANT: a predicate about others has a scope")
    }

    /// Whether a location is in a scope.
    pub(crate) fn contains(&self, scope: usize, location: LocationId) -> bool {
        self.list[scope].scope.binary_search(&location).is_ok()
    }

    /// The scopes that a thread of a template can be in at once, outside of atomic sections.
    pub(crate) fn memberships(&self, program: &Program, template: TemplateId) -> BTreeSet<Vec<bool>> {
        let all = LocationId::all(program.locations.len()).filter(|&it| {
            let location = program.location(it);
            location.template == template && !location.is_atomic
        });
        all.map(|location| (0..self.len()).map(|scope| self.contains(scope, location)).collect()).collect()
    }
}

/// The locations of a template where all of these variables are assigned, whichever way a thread came there.
pub(crate) fn definitely_assigned(
    program: &Program,
    template: TemplateId,
    variables: &[VariableId],
) -> Vec<LocationId> {
    let mut all =
        variables.iter().map(|&it| throng_cfa::invariant::definitely_assigned(program, template, it));
    let first = all.next().unwrap_or_default();
    all.fold(first, |mut all, next| {
        all.retain(|it| next.contains(it));
        all
    })
}
