//! Linear inequalities over the rationals: the simplex method for bounds that come and go.
//!
//! After Dutertre and de Moura, "A fast linear-arithmetic solver for DPLL(T)" (CAV 2006). Every variable has a
//! lower and an upper bound, either of which may be missing. A *row* is a further variable, equal to a linear
//! form of the others. The tableau writes each *basic* variable as a form of the non-basic ones, which are always
//! within their bounds; `check` pivots until the basic ones are too, or until a row shows that this is impossible. Bounds
//! are taken back without touching the tableau, so going up and down a tree is cheap. Pivots follow Bland's rule,
//! hence they end.
//!
//! Rows are dense: there are as many columns as variables that are no rows, a handful.

use crate::rational::Rational;
use throng_base::{Budget, StopReason};

/// The number of a variable, rows included.
pub(crate) type Index = usize;

/// Which bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Lower,
    Upper,
}

/// Where a variable stands in the tableau.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In this row.
    Basic(usize),
    /// In this column.
    NonBasic(usize),
}

#[derive(Clone, Debug)]
struct State {
    lower: Option<Rational>,
    upper: Option<Rational>,
    value: Rational,
    place: Place,
}

/// Something to take back.
#[derive(Clone, Debug)]
struct Undo {
    variable: Index,
    side: Side,
    bound: Option<Rational>,
}

/// How much there was when a level began.
#[derive(Clone, Copy, Debug)]
struct Level {
    n_undos: usize,
    n_variables: usize,
}

/// See the module's documentation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Simplex {
    variables: Vec<State>,
    /// The variable of each column.
    columns: Vec<Index>,
    /// The variable of each row.
    basics: Vec<Index>,
    /// For each row the coefficients of the columns.
    rows: Vec<Vec<Rational>>,
    undos: Vec<Undo>,
    levels: Vec<Level>,
    n_pivots: u64,
}

impl Simplex {
    /// A new variable without bounds. Only while no level is open.
    pub(crate) fn variable(&mut self) -> Index {
        debug_assert!(self.levels.is_empty(), "variables are made before levels are opened");
        let place = Place::NonBasic(self.columns.len());
        self.columns.push(self.variables.len());
        self.rows.iter_mut().for_each(|row| row.push(Rational::ZERO));
        self.variables.push(State { lower: None, upper: None, value: Rational::ZERO, place });
        self.variables.len() - 1
    }

    /// A new row: a variable that equals this form. Goes away with the level.
    pub(crate) fn row(&mut self, form: &[(Index, Rational)]) -> Index {
        let mut row = vec![Rational::ZERO; self.columns.len()];
        let mut value = Rational::ZERO;
        for (variable, coefficient) in form {
            let state = &self.variables[*variable];
            value = value.plus(&state.value.times(coefficient));
            match state.place {
                Place::NonBasic(column) => row[column] = row[column].plus(coefficient),
                Place::Basic(other) => add_multiple(&mut row, &self.rows[other], coefficient),
            }
        }
        let place = Place::Basic(self.rows.len());
        self.basics.push(self.variables.len());
        self.rows.push(row);
        self.variables.push(State { lower: None, upper: None, value, place });
        self.variables.len() - 1
    }

    /// Opens a level: what is asserted from now on goes away with it.
    pub(crate) fn push(&mut self) {
        self.levels.push(Level { n_undos: self.undos.len(), n_variables: self.variables.len() });
    }

    /// Closes the newest level.
    pub(crate) fn pop(&mut self) {
        let Some(level) = self.levels.pop() else { return };
        while self.undos.len() > level.n_undos
            && let Some(Undo { variable, side, bound }) = self.undos.pop()
        {
            *self.bound_mut(variable, side) = bound;
        }
        while self.variables.len() > level.n_variables {
            self.drop_newest_row();
        }
    }

    /// The last variable is a row; it becomes basic, if it is not, and disappears.
    fn drop_newest_row(&mut self) {
        let newest = self.variables.len() - 1;
        let row = match self.variables[newest].place {
            Place::Basic(row) => row,
            Place::NonBasic(column) => {
                // As a row it depends on older variables, so one of them is basic and depends on it.
                let depends = |row: &usize| !self.rows[*row][column].is_zero();
                let row = (0..self.rows.len()).find(depends);
                let row = row.expect("INVARIANT: the tableau has full rank");
                self.pivot(row, column);
                row
            }
        };
        self.variables.pop();
        self.rows.swap_remove(row);
        self.basics.swap_remove(row);
        if let Some(&moved) = self.basics.get(row) {
            self.variables[moved].place = Place::Basic(row);
        }
    }

    fn bound_mut(&mut self, variable: Index, side: Side) -> &mut Option<Rational> {
        let state = &mut self.variables[variable];
        match side {
            Side::Lower => &mut state.lower,
            Side::Upper => &mut state.upper,
        }
    }

    /// Demands that a variable is not above (below) a bound. `false` if that contradicts its other bound.
    pub(crate) fn restrict(&mut self, variable: Index, side: Side, bound: Rational) -> bool {
        let old = self.bound_mut(variable, side);
        let is_weaker = old.as_ref().is_some_and(|old| match side {
            Side::Lower => bound <= *old,
            Side::Upper => bound >= *old,
        });
        if is_weaker {
            return true;
        }
        let old = old.replace(bound.clone());
        self.undos.push(Undo { variable, side, bound: old });
        let state = &self.variables[variable];
        if let (Some(lower), Some(upper)) = (&state.lower, &state.upper)
            && lower > upper
        {
            return false;
        }
        if let Place::NonBasic(column) = state.place
            && violated(state).is_some()
        {
            self.change(column, bound);
        }
        true
    }

