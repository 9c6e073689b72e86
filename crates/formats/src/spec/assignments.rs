//! What the guards and assignments of a `.spec` rule mean: a rule that takes, puts and moves tokens.
//!
//! **Plain reading.** All assignments happen at once, old values on the right. Since tokens are neither
//! negative nor copied, a right-hand side says where tokens come from: in `y' = y + z + c` all tokens of `z`
//! move to `y` and `c` are added. Every variable goes to at most one place: to that whose right-hand side it
//! is on; nowhere if it is assigned but on no right-hand side (`x' = 0` empties `x`); otherwise it stays. The
//! `g` tokens that a guard `z >= g` asks for are taken and put where the tokens of `z` go, so a constant `-c`
//! is taken out of them: `put(y) = Σ g(z) + c` over the `z` on the right of `y`. If that is negative and one
//! variable is on the right, its guard is raised as far as needed; if several are, it is ambiguous which of
//! them has to supply the tokens, and the rule is refused. If a variable is assigned twice, the later assignment
//! counts, with a warning.
//!
//! **mist's reading** (`--mist-semantics`) differs: the variable on the left is on the right, too, whether
//! written or not, unless it is on the right of another (then it is emptied, and its own constant is lost);
//! so `x' = 0` alone changes nothing, and a variable on the right of another is emptied without being
//! assigned. `x' = n` with n > 0, two assignments that have an effect on one variable, and a guard smaller than
//! the decrement are errors. Where the two readings
//! of a rule differ, the plain one warns.

use super::rule::{Assignment, RuleText};
use super::{Bound, Constraint};
use crate::warnings::Warnings;
use throng_base::{Diagnostic, Source, Span};
use throng_model::bag::MAX_COUNT;
use throng_model::{Bag, LocalId, Move, Names, Rule, SharedId};

/// Which meaning assignments have, see the module's documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    Plain,
    Mist,
}

/// What the current rule does with one variable.
#[derive(Clone, Copy, Debug, Default)]
struct Variable {
    /// Whether it is in the list of variables of the current rule.
    used: bool,
    /// Tokens that must be there.
    guard: i64,
    /// Whether the rule states that guard.
    guarded: bool,
    assigned: bool,
    n_assignments: u32,
    /// The last assignment seen that it is on the right of.
    on_right_of: Option<LocalId>,
    /// The variable that receives its tokens.
    destination: Option<LocalId>,
    /// How many variables it receives, and the last of them.
    n_sources: u32,
    last_source: Option<LocalId>,
    /// Tokens added in the end.
    put: i64,
}

/// Turns one rule after the other from text to meaning.
pub(super) struct Translator {
    reading: Reading,
    variables: Vec<Variable>,
    /// The variables of the current rule, in order of their first use.
    used: Vec<LocalId>,
    rule: Rule,
    superseded: Warnings,
    differences: Warnings,
    raised_guards: Warnings,
}

/// The place of an error: the source and the names of its variables.
#[derive(Clone, Copy)]
struct Context<'a> {
    source: &'a Source,
    names: &'a Names,
}

impl Context<'_> {
    fn name(&self, variable: LocalId) -> String {
        format!("`{}`", self.names.get(variable.index()))
    }

    fn error(&self, code: &'static str, message: String, span: Span, label: &str) -> Diagnostic {
        Diagnostic::error(code, message).at(self.source, span, label)
    }
}

impl Translator {
    pub(super) fn new(n_variables: usize, reading: Reading) -> Self {
        let net = SharedId::new(0);
        Self {
            reading,
            variables: vec![Variable::default(); n_variables],
            used: Vec::new(),
            rule: Rule { from: net, to: net, take: Bag::new(), put: Bag::new(), moves: Vec::new() },
            superseded: Warnings::default(),
            differences: Warnings::default(),
            raised_guards: Warnings::default(),
        }
    }

    /// The warnings about all rules.
    pub(super) fn finish(self) -> Vec<Diagnostic> {
        [self.superseded, self.differences, self.raised_guards]
            .into_iter()
            .flat_map(Warnings::finish)
            .collect()
    }

