//! Graphs as text, one line for each edge: for tests and for looking at.

use super::{
    BinaryOperator, Edge, Effect, Expression, ExpressionId, LocationId, LocationKind, PassiveUpdate, Program,
    Scope, UnaryOperator, ValueType, Variable, VariableId, signed,
};
use std::fmt::Write;

impl Program {
    /// All variables, then all templates with their edges.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (index, variable) in self.variables.iter().enumerate() {
            let _ = writeln!(out, "{}", self.variable_line(VariableId::new(index), variable));
        }
        for (index, template) in self.templates.iter().enumerate() {
            let _ = writeln!(out, "template {} from {}", template.name, location_name(template.entry));
            for edge in self.edges.iter().filter(|e| self.location(e.from).template.index() == index) {
                let _ = writeln!(out, "  {}", self.edge_line(edge));
            }
        }
        for predicate in &self.predicates {
            let _ = writeln!(out, "predicate {}", self.expression_text(predicate.expression));
        }
        for entry in &self.ledger {
            let _ = writeln!(out, "ledger {}: {}", entry.kind, entry.text);
        }
        out
    }

    fn variable_line(&self, id: VariableId, variable: &Variable) -> String {
        let mut line = match variable.scope {
            Scope::Shared => "shared".to_owned(),
            Scope::Local(template) => format!("local({})", self.templates[template.index()].name),
        };
        let _ = write!(line, " {}: {}", self.variable_text(id), variable.bits);
        if variable.length != 1 {
            let _ = write!(line, " x {}", variable.length);
        }
        match &variable.initial {
            None => line.push_str(" = *"),
            Some(values) if values.iter().all(|&value| value == 0) => {}
            Some(values) => {
                let texts = values.iter().map(|&value| constant_text(value, variable.bits));
                let _ = write!(line, " = {}", texts.collect::<Vec<_>>().join(", "));
            }
        }
        line
    }

    /// The name of a variable, with its number where others have the same name.
    pub fn variable_text(&self, id: VariableId) -> String {
        let variable = self.variable(id);
        let same = self.variables.iter().filter(|other| other.name == variable.name).count();
        if same > 1 { format!("{}#{}", variable.name, id.index()) } else { variable.name.clone() }
    }

    /// An edge on a line: `3 -> 4: [x == 0] x := 1  // x = 1;`
    pub fn edge_line(&self, edge: &Edge) -> String {
        let mut line = format!("{}{}", location_name(edge.from), self.marks(edge.from));
        let _ = write!(line, " -> {}{}:", location_name(edge.to), self.marks(edge.to));
        if self.expressions.as_constant(edge.guard) != Some(1) {
            let _ = write!(line, " [{}]", self.expression_text(edge.guard));
        }
        for assignment in &edge.assignments {
            let index = assignment.index.map(|index| format!("[{}]", self.expression_text(index)));
            let target = self.variable_text(assignment.target);
            let value = self.expression_text(assignment.value);
            let _ = write!(line, " {target}{} := {value};", index.unwrap_or_default());
        }
        if let Some(effect) = &edge.effect {
            let _ = write!(line, " {}", self.effect_text(effect));
        }
        let site = self.site(edge.site);
        let _ = write!(line, "  // {}: {}", site.position.line, site.text);
        line
    }

    fn marks(&self, location: LocationId) -> &'static str {
        let location = self.location(location);
        match location.kind {
            LocationKind::Inner if location.is_atomic => "!",
            LocationKind::Inner => "",
            LocationKind::End => "(end)",
            LocationKind::Error(_) => "(error)",
        }
    }

    fn effect_text(&self, effect: &Effect) -> String {
        match effect {
            Effect::Spawn { template, arguments } => {
                let arguments = arguments
                    .iter()
                    .map(|&(v, e)| format!("{} := {}", self.variable_text(v), self.expression_text(e)));
                let arguments: Vec<_> = arguments.collect();
                format!("start {}({})", self.templates[template.index()].name, arguments.join(", "))
            }
            Effect::Broadcast(updates) => format!("broadcast {}", self.updates_text(updates)),
            Effect::Signal(updates) => format!("signal {}", self.updates_text(updates)),
        }
    }

    fn updates_text(&self, updates: &[PassiveUpdate]) -> String {
        let texts = updates.iter().map(|update| {
            let assignments = update
                .assignments
                .iter()
                .map(|&(v, e)| format!("{} := {}", self.variable_text(v), self.expression_text(e)));
            let name = &self.templates[update.template.index()].name;
            let assignments: Vec<_> = assignments.collect();
            format!("{name}: [{}] {}", self.expression_text(update.guard), assignments.join(", "))
        });
        format!("{{{}}}", texts.collect::<Vec<_>>().join("; "))
    }

    /// An expression, with parentheses around every operation but the outermost.
    pub fn expression_text(&self, id: ExpressionId) -> String {
        let text = |id: ExpressionId| self.operand_text(id);
        match self.expressions.get(id) {
            Expression::Unary(UnaryOperator::Negate, a) => format!("-{}", text(a)),
            Expression::Binary(operator, a, b) => {
                format!("{} {} {}", text(a), operator.text(), text(b))
            }
            Expression::IfThenElse(c, a, b) => format!("{} ? {} : {}", text(c), text(a), text(b)),
            Expression::Unary(UnaryOperator::Not, a) => match self.expressions.get(a) {
                Expression::Binary(BinaryOperator::Equal, x, y) => format!("{} != {}", text(x), text(y)),
                _ if self.expressions.bits(a) == 1 => format!("!{}", text(a)),
                _ => format!("~{}", text(a)),
            },
            _ => self.operand_text(id),
        }
    }

    fn operand_text(&self, id: ExpressionId) -> String {
        let bits = self.expressions.bits(id);
        match self.expressions.get(id) {
            Expression::Constant(value) => constant_text(value, bits),
            Expression::Variable(variable) => self.variable_text(variable),
            Expression::Element(variable, index) => {
                format!("{}[{}]", self.variable_text(variable), self.expression_text(index))
            }
            Expression::Passive(variable) => format!("passive {}", self.variable_text(variable)),
            Expression::Nondet(nondet) => format!("*{}", nondet.index()),
            Expression::ThisThread => "this-thread".to_owned(),
            Expression::NewThread => "new-thread".to_owned(),
            Expression::HasEnded(a) => format!("has-ended({})", self.expression_text(a)),
            Expression::ResultOf(a) => format!("result-of({})", self.expression_text(a)),
            Expression::Extend { operand, is_signed } => {
                let word = if is_signed { "s" } else { "u" };
                format!("{word}{bits}({})", self.expression_text(operand))
            }
            Expression::Extract { operand, low } => {
                format!("bits({}, {low}, {bits})", self.expression_text(operand))
            }
            Expression::Unary(..) | Expression::Binary(..) | Expression::IfThenElse(..) => {
                format!("({})", self.expression_text(id))
            }
        }
    }

    /// A value of a variable or an arbitrary expression as one would write it in C.
    pub fn value_text(&self, ty: &ValueType, bits: u32, value: u128) -> String {
        match ty {
            ValueType::Bool => if value != 0 { "true" } else { "false" }.to_owned(),
            ValueType::Integer { is_signed: true } => signed(value, bits).to_string(),
            ValueType::Integer { is_signed: false } => value.to_string(),
            ValueType::Enumeration(names) => {
                let name = names.iter().find(|(_, number)| *number == value);
                name.map_or_else(|| signed(value, bits).to_string(), |(name, _)| name.clone())
            }
            ValueType::Pointer => self.address_name(value),
            ValueType::Thread => format!("thread {value}"),
        }
    }
}

