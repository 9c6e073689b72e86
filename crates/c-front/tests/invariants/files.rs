//! Files of predicates, predicates in programs, where variables are assigned, and what has a meaning.

use super::*;

/// The predicates of a file: kind, text, number of locations in the scope.
fn read(program: &Program, text: &str) -> Result<Vec<(PredicateKind, String)>, Vec<String>> {
    let mut predicates = Predicates::new(program.expressions.clone());
    let result = read_predicates(program, "p.txt", text, &mut predicates);
    result.map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    let shown = |p: &Predicate| {
        (p.kind(), expression_text(program, &predicates.expressions, p.expression).expect("it has a text"))
    };
    Ok(predicates.list.iter().map(shown).collect())
}

#[test]
fn files_have_a_predicate_on_each_line() {
    let program = sample();
    let text = "# all kinds\n\n  x == 1   # shared\nworker: own < x // of a thread\nown < x\nworker: y == 2\n\
        worker: own != own$\nown$ == x\nworker, main: own < l#MAIN$\nall worker: own <= x\nl#MAIN == 3\r\nb == 1\n";
    let main = template(&program, "main");
    let l =
        program.templates[main.index()].locals.iter().find(|&&l| program.variable(l).name == "l").unwrap();
    let text = text.replace("MAIN", &l.index().to_string());
    let last = format!("l#{}", l.index());
    use PredicateKind::{InterThread, Shared, SingleThread, Universal};
    let expected = [
        (Shared, "x == 1".to_owned()),
        (SingleThread, "own <s x".to_owned()),
        (Shared, "y == 2".to_owned()),
        (InterThread, "own != own$".to_owned()),
        (InterThread, "own$ == x".to_owned()),
        (InterThread, format!("own <s {last}$")),
        (Universal, "own$ <=s x".to_owned()),
        (SingleThread, format!("{last} == 3")),
        (Shared, "b".to_owned()),
    ];
    assert_eq!(read(&program, &text), Ok(expected.to_vec()));
}

#[test]
fn errors_of_files_have_places_and_codes() {
    let program = sample();
    let text =
        "x == 1\n  x = 2\nnobody: x == 1\nworker: x == zzz\nc < 300\nl == 1\nall worker, main: x\nl$ == 1\n";
    let errors = read(&program, text).unwrap_err();
    let expected = [
        "p.txt:2:5: error[E0840]: `=` has no meaning in a predicate",
        "p.txt:3:1: error[E0841]: no threads run `nobody` (one of main, worker)",
        "p.txt:4:14: error[E0841]: no variable is called `zzz`",
        "p.txt:5:5: error[E0842]: 300 does not fit into 8 bits",
        "p.txt:6:1: error[E0841]: several threads have such variables (begin with one of `main:`, `worker:`)",
        "p.txt:7:4: error[E0840]: too many names before the colon",
        "p.txt:8:1: error[E0841]: several threads have such variables",
    ];
    assert_eq!(errors.len(), expected.len(), "{errors:#?}");
    for (error, expected) in errors.iter().zip(expected) {
        assert!(error.starts_with(expected), "{error}\n{expected}");
    }
}

#[test]
fn predicates_of_the_program_are_about_as_few_threads_as_possible() {
    let program = program(
        "int x; void *f(void *p) { int l = 0; __CPROVER_predicate(l < x); __CPROVER_predicate(x == 3); l = x; x = l; return p; } \
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 1; return 0; }",
    );
    let mut predicates = Predicates::new(program.expressions.clone());
    from_program(&program, &mut predicates);
    let kinds: Vec<PredicateKind> = predicates.list.iter().map(Predicate::kind).collect();
    assert_eq!(kinds, [PredicateKind::SingleThread, PredicateKind::Shared]);
}

