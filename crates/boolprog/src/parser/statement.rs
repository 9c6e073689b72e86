//! Statements.
//!
//! ```text
//! stmt := (LABEL ':')* (simple ';' | compound [';'])                     LABEL := NAME | NUMBER
//!         the last `;` before 'end', 'fi', 'od', 'else' and 'elsif' may be missing
//! simple := 'skip' | 'goto' LABEL (',' LABEL)* | 'return' [e (',' e)*]
//!         | x (',' y)* ':=' e (',' e)* ['constrain' e] | [x (',' y)* ':='] f '(' [e (',' e)*] ')'
//!         | 'assert' e | 'assume' e | 'abortif' e | 'enforce' e | 'dead' NAME (',' NAME)*
//!         | 'start_thread' ('goto' LABEL | f '(' [e (',' e)*] ')' | f | LABEL) | 'end_thread' | 'sync' LABEL
//!         | 'atomic_begin' | 'atomic_end'
//! compound := 'if' e 'then' stmt* ('elsif' e 'then' stmt*)* ['else' stmt*] 'fi' | 'while' e 'do' stmt* 'od'
//! x := NAME ['$']
//! ```

use super::{MAX_NESTING, Parser, ends_statements, starts_function};
use crate::expression;
use crate::lexer::Token;
use crate::syntax::{Expression, Name, Statement, StatementKind, Target};
use throng_base::{Diagnostic, Span};