    /// Moves both bounds of a variable inwards. `false` if nothing is left between them.
    pub(crate) fn narrow(&mut self, variable: Index, margin: &Rational) -> bool {
        let State { lower, upper, .. } = &self.variables[variable];
        let (lower, upper) =
            (lower.as_ref().map(|lower| lower.plus(margin)), upper.as_ref().map(|upper| upper.minus(margin)));
        lower.is_none_or(|lower| self.restrict(variable, Side::Lower, lower))
            && upper.is_none_or(|upper| self.restrict(variable, Side::Upper, upper))
    }

    /// Gives a non-basic variable a value; the basic ones follow.
    fn change(&mut self, column: usize, value: Rational) {
        let variable = self.columns[column];
        let difference = value.minus(&self.variables[variable].value);
        for (row, &basic) in self.rows.iter().zip(&self.basics) {
            if !row[column].is_zero() {
                let state = &mut self.variables[basic];
                state.value = state.value.plus(&row[column].times(&difference));
            }
        }
        self.variables[variable].value = value;
    }

    /// Whether there are values within all bounds; they are then those of [`Simplex::value`].
    pub(crate) fn check(&mut self, budget: &Budget) -> Result<bool, StopReason> {
        // A variable that left the basis when a level was closed may be outside of its bounds.
        for column in 0..self.columns.len() {
            let state = &self.variables[self.columns[column]];
            if let Some((_, bound)) = violated(state) {
                let bound = bound.clone();
                self.change(column, bound);
            }
        }
        loop {
            budget.check()?;
            let broken = self.basics.iter().enumerate().filter_map(|(row, &variable)| {
                violated(&self.variables[variable]).map(|(side, bound)| (variable, row, side, bound))
            });
            let Some((_, row, side, bound)) = broken.min_by_key(|&(variable, ..)| variable) else {
                return Ok(true);
            };
            let bound = bound.clone();
            let Some(column) = self.entering(row, side) else { return Ok(false) };
            self.leave_at(row, column, bound);
        }
    }

    /// The column with the smallest variable that can move the variable of a row towards its bound.
    fn entering(&self, row: usize, side: Side) -> Option<usize> {
        let can_move = |&column: &usize| {
            let coefficient = &self.rows[row][column];
            let state = &self.variables[self.columns[column]];
            // Below its lower bound the basic variable has to grow.
            let grows = coefficient.is_positive() == (side == Side::Lower);
            !coefficient.is_zero()
                && if grows {
                    state.upper.as_ref().is_none_or(|upper| state.value < *upper)
                } else {
                    state.lower.as_ref().is_none_or(|lower| state.value > *lower)
                }
        };
        (0..self.columns.len()).filter(can_move).min_by_key(|&column| self.columns[column])
    }

    /// Exchanges the variables of a row and a column; that of the row gets this value.
    fn leave_at(&mut self, row: usize, column: usize, value: Rational) {
        let basic = self.basics[row];
        let step = value.minus(&self.variables[basic].value).over(&self.rows[row][column]);
        let entering = self.columns[column];
        let entered = self.variables[entering].value.plus(&step);
        self.change(column, entered);
        self.pivot(row, column);
    }

    fn pivot(&mut self, row: usize, column: usize) {
        self.n_pivots += 1;
        let (basic, entering) = (self.basics[row], self.columns[column]);
        let mut solved = std::mem::take(&mut self.rows[row]);
        let divisor = std::mem::replace(&mut solved[column], Rational::ONE.negated()).negated();
        for coefficient in &mut solved {
            if !coefficient.is_zero() {
                *coefficient = coefficient.over(&divisor);
            }
        }
        for other in &mut self.rows {
            if other.is_empty() {
                continue;
            }
            let factor = std::mem::replace(&mut other[column], Rational::ZERO);
            if !factor.is_zero() {
                add_multiple(other, &solved, &factor);
            }
        }
        self.rows[row] = solved;
        (self.basics[row], self.columns[column]) = (entering, basic);
        self.variables[entering].place = Place::Basic(row);
        self.variables[basic].place = Place::NonBasic(column);
    }

    /// The value of a variable after the last successful check.
    pub(crate) fn value(&self, variable: Index) -> &Rational {
        &self.variables[variable].value
    }

    /// How many pivots there were.
    pub(crate) fn n_pivots(&self) -> u64 {
        self.n_pivots
    }
}

/// The bound that a variable's value is beyond.
fn violated(state: &State) -> Option<(Side, &Rational)> {
    match (&state.lower, &state.upper) {
        (Some(lower), _) if state.value < *lower => Some((Side::Lower, lower)),
        (_, Some(upper)) if state.value > *upper => Some((Side::Upper, upper)),
        _ => None,
    }
}

fn add_multiple(row: &mut [Rational], other: &[Rational], factor: &Rational) {
    for (coefficient, addend) in row.iter_mut().zip(other) {
        if !addend.is_zero() {
            *coefficient = coefficient.plus(&addend.times(factor));
        }
    }
}
