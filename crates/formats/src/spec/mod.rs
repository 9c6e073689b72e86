//! Petri nets and their extensions in the format of mist, `.spec`.
//!
//! ```text
//! file   := 'vars' ID*  'rules' rule*  'init' conj  ['target' conj+]  ['invariants' eqconj+]
//! rule   := guard (',' guard)* '->' [assign (',' assign)*] ';'
//! guard  := 'true' | constr
//! constr := ID '=' NAT | ID '>=' NAT | ID 'in' '[' NAT ',' NAT ']'
//! assign := ID "'" '=' expr
//! expr   := NAT | sum | sum '+' NAT | sum '-' NAT          sum := ID ('+' ID)*
//! conj   := constr (',' constr)*                          eqconj := ID '=' NAT (',' ID '=' NAT)*
//! ```
//!
//! `#` begins a comment, line ends mean nothing. A new target begins where a constraint is not preceded by a
//! comma; several targets are alternatives. The section `target` may be missing when the question states one.
//!
//! * A variable that `init` does not mention, or bounds by `>=`, has any number of tokens more. Of `in [a,b]`
//!   only `b` matters: whatever is coverable from fewer tokens is coverable from more.
//! * `invariants` are weights of places whose weighted sum is said to be constant. They are kept as hints.
//! * Guards and targets bound variables from below. `=` and `in` bound them from above, too: such guards are
//!   zero tests, such targets ask for reachability, and both are refused.
//! * What assignments mean is in [`assignments`].

mod assignments;
mod print;
mod rule;

pub(crate) use print::print;

use crate::Draft;
use crate::suggest::present_names;
use crate::tokens::{Describe, TakeCount, Tokens};
use assignments::Reading;
use logos::Logos;
use rule::RuleText;
use throng_base::source::LineCounter;
use throng_base::{Diagnostic, Source, Span};
use throng_model::names::NameTable;
use throng_model::{Bag, Config, Initial, LocalId, Names, SharedId, SystemBuilder};

/// Reads a `.spec` file; `mist_semantics` as in [`crate::Question`].
pub(crate) fn parse(source: &Source, mist_semantics: bool) -> Result<Draft, Vec<Diagnostic>> {
    let mut tokens = Tokens::new(source);
    let names = variables(&mut tokens).map_err(|error| vec![error])?;
    let reading = if mist_semantics { Reading::Mist } else { Reading::Plain };
    let mut reader = Reader::new(tokens, names, reading);
    match reader.sections() {
        Ok(()) => Ok(reader.finish()),
        Err(error) => {
            let mut diagnostics = reader.finish().warnings;
            diagnostics.push(error);
            Err(diagnostics)
        }
    }
}

/// The words of the language.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f\v]+")]
#[logos(skip(r"#[^\n]*", allow_greedy = true))]
enum Token {
    #[token("vars")]
    Vars,
    #[token("rules")]
    Rules,
    #[token("init")]
    Init,
    #[token("target")]
    Target,
    #[token("invariants")]
    Invariants,
    #[token("true")]
    True,
    #[token("in")]
    In,
    #[regex("[A-Za-z_][A-Za-z_0-9]*")]
    Name,
    #[regex("[0-9]+")]
    Number,
    #[token("->")]
    Arrow,
    #[token(">=")]
    AtLeast,
    #[token("=")]
    Equals,
    #[token("'")]
    Prime,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token("[")]
    Open,
    #[token("]")]
    Close,
}

impl Describe for Token {
    fn describe(&self) -> String {
        match self {
            Token::Vars => "`vars`",
            Token::Rules => "`rules`",
            Token::Init => "`init`",
            Token::Target => "`target`",
            Token::Invariants => "`invariants`",
            Token::True => "`true`",
            Token::In => "`in`",
            Token::Name => "a variable",
            Token::Number => "a number",
            Token::Arrow => "`->`",
            Token::AtLeast => "`>=`",
            Token::Equals => "`=`",
            Token::Prime => "`'`",
            Token::Plus => "`+`",
            Token::Minus => "`-`",
            Token::Comma => "`,`",
            Token::Semicolon => "`;`",
            Token::Open => "`[`",
            Token::Close => "`]`",
        }
        .to_owned()
    }
}

/// The words that cannot be variables.
const KEYWORDS: &[&str] = &["vars", "rules", "init", "target", "invariants", "true", "in"];

/// The section `vars`.
fn variables(tokens: &mut Tokens<'_, Token>) -> Result<NameTable, Diagnostic> {
    tokens.expect(Token::Vars)?;
    let mut names = NameTable::default();
    while tokens.peek() == Some(Token::Name) {
        let name = tokens.text();
        if !names.insert(name).1 {
            return Err(Diagnostic::error("E0301", format!("variable `{name}` is declared twice")).at(
                tokens.source,
                tokens.span(),
                "second declaration",
            ));
        }
        tokens.advance();
    }
    if tokens.peek() != Some(Token::Rules) {
        return Err(tokens.unexpected("a variable or `rules`"));
    }
    Ok(names)
}

