//! Random invariants of random C programs: whatever the checker accepts is compared with all states that few threads reach.
//!
//! Most random elements are wrong. So the checker is asked again without the element that it rejected, until it accepts
//! what is left (or nothing is left): these elements are claimed to describe no reachable state, and an error that is still
//! there to be unreachable.

#[path = "../../explore/tests/common/mod.rs"]
mod common;
mod judge;

use common::naive;
use common::random::{self, Random};
use judge::{describes, with_expressions};
use throng_base::Budget;
use throng_cfa::flow::*;
use throng_cfa::invariant::*;
use throng_check::c::check_invariant;

/// How many states are looked at.
const MOST_STATES: usize = 6_000;

/// What came of a random program.
#[derive(Default)]
struct Tally {
    accepted: usize,
    elements: usize,
    for_all: usize,
    several: usize,
    safe_with_errors: usize,
    skipped: usize,
}

struct Maker<'r> {
    random: &'r mut Random,
    program: &'r Program,
    predicates: Predicates,
}

impl Maker<'_> {
    /// A variable or number to compare, of this width at most.
    fn value(&mut self, active: Option<TemplateId>, passive: Option<TemplateId>) -> ExpressionId {
        let of = |scope: Scope| {
            let program = self.program;
            let ids = VariableId::all(program.variables.len());
            ids.filter(|&id| program.variable(id).scope == scope).collect::<Vec<_>>()
        };
        let mut all: Vec<(VariableId, bool)> = of(Scope::Shared).into_iter().map(|id| (id, false)).collect();
        if let Some(template) = active {
            for _ in 0..2 {
                all.extend(of(Scope::Local(template)).into_iter().map(|id| (id, false)));
            }
        }
        if let Some(template) = passive {
            for _ in 0..3 {
                let scalars = of(Scope::Local(template)).into_iter();
                all.extend(scalars.filter(|&id| self.program.variable(id).length == 1).map(|id| (id, true)));
            }
        }
        if all.is_empty() || (active.is_some() && self.random.chance(5)) {
            return match active {
                Some(_) => self.predicates.expressions.insert(Expression::ThisThread, 8),
                None => self.predicates.expressions.constant(1, 1),
            };
        }
        let (id, is_passive) = all[self.random.below(all.len())];
        let variable = self.program.variable(id);
        let expressions = &mut self.predicates.expressions;
        let expression = if is_passive {
            Expression::Passive(id)
        } else if variable.length > 1 {
            let index = expressions.constant(self.random.below(4) as u128, 2);
            Expression::Element(id, index)
        } else {
            Expression::Variable(id)
        };
        expressions.insert(expression, variable.bits)
    }

    fn condition(&mut self, active: Option<TemplateId>, passive: Option<TemplateId>) -> ExpressionId {
        let a = self.value(active, passive);
        let bits = self.predicates.expressions.bits(a);
        if bits == 8 && self.random.chance(20) {
            return self.predicates.expressions.insert(Expression::HasEnded(a), 1);
        }
        let a = if bits == 8 && self.random.chance(10) {
            self.predicates.expressions.insert(Expression::ResultOf(a), 2)
        } else {
            a
        };
        let bits = self.predicates.expressions.bits(a);
        let b = if self.random.chance(50) {
            let value = self.random.below(1 << bits.min(2)) as u128;
            self.predicates.expressions.constant(value, bits)
        } else {
            let b = self.value(active, passive);
            self.predicates.expressions.resize(b, bits, false)
        };
        let operator = match self.random.below(4) {
            0 => BinaryOperator::UnsignedLess,
            1 => BinaryOperator::SignedLessOrEqual,
            _ => BinaryOperator::Equal,
        };
        self.predicates.expressions.binary(operator, a, b)
    }

    fn predicate(&mut self) -> PredicateId {
        let n_templates = self.program.templates.len();
        let active = self.random.chance(60).then(|| TemplateId::new(self.random.below(n_templates)));
        let passive = self.random.chance(55).then(|| {
            let template = TemplateId::new(self.random.below(n_templates));
            let percent = [30, 60, 100][self.random.below(3)];
            let mut scope: Vec<LocationId> = LocationId::all(self.program.locations.len())
                .filter(|&at| self.program.location(at).template == template)
                .collect();
            scope.retain(|_| self.random.chance(percent));
            Party { template, scope }
        });
        let expression = self.condition(active, passive.as_ref().map(|party| party.template));
        self.predicates.insert(throng_cfa::invariant::Predicate { expression, active, passive })
    }

    fn element(&mut self) -> Element {
        let n_locations = self.program.locations.len();
        let mut threads: Vec<LocationId> = Vec::new();
        for _ in 0..[0, 1, 1, 1, 2, 2, 2, 3][self.random.below(8)] {
            threads.push(LocationId::new(self.random.below(n_locations)));
        }
        let template = |thread: usize| self.program.location(threads[thread]).template;
        let mut literals = Vec::new();
        for _ in 0..8 {
            if self.predicates.list.is_empty() || literals.len() > self.random.below(3) {
                break;
            }
            let predicate = PredicateId::new(self.random.below(self.predicates.list.len()));
            let known = self.predicates.get(predicate);
            let actives: Vec<usize> =
                (0..threads.len()).filter(|&thread| Some(template(thread)) == known.active).collect();
            let of = match (known.kind(), known.passive.as_ref()) {
                (PredicateKind::Shared | PredicateKind::Universal, _) => Of::State,
                _ if actives.is_empty() => continue,
                (_, party) => {
                    let active = actives[self.random.below(actives.len())];
                    let passives: Vec<usize> = (0..threads.len())
                        .filter(|&other| {
                            other != active && Some(template(other)) == party.map(|p| p.template)
                        })
                        .collect();
                    if !passives.is_empty() && self.random.chance(40) {
                        Of::Pair(active, passives[self.random.below(passives.len())])
                    } else {
                        Of::Thread(active)
                    }
                }
            };
            literals.push(Literal { predicate, of, value: self.random.chance(50) });
        }
        let atomic = self.random.chance(20).then(|| self.random.chance(50));
        Element { atomic, threads, literals }
    }
}

