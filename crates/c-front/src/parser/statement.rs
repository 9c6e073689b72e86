//! Statements and blocks.

use super::external::Declared;
use super::{Parsed, Parser};
use crate::lexer::{Keyword, Punctuator, Token, TokenKind};
use crate::syntax::{
    Attribute, Block, BlockItem, Expression, ForInit, Name, Statement, StatementKind, Storage,
};
use throng_base::Span;

/// A label before a statement, which may have many.
enum Label {
    Name(Name),
    Case(Expression, Option<Expression>),
    Default,
}

impl Parser<'_> {
    /// `{ … }`. An error in a statement does not hide those of others.
    pub(super) fn block(&mut self) -> Parsed<Block> {
        let start = self.expect(Punctuator::OpenBrace)?;
        let depth = self.scopes.depth();
        self.scopes.open();
        let mut items = Vec::new();
        while !self.at(Punctuator::CloseBrace) {
            if self.peek() == TokenKind::End {
                break;
            }
            let before = self.next;
            match self.nested(Self::block_item) {
                Ok(item) => items.extend(item),
                Err(_) => {
                    self.scopes.close_to(depth + 1);
                    self.recover(false);
                    if self.next == before && !self.at(Punctuator::CloseBrace) {
                        self.advance();
                    }
                }
            }
        }
        self.scopes.close_to(depth);
        if !self.has_enough_errors() || self.at(Punctuator::CloseBrace) {
            self.expect(Punctuator::CloseBrace)?;
        }
        Ok(Block { items, span: self.since(start) })
    }

    /// A statement or declaration; `None` for what leaves no trace in the tree.
    fn block_item(&mut self) -> Parsed<Option<BlockItem>> {
        if self.eat_keyword(Keyword::Label) {
            while !self.eat(Punctuator::Semicolon) {
                self.expect_name("a label")?;
                if !self.eat(Punctuator::Comma) && !self.at(Punctuator::Semicolon) {
                    return self.fail_expected("`;`");
                }
            }
            return Ok(None);
        }
        if self.at_keyword(Keyword::StaticAssert) {
            return Ok(Some(BlockItem::StaticAssert(self.static_assert()?)));
        }
        if self.starts_declaration() {
            return Ok(Some(match self.declared()? {
                Declared::Declaration(declaration) => BlockItem::Declaration(declaration),
                Declared::Function(function) => BlockItem::NestedFunction(Box::new(function)),
            }));
        }
        Ok(Some(BlockItem::Statement(self.statement()?)))
    }

    /// Whether a declaration starts here. A name before a colon is a label, whatever else it means.
    fn starts_declaration(&mut self) -> bool {
        let colon = TokenKind::Punctuator(Punctuator::Colon);
        match self.peek() {
            TokenKind::Name if self.peek_at(1) == colon => false,
            TokenKind::Keyword(Keyword::Attribute) => !self.is_attributed_statement(),
            TokenKind::Name => self.starts_specifiers(0) || self.unknown_type(),
            _ => self.starts_specifiers(0),
        }
    }

    /// Whether `__attribute__((fallthrough));` stands here and no attribute of a declaration.
    fn is_attributed_statement(&self) -> bool {
        let mut ahead = 0;
        while self.peek_at(ahead) == TokenKind::Keyword(Keyword::Attribute) {
            let mut n_open = 0u32;
            loop {
                ahead += 1;
                match self.peek_at(ahead) {
                    TokenKind::Punctuator(Punctuator::OpenParen) => n_open += 1,
                    TokenKind::Punctuator(Punctuator::CloseParen) => n_open = n_open.saturating_sub(1),
                    TokenKind::End => return false,
                    _ => {}
                }
                if n_open == 0 {
                    break;
                }
            }
            ahead += 1;
        }
        !self.starts_specifiers(ahead)
    }

    /// A statement with its labels.
    pub(super) fn statement(&mut self) -> Parsed<Statement> {
        self.attributes(&mut Vec::<Attribute>::new())?;
        let mut labels = Vec::new();
        while let Some(label) = self.label()? {
            labels.push(label);
        }
        // What follows a label may be nothing, or a declaration, which is then not part of the statement.
        let is_alone = !labels.is_empty() && (self.at(Punctuator::CloseBrace) || self.starts_declaration());
        let mut statement = if is_alone {
            let end = self.peek_span().start;
            Statement { kind: StatementKind::Empty, span: Span { start: end, end } }
        } else {
            self.nested(Self::unlabelled)?
        };
        for (label, start) in labels.into_iter().rev() {
            self.grow()?;
            let span = start.to(statement.span);
            let inner = Box::new(statement);
            let kind = match label {
                Label::Name(name) => StatementKind::Label(name, inner),
                Label::Case(first, last) => StatementKind::Case(first, last, inner),
                Label::Default => StatementKind::Default(inner),
            };
            statement = Statement { kind, span };
        }
        Ok(statement)
    }

    /// A label with its colon and the attributes after it.
    fn label(&mut self) -> Parsed<Option<(Label, Span)>> {
        let start = self.peek_span();
        let colon = TokenKind::Punctuator(Punctuator::Colon);
        let label = match self.peek() {
            TokenKind::Name if self.peek_at(1) == colon => Label::Name(self.take_name()),
            TokenKind::Keyword(Keyword::Default) => {
                self.advance();
                Label::Default
            }
            TokenKind::Keyword(Keyword::Case) => {
                self.advance();
                let first = self.nested(Self::conditional)?;
                let last =
                    if self.eat(Punctuator::Ellipsis) { Some(self.nested(Self::conditional)?) } else { None };
                Label::Case(first, last)
            }
            _ => return Ok(None),
        };
        self.expect(Punctuator::Colon)?;
        if self.at_keyword(Keyword::Attribute) && !self.starts_declaration() {
            self.attributes(&mut Vec::new())?;
        }
        Ok(Some((label, start)))
    }

    fn unlabelled(&mut self) -> Parsed<Statement> {
        let start = self.peek_span();
        let kind = match self.peek() {
            TokenKind::Punctuator(Punctuator::OpenBrace) => StatementKind::Block(self.block()?),
            TokenKind::Punctuator(Punctuator::Semicolon) => {
                self.advance();
                StatementKind::Empty
            }
            TokenKind::Keyword(keyword) => match self.keyword_statement(keyword)? {
                Some(kind) => kind,
                None => self.expression_statement()?,
            },
            _ => self.expression_statement()?,
        };
        Ok(Statement { kind, span: self.since(start) })
    }

    fn expression_statement(&mut self) -> Parsed<StatementKind> {
        let expression = self.expression()?;
        self.expect(Punctuator::Semicolon)?;
        Ok(StatementKind::Expression(expression))
    }

    /// A statement that starts with a keyword; `None` if that keyword starts an expression.
    fn keyword_statement(&mut self, keyword: Keyword) -> Parsed<Option<StatementKind>> {
        Ok(Some(match keyword {
            Keyword::If => return Ok(Some(self.if_chain()?)),
            Keyword::Switch => {
                let (value, body) = self.head_and_body()?;
                StatementKind::Switch(value, body)
            }
            Keyword::While => {
                let (condition, body) = self.head_and_body()?;
                StatementKind::While(condition, body)
            }
            Keyword::Do => self.do_while()?,
            Keyword::For => self.for_statement()?,
            Keyword::Goto => self.goto()?,
            Keyword::Continue | Keyword::Break => {
                self.advance();
                self.expect(Punctuator::Semicolon)?;
                if keyword == Keyword::Break { StatementKind::Break } else { StatementKind::Continue }
            }
            Keyword::Return => {
                self.advance();
                let value =
                    if self.at(Punctuator::Semicolon) { None } else { Some(self.nested(Self::expression)?) };
                self.expect(Punctuator::Semicolon)?;
                StatementKind::Return(value)
            }
            Keyword::Asm => StatementKind::Asm(Box::new(self.asm_statement()?)),
            Keyword::Else => return self.fail_expected("a statement"),
            _ => return Ok(None),
        }))
    }

    fn parenthesised(&mut self) -> Parsed<Expression> {
        self.expect(Punctuator::OpenParen)?;
        let expression = self.nested(Self::expression)?;
        self.expect(Punctuator::CloseParen)?;
        Ok(expression)
    }

    /// The statement that belongs to an `if` or a loop; a declaration there is told as what it is.
    fn body(&mut self) -> Parsed<Box<Statement>> {
        let is_label = self.peek_at(1) == TokenKind::Punctuator(Punctuator::Colon);
        if !is_label && !self.at_keyword(Keyword::Attribute) && self.starts_specifiers(0) {
            return self.fail_expected("a statement");
        }
        Ok(Box::new(self.nested(Self::statement)?))
    }

    /// `while (e) s` after its keyword, which is taken too.
    fn head_and_body(&mut self) -> Parsed<(Expression, Box<Statement>)> {
        self.advance();
        let head = self.parenthesised()?;
        Ok((head, self.body()?))
    }

    /// `if … else if … else …`, as one chain: programs made by programs have long ones.
    fn if_chain(&mut self) -> Parsed<StatementKind> {
        let mut links: Vec<(Token, Expression, Box<Statement>)> = Vec::new();
        let mut otherwise = None;
        loop {
            let keyword = self.advance();
            let condition = self.parenthesised()?;
            links.push((keyword, condition, self.body()?));
            if !self.eat_keyword(Keyword::Else) {
                break;
            }
            if !self.at_keyword(Keyword::If) {
                otherwise = Some(self.body()?);
                break;
            }
        }
        let end = self.last_end();
        let mut kind = None;
        for (keyword, condition, then) in links.into_iter().rev() {
            if let Some((inner, start)) = kind.take() {
                self.grow()?;
                otherwise = Some(Box::new(Statement { kind: inner, span: Span { start, end } }));
            }
            kind = Some((StatementKind::If(condition, then, otherwise.take()), keyword.span.start));
        }
        match kind {
            Some((kind, _)) => Ok(kind),
            None => self.fail_expected("`if`"),
        }
    }

    /// Where the last token that was taken ends.
    fn last_end(&self) -> u32 {
        self.next.checked_sub(1).map_or(0, |index| self.tokens[index].span.end)
    }

    fn do_while(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let body = self.body()?;
        if !self.eat_keyword(Keyword::While) {
            return self.fail_expected("`while`");
        }
        let condition = self.parenthesised()?;
        self.expect(Punctuator::Semicolon)?;
        Ok(StatementKind::DoWhile(body, condition))
    }

    /// `for (a; b; c) s`, with a scope of its own.
    fn for_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        self.expect(Punctuator::OpenParen)?;
        let depth = self.scopes.depth();
        self.scopes.open();
        let statement = self.for_rest();
        self.scopes.close_to(depth);
        statement
    }

    fn for_rest(&mut self) -> Parsed<StatementKind> {
        let start = self.peek_span();
        let init = if self.eat(Punctuator::Semicolon) {
            ForInit::None
        } else if self.starts_declaration() {
            let specifiers = self.specifiers()?;
            if specifiers.storage == Some(Storage::Typedef) {
                return self.fail("E0832", "a loop cannot declare a type", specifiers.span);
            }
            ForInit::Declaration(self.declaration_after(specifiers, None, start)?)
        } else {
            let expression = self.nested(Self::expression)?;
            self.expect(Punctuator::Semicolon)?;
            ForInit::Expression(expression)
        };
        let condition = self.optional_expression(Punctuator::Semicolon)?;
        let step = self.optional_expression(Punctuator::CloseParen)?;
        Ok(StatementKind::For(Box::new(init), condition, step, self.body()?))
    }

    /// An expression, or nothing, up to a punctuator, which is taken.
    fn optional_expression(&mut self, end: Punctuator) -> Parsed<Option<Expression>> {
        if self.eat(end) {
            return Ok(None);
        }
        let expression = self.nested(Self::expression)?;
        self.expect(end)?;
        Ok(Some(expression))
    }

    fn goto(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let kind = if self.eat(Punctuator::Star) {
            StatementKind::ComputedGoto(self.nested(Self::expression)?)
        } else {
            StatementKind::Goto(self.expect_name("a label")?)
        };
        self.expect(Punctuator::Semicolon)?;
        Ok(kind)
    }
}
