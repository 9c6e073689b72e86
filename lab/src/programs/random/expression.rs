//! Random expressions.

use super::Generator;
use crate::choices::Choices;

/// What an expression may speak about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The values of the thread.
    Own,
    /// `x$` as well.
    Passive,
    /// `'x` as well.
    Constrain,
    /// Everything.
    PassiveConstrain,
}

const OPERATORS: [&str; 8] = ["&", "&", "|", "|", "^", "=>", "=", "!="];

impl<C: Choices> Generator<'_, C> {
    /// The local variables that can be named here.
    pub(super) fn locals(&self) -> Vec<String> {
        let own = &self.functions[self.current].variables;
        let outer = self.thread_locals.iter().filter(|name| !own.contains(name));
        own.iter().chain(outer).cloned().collect()
    }

    /// All variables that can be named here.
    pub(super) fn visible(&self) -> Vec<String> {
        let mut all = self.locals();
        let shared: Vec<String> = self.shared.iter().filter(|name| !all.contains(name)).cloned().collect();
        all.extend(shared);
        all
    }

    pub(super) fn choose(&mut self, names: &[String]) -> String {
        names[self.choices.below(names.len())].clone()
    }

    /// An expression that mostly is what variables are.
    pub(super) fn expression(&mut self, depth: usize, place: Place) -> String {
        if depth == 0 || self.choices.chance(40) {
            return self.leaf(place);
        }
        match self.choices.below(8) {
            0 | 1 => format!("!{}", self.atom(depth - 1, place)),
            2 => {
                let (first, second) = (self.expression(depth - 1, place), self.expression(depth - 1, place));
                format!("schoose[{first}, {second}]")
            }
            _ => {
                let operator = self.choices.pick(&OPERATORS);
                let (left, right) = (self.atom(depth - 1, place), self.atom(depth - 1, place));
                format!("{left} {operator} {right}")
            }
        }
    }

    fn atom(&mut self, depth: usize, place: Place) -> String {
        format!("({})", self.expression(depth, place))
    }

    fn leaf(&mut self, place: Place) -> String {
        match self.choices.below(10) {
            0 => "0".to_owned(),
            1 => "1".to_owned(),
            2 => "*".to_owned(),
            _ => self.read(place),
        }
    }

    /// A variable with the marks that its place allows.
    fn read(&mut self, place: Place) -> String {
        let (visible, locals) = (self.visible(), self.locals());
        let (may_be_next, may_be_passive) = match place {
            Place::Own => (false, false),
            Place::Passive => (false, true),
            Place::Constrain => (true, false),
            Place::PassiveConstrain => (true, true),
        };
        let next = if may_be_next && self.choices.chance(60) { "'" } else { "" };
        if may_be_passive && !locals.is_empty() && self.choices.chance(50) {
            return format!("{next}{}$", self.choose(&locals));
        }
        format!("{next}{}", self.choose(&visible))
    }

    /// Several expressions, separated by commas.
    pub(super) fn values(&mut self, count: usize) -> String {
        let values: Vec<String> = (0..count).map(|_| self.expression(1, Place::Own)).collect();
        values.join(", ")
    }

    /// A condition for an assertion: seldom a choice, which would fail at once.
    pub(super) fn condition(&mut self) -> String {
        let visible = self.visible();
        let (a, b) = (self.choose(&visible), self.choose(&visible));
        match self.choices.below(8) {
            0 => a,
            1 => format!("!{a}"),
            2 | 3 => format!("!({a} & {b})"),
            4 => format!("{a} => {b}"),
            5 => format!("{a} = {b}"),
            6 => format!("{a} | {b}"),
            _ => self.expression(2, Place::Own),
        }
    }
}
