//! Macro expansion. Each token carries the set of macros that it was made by, directly or not, and is not taken for one
//! of them again: that is what keeps recursive macros finite (C11 6.10.3.4, in Prosser's formulation).

use super::paste::{pasted, stringified};
use super::tokens::{Hidden, Kind, Token};
use super::{MAX_INCLUDES, Preprocessor};
use std::rc::Rc;

/// A macro.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    /// The parameters of a macro that looks like a function.
    pub(super) parameters: Option<Vec<Rc<str>>>,
    /// Whether the last parameter takes all remaining arguments.
    pub(super) is_variadic: bool,
    pub(super) body: Vec<Token>,
}

/// An argument as written, and expanded once somebody needs that.
struct Argument {
    raw: Vec<Token>,
    expanded: Option<Vec<Token>>,
}

impl Preprocessor<'_> {
    /// Tokens with all macros in them expanded. `depth` is how deep this is an argument of an argument.
    pub(super) fn expand(&mut self, tokens: Vec<Token>, depth: usize) -> Vec<Token> {
        let mut output = Vec::new();
        // The next token is the last one.
        let mut input = tokens;
        input.reverse();
        while let Some(token) = input.pop() {
            if self.is_over() {
                break;
            }
            if token.kind != Kind::Name || token.hidden.contains(&token.text) {
                output.push(token);
                continue;
            }
            if let Some(special) = self.special(&token, &mut input) {
                output.extend(special);
                continue;
            }
            let Some(definition) = self.macros.get(&token.text).cloned() else {
                output.push(token);
                continue;
            };
            let Some(made) = self.invoke(&token, &definition, &mut input, depth) else {
                output.push(token);
                continue;
            };
            self.spend(made.len() + 1, &token);
            input.extend(made.into_iter().rev());
        }
        output
    }

    fn spend(&mut self, n_tokens: usize, token: &Token) {
        self.budget = self.budget.saturating_sub(n_tokens);
        if self.budget == 0 {
            self.error("E0810", format!("`{}` expands to too long a text", token.text), token.span);
        }
    }

    /// Names that mean something else at every place, and `_Pragma`.
    fn special(&mut self, token: &Token, input: &mut Vec<Token>) -> Option<Option<Token>> {
        let shown = self.files.last().map(|file| &file.shown);
        let (kind, text) = match &*token.text {
            "__LINE__" => {
                let line = i64::from(token.line) + shown.map_or(0, |(distance, _)| *distance);
                (Kind::Number, line.max(0).to_string())
            }
            "__FILE__" => {
                let name = self.files.last().map_or("", |file| file.shown.1.as_deref().unwrap_or(&file.name));
                (Kind::Quoted, format!("{name:?}"))
            }
            "__COUNTER__" => {
                self.counter += 1;
                (Kind::Number, (self.counter - 1).to_string())
            }
            "_Pragma" if input.last().is_some_and(|next| next.is("(")) => {
                let (list, _) = arguments(input, token)?;
                let text = list.first().and_then(|argument| argument.first()).map(|text| &text.text);
                (Kind::Pragma, text.map_or_else(String::new, |text| unquoted(text)))
            }
            _ => return None,
        };
        Some(Some(Token { kind, text: text.into(), is_written: false, ..token.clone() }))
    }

    /// What a use of a macro becomes; `None` if it is no use, having no arguments. Arguments are taken from the input.
    fn invoke(
        &mut self,
        token: &Token,
        definition: &Rc<Macro>,
        input: &mut Vec<Token>,
        depth: usize,
    ) -> Option<Vec<Token>> {
        let Some(parameters) = &definition.parameters else {
            let hidden = token.hidden.with(&token.text);
            return Some(self.substitute(token, definition, &mut [], &hidden, depth));
        };
        if !input.last().is_some_and(|next| next.is("(")) {
            return None;
        }
        let Some((mut arguments, close)) = arguments(input, token) else {
            self.error("E0807", format!("the arguments of `{}` do not end", token.text), token.span);
            return Some(Vec::new());
        };
        if parameters.is_empty() && arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        if definition.is_variadic && arguments.len() >= parameters.len() {
            join_rest(&mut arguments, parameters.len());
        } else if definition.is_variadic && arguments.len() + 1 == parameters.len() {
            arguments.push(Vec::new());
        }
        if arguments.len() != parameters.len() {
            let (n, m) = (parameters.len(), arguments.len());
            let message =
                format!("`{}` takes {n} argument{}, not {m}", token.text, if n == 1 { "" } else { "s" });
            self.error("E0807", message, token.span);
            return Some(Vec::new());
        }
        if depth >= MAX_INCLUDES {
            self.error("E0810", "arguments of macros are nested too deeply", token.span);
            return Some(Vec::new());
        }
        let hidden = token.hidden.intersection(&close.hidden).with(&token.text);
        let mut arguments: Vec<Argument> =
            arguments.into_iter().map(|raw| Argument { raw, expanded: None }).collect();
        Some(self.substitute(token, definition, &mut arguments, &hidden, depth))
    }

    /// The body of a macro with arguments for parameters, `#` and `##` done.
    fn substitute(
        &mut self,
        token: &Token,
        definition: &Macro,
        arguments: &mut [Argument],
        hidden: &Hidden,
        depth: usize,
    ) -> Vec<Token> {
        let names = definition.parameters.as_deref().unwrap_or_default();
        let position = |token: &Token| match token.kind {
            Kind::Name => names.iter().position(|name| *name == token.text),
            _ => None,
        };
        let body = &definition.body;
        let mut made: Vec<Token> = Vec::new();
        let mut i = 0;
        while let Some(part) = body.get(i) {
            let next = body.get(i + 1);
            i += 1;
            if part.is("#")
                && definition.parameters.is_some()
                && let Some(argument) = next.and_then(position)
            {
                made.push(stringified(&arguments[argument].raw, part));
                i += 1;
                continue;
            }
            if part.is("##")
                && !made.is_empty()
                && let Some(right) = next
            {
                let is_rest = definition.is_variadic && position(right) == Some(names.len() - 1);
                let raw = match position(right) {
                    Some(argument) => raw_argument(&arguments[argument], right),
                    None => vec![right.clone()],
                };
                self.join(&mut made, raw, is_rest, token);
                i += 1;
                continue;
            }
            match position(part) {
                Some(argument) if next.is_some_and(|next| next.is("##")) => {
                    made.extend(raw_argument(&arguments[argument], part));
                }
                Some(argument) => {
                    let argument = &mut arguments[argument];
                    if argument.expanded.is_none() {
                        argument.expanded = Some(self.expand(argument.raw.clone(), depth + 1));
                    }
                    let start = made.len();
                    made.extend(argument.expanded.iter().flatten().cloned());
                    if let Some(first) = made.get_mut(start) {
                        first.has_space = part.has_space;
                    }
                }
                None => made.push(part.clone()),
            }
        }
        made.retain(|part| part.kind != Kind::Placemarker);
        for (i, part) in made.iter_mut().enumerate() {
            part.hidden = part.hidden.union(hidden);
            (part.line, part.span, part.is_written) = (token.line, token.span, false);
            if i == 0 {
                part.has_space = token.has_space;
            }
        }
        made
    }

    /// `##`: makes one token of the last of `made` and the first of `right`. A comma before the remaining arguments is
    /// GNU's way to drop it if there are none.
    fn join(&mut self, made: &mut Vec<Token>, right: Vec<Token>, is_rest: bool, token: &Token) {
        let is_empty = right.iter().all(|part| part.kind == Kind::Placemarker);
        if is_rest && made.last().is_some_and(|last| last.is(",")) {
            if is_empty {
                made.pop();
            } else {
                made.extend(right);
            }
            return;
        }
        let mut right = right.into_iter();
        if let (Some(left), Some(first)) = (made.pop(), right.next()) {
            match pasted(&left, &first) {
                Some(joined) => made.push(joined),
                None => {
                    let message = format!("`{}` and `{}` do not make a token", left.text, first.text);
                    self.error("E0807", message, token.span);
                }
            }
        }
        made.extend(right);
    }
}

