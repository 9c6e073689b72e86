//! Directives: conditions, definitions, and what is ignored.

use super::Preprocessor;
use super::condition::Conditional;
use super::expand::Macro;
use super::tokens::{Kind, Token};
use std::rc::Rc;
use throng_base::Span;

impl Preprocessor<'_> {
    /// One directive, `#` first.
    pub(super) fn directive(&mut self, line: &[Token], conditionals: &mut Vec<Conditional>) {
        let Some((word, rest)) = line[1..].split_first() else { return };
        let span = line[0].span.to(line.last().map_or(word.span, |last| last.span));
        let is_active = conditionals.iter().all(|conditional| conditional.is_active);
        if self.conditional(&word.text, rest, span, conditionals, is_active) || !is_active {
            return;
        }
        match &*word.text {
            "define" => {
                if let Err(message) = self.define(rest) {
                    self.error("E0805", message, span);
                }
            }
            "undef" => match rest.first() {
                Some(name) if name.kind == Kind::Name => drop(self.macros.remove(&name.text)),
                _ => self.error("E0805", "expected a name after `#undef`", span),
            },
            "include" | "include_next" | "import" => {
                let next_line = line.last().map_or(1, |last| last.line) + 1;
                self.include(rest, span, next_line);
            }
            "error" => {
                let words: Vec<&str> = rest.iter().map(|token| &*token.text).collect();
                self.error("E0806", format!("#error {}", words.join(" ")), span);
            }
            "pragma" => {
                if let (true, Some(file)) =
                    (rest.first().is_some_and(|word| word.is("once")), self.files.last())
                {
                    self.once.insert(file.name.clone());
                } else {
                    let rest = match rest.first() {
                        Some(word) if word.is("pack") => self.expand(rest.to_vec(), 0),
                        _ => rest.to_vec(),
                    };
                    let words: Vec<&str> = rest.iter().map(|token| &*token.text).collect();
                    let next = line.last().map_or(1, |last| last.line) + 1;
                    self.pragma_line(&words.join(" "), next);
                }
            }
            "line" => {
                let rest = self.expand(rest.to_vec(), 0);
                self.line_directive(&rest, line, span);
            }
            "warning" | "ident" | "sccs" | "assert" | "unassert" => {}
            _ if word.kind == Kind::Number => self.line_directive(&line[1..], line, span),
            other => {
                let message = format!("`#{other}` is no directive");
                self.error("E0805", message, span);
            }
        }
    }

    /// `#line 12 "name"` and `# 12 "name"`: what `__LINE__` and `__FILE__` are from the next line on.
    fn line_directive(&mut self, rest: &[Token], line: &[Token], span: Span) {
        let next = i64::from(line.last().map_or(1, |last| last.line)) + 1;
        let number = rest.first().and_then(|number| number.text.parse::<i64>().ok());
        let Some(number) = number else {
            return self.error("E0805", "expected a number after `#line`", span);
        };
        if let Some(file) = self.files.last_mut() {
            file.shown.0 = number - next;
            if let Some(name) = rest.get(1).filter(|name| name.kind == Kind::Quoted) {
                file.shown.1 = Some(name.text.trim_matches('"').to_owned());
            }
        }
    }

    /// `#if` and its like; tells whether it was one.
    fn conditional(
        &mut self,
        word: &str,
        rest: &[Token],
        span: Span,
        conditionals: &mut Vec<Conditional>,
        is_active: bool,
    ) -> bool {
        match word {
            "if" | "ifdef" | "ifndef" => {
                let is_true = is_active && self.holds(word, rest, span);
                conditionals.push(Conditional {
                    is_active: is_true,
                    was_active: is_true || !is_active,
                    has_else: false,
                    span,
                });
            }
            "elif" | "else" => {
                let Some(last) = conditionals.last() else {
                    self.error("E0809", format!("this `#{word}` has no `#if`"), span);
                    return true;
                };
                if last.has_else {
                    self.error("E0809", format!("this `#{word}` stands after an `#else`"), span);
                    return true;
                }
                let is_true = !last.was_active && (word == "else" || self.holds("if", rest, span));
                if let Some(last) = conditionals.last_mut() {
                    last.is_active = is_true;
                    last.was_active |= is_true;
                    last.has_else |= word == "else";
                }
            }
            "endif" => {
                if conditionals.pop().is_none() {
                    self.error("E0809", "this `#endif` has no `#if`", span);
                }
            }
            _ => return false,
        }
        true
    }

    /// Whether the condition of `#if`, `#ifdef` or `#ifndef` holds.
    fn holds(&mut self, word: &str, rest: &[Token], span: Span) -> bool {
        if word == "if" {
            return self.condition(rest, span);
        }
        match rest.first() {
            Some(name) if name.kind == Kind::Name => self.is_defined(&name.text) == (word == "ifdef"),
            _ => {
                self.error("E0805", format!("expected a name after `#{word}`"), span);
                false
            }
        }
    }

    /// Whether a name is a macro.
    pub(super) fn is_defined(&self, name: &str) -> bool {
        self.macros.contains_key(name) || matches!(name, "__LINE__" | "__FILE__" | "__COUNTER__")
    }

    /// `NAME text`, `NAME(a, b, ...) text`
    pub(super) fn define(&mut self, line: &[Token]) -> Result<(), String> {
        let Some((name, rest)) = line.split_first().filter(|(name, _)| name.kind == Kind::Name) else {
            return Err("expected a name after `#define`".to_owned());
        };
        if &*name.text == "defined" {
            return Err("`defined` cannot be a macro".to_owned());
        }
        let (mut parameters, mut is_variadic, mut body) = (None, false, rest);
        if rest.first().is_some_and(|open| open.is("(") && !open.has_space) {
            let (names, variadic, length) = parameter_names(&rest[1..])?;
            (parameters, is_variadic, body) = (Some(names), variadic, &rest[1 + length..]);
        }
        let is_paste = |token: Option<&Token>| token.is_some_and(|token| token.is("##"));
        if is_paste(body.first()) || is_paste(body.last()) {
            return Err("`##` needs something on both sides".to_owned());
        }
        let body = body.to_vec();
        self.macros.insert(Rc::clone(&name.text), Rc::new(Macro { parameters, is_variadic, body }));
        Ok(())
    }
}

/// `a, b, ...)`: the names, whether the last takes all remaining arguments, and how many tokens that were.
fn parameter_names(tokens: &[Token]) -> Result<(Vec<Rc<str>>, bool, usize), String> {
    let wrong = || Err("the parameters of this macro are malformed".to_owned());
    let mut names: Vec<Rc<str>> = Vec::new();
    let mut i = 0;
    if tokens.first().is_some_and(|token| token.is(")")) {
        return Ok((names, false, 1));
    }
    loop {
        let Some(token) = tokens.get(i) else { return wrong() };
        i += 1;
        let mut is_variadic = token.is("...");
        if is_variadic {
            names.push("__VA_ARGS__".into());
        } else if token.kind == Kind::Name && !names.contains(&token.text) {
            names.push(Rc::clone(&token.text));
            // GNU: `args...`
            if tokens.get(i).is_some_and(|token| token.is("...")) {
                is_variadic = true;
                i += 1;
            }
        } else {
            return wrong();
        }
        match tokens.get(i) {
            Some(token) if token.is(")") => return Ok((names, is_variadic, i + 1)),
            Some(token) if token.is(",") && !is_variadic => i += 1,
            _ => return wrong(),
        }
    }
}