/// The lines of the statements before which a variable has a value, and whether it has one at the entry.
fn assigned(text: &str, template_name: &str, variable: &str) -> (Vec<u32>, bool) {
    let program = program(text);
    let template = template(&program, template_name);
    let locals = &program.templates[template.index()].locals;
    let variable =
        locals.iter().find(|&&v| program.variable(v).name == variable).expect("there is such a variable");
    let locations = definitely_assigned(&program, template, *variable);
    assert!(locations.is_sorted_by(|a, b| a < b));
    assert!(locations.iter().all(|&location| program.location(location).template == template));
    // The last step of a thread is at the function's name.
    let is_statement = |l: &&LocationId| {
        let location = program.location(**l);
        location.edges.1 > 0 && program.site(location.site).text != template_name
    };
    let mut lines: Vec<u32> = locations
        .iter()
        .filter(is_statement)
        .map(|&location| program.site(program.location(location).site).position.line)
        .collect();
    lines.sort_unstable();
    lines.dedup();
    (lines, locations.contains(&program.templates[template.index()].entry))
}

#[test]
fn variables_have_values_after_assignments_on_all_ways() {
    let straight = "int x;\nint main(void) { int l;\nx = 1;\nl = x;\nx = l;\nreturn 0; }";
    assert_eq!(assigned(straight, "main", "l"), (vec![5], false));
    let one_way = "int x;\nint main(void) { int l;\nif (x)\nl = x;\nx = 2;\nl = x;\nx = l;\nreturn 0; }";
    assert_eq!(assigned(one_way, "main", "l"), (vec![7], false));
    let both_ways = "int x;\nint main(void) { int l;\nif (x)\nl = x;\nelse\nl = x + 1;\nx = l;\nreturn 0; }";
    assert_eq!(assigned(both_ways, "main", "l"), (vec![7], false));
    let in_loop = "int x;\nint main(void) { int l;\nwhile (x) {\nl = x;\nx = l;\n}\nreturn 0; }";
    let (lines, at_entry) = assigned(in_loop, "main", "l");
    assert!(lines.contains(&5) && !lines.contains(&4) && !at_entry, "{lines:?}");
}

#[test]
fn arguments_of_threads_have_values_from_the_start() {
    let text = "int x;\nvoid *f(void *p) {\nx = (int)(long)p;\nreturn 0; }\n\
        int main(void) { pthread_t t;\npthread_create(&t, 0, f, (void *)(long)__VERIFIER_nondet_int()); return 0; }";
    let (lines, at_entry) = assigned(text, "f", "p");
    assert!(at_entry && lines.contains(&3), "{lines:?}");
}

#[test]
fn initial_values_count_if_they_can_be_read() {
    let declaration = "int x;\nint main(void) {\nwhile (x) {\nint l;\nif (x)\nl = x;\nx = l;\n}\nreturn 0; }";
    assert_eq!(assigned(declaration, "main", "l"), (vec![], false));
    let of_thread = "int x; _Thread_local int n = 4;\nint main(void) {\nx = n;\nn = x;\nreturn 0; }";
    let (lines, at_entry) = assigned(of_thread, "main", "n");
    assert!(at_entry && lines.contains(&3), "{lines:?}");
    let arbitrary = "int x;\nint main(void) { int l =\n__VERIFIER_nondet_int();\nx = l;\nreturn 0; }";
    assert_eq!(assigned(arbitrary, "main", "l"), (vec![4], false));
}

