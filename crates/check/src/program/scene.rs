//! The variables that a step can speak about, before and after it.

use crate::verdict::Trouble;
use throng_boolprog::Cube;

/// How many cases may still be looked at.
#[derive(Debug)]
pub(super) struct Budget(u64);

impl Budget {
    pub(super) fn new(cases: u64) -> Self {
        Self(cases)
    }

    /// One more case.
    pub(super) fn spend(&mut self) -> Result<(), Trouble> {
        self.0 = self.0.checked_sub(1).ok_or(Trouble::TooManyCases)?;
        Ok(())
    }
}

/// Whose variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Shared,
    /// The thread that acts.
    Own,
    /// A passive thread of the scene.
    Passive(usize),
    /// The thread that is started; it has no values before the step.
    Child,
}

/// A variable before or after the step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) owner: Owner,
    pub(super) index: u32,
    pub(super) is_next: bool,
}

/// Values before and after a step, any of which may be open. Values after the step are here only for variables that it
/// assigns to.
#[derive(Clone, Debug, Default)]
pub(super) struct Scene {
    /// Shared variables, without the atomic bit.
    pub(super) shared: [Cube; 2],
    /// Variables of the thread that acts.
    pub(super) own: [Cube; 2],
    /// Variables of passive threads.
    pub(super) passive: Vec<[Cube; 2]>,
    /// Variables of the thread that is started, as far as they are arguments.
    pub(super) child: Cube,
}

impl Scene {
    fn cube(&self, place: Place) -> Option<&Cube> {
        let pair = match place.owner {
            Owner::Shared => &self.shared,
            Owner::Own => &self.own,
            Owner::Passive(number) => self.passive.get(number)?,
            Owner::Child => return Some(&self.child),
        };
        Some(&pair[usize::from(place.is_next)])
    }

    pub(super) fn get(&self, place: Place) -> Option<bool> {
        self.cube(place).and_then(|cube| cube.get(place.index))
    }

    /// The scene with one more value.
    pub(super) fn with(&self, place: Place, value: bool) -> Self {
        let mut scene = self.clone();
        let pair = match place.owner {
            Owner::Shared => Some(&mut scene.shared),
            Owner::Own => Some(&mut scene.own),
            Owner::Passive(number) => scene.passive.get_mut(number),
            Owner::Child => {
                scene.child.set(place.index, value);
                None
            }
        };
        if let Some(pair) = pair {
            pair[usize::from(place.is_next)].set(place.index, value);
        }
        scene
    }
}
