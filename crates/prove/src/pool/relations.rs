//! Candidates that compare variables of one *class*: those that are copied to each other, compared or counted alike.
//!
//! A *place* is a variable, or an element of a row with a constant index. Places of a class are compared with each other,
//! with the constants that any of them is compared with or assigned, and between two threads.

use super::Builder;
use rustc_hash::FxHashMap;
use throng_cfa::flow::{
    BinaryOperator, Effect, Expression, ExpressionId, Scope, TemplateId, ValueType, VariableId, mask,
};

/// In larger classes, only places that occur together are compared.
const LARGEST_CLASS: usize = 14;
/// More constants of a class are left out.
const MOST_CONSTANTS: usize = 10;

#[derive(Default)]
struct Class {
    places: Vec<ExpressionId>,
    constants: Vec<u128>,
    is_counted: bool,
    is_ordered: bool,
}

/// Which places belong together.
#[derive(Default)]
struct Classes {
    parent: FxHashMap<ExpressionId, ExpressionId>,
    order: Vec<ExpressionId>,
    constants: Vec<(ExpressionId, u128)>,
    counted: Vec<ExpressionId>,
    ordered: Vec<ExpressionId>,
    together: Vec<(ExpressionId, ExpressionId)>,
}

impl Classes {
    fn insert(&mut self, place: ExpressionId) {
        self.parent.entry(place).or_insert_with(|| {
            self.order.push(place);
            place
        });
    }

    fn root(&self, mut place: ExpressionId) -> ExpressionId {
        while self.parent[&place] != place {
            place = self.parent[&place];
        }
        place
    }

    fn join(&mut self, a: ExpressionId, b: ExpressionId) {
        self.insert(a);
        self.insert(b);
        self.together.push((a, b));
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parent.insert(a.max(b), a.min(b));
        }
    }

    fn finish(&self) -> Vec<Class> {
        let mut classes: FxHashMap<ExpressionId, Class> = FxHashMap::default();
        let mut roots = Vec::new();
        for &place in &self.order {
            let root = self.root(place);
            if root == place {
                roots.push(root);
            }
            classes.entry(root).or_default().places.push(place);
        }
        for &(place, constant) in &self.constants {
            let class = classes.entry(self.root(place)).or_default();
            if !class.constants.contains(&constant) {
                class.constants.push(constant);
            }
        }
        for &place in &self.counted {
            classes.entry(self.root(place)).or_default().is_counted = true;
        }
        for &place in &self.ordered {
            classes.entry(self.root(place)).or_default().is_ordered = true;
        }
        roots.iter().filter_map(|root| classes.remove(root)).collect()
    }
}