#[test]
fn predicates_without_a_meaning_are_refused() {
    let program = sample();
    let (main, worker) = (template(&program, "main"), template(&program, "worker"));
    let mut e = program.expressions.clone();
    let own = parse_predicate(&program, &mut e, both(&program), "own == 1").unwrap();
    let other = parse_predicate(&program, &mut e, both(&program), "own$ == 1").unwrap();
    let this = parse_predicate(&program, &mut e, both(&program), "this_thread == 1").unwrap();
    let wide = parse_expression(&program, &mut e, both(&program), "x + y").unwrap();
    let x = program.variables.iter().position(|variable| variable.name == "x").unwrap();
    let x = e.variable(VariableId::new(x), 5);
    let ill_typed = e.insert(Expression::Binary(BinaryOperator::Equal, x, x), 1);
    let y = parse_expression(&program, &mut e, both(&program), "y").unwrap();
    let unequal = e.insert(Expression::Binary(BinaryOperator::Equal, this, y), 1);
    let new = e.insert(Expression::NewThread, 1);
    let check = |expression, active, passive| {
        check_predicate(&program, &e, &Predicate { expression, active, passive })
    };
    let of = |template, scope: &[usize]| {
        Some(Party { template, scope: scope.iter().map(|&location| LocationId::new(location)).collect() })
    };
    let place = |template| program.locations.iter().position(|l| l.template == template).unwrap();
    let (in_main, in_worker) = (place(main), place(worker));
    assert_eq!(check(own, Some(worker), None), Ok(()));
    assert_eq!(check(other, Some(main), of(worker, &[in_worker, in_worker + 1])), Ok(()));
    for (expression, active, passive, part) in [
        (own, None, None, "active thread"),
        (own, Some(main), of(worker, &[]), "active thread"),
        (other, Some(worker), None, "passive thread"),
        (other, None, of(main, &[]), "passive thread"),
        (this, None, of(worker, &[]), "without an active thread"),
        (wide, None, None, "32 bits, not one"),
        (ill_typed, None, None, "bits, not 5"),
        (unequal, Some(worker), None, "widths"),
        (new, None, None, "new thread"),
        (other, None, of(worker, &[in_worker + 1, in_worker]), "sorted"),
        (other, None, of(worker, &[in_worker, in_worker]), "twice"),
        (other, None, of(worker, &[in_main]), "does not belong to worker"),
        (other, None, of(worker, &[9999]), "no location 9999"),
        (own, Some(TemplateId::new(9)), None, "no template 9"),
        (ExpressionId::new(99_999), None, None, "no expression"),
    ] {
        let error = check(expression, active, passive).expect_err(part);
        assert!(error.contains(part), "{error}: {part}");
    }
}

#[test]
fn elements_without_a_meaning_are_refused() {
    let program = sample();
    let (main, worker) = (template(&program, "main"), template(&program, "worker"));
    let mut predicates = Predicates::new(program.expressions.clone());
    let text = "x == 1\nall worker: own == 1\nworker: own == 2\nworker, worker: own != own$\n";
    read_predicates(&program, "p.txt", text, &mut predicates).unwrap();
    let [w, m] = [worker, main].map(|template| program.templates[template.index()].entry);
    let element = |threads: &[LocationId], predicate: usize, of: Of| {
        let literals = vec![Literal { predicate: PredicateId::new(predicate), of, value: true }];
        check_element(&program, &predicates, &Element { atomic: None, threads: threads.to_vec(), literals })
    };
    for (predicate, of) in
        [(0, Of::State), (1, Of::State), (2, Of::Thread(1)), (3, Of::Thread(0)), (3, Of::Pair(1, 0))]
    {
        assert_eq!(element(&[w, w], predicate, of), Ok(()), "{predicate} {of:?}");
    }
    for (predicate, of, part) in [
        (0, Of::Thread(0), "a shared predicate"),
        (1, Of::Pair(0, 1), "a universal predicate"),
        (2, Of::State, "cannot be said of nobody"),
        (2, Of::Pair(0, 1), "cannot be said of two threads"),
        (3, Of::State, "an inter-thread predicate"),
        (2, Of::Thread(3), "does not have"),
        (3, Of::Pair(0, 3), "does not have"),
        (3, Of::Pair(1, 1), "and itself"),
        (2, Of::Thread(2), "not about the code of thread 2"),
        (3, Of::Pair(0, 2), "not about the code of thread 2"),
        (4, Of::State, "no predicate 4"),
    ] {
        let error = element(&[w, w, m], predicate, of).expect_err(part);
        assert!(error.contains(part), "{error}: {part}");
    }
    assert!(element(&[LocationId::new(9999)], 0, Of::State).unwrap_err().contains("no location"));
}