    /// The meaning of a rule; valid until the next call.
    pub(super) fn translate(
        &mut self,
        text: &mut RuleText,
        source: &Source,
        names: &Names,
    ) -> Result<&Rule, Diagnostic> {
        let context = Context { source, names };
        for variable in self.used.drain(..) {
            self.variables[variable.index()] = Variable::default();
        }
        for guard in &text.guards {
            self.guard(guard, context)?;
        }
        self.drop_superseded(text, context)?;
        let text = &*text;
        self.destinations(text, context)?;
        match self.reading {
            Reading::Plain => self.complete_plain(text, context)?,
            Reading::Mist => self.complete_mist(text, context)?,
        }
        self.balance(text, context)?;
        self.build(text, context)
    }

    /// The entry of a variable, which is used from now on.
    fn slot(&mut self, variable: LocalId) -> &mut Variable {
        let slot = &mut self.variables[variable.index()];
        if !std::mem::replace(&mut slot.used, true) {
            self.used.push(variable);
        }
        slot
    }

    fn guard(&mut self, guard: &Constraint, context: Context<'_>) -> Result<(), Diagnostic> {
        if let Bound::AtLeast(count) = guard.bound {
            let slot = self.slot(guard.variable);
            (slot.guard, slot.guarded) = (i64::from(count), true);
            return Ok(());
        }
        let name = context.name(guard.variable);
        let is_zero_test = matches!(guard.bound, Bound::Exactly(0) | Bound::Between(_, 0));
        let message = match is_zero_test {
            true => format!("the guard tests {name} for zero"),
            false => format!("the guard bounds {name} from above"),
        };
        let error = context
            .error("E0305", message, guard.span, "expected `>=`")
            .note("a rule that more tokens can disable (an inhibitor arc) is not monotone: coverability does not apply");
        Err(match guard.bound {
            Bound::Exactly(0) | Bound::Between(0, _) => {
                error.hint("without this constraint the rule fires more often: then `safe` still means safe")
            }
            Bound::Exactly(low) | Bound::AtLeast(low) | Bound::Between(low, _) => error.hint(format!(
                "with `>= {low}` instead the rule fires more often: then `safe` still means safe"
            )),
        })
    }

    /// Leaves one assignment to each variable: the last one in the plain reading, the one that has an effect in
    /// mist's.
    fn drop_superseded(&mut self, text: &mut RuleText, context: Context<'_>) -> Result<(), Diagnostic> {
        let mut is_repeated = false;
        for assignment in &text.assignments {
            let slot = self.slot(assignment.variable);
            slot.assigned = true;
            slot.n_assignments += 1;
            is_repeated |= slot.n_assignments > 1;
        }
        if !is_repeated {
            return Ok(());
        }
        text.assignments.retain(|assignment| {
            let slot = &mut self.variables[assignment.variable.index()];
            let has_effect = !assignment.terms.is_empty() || assignment.constant != 0;
            let keep = slot.n_assignments == 1 || (self.reading == Reading::Mist && has_effect);
            slot.n_assignments -= u32::from(!keep);
            if !keep {
                self.superseded.push(|| superseded(assignment, context));
            }
            keep
        });
        let repeated = |a: &&Assignment| self.variables[a.variable.index()].n_assignments > 1;
        match text.assignments.iter().rfind(repeated) {
            None => Ok(()),
            Some(assignment) => {
                let message = format!("{} is assigned twice", context.name(assignment.variable));
                Err(context.error("E0304", message, assignment.span, "second assignment"))
            }
        }
    }

