//! Properties of the Model Checking Contest, `.xml`: those that are coverability questions.
//!
//! ```text
//! property-set > property* > id, formula > ( exists-path > finally > condition        -- the condition is the bad set
//!                                          | all-paths > globally > condition )       -- its complement is
//! condition := conjunction | disjunction | negation | true | false | is-fireable > transition+
//!            | (integer-le | integer-lt | integer-ge | integer-gt | integer-eq | integer-ne) > sum, sum
//! sum       := integer-constant | tokens-count > place+ | integer-sum > sum* | integer-difference > sum, sum
//! ```
//!
//! Places and transitions are identifiers of the net, or names where no identifier matches. A file with several
//! properties needs the name of one. Formulas are read with an explicit stack: nesting costs none of ours.

use crate::Draft;
use crate::formula::{Comparison, Formula, Linear, NodeId, too_large_number};
use crate::net_draft::undeclared;
use crate::net_view::NetView;
use crate::xml::{Element, Item, Xml};
use std::fmt::Write;
use throng_base::{Diagnostic, Source, Span};
use throng_model::{Config, LocalId, RuleId};

/// Reads the only property of a file, or the one called `property_name`: the minimal bad configurations, none if
/// it is unsatisfiable.
pub(crate) fn parse(
    source: &Source,
    draft: &Draft,
    property_name: Option<&str>,
) -> Result<Vec<Config>, Vec<Diagnostic>> {
    let index = choose(source, property_name).map_err(|error| vec![error])?;
    let mut reader = Reader { xml: Xml::new(source), draft, formula: Formula::default() };
    let (root, is_bad) = reader.property(index).map_err(|error| vec![error])?;
    reader.formula.targets(root, is_bad, source, draft)
}

/// The index of the property to read.
fn choose(source: &Source, property_name: Option<&str>) -> Result<usize, Diagnostic> {
    let names = property_names(source)?;
    let list = || {
        const SHOWN: usize = 20;
        let mut shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
        if names.len() > SHOWN {
            shown.push(format!("and {} more", names.len() - SHOWN));
        }
        format!("properties: {}", shown.join(", "))
    };
    match property_name {
        _ if names.is_empty() => {
            Err(Diagnostic::error("E0415", format!("there is no property in `{}`", source.name())))
        }
        Some(wanted) => names.iter().position(|name| name == wanted).ok_or_else(|| {
            let message = format!("there is no property called `{wanted}` in `{}`", source.name());
            Diagnostic::error("E0415", message).note(list())
        }),
        None if names.len() == 1 => Ok(0),
        None => {
            let message = format!("`{}` holds {} properties", source.name(), names.len());
            Err(Diagnostic::error("E0415", message).note(list()).hint("choose one with `--property-name`"))
        }
    }
}

fn property_names(source: &Source) -> Result<Vec<String>, Diagnostic> {
    let mut xml = Xml::new(source);
    let mut names = Vec::new();
    loop {
        match xml.next()? {
            Item::Open(element) => match element.name() {
                "property-set" => {}
                "property" => names.push(String::new()),
                "id" => {
                    let (id, _) = xml.text()?;
                    if let Some(name) = names.last_mut() {
                        *name = id;
                    }
                }
                "formula" | "description" | "tags" => xml.skip()?,
                other => {
                    let message = format!("expected `<property-set>`, found `<{}>`", other.escape_debug());
                    return Err(Diagnostic::error("E0425", message).at(
                        source,
                        element.span,
                        "not part of a set of properties",
                    ));
                }
            },
            Item::Close | Item::Text(..) => {}
            Item::End => return Ok(names),
        }
    }
}

/// The value of an element.
enum Value {
    Condition(NodeId),
    Sum(Linear),
}

/// An element whose end has not been met.
struct Frame {
    operator: Operator,
    span: Span,
    values: Vec<Value>,
}

#[derive(Clone, Copy)]
enum Operator {
    Conjunction,
    Disjunction,
    Negation,
    Compare(Comparison),
    Sum,
    Difference,
}

struct Reader<'s> {
    xml: Xml<'s>,
    draft: &'s Draft,
    formula: Formula,
}

impl<'s> Reader<'s> {
    /// The condition of a property, and whether it is the bad set.
    fn property(&mut self, index: usize) -> Result<(NodeId, bool), Diagnostic> {
        let mut n_seen = 0;
        loop {
            match self.xml.next()? {
                Item::Open(element) if element.name() == "property" => n_seen += 1,
                Item::Open(element) if element.name() == "formula" && n_seen == index + 1 => {
                    return self.quantified(&element);
                }
                Item::Open(element) if matches!(element.name(), "formula" | "description") => {
                    self.xml.skip()?;
                }
                Item::End => {
                    let message = format!("the property in `{}` has no formula", self.xml.source.name());
                    return Err(Diagnostic::error("E0425", message));
                }
                Item::Open(_) | Item::Close | Item::Text(..) => {}
            }
        }
    }

