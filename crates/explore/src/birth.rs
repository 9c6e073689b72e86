//! The start of the program and of threads: what their variables hold, inputs for what is arbitrary.

use crate::evaluate::Choices;
use crate::machine::{Machine, Moment};
use crate::value::Value;
use throng_cfa::flow::{TemplateId, VariableId};
use throng_solver::TermId;

impl Machine<'_> {
    /// The start of the program: a moment in which the first thread may run local edges, and the inputs that were chosen.
    pub(crate) fn start(&mut self) -> (Moment, Vec<(VariableId, u32, TermId)>) {
        let mut moment = self.spare();
        let mut choices = Choices::default();
        let mut inputs = Vec::new();
        moment.shared.clear();
        let program = self.program;
        for id in VariableId::all(program.variables.len()) {
            let is_shared = crate::layout::owner(program, id).is_none();
            if is_shared && self.layout.keeps(id) {
                let scalars = self.initial(id, &mut choices, &mut inputs);
                moment.shared.extend(scalars);
            }
        }
        moment.own = self.new_row(program.main, &mut choices, &mut inputs);
        moment.thread = 0;
        let id = self.rows.insert(&moment.own);
        moment.threads.clear();
        moment.threads.push(id);
        moment.n_inputs = choices.n_inputs;
        (moment, inputs)
    }

    /// What the scalars of a variable hold at the start.
    fn initial(
        &mut self,
        id: VariableId,
        choices: &mut Choices,
        inputs: &mut Vec<(VariableId, u32, TermId)>,
    ) -> Vec<u32> {
        let variable = self.program.variable(id);
        let scalars = 0..variable.length;
        let word = |number: u32| {
            let value = match &variable.initial {
                Some(initial) => Value::Known(initial.get(number as usize).copied().unwrap_or(0)),
                None => {
                    let term = choices.fresh(&mut self.values, variable.bits);
                    inputs.push((id, number, term));
                    Value::Term(term)
                }
            };
            self.values.encode(value)
        };
        scalars.map(word).collect()
    }

    /// The row of a new thread.
    pub(crate) fn new_row(
        &mut self,
        template: TemplateId,
        choices: &mut Choices,
        inputs: &mut Vec<(VariableId, u32, TermId)>,
    ) -> Vec<u32> {
        let entry = self.program.templates[template.index()].entry;
        let mut row = vec![0; self.layout.local_words[template.index()]];
        row[0] = entry.raw();
        for &local in &self.program.templates[template.index()].locals {
            let words = self.layout.words(self.program, local);
            let is_dead =
                |&word: &usize| self.analysis.dead[entry.index()].contains(&u32::try_from(word).unwrap_or(0));
            if self.layout.keeps(local) && !words.clone().all(|word| is_dead(&word)) {
                let scalars = self.initial(local, choices, inputs);
                row[words].copy_from_slice(&scalars);
            }
        }
        row
    }
}
