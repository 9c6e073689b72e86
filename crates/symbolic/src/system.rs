//! A program behind the engines' interface.

use std::borrow::Cow;
use std::ops::ControlFlow;
use throng_boolprog::ProgramQuestion;
use throng_boolprog::flow::Program;
use throng_cert::{Evidence, EvidenceDocument, Header};
use throng_model::interface::{Effect, Enumeration, Report, TransitionSystem};
use throng_model::{Config, ConfigRef, LocalId, RuleId, SharedId, Step};

/// A program with a question, as the engines see it.
#[derive(Debug)]
pub struct ProgramSystem<'p> {
    program: &'p Program,
    question: ProgramQuestion,
}

impl<'p> ProgramSystem<'p> {
    /// The system of a program.
    pub fn new(program: &'p Program, question: ProgramQuestion) -> Self {
        Self { program, question }
    }

    /// Evidence that an engine found, in terms of the program; `None` if it cannot be told in these terms, which is a bug.
    pub fn document(&self, evidence: &Evidence, header: Header<'_>) -> Option<EvidenceDocument> {
        let _ = (evidence, header, self.program, &self.question);
        None
    }
}

#[expect(clippy::todo, reason = "under construction")]
impl TransitionSystem for ProgramSystem<'_> {
    fn for_each_initial(&self, _: &mut dyn FnMut(ConfigRef<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        todo!()
    }
    fn for_each_target(&self, _: &mut dyn FnMut(ConfigRef<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        todo!()
    }
    fn is_initial(&self, _: ConfigRef<'_>) -> bool {
        todo!()
    }
    fn initial_instance(&self, _: ConfigRef<'_>) -> Option<Config> {
        todo!()
    }
    fn for_each_predecessor(&self, _: ConfigRef<'_>, _: Report<'_>) -> Enumeration {
        todo!()
    }
    fn for_each_predecessor_by(
        &self,
        _: RuleId,
        _: ConfigRef<'_>,
        _: &mut dyn FnMut(ConfigRef<'_>) -> ControlFlow<()>,
    ) -> Enumeration {
        todo!()
    }
    fn plain_effect(&self, _: RuleId) -> Option<Effect<'_>> {
        todo!()
    }
    fn for_each_successor(&self, _: ConfigRef<'_>, _: Report<'_>) -> Enumeration {
        todo!()
    }
    fn step_covering(&self, _: ConfigRef<'_>, _: RuleId, _: ConfigRef<'_>) -> Option<(Step, Config)> {
        todo!()
    }
    fn shared_name(&self, _: SharedId) -> Cow<'_, str> {
        todo!()
    }
    fn local_name(&self, _: LocalId) -> Cow<'_, str> {
        todo!()
    }
    fn rule_name(&self, _: RuleId) -> Cow<'_, str> {
        todo!()
    }
}
