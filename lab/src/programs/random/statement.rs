//! Random statements.

use super::Generator;
use super::expression::Place;
use crate::choices::Choices;

/// How deep `if`, `while` and atomic sections nest.
const MOST_DEPTH: usize = 2;

impl<C: Choices> Generator<'_, C> {
    /// All statements that are left.
    pub(super) fn rest(&mut self) {
        self.some(self.budget);
    }

    /// So many statements.
    pub(super) fn some(&mut self, count: usize) {
        let until = self.budget.saturating_sub(count);
        while self.budget > until {
            let statement = self.statement(0);
            self.lines.push(statement);
        }
    }

    /// Labels for the next statement, often none.
    pub(super) fn label(&mut self) -> String {
        let mut labels = String::new();
        while !self.unplaced.is_empty() && self.choices.chance(35) {
            let index = self.choices.below(self.unplaced.len());
            labels += &format!("{}: ", self.unplaced.remove(index));
        }
        // A dozen that nobody jumps to, once in a function.
        let dozen = (0..12).map(|i| format!("M{i}"));
        if !self.labels.contains(&"M0".to_owned()) && self.choices.chance(1) {
            self.labels.extend(dozen.clone());
            labels += &dozen.map(|label| label + ": ").collect::<String>();
        }
        labels
    }

    /// A statement with its labels.
    fn statement(&mut self, depth: usize) -> String {
        self.budget = self.budget.saturating_sub(1);
        let label = self.label();
        let statement = self.kind(depth);
        label + &statement
    }

    /// Statements inside of others.
    fn block(&mut self, depth: usize) -> String {
        let count = 1 + self.choices.below(2);
        let statements: Vec<String> = (0..count).map(|_| self.statement(depth + 1)).collect();
        statements.join(" ")
    }

    fn kind(&mut self, depth: usize) -> String {
        let kinds = if depth < MOST_DEPTH { 40 } else { 32 };
        match self.choices.below(kinds) {
            0 => "skip;".to_owned(),
            1 | 2 => self.goto(),
            3..=12 => self.assignment(),
            13 | 14 => self.broadcast(),
            15..=17 => format!("assume({});", self.expression(1, Place::Own)),
            18 => format!("abortif({});", self.expression(1, Place::Own)),
            19 => format!("assert({});", self.condition()),
            20 => self.dead(),
            21..=24 => self.call(),
            25 | 26 if self.starts => self.start(),
            27 => {
                self.choices.pick(&["end_thread;", "end_thread;", "atomic_begin;", "atomic_end;"]).to_owned()
            }
            28 => self.return_(),
            29 if self.choices.chance(30) => format!("enforce({});", self.expression(1, Place::Own)),
            25..=31 => self.assignment(),
            32..=34 => self.conditional(depth),
            35 | 36 => {
                let condition =
                    if self.choices.chance(50) { "*".to_owned() } else { self.expression(1, Place::Own) };
                format!("while {condition} do {} od;", self.block(depth))
            }
            _ => format!("atomic_begin; {} atomic_end;", self.block(depth)),
        }
    }

    fn goto(&mut self) -> String {
        let labels = self.labels.clone();
        let count = self.choices.pick(&[1, 2, 2, 3]).min(labels.len());
        let start = self.choices.below(labels.len());
        let chosen: Vec<String> = labels.iter().cycle().skip(start).take(count).cloned().collect();
        format!("goto {};", chosen.join(", "))
    }

    /// One or two different variables.
    fn targets(&mut self) -> Vec<String> {
        let mut targets = vec![self.choose(&self.visible())];
        let second = self.choose(&self.visible());
        if self.choices.chance(35) && second != targets[0] {
            targets.push(second);
        }
        targets
    }

    fn assignment(&mut self) -> String {
        let targets = self.targets();
        let values: Vec<String> = targets.iter().map(|_| self.expression(2, Place::Own)).collect();
        let constrain = if self.choices.chance(18) {
            format!(" constrain {}", self.expression(2, Place::Constrain))
        } else {
            String::new()
        };
        format!("{} := {}{constrain};", targets.join(", "), values.join(", "))
    }

    /// An assignment to variables of passive threads, perhaps with one of its own.
    fn broadcast(&mut self) -> String {
        let locals = self.locals();
        if locals.is_empty() {
            return self.assignment();
        }
        let mut targets = vec![format!("{}$", self.choose(&locals))];
        let mut values = vec![self.expression(2, Place::Passive)];
        let second = format!("{}$", self.choose(&locals));
        if self.choices.chance(25) && second != targets[0] {
            targets.push(second);
            values.push(self.expression(2, Place::Passive));
        }
        if self.choices.chance(35) {
            targets.push(self.choose(&self.visible()));
            values.push(self.expression(1, Place::Own));
        }
        let constrain = if self.choices.chance(40) {
            format!(" constrain {}", self.expression(2, Place::PassiveConstrain))
        } else {
            String::new()
        };
        format!("{} := {}{constrain};", targets.join(", "), values.join(", "))
    }

    fn dead(&mut self) -> String {
        format!("dead {};", self.targets().join(", "))
    }

    /// A call of a function behind this one, so that there is no recursion.
    fn call(&mut self) -> String {
        let behind = self.functions.len() - self.current - 1;
        if behind == 0 {
            return self.assignment();
        }
        let callee = self.functions[self.current + 1 + self.choices.below(behind)].clone();
        let arguments = self.values(callee.parameters);
        let mut targets = self.visible();
        let start = self.choices.below(targets.len());
        targets.rotate_left(start);
        let drops = callee.results == 0 || callee.results > targets.len() || self.choices.chance(15);
        let results =
            if drops { String::new() } else { format!("{} := ", targets[..callee.results].join(", ")) };
        format!("{results}{}({arguments});", callee.name)
    }

    /// A new thread, in one of the three ways to write it.
    pub(super) fn start(&mut self) -> String {
        if self.choices.chance(25) {
            return format!("start_thread goto {};", self.choose(&self.labels.clone()));
        }
        let others = self.functions.len() - 1;
        let callee = if others > 0 && self.choices.chance(90) { 1 + self.choices.below(others) } else { 0 };
        let callee = self.functions[callee].clone();
        let arguments = self.values(callee.parameters);
        // A call with this label is no call, so it may lead back.
        if self.choices.chance(40) {
            self.n_async += 1;
            return format!("ASYNC_{}: {}({arguments});", self.n_async, callee.name);
        }
        format!("start_thread {}({arguments});", callee.name)
    }

    fn return_(&mut self) -> String {
        let results = self.functions[self.current].results;
        if results == 0 { "return;".to_owned() } else { format!("return {};", self.values(results)) }
    }

    fn conditional(&mut self, depth: usize) -> String {
        let mut text = format!("if {} then {}", self.expression(1, Place::Own), self.block(depth));
        if self.choices.chance(30) {
            text += &format!(" elsif {} then {}", self.expression(1, Place::Own), self.block(depth));
        }
        if self.choices.chance(50) {
            text += &format!(" else {}", self.block(depth));
        }
        text + " fi;"
    }
}
