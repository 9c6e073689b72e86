//! A syntax tree as text without places, with every operator behind its operands: two trees are the same if their
//! outlines are. This knows nothing of precedence, in which the printer and the parser could be wrong together.

use throng_boolprog::expression::Node;
use throng_boolprog::syntax::*;

pub(crate) fn outline(program: &Program) -> String {
    let outline = Outline(program);
    let declarations: Vec<String> = program.declarations.iter().map(|it| outline.declaration(it)).collect();
    let functions: Vec<String> = program.functions.iter().map(|it| outline.function(it)).collect();
    [declarations, functions].concat().join("\n")
}

struct Outline<'p>(&'p Program);

impl Outline<'_> {
    fn function(&self, function: &Function) -> String {
        let declarations: Vec<String> = function.declarations.iter().map(|it| self.declaration(it)).collect();
        format!(
            "function dfs={} results={} {} {} {declarations:?} {}",
            function.is_depth_first,
            function.n_results,
            self.name(function.name),
            self.names(&function.parameters),
            self.block(&function.body)
        )
    }

    fn declaration(&self, declaration: &Declaration) -> String {
        format!("decl local={} {}", declaration.is_thread_local, self.names(&declaration.variables))
    }

    fn block(&self, statements: &[Statement]) -> String {
        let statements: Vec<String> = statements
            .iter()
            .map(|statement| format!("{}: {}", self.names(&statement.labels), self.kind(&statement.kind)))
            .collect();
        format!("{{{}}}", statements.join("; "))
    }

    fn kind(&self, kind: &StatementKind) -> String {
        match kind {
            StatementKind::Goto(labels) => format!("goto {}", self.names(labels)),
            StatementKind::Assign { targets, values, constrain } => {
                let constrain = constrain.as_ref().map(|it| self.expression(it));
                format!("assign {:?} {:?} {constrain:?}", self.targets(targets), self.expressions(values))
            }
            StatementKind::Call { targets, function, arguments } => {
                let (targets, arguments) = (self.targets(targets), self.expressions(arguments));
                format!("call {targets:?} {} {arguments:?}", self.name(*function))
            }
            StatementKind::Return(values) => format!("return {:?}", self.expressions(values)),
            StatementKind::If { arms, otherwise } => {
                let arms: Vec<String> = arms
                    .iter()
                    .map(|(e, body)| format!("{} {}", self.expression(e), self.block(body)))
                    .collect();
                format!("if {arms:?} {:?}", otherwise.as_deref().map(|body| self.block(body)))
            }
            StatementKind::While { condition, body } => {
                format!("while {} {}", self.expression(condition), self.block(body))
            }
            StatementKind::Assert(e) => format!("assert {}", self.expression(e)),
            StatementKind::Assume(e) => format!("assume {}", self.expression(e)),
            StatementKind::AbortIf(e) => format!("abortif {}", self.expression(e)),
            StatementKind::Enforce(e) => format!("enforce {}", self.expression(e)),
            StatementKind::StartAt(label) => format!("start at {}", self.name(*label)),
            StatementKind::StartFunction { function, arguments } => {
                format!("start {} {:?}", self.name(*function), self.expressions(arguments))
            }
            StatementKind::Sync(label) => format!("sync {}", self.name(*label)),
            StatementKind::Dead(variables) => format!("dead {}", self.names(variables)),
            StatementKind::Skip
            | StatementKind::EndThread
            | StatementKind::AtomicBegin
            | StatementKind::AtomicEnd => format!("{kind:?}"),
        }
    }

    fn targets(&self, targets: &[Target]) -> Vec<String> {
        targets.iter().map(|target| format!("{} {}", self.name(target.name), target.is_passive)).collect()
    }

    fn expressions(&self, expressions: &[Expression]) -> Vec<String> {
        expressions.iter().map(|it| self.expression(it)).collect()
    }

    fn expression(&self, expression: &Expression) -> String {
        let node = |node: &Node<Reference>| match node {
            Node::Read(it) => format!("{}/{}/{}", self.name(it.name), it.is_next, it.is_passive),
            other => format!("{other:?}"),
        };
        expression.tree.nodes().iter().map(node).collect::<Vec<String>>().join(" ")
    }

    fn names(&self, names: &[Name]) -> String {
        names.iter().map(|&name| self.name(name)).collect::<Vec<String>>().join(",")
    }

    fn name(&self, name: Name) -> String {
        self.0.text(name.symbol).to_owned()
    }
}
