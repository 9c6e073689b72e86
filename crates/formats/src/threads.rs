//! `--threads N`: the question for exactly N threads at the start.
//!
//! Each set of initial configurations is replaced by its configurations with N threads in total: those that are missing
//! besides the exact ones are distributed over the unbounded locals in all ways. Threads that rules create later do not
//! count. A set without unbounded locals and with another number of threads has no such configuration.

use crate::Draft;
use throng_base::Diagnostic;
use throng_model::bag::CountOverflow;
use throng_model::{Initial, LocalId, bag};

/// Ways to distribute threads that are listed. Every engine and the checker look at each of them.
const MOST_WAYS: u128 = 10_000;

/// Leaves only the initial configurations with exactly so many threads.
pub(crate) fn fix(draft: &mut Draft, threads: u32) -> Result<(), Diagnostic> {
    let sets: Vec<Initial> = draft.builder.initial_sets().to_vec();
    let ways = sets.iter().fold(0_u128, |sum, set| sum.saturating_add(n_ways(set, threads)));
    if ways > MOST_WAYS {
        return Err(too_many(&sets, threads, ways));
    }
    let mut fixed = Vec::new();
    for set in &sets {
        if n_ways(set, threads) > 0 {
            distribute(set, threads, &mut fixed)
                .map_err(|error| Diagnostic::error("E0131", error.to_string()))?;
        } else if ways > 0 {
            draft.warnings.push(left_out(set, threads));
        }
    }
    if fixed.is_empty() {
        return Err(none(&sets, threads));
    }
    draft.builder.clear_initial();
    fixed.into_iter().for_each(|initial| {
        draft.builder.initial(initial);
    });
    Ok(())
}

/// How many threads are missing in the smallest configuration of a set.
fn missing(set: &Initial, threads: u32) -> Option<u32> {
    u32::try_from(u64::from(threads).checked_sub(bag::size(&set.exact))?).ok()
}

/// How many configurations of a set have so many threads; saturates.
fn n_ways(set: &Initial, threads: u32) -> u128 {
    let Some(missing) = missing(set, threads) else { return 0 };
    if set.unbounded.is_empty() {
        return u128::from(missing == 0);
    }
    // The binomial of missing + drawn over drawn, from that of one less: the division leaves no rest.
    let mut ways = 1_u128;
    for drawn in 1..set.unbounded.len() as u128 {
        let Some(product) = ways.checked_mul(u128::from(missing) + drawn) else { return u128::MAX };
        ways = product / drawn;
    }
    ways
}

/// Appends the configurations of a set with so many threads, which are known to be few.
fn distribute(set: &Initial, threads: u32, into: &mut Vec<Initial>) -> Result<(), CountOverflow> {
    let missing = missing(set, threads).unwrap_or(0);
    // Parts of the unbounded locals but the last, which gets the rest.
    let (rest, others) = match set.unbounded.split_last() {
        Some((rest, others)) => (Some(*rest), others),
        None => (None, &[][..]),
    };
    let mut parts = vec![0_u32; others.len()];
    loop {
        let used: u32 = parts.iter().sum();
        let mut exact = set.exact.clone();
        let counts = others.iter().copied().zip(parts.iter().copied());
        let counts: Vec<(LocalId, u32)> = counts.chain(rest.map(|rest| (rest, missing - used))).collect();
        counts.into_iter().try_for_each(|(local, count)| exact.add(local, count))?;
        into.push(Initial { shared: set.shared, exact, unbounded: Vec::new() });
        // The next way: one more in the first local that can have one, with nothing before it.
        let Some(at) = (0..parts.len()).find(|&at| parts[at..].iter().sum::<u32>() < missing) else {
            return Ok(());
        };
        parts[..at].fill(0);
        parts[at] += 1;
    }
}

fn too_many(sets: &[Initial], threads: u32, ways: u128) -> Diagnostic {
    let n_locals = sets.iter().map(|set| set.unbounded.len()).max().unwrap_or(0);
    let ways = if ways == u128::MAX { "very many".to_owned() } else { ways.to_string() };
    Diagnostic::error("E0130", format!("there are too many ways to start with {threads} threads: {ways}"))
        .note(format!("threads can start in {n_locals} local states; at most {MOST_WAYS} ways are looked at"))
        .hint("ask for fewer threads, or say where they start with `--init`, as in `--init '0|1,1,2'`")
}

fn none(sets: &[Initial], threads: u32) -> Diagnostic {
    let mut sizes: Vec<u64> = sets.iter().map(|set| bag::size(&set.exact)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let at_least = if sets.iter().any(|set| !set.unbounded.is_empty()) { "at least " } else { "" };
    let size = sizes.first().copied().unwrap_or(0);
    let error = Diagnostic::error("E0129", format!("no initial configuration has exactly {threads} threads"))
        .note(format!("the input starts with {at_least}{size}"));
    if at_least.is_empty() {
        error.hint("leave `--threads` out: the input says itself how many there are")
    } else {
        error.hint(format!("ask for {size} threads or more"))
    }
}

fn left_out(set: &Initial, threads: u32) -> Diagnostic {
    let size = bag::size(&set.exact);
    let plural = if size == 1 { "" } else { "s" };
    Diagnostic::warning("W0132", format!("an initial configuration with {size} thread{plural} is left out"))
        .note(format!("`--threads {threads}` asks about those with exactly {threads}"))
}
