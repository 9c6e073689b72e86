//! Schedules: what they show is accepted, and nothing else, each refusal for one reason.

use throng_base::Source;
use throng_boolprog::flow::{Effect, LocationId, Program};
use throng_boolprog::schedule::{Actor, Crew, Keep, Move, Origin, Schedule};
use throng_boolprog::{Cube, InitThreads, Pattern, ThreadPattern};
use throng_check::program::check_reached;
use throng_check::{Condition, Rejection};

fn program(text: &str) -> Program {
    throng_boolprog::read(&Source::from_text("p.bp", text)).unwrap().program
}

/// Where a label stands.
fn at(program: &Program, label: &str) -> LocationId {
    program.locations_with_label(label).unwrap()[0]
}

/// The only edge from a label.
fn from(program: &Program, label: &str) -> u32 {
    program.first_edge(at(program, label))
}

/// A thread at a label sees this value of the first shared variable.
fn claim(program: &Program, label: &str, value: bool) -> Pattern {
    let thread = ThreadPattern { location: at(program, label), locals: Cube::any() };
    Pattern { shared: Cube::any().with(0, value), threads: vec![thread] }
}

/// A schedule that grows: crews are named by their labels, the root by `root`.
#[derive(Default)]
struct Plan {
    schedule: Schedule,
}

impl Plan {
    fn crew(&mut self, program: &Program, labels: &[&str]) -> usize {
        let has_root = labels.first() == Some(&"root");
        let mut places: Vec<LocationId> =
            labels.iter().skip(usize::from(has_root)).map(|label| at(program, label)).collect();
        places.sort_unstable();
        self.schedule.crews.push(Crew { has_root, places });
        self.schedule.crews.len() - 1
    }

    fn start(&mut self, program: &Program, labels: &[&str]) -> &mut Self {
        let crew = self.crew(program, labels);
        self.schedule.moves.push(Move::Start { crew });
        self
    }

    fn step(&mut self, program: &Program, labels: &[&str], actor: Actor, at: &str, keep: Keep) -> &mut Self {
        let crew = self.crew(program, labels);
        let edge = from(program, at);
        self.schedule.moves.push(Move::Step { crew, actor, edge, keep });
        self
    }

    fn then(&mut self, program: &Program, labels: &[&str], make: impl Fn(usize) -> Move) -> &mut Self {
        let crew = self.crew(program, labels);
        self.schedule.moves.push(make(crew));
        self
    }

    fn check(&self, program: &Program, threads: InitThreads, claims: &[Pattern]) -> Result<(), Rejection> {
        check_reached(program, threads, &self.schedule, claims)
    }
}

const ONE: InitThreads = InitThreads::Exactly(1);

fn condition(result: Result<(), Rejection>) -> Condition {
    result.expect_err("rejected").condition
}

#[test]
fn steps_show_what_they_lead_to_and_nothing_else() {
    let program = program("decl s; main() begin A: s := 0; B: s := !s; C: skip; end");
    let mut plan = Plan::default();
    plan.start(&program, &["A"]);
    plan.step(&program, &["A"], Actor::Place(0), "A", Keep::Parent);
    plan.step(&program, &["B"], Actor::Place(0), "B", Keep::Parent);
    let all = ["A", "B", "C"].map(|label| [false, true].map(|value| claim(&program, label, value)));
    let [a, b, c] = all;
    plan.check(&program, ONE, &[a[0].clone(), a[1].clone(), b[0].clone(), c[1].clone()]).unwrap();
    for wrong in [&b[1], &c[0]] {
        assert_eq!(condition(plan.check(&program, ONE, std::slice::from_ref(wrong))), Condition::TraceTarget);
    }
    let any = Pattern { shared: Cube::any(), ..b[0].clone() };
    assert_eq!(condition(plan.check(&program, ONE, &[any])), Condition::TraceTarget, "both values");
    assert_eq!(condition(plan.check(&program, InitThreads::Exactly(0), &[])), Condition::TraceEnabled);
    // A step of somebody who is not there.
    plan.step(&program, &["C"], Actor::Place(0), "A", Keep::Parent);
    assert_eq!(condition(plan.check(&program, ONE, &[])), Condition::TraceEnabled);
}

/// The root starts threads in a circle that it comes to once.
const CIRCLE: &str = "decl b; main() begin A: b := 0; P: skip; L: start_thread goto W; M: goto L; W: b := 1; E: end_thread; end";

#[test]
fn threads_wait_only_where_the_root_was_on_the_circle() {
    let program = program(CIRCLE);
    let start = from(&program, "L");
    assert!(matches!(program.edges()[start as usize].effect, Effect::Start { .. }));
    let mut plan = Plan::default();
    plan.start(&program, &["root"]);
    plan.step(&program, &["root"], Actor::Root, "A", Keep::Parent);
    plan.step(&program, &["root"], Actor::Root, "P", Keep::Parent);
    plan.step(&program, &["root"], Actor::Root, "L", Keep::Parent);
    plan.schedule.routes.push(vec![from(&program, "W")]);
    plan.then(&program, &["root"], |crew| Move::Errand { crew, origin: Origin::Waiting(start), route: 0 });
    let seen = |label: &str| plan.check(&program, ONE, &[claim(&program, label, true)]);
    seen("L").unwrap();
    seen("M").unwrap();
    assert_eq!(condition(seen("P")), Condition::TraceTarget, "nobody has been started when the root is at P");
    // Where the circle does something else, nobody waits.
    let other = self::program(&CIRCLE.replace("M: goto L;", "M: b := 0; goto L;"));
    let mut plan = Plan::default();
    plan.start(&other, &["root"]);
    plan.then(&other, &["root"], |crew| Move::Join { crew, origin: Origin::Waiting(from(&other, "L")) });
    assert_eq!(condition(plan.check(&other, ONE, &[])), Condition::TraceEnabled);
}

