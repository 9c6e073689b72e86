//! Traces over cubes made concrete: every thread has a name, every variable a value, every step of the program is there.
//!
//! First the steps are laid out edge by edge (`layout`), with the silent ones that a search leaves out (`through`) put as
//! late as possible: just before their thread acts again. Then, from the last step to the first, cubes are computed from
//! *every* valuation of which the rest of the run is possible (`plan`). That does not depend on how the search found its
//! rules. Then the run is performed forwards, with values chosen inside of these cubes (`perform`).
//! Before that, steps that are not needed are left out (`shorten`).

pub(crate) mod layout;
mod perform;
pub(crate) mod plan;
mod shorten;

use self::layout::Layout;
use crate::system::ProgramSystem;
use throng_boolprog::flow::LocationId;
use throng_boolprog::{Cube, Pattern};
use throng_cert::Trace;

/// Runs are not made longer than this.
const MOST_STEPS: usize = 1 << 18;

/// A thread with all of its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Thread {
    pub(crate) location: LocationId,
    pub(crate) locals: Cube,
}

/// Where a run starts.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(crate) shared: Cube,
    pub(crate) threads: Vec<Thread>,
}

/// One step along an edge.
#[derive(Clone, Debug)]
pub(crate) struct ConcreteStep {
    pub(crate) edge: u32,
    pub(crate) before: Thread,
    pub(crate) after: Option<Thread>,
    pub(crate) child: Option<Thread>,
    pub(crate) shared_before: Cube,
    pub(crate) shared_after: Cube,
    /// Other threads that changed or are gone.
    pub(crate) passive: Vec<(Thread, Option<Thread>)>,
}

/// A run of the program.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) initial: Start,
    pub(crate) steps: Vec<ConcreteStep>,
}

impl Run {
    /// Shared variables together with each thread, before and after every step.
    pub(crate) fn thread_states(&self) -> Vec<(Cube, Thread)> {
        let mut threads = self.initial.threads.clone();
        let mut seen: Vec<(Cube, Thread)> =
            threads.iter().map(|thread| (self.initial.shared.clone(), thread.clone())).collect();
        let replace = |threads: &mut Vec<Thread>, before: &Thread, after: Option<&Thread>| {
            if let Some(at) = threads.iter().position(|thread| thread == before) {
                match after {
                    Some(after) => threads[at] = after.clone(),
                    None => drop(threads.swap_remove(at)),
                }
            }
        };
        for step in &self.steps {
            replace(&mut threads, &step.before, step.after.as_ref());
            for (before, after) in &step.passive {
                replace(&mut threads, before, after.as_ref());
            }
            threads.extend(step.child.clone());
            seen.extend(threads.iter().map(|thread| (step.shared_after.clone(), thread.clone())));
        }
        seen
    }
}

/// A short run of a trace to one of these targets; `None` if it is too long, or is none.
pub(crate) fn run(system: &ProgramSystem<'_>, trace: &Trace, targets: &[Pattern]) -> Option<Run> {
    let layout = Layout::new(system, trace)?;
    let plans = plan::plan(system, &layout, targets).ok()?;
    let shorter = || {
        let layout = shorten::shorten(system, &layout, targets)?;
        perform::perform(system, &layout, &plan::plan(system, &layout, targets).ok()?)
    };
    shorter().or_else(|| perform::perform(system, &layout, &plans))
}

/// The run of a trace with all of its steps.
pub(crate) fn run_as_found(system: &ProgramSystem<'_>, trace: &Trace, targets: &[Pattern]) -> Option<Run> {
    let layout = Layout::new(system, trace)?;
    perform::perform(system, &layout, &plan::plan(system, &layout, targets).ok()?)
}

/// The layout of a short run to one of these targets; `None` if it is too long, or is none.
pub(crate) fn short_layout(system: &ProgramSystem<'_>, trace: &Trace, targets: &[Pattern]) -> Option<Layout> {
    let layout = Layout::new(system, trace)?;
    plan::plan(system, &layout, targets).ok()?;
    Some(shorten::shorten(system, &layout, targets).unwrap_or(layout))
}

/// The values before the first step of a layout and after each: the shared variables, and each thread that is there. `None` if
/// the layout is not possible.
pub(crate) fn values(
    system: &ProgramSystem<'_>,
    layout: &Layout,
    targets: &[Pattern],
) -> Option<Vec<(Cube, Vec<Option<Thread>>)>> {
    let mut all = Vec::with_capacity(layout.micros.len() + 1);
    let plans = plan::plan(system, layout, targets).ok()?;
    perform::perform_seen(system, layout, &plans, &mut |shared, threads| {
        all.push((shared.clone(), threads.to_vec()));
    })?;
    Some(all)
}
