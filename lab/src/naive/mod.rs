//! A naive judge of evidence, straight from the definitions: what the checker's answers are compared with.
//!
//! It knows no indices and no predecessor formula: the predecessors of an element of a proof are found by trying
//! every configuration up to a size, a trap is tested by firing, repeated segments of a trace are unrolled. It
//! shares only the semantics of [`crate::dense`] with the oracle, and nothing with the checker. Documents whose
//! numbers or patterns are too large for that are [`Judgement::Unjudged`].

mod cover;
mod proof;
mod trace;

pub use cover::{OmegaDense, successors};
pub use proof::{find_cuts, is_trap};

use crate::dense::{Dense, DenseSystem, MAX_LOCALS};
use throng_cert::document::Configuration;
use throng_cert::{Body, Count, EvidenceDocument, State, Verdict};
use throng_model::{Names, System};

/// What the judge found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The evidence shows its verdict.
    Right,
    /// It does not.
    Wrong,
    /// The judge cannot tell.
    Unjudged,
}

/// Why judging ended early.
enum Stop {
    Wrong,
    Unjudged,
}

type Judged<T> = Result<T, Stop>;

fn require(condition: bool) -> Judged<()> {
    if condition { Ok(()) } else { Err(Stop::Wrong) }
}

/// Judges a document about a system.
pub fn judge(system: &System, document: &EvidenceDocument) -> Judgement {
    let Some(dense) = DenseSystem::of(system) else { return Judgement::Unjudged };
    let judge = Judge { system, dense };
    let judged = match (&document.body, document.verdict) {
        (Body::Trace(trace), Verdict::Unsafe) => judge.trace(trace),
        (Body::Proof(proof), Verdict::Safe) => judge.proof(proof),
        (Body::CoverSet(set), Verdict::Safe) => judge.cover_set(set),
        _ => Err(Stop::Wrong),
    };
    match judged {
        Ok(()) => Judgement::Right,
        Err(Stop::Wrong) => Judgement::Wrong,
        Err(Stop::Unjudged) => Judgement::Unjudged,
    }
}

struct Judge<'a> {
    system: &'a System,
    dense: DenseSystem,
}

impl Judge<'_> {
    /// All ω-configurations that a configuration of a document stands for.
    fn expand(&self, configuration: &Configuration) -> Judged<Vec<OmegaDense>> {
        let shared = match &configuration.shared {
            Some(state) => states(self.system.shared_names(), state)?,
            None => vec![0],
        };
        // The shared state may be left out only if it has no name.
        require(configuration.shared.is_some() || self.system.is_net())?;
        let mut found: Vec<OmegaDense> = shared
            .into_iter()
            .map(|s| OmegaDense {
                finite: Dense { shared: s as u8, counts: [0; MAX_LOCALS] },
                omega: [false; MAX_LOCALS],
            })
            .collect();
        for (state, count) in &configuration.threads {
            let locals = states(self.system.local_names(), state)?;
            found = match *count {
                Count::Omega if locals.len() == 1 => with_omega(found, locals[0]),
                Count::Omega => return Err(Stop::Unjudged),
                Count::Finite(count) => with_threads(found, &locals, count)?,
            };
        }
        Ok(found)
    }

    /// As [`Judge::expand`], without ω.
    fn expand_finite(&self, configuration: &Configuration) -> Judged<Vec<Dense>> {
        let all = self.expand(configuration)?;
        require(all.iter().all(|config| config.omega == [false; MAX_LOCALS]))?;
        Ok(all.into_iter().map(|config| config.finite).collect())
    }
}

/// The states that a state of a document stands for.
fn states(names: &Names, state: &State) -> Judged<Vec<usize>> {
    match state {
        State::Name(name) => Ok(vec![names.find(name).ok_or(Stop::Wrong)?]),
        State::AnyOf(list) => list.iter().map(|name| names.find(name).ok_or(Stop::Wrong)).collect(),
        State::Any => Ok((0..names.len()).collect()),
        // Locations are states of programs only.
        State::At { .. } | State::Where { .. } => Err(Stop::Wrong),
    }
}

fn with_omega(mut configs: Vec<OmegaDense>, local: usize) -> Vec<OmegaDense> {
    configs.iter_mut().for_each(|config| config.omega[local] = true);
    configs
}

/// Adds `count` threads, each in any of `locals`, in all ways.
fn with_threads(configs: Vec<OmegaDense>, locals: &[usize], count: u64) -> Judged<Vec<OmegaDense>> {
    const MOST: usize = 2000;
    let mut current = configs;
    if let &[local] = locals {
        for config in &mut current {
            let more = u8::try_from(count).map_err(|_| Stop::Unjudged)?;
            let sum = config.finite.counts[local].checked_add(more);
            config.finite.counts[local] = sum.ok_or(Stop::Unjudged)?;
        }
        return Ok(current);
    }
    for _ in 0..count {
        let mut next = Vec::new();
        for config in &current {
            for &local in locals {
                let mut larger = *config;
                let sum = larger.finite.counts[local].checked_add(1);
                larger.finite.counts[local] = sum.ok_or(Stop::Unjudged)?;
                next.push(larger);
            }
        }
        next.sort_unstable();
        next.dedup();
        if next.len() > MOST {
            return Err(Stop::Unjudged);
        }
        current = next;
    }
    Ok(current)
}
