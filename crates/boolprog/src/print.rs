//! Prints a syntax tree as a program that parses to the same tree.
//!
//! One statement per line, indented; labels on the line of their statement; only the parentheses that are needed.
//! Comments are not part of the tree, so they are lost.

use crate::expression::{self, Node, Operator};
use crate::parser::{binding, groups_right};
use crate::syntax::{
    Declaration, Expression, Function, Name, Program, Reference, Statement, StatementKind, Target,
};

/// The program as text.
pub fn print(program: &Program) -> String {
    let mut printer = Printer { program, text: String::new(), indent: 0 };
    printer.declarations(&program.declarations);
    for function in &program.functions {
        printer.function(function);
    }
    printer.text
}

/// Appends an expression to a text; `print_reference` appends what a leaf refers to.
pub fn print_expression<R>(
    expression: &expression::Expression<R>,
    text: &mut String,
    mut print_reference: impl FnMut(&R, &mut String),
) {
    let (nodes, starts) = (expression.nodes(), expression.starts());
    // From the root to the leaves, with what is left to print on a stack.
    let mut tasks = vec![Task::Operand(nodes.len() - 1, 0)];
    while let Some(task) = tasks.pop() {
        let (index, context) = match task {
            Task::Text(part) => {
                text.push_str(part);
                continue;
            }
            Task::Operand(index, context) => (index, context),
        };
        // INVARIANT: postorder, see `Expression::starts`.
        let left = || starts[index - 1] as usize - 1;
        match &nodes[index] {
            Node::Constant(value) => text.push(if *value { '1' } else { '0' }),
            Node::Choice => text.push('*'),
            Node::Read(reference) => print_reference(reference, text),
            Node::Not => tasks.extend([Task::Operand(index - 1, TIGHTEST), Task::Text("!")]),
            Node::Schoose => tasks.extend([
                Task::Text("]"),
                Task::Operand(index - 1, 0),
                Task::Text(", "),
                Task::Operand(left(), 0),
                Task::Text("schoose["),
            ]),
            Node::Binary(operator) => {
                let own = binding(*operator);
                let (first, second) = if groups_right(*operator) { (own + 1, own) } else { (own, own + 1) };
                let (open, close) = if own < context { ("(", ")") } else { ("", "") };
                tasks.extend([
                    Task::Text(close),
                    Task::Operand(index - 1, second),
                    Task::Text(sign(*operator)),
                    Task::Operand(left(), first),
                    Task::Text(open),
                ]);
            }
        }
    }
}

struct Printer<'p> {
    program: &'p Program,
    text: String,
    indent: usize,
}

