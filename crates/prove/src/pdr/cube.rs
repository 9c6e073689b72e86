//! What obligations and lemmas are: threads at locations for which literals hold.
//!
//! A state is *like* a cube if it has different threads at the cube's locations for which all literals hold. A cube without literals
//! says only that threads stand there; one without threads is about shared variables.

use crate::houdini::Whom;
use throng_cfa::flow::{ExpressionId, LocationId};

/// A condition that holds or not, of threads of a cube (or of a scene) by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Lit {
    pub(super) expression: ExpressionId,
    pub(super) whom: Whom,
    pub(super) value: bool,
}

/// See the module's documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cube {
    /// Where the threads stand.
    pub(super) threads: Vec<LocationId>,
    pub(super) lits: Vec<Lit>,
}

/// Whom a literal is about, if threads have other numbers; `None` if one of them is gone.
pub(super) fn moved(whom: Whom, number: impl Fn(usize) -> Option<usize>) -> Option<Whom> {
    Some(match whom {
        Whom::Nobody => Whom::Nobody,
        Whom::Thread(a) => Whom::Thread(number(a)?),
        Whom::Threads(a, b) => Whom::Threads(number(a)?, number(b)?),
    })
}

impl Cube {
    /// The cube with these literals only.
    pub(super) fn with(&self, mut is_kept: impl FnMut(usize) -> bool) -> Cube {
        let lits = self.lits.iter().enumerate().filter(|&(number, _)| is_kept(number)).map(|(_, &lit)| lit);
        Cube { threads: self.threads.clone(), lits: lits.collect() }
    }

    /// The cube without a thread and all that is said about it.
    pub(super) fn without_thread(&self, gone: usize) -> Cube {
        let number = |it: usize| (it != gone).then(|| if it > gone { it - 1 } else { it });
        let lits = self.lits.iter().filter_map(|lit| Some(Lit { whom: moved(lit.whom, number)?, ..*lit }));
        let lits = lits.collect();
        let mut threads = self.threads.clone();
        threads.remove(gone);
        Cube { threads, lits }
    }

    /// How many literals are about a thread.
    pub(super) fn n_about(&self, thread: usize) -> usize {
        let is_about = |lit: &&Lit| match lit.whom {
            Whom::Nobody => false,
            Whom::Thread(a) => a == thread,
            Whom::Threads(a, b) => a == thread || b == thread,
        };
        self.lits.iter().filter(is_about).count()
    }

    /// Whether every state that is like the other is like this one, as far as can be seen.
    pub(super) fn covers(&self, other: &Cube) -> bool {
        if self.threads.len() > other.threads.len() || self.lits.len() > other.lits.len() {
            return false;
        }
        let mut is_found = false;
        arrange(&self.threads, &other.threads, &mut Vec::new(), &mut |places| {
            let holds = |lit: &Lit| {
                let whom = moved(lit.whom, |it| places.get(it).copied());
                whom.is_some_and(|whom| other.lits.contains(&Lit { whom, ..*lit }))
            };
            is_found |= self.lits.iter().all(holds);
        });
        is_found
    }
}

/// All ways to give each of some threads a place of its own with the same location.
pub(super) fn arrange(
    threads: &[LocationId],
    places: &[LocationId],
    chosen: &mut Vec<usize>,
    found: &mut dyn FnMut(&[usize]),
) {
    let Some(&wanted) = threads.get(chosen.len()) else { return found(chosen) };
    for (place, &at) in places.iter().enumerate() {
        if at == wanted && !chosen.contains(&place) {
            chosen.push(place);
            arrange(threads, places, chosen, found);
            chosen.pop();
        }
    }
}
