//! Gates over literals, by Tseitin's encoding: the output of a gate is a variable, and clauses say what it is
//! equal to.
//!
//! Both directions are encoded, so in a model of the clauses every output has the value that its inputs
//! determine. Equal gates are made once, constants and equal or opposite inputs make none.

use crate::sat::{Lit, Sat};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    And,
    Xor,
    Mux,
    Xor3,
    Majority,
}

/// A solver with gates in it.
pub(crate) struct Gates {
    sat: Box<dyn Sat>,
    truth: Lit,
    known: FxHashMap<(Kind, [Lit; 3]), Lit>,
}

impl Gates {
    /// No gates. The solver has to be new.
    pub(crate) fn new(mut sat: Box<dyn Sat>) -> Self {
        let truth = Lit::new(sat.new_var(), true);
        sat.add_clause(&[truth]);
        Self { sat, truth, known: FxHashMap::default() }
    }

    pub(crate) fn sat(&self) -> &dyn Sat {
        &*self.sat
    }

    pub(crate) fn sat_mut(&mut self) -> &mut dyn Sat {
        &mut *self.sat
    }

    /// The literal that always has this value.
    pub(crate) fn constant(&self, value: bool) -> Lit {
        self.truth.equals(value)
    }

    /// The value of a literal that always has one.
    pub(crate) fn as_constant(&self, lit: Lit) -> Option<bool> {
        (lit.variable() == self.truth.variable()).then_some(lit == self.truth)
    }

    pub(crate) fn fresh(&mut self) -> Lit {
        Lit::new(self.sat.new_var(), true)
    }

    /// The output of a gate: the known one, or a new variable with clauses.
    fn gate(&mut self, kind: Kind, inputs: [Lit; 3], clauses: impl FnOnce(&mut dyn Sat, Lit)) -> Lit {
        if let Some(&output) = self.known.get(&(kind, inputs)) {
            return output;
        }
        let output = self.fresh();
        clauses(&mut *self.sat, output);
        self.known.insert((kind, inputs), output);
        output
    }