    /// Notes for every variable on a right-hand side where its tokens go. In mist's reading the variable on the
    /// left has no say in that.
    fn destinations(&mut self, text: &RuleText, context: Context<'_>) -> Result<(), Diagnostic> {
        let own_terms_count = self.reading == Reading::Plain;
        for assignment in &text.assignments {
            let receiver = assignment.variable;
            for term in &text.terms[assignment.terms.clone()] {
                let slot = self.slot(term.variable);
                if slot.on_right_of.replace(receiver) == Some(receiver) {
                    let message = format!("{} is twice on one right-hand side", context.name(term.variable));
                    return Err(context
                        .error("E0308", message, term.span, "second occurrence")
                        .note("that would double its tokens, and tokens only move"));
                }
                if term.variable == receiver && !own_terms_count {
                    continue;
                }
                if let Some(earlier) = slot.destination.replace(receiver) {
                    let message =
                        format!("{} is on the right of two assignments", context.name(term.variable));
                    let (earlier, receiver) = (context.name(earlier), context.name(receiver));
                    return Err(context
                        .error("E0307", message, term.span, "its tokens go elsewhere already")
                        .note(format!("{earlier} and {receiver} would both receive its tokens, and tokens are not copied")));
                }
            }
        }
        Ok(())
    }

    /// In the plain reading what is moved must be assigned. Warns where mist reads differently.
    fn complete_plain(&mut self, text: &RuleText, context: Context<'_>) -> Result<(), Diagnostic> {
        for assignment in &text.assignments {
            for term in &text.terms[assignment.terms.clone()] {
                if !self.variables[term.variable.index()].assigned {
                    return Err(copied(context, term.variable, assignment.variable, term.span));
                }
            }
            self.warn_of_difference(assignment, context);
        }
        Ok(())
    }

    fn warn_of_difference(&mut self, assignment: &Assignment, context: Context<'_>) {
        let variable = assignment.variable;
        let name = context.name(variable);
        let destination = self.variables[variable.index()].destination;
        let (message, mist) = match (destination, assignment.terms.is_empty()) {
            // mist refuses a constant other than 0, so there is no other reading of it.
            (None, true) if assignment.constant == 0 => (
                format!("this assignment empties {name}"),
                format!("mist ignores it, because {name} is on no right-hand side"),
            ),
            (None, false) => (
                format!("the old tokens of {name} vanish, because it is not on the right"),
                format!("mist adds {name} to the right-hand side"),
            ),
            (Some(other), false) if other != variable && assignment.constant != 0 => (
                format!("{name} gives its tokens away and receives a constant"),
                "mist loses the constant".to_owned(),
            ),
            _ => return,
        };
        self.differences.push(|| {
            Diagnostic::warning("W0320", message)
                .at(context.source, assignment.span, "mist reads this differently")
                .note(mist)
                .hint("`--mist-semantics` gives mist's reading")
        });
    }

    /// In mist's reading a variable that is assigned and not moved elsewhere stays.
    fn complete_mist(&mut self, text: &RuleText, context: Context<'_>) -> Result<(), Diagnostic> {
        for assignment in &text.assignments {
            if assignment.terms.is_empty() && assignment.constant != 0 {
                let message = format!(
                    "mist cannot assign a number other than 0 to {}",
                    context.name(assignment.variable)
                );
                return Err(context
                    .error("E0309", message, assignment.span, "expected 0")
                    .hint("without `--mist-semantics` this empties the variable and adds so many tokens"));
            }
            self.slot(assignment.variable).destination.get_or_insert(assignment.variable);
        }
        Ok(())
    }

    /// Works out how many tokens every variable is given, raising guards that are too small.
    fn balance(&mut self, text: &RuleText, context: Context<'_>) -> Result<(), Diagnostic> {
        for index in 0..self.used.len() {
            let variable = self.used[index];
            let Variable { guard, assigned, destination, .. } = self.variables[variable.index()];
            let receiver = if assigned { destination } else { destination.or(Some(variable)) };
            if let Some(receiver) = receiver {
                let slot = self.slot(receiver);
                slot.n_sources += 1;
                slot.last_source = Some(variable);
                slot.put += guard;
            }
        }
        for assignment in &text.assignments {
            let slot = &mut self.variables[assignment.variable.index()];
            let is_lost = self.reading == Reading::Mist && slot.destination != Some(assignment.variable);
            slot.put += if is_lost { 0 } else { assignment.constant };
            if slot.put < 0 {
                let missing = std::mem::take(&mut slot.put).unsigned_abs();
                self.raise_guard(assignment, missing, context)?;
            }
        }
        Ok(())
    }