/// An argument as written; something that stands for nothing if it is empty.
fn raw_argument(argument: &Argument, parameter: &Token) -> Vec<Token> {
    if argument.raw.is_empty() {
        return vec![Token { kind: Kind::Placemarker, text: "".into(), ..parameter.clone() }];
    }
    argument.raw.clone()
}

/// The arguments from `(` to `)`, which are taken from the input, and the `)`; `None` if it is missing.
fn arguments(input: &mut Vec<Token>, token: &Token) -> Option<(Vec<Vec<Token>>, Token)> {
    input.pop();
    let mut arguments = vec![Vec::new()];
    let mut n_open = 0u32;
    let mut has_break = false;
    while let Some(mut next) = input.pop() {
        // A line break within arguments is a space.
        next.has_space |= std::mem::take(&mut has_break) || next.is_first;
        next.is_first = false;
        if next.is("(") {
            n_open += 1;
        } else if next.is(")") {
            if n_open == 0 {
                return Some((arguments, next));
            }
            n_open -= 1;
        } else if next.is(",") && n_open == 0 {
            arguments.push(Vec::new());
            continue;
        }
        next.line = next.line.max(token.line);
        arguments.last_mut().expect("there is a first argument").push(next);
    }
    None
}

/// Makes one argument of all from the last parameter on, commas included.
fn join_rest(arguments: &mut Vec<Vec<Token>>, n_parameters: usize) {
    let rest: Vec<Vec<Token>> = arguments.drain(n_parameters - 1..).collect();
    let mut joined: Vec<Token> = Vec::new();
    for (i, argument) in rest.into_iter().enumerate() {
        if i > 0 {
            joined.push(Token::made(Kind::Punctuator, ","));
        }
        joined.extend(argument);
    }
    arguments.push(joined);
}

/// What a string says.
fn unquoted(text: &str) -> String {
    let text = text.trim_start_matches(['L', 'u', 'U', '8']);
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    inner.replace("\\\"", "\"").replace("\\\\", "\\")
}
