//! Larger steps and slicing: errors are reachable exactly if they were, with as many threads.

mod common;

use common::compare::{fewest, merged, n_edges, spawner};
use common::{Builder, locked, naive, random};
use throng_cfa::flow::*;
use throng_cfa::merge::{Merged, merge, slice};

/// Compares one program; tells whether it has an error and how many edges it had and has, or `None` if it is too large.
fn compare(seed: u64, program: &Program) -> Option<(bool, usize, usize)> {
    let expected = fewest(program, 20_000)?;
    let sliced = slice(program);
    assert_eq!(fewest(&sliced, 20_000)?, expected, "seed {seed}: sliced");
    let (merged, both) = (merge(program), merge(&sliced));
    check_paths(seed, program, &merged);
    check_paths(seed, &sliced, &both);
    let both = both.program;
    for (before, after, what) in [(program, &merged.program, "merged"), (&sliced, &both, "sliced and merged")]
    {
        assert_eq!(fewest(after, 20_000)?, expected, "seed {seed}: {what}");
        // More than errors is the same: all states in which all threads are at locations that are still there.
        let seen = |program| naive::states_at(program, |at| is_comparable(after, at), 3, 20_000);
        if let (Some(one), Some(two)) = (seen(before), seen(after)) {
            assert!(one == two, "seed {seed}: {what}: states");
        }
    }
    let count = |program: &Program| program.locations.iter().filter(|location| location.edges.1 > 0).count();
    Some((expected.is_some(), count(program), count(&both)))
}

/// Edges are made of paths, and of their arbitrary values it is known where they come from.
fn check_paths(seed: u64, program: &Program, merged: &Merged) {
    let nondets = |program: &Program, edge: &Edge| -> Vec<NondetId> {
        let all = program.expressions.subexpressions(edge.expressions()).into_iter();
        all.filter_map(|id| match program.expressions.get(id) {
            Expression::Nondet(nondet) => Some(nondet),
            _ => None,
        })
        .collect()
    };
    for ((edge, path), choices) in merged.program.edges.iter().zip(&merged.paths).zip(&merged.choices) {
        let parts: Vec<&Edge> = path.iter().map(|&id| program.edge(id)).collect();
        let ends = (parts[0].from, parts[parts.len() - 1].to);
        assert_eq!(ends, (edge.from, edge.to), "seed {seed}: where a path leads");
        assert!(parts.windows(2).all(|pair| pair[0].to == pair[1].from), "seed {seed}: a path");
        for choice in choices {
            assert!(
                nondets(program, parts[choice.part]).contains(&choice.original),
                "seed {seed}: {choice:?}"
            );
        }
        for nondet in nondets(&merged.program, edge) {
            let n = choices.iter().filter(|choice| choice.nondet == nondet).count();
            assert_eq!(n, 1, "seed {seed}: {nondet:?} in {choices:?}");
        }
    }
}

/// Whether a merged program has a location where the original's threads come to as well, and go on from or have an error.
fn is_comparable(merged: &Program, at: LocationId) -> bool {
    let location = merged.location(at);
    !location.is_atomic && (location.edges.1 > 0 || matches!(location.kind, LocationKind::Error(_)))
}

