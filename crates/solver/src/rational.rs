//! Exact rational numbers: machine integers while they fit, arbitrary precision when they do not.
//!
//! Coefficients of summaries are small, and so are nearly all intermediate results; but one pivot may multiply two
//! large ones, and an overflow must be neither a wrong answer nor a panic.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::{BigRational, Ratio};
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

/// An exact rational number.
#[derive(Clone, Debug)]
pub(crate) enum Rational {
    /// Numerator and denominator fit into a machine word.
    Small(Ratio<i64>),
    /// They do not. Boxed, since it is rare.
    Large(Box<BigRational>),
}

use Rational::{Large, Small};

impl Rational {
    pub(crate) const ZERO: Rational = Small(Ratio::new_raw(0, 1));
    pub(crate) const ONE: Rational = Small(Ratio::new_raw(1, 1));

    pub(crate) fn is_zero(&self) -> bool {
        // What fits is never kept as a large number, so only a small one can be zero.
        matches!(self, Small(small) if small.is_zero())
    }

    pub(crate) fn is_positive(&self) -> bool {
        match self {
            Small(small) => small.is_positive(),
            Large(large) => large.is_positive(),
        }
    }

    pub(crate) fn is_integer(&self) -> bool {
        match self {
            Small(small) => small.is_integer(),
            Large(large) => large.is_integer(),
        }
    }

    /// The largest integer that is not larger.
    pub(crate) fn floor(&self) -> BigInt {
        match self {
            Small(small) => Integer::div_floor(small.numer(), small.denom()).into(),
            Large(large) => large.floor().to_integer(),
        }
    }

    /// The number as a machine integer, if it is one.
    pub(crate) fn to_integer(&self) -> Option<i128> {
        match self {
            Small(small) => small.is_integer().then(|| i128::from(small.to_integer())),
            Large(large) => large.to_integer().to_i128().filter(|_| large.is_integer()),
        }
    }

    fn big(&self) -> BigRational {
        match self {
            Small(small) => BigRational::new_raw((*small.numer()).into(), (*small.denom()).into()),
            Large(large) => (**large).clone(),
        }
    }

    /// Does it in machine integers if that fits, and otherwise in large ones.
    fn compute(
        &self,
        other: &Self,
        small: impl Fn(&Ratio<i64>, &Ratio<i64>) -> Option<Ratio<i64>>,
        large: impl Fn(BigRational, BigRational) -> BigRational,
    ) -> Self {
        if let (Small(a), Small(b)) = (self, other)
            && let Some(result) = small(a, b)
            && *result.numer() != i64::MIN
        {
            return Small(result);
        }
        large(self.big(), other.big()).into()
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        self.compute(other, CheckedAdd::checked_add, |a, b| a + b)
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.compute(other, CheckedSub::checked_sub, |a, b| a - b)
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        self.compute(other, CheckedMul::checked_mul, |a, b| a * b)
    }

    /// The divisor is not zero.
    pub(crate) fn over(&self, divisor: &Self) -> Self {
        self.compute(divisor, CheckedDiv::checked_div, |a, b| a / b)
    }

    pub(crate) fn negated(&self) -> Self {
        Self::ZERO.minus(self)
    }
}

impl From<BigRational> for Rational {
    fn from(number: BigRational) -> Self {
        match (number.numer().to_i64(), number.denom().to_i64()) {
            // The smallest machine integer has no opposite, so it is not kept as one.
            (Some(numerator), Some(denominator)) if numerator != i64::MIN => {
                Small(Ratio::new_raw(numerator, denominator))
            }
            _ => Large(Box::new(number)),
        }
    }
}

impl From<BigInt> for Rational {
    fn from(number: BigInt) -> Self {
        BigRational::from_integer(number).into()
    }
}

impl From<i128> for Rational {
    fn from(number: i128) -> Self {
        BigInt::from(number).into()
    }
}

impl PartialEq for Rational {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Rational {}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Small(a), Small(b)) => a.cmp(b),
            _ => self.big().cmp(&other.big()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rational from two machine integers.
    fn ratio(numerator: i128, denominator: i128) -> Rational {
        Rational::from(numerator).over(&Rational::from(denominator))
    }

    #[test]
    fn arithmetic_is_exact_beyond_machine_integers() {
        let huge = Rational::from(i128::from(i64::MAX));
        let square = huge.times(&huge);
        assert!(matches!(square, Large(_)));
        assert_eq!(square.over(&huge), huge);
        assert!(matches!(square.over(&huge), Small(_)), "what fits is kept small");
        assert_eq!(square.minus(&square), Rational::ZERO);
        assert!(square.minus(&square).is_zero());
    }

    #[test]
    fn the_smallest_integer_is_no_trap() {
        let smallest = Rational::from(i128::from(i64::MIN));
        assert!(smallest.negated().is_positive());
        assert_eq!(smallest.negated().negated(), smallest);
        assert_eq!(smallest.over(&ratio(-1, 1)), smallest.negated());
        assert_eq!(Rational::from(i128::from(i64::MIN) + 1).minus(&Rational::ONE), smallest);
    }

    #[test]
    fn floors_go_down() {
        assert_eq!(ratio(-7, 2).floor(), BigInt::from(-4));
        assert_eq!(ratio(i128::from(i64::MIN) + 1, 2).floor(), BigInt::from(i64::MIN / 2));
        assert_eq!(ratio(7, 2).floor(), BigInt::from(3));
        assert_eq!(ratio(8, 2).to_integer(), Some(4));
        assert_eq!(ratio(7, 2).to_integer(), None);
    }

    #[test]
    fn fractions_are_compared_exactly() {
        let huge = i128::from(i64::MAX);
        assert!(ratio(huge, huge - 1) > ratio(huge - 1, huge - 2).minus(&ratio(1, 1000)));
        assert!(ratio(huge - 1, huge) < Rational::ONE);
        assert!(ratio(-1, 3) < ratio(-1, 4));
    }
}
