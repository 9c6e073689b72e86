//! Comparisons of linear expressions, and which of them denote upward-closed sets.
//!
//! An atom is brought to the form `Σ aᵢ·pᵢ ≥ n`. With positive weights it denotes an upward-closed set; without
//! places it is true or false; with a negative weight more tokens may break it, unless it has no solution at
//! all. `=` is the conjunction of two such inequalities, `!=` their disjunction.

use super::linear::{Linear, Overflow};
use throng_base::{Diagnostic, Source, Span};
use throng_model::{LocalId, Names};

/// A comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Less,
    LessEqual,
    Equal,
    NotEqual,
    Greater,
    GreaterEqual,
}

impl Comparison {
    fn negated(self) -> Self {
        match self {
            Comparison::Less => Comparison::GreaterEqual,
            Comparison::LessEqual => Comparison::Greater,
            Comparison::Equal => Comparison::NotEqual,
            Comparison::NotEqual => Comparison::Equal,
            Comparison::Greater => Comparison::LessEqual,
            Comparison::GreaterEqual => Comparison::Less,
        }
    }
}

/// `linear comparison 0`, with the place it was written at.
#[derive(Clone, Debug)]
pub(crate) struct Atom {
    linear: Linear,
    comparison: Comparison,
    pub(crate) span: Span,
}

/// What an atom denotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Denotation {
    True,
    False,
    /// `Σ weight·place ≥ need`, all weights and `need` positive.
    AtLeast(Vec<(LocalId, i128)>, i128),
    /// A set that is not upward closed.
    Refused(Reason),
}

/// Why a set is not upward closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    UpperBound,
    ComparesPlaces,
    ExactCount,
    OtherCount,
}

impl Atom {
    /// `left comparison right`.
    pub(crate) fn new(
        left: Linear,
        comparison: Comparison,
        right: Linear,
        span: Span,
    ) -> Result<Self, Overflow> {
        let mut linear = left.minus(right)?;
        linear.normalise()?;
        Ok(Self { linear, comparison, span })
    }

    fn comparison(&self, positive: bool) -> Comparison {
        if positive { self.comparison } else { self.comparison.negated() }
    }

    /// What the atom denotes, or its negation if not `positive`.
    pub(crate) fn denotation(&self, positive: bool) -> Result<Denotation, Overflow> {
        use Denotation::{False, Refused, True};
        let at_least = |excess: i128| at_least(self.linear.clone(), excess);
        let at_most = |slack: i128| at_least_of_negated(self.linear.clone(), slack);
        match self.comparison(positive) {
            Comparison::GreaterEqual => at_least(0),
            Comparison::Greater => at_least(1),
            Comparison::LessEqual => at_most(0),
            Comparison::Less => at_most(1),
            Comparison::Equal if self.never_zero() => Ok(False),
            Comparison::Equal => Ok(match (at_least(0)?, at_most(0)?) {
                (False, _) | (_, False) => False,
                (True, other) | (other, True) if !matches!(other, Refused(_)) => other,
                _ => Refused(Reason::ExactCount),
            }),
            Comparison::NotEqual if self.never_zero() => Ok(True),
            Comparison::NotEqual => Ok(match (at_least(1)?, at_most(1)?) {
                (True, _) | (_, True) => True,
                (False, other) | (other, False) if !matches!(other, Refused(_)) => other,
                _ => Refused(Reason::OtherCount),
            }),
        }
    }

    /// Whether no integers make the expression zero, because a common divisor of the weights does not divide
    /// the constant.
    fn never_zero(&self) -> bool {
        let divisor = self.linear.terms.iter().fold(0, |d, &(_, weight)| gcd(d, weight.unsigned_abs()));
        divisor > 1 && !self.linear.constant.unsigned_abs().is_multiple_of(divisor)
    }

    /// The error for an atom that was refused.
    pub(crate) fn refusal(
        &self,
        reason: Reason,
        positive: bool,
        source: &Source,
        names: &Names,
    ) -> Diagnostic {
        let (message, label) = match reason {
            Reason::ExactCount => (
                "`=` asks for an exact count: that is a reachability question, not a coverability question",
                "an exact count",
            ),
            Reason::OtherCount => (
                "`!=` holds below the count too: that is a reachability question, not a coverability question",
                "any other count",
            ),
            Reason::UpperBound => (
                "an upper bound on tokens is a reachability question, not a coverability question",
                "an upper bound",
            ),
            Reason::ComparesPlaces => (
                "comparing places with each other is a reachability question, not a coverability question",
                "holds or not depending on a difference",
            ),
        };
        let mut error = Diagnostic::error("E0410", message).at(source, self.span, label);
        error = error.note("a bad set must stay bad when tokens are added");
        if !positive {
            error = error.note("the condition is negated where it stands");
        }
        match self.one_sided(reason, names) {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }

    /// The nearest coverability question, if there is one.
    fn one_sided(&self, reason: Reason, names: &Names) -> Option<String> {
        let sign = self.linear.terms.first()?.1.signum();
        let linear = self.linear.clone().times(sign).ok()?;
        if linear.terms.iter().any(|&(_, weight)| weight < 0) {
            return None;
        }
        let terms = linear.show_terms(names);
        let count = linear.constant.checked_neg()?;
        match reason {
            Reason::ExactCount if count > 0 => {
                Some(format!("ask for at least so many: `{terms} >= {count}`"))
            }
            Reason::OtherCount => Some(format!("ask for more: `{terms} >= {}`", count.checked_add(1)?)),
            Reason::ExactCount | Reason::UpperBound | Reason::ComparesPlaces => None,
        }
    }
}

/// What `linear ≥ excess` denotes.
fn at_least(linear: Linear, excess: i128) -> Result<Denotation, Overflow> {
    let need = excess.checked_sub(linear.constant).ok_or(Overflow)?;
    let any_positive = linear.terms.iter().any(|&(_, weight)| weight > 0);
    let any_negative = linear.terms.iter().any(|&(_, weight)| weight < 0);
    Ok(match (any_positive, any_negative) {
        (_, false) if need <= 0 => Denotation::True,
        (true, false) => Denotation::AtLeast(linear.terms, need),
        (false, _) if need > 0 => Denotation::False,
        (false, _) => Denotation::Refused(Reason::UpperBound),
        (true, true) => Denotation::Refused(Reason::ComparesPlaces),
    })
}

/// What `-linear ≥ slack` denotes.
fn at_least_of_negated(linear: Linear, slack: i128) -> Result<Denotation, Overflow> {
    at_least(linear.times(-1)?, slack)
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
