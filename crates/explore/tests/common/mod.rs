//! A builder of programs, and a search that tries everything, for comparison.
#![allow(dead_code, unreachable_pub, reason = "not every test file uses all of it")]

pub mod compare;
pub mod locked;
pub mod naive;
pub mod random;

use throng_base::Budget;
use throng_cfa::flow::*;
use throng_cfa::text::Position;
use throng_explore::{BoundedOptions, Outcome};

/// A program under construction.
pub struct Builder {
    pub program: Program,
}

pub type Assigned<'a> = &'a [(VariableId, Option<ExpressionId>, ExpressionId)];

impl Builder {
    /// A program whose first template is `main`.
    pub fn new() -> Self {
        let site = Site {
            position: Position { file: String::new(), line: 1, column: 1 },
            text: String::new(),
            function: String::new(),
            calls: Vec::new(),
        };
        let property = Property {
            kind: PropertyKind::Assertion,
            site: SiteId::new(0),
            text: "assertion fails".to_owned(),
        };
        Self {
            program: Program {
                variables: Vec::new(),
                templates: Vec::new(),
                main: TemplateId::new(0),
                locations: Vec::new(),
                edges: Vec::new(),
                expressions: Expressions::default(),
                nondets: Vec::new(),
                properties: vec![property],
                sites: vec![site],
                predicates: Vec::new(),
                ledger: Vec::new(),
                layout: Layout::default(),
                settled: Settled::default(),
                origins: Origins::default(),
                most_threads: None,
            },
        }
    }

    /// A template with its entry.
    pub fn template(&mut self) -> (TemplateId, LocationId) {
        let template = TemplateId::new(self.program.templates.len());
        self.program.templates.push(Template {
            name: format!("t{}", template.index()),
            entry: LocationId::new(self.program.locations.len()),
            locals: Vec::new(),
            result: None,
        });
        let entry = self.location(template, LocationKind::Inner, false);
        (template, entry)
    }

    pub fn location(&mut self, template: TemplateId, kind: LocationKind, is_atomic: bool) -> LocationId {
        let id = LocationId::new(self.program.locations.len());
        let edges = (EdgeId::new(0), 0);
        self.program.locations.push(Location { template, kind, is_atomic, site: SiteId::new(0), edges });
        id
    }

    pub fn inner(&mut self, template: TemplateId) -> LocationId {
        self.location(template, LocationKind::Inner, false)
    }

    pub fn error(&mut self, template: TemplateId) -> LocationId {
        self.location(template, LocationKind::Error(PropertyId::new(0)), false)
    }

    pub fn end(&mut self, template: TemplateId) -> LocationId {
        self.location(template, LocationKind::End, false)
    }

    pub fn variable(
        &mut self,
        scope: Scope,
        bits: u32,
        initial: Option<Vec<u128>>,
        length: u32,
    ) -> VariableId {
        let id = VariableId::new(self.program.variables.len());
        self.program.variables.push(Variable {
            name: format!("v{}", id.index()),
            function: None,
            scope,
            bits,
            ty: ValueType::Integer { is_signed: false },
            length,
            initial,
            address: None,
            is_ghost: false,
        });
        if let Scope::Local(template) = scope {
            self.program.templates[template.index()].locals.push(id);
        }
        id
    }

    pub fn shared(&mut self, bits: u32) -> VariableId {
        self.variable(Scope::Shared, bits, Some(vec![0]), 1)
    }

    pub fn local(&mut self, template: TemplateId, bits: u32) -> VariableId {
        self.variable(Scope::Local(template), bits, Some(vec![0]), 1)
    }

    pub fn edge(
        &mut self,
        from: LocationId,
        to: LocationId,
        guard: Option<ExpressionId>,
        assigned: Assigned,
        effect: Option<Effect>,
    ) {
        let guard = guard.unwrap_or_else(|| self.constant(1, 1));
        let assignments = assigned.iter();
        let assignments =
            assignments.map(|&(target, index, value)| Assignment { target, index, value }).collect();
        self.program.edges.push(Edge { from, to, guard, assignments, effect, site: SiteId::new(0) });
    }

    pub fn constant(&mut self, value: u128, bits: u32) -> ExpressionId {
        self.program.expressions.insert(Expression::Constant(value), bits)
    }

    pub fn get(&mut self, variable: VariableId) -> ExpressionId {
        let bits = self.program.variable(variable).bits;
        self.program.expressions.insert(Expression::Variable(variable), bits)
    }

    pub fn binary(&mut self, operator: BinaryOperator, a: ExpressionId, b: ExpressionId) -> ExpressionId {
        let bits = if operator.is_comparison() { 1 } else { self.program.expressions.bits(a) };
        self.program.expressions.insert(Expression::Binary(operator, a, b), bits)
    }

    pub fn not(&mut self, a: ExpressionId) -> ExpressionId {
        let bits = self.program.expressions.bits(a);
        self.program.expressions.insert(Expression::Unary(UnaryOperator::Not, a), bits)
    }

    /// Whether a variable is a number.
    pub fn is(&mut self, variable: VariableId, value: u128) -> ExpressionId {
        let bits = self.program.variable(variable).bits;
        let (a, b) = (self.get(variable), self.constant(value, bits));
        self.binary(BinaryOperator::Equal, a, b)
    }

    /// A variable and a number more.
    pub fn plus(&mut self, variable: VariableId, value: u128) -> ExpressionId {
        let bits = self.program.variable(variable).bits;
        let (a, b) = (self.get(variable), self.constant(value, bits));
        self.binary(BinaryOperator::Add, a, b)
    }

    pub fn nondet(&mut self, bits: u32) -> ExpressionId {
        let id = NondetId::new(self.program.nondets.len());
        let ty = ValueType::Integer { is_signed: false };
        self.program.nondets.push(Nondet { bits, name: "nondet".to_owned(), ty });
        self.program.expressions.insert(Expression::Nondet(id), bits)
    }

    /// The program, with the edges in order.
    pub fn finish(mut self) -> Program {
        self.program.edges.sort_by_key(|edge| edge.from);
        for (index, location) in self.program.locations.iter_mut().enumerate() {
            let from = LocationId::new(index);
            let first = self.program.edges.partition_point(|edge| edge.from < from);
            let count = self.program.edges[first..].iter().take_while(|edge| edge.from == from).count();
            location.edges = (EdgeId::new(first), count as u32);
        }
        self.program
    }
}

/// Searches with up to so many threads.
pub fn search(program: &Program, max_threads: u32) -> Outcome {
    let options = BoundedOptions { max_threads: Some(max_threads), ..BoundedOptions::default() };
    throng_explore::search(program, &options, &Budget::unlimited(), &mut |_| ())
}

/// How many threads a trace has.
pub fn n_threads(program: &Program, trace: &throng_cfa::trace::Trace) -> u32 {
    let is_start = |step: &&throng_cfa::trace::TraceStep| {
        matches!(program.edge(step.edge).effect, Some(Effect::Spawn { .. }))
    };
    1 + trace.steps.iter().filter(is_start).count() as u32
}
