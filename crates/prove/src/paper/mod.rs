//! The examples of Kaiser's thesis, §3, with its figures:
//!
//! * `ticket`: the ticket lock. Abstract transitions for 2, 3 and 4 threads and where they stop to become more, states for 2 threads (Figure 10).
//! * `decrement`: `m := m - 1` with `m < m_P` (Tables 2 and 3, eq. 33 and 37), and what is not monotone in it.
//! * `tightness`: eq. 40 and Table 4, and Theorem 13.
//! * `monotonicity`: Table 5.
//! * `oracle`: eq. 24 and 34 by trying all states, without a solver, to compare with.
//!
//! An [`Example`] is a program of one template, with predicates. Its transitions come from [`Context::passive`], as those of programs do.

mod decrement;
mod monotonicity;
mod oracle;
mod ticket;
mod tightness;

use crate::relate::{Context, Limits, Relation};
use crate::scene::Bit;
use crate::scene::{Act, Others, Time, Who};
use std::cell::RefCell;
use std::collections::BTreeSet;
use throng_base::Budget;
use throng_cfa::flow::{
    Assignment, BinaryOperator, Edge, EdgeId, Expression, ExpressionId, Expressions, Layout, Location,
    LocationId, LocationKind, Program, Scope, Site, SiteId, Template, TemplateId, ValueType, Variable,
    VariableId,
};
use throng_cfa::invariant::{Party, Predicate, PredicateId, Predicates};
use throng_cfa::text::Position;

/// Values of all predicates: of the acting thread and of a passive one, before the step, then after it. Bit c of each is predicate c.
type Transition = [u8; 4];

const THREAD: TemplateId = TemplateId::new(0);

/// A program under construction, with predicates.
struct Example {
    program: Program,
    predicates: Predicates,
}

impl Example {
    /// So many locations, no variables.
    fn new(n_locations: usize) -> Self {
        let site = Site {
            position: Position { file: String::new(), line: 1, column: 1 },
            text: String::new(),
            function: String::new(),
            calls: Vec::new(),
        };
        let location = Location {
            template: THREAD,
            kind: LocationKind::Inner,
            is_atomic: false,
            site: SiteId::new(0),
            edges: (EdgeId::new(0), 0),
        };
        let template =
            Template { name: "thread".into(), entry: LocationId::new(0), locals: Vec::new(), result: None };
        let program = Program {
            variables: Vec::new(),
            templates: vec![template],
            main: THREAD,
            locations: vec![location; n_locations],
            edges: Vec::new(),
            expressions: Expressions::default(),
            nondets: Vec::new(),
            properties: Vec::new(),
            sites: vec![site],
            predicates: Vec::new(),
            ledger: Vec::new(),
            layout: Layout::default(),
            settled: throng_cfa::flow::Settled::default(),
            origins: throng_cfa::flow::Origins::default(),
            most_threads: None,
        };
        Self { program, predicates: Predicates::default() }
    }

    fn variable(&mut self, name: &str, scope: Scope, bits: u32) -> VariableId {
        let id = VariableId::new(self.program.variables.len());
        self.program.variables.push(Variable {
            name: name.to_owned(),
            function: None,
            scope,
            bits,
            ty: ValueType::Integer { is_signed: false },
            length: 1,
            initial: None,
            address: None,
            is_ghost: false,
        });
        if scope != Scope::Shared {
            self.program.templates[THREAD.index()].locals.push(id);
        }
        id
    }

    fn expressions(&mut self) -> &mut Expressions {
        &mut self.predicates.expressions
    }

    fn get(&mut self, variable: VariableId) -> ExpressionId {
        let bits = self.program.variable(variable).bits;
        self.expressions().variable(variable, bits)
    }

    fn passive(&mut self, variable: VariableId) -> ExpressionId {
        let bits = self.program.variable(variable).bits;
        self.expressions().insert(Expression::Passive(variable), bits)
    }

    fn constant(&mut self, variable: VariableId, value: u128) -> ExpressionId {
        let bits = self.program.variable(variable).bits;
        self.expressions().constant(value, bits)
    }