impl Parser<'_> {
    /// Statements up to a token that ends them, which is not consumed.
    pub(super) fn statements(&mut self, statements: &mut Vec<Statement>) {
        while !self.tokens.at_end() && !self.tokens.peek().is_some_and(ends_statements) {
            match self.statement() {
                Ok(statement) => statements.push(statement),
                Err(error) => self.recover_statement(error),
            }
        }
    }

    fn statement(&mut self) -> Result<Statement, Diagnostic> {
        let mut labels = Vec::new();
        loop {
            let start = self.tokens.span();
            match self.tokens.peek() {
                Some(Token::Name | Token::Number) => {
                    let is_number = self.tokens.peek() == Some(Token::Number);
                    let name = self.label()?;
                    if is_number && self.tokens.peek() != Some(Token::Colon) {
                        return Err(self.tokens.unexpected("`:`"));
                    }
                    if self.tokens.eat(Token::Colon) {
                        labels.push(name);
                        continue;
                    }
                    let kind = self.assignment_or_call(name)?;
                    let end = self.end_of_statement()?;
                    return Ok(Statement { labels, kind, span: start.to(end) });
                }
                Some(Token::If) => return Ok(self.conditional(labels)),
                Some(Token::While) => return Ok(self.repetition(labels)),
                _ => {
                    let kind = self.keyword_statement()?;
                    let end = self.end_of_statement()?;
                    return Ok(Statement { labels, kind, span: start.to(end) });
                }
            }
        }
    }

    /// The `;` behind a simple statement. It separates statements as well as it ends them, so the last one needs none.
    fn end_of_statement(&mut self) -> Result<Span, Diagnostic> {
        if self.is_at_end_of_block() {
            // The statement ends where the text before the next token does.
            let before = &self.tokens.source.text()[..self.tokens.span().start as usize];
            let end = before.trim_end().len();
            return Ok(Span::new(end, end));
        }
        self.tokens.expect(Token::Semicolon)
    }

    /// Whether the next token ends a list of statements.
    fn is_at_end_of_block(&self) -> bool {
        self.tokens.peek().is_some_and(|token| ends_statements(token) && !starts_function(token))
    }

    /// A simple statement that begins with a keyword.
    fn keyword_statement(&mut self) -> Result<StatementKind, Diagnostic> {
        let Some(token) = self.tokens.peek() else { return Err(self.tokens.unexpected("a statement")) };
        let kind = match token {
            Token::Skip => StatementKind::Skip,
            Token::EndThread => StatementKind::EndThread,
            Token::AtomicBegin => StatementKind::AtomicBegin,
            Token::AtomicEnd => StatementKind::AtomicEnd,
            _ => return self.keyword_with_operands(token),
        };
        self.tokens.advance();
        Ok(kind)
    }

    fn keyword_with_operands(&mut self, token: Token) -> Result<StatementKind, Diagnostic> {
        let condition: fn(Expression) -> StatementKind = match token {
            Token::Assert => StatementKind::Assert,
            Token::Assume => StatementKind::Assume,
            Token::AbortIf => StatementKind::AbortIf,
            Token::Enforce => StatementKind::Enforce,
            Token::Goto | Token::Return | Token::StartThread | Token::Sync | Token::Dead => {
                self.tokens.advance();
                return self.operands(token);
            }
            _ => return Err(self.tokens.unexpected("a statement")),
        };
        self.tokens.advance();
        Ok(condition(self.expression()?))
    }

    /// What follows a keyword that takes other things than one condition.
    fn operands(&mut self, keyword: Token) -> Result<StatementKind, Diagnostic> {
        Ok(match keyword {
            Token::Goto => StatementKind::Goto(self.list(Self::label)?),
            Token::Sync => StatementKind::Sync(self.label()?),
            Token::Dead => StatementKind::Dead(self.list(Self::name)?),
            Token::Return if self.tokens.peek() == Some(Token::Semicolon) || self.is_at_end_of_block() => {
                StatementKind::Return(Vec::new())
            }
            Token::Return => StatementKind::Return(self.list(Self::expression)?),
            _ if self.tokens.eat(Token::Goto) => StatementKind::StartAt(self.label()?),
            _ if self.tokens.peek() == Some(Token::Name) => {
                let function = self.name()?;
                if self.tokens.peek() != Some(Token::Open) {
                    // Whether it is a function or a label is known when everything has been read.
                    self.bare_starts.insert(function.span.start);
                    return Ok(StatementKind::StartFunction { function, arguments: Vec::new() });
                }
                StatementKind::StartFunction { function, arguments: self.arguments()? }
            }
            _ => return Err(self.tokens.unexpected("`goto` or a function")),
        })
    }

    /// What follows a name that is no label.
    fn assignment_or_call(&mut self, first: Name) -> Result<StatementKind, Diagnostic> {
        if self.tokens.peek() == Some(Token::Open) {
            return Ok(StatementKind::Call {
                targets: Vec::new(),
                function: first,
                arguments: self.arguments()?,
            });
        }
        let mut targets = vec![self.target(first)];
        while self.tokens.eat(Token::Comma) {
            let name = self.name()?;
            targets.push(self.target(name));
        }
        if self.tokens.peek() != Some(Token::Assign) {
            let expected = if targets.len() == 1 { "`:=`, `:` or `(`" } else { "`:=`" };
            return Err(self.tokens.unexpected(expected));
        }
        self.tokens.advance();
        if self.tokens.peek() == Some(Token::Name) && self.tokens.peek_second() == Some(Token::Open) {
            let function = self.name()?;
            return Ok(StatementKind::Call { targets, function, arguments: self.arguments()? });
        }
        let values = self.list(Self::expression)?;
        let constrain = self.tokens.eat(Token::Constrain).then(|| self.expression()).transpose()?;
        Ok(StatementKind::Assign { targets, values, constrain })
    }

    /// A variable that is assigned to, after its name.
    fn target(&mut self, name: Name) -> Target {
        let mark = (self.tokens.peek() == Some(Token::Dollar)).then(|| self.tokens.advance());
        let span = mark.map_or(name.span, |mark| name.span.to(mark));
        Target { name: Name { span, ..name }, is_passive: mark.is_some() }
    }

    /// Arguments in parentheses.
    fn arguments(&mut self) -> Result<Vec<Expression>, Diagnostic> {
        self.tokens.expect(Token::Open)?;
        if self.tokens.eat(Token::Close) {
            return Ok(Vec::new());
        }
        let arguments = self.list(Self::expression)?;
        self.tokens.expect(Token::Close)?;
        Ok(arguments)
    }

    /// `if … fi`. Errors are reported here, so that the parts are matched in spite of them.
    fn conditional(&mut self, labels: Vec<Name>) -> Statement {
        let start = self.tokens.advance();
        let condition = self.condition(Token::Then);
        let span = start.to(condition.span);
        let mut arms = vec![(condition, self.block(span))];
        while self.tokens.eat(Token::Elsif) {
            let condition = self.condition(Token::Then);
            arms.push((condition, self.block(span)));
        }
        let otherwise = self.tokens.eat(Token::Else).then(|| self.block(span));
        self.close(Token::Fi);
        Statement { labels, kind: StatementKind::If { arms, otherwise }, span }
    }

    /// `while … od`.
    fn repetition(&mut self, labels: Vec<Name>) -> Statement {
        let start = self.tokens.advance();
        let condition = self.condition(Token::Do);
        let span = start.to(condition.span);
        let body = self.block(span);
        self.close(Token::Od);
        Statement { labels, kind: StatementKind::While { condition, body }, span }
    }

    /// A condition with the keyword behind it. After an error, parsing goes on behind the keyword.
    fn condition(&mut self, keyword: Token) -> Expression {
        let start = self.tokens.span();
        match self.expression() {
            Ok(condition) => {
                if let Err(error) = self.tokens.expect(keyword) {
                    self.report(error);
                }
                condition
            }
            Err(error) => {
                let is_good = |token| token == keyword || token == Token::Semicolon || ends_statements(token);
                self.recover(error, is_good);
                self.tokens.eat(keyword);
                Expression { tree: expression::Expression::choice(), span: start }
            }
        }
    }

    /// The statements of a compound statement.
    fn block(&mut self, head: Span) -> Vec<Statement> {
        let mut statements = Vec::new();
        self.depth += 1;
        if self.depth > MAX_NESTING {
            let error = Diagnostic::error("E0501", "statements nest too deep")
                .at(self.tokens.source, head, format!("at most {MAX_NESTING} levels"))
                .hint("`goto` says the same without nesting");
            self.report(error);
            self.give_up();
        }
        self.statements(&mut statements);
        self.depth -= 1;
        statements
    }

    /// The keyword that closes a compound statement.
    fn close(&mut self, keyword: Token) {
        match self.tokens.expect(keyword) {
            Ok(_) => {
                self.tokens.eat(Token::Semicolon);
            }
            Err(error) => self.report(error),
        }
    }
}