/// What is left to print of an expression.
enum Task {
    /// The expression that ends with this node, in parentheses if it binds less than this.
    Operand(usize, u8),
    Text(&'static str),
}

/// How tight `!` and leaves bind.
const TIGHTEST: u8 = 6;

impl Printer<'_> {
    fn function(&mut self, function: &Function) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(if function.is_depth_first { "dfs " } else { "" });
        match function.n_results {
            0 => self.text.push_str("void "),
            1 => self.text.push_str("bool "),
            n => self.text.push_str(&format!("bool<{n}> ")),
        }
        self.name(function.name);
        self.text.push('(');
        self.list(&function.parameters, |printer, &name| printer.name(name));
        self.text.push_str(") begin\n");
        self.indent += 1;
        self.declarations(&function.declarations);
        self.indent -= 1;
        self.block(&function.body);
        self.text.push_str("end\n");
    }

    fn declarations(&mut self, declarations: &[Declaration]) {
        for declaration in declarations {
            self.start_line();
            self.text.push_str(if declaration.is_thread_local { "thread_local decl " } else { "decl " });
            self.list(&declaration.variables, |printer, &name| printer.name(name));
            self.text.push_str(";\n");
        }
    }

    fn block(&mut self, statements: &[Statement]) {
        self.indent += 1;
        for statement in statements {
            self.start_line();
            for &label in &statement.labels {
                self.name(label);
                self.text.push_str(": ");
            }
            self.statement(&statement.kind);
            self.text.push_str(";\n");
        }
        self.indent -= 1;
    }

    fn statement(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Skip => self.text.push_str("skip"),
            StatementKind::EndThread => self.text.push_str("end_thread"),
            StatementKind::AtomicBegin => self.text.push_str("atomic_begin"),
            StatementKind::AtomicEnd => self.text.push_str("atomic_end"),
            StatementKind::Goto(labels) => self.names("goto ", labels),
            StatementKind::StartAt(label) => self.names("start_thread goto ", &[*label]),
            StatementKind::Sync(label) => self.names("sync ", &[*label]),
            StatementKind::Dead(variables) => self.names("dead ", variables),
            StatementKind::Assert(condition) => self.condition("assert", condition),
            StatementKind::Assume(condition) => self.condition("assume", condition),
            StatementKind::AbortIf(condition) => self.condition("abortif", condition),
            StatementKind::Enforce(condition) => self.condition("enforce", condition),
            StatementKind::Return(values) if values.is_empty() => self.text.push_str("return"),
            StatementKind::Return(values) => {
                self.text.push_str("return ");
                self.list(values, |printer, value| printer.tree(&value.tree));
            }
            StatementKind::Assign { targets, values, constrain } => {
                self.targets(targets);
                self.list(values, |printer, value| printer.tree(&value.tree));
                if let Some(constrain) = constrain {
                    self.text.push_str(" constrain ");
                    self.tree(&constrain.tree);
                }
            }
            StatementKind::Call { targets, function, arguments } => {
                self.targets(targets);
                self.call(*function, arguments);
            }
            StatementKind::StartFunction { function, arguments } => {
                self.text.push_str("start_thread ");
                self.call(*function, arguments);
            }
            StatementKind::If { arms, otherwise } => self.conditional(arms, otherwise.as_deref()),
            StatementKind::While { condition, body } => {
                self.text.push_str("while ");
                self.tree(&condition.tree);
                self.text.push_str(" do\n");
                self.block(body);
                self.start_line();
                self.text.push_str("od");
            }
        }
    }

    fn conditional(&mut self, arms: &[(Expression, Vec<Statement>)], otherwise: Option<&[Statement]>) {
        for (number, (condition, body)) in arms.iter().enumerate() {
            if number > 0 {
                self.start_line();
            }
            self.text.push_str(if number == 0 { "if " } else { "elsif " });
            self.tree(&condition.tree);
            self.text.push_str(" then\n");
            self.block(body);
        }
        if let Some(body) = otherwise {
            self.start_line();
            self.text.push_str("else\n");
            self.block(body);
        }
        self.start_line();
        self.text.push_str("fi");
    }

    /// The left side of an assignment; nothing if there are no targets.
    fn targets(&mut self, targets: &[Target]) {
        self.list(targets, |printer, target| {
            printer.name(target.name);
            printer.text.push_str(if target.is_passive { "$" } else { "" });
        });
        self.text.push_str(if targets.is_empty() { "" } else { " := " });
    }

    fn call(&mut self, function: Name, arguments: &[Expression]) {
        self.name(function);
        self.text.push('(');
        self.list(arguments, |printer, argument| printer.tree(&argument.tree));
        self.text.push(')');
    }

    fn condition(&mut self, keyword: &str, condition: &Expression) {
        self.text.push_str(keyword);
        self.text.push('(');
        self.tree(&condition.tree);
        self.text.push(')');
    }

    fn names(&mut self, keyword: &str, names: &[Name]) {
        self.text.push_str(keyword);
        self.list(names, |printer, &name| printer.name(name));
    }

    fn name(&mut self, name: Name) {
        self.text.push_str(self.program.text(name.symbol));
    }

    fn list<T>(&mut self, items: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for (number, item) in items.iter().enumerate() {
            self.text.push_str(if number > 0 { ", " } else { "" });
            print(self, item);
        }
    }

    fn start_line(&mut self) {
        for _ in 0..self.indent {
            self.text.push_str("  ");
        }
    }

    fn tree(&mut self, tree: &expression::Expression<Reference>) {
        let program = self.program;
        print_expression(tree, &mut self.text, |reference, text| {
            text.push_str(if reference.is_next { "'" } else { "" });
            text.push_str(program.text(reference.name.symbol));
            text.push_str(if reference.is_passive { "$" } else { "" });
        });
    }
}

/// An operator with blanks.
fn sign(operator: Operator) -> &'static str {
    match operator {
        Operator::And => " & ",
        Operator::Or => " | ",
        Operator::Xor => " ^ ",
        Operator::Implies => " => ",
        Operator::Equal => " = ",
        Operator::NotEqual => " != ",
    }
}
