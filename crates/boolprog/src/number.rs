//! Numbers for labels, as `.nbp` files have them.
//!
//! In each function the labels become 1, 2, 3, … in the order of the text, and whoever jumps to one names its number. A
//! statement with several labels has several numbers. The name of a label has no meaning, with one exception: a label
//! `ASYNC_<n>` before a call starts the function in a new thread. Such a call becomes `start_thread f()`, which says the
//! same, and its label a number like others.

use crate::flow::is_async_label;
use crate::syntax::{Name, Program, Statement, StatementKind, Symbol};
use rustc_hash::FxHashMap;
use throng_base::names::NameTable;

/// Replaces all labels by numbers. The program should be one that can be read: labels that are not declared stay.
pub fn number_labels(program: &mut Program) {
    let Program { names, functions, .. } = program;
    for function in functions {
        start_threads(&mut function.body, names);
        let mut numbers = FxHashMap::default();
        collect(&function.body, names, &mut numbers);
        rename(&mut function.body, &numbers);
    }
}

/// Writes `start_thread f()` for calls that are labelled `ASYNC_<n>`.
fn start_threads(statements: &mut [Statement], names: &NameTable) {
    for statement in statements {
        let is_async = statement.labels.iter().any(|label| is_async_label(names.get(label.symbol.index())));
        if let StatementKind::Call { function, arguments, .. } = &mut statement.kind
            && is_async
        {
            let (function, arguments) = (*function, std::mem::take(arguments));
            statement.kind = StatementKind::StartFunction { function, arguments };
        }
        statement.kind.blocks_mut().for_each(|block| start_threads(block, names));
    }
}

/// Gives a number to every label of these statements.
fn collect(statements: &[Statement], names: &mut NameTable, numbers: &mut FxHashMap<Symbol, Symbol>) {
    for statement in statements {
        for label in &statement.labels {
            let number = numbers.len() + 1;
            let (index, _) = names.insert(&number.to_string());
            numbers.entry(label.symbol).or_insert(Symbol::new(index));
        }
        statement.kind.blocks().for_each(|block| collect(block, names, numbers));
    }
}

fn rename(statements: &mut [Statement], numbers: &FxHashMap<Symbol, Symbol>) {
    let number = |label: &mut Name| label.symbol = *numbers.get(&label.symbol).unwrap_or(&label.symbol);
    for statement in statements {
        statement.labels.iter_mut().for_each(number);
        match &mut statement.kind {
            StatementKind::Goto(labels) => labels.iter_mut().for_each(number),
            StatementKind::StartAt(label) | StatementKind::Sync(label) => number(label),
            _ => {}
        }
        statement.kind.blocks_mut().for_each(|block| rename(block, numbers));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{parse, print};
    use throng_base::Source;

    fn numbered(text: &str) -> String {
        let mut tree = parse(&Source::from_text("p", text)).expect("a program");
        number_labels(&mut tree);
        print(&tree).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn labels_are_numbered_in_each_function() {
        assert_eq!(
            numbered(
                "main() begin if * then B: A: skip; fi; 7: goto A, 7, B; start_thread goto B; end f() begin B: goto B; end"
            ),
            "void main() begin if * then 1: 2: skip; fi; 3: goto 2, 3, 1; start_thread goto 1; end void f() begin 1: goto 1; end"
        );
    }

    #[test]
    fn calls_that_start_threads_say_so() {
        assert_eq!(
            numbered(
                "main() begin while * do ASYNC_4: f(1); ASYNC_X: f(0); ASYNC_5: skip; goto ASYNC_4; od; end"
            ),
            "void main() begin while * do 1: start_thread f(1); 2: f(0); 3: skip; goto 1; od; end"
        );
    }

    #[test]
    fn a_number_that_was_a_label_before_does_not_get_in_the_way() {
        assert_eq!(
            numbered("main() begin 2: skip; 1: goto 1, 2; end"),
            "void main() begin 1: skip; 2: goto 2, 1; end"
        );
    }
}