    fn quantified(&mut self, formula: &Element<'_>) -> Result<(NodeId, bool), Diagnostic> {
        let path = self.child(formula.span)?;
        let is_bad = match path.name() {
            "exists-path" => true,
            "all-paths" => false,
            _ => return Err(self.not_coverability(&path)),
        };
        let step = self.child(path.span)?;
        if step.name() != if is_bad { "finally" } else { "globally" } {
            return Err(self.not_coverability(&step));
        }
        let condition = self.child(step.span)?;
        Ok((self.condition(condition)?, is_bad))
    }

    /// The next element in the one opened at `parent`.
    fn child(&mut self, parent: Span) -> Result<Element<'s>, Diagnostic> {
        loop {
            match self.xml.next()? {
                Item::Open(element) => return Ok(element),
                Item::Text(..) => {}
                Item::Close | Item::End => {
                    return Err(Diagnostic::error("E0425", "expected an element, found none").at(
                        self.xml.source,
                        parent,
                        "empty",
                    ));
                }
            }
        }
    }

    fn not_coverability(&self, element: &Element<'_>) -> Diagnostic {
        Diagnostic::error("E0414", format!("`<{}>` makes this no coverability question", element.name()))
            .at(
                self.xml.source,
                element.span,
                "expected `exists-path` with `finally`, or `all-paths` with `globally`",
            )
            .note("coverability asks whether a marking with at least so many tokens can be reached")
    }

    /// The next element in the innermost open one; `None` when that is closed.
    fn child_or_end(&mut self) -> Result<Option<Element<'s>>, Diagnostic> {
        loop {
            match self.xml.next()? {
                Item::Open(element) => return Ok(Some(element)),
                Item::Close | Item::End => return Ok(None),
                Item::Text(..) => {}
            }
        }
    }

    /// Reads a condition whose start tag has been read.
    fn condition(&mut self, first: Element<'s>) -> Result<NodeId, Diagnostic> {
        let mut frames: Vec<Frame> = Vec::new();
        let mut next = Some(first);
        loop {
            let (value, span) = match (next, frames.pop()) {
                (Some(element), outer) => {
                    frames.extend(outer);
                    if let Some(operator) = operator(element.name()) {
                        frames.push(Frame { operator, span: element.span, values: Vec::new() });
                        next = self.child_or_end()?;
                        continue;
                    }
                    (self.leaf(&element)?, element.span)
                }
                (None, Some(frame)) => (self.apply(frame.operator, frame.values, frame.span)?, frame.span),
                (None, None) => return Err(Diagnostic::error("E0425", "expected a condition")),
            };
            match (frames.last_mut(), value) {
                (Some(frame), value) => frame.values.push(value),
                (None, Value::Condition(node)) => return Ok(node),
                (None, Value::Sum(_)) => return Err(self.wrong_kind(span, "a condition")),
            }
            next = self.child_or_end()?;
        }
    }

    fn wrong_kind(&self, span: Span, expected: &str) -> Diagnostic {
        Diagnostic::error("E0425", format!("expected {expected} here")).at(
            self.xml.source,
            span,
            format!("expected {expected}"),
        )
    }

    /// The value of an element without operands, up to its end tag.
    fn leaf(&mut self, element: &Element<'_>) -> Result<Value, Diagnostic> {
        match element.name() {
            truth @ ("true" | "false") => {
                self.xml.skip()?;
                Ok(Value::Condition(self.formula.constant(truth == "true")))
            }
            "integer-constant" => {
                let (text, span) = self.xml.text()?;
                let digits = text.strip_prefix('-').unwrap_or(&text);
                if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                    return Err(self.wrong_kind(span, "a number"));
                }
                let number = text.parse::<i64>().map_err(|_| too_large_number(self.xml.source, span))?;
                Ok(Value::Sum(Linear::constant(i128::from(number))))
            }
            "tokens-count" => self.tokens_count(),
            "is-fireable" => self.is_fireable(element.span),
            _ => Err(self.not_coverability(element)),
        }
    }

    fn tokens_count(&mut self) -> Result<Value, Diagnostic> {
        let mut sum = Linear::default();
        while let Some(element) = self.child_or_end()? {
            if element.name() != "place" {
                return Err(self.wrong_kind(element.span, "`<place>`"));
            }
            let (name, span) = self.xml.text()?;
            let place = self.place(&name).ok_or_else(|| undeclared(self.xml.source, span, "place", &name))?;
            sum.terms.push((place, 1));
        }
        Ok(Value::Sum(sum))
    }

    /// Some of these transitions can fire.
    fn is_fireable(&mut self, start: Span) -> Result<Value, Diagnostic> {
        let mut any = self.formula.constant(false);
        while let Some(element) = self.child_or_end()? {
            if element.name() != "transition" {
                return Err(self.wrong_kind(element.span, "`<transition>`"));
            }
            let (name, span) = self.xml.text()?;
            let rule = self.transition(&name);
            let rule = rule.ok_or_else(|| undeclared(self.xml.source, span, "transition", &name))?;
            let preset = self.draft.builder.rules().get(rule).take;
            let enabled = self.formula.covers(preset, start);
            any = self.formula.or(any, enabled);
        }
        Ok(Value::Condition(any))
    }

    /// The contest's formulas speak of identifiers, so these come first.
    fn place(&self, name: &str) -> Option<LocalId> {
        let by_id = self.draft.ids.as_ref().and_then(|ids| ids.places.find(name));
        by_id.map(LocalId::new).or_else(|| self.draft.find_place(name))
    }

    fn transition(&self, name: &str) -> Option<RuleId> {
        let by_id = self.draft.ids.as_ref().and_then(|ids| ids.transitions.find(name));
        by_id.map(RuleId::new).or_else(|| self.draft.find_transition(name))
    }

    fn apply(&mut self, operator: Operator, values: Vec<Value>, span: Span) -> Result<Value, Diagnostic> {
        let overflow = |_| too_large_number(self.xml.source, span);
        match operator {
            Operator::Conjunction | Operator::Disjunction => {
                let is_and = matches!(operator, Operator::Conjunction);
                let mut all = self.formula.constant(is_and);
                for value in values {
                    let Value::Condition(node) = value else {
                        return Err(self.wrong_kind(span, "conditions"));
                    };
                    all = if is_and { self.formula.and(all, node) } else { self.formula.or(all, node) };
                }
                Ok(Value::Condition(all))
            }
            Operator::Negation => match values[..] {
                [Value::Condition(node)] => Ok(Value::Condition(self.formula.not(node))),
                _ => Err(self.wrong_kind(span, "one condition")),
            },
            Operator::Sum => {
                let mut total = Linear::default();
                for value in values {
                    let Value::Sum(sum) = value else { return Err(self.wrong_kind(span, "sums")) };
                    total = total.plus(sum).map_err(overflow)?;
                }
                Ok(Value::Sum(total))
            }
            Operator::Difference => {
                let (left, right) = self.two_sums(values, span)?;
                Ok(Value::Sum(left.minus(right).map_err(overflow)?))
            }
            Operator::Compare(comparison) => {
                let (left, right) = self.two_sums(values, span)?;
                let node = self.formula.compare(left, comparison, right, self.xml.source, span)?;
                Ok(Value::Condition(node))
            }
        }
    }

    fn two_sums(&self, values: Vec<Value>, span: Span) -> Result<(Linear, Linear), Diagnostic> {
        match <[Value; 2]>::try_from(values) {
            Ok([Value::Sum(left), Value::Sum(right)]) => Ok((left, right)),
            _ => Err(self.wrong_kind(span, "two sums")),
        }
    }
}

