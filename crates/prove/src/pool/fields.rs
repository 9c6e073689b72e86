//! Candidates about parts of packed words: whether a bit is set, and whether a field is empty.

use super::Builder;
use crate::packed;
use rustc_hash::FxHashMap;
use throng_cfa::flow::VariableId;

impl Builder<'_> {
    /// Of each shared word that is taken apart.
    pub(super) fn fields(&mut self) {
        let program = self.program;
        let mut by_width: FxHashMap<u32, Vec<packed::Field>> = FxHashMap::default();
        for (index, variable) in program.variables.iter().enumerate() {
            if !packed::is_shared_word(program, index) {
                continue;
            }
            let fields =
                by_width.entry(variable.bits).or_insert_with(|| packed::fields(program, variable.bits));
            for field in fields.iter() {
                let word = self.e.variable(VariableId::new(index), variable.bits);
                let part = self.e.extract(word, field.low, field.bits);
                let zero = self.e.constant(0, field.bits);
                let is_empty = self.e.equal(part, zero);
                self.add(is_empty, 1);
            }
        }
    }
}
