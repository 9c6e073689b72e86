//! The syntax tree of a Boolean program: what is written, with its places, before names have a meaning.
//!
//! Names are numbers of a table ([`Program::names`]), so a node costs a few words and comparing names is cheap.
//! Comments, redundant parentheses and the spelling of operators (`!` or `~`, `&` or `&&`) are not part of the tree.

use crate::expression;
use throng_base::names::NameTable;
use throng_base::{Span, define_id};

define_id! {
    /// A name, by its number in [`Program::names`].
    Symbol
}

/// A name at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// Which name.
    pub symbol: Symbol,
    /// Where.
    pub span: Span,
}

/// A variable in an expression: `x`, `'x`, `x$` or `'x$`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The variable; its place includes the marks.
    pub name: Name,
    /// Whether it is the value after the assignment: `'x`.
    pub is_next: bool,
    /// Whether it is the variable of a passive thread: `x$`.
    pub is_passive: bool,
}

/// An expression at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// What is computed.
    pub tree: expression::Expression<Reference>,
    /// Where.
    pub span: Span,
}

/// What is assigned to: `x` or `x$`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The variable; its place includes the mark.
    pub name: Name,
    /// Whether it is the variable of every passive thread: `x$`.
    pub is_passive: bool,
}

/// A whole program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The names that occur.
    pub names: NameTable,
    /// Declarations outside of functions.
    pub declarations: Vec<Declaration>,
    /// The functions.
    pub functions: Vec<Function>,
}

impl Program {
    /// The text of a name.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.names.get(symbol.index())
    }
}

/// `decl x, y;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Whether `thread_local` stands before it.
    pub is_thread_local: bool,
    /// The variables.
    pub variables: Vec<Name>,
    /// Where.
    pub span: Span,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Whether it is marked `dfs`, a hint of SLAM to its model checker without a meaning here.
    pub is_depth_first: bool,
    /// How many results it has: 0 for `void`, 1 for `bool`, n for `bool<n>`.
    pub n_results: u32,
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Name>,
    /// Its variables.
    pub declarations: Vec<Declaration>,
    /// Its statements.
    pub body: Vec<Statement>,
    /// Where its `end` stands.
    pub end: Span,
}

/// A statement with its labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Labels in front of it.
    pub labels: Vec<Name>,
    /// What is done.
    pub kind: StatementKind,
    /// Where, without the labels; of a compound statement only its head.
    pub span: Span,
}

/// What a statement does. [`crate::flow`] says what that means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// `skip`
    Skip,
    /// `goto L1, L2`
    Goto(Vec<Name>),
    /// `x, y := e1, e2 constrain e`
    Assign {
        /// What is assigned to.
        targets: Vec<Target>,
        /// The values, one per target.
        values: Vec<Expression>,
        /// What old and new values have to satisfy.
        constrain: Option<Expression>,
    },
    /// `x, y := f(e1, e2)` or `f(e1, e2)`
    Call {
        /// What results are assigned to.
        targets: Vec<Target>,
        /// What is called.
        function: Name,
        /// The values of its parameters.
        arguments: Vec<Expression>,
    },
    /// `return e1, e2`
    Return(Vec<Expression>),
    /// `if … then … elsif … then … else … fi`
    If {
        /// Conditions with what is done; the first one that holds counts.
        arms: Vec<(Expression, Vec<Statement>)>,
        /// What is done if no condition holds.
        otherwise: Option<Vec<Statement>>,
    },
    /// `while … do … od`
    While {
        /// How long.
        condition: Expression,
        /// What is repeated.
        body: Vec<Statement>,
    },
    /// `assert(e)`
    Assert(Expression),
    /// `assume(e)`
    Assume(Expression),
    /// `abortif e`
    AbortIf(Expression),
    /// `enforce e`
    Enforce(Expression),
    /// `start_thread goto L`
    StartAt(Name),
    /// `start_thread f()`
    StartFunction {
        /// What the new thread runs.
        function: Name,
        /// The values of its parameters.
        arguments: Vec<Expression>,
    },
    /// `end_thread`
    EndThread,
    /// `sync L`
    Sync(Name),
    /// `dead x, y`
    Dead(Vec<Name>),
    /// `atomic_begin`
    AtomicBegin,
    /// `atomic_end`
    AtomicEnd,
}

impl StatementKind {
    /// The lists of statements inside of a compound statement, in the order of the text.
    pub fn blocks(&self) -> impl Iterator<Item = &[Statement]> {
        let (arms, last) = match self {
            StatementKind::If { arms, otherwise } => (&arms[..], otherwise.as_deref()),
            StatementKind::While { body, .. } => (&[][..], Some(&body[..])),
            _ => (&[][..], None),
        };
        arms.iter().map(|(_, body)| &body[..]).chain(last)
    }

    /// The same, to be changed.
    pub(crate) fn blocks_mut(&mut self) -> impl Iterator<Item = &mut Vec<Statement>> {
        let (arms, last) = match self {
            StatementKind::If { arms, otherwise } => (&mut arms[..], otherwise.as_mut()),
            StatementKind::While { body, .. } => (&mut [][..], Some(body)),
            _ => (&mut [][..], None),
        };
        arms.iter_mut().map(|(_, body)| body).chain(last)
    }
}