    /// Makes the rule require `missing` tokens more, so that an assignment does not become negative.
    fn raise_guard(
        &mut self,
        assignment: &Assignment,
        missing: u64,
        context: Context<'_>,
    ) -> Result<(), Diagnostic> {
        let Variable { n_sources, last_source, .. } = self.variables[assignment.variable.index()];
        let Some(supplier) = last_source.filter(|_| n_sources == 1) else {
            let message = format!("{} could become negative", context.name(assignment.variable));
            return Err(context
                .error("E0312", message, assignment.span, "more is subtracted than the guards ask for")
                .note("it is not clear which variable has to supply the tokens")
                .hint(format!(
                    "add guards that ask for {missing} tokens more among the variables on the right"
                )));
        };
        let slot = self.slot(supplier);
        let (before, guarded) = (slot.guard, slot.guarded);
        slot.guard += missing as i64;
        let (name, needed) = (context.name(supplier), slot.guard);
        if self.reading == Reading::Mist && guarded {
            let message = format!("the guard on {name} is smaller than what is subtracted");
            return Err(context
                .error("E0309", message, assignment.span, "mist refuses this")
                .hint(format!("write the guard {name} `>= {needed}`")));
        }
        self.raised_guards.push(|| {
            Diagnostic::warning("W0322", format!("the rule takes {needed} of {name}, but asks for {before}"))
                .at(context.source, assignment.span, "more is subtracted than the guard asks for")
                .note(format!("read as if the guard were `>= {needed}`"))
        });
        Ok(())
    }

    fn build(&mut self, text: &RuleText, context: Context<'_>) -> Result<&Rule, Diagnostic> {
        let count = |tokens: i64| u32::try_from(tokens).ok().filter(|&tokens| tokens <= MAX_COUNT);
        let too_many = || {
            let message = format!("the rule handles more than {MAX_COUNT} tokens of one variable");
            context.error("E0313", message, text.span, "too many tokens")
        };
        let (mut take, mut put) = (Vec::new(), Vec::new());
        self.rule.moves.clear();
        for &variable in &self.used {
            let slot = &self.variables[variable.index()];
            take.push((variable, count(slot.guard).ok_or_else(too_many)?));
            put.push((variable, count(slot.put).ok_or_else(too_many)?));
            match slot.destination {
                Some(destination) if destination != variable => {
                    self.rule.moves.push(Move { source: variable, destinations: vec![destination] });
                }
                None if slot.assigned => {
                    self.rule.moves.push(Move { source: variable, destinations: Vec::new() });
                }
                _ => {}
            }
        }
        self.rule.take = Bag::from_counts(take).map_err(|_| too_many())?;
        self.rule.put = Bag::from_counts(put).map_err(|_| too_many())?;
        Ok(&self.rule)
    }
}

/// The warning about an assignment that another one to the same variable makes void.
fn superseded(assignment: &Assignment, context: Context<'_>) -> Diagnostic {
    let name = context.name(assignment.variable);
    Diagnostic::warning("W0321", format!("{name} is assigned twice in one rule"))
        .at(context.source, assignment.span, "this assignment is ignored")
        .hint("remove the assignment that is not meant")
}

/// The error for a variable that another receives although it keeps its tokens.
fn copied(context: Context<'_>, variable: LocalId, receiver: LocalId, span: Span) -> Diagnostic {
    let (name, receiver) = (context.name(variable), context.name(receiver));
    let bare = context.names.get(variable.index());
    context
        .error("E0307", format!("{name} is copied to {receiver}"), span, "not assigned itself")
        .note("tokens move from place to place, they are not copied")
        .hint(format!("add `{bare}' = 0` if all its tokens move to {receiver}"))
        .hint("`--mist-semantics` reads it so")
}
