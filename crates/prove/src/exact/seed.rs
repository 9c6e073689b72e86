//! Forward search with few threads: the first thread states.
//!
//! Most of what any number of threads can show, few show. What is missing comes from traces that lead out of what is known.

use super::known::Known;
use super::states::{Change, States};
use super::{Limits, Trouble};
use rustc_hash::FxHashSet;
use throng_cfa::flow::Effect;

/// Searches go through at most so many threads.
const MOST_THREADS: usize = 8;
/// As many rounds without anything new are enough.
const QUIET_ROUNDS: usize = 2;

/// A configuration: the shared state, and the threads, sorted.
pub(super) type Crowd = (u32, Vec<u32>);

/// Explores with two threads, three, … until nothing is new.
pub(super) fn seed(states: &mut States<'_>, known: &mut Known, limits: &Limits) -> Result<(), Trouble> {
    let (shared, own) = states.start()?;
    let start = (shared, own.into_iter().collect::<Vec<u32>>());
    known.add(start.0, &start.1);
    let mut quiet = 0;
    for most in 2..=MOST_THREADS {
        let before = known.len();
        let is_complete = explore(states, known, start.clone(), most, limits)?;
        quiet = if known.len() == before { quiet + 1 } else { 0 };
        if quiet >= QUIET_ROUNDS || !is_complete {
            break;
        }
    }
    Ok(())
}

/// Explores what threads reach from a configuration, so many of them at most. Whether that is all of it. Errors are left to the
/// engines, which have a trace to them.
pub(super) fn explore(
    states: &mut States<'_>,
    known: &mut Known,
    start: Crowd,
    most: usize,
    limits: &Limits,
) -> Result<bool, Trouble> {
    let mut seen: FxHashSet<Crowd> = FxHashSet::default();
    let mut open = std::collections::VecDeque::from([start.clone()]);
    seen.insert(start);
    while let Some(crowd) = open.pop_front() {
        states.budget.check()?;
        let mut next = Vec::new();
        if successors(states, &crowd, most, &mut next)? {
            return Ok(false);
        }
        for crowd in next {
            if seen.contains(&crowd) {
                continue;
            }
            known.add(crowd.0, &crowd.1);
            if known.len() > limits.thread_states {
                return Err(Trouble::TooMany);
            }
            seen.insert(crowd.clone());
            open.push_back(crowd);
        }
        if seen.len() > limits.configurations {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What follows a configuration; whether it is an error.
fn successors(
    states: &mut States<'_>,
    (shared, threads): &Crowd,
    most: usize,
    next: &mut Vec<Crowd>,
) -> Result<bool, Trouble> {
    for place in 0..threads.len() {
        if place > 0 && threads[place] == threads[place - 1] {
            continue;
        }
        let own = threads[place];
        let mut others = threads.clone();
        others.remove(place);
        for fired in states.fired(*shared, own)?.iter() {
            if fired.error.is_some() {
                return Ok(true);
            }
            let mut base: Vec<u32> = fired.own.into_iter().chain(fired.child).collect();
            if base.len() + others.len() > most.max(threads.len()) {
                continue;
            }
            match &states.program.edge(fired.edge).effect {
                None | Some(Effect::Spawn { .. }) => {
                    base.extend(&others);
                    push(next, fired.shared, base);
                }
                Some(Effect::Broadcast(_)) => {
                    for &other in &others {
                        base.push(match states.change(*shared, own, fired.edge, other)? {
                            Change::Never => other,
                            Change::Sure(changed) | Change::Perhaps(changed) => changed,
                        });
                    }
                    push(next, fired.shared, base);
                }
                Some(Effect::Signal(_)) => {
                    let mut is_received = false;
                    for (number, &other) in others.iter().enumerate() {
                        let change = states.change(*shared, own, fired.edge, other)?;
                        if let Change::Sure(changed) | Change::Perhaps(changed) = change {
                            let mut all = base.clone();
                            all.extend(&others);
                            let at = all.len() - others.len() + number;
                            all[at] = changed;
                            push(next, fired.shared, all);
                        }
                        is_received |= matches!(change, Change::Sure(_));
                    }
                    if !is_received {
                        base.extend(&others);
                        push(next, fired.shared, base);
                    }
                }
            }
        }
    }
    Ok(false)
}

fn push(next: &mut Vec<Crowd>, shared: u32, mut threads: Vec<u32>) {
    threads.sort_unstable();
    next.push((shared, threads));
}
