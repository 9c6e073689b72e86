//! Every engine on small programs, each answer as a document that the checker accepts.

use throng_base::{Budget, Source};
use throng_boolprog::flow::Program;
use throng_boolprog::{InitThreads, ProgramQuestion};
use throng_cert::{Evidence, Header};
use throng_check::program::check_program;
use throng_engine::{
    Ancestors, CandidateThreads, EngineKind, Options, OracleKind, Order, QueueOrder, Silent,
};
use throng_symbolic::ProgramSystem;

/// The engines that need no list of rules.
fn engines() -> impl Iterator<Item = EngineKind> {
    EngineKind::ALL.into_iter().filter(|&engine| engine != EngineKind::Concolic)
}

fn read(text: &str) -> Program {
    let source = Source::from_text("test.bp", text);
    throng_boolprog::read(&source).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0])).program
}

/// Whether an engine finds a failing assertion; `None` if it gives up. What it says is checked.
fn fails(program: &Program, threads: InitThreads, engine: EngineKind, step_by_step: bool) -> Option<bool> {
    let question = ProgramQuestion::assertions(program, threads);
    let system = if step_by_step {
        ProgramSystem::step_by_step(program, question.clone())
    } else {
        ProgramSystem::new(program, question.clone())
    };
    let system = system.expect("few variables");
    let options = Options { jobs: 1, ..Options::default() };
    let outcome = system.decide(engine, &options, &Budget::unlimited(), &Silent);
    let evidence = outcome.answer.into_evidence().ok()?;
    let document = system.document(&evidence, Header::default()).expect("evidence can be told");
    let checked = check_program(program, &question, &document);
    assert!(checked.is_ok(), "{} says {document:?}, but {checked:?}", engine.name());
    Some(matches!(evidence, Evidence::Trace(_)))
}

/// All engines agree on a program, with and without silent steps.
fn expect(text: &str, threads: InitThreads, is_unsafe: bool) {
    let program = read(text);
    for engine in engines() {
        // The directed search need not end on safe programs.
        if engine == EngineKind::Forward && !is_unsafe {
            continue;
        }
        for step_by_step in [false, true] {
            let found = fails(&program, threads, engine, step_by_step);
            assert_eq!(found, Some(is_unsafe), "{} on\n{text}", engine.name());
        }
    }
}

#[test]
fn locks_are_safe_and_tests_without_a_lock_are_not() {
    let lock = |take: &str| {
        format!(
            "decl held, busy; main() begin held, busy := 0, 0;
             while * do start_thread goto W; od; end_thread;
             W: {take} assert(!busy); busy := 1; busy := 0; held := 0; end"
        )
    };
    let one = InitThreads::Exactly(1);
    expect(&lock("atomic_begin; assume(!held); held := 1; atomic_end;"), one, false);
    expect(&lock("assume(!held); held := 1;"), one, true);
}

#[test]
fn everybody_may_run_main() {
    let text = "decl s; main() begin decl x; x := s; s := !x; assert(s != x); end";
    expect(text, InitThreads::Exactly(1), false);
    expect(text, InitThreads::Exactly(2), true);
    expect(text, InitThreads::Any, true);
}

#[test]
fn what_does_not_matter_is_not_looked_at() {
    // Sixty variables that nobody needs: 2^60 states of each thread, if anybody looked at them.
    let names: Vec<String> = (0..30).map(|index| format!("v{index}")).collect();
    let locals: Vec<String> = (0..30).map(|index| format!("w{index}")).collect();
    let shuffle: String =
        (1..30).map(|index| format!("v{index} := w{}; w{index} := *;\n", index - 1)).collect();
    for (condition, is_unsafe) in [("!busy", false), ("!busy & !flag", true)] {
        let text = format!(
            "decl held, busy, flag, {}; main() begin decl {}; {shuffle}
             atomic_begin; assume(!held); held := 1; atomic_end;
             {shuffle} assume(!busy); busy := 1; busy := 0; assert({condition}); held := 0; end",
            names.join(", "),
            locals.join(", "),
        );
        let program = read(&text);
        for engine in [EngineKind::Backward, EngineKind::Widen, EngineKind::Auto] {
            assert_eq!(
                fails(&program, InitThreads::Any, engine, false),
                Some(is_unsafe),
                "{}",
                engine.name()
            );
        }
    }
}

#[test]
fn broadcasts_reach_every_other_thread() {
    let text = |broadcast: &str| {
        format!("main() begin decl x; x := 0; if * then {broadcast} else assume(x); assert(0); fi; end")
    };
    expect(&text("x$ := 1;"), InitThreads::Exactly(2), true);
    expect(&text("x$ := 1;"), InitThreads::Exactly(1), false);
    expect(&text("x$ := !x$ & !x;"), InitThreads::Exactly(2), true);
    expect(&text("x$, x := *, 1 constrain 'x$ = 'x;"), InitThreads::Exactly(2), true);
}