    pub(crate) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (a.min(b), a.max(b));
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(false), _) | (_, Some(true)) => return a,
            (Some(true), _) | (_, Some(false)) => return b,
            _ if a == b => return a,
            _ if a == !b => return self.constant(false),
            _ => {}
        }
        self.gate(Kind::And, [a, b, b], |sat, output| {
            sat.add_clause(&[!output, a]);
            sat.add_clause(&[!output, b]);
            sat.add_clause(&[output, !a, !b]);
        })
    }

    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub(crate) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        if let Some(value) = self.as_constant(a) {
            return b.equals(!value);
        } else if let Some(value) = self.as_constant(b) {
            return a.equals(!value);
        } else if a.variable() == b.variable() {
            return self.constant(a != b);
        }
        let is_negated = a.is_positive() != b.is_positive();
        let (a, b) = (positive(a), positive(b));
        let (a, b) = (a.min(b), a.max(b));
        let output = self.gate(Kind::Xor, [a, b, b], |sat, output| {
            sat.add_clause(&[!output, a, b]);
            sat.add_clause(&[!output, !a, !b]);
            sat.add_clause(&[output, !a, b]);
            sat.add_clause(&[output, a, !b]);
        });
        output.equals(!is_negated)
    }

    /// `then` if the condition is true, `otherwise` if not.
    pub(crate) fn mux(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        let (c, t, e) = if condition.is_positive() {
            (condition, then, otherwise)
        } else {
            (!condition, otherwise, then)
        };
        if let Some(value) = self.as_constant(c) {
            return if value { t } else { e };
        } else if t == e {
            return t;
        } else if t == !e {
            return self.xor(c, e);
        }
        match (self.as_constant(t), self.as_constant(e)) {
            (Some(true), _) => return self.or(c, e),
            (Some(false), _) => return self.and(!c, e),
            (_, Some(true)) => return self.or(!c, t),
            (_, Some(false)) => return self.and(c, t),
            _ if t == c => return self.or(c, e),
            _ if t == !c => return self.and(!c, e),
            _ if e == c => return self.and(c, t),
            _ if e == !c => return self.or(!c, t),
            _ => {}
        }
        let sign = t.is_positive();
        let (t, e) = (t.equals(sign), e.equals(sign));
        let output = self.gate(Kind::Mux, [c, t, e], |sat, output| {
            sat.add_clause(&[!c, !t, output]);
            sat.add_clause(&[!c, t, !output]);
            sat.add_clause(&[c, !e, output]);
            sat.add_clause(&[c, e, !output]);
            // Implied, and tell the output when the condition is not known.
            sat.add_clause(&[!t, !e, output]);
            sat.add_clause(&[t, e, !output]);
        });
        output.equals(sign)
    }

    /// The sum of three bits, modulo 2.
    pub(crate) fn xor3(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut inputs = [a, b, c];
        let is_negated = inputs.iter().filter(|lit| !lit.is_positive()).count() % 2 == 1;
        inputs = inputs.map(positive);
        inputs.sort_unstable();
        let [a, b, c] = inputs;
        let output = if b == c {
            a
        } else if a == b || self.as_constant(a).is_some() {
            // The constant is the first variable of all.
            let first = self.xor(a, b);
            self.xor(first, c)
        } else {
            self.gate(Kind::Xor3, inputs, |sat, output| {
                for bits in 0..8_u32 {
                    let [x, y, z] = [bits & 1 == 1, bits & 2 == 2, bits & 4 == 4];
                    // If the inputs are these, the output is their sum.
                    sat.add_clause(&[a.equals(!x), b.equals(!y), c.equals(!z), output.equals(x ^ y ^ z)]);
                }
            })
        };
        output.equals(!is_negated)
    }

    /// Whether at least two of three are true: the carry of their sum.
    pub(crate) fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut inputs = [a, b, c];
        inputs.sort_unstable();
        let [a, b, c] = inputs;
        // The constant is the first variable of all.
        match self.as_constant(a) {
            Some(true) => return self.or(b, c),
            Some(false) => return self.and(b, c),
            None if a == b => return a,
            None if b == c => return b,
            None if a == !b => return c,
            None if b == !c => return a,
            None => {}
        }
        // The majority of the negations is the negation of the majority.
        let sign = inputs.iter().filter(|lit| lit.is_positive()).count() >= 2;
        let [a, b, c] = inputs.map(|lit| lit.equals(sign));
        let output = self.gate(Kind::Majority, [a, b, c], |sat, output| {
            for (x, y) in [(a, b), (a, c), (b, c)] {
                sat.add_clause(&[!x, !y, output]);
                sat.add_clause(&[x, y, !output]);
            }
        });
        output.equals(sign)
    }

    /// Whether all are true.
    pub(crate) fn and_all(&mut self, mut inputs: Vec<Lit>) -> Lit {
        inputs.retain(|&lit| self.as_constant(lit) != Some(true));
        inputs.sort_unstable();
        inputs.dedup();
        // A literal and its negation are neighbours.
        let is_contradictory = inputs.windows(2).any(|pair| pair[0] == !pair[1]);
        if is_contradictory || inputs.iter().any(|&lit| self.as_constant(lit) == Some(false)) {
            return self.constant(false);
        }
        match inputs[..] {
            [] => self.constant(true),
            [a] => a,
            [a, b] => self.and(a, b),
            _ => {
                let output = self.fresh();
                for &lit in &inputs {
                    self.sat.add_clause(&[!output, lit]);
                }
                inputs.iter_mut().for_each(|lit| *lit = !*lit);
                inputs.push(output);
                self.sat.add_clause(&inputs);
                output
            }
        }
    }

    /// Whether some are true.
    pub(crate) fn or_all(&mut self, inputs: impl IntoIterator<Item = Lit>) -> Lit {
        !self.and_all(inputs.into_iter().map(|lit| !lit).collect())
    }
}

fn positive(lit: Lit) -> Lit {
    lit.equals(lit.is_positive())
}