#[test]
fn threads_come_from_the_start_only_if_any_number_are_there() {
    let program = program("decl s; main() begin A: s := 0; B: s := 1; C: skip; end");
    let mut plan = Plan::default();
    plan.start(&program, &["A"]);
    plan.step(&program, &["A"], Actor::Place(0), "A", Keep::Parent);
    plan.then(&program, &["B"], |crew| Move::Join { crew, origin: Origin::Entry });
    plan.step(&program, &["A", "B"], Actor::Place(1), "B", Keep::Parent);
    plan.step(&program, &["A", "C"], Actor::Place(0), "A", Keep::Parent);
    let zero_at_c = [claim(&program, "C", false)];
    plan.check(&program, InitThreads::Any, &zero_at_c).unwrap();
    assert_eq!(condition(plan.check(&program, ONE, &zero_at_c)), Condition::TraceEnabled);
}

#[test]
fn nobody_acts_beside_an_atomic_section_and_nobody_is_left_in_one() {
    let program = program("decl s; main() begin A: atomic_begin; B: s := 1; C: atomic_end; D: skip; end");
    let two = InitThreads::Exactly(2);
    let mut plan = Plan::default();
    plan.start(&program, &["A", "A"]);
    plan.step(&program, &["A", "A"], Actor::Place(0), "A", Keep::Parent);
    plan.check(&program, two, &[claim(&program, "B", false)]).unwrap();
    let schedule = plan.schedule.clone();
    plan.step(&program, &["A", "B"], Actor::Place(0), "A", Keep::Parent);
    assert_eq!(condition(plan.check(&program, two, &[])), Condition::TraceEnabled);
    plan.schedule = schedule;
    plan.then(&program, &["A", "B"], |crew| Move::Leave { crew, place: 1 });
    assert_eq!(condition(plan.check(&program, two, &[])), Condition::TraceEnabled);
}

#[test]
fn others_change_with_a_broadcast_and_nobody_comes_from_nowhere_then() {
    let text = "thread_local decl t; main() begin A: t := 0; B: skip; C: t$ := 1; D: skip; end";
    let program = program(text);
    let mut plan = Plan::default();
    plan.start(&program, &["A", "A"]);
    plan.step(&program, &["A", "A"], Actor::Place(0), "A", Keep::Parent);
    plan.step(&program, &["A", "B"], Actor::Place(0), "A", Keep::Parent);
    plan.step(&program, &["B", "B"], Actor::Place(0), "B", Keep::Parent);
    plan.step(&program, &["B", "C"], Actor::Place(1), "C", Keep::Parent);
    let thread = |label: &str, value| {
        let locals = Cube::any().with(0, value);
        Pattern {
            shared: Cube::any(),
            threads: vec![ThreadPattern { location: at(&program, label), locals }],
        }
    };
    plan.check(&program, InitThreads::Any, &[thread("B", true), thread("B", false), thread("D", false)])
        .unwrap();
    let wrong = plan.check(&program, InitThreads::Any, &[thread("D", true)]);
    assert_eq!(condition(wrong), Condition::TraceTarget);
    plan.then(&program, &["B", "D"], |crew| Move::Join { crew, origin: Origin::Entry });
    assert_eq!(condition(plan.check(&program, InitThreads::Any, &[])), Condition::TraceEnabled);
}

#[test]
fn what_does_not_exist_is_refused() {
    let program = program(CIRCLE);
    let crew = Crew { has_root: false, places: vec![at(&program, "M"), at(&program, "A")] };
    let refused = |crews: Vec<Crew>, step: Move| {
        let schedule = Schedule { crews, moves: vec![step], ..Schedule::default() };
        condition(check_reached(&program, ONE, &schedule, &[]))
    };
    assert_eq!(refused(Vec::new(), Move::Start { crew: 0 }), Condition::Form);
    assert_eq!(refused(vec![crew], Move::Start { crew: 0 }), Condition::Form, "not in order");
    let alone = || vec![Crew { has_root: false, places: vec![program.entry()] }];
    let step = Move::Step { crew: 0, actor: Actor::Place(0), edge: 1 << 20, keep: Keep::Parent };
    assert_eq!(refused(alone(), step), Condition::Form);
    assert_eq!(refused(alone(), Move::Leave { crew: 0, place: 3 }), Condition::Form);
    let errand = Move::Errand { crew: 0, origin: Origin::Entry, route: 7 };
    assert_eq!(refused(alone(), errand), Condition::Form);
}