/// What a constraint says about its variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Exactly(u32),
    AtLeast(u32),
    Between(u32, u32),
}

/// A constraint on one variable.
#[derive(Clone, Copy, Debug)]
struct Constraint {
    variable: LocalId,
    bound: Bound,
    span: Span,
}

struct Reader<'s> {
    tokens: Tokens<'s, Token>,
    lines: LineCounter<'s>,
    draft: Draft,
    assignments: assignments::Translator,
    /// The conjunction that last mentioned each variable, and the number of the current one.
    mentioned: Vec<u32>,
    conjunction: u32,
}

impl<'s> Reader<'s> {
    fn new(tokens: Tokens<'s, Token>, names: NameTable, reading: Reading) -> Self {
        let n_variables = names.len();
        Self {
            lines: LineCounter::new(tokens.source),
            tokens,
            draft: Draft::new(SystemBuilder::net(Names::Listed(names))),
            assignments: assignments::Translator::new(n_variables, reading),
            mentioned: vec![0; n_variables],
            conjunction: 0,
        }
    }

    fn finish(self) -> Draft {
        let mut draft = self.draft;
        draft.warnings.extend(self.assignments.finish());
        draft
    }

    fn sections(&mut self) -> Result<(), Diagnostic> {
        self.tokens.expect(Token::Rules)?;
        self.rules()?;
        self.tokens.expect(Token::Init)?;
        self.init()?;
        if self.tokens.eat(Token::Target) {
            self.targets()?;
        }
        if self.tokens.eat(Token::Invariants) {
            self.invariants()?;
        }
        if self.tokens.at_end() {
            return Ok(());
        }
        let expected = match (self.draft.states_target, self.draft.invariant_hints.is_empty()) {
            (false, true) => "`,`, `target` or the end of the file",
            (true, true) => "`,`, another target, `invariants` or the end of the file",
            (_, false) => "`,`, another invariant or the end of the file",
        };
        Err(self.tokens.unexpected(expected))
    }

    fn rules(&mut self) -> Result<(), Diagnostic> {
        let mut text = RuleText::default();
        while matches!(self.tokens.peek(), Some(Token::Name | Token::True)) {
            self.rule(&mut text)?;
            let line = self.lines.line_at(text.span.start);
            let names = self.draft.builder.local_names();
            let rule = self.assignments.translate(&mut text, self.tokens.source, names)?;
            self.draft.builder.rule(rule, line);
        }
        if self.tokens.peek() != Some(Token::Init) {
            return Err(self.tokens.unexpected("a guard (such as `x >= 1` or `true`) or `init`"));
        }
        Ok(())
    }

    fn init(&mut self) -> Result<(), Diagnostic> {
        let constraints = self.conjunction()?;
        let mut exact = Vec::new();
        let mut unbounded = Vec::new();
        for constraint in &constraints {
            let (count, more) = match constraint.bound {
                Bound::Exactly(count) | Bound::Between(_, count) => (count, false),
                Bound::AtLeast(count) => (count, true),
            };
            exact.push((constraint.variable, count));
            unbounded.extend(more.then_some(constraint.variable));
        }
        let free: Vec<LocalId> = LocalId::all(self.mentioned.len())
            .filter(|variable| self.mentioned[variable.index()] != self.conjunction)
            .collect();
        if !free.is_empty() {
            self.draft.warnings.push(self.free_variables(&free));
        }
        unbounded.extend(free);
        let exact = Bag::from_counts(exact).expect("every variable is mentioned once");
        self.draft.builder.initial(Initial { shared: SharedId::new(0), exact, unbounded });
        Ok(())
    }

    fn free_variables(&self, free: &[LocalId]) -> Diagnostic {
        /// Names listed in the message.
        const LISTED: usize = 5;
        let names = self.draft.builder.local_names();
        let mut list: Vec<String> =
            free.iter().take(LISTED).map(|free| format!("`{}`", names.get(free.index()))).collect();
        if free.len() > LISTED {
            list.push(format!("{} more", free.len() - LISTED));
        }
        Diagnostic::warning("W0323", "variables that `init` does not mention start with any number of tokens")
            .note(format!("not mentioned: {}", list.join(", ")))
            .note("mist and QCover read it so, Petrinizer reads 0")
            .hint("write `x = 0` or `x >= 0` to be sure")
    }