impl Builder<'_> {
    /// Compares places of the same class.
    pub(super) fn relations(&mut self) {
        let classes = self.classes();
        let lists = classes.finish();
        for class in &lists {
            self.with_constants(class);
        }
        for class in &lists {
            self.with_each_other(class, &classes);
        }
    }

    fn classes(&mut self) -> Classes {
        let program = self.program;
        let mut classes = Classes::default();
        for index in 0..program.expressions.len() {
            if let Expression::Binary(operator, a, b) = program.expressions.get(ExpressionId::new(index))
                && operator.is_comparison()
            {
                self.related(&mut classes, a, b, false);
                if operator != BinaryOperator::Equal {
                    for (place, _) in [a, b].into_iter().flat_map(|it| self.sums(it)) {
                        classes.ordered.extend(place);
                    }
                }
            }
        }
        for edge in &program.edges {
            for assignment in &edge.assignments {
                let target = self.target(assignment);
                self.related(&mut classes, target, assignment.value, true);
            }
            match &edge.effect {
                None => {}
                Some(Effect::Spawn { arguments, .. }) => {
                    for &(variable, value) in arguments {
                        let target = self.e.variable(variable, program.variable(variable).bits);
                        self.related(&mut classes, target, value, true);
                    }
                }
                Some(Effect::Broadcast(updates) | Effect::Signal(updates)) => {
                    for &(variable, value) in updates.iter().flat_map(|it| &it.assignments) {
                        let target = self.e.variable(variable, program.variable(variable).bits);
                        let value = self.as_own(value);
                        self.related(&mut classes, target, value, true);
                    }
                }
            }
        }
        let places = classes.ordered.clone();
        places.into_iter().for_each(|it| classes.insert(it));
        self.initial_constants(&mut classes);
        classes
    }

    /// What a variable holds at the start is one of its constants.
    fn initial_constants(&mut self, classes: &mut Classes) {
        for place in classes.order.clone() {
            let (variable, at) = self.variable_of(place);
            let initial = self.program.variable(variable).initial.as_ref();
            if let Some(&value) = initial.and_then(|values| values.get(at)) {
                classes.constants.push((place, value));
            }
        }
    }

    fn variable_of(&self, place: ExpressionId) -> (VariableId, usize) {
        match self.e.get(place) {
            Expression::Element(variable, index) => {
                (variable, self.e.as_constant(index).map_or(0, |it| it as usize))
            }
            Expression::Variable(variable) => (variable, 0),
            _ => unreachable!("places are variables and elements"),
        }
    }

    /// Two values that are compared, or one that is assigned.
    fn related(&mut self, classes: &mut Classes, a: ExpressionId, b: ExpressionId, is_assigned: bool) {
        let (left, right) = (self.sums(a), self.sums(b));
        for &(x, c) in &left {
            for &(y, d) in &right {
                match (x, y) {
                    (Some(x), Some(y)) if self.e.bits(x) == self.e.bits(y) => {
                        classes.join(x, y);
                        if c != d {
                            classes.counted.push(x);
                        }
                    }
                    (Some(x), None) => {
                        classes.insert(x);
                        let constant = d.wrapping_sub(c) & mask(self.e.bits(x));
                        classes.constants.push((x, constant));
                    }
                    (None, Some(y)) if !is_assigned => {
                        classes.insert(y);
                        let constant = c.wrapping_sub(d) & mask(self.e.bits(y));
                        classes.constants.push((y, constant));
                    }
                    _ => {}
                }
            }
        }
    }

    /// The places (plus constants) or constants that a value may be; widths do not matter.
    fn sums(&self, value: ExpressionId) -> Vec<(Option<ExpressionId>, u128)> {
        match self.e.get(value) {
            Expression::Constant(constant) => vec![(None, constant)],
            Expression::Variable(_) if self.e.bits(value) > 1 => vec![(Some(value), 0)],
            Expression::Element(_, index)
                if self.e.bits(value) > 1 && self.e.as_constant(index).is_some() =>
            {
                vec![(Some(value), 0)]
            }
            Expression::IfThenElse(_, a, b) => {
                let mut all = self.sums(a);
                all.extend(self.sums(b));
                all
            }
            Expression::Extend { operand, .. } | Expression::Extract { operand, low: 0 } => {
                self.sums(operand)
            }
            Expression::Binary(BinaryOperator::Add, a, b) => self.shifted(a, b, |x, y| x.wrapping_add(y)),
            Expression::Binary(BinaryOperator::Subtract, a, b) => {
                self.shifted(a, b, |x, y| x.wrapping_sub(y))
            }
            _ => Vec::new(),
        }
    }

    fn shifted(
        &self,
        a: ExpressionId,
        b: ExpressionId,
        apply: fn(u128, u128) -> u128,
    ) -> Vec<(Option<ExpressionId>, u128)> {
        let Some(constant) = self.e.as_constant(b) else { return Vec::new() };
        self.sums(a).into_iter().map(|(place, c)| (place, apply(c, constant))).collect()
    }

    fn owner(&self, place: ExpressionId) -> Option<TemplateId> {
        match self.program.variable(self.variable_of(place).0).scope {
            Scope::Shared => None,
            Scope::Local(template) => Some(template),
        }
    }

    fn is_signed(&self, place: ExpressionId) -> bool {
        let ty = &self.program.variable(self.variable_of(place).0).ty;
        matches!(ty, ValueType::Integer { is_signed: true })
    }

    fn with_constants(&mut self, class: &Class) {
        for &place in &class.places {
            let bits = self.e.bits(place);
            let less =
                if self.is_signed(place) { BinaryOperator::SignedLess } else { BinaryOperator::UnsignedLess };
            for &constant in class.constants.iter().take(MOST_CONSTANTS) {
                let c = self.e.constant(constant, bits);
                let equal = self.e.equal(place, c);
                self.add(equal, 1);
                if class.is_ordered || class.is_counted {
                    let below = self.e.binary(less, place, c);
                    let above = self.e.binary(less, c, place);
                    self.add(below, 1);
                    self.add(above, 1);
                }
                if class.is_counted {
                    for next in [constant.wrapping_add(1), constant.wrapping_sub(1)] {
                        let c = self.e.constant(next & mask(bits), bits);
                        let equal = self.e.equal(place, c);
                        self.add(equal, 3);
                    }
                }
            }
        }
    }

    fn with_each_other(&mut self, class: &Class, classes: &Classes) {
        let is_small = class.places.len() <= LARGEST_CLASS;
        for (i, &a) in class.places.iter().enumerate() {
            for &b in &class.places[i..] {
                let is_together = classes.together.contains(&(a, b)) || classes.together.contains(&(b, a));
                if self.e.bits(a) != self.e.bits(b) || !(is_small || is_together || a == b) {
                    continue;
                }
                let tier = if is_together { 1 } else { 2 };
                match (self.owner(a), self.owner(b)) {
                    (Some(x), Some(y)) if x != y => self.compare_threads(class, a, b, tier),
                    (x, y) => {
                        if a != b {
                            self.compare(class, a, b, tier);
                        }
                        if x.is_some() && y.is_some() {
                            self.compare_threads(class, a, b, tier);
                            if a != b {
                                self.compare_threads(class, b, a, tier);
                            }
                        }
                    }
                }
            }
        }
    }

    /// Compares two places of a thread, or of two if one is a passive thread's.
    fn compare(&mut self, class: &Class, a: ExpressionId, b: ExpressionId, tier: u8) {
        let equal = self.e.equal(a, b);
        self.add(equal, tier);
        if class.is_ordered || class.is_counted {
            let signed = match self.e.get(a) {
                Expression::Passive(_) => false,
                _ => self.is_signed(a),
            };
            let less = if signed { BinaryOperator::SignedLess } else { BinaryOperator::UnsignedLess };
            let below = self.e.binary(less, a, b);
            let above = self.e.binary(less, b, a);
            self.add(below, tier);
            self.add(above, tier);
        }
        if class.is_counted {
            let one = self.e.constant(1, self.e.bits(a));
            for (x, y) in [(a, b), (b, a)] {
                let next = self.e.add(x, one);
                let equal = self.e.equal(next, y);
                self.add(equal, tier + 1);
            }
        }
    }

    /// Compares a place of a thread with one of another.
    fn compare_threads(&mut self, class: &Class, a: ExpressionId, b: ExpressionId, tier: u8) {
        let (a, b) = if self.owner(a).map(|it| it.index()) <= self.owner(b).map(|it| it.index()) {
            (a, b)
        } else {
            (b, a)
        };
        let Expression::Variable(variable) = self.e.get(b) else { return };
        let passive = self.e.insert(Expression::Passive(variable), self.e.bits(b));
        self.compare(class, a, passive, tier);
    }
}
