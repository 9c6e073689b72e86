//! The check of larger steps on random programs: what `merge` makes is accepted, and whatever is accepted has the same errors, found
//! by trying everything with up to three threads.
//!
//! Wrong steps are made by passing over locations at random, in the program itself and in the merged one, and by leaving out
//! assignments.

#[path = "../../explore/tests/common/mod.rs"]
mod common;
mod reduction;

use common::compare::fewest;
use common::random::{self, Random};
use common::{locked, naive};
use reduction::{passing, unmerged};
use throng_base::Budget;
use throng_cfa::flow::*;
use throng_cfa::merge::{Merged, merge_once, stages};
use throng_check::c::{check_merged, check_sliced, check_stages};

/// How many states are looked at.
const MOST_STATES: usize = 4_000;

fn seeds(count: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first = number("MERGE_SEED").unwrap_or(1);
    first..first + number("MERGE_COUNT").unwrap_or(count)
}

/// Programs of all kinds.
fn program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    match seed % 4 {
        0 => random::program_with(&mut random, 0),
        1 => random::program_with(&mut random, 60),
        _ => locked::program(&mut random),
    }
}

fn accepts(before: &Program, merged: &Merged) -> bool {
    check_merged(before, merged, &Budget::unlimited()).is_ok()
}

#[test]
fn what_merge_makes_is_accepted() {
    for seed in seeds(1500) {
        let program = program(seed);
        let stages = stages(&program);
        if let Err(rejection) = check_stages(&program, &stages, &Budget::unlimited()) {
            panic!("seed {seed}: {rejection}");
        }
        assert!(accepts(&program, &merge_once(&program)), "seed {seed}: without slicing");
        assert!(accepts(&program, &unmerged(&program)), "seed {seed}: nothing is merged");
    }
}

#[derive(Default, Debug)]
struct Tally {
    accepted: usize,
    rejected: usize,
    /// Rejected, and rightly so: it has other errors.
    other_errors: usize,
    /// Rejected, and threads at the locations that are still there can be in other states.
    other_states: usize,
    skipped: usize,
}

impl Tally {
    /// Something was made of a program and accepted or not.
    fn add(&mut self, seed: u64, expected: Option<usize>, after: &Program, is_accepted: bool) {
        let Some(found) = fewest(after, MOST_STATES) else {
            self.skipped += 1;
            return;
        };
        if is_accepted {
            assert_eq!(found, expected, "seed {seed}: accepted, but errors are not the same");
            self.accepted += 1;
        } else {
            self.rejected += 1;
            self.other_errors += usize::from(found != expected);
        }
    }

    /// What others see where threads stand is the same, too, if only locations were passed over.
    fn add_states(&mut self, seed: u64, before: &Program, after: &Program, is_accepted: bool) {
        let is_meant = |at: LocationId| {
            let location = after.location(at);
            let is_error = matches!(location.kind, LocationKind::Error(_));
            !location.is_atomic && (location.edges.1 > 0 || is_error)
        };
        let states = |program| naive::states_at(program, is_meant, 3, MOST_STATES);
        let (Some(one), Some(two)) = (states(before), states(after)) else { return };
        if is_accepted {
            assert!(one == two, "seed {seed}: accepted, but states are not the same");
        } else {
            self.other_states += usize::from(one != two);
        }
    }
}

/// Passes over locations as long as that is possible; each time the checker is asked.
fn pass_over(seed: u64, before: &Program, start: Merged, tally: &mut Tally) {
    let mut random = Random::new(seed + 77);
    let mut merged = start;
    let Some(expected) = fewest(before, MOST_STATES) else { return };
    for _ in 0..8 {
        let at = LocationId::new(random.below(before.locations.len()));
        let Some(next) = passing(&merged, at).filter(|next| next.program.edges.len() < 200) else { continue };
        let is_accepted = accepts(before, &next);
        tally.add(seed, expected, &next.program, is_accepted);
        tally.add_states(seed, before, &next.program, is_accepted);
        // A wrong step is kept now and then, so that there is more than one.
        if is_accepted || random.chance(20) {
            merged = next;
        }
    }
}

#[allow(clippy::print_stdout, reason = "a test tells what it compared")]
#[test]
fn whatever_is_accepted_has_the_same_errors() {
    let mut tally = Tally::default();
    for seed in seeds(120) {
        let program = program(seed);
        pass_over(seed, &program, unmerged(&program), &mut tally);
        pass_over(seed, &program, merge_once(&program), &mut tally);
    }
    println!("{tally:?}");
    let is_balanced = tally.accepted > 200 && tally.other_errors > 2 && tally.other_states > 15;
    assert!(is_balanced, "both kinds occur: {tally:?}");
}

/// Leaves out all assignments to some variables, and updates that assign nothing any more.
fn without(program: &Program, is_dropped: &[bool]) -> Program {
    let mut sliced = program.clone();
    let stays = |variable: VariableId| !is_dropped[variable.index()];
    for edge in &mut sliced.edges {
        edge.assignments.retain(|it| stays(it.target));
        match &mut edge.effect {
            Some(Effect::Spawn { arguments, .. }) => arguments.retain(|&(target, _)| stays(target)),
            Some(Effect::Broadcast(updates) | Effect::Signal(updates)) => {
                for update in updates.iter_mut() {
                    update.assignments.retain(|&(target, _)| stays(target));
                }
                if updates.iter().all(|update| update.assignments.is_empty()) {
                    edge.effect = None;
                }
            }
            None => {}
        }
    }
    sliced
}

#[allow(clippy::print_stdout, reason = "a test tells what it compared")]
#[test]
fn whatever_may_be_left_out_has_no_influence() {
    let mut tally = Tally::default();
    for seed in seeds(400) {
        let program = program(seed);
        let mut random = Random::new(seed + 99);
        let is_dropped: Vec<bool> = program.variables.iter().map(|_| random.chance(25)).collect();
        let sliced = without(&program, &is_dropped);
        let Some(expected) = fewest(&program, MOST_STATES) else { continue };
        tally.add(seed, expected, &sliced, check_sliced(&program, &sliced).is_ok());
    }
    println!("{tally:?}");
    assert!(tally.accepted > 40 && tally.other_errors > 20, "both kinds occur: {tally:?}");
}