    fn binary(&mut self, operator: BinaryOperator, a: ExpressionId, b: ExpressionId) -> ExpressionId {
        self.expressions().binary(operator, a, b)
    }

    /// Whether two values differ.
    fn differ(&mut self, a: ExpressionId, b: ExpressionId) -> ExpressionId {
        let equal = self.binary(BinaryOperator::Equal, a, b);
        self.expressions().not(equal)
    }

    /// An edge; edges are added in the order of their first locations.
    fn edge(&mut self, from: usize, to: usize, guard: ExpressionId, assigned: &[(VariableId, ExpressionId)]) {
        let (first, count) = &mut self.program.locations[from].edges;
        if *count == 0 {
            *first = EdgeId::new(self.program.edges.len());
        }
        *count += 1;
        let assignments =
            assigned.iter().map(|&(target, value)| Assignment { target, index: None, value }).collect();
        let (from, to) = (LocationId::new(from), LocationId::new(to));
        self.program.edges.push(Edge { from, to, guard, assignments, effect: None, site: SiteId::new(0) });
    }

    /// A predicate about a thread (and all others, wherever they are).
    fn predicate(&mut self, expression: ExpressionId, is_inter_thread: bool) {
        let scope = LocationId::all(self.program.locations.len()).collect();
        let passive = is_inter_thread.then_some(Party { template: THREAD, scope });
        self.predicates.insert(Predicate { expression, active: Some(THREAD), passive });
    }

    fn finish(mut self) -> Self {
        self.program.expressions = self.predicates.expressions.clone();
        self
    }

    /// What an edge does to the acting thread and a passive one, as it is computed for programs.
    fn relation(&self, edge: usize, others: Others) -> Relation {
        let cache = RefCell::default();
        let context = Context::new(&self.program, &self.predicates, &cache);
        let budget = Budget::unlimited();
        let limits = Limits { max_models: 1 << 16, max_cube_length: 3, budget: &budget };
        let act = Act::Edge(self.program.edge(EdgeId::new(edge)));
        let relation = context.passive(act, THREAD, others, limits).expect("nothing stops it");
        relation.expect("passive threads notice the step")
    }

    /// R̃_n of eq. 34 for an edge (or for any n): its models, where a bit that is left out after the step is as before.
    fn transitions(&self, edge: usize, others: Others) -> BTreeSet<Transition> {
        let relation = self.relation(edge, others);
        let value = |model: u64, predicate: PredicateId, who: Who, time: Time| {
            let at = relation.bits.iter().position(|&it| it == Bit::Value { predicate, who, time });
            at.map(|at| (model >> at & 1) as u8)
        };
        let all = |model: u64, who: Who, time: Time| -> u8 {
            let ids = PredicateId::all(self.predicates.list.len());
            let values = ids.map(|id| {
                let before = value(model, id, who, Time::Before).expect("all predicates matter here");
                let now = if time == Time::After { value(model, id, who, time) } else { None };
                now.unwrap_or(before) << id.index()
            });
            values.sum()
        };
        let places = [(Who::Active, Time::Before), (Who::Passive, Time::Before)];
        let places = [places[0], places[1], (Who::Active, Time::After), (Who::Passive, Time::After)];
        let transitions =
            relation.models().iter().map(|&model| places.map(|(who, time)| all(model, who, time)));
        transitions.collect()
    }
}

/// R̃_n of eq. 34.
fn threads(n: usize) -> Others {
    Others::Exactly(n - 2)
}

/// Transitions of one predicate, as the thesis writes them: b, b_P, b′, b′_P.
fn letters(transitions: &BTreeSet<Transition>) -> BTreeSet<String> {
    let letter = |bit: u8| if bit == 1 { 'T' } else { 'F' };
    transitions.iter().map(|it| it.iter().map(|&bit| letter(bit)).collect()).collect()
}

fn set(texts: &[&str]) -> BTreeSet<String> {
    texts.iter().map(|&it| it.to_owned()).collect()
}
