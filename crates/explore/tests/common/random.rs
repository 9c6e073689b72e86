//! Random small programs with all kinds of edges.

use super::Builder;
use throng_cfa::flow::*;

/// A small generator of random numbers.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % bound as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }
}

/// What kinds of things a program has.
#[derive(Clone, Copy, Debug)]
struct Style {
    numbers: bool,
    nondets: usize,
    effects: bool,
    atomic: usize,
    locals: usize,
    /// How many edges in 100 are about a thread's own variables only.
    private: usize,
}

struct Maker<'r> {
    random: &'r mut Random,
    builder: Builder,
    style: Style,
    shared: Vec<VariableId>,
    locals: Vec<Vec<VariableId>>,
    nondets: Vec<ExpressionId>,
    /// Whether only a thread's own variables are used at present.
    is_private: bool,
}

const OPERATORS: [BinaryOperator; 18] = [
    BinaryOperator::Add,
    BinaryOperator::Subtract,
    BinaryOperator::Multiply,
    BinaryOperator::UnsignedDivide,
    BinaryOperator::UnsignedRemainder,
    BinaryOperator::SignedDivide,
    BinaryOperator::SignedRemainder,
    BinaryOperator::And,
    BinaryOperator::Or,
    BinaryOperator::Xor,
    BinaryOperator::ShiftLeft,
    BinaryOperator::ShiftRightLogical,
    BinaryOperator::ShiftRightArithmetic,
    BinaryOperator::Equal,
    BinaryOperator::UnsignedLess,
    BinaryOperator::UnsignedLessOrEqual,
    BinaryOperator::SignedLess,
    BinaryOperator::SignedLessOrEqual,
];