fn operator(name: &str) -> Option<Operator> {
    Some(match name {
        "conjunction" => Operator::Conjunction,
        "disjunction" => Operator::Disjunction,
        "negation" => Operator::Negation,
        "integer-sum" => Operator::Sum,
        "integer-difference" => Operator::Difference,
        "integer-le" => Operator::Compare(Comparison::LessEqual),
        "integer-lt" => Operator::Compare(Comparison::Less),
        "integer-ge" => Operator::Compare(Comparison::GreaterEqual),
        "integer-gt" => Operator::Compare(Comparison::Greater),
        "integer-eq" => Operator::Compare(Comparison::Equal),
        "integer-ne" => Operator::Compare(Comparison::NotEqual),
        _ => return None,
    })
}

/// One property that asks for the targets of a net, whose places have these identifiers.
pub(crate) fn print(net: &NetView, place_id: impl Fn(usize) -> String) -> String {
    let atom = |place: Option<usize>, count: u32| {
        let counted = match place {
            Some(place) => format!("<tokens-count><place>{}</place></tokens-count>", place_id(place)),
            None => "<integer-constant>0</integer-constant>".to_owned(),
        };
        format!("<integer-le><integer-constant>{count}</integer-constant>{counted}</integer-le>\n")
    };
    let joined = |element: &str, parts: Vec<String>| match &parts[..] {
        [one] => one.clone(),
        _ => format!("<{element}>\n{}</{element}>\n", parts.concat()),
    };
    let target = |target: &Vec<(usize, u32)>| match target.is_empty() {
        true => atom(None, 0),
        false => {
            joined("conjunction", target.iter().map(|&(place, count)| atom(Some(place), count)).collect())
        }
    };
    let condition = joined("disjunction", net.targets.iter().map(target).collect());
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = write!(
        text,
        "<property-set xmlns=\"http://mcc.lip6.fr/\">\n<property>\n<id>target</id>\n\
         <description>Some target can be covered</description>\n\
         <formula>\n<exists-path>\n<finally>\n{condition}</finally>\n</exists-path>\n</formula>\n\
         </property>\n</property-set>\n"
    );
    text
}

#[cfg(test)]
mod tests;