fn location_name(location: LocationId) -> String {
    location.index().to_string()
}

/// Small numbers as they are, large ones as negative ones if that is shorter.
fn constant_text(value: u128, bits: u32) -> String {
    let number = signed(value, bits);
    if bits > 1 && number < 0 && number > -1000 { number.to_string() } else { value.to_string() }
}

impl BinaryOperator {
    /// The operator as it is written; those that look at the sign end in `u` or `s`.
    pub fn text(self) -> &'static str {
        match self {
            BinaryOperator::Add => "+",
            BinaryOperator::Subtract => "-",
            BinaryOperator::Multiply => "*",
            BinaryOperator::UnsignedDivide => "/u",
            BinaryOperator::UnsignedRemainder => "%u",
            BinaryOperator::SignedDivide => "/s",
            BinaryOperator::SignedRemainder => "%s",
            BinaryOperator::And => "&",
            BinaryOperator::Or => "|",
            BinaryOperator::Xor => "^",
            BinaryOperator::ShiftLeft => "<<",
            BinaryOperator::ShiftRightLogical => ">>u",
            BinaryOperator::ShiftRightArithmetic => ">>s",
            BinaryOperator::Equal => "==",
            BinaryOperator::UnsignedLess => "<u",
            BinaryOperator::UnsignedLessOrEqual => "<=u",
            BinaryOperator::SignedLess => "<s",
            BinaryOperator::SignedLessOrEqual => "<=s",
        }
    }
}