impl Maker<'_> {
    /// An expression over the variables of a template.
    fn expression(&mut self, template: usize, bits: u32, depth: usize) -> ExpressionId {
        let choice = self.random.below(if depth == 0 { 10 } else { 18 });
        match choice {
            0 | 1 => self.builder.constant(self.random.below(1 << bits.min(3)) as u128, bits),
            2 if !self.nondets.is_empty() => {
                let nondet = self.random.pick(&self.nondets);
                self.fit(nondet, bits)
            }
            2..=9 => self.read(template, bits, depth),
            10 => {
                let a = self.expression(template, bits, depth - 1);
                self.builder.not(a)
            }
            11 if self.style.numbers && !self.is_private => self.about_threads(template, bits),
            11 | 12 => {
                let a = self.expression(template, 1, depth - 1);
                let b = self.expression(template, bits, depth - 1);
                let c = self.expression(template, bits, depth - 1);
                self.builder.program.expressions.insert(Expression::IfThenElse(a, b, c), bits)
            }
            _ => {
                let operator = self.random.pick(&OPERATORS);
                let width = if operator.is_comparison() { 1 + self.random.below(3) as u32 } else { bits };
                let a = self.expression(template, width, depth - 1);
                let b = self.expression(template, width, depth - 1);
                let value = self.builder.binary(operator, a, b);
                self.fit(value, bits)
            }
        }
    }

    fn about_threads(&mut self, template: usize, bits: u32) -> ExpressionId {
        let expressions = &mut self.builder.program.expressions;
        let this = expressions.insert(Expression::ThisThread, 8);
        let numbers: Vec<VariableId> = self.shared.iter().chain(&self.locals[template]).copied().collect();
        let numbers: Vec<VariableId> =
            numbers.into_iter().filter(|&id| self.builder.program.variable(id).bits == 8).collect();
        let number = match self.random.below(5) {
            0 => self.builder.constant(self.random.below(4) as u128, 8),
            _ if !numbers.is_empty() => {
                let id = self.random.pick(&numbers);
                self.builder.get(id)
            }
            _ => this,
        };
        let expressions = &mut self.builder.program.expressions;
        match self.random.below(4) {
            0 => {
                let value = expressions.insert(Expression::HasEnded(number), 1);
                self.fit(value, bits)
            }
            1 => {
                let value = expressions.insert(Expression::ResultOf(number), 2);
                self.fit(value, bits)
            }
            _ => {
                let value = self.builder.binary(BinaryOperator::Equal, this, number);
                self.fit(value, bits)
            }
        }
    }

    fn fit(&mut self, id: ExpressionId, bits: u32) -> ExpressionId {
        let width = self.builder.program.expressions.bits(id);
        let is_signed = self.random.chance(50);
        let expression = match width.cmp(&bits) {
            std::cmp::Ordering::Equal => return id,
            std::cmp::Ordering::Less => Expression::Extend { operand: id, is_signed },
            std::cmp::Ordering::Greater => Expression::Extract {
                operand: id,
                low: self.random.below((width - bits) as usize + 1) as u32,
            },
        };
        self.builder.program.expressions.insert(expression, bits)
    }

    /// The variables that may be used.
    fn at_hand(&self, template: usize) -> Vec<VariableId> {
        let shared = if self.is_private { &[] } else { self.shared.as_slice() };
        shared.iter().chain(&self.locals[template]).copied().collect()
    }

    fn read(&mut self, template: usize, bits: u32, depth: usize) -> ExpressionId {
        let all: Vec<VariableId> = self.at_hand(template);
        let all: Vec<VariableId> =
            all.into_iter().filter(|&id| self.builder.program.variable(id).bits != 8).collect();
        let id = self.random.pick(&all);
        let variable = self.builder.program.variable(id);
        let (width, length) = (variable.bits, variable.length);
        let value = if length == 1 {
            self.builder.get(id)
        } else {
            let index = self.expression(template, 2, depth.saturating_sub(1));
            self.builder.program.expressions.insert(Expression::Element(id, index), width)
        };
        self.fit(value, bits)
    }

    /// An assignment to a variable that is not taken yet.
    fn assignment(
        &mut self,
        template: usize,
        taken: &mut Vec<VariableId>,
        starts: bool,
    ) -> Option<(VariableId, Option<ExpressionId>, ExpressionId)> {
        let all: Vec<VariableId> = self.at_hand(template);
        let id = self.random.pick(&all);
        if taken.contains(&id) {
            return None;
        }
        taken.push(id);
        let variable = self.builder.program.variable(id);
        let (bits, length) = (variable.bits, variable.length);
        let value = if bits == 8 {
            let expressions = &mut self.builder.program.expressions;
            match self.random.below(3) {
                0 => self.builder.constant(0, 8),
                1 if starts => expressions.insert(Expression::NewThread, 8),
                _ => expressions.insert(Expression::ThisThread, 8),
            }
        } else {
            self.expression(template, bits, 2)
        };
        let index = (length > 1).then(|| self.expression(template, 2, 1));
        Some((id, index, value))
    }

    fn updates(&mut self, actor: usize) -> Vec<PassiveUpdate> {
        let mut all = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let template = self.random.below(self.locals.len());
            let own: Vec<VariableId> = self.locals[template].clone();
            let own: Vec<VariableId> = own
                .into_iter()
                .filter(|&id| {
                    let variable = self.builder.program.variable(id);
                    variable.length == 1 && variable.bits != 8
                })
                .collect();
            if own.is_empty() {
                continue;
            }
            let looked = self.random.pick(&own);
            let bits = self.builder.program.variable(looked).bits;
            let passive = self.builder.program.expressions.insert(Expression::Passive(looked), bits);
            let other = self.expression(actor, bits, 1);
            let guard = self.builder.binary(BinaryOperator::Equal, passive, other);
            let target = self.random.pick(&own);
            let bits = self.builder.program.variable(target).bits;
            let value = if self.random.chance(50) {
                self.fit(passive, bits)
            } else {
                self.expression(actor, bits, 1)
            };
            let template = TemplateId::new(template);
            all.push(PassiveUpdate { template, guard, assignments: vec![(target, value)] });
        }
        all
    }

    fn effect(&mut self, actor: usize, starts: bool) -> Option<Effect> {
        if starts {
            let template = self.random.below(self.locals.len());
            let own = self.locals[template].clone();
            let mut arguments = Vec::new();
            if let Some(&id) = own.first() {
                let variable = self.builder.program.variable(id);
                if variable.length == 1 && variable.bits != 8 && self.random.chance(60) {
                    let value = self.expression(actor, variable.bits, 1);
                    arguments.push((id, value));
                }
            }
            return Some(Effect::Spawn { template: TemplateId::new(template), arguments });
        }
        if !self.style.effects || !self.random.chance(15) {
            return None;
        }
        let updates = self.updates(actor);
        Some(if self.random.chance(50) { Effect::Broadcast(updates) } else { Effect::Signal(updates) })
    }

    fn template(&mut self, template: usize) {
        let id = TemplateId::new(template);
        let entry = self.builder.program.templates[template].entry;
        let mut places = vec![entry];
        for _ in 0..2 + self.random.below(4) {
            let is_atomic = self.random.chance(self.style.atomic);
            places.push(self.builder.location(id, LocationKind::Inner, is_atomic));
        }
        // A thread that ends inside of an atomic section ends everything.
        let is_final = self.random.chance(self.style.atomic);
        let end = self.builder.location(id, LocationKind::End, is_final);
        let error = self.builder.error(id);
        let spawn_chance = if template == 0 { 40 } else { 8 };
        for (number, &from) in places.clone().iter().enumerate() {
            for _ in 0..1 + self.random.below(2) {
                let to = match self.random.below(20) {
                    0 => end,
                    1 => error,
                    2..=4 => self.random.pick(&places),
                    _ => places.get(number + 1).copied().unwrap_or(end),
                };
                self.is_private = self.style.private > 0 && self.random.chance(self.style.private);
                let guard = (to == error || self.random.chance(40)).then(|| self.expression(template, 1, 2));
                let starts = self.random.chance(spawn_chance) && !self.is_private;
                let mut taken = Vec::new();
                let wanted = self.random.below(3);
                let assigned: Vec<_> =
                    (0..wanted).filter_map(|_| self.assignment(template, &mut taken, starts)).collect();
                let effect = if self.is_private { None } else { self.effect(template, starts) };
                self.builder.edge(from, to, guard, &assigned, effect);
            }
        }
    }
}