/// Compares many programs.
#[allow(clippy::print_stdout, reason = "a test tells what it compared")]
fn compare_all(make: impl Fn(u64) -> Program) {
    let first: u64 = std::env::var("MERGE_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let count: u64 = std::env::var("MERGE_COUNT").ok().and_then(|text| text.parse().ok()).unwrap_or(150);
    let (mut n_compared, mut n_unsafe, mut n_before, mut n_after) = (0, 0, 0, 0);
    for (is_unsafe, before, after) in (first..first + count).filter_map(|seed| compare(seed, &make(seed))) {
        n_compared += 1;
        n_unsafe += u64::from(is_unsafe);
        n_before += before;
        n_after += after;
    }
    println!("{n_compared} compared, {n_unsafe} unsafe, {n_before} locations, {n_after} after merging");
    assert!(n_compared * 100 > count * 85, "most programs are small enough: {n_compared}");
    assert!(n_unsafe * 10 > n_compared && n_unsafe * 10 < n_compared * 9, "both kinds occur: {n_unsafe}");
    assert!(n_after < n_before, "something is merged: {n_before}, {n_after}");
}

#[test]
fn random_programs_have_the_same_errors() {
    // Half of the programs have many edges that are about nothing else than their thread.
    compare_all(|seed| {
        random::program_with(&mut random::Random::new(seed), if seed.is_multiple_of(2) { 60 } else { 0 })
    });
}

#[test]
fn random_programs_with_locks_have_the_same_errors() {
    compare_all(|seed| locked::program(&mut random::Random::new(seed)));
}

/// `t = x; t = t + 1; x = t; assert(x == t)`, atomic in the middle or not.
fn increment(is_atomic: bool) -> (Program, [LocationId; 5]) {
    let mut b = Builder::new();
    let (worker, entry) = spawner(&mut b);
    let (x, t) = (b.shared(2), b.local(worker, 2));
    let mut inner = || b.location(worker, LocationKind::Inner, is_atomic);
    let (read, added, wrote) = (inner(), inner(), inner());
    let error = b.error(worker);
    let (get, more, new) = (b.get(x), b.plus(t, 1), b.get(t));
    b.edge(entry, read, None, &[(t, None, get)], None);
    b.edge(read, added, None, &[(t, None, more)], None);
    b.edge(added, wrote, None, &[(x, None, new)], None);
    let is_equal = b.binary(BinaryOperator::Equal, get, new);
    let differs = b.not(is_equal);
    b.edge(wrote, error, Some(differs), &[], None);
    (b.finish(), [entry, read, added, wrote, error])
}

#[test]
fn silent_steps_are_taken_at_once() {
    let (program, [entry, read, added, wrote, error]) = increment(false);
    let merged = merged(&program, true);
    assert_eq!([entry, read, added, wrote].map(|at| n_edges(&merged, at)), [1, 0, 1, 1]);
    let (id, edge) = merged.program.edges_from(entry).next().unwrap();
    assert_eq!((edge.to, merged.paths[id.index()].len()), (added, 2), "to {error:?}");
}

/// A thread reads x and goes on only if it was not 0: others can see that it has read, and not that it cannot go on.
#[test]
fn steps_that_may_not_be_possible_wait_for_the_next_one() {
    let mut b = Builder::new();
    let (worker, entry) = spawner(&mut b);
    let (x, y, t) = (b.shared(2), b.shared(2), b.local(worker, 2));
    let (set, read, on, error) = (b.inner(worker), b.inner(worker), b.inner(worker), b.error(worker));
    let (get_x, get_y, got, one) = (b.get(x), b.get(y), b.get(t), b.constant(1, 2));
    let (zero, three) = (b.constant(0, 2), b.constant(3, 2));
    b.edge(entry, set, None, &[(y, None, one)], None);
    b.edge(set, read, None, &[(t, None, get_x), (x, None, three)], None);
    let is_zero = b.binary(BinaryOperator::Equal, got, zero);
    let goes_on = b.not(is_zero);
    b.edge(read, on, Some(goes_on), &[(t, None, zero)], None);
    let is_one = b.binary(BinaryOperator::Equal, get_y, one);
    b.edge(on, error, Some(is_one), &[], None);
    let merged = merged(&b.finish(), true);
    assert_eq!([entry, set, read, on].map(|at| n_edges(&merged, at)), [1, 1, 1, 0]);
}

/// A silent cycle is no reason not to stop.
#[test]
fn a_thread_may_do_nothing_for_ever() {
    let mut b = Builder::new();
    let (worker, entry) = spawner(&mut b);
    let (x, t) = (b.shared(2), b.local(worker, 2));
    let (round, again, error) = (b.inner(worker), b.inner(worker), b.error(worker));
    let (get, one, own) = (b.get(x), b.constant(1, 2), b.plus(t, 1));
    let is_one = b.binary(BinaryOperator::Equal, get, one);
    b.edge(entry, round, None, &[(x, None, one)], None);
    b.edge(entry, error, Some(is_one), &[], None);
    b.edge(round, again, None, &[(t, None, own)], None);
    b.edge(again, round, None, &[], None);
    merged(&b.finish(), true);
}

#[test]
fn atomic_sections_are_one_step() {
    let (program, [entry, read, added, wrote, _]) = increment(true);
    let merged = merged(&program, false);
    // The assertion holds within the section, so that nothing is left of it.
    assert_eq!([entry, read, added, wrote].map(|at| n_edges(&merged, at)), [0, 0, 0, 0]);
}

/// A thread sets its flag and clears it again; another one broadcasts to all whose flag is set, and they see it later.
#[test]
fn what_a_broadcast_reads_is_seen() {
    let mut b = Builder::new();
    let (worker, entry) = spawner(&mut b);
    let (flag, woken, quiet) = (b.local(worker, 1), b.local(worker, 1), b.local(worker, 1));
    let (set, cleared, error) = (b.inner(worker), b.inner(worker), b.error(worker));
    let (zero, one) = (b.constant(0, 1), b.constant(1, 1));
    b.edge(entry, set, None, &[(flag, None, one)], None);
    b.edge(set, cleared, None, &[(flag, None, zero), (quiet, None, one)], None);
    let is_woken = b.is(woken, 1);
    b.edge(cleared, error, Some(is_woken), &[], None);
    let guard = b.program.expressions.insert(Expression::Passive(flag), 1);
    let update = PassiveUpdate { template: worker, guard, assignments: vec![(woken, one)] };
    b.edge(entry, entry, None, &[], Some(Effect::Broadcast(vec![update])));
    let merged = merged(&b.finish(), true);
    assert_eq!([entry, set, cleared].map(|at| n_edges(&merged, at)), [2, 1, 1], "nothing can be merged");
}

/// A thread that ends after steps of its own; another one waits for its end, or reads its result.
fn joined(asks_for_end: bool, asks_for_result: bool) -> (Program, LocationId) {
    let mut b = Builder::new();
    let (main, start) = b.template();
    let (worker, entry) = b.template();
    let result = b.local(worker, 2);
    b.program.templates[worker.index()].result = Some(result);
    let (waiting, error) = (b.inner(main), b.error(main));
    let (middle, end) = (b.inner(worker), b.end(worker));
    let (two, number) = (b.constant(2, 2), b.constant(2, 8));
    b.edge(start, waiting, None, &[], Some(Effect::Spawn { template: worker, arguments: Vec::new() }));
    b.edge(entry, middle, None, &[(result, None, two)], None);
    b.edge(middle, end, None, &[], None);
    let has_ended = b.program.expressions.insert(Expression::HasEnded(number), 1);
    let value = b.program.expressions.insert(Expression::ResultOf(number), 2);
    let is_two = b.binary(BinaryOperator::Equal, value, two);
    let guard = match (asks_for_end, asks_for_result) {
        (true, true) => b.binary(BinaryOperator::And, has_ended, is_two),
        (true, false) => has_ended,
        (false, true) => is_two,
        (false, false) => b.constant(0, 1),
    };
    b.edge(waiting, error, Some(guard), &[], None);
    (b.finish(), entry)
}

#[test]
fn ends_and_results_are_seen_if_somebody_asks() {
    for (asks_for_end, asks_for_result) in [(true, true), (true, false), (false, true), (false, false)] {
        let (program, entry) = joined(asks_for_end, asks_for_result);
        let is_seen = asks_for_end || asks_for_result;
        let merged = merged(&program, is_seen);
        assert_eq!(n_edges(&merged, entry), u32::from(is_seen));
    }
}

/// `while (t != 3) t++; assert(x == 0)`: a loop of own steps, or of an atomic section, with two edges in it.
#[test]
fn cycles_are_cut() {
    for is_atomic in [false, true] {
        let mut b = Builder::new();
        let (worker, entry) = spawner(&mut b);
        let (x, t, s) = (b.shared(1), b.local(worker, 2), b.local(worker, 2));
        let head = b.location(worker, LocationKind::Inner, is_atomic);
        let body = b.location(worker, LocationKind::Inner, is_atomic);
        let (after, error) = (b.inner(worker), b.error(worker));
        let (more, old, one) = (b.plus(t, 1), b.get(s), b.constant(1, 1));
        let is_done = b.is(t, 3);
        let is_open = b.not(is_done);
        b.edge(entry, head, None, &[], None);
        b.edge(head, body, Some(is_open), &[(s, None, more)], None);
        b.edge(body, head, None, &[(t, None, old)], None);
        b.edge(head, after, Some(is_done), &[(x, None, one)], None);
        let is_set = b.is(x, 1);
        b.edge(after, error, Some(is_set), &[], None);
        let merged = merged(&b.finish(), true);
        assert_eq!([entry, head, body, after].map(|at| n_edges(&merged, at)), [1, 2, 0, 1]);
        assert_eq!(merged.program.location(head).is_atomic, is_atomic);
    }
}

/// `x = 1; assume(0); x = 0`: others see what was written before the thread is stuck, unless all is one section.
#[test]
fn what_was_written_before_an_assumption_stays() {
    for is_atomic in [false, true] {
        let mut b = Builder::new();
        let (worker, entry) = spawner(&mut b);
        let x = b.shared(1);
        let t = b.local(worker, 1);
        let wrote = b.location(worker, LocationKind::Inner, is_atomic);
        let (last, error) = (b.inner(worker), b.error(worker));
        let (zero, one) = (b.constant(0, 1), b.constant(1, 1));
        let never = b.is(t, 1);
        b.edge(entry, wrote, None, &[(x, None, one)], None);
        b.edge(wrote, last, Some(never), &[(x, None, zero)], None);
        let is_set = b.is(x, 1);
        b.edge(entry, error, Some(is_set), &[], None);
        merged(&b.finish(), !is_atomic);
    }
}

/// `s = nondet(); t = nondet(); assert(s == t)` with the same edge twice, or two edges with the same number: they differ.
#[test]
fn arbitrary_values_are_chosen_anew() {
    let mut b = Builder::new();
    let (main, start) = b.template();
    let (s, t) = (b.local(main, 1), b.local(main, 1));
    let (middle, last, error) = (b.inner(main), b.inner(main), b.error(main));
    let any = b.nondet(1);
    b.edge(start, middle, None, &[(s, None, any)], None);
    b.edge(middle, last, None, &[(t, None, any)], None);
    let (x, y) = (b.get(s), b.get(t));
    let is_equal = b.binary(BinaryOperator::Equal, x, y);
    let differ = b.not(is_equal);
    b.edge(last, error, Some(differ), &[], None);
    let merged = merged(&b.finish(), true);
    assert_eq!(merged.paths.iter().map(Vec::len).collect::<Vec<_>>(), [3], "all is one step");
    let choices: Vec<_> = merged.choices[0].iter().map(|c| (c.part, c.original, c.nondet)).collect();
    let (old, new) = (NondetId::new(0), NondetId::new(1));
    assert_eq!(choices, [(0, old, old), (1, old, new)]);
    assert_eq!(merged.program.nondets.len(), 2);
}

/// `a[i] = 1; r = a[j]; a[k] = 0`: reads see writes, beyond the end too; two writes stay apart unless it is known.
#[test]
fn rows_are_written_and_read() {
    for (second, is_apart) in [(None, true), (Some(1), false)] {
        let mut b = Builder::new();
        let (main, start) = b.template();
        let row = b.variable(Scope::Local(main), 1, Some(vec![0, 0, 0]), 3);
        let (i, j) = (b.variable(Scope::Local(main), 2, None, 1), b.variable(Scope::Local(main), 2, None, 1));
        let r = b.local(main, 1);
        let (wrote, read, last, error) = (b.inner(main), b.inner(main), b.inner(main), b.error(main));
        let (zero, one) = (b.constant(0, 1), b.constant(1, 1));
        let (at, there) = (b.get(i), b.get(j));
        let element = b.program.expressions.insert(Expression::Element(row, there), 1);
        let first = second.map_or(at, |_| b.constant(2, 2));
        let second = second.map_or(there, |index| b.constant(index, 2));
        b.edge(start, wrote, None, &[(row, Some(first), one)], None);
        b.edge(wrote, read, None, &[(r, None, element)], None);
        b.edge(read, last, None, &[(row, Some(second), zero)], None);
        // Something beyond the end was read: never.
        let (beyond, is_set) = (b.is(j, 3), b.is(r, 1));
        let both = b.binary(BinaryOperator::And, beyond, is_set);
        b.edge(last, error, Some(both), &[], None);
        let merged = merged(&b.finish(), false);
        assert_eq!(n_edges(&merged, read) == 1, is_apart, "a location between two writes");
    }
}

/// Many branches that meet again: not all paths are made.
#[test]
fn paths_do_not_explode() {
    let mut b = Builder::new();
    let (main, start) = b.template();
    let t = b.local(main, 2);
    let mut at = start;
    for _ in 0..20 {
        let (left, right, next) = (b.inner(main), b.inner(main), b.inner(main));
        let any = b.nondet(1);
        let other = b.not(any);
        let more = b.plus(t, 1);
        b.edge(at, left, Some(any), &[(t, None, more)], None);
        b.edge(at, right, Some(other), &[], None);
        b.edge(left, next, None, &[], None);
        b.edge(right, next, None, &[], None);
        at = next;
    }
    let error = b.error(main);
    let is_three = b.is(t, 3);
    b.edge(at, error, Some(is_three), &[], None);
    let merged = merged(&b.finish(), true);
    assert!(merged.program.edges.len() <= 80, "{} edges", merged.program.edges.len());
    assert!(merged.program.locations.iter().filter(|location| location.edges.1 > 0).count() < 20);
}

/// A thread copies its flag and looks at the copy later; in between a broadcast sets the flag.
#[test]
fn what_a_broadcast_writes_is_read_in_time() {
    let mut b = Builder::new();
    let (worker, entry) = spawner(&mut b);
    let (flag, first, second) = (b.local(worker, 1), b.local(worker, 1), b.local(worker, 1));
    let (one_read, both_read, error) = (b.inner(worker), b.inner(worker), b.error(worker));
    let (get, one) = (b.get(flag), b.constant(1, 1));
    b.edge(entry, one_read, None, &[(first, None, get)], None);
    b.edge(one_read, both_read, None, &[(second, None, get)], None);
    let (x, y) = (b.get(first), b.get(second));
    let is_equal = b.binary(BinaryOperator::Equal, x, y);
    let differ = b.not(is_equal);
    b.edge(both_read, error, Some(differ), &[], None);
    let update = PassiveUpdate { template: worker, guard: one, assignments: vec![(flag, one)] };
    b.edge(entry, entry, None, &[], Some(Effect::Signal(vec![update])));
    merged(&b.finish(), true);
}

/// `x = 1; x = 0` in main, with `x` used by nobody else; but there may be more than one main.
#[test]
fn shared_variables_of_main_alone_are_its_own() {
    for is_started in [false, true] {
        let mut b = Builder::new();
        let (main, start) = b.template();
        let x = b.shared(1);
        let (set, cleared, error) = (b.inner(main), b.inner(main), b.error(main));
        let (zero, one) = (b.constant(0, 1), b.constant(1, 1));
        b.edge(start, set, None, &[(x, None, one)], None);
        b.edge(set, cleared, None, &[(x, None, zero)], None);
        let is_set = b.is(x, 1);
        b.edge(cleared, error, Some(is_set), &[], None);
        if is_started {
            b.edge(start, start, None, &[], Some(Effect::Spawn { template: main, arguments: Vec::new() }));
        }
        let merged = merged(&b.finish(), is_started);
        assert_eq!(n_edges(&merged, set) == 0, !is_started);
    }
}

/// A thread assigns its result and asks for it in the same atomic section.
#[test]
fn a_thread_may_ask_for_its_own_result() {
    let mut b = Builder::new();
    let (main, start) = b.template();
    let result = b.local(main, 2);
    b.program.templates[main.index()].result = Some(result);
    let middle = b.location(main, LocationKind::Inner, true);
    let error = b.error(main);
    let two = b.constant(2, 2);
    let this = b.program.expressions.insert(Expression::ThisThread, 8);
    let value = b.program.expressions.insert(Expression::ResultOf(this), 2);
    let is_two = b.binary(BinaryOperator::Equal, value, two);
    b.edge(start, middle, None, &[(result, None, two)], None);
    b.edge(middle, error, Some(is_two), &[], None);
    let merged = merged(&b.finish(), true);
    assert_eq!(n_edges(&merged, middle), 1, "the location between is kept");
}

/// `atomic { x = 1; t = 1; } x = 0;`: between the section and the next step others see `x`.
#[test]
fn atomic_sections_end_where_they_end() {
    let mut b = Builder::new();
    let (worker, entry) = spawner(&mut b);
    let (x, t) = (b.shared(1), b.local(worker, 1));
    let inside = b.location(worker, LocationKind::Inner, true);
    let (after, last, error) = (b.inner(worker), b.inner(worker), b.error(worker));
    let (zero, one) = (b.constant(0, 1), b.constant(1, 1));
    b.edge(entry, inside, None, &[(x, None, one)], None);
    b.edge(inside, after, None, &[(t, None, one)], None);
    b.edge(after, last, None, &[(x, None, zero)], None);
    let is_set = b.is(x, 1);
    b.edge(entry, error, Some(is_set), &[], None);
    merged(&b.finish(), true);
}

/// A thread is started by a step that leads to the end, or into an atomic section that nobody leaves; it has an error at once.
#[test]
fn threads_are_started_by_the_last_step_of_a_thread() {
    for is_end in [true, false] {
        let mut b = Builder::new();
        let (main, start) = b.template();
        let (worker, entry) = b.template();
        b.program.locations[entry.index()].kind = LocationKind::Error(PropertyId::new(0));
        let last = if is_end { b.end(main) } else { b.location(main, LocationKind::Inner, true) };
        b.edge(start, last, None, &[], Some(Effect::Spawn { template: worker, arguments: Vec::new() }));
        merged(&b.finish(), true);
    }
}

/// A thread sees that another one has not ended, and later that it has written something with its last step.
#[test]
fn that_a_thread_has_not_ended_is_seen_in_time() {
    let mut b = Builder::new();
    let (main, start) = b.template();
    let (worker, entry) = b.template();
    let x = b.shared(1);
    let (started, seen, error, end) = (b.inner(main), b.inner(main), b.error(main), b.end(worker));
    let (one, number) = (b.constant(1, 1), b.constant(2, 8));
    let has_ended = b.program.expressions.insert(Expression::HasEnded(number), 1);
    let has_not = b.not(has_ended);
    b.edge(start, started, None, &[], Some(Effect::Spawn { template: worker, arguments: Vec::new() }));
    b.edge(started, seen, Some(has_not), &[], None);
    let is_set = b.is(x, 1);
    b.edge(seen, error, Some(is_set), &[], None);
    b.edge(entry, end, None, &[(x, None, one)], None);
    merged(&b.finish(), true);
}

/// `atomic { x = 1; broadcast to all, if x == 1; }`
#[test]
fn an_effect_sees_what_the_parts_before_it_assigned() {
    let mut b = Builder::new();
    let (worker, entry) = spawner(&mut b);
    let (x, woken) = (b.shared(1), b.local(worker, 1));
    let inside = b.location(worker, LocationKind::Inner, true);
    let (last, error) = (b.inner(worker), b.error(worker));
    let one = b.constant(1, 1);
    b.edge(entry, inside, None, &[(x, None, one)], None);
    let guard = b.is(x, 1);
    let update = PassiveUpdate { template: worker, guard, assignments: vec![(woken, one)] };
    b.edge(inside, last, None, &[], Some(Effect::Broadcast(vec![update])));
    let is_woken = b.is(woken, 1);
    b.edge(entry, error, Some(is_woken), &[], None);
    merged(&b.finish(), true);
}