    fn targets(&mut self) -> Result<(), Diagnostic> {
        self.draft.states_target = true;
        loop {
            let constraints = self.conjunction()?;
            let mut counts = Vec::with_capacity(constraints.len());
            for constraint in &constraints {
                let Bound::AtLeast(count) = constraint.bound else {
                    return Err(self.exact_target(constraint));
                };
                counts.push((constraint.variable, count));
            }
            let bag = Bag::from_counts(counts).expect("every variable is mentioned once");
            self.draft.builder.target(Config::new(SharedId::new(0), bag));
            if self.tokens.peek() != Some(Token::Name) {
                return Ok(());
            }
        }
    }

    /// Why a target may not bound a variable from above.
    fn exact_target(&self, constraint: &Constraint) -> Diagnostic {
        let name = self.name(constraint.variable);
        let error = Diagnostic::error("E0306", format!("the target asks for an exact count of `{name}`"))
            .at(self.tokens.source, constraint.span, "expected `>=`")
            .note("that is a reachability question; a target of coverability is met by more tokens, too");
        match constraint.bound {
            Bound::Exactly(0) | Bound::Between(0, _) => error.hint(format!(
                "leave this constraint out to ask whether the others can be met, whatever `{name}` is; if not, this target is not reachable either"
            )),
            Bound::Exactly(low) | Bound::AtLeast(low) | Bound::Between(low, _) => error.hint(format!(
                "write `{name} >= {low}` to ask whether at least {low} can be reached; if not, this target is not reachable either"
            )),
        }
    }

    fn invariants(&mut self) -> Result<(), Diagnostic> {
        loop {
            let mut weights = Vec::new();
            for constraint in self.conjunction()? {
                let Bound::Exactly(weight) = constraint.bound else {
                    return Err(Diagnostic::error("E0310", "an invariant gives the weight of each variable")
                        .at(self.tokens.source, constraint.span, "expected `=`")
                        .note("`x = 1, y = 2` says that x + 2 y never changes"));
                };
                weights.extend((weight > 0).then_some((constraint.variable, weight)));
            }
            self.draft.invariant_hints.push(weights);
            if self.tokens.peek() != Some(Token::Name) {
                return Ok(());
            }
        }
    }

    /// Constraints separated by commas, at most one per variable.
    fn conjunction(&mut self) -> Result<Vec<Constraint>, Diagnostic> {
        self.conjunction += 1;
        let mut constraints = Vec::new();
        loop {
            constraints.push(self.constraint()?);
            if !self.tokens.eat(Token::Comma) {
                return Ok(constraints);
            }
        }
    }

    fn constraint(&mut self) -> Result<Constraint, Diagnostic> {
        let (variable, span) = self.variable()?;
        let (bound, end) = match self.tokens.peek() {
            Some(Token::Equals) => {
                self.tokens.advance();
                let (count, end) = self.tokens.number(Token::Number)?;
                (Bound::Exactly(count), end)
            }
            Some(Token::AtLeast) => {
                self.tokens.advance();
                let (count, end) = self.tokens.number(Token::Number)?;
                (Bound::AtLeast(count), end)
            }
            Some(Token::In) => self.interval()?,
            _ => return Err(self.tokens.unexpected("`>=`, `=` or `in`")),
        };
        if std::mem::replace(&mut self.mentioned[variable.index()], self.conjunction) == self.conjunction {
            let name = self.name(variable);
            return Err(Diagnostic::error("E0303", format!("`{name}` is limited twice")).at(
                self.tokens.source,
                span.to(end),
                "second constraint",
            ));
        }
        Ok(Constraint { variable, bound, span: span.to(end) })
    }

    fn interval(&mut self) -> Result<(Bound, Span), Diagnostic> {
        self.tokens.advance();
        self.tokens.expect(Token::Open)?;
        let (low, start) = self.tokens.number(Token::Number)?;
        self.tokens.expect(Token::Comma)?;
        let (high, end) = self.tokens.number(Token::Number)?;
        let close = self.tokens.expect(Token::Close)?;
        if low > high {
            return Err(Diagnostic::error("E0311", format!("there is no number from {low} to {high}")).at(
                self.tokens.source,
                start.to(end),
                "expected the smaller number first",
            ));
        }
        Ok((Bound::Between(low, high), close))
    }

    /// The variable that is named next.
    fn variable(&mut self) -> Result<(LocalId, Span), Diagnostic> {
        if self.tokens.peek() != Some(Token::Name) {
            return Err(self.tokens.unexpected("a variable"));
        }
        let names = self.draft.builder.local_names();
        let name = self.tokens.text();
        let Some(index) = names.find(name) else {
            return Err(Diagnostic::error("E0302", format!("there is no variable `{name}`"))
                .at(self.tokens.source, self.tokens.span(), present_names(names, name, "variables"))
                .hint("declare it in the section `vars`"));
        };
        Ok((LocalId::new(index), self.tokens.advance()))
    }

    fn name(&self, variable: LocalId) -> std::borrow::Cow<'_, str> {
        self.draft.builder.local_names().get(variable.index())
    }
}

#[cfg(test)]
mod tests;