/// A random program.
pub fn program(random: &mut Random) -> Program {
    program_with(random, 0)
}

/// A random program in which so many edges in 100 are about a thread's own variables only.
pub fn program_with(random: &mut Random, private: usize) -> Program {
    let style = Style {
        numbers: random.chance(30),
        nondets: if random.chance(50) { 1 + random.below(2) } else { 0 },
        effects: random.chance(40),
        atomic: if random.chance(50) { 25 } else { 0 },
        locals: 1 + random.below(2),
        private,
    };
    let mut builder = Builder::new();
    let n_templates = 2 + random.below(2);
    for _ in 0..n_templates {
        builder.template();
    }
    let mut maker = Maker {
        random,
        builder,
        style,
        shared: Vec::new(),
        locals: vec![Vec::new(); n_templates],
        nondets: Vec::new(),
        is_private: false,
    };
    for _ in 0..1 + maker.random.below(3) {
        let variable = maker.variable(Scope::Shared);
        maker.shared.push(variable);
    }
    for template in 0..n_templates {
        for _ in 0..style.locals {
            let variable = maker.variable(Scope::Local(TemplateId::new(template)));
            maker.locals[template].push(variable);
        }
        if style.numbers {
            let scope = Scope::Local(TemplateId::new(template));
            let result = maker.builder.variable(scope, 2, Some(vec![0]), 1);
            maker.locals[template].push(result);
            maker.builder.program.templates[template].result = Some(result);
            let number = maker.builder.variable(scope, 8, Some(vec![0]), 1);
            maker.locals[template].push(number);
        }
    }
    if style.numbers {
        let owner = maker.builder.variable(Scope::Shared, 8, Some(vec![0]), 1);
        maker.shared.push(owner);
    }
    for _ in 0..style.nondets {
        let bits = 1 + maker.random.below(2) as u32;
        let nondet = maker.builder.nondet(bits);
        maker.nondets.push(nondet);
    }
    for template in 0..n_templates {
        maker.template(template);
    }
    maker.builder.finish()
}

impl Maker<'_> {
    fn variable(&mut self, scope: Scope) -> VariableId {
        let bits = 1 + self.random.below(2) as u32;
        let length = if self.random.chance(20) { 2 + self.random.below(2) as u32 } else { 1 };
        let initial = (!self.random.chance(15))
            .then(|| (0..length).map(|_| self.random.below(1 << bits) as u128).collect());
        self.builder.variable(scope, bits, initial, length)
    }
}