#[test]
fn children_have_the_values_of_their_parents_at_that_time() {
    let one = InitThreads::Exactly(1);
    let copied = "main() begin decl x; start_thread goto L; x := !x; end_thread; L: assert(x); end";
    expect(copied, one, true);
    let text = "decl s; main() begin decl x; s := x; start_thread goto L; end_thread; L: assert(s = x); end";
    expect(text, one, false);
    let argument =
        "decl s; main() begin decl x; s := x; start_thread f(!x); end void f(a) begin assert(s != a); end";
    expect(argument, one, false);
}

#[test]
fn silent_steps_of_threads_that_wait_for_a_section_are_taken_later() {
    // The child has silent steps to take when it is started, but its parent's section is open for ever.
    let text = |end: &str| {
        format!(
            "decl s; main() begin decl x; s := 0; atomic_begin; start_thread goto L; s := 1; {end} atomic_end;
             end_thread; L: x := 1; skip; assert(!s & x); end"
        )
    };
    expect(&text("assume(0);"), InitThreads::Exactly(1), false);
    expect(&text(""), InitThreads::Exactly(1), true);
}

#[test]
fn values_are_found_for_threads_with_silent_steps_before_them() {
    let program = read(
        "decl p1, p0, used_a, used_b;
         main() begin p1, p0 := 1, 0; used_a, used_b := 0, 0; while * do start_thread client(*); od; end
         void client(keep) begin decl which, more; more := 1;
           while more do
             atomic_begin; assume(p1 | p0); p1, p0 := p1 & p0, !p0; atomic_end;
             atomic_begin;
             if !used_a then used_a, which := 1, 0; else assert(!used_b); used_b, which := 1, 1; fi;
             atomic_end;
             more := keep; keep := *;
             atomic_begin; p1, p0 := p1 | p0, !p0; atomic_end;
             if which then used_b := 0; else used_a := 0; fi;
           od;
         end",
    );
    for engine in [EngineKind::KarpMiller, EngineKind::Backward, EngineKind::Widen] {
        assert_eq!(fails(&program, InitThreads::Exactly(1), engine, false), Some(true), "{}", engine.name());
    }
}

#[test]
fn threads_start_others_that_do_the_same() {
    let text = "decl s; void main() begin s := 0; f(s); end
        void f(p) begin assert(*); ASYNC_1: f(p); end";
    expect(text, InitThreads::Exactly(1), true);
}

#[test]
fn broadcasts_that_choose_values_of_others_are_found_without_an_oracle() {
    let program = read(
        "decl s; bool g() begin s := 1; end
         bool f(p, q) begin if q then assume(0 = s); g(); elsif * then fi; q$ := p$; assert(p); p$ := *; end
         void main() begin while * do start_thread f(1, 1); od; end",
    );
    let options = Options { jobs: 1, oracle: OracleKind::None, ..Options::default() };
    decide(&program, InitThreads::Exactly(1), EngineKind::Widen, &options);
}

#[test]
fn values_that_only_decide_what_happens_to_others_are_not_guessed_where_nobody_looks() {
    let program = read(
        "decl s;
         void main() begin
           skip; f(0 | 1);
           s := (s ^ *) & 1;
           L: f(s);
           while s do s := 0; od;
           assert(!(s & s));
           s := 1;
           atomic_begin; s := s => s; goto L; atomic_end;
           s := s;
         end
         void f(p) begin decl x; x := 0 & !0; x$ := p; skip; end",
    );
    let (order, ancestors) = (Order::DepthStay, Ancestors::All);
    let candidate_threads = CandidateThreads::AtMost(2);
    let options = Options { jobs: 1, cuts: false, order, ancestors, candidate_threads, ..Options::default() };
    decide(&program, InitThreads::Any, EngineKind::Auto, &options);
}

#[test]
fn others_were_before_a_broadcast_where_the_search_came_from() {
    let program = read(
        "decl s;
         void main() begin decl x, y; s := y; assume(!s); assert(y => *); y$ := y$ | x$; end",
    );
    let options = Options { jobs: 1, queue: QueueOrder::Lifo, ..Options::default() };
    decide(&program, InitThreads::Any, EngineKind::Backward, &options);
}

/// Asks an engine about the assertions of a program; its evidence is checked.
fn decide(program: &Program, threads: InitThreads, engine: EngineKind, options: &Options) {
    let question = ProgramQuestion::assertions(program, threads);
    let system = ProgramSystem::new(program, question.clone()).expect("few variables");
    let outcome = system.decide(engine, options, &Budget::unlimited(), &Silent);
    let evidence = outcome.answer.into_evidence().expect("it can be decided");
    let document = system.document(&evidence, Header::default()).expect("evidence can be told");
    check_program(program, &question, &document).expect("it is right");
}