/// A program whose errors are errors no longer, perhaps, and whose threads begin in atomic sections, at times.
fn random_program(random: &mut Random) -> Program {
    let mut program = random::program(random);
    if random.chance(20) {
        let template = random.below(program.templates.len());
        let entry = program.templates[template].entry;
        program.locations[entry.index()].is_atomic = true;
    }
    if random.chance(75) {
        for location in &mut program.locations {
            if matches!(location.kind, LocationKind::Error(_)) {
                location.kind = if random.chance(50) { LocationKind::Inner } else { LocationKind::End };
            }
        }
    }
    program
}

fn one(seed: u64, tally: &mut Tally) {
    let mut random = Random::new(seed);
    let program = random_program(&mut random);
    let predicates = Predicates::new(program.expressions.clone());
    let mut maker = Maker { random: &mut random, program: &program, predicates };
    for _ in 0..8 {
        maker.predicate();
    }
    let mut elements: Vec<Element> = (0..30).map(|_| maker.element()).collect();
    let predicates = maker.predicates;
    let whole = with_expressions(&program, &predicates);
    // Sometimes elements are dropped that are plainly wrong: more of the others can then be kept.
    if random.chance(60) {
        let mut is_right = vec![true; elements.len()];
        let _ = naive::reaches(&whole, 2, MOST_STATES, |state| {
            for (element, is_right) in elements.iter().zip(&mut is_right) {
                *is_right = *is_right && !describes(&whole, &predicates, element, state);
            }
            false
        });
        let mut is_right = is_right.into_iter();
        elements.retain(|_| is_right.next().unwrap_or(false));
    }
    let mut invariant = Invariant { counts: Vec::new(), predicates, elements };
    while let Err(rejection) = check_invariant(&program, &invariant, &Budget::unlimited()) {
        match rejection.place.strip_prefix("element ").and_then(|number| number.parse::<usize>().ok()) {
            Some(index) => invariant.elements.remove(index),
            None => {
                assert!(rejection.place.starts_with("the error"), "seed {seed}: {rejection}");
                return;
            }
        };
    }
    let is_wrong = |state: &naive::State| {
        let is_error =
            |thread: &naive::Thread| matches!(program.location(thread.location).kind, LocationKind::Error(_));
        state.threads.iter().any(is_error)
            || invariant
                .elements
                .iter()
                .any(|element| describes(&whole, &invariant.predicates, element, state))
    };
    match naive::reaches(&whole, 3, MOST_STATES, is_wrong) {
        Some(is_reached) => {
            assert!(!is_reached, "seed {seed}: a state is reached that is excluded: {invariant:#?}");
        }
        None => tally.skipped += 1,
    }
    tally.accepted += 1;
    tally.elements += invariant.elements.len();
    let is_for_all = |literal: &&Literal| {
        invariant.predicates.get(literal.predicate).passive.is_some() && !matches!(literal.of, Of::Pair(..))
    };
    tally.for_all += invariant.elements.iter().flat_map(|e| &e.literals).filter(is_for_all).count();
    tally.several += invariant.elements.iter().filter(|element| element.threads.len() > 1).count();
    let has_errors = program.locations.iter().any(|at| matches!(at.kind, LocationKind::Error(_)));
    tally.safe_with_errors += usize::from(has_errors);
}

/// `THRONG_RANDOM` is the number of programs, `THRONG_SEED` that of the first.
#[test]
fn what_is_accepted_is_not_reached() {
    let number = |name: &str, default: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (first, count) = (number("THRONG_SEED", 1), number("THRONG_RANDOM", 60));
    let mut tally = Tally::default();
    for seed in first..first + count {
        one(seed, &mut tally);
    }
    let Tally { accepted, elements, for_all, several, safe_with_errors, skipped } = tally;
    eprintln!(
        "{accepted} accepted with {elements} elements ({several} with several threads), {for_all} literals for all; \
         {safe_with_errors} with errors; {skipped} too large"
    );
    assert!(accepted * 4 > count as usize && elements > accepted && for_all > accepted / 4);
}
