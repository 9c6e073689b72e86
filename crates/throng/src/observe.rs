//! What a run tells while it works. Nothing here prints: who wants to see something implements [`Observer`].

use std::sync::Arc;
use throng_cfa::invariant::Predicates;
use throng_cfa::merge::Merged;
use throng_engine::Progress;
use throng_input::Input;

/// What a run does, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Reading the input.
    #[default]
    Reading,
    /// Searching for an answer.
    Searching,
    /// Having the evidence checked.
    Checking,
    /// Writing the evidence.
    Writing,
    /// Writing the input in another form, which commands without a search do after reading.
    Rendering,
}

impl Phase {
    /// One word, for progress lines and programs.
    pub fn word(self) -> &'static str {
        match self {
            Phase::Reading => "reading",
            Phase::Searching => "searching",
            Phase::Checking => "checking",
            Phase::Writing => "writing",
            Phase::Rendering => "rendering",
        }
    }
}

/// Somebody who wants to know what a run does. All calls come from the threads that do the work, so they should be short. All
/// but the progress of searches ([`throng_engine::Observer::progress`]) can be ignored.
pub trait Observer: throng_engine::Observer {
    /// Something else is being done now.
    fn phase(&self, _: Phase) {}

    /// The input was read.
    fn input(&self, _: &Arc<Input>) {}

    /// The prover of C programs tells something.
    fn prover(&self, _: ProverEvent) {}

    /// A sentence for people.
    fn remark(&self, _: String) {}
}

/// What the prover of C programs tells.
#[derive(Clone, Debug)]
pub enum ProverEvent {
    /// It begins, with this program in larger steps.
    Begins(Arc<Merged>),
    /// Something happened.
    Event(Box<throng_prove::Event>),
    /// These are its predicates at the end.
    Predicates(Box<Predicates>),
    /// It gave up.
    GaveUp(GaveUp),
    /// It has come to an end.
    Ends,
}

/// Why the prover of C programs gave up.
#[derive(Clone, Debug, serde::Serialize)]
pub struct GaveUp {
    /// In a sentence, without a full stop.
    pub reason: String,
    /// The interleaving that could not be excluded.
    pub interleaving: Vec<String>,
}

/// An observer who does not care.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl throng_engine::Observer for Silent {
    fn progress(&self, _: &Progress) {}
}

impl Observer for Silent {}
